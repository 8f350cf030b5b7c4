// A client of Freshet for pages, workers and programs that have `fetch`: /docs/browser shows how, /freshet.d.ts
// has the types. Nothing is tried again in secret.

import { idOf, idText, valueAt } from './json.js';
import { Connection, live } from './live.js';
import { elementTexts, memberTexts } from './reducer.js';

class Raw {
  constructor(text) { this.text = text; }
}

/** JSON text that is sent as it is. */
export const raw = (text) => new Raw(text);

/** What the server answered instead, or why there is no answer (`status` 0, `code` "no-answer"). */
export class FreshetProblem extends Error {
  constructor(problem, { requestId, retryAfter, text, currentText } = {}) {
    super(problem.detail ?? problem.title ?? problem.code);
    this.name = 'FreshetProblem';
    this.status = problem.status;
    this.code = problem.code;
    this.detail = this.message;
    this.hint = problem.hint;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId ?? requestId;
    /** Of a write that failed: whether it may have been carried out. */
    this.outcome = problem.outcome;
    this.leader = problem.leader;
    this.retryAfter = retryAfter;
    this.text = text;
    this.currentText = currentText;
    this.current = currentText && itemOf(currentText);
  }
}

/** The exact texts and the revisions of what was answered. */
const texts = new WeakMap();
const revisions = new WeakMap();

/** An entity as JavaScript has it; its text is kept, and so is an id beyond its integers. */
function itemOf(text, revision) {
  const item = JSON.parse(text);
  if (typeof item.id === 'number' && !Number.isSafeInteger(item.id)) item.id = idText(text);
  texts.set(item, text);
  if (revision !== undefined) revisions.set(item, revision);
  return item;
}

/** A client of the server at `base` (by default the page's), whose calls are those of the HTTP API. */
export function connect(base, options) {
  return new Client(base ?? location.origin, options);
}

class Client {
  #base;
  #options;
  #connection;

  constructor(base, { token, ...options } = {}) {
    this.#base = new URL(base).origin;
    this.token = token;
    this.#options = options;
  }

  async get(type, id, params) {
    needID('get', id);
    const { text, headers } = await this.request('GET', path(type, id, params));
    // With relationships the answer is that of a search.
    const only = params?.include ? valueAt(text, '/items/0') : { at: 0, end: text.trimEnd().length };
    return itemOf(text.slice(only.at, only.end), revisionOf(headers));
  }

  async search(type, params) {
    const { text } = await this.request('GET', path(type, undefined, params));
    const answer = JSON.parse(text);
    const parts = memberTexts(text);
    answer.items = itemsOf(text);
    if (answer.groups) answer.groups = elementTexts(parts.get('groups')).map((group) => ({ ...JSON.parse(group), items: itemsOf(group) }));
    for (const [type, rows] of memberTexts(parts.get('included') ?? '{}')) {
      for (const [id, row] of memberTexts(rows)) answer.included[type][id] = itemOf(row);
    }
    return { ...answer, text };
  }

  /** All rows, a page after the other; `limit` is the size of a page. */
  async *all(type, { offset, after, ...params } = {}) {
    if (params.group !== undefined) throw new TypeError('all() gives rows: what has groups is given by search()');
    const size = Number(params.limit ?? 100);
    const isWhole = params.ids && params.limit === undefined; // they have no limit
    // Pages of ids, of distinct values and in a remote's own order have no `next`: they go on by number.
    let byNumber = after === undefined;
    for (let from = Number(offset ?? 0); ; from += size) {
      const { items, meta } = await this.search(type, { ...params, ...after !== undefined ? { after } : from && { offset: from } });
      yield* items;
      after = meta?.next;
      if (after) byNumber = false;
      else if (isWhole || !byNumber || !meta || !items.length || items.length + (meta.degraded?.leftOut ?? 0) < size) return;
    }
  }

  /** Creates or replaces; without an id the server makes one. */
  async set(type, entity, options) {
    const text = jsonText(entity);
    const id = idText(text);
    const method = id === undefined ? 'POST' : 'PUT';
    return this.#write(method, path(type, id), text, options, id);
  }

  /** Changes members (a JSON merge patch: null removes one). */
  async patch(type, id, patch, options) {
    needID('patch', id);
    return this.#write('PATCH', path(type, id), jsonText(patch), options, String(id));
  }

  /** Removes one by its id, or those that `{ids}` or `{filter}` name. */
  async remove(type, what, options) {
    needID('remove', what);
    if (typeof what !== 'object') return this.#write('DELETE', path(type, what), undefined, options, String(what));
    const { text, headers } = await this.#send('POST', `${path(type)}/_remove`, jsonText(what), options);
    const removed = elementTexts(memberTexts(text).get('removed')).map(idOf);
    return { removed, cursor: headers.get('freshet-cursor') };
  }

  /** Several writes in one commit, all or none: `[{set: {type, entity}}, {patch: …}, {remove: …}]`. */
  async batch(operations, options) {
    const { text, headers } = await this.#send('POST', '/v1/_batch', jsonText({ operations }), options);
    const cursor = headers.get('freshet-cursor');
    const { results } = JSON.parse(text);
    return results.map((result, index) => {
      const { at, end } = valueAt(text, `/results/${index}/id`) ?? {};
      return { ...result, id: at === undefined ? undefined : idOf(text.slice(at, end)), cursor };
    });
  }

  /** Watches a search: what `live` of /live.js gives, with `reaches(cursor)`. */
  live(type, params) {
    const { name, throttle } = this.#options;
    const url = path(type, undefined, params);
    if (globalThis.location?.origin === this.#base) return live(url, { token: this.token, name, throttle });
    this.#connection ??= new Connection(this.#base);
    return this.#connection.watch(url, { token: this.token, throttle });
  }

  /**
   * One request; its path begins with a slash. A body is text, or becomes JSON.
   * @throws {FreshetProblem} unless the answer is a success or 304
   */
  async request(method, path, { body, headers = {}, signal } = {}) {
    const sent = new Headers(headers);
    if (this.token && !sent.has('authorization')) sent.set('Authorization', `Bearer ${this.token}`);
    if (body !== undefined && !sent.has('content-type')) sent.set('Content-Type', 'application/json');
    if (!sent.has('accept')) sent.set('Accept', 'application/json');
    const content = typeof body === 'string' || body === undefined ? body : jsonText(body);
    let answer, text;
    const target = new URL(path, this.#base);
    if (target.origin !== this.#base) throw new TypeError(`'${path}' is no path of this server`);
    try {
      answer = await fetch(target, { method, headers: sent, body: content, signal, cache: 'no-store' });
      text = await answer.text();
    } catch (fault) {
      if (signal?.aborted) throw fault;
      const outcome = method === 'GET' || method === 'HEAD' ? undefined : 'unknown';
      throw new FreshetProblem({ status: 0, code: 'no-answer', outcome, detail: `the server did not answer: ${fault.message}` });
    }
    if (!answer.ok && answer.status !== 304) throw problemOf(answer, text);
    return { status: answer.status, headers: answer.headers, text, get json() { return JSON.parse(text); } };
  }

  /** The exact JSON of an entity that this module gave. */
  text(item) { return texts.get(item); }

  /** The revision of an entity: known of one that `get` gave, or where `meta: true` was asked for. */
  revision(item) { return revisions.get(item) ?? item._meta?.revision; }

  #send(method, path, body, options = {}) {
    const { ifMatch, ifNoneMatch, key, headers, signal } = options;
    if ('ifMatch' in options && ifMatch === undefined) throw new TypeError('ifMatch is undefined: which revision?');
    const sent = { ...headers };
    if (ifMatch !== undefined) sent['If-Match'] = tag(ifMatch);
    if (ifNoneMatch !== undefined) sent['If-None-Match'] = tag(ifNoneMatch);
    if (key !== undefined) sent['Idempotency-Key'] = key;
    return this.request(method, path, { body, headers: sent, signal });
  }

  async #write(method, path, body, options, id) {
    const { text, headers } = await this.#send(method, path, body, options);
    return {
      // With `Prefer: return=minimal` the address of what was made is all that names it.
      id: id ?? (text ? idText(text) : decodeURIComponent(headers.get('location').split('/').pop())), revision: revisionOf(headers),
      changed: headers.get('freshet-changed') !== 'false', cursor: headers.get('freshet-cursor'),
    };
  }
}

function needID(call, id) {
  if (id === undefined || id === null || id === '') throw new TypeError(`${call} needs an id${call === 'get' ? '; search asks for many' : ''}`);
}

/** `/v1/TYPE/ID?…`; an array in parameters is a list, `null` and `undefined` are left out. */
function path(type, id, params = {}) {
  const listed = Object.entries(params).filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => {
    const values = Array.isArray(value) ? value : [value];
    return `${encodeURIComponent(name)}=${values.map((one) => encodeURIComponent(one)).join()}`;
  });
  if (id === '.' || id === '..') throw new TypeError(`no address has the id '${id}'`);
  const place = `/v1/${encodeURIComponent(type)}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
  return listed.length ? `${place}?${listed.join('&')}` : place;
}

const itemsOf = (text) => elementTexts(memberTexts(text).get('items') ?? '[]').map((row) => itemOf(row));

/** A value as JSON text: what is raw as it is, bigints as integers. */
function jsonText(value) {
  if (value instanceof Raw) return value.text;
  if (typeof value === 'bigint') return String(value);
  if ([Number, String, Boolean, BigInt].some((kind) => value instanceof kind)) return jsonText(value.valueOf());
  if (Array.isArray(value)) return `[${value.map((one) => jsonText(one) ?? 'null')}]`;
  if (value === null || typeof value !== 'object' || typeof value.toJSON === 'function') return JSON.stringify(value);
  const listed = Object.entries(value).map(([name, member]) => [name, jsonText(member)]);
  return `{${listed.filter(([, text]) => text !== undefined).map(([name, text]) => `${JSON.stringify(name)}:${text}`)}}`;
}

/** An entity tag: of a revision, or `*`, or as it was given. */
const tag = (value) => (value === true ? '*' : /^(\*|".*")$/.test(value) ? value : `"${value}"`);

function revisionOf(headers) {
  const number = /^"(\d+)"$/.exec(headers.get('etag') ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}

function problemOf(answer, text) {
  const about = { text, requestId: answer.headers.get('x-request-id') ?? undefined };
  const wait = Number(answer.headers.get('retry-after') ?? NaN);
  if (!Number.isNaN(wait)) about.retryAfter = wait;
  let problem = { detail: answer.statusText || `the server answered ${answer.status}` };
  if (/json/.test(answer.headers.get('content-type') ?? '') && text) {
    problem = JSON.parse(text);
    const current = valueAt(text, '/current');
    if (current?.kind === 'object') about.currentText = text.slice(current.at, current.end);
  }
  return new FreshetProblem({ ...problem, status: answer.status }, about);
}
