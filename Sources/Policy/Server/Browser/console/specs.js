// Run specifications: each part with its truth, and what it is at present.
import { copyAs, element, fill, plain, problemCard, refill } from './dom.js';
import { listPage } from './list.js';
import { command, send } from './orders.js';
import { observe, watch } from './server.js';
import { absence, absent, code, crumbs, docs, emptyState, facts, given, muted, onceNotice, optional, rowLink, say, small, time, tree, word } from './show.js';
import { detailHash, entityUrl, go, place as present, setOwn } from './state.js';
import { memberTexts } from '../reducer.js';

const units = new Map([['ms', 1], ['s', 1000], ['m', 60000], ['h', 3600000], ['d', 86400000]]);
/** A duration of the server's (`1m30s`) in ms; null where it is none. */
export function milliseconds(text) {
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text)) return null;
  return [...text.matchAll(/([\d.]+)(ms|[smhd])/g)].reduce((sum, [, number, unit]) => sum + number * units.get(unit), 0);
}

export const truth = (isTrue) => word(String(isTrue), isTrue ? 'good' : 'none');

/** What a leaf looks at, as it is now: ages count on from `at`. */
function current({ text = '', current }, at) {
  if (current === undefined) return null;
  if (current === null) return /^age\b/.test(text) ? 'no value' : 'none';
  const span = typeof current === 'string' && /^(age|token)\b/.test(text) ? milliseconds(current) : null;
  if (span === null) return plain(String(current));
  return /^age/.test(text) ? time(at - span, 'age') : ['ends ', time(at + span)];
}

/** How deep each part lies; parts of a named specification lie below its name. */
function depths(trace) {
  const above = [];
  return trace.map(({ pointer }, index) => {
    const isNamed = /^\/specs\/[^/]+$/.test(pointer) && trace[index - 1]?.text === `spec ${pointer.slice(7).replaceAll('~1', '/').replaceAll('~0', '~')}`;
    if (!isNamed) while (above.length && !(pointer.startsWith(`${above.at(-1)}/`))) above.pop();
    above.push(pointer);
    return above.length - 1;
  });
}

/** `{satisfied, nextChange, trace}` as lists within lists. */
export function specTree({ trace, nextChange }, at = Date.now()) {
  const levels = [element('ul', { class: 'spec' })];
  const deep = depths(trace);
  for (const [index, node] of trace.entries()) {
    const list = levels[deep[index]];
    const name = /^spec (.+)$/s.exec(node.text ?? '')?.[1];
    const now = current(node, at);
    const inner = deep[index + 1] > deep[index] ? element('ul') : null;
    list.append(element('li', { test: 'spec-node', 'data-pointer': node.pointer }, truth(node.value), ' ',
      name === undefined ? code(node.text ?? node.pointer) : element('a', { href: detailHash('specs', name) }, code(node.text)),
      now !== null && element('span', { class: 'now' }, ' now ', now),
      node.since && small(' since ', time(node.since)), node.next && small(' turns ', time(node.next)), inner));
    if (inner) levels[deep[index] + 1] = inner;
  }
  return [levels[0], nextChange && say(small('By time alone it turns ', time(nextChange), '.'))];
}

export const readersOf = (all) => (all?.length ? all.map(({ operation, slot, spec }) => [spec === undefined
  ? [rowLink(detailHash('operations', operation), operation), small(` ${slot}`)]
  : rowLink(detailHash('specs', spec), spec), ' ']) : muted('none'));

export const specColumns = [
  { name: 'id', label: 'Specification', isFigure: false, show: (_, row, id) => rowLink(detailHash('specs', id), id) },
  { name: 'satisfied', label: 'Is', show: optional(truth) },
  { name: 'nextChange', label: 'Turns', isFigure: false, show: (json) => time(JSON.parse(json ?? 'null')) },
  { name: 'readers', label: 'Read by', isSorted: false, show: optional(readersOf) },
];

const list = (place) => listPage({ type: '_specs', title: 'Specifications', columns: specColumns, onopen: (id) => go(detailHash('specs', id)),
  empty: () => emptyState('No specification has a name. The configuration’s “specs” name them.', docs('conditions', 'How to declare one')) }, place);

function detail(id) {
  const query = watch(entityUrl('_specs', id));
  const shown = element('div', { test: 'spec' });
  const figures = element('div');
  const once = element('div');
  let key = null;
  let isBusy = false;
  let isClosed = false;

  const evaluation = (seenBy = present().own.get('_of')) => ['POST', '/v1/_specs/evaluate', { spec: { spec: id }, ...seenBy && { operation: seenBy }, values: true }];

  async function receive() {
    if (isClosed) return;
    refill(once, onceNotice(query));
    const text = query.text(id);
    if (text === undefined) {
      key = null;
      refill(figures, absence(query, 'There is no specification of this name now.'));
      return fill(shown);
    }
    const row = memberTexts(text);
    const readers = given(row, 'readers') ?? [];
    const seenBy = present().own.get('_of') || null;
    const now = `${row.get('evaluated')}/${text}/${seenBy}`;
    if (now === key || isBusy) return undefined;
    key = now;
    const operations = [...new Set(readers.flatMap(({ operation }) => operation ?? []))];
    const choice = element('select', { 'aria-label': 'as seen by', test: 'seen-by', on: { change: () => setOwn({ _of: choice.value || null }) } },
      element('option', { value: '' }, 'no operation'), operations.map((one) => element('option', { value: one, selected: one === seenBy }, one)));
    refill(figures, facts([['Is', row.has('satisfied') ? truth(given(row, 'satisfied')) : absent()], ['Turns', given(row, 'nextChange') && time(given(row, 'nextChange'))], ['Read by', readersOf(readers)],
      ['As seen by', operations.length > 0 && choice], ['Says', row.has('spec') && tree(row.get('spec'), 4)]]));
    isBusy = true;
    try {
      const { json } = await send(evaluation());
      refill(shown, specTree(json));
    } catch (problem) {
      fill(shown, problemCard(problem, () => {
        key = null;
        return receive();
      }));
    }
    isBusy = false;
    return receive();
  }
  observe(query, receive);
  return {
    node: element('article', { class: 'detail' }, crumbs('specs', 'Specifications', id), once, figures, shown),
    title: id, keys: { c: { label: 'copy as', act: () => copyAs(entityUrl('_specs', id), [['evaluate', command(evaluation())]]) } },
    update(next) {
      if (next.id === id) receive();
      return next.id === id;
    },
    close() {
      isClosed = true;
      query.close();
    },
  };
}

export const open = (place) => (place.id === null ? list(place) : detail(place.id));
