// Live queries of Freshet for browsers.
//
//     import { live } from '/live.js';
//     const tasks = live('/v1/tasks?filter=done==false&order=-priority&limit=20');
//     tasks.addEventListener('change', () => show(tasks.items));
//     …
//     tasks.close();
//
// Whatever is shown is exactly what the search would answer, and stays so. All tabs of an origin
// share one connection: this file is also the shared worker that holds it (where there are no shared
// workers, each tab has a connection of its own). Several queries step together, from one commit to
// a later one: `change` is told when all of them are exact. Lost connections are made again, and
// resume; nothing is missed and nothing is shown twice.
//
// A query has: items (in order), total, groups, aggregates, included, state ('connecting', 'live',
// 'reconnecting', 'failed'), problem (why it failed), source (where its data comes from).
// Events: 'change' (what is shown), 'state' (state, problem or source).

/** What one live query shows: the reducer of the protocol. */
export class Reducer {
  order = [];
  entities = new Map();
  groups = undefined;
  aggregates = undefined;
  included = undefined;
  total = undefined;
  version = -1;
  /** What a snapshot comes to whose last part has yet to come. */
  #next = undefined;

  get items() { return this.order.map((id) => this.entities.get(id)); }

  /** Takes one event; says whether what is shown may have changed. */
  apply(name, data) {
    if (name === 'snapshot') return this.#snapshot(data);
    if (name === 'delta') return this.#delta(data);
    return false;
  }

  #snapshot(data) {
    // Parts are kept aside: a connection that is lost between two of them goes on from what is shown.
    if (!data.part) this.#next = new Reducer();
    const next = this.#next;
    if (!next) return false;
    next.#add(data);
    if (data.more) return false;
    this.#next = undefined;
    Object.assign(this, next, { version: data.v });
    return true;
  }

  #add(data) {
    for (const entity of data.items ?? []) {
      this.order.push(String(entity.id));
      this.entities.set(String(entity.id), entity);
    }
    if (data.groups) this.groups = [...(this.groups ?? []), ...data.groups];
    if (Array.isArray(data.aggregates)) this.aggregates = [...(this.aggregates ?? []), ...data.aggregates];
    else if (data.aggregates) this.aggregates = data.aggregates;
    this.#include(data.included);
    if (data.total !== undefined) this.total = data.total;
  }

  #delta(data) {
    if (data.to <= this.version) return false;
    const removed = Object.keys(data.remove ?? {});
    const placed = (data.place ?? []).map(([id, at]) => [String(id), at]).sort((a, b) => a[1] - b[1]);
    const out = new Set([...removed, ...placed.map(([id]) => id)]);
    this.order = this.order.filter((id) => !out.has(id));
    for (const [id, at] of placed) this.order.splice(at, 0, id);
    for (const id of removed) this.entities.delete(id);
    for (const entity of data.put ?? []) this.entities.set(String(entity.id), entity);
    for (const [type, ids] of Object.entries(data.dropped ?? {})) {
      for (const id of ids) delete this.included?.[type]?.[id];
    }
    this.#include(data.included);
    if (data.total !== undefined) this.total = data.total;
    this.version = data.to;
    return true;
  }

  #include(included) {
    for (const [type, entities] of Object.entries(included ?? {})) {
      this.included ??= {};
      this.included[type] = { ...this.included[type], ...entities };
    }
  }

  /** The one event that makes an empty reducer equal to this. */
  get snapshot() {
    const { items, groups, aggregates, included, total, version } = this;
    return { v: version, part: 0, more: false, items, groups, aggregates, included, total };
  }
}

/**
 * Watches a query; `url` is the address of a search or of one entity.
 * `token`: a bearer token, where the server wants one.
 */
export function live(url, { token } = {}) {
  return new LiveQuery(new URL(url, location.href), token);
}

class LiveQuery extends EventTarget {
  state = 'connecting';
  problem = undefined;
  source = undefined;
  #reducer = new Reducer();
  #hub;
  #key;

  constructor(url, token) {
    super();
    if (url.origin !== location.origin) throw new TypeError('a live query is of the page\'s own origin');
    this.#key = url.pathname + url.search;
    this.#hub = connectHub();
    this.#hub.open(this, this.#key, token);
  }

  get items() { return this.#reducer.items; }
  get total() { return this.#reducer.total; }
  get groups() { return this.#reducer.groups; }
  get aggregates() { return this.#reducer.aggregates; }
  get included() { return this.#reducer.included; }

  close() { this.#hub.close(this, this.#key); }

  /** Takes a batch of what the hub has for this query; answers the events that tell of it. */
  take(messages) {
    const events = new Set();
    for (const [name, data] of messages) {
      if (name === 'state') {
        Object.assign(this, data);
        events.add('state');
      } else if (this.#reducer.apply(name, data)) {
        events.add('change');
      }
    }
    return [...events].map((name) => () => this.dispatchEvent(new Event(name)));
  }
}

// The page's end of the one connection ---------------------------------------------------------

let hub;

function connectHub() {
  hub ??= typeof SharedWorker === 'undefined' ? new LocalHub() : new WorkerHub();
  return hub;
}

/** Queries of this page by key, before a hub of any kind. */
class PageQueries {
  #queries = new Map();

  /** Says whether it is the first of its key. */
  add(query, key) {
    const all = this.#queries.get(key);
    if (all) all.add(query);
    else this.#queries.set(key, new Set([query]));
    return !all;
  }

  /** Says whether it was the last of its key. */
  remove(query, key) {
    const all = this.#queries.get(key);
    if (!all?.delete(query) || all.size) return false;
    return this.#queries.delete(key);
  }

  /** Takes batches of several queries in, and tells of them when all are. */
  receive(batches) {
    const tell = batches.flatMap(([key, messages]) => [...this.#queries.get(key) ?? []].flatMap((query) => query.take(messages)));
    for (const event of tell) event();
  }
}

class WorkerHub {
  #queries = new PageQueries();
  #port;

  constructor() {
    this.#port = new SharedWorker(import.meta.url, { type: 'module', name: 'freshet-live' }).port;
    this.#port.onmessage = ({ data }) => this.#queries.receive(data);
    addEventListener('pagehide', () => this.#port.postMessage({ leave: true }));
    addEventListener('pageshow', ({ persisted }) => { if (persisted) location.reload(); });
  }

  open(query, key, token) {
    this.#queries.add(query, key);
    // Told for each: one that joins later gets what there is.
    this.#port.postMessage({ open: key, token });
  }

  close(query, key) {
    if (this.#queries.remove(query, key)) this.#port.postMessage({ close: key });
  }
}

class LocalHub {
  #queries = new PageQueries();
  #connection = new Connection();

  open(query, key, token) {
    this.#queries.add(query, key);
    this.#connection.open(key, this, (batches) => this.#queries.receive(batches), token);
  }

  close(query, key) {
    if (this.#queries.remove(query, key)) this.#connection.close(key, this);
  }
}

// The connection -------------------------------------------------------------------------------

/** One session with all queries of the origin; runs in the shared worker, or in the page. */
class Connection {
  #queries = new Map(); // key → { alias, reducer, listeners: Map(owner → deliver), state, problem, source }
  #aliases = new Map();
  #next = 0;
  #token;
  #session;
  #events;
  #retryAfter = 1000;
  #work = Promise.resolve();

  open(key, owner, deliver, token) {
    if (token !== undefined) this.#token = token;
    let query = this.#queries.get(key);
    if (query) {
      query.listeners.set(owner, deliver);
      const { state, problem, source } = query;
      const messages = [['state', { state, problem, source }]];
      if (query.reducer.version >= 0) messages.unshift(['snapshot', query.reducer.snapshot]);
      deliver([[key, messages]]);
      return;
    }
    query = { key, alias: `q${this.#next++}`, reducer: new Reducer(), listeners: new Map([[owner, deliver]]), state: 'connecting', waiting: [] };
    this.#queries.set(key, query);
    this.#aliases.set(query.alias, query);
    this.#enqueue(() => this.#add(key, query));
  }

  close(key, owner) {
    const query = this.#queries.get(key);
    if (!query?.listeners.delete(owner) || query.listeners.size) return;
    this.#queries.delete(key);
    this.#aliases.delete(query.alias);
    this.#enqueue(() => this.#session && this.#call('PATCH', this.#session, { queries: { [query.alias]: null } }));
    if (!this.#queries.size) this.#enqueue(() => this.#queries.size || this.#end());
  }

  /** Ends all that `owner` has. */
  leave(owner) {
    for (const [key, query] of this.#queries) if (query.listeners.has(owner)) this.close(key, owner);
  }

  /** Changes of the session happen one after the other. */
  #enqueue(step) {
    this.#work = this.#work.then(step).catch(() => this.#startAnew());
  }

  async #call(method, path, body) {
    const headers = { 'Content-Type': 'application/json' };
    if (this.#token) headers.Authorization = `Bearer ${this.#token}`;
    return fetch(path, { method, headers, body: body && JSON.stringify(body) });
  }

  async #add(key, query) {
    if (this.#queries.get(key) !== query) return;
    if (!this.#session) return this.#begin();
    const answer = await this.#call('PATCH', this.#session, { queries: { [query.alias]: key } });
    if (answer.status === 404) return this.#startAnew();
    if (!answer.ok) await this.#refused([query], answer);
  }

  /** A new session with every query. */
  async #begin() {
    const wanted = [...this.#queries].filter(([, query]) => query.state !== 'failed');
    if (!wanted.length) return;
    let answer = await this.#call('POST', '/v1/_live', { queries: Object.fromEntries(wanted.map(([key, query]) => [query.alias, key])) });
    if (answer.status >= 500 || answer.status === 429) throw new Error('later');
    if (!answer.ok && wanted.length > 1) {
      // One of them is at fault: a session without any, then each on its own.
      answer = await this.#call('POST', '/v1/_live', { queries: {} });
      if (!answer.ok) return this.#refused(wanted.map(([, query]) => query), answer);
      this.#listen(await answer.json());
      for (const [key, query] of wanted) await this.#add(key, query);
      return;
    }
    if (!answer.ok) return this.#refused(wanted.map(([, query]) => query), answer);
    this.#listen(await answer.json());
  }

  async #refused(queries, answer) {
    if (answer.status >= 500 || answer.status === 429) throw new Error('later');
    const problem = await answer.json().catch(() => ({ status: answer.status, detail: answer.statusText }));
    for (const query of queries) this.#tell(query, { state: 'failed', problem });
  }

  #listen({ session, url }) {
    this.#session = `/v1/_live/${session}`;
    const events = this.#events = new EventSource(url);
    events.onopen = () => { this.#retryAfter = 1000; };
    events.onerror = () => {
      if (events !== this.#events) return;
      for (const query of this.#queries.values()) if (query.state === 'live') this.#tell(query, { state: 'reconnecting' });
      // The browser connects again by itself, unless the server has refused it for good.
      if (events.readyState === EventSource.CLOSED) this.#startAnew();
    };
    for (const name of ['snapshot', 'delta', 'source', 'fault', 'sync', 'bye']) {
      events.addEventListener(name, ({ data }) => { if (events === this.#events) this.#take(name, JSON.parse(data)); });
    }
  }

  #take(name, data) {
    if (name === 'sync') return this.#release([...this.#queries]);
    if (name === 'bye') {
      // The session has another stream by now: it is not this connection's to end.
      if (data.reason === 'replaced') this.#session = undefined;
      if (['session-ended', 'token-expired', 'replaced'].includes(data.reason)) this.#startAnew();
      else if (data.reconnect === false) {
        this.#end();
        for (const query of this.#queries.values()) this.#tell(query, { state: 'failed', problem: { detail: data.reason } });
      }
      return;
    }
    const query = this.#aliases.get(data.q);
    if (!query) return;
    if (name === 'source') return this.#tell(query, { source: data });
    if (name === 'fault') return this.#tell(query, { problem: data, state: data.final ? 'failed' : query.state });
    const isFirst = query.reducer.version < 0;
    query.reducer.apply(name, data);
    query.waiting.push([name, data]);
    // Nothing stands beside a first snapshot that it could disagree with.
    if (isFirst && query.reducer.version >= 0) this.#release([[query.key, query]]);
  }

  /** Hands out what has come for some queries, to each owner at once: it sees one commit of all. */
  #release(queries) {
    const batches = new Map(); // owner → [deliver, batches]
    for (const [key, query] of queries) {
      if (query.state !== 'live' && query.state !== 'failed' && query.reducer.version >= 0) {
        query.state = 'live';
        query.waiting.push(['state', { state: 'live', problem: undefined }]);
      }
      if (!query.waiting.length) continue;
      for (const [owner, deliver] of query.listeners) {
        if (!batches.has(owner)) batches.set(owner, [deliver, []]);
        batches.get(owner)[1].push([key, query.waiting]);
      }
      query.waiting = [];
    }
    for (const [deliver, all] of batches.values()) deliver(all);
  }

  #tell(query, change) {
    Object.assign(query, change);
    for (const deliver of query.listeners.values()) deliver([[query.key, [['state', change]]]]);
  }

  /** The session is lost: a new one after a while, spread so that not all come at once. */
  #startAnew() {
    this.#end();
    const wait = this.#retryAfter * (0.5 + Math.random() / 2);
    this.#retryAfter = Math.min(this.#retryAfter * 2, 30000);
    setTimeout(() => this.#enqueue(() => this.#session ?? this.#begin()), wait);
  }

  #end() {
    this.#events?.close();
    this.#events = undefined;
    if (this.#session) this.#call('DELETE', this.#session).catch(() => {});
    this.#session = undefined;
  }
}

// As a shared worker ---------------------------------------------------------------------------

if (typeof SharedWorkerGlobalScope !== 'undefined' && self instanceof SharedWorkerGlobalScope) {
  const connection = new Connection();
  self.onconnect = ({ ports: [port] }) => {
    port.onmessage = ({ data }) => {
      if (data.leave) connection.leave(port);
      else if (data.open) connection.open(data.open, port, (batches) => port.postMessage(batches), data.token);
      else if (data.close) connection.close(data.close, port);
    };
  };
}
