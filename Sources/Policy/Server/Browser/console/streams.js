// Streams: who watches what, the furthest behind first.
import { confirmAct, element, plain } from './dom.js';
import { listPage } from './list.js';
import { attempt, command, orderButton, send } from './orders.js';
import { watch } from './server.js';
import { absent, actsRow, bytes, count, docs, emptyState, facts, given, muted, noticeArea, optional, plural, rowLink, small, time } from './show.js';
import { entityUrl, go, withParameters } from './state.js';

const nobody = () => muted('nobody in particular');
// What a console asks only to find its own stream is none of what is watched.
const isBeacon = ({ text }) => /^\/v1\/_streams\?.*\bown-/.test(text);
const queriesOf = (row) => (given(row, 'queries') ?? []).filter((one) => !isBeacon(one));
/** The text of a query as a link to its page; what the server has cut leads nowhere. */
const linkOf = ({ text }) => (text.startsWith('/v1/') && !text.endsWith('…') ? rowLink(`#${text}`, text) : plain(text));
const closing = (id) => ['DELETE', entityUrl('_streams', id)];
const farewell = (row, isOwn) => ({ title: `Close stream ${given(row, 'id')}?`, act: 'Close',
  text: `${given(row, 'caller') ? `The client of the token '${given(row, 'caller')}'` : 'The client'} at ${given(row, 'address')} is told to stay away; its ${plural(queriesOf(row).length, 'query', 'queries')} ${queriesOf(row).length === 1 ? 'ends' : 'end'}.${isOwn ? ' It is the connection of this console: what its tabs show stands still until it is asked for again.' : ''}` });

export function open(place) {
  const notice = noticeArea();
  const rates = new Map(); // id → { at, bytes, rate }
  const mark = `own-${Math.floor(Math.random() * 2 ** 48).toString(36)}`;
  // A query that nobody else has tells which stream is this console's.
  const beacon = watch(withParameters('/v1/_streams', { filter: `id=='${mark}'`, limit: 1 }));
  const isOwn = (row) => (row.get('queries') ?? '').includes(mark);
  const columns = [
    { name: 'id', label: 'Stream', isFigure: false, text: (row, id) => `${id}/${isOwn(row)}`, show: (_, row, id) => [plain(id), isOwn(row) && element('span', { class: 'tag muted', test: 'own' }, 'this console')] },
    { name: 'caller', label: 'Caller', show: optional((name) => (name === '' ? nobody() : plain(name))) },
    { name: 'address', label: 'Address' },
    { name: 'since', label: 'Since', isFigure: false, show: (json) => time(JSON.parse(json ?? 'null')) },
    { name: 'lag', label: 'Behind by', isFigure: true, show: (json) => (json === undefined || json === 'null' ? absent() : plural(Number(json), 'commit')) },
    { name: 'bytes', label: 'Bytes/s', isFigure: true, text: (row, id) => `${row.get('bytes')}/${rates.get(id)?.rate}`, show: (_, row, id) => (row.get('bytes') === 'null' ? element('span', { class: 'absent', title: 'It watches this list: its own bytes are not counted here.' }, '–')
      : rates.get(id)?.rate === undefined ? absent() : bytes(rates.get(id).rate)) },
    { name: 'queries', label: 'Queries', isSorted: false, show: (_, row) => {
      const all = queriesOf(row);
      return [all.length ? linkOf(all[0]) : muted('none'), all.length > 1 && element('span', { class: 'tag muted' }, `+${count(all.length - 1)} more`)];
    } },
    { name: 'index', label: 'Found by', isSorted: false, text: (row) => row.get('queries'), show: (_, row) => plain([...new Set(queriesOf(row).map(({ index }) => index))].join(', ')) },
  ];
  const page = listPage({
    type: '_streams', title: 'Streams', columns, notice, order: '-lag,id',
    empty: () => emptyState('Nobody watches anything. A live query of a page or a program appears here while it is open.', docs('live')),
    show: (row, id) => [facts([['Caller', given(row, 'caller') ? plain(given(row, 'caller')) : nobody()], ['Address', plain(given(row, 'address') ?? '')], ['Is', given(row, 'kind')],
      ['Since', time(given(row, 'since'))], ['Exact through', given(row, 'seq') === null ? absent() : count(given(row, 'seq'))], ['Written', given(row, 'bytes') === null ? absent() : bytes(given(row, 'bytes'))]]),
    actsRow(orderButton('Close…', closing(id), { class: 'danger', test: 'close-stream', at: notice, confirm: farewell(row, isOwn(row)) })),
    element('ul', { class: 'spec', test: 'queries' }, queriesOf(row).map((one) => element('li', null, linkOf(one),
      small(` ${one.mode}, found by ${one.index}, ${plural(one.watchers, 'watcher')}`))))],
    onopen(id) {
      const [first] = queriesOf(page.row(id));
      if (first && !first.text.endsWith('…')) go(`#${first.text}`);
    },
    keys: {
      Delete: { label: 'close', act: () => {
        const id = page.table.active;
        if (id !== null && page.row(id).size) attempt(notice, async () => await confirmAct(farewell(page.row(id), isOwn(page.row(id)))) && send(closing(id)));
      } },
    },
    copies: () => (page.table.active === null ? [] : [['close', command(closing(page.table.active))]]),
  }, place);

  /** Rates are of this page's own samples: unknown before the second. */
  const sample = () => {
    for (const id of page.table.ids) {
      const now = { at: performance.now(), bytes: given(page.row(id), 'bytes') };
      const before = rates.get(id);
      if (before && before.bytes !== null && now.bytes !== null) now.rate = Math.max(0, 1000 * (now.bytes - before.bytes) / (now.at - before.at));
      rates.set(id, now);
      if (now.rate !== before?.rate) page.table.refresh(id);
    }
    for (const id of rates.keys()) if (!page.row(id).size) rates.delete(id);
  };
  const first = setTimeout(sample, 1000);
  const timer = setInterval(() => { if (!document.hidden) sample(); }, 5000);
  return { ...page, close() {
    clearTimeout(first);
    clearInterval(timer);
    beacon.close();
    page.close();
  } };
}
