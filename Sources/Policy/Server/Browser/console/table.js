// A live table: rows of a query, told apart by their ids, with which focus and the open row stay.
//
// The source of rows has `ids` (in order), `text(id)` (exact JSON) and the event `change`, as a live query has. The
// next frame shows all changes. Of many rows only those in sight (and the focused one) are in the document.
import { memberTexts } from '../reducer.js';
import { announce, element, fill } from './dom.js';
import { News, arrange, placesOf, slide } from './effects.js';
import { caption, isNumber, plural, value } from './show.js';

const mostRows = 300; // in the document
const mostEffects = 50; // changed rows of one frame
const markTime = 1500; // ms

/**
 * A column: `text` is what decides whether a cell has changed, `show` makes its nodes of it; `path` orders by it.
 * @typedef {{name: string, path?: string, label?: string, title?: string, isFigure?: boolean, isSorted?: boolean,
 *   text?: (row: Map<string, string>, id: string) => string|undefined,
 *   show?: (text: string|undefined, row: Map<string, string>, id: string) => Node|string}} Column
 */

export class LiveTable {
  selected = new Set();
  /** The id whose row was focused last. */
  active = null;
  picked = null;
  /** How many commits a paused table is behind; null while it is not paused. */
  behind = null;

  #options;
  #source = null;
  #columns = [];
  #order = [];
  #rows = new Map(); // id → { node, sign, cells, texts, text }
  #ghosts = new Map(); // id → { node, at }
  #frozen = null; // { ids, texts, reasons }
  #news = new News(); // since the last frame
  #isFirst = true;
  #isScheduled = false;
  #activeAt = 0;
  #said = { entered: 0, changed: 0, left: 0 };
  #spacers = [0, 1, 2].map(() => element('tr', { class: 'spacer', 'aria-hidden': 'true' }, element('td')));

  /**
   * `options`: caption, test, selectable, onopen(id), onpick(id, column name), onsort(name, isAdded),
   * onrender(table), onselect().
   */
  constructor(options) {
    this.#options = options;
    this.head = element('tr', { 'aria-rowindex': 1 });
    this.body = element('tbody', { on: { click: (event) => this.#click(event), dblclick: (event) => { if (rowAt(event) !== undefined) options.onopen?.(rowAt(event)); },
      focusin: (event) => this.#setActive(idOf(event)), change: (event) => this.toggle(idOf(event)) } });
    this.table = element('table', { class: 'rows', test: options.test ?? 'rows' },
      caption(options.caption), element('thead', null, this.head), this.body);
    this.node = element('div', { class: 'scroller', role: 'region', tabindex: 0, 'aria-label': options.caption, on: {
      scroll: () => { if (this.ids.length > mostRows) this.schedule(); } } }, this.table);
    this.#resize = new ResizeObserver(() => this.schedule());
    this.#resize.observe(this.node);
    this.keys = {
      j: { label: 'next row', act: () => this.move(1) }, k: { label: 'row before', act: () => this.move(-1) },
      ArrowDown: { act: () => this.move(1) }, ArrowUp: { act: () => this.move(-1) },
      PageDown: { act: () => this.move(20) }, PageUp: { act: () => this.move(-20) },
      Home: { label: 'first row', act: () => this.move(-Infinity) }, End: { label: 'last row', act: () => this.move(Infinity) },
      Enter: { label: 'open', act: () => this.active !== null && options.onopen?.(this.active) },
      ' ': { label: 'show the row beside', act: () => this.active !== null && options.onpick?.(this.active) },
      ...options.selectable && { x: { label: 'select', act: () => this.active !== null && this.toggle(this.active) } },
    };
  }

  #resize;
  get ids() { return this.#frozen?.ids ?? this.#source?.ids ?? []; }
  text(id) { return this.#frozen ? this.#frozen.texts.get(id) : this.#source?.text(id); }

  /** Shows the rows of another source; it may go on with those that are shown. A pause holds the rows that it has now. */
  watch(source, goesOn = false) {
    const isPaused = this.behind !== null;
    this.#source?.removeEventListener('change', this.#listener);
    this.#source = source;
    if (!goesOn) {
      [this.#frozen, this.behind, this.#isFirst, this.#news] = [null, null, true, new News()];
      this.clearSelection(); // what is not shown is not acted on
      this.#dropRows();
      if (isPaused) this.pause(true);
    }
    source?.addEventListener('change', this.#listener);
    this.schedule();
  }

  close() {
    this.watch(null);
    this.#resize.disconnect();
  }

  /** @param {Column[]} columns @param {[name: string, isDescending: boolean][]} order */
  setColumns(columns, order = []) {
    [this.#columns, this.#order] = [columns, order];
    const row = this.body.contains(document.activeElement) ? document.activeElement : null;
    this.#dropRows();
    const { selectable, onsort } = this.#options;
    const held = this.head.contains(document.activeElement) && document.activeElement.closest('th').dataset.name;
    fill(this.head, selectable && element('td', { class: 'mark' }), columns.map((column) => {
      const at = order.findIndex(([path]) => path === (column.path ?? column.name));
      const label = column.label ?? column.name;
      const arrow = at < 0 ? '' : ` ${order[at][1] ? '▼' : '▲'}${order.length > 1 ? at + 1 : ''}`;
      const sort = (event) => onsort(column.path ?? column.name, event.shiftKey);
      return element('th', { scope: 'col', class: column.isFigure && 'figure', title: column.title, 'data-name': column.name,
        'aria-sort': at === 0 ? (order[at][1] ? 'descending' : 'ascending') : null },
        onsort && column.isSorted !== false ? element('button', { on: { click: sort } }, label,
          element('span', { 'aria-hidden': 'true' }, arrow)) : label);
    }));
    if (held) [...this.head.children].find(({ dataset }) => dataset.name === held)?.querySelector('button')?.focus({ preventScroll: true });
    if (this.#isFirst) this.schedule();
    else this.#render(row); // never without its rows
  }

  /** Holds what is shown; what comes meanwhile is counted, and shown as one change afterwards. */
  pause(isOn) {
    if (!this.#source || isOn === (this.behind !== null)) return;
    if (isOn) {
      const ids = [...this.ids];
      this.behind = 0;
      this.#frozen = { ids, texts: new Map(ids.map((id) => [id, this.#source.text(id)])), reasons: new Map() };
      return;
    }
    const { ids, texts, reasons } = this.#frozen;
    this.#frozen = null;
    this.behind = null;
    const now = new Set(this.#source.ids);
    for (const id of now) {
      if (!texts.has(id)) this.#news.entered.add(id);
      else if (texts.get(id) !== this.#source.text(id)) this.#news.changed.add(id);
    }
    for (const id of ids) if (!now.has(id)) this.#news.left.set(id, reasons.get(id) ?? '');
    this.schedule();
  }

  #listener = ({ detail = {} }) => {
    if (this.#frozen) {
      this.behind += detail.commits || 1; // what is told anew has none
      for (const { id, reason } of detail.left ?? []) this.#frozen.reasons.set(id, reason);
      this.#options.onrender?.(this);
      return;
    }
    this.#news.add(detail);
    this.schedule();
  };

  #dropRows() {
    this.#rows.clear();
    this.#ghosts.clear();
    this.body.replaceChildren();
  }

  // Rendering ----

  schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const render = () => {
      this.#isScheduled = false;
      if (this.#source) this.#render();
    };
    if (document.hidden) setTimeout(render, 100);
    else requestAnimationFrame(render);
  }

  #render(held = this.body.contains(document.activeElement) ? document.activeElement : null) {
    const news = this.#news;
    const ids = this.ids;
    const { size } = news;
    const hasEffects = !this.#isFirst && size > 0 && size <= mostEffects;
    /** How many rows changed at once, where it was too many to mark each. */
    this.burst = !this.#isFirst && size > mostEffects ? size : 0;
    if (!this.#isFirst && size) this.#tell(news);
    const places = hasEffects && news.moved.size ? placesOf([...news.moved].map((id) => this.#rows.get(id)?.node)) : null;

    this.#clearGhosts(news, hasEffects);
    const at = this.#indices(ids);
    const kept = new Map();
    const nodes = [];
    const height = this.#rowHeight;
    let next = 0;
    let spacer = 0;
    const space = (to) => {
      if (to <= next) return;
      const node = this.#spacers[spacer++];
      node.firstChild.style.height = `${(to - next) * height}px`;
      nodes.push(node);
    };
    for (const index of at) {
      space(index);
      next = index + 1;
      const record = this.#record(ids[index], index, ids.length, hasEffects);
      kept.set(ids[index], record);
      nodes.push(record.node);
    }
    space(ids.length);
    for (const { node, at } of [...this.#ghosts.values()].sort((a, b) => a.at - b.at)) nodes.splice(Math.min(at, nodes.length), 0, node);
    this.#rows = kept;
    arrange(this.body, nodes);
    this.table.setAttribute('aria-rowcount', ids.length + 1);
    if (places) slide(places);
    this.#keepFocus(held, ids);
    if (hasEffects) this.#unmarkLater([...news.entered, ...news.changed]);
    if (!this.#isFirst || ids.length || this.#source.state === 'live') this.#isFirst = false;
    this.#news = new News();
    this.#options.onrender?.(this);
  }

  get #rowHeight() { return matchMedia('(max-width: 640px)').matches ? 40 : 28; }

  #indices(ids) {
    if (ids.length <= mostRows) return ids.keys();
    const height = this.#rowHeight;
    const size = Math.min(mostRows - mostEffects - 10, Math.ceil(this.node.clientHeight / height) + 40);
    const first = Math.max(0, Math.min(Math.floor(this.node.scrollTop / height) - 20, ids.length - size));
    const last = first + size;
    const all = Array.from({ length: size }, (_, index) => first + index);
    const active = this.active === null ? -1 : ids.indexOf(this.active);
    if (active >= 0 && active < first) all.unshift(active);
    if (active >= last) all.push(active);
    return all;
  }

  #record(id, index, size, hasEffects) {
    const text = this.text(id);
    const record = this.#rows.get(id) ?? this.#newRecord(id);
    if (record.text !== text) this.#fillCells(record, id, text, hasEffects);
    if (hasEffects && this.#news.entered.has(id)) {
      record.node.classList.add('entered');
      record.sign.textContent = '+';
    }
    if (size > mostRows) record.node.setAttribute('aria-rowindex', index + 2);
    record.node.tabIndex = id === this.active || (this.active === null && index === 0) ? 0 : -1;
    return record;
  }

  #newRecord(id) {
    const sign = element('span', { class: 'sign' });
    const cells = this.#columns.map((_, index) => element(index ? 'td' : 'th', index ? null : { scope: 'row' }));
    const mark = this.#options.selectable && element('td', { class: 'mark' },
      element('label', null, element('input', { type: 'checkbox', tabindex: -1, 'aria-label': `select ${id}`, checked: this.selected.has(id) })));
    const node = element('tr', { 'data-id': id, test: 'row', 'aria-current': this.picked === id ? 'true' : null }, mark, cells);
    return { node, sign, cells, texts: [], text: undefined };
  }

  #fillCells(record, id, text, hasEffects) {
    const row = memberTexts(text);
    const isNew = record.text === undefined;
    for (const [index, column] of this.#columns.entries()) {
      const cell = record.cells[index];
      const now = column.text ? column.text(row, id) : row.get(column.name);
      if (!isNew && now === record.texts[index]) continue;
      fill(cell, index === 0 && record.sign, column.show ? column.show(now, row, id) : value(now));
      cell.classList.toggle('figure', column.isFigure ?? isNumber(now));
      if (!isNew) cell.title = `was ${short(record.texts[index])}`;
      cell.classList.toggle('changed', !isNew && hasEffects && this.#news.changed.has(id));
      record.texts[index] = now;
    }
    record.text = text;
  }

  /** Rows that have left: struck through with the reason, for a moment. */
  #clearGhosts(news, hasEffects) {
    const nodes = [...this.body.children].filter((node) => !node.classList.contains('spacer'));
    for (const [id, reason] of news.left) {
      const record = this.#rows.get(id);
      this.selected.delete(id);
      if (!record || !hasEffects) continue;
      record.node.classList.add('left');
      record.node.dataset.test = 'left';
      record.node.removeAttribute('tabindex');
      record.cells[0].append(element('span', { class: 'reason', test: 'reason' }, reason));
      const ghost = { node: record.node, at: nodes.indexOf(record.node) };
      this.#ghosts.set(id, ghost);
      setTimeout(() => {
        if (this.#ghosts.get(id) !== ghost) return;
        this.#ghosts.delete(id);
        ghost.node.remove();
        this.schedule();
      }, markTime);
    }
    for (const id of news.entered) this.#ghosts.delete(id);
    if (!hasEffects && news.left.size) this.#ghosts.clear();
  }

  #unmarkLater(ids) {
    const records = ids.map((id) => this.#rows.get(id)).filter(Boolean);
    const at = performance.now();
    for (const record of records) record.markedAt = at;
    setTimeout(() => {
      for (const record of records) {
        if (record.markedAt !== at) continue;
        record.node.classList.remove('entered');
        record.sign.textContent = '';
        for (const cell of record.cells) cell.classList.remove('changed');
      }
    }, markTime);
  }

  #tell(news) {
    this.#said.entered += news.entered.size;
    this.#said.changed += news.changed.size;
    this.#said.left += news.left.size;
    announce(() => {
      const { entered, changed, left } = this.#said;
      this.#said = { entered: 0, changed: 0, left: 0 };
      return [entered && `${plural(entered, 'row')} entered`, changed && `${changed} changed`, left && `${left} left`].filter(Boolean).join(', ');
    }, this);
  }

  // Focus, selection ----

  /** The focus stays with the id; where its row has gone, with the place. */
  #keepFocus(held, ids) {
    if (this.active !== null && !this.#rows.has(this.active)) {
      this.active = ids[Math.min(this.#activeAt, ids.length - 1)] ?? null;
      const record = this.#rows.get(this.active);
      if (record) record.node.tabIndex = 0;
      if (held) (record?.node ?? this.node).focus({ preventScroll: true });
    } else if (held && document.activeElement !== held) {
      (held.isConnected ? held : this.#rows.get(this.active)?.node)?.focus({ preventScroll: true });
    }
    if (this.active !== null) this.#activeAt = ids.indexOf(this.active);
  }

  #setActive(id) {
    if (id === undefined || id === this.active || this.#ghosts.has(id)) return;
    this.#rows.get(this.active)?.node.setAttribute('tabindex', -1);
    this.active = id;
    this.#activeAt = this.ids.indexOf(id);
    this.#rows.get(id)?.node.setAttribute('tabindex', 0);
    if (this.#activeAt !== 0 && this.ids.length) this.#rows.get(this.ids[0])?.node.setAttribute('tabindex', -1);
  }

  /** Draws a row anew whose cells show more than its text; `known` '': those cells alone whose `text` differs. */
  refresh(id, known) {
    Object.assign(this.#rows.get(id) ?? {}, { text: known });
    this.schedule();
  }

  move(by) {
    const ids = this.ids;
    if (!ids.length) return;
    const from = this.active === null ? -1 : ids.indexOf(this.active);
    const to = from < 0 && Number.isFinite(by) ? 0 : Math.max(0, Math.min(ids.length - 1, from + by));
    this.focus(ids[to]);
  }

  focus(id) {
    const index = this.ids.indexOf(id);
    if (index < 0) return;
    this.#setActive(id);
    if (!this.#rows.has(id)) {
      this.node.scrollTop = index * this.#rowHeight - this.node.clientHeight / 2;
      this.#render();
    }
    const { node } = this.#rows.get(id);
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: 'nearest' });
  }

  pick(id) {
    this.#rows.get(this.picked)?.node.removeAttribute('aria-current');
    this.picked = id;
    this.#rows.get(id)?.node.setAttribute('aria-current', 'true');
  }

  toggle(id) {
    if (!this.selected.delete(id)) this.selected.add(id);
    const box = this.#rows.get(id)?.node.querySelector('.mark input');
    if (box) box.checked = this.selected.has(id);
    this.#options.onselect?.();
  }

  clearSelection() { for (const id of [...this.selected]) this.toggle(id); }

  #click(event) {
    const id = rowAt(event);
    if (id === undefined) return;
    const column = this.#columns[this.#rows.get(id)?.cells.indexOf(event.target.closest('td, th'))];
    this.#rows.get(id)?.node.focus({ preventScroll: true });
    this.#options.onpick?.(id, event.target.closest('[data-open]') ? column?.name : undefined);
  }
}

const idOf = (event) => event.target.closest('tr')?.dataset.id;
const rowAt = (event) => (event.target.closest('a, input, label, .mark') ? undefined : idOf(event)); // not one of its controls
const short = (text) => (text === undefined ? 'absent' : text.length > 200 ? `${text.slice(0, 200)} …` : text);
