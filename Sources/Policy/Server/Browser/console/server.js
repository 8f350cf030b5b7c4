// The server of this page: requests, the one live connection, who is asking, and whether it answers, takes writes
// and is still the same.
import { connect } from '../freshet.js';
import { frames, keep, kept, live, onToken, reconnect } from '../live.js';
import { attempt, parsePlace, place, typeUrl } from './state.js';

const name = 'freshet-console';
const signedOut = 'freshet-signed-out'; // when: in this browser, and as a tab got its token

/** A text that is kept; null where there is none, or no storage. */
const recall = (where, key) => attempt(() => globalThis[where].getItem(key)) ?? null;
const store = (where, key, text) => attempt(() => (text === null ? globalThis[where].removeItem(key) : globalThis[where].setItem(key, text)));

const lastSignOut = () => recall('localStorage', signedOut) ?? '';
let token = (recall('sessionStorage', signedOut) ?? lastSignOut()) === lastSignOut() ? recall('sessionStorage', 'freshet-token') ?? undefined : undefined;

if (token) store('sessionStorage', signedOut, lastSignOut());

/** The public client, with this page's token. */
export let client = makeClient();

function makeClient() {
  return connect(location.origin, { token, name, throttle: 100 });
}

/**
 * What is known of the server. Events: `change`, `access` (another caller, or none: views are read anew),
 * `epoch` (the data are another generation's).
 */
class Server extends EventTarget {
  /** What `/v1/_access/me` says, `types` as a Map; null where it is not known. */
  me = null;
  links = new Map();
  version = null;
  /** The version that was met first, where it is another by now. */
  versionBefore = null;
  store = { state: 'ready', reason: '' };
  answeredAt = null;
  /** What the live queries of this page say of the connection: null where there is none. */
  stream = null;
  isAway = false;
  isRefusedHost = false;
  needsToken = false;
  lostAt = null;
  lostWhy = ''; // what the server has said
  retryAt = null;
  most = 10000; // rows of an answer

  get isReadOnly() { return !['ready', 'recovering', 'following'].includes(this.store.state); }

  /** The word of the pill, and of what kind it is. */
  get pill() {
    if (this.isRefusedHost) return { word: 'host refused', kind: 'bad' };
    if (this.isAway) return { word: 'away', kind: 'bad' };
    if (this.store.state === 'recovering') {
      const { done, all } = this.store.progress ?? {};
      return { word: all ? `recovering ${Math.floor(100 * done / all)} %` : 'recovering', kind: 'warn' };
    }
    if (this.needsToken) return { word: 'sign in', kind: 'warn' };
    if (this.isReadOnly) return { word: 'read-only', kind: 'bad' };
    if (this.lostAt) {
      const wait = Math.max(0, Math.ceil(((this.retryAt ?? 0) - Date.now()) / 1000));
      return { word: wait ? `reconnecting, ${wait} s` : 'reconnecting', kind: 'warn' };
    }
    if (this.stream === 'connecting' || !this.answeredAt) return { word: 'connecting', kind: '' };
    if (this.me?.open && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname)) return { word: 'open', kind: 'warn' };
    return { word: this.stream ?? 'ready', kind: 'good' };
  }

  tell(type = 'change', detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }
}

export const server = new Server();

/**
 * One request; answers `{status, headers, text, json}` or throws a `FreshetProblem`. Where a token is wanted
 * it is asked for.
 */
export async function ask(method, path, options) {
  for (let asked = false; ; asked = true) {
    const by = client;
    try {
      const answer = await by.request(method, path, options);
      answered();
      return answer;
    } catch (problem) {
      if ((problem.status === 401 || problem.code === 'rate-limited' && hasToken()) && !asked && (by !== client || await signIn(method !== 'GET') || by !== client)) continue;
      learn(problem);
      throw problem;
    }
  }
}

/** As many rows of them as an answer may have. */
export const most = (rows) => Math.min(rows, server.most);

/** Tells whether the server has a feature. */
export const whether = (feature, then) => { ask('GET', '/v1/_service').then(({ json }) => then(json.features.includes(feature)), () => {}); };

function learn(problem) {
  if (problem.status) answered();
  if (problem.status === 421) server.isRefusedHost = true;
  if (problem.status === 403) introduce(); // the rights are others than were known
  if (!problem.status || problem.status === 503 || problem.status === 507) checkReady();
  server.tell();
}

function answered() {
  server.answeredAt = Date.now();
  if (!server.isAway) return;
  server.isAway = false;
  server.tell();
  meetAgain();
}

/** The server that is back may be of another version, and give other rights. */
function meetAgain() {
  checkVersion();
  learnMost();
  introduce();
}

const soon = (answer) => Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 500))]);
const learnMost = () => client.request('GET', '/v1/_service').then(({ json }) => { server.most = json.limits.results; }, () => {});

// Live ----

const watched = new Set();

export function snapshotOf(text) {
  const { meta } = JSON.parse(text);
  const more = `${meta.total === undefined ? '' : `,"total":${meta.total}`}${meta.truncated ? ',"truncated":true' : ''}`;
  return `${text.trim().slice(0, -1)},"v":${meta.revision}${more},"part":0,"more":false}`;
}

/** Reads once what the server that leads alone can stream: a search is sent on to it. */
async function readOnce(query, url) {
  const { type, id } = parsePlace(`#${url}`);
  const messages = await ask('GET', id === null ? url : `${typeUrl(type)}?ids=${encodeURIComponent(id)}`).then(
    ({ text }) => [['snapshot', snapshotOf(text)], ['state', { state: 'once', problem: undefined, syncedAt: Date.now() }]],
    (problem) => [['state', { state: 'failed', problem }]]);
  if (!query.isClosed) for (const tell of query.take(messages)) tell();
}

/**
 * A live query on the connection that all tabs share. Where another server alone has its stream
 * (`not-leader`) its state is `once`, `elsewhere` is that problem, and `again()` reads it anew.
 */
export function watch(url) {
  const by = client;
  const query = live(url, { token, name, throttle: 100 });
  const close = query.close.bind(query);
  query.close = () => {
    query.isClosed = true;
    watched.delete(query);
    close();
    follow();
  };
  query.addEventListener('state', (event) => {
    // Another token is on its way, with which all is asked anew.
    if (query.problem?.code === 'signed-out') return event.stopImmediatePropagation();
    if (query.state === 'failed' && query.problem?.code === 'not-leader' && !query.elsewhere) {
      event.stopImmediatePropagation();
      query.again = () => readOnce(query, url);
      Object.assign(query, { state: 'connecting', elsewhere: query.problem, problem: undefined });
      query.again();
      return;
    }
    if (query.problem?.status === 401 && by === client) signIn();
    else if ([403, 421].includes(query.problem?.status)) learn(query.problem);
    else if (query.state === 'live') server.isRefusedHost = false;
    follow();
  });
  query.addEventListener('change', ({ detail }) => { if (detail?.why === 'epoch') server.tell('epoch'); });
  watched.add(query);
  follow();
  return query;
}

/** Calls `listener` now, and whenever a query or its state has changed. */
export function observe(query, listener) {
  for (const event of ['change', 'state']) query.addEventListener(event, listener);
  listener();
}

/** The state of the connection is that of the queries on it. */
function follow() {
  const lost = [...watched].filter(({ state }) => state === 'reconnecting');
  const wasLost = server.lostAt;
  server.lostAt = lost.length ? wasLost ?? lost.find(({ syncedAt }) => syncedAt)?.syncedAt ?? Date.now() : null;
  server.lostWhy = lost.find(({ problem }) => problem)?.problem.detail ?? '';
  server.retryAt = lost[0]?.retryAt ?? null;
  server.stream = ['live', 'connecting'].find((word) => [...watched].some(({ state }) => state === word)) ?? null;
  if (!wasLost !== !server.lostAt) checkReady().then(() => { if (!server.lostAt) meetAgain(); });
  server.tell();
}

export const reconnectNow = () => reconnect(name);
/** Raw events of the connection; answers what ends it. */
export const listen = (listener) => frames(name, listener);

// Is it well? ----

let checking;
let due; // the next look at a server that is away or recovers

/** Asks `/readyz`, once at a time. */
export function checkReady() {
  checking ??= readiness().finally(() => { checking = undefined; });
  return checking;
}

async function readiness() {
  const before = server.store.state;
  try {
    const answer = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(10000) });
    server.store = (await answer.json()).stores.main;
    answered();
  } catch {
    server.isAway = true; // nothing answers, or nothing that is a Freshet
  }
  if (before === 'recovering' && server.store.state !== 'recovering') {
    introducing = undefined; // one under way may still be told that the store recovers
    introduce();
  }
  clearTimeout(due);
  if ((server.isAway || server.store.state === 'recovering') && !document.hidden) due = setTimeout(checkReady, 1000);
  server.tell();
}

async function checkVersion() {
  const { json } = await client.request('GET', '/version').catch(() => ({}));
  if (!json) return;
  if (server.version && json.version !== server.version) server.versionBefore ??= server.version;
  server.version = json.version;
  server.tell();
}

setInterval(() => {
  if (document.hidden || server.isAway) return;
  checkReady();
  if (!server.needsToken) introduce(); // a reload of the configuration gives other rights in silence
}, 15000);
document.addEventListener('visibilitychange', () => { if (!document.hidden) checkReady(); });

// Who is asking? ----

export async function begin() {
  const common = kept(name, token);
  const found = token ?? await soon(common) ?? undefined;
  if (found && !token) adopt(found);
  await Promise.all([checkReady(), checkVersion(), introduce(), soon(learnMost())]);
}

let introducing;

/** Asks who this is, and what there is, once at a time for a token. */
export function introduce() {
  const by = client;
  if (introducing?.by !== by) introducing = { by, done: introduceOnce(by).finally(() => { if (introducing?.by === by) introducing = undefined; }) };
  return introducing.done;
}

async function introduceOnce(by) {
  try {
    const [me, root] = await Promise.all([identity(by), by.request('GET', '/v1')]);
    if (by !== client) return; // another is asking by now
    server.me = me && { ...me, types: new Map(Object.entries(me.types ?? {})) };
    server.links = new Map(Object.entries(root.json.links));
    server.needsToken = false;
    server.isRefusedHost = false; // /readyz answers under any name
  } catch (problem) {
    if (by !== client) return;
    if (problem.status === 401 || problem.code === 'rate-limited') { // wrong, or one of too many wrong ones
      server.me = null;
      signIn();
    } else learn(problem); // what was known of the caller holds
  }
  server.tell();
}

const identity = (by) => by.request('GET', '/v1/_access/me').then(({ json }) => json, (problem) => {
  if (problem.status === 404) return null; // a server that does not tell
  throw problem;
});

/**
 * Whether the caller may read or write a type, or administer, as far as is known; `why` not. What
 * the server then answers counts.
 */
export function may(act, type) {
  if (act === 'write') {
    if (place().own.has('_ro')) return { allowed: false, why: 'This address shows without changing (_ro=1).' };
    if (server.isReadOnly) return { allowed: false, why: `The store takes no writes: ${server.store.reason || server.store.state}.` };
    if (type?.startsWith('_')) return { allowed: false, why: 'Lists of the server itself are read here, not written.' };
  }
  const { me } = server;
  if (!me || me.admin || me.open) return { allowed: true, why: null };
  if (act === 'token') return { allowed: me.name !== '', why: me.name ? null : 'A token is wanted here.' };
  const rights = me.types.get(type) ?? me.others;
  const allowed = act === 'admin' ? false : type === undefined
    ? [...me.types.values(), me.others].some((one) => one[act]) : rights[act] !== false;
  const right = act === 'admin' ? 'administration (admin: true)' : `the right to ${act} ${type === undefined ? 'any type' : `'${type}'`}`;
  return { allowed, why: allowed ? null : `${me.name ? `The token '${me.name}'` : 'Nobody in particular'} lacks ${right}.` };
}

let signing;
let declined; // the client that was given no token: it is asked for one again only where the user acts

const acted = ({ type, target }) => { if (type !== 'click' || target.closest('main button')) declined = undefined; };
for (const type of ['popstate', 'placechange', 'click']) addEventListener(type, acted, true);

/** Asks for a token, once at a time, and not where that was declined unless it `isWanted`; answers whether there is one now. */
export async function signIn(isWanted = false) {
  if (declined === client && !isWanted) return false;
  signing ??= signInOnce().finally(() => { signing = undefined; });
  return signing;
}

async function signInOnce() {
  server.needsToken = true;
  if (hasToken()) server.me = null; // it is not taken any more
  server.tell();
  const by = client;
  const module = await import('./signin.js').catch(() => null); // the server has gone meanwhile
  const isTaken = await module?.askForToken(token !== undefined, (text) => {
    keep(name, text);
    return become(text);
  });
  if (isTaken === false) declined = by;
  return isTaken === true;
}

function adopt(text) {
  token = text ?? undefined;
  server.me = null;
  store('sessionStorage', 'freshet-token', text ?? null);
  store('sessionStorage', signedOut, lastSignOut());
  client = makeClient();
}

async function become(text) {
  adopt(text);
  await introduce();
  server.tell('access', text !== null);
}

/** Forgets the token in all tabs and their worker. */
export function signOut() {
  store('localStorage', signedOut, String(Date.now()));
  keep(name, null);
  return become(null);
}

export const hasToken = () => token !== undefined;

addEventListener('storage', ({ key }) => { if (key === signedOut && token) become(null); }); // of a tab that shares no worker
onToken(name, (text) => {
  if ((text ?? undefined) === token) return;
  become(text);
  if (token) document.querySelector('[data-test=sign-in]')?.close();
});
