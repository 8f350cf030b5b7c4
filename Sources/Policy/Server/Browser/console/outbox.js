// Outbox: what others have yet to learn, and what of it needs a person.
import { idOf } from '../json.js';
import { memberTexts } from '../reducer.js';
import { confirmAct, copyAs, copyText, element, fill, fillNew, plain, problemCard, problemLink, refill } from './dom.js';
import { filterField, isEmptyYet, moreRows, sortList, statusText } from './list.js';
import { attempt, command, orderButton, send } from './orders.js';
import { orderKeys } from './path.js';
import { ask, most, observe, watch, whether } from './server.js';
import { absence, banner, clock, code, count, crumbs, docs, emptyState, facts, forbidden, given, grow, heading, idLink, loading, noticeArea, optional, pageHead, plural, remark, rowLink, say, time, tree, word } from './show.js';
import { detailHash, entityUrl, go, parameter, withParameters } from './state.js';
import { LiveTable } from './table.js';

const list = '/v1/_outbox';
const kinds = new Map([['sending', 'warn'], ['done', 'good'], ['rejected', 'bad'], ['dead', 'bad']]);
const sections = [
  ['needs', 'Needs you', "state=='dead' or state=='rejected'", 'number', 'Nothing needs you.'],
  ['waits', 'Under way', "state=='pending' or state=='sending'", 'nextAttemptAt,number', 'Nothing is under way.'],
  ['ended', 'Ended', "state=='done' or state=='superseded'", '-number', 'Nothing has ended yet.'],
];
const entryUrl = (id) => entityUrl('_outbox', id);
const laneOf = (row) => `${row.get('type')}/${row.get('entity')}`;
const entityOf = (row) => idLink(given(row, 'type'), idOf(row.get('entity')));
const problemOf = ({ code, status }) => [problemLink(code, { tabindex: -1 }), status && ` ${status}`];
const canRetry = (row) => ['dead', 'pending'].includes(given(row, 'state'));

const retry = (id) => ['POST', `${entryUrl(id)}/retry`];

/** What is asked before an entry is given up: what stays, and what the remote then has. */
function farewell(row) {
  const [state, operation] = [given(row, 'state'), given(row, 'operation')];
  const left = operation === 'remove' ? 'The entity stays removed here' : 'The entity stays as it is here';
  const text = state === 'done' || state === 'superseded' ? 'It has ended; only this record of it goes.'
    : state === 'rejected' ? `The remote has refused it. ${left}; only this record goes.`
      : `${left}; the remote is not told of it. What came later for the same entity is sent then.${state === 'sending' ? ' It is on its way now: the remote may have it all the same.' : ''}`;
  return { title: `Give up the ${operation} of ${given(row, 'type')} / ${idOf(row.get('entity'))}?`, text, act: 'Give up' };
}

/** Orders for all dead entries of a problem code, one after the other. */
async function ofCode(code, order, said) {
  const filter = `state=='dead' and problem.code==${JSON.stringify(code)}`;
  const ids = [];
  const page = most(500);
  for (let last = -1, size = page; size === page;) {
    const { json } = await ask('GET', withParameters(list, { filter: `${filter} and number>${last}`, order: 'number', fields: 'number', limit: page }));
    size = json.items.length;
    ids.push(...json.items.map(({ id }) => id));
    last = json.items.at(-1)?.number;
  }
  if (order === 'DELETE' && !await confirmAct({ title: `Give up all dead entries of ${code}?`, text: `${plural(ids.length, 'change')} of this service’s entities stay as they are here; their remotes are not told.`, act: 'Give up', count: ids.length })) return;
  let gone = 0;
  for (const [at, id] of ids.entries()) {
    said(`${count(at)} of ${count(ids.length)}`);
    await send(order === 'DELETE' ? ['DELETE', entryUrl(id)] : retry(id)).catch((problem) => {
      if (![404, 409].includes(problem.status)) throw problem;
      gone++; // another has been faster
    });
  }
  said(gone ? `${count(gone)} of ${count(ids.length)} were not dead any more.` : '');
}

const columns = (behind) => [
  { name: 'state', label: 'State', isFigure: false, text: (row, id) => `${row.get('state')}/${behind(row)}`, show: (_, row) => {
    const first = behind(row);
    return [word(given(row, 'state') ?? '?', kinds.get(given(row, 'state')) ?? 'none'), first && element('small', { test: 'blocked' }, ' behind the dead ', rowLink(detailHash('outbox', first), first))];
  } },
  { name: 'operation', label: 'Operation' },
  { name: 'entity', label: 'Entity', isFigure: false, text: laneOf, show: (_, row) => [plain(given(row, 'type')), ' / ', entityOf(row)] },
  { name: 'attempts', label: 'Attempts', isFigure: true },
  { name: 'nextAttemptAt', label: 'Next try', isFigure: false, show: (json) => (json === undefined ? '' : time(JSON.parse(json))) },
  { name: 'problem.code', label: 'Problem', text: (row) => row.get('problem'), show: (json) => (json === undefined ? '' : problemOf(JSON.parse(json))) },
  { name: 'createdAt', label: 'Written', isFigure: false, show: optional((at) => time(at)) },
];

/** Dead entries by lane; one that is behind another of them is not sent. */
class Lanes {
  #dead = watch(withParameters(list, { filter: "state=='dead'", fields: 'type,entity,number', order: 'number', limit: most(500), count: true }));
  #first = new Map();

  constructor(listener) {
    this.#dead.addEventListener('change', () => {
      this.#first = new Map([...this.#dead.ids].reverse().map((id) => {
        const row = memberTexts(this.#dead.text(id));
        return [laneOf(row), [id, given(row, 'number')]];
      }));
      listener();
    });
  }

  /** The dead entry that holds up a row; undefined for none that is known. */
  behind = (row) => {
    const [id, number] = ['"pending"', '"dead"'].includes(row.get('state')) ? this.#first.get(laneOf(row)) ?? [] : [];
    return number < given(row, 'number') ? id : undefined;
  };

  close() { this.#dead.close(); }
}

function section([name, title, own, order, nothing], behind, onchange) {
  const size = element('span', { class: 'muted', test: `${name}-status` });
  const body = element('div');
  const table = new LiveTable({ caption: title, test: name, onopen: (id) => go(detailHash('outbox', id)), onrender: draw,
    onpick: (id) => table.focus(id),
    onsort: (path, isAdded) => sortList(url, path, isAdded) });
  const more = moreRows(table, `${name}-more`, () => {
    limit += 500;
    return open();
  }, (next) => take(next, true));
  const node = element('section', { test: `section-${name}` }, heading(title, ' ', size), body, table.node, more.node);
  let source = null;
  let limit = name === 'ended' ? 100 : 500;
  let url;

  function open() {
    const user = parameter(url, 'filter');
    return watch(withParameters(list, { filter: user ? `(${user}) and (${own})` : own, order: parameter(url, 'order') ?? order, limit: most(limit), count: true }));
  }

  function take(next, isMore) {
    more.close();
    source?.close();
    source = next;
    source.addEventListener('state', draw);
    table.watch(source, isMore);
    draw();
  }

  function begin(next) {
    url = next;
    table.setColumns(columns(behind), orderKeys(parameter(url, 'order')));
    take(open());
  }

  function draw() {
    const rows = source.ids.length;
    more.offer(source);
    const kind = source.state === 'failed' ? 'failed' : rows ? 'rows' : isEmptyYet(source) ? 'unknown' : 'none';
    size.textContent = kind === 'rows' || kind === 'none' ? statusText(source, rows) : '';
    table.node.hidden = kind !== 'rows';
    fillNew(body, `${kind} ${parameter(url, 'filter') ?? ''}`, () => (kind === 'failed' ? [forbidden(source.problem), problemCard(source.problem, () => begin(url))]
      : kind === 'unknown' ? loading() : kind === 'none' && remark(parameter(url, 'filter') ? 'Nothing here passes the filter.' : nothing)));
    onchange();
  }
  return { name, node, table, begin, get source() { return source; }, close() {
    more.close();
    source.close();
    table.close();
  } };
}

function all(place) {
  let url = place.url;
  const notice = noticeArea();
  const codes = element('div', { test: 'codes' });
  const empty = element('div');
  const filter = filterField(() => url);
  const lanes = new Lanes(() => {
    for (const { table } of parts) for (const id of table.ids) if (isHeld.get(id) !== lanes.behind(memberTexts(table.text(id) ?? '{}'))) table.refresh(id);
  });
  const isHeld = new Map(); // id → the dead entry that its row names
  const behind = (row) => {
    const found = lanes.behind(row);
    isHeld.set(given(row, 'id'), found);
    return found;
  };
  const parts = sections.map((one) => section(one, behind, draw));
  const node = element('article', { class: 'stacked' }, pageHead('Outbox', grow(), filter), notice, empty, codes, parts.map(({ node }) => node));
  const dead = watch(withParameters(list, { filter: "state=='dead'", aggregate: 'count', group: 'problem.code' }));
  dead.addEventListener('change', () => {
    const said = (text) => fill(notice, text && say(text));
    refill(codes, (dead.aggregates ?? []).filter(({ key }) => typeof key === 'string').map(({ key, count: size }) => element('p', { class: 'acts', test: 'dead-of', 'data-code': key },
      word(`${count(size)} dead: `, 'bad', plain(key)), ' ',
      orderButton('Retry all', async () => (await ofCode(key, 'POST', said), null), { writes: true, 'aria-label': `Retry all of ${key}`, test: 'retry-all', at: notice }),
      orderButton('Give up all…', async () => (await ofCode(key, 'DELETE', said), null), { writes: true, 'aria-label': `Give up all of ${key}`, class: 'danger', test: 'give-up-all', at: notice }))));
  });
  let isRemote = null; // a type has a remote; null: not known
  whether('remotes', (has) => {
    isRemote = has;
    draw();
  });

  function draw() {
    const isEmpty = !parameter(url, 'filter') && parts.every(({ source }) => source?.state === 'live' && source.total === 0);
    for (const { node } of parts) node.hidden = isEmpty;
    fillNew(empty, `${isEmpty}/${isRemote}`, () => isEmpty && emptyState(isRemote === false ? 'No type has a remote, so there is nobody to be told of a change.' : 'Nobody has yet to learn of a change. A write with target=both puts an entry here.',
      docs('remotes', isRemote === false ? 'How to configure one' : undefined)));
  }

  function begin() {
    filter.value = parameter(url, 'filter') ?? '';
    for (const part of parts) part.begin(url);
  }
  /** The part with the focus, else the first that has rows. */
  const active = () => parts.find(({ node }) => node.contains(document.activeElement)) ?? parts.find(({ source }) => source.ids.length) ?? parts[0];
  const chosen = () => {
    const { table } = active();
    const text = table.active === null ? undefined : table.text(table.active);
    return text === undefined ? null : [table.active, memberTexts(text)];
  };
  const rowKeys = Object.fromEntries(Object.entries(parts[0].table.keys).filter(([key]) => key !== ' ').map(([key, { label }]) => [key, { label, act: () => active().table.keys[key].act() }]));
  begin();
  return {
    node, title: 'Outbox',
    keys: { ...rowKeys, '/': { label: 'filter', act: () => filter.focus() },
      c: { label: 'copy as', act: () => copyAs(`${list}${/\?.*|$/.exec(url)[0]}`, chosen() ? [['retry', command(retry(chosen()[0]))], ['give up', command(['DELETE', entryUrl(chosen()[0])])]] : []) },
      y: { label: 'copy row', act: () => chosen() && copyText(active().table.text(chosen()[0]), 'Row') },
      r: { label: 'retry', act: () => {
        const [id, row] = chosen() ?? [];
        if (row && canRetry(row)) attempt(notice, () => send(retry(id)), true);
      } },
      Delete: { label: 'give up', act: () => {
        const [id, row] = chosen() ?? [];
        if (row) attempt(notice, async () => await confirmAct(farewell(row)) && send(['DELETE', entryUrl(id)]), true);
      } } },
    update(next) {
      if (next.id !== null) return false;
      if (next.url !== url) {
        url = next.url;
        begin();
      }
      return true;
    },
    close() {
      for (const one of [...parts, lanes, dead]) one.close();
    },
  };
}

function detail(id) {
  const query = watch(entryUrl(id));
  const notice = noticeArea();
  const [state, blocked, figures, values, acts] = ['state', 'lane', 'entry', 'values', 'orders'].map((test) => element('div', { test }));
  acts.className = 'acts';
  let row = null;
  let before = null; // dead entries of the same entity
  let shown = null;

  function receive() {
    const text = query.text(id);
    if (text === undefined) {
      for (const one of [blocked, figures, values, acts]) fill(one);
      shown = null;
      return refill(state, absence(query, 'There is no such entry now: it was given up, or it has ended and was forgotten.'));
    }
    if (text === shown) return undefined;
    shown = text;
    row = memberTexts(text);
    const name = given(row, 'state');
    const problem = given(row, 'problem');
    if (!before) {
      before = watch(withParameters(list, { filter: `state=='dead' and type==${row.get('type')} and entity==${row.get('entity')} and number<${row.get('number')}`, order: 'number', limit: 1, fields: 'number' }));
      before.addEventListener('change', () => fill(blocked, before.ids.length > 0 && banner('warn', 'blocked', 'It waits behind a dead entry of the same entity, ',
        element('a', { href: detailHash('outbox', before.ids[0]) }, plain(before.ids[0])), ': that is tried again or given up first.')));
    }
    fill(state, word(name, kinds.get(name) ?? 'none'));
    refill(acts, canRetry(row) && orderButton(name === 'dead' ? 'Retry' : 'Try now', retry(id), { writes: true, test: 'retry', class: 'primary', at: notice }),
      orderButton('Give up…', () => ['DELETE', entryUrl(id)], { writes: true, test: 'give-up', class: 'danger', at: notice, confirm: farewell(row) }));
    refill(figures, facts([['Operation', plain(given(row, 'operation'))], ['Entity', [plain(given(row, 'type')), ' / ', entityOf(row)]],
      ['Was', row.has('replaced') && plain(idOf(row.get('replaced')))], ['Endpoint', row.has('endpoint') && plain(given(row, 'endpoint'))],
      ['With', row.has('parameters') && tree(row.get('parameters'), 1)], ['Attempts', count(given(row, 'attempts'))],
      ['Next try', row.has('nextAttemptAt') && time(given(row, 'nextAttemptAt'))], ['Written', [time(given(row, 'createdAt')), ` ${clock(given(row, 'createdAt'))}`]],
      ['Number', row.get('number')], ['Revision', row.get('revision')], ['Idempotency-Key', code(id)],
      ['Problem', problem && [problemOf(problem), problem.detail && [': ', code(problem.detail)]]]]));
    const side = (title, json, none) => element('section', { class: 'card' }, heading(title), json === undefined ? remark(none) : tree(json, 3));
    return refill(values, side('As the remote had it', row.get('before'), 'It is not known here.'), side('As it is sent', row.get('body'), given(row, 'operation') === 'remove' ? 'A removal sends none.' : 'It is not kept once the entry has ended.'));
  }
  values.className = 'cards';
  observe(query, receive);
  return {
    node: element('article', { class: 'detail', test: 'outbox-entry' }, pageHead(crumbs('outbox', 'Outbox', id), state), acts, notice, blocked, figures, values),
    title: `Outbox ${id}`,
    keys: { r: { label: 'retry', act: () => row && canRetry(row) && attempt(notice, () => send(retry(id)), true) },
      Delete: { label: 'give up', act: () => document.querySelector('[data-test=give-up]')?.click() },
      c: { label: 'copy as', act: () => copyAs(entryUrl(id), [['retry', command(retry(id))], ['give up', command(['DELETE', entryUrl(id)])]]) } },
    update: (next) => next.id === id,
    close() {
      query.close();
      before?.close();
    },
  };
}

export const open = (place) => (place.id === null ? all(place) : detail(place.id));
