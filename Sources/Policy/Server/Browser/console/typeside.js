// One type beside the list of all: its figures, what is declared, what its entities have in common.
import { elements, members } from '../json.js';
import { elementTexts, memberTexts } from '../reducer.js';
import { button, confirmAct, element, fill, hold, load, openDialog, plain, problemCard } from './dom.js';
import { ask, may } from './server.js';
import { actsRow, bytes, count, facts, linkButton, say, smallTable, tableRow, time, tree } from './show.js';
import { entityUrl, go, typeUrl } from './state.js';
import { layout } from './text.js';

const text = (json) => JSON.parse(json ?? '""');
const short = (text) => [plain(text.slice(0, 200)), text.length > 200 && ' …'];

/** The drawer of a type; `update` takes its row anew. */
export function describe(row, id) {
  let size;
  const figures = element('div');
  const update = (row) => {
    size = { rows: Number(row.get('count')), bytes: Number(row.get('bytes') ?? 0) };
    fill(figures, facts([['Entities', row.has('count') && count(row.get('count'))], ['Bytes', row.has('bytes') && bytes(Number(row.get('bytes')))],
    ['Live queries', row.get('liveQueries')], ['Last change', row.has('lastChangeAt') && row.get('lastChangeAt') !== 'null' && time(text(row.get('lastChangeAt')))]]));
  };
  update(row);
  const removing = button('Remove all…', () => removeAll(id, size.rows), { class: 'danger', test: 'remove-all' });
  hold(removing, () => may('write', id).why);
  const declared = element('div');
  const inferred = element('div');
  ask('GET', entityUrl('_types', id)).then((answer) => {
    const known = memberTexts(answer.text);
    fill(declared, [['Schema', 'schema'], ['Indexes', 'indexes'], ['Entities that do not fit', 'unfitEntities']].map(([label, name]) => known.has(name)
      && elementCount(known.get(name)) > 0 && [element('h3', null, label), tree(known.get(name), 4)]));
  }, (problem) => fill(declared, problem.status !== 404 && problemCard(problem)));
  const nodes = [figures, actsRow(linkButton(`#${typeUrl(id)}`, 'Open'),
    hold(linkButton(`#${typeUrl(id)}?_new=1`, 'New entity'), () => may('write', id).why),
    button('What is in it', () => infer(id, inferred), { test: 'infer' }),
    button('Export', async () => (await load('./transfer.js')).exportRows(typeUrl(id), id, size.bytes), { test: 'export' }),
    removing), declared, inferred];
  return { nodes, update };
}

const elementCount = (json) => (json[0] === '{' ? members(json).length : json[0] === '[' ? elements(json).length : 1);

async function infer(type, place) {
  const answer = memberTexts((await ask('GET', `${entityUrl('_types', type)}/infer?sample=1000`)).text);
  const kinds = (all) => [...memberTexts(all)].map(([kind, number]) => `${kind} ${count(number)}`).join(', ');
  // Values and bounds are slices of the answer, digit for digit.
  const most = (pairs = '[]') => elementTexts(pairs).map((pair) => elementTexts(pair)[0]).join(', ');
  const properties = elementTexts(answer.get('properties')).map(memberTexts);
  fill(place, element('h3', null, `What ${count(answer.get('sampled'))} entities have`),
    smallTable('inferred', null, ['Property', 'Seen', 'Kinds', 'Most'], properties.map((one) => tableRow(null, plain(text(one.get('name'))), count(one.get('seen')), kinds(one.get('kinds')), short(most(one.get('most')))))),
    element('h3', null, 'As a declaration'), element('pre', { class: 'code', tabindex: 0, test: 'declaration' }, layout(answer.get('schema'))));
}

async function removeAll(type, size) {
  if (!await confirmAct({ title: `Remove all of '${type}'?`, text: `${count(size)} entities are removed for good.`, act: 'Remove all', count: size })) return;
  await ask('DELETE', `${typeUrl(type)}?all=true`);
}

export async function newType() {
  const name = element('input', { required: true, test: 'type-name' });
  const fault = element('p', { class: 'bad', role: 'alert' });
  const type = await openDialog({ title: 'A new type', body: [say('A type exists as soon as its first entity is written.'), element('label', null, 'Name ', name), fault], test: 'new-type',
    actions: [['Write its first entity', () => {
      if (/^[A-Za-z][\w-]{0,63}$/.test(name.value)) return name.value;
      fault.textContent = 'A letter, then at most 63 letters, digits, _ or -.';
      return false;
    }, 'primary'], ['Cancel']] });
  if (type) go(`#${typeUrl(type)}?_new=1`);
}
