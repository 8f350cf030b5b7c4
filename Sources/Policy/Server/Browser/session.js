// A session of live queries (`/v1/_live`): up to a hundred queries of any number of tabs over one stream. Events
// are handed on when a `sync` says that all queries are exact at one commit: a tab never sees half of one.

import { Reducer, memberTexts } from './reducer.js';

export const MOST_QUERIES = 100;
/** How long a query stays when its last tab has let it go, in milliseconds. */
const LINGER = 2000;
const LEAST_WAIT = 1000;
const MOST_WAIT = 30000;
/** A stream silent for so long is lost: heartbeats come each 15 s. */
const MOST_SILENCE = 40000;

/** A query of a session: what it shows, and who watches it. */
class Query {
  reducer = new Reducer();
  watchers = new Set(); // { tab, number }
  state = 'connecting';
  problem = undefined;
  source = undefined;
  retryAt = undefined;
  /** Messages that the next cut hands out. */
  waiting = [];

  constructor(session, url, alias) {
    this.session = session;
    this.url = url;
    this.alias = alias;
  }

  get isAwake() { return [...this.watchers].some(({ tab }) => tab.isAwake); }
}

/** A refusal that may pass. */
class Later extends Error {
  constructor(problem, seconds) {
    super('later');
    this.problem = problem;
    this.wait = (Number(seconds) || 0) * 1000;
  }
}

export class Session {
  queries = new Map(); // url → Query
  #base;
  #events;
  #path;
  #address;
  /** Aliases that the server's session has. */
  #held = new Set();
  #marks = new Set();
  #count = 0;
  #stream;
  /** Why the stream ends, where it has said so. */
  #fault;
  #at;
  /** The last cursor of the session before this one. */
  #before;
  #syncedAt;
  #wait = LEAST_WAIT;
  #retry;
  #silence;
  #work = Promise.resolve();
  #hasEnded = false;

  constructor(base, token, throttle, events) {
    this.#base = base;
    this.token = token;
    this.throttle = throttle;
    this.#events = events;
  }

  // Its queries ----

  watch(url, tab, number) {
    let query = this.queries.get(url);
    if (!query || query.state === 'failed') {
      query = new Query(this, url, `q${this.#count++}`);
      this.queries.set(url, query);
    }
    query.watchers.add({ tab, number });
    const messages = [['state', { state: query.state, problem: query.problem, source: query.source, retryAt: query.retryAt }]];
    if (query.reducer.version >= 0) messages.unshift(['snapshot', query.reducer.snapshot], ['sync', this.#cut]);
    tab.post({ batch: [[number, messages]] });
    this.settle();
    return query;
  }

  leave(query, tab, number) {
    for (const one of query.watchers) if (one.tab === tab && one.number === number) query.watchers.delete(one);
    if (query.watchers.size) return this.settle();
    setTimeout(() => {
      if (query.watchers.size || this.queries.get(query.url) !== query) return;
      this.queries.delete(query.url);
      this.settle();
    }, LINGER);
  }

  /** Has the server tell a cut that is not before this moment, by a query that is new to it. */
  mark(url) {
    this.#enqueue(async () => {
      if (!this.#path) return;
      const alias = `m${this.#count++}`;
      this.#marks.add(alias);
      await this.#call('PATCH', this.#path, { queries: { [alias]: url } });
    });
  }

  /** Connects now instead of later. */
  reconnect() {
    if (!this.#retry) return;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.settle();
  }

  // The session of the server ----

  /** Makes the session and its stream what the tabs want, by the request that lacks. */
  settle() { this.#enqueue(() => this.#settle()); }

  /** Steps happen one after the other; behind one that fails it is not known what the session has. */
  #enqueue(step) {
    this.#work = this.#work.then(step).catch((fault) => {
      this.#forgetSession();
      this.#lose(fault);
    });
  }

  async #settle() {
    if (this.#hasEnded) return;
    if (!this.queries.size) return this.end();
    const queries = [...this.queries.values()];
    // Where all tabs sleep the stream is closed, and the session is kept for the first that wakes.
    if (!queries.some((query) => query.isAwake)) return this.#stop();
    if (this.#retry) return;
    const wanted = queries.filter((query) => query.isAwake && query.state !== 'failed');
    const missing = wanted.filter(({ alias }) => !this.#held.has(alias));
    const aliases = new Set(wanted.map(({ alias }) => alias));
    const spare = [...this.#held].filter((alias) => !aliases.has(alias));
    for (const query of queries) if (!query.isAwake || spare.includes(query.alias)) this.#drop(query);
    if (missing.length || spare.length) await this.#change(missing, spare);
    if (this.#hasEnded) return this.end();
    if (this.#path && !this.#stream) this.#listen();
  }

  /** Adds and removes queries, in a new session where there is none. */
  async #change(added, removed) {
    const isNew = !this.#path;
    // Queries that show something go on where the session before this one was.
    const shown = isNew && this.#before ? added.filter(({ reducer }) => reducer.version >= 0) : [];
    const since = shown.length ? this.#before : undefined;
    // Marks give their places to queries, whose own cut tells no less.
    const marks = isNew || !added.length ? [] : [...this.#marks];
    const wanted = [...(since ? shown : added).map(({ alias, url }) => [alias, url]),
      ...isNew ? [] : [...removed, ...marks].map((alias) => [alias, null])];
    const answer = await this.#call(isNew ? 'POST' : 'PATCH', this.#path ?? '/v1/_live', { queries: Object.fromEntries(wanted), since });
    if (answer.ok) {
      if (isNew) {
        const { session, url } = await answer.json();
        this.#path = `/v1/_live/${session}`;
        this.#address = url;
        this.#before = undefined;
      }
      for (const [alias, url] of wanted) this.#held[url ? 'add' : 'delete'](alias);
      for (const mark of marks) this.#marks.delete(mark);
      return since ? this.settle() : undefined;
    }
    const problem = await problemOf(answer);
    const atFault = added.find(({ alias }) => alias === problem.q);
    // What another server has alone is refused here for good; the other queries go on.
    const isElsewhere = atFault && problem.code === 'not-leader';
    if (!isElsewhere && (answer.status >= 500 || answer.status === 429)) throw new Later(problem, answer.headers.get('retry-after'));
    if (!atFault && !isNew && (answer.status === 404 || !added.length)) {
      this.#forgetSession();
      this.#stop();
    } else this.#refuse(atFault ? [atFault] : added, { ...problem, detail: problem.detail.replace(/^query '.*?': /, '') });
    this.settle();
  }

  async #call(method, path, body) {
    const headers = { 'Content-Type': 'application/json' };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    return fetch(new URL(path, this.#base), { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(MOST_SILENCE) });
  }

  /** What sleeps falls behind: it begins anew when it wakes, under an alias that the stream does not know. */
  #drop(query) {
    query.alias = `q${this.#count++}`;
    query.reducer = new Reducer();
    query.waiting = [];
    if (query.state === 'live') this.#tell(query, { state: 'connecting' });
  }

  #refuse(queries, problem) {
    for (const query of queries) this.#tell(query, { state: 'failed', problem, retryAt: undefined });
  }

  #forgetSession() {
    this.#before = this.#at ?? this.#before;
    this.#path = this.#at = undefined;
    this.#held.clear();
    this.#marks.clear();
  }

  /** The connection is lost or refused: again after a while, spread so that not all come at once. */
  #lose(fault, least = 0) {
    this.#stop();
    if (this.#hasEnded || this.#retry) return;
    const wait = Math.max(this.#wait * (0.5 + Math.random() / 2), fault?.wait ?? 0, least);
    this.#wait = Math.min(this.#wait * 2, MOST_WAIT);
    const retryAt = Date.now() + wait;
    for (const query of this.queries.values()) {
      if (query.state !== 'failed') this.#tell(query, { state: 'reconnecting', problem: fault?.problem, retryAt });
    }
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.settle();
    }, wait);
  }

  #stop() {
    clearTimeout(this.#silence);
    this.#stream?.abort();
    this.#stream = undefined;
  }

  /** @param {object} [problem] of queries that are watched still */
  end(problem) {
    this.#hasEnded = true;
    if (problem) this.#refuse([...this.queries.values()], problem);
    clearTimeout(this.#retry);
    this.#stop();
    // The server forgets it by itself where this does not reach it.
    if (this.#path) this.#call('DELETE', this.#path).catch(() => {});
    this.#forgetSession();
    this.#events.ended();
  }

  // Its stream ----

  async #listen() {
    const stream = this.#stream = new AbortController();
    this.#fault = undefined;
    const url = new URL(this.#address, this.#base);
    const asked = { heartbeat: 15, since: this.#at, throttle: this.throttle };
    for (const name in asked) if (asked[name]) url.searchParams.set(name, asked[name]);
    let fault;
    try {
      const options = { headers: { Accept: 'text/event-stream' }, cache: 'no-store', signal: stream.signal };
      this.#awaitNews(stream);
      const answer = await fetch(url, options);
      if (answer.status === 200) {
        await this.#read(answer.body.pipeThrough(new TextDecoderStream()).getReader(), stream);
      } else {
        fault = await this.#refused(answer);
      }
    } catch (error) {
      // Lost or stopped: there is no more to know than that it has ended.
    }
    if (stream === this.#stream) this.#lose(fault);
  }

  async #refused(answer) {
    const problem = await problemOf(answer);
    if (answer.status >= 500 || answer.status === 429) return new Later(problem, answer.headers.get('retry-after'));
    this.#forgetSession();
    if (answer.status !== 404 && answer.status !== 204) this.#refuse([...this.queries.values()], problem);
    return undefined;
  }

  #awaitNews(stream) {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => stream.abort(), MOST_SILENCE);
  }

  async #read(reader, stream) {
    for (let rest = ''; ;) {
      this.#awaitNews(stream);
      const { value, done } = await reader.read();
      if (done || stream !== this.#stream) return;
      rest += value;
      const end = rest.lastIndexOf('\n\n');
      if (end < 0) continue;
      for (const block of rest.slice(0, end).split('\n\n')) {
        if (stream === this.#stream) this.#take(eventOf(block));
      }
      rest = rest.slice(end + 2);
    }
  }

  #take({ name, data, id }) {
    if (data === undefined) {
      // A heartbeat: everything is exact at its cursor, too.
      if (id) this.#sync(id, []);
      return;
    }
    const text = name === 'hello' || name === 'sync' || name === 'bye' ? undefined : memberTexts(data).get('q');
    const query = text && this.#queryOf(JSON.parse(text));
    this.#events.frame({ kind: name, q: query?.url ?? null, id: id ?? null, text: data, at: Date.now() });
    if (name === 'hello') this.#wait = LEAST_WAIT;
    if (name === 'sync') this.#sync(id ?? JSON.parse(data).at, [...this.queries.values()]);
    if (name === 'bye') this.#bye(JSON.parse(data));
    if (!text && name === 'fault') this.#fault = { problem: JSON.parse(data) };
    if (!query) return;
    if (name === 'snapshot' || name === 'delta') return this.#apply(query, name, data);
    const news = JSON.parse(data);
    if (name === 'source') this.#tell(query, { source: news });
    if (name === 'fault') {
      if (news.final) this.#held.delete(query.alias);
      this.#tell(query, { problem: news, state: news.final ? 'failed' : query.state });
    }
  }

  #queryOf(alias) {
    for (const query of this.queries.values()) if (query.alias === alias) return query;
    return undefined;
  }

  #bye({ reason, reconnect, after }) {
    if (reason === 'max-age') {
      this.#stop();
      return this.settle();
    }
    // A session that has lost its right is asked for anew, because that answer says what lacks.
    const isAnew = ['session-ended', 'replaced', 'token-expired', 'access'].includes(reason);
    if (isAnew || !reconnect) this.#forgetSession();
    if (!isAnew && !reconnect) {
      this.#refuse([...this.queries.values()], { code: reason, detail: `the server has ended the stream: ${reason}` });
    }
    this.#lose(this.#fault, after);
  }

  #apply(query, name, text) {
    const isFirst = query.reducer.version < 0;
    if (!query.isAwake) return this.#drop(query);
    if (isFirst && name === 'delta') return;
    query.reducer.apply(name, text);
    query.waiting.push([name, text]);
    // Nothing stands beside a first snapshot that it could disagree with.
    if (isFirst && query.reducer.version >= 0) this.#release([query], []);
  }

  get #cut() { return { at: this.#at, syncedAt: this.#syncedAt }; }

  #sync(id, queries) {
    this.#at = id;
    this.#syncedAt = Date.now();
    this.#release(queries, [['sync', this.#cut]]);
    if (!this.#marks.size) return;
    const told = [...this.#marks];
    this.#enqueue(async () => {
      const gone = told.filter((mark) => this.#marks.delete(mark)).map((alias) => [alias, null]);
      if (this.#path && gone.length) await this.#call('PATCH', this.#path, { queries: Object.fromEntries(gone) });
    });
  }

  /** Hands out what has come for some queries, to each tab at once: it sees one commit of all. */
  #release(released, news) {
    const batches = new Map(); // tab → batch
    for (const query of this.queries.values()) {
      const messages = released.includes(query) ? query.waiting.splice(0) : [];
      if (released.includes(query) && query.state !== 'failed' && query.reducer.version >= 0) {
        const isNews = query.state !== 'live' || query.problem !== undefined;
        Object.assign(query, { state: 'live', problem: undefined, retryAt: undefined });
        if (isNews) messages.push(['state', { state: 'live', problem: undefined, retryAt: undefined }]);
      }
      if (query.reducer.version >= 0) messages.push(...news);
      if (!messages.length) continue;
      for (const { tab, number } of query.watchers) {
        if (!batches.has(tab)) batches.set(tab, []);
        batches.get(tab).push([number, messages]);
      }
    }
    for (const [tab, batch] of batches) tab.post({ batch });
  }

  #tell(query, change) {
    Object.assign(query, change);
    for (const { tab, number } of query.watchers) tab.post({ batch: [[number, [['state', change]]]] });
  }
}

async function problemOf(answer) {
  const problem = await answer.json().catch(() => undefined);
  return { status: answer.status, detail: answer.statusText, ...problem };
}

/** A block of an event stream: lines of `name: value`, the data on one line. */
function eventOf(block) {
  const event = { name: 'message', data: undefined, id: undefined };
  for (const line of block.split('\n')) {
    if (line.startsWith('data: ')) event.data = line.slice(6);
    else if (line.startsWith('id: ')) event.id = line.slice(4);
    else if (line.startsWith('event: ')) event.name = line.slice(7);
  }
  return event;
}
