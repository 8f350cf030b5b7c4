// Two changes of one entity: what only one side has changed is taken from it, the rest is to be chosen.
import { splice } from '../json.js';
import { memberTexts } from '../reducer.js';
import { button, element, plain } from './dom.js';
import { absent, actsRow, banner, code, say, scroll, smallTable } from './show.js';
import { isSame, stepTo } from './text.js';

/**
 * A member that both sides have changed; undefined where it is absent.
 * @typedef {{pointer: string, base?: string, mine?: string, theirs?: string}} Conflict
 */

const isObject = (text) => /^\s*\{/.test(text ?? '');
const membersOf = (text) => isObject(text) ? memberTexts(text) : new Map();

/**
 * Merges member by member, in objects of objects too; an array is one value. Everything stays byte for byte.
 * @param {string} base what both sides began with
 * @returns {{text: string, taken: string[], conflicts: Conflict[]}} `text` is mine, with what was taken from the other
 *   side; in a conflict it has mine
 */
export function merge(base, mine, theirs) {
  const taken = [];
  const conflicts = [];
  let text = mine;
  const step = (pointer, base, mine, theirs) => {
    const [old, ours, others] = [base, mine, theirs].map(membersOf);
    for (const name of new Set([...ours.keys(), ...others.keys(), ...old.keys()])) {
      const at = pointer + stepTo(name);
      const [was, here, there] = [old, ours, others].map((texts) => texts.get(name));
      if (isSame(here, there) || isSame(there, was)) continue;
      if (isSame(here, was)) {
        text = splice(text, at, there ?? null);
        taken.push(at);
      } else if (isObject(here) && isObject(there)) {
        step(at, was, here, there);
      } else {
        conflicts.push({ pointer: at, base: was, mine: here, theirs: there });
      }
    }
  };
  step('', base, mine, theirs);
  return { text, taken, conflicts };
}

export const differences = (one, other) => merge(one, one, other).taken;

/** The text with one side chosen for each conflict: `choices` are 'mine' (as it is by now), 'theirs' or 'base', in order. */
export function choose(text, conflicts, choices) {
  return conflicts.reduce((text, conflict, index) => (choices[index] === 'mine' ? text : splice(text, conflict.pointer, conflict[choices[index]] ?? null)), text);
}

export const pointersOf = (pointers) => pointers.map((pointer, index) => [index > 0 && ', ', code(pointer.slice(1))]);

/** Says that another has changed from `base` (null: not known) to `text` what the user is changing, too. */
export function changePanel(base, text, onmerge, ontake) {
  const differing = base === null ? [] : differences(base, text);
  return banner('warn', 'changed-by-other', say('Somebody else has ', differing.length ? ['changed ', pointersOf(differing)] : 'written this entity', '.'),
    button('Merge into my text', onmerge, { test: 'merge-now' }), button('Drop mine, take theirs', ontake, { test: 'take-theirs' }));
}

const sides = ['mine', 'theirs', 'base'];
let panels = 0;

/** The conflicts with a choice each; `done` gets the choices when all are made. */
export function conflictPanel(conflicts, done) {
  const panel = ++panels;
  const fault = element('p', { class: 'bad', role: 'alert' });
  const choices = () => conflicts.map((_, index) => rows[index].querySelector('input:checked')?.value);
  const shown = (text) => (text === undefined ? [absent(), ' removed']
    : code(text.length > 300 ? `${text.slice(0, 300)} …` : text));
  const rows = conflicts.map((conflict, index) => element('tr', { test: 'conflict' },
    element('th', { scope: 'row' }, plain(conflict.pointer)),
    sides.map((side) => element('td', null, element('label', { class: 'choice' }, element('input', {
      type: 'radio', name: `conflict-${panel}-${index}`, value: side, 'aria-label': `${side}, ${conflict.pointer}` }), shown(conflict[side]))))));
  const all = (side) => button(`All ${side}`, () => {
    for (const row of rows) row.querySelector(`input[value=${side}]`).checked = true;
  }, { test: `all-${side}` });
  return element('section', { class: 'conflicts', test: 'conflicts' },
    say('Both sides have changed these members. What only one side has changed is in the text.'),
    scroll(smallTable(null, 'Conflicts', ['member', ...sides], rows)),
    actsRow(all('mine'), all('theirs'), button('Save with these', () => {
      fault.textContent = choices().includes(undefined) ? 'Each member needs a choice.' : '';
      return fault.textContent ? undefined : done(choices());
    }, { class: 'primary', test: 'save-choices' })), fault);
}
