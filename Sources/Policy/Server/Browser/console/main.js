// The frame: rail, top, banners, keys, and the page that the address names.
import { begin, ask, checkReady, hasToken, introduce, may, reconnectNow, server, signIn, signOut } from './server.js';
import { alike, busy, button, element, fill, fillNew, holdAll, load, plain, problemCard, refill, showProblem } from './dom.js';
import { banner, bar, bytes, clock, count, facts, loading, plural, say } from './show.js';
import { go, parsePlace, settings } from './state.js';

const $ = (selector) => document.querySelector(selector);

/** The rail: page, name, key behind `g`, and the right that it takes. */
const rail = [
  ['types', 'Types', 't', 'read'],
  ['query', 'Query', 'q', 'read'],
  ['operations', 'Operations', 'o', 'admin'],
  ['conditions', 'Conditions', 'c', 'admin'],
  ['upstreams', 'Upstreams', 'u', 'admin'],
  ['outbox', 'Outbox', 'b', 'admin'],
  ['streams', 'Streams', 's', 'admin'],
  ['store', 'Store', 'd', 'admin'],
  ['metrics', 'Metrics', 'm', 'token'],
  ['access', 'Access', 'a', 'read'],
  ['configuration', 'Configuration', 'k', 'admin'],
  ['cluster', 'Cluster', 'l', 'admin'],
];

/** The pages, each a module that is loaded when it is first shown. */
const pages = ['start', 'entity', 'specs', ...rail.map(([page]) => page)];

let current = null; // { place, page }
let lastQuery = settings.recent()[0] ? `#${settings.recent()[0]}` : '#/types';
let turn = 0;
const typed = new Set(); // the controls of the page that somebody has typed into
let hasBegun = false; // before, nobody knows who asks: a page would be shown twice

const inMain = (...shown) => fill($('main'), element('article', null, shown));

async function show() {
  if (!hasBegun) return;
  const mine = ++turn;
  isWaiting = !current && server.store.state === 'recovering';
  if (isWaiting) return showRecovery();
  const place = parsePlace(location.hash);
  if (!place.page) {
    const { json } = await ask('GET', '/v1').catch(() => ({}));
    if (mine === turn) go(json && !json.types.length ? '#/start' : '#/types', { replace: true });
    return;
  }
  if (current && place.page === current.place.page && current.page.update?.(place)) {
    $('[data-test=unsaved]')?.close(); // It is not left.
    arrived(place);
    return;
  }
  const isLeft = await current?.page.leave?.(); // one question, however often the place changes meanwhile
  if (mine !== turn) return;
  if (isLeft === false) {
    history.pushState(null, '', current.hash);
    return;
  }
  const isFirst = !current;
  current?.page.close?.();
  current = null;
  if (!pages.includes(place.page)) {
    inMain(element('h1', null, 'There is no such page'), say(element('a', { href: '#/types' }, 'Types')));
    return;
  }
  inMain(loading());
  const module = await import(`./${place.page}.js`).catch(() => null); // the server has gone meanwhile
  if (mine !== turn) return;
  if (!module) {
    inMain(element('h1', null, 'This page did not load'), problemCard({ detail: 'The server did not answer.' }, () => location.reload()));
    return;
  }
  typed.clear();
  const page = module.open(place, frame);
  current = { place, page };
  fill($('main'), page.node);
  if (!isFirst) $('main').focus({ preventScroll: true });
  arrived(place);
}

/** How far a server is that starts; the page comes by itself. */
let isWaiting = false;
function showRecovery() {
  const { phase, done, all, commits } = server.store.progress ?? {};
  inMain(element('h1', null, 'The server is starting'), element('div', { test: 'recovery' }, say(plain(server.store.reason)), facts([['Phase', phase],
    ['Read', all > 0 && bar(done / all, `${bytes(done)} of ${bytes(all)}`)], ['Commits', commits !== undefined && count(commits)]])));
}

function arrived(place) {
  current.place = place;
  current.hash = location.hash;
  if (place.page === 'query' && !place.type.startsWith('_')) lastQuery = location.hash;
  document.title = `${current.page.title} – Freshet`;
  closeMenu();
  showRail();
}

const frame = {
  retitle(title) { document.title = `${title} – Freshet`; },
};

/** A server that stands alone has nothing to show of a cluster. */
const isOffered = ([page]) => page !== 'cluster' || server.links.has('cluster');

function showRail() {
  const link = ([page, name, letter, right]) => {
    const { allowed, why } = may(right);
    if (!allowed) return element('span', { class: 'off', title: why, 'aria-disabled': 'true', role: 'link' }, name);
    return element('a', { href: page === 'query' ? lastQuery : `#/${page}`, title: `g ${letter}`, 'aria-current': current?.place.page === page ? 'page' : null }, name);
  };
  const docs = server.links.get('docs') ?? server.links.get('documentation');
  refill($('#rail'), rail.filter(isOffered).map(link), docs ? element('a', { class: 'apart', href: docs }, 'Docs')
    : [element('a', { class: 'apart', href: '/problems' }, 'Problems'), element('a', { href: '/openapi.json' }, 'API')]);
}

// Top and banners ----

function showServer() {
  $('#host').textContent = `${location.host}${server.version ? ` · ${server.version}` : ''}`;
  const { word, kind } = server.pill;
  const pill = $('#pill');
  pill.className = `pill ${kind}`;
  if (pill.textContent !== word) pill.textContent = word;
  $('main').classList.toggle('dimmed', Boolean(server.lostAt || server.isAway));
  showWho();
  const shown = notices();
  fillNew($('#banners'), shown.map(([name]) => name).join(), () => shown.map(([name, kind, ...children]) => banner(kind, `banner-${name.split(':')[0]}`, children)));
}

function showWho() {
  const { me } = server;
  const types = me ? [...me.types.values()].filter(({ read }) => read).length : 0;
  const rights = !me || me.admin || me.open ? '' : me.others?.read ? ' · reads all types' : ` · reads ${plural(types, 'type')}`;
  const name = me ? `${me.name ? me.name : 'nobody in particular'}${me.admin && me.name ? ' · admin' : rights}` : '';
  fillNew($('#who'), `${name}/${hasToken()}/${server.needsToken}`, () => [name && element('a', { href: '#/access' }, plain(name)), hasToken() ? button('Sign out', async () => await current?.page.leave?.() !== false && signOut(), { class: 'plain', test: 'sign-out' })
    : ((me && !me.open) || server.needsToken) && button('Sign in', signIn, { class: 'plain', test: 'sign-in-button' })]);
}

/** `[name, kind, …what it says]` of each banner; one with the same name is not drawn again. */
function notices() {
  const { store } = server;
  const all = [];
  if (server.isRefusedHost) {
    all.push([`host`, 'bad', `The server does not answer under the name ${location.hostname}: add it to `, element('code', null, 'hosts'), ' in its configuration.']);
  }
  if (server.isAway) all.push([`away:${server.answeredAt}`, 'bad', `The server does not answer${server.answeredAt ? ` since ${clock(server.answeredAt)}` : ''}. The page goes on by itself.`]);
  else if (server.lostAt) {
    all.push([`lost:${server.lostAt}${server.lostWhy}`, 'warn', `The live connection is lost: what is shown is as of ${clock(server.lostAt)}. `, plain(server.lostWhy), button('Now', () => reconnectNow(), { test: 'now' })]);
  }
  if (store.state === 'recovering') {
    const { phase, done, all: total, commits } = store.progress ?? {};
    all.push([`recovering:${done}`, 'warn', 'The server is starting. ', phase && `${phase}, ${done} of ${total} bytes, ${commits} commits.`]);
  } else if (server.isReadOnly) {
    all.push([`read-only:${store.state}${store.reason}`, 'bad', element('strong', null, `Read-only: the store is ${store.state}.`), ' ', plain(store.reason), ' ',
      ...store.state === 'stopped' ? [] : ['Reads go on. Free space or mend the disk, then reopen.',
        may('admin').allowed && button('Reopen the store', async () => {
          await ask('POST', '/v1/_store/reopen');
          await checkReady();
        }, { test: 'reopen' })]]);
  }
  if (server.versionBefore) {
    all.push(['version', 'warn', `The server is ${server.version} now; this page is of ${server.versionBefore}.`, button('Reload', () => location.reload())]);
  }
  if (isNewEpoch) {
    all.push(['epoch', 'warn', 'The data are another generation’s (restored, wiped or begun anew): everything is read anew.', button('Dismiss', () => {
      isNewEpoch = false;
      showServer();
    })]);
  }
  if (server.pill.word === 'open') all.push(['open', 'warn', 'Everybody who reaches this address may read and write.']);
  return all;
}
let isNewEpoch = false;

function showTheme() {
  const theme = settings.get('theme') ?? 'auto';
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  $('#theme').textContent = `◐ ${theme}`;
  $('#theme').ariaLabel = `Theme: ${theme}`;
}

function closeMenu() {
  $('#rail').classList.remove('open');
  $('#menu').setAttribute('aria-expanded', 'false');
}

// Keys ----

let isGoing = false; // `g` was the last key

function key(event) {
  if (event.defaultPrevented || event.isComposing || event.altKey || $('dialog:modal')) return;
  const hasControl = event.ctrlKey || event.metaKey;
  const inField = event.target.closest?.('input:not([type=checkbox], [type=radio]), textarea, select');
  const name = (hasControl ? 'Ctrl-' : '') + event.key;
  if (inField && !hasControl && name !== 'Escape') return;
  if (['Enter', ' '].includes(name) && event.target.closest?.('a, button, summary, input, label')) return;
  if (name.length === 1 && name !== ' ' && settings.get('keys') === false) return;
  const goes = isGoing;
  isGoing = false;
  const entry = goes && rail.find(([, , letter]) => letter === name);
  if (/^(Arrow|Page|Home|End)/.test(name) && event.target.closest?.('.drawer')) return; // They scroll it.
  if (entry) {
    if (isOffered(entry) && may(entry[3]).allowed) go(entry[0] === 'query' ? lastQuery : `#/${entry[0]}`);
  } else if (name === 'Escape') {
    if (inField) inField.blur();
    else if ($('.drawer')) $('.drawer:last-child [aria-label=Close]').click();
    else if (!current?.page.escape?.()) history.back();
  } else if (name === 'g') {
    isGoing = true;
  } else if (name === '?') {
    tryAct(help);
  } else {
    const found = Object.hasOwn(current?.page.keys ?? {}, name) && current.page.keys[name];
    if (!found || tryAct(found.act) === false) return;
  }
  event.preventDefault();
}

/** Does what no control stands for; a failure is a problem card at the head of the page. Answers what `act` does. */
function tryAct(act) {
  const place = $('main .head, main h1') ?? $('main').firstChild;
  showProblem(place, null);
  const answer = act();
  answer?.catch?.((problem) => showProblem(place, problem));
  return answer;
}

const help = async () => (await load('./help.js')).openHelp(rail, current?.page.keys ?? {});

// Boot ----

addEventListener('popstate', show); // also where a link or a script has changed the hash
addEventListener('placechange', show);
document.addEventListener('keydown', key);
$('#theme').addEventListener('click', () => {
  const next = { auto: 'light', light: 'dark', dark: undefined };
  settings.set('theme', next[settings.get('theme') ?? 'auto']);
  showTheme();
});
$('#menu').addEventListener('click', () => $('#menu').setAttribute('aria-expanded', String($('#rail').classList.toggle('open'))));
$('#help').addEventListener('click', () => tryAct(help));
$('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  $('main').focus();
});
$('#strip').addEventListener('click', () => busy($('#strip'), async () => (await load('./help.js')).toggleEvents($('#strip'), $('#events'))));
server.addEventListener('change', () => {
  showServer();
  showRail();
  holdAll();
  if (isWaiting) show();
});
server.addEventListener('epoch', () => {
  isNewEpoch = true;
  introduce();
});
document.addEventListener('input', ({ target }) => typed.add(target));
/** What is typed stays with a caller who signs in again; only a sign-out empties it. */
server.addEventListener('access', ({ detail: hasCaller }) => {
  const kept = hasCaller ? [...typed].filter((one) => !one.closest('.chips')) : []; // chips follow the filter's text
  for (const dialog of document.querySelectorAll('body > dialog:not([data-test=sign-in], [data-test=import-dialog], [data-test=export-dialog])')) {
    if (kept.some((one) => dialog.contains(one))) continue;
    dialog.close();
    dialog.remove(); // at once: a hidden tab tells of the close when it is seen
  }
  if (hasCaller && current?.page.reenter?.()) return;
  current?.page.close?.();
  current = null;
  show().then(() => {
    for (const held of kept) {
      const one = alike(held, $('main'));
      if (one) one.value = held.value;
      one?.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });
});
setInterval(() => { if (server.lostAt) showServer(); }, 500);
showTheme();
showServer();
await begin();
hasBegun = true;
showServer();
show();
