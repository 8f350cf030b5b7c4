// Cluster: who leads, and who lags.
import { confirmAct, element, plain, refill } from './dom.js';
import { attempt, command, orderButton, send } from './orders.js';
import { polledPage } from './polled.js';
import { absent, banner, bytes, code, count, duration, emptyState, facts, heading, muted, noticeArea, scroll, small, smallTable, time, word } from './show.js';

const kinds = new Map([['leader', 'good'], ['candidate', 'warn'], ['stopped', 'bad'], ['reachable', 'good'], ['away', 'bad'], ['full', 'bad']]);
const stateOf = (name) => word(name, kinds.get(name) ?? 'none');
const figure = (...shown) => element('td', { class: 'figure' }, shown);

function rowOf(one, { leader, head, self }, digest, handOver) {
  const lag = one.lagSeconds === null ? absent() : one.lagSeconds === 0 ? 'none' : duration(1000 * one.lagSeconds);
  const behind = Math.max(0, head.seq - one.seq);
  return element('tr', { test: 'replica', 'data-id': one.id }, element('th', { scope: 'row' }, plain(one.id), one.id === self.id && small(' this one')),
    element('td', null, stateOf(one.role), !one.ready && [' ', word('not ready', 'bad')]),
    figure(count(one.seq), behind > 0 && small(` ${count(behind)} behind`)), figure(lag),
    figure(one.snapshotSeq ? count(one.snapshotSeq) : muted('none')), figure(one.format),
    element('td', null, one.digest ? [code(one.digest.slice(0, 12)), one.digest !== digest && word(' another', 'warn')] : muted('none')),
    element('td', null, time(one.seenAt)), element('td', null, code(one.url)),
    element('td', null, leader && leader.id !== one.id && one.ready && handOver(one.id)));
}

export function open() {
  const notice = noticeArea();
  const acts = element('span');
  let leader = null;
  const order = (to) => ['POST', `/v1/_cluster/step-down${to ? `?to=${encodeURIComponent(to)}` : ''}`];
  const asked = (to) => ({ title: `Does ${leader?.id ?? 'the leader'} hand the lead over${to ? ` to ${to}` : ''}?`, text: 'Writes pause for a moment; requests that meet the pause wait.', act: 'Hand over' });
  const handOver = (to) => orderButton('Lead', order(to), { 'aria-label': `Hand over to ${to}`, test: 'hand-over', at: notice, confirm: asked(to), then: () => page.again() });

  function draw({ json }, body) {
    ({ leader } = json);
    const { engine, self, head } = json;
    const digest = json.replicas.find(({ id }) => id === leader?.id)?.digest ?? json.replicas.find(({ id }) => id === self.id)?.digest;
    refill(acts, leader && orderButton('Step down…', () => order(), { test: 'step-down', at: notice, confirm: asked(), then: () => page.again() }));
    refill(body, !leader && banner('bad', 'no-leader', 'Nobody leads: writes wait until one of the servers does. Below is what this server knows itself.'),
      self.role === 'stopped' && banner('bad', 'stopped', `This server applies and writes nothing any more: ${self.reason ?? 'it does not tell why'}.`),
      engine.state !== 'reachable' && banner('bad', 'engine', `The log is ${engine.state}`, engine.since && [' since ', time(engine.since)], engine.lastError && [': ', plain(engine.lastError)], '.'),
      facts([['Leader', leader ? [plain(leader.id), ' ', code(leader.url)] : muted('none')], ['Term', count(json.term)],
        ['Head', [count(head.seq), head.at && [', moved ', time(head.at)]]], ['Floor', count(json.floor)], ['This server', [plain(self.id), ' ', stateOf(self.role)]],
        ['Log', [plain(engine.kind ?? 'unknown'), ' ', stateOf(engine.state)]], ['Its data', engine.bytes !== undefined && [bytes(engine.bytes), engine.quota > 0 && ` of ${bytes(engine.quota)}`]],
        ['It says', engine.errors?.length > 0 && plain(engine.errors.join('; '))], ['Cluster', json.cluster && code(json.cluster)], ['Epoch', code(json.epoch)]], 'wide'),
      heading('Servers'), json.replicas.length ? scroll(smallTable('replicas', 'Servers of the cluster', ['Server', 'Role', 'Applied', 'Lag', 'Snapshot', 'Format', 'Digest', 'Heard of', 'Address', 'Act'], json.replicas.map((one) => rowOf(one, json, digest, handOver)))) : emptyState('No server is known.'));
  }

  const page = polledPage({ title: 'Cluster', url: '/v1/_cluster', notice, draw,
    acts, copies: () => [['step down', command(order())]],
    keys: { D: { label: 'step down', act: () => leader && attempt(notice, async () => {
      if (!await confirmAct(asked())) return;
      await send(order());
      page.again();
    }) } } });
  return page;
}
