// What /live.html does: it shows one live query as a table.
import { live, members } from '/live.js';
const $ = (selector) => document.querySelector(selector);
let query;
let shown = new Map();

function watch(url) {
  query?.close();
  shown = new Map();
  query = live(url);
  query.addEventListener('change', show);
  query.addEventListener('state', state);
  history.replaceState(null, '', '#' + encodeURIComponent(url));
  state();
  show();
}

function state() {
  const total = query.total === undefined ? '' : ` of ${query.total}`;
  $('#state').textContent = `${query.state}, ${query.items.length}${total} items`;
  $('#problem').textContent = query.problem?.detail ?? '';
}

const text = (value) => value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** A row's members as the server has sent them: numbers keep their digits. */
const exact = (id) => Object.fromEntries([...members(query.text(id))].map(
  ([name, json]) => [name, json[0] === '"' ? JSON.parse(json) : json]));

function rows() {
  if (query.aggregates) return [query.aggregates].flat();
  if (query.groups) return query.groups.flatMap(({ key, items }) => items.map((item) => ({ group: key, ...item })));
  return query.ids.map(exact);
}

function show() {
  state();
  const all = rows();
  const names = [...new Set(['id', ...all.slice(0, 50).flatMap(Object.keys)])].slice(0, 8);
  $('thead').replaceChildren(line('th', names));
  const last = shown;
  shown = new Map(all.map((item, index) => [String(item.id ?? index), JSON.stringify(item)]));
  $('tbody').replaceChildren(...all.map((item, index) => {
    const row = line('td', names.map((name) => text(item[name])));
    const key = String(item.id ?? index);
    if (last.size && last.get(key) !== shown.get(key)) row.className = 'new';
    return row;
  }));
}

function line(tag, cells) {
  const row = document.createElement('tr');
  row.append(...cells.map((cell) => Object.assign(document.createElement(tag), { textContent: cell })));
  return row;
}

$('form').addEventListener('submit', (event) => {
  event.preventDefault();
  watch($('#url').value);
});
if (location.hash) $('#url').value = decodeURIComponent(location.hash.slice(1));
watch($('#url').value);
