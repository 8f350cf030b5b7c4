// The page of a system type: a live list with a filter, an order and a drawer for one row.
import { copyAs, copyText, drawer, element, fill, plain, problemCard, refill } from './dom.js';
import { orderKeys, turned } from './path.js';
import { count, emptyState, forbidden, grow, isUnknown, loading, muted, onceNotice, pageHead, remark, value } from './show.js';
import { most, observe, server, watch } from './server.js';
import { go, pageHash, parameter, place as present, setOwn, withParameters } from './state.js';
import { memberTexts } from '../reducer.js';
import { LiveTable } from './table.js';

const pageSize = 500;
/** Whether the server has left out what a row has but its id. */
const isCut = (row) => row.get('cut') === 'true';

/** The field of a list's filter; `url()` is the list's address. */
export const filterField = (url) => {
  const field = element('input', { type: 'search', 'aria-label': 'Filter', placeholder: 'filter, as in a query', size: 32, test: 'list-filter',
    on: { change: () => askList(url(), { filter: field.value.trim() || null }) } });
  return field;
};

const askList = (url, changes) => go(pageHash(withParameters(url, changes), present().own), { replace: true });
export const sortList = (url, path, isAdded) => askList(url, { order: turned(parameter(url, 'order'), path, isAdded) });

export function statusText({ total: counted, truncated }, shown, total = counted) {
  const all = total !== undefined && total !== shown ? ` of ${count(total)}` : '';
  return `${count(shown)}${all}${truncated ? ', and more that the server does not list' : ''}`;
}

/** The drawer of the row that `_sel` names; `show(text, id, drawer)` makes what it holds, null where it has changed it itself. */
export function rowDrawer(table, show) {
  let side = null;
  return {
    update() {
      const id = present().own.get('_sel') ?? null;
      if (table.picked !== id) table.pick(id);
      if (id === null) return side?.close();
      if (!table.node.isConnected) return undefined;
      side ??= drawer('', { onclose: () => {
        const isOwn = side !== null; // and not that of a page that has gone
        side = null;
        if (isOwn && present().own.has('_sel')) setOwn({ _sel: null });
      } });
      const text = table.text(id);
      if (side.id === id && side.text === text) return undefined;
      side.name(plain(id));
      const made = show(text, id, side);
      if (made) side.fill(made);
      return Object.assign(side, { id, text });
    },
    close() {
      const open = side;
      side = null;
      open?.close();
    },
    escape() {
      if (!side) return false;
      side.close();
      return true;
    },
  };
}

export const isEmptyYet = (source) => !source.ids.length && isUnknown(source);

/**
 * The button below a table that shows more of its rows: `ask()` is a query that has them, and `take(query)` shows
 * it in place of what is shown, which stays until they are there.
 */
export function moreRows(table, test, ask, take) {
  let coming = null;
  const node = element('button', { hidden: true, test, on: { click() {
    if (coming) return;
    const next = coming = ask();
    observe(next, () => {
      if (coming !== next || isEmptyYet(next)) return;
      const [shown, isHeld] = [table.ids.length, document.activeElement === node];
      coming = null;
      take(next);
      if (isHeld && node.hidden) table.focus(next.ids[shown]);
    });
  } } }, 'Show more rows');
  return {
    node,
    offer(source) { node.hidden = !(source.total > source.ids.length && source.ids.length < server.most); },
    close() {
      coming?.close();
      coming = null;
    },
  };
}

/**
 * `options`: type, title, columns, empty (a function to nodes), show(row, id, side) (nodes of the
 * drawer, null where it has changed them itself; without it there is none), onopen(id), acts (nodes
 * of the head), copies() (orders to be copied, `[name, text]`), notice (a node above the rows), order (where the address has none), keys, source(url) (instead of a live query),
 * onchange(detail) (rows have changed).
 */
export function listPage(options, place) {
  const { type, title } = options;
  let source = null;
  let limit = pageSize;
  let url = place.url;
  const status = element('span', { class: 'muted', test: 'status' });
  const filter = filterField(() => url);
  const body = element('div', { class: 'answer' });
  const once = element('div');
  const table = new LiveTable({
    caption: title, test: 'rows', onopen: options.onopen, onrender: render,
    onpick: options.show && ((id) => setOwn({ _sel: id === table.picked ? null : id })),
    onsort: (path, isAdded) => sortList(url, path, isAdded),
  });
  const more = moreRows(table, 'more', () => {
    limit += pageSize;
    return open();
  }, (next) => {
    take(next, true);
    options.onchange?.({});
  });
  const node = element('article', null, pageHead(title, status, grow(), filter, options.acts), options.notice, once, body);

  const side = rowDrawer(table, (text, id, drawer) => {
    const row = text !== undefined && memberTexts(text);
    if (row) return isCut(row) ? remark('This row is too large for a list.') : options.show(row, id, drawer);
    drawer.described = undefined;
    return remark('There is no such row now.');
  });

  const searched = () => `/v1/${type}${/\?.*|$/.exec(url)[0]}`;

  const open = () => (options.source ?? watch)(withParameters(searched(),
    { limit: most(limit), count: true, ...options.order && parameter(url, 'order') === undefined && { order: options.order } }));

  function take(next, isMore) {
    more.close();
    source?.close();
    fill(once);
    source = next;
    source.addEventListener('state', render);
    source.addEventListener('change', ({ detail }) => options.onchange?.(detail ?? {}));
    table.watch(source, isMore);
    render();
  }

  function begin() {
    filter.value = parameter(url, 'filter') ?? '';
    table.setColumns(options.columns.map((column) => ({ ...column, show: (now, row, id) => (isCut(row) && column.name !== 'id' ? muted('too large')
      : column.show ? column.show(now, row, id) : value(now)) })), orderKeys(parameter(url, 'order')));
    take(open());
  }

  function render() {
    const { state, problem } = source;
    const size = source.ids.length;
    status.textContent = state === 'failed' || isEmptyYet(source) ? '' : statusText(source, size);
    if (source.elsewhere) refill(once, onceNotice(source));
    if (state === 'failed') {
      refill(body, forbidden(problem), problemCard(problem, begin));
    } else if (isEmptyYet(source)) {
      if (!table.node.isConnected && !body.querySelector('.loading')) fill(body, loading());
    } else if (!size) {
      fill(body, parameter(url, 'filter') ? emptyState('No row fits the filter.') : options.empty());
    } else if (!table.node.isConnected) {
      fill(body, table.node, more.node);
    }
    more.offer(source);
    if (options.show) side.update();
  }

  begin();
  return {
    node, title, table, again: begin,
    row: (id) => memberTexts(source.text(id) ?? '{}'),
    keys: { ...table.keys, '/': { label: 'filter', act: () => filter.focus() }, c: { label: 'copy as', act: () => copyAs(searched(), options.copies?.()) },
      y: { label: 'copy row', act: () => table.text(table.active) !== undefined && copyText(table.text(table.active), 'Row') }, ...options.keys },
    update(next) {
      if (next.id) return false; // one of its rows has a page
      if (next.url !== url) {
        url = next.url;
        begin();
      } else if (options.show) {
        side.update();
      }
      return true;
    },
    escape: side.escape,
    close() {
      side.close();
      more.close();
      source.close();
      table.close();
    },
  };
}
