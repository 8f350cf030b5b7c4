// Configuration: what holds, and where it came from.
import { memberTexts } from '../reducer.js';
import { element, fill, plain, refill } from './dom.js';
import { polledPage } from './polled.js';
import { absent, banner, bullets, clock, code, count, facts, heading, muted, scroll, smallTable, tableRow, time, tree } from './show.js';
import { place as present, setOwn } from './state.js';

const timed = /^(headTimeout|bodyGrace|writeTimeout|idleTimeout|queryTimeout|overloadAfter|stopTimeout|heartbeat|streamLifetime)$/;
const sized = /^(document|body|line|headers|bodyRate|historyBytes|snapshot)$/;
/** A figure in the largest unit that has it without a rest. */
function exact(number, units) {
  const [unit, size] = units.findLast(([, size]) => number % size === 0);
  return `${count(number / size)} ${unit}`;
}
const times = [['ms', 1], ['s', 1000], ['min', 60000], ['h', 3600000]];
const sizes = [['B', 1], ['KiB', 1 << 10], ['MiB', 1 << 20], ['GiB', 1 << 30]];
const limitOf = (name, number) => (number === 0 ? '0' : timed.test(name) ? exact(number, times) : sized.test(name) ? exact(number, sizes) : count(number));

/** What became of the last attempt to change it. */
function reloadOf(file, reload) {
  if (!reload) return element('p', { class: 'muted', test: 'reload' }, 'It was not read again since the start.');
  const { at, applied, faults, waits } = reload;
  if (!applied) {
    return banner('bad', 'reload', element('div', null, element('strong', null, `A change was refused at ${clock(at)}; what held before goes on.`),
      bullets(faults, ({ place, expected }) => [file && [code(file), ' '], code(place || '/'), ': ', plain(expected)])));
  }
  return banner(waits.length ? 'warn' : 'good', 'reload', `It was read again at ${clock(at)}.`, waits.length > 0 && [' These members wait for a restart: ', waits.map((name) => [code(name), ' '])]);
}

function settingsTable(all, wanted) {
  const isChanged = ({ origin }) => origin !== 'default';
  const found = all.filter(({ name, value, from }) => `${name} ${value} ${from}`.toLowerCase().includes(wanted.toLowerCase()));
  const line = (one) => tableRow({ test: 'setting', 'data-id': one.name }, code(one.name), element('code', null, one.value === '' ? absent() : plain(one.value)), isChanged(one) ? [one.origin, ' ', code(one.from)] : muted('default'));
  return found.length ? scroll(smallTable('settings', element('caption', null, `${count(all.filter(isChanged).length)} of ${count(all.length)} are changed`), ['Setting', 'Value', 'From'], [...found.filter(isChanged), ...found.filter((one) => !isChanged(one))].map(line)))
    : element('p', { class: 'muted', test: 'no-setting' }, 'No setting has this in it.');
}

export function open() {
  let json = null;
  let sections = null;
  let shown = null;
  const table = element('div');
  const wanted = () => present().own.get('_find') ?? '';
  const find = element('input', { type: 'search', 'aria-label': 'Find a setting', placeholder: 'find a setting', size: 24, test: 'find', value: wanted(),
    on: { input: () => setOwn({ _find: find.value || null }) } });
  const drawSettings = () => json?.configuration && fill(table, settingsTable(json.configuration.settings, wanted()));

  function draw(answer, body) {
    // What counts by itself is no other configuration.
    const text = answer.text.replace(/"uptimeSeconds":\d+,?/, '');
    if (text === shown) return;
    shown = text;
    json = answer.json;
    const { configuration: held } = json;
    sections = memberTexts(memberTexts(memberTexts(answer.text).get('configuration') ?? '{}').get('sections') ?? '{}');
    drawSettings();
    refill(body, !held && banner('warn', 'partly', 'Where the settings come from takes a right that you lack: administration.'),
      held && reloadOf(held.file, held.lastReload),
      facts([['File', held && (held.file ? code(held.file) : muted('none'))], ['Digest', held && (held.digest ? code(held.digest) : muted('none: it has neither types nor access'))],
        ['Holds since', held && time(held.loadedAt)], ['Version', plain(json.version)], ['Started', time(json.started)], ['Machine', json.host && plain(json.host)], ['Listens on', json.listen && code(json.listen)],
        ['Event loops', json.loops], ['Durability', json.durability], ['Access', json.access ? 'configured' : 'open: everybody may do everything'], ['Has', json.features.join(', ') || 'entities alone']], 'wide'),
      held && [heading('Settings'), table],
      sections.size > 0 && [heading('Sections of the file'), [...sections].map(([name, value]) => element('section', { class: 'card', test: 'section', 'data-id': name }, element('h3', null, plain(name)), tree(value, 1)))],
      heading('Limits'), facts(Object.entries(json.limits).map(([name, number]) => [code(name), limitOf(name, number)]), 'wide'));
  }

  return polledPage({ title: 'Configuration', url: '/v1/_service', acts: find, draw,
    keys: { '/': { label: 'find a setting', act: () => find.focus() } },
    update() {
      if (find.value !== wanted()) find.value = wanted();
      drawSettings();
    } });
}
