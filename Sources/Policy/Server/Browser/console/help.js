// What is behind `?`, and the events of the live connection at the foot of the page.
import { button, element, openDialog, plain, refill } from './dom.js';
import { listen, server } from './server.js';
import { bytes, count, remark, retitleTimes, smallTable, time } from './show.js';
import { settings } from './state.js';

/** The keys that do something here, and what this browser keeps. */
export async function openHelp(rail, keys) {
  const line = (name, label) => [element('dt', null, name.split(' ').map((key) => [element('kbd', null, key), ' '])), element('dd', null, label)];
  const all = [...rail.map(([, name, letter]) => [`g ${letter}`, name]), ['Esc', 'back'], ['?', 'this list']];
  const option = (name, label, value, isOn) => element('label', null, element('input', { type: 'checkbox', checked: isOn, test: `setting-${name}`,
    on: { change: () => {
      settings.set(name, settings.get(name) === value ? undefined : value);
      retitleTimes();
    } } }), label);
  await openDialog({
    title: 'Keys and settings', test: 'help',
    body: [element('dl', { class: 'facts' }, all.map(([name, label]) => line(name, label)),
      Object.entries(keys).filter(([, { label }]) => label).map(([name, { label }]) => line(name, label))),
      option('keys', 'Single keys do nothing', false, settings.get('keys') === false),
      option('utc', 'Times in UTC', true, settings.get('utc')),
      remark('This browser keeps theme, columns, and recent and named queries; never data, never a token. ',
        button('Forget all', () => {
          settings.forget();
          location.reload();
        }, { test: 'forget' }))],
    actions: [['Close', () => undefined, 'primary']],
  });
}

const events = [];
let show = () => {};
let stop = null;
server.addEventListener('access', () => {
  events.length = 0;
  show();
});

/** Opens or folds the strip of raw events: the last 200, those before it was opened too. */
export function toggleEvents(control, node) {
  node.hidden = !node.hidden;
  control.setAttribute('aria-expanded', String(!node.hidden));
  if (stop) {
    stop();
    stop = null;
    return;
  }
  events.length = 0;
  let isDue = false;
  show = () => {
    isDue = false;
    refill(node, smallTable(null, 'Events of the live connection, the latest first', ['Event', 'Query', 'Seq', 'Bytes', 'Age'], events.map((frame) => element('tr', { test: 'event' },
        element('td', null, button(frame.kind, () => openDialog({ title: frame.kind, body: element('pre', null, plain(frame.text.slice(0, 65536), { lines: true })) }), { class: 'plain' })),
        element('td', null, frame.q && plain(frame.q)), element('td', null, (frame.id ?? '').split('.')[1]),
        element('td', null, bytes(frame.size ?? frame.text.length)), element('td', null, time(frame.at))))),
      !events.length && remark('Nothing has come yet.'));
    control.textContent = `Events (${count(events.length)})`;
  };
  const add = (frame) => {
    events.unshift(frame);
    events.length = Math.min(events.length, 200);
    if (!isDue) setTimeout(show, 250);
    isDue = true;
  };
  stop = listen(add);
  show();
}
