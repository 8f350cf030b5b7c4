// The address is the view; and what this browser keeps of its user's ways.
//
// `#/v1/TYPE?…` is a search URL as it is sent. Parameters that begin with `_` are the page's own.

/**
 * Where the console is. `url` is what is asked of the server, without the page's own parameters.
 * @typedef {{page: string, type?: string, id?: string|null, url: string, own: Map<string, string>}} Place
 */

/** What `read` answers; undefined where it fails: of a text that is no JSON yet, or without storage. */
export function attempt(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** A lone `%` is as it stands. */
export const decode = (text) => attempt(() => decodeURIComponent(text.replaceAll('+', ' '))) ?? text;
export const decodePart = (text) => decode(text.replaceAll('+', '%2B'));

/** For a query string: what would end a value or be read as something else. */
const encode = (text) => text.replace(/[%&+#\u0000-\u001f\u007f]/g, encodeURIComponent).replaceAll(' ', '+');

/** @returns {Place} */
export function parsePlace(hash) {
  let text = hash.replace(/^#/, '');
  if (/^%2f/i.test(text)) text = decodePart(text);
  const [path, pairs] = halves(text.replace(/^\/+/, '/'));
  const isOwn = (pair) => pair.startsWith('_');
  const own = new Map(pairs.filter(isOwn).map(split));
  const sent = pairs.filter((pair) => !isOwn(pair));
  const url = path + (sent.length ? `?${sent.join('&')}` : '');
  const parts = path.split('/').filter(Boolean);
  const isData = parts[0] === 'v1' && parts.length > 1;
  if (parts.length > (isData ? 3 : 2)) return { page: path, id: null, url, own }; // there is none
  if (!isData) {
    return { page: parts[0] ?? '', id: parts[1] === undefined ? null : decodePart(parts[1]), url, own };
  }
  const isEntity = parts.length > 2 || own.has('_new');
  const id = parts.length > 2 ? decodePart(parts[2]) : null;
  return { page: isEntity ? 'entity' : 'query', type: decodePart(parts[1]), id, url, own };
}

const split = (pair) => {
  const at = pair.indexOf('=');
  return at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
};

export const place = () => parsePlace(location.hash);

const halves = (url) => {
  const [path, ...search] = url.split('?');
  return [path, search.join('?').split('&').filter(Boolean)];
};

/** The parameters of an address, decoded, in order. */
export const parameters = (url) => halves(url)[1].map(split);
export const parameter = (url, name) => parameters(url).find(([found]) => found === name)?.[1];

/** An address with parameters changed; null leaves one out, the others stay as they are written. */
export function withParameters(url, changes) {
  const [path, written] = halves(url);
  const names = written.map((pair) => split(pair)[0]);
  const pairs = [...written, ...Object.keys(changes).filter((name) => !names.includes(name))].flatMap((pair) => {
    const [name] = split(pair);
    if (!Object.hasOwn(changes, name)) return pair;
    return changes[name] === null ? [] : `${name}=${encode(String(changes[name]))}`;
  });
  return path + (pairs.length ? `?${pairs.join('&')}` : '');
}

export const idLiteral = (id) => (/^(0|-?[1-9]\d{0,17})$/.test(id) ? id : JSON.stringify(id));

/** Whose data is meant where it is what is stored here; a system type has no other. */
export const here = (type) => ({ source: type.startsWith('_') ? null : 'local' });

const going = { live: null, since: null, wait: null, throttle: null, heartbeat: null, max: null, old: null };
/** An address that is asked for once: parameters changed, and without those that make an answer go on. */
export const onceUrl = (url, changes) => withParameters(url, { ...going, ...changes });

export const pageHash = (url, own) => `#${withParameters(url, Object.fromEntries(own ?? []))}`;
export const typeUrl = (type) => `/v1/${encodeURIComponent(type)}`;
export const entityUrl = (type, id) => `${typeUrl(type)}/${encodeURIComponent(id)}`;
export const detailHash = (page, id) => `#/${page}/${encodeURIComponent(id)}`;
export const entityHash = (type, id) => `#${entityUrl(type, id)}`;

/** An address as people read it: without the escapes that a browser adds by itself. */
export const readable = (url) => url.replace(/%(22|3C|3E|5B|5D|60|7B|7C|7D)/gi, decodeURIComponent).replaceAll('%20', '+');

/** Goes to another place; `replace`: it is another view of the present one. */
export function go(hash, { replace = false } = {}) {
  if (hash === location.hash) return;
  if (replace) history.replaceState(null, '', hash);
  else history.pushState(null, '', hash);
  dispatchEvent(new Event('placechange'));
}

export function setOwn(changes) {
  const { url, own } = place();
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) own.delete(name);
    else own.set(name, value);
  }
  go(pageHash(url, own), { replace: true });
}

// Settings: never data, never a token ----

const key = 'freshet-console';
const longest = 2048;

/** What is there without storage, or where it is not ours. */
const read = () => attempt(() => new Map(JSON.parse(localStorage.getItem(key) ?? '[]'))) ?? new Map();

export const settings = {
  get: (name) => read().get(name),
  set(name, value) {
    const all = read();
    if (value === undefined) all.delete(name);
    else all.set(name, value);
    attempt(() => localStorage.setItem(key, JSON.stringify([...all])));
  },
  columns: (type) => new Map(read().get('columns')).get(type),
  setColumns(type, names) {
    const all = new Map(read().get('columns')).set(type, names);
    if (!names) all.delete(type);
    settings.set('columns', [...all]);
  },
  /** The last 50 queries, the latest first. */
  recent: () => read().get('recent') ?? [],
  remember(url) {
    if (url.length > longest) return;
    settings.set('recent', [url, ...settings.recent().filter((one) => one !== url)].slice(0, 50));
  },
  /** Queries with names, as `[name, url]`. */
  named: () => read().get('named') ?? [],
  setNamed(name, url) {
    const others = settings.named().filter(([one]) => one !== name);
    if (!url || url.length <= longest) settings.set('named', url ? [...others, [name, url]] : others);
  },
  forget() {
    attempt(() => localStorage.removeItem(key));
  },
};
