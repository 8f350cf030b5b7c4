// Operations: what is fetched, when, and why not.
import { element, fill, plain, refill } from './dom.js';
import { listPage } from './list.js';
import { detail } from './operation.js';
import { toggle } from './orders.js';
import { ageOf, controllersOf, gateOf, lastRun, operationLink, runKeys, statusOf, switchOf } from './running.js';
import { ask } from './server.js';
import { count, docs, emptyState, given, muted, noticeArea, optional, time } from './show.js';
import { detailHash, go } from './state.js';

const figure = (name, label) => ({ name, label, isFigure: true, show: optional((number) => count(number)) });
const of = (...names) => (row) => names.map((name) => row.get(name)).join();

const columns = (notice) => [
  { name: 'id', label: 'Operation', isFigure: false, show: (_, row, id) => operationLink(id) },
  { name: 'status', label: 'Status', text: of('status', 'isLoading', 'valueUpdatedAt', 'active', 'configured'), show: (_, row) => statusOf(row) },
  { name: 'type', label: 'Type', show: optional((type) => plain(type)) },
  { name: 'valueUpdatedAt', label: 'Age', isFigure: false, text: of('valueUpdatedAt', 'staleAt', 'isStale', 'invalidated'), show: (_, row) => element('span', { class: 'acts' }, ageOf(row)) },
  { name: 'automatic', label: 'Gate', text: of('automatic', 'heldBy'), show: (_, row) => gateOf(row) },
  { name: 'nextRun', label: 'Next run', isFigure: false, show: optional((at) => time(at)) },
  { name: 'lastRun.startedAt', label: 'Last run', text: (row) => row.get('lastRun'), show: optional(lastRun) },
  figure('failures', 'Failures'),
  figure('subscribers', 'Watchers'),
  { name: 'controllers', label: 'Controllers', isSorted: false, isFigure: false, show: optional((all) => (all.length ? controllersOf(all) : muted('none'))) },
  { name: 'active', label: 'Switch', show: optional((isOn, _, id) => switchOf(id, isOn, notice, { tabindex: -1 })) },
];

/** The switch of the service, read again when rows change, since it turns their gates. */
function serviceSwitch() {
  const node = element('span', { class: 'acts' });
  let due = null;
  const show = (isOn) => refill(node, 'Service ', toggle('operations may run', isOn, (active) => ['PUT', '/v1/_service/active', { active }], { test: 'service-switch', then: ({ json }) => show(json.active) }));
  const read = () => {
    due = null;
    ask('GET', '/v1/_service/active').then(({ json }) => show(json.active), ({ status }) => fill(node, status !== 403 && 'The service’s switch is unknown.'));
  };
  read();
  return { node, again: () => { due ??= setTimeout(read, 1000); }, close: () => clearTimeout(due) };
}

function list(place) {
  const notice = noticeArea();
  const service = serviceSwitch();
  const page = listPage({
    type: '_operations', title: 'Operations', columns: columns(notice), notice,
    onopen: (id) => go(detailHash('operations', id)),
    onchange: service.again,
    acts: service.node,
    empty: () => emptyState('Nothing is fetched. An operation appears here when the configuration names it, or when somebody asks a remote.',
      docs('operations', 'How to declare one')),
    keys: runKeys(() => (page.table.active === null ? null : [page.table.active, given(page.row(page.table.active), 'kind')]), notice),
  }, place);
  return { ...page, close: () => (service.close(), page.close()) };
}

export const open = (place) => (place.id === null ? list(place) : detail(place.id));
