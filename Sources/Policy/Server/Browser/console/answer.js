// The answer of a query, where it is no live table: given once, groups, aggregates; and which properties a table shows.
import { idOf, members } from '../json.js';
import { Reducer, elementTexts, memberTexts } from '../reducer.js';
import { button, element, fill, fillNew, openDialog, plain, refill } from './dom.js';
import { arrange } from './effects.js';
import { ask, snapshotOf } from './server.js';
import { actsRow, banner, bullets, caption, code, emptyState, heading, heads, idLink, isNumber, muted, onceNotice, plural, remark, time, tree, value } from './show.js';
import { onceUrl, settings } from './state.js';

const mostRows = 300; // of groups, in the document

/** An answer that was given once, in the form of a live query. */
export class Once extends EventTarget {
  state = 'connecting';
  problem = undefined;
  syncedAt = Date.now();
  #shown = new Reducer();

  constructor(url) {
    super();
    ask('GET', onceUrl(url)).then(({ text }) => {
      this.meta = JSON.parse(text).meta;
      this.#shown.apply('snapshot', snapshotOf(text));
      this.at = this.meta.cursor;
      this.#tell('once');
    }, (problem) => {
      this.problem = problem;
      this.#tell('failed');
    });
  }

  #tell(state) {
    this.state = state;
    this.dispatchEvent(new Event('change'));
    this.dispatchEvent(new Event('state'));
  }

  get ids() { return this.#shown.ids; }
  get total() { return this.#shown.total; }
  get truncated() { return this.#shown.truncated; }
  get included() { return this.#shown.included; }
  get groupsText() { return this.#shown.groupsText; }
  get aggregatesText() { return this.#shown.aggregatesText; }
  includedText(type, id) { return this.#shown.includedText(type, id); }
  text(id) { return this.#shown.text(id); }
  close() {}
}

const cut = (number, what) => number > 0 && remark(`${plural(number, `more ${what} is`, `more ${what}s are`)} not shown here.`);

export function aggregatesTable(text) {
  const all = text[0] === '[' ? elementTexts(text) : [text];
  const rows = all.slice(0, mostRows).map(memberTexts);
  return rows.length ? [staticTable('Aggregates', [...rows[0].keys()], rows), cut(all.length - rows.length, 'group')] : emptyState('There is no group.');
}

/** Shows a section for each group, of 300 rows together; answers the texts of all rows. `columns` where they are chosen. */
export function showGroups(answer, text, type, columns) {
  let left = mostRows;
  const names = new Set(['id']);
  const groups = elementTexts(text).map(memberTexts).map((group) => {
    const rows = elementTexts(group.get('items'));
    const shown = rows.slice(0, left).map(memberTexts);
    left -= shown.length;
    for (const row of shown) for (const name of row.keys()) names.add(name);
    return { key: group.get('key'), rows, shown };
  });
  const all = columns ? ['id', ...columns] : [...names].slice(0, 12);
  const begun = groups.filter(({ shown }) => shown.length);
  const node = answer.querySelector('.scroller') ?? fill(answer, element('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': 'Groups', test: 'groups' })).firstChild;
  refill(node, begun.map(({ key, rows, shown }) => element('section', { class: 'group', test: 'group' }, heading(opened('Group', key), muted(` ${plural(rows.length, 'row')}`)),
    staticTable(`Group ${key}`, all, shown, type), cut(rows.length - shown.length, 'row'))), cut(groups.length - begun.length, 'group'));
  return groups.flatMap(({ rows }) => rows);
}

/** A value of no live row: its chip opens by itself. */
const opened = (name, text) => value(text, { open: () => openDialog({ title: name, body: tree(text, 3) }) });

function staticTable(title, names, rows, type) {
  const cell = (name, text) => element('td', { class: isNumber(text) && name !== 'id' ? 'figure' : null }, name === 'id' && text !== undefined ? idLink(type, idOf(text)) : opened(name, text));
  return element('table', { class: 'rows', test: 'static' }, caption(title),
    heads(names.map((name) => plain(name))),
    element('tbody', null, rows.map((row) => element('tr', null, names.map((name) => cell(name, row.get(name)))))));
}

/** Says in `node` where the data comes from, where it is not simply here, and why it was read once. */
export function showSource(node, query) {
  const { source, meta, elsewhere, syncedAt } = query;
  const isOld = source && source.state !== 'fresh' && source.state !== 'local';
  const degraded = meta?.degraded;
  fillNew(node, JSON.stringify([isOld && source, degraded, elsewhere && [elsewhere, syncedAt]]), () => [isOld && banner(source.state === 'failed' ? 'bad' : 'warn', 'source', element('strong', null, `Data of the remote: ${source.state}. `), source.gate && ['Held by ', code(String(source.gate)), '. '],
    source.next && ['Next try ', time(source.next), '. '], source.problem && plain(source.problem.detail ?? '')),
  degraded && banner('warn', 'degraded', element('strong', null, 'Not what the remote has, or not all of it. '), plain(degraded.detail ?? degraded.code ?? '')), onceNotice(query)]);
}

/** The members of one row, with what they were before. What a member shows stays, as it was opened, until the member changes. */
export class RowMembers {
  node = element('div', { class: 'tree' });
  #lines = new Map(); // name → { text, node }

  show(text, opened) {
    const before = this.#lines;
    this.#lines = new Map([...memberTexts(text)].map(([name, now]) => {
      const was = before.get(name);
      if (was?.text === now && name !== opened) {
        was.node.querySelector('[data-test=was]')?.remove();
        return [name, was];
      }
      return [name, { text: now, node: element('div', null, element('span', { class: 'name' }, plain(name)), ': ', tree(now, name === opened ? 3 : 1),
        before.size > 0 && was?.text !== now && element('div', { class: 'warn', test: 'was' }, 'was ', was ? tree(was.text, 1) : 'absent')) }];
    }));
    arrange(this.node, [...this.#lines.values()].map(({ node }) => node));
  }
}

export function recentPanel(url) {
  const name = element('input', { 'aria-label': 'Name', placeholder: 'name', size: 16 });
  const node = element('section', { class: 'question', 'aria-label': 'Queries', test: 'panel-recent' });
  const link = (url, label = code(url)) => element('a', { href: `#${url}` }, label);
  const keep = (name, url) => {
    if (name) settings.setNamed(name, url);
    show();
  };
  const show = () => fill(node, actsRow(heading('Named'), name, button('Keep this query', () => keep(name.value.trim(), url))),
    bullets(settings.named(), ([label, url]) => [link(url, plain(label)), ' ', button('Forget', () => keep(label, null), { class: 'plain' })]),
    heading('Recent'), bullets(settings.recent().slice(0, 20), (url) => link(url)));
  show();
  return node;
}

/** The properties of the first 1,000 rows, the most frequent first. */
export function propertiesOf(source) {
  const seen = new Map();
  for (const id of source.ids.slice(0, 1000)) {
    for (const { name } of members(source.text(id))) seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  seen.delete('id');
  return [...seen].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

/** Asks which of `names` to show, in which order; null: as they come. */
export function chooseColumns(names, shown) {
  let all = [...shown, ...names.filter((name) => !shown.includes(name))].map((name) => ({ name, isOn: shown.includes(name) }));
  const list = element('ol', { class: 'columns' });
  const show = (focused) => {
    fill(list, all.map((one, at) => {
      const box = element('input', { type: 'checkbox', checked: one.isOn, on: { change: () => { one.isOn = box.checked; } } });
      const shift = (by, label) => element('button', { class: 'plain', 'aria-label': `${label}: ${one.name}`, disabled: !all[at + by], on: { click: () => {
        all = all.toSpliced(at, 1).toSpliced(at + by, 0, one);
        show([at + by, by]);
      } } }, by < 0 ? '↑' : '↓');
      return element('li', null, element('label', { class: 'grow' }, box, plain(one.name)), shift(-1, 'up'), shift(1, 'down'));
    }));
    if (!focused) return;
    const [up, down] = list.children[focused[0]].querySelectorAll('button');
    (focused[1] < 0 ? [up, down] : [down, up]).find(({ disabled }) => !disabled)?.focus();
  };
  show();
  return openDialog({
    title: 'Columns', test: 'column-chooser', body: list,
    actions: [['Show', () => all.filter(({ isOn }) => isOn).map(({ name }) => name), 'primary'], ['As they come', () => null], ['Cancel']],
  });
}
