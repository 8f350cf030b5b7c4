// Live queries of Freshet for browsers: /docs/browser shows how, /freshet.d.ts has the types.
//
// This file is also the shared worker that holds the one connection of all tabs; where there are no shared workers,
// each tab has a connection of its own. Queries step together, from one commit to a later one: `change` is told
// when all of them are exact. Ids are told apart by their text.

import { Reducer } from './reducer.js';
import { MOST_QUERIES, Session } from './session.js';

/** The version of what pages and worker tell each other. */
const MESSAGES = 1;
/** How long a hidden tab goes on, in milliseconds. */
const HIDDEN = 60000;
/** How many events are kept for those who listen later, and how many characters of each. */
const MOST_FRAMES = 200;
const MOST_TEXT = 1 << 16;

/** Watches a query of the page's own origin; `url` is the address of a search or of one entity. */
export function live(url, { token, throttle, name } = {}) {
  const address = new URL(url, location.href);
  if (address.origin !== location.origin) throw new TypeError('a live query is of the page\'s own origin');
  return connection(name).watch(address.pathname + address.search, { token, throttle });
}

/** Hands out the raw events, the last 200 first; answers what ends that. */
export const frames = (name, listener) => connection(name).listenToFrames(listener);
/** Gives a token to all tabs, in the worker's memory; null takes it from them and ends its streams. */
export const keep = (name, token) => connection(name).post({ keep: token });
/** The token that the tabs have. A page that has its `own` gives it where they have none, and is told of a sign-out. */
export const kept = (name, own) => connection(name).kept(own);
/** Tells when a tab gives or takes the token; answers what ends that. */
export const onToken = (name, listener) => connection(name).listenToToken(listener);
/** Connects now where the connection waits to be made again. */
export const reconnect = (name) => connection(name).post({ reconnect: true });

const connections = new Map();

function connection(name = 'freshet') {
  if (!connections.has(name)) connections.set(name, new Connection(location.origin, name));
  return connections.get(name);
}

// The page's end ----

/** What queries of this page, or of a program, are watched over. */
export class Connection {
  #queries = new Map(); // number → { query, opening }: the message that opens it
  #count = 0;
  #post;
  #token; // as it was last given or told
  #frameListeners = new Set();
  #tokenListeners = new Set();

  /**
   * @param {string} base the server's origin
   * @param {string} [name] of the shared worker; without one the connection is this page's own
   */
  constructor(base, name) {
    let isShared = name && globalThis.SharedWorker;
    try {
      if (isShared) this.#share(base, name);
    } catch {
      isShared = false; // what a page may keep is blocked
    }
    if (!isShared) this.#own(base);
    if (!globalThis.document) return;
    let hiding;
    const look = () => {
      clearTimeout(hiding);
      if (document.hidden) hiding = setTimeout(() => this.post({ isAwake: false }), HIDDEN);
      else this.post({ isAwake: true });
    };
    document.addEventListener('visibilitychange', look);
    if (document.hidden) look();
    addEventListener('pagehide', () => this.post({ leave: true }));
    addEventListener('pageshow', ({ persisted }) => { if (persisted) location.reload(); });
  }

  /** A worker that has ended is made anew; one that never answered is done without. */
  #share(base, name, isAnew) {
    const worker = new SharedWorker(import.meta.url, { type: 'module', name: `${name}-${MESSAGES}` });
    let hasAnswered = false;
    const lose = () => {
      if (!worker.port.onmessage) return;
      worker.onerror = worker.port.onmessage = null;
      worker.port.postMessage({ leave: true });
      if (hasAnswered) this.#share(base, name, true);
      else this.#own(base);
      this.#beginAnew();
    };
    worker.onerror = () => { if (!hasAnswered) lose(); };
    worker.port.onmessage = ({ data }) => {
      hasAnswered = true;
      if (data.lock) navigator.locks.request(data.lock, lose); // it is free when the worker has ended
      else this.#receive(data);
    };
    if (isAnew) setTimeout(() => { if (!hasAnswered) lose(); }, 2000); // it was the one before, at its end
    this.#post = (message) => worker.port.postMessage(message);
  }

  #own(base) {
    const hub = new Hub(base);
    const tab = hub.join((message) => this.#receive(message));
    this.#post = (message) => hub.receive(tab, message);
  }

  /** Tells a new end what the one before it was told; queries that have ended stay so. */
  #beginAnew() {
    const lost = [...this.#queries].filter(([, { query: { state } }]) => ['connecting', 'live', 'reconnecting'].includes(state));
    this.#receive({ batch: lost.map(([number]) => [number, [['state', { state: 'reconnecting', retryAt: undefined }]]]) });
    this.post({ isAwake: !document.hidden, wantsFrames: this.#frameListeners.size > 0, kept: this.#token ?? undefined });
    for (const { query, opening } of this.#queries.values()) if (query.state === 'reconnecting') this.post(opening);
  }

  post(message) { this.#post(message); }

  watch(url, { token, throttle }) {
    const number = this.#count++;
    const query = new LiveQuery(this, number, url, () => this.#queries.delete(number));
    const opening = { open: number, url, token: token ?? null, throttle: throttle ?? null };
    this.#queries.set(number, { query, opening });
    this.post(opening);
    return query;
  }

  listenToFrames(listener) {
    this.#frameListeners.add(listener);
    this.post({ wantsFrames: true });
    return () => {
      this.#frameListeners.delete(listener);
      this.post({ wantsFrames: this.#frameListeners.size > 0 });
    };
  }

  listenToToken(listener) {
    this.#tokenListeners.add(listener);
    return () => this.#tokenListeners.delete(listener);
  }

  kept(own = null) {
    return new Promise((resolve) => {
      const stop = this.listenToToken((token) => {
        stop();
        resolve(token);
      });
      this.#token = own;
      this.post({ kept: own });
    });
  }

  /** Takes what several queries are told in, and tells their listeners when all are. */
  #receive({ batch = [], frame, token }) {
    const tell = batch.flatMap(([number, messages]) => this.#queries.get(number)?.query.take(messages) ?? []);
    for (const event of tell) event();
    // A listener that throws ends no stream.
    if (frame) for (const listener of this.#frameListeners) queueMicrotask(() => listener(frame));
    if (token !== undefined) this.#token = token;
    if (token !== undefined) for (const listener of [...this.#tokenListeners]) listener(token);
  }
}

/**
 * A query that is watched. Events: `change` (what is shown; `detail` has what differs), `state`
 * (state, problem or source), `sync` (everything shown is exact at a later cursor).
 */
class LiveQuery extends EventTarget {
  #connection;
  #number;
  #url;
  #forget;
  #reducer = new Reducer(true);
  /** @type {'connecting' | 'live' | 'reconnecting' | 'failed'} */
  state = 'connecting';
  problem = undefined;
  source = undefined;
  #isClosed = false;
  /** When a lost connection is made again, in milliseconds of `Date.now()`. */
  retryAt = undefined;
  /** The cursor at which what is shown was last said to be exact, and when that was. */
  at = undefined;
  syncedAt = undefined;

  constructor(connection, number, url, forget) {
    super();
    this.#connection = connection;
    this.#number = number;
    this.#url = url;
    this.#forget = forget;
  }

  get ids() { return this.#reducer.ids; }
  get items() { return this.#reducer.items; }
  get total() { return this.#reducer.total; }
  get truncated() { return this.#reducer.truncated; }
  get groups() { return this.#reducer.groups; }
  get groupsText() { return this.#reducer.groupsText; }
  get aggregates() { return this.#reducer.aggregates; }
  get aggregatesText() { return this.#reducer.aggregatesText; }
  get included() { return this.#reducer.included; }
  text(id) { return this.#reducer.text(id); }
  includedText(type, id) { return this.#reducer.includedText(type, id); }

  close() {
    this.#forget();
    this.#connection.post({ close: this.#number });
    this.#isClosed = true;
    this.dispatchEvent(new Event('closed'));
  }

  /** Resolves when what is shown has the write that answered this cursor. */
  reaches(cursor) {
    const [epoch, seq] = cursor.split('.');
    const before = this.at?.split('.')[0];
    const isThere = () => {
      const [ours, reached] = this.at?.split('.') ?? [];
      if (ours === epoch) return +reached >= +seq;
      if (ours !== before) throw new Error('the store has begun anew since that write');
    };
    return new Promise((resolve, reject) => {
      const look = () => {
        try {
          if (this.#isClosed) throw new Error('the query was closed');
          if (this.state === 'failed') throw new Error(this.problem?.detail ?? 'the query has failed');
          if (!isThere()) return;
          resolve();
        } catch (error) {
          reject(error);
        }
        for (const name of looks) this.removeEventListener(name, look);
      };
      const looks = ['sync', 'state', 'closed'];
      for (const name of looks) this.addEventListener(name, look);
      look();
      if (this.#isClosed) return;
      // A write that changes nothing of the query is told by no event: the server is asked for one.
      this.#connection.post({ mark: this.#number, url: `${this.#url.split(/[/?]/, 3).join('/')}?limit=0${this.#url.startsWith('/v1/_') ? '' : '&source=local'}` });
    });
  }

  /** Takes messages in; answers what is to be done when all queries have done so. */
  take(messages) {
    const events = new Map();
    for (const [name, data] of messages) {
      if (name === 'state' || name === 'sync') {
        Object.assign(this, data);
        events.set(name, () => new Event(name));
      } else if (this.#reducer.apply(name, data)) {
        events.set('change', () => new CustomEvent('change', { detail: this.#reducer.takeChange() }));
      }
    }
    return [...events.values()].map((make) => () => this.dispatchEvent(make()));
  }
}

// The worker's end, or that of a page alone ----

/** Whether a tab watches anything by that token. */
const hears = (tab, token) => [...tab.watches.values()].some(({ session }) => session.token === token);

/** All tabs of an origin, and their sessions: one for each token and hundred queries. */
class Hub {
  #base;
  #tabs = new Set();
  #sessions = [];
  #token; // null where it was taken from all
  /** The last events, for who listens later, each with the token of its stream; long texts are cut. */
  #frames = [];

  constructor(base) { this.#base = base; }

  /** A tab that is told messages by `post`; its own come by `receive`. @returns {Tab} */
  join(post) {
    const tab = { post, isAwake: true, wantsFrames: false, watches: new Map() };
    this.#tabs.add(tab);
    return tab;
  }

  receive(tab, message) {
    if (message.open !== undefined) this.#open(tab, message);
    if (message.close !== undefined) this.#close(tab, message.close);
    if (message.mark !== undefined) tab.watches.get(message.mark)?.session.mark(message.url);
    if (message.isAwake !== undefined) {
      tab.isAwake = message.isAwake;
      for (const session of this.#sessions) session.settle();
    }
    if (message.wantsFrames !== undefined) {
      if (message.wantsFrames && !tab.wantsFrames) for (const [token, frame] of this.#frames) if (hears(tab, token)) tab.post({ frame });
      tab.wantsFrames = message.wantsFrames;
    }
    if (message.reconnect) for (const session of this.#sessions) session.reconnect();
    if (message.keep !== undefined) this.#keep(message.keep);
    if (message.kept !== undefined) {
      // A tab with a token of its own keeps it, unless all have signed out.
      if (message.kept !== null && this.#token !== null) this.#token ??= message.kept;
      else tab.post({ token: this.#token ?? null });
    }
    if (message.leave) {
      for (const number of [...tab.watches.keys()]) this.#close(tab, number);
      this.#tabs.delete(tab);
      for (const session of this.#sessions) session.settle();
    }
  }

  #open(tab, { open, url, token, throttle }) {
    const fits = (one) => one.token === token && one.throttle === throttle;
    let session = this.#sessions.find((one) => fits(one) && one.queries.has(url))
      ?? this.#sessions.find((one) => fits(one) && one.queries.size < MOST_QUERIES);
    if (!session) {
      session = new Session(this.#base, token, throttle, {
        frame: (frame) => this.#hand(frame, token),
        ended: () => { this.#sessions = this.#sessions.filter((one) => one !== session); },
      });
      this.#sessions.push(session);
    }
    tab.watches.set(open, session.watch(url, tab, open));
  }

  /** Hands an event to the tabs that listen, and keeps it for others: a copy, as a slice would keep all. */
  #hand(frame, token) {
    for (const one of this.#tabs) if (one.wantsFrames && hears(one, token)) one.post({ frame });
    this.#frames.push([token, { ...frame, size: frame.text.length, text: JSON.parse(JSON.stringify(frame.text.slice(0, MOST_TEXT))) }]);
    if (this.#frames.length > MOST_FRAMES) this.#frames.shift();
  }

  #close(tab, number) {
    const query = tab.watches.get(number);
    tab.watches.delete(number);
    query?.session.leave(query, tab, number);
  }

  /** Another token for all tabs. What only the one before it opened ends at once. */
  #keep(token) {
    const before = this.#token;
    this.#token = token;
    if (before && before !== token) {
      this.#frames = [];
      const problem = { code: 'signed-out', detail: 'the token was taken from all tabs' };
      for (const session of this.#sessions) if (session.token === before) session.end(problem);
    }
    for (const tab of this.#tabs) tab.post({ token });
  }
}

if (typeof SharedWorkerGlobalScope !== 'undefined' && self instanceof SharedWorkerGlobalScope) {
  const hub = new Hub(location.origin);
  // Whoever gets this lock knows that the worker has ended. Plain origins have none.
  const lock = `freshet-${Math.random()}`;
  const isHeld = new Promise((resolve) => navigator.locks?.request(lock, () => (resolve(), new Promise(() => {}))));
  self.onconnect = ({ ports: [port] }) => {
    const tab = hub.join((message) => port.postMessage(message));
    port.onmessage = ({ data }) => hub.receive(tab, data);
    isHeld.then(() => port.postMessage({ lock }));
    // A tab that has crashed says nothing; browsers that know tell so.
    port.addEventListener('close', () => hub.receive(tab, { leave: true }));
  };
}
