// What an answer brings along: entities that its rows refer to, and those that refer to its rows.
import { idOf } from '../json.js';
import { elementTexts, textAt } from '../reducer.js';
import { button, drawer, element, plain } from './dom.js';
import { namesOf } from './path.js';
import { client } from './server.js';
import { count, tree, value } from './show.js';
import { entityHash, entityUrl, parameter } from './state.js';
import { stepTo } from './text.js';

/** @typedef {{relationships: Map<string, {type: string, by?: string}>, hasRemote: boolean}} Declaration */

export const nothingDeclared = { relationships: new Map() };

/** What is declared of a type. @returns {Promise<Declaration>} */
export async function declarationOf(type) {
  const answer = await client.request('GET', entityUrl('_types', type)).catch(() => null);
  if (!answer) return nothingDeclared; // It helps; without it there are no choices.
  const { schema, sources = [] } = answer.json;
  return { relationships: new Map(Object.entries(schema?.relationships ?? {})), hasRemote: sources.length > 0 };
}

/** The relationships of the rows themselves that a question includes, by their names. */
export function includedNames(url, { relationships }) {
  const firsts = (parameter(url, 'include') ?? '').split(',').map((path) => path.split('.')[0]);
  return [...relationships.keys()].filter((name) => firsts.includes('*') || firsts.includes(name));
}

const backward = new WeakMap(); // what is included → `TYPE/PATH` → id that is referred to → ids that refer to it

function idsBehind(source, { type, by }, id) {
  const { included = {} } = source;
  if (!backward.has(included)) backward.set(included, new Map());
  const key = `${type}/${by}`;
  if (!backward.get(included).has(key)) {
    const found = new Map();
    const pointer = namesOf(by).map(stepTo).join('');
    for (const other of Object.keys(included[type] ?? {})) {
      for (const one of idsIn(textAt(source.includedText(type, other), pointer) ?? '[]')) found.set(one, [...found.get(one) ?? [], other]);
    }
    backward.get(included).set(key, found);
  }
  return backward.get(included).get(key).get(id) ?? [];
}

const idsIn = (text) => (text === 'null' ? [] : (text[0] === '[' ? elementTexts(text) : [text]).map(idOf));

/** The column of a relationship: what its ids lead to, or that there is nothing. */
export function includedColumn(source, name, relationship) {
  const { type, by } = relationship;
  const idsOf = (row, id) => (by ? idsBehind(source, relationship, id) : idsIn(row.get(name) ?? 'null'));
  return { isFigure: false, isSorted: by ? false : undefined, text: (row, id) => {
    const ids = idsOf(row, id);
    if (by) return JSON.stringify(ids);
    const absent = ids.filter((id) => source.includedText(type, id) === undefined);
    return absent.length ? `${row.get(name)}, absent: ${absent}` : row.get(name);
  }, show: (_, row, id) => {
    const ids = idsOf(row, id);
    return ids.length || by ? element('span', null, ids.slice(0, 20).map((id) => chip(source, type, id)), ids.length > 20 && ` +${count(ids.length - 20)}`) : value(row.get(name));
  } };
}

function chip(source, type, id) {
  const text = source.includedText(type, id);
  if (text === undefined) return element('span', { class: 'chip dangling', title: 'there is no such entity', test: 'dangling' }, plain(id));
  return element('button', { class: 'chip', tabindex: -1, test: 'included', on: { click: (event) => {
    event.stopPropagation();
    drawer([type, ' ', plain(id)]).fill(tree(text, 3), element('a', { href: entityHash(type, id) }, 'Open'));
  } } }, plain(id));
}

/** How many entities of which type an answer includes, however deep; each opens to all of them. */
export const includedSummary = (source) => Object.entries(source.included ?? {}).filter(([, rows]) => Object.keys(rows).length).map(([type, rows]) => {
  const ids = Object.keys(rows);
  return button([`+${count(ids.length)} `, plain(type)], () => {
    drawer(['Included: ', plain(type)]).fill(tree(`{${ids.map((id) => `${JSON.stringify(id)}:${source.includedText(type, id)}`)}}`, 1));
  }, { class: 'plain', test: 'included-type' });
});
