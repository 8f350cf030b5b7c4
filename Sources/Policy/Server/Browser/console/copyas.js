// A view as a command or a program: what is shown here, asked for elsewhere. No token stands in it.
import { copyText, element, openDialog } from './dom.js';
import { shell, tokenHeader } from './orders.js';
import { remark } from './show.js';
import { hasToken } from './server.js';
import { decode, parameter, parameters, parsePlace, withParameters } from './state.js';

const script = JSON.stringify;

/** A string of Swift; with a quote or a backslash in it, a raw one. */
function swift(text) {
  const hashes = /["\\]/.test(text) ? '#'.repeat(1 + Math.max(0, ...[...text.matchAll(/"(#*)/g)].map(([, found]) => found.length))) : '';
  return `${hashes}"${text}"${hashes}`;
}

const flags = ['filter', 'order', 'limit', 'offset', 'ids', 'fields', 'include', 'group', 'distinct', 'aggregate'];

/**
 * The forms of a search or get URL, each with its name.
 * @param {string} url path and query
 * @returns {[string, string][]}
 */
function copies(url) {
  const { origin } = location;
  const { type, id } = parsePlace(`#${url}`);
  const escaped = (url) => new URL(url, origin).href.replaceAll("'", '%27');
  const path = escaped(url).slice(origin.length);
  const live = escaped(withParameters(url, { live: 'delta' }));
  const header = tokenHeader();
  const token = hasToken() ? "const token = '$FRESHET_TOKEN';\n" : '';
  const options = hasToken() ? ', { token }' : '';
  const asked = Object.fromEntries(parameters(url).filter(([name]) => name !== 'ids'));
  const ids = /[?&]ids=([^&]*)/.exec(url)?.[1].split(',').map(decode);
  const given = ids ? { ...asked, ids } : asked;
  const more = Object.keys(given).length ? `, ${script(given)}` : '';
  const listens = "for (const name of ['snapshot', 'delta']) {\n"
    + '  source.addEventListener(name, (event) => console.log(name, JSON.parse(event.data)));\n}';
  const isFigures = parameter(url, 'group') !== undefined || parameter(url, 'aggregate') !== undefined;
  // A name stands in a comment of a shell: it is shown as one word.
  const unknown = parameters(url).map(([name]) => name.replace(/[^\w.-]/g, '_')).filter((name) => !flags.includes(name) && name !== 'count');
  if (ids?.some((one) => one.includes(','))) unknown.push('ids with a comma');
  const server = `--server ${shell(origin)}`;
  const command = id !== null ? ['freshet get', shell(type), ...id.startsWith('-') ? [server, '--', shell(id)] : [shell(id), server]]
    : ['freshet search', shell(type), ...parameters(url).flatMap(([name, value]) => (name === 'ids' ? `--ids ${shell(ids.join())}`
      : flags.includes(name) ? `--${name} ${shell(value)}` : name === 'count' && value === 'true' ? '--count' : [])), server];
  const all = [
    ['curl', `curl -g${header} ${shell(escaped(url))}`],
    ['curl, live', `curl -gN${header} ${shell(live)}`],
    ['EventSource', hasToken()
      ? `${token}// EventSource sends no header: a session is prepared with one, and watched at its own address.\n`
        + `const answer = await fetch(${script(`${origin}/v1/_live`)}, {\n  method: 'POST',\n`
        + `  headers: { Authorization: \`Bearer \${token}\`, 'Content-Type': 'application/json' },\n`
        + `  body: JSON.stringify({ queries: { rows: ${script(path)} } }),\n});\n`
        + `const source = new EventSource(new URL((await answer.json()).url, ${script(origin)}));\n${listens}`
      : `const source = new EventSource(${script(live)});\n${listens}`],
    ['live.js', `import { live } from ${script(`${origin}/live.js`)};\n\n${token}const rows = live(${script(path)}${options});\n`
      + "rows.addEventListener('change', () => console.log(rows.items));"],
    ['freshet.js', `import { connect } from ${script(`${origin}/freshet.js`)};\n\n${token}const freshet = connect(${script(origin)}${options});\n`
      + (id === null ? `const { items } = await freshet.search(${script(type)}${more});\nconsole.log(items);`
        : `const entity = await freshet.get(${script(type)}, ${script(id)}${more});\nconsole.log(entity);`)],
    ['CLI', command.join(' ')
      + (unknown.length ? `\n# the program has no flag for: ${unknown.join(', ')}` : '')],
    ['Swift', `import Foundation\nimport Freshet\n\nlet client = try FreshetClient(url: ${swift(origin)}`
      + `${hasToken() ? ', token: ProcessInfo.processInfo.environment["FRESHET_TOKEN"]' : ''})\nlet rows = StreamAgent(\n`
      + `    client.events, query: ${swift(live.slice(origin.length))},\n    ${isFigures
        ? 'initial: "", reduce: { _, event in .update(String(decoding: event.data, as: UTF8.self)) })' : `initial: EntityRows(type: ${swift(type)}), reduce: EntityRows.reduce)`}\n`
      + `let shown = rows.observe { state in print(state.value${isFigures ? '' : '.entities.map(\\.id)'}) }\nrows.start()`],
  ];
  return parameter(url, 'after') ? all.filter(([name]) => ['curl', 'freshet.js', 'CLI'].includes(name)) : all;
}

/** Shows the forms of `url` (null: of none), to be copied; `more` are others, `[name, text]`. */
export function openCopyAs(url, more = []) {
  const all = [...url === null ? [] : copies(url), ...more];
  const area = element('textarea', { class: 'code', readonly: true, rows: 9, 'aria-label': 'command', test: 'copy-text' });
  const choice = (index) => element('label', { class: 'choice' }, element('input', {
    type: 'radio', name: 'copy-as', value: String(index), checked: index === 0, test: `copy-${all[index][0]}`,
    on: { change: () => show(index) } }), all[index][0]);
  const show = (index) => { area.value = all[index][1]; };
  show(0);
  return openDialog({
    title: 'Copy as', test: 'copy-as',
    body: [element('fieldset', { class: 'acts' }, element('legend', null, 'form'), all.map((_, index) => choice(index))), area,
      hasToken() && remark('Your token is not in it: $FRESHET_TOKEN stands where it goes.')],
    actions: [['Copy', () => copyText(area.value, 'Copy as'), 'primary'], ['Close']],
  });
}
