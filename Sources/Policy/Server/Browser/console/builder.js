// A filter in two forms of one text: a line to type it, and chips of property, operator and value.
import { element, fill } from './dom.js';
import { remark } from './show.js';
import { fromChips, operand, parseFilter, toChips, typed, typedPath, unitOffset } from './filter.js';
import { completing, completions, matching, operatorsFor, properties, propertyOptions, values } from './suggest.js';

const words = new Map([['true', 'is true'], ['~=', '~= pattern'], ['isNull', 'is null or absent']]);
const pause = 600; // ms after the last key

/**
 * The filter of a query. `change(text)` is told what to apply: on Enter, or a while after the last key where the text
 * can be parsed. `fault(problem)` underlines what the server refused.
 */
export function builder({ text, type, change }) {
  let applied = text;
  let model = { any: false, parts: [] };
  let kinds;
  let timer;
  let isRefused = false; // by the server

  const mirror = element('div', { class: 'mirror', 'aria-hidden': 'true' });
  const told = element('p', { class: 'bad', id: 'filter-fault', role: 'status', test: 'filter-fault' });
  const area = element('textarea', {
    rows: 1, class: 'code', 'aria-label': 'filter', 'aria-describedby': told.id,
    placeholder: 'such as done == false and priority > 2', test: 'filter' });
  const field = completing(area, (text, caret) => completions(type, text, caret));
  const chips = element('div', { class: 'chips', role: 'group', 'aria-label': 'filter as chips', test: 'chips' });

  area.addEventListener('input', () => (underline(), showChips(), applySoon()));
  area.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    apply();
  });

  function underline(at, why = '') {
    const { value } = area;
    const end = at === undefined ? 0 : Math.max(at + 1, at + value.slice(at).search(/(?<=.)(\s|$)/s));
    fill(mirror, value.slice(0, at), at !== undefined && element('u', { test: 'fault-at', 'data-at': String(at) }, value.slice(at, end) || ' '),
      at !== undefined && value.slice(end), '\u200b');
    told.textContent = why;
    if (at === undefined) area.removeAttribute('aria-invalid');
    else area.setAttribute('aria-invalid', 'true');
  }

  function apply() {
    clearTimeout(timer);
    if (area.value.trim() === applied || !area.isConnected) return;
    applied = area.value.trim();
    change(applied);
  }

  function applySoon() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      try {
        if (area.value.trim()) parseFilter(area.value);
        apply();
      } catch (fault) {
        isRefused = false;
        underline(fault.offset ?? 0, `Not applied yet: ${fault.message}.`);
      }
    }, pause);
  }

  // Chips ----

  function showChips() {
    try {
      const made = area.value.trim() ? toChips(parseFilter(area.value)) : { any: false, parts: [] };
      model = made;
      if (made) drawChips();
      else fill(chips, element('p', { class: 'muted', test: 'no-chips' }, 'Chips cannot show this filter; it stays text.'));
    } catch {
      fill(chips, remark('Chips follow when the text is a filter.'));
    }
  }

  /** Changes the chips, and the text with them; `focus` names the control that has the focus then. */
  function edit(change, focus) {
    change?.();
    area.value = fromChips(model);
    underline();
    applySoon();
    if (focus === undefined) return;
    drawChips();
    chips.querySelector(`[data-at="${focus}"]`)?.focus();
  }

  function drawChips() {
    fill(chips, level(model, ''), model.parts.length > 0 && adder('+ group', 'group', () => {
      model.parts.push({ isNot: false, any: !model.any, parts: [blank()] });
      return `${model.parts.length - 1}.0.path`;
    }));
  }

  const blank = () => ({ isNot: false, path: '', op: '==' });
  const control = (label, at, act, more) => element('button', { 'data-at': at, ...more, on: { click: act } }, label);

  const adder = (label, at, add) => control(label, at, () => {
    const focus = add();
    edit(null, focus);
  }, { class: 'add', test: `add-${label.slice(2)}` });

  function level(group, at) {
    const joined = group.any ? 'or' : 'and';
    const parts = group.parts.map((part, index) => {
      const place = `${at}${index}`;
      return [index > 0 && control(joined, `${place}.join`, () => edit(() => { group.any = !group.any; }, `${place}.join`),
        { class: 'join', 'aria-label': `${joined}: change to ${group.any ? 'and' : 'or'}` }),
      part.parts ? element('span', { class: 'group', role: 'group', 'aria-label': `group ${index + 1}` },
        negation(part, place), '(', level(part, `${place}.`), ')', remover(group, index, at)) : chip(group, index, at)];
    });
    return [parts, adder('+ test', `${at}add`, () => `${at}${group.parts.push(blank()) - 1}.path`)];
  }

  const negation = (part, place) => control('not', `${place}.not`, () => edit(() => { part.isNot = !part.isNot; }, `${place}.not`),
    { class: 'not', 'aria-pressed': String(part.isNot) });

  const remover = (group, index, at) => control('×', `${at}${index}.remove`, () => edit(() => group.parts.splice(index, 1), `${at}add`),
    { class: 'remove', 'aria-label': `remove ${group.parts[index].path ?? 'group'}`, test: 'remove-chip' });

  function chip(group, index, at) {
    const part = group.parts[index];
    const place = `${at}${index}`;
    const path = element('input', { value: part.path, placeholder: 'property', size: Math.max(6, part.path.length), 'aria-label': 'property',
      'data-at': `${place}.path`, test: 'chip-path', on: {
        input: () => edit(() => { part.path = path.value.trim() && typedPath(path.value.trim()); }),
        change: () => {
          path.value = part.path;
          fill(op, choices());
        } } });
    const choices = () => {
      const offered = operatorsFor(kinds?.get(part.path));
      return (offered.includes(part.op) ? offered : [part.op, ...offered])
        .map((name) => element('option', { value: name, selected: name === part.op }, words.get(name) ?? name));
    };
    const op = element('select', { 'aria-label': 'operator', 'data-at': `${place}.op`, test: 'chip-op', on: {
      change: () => edit(() => {
        const text = operand(op.value) === 'list' ? shown() : part.values?.[0] ?? part.value ?? '';
        part.op = op.value;
        put(part, typed(part.op, text));
      }, `${place}.op`) } },
    choices());
    const shown = () => part.values?.join(', ') ?? part.value ?? '';
    const wants = operand(part.op);
    const value = wants !== 'nothing' && element('input', {
      value: shown(), placeholder: wants === 'list' ? 'a, b' : 'value', size: Math.min(40, Math.max(5, shown().length)), 'aria-label': 'value',
      'data-at': `${place}.value`, test: 'chip-value', on: {
        input: () => edit(() => put(part, typed(part.op, value.value))),
        change: () => { value.value = shown(); },
        keydown: ({ key }) => { if (key === 'Enter') apply(); } } });
    return element('span', { class: 'test', role: 'group', 'aria-label': `test ${index + 1}`, test: 'chip' }, negation(part, place),
      completing(path, async (text) => matching(text, 0, propertyOptions(await properties(type)))), op,
      value && completing(value, async (text) => matching(text.replace(/^.*,\s*/, '').replace(/^"/, ''), text.lastIndexOf(',') + 1,
        part.path ? (await values(type, part.path)).map((text) => ({ text })) : [])), remover(group, index, at));
  }

  /** What the type has is asked when the filter is first looked at. */
  async function learn() {
    if (kinds) return;
    kinds = new Map();
    kinds = await properties(type);
    if (model && !chips.contains(document.activeElement)) showChips();
  }

  function put(part, { value, values }) {
    part.value = value;
    part.values = values;
  }

  area.value = text;
  underline();
  showChips();

  return {
    node: element('div', { class: 'filter', on: { focusin: learn } }, element('div', { class: 'line' }, mirror, field), told, chips),
    set(text) {
      if (text === applied) return; // What is typed and not applied yet stays.
      clearTimeout(timer);
      applied = text;
      area.value = text;
      underline();
      showChips();
    },
    fault(problem) {
      const fault = problem?.errors?.find(({ parameter }) => parameter === 'filter') ?? problem?.errors?.[0];
      if (!problem && isRefused) underline();
      isRefused = !!problem;
      if (!problem || area.value.trim() !== applied.trim()) return;
      if (fault?.offset === undefined) told.textContent = problem.detail ?? '';
      else underline(Math.max(0, area.value.indexOf(applied)) + unitOffset(applied, fault.offset), fault.detail.replace(/^at byte \d+: /, ''));
    },
    focus: () => area.focus(),
    close: () => clearTimeout(timer),
  };
}
