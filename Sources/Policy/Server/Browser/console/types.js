// Types: what is stored, and what moves.
import { ask, may, server, watch, whether } from './server.js';
import { button, element, fill, hold, load, plain, problemCard } from './dom.js';
import { absent, banner, bar, bytes, count, emptyState, linkButton, loading, muted, optional, rowLink, time } from './show.js';
import { go, parameter, place as here, setOwn, typeUrl } from './state.js';
import { listPage } from './list.js';
import { elementTexts, memberTexts } from '../reducer.js';

const figure = (name, label, show, more) => ({ name, label, isFigure: true, show: (text) => (text === undefined || text === 'null' ? absent() : show(Number(text), text)), ...more });
const text = (json) => JSON.parse(json ?? '""');

const columns = [
  { name: 'id', label: 'Type', isFigure: false, show: (_, row, id) => rowLink(`#${typeUrl(id)}`, id) },
  figure('count', 'Entities', (_, digits) => count(digits)),
  figure('bytes', 'Bytes', bytes),
  figure('writesPerSecond', 'Writes/s', (rate) => bar(Math.log10(1 + rate) / 5, rate >= 10 || !rate ? count(Math.round(rate)) : rate.toFixed(1))),
  figure('liveQueries', 'Live queries', count),
  { name: 'declared', label: 'Declared', show: (json) => (json === 'true' ? 'yes' : json === 'false' ? muted('no') : absent()) },
  figure('unfit', 'Unfit', (number) => (number ? element('span', { class: 'warn tag' }, `${count(number)} unfit`) : '0'), { title: 'entities that do not fit the declared schema' }),
  { name: 'sources', label: 'Source', show: (json) => (json === undefined ? absent() : elementTexts(json).length ? plain(elementTexts(json).map(nameOf).join(', ')) : muted('local')) },
  { name: 'store', label: 'Store', show: optional((name) => plain(name)) },
  { name: 'indexes', label: 'Indexes', isSorted: false, text: (row) => `${row.get('indexes') ?? ''}/${row.get('count')}`, show: (_, row) => indexes(row) },
  { name: 'lastChangeAt', label: 'Last change', show: (json) => (json === undefined || json === 'null' ? absent() : time(text(json))) },
];

/** A source is a name, or an object with one. */
const nameOf = (json) => (json[0] === '"' ? text(json) : text(memberTexts(json).get('id') ?? memberTexts(json).get('upstream') ?? memberTexts(json).get('name')));

function indexes(row) {
  const json = row.get('indexes');
  if (json === undefined) return absent();
  const all = elementTexts(json).map(memberTexts);
  const building = all.filter((one) => one.get('state') === '"building"');
  if (!building.length) return all.length ? `${all.length} ready` : muted('none');
  const done = Number(building[0].get('built') ?? 0);
  const size = Number(row.get('count')) || 1;
  return bar(done / size, `building ${Math.floor(100 * Math.min(1, done / size))} %`);
}

/** The live list; with counts for what is not in it: types under a row rule, or all where a server has no such list. */
class TypeList extends EventTarget {
  #list;
  #rows = new Map();
  #queries = [];

  constructor(url) {
    super();
    this.#url = url;
    this.#list = watch(url);
    for (const name of ['change', 'state']) this.#list.addEventListener(name, ({ detail }) => this.#hear(name, detail));
    const { me } = server;
    if (me && !me.admin && !me.open && [...me.types.values(), me.others].some((one) => one?.read === 'rule')) this.#count();
  }

  #counting; // the state of the counts, where they are asked for
  #isClosed = false;
  #fault; // why they are not counted
  #url;

  #hear(name, detail) {
    if (this.#list.state === 'failed' && [400, 404].includes(this.problem?.status)) this.#count();
    else this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  async #count() {
    if (this.#counting) return;
    this.#counting = 'connecting';
    const answer = await ask('GET', '/v1').catch((problem) => { this.#fault = problem; });
    if (this.#isClosed) return;
    this.#counting = answer ? 'live' : 'failed';
    if (!answer) this.dispatchEvent(new Event('state'));
    for (const [at, { name, count }] of answer?.json.types.entries() ?? []) {
      this.#rows.set(name, count);
      if (at >= 20) continue;
      const query = watch(`${typeUrl(name)}?limit=0&count=true&source=local`);
      query.addEventListener('change', () => this.#set(name, query.total));
      this.#queries.push(query);
    }
    this.#set();
  }

  #set(name, count) {
    if (name) this.#rows.set(name, count);
    this.dispatchEvent(new CustomEvent('change', { detail: { changed: name ? [{ id: name }] : [] } }));
  }

  get state() {
    const { state } = this.#list;
    return this.#counting === 'live' && state !== 'failed' ? state : this.#counting ?? state;
  }

  get problem() { return this.#fault ?? this.#list.problem; }
  get at() { return this.#list.at; }
  /** In the list's order what it has, where one is asked for. */
  get ids() {
    const all = [...new Set([...this.#list.ids, ...parameter(this.#url, 'filter') === undefined ? [...this.#rows.keys()].sort() : []])];
    return parameter(this.#url, 'order') === undefined ? all.sort() : all;
  }

  get truncated() { return this.#list.truncated; }
  get total() { return this.#counting ? this.ids.length : this.#list.total; }
  text(id) { return this.#list.text(id) ?? (this.#rows.has(id) ? `{"id":"${id}","name":"${id}","count":${this.#rows.get(id)}}` : undefined); }

  close() {
    this.#isClosed = true;
    for (const query of [this.#list, ...this.#queries]) query.close();
  }
}

export function open(place) {
  const strict = element('div');
  const newButton = button('New type', async () => (await load('./typeside.js')).newType(), { test: 'new-type-button' });
  let infers = false;
  const infer = () => document.querySelector('[data-test=infer]')?.click();
  whether('strict', (is) => is && fill(strict, banner('warn', 'strict', 'strict: only types that the configuration declares are taken.')));
  const page = listPage({
    type: '_types', title: 'Types', columns, source: (url) => new TypeList(url),
    show(row, id, side) {
      if (side.described === id) {
        side.update?.(row);
        return null;
      }
      side.update = null;
      side.described = id;
      const tell = () => load('./typeside.js').then(({ describe }) => {
        if (side.id !== id) return;
        const { nodes, update } = describe(page.row(id), id);
        side.fill(nodes);
        Object.assign(side, { described: id, update });
        if (infers) infer();
        infers = false;
      }, (problem) => {
        if (side.id !== id) return;
        side.described = undefined; // the next change of the row asks again
        side.fill(problemCard(problem, tell));
      });
      tell();
      return loading();
    },
    empty: () => emptyState('Nothing is stored yet. A type appears here with its first entity.', linkButton('#/start', 'Start'), linkButton('/docs', 'Documentation')),
    notice: strict,
    acts: hold(newButton, () => may('write').why),
    onopen: (id) => go(`#${typeUrl(id)}`),
    keys: {
      n: { label: 'new entity', act: () => (page.table.active === null ? newButton.click() : go(`#${typeUrl(page.table.active)}?_new=1`)) },
      i: { label: 'what is in it', act: () => {
        if (here().own.get('_sel') === page.table.active) return infer();
        infers = true;
        return setOwn({ _sel: page.table.active });
      } },
    },
  }, place);
  return page;
}
