// Why this answer, at what cost, and why an entity is (not) in it.
import { textAt } from '../reducer.js';
import { button, element, fill, plain, problemCard } from './dom.js';
import { parseFilter } from './filter.js';
import { ask } from './server.js';
import { actsRow, bar, bullets, code, count, facts, heading, loading, plural, say, scroll, small, smallTable } from './show.js';
import { decodePart, entityUrl, onceUrl, parameter } from './state.js';

const yes = (isTrue, text) => element('span', { class: isTrue ? 'good' : 'bad' }, text);

function sentence({ kind, index, rowsExamined, rowsReturned, orderFromIndex, countFromIndex, rangeCount }) {
  const ways = new Map([
    ['scan', 'No index was used: all rows were gone through.'],
    ['id', 'Rows were found by their ids, which the filter names.'], ['ids', 'Rows were found by their ids.'],
    ['none', 'The filter can match nothing, so no row was looked at.'],
    ['count', [`Ranges of the index `, code(index), ' were counted.']],
  ]);
  const way = ways.get(kind) ?? ['Rows were found by the index ', code(index), rangeCount > 1 ? `, in ${rangeCount} ranges.` : '.'];
  return element('p', { test: 'plan-sentence' }, way, ` ${plural(rowsExamined, 'row')} looked at for ${count(rowsReturned)} shown.`,
    orderFromIndex && ' The index has their order.', countFromIndex && ' The total is the size of ranges.');
}

/** The index that would help, as a member of `types`: equalities first, then the order or one range; null: none. */
export function wantedIndex(type, filter, order) {
  const root = filter ? parseFilter(filter) : { and: [] };
  const tests = (root.and ?? [root]).filter(({ path }) => path && path !== 'id');
  const paths = (operators) => [...new Set(tests.filter(({ op, size }) => !size && operators.includes(op)).map(({ path }) => path))];
  const equal = paths(['==', 'in', 'has', 'true', 'isNull']);
  const ordered = (order ?? '').split(',').filter((key) => key && !/^(ids:|natural|-?id$)/.test(key));
  // No index has the order of folded case.
  const last = ordered.length && !ordered.some((key) => key.endsWith(':ci')) ? ordered : paths(['<', '<=', '>', '>=', 'startsWith']).slice(0, 1);
  const keys = [...equal, ...last.filter((key) => !equal.includes(key.replace(/^-/, '')))];
  return keys.length ? JSON.stringify({ types: { [type]: { indexes: [keys.length > 1 ? keys : keys[0]] } } }) : null;
}

const scanLimit = 10000;

function plan(type, url, { plan, live }) {
  if (plan.index === undefined) {
    return [element('p', { test: 'plan-restricted' }, 'Your rights show some of the rows alone; how they were found is not told. ',
      `${plural(plan.rowsReturned, 'row')} shown.`), facts([['filter', plan.filter && code(plan.filter)]])];
  }
  const isCostly = plan.kind === 'scan' && plan.rowsExamined > scanLimit;
  const index = isCostly && wantedIndex(type, plan.filter, parameter(url, 'order'));
  return [
    sentence(plan),
    isCostly && element('div', { class: 'banner warn', test: 'scan' }, say(
      `The search went through ${count(plan.rowsExamined)} rows. `, index ? 'An index would find them; in the configuration:' : 'No index would make it shorter.'),
    index && element('pre', null, index)),
    facts([
      ['index', code(plan.index)], ['ranges', plan.ranges.length > 0 && bullets(plan.ranges, code)],
      ['examined', bar(plan.rowsExamined && plan.rowsReturned / plan.rowsExamined, `${count(plan.rowsReturned)} shown of ${count(plan.rowsExamined)}`)],
      ['order from the index', plan.orderFromIndex ? 'yes' : 'no'], ['count from the index', plan.countFromIndex ? 'yes' : 'no'],
      ['filter, canonical', plan.filter ? code(plan.filter) : 'none'], ['found live by', live?.index && code(live.index)],
      ['watchers', live?.watchers === undefined ? null : count(live.watchers)]].filter(([, shown]) => shown)),
    plan.candidates.length > 0 && scroll(smallTable('candidates', element('caption', null, 'Ways that were weighed'), ['way', 'kind', 'rows at most', 'cost'], plan.candidates.map((way) => element('tr', null,
        element('th', { scope: 'row' }, plain(way.index), way.index === plan.index && way.kind === plan.kind && ' (chosen)'),
        element('td', null, way.kind), element('td', { class: 'figure' }, count(way.rows)), element('td', { class: 'figure' }, count(way.cost)))))),
  ];
}

/** Each part of a filter, in `text` at `pointer`: its truth, and what the entity has. */
export const nodesTable = (text, nodes, pointer, caption) => scroll(smallTable(null, element('caption', null, caption), ['part', 'is', 'the entity has'], nodes.map((node, index) => {
    const actual = textAt(text, `${pointer}/${index}/actual`);
    return element('tr', { test: 'node' },
      element('th', { scope: 'row', class: `deep-${Math.min(6, (node.pointer.match(/\//g) ?? []).length)}` }, code(node.text)),
      element('td', null, yes(node.value, String(node.value))),
      element('td', null, actual ? code(actual) : node.absent && 'nothing', node.cut && ' (cut)',
        node.note && small(' ', plain(node.note))));
  })));

function verdict(text, isShown) {
  const answer = JSON.parse(text);
  const said = !answer.matches ? 'Not in the filter.' : isShown ? 'In the filter, and among the rows.'
    : 'In the filter, outside the window or the ids.';
  return [
    element('p', { test: 'verdict' }, yes(answer.matches, said), ` Revision ${answer.revision}.`),
    nodesTable(text, answer.nodes, '/nodes', 'The filter, part by part'),
  ];
}

/** What fills a node with what was asked for last. */
function latest(node) {
  let turn = 0;
  return async (asked) => {
    const mine = ++turn;
    const shown = await asked;
    if (mine === turn) fill(node, shown);
  };
}

/** The panel beside a query. `ids()` are the ids of the rows that are shown. */
export function explainPanel({ url, ids }) {
  const shown = element('div', { test: 'plan' });
  const why = element('div', { 'aria-live': 'polite', test: 'why' });
  const field = element('input', { size: 24, test: 'why-id' });
  const [showPlan, showWhy] = [shown, why].map(latest);

  const typeOf = (url) => decodePart(url.split(/[/?]/)[2]);

  function load() {
    fill(shown, loading());
    return showPlan(ask('GET', onceUrl(url, { explain: 'true' })).then(({ json }) => plan(typeOf(url), url, json.meta)).catch((problem) => problemCard(problem, load)));
  }

  function explainOne(event) {
    event.preventDefault();
    const id = field.value.trim();
    if (!id) return;
    const filter = parameter(url, 'filter') ?? 'true';
    showWhy(ask('GET', `${entityUrl(typeOf(url), id)}?matches=${encodeURIComponent(filter)}`)
      .then(({ text }) => (text.startsWith('{"matches"') ? verdict(text, ids().includes(id)) : say('This server does not tell why.')))
      .catch((problem) => (problem.status === 404 ? element('p', { test: 'verdict' }, yes(false, 'Nothing is stored under this id, or nothing that you may read.'))
        : problemCard(problem))));
  }

  load();
  return {
    node: element('section', { class: 'explain', 'aria-label': 'Explain' },
      actsRow(button('Read again', load, { test: 'explain-again' })), shown,
      heading('Why (not) here?'),
      element('form', { on: { submit: explainOne } },
        element('label', null, 'id ', field), ' ', element('button', { type: 'submit', test: 'why-ask' }, 'Why?')), why),
    update(to) {
      if (to === url) return;
      url = to;
      showWhy();
      load();
    },
  };
}
