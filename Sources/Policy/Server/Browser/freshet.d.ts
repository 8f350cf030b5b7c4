// Types of /json.js, /live.js and /freshet.js; /docs/browser tells how a project of one's own maps them.

// /json.js --------------------------------------------------------------------------------------

export type Kind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
/** A value and its place: `text.slice(at, end)`. */
export interface Place { kind: Kind; at: number; end: number }
export interface MemberPlace extends Place { name: string; nameAt: number }
/** A value with what is in it: members in order with their names, which begin at `nameAt`, or elements. */
export interface Node extends Place { name?: string; nameAt?: number; members?: Node[]; elements?: Node[] }

export function members(text: string): MemberPlace[];
export function elements(text: string): Place[];
export function tree(text: string): Node;
export function valueAt(text: string, pointer: string): Node | undefined;
export function splice(text: string, pointer: string, replacement: string | null): string;
export function idText(entityText: string): string | undefined;
/** The id that is given as JSON: `7.0` is `7`, as `7` and `"7"` are. */
export function idOf(json: string): string;

// /live.js --------------------------------------------------------------------------------------

export interface Entity { id: string | number; [member: string]: unknown }

export interface Problem {
  status?: number;
  code?: string;
  title?: string;
  detail?: string;
  hint?: string;
  requestId?: string;
  /** With `not-leader`: the address of the server that leads, where it is known. */
  leader?: string;
  errors?: { pointer?: string; parameter?: string; code?: string; detail?: string; offset?: number }[];
  outcome?: 'unknown' | 'not-applied';
}

export interface Change {
  entered: string[];
  changed: { id: string; old: string }[];
  left: { id: string; reason: string; old: string }[];
  moved: string[];
  commits: number;
  /** Why everything was told anew, where it was. */
  why?: string;
}

export interface LiveQuery<Item = Entity> extends EventTarget {
  readonly state: 'connecting' | 'live' | 'reconnecting' | 'failed';
  readonly problem?: Problem;
  readonly source?: unknown;
  readonly retryAt?: number;
  readonly at?: string;
  readonly syncedAt?: number;
  readonly ids: string[];
  readonly items: Item[];
  readonly total?: number;
  /** Whether the server lists no more than a part of a system type. */
  readonly truncated: boolean;
  readonly groups?: { key: unknown; items: Item[] }[];
  readonly groupsText?: string;
  readonly aggregates?: unknown;
  readonly aggregatesText?: string;
  readonly included?: Record<string, Record<string, Entity>>;
  text(id: string | number): string | undefined;
  includedText(type: string, id: string | number): string | undefined;
  /** Resolves when what is shown has the write that answered this cursor. */
  reaches(cursor: string): Promise<void>;
  close(): void;
  addEventListener(name: 'change', listener: (event: CustomEvent<Change>) => void, options?: AddEventListenerOptions): void;
  addEventListener(name: 'state' | 'sync', listener: (event: Event) => void, options?: AddEventListenerOptions): void;
}

export interface LiveOptions {
  /** A bearer token, where the server wants one; that of a client may be set later, too. */
  token?: string;
  /** The least milliseconds between two changes. */
  throttle?: number;
  /** Pages that name another worker have a connection of their own. */
  name?: string;
}
/** An event; of one that came before somebody listened, `text` has 65,536 characters of `size` at most. */
export interface Frame { kind: string; q: string | null; id: string | null; text: string; at: number; size?: number }

export function live<Item = Entity>(url: string | URL, options?: LiveOptions): LiveQuery<Item>;
export function frames(name: string | undefined, listener: (frame: Frame) => void): () => void;
export function keep(name: string | undefined, token: string | null): void;
/** The token that the tabs have. A page that has its `own` gives it where they have none; it is answered where all have signed out. */
export function kept(name?: string, own?: string | null): Promise<string | null>;
export function onToken(name: string | undefined, listener: (token: string | null) => void): () => void;
export function reconnect(name?: string): void;
/** A connection of a page or program of its own; `connect` makes one for another origin. */
export class Connection {
  constructor(base: string, name?: string);
  watch<Item = Entity>(path: string, options: { token?: string; throttle?: number }): LiveQuery<Item>;
}

// /freshet.js -----------------------------------------------------------------------------------

export type Value = string | number | bigint | boolean | null | undefined;
export type ID = string | number | bigint;
/** Parameters of a search by their names; an array is a list. */
export type Params = Record<string, Value | ID[]>;
export interface Raw { readonly text: string }
export interface Meta { revision: number; cursor: string; count: number; total?: number; next?: string; hint?: string; truncated?: boolean; [member: string]: unknown }

export interface Found<Item = Entity> {
  items: Item[];
  meta: Meta;
  included?: Record<string, Record<string, Entity>>;
  groups?: { key: unknown; items: Item[] }[];
  aggregates?: unknown;
  /** The whole answer, digit for digit. */
  text: string;
}

export interface Written { id: string; revision: number | undefined; changed: boolean; cursor: string }
export interface WriteOptions {
  ifMatch?: number | string;
  ifNoneMatch?: '*' | true;
  /** The Idempotency-Key: a repeat gives the first answer. */
  key?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}
export interface Answer { status: number; headers: Headers; text: string; readonly json: any }

export type Operation =
  | { set: { type: string; entity: object }; ifMatch?: number; ifNoneMatch?: '*' }
  | { patch: { type: string; id: ID; patch: object }; ifMatch?: number }
  | { remove: { type: string; id: ID }; ifMatch?: number };

export interface Client {
  token: string | undefined;
  get<Item = Entity>(type: string, id: ID, params?: Params): Promise<Item>;
  search<Item = Entity>(type: string, params?: Params): Promise<Found<Item>>;
  all<Item = Entity>(type: string, params?: Params): AsyncGenerator<Item, void>;
  set(type: string, entity: object | Raw, options?: WriteOptions): Promise<Written>;
  patch(type: string, id: ID, patch: object | Raw, options?: WriteOptions): Promise<Written>;
  remove(type: string, id: ID, options?: WriteOptions): Promise<Written>;
  remove(type: string, which: { ids: ID[] } | { filter: string }, options?: WriteOptions): Promise<{ removed: string[]; cursor: string }>;
  batch(operations: Operation[], options?: WriteOptions): Promise<(Omit<Written, 'id'> & { id: string | undefined; status: number })[]>;
  live<Item = Entity>(type: string, params?: Params): LiveQuery<Item>;
  request(method: string, path: string, options?: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal }): Promise<Answer>;
  text(item: object): string | undefined;
  revision(item: object): number | undefined;
}

export class FreshetProblem extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly detail: string;
  readonly hint: string | undefined;
  readonly errors: NonNullable<Problem['errors']>;
  readonly requestId: string | undefined;
  readonly leader: string | undefined;
  readonly outcome: 'unknown' | 'not-applied' | undefined;
  readonly retryAfter: number | undefined;
  readonly text: string | undefined;
  readonly current: Entity | undefined;
  readonly currentText: string | undefined;
}

export function raw(text: string): Raw;
export function connect(base?: string, options?: LiveOptions): Client;
