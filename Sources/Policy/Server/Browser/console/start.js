// Start: from nothing to one's own live row in a minute.
import { idText } from '../json.js';
import { tokenHeader } from './orders.js';
import { ask, may, server, watch } from './server.js';
import { button, confirmAct, element, fill, hold, problemCard } from './dom.js';
import { actsRow, heading, pageHead, remark, rowLink, say } from './show.js';
import { entityUrl, idLiteral, typeUrl, withParameters } from './state.js';
import { LiveTable } from './table.js';

const type = 'task';
const sampleIds = Array.from({ length: 20 }, (_, at) => `sample-${at + 1}`);
const titles = ['Buy milk', 'Call home', 'Water the plants', 'Read the docs', 'Mend the bicycle'];
const sample = (id, at) => ({ id, title: titles[at % titles.length], done: at % 3 === 0, priority: at % 5 + 1, author: { name: ['Ada', 'Grace', 'Linus'][at % 3] } });

export function open() {
  const mayWrite = () => may('write', type);
  // A store that takes no writes now may take them again.
  const hasForm = mayWrite().allowed || server.isReadOnly;
  const origin = location.origin;
  let last = null;
  let query;
  const show = (id) => { location.hash = `#${entityUrl(type, id)}`; };
  const table = new LiveTable({ caption: 'Your tasks, live', onopen: show, onpick: (id, name) => name && show(id) });
  table.setColumns([{ name: 'id', isFigure: false, show: (_, row, id) => rowLink(`#${entityUrl(type, id)}`, id) }, { name: 'title' },
    { name: 'done' }]);

  const text = element('textarea', { rows: 3, 'aria-label': 'Entity as JSON', test: 'start-text', on: { keydown: (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      save.click();
    }
  } } });
  text.value = '{"title":"first","done":false}';
  const fault = element('div');
  const save = button('Save', async () => {
    fill(fault);
    text.removeAttribute('aria-invalid');
    try {
      const answer = await ask('POST', typeUrl(type), { body: text.value });
      last = idText(answer.text);
      showChange();
      // Behind twenty others it is watched alone.
      query.reaches(answer.headers.get('freshet-cursor')).then(() => {
        if (!query.ids.includes(last)) follow({ filter: `id == ${idLiteral(last)}` });
      }, () => {});
    } catch (problem) {
      text.setAttribute('aria-invalid', 'true');
      if (!fault.isConnected) throw problem;
      fill(fault, problemCard(problem));
    }
  }, { class: 'primary', test: 'start-save' });
  const toggle = button('Toggle done', async () => {
    const id = last ?? query.ids[0];
    const isDone = /"done":true/.test(query.text(id) ?? '');
    await ask('PATCH', entityUrl(type, id), { body: JSON.stringify({ done: !isDone }), headers: { 'Content-Type': 'application/merge-patch+json' } });
  }, { test: 'start-toggle' });
  const changeCommand = element('pre', { test: 'command-change' });
  const samples = button('20 sample tasks', () => ask('POST', `${typeUrl(type)}/_set`, { body: JSON.stringify(sampleIds.map(sample)) }), { test: 'samples' });
  const unsample = button('Remove the samples…', async () => {
    if (!await confirmAct({ title: 'Remove the sample tasks?', text: 'The 20 entities sample-1 … sample-20 of type task.', act: 'Remove', count: 20 })) return;
    await ask('POST', `${typeUrl(type)}/_remove`, { body: JSON.stringify({ ids: sampleIds }) });
  }, { test: 'unsample' });

  function showChange() {
    const id = last ?? query.ids[0];
    changeCommand.textContent = `curl -X PATCH${tokenHeader()} --json '{"done":true}' '${origin}${entityUrl(type, id ?? 'ID').replaceAll("'", '%27')}'`;
    toggle.hidden = id === undefined;
  }

  for (const control of [save, toggle, samples, unsample]) hold(control, () => mayWrite().why);
  const rights = element('div', { 'aria-live': 'polite' });
  const showRights = () => {
    const { why } = mayWrite();
    if (rights.textContent && !why) fill(rights);
    else if (why && !rights.textContent.startsWith(why)) fill(rights, element('p', { class: 'banner warn', test: 'no-write' }, `${why} The commands show how it is done.`));
  };
  server.addEventListener('change', showRights);
  showRights();
  const rows = element('div', null, table.node);
  const problem = element('div');
  function follow(parameters) {
    query?.close();
    query = watch(withParameters(typeUrl(type), parameters));
    query.addEventListener('change', showChange);
    query.addEventListener('state', () => fill(problem, query.state === 'failed' && problemCard(query.problem, () => location.reload())));
    table.watch(query);
    showChange();
  }
  follow({ limit: 20 });
  const step = (title, form, command) => element('li', null, element('div', null, heading(title), form), element('div', null, command));
  const node = element('article', null, pageHead('Start'),
    remark('Write an entity, watch it, change it: here, or with the commands at the right. Any type exists as soon as it is written.'), rights,
    element('ol', { class: 'steps' },
      step('1 Write', hasForm && [text, actsRow(save, samples, unsample), fault],
        element('pre', { test: 'command-write' }, `curl${tokenHeader()} --json '{"title":"first","done":false}' ${origin}${typeUrl(type)}`)),
      step('2 Watch', [problem, rows], element('pre', { test: 'command-watch' }, `curl -N${tokenHeader()} '${origin}${typeUrl(type)}?live=1'`)),
      step('3 Change', [hasForm && toggle, say(element('a', { href: `#${typeUrl(type)}` }, 'Open the query'), ', where you filter and order it.')], changeCommand)));
  return {
    node, title: 'Start', keys: table.keys,
    update: () => true,
    close() {
      server.removeEventListener('change', showRights);
      query.close();
      table.close();
    },
  };
}
