// Access: who may do what.
import { memberTexts } from '../reducer.js';
import { button, copyAs, copyText, element, fill, hold, plain, problemCard } from './dom.js';
import { nodesTable } from './explain.js';
import { listPage } from './list.js';
import { command, shell } from './orders.js';
import { ask, may, server } from './server.js';
import { absent, actsRow, banner, code, count, docs, emptyState, facts, given, heading, loading, muted, optional, plural, say, scroll, smallTable, tableRow, time, tree, word } from './show.js';

const soon = 14 * 86400000;
const rightOf = (right) => (right === true ? word('all rows', 'good') : right === false ? word('none', 'none') : right === 'rule' ? word('by a rule', 'warn') : word('', 'warn', code(right)));
const expiryOf = (expires, isExpired) => (isExpired ? [word('expired', 'bad'), expires && [' ', time(expires)]]
  : expires === null || expires === undefined ? muted('never') : Date.parse(expires) - Date.now() < soon ? [word('soon', 'warn'), ' ', time(expires)] : time(expires));

const rightsTable = (types, others) => scroll(smallTable('rights', element('caption', null, 'Rights by type'), ['Type', 'Read', 'Write', 'May cause'], [...types, ['', others]].filter(([, one]) => one).map(([name, one]) => tableRow({ 'data-type': name }, name === '' ? muted('all others') : plain(name), rightOf(one.read), rightOf(one.write), { none: 'nothing', local: 'answers from here', remote: 'requests to upstreams' }[one.level] ?? one.level))));

/** Who asks, and what that caller may do: read anew, since a reload may have changed it. */
async function mine(node) {
  fill(node, loading());
  try {
    const { json: me, text } = await ask('GET', '/v1/_access/me');
    const claims = memberTexts(text).get('claims');
    fill(node, me.open && banner('warn', 'open-server', 'The configuration has no “access”: everybody who reaches this server may do everything.'),
      facts([['I am', me.name ? code(me.name) : muted('nobody in particular')], ['Subject', me.subject !== null && plain(me.subject)], ['Role', me.role !== null && plain(me.role)],
        ['Administration', me.admin ? word('yes', 'good') : word('no', 'none')], ['Expires', me.name ? expiryOf(me.expires, false) : null], ['Claims', claims !== undefined && claims !== '{}' && tree(claims, 2)]], 'wide'),
      rightsTable(Object.entries(me.types), me.others));
  } catch (problem) {
    fill(node, problemCard(problem, () => mine(node)));
  }
}

// Check ----

const reasons = new Map([['all', 'it may do this with every row'], ['none', 'it has no such right'], ['rule', 'a rule decides'], ['level', 'its level does not allow it'],
  ['expired', 'it has expired'], ['absent', 'there is no such entity']]);

function verdictOf(text) {
  const { allowed, status, because, checks } = JSON.parse(text);
  const said = allowed === 'some' ? word('some rows', 'warn') : allowed ? word('allowed', 'good') : word('refused', 'bad');
  return [element('p', { test: 'verdict' }, said, `: ${reasons.get(because) ?? because}. The request gets ${status}.`),
    checks.map(({ of, rule, satisfied, nodes }, index) => element('section', { test: 'check' }, say(of === 'new' ? 'As it would become: ' : 'As it is stored: ', code(rule), ' ',
      satisfied === null ? muted('there is nothing to ask it about') : satisfied ? word('holds', 'good') : word('does not hold', 'bad')),
    nodes.length > 0 && nodesTable(text, nodes, `/checks/${index}/nodes`, 'The rule, part by part')))];
}

function checkForm(tokens) {
  const names = element('datalist', { id: 'token-names' });
  const field = (test, label, attributes) => {
    const node = element('input', { size: 16, test, ...attributes });
    return [node, element('label', null, `${label} `, node)];
  };
  const [token, tokenLabel] = field('check-token', 'Token', { list: 'token-names', placeholder: 'nobody in particular' });
  const [type, typeLabel] = field('check-type', 'type', { required: true });
  const [id, idLabel] = field('check-id', 'id', { placeholder: 'any' });
  const act = element('select', { test: 'check-act' }, ['read', 'write', 'remove'].map((name) => element('option', { value: name }, name)));
  const entity = element('textarea', { rows: 3, class: 'code', 'aria-label': 'Entity as JSON, if any', placeholder: '{"…": the entity as it would become}', test: 'check-entity' });
  const shown = element('div', { class: 'card', 'aria-live': 'polite', test: 'checked', hidden: true });
  const go = element('button', { type: 'submit', class: 'primary', test: 'check' }, 'Check');
  hold(go, () => may('admin').why);
  token.addEventListener('focus', () => fill(names, tokens().filter((name) => name !== '_anonymous').map((value) => element('option', { value }))));
  /** The entity goes as it is written, digit for digit. */
  function body() {
    const parts = [`"token":${JSON.stringify(token.value || null)}`, `"do":${JSON.stringify(act.value)}`, `"type":${JSON.stringify(type.value)}`,
      id.value && `"id":${JSON.stringify(id.value)}`, entity.value.trim() && `"entity":${entity.value}`];
    return `{${parts.filter(Boolean).join()}}`;
  }
  async function check() {
    if (go.getAttribute('aria-disabled')) return;
    const asked = body();
    const made = await ask('POST', '/v1/_access/check', { body: asked }).then(({ text }) => verdictOf(text), problemCard);
    if (asked !== body()) return; // It is another question by now.
    shown.hidden = false;
    fill(shown, made);
  }
  return element('section', null, heading('May it?'), element('form', { class: 'check', on: { input: () => { shown.hidden = true; }, submit: (event) => {
    event.preventDefault();
    check();
  } } }, tokenLabel, element('label', null, 'may ', act), typeLabel, idLabel, names, entity, go,
    button('Copy as', () => copyAs(null, [['check', command(['POST', '/v1/_access/check'], body())]]), { test: 'copy-check' })), shown);
}

function newToken() {
  const name = element('input', { value: 'ci', size: 16, test: 'new-name' });
  const making = element('pre', { class: 'code', tabindex: 0, 'aria-label': 'command', test: 'new-command' });
  const line = element('pre', { class: 'code', tabindex: 0, 'aria-label': 'line of the configuration', test: 'new-line' });
  const show = () => {
    const text = name.value || 'NAME';
    making.textContent = `freshet token new ${/^[\w.-]+$/.test(text) ? text : shell(text)}`;
    line.textContent = `{"name": ${JSON.stringify(text)}, "sha256": "…", "types": {"*": {"read": true, "write": false}}}`;
  };
  name.addEventListener('input', show);
  show();
  return element('section', null, heading('A new token'), say(element('label', null, 'Name ', name)),
    say('The command prints the token, once, and the line for the configuration’s access.tokens with its digest; SIGHUP reads the file again. The server never has the token itself.'), making, line,
    actsRow(element('button', { on: { click: () => copyText(making.textContent, 'The command') } }, 'Copy the command'), docs('access')));
}

// The page ----

const countsOf = (row) => {
  const [types, others] = [Object.keys(given(row, 'types') ?? {}).length, given(row, 'others')];
  return `${plural(types, 'type')}${others?.read || others?.write ? ', others too' : ''}`;
};
const columns = [
  { name: 'id', label: 'Token', isFigure: false, show: (_, row, id) => (id === '_anonymous' ? muted('nobody in particular') : plain(id)) },
  { name: 'subject', label: 'Subject', show: (json) => (json === undefined || json === 'null' ? absent() : plain(JSON.parse(json))) },
  { name: 'admin', label: 'Administers', show: (json) => (json === 'true' ? word('yes', 'warn') : muted('no')) },
  { name: 'types', label: 'Rights', isSorted: false, text: (row) => `${row.get('types')}${row.get('others')}`, show: (_, row) => countsOf(row) },
  { name: 'expires', label: 'Expires', isFigure: false, text: (row) => `${row.get('expires')}/${row.get('expired')}`, show: (_, row, id) => (id === '_anonymous' ? '' : expiryOf(given(row, 'expires'), given(row, 'expired'))) },
  { name: 'uses', label: 'Uses', isFigure: true, show: optional((number) => count(number)) },
  { name: 'lastUsedAt', label: 'Last used', isFigure: false, show: optional((at) => (at === null ? muted('not since the start') : time(at))) },
];

export function open(place) {
  const me = element('div', { class: 'detail', test: 'me' });
  mine(me);
  if (server.me && !may('admin').allowed) {
    return { node: element('article', null, element('h1', null, 'Access'), me), title: 'Access', keys: { c: { label: 'copy as', act: () => copyAs(null, [['curl', command(['GET', '/v1/_access/me'])]]) } }, update: () => true };
  }
  const page = listPage({
    type: '_tokens', title: 'Access', columns, notice: [me, heading('Tokens')],
    empty: () => emptyState('No token is configured. The configuration’s “access” declares them.', docs('access', 'How to')),
    show: (row, id) => [facts([['Name', id === '_anonymous' ? muted('nobody in particular') : plain(id)], ['Subject', given(row, 'subject') !== null && plain(String(given(row, 'subject')))], ['Administration', given(row, 'admin') ? 'yes' : 'no'],
      ['Expires', id !== '_anonymous' && expiryOf(given(row, 'expires'), given(row, 'expired'))], ['Uses', row.has('uses') && `${count(given(row, 'uses'))} since the start`],
      ['Claims', row.has('claims') && row.get('claims') !== '{}' && tree(row.get('claims'), 2)]]), rightsTable(Object.entries(given(row, 'types') ?? {}), given(row, 'others'))],
  }, place);
  page.node.classList.add('stacked');
  page.node.append(checkForm(() => page.table.ids), newToken());
  return page;
}
