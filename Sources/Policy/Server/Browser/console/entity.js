// One entity: its text and its form, the changes of others as they come, and saving without a loss.
import { idText, splice } from '../json.js';
import { textAt } from '../reducer.js';
import { openCopyAs } from './copyas.js';
import { announce, button, confirmAct, copyText, disable, element, fill, hold, openDialog, plain, problemCard, refill } from './dom.js';
import { entityForm, known } from './form.js';
import { changePanel, choose, conflictPanel, differences, merge, pointersOf } from './merge.js';
import { ask, may, observe, server, watch } from './server.js';
import { actsRow, banner, bullets, code, emptyState, facts, linkButton, loading, say } from './show.js';
import { attempt, entityHash, entityUrl, go, idLiteral, pageHash, place, typeUrl } from './state.js';
import { isSame, layout, marksOf, textEditor } from './text.js';

const formLimit = 256 * 1024; // characters; longer ones are edited as text alone
const revisionOf = ({ headers }) => Number(/\d+/.exec(headers.get('etag'))?.[0] ?? NaN);

function requestUrl(type, id) {
  if (/^\.\.?$/.test(id)) throw new TypeError(`No address has the id '${id}'.`);
  return entityUrl(type, id);
}

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
  #sent = new Set(); // texts that may be stored, since their answers were lost
  #schema = {};
  #form;
  #unfit = [];
  #drawn = [];
  #epoch;
  #hasSource = false; // its type, of remotes
  #again;
  #metas = 0; // how often it was asked for
  #isClosed = false;
  #question = null; // whether to leave, while it is asked
  #head = element('h1');
  #acts = actsRow();
  #said = ''; // what has happened last
  #notice = element('div', { 'aria-live': 'polite' });
  #outcome = element('div', { test: 'outcome' });
  #facts = element('div');
  #body = element('div', { class: 'columns' });
  #long = element('p', { class: 'muted', test: 'text-only' }, 'This entity is long: it is edited as text alone.');
  #status = element('span', { class: 'muted', test: 'edit-state' });
  #editor = textEditor('JSON of the entity', () => this.#edited());
  #save = button('Save', () => this.#saveAll(), { class: 'primary', test: 'save' });
  #revert = button('Revert', () => { this.#take(this.#base, this.#revision, true); this.#receive(); }, { test: 'revert' });
  #remove = button('Remove', () => this.#removeIt(), { class: 'danger', test: 'remove' });

  constructor({ type, id, own }) {
    [this.#type, this.#id] = [type, id];
    this.node = element('article', { class: 'entity', test: 'entity' }, this.#head, this.#notice, this.#outcome, this.#facts, this.#acts, this.#body);
    this.#name();
    server.addEventListener('change', this.#draw);
    addEventListener('beforeunload', this.#unload);
    fill(this.#body, loading());
    if (!this.#isOwn) this.#describe();
    if (id === null) this.#begin(own.get('_from'));
    else this.#follow();
  }

  /** Head, keys and acts: a new entity has an id only when it is stored. */
  #name() {
    const [type, id] = [this.#type, this.#id];
    const copyAs = () => openCopyAs(entityUrl(type, id));
    const key = (label, act) => ({ label, act });
    this.title = id === null ? `new ${type}` : `${type} / ${id}`;
    this.keys = { e: key('edit', () => this.#editor.focus()), y: key('copy the text', () => copyText(this.#editor.text)),
      'Ctrl-s': key('save', () => this.#save.click()),
      ...id === null ? {} : { c: key('copy as', copyAs), Delete: key('remove', () => this.#remove.click()) } };
    fill(this.#head, element('a', { href: `#${typeUrl(type)}` }, plain(type)), ' / ', id === null ? 'new' : plain(id));
    refill(this.#acts, this.#save, this.#revert, id !== null && [
      !this.#isOwn && hold(linkButton(pageHash(typeUrl(type), [['_new', '1'], ['_from', id]]), 'Duplicate'), () => may('write', type).why),
      button('Copy as', copyAs, { test: 'copy-as-button' }), this.#remove], this.#status);
  }

  /** The same entity at another address, as where a new one has been stored. */
  update({ type, id }) {
    if (id === null || type !== this.#type || id !== this.#id) return false;
    this.#draw();
    return true;
  }

  /** Asks once at a time; a text that is saved meanwhile needs no answer. */
  async leave() {
    if (!this.#isDirty) return true;
    this.#question ??= openDialog({ title: 'Leave without saving?', test: 'unsaved', body: say('What you have changed is not saved.'),
      actions: [['Leave', () => true, 'danger'], ['Stay']] }).finally(() => { this.#question = null; });
    const isLeft = await this.#question === true || !this.#isDirty || this.#isClosed;
    if (!isLeft) setTimeout(() => this.#settle()); // behind the frame, which goes back to where it was
    return isLeft;
  }

  #endQuestion() { if (this.#question) document.querySelector('[data-test=unsaved]')?.close(); }

  /** A new entity that has been stored gets its own address, where the user has not gone elsewhere. */
  #settle() { if (!this.#isClosed && this.#id !== null && place().type === this.#type && place().own.has('_new')) go(entityHash(this.#type, this.#id), { replace: true }); }

  /** Another token is asking: a text that is not saved stays. */
  reenter() {
    if (!this.#isDirty) return false;
    fill(this.#outcome);
    if (this.#query) this.#follow();
    this.#draw();
    return true;
  }

  close() {
    this.#isClosed = true;
    this.#endQuestion();
    clearInterval(this.#again);
    this.#query?.close();
    server.removeEventListener('change', this.#draw);
    removeEventListener('beforeunload', this.#unload);
  }

  get #isDirty() { return this.#editor.text !== this.#shown || !!this.#form?.waits; }
  /** Whether conflicts wait for a choice; what comes meanwhile is met when it is made. */
  get #isOpen() { return !!this.#notice.querySelector('[data-test=conflicts]'); }
  get #hasRemote() { return this.#hasSource && this.#id !== null; }
  get #isOwn() { return this.#type.startsWith('_'); }
  #unload = (event) => { if (this.#isDirty) event.preventDefault(); };

  // What is stored ----

  async #begin(from) {
    let text = '{\n  \n}';
    try {
      if (from === undefined) this.#shown = text;
      else text = layout(splice((await ask('GET', requestUrl(this.#type, from))).text.trim(), '/id', null));
    } catch (problem) {
      fill(this.#outcome, problemCard(problem));
    }
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
    this.#query?.close();
    this.#query = watch(this.#isOwn ? url : `${url}?meta=true`);
    this.#query.addEventListener('sync', () => { if (this.#isAnew) this.#receive(); });
    observe(this.#query, () => this.#receive());
  }

  /** Whether the data are another generation's, which counts its revisions anew. */
  get #isAnew() { return this.#epoch !== undefined && this.#query.at?.startsWith(`${this.#epoch}.`) === false; }

  /** Shows what the live query has where the user has changed nothing, else tells of it. */
  #receive() {
    const { state, problem, ids, at } = this.#query;
    if (state === 'failed') {
      if (!this.#isDirty && !this.#isSaving) this.#clear();
      fill(this.#outcome, problemCard(problem, () => (fill(this.#outcome), this.#follow())));
    }
    if (this.#isSaving || state === 'failed' || state === 'connecting' || (this.#state === 'loading' && state !== 'live' && state !== 'once')) return;
    if (this.#isAnew) this.#revision = null;
    this.#epoch = at?.split('.')[0] ?? this.#epoch;
    const row = ids.length ? this.#query.text(ids[0]) : null;
    const meta = row && textAt(row, '/_meta');
    const told = meta ? JSON.parse(meta) : null;
    // What this page has saved, or found removed, may be ahead of the stream.
    const seq = told?.revision ?? Number(at?.split('.')[1]);
    if (this.#revision !== null && (seq < this.#revision || (row && this.#state === 'gone' && seq === this.#revision))) return;
    if (this.#hasRemote) this.#askMeta();
    else this.#meta = told;
    const text = meta ? splice(row, '/_meta', null) : row;
    if (row === null) this.#lose();
    else if (!this.#isDirty || isSame(text, this.#editor.text)) this.#take(text, told?.revision ?? null);
    else if (text === this.#base) {
      this.#revision = told?.revision;
      this.#notice.querySelector('[data-test=changed-by-other]')?.remove();
    } else if (!this.#isOpen) this.#tell(text, told?.revision);
    this.#draw();
  }

  /** What cannot be read any more is not shown any more. */
  #clear() {
    [this.#state, this.#base, this.#revision, this.#meta, this.#shown, this.#said, this.#drawn] = ['loading', null, null, null, '', '', []];
    this.#editor.set('');
    for (const one of [this.#body, this.#facts, this.#notice]) fill(one);
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

  #tell(text, revision) {
    refill(this.#notice, changePanel(this.#base, text, () => this.#merge(text, revision), () => this.#take(text, revision, true)));
  }

  // Saving ----

  async #saveAll() {
    const waits = this.#form?.waits;
    fill(this.#outcome, waits && banner('bad', 'waits', say(waits)));
    if (waits) return;
    this.#editor.mark([]);
    this.#isSaving = true;
    try {
      let rounds = 5;
      while (rounds && !await this.#put()) rounds--;
      if (!rounds) fill(this.#outcome, banner('warn', 'not-saved', 'Not saved: it changes faster than it can be merged.'));
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
    const url = id === undefined ? typeUrl(this.#type) : requestUrl(this.#type, id);
    // Sent again, a text without an id is not stored a second time.
    this.#sent.add(sent);
    if (this.#tried?.sent !== sent) this.#tried = { sent, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
    const headers = id === undefined ? { 'Idempotency-Key': this.#tried.key } : this.#state === 'stored' ? { 'If-Match': `"${this.#revision}"` } : { 'If-None-Match': '*' };
    try {
      const answer = await ask(id === undefined ? 'POST' : 'PUT', url, { body: sent, headers });
      return this.#keep(answer, sent);
    } catch (problem) {
      if (problem.status !== 412) throw problem;
    }
    const present = await ask('GET', url).catch((problem) => { if (problem.status !== 404) throw problem; });
    const text = present?.text.trim();
    const own = [...this.#sent].find((one) => isSame(one, text));
    if (own !== undefined) return this.#keep(present, own) && own === sent;
    if (!present) this.#lose();
    else if (this.#state === 'stored') return this.#merge(text, revisionOf(present));
    else if (this.#id === null) {
      fill(this.#outcome, banner('bad', 'exists', say('An entity with this id exists: ',
        element('a', { href: entityHash(this.#type, id) }, 'open it'), ', or give another id.')));
    } else this.#tell(text, revisionOf(present));
    return true;
  }

  #keep(answer, sent) {
    const stored = answer.text.trim();
    this.#sent.clear();
    const isNew = this.#id === null;
    if (isNew) this.#id = idText(stored);
    if (this.#editor.text === sent) this.#take(stored, revisionOf(answer), !isSame(stored, sent));
    else [this.#base, this.#revision, this.#shown, this.#state] = [stored, revisionOf(answer), sent, 'stored'];
    if (isNew && !this.#isClosed) {
      this.#name();
      this.#follow();
      this.#settle();
    }
    if (this.#unfit.length) this.#describe();
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
    this.#form?.keep();
    this.#sent.clear();
    this.#editor.set(merged.text);
    fill(this.#notice, taken.length > 0 && banner('good', 'merged', say('Taken from what another has saved: ', pointersOf(taken), '.')),
      conflicts.length > 0 && conflictPanel(conflicts, (choices) => {
        this.#editor.set(choose(this.#editor.text, conflicts, choices));
        fill(this.#notice);
        return this.#saveAll();
      }));
    this.#draw();
    return conflicts.length > 0;
  }

  #fail(problem) {
    this.#editor.mark(marksOf(this.#editor.text, problem.errors));
    const said = new Map([['unknown', 'It is not known whether this was saved. Your text is kept here; saving again compares it with what is stored.'],
      ['not-applied', 'Nothing was written. Your text is kept here.']]).get(problem.outcome);
    fill(this.#outcome, said && banner('bad', `outcome-${problem.outcome}`, say(said)), problemCard(problem));
  }

  async #removeIt() {
    if (!await confirmAct({ title: `Remove ${this.title}?`, text: 'It is removed for good.', act: 'Remove' })) return;
    await ask('DELETE', requestUrl(this.#type, this.#id), { headers: this.#isDirty ? {} : { 'If-Match': `"${this.#revision}"` } });
    this.#shown = this.#editor.text;
    this.#draw();
    if (!this.#isClosed && !this.#question) go(`#${typeUrl(this.#type)}`);
  }

  // What is shown ----

  /** The declaration of the type: form, relationships, unfit entities. A type that nobody has written has none. */
  async #describe() {
    const answer = await ask('GET', entityUrl('_types', this.#type)).catch(() => null);
    if (!answer) return;
    const { schema, sources = [], unfitEntities = [] } = answer.json;
    this.#schema = schema ?? {};
    this.#form = entityForm(answer, (text) => {
      this.#editor.set(text);
      this.#edited();
    });
    this.#unfit = unfitEntities.find(({ id }) => (typeof id === 'string' || Number.isSafeInteger(id)) && String(id) === this.#id)?.errors ?? [];
    this.#hasSource = sources.length > 0;
    if (this.#hasRemote) this.#askMeta();
    this.#draw();
  }

  /** Live rows do not tell when they were fetched, and what a remote has yet to learn. */
  async #askMeta() {
    const mine = ++this.#metas;
    const answer = await ask('GET', `${entityUrl(this.#type, this.#id)}?meta=true&source=local`).catch(() => null);
    if (!answer?.json._meta || !this.node.isConnected || mine !== this.#metas) return;
    this.#meta = answer.json._meta;
    this.#draw();
    clearInterval(this.#again);
    if (this.#meta.sync === 'pending') this.#again = setInterval(() => { if (!document.hidden) this.#askMeta(); }, 5000);
  }

  #edited() { this.#said = ''; this.#draw(); }

  #draw = () => {
    if (!this.#isDirty) this.#endQuestion();
    const { text } = this.#editor;
    const { why } = may('write', this.#type);
    this.#editor.hold(why);
    const isLong = text.length > formLimit && !this.#form?.waits;
    if (this.#form && !isLong) this.#form.set(text, why);
    const isThere = this.#state === 'stored';
    disable(this.#save, why ?? this.#form?.waits ?? (this.#isOpen ? 'Each conflict needs a choice first.' : isThere || this.#state === 'new' ? null : this.#state === 'gone' ? 'It was removed; Write again stores it anew.' : 'Nothing is stored here.'));
    disable(this.#remove, why ?? (isThere ? null : 'Nothing is stored here.'));
    disable(this.#revert, this.#isDirty && this.#base !== null ? null : 'Nothing has been changed.');
    fill(this.#status, plain(this.#isDirty ? 'Not saved yet.' : this.#said));
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
    refill(this.#facts, this.#base !== null && facts(known({ type: this.#type, base: this.#base, revision: this.#revision, meta: this.#meta, schema: this.#schema, upstream: this.#query?.source })), this.#unfit.length > 0 && banner('warn', 'unfit',
      say('The stored entity does not fit the declaration of its type:'),
      bullets(this.#unfit, ({ pointer, detail }) => [code(pointer || '/'), ' ', plain(detail)])));
  };
}
