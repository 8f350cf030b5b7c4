// What one live query shows: the reducer of the protocol. It keeps the exact text of each row, and
// says what a step from one commit to a later one has changed.

import { elements, idOf, idText, members, valueAt } from './json.js';

export const memberTexts = (text) => new Map(members(text).map(({ name, at, end }) => [name, text.slice(at, end)]));

export const elementTexts = (text) => elements(text).map(({ at, end }) => text.slice(at, end));

/** The text of the value that a JSON pointer names; undefined where there is none. */
export function textAt(text, pointer) {
  const place = valueAt(text, pointer);
  return place && text.slice(place.at, place.end);
}

/** A row of an answer: its exact text, and what JavaScript makes of it. */
class Row {
  #value;

  constructor(text, id = idText(text)) {
    this.text = text;
    this.id = id;
  }

  get value() {
    if (!this.#value) {
      this.#value = JSON.parse(this.text);
      if (typeof this.#value.id === 'number' && !Number.isSafeInteger(this.#value.id)) this.#value.id = this.id;
    }
    return this.#value;
  }
}

/** A group as JavaScript has it, the ids of its rows without a loss. */
function groupValue(text) {
  const rows = memberTexts(text).get('items');
  return rows ? { ...JSON.parse(text), items: elementTexts(rows).map((row) => new Row(row).value) } : JSON.parse(text);
}

export class Reducer {
  #rows = new Map(); // id → Row
  #groups; // texts
  #aggregates; // { isOne, texts }
  #included; // Map of type → Map of id → Row
  #values = new Map(); // what was asked for since the last event
  /** What a snapshot comes to whose last part has yet to come. */
  #next;
  /** What the ids that events named had been since the last `takeChange`: id → { old, reason }. */
  #touched = new Map();
  #moved = new Set();
  #commits = 0;
  #why;
  #keepsChanges;
  /** Ids as texts, in order; another array after each change of them. */
  ids = [];
  total = undefined;
  /** Whether the server lists no more than a part of the type (a system type with very many rows). */
  truncated = false;
  version = -1;

  /** @param {boolean} keepsChanges whether `takeChange` will be called */
  constructor(keepsChanges = false) { this.#keepsChanges = keepsChanges; }

  get items() { return this.#keep('items', () => this.ids.map((id) => this.#rows.get(id).value)); }
  get groups() { return this.#keep('groups', () => this.#groups?.map(groupValue)); }
  get aggregates() {
    return this.#keep('aggregates', () => {
      const rows = this.#aggregates?.texts.map((text) => JSON.parse(text));
      return this.#aggregates?.isOne ? rows[0] : rows;
    });
  }
  get included() {
    return this.#keep('included', () => this.#included && Object.fromEntries([...this.#included].map(
      ([type, rows]) => [type, Object.fromEntries([...rows].map(([id, row]) => [id, row.value]))])));
  }

  /** The exact JSON of the row with this id; undefined where none is shown. */
  text(id) { return this.#rows.get(String(id))?.text; }
  includedText(type, id) { return this.#included?.get(type)?.get(String(id))?.text; }
  /** The exact JSON of all groups, an array. */
  get groupsText() { return this.#groups && `[${this.#groups}]`; }
  /** The exact JSON of the figures: an object, or an array with one for each group. */
  get aggregatesText() {
    return this.#aggregates && (this.#aggregates.isOne ? this.#aggregates.texts[0] : `[${this.#aggregates.texts}]`);
  }

  #keep(name, make) {
    if (!this.#values.has(name)) this.#values.set(name, make());
    return this.#values.get(name);
  }

  /** Takes one event with its data as text; says whether what is shown may have changed. */
  apply(name, text) {
    if (name !== 'snapshot' && name !== 'delta') return false;
    const data = memberTexts(text);
    return name === 'snapshot' ? this.#snapshot(data) : this.#delta(data);
  }

  /** What has changed since the last call, net: a row that came and went in between is not named. */
  takeChange() {
    const change = { entered: [], changed: [], left: [], moved: [], commits: this.#commits, why: this.#why };
    for (const [id, { old, reason }] of this.#touched) {
      const now = this.text(id);
      if (now === undefined) {
        if (old !== undefined) change.left.push({ id, reason, old });
      } else if (old === undefined) {
        change.entered.push(id);
      } else if (old !== now) {
        change.changed.push({ id, old });
      }
    }
    const isOld = (id) => this.#rows.has(id) && this.#touched.get(id)?.old !== undefined;
    change.moved = [...this.#moved].filter(isOld);
    this.#touched = new Map();
    this.#moved = new Set();
    this.#commits = 0;
    this.#why = undefined;
    return change;
  }

  #touch(id, reason) {
    if (!this.#keepsChanges) return;
    const known = this.#touched.get(id);
    if (known) known.reason = reason ?? known.reason;
    else this.#touched.set(id, { old: this.text(id), reason });
  }

  #snapshot(data) {
    // Parts are kept aside: a connection that is lost between two of them goes on from what is shown.
    if (!Number(data.get('part') ?? 0)) this.#next = new Reducer();
    const next = this.#next;
    if (!next) return false;
    next.#add(data);
    if (data.get('more') === 'true') return false;
    this.#next = undefined;
    this.#why = JSON.parse(data.get('why') ?? '"initial"');
    for (const id of this.ids) this.#touch(id, this.#why);
    for (const id of next.ids) this.#touch(id);
    this.#rows = next.#rows;
    this.#groups = next.#groups;
    this.#aggregates = next.#aggregates;
    this.#included = next.#included;
    this.#values = new Map();
    this.ids = next.ids;
    this.total = next.total;
    this.truncated = next.truncated;
    this.version = Number(data.get('v'));
    return true;
  }

  #add(data) {
    if (data.get('truncated') === 'true') this.truncated = true;
    for (const text of elementTexts(data.get('items') ?? '[]')) {
      const row = new Row(text);
      this.ids.push(row.id);
      this.#rows.set(row.id, row);
    }
    if (data.has('groups')) this.#groups = [...this.#groups ?? [], ...elementTexts(data.get('groups'))];
    const figures = data.get('aggregates');
    if (figures) {
      const isOne = figures[0] === '{';
      this.#aggregates = { isOne, texts: [...this.#aggregates?.texts ?? [], ...isOne ? [figures] : elementTexts(figures)] };
    }
    this.#include(data);
  }

  #delta(data) {
    const to = Number(data.get('to'));
    if (to <= this.version) return false;
    const removed = memberTexts(data.get('remove') ?? '{}');
    const placed = elementTexts(data.get('place') ?? '[]').map(elementTexts)
      .map(([id, at]) => [idOf(id), Number(at)]).sort((a, b) => a[1] - b[1]);
    for (const [id, reason] of removed) this.#touch(id, JSON.parse(reason));
    for (const [id] of placed) {
      this.#touch(id);
      if (this.#keepsChanges && this.#rows.has(id)) this.#moved.add(id);
    }
    if (removed.size || placed.length) this.ids = this.#arranged(removed, placed);
    for (const id of removed.keys()) this.#rows.delete(id);
    for (const text of elementTexts(data.get('put') ?? '[]')) {
      const row = new Row(text);
      this.#touch(row.id);
      this.#rows.set(row.id, row);
    }
    for (const [type, ids] of memberTexts(data.get('dropped') ?? '{}')) {
      for (const id of elementTexts(ids)) this.#included?.get(type)?.delete(idOf(id));
    }
    this.#include(data);
    this.#values = new Map();
    this.#commits += Number(data.get('commits') ?? 1);
    this.version = to;
    return true;
  }

  /** The order of ids without those removed; the places are the final ones, ascending. */
  #arranged(removed, placed) {
    const out = new Set([...removed.keys(), ...placed.map(([id]) => id)]);
    const rest = this.ids.filter((id) => !out.has(id));
    const ids = [];
    let next = 0;
    for (const [id, at] of placed) {
      while (ids.length < at && next < rest.length) ids.push(rest[next++]);
      ids.push(id);
    }
    while (next < rest.length) ids.push(rest[next++]);
    return ids;
  }

  #include(data) {
    for (const [type, entities] of memberTexts(data.get('included') ?? '{}')) {
      this.#included ??= new Map();
      if (!this.#included.has(type)) this.#included.set(type, new Map());
      for (const [id, text] of memberTexts(entities)) this.#included.get(type).set(id, new Row(text));
    }
    if (data.has('total')) this.total = Number(data.get('total'));
  }

  /** The data of the one event that makes an empty reducer equal to this. */
  get snapshot() {
    const data = [`"v":${this.version},"items":[${this.ids.map((id) => this.text(id))}]`];
    if (this.#groups) data.push(`"groups":${this.groupsText}`);
    if (this.#aggregates) data.push(`"aggregates":${this.aggregatesText}`);
    if (this.#included) {
      const types = [...this.#included].map(([type, rows]) => `${JSON.stringify(type)}:{${
        [...rows].map(([id, row]) => `${JSON.stringify(id)}:${row.text}`)}}`);
      data.push(`"included":{${types}}`);
    }
    if (this.total !== undefined) data.push(`"total":${this.total}`);
    if (this.truncated) data.push('"truncated":true');
    return `{${data},"part":0,"more":false}`;
  }
}
