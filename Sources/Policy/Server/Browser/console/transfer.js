// Entities as files: out as NDJSON, in from NDJSON or a JSON array.
import { elementTexts, memberTexts } from '../reducer.js';
import { tokenHeader } from './orders.js';
import { ask, most } from './server.js';
import { element, fill, openDialog, problemCard, saveFile } from './dom.js';
import { bytes, count, plural, say } from './show.js';
import { here, onceUrl, typeUrl } from './state.js';

const mostExported = 50e6;
const partSize = 8 * 1024 * 1024; // bytes of one _set

/** Saves all that a search finds, page after page: not of one moment, which is said. */
export async function exportRows(url, type, size) {
  const command = `curl -f${tokenHeader()} '${location.origin}/v1/_export?type=${encodeURIComponent(type)}' > ${type}.ndjson`;
  const tooLarge = [say('More than 50 MB: an administrator takes all of the type with'), element('pre', null, command)];
  if (size > mostExported) return openDialog({ title: 'Export', body: tooLarge });
  const said = element('p', { role: 'status' }, 'Beginning …');
  let isWanted = true;
  const dialog = openDialog({ title: 'Export', body: [say('Page after page: not of one moment.'), said], test: 'export-dialog' });
  dialog.then(() => { isWanted = false; });
  const parts = [];
  let held = 0;
  let rows = 0;
  let after;
  let isMore;
  try {
    do {
      const page = after ? { offset: null, after } : { offset: rows || null, after: null };
      const { text, json } = await ask('GET', onceUrl(url, { limit: most(1000), group: null, aggregate: null, ...page, ...here(type) }));
      const lines = elementTexts(memberTexts(text).get('items')).map((line) => `${line}\n`);
      parts.push(...lines);
      rows += lines.length;
      held += new Blob(lines).size;
      isMore = json.meta.next || !after && lines.length === most(1000);
      after = json.meta.next;
      said.textContent = `${plural(rows, 'entity', 'entities')}, ${bytes(held)}`;
      if (held > mostExported) {
        said.replaceWith(...tooLarge);
        return undefined;
      }
    } while (isMore && isWanted);
    if (isWanted) saveFile(`${type}.ndjson`, parts);
    if (isWanted) said.textContent = `${plural(rows, 'entity', 'entities')} saved.`;
  } catch (problem) {
    fill(said, problemCard(problem));
  }
  return dialog;
}

/** Writes a file's entities in parts; a part is stored whole or not at all. */
export async function importFile(file, type) {
  const said = element('p', { role: 'status', test: 'import-status' }, 'Reading …');
  let isWanted = true;
  let isOver = false;
  let stored = 0;
  let sent = []; // the part under way
  const stop = () => {
    isWanted = false;
    return isOver; // what came of it is told first
  };
  const dialog = openDialog({ title: `Import ${file.name}`, body: said, test: 'import-dialog', actions: [['Cancel', stop]] });
  const node = said.closest('dialog');
  node.addEventListener('cancel', (event) => { if (!stop()) event.preventDefault(); });
  dialog.then(stop);
  try {
    for await (const part of parts(file)) {
      if (!isWanted) break;
      sent = part;
      await ask('POST', `${typeUrl(type)}/_set`, { body: part.map(({ text }) => `${text}\n`).join(''), headers: { 'Content-Type': 'application/x-ndjson' } });
      stored += part.length;
      said.textContent = `${plural(stored, 'entity', 'entities')} stored …`;
    }
    said.textContent = `${plural(stored, 'entity', 'entities')} stored.${isWanted ? '' : ' The rest was left out.'}`;
  } catch (problem) {
    fill(said, `${count(stored)} entities are stored; `, problem.outcome === 'unknown'
      ? `of the next part (${plural(sent.length, 'line')}) it is not known whether it is:` : 'the next part was not taken:', problemCard(ofFile(problem, sent)));
  }
  isOver = true;
  node.querySelector('.acts button').textContent = 'Close';
  return dialog;
}

/** A problem of a part with the places of its lines in the file. */
function ofFile({ message, detail = message, errors = [], ...problem }, part) {
  const place = (line) => part[line - 1]?.place ?? `line ${line}`;
  return { ...problem, detail: detail.replace(/^line (\d+)/, (_, line) => place(line)),
    errors: errors.map(({ line, detail, ...fault }) => ({ ...fault, detail: line ? `${place(line)}: ${detail}` : detail })) };
}

/** Parts of a file, as arrays of JSON texts with their places: lines, or the elements of one array. */
async function* parts(file) {
  const isArray = (await file.slice(0, 1024).text()).trimStart().startsWith('[');
  let part = [];
  let size = 0;
  for await (const one of isArray ? entitiesOf(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())) : lines(file)) {
    const length = one.text.length * 3; // at most, as UTF-8
    if (part.length && (size + length > partSize || part.length === 4000)) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(one);
    size += length;
  }
  if (part.length) yield part;
}

function* entitiesOf(text) {
  for (const [index, one] of elementTexts(text.trim()).entries()) yield { text: one.replaceAll('\n', ' '), place: `element ${index}` };
}

async function* lines(file) {
  let rest = '';
  let number = 0;
  const one = (text) => ({ text, place: `line ${number}` });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < file.size; at += 1 << 20) {
    const chunk = await file.slice(at, at + (1 << 20)).arrayBuffer();
    const all = (rest + decoder.decode(chunk, { stream: at + (1 << 20) < file.size })).split('\n');
    rest = all.pop();
    for (const line of all) if (++number && line.trim()) yield one(line);
  }
  if (++number && rest.trim()) yield one(rest);
}
