// What stands beside the text of an entity: its form, a field for each declared member, and what is known of it.
// Form and text edit one text.
import { idOf, members, splice } from '../json.js';
import { elementTexts, memberTexts, textAt } from '../reducer.js';
import { element, fill, plain, unseen } from './dom.js';
import { typedPath } from './filter.js';
import { bytes, count, remark, small, time } from './show.js';
import { entityHash, typeUrl, withParameters } from './state.js';
import { canonical, stepTo } from './text.js';

/** Whether a JSON string can stand in a field as it is, without quotes. */
const isPlain = (text) => text?.[0] === '"' && !/[\u0000-\u0009\u000b-\u001f]/.test(JSON.parse(text)) && JSON.parse(text).search(unseen) < 0;

const isText = (type) => ['string', 'date', 'date-time', 'duration', 'uri'].includes(type);

/**
 * A control for one member. `write(json)` is told what it says; null: the member goes. `wait(draft)` is told
 * what is no JSON yet, and null once it is.
 */
function control(name, rule, text, draft, write, wait) {
  const options = rule.enum ?? (rule.type === 'boolean' ? ['true', 'false'] : null);
  const attributes = { 'aria-label': name, placeholder: 'absent', test: 'field', 'data-name': name };
  if (options && draft === undefined && (text === undefined || text === 'null' || options.includes(canonical(text)))) {
    const all = ['', ...options, ...rule.nullable || text === 'null' ? ['null'] : []];
    const node = element('select', { ...attributes, on: { change: () => write(node.value || null) } }, all.map((one) => element('option', {
      value: one, selected: one === (text === undefined ? '' : canonical(text)) }, one === '' ? 'absent' : one[0] === '"' ? JSON.parse(one) : one)));
    return node;
  }
  const asText = isText(rule.type) && draft === undefined && (text === undefined || isPlain(text));
  const shown = asText ? JSON.parse(text ?? '""') : text ?? '';
  const isNumber = rule.type === 'integer' || rule.type === 'number';
  const node = element('textarea', { ...attributes, rows: asText && (shown.length > 60 || shown.includes('\n')) ? 3 : 1,
    inputmode: isNumber ? 'decimal' : null, class: asText ? null : 'code', on: { input: () => {
      if (asText) return write(JSON.stringify(node.value));
      node.setCustomValidity('');
      try {
        write(node.value.trim() || null);
        wait(null);
      } catch {
        node.setCustomValidity('This is no JSON.'); // The text waits until it is.
        wait(node.value);
      }
      return node.reportValidity();
    } } });
  node.value = draft ?? shown;
  if (draft !== undefined) node.setCustomValidity('This is no JSON.');
  return node;
}

function words({ type, required, nullable, lazy, silent, minimum, maximum, minLength, maxLength }) {
  const bounds = [[minimum, '≥'], [maximum, '≤'], [minLength, 'length ≥'], [maxLength, 'length ≤']]
    .flatMap(([bound, sign]) => (bound === undefined ? [] : `${sign} ${bound}`));
  return [type, required && 'required', nullable && 'may be null', lazy && 'lazy: left out, it keeps the stored value',
    silent && 'silent: a change of it alone is told to nobody', ...bounds].filter(Boolean).join(', ');
}

/**
 * The form of a declared type; undefined for another.
 * @param {{text: string, json: object}} declaration its entity of `_types`
 * @param {(text: string) => void} change is told the whole text after an edit of a field, and when one begins or
 *   ends to hold what is no JSON
 */
export function entityForm({ text: declared, json }, change) {
  const rules = new Map(json.declared ? Object.entries(json.schema.properties ?? {}) : []);
  if (!rules.size) return undefined;
  for (const [name, rule] of rules) { // The choices are kept as they are written.
    if (rule.enum) rule.enum = elementTexts(textAt(declared, `/schema/properties${stepTo(name)}/enum`)).map(canonical);
  }
  const node = element('div', { class: 'form', role: 'group', 'aria-label': 'form', test: 'form' });
  let text = '';
  let shown;
  let held;
  const drafts = new Map(); // name → what is no JSON yet

  function write(name, json) {
    text = splice(text, stepTo(name), json);
    shown = texts();
    change(text);
  }

  const texts = () => memberTexts(text);

  function wait(name, draft) {
    const isNew = drafts.has(name) === (draft === null);
    if (draft === null) drafts.delete(name);
    else drafts.set(name, draft);
    if (isNew) change(text);
  }

  return {
    node,
    /** Why nothing may be saved: what a field holds is in no text, since it is no JSON. Null where none does. */
    get waits() { return drafts.size ? `The field ${drafts.keys().next().value} is no JSON yet.` : null; },
    forget() {
      drafts.clear();
      this.keep();
    },
    /** Keeps what waits, whatever the next text has of its member. */
    keep() { shown = undefined; },
    /** Shows a text; one that is no object yet is waited for, and nothing can be edited but it. */
    set(to, heldBy) {
      let found;
      try {
        text = to;
        found = texts();
      } catch {
        if (shown !== null) node.prepend(remark('The text is no JSON object yet.'));
        for (const field of node.querySelectorAll('select, textarea, button')) field.disabled = true;
        shown = null;
        return;
      }
      if (shown && held === heldBy && [...rules.keys()].every((name) => found.get(name) === shown.get(name))) return;
      // What waits is of the member as it was.
      for (const name of drafts.keys()) if (shown && found.get(name) !== shown.get(name)) drafts.delete(name);
      shown = found;
      held = heldBy;
      const focus = node.contains(document.activeElement) ? document.activeElement.dataset.name : undefined;
      fill(node, [...rules].filter(([name]) => name !== 'id').map(([name, rule]) => element('div', {
        class: 'field' }, element('label', null, element('span', null, plain(name), small(` ${words(rule)}`)),
        control(name, rule, found.get(name), drafts.get(name), (json) => write(name, json), (draft) => wait(name, draft))),
      found.has(name) && !rule.required && element('button', { class: 'remove', 'aria-label': `leave ${name} out`,
        on: { click: () => {
          drafts.delete(name);
          write(name, null);
          shown = null;
          this.set(text, heldBy);
        } } }, '×'))),
      [...found.keys()].some((name) => name !== 'id' && !rules.has(name)) && remark('The text has more members than these.'));
      if (heldBy) for (const field of node.querySelectorAll('select, textarea, button')) field.disabled = true;
      if (focus !== undefined) [...node.querySelectorAll('[data-name]')].find(({ dataset }) => dataset.name === focus)?.focus();
    },
  };
}

/** Facts of an entity that is stored as `base`, as `[name, what is shown]`; `upstream` is its source as the live query tells it. */
export function known({ type, base, revision, meta, schema, upstream }) {
  const { source, fetchedAt, sync } = meta ?? {};
  const { state, problem } = upstream ?? {};
  const id = textAt(base, '/id'); // a literal of filters
  const undelivered = { filter: `type == ${JSON.stringify(type)} and entity == ${id}` };
  const all = [['revision', revision], ['source', source], ['fetched', fetchedAt && time(fetchedAt)],
    ['sync', sync === 'pending' ? element('a', { href: `#${withParameters('/v1/_outbox', undelivered)}`, test: 'outbox-link' },
      'a change has yet to reach the remote') : sync !== 'none' && sync],
    ['size', bytes(new Blob([base]).size)], ['upstream', state && state !== 'fresh' && [state, problem && `: ${problem.detail ?? problem.code}`]],
    ...Object.entries(schema.relationships ?? {}).map(([name, relationship]) => [name, related(base, id, name, relationship)])];
  return all.filter(([, shown]) => shown);
}

/** A declared relationship as links; null where it names nothing. */
function related(base, id, name, { type, by }) {
  if (by) return element('a', { href: `#${withParameters(typeUrl(type), { filter: `${typedPath(by)} == ${id}` })}` }, `${type} by ${by}`);
  const place = members(base).find((member) => member.name === name);
  if (!place || place.kind === 'null') return null;
  const text = base.slice(place.at, place.end);
  const ids = (place.kind === 'array' ? elementTexts(text) : [text]).map(idOf);
  return [ids.slice(0, 20).map((id) => [element('a', { href: entityHash(type, id), test: 'relation' }, plain(`${type} ${id}`)), ' ']),
    ids.length > 20 && `+${count(ids.length - 20)} more`];
}
