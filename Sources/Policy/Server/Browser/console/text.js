// The text of an entity: laid out in lines, with their numbers, and marks at those at fault.
import { tree, valueAt } from '../json.js';
import { element, fill, plain, unseen } from './dom.js';
import { unitOffset } from './filter.js';
import { attempt } from './state.js';

/**
 * JSON in lines. White space alone changes, and what cannot be seen in a string becomes its escape: the server
 * stores the same.
 */
export function layout(text) {
  const shown = (at, end) => text.slice(at, end)
    .replace(unseen, (found) => [...Array(found.length)].map((_, index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`).join(''));
  const write = (node, indent) => {
    const children = node.members ?? node.elements;
    if (!children?.length) return children ? (node.members ? '{}' : '[]') : shown(node.at, node.end);
    const inner = `${indent}  `;
    const written = children.map((child) => (child.name === undefined ? ''
      : `${shown(child.nameAt, child.at).replace(/\s*:\s*$/, '')}: `) + write(child, inner));
    const isShort = node.elements && !children.some(({ members, elements }) => members ?? elements);
    const line = isShort ? written.join(', ') : '';
    if (isShort && line.length <= 80) return `[${line}]`;
    const [open, close] = node.members ? '{}' : '[]';
    return `${open}\n${inner}${written.join(`,\n${inner}`)}\n${indent}${close}`;
  };
  return write(tree(text), '');
}

/** The JSON without white space and needless escapes, to compare it by. Text that is no JSON stays as it is. */
export function canonical(text) {
  try {
    return text.replace(/"(?:[^"\\]|\\.)*"|[ \t\n\r]+/g, (found) => (found[0] !== '"' ? ''
      : found.includes('\\') ? JSON.stringify(JSON.parse(found)) : found));
  } catch {
    return text; // An escape that is none.
  }
}

/** The JSON pointer of a member, below the one of its object. */
export const stepTo = (name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Whether two texts are the same JSON; numbers are compared by their spelling. */
export const isSame = (one, other) => one === other || (one !== undefined && other !== undefined && canonical(one) === canonical(other));

/** What `mark` takes of a problem's errors; one whose member is not there stands at what should have it. */
export function marksOf(text, errors = []) {
  const place = (pointer) => {
    const node = attempt(() => valueAt(text, pointer));
    return node ? node.nameAt ?? node.at : pointer ? place(pointer.slice(0, pointer.lastIndexOf('/'))) : 0;
  };
  return errors.filter(({ pointer, offset }) => (pointer ?? offset) !== undefined).map(({ pointer, offset, detail }) => ({
    offset: offset === undefined ? place(pointer) : unitOffset(text, offset), text: `${pointer ? `${pointer}: ` : ''}${detail}` }));
}

/**
 * The editor. `change` is told of what the user does; `mark` takes `[{offset, text}]`, offsets in UTF-16 units.
 */
export function textEditor(label, change) {
  const gutter = element('pre', { class: 'lines', 'aria-hidden': 'true' });
  const list = element('ul', { class: 'faults bad', id: 'text-faults', role: 'alert' });
  const area = element('textarea', {
    class: 'code', 'aria-label': label, 'aria-describedby': list.id, test: 'text',
    on: { input: () => (drawLines(), change()), scroll: () => { gutter.scrollTop = area.scrollTop; } } });
  let marked = new Map(); // number of a line → text
  let drawn = '';

  const lineOf = (offset) => area.value.slice(0, offset).split('\n').length;

  function drawLines() {
    const lines = area.value.split('\n').length;
    const wanted = [lines, ...marked.keys()].join();
    if (wanted === drawn) return;
    drawn = wanted;
    area.rows = Math.min(Math.max(lines, 6) + 1, 32);
    const parts = [];
    let text = '';
    for (let line = 1; line <= lines; line++) {
      if (!marked.has(line)) {
        text += `${line}\n`;
        continue;
      }
      parts.push(text, element('mark', { title: marked.get(line), test: 'line-at-fault' }, String(line)));
      text = '\n';
    }
    fill(gutter, parts, text);
  }

  function goTo(offset) {
    area.focus();
    area.setSelectionRange(offset, offset);
    area.scrollTop = Math.max(0, (lineOf(offset) - 6) * 20);
  }

  return {
    node: element('div', { class: 'editor' }, element('div', { class: 'text' }, gutter, area), list),
    get text() { return area.value; },
    set(text) {
      const { selectionStart, scrollTop } = area;
      area.value = text;
      if (document.activeElement === area) area.setSelectionRange(selectionStart, selectionStart);
      area.scrollTop = scrollTop;
      drawLines();
    },
    mark(faults) {
      marked = new Map(faults.map(({ offset, text }) => [lineOf(offset), text]));
      fill(list, faults.map(({ offset, text }) => element('li', null, element('button', {
        class: 'plain', test: 'fault', on: { click: () => goTo(offset) } }, `line ${lineOf(offset)}`), ' ', plain(text))));
      if (faults.length) area.setAttribute('aria-invalid', 'true');
      else area.removeAttribute('aria-invalid');
      drawLines();
    },
    /** Says why the text cannot be changed; null: it can. */
    hold(why) {
      area.readOnly = !!why;
      area.title = why ?? '';
    },
    focus: () => area.focus(),
  };
}
