// Query: ask, and watch the answer. The question is a search URL; URL text, filter and fields are
// three forms of it, and what is shown is what the search would answer at this moment.
import { idText } from '../json.js';
import { memberTexts } from '../reducer.js';
import { ask, may, most, observe, watch } from './server.js';
import { builder } from './builder.js';
import { busy, button, confirmAct, copyAs, copyText, disable, element, fill, fillNew, hold, load, openDialog, plain, problemCard, refill } from './dom.js';
import { parameterFields } from './fields.js';
import { declarationOf, includedColumn, includedNames, includedSummary, nothingDeclared } from './included.js';
import { orderKeys, pathOf, turned } from './path.js';
import { actsRow, banner, bytes, count, emptyState, grow, idLink, linkButton, loading, pageHead, plural, remark, rowLink, say, time } from './show.js';
import { decodePart, entityHash, entityUrl, go, here, idLiteral, onceUrl, pageHash, parameter, place as present, readable, setOwn, settings, typeUrl, withParameters } from './state.js';
import { rowDrawer, statusText } from './list.js';
import { LiveTable } from './table.js';
import { Once, RowMembers, aggregatesTable, chooseColumns, propertiesOf, recentPanel, showGroups, showSource } from './answer.js';

export const open = (place) => new QueryPage(place);

class QueryPage {
  #url;
  #source = null; // what is shown
  #next = null; // what will be, as soon as it has answered
  #side;
  #names = []; // properties, the most frequent first
  #columns = null; // names, where they are chosen
  #explain = null;
  #why = null; // why an answer is given once
  #declared = nothingDeclared; // of its type, as soon as it is known
  #isDescribed = false;
  #all = null; // counts rows that are cut
  #grouped = []; // the texts of the rows in groups
  #hasFailed = false; // the last answer
  #members; // of the row beside

  constructor(place) {
    this.type = place.type;
    this.title = place.type;
    this.#url = place.url;
    this.isOwn = this.type.startsWith('_');
    this.table = new LiveTable({
      caption: `Entities of ${this.type}`, selectable: !this.isOwn, onopen: (id) => this.#open(id), onrender: () => (this.#source && !this.#hasRows && this.table.node.isConnected ? this.#showAnswer() : this.#showStatus()), onselect: () => this.#showStatus(),
      onpick: (id, name) => {
        const shown = name && id === this.table.picked && this.table.text(id);
        if (shown) return this.#members.show(shown, name);
        this.#opened = name;
        return setOwn({ _sel: id });
      },
      onsort: (name, isAdded) => this.#ask({ order: turned(parameter(this.#url, 'order'), name, isAdded) }) });
    this.#side = rowDrawer(this.table, (text, id, side) => this.#describe(text, id, side));
    this.#build();
    this.keys = {
      ...this.table.keys,
      '/': { label: 'filter', act: () => this.builder.focus() },
      n: { label: 'new', act: () => this.#canWrite() && this.#new() },
      e: { label: 'edit', act: () => this.table.active !== null && this.#open(this.table.active) },
      Delete: { label: 'remove', act: () => busy(this.removeButton, () => this.#remove(this.table.active)) },
      y: { label: 'copy row', act: () => this.table.active !== null && copyText(this.table.text(this.table.active), 'Row') },
      c: { label: 'copy as', act: () => this.copyButton.click() },
      l: { label: 'live or once', act: () => this.#toggleLive() },
      p: { label: 'pause', act: () => this.#pause() },
      w: { label: 'why this answer', act: () => this.#panel('explain') },
    };
    this.update(place, true);
  }

  #opened;

  #build() {
    const apply = () => this.#go(this.urlField.value.trim());
    this.urlField = element('input', { class: 'url', 'aria-label': 'Search URL', test: 'url', on: {
      keydown: (event) => { if (event.key === 'Enter') apply(); } } });
    this.builder = builder({ text: parameter(this.#url, 'filter') ?? '', type: this.type, change: (text) => this.#ask({ filter: text || null }) });
    this.fields = parameterFields((changes) => this.#ask(changes));
    this.liveButton = button('Live', () => this.#toggleLive(), { test: 'live' });
    this.pauseButton = button('Pause', () => this.#pause(), { test: 'pause' });
    this.removeButton = button('Remove…', () => this.#remove(null), { class: 'danger', test: 'remove' });
    this.writes = [button('New', () => this.#new(), { test: 'new' }), this.removeButton,
      button('Import…', () => this.#chooseFile(), { test: 'import' })];
    this.copyButton = button('Copy as', () => copyAs(this.#url), { test: 'copy-as' });
    this.status = element('span', { class: 'muted', test: 'status' });
    this.more = element('span');
    this.included = element('span', { test: 'included-types' });
    this.notices = element('div');
    this.panelNode = element('div');
    this.answer = element('div', { class: 'answer', test: 'answer' });
    const drag = (event) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      this.node.classList.toggle('drop', event.type === 'dragover');
      const { files } = event.dataTransfer;
      if (event.type === 'drop' && files[0]) this.#import(files[0], files.length);
    };
    this.node = element('article', { on: { dragover: drag, dragleave: drag, drop: drag } },
      pageHead(plain(this.type), this.status, this.more, this.included, grow(), actsRow(this.liveButton, this.pauseButton, button('Explain', () => this.#panel('explain'), { test: 'explain' }),
        this.copyButton, button('Recent', () => this.#panel('recent'), { test: 'recent' }),
        button('Export', async () => (await load('./transfer.js')).exportRows(this.#url, this.type, this.#bytes()), { test: 'export' }),
        this.isOwn ? null : this.writes)),
      element('section', { class: 'question', 'aria-label': 'Question' },
        actsRow(element('code', { class: 'muted' }, 'GET'), this.urlField, button('Ask', apply, { test: 'ask' })),
        this.builder.node,
        element('div', { class: 'fields' }, this.fields.nodes)),
      this.notices, this.panelNode, this.answer);
  }

  // The question ----

  #ask(changes) { this.#go(withParameters(this.#url, { after: null, ...changes })); }

  #go(url) {
    const own = new Map(present().own);
    const isView = url.split('?')[0] === this.#url.split('?')[0];
    if (!isView) for (const name of ['_cols', '_sel']) own.delete(name); // of this type
    if (readable(url) === readable(this.#url) && (this.isOnce || this.#why || this.#hasFailed)) this.#begin();
    else if (url.startsWith('/v1/')) go(pageHash(url, own), { replace: isView });
    else fill(this.notices, problemCard({ detail: 'A question is a search URL: /v1/TYPE?…', hint: `For example ${typeUrl(this.type)}?limit=20` }));
  }

  update(place, isFirst = false) {
    if (place.type !== this.type) return false;
    const isNew = isFirst || place.url !== this.#url || place.own.has('_once') !== this.isOnce;
    this.#url = place.url;
    this.isOnce = place.own.has('_once');
    this.#columns = place.own.get('_cols')?.split(',').filter(Boolean).map(decodePart) ?? settings.columns(this.type) ?? null;
    if (isNew) this.#begin();
    else if (this.#source) this.#setColumns();
    this.#showPanel(place.own.get('_panel'));
    this.#side.update();
    return true;
  }

  #begin() {
    const url = this.#url;
    if (document.activeElement !== this.urlField) this.urlField.value = readable(url);
    this.fields.set(url, this.#declared);
    this.builder.set(parameter(url, 'filter') ?? '');
    this.#next?.close();
    this.#why = parameter(url, 'after') !== undefined ? 'A later page (after) is given once.' : null;
    this.#watch(url);
    if (!this.isOwn) settings.remember(url);
  }

  #watch(url) {
    // A system type without a parameter is a plain list.
    const source = this.#answer(this.isOwn ? withParameters(url, { count: true }) : url);
    this.#next = source;
    source.addEventListener('sync', () => { if (source === this.#source) this.#showStatus(); });
    observe(source, ({ detail } = {}) => this.#changed(source, detail));
  }

  #answer(url) { return this.isOnce || this.#why ? new Once(url) : watch(url); }

  /** Counts what is cut, unless a remote would be asked for all of it. */
  #count() {
    const { aggregatesText, total } = this.#source;
    if (this.#all || this.#next || aggregatesText || total !== undefined || (!this.#from && this.#size < this.#limit) || this.#declared.hasRemote !== false) return;
    this.#all = this.#answer(withParameters(this.#url, { limit: 0, offset: null, group: null, count: true }));
    this.#all.addEventListener('change', () => { this.#showMore(); this.#showStatus(); });
  }

  /** What has come: the first answer takes the place of what is shown. */
  #changed(source, detail) {
    if (source === this.#next && (source.state === 'live' || source.state === 'once')) {
      this.#source?.close();
      this.#all?.close();
      this.#source = source;
      this.#next = this.#all = null;
      this.#names = [];
      this.#grouped = [];
      this.#hasFailed = false;
      if (!this.#isTable) fill(this.answer); // drawn although it is paused
      this.answer.classList.remove('dimmed');
      fill(this.notices);
      this.builder.fault(null);
      this.answer.querySelector('.empty')?.remove();
      this.table.watch(source);
      this.#setColumns();
      this.#side.update();
    }
    if (source.state === 'failed' && (source === this.#next || source === this.#source)) return this.#failed(source);
    if (source !== this.#source) {
      if (!this.#source && source === this.#next && !this.answer.querySelector('.loading')) fill(this.answer, loading());
      return undefined;
    }
    if (this.#isTable && this.#needsColumns([...detail?.entered ?? [], ...(detail?.changed ?? []).map(({ id }) => id)])) this.#setColumns();
    this.#showAnswer();
    return undefined;
  }

  /** Asks what is declared of the type, once something of it is there. */
  async #learn() {
    if (!this.isOwn && !this.#isDescribed && (this.#size || this.#source.included || this.#from || !this.#limit)) {
      this.#isDescribed = true;
      this.#declared = await declarationOf(this.type);
      if (!this.node.isConnected) return;
      this.fields.set(this.#url, this.#declared);
      if (includedNames(this.#url, this.#declared).length) this.#setColumns();
    }
    this.#count();
  }

  #failed(source) {
    const problem = source.problem ?? {};
    this.#hasFailed = true;
    source.close();
    if (['snapshot-too-large', 'too-many-queries', 'too-many-live-queries', 'too-many-residual-queries'].includes(problem.code) && !this.#why) {
      this.#why = `Given once: ${problem.detail}`;
      this.#watch(this.#url);
      return;
    }
    if (source === this.#next) this.#next = null;
    this.answer.classList.toggle('dimmed', this.#source !== null);
    if (!this.#source) fill(this.answer);
    if (problem.errors?.some(({ parameter, offset }) => parameter === 'filter' && offset !== undefined)) this.builder.fault(problem);
    refill(this.notices, problemCard(problem, () => this.#watch(this.#url)));
    this.#showStatus();
  }

  // The answer ----

  get #isTable() { return this.#source && !this.#source.groupsText && !this.#source.aggregatesText; }
  get #from() { return Number(parameter(this.#url, 'offset') ?? 0); }
  get #limit() { return Number(parameter(this.#url, 'limit') ?? most(100)); }
  get #size() { return this.#source.ids.length + this.#grouped.length; }
  get #total() { return this.#source.total ?? this.#all?.total; }
  get #shown() { return this.#columns ?? this.#names.slice(0, 11); }

  #showAnswer() {
    const source = this.#source;
    const isHeld = this.table.behind !== null && !this.#isTable;
    if (isHeld && this.answer.firstChild) return this.#showStatus();
    if (source.aggregatesText) refill(this.answer, aggregatesTable(source.aggregatesText));
    else if (source.groupsText && source.groupsText !== '[]') {
      this.#grouped = showGroups(this.answer, source.groupsText, this.type, this.#columns);
      this.#showMore();
    } else if (this.#hasRows) {
      if (!this.table.node.isConnected) fill(this.answer, this.table.node);
    } else if (!this.answer.querySelector('.empty')) { this.#grouped = []; this.#showMore(); this.#showEmpty(); }
    showSource(this.notices, source);
    this.#showIncluded();
    this.#learn();
    this.#showStatus();
    return this.#side.update();
  }

  /** What is included changes without a change of the rows that show it. */
  #showIncluded() {
    const { included } = this.#source;
    if (included === this.#includedBefore || this.table.behind !== null) return;
    this.#includedBefore = included;
    fill(this.included, includedSummary(this.#source));
    for (const id of this.table.ids) this.table.refresh(id, '');
  }

  #includedBefore;

  /** Also those that have just left. */
  get #hasRows() { return this.table.ids.length > 0 || this.table.node.querySelector('tbody tr') !== null; }

  #showEmpty() {
    const hint = element('p', { test: 'hint' });
    fill(this.answer, emptyState('No entity is in this answer.', hint, !this.isOwn && [button('Why not here?', () => this.#panel('explain')),
      parameter(this.#url, 'filter') && button('Without the filter', () => this.#ask({ filter: null })), this.#canWrite() && button('New', () => this.#new())]));
    const url = this.#url;
    ask('GET', onceUrl(url, here(this.type))).then(({ json }) => { if (url === this.#url) hint.textContent = json.meta.hint ?? ''; }, () => {});
  }

  /** Takes in what new rows have that is not known; whether they do. */
  #needsColumns(entered) {
    const known = this.#names.length;
    if (!known) return this.#source.ids.length > 0;
    for (const id of entered.slice(0, 20)) {
      for (const name of memberTexts(this.#source.text(id) ?? '{}').keys()) if (name !== 'id' && !this.#names.includes(name)) this.#names.push(name);
    }
    return this.#names.length > known;
  }

  #setColumns() {
    if (!this.#names.length) this.#names = propertiesOf(this.#source);
    const shown = this.#shown;
    const included = includedNames(this.#url, this.#declared);
    const columns = ['id', ...shown, ...included.filter((name) => !shown.includes(name))].map((name) => ({
      name, path: pathOf([name]), label: plain(name), isFigure: name === 'id' ? false : undefined, ...name === 'id' && !this.isOwn && { show: (_, row, id) => rowLink(entityHash(this.type, id), id) },
      ...included.includes(name) && includedColumn(this.#source, name, this.#declared.relationships.get(name)) }));
    this.table.setColumns(columns, orderKeys(parameter(this.#url, 'order')));
    this.#showMore();
  }

  /** What is not shown: columns, and rows behind the window. */
  #showMore() {
    const shown = this.#shown;
    const rest = this.#names.filter((name) => !shown.includes(name)).length;
    const [from, size, shownRows, { aggregatesText, meta }] = [this.#from, this.#limit, this.#size, this.#source];
    const isAfter = parameter(this.#url, 'after') !== undefined;
    const hasNext = isAfter ? meta?.next : size > 0 && (this.#total ?? (shownRows === size ? Infinity : 0)) > from + shownRows;
    refill(this.more, this.#names.length > 0 && button(rest ? `+${rest} more columns` : 'Columns', async () => {
      const names = await chooseColumns(this.#names, shown);
      if (names === undefined || !this.node.isConnected) return;
      settings.setColumns(this.type, names ?? undefined);
      setOwn({ _cols: names && names.map(encodeURIComponent).join() });
    }, { class: 'plain', test: 'columns' }),
    !aggregatesText && from > 0 && button('‹ Rows before', () => this.#ask({ offset: from > size ? from - size : null }), { class: 'plain', test: 'rows-before' }),
    !aggregatesText && hasNext && button('Next rows ›', () => this.#ask(isAfter ? { after: meta.next } : { offset: from + size }), { class: 'plain', test: 'rows-next' }));
  }

  #bytes() { return new Blob(this.table.ids.map((id) => this.table.text(id) ?? '')).size; }

  #showStatus() {
    const source = this.#source;
    if (!source) return;
    const { behind, burst, ids, selected } = this.table;
    const seq = source.at?.split('.')[1];
    const parts = [source.aggregatesText ? null : statusText(source, ids.length + this.#grouped.length, this.#total), seq && `seq ${seq}`, this.#isTable && ids.length > 0 && bytes(this.#bytes()),
      behind !== null ? `paused, ${plural(behind, 'change')} behind` : source.state === 'failed' ? 'ended' : source.state, burst ? `${count(burst)} rows changed at once` : null, selected.size ? `${selected.size} selected` : null];
    const text = parts.filter(Boolean).join(' · ') + (this.#why ? ` · ${this.#why}` : '');
    fillNew(this.status, `${text}/${source.syncedAt}`, () => [text, source.syncedAt && [' · ', time(source.syncedAt)]]);
    this.liveButton.setAttribute('aria-pressed', String(source.state !== 'once'));
    this.pauseButton.setAttribute('aria-pressed', String(behind !== null));
    const { why } = may('write', this.type);
    for (const control of this.writes) disable(control, why);
    this.removeButton.textContent = selected.size ? `Remove ${selected.size}…` : 'Remove…';
  }

  // The row beside, panels ----

  #describe(text, id, side) {
    if (text === undefined) return [remark('This id is not in the answer now.'), idLink(this.type, id)];
    const goesOn = side.id === id && side.text !== undefined;
    if (!goesOn) this.#members = new RowMembers();
    this.#members.show(text, this.#opened);
    this.#opened = undefined;
    return goesOn ? null : [this.#members.node, !this.isOwn && actsRow(linkButton(entityHash(this.type, id), 'Open'),
      hold(linkButton(`#${typeUrl(this.type)}?_new=1&_from=${encodeURIComponent(id)}`, 'Duplicate'), () => may('write', this.type).why), button('Copy', () => copyText(side.text, 'Row')))];
  }

  #panel(name) { setOwn({ _panel: present().own.get('_panel') === name ? null : name }); }

  async #showPanel(name) {
    if (name !== 'explain') {
      this.#explain = null;
      return fill(this.panelNode, name === 'recent' && recentPanel(this.#url));
    }
    if (this.#explain) return this.#explain.update(this.#url);
    const { explainPanel, problem } = await load('./explain.js').catch((problem) => ({ problem }));
    if (this.#explain || !this.node.isConnected || present().own.get('_panel') !== 'explain') return undefined;
    if (problem) return fill(this.panelNode, problemCard(problem, () => this.#showPanel(name)));
    this.#explain = explainPanel({ url: this.#url, ids: () => [...this.table.ids, ...this.#grouped.map(idText)] });
    return fill(this.panelNode, this.#explain.node);
  }

  // Acts ----

  #open(id) { if (!this.isOwn) go(`#${entityUrl(this.type, id)}`); }
  #new() { go(`#${typeUrl(this.type)}?_new=1`); }
  #canWrite() { return may('write', this.type).allowed; }
  #pause() {
    this.table.pause(this.table.behind === null);
    if (this.#source) this.#showAnswer();
  }
  #toggleLive() { setOwn({ _once: this.isOnce ? null : '1' }); }

  /** Removes what is selected, else the row `focused`, else what the filter finds. */
  async #remove(focused) {
    if (this.isOwn || !this.#canWrite()) return;
    const ids = this.table.selected.size ? [...this.table.selected] : focused !== null ? [focused] : [];
    const filter = parameter(this.#url, 'filter');
    if (ids.length) {
      const title = ids.length === 1 ? `Remove '${ids[0]}'?` : `Remove ${count(ids.length)} entities?`;
      if (!await confirmAct({ title, text: `Of type '${this.type}', for good.`, act: 'Remove', count: ids.length })) return;
      await ask('POST', `${typeUrl(this.type)}/_remove`, { body: `{"ids":[${ids.map(idLiteral)}]}` });
      this.table.clearSelection();
    } else if (filter) {
      const { json } = await ask('GET', withParameters(typeUrl(this.type), { filter, limit: 0, count: true, source: 'local' }));
      if (!json.meta.total) return;
      if (!await confirmAct({ title: 'Remove all that the filter finds?', text: `${plural(json.meta.total, 'entity', 'entities')} of type '${this.type}' with ${filter}, for good.`, act: 'Remove', count: json.meta.total })) return;
      await ask('POST', `${typeUrl(this.type)}/_remove`, { body: JSON.stringify({ filter }) });
    } else {
      await openDialog({ title: 'Nothing to remove', body: say('Select rows (x), press Delete on one, or set a filter.') });
    }
  }

  #chooseFile() {
    const field = element('input', { type: 'file', accept: '.json,.ndjson,.jsonl' });
    field.addEventListener('change', () => { if (field.files[0]) this.#import(field.files[0]); });
    field.click();
  }

  async #import(file, count = 1) {
    const why = may('write', this.type).why ?? (count > 1 ? 'One file at a time is taken.' : null);
    if (why) return fill(this.notices, banner('warn', 'not-imported', 'Nothing was imported. ', why));
    return busy(this.writes[2], async () => (await load('./transfer.js')).importFile(file, this.type));
  }

  escape() { return this.#side.escape(); }

  close() {
    for (const part of [this.#side, this.builder, this.#source, this.#next, this.#all, this.table]) part?.close?.();
    this.#next = null; // what comes late is not shown
  }
}
