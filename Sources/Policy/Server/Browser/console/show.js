// How values, times and figures are shown: bytes as they are, numbers digit for digit.
import { elements, members } from '../json.js';
import { button, element, plain, problemCard, svg } from './dom.js';
import { entityHash, settings } from './state.js';

/** A value that is not there, which is not null. */
export const absent = () => element('span', { class: 'absent', title: 'absent' }, '–');

/** One JSON value, for a cell, digit for digit; `{3}` and `[5]` for what has members, shown by `open` or by its row. */
export function value(text, { cut = 200, digits = 60, open } = {}) {
  if (text === undefined) return absent();
  switch (text[0]) {
  case '"': return shortened(JSON.parse(text), cut, 'text');
  case '{': return chip(`{${members(text).length}}`, text, open);
  case '[': return chip(`[${elements(text).length}]`, text, open);
  case 'n': return element('span', { class: 'null' }, 'null');
  case 't': case 'f': return element('span', { class: 'boolean' }, text);
  default: return shortened(text, digits, 'number');
  }
}

export const isNumber = (text) => text !== undefined && /^[-\d]/.test(text);

function shortened(text, cut, kind) {
  if (text.length <= cut) return element('span', { class: kind }, text === '' ? element('span', { class: 'null' }, '""') : plain(text));
  return element('span', { class: kind }, plain(text.slice(0, cut)), element('span', { class: 'muted' }, ` … ${count(text.length)} characters`));
}

const chip = (label, text, open) => element('button', {
  class: 'chip', tabindex: open ? 0 : -1, on: { click: open }, 'data-open': 'value', 'aria-label': `${label}: show the value`,
  title: text.length > 300 ? `${text.slice(0, 300)} …` : text }, label);

/** A whole value as text with folds: open down to `depth` levels. */
export function tree(text, depth = 2) {
  if (text[0] === '{') {
    return fold('{', members(text), '}', depth, (one) => [element('span', { class: 'name' }, plain(one.name)), ': ', tree(text.slice(one.at, one.end), depth - 1)]);
  }
  if (text[0] === '[') return fold('[', elements(text), ']', depth, (one) => tree(text.slice(one.at, one.end), depth - 1));
  return text[0] === '"' ? element('span', { class: 'text' }, plain(text)) : value(text, { digits: Infinity });
}

/** What a fold holds is made when it is opened, 200 at once. */
function fold(open, all, close, depth, line) {
  if (!all.length) return element('span', null, open + close);
  const body = element('div', { class: 'fold' });
  let made = 0;
  const more = () => {
    const part = all.slice(made, made += 200).map((one) => element('div', null, line(one)));
    body.append(...part);
    if (made < all.length) {
      const next = element('button', { class: 'chip', on: { click: () => (next.remove(), more()) } }, `+${count(all.length - made)} more`);
      body.append(next);
    }
  };
  const node = element('details', { class: 'tree', open: depth > 0, on: { toggle: () => { if (node.open && !made) more(); } } },
    element('summary', null, `${open}${all.length}${close}`), body);
  if (depth > 0) more();
  return node;
}

export const rowLink = (href, text) => element('a', { href, tabindex: -1 }, plain(text));
export const idLink = (type, id) => element('a', { href: entityHash(type, id) }, plain(id));

// Figures ----

export const count = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

export function bytes(number) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let at = 0;
  for (; number >= 1000 && at < units.length - 1; at++) number /= 1000;
  return `${number < 10 && at ? number.toFixed(1) : Math.round(number)} ${units[at]}`;
}

export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} days`;
}

const barWidth = (share) => Math.max(share > 0 ? 1 : 0, Math.min(40, 40 * share));
const elapsed = (from, until) => (Date.now() - Date.parse(from)) / (Date.parse(until) - Date.parse(from) || 1);

export function bar(share, text, attributes) {
  return element('span', { class: 'bar', ...attributes },
    svg('svg', { viewBox: '0 0 40 8', 'aria-hidden': 'true' }, svg('rect', { class: 'ground', width: 40, height: 8, rx: 2 }),
      svg('rect', { width: barWidth(share), height: 8, rx: 2 })),
    element('span', null, text));
}

/** How much of a span of time is over, counting. */
export const timeBar = (from, until, text) => bar(elapsed(from, until), text, { 'data-from': from, 'data-until': until });

/** A word with a shape beside it: kind is good, warn, bad or none. */
export const word = (text, kind, ...more) => element('span', { class: `word ${kind}` }, text, more);

/** Shows a cell's value as JavaScript has it; what is not there as absent. */
export const optional = (show) => (json, ...more) => (json === undefined ? absent() : show(JSON.parse(json), ...more));

/** A member of a row as JavaScript has it; null where it is not there. */
export const given = (row, name) => JSON.parse(row.get(name) ?? 'null');

// Times ----

const two = (number) => String(number).padStart(2, '0');

/** `14:02:11`, of today or with its day, in the zone that the user has chosen. */
export function clock(at) {
  const isUTC = settings.get('utc');
  const read = (date, ...names) => names.map((name) => date[`get${isUTC ? 'UTC' : ''}${name}`]());
  const dayOf = (date) => {
    const [year, month, day] = read(date, 'FullYear', 'Month', 'Date');
    return `${year}-${two(month + 1)}-${two(day)} `;
  };
  const date = new Date(at);
  const day = dayOf(date);
  return `${day === dayOf(new Date()) ? '' : day}${read(date, 'Hours', 'Minutes', 'Seconds').map(two).join(':')}${isUTC ? ' UTC' : ''}`;
}

function relative(at, form) {
  const distance = Date.now() - at;
  if (form === 'age') return duration(Math.max(0, distance));
  if (Math.abs(distance) < 1500) return 'now';
  return distance < 0 ? `in ${duration(-distance)}` : `${duration(distance)} ago`;
}

/** A time (RFC 3339, or ms), relative and counting; what it is exactly is told on hover. `form` age: how long it is over. */
export function time(at, form = 'true') {
  if (at === null || at === undefined) return absent();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return plain(String(at));
  return element('time', { datetime: date.toISOString(), title: clock(date), 'data-ticks': form }, relative(date.getTime(), form));
}

/** Tells anew what times say on hover: the zone is another. */
export const retitleTimes = () => { for (const node of document.querySelectorAll('time')) node.title = clock(node.dateTime); };
addEventListener('storage', retitleTimes); // another tab has chosen

setInterval(() => {
  if (document.hidden) return;
  for (const node of document.querySelectorAll('time[data-ticks]')) {
    const text = relative(Date.parse(node.dateTime), node.dataset.ticks);
    if (node.textContent !== text) node.textContent = text;
  }
  for (const { dataset, firstChild: { lastChild } } of document.querySelectorAll('.bar[data-until]')) lastChild.setAttribute('width', barWidth(elapsed(dataset.from, dataset.until)));
}, 1000);

// States that all lists and tables share ----

export const emptyState = (text, ...acts) => element('div', { class: 'empty', test: 'empty' }, say(text), actsRow(acts));

/** Nothing for 300 ms, then grey lines. */
export const loading = () => element('div', { class: 'loading', role: 'status', 'aria-label': 'loading', test: 'loading' },
  element('i'), element('i'), element('i'));

/** A notice above what it is about: kind is good, warn or bad. */
export const banner = (kind, test, ...children) => element('div', { class: `banner ${kind}`, test }, children);

/** Says of a query that it was read once, where its stream is, and reads it again. */
export const onceNotice = ({ elsewhere, syncedAt, again }) => elsewhere && banner('warn', 'once', element('span', null, 'Read once, ', time(syncedAt),
  ': the server that leads alone has its stream', elsewhere.leader && [', ', code(elsewhere.leader)], '.'), button('Read again', again, { test: 'read-again' }));

// Marks that many pages draw ----
export const muted = (...shown) => element('span', { class: 'muted' }, shown);
export const heading = (...shown) => element('h2', null, shown);
export const grow = () => element('span', { class: 'grow' });
export const small = (...shown) => element('small', null, shown);
/** The head of a page; `title` is a text or an `h1`. */
export const pageHead = (title, ...shown) => element('div', { class: 'head' }, title.tagName === 'H1' ? title : element('h1', null, title), shown);
export const actsRow = (...shown) => element('div', { class: 'acts' }, shown);
export const say = (...shown) => element('p', null, shown);
export const remark = (...shown) => element('p', { class: 'muted' }, shown);
export const bullets = (all, told) => element('ul', null, all.map((one) => element('li', null, told(one))));
export const code = (text) => element('code', null, plain(text));
export const heads = (names) => element('thead', null, element('tr', null, names.map((name) => element('th', { scope: 'col' }, name))));
/** A table of figures; a title that is a text is for readers of tables alone. */
export const smallTable = (test, title, names, rows) => element('table', { class: 'small', test }, typeof title === 'string' ? caption(title) : title, heads(names), element('tbody', null, rows));
export const tableRow = (attributes, head, ...cells) => element('tr', attributes, element('th', { scope: 'row' }, head), cells.map((cell) => element('td', null, cell)));
export const scroll = (...shown) => element('div', { class: 'scroll' }, shown);
export const noticeArea = () => element('div', { 'aria-live': 'polite', test: 'notice' });
/** Why a list shows nothing to a caller without its right. */
export const forbidden = (problem, what = 'This list takes') => problem?.status === 403 && banner('warn', 'forbidden', `${what} a right that you lack.`);

/** Whether nothing is known yet of what a query finds. */
export const isUnknown = ({ state, at }) => state === 'connecting' || (state === 'reconnecting' && at === undefined);
/** What stands in place of the one row of a query that has none: its problem, waiting, or `gone`. */
export const absence = (query, gone) => (query.state === 'failed' ? problemCard(query.problem, () => location.reload())
  : isUnknown(query) ? loading() : banner('warn', 'gone', gone));
export const crumbs = (page, title, id) => element('h1', null, element('a', { href: `#/${page}` }, title), ' / ', plain(id));
export const linkButton = (href, label, attributes) => element('a', { class: 'button', href, ...attributes }, label);
export const docs = (page, label = 'Documentation') => linkButton(`/docs/${page}`, label);
export const caption = (text) => element('caption', { class: 'unshown' }, text);

export const facts = (pairs, kind = '') => element('dl', { class: `facts ${kind}` }, pairs.filter(([, shown]) => shown !== null && shown !== undefined && shown !== false)
  .map(([name, shown]) => [element('dt', null, name), element('dd', null, shown)]));

