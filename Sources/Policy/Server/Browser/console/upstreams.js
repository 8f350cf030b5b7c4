// Upstreams: can they be reached, at what speed, and with which credential.
import { memberTexts } from '../reducer.js';
import { copyAs, element, fill, openDialog, plain, problemCard, problemLink, refill } from './dom.js';
import { listPage } from './list.js';
import { command, orderButton, send } from './orders.js';
import { operationLink } from './running.js';
import { observe, watch } from './server.js';
import { absence, absent, bar, bytes, count, crumbs, docs, duration, emptyState, facts, given, heading, muted, noticeArea, onceNotice, optional, pageHead, rowLink, say, small, smallTable, tableRow, time, word } from './show.js';
import { detailHash, entityUrl, go, typeUrl } from './state.js';

const links = new Map([['connected', 'good'], ['limited', 'warn'], ['disconnected', 'bad']]);
const linkOf = (state) => (state === null ? muted('unknown') : word(state, links.get(state) ?? 'none'));
const healthOf = (row) => (!row.has('healthy') ? absent() : given(row, 'healthy') === null ? word('unknown', 'none', small(' no probe'))
  : given(row, 'healthy') ? word('healthy', 'good') : word('unhealthy', 'bad'));
const load = ({ active, waiting, places }) => bar(active / places, `${count(active)} of ${count(places)}${waiting ? `, ${count(waiting)} wait` : ''}`);
const ms = (number) => (number === null || number === undefined ? absent() : duration(number));
const states = ['empty', 'refreshing', 'ready', 'failed', 'critical'];
const credentialKind = new Map([['ready', 'good'], ['refreshing', 'warn'], ['failed', 'bad'], ['critical', 'bad']]);
const credentialOf = (one) => (one ? word(one.state === 'ready' ? `ready v${one.version}` : one.state, credentialKind.get(one.state) ?? 'none') : muted('none'));

const column = (name, label, show, more) => ({ name, label, isFigure: false, show: optional((value) => show(value)), ...more });
const figure = (path, label, show) => {
  const [name, member] = path.split('.');
  const read = (row) => (row.has(name) ? given(row, name)?.[member] : undefined);
  return { name: path, label, isFigure: true, text: (row) => String(read(row)), show: (_, row) => show(read(row)) };
};
const number = (value) => (value === undefined ? absent() : count(value));

const columns = [
  { name: 'id', label: 'Upstream', isFigure: false, show: (_, row, id) => rowLink(detailHash('upstreams', id), id) },
  column('link', 'Link', linkOf),
  column('since', 'Since', (at) => time(at)),
  column('limitedUntil', 'Limited until', (at) => (at === null ? '' : time(at))),
  { name: 'healthy', label: 'Health', text: (row) => row.get('healthy'), show: (_, row) => healthOf(row) },
  column('load', 'In use', load, { isSorted: false }),
  figure('latency.p50Ms', 'p50', ms), figure('latency.p99Ms', 'p99', ms),
  figure('counters.calls', 'Calls', number), figure('counters.failures', 'Failures', number),
  column('credential', 'Credential', credentialOf, { isSorted: false }),
];

const list = (place) => listPage({ type: '_upstreams', title: 'Upstreams', columns, onopen: (id) => go(detailHash('upstreams', id)),
  empty: () => emptyState('No upstream is configured. The configuration’s “upstreams” name them.', docs('remotes', 'How to configure one')) }, place);

function histogram({ window, count: all, buckets }) {
  const most = Math.max(1, ...buckets.map(([, number]) => number));
  const name = (le, at) => (le === null ? `over ${duration(buckets[at - 1]?.[0] ?? 0)}` : `to ${duration(le)}`);
  const line = ([le, number], at) => tableRow(null, name(le, at), bar(number / most, count(number)));
  return [say(all ? `${count(all)} calls in the last ${window}.` : `No call in the last ${window}.`),
    all > 0 && smallTable('histogram', 'Calls by how long they took', ['took', 'calls'], buckets.map(line))];
}

/** The credential as the states that it can be in, its own marked. */
function machine(one) {
  if (!one) return element('p', { class: 'muted', test: 'credential' }, 'No credential is configured.');
  const named = (state) => (state === 'ready' && state === one.state ? `ready v${one.version}` : state === 'failed' && state === one.state && one.retryAt ? ['failed until ', time(one.retryAt)] : state);
  const counts = Object.entries(one.counts ?? {}).filter(([, number]) => number).map(([name, number]) => `${count(number)} ${name}`).join(' · ');
  return [element('ol', { class: 'machine', test: 'credential', 'data-state': one.state }, states.map((state) => element('li', { 'aria-current': state === one.state ? 'step' : null }, state === one.state ? word('', credentialKind.get(state) ?? 'none', named(state)) : named(state)))),
    facts([['Valid', one.valid === undefined ? absent() : one.valid ? 'yes' : 'no'], ['Expires', one.expiresAt && time(one.expiresAt)], ['Tried again', one.retryAt && time(one.retryAt)],
      ['Reason', one.reason && plain(one.reason)], ['Counts', one.counts === undefined ? absent() : counts || 'none yet']])];
}

/** Asks for tokens; they are sent and forgotten. */
function askForTokens(id) {
  const access = element('input', { test: 'access-token', type: 'password', required: true });
  const refresh = element('input', { test: 'refresh-token', type: 'password' });
  const lasts = element('input', { test: 'expires-in', placeholder: '1h' });
  return openDialog({ title: `The credential of ${id}`, test: 'tokens',
    body: [element('label', null, 'Access token ', access), element('label', null, 'Refresh token, if any ', refresh), element('label', null, 'Expires in, if known ', lasts)],
    actions: [['Store', () => send(['PUT', `${entityUrl('_upstreams', id)}/credential`, { accessToken: access.value, ...refresh.value && { refreshToken: refresh.value }, ...lasts.value && { expiresIn: lasts.value } }]), 'primary'],
      ['Cancel']] });
}

function probed({ ok, status, durationMs, problem }) {
  return [element('p', { test: 'probed' }, word(ok ? 'reached' : 'not as it should be', ok ? 'good' : 'bad'), status ? `: it answered ${status} in ${duration(durationMs)}.` : ` after ${duration(durationMs)}.`),
    problem && problemCard(problem)];
}

function detail(id) {
  const url = entityUrl('_upstreams', id);
  const query = watch(url);
  const notice = noticeArea();
  const state = element('div', { test: 'state' });
  const once = element('div');
  const body = element('div', { class: 'body' });
  const probe = ['POST', `${url}/probe`];
  const forget = ['DELETE', `${url}/credential`];
  const acts = element('div', { class: 'acts', test: 'orders' });
  const all = () => [orderButton('Probe now', probe, { test: 'probe', class: 'primary', at: notice, then: ({ json }) => fill(notice, probed(json)) }),
    hasCredential && [orderButton('Store a credential…', async () => (await askForTokens(id), null), { test: 'store-credential', at: notice }),
      orderButton('Forget the credential…', forget, { test: 'forget-credential', class: 'danger', at: notice, confirm: { title: `Forget the credential of ${id}?`, text: 'Its tokens are forgotten; the next call asks for new ones where it can.', act: 'Forget' } })]];
  let hasCredential = null;

  function receive() {
    refill(once, onceNotice(query));
    const text = query.text(id);
    body.hidden = acts.hidden = text === undefined;
    if (text === undefined) return refill(state, absence(query, 'There is no upstream of this name now.'));
    const row = memberTexts(text);
    const failure = given(row, 'lastFailure');
    fill(state, linkOf(given(row, 'link')));
    if (hasCredential !== Boolean(given(row, 'credential'))) {
      hasCredential = Boolean(given(row, 'credential'));
      fill(acts, all());
    }
    const names = (member, link) => (row.has(member) ? given(row, member).map((name) => [link(name), ' ']) : absent());
    return refill(body, facts([['Base', plain(given(row, 'base') ?? '')], ['Since', time(given(row, 'since'))], ['Limited until', given(row, 'limitedUntil') && time(given(row, 'limitedUntil'))],
      ['Health', healthOf(row)], ['Last failure', failure && [problemLink(failure.code), ' ', time(failure.at)]],
      ['Next recovery probe', given(row, 'nextRecoveryProbe') && time(given(row, 'nextRecoveryProbe'))], ['In use', given(row, 'load') && load(given(row, 'load'))],
      ['Counts', given(row, 'counters') && Object.entries(given(row, 'counters')).map(([name, number]) => (name === 'bytes' ? bytes(number) : `${count(number)} ${name}`)).join(' · ')],
      ['Types', names('types', (name) => element('a', { href: `#${typeUrl(name)}` }, plain(name)))], ['Operations', names('operations', operationLink)]], 'wide'),
    heading('How long its calls take'), row.has('latency') ? histogram(given(row, 'latency')) : say('This server does not tell.'),
    heading('Credential'), machine(given(row, 'credential')));
  }
  observe(query, receive);
  return {
    node: element('article', { class: 'detail', test: 'upstream' }, pageHead(crumbs('upstreams', 'Upstreams', id), state), acts, notice, once, body),
    title: id,
    keys: { c: { label: 'copy as', act: () => copyAs(url, [['probe', command(probe)], ['forget credential', command(forget)]]) } },
    update: (next) => next.id === id,
    close: () => query.close(),
  };
}

export const open = (place) => (place.id === null ? list(place) : detail(place.id));
