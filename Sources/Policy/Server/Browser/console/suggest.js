// What could stand in a filter: properties with their kinds, operators by kind, values.
import { members, valueAt } from '../json.js';
import { elementTexts, textAt } from '../reducer.js';
import { element, fill, plain } from './dom.js';
import { operators } from './filter.js';
import { namesOf, pathOf } from './path.js';
import { client, server } from './server.js';
import { entityUrl, here, typeUrl, withParameters } from './state.js';
import { stepTo } from './text.js';

const kindOf = { integer: 'number', number: 'number', boolean: 'boolean', array: 'array', object: 'object' };
const known = new Map(); // type → { until, properties }
server.addEventListener('access', () => known.clear());

/**
 * The properties of a type, as paths with the kinds of their values: those declared, then those seen.
 * @returns {Promise<Map<string, Set<string>>>}
 */
export function properties(type) {
  const kept = known.get(type);
  if (kept?.until > Date.now()) return kept.properties;
  const found = collect(type);
  known.set(type, { until: Date.now() + 60000, properties: found });
  return found;
}

// Suggestions are a help: where the server tells nothing there are none.
const asked = (url) => client.request('GET', url).catch(() => null);

async function collect(type) {
  const found = new Map();
  const add = (path, kinds) => found.set(path, new Set([...found.get(path) ?? [], ...kinds]));
  const [declared, inferred] = type.startsWith('_') ? [] : await Promise.all(['', '/infer?sample=1000'].map((rest) => asked(entityUrl('_types', type) + rest)));
  for (const [name, { type }] of Object.entries(declared?.json.schema?.properties ?? {})) {
    add(pathOf([name]), type === 'any' ? [] : [Object.hasOwn(kindOf, type) ? kindOf[type] : 'string']);
  }
  for (const { name, kinds } of inferred?.json.properties ?? []) add(name, Object.keys(kinds).filter((kind) => kind !== 'null'));
  if (!found.size) {
    for (const row of await rows(type, { limit: 50 })) {
      for (const { name, kind } of members(row)) add(pathOf([name]), kind === 'null' ? [] : [kind]);
    }
  }
  return found;
}

async function rows(type, parameters) {
  const found = await asked(withParameters(typeUrl(type), { ...parameters, ...here(type) }));
  return elementTexts(found && textAt(found.text, '/items') || '[]');
}

export async function values(type, path) {
  const pointer = namesOf(path).map(stepTo).join('');
  return (await rows(type, { distinct: path, fields: path, limit: 20 })).flatMap((row) => {
    const value = valueAt(row, pointer);
    return value && !value.members && !value.elements && value.end - value.at <= 100 ? [row.slice(value.at, value.end)] : [];
  });
}

const byKind = {
  string: ['==', '!=', '<', '<=', '>', '>=', 'in', 'startsWith', 'contains', 'endsWith', '~='],
  number: ['==', '!=', '<', '<=', '>', '>=', 'in'],
  boolean: ['true', '==', '!='], array: ['has', 'hasAny', 'hasAll', '==', '!='], object: [],
};

/** The operators for values of these kinds; all where nothing is known. */
export function operatorsFor(kinds) {
  if (!kinds?.size) return operators;
  const fitting = new Set([...kinds].flatMap((kind) => byKind[kind] ?? operators));
  return operators.filter((op) => fitting.has(op) || op === 'exists' || op === 'isNull');
}

/**
 * What could stand at the caret of a filter's text.
 * @returns {Promise<{from: number, options: {text: string, note?: string}[]}>} `from`: where the word begins that an
 *   option replaces
 */
export async function completions(type, text, caret) {
  const before = text.slice(0, caret);
  const path = '([A-Za-z_`][\\w.`-]*)';
  const value = new RegExp(`${path}\\s*(?:[=!]=|[<>]=?|has(?:Any|All)?\\s|in\\s*[[(](?:[^\\])]*,)?)\\s*("[^"]*|'[^']*|[\\w.-]*)$`).exec(before);
  if (value) return matching(value[2].replace(/^["']/, ''), caret - value[2].length, (await values(type, value[1])).map((text) => ({ text })));
  const all = await properties(type);
  const operator = new RegExp(`${path}\\s+([a-zA-Z=!<>~]*)$`).exec(before);
  if (operator && all.has(operator[1])) {
    const infix = operatorsFor(all.get(operator[1])).filter((op) => /^([=!<>~]|in$|has)/.test(op));
    return matching(operator[2], caret - operator[2].length, [...infix, 'and', 'or'].map((text) => ({ text })));
  }
  const word = new RegExp(`(?:^|[\\s(!])${path}$`).exec(before)?.[1];
  return word === undefined ? { from: caret, options: [] } : matching(word, caret - word.length, propertyOptions(all));
}

export const propertyOptions = (all) => [...all].map(([text, kinds]) => ({ text, note: [...kinds].join(', ') }));

/** Options that have what was typed, those first that begin with it. */
export function matching(typed, from, options) {
  const wanted = typed.toLowerCase();
  const place = ({ text }) => text.toLowerCase().replace(/^"/, '').indexOf(wanted);
  return { from, options: options.filter((option) => place(option) >= 0 && option.text !== typed)
    .sort((one, other) => Math.min(place(one), 1) - Math.min(place(other), 1)).slice(0, 20) };
}

let lists = 0;

/** Makes a field offer what `find(text, caret)` answers; answers the field with its list. */
export function completing(field, find) {
  const list = element('ul', { role: 'listbox', id: `options-${++lists}`, class: 'options', 'aria-label': 'suggestions', hidden: true });
  field.setAttribute('aria-autocomplete', 'list');
  field.setAttribute('aria-controls', list.id);
  const isCombobox = field.matches('input'); // A field of several lines is none.
  if (isCombobox) field.setAttribute('role', 'combobox');
  let found = { from: 0, options: [] };
  let chosen = -1;
  let turn = 0;

  function draw() {
    list.hidden = !found.options.length;
    if (isCombobox) field.setAttribute('aria-expanded', String(!list.hidden));
    if (chosen < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', `${list.id}-${chosen}`);
    fill(list, found.options.map(({ text, note }, index) => element('li', {
      role: 'option', id: `${list.id}-${index}`, 'aria-selected': String(index === chosen),
      on: { mousedown: (event) => (event.preventDefault(), take(index)) } }, plain(text), note && element('small', null, note))));
    list.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }

  function hide() {
    turn++;
    found = { from: 0, options: [] };
    chosen = -1;
    draw();
  }

  async function look() {
    const mine = ++turn;
    const answer = await find(field.value, field.selectionStart);
    if (mine !== turn || document.activeElement !== field) return;
    found = answer;
    chosen = -1;
    draw();
  }

  function take(index) {
    const { text } = found.options[index];
    const end = found.from + text.length;
    field.value = field.value.slice(0, found.from) + text + field.value.slice(field.selectionStart);
    field.setSelectionRange(end, end);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    hide();
  }

  draw();
  field.addEventListener('input', look);
  field.addEventListener('blur', hide);
  field.addEventListener('keydown', (event) => {
    const { length } = found.options;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !length && step > 0) look();
    else if (step && length) chosen = (chosen + step + length + (chosen < 0 && step < 0 ? 1 : 0)) % length;
    else if (event.key === 'Escape' && length) hide();
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen >= 0) take(chosen);
    else return;
    if (event.key === 'Tab') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (step && length) draw();
  });
  return element('span', { class: 'complete' }, field, list);
}
