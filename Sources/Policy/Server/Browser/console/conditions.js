// Conditions: flags that specifications read, turned together and with their consequences told first.
import { memberTexts } from '../reducer.js';
import { element, fill, plain, problemCard, refill } from './dom.js';
import { listPage } from './list.js';
import { command, orderButton, send, whyNot } from './orders.js';
import { most, observe, server, watch } from './server.js';
import { actsRow, clock, count, docs, emptyState, given, heading, isUnknown, muted, onceNotice, optional, plural, remark, say, small, time, word } from './show.js';
import { detailHash, go } from './state.js';
import { readersOf, specColumns, truth } from './specs.js';
import { LiveTable } from './table.js';

const url = '/v1/_conditions';
const spans = [['', 'until it is turned again'], ['1m', 'for 1 minute'], ['10m', 'for 10 minutes'], ['1h', 'for 1 hour'], ['8h', 'for 8 hours'], ['1d', 'for 1 day']];

// What a forecast says ----

const because = new Map([['gate', 'held by its gate'], ['fresh', 'fresh enough'], ['subscribers', 'watched by nobody'], ['settle', 'waiting for “settle”'],
  ['minInterval', 'waiting for “minInterval”'], ['loading', 'running already']]);

/** "2 specs rise; 3 operations run, 1 is held by its gate". */
export function sentence({ specs, operations }) {
  const rises = specs.filter(({ to }) => to).length;
  const runs = operations.filter(({ runs }) => runs).length;
  const held = [...because].map(([reason, words]) => [operations.filter((one) => !one.runs && one.because === reason).length, words])
    .filter(([number]) => number).map(([number, words]) => `${number} ${number === 1 ? 'is' : 'are'} ${words}`);
  const cancels = operations.filter(({ cancels }) => cancels).length;
  const moves = [rises && `${plural(rises, 'spec')} ${rises === 1 ? 'rises' : 'rise'}`, specs.length - rises && `${plural(specs.length - rises, 'spec')} ${specs.length - rises === 1 ? 'falls' : 'fall'}`].filter(Boolean).join(', ') || 'No named spec turns';
  return `${moves}; ${[runs ? `${plural(runs, 'operation')} ${runs === 1 ? 'runs' : 'run'}` : 'no operation runs', ...held,
    cancels && `${plural(cancels, 'run')} ${cancels === 1 ? 'is' : 'are'} cancelled`].filter(Boolean).join(', ')}.`;
}

const turns = ({ from, to }) => [truth(from), ' → ', truth(to)];

function forecastNodes({ specs, operations }) {
  const slots = ['automatic', 'stale', 'when', 'admit'];
  return element('ul', { class: 'spec', test: 'forecast-parts' },
    specs.map((one) => element('li', null, element('a', { href: detailHash('specs', one.name) }, plain(one.name)), ' ', turns(one))),
    operations.map((one) => element('li', null, element('a', { href: detailHash('operations', one.id) }, plain(one.id)), ' ',
      slots.filter((slot) => one[slot]).map((slot) => [small(`${slot} `), turns(one[slot]), ' ']),
      one.runs ? word('runs', 'good') : one.because && word(because.get(one.because) ?? one.because, 'warn'), one.cancels && [' ', word('its run is cancelled', 'warn')])));
}

// The page ----

const staged = new Map(); // name → { value, ttl, revision }
server.addEventListener('access', ({ detail: hasCaller }) => { if (!hasCaller) staged.clear(); });

export function open(place) {
  const expired = new Map(); // name → when its time was over, until it is turned again
  const tray = element('section', { class: 'card', 'aria-label': 'Staged', test: 'staged' });
  const outcome = element('div');
  const forecast = element('div', { 'aria-live': 'polite', test: 'forecast' });
  const choices = element('ul', { class: 'staged' });
  let asked = 0; // forecasts that were asked for
  let foreseen = '[]'; // the set that they are of
  let due = null;

  function stage(id) {
    const why = whyNot();
    fill(outcome, why && element('p', { class: 'warn' }, why));
    if (why) return;
    const row = page.row(id);
    if (!staged.delete(id)) staged.set(id, { value: !given(row, 'value'), ttl: '', revision: given(row, 'revision') });
    page.table.refresh(id);
    draw();
  }

  /** What a row says of the staged toggle, where another has come between. */
  function note(id, { value, revision }) {
    const row = page.row(id);
    if (!row.size) return 'is not declared any more';
    if (given(row, 'value') === value) return expired.has(id) ? 'has expired, and is so already' : 'is so already';
    return given(row, 'revision') === revision ? null : expired.has(id) ? 'has expired since' : 'was changed by another since';
  }

  function draw() {
    tray.hidden = !staged.size || !page.table.ids.length;
    refill(choices, [...staged].map(([id, one]) => {
      const span = element('select', { 'aria-label': `how long: ${id}`, test: 'ttl', on: { change: () => { one.ttl = span.value; } } },
        spans.map(([value, label]) => element('option', { value, selected: one.ttl === value }, label)));
      const said = note(id, one);
      return element('li', { test: 'staged-one', 'data-id': id }, plain(id), ' → ', truth(one.value), ' ', span,
        element('button', { class: 'plain', 'aria-label': `do not turn ${id}`, on: { click: () => stage(id) } }, '×'), said && element('span', { class: 'warn tag' }, said));
    }));
    apply.textContent = staged.size > 1 ? `Turn ${staged.size} at once` : 'Turn it';
    clearTimeout(due);
    due = staged.size ? setTimeout(foresee, 150) : null;
    const set = JSON.stringify([...staged].map(([id, { value }]) => [id, value]));
    if (set === foreseen) return;
    foreseen = set;
    asked++; // what is on its way is of another set
    fill(forecast);
  }

  async function foresee() {
    const mine = ++asked;
    try {
      const { json } = await send(['POST', `${url}/_forecast`, Object.fromEntries([...staged].map(([id, { value }]) => [id, value]))]);
      if (mine === asked && staged.size) refill(forecast, element('p', { test: 'forecast-sentence' }, sentence(json)), forecastNodes(json));
    } catch (problem) {
      if (mine === asked && staged.size) fill(forecast, say('What would follow is unknown.'), problemCard(problem));
    }
  }

  const change = () => ['PATCH', url, Object.fromEntries([...staged].map(([id, { value, ttl }]) => [id, ttl ? { value, ttl } : value]))];
  let sent = []; // what was staged as the change was sent: what is staged meanwhile stays
  const apply = orderButton('Turn it', () => {
    sent = [...staged].map(([id, one]) => [id, one, one.ttl]);
    return change();
  }, { class: 'primary', test: 'apply', at: outcome, then: () => {
    for (const [id, one, ttl] of sent) {
      if (staged.get(id) === one && one.ttl === ttl) staged.delete(id);
      page.table.refresh(id);
    }
    draw();
  } });
  fill(tray, heading('Staged'), choices, forecast, actsRow(apply, element('button', { test: 'unstage', on: { click: () => {
    for (const id of [...staged.keys()]) stage(id);
  } } }, 'Leave all as they are')));

  const columns = [
    { name: 'id', label: 'Condition', isFigure: false },
    { name: 'value', label: 'Is', text: (row, id) => `${row.get('value')}/${expired.get(id)}`, show: (_, row, id) => [truth(given(row, 'value')), expired.has(id) && element('small', { test: 'expired' }, ` expired at ${clock(expired.get(id))}`)] },
    { name: 'staged', label: 'Staged', isSorted: false, text: (_, id) => JSON.stringify(staged.get(id)), show: (_, row, id) => element('button', { class: 'chip', tabindex: -1, test: 'stage', 'aria-pressed': String(staged.has(id)), 'aria-label': `stage ${id}`,
      on: { click: () => stage(id) } }, staged.has(id) ? `→ ${staged.get(id).value}` : 'turn') },
    { name: 'expiresAt', label: 'Falls back', isFigure: false, show: optional((at) => (at === null ? '' : time(at))) },
    { name: 'persist', label: 'Persists', show: optional((isOn) => (isOn ? 'yes' : muted('no'))) },
    { name: 'revision', label: 'Revision' },
    { name: 'readers', label: 'Read by', isSorted: false, show: optional(readersOf) },
  ];
  const page = listPage({
    type: '_conditions', title: 'Conditions', columns, notice: [outcome, tray],
    empty: () => emptyState('No condition is declared. The configuration’s “conditions” declare them:',
      element('pre', null, '{"conditions": {"maintenance": {"initial": false, "persist": true}}}'), docs('conditions')),
    onchange({ changed = [] }) {
      for (const { id, old } of changed) {
        const before = given(memberTexts(old ?? '{}'), 'expiresAt');
        const isOver = before !== null && given(page.row(id), 'expiresAt') === null && Date.parse(before) <= Date.now() + 1000;
        if (isOver) expired.set(id, before);
        else if (old && given(memberTexts(old), 'revision') !== given(page.row(id), 'revision')) expired.delete(id);
      }
      draw();
    },
    keys: { ' ': { label: 'stage a toggle', act: () => page.table.active !== null && stage(page.table.active) }, },
    copies: () => (staged.size ? [['turn what is staged', command(change())]] : []),
  }, place);

  const specs = watch(`/v1/_specs?limit=${most(500)}&count=true`);
  const table = new LiveTable({ caption: 'Named specifications', test: 'specs', onopen: (id) => go(detailHash('specs', id)) });
  table.setColumns(specColumns);
  table.watch(specs);
  const below = element('div');
  const show = () => {
    table.node.hidden = !specs.ids.length;
    refill(below, specs.state === 'failed' ? problemCard(specs.problem, () => location.reload()) : !specs.ids.length && !isUnknown(specs) && remark('No specification has a name.'), onceNotice(specs),
      specs.total > specs.ids.length && say(element('a', { href: '#/specs' }, `All ${count(specs.total)}`)));
    if (staged.size) draw();
  };
  observe(specs, show);
  draw();
  page.node.classList.add('stacked');
  page.node.append(heading(element('a', { href: '#/specs' }, 'Specifications')), below, table.node);
  return { ...page, close() {
    clearTimeout(due);
    asked++;
    specs.close();
    table.close();
    page.close();
  } };
}
