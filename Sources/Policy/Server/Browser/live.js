// Live queries of Freshet for browsers.
//
//     import { live } from '/live.js';
//     const tasks = live('/v1/tasks?filter=done==false&order=-priority&limit=20');
//     tasks.addEventListener('change', () => show(tasks.items));
//     …
//     tasks.close();
//
// Whatever is shown is exactly what the search would answer, and stays so. All tabs of an origin
// share one connection: this file is also the shared worker that holds it (where there are no shared
// workers, each tab has a connection of its own). Several queries step together, from one commit to
// a later one: `change` is told when all of them are exact. Lost connections are made again, and
// resume; nothing is missed and nothing is shown twice.
//
// A query has: ids (as text, in order), text(id) (the row's exact JSON), items (in order), total,
// groups, aggregates, included, state ('connecting', 'live', 'reconnecting', 'failed'), problem (why
// it failed), source (where its data comes from).
// Events: 'change' (what is shown), 'state' (state, problem or source).
//
// Numbers of `items` are those of JavaScript: beyond 2^53 they lose digits, and 0.10 is 0.1. So ids
// are told apart by their text, an id that JavaScript has no integer for is a string in `items`, and
// text(id) has what the server sent, digit for digit.

// JSON text, without a loss -----------------------------------------------------------------------
// The texts are a server's own JSON, without white space, so that nothing is checked here: what is
// looked for is where values end.

/** Where the value ends that begins at `at`. */
function valueEnd(text, at) {
  if (text[at] === '"') return stringEnd(text, at);
  if (text[at] !== '[' && text[at] !== '{') {
    while (at < text.length && !',]}'.includes(text[at])) at++;
    return at;
  }
  for (let depth = 0; at < text.length;) {
    const character = text[at];
    if (character === '"') {
      at = stringEnd(text, at);
      continue;
    }
    at++;
    if (character === '[' || character === '{') depth++;
    else if ((character === ']' || character === '}') && !--depth) return at;
  }
  throw new SyntaxError('this JSON ends too early');
}

function stringEnd(text, at) {
  for (at++; at < text.length; at++) {
    if (text[at] === '"') return at + 1;
    if (text[at] === '\\') at++;
  }
  throw new SyntaxError('this JSON ends too early');
}

/** The texts of an array's elements. */
export function elements(text) {
  const found = [];
  for (let at = 1; at < text.length - 1; at++) {
    const end = valueEnd(text, at);
    found.push(text.slice(at, end));
    at = end;
  }
  return found;
}

/** The names of an object's members with the texts of their values, in order. */
export function members(text) {
  const found = new Map();
  for (let at = 1; at < text.length - 1; at++) {
    const colon = stringEnd(text, at);
    const end = valueEnd(text, colon + 1);
    found.set(JSON.parse(text.slice(at, colon)), text.slice(colon + 1, end));
    at = end;
  }
  return found;
}

/** An id as text: `7` and `"7"` are one id. */
const idText = (text) => (text[0] === '"' ? JSON.parse(text) : text);

/** A row of an answer: its exact text, and what JavaScript makes of it. */
class Row {
  text;
  id;
  #value;

  constructor(text) {
    this.text = text;
    this.id = idText(members(text).get('id'));
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
  const rows = members(text).get('items');
  return rows ? { ...JSON.parse(text), items: elements(rows).map((row) => new Row(row).value) } : JSON.parse(text);
}

// What a query shows ------------------------------------------------------------------------------

/** What one live query shows: the reducer of the protocol. */
export class Reducer {
  #rows = new Map(); // id → Row
  #groups; // texts
  #aggregates; // { isOne, texts }
  #included; // Map of type → Map of id → Row
  #values = new Map(); // what was asked for since the last change
  /** What a snapshot comes to whose last part has yet to come. */
  #next;
  ids = [];
  total = undefined;
  version = -1;

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

  /** The exact JSON of the row with this id. */
  text(id) { return this.#rows.get(String(id))?.text; }

  #keep(name, make) {
    if (!this.#values.has(name)) this.#values.set(name, make());
    return this.#values.get(name);
  }

  /** Takes one event with its data as text; says whether what is shown may have changed. */
  apply(name, text) {
    if (name !== 'snapshot' && name !== 'delta') return false;
    const data = members(text);
    return name === 'snapshot' ? this.#snapshot(data) : this.#delta(data);
  }

  #snapshot(data) {
    // Parts are kept aside: a connection that is lost between two of them goes on from what is shown.
    if (!Number(data.get('part') ?? 0)) this.#next = new Reducer();
    const next = this.#next;
    if (!next) return false;
    next.#add(data);
    if (data.get('more') === 'true') return false;
    this.#next = undefined;
    this.#rows = next.#rows;
    this.#groups = next.#groups;
    this.#aggregates = next.#aggregates;
    this.#included = next.#included;
    this.#values = new Map();
    this.ids = next.ids;
    this.total = next.total;
    this.version = Number(data.get('v'));
    return true;
  }

  #add(data) {
    for (const text of elements(data.get('items') ?? '[]')) {
      const row = new Row(text);
      this.ids.push(row.id);
      this.#rows.set(row.id, row);
    }
    if (data.has('groups')) this.#groups = [...this.#groups ?? [], ...elements(data.get('groups'))];
    const figures = data.get('aggregates');
    if (figures) {
      const isOne = figures[0] === '{';
      this.#aggregates = { isOne, texts: [...this.#aggregates?.texts ?? [], ...isOne ? [figures] : elements(figures)] };
    }
    this.#include(data);
  }

  #delta(data) {
    const to = Number(data.get('to'));
    if (to <= this.version) return false;
    const removed = [...members(data.get('remove') ?? '{}').keys()];
    const placed = elements(data.get('place') ?? '[]').map((pair) => elements(pair))
      .map(([id, at]) => [idText(id), Number(at)]).sort((a, b) => a[1] - b[1]);
    const out = new Set([...removed, ...placed.map(([id]) => id)]);
    this.ids = this.ids.filter((id) => !out.has(id));
    for (const [id, at] of placed) this.ids.splice(at, 0, id);
    for (const id of removed) this.#rows.delete(id);
    for (const text of elements(data.get('put') ?? '[]')) {
      const row = new Row(text);
      this.#rows.set(row.id, row);
    }
    for (const [type, ids] of members(data.get('dropped') ?? '{}')) {
      for (const id of elements(ids)) this.#included?.get(type)?.delete(idText(id));
    }
    this.#include(data);
    this.#values = new Map();
    this.version = to;
    return true;
  }

  #include(data) {
    for (const [type, entities] of members(data.get('included') ?? '{}')) {
      this.#included ??= new Map();
      if (!this.#included.has(type)) this.#included.set(type, new Map());
      for (const [id, text] of members(entities)) this.#included.get(type).set(id, new Row(text));
    }
    if (data.has('total')) this.total = Number(data.get('total'));
  }

  /** The data of the one event that makes an empty reducer equal to this. */
  get snapshot() {
    const data = [`"v":${this.version},"items":[${this.ids.map((id) => this.text(id))}]`];
    if (this.#groups) data.push(`"groups":[${this.#groups}]`);
    if (this.#aggregates) {
      data.push(`"aggregates":${this.#aggregates.isOne ? this.#aggregates.texts[0] : `[${this.#aggregates.texts}]`}`);
    }
    if (this.#included) {
      const types = [...this.#included].map(([type, rows]) => `${JSON.stringify(type)}:{${
        [...rows].map(([id, row]) => `${JSON.stringify(id)}:${row.text}`)}}`);
      data.push(`"included":{${types}}`);
    }
    if (this.total !== undefined) data.push(`"total":${this.total}`);
    return `{${data},"part":0,"more":false}`;
  }
}

/**
 * Watches a query; `url` is the address of a search or of one entity.
 * `token`: a bearer token, where the server wants one.
 */
export function live(url, { token } = {}) {
  return new LiveQuery(new URL(url, location.href), token);
}

class LiveQuery extends EventTarget {
  state = 'connecting';
  problem = undefined;
  source = undefined;
  #reducer = new Reducer();
  #hub;
  #key;

  constructor(url, token) {
    super();
    if (url.origin !== location.origin) throw new TypeError('a live query is of the page\'s own origin');
    this.#key = url.pathname + url.search;
    this.#hub = connectHub();
    this.#hub.open(this, this.#key, token);
  }

  get ids() { return this.#reducer.ids; }
  text(id) { return this.#reducer.text(id); }
  get items() { return this.#reducer.items; }
  get total() { return this.#reducer.total; }
  get groups() { return this.#reducer.groups; }
  get aggregates() { return this.#reducer.aggregates; }
  get included() { return this.#reducer.included; }

  close() { this.#hub.close(this, this.#key); }

  /** Takes a batch of what the hub has for this query; answers the events that tell of it. */
  take(messages) {
    const events = new Set();
    for (const [name, data] of messages) {
      if (name === 'state') {
        Object.assign(this, data);
        events.add('state');
      } else if (this.#reducer.apply(name, data)) {
        events.add('change');
      }
    }
    return [...events].map((name) => () => this.dispatchEvent(new Event(name)));
  }
}

// The page's end of the one connection ---------------------------------------------------------

let hub;

function connectHub() {
  hub ??= typeof SharedWorker === 'undefined' ? new LocalHub() : new WorkerHub();
  return hub;
}

/** Queries of this page by key, before a hub of any kind. */
class PageQueries {
  #queries = new Map();

  /** Says whether it is the first of its key. */
  add(query, key) {
    const all = this.#queries.get(key);
    if (all) all.add(query);
    else this.#queries.set(key, new Set([query]));
    return !all;
  }

  /** Says whether it was the last of its key. */
  remove(query, key) {
    const all = this.#queries.get(key);
    if (!all?.delete(query) || all.size) return false;
    return this.#queries.delete(key);
  }

  /** Takes batches of several queries in, and tells of them when all are. */
  receive(batches) {
    const tell = batches.flatMap(([key, messages]) => [...this.#queries.get(key) ?? []].flatMap((query) => query.take(messages)));
    for (const event of tell) event();
  }
}

/** The worker's name has the number of what it and its pages tell each other: pages of two versions do not meet. */
class WorkerHub {
  #queries = new PageQueries();
  #port;

  constructor() {
    this.#port = new SharedWorker(import.meta.url, { type: 'module', name: 'freshet-live-2' }).port;
    this.#port.onmessage = ({ data }) => this.#queries.receive(data);
    addEventListener('pagehide', () => this.#port.postMessage({ leave: true }));
    addEventListener('pageshow', ({ persisted }) => { if (persisted) location.reload(); });
  }

  open(query, key, token) {
    this.#queries.add(query, key);
    // Told for each: one that joins later gets what there is.
    this.#port.postMessage({ open: key, token });
  }

  close(query, key) {
    if (this.#queries.remove(query, key)) this.#port.postMessage({ close: key });
  }
}

class LocalHub {
  #queries = new PageQueries();
  #connection = new Connection();

  open(query, key, token) {
    this.#queries.add(query, key);
    this.#connection.open(key, this, (batches) => this.#queries.receive(batches), token);
  }

  close(query, key) {
    if (this.#queries.remove(query, key)) this.#connection.close(key, this);
  }
}

// The connection -------------------------------------------------------------------------------

/** One session with all queries of the origin; runs in the shared worker, or in the page. */
class Connection {
  #queries = new Map(); // key → { alias, reducer, listeners: Map(owner → deliver), state, problem, source }
  #aliases = new Map();
  #next = 0;
  #token;
  #session;
  #events;
  #retryAfter = 1000;
  #work = Promise.resolve();

  open(key, owner, deliver, token) {
    if (token !== undefined) this.#token = token;
    let query = this.#queries.get(key);
    if (query) {
      query.listeners.set(owner, deliver);
      const { state, problem, source } = query;
      const messages = [['state', { state, problem, source }]];
      if (query.reducer.version >= 0) messages.unshift(['snapshot', query.reducer.snapshot]);
      deliver([[key, messages]]);
      return;
    }
    query = { key, alias: `q${this.#next++}`, reducer: new Reducer(), listeners: new Map([[owner, deliver]]), state: 'connecting', waiting: [] };
    this.#queries.set(key, query);
    this.#aliases.set(query.alias, query);
    this.#enqueue(() => this.#add(key, query));
  }

  close(key, owner) {
    const query = this.#queries.get(key);
    if (!query?.listeners.delete(owner) || query.listeners.size) return;
    this.#queries.delete(key);
    this.#aliases.delete(query.alias);
    this.#enqueue(() => this.#session && this.#call('PATCH', this.#session, { queries: { [query.alias]: null } }));
    if (!this.#queries.size) this.#enqueue(() => this.#queries.size || this.#end());
  }

  /** Ends all that `owner` has. */
  leave(owner) {
    for (const [key, query] of this.#queries) if (query.listeners.has(owner)) this.close(key, owner);
  }

  /** Changes of the session happen one after the other. */
  #enqueue(step) {
    this.#work = this.#work.then(step).catch(() => this.#startAnew());
  }

  async #call(method, path, body) {
    const headers = { 'Content-Type': 'application/json' };
    if (this.#token) headers.Authorization = `Bearer ${this.#token}`;
    return fetch(path, { method, headers, body: body && JSON.stringify(body) });
  }

  async #add(key, query) {
    if (this.#queries.get(key) !== query) return;
    if (!this.#session) return this.#begin();
    const answer = await this.#call('PATCH', this.#session, { queries: { [query.alias]: key } });
    if (answer.status === 404) return this.#startAnew();
    if (!answer.ok) await this.#refused([query], answer);
  }

  /** A new session with every query. */
  async #begin() {
    const wanted = [...this.#queries].filter(([, query]) => query.state !== 'failed');
    if (!wanted.length) return;
    let answer = await this.#call('POST', '/v1/_live', { queries: Object.fromEntries(wanted.map(([key, query]) => [query.alias, key])) });
    if (answer.status >= 500 || answer.status === 429) throw new Error('later');
    if (!answer.ok && wanted.length > 1) {
      // One of them is at fault: a session without any, then each on its own.
      answer = await this.#call('POST', '/v1/_live', { queries: {} });
      if (!answer.ok) return this.#refused(wanted.map(([, query]) => query), answer);
      this.#listen(await answer.json());
      for (const [key, query] of wanted) await this.#add(key, query);
      return;
    }
    if (!answer.ok) return this.#refused(wanted.map(([, query]) => query), answer);
    this.#listen(await answer.json());
  }

  async #refused(queries, answer) {
    if (answer.status >= 500 || answer.status === 429) throw new Error('later');
    const problem = await answer.json().catch(() => ({ status: answer.status, detail: answer.statusText }));
    for (const query of queries) this.#tell(query, { state: 'failed', problem });
  }

  #listen({ session, url }) {
    this.#session = `/v1/_live/${session}`;
    const events = this.#events = new EventSource(url);
    events.onopen = () => { this.#retryAfter = 1000; };
    events.onerror = () => {
      if (events !== this.#events) return;
      for (const query of this.#queries.values()) if (query.state === 'live') this.#tell(query, { state: 'reconnecting' });
      // The browser connects again by itself, unless the server has refused it for good.
      if (events.readyState === EventSource.CLOSED) this.#startAnew();
    };
    for (const name of ['snapshot', 'delta', 'source', 'fault', 'sync', 'bye']) {
      events.addEventListener(name, ({ data }) => { if (events === this.#events) this.#take(name, data); });
    }
  }

  #take(name, text) {
    if (name === 'snapshot' || name === 'delta') return this.#apply(name, text);
    const data = JSON.parse(text);
    if (name === 'sync') return this.#release([...this.#queries]);
    if (name === 'bye') {
      // The session has another stream by now: it is not this connection's to end.
      if (data.reason === 'replaced') this.#session = undefined;
      if (['session-ended', 'token-expired', 'replaced'].includes(data.reason)) this.#startAnew();
      else if (data.reconnect === false) {
        this.#end();
        for (const query of this.#queries.values()) this.#tell(query, { state: 'failed', problem: { detail: data.reason } });
      }
      return;
    }
    const query = this.#aliases.get(data.q);
    if (!query) return;
    if (name === 'source') return this.#tell(query, { source: data });
    if (name === 'fault') this.#tell(query, { problem: data, state: data.final ? 'failed' : query.state });
  }

  #apply(name, text) {
    const query = this.#aliases.get(JSON.parse(members(text).get('q')));
    if (!query) return;
    const isFirst = query.reducer.version < 0;
    query.reducer.apply(name, text);
    query.waiting.push([name, text]);
    // Nothing stands beside a first snapshot that it could disagree with.
    if (isFirst && query.reducer.version >= 0) this.#release([[query.key, query]]);
  }

  /** Hands out what has come for some queries, to each owner at once: it sees one commit of all. */
  #release(queries) {
    const batches = new Map(); // owner → [deliver, batches]
    for (const [key, query] of queries) {
      if (query.state !== 'live' && query.state !== 'failed' && query.reducer.version >= 0) {
        query.state = 'live';
        query.waiting.push(['state', { state: 'live', problem: undefined }]);
      }
      if (!query.waiting.length) continue;
      for (const [owner, deliver] of query.listeners) {
        if (!batches.has(owner)) batches.set(owner, [deliver, []]);
        batches.get(owner)[1].push([key, query.waiting]);
      }
      query.waiting = [];
    }
    for (const [deliver, all] of batches.values()) deliver(all);
  }

  #tell(query, change) {
    Object.assign(query, change);
    for (const deliver of query.listeners.values()) deliver([[query.key, [['state', change]]]]);
  }

  /** The session is lost: a new one after a while, spread so that not all come at once. */
  #startAnew() {
    this.#end();
    const wait = this.#retryAfter * (0.5 + Math.random() / 2);
    this.#retryAfter = Math.min(this.#retryAfter * 2, 30000);
    setTimeout(() => this.#enqueue(() => this.#session ?? this.#begin()), wait);
  }

  #end() {
    this.#events?.close();
    this.#events = undefined;
    if (this.#session) this.#call('DELETE', this.#session).catch(() => {});
    this.#session = undefined;
  }
}

// As a shared worker ---------------------------------------------------------------------------

if (typeof SharedWorkerGlobalScope !== 'undefined' && self instanceof SharedWorkerGlobalScope) {
  const connection = new Connection();
  self.onconnect = ({ ports: [port] }) => {
    port.onmessage = ({ data }) => {
      if (data.leave) connection.leave(port);
      else if (data.open) connection.open(data.open, port, (batches) => port.postMessage(batches), data.token);
      else if (data.close) connection.close(data.close, port);
    };
  };
}
