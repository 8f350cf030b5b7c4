// One operation: how it stands, what decides about its runs, and the runs themselves.
import { elementTexts, memberTexts } from '../reducer.js';
import { copyAs, element, fill, openDialog, plain, problemCard, refill } from './dom.js';
import { command, orderButton } from './orders.js';
import { ageOf, gateOf, orders, outcomeOf, path, run, runKeys, statusOf, switchOf } from './running.js';
import { ask, observe, watch } from './server.js';
import { absence, bar, count, crumbs, duration, facts, given, grow, heading, onceNotice, pageHead, remark, say, small, time, tree, word } from './show.js';
import { specTree } from './specs.js';
import { detailHash, typeUrl } from './state.js';
import { LiveTable } from './table.js';

/** The rows of a table that are read, not watched: exact texts by id, in order. */
class Rows extends EventTarget {
  state = 'connecting';
  ids = [];
  #texts = new Map();

  text(id) { return this.#texts.get(id); }

  set(rows) {
    const before = this.#texts;
    this.state = 'live';
    this.#texts = new Map(rows.map((text) => [given(memberTexts(text), 'id'), text]));
    this.ids = [...this.#texts.keys()];
    const detail = { entered: this.ids.filter((id) => !before.has(id)), left: [...before.keys()].filter((id) => !this.#texts.has(id)).map((id) => ({ id, reason: '' })),
      changed: this.ids.filter((id) => before.has(id) && before.get(id) !== this.text(id)).map((id) => ({ id })) };
    this.dispatchEvent(new CustomEvent('change', { detail }));
  }
}

const longest = (rows) => Math.max(1, ...rows.ids.map((id) => given(memberTexts(rows.text(id)), 'durationMs') ?? 0));
const runColumns = (rows) => [
  { name: 'id', label: 'Run', isFigure: false },
  { name: 'startedAt', label: 'Started', isFigure: false, show: (json) => time(JSON.parse(json)) },
  { name: 'durationMs', label: 'Took', isFigure: false, show: (json) => (json === 'null' ? '…' : bar(Number(json) / longest(rows), duration(Number(json)))) },
  { name: 'outcome', label: 'Outcome', show: (json) => outcomeOf(JSON.parse(json)) },
  { name: 'origin', label: 'Origin' },
  { name: 'attempts', label: 'Attempts' },
  { name: 'results', label: 'Results' },
  { name: 'count', label: 'Rows' },
  { name: 'error', label: 'Problem', show: (json) => (json === undefined || json === 'null' ? '' : plain(JSON.parse(json).code ?? '')) },
];

function openRun(row) {
  const error = given(row, 'error');
  return openDialog({ title: `Run ${given(row, 'id')}`, test: 'run',
    body: [facts([['Outcome', outcomeOf(given(row, 'outcome'))], ['Origin', given(row, 'origin')], ['Attempts', row.get('attempts')], ['Started', time(given(row, 'startedAt'))],
      ['Took', row.get('durationMs') !== 'null' && duration(Number(row.get('durationMs')))], ['Results', row.get('results')], ['Rows', given(row, 'count') === null ? null : count(row.get('count'))]]),
    error && problemCard(error)] });
}

const slots = [['automatic', 'May it run by itself?'], ['stale', 'Is its value old?'], ['when', 'Does it run again?'], ['admit', 'Is any run admitted?']];

const edgesOf = ({ rises, falls, runs, skipped: { gate, fresh, subscribers } }) => facts([['Became true', count(rises)], ['Became false', count(falls)], ['Ran', count(runs)],
  ['Skipped', `${count(gate)} the gate was shut · ${count(fresh)} the value was fresh · ${count(subscribers)} nobody watched`]]);

/** A controller with its counts; those that are 0 are left out. */
function controllerCard({ kind, state, activity, nextTry, lastError, counts }) {
  const isBad = state === 'hung' || state === 'pausing' || counts.floods > 0 && state !== 'running';
  return element('section', { class: 'card', test: 'controller' }, element('h3', null, plain(kind), ' ', word(state, isBad ? 'bad' : state === 'running' ? 'good' : 'none')),
    facts([['Activity', activity && plain(activity)], ['Next try', nextTry && time(nextTry)], ['Last error', lastError && plain(lastError)],
      ['Counts', Object.entries(counts).filter(([, number]) => number).map(([name, number]) => `${count(number)} ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`).join(' · ') || 'none yet']]));
}

export function detail(id) {
  const url = path(id);
  const query = watch(url);
  const rows = new Rows();
  const table = new LiveTable({ caption: 'Its last runs, the newest first', test: 'runs', onopen: (id) => openRun(memberTexts(rows.text(id))), onpick: (id) => openRun(memberTexts(rows.text(id))) });
  table.setColumns(runColumns(rows));
  table.watch(rows);
  table.node.hidden = true;
  const part = (test) => element('div', { test });
  const [state, acts, notice, once, figures, specs, edges, controllers, definition, runsFault] = ['state', 'orders', 'notice', 'read', 'facts', 'specs', 'edges', 'controllers', 'definition', 'runs-fault'].map(part);
  acts.className = 'acts';
  notice.setAttribute('aria-live', 'polite');
  specs.className = controllers.className = 'cards';
  const body = element('div', { class: 'body' }, figures,
    heading('Why it runs, and why not'), specs, edges,
    heading('Runs'), runsFault, table.node, controllers, heading('Definition'), definition);
  const node = element('article', { class: 'detail', test: 'operation' }, pageHead(crumbs('operations', 'Operations', id), state), acts, notice, once, body);
  let row = new Map();
  let isClosed = false;
  let generation = 0; // another one was made of another configuration

  /** Reads what no row has, one request at a time; what moved meanwhile is read once more. */
  const reader = (url, show, place) => {
    let key = null;
    let isBusy = false;
    return async function read(now) {
      if (now === key || isBusy || isClosed) return;
      key = now ?? key;
      isBusy = true;
      try {
        show(await ask('GET', url));
      } catch (problem) {
        refill(place, problemCard(problem, () => read(null)));
      }
      isBusy = false;
      receive();
    };
  };
  const readSpecs = reader(`${url}/specs?values=true`, ({ text, json }) => {
    const all = memberTexts(text);
    refill(specs, slots.map(([name, question]) => element('section', { class: 'card', test: `slot-${name}` }, element('h3', null, question, ' ', small(name)),
      all.get(name) === 'null' || !json[name] ? remark('It is not decided by specifications now.') : specTree(json[name]))));
  }, specs);
  const readRuns = reader(`${url}/runs`, ({ text }) => {
    fill(runsFault);
    rows.set(elementTexts(memberTexts(text).get('items')));
    table.node.hidden = !rows.ids.length;
    fill(runsFault, !rows.ids.length && remark('It has not run since the start of the server.'));
  }, runsFault);
  const readDefinition = reader(`${url}/definition`, ({ text, json }) => refill(definition,
    facts([['Its live rows', json.query?.startsWith('/') && element('a', { href: `#${json.query}`, test: 'live-rows' }, plain(json.query))],
      ['Set by default', json.defaults?.length > 0 && plain(json.defaults.join(', '))]]), tree(text, 2)), definition);

  const shown = new Map();
  const put = (place, names, make) => {
    const key = names.map((name) => row.get(name)).join();
    if (shown.get(place) === key) return;
    shown.set(place, key);
    refill(place, make());
  };

  function receive() {
    if (isClosed) return;
    refill(once, onceNotice(query));
    const text = query.text(id);
    const isGone = text === undefined;
    const before = given(row, 'evaluated');
    body.hidden = acts.hidden = isGone;
    if (isGone) {
      shown.delete(state);
      refill(state, absence(query, 'There is no such operation now. It is shown here as soon as it is there.'));
      return;
    }
    row = memberTexts(text);
    if (given(row, 'evaluated') < before) generation++;
    put(state, ['status', 'isLoading', 'valueUpdatedAt', 'active', 'configured'], () => statusOf(row));
    put(acts, ['kind', 'active'], () => [
      orderButton('Run', given(row, 'kind') === 'mutation' ? async () => (await run(id, 'mutation'), null) : ['POST', path(id, 'run')], { test: 'run-button', class: 'primary', at: notice }),
      orders(id, given(row, 'kind')).map(([label, request, more]) => orderButton(label, request, { at: notice, ...more })),
      grow(), 'Switch ', row.has('active') && switchOf(id, given(row, 'active'), notice)]);
    put(figures, ['kind', 'type', 'upstream', 'valueUpdatedAt', 'staleAt', 'isStale', 'invalidated', 'valueVersion', 'count', 'automatic', 'heldBy', 'nextRun', 'failures', 'error', 'errorUpdatedAt', 'subscribers', 'run'], () => [
      facts([['Gate', gateOf(row)], ['Value', element('span', { class: 'acts' }, ageOf(row))], ['Version', row.get('valueVersion')], ['Rows', given(row, 'count') === null ? null : count(row.get('count'))],
        ['Next run', time(given(row, 'nextRun'))], ['Under way', given(row, 'run') && `${given(row, 'run').id}, ${given(row, 'run').origin}, attempt ${given(row, 'run').attempts}`],
        ['Failures in a row', row.get('failures')], ['Subscribers', row.get('subscribers')], ['Kind', given(row, 'kind')],
        ['Type', given(row, 'type') && element('a', { href: `#${typeUrl(given(row, 'type'))}` }, plain(given(row, 'type')))],
        ['Upstream', given(row, 'upstream') && element('a', { href: detailHash('upstreams', given(row, 'upstream')) }, plain(given(row, 'upstream')))]], 'wide'),
      given(row, 'error') && [say('The last error, ', time(given(row, 'errorUpdatedAt')), ':'), problemCard(given(row, 'error'))]]);
    put(edges, ['edges'], () => row.has('edges') && edgesOf(given(row, 'edges')));
    put(controllers, ['controllers'], () => given(row, 'controllers')?.map(controllerCard));
    readSpecs(`${row.get('evaluated')}/${row.get('active')}`);
    readRuns(['run', 'lastRun', 'failures'].map((name) => row.get(name)).join());
    readDefinition([generation, ...['configured', 'kind', 'type', 'upstream'].map((name) => row.get(name))].join());
  }
  observe(query, receive);
  return {
    node, title: id,
    keys: { ...table.keys, ...runKeys(() => [id, given(row, 'kind')], notice),
      c: { label: 'copy as', act: () => copyAs(url, [['run', command(['POST', path(id, 'run')])],
        ...orders(id, given(row, 'kind')).map(([, request]) => [request[1].slice(url.length + 1) || 'forget', command(request)])]) } },
    update: (next) => next.id === id,
    close() {
      isClosed = true;
      query.close();
      table.close();
    },
  };
}
