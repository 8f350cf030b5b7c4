// One entity: its text and its form, the changes of others as they come, and saving without a loss.
import { elements, idOf, idText, members, splice, valueAt } from '../json.js';
import { openCopyAs } from './copyas.js';
import { announce, button, confirmAct, copyText, disable, element, fill, hold, openDialog, plain, problemCard } from './dom.js';
import { typedPath, unitOffset } from './filter.js';
import { entityForm } from './form.js';
import { choose, conflictPanel, differences, merge } from './merge.js';
import { ask, may, server, watch } from './server.js';
import { actsRow, banner, bullets, bytes, code, count, emptyState, facts, linkButton, loading, say, time } from './show.js';
import { entityHash, entityUrl, go, idLiteral, pageHash, typeUrl, withParameters } from './state.js';
import { attempt, isSame, layout, textEditor } from './text.js';

const formLimit = 256 * 1024; // characters; longer ones are edited as text alone
const list = (pointers) => pointers.map((pointer, index) => [index > 0 && ', ', code(pointer.slice(1))]);
const revisionOf = ({ headers }) => Number(/\d+/.exec(headers.get('etag'))?.[0] ?? NaN);

export const open = (place) => new EntityPage(place);

class EntityPage {
  #type;
  #id;
  #query;
  /** 'loading', 'absent', 'stored', 'gone' (removed while it was shown), or 'new': to be created. */
  #state = 'loading';
  #base = null; // what is stored, as far as is known: the exact text
  #revision = null;
  #meta = null;
  #shown = ''; // what the editor has where nothing is to be saved
  #isSaving = false;
  #tried; // the text that was sent without an id, and its key
  #schema = {};
  #form;
  #unfit = [];
  #drawn = [];
  #epoch;
  #hasRemote = false;
  #again;
  #said = ''; // what has happened last
  #notice = element('div', { 'aria-live': 'polite' });
  #outcome = element('div', { test: 'outcome' });
  #facts = element('div');
  #body = element('div', { class: 'columns' });
  #long = element('p', { class: 'muted', test: 'text-only' }, 'This entity is long: it is edited as text alone.');
  #status = element('span', { class: 'muted', test: 'edit-state' });
  #editor = textEditor('JSON of the entity', () => this.#edited());
  #save = button('Save', () => this.#saveAll(), { class: 'primary', test: 'save' });
  #revert = button('Revert', () => this.#take(this.#base, this.#revision, true), { test: 'revert' });
  #remove = button('Remove', () => this.#removeIt(), { class: 'danger', test: 'remove' });

  constructor({ type, id, own }) {
    this.#type = type;
    this.#id = id;
    const copyAs = () => openCopyAs(entityUrl(type, id));
    const key = (label, act) => ({ label, act });
    this.title = id === null ? `new ${type}` : `${type} / ${id}`;
    this.keys = { e: key('edit', () => this.#editor.focus()), y: key('copy the text', () => copyText(this.#editor.text)),
      'Ctrl-s': key('save', () => this.#save.click()),
      ...id === null ? {} : { c: key('copy as', copyAs), Delete: key('remove', () => this.#remove.click()) } };
    this.node = element('article', { class: 'entity', test: 'entity' },
      element('h1', null, element('a', { href: `#${typeUrl(type)}` }, plain(type)), ' / ', id === null ? 'new' : plain(id)),
      this.#notice, this.#outcome, this.#facts,
      actsRow(this.#save, this.#revert, id !== null && [
        !this.#isOwn && hold(linkButton(pageHash(typeUrl(type), [['_new', '1'], ['_from', id]]), 'Duplicate'), () => may('write', type).why),
        button('Copy as', copyAs, { test: 'copy-as-button' }), this.#remove], this.#status), this.#body);
    server.addEventListener('change', this.#draw);
    addEventListener('beforeunload', this.#unload);
    fill(this.#body, loading());
    if (!this.#isOwn) this.#describe();
    if (id === null) this.#begin(own.get('_from'));
    else this.#follow();
  }

  async leave() {
    return !this.#isDirty || await openDialog({ title: 'Leave without saving?', test: 'unsaved', body: say('What you have changed is not saved.'),
      actions: [['Leave', () => true, 'danger'], ['Stay', () => undefined]] }) === true;
  }

  /** Another caller is asking: a text that is not saved stays. */
  reenter() {
    if (!this.#isDirty) return false;
    this.#query?.close();
    fill(this.#outcome);
    if (this.#query) this.#follow();
    this.#draw();
    return true;
  }

  close() {
    clearTimeout(this.#again);
    this.#query?.close();
    server.removeEventListener('change', this.#draw);
    removeEventListener('beforeunload', this.#unload);
  }

  get #isDirty() { return this.#editor.text !== this.#shown || !!this.#form?.waits; }
  /** Whether conflicts wait for a choice; what comes meanwhile is met when it is made. */
  get #isOpen() { return !!this.#notice.querySelector('[data-test=conflicts]'); }
  get #isOwn() { return this.#type.startsWith('_'); }
  #unload = (event) => { if (this.#isDirty) event.preventDefault(); };

  // What is stored ----

  /** A new entity, or a copy of another without its id. */
  async #begin(from) {
    let text = '{\n  \n}';
    if (from === undefined) this.#shown = text;
    else await ask('GET', entityUrl(this.#type, from)).then((answer) => { text = layout(splice(answer.text.trim(), '/id', null)); },
      (problem) => fill(this.#outcome, problemCard(problem)));
    this.#create(text);
  }

  #create(text) {
    this.#state = 'new';
    this.#editor.set(text);
    this.#draw();
    this.#editor.focus();
  }

  #follow() {
    const url = entityUrl(this.#type, this.#id);
    this.#query = watch(this.#isOwn ? url : `${url}?meta=true`);
    for (const event of ['change', 'state']) this.#query.addEventListener(event, () => this.#receive());
    this.#query.addEventListener('sync', () => { if (this.#isAnew()) this.#receive(); });
    this.#receive();
  }

  /** Whether the data are another generation's, which counts its revisions anew. */
  #isAnew() {
    const { at } = this.#query;
    return !!at && this.#epoch !== undefined && !at.startsWith(`${this.#epoch}.`);
  }

  /** Shows what the live query has where the user has changed nothing, else tells of it. */
  #receive() {
    const { state, problem, ids, at } = this.#query;
    if (state === 'failed') {
      this.#drawn = [];
      if (!this.#isDirty) fill(this.#body);
      fill(this.#outcome, problemCard(problem, () => {
        this.#query.close();
        fill(this.#outcome);
        this.#follow();
      }));
    }
    if (this.#isSaving || state === 'failed' || state === 'connecting' || (this.#state === 'loading' && state !== 'live' && state !== 'once')) return;
    if (this.#isAnew()) this.#revision = null;
    this.#epoch = at?.split('.')[0] ?? this.#epoch;
    const row = ids.length ? this.#query.text(ids[0]) : null;
    const meta = row && valueAt(row, '/_meta');
    const told = meta ? JSON.parse(row.slice(meta.at, meta.end)) : null;
    // What this page has saved, or found removed, may be ahead of the stream.
    const seq = told?.revision ?? Number(at?.split('.')[1]);
    if (this.#revision !== null && (seq < this.#revision || (row && this.#state === 'gone' && seq === this.#revision))) return;
    if (this.#hasRemote) this.#askMeta();
    else this.#meta = told;
    const text = meta ? splice(row, '/_meta', null) : row;
    if (row === null) this.#lose();
    else if (!this.#isDirty || isSame(text, this.#editor.text)) this.#take(text, told?.revision ?? null);
    else if (text === this.#base) this.#revision = told?.revision;
    else if (!this.#isOpen) this.#tell(text, told?.revision);
    this.#draw();
  }

  /** Takes what is stored; `isForced`: over changes of the user, too. */
  #take(text, revision, isForced = false) {
    if (this.#isSaving) this.#said = 'Saved.';
    else if (this.#base !== null && text !== this.#base) {
      this.#said = `Changed by another: ${differences(this.#base, text).map((pointer) => pointer.slice(1)).join(', ')}.`;
      announce(this.#said, 'entity');
    }
    if (isForced && !this.#isSaving) this.#form?.forget();
    const isNews = text !== this.#base || isForced;
    this.#state = 'stored';
    this.#base = text;
    this.#revision = revision;
    if (isNews) {
      if (isForced || !isSame(text, this.#editor.text)) this.#editor.set(layout(text));
      this.#editor.mark([]);
      fill(this.#notice);
      fill(this.#outcome);
    }
    this.#shown = this.#editor.text;
    this.#draw();
  }

  #lose() {
    if (this.#state === 'loading') this.#state = 'absent';
    if (this.#state !== 'stored') return;
    this.#state = 'gone';
    this.#base = null;
    fill(this.#notice, banner('bad', 'removed', say('Somebody has removed this entity. Its last text stands here.'), button('Write again', () => {
      this.#state = 'new';
      return this.#saveAll();
    }, { test: 'write-again' })));
  }

  /** Another has changed what the user is changing, too. */
  #tell(text, revision) {
    const differing = this.#base === null ? [] : differences(this.#base, text);
    fill(this.#notice, banner('warn', 'changed-by-other', say('Somebody else has ', differing.length ? ['changed ', list(differing)] : 'written this entity', '.'),
      button('Merge into my text', () => this.#merge(text, revision), { test: 'merge-now' }),
      button('Drop mine, take theirs', () => this.#take(text, revision, true), { test: 'take-theirs' })));
  }

  // Saving ----

  async #saveAll() {
    const waits = this.#form?.waits;
    fill(this.#outcome, waits && banner('bad', 'waits', say(waits)));
    if (waits) return;
    this.#editor.mark([]);
    this.#isSaving = true;
    try {
      // Each round takes in what another has saved meanwhile.
      for (let round = 0; round < 5 && !await this.#put(); round++);
    } catch (problem) {
      this.#fail(problem);
    } finally {
      this.#isSaving = false;
      if (this.#query) this.#receive();
    }
  }

  /** Answers false where the text was merged with what is stored, and is to be sent again. */
  async #put() {
    const sent = this.#editor.text;
    const id = this.#id ?? attempt(() => idText(sent));
    const url = id === undefined ? typeUrl(this.#type) : entityUrl(this.#type, id);
    // Sent again, a text without an id is not stored a second time.
    if (this.#tried?.sent !== sent) this.#tried = { sent, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
    const headers = id === undefined ? { 'Idempotency-Key': this.#tried.key } : this.#state === 'stored' ? { 'If-Match': `"${this.#revision}"` } : { 'If-None-Match': '*' };
    try {
      const answer = await ask(id === undefined ? 'POST' : 'PUT', url, { body: sent, headers });
      const stored = answer.text.trim();
      if (this.#id === null) {
        this.#shown = sent;
        go(entityHash(this.#type, idText(stored)), { replace: true });
      } else if (this.#editor.text === sent) {
        this.#take(stored, revisionOf(answer), !isSame(stored, sent));
      } else {
        [this.#base, this.#revision, this.#shown, this.#state] = [stored, revisionOf(answer), sent, 'stored'];
      }
      if (this.#unfit.length) this.#describe();
      return true;
    } catch (problem) {
      if (problem.status !== 412) throw problem;
    }
    const present = await ask('GET', url).catch((problem) => {
      if (problem.status !== 404) throw problem;
    });
    if (!present) {
      this.#lose();
      return true;
    }
    const text = present.text.trim();
    if (this.#state === 'stored') return this.#merge(text, revisionOf(present));
    if (this.#id === null) {
      fill(this.#outcome, banner('bad', 'exists', say('An entity with this id exists: ',
        element('a', { href: entityHash(this.#type, id) }, 'open it'), ', or give another id.')));
    } else this.#tell(text, revisionOf(present));
    return true;
  }

  /** Merges what is stored into the text; answers whether the user has to choose, or to mend the text. */
  #merge(text, revision) {
    const merged = attempt(() => merge(this.#base ?? '{}', this.#editor.text, text));
    if (!merged) {
      fill(this.#outcome, banner('bad', 'no-json', say('Your text is no JSON yet, so nothing can be merged into it.')));
      return true;
    }
    const { taken, conflicts } = merged;
    [this.#base, this.#revision, this.#shown, this.#state] = [text, revision, layout(text), 'stored'];
    this.#editor.set(merged.text);
    fill(this.#notice, taken.length > 0 && banner('good', 'merged', say('Taken from what another has saved: ', list(taken), '.')),
      conflicts.length > 0 && conflictPanel(conflicts, (choices) => {
        this.#editor.set(choose(this.#editor.text, conflicts, choices));
        fill(this.#notice);
        return this.#saveAll();
      }));
    this.#draw();
    return conflicts.length > 0;
  }

  /** Says what became of a write, and marks the lines at fault. */
  #fail(problem) {
    const { text } = this.#editor;
    const place = (pointer) => {
      const node = attempt(() => valueAt(text, pointer));
      return node ? node.nameAt ?? node.at : pointer ? place(pointer.slice(0, pointer.lastIndexOf('/'))) : 0;
    };
    this.#editor.mark((problem.errors ?? []).filter(({ pointer, offset }) => (pointer ?? offset) !== undefined).map(({ pointer, offset, detail }) => ({
      offset: offset === undefined ? place(pointer) : unitOffset(text, offset), text: `${pointer ? `${pointer}: ` : ''}${detail}` })));
    const said = new Map([['unknown', 'It is not known whether this was saved. Your text is kept here; saving again compares it with what is stored.'],
      ['not-applied', 'Nothing was written. Your text is kept here.']]).get(problem.outcome);
    fill(this.#outcome, said && banner('bad', `outcome-${problem.outcome}`, say(said)), problemCard(problem));
  }

  async #removeIt() {
    if (!await confirmAct({ title: `Remove ${this.title}?`, text: 'It is removed for good.', act: 'Remove' })) return;
    await ask('DELETE', entityUrl(this.#type, this.#id), { headers: this.#isDirty ? {} : { 'If-Match': `"${this.#revision}"` } });
    this.#shown = this.#editor.text;
    go(`#${typeUrl(this.#type)}`);
  }

  // What is shown ----

  /** The declaration of the type: form, relationships, unfit entities. A type that nobody has written has none. */
  async #describe() {
    const answer = await ask('GET', entityUrl('_types', this.#type)).catch(() => null);
    if (!answer) return;
    const { schema, declared, sources = [], unfitEntities = [] } = answer.json;
    this.#schema = schema ?? {};
    const rules = new Map(declared ? Object.entries(schema.properties ?? {}) : []);
    if (rules.size) {
      this.#form = entityForm(rules, (text) => {
        this.#editor.set(text);
        this.#edited();
      });
    }
    this.#unfit = unfitEntities.find(({ id }) => (typeof id === 'string' || Number.isSafeInteger(id)) && String(id) === this.#id)?.errors ?? [];
    this.#hasRemote = sources.length > 0 && this.#id !== null;
    if (this.#hasRemote) this.#askMeta();
    this.#draw();
  }

  /** Live rows do not tell when they were fetched, and what a remote has yet to learn. */
  async #askMeta() {
    const answer = await ask('GET', `${entityUrl(this.#type, this.#id)}?meta=true&source=local`).catch(() => null);
    const place = answer && valueAt(answer.text, '/_meta');
    if (!place || !this.node.isConnected) return;
    this.#meta = JSON.parse(answer.text.slice(place.at, place.end));
    this.#draw();
    clearTimeout(this.#again);
    if (this.#meta.sync === 'pending') this.#again = setTimeout(() => this.#askMeta(), 5000);
  }

  #edited() {
    this.#said = '';
    this.#draw();
  }

  #draw = () => {
    const { text } = this.#editor;
    const { why } = may('write', this.#type);
    this.#editor.hold(why);
    const isLong = text.length > formLimit && !this.#form?.waits;
    if (this.#form && !isLong) this.#form.set(text, why);
    const isThere = this.#state === 'stored';
    disable(this.#save, why ?? this.#form?.waits ?? (this.#isOpen ? 'Each conflict needs a choice first.' : isThere || this.#state === 'new' ? null : this.#state === 'gone' ? 'It was removed; Write again stores it anew.' : 'Nothing is stored here.'));
    disable(this.#remove, why ?? (isThere ? null : 'Nothing is stored here.'));
    disable(this.#revert, this.#isDirty && this.#base !== null ? null : 'Nothing has been changed.');
    this.#status.textContent = this.#isDirty ? 'Not saved yet.' : this.#said;
    this.#status.dataset.state = this.#isDirty ? 'dirty' : 'clean';
    // What is drawn stays, and with it the focus, unless it is another.
    const { state, problem } = this.#query?.source ?? {};
    const drawn = [this.#base, JSON.stringify([this.#state, why, isLong, this.#revision, this.#meta, state, problem]), this.#schema];
    if (this.#state === 'loading' || drawn.every((one, index) => one === this.#drawn[index])) return;
    this.#drawn = drawn;
    const side = isLong ? this.#long : this.#form?.node;
    if (this.#state === 'absent') fill(this.#body, emptyState('Nothing is stored under this id. It appears here as soon as somebody writes it.',
      !why && button('Write it', () => this.#create(`{\n  "id": ${idLiteral(this.#id)}\n}`), { test: 'create' })));
    else if (this.#body.firstChild !== this.#editor.node) fill(this.#body, this.#editor.node, side);
    else if (side !== this.#body.children[1]) {
      this.#body.children[1]?.remove();
      this.#body.append(side ?? ''); // The editor is not moved: it may have the focus.
    }
    fill(this.#facts, this.#base !== null && facts(this.#known()), this.#unfit.length > 0 && banner('warn', 'unfit',
      say('The stored entity does not fit the declaration of its type:'),
      bullets(this.#unfit, ({ pointer, detail }) => [code(pointer || '/'), ' ', plain(detail)])));
  };

  #known() {
    const { source, fetchedAt, sync } = this.#meta ?? {};
    const { state, problem } = this.#query?.source ?? {};
    const undelivered = { filter: `type == ${JSON.stringify(this.#type)} and entity == ${this.#literal}` };
    const all = [['revision', this.#revision], ['source', source], ['fetched', fetchedAt && time(fetchedAt)],
      ['sync', sync === 'pending' ? element('a', { href: `#${withParameters('/v1/_outbox', undelivered)}`, test: 'outbox-link' },
        'a change has yet to reach the remote') : sync !== 'none' && sync],
      ['size', bytes(new Blob([this.#base]).size)], ['upstream', state && state !== 'fresh' && [state, problem && `: ${problem.detail ?? problem.code}`]],
      ...Object.entries(this.#schema.relationships ?? {}).map(([name, relationship]) => [name, this.#related(name, relationship)])];
    return all.filter(([, shown]) => shown);
  }

  /** The id as it is stored: a number or a text, as a literal of filters. */
  get #literal() {
    const { at, end } = valueAt(this.#base, '/id');
    return this.#base.slice(at, end);
  }

  /** A declared relationship as links; null where it names nothing. */
  #related(name, { type, by }) {
    if (by) return element('a', { href: `#${withParameters(typeUrl(type), { filter: `${typedPath(by)} == ${this.#literal}` })}` }, `${type} by ${by}`);
    const place = members(this.#base).find((member) => member.name === name);
    if (!place || place.kind === 'null') return null;
    const text = this.#base.slice(place.at, place.end);
    const ids = (place.kind === 'array' ? elements(text).map(({ at, end }) => text.slice(at, end)) : [text]).map(idOf);
    return [ids.slice(0, 20).map((id) => [element('a', { href: entityHash(type, id), test: 'relation' }, plain(`${type} ${id}`)), ' ']),
      ids.length > 20 && `+${count(ids.length - 20)} more`];
  }
}
