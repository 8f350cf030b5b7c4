// Written by .ci/embed from Browser. Edit the files there, then run .ci/embed.
// swift-format-ignore-file

/// The files of the folder Browser: the modules for pages, and the console.
enum BrowserFiles {
    static let all: [BrowserFile] = [
        BrowserFile(
            at: "/console/access.js", .script, tag: "\"b63114bc1d0465dc4f4f1c29da6e470e\"",
            packed: "H4sIAAAAAAACA6Va55bjuI7+30+BqVPnUupVyTcHdzo1Oafuu8nrnWJJdJnTkugV6fJ4fX3OPMbGv/tg/SSLQNOSXX3jBEsiQRAEgQ8gWJMJXFeV8X4Km6WDVm+hdviqQ/nItivXB9hBa9pb078yPwQPe1j0rgVVlpPe1OvK9OX3Xj05Et+uQ3BdAZVbba+9PGloAaYxrenwZWGbpoCla+oCVo22HT56d4vd7+m+Pk4xqV17wr1ztfGvNNIOyMwPzOWEtLE+fK3vhoTUdEJVubbVHQril6ZpBrSur03vT6i1f12QkpDc9PemH9BLwyn9recV6yr4b92mgFvddaYnrdSGftfUW7sKFWXaVdi+DDoY1BANKODO3psONWV0bbu7AhoXX9p1MCizWwXrOt2QGtc9PT3LVvWuoY9WNw0rq4BADxYh2Ja+e4O/GzfSt1+6jazgUeU6H8A718Ez+Nkv4TH89te//Cn98yT29fZuGb5aYHfGrzk8ex5f4dmzZzjD2sALniJTKAj0buNVAerOuVrlMIUj7UI3/kjcuc4QIT/HhKpfN0YlytstaKAmIt/ovmNy6UtNou0oZJ4f5Eersf1WFsDvBjVu/Qf8Wstq0ifOOBO2RhqI+63GdRQQB8NPfgIzBUo0fGCZz+ePAKaJiBbRrVEbf/jDqG3d1WZhO5qJd5fUYNCgeEHv62DKle79kS1cSWvnNlkOT2WnkpD0dVQJvpyLBdNxQ46bPnn8GL4lNXlAzYbtigxl6bwBZE5b6MLS9NzhodHoTPB4MjQHcU3SKNMUMsCzMsUqs6NRZkrGqAQNmao0mzQ2kZJQ8LE4tJaZekVv1Gc078M/9DZwwxcIX5Vee6PmSFeWJUtBQ9RBlPm8RPgJps+yGbZ1Zk7C0UtetnqFrZ1uzbEnOU62A1XroK9YjikQGewLfoppquPWJV152j8BuYwo8+LgNxnOUPa4gpOmDS0G2wjrOjMlLwhLdHpF7l/pBlt05zfIWtwWJ6G196Z1gch7829r44OH4GC98gGnaL2C/YyYN2hSzRxevID0ledp6/9h6QjhUGGIiBwEINAPztqYPgaHKZDQSGEQS7ztKkMuaAiamGKp7w1US93dmRqsWIj2266CxbqraHOhtZ3JCMlz2D0CDgf8mQAuI5EAQr9lAgAxsR187103BcYvDCmwR0vTG20DiZ2pjz54RVYwuf/Z5DvNUW3SGkWsEosKd6JFjxvGtIx45eWdIfvjfhkzkqw1pVuZjpxcMDw7gIui9iuBf/p8tTQ02cLeISTzepfaQ+fgzY//I1K9+fF/p0DOvb119ZYCL+m0WhoPuNUeiFfStxCyCZRo/iwXSIDIZjP1CehWsXhsiC8E6+In2l4CE8dz2Q4QR4Kt1o1GbCE3US/Xt9+bKggXLx/wTsQpWrCY77FThn3rGiNjenx7eAD1IHUUGnDUdY27b30Q1ch4TW0J07dmFCVSTEgRQaYXYPbDtSdIp6kTpHNsIUYkHQ99Tza5OFjDO0P8JfkH7Wq3V9RE8TKT9gJ+jqhO6Gprk7ZkCIDZV6yn0nSht8aTOIxEOQsrwCAmvodKh2oJWUyAxCOGljdMjQ5UBWSETQNHitwe7dGTJ/De0lSv4Qr/iYGc7Mu7jgwf/Ra+0CuyHXRrUqoN0dTE+jY2LMXoKGIzkorehTQas19XS1myUByCsIRjqE2FyvHSxzgjwz3wB05miE2gqOI2YINiK5ml8HqcLLYIK0moqJeUaMAehcF2G7ZqPic4S1iD66htReBKXk7qTWgicxvK/YIOa4/ZmeHogYZBCvSML5++/OpLib3C4Uli4LWtkSBykRjgXTtIT+grpT0pPYkDElX8fsDoe7NY+0GuQXP3Jqz7DmYpZK4UBYtgfJiCistVFJlIvgJupnC5i9vPGBcXmVMUiO/7Egi1YugApPI4SLSyL2+iiYtSJEruwC0K3mqaJ1i/sKRITs9pbtvV5ge20SSnN7wjQ2mZY5R1m7mF6BAtlFSorj3YgJpYNzUJ6loKbzA9dBBQBoeWMYWU4qE8ku0cnDLJlhKvFKSHFsTwCoHDH/HWt24deCMSg7RddG55CKGSSRNB2jLRnSgGA253F5bwHH5KkJLOMmJZUXu4YxPR9ORyx2rcT7jjRmKLKJ1RnLIieuIs+fwJ+X4ye+bwoevbLLjXpvNDwyewJCRIO0NpDR2NeGss6ZMHXTEhbs/A5lETDRl9RjtYQKNvTVOADqG3t6hVyfSGMZtEH85lu9VaJvL2380UfvbrAoQXpmtHPnHSo7kLFiY2PHHKEm8ud9ywhxvRIqkDYH+Ue8YrKoAfnxPtHJ7JajIxwyvu4gAeX+QIeaINPrFWhvbY9FN4MK6OVTaTPJp+3zJxTGfjc8d+aMmw5Qw1YkYubeuHGVmBzZqZjMXU3XYsla7CcFs8vlXhzDevtGAJAXxMtjeHZJsyznuj5gIIpJ2xv7tVcvd73azNOGXO84EwAt1DecghNE5JwxlBp/ALjtfek2yulmDTW30lpoCtHwgX7RmzUU0LoGWf7tju4s2P/3eBul2aw8T6DGn2qhgrQijHOqTjcjdyJHvPAic5MWYf5bT3hsRcuUY0OORviG5p69p0D+z6nRvOIhUWmoiNCllgXtbaoI4KWvW21T2t/Qxp1Xv8ytxJJ9mdS+kEgrDiZEzl5Wa5JRrxmFLX9Qf3OPvn1gfD2e/CVWuv4lDJV9hDoo/5LE8HrWQb9CJZ1Xe6c922dcginrvIRv64BZFOotnQaeXVcf/uCHr1ISqQhQZy9treYcvC9fLGRxE4HkPIcbN8hFbkwwSNs5sLXsXF9HLHCYAPPUYIu9hmog+Wh87wBED5/gYx6KJ2D5CjAwlxJKIde4CMmhPdIXjZWpowWOBIWz8wjkgSd9GGNJRI0ma5DJUOGj4k2d/MRxh7s7vcsQIOG/euc43RXV5+72yX5fv9jSSZAOMDnUSbpEr0OzQqyjWuD3ieiQvU1lO4o7AYJx2czSj2UpyO+zLsaXVtxke9r796eXbWYynYWojDNPLb52VYmo5SFjkzko2dpoWjLFum5mUIC7JYESqJDZhlf8LWpjspilDqJGa1hc5tSuIhCFGKX0Mscw2Oltxd8PJi/p424zxtYlNLxcCMix02vFD5ICyirbdjBIo6cd0UWzn4TqPL7k6lI9h5QhDBcEJ0hlx+ENL5u1z1/HzfLPS6CWmn2AZkGfTvMNa+NXArOngoro/mgxCZQpzECn8w7QI9XZxDMDBT77kVwXfCIak6Z8J9Nkvrj2XebPZHLGdeHHYZzxCDSEg8r4SEEKgQveXjhKszG84bstNM6zz5SXhGvC1+jjOhKWfAnG6Mw02rX+PGD/nhThC307gY9C0njlP46VmQjIpQo7li43i6xnbmb5yMWbgFhNOSyHh6IjuPrJRlnqWT7MLPWLFHDFZfXn/xgRIzFCWVRPee64LpiPxm0Ru/NEFMkvYKjzeTf539y6a8mv/d5aQkYeIB8YXMMZULAWkU4ANWySnr3QUJg/nEGTbL0AIu/FL//Fe/RhLOPLCBiwH4vbt4zL+UW11I3Mdeil/EkNFif0Bd+qGZzkNxMivSGiuRXsgV/wI0uWatSA6cy3nsbT77JVm1OqRx4o9EL5UvMSVYoRaCp50XpgRBlZHKIjWSKik0n9vGmx//04M4ZslDY0nCBk9x3PjwBF5+8tHHv/8aSG88B8GpAX2nbSdH2VhC6wz9LvVAEOJjmgXV0qKxFCyMrCNe1GQPJVuCoVVjq9cRQ9PlVnZudgUM9aFywUQBrDDskPufTMmSFWc4Usah8St9Z4aVHLkz8vHexW3EQ8aHDZ+K3ZTKxFrUa7P1GV8o0bB43PCKywC7fR7PpgUMSQ4l7PnRlOisJZdNmUwljFS+v9wJ+QuuapNfHr7ZoOlEf5ALgnN8kldk3PsnaWnNuu04/8L5dmxg03igYRucHg9n1n9IFmOim4jx47Z8VwDLbg83OHLyHyac8OKPF0VTwR555LhpQ1liBfQoUKqeJgmoRi1z09v4coe0kloV+RNJI0Wt7DjxseYk3M7EkCQ9CZGqqqjbPyqIIohRp6XWVJlKalFnM4q1pBnjvQxvxEvX47C0EeQD02SbZC/4KtX1aHL7Y1Mysf3NaAtlcDJ24TaWSOqCQ5lSSXhsHX9cqMQn30/OWmsS7C+0LUWWnSrRQ3dKM429LE11pvS1H63v9368OAkYIl26C86ybk1XG0f9xYYz7nSBhyzr66E5f46NsMbWcy2ez6QlOcTnA+W1zgW5H2K484ELVfHWkUaKPAgtj1ABaELH4wRdqGR8aB8mU635Y0ft2gRtm2NekZInKZK3ht8pp48X9S0fq94ZnXljJVZmTYgnf3UwPc7NWNGYFBFTx/JnqU1dC5xzyZ9yWxsaM03NBRAeczzBn6T9KqWzugrTt+W0674ZpbQP33vNKY2VqLNe1TqYAz8pL3BSkZTLYeZZ+puJTBQQywvfSRhW56s4QDZV3VAn2DVrzSCreCUD4xWQ/IlDFGPw9w6Z+tIdgrNPyYCpJZSfJwfDizS6aUDUNhzh21KNoymp5WNHeU2qxEZfHjryLN2mUWqDY/7GoDG+VRv6eoof+QP3ZS85c8weJM+F6dnt2ZA4WjFKysAOXJ1U6fZtNsTH+qwMQ3L8VaglkkVsIvxcap8JdEn54XInMDQcLd35/hQhbgbipmu6xLSSFmabkDo1nl3XnZHIzR0+/shd3dtTpIdzI7HtvVQZBWXImUrCjJLRiRJ1ytozhUvkUt8JlV6tDDrysWYvDsIEgWQsbe3zYnDGHOb2REYZ4/8DZw6hd8slAAA=",
            text: ##"""
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

/** Rights by type, those on all other types last. */
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

"""##),
        BrowserFile(
            at: "/console/answer.js", .script, tag: "\"b23c107e22fedcbf73e84eb28e1fb329\"",
            packed: "H4sIAAAAAAACA1xS15KcQAx836+Q44ai2Kvyk3POOX3ALAiY8wQsaTY4/Ptp4AK1GVCrpe7p9Rp+dAgm8A4JYgMGfiekQwG7DgnBCliGEMHZLYKYjcN70Op1gBgqLKClmHouwLQtYWsE+b6y1dpuqw56ij2SWGQwYzdwF3dczqzvIwn8BVt/bgrw6DdIDP+hoehhXpbrU46hPOX5/SvsN6xThVQAOvQY5AfuhS+ah5spAY3oI45NEonhkqKAxjo3/n7CXQG6cHhhjYttAb0zVqGEuXpFva6jP2I1RCa0OMFg02AlfIzjXwVwML3aIJ+bCZ6RtkjHcGX4FnWrjQkBSf+Tc5g1V6YXm3VUscYC0Pdy+C5G9LpDU9vQjhcKtfUHG3Ss5U8pG1WAT4J1MZzgpyi2wiw1kXFZqzekYLEe9ZdQf7fGpam0fIRHi2aqn6T9jCI6nKfwvNaIn1UxsICPLCqL4SHcOTm5D5rC2FxGyQaQDqGOVconNJutVyt4Gi5CKp0R2BmexvCip4nkxxTnvI5RLmG1nuF+WLRyhhk+awtoWjDUDC+3OUiGWlQdM4BhW11srqsGrLIYXRxylDW+Xisp1BqIgHV+zAclq5+KPn+RZYa4Wyxz4UZ2KejjgLuL4OaKlgYTKFUSaZHILYe5AJz6EQIAOSiL+euXP+bFhbcDdFmqzLBY/AVRAfB/CQ8fje36ks5y6VGMTn33/fOnsjfEuMjI5fD8/hQ4LliavneHs8asa8l13Ii++yuwEWCZw7rBUevxOOecbZWqRJGYK9blFVUktbPyFF/32eEP90vcBwdsQSPNltMuBXQ3Go3u02GcnX3Spu5J1uyMrcRV9aSiOvRD158LHn3bOgu1beSdcuOiAS81Plk2fl2Tdl82ra9VXvj3BGNyP7waDKl88R35nqCO63Uz7Mux2oZ3d3gcftlqiwi2Wfb/EEMqaFUNuE9TD050kBgaD/3uzMqy9YkQkm7sxrJ9jjJsJrT9YVfJWfVz9Epw4ml2VXuon2fhfsrB0AOCPsdzolCuBPO/jDOlityqYeAbj3sPlHqG/zot5YxYe5aTuzNt1XaDh5LTV6YZiKoDvNntIi4+CLQE/+SC+a55YT7+OGKiW3/4SJRU+vW7rvfmw0fwTYKv6ydLg+QFv84mSaCjIR4gqxZr4ECEpHt5PiB5ak1JlAxbejR1LdtWdMXq8sXK3N4KRC2tuTvLhZFpYZb4WH2izD3RVmQUQyuA717kisKCDeXeJUkUXj3bE4xF63dvxq2ctYTfNxUVtN9XjQU1lkVRgFiUK976o0TCKg/cWQ4zOxwd5dykUnNjg2/ZbGUWSR5z9k+wVSw/AkmB8J+YD/4o1kRRMXhaT5Df+LLakjJHEpDUwnuPnXirCPskppABuSJYcgCdaEaFzLrq2sO73bBm9QOyI57QVFvxnZ1mkvTZ8Kw/DcHhKD0PknNDV40S+ZCSuuX/9+JzavzTE+3Kd36I+eKPfnRL29R2lSkBbwaKixe/eEEuuMCRAK76woUU2lfM5Gwz+neDwiBZYi6jmdSBcJXrzmN4zZtbcsan5g5eyqkm8gCkydIN2AI7QhCdKaN9irKuHb54zOylj0aoFia5hfy2GR0wj+pPYGHmSCMqvhC8GxbPjThyXINHwq/D0avTxV++SqRs/JsDbMPnKaRUHH2PDM1TmaJTMyS8u65GjqLjFKFc+aO8S6gMbDFUfde2vreZubsLFaq6WHw8Z+vmU1H5kZXNwljlyVFvN1KqfLYworKsetmWeBWnlU1b9k1505Yb31pZpweDyQ+j/OZlrGifyY36Yfzhtmlr4kJQBJrnvDt9LTxBYnC9uqoaQzVVl+c8OVZO1SLWoRz3tZRCJMQhWSxg3dooIp8Divyy2bTOsjw4SQpa6yBIGEXQtM7hA1FdRmxEqxT2brj/RHwWKWkppaVJLrAtgVR1lLYcf03L4bRoLXyeUO77rL0RCrEHA8HCNOMgmNTsDcwzmM0RK769DwhF16LhkN3gvQQlnECJjhj1GMgWxmEnaX1QXzYjPIbMm64+LtANzIyvM+g7IY8pEqZmDtw5Y5ZOQfOmCa3ybXuhX+IvY524inYvBDykZfCZ95AHmxqJ0N43bw69t0a0PqBfy0lyG0nAA2bhSYp4YWSDpLWF1r0iiFZMVExfMlEVl061hY8k4UTTiGNr40YL0UHZqIVDBgYTPmEMdqD8Gb05ORSvYvNwWdqYzPL1xJC9Ul07A+/AG0II4JN7/M8p45bHAX3WGqGfZEhTl2MpTyqCQ8t3Njpg5SNtYns0WM3jcEAclk1cL1cPHc6zyfWP3aGvPAGHHV3qRAKz2JcttCMAxsE/8CRtzSZzS0YFXtHsty2Cg8zwDH6xbaBX3fd+2Nrre21Xla09yav9m76sPURCj7tiXgBJnC3wCuzMhrEXdGvuj25JVfSUXGUll8H28srVVqssj8GrcuKswCVKMwbYQzFUNmWNOLEPZR+yAYltklhEw273Rh1nLd1tKTiEF0dB3I1+ISiaHjJJASXqxCWpC6m2/Zlva0CU5bDC/THc3SV0wFJbGLuih8ednYQbJfwGX2MvIjiYcAmFskY2bSeFk9Fzvi4vM4odkFGtZUxFg6fGU8PMe19iGiszlNA6JLYx21IQr+vh/8gxsFwzip6iLrWaBSf66BLMpAomYxpH919pUGJ4p7Oz7l5IQ4KQEGzGrep0NA/woY2XCkvi7K9YLiMb53HA7iOmeMMclwS+XHBybFoImenZJg+XUxWpZn8dNUF4srR5vlBBMrGxHPugbXZa+yInZpgJEb2/+Pw/wsWsA5lst6G14yI1zdISN151HlRQfNLWX5yHIo/3S4rqFXFyCTVw9sMqKaV5Em11G89T6NSJSXNvnFDcFRCIIISYTEUYsBe41dPabwlQvUH2uBWSlc3uCjjWp96pbM1CUUHQxT2x0TUKmnEBHWjLxfnz0KFTR9+X5+Ua5CCLpXkJAShbOcsDyNa0i7dhin0tYPMyy1X1aLCh+aePXfaznsJQ1FQq14QG4QOn4l93PBvGpE+8RO625WYQgRJDZoqWmWJbM89rXXAH4jJ8IPGOItRJaGPn+hZksUrDJ0VNaSTiERs/cEQJWWaDtOx7KVv9fria4npfiZK/K3e+1WFg0hGmIdTs9ocRpnlavf8GzxIepfLbrq19j7fiIkwstv+GmS77ji8tzeUyw3i1Wfg9r3l6kz20v+FN7NlBrRRWchBulhsIYMdV+3DX8zKlDMdvpcFYmPUHHz4KxbQ2U+RLhMKYp8IRgjQuEXF0S51EF/IBA9VKT1kRRPiKKjwsQniQmbQ6cRTv5sbEBpnAc4rl3xWc/SWUw9uz5LBzfobSQQM6ViFJ8J3LqE4s7ebpvlPVQV+Dyi2DEQI5YWgJ09KuDEZaCdFo7Emdn3SYbJ9pQUoGe5a+eJCD91tFffSuf+DTCvWFinx1l52641cvoPD8LLOaoZRMbR6xCdZN01n6N6NYboQGVMRynJMzG3WyJBWaGHk3kuJaeCXSpKxnJZCG2OD9Ls07UCyZQzQ1dCAbZrjpJV9kFHTG8MigncAW83I8VaeRwoZT4ZbRI134rckDmf9FZr5qXkaEMWSovVjeO7QyqQGBW9hfFYPc3LlSHilYfrN8uTI3ppR/ZUkqo/vgK+kzh7cD/2QHxdfYHNZm7MJz5aj642ZfY4wGz1mYcmBxgdL/mu0xNesG/0POUtjexF5bx2GcwfAObMLncYsOUrRPee9sHjxwg/CcUDk+QY4SXzrbazxIAylEDWOKhV17BoMV1UdYXILEfVcdBl+f8IeIAZE5rkbduh3wY7xSPWy6z64DPHpRHL711VshkrXw6esFarwCd0NhuBBSFmRzD/+o+yJYOAvyYdZvpniHdK7XhGmk2xwjzJ5DMlHEXoDERU6Q2Xj4nNAUQAMYGvOVuhnQG4ve74k9luUofr05rlR5iae3qruWB/QKGHDs/rhHzNWuDHk9XaCs3LyAtLnoUmBf6r6cN2/SClgy3zEv0Al98fm/rVng3/+1keqyv2+by+KIV38yzHpAbQK7z6gcbYEyidZ2Ny/FeDIT0gX8rsVLdeYK99Rk9p76GJVKx7JLTLrBuhJrwemKCmO63u+WkUum8avz2vL7bavvymPUjYEXtEoieGGW+JDMs19hFrirpRbSZzUTQ3P+LXVqEKZp9RLx0zETXzyOmiyRIqkrGHs3xJHeznOoEF4s4wLQDKLj0uIvAprnxHWSSSzCIWqKz4iGM1YrHiJ37iUtl/0R/eTSfj9BOBUNNwi7Pyx3lXjAagVdpgCm/wP4nJsqTyEAAA==",
            text: ##"""
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
      if (was?.text === now) {
        was.node.querySelector('[data-test=was]')?.remove();
        return [name, was];
      }
      return [name, { text: now, node: element('div', null, element('span', { class: 'name' }, plain(name)), ': ', tree(now, name === opened ? 3 : 1),
        before.size > 0 && element('div', { class: 'warn', test: 'was' }, 'was ', was ? tree(was.text, 1) : 'absent')) }];
    }));
    arrange(this.node, [...this.#lines.values()].map(({ node }) => node));
  }
}

/** The queries that this browser keeps. */
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

/** The properties of the first 200 rows, the most frequent first. */
export function propertiesOf(source) {
  const seen = new Map();
  for (const id of source.ids.slice(0, 200)) {
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

"""##),
        BrowserFile(
            at: "/console/builder.js", .script, tag: "\"603a3201b240dd578921072e71d456c0\"",
            packed: "H4sIAAAAAAACA41aeXbjuNH/36coz+s3JHto2jPfl02KRtn3fU/czhMkQhbHFMAQYLsVtXKNHCgXC6pQECBa6s4sLRJLrb8qFIp9ewvfhXXTWtlDo8A+a1jrfmtAr0ErCVa+sxMQ0Db4osHuOgmNLUGoGlabpqOVXa872dtdCfgrrO5p/q1oB1ldNdtO9xb2IFu5lcqWyLCFA6x7vYWsuq31tvrKZNO4spdb0T8lS8xGP4/W4NT3UQLmquoSOtEb+SNSpwSreRqFrvnnN8JuShhUY3+9XhtpEx7eDCMuK73tWmkb9Vgen7VyRLfCrjY0HHQ2P9J9GWzRSHN83v26401kEZPqNTw+SmM906uVW2ThWfe1gRko+Qy/FF1+f5/ZfpBZCVljgB4fSrjP/jVzQ+5Pp7V1gis/2phfDW3Li5V7BPTG0khls4eHYspMOjEY6Zh8/e5uCg4FzuVijSiwGwmtcCue5O7q6vb16yt4DX/YSEYJulvAPwbZ7ypYrDZCPcocUVIsAKXTbQ3PG2ERLKLr2t0EtIIfKvIISuJmm1aeYeYmZC9pCOkh25VQsJTeq7VjtxZDa3Nn1aVDkmM4qFr2CE1DPGmvkf1bR7mX6wE3OTK3V/IdeXM9qBU6ApZD07qd+Z44eWSU4JWBQwH7KwDnaFKgkTXMaN2UR7e6lq0b24NQTr21aI0k6FkzgfsHOISFT42qTXixzVb24aUxv0P5iDTtJx8sd4kGV26pd9W26XvdwyzET57VzdusRHA62zmemV+BPhd9I242TV1LlbkJAovTaBqIkYNSUt0JoaWo3XtTu0fv7hsyuRvrdSvdqLHCDsa9W2nsaNUpI9FLkTJCC+JYVpJ5wVF8diw/L4/MV86uRx1asZRtFjhE3WppVn2zlPVy52ZRm6qpSyLYtWIlNxo9i5IOqw0IAzWmsRmbmdJS1ze6b+wOvoQvxpqc6rBuJFkrJoEcVSgh97hZuTdbwOzLNDXkHk3pioQk5cwP+ZIWRIM/9nroLlkF9aP1UQ3/SlpcATmhEnX9w7eO1y8aY6VysM8a1Q3o1Jxkz49hlBclYKalvIkvFMG/11rlBSlxiaAL31o/KyQpcQbpspubNY9VGOPXzhMZZYMM3r8HP2E2zdr+XO4KcMYaeoWMgOe6nn5/IH3sF36O5KKXoKlLVC5Z9k/mmEB8jhUeFqCVP7OM2GGy2FWYFyCmhGgDYUtcAE7QzKeC4Lu9z99wgBkZYprMSVXjqHVQmxGxtaNVwxzuYOIEs5tqK9452vAZQh5/+Xg0bbNCpkVlpOhXm/w2n397VhX5G/P+VXFrvN2BzszcB3p5svUOyRVE8/qE96efRpQNhDHGCJnyRliEVS2swMcJ/N72BHBbwKEcCVeifgV6LIOs8OEGZzmm+3CPY/Fm+OLubpmxHhSy6J/va2WlcgZDa0+PWBmbsPCY6+VWv5XftdYF/2Bl7uOhUY5fUwfakkIclxtpL60tOS169FylIGBYBae3ziF/cGlbDzan9F1EMYmLV9ax2eYFSc0HBhrqmlY0xqmp5MrK+hTd8WgZU2ImfLTyugvCUmx+XGB6dqyMtGE6jyGKC/odP1/Ur0iLq2SaWaRRyQMHWGGNBDnhrUgZjI+/SCPGIe2qtK/S5i6QSlj8SsdDeScdll/t/bKtNEY8ykO1iOzp91D6Uica0B20lN/gxv2TWjRNfSxsahc+jEUtzzkN5qHezC/YqYDJB0sG+odrC2LDY+QOfC+g7kUQkCYD5Ck3UOYvL53s28HKOh4TSt+Ek6KEjGhitaW0JSuA3TSGK74pNG7QurxJabXKKCMl/mUDpVJwAZ8z5bVuW/2MBZ6K6dkxEMwiocleonz+fQoBn9GJLqXwSOG5sRt8205hsdarwSxAiW3YoJXtdeuehYWN8IO4ip7UOP/LurG5j7nSLwsY8IPzim2euB5m8RKSk+doSQpiHoixmqQQ4pImu3GOGLvbG6Gi4vv3zs8rq/t8cc8pfPbJqz2RPHzysCjmFT3nLxNHSpZVTD3XuvO29dqUeAKWQM8VgbVqpXp0Rv8S7jDZi7rG0/8zOFYp4eE0vaQUusFs8j00xsVyiAQfFdd+mXuOobFshXrKCxchAfFsIVi82p8R7AY+P1R3bsxuFoyoIprAhzDRhBnL+EIW3DtxmuPFzv3OZqc1IeMK91M1hgev+39l0VC9RJoxBt3xY7WiQIwnLW2oqgqXOyZqQmHarJ4mSAYOGJJEuphGocnUY6Z1TexYpHQqsT8TYLThpgAnwjxeEQPiyVBp1hB1zBkL93Lzak9M+ID/ojgskgKMronkDn9LJDCUPkzpfvaVbpShiB2FH6OONwib1l1+G50VNI8AgTlkus8ARVR1lhRizJ/XMji2ostzfCyhUbV8F40Tt1GVOENYCXt4tad1h8UIdPc0HOAf7O7lK3EvkTlUOLIIXiAzs0MSFWZwfXyZwuHF9mOZBYlDcGZ8G8CNXoTDJFxirXZHY2oushNMyGzkNKZO9vJmgnkErumEOjk/iNbHriULGga2Hpa6yCrqoeSjQHezL0hbrBDzjPMOTaSWWOB0gXyp/usDRIgBIaWACeXFlzMP5DzCZ+pC0rWMuQvRnZXseDca/MYjbMY0e3FSKny2oVxDzNIkE1TFkE21TeM1U9pmqbbu/TxqyEmUphA28Y1xk+5nx0bPERN2VNdLY2Qdq/1IqoBDmm/Y3ij+2LCnOvzn31k5ihou1s+pktrSdJREmO7nReKDl1p4ki8R58fhxEs+Sh/IM1g5MloPC05lgRqVQJTd0/PxAppgP0oylGPGPAlqH08pkY7dxGZAvJjzTXNCjEiPctTeCK1Ft9g0/5TJHfPrZdzFx2IxNlvczsGZHk8RTwTtk9bCDQ5ldGol9TyJPbkIXNaSBEprZpdDY1M2fzFdTJM0Feow5pIwh4QwzCJHb+ekNNVd6YhohznjiMfpA/5bpG7hVQj+M0eFXq9lT+dR2vnNqds3rx6lzY8yFOOqJefNVaNW7VBL49fqroD5kbCre3iU6gQefiiOEvsDTYntqNzQ1GdO8YNrSjBULMrav1PJyQwwf1C/meQmihgx9BBK8tQyukvh6ukSvxG+gmWy8jyydDfCle5SVKXuHoGKF0SR6CrAvlC18zLft0jNrG2MzWBOtxrlCHBI0RLnrfu7B9Q3jlG+yCI4aIa0DoSTucFybicUB1eWJFJ0/aE8VbyAAx+KYziyRiRrAN+JvFQZ5GjU4rLY/BVBKGsSuwScpWs4Zngt9eaUtvhVI8PYfJmWWCMGF9t0lJqYcWr8TJSwpOqDdo5yltPo/+/KmMC+VgbKIX2N8xfT+XDyoiUjlNHY/5y+LvqXyIRr/eUUla6DWVBqmlZE3Dh1W/b4DAfeifdDfJ/Ffmlx7K/EjBUTy+XKDfX/aOGGi07qtlPDUZvgfPXGqiQtcn9cCbNTK98oJ53C9zJund+9+DqWi2fR2OT7GTXSCzQwOKOn0ENwJgxp7CMcq16SwPnt36vX5Rvz+pZut8nwJ36kBFrujGd/itb49drFW1agUaLb4rE2B5abhAjN/+QAoFwdheJvTngtBWz9FMWHattp2g75c/jEhTywpUEtFPMk69hZCZ9yjXvqjYVWa5wXli9cZKP02iX62D8k0OEpdtqGoKHke2RxOnzebbHNQbd09Ni1b19g5Sga5+9arwbEbCWcMG/lDz2CiyL24c51L2JQcnzFr6qsR5oWZxBzdppJw4RhBmlbJ37uGzdyTgS7CrHHXJXTc3L5u473TMg9/sLduEdyAZ0Il/eiBBSCof9PH6aKkprpJZBdORKNtAy2fWwf0kjaoA4Ops+OhKvG+CRHHTZ10mbl7l/F9C52meHM91KAC5Y92yaDsesh5MrTL7+jgowmHW2enlcSrWRcC8xBNM+pChVb6czP+TW+o03YNXSkjmlQhZA2Yq95gQN0bGMXY1XGTe7rsO0sqffvz/STr6O3eCg4LaVBqs+5Sz7qJZ771MIsq1pa0bRp1cCt5KjI8Ty+K1PxGk6KAUmYGeNfpwjDJaTt+4JfmW2SdIWF5c5KeFN/NgGfgEeOxzjhE5XECH1NLqBabSRPn0GmW0UF7OHqv+Yu7djpIgAA",
            text: ##"""
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

  /** Marks the text from a place on, and says why. */
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

  /** The parts of a group, with what joins them. */
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

"""##),
        BrowserFile(
            at: "/console/cluster.js", .script, tag: "\"ca2ddd8c17132f2c2999e920f4b9b1b7\"",
            packed: "H4sIAAAAAAACA41Y53LkOA7+76fARUpXsuy5n3Z5e3POedfluqYlqFszEqkh2dvT5ZrwNPdg9yQHEKKa9qZxpEAA/BAIQH12Bu8MOx/QXcB+a2FA3foKtGnlUW98fdKPk3UB7qCxpuvd+FYTKsABRzS0mAbdmwocdv0wwHPonB1B1WetHevHXl0exXUIOE4k0thxpCMqsK5F9/YuBEsaPJo2k497/oGKyQ4Dtl/qDWacQnx42K2P8G61Mejo/yGg56Nb5L873mt3Toeez2Zch2+CDrTZ6SYQ55Zc0ZtNBeMuIGE1NvQNvuVQE9TG0Zn0f9TLv2/17UDSoR/p79663Ba/tXvBd0I+9AGe9Kb1cAUG9/CZnorra8WuR6cqUBtrW3VTwbVqyEt9S6iYvNfOCNkHO03YMvFWz6yEq9kyhPsa9F4f7vF1u2FYCDfl5QzIs+1fdASpMHrEEq7eiEbEp0rw1hsM8+5qBcpYg2pR0PWbnUOWr+ua7TWsI6VJoQLB5RQatPcXoIRdwfMKhJlc0+1Mw+EAZ/dfdAWpZwnxi8SDk2ToWKjtN+gDUclDX/yCroS7EwCBQllLOEi8ptU3SET29RV5m2yH1ZwaRQkXv8V0Dsk22k8ZUjw6Pz+Hfz3gJ9DpzFvckovgiqIZtvWonxXnArn2+BROWZBXUcJh2DmTucZF1wQyiDzjcBr6RnOMKPL6tG+V4OxbMjyT2kYp39gJWczu2ZtyHQvhL6skyIax63j9z39KwhYKwrb3EMNYVgQMHoSL/VWl1Ig6Ke2RtP4lrsm6A2u7VqAk5QtyXADeWJKuvJlVS8SLePWK5I4qOe4NOD8CW8Pf74RPdsvnM9uacCZFFIZ7mkWn0RPlU/iGnL6Sa/6QTmGXK81gxfRcQ2fdqMMfuIOZJPvohGuuJ8WRVHuKHXLsH/2bFOfMf6EQyJINFW+BJn9t0aXrTd7K0P1xYKTUzJ5E81Yg1t9kWyDu3PBH6uSiMThZca4waEkhpudRX25eyrWScvv5yQk+iwV4ucuUnabIb6fUUbjKCmqRXSQuvrS5APSTNiruDxgSRrnKRyHrhFoEG6vOtfryi2++JcvWZ788OvtPIy3ujP5Mpy1Vm7/fBUvRW6+Cvfr7HRp20Xdff/SOpe5h+FjS83xNoVDq+fomA+efYJudU9Ct7cNA92/9rkVPaSsAV+wwrpEU3Bmzeh49BokClnyXcAD943U6c7Wm6OKzQA8/uD6Q5knvPAIlJ2gYLbvmEhw+3aEPnnTqACNiiNqFda/7UJMHdMNaPtRGTqQakTlbYpi7Lm/JhfoUNeWH0JiBC47Srteng77FQZHdi+ajDVUqZaz+lPcYBxEk4lWaIy7En6KYkJsLKCKGSW+w1hsuZGXEewLHhGqd3pPfH3taP6f6YduDpBdQOFKCPIeryBFtTdbeAZpNb1C6iJTnhTNjTNdUNuq5IPu6owpU0BlciCPOubAeY16ultKwek1hhpJLCg6Zpgq+DNnFvB+cbyibgbP5f6/+Sw4ujuEryqyfLEn/x0H44xCU92Cxz6kJHHHJkFXEgl9x9zw9TjOfW2aXyZKGTElnzk6g4twPXFTAdjFzPTpKFk9Goa/hbRzsHnpipvSWViUM8MTYvYc+RN+puaSBuJI7VHTsMiX9BsDjALX+NtOrJwoWehl/BSjXZ5oCiXSA0Tq8oByXc1BzBvIl7wMhFl4IOAwE+KCe1+sFmKRdHRtpLKnZtPYb6IRdwCEMdgM9l5ZcC1+y9NybBuc2LGs1t4acobxZBAbtw3vOWSdClCJpanjIwELq6GCZjHlW/TRFV8LMjVA0yLOMHgqUNJ9Epf7z6/4Wh9Jv0Y3ELP063ptAFNqbDwbi+VBq0bUwpdGKzolLHcSaCkYqOO3ig3mzvLmJB70/WOvun9QxSWBkuaCqZBJHOzMoTUNLspHqHOandiOymUNpepZ2sDOcukY9VJaHthSkHwUPPP+pJW7xDSamz8602BGpjTZHepEzlYvM050NOg1Xa7Ad5VHOLwzU63Ij+HDw+uCPZyOng1/VAz2HbVKYjMxY6seWSOoSVCk+lddL9mf0diOPJC2pkRNF4L3JNjTaZtvIlOgWte9bXPIxvaJRKZTCQTv3q27Cu5rf2Irjm1qhEhOdlRSkQtQsoK/nLWb62srb1VuxTLS8/FRvovg8XvL6fR4g4+pdLui84tx1LSmP0m3r0Pu4bIK6eQh51FPBMxWX4fxNiLl+472HvuAie38tqOCmekbZHPOtVlLAn58snZ/rO1xl79PHUSYLGd1Yes5nKCKmBsKNWCIhbaqxU48+NRCqEj41KLW88hdzf1ouzRM8kMgdvMt/eKjgA3NB0p1ULv0mfZJQJCjaH0wzc93NydF3UPxFc6PJPrcopNmx0+Qt7HLmFkaPGcS0lbdCoVEDf87f+dscc/EA/H9M3JumUhEAAA==",
            text: ##"""
// Cluster: who leads, and who lags.
import { confirmAct, element, plain, refill } from './dom.js';
import { attempt, command, orderButton, send } from './orders.js';
import { polledPage } from './polled.js';
import { absent, banner, bytes, code, count, duration, emptyState, facts, heading, muted, noticeArea, scroll, small, smallTable, time, word } from './show.js';

const kinds = new Map([['leader', 'good'], ['candidate', 'warn'], ['stopped', 'bad'], ['reachable', 'good'], ['away', 'bad'], ['full', 'bad']]);
const stateOf = (name) => word(name, kinds.get(name) ?? 'none');
const figure = (...shown) => element('td', { class: 'figure' }, shown);

function rowOf(one, { leader, head, self }, digest, handOver) {
  const lag = one.lagSeconds === null ? absent() : one.lagSeconds === 0 ? 'none' : duration(1000 * one.lagSeconds);
  const behind = Math.max(0, head.seq - one.seq);
  return element('tr', { test: 'replica', 'data-id': one.id }, element('th', { scope: 'row' }, plain(one.id), one.id === self.id && small(' this one')),
    element('td', null, stateOf(one.role), !one.ready && [' ', word('not ready', 'bad')]),
    figure(count(one.seq), behind > 0 && small(` ${count(behind)} behind`)), figure(lag),
    figure(one.snapshotSeq ? count(one.snapshotSeq) : muted('none')), figure(one.format),
    element('td', null, one.digest ? [code(one.digest.slice(0, 12)), one.digest !== digest && word(' another', 'warn')] : muted('none')),
    element('td', null, time(one.seenAt)), element('td', null, code(one.url)),
    element('td', null, leader && leader.id !== one.id && one.ready && handOver(one.id)));
}

export function open() {
  const notice = noticeArea();
  const acts = element('span');
  let leader = null;
  const order = (to) => ['POST', `/v1/_cluster/step-down${to ? `?to=${encodeURIComponent(to)}` : ''}`];
  const asked = (to) => ({ title: `Does ${leader?.id ?? 'the leader'} hand the lead over${to ? ` to ${to}` : ''}?`, text: 'Writes pause for a moment; requests that meet the pause wait.', act: 'Hand over' });
  const handOver = (to) => orderButton('Lead', order(to), { 'aria-label': `Hand over to ${to}`, test: 'hand-over', at: notice, confirm: asked(to), then: () => page.again() });

  function draw({ json }, body) {
    ({ leader } = json);
    const { engine, self, head } = json;
    const digest = json.replicas.find(({ id }) => id === leader?.id)?.digest ?? json.replicas.find(({ id }) => id === self.id)?.digest;
    refill(acts, leader && orderButton('Step down…', () => order(), { test: 'step-down', at: notice, confirm: asked(), then: () => page.again() }));
    refill(body, !leader && banner('bad', 'no-leader', 'Nobody leads: writes wait until one of the servers does. Below is what this server knows itself.'),
      self.role === 'stopped' && banner('bad', 'stopped', `This server applies and writes nothing any more: ${self.reason ?? 'it does not tell why'}.`),
      engine.state !== 'reachable' && banner('bad', 'engine', `The log is ${engine.state}`, engine.since && [' since ', time(engine.since)], engine.lastError && [': ', plain(engine.lastError)], '.'),
      facts([['Leader', leader ? [plain(leader.id), ' ', code(leader.url)] : muted('none')], ['Term', count(json.term)],
        ['Head', [count(head.seq), head.at && [', moved ', time(head.at)]]], ['Floor', count(json.floor)], ['This server', [plain(self.id), ' ', stateOf(self.role)]],
        ['Log', [plain(engine.kind ?? 'unknown'), ' ', stateOf(engine.state)]], ['Its data', engine.bytes !== undefined && [bytes(engine.bytes), engine.quota > 0 && ` of ${bytes(engine.quota)}`]],
        ['It says', engine.errors?.length > 0 && plain(engine.errors.join('; '))], ['Cluster', json.cluster && code(json.cluster)], ['Epoch', code(json.epoch)]], 'wide'),
      heading('Servers'), json.replicas.length ? scroll(smallTable('replicas', 'Servers of the cluster', ['Server', 'Role', 'Applied', 'Lag', 'Snapshot', 'Format', 'Digest', 'Heard of', 'Address', 'Act'], json.replicas.map((one) => rowOf(one, json, digest, handOver)))) : emptyState('No server is known.'));
  }

  const page = polledPage({ title: 'Cluster', url: '/v1/_cluster', notice, draw,
    acts, copies: () => [['step down', command(order())]],
    keys: { D: { label: 'step down', act: () => leader && attempt(notice, async () => {
      if (!await confirmAct(asked())) return;
      await send(order());
      page.again();
    }) } } });
  return page;
}

"""##),
        BrowserFile(
            at: "/console/conditions.js", .script, tag: "\"0eb48cf849cb4a84b0f2591a3b5ee9ec\"",
            packed: "H4sIAAAAAAACA1yT1XojMQyF7/sUuitN6WqZmZlRYysz3hqystxs6d1XDjT5JhydX5ojjby3B/dStE5civkqjDx2GaRHgTwm40bO4FQCJrQNSOFIFiR1JD0xYLQwcdJrCjkGoyT9LRQNZYW8hZHjLLtrLowTC5xCoNASv6d/kuEcRpwCrO/u7jHZYoh3/+T1a0uYPAWK0mgV7xsYe3RRvzi1KtxDVkNMVVuW2rMpDKp4l+U1drQC1dCAMikEjFoxsSW+W0SSXitTDU3645dJVvKnTB5USG0mPqIGpl+saSimX8maxQdZaCS/TZMGjE/mUL9SqR3bZHIDFMZy/E5QtGrnjkgd9YTWxa4Blz/Ew5gmGgtFqDrXsatPZ5RO43rbcDq1wvWbKSDrBTIe60fAOlFxQdmJtrNqs0+TgUlLgs4/xtyrj7TKVm8DmAnrdF6NmukO3Uu+hKjNCBdZHUcVhzN8rk2+x9bTCif1/4xbqwsmUNjDDVjfOzrY+2Uutlf1mZzHGLMC376trzewrvN0HpyAy4v9xQ5dXP/RwLf1g1CZUWI4gOBiEZrH95fC/lzJc6lfpvSp8Cx6+SJ6eRpdwHYJWzxe//FD29BT96meMQQVyGA1jccZdvSxaLLVeMmkfUSawAscb2g/HQrVej15C+0xOMmgsbnnEVOeuag/gGIqXT+TcmmzYdcS5wpMV5OmJWJqkz2eUyTiaQY40TX736p1LbuNI+17PwUcagiOZU36/w06q9HknO07lWoOLOIcccxDqgjKZ7QaVc3V3m/OT7Nv4ifZ/hpoApTkVLUTbBIE0Ln7Q0PgTz35+V/+w5Of/03zbiiaSQr5tO7IoU11YnryFWt476phx8XsdlPXmG0q+Ap0kkMpr76qbr2p2C1UWzp7pt4iP7atZKANufobsOKh9LfG6tXXbtgf2YkuNvUSCxC7HTKR3vk9R+lm+1ztSBBWNRODw3iPpIRCrGta1jWYN32bHvJxZevLbnUWF23gZHHPdCF/46X8eLwYEsBDx+NxsPNifEUm1nPSiGtqH5RuwVvMT9BoasvfbtLDmMm98orCc+8206nyewn1fk/iQql+p3m9QUr2pPxzzrzIlwEv53d2fnSv5IlJvaFmKitdpiYqM63N8JmX7c/zKPbSkD2qp6pNPrPm5O1YeVfNY8vxDbtBcHDl05zmIXIxmDLLwQWPRB7xymzyU7Y/91nKBSrqnjqx66kZAyLHE1KaF5RsmSY/Ec2FCP1e01TWkIl+aMpaIzZy9dNPKvuqUbW5sgXzxlkL6U2RRfEMzlgJ+zOiPWfzzxJ2MUBb9Tr2PGI08oQ3sIQH4ghPdRPNovj7SJGDwlcR9EosMtRNGOSwDpRk3mnH8F8rWzxTDfvx+dmNvSRDSA2T6x2XhVEMzTmXFY3RnNapJ7/7g6IN/CjFLdKtpIQ+237VFNY9Py+4qunY0TKz6ZormrIEb64zIUmubI2/TXFVdtkiGkiQi842SI/k2ZVxbuI9BtxZ19GbsHNvbdqOVLT3amauOAQlzON+VUnL6w2Kdz9mmMSKoNAkqdSaicGGSAvwplztA4jS/RDrjOawgpkcDYGLqJT/BSv9ZsJPWaTc8IDwwtQVKz8mB7yBPBbP8bLgJJV8mDOm0eSYGNqr81ykikuYwCIXEn3unHGK01lw+uyyaQqKxEmaUeH1PCu8jwkC6+R7rmazdD5XxZYiwgucxM4cUgaKZceFTZUuxkXWL12QNRAFAAwPVlatAWNTkOA6GikSjJCfKZoL03Ik7BSV4A3x0nUMAR+XDnGwvxGwqCmKDwlWdl+UrrM1KTozS8LuUIIW2DdRK+PeN8RZG2Jup8oLpW/2w3ngY7ykKG7Bw57YPizI8Khak8WXNg0ymlW2z5IBUcalHmiVQLVTDcPrp+G6fueuNVs1jc7pLPMxCMilaVnfpi3Nvco8tFVGo/dZnBiozr+zWLJ7s+nozGBTAkX5OEtmSHgfTAF9IUhwF/TWTVV29jgxDCkuV025RF05nV6O+Kxsp4x7xLp9nXUq+4Yj3rVtrZ+BL2FFsYFMiGsyoYrW4711WXjbCU/XK6jYH5A0U1V8WtNBPXx4gtP3LK8HHLOfqz1Py8N6OBdeQzLlQQFdzbWachiM6RHcxCU3gxMWRKpjTnu/dLaj95GEw0Td5NOUpj3I9jyW5RwkxFIWA2Wi0nkymuVBwcpz4g8orWXUHXkqWnPtVbKHIgneCuiHFIz3mwscnAOXOFVfVqwxtkvddPSA4FPsaA9td21tDayb2oWm2VS4NMyjrZ6rPBoZu/K3VrSOoo29VWHJVghQU2/VFTlQFled0CIXfX6WnSTCxyQJiAIQ0KMMj7iJQMRcIwcCBgvDEaYpG542CihH2WfswmryHOrKlZR1meA1FL0y9SWfi0T/YYKYMeqdzSsKRqoZr8qisDWpWDwR+gScu5m4SVkIThSROFxCbI/4SOCXy4mgLLiCMP4O5JSKJ91hhqsox3GADTPa+YpsXzX15YTgWVnsz/tU03VIIXD1XZB+orQnxXWLvqspExqzVSm3418poYo/ucBqcECmuhiiBd+QyBI39czaYiJ0ouuofdgE9W8osSmRzsTpsVRmiHcMAcpumMPvNTVDt8J05l5ZkGrKIgKRsjjGkGCOmRKoBIF78SO1h9wyGiQ33vSoupwXDQcWmBVriAGqcvlI9B8TLvStsv/8FTmKFZDmU7BzlFIVrUVa5emiw708mPW62o47asK93+CMjAqVuuzbjNrPH3gGky97ZTpuM/F5gb+XXYhNrv0PqERT5tfFRsxCTwe7z8jynUxERXLW0sH+/18H4ELQHqX0kJg4UKSExcRq3LZexrgMO+pB7kMDB3zcvcvl7iwE7fYgnnbqB4e8STMNWhrc/9Pz7Juv7z/IRjj0bNpq/9r3wgQZ7uuHP5AXj3H++LDu2tI6fTqEd+LaPjB4jEcI5C1YGpGaeUUsMK8w9kANrR0oYnRQWo8OF9IHYX+QFw1BgbiHRyIeFXdRS25g6tBwhUJfmMkhi6h2OuPqd91sKsCNqmqukfU3vok5zvJBZ7cnKsyItdlQIVOpaQgVstC7D97/hMQn+7y8Tbjyp4bh99nBZzWJ9hJ45XzwzBcMr65ZQOOkoBvgLCvM4gPmT/y8sp92ZU19vSori4Gt64XkMFXTtCOtJegA0GNBED6eUzzkbSQZd5GndTUwGjDLIJG15ZVptxGggjW8GnoRpAdZ60nKFrcDNQuT0AZdIB/wPPSp4EGXjNa4nmMFfCupEFifqyOsB56fh8j2h7gs4Dh2VpTwvr2u5QhAXtmX5t6dpWmvWQ2jUzVAFLWpmdPsKMOfVFJZQDHRiuNHdus0pYe+GAjfXBG+sOaxVaaqgqdtFTosXDNjpPj2O5yDqe34YAV8VWShyNKL3AGB99J9VF5uWppzYSqHWjxcyEGQrP3UsV/8SOJ6TFYW0iqkV7amgMP9a3d2DLyilVH8cONAi78fqbheOjunMGY+OkJ1aUXkRkBqhDCZE+C5LFWmo+LGty76gCdiKl8cyc0mSJQmLgKN3W9aRjKssV4b3/eyfHb/66/Ipi25VnmxPXD0/CkaeCa2WK5KpHvy9LIu7I8Tde+N4XG1xx1rCgJnAXXuMwNMPaouP8In/F2QSQir5+OT4a7ADwSjaJehrB5K+X4jck6WH+hZrOXe7RJVf4QOqnpolo+OHVS0J1deWpuOGaS/kTAYUwD2A+Wjh4Dv+THdtW1d6VKq3/gRlx2TKN3XNRPhJ+y+9W1lvovTWd1kp2jI8SQh8p0MnZjMF2mDuQZnk2OXO2Kwv4QLPCxiG4GbSNP+WlSHE8x2DZrpfRruB7sKo++ng0u50Kv5rnGi5n0FQA5dsBT+6lJcJd5jarS2exokRn++HKPDhU8XMK7B5yc//93hOinyRLdJsgAJ72oi7cIEBLW270tmu1tx7S3y4FtXpgQAQquN38uaPprqVq/HW8ENaKRryVP3+yz317E6S3TTd0nrUDTl9FQwHJCj90F+3ymughWuW5sLWRGniokeWloEI/nkl1yaayyezUgy8JUGS352sAk55mPczshuNyUUKFf6fdNWwHAvNU0mf4A73rVpndV+q1z9ZupHa1qcq7t0Rfr666Afa7mnnku27VswYYc42ZLasQKSgdpJkfPBSR+inBYhzhHKxxhBcECKBJQEHwouMl2mMvwlgedTogktmowRgDh3gjholLhKNR2y5NEchKXQXDbr0jrZTg/PSvM558kDzJiN5AcLWkBbvlgoikXubmNzbrQyEgA0/Upuk9LfdJBsVKAlMfBXAAW+HNb+ep3HZlV5VXbT/3/99Vf45wlTREba6YRkclMtV/gcEobzESnwFP0IJ+NNRbNmDBkK4GWjT11o0FdpwTFlOFf4mYHGnPCcTPAi8fqEbZb/GQ1ct+LPEazJdnVT2LTdg32f1tlhInLJ6JADObiyCxILmGQ2OPb4aWFEMH7VeI0RosUtuibpJ8dU4W03+1+FBGEx6H/5gcw7NAC3Fg1XGz5+xd+PhMWSWz2lrulMpd5Wp+jifHfyEii7/RrP99jr3aoC5oIP6WRT4K20+ZueJFO4Tn/Ir2z8cl/2+GOcxrHGFmKshKsN3HNoBPHyEan8YBaBeJzyBfk/X4zs/tCNAaGClaN75Mlt4A7XqCDIv/Jx3Jt4Vs+Ej9R37+JFlB/W8VCgkg5BnHQEkAwXR/8FaJGZjt8lAAA=",
            text: ##"""
// Conditions: flags that specifications read, turned together and with their consequences told first.
import { memberTexts } from '../reducer.js';
import { element, fill, plain, problemCard, refill } from './dom.js';
import { listPage } from './list.js';
import { command, orderButton, send, whyNot } from './orders.js';
import { observe, server, watch } from './server.js';
import { actsRow, clock, count, docs, emptyState, given, heading, isUnknown, muted, onceNotice, optional, plural, remark, say, small, time, word } from './show.js';
import { detailHash, go } from './state.js';
import { readersOf, specColumns, truth } from './specs.js';
import { LiveTable } from './table.js';

const url = '/v1/_conditions';
const spans = [['', 'until it is turned again'], ['1m', 'for 1 minute'], ['10m', 'for 10 minutes'], ['1h', 'for 1 hour'], ['8h', 'for 8 hours'], ['1d', 'for 1 day']];

// What a forecast says ----

const because = new Map([['gate', 'held by its gate'], ['fresh', 'fresh enough'], ['subscribers', 'watched by nobody'], ['settle', 'waiting for “settle”'],
  ['minInterval', 'waiting for “minInterval”'], ['loading', 'running already']]);

/** "2 specs rise; 3 operations run, 1 is held by its gate". */
export function sentence({ specs, operations }) {
  const rises = specs.filter(({ to }) => to).length;
  const runs = operations.filter(({ runs }) => runs).length;
  const held = [...because].map(([reason, words]) => [operations.filter((one) => !one.runs && one.because === reason).length, words])
    .filter(([number]) => number).map(([number, words]) => `${number} ${number === 1 ? 'is' : 'are'} ${words}`);
  const cancels = operations.filter(({ cancels }) => cancels).length;
  const moves = [rises && `${plural(rises, 'spec')} ${rises === 1 ? 'rises' : 'rise'}`, specs.length - rises && `${plural(specs.length - rises, 'spec')} ${specs.length - rises === 1 ? 'falls' : 'fall'}`].filter(Boolean).join(', ') || 'No named spec turns';
  return `${moves}; ${[runs ? `${plural(runs, 'operation')} ${runs === 1 ? 'runs' : 'run'}` : 'no operation runs', ...held,
    cancels && `${plural(cancels, 'run')} ${cancels === 1 ? 'is' : 'are'} cancelled`].filter(Boolean).join(', ')}.`;
}

const turns = ({ from, to }) => [truth(from), ' → ', truth(to)];

function forecastNodes({ specs, operations }) {
  const slots = ['automatic', 'stale', 'when', 'admit'];
  return element('ul', { class: 'spec', test: 'forecast-parts' },
    specs.map((one) => element('li', null, element('a', { href: detailHash('specs', one.name) }, plain(one.name)), ' ', turns(one))),
    operations.map((one) => element('li', null, element('a', { href: detailHash('operations', one.id) }, plain(one.id)), ' ',
      slots.filter((slot) => one[slot]).map((slot) => [small(`${slot} `), turns(one[slot]), ' ']),
      one.runs ? word('runs', 'good') : one.because && word(because.get(one.because) ?? one.because, 'warn'), one.cancels && [' ', word('its run is cancelled', 'warn')])));
}

// The page ----

const staged = new Map(); // name → { value, ttl, revision }
server.addEventListener('access', ({ detail: hasCaller }) => { if (!hasCaller) staged.clear(); });

export function open(place) {
  const expired = new Map(); // name → when its time was over, until it is turned again
  const tray = element('section', { class: 'card', 'aria-label': 'Staged', test: 'staged' });
  const outcome = element('div');
  const forecast = element('div', { 'aria-live': 'polite', test: 'forecast' });
  const choices = element('ul', { class: 'staged' });
  let asked = 0; // forecasts that were asked for
  let due = null;

  function stage(id) {
    const why = whyNot();
    fill(outcome, why && element('p', { class: 'warn' }, why));
    if (why) return;
    const row = page.row(id);
    if (!staged.delete(id)) staged.set(id, { value: !given(row, 'value'), ttl: '', revision: given(row, 'revision') });
    page.table.refresh(id);
    draw();
  }

  /** What a row says of the staged toggle, where another has come between. */
  function note(id, { value, revision }) {
    const row = page.row(id);
    if (!row.size) return 'is not declared any more';
    if (given(row, 'value') === value) return expired.has(id) ? 'has expired, and is so already' : 'is so already';
    return given(row, 'revision') === revision ? null : expired.has(id) ? 'has expired since' : 'was changed by another since';
  }

  function draw() {
    tray.hidden = !staged.size || !page.table.ids.length;
    refill(choices, [...staged].map(([id, one]) => {
      const span = element('select', { 'aria-label': `how long: ${id}`, test: 'ttl', on: { change: () => { one.ttl = span.value; } } },
        spans.map(([value, label]) => element('option', { value, selected: one.ttl === value }, label)));
      const said = note(id, one);
      return element('li', { test: 'staged-one', 'data-id': id }, plain(id), ' → ', truth(one.value), ' ', span,
        element('button', { class: 'plain', 'aria-label': `do not turn ${id}`, on: { click: () => stage(id) } }, '×'), said && element('span', { class: 'warn tag' }, said));
    }));
    apply.textContent = staged.size > 1 ? `Turn ${staged.size} at once` : 'Turn it';
    clearTimeout(due);
    due = staged.size ? setTimeout(foresee, 150) : null;
    if (!staged.size) fill(forecast);
  }

  async function foresee() {
    const mine = ++asked;
    try {
      const { json } = await send(['POST', `${url}/_forecast`, Object.fromEntries([...staged].map(([id, { value }]) => [id, value]))]);
      if (mine === asked && staged.size) refill(forecast, element('p', { test: 'forecast-sentence' }, sentence(json)), forecastNodes(json));
    } catch (problem) {
      if (mine === asked && staged.size) fill(forecast, say('What would follow is unknown.'), problemCard(problem));
    }
  }

  const change = () => ['PATCH', url, Object.fromEntries([...staged].map(([id, { value, ttl }]) => [id, ttl ? { value, ttl } : value]))];
  let sent = []; // what was staged as the change was sent: what is staged meanwhile stays
  const apply = orderButton('Turn it', () => {
    sent = [...staged].map(([id, one]) => [id, one, one.ttl]);
    return change();
  }, { class: 'primary', test: 'apply', at: outcome, then: () => {
    for (const [id, one, ttl] of sent) {
      if (staged.get(id) === one && one.ttl === ttl) staged.delete(id);
      page.table.refresh(id);
    }
    draw();
  } });
  fill(tray, heading('Staged'), choices, forecast, actsRow(apply, element('button', { test: 'unstage', on: { click: () => {
    for (const id of [...staged.keys()]) stage(id);
  } } }, 'Leave all as they are')));

  const columns = [
    { name: 'id', label: 'Condition', isFigure: false },
    { name: 'value', label: 'Is', text: (row, id) => `${row.get('value')}/${expired.get(id)}`, show: (_, row, id) => [truth(given(row, 'value')), expired.has(id) && element('small', { test: 'expired' }, ` expired at ${clock(expired.get(id))}`)] },
    { name: 'staged', label: 'Staged', isSorted: false, text: (_, id) => JSON.stringify(staged.get(id)), show: (_, row, id) => element('button', { class: 'chip', tabindex: -1, test: 'stage', 'aria-pressed': String(staged.has(id)), 'aria-label': `stage ${id}`,
      on: { click: () => stage(id) } }, staged.has(id) ? `→ ${staged.get(id).value}` : 'turn') },
    { name: 'expiresAt', label: 'Falls back', isFigure: false, show: optional((at) => (at === null ? '' : time(at))) },
    { name: 'persist', label: 'Persists', show: optional((isOn) => (isOn ? 'yes' : muted('no'))) },
    { name: 'revision', label: 'Revision' },
    { name: 'readers', label: 'Read by', isSorted: false, show: optional(readersOf) },
  ];
  const page = listPage({
    type: '_conditions', title: 'Conditions', columns, notice: [outcome, tray],
    empty: () => emptyState('No condition is declared. The configuration’s “conditions” declare them:',
      element('pre', null, '{"conditions": {"maintenance": {"initial": false, "persist": true}}}'), docs('conditions')),
    onchange({ changed = [] }) {
      for (const { id, old } of changed) {
        const before = given(memberTexts(old ?? '{}'), 'expiresAt');
        const isOver = before !== null && given(page.row(id), 'expiresAt') === null && Date.parse(before) <= Date.now() + 1000;
        if (isOver) expired.set(id, before);
        else if (old && given(memberTexts(old), 'revision') !== given(page.row(id), 'revision')) expired.delete(id);
      }
      draw();
    },
    keys: { ' ': { label: 'stage a toggle', act: () => page.table.active !== null && stage(page.table.active) }, },
    copies: () => (staged.size ? [['turn what is staged', command(change())]] : []),
  }, place);

  // Named specifications below.
  const specs = watch('/v1/_specs?limit=500&count=true');
  const table = new LiveTable({ caption: 'Named specifications', test: 'specs', onopen: (id) => go(detailHash('specs', id)) });
  table.setColumns(specColumns);
  table.watch(specs);
  const below = element('div');
  const show = () => {
    table.node.hidden = !specs.ids.length;
    refill(below, specs.state === 'failed' ? problemCard(specs.problem, () => location.reload()) : !specs.ids.length && !isUnknown(specs) && remark('No specification has a name.'), onceNotice(specs),
      specs.total > specs.ids.length && say(element('a', { href: '#/specs' }, `All ${count(specs.total)}`)));
    if (staged.size) draw();
  };
  observe(specs, show);
  draw();
  page.node.classList.add('stacked');
  page.node.append(heading(element('a', { href: '#/specs' }, 'Specifications')), below, table.node);
  return { ...page, close() {
    clearTimeout(due);
    asked++;
    specs.close();
    table.close();
    page.close();
  } };
}

"""##),
        BrowserFile(
            at: "/console/configuration.js", .script, tag: "\"ba961d4307bf8da02bb2272f5da9ba9f\"",
            packed: "H4sIAAAAAAACA41Y6WLbOA7+n6fAnJK6qtxrL2cynfu+75lsdkJLsM1WJr0kldSb+N0XAClGdveaaRsRAEEcHwEwsxm8b81SrwangrZmDtdrFWBt+87XoExHa3QIOkCrNghLZzfNid5srQtwAxvcLND9gC+Ch70woWiamcNuaNE1z3xxeieMPW7QhBqWuu9r2PZKmxoc8vJu96yzm6ONW9v32H2jVjgRi8QjSbXwcsJCGYOOfg4kFMiTtrftc/phO+R/BzFDtcxao+q0WdWwGQJ2NfjWWbbPb1Tf/6AWPe0I/OM7e01fesNrh1Nb/NpeH9vcqxZBedg6jDZ5DF9fm+muoALGbSetNT6I8g7OYPb3kq36gZZ2CLcL2+0+dqTv9trpgCNZd33+/seAbjcu7BW63qru3WVAd+uD3Y4c0urCAlUgqkO1+UIvkQ+tXp+dJhu8/udoQ2fbgTMmBtz22iAr6NB5oXynAhE06Xe793YB/a03akuxCKJudu8evAsCLQRtIKwReuVW6AMMRgcIgjTlGVzXOqzJQFDgiN/AvdnJcjAtQxLwBSWqNANDrZatvoKbE4Bo8DlTarH7As4iv1lq032hfCjL88Sq4OxtiErgDSHB2dkZPKhOSZPDMDgDl6/fCDbKJDcTuWoPr9+w2v3l6cl+kipPx52fFxtf1PDwoobzQr4ePHggi402tPzTg3G9ptVjXtL6YhrupOe9rOZzLd/w1lukTShf3lEeRcrHd5THE3293ujw9ZI0lkYRVJPL4v3olvgNT6F4UMA8gq4J6IPsqIhxGHFxtYK52PrfJEVAJKdRrCjCAoafOd8LlDpilwkPPoAKATfbAMFCu1ZmhaCPEOCQ4fz1sqRSgXVaRgzoJZSvJEJK41hoymJLEbqBlk7xcyjkfhOFHaBl3FTAvobiU0Kg8mBsIB2qA7VS2pA7pkWx0wflQlNUpwl1UmtCDWq77TV2XEuGPviatGgphWfJyNPRxCQZjc6Ai3WqLBaKDMsm1XcedPqq4Bz2/YTog7NmlemX76a4iQ8Ol4NHciEQaqXslSpU+9NU2LHvKAdL6xBWFj1Y01xWtdgEY7ksR2/KVMdqyvMW20Bq94Kkc04EvPkmnHNFlbRUZD8UBE2hyDa4vYViVjCH4p0qfjmqqi6qSgK6PzmOh0Sx6dGswppxeq2cYagWK2sPA3WZMjfJ2pHjzWUNB/rehgdieQE/rNFj6mFehIACk2qQcgySce9GbUsBvbgvXssyeU2+cGm4Q6zHEKipeOkfpep7VmTI62nl0v59yRuVWw61dXqlTYpwWrxCV7XoUBJSZPSRmYPhXaS4oeAHihkpiBf+SvUD1tJlki4qa8ziMsZM+WD2/rIJ9gt7je595bGsGsJ7P3Toy2jrIbeaoJ97ARttjQQk90cyIt2uFABOVqeCuq87wgCJN2wJ7BNMRkI1QTczMrZZQGyWolUU8DT1+LKCeQJUlqlITY6p2Ebi58yO0ZRcTU7mGFQXMI+dv8xxrqY9QUKdsZimg/JuOChHV30xdUJtGQfZj9xZJhnLplZJfbXnujiVzHTlENoofVlx+f/+Lr4/se/88RH5U3BzaJpGzH75pBqOeTmHrxyGrroQ0PeavyspEPP/s7Iaez/FJFbXryyktbT7sNYetOEqX8Rrgy9kasq3x27RlPGm9BjgmSfamUTyNJE8iqQ/JtMglkUzWgWdRJ1W1Wktj2hnPEsg0sRG94GUNSukDb/zPFEQnKgYTa8hUad6tdkOQSITdluUW6Bcu+bcKKfV/V4tsC+I/hFvVJAvSSyzPHWjI/byiC2NdQ6PnuQQiz3prs+TA2Wq4zzF34DYMk8uxdmTbqc4MhfD0726vZVocanYw34Slc6p64Qyn2PDqXjatNMnAxVTmehLCXN9VPp4w6F8MwrU2W4ZESDnX44ulfHXMsPTqDm2zdksThFyQzwsdqCDx34Jmps32LBGB4enyb6EA3wRyJOouOFV41AiX85eHbY853yPJNr5V+d/6/5QP51R4iJQYhfnLVKIBGfjvCH8DD2WEUqEbT6OV0LPA8SBnXNpzTI5ZMkJyqcvrfI/fU8cqyJuD45I+L3ZF4k7qs+M0ddp6stEcyhJ5mzU8IoYS4lPDVs6NMN8q1zod/z1M6UiDU9JEzmcXpAQ1HP03Gj1ap0eAjs7AKXi+RxUt9FG+5ASWOTxZDw0j4NMaOJMKJ88Tn4nzLxHHnklTdcfkVhRZx13e+Fp7AiZUN11BGMNUjuQgfsDzU+Xl1R0Qk5KpqQjNXPQ8bVjUDNMpUTQigeOtkXv5ZxkNdB5n/AbXGbQqd0E0nQKu4nduyFa9xM6T9HKU5bcu6tIjBLfB+WkTIuOKOAjLQp8qdq1NnyY8NbWBzox6cukKPuF9gENj4+jeC8U3iCBmNAO3frwCk2A3tqtz1t5EWNMUF3oXofdyOsyRQTelVCNTCUrin0GOnYyJ3IDmQOS/zsGLGzUDjobCWHNNVW0faKyqiWqQNt988yStwzgSsZXMlYHzWDtGQsXtK+41h2+jMrz9IuEcuzNnmRi75EATC90wwU9TaLTjYk9Po8YjUUVG/q4Nbbl8nwy7MW3be5CSfKgQ7fKTRp0lpgOZ+NglvWsH+fxJWJAJjX2ySGWacx8WE1gmx35gl+h4n+8f18vntGRDal1Gn0Ch8hUyZ3pY/Xi5SE7PWsP37QXVU5GekjksW3yOyOeSXXouR3nX3Ul7wfXE3V29XD2u0d3peWmscGxQ9ZSCKNzz3FH1BuSLviHdPKXOrXszk1XmuzStoMvpbdGRcOWQo5puhkby6Qf88Sf+yJMGJksvv6nMk3nyEz1Lz2PJz7ZEwAA",
            text: ##"""
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

"""##),
        BrowserFile(
            at: "/console/copyas.js", .script, tag: "\"b0c397331d0ff66c5b19e6610e38b20f\"",
            packed: "H4sIAAAAAAACA4VY6X4btxH/rqeY0Kp3110t7d6lfsx934mUXhRjwrsgCXsJsAAoWmX47p1jL1FKm9gmFpgZzPnHAOMxfAC3Ru9BBVBQus1G2Qqcx4+tdyuvNhPYr1UEEyCs3d7CWnudI/kbXcESCXUd9J4mC/jWQXRvtIUQUUoAY8HE4sxsts5HOKD47d21fhtzZNIbbXHgttp+bFTtVnCEpXcbSIpx5TbF65Bc9pxhres6F+mfa1VpPyB3Hr/DCYfXG+XfDKhI+xOatQrXJHFIpf2t9id0lS5dhUZvFfpDR+0Hw8DjoL+vVYkkexPX33drQ8FRRS1yz0pnQ4RQerONMIUvr777tgjRG7syyztcHz97hmGRGXBLuNqbZbxk2aDg3zsXtYTolSrfhFqFtbg6xymv9uAsBuPZ+Gy5s2U0DuNBAtKIrs/gcAYgCqyRUQdUYDwb3dzMx0XUoaV6D5InSeH1VquYvoDfwjcqrouNeps+z6Eoihn+JUqciuX6g7pOx6P0ybNsvMrmOLdN01mO6bGz1TyD6bsyLGptV3GdZRlMIEFPAHgdd97C4vwg2hxH5weSS7/NzOLy7Nj6bFmrFWk8S5amRg8nOSQUfh7UZmMizyyXQfPIVAF/kFjXMjK2rHeVpuHKu92WBpUJEeeZQa1WXq8wVMlcAnEGz+B6rSnVN4GCoSBo5cs1RWClI/z049c5aIUTHB8TA1gMf0GM73OawEFCeYSdrzFbKIq2wjhqf8dU4oQAh5kQ5iC/89n8eDYMJFWQ0SFFOcNAHlAXszKUx1OoXamI9nKwHO+2OgdTMUGfruniyfkBZR0XWU+tQ6m2ukJC2oaDZ/WezKTvvNkqK9ZeLylBSBDFf5SM0H+/+d2fk16YGDttZbLAItQGtxYxbUb0HLW51QOO+/UkGhyYaIKB03VUCRyzAf9a0GE6xIq0X5dpmHa1n1Kuj+6vJeef/vjJ1eefXL+8/u6rT75NLm/siDO2F+O25ONwKigh7UTMMTlhEcicwnevXusyFgQMn9joKZ49moiLJLmxhiiTpIBoBO9Mp5LTQ4tNJTX83tM5Dqfp7OencyzEQr/VJYt7r5i9mBdhW5uYJnmScX0Kpg3ErMwtGc/i3oMDFTlrnPPMESZiQM+wcV735rzRdyFlGVkTVJSyyOH8IDjXrB0XJ16pTYiaHTmi0ySVWbbWLbHOg1VbhG4uTok3+uOAAUEJgLiUAAS386UuVFV9glvEr1kiuo+E5JBqmmQfkmxX6wJPG1kU6OWCELKiUlEhPmHEjwMlTfjUrHaewbKLFfm2g5GMY4MYp5fGYph/+eWUsIeWU2Lahw5isbo/O+U8Rq0YduQMnIAZnMUqENbDHiGw6JTd2TeWFqdwmlYU99Ocaks4Hc9+vtkXF/PxCnV9mWR9FhIZ07/D8Fs0GBqahadPB8lZIs5HQQCzhBRT570iuI1OU2dFCP72Eigds6xVudjuwjqlBBcsbRqSIaDI+Yy2LS4uZEwZRp4RRKEM66mbfoazmvWzu7qG9+j48Bq5MOv5nBABhJIZn26mKjAMPoa/m4gKXSQZMcl+6J2Li47HVNkcM3rWfeWNivM5J+hksJecG49s96D8axW/6WKVw62qd03I2OcwbXEA3iNH4KjzAo6L184gHKEnWAVS4tHAMe/5gT6OHT/vJWUqW/VRpUjzskxGv9OkALpD1snYedZ7YAB9dU2HNqszS0o0Er2woF+4WJ0fBLN7HYbHBaoyzweMOYP/gP3bh/xEMeRjWLgilCDGHrDFPeQHbDpo6ohlOCBGQ6gUrQPZYcKHfwh0EpsAW68xcrqSZHWW2mKLX9QR4ayK3AxwnVaVR77ixkpIBLoWjXNs2HNKq70yEZYa2dMONlE1TmzU7fbF+CWZtsiOOUEgACbN2lUIqN9/d3Wd5CfioVE7TOAAH+yQ1Jv/cG8wgZvFhxp193DTmn6zwMz+yNmI5l9cY24mKFdt8dSQfmL8OjibwPHhLq9cdTc56WLTA/c3RvPm3u3xt7OJuoLsCPh/htKO2eWjfgkSgym1H8OopG07korDxH8FqkdJX1CO9Fu1oMCQfn5oTpu+Mv7vZp0kSaoTMV2K0SqqQHnZXRtorr0BPBbPhgfDiUJJrARCFCKXwZRlpCeOQwnSffSeY7+NiOfhMZiUa2VXlPnpg1OQOUzUm4AOGok1PWKdGoScVpfxf9nUcz5uVrMO01ZYehKqXzcvNQjkPYYv2uaW1YdjX0CNCgK3vXzCW5JOfQuLHjpCfHBJu51kBrrSxLsH0lc6nooepJ2pfnUnkYdbZZ27P/r6iyRvDytB7wSSrLe8PR/7xurGPoG41u0lnUANrGOcp6sKFVvLJPKwuNvmq9+YL5aDEH9KtzSu9hvbTom9FMlaRyhroy2FL/q7du0jniO05hpHmX0w+/Bhkpy2ypwYE/jeu1KH8IVdumI7GGt7a7yz1AHNRvc68tFcmutjRlp1xXIVvVabD1akzTBzFvQjmhfc5oVcbl+9vlRnj95MMgI8ZEfKrgvskgStMNZEo9Dy0SgHr6tdqQnxXubAO1EfV+y26FSdXjE4SueNgwn0LSc9qEzgp+tP/1IEXS+zDKGRTFx04j/htPkRDeVs6zWX3Mv6zXvKQqayxfGeN8hj0j9O2XOFe8UnNqrNrxSk8xZVjSl/FnzmD8wns9n/Beey0YE7y5ubAtMeYwK4HcmVHirNBCXnXZu7VSsNr/Ta2IpavJ0PzoMJzQ3E2VIX/cvAgy56iWPux1RdP3JR6vuL+yjGRTY/aYEymJAYemDgR5erNSVSHF73FyhsASmBzoS+LfWxlLpogVzHq0tYUKUvQHkNDrl9wJJqejd6zJgv+DlGv+WK6i7z9Pb1kdvefRDEtuZCNaMLzmnrVBR0sA3wD8lgMnwP4E6SRAz7Lq8VTNvXtjQhZWiOr6llrULAKNI9ECdwunK2xpqgxi5vzuy/ksu9URe1eqXrhMgFphIyLUSaQBMuSDLdxAe999oZPlFTjLN+S7HpFRFpQy2EnPqLnsrY7S4SFeeupH3iVWUcTpJ7291VSKRLxhmpsmbTHNXQJV5bJ8AT7MDnreoLZj4/oI9nvDyfPZ8fF4KOzlIdy9k5kaOTq6aRLN0L3GPtrWfK+7YfOBpF00APGV/ML+FIrCz+eda/iw2eR9PGCSbWZDblDahwEgWaYDJpyWadJ+UBTMd7LldlDPcdXuuV5tBSjmHkqQoSsVIujwhrvUUSssZE6vvJQNkf+i6bL4jyGpsm/3Q7L7BPBW8d46NB/e+/uLSXYH5XxnVYOR2K7uBSXD8BDZyxIwatjTwwp72r895XGY4R11CTu2SeA/LWLuhkzlKPGaHAfwFymFg5EBcAAA==",
            text: ##"""
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
  // A page behind a cursor is given once.
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

"""##),
        BrowserFile(
            at: "/console/dom.js", .script, tag: "\"bcb63db49a4de2d61e75a208c54082ed\"",
            packed: "H4sIAAAAAAACA0xRRZbdMBDc+xQV5ngdxm04q7C+Vbb0pi05UnuYTpOD5SRpOzTCaqrSa7Ut3geiy6lm4ZWKnAifc4FmaFhwN49MehcULqDehHJXLbOHd+puYjOr5mR+H53kod5u2tYWnlsUha4LrCvX5AbC1bUelpp4e1EvRFyFjSmKZzHqM2rRtJxqiaZDg5bu0Mdd+kVEYtWbcMnbhvO+sNa/dEajwfCqe/XbhZ+nP75dQy7/ApVlm8VC7Rq63TTt9et4rHsTPXscvMyeh9Wk03CY5nHDYpfI4ZwsHBP9Ye+k8vBZiOI/fj7CCnC9bZqlo/r/3S/dyIoHSNzBO+rVb67rOFnCrLnL4yRUohNXK7osv4/JJXin1DgSPhbb1W2EHj7vJMnOQHHDsPjQ59IAIXrPhMA4BEUo7BE9YppmHbMnxG0odqZhbRxGt7tsYRo0YKSG7DHGhHEWjZMQyZl4npgwiesY8vpBhc7nJHsNDH6fY6FHyUI7dtZ3LzdqZ4WoFHZKjxr3iTpRpAvstqBuE5PnLjSqEEvXse1kJnai12DcHn0UwZRjUqPTkrd+tWql640iS/Z/P0XeFZjCyO695fH1V9vd96qezXZ/YAnbtCXQALJKo9LfeYB5xHmSOXEilAIXquWbu5UFZEZGREacWDIxpMhXz6o37o1buzcn7s3nbn3i1p+7+k2aNItZ0Yajy+bJKIpObROK5jfFQ15C+yGsInJnv6J1/OTszMluul/+0j/7je2+5B7vif1lVT41OwNFsWWSHP3ws7c/XI7C859cjC4vr6JRAmtt9fspDesz90/uabmz7MQ9NeOgd2QtLVsYijtsVLUuz4+z/KZ11bI9danQTsGM7LtLxQ+P+CqWRdKqTN1dRqfjPudlXsMtxTDzN4uqbt3Nspy0ReW5CdvsNu64WeySJJmINdd5GbkNN7pd1qX6aLiDhWQCU2jzl3sqUZ/MjgZ0sP3sndWbh9t/zMp/fhUGd227GI9Gq9UqWX2RVPXt6PPj4+MR1ghi9yHOPEu6SglvGRxuLBU3jmOSedYKvoWBomAQRY7vac1nbvf6dHAOHVPxNIM0Mvkv1z/CWxIAQXFbGhubjteM1R7iHnKMXVDd3ARuC1kcTSJUa70Q943Vq64E9ox8XkIwcNDB1fNzt9lGKp3y+hNznJDT8Qk026Jc5qd+CNHhDD4SiOg2t89BDgpt7M1wgAujb4oDhr+UKX+0CeEjApGuvnW5uEWfCXGBDhukJ77R5C29ERvCtd5DgkrOp4+p2GsQaOuB+X2cT+B7JBm5t28BDGFWF9lbYSQ6usiO/uvo6snPDR44ar9WnxfB70CQ6Cdd1PHqau+Asowor2FsL+u6qsO0rHwU7Ee5sfv5hjO3qanQRINyPBKFe3shD5TWnbsgcGN921e/8T3MSrtPLBwWabDc3qPAjazlmdl+xv+bDSwQcKYhgEAem9D7HgcrHHAkXZeGxkdBZD+YqLx7SG5mWRv+rgSqFu06ShBXWtiWWTjIPoYmRh763wAgkck6Z0R8bl8+kltmGL8G7cal8i5FsEPoXUkASOfZPV7cgiUAzoqZUXqfrwn0WVm1eCOhoiSwMy24zuFreUJkHxDgz/nKZACZ2An9Pn5598B3Bjv8jcCzl14nhSrLOzM4/pFYRXtK/m4A1BK0s7VkYyrhrKruIUqjT3fZFKMHma/z9+lfd/wun4lDkimBpqwom314yEDoYRceItjw8Bc3Zsw99VQBthOkMrPX1SK2n3+UuLu1pWTkAd7w6RB+D5OMdmFBRBG1U2d8irnYoAWZrizDnBX3Emg6k2j4F2aO58l/LvN6/YpJWFU/nc04MkE8FKyKBPcvrq7gEHA4nx9dKPbELhDoOmLaKE8+0QiukvwBdEPDOc2pktvHWBIRRWTFgW8RhAO6KUOy0B9lHWAmaUlUfI5txSZ5It2XkaVVTly46ZjcdSbJZeVSmZGemiO1anGNuwXxWL73LbJoXVGaT9IkVb+2JwMaVraLBuyUmuCeq0mOdVO646PzRLd24xY1A9ormsGYAEtDkGJGJMPrJlbeZNspmGT/OR2DoA4dcATlwQKaL2sVhJQAWTUKFvhtfU/PE+DAi6RvOMuyyZkUjy4ul8f4z5H8ObmRf7+54cN3fMim+Pfrk8nl8uTb4/xyiaTq+oh/buTfz7894h9++RpU5A++3OQ38u/NzXdH/HN99TY8/+ezH95eNtHlYvOn7ZPR7dJ28Cll2lWUY5VtkpXgHAjnyGjTQjzuVCaoviBusjjUyixx6Qwpc5OOHf8SefTnIMIAvIsyVF1ubIrl+vT1zbaLNfNsCi+Dp4hDIuUCmpTy4rifcIHS8RjPSOBjp8XNdrdlmvaJA6rqe7kW16czcLLG/8syEGfovmmDx3kYWUsWy+Yu5CrNrJjkobBnHEQEKcEDEroCH4sQQSqrM1htLbbsq4BAirdAFMJaFHml8orUMrZQn37/5OcbPxvAO83/KvXZ0zY8jpK2esVyOTz5Wh6+RyCvn2cNAkiyyKavkOa24ZcAkuMgQujXqOJMmaawJypwokWpDNjuQdAzej0tgljLJWogdo+kF9pbMy9rUZzib7N2S2hvZhEXQqRwyWpeNDn7BhJjJbuGJRSzpbYmMhlxjZVhk/UUFtkU0/xA5LKlQkJm7EC/W0Z0TaqsaFJeIqsU+lUHyVBLw8lxMIHA95ikabJsJoW0yBPyBZiwz4dTkhcV5E9XVX2f0p7hZApGY9bBUp4y40hQwjarvLYQXuC9PnerViIuvlGJ+bSrp6xZlxOvrS6vsnY/OemHDA1FMiGI1BsEO+khhwbvGia9CZHJv+fXq7c5sF5sU6m95q5a/VXtgVyqFfJTW68pgFdxtsqKlpKFHLB1EwEBF5pBqbxDNG2AOcgQx1uHn9lspkv6pHRePeTDSuOk3X6/wopdy77OESOmFv9iJxbQMvTc5dmUEGYNvKFwekoVUAqJR+VwQnpYyI5XMKe2VKsfXPnKjX0e109swmAOPHeJsBs7/r47ocxay5KuAKxfE5v9GgaNfkrY4Sx2Xx3H7tEeOMRmL3/RQFkaYKe5kSf186QEBFle+aq4nmHQ+b7YT4ycIDjHDwy3/Qs9355bWyG7kbLF3j4HGvkRXbhDr285sz0Cu9IqVK8sXcE3N0XdwC6zEppltm5FImRaY1cfcm6rm+dZuUJ229tP7hNpSlKkSxFmirl8371JaOmhItCmUyFqdRi81s5s3faMa1pMoXwlP+4yZh8MbRLsLLMmtWUpMa7XLnPTHOl1sWgLFhzrPYq5qeCbZUKaKTVttdBqJcXQlCYsoV3eQXzA3qAVG6aYBWPmHrP4YEByGIt6YMIquu+5w7P2MUC7pWeU71xKc258tySimv81z+7/hEhP6/Vq+N///h9OLNoBjRDR1UBYa64KMDfJZljfLMvToWl1KTjaCVUZRqlrZEvwG8olvyljK5rHlDhxv+MqWSM9lewW3ir7l0p3GQlSOqh4+bjXeux2egisV9MrTqkI+fZpoXOzjz2i/hem/chxSGK5+4v8JkN/PDQbdFS77Hkv6hKV3zUXK6W7m4kQdqbi4EuX5K2RjMIPF4KmOwhty3fSUk6Bnw1jJ4vC4IK1nSx7JQjVX/88obDmb//K4iRHsS80fQwJGjcxKQvEuKKxbD6T7Prexw38S5iRxH6JcZl4/gDCGNU/Yq4IBdLc7fNehsREXcux0Q/93hpnSOHvM6yMma1UtmOXjox+M0I6i5HblHlyh/Q2dkpibMUCnyJfs2hywwMQLBd3GjltBU277Bqx5VCaOADhlCVWd+iGxA1grcVasYOjtbEp2Zb9HaLdLAe+17HLBVkbliksYYzu6UD6PC0eemn+bgtjHuPgRTbL6xaPosn9d18HeEILn4WrjpRVASabkszzpsEGyyuAfm6M+9wQxkaSxr2l/e5X7kSitV9nOfML6UBL9RGsPz+OtKahV/brmZmvEqx84ZiEJ0p53T/z6a0nSn4kWn8q0s5gFERAcxdE/SFeB7aa2o3JyU3sLbXo7cQctjcVPRtJGW5TbaMHJtsu6XdOpqotdhKs5ZvQj98ro1LwvH6IR1OqEAJXXZdVZ7EB3lip44tg9/whbvy0KLoyUuoeRgbDrdwKnsrrwLynoxI+g9XoymdIehBnp9WnbCEQfBmRWEZSYz4XIoy5oqQrpxn9t0l5IpdedOs8qucqHfMoemJUrDySNe3kpqpp+404Lsgz35AT1kTG/NVqUQOSu5yUlAhytaEia5U1PBpM3K/Zqrqtct8E644aPgHk0i+oi3CjioBWqykirIpKQLkIns+qJg+urhQS3LZ7NMeEwzgPsWtNNXvIfRDUhgnewhcY+nz/Npsic+jWwHef086KKQBa9+fo55snT/Rns033bkFGo6hLj6ZAdo1xRYXeFt0X6IBYY4QM9st1Vqe9+G3EbQdAmyWdEGNM7Jzb7EbsTox3daaNMQUIBQ7sncFMRLk7ctu9q5HfmEfjY2XanWuiCtNultfzooVt99WAsD/v6lSeqVU93sdEVSfeVeUY75XOuJsHDac7brt3eds8M5XDgQWKaghItjue18EeiOds0+08I0xcr4Pxbs2kmO6MMKa0PZI8ERGiw/3+7tCs1s6azTnXbWjARzKtM+yRFpKaex9OI+kYvayvX433zUTX4qkef/aqXH8GYMNi49FTMN8K1Zh2BmN/vcSyJ7tDNGGkK4DUun+qptnMOhJERXFQczI2NS3Fae6bnT6bap4z0WdeByXV1Rp4JAngXL7zWIqXbngAQuSagHXm+bDf93aBsB2oSOdPJ62HIOKwOS3pgK8TRR1v6AWTfPvcTxjsbJ2W5K+/wBxLKKguJkHM2yhj963PcMjjEWnpQbpfJqPbHoqF19m0nzXZ9H4PqIey3AwT01Y3DQR0L/rU2F0cTLJENwjRpoGu1PQXPzqV01ictFKqrYQD1rUutakgQeksuBpsYuUL/OxbtLVROE1yH/5I5EjYn4SyjIilvg2iBFn0PNS2m3WEyUS0Q0V/ju6Tsv6BD3hnNcoC04uQpDbFqCjSmhfwfKq8RQIEhEfAyspJPpOIRTP3x9mdPskiK/OZszhb884UW7uw+I4tn9pJUZE3+94vo+zBHgHRI7Qt3mAYQcJQC0WMDggGDho+DF8fBC+PWf+/OEvu92RolEZjEOnle99zyJEvSDsXSx439/qh8tNPdzlvAHLtbJU+Ynr6AMLaTllsl4r3w6HKNOB3Nf6Y2GXBl4viDF1u9PkI3Pc6e+tP6IOXzSRb5MHj/EJHSVcLmRhK6kxMcR97+imGD+Udm2Dq77HDGPYZtiWAsRJ6FKEhoH5nNqJJwb5jJdjXuTkTvq+DG/BEuhfJom4o6yLrhuQ9R3IqDx12TuSpSbtKoHlK92PMy43jzh0+DvSC6+utx4u/LltfIFSlRrhZsbiuUMOf9tobRK2SMGHHlv4SZIGAYKH2vQFxsX6Ndchap9X1HO+t3eXPGizAlNlDgT2v6sQzlazqos09Hdt7OVbFOnkYYJUCdVzvZIIkpWP452ovnYibaexxFXCyKFnFlJVb5DWS/gY8J73EKs+6vuIvuMFs/N1RPfuOeVWUgdjcyArBvnmZCizT4QKJ3VLihvB1t6VPzNFxqnvru5m6DlY9Y87pxOUFQW3g7CRd1rPUheItY253hF2U8/c5dxz/SD18W2dz6XxKu0v1HfNTKllTar3vOUK1XtWjMFfpu90wYeQpaxstUbB4zMyLcoYUil1zJK8jGZw1yY9NEEX0vuec3Zk0cOGpQS2KGzx2B4yt+YalBy0PLoh+CzFl9OaonP7Y+Bt/diCgfboDF0ODjGbGUYl04DD0+7//0UbppRk8h1JIPptV16Etv1EGttF+tr/8fEb/9e/ZzhWAG7ADWQrFTHXfWcqzAiD4Wi5ARJ1GepOtgQG7G9u+j24tcttQjCqmbKmzh0BXrWqO4a2pBu+ZWsOw21cYC3JHuztop/yi61i+/Zot1Zo43HSPRcZ+XbkbpueAzFD89TCyItFLAtqMOc28ghxy+9595YavQHgkUNZByrxJ99V0wMY2vhkgnvovAOqzd1TNmX7EWf/I0nU1AeiQ4k2ytKSsVmGvims4hreYjA119yaM7AKDB+1QLMTuWOgx707AwJ3zLRgbK/P+4t+zCgl7VuqaXtIJ3tXGCIPBwVD1sxk24qjOb2UZ3/4TrpMfK/wKEgffU9iIYT/tHbh+E54cH+OAEbbmjlz4jgLckddPpN2q/wMLvV1LnzEAAA==",
            text: ##"""
// The console's one door to the document: elements, texts of data, buttons, dialogs.
//
// Data reaches the page as text alone. There is one builder of elements, its attributes are a fixed
// list, and an address is one of this page (`#…`) or of this server (`/…`).

/** @typedef {Node|string|number|null|undefined|false|Child[]} Child */

const attributeNames = new Set(`accept autocomplete class cols colspan datetime dir disabled download draggable for
  hidden height href id inputmode label lang list max maxlength method min multiple name open placeholder readonly
  required role rowspan rows scope selected size spellcheck tabindex title type value width
  d fill points stroke viewBox x y x1 x2 y1 y2 rx`.split(/\s+/));
const isGiven = (one) => one !== null && one !== undefined && one !== false;
const isOwnAddress = (text) => /^#|^\/(?![/\\])/.test(text);

/**
 * An element. Attributes that are null, undefined or false are left out; `test` is for `data-test`,
 * `on` has the listeners.
 */
export function element(tag, attributes, ...children) {
  return build(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return build(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function build(node, attributes, children) {
  if (node.matches('button')) node.type = 'button';
  if (node.matches('input, textarea')) Object.assign(node, { spellcheck: false, autocomplete: 'off' });
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (!isGiven(value)) continue;
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === 'test') {
      node.dataset.test = value;
    } else if (name === 'checked') {
      node.checked = true;
    } else if (attributeNames.has(name) || /^(aria|data)-[a-z-]+$/.test(name)) {
      if (name === 'href' && !isOwnAddress(value)) throw new TypeError(`no address of this server: ${value}`);
      node.setAttribute(name, value === true ? '' : value);
    } else {
      throw new TypeError(`the console sets no attribute ${name}`);
    }
  }
  node.append(...nodes(children));
  return node;
}

const nodes = (children) => children.flat(Infinity).filter(isGiven);

export function fill(node, ...children) {
  node.replaceChildren(...nodes(children));
  return node;
}

/** Fills `node` with what `make` gives, where `key` is another than the time before. */
export function fillNew(node, key, make) {
  if (node.dataset.key !== key) refill(node, make());
  node.dataset.key = key;
}

/** Fills it; the focus stays on what looks as what had it. */
export function refill(node, ...children) {
  const held = node.contains(document.activeElement) ? document.activeElement : null;
  const { scrollTop, scrollLeft } = node;
  fill(node, ...children);
  Object.assign(node, { scrollTop, scrollLeft });
  if (held) refocus(held, node);
  return node;
}

export const alike = (held, node) => [...node?.querySelectorAll(held.tagName) ?? []].find((one) => ['href', 'aria-label', 'data-test'].every((name) => one.getAttribute(name) === held.getAttribute(name))
  && (held.ariaLabel || one.textContent === held.textContent));

/** Gives the focus back to `held`; where that has gone, to what looks as it in `node`. */
const refocus = (held, node) => (held.isConnected ? held : alike(held, node))?.focus({ preventScroll: true });

// Controls, what turns the direction of text, what has no width, and combining marks on nothing.
export const unseen = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<=^|\s)\p{M}+/gu;

/** A text of data: what cannot be seen stands as a chip with its number. `lines`: lines stay lines. */
export function plain(text, { lines = false } = {}) {
  const made = [];
  let done = 0;
  for (const { 0: found, index } of text.matchAll(unseen)) {
    if (lines && (found === '\n' || found === '\t')) continue;
    made.push(text.slice(done, index), ...[...found].map((character) => element('span', { class: 'unseen' },
      `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`)));
    done = index + found.length;
  }
  return element('bdi', null, made, text.slice(done));
}

/** A button; busy until what `act` promises is there, a failure is a problem card beside it. */
export function button(label, act, attributes) {
  const node = element('button', attributes, label);
  node.addEventListener('click', (event) => busy(node, () => act(event)));
  return node;
}

/** Does `work` for a control: one at a time. Answers what it answers, undefined where it failed. */
export async function busy(node, work) {
  if (node.getAttribute('aria-busy') === 'true' || node.getAttribute('aria-disabled') === 'true') return undefined;
  node.setAttribute('aria-busy', 'true');
  showProblem(node, null);
  try {
    return await work();
  } catch (problem) {
    showProblem(node, problem);
    return undefined;
  } finally {
    node.removeAttribute('aria-busy');
  }
}

/** Shows a problem behind `node`, or at the head of the page where that has gone; null shows none. */
export function showProblem(node, problem) {
  const place = node.isConnected ? node : document.querySelector('main .head, main h1');
  if (!place && problem) setTimeout(showProblem, 50, node, problem); // the page is being made
  if (place?.nextElementSibling?.matches('.problem')) place.nextElementSibling.remove();
  if (problem) place?.after(problemCard(problem));
}

/** A module that is loaded when it is first wanted; the server may have gone meanwhile. */
export const load = (module) => import(module).catch(() => { throw new Error('This part of the page did not load: the server did not answer.'); });

/** Says by a description why a control does nothing, and stops it; `why` null lets it go on. */
export function disable(node, why) {
  if (why) node.setAttribute('aria-disabled', 'true');
  else node.removeAttribute('aria-disabled');
  node.title = why ?? '';
}

const held = new WeakMap(); // control → why it does nothing, and what it is otherwise called

/** A control that does nothing while `why()` says why; `title` is told else. It is asked again by `holdAll`. */
export function hold(node, why, title = '') {
  node.dataset.held = '';
  node.addEventListener('click', (event) => { if (node.ariaDisabled) event.preventDefault(); });
  held.set(node, () => {
    disable(node, why());
    node.title ||= title;
  });
  held.get(node)();
  return node;
}

export const holdAll = () => { for (const node of document.querySelectorAll('[data-held]')) held.get(node)?.(); };

/** What tells of a problem's code, which is data: a link where there may be such a page. */
export const problemLink = (code = '?', attributes = {}) => (/^[a-z-]+$/.test(code) ? element('a', { href: `/problems/${code}`, ...attributes }, code) : plain(code));

/** A failed request, with what to do about it. */
export function problemCard(problem = {}, again) {
  const { detail, hint, code, requestId, leader, errors = [] } = problem;
  return element('div', { class: 'problem', role: 'alert', test: 'problem' },
    element('p', null, plain(detail ?? problem.message ?? 'The request failed.')),
    errors.length > 1 && element('ul', null, errors.slice(0, 20).map((fault) => element('li', null,
      fault.pointer !== undefined && element('code', null, plain(fault.pointer || '/'), ' '), plain(fault.detail ?? fault.code)))),
    hint && element('p', { class: 'muted' }, plain(hint)),
    leader && element('p', { test: 'leader' }, 'The server that leads: ', element('code', null, plain(leader))),
    element('p', { class: 'muted' },
      code && problemLink(code),
      requestId && [' request ', element('code', null, plain(requestId))],
      again && [' ', button('Again', again, { test: 'again' })]));
}

/**
 * A dialog; its title is a text that may have data in it. `actions` are `[label, act, class]`: an act that answers
 * false, or fails, leaves it open.
 * Promises what the act answered; undefined where it was left. Focus goes back to where it was.
 */
export function openDialog({ title, body, actions = [['Close']], test }) {
  return new Promise((resolve) => {
    let result;
    const heading = element('h2', { id: `dialog-${++dialogs}` }, plain(title));
    const buttons = actions.map(([label, act, kind], index) => button(label, async () => {
      const answer = await act?.();
      if (answer === false) return;
      result = answer;
      node.close();
    }, { class: kind, type: index ? null : 'submit' }));
    const form = element('form', { method: 'dialog', on: { submit: (event) => event.preventDefault() } },
      heading, body, element('div', { class: 'acts' }, buttons));
    const node = element('dialog', { 'aria-labelledby': heading.id, test }, form);
    const before = document.activeElement;
    const around = before?.closest('.drawer, main');
    node.addEventListener('close', () => {
      node.remove();
      if (before && !before.isConnected) refocus(before, around);
      resolve(result);
    });
    document.body.append(node);
    node.showModal();
  });
}
let dialogs = 0;

/** Asks before something is destroyed; of more than one object the count is typed. */
export async function confirmAct({ title, text, act, count = 1 }) {
  const field = count > 1 && element('input', { inputmode: 'numeric', size: 8, test: 'typed-count' });
  const fault = element('p', { class: 'bad', role: 'alert' });
  return await openDialog({
    title, test: 'confirm',
    body: [element('p', null, plain(text)), field && element('label', null, `Type ${count} to go on `, field), fault],
    actions: [[act, () => {
      if (!field || field.value.replaceAll(',', '').trim() === String(count)) return true;
      fault.textContent = `That is not ${count}.`;
      return false;
    }, 'danger'], ['Cancel']],
  }) === true;
}

/** A panel at the right side for one object; what lies beside it goes on. */
export function drawer(title, { onclose, test = 'drawer' } = {}) {
  const before = document.activeElement;
  const around = before?.closest('main');
  const heading = element('h2', { id: `dialog-${++dialogs}` }, title);
  const body = element('div', { class: 'body' });
  const close = () => {
    if (!node.isConnected) return;
    const held = node.contains(document.activeElement);
    node.remove();
    if (held && before) refocus(before, around);
    onclose?.();
  };
  const node = element('dialog', { class: 'drawer', 'aria-labelledby': heading.id, test, on: {
    keydown: (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      close();
    } } },
    element('header', null, heading, button('Close', close, { 'aria-label': 'Close' })), body);
  node.open = true;
  (document.querySelector('main') ?? document.body).append(node);
  return { node, close, fill: (...children) => refill(body, ...children), name: (text) => fill(heading, text) };
}

/** Puts a text on the clipboard; where there is none it stands selected in a dialog. */
export async function copyText(text, title = 'Copy') {
  try {
    await navigator.clipboard.writeText(text);
    announce('copied');
  } catch {
    // No clipboard on a plain origin, or no permission.
    const area = element('textarea', { readonly: true, rows: 8, class: 'code', 'aria-label': title });
    area.value = text;
    setTimeout(() => area.select());
    await openDialog({ title, body: area, test: 'copy' });
  }
}

/** Shows `url` (null: none) as commands and programs to be copied, and `more` of them, `[name, text]`. */
export const copyAs = async (url, more) => (await load('./copyas.js')).openCopyAs(url, more);

export function saveFile(name, parts, type = 'application/x-ndjson') {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const sayings = new Map(); // what is to be said → its text, or what makes it
let lastSaid = -Infinity;
let saying;

/** Tells readers of the page: what is given under one `key` is said once, all at most each 5 s. */
export function announce(text, key = text) {
  sayings.set(key, text);
  saying ??= setTimeout(() => {
    saying = undefined;
    lastSaid = performance.now();
    const said = [...sayings.values()].map((text) => (typeof text === 'function' ? text() : text)).filter(Boolean);
    sayings.clear();
    fill(document.querySelector('#live-region'), plain(said.join('. ')));
  }, Math.max(100, 5000 - (performance.now() - lastSaid)));
}

"""##),
        BrowserFile(
            at: "/console/effects.js", .script, tag: "\"2166d92220388fbe1326c70974bdd094\"",
            packed: "H4sIAAAAAAACA4VUx3bsNgzd+yuQLjljOVm96r5M7z0ZWoQsnkORc0jI9cw2H5BPzJcEIDQ1bScBFxfA5SWPj+G73hAY8O4Wgcy1R7ARM9w56qHtTbjB/BLuetf2kOJdBurxAUzCGZhgoY93Gm7jwPVR0i7BwpsWc3NwcHx4CFfKAtmFFgUA3mSCLpkBZ+U/IEHs5HNo4PD4AO8XMRG0jMvwKTL90wEABsKEFk4YfwdfIVX1Kw7rkH8Le+xoin1iFhwDXtZZ+PP3PyChyTEwaIi3+5UcvUHiYR+xquGJsTSmwLO53EwTNJKE9zWm7Xdj0nsnIH0U8gqW0sJYWz1tbfTTL7OtRfhP59dPqdYwLOsiBUAXE1RtDJlkqdituGqoNiNY9EhYOY6e7UwLL3cWqhueR2Cv9rmfhH0p/FNlDa6D6o0dOXqTpbjeafGflLPpCJRaZl3tBbskmw2UB/bb72DqbfmRqk2jqXz5j9qpwPX2UW2G55ql+vgyuXCTYX4d7cNcvD4P0WKe613p8K7w8G0xIAmmM6QhGMwD+JjV/V1sx7zt824MLTlWw6Qka1fSYQaFXXXRYRejOKKS+AyukdfAGk5ONdK4fBVDwJbQwrvvgnCUZS4LEM72I3s8LzXvQsZE/4QoYuggdybQzr3RURmwra0ERd2fmqYp3G3vvE0YfplMpDTFPoLl4yuLJJQhV7eYwMjWhaBzKdOVsPxzq23J1Clc+8bJieZZFENnTcB7+spdez5MOJlyG/exxlzE4o/eT28GZShPgDxxeYIxr1Zu+0obbkgVZWi7peLRZyytVGFDG6dNntC99B39rFsdey7nPb1pGmFRPGGqLmP0aELdDJwpqYL9STsUYW+QLuMYLI9x5R0G+pLdUtUNxcUvfLzq8o+RsuoI2TuL0KU4wF2PCfXtv+OvWRE/obGYMicj2MhFBIML9p+srVyV7qNqi1qDobb/BK0z1XvVImHHdEcJ7diiPRqiVL4E/a/fq5sCl3p9lPdMMK0q24gXtnutjGtdJhNahBOBwdH/6vJqfbBTabHR/n2bjGuC4wmx+ukJKJmQebbhJczLt+fED9XbTyua5eK+nsNyBjvY90IM+B4sf5G4HZNRBT58/sEM0GQekDH8gUdxJMatbfMXRg+r78kHAAA=",
            text: ##"""
// What a live table does with changes: which rows they are, and how rows come to their places.

/** Changes since the last frame, the net of them. */
export class News {
  entered = new Set();
  changed = new Set();
  left = new Map(); // id → reason
  moved = new Set();

  get size() { return this.entered.size + this.changed.size + this.left.size + this.moved.size; }

  add({ entered = [], changed = [], left = [], moved = [] }) {
    for (const id of entered) (this.left.delete(id) ? this.changed : this.entered).add(id);
    for (const { id } of changed) if (!this.entered.has(id)) this.changed.add(id);
    for (const { id, reason } of left) {
      this.changed.delete(id);
      if (!this.entered.delete(id)) this.left.set(id, reason);
    }
    for (const id of moved) this.moved.add(id);
  }
}

/** Brings `body` to `nodes` with few moves: a node that moves may lose the focus. */
export function arrange(body, nodes) {
  const put = (node, before) => (node.isConnected && body.moveBefore ? body.moveBefore(node, before) : body.insertBefore(node, before));
  const wanted = new Set(nodes);
  for (const node of [...body.children]) if (!wanted.has(node)) node.remove();
  let at = body.firstChild;
  for (const node of nodes) {
    if (at !== node && at?.nextSibling === node) {
      put(at, null); // its turn comes
      at = node;
    }
    if (at === node) at = at.nextSibling;
    else put(node, at);
  }
}

export const placesOf = (nodes) => new Map(nodes.filter(Boolean).map((node) => [node, node.getBoundingClientRect().top]));

/** Lets nodes slide from where they were, for readers who do not mind. */
export function slide(places) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  for (const [node, top] of places) {
    const distance = top - node.getBoundingClientRect().top;
    if (distance && node.isConnected) node.animate([{ transform: `translateY(${distance}px)` }, { transform: 'none' }], { duration: 180, easing: 'ease-out' });
  }
}

"""##),
        BrowserFile(
            at: "/console/entity.js", .script, tag: "\"10a24eb3ac4b2a54ef98bf3262240ba5\"",
            packed: "H4sIAAAAAAACA3xY6XrrKNL+n6uoXiWfT5G/2Wecx5Pe9z1n1pxMB0tliw4CD+D46HH73qcKUIQ96fllAUXVy1sbeD6HbzUCai/9sADpHXh87UHoNgzWxvYV+A6h6YTeoAOzBkNj60A4XhigMT1WYYcTj1JvYC99Z3akBJRxrr6Q/dZYDweQ7UtSXoHbKtkgHGFtTQ9FXc9/ckbXP7niahJmHO/7XMhiu2vQnsmZLeoPzXZ4302y84YmhDuTFFqbnW4I7GrnvdEVQddrafv3GwLFWyK8VjqxUiSGCnvUNLOWSlXQGdVWwd5HUiizqWCrhNT0Yw3J9x8KS+sWWTrD0pr+DEik+5PA7YM2e51JM+Nn4pH674RGVdHAGIcROrHo03Qr12u0SKdzFfRoN0iwjNQerft2nekPa+fEuAfaJAY63MqhfaS94cdWsBe+6bLtcf58f+PdD2ZPvBLFaJlfpdA7Rtkyj/3WDzdeePpes3AFSuqHD5IXlBEtxQ0ZFUNuqjP7Z4n7TLiuSt9/sXT4jalAtl9Jj1bQcCs2GGXIP+xuP2yRBHPdDOb8FN4zUFLlbgSHtBIDhTEzYx+IxCqE5Met9MZmqngyarognzgfcuYr2UsPS/j1734PL+BX///r317BfM6etKJhn1zRqcmpFoxGB8IiICnGFsSYgbSOSaPFR+mk0eTIJZQH6FC0nIHHGSz/DN/s+hXacv6q/b95ja+xKdN6vUFfFujFppjNruvb/7+D62v4RnwzI6xrygRPOkn5v3foPPFTMk/M5AwOFwByDeX8X6/qV/X12/Pak0xJSzPwnTV70LiHlyT/sbXGlvffGBBta9E56GJhID1QvH2Q7bGo78kikCW/szo5LrdHq8eLC3wdHBGPzFnGhw0e5GMGgx+Hrd+Rf9MCk66Ec9lKwP4Wq77iD9mGHzqjHfhr/uIFFCniigoKsXIEiL+cNxZb/toQ9QWUFnvziC3sO6kQpKdkcMBRqWcVGAsFQSoW4A2sEBqLwmNbw4s52wsBBsvJVECxEo4nNaUHxwNpFh6kg2i6YuevheUf6WJlWAQq8TVFTYgL1jKGw6iJ53r0Ih8HmGy/mAwFTTF8yUc0hxZBUzUnfGwwHsQJOjOroDSI9XxJoJSLdHorsWWVrI0RsVoRqWEip+KvQfKJUiN5wIG3B5Fl8OUN+nIWNZEWF9VQEWIMIx9O6gbZkrSkye3REmxGrYzzQV/TYc8HPxwDPM698LHT65CAt3dh2Fqx19MQt6bpwhcRcWN2tsHxlAERI47BadbAYeDRsbTYCKljWLkPCQO2J+SERMocE5lHbpdMrkKitprCSTquvJHsDgXrSh2nLLpfFbOgk8slLaQSW8ZJJ2R75lz2aCe2lDYESolIDzlXNpjrbeUjRfgBCmGluFTyESmCi61R0mMBx6ie/MdN/bl9XAZoQ5SYdoSqfi4fl1amHZ7TFPKWVDVG7XrtnlRxXczltyfS/c5zjo44OHQujVYDbafEfdlJl+oLs8uqFpHpZ8trzRBTsu5O4Lut0P/LLmu7pG0ZaSmzllmXKIsvbr79hmPId5hwkY4y1DNPWOuwC9tyNvr1kVmP15OyuKHhmTxLvK9UOcvBba3shR0meCwVgcVygdZnan8IE2eKvXjAMn5ylarS9FhraGx3OMtCIKrNrHCxzK3wxDn8KPW5P8XfCm6FE/woFVVfQOwIdtcwo4eUl1xbwsUp9iqA22ggrsZv2d5xyo8bQupDXNOmPQlvYSlRFJ64PPkroprGcBz1c86m75RpaTQmUBrG7BgH+TfnRqAPRjWixzLNpKuWaNuPH8n2V9J51EhBFe+DxaiEa1va8t+yK6SSiDvNbehpRxymPXxbLSc4T9exFJPxHvBGYtR9S81vtIuusXKFZSbHZWkZq98otsKN1CX5Kl5HfuR7UzHqRuVwJMkoNRa440Xq1J8xxdw8XOgkzN0CBPePlE5c92KvAS4DXG5pkDXV1JATszFYYkRlkQHLX4ifq0y8iY+MZQzo7N1RPnOjmWU7GT9vU2KFquJDBAUUy9MMHPM4IHWK4zOjE67hno/99oFtHO9hAffpG+YQ7ln3mQamjNsi4ILNl6FiPVN7jK3Xptk58nYFQ5Llk479fdo0PpDKk90sQnuDZYDiQ2/VpSuSIvd8AasbJZuHctpW1/XpUQ9HWHAq5oCEI1XRCYT1I1Tox8PZX6o1mS04wjGL+CyFszIQCkBncU3svhXpHd06I86P6ckXJwhFQdzTnhPw8V4IiyQ6BYPFzHJeBpiT9J2qdVD5xqjy3XfhNjGVJyLP85u0nB5T5fj2KU+gV3B7W/zIsAjyr4o7GqdEDOF/xyf5aMevcu5os5HHXhC3eys9UxsU1ftuePLaWOk/PPNO1iR44lK4yyjKFb068c5dGqYWfJr8LzsEJ3ocU114EHxdRTu+NSoY77GpKBiNoSKsEPVpAdhtW+Ex6x9T6zgrXPDzz0Eo8D9VBZ6WbTZJjk1PmukKCFlNTnVxlOH+eXK8992DI8ANhoOBlz1egcju1NLFyzj0KHS8NWrE1oE26TaczibcoJt4vYwl7rxqfyStH2YZkhzsdG29vl5mf28wV1yHyI1fserxap/+5rmeOuNOB5w0wR1kAY7j5m98hMHsoOO9sWe1IBm9j+eqi6dQEg0DcAuKUzaW5TKDrcYrQozcGy+G4u6OHFivpRZKDWWUPeQHyu/hx5NyLN1XuPa0KPZC+vM9HAZslP19SiDPpIl0+88aZFQ6A4f+JXmSeCpPyh56r8g78cWzwk7qNpTYtRV9fBQ0HWwMUuyK5gG8iXGdnp15IEVLT6H0Fur2+wSevR/gnJ5pBi3VeC5xdXgH36DCcJv6TynXwd24kYP/yqSSvMhMf0WOTum998TRi3QmvatbreQj6dv4+em/Hz4MQAHkSPb1xOb0Qf+AcXZBQrE6AxlnQsRFVszLS5yO+Ncwq7W54M6hmAWy7i0HTnDLVD7lEDjoTVtz3Mn0R4TNxp/bhY31kvQQz/nLhrqTL143MhSQFyVL6cwLrWmGC0Lr51ERFgVtIj8ASnnK/rOX2tQ8wzRyxd7diqijbvek3ko8R6IxtWLsWD60xLutnLepa+Bzp0XWKxhvvcTNFOZ2dG9o7NCverh6EvrLvgZkmA0ViOdAkTTSRs1nON6/V7pdjp6l3WxU2c27vdE+PNjz1e4Pd37lrODboPeNI+uFjLwco/oZXWEFIfQC7jAvoU5aYg/hjl8k9Feotg3oAHwwrIDjUsBwHoN3ULE1an6NXzrrzD5dVSImuuFvSFHb/cpWJBI5Iej9dhYZeFlnJNH4npGO0SUYkCQlgmYOdkv8eBWqkji/6dpfyIaQBOrKQg14xzVoJ2qcWdkLAjeX1w3/+8P6anWz6VhDIUSETv3FYWnhjP6TUl6M3K3YU0Fgrg6F2jYosHXl7KpEMHCXVCI2dUTjgMHc/bEN4Y/tPhPGbm65k0okhrFSutlWNZmruiosEwlegLEaD8nMAj/nMVmS52ysoGDy7JOPfswmBrh1uov3WRTMsmVHyEAO7+7VNSQA5FJvdB8uGdvPJXshZ0tqGJfi0AH9REagIwqaY+2DhLmvTqcoSsoeM8/mxY4MgsyVVl6pQMasK6rPR303zSbMDAid1PunlZRrCbOYJMmtZz7nZThEox/2c8CzM6jN5XiCRIQPvoMHlBCH9+iqit6HvqzX8Pl6D0cTONYQyDzDMXpPXlfBUkNVcEpCheMRdrWCes9adVUuKZUmBl8xIgTi9TOvpbDdhFYF/hqes1IB1eIupZtblUEXaYbuy2UBoRK7eDjGDyRT7QHtBr4ZeD54HilnRPxShcEnKoGbDac6150cR+9twEx3gVm4lw8EFohKkLec2fMcTDQP4M1nVytS9lUmUyY9AFyLfFE8XqnPJlYY8uFSq9yQJ/yIycBlKLyIY3d+KzCB4/MMvtJNbckKUXe06BSmg6ZIcFb+zJyRgXjDbwiXskLdIrnUtHSk0iTB8d8sgMmgX7s8K7NCEmSmi40akPSagbzlpt4+6h6HueNXqKmcWmmSIkx5RTta8jOYBIzOue2cfoNq/hONmQtRut0GRpFHzQNQ5PJ61ZD+wRc/v5o+bIZTn8zX7G2yrbsiQa3YP8IXzbCsgHwoMt12pKCflmb9tv5XmPEu5qXeI+5Gco2De3t9MXJBdZBz1HNM+86QPOAJvRfPGpKJQwtG4osfWxxlhd6bUW4gw/kV3V0+Bh6FNDisIwFbYSWBWGFHMbGnYQqy9htAnxEIqrZDl+aOo+hSMs9s8iYhAbM5rB6dEiTiZf1K3FeuTwH+hJT4uZKbFb9TB0NPJjeSMtje3MDrRUFGB25swIyr7W14Sr6bBkzsH+lXdX5V63nUX5TwifSFobX+jPm1gTNqNqzYMiasqklI7f+ZZfH/F4vFEdclU6GGy59LYntbQ+wuDOKeyBKIF78oolqnQffd6I/EE+0goXweluuWykwu62o5DST/jS3jUTsI2u3kei1rHe5OJ9Fkpw1Y07ZJE5Q/RJxnyI49nZx68EEWt/em0c+7/EDM9j9u1UmZEgZuimB8KgvCUz5dXee51MSwCZSfy5ZF+/WiKP9JX3KQtSAPQw2rlg3lllM0GzQykHpXacNtgkX6JxIiA2Tq65r8l1nqKqAfdPLzlA8t9QvapuNchDGSeSftcgDsQS/eH4pD3vuV1FAOJJKJzXKtvhdKbPKLRcKZEUk44eY4EvjQarS7E0IkOtqzdtpRKYZXL0UkQyNkHBchjjdXtpcYuwT5xNYnr0VKroB1AOLQ1Cl+ZBD2B7of6Bj2CaSNJ5cAqAyfdS1FmmrvaC/bqg0MyiEPoBD/L0gCBAZwNC7xkpkK5RRbGqauhV4mTcA5hrM4fdiL2+lRNu+vq4svnvxaGog4XpvBPnltpgRu6sRlmkq7kQLxYRSX0Q2n9l2SqhQxoDvfq0FcaQEsFHTQ2/LxBiNMwtgOdTqGDU5kCGmjAafwd+ET/rmwCV/+kuLWpMB6PacI4RAPwWE/WpHj3bBL2rHFWm8jLVeGyIOsBzumakUJepHxs/Daufz4Tnib9a0F9K9J4xTS4ZVX7gM9ZBAiGG3rh0iSwXdNlkelYVgfd8usjsGltInnMVEqmIcrq5jbKgapvInXCist3oIaimLqISxchuck9ExqSNOHbW2P983nUiIpmQ0p580xk7COg1gw2kX4c06recyFvec0kKUwDMtIf66JYOu+0Ex8RgX/VnQ82krFSbXSsCj2CryFNz0KWri4bV6ijbU2dwqmjTPq+Mo1CdNw2dxedzsUNnxPZNg9/Xm1oZPkQBt/It/izTfeaxoSr7d61+IsK8LeXpWUaiavC2Van1V04buOfJrbsy/q22xqt4Msf0Cm3KlgY25kjquzr8D1NHj5vOIoqpL2zy8xhfT7mkxQ3zn7GynjoRTLxiUBSfs+4JKJE2TffvPDj1mY0g8/EWYJzoDalzQhLtIUsyatxpO6vs7jYhMeca8kg57ysZTKLhDzrdff0NpVaZWJDDUIXha5cGir7LwoeclcZzfoXGq9194arqdn9BGmLDo3iK3rFl2Zi7IsDzy8QOazyhEYYBcSOOJX8XYNb2O8g9qKxA3LJrioqoAu5VVFBkyaU/qdjGuPcaNfN2lCv7nKdYX0rCZPfxqwHli7+q9125u77D2tQo4qFUMhf7ETMaumpUO6NCSdNYTC4ipErl1ed/CfMoZgHgGGVAO3Rt67B9b4fD6aPn0fqXRdQkicrhetOBOhHTCaV44cXyeiEho9osAgaChMDzUOcWmvab3B6bnMohsyzl6EnK+Y9BGI9hmxy8X9QIAP/sGqHPCfWFbUlTLzYnB4yMwgYS1ESBb3hWR2NgyqBdLoK9c2Cwo5LMa7r+jkKwjdECcIZKt2vcdxrqXWWrvsEXPqqW9Qdg1+I/modLDC5Unh9kwpPs1s4FTIwJ6AcDuyu32WCDXHqu65OOl/pRm2uzO8PlLV8BslOjGv5O0Zew23dUfNO80SALmCt4XV9PbWXS/Wifv3ZuaOfd/t5JAZRrpApuPu/wcLDyMOG3wP2dfFEVAi9yiEcWgf91zy7EdjVD6twuZ/D6/ZaOTRbsdkiBMpFX7ECE5lHokOoKTNA6ecl8D5QAVV3/31+rX926m87zUJeczKty6+TZw6CkCe4EgzmcwlPHEa1jgdK4N9ivsKOFKH7UXfBzY4WjKgk5dOqYOph1PjvU/r/X1B5eD2fkUgG9Vw3Wz59QoI+1lfAcOfjFKhz8+UnmVwgvekvu4YhTjXR4Xs/KNQgvIgCBu7VDRUZgul/UVGS56trgm3r5nBvhbZxZLAG8inPrYoTbMouFxZT+2gpqRWwR2Mo+yltJ+9eDeYar+MrI5xRXEiwb43oICWz/uSIfZVzVvGQ+HeMhbhB3H6+et+voyKc6q0UVwI8TXEscxQkoz277UQ3+dZrHf84UdffvTjR+lyhGEplfr60+AyH1Lv+7BQBT70/470hWOFZc/5ijkuDnMVwNwsdcBKF193wjtRFEfrV6uanhPE3Lli7phkKi9rm3rDbe3j9TWpDLbs0b1c120Z3uPOsYxsu1MgT9lXqum2tY/11RVgJkkGbD60MbUQ2Z9YD26yOa+EPWKf4ffZq4zTevZQKxdfZ8Fyonio5fdXcsiP+IzyLewPvilssSOwvvCSH+ZglqHxCjPzprZ3hNnmOVV+qrgk+Bc58tVzm7wq80eQUAzPm+VFJhddo3qg0vinkey3JFBLeLBXNerjqKqVS8TBhD9wP/zK43rRmYvWxeEvrOV2z9fklr36f2hS9HRy6UsEMA1KKyp2grhAIpan8RNwfpN3VROXCCIlVlvezoFR4UPJI7jGg1O6i4fyK4pq7infMQU3L8drmW12l6vN8iG8PGceLDnHK0XA8mKoJI0RixnqKoWNYoTjZJklfbv3F0kK5WTmkm+LGYoCTJeI4EFggbrrp7PFQ8/19b+P11VVb8f0R+D69muvvXagey8IWlZtXx26s0h//KavY45XtKZKRr3WYHO8H+h034VeIXAP/0Ch54SUs8oPJWjcsBKcXxvymr3gmBfcYhk81u6II03cE9P5NF+vZCZhvPaPDPTOjqJ33Fv/GkF+cAx5LuiC0c7wMbeJekBwDLmrdygvCLT+NJDL0HYlEDrZDzh+sCF50BJLC8L0WJXGnP2JZ4dE03kwaSN4aOK4oUqMl1SfzESiknkqUmfHtOb0ue5YN/bw+fxTm1HBVSI/nVhEC+A1J1VmY/cw4oH6amjo9WAqSXbc1kwFI2m6ZztRidK8lrpqtm00Y4Uf+G6hXLbMQ85N4eKGWIYumhpu9Dom07iCEhZ6U7etVB5L6FWeqHobFrvNy6h0xVibkfIO24e3XN4UbeT66jZ3NR0g9kTk9HRRh9/Sopg4B2Jxfn9aF6zPGyzBGLd5hFPJuNd/sU6jX41d5p4X3LooUtZAz8r/duHSGo9PVfmoGG/wy9TJNGzOiX1L1rkYPuG0f3AjT8gEgOBGQU9kgAPeja+amPcNCMl2uy3/W9PHrGPBEWWPjT5HlIGw+BTx8JGh1v4uuUz6+XX1PAo1+j/WkR9MNpVQL+37Yh7IsUcaCuajlqy/PqAsIdeje5WP60tczqjPhCkyXATfdE5d7RILNfUWFW/OqRy3z+UFg1g334/f6Ve8BONbGT8L4oAh7ktDZtajeMIOU8cvqQ5yWgqu5LLZrpAoWWXDrTnH4vmdBCPWicKAqRl8wJKmI/mD5E29FLK06TcNAG6uY4nhNKUlQOGJdbCPIEXPVg0DCtxH2VDgose1MLfi+tWujjcIh70bB2Iwlnz2/g2a/tEaC7ISK98pyjShKTpCUcTHv8CftsmlDZoje5UB/5Cpto/di4Wm+/FHTv4Dr9IojnBJAAA=",
            text: ##"""
// One entity: its text and its form, the changes of others as they come, and saving without a loss.
import { idText, splice } from '../json.js';
import { textAt } from '../reducer.js';
import { openCopyAs } from './copyas.js';
import { announce, button, confirmAct, copyText, disable, element, fill, hold, openDialog, plain, problemCard, refill } from './dom.js';
import { entityForm, known } from './form.js';
import { changePanel, choose, conflictPanel, differences, merge, pointersOf } from './merge.js';
import { ask, may, observe, server, watch } from './server.js';
import { actsRow, banner, bullets, code, emptyState, facts, linkButton, loading, say } from './show.js';
import { entityHash, entityUrl, go, idLiteral, pageHash, place, typeUrl } from './state.js';
import { attempt, isSame, layout, marksOf, textEditor } from './text.js';

const formLimit = 256 * 1024; // characters; longer ones are edited as text alone
const revisionOf = ({ headers }) => Number(/\d+/.exec(headers.get('etag'))?.[0] ?? NaN);

function requestUrl(type, id) {
  if (/^\.\.?$/.test(id)) throw new TypeError(`No address has the id '${id}'.`);
  return entityUrl(type, id);
}

export const open = (place) => new EntityPage(place);

class EntityPage {
  #type;
  #id;
  #query;
  /** 'loading', 'absent', 'stored', 'gone' (removed while it was shown), or 'new': to be created. */
  #state = 'loading';
  #base = null; // what is stored, as far as is known: the exact text
  #revision = null;
  #meta = null;
  #shown = ''; // what the editor has where nothing is to be saved
  #isSaving = false;
  #tried; // the text that was sent without an id, and its key
  #sent = new Set(); // texts that may be stored, since their answers were lost
  #schema = {};
  #form;
  #unfit = [];
  #drawn = [];
  #epoch;
  #hasSource = false; // its type, of remotes
  #again;
  #isClosed = false;
  #question = null; // whether to leave, while it is asked
  #head = element('h1');
  #acts = actsRow();
  #said = ''; // what has happened last
  #notice = element('div', { 'aria-live': 'polite' });
  #outcome = element('div', { test: 'outcome' });
  #facts = element('div');
  #body = element('div', { class: 'columns' });
  #long = element('p', { class: 'muted', test: 'text-only' }, 'This entity is long: it is edited as text alone.');
  #status = element('span', { class: 'muted', test: 'edit-state' });
  #editor = textEditor('JSON of the entity', () => this.#edited());
  #save = button('Save', () => this.#saveAll(), { class: 'primary', test: 'save' });
  #revert = button('Revert', () => this.#take(this.#base, this.#revision, true), { test: 'revert' });
  #remove = button('Remove', () => this.#removeIt(), { class: 'danger', test: 'remove' });

  constructor({ type, id, own }) {
    [this.#type, this.#id] = [type, id];
    this.node = element('article', { class: 'entity', test: 'entity' }, this.#head, this.#notice, this.#outcome, this.#facts, this.#acts, this.#body);
    this.#name();
    server.addEventListener('change', this.#draw);
    addEventListener('beforeunload', this.#unload);
    fill(this.#body, loading());
    if (!this.#isOwn) this.#describe();
    if (id === null) this.#begin(own.get('_from'));
    else this.#follow();
  }

  /** Head, keys and acts: a new entity has an id only when it is stored. */
  #name() {
    const [type, id] = [this.#type, this.#id];
    const copyAs = () => openCopyAs(entityUrl(type, id));
    const key = (label, act) => ({ label, act });
    this.title = id === null ? `new ${type}` : `${type} / ${id}`;
    this.keys = { e: key('edit', () => this.#editor.focus()), y: key('copy the text', () => copyText(this.#editor.text)),
      'Ctrl-s': key('save', () => this.#save.click()),
      ...id === null ? {} : { c: key('copy as', copyAs), Delete: key('remove', () => this.#remove.click()) } };
    fill(this.#head, element('a', { href: `#${typeUrl(type)}` }, plain(type)), ' / ', id === null ? 'new' : plain(id));
    refill(this.#acts, this.#save, this.#revert, id !== null && [
      !this.#isOwn && hold(linkButton(pageHash(typeUrl(type), [['_new', '1'], ['_from', id]]), 'Duplicate'), () => may('write', type).why),
      button('Copy as', copyAs, { test: 'copy-as-button' }), this.#remove], this.#status);
  }

  /** The same entity at another address, as where a new one has been stored. */
  update({ type, id }) {
    if (id === null || type !== this.#type || id !== this.#id) return false;
    this.#draw();
    return true;
  }

  /** Asks once at a time; a text that is saved meanwhile needs no answer. */
  async leave() {
    if (!this.#isDirty) return true;
    this.#question ??= openDialog({ title: 'Leave without saving?', test: 'unsaved', body: say('What you have changed is not saved.'),
      actions: [['Leave', () => true, 'danger'], ['Stay']] }).finally(() => { this.#question = null; });
    const isLeft = await this.#question === true || !this.#isDirty || this.#isClosed;
    if (!isLeft) setTimeout(() => this.#settle()); // behind the frame, which goes back to where it was
    return isLeft;
  }

  #endQuestion() { if (this.#question) document.querySelector('[data-test=unsaved]')?.close(); }

  /** A new entity that has been stored gets its own address, where the user has not gone elsewhere. */
  #settle() { if (!this.#isClosed && this.#id !== null && place().type === this.#type && place().own.has('_new')) go(entityHash(this.#type, this.#id), { replace: true }); }

  /** Another token is asking: a text that is not saved stays. */
  reenter() {
    if (!this.#isDirty) return false;
    fill(this.#outcome);
    if (this.#query) this.#follow();
    this.#draw();
    return true;
  }

  close() {
    this.#isClosed = true;
    this.#endQuestion();
    clearInterval(this.#again);
    this.#query?.close();
    server.removeEventListener('change', this.#draw);
    removeEventListener('beforeunload', this.#unload);
  }

  get #isDirty() { return this.#editor.text !== this.#shown || !!this.#form?.waits; }
  /** Whether conflicts wait for a choice; what comes meanwhile is met when it is made. */
  get #isOpen() { return !!this.#notice.querySelector('[data-test=conflicts]'); }
  get #hasRemote() { return this.#hasSource && this.#id !== null; }
  get #isOwn() { return this.#type.startsWith('_'); }
  #unload = (event) => { if (this.#isDirty) event.preventDefault(); };

  // What is stored ----

  /** A new entity, or a copy of another without its id. */
  async #begin(from) {
    let text = '{\n  \n}';
    try {
      if (from === undefined) this.#shown = text;
      else text = layout(splice((await ask('GET', requestUrl(this.#type, from))).text.trim(), '/id', null));
    } catch (problem) {
      fill(this.#outcome, problemCard(problem));
    }
    this.#create(text);
  }

  #create(text) {
    this.#state = 'new';
    this.#editor.set(text);
    this.#draw();
    this.#editor.focus();
  }

  #follow() {
    const url = entityUrl(this.#type, this.#id);
    this.#query?.close();
    this.#query = watch(this.#isOwn ? url : `${url}?meta=true`);
    this.#query.addEventListener('sync', () => { if (this.#isAnew) this.#receive(); });
    observe(this.#query, () => this.#receive());
  }

  /** Whether the data are another generation's, which counts its revisions anew. */
  get #isAnew() { return this.#epoch !== undefined && this.#query.at?.startsWith(`${this.#epoch}.`) === false; }

  /** Shows what the live query has where the user has changed nothing, else tells of it. */
  #receive() {
    const { state, problem, ids, at } = this.#query;
    if (state === 'failed') {
      if (!this.#isDirty && !this.#isSaving) this.#clear();
      fill(this.#outcome, problemCard(problem, () => (fill(this.#outcome), this.#follow())));
    }
    if (this.#isSaving || state === 'failed' || state === 'connecting' || (this.#state === 'loading' && state !== 'live' && state !== 'once')) return;
    if (this.#isAnew) this.#revision = null;
    this.#epoch = at?.split('.')[0] ?? this.#epoch;
    const row = ids.length ? this.#query.text(ids[0]) : null;
    const meta = row && textAt(row, '/_meta');
    const told = meta ? JSON.parse(meta) : null;
    // What this page has saved, or found removed, may be ahead of the stream.
    const seq = told?.revision ?? Number(at?.split('.')[1]);
    if (this.#revision !== null && (seq < this.#revision || (row && this.#state === 'gone' && seq === this.#revision))) return;
    if (this.#hasRemote) this.#askMeta();
    else this.#meta = told;
    const text = meta ? splice(row, '/_meta', null) : row;
    if (row === null) this.#lose();
    else if (!this.#isDirty || isSame(text, this.#editor.text)) this.#take(text, told?.revision ?? null);
    else if (text === this.#base) this.#revision = told?.revision;
    else if (!this.#isOpen) this.#tell(text, told?.revision);
    this.#draw();
  }

  /** What cannot be read any more is not shown any more. */
  #clear() {
    [this.#state, this.#base, this.#revision, this.#meta, this.#shown, this.#said, this.#drawn] = ['loading', null, null, null, '', '', []];
    this.#editor.set('');
    for (const one of [this.#body, this.#facts, this.#notice]) fill(one);
    this.#draw();
  }

  /** Takes what is stored; `isForced`: over changes of the user, too. */
  #take(text, revision, isForced = false) {
    if (this.#isSaving) this.#said = 'Saved.';
    else if (this.#base !== null && text !== this.#base) {
      this.#said = `Changed by another: ${differences(this.#base, text).map((pointer) => pointer.slice(1)).join(', ')}.`;
      announce(this.#said, 'entity');
    }
    if (isForced && !this.#isSaving) this.#form?.forget();
    const isNews = text !== this.#base || isForced;
    this.#state = 'stored';
    this.#base = text;
    this.#revision = revision;
    if (isNews) {
      if (isForced || !isSame(text, this.#editor.text)) this.#editor.set(layout(text));
      this.#editor.mark([]);
      fill(this.#notice);
      fill(this.#outcome);
    }
    this.#shown = this.#editor.text;
    this.#draw();
  }

  #lose() {
    if (this.#state === 'loading') this.#state = 'absent';
    if (this.#state !== 'stored') return;
    this.#state = 'gone';
    this.#base = null;
    fill(this.#notice, banner('bad', 'removed', say('Somebody has removed this entity. Its last text stands here.'), button('Write again', () => {
      this.#state = 'new';
      return this.#saveAll();
    }, { test: 'write-again' })));
  }

  /** Another has changed what the user is changing, too. */
  #tell(text, revision) {
    refill(this.#notice, changePanel(this.#base, text, () => this.#merge(text, revision), () => this.#take(text, revision, true)));
  }

  // Saving ----

  async #saveAll() {
    const waits = this.#form?.waits;
    fill(this.#outcome, waits && banner('bad', 'waits', say(waits)));
    if (waits) return;
    this.#editor.mark([]);
    this.#isSaving = true;
    try {
      // Each round takes in what another has saved meanwhile.
      for (let round = 0; round < 5 && !await this.#put(); round++);
    } catch (problem) {
      this.#fail(problem);
    } finally {
      this.#isSaving = false;
      if (this.#query) this.#receive();
    }
  }

  /** Answers false where the text was merged with what is stored, and is to be sent again. */
  async #put() {
    const sent = this.#editor.text;
    const id = this.#id ?? attempt(() => idText(sent));
    const url = id === undefined ? typeUrl(this.#type) : requestUrl(this.#type, id);
    // Sent again, a text without an id is not stored a second time.
    this.#sent.add(sent);
    if (this.#tried?.sent !== sent) this.#tried = { sent, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
    const headers = id === undefined ? { 'Idempotency-Key': this.#tried.key } : this.#state === 'stored' ? { 'If-Match': `"${this.#revision}"` } : { 'If-None-Match': '*' };
    try {
      const answer = await ask(id === undefined ? 'POST' : 'PUT', url, { body: sent, headers });
      return this.#keep(answer, sent);
    } catch (problem) {
      if (problem.status !== 412) throw problem;
    }
    const present = await ask('GET', url).catch((problem) => { if (problem.status !== 404) throw problem; });
    const text = present?.text.trim();
    const own = [...this.#sent].find((one) => isSame(one, text));
    if (own !== undefined) return this.#keep(present, own) && own === sent;
    if (!present) this.#lose();
    else if (this.#state === 'stored') return this.#merge(text, revisionOf(present));
    else if (this.#id === null) {
      fill(this.#outcome, banner('bad', 'exists', say('An entity with this id exists: ',
        element('a', { href: entityHash(this.#type, id) }, 'open it'), ', or give another id.')));
    } else this.#tell(text, revisionOf(present));
    return true;
  }

  #keep(answer, sent) {
    const stored = answer.text.trim();
    this.#sent.clear();
    const isNew = this.#id === null;
    if (isNew) this.#id = idText(stored);
    if (this.#editor.text === sent) this.#take(stored, revisionOf(answer), !isSame(stored, sent));
    else [this.#base, this.#revision, this.#shown, this.#state] = [stored, revisionOf(answer), sent, 'stored'];
    if (isNew && !this.#isClosed) {
      this.#name();
      this.#follow();
      this.#settle();
    }
    if (this.#unfit.length) this.#describe();
    return true;
  }

  /** Merges what is stored into the text; answers whether the user has to choose, or to mend the text. */
  #merge(text, revision) {
    const merged = attempt(() => merge(this.#base ?? '{}', this.#editor.text, text));
    if (!merged) {
      fill(this.#outcome, banner('bad', 'no-json', say('Your text is no JSON yet, so nothing can be merged into it.')));
      return true;
    }
    const { taken, conflicts } = merged;
    [this.#base, this.#revision, this.#shown, this.#state] = [text, revision, layout(text), 'stored'];
    this.#form?.keep();
    this.#sent.clear();
    this.#editor.set(merged.text);
    fill(this.#notice, taken.length > 0 && banner('good', 'merged', say('Taken from what another has saved: ', pointersOf(taken), '.')),
      conflicts.length > 0 && conflictPanel(conflicts, (choices) => {
        this.#editor.set(choose(this.#editor.text, conflicts, choices));
        fill(this.#notice);
        return this.#saveAll();
      }));
    this.#draw();
    return conflicts.length > 0;
  }

  #fail(problem) {
    this.#editor.mark(marksOf(this.#editor.text, problem.errors));
    const said = new Map([['unknown', 'It is not known whether this was saved. Your text is kept here; saving again compares it with what is stored.'],
      ['not-applied', 'Nothing was written. Your text is kept here.']]).get(problem.outcome);
    fill(this.#outcome, said && banner('bad', `outcome-${problem.outcome}`, say(said)), problemCard(problem));
  }

  async #removeIt() {
    if (!await confirmAct({ title: `Remove ${this.title}?`, text: 'It is removed for good.', act: 'Remove' })) return;
    await ask('DELETE', requestUrl(this.#type, this.#id), { headers: this.#isDirty ? {} : { 'If-Match': `"${this.#revision}"` } });
    this.#shown = this.#editor.text;
    this.#draw();
    if (!this.#isClosed && !this.#question) go(`#${typeUrl(this.#type)}`);
  }

  // What is shown ----

  /** The declaration of the type: form, relationships, unfit entities. A type that nobody has written has none. */
  async #describe() {
    const answer = await ask('GET', entityUrl('_types', this.#type)).catch(() => null);
    if (!answer) return;
    const { schema, sources = [], unfitEntities = [] } = answer.json;
    this.#schema = schema ?? {};
    this.#form = entityForm(answer, (text) => {
      this.#editor.set(text);
      this.#edited();
    });
    this.#unfit = unfitEntities.find(({ id }) => (typeof id === 'string' || Number.isSafeInteger(id)) && String(id) === this.#id)?.errors ?? [];
    this.#hasSource = sources.length > 0;
    if (this.#hasRemote) this.#askMeta();
    this.#draw();
  }

  /** Live rows do not tell when they were fetched, and what a remote has yet to learn. */
  async #askMeta() {
    const answer = await ask('GET', `${entityUrl(this.#type, this.#id)}?meta=true&source=local`).catch(() => null);
    if (!answer?.json._meta || !this.node.isConnected) return;
    this.#meta = answer.json._meta;
    this.#draw();
    clearInterval(this.#again);
    if (this.#meta.sync === 'pending') this.#again = setInterval(() => { if (!document.hidden) this.#askMeta(); }, 5000);
  }

  #edited() { this.#said = ''; this.#draw(); }

  #draw = () => {
    if (!this.#isDirty) this.#endQuestion();
    const { text } = this.#editor;
    const { why } = may('write', this.#type);
    this.#editor.hold(why);
    const isLong = text.length > formLimit && !this.#form?.waits;
    if (this.#form && !isLong) this.#form.set(text, why);
    const isThere = this.#state === 'stored';
    disable(this.#save, why ?? this.#form?.waits ?? (this.#isOpen ? 'Each conflict needs a choice first.' : isThere || this.#state === 'new' ? null : this.#state === 'gone' ? 'It was removed; Write again stores it anew.' : 'Nothing is stored here.'));
    disable(this.#remove, why ?? (isThere ? null : 'Nothing is stored here.'));
    disable(this.#revert, this.#isDirty && this.#base !== null ? null : 'Nothing has been changed.');
    fill(this.#status, plain(this.#isDirty ? 'Not saved yet.' : this.#said));
    this.#status.dataset.state = this.#isDirty ? 'dirty' : 'clean';
    // What is drawn stays, and with it the focus, unless it is another.
    const { state, problem } = this.#query?.source ?? {};
    const drawn = [this.#base, JSON.stringify([this.#state, why, isLong, this.#revision, this.#meta, state, problem]), this.#schema];
    if (this.#state === 'loading' || drawn.every((one, index) => one === this.#drawn[index])) return;
    this.#drawn = drawn;
    const side = isLong ? this.#long : this.#form?.node;
    if (this.#state === 'absent') fill(this.#body, emptyState('Nothing is stored under this id. It appears here as soon as somebody writes it.',
      !why && button('Write it', () => this.#create(`{\n  "id": ${idLiteral(this.#id)}\n}`), { test: 'create' })));
    else if (this.#body.firstChild !== this.#editor.node) fill(this.#body, this.#editor.node, side);
    else if (side !== this.#body.children[1]) {
      this.#body.children[1]?.remove();
      this.#body.append(side ?? ''); // The editor is not moved: it may have the focus.
    }
    refill(this.#facts, this.#base !== null && facts(known({ type: this.#type, base: this.#base, revision: this.#revision, meta: this.#meta, schema: this.#schema, upstream: this.#query?.source })), this.#unfit.length > 0 && banner('warn', 'unfit',
      say('The stored entity does not fit the declaration of its type:'),
      bullets(this.#unfit, ({ pointer, detail }) => [code(pointer || '/'), ' ', plain(detail)])));
  };
}

"""##),
        BrowserFile(
            at: "/console/explain.js", .script, tag: "\"e23ffc9ad649e0f070fd481e17328ed0\"",
            packed: "H4sIAAAAAAACA5VZ557bNhL/7qeYVJAJTaUXOfKm9+pyTaf8hBWhFWKKUABwZd1G735TWCBr01xEAhgMpvxnMAAnE/jn5gBxYwPoJuyNL0BH2G/wZ+VCxFZTYfOATzBNtPEASJo1LuZgG7CxvGO3O+cj3EA0T+NHEY6w9m4Lqiwn3lTtyvjyl6DujXSXbYyuKcDUZos8C1jbui5gV2vb4MO7Sxz4RPtqZDWp3PYZLjvtg/nc1tH4hA5ZxbMFdXiSkATjr89JVjE8cPsCLrXHn7auTQwF2qAy9NuymERUwMboyjZXBdSOX0jy1mvUIOgD/qy8q6mx1cPjkUaVUhE2bv+MAJWhtX7UPhadoR97nO6alaEXUldvzamyIepohM+dlWtChIMJMIPMhke+NQV7JIfZ/d7UmQo73agC11vVOoQpCCVcgLpyrlIwBXWp8XnsJiPnySuvwJduD97tAyBCDKzRHlVB/tcQkK1BIUt4ZXJn3TaraF0z9GY38MQKbWWeFszjs6d6axtTSeuBia3nlvOV8Z+jal8JLVs9aXvdXJlPqBOOOdzcARCd9/pASjdmD9/pXTbHAYC5CivWVH3vZHGkC9AGU00BPZJoc+UaA3HjXXu1KdWi6ObbimY/OFUaLilYjPVgq1BgYNjVhjpAcAcN+igQE2YQ/oxDslyDUhD5o5EZKgBbHXGFxsUNIy04fCfZWZvauSemAh0TPmw1hesvH5C9Arg1Cyg2WAqkM27luJxIxpNMhWyYzyK/l1oXZmzj8srEjLyZw8UFzG9XrF9InS6UOu8+vI54WzJ+XrwZB45CFMoloRBlISE8w2PE747BG02ISIMZo7nbQ40xu6cIXCJbCcnsFG8Kmyo/jnZDyT0Ss/pZikYkohhtyqXY9RSb8PLLoODRoOxGB/Gp0JWqB+/5hOiirsEyPQT7P0P+6fRWaPYjx1vCO24oH7u2rmBj6l0BuJaGrdleGk9zl/GwM2E5BfNrq2sbrQmIHx9iQUs09CNS4S8Q0nmxe9BgipsCoY4j1zzlPDQE8F4TIFj4jFYoOlB2YZrGn3cuwqwH7UWamDPpzGFKKbbB0Jsv4DiCi/zICYt4lEjAyKLGIi9lbpZRqo8bOHIio1eyJj+fm82A4nSEK/czR7czXkfnA0+bl2VJCeKhiRkvmnB3u0I8ISs8R++0xMChtM2qbisTkGmel1u9u0WoPF+MUrAvYCbSZHM1m1FoW85HCBZ6RN8a7gzfoydUGnJsYVOxFvRKRlEqL8MO/ZupQo22eWIOLAE+SeTnJj9ntgrT3xodCf+/3b2w1Yv5pCSdmZiXwV3/ezdiN8XIGkOirnDxlQ6mHESqNf7MesnK2jRX4ofn+q7gtuZEntI0VfinjZtMTVdW5Zg1Bs2mg2U+IBt8wOa5zz/8GqL2kScrBEKo7cpkrxXw+mgkWoH8TI5laxeAbyTmmW2e4/HRiSSbN5g7kOnk57uTgoyb50m6Yea9khfw9cMfvi9D9JiB7fqArueQI0jP6W1Bb2xM6pyncznViahTfsxfW2AA0F+KCYpBDnlRiXasb+3WkqVffw3/4OY7BCTlui4SW6oHbringNpem34/tGvIqLcU184wPFp8W1P2E4pBw/kfZFRvSNlVNFIHqH+71oO3V5sYOCsC+brfV3gf1bVrMKfQGPYd0l3BBtq9ICKqSlCSTQGWfYYWeZPUO6bpPgPnXeWVzedKfIsS8zRpEQx5r0n68sVCHHocAGPDJy7EmnYzJqSdjE0klQJx4f50y4D7o1NG6HXWHTjS1LN8mUqYVG8ZO09xICDqEsxx3TIWTjQ9F3Ol6wxuq+z1WMdx1dY0xqMcnrIMu7PX7MiVadabnvaWYLRfbWCPrPrSZ9gHz6yArqBmyXs264756KNG3ru9aY0N8v32HnbTC9lqba/QxwTfKVeW37uTOVv9xICN5Gcfadvs9WWaVNmdN6rgcOkkyIW0B0an2lzxoCoSPAg5F2Syzfbg4VYSqa/Ril3hnyUUwgw5DIuYzi6KTwvn9iJGZ7CGyTm8ClieGf3ZCoTi7A88s0wFY1Tx6WCsxHp10wpGPHgwgb3SOKlXeY3fmc1jvzt7lKDHO+LONXal62dC9eI8UoVJY0QISRqc1C4PStLbhThxiHPqk65U+T1VysaHYVLfcZoH4YJxhKuyTsKsJ8W0MWwf80IcsOBNhF971IlJdFPZSsczDMkBMBsPfpkaadVw7KXeHcXGgGz1T30IXPBxAsUfzLmmwrBg9cgcirIWPSXtRti6EKm9oueiOBONixWce3oKjL5ftDMfJGMbzith5XZmygtxBuHTOXEq+5J+eGcDj8Em6fDQJ9g03XIZnK02LpgmV/ltq1e9ZAOPvDgdTpIeJxjD8ok3aQ6ZJv+7k8h+Of/hA9BQiH+mVxvK3pHiUA9FsG1gSefjJflguXO2we7lFGwMEH0bN/3FiY4cTHKip2IrrbZlO2lcZQIDhSo+4lpIXwEd4wI6qLAXz/FF9voDXHVthhGpImUn/Z6Kpha8cI8aeu3TLa0r9YPIrFdRKly582GpOZt1Eh8nL97wzONESJe81Z2f56JPyw9akhxz588xWfT+XFbG7O6+ePOdjptyixh9pwCWvexkKfkMnU3+O5lcydF1kXchi/lTYFAZmUJ6MAR+F5UHE4T0Wtd0xfKQ68KkK//j+WKOPhFKi3IgM9CXtP9zmHRHflXIyKqNffS0MVdj5PAoEhsaZkxkClQfr8MoIZvrIX4ytP+5Meh/f3qzZ5vkOmO4/Tu93Lk2vrKr3uk2POTcmJwI5SYRZlI583mQiZPyPWhLB5znhFRcZAJcUJEQT6UoFUz7VYjgq3MR9dY1V0M5Wiq2zvSM1LUx2Mpw3x7h6fbgPLf4LuasGLu9Ru7UJ5wyGk5VKFi1nG4hHphrG6yjW46Oxnc9x3IpIEmCvzNnR9klADXhl9OLoUIS0uWBnyrNWOxWHYmwDqCJPakaN5yK+NJIB7r7WDvPh7pTz9aadGTUiD9rE4ENMoPXEvPocGhWkDGrs9xAlQnSv/oqkd5LBqSemYHeaxtFDh7mc4vMms14uZwVkAwk0wS8J/cjO92YGi4Nu1TDr63xCNQlujLLl6C96T2bHlV4e+VBZnvr3Qe2KXh+JP7ZDR+3mI2csk6VOSvI05MUQmSEPMXRbfRKe6vvUhmiaJqrbTRjBY+TTrmsramrlI9tdm0kTnyJMYU33kon37XV6fw5Cf4jCieGxdv/BcykF7v22OTsL0jAef1EPvT+sEZaOsKw08cra+rqricm88nFYpLP31jI5BFbTldZfwpl98qa/TV6lp9uEb2chLJMffHZIzXchmdyAu4dNe1uUyi5lXTpRdczvwTX9NczxEXEZ9nlBM0U5dZEjbNWvEVk3bcHnpV8h+j7RdY+k6ba9aL80JjMXJsm9opyo9x5fn5q1rqtY5anUcF5kL0q+0cZvd0KiUTGc5hOOqOk87qKenZ2tpQBxVudGIan9e4e7ckb9vCt4dRCuObxoktpM6IiVz9+8NUnbrtzDQFPlqETSLcXDaanRNaZnpNaOV7nZOrm+Y7r8yThM3sJx+54U4NC5DDlwyumPxtAPt1A5Ux3q2Dqmvcnlee9GLf5sm+QJLGVE8Fbr70FF38xxa91HQx/S+BNGUiU6Lyp+Fzh5fuZ5W8Y/V29JJqDa2GrD+CNrkjIYdue3oavPIWWxEuSdG+GDWM6ih0M4++kwBUsUl+XW/SlqSm5fCYDY4XVf/bK5JNcph6gnKCveDZLMBqlZ3uXhznYutzcM9sYCWSFKJNPhNjlzYU6L4jWzm9ZZtdMKXO1l1sbp0kUwXEUMpnHqowHJlsBNjh4+GNGeroSlcSrBy4bZRV1kh4xGNjLJDMKmnMK7ORtd3SGyqLrg1niMTrGD2fBNCyBuqgkdtweI64P5tSnwOrJjvZ/2Fa16oUdAAA=",
            text: ##"""
// Why this answer, at what cost, and why an entity is (not) in it.
import { textAt } from '../reducer.js';
import { button, element, fill, plain, problemCard } from './dom.js';
import { parseFilter } from './filter.js';
import { ask } from './server.js';
import { actsRow, bar, bullets, code, count, facts, heading, loading, plural, say, scroll, small, smallTable } from './show.js';
import { decodePart, entityUrl, onceUrl, parameter } from './state.js';

const yes = (isTrue, text) => element('span', { class: isTrue ? 'good' : 'bad' }, text);

/** How rows were found, in a sentence. */
function sentence({ kind, index, rowsExamined, rowsReturned, orderFromIndex, countFromIndex, rangeCount }) {
  const ways = new Map([
    ['scan', 'No index was used: all rows were gone through.'],
    ['id', 'Rows were found by their ids, which the filter names.'], ['ids', 'Rows were found by their ids.'],
    ['none', 'The filter can match nothing, so no row was looked at.'],
    ['count', [`Ranges of the index `, code(index), ' were counted.']],
  ]);
  const way = ways.get(kind) ?? ['Rows were found by the index ', code(index), rangeCount > 1 ? `, in ${rangeCount} ranges.` : '.'];
  return element('p', { test: 'plan-sentence' }, way, ` ${plural(rowsExamined, 'row')} looked at for ${count(rowsReturned)} shown.`,
    orderFromIndex && ' The index has their order.', countFromIndex && ' The total is the size of ranges.');
}

/** The index that would help, as a member of `types`: equalities first, then the order or one range; null: none. */
export function wantedIndex(type, filter, order) {
  const root = filter ? parseFilter(filter) : { and: [] };
  const tests = (root.and ?? [root]).filter(({ path }) => path && path !== 'id');
  const paths = (operators) => [...new Set(tests.filter(({ op, size }) => !size && operators.includes(op)).map(({ path }) => path))];
  const equal = paths(['==', 'in', 'has', 'true', 'isNull']);
  const ordered = (order ?? '').split(',').filter((key) => key && !/^(ids:|natural|-?id$)/.test(key));
  // No index has the order of folded case.
  const last = ordered.length && !ordered.some((key) => key.endsWith(':ci')) ? ordered : paths(['<', '<=', '>', '>=', 'startsWith']).slice(0, 1);
  const keys = [...equal, ...last.filter((key) => !equal.includes(key.replace(/^-/, '')))];
  return keys.length ? JSON.stringify({ types: { [type]: { indexes: [keys.length > 1 ? keys : keys[0]] } } }) : null;
}

const scanLimit = 10000;

function plan(type, url, { plan, live }) {
  if (plan.index === undefined) {
    return [element('p', { test: 'plan-restricted' }, 'Your rights show some of the rows alone; how they were found is not told. ',
      `${plural(plan.rowsReturned, 'row')} shown.`), facts([['filter', plan.filter && code(plan.filter)]])];
  }
  const isCostly = plan.kind === 'scan' && plan.rowsExamined > scanLimit;
  const index = isCostly && wantedIndex(type, plan.filter, parameter(url, 'order'));
  return [
    sentence(plan),
    isCostly && element('div', { class: 'banner warn', test: 'scan' }, say(
      `The search went through ${count(plan.rowsExamined)} rows. `, index ? 'An index would find them; in the configuration:' : 'No index would make it shorter.'),
    index && element('pre', null, index)),
    facts([
      ['index', code(plan.index)], ['ranges', plan.ranges.length > 0 && bullets(plan.ranges, code)],
      ['examined', bar(plan.rowsExamined && plan.rowsReturned / plan.rowsExamined, `${count(plan.rowsReturned)} shown of ${count(plan.rowsExamined)}`)],
      ['order from the index', plan.orderFromIndex ? 'yes' : 'no'], ['count from the index', plan.countFromIndex ? 'yes' : 'no'],
      ['filter, canonical', plan.filter ? code(plan.filter) : 'none'], ['found live by', live?.index && code(live.index)],
      ['watchers', live?.watchers === undefined ? null : count(live.watchers)]].filter(([, shown]) => shown)),
    plan.candidates.length > 0 && scroll(smallTable('candidates', element('caption', null, 'Ways that were weighed'), ['way', 'kind', 'rows at most', 'cost'], plan.candidates.map((way) => element('tr', null,
        element('th', { scope: 'row' }, plain(way.index), way.index === plan.index && way.kind === plan.kind && ' (chosen)'),
        element('td', null, way.kind), element('td', { class: 'figure' }, count(way.rows)), element('td', { class: 'figure' }, count(way.cost)))))),
  ];
}

/** Each part of a filter, in `text` at `pointer`: its truth, and what the entity has. */
export const nodesTable = (text, nodes, pointer, caption) => scroll(smallTable(null, element('caption', null, caption), ['part', 'is', 'the entity has'], nodes.map((node, index) => {
    const actual = textAt(text, `${pointer}/${index}/actual`);
    return element('tr', { test: 'node' },
      element('th', { scope: 'row', class: `deep-${Math.min(6, (node.pointer.match(/\//g) ?? []).length)}` }, code(node.text)),
      element('td', null, yes(node.value, String(node.value))),
      element('td', null, actual ? code(actual) : node.absent && 'nothing', node.cut && ' (cut)',
        node.note && small(' ', plain(node.note))));
  })));

/** Whether an entity is in the filter, and why. */
function verdict(text, isShown) {
  const answer = JSON.parse(text);
  const said = !answer.matches ? 'Not in the filter.' : isShown ? 'In the filter, and among the rows.'
    : 'In the filter, outside the window or the ids.';
  return [
    element('p', { test: 'verdict' }, yes(answer.matches, said), ` Revision ${answer.revision}.`),
    nodesTable(text, answer.nodes, '/nodes', 'The filter, part by part'),
  ];
}

/** What fills a node with what was asked for last. */
function latest(node) {
  let turn = 0;
  return async (asked) => {
    const mine = ++turn;
    const shown = await asked;
    if (mine === turn) fill(node, shown);
  };
}

/** The panel beside a query. `ids()` are the ids of the rows that are shown. */
export function explainPanel({ url, ids }) {
  const shown = element('div', { test: 'plan' });
  const why = element('div', { 'aria-live': 'polite', test: 'why' });
  const field = element('input', { size: 24, test: 'why-id' });
  const [showPlan, showWhy] = [shown, why].map(latest);

  const typeOf = (url) => decodePart(url.split(/[/?]/)[2]);

  function load() {
    fill(shown, loading());
    return showPlan(ask('GET', onceUrl(url, { explain: 'true' })).then(({ json }) => plan(typeOf(url), url, json.meta)).catch((problem) => problemCard(problem, load)));
  }

  function explainOne(event) {
    event.preventDefault();
    const id = field.value.trim();
    if (!id) return;
    const filter = parameter(url, 'filter') ?? 'true';
    showWhy(ask('GET', `${entityUrl(typeOf(url), id)}?matches=${encodeURIComponent(filter)}`)
      .then(({ text }) => (text.startsWith('{"matches"') ? verdict(text, ids().includes(id)) : say('This server does not tell why.')))
      .catch((problem) => (problem.status === 404 ? element('p', { test: 'verdict' }, yes(false, 'Nothing is stored under this id, or nothing that you may read.'))
        : problemCard(problem))));
  }

  load();
  return {
    node: element('section', { class: 'explain', 'aria-label': 'Explain' },
      actsRow(button('Read again', load, { test: 'explain-again' })), shown,
      heading('Why (not) here?'),
      element('form', { on: { submit: explainOne } },
        element('label', null, 'id ', field), ' ', element('button', { type: 'submit', test: 'why-ask' }, 'Why?')), why),
    update(to) {
      if (to === url) return;
      url = to;
      showWhy();
      load();
    },
  };
}

"""##),
        BrowserFile(
            at: "/console/fields.js", .script, tag: "\"4af43d82d97b30ac233d45d66fecfbf4\"",
            packed: "H4sIAAAAAAACA3VWWZKjOBN+9ymyV6BCRf3rLHa4e/aX2Zc3BxFWg1yoWyBGElXtcRMxp5mDzUkmlQJhaumlSkqlcvkyvxRXV/BbLaDjhjfCCWNBH4DD772wTuoW3ggrKwHSWThIhQpr4LgSqgLBy5qBq7UVwJVuBa65wx+4OHYCSt5CzW9EvpJNp42DEwglGtE65m0pBp3isoUBDkY3kORXlW7ytzbZxAtzXGda1nEngt7q6uICfkANBrfed8OPgMdtBWhXOkZxW/mH8PuyRmOlz5HBDVeYITiNUo0JkPEcLq5WpW6tCxla2MJul2hTCZMwSC47I7WR7sicdEqg6N//KxjsEiUb6bzGv//1L/wVhPpwsIKks+za6L7zos7oThh3xPWndMKvr424xsT8aal7BMn2Tdpm3st/CrYCVKokFqUt3YMWQsj+iCtFt0iM+qqvBMl7LJZhf//513xsdW/KcNoeSUwJ6ZIrLzSi0U7Mqx/Nd+NR0PnR/ELyKMBmakdRMUaNYVppKehGmGuv+wk6CZtgGhshBNHqli7isTO9dbP1A1fWLz4az2Yh6hebWDeDP7fw3w1gZ4fepK7k6pYfbWgOlAgjxhshL9gusJhDXoRRjB235/Zdiu3UXgub7QF3Fm6lq0F7y2dkoo4S76mZD31bEqXi8TdUsRSvZ3BCqEJAsu1651svFDRveJemu5aanHCqtcKGZNTXzPevLIUtMti+mviVJmQEwz/BoxedsG4Ne/Jy+fzk9YY9AyVRPFmFly9hP65nHQwVQLdrtB5AWEMqbtAvxeCxOQEFXKyB5LnjWGqXE+tyZ2STZvDhA7S9UjBkMOCPbBMRGB3OEITJk6a0JSe02v23yBbwMBiZfReOijuOiQVEZLW+nxQM09VgkdZLI7rz5SMTdOqDPg9b8TdCPVg47GfZVuL90h7pJ4xQYGOdQvF3pF2cGzdCce/e1rJDH7MV2/EQU6m4tWuY54DRCiszzxxuJL8MTtcwz4XQCFFwGZBJYDjzXgnHpVr4HUUx/jmgvmm4OcaDEACDOOHYCBADP4kydmZT3jyUCtZmBDe3CmNLieUZW4ISqeBhw8g9UT+HN/o9HLShxwrTQMtGVIuLm8haV9OAOBJrYSZseCLS3igWTQTGTviEu1tII7eDdkQ5g9evIUmy3HZKYqYMl2NXf6GxTrwltIEexvROXrs8zye/+TtxtGlWhO7CpglNGoKJI8T+2MI2RJVb3Yg09WvS9AvYbreQXCTIQdpPUeVJtvtXQadkebOw6qHcPjBi6LXHapW1KN+hEspoKao1RcLuzopFxHOD0+BOQ9AjbjbFKBG7ByGAdcgwIhmTfCipJ3eTgnFSja7W5MNHwQAXmEc+ZoHuA4sBdYoif6tlu5hfk8UB/847I1xv2sfojvbH759QxPHaEBbDahUNBKBajWiEGBdU+BeDiQ0jI+nVDe3/a61vLbh733d7bM79BvaLPttDyuF73mXgn8h9zW149faAoMevusSO7ACwwoUuPy2JuI4kYRCtYGax5J6Paah6mHRsBLjA4KbpiZgZKbDO2d1WGafvFpZkC9UNPJtrLA+QVrrsfQ1yjny+EV+HilBHLOftcptPfug3mVxy7AChpYgwkerYLrFT6dPzFfwL1vDEEA5zZ4dwsYsiRrMLKnGMo5ZVJTyhn5BTfJOfLEIaFjRFdqDq/vnp0Vk0XD0/PUSoYR8sBtQWNc39C4oF96oEHP7OHh6Mk43H79Ptc1cE+3K4j2MrPrVEa1pn2dTpue4IFmcmLAbmybNZDat/AAg7LW7YDAAA",
            text: ##"""
// The parameters of a question beside its filter: a field each, those alone that the type can have.
import { element, fill, plain } from './dom.js';
import { parameter } from './state.js';

/** Name, what may stand in it, its size in characters, values to choose from. */
const fields = [['order', '-priority,title', 14], ['limit', '100', 4], ['offset', '0', 4], ['group', 'property', 9], ['aggregate', 'count,sum(n)', 12],
  ['distinct', 'property', 9], ['fields', 'all', 12], ['include', 'author,…', 12], ['source', 'any', 12, ['local', 'remote', 'remoteOrLocal', 'localOrRemote', 'localThenRemote']],
  ['persist', 'merge', 8, ['merge', 'replace', 'none']], ['trustRemote', 'false', 6, ['true', 'false']]];
const first = 3; // those that always stand there
const remote = ['source', 'persist', 'trustRemote'];

/** `ask(changes)` asks with other parameters. */
export function parameterFields(ask) {
  const inputs = fields.map(([name, placeholder, size, choices]) => element('input', { name, placeholder, size, test: `field-${name}`, list: choices && `choices-${name}`,
    on: { change: (event) => ask({ [name]: event.target.value.trim() || null }) } }));
  const choices = fields.filter((field) => field[3]).map(([name, , , values]) => element('datalist', { id: `choices-${name}` }, values.map((value) => element('option', { value }))));
  const labels = fields.map(([name], index) => element('label', null, name, inputs[index]));
  const relationships = element('span', { class: 'fields', role: 'group', 'aria-label': 'include', test: 'include-choice' });
  const details = element('details', null, element('summary', null, 'group, aggregate, fields, …'), element('div', { class: 'fields' }, labels.slice(first), relationships, choices));

  /** A box for each declared relationship; other paths stay. */
  function choose(url, declared) {
    const paths = (parameter(url, 'include') ?? '').split(',').filter(Boolean);
    fill(relationships, [...declared.keys()].map((name) => {
      const isOn = paths.some((path) => path === '*' || path.split('.')[0] === name);
      const box = element('input', { type: 'checkbox', checked: isOn, on: { change: () => {
        const rest = (paths.includes('*') ? [...declared.keys()] : paths).filter((path) => path.split('.')[0] !== name);
        ask({ include: [...rest, ...box.checked ? [name] : []].join() || null });
      } } });
      return element('label', null, box, plain(name));
    }));
  }

  return {
    nodes: [...labels.slice(0, first), details],
    /** Shows the parameters of `url`; `relationships` (a Map) and `hasRemote` are the type's. */
    set(url, { relationships: declared, hasRemote }) {
      for (const [index, [name]] of fields.entries()) {
        const value = parameter(url, name) ?? '';
        if (document.activeElement !== inputs[index]) inputs[index].value = value;
        const isOf = name === 'include' ? declared.size > 0 : !remote.includes(name) || hasRemote;
        labels[index].hidden = !isOf && !value;
      }
      const key = `${parameter(url, 'include')}/${[...declared.keys()]}`;
      if (relationships.dataset.key !== key) choose(url, declared);
      relationships.dataset.key = key;
      if (inputs.slice(first).some(({ value }) => value)) details.open = true;
    },
  };
}

"""##),
        BrowserFile(
            at: "/console/filter.js", .script, tag: "\"51b4d306ac02f2d1900b2f190ed2bdb6\"",
            packed: "H4sIAAAAAAACA3xWd3erPhL9359iUk6ABOPtxQ7x9t77LvAOMgw2L1jykUTKGr/P/ptBGDuvJyCNZq7uvQwisxn8qm4sajMHiy8WamkVjYw1IGQJK1E8RvDvjaAVAztNy1jCRhiwG4QtClnLNagKnjnlWVCO0AbLBeWqHWr7SgG7MRPaiPGamvYSjYFHxB1j1BrMDpuGYEIo63VtoVLajaJJvd0pbWEPVSsLWytpwh7vzxXdG1HLP4kthqDRoH7CMuw1GDhApdUWvGjGydF74y0mk9nt7QRu4adQ9YJBkEKwGqmeNlQSe9mspbYLyLkyDyF/Ek2LOZNnusPc5JwnSA5VCI1OA5YMWss+kZlEvGGudjmbxzuoiqfkgFXa5KEzri42kFvNu9TO1xVDMoEe4Cf2dYclVrDfc2wOxureLrU7jU39f1zOYaVUg0KG0NNcntYd7TGQZIcD/IP0vt2AI9DBXio7HxrjwHNSf5xTJUeU/ihQKGmskPa4A+G79Qmw766Hik29M2A26nnumizsjV1r1VJcVcdgK0t0z4RgJdKjf8IQUJBTnLTBLUhcC+5FpYHYRp/RcQP72vxJ2dEVovRzIvCRp0K+nnzj9rVmDj4nQvcxQgifzeZksiGgX7eFoT1mk0nvCUnYUl5taAIxJF4ceyF4F/31vr/0w4f+EnuZ61X4xwZh7JUzb4b+UpotoolroKEXrSKPlTLo3oDhRd1GTAdf+pfJkRqRmVIURWckiUYtiQxFuYl5/qFnSGjD7afy9ThqGh5x+/IdX4hFn0XGtbTm1AyPnxukNLDCTS1LEHJkMQdPKkvRNZcOhwQPmYBHWjlorHemYzwSHIgsfbULYD8BqCvwk68wimpZNG2JhisC0GhbLU8EFiNELT+V+xUAZsjVLsC8II7j3jzoOnc0vSmF5VHgfBRNAAfn2E/7CrDD2SvVcHBFkKuqMmhzKFQrrYF//uNX02//AFpZW+POrzfPuxHGDO/ir0TbWCBY5Ofw91dpxcsvtVaajXOdodvCKu27LUIgECwsls5aANOS235+DMP1/jg85MGiTyEbTeTqIQY34JUDK3PdJ8UWaS33l/Pr/XiQR0a1usBDl/JC8i7NMxqmeXBLv/niWNtuV6ipejZdUtq3uuTb0x9naXkb0CyN0vIu4HiCv8ySu2m2HAIXSfocTbNgdsRBU4gdMk6acv5lms5WldQ269okLX86/ZWYVtn+e4dgNhAbKocDjvlf9jypkv+9fOtbU7p+u8q6671DPwS3l53XJ3mfJPHUO0/1Ro2mXkvD1OK4u4i7+7h7iLsPdH3obm66lP53ycX9gx8kaRZmoyT+PDCt6z0bfGA/0shNCH5Et+oRJeVJfIa/4fqXLzs/TyBNbZrKNNXZLRX6y3tGe7je8+0QdBRwzlPIDQZX3JrzhNbc4BDkE4A7yHmN1fAKi3pThLJ8uA6CPATv1QvcSUGMRNl/LV3/r15BY9FqQ58AKMkrlDYEMYgQG8ruu921+V+ENui6+YrQSeS3FjwucWc3bvZRo/MmrrmHzuUAZfJtcRYVj+gHro3p0h/QFHLfa8dlfFOp0n3XhDTPqA3U1vR4PVEAh+X2dFz6kITY7SVPWzNwRMrsb2WJL8cElrY4qx6+n/GQjy9Y+KOWYBm5dVfBR9uFCwQOTWPVmkEcQNLHHmtZhic2GWH/efUeCxuhtLpG4w8QUUWZvp+EUKlWllkA8YMbwkUcA92RMrAMPvJS/pIyPpZzmkL8sfazBGHPK2F64hk1KNd243LdMeysHR+cE/uR+x8B3p0aITJNXaA/rgWRQaGLjT9L3kFqU5nqbDZoO726EJ8QEmGz8/VStasGWeAevNibw/D3wA0PBbuuNNzccKjjkNJ9pOs8OJx5UIm68b3Lb0q1ziW3jST8/55ieLWlAU7YeBmsEi6fc84QVYR3QYkuklgTWG0p4N09/U03ewbA0qqyLYnAhE7TefDULq3GFMKNqFI5r9+05KR+vmu62ppcjs/FsE/vdwlTkRnZwgMlvS8MkQInTZaG1JFoCAK2dROdmgOokUCQBfKsAtvaN/dwOUEoSqogxCi46vra2WviEpD7aifBR0/UDyrbh+NPneCmzJVRJDE0WAJWMz6eTgMJL+3JGz/c26XC29X1TZvASJT8mMiDGSEJwEMR0mbyAM1YBPcvmk2d7O82daSqZFqwDppJUjVpRUdmZ52q2pAP0Sz6C5eFBZGdAHLAYevoUQIYzePHgMn+9In5y59iLJ3ZNm3nhs2mfllvWuA4SnwA7/T0CEE++RkYbuuQuKTJgcRhQJ05LYcjwlpZjWHku/SQpGyWJOv1pjZJqAoKLU39vrPbu/ZF4nd60pVSLIDvgVAuTeGMuyQYi5yx9oafygvG24fMCieJhW1ZZ+6ZScADz+AI4SgeHaZA8d2u2r9yNKnu8IgeW8SandkM2a7V3PWNce+skHzyExhA8pTh2ERhiedru2Tq7B/CIccbagVbrU2PaipQxWohtahHp2RKTbCqNm1tA+uRDSoQhREwXcoZNHuWIX60qojdUexJKlA6dxnzYUGPJgQcrdRG6x16LnDbrWTUUXaH3d4BWRoiEjxs095RJYg+TbNfd6+cLl6FbB66KEosQYDbPH6e19Vmg7UhRahwoo1xIcklY0BAc6sSBj/UxODmBKsf10FJpG0hDqqn0gkwuaEZBRaIyeekIih0uYyXsH0QDVd/T548hAzzQNYeSIcm9oGIqF8wkNGooAwF5JZPYnPjisyWiZ2MfkVER27KWKKLyIBLSySk9E/oWdQB/apK2yAhyMzxCDMSH2wRBHkzhoahhH9XlZcOo2DZ1J0XkTI5rrkZ/tDFZALEeBAR0uMKxN78iNvymu8DM/XprBwx4yrGxoB4oaOxTqmJHTW/lLoOelrBzNlPzXqXWGPTgMLZ+bNTKpZPzuG9j5w5NYGf1/sjp6u4fGcyN3TcgW1qGqQaoJYfhfiu2gfp5IFepc93WUqbTsUWtQemtnauf5AxYb+vadGpiWfk8NOA7CGs2ZEwIxFiIEaRRaxOlG97SjIWGYBkhkBkprzMrhax3Ee1CgSWxZVWGgh5GC1RKtRDJ1VaFBILa/JhaMBE6ieUH0CWCKSEKhrwi/RrMe1xQUca2wYXrTeNf+UsLHZrwDKVxcGsxwkFI8L4GBm6VBIo3XR1Ay+SGU2FxTeh1YA2CvcdsDLVFiCvOUMyzxrph0qCtgDtvbZ76TYCFwuc7VppG/wD1VNr3gS1Ux/2+JQiWgGyQAxQBkxYBszNlvA2RNuN2NAiDzF809NWW0/eZAcW90IeceLhUZu6Xd+QWlFA0cYs9zBHCddgfB4v3zW6cjk7eRMi1CWS1vbL+eGUvBkL+GZvChBkfLFtBc/ML/A5O6NivugugZGkCpe7ROG2s211myRSe4RCwWAWEQHsJpdE3HvkpUsOCVRvloEWsSjhjGg5fFSigwzr0SNFQCa6TE7eEJV9ujTezcwj1Vbm1HPDW4ufzsRkez0+6WnDxYmcsH0er+C+O2jlIWnA60mevGlu+0RajDi1B6L29JbMyQs08mZdRGyQDOhXVkMOeDKAIptbWljKC04CnqNf0AaMkkb1Y4vBdRYlPHDPzgPV+xqDbqrauaPCVZf242Or6RpcFbFuha7FCQpBjKwY+KFQeHLlo8Q7Vcb2drMmbVTlc2fKN1ezGQ1686Cn3Mi7KQo8m171GtQTJE+UFtE8zWAz3uhWArcsV8fusZK0SQPwgjMh1cWbiL4w5SI9a5ttnQjbetwk1shP61bSd9kQQExpHA5PxzK+mxmiMYU/t1zZchmU54yw4h/tsP5mucRdCE+gM105BziGwncnFim8CZ1GOhRAaBtE/xQfuKbko6ecHNtGXGFUuWIC+IUpK/0rE6QaRqTxW1FAPvwKet+RWiZT0CuhYVjUwMS2hVLZrGi5tfRrds2unrsllMjcr93vXWcq2DoZJ+dauKgnvUc49h36Tb3qjFs9ZaC4QvUmCryBhSIUkuDAwoHqoVoAE63zclhtqu5jEmKobgQ62qlO4FveTUtgSqTbiVx3YtT5RnIHensJA8MUeKaz0bc2nWzKh+qg6IijAox6NTT5gSQP0+Rqn7GCugUlODQFt5bELvwDNZglC+xj/YbERq00J+RB4F7kfilg0hM8Y+F1a6DmK06JlJk2VFKeLibSmJTQ6ZXst/KRC74egOZpGeoUqmWlG1+3Y8NnbipKzJLwBu4Zh6mTZcoFmHS0Z/J9i1qSnyu8aeT8TUxS0usiTfVrF/l8pdkPvlwhDGDgPuIJ3//gvmq1rjc3uamkLCOre9XiAxfSTbgYqBxXQS1oIaMivM/rjha2XNbM5fsE1/Gg4nBb8Zcf2+qVG3tZmx/3Ltt0m85+N2WJoC2h/ESv6+Tqpqu3t6S2YZqu1tTtX+FJVWyU07MeupDdXb8YLFZbmZvzc/M+X8WLUDLTkrSE+zMPKdI+uq2Akw0+U9BJhhNqhbCEgeBrCPjZD7789JMzX5CuV6/8HkmbgGjsDWagzG3ZJkEnqx/tUky6SopUnmEap/bSzMTG82dP2z+Uv7eL81CniwHAfMSX4okhtvlYPG3nZSMTy5IT38UymoccEJaR3sXxTCjCgEgLJIjtI7nD11mvulq/wYA1gXv/IcbfyKq2Zo1W7rrL6Cf8QGMq0mDmUwBktgCdFF0lQL7iKzf5n/q6uXEeyt51q9O/2YyC/vNds6//9enHvs9i+vTsBqsS2fTfnd+UntV48hLmjsHFAV/Knpe4/gVCAEKiGygAAA==",
            text: ##"""
// Filters: text into tests and back. What is printed has the meaning of what was parsed; property paths
// and literals keep their spelling, digit for digit.
import { functions, pathOf, plainName, reserved, texts } from './path.js';

/**
 * A filter as a tree, or one test of it; `path`, `value` and the `values` of a list are spelled as in the text.
 * `op` is one of `operators`, of which `true` is the bare path.
 * @typedef {{path: string, op: string, size?: boolean, value?: string, values?: string[]}} Test
 * @typedef {Test | {not: Filter} | {and: Filter[]} | {or: Filter[]} | {constant: string}} Filter
 *
 * What chips show: tests, and groups of tests, under one connective, each of them negated or not.
 * @typedef {Test & {isNot: boolean}} Chip
 * @typedef {{any: boolean, parts: (Chip | {isNot: boolean, any: boolean, parts: Chip[]})[]}} Chips
 */

const comparisons = ['==', '!=', '<', '<=', '>', '>='];

/** The operators of tests, in the order in which a list to choose from has them. */
export const operators = [...comparisons, 'in', ...texts, '~=', 'has', 'hasAny', 'hasAll', 'true', 'exists', 'isNull'];

/** What stands behind an operator: 'nothing', 'literal', 'text' or 'list'. */
export function operand(op) {
  if (['true', 'exists', 'isNull'].includes(op)) return 'nothing';
  if (['in', 'hasAny', 'hasAll'].includes(op)) return 'list';
  return op === '~=' || texts.includes(op) ? 'text' : 'literal';
}

/** A text that is no filter. `offset` counts UTF-16 units of it. */
export class FilterFault extends SyntaxError {
  constructor(offset, expected) {
    super(`expected ${expected}`);
    this.offset = offset;
  }
}

const name = `(?:${plainName.source}|\`(?:[^\`]|\`\`)*\`)`;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.-])/;
const escape = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/.source;
const string = `"(?:[^"\\\\\\x00-\\x1f]|${escape})*"|'(?:[^'\\\\\\x00-\\x1f]|\\\\'|${escape})*'`;
const signs = /==|!=|<=|>=|~=|>>|&&|\|\||[!<>()[\],]/;
const path = `${name}(?:\\.${name})*`;
const token = new RegExp(`[ \\t\\n\\r]*(?:(?<path>${path})|(?<number>${number.source})|(?<string>${string})`
  + `|(?<sign>${signs.source})|(?<end>$))`, 'y');

/** Reads one text by recursive descent, a token ahead. */
class Parser {
  #end = 0;
  #depth = 0;

  constructor(text) {
    this.text = text;
    this.take();
  }

  /** Takes the token that is next, and answers its text. */
  take() {
    const taken = this.next;
    token.lastIndex = this.#end;
    const groups = token.exec(this.text)?.groups;
    if (!groups) this.refuse();
    [this.kind, this.next] = Object.entries(groups).find(([, found]) => found !== undefined);
    this.takenEnd = this.#end;
    this.#end = token.lastIndex;
    this.at = this.#end - this.next.length;
    return taken;
  }

  refuse() {
    const at = this.#end + this.text.slice(this.#end).search(/[^ \t\n\r]/);
    const sign = this.text[at];
    const doubled = { '=': '==', '&': 'and, or &&', '|': 'or, or ||' };
    this.fail('"\'`'.includes(sign) ? 'a closing quote' : Object.hasOwn(doubled, sign) ? doubled[sign] : 'a name, a value or an operator', at);
  }

  fail(expected, at = this.at) {
    throw new FilterFault(at, expected);
  }

  accept(...wanted) {
    return wanted.includes(this.next) && this.take();
  }

  expect(wanted) {
    if (!this.accept(wanted)) this.fail(`'${wanted}'`);
  }

  needs(kind, expected) {
    return this.kind === kind ? this.take() : this.fail(expected);
  }

  whole(rule) {
    const found = rule();
    if (this.kind !== 'end') this.fail('and, or, or the end');
    return found;
  }

  nested(rule) {
    if (++this.#depth > 64) this.fail('at most 64 levels');
    const found = rule();
    this.#depth--;
    return found;
  }

  filter() {
    const several = (kind, sign, part) => {
      const parts = [part()];
      while (this.accept(kind, sign)) parts.push(part());
      return parts.length > 1 ? { [kind]: parts } : parts[0];
    };
    return several('or', '||', () => several('and', '&&', () => this.unary()));
  }

  unary() {
    if (this.accept('!', 'not')) return { not: this.nested(() => this.unary()) };
    if (!this.accept('(')) return this.test();
    const found = this.nested(() => this.filter());
    this.expect(')');
    return found;
  }

  test() {
    const constant = this.accept('true', 'false');
    if (constant) return { constant };
    if (['and', 'or', 'not', 'null'].includes(this.next)) this.fail(`a test; ${this.next} as a name stands in backquotes`);
    const path = this.needs('path', 'a test such as priority > 2');
    if (functions.includes(path) && this.accept('(')) return this.call(path);
    const op = this.accept(...comparisons, 'has');
    if (op) return { path, op, value: this.literal() };
    if (this.accept('~=')) return { path, op: '~=', value: this.needs('string', 'a text in quotes') };
    if (this.accept('in', '>>')) return { path, op: 'in', values: this.list() };
    const any = this.accept('hasAny', 'hasAll');
    if (any) return { path, op: any, values: '[('.includes(this.next) ? this.list() : [this.literal()] };
    if (!['', ')', 'and', '&&', 'or', '||'].includes(this.next)) this.fail('an operator, and, or, or the end');
    return { path, op: 'true' };
  }

  call(op) {
    const path = this.needs('path', 'a property');
    let value;
    if (texts.includes(op)) {
      this.expect(',');
      value = this.needs('string', 'a text in quotes');
    }
    this.expect(')');
    if (op !== 'size') return value ? { path, op, value } : { path, op };
    const comparison = this.accept(...comparisons) || this.fail(comparisons.join(' '));
    if (!/^-?\d+$/.test(this.next)) this.fail('an integer');
    return { path, op: comparison, size: true, value: this.take() };
  }

  literal() {
    const start = this.at;
    if (this.next === '[') this.nested(() => this.list());
    else if (this.kind === 'number' || this.kind === 'string') this.take();
    else if (!this.accept('true', 'false', 'null')) this.fail('a value: text in quotes, a number, true, false, null, [1,2]');
    return this.text.slice(start, this.takenEnd);
  }

  list() {
    const close = this.accept('[') ? ']' : this.accept('(') ? ')' : this.fail('a list such as [1,2]');
    const values = [];
    if (this.accept(close)) return values;
    do values.push(this.literal());
    while (this.accept(','));
    this.expect(close);
    return values;
  }
}

function read(text, rule) {
  const parser = new Parser(text);
  return parser.whole(() => parser[rule]());
}

/** The tree of a filter's text. @throws {FilterFault} */
export const parseFilter = (text) => read(text, 'filter');

/** A filter as text that reads back as the same tree. */
export function printFilter(filter, inside = 'or') {
  if (filter.constant) return filter.constant;
  if (filter.not) return `!${printFilter(filter.not, 'not')}`;
  const kind = filter.or ? 'or' : 'and';
  if (!filter[kind]) return printTest(filter);
  const text = filter[kind].map((part) => printFilter(part, filter.or ? 'and' : 'not')).join(` ${kind} `);
  return inside === 'not' || (inside === 'and' && filter.or) ? `(${text})` : text;
}

function printTest({ path, op, size, value, values }) {
  if (op === 'true') return path;
  if (op === 'exists' || op === 'isNull') return `${op}(${path})`;
  if (texts.includes(op)) return `${op}(${path}, ${value})`;
  return `${size ? `size(${path})` : path} ${op} ${values ? `[${values.join(',')}]` : value}`;
}

/** A filter as chips, or null where chips cannot show it. */
export function toChips(filter) {
  const isNested = (value) => value[0] === '[';
  const split = (part) => ({ isNot: !!part.not, part: part.not ?? part });
  const chip = (filter) => {
    const { isNot, part } = split(filter);
    if (!part.path || part.size || (part.values ?? []).some(isNested)) return null;
    return part.value && isNested(part.value) && read(part.value, 'list').some(isNested) ? null : { isNot, ...part };
  };
  const group = (filter) => {
    const { isNot, part } = split(filter);
    const parts = (part.and ?? part.or ?? [part]).map(chip);
    return parts.includes(null) ? null : { isNot, any: !!part.or, parts };
  };
  const parts = (filter.or ?? filter.and ?? [filter]).map((part) => chip(part) ?? group(part));
  return parts.includes(null) ? null : { any: !!filter.or, parts };
}

/** The text that chips stand for, '' for none; those without a path or a value are not whole, and left out. */
export function fromChips(chips) {
  const tree = ({ any, parts }) => {
    const whole = parts.flatMap(({ isNot, ...chip }) => {
      const isWhole = chip.path && (operand(chip.op) === 'nothing' || (chip.value ?? chip.values) !== undefined);
      const part = chip.parts ? tree(chip) : isWhole ? chip : null;
      return part ? [isNot ? { not: part } : part] : [];
    });
    return whole.length > 1 ? { [any ? 'or' : 'and']: whole } : whole[0] ?? null;
  };
  const filter = tree(chips);
  return filter ? printFilter(filter) : '';
}

/** What was typed for a property, as a path. */
export const typedPath = (text) => (new RegExp(`^${path}$`).test(text) && !reserved.includes(text) ? text : pathOf([text]));

/**
 * `value` or `values` of a test for what was typed into its field: a literal stays as it is, anything else is text and
 * gets its quotes; a list has commas, and may have brackets.
 */
export function typed(op, text) {
  const attempt = (text, rule) => {
    try {
      return read(text, rule);
    } catch {
      return undefined; // It is no literal, so it is text.
    }
  };
  const wants = operand(op);
  const literal = (text) => attempt(text, 'literal') ?? JSON.stringify(text);
  if (wants === 'nothing' || !text.trim()) return {};
  if (wants === 'literal') return { value: literal(text) };
  if (wants === 'text') return { value: /^\s*["']/.test(text) ? literal(text) : JSON.stringify(text) };
  return { values: attempt(text, 'list') ?? attempt(`[${text}]`, 'list') ?? text.split(',').map((part) => literal(part.trim())) };
}

/** Where the byte `offset` of a text's UTF-8 form is in it, in UTF-16 units. */
export function unitOffset(text, offset) {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text).slice(0, offset)).length;
}

"""##),
        BrowserFile(
            at: "/console/form.js", .script, tag: "\"654ccfca9213bd0757702ff28461e1ae\"",
            packed: "H4sIAAAAAAACA71a13rjuBW+91OcKd+SnHDo9GLH6/Tee+LVt4JEyMKYIrQEaI9Wy8u0y/QXSJ4kb7JPklMIgOZ40pOt1CFwGv7TwDk9hR9vlQfnVVs7WGlnag1+q8Hrlx7sBlQLuvXGH87AeAcb2+1KULAxuqnpF2i13kKt143qdA07vVvprgRkB3fE2Ti4ae1dS7yMr05Q4peQBy9gGbo2KKhlifje7Pa283AEU397U478XAlu35i1hgE2nd1BVlWnL5xtqxcuO097dKN3qO0PkJMLe+UHc/+sn+5Hdfu17h5mUaKFTVPCvlGmLaFvndZt2n1a291soz/sdf0d5beTVcjDvyJhdfAaFVrbnsR0eqe6G7Rvp0ieNzs9YeC29m62XU7jK8ptS5b5ww633Rm//Y7q1E6jPDdl4JXXMw5r1drWrBXuc17vf2An68lNsvzk9NkzBIdGMHSg4Gvf//a3cHln2mtiIIgB00YsKAeGjluUsb2Hd3qLllbw7PRkbVtHL79D7oQLyElOARdv8rlcVlcfXMDFxQVkjzN44w14dHr1Vv9B/Os5/+9T/N8V//jQZnFaIVufk0bVXnVOC7eCds6JldOqW29zOcACPg0fRNOCOoQN0ob8yNpcZWJiVkJWo+fC/5/TufCPvlPe2Jae+85ki8q066avtRMm4rcTeAafBZTiO9tQlDDABY8VLO8643VO+C2WFCDeNiFaPDh1cOfQ9k1zxoEou+DaakdblfF53amNT1tJWoi11spJHbTnIGRGKH2t5XSqEzqOTd+uyYqgYt4ichCLfaMlUkpgGSWwqiWQ2AKOJwDiOrun7Q4ueE+l234Hl5eQ8y9yhJzmytpGqzaDS/Ss73p24UY1TmcLOGPdivPIVHn0/ar3mvgeIVOdUc8btdJNdgakIYfjWm/RZt2d4YKV061HnoQH/M1AHI9MPacd40YYSIrZQD4qTlBhC1nPvq31xrS6JjLhZk5+7z2I1Iy0zog08koIiIE1ArIQl0X78CQu0BGoYVVV425+ZrcRX7Vq9EPSyH/0xG67WizOJ2xbW6O7Q+LKM4dPa/LKkVgnp5Zg2zMK/61qr/UZ5Ix4wSLxqG5V07N0PhcYYChJ52qn9nluW46QJEb0JzGsCwBvPyOklyA66Jp/kiEPuvUSsgztmbuN5IZtGdkeDhqY3TRXXE4DnlXkJeh58VCnfd+17CIiDAlrIfYNPyTgFv8yNEJaE+0neKbkTclOZN3X1TPlEo14nJHS8XeW9hv3rZ5j/wJmcWVar691Ryicv2p5C3N5GB4kSXVaPQSQzt65s6AvGcwmVI1ur/0W3oSPf5AkMjGhPnurzYoCzfsI2vGhkv1u2n3vdyj5LFmBxtV6bbDOZWPsl4Bdg0sSL5mKL7M1bs0CYJlZwKugTYJZthXhlAXK7GTJ4mZzmCA7YAKAaU77z/fO292PVGNq4w95lsUVvjtESfBKjFTIfZcXMVTO40pOz/doA8Lbr7eR2+ul/2Br3CSFV6gNYLf0g9CMEW+HyPOmibl8Kjbpl4TL/6dhUHWa2oAodlw70N/8nNjABQcC45LPPCRRoT6axkHxr5h1MgvMITQbyoNiQINyN9xsltRi3NmudtW0cAkpl66Lmqh3etPpuoSQREto1LuHEpxpuJvbmdbs+h0+qJf0wJRvMK6ZJo8wTIvcyqJ5jlL2Vdyevf/rv2SLEq6Ej1D+LJTEMBsjZrJ4/op3Ldj31aZR/puUZK9YJGl93S4Y7jlTXsmbV1QHlk+PtHCAp0deNSyLqW+v7vuG4jkLP7LkKabv1AFWmmmZuI7J9HAGjcbTtr0vCXY3Wu8dNyZ4zMSWoZJJ2Iu3eas8YmiP9Ub6f1CNbXXsebyF1q5sfZCSKA5fVNI255+T7qGoXljT5riEoDPEBosCg8YR4qzSBEJWnydn0RJQraU2tqJtn9lTnwzHIwXV2djSlkDd2BnY1Qu99sMg7KTV47lHum4StXybJLjllFc+5cXndmtNPYjp0Vz22h12L2NAYxBp0m0cgTahlQ7Tk265DK70tWkd2I4kAmpSEzugLmje9nFzp19ynx9DRVSnoYvihRSNzhKzqd6KplP0UxgS+Ft9BwROWllFL1/Ct9lVFXLvjHby2q23eqeqfWf3uvNIptRxHApuWoqQPh4x68qZd3XM3fG8aBEdWS5aXKXOdEEu4q2oZsiM6601a5SDSiE09+hUBueBCZS3vW45T7Lk2KwWk7714t7YmMugmCcXLU/FrNNkFgYeD07cNxfDKfHB4ONOKXYzbO/w2jpcm1sqwaEEZgRlJHQID/x13dl+n5WzJpgXpX6Xf41pu9FeUEU9UyDErE0/tgit1BZwDp+er1Qb7pbf/8VvHxooTk4goUpqIi0XEI2tbtBBxvVcZomps2S1VJ3YIXn2vBAFirJ1dGFUmmikM7cC0/k+rJ5qyEWRFRRjg4axudJ3ocK5aquc6CfNamoAYzFnBM1fhO21bvTojnGxbpwOb52+r0hix1oUD5sskSFKM3okx0qlPAClNBrGx9Tt1C2123RsIY9wiuDaa1o6x/EwTBwGY02Gb6ExlHE6jbQWFbcyuLPEaz02HzkFnqgllkgQwyUsKRZF6NPj+OpGH3BH1VJ7XUhHMcwQVS3HTvAchmTdFzDOHFvCYpMiiHfUJQ8HCUGJdaNVl6fmbWtIut4H0oT317W+x7vkZ32rO87OpKxAGAEhJcuNOItaCGc4RvSm3DWV9H1860Axt3O54EohJXWGXEAE0kQqFaf+eLSYSuhodc2vVz0u9lENApW3JYf15w7RJxzqGyqkD/WyMT69Da9BVscofH3nyogVox/FAOC2b9/pvW7rXC6z8iz2rOm4JyZXWWrFp8l+BJDdCNN3et0dvs+DpO0+2zRhsi0hjDAl+cRbHj94b1UbRz0NW9P1OkkRtUXpRBUsz7vlaCY1MuRejnfxM5Guxok9QHxREX4OeUggb4pHK8JqyinMMdGKYiY9XMVKm28IfdP7H4U0ekld/9xvxJCW3wu84r4dc5UePaDS67NZcuAUWuKc4JpAHM/SrntK1XyUSPLKtC6vkUrlr1Jrb271F6UY0vD48JuKbnIcQoZNPJuEWvCCQWBwckzHEhvInLsHaaTpiY3OTJ1Jpc5TcyGL5sU5Ij8Vab5hwjBPS6U2Sz89Ibu9apkab5HFn+NNb77ERClDDIkvqHcvo7gHruXmB1iGw5pQuAljQ+bVmV7yenk7r4xJNktJ1ZAvY7lVmo4R0cgx/KZtTKd39la/0rksG40FCm0mtgNNE8tobriXasz6Zj7mA8DDqEyvp7amav36uE81wmnPNTcm0bRikOuv7K9/ypJ3GGLsoRj5zu50DPwZyqLzJu0Fe3SeJrnY7GwXgt1RqWgp+p2eJksK6FHT/0vaJHkcx/NZn/zwGmFX8e51kRUUiVgW8iOMcQwDu2ka1ZwcWUpxWfH/75XtIV4PfEmtvbv3SSpW1HEURS8uV8h4WfKjhHfsZBkKi+U5LPu98+iH3ZLIlG2d7bu1HmcHaAwilS0Dr5uGllQPDVb8XSveQZBgmrZvjcOX9PXJo6dldCghiLx/w3AUyRTd2uPK+rPUoB3aNQxwwRxkgDqf7vDK0014Z/HEdrQwMp8vNnygMs+Ietmpqcd7JYV2et2phlwqCdPFnXTW5IaOMXEc32MYjxeNGMizezZ6UQzcvsjhyCpTD0s6w9kd+FUWHJUln9FNSSYOQao8MG10TjZxE4WRNxh7kVIsOEpxOTkwEz/KnSj1JqhmBpcpdcn957bTG7TqydPj/S9oeXZ6+6HTt23vV/ZlVk79gak6DmDy/nlj2pss9H4AWbzzoLimHs9b6Pg7KcGLMqTXfOvLKnK6oK6bEwaRoiXUXWelfDHMaVD7XGNX+RWd5aKQAZodFACQlQIPZsQPzHzTabdl7lcz9CBpeYbHNP6uau2VaQhHgUI3scNyMaqEcT+b+8eRv9MNX5a4rdmPU/+syE4WSLGdvtD1CFBTl/DqhmJRLNLNFoEolfhSApt5ymMRU8Zn07XQlB0FOp0Zf2eLg4+RRsqF9vv+hePr1Izhf5DQlqy5OoT27p9G3PgtVwKpnMbc02P8tkyMh2lkFfSfMqwZUA26DTxgO5Fijj+awUUoLmxCMWZmoU3G6ZST6SHd2TATuvHmh+oGd08+UEVr6VeUHIYNElg5vhCQ3cqXIx+MzGKasHi6n4tQXacOk+hNIz/fLNHDQtBGf2jg3h0ochwlf7CED39QVuEyQeCDZ5M+sOdytLg6RnyAEYX72NZF38uZFLg4g2whTQOZFL+foAIccR94euSv//nk5XPSbuAuYLkgAP8N1x1KP5shAAA=",
            text: ##"""
// What stands beside the text of an entity: its form, a field for each declared member, and what is known of it.
// Form and text edit one text.
import { idOf, members, splice } from '../json.js';
import { elementTexts, memberTexts, textAt } from '../reducer.js';
import { element, fill, plain, unseen } from './dom.js';
import { typedPath } from './filter.js';
import { bytes, count, remark, small, time } from './show.js';
import { entityHash, typeUrl, withParameters } from './state.js';
import { canonical, stepTo } from './text.js';

/** Whether a JSON string can stand in a field as it is, without quotes. */
const isPlain = (text) => text?.[0] === '"' && !/[\u0000-\u0009\u000b-\u001f]/.test(JSON.parse(text)) && JSON.parse(text).search(unseen) < 0;

const isText = (type) => ['string', 'date', 'date-time', 'duration', 'uri'].includes(type);

/**
 * A control for one member. `write(json)` is told what it says; null: the member goes. `wait(draft)` is told
 * what is no JSON yet, and null once it is.
 */
function control(name, rule, text, draft, write, wait) {
  const options = rule.enum ?? (rule.type === 'boolean' ? ['true', 'false'] : null);
  const attributes = { 'aria-label': name, placeholder: 'absent', test: 'field', 'data-name': name };
  if (options && draft === undefined && (text === undefined || text === 'null' || options.includes(canonical(text)))) {
    const all = ['', ...options, ...rule.nullable || text === 'null' ? ['null'] : []];
    const node = element('select', { ...attributes, on: { change: () => write(node.value || null) } }, all.map((one) => element('option', {
      value: one, selected: one === (text === undefined ? '' : canonical(text)) }, one === '' ? 'absent' : one[0] === '"' ? JSON.parse(one) : one)));
    return node;
  }
  const asText = isText(rule.type) && draft === undefined && (text === undefined || isPlain(text));
  const shown = asText ? JSON.parse(text ?? '""') : text ?? '';
  const isNumber = rule.type === 'integer' || rule.type === 'number';
  const node = element('textarea', { ...attributes, rows: asText && (shown.length > 60 || shown.includes('\n')) ? 3 : 1,
    inputmode: isNumber ? 'decimal' : null, class: asText ? null : 'code', on: { input: () => {
      if (asText) return write(JSON.stringify(node.value));
      node.setCustomValidity('');
      try {
        write(node.value.trim() || null);
        wait(null);
      } catch {
        node.setCustomValidity('This is no JSON.'); // The text waits until it is.
        wait(node.value);
      }
      return node.reportValidity();
    } } });
  node.value = draft ?? shown;
  if (draft !== undefined) node.setCustomValidity('This is no JSON.');
  return node;
}

/** What a rule asks for, in words. */
function words({ type, required, nullable, lazy, silent, minimum, maximum, minLength, maxLength }) {
  const bounds = [[minimum, '≥'], [maximum, '≤'], [minLength, 'length ≥'], [maxLength, 'length ≤']]
    .flatMap(([bound, sign]) => (bound === undefined ? [] : `${sign} ${bound}`));
  return [type, required && 'required', nullable && 'may be null', lazy && 'lazy: left out, it keeps the stored value',
    silent && 'silent: a change of it alone is told to nobody', ...bounds].filter(Boolean).join(', ');
}

/**
 * The form of a declared type; undefined for another.
 * @param {{text: string, json: object}} declaration its entity of `_types`
 * @param {(text: string) => void} change is told the whole text after an edit of a field, and when one begins or
 *   ends to hold what is no JSON
 */
export function entityForm({ text: declared, json }, change) {
  const rules = new Map(json.declared ? Object.entries(json.schema.properties ?? {}) : []);
  if (!rules.size) return undefined;
  for (const [name, rule] of rules) { // The choices are kept as they are written.
    if (rule.enum) rule.enum = elementTexts(textAt(declared, `/schema/properties${stepTo(name)}/enum`)).map(canonical);
  }
  const node = element('div', { class: 'form', role: 'group', 'aria-label': 'form', test: 'form' });
  let text = '';
  let shown;
  let held;
  const drafts = new Map(); // name → what is no JSON yet

  function write(name, json) {
    text = splice(text, stepTo(name), json);
    shown = texts();
    change(text);
  }

  const texts = () => memberTexts(text);

  function wait(name, draft) {
    const isNew = drafts.has(name) === (draft === null);
    if (draft === null) drafts.delete(name);
    else drafts.set(name, draft);
    if (isNew) change(text);
  }

  return {
    node,
    /** Why nothing may be saved: what a field holds is in no text, since it is no JSON. Null where none does. */
    get waits() { return drafts.size ? `The field ${drafts.keys().next().value} is no JSON yet.` : null; },
    /** Drops what waits. */
    forget() {
      drafts.clear();
      this.keep();
    },
    /** Keeps what waits, whatever the next text has of its member. */
    keep() { shown = undefined; },
    /** Shows a text; one that is no object yet is waited for, and nothing can be edited but it. */
    set(to, heldBy) {
      let found;
      try {
        text = to;
        found = texts();
      } catch {
        if (shown !== null) node.prepend(remark('The text is no JSON object yet.'));
        for (const field of node.querySelectorAll('select, textarea, button')) field.disabled = true;
        shown = null;
        return;
      }
      if (shown && held === heldBy && [...rules.keys()].every((name) => found.get(name) === shown.get(name))) return;
      // What waits is of the member as it was.
      for (const name of drafts.keys()) if (shown && found.get(name) !== shown.get(name)) drafts.delete(name);
      shown = found;
      held = heldBy;
      const focus = node.contains(document.activeElement) ? document.activeElement.dataset.name : undefined;
      fill(node, [...rules].filter(([name]) => name !== 'id').map(([name, rule]) => element('div', {
        class: 'field' }, element('label', null, element('span', null, plain(name), small(` ${words(rule)}`)),
        control(name, rule, found.get(name), drafts.get(name), (json) => write(name, json), (draft) => wait(name, draft))),
      found.has(name) && !rule.required && element('button', { class: 'remove', 'aria-label': `leave ${name} out`,
        on: { click: () => {
          drafts.delete(name);
          write(name, null);
          shown = null;
          this.set(text, heldBy);
        } } }, '×'))),
      [...found.keys()].some((name) => name !== 'id' && !rules.has(name)) && remark('The text has more members than these.'));
      if (heldBy) for (const field of node.querySelectorAll('select, textarea, button')) field.disabled = true;
      if (focus !== undefined) [...node.querySelectorAll('[data-name]')].find(({ dataset }) => dataset.name === focus)?.focus();
    },
  };
}

/** Facts of an entity that is stored as `base`, as `[name, what is shown]`; `upstream` is its source as the live query tells it. */
export function known({ type, base, revision, meta, schema, upstream }) {
  const { source, fetchedAt, sync } = meta ?? {};
  const { state, problem } = upstream ?? {};
  const id = textAt(base, '/id'); // a literal of filters
  const undelivered = { filter: `type == ${JSON.stringify(type)} and entity == ${id}` };
  const all = [['revision', revision], ['source', source], ['fetched', fetchedAt && time(fetchedAt)],
    ['sync', sync === 'pending' ? element('a', { href: `#${withParameters('/v1/_outbox', undelivered)}`, test: 'outbox-link' },
      'a change has yet to reach the remote') : sync !== 'none' && sync],
    ['size', bytes(new Blob([base]).size)], ['upstream', state && state !== 'fresh' && [state, problem && `: ${problem.detail ?? problem.code}`]],
    ...Object.entries(schema.relationships ?? {}).map(([name, relationship]) => [name, related(base, id, name, relationship)])];
  return all.filter(([, shown]) => shown);
}

/** A declared relationship as links; null where it names nothing. */
function related(base, id, name, { type, by }) {
  if (by) return element('a', { href: `#${withParameters(typeUrl(type), { filter: `${typedPath(by)} == ${id}` })}` }, `${type} by ${by}`);
  const place = members(base).find((member) => member.name === name);
  if (!place || place.kind === 'null') return null;
  const text = base.slice(place.at, place.end);
  const ids = (place.kind === 'array' ? elementTexts(text) : [text]).map(idOf);
  return [ids.slice(0, 20).map((id) => [element('a', { href: entityHash(type, id), test: 'relation' }, plain(`${type} ${id}`)), ' ']),
    ids.length > 20 && `+${count(ids.length - 20)} more`];
}

"""##),
        BrowserFile(
            at: "/console/help.js", .script, tag: "\"34cafa3190348726a66203b171e9d4ba\"",
            packed: "H4sIAAAAAAACA31W55LjKBD+76foi0hbWs3l4Lmcc85TrjKW2jZrBBpAM+tz+d2vGxidtHl3BkHn/vqDiwv4cy8DKA8b3CvTwvrDdQWSFmGPgDdogge7jV9a3SA01hhsgrIGZIjbW2vDnUgvd1gvVNdbF+AEmyEEaypAjR1ZqsD2aD5TUttdBb2Wis4cbpXWcIatsx2I+qK1Xf3Ai8vRDDn2AUnUo7tBNxFNG49Ib44BfUWBDuzRYSfdgX8HFTT+pjo+9J3U+je50VhBoK2pzb29fcSixxCU2fmpVJABk9ji4t49+I2SP+DRQ+Bytha87TDsSQv26DCV9HYfS8bFdvaWgicV7H0N9y4W+DA6k/5oGtgOJpWY6/UV6r5wUukqeijhtABugw+glUF4HwojO3Kh5QZ1Ce9/AFe54IVog6jADJqUWaj2vVa0DaKsO9kXBVl8ROOwaUcVPq2ApFcl/f7f6CiRfa4ux5CorhTRVV3XHHJyclVBjhBDQLdKHtc7ePGUds7rJLEiL1fic98I8rqRzUGseOND/ox1YySI1cSd7WOd5jWo4Ebqgb6U/9FEZ2Po8XyMftxWph+4UicIxx6XIJo9NoeNfUh7cYntMlqrIKAPS1hnTNx/8cSOKQEKCcCaJZxIQ5odWSmi71M8gRFFNS1ytOPWLm+Rwvvvp+jhQxhMS8NhsIVl2isvs60pmou8e+a/ZS5B3JO3UoXJzBUpFFblHL8lNDEuxzDEXXZiT5gTKaWNbY/LKaJ0rFOjpfckuZVN8ALOFXc+t3vSitRrxukMpGWVE/lx8wCbUJNlpyiVCPCaCCGgi7g5JQU4R0NZe+ZmLvG4q9FXxkoh2Akj6lfKWeexbS0YG+eVTrZS+0e6k7VSf+L5Y2aHEGEbewLKwO+/fcoFdcNjplhyDCszVCF+e4wYmFI5kcbqoTM+kYjDBk2IS06zhesBuXaXYJDZsZVBVnktIdgDmhrEnTPInFyIL6zbYZxXUc2ROkfrNsplkOU/2jaSk64daivb6eGZO5JRlFQFobJcpQBkpDVPeLoSn2rrcfQ9Yp1K2DtFJTmKVdQ6k/XzYpHmPd9IxDBEAhoDMF3TZ07gnDeD7WmTh/xykS8J2bafs/J38TIheAnZNOj9NPtsvtZodmFPFl7hxNhFwUGUmex/pInyYB1srW5jl8ijUz3fgk7eZivLeKClD/DaK69U9EX5wgapKggqwK30cTaxhWDt9BIY6T/YHSE0hu0LKkBwlonctphuAV7Ve9W2yBT43OST484KzDcfB4qPOo+UtVPyPjkiACHz+K90YnbFVLmM/VRbKLiQyRUAr3On5wXOhDS46PX8tDJyY5T/bEDIE8Sb8/axqcdlIL8RCg5xencXicXF5896plS5DYxJ2Crnmeevkg7P6880PsdIB3jNvz45kiQvPt4hXT85l0Q5W0cTN79QghMTxLMwA34ct4ngeGnmEUzW6oMybYbgjKrvaHoilbl4NNk7zDbzayqbDPgw1F6rBgvC3Vtvvvn6WyUHydzol5GSeCbp/5TJo4U4rM+OPvm4hpdfnjm9Jr0nyudz1cKHH4IQ5d0bpBbl1aurZztLj7lswat/kW1MkkwIe5pnftllXRlK+jM6e26GUEplZOEfbH61SU8g6hCOGGqRJmIcqej8U1qTEULqOgOwePEUX53FzHp5LtdxMCaPpLYltRTaBPlZbTB+r7YhH7PW4xP1vQz7ulNm7qpipskaPL7PxVkqmcz5WrJDKHjgSOzNUSxPG4NijDKNd353FxRtOePBxX+nMsLjNwwAAA==",
            text: ##"""
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

"""##),
        BrowserFile(
            at: "/console/included.js", .script, tag: "\"4598cb2bc244d15ea791a97fb7f9b565\"",
            packed: "H4sIAAAAAAACA5VX6ZKjOBL+X0+RG1ExQC+N5/jnuua+79nb4RjLkDbqwuBFotwOF3/3AfYR90k2U4komZqrryqQ8vwyv5SYzeDvpbKgavpnDtjCutX11oCqmno7B6ytthoNWJbS1kDbHOgHbkjUNilpFbTXGBQJvzGKZhd6t29aCyfQxXcb6GHTNjuIsmz2yjR19spEV08iWOGOXP4FX1uTgqVfH9hQpcWiy7GdaK07a5s6haJVlEHqraSwr5Sun/RnRbObqNZqhyYMa7ZXtpwI5ZUmc4GMwfbhWRR507FP2yKm8KCqDkONsjmcywu0x8+VKdPh+a9tRTGrlmKy2IbaVlmcqBuL+780gRCjJTIXsxcv4H173GOBGzidWqyU1U1tSr03c/hG7a+N5TKncGKpOfjX9fHOv/S3KZTK/Ii7xpLEumkqVHXfw8eYV6p1BuHF7OICX7uIcrJvoW5sScoigwXcUKQT9zUeOIQ4gV5ClQ7UBgqv1WxAAUeWwfst2q6tDZy+pzy1wevA/21PEfgAlDnWOWy6OuctMSZi321iNpbA6QIkTt/sN6AOStuhwlmL/+7Q2Dj67JO/REFV4uhnNmBozRlKslzZvIwph5tbqLuqSq7ItN5A/CexnIDEPQXkCohxX1gosdqbKzho4k7HxCL6YItAMqQCednoHE3m4+V65yXuVAqm6VraotAXS+jhZkglYzZxEOL312H/bv0Kc5tRbq1GE4vZu+xMGu7u4NQnSdgB3nFWYb21JdzC21zAXkr4lxLPHVINOSUZF5Z8GKwe/BxRwDizLOg6r7oCDfcey+lWOJkFleWahsLFtywRd0SXaZ7Qh1Xe6NZYhioeWSVa0WApSjjVKEoys680FT6lxx2hFPMYcNXlB7+bRcni7WUSwLzIsnPosns8mjhZZhtdsbuYs2FDQzCZTziOXpD3x8fpuigkDlnJYq3y+4NqmUxcxL+junf8cb10EO6M0MD//vNfWP3ln99/Mvv+g798vnLvuhjm9zC5mWO2GbbMs8l9ceER5+0PkRq4iKX8DDhTwJWrT2k/xPs0hCHE7117it5ID59MRp0Ve+kkgXHdoB3X07FrGRDvhRAmu6tLN7v62eVpfexXzx1sA0OJc0eKiYQ7NgjNbI+rYBps7htdWx4S/pSI10fpDpm9SfaKJOIoEi0y1kIsqg2zmSkgbJOm8MEsOO6lcGyIZ6peIysT+F/UsZyCA/6ZN8JHZOwqIc6S1McrLb1YRkni8hNIyWTqulWWtrLkZBfLwcZySKR3P38FSDZG6aRi22n0Ix9+TWkrSvKgi8Ht2fQYG1GdMToycpYGU8FhJOAwtRkfJpg8wc3NDUQ8kiNgHzCXdeKtbC14PbxniAGSW/DDUirMdxXuuTG8vKm6XU1VmcQ3HxhojcugQsXUIkBbyUbGujb+IPjNufaRczJSjVNOz7yFZAuJCDdnYsIVQYn6llGiOSxsZaBI5W5K7YknEZ4LzKztSkcRSc8IwklyduJo86nedi3OYaMqg2TC/ER5YjEH9iirZJP6Bje6Zn4z5PPz6EJ+MqQ3ksQowy6F60RH7/zLn777NpOLi94cY9I4o7JaG6ytmBon8+Dv14nFAtwzY7xi0/sUo/48vOOJdIZTnw4ic7g8yVO/ovRDIeFPCnw/JBx+TuHNoZBweMvH8vgogA9tHkdmr+ooBS5a6gRNpXOM307h3bel4T0aOdV+bIgRhiQNzd+SFrz1Fqzgz5cnd+2Ng92XbLNfUfMIc8+bRxIebg6eAL/iNWh2ofZv18ofASw7qZvHaAoI3+2VMXOIOAIoVL2tqIVox2pbIa0H/AXT5eVwKWQJNJYERh3ohw8OAkPSnDqV75RnbtmWWmsK9vUcXr4zWvZZ0n5Tz52Szu+pS/CBzAUN4t6p+5s93ZH3autI7M8y+SiKFwJTBFEQ5TJhMlSxbREdbCm8l6RPASsXa9niZh58rgTs6Mnid3uso7GuUxSGCf95c4Cdqo/jByVP0kOpCVC29vT9GVwIiRKUWQsF4v4KUJFsQ74M2AZUVQ03zF04UaVZPHA/dbudavmyMPSWw2xyAZ601HAsj0Ni4RhplqIanOa8mgw9LxQSjEN5Lk/I3ql+2CXSHPFi9QucSnpYeVjZR7JMIR48hDWOvhiyoO4J5c8LvTpdnsh2SHueXc9GaNLPL0+/yThied9TZO8M5Q8723mPnjXzS1YmrpAC//8/JanpWoAQAAA=",
            text: ##"""
// What an answer brings along: entities that its rows refer to, and those that refer to its rows.
import { idOf } from '../json.js';
import { elementTexts, textAt } from '../reducer.js';
import { button, drawer, element, plain } from './dom.js';
import { namesOf } from './path.js';
import { client } from './server.js';
import { count, tree, value } from './show.js';
import { entityHash, entityUrl, parameter } from './state.js';
import { stepTo } from './text.js';

/** @typedef {{relationships: Map<string, {type: string, by?: string}>, hasRemote: boolean}} Declaration */

export const nothingDeclared = { relationships: new Map() };

/** What is declared of a type. @returns {Promise<Declaration>} */
export async function declarationOf(type) {
  const answer = await client.request('GET', entityUrl('_types', type)).catch(() => null);
  if (!answer) return nothingDeclared; // It helps; without it there are no choices.
  const { schema, sources = [] } = answer.json;
  return { relationships: new Map(Object.entries(schema?.relationships ?? {})), hasRemote: sources.length > 0 };
}

/** The relationships of the rows themselves that a question includes, by their names. */
export function includedNames(url, { relationships }) {
  const firsts = (parameter(url, 'include') ?? '').split(',').map((path) => path.split('.')[0]);
  return [...relationships.keys()].filter((name) => firsts.includes('*') || firsts.includes(name));
}

const backward = new WeakMap(); // what is included → `TYPE/PATH` → id that is referred to → ids that refer to it

function idsBehind(source, { type, by }, id) {
  const { included = {} } = source;
  if (!backward.has(included)) backward.set(included, new Map());
  const key = `${type}/${by}`;
  if (!backward.get(included).has(key)) {
    const found = new Map();
    const pointer = namesOf(by).map(stepTo).join('');
    for (const other of Object.keys(included[type] ?? {})) {
      for (const one of idsIn(textAt(source.includedText(type, other), pointer) ?? '[]')) found.set(one, [...found.get(one) ?? [], other]);
    }
    backward.get(included).set(key, found);
  }
  return backward.get(included).get(key).get(id) ?? [];
}

/** The ids that a relationship's value names. */
const idsIn = (text) => (text === 'null' ? [] : (text[0] === '[' ? elementTexts(text) : [text]).map(idOf));

/** The column of a relationship: what its ids lead to, or that there is nothing. */
export function includedColumn(source, name, relationship) {
  const { type, by } = relationship;
  const idsOf = (row, id) => (by ? idsBehind(source, relationship, id) : idsIn(row.get(name) ?? 'null'));
  return { isFigure: false, isSorted: by ? false : undefined, text: (row, id) => {
    const ids = idsOf(row, id);
    if (by) return JSON.stringify(ids);
    const absent = ids.filter((id) => source.includedText(type, id) === undefined);
    return absent.length ? `${row.get(name)}, absent: ${absent}` : row.get(name);
  }, show: (_, row, id) => {
    const ids = idsOf(row, id);
    return ids.length || by ? element('span', null, ids.slice(0, 20).map((id) => chip(source, type, id)), ids.length > 20 && ` +${count(ids.length - 20)}`) : value(row.get(name));
  } };
}

function chip(source, type, id) {
  const text = source.includedText(type, id);
  if (text === undefined) return element('span', { class: 'chip dangling', title: 'there is no such entity', test: 'dangling' }, plain(id));
  return element('button', { class: 'chip', tabindex: -1, test: 'included', on: { click: (event) => {
    event.stopPropagation();
    drawer([type, ' ', plain(id)]).fill(tree(text, 3), element('a', { href: entityHash(type, id) }, 'Open'));
  } } }, plain(id));
}

/** How many entities of which type an answer includes, however deep; each opens to all of them. */
export const includedSummary = (source) => Object.entries(source.included ?? {}).filter(([, rows]) => Object.keys(rows).length).map(([type, rows]) => {
  const ids = Object.keys(rows);
  return button([`+${count(ids.length)} `, plain(type)], () => {
    drawer(['Included: ', plain(type)]).fill(tree(`{${ids.map((id) => `${JSON.stringify(id)}:${source.includedText(type, id)}`)}}`, 1));
  }, { class: 'plain', test: 'included-type' });
});

"""##),
        BrowserFile(
            at: "/console/list.js", .script, tag: "\"231528a5f04ec6e1579266cebf56eedf\"",
            packed: "H4sIAAAAAAACA4VZ95/qOA7/ff4KbU3yLhuuF+bD9t57L5hEgPeFmIvNzM6x/O8nWXZwwnC3ldiyur6W/GYz+HKLsFcbBLMGBfbBOtyBe9jjnD5bfYf0H+vgXrstLax167AvQXVg+gZ7+tHQctOre/pYmx5Mh9Cb++pG7/amd3CE2uwfXrOl//+X+JsrA3kJ2OIOO1cy27aEfat0R//rzYo23lB9U0KPvAcnWPdmB1k1a8yu+tVmtwN/UeQDfCAR7tB32CTUe+W2E/LaHFgk7vbu4QunHJas90o3DZLwDelegrZfdU87c08LrVGN7jYlGVbjx8bpGkvvsHdRef12qn+aSLRbcz9VcGWxv6Nj98rV25SWl/sJ9cYE/spu+Vevdsg+Z/fUCMqSg9B6t1l0n7COHJxPI6FNBbB9E/473K2w50AklNWsx+ZQXyjzISXAl4rCkTB1/C10N7XprPPqfqH/g7CAv/3xj7Q8e/LEJ9ZaY9tIZnEWZTYk0C0sD32bF0vQFtwW465qGrLNVvBkdoO/eR1Eghx727NbQE6HC1i8DMcbiASyFVMqz3S3P7ishGNI5syi6ustrWSq1+qlVq2wzWj9bc86C/7dmpayiZaHTLegO1Dw7wP2D0Rlyc45/OXPlGxoHRGy6i+tAxPSB8B0c86zreo2RJp7TZV9+iER5t5s1kpOzEXx6k61B6xcr3dE/vvv0B046Qs40X9uiWmPnNpCfHtzip6PbINPyiDUepEbk8c8yscZMqYtY0LlRUUp77Xr0XtjDq4/IOswDoelnyO5XGdcNq81DTZTg8tYpPNQoPmQ1bKd+d2smPJhwZJM32yV41yxSg/5dIcSFFArQ7+1sww8o+RZH7raadMBF8LBctLnlBDGqXYuQIBNyTZ2tXIMHCVw/Xal0MAiEhVJqqmWN4TgmcUCDl1DIMW48+KLybJnBK/AkvV9/ugZ5X67OC2BEidLAruMBP5UcXr+SFLov4NqxCgrPdruTI/g2B9cOAIh0Bi00BknheS5n5aUKEMpRog2az7GjhIey18stkvoKByWqpLF586DtG4iUFOZ7tRTEnDvo+CAi8SWPklpDXv0i8qGlGpAMxkxXj8WDBb+pmeceygRn4uHW3RgdcNIwtwTD/EuAFvznuNwPli5k9gaVlW11kRlJBO8RhvToVeCTx/2DfkyLwKzGFDNwDGqgWqDBCHsmqyAV14JusgZvQbRu9rr+ik2PtiaMuS8mNNnSs4CFmJREe1hK1+p6tZYzEfEzwifzjRYafuG6TqsOQPjwSHd4iHmREouQrTyzKOe6Zh3xB+xOLXZ0s0BCzlMFoiJMJtxjnEm+fSQUmMUkc/o0chsGqvEZObPBTH2KzGIfi3C9UUFyQvziHmRj0BfqjPnJSyCn/lj6mfWpgrO1r4caUVI/Rr/+N9+rLgQct+IMPOJAjvlrZ0UCZ8bqcFkhbDj5kW+A0GU/snqVwprpazVm84rzkFjdsx4MP0kN4qkyTRvzR5jCJn6SjyYapxokSvaWu2FbZJ+3pzhwqGyGjGPjCbm8DWR8D4x9IyvDG3f4o7rO/SXhjWHvkafmc/Ib4qbrVrsNm7LgRs6sEgqF8ENCJqtDs6ZDugKpzpXkhKSohwcKyBp1sOlMIclXUjScMTLfEhpxpCdgOvSEdDlfrtYCi8WyXjWSYPAXAUHbbgr6FPX24BJhOG6ZYYPoDxOY4/VzWMoyCp+TvwFTKSdKPnaLIGVOONhbXbUgCZRFYcyQKQNj7jE1/7WN7NyeQfGsSlpGZ6Et8RbuMeAM/tBgJTbIN47UAhCR5szSTlCmJSp4AqRUEeTxN+fKsYSo8wfgku1fRfb5ieS+gO7J82OEhpTH9jmSpEn7/At8YBALDnlp8hy4jhZZN+KBmnJijxOPI+74sAI6WuSZ/0ZVkNU/Ckcl0I98d8lZF/QluQeJ11WTO8vzz00ies19kMdHFO5pPEzYaeSfuJluCiS4vY6OLDZ45KfemNaq7G2lmbPyWmXc26bOXm04+SsTXvYdTaMTZCrcx47w7pzHynASJYnuAi53wx9B4uIw9/17oHLMfQPt/6SNwfHNE6IudHpsOCUZmxjnC6BUsEGWSxExMEWVVP4yVOjzUkZ32ha1nmFskyKLn9g1Bfk/WlJ9J0f89hKZij9ZWyb2E7PBXJRntbj3MJWROWe+oFUwibzSq4pw1Fd9K9F6TXuxPy8Qac0k5Mw5niH0THF40DCLd+nik6G2IVJJm1Zj2k04URJEGhvBWOCnjE5ZJEY7zQjQBzv4jpZw6sspDr0CSRJl52Ckt0rgaS6VdbOIdsdHDbZMDzJiUzKaDTrwSId+nLBGJKWEK5M85AKa/TdSJbqLGXamDlP8dMzybZcJIxa9+fZN5fKqpX32Vy8OJjgKz0m4zw6tpJvXu+x87OP/D+OiNwnnqm5chh9cs5mtnTSG4WmZtR3SlsKfvNUFJExz2ZzyC8nsji0PTax8eHETYJhi4s7KuOFbIz4kiV/GKfJAHu+QgUjSxDclaMjLPYzWOyRok9iRbxS5ccAs8X160/1VLMtZgIs5yeaXKIVclMeeHgCj/N9lMYAUpw/BQLk1af0mUayo/DYZl0MMhejU2KsXst2OjMmbX2aCXnyRuPPFCOe4ib5qBq0da9X2EDCdRQCeaLKsy/P8An2UG9Zffp9X2Xi3NRAeSzxTCXWy9ndn2bPHxlGaCyd/fhK9eT352cV/oa1R7cf/vjTaSkM0t5UDufRuAAzr7wiT2HF9F0iis1DNh8lu0oZw2NDU1VVZChITIVz5UUBFtMBfXiKGLPgaUMcEHE1zU5tPzJ9QFTgqpj0wWLX5Mr1vT/nz4gIpCVKlyrVNG/dYeerEzuyweMi57JgRvF/qKVOuC6PINcHnNjxj5WS7HMIqKgCY4EVH5JchESTA4GoEep45KQVbnQXm49QVPKaBYuLoMi2jNRZlsq26N6QFmPIldhynN93rz0bBTMkYAI4l5pGG6Kq8WL0nh4enf3dKC5IW2Erj5sXTZjQCLT4MZPGded7UeHr0y9bk8OxySZdcGz92BUwT1+oYghYqpgm061Ix9ai7zwYOoYcS9+nI+v07IU20Q8QuTDGJU/hefBIMXqQj6ulBD6KOAFr5SVdWjhIuv68IaX5DKtQ+Z7oC2xp2VBuV+EBPiM+iZ5hNX9Eg2e836LQ9ND1fEz+OCDPPjYMjXTQ+dEwZjXRnVHD019Iv27fo/qcSUsBFf4ZWZ6hJhkV0nxIb4zw3CAPXEmdSnlemUNiIxMuL7VRupvLEYFf8sIcYkeS3kmiS3yDkXo+njJBbd/68rBJOC0WSi+czTJe9Q/v88H5vnWPr1SyFgaugluGOj3Cf4IEyo7P8OJro6tjCJL0/QR6BfMK/n+YcmQzRyzTFyb5KYNmcfncy+d9zV47QmZ/TuxZfnpvsUeiShI06Y3SUokT5+Qxht/oTJe+bsjcIe900+OU6KJ1356ZQ2jhI0UcEUf5kub1NNsSTtO8k3NXX4fSl6e5HJaP6Sx7/cnp4vqNV+N0VeIYF6cj738BEheXU/wcAAA=",
            text: ##"""
// The page of a system type: a live list with a filter, an order and a drawer for one row.
import { copyAs, copyText, drawer, element, fill, plain, problemCard, refill } from './dom.js';
import { orderKeys, turned } from './path.js';
import { count, emptyState, forbidden, grow, isUnknown, loading, onceNotice, pageHead, remark } from './show.js';
import { observe, watch } from './server.js';
import { go, pageHash, parameter, place as present, setOwn, withParameters } from './state.js';
import { memberTexts } from '../reducer.js';
import { LiveTable } from './table.js';

const pageSize = 500;

/** The field of a list's filter; `url()` is the list's address. */
export const filterField = (url) => {
  const field = element('input', { type: 'search', 'aria-label': 'Filter', placeholder: 'filter, as in a query', size: 32, test: 'list-filter',
    on: { change: () => askList(url(), { filter: field.value.trim() || null }) } });
  return field;
};

const askList = (url, changes) => go(pageHash(withParameters(url, changes), present().own), { replace: true });
export const sortList = (url, path, isAdded) => askList(url, { order: turned(parameter(url, 'order'), path, isAdded) });

/** What is said of a live query above its rows. */
export function statusText({ total: counted, truncated }, shown, total = counted) {
  const all = total !== undefined && total !== shown ? ` of ${count(total)}` : '';
  return `${count(shown)}${all}${truncated ? ', and more that the server does not list' : ''}`;
}

/** The drawer of the row that `_sel` names; `show(text, id, drawer)` makes what it holds, null where it has changed it itself. */
export function rowDrawer(table, show) {
  let side = null;
  return {
    /** It stays with the id, also where its row has gone. */
    update() {
      const id = present().own.get('_sel') ?? null;
      if (table.picked !== id) table.pick(id);
      if (id === null) return side?.close();
      if (!table.node.isConnected) return undefined;
      side ??= drawer('', { onclose: () => {
        const isOwn = side !== null; // and not that of a page that has gone
        side = null;
        if (isOwn && present().own.has('_sel')) setOwn({ _sel: null });
      } });
      const text = table.text(id);
      if (side.id === id && side.text === text) return undefined;
      side.name(plain(id));
      const made = show(text, id, side);
      if (made) side.fill(made);
      return Object.assign(side, { id, text });
    },
    close() {
      const open = side;
      side = null;
      open?.close();
    },
    escape() {
      if (!side) return false;
      side.close();
      return true;
    },
  };
}

export const isEmptyYet = (source) => !source.ids.length && isUnknown(source);

/**
 * The button below a table that shows more of its rows: `ask()` is a query that has them, and `take(query)` shows
 * it in place of what is shown, which stays until they are there.
 */
export function moreRows(table, test, ask, take) {
  let coming = null;
  const node = element('button', { hidden: true, test, on: { click() {
    if (coming) return;
    const next = coming = ask();
    observe(next, () => {
      if (coming !== next || isEmptyYet(next)) return;
      const [shown, isHeld] = [table.ids.length, document.activeElement === node];
      coming = null;
      take(next);
      if (isHeld && node.hidden) table.focus(next.ids[shown]);
    });
  } } }, 'Show more rows');
  return {
    node,
    offer(source) { node.hidden = !(source.total > source.ids.length); },
    close() {
      coming?.close();
      coming = null;
    },
  };
}

/**
 * `options`: type, title, columns, empty (a function to nodes), show(row, id, side) (nodes of the
 * drawer, null where it has changed them itself; without it there is none), onopen(id), acts (nodes
 * of the head), copies() (orders to be copied, `[name, text]`), notice (a node above the rows), order (where the address has none), keys, source(url) (instead of a live query),
 * onchange(detail) (rows have changed).
 */
export function listPage(options, place) {
  const { type, title } = options;
  let source = null;
  let limit = pageSize;
  let url = place.url;
  const status = element('span', { class: 'muted', test: 'status' });
  const filter = filterField(() => url);
  const body = element('div', { class: 'answer' });
  const once = element('div');
  const table = new LiveTable({
    caption: title, test: 'rows', onopen: options.onopen, onrender: render,
    onpick: options.show && ((id) => setOwn({ _sel: id === table.picked ? null : id })),
    onsort: (path, isAdded) => sortList(url, path, isAdded),
  });
  const more = moreRows(table, 'more', () => {
    limit += pageSize;
    return open();
  }, (next) => {
    take(next, true);
    options.onchange?.({});
  });
  const node = element('article', null, pageHead(title, status, grow(), filter, options.acts), options.notice, once, body);

  const side = rowDrawer(table, (text, id, drawer) => {
    if (text !== undefined) return options.show(memberTexts(text), id, drawer);
    drawer.described = undefined;
    return remark('There is no such row now.');
  });

  const searched = () => `/v1/${type}${/\?.*|$/.exec(url)[0]}`;

  const open = () => (options.source ?? watch)(withParameters(searched(),
    { limit, count: true, ...options.order && parameter(url, 'order') === undefined && { order: options.order } }));

  function take(next, isMore) {
    more.close();
    source?.close();
    fill(once);
    source = next;
    source.addEventListener('state', render);
    source.addEventListener('change', ({ detail }) => options.onchange?.(detail ?? {}));
    table.watch(source, isMore);
    render();
  }

  function begin() {
    filter.value = parameter(url, 'filter') ?? '';
    table.setColumns(options.columns, orderKeys(parameter(url, 'order')));
    take(open());
  }

  function render() {
    const { state, problem } = source;
    const size = source.ids.length;
    status.textContent = state === 'failed' || isEmptyYet(source) ? '' : statusText(source, size);
    if (source.elsewhere) refill(once, onceNotice(source));
    if (state === 'failed') {
      refill(body, forbidden(problem), problemCard(problem, begin));
    } else if (isEmptyYet(source)) {
      if (!table.node.isConnected && !body.querySelector('.loading')) fill(body, loading());
    } else if (!size) {
      fill(body, parameter(url, 'filter') ? emptyState('No row fits the filter.') : options.empty());
    } else if (!table.node.isConnected) {
      fill(body, table.node, more.node);
    }
    more.offer(source);
    if (options.show) side.update();
  }

  begin();
  return {
    node, title, table, again: begin,
    row: (id) => memberTexts(source.text(id) ?? '{}'),
    keys: { ...table.keys, '/': { label: 'filter', act: () => filter.focus() }, c: { label: 'copy as', act: () => copyAs(searched(), options.copies?.()) },
      y: { label: 'copy row', act: () => table.text(table.active) !== undefined && copyText(table.text(table.active), 'Row') }, ...options.keys },
    update(next) {
      if (next.id) return false; // one of its rows has a page
      if (next.url !== url) {
        url = next.url;
        begin();
      } else if (options.show) {
        side.update();
      }
      return true;
    },
    escape: side.escape,
    close() {
      side.close();
      more.close();
      source.close();
      table.close();
    },
  };
}

"""##),
        BrowserFile(
            at: "/console/main.js", .script, tag: "\"f303b0a95796236ad28f6ae80e335716\"",
            packed: "H4sIAAAAAAACA3xV15bbOAx9n69AquREKyeP6b333gtNwRZjinRYxuszx/++IGhZnnL2haaIdgFcwOMxvG8Rpk50eBWcULqCYBcVTIQx6HwFc1zRKUwDgRQXYoZ0EYG/RNM49B4MWft6T3UL6wIcwARnypCRn1cgW5TztyiaVQWt8O/tHEmkTHC2iRIr6ARJHEpLAWV4aZcVeHT76OhXzcwTk39fxQBrAmo7KOpx1qj/+OLaEFZoNUeCHv0qnSFYskWNHZpQwVRpnc+XSDFaq5s76UVb0VSw0CJBXjg7IYN7wjUJVLbxrV2+zoIdCI3tjsTPNUu1S8cqoKf0tZWpCjYyBiGDzyGVmaWo0YkUQax2PKd4R1zPLCkL5/G1FqloHkMgD37XKoiA2WyPiukDnIUbUHrUKIN1I7hxExorY6pG/TeiW73biAYdMh1fuJAowVy4yv2uuL/MBOpsq4gKv2e/B044NWtDJoWiXzFHX8OFcQbBfgjHtz2Ab0VYLdAXFRTv+0tIh0PRFD8qVmFk6fFNf/l7VMUu0ImgrGEPrw592XSIplOm1yYYjdrK7x36kse048IHitWx+MPuRzyma2OY2H8Zw/Y2Oaa14+LdcPUn6FmHrNVfmmM6HQanJNu+GK4dFzINVq8npETPsjvbmzhaRirMVM1iLh7X5ujD/HgxdfQBHWsPV31I78fAIuYPER6FbEFARyOvcUMVz2OADSxbNKD4ZaqcDzxvZqBQdgI3uEbCMWPQBBWYHX6BXIW6rhPV6k4syvJbMvnBlE+3UYKkMYCMzpEp+TJR62tA6+8AFjxSrAhrVtPCB6YfKfaTVjuUZFqOvl36Abfg95mzByeJ1r/hKhRnxpnp19hdiM6Qp0vXNvkkWZMw4BLeIdkxkDRKJA/Oag92emTdetvhxDartEM3DpQJlv3T012cxRRjKrRHdjfBqXVpdi2bzY1deiq1TVvZXwWRfS9t1A3p5ppDWCqJ/fpQ5oVQyWlJtWV5Kihv0PJsWXQkLEbbBVsWwgUlNTGXi1tBNul3yruWAZz418G9Fn5lJEyjkYl+bF2O4IBop6ZQnuqTHIHDVNBrJMg4iXZIKC9e7J+V/yRU6gy9nupbfv48bP40eNDoFIHMbtxIQyEtCciguLYJt3XRh2M8b7PiqhwN0Zk9FGjYzqW2kkeoJswtq3IGrFkzHzmt3sMB/PGU8JqciCVFTR0qi0cP3id6j/cvF6Oa/Mm2LLn+5cF6xE6z25Q9p5FQjmBmS/ZG6Z5Kl5qJWGs0s9DCrUTNPES7NK0Ig0PGdxWCiwjrTYSh1utNGjv1HBJiABtJPTyTUv/K33VcNCLgrbpknVFfB2LTNxKIfwL6cCMaL/ax+VGMbtVSW4+bAXnCK8LYABqnoWZL4Zwi3ezvRMwbLvvnZNNXuAd1K6PSSPEIVA5jDcLfiD51sALqOlLLwU4DGmZubrhshUlbqUNhlq3SuLfTjlN9OwYsLOxR3NgMap9/qxInV/Ui+vZd4mWZJ6goqh4qc+l/E3zIu3NgPMmP5MnF5DxZtLsKB5KSoq+VkTo26MsdzvZg81oot2PfXt5OfEEr32HuEvgo2/8qt67kyHGk/T6nwFiC8UvUv363xijajp/p9UZRO4SKkMTpKrKCYE21Ql0Rc4P17gJ7hX3fo/RJNr9MgACLpfaG8IlEmi8TEBuZLGeAE0cYFrgrgleJDKrdAAvy/OBG/cIePOk8KmFwLOF4BTbpsjh56ybuYEfgqBzrEsiO1lfsA1vYS0jBK53t60LDy3GpdmJ+q7pigcaesnwEP/WNqmwPEEYDInFhhGnclmwZs032MlidzmI6fZiL4jtIFKzpUjMmWuwZWRDCarT4RYkNxiKz7zTRuO8WWOKatrLRAHoZzdXQrbggQOo0TdeRljX9zxfk/ZaJDZpq+E7cyUftlnSoUyYwpnbiKNm6uXej+1yQ53QEx1XdE869YF8Dr5l6CXGbr6XOJxp7HGm01WsSD9p41Tb0r8F50gIrmhsGfOxi6DQv2cmdnqobMOlFuhP3wtsAcSMPW9XfsOrATM4Gv3XNQgAN4yBGj2jorHEteWEfe+izs+wRdkDz8E4Y1wHZIUTLeEfqA/X/ZLkRxmhsU53IPsu3bjio4cp8B4wSaqg935X5/IgmuifsyCJjoDKbpqJoqrEVZuZoSPvmfD7Pcz7YyP/xoTP/U+8CSeX/wdPUQFL9yPkG0dvzVD7IYCcpTdCKQkTn13V/pbOvyAqlOHAyb4ylCInC9oA/qbOT+p169u1f1EMSgyvblxjHVvhz22xY/UTUSM11lO1fQ47ZECM4BhwIeJB1MSJjLmNpMCiF3JlTQhUR611VxcNgDbhF41+w9uA+DpFOQvbazoO5O0FSg8o1lSMhaRteEQbqCorVt7w9UG+UDx0S6mv35cWF7RgL70N2Fpoh3FBPnwbVWtbNY4dD0EMrcS6KTuRnorYYxIuk8SwZARp9JPErrzyGZZB68v7VEaHWa2g3TkNz7wR/ve57BX8QtdWtTcPquiA5cqSv7cUFlZm3M8yJoKmrzXFVO0Nmv8qoDywfdepa9MlAN2s3KB6Zc3XQm04k/DSR4RkFLXCIcIXlQEd5SVosrECtUOTlOJslCGKsQvgAnGRpUzM2YiNCd9G3kIQhfBsd4KUl0tGQ5TCPB9tYLCUY5Sk7G5zMmwj1YBo55KNaol4P4pRzEIi5qAcvfpqyKz0Ss+aAUtjHfRmH3GfCmN0zdfZSY7MT77w9lHnkS6DyMPI5gZc167oATpdBdx59nOVzsQRIzbVrZFlCMk4d0689Uf85M84LOzhz1bqeHGtvn/QUz/e0rKh0tF/UYYfglTlOfx3VIqJV//2P2q+XcDbbkeWKerFtkR17XDdV6vPWdDaxF0rUBorwyQfIlQWz7wuxWyVqaFHMxWuwSqEy3QBsAS+aq0mTNGBkBBW8wme1I5PWXl4uLRznamXh3u62pFhm8JFL4sWdPrEutbuzNdf5YJl/fdWmKEmi5Pdh4ChQdtwUUoosl3JSfOjc16cjoBViYVg/iq9b8tO5R26TnsJbTmksCH5WpIAyWGbX0lpK6fitG4wp3HpZk4TNMslCHKkwdOJcw77GuGZlk8OMO2ZwDtMHbT8jilbWh5TfmOUGLJgH/dMIIg3JBGjlzzzEnTP1/3FKtqCY8/WVBetpRs4d+W9oBSwLrAqK5Pc6d1pgPlRDSvHtYJ6FPPQsYz0wP9KqmhtJq/B/lqcyDI75TUE3aBnUUMF/Qeh94oToWnNmY7M0XUaKE8gFeogDmS6uBzWyRa88+zJCSRjIRykHtyOTHPLiOkfJi2JjbSXVuzJICosHFr4tlpLEHxsTAYMYAPQXlyBiJTeus59TXl21Gxgxyb7wKs+PkaGMjJdBR8jM6zw1jLwyzelhKvocYxW1CyZVa9nG6/68c5z9ZN85uoxo5WnlVuBFC9bNsQzFsvMIrspUxQjh/HsriWsAaDcvgVU4Wyna9S6nA7YECSVCBPsxPmQiqs6QQTCXpuaEZVSyYCHGSgZMfljPDJvLs3mwgYM9+pm92DhbfUSWyseW6MupAn1WwpjDa58zeC/TQLG1LokUGYADr3n69xwCS+IMWTnO4beqTLzWoq1sjFPQnQ1cBt0Avh8lkotsnqf5orFhTWk3VDEbxF3ItNWdfvdSGzowkJ2Yo9wFtscXL3rSJw8erRjAsrrEzG2TxIil7MFCyrGJ1F0cOgY0xK2g5LexNV0T9rGkkEbJNRcYBRHicUok0LFh5mrDCeB0D3HxXUHzBqWg27Is2Ib0Ck3nSZjYUCfWgfRYnpcElQ3eGvIiPm97sx/5Hg55x3yKixC3MF9k0q0RcKEkVmWDA6vJ32Tg/AzCKqZoJ7duaPKk7QKN4Uh3k0OFipnqy2Z5feBg4VGOW2rD6UaW7VCK4XUisRH9913bXA5qU/5smImVkIdjm+N5i5IVKwvmO13FtzCJCuBgcoZUsV7bKoOrnquZj+qRzVKkmAjlaOE14ue2I9/l7++qGve09NWQDMEaF8MiikMef7WTFz7USc3yz3hE3NLYlYCh4Vea3H705c9DdvvkKx53wksD6E9GxBtknbTuEgmXsSzkU+MTwexdvhKZnnLm27NUYVNZnMJiRUqFHFNI5NVeYw8tGDWW+cW5vtuTduMN1I5Qw4N1u7g6QLZFfbanQMijK0OyZRqGTurSNv6C9Nm3/3JKd5YZjrC2JmGBKJzz7ZFp7DafKYuUEsfv2BUUgFuKLG7ifu1WNd8qjk85UhtzatKShipcNzVIMYooAOlFokUm0k2jJt3zA5DLSA2XWx18t3V8MuGOCTIc9lGpbVf3VpzUEEsbRC589XdwC2PoTExe2ZFf71GTXhVyAMu1Et1mZtO3w90SN/D2pD5XlaWlbczEhI8HS8tlnClNXvDI4JherjvoCsM4GuPCNEB89o8/woqicVfu90VO4DNzbpfoyfufpZ3T4CJmt4RDMVhPwrLOrsgNaH+6YbUVjaJuzpKb67uahM1qSUfYJ2s6Og7gMj6TbAiRP7XXIS6W4/uwheQmN6F4rKC2xoENnA3BQ4ZIMUqak8/xspGLBSUszWbZP+q4aCtgVGmpHSU5162jlWKlWfZEDMpvIeA0y/ZyRul0Q1uf3FkCjoP5XQuWyvhF3y39BFKxsr2hijiobh7WdlkNI8hBkqTJtY4joK6zullv+hkpvj5D0PM+m056mYDELFd0pqrbOXkSHL8hpThS8vgjyyfRkU6IJBm+R/QdZwyecvV/ngRiXhDrQB1gfRyJIs/H+bwHbmEQi+3dnZxlDxr/lEBl83j7hIEIAm7dr4nvfNxmtTId5dSYB5Tdg7xm+f5SmDJEpVDB74wJVBnKY0WmPbosj7d209NkAPl+ED7U78lh7Er74HQyhmApn8BqKor9j1RISkq4L9+8MHMi7OHk9/pO17Xbp4/I9Tz9qF3Zpw+aKj8p4A5fzLQCQYvtEt4oeQZ2rRzfv6i6L/xSTK4oBlfEJJs0YSHYVymdfW8+gAS+ipba/5+/KCcZ+u3KfZAmspjKTkqMiFweNKM4X26Cg4lTvDXacizNQMYxp0nUGdsZlpn374FVczZY9eLxZLrXx4GxBVkcGefDPe65wbhbdxIRdhQT5H1vHXA6DCA23Vn0+sou1+n8KV6/aDcNbMSX51/bBV+LfLlt9JhoiDRD9JCxndzUo4ekrZJUN6aGGQxkcLkwi/6wdrBvFyn093v3xaQmdx33oQccADVteP4SLhQuWoq/DU1bLzcClk24IVUL01XKvyW5gm9PXswU6g7He37ikggsOXwch+h+E0z+zeQ9h08nqgKzHyn+vvoO+/P0/hIXmvcgQthv8lBQ8zyC/hPTKoEoTU+rioRIzalcS5MYab9DWIBDE4bmFL/IHMxTWQbygUUSJK4FTDPKzIoT9MBjwTznBMxHVNTy/PM2SeGHPCfIoPbe4ZqqeoBThU8HyNTZul1zOJJJ+lOu1kkqWjzyAiblmxhATgNbU6/79IYKB4jy1aGZsXvuFyd/bUBA0/5Ed9VugRDpi7qmcGbamzU9wtnoCe0Tue4GUMN9DPJ61I//p3JlOgzDf7PkihOBb3QiLqLBI57x7AVAUbBpxJpUBPcjRnrhDl4aTv28RzAer1SmyfOA0vLckwDJeQkSUkslIwv3uH7BSIt6fwa3mw41eUCQcMjRjl6GPrwS1smAo5fUFuEKT+3G41GwXO+5JSHNIUpEjqO8pQHS9FpY+cfKKEzfp6GnMOD2FSVUTBZMY7XofeKzbJ7w+RrGOAtT3ijBGJL4lwcm6K+lmjgRb7VrJ+0w8ddOEqtGLQgz2I4DOORunap9ThXp1+U19Qg5ZGVX67621KOHMb91w/EFbHxHw6BbVtrt6flju4aexw5y18GkciIFXhD+SGkZIPgeTufwk2ocVsZR6Qe+r6Dy+MrNJ6mBzGOlPFw6lhHjJvskbcqzPAVCoL/AE1Gt28by5qRjAZdKjHRcT2NQrhs5bTV0kld2aV2I0bwJ7+kg8DjQEMapKiR8zLnq7TI+VeU50re8ztomie8jbxlqpD6ms/QNH6gjJH3Vx2uiBQh5Gx2FPD0zOEWGCWBWYF4QgJafkPIPEGj0O4omhhcMjAYX0ZlvvzAEnaXgu6H1tKhqt4ZDZ6nUeOjLX1FrbsgAnZMjd8Njp5AXAc8Gde4/Bmdo/rCpQ+noke1AYuwH////GJ06kLF9YesmP6aBYnxAzMTs9w4W5n/3SuT4LTIAAA==",
            text: ##"""
// The frame: rail, top, banners, keys, and the page that the address names.
import { begin, ask, checkReady, hasToken, introduce, may, reconnectNow, server, signIn, signOut } from './server.js';
import { alike, busy, button, element, fill, fillNew, holdAll, load, plain, problemCard, refill, showProblem } from './dom.js';
import { banner, bar, bytes, clock, count, facts, loading, plural, say } from './show.js';
import { go, parsePlace, settings } from './state.js';

const $ = (selector) => document.querySelector(selector);

/** The rail: page, name, key behind `g`, and the right that it takes. */
const rail = [
  ['types', 'Types', 't', 'read'],
  ['query', 'Query', 'q', 'read'],
  ['operations', 'Operations', 'o', 'admin'],
  ['conditions', 'Conditions', 'c', 'admin'],
  ['upstreams', 'Upstreams', 'u', 'admin'],
  ['outbox', 'Outbox', 'b', 'admin'],
  ['streams', 'Streams', 's', 'admin'],
  ['store', 'Store', 'd', 'admin'],
  ['metrics', 'Metrics', 'm', 'token'],
  ['access', 'Access', 'a', 'read'],
  ['configuration', 'Configuration', 'k', 'admin'],
  ['cluster', 'Cluster', 'l', 'admin'],
];

/** The pages, each a module that is loaded when it is first shown. */
const pages = ['start', 'entity', 'specs', ...rail.map(([page]) => page)];

let current = null; // { place, page }
let lastQuery = settings.recent()[0] ? `#${settings.recent()[0]}` : '#/types';
let turn = 0;
const typed = new Set(); // the controls of the page that somebody has typed into
let hasBegun = false; // before, nobody knows who asks: a page would be shown twice

const inMain = (...shown) => fill($('main'), element('article', null, shown));

/** Shows what the address names. */
async function show() {
  if (!hasBegun) return;
  const mine = ++turn;
  isWaiting = !current && server.store.state === 'recovering';
  if (isWaiting) return showRecovery();
  const place = parsePlace(location.hash);
  if (!place.page) {
    const { json } = await ask('GET', '/v1').catch(() => ({}));
    if (mine === turn) go(json && !json.types.length ? '#/start' : '#/types', { replace: true });
    return;
  }
  if (current && place.page === current.place.page && current.page.update?.(place)) {
    $('[data-test=unsaved]')?.close(); // It is not left.
    arrived(place);
    return;
  }
  const isLeft = await current?.page.leave?.(); // one question, however often the place changes meanwhile
  if (mine !== turn) return;
  if (isLeft === false) {
    history.pushState(null, '', current.hash);
    return;
  }
  const isFirst = !current;
  current?.page.close?.();
  current = null;
  if (!pages.includes(place.page)) {
    inMain(element('h1', null, 'There is no such page'), say(element('a', { href: '#/types' }, 'Types')));
    return;
  }
  inMain(loading());
  const module = await import(`./${place.page}.js`).catch(() => null); // the server has gone meanwhile
  if (mine !== turn) return;
  if (!module) {
    inMain(element('h1', null, 'This page did not load'), problemCard({ detail: 'The server did not answer.' }, () => location.reload()));
    return;
  }
  typed.clear();
  const page = module.open(place, frame);
  current = { place, page };
  fill($('main'), page.node);
  if (!isFirst) $('main').focus({ preventScroll: true });
  arrived(place);
}

/** How far a server is that starts; the page comes by itself. */
let isWaiting = false;
function showRecovery() {
  const { phase, done, all, commits } = server.store.progress ?? {};
  inMain(element('h1', null, 'The server is starting'), element('div', { test: 'recovery' }, say(plain(server.store.reason)), facts([['Phase', phase],
    ['Read', all > 0 && bar(done / all, `${bytes(done)} of ${bytes(all)}`)], ['Commits', commits !== undefined && count(commits)]])));
}

function arrived(place) {
  current.place = place;
  current.hash = location.hash;
  if (place.page === 'query' && !place.type.startsWith('_')) lastQuery = location.hash;
  document.title = `${current.page.title} – Freshet`;
  closeMenu();
  showRail();
}

/** What pages may ask of the frame. */
const frame = {
  /** The page's title has changed. */
  retitle(title) { document.title = `${title} – Freshet`; },
};

/** A server that stands alone has nothing to show of a cluster. */
const isOffered = ([page]) => page !== 'cluster' || server.links.has('cluster');

function showRail() {
  const link = ([page, name, letter, right]) => {
    const { allowed, why } = may(right);
    if (!allowed) return element('span', { class: 'off', title: why, 'aria-disabled': 'true', role: 'link' }, name);
    return element('a', { href: page === 'query' ? lastQuery : `#/${page}`, title: `g ${letter}`, 'aria-current': current?.place.page === page ? 'page' : null }, name);
  };
  const docs = server.links.get('docs') ?? server.links.get('documentation');
  refill($('#rail'), rail.filter(isOffered).map(link), docs ? element('a', { class: 'apart', href: docs }, 'Docs')
    : [element('a', { class: 'apart', href: '/problems' }, 'Problems'), element('a', { href: '/openapi.json' }, 'API')]);
}

// Top and banners ----

function showServer() {
  $('#host').textContent = `${location.host}${server.version ? ` · ${server.version}` : ''}`;
  const { word, kind } = server.pill;
  const pill = $('#pill');
  pill.className = `pill ${kind}`;
  if (pill.textContent !== word) pill.textContent = word;
  $('main').classList.toggle('dimmed', Boolean(server.lostAt || server.isAway));
  showWho();
  const shown = notices();
  fillNew($('#banners'), shown.map(([name]) => name).join(), () => shown.map(([name, kind, ...children]) => banner(kind, `banner-${name.split(':')[0]}`, children)));
}

function showWho() {
  const { me } = server;
  const types = me ? [...me.types.values()].filter(({ read }) => read).length : 0;
  const rights = !me || me.admin || me.open ? '' : me.others?.read ? ' · reads all types' : ` · reads ${plural(types, 'type')}`;
  const name = me ? `${me.name ? me.name : 'nobody in particular'}${me.admin && me.name ? ' · admin' : rights}` : '';
  fillNew($('#who'), `${name}/${hasToken()}/${server.needsToken}`, () => [name && element('a', { href: '#/access' }, plain(name)), hasToken() ? button('Sign out', async () => await current?.page.leave?.() !== false && signOut(), { class: 'plain', test: 'sign-out' })
    : ((me && !me.open) || server.needsToken) && button('Sign in', signIn, { class: 'plain', test: 'sign-in-button' })]);
}

/** `[name, kind, …what it says]` of each banner; one with the same name is not drawn again. */
function notices() {
  const { store } = server;
  const all = [];
  if (server.isRefusedHost) {
    all.push([`host`, 'bad', `The server does not answer under the name ${location.hostname}: add it to `, element('code', null, 'hosts'), ' in its configuration.']);
  }
  if (server.isAway) all.push([`away:${server.answeredAt}`, 'bad', `The server does not answer${server.answeredAt ? ` since ${clock(server.answeredAt)}` : ''}. The page goes on by itself.`]);
  else if (server.lostAt) {
    all.push([`lost:${server.lostAt}`, 'warn', `The live connection is lost: what is shown is as of ${clock(server.lostAt)}.`, button('Now', () => reconnectNow(), { test: 'now' })]);
  }
  if (store.state === 'recovering') {
    const { phase, done, all: total, commits } = store.progress ?? {};
    all.push([`recovering:${done}`, 'warn', 'The server is starting. ', phase && `${phase}, ${done} of ${total} bytes, ${commits} commits.`]);
  } else if (server.isReadOnly) {
    all.push([`read-only:${store.state}${store.reason}`, 'bad', element('strong', null, `Read-only: the store is ${store.state}.`), ' ', plain(store.reason), ' ',
      ...store.state === 'stopped' ? [] : ['Reads go on. Free space or mend the disk, then reopen.',
        may('admin').allowed && button('Reopen the store', async () => {
          await ask('POST', '/v1/_store/reopen');
          await checkReady();
        }, { test: 'reopen' })]]);
  }
  if (server.versionBefore) {
    all.push(['version', 'warn', `The server is ${server.version} now; this page is of ${server.versionBefore}.`, button('Reload', () => location.reload())]);
  }
  if (isNewEpoch) {
    all.push(['epoch', 'warn', 'The data are another generation’s (restored, wiped or begun anew): everything is read anew.', button('Dismiss', () => {
      isNewEpoch = false;
      showServer();
    })]);
  }
  if (server.pill.word === 'open') all.push(['open', 'warn', 'Everybody who reaches this address may read and write.']);
  return all;
}
let isNewEpoch = false;

function showTheme() {
  const theme = settings.get('theme') ?? 'auto';
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  $('#theme').textContent = `◐ ${theme}`;
  $('#theme').ariaLabel = `Theme: ${theme}`;
}

function closeMenu() {
  $('#rail').classList.remove('open');
  $('#menu').setAttribute('aria-expanded', 'false');
}

// Keys ----

let isGoing = false; // `g` was the last key

function key(event) {
  if (event.defaultPrevented || event.isComposing || event.altKey || $('dialog:modal')) return;
  const hasControl = event.ctrlKey || event.metaKey;
  const inField = event.target.closest?.('input:not([type=checkbox], [type=radio]), textarea, select');
  const name = (hasControl ? 'Ctrl-' : '') + event.key;
  if (inField && !hasControl && name !== 'Escape') return;
  if (['Enter', ' '].includes(name) && event.target.closest?.('a, button, summary, input, label')) return;
  if (name.length === 1 && name !== ' ' && settings.get('keys') === false) return;
  const goes = isGoing;
  isGoing = false;
  const entry = goes && rail.find(([, , letter]) => letter === name);
  if (/^(Arrow|Page|Home|End)/.test(name) && event.target.closest?.('.drawer')) return; // They scroll it.
  if (entry) {
    if (isOffered(entry) && may(entry[3]).allowed) go(entry[0] === 'query' ? lastQuery : `#/${entry[0]}`);
  } else if (name === 'Escape') {
    if (inField) inField.blur();
    else if ($('.drawer')) $('.drawer:last-child [aria-label=Close]').click();
    else if (!current?.page.escape?.()) history.back();
  } else if (name === 'g') {
    isGoing = true;
  } else if (name === '?') {
    tryAct(help);
  } else {
    const found = Object.hasOwn(current?.page.keys ?? {}, name) && current.page.keys[name];
    if (!found || tryAct(found.act) === false) return;
  }
  event.preventDefault();
}

/** Does what no control stands for; a failure is a problem card at the head of the page. Answers what `act` does. */
function tryAct(act) {
  const place = $('main .head, main h1') ?? $('main').firstChild;
  showProblem(place, null);
  const answer = act();
  answer?.catch?.((problem) => showProblem(place, problem));
  return answer;
}

const help = async () => (await load('./help.js')).openHelp(rail, current?.page.keys ?? {});

// Boot ----

addEventListener('popstate', show); // also where a link or a script has changed the hash
addEventListener('placechange', show);
document.addEventListener('keydown', key);
$('#theme').addEventListener('click', () => {
  const next = { auto: 'light', light: 'dark', dark: undefined };
  settings.set('theme', next[settings.get('theme') ?? 'auto']);
  showTheme();
});
$('#menu').addEventListener('click', () => $('#menu').setAttribute('aria-expanded', String($('#rail').classList.toggle('open'))));
$('#help').addEventListener('click', () => tryAct(help));
$('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  $('main').focus();
});
$('#strip').addEventListener('click', () => busy($('#strip'), async () => (await load('./help.js')).toggleEvents($('#strip'), $('#events'))));
server.addEventListener('change', () => {
  showServer();
  showRail();
  holdAll();
  if (isWaiting) show();
});
server.addEventListener('epoch', () => {
  isNewEpoch = true;
  introduce();
});
document.addEventListener('input', ({ target }) => typed.add(target));
/** What is typed stays with a caller who signs in again; only a sign-out empties it. */
server.addEventListener('access', ({ detail: hasCaller }) => {
  const kept = hasCaller ? [...typed] : [];
  for (const dialog of document.querySelectorAll('body > dialog:not([data-test=sign-in], [data-test=import-dialog], [data-test=export-dialog])')) {
    if (kept.some((one) => dialog.contains(one))) continue;
    dialog.close();
    dialog.remove(); // at once: a hidden tab tells of the close when it is seen
  }
  if (hasCaller && current?.page.reenter?.()) return;
  current?.page.close?.();
  current = null;
  show().then(() => {
    for (const held of kept) {
      const one = alike(held, $('main'));
      if (one) one.value = held.value;
      one?.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });
});
setInterval(() => { if (server.lostAt) showServer(); }, 500);
showTheme();
showServer();
await begin();
hasBegun = true;
showServer();
show();

"""##),
        BrowserFile(
            at: "/console/merge.js", .script, tag: "\"baea191bbc573ab57ae07e43f2ce43f8\"",
            packed: "H4sIAAAAAAACA4VY3W7juBW+z1Oci8VKmlGUFL1zkEm3271c7KIJ0AuvW9PWcawZiXRJejyG10Cfpg/WJynPj0XFDdBcGCJFfufn+84hlbs7eDk4WG+NfcUAbgPOIqCNXTzO4LA1MU30R54NXYuwNUFXt9AFiOYLWth4N0AXa4hbBI8h8isHK0xrXUDb3HTDzvkIJwi7vlsjnGVT0TR3n4OzzedQPORFAw4r9C/4LYbpSo/tfo3+avFqH6OzNWCPA9pYw643nc377lo3XG0xq8ArzTqGv7pDDStjLfoa1q7FGoI5pp+1d31fQxhM37+YVY8TyLB1hyvMLjybgTZH3L24ydqYwpC1N3cfPtzAB/hBA4RICV65uOXkhpTdr3hJ7wPsbYubzmKbiECP0FFe1feGcP4UjztMa+B02rnORvSzZN539pUiCviUh0Nn85CJ6nwYJ85n+NHZTWImJty7m5u1s8ziL6vPuI7wCCVFUcHjJ7j7+2/hw2+nuyZiiDwNT09QFNWD7pLYwi+b6bYRS2eephzr3AwsHuBnsyurnKuf0ZMyNWGroz7V0FlwjCiy1cfo3AMYC8Z7c0xGWblfTb/HBn76iv4YtyleCNEcQ0KLCBvn+UEyujPeDHDStHAW4XDF0gpfk4VDF7e8xWPcexsSCRRGzjHXxmU4X5C4JMVhNmZ7vkipX9K+JTlLLNWMLEYPZlpiXF4u/XiyC+zNA+XBjNCkka0RIGYSv7E8N3u7jp2zMFA6SwpLNHGRQgWnGwAhUCw+wnzxMM6Nvo/zPUZg9h8ZKC+lAiDqVZI1vGONFEEGL3vmrm9rcHsfaokwLMjQ/+5cNEPSxyixiswCc1gKkjUDkiBISs8Yy3nTNITbfMFjKKsaaJywrmb6VoeLSlKRfTMUogYDH7W+S7Ij1nMQia4aErR465FjuI5MQ2DNSyL4qXnFKKAjareBUrpKOQGt4PffQaejzCe7VUVOxM7u8f3tuiwHB8qedmT2pwYT1QwVtd33/egNiC6a3T5sSxPH+TNgH1CtaY2Ln99/n6ueMafWOY8lmbvO2hVy3pJFKE6cYOx6JorMZoJGipkppuhmplGdM/rN5fdMU+xOUbynVt4iVQ4nzpoW96SkCeTMTQt+FaeoF0kVt91mQ+MVxgOihXhwhCKNy1g9bptcrqIn3Yd2jYHqyVlUCZFqpJJ1Mr9p2DFpn/CyRTbEHSWf4XImc9GgWW/HIGawTK+6ZG4JxiMUlIQCShPk6KHua92hqqGQxBSQIApKWCH92Lfom3faDpl0QTWWk1aD2hNdaIozy3Lel1fbyFSL3zgJpQLMeSrV2+Pjxe0nCX0m+r623ah08sz8LdRiLICqZqSKCH5LkGLoUacjqenLQGpdR1PPxQx8gnuqk6KGQm4fl7VNYK//UKWOpHQ+m2OQK4OxzPb0NiYnxJLIWEJJjs8grYIviTFbQXR6zIgk027Yh4TQKYCcWM69y56Y+NVY7PXokGQ6yyKkB5KdsDjVbkKFR64oZoa8SrzMFzCbinuCOS01uZOVxcF4S/nRQG9Xx1uOvuCLWlk8uwFXrj1Kt6CUFHW23/RoX+OWzF4Q6H2mrhyXVuRXcfBdjFSl2y5oaZL1pqhq6hh63SwLvphAQnEwHNn5ImeE+0SICY7Ht4mEAs5VPe7+i3c7bTKUOtCC0lROAWh4K68JQmQoSaZq5gNZJJ/rstaqTAc1HdM7Yo4W3ufGkMtMuoPRWuSW8ADL1llcwivGwGLR4qCbqAXT99wgBtPi+4JRbJHMpN4JNctEPUuOffwoPuZbxMbsezqd9FZfFruCkrLuTQgzCq9NY+96TAPTo4+UnLxd/aW6pHLL0UpB/mNait4dLlXf/HOP/vicjK6jS9rr7G4fZ+strr9gW1RPDV8lJ3boQ8BOL7ryRHLP93cSn1zbS2qe4HFwXxPeggU1k7qnbRexfoI/3t+nXcvvTjStveC+punqDP/517+XMJOCyb5wHPB4Heo7bTMnNfpiIjVdSqkUred1W14X1m5HCfcsZ/3SKq97aiWVIvIUJ+jxyjLxRw2hznO9WWH/hmahkW3pKuWEVulBHo/ik2k7R5hmSMPlxanb704srXN64ASclzUwizN2sIbC+M7ciu0ZpZymk8HvTteBnZdUw8x5jnpOyxcV/2UuTE+yznFr3S9/SPNqYVmrNk/5DjsSCW7DfFb0e6XKJWdgzkE8KthiWTUq02Q3erkGnjO5y+TRrS6mMHKjzZkNyOX7hoFRTUV9LZMw6oT78J/f/46l9hHw8lXYwN/+7z8VOgtRby5j15Wv8TJ/jJeineLHiX/zQqwUfKdnVxa1pFFh9IO/NAlLmmbikwfaOSct+pmCoN4oERRv6QLpUA15mXyIaKlbadspq6az637fpsexC9BHb/FT6q6aC7CIbRgbb1PQ6VPo9VS5ecfI06SvzLihlqPVSnafpwTufDcYf8z0hRTXrWyRE6UWK3yy/BdY4QcLERIAAA==",
            text: ##"""
// Two changes of one entity: what only one side has changed is taken from it, the rest is to be chosen.
import { splice } from '../json.js';
import { memberTexts } from '../reducer.js';
import { button, element, plain } from './dom.js';
import { absent, actsRow, banner, code, say, scroll, smallTable } from './show.js';
import { isSame, stepTo } from './text.js';

/**
 * A member that both sides have changed; undefined where it is absent.
 * @typedef {{pointer: string, base?: string, mine?: string, theirs?: string}} Conflict
 */

const isObject = (text) => /^\s*\{/.test(text ?? '');
const membersOf = (text) => isObject(text) ? memberTexts(text) : new Map();

/**
 * Merges member by member, in objects of objects too; an array is one value. Everything stays byte for byte.
 * @param {string} base what both sides began with
 * @returns {{text: string, taken: string[], conflicts: Conflict[]}} `text` is mine, with what was taken from the other
 *   side; in a conflict it has mine
 */
export function merge(base, mine, theirs) {
  const taken = [];
  const conflicts = [];
  let text = mine;
  const step = (pointer, base, mine, theirs) => {
    const [old, ours, others] = [base, mine, theirs].map(membersOf);
    for (const name of new Set([...ours.keys(), ...others.keys(), ...old.keys()])) {
      const at = pointer + stepTo(name);
      const [was, here, there] = [old, ours, others].map((texts) => texts.get(name));
      if (isSame(here, there) || isSame(there, was)) continue;
      if (isSame(here, was)) {
        text = splice(text, at, there ?? null);
        taken.push(at);
      } else if (isObject(here) && isObject(there)) {
        step(at, was, here, there);
      } else {
        conflicts.push({ pointer: at, base: was, mine: here, theirs: there });
      }
    }
  };
  step('', base, mine, theirs);
  return { text, taken, conflicts };
}

/** Pointers to what differs between two texts of an entity. */
export const differences = (one, other) => merge(one, one, other).taken;

/** The text with one side chosen for each conflict: `choices` are 'mine' (as it is by now), 'theirs' or 'base', in order. */
export function choose(text, conflicts, choices) {
  return conflicts.reduce((text, conflict, index) => (choices[index] === 'mine' ? text : splice(text, conflict.pointer, conflict[choices[index]] ?? null)), text);
}

export const pointersOf = (pointers) => pointers.map((pointer, index) => [index > 0 && ', ', code(pointer.slice(1))]);

/** Says that another has changed from `base` (null: not known) to `text` what the user is changing, too. */
export function changePanel(base, text, onmerge, ontake) {
  const differing = base === null ? [] : differences(base, text);
  return banner('warn', 'changed-by-other', say('Somebody else has ', differing.length ? ['changed ', pointersOf(differing)] : 'written this entity', '.'),
    button('Merge into my text', onmerge, { test: 'merge-now' }), button('Drop mine, take theirs', ontake, { test: 'take-theirs' }));
}

const sides = ['mine', 'theirs', 'base'];
let panels = 0;

/** The conflicts with a choice each; `done` gets the choices when all are made. */
export function conflictPanel(conflicts, done) {
  const panel = ++panels;
  const fault = element('p', { class: 'bad', role: 'alert' });
  const choices = () => conflicts.map((_, index) => rows[index].querySelector('input:checked')?.value);
  const shown = (text) => (text === undefined ? [absent(), ' removed']
    : code(text.length > 300 ? `${text.slice(0, 300)} …` : text));
  const rows = conflicts.map((conflict, index) => element('tr', { test: 'conflict' },
    element('th', { scope: 'row' }, plain(conflict.pointer)),
    sides.map((side) => element('td', null, element('label', { class: 'choice' }, element('input', {
      type: 'radio', name: `conflict-${panel}-${index}`, value: side, 'aria-label': `${side}, ${conflict.pointer}` }), shown(conflict[side]))))));
  const all = (side) => button(`All ${side}`, () => {
    for (const row of rows) row.querySelector(`input[value=${side}]`).checked = true;
  }, { test: `all-${side}` });
  return element('section', { class: 'conflicts', test: 'conflicts' },
    say('Both sides have changed these members. What only one side has changed is in the text.'),
    scroll(smallTable(null, 'Conflicts', ['member', ...sides], rows)),
    actsRow(all('mine'), all('theirs'), button('Save with these', () => {
      fault.textContent = choices().includes(undefined) ? 'Each member needs a choice.' : '';
      return fault.textContent ? undefined : done(choices());
    }, { class: 'primary', test: 'save-choices' })), fault);
}

"""##),
        BrowserFile(
            at: "/console/metrics.js", .script, tag: "\"7aa572c5c41e7b8a3f2716a3ad4b0fe9\"",
            packed: "H4sIAAAAAAACA51a6XIjNw7+P08BV03S3RNN285tTZT7vu9LpZJoNWV13FdIykc5qtq/+3tfYV9hX2AfJU+yAEG0KGmsmdrdJO4mARD4cBBk6/gYvtLOlHM7hNJC6eBaV9UAmvY6h4/Li5XRFtoFuKWGSlkHp69BXTYrp+0AFqatcQb5nDpPkO66AavqrtI2f1DWXWsc3MG87W7fQ2pd6Vo3DtlKWqGrVNngH9Oe48QHyhQDMJrn7NUFrFl8kh8XbZ3/YZMnsci6Vk0R0bSm0MbukBndaeUiqq6tKl3sUKmi+MErPYClsozGQOzAB21Kbb9ZRGLC3K4cezmA66VGqExMrM2VNju057cewLnqXNk2+FC1c+SetysCqFgZxeOL1pyXRaHxcalVUTYX/IC8VRveO3WhP8UxghQZK4KxVgbF2blpPZy1qqpYpWV7zQo9mLeNdWA71cAIzk7of0/CIOqgcTBtVvW5NhmM3pZnGI1GcALvQHKSwBDC4FtwSmP8lrv24/JGF2k/eZKf4uwrSH+awZBNTb9SbpkbfBTCLMtk/esSQ4vUSq3GkcJ6FeTF6/BZsyib0t2SKi2iTBpYUmn29z//DQ/vhJZWPzmh9WcP76I1Zf4RnOrXszX89z92htwbtsDyUkyJEGW9eafIVXsmcdou6XrWW9RpM9eN2waV5B9E0MO1D9QaXpiJYA+mNiS45vjFCBtA3RrNoN2BjF+WTTGEhJybMFWe50QI617PC7W60LGwSp3r6h5JnjgJNJGQP1eqcWW1JcculdG06j2yhCeJSINk9Gn38A4RhUc8t575xR4cP3oEP5aO0neFsTAADG5QsPC1i2ratSmdowyiioH5SaOOJigdcnh0LCCiVGdR3fEDgHFi9J8rbZ1FXZLvo2d0YggQ0g4zV1kaJ0AHMA6eSJOF0Xap3XTpXDcNsqYSI9MQI1NPTlJZTDaZDPziC1VWqH5YfLGyuvDq07h/tNfaPE0d65RbPYc+tkObtZ261qmK5PSMd9A21e0QlXj15oZmXsM/E1j3ulUouZnf0tSPZa3BtUEfGmkXsFTVwiuLz2dn8EIMU0hqVExc/XxIEetJ/toGqAH8PwLOzvahpr2kZNd+II8xrAewtK41esoCBModuTFKm5GAzGE8mPw+Q/p17G0zj1eh9+degy0glmeuU6kLEvtleaWBnp93iQoZpshwr/7OaFV70H/gRx88F1jsOj/adrpJ+r1xTPUmEh/Yp4FKxFGECGWsyEZseOr1qDVWQR/VX/VPyFkWmjJUdmxZvjPtXFs7FYops0+JLA6ubuUD69ufAl5to9ESgxVOdoM4sEQqsglcfYZi6de42+mCUtShs+2QNpgoMbF34orxobZzU3bo2wCgVD8qjbVqbsFRGcTHWzjX+9iKGsQ4XRS9EAL1jvaLHbpa3QhZ3VpHZKV9v11RTXdmpWEtKq66yN0/hRfoq91+PROGA1koJFMR00PWL8cOmfSdhUIJBYyg0dfwg3Ypl/58USn3lerSdDwA/r9tVwZNnNB+JS892c7+BWve1eiZupNoO4N3YCykuN3z43p6vppfajebwFCmJ9j/yKb2gzYlN9+K9ybkHTeq1hg6bdk426M8mT1BMg4KdG1rNagKIw2flYOlwoxFp/utbrFq5pTlgLAUabAog7sHgCNuZZp9K3nA2zZG30s/LOOTHOOOHJLGygXI0iOmymlPgb/+gug1L5t5tSq0TYkvy+DFFyEN8x7Doy0MiZtF57atNaF/paqVJhS+11Y7xp8HPW+zqirkknlEFq0EyGvVPVXZ8Tis7huOARBFb937bVtp1WT5H8iRJpBkJDpRVZX0/hDrxC3kyvWDDeaFUdfYsqcMoT9kMfQcltSWU7/L07IwB6OI9IoehTcUL7y+D9bETELiSI5NDM8eAcEvhi3L+lX5fR9Q9FI0Ig14pIlrOxhxv4p1IcWIYd2w7HvITjekN0iYKseRcvo6tnb4Bx5DisDgH5o59meTLG64N/y3yB8pmr5yhlyvvI5ieHl01OkgaHtMit0jpyobTaIYHS+LvAJQaWoUv+k0uWWhKquJSVJlB03lZK11JELW6JRxMAoEoyg6lcO+nw0mU+kok8CQygSvTANf0kjyVbJ+eHdDgK3xbHMbLF/HhJ5uiZ1Ssp6xqtAbwCr4pEpkTgzBGR5aS4AnHp/1BiSjreb2GF0qhfO5ok1C6m4nUyUvewBlQlGuTp5ENenqIk3wP9SeciuJZlrU+jJBzEt9/X57gyMncAIURq+eUPFXplSPl/70nOAkbUQJrAcsrMMAiaRxO+CbvYKQPoFXzvLXPkVhyJINPDRsa71t5wA4fp8udcap/PjhnXLwAry+nnn5FG8SbCg+GwRwWfghgYknZC1nX/XR8PLPr5zRcYgLjpxndFVRVDt94yXKBUyauGJLJh+VPDae9smmYjl1XunU8fFKyhYdqHRcuCR/opoaQ0OEQupjlqLoWZXomYXIx2evgbJuI1S59PFp9k7ODO+84+njzI2gMB6KpFBOPWYDMVjIDoQjImMv2HnbafJCe43v4uRLfQt7joZ1uOIKu9vA+yNlRYMJlLF//+NfmLSMqZ/NQrgBMzBgeaWbC7dEBiaU+kbllSmyDIYsjZc6zKlunsopOb+Pkw+E7fSjSyUKGrnFSrFk+UhZD6meccfJB4Po1nDG5sXQakXxSIDEiJt+bJxQOqNI+lNpxKjvNCccQASxhNu9Tpu31cZpytFGFoc+yaB63LNTNd6yeNX4EuCpkxAr1K/tWXTeFre99kzo9aQ8kRylDu+jK21uw00jKAsKiGJA3Tm1ptrv68a66JJiWdKRjTa+e7ISAeBrv/SZvqN0tw5fWQN7nzORlpUU75HHbDpOFDmibwmjvorLfxz+E2K8DyLaUcICk9xoRMXqdH9b2I+NwxkK63CxSkUyE6R2K/heiaLxqJhg91Kkadswtvg3V5zBKDSuKZx0numdXDY6TPBzfbFqQKE/Kc+FYKs0ZfdWBCZn6pCdWRbOCJWm3t7KKcoCi3gCx8f+gbLQwWWDIRv1oHNlCinULro24/WiE09U38lZKL3Huiivkqh9KptGmwPz/nYxntZOlZXcNQ3pONteXFQa0fEYr7pCOY3P660abFd1rcwmapIfQthmA1YhWrJpi60lrSbrt9OZkNjkgD9h4SvvBPwmG0F/+S455/MnnWEXRtitZxRdBBJfuXI5YJq4WZKTVR2fHUNs8wvmCc/yK59KeiPmaJRYLwyoMCSTjGOjd3KPYBzXdWkt2gAj8bFssbu6HPWfQVJR65DO8T7MKQaj7eNlTFHaj6mkRVpoqoIkPDpEy/lPrpfpcCg1SHa0t+DlWPBScc7JAYqPiff1pDR3f0caNCZn5txBwkjwk+UpZcUEHmImCr2cgggF5XSrqvd4KcvDCGa6QEKjnW6KMNrb8450fbRN8w7EK9G3spTDbkf+23BCgPF3IF+BvbrR9QtNbxePUTjh0Ho/+ushZTRaAz1T7s8lP9L3Pv6oBUWrra8yTlO9eXgnevAZAoMzW+ey44MYSmsfbWscaUuL87Ynd/hz9JX1nQTtjOF2KERDnvTSjw6LPwpRsb/g161bIi3hAedaN1BrZXHhAlDEXIMThQ6v2cuPXTDePfOzCOlR8U82ONRlT2QlCQcS2leEbqugXSsTmpP35ItQsEl2oCHZIs67xinrlHFoqLpQZYN2ZVFk+Zo64CSg2z/GVVLCv0s78nTdeb/aNJN3PjcGoTrB2vdB+sZ/Eu1LF62UxpuPM+0K4Tmwv/CnCxgdaN3qldNRsWcOxCqSQtsBCfGln4s0DRHFgW1wd0Mhob2T+3Rn4VJECYVQcOgxg6F8zE2zaDmKHOrzogaF9c7plPZB2zj+loidGn/4TbeXHUhjh0nIkYwJ6vshIRyfTCgA5aqgXEB6REbmqIDDgLAeAU/mFc2iknPYJImj1kDK1tz1bod2wcyZ7FP7Vw0eDRiFL/ipoi8UW0g4cxueAGQBggXWyKWuVelAWcztTz76kcrQMe9V3HPQZq6NpcbjvflcdxQRxHscfpKguq4q54rC8Tj8POGlP2xLuRUiRtAKiual/aBqrS6yEOpC0/+0ICX5g3DxLCIYzRDfMujdnoa3NaAa8yWkQQ3Ki+dcXfy5HRORB/sFjY71iH5zIKvSJxGGD5y6xHDa+tVGTxX8I1r5kpKGzoTrAINHau1q1RstP6BIE6Pr1mnyWLpU8aXc9rZFr8S3J1fK/j5KspgoJOWp376HmxxXxpXzndMT968+0eW3F6kghIScpAhSj6iHmwu5L5RDiMjx9sCH4hz/I5+6E/rNDCiaVnMnfTH/kCYNZ6ZxMl+ZKhnIj2HS8V6wT7LJhLvokGkiie7CkJHwGPYO86+oJRfm/wEiXFeLGSQAAA==",
            text: ##"""
// Metrics: is it well, now. Figures of the last 15 minutes, from this tab's own samples.
import { copyAs, element, fill, plain, problemCard, refill, svg } from './dom.js';
import { command } from './orders.js';
import { repeat } from './polled.js';
import { addSample, hasMetric, samples, seriesOf } from './samples.js';
import { ask, whether } from './server.js';
import { bytes, caption, clock, count, duration, forbidden, heading, heads, loading, pageHead, plural, remark, scroll, small } from './show.js';

const span = 900000;
const rate = (number) => (number === 0 ? '0' : number < 10 ? number.toFixed(number < 0.1 ? 3 : 1) : count(Math.round(number)));
const within = (seconds) => (seconds === Infinity ? 'over 10 s' : `≤ ${seconds < 0.001 ? `${Math.round(seconds * 1e6)} µs` : seconds < 1 ? `${+(seconds * 1000).toFixed(1)} ms` : duration(seconds * 1000)}`);
const percent = (number) => `${number < 10 ? number.toFixed(1) : Math.round(number)} %`;
const counter = (metric, by, more) => ({ metric, kind: 'rate', by, ...more });
const gauge = (metric, label) => ({ metric, kind: 'gauge', label });
const quantile = (metric, share, by) => ({ metric, kind: 'quantile', share, by, label: `p${100 * share}` });

/** Title, unit, how a figure is written, and where it is from. */
const charts = [
  ['requests', 'Requests', 'per second, by class', rate, [counter('freshet_http_request_duration_seconds_count', 'class')]],
  ['failures', 'Refused and failed answers', 'per second, by status', rate, [counter('freshet_http_responses_total', 'status', { only: ['4xx', '5xx'] })]],
  ['latency', 'Time to answer', 'of half and of 99 %, by class', within, [quantile('freshet_http_request_duration_seconds', 0.5, 'class'), quantile('freshet_http_request_duration_seconds', 0.99, 'class')]],
  ['commits', 'Commits', 'per second', rate, [counter('freshet_store_commits_total')]],
  ['commit', 'Time to commit', 'of 99 %', within, [quantile('freshet_commit_duration_seconds', 0.99)]],
  ['sync', 'Time to sync', 'of 99 %', within, [quantile('freshet_store_sync_duration_seconds', 0.99)]],
  ['lag', 'Live lag', 'of 99 %', within, [quantile('freshet_live_lag_seconds', 0.99)]],
  ['streams', 'Streams and groups', 'open', count, [gauge('freshet_streams_open', 'streams'), gauge('freshet_live_groups', 'groups')]],
  ['memory', 'Memory', 'resident', bytes, [gauge('process_resident_memory_bytes')]],
  ['cpu', 'CPU', 'of one core', percent, [counter('process_cpu_seconds_total', undefined, { times: 100 })]],
  ['files', 'Descriptors', 'open, and how many there may be', count, [gauge('process_open_fds', 'open'), { ...gauge('process_max_fds', 'most'), isBound: true }]],
  ['upstreams', 'Upstream failures', 'per second, by upstream', rate, [counter('freshet_upstream_failures_total', 'upstream')]],
];
const wanted = new Set(charts.flatMap(([, , , , sources]) => sources.flatMap(({ metric, kind }) => (kind === 'quantile' ? [metric, `${metric}_bucket`] : [metric]))));

/** Series of a chart, `[name, points, isBound]`; of times those alone that have any. */
function read(sources) {
  return sources.flatMap((source) => [...seriesOf(source)].filter(([name, points]) => (!source.only || source.only.includes(name)) && (source.kind !== 'quantile' || points.some(({ value, isReset }) => value !== null || isReset)))
    .map(([name, points]) => [[source.label, name].filter(Boolean).join(' ') || 'all', points, source.isBound]));
}

function drawing(series, now) {
  const shown = series.filter(([, , isBound]) => !isBound);
  const finite = shown.flatMap(([, points]) => points.map(({ value }) => value)).filter((value) => value !== null && value !== Infinity);
  const top = Math.max(...finite, 0) || 1;
  const x = (at) => (160 * (1 - (now - at) / span)).toFixed(1);
  const y = (value) => (39 - 36 * Math.min(1, value / top)).toFixed(1);
  const line = (points) => {
    let isOpen = false;
    return points.map(({ at, value }) => {
      const part = value === null || at < now - span ? '' : `${isOpen ? 'L' : 'M'}${x(at)} ${y(value)}${isOpen ? '' : 'h0.5'}`;
      isOpen = part !== '';
      return part;
    }).join('');
  };
  const resets = [...new Set(shown.flatMap(([, points]) => points.filter(({ isReset }) => isReset).map(({ at }) => at)))];
  return svg('svg', { class: 'spark', viewBox: '0 0 160 40', 'aria-hidden': 'true' }, svg('path', { class: 'ground', d: 'M0 39.5H160' }),
    shown.map(([, points], at) => svg('path', { class: `series-${at % 6}`, d: line(points) })), resets.map((at) => svg('path', { class: 'reset', d: `M${x(at)} 2V39` })));
}

const cell = (text) => element('td', { class: 'figure' }, text);
function table(title, series, write) {
  const line = ([name, points], at) => {
    const values = points.map(({ value }) => value).filter((value) => value !== null);
    const last = points.at(-1)?.value ?? null;
    return element('tr', { 'data-series': name }, element('th', { scope: 'row', class: `key series-${at % 6}` }, plain(name)), cell(last === null ? '–' : write(last)),
      cell(values.length ? write(Math.min(...values)) : '–'), cell(values.length ? write(Math.max(...values)) : '–'));
  };
  return element('table', { class: 'small' }, caption(`${title}: now, and within 15 minutes`),
    element('thead', null, element('tr', null, ['', 'now', 'least', 'most'].map((name, at) => element('th', { scope: 'col', class: at && 'figure' }, name || element('span', { class: 'unshown' }, 'series'))))),
    element('tbody', null, series.map(line)));
}

/** Every sample as a line, the newest first. */
const history = (title, series, write) => scroll(element('table', { class: 'small', test: 'samples' }, caption(`${title}: all samples`),
  heads(['at', ...series.map(([name]) => plain(name))]),
  element('tbody', null, [...samples].reverse().map(({ at }) => element('tr', null, element('th', { scope: 'row' }, clock(at)), series.map(([, points]) => {
    const point = points.find((one) => one.at === at);
    return cell(point?.isReset ? 'begun anew' : (point?.value ?? null) === null ? '–' : write(point.value));
  }))))));

let hasUpstreams = null; // null: not known

function card([name, title, unit, write, sources]) {
  const body = element('div');
  const inner = element('div');
  const more = element('details', { on: { toggle: () => update() } }, element('summary', null, 'Samples'), inner);
  const node = element('section', { class: 'card', test: 'chart', 'data-chart': name }, heading(title, small(` ${unit}`)), body, more,
    small([...new Set(sources.map(({ metric }) => metric))].map((metric) => [element('code', null, metric), ' '])));
  function update() {
    const missing = sources.filter(({ metric }) => !hasMetric(metric)).map(({ metric }) => metric);
    const series = read(sources);
    const isFirst = sources.every(({ kind }) => kind !== 'gauge') && samples.length < 2;
    const hasReset = series.some(([, points]) => points.some(({ isReset }) => isReset));
    more.hidden = missing.length === sources.length;
    node.dataset.state = missing.length ? 'missing' : isFirst ? 'pending' : hasReset ? 'reset' : 'shown';
    fill(body, missing.length > 0 && remark(name === 'upstreams' && hasUpstreams === false ? 'There are no upstreams.' : `This server does not tell: ${missing.join(', ')}.`),
      isFirst && !missing.length && remark('The first figure comes with the second sample.'),
      !isFirst && !missing.length && !series.length && remark('Nothing has been measured since the first sample.'),
      !isFirst && series.length > 0 && [drawing(series, samples.at(-1).at), table(title, series, write)],
      hasReset && element('p', { class: 'warn' }, 'A counter has begun anew: the server was started again.'));
    fill(inner, more.open && !more.hidden && history(title, series, write));
  }
  return { node, update };
}

export function open() {
  const trouble = element('div');
  const status = element('span', { class: 'muted', test: 'status' });
  const cards = charts.map(card);
  const body = element('div', { class: 'cards' }, samples.length ? cards.map(({ node }) => node) : loading());
  const draw = () => {
    status.textContent = `${plural(samples.length, 'sample')} since ${clock(samples[0].at)}`;
    if (!body.contains(cards[0].node)) fill(body, cards.map(({ node }) => node));
    for (const { update } of cards) update();
  };
  const reading = repeat(async () => {
    try {
      const { text } = await ask('GET', '/metrics', { headers: { Accept: 'text/plain, application/problem+json' } });
      if (reading.isClosed) return;
      addSample(text, wanted);
      fill(trouble);
      draw();
    } catch (problem) {
      if (reading.isClosed) return;
      if (!samples.length) fill(body);
      refill(trouble, forbidden(problem, 'Metrics take'), problemCard(problem, () => reading.again()));
    }
  });
  if (samples.length) draw();
  whether('remotes', (has) => {
    hasUpstreams = has;
    if (samples.length && !reading.isClosed) draw();
  });
  return {
    node: element('article', { class: 'detail' }, pageHead('Metrics', status), trouble, body),
    title: 'Metrics', keys: { c: { label: 'copy as', act: () => copyAs(null, [['curl', command(['GET', '/metrics'])]]) } }, update: () => true, close: reading.close,
  };
}

"""##),
        BrowserFile(
            at: "/console/operation.js", .script, tag: "\"5d423c6526bddb0d58a6b423daf213ed\"",
            packed: "H4sIAAAAAAACA4xVV5brNgz9n1UgVfIcHTn5fb33Xn7SaQu2+EYidUhoSvpqsrCsJJekC0dOm2KKwAXuBUBT8zm9NEx2YKdEW3OFWntGWsiLMo2v6KxVQg0vdcOe1MKOAq8nNxo4ASFpOe7CQ++5O2VfH+l+sE7oJ+KOezbyjs8F+J77Bbu4oV9o5WxPRV3PHTfjkl39wRdX96FLO1zc9tU2RUUr3XVVkGruadXZdUVDp7TB4uwCoLvKNRU5Drh9+nlj+4PMfQ/pyOUadndGEWuygGj1kxi15peritZK4powWEdBtmgalLRVaEX8eMoXcHtRMvrg9Wdalu3LVcYDlNFmPSXyJ0i78OxOGe1XiMpiotlNQ4A2S6AXylWobjSCxY39AhKaMU0W/VNLgWGtT9lgcfasopZVAw1gRIIXVnRIM6DYR6xiM3vloMerC3z0KgxAdA+MOA7y0IdcHQ7PRJsfePkO2BwF07S9DYvS3SPl0UK5GPi9y0cY2siTiGco453C3DOcYL/BHc2Pj+ldy4QyPdkVKYpeknCglYMjVmispCZzc4X4HC0iiedzcUEafm3SrGs6nh8tO+U9vQkZgWHTeLp/Go63cmuGqCOiKJWuU7G0xvBS0FyoIeTysH79bXj+JDJga/iMnquhnEEvRd5SNzMU51hGZ6BV+zqh6zVH51X6JWA9dqGyWSQlApsXWvDKOrDngYGQkmGnrUPviswxFRRT1z0eyuCZ0fUb9HU8N2X2FU6+igrdFFjC7tvZLEu7qbmu67yQE77w5QyN2OtO0wf2J2Ij7DCLXYZ6pTuYShQfdXyUiqxb5YMJxB2v5EqkSa4tw0FkrmIbHqvcIsqf4swdKx+uwqKgX0AAoVFqq8z635RdFkaff76xbEdHH13fTCZI+Af2wEi/ZE1stB/C+YwHrQwDujt6sX3aF0lVUe2+QyEBwnFMcFBSezsLCNbrFAcbyZ4racF+Xn5ZEToHe6opF3Q4ccAy9Rj99nZ57osZ3bxJX4B8w+pGc9d2Y2/8JeKvjwhajer5Sjw5mJ9acIfNm9Fgp/0DvR4dvCvVeaZfqjzAi3LCzW3J4t4m22FsReFCukLlB4wzkMe7q3zy9uWLelDOc3LMJhz7mjKSd9ae/B+G+ETXMenCjF1X0E0q/vz9j4KuhNu5fDGGZm7g8+1kUnf2d/Ul2OxA4Oalk6l7ubVM9exfUP9ZtnV6rU2eNBkmMCXC/SB5b25vTFOoYz92l5BvkmUKjK+sHGbPDjDsnHUZ5lV66Rf/NoLRNLzShpu/WrXOJcdxHPwquiipxu1Nvyb25pzzrstVrbHZbe2oLZ8pT19Xr5/r/t+THT58kECdvDnMjCUSBEEQBD6Ayn78MTuxMdgVxRAT5cxX7Tpk56ChopYWUl6DXWcSzDeERnUnqKbTOFFla8UlGiouD9sVtlLxilg2tpjOmqdDl5M9tjOmsdiWqKfXAoCDHXEOXd01ookL4Zb9/c4H0gEfL+CCYwe94yCpB3narm/FNWrkLxaLxE7cLpyRW1ZZLmeZkPcmMaJhIylec2uQXvV0biFK4seTp89ZpacZE5qfXfCsOcOxk/nLsIPiYScn5uQYrmYwPuc8WKgS0OzGi6Vllmo3mDQ7588Dwiyfj4Qy05IBgxsMERN0WmhjuRQf/dDdc2xaDb6yP9VBPLvIvcpl7o8qgSDqRxWMdAKuL89zSArFNQE070WF48+r5iAovllb/80mbNH9Zhtiz6O6EkO3/mp9XXc2vtresh9tXQALGLuZ6foqCH6FBxdUUscQZ/B8jfwwBYjP6t0OUfFOsbH0ik430n54Glf7WvYEUP+oB3Mww9fDSg61YMgDFkFNKnPuA7vVw3q/zmr7VG19mEihtgNLoyzSd/H3O3ZDpvKoSQoeBepF8ReSxPz3P1lPoxKTiIpUKm1NyZIVCfG2xdnqoeOFbPvgIERz3b5tmrCnn8AGKYv4UOZoY4JBX9R/AWBwIMeOw9mo6dxlz2rkLLFTNVdC9LzuBJZvJRx/ub+FZ4zdWzAw040oPvU4dXy9WmePyYCOcHMQdArfmLTtqkOsrZls5pdN2wqUeyLiij0rLY+hZTC5e6w+WyvyGHQZikwUN8PPy0LywU35AuHrfeTmFaHBKZuZc8bCATaynBlHQR1wRfDjT6u1uHJfhUuG3qu21e58225DboDOjfE102TuSsUyOXXfQsP7WFQtVgtSah2UdGv2TroPq97D58m2ONehKfV6b6iyZcAnT38Q3c2DaKcOseAmlAPaXMjk6uyWeqj4bEhygWA56vejYIRHMWhQzfdBhFmF4oXFa2ffL1+QHLBoQidTcJiQ8XXetR+2N7DCGAoJM/gz/6GVZeQ4HnkJS1HdZrehy+Uk0LmFf2umNtgz4aliSzfKwx6wH6mzJjdD+78OQZT7mOerECrvY0bHXAUeu/Aupnjs8wSxEAOsdqxu5O91UXeE7gtnHsRAx5f1PnZunehHnNxKDJaBhoktnP8cKi4xaFevnv2mQRoSMi5gHkNn0LlwFE2QmFCpbtjqjdt2LSlIvV4HATvqYV07gm80CcAKIZcfuXX9XA8qekQSH7JwdxPFrqxA0Gq14VKRsDRrQj9jrJglfkteFH/V0D0DxtuVxNslgl2unBGDWEvBE/njCck5fnFKtQtz6ANm0QefR199JrxhrrNLTJYv9Whg7bouMJyrQ/q4utZsWKdAF6eH9gXWiKc/dKHIq31dnSFhBttd29QiNBhx1SNOLtGonX4v5q5VDR2Px+pP/ST6xSe6itVJWK2myL/ZKDDwGtyNNIjweZnuxWSYWGAUEt+HWWIz433zQW+6Wst0OxMbwXBfDTQmamzCaEU8/H66hoKjLNMLTgWLVoV369Z+kr7JabEgWJ42SyhPpWuC+opxnYXNdXyjkUCMcKgoo2+/ClubSnpefJhJebQS7puwF+bEBdfVOmg9ie3QAXaJo1CaAQj4XBYTmSBsWxViU0UIiLKT+DbRGhCAho6HpLtun4s816Ha3mzqJoiIWqHSRUnnPig6MJ1rV0D+AN/IFGiWqT/Xgw0HyxVJLSQjdH1obYoEDvE2XfsQvqt4u125z8Y0xdYyF/2vvszQgCgL3vD9ZMcnqrU0dmSdmRAYdn6OF2t3QdRPsRHxdZgt05UV1U1Vd6iMFvk7b30pRoCAUPYDjtlKq6SFIe3Sh1s1uFDNjArFPbFEPWiMK4WayoQxf6f6MtarIG6hIDlrNvqP79AXOIwyjrtVSCgWwY8sgJ4r1IyPsfSLGeA1gsGMaerRd9HYVQ0C5aT6JvP5Knn2mU+M8AAsDvtJRPDrIdoFWJ0RLxwvToM0506ExjJxgSFeO5MWpEls9SRcQeZfsGIVdJmdW8W5yN+DmeJk2+XDGjkQFlhf1is6AxjUXODHg6HIXDir0vbxaC6xHO8MfOF0Y+AZfS9Gu6AKHjyn6V1jOEqx6TXHtETKDLGWrDjmJtbpcP2XoQzXhO1Vt3l4YurZhAq4MlHbpoJmmPPFGt4DIEdTbfgtfeEtQj6oyBc2VpN7/6myPBb8hPmaVTrdGHgTiskJUjXmHDpX4Hc+V3HjN7XgwvyFXIupHl/UYDfCXiz0b3+/83FJDQSMz5Qx1kfY7YSjcsMXoYNxrQPxgglir/HctGzpj7NyEqJhGcj8n5cjBfXxcvn/YXNQMFzbdhydGD3e3FeCcCvitQrdNxJpghWcODDqPltNehQadgcFeebycBhw81Y9CxOfom6ZFHQXeFQqK2uwgWif4jEAqORKYCHHosHY75Mq9lQzUIwcFtspXGG2CP14/Bl8rMrNyU8EGedICOCXWYVtd3rbgI2RdWvPgMBTgjq+g0j9mJSjQqKT+W3LuIYHt16h3kWWCkf8hMP2/Y0TuV75zsW6Btdi+V1g0kumvl6D57wBtNWKFF/CXuhAs3hYbfyCV51mRu9KA1TSSt5a6ZXfWvs6NMND+ISu7GPv/U6FJF/OT+gle2SqKxO8de+ejoP12qIsRTgoBKzjh60iUrxo5Pxqt67sJkAhvCH0Ho7JREuL7cMtrNZgS58Hm4FpUF9wLj5uwaWn18SKosc1Qg63qHZ96AzWnhNLGStCGPjZAjdMTlcyiiKKLfJPP/kC6MbSYU1jWGi9S7LSs6cqidD1MXu3r8X7awFDaIiGxQfPUvGjMpyK3RcOtKw+69HpTBEn4UK6+jEV5PIZ9R4Jw9JLM9wyF6jdfKH33xmLr3pHZupW5z5cj0+k7Il6lF8ukw3kTo/2EJfH+D3sonjh6vqkvbB+ysc6foEXfdwKZa1kw7CvRXWKkfyWYlyl3YRm/fotnlACgnVo2lo3kCwfqvr9w1gMLyla0joxPg+X7zBdRhmTpsxa09eQUtod1e2qMaQDA42C1VU/kkN9bb2/H635z6uKe7TNWEXTkzC9EXAdmoRfbdeoola3qQDUFO1GwMikXaCRLPZUB68upNOuKE4SWV88Xoykftu2lDc9MiBRm++3XXmk++pU6XaT8ANa7fRYjqb+kjbtVGbmPw+L7DOKYjpMKngOik50j2f/yk+S0/oB+xkp/KOOYiCPP8mmdJlOEwBcScNNvQ65O5jp/RnkWcTqtkAYZLFPe4RiYnGTU6m32g/ycpwsTgYQ6bknstrXIteH4RS7s2M7dcU7lTFTdqfRyesxythfnf1o9SlBea5ufXyFYMw9MwWUH4wzCdDHF4Z299LHCx+u6VOxyHmIc1HxxPEtfw2idI5JplEsHBVoTFmkQX2W/bSr//k5lz4pEQw/shpAk2HN9PqVOIzlMbt9lfiERmBZ8a13kI+ZHBpUXPv4qzA3fjrsLvt45p+XgFt/uY1v37Iq8kriATfbPohjwWdhyu+/ZSt+EjwkhxnS/SowMET4Jddgb4uXlvPYiNCQoU+L7mUv8QZAEJ0oOxHJRkGEEneAlOOgR03WBFev7PEgPhvRZFDvChC/cCTsBbtRrYgY3oj7Ru5H2si5j7iW+B/9Zfin8SgAAA==",
            text: ##"""
// One operation: how it stands, what decides about its runs, and the runs themselves.
import { elementTexts, memberTexts } from '../reducer.js';
import { copyAs, element, fill, openDialog, plain, problemCard, refill } from './dom.js';
import { command, orderButton } from './orders.js';
import { ageOf, gateOf, orders, outcomeOf, path, run, runKeys, statusOf, switchOf } from './running.js';
import { ask, observe, watch } from './server.js';
import { absence, bar, count, crumbs, duration, facts, given, grow, heading, onceNotice, pageHead, remark, say, small, time, tree, word } from './show.js';
import { specTree } from './specs.js';
import { detailHash, typeUrl } from './state.js';
import { LiveTable } from './table.js';

/** The rows of a table that are read, not watched: exact texts by id, in order. */
class Rows extends EventTarget {
  state = 'connecting';
  ids = [];
  #texts = new Map();

  text(id) { return this.#texts.get(id); }

  set(rows) {
    const before = this.#texts;
    this.state = 'live';
    this.#texts = new Map(rows.map((text) => [given(memberTexts(text), 'id'), text]));
    this.ids = [...this.#texts.keys()];
    const detail = { entered: this.ids.filter((id) => !before.has(id)), left: [...before.keys()].filter((id) => !this.#texts.has(id)).map((id) => ({ id, reason: '' })),
      changed: this.ids.filter((id) => before.has(id) && before.get(id) !== this.text(id)).map((id) => ({ id })) };
    this.dispatchEvent(new CustomEvent('change', { detail }));
  }
}

const longest = (rows) => Math.max(1, ...rows.ids.map((id) => given(memberTexts(rows.text(id)), 'durationMs') ?? 0));
const runColumns = (rows) => [
  { name: 'id', label: 'Run', isFigure: false },
  { name: 'startedAt', label: 'Started', isFigure: false, show: (json) => time(JSON.parse(json)) },
  { name: 'durationMs', label: 'Took', isFigure: false, show: (json) => (json === 'null' ? '…' : bar(Number(json) / longest(rows), duration(Number(json)))) },
  { name: 'outcome', label: 'Outcome', show: (json) => outcomeOf(JSON.parse(json)) },
  { name: 'origin', label: 'Origin' },
  { name: 'attempts', label: 'Attempts' },
  { name: 'results', label: 'Results' },
  { name: 'count', label: 'Rows' },
  { name: 'error', label: 'Problem', show: (json) => (json === undefined || json === 'null' ? '' : plain(JSON.parse(json).code ?? '')) },
];

/** A run with what it met, in a dialog. */
function openRun(row) {
  const error = given(row, 'error');
  return openDialog({ title: `Run ${given(row, 'id')}`, test: 'run',
    body: [facts([['Outcome', outcomeOf(given(row, 'outcome'))], ['Origin', given(row, 'origin')], ['Attempts', row.get('attempts')], ['Started', time(given(row, 'startedAt'))],
      ['Took', row.get('durationMs') !== 'null' && duration(Number(row.get('durationMs')))], ['Results', row.get('results')], ['Rows', given(row, 'count') === null ? null : count(row.get('count'))]]),
    error && problemCard(error)] });
}

const slots = [['automatic', 'May it run by itself?'], ['stale', 'Is its value old?'], ['when', 'Does it run again?'], ['admit', 'Is any run admitted?']];

const edgesOf = ({ rises, falls, runs, skipped: { gate, fresh, subscribers } }) => facts([['Became true', count(rises)], ['Became false', count(falls)], ['Ran', count(runs)],
  ['Skipped', `${count(gate)} the gate was shut · ${count(fresh)} the value was fresh · ${count(subscribers)} nobody watched`]]);

/** A controller with its counts; those that are 0 are left out. */
function controllerCard({ kind, state, activity, nextTry, lastError, counts }) {
  const isBad = state === 'hung' || state === 'pausing' || counts.floods > 0 && state !== 'running';
  return element('section', { class: 'card', test: 'controller' }, element('h3', null, plain(kind), ' ', word(state, isBad ? 'bad' : state === 'running' ? 'good' : 'none')),
    facts([['Activity', activity && plain(activity)], ['Next try', nextTry && time(nextTry)], ['Last error', lastError && plain(lastError)],
      ['Counts', Object.entries(counts).filter(([, number]) => number).map(([name, number]) => `${count(number)} ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`).join(' · ') || 'none yet']]));
}

export function detail(id) {
  const url = path(id);
  const query = watch(url);
  const rows = new Rows();
  const table = new LiveTable({ caption: 'Its last runs, the newest first', test: 'runs', onopen: (id) => openRun(memberTexts(rows.text(id))), onpick: (id) => openRun(memberTexts(rows.text(id))) });
  table.setColumns(runColumns(rows));
  table.watch(rows);
  table.node.hidden = true;
  const part = (test) => element('div', { test });
  const [state, acts, notice, once, figures, specs, edges, controllers, definition, runsFault] = ['state', 'orders', 'notice', 'read', 'facts', 'specs', 'edges', 'controllers', 'definition', 'runs-fault'].map(part);
  acts.className = 'acts';
  notice.setAttribute('aria-live', 'polite');
  specs.className = controllers.className = 'cards';
  const body = element('div', { class: 'body' }, figures,
    heading('Why it runs, and why not'), specs, edges,
    heading('Runs'), runsFault, table.node, controllers, heading('Definition'), definition);
  const node = element('article', { class: 'detail', test: 'operation' }, pageHead(crumbs('operations', 'Operations', id), state), acts, notice, once, body);
  let row = new Map();
  let isClosed = false;
  let generation = 0; // another one was made of another configuration

  /** Reads what no row has, one request at a time; what moved meanwhile is read once more. */
  const reader = (url, show, place) => {
    let key = null;
    let isBusy = false;
    return async function read(now) {
      if (now === key || isBusy || isClosed) return;
      key = now ?? key;
      isBusy = true;
      try {
        show(await ask('GET', url));
      } catch (problem) {
        refill(place, problemCard(problem, () => read(null)));
      }
      isBusy = false;
      receive();
    };
  };
  const readSpecs = reader(`${url}/specs?values=true`, ({ text, json }) => {
    const all = memberTexts(text);
    refill(specs, slots.map(([name, question]) => element('section', { class: 'card', test: `slot-${name}` }, element('h3', null, question, ' ', small(name)),
      all.get(name) === 'null' || !json[name] ? remark('It is not decided by specifications now.') : specTree(json[name]))));
  }, specs);
  const readRuns = reader(`${url}/runs`, ({ text }) => {
    fill(runsFault);
    rows.set(elementTexts(memberTexts(text).get('items')));
    table.node.hidden = !rows.ids.length;
    fill(runsFault, !rows.ids.length && remark('It has not run since the start of the server.'));
  }, runsFault);
  const readDefinition = reader(`${url}/definition`, ({ text, json }) => refill(definition,
    facts([['Its live rows', json.query?.startsWith('/') && element('a', { href: `#${json.query}`, test: 'live-rows' }, plain(json.query))],
      ['Set by default', json.defaults?.length > 0 && plain(json.defaults.join(', '))]]), tree(text, 2)), definition);

  const shown = new Map();
  /** Draws a part anew where what it shows has changed. */
  const put = (place, names, make) => {
    const key = names.map((name) => row.get(name)).join();
    if (shown.get(place) === key) return;
    shown.set(place, key);
    refill(place, make());
  };

  function receive() {
    if (isClosed) return;
    refill(once, onceNotice(query));
    const text = query.text(id);
    const isGone = text === undefined;
    const before = given(row, 'evaluated');
    body.hidden = acts.hidden = isGone;
    if (isGone) {
      shown.delete(state);
      refill(state, absence(query, 'There is no such operation now. It is shown here as soon as it is there.'));
      return;
    }
    row = memberTexts(text);
    if (given(row, 'evaluated') < before) generation++;
    put(state, ['status', 'isLoading', 'valueUpdatedAt', 'active', 'configured'], () => statusOf(row));
    put(acts, ['kind', 'active'], () => [
      orderButton('Run', given(row, 'kind') === 'mutation' ? async () => (await run(id, 'mutation'), null) : ['POST', path(id, 'run')], { test: 'run-button', class: 'primary', at: notice }),
      orders(id, given(row, 'kind')).map(([label, request, more]) => orderButton(label, request, { at: notice, ...more })),
      grow(), 'Switch ', row.has('active') && switchOf(id, given(row, 'active'), notice)]);
    put(figures, ['kind', 'type', 'upstream', 'valueUpdatedAt', 'staleAt', 'isStale', 'invalidated', 'valueVersion', 'count', 'automatic', 'heldBy', 'nextRun', 'failures', 'error', 'errorUpdatedAt', 'subscribers', 'run'], () => [
      facts([['Gate', gateOf(row)], ['Value', element('span', { class: 'acts' }, ageOf(row))], ['Version', row.get('valueVersion')], ['Rows', given(row, 'count') === null ? null : count(row.get('count'))],
        ['Next run', time(given(row, 'nextRun'))], ['Under way', given(row, 'run') && `${given(row, 'run').id}, ${given(row, 'run').origin}, attempt ${given(row, 'run').attempts}`],
        ['Failures in a row', row.get('failures')], ['Subscribers', row.get('subscribers')], ['Kind', given(row, 'kind')],
        ['Type', given(row, 'type') && element('a', { href: `#${typeUrl(given(row, 'type'))}` }, plain(given(row, 'type')))],
        ['Upstream', given(row, 'upstream') && element('a', { href: detailHash('upstreams', given(row, 'upstream')) }, plain(given(row, 'upstream')))]], 'wide'),
      given(row, 'error') && [say('The last error, ', time(given(row, 'errorUpdatedAt')), ':'), problemCard(given(row, 'error'))]]);
    put(edges, ['edges'], () => row.has('edges') && edgesOf(given(row, 'edges')));
    put(controllers, ['controllers'], () => given(row, 'controllers')?.map(controllerCard));
    readSpecs(`${row.get('evaluated')}/${row.get('active')}`);
    readRuns(['run', 'lastRun', 'failures'].map((name) => row.get(name)).join());
    readDefinition([generation, ...['configured', 'kind', 'type', 'upstream'].map((name) => row.get(name))].join());
  }
  observe(query, receive);
  return {
    node, title: id,
    keys: { ...table.keys, ...runKeys(() => [id, given(row, 'kind')], notice),
      c: { label: 'copy as', act: () => copyAs(url, [['run', command(['POST', path(id, 'run')])],
        ...orders(id, given(row, 'kind')).map(([, request]) => [request[1].slice(url.length + 1) || 'forget', command(request)])]) } },
    update: (next) => next.id === id,
    close() {
      isClosed = true;
      query.close();
      table.close();
    },
  };
}

"""##),
        BrowserFile(
            at: "/console/operations.js", .script, tag: "\"cd32b17c49ceb437ea7af75eaabc2bfc\"",
            packed: "H4sIAAAAAAACA4VW53LkqhL+76foG4W2tJpNv+Sa63vvyTnniKUeDWsEU4AcamvDa5zXO09yaHqYwarNa0Pro+PXDasVfLZDJ4OyxndwtZUBlIcNhn6LQxMFaBqQZoirGzA2tCdq2lkX4AmgxglNaGCjtG5gp6WKWIe0haewcXaCql0Ndmof++r0eFArHz6XIxYgEi1QAwapSkU2O7oABjuOGkugG9D5BSra+2zTQG9NcFbrCKDtKEMSa+nDl3N0/2DkY2UuYjSz+QhvfAM+yDCnI/5KxeR8tikMRpRRZlxa9BcFxqO7RLeA9HamBA62jyZw2oWbr6IdjH6pS0r8NAeqgrFB9fg/h5IcJO9kTHhQE5YGtvbqpSl8X/pt1GhLLFlh8EnMiA+xhuPsENYgjJyQEnKOuob1f0A8gULUgPLvJmwHwc1RTHa7g1tCmHk6R0dHObwsqOFpfbq3ZjdkqW1b0uzZjLNXaZFE7SR3IrmSZPFbO2JgQd0+tsqI+uB7b/U8GU8qOVPpzE8nAOx6B5Uaqn0AcXNgfFVGs5HaH8IRvzVkNH4fSNltWggSPm1K/UyPwsZXWRDwOnQxYHHEVMp/bOUQGUObS6ln/GY3yIDD/wJJZB9i+WkV4+PCDFW9cC25lVlJyVu6FG52WDj0NW+X1SIUqeL25e1C08LDQuf/RnxJCouQlydTojTyUvmvaJOWJiIVwV4eaJ41MYk7GctGraOl911Klq+iw9zgKRFL/+Uc7CQjMQrX34u2yurcAlVb1MP/b17uCo2Ml2fc4DUNkcLKp1ECbn450RaVkIHUp66m9VL5fkK1Pki3rMPH0mczHBB7VzROPk4hLQzvv+ztMd1EtZFKx0Wi67t5XZcIP5/73qnY2gn0naQrwxGodLuYt4XDb92SRiJYiumQmjfnSvNsokWr0YxhC2e3ZztjOh6hojLWYFUvs5pbrejbNN1f0ijKf2Ya+O0wEfI1INTQAH3MY5rIGeS5MgNed3D3Pjxlq7/EebW6cwe+3uL+MI3BQDt0l+mgQzmAHKUy6eKl6nnot9KMlANlegQVIMzOeDqoXCKjb+HO6mQzm558zdo4EFHDkxgvz0ljB4T1G3uJxjSAxgDDTHgza32alaS8RGHKR0oEX/iClDcxf2wdol6+l0V1mJ0eJnmTeJozJjj/PK+rz7/5mpi0ury/+m0fxYoByUtewtNfUobRh+jxHnbX57KFmLeO7qzH3hp4SpqTy4L2bTYXS3KMiLJOESUsZQsWgQNd5aJ6751Xule3ZFe8wWxDfvHI3kOOmcvyv63X8OjeQ/j3v+PIPnLjzxd/+Mwa5WE2F8ZembbiOJ7SDwpD1LwiihDJSTMTqsvxpdjOztbgMXytJrRzEHS0gfv37t2rT2mU9tp6zCd6jdJlZDxck7mnJ0fC0dtN7LTssSQbNwOsi8eLOCY9xwXrBV8LyE6O9D2/FgWXhm6oWPjfjqyiqqugSfpZIczPgi4v8uPg0KhJnzVRE6Vn39ejFcdnk6humYmQOp/ituyy+23KMn+kNjp+oCKwPD3wclqPrz1RfWrDVpmxeHm38D8DB9sgdzuUzsMWHfJooLmRXweMSe8mUKEB6xjj7YTndrgh+nqQ4HCyAduKvYH07FxEWL0fuztYGLDXMtriqckHLvDGd/lFLDgKQUVq47jTuGc5rNfcOXDGvzr4aQnKD1w+HafcQg03S3WhzFDVvxwKRn4QPZlrt5jeti2pWFBX5BokqYiKCJR3mch4nZ7LTDoiAw0DtkFKeNmqoYys5HwHTJgDkJryL+S8t1ZZDQAA",
            text: ##"""
// Operations: what is fetched, when, and why not.
import { element, fill, plain, refill } from './dom.js';
import { listPage } from './list.js';
import { detail } from './operation.js';
import { toggle } from './orders.js';
import { ageOf, controllersOf, gateOf, lastRun, operationLink, runKeys, statusOf, switchOf } from './running.js';
import { ask } from './server.js';
import { count, docs, emptyState, given, muted, noticeArea, optional, time } from './show.js';
import { detailHash, go } from './state.js';

const figure = (name, label) => ({ name, label, isFigure: true, show: optional((number) => count(number)) });
const of = (...names) => (row) => names.map((name) => row.get(name)).join();

const columns = (notice) => [
  { name: 'id', label: 'Operation', isFigure: false, show: (_, row, id) => operationLink(id) },
  { name: 'status', label: 'Status', text: of('status', 'isLoading', 'valueUpdatedAt', 'active', 'configured'), show: (_, row) => statusOf(row) },
  { name: 'type', label: 'Type', show: optional((type) => plain(type)) },
  { name: 'valueUpdatedAt', label: 'Age', isFigure: false, text: of('valueUpdatedAt', 'staleAt', 'isStale', 'invalidated'), show: (_, row) => element('span', { class: 'acts' }, ageOf(row)) },
  { name: 'automatic', label: 'Gate', text: of('automatic', 'heldBy'), show: (_, row) => gateOf(row) },
  { name: 'nextRun', label: 'Next run', isFigure: false, show: optional((at) => time(at)) },
  { name: 'lastRun.startedAt', label: 'Last run', text: (row) => row.get('lastRun'), show: optional(lastRun) },
  figure('failures', 'Failures'),
  figure('subscribers', 'Watchers'),
  { name: 'controllers', label: 'Controllers', isSorted: false, isFigure: false, show: optional((all) => (all.length ? controllersOf(all) : muted('none'))) },
  { name: 'active', label: 'Switch', show: optional((isOn, _, id) => switchOf(id, isOn, notice, { tabindex: -1 })) },
];

/** The switch of the service, read again when rows change, since it turns their gates. */
function serviceSwitch() {
  const node = element('span', { class: 'acts' });
  let due = null;
  const show = (isOn) => refill(node, 'Service ', toggle('operations may run', isOn, (active) => ['PUT', '/v1/_service/active', { active }], { test: 'service-switch', then: ({ json }) => show(json.active) }));
  const read = () => {
    due = null;
    ask('GET', '/v1/_service/active').then(({ json }) => show(json.active), ({ status }) => fill(node, status !== 403 && 'The service’s switch is unknown.'));
  };
  read();
  return { node, again: () => { due ??= setTimeout(read, 1000); }, close: () => clearTimeout(due) };
}

function list(place) {
  const notice = noticeArea();
  const service = serviceSwitch();
  const page = listPage({
    type: '_operations', title: 'Operations', columns: columns(notice), notice,
    onopen: (id) => go(detailHash('operations', id)),
    onchange: service.again,
    acts: service.node,
    empty: () => emptyState('Nothing is fetched. An operation appears here when the configuration names it, or when somebody asks a remote.',
      docs('operations', 'How to declare one')),
    keys: runKeys(() => (page.table.active === null ? null : [page.table.active, given(page.row(page.table.active), 'kind')]), notice),
  }, place);
  return { ...page, close: () => (service.close(), page.close()) };
}

export const open = (place) => (place.id === null ? list(place) : detail(place.id));

"""##),
        BrowserFile(
            at: "/console/orders.js", .script, tag: "\"533530416b0537db5d2b9c14a88185ea\"",
            packed: "H4sIAAAAAAACA21W52LbMA7+n6dAJ6Wcovx3uvfeewqRIJuNRPpIuq4v9bsfSJryqDMlYn/4APr4GF6ahowdAdbOgpugAzQEWhEY+u+MrAPCelLCbTidOacVOOo6C3OvKR1YUo0tAFUTjWtUcEpQ66mkpjyQ/VQbB+dsbBcFH6tWmv527QqgjnpS/NDKritgorumgKnRp3x+Fw2/2Imev4oHsITW6B5EedzovvxlxcnaN9oztkf7Tp+RKqBHjmTJ/CazYRYPdiynHda0qeTQUdQ5OD48hI+TBaACbHqppHUGnTbCgg6YBaCUdjCWv0lFHxMydAJq1nUjxoMWXqeEam6kI1uNAmxR0GiQFiw7ZJzg8PiA/oSkGCLrWG/xgj1fhyya8lOLnaUcrt+ALKSd5aWeq5LrzsRPo0UOf/8O6levwqpgad8QNi9Vt8jhpscmE0FH5CUHgVE8ChXGo3xV+1vfWai+9uQm2rcG3aSA39jN6HtV+CLiC6CFJ29fvtgtInLDl7DXRaiEO5ftEcL169dhphpqpaIGbq6fDwBGnk26WYxiVO6KVGPZLrJgmsMyT80LZOZc+p7pGZkKc98hTl5aDjgmTxtAcJ45/xYQjh8Rcrd9HRH8RLTM4yng6BFcvD3jEoz8Hzqp1QjuEBq2uPzgzf23j+6/+/nu5dP7Ly4KzlyIlNxtcPTHAdowanNmFOgWkDlPXbcHSn/sc/BWIY9KXD73L6WhQIfbXZddFBcLuCi+fRPiYr4U1SrWO26VxT50asDjBCqPYgXS+l4GMGMKQ1el80LPFreNTjtTtS81+drf4SK0Ca7v71MO59xMQ25mFFT1zHRw9Akun0dPSy5uDX6W83twtksM4VGt4Ojol9WKrQNOmVfNl9VyOOh0HXpTcpfGUsF/QqL5khFaRozuaVotNYQzWnhmWmi1KThcR3b/zJ8AQouym/GhZFlaX1Aj91NyXUo3VG1Ch3ah6jWA6Bz1U5d5vcLTgDfZ7sQzTuutwMdxN2RRjfkEYYNGF17Iw5+WayamooBzqDu0luk3R6MELINaHkxlC5l/SZ0YwPVCZxYhOiQpzlG6kGYWrJfAuNYTyFaFx2SjV59PKe1drRTVjpp8nebWnh9sg0cA4qI3V/+2RVTam+1y1csDOFzfVtxCQBW7x5Rf3WmB9VqxWxb3eEarMZyQiqzncGSt38zV6s5Ky1tazw1qfJRTYvcEGVqo1ldblRdQOXZVwZhcnC5Udk6GzzHGjmtozR7r0G+nLBR/SlY2xInkhY+Sbg+wuEhXdLw42I1k9F0oQOnEHEPtzJKf3/Jg39QGMO4EfLIOT6kr0l0fuBILCRteFYAuMbKAsizROSMZW7KwZC6eLzf52WND60XpFlPSbXIdRlekHATcTALWHqVn7m7ypXTwNRA59pPZvM6ggJB9MPIfHyJTYvidKSngtjG4YD6G/1mKBzeHHZaO0ppOiWDNuce5ja43OL7Cyk/chTgbaxokYZ5my7tMTrXyxUUTj1ocp+j0Agv32UQODWaWOGlWjZahWzfLLCrF4fR/whRi09zndeWeSetIkclE3cn6TCSs/IezLfAydHBzWE6eAlgPPPAI8WuW53FkY6Yh0rBOb4OdS94Mo+0PiiDtMIOZtC9VXu29V5wejztK5PSKA0U3CbBxh2yz2lv420GrcOvqthWDg+xCCOypbnRHLI6psoZAI/GonlDNAy5G8DbcWTHRJA05sSz8/2ckco/A/wHYaM8gVgsAAA==",
            text: ##"""
// Orders: acts that are one request each. A button tells what it sends, and that can be copied.
import { busy, confirmAct, element, fill, hold, problemCard, showProblem } from './dom.js';
import { ask, hasToken, may, server } from './server.js';
import { place } from './state.js';

/** Why an administrator's orders are not given from here; null: they are. `writes`: what they do is stored. */
export const whyNot = (writes = false) => (place().own.has('_ro') || (writes && server.isReadOnly) ? may('write').why : may('admin').why);

/** Sends `[method, path, value]`, the value as JSON. */
export const send = ([method, path, value]) => ask(method, path, value === undefined ? undefined
  : { body: JSON.stringify(value) });

/** What a command sends where this page has a token. */
export const tokenHeader = () => (hasToken() ? ' -H "Authorization: Bearer $FRESHET_TOKEN"' : '');

/** A text as one word of a shell. */
export const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The same as a command; `body` is the JSON of a value as it is written. */
export function command([method, path, value], body = JSON.stringify(value)) {
  return `curl -X ${method}${tokenHeader()}${body === undefined ? '' : ` --json ${shell(body)}`} ${shell(location.origin + path)}`;
}

/** Does what a key asks for, unless orders are not given; a failure is a problem card in `node`. */
export async function attempt(node, work, writes = false) {
  const why = whyNot(writes);
  fill(node, why && element('p', { class: 'warn' }, why));
  if (why) return undefined;
  try {
    return await work();
  } catch (problem) {
    if (node.isConnected) fill(node, problemCard(problem));
    else showProblem(node, problem);
    return undefined;
  }
}

/**
 * A button for an order; `request` is one, or makes one when it is pressed. `confirm`: what is asked
 * before (as `confirmAct`), `then` gets the answer, `at` is where a failure stands (else beside it),
 * `writes` says that a store which takes no writes refuses it.
 */
export function orderButton(label, request, { confirm, then, at, writes, ...attributes } = {}) {
  const made = () => (typeof request === 'function' ? request() : request);
  const node = element('button', attributes, label);
  hold(node, () => whyNot(writes), Array.isArray(request) ? command(request) : '');
  const act = async () => {
    if (confirm && !await confirmAct(confirm)) return;
    const one = await made();
    if (!one) return;
    const answer = await send(one);
    then?.(answer);
  };
  node.addEventListener('click', () => busy(node, () => (at ? attempt(at, act, writes) : act())));
  return node;
}

/** A switch: what it sends is `request(isOn)`. */
export function toggle(label, isOn, request, attributes) {
  return orderButton(isOn ? 'on' : 'off', request(!isOn), { role: 'switch', 'aria-checked': String(isOn), 'aria-label': label, ...attributes });
}

"""##),
        BrowserFile(
            at: "/console/outbox.js", .script, tag: "\"c912194a4be3f8341b31e444e603b3e5\"",
            packed: "H4sIAAAAAAACA3RW55ajOgz+P0+hW8nsYcntZeZs7733FgeL4F2wc2wzWW6Wd7+SDQzTtgQjS98nyZLMfA6PGr80X/dgUwoPxpdoHZTiAKFFD95AhcLqFISWvUoByoNGlA4ErEnd6GxH1WtjPWxByUcFdFBYU0OSZfPPvP3ZJfuHKjXWS7TP8at3U02LssnRHlPOjS6Ura/kPqX1ur3i4pPMSYIV1qhpUaiqir8PcZPCuhJK08OaJWlcE1aOL/eV/pKCRdY9pJ9LUx9jJgWP9qbCioyVu1GvffsGias2Fp+aDTniSPO+cp5WXvjGsVMTzIq2joEK75GAOIa6FpqQjZVorzbeG00wqOUEIOy5YxBBeA9bN1FcC18eZ3IUplk6tAeYwkb4vKRHiXzCE8uwb4/bkpnOyWwptEZL3lYmJ7jcSOTfRnMEtqmXlARpcvpFTs8zLzwpFCL3jh7GLpWUSHGt1EF4WEOHU6KQSq8oqTIeRmV6gTZe5XjFoiDX114ZLSo6OLHC22RDq6qxLLFYC0uGBBcRnGhT8KpG+rXI8VKWplGWZnMsRoleqOq2cJQW1F759oUl6JVhQitq9GgJR/ny8fDqpogc6jHI+xTlc0FFNtHz/B71dqiWnQeuCrgAyfzg1/knE7qPNuPeF6Wlo02NG3gg1rN37xKHmpOTpJBshNXJhxTeJdJoZMnKGBklFj9j7lGydCl6oURxKPiwO7A4zDm3TPRuB0gvdDMrPuQFtKahl+9DiBcuRBQwFgbByPU9meiGuzkYG1+Sp6AHkIy8CPgboXzAf6ElWirGdoq/jhFOKcaoAwN11ZXQN/RIT/IpB82AO1KSfUzGDV5M6Th3R7kanmIo+4DOn2QohYMAyEMxUHwYconaW64cyuVMyV24cPGwmmbJcL5c62P6K6HxUcEGVL/BYvHjlpbZCv0s8e0ak91uPhFFQBIuJqwkOQoSu2kWWo2FKfRYaRjKsxNwu6NH/WiMeNu+zeNIgy6Av5tMz1nc3wLVttIS6fI4/yvpjSY//wwL+HEb37rFmKtc6KdI6Zp6PRbpWAYfMqXzqpHojsTCaJiwzzt8a4XJCOfpz9BXdoBWskd+/OjZc0Km7A6nxHvdPGiSW4R07hy84ltNOR6YKGGJhbEIQseT5Y3gBTTreEdykK2bXIi+RB5IxiMvNRdLBufmO0WjQ5tBISxusKpizNsdgOjwuxASTzq0gjU/cEOeEnMKU+GonuxSCANYhYUn83ETLlygGcN+HWAClyB5XmJfNjECiHsSSrSksXeKhnCgODVR5ZDL41fmCt5FnthT375NZNO2Yv47/rCN9sHoqgVqLnYjN1b2nxUrgy5LiAhgb4o1ThxCWjwfEx4QLRYN0ZB5RkXHeehO4kfkBSFH7MWoOTk+0taGwjNV708WiyMXNUIlPFq+04KFE/WYLDJztGS5zqjsR7fHKcbxAyWANI0mXMejirg2e1P6mmT85cWJEFU18mThdBLufiBd31jNzad8hRTILUUWzZq1Kfzx/DuKgN5PToMO5iQ/YyJ0lxZpON4URO6JtUdPoNvf6WK/9K3HmWAvuX1Dryh0zCmGadKPEaMRROEx5s3Qjw3tIVyrcxibxBTXSH3W2zAF3+pKThsmfpFR5S2OXk1Cy4E0IwDa+HF799mjh5nzltKvijbg8vwcsZQM1x93UAhlViFPZr6aaZoRt/oPafnnL7/s9+sL8S06NMBsgT9woSNVwbccT5FZcuvG8+T4t8OM7/10/K4MJRiXXQgg3joXqS7JiW7RJ2FvcsEW/CnqppJK1crvsVvQ8WQEgMFxditTHmuXVahXvoy7FHa2blw5y/5v3TqUG0eO6K9gQxUGPgi762zurXXJOedAsyyKhCTUakmZILWnkll1lfwBrugf8Ifdl7hfv2lOgwAVnO5OwGBCT0/HN82qcl3eSawRELzT3MuDTUeW+Omm63D0qjiuSAV6beXf5iwLSjEl/7Pv/fR7v/1eDlfwhIxJgXzoCW9PkCi8OLSdRCrDGACKFbddiVjPLqaLcwi2DKLKI6aVOPLLL/7VUkcxI0yanA6kUP6uajVqqv7NKmpgq+1mAqqTfSVg6CstaX3wPeokOAEhOl8ucAAvd5IVrf10DUc8AZUYH3caChMoSHuQPeoaYbrmhuw9LSliHM+GjIWRGWL9cTa25zLzDnCSjegs8VJUM6QGIUQF0uMnQTzUJ+Ovv/x6mX395XecYzZto4svCmGjGBNTQlKXKSc++OB1Jv56ulDNV4N9Wtdwiq2IvnbcFhSiyAKMEuKNE/p+mBfZ+5pnRvmZLm40P6tO1GYWarVkffgMKKCLGCCSl5t3GgaH01oCvRg3CCG32ULUdmQeuBQ1OK0v5f038b1pv9+cb1bS5Wx62dYmorS0zXw/quM8DOu4FHoWUHOkJjLwr5rNOO6byVup/qVBPHvzA2MkOkNxUnYsPuc4L5lSgIihXuy2gPcuSi4GlWVaDbLfiWbmGuvVLVThFIkg/PBWJolUQYfI/XyXkoWUXoXcgmAuUNhfhi9bmcpzPIU3ieu/2LV1O5vjSj2/x4aDB8TYe4jrY8UMBsLnAjt9gb1Z1K3HMNkjJWb2rSPmY2vy5KxXm7o7tJvguPE/l3bpP7Qd2wDsMsjnEwyA5kJnzaKeI+pA6IC8OKg/lMS2rTmmKPaI8A7U0fBLNudewnVBE20bmBePISqlHPdTNlvVIqzzDmv+sGqEYYvDnDH4IMCSghZwQZ45u8X+n3mfc3qj4oHgEaE8swKKuNkvupj6nYWKiPs0mpmJn2yzn8rwVvX3merDG+Iu4Z5IoJtpP3WeHhJYUuws8XWBQT8MiB7KpIxO/Bn1OqEK0hrjIOk2Wy9XSlEtSI/5IrjRSvdQTefz710LCT+NXYI53DIL3llwTG+tsQQabjYx3ZNqVV/XOO6CcUczd/Mk0weH8saDhcHNA2EMKUrxFpEqrnIqGEgz72RPxrRiMrGR2zSJsQEccp4J3IK0iBNJUcoNReRiKSelIQwIfu0EHb5/4UXprQT8C5WWzMQqJcLe6pNqUqo5Yf40JsdPkSg/BQ1PfZ5suujMuj8O/ZbYQqs/RhiA+NfxjktmHw5xTAYhPhylHSpvKEqXSxxndusFJza+zrbwwRboG/gUxtDukpFgmQlndmH/gqjLpIxcQg5BmfPJAONc56qupgv1VFBF6M67DeEwei5xxlhwe8SQ5YRnG+c6Xc5v/Fzz5jp3nxXDo0wnjA84yVSNzIibsJWwDEgWRyafTLrPl8MuETKM3qt6oVo9X03flzgTabtqZm/TDEQSz5azTYsm6wQMWjoBAYYx/FgAV/Y3cDpsgGt2v/vdI17C7gzWDrpQmTiGDycdbafFyT5gRuQlCJsO1BoZAccWaX9b61uplqlwqy+W8+45Uj5c0HESm44iQXJ2OxA5RNbnWc6crSj1NMvILsxOxF4fCwvS2+VmNdMz3VxeWiN39UZPkLF0vYjwxStJsdTCWl9hqoq+yTV33k0ONy1i8gQn8yRymv28E8g9zFFgQoTG4fktHreFZo7yJuqzLRDyJj0a9dbVZkaG1DRueNBnbP3e/PE17c+EmXGfZKwpuraQsce9RnIbc/imvnexiFsVIQ7nUZJDHGd0sIP2DQN0n9bnzUIJN4KFE44Mm7qt158yFwgxJ7CEoEzXLeEAP6P7IJMoBX1SSCKpcA4OuUfkREpqXifWLs/OZDn2iMuki4I01kFOZ2JiVGTT44grSQv+4j3dZtnc+LpZqIdCB6YECVCAvxUWLeSMREG4OpbjjAD+rIlDsX66ErNDUzoKTM+pnY5WF3pTZHM/sbnZ0S72AlVbLBN6bSUhHNYtCjkgMzNbwejzHBrvbqgihZUlwZ2rw72PcUoKF5aVRMZwxcSGxM1ju98K2HqXTwqQ8DYrHN6Ku4hAsnsl/q1uNetiHwCE5jVNHHc+0/TCQYf0UDSNNPbcjERKZhrpzTkitogjL83T36P+nTYu4Zu2CBtcTAD4J0j6NaNdMfsK04nGSp69v1g3sCXusjA4d4L0pd335S6B1e+593+8ujzo/hPs6G+EA2VAKHMdEWK1FifgOXif6bCg2xhSANWAmV63hf/cAH5mF5iFQnGYpv2hrItQDt4fGsL1qggN+ECZQ2OMTF243cJSxUkFMl/V7QU+gnrPDC7jkwXgNyDpy3/8M1v3I2DA2VBslarW5rknwD1bbvDR78CDG3Gv7R5o0czzouTYjvNkE8NRI4BslSXsspO5hugciLFWvFuYSZdzV2giMzazy9pHmXBXERBJF9UhZ1FFzhvvUJRRdAq74o735SXFtSSxEYXlssRh8egp+p+yyun5+ao+lzYhW10+6dtc7Wf/FgQ8Jv8jfQDwcOZrC/xguIPtGa0weHJbzx67U9RukReByxqxLZOVouK+wKC39U3kD/Lj5RkaaFMJ+OdMLNnTwhv1YxyWTvSqc5YoW9glDMq2o+UZMq75dD09UtaMuHgZDT7Qt4TZavy5VbZJ1Brv3WMxSpBxhJJyG+wqP0LOi1GibbwaiY6LIG+8HtH98F4zXo+UGsEW2Mb7VSOkM46TXtNVMz1SvCQXanbzE0iVieAc41YVDT6Ki0sDD0yYNUiqA+2//OLf99JriPRjKU7LdGm205pDClfpvGApjjZXQ9soYkS2C/+b9tdA/C0BIEQNaeKV4jReCLzWrzoRs3cZHktoQs4uEJggY5Iq+Mnlg4tQjYh7AkMLz2T8k0NBAdSIRgNYyg1kna6XEm5huI8ML5trxhvRR6+X6+mlfnoJwroeyqyQc1CdMM1o7IZnMGqMz+Jn4N3GjhSMxY+gJZUNBfYjtcTyGPn0jwWFVxkOIV7Zavq+Xoodt7tb6UorxbvTn7ML5vBVbZ2O2ccUR722Ez+5Ek/75nQpz1ebdZsKArBsZTqsxU9eFIY38cPle1mUV2DAKjOEfh5KKYpD2YuJhoV619PLDSTr7sC3d544Q3eW+FOlAFbXTiAXe5MP8qaQg3gsbAbvhPiIfk3V97PgwcR3KuRfg0aeNsVUtjkfcG6VDFmLeWzDXFaBUa44/Hs00cSq0hTDgu6zpzRg/HLi4sKLZQvB7TktH429ibRb5OrLHdiJ1OF4aTmyY4f4jTIXePnu3WgFn3ugOCYDIOeHlR79pMecdKMcMB+5qZD3i1OUSFSoO/tevFqMTXV8NaZUXOOtjEtedSyvE2WNPDD/yuhH+Q3mWk1ztmW3TmO8KSVvjYduHZ0duwoFxoMfJt6+qAFcsryEN8QWSVHfMNVI1hRMOW5cJP9FPjIyRjs96BDEtgidFcl7z/xAFJWKJ+uOZMUpPDyiq+3z2xd/Oa6+8vfnL6r683qmuiMMhWWjfIUCaeWYDjXfVXkGfQ+xD4YUhRbondPHuZ5Dd7Z+nPyfwK3bx01vH8Kd7kZsCthcK58N/qBMbP1awtxfy0RupZVfyTbpluEJdoFsEAMUO3HoOOLO6ZJZuoAyKxAjSm3FshY/cg3ed6f764go2nzbROxntbj62lFs7P6/0dwn0YdCvbqHTiEYjoJ7OXRN39+abU72MIfL9MgWiUJL1SiAwjAr6hZ90ev9niLA2lX+2jweJWMPG+VVlgTxry0BYvmJVO6BBd4fwQHCHeF2SM1SyVSw1OB5UuC7IQZuyq1d5/9iUZNXvM9PSAIx9tCtG/rbppaeljZ5HhcPxhWsWC9egJcZPblQrB65VZFqeVtjEGaOPeGvLokH9s0NPGzzCS0sQljIzDBsYfkYVqg0/P25ItQxY7GgFkrUAbRZzOiD3F6RzV4tG8fpFerChvmYBNV0dXOdDtV7SPLZYAelmKLWd3h3ysQ9LC6YVEpvE8Q9er1QWm7J07PC9qCUllryaEFk1m5mFxQqVuY1axGYVP0JJBhtqRZYzDV6YAvnS9xGV3lh0trbO2k0dfSXaH4D6M0WHmbP//u4ZEEh6Jd1+F4GZO51jK25O6UnlJZ0NHx/KNzQr8lD4C4N/dpm/UiBS599nbMriPvQfWcL6qAPX4K/6tfJUX38nu4FNShiJog2ypV9fTd7CfvN30cEVuaXqTym1HpX2P9UQeCBs77mlQkXyBzipDbgQoR4lA1eHybK4LCzraEN3XZ48tHuHhrKL/ScSz/ItAk443rIcEeInfoQ7oDY+bIivPs6oi6oA5Utu44djPOAQrpuo+jITNqZRclUR9mqufwB5MDDGLkhBBDyRpD1m8eAGgQ0KAOH/PKh9Q2ByHsYhSegtIhgtFcYvt3jnFk//pwmjMeuDMqO+UBdOINLq4V6fGnTxFg0zv+gITFU8GKqma5C8nMiEJzX1xL7Hjsy5lfLZrH209TW5qbx5KXvhadFLJCfZZcDt5wHP/1JhPivZfaKxLiSLGJ2ftWpffSr+iosW7lbscXFUV/kZ9vvw/VT3dK4NyDVOeFgTlDuCHNysM/2ZOLJNEO4by658K/r66al6KSjsjZ2+dFcaF0KdbObI8mtcqLTFHlbJtWDmWPB3sepmqt3g1bRbmk3MUI2a/eriNwkpoWpvkPBd7vgR2kY0HPi98PlAqZ1M7m0y3tFAkLSUDmaXb9x6hGFiKt9DRT1YwmLRkBhyD8Wg+p/kIAfIngm0xLnBV1C0yYwMUJJRZpJhtqvCfwUAK/u+BVI76ceHys1QqbmF1hxQSDMU1BfIeKaKaRD+5ZCGwYy9ADcrQ87yWDGnfyBoQVUFh4OJ/Wju29SKAkJz6WPO1LSutcr/OWh84LpvkXdg3qrguGi3bgcjtyjP7CSdE6lP5HYnnRgh3uz36EsFg2PyWMfnb7ucDM9gt/IIK3oy8d6aQFevol+aZIXqMuQoqL/CgTxPrA8CHLg6yOwDSa6ovv7ue3IVQ9ZUgs5b+bDuSVzD7buRXvHBzPJ+nP95WZMP66ID6r70nX5yJUN7vN31RaTxX7MJ/8Dvdad+lM9AAA=",
            text: ##"""
// Outbox: what others have yet to learn, and what of it needs a person.
import { idOf } from '../json.js';
import { memberTexts } from '../reducer.js';
import { confirmAct, copyAs, copyText, element, fill, fillNew, plain, problemCard, problemLink, refill } from './dom.js';
import { filterField, isEmptyYet, moreRows, sortList, statusText } from './list.js';
import { attempt, command, orderButton, send } from './orders.js';
import { orderKeys } from './path.js';
import { ask, observe, watch, whether } from './server.js';
import { absence, banner, clock, code, count, crumbs, docs, emptyState, facts, forbidden, given, grow, heading, idLink, loading, noticeArea, optional, pageHead, plural, remark, rowLink, say, time, tree, word } from './show.js';
import { detailHash, entityUrl, go, parameter, withParameters } from './state.js';
import { LiveTable } from './table.js';

const list = '/v1/_outbox';
const kinds = new Map([['sending', 'warn'], ['done', 'good'], ['rejected', 'bad'], ['dead', 'bad']]);
const sections = [
  ['needs', 'Needs you', "state=='dead' or state=='rejected'", 'number', 'Nothing needs you.'],
  ['waits', 'Under way', "state=='pending' or state=='sending'", 'nextAttemptAt,number', 'Nothing is under way.'],
  ['ended', 'Ended', "state=='done' or state=='superseded'", '-number', 'Nothing has ended yet.'],
];
const entryUrl = (id) => entityUrl('_outbox', id);
const laneOf = (row) => `${row.get('type')}/${row.get('entity')}`;
const entityOf = (row) => idLink(given(row, 'type'), idOf(row.get('entity')));
const problemOf = ({ code, status }) => [problemLink(code, { tabindex: -1 }), status && ` ${status}`];
const canRetry = (row) => ['dead', 'pending'].includes(given(row, 'state'));

// Orders ----

const retry = (id) => ['POST', `${entryUrl(id)}/retry`];

/** What is asked before an entry is given up: what stays, and what the remote then has. */
function farewell(row) {
  const [state, operation] = [given(row, 'state'), given(row, 'operation')];
  const left = operation === 'remove' ? 'The entity stays removed here' : 'The entity stays as it is here';
  const text = state === 'done' || state === 'superseded' ? 'It has ended; only this record of it goes.'
    : state === 'rejected' ? `The remote has refused it. ${left}; only this record goes.`
      : `${left}; the remote is not told of it. What came later for the same entity is sent then.${state === 'sending' ? ' It is on its way now: the remote may have it all the same.' : ''}`;
  return { title: `Give up the ${operation} of ${given(row, 'type')} / ${idOf(row.get('entity'))}?`, text, act: 'Give up' };
}

/** Orders for all dead entries of a problem code, one after the other. */
async function ofCode(code, order, said) {
  const filter = `state=='dead' and problem.code==${JSON.stringify(code)}`;
  const ids = [];
  for (let last = -1, size = 500; size === 500;) {
    const { json } = await ask('GET', withParameters(list, { filter: `${filter} and number>${last}`, order: 'number', fields: 'number', limit: 500 }));
    size = json.items.length;
    ids.push(...json.items.map(({ id }) => id));
    last = json.items.at(-1)?.number;
  }
  if (order === 'DELETE' && !await confirmAct({ title: `Give up all dead entries of ${code}?`, text: `${plural(ids.length, 'change')} of this service’s entities stay as they are here; their remotes are not told.`, act: 'Give up', count: ids.length })) return;
  let gone = 0;
  for (const [at, id] of ids.entries()) {
    said(`${count(at)} of ${count(ids.length)}`);
    await send(order === 'DELETE' ? ['DELETE', entryUrl(id)] : retry(id)).catch((problem) => {
      if (![404, 409].includes(problem.status)) throw problem;
      gone++; // another has been faster
    });
  }
  said(gone ? `${count(gone)} of ${count(ids.length)} were not dead any more.` : '');
}

// The list ----

const columns = (behind) => [
  { name: 'state', label: 'State', isFigure: false, text: (row, id) => `${row.get('state')}/${behind(row)}`, show: (_, row) => {
    const first = behind(row);
    return [word(given(row, 'state') ?? '?', kinds.get(given(row, 'state')) ?? 'none'), first && element('small', { test: 'blocked' }, ' behind the dead ', rowLink(detailHash('outbox', first), first))];
  } },
  { name: 'operation', label: 'Operation' },
  { name: 'entity', label: 'Entity', isFigure: false, text: laneOf, show: (_, row) => [plain(given(row, 'type')), ' / ', entityOf(row)] },
  { name: 'attempts', label: 'Attempts', isFigure: true },
  { name: 'nextAttemptAt', label: 'Next try', isFigure: false, show: (json) => (json === undefined ? '' : time(JSON.parse(json))) },
  { name: 'problem.code', label: 'Problem', text: (row) => row.get('problem'), show: (json) => (json === undefined ? '' : problemOf(JSON.parse(json))) },
  { name: 'createdAt', label: 'Written', isFigure: false, show: optional((at) => time(at)) },
];

/** Dead entries by lane; one that is behind another of them is not sent. */
class Lanes {
  #dead = watch(withParameters(list, { filter: "state=='dead'", fields: 'type,entity,number', order: 'number', limit: 500, count: true }));
  #first = new Map();

  constructor(listener) {
    this.#dead.addEventListener('change', () => {
      this.#first = new Map([...this.#dead.ids].reverse().map((id) => {
        const row = memberTexts(this.#dead.text(id));
        return [laneOf(row), [id, given(row, 'number')]];
      }));
      listener();
    });
  }

  /** The dead entry that holds up a row; undefined for none that is known. */
  behind = (row) => {
    const [id, number] = ['"pending"', '"dead"'].includes(row.get('state')) ? this.#first.get(laneOf(row)) ?? [] : [];
    return number < given(row, 'number') ? id : undefined;
  };

  close() { this.#dead.close(); }
}

function section([name, title, own, order, nothing], behind, onchange) {
  const size = element('span', { class: 'muted', test: `${name}-status` });
  const body = element('div');
  const table = new LiveTable({ caption: title, test: name, onopen: (id) => go(detailHash('outbox', id)), onrender: draw,
    onpick: (id) => table.focus(id),
    onsort: (path, isAdded) => sortList(url, path, isAdded) });
  const more = moreRows(table, `${name}-more`, () => {
    limit += 500;
    return open();
  }, (next) => take(next, true));
  const node = element('section', { test: `section-${name}` }, heading(title, ' ', size), body, table.node, more.node);
  let source = null;
  let limit = name === 'ended' ? 100 : 500;
  let url;

  function open() {
    const user = parameter(url, 'filter');
    return watch(withParameters(list, { filter: user ? `(${user}) and (${own})` : own, order: parameter(url, 'order') ?? order, limit, count: true }));
  }

  function take(next, isMore) {
    more.close();
    source?.close();
    source = next;
    source.addEventListener('state', draw);
    table.watch(source, isMore);
    draw();
  }

  function begin(next) {
    url = next;
    table.setColumns(columns(behind), orderKeys(parameter(url, 'order')));
    take(open());
  }

  function draw() {
    const rows = source.ids.length;
    more.offer(source);
    const kind = source.state === 'failed' ? 'failed' : rows ? 'rows' : isEmptyYet(source) ? 'unknown' : 'none';
    size.textContent = kind === 'rows' || kind === 'none' ? statusText(source, rows) : '';
    table.node.hidden = kind !== 'rows';
    fillNew(body, `${kind} ${parameter(url, 'filter') ?? ''}`, () => (kind === 'failed' ? [forbidden(source.problem), problemCard(source.problem, () => begin(url))]
      : kind === 'unknown' ? loading() : kind === 'none' && remark(parameter(url, 'filter') ? 'Nothing here passes the filter.' : nothing)));
    onchange();
  }
  return { name, node, table, begin, get source() { return source; }, close() {
    more.close();
    source.close();
    table.close();
  } };
}

function all(place) {
  let url = place.url;
  const notice = noticeArea();
  const codes = element('div', { test: 'codes' });
  const empty = element('div');
  const filter = filterField(() => url);
  const lanes = new Lanes(() => {
    for (const { table } of parts) for (const id of table.ids) if (isHeld.get(id) !== lanes.behind(memberTexts(table.text(id) ?? '{}'))) table.refresh(id);
  });
  const isHeld = new Map(); // id → the dead entry that its row names
  const behind = (row) => {
    const found = lanes.behind(row);
    isHeld.set(given(row, 'id'), found);
    return found;
  };
  const parts = sections.map((one) => section(one, behind, draw));
  const node = element('article', { class: 'stacked' }, pageHead('Outbox', grow(), filter), notice, empty, codes, parts.map(({ node }) => node));
  const dead = watch(withParameters(list, { filter: "state=='dead'", aggregate: 'count', group: 'problem.code' }));
  dead.addEventListener('change', () => {
    const said = (text) => fill(notice, text && say(text));
    refill(codes, (dead.aggregates ?? []).filter(({ key }) => typeof key === 'string').map(({ key, count: size }) => element('p', { class: 'acts', test: 'dead-of', 'data-code': key },
      word(`${count(size)} dead: `, 'bad', plain(key)), ' ',
      orderButton('Retry all', async () => (await ofCode(key, 'POST', said), null), { writes: true, 'aria-label': `Retry all of ${key}`, test: 'retry-all', at: notice }),
      orderButton('Give up all…', async () => (await ofCode(key, 'DELETE', said), null), { writes: true, 'aria-label': `Give up all of ${key}`, class: 'danger', test: 'give-up-all', at: notice }))));
  });
  let isRemote = null; // a type has a remote; null: not known
  whether('remotes', (has) => {
    isRemote = has;
    draw();
  });

  function draw() {
    const isEmpty = !parameter(url, 'filter') && parts.every(({ source }) => source?.state === 'live' && source.total === 0);
    for (const { node } of parts) node.hidden = isEmpty;
    fillNew(empty, `${isEmpty}/${isRemote}`, () => isEmpty && emptyState(isRemote === false ? 'No type has a remote, so there is nobody to be told of a change.' : 'Nobody has yet to learn of a change. A write with target=both puts an entry here.',
      docs('remotes', isRemote === false ? 'How to configure one' : undefined)));
  }

  function begin() {
    filter.value = parameter(url, 'filter') ?? '';
    for (const part of parts) part.begin(url);
  }
  /** The part with the focus, else the first that has rows. */
  const active = () => parts.find(({ node }) => node.contains(document.activeElement)) ?? parts.find(({ source }) => source.ids.length) ?? parts[0];
  const chosen = () => {
    const { table } = active();
    const text = table.active === null ? undefined : table.text(table.active);
    return text === undefined ? null : [table.active, memberTexts(text)];
  };
  const rowKeys = Object.fromEntries(Object.entries(parts[0].table.keys).filter(([key]) => key !== ' ').map(([key, { label }]) => [key, { label, act: () => active().table.keys[key].act() }]));
  begin();
  return {
    node, title: 'Outbox',
    keys: { ...rowKeys, '/': { label: 'filter', act: () => filter.focus() },
      c: { label: 'copy as', act: () => copyAs(`${list}${/\?.*|$/.exec(url)[0]}`, chosen() ? [['retry', command(retry(chosen()[0]))], ['give up', command(['DELETE', entryUrl(chosen()[0])])]] : []) },
      y: { label: 'copy row', act: () => chosen() && copyText(active().table.text(chosen()[0]), 'Row') },
      r: { label: 'retry', act: () => {
        const [id, row] = chosen() ?? [];
        if (row && canRetry(row)) attempt(notice, () => send(retry(id)), true);
      } },
      Delete: { label: 'give up', act: () => {
        const [id, row] = chosen() ?? [];
        if (row) attempt(notice, async () => await confirmAct(farewell(row)) && send(['DELETE', entryUrl(id)]), true);
      } } },
    update(next) {
      if (next.id !== null) return false;
      if (next.url !== url) {
        url = next.url;
        begin();
      }
      return true;
    },
    close() {
      for (const one of [...parts, lanes, dead]) one.close();
    },
  };
}

// One entry ----

function detail(id) {
  const query = watch(entryUrl(id));
  const notice = noticeArea();
  const [state, blocked, figures, values, acts] = ['state', 'lane', 'entry', 'values', 'orders'].map((test) => element('div', { test }));
  acts.className = 'acts';
  let row = null;
  let before = null; // dead entries of the same entity
  let shown = null;

  function receive() {
    const text = query.text(id);
    if (text === undefined) {
      for (const one of [blocked, figures, values, acts]) fill(one);
      shown = null;
      return refill(state, absence(query, 'There is no such entry now: it was given up, or it has ended and was forgotten.'));
    }
    if (text === shown) return undefined;
    shown = text;
    row = memberTexts(text);
    const name = given(row, 'state');
    const problem = given(row, 'problem');
    if (!before) {
      before = watch(withParameters(list, { filter: `state=='dead' and type==${row.get('type')} and entity==${row.get('entity')} and number<${row.get('number')}`, order: 'number', limit: 1, fields: 'number' }));
      before.addEventListener('change', () => fill(blocked, before.ids.length > 0 && banner('warn', 'blocked', 'It waits behind a dead entry of the same entity, ',
        element('a', { href: detailHash('outbox', before.ids[0]) }, plain(before.ids[0])), ': that is tried again or given up first.')));
    }
    fill(state, word(name, kinds.get(name) ?? 'none'));
    refill(acts, canRetry(row) && orderButton(name === 'dead' ? 'Retry' : 'Try now', retry(id), { writes: true, test: 'retry', class: 'primary', at: notice }),
      orderButton('Give up…', () => ['DELETE', entryUrl(id)], { writes: true, test: 'give-up', class: 'danger', at: notice, confirm: farewell(row) }));
    refill(figures, facts([['Operation', plain(given(row, 'operation'))], ['Entity', [plain(given(row, 'type')), ' / ', entityOf(row)]],
      ['Was', row.has('replaced') && plain(idOf(row.get('replaced')))], ['Endpoint', row.has('endpoint') && plain(given(row, 'endpoint'))],
      ['With', row.has('parameters') && tree(row.get('parameters'), 1)], ['Attempts', count(given(row, 'attempts'))],
      ['Next try', row.has('nextAttemptAt') && time(given(row, 'nextAttemptAt'))], ['Written', [time(given(row, 'createdAt')), ` ${clock(given(row, 'createdAt'))}`]],
      ['Number', row.get('number')], ['Revision', row.get('revision')], ['Idempotency-Key', code(id)],
      ['Problem', problem && [problemOf(problem), problem.detail && [': ', code(problem.detail)]]]]));
    const side = (title, json, none) => element('section', { class: 'card' }, heading(title), json === undefined ? remark(none) : tree(json, 3));
    return refill(values, side('As the remote had it', row.get('before'), 'It is not known here.'), side('As it is sent', row.get('body'), given(row, 'operation') === 'remove' ? 'A removal sends none.' : 'It is not kept once the entry has ended.'));
  }
  values.className = 'cards';
  observe(query, receive);
  return {
    node: element('article', { class: 'detail', test: 'outbox-entry' }, pageHead(crumbs('outbox', 'Outbox', id), state), acts, notice, blocked, figures, values),
    title: `Outbox ${id}`,
    keys: { r: { label: 'retry', act: () => row && canRetry(row) && attempt(notice, () => send(retry(id)), true) },
      Delete: { label: 'give up', act: () => document.querySelector('[data-test=give-up]')?.click() },
      c: { label: 'copy as', act: () => copyAs(entryUrl(id), [['retry', command(retry(id))], ['give up', command(['DELETE', entryUrl(id)])]]) } },
    update: (next) => next.id === id,
    close() {
      query.close();
      before?.close();
    },
  };
}

export const open = (place) => (place.id === null ? all(place) : detail(place.id));

"""##),
        BrowserFile(
            at: "/console/path.js", .script, tag: "\"35b3725eeaabc0bac52cef3b79d362c4\"",
            packed: "H4sIAAAAAAACA21USZujOAy951eoVyBDoGuOyZfObKfZ940iYxeIDtPEZLBTe/33kSyorBcsbOnp6Ul2msKPXbvBzt3BRruVBW2hqhuHnY2h7UpaQZsSmto6C21Fh9iUFuwGmwbcCtdTMHqNFm5qt4KyJa8rdDeIJqbj1iJ9tRtRIt0hmBY2ja4N3BA20Hqli4//bVuHNhnh7abtHBStsQ4c3hLUHLLAOt05+wfBBzEEdOoIwLKNppT9fHYYXG1N4WoyGSBJEg/GAbdcBofW9vtt07Bl63s8AejQYneNpSdA9bNj2/HXtM7HG/6utO2Xz83dYAms67bIa6Ub6w0j+YjNM7ujrCLN96QmpU2zzyd/68n9P3l2eTPJx+lsNErHY/jc94k7QeJbFPHjQynhZoUdDn2EG22cb1UC41Qy7iTycD9UoceJ4GEEPZna/sh0iErI8nGKEm8jmL/f8UzwFgt/HC2S7F0O8/kc+BfevoXQB8B7eAePj/BikDSpTdFsS7QSF80oY4du2xmpJVnrTXiSMuzpHB4sJNkU1KV6/cB20iGxK5C6EAaKdVcqiJ4ulYqi5N+WAIIkoJxPouavq15BFlR7LfZEEiXE4YeKlWAH4cMWUXXFKkxVuJhmS5U/UpaxesyWico/ST8QvwVkeUQFSlEbGmSJZmvQi2hSIbyT2KYuMLyIYXIRHVYipQQRTNmTZdsV8BHvhL8B5a+sYh8iTd2PQWVMlSSzX6Et0JS1+UBY06IOoO0gCHI14+mQudIWlEyEkjtuoXankvg031DeYTykrHRZl3b6uDSa+qmb12ni0DrvwFoExJ8VoSL29wYZScUTJWOVR3tSio5UMOfbG9YshnVttjYGKbZqm5LUhXR5acfhZBGFyZg+VHS0oJ3XqZXRJaT9Acz2LwOtvt1Rjy3NmgSCLtxzmqS9Vogu/ikUGRUwLpYxS63LEksIVW0/Z0tFvFnVnXVnL6ZEhh5yqKsP3bun0iX/UoXnOi1SeLnoiuwfwYKrgSmV8fT6gUNpYe8nNRvQZbbmu34LnWjncIVV2yHMvWdS0cUMw6w1KCnJ8LJ5IQ9QYT4wH2h/0bYNahMKIr8gL8TMLnLqgdj0zHya99p7wLqCcFBlaCM/+ULHv4DHhF4MhPw09SwoA4Xk8kbszwTtSuf7oQ5YN9X/KNKPPWaQpvC8CbrhPLUF9zwT8mAT6Lp1SM/P/6swXO56BwAA",
            text: ##"""
// Property paths as filters, orders and lists of fields spell them: names with dots between, those that
// are no plain word in backquotes.
export const texts = ['startsWith', 'contains', 'endsWith'];
export const functions = [...texts, 'exists', 'isNull', 'size'];
export const reserved = ['and', 'or', 'not', 'in', 'has', 'hasAny', 'hasAll', 'true', 'false', 'null', ...functions];
export const plainName = /[A-Za-z_][\w-]*/;

/** A path of these names, in backquotes where filters want them. */
export function pathOf(names) {
  const isPlain = (text, index) => plainName.exec(text)?.[0] === text && (index > 0 || !reserved.includes(text));
  return names.map((text, index) => (isPlain(text, index) ? text : `\`${text.replaceAll('`', '``')}\``)).join('.');
}

/** The names of a path. */
export const namesOf = (path) => (path.match(/`(?:[^`]|``)*`|[^.`]+/g) ?? [])
  .map((part) => (part[0] === '`' ? part.slice(1, -1).replaceAll('``', '`') : part));

/** The keys of an `order` parameter, `[path, isDescending, ':ci' or '']`; the path as `pathOf` spells it. */
export const orderKeys = (text) => (/^ids:|^natural$/.test(text ?? '') ? [] : (text ?? '').match(/(?:`(?:[^`]|``)*`|[^,`])+/g) ?? []).map((key) => {
  const [, minus, path, fold] = /^\s*(-?)(.*?)(:ci)?\s*$/s.exec(key);
  return [pathOf(namesOf(path)), minus === '-', fold ?? ''];
});

/** The order with `path` turned, or added (`isAdded`) or first. */
export function turned(order, path, isAdded) {
  const spelled = ([path, isDescending, fold]) => `${isDescending ? '-' : ''}${path}${fold}`;
  const keys = orderKeys(order);
  const before = keys.find(([one]) => one === path);
  const key = spelled([path, Boolean(before && !before[1]), before?.[2] ?? '']);
  if (isAdded) return [...keys.filter(([one]) => one !== path).map(spelled), key].join();
  return key === 'natural' ? '`natural`' : key; // `natural` alone is the order of the remote
}

"""##),
        BrowserFile(
            at: "/console/polled.js", .script, tag: "\"47251dae0b34e16df371eff7c2fe15c8\"",
            packed: "H4sIAAAAAAACA5VWd5PqOAz/n0+hq3F2PNl3/Y6d67333hCxID6MzdgOLMPju1/cCLz+tga1n/SzJOf6Gt6HDS4Jdp1xBAu57C05QEtgCQXgEqUelFIRSA/SgSPSUyBsO3gNHAfUAtCD0W0IQjqYtWZNDubYrpqJXG+M9XAYhJv9+47H/z/RredAitakPR9gleKwsWY+SD5EKzhYCkI4wsKaNVTNtTDr5j9X3ZwHXK8D+mhjrCDr7jVTpl0NGMbOpRCkOSyt2XFQBoXUSx7r/4wwgq7Rrs4Cus7s7gmH7sKA7JZsMplcX13BR4YczHbGrmYnWlAXImcbstKIGawd4MKTDWx16IC0IMEz0b4j8DgvbDdwdT2h24i/6HXrpdFgaUPoWQDikKLC2/DanTt3ajhMABR5ED0NMt0rdZMl0n3Qu/0gXKByNEo/VMaROJej2+t2hIvpsxQaQC6A5VB3757ca7Dke6uDO0CrCO1Pck2m92zIpI7iMQNve0oi3KH0ECph2ei+NDPmM6dMX3wRnhGm7UP/NF081zrX68gX2Jh1oSfGPg6/rdHOR2YHa1bD2+/AIYa/P2Iu+waOwfmkRiE+3g4PX0nnSZNl1VY6OZdK+n3boV5SxSNAxCxBJpAJGuByZssz9gO7xaDIBmAObXgcuc+qTOGjyB4TtrQ2W3qKnI+h4mNs6QlcwcxsQhu42RS89Io49FZxwNY7YNoIcmAWsW87QlFz0MbLljgIizuG2u3Icpgbsa+BhcF20TgKOKxon/aCJMcGgzTGNQ/I/UagJ7ZR2NKgQm0GRwtbSbsMGee3buDXDj3s0KXFpTCcsce9gzk5KQiwLJhm8qCB2hilSHw3xGKH+4q8LOgyY55zhGM8otxe3pp+AIO3y5ZjlZDbKpCbLULx96p53Ffo3BSqoB8Enpwvn+B4WlusrvP4xnrf9/dMuqfbIhohLUVfeLusjzjleQZSe3m7z0/FKZ0evJ3nFN2KVZ9+/FMV6YlJlPHM4d9tHrwRYMz0I/TUaLNjJ392SCkf4e2MeFKFfmGZzyK8v7Gy5ggt+rYDlg87nMlTZBjXQEqzTsAldi7gPJmzS6XAcah+6qRLd6rHFbmqvrjZRsPEes6oyUsiND1ckPXii/laYrPY4dJBuJV0eMA4ds8f4hXHctrHZlYXMsIkXyyeKA4DOx0bD62XraKL5hPkUarYcOV6ZHkoljacW5qLs0kvnOShjkDZI9Y2vSw1GsQ5mgbY8EfhnNSAHV4QAF0VIaaJp/z2wEI/c/jzz6rtrap4eQdgf44t+Xf9N4emadJ0vtsM/u++C3/+/Xcdqtnfh+Q7yh13iRjb8Zm30wyFYygvLixoOFTvJ6cQNuCFWuCY6spbSw+GpQGL8N0miXNL5ZMZd3kOkbb+SFr8GDRxL/8PtqjMnLgJAAA=",
            text: ##"""
// A page whose figures are read again while it is seen: each 5 s, and at once when it comes back.
import { copyAs, copyText, element, fill, problemCard, refill } from './dom.js';
import { command } from './orders.js';
import { clock, forbidden, grow, loading, pageHead, remark } from './show.js';
import { ask } from './server.js';

/** Does `work` at once and again `period` ms after it has ended, while the tab is seen. */
export function repeat(work, period = 5000) {
  let due = null;
  let isBusy = false;
  let isClosed = false;
  async function again() {
    if (isBusy || isClosed) return;
    clearTimeout(due);
    isBusy = true;
    await work();
    isBusy = false;
    if (!isClosed && !document.hidden) due = setTimeout(again, period);
  }
  const seen = () => { if (!document.hidden) again(); };
  document.addEventListener('visibilitychange', seen);
  again();
  return { again, get isClosed() { return isClosed; }, close() {
    isClosed = true;
    clearTimeout(due);
    document.removeEventListener('visibilitychange', seen);
  } };
}

/**
 * `options`: title, url, acts (nodes of the head), notice, draw(answer, body) (fills the body), keys, copies() (orders),
 * update(place) (another view of the page). What was read last stays beside a problem.
 */
export function polledPage({ title, url, acts, notice, draw, keys, copies, update }) {
  const trouble = element('div');
  const body = element('div', { class: 'body', test: 'body' }, loading());
  let readAt = null;
  let text = null;
  const reading = repeat(async () => {
    try {
      const answer = await ask('GET', url);
      if (reading?.isClosed) return;
      readAt = Date.now();
      ({ text } = answer);
      fill(trouble);
      draw(answer, body);
    } catch (problem) {
      if (reading?.isClosed) return;
      if (!readAt) fill(body);
      refill(trouble, forbidden(problem, 'This page takes'), problemCard(problem, () => reading.again()),
        readAt && remark(`What is shown is as of ${clock(readAt)}.`));
    }
  });
  return {
    node: element('article', { class: 'detail' }, pageHead(title, grow(), acts), notice, trouble, body),
    title, again: reading.again,
    keys: { c: { label: 'copy as', act: () => copyAs(null, [['curl', command(['GET', url])], ...copies?.() ?? []]) }, y: { label: 'copy the answer', act: () => text !== null && copyText(text, 'Answer') }, ...keys },
    update(next) {
      update?.(next);
      return true;
    },
    close: reading.close,
  };
}

"""##),
        BrowserFile(
            at: "/console/query.js", .script, tag: "\"79bdffc39da5c1c7386753df402cf07d\"",
            packed: "H4sIAAAAAAACA5RW13LjOg++z1Pwr3ZmNPa9M9t7773SImxzQ5E+BLVebXn3A0BSRCs+LUWFKB/wAaA4n6snNcRmoTSeFkp7o3Y6lRuVNkBvuIM4U8/p+bcaMNnglUWlFYKOpPTi6f0TvqgE31KhVtYliOJkZcEZ0oxwRBBpEwHUKsQKVVgpmzqkjU7sDzdhx45lQZA7/7tQO9OFoURESlWowKfZka22ISb1Q1nznODVL7WKoVKT2Wz+BYOffcHJyaBUQbWEyIqYa0YwdQlxpCxcVLopVFgixK9QtKwMlnNZHtsta+sMxExNVg7oYVPQNaXgC1UGv7KxulImft42V7C9PxdSjUW9dBQBOODEhWbXXh/CrlCb4EyhXNB0DVvw1612YV2ordPW0y0GMq+u6UjyCGyWxWdCNYptq6OuIEG8KSXMdNuajtQNlI4suDUerQplfelqA+ZacHXlh/eH5BOH12d1VelIHPhANfXr6+IFTIbWq47wQiQ670GDlJlOG8ZMdfR7piwYV7RM+DTsiHTtPUS6NwmE55ophWqbmmdJJ+J5HVnPmvvWUxc4ul7tCsUcU7CMvIbboA2TXEftmFjKh9TJtrVD7p5kK8ji4j4/T18w8FhHDsInm5rbGjf984voKJ5ANYYIbUwJBC/4ElgqoYjJUDgpfQlKIxUfUHomUrRtGyGkRzsv90TJIEXZbFtfO5s2j3svmAfOzIwip0yvR71jOBbXuD+Ec2cxjUzu26/wnKPI1BK/j/Qe+ZICpXI9kKGlEPV6HWFNQaDYU902ISC0XYbS5FuIyQJyQ0QoKenH2gMlxaTfiqHeYvv8LNSxzCPodjkJ4Qi+cQw8kphkmtQFNRU6j9WFi8rDrt0vHxPt3TpZUfMiDgL140ip/9TRnfAdBZD8+Nq5EzWf7+97rOKZurHCjid1CZQ8aYbg+W6T2tCtDRmMuLcGBMfziJGXdx/YR0ZJIVtqFTBRzkAbuacHGzGxVdlSmKOLI+oGbjo2bXgbZ8YRJFriiLeW3oSXdptmP36y8V2YnOmaKu+laVnb9NN+YTz/Yi1fCOS2HCfPrk59R5rF64BltEtxtNIOWx60c3ksMuHI7UoumVdJppbk19wXYAbSmKgk34iwkhcxo1xFE9mG+L+prctAe0NqgtTlzIpV27wszrxRRbliR6QhTRbrMoXYtZI0jpLP3IzTJwgRyMtJJrPJ/aGQG+9MRs+ZyCKNPsnOAGaYdEz4igZ/Ovk0Oc4xZFAvcMsPgzttA6TY9Za3/IX6fIN3KgvC2H9/nHn+9Zm3GAel+Fmofw0B8O5FvUnGU2t4rLq4eY1XWB7BG4ikIfKpKPST9P//d96oFrypI61kMc98MEBI14L3BE+FutQB8LxdkfqQ20W2+Ew2sOmxQLdR99DnlYqOguC3tjyVJAqZGdHvCVJZUtIrrHHSC7tdePpDfSK4hbL0+Trupb8GBAyRI2HbQlm8YgzkjGk8nXafxEX3GZyefQamZ91QqInoTCi/katf/Jc3DzenujDs7tOB2EJN23MeJ8x6WSSmG8Wxxp5vOQxN86VTaJDQetJms9kAJ8Keisl8slA/lNNLpmvSnjQnhdKjSvXnrVUouVYDlz43p54+YPufUvtX0Sagtb6j/kOquRvI3YCxaeRniJ5WaWrUvy60exF5zNv8nGKGcR0cpD2gCFX4CvtQfIZs3bTS/pCSJ9RKDoBlaE0OxMdOrv0/yao/quYw3AUHYKkRn5LzDL08h67xADhL2gRnpaOpy0vicheOowtRPjWHSpzCeu2A97PcxTZ3sdU1HrQVwe+tXOdy40iS/n9PUTPdcQBmILT5yT4tx3tv40LBaKKbkJqzFKklqNb2cRExT3OPcO7nPco8yeWXmYWsBEiuLmLdjFgmy6Q3hXTaXToNOg/jVAMcBACLJM9Uf9o1dAlH3N4s6p2aFmUg9dAwv3RQGCpMnvHfykzCO2qw1Dc3K1LEbtGrDSMCmoAt+up1vbolDG2X17ljzziA5qurkWfL9c0tSHwf2MShY9Io+p3V22V9xkfPqPHH3h2kPjLSdv1AqIjI3cTPi80dxH7zmqCLuAzLS/0Nfg/nRFgZqRQIKzkOyYvQhc6LqehonQf9K9+z3p6Ew+JP5UURptOQZWLyTkwNwp6s11fNRCTcSMLK9AkvEf72NyH9oehUl/d86EHluQBvPdi+NYWxWkZG5qPhjzwDtWblUTIGdvTOMT3zuwLRjkF+pzQ+JG8PDi0OnhM2DuAP3PzH7/+eHZRAuLAiJaMFzr41apFxg7XuIIzZpI3LkMPrF4B8dnum34BSjncbuTbC+pzdjfGWxbX4ZLnylyHeCWDPZItOMLnL+FDlmMJVp94IMgWLvjMa608uHlXKiS0JD8eI17dk2tgFyowBmOvNthkBSQdEJ/vgSgo5jjkDpwxXIPt9+bJxO10sX7s1WOp9QzbZqUHqKvgR7rwywg4sv207IgEX2/oqnDsJo2iHnHlLBA1J2PqnLQG4bLbM//1FtHkGxLdZUYRtA4sqGmUy82bL//6ouaxvVzs1ZfQMYnfydr+C7ys8SgchRywrFQBWEyGHnRJtbuUa7AQsbRp43+dhvN1nyWlGELEQNDIDuHg8K5SihXTz2FzKgGrVrK92r3T5ziHVI6veEpJXDdAhAj3EzU/4r5L/uWrq1401bG7k79CZwoxxk5wVYN7L36JMyb404i09mUpwBmyp8Zx8IDXLkdAre678WNVueVInG+HHNpCYHsBzvQf/AwcdDkOXgIQDLk0etu2URQ2c3zfrl9EHqu/q5Y5jUDniJpF+fwOxVhK3gDOU6L1UwUkrR73ywp0SM91GnLM4FWU3SSVy0Q81odGQhbfxEiqGjMf2wvexx0gj9CjtYSIyNhZ5mBOyTz/+CdfpDBfDxfvtn7NSzIfkpDW1hs42720JpnrrOiqHRM1jF6nax2y7GC8cy4EcLFORZ9bdo0c+0H5G/+H2d94JdKCWw3OB4iXN1kyMtgrvPKJBzqIIe7P9XEzPEcc+1JewahjBJXwvnY87eiZ7AgQa7K1MBOslLvB1fZNriDEvKmp3snjZ/rKkQeeBIFTtzWpJtznNCpJALK/6rfg+QFBpLQAKJA5CLjDhviLScJE9p8hVC9KCB53NCmyrWrDrxP5yYYGXpQSTesAxGCpHw15ii90Pu4C5MgICkrD7pBeWfvxh4aCiiDzWXC3XUTU0q7bBmljKBVsevX7yCFqGLjiGcDGmxDGYPbcN+wCTeI1dChFR/NzTWBLnzxFX3tVLuCXvH83cTAL28NO/fvfxVIwgCsQRm8w/odtu/lpf36waBHQkOJzI6m66Wl4vd+dPH89pU0a/3nNZtp8gxBiDZEJBcv0WtWI/0iCrypUZnpK+YUJSoHT7Ft4yGECbdYEcCDkU1mJfsJBxhs97R8yA+/MjQFMgFkm1sVfNLldKLaaRzsusqMSjyD/YbEhtrovqmjjJcgHwU/oAfaWADQXcDa41XuEbOkmBLoYWR9IaGkOPwy3exfHzfHgWlmJZMYoZRcdVOxST8F97AtF9eWHCV29osBMtKIIDCayxg49FHgOLXuoXYezeAmGOyUduWkUnz01H9iHpA04mDzW38pBDmc7iYP6U7MBN2/hLlSD5EBILYSXP2/WCEnRrhCzBuauauthoCjkPK3wsvcqCSG+3ChKVcmiTpKbQC6OrbSMhah5sWDIAgiiI0fdD+6bdNdcsR1kRbW53obbDiHCRvABnfhIUC8n1WBa9lzsbY6ClRD9J6H7CRARvexIGqNS8iS4gHfJ3VS8WH8M8hiXerGm5DKYUW2cWdpCxpow8c7ig77Ne/mpGWCeXoRe2bLHvO+dJQp8u4lAdl4hMvQu97Mg0R5XOlJUu2mXGJCTIBkQxFj6UjIdmmZDrKImyyOIHiuAR7xrNrL9okOpuFqxhkTfh1Es0Kfj6B+y6T1NxHOrdbXY1zu7v0GhPkb5i0Wxowy8HCi0CzLMCmnON9yNlZ4HUdvlvTfgX/cE6qcBgz9AVcgRyZoAVZeR8O9ugp9CTphMvNwmPS7qyS+IotaIkTxR/ePotBssdoFEhGKPShBC/3mwhTo6TpuH/VyCejk3rX3OUq5F0X8zH7eo/Ny03s3AH0l1GUvF/hHxNkzsGMswCQdrDDp30S2wK+Bl3iS6NgIMjJCdJ3f0Ne9y0gVTwAsOhHKjygyyR6ttdttD1jHOCadBBnXBJXReJ7Sb4YEMVrjJJwnoFyXr1SnOd7Mcu4lI2xaIMGuGCm3J93SwsmDCyEPsesZGdh8IhhrbhEKwO8ypQwh24KgXjt/MXZL5/JLicy8wqLqeAxaO785MkJSCiS5Dk+8dWySlLo/PU6AjrkpGSGUVKu5dCx7RAlBLaKrCSDXseeGs43QeehgnMo5zz1ql71QKUrBhTUV+dokF9M8JMlA4vzBFmmvJqFm1EwAX5hcL406pBXB7GyZQ4gD3GPHaJrNAuMWfzvaQ1IcmWi2JWnDY6fXoW7YcP0HmfWAVXFPcx0y5BDwiW0JIU5CID9AlfwYduRMxpjOUBmeFbs00HRpMhxlUdgKxMFYGWUjRbcFU6VH/h11upzvJyz69wLha060+qJyQk5EqwEi9hLISGmXGvCEcGsgslubUdbFfjdWKOBhyPk0FnxKDGhyk2z3/eKFHXt5f5lTaAGvcS2PSC2t+szvLqBAe7yNp1fUNkuTvbbTZndApWzhl+XNfrN2fgz2XTujbouYMdWxR+3NarvnNmUWfdcAUHsDBqg9UXj+q9iPmnvRcwIS9d5yundnNPMSxqDTED+aB3f1qpF8nfTmk6reRj36aVIikkstJ0yVhAjqWbjeyvqtluN9t2WoG98zypW4wmmYgea8eJescNdyzDvLVZFIcUn67ZS6XT4Zc43IeCh0hw9qAz6IYRQbmCPh54RXuOQjv3boOvkXHCiI0XsbNHfd4Ohyehq0BepUt8c8v+4uEcq1ynuMSPC4MiYu7eYDBaoTx5LHBE3n+2uQtgJNQnqAhHLVdp5VlI/K836r/I2hDM6dJeQC9iEiS86208bU4OwZ7JUUjciy2bdSptCQS2rR0EFzbCZDM/q3ZFdJWTf/HkSfTtfP3S/riHLT99AO0zyewnBtiLhpTiwpVyeFPVeE6m0wjH7uxUfPiKGMWZSp6YDchBYsPMIbOPyj2PTB0GuA5S+rgRB84uZpkTrM68t5JRv60RLJdhceh0dqvz4ETa2q5dJdvAajxR1HbIAhwMH6/11j2MdhDoAX/npCv6MaaiSbSIldkOhKQznm3652pAeHNQLLJTUtIsxMPegXeJYfj1JpmmOiyUpS3RfrRyUayZBEX8fn1sxMAfD4f0Q0y/xqYPGgrDwIw8waXOYjs8/7zfhgwyOontozp8HxuWq02zLku2q21XkJxF+puYmMybV1wKmWV294O9Pett91W7CTtUFMslv6LUcfjtlpZaNZdOgCtjeLmp6zoJ/qfw2F2d8MCQyncvNos3YacBV7FjdKtGyB6tSIuk2fCbtDgCnVaDMGZJe1iQZ99stKxfKDGtFqs0/VIG73VY5cuvr95At/FLgOnpHLZlIU8XQwF+D175ALSv/X4NXwilBVBFebBy8u9U6xQzIbGTKQCsx1ne/q2DRIVx/sTHKYqKtryGAYhHP6Gz8C7G+0RjwXfMxYkkR3cN8MrTKrqkukKnxPOJJPoY3Ci41nAGtkYsFmJCCvJjuT3RlogaIEtq1ZWavVutrrT3N039R1fppNkiRO/koII16+Hp40ItZC21hj+fvIVynM83g4F8C/suK7gGNy9mCqOvcsYfokiXEl5xm49ujYxP4t3O55Oj+5ibe8jh9uYohk0pE7H4lXabjA339E0ddEvkXeB4HOjgNfivCDGm8OxS3uJBw9PPOBhio/oSerTII6aJPmXKL9A2K8pYVMr8LFMlo3p1u20mcvvn8fanEnIME/NieKN+FHDkRcuer3ES8udl0CdPvEF9wpTbcyTjNx4kI2PlhrsTf3as4h+EOZRqMfowYL9tVhzLaF8tb1pkHfUifQhdZXxCUIq20p6Ina6FN2jesPHsbtwsVDeJ5CFPGNlOUB0N2XlHf2zuIssb0LC/P/luG+TNnTdwT1pTsZACu4APVwb4QaUsDHVaHkjkQAaGbgayt2hVmaZX4g8G5mTSzDsb71+yvz3SPycyngkASNRvJM4QQU15d9OKww8TPg0rfIvA9R5Y3h8SxC9Dp+HzNa0C1Tsh37SguRyKe9duxLv2vv7MC2Ve2LQcY2sa5u8+3OPPLmBeJJI5rZcpgQ7qufau6o8XiBE9/7otT7agKHThN506zJndK+JnyWBjpJTbBfZ0aqBlafeCBeUNExmKe+E/WOg1a8Szfv7h8w83VIG4RkVm9duGJJpVTndpaRWLO6vw1Du00rS3PMliMUajR0j2x+//HRj/L9joPGjIaNZO5yuVyK8z+dUbOSd2CO4/k1VO7lIJOt0kfov0+OP3/zmwRaP8vk4LLCAc0NHuBmd4l3d9j+0CQOYKd7gq0FnYMG0+WG1e5M7UFqRGQ8K6vNmAakRsxcxq89nuGbQQc0gaPMGqo6USFwV/25afG7XxtZk6X7Y7Zzc0f7Egcb3rK3KqrLh44mQYSa4dWwAHQw9WFWlPX/s06d+NKpUhEVlFiV2BMub498M9/RNv50a5GYD1AkjQ5gs7o1IeuI0QUJJMLGkJebScx0uMaeei02mQWseTaYTjZr3AX36UYgNLPdxL+J4bik7oPKaI6h1b9HPlMEMck41Md01dPyLOcajasaoQjA3rqkTcZOF//zNkBaEjT4sp5mh+uO+bOgJvxTz6vj53hcm0NSzXPaItytEh0ZvF+zvgLBcLW57ADfrZmZONyLvwfDCgmM0OvwSBaH5/t9suSXQ0uVTSouiy5cD6j9SxvvK5z7csqT5+CnJ/mMPQQ+F5EJcIVruu3+QZFwZnSTxsFETAvN12gxoTV0scP3CQa38JwMdenHjfbUw58gwlDAmI6hsZt/ZKxcXY3cvcMrA73XK83ZmBsO8W/CgSZ6h5DqRbO+H3yvreV57R95+yeBPuLNd49JmkuYHc47S5RVcv5CsDefYT3QtNVsOUYwmWJyCfk+RZ/ILBwHZ3nHO1ITcLhigHzpYSk1oizistvBVvpZl4lskxL6SH17pge7rv43c6ir0puQL3StbH9GQBE7UXHgYsm1G4JNaQ21cbTrkx2be0bNbLTHxII505f3C4/PU5HfH8yT8/h949f7gfWznQhZAH2Ue3N+SIE0tmhUqHY9xSgehL94LIPR8SDROREt9RkndpWpzJVj2EfWKecfskuDptX8zJeMdEu2z+1WnmQe1WqwrFKo5oLR5gjxt9dH380YAE1Wp0+yJ581/1rQQQnHzaIc2lDXOYbs2ef1xrDBQbFC/edBgv1af3WOD5hxg6jt9hVC85yZfraPX3bbJudLzF4wY7ek6hzl/6oYoJnzctTtz5PbKYngTMh/Y4dpeX7xHhm1gYjk2kScj7eJS3Mjl44e0m2J3ylZ9iJq7Dadrx++E7dVlV+tSOyff+uwNhPy6WvdqwGOg/xzKQId1ckx76TnyPCaflRpxhMVMzvI9KB0oobu6ahc6MD5H3w2iIdIyzB+cu4X68GtwX4PBi7qmpkytSe2DFqon0yJ5wTNzCKKJ4rVwnqudSclPx2xhzfrZPdp60y3ALSdO/1ovW1+1ohZlOTGWSodG4K7n0A44F6NLnSAcGhqdW657RmWUHzuS+0DZ0XzjNq+c5Px2hT9Bl1n8xiBzEb4HYCEb3k8Qcyh7ulwu8/OuyKeyg2K5megq8C41+z2M6d/VDIvTsU1X5XlYu9d31/NtLKQ7P0o+AZCVbgFebzaKa64t4tcKyWB+b7rwbvbvkdSUb8N23PyIdMD/IXY+eCyXM4f8iyUNb2r9NoN+eXPDxVYjoF5SKbtbNoyjxTPQSiUfOGCEKeSBjK9gZ4kETEKYgLIMxLG8fbx+bFrBlX1rs6oejP4FH3puX9Yo9eIcgy2OIX+nv8TQSe6RwEfjuENdNsx7TvQPplwThipzM8JeSEbzKzUHS4FshGpRVuvtQymDBfyy5fPHjt99ULbs+y8s3fbJL3vk7Iti7xeyba8l1frORksPdJmz1ELpMCxEv5CV+cf5XQj87X/rlj7BBYVeDQDbEbah1J1WW7CRqM/dc3cVXLo9/zAF3IF9RkQ9dvGxucN0V7res1gv+N/9aWXKT4d2naB2kJoOPPUT2nc/8EvqFDzQ56zN5xawEEUjM+TNLcdwJG5sjxDL5Tywjs2/XTOgN4hI1e+ZQUKiRX8v7Gq83CYY3oXyFg3xejlavt/zulTrOZOPwrI0u7uo2xPYqZOL0esNGPvBinvLF09n/50WwQAdd6JXZRdjVkjta35gF4isptDPqcS2PDHvv2EusjN9k2tzSVdH5XEGZlBKWVjCVlq/MCgaqFf7TynuRB7+WhrcOLb+YcukaPmj3T/8HFcHlE+dSAAA=",
            text: ##"""
// Query: ask, and watch the answer. The question is a search URL; URL text, filter and fields are
// three forms of it, and what is shown is what the search would answer at this moment.
import { idText } from '../json.js';
import { memberTexts } from '../reducer.js';
import { ask, may, observe, watch } from './server.js';
import { builder } from './builder.js';
import { busy, button, confirmAct, copyAs, copyText, disable, element, fill, fillNew, hold, load, openDialog, plain, problemCard, refill } from './dom.js';
import { parameterFields } from './fields.js';
import { declarationOf, includedColumn, includedNames, includedSummary, nothingDeclared } from './included.js';
import { orderKeys, pathOf, turned } from './path.js';
import { actsRow, banner, bytes, count, emptyState, grow, idLink, linkButton, loading, pageHead, plural, remark, rowLink, say, time } from './show.js';
import { decodePart, entityHash, entityUrl, go, here, idLiteral, onceUrl, pageHash, parameter, place as present, readable, setOwn, settings, typeUrl, withParameters } from './state.js';
import { rowDrawer, statusText } from './list.js';
import { LiveTable } from './table.js';
import { Once, RowMembers, aggregatesTable, chooseColumns, propertiesOf, recentPanel, showGroups, showSource } from './answer.js';

export const open = (place) => new QueryPage(place);

class QueryPage {
  #url;
  #source = null; // what is shown
  #next = null; // what will be, as soon as it has answered
  #side;
  #names = []; // properties, the most frequent first
  #columns = null; // names, where they are chosen
  #explain = null;
  #why = null; // why an answer is given once
  #declared = nothingDeclared; // of its type, as soon as it is known
  #isDescribed = false;
  #all = null; // counts rows that are cut
  #grouped = []; // the texts of the rows in groups
  #hasFailed = false; // the last answer
  #members; // of the row beside

  constructor(place) {
    this.type = place.type;
    this.title = place.type;
    this.#url = place.url;
    this.isOwn = this.type.startsWith('_');
    this.table = new LiveTable({
      caption: `Entities of ${this.type}`, selectable: !this.isOwn, onopen: (id) => this.#open(id), onrender: () => (this.#source && !this.#hasRows && this.table.node.isConnected ? this.#showAnswer() : this.#showStatus()), onselect: () => this.#showStatus(),
      onpick: (id, name) => {
        this.#opened = name;
        setOwn({ _sel: id });
      },
      onsort: (name, isAdded) => this.#ask({ order: turned(parameter(this.#url, 'order'), name, isAdded) }) });
    this.#side = rowDrawer(this.table, (text, id, side) => this.#describe(text, id, side));
    this.#build();
    this.keys = {
      ...this.table.keys,
      '/': { label: 'filter', act: () => this.builder.focus() },
      n: { label: 'new', act: () => this.#canWrite() && this.#new() },
      e: { label: 'edit', act: () => this.table.active !== null && this.#open(this.table.active) },
      Delete: { label: 'remove', act: () => busy(this.removeButton, () => this.#remove(this.table.active)) },
      y: { label: 'copy row', act: () => this.table.active !== null && copyText(this.table.text(this.table.active), 'Row') },
      c: { label: 'copy as', act: () => this.copyButton.click() },
      l: { label: 'live or once', act: () => this.#toggleLive() },
      p: { label: 'pause', act: () => this.#pause() },
      w: { label: 'why this answer', act: () => this.#panel('explain') },
    };
    this.update(place, true);
  }

  #opened;

  #build() {
    const apply = () => this.#go(this.urlField.value.trim());
    this.urlField = element('input', { class: 'url', 'aria-label': 'Search URL', test: 'url', on: {
      keydown: (event) => { if (event.key === 'Enter') apply(); } } });
    this.builder = builder({ text: parameter(this.#url, 'filter') ?? '', type: this.type, change: (text) => this.#ask({ filter: text || null }) });
    this.fields = parameterFields((changes) => this.#ask(changes));
    this.liveButton = button('Live', () => this.#toggleLive(), { test: 'live' });
    this.pauseButton = button('Pause', () => this.#pause(), { test: 'pause' });
    this.removeButton = button('Remove…', () => this.#remove(null), { class: 'danger', test: 'remove' });
    this.writes = [button('New', () => this.#new(), { test: 'new' }), this.removeButton,
      button('Import…', () => this.#chooseFile(), { test: 'import' })];
    this.copyButton = button('Copy as', () => copyAs(this.#url), { test: 'copy-as' });
    this.status = element('span', { class: 'muted', test: 'status' });
    this.more = element('span');
    this.included = element('span', { test: 'included-types' });
    this.notices = element('div');
    this.panelNode = element('div');
    this.answer = element('div', { class: 'answer', test: 'answer' });
    const drag = (event) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      this.node.classList.toggle('drop', event.type === 'dragover');
      const { files } = event.dataTransfer;
      if (event.type === 'drop' && files[0]) this.#import(files[0], files.length);
    };
    this.node = element('article', { on: { dragover: drag, dragleave: drag, drop: drag } },
      pageHead(plain(this.type), this.status, this.more, this.included, grow(), actsRow(this.liveButton, this.pauseButton, button('Explain', () => this.#panel('explain'), { test: 'explain' }),
        this.copyButton, button('Recent', () => this.#panel('recent'), { test: 'recent' }),
        button('Export', async () => (await load('./transfer.js')).exportRows(this.#url, this.type, this.#bytes()), { test: 'export' }),
        this.isOwn ? null : this.writes)),
      element('section', { class: 'question', 'aria-label': 'Question' },
        actsRow(element('code', { class: 'muted' }, 'GET'), this.urlField, button('Ask', apply, { test: 'ask' })),
        this.builder.node,
        element('div', { class: 'fields' }, this.fields.nodes)),
      this.notices, this.panelNode, this.answer);
  }

  // The question ----

  /** Asks with other parameters. */
  #ask(changes) { this.#go(withParameters(this.#url, { after: null, ...changes })); }

  #go(url) {
    const own = new Map(present().own);
    const isView = url.split('?')[0] === this.#url.split('?')[0];
    if (!isView) for (const name of ['_cols', '_sel']) own.delete(name); // of this type
    if (readable(url) === readable(this.#url) && (this.isOnce || this.#why || this.#hasFailed)) this.#begin();
    else if (url.startsWith('/v1/')) go(pageHash(url, own), { replace: isView });
    else fill(this.notices, problemCard({ detail: 'A question is a search URL: /v1/TYPE?…', hint: `For example ${typeUrl(this.type)}?limit=20` }));
  }

  update(place, isFirst = false) {
    if (place.type !== this.type) return false;
    const isNew = isFirst || place.url !== this.#url || place.own.has('_once') !== this.isOnce;
    this.#url = place.url;
    this.isOnce = place.own.has('_once');
    this.#columns = place.own.get('_cols')?.split(',').filter(Boolean).map(decodePart) ?? settings.columns(this.type) ?? null;
    if (isNew) this.#begin();
    else if (this.#source) this.#setColumns();
    this.#showPanel(place.own.get('_panel'));
    this.#side.update();
    return true;
  }

  #begin() {
    const url = this.#url;
    if (document.activeElement !== this.urlField) this.urlField.value = readable(url);
    this.fields.set(url, this.#declared);
    this.builder.set(parameter(url, 'filter') ?? '');
    this.#next?.close();
    this.#why = parameter(url, 'after') !== undefined ? 'A later page (after) is given once.' : null;
    this.#watch(url);
    if (!this.isOwn) settings.remember(url);
  }

  #watch(url) {
    // A system type without a parameter is a plain list.
    const source = this.#answer(this.isOwn ? withParameters(url, { count: true }) : url);
    this.#next = source;
    source.addEventListener('sync', () => { if (source === this.#source) this.#showStatus(); });
    observe(source, ({ detail } = {}) => this.#changed(source, detail));
  }

  #answer(url) { return this.isOnce || this.#why ? new Once(url) : watch(url); }

  /** Counts what is cut, unless a remote would be asked for all of it. */
  #count() {
    const { aggregatesText, total } = this.#source;
    if (this.#all || this.#next || aggregatesText || total !== undefined || (!this.#from && this.#size < this.#limit) || this.#declared.hasRemote !== false) return;
    this.#all = this.#answer(withParameters(this.#url, { limit: 0, offset: null, group: null, count: true }));
    this.#all.addEventListener('change', () => { this.#showMore(); this.#showStatus(); });
  }

  /** What has come: the first answer takes the place of what is shown. */
  #changed(source, detail) {
    if (source === this.#next && (source.state === 'live' || source.state === 'once')) {
      this.#source?.close();
      this.#all?.close();
      this.#source = source;
      this.#next = this.#all = null;
      this.#names = [];
      this.#grouped = [];
      this.#hasFailed = false;
      if (!this.#isTable) fill(this.answer); // drawn although it is paused
      this.answer.classList.remove('dimmed');
      fill(this.notices);
      delete this.notices.dataset.key;
      this.builder.fault(null);
      this.answer.querySelector('.empty')?.remove();
      this.table.watch(source);
      this.#setColumns();
      this.#side.update();
    }
    if (source.state === 'failed' && (source === this.#next || source === this.#source)) return this.#failed(source);
    if (source !== this.#source) {
      if (!this.#source && source === this.#next && !this.answer.querySelector('.loading')) fill(this.answer, loading());
      return undefined;
    }
    if (this.#isTable && this.#needsColumns([...detail?.entered ?? [], ...(detail?.changed ?? []).map(({ id }) => id)])) this.#setColumns();
    this.#showAnswer();
    return undefined;
  }

  /** Asks what is declared of the type, once something of it is there. */
  async #learn() {
    if (!this.isOwn && !this.#isDescribed && (this.#size || this.#source.included || this.#from || !this.#limit)) {
      this.#isDescribed = true;
      this.#declared = await declarationOf(this.type);
      if (!this.node.isConnected) return;
      this.fields.set(this.#url, this.#declared);
      if (includedNames(this.#url, this.#declared).length) this.#setColumns();
    }
    this.#count();
  }

  #failed(source) {
    const problem = source.problem ?? {};
    this.#hasFailed = true;
    source.close();
    if (['snapshot-too-large', 'too-many-queries', 'too-many-live-queries', 'too-many-residual-queries'].includes(problem.code) && !this.#why) {
      this.#why = `Given once: ${problem.detail}`;
      this.#watch(this.#url);
      return;
    }
    if (source === this.#next) this.#next = null;
    this.answer.classList.toggle('dimmed', this.#source !== null);
    if (!this.#source) fill(this.answer);
    if (problem.errors?.some(({ parameter, offset }) => parameter === 'filter' && offset !== undefined)) this.builder.fault(problem);
    refill(this.notices, problemCard(problem, () => this.#watch(this.#url)));
    this.#showStatus();
  }

  // The answer ----

  get #isTable() { return this.#source && !this.#source.groupsText && !this.#source.aggregatesText; }
  get #from() { return Number(parameter(this.#url, 'offset') ?? 0); }
  get #limit() { return Number(parameter(this.#url, 'limit') ?? 100); }
  /** How many rows there are, in groups or not. */
  get #size() { return this.#source.ids.length + this.#grouped.length; }
  get #total() { return this.#source.total ?? this.#all?.total; }
  get #shown() { return this.#columns ?? this.#names.slice(0, 11); }

  #showAnswer() {
    const source = this.#source;
    const isHeld = this.table.behind !== null && !this.#isTable;
    if (isHeld && this.answer.firstChild) return this.#showStatus();
    if (source.aggregatesText) refill(this.answer, aggregatesTable(source.aggregatesText));
    else if (source.groupsText && source.groupsText !== '[]') {
      this.#grouped = showGroups(this.answer, source.groupsText, this.type, this.#columns);
      this.#showMore();
    } else if (this.#hasRows) {
      if (!this.table.node.isConnected) fill(this.answer, this.table.node);
    } else if (!this.answer.querySelector('.empty')) { this.#grouped = []; this.#showMore(); this.#showEmpty(); }
    showSource(this.notices, source);
    this.#showIncluded();
    this.#learn();
    this.#showStatus();
    return this.#side.update();
  }

  /** What is included changes without a change of the rows that show it. */
  #showIncluded() {
    const { included } = this.#source;
    if (included === this.#includedBefore || this.table.behind !== null) return;
    this.#includedBefore = included;
    fill(this.included, includedSummary(this.#source));
    for (const id of this.table.ids) this.table.refresh(id, '');
  }

  #includedBefore;

  /** Also those that have just left. */
  get #hasRows() { return this.table.ids.length > 0 || this.table.node.querySelector('tbody tr') !== null; }

  #showEmpty() {
    const hint = element('p', { test: 'hint' });
    fill(this.answer, emptyState('No entity is in this answer.', hint, !this.isOwn && [button('Why not here?', () => this.#panel('explain')),
      parameter(this.#url, 'filter') && button('Without the filter', () => this.#ask({ filter: null })), this.#canWrite() && button('New', () => this.#new())]));
    const url = this.#url;
    ask('GET', onceUrl(url, here(this.type))).then(({ json }) => { if (url === this.#url) hint.textContent = json.meta.hint ?? ''; }, () => {});
  }

  /** Whether a new row has a property that is not known. */
  #needsColumns(entered) {
    if (!this.#names.length) return this.#source.ids.length > 0;
    return entered.slice(0, 20).some((id) => [...memberTexts(this.#source.text(id) ?? '{}').keys()].some((name) => name !== 'id' && !this.#names.includes(name)));
  }

  #setColumns() {
    this.#names = propertiesOf(this.#source);
    const shown = this.#shown;
    const included = includedNames(this.#url, this.#declared);
    const columns = ['id', ...shown, ...included.filter((name) => !shown.includes(name))].map((name) => ({
      name, path: pathOf([name]), label: plain(name), isFigure: name === 'id' ? false : undefined, ...name === 'id' && !this.isOwn && { show: (_, row, id) => rowLink(entityHash(this.type, id), id) },
      ...included.includes(name) && includedColumn(this.#source, name, this.#declared.relationships.get(name)) }));
    this.table.setColumns(columns, orderKeys(parameter(this.#url, 'order')));
    this.#showMore();
  }

  /** What is not shown: columns, and rows behind the window. */
  #showMore() {
    const shown = this.#shown;
    const rest = this.#names.filter((name) => !shown.includes(name)).length;
    const [from, size, shownRows, { aggregatesText, meta }] = [this.#from, this.#limit, this.#size, this.#source];
    const isAfter = parameter(this.#url, 'after') !== undefined;
    const hasNext = isAfter ? meta?.next : size > 0 && (this.#total ?? (shownRows === size ? Infinity : 0)) > from + shownRows;
    refill(this.more, this.#names.length > 0 && button(rest ? `+${rest} more columns` : 'Columns', async () => {
      const names = await chooseColumns(this.#names, shown);
      if (names === undefined || !this.node.isConnected) return;
      settings.setColumns(this.type, names ?? undefined);
      setOwn({ _cols: names && names.map(encodeURIComponent).join() });
    }, { class: 'plain', test: 'columns' }),
    !aggregatesText && from > 0 && button('‹ Rows before', () => this.#ask({ offset: from > size ? from - size : null }), { class: 'plain', test: 'rows-before' }),
    !aggregatesText && hasNext && button('Next rows ›', () => this.#ask(isAfter ? { after: meta.next } : { offset: from + size }), { class: 'plain', test: 'rows-next' }));
  }

  #bytes() { return new Blob(this.table.ids.map((id) => this.table.text(id) ?? '')).size; }

  #showStatus() {
    const source = this.#source;
    if (!source) return;
    const { behind, burst, ids, selected } = this.table;
    const seq = source.at?.split('.')[1];
    const parts = [source.aggregatesText ? null : statusText(source, ids.length + this.#grouped.length, this.#total), seq && `seq ${seq}`, this.#isTable && ids.length > 0 && bytes(this.#bytes()),
      behind !== null ? `paused, ${plural(behind, 'change')} behind` : source.state === 'failed' ? 'ended' : source.state, burst ? `${count(burst)} rows changed at once` : null, selected.size ? `${selected.size} selected` : null];
    const text = parts.filter(Boolean).join(' · ') + (this.#why ? ` · ${this.#why}` : '');
    fillNew(this.status, `${text}/${source.syncedAt}`, () => [text, source.syncedAt && [' · ', time(source.syncedAt)]]);
    this.liveButton.setAttribute('aria-pressed', String(source.state !== 'once'));
    this.pauseButton.setAttribute('aria-pressed', String(behind !== null));
    const { why } = may('write', this.type);
    for (const control of this.writes) disable(control, why);
    this.removeButton.textContent = selected.size ? `Remove ${selected.size}…` : 'Remove…';
  }

  // The row beside, panels ----

  /** What the drawer of a row shows: its members, with what they were. */
  #describe(text, id, side) {
    if (text === undefined) return [remark('This id is not in the answer now.'), idLink(this.type, id)];
    const goesOn = side.id === id && side.text !== undefined;
    if (!goesOn) this.#members = new RowMembers();
    this.#members.show(text, this.#opened);
    return goesOn ? null : [this.#members.node, !this.isOwn && actsRow(linkButton(entityHash(this.type, id), 'Open'),
      hold(linkButton(`#${typeUrl(this.type)}?_new=1&_from=${encodeURIComponent(id)}`, 'Duplicate'), () => may('write', this.type).why), button('Copy', () => copyText(side.text, 'Row')))];
  }

  #panel(name) { setOwn({ _panel: present().own.get('_panel') === name ? null : name }); }

  async #showPanel(name) {
    if (name !== 'explain') {
      this.#explain = null;
      return fill(this.panelNode, name === 'recent' && recentPanel(this.#url));
    }
    if (this.#explain) return this.#explain.update(this.#url);
    const { explainPanel, problem } = await load('./explain.js').catch((problem) => ({ problem }));
    if (this.#explain || !this.node.isConnected || present().own.get('_panel') !== 'explain') return undefined;
    if (problem) return fill(this.panelNode, problemCard(problem, () => this.#showPanel(name)));
    this.#explain = explainPanel({ url: this.#url, ids: () => [...this.table.ids, ...this.#grouped.map(idText)] });
    return fill(this.panelNode, this.#explain.node);
  }

  // Acts ----

  #open(id) { if (!this.isOwn) go(`#${entityUrl(this.type, id)}`); }
  #new() { go(`#${typeUrl(this.type)}?_new=1`); }
  #canWrite() { return may('write', this.type).allowed; }
  #pause() {
    this.table.pause(this.table.behind === null);
    if (this.#source) this.#showAnswer();
  }
  #toggleLive() { setOwn({ _once: this.isOnce ? null : '1' }); }

  /** Removes what is selected, else the row `focused`, else what the filter finds. */
  async #remove(focused) {
    if (this.isOwn || !this.#canWrite()) return;
    const ids = this.table.selected.size ? [...this.table.selected] : focused !== null ? [focused] : [];
    const filter = parameter(this.#url, 'filter');
    if (ids.length) {
      const title = ids.length === 1 ? `Remove '${ids[0]}'?` : `Remove ${count(ids.length)} entities?`;
      if (!await confirmAct({ title, text: `Of type '${this.type}', for good.`, act: 'Remove', count: ids.length })) return;
      await ask('POST', `${typeUrl(this.type)}/_remove`, { body: `{"ids":[${ids.map(idLiteral)}]}` });
      this.table.clearSelection();
    } else if (filter) {
      const { json } = await ask('GET', withParameters(typeUrl(this.type), { filter, limit: 0, count: true, source: 'local' }));
      if (!json.meta.total) return;
      if (!await confirmAct({ title: 'Remove all that the filter finds?', text: `${plural(json.meta.total, 'entity', 'entities')} of type '${this.type}' with ${filter}, for good.`, act: 'Remove', count: json.meta.total })) return;
      await ask('POST', `${typeUrl(this.type)}/_remove`, { body: JSON.stringify({ filter }) });
    } else {
      await openDialog({ title: 'Nothing to remove', body: say('Select rows (x), press Delete on one, or set a filter.') });
    }
  }

  #chooseFile() {
    const field = element('input', { type: 'file', accept: '.json,.ndjson,.jsonl' });
    field.addEventListener('change', () => { if (field.files[0]) this.#import(field.files[0]); });
    field.click();
  }

  async #import(file, count = 1) {
    const why = may('write', this.type).why ?? (count > 1 ? 'One file at a time is taken.' : null);
    if (why) return fill(this.notices, banner('warn', 'not-imported', 'Nothing was imported. ', why));
    return busy(this.writes[2], async () => (await load('./transfer.js')).importFile(file, this.type));
  }

  escape() { return this.#side.escape(); }

  close() {
    for (const part of [this.#side, this.builder, this.#source, this.#next, this.#all, this.table]) part?.close?.();
    this.#next = null; // what comes late is not shown
  }
}

"""##),
        BrowserFile(
            at: "/console/running.js", .script, tag: "\"1708aefe0f5e8ed909d3d06bbe61c84e\"",
            packed: "H4sIAAAAAAACA3VY55LjNhL+v0/RF0G6aM3loE3OOWdbpTphREiChyJ0ALjy1JhV9zT3YPck1x+ahDjccdoVG53DhyavrujT1pA7Ga+jde2SDu5MNgYKUUdDNlB0TV2Rbms6H3TkM9rqlq5ZyNfGm3rxyB5Pzke6I9OYo2ljRTvbNBW0tm9Z3bh9RadG25Z62nl3JLW4qt1x8WNQjy/COkZzPLFwMC0bjG6/b8xEIpkLc6FwM2EJxr8wfs5yHZJPW1ebiupOAq1ob18Y/uvYRVPDPz5gn707f2TbG/ZC37IT9mjkzze0r+jMPkzNca5mxmoTtW3e0+FQEVu18fZr30xFkFWReWR+SkJb14ZIJx0P9JQKi1xvI/9UqqSnz2jz27usqFD/ypUKqiJbl/1v78D++9/T5ir97Df95vEjUXpj2zqwqtac6WN9KlYrFbrt1gQIq71ztVpXtFI7bTl8A+K1HmiN07Vt96CdtW+FeOiEkrlOugsvcfmubUHMNtbl6FE46qZBnIvFIpqfIkIc26ZQ6ZTF2g7to4h/JiZOFjfqt9J+ATVCeQK9yv/kPO66dovEpM7twqe7gvlKuntEkmKhIx2p8jhlGzZ8NARa0nPKUdPyHpeIKnaEyO6oGFU9fZp8Lcmb2Pl26LUi8YnR1kUDm6uJSM43ysYGFnvDwb/QTWe+PtWa+/H1yO78CqxQn/jknG7MKarqIsUVZz+Ze1DcBCPs4Wzj9mBqcrvdVIDd2tk9W68fEGJvacKwRhwSWur9Ie5KGivpEwrn7jmkW/RQCnnBEBCNL95wrjG6LRdH7r8CRyi59IE8lpytngv8yiv01cFQClMF0nsjqBOZiAkkvWOFDEJ2ewAK2YRRjVnQK1fzHoD0yw2w0rESmTUqMi3wPPnVvPyNAXk9NoCOLxcfKT7o8EAlnwvKFJwhiY9py19olnl/tixgk6qkaEqYd6kNX8JR4Us+gwM+Tuq4SgfZe2ZFcgukRum9eDYAXpHzVc2ZSikzmuYyvSfdcvnvaNvoEJaCCBQ1T1Mv7Mhf//LA7nV8oFoH09SzZID0xu1lDPFc3mvQxELXt5QRSYA/sQriVJR+h8ZF6X9dH21M/S9diSoxhKHB0lFKfbb5q1xm3UV31NFuVfkgAAhpGsBUhJ4PHuOWzFCJ7As5HLqYg8CIzC4M18WtO3LegKbykEYrP+QSZ0v/+89/6YLNMq7lIxpN8k0ziK7+sF5E9/XpZPybOpii7Cmf9ZvJ+GfDef6RqZmn3A3xi66Fn2wdPqYf7NYKdvF7MeiZqM7kmfpqqNJ4kSe+8eHjwOeITRo2nYWofRrEslzTMk/ig77iz+hd0xgfJLNsKnnMfwuE3SUXq2E/6tPhaswfjpArHM4yBdIsEEUKN2OCvtep1VwztyPdXtYx0oE0NbyQZJTLrmYm7CuyOsCZcYMpLqtIoeZbQ/pjHrvcGBI21hAbPm0rwswfnZfekqUMkVqO86hv0U+bkbWQy0hSoj77+itVpb0macs3FRBCflO/xgMsRBPicry0WIzXAxilfrj7P8XyJxe+5IsbKtxL1WOK2A+QQNRY0seJT1yyQS3o9TacoScezP0k2wgaZv4xdW1tdrY1WHiNNzg7M0tjdvGhuwYpQITSF8xqY5jiWNSe3aCnORXCAoxmyed4ePpHADUeL9gGbbICjNGojDLYkAvO8KdfIsViYD25R4BzbDAjM561NxrojP4IS/pblWEa+KhQIG/1q42+No1i6tspZcjNB19++onKJZJUKuqnGHfZ9Hk++LwxS9pg5tEomINrV98uaRX0baFev9Tn7G00KIcNQ41o3PHM0UWzQLvA+3XFxoh0ynhgTSvF6tmrQqYz3BT304FIxSjEF7I89Ri6k7dH7W9lVX1Tt1uOd72mPq8hsmhux3FEfaW30AUol6lp53zqBck3l8PUMjaw+2PAi9TdCHy4gbo2LlPmKzLeO0899fd33xOKk5MMhenaVLwTwQO4ouQ1Ct2W0OOgg5he4ihfCMVg9/kInwCdtKkgiRuyKEuGz8x8wVDw/6FE2eaaZusrI7haXtxKkbGiBDxQMhDQYHhUKiEw0nC5nH7+ORMmk8fMC8zEpmJf5d2skPQp/kuV/WIzIicSdGNuAzLkWjNFhI30QlFy0CG1la3TTimj6nxy4ZeG+kNWWoiGtL7YrZnMNWyi5Glg0jub3Gx3dKEspT2TUF5CR6jADjr6h+ys0nIpw29l9HM+yvHtuBA/ct9vY4YeWVH6+4Mplv0S3hbKy8hkCahg2kSFjNkXF37ZwdH16HmAJFpOMTncttuZLrFG6fU/ezrrcO8ADsMblbT4F7KTvNTfvK8oieqSPp0QnFOn4dMMe6PvjPDPnRAx7HhpYJKM0EYD/RC7ldgne7akDAHOgDcD+pS5XEsW+/twcq8zxy8o+LTCPb4aOsabf3cmxArF9va6iyasN/zUBJeSv3Una8KD7SofR3Iqpn16ciHea9TphT6ansckDb0WzvX09QFJwvUMMwIHJ703IYEBTBXqE9w+IKpqOLxqmTTFt/Sc4FhEPmMuTggHORE6efPCui5MBTNtIvx601CSuIjqpplK4ZH6BD4ruUkGUYF/yG3lVxbKlImh96ctMa15lppSITm19YUJJqKlgWH4fRHLBHn59sclTa5RHMlF+nyTbkMIvB+DvEoOFwrGVO6ZQNob9MvexWjax/LZDugdqBm+6dl96/DpTg0wJc6xx9nnlXqHNQwO89Nbb3/09ldvXxqkXE+8hzG4n1eKWrd74x+OR/Q+GFD+5pi9X8jnyR2AJ3+ZkBmyAcS0vbXmnEMRvyWWVOv0zvl/tPGwYugUAAA=",
            text: ##"""
// One operation: how its state is told, and what it can be ordered.
import { element, fill, openDialog, plain } from './dom.js';
import { attempt, send, toggle } from './orders.js';
import { ask } from './server.js';
import { absent, code, duration, given, muted, plural, rowLink, say, time, timeBar, word } from './show.js';
import { detailHash, entityUrl } from './state.js';

export const path = (id, act = '') => `${entityUrl('_operations', id)}${act && `/${act}`}`;
const kinds = new Map([['success', 'good'], ['failure', 'bad'], ['loading', 'warn'], ['hung', 'bad'], ['pausing', 'warn'], ['running', 'good']]);
const small = (...text) => element('small', null, ' ', text);

// What its row says ----

export function statusOf(row) {
  const status = given(row, 'isLoading') ? 'loading' : given(row, 'status');
  if (status === null) return absent();
  const notes = [status === 'failure' && row.get('valueUpdatedAt') !== 'null' && 'value kept', row.get('active') === 'false' && 'switched off', row.get('configured') === 'false' && 'not configured'];
  return word(status, kinds.get(status) ?? 'none', notes.filter(Boolean).map((note) => small(note)));
}

/** The value's age, and the time after which it is stale. */
export function ageOf(row) {
  const [at, stale] = [given(row, 'valueUpdatedAt'), given(row, 'staleAt')];
  if (at === null) return row.has('valueUpdatedAt') ? muted('no value') : absent();
  const note = given(row, 'invalidated') ? 'invalidated' : given(row, 'isStale') ? 'stale' : null;
  return [stale === null ? time(at, 'age') : timeBar(at, stale, time(at, 'age')), note && element('span', { class: 'warn tag' }, note)];
}

export function gateOf(row) {
  const held = given(row, 'heldBy');
  if (held) return word('held by ', 'warn', code(held.text), held.slot === 'admit' && small('no run is admitted'));
  if (!row.has('automatic')) return absent();
  return given(row, 'automatic') ? word('open', 'good') : word('shut', 'warn');
}

export const outcomeOf = (outcome) => (outcome === null ? word('… running', 'none')
  : word(`${outcome[0].toUpperCase()} ${outcome}`, kinds.get(outcome) ?? 'none'));

export const lastRun = (run) => (run ? [word(run.outcome, kinds.get(run.outcome) ?? 'none'), small(duration(run.durationMs), ', ', time(run.startedAt))] : muted('none'));

export const controllersOf = (all) => all.map(({ kind, state }) => [word(`${kind} ${state}`, kinds.get(state) ?? 'none'), ' ']);

/** A name of an operation as a link. */
export const operationLink = (id) => rowLink(detailHash('operations', id), id);

export const switchOf = (id, isOn, at, more) => toggle(`${id} may run`, isOn, (active) => ['PUT', path(id, 'active'), { active }], { at, test: 'switch', ...more });

// Orders ----

/** Runs an operation; that of a mutation gets an entity. Answers the operation as it then is; undefined where it was left. */
export function run(id, kind, waits) {
  const target = path(id, waits ? 'run?wait=1' : 'run');
  if (kind !== 'mutation') return send(['POST', target]);
  const text = element('textarea', { rows: 6, class: 'code', 'aria-label': 'Entity as JSON', test: 'entity' });
  return openDialog({ title: `Run ${id}`, body: [say('A mutation writes this entity at its remote.'), text],
    actions: [['Run', () => ask('POST', target, { body: text.value }), 'primary'], ['Cancel']] });
}

/** What came of a run that was waited for. */
const ended = (id, { json: { lastRun, count: rows, error } }) => element('p', { test: 'ended' }, 'The run of ', plain(id), ' has ended: ', outcomeOf(lastRun?.outcome ?? null),
  ` in ${duration(lastRun?.durationMs ?? 0)}`, lastRun?.outcome === 'failure' ? [': ', plain(error?.detail ?? error?.code ?? '')] : rows === null || rows === undefined ? '.' : `, ${plural(rows, 'row')}.`);

/** The keys of one operation; `target()` is its id and kind, or null. */
export function runKeys(target, notice) {
  const key = (label, act) => ({ label, act: () => {
    const [id, kind] = target() ?? [];
    if (id !== undefined) attempt(notice, () => act(id, kind));
  } });
  return {
    r: key('run', (id, kind) => run(id, kind)),
    R: key('run, and wait for the end', async (id, kind) => {
      fill(notice, element('p', { role: 'status' }, 'Running ', plain(id), ' …'));
      const answer = await run(id, kind, true);
      fill(notice, answer && ended(id, answer));
    }),
    i: key('invalidate', (id) => send(['POST', path(id, 'invalidate')])),
  };
}

/** What one operation can be told: `[label, request, attributes]`, also for copies. */
export function orders(id, kind) {
  const post = (label, act, more) => [label, ['POST', path(id, act)], more];
  return [
    ...kind === 'pages' ? [post('Next page', 'pages/next', { test: 'next' }), post('Page before', 'pages/previous', { test: 'previous' }), post('All pages', 'pages/all', { test: 'all' })] : [],
    post('Cancel', 'cancel', { test: 'cancel' }), post('Invalidate', 'invalidate', { test: 'invalidate' }),
    post('Reset…', 'reset', { test: 'reset', confirm: { title: `Reset ${id}?`, text: 'Its value, error and counts are forgotten; what comes late is ignored.', act: 'Reset' } }),
    ['Forget…', ['DELETE', path(id)], { test: 'forget', class: 'danger', confirm: { title: `Forget ${id}?`, text: 'Its state is forgotten. One of the configuration is then as new.', act: 'Forget' } }],
  ];
}

"""##),
        BrowserFile(
            at: "/console/samples.js", .script, tag: "\"395ee774f2844754a4e4dad6411b6f5d\"",
            packed: "H4sIAAAAAAACA7VWaYLbNg/971Mgq0iPRv72r5Xjcfd931vbiWkPbKuRKVek4kw9+tsD9Ig9SQlC1Gi27ksSWRQIPDw8gBwM4FO13eVooFjBYIu2zJYmhqe4s5BpsJvMgFWLFPYbZUHBKltXJcJeuQ3PsASbbTGGxZmzRLD43IIlw4/KYotuqTJQojo1Sa+XbXdFaeEABkvaWcPKGUGUDHgh+dZEw15vWWhjYVu4f0bwzxf+OQSH8Z//hW2mCWKhEVAtN/BfML3eoN+Hl+zZDk9xBYeDsinoarvAMoaV2mZ5hiaF99XukXF56XUMh1wtML+yyM+TGJ6pvMLgop7MTuq6oQf6g040OPDqZFbTB3zuM2PkpqFzBJPZsNekpk5PX3+G2r6XGYsaSxGp5RKNiWIQEkYncAj7khz12m7c9n8MoZZDjvrZBtuEiAUFO7VG+tVUjCqg1RYTwrOq9NJmhW63CCqMhEMPGpAqz10EjXviQbgoAKuiBMFf80x737QrMbs8syKa6kiyh+BjEvuIMTClDXsz53fwWEzU8fcvH3/zJJ1Npvt01pdinE4PIunLaS3HIKafHslBgs9xKSiahPGY+PLusxUI8gyj0Qgq7UrrLE4lhbWZrnDYAbFTWem5TpJEMBByFUUy2Sq73Lyc52IgpvsjOborHIbJ47vT6ex8Ok1kX94drOXM2e2EmJDkz2KS18wXZBJekxJ3uVqiGEynIpEDpxfxJAY0S+Vk521F8+IBRzqCMRBfkLZWciYvcrvj2E82yvgkpQR6NWgFszkJprS8bpZlsqvMRhwgyDeUzucvW+V+4JUr6K0D/G29uj+IIXLPTGf2jCpZ+yi1+1uirUpN4Ya9uhfE3GrISZfF7kUUw15pi6cxKOrP15TFRBd7wdoIIg5ole32YcBMtbqszFmyynKLpasDZcsV4EAdohg0c3ilW078wJBtfLPJVpZ0XYeB4sr54cohbjmEmsYW129xdllrVEAqH1v6KpApC8u1ZEuOqbamwcLdQD5/e6MV3GfsoOUkVD10xYVCfBKi0BwmBsEaufrB7/uHhCOvXy8GObxaaR4sr1TLp2ibmbLJjC3Wpdo6J7SV809hUThm4KcffoRNsYet0mdgi+IpqGZOmwLyQq8vz54Fe/572JnfP5C/+glHmbdMHa532RVubmezxSG7E2blkx/BLVR3TRdsGrqQyO8oKMoxkm1TRkeuG6NuUza+OKAH6P3FIHhlHVZuK+/1Zm7PjhxVi8/yQW42qiR++WBf0rxdoN0jarD7oj3GiHLYZ3aT6SHoKs+dPbqNuqClNSyvHTrfVUrbLEexQFdMqnyxjzlcW/sAJoxuZ5I4Yo1wo8AUpRVMsAPiG5SUcOzfhmE/Ix4BU0JWFKdL0jE0CK4xN7wiQHLFBiZRVhz/U7ZzhgweuS2B2KhEgza63E1+ePwDxsxPCo0rV9dT0cHHYfj1ZNQUoE8OZChWz71/2dSnqMolOqtiH65aGwxlSWHulDr37YEllcgWMD8o25wEMWTmE0Jaz+Nu1az/NzOgCzZMKOKcY81T54LvE+40dOBTKJVFOIe1qtb0DKUl6Tcljf0N0NRz8jS4dnowOtcwB+h6vu6ALntQx0xnSLPVS+jDq9OCP5Wo6IvgXTzSKQqfxwF0BOMwlCD1k1u2w4mxESrvNkcLrB0YefquTCbeRuxT8bq3IhIhjDyiAKc7ITLzAV2RR8H7w4dhvCkLx7zqfz9yV95//OMfvLcT2Z+P7VWrWFE8BtDOPU9U937BC9dvGC2qIndUBWzjgIJy6BxF6cXxeHn3rsg0pUTHfXqRTriTsPzqYQuxWxsvrOgiAWBvPNScT372WSLBRQ2YG/SeCPmd7sndcRXmxEbpNfm6WRHhN7lqILfDKm3iHxNDITqnwF7ZHY8EOD9vYvHA4ES4DYkeW1bY+uAMurnegi+4TJsu6YeFAQhxo3Sk+/RPJx3Z0sVPlsHVG6WHQKatITu6qZ4kiNQLvL583LDr7u2RqXcafN83lvPWaI/dtR0e5i317LWDvpUwUXvDx+u3gGHvZ3a+2E3QDgAA",
            text: ##"""
// Samples of /metrics, kept in this tab: what a figure was over time, by the text that Prometheus reads.

import { server } from './server.js';

const most = 181; // 15 min of one each 5 s

/** @typedef {{at: number, families: Map<string, {labels: Map<string, string>, value: number}[]>}} Sample */

/** @type {Sample[]} */
export const samples = [];
server.addEventListener('access', () => { samples.length = 0; });

/** The families of a page of metrics by name. */
function families(text) {
  const all = new Map();
  for (const line of text.split('\n')) {
    const [, name, labels, value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    if (name === undefined) continue;
    const pairs = [...(labels ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, one]) => [key, one.replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped))]);
    if (!all.has(name)) all.set(name, []);
    all.get(name).push({ labels: new Map(pairs), value: Number(value.replace(/Inf$/, 'Infinity')) });
  }
  return all;
}

export function addSample(text, wanted, at = Date.now()) {
  samples.push({ at, families: new Map([...families(text)].filter(([name]) => wanted.has(name))) });
  if (samples.length > most) samples.shift();
}

const keyOf = ({ labels }, by) => (by === undefined ? '' : labels.get(by) ?? '');

function sums(sample, name, by) {
  const all = new Map();
  for (const one of sample.families.get(name) ?? []) all.set(keyOf(one, by), (all.get(keyOf(one, by)) ?? 0) + one.value);
  return all;
}

/** Buckets of a histogram by one label: bound → how many took at most so long. */
function buckets(sample, name, by) {
  const all = new Map();
  for (const one of sample.families.get(`${name}_bucket`) ?? []) {
    if (!all.has(keyOf(one, by))) all.set(keyOf(one, by), new Map());
    const found = all.get(keyOf(one, by));
    const bound = Number(one.labels.get('le').replace('+Inf', 'Infinity'));
    found.set(bound, (found.get(bound) ?? 0) + one.value);
  }
  return all;
}

/** The least bound that a share of what came between two samples lies within; null where nothing came. */
function quantile(before, now, share) {
  const bounds = [...now.keys()].sort((one, two) => one - two);
  const came = (bound) => now.get(bound) - (before.get(bound) ?? 0);
  const all = came(bounds.at(-1));
  if (all < 0) return 'reset';
  return all === 0 ? null : bounds.find((bound) => came(bound) >= share * all);
}

/**
 * What a source shows over the samples: `Map` of series to `{at, value, isReset}`, null where there is no value.
 * `source`: `{metric, kind: rate | gauge | quantile, by, share, times}`.
 */
export function seriesOf({ metric, kind, by, share, times = 1 }, all = samples) {
  const found = new Map();
  const read = (sample) => (kind === 'quantile' ? buckets : sums)(sample, metric, by);
  let before = null;
  for (const sample of all) {
    const now = read(sample);
    const isNext = before && sample.at - before.at < 15000;
    for (const [name, value] of now) {
      if (!found.has(name)) found.set(name, []);
      const old = isNext ? before.read.get(name) : undefined;
      const point = { at: sample.at, value: null };
      if (kind === 'gauge') {
        point.value = value * times;
      } else if (old !== undefined) {
        const change = kind === 'quantile' ? quantile(old, value, share) : value - old;
        if (change === 'reset' || change < 0) point.isReset = true;
        else point.value = kind === 'quantile' ? change : times * change / ((sample.at - before.at) / 1000);
      }
      found.get(name).push(point);
    }
    before = { at: sample.at, read: now };
  }
  return found;
}

export const hasMetric = (name, sample = samples.at(-1)) => sample.families.has(name) || sample.families.has(`${name}_bucket`);

"""##),
        BrowserFile(
            at: "/console/server.js", .script, tag: "\"4c9f632bfa716928b095fb7719006776\"",
            packed: "H4sIAAAAAAACA4xX93rrKhL/P08xJ7dYyipSylbny+b23nu/JtLI4gaDF3B8/Pn43XcGRCzr9Bpg6m+qqgq+6xAc2nu0YFrwnXSwFHOcgsX/rdB5V9AlgtEISt4j1EZrrL00uoB1Z4DohbuTel6A0A1dIZFbkJ6Obo2W+cUdOlhb6dEdVRXTMZvzUqkg3IkFlkdysTTWwzapgB201ixgUpZVa9GR5PIvN7naE7aWGEnBHeKS/136IhhZkLnfmTskEy0+QxrTjEQthXX4lRI1MS/jf36zxO+t2jNWzgvfMx6RWOdBkwFwDZPevlO+NQqJQKEHzzbQs0PnCLBvvbEEbTlH/7HHRfbAFegmOdzcwEo32EqNDamoTk5CeJarWyVrqJVE7Ql16bt9oCYuqinhpDrCx8Ed1h2pSfmC0H83HLKchLYrHaJ3cA/bIwCLfmV1Qj9TphZMWBor55Kg3EZFRXCas8Ia7xVO4fzsDHYkexdMPoIT+LETnkN8p81ax7xKWVbC+/ek001hVndCz3FWwEzUNTo3g0xoE9KnFkqhLcBY0EaTjnuJawfCIlgUDQiN67xgVTNcmrojVlbRCC8CUZIzR402uDFxeXnEGNVKOAffxpTHxx5146JN3wlLoQlYkB/RiVl1f179Ge2rFjgDJzaOLObkIIOFAwGfi+UV6JVSnP2kXAbfyYLgf4wMACdKoLqig5L6zvEZ18zOkQEggzhNBmQpA9KLZ5PWwpEwD620zhcHOpPbtxsgzVFxYn4HW2OHNjgfz1sIeT2FCUO7mRQMsTOaLiawY8pYydi87RP7ECLf9a2B+oWV6A76COMVL4atYzqEy0cHXIh0b7PzZMNioE26t9diQxetUA7jzTfYrhw2Hxnnhw8asXGh/Ie3iqgO7Lfo7WZwQ1ccfRYrmi+12nBZpKJ49GsCh1GqDWEq9ZxPrVHKrPnweyl1rVYNuozdLwO+ZcA2v4Ld0SCea2ObhMpSKhV7J12sGVDqpk0MaESD7QpkfaECyBaijgMQ8mTtNiig+HUMjY0Uk4IF8+2taDiwY0kM8NMiBN0+n3XsKFxfXx8glCwGiA1zC43RSP4qbqzXMBCwtGZu0Tlug9teB4ztYb4bmO01wOvbz4XvylYZYzNuRSdBBVRMm+/gjRlMhybtnVkLqx+82R36tE+ipyFxcq5B6rGgpxFNmfS0CE6mU6PVy6CNWTsGcS0k523weyEeZ2dF/LlGqbIscqb0JjDPcjiF93h0abPO8hwqbtlnef4cjFl8AjlWLE13wpnvd+ASnvHtlRFNJc0JMuCFJ0/gUSDYd5mn8XqWsqfRWuBNaZao4c034VH1RxhhimvgyfnFv34rf/2tKX//25Pffp1Oz3/7PX+9Kj26waBjSp5t+dP6Wepz3ByRDnxl7FPbSKxzY1KYQ0fwSGXNw4S3iDgQibhBL6SisEdxjXRL4esuTKmMZ8a7K+fNIp6Zm6dzZIJdHroNSY/bQMyZtOPFkROnH0+dNLG/1Jg2vqu0ucFsy0W9cgV05EXc5WhiFvCXM3o3A2PDFsCDGWYfxGXmK2tuFS5mJfwY+rrotyDpYC20x4a1Sd/vjdhAa2wYzMlc4Ta6hrSmMFG2QN+ZpgACoSvALPnBxaIgbsgU+l5Yavhw9XDh7QojbSqfW54jcT+KIaRKGVVYRIDIBCU9c5Q9OM+xJVVSyuFsXFvxoS8MqDmakC0jVsm6mMnptozYh4L5+9k510l6qU2TOq3weKrkQhKwE077TsSuxWXOVRBRoJ8y8vrRdfKbpUXXuJl9rHu3AsXkw/e/m+RMccCS54yNl3qFyTeFwupkb/I4pkSydd8KOCXjSotKufShMNgM2XYQ0KIgxOIicJDBieMasp6mYG6dw/V/YRsShU3noRyWNpYqa5zkJVNl2TakLewCfbjic9nLcvvp3d/keQFZFL7jkuJiSTsPmSmkIqKwDx5uuCC9Q9UGB1Iaj6DigHOwR7HOR/kzpkjZcHGe97oOF4A+21/EenaZg9TemmZVI2mBqgqmWznvfFywwwrp6FZoYGPiFtvLfDQSGrNyrOYfZ5fPffkX5VGH9R0Px03wM/kSemH8jki4DQCB7Z5yuJAOJttVMjKSjXaagaant8mRCbyuo397LqTmY8rcfYx9/4VzK+o7WJCsWwTTpgU87dxxr5vzchzvI8yHqTHQxD5GdH6IAnqfUsCSLRV8xjJP6Vf6El1zS8HmocF7pt1brcXSdcZHuwU4FLbuJi41OumG9ZZMe2D7ss248Uf70iK3QC/CDvfJt19+UYYP6Eh19UC0iF8Ys9e3TFx644XiNNh/5sIND/IpzIrj8Ho8HdLuZrt0tGST8JGBaNPxeMoZTxJIzG7GmmOwWScbQ4xykeWlU7JGXpROz/NdcXz/oMfivWSkSRFbS2/kiT+enhXHfD6ehhQh0SkJOG8dGF3j/zu3zmVHmSP6/3sKHIEqVs5JW7fknHO2VSoLCXYvXiS2BPoy7+4+c+AwzJ0N5V+7Ama6p+Pp7rlE60NgFK17X7bAoOfyOpUyWwndtT4QglHPdRYsnOSDrHdzyNE4Rk31SZHcb+1a+Ez6TQUFeM2L7PilL39mH49HXwsGqq0U65XOFCqxA/TBcmwHMskWomPvg8gkH3dN1T98+bP6isTztz//6iedtU2uwB5NlRspBlgX6S3KQuxTlN3v09mEjFZoTYcisfcoG9LCq0JNtHgwBY/tYitFAiHB67ee0yfj4VCQ9rSEpGNbI2jX1bI51i5Rw8naYsNP2s4Cak5sQREiLsC/+QkaWtksVcuLClyCUz9aKuJPTNFB+Tt5Ibpf5cms4dHC7oSXFEFoUrQjZEZklcmWQCA72nfPWgfLjjle8pCwriMkiLZKbZbrauwjHoPofHAGpmPJsHN09gYSrrHiwzGZJANMJkOMQik+5KkfnAiw4N2tIy09Q/S2lHJ2vzYnQ870A3yoV/yQCZr4aa0/Lxkmc3TcVLVhxdrbLSHJGa+xmuevcaFWVpXD2r9t+gEdpUy2ldV47jFhsflHVKGALwwACrKUw+6dBY7m/AgDEAym4FXOkOykrJ0AH2vP2krH+5CqSnEsoIh+/avLpa4a48xQuHVfykEpxN9WlbocAgDxjSQXQ3PfTW4i2xJ6fU8+JFPYnjQYCXj6/g+n/5rfbMoeh+cHcuqwNhRb2/WBYvEkGWMshdBdCDaqmgClQ0DwiQU1E2BrV/DnttkbFCsA5by2UXTrPCd4XL/1t4tqFs6XxmGih3tCk8/fZvMqTzOv2CT4Bgt8tNt89EgBpK4zKx6IreaHz0lLjmnU5JVrnqgFMqUk/JMSNcSxnXg7ot2pAcS1dpFzjr43RUcGUh6jigKe7gRmZYXz/rTxJR/Q1JEQ9otUpphwyN8kQLfI29ROpx8hysRWT/umCuN8o46rCzArVCkResG6pe73m81mEvth86JpB6OeTe40KVR2FDR6FKldF/q33G9SL1tVHpZWxxX/2bT19aVFvp0W7nZ8Ya5YGX3ldrKgn/luoze2xMv7bCIvBNnyEsX91w87rwsWfqwO856uUqwCyWFiCz0dsLMWWt9d6jeLzK3JPZJEF/O5UVF/YSWidUE0VaueY4Vf+6VJMkYrqKD5IyX+vvtIIVcPM9f0ek50W35E4+6fWp8aQwS+bnBCs1tTo02Djkwd9Ditc8RWToBy5lcOfHxk7O9Y1WB+RrGYOjhNq+61ytUrMGbbda8SAKmwKEPPGn4/NX17+tWP+le9zXNcQ+7TY+EgPJcPzaWOhgNfL3AkcWTafXA5y/JI32c5zMVC0ifSmz70ah0qSxFNp4O6QvyvrVdoax7hyIbVeMe+amPFm1gvagC4dBKAw8Xn0pjYIsU/c3vZQ6Srst0mPzqZJP7ifmwgH0Mc1l1H21hp0+cC2iYZUrUpKVJ+zrfWmjVzxaqgRaZeGPkOy/PhNukciArS1Ey5u+mZtJ5MLUhsO3kdJRZOJYBjIjKEa8aGF6q/Q32CM8BzPLkB3qETwLk2+gFD11bJoBoRhGSS2ld1PZk+I9f/dZK3Wbyqk2wlG3RXIgcIz8keYNWd7xdAs8emqtAvq+40omEmtNh5wdFALKaERho0Kjw7nTttMj1iIfVQlzYdF1uLzlnB5D2Z9duWqgxbqYXDh7MspuU4JL7Sb+hx/YlAyHoYutuFH3oH1zh2tXlcMibLX10He1y2PIQ6fIHwpbhYdyrsi/nB3x9IhQ280vZou7LyQvaL5uWdg2/XfupX/SfbwPy8rS0AfjCaxr9DlYvVp9APPZJT0zbDJ4I7qwwVmtj6KMk4hfl/+BdGGOmFeTjP1rUT101zI+TNm4cDp/plsza9c3e5OJ3hNghzDeswD7q86Mxhkwc+R56mkVqtcmms3ryhj7LnRgW6afObLLP40rUf1ji57z58bJRMkHl+CC9yUJGkCn8kP0lZ2fSAj8FcwEVptrX3pVgE/lb4ZnCgGSJNesHquRIfUnbHqXzTz0C5HDR7D7MhsO48uollRo/2W9oBOLbHzm7DgYJ9lgcx9TN7Vri57XbZ2tWD9m2YXKP7PgT7RnJvMnrZ1/tuA7qxABdywqOGaXYPG7t13XAwghElNpWJwzwHGxTeKMmfVqT5QWV6MKpRgDBPV3dITjRd9fCzp7tocqlhap8lBlvBnruustV1k6mitt1RPmSGftwHnLznEJS/oS6rxFfj6C7d88N8jQ7itzGStxemOOqEU4Q5mWTL6yeuifRBfIz2dgnq9f89YjMa4O2jW3d96UBId2WZ1nXJxXjjGzxFhg+UwnqAz4O2wMhKPhioOVK88hPcpeL9qOTREAYIjdGkRPOczc/owwLhQVEb9K85xWdm+G8h4flZLi7Qb6tDhYPjNAFUr7qa96TA9AdPJoejN5/+h8aFOjywFmzE1MDLhbY72+KIXdWluSJ93QrzFDMre9TrStrz5GhdiiNob9xADyS8Rj4OL8M7W4Qe+mhTFDxk5Xmgg2msh0c0HsdX6lumu1xoBQMuhlk3Ikv/c+tS/8ZBibq9rrZ0hSIxRg2h/xWh2/KypRo0jDFzRyfRsg/7GQgFmW318I18s7oYwRPFL6NESR3/KrCKPjcURPH2W7sDsgKdvCcWx6Lj5uizAfns8OY29P8wxu3c73FqAJD4dHW5CogMVkCTjkvDK/P5x9WsKhlVNwlaXWrwbtHPWQv/7y6QxBhDLUK+nDmDRqBsXuOMrMW2CFosMFLuooc77mfH/VFwV4KHc+fRWYjg7Cxz0MZ1UidewA485fxWK2YubIk4dedNkx2lbaSxfj2Yc5rbub6HKBm6taAB6CEyczOkuxIV2b97I3NAe4asup84OYkFJ4lylc7eOyHYzP2mCnI3LdTI2iRmVmlbjPbP01NgM4RlvHELU341pkdOC0NdUTfzL+kGMzHpiy5CVaV6bltCh7/vTl31CRA25ojN+d6Wt3RMWpsT98aiY9r5hgAbMsHS5KjPrWpLnJIpTDc/HZq/mrmT/ja4SsOExNY6rpctVyyTuxk/ZN1PiQH/d1aRzdPEgfdf/Z4uXtBqjY/zK3dbi59xAoMMcgGx030YUMjlOsEKfeG4XvsU27J7+rp7PY9SUhcaVV+QItqpT8oRsuv4L2gUPtL1oGsIa4l8ESsoF0lVTN+vrUVYSPXY9P9wTnj0+l7MQoLNkDbg11tKlCnPczPdUPJyhUgvQwNXJcwrFE/kPjQY9qC4PfBppAmFl2/vQeGLeAvK3xnMxgGdf93Ev3oUoh6Ys3cveiixHI6JGftT8PLW8eLFIHlbC2vzCn9m1/N5GIOiQT8BDBBMBZeNXkJ9l7q82jyurUWg6f8K/kSBBHcbc7Kfdzeekd4Pz/DG0xhr+7NA/F3CVIPqYoREf6rPiJx6MarkF/05ZvpOZTLx9Od/Sl34l2dYYermhv4eAU/CGjUKVMENq9Xwbxj6+N8w+MU2EG247FZfrDcVW4kl8T9aiBinhKejeUdVLR3211ZzKGLdlJqBImkmmsKYpi3K9TCZOStfNbJHGMGb5oZu/yvbNAYOYY9/uA90H98YJkqhKeBxpHk/+5Ua9xHbs/g3/ckLSaxNkQ3EJ1rPaTZY5ZdIvmwDI1Cbx024/lK39dkUm6V7/OHFM9ymfcChnzXXQ2qDG43WYdv/AzvHDl5sNAAA",
            text: ##"""
// The server of this page: requests, the one live connection, who is asking, and whether it answers, takes writes
// and is still the same.
import { connect } from '../freshet.js';
import { frames, keep, kept, live, onToken, reconnect } from '../live.js';
import { parsePlace, place, typeUrl } from './state.js';

const name = 'freshet-console';
let token = sessionStorage.getItem('freshet-token') ?? undefined;

/** The public client, with this page's token. */
export let client = makeClient();

function makeClient() {
  return connect(location.origin, { token, name, throttle: 100 });
}

/**
 * What is known of the server. Events: `change`, `access` (another caller, or none: views are read anew),
 * `epoch` (the data are another generation's).
 */
class Server extends EventTarget {
  /** What `/v1/_access/me` says, `types` as a Map; null where it is not known. */
  me = null;
  links = new Map();
  version = null;
  /** The version that was met first, where it is another by now. */
  versionBefore = null;
  store = { state: 'ready', reason: '' };
  answeredAt = null;
  /** What the live queries of this page say of the connection: null where there is none. */
  stream = null;
  isAway = false;
  isRefusedHost = false;
  needsToken = false;
  lostAt = null;
  retryAt = null;

  get isReadOnly() { return !['ready', 'recovering', 'following'].includes(this.store.state); }

  /** The word of the pill, and of what kind it is. */
  get pill() {
    if (this.isRefusedHost) return { word: 'host refused', kind: 'bad' };
    if (this.isAway) return { word: 'away', kind: 'bad' };
    if (this.store.state === 'recovering') {
      const { done, all } = this.store.progress ?? {};
      return { word: all ? `recovering ${Math.floor(100 * done / all)} %` : 'recovering', kind: 'warn' };
    }
    if (this.needsToken) return { word: 'sign in', kind: 'warn' };
    if (this.isReadOnly) return { word: 'read-only', kind: 'bad' };
    if (this.lostAt) {
      const wait = Math.max(0, Math.ceil(((this.retryAt ?? 0) - Date.now()) / 1000));
      return { word: wait ? `reconnecting, ${wait} s` : 'reconnecting', kind: 'warn' };
    }
    if (this.stream === 'connecting' || !this.answeredAt) return { word: 'connecting', kind: '' };
    if (this.me?.open && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname)) return { word: 'open', kind: 'warn' };
    return { word: this.stream ?? 'ready', kind: 'good' };
  }

  tell(type = 'change', detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }
}

export const server = new Server();

/**
 * One request; answers `{status, headers, text, json}` or throws a `FreshetProblem`. Where a token is wanted
 * it is asked for.
 */
export async function ask(method, path, options) {
  for (let asked = false; ; asked = true) {
    const by = client;
    try {
      const answer = await by.request(method, path, options);
      answered();
      return answer;
    } catch (problem) {
      if ((problem.status === 401 || problem.code === 'rate-limited' && hasToken()) && !asked && (by !== client || await signIn(method !== 'GET') || by !== client)) continue;
      learn(problem);
      throw problem;
    }
  }
}

/** Tells whether the server has a feature. */
export const whether = (feature, then) => { ask('GET', '/v1/_service').then(({ json }) => then(json.features.includes(feature)), () => {}); };

/** What a failure says of the server itself. */
function learn(problem) {
  if (problem.status) answered();
  if (problem.status === 421) server.isRefusedHost = true;
  if (problem.status === 403) introduce(); // the rights are others than were known
  if (!problem.status || problem.status === 503 || problem.status === 507) checkReady();
  server.tell();
}

function answered() {
  server.answeredAt = Date.now();
  if (!server.isAway) return;
  server.isAway = false;
  server.tell();
  meetAgain();
}

/** The server that is back may be of another version, and give other rights. */
function meetAgain() {
  checkVersion();
  introduce();
}

// Live ----

const watched = new Set();

/** The snapshot that a search's answer is. */
export function snapshotOf(text) {
  const { meta } = JSON.parse(text);
  const more = `${meta.total === undefined ? '' : `,"total":${meta.total}`}${meta.truncated ? ',"truncated":true' : ''}`;
  return `${text.trim().slice(0, -1)},"v":${meta.revision}${more},"part":0,"more":false}`;
}

/** Reads once what the server that leads alone can stream: a search is sent on to it. */
async function readOnce(query, url) {
  const { type, id } = parsePlace(`#${url}`);
  const messages = await ask('GET', id === null ? url : `${typeUrl(type)}?ids=${encodeURIComponent(id)}`).then(
    ({ text }) => [['snapshot', snapshotOf(text)], ['state', { state: 'once', problem: undefined, syncedAt: Date.now() }]],
    (problem) => [['state', { state: 'failed', problem }]]);
  if (!query.isClosed) for (const tell of query.take(messages)) tell();
}

/**
 * A live query on the connection that all tabs share. Where another server alone has its stream
 * (`not-leader`) its state is `once`, `elsewhere` is that problem, and `again()` reads it anew.
 */
export function watch(url) {
  const by = client;
  const query = live(url, { token, name, throttle: 100 });
  const close = query.close.bind(query);
  query.close = () => {
    query.isClosed = true;
    watched.delete(query);
    close();
    follow();
  };
  query.addEventListener('state', (event) => {
    // Another token is on its way, with which all is asked anew.
    if (query.problem?.code === 'signed-out') return event.stopImmediatePropagation();
    if (query.state === 'failed' && query.problem?.code === 'not-leader' && !query.elsewhere) {
      event.stopImmediatePropagation();
      query.again = () => readOnce(query, url);
      Object.assign(query, { state: 'connecting', elsewhere: query.problem, problem: undefined });
      query.again();
      return;
    }
    if (query.problem?.status === 401 && by === client) signIn();
    else if ([403, 421].includes(query.problem?.status)) learn(query.problem);
    else if (query.state === 'live') server.isRefusedHost = false;
    follow();
  });
  query.addEventListener('change', ({ detail }) => { if (detail?.why === 'epoch') server.tell('epoch'); });
  watched.add(query);
  follow();
  return query;
}

/** Calls `listener` now, and whenever a query or its state has changed. */
export function observe(query, listener) {
  for (const event of ['change', 'state']) query.addEventListener(event, listener);
  listener();
}

/** The state of the connection is that of the queries on it. */
function follow() {
  const lost = [...watched].filter(({ state }) => state === 'reconnecting');
  const wasLost = server.lostAt;
  server.lostAt = lost.length ? wasLost ?? lost.find(({ syncedAt }) => syncedAt)?.syncedAt ?? Date.now() : null;
  server.retryAt = lost[0]?.retryAt ?? null;
  server.stream = ['live', 'connecting'].find((word) => [...watched].some(({ state }) => state === word)) ?? null;
  if (!wasLost !== !server.lostAt) checkReady().then(() => { if (!server.lostAt) meetAgain(); });
  server.tell();
}

export const reconnectNow = () => reconnect(name);
/** Raw events of the connection; answers what ends it. */
export const listen = (listener) => frames(name, listener);

// Is it well? ----

let checking;
let due; // the next look at a server that is away or recovers

/** Asks `/readyz`, once at a time. */
export function checkReady() {
  checking ??= readiness().finally(() => { checking = undefined; });
  return checking;
}

async function readiness() {
  const before = server.store.state;
  try {
    const answer = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(10000) });
    server.store = (await answer.json()).stores.main;
    answered();
  } catch {
    server.isAway = true; // nothing answers, or nothing that is a Freshet
  }
  if (before === 'recovering' && server.store.state !== 'recovering') {
    introducing = undefined; // one under way may still be told that the store recovers
    introduce();
  }
  clearTimeout(due);
  if ((server.isAway || server.store.state === 'recovering') && !document.hidden) due = setTimeout(checkReady, 1000);
  server.tell();
}

async function checkVersion() {
  const { json } = await client.request('GET', '/version').catch(() => ({}));
  if (!json) return;
  if (server.version && json.version !== server.version) server.versionBefore ??= server.version;
  server.version = json.version;
  server.tell();
}

setInterval(() => {
  if (document.hidden || server.isAway) return;
  checkReady();
  if (!server.needsToken) introduce(); // a reload of the configuration gives other rights in silence
}, 15000);
document.addEventListener('visibilitychange', () => { if (!document.hidden) checkReady(); });

// Who is asking? ----

/** The first requests of a page. */
export async function begin() {
  const common = kept(name, token);
  const found = token ?? await Promise.race([common, new Promise((resolve) => setTimeout(resolve, 500))]) ?? undefined;
  if (found && !token) adopt(found);
  await Promise.all([checkReady(), checkVersion(), introduce()]);
}

let introducing;

/** Asks who this is, and what there is, once at a time for a token. */
export function introduce() {
  const by = client;
  if (introducing?.by !== by) introducing = { by, done: introduceOnce(by).finally(() => { if (introducing?.by === by) introducing = undefined; }) };
  return introducing.done;
}

async function introduceOnce(by) {
  try {
    const [me, root] = await Promise.all([identity(by), by.request('GET', '/v1')]);
    if (by !== client) return; // another is asking by now
    server.me = me && { ...me, types: new Map(Object.entries(me.types ?? {})) };
    server.links = new Map(Object.entries(root.json.links));
    server.needsToken = false;
    server.isRefusedHost = false; // /readyz answers under any name
  } catch (problem) {
    if (by !== client) return;
    if (problem.status === 401 || problem.code === 'rate-limited') { // wrong, or one of too many wrong ones
      server.me = null;
      signIn();
    } else learn(problem); // what was known of the caller holds
  }
  server.tell();
}

const identity = (by) => by.request('GET', '/v1/_access/me').then(({ json }) => json, (problem) => {
  if (problem.status === 404) return null; // a server that does not tell
  throw problem;
});

/**
 * Whether the caller may read or write a type, or administer, as far as is known; `why` not. What
 * the server then answers counts.
 */
export function may(act, type) {
  if (act === 'write') {
    if (place().own.has('_ro')) return { allowed: false, why: 'This address shows without changing (_ro=1).' };
    if (server.isReadOnly) return { allowed: false, why: `The store takes no writes: ${server.store.reason || server.store.state}.` };
    if (type?.startsWith('_')) return { allowed: false, why: 'Lists of the server itself are read here, not written.' };
  }
  const { me } = server;
  if (!me || me.admin || me.open) return { allowed: true, why: null };
  if (act === 'token') return { allowed: me.name !== '', why: me.name ? null : 'A token is wanted here.' };
  const rights = me.types.get(type) ?? me.others;
  const allowed = act === 'admin' ? false : type === undefined
    ? [...me.types.values(), me.others].some((one) => one[act]) : rights[act] !== false;
  const right = act === 'admin' ? 'administration (admin: true)' : `the right to ${act} ${type === undefined ? 'any type' : `'${type}'`}`;
  return { allowed, why: allowed ? null : `${me.name ? `The token '${me.name}'` : 'Nobody in particular'} lacks ${right}.` };
}

let signing;
let declined; // the client that was given no token: it is asked for one again only where the user acts

const acted = ({ type, target }) => { if (type !== 'click' || target.closest('main button')) declined = undefined; };
for (const type of ['popstate', 'placechange', 'click']) addEventListener(type, acted, true);

/** Asks for a token, once at a time, and not where that was declined unless it `isWanted`; answers whether there is one now. */
export async function signIn(isWanted = false) {
  if (declined === client && !isWanted) return false;
  signing ??= signInOnce().finally(() => { signing = undefined; });
  return signing;
}

async function signInOnce() {
  server.needsToken = true;
  if (hasToken()) server.me = null; // it is not taken any more
  server.tell();
  const by = client;
  const module = await import('./signin.js').catch(() => null); // the server has gone meanwhile
  const isTaken = await module?.askForToken(token !== undefined, (text) => {
    keep(name, text);
    return become(text);
  });
  if (isTaken === false) declined = by;
  return isTaken === true;
}

function adopt(text) {
  token = text ?? undefined;
  server.me = null;
  if (token) sessionStorage.setItem('freshet-token', token);
  else sessionStorage.removeItem('freshet-token');
  client = makeClient();
}

async function become(text) {
  adopt(text);
  await introduce();
  server.tell('access', text !== null);
}

/** Forgets the token in all tabs and their worker. */
export function signOut() {
  keep(name, null);
  return become(null);
}

export const hasToken = () => token !== undefined;

onToken(name, (text) => {
  if ((text ?? undefined) === token) return;
  become(text);
  if (token) document.querySelector('[data-test=sign-in]')?.close();
});

"""##),
        BrowserFile(
            at: "/console/show.js", .script, tag: "\"111ee916e3913ab5c42bb9c52b62455d\"",
            packed: "H4sIAAAAAAACA5Va6XLjOJL+76dA9zqGZBUt21V9yu123/cR0VV7ur1BmIQldlGgloDs0moYMe+w77APNk8y+WWShCjZbk+dJJCZyDsTSR8fq+/qO3Wrq5VxqfLlwjilbaFuytmqwXNjlJvXd3aqrtceC075uVljI1V2tbg2jVNFOSu9uqkbeZoclItl3Xi1UaYyC2M90V4YgW3VTVMvVDSZHP/hajv5w0VnAf565X1t0x4vVctKl5b+a+prWvpSN0Wq3O0skDku6sUOEUIs/fo77eYEa7wv7cxtITivvRGUg+Nnz9TnIj/Jpb0qnbK1h4wQ8G5e5vN+za6qaqKeHR+Yt3xQXlvnlb52dJ46V3Gizj/tGY8jt9Q2SombvNLOTVUkgBG07CsTFlSbqujvf/u/KOn4+dUa9cOrX38RtlLWq1a5qap0V9NnKtu8bDM2WXb5/lXGW3cQZK5dr/NUTEgWVFm9NDZTdYOX0jvV1HfbMt2sbO7L2srZsTdvPcuwgoQvTk46Dhy9fUAvoKZaetm0idocKFXeKCAR9Pm5WtnC3JTWFIlqjF81tlNWTJIq5e5Kn88F/PLkSvBz7YyK3o2mHQY4b7whGjFUMlnqxglbSQquSHV4ge565E1AzuflMs42h5tOEYI4qYyd+XnbZqnCgoixReFyl8Ll4aZ35DGJq4dI2EDiYY+AQ7H55WkL3RO6PN08hdB1XVdGW6bF/IES6V6vKn+PJgHSG5IPh3Lk+PagPRj7d+l+4X14OBDZy9nE72ybWP3lL+r4vy+Pfi+ujifeOM/AcOnepXYZEPO9KW0xdp1Ot+qTc0Akfyo9KEDwwe2iSF08SevvvhslaiopRtiFDp58YMCbuKrMTXwCmYhI+sjpi5U3BR+fqb//7f/V4SavV9ZvS5605Ha60bknl83AE9lEjAF3hCEqfW2qkeuNco9kUZx7oIaTgYvso6+Jf/N2ynikqRNSwdEpkbFT5rPM38ge66jQXh/hLSISnBQiWtVNqY+YCVrODjf82E45zyB3KobM0gPVZ7tty36qXp6cqAsgjrSH5aSFWjIlGGCBaSdDrr6b11VHX2knUHclUb2pq8J1nBdId75WWWGWfp6pytyayt2b6Hxj+jzHwMhzI4dEchK/2kSyMbgIjoxpeahufWaK2qgjl6q4tobNc/mIT+qFiQafAsYES3Al6D0VLoOyGEITy/jfUAT1zB+p0+RKIvk+CS6jZMQ7LQzOGpi/2mf+n2FgFEWj4999PDIBCy2MIlJNd2qR5K2p+t5S4qE6r1qJELjHv6PyaZZNzeEPqN0LXRhyG2NV6fEODzFFinKmCLy2uWHP6F1CVAOoVGkU3byqnRlUUpXWBAd5hyA6v34wVSHjdLXyuRBjDUlIX9fFWp0HnKK8HSkFzJBSGKMynqUh+JNAYVE3Zug/wFe/QcUSZRscitGAmwqF51zOk8lCL+PeyLtMgG+RlyHEroo5nugliVPEk8kEp8gOK4Spf6KCWkRXgSvLefq+ZDVOVTsZScSLgT1pzKK+NXGSsuwxOUnLGfV5n03D6eqI5U1aBs2E0R0hQFM2OGraoFpbF2ZkHON1WbkRs4iMSMw7hY9wgjvpuff1bFaZnv0NqwhUJ4BH0XyH2esEOVMti8K8BDdaLRa6WfcWQd4Ednu4CXLSC3tWmyUpCweB+LSBpeGQEJ3g5Gy35KMn/Km0b+BT88bcSJ0ZO4hmFchuqChHp7vRe7bTTBQ9Yb9empTeHyI73eriA3AgTy9cE47VN91V5Yh+7QjCzoDTpMXhs175prSzfoVciehRaBz//kV8cR7/XlA/nTw/TI5nqYrSaFeAZbVqdBVIwswcUhZBDMNY07qMT8o6b+zPaqnYyyNnw1N1AWQ1Zew2I2l2apNcuQbmN4Nbrqy04JfRF6jGP/K/P/O/3/K/r7+IrvqEoX2fLnA3iM9Ux8OnxMLJyQn5IEA+EaIhak7PaPn586QHPxbwLefJenEI+bSnc9HBT3z9TfnWFPEpMvjP2s8nDSmj2FYGn3ip/RWEb/fFL0jXeIgXLiTchePjKHdt8RHo0z5i3WUhiJ2h/wvoi8FuqrpuQOZYyPRxImCg/sGIdrfeKpftg778YJ8ROWEAOgY9Yqm09+CffvjioydQ4GNaNQeFP4P96IP3GLjQayd67QqNbv69LLjBid1cN5LymcRCv5UlpAky4amaIoPJHgXbe/Ty3ol6pgSPVCYkTaWXzhSgiMt1qsjby0oS9Ve4ZNv6Lk7ImfAidzcGTBLiM95aFLx7ANVf/6pOQ/MnTGqnNMRR18aVheF7rAws7uvwACnS9Q2z9r4pqewYcasn3K90Q+9U6wJml6Qxi4gj+ofhb0tz90X9ljBO1Ak09tHQLM/LopAm2jcr6fUYtTG5H501YzempTsYa6qg+7kpZ3M/VR+lqiHqL1SbyOlqh4jgDKbu7HwvAaFwf68iCT+0VZgRLVb5XNU3SitA4gnTIu6nbpEHOdVRZt2fkADuC93seEmoKmygzpVGfiQgkEuuIdgjDQqILDFgNBUE1W5dE+qmkHuBhtcsTXAWucGB81ldF6Ro3diUmCgwFrG1NfsigBr4F36Azu6Aevr41CdjzMMNUNpMtb1IwOyZfUWXJtdNeCIXrjY/6Fv9Km/KpQxzMO252x1RAU6GKvtM10u4v1QrXMwkLjF0GzEvS+OBjboYRjVKbnXb4xfAJ4FGULrcgthL0EQ8IARcTN0x9+VYmn0ZZuWtsRCAyJFz6oWwHJjBxmRmfCx7FxdhmILm4HW5GFqDzhvv6sc7gqUuXnnd+PhFSnEc9dJlp+9NT15MT0+zlJ2/pvwKh4GPcQai91SVFpKo/62tzBP5beVMw9Ln85qUem+Syqs6fxNrv13mS/evr79U58MMk+WMVj4HUz1QYzS7ZqG9YZtAEY4F4yfp8AfNAewyI0KHGyFPCqP/IjJzFFETCcA2u4qTcAQk+/WmP2PvlnG5NrqBR1s/TwFLlz3mqmMp+obs8Z8Ew00KoPCARC9ibBc0kGqPDjdkpJgJqueU/vsVop20Kjsb9+g4hU605k6BKHQ4Yp32WADhflxAefu8BxhIJAnUAp3QBillW5rv6lXjWJTSohDg8ZUU30iuU8RqMvmjproZTaOk3VK0CpqWyjyYvzGV9uUtuOeB72LbD4rSeW1zSDmqqtr3DQUw5IqtZybc8YcGaqjyJ+lALek7H9mleI+HLXQm72/1JREdGQXVDTQIjgc5paUcN5x2NNBpMcjJtrbCjtKzWpQguYOrSfzbN1+qly9ffpwitKiVSwfNYMY9FJk+E3L6MG917qs1Hj0u/qTOOWrSRGXQS0YnmanCZKqq7axDEoD9QAQfwQrqvKvXof/UMmREkkFzop8w6n7cUUFURqwTmrXqX9jREOqUu+CKA0W5+HTZSj8wrAT7XIBABS9TxfR8/f2rXzvcpP8GIVlHAqOvqJ5u2y6aivht0P8OW6KfrR7htakqpzSkY9vItySn14M9piE1loCskfP3U35jmDnO3GGsIZeXcCtHDi7qfAWpJ/+zMs36Fekg93XzeVV1akgSBp0wPSIl0vIShMEJyRlSiS6Kr2+J0E+lw4C6oTpOhBBK6Ygdgj4+7jnHvXcrqx8cOOO/t940VMBj4br3mYFR6QJ7i8J+/7xYl8FMVxBxOxfLDDzYLLTTO2Knqn/XxPaEqYUhjgCD2Jc1SWRl1i/92t6WbHBSHsuzUUIesVQ2zn85L6sCM5FKdy887Xhc4gk1h5eh1YPEAX9CxD/vW/I44u43SkP72zeVvZjSOfZv0mSyC6dyFZSegaq/N07Kt64qVZFX8FdRWLwyTm4h0lSw6/9C/kBxpdDCTMX77+oViXdtUuCx3+vcdzQX+g06n33PN4ulX/PpQ6+Jgg5MuNPDM0JGpBVi2/evcsXQ636qCyq/UeFgaixp4Jythpn8wqVg1qpZY9Y8+XP7bFa1LoBEPD7OVgeIIKr5i6cj2VZu7wNCABQJwgLfssIBZZSkj7yFRtTW5NGGcjDlna1SgYXVvf0/fxHVxZ6wtGitfPwCkjDIVsnhgI2xj6ogE/ThAiD4sMyA3l8C9NpJ48wxoLwwTcw5afEwpk6Httkp52l5QVKIiwHGAUHPdGn35QD6L6wVyIIP884wMXKSNe0Vn/tUcFULkQIABjsiRhxBVTAfqEXpA5fH6LfAb5RKQe3P4FtnJJXAUao0jUhaMfu6qq3hnBokjNLAygRgpgFHlxETz+vCxLv7yRXtTeAdMluOhSOWLuqkhJE6Z4PqjmRTtf1U8WfdvBni1a7VUs+MU0Wj7yTwR8rlj3rQK/kFLkviFE/5CCjQO0PGuWHvf5jg/EWv7PsJzHD5+vOfSAAYRN7BdgtkvYelwfbu+dICzA3zLn4MjZ2pjKtnxsEn5alulLYqm59m+14KnO+6Cw0jpiow8ViqwbGsUMaaeD37RS+MtMTfnUbqQjbUdEuJp70Qspfcr8w+cYKlp/EChAeNi5T8MKnl43ZtzILc8nH0J3vZNZ1jvAM1jRPRO4/JrYKZCeKBT0VVOQCBAgNwUZVMLCa/4aLbJTXHUbtvfKz2hW98Bnb6Ux77vAAvYIHCHTg0xtgciITlpl/bvS7vorNuXV4vUcnyumLNMmAQVzoEyCvzSHemtHiXyB6ioHRcdBtOWMj8gio5cF85EpSvASIqcr5z245v1Ni7XZEBPnIJid1QhfBhBUeDkASL4ysCAibXPD+SOMQYSI4TJXca3lYkPjoNugQzu+YRCbtQCpNUoSg11VRVkCHYZwv4QYtILhNixBeTEmPicYdocATe3OPU5U1dVU8PeYEfxZp8jkb9lFSIwHfSi+SkO86RFsll39bSvXzeGP1gj9V3UNTko4Fa1lXpTeifhALxMzCyVpobWebPKds1fr6m9Zycwsgkq155rr0N5sV7nMFlr/kKA8a6n8lLRSjyndfz0skhnlpcFzHnHdTFRJo/9rL3Tl7e11UM1CP+xgmyrdLCi8TPul6pSudvJviQ26sYl7FBIOLgjSULqLXhvAMiQ1N1U9piv6HFnM0ykrRGYNTA6aQTkneJDoK3JveIEFz+462txmxtQrrdycBgCu1B0qJd40t9Dmfgjqi2BpGz1weiI7K0OWXbBL3rEqfxrCSb0X72wI8nStPHBFMFQJZLFiZbMtzoskLJuNj+ecsObDhVHLKqc57oTBqDZj1OkgOlpkGVgoU5WtfLY5K8Z3HwEglLezGYNzQU4WyO8JFsN/pkvFvG7/+MnP3L8eEGFDB+D6U+UscqCh+T906vSvvmC+4ew2dwvq9sZ6MxJ3o7JYQfawDu/scjIbZ7alHnQWIBQWB91d2PWeMSVoG/ODsG2iDl/aT7dP5AgZXNkQAri1Qx+qHCnWSARke4LRsnn0XAbbSTsarRjYixRl9EGH1yU1aeXCO+7FLoFajII08fYGKEVVgZImu8fKMrZ+CNkv0vUalGNC8Da35U/LfLWVHstGJXcJF/AEfbZPEwLQAA",
            text: ##"""
// How values, times and figures are shown: bytes as they are, numbers digit for digit.
import { elements, members } from '../json.js';
import { button, element, plain, problemCard, svg } from './dom.js';
import { entityHash, settings } from './state.js';

/** A value that is not there, which is not null. */
export const absent = () => element('span', { class: 'absent', title: 'absent' }, '–');

/** One JSON value, for a cell, digit for digit; `{3}` and `[5]` for what has members, shown by `open` or by its row. */
export function value(text, { cut = 200, digits = 60, open } = {}) {
  if (text === undefined) return absent();
  switch (text[0]) {
  case '"': return shortened(JSON.parse(text), cut, 'text');
  case '{': return chip(`{${members(text).length}}`, text, open);
  case '[': return chip(`[${elements(text).length}]`, text, open);
  case 'n': return element('span', { class: 'null' }, 'null');
  case 't': case 'f': return element('span', { class: 'boolean' }, text);
  default: return shortened(text, digits, 'number');
  }
}

export const isNumber = (text) => text !== undefined && /^[-\d]/.test(text);

function shortened(text, cut, kind) {
  if (text.length <= cut) return element('span', { class: kind }, text === '' ? element('span', { class: 'null' }, '""') : plain(text));
  return element('span', { class: kind }, plain(text.slice(0, cut)), element('span', { class: 'muted' }, ` … ${count(text.length)} characters`));
}

const chip = (label, text, open) => element('button', {
  class: 'chip', tabindex: open ? 0 : -1, on: { click: open }, 'data-open': 'value', 'aria-label': `${label}: show the value`,
  title: text.length > 300 ? `${text.slice(0, 300)} …` : text }, label);

/** A whole value as text with folds: open down to `depth` levels. */
export function tree(text, depth = 2) {
  if (text[0] === '{') {
    return fold('{', members(text), '}', depth, (one) => [element('span', { class: 'name' }, plain(one.name)), ': ', tree(text.slice(one.at, one.end), depth - 1)]);
  }
  if (text[0] === '[') return fold('[', elements(text), ']', depth, (one) => tree(text.slice(one.at, one.end), depth - 1));
  return text[0] === '"' ? element('span', { class: 'text' }, plain(text)) : value(text, { digits: Infinity });
}

/** What a fold holds is made when it is opened, 200 at once. */
function fold(open, all, close, depth, line) {
  if (!all.length) return element('span', null, open + close);
  const body = element('div', { class: 'fold' });
  let made = 0;
  const more = () => {
    const part = all.slice(made, made += 200).map((one) => element('div', null, line(one)));
    body.append(...part);
    if (made < all.length) {
      const next = element('button', { class: 'chip', on: { click: () => (next.remove(), more()) } }, `+${count(all.length - made)} more`);
      body.append(next);
    }
  };
  const node = element('details', { class: 'tree', open: depth > 0, on: { toggle: () => { if (node.open && !made) more(); } } },
    element('summary', null, `${open}${all.length}${close}`), body);
  if (depth > 0) more();
  return node;
}

export const rowLink = (href, text) => element('a', { href, tabindex: -1 }, plain(text));
export const idLink = (type, id) => element('a', { href: entityHash(type, id) }, plain(id));

// Figures ----

export const count = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

export function bytes(number) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let at = 0;
  for (; number >= 1000 && at < units.length - 1; at++) number /= 1000;
  return `${number < 10 && at ? number.toFixed(1) : Math.round(number)} ${units[at]}`;
}

export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} days`;
}

const barWidth = (share) => Math.max(share > 0 ? 1 : 0, Math.min(40, 40 * share));
const elapsed = (from, until) => (Date.now() - Date.parse(from)) / (Date.parse(until) - Date.parse(from) || 1);

/** A share as a bar beside its figure. */
export function bar(share, text, attributes) {
  return element('span', { class: 'bar', ...attributes },
    svg('svg', { viewBox: '0 0 40 8', 'aria-hidden': 'true' }, svg('rect', { class: 'ground', width: 40, height: 8, rx: 2 }),
      svg('rect', { width: barWidth(share), height: 8, rx: 2 })),
    element('span', null, text));
}

/** How much of a span of time is over, counting. */
export const timeBar = (from, until, text) => bar(elapsed(from, until), text, { 'data-from': from, 'data-until': until });

/** A word with a shape beside it: kind is good, warn, bad or none. */
export const word = (text, kind, ...more) => element('span', { class: `word ${kind}` }, text, more);

/** Shows a cell's value as JavaScript has it; what is not there as absent. */
export const optional = (show) => (json, ...more) => (json === undefined ? absent() : show(JSON.parse(json), ...more));

/** A member of a row as JavaScript has it; null where it is not there. */
export const given = (row, name) => JSON.parse(row.get(name) ?? 'null');

// Times ----

const two = (number) => String(number).padStart(2, '0');

/** `14:02:11`, of today or with its day, in the zone that the user has chosen. */
export function clock(at) {
  const isUTC = settings.get('utc');
  const read = (date, ...names) => names.map((name) => date[`get${isUTC ? 'UTC' : ''}${name}`]());
  const dayOf = (date) => {
    const [year, month, day] = read(date, 'FullYear', 'Month', 'Date');
    return `${year}-${two(month + 1)}-${two(day)} `;
  };
  const date = new Date(at);
  const day = dayOf(date);
  return `${day === dayOf(new Date()) ? '' : day}${read(date, 'Hours', 'Minutes', 'Seconds').map(two).join(':')}${isUTC ? ' UTC' : ''}`;
}

function relative(at, form) {
  const distance = Date.now() - at;
  if (form === 'age') return duration(Math.max(0, distance));
  if (Math.abs(distance) < 1500) return 'now';
  return distance < 0 ? `in ${duration(-distance)}` : `${duration(distance)} ago`;
}

/** A time (RFC 3339, or ms), relative and counting; what it is exactly is told on hover. `form` age: how long it is over. */
export function time(at, form = 'true') {
  if (at === null || at === undefined) return absent();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return plain(String(at));
  return element('time', { datetime: date.toISOString(), title: clock(date), 'data-ticks': form }, relative(date.getTime(), form));
}

/** Tells anew what times say on hover: the zone is another. */
export const retitleTimes = () => { for (const node of document.querySelectorAll('time')) node.title = clock(node.dateTime); };
addEventListener('storage', retitleTimes); // another tab has chosen

setInterval(() => {
  if (document.hidden) return;
  for (const node of document.querySelectorAll('time[data-ticks]')) {
    const text = relative(Date.parse(node.dateTime), node.dataset.ticks);
    if (node.textContent !== text) node.textContent = text;
  }
  for (const { dataset, firstChild: { lastChild } } of document.querySelectorAll('.bar[data-until]')) lastChild.setAttribute('width', barWidth(elapsed(dataset.from, dataset.until)));
}, 1000);

// States that all lists and tables share ----

/** Nothing here: what would be, and the acts that make it. */
export const emptyState = (text, ...acts) => element('div', { class: 'empty', test: 'empty' }, say(text), actsRow(acts));

/** Nothing for 300 ms, then grey lines. */
export const loading = () => element('div', { class: 'loading', role: 'status', 'aria-label': 'loading', test: 'loading' },
  element('i'), element('i'), element('i'));

/** A notice above what it is about: kind is good, warn or bad. */
export const banner = (kind, test, ...children) => element('div', { class: `banner ${kind}`, test }, children);

/** Says of a query that it was read once, where its stream is, and reads it again. */
export const onceNotice = ({ elsewhere, syncedAt, again }) => elsewhere && banner('warn', 'once', element('span', null, 'Read once, ', time(syncedAt),
  ': the server that leads alone has its stream', elsewhere.leader && [', ', code(elsewhere.leader)], '.'), button('Read again', again, { test: 'read-again' }));

// Marks that many pages draw ----
export const muted = (...shown) => element('span', { class: 'muted' }, shown);
export const heading = (...shown) => element('h2', null, shown);
export const grow = () => element('span', { class: 'grow' });
export const small = (...shown) => element('small', null, shown);
/** The head of a page; `title` is a text or an `h1`. */
export const pageHead = (title, ...shown) => element('div', { class: 'head' }, title.tagName === 'H1' ? title : element('h1', null, title), shown);
export const actsRow = (...shown) => element('div', { class: 'acts' }, shown);
export const say = (...shown) => element('p', null, shown);
export const remark = (...shown) => element('p', { class: 'muted' }, shown);
export const bullets = (all, told) => element('ul', null, all.map((one) => element('li', null, told(one))));
/** A text of data that is code. */
export const code = (text) => element('code', null, plain(text));
export const heads = (names) => element('thead', null, element('tr', null, names.map((name) => element('th', { scope: 'col' }, name))));
/** A table of figures; a title that is a text is for readers of tables alone. */
export const smallTable = (test, title, names, rows) => element('table', { class: 'small', test }, typeof title === 'string' ? caption(title) : title, heads(names), element('tbody', null, rows));
export const tableRow = (attributes, head, ...cells) => element('tr', attributes, element('th', { scope: 'row' }, head), cells.map((cell) => element('td', null, cell)));
export const scroll = (...shown) => element('div', { class: 'scroll' }, shown);
/** Where a page says what came of an act. */
export const noticeArea = () => element('div', { 'aria-live': 'polite', test: 'notice' });
/** Why a list shows nothing to a caller without its right. */
export const forbidden = (problem, what = 'This list takes') => problem?.status === 403 && banner('warn', 'forbidden', `${what} a right that you lack.`);

/** Whether nothing is known yet of what a query finds. */
export const isUnknown = ({ state, at }) => state === 'connecting' || (state === 'reconnecting' && at === undefined);
/** What stands in place of the one row of a query that has none: its problem, waiting, or `gone`. */
export const absence = (query, gone) => (query.state === 'failed' ? problemCard(query.problem, () => location.reload())
  : isUnknown(query) ? loading() : banner('warn', 'gone', gone));
export const crumbs = (page, title, id) => element('h1', null, element('a', { href: `#/${page}` }, title), ' / ', plain(id));
export const linkButton = (href, label, attributes) => element('a', { class: 'button', href, ...attributes }, label);
export const docs = (page, label = 'Documentation') => linkButton(`/docs/${page}`, label);
export const caption = (text) => element('caption', { class: 'unshown' }, text);

export const facts = (pairs, kind = '') => element('dl', { class: `facts ${kind}` }, pairs.filter(([, shown]) => shown !== null && shown !== undefined && shown !== false)
  .map(([name, shown]) => [element('dt', null, name), element('dd', null, shown)]));

"""##),
        BrowserFile(
            at: "/console/signin.js", .script, tag: "\"be9f89cd3f63c6eff4ab4115aca98f8f\"",
            packed: "H4sIAAAAAAACA31U54KjOAz+P0+hq8AcIdvbtOu93/YaDyjBG2NztkjZ2bz7ynZI2ZZfwUif9RUxHMI3bupgbCwIIDNFDfMaLQLVCA7tDC3MhSYHRmNxIJvWWIILQIUNasrBtKi/l0KZCaxgbE0DSTGsTFO8dMnRtt5iI+w0ByeWO3WuNvNYeDA8PIyjdJqk8reBdECCJ8p5JFnW/rkWusIKyMBIVKal0REI7eZonR+bePLQOReugMPhAS7C9cItdQnjTpckjebH6Y/G3vVk01pUf2nMIaBlcHEAUBrtCMYSVQUnPdE0kbrtKMmZCy1bvANJK5ybG1vxmcX/O2mxugNkO0Zz8hVXXLuUA6Ejrg3KJrDKjrYXiE7R7gVtAC8Vw3LHuQjARvmrhEJLyT7aIADsYUa5GFPMhaQda1LPC4AkBbi7tXR75vbeb69wcqIHkg9C47mplnfgCZu3FgzOPArGLjBjIA/ZiklwTZt+FKGX0BiLRQIM+sh0dt3CUN4yQbA0HTRiCRZFxfUVlGzyhDuyeDdsFVLiHBXPqDulch4gICV59CrLo6R9V0xcmvxCfqQpthSjFUclce6PS2UcVmBsGMOTBtNRHuZwqLlVh034pqPaWPlKhADVPCpaYGW1n/NZvFKEdDnW6Unyn0fy8q2zl2ZwchrS5X9yDOkn0SPp7nqh0kChmAnVYUFWNmlPJ8vAInVW86NyeLSGCN0xte/pzfqy2BpSGY9WrFvLNcIuk2c5PEn+NATazJNngUUMU98V03Rysu5fxS19EBdt9wsxZQQXhQ32HkV/WbxRIDFiq5c+FmEr31rHXgLCBfWkvVTxb+GPvzOaUPttSZJt2uPm8+Hw+ZOniyuXB08XN/HZV58PucdRwMsC6bO1XGOksk6T4exyWLVoIxt2se/vHRh9i8Iy9OcXHmQ1yuGbssSW/Cq2rZJlqBu+dMYvNasGHsSRoM75vb8Mq6OD6HMcsojvvJj+dfZ+bne3ilYG4x55aXeUzX1WmUotHOCi9R+dIkiCyuGHLrxyO1srUJpO0/dmrtM/u+YcbV+9lqKYIK/Zv0h2OfhmTGgTjt/r13C59+UjN516Zpfez2y0wyx2YcXi7gGsitFO9vaxjz10COB+dnb4OORQVG4/QMZCqpBA4diPsa45is+ncCn+GwxiOXxgdmOg8R+yuTV6Em1gl8VESL/jzMODrMBFAv1uapzD39Y00mGaWnRGzTB8BRzSXdmg6ag/zuHyJZYuqLv6UPDv2mW8069rkXg13gC807lXvgcAAA==",
            text: ##"""
// Asks for a token where the server wants one.
import { element, openDialog } from './dom.js';
import { remark, say } from './show.js';

/** Asks until one is taken, which is handed to `adopt`; answers whether one was. */
export async function askForToken(hadOne, adopt) {
  const field = element('input', { type: 'password', required: true, size: 40, test: 'token' });
  const fault = element('p', { class: 'bad', role: 'alert', test: 'token-fault' });
  const taken = await openDialog({
    title: 'This server wants a token', test: 'sign-in',
    body: [say(hadOne ? 'The token of this page is not taken any more.' : 'Your token says what you may read and change.'),
      element('label', null, 'Token ', field), fault,
      remark('It is kept until this tab is closed or you sign out, and sent in the Authorization header alone.')],
    actions: [['Sign in', async () => {
      if (!await isTaken(field.value.trim(), fault)) return false;
      await adopt(field.value.trim());
      return true;
    }, 'primary'], ['Not now']],
  });
  return taken === true;
}

/** Whether the server knows this token; says in `fault` why not. */
async function isTaken(text, fault) {
  fault.textContent = '';
  const answer = /^[\x21-\x7e]+$/.test(text)
    ? await fetch('/v1', { headers: { Authorization: `Bearer ${text}`, Accept: 'application/json' } }) : { status: 401 };
  if (answer.status === 401) fault.textContent = 'The server does not know this token, or it has expired.';
  else if (answer.status === 429) await countDown(Number(answer.headers.get('Retry-After')) || 1, fault);
  else if (answer.status >= 400) fault.textContent = `The server answered ${answer.status}.`;
  return answer.status < 400;
}

async function countDown(seconds, fault) {
  for (let left = seconds; left > 0; left--) {
    fault.textContent = `Too many wrong tokens: again in ${left} s.`;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  fault.textContent = 'Try again now.';
}

"""##),
        BrowserFile(
            at: "/console/specs.js", .script, tag: "\"25f91f2d14f933b64008d1d1e0aebf40\"",
            packed: "H4sIAAAAAAACA4VZ6Xbjtg7+n6dAV5ITRc7c/XpOmu77nrmrx60Zi47ZkShfkU7GJ+OePsZdX65PcgFQoml1+xNLJAiAwMcPoDKZwJdbB35jlnZllzrY1vkpGL1cw0Z3Ae5sWIMNHkK3DesCtKvgbq0DjoH1gA+bznjjQnlim02LK+5h2W52b/gCTG0anClgZeu6gE2trcOfrr3Gibd0VxXQGZqDPay6tgFRTqq2Kb/x4tFBW219+FzfmEyIhlgqt9k02qFG9KXKRNuuMp0fCbfX3nS3poA7HZbrTJqHu5G0Rmm3NEV8CAXaqgz+7bbNNe6yape012YTdldBB4Pb1cuAQzf21uB+m20w6FeLKj5tgyVF7YbirDEmXXv3sXVP0W29wz+NpkAF26BQ6Ax5iBvIHVy3dyP3KhO0rd/XHrOD7tmw+1NXo/WWI740oP2QI4pO+OzO5QrJ5ZHGxjTXpntsngV/kCwnnam2yyE6J0sESoCtI2xcgDN38IneyNlMNF4U8HBewEzw0/n5Ob80+PK78+FtjW+/5tf4XuH7H373mzgwV49OJg8ewBtQbTvGJLQrCGsDMUHCg1w8bH597hcKrIPGPwK3rWtEpulMD03XOlPCg8mJecb7Wm3dklU1iDjrDW6g8jLgLhXcnwDYFcgXJl/JJ9WpfFLiX3UpG/985pt1NVfq9OVJGYwPcYWCzoRt59jsoxMYXmdlWZJA2RCy3qhrOZGzJ1U5P1WZssmNmpcxnFL6bYMBKFATRb3gkM4VXLwGOAOn/Tg8iLEub0yQ9KQKOMcw7U+G/XFC4jHFhEjrH3dbQ3oYQ/IqdNbdDMMFxAe4BHHTtpWAKQiKmECdHPu/0CHXUBu9grptn9JZL0D7FN27KeCp9Gh36wLCOwJlocOCo57Cvdx2HWJP3gMFBl0TohgGYY8qs/gPwxcXF7jdCsnBmWoc67EkjyehyVfo1ZPrPFm0SdfCra635rBR0hRj5jfaoV9htzEIs1yz8Bw1Aa++ioolan4e2qfGqbGBY1D1KhTayn2OdsYOMy0O6RlWKlqT72hkjihC6gBn7HwBAkUE2ZsJgx6AKJLIKYuoOWGFM/t+eweVMZuM5Wtr/CN+9HTSNDjdmOq4LJAQXJsaVyMOWeI40ZXZhLWXodNLgylN4dXX7a3B+M7m2aZYCk/JRiIwNq11wXSEBotZf0aoZQWDCus/ZYcuMBhPJuSWfzKZfTWZp1PZq1CUKdY9Y01whlR0yUeSI7+gtfDyfS9e+hoJWf5elZ1hsqQTK759KDCiEzEaPafRb4XaL2gfPWH0nimkHlsbkLzZsjbuJqzJlxdkMhUovH/BeioXL99HOR3k2UO1nyyUUhCHNu1GKjYwDGz9elDCEymGuS3aKE3uVcrz4t5j4vzKUvlxGIG31trdmCLGZ78A7bm4ei7y1sWXH6VMitrjzhh5Hxfn+uIZxtS8TZUEeUGqPPu1uTW1p/T37YAU21oUVLJr7T2eRlIu0PF5OpERnhfHiKLZVduBjCIxv+hIW5k5gTYiCg101vjBh+SF9eRidGZG6uP6ORlNUoRpxhijRJan6uWJL80zs5RkJsLoEtlEqMty9vB4LZ6Li0R2JM7UlotY50yHQgfzcIrwhNcgcwguIQ9UziHA2yj1ZmNcJZNUbTmcdAz6aJ6ReUJrpYM+67EjpsCbyA4bF4u4NSZHhUtAFGwKOBrHTAyX3PscByNXSt4mvzS7te7Mapo1KZI99KJg/QrdGOlUKjmAIX2hp0s6S0kzEdoRhFBSkCbBa0RBP0kNa/bWLQ0p4R5LCuCBxJMHGTQfVxDC8wV05PzxAhfdjYlV6kALceBH4BYTfhFX8HnNeode/HyeHy92Qe9k78abO7YPum4ddTpjt9I6ymUpFPN+VtFpzsP1DjSBsrKxuepAH5N9EcnBPc35oIdxZzT11J+tqM1Ap5it6eFy4KJLwLeB3NuN6Xqdvm5DwYZgz6tm9HyMsRPA5bO+L5Y5bpIiAk96UcfPMUwLpHgytl+oOSqcwlhfjkP6VelHgJgTjLltl7FVoNQex4CE32rrbeOY2tDGPeMZsWipla01Vkp8ucqDiuPWv2tvth3KrXTtDVpdUyMlv+arAM5XHJefdpdFoty+yM0mrs+sf0DybCFdOSSf+fHiA2yy1Y8JWT/j8ze+dewtI+/Dq88+LTe684YnmCbp4Ao1NtbjJ7P0JY4gJtnWFQbZVLmt3PuEPVY6x7Qc8bvkck1OpWujvKfGjux+PUQw2FCbcXJoYhkzOs3TSzc3BJjDDffJuWl/Ki9MOXwTRGmSza6FUnzajhqqtfag+0bq8doQtFYUaZ79/rt/efj+u/+y+u+/+x/L0R2oKUW8dEqRTjDZF9TXhRYqg6zYGWDgMr/GoGCsUj2P/uOG8kr9j63pdnARL8UyXSUlBy5tMRVpTo1D+UTLlb0dVyJk5WwF78748ZpMgm7JPzpdmwBPDblHoBpGrH9z62mQ0XIYfatuvakO40m/oTrH8SW0eGPcm7h8uB9LVeKW6IqFm25XQkWSEp9/dvWYW8Lbh5MYjEmvyPCGaWiafm1FQS/LMqonAs9YcApxmGS46Pop1WED+zn7qf3OLSFlqjNLY2+NpESl6hL3ly5Gse7ETymSIph/bZCcVpU3IsNFjGe45iISsuoVp3NSHqzDKAeZ3T63/VeSwW6BNBLv5B5cjv90p7fxKkEVuxSDm6kmsmoGWj+zz7bRUcuVf61gz6Pgca1CMf4aI5lkEwMpYqnZPF/wi5CA58+z7ee9H3b1qD6KDvCoBHb3L9+TX/QbtecXCFxKoaa4kuYI6CGxhwTgghR8XJIbT8jiSoSwo28xVyYMXFmuah0+GdXiWH+zdw6EUkexWK5be3wcPT4tA2Ne6M7qM2ZwMcU3z6FjFk8EgANnPECwx26NK8xAjfFTFDqFYZ32tmIbOoSYnNzDfujjkhexGrAXLI+mYvfn2sOORN4Y+NiMtI5rw89pQpEC4jZNxa+UnuzMko4BpmPo84c/OZvFwktgQIqXWWlGwPVNdw7HbJ46D30dgUffxVIRzuTzas33Xa6/PyXAarIKmyrogA8UiAFGsTeyLGbRG/q61+Cc7MVcsd4rvcu3Gjk/OkXXxXQe4ngBv1Hz+RC9RN5Ef3EodLvENBGD98DdxB7F9J22gb/vygONy5wyDmxRHK6stH4Q2sOSv/jK/iP0gdeypfkX6kGwiKBN4mMizEgr4+xhZq+O2GtctX5qKUnHT9UDmw7z+echdomvLPndq0Pur83RJSkWfT4p8dt16l1GrVDqMmMtSfCOPMxoGXooWxUUCc/HG/+klo7+BwCaNOGZGI58/MfAT7UWBeDJyeoqf9IfJ3s+zzhhu6lQVLr0DTexKo6UtqKjS5rHGUmxO5bjyUH3kkqszNSmpiLDK/Q1tBfOFOzzT7OJqN1xjxofBweY8i65cR1khotzEiQg/R81aNMjtBkAAA==",
            text: ##"""
// Run specifications: each part with its truth, and what it is at present.
import { copyAs, element, fill, plain, problemCard, refill } from './dom.js';
import { listPage } from './list.js';
import { command, send } from './orders.js';
import { observe, watch } from './server.js';
import { absence, absent, code, crumbs, docs, emptyState, facts, given, muted, onceNotice, optional, rowLink, say, small, time, tree, word } from './show.js';
import { detailHash, entityUrl, go, place as present, setOwn } from './state.js';
import { memberTexts } from '../reducer.js';

const units = new Map([['ms', 1], ['s', 1000], ['m', 60000], ['h', 3600000], ['d', 86400000]]);
/** A duration of the server's (`1m30s`) in ms; null where it is none. */
export function milliseconds(text) {
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text)) return null;
  return [...text.matchAll(/([\d.]+)(ms|[smhd])/g)].reduce((sum, [, number, unit]) => sum + number * units.get(unit), 0);
}

export const truth = (isTrue) => word(String(isTrue), isTrue ? 'good' : 'none');

/** What a leaf looks at, as it is now: ages count on from `at`. */
function current({ text = '', current }, at) {
  if (current === undefined) return null;
  if (current === null) return /^age\b/.test(text) ? 'no value' : 'none';
  const span = typeof current === 'string' && /^(age|token)\b/.test(text) ? milliseconds(current) : null;
  if (span === null) return plain(String(current));
  return /^age/.test(text) ? time(at - span, 'age') : ['ends ', time(at + span)];
}

/** How deep each part lies; parts of a named specification lie below its name. */
function depths(trace) {
  const above = [];
  return trace.map(({ pointer }, index) => {
    const isNamed = /^\/specs\/[^/]+$/.test(pointer) && trace[index - 1]?.text === `spec ${pointer.slice(7).replaceAll('~1', '/').replaceAll('~0', '~')}`;
    if (!isNamed) while (above.length && !(pointer.startsWith(`${above.at(-1)}/`))) above.pop();
    above.push(pointer);
    return above.length - 1;
  });
}

/** `{satisfied, nextChange, trace}` as lists within lists. */
export function specTree({ trace, nextChange }, at = Date.now()) {
  const levels = [element('ul', { class: 'spec' })];
  const deep = depths(trace);
  for (const [index, node] of trace.entries()) {
    const list = levels[deep[index]];
    const name = /^spec (.+)$/s.exec(node.text ?? '')?.[1];
    const now = current(node, at);
    const inner = deep[index + 1] > deep[index] ? element('ul') : null;
    list.append(element('li', { test: 'spec-node', 'data-pointer': node.pointer }, truth(node.value), ' ',
      name === undefined ? code(node.text ?? node.pointer) : element('a', { href: detailHash('specs', name) }, code(node.text)),
      now !== null && element('span', { class: 'now' }, ' now ', now),
      node.since && small(' since ', time(node.since)), node.next && small(' turns ', time(node.next)), inner));
    if (inner) levels[deep[index] + 1] = inner;
  }
  return [levels[0], nextChange && say(small('By time alone it turns ', time(nextChange), '.'))];
}

/** What hangs by a condition or a specification, as links. */
export const readersOf = (all) => (all?.length ? all.map(({ operation, slot, spec }) => [spec === undefined
  ? [rowLink(detailHash('operations', operation), operation), small(` ${slot}`)]
  : rowLink(detailHash('specs', spec), spec), ' ']) : muted('none'));

export const specColumns = [
  { name: 'id', label: 'Specification', isFigure: false, show: (_, row, id) => rowLink(detailHash('specs', id), id) },
  { name: 'satisfied', label: 'Is', show: optional(truth) },
  { name: 'nextChange', label: 'Turns', isFigure: false, show: (json) => time(JSON.parse(json ?? 'null')) },
  { name: 'readers', label: 'Read by', isSorted: false, show: optional(readersOf) },
];

const list = (place) => listPage({ type: '_specs', title: 'Specifications', columns: specColumns, onopen: (id) => go(detailHash('specs', id)),
  empty: () => emptyState('No specification has a name. The configuration’s “specs” name them.', docs('conditions', 'How to declare one')) }, place);

function detail(id) {
  const query = watch(entityUrl('_specs', id));
  const shown = element('div', { test: 'spec' });
  const figures = element('div');
  const once = element('div');
  let key = null;
  let isBusy = false;
  let isClosed = false;

  const evaluation = (seenBy = present().own.get('_of')) => ['POST', '/v1/_specs/evaluate', { spec: { spec: id }, ...seenBy && { operation: seenBy }, values: true }];

  async function receive() {
    if (isClosed) return;
    refill(once, onceNotice(query));
    const text = query.text(id);
    if (text === undefined) {
      key = null;
      refill(figures, absence(query, 'There is no specification of this name now.'));
      return fill(shown);
    }
    const row = memberTexts(text);
    const readers = given(row, 'readers') ?? [];
    const seenBy = present().own.get('_of') || null;
    const now = `${row.get('evaluated')}/${text}/${seenBy}`;
    if (now === key || isBusy) return undefined;
    key = now;
    const operations = [...new Set(readers.flatMap(({ operation }) => operation ?? []))];
    const choice = element('select', { 'aria-label': 'as seen by', test: 'seen-by', on: { change: () => setOwn({ _of: choice.value || null }) } },
      element('option', { value: '' }, 'no operation'), operations.map((one) => element('option', { value: one, selected: one === seenBy }, one)));
    refill(figures, facts([['Is', row.has('satisfied') ? truth(given(row, 'satisfied')) : absent()], ['Turns', given(row, 'nextChange') && time(given(row, 'nextChange'))], ['Read by', readersOf(readers)],
      ['As seen by', operations.length > 0 && choice], ['Says', row.has('spec') && tree(row.get('spec'), 4)]]));
    isBusy = true;
    try {
      const { json } = await send(evaluation());
      refill(shown, specTree(json));
    } catch (problem) {
      fill(shown, problemCard(problem, () => {
        key = null;
        return receive();
      }));
    }
    isBusy = false;
    return receive();
  }
  observe(query, receive);
  return {
    node: element('article', { class: 'detail' }, crumbs('specs', 'Specifications', id), once, figures, shown),
    title: id, keys: { c: { label: 'copy as', act: () => copyAs(entityUrl('_specs', id), [['evaluate', command(evaluation())]]) } },
    update(next) {
      if (next.id === id) receive();
      return next.id === id;
    },
    close() {
      isClosed = true;
      query.close();
    },
  };
}

export const open = (place) => (place.id === null ? list(place) : detail(place.id));

"""##),
        BrowserFile(
            at: "/console/start.js", .script, tag: "\"591ed1d2b586d3d907ece0528e4acddd\"",
            packed: "H4sIAAAAAAACA5VY53LjOBL+P0/RE0HVUvTmoCnf1MTNOa/LtcaQkIg1CegA0BqVllX3NPdg9yTXDYAQ5FC+m2CTDXSjw9cBPDqCHx03bgFLo3tQ2rVSrcBp0EowC3qjoJMXAozegFTAoZdqcKK6I/u1Ng52IJufxBsHY5DAquroL6tV9Zdlj/ebnD4X6jPBG2H2O4+0wXd7aSu35yX0fFuCFeZCmBI23NVtxhbol9heD85pVUKt1VKa/mntShCd6IXCh6XsuhJa3TUlrI1+jfTn3DSZzEb3l/Wonf1Bb5AN1UanICdfCbKhBCN6blBN9MpXUuGD5dtcwVZvLklDNaTb/mxQDdl8JZ0wHB/ddi08bSNd+x03vBe4YnNRjjtxSdZXGJCfOBqR7XP4HvfdQRdY52XDMTCHDkVqIFrerzvxeWNx5akxfFuRgGIHnVAr1y7g3bdhLKH4swTuZnD8DzgLLPMHO+7gLXhnPJtNwtCiTpCkE/Zs2CIyunNWAnvOuw593Qt6+RXVN+BaAeuOK2eJ9gP60JMaXXvC10IFwmtZb+tOsNNDffGIQjZJJVQX38Lxi6jFCWr3MD5XwZjTEg9QuMMvvQfHx8fwNsVfaoOxiPQPyCgUPbhWmwV6V2EQFmjS04aTbp8aXntLMNCDZacnQdop+n6cobPFGx+V5aBqJ7UCvRaqmMHuDkAwAaH8K57njfDqI6FgGyKxgAAUA4CZ+BSs00agJ/AMx8+FBaXB76SnDXF6OvmqB77iUlXpnJbbV9r0cJxOLGYVhkJvRAN//w0xa6Ql93+ruu3jxIr+WEmFnJ2uOVlRBQrt6ISDjluHq2rouon0z0GYTAIhPkTJm7jbS0K1Wlw5u/9gl3KgIKtLwM3j2WMY92I8iukksdmjHMNd8zUJWwD7XQ8GCNK29IUJXagV+XzhdaC3tazPFwEwFEtSyD/Ao0d+j1dy9E4PWWOFe667oVe2OJniz2SDoqV9JVeDwfcl76woPf/Cp4ehw6K5sQwUNxoZdmJiJfEeqQxJqAXsyQRYpJ6idnunUHk9nopZweidG0Ho3NHRdgHvIT65kXze8deiYyjopVcDuIUvfvz2GwKasA7plqr9nER4zxHgz8W20Rt8LMQFHhAC6NWSy0ircI/PH5IrDCNXxpXame5LsSWEBUIvHEfCbBaFQKSvjf/9Qiz50LkCLQyrll+Iqu4waBNtxJ9jzC/w5lcXvBt8Ndvd8567t7iHVd66e+U9dBm++viMbA8lf0rutkZesFla98ficmgbBfuReyxxu1U1FJkPqHUUXphnjvoY0esL8dQ5I1GCKIL3pUI9ETjTTrONQqZDubIbYfBYvuHSUasr2Hff/vhTLAQTamYlNTTdbBe59WNyWczH0HmLILSinWkH4fR5y9VKJEdThXkmWkmldiMUgkO7lpoNKiJtaLKiAd6hP6vAErIcjeW4ZKeDWsF9214J9OrSCNsKN68HY7Vhs1mFQlWRe3BC0t0gTTa2kqruhgZFkiWIlKWmOlXsyNtOYBk+kw3iDR7sUrMMW8ezzA1jOUVqoo1Q+1mhiE0+YTD40Qp3U8gwgZwZRAhd0tjHHUvmc62UqJ3AJHYtjUJRfticg+Rgvkhq5MCm2NZojMVsXBvZc7O9nJ6WwOgNTTVAr1ZdjtefAgHBfz1sAxt5MaDlyRNI7j95+/Rxvsm+0IpkH8VcIkccVaRREXjIeb5qohQ2uSiH8NOfnn+GalytfRmSqQ5VFr2vVnK5LXaxOd+Nx4+4NSKLihJDlzuUN/8JJVFB4+t1J0NPOeqFWYn5mkL9Fg2bLBUL8u6hL4PnDr1Z+8x4rvueqyavEWsjWCahDjvmfn+SkU8mNgsJjk6BGPoTm9CZZ/nZg91Boo9Hf1rhzm70UprXqp6v49uMulemZdTkUL1BBXKm3w++Zvk5K7L851//vgKehH0f32ycLnbTxJVLyi1+4nH8hnT6CZfQHx4QUti4bf4O4JHTC67rJdW9wF6RKrVL4vG11oNyYSZFo41wg1E5+G7xbCjSNzuXxkgEW/IxnnINjCZPBv/iYhr18iL7f6VdDj+fXBHsNCdhIe1g/hv4nEKb9henYjbCfE54B7bLUnVkwB7swsQ2XjeA+LT9/AWbVUasO16Lp1it7rF7JbCH737EZiM7C4qFXKla2TRC+Qbjm/6gGrGUSjTeNd4F2kARcwlVN7qjUJ5Q3SqjlHICWZmweDrzV7AissT8yMfVTbvNMIwWtc5e7uEUmlC7/fxHVVR30h2mp4/ND5H/msK4AzwKxoNh+XHCfjg4jwwNPHdJu1Dqw4bIITorPBuu+31X2Stfi+yv0rUFSTkQU2b1h+Xd4TVXShjYcKP2HULp+cYEcz3oUdwIlG6xWNkwi+P/2NgJKNVZaEF+1I4XAd40L2kg+0paVBHhxWKZKzPnEVf2WuTR0ZursfF3hDLO1Uo3ImOIzfDqTJbnVJwE1ukuHDMrpNETHBS19bFKNDgOs0txeIcuLg1UmcSc+zY3hPy+hcNf0lO996GNxpaRx+8IE/SSy040foTOR4WwL7EFUekWZUSneVPMZlH56GFveGBF+tXBL4wcabrqZC9jPc1TxYk1JYmv7iXldl9OaPJapHB1MkX42rDHLyVB0iyIml2/Nx2QKUJ4ydHBjZN1JxLL9P2lYP6bFZuFy1P4GFOwcMvmKo4h03cj6cpYcYGMb4VBI7UBggu4PHG48+8+Kyt4qrahOYk3GGhctWC1VsDTxIznOaEq1COWqqBP0l93B+lMfrbpygfe7wV7B7zerEwXeATGCdWOcvoEVfi6erWe4rl+5jydJMKtk0wqHaHR3NhfbrlmQdZvDrsuFppD+96FXykMqMxJAjeVjtPydmU9Y1IW5t9c0ZfdqMgT6g7H77ArCr0HIT9Io8zl+661LfYI9Gq1RiwX+AXjiq2kGvt2LRThJmQ6gQGZNgQz2Ooh3miABk3/uROkQ8SclodTQMjrOOKEiufTIX3lipAv6bZuFzH96TkYN6wb7sQilg2aCgI9lssoMdX+MBn9j+U/Vb68+KYadEgcy9Blxjv/BSuxhTNaFgAA",
            text: ##"""
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

"""##),
        BrowserFile(
            at: "/console/state.js", .script, tag: "\"366d9ec21ba2a00738ed19b36d880f5b\"",
            packed: "H4sIAAAAAAACA31Y6XbiOBb+n6e4tdruckyS3qFS9L7ve3eKaRQsgjuOxVgiFAc4Z55mHmyeZO4nyVgOVGpJbOmun3Q393r0y0ySyPNaak2FJsOvt4VcDkhUOS1nwvASr1/WaqllTddSzjWpKRVG04JXIk1LsdLZUa/H/2j8qHd72vvlzx8+Hf7vP/8dQ6QgLUU9mdGvP31DQjMnVrWsTEY/iFrcSCNr1gxdl/KqqGhZmBmN/x6TqKW1aC6uJCtSyyo7Ouq98cYRvUG/z6TfnahKq1Ky1IzGi7qEVmc6tOtrmcNgULK9t7JOrQK1MHdk03xnTQYNH5jVXOZySus1iPqkTV1UVylhfdi+FvnuZVMtyjIlNmK3Dcl9+lbMn/sFv/Fiu6UfSjGRrKp3dCRfzVVtrC+GcjlRuaRzio18ZRI6f0HrIyJTr+xvolqaRV15ul9/+vJjdTNXFUNqGbJaziH5w7KMo2dRShFFSTJgzi1NhJnMulLAMiA+PEElC6Hxk3HfH5Q2fA00GI+2g0M28gGa0E6//Boznpx9ZA3BGdJnqmaN/17IeuUh6btTW6pFmZOsct6+FeVCElNeSjZX5LBLKz6kGdOTLLXMAJ8zSVZ7sIV2xL2LJ0+fPXq5OOE/x/h1OsXPd6ej3lXquUMwk44HxB6wG435Hzj0NK3tKW5hhgdouqgmplD2Qmlpt+OZ0LPE4l5KA7MAGxZb6/71qMcaoIComBIvPDmb9orMSG2cR4lnbMH3G2BxGFzMhZmlrLmo9ciqKG+ltlSBppe9Z9DVi5KAtdDfLyugB2aLHh4ybViN/p1DJo7+jgJ6ZakrucTttkw6mxalkXVsRSXZDa/reVmYUA0in/k69K3KB5bVvbdMiCjLY2b0jGKbPEpZXfHrkMbDx2u78o8qqjh6GiXbMfUpCm2dwwcvIbMmxfC+0f+RUqUUVQeMT4QR4ADnxQljeX5O0e1pRE+fusXGghd02hzZnfXYSxnSm2zQWZI0Ibcml1HcYRV5n3aJI7W4bm1AGuQ4ZLFKVdKreOBkurtE+wK9tcMhAwDRzdqp82BRcUYrKpnT0OqkfniZGtKkYwriPwDm08oUZgVout6e0WZjczRfa74qfDGiEND8EMdwX/vZKCGHB5i7/rXa2T1pnyIctc0ikcvMhx0CFF2ntkc+bdjr0Ln3653VormqWcHAvfp+GkfnUdIaBoLndMLmXDitTgjieET9zmKmy4KD7yRlnoQp9rdY1jM6TZIRGze4UxJs5MJIGBgmllJNBJJNZjPMwDvl4x4M7HPjVDdHZFnmKjPyBFM1cTHsOOiJHaULMVA0xE/3g8ibjySJ7qKtqijDomrajQYBPpaiIlXnskYu77rdMoeuOOfsK59tkGYGr+H2zClV/A4RgWBswIcqj+OLqeIAGVkK+4iYcUzDjFV5tz7cOeF6lcDKyUxUVzIfuOBiPHAKqKpqYVLbcChEtUZpXZHQWFrZRmdZF8bIKjtUSKDlh47Fqdekk/2D9ZLa9A+GIBThD/D0dMAvyMAWSffKiSRgwxLYLvjieFZ7ib6//EdOTHYtVzpujNol9h3gD6xWDqNJucildhvJKJuWwqB+dKNv5xHI4EhgFSzyudCrngkUjUa5O+U22YLJ8fgFT+dl44RxWIhhxOz48Rob2/PHa9cSxD/b7iTusCVcZGxiDGOlqU8WqW6BcksHKtR2d6UK29189fP339HMtl974cAk3xQMqyhxoYsccKFPiE82x8OL0+P3Ry/z9Ul6+u42edxzfQOIhhDdt5Iz12kV0xV2ml7m95nSknKUqkLTjRSVoaWrPSZsprVRtcwJOwP09Stt5I1NutbiSrnLvW83OGAySJ3Ra9JqUU9k37LfbTLa4hQhv5URbdvUdqXYA5a2prK4lU3p1Hyzdi9LUZjm2cxqZUy525tJVnUpxY7gRrxqHlXpSzEKxJ1IN52JYqpqUtB4IPhTDE/BkAFwwc2arqXNgJVeypodYRH7YEHsr7bf6QQ6cDuYCNYIQguKDUdPDsTaJNw4gQyMUuoMgi8arri5ad8UUH7BdaWxBbXT2jF+9Hh9yBYfkNNa3XChrgsOdGZBN3LhQqYrH2cPV8OrMcYEidjbn21AsifDtQGBlJRcZCCSvQLPelgsU0PoAaiQt92koSo78QKPfZRyaURRNjiBpjXhEevEyv26DzgEcXseAfadv80WROwXJsHWSjUv/dyEeAjHXqknYi61vwbNfA9uTZcrOCvL6b6rkCUuSxlWY/7djhZP4rOzzZsfb978dPP2R5u3P9m8c7J596PNux9v3v0k6V0VqPr3z1lPzk66k9bnCnYqEpXNLmRJBzT2TOO+z1LNPr5fNBP/nLFgDTjJg4X1StnJDEHkxMGzqSi1pC1SzNaVVxQb0Nli0e24fO5vJgAvJaFZgWy5alz72QgjY5dl0JhbXjBJ6GqI5ws9ey1lXug5pvdPb3FzMHe5p8gqcGEfJW1J+dgngm4D1v3mcRAULQ3K6YEGY9120IDHnbk1DkkkDmp26kb3EVT6pCB9QmjkOsEONku8K8WJNS2XJVvtGgWo8Fhhiy2MAy2JH1FwnE3KavNVe7ioNjXr2XqQevSzNIbjW3PWl7eytjUw9c+CjLqWFR3zn6b2XEsMPtG0lnomzbH/9BQN/Hap4JlhkrOTt97j+7vDFIETJ4c/4zQjtC3QaO1dV1/+bFSNhHMlzZdcaGNWntjB7mJ03/ecRlyCGRJFWTs5jEbNr4a48PpvOneGDO3RYPshkfX2qe3gnAuwxq2lTHL3IDrNmyiRkx3boHvU3Vk0Aenrzhtbh847BJKoA5huAUvvtj3oXlnkyAF4F0ICZN/tILOpZabK3FZJ1AJfAxwrQExtcJSLm0r3gyrWHEIAWuTJosS9g7YB8WO35VM6XNWHsLxfKvwOJYSdslsIcQahp2jOPdOhwJR2WA0aT5siWQq26e0TwuBdoOU2dtHg8k+LWrveFVdyIivcors3KHI7UeJ6g9TS3sibS1kjcoPcgNf2k4GPsDDtdu1vJMN85vRjrt93W3E7nqjKHRcq/QNcSVY92k3q7GHS9f1H568tpQ7kFJV27HIe2Edj7zpW8kOe243AcZj/HdbinZDu2fuJ8bz104oI3Lhg+0cdR0ARnj8LxeeZAMvn5y2YXQCdgdYQGtpL4CxIKXATo5Jb3iGEGIGHsP7e+OSTVreyCdH7AtF1X4XmxDs3najjBv3/6lSuU78YAAA=",
            text: ##"""
// The address is the view; and what this browser keeps of its user's ways.
//
// `#/v1/TYPE?…` is a search URL as it is sent. Parameters that begin with `_` are the page's own.

/**
 * Where the console is. `url` is what is asked of the server, without the page's own parameters.
 * @typedef {{page: string, type?: string, id?: string|null, url: string, own: Map<string, string>}} Place
 */

export const decode = (text) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text; // a lone `%`: as it stands
  }
};
export const decodePart = (text) => decode(text.replaceAll('+', '%2B'));

/** For a query string: what would end a value or be read as something else. */
const encode = (text) => text.replace(/[%&+#\u0000-\u001f\u007f]/g, encodeURIComponent).replaceAll(' ', '+');

/** @returns {Place} */
export function parsePlace(hash) {
  let text = hash.replace(/^#/, '');
  if (/^%2f/i.test(text)) text = decodePart(text);
  const [path, pairs] = halves(text.replace(/^\/+/, '/'));
  const isOwn = (pair) => pair.startsWith('_');
  const own = new Map(pairs.filter(isOwn).map(split));
  const sent = pairs.filter((pair) => !isOwn(pair));
  const url = path + (sent.length ? `?${sent.join('&')}` : '');
  const parts = path.split('/').filter(Boolean);
  const isData = parts[0] === 'v1' && parts.length > 1;
  if (parts.length > (isData ? 3 : 2)) return { page: path, id: null, url, own }; // there is none
  if (!isData) {
    return { page: parts[0] ?? '', id: parts[1] === undefined ? null : decodePart(parts[1]), url, own };
  }
  const isEntity = parts.length > 2 || own.has('_new');
  const id = parts.length > 2 ? decodePart(parts[2]) : null;
  return { page: isEntity ? 'entity' : 'query', type: decodePart(parts[1]), id, url, own };
}

const split = (pair) => {
  const at = pair.indexOf('=');
  return at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
};

export const place = () => parsePlace(location.hash);

const halves = (url) => {
  const [path, ...search] = url.split('?');
  return [path, search.join('?').split('&').filter(Boolean)];
};

/** The parameters of an address, decoded, in order. */
export const parameters = (url) => halves(url)[1].map(split);
export const parameter = (url, name) => parameters(url).find(([found]) => found === name)?.[1];

/** An address with parameters changed; null leaves one out, the others stay as they are written. */
export function withParameters(url, changes) {
  const [path, written] = halves(url);
  const names = written.map((pair) => split(pair)[0]);
  const pairs = [...written, ...Object.keys(changes).filter((name) => !names.includes(name))].flatMap((pair) => {
    const [name] = split(pair);
    if (!Object.hasOwn(changes, name)) return pair;
    return changes[name] === null ? [] : `${name}=${encode(String(changes[name]))}`;
  });
  return path + (pairs.length ? `?${pairs.join('&')}` : '');
}

/** An id as JSON has it. */
export const idLiteral = (id) => (/^(0|-?[1-9]\d{0,17})$/.test(id) ? id : JSON.stringify(id));

/** Whose data is meant where it is what is stored here; a system type has no other. */
export const here = (type) => ({ source: type.startsWith('_') ? null : 'local' });

const going = { live: null, since: null, wait: null, throttle: null, heartbeat: null, max: null, old: null };
/** An address that is asked for once: parameters changed, and without those that make an answer go on. */
export const onceUrl = (url, changes) => withParameters(url, { ...going, ...changes });

/** The address of a page that asks for `url`. */
export const pageHash = (url, own) => `#${withParameters(url, Object.fromEntries(own ?? []))}`;
export const typeUrl = (type) => `/v1/${encodeURIComponent(type)}`;
export const entityUrl = (type, id) => `${typeUrl(type)}/${encodeURIComponent(id)}`;
/** The address of one thing on its page. */
export const detailHash = (page, id) => `#/${page}/${encodeURIComponent(id)}`;
export const entityHash = (type, id) => `#${entityUrl(type, id)}`;

/** An address as people read it: without the escapes that a browser adds by itself. */
export const readable = (url) => url.replace(/%(22|3C|3E|5B|5D|60|7B|7C|7D)/gi, decodeURIComponent).replaceAll('%20', '+');

/** Goes to another place; `replace`: it is another view of the present one. */
export function go(hash, { replace = false } = {}) {
  if (hash === location.hash) return;
  if (replace) history.replaceState(null, '', hash);
  else history.pushState(null, '', hash);
  dispatchEvent(new Event('placechange'));
}

/** Changes parameters of the page's own. */
export function setOwn(changes) {
  const { url, own } = place();
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) own.delete(name);
    else own.set(name, value);
  }
  go(pageHash(url, own), { replace: true });
}

// Settings: never data, never a token ----

const key = 'freshet-console';
const longest = 2048;

function read() {
  try {
    return new Map(JSON.parse(localStorage.getItem(key) ?? '[]'));
  } catch {
    return new Map(); // no storage, or not ours
  }
}

export const settings = {
  get: (name) => read().get(name),
  set(name, value) {
    const all = read();
    if (value === undefined) all.delete(name);
    else all.set(name, value);
    try {
      localStorage.setItem(key, JSON.stringify([...all]));
    } catch {
      // No storage: it holds for this page.
    }
  },
  columns: (type) => new Map(read().get('columns')).get(type),
  setColumns(type, names) {
    const all = new Map(read().get('columns')).set(type, names);
    if (!names) all.delete(type);
    settings.set('columns', [...all]);
  },
  /** The last 50 queries, the latest first. */
  recent: () => read().get('recent') ?? [],
  remember(url) {
    if (url.length > longest) return;
    settings.set('recent', [url, ...settings.recent().filter((one) => one !== url)].slice(0, 50));
  },
  /** Queries with names, as `[name, url]`. */
  named: () => read().get('named') ?? [],
  setNamed(name, url) {
    const others = settings.named().filter(([one]) => one !== name);
    if (!url || url.length <= longest) settings.set('named', url ? [...others, [name, url]] : others);
  },
  forget() {
    try {
      localStorage.removeItem(key);
    } catch {
      // Nothing is kept.
    }
  },
};

"""##),
        BrowserFile(
            at: "/console/store.js", .script, tag: "\"920e8ebf5084beddf8293ef6e12ce9a2\"",
            packed: "H4sIAAAAAAACA4066XLjNtL/5ymQKn8hOaFo+9vbs87UnLmv8eypUq1gERIZU4ACgJa9iqryDvtrXy9Psn2QEEgfyRwSBXQ3+kKju8HjY3HhjVVnonZiW0mP3w5HSuHkUuVC6lIsjRWV2YrG6FXxpF5vjPViJ1Sj1kr7XGwaWetcWLWsmyYX7nol9mJpzVokxXFp1sX3Lnl2wFuY9RrI5sLYUtmXrfcGsL25UvpTJWEowiYQNyKwMU2jym/lSkWQPDiCrKR7j3QjOKfstbIjOHnpSJJLqbWy+I0ft165XCwas7iCL1Mq/GwRrmyt9DWyvZQLD0AVMF7rVS6aWl/1Iq1br0BMbXy9UC+skqgqwGxQV2tpgaqTt/CxsIYUt5ZN815eNrCQr9f4aRV8bkELsQRgixH/a7W+VPa9uvHuAFgcgxnbRS/sk4XRzourWpdOnAuttuIruUmn08QC87dJLpKVMWUyy8U0WQJDZgsSDYdhDAe20moesGphQJ0MGI0jyhC1lGswGA1eym6s1bg0DmmjVTKbZc+YSxL5myWwmWq5Vpk4/5iG6FfOMhQr5bvZ58+ZaEBfK6mBp4GcTwTK1TYNrvdCbG3tFbq71G6r0OGNXsAAb4FbeC6FN8JXSpS1uzrDGdfa6/paAY5ojHPCLMEXAbkAcYi8VY28UeVDK1wq2ErDNc5ohUYi0wa3088//deJtbwFYFwEVFH7CoF4qVygqqJBaxbKucABeIKxZMyvja9AB7jUldr4MwHOhRzz6iuiUilNVHhTCIVqjc0gy2tw3ZEWgxv8DQUE8azCvd86kBB2R90gSatIxo0EdLmStX4Go7zaLSwOyob9hb/WTjXXigWILXSX+Bk4tlJME/CDaXKmbJXZ8AIcwQ4UZQ2RIaJZyWuC2WyAY7n0ILmEjdw2HvQTyBbiHTinowjY1IDxQwuOrhxzX4ivQFu/xMMzDqpbCWQWV9psgRHYBKga9HzWDO9XcgOzGqjfWNwB17Jpwelx29NG4AFxfg5mAWWJH38Uh5FWlxCGNazxvItqaSbOCJnxskDdqQXGMFzC156CjnI+F0VRLKq6Ka3SuF4f59OkQ0hyDOLgsu5MJAtpy4QxxT7EQSaY5SIQgvgDh82nZivQwEFvAjaxy3sNgFq8vEycMFstnFxvGgVrtBo1p/vd40HB61q3aEk217pgidg1cNNPZ72QjZLOX2wkivn7E/wTYoQJE7/pZ54sW81KQS4/0+mSAjAsD1CvpVcFPKZZJnbgWbxasWldle6E9GcIl7OT7kFgIbYgvRIpok868OnJrJBefByWz3o6rqqXPiU8ZnC6rK3zM1iZIXCmXvbkaBJJ/ZllZFpW+dbqyGQwOrAXnkm9weAnijmpdYK2mz+u6M4eIj3a9cffiJVsL5yBjWSzeSQGBjH0MYYi7UxISZk4HguDaA/LcJdnJI7KPAFvn5Nj1VpE/NFqxwiFzElPfgdzCgUKgfcRgeawd+baeIGpDUVT/evwQJI9uPzTp+J9pRBbOcSVwqKPSAcRvFTwzQFRWiRpV4qiJG6CRoEZHMBgikBQaABViKfHByctrdzqlIizS7LGMdCf85oFpwBp6to1qJBzGggH9b/RR3F3w4T4iAZycZJhMDlFIzQK6KDdTiKTQGaXJvAx8ChaB0aua7V9aW5g5ATs8duTE3H6Wwy60tZyUtVlqXQCk962KvgfI09QDrYnM72Gk4bEQg5JsE401JqvgKuvpK8A7CY9LX6X02JPCbcgAcUx6gCdKSBemhtAIwEshLFIAsZzXnqOoCFTEc+j5w5MguKvFc7wU5jAlCQXIL30hTdva8gC0tMsZ4bPIn67IfCW02wAWal6Vfkz0FoXPQQa4KNzhucBtgMKA78BjLws+ANrjxLIu04B3osHOU0Mw7q38e7C+SRHyb2c1GXSyceJF4+SrpKB4vZ5RK8iem5hNgoIgsODaTmBTgOtLMtRoggLoxKeZ/lI0/OjXdAwkMGsCiOTN/NY91kekxo56Kq1Cnlg908PjvKLXNCOvlA/HE7bDz/kmUYOJ4bn7XSI/UGEDfJQFZEOQCA8/fzTf8Qcq6I0XqCrObLZI6xytpwGe6B2H5YJ8/VlrcoXHnjGOiMdDaMAdE6kCYY+V2NizDmNtD7JsjhMc/GSHmqXNESE5C0+YKgNCRGMTmkYp78Au+H3BQQf/H4FhWHtGdO0PIc5GJyjBjBmcXhAd87G/s/lm4PTmLSAZZZ0Rnd4OcwvrtpNLjhJfmOtsY6Lucu6qf0t6FougNV9vHG6EBAiKnx6ZaP49FD8iM5ASZF8TGFHhQzHYXpkfAKOsXG/ONy7oGKChW+OkTua6yhMaYfR5gLFiWQWkagdKjJw4MxaIXbkCkQjGohtPCXP42KgqKRL2cnQm1nlKZVfkEKQkSdHOwLYzyMvLOvr4IZwpKVhwnlr9CrMzXtkOHizrreQsh2zjFGZEar/EDTEEsFmp91GNQoyGNZB7YRVuh5EOk2+/ebiPTra8fXp8b+I/WPO4kF/WU+5M2nRKL3yFSYcd2UPdn9EaBCOOwDpkGLexd1sD0nFcIp84hRPnNrhaZNIq5J9zxEoKWf/6CkGZdCCyd8q6TnHqFRDhUetO//HdBU2urxSQgqn5cZVxodChlTBibnsNg4VMwoLRcmhAEMTENXGUzlTJEFh5MMPqIu6BHnn579OW4HcWFc88aimnOr2X6Qr+j3S1CuzqTlaoZhBREPSLmx7GUnbOpVTVS284ULdXKkSz35K91h3pVEu6IbrlKCgQQh6wJ8YZKIIBgYO6hjGrwSUB8Er6Z9AClBOZOeyZq7X0i+oa1BbAWFucQW5n+MGxBriXq0VNx8Yq3ZcE98Wc+Y5CpQcqBgwuce2URvifdW3FAfOR/2USqKC+uisu4aFNxyGbrn7CFhqvYE1uVJXwCmbphCTCeYj4u03X75+8w7soTahi9nnCUXCzPMiI4/8gMPifQK0ug+F3EshfCrkbTiRxidjIV6wp5Dpw8p8puByh1Zb1GCbFUClaUtwS4TsT/D7mKJ59ARWKjVtyGSQat2Gc7aS2GtqDLZ+YIsw0RBT+5DKwyGwEqe8zZ8XttXYPhv5ZWjqMdikgxp4Jk/1BAIsb9bh5APb9VKRD0BU0p3jzYaHPOZYCvQeTvnBAW7Vde0ArBtt1Lsw0G+OnNo5L6lQiE963tDnY8Q4w0uQ0fH8x+dhVQQRL/o+m6NjBr9BtB6tQBJzETQWUCd3OU4YH7THBAHrYfAH9Ikbv4MUt8oX8/tK7E1cAXQKxow5pJbsk2DpHHg46BscKggS1PtQQDJLAOYMPBiAq3IWU3SJcVBJti+OdmiUPa7LGWnf2aXT/8DInVSQfe3LWl+laGLunHzQ3wekWd8qiRr2KecAjInMv4Qn0bJuSrPVjZEl1hNWuQo0GQA7vXW/xT5Oncbpx+4ONCh10dpGTIwYUj7aRXciKWgqOdo1ZiFRvsLYelXrfcxx13NQN3QpEDSBuUwauznfR4jz6GIibjvhhQZMxqfyoJzC+YPQfEHDQgOJQWsCduj3zmiEvfFUfpnyNhvU87so8aDQmXOzi+u8OGfnFspenBPNuLQnFmA8beSlanIUALzFWM7Oo0umHiAkffMo6TvaAd5+PgsmYjoSHlhPnBmdiZTIbuRKFdS+TTNqmeKCoXDnq7CU74buO3mmxFaKJc8GoCi4d49Arpu8QIXglKOHbJY/cIQgCLez49ME9RQdJh3Rd5zcAorlp9i2G1uvJR7pe+CC8Msa2yWYD8Q1bLy7hiKjift7NGYBKIWQzb8JXvDVGd4/ve7XSB5dlMqb4Xw2o3rS2LX0PfKSfiECH3TRIIO/2ZhFleQRPYUjMNkxJgCIrwqS3g8HhTsPFRy1MITxE2U3I5hLTLkUwnRPmNKMgfAmCEHoe5xU5GNouIZoVQngW1n7+QxESrCXmAS9PrhzsVePWzXIGTYfitd198HtukFyq/AcYMP5/Zzz5m80ZnZ8bvdZFyxGl6jpGKnYKLsA5sSxOD054WrvAZC9+L85hOkzsj+zHGXrX5oVLFnVmCDCFo35K1v1wsM8n/DR6c1nT4BrOpALVDguFDM8nBXHD5AnCR6lOzj37ieS7fPDVZzGWAn6BIh5qFCG++VFf2LGUrthL6rr34SbOG00nf8JCsr+FKPyzugaMWGCmI73YFBhDMC4f2PLx+idM7xA9+JG090pRn4P9VOM2ffVvxqu3g+ndwGBi1msLgqZsVuPounEKjwmk5whR05NnhCPF6XR6AWjUcnXb6dZ7AdjvLEPjCngbQGwJca8FHhwxDblI8LCFFc5cT0FGR8HtLskaBPxCwdp8jXKAbPoEdsiud/B3kmvAjfE9bfKXqiF6VpUJ8iMxk4AOAQmuqpZAgNDHYwxs/2xm5O1v5XOUWxlP2TgDQ2yO7ymVoYLLJT8WzznlwAYbTCVda8VoKjJSRKFcg7nX0oXbE2dVaA1ZZcMQ4XSJXW+OM2NReF59vb98I4pBoi8ETKJuIuq1Z026tBhOe0ZOOzr2l1RX4m/0S+DggmaLtOAH/x61h9UmAhAZITMQAyBYeQlDmf7ox2PbKUG9iAlGQJgz53vPIdkYiRc1diobzRHxSd7KNmYU74/jfmMheX8IZaWLCQOuTfqcxJ+8kNvuOCnb9BgMM2WDECRKXlfsdvE86b1sJlUTDkMcnMDN24Ci3HVC9Kxf804XlXWtKsqhGH25MEK46DKOowhaGQQ/4JPMdjYqRj2JaZJQzrAJuc6w2HaDNpgSoY+C6HD14u2kTYB14s2yDA63O1q/K17h4Gr8vAWCze3+MoYj5kiiU0cDIvYgRr3fJZ9d797fSgkft1vFMhbpdLovabUw2dGZd8BDez7/yglelx/+xI52r2Zd/+KAt9OIIn4GjW/e4kWgkmnpTn1jCTWq/RuWBq9GAAbgBPi/ZNQUGGpIM6jt9agLqL3I8A6F92lSGubs9CD5iEuHrj2YB6ZjwX1Kfs6ZBrqhv5ki1L7Gd8SwCzDwkPc+n6kCspm2bCORSGwvPwfE8zVRTIoAAA=",
            text: ##"""
// Store: is what is stored safe, and for how long.
import { element, plain, refill, svg } from './dom.js';
import { command, orderButton, tokenHeader } from './orders.js';
import { polledPage } from './polled.js';
import { hasToken } from './server.js';
import { absent, banner, bar, bytes, clock, code, count, duration, facts, heading, linkButton, muted, noticeArea, plural, remark, say, scroll, smallTable, time, tree, word } from './show.js';
import { memberTexts } from '../reducer.js';

const kinds = new Map([['ready', 'good'], ['following', 'good'], ['low', 'warn'], ['recovering', 'warn'], ['good', 'good'], ['damaged', 'bad'], ['unread', 'none']]);
const wordOf = (name) => word(name, kinds.get(name) ?? 'bad');
const meanings = new Map([
  ['full', 'A write is answered once it is synced to the disk: it survives a loss of power.'],
  ['relaxed', 'A write is answered before it is synced: the last moment’s may be lost with the power, none with the process.'],
  ['memory', 'Nothing is kept: all of it is gone when the server ends.']]);
const advice = new Map([
  ['low', 'Writes are refused until there is space again; then they go on by themselves.'],
  ['full', 'Writes are refused: free space on the disk, then reopen the store.'],
  ['failed', 'Writes have stopped after a fault of the disk. Reads and live queries go on. Mend the disk, then reopen the store; what was acknowledged is read again from the log.']]);
const or = (value, show) => (value === null || value === undefined ? absent() : show(value));
const section = (title, test, ...children) => element('section', { class: 'card', test }, heading(title), children);

// How full the disk gets, from this tab's own samples: unknown before ten minutes of them.
const spaces = [];
const leastSpan = 600000;
const mostSpan = 3600000;

function fullIn(free, now = Date.now()) {
  spaces.push({ at: now, free });
  while (now - spaces[0].at > mostSpan) spaces.shift();
  const [first] = spaces;
  if (now - first.at < leastSpan) return element('span', { class: 'muted', test: 'full-in' }, `unknown before ten minutes of samples (${duration(now - first.at)} so far)`);
  const lost = (first.free - free) / (now - first.at);
  return element('span', { test: 'full-in' }, lost > 0 ? `full in ${duration(free / lost)} at the rate of the last ${duration(now - first.at)}` : `not filling in the last ${duration(now - first.at)}`);
}

/** The files in a row, as wide as they are large; the table beside says the same. */
function drawn(files) {
  const all = files.reduce((sum, { bytes: size }) => sum + size, 0) || 1;
  let at = 0;
  return svg('svg', { class: 'files', viewBox: '0 0 400 14', 'aria-hidden': 'true', test: 'files-drawn' }, files.map((file) => {
    const width = Math.max(1.5, 400 * file.bytes / all);
    const box = svg('rect', { class: file.state === 'damaged' ? 'damaged' : file.active ? 'active' : file.kind, x: at.toFixed(1), width: Math.max(1, width - 1).toFixed(1), height: 14 });
    at += width;
    return box;
  }));
}

function filesTable(files) {
  const line = (file) => element('tr', { test: 'file', 'data-id': file.name, 'data-state': file.state }, element('th', { scope: 'row' }, code(file.name)),
    element('td', null, file.active ? `${file.kind}, written to` : file.kind), element('td', { class: 'figure' }, bytes(file.bytes)),
    element('td', null, file.firstSeq === null && file.lastSeq === null ? absent() : [file.firstSeq !== null && `${count(file.firstSeq)} – `, or(file.lastSeq, count)]),
    element('td', null, wordOf(file.state)), element('td', null, file.verifiedAt ? time(file.verifiedAt) : muted('not since the start')));
  return scroll(smallTable('files', 'Files of the store', ['File', 'Kind', 'Size', 'Commits', 'Found', 'Read whole'], files.map(line)));
}

function banners({ state, reason, files, backup, memoryErrors, durability, cache }) {
  const damaged = files.filter((file) => file.state === 'damaged');
  const aside = files.filter(({ kind }) => kind === 'aside');
  const names = (all) => all.map(({ name }) => [code(name), ' ']);
  const isRead = files.some(({ verifiedAt }) => verifiedAt);
  return [
    advice.has(state) && banner('bad', `store-${state}`, element('div', null, say(element('strong', null, `${state}: `), plain(reason)), say(advice.get(state)),
      state !== 'low' && element('code', null, command(['POST', '/v1/_store/reopen'])))),
    damaged.length > 0 && banner('bad', 'damaged', element('div', null, say(`${plural(damaged.length, 'file')} ${damaged.length === 1 ? 'is' : 'are'} damaged: `, names(damaged)),
      say('What they held is in memory now: make a snapshot, then restore from a backup whatever a start could not read.'))),
    aside.length > 0 && banner('warn', 'aside', element('div', null, say(`${plural(aside.length, 'file')} ${aside.length === 1 ? 'is' : 'are'} set aside: `, names(aside)),
      say('Copies of what a start or a scrub could not use, kept to be looked at. The store does not read them.'))),
    memoryErrors > 0 && banner('bad', 'memory-errors', `${plural(memoryErrors, 'entity', 'entities')} in memory did not match their checksums: the machine’s memory is faulty.`),
    durability === 'memory' && banner('warn', 'memory', 'This store is in memory: it has no files, nothing to verify, and is empty after each start. --data FOLDER keeps what is written.'),
    files.length > 0 && !isRead && banner('warn', 'unverified', 'No file was read whole since the start. A scrub does.'),
    cache && !['ready', 'following'].includes(cache.state) && banner('warn', 'cache', `This server’s copy of the shared log is ${cache.state}: `, plain(cache.reason)),
    backup?.running > 0 && banner('good', 'backup-running', `${plural(backup.running, 'backup')} ${backup.running === 1 ? 'is' : 'are'} being taken.`),
  ];
}

function sentence({ state, durability, revision, durableRevision, entities, liveBytes }) {
  const kept = durableRevision === null ? '' : durableRevision >= revision ? ' All of its commits are durable.' : ` ${plural(revision - durableRevision, 'commit')} of it ${revision - durableRevision === 1 ? 'is' : 'are'} not durable yet.`;
  return element('p', { test: 'sentence' }, wordOf(state), `, ${durability}: ${plural(entities, 'entity', 'entities')} of ${bytes(liveBytes)} at commit ${count(revision)}.${kept} `, muted(meanings.get(durability)));
}

function backupLink() {
  if (!hasToken()) return linkButton('/v1/_backup', 'Back up', { download: 'freshet.backup', test: 'backup' });
  return element('code', { test: 'backup' }, `curl -o freshet.backup${tokenHeader()} '${location.origin}/v1/_backup'`);
}

export function open() {
  const notice = noticeArea();
  const acts = element('div', { class: 'acts', test: 'orders' });

  function draw({ json, text }, body) {
    const { snapshot, scrub, space, writes, backup, files } = json;
    const order = (label, act, more) => orderButton(label, ['POST', `/v1/_store/${act}`], { test: act, at: notice, then: () => page.again(), ...more });
    refill(acts, files.length > 0 && [order('Compact', 'compact'), order('Scrub', 'scrub')], !['ready', 'following', 'stopped'].includes(json.state) && order('Reopen', 'reopen', { class: 'primary' }), json.directory !== null && backupLink());
    refill(body, banners(json), sentence(json),
      facts([['Directory', json.directory !== null && code(json.directory)], ['Format', json.format && plain(json.format)], ['Epoch', code(json.epoch)],
        ['Writes', writes && `${count(writes.commits)} commits in ${count(writes.batches)} batches and ${count(writes.syncs)} syncs since the start, ${count(writes.queued)} wait`]], 'wide'),
      element('div', { class: 'cards' },
        snapshot && section('Snapshot', 'snapshot', snapshot.running ? say('One is being written: ', bar(snapshot.running.percent / 100, `${snapshot.running.percent} %`)) : null,
          say('Log behind it: ', snapshot.dueAtLogBytes === null ? bytes(snapshot.logBytesSince) : bar(snapshot.logBytesSince / snapshot.dueAtLogBytes, `${bytes(snapshot.logBytesSince)} of ${bytes(snapshot.dueAtLogBytes)}, when the next is due`)),
          facts([['At commit', snapshot.seq === null ? muted('there is none yet') : count(snapshot.seq)], ['Size', snapshot.bytes !== null && bytes(snapshot.bytes)], ['Written', snapshot.writtenAt && time(snapshot.writtenAt)], ['Took', snapshot.durationMs !== null && duration(snapshot.durationMs)]])),
        scrub && section('Scrub', 'scrub-report', scrub.running ? say(bar(scrub.running.done / (scrub.running.all || 1), `${bytes(scrub.running.done)} of ${bytes(scrub.running.all)}`), ' ', scrub.running.file === null ? 'comparing what is in memory' : code(scrub.running.file)) : remark('None runs now.'),
          facts([['Rate', scrub.bytesPerSecond === 0 ? 'never by itself' : `${bytes(scrub.bytesPerSecond)}/s`], ['Passes', count(scrub.passes)], ['Damages', scrub.damages ? word(count(scrub.damages), 'bad') : '0'],
            ['Last', scrub.last ? [time(scrub.last.endedAt), `, ${bytes(scrub.last.bytes)} in ${duration(scrub.last.durationMs)}`] : muted('none since the start')]])),
        space && section('Disk', 'disk', say(`${bytes(space.free)} free; writes stop below ${bytes(space.lowBelow)}${space.wanted > space.lowBelow ? `, now below ${bytes(space.wanted)} for a snapshot` : ''}.`), say(fullIn(space.free))),
        backup && section('Last backup', 'last-backup', backup.last ? facts([['Ended', [time(backup.last.endedAt), ' ', word(backup.last.outcome, backup.last.outcome === 'done' ? 'good' : 'bad')]], ['Through commit', count(backup.last.seq)], ['Size', bytes(backup.last.bytes)], ['Took', duration(backup.last.durationMs)], ['By', backup.last.by ? plain(backup.last.by) : 'nobody in particular']])
          : remark('None since the start. What was taken before is not known here.')),
        section('What the start has found', 'recovery', json.recovery ? tree(memberTexts(text).get('recovery'), 2) : say(absent()))),
      files.length > 0 && [heading('Files'), drawn(files), filesTable(files)],
      remark(`Read at ${clock(Date.now())}.`));
  }

  const page = polledPage({ title: 'Store', url: '/v1/_store', acts, notice, draw,
    copies: () => ['compact', 'scrub', 'reopen'].map((act) => [act, command(['POST', `/v1/_store/${act}`])]) });
  return page;
}

"""##),
        BrowserFile(
            at: "/console/streams.js", .script, tag: "\"95dc17e29b446f69596593fe8c4dfa6b\"",
            packed: "H4sIAAAAAAACA41YZ5bjNhL+P6coR4K9HMo5qJ/czjlnW6O10CIkcZpBBsBRa2W9t7/2ALt32IP5JPuhAKFJtfzeOsyQxULVV+kDoNGIvrNaydqMabtuaSvtYq0MnqXNyK4VLTttIbF0rdZlU9Cy1MbmD8p602pLe1q0DUT1Owvoq0rVqsHDppJlQwda6ramJB8VbZ0/Nsnl3bKqNPZruVI9JSc60ZLWqnpjM3ipa9kUGbW6UPrdztq2yciopugZ4G9maMJH1FMySj9R+tTPtWHccmHNt+02o+udVca57Zy4aBd4cUh231lpVUZLaEK0Kp8o4Kg7q4CtaW25UO8gncC5sWXbyMrlotPub91uPy+bG6CuZYV3W9aqj2vdbk9QAVJpdz9oKK/ajLalXX8ttayVRZj9pQ6TX/sA5TAWSK7bYkcTEilN3vL4RBKkqMxGakDtKqmT9PIBmuAn1JskudVtpUiaG0NtU+3ItrR0ZS8tBNuGDHcLlQY+GkXtklsF76F1itxDgORdJfHoQOzJqltLBwYz+vuj0ZMXH41+86bMo6v84tE1bD8c5Ui6FU4XqLyZ3zulS2W+Wjo7SCGbEJx395pREjSSlK6uaDpL82VZIUFCAB9rP3WEwhIX78UFfb9WHhQikOxlh6jxWKFGiJoD3qBBL32AFvq+dWgNvUVnqVKycGnYrpVWOV2MPGS2ALyncXNcubFIvfkJpRQJ0jAC7Oefp6f4G7o5fPnzn/918Rx7RsyfeXbvVA7zjDg9NPYz5pMVs7WoWlM2K+e7LNjrNHn/g88/+P6DJLtrJ5Eccw8p9GbH5Uup1VZVVcg1Ppqvto1HvyesrtSY5u/BiTo2wrP7fi3KIkkPV3MepDElrJlkD4hBY+lQe4E5UJoDnaMeQF+qxlWEs23bG9VQcn7JIZkTHNytSg4k7QkaWRRaGQNtBAJ7VeEKiwqg1Fu5u3Q1xhI/oCJ2GrdZXqlmZdehv3ZJv9EOWHRWmyaTCb2IcBJXyoTG/JAc8mf3nEn3hT6xjMYhb5tGLRxP+JghDgM4DlNloQhuIkcODjis4q8SFeoa/EUl28K0KhBzq0mu0BM5O04OczQeGEHdMp0suya42iBBaJ6FSmmP0vjSe+6iSY/EBFYfP2tplXFf1Za+kBt8IrBGWdCf//o383SkTKdJh7iwlvoG6+Zuvp/dfyHtOl9WbasFP2pE1NYipQt6iTCVr7yR5rbFjoQmFi+/lh7mgOA8vRNG1K5lZDdVGcXDaNGybssqF+seP/XzmZg8IroOtOQJSwxZ1Q9lbzz25OkEzVsWkwna0UWE9ssw53WJpn4Rae5lyhe6T1Z4yFfKiiFTJUmal82i6gplhLPZs7Foq65uXL6nkBFANMA35vmCX3mtKrz4jRuC0nxYrjoNhaVETrIwbX4KAg9g9MriMAqNyOBAJtxY0Pwto77y1HML3jKK+kxUYYcXidnIhtOzqKQxQGPlyu8zkDoahwg1T+iAyRmUIp1BNgzLT3UvtPe8IOCLm6kQbgFD5CeetyShq9ASIvKiV0zTE1eRE3q+3gmSe6oG5VH9fPv303THJD42LXMl7+zi0++++jLHPmsUf+CSN11VJWdAVXLV8/OuP2hd7wa+rO7OuOInTkPXFAo7tSrojz8oSr1LugonHJ8gz3dfdvW10t6UY9a2RjufQ8eD3cfn3kfmDLrzfRf73xtKXRcyn7AUele5e/3rdhSnFoah/XVP+qAhCltX8omNJ1zuyapEo8azDVsnqZUjQX/2Qzp5d+c+xrb8nyTl5BDyeCaGk0r00+6ti8EiXnMm454o+jn/JkpK812rgeu0+3zOOF/7ANGTieT9fLhfXQYNrWynG5pC57iFXYXzi4Bs+sLMIY/Hx0YlaJWe8lv04v/JCpzA+d+e3XNaRc/GQ3oRO2rdajVPZx7Y4V5GSuT0tpePD9sujshpQmIX+mzcp99zOfOsMc3z3G1x3yl7eh6oseuJPTEQf6Lzz2k6yx+3WAsocXpmkcv5DEmTeN8Rvjh2t0FYvXNYbNHvoiTsAsd7Rbj7QOUh+CJzWwGb4mvJ2J/0e3cUkXzJnBgbXjY79HyzyukdoHmi/I7K518PstXuSbcrLWuSm42S2nD3u621Uv6wwceHPPF3IpE4Q4jaIwlZHewkfFES0+kdpZ8/AYYCnPuIFoz8PstoGhk7O7PI83vcY/2CT8yJ3xuUzn0LYzCN3M7U3df0m0Dq7Xxwi2jAHLrtVusTk0b9HojJ8dJw9H3Pn2oHoz/p0lrVDM1Fpjtv0HPJfX2YnIVihKus6F2YhT+Qu8tFdrwqOBrqD2whm5XSd3u4U1MPfZtCKu04tmO4+Y/jtaF3Z3CPbhiOrREZoqsG/GA2ahGdxQl1XHFm/OKNLlqryiTj9GSBtVgllNVftMUcp3VI87otFOwuA3MEKc8wxPEa4IR+ZLRBXsNjgtNSin9Cy7SNGwOXuxOynfLPI7MB4brhyhGEU4/MWy5JsC5f//gpP3cJTGnV8vXvTgVIvJVAkjdqZ8YRx/tIjlV4j1zJJUzCnUzEHaIPuyyAmHFaeV2pHKroLfYS0ULnqdCMDnM/qtyU/1Dp8dcacWwQaXbNIniUW1na3o9FIjZN31DonoEM/zh/BokRvaaNqYy7RfgLTjZI/DFUcS+s/kxNZ5im6TTmyP/OFB3dXxwnDD3DlyjAwJv7SeFbGY4P8TbnVifhdxNZbyqHqmtuGj5sqGWrVfhdAXkp+BeEUJCgTpNBvbCARCwYnPTQlYU57UW4gYE9z+xGaaxGaAuVQy7ScF8bB9LpJ7zHPofLgcWAeTI8+vRbOmigXv4pZ0uDxoH7E2nKMn9+Ir4X1vJWvJDRiy+88AJdkLhb8nBgN6WR/yht/ILn2BoBp2GcmfMyABu9AkhY7Y9xaT+zWi21Muu7SA/ni+F9uWEUacr2nzozI16r4CENJn2WvSlPCRMC5O/LWrWdFb4VfDLSqMk7lfaanzRW6SfgrtAs3jk26M6xZL4ui0I1aegpXN1d777qrcUj4J7yPHd4/c6gROgmvCmpj1gYHpbFD9E1w/Ffwg0793aCzJnuSw4u6sOD/wHOCrTwgBYAAA==",
            text: ##"""
// Streams: who watches what, the furthest behind first.
import { confirmAct, element, plain } from './dom.js';
import { listPage } from './list.js';
import { attempt, command, orderButton, send } from './orders.js';
import { watch } from './server.js';
import { absent, actsRow, bytes, count, docs, emptyState, facts, given, muted, noticeArea, optional, plural, rowLink, small, time } from './show.js';
import { entityUrl, go, withParameters } from './state.js';

const nobody = () => muted('nobody in particular');
// What a console asks only to find its own stream is none of what is watched.
const isBeacon = ({ text }) => /^\/v1\/_streams\?.*\bown-/.test(text);
const queriesOf = (row) => (given(row, 'queries') ?? []).filter((one) => !isBeacon(one));
/** The text of a query as a link to its page; what the server has cut leads nowhere. */
const linkOf = ({ text }) => (text.startsWith('/v1/') && !text.endsWith('…') ? rowLink(`#${text}`, text) : plain(text));
const closing = (id) => ['DELETE', entityUrl('_streams', id)];
const farewell = (row, isOwn) => ({ title: `Close stream ${given(row, 'id')}?`, act: 'Close',
  text: `${given(row, 'caller') ? `The client of the token '${given(row, 'caller')}'` : 'The client'} at ${given(row, 'address')} is told to stay away; its ${plural(queriesOf(row).length, 'query', 'queries')} ${queriesOf(row).length === 1 ? 'ends' : 'end'}.${isOwn ? ' It is the connection of this console: what its tabs show stands still until it is asked for again.' : ''}` });

export function open(place) {
  const notice = noticeArea();
  const rates = new Map(); // id → { at, bytes, rate }
  const mark = `own-${Math.floor(Math.random() * 2 ** 48).toString(36)}`;
  // A query that nobody else has tells which stream is this console's.
  const beacon = watch(withParameters('/v1/_streams', { filter: `id=='${mark}'`, limit: 1 }));
  const isOwn = (row) => (row.get('queries') ?? '').includes(mark);
  const columns = [
    { name: 'id', label: 'Stream', isFigure: false, text: (row, id) => `${id}/${isOwn(row)}`, show: (_, row, id) => [plain(id), isOwn(row) && element('span', { class: 'tag muted', test: 'own' }, 'this console')] },
    { name: 'caller', label: 'Caller', show: optional((name) => (name === '' ? nobody() : plain(name))) },
    { name: 'address', label: 'Address' },
    { name: 'since', label: 'Since', isFigure: false, show: (json) => time(JSON.parse(json ?? 'null')) },
    { name: 'lag', label: 'Behind by', isFigure: true, show: (json) => (json === undefined || json === 'null' ? absent() : plural(Number(json), 'commit')) },
    { name: 'bytes', label: 'Bytes/s', isFigure: true, text: (row, id) => `${row.get('bytes')}/${rates.get(id)?.rate}`, show: (_, row, id) => (row.get('bytes') === 'null' ? element('span', { class: 'absent', title: 'It watches this list: its own bytes are not counted here.' }, '–')
      : rates.get(id)?.rate === undefined ? absent() : bytes(rates.get(id).rate)) },
    { name: 'queries', label: 'Queries', isSorted: false, show: (_, row) => {
      const all = queriesOf(row);
      return [all.length ? linkOf(all[0]) : muted('none'), all.length > 1 && element('span', { class: 'tag muted' }, `+${count(all.length - 1)} more`)];
    } },
    { name: 'index', label: 'Found by', isSorted: false, text: (row) => row.get('queries'), show: (_, row) => plain([...new Set(queriesOf(row).map(({ index }) => index))].join(', ')) },
  ];
  const page = listPage({
    type: '_streams', title: 'Streams', columns, notice, order: '-lag,id',
    empty: () => emptyState('Nobody watches anything. A live query of a page or a program appears here while it is open.', docs('live')),
    show: (row, id) => [facts([['Caller', given(row, 'caller') ? plain(given(row, 'caller')) : nobody()], ['Address', plain(given(row, 'address') ?? '')], ['Is', given(row, 'kind')],
      ['Since', time(given(row, 'since'))], ['Exact through', given(row, 'seq') === null ? absent() : count(given(row, 'seq'))], ['Written', given(row, 'bytes') === null ? absent() : bytes(given(row, 'bytes'))]]),
    actsRow(orderButton('Close…', closing(id), { class: 'danger', test: 'close-stream', at: notice, confirm: farewell(row, isOwn(row)) })),
    element('ul', { class: 'spec', test: 'queries' }, queriesOf(row).map((one) => element('li', null, linkOf(one),
      small(` ${one.mode}, found by ${one.index}, ${plural(one.watchers, 'watcher')}`))))],
    onopen(id) {
      const [first] = queriesOf(page.row(id));
      if (first && !first.text.endsWith('…')) go(`#${first.text}`);
    },
    keys: {
      Delete: { label: 'close', act: () => {
        const id = page.table.active;
        if (id !== null && page.row(id).size) attempt(notice, async () => await confirmAct(farewell(page.row(id), isOwn(page.row(id)))) && send(closing(id)));
      } },
    },
    copies: () => (page.table.active === null ? [] : [['close', command(closing(page.table.active))]]),
  }, place);

  /** Rates are of this page's own samples: unknown before the second. */
  const sample = () => {
    for (const id of page.table.ids) {
      const now = { at: performance.now(), bytes: given(page.row(id), 'bytes') };
      const before = rates.get(id);
      if (before && before.bytes !== null && now.bytes !== null) now.rate = Math.max(0, 1000 * (now.bytes - before.bytes) / (now.at - before.at));
      rates.set(id, now);
      if (now.rate !== before?.rate) page.table.refresh(id);
    }
    for (const id of rates.keys()) if (!page.row(id).size) rates.delete(id);
  };
  const first = setTimeout(sample, 1000);
  const timer = setInterval(() => { if (!document.hidden) sample(); }, 5000);
  return { ...page, close() {
    clearTimeout(first);
    clearInterval(timer);
    beacon.close();
    page.close();
  } };
}

"""##),
        BrowserFile(
            at: "/console/suggest.js", .script, tag: "\"a918540a9b1a1d8df9ef6642f47ce875\"",
            packed: "H4sIAAAAAAACA41Z6V7jOBL/zlMUPYdtYgy99wZMdu77viftHhRbIe5W7KylEBjIfNwH2EfcJ9kqlawoHprfXB1ZKtVd/yq7T07gh4UwULZrVYE2oqmgbkDAvFZGdmNYde1KdqaWGja1WYBZyLqDl3VT6RToSJi20zC7tXspXAu1ljo7qJertjNwB0u5nMlOu5O3DGxh3rVLiLLs5IVum+yFjs525FLJpWzMt/LG4B2DP/tXOlmtS9k9fCsltVUKKyXqZnfrpGqXgwte84CKTR4QNmIp9Rdz5CnM4ot5QE4bA+JS1VYLLbtr2QW0vDGgRtLa3H7XocIL2Um09nYl6dF6+kvRoWgj91TEABk5YKONXH3bBkTkNKY5KNtGGxsZVD1H4rox8oriGjVrikuUAi/CnVnbKika3HIr3BNdJ25xx/7iczt7IUuDG7yIYHvWS2vaTYPCGrmBz8QqTs4As4xsg//957+owxrtVmmYWdsD5yBRVe9do18+rdGqRnZxJMpSao0C4wTyC2aelahUFycJWnhydHQAR/DtQoYM2zkIKxIV1zZ0u/Tl5CUSzmXO2DE+tVpCJUslMMlSOm3cppayyUjMvzpp1l2j4e5LdHat5TlaeK5NVzdXKXwjjVtfXFxskf7kQN7YKM3XTWnqtgl0jEm9BO4OAJzf5MpA7iy8koYJzvC8nkNMp5PMug4u4F1KAyREHwCrZK9nO/Znnu+8XWNR5/iklCwDtixJO0lpH5lxwB1G8LdT/CeM1thx3BITJ523zg62GJAT+GZ9dSU12asBfQkC81utxrChNCe/9gVipFIamtYs0Gdg6Jgu4E4jM5dOQr+UpH687hSlgCuyrJP/XqOQOPrgvW8xPeg0K4UpFzFnSrNWihJE6Num9AHwXhh6n20Ks9YficrKpyxKOXlIAN8g9/EJ3aQMiKdZlvHZlTtLYDKBaZECntj7RRKwn+5Srm7mssNVgfJIwQzrvTP6B8zcOPolSoDYwBjERtQGXApmQql4GqEPohPLYKLFcqVk/hQDFxXZEq2JO3QVac3ujD30IFsSRAXGHhmBJWUF520HsdOSgBBzhAt5W1D9fGFLP0NmHSV0b8cks7iuy4VcikmQk+SGu23Cbgfya8yoGlvuRcJKQJ7nEInmNurtnTpJC6G/2DQx4xkTk0/4eUqPRB1xDUaFtWG7bwcjuosjbMkM9rrXO9SX5CdWUb7l9Hgpb3XMmZBx14jto/UwLeCQTKAUjBJfwocuY+pfXebtKda1G1SGQ0sP2lelqpc1Iu1fT2Hnu1faxCa5phsjnyR5yNFMm3stvadpnx3Hrts+WONHjLjUaQhJSd8AdDNEvkHdhRatfGd7qADZAZym+30wdv2Raxc9Q/W0Y2bLiyCEz8lZAUCFc0XMst58080X/JzRgy0iI5cai+3+HqJpESXe5O9tpwBDA5PoEfEWMCttm/n4my8+H8OfTgGPl602WdAABt7gnuP9YRahJ1YtdekO8n74YBCxhczNPsleIE0cRaGF8QOpU9UIwyhzbIXQeCRVpd0TJxZpTL7K5koYQj5KGkpkzjTWiRWGvB/iiCbtFXXZwmowBfn20K4yl4rBjguF3XI7GI1jt0bnneeA2EUpiWIyrepSxv1huruS2IQtbJFzkFjX2e0nNrmtAYwFSBflOUHkof3z3P5hlxf2D7usG/pzh7n0hCyNqBtNa5Tp93/LoyI9ADc9/VH+fMdNVXTJdGtJR/5y4UYtOlwIEks/bzW3/UqpAb0fxabIfHvmqzOYcQkrOOXc2KPdFHQGQinuy74N19pNBg/NL57n+23nEJDczPhmnycMcJwOwYVgIKmNIUF52DJdY/RZ6PHUhZOBiRDZc+T6HsrxgNyu7HUnjXoHblFVIy0jn7zB8tBRuFXrzwkOOZ14tvz9CxI+0hBTCpTNqMcyI20B5RWT4h3N52OXMClKJIdiLd7RnbFL1JTCICf943ZabC+2cElXL8MBatN2FczkVd30eNSQVHBs0SsrJUqpD16NQWVLUwIte7xgALRmhXg0k5g/VPx07srxtKfzYbWYgkRRPH3r+Gdx/Osvl8X02bNNdnlcHCWRp+NEdMH/Wl69d7OKL1+/o9vbZ8/0UTwZT/PDIr+fnl8U+eQe44ZbWAD3mPrJBEnu64YIp9O4IOLnz54VSXGUJpPE3n8yff6kOLqPps8j/LEqkAavXyaZvJFlzOb4rmzV8em6pAkSHc/b0z8VmfNkfPJ8+iQqTlJA1HXGM2YxmZLNFWGqQ+EQ4B3R0yJhDI/JjzY34zugNcFvOG8q5fvg8H3BU/mEf6UnR/EUo4CxyA/PL357xAOeE+IxynaVwntW67AT0LRU30C+jwR07Uqa/WvDSjx5Hk9ZF4zg6xTY5CQzUtM1th+GYfAM0cXe6V506HeCEKtaSqNjRejYdlHxuMNh691JBTVwJSbXc8ofHR8WifPr0IeTDE0NYIjZIJLgQCHndSMrwJkXuPSt/kHlTwvYwnhnLF3eWUlP3rx+2PiC75LDEwYpLm62YkiGBhElmW4dhGvnkSnXOoNu6BoGoDEEkMyzBjqUZypuMCzBgc9CXCMk0WojtB0Bq9S9Os/rThtLxXDFr+G1ebC7eE84FuQ2768QkjaiMRIdzbIy037abmT3jtAyfHGzhQt5EHUylJb7N4Iaf8IFnqHl8gYnLxYUNhoOZhBFt/DZzs8kihXwGxc5nFKN8XNmVTrMnQ2JTf9Moz+QRSNRAL0PWzaf0ZemJQbB8Wto+n2awPHwhK/QWeJxGsc7jJtNFSUNKGp5gJpwHJHDS6lB8GSIzWwuO47k5Rx9EIct4RJEo9Fp+qxfUCtyN11YNQl4OLiu31B47ZUUSEIYVboKeT+qx9FaRTTEdq3ChIzodNbe4FZdjeHSuf349bvRyBq1vURFldAaad0hJa3oanGsxEyqCA+0+zTBh4u6qmQzBprC+HsGW0Nv9W8Z7MCztZExsxBr0zoTJPElmdHjV2h2ROVREnulroLkrPU77XLWokWQOxY2/aWOo7pZrU3EH87e8qEBLa9lJxQya6RGBu47CaP4jl/yoEbkRR5omYp1V9K/eXmYOh1AVE9XUkE3SHj8tN+iinDJBLtIV53YxK5rsOXsaKR078COv4M34vaIEUO3YmIhwkvC+G/slBQfBkKSZMfOaXwOpz27Ti7baznkKFDva1lJXcqmwoqPHA+ptBzq8citFLD9ukhvMTFZ/PbScaNv0zEdp7DnBUbkEH5hm4JFIFv+vh5UjSLYq9BXBfPgohiItxyoKlhdjXxKg24b926zBLZbsaZJ6ni3zZi+3LdrLat2gw8xZl7DLZSX2aqzv+/KuVgrE9OnG0QSZpkg4MDWfYbn5st2Efp5a/RSKCpw+v7Ax4nryi5psBWoqpPNlLUrJpku0Wr1UWPa72u5QZfNVFu+RC80UnQS69EV8TZMR6py6dORMnY0Yil/JPFhmPbA6e3lDMdq1bYv4/2RCQFa4v3RiISfBQcMo37Ys4jL6WZHxtTnnpKW+Tf0ahrkNzHmFoKM6TWmass1eTfj3HyPfU0kzKqfc/ftZzUet3bo1TDce8b2vRby/SyfWtoiNB/LxlNRBGBk7+6hQuAOyMMn3+ACBonjAKMHKB/xpS/xb/rTr0VzJWNUMCUt98iqWq8IqN+j/I9pYOSVQ23qWLP1bKak9o2F73MielcGnmXGw7/88BxtTj1KOFPrjvuZfJQOP1xSQUdpUNGD6LHzfx+/MHDIbmXr5q2uazfvWoh4mvLTd6sx5g5sp4wTKLHYJSxdtF+CWAoumdcFIjRXToi84Q2+kPj89OA+Yg6jXvFRCPteAK0n8BTGKCiBNxzxQJbXmL8FvKdLsZJRKN1HMLz2u3sNfQugchwcfCtmUULsnII0ECZcSLwTcg4LlaQ8yCskehiXwzNt2tVHy6WsamEkfpZYiStBsXVUD/k7LP9gCg5QHHsx5bwfvfyMBFuHXzz92LeV/wONg0wGbx4AAA==",
            text: ##"""
// What could stand in a filter: properties with their kinds, operators by kind, values.
import { members, valueAt } from '../json.js';
import { elementTexts, textAt } from '../reducer.js';
import { element, fill, plain } from './dom.js';
import { operators } from './filter.js';
import { namesOf, pathOf } from './path.js';
import { client, server } from './server.js';
import { entityUrl, here, typeUrl, withParameters } from './state.js';
import { stepTo } from './text.js';

const kindOf = { integer: 'number', number: 'number', boolean: 'boolean', array: 'array', object: 'object' };
const known = new Map(); // type → { until, properties }
server.addEventListener('access', () => known.clear());

/**
 * The properties of a type, as paths with the kinds of their values: those declared, then those seen.
 * @returns {Promise<Map<string, Set<string>>>}
 */
export function properties(type) {
  const kept = known.get(type);
  if (kept?.until > Date.now()) return kept.properties;
  const found = collect(type);
  known.set(type, { until: Date.now() + 60000, properties: found });
  return found;
}

// Suggestions are a help: where the server tells nothing there are none.
const asked = (url) => client.request('GET', url).catch(() => null);

async function collect(type) {
  const found = new Map();
  const add = (path, kinds) => found.set(path, new Set([...found.get(path) ?? [], ...kinds]));
  const [declared, inferred] = type.startsWith('_') ? [] : await Promise.all(['', '/infer?sample=1000'].map((rest) => asked(entityUrl('_types', type) + rest)));
  for (const [name, { type }] of Object.entries(declared?.json.schema?.properties ?? {})) {
    add(pathOf([name]), type === 'any' ? [] : [Object.hasOwn(kindOf, type) ? kindOf[type] : 'string']);
  }
  for (const { name, kinds } of inferred?.json.properties ?? []) add(name, Object.keys(kinds).filter((kind) => kind !== 'null'));
  if (!found.size) {
    for (const row of await rows(type, { limit: 50 })) {
      for (const { name, kind } of members(row)) add(pathOf([name]), kind === 'null' ? [] : [kind]);
    }
  }
  return found;
}

/** The texts of rows of a type. */
async function rows(type, parameters) {
  const found = await asked(withParameters(typeUrl(type), { ...parameters, ...here(type) }));
  return elementTexts(found && textAt(found.text, '/items') || '[]');
}

/** Values that a property has, as JSON: 20 at most. */
export async function values(type, path) {
  const pointer = namesOf(path).map(stepTo).join('');
  return (await rows(type, { distinct: path, fields: path, limit: 20 })).flatMap((row) => {
    const value = valueAt(row, pointer);
    return value && !value.members && !value.elements && value.end - value.at <= 100 ? [row.slice(value.at, value.end)] : [];
  });
}

const byKind = {
  string: ['==', '!=', '<', '<=', '>', '>=', 'in', 'startsWith', 'contains', 'endsWith', '~='],
  number: ['==', '!=', '<', '<=', '>', '>=', 'in'],
  boolean: ['true', '==', '!='], array: ['has', 'hasAny', 'hasAll', '==', '!='], object: [],
};

/** The operators for values of these kinds; all where nothing is known. */
export function operatorsFor(kinds) {
  if (!kinds?.size) return operators;
  const fitting = new Set([...kinds].flatMap((kind) => byKind[kind] ?? operators));
  return operators.filter((op) => fitting.has(op) || op === 'exists' || op === 'isNull');
}

/**
 * What could stand at the caret of a filter's text.
 * @returns {Promise<{from: number, options: {text: string, note?: string}[]}>} `from`: where the word begins that an
 *   option replaces
 */
export async function completions(type, text, caret) {
  const before = text.slice(0, caret);
  const path = '([A-Za-z_`][\\w.`-]*)';
  const value = new RegExp(`${path}\\s*(?:[=!]=|[<>]=?|has(?:Any|All)?\\s|in\\s*[[(](?:[^\\])]*,)?)\\s*("[^"]*|'[^']*|[\\w.-]*)$`).exec(before);
  if (value) return matching(value[2].replace(/^["']/, ''), caret - value[2].length, (await values(type, value[1])).map((text) => ({ text })));
  const all = await properties(type);
  const operator = new RegExp(`${path}\\s+([a-zA-Z=!<>~]*)$`).exec(before);
  if (operator && all.has(operator[1])) {
    const infix = operatorsFor(all.get(operator[1])).filter((op) => /^([=!<>~]|in$|has)/.test(op));
    return matching(operator[2], caret - operator[2].length, [...infix, 'and', 'or'].map((text) => ({ text })));
  }
  const word = new RegExp(`(?:^|[\\s(!])${path}$`).exec(before)?.[1];
  return word === undefined ? { from: caret, options: [] } : matching(word, caret - word.length, propertyOptions(all));
}

export const propertyOptions = (all) => [...all].map(([text, kinds]) => ({ text, note: [...kinds].join(', ') }));

/** Options that have what was typed, those first that begin with it. */
export function matching(typed, from, options) {
  const wanted = typed.toLowerCase();
  const place = ({ text }) => text.toLowerCase().replace(/^"/, '').indexOf(wanted);
  return { from, options: options.filter((option) => place(option) >= 0 && option.text !== typed)
    .sort((one, other) => Math.min(place(one), 1) - Math.min(place(other), 1)).slice(0, 20) };
}

let lists = 0;

/** Makes a field offer what `find(text, caret)` answers; answers the field with its list. */
export function completing(field, find) {
  const list = element('ul', { role: 'listbox', id: `options-${++lists}`, class: 'options', 'aria-label': 'suggestions', hidden: true });
  field.setAttribute('aria-autocomplete', 'list');
  field.setAttribute('aria-controls', list.id);
  const isCombobox = field.matches('input'); // A field of several lines is none.
  if (isCombobox) field.setAttribute('role', 'combobox');
  let found = { from: 0, options: [] };
  let chosen = -1;
  let turn = 0;

  function draw() {
    list.hidden = !found.options.length;
    if (isCombobox) field.setAttribute('aria-expanded', String(!list.hidden));
    if (chosen < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', `${list.id}-${chosen}`);
    fill(list, found.options.map(({ text, note }, index) => element('li', {
      role: 'option', id: `${list.id}-${index}`, 'aria-selected': String(index === chosen),
      on: { mousedown: (event) => (event.preventDefault(), take(index)) } }, plain(text), note && element('small', null, note))));
    list.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }

  function hide() {
    turn++;
    found = { from: 0, options: [] };
    chosen = -1;
    draw();
  }

  async function look() {
    const mine = ++turn;
    const answer = await find(field.value, field.selectionStart);
    if (mine !== turn || document.activeElement !== field) return;
    found = answer;
    chosen = -1;
    draw();
  }

  function take(index) {
    const { text } = found.options[index];
    const end = found.from + text.length;
    field.value = field.value.slice(0, found.from) + text + field.value.slice(field.selectionStart);
    field.setSelectionRange(end, end);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    hide();
  }

  draw();
  field.addEventListener('input', look);
  field.addEventListener('blur', hide);
  field.addEventListener('keydown', (event) => {
    const { length } = found.options;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !length && step > 0) look();
    else if (step && length) chosen = (chosen + step + length + (chosen < 0 && step < 0 ? 1 : 0)) % length;
    else if (event.key === 'Escape' && length) hide();
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen >= 0) take(chosen);
    else return;
    if (event.key === 'Tab') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (step && length) draw();
  });
  return element('span', { class: 'complete' }, field, list);
}

"""##),
        BrowserFile(
            at: "/console/table.js", .script, tag: "\"a9b0caa3da573acc8ad4059280ac0243\"",
            packed: "H4sIAAAAAAACA4xW177iuA++5yn0ryTzy4TtBU7d3nuvmFghnuPYrG3aMNzuA+wj7pOs5BgIZ+upsSx9ap8URiO4Ba1WCEHMNI7B2bUHW4OAn5botgUEqyWIhXABZlsIDSoHSvoC1io0sG5U1UBtq6UHYSTfg12gYRzwQWzLwWhEP/AZXXi7dBUyevTSCA9TgppCpgxYJ9HlBUwDbkKmZE5i3IgqwDuffvhBfkTHFZoA06oRZo7TAghEdBnEgBm1ZG/s1BAU1E60CL5hl0Jr6CxJ6cMaWmG2KWWjOTvrESgYr+ZNgCz57PJDSUpIgbiownJJ8pbCKQeqXVgXYActtjN0n5FjD3vybVsYluXIoVxW6MpHfjg5KQtj7NJUWABqZKACaqX1yXAkbXvP5gNce8raOc6igIUWFfoP6wK8VhJ7pljXWAV/z7wSi6CsKUD5D5YcKkMsndAFrIRe9gG4ZJ31oLLGB2itD59wsS7h2aeemsBodL8QPcXXo3vWfT6qprrLI8Oswa43ByPh7j5TLZLF088n+NYPBqMHDwbwAG6hsnrZmnHHkCkoT+wTASRWlDgfkEJxIKBCrSO7kksiFecyJRd3pKiCB2MlxihUmMB0IUIz7RjomeUqlOzyJmwXKLGG3c5QnGPwwSkzL4D1r09HLWaoe+eggsbeWfk31HzpWDSzVqOI5f+UGoKyJ2OXAJwcCTMq0xjeF4uLhJLQrshUHqBzuLxKj0+WhiJVBmXC4YwZh/HGv1eCf4z/gZX4pDvv9/BqbAK5GA0GuImkqrTwHt6jEfyMdwjsBgDUtDjySnoI3CXhMHYYJWTTzTQvGQHAo8YqkPASDK7hUwxZPjmzhzUPJYcLa+GPo0g+Q8IQVSDfjLDUmo0XqmI/SZDQ3iKAOO6VbVumgKA2RqgQo1bUeWyUkZNoxpuNpYEvjA1JObmMmicPJPmPjXPlJ/ycFl26ZknHXU+ib7+Pgki205GHItWAepLl3XBJ+PXnX2AX2VrwUjJFJLcvIk3SP9gzwpzKFP4WQyRtmvHHaFKEUXFHqidch8JTNp0yISbguH0SslemQp7+2Is0yqTNbHc+kEFwS5x0ok+rBuVSx67UQvtO3nXulnWf6gonFGvsAE1Ah0TEp4o0xd2zxjrQA+w79YWo0MWq0t3TBTzzfdlS6lkkbtqp2TC4YQG7jqdjGEYrFg2FU+Jho6REM6QLjncI+6JnKYd5nscGxzUENFrT1Onp+LRMA/pQJDIzmwqwhl+D/B7jZ2YkPRdphwGvk3jhrQsZn3gj3FIgpN+5scahkegyBkzKET/LS9aIPIyb0y2rYF2Wwsrj/AE1RvkysZIr1ONnumxQULHvlylVhQipyP2G6vI07POe2czK7ZkZC6KlNeNYZkp2DFl8UXMjUihRnqQFyJn+vSJxsI6b7zYcpP+6vITj1soPWZRdea/LM2Xi5T5WD6DbE8r8QRwew23kHTXkw/pgeqDZ7w2Cnc/1uTLsz0sSW9SvSRSckY4HfNgRZXzMgk9wfZ1uT8EnXmUHvXTO+8zk7hEgz29x6iepHJvUj5Cnvx+gVKvzmaic1TpOBT0gB4xzcklnyiUygecvkSO+8IgZ9+IrOgakJDpIqmevtTEWJX2p0cxDA1fHzxR5F6dPeyLjXvJ30atwP6H/OPTqMaa19Ek8fDjz6Fbo0vzfA/wD69J2FtmxRkmJXxhfNiLwkqPmwx1uPUjbfeblZqX3QIKL15fHzB/xGMQaUR35MyibUCVFRb3vxdZacv10zkne9U1IG2ZYW4d/ZvQwWiV3t44MXrO/tW6lyY0bSfe/T1FegbJAfOz+ZqUbpvd9320GYwSJUItuCmAAUC8hI2JOMUeYA8zvOY1PMpmvKoEsEqTUMeOlmyhUZWZtmS9fFZ7w2B/TgXrfb6XWcaFf5Q+LozLvT7k26h2TiWoi9KPqqtAdvUCgODI4k49L2vjr9hl0vV+udOtNfryxaisGvM9hRctgLzLS3gUmOB+Agdde2/c8qqLSEJlIy2cUhhjp5rQhpPqc6hA7DqpL01RqDtGH29+Yp4EdeHk31drrhVpFL6JvB9jjNhI/PyxahhCxJbV10V7XpZPkscac9z07OxR6iCSFDIOANST5G5dh5sFjCrCSkmI0me2IFlks2YPAb5EFYj4kzy0rZA2u0RtmzYnIM/OwIl+G7e6TQgGxwNVlat52gNBcUnqsJKLaukX2UVZPvJt4krfnl7FTkZBsSthKAUISr10StG6+cqA0c53xQFOmR1yY7mZd8Gp/nyPTZ+umLUpygJELZlHi6278C7svwGS+73gFL/2is1AsM2ahRz3RlvkHAX3+EYhxybDMhSf8CTiYKBQJ5Nubc045UP0tlimHPmBMJHgCwDHw8kBLEvm4lvDyqq62HEtcCiG9kSH1EQbTFrMtvlaHP2U089Xq+YdSRS3ZGOebitQEYMytAh6LsVC0Wje0BEoAPEiRNfvWNidobW5c5rVYdkaSCXmzCLPTdfNe0ZwTeKSnPrtcckMkHZJ4tU5gE3txiRlyErZbTXxfwz2iHqY3bOonFCsZDi8bwEhKpW2+JnXCFXi38r6DJNbMzfgbMwuXfjjRSuONAuCCrU1nshAK6xaXxQY7TdDTrUayexx/lWLCGyCzyKarvM1piFOeGWgEsRP3mhITumudcWhcxilzZDqbyKS7/MY9OGAF6dKjnHMpTEZKwW/1MQO3OF4wYbFEdf5lsiwzXkaKgvncy4fBgEpKKIKIyaSKewybhA3yGrPP1jwwUzM3UWSItzGv3MC0Rd4uF/eWXP77P/5Nr/jvf0Wdfz2Aw3tmzjJOzD2uE3WnoRpMcKYBu5v0I11LDCqnzeX6ov20EIxsJNoofI15oD25ZTRMIujZzYrI87QO5i+6wM/Ikz99HTwlJuL1MGEDollgjtduPLBm66lG3mKKeOTi3RFb9XsbA5f3T9ZvlAEcGD8eZKAoFdoJEQXxx8yHTp9dt21V7udyEAIwjrkf5Ju+LWfVaHk4q8aqsGwmpIj7tXaIPLwhrVkQqlF7koiYFeXCS6zoOL4xfnOZDnOutxqGDULmKehgF1Cquu8bvUBqSGK2NdbCtz5PYTtNp4wJItt+foJ6BY+gq+jTde4jYldJ0mtAiOqaMUEDhKA9+0fADhLjEN/ewCNzVEVjrshvexqqoaLrkiYuARGOuiZvQKK6AGXyC8K2T/J6JcmJi3RrFckR3IPg/9tvhis4jzCGOKz1W6MfFyVR4RbqSDZMHD2G0b0nzKZB8cBDafpp1nNYVAaHRz8w1wvmUHQHepC3tFZYK9Xemi7c4Drkw/JDvJfJAgvRLrR5D5GFpKBSQUBQ8ZuB+aTbryRK90wsg0nIlFvJKMvMAe4StOQOWwW1Uk+XMXqhd5AoqxNNA6CMuR0bxFAmltWuzG7cVu6Gs5GsHrWQibu0gQH9KItBoECiWwBVD7xMZtgHFBSoN7xwOucH1BLX0yRDGM7RSeYFpMIG00a4pyGnP/ci2z2WLwvI0Z3H2pHemI4HwklFb11aY8OMRXoejoRMWIhUUqEAffZnDy5lNdCYLmfFkQEFo6lglIap4KIdHI+1CMcwh28UvqsLHEW96721mjka1G/QD4pSZkL/cOFg0N7EKbY4dD57r4Vj1rATmkwmtJMe2EM8tFYve8KGXl2Wf+8FB4ToIp1lRM3HV+TsY9eIGOnpVMeJuqCY1LRvl+urnGf4A6bMfWW10F0BYuH/FEGHmaYj9dXKgaGBOxdXHoJszlbgH8NGyHmHQ78XdfQEAkG7N820//0gUweFkBSe1CBeCvvPmKjCUSmd89U4mHmS8y6tUJd+4HjJFPn5ZUjOnV2zAUcsUkaYuSskrnOY6fGGskDagnA9D4XORfyxrMnUoHBDrgdyapVCz7w/v405dg6vlzrsqX0pLnPu2ErbJ0dqg2CDfojNCsMSZYQ2EjBTdgZhSLKDRIdVHhXbVp8p6XdsgZxo6ZwKZ+fZYPRHKHF1NkWLU/keCaDEncigTElCqWFcUgV7GVu1ouUDSdpFhLaJDXJMtHB/n5wINEGtFCQk3FbatM82Rdr34PSVG1Y08Xpe933rtk9PtQTiFK6by1jRx91eSAeDDr6pHSIS7InxSny7DA4KOfFBufJu55QPDIOLR560BRosE9cwMQPHPjL7BtOKGKSbOml2pGvuTap7+ILqQK9rH8roc0fuPhCijia4dMBkUIrMLc4Tc4bZzlNqMzFn9Je13phmu1mTws8pr0uv1mWctwne9PoTM3UlOjz5w1V0GsVyeyLufasXs3emw2P0dku8CmUPRdyfjAGLR3qUeapU6uB2tXV3MuRJm/SoKLYfcB4CNw9JqrmaMV//umTv9llOMA+eQqO+xHCBgmxLe8h5Ae/3RvNTgAOblhQgF4j4Rk1kTdg6iJl4NXI2/MKdgAxiHTjjwUVo6viKybLPi9U6j6P4Kn86ebJetZcz86c/TLdPbWRTVCjYY/9hambm/l8UzfsjbiVh2pmypT18tn9nxwUJ7fk0FFGj9CBTp1TePHqNU5/Y3tX3SR1/atWvYRFtJkEgmhB4SFyt82K9GU6oCH+tyXwn2Pyf12nNCY1DYAz8mmiiEYwhz2vFj4tNVdVKsjux+67aKrETc38aLPSJi36BKpzEZF7jCSqo17h1lfHxU/4s5ctFBN+dsJkHE4mJ/+ZdF/a+CHIlgSjgGhlheZLDi7mZEFMEa9GUwqqqp3aFb/hmBjgiUh84xZYNTq9LcETxkbabXCrDS+qask7opQJ24q7FTaP72kEHEA05qXRVUjQ9GE6eXm46pRo26DeiV/XCtYVY5IP8Q7Y7U5Xv8jUTVwvuKUENbasSFoKckby0zwgl9KmIkoJVY74duUvk2yAf1HX5+gvsfbeiGiWPTHQSqXAEUxSmw4bVmka9udxzSPqYe99p1i05GoBL5dBMI57pBQgWJR5bkDwakIqSKSN09lWTe3qNeD3DMtEzFi4IHgKThZxbQBdzBaaL9SrBhaF+kWgaOdx0IhUlzDS2KzCMYEKlEL2aKWKUxo8Vao0A4ru0e/pcfLcwjH01MIZy3WEoXpfb6xYC2mcwh0LC+aOz6qm6t8DjvXtx4dRZQ4T0etWdJgbNihVOEMXUYdly//aQ79jNGbC861XELkjuemCERP/5dV1Ti8grkotqGVbVXLjSnsfFSPorX4FfOXInbEZ43P2cDRdn9IntHXd3sPBA5+u7rWCU9JjwfdKCK2nHkunLO3vY0AFPOdlYMjzUaxTeo14zOBRj9JIeVPGToFgoCYk3L99ZNNdPzNUmBkfH3EP4Tn0MormBF9E/XroQmgUdFe2W9bbrUigJf+rDBibaEbAY5dUSMQq3Beb6KS7ZRGUn8DKXqkMaEq+cqD+5708k9o4r5vP+8q8WpPtpIdSdXnAiRKk27ZXmkiH6WL+701uM8ciUrBkG8mDUQGUVNUT2iGaT8XzoIBCsPyzr4DT1GzmlJ/Xkqd19Qtyhe0TFdXX98FKO/QvPziVYtDnFFI0bj2bZevNgp2p2HBlHcKyxYViPBBKe+MUwLA7Ej1xdtHZkM/VsInZST7qKLXcADTLOoRNc0Y+2wHu9TpwcDn0v6o6HG+BooGfrIjtWUY502gK40tUcq+juPqiYLk5fy1VOYrpM8+2WcpH4cAx1gyh39fpn08n47h6PIpM1mffJM9Eoie8MxQMiVa/V8USQFAs7jEfRpglGTW7KjCgJIdWPIk2T7GscmWTj2ulxjtXL0dMwIzGL7Tx+YqDhoT1uC5Zb6CzUkYJQcaMENba9Tp51mqf3QwNg19zCulnZq++4SxX7bNq2qKmrxEhSNk2OKdYbVenDELhfA0R11+NxGzqH0zoy5ccFhgsjFA+4TwrCrXpks8rkh8D8Vmgu+zUwFuEBpqpdaVE6ohBxQCvEWgrXmEyy4mH1YQZulPt1hmOfIC2RRDWoDK2qMp4PVMYalJp4UNXk6x41dZpHF/Zm+EoFwjqTKQWhe3i+6/EKLi58A9o7zGq6L37i3gJgVNuJ2FMRKvX9UyfFp06Tf8s/OxScLnc3SPprRWwD4183iXKhNzgdAhGWmEYuf7lDIvUVCE7s8TlZMwRnGpz+LABn6zioe1iVRTJUAvUmIXuEdNOUz6H7kC8qR0AqdD2FTHVr+JJFT7bgVf+xww6bcs8uGZGBxb9LoB5hNPQ2t+Npq1Dr+p6FNJmjrjAGeLB3uiTR9QfMEHj4chSGEzr74UILwqTvujtvBac/EDI70l859pjfzbyjM2tNOC0mO8obYa0G3w6EbGGQ6wAWjfMEOlIJwA1i8+3d1zSGhjyJmYCDHlmMqlR3GAW61xJzR2LfbbqnKlrvKHpRcp6d6/92v694zzjtTn3VwP69Ome6F44Ax/b4bsyzH0isrqoa93hLOAxkBub0EUXp8tREnJKrBvmG/IgTId8brtaEP2q5XFMXF3XRXAKmQYYshy/PfqX1nOYNB8V4nJm76UBZIEdHY9PdcvsBAfHsGZQcPaUFWFJDrJaWNGMK9r9hUIWdrEzmZD1ws+tSSuSZ5bp15oLwGqegQy+YOFEnhlrpsXAbnddEWy2H8ZDicEBg8rF1jeFBIRs9tu/0DldtVAzYJzPHGHQ5wnt99yyAOnuQy78vPnr07kFwCg+X3R1J4yD/Lm5SGf5x2VY/rIsn1OJsU50/wucrOa3zVkhFDD7TVmrsdyxQzJadj6dpIRnm7VDtxGfd2RGFAhNPpA0W999wBTfhDuW51qg36gaUmoCzStbZqHE7dw+BvY0jK9WiIiGWJaWefjTZOP84fqTmas1T5SV279Cbm/3ECyyE1rK0+osP9cFE8MVeuM/YVP3l3RsHI+GYA3KE1C4lvRgbTXjjfhtDGYGamt6rC9e4ExhZuzy+ZO6yG9Qo669v4ObHtS9A+vI3QcvI9uTd3F1HVRSsnyUaWRnDLy/Cy8sHeldHdt4zIrwt0N4NfyjgwPjkiVt6cnvXYDnC2N46slR/4OgusFYt7pfiK/kG6SINWOP1MxkI/WCCoX6P8wWnnZ81vClJA78fLnffn07NnPMHFDc42Z8mXGw78/vf/3mKFmCZ/wOPI2VTpkIAAA==",
            text: ##"""
// A live table: rows of a query, told apart by their ids, with which focus and the open row stay.
//
// The source of rows has `ids` (in order), `text(id)` (exact JSON) and the event `change`, as a live query has. The
// next frame shows all changes. Of many rows only those in sight (and the focused one) are in the document.
import { memberTexts } from '../reducer.js';
import { announce, element, fill } from './dom.js';
import { News, arrange, placesOf, slide } from './effects.js';
import { caption, isNumber, plural, value } from './show.js';

const mostRows = 300; // in the document
const mostEffects = 50; // changed rows of one frame
const markTime = 1500; // ms

/**
 * A column: `text` is what decides whether a cell has changed, `show` makes its nodes of it; `path` orders by it.
 * @typedef {{name: string, path?: string, label?: string, title?: string, isFigure?: boolean, isSorted?: boolean,
 *   text?: (row: Map<string, string>, id: string) => string|undefined,
 *   show?: (text: string|undefined, row: Map<string, string>, id: string) => Node|string}} Column
 */

export class LiveTable {
  /** The ids that are marked (`x`). */
  selected = new Set();
  /** The id whose row was focused last. */
  active = null;
  picked = null;
  /** How many commits a paused table is behind; null while it is not paused. */
  behind = null;

  #options;
  #source = null;
  #columns = [];
  #order = [];
  #rows = new Map(); // id → { node, sign, cells, texts, text }
  #ghosts = new Map(); // id → { node, at }
  #frozen = null; // { ids, texts, reasons }
  #news = new News(); // since the last frame
  #isFirst = true;
  #isScheduled = false;
  #activeAt = 0;
  #said = { entered: 0, changed: 0, left: 0 };
  #spacers = [0, 1, 2].map(() => element('tr', { class: 'spacer', 'aria-hidden': 'true' }, element('td')));

  /**
   * `options`: caption, test, selectable, onopen(id), onpick(id, column name), onsort(name, isAdded),
   * onrender(table), onselect().
   */
  constructor(options) {
    this.#options = options;
    this.head = element('tr', { 'aria-rowindex': 1 });
    this.body = element('tbody', { on: { click: (event) => this.#click(event), dblclick: (event) => { if (rowAt(event) !== undefined) options.onopen?.(rowAt(event)); },
      focusin: (event) => this.#setActive(idOf(event)), change: (event) => this.toggle(idOf(event)) } });
    this.table = element('table', { class: 'rows', test: options.test ?? 'rows' },
      caption(options.caption), element('thead', null, this.head), this.body);
    this.node = element('div', { class: 'scroller', role: 'region', tabindex: 0, 'aria-label': options.caption, on: {
      scroll: () => { if (this.ids.length > mostRows) this.schedule(); } } }, this.table);
    this.#resize = new ResizeObserver(() => this.schedule());
    this.#resize.observe(this.node);
    /** What single keys do with rows. */
    this.keys = {
      j: { label: 'next row', act: () => this.move(1) }, k: { label: 'row before', act: () => this.move(-1) },
      ArrowDown: { act: () => this.move(1) }, ArrowUp: { act: () => this.move(-1) },
      PageDown: { act: () => this.move(20) }, PageUp: { act: () => this.move(-20) },
      Home: { label: 'first row', act: () => this.move(-Infinity) }, End: { label: 'last row', act: () => this.move(Infinity) },
      Enter: { label: 'open', act: () => this.active !== null && options.onopen?.(this.active) },
      ' ': { label: 'show the row beside', act: () => this.active !== null && options.onpick?.(this.active) },
      ...options.selectable && { x: { label: 'select', act: () => this.active !== null && this.toggle(this.active) } },
    };
  }

  #resize;
  get ids() { return this.#frozen?.ids ?? this.#source?.ids ?? []; }
  text(id) { return this.#frozen ? this.#frozen.texts.get(id) : this.#source?.text(id); }

  /** Shows the rows of another source; it may go on with those that are shown. A pause holds the rows that it has now. */
  watch(source, goesOn = false) {
    const isPaused = this.behind !== null;
    this.#source?.removeEventListener('change', this.#listener);
    this.#source = source;
    if (!goesOn) {
      [this.#frozen, this.behind, this.#isFirst, this.#news] = [null, null, true, new News()];
      this.clearSelection(); // what is not shown is not acted on
      this.#dropRows();
      if (isPaused) this.pause(true);
    }
    source?.addEventListener('change', this.#listener);
    this.schedule();
  }

  close() {
    this.watch(null);
    this.#resize.disconnect();
  }

  /** @param {Column[]} columns @param {[name: string, isDescending: boolean][]} order */
  setColumns(columns, order = []) {
    [this.#columns, this.#order] = [columns, order];
    const row = this.body.contains(document.activeElement) ? document.activeElement : null;
    this.#dropRows();
    const { selectable, onsort } = this.#options;
    const held = this.head.contains(document.activeElement) && document.activeElement.closest('th').dataset.name;
    fill(this.head, selectable && element('td', { class: 'mark' }), columns.map((column) => {
      const at = order.findIndex(([path]) => path === (column.path ?? column.name));
      const label = column.label ?? column.name;
      const arrow = at < 0 ? '' : ` ${order[at][1] ? '▼' : '▲'}${order.length > 1 ? at + 1 : ''}`;
      const sort = (event) => onsort(column.path ?? column.name, event.shiftKey);
      return element('th', { scope: 'col', class: column.isFigure && 'figure', title: column.title, 'data-name': column.name,
        'aria-sort': at === 0 ? (order[at][1] ? 'descending' : 'ascending') : null },
        onsort && column.isSorted !== false ? element('button', { on: { click: sort } }, label,
          element('span', { 'aria-hidden': 'true' }, arrow)) : label);
    }));
    if (held) [...this.head.children].find(({ dataset }) => dataset.name === held)?.querySelector('button')?.focus({ preventScroll: true });
    if (this.#isFirst) this.schedule();
    else this.#render(row); // never without its rows
  }

  /** Holds what is shown; what comes meanwhile is counted, and shown as one change afterwards. */
  pause(isOn) {
    if (!this.#source || isOn === (this.behind !== null)) return;
    if (isOn) {
      const ids = [...this.ids];
      this.behind = 0;
      this.#frozen = { ids, texts: new Map(ids.map((id) => [id, this.#source.text(id)])), reasons: new Map() };
      return;
    }
    const { ids, texts, reasons } = this.#frozen;
    this.#frozen = null;
    this.behind = null;
    const now = new Set(this.#source.ids);
    for (const id of now) {
      if (!texts.has(id)) this.#news.entered.add(id);
      else if (texts.get(id) !== this.#source.text(id)) this.#news.changed.add(id);
    }
    for (const id of ids) if (!now.has(id)) this.#news.left.set(id, reasons.get(id) ?? '');
    this.schedule();
  }

  #listener = ({ detail = {} }) => {
    if (this.#frozen) {
      this.behind += detail.commits || 1; // what is told anew has none
      for (const { id, reason } of detail.left ?? []) this.#frozen.reasons.set(id, reason);
      this.#options.onrender?.(this);
      return;
    }
    this.#news.add(detail);
    this.schedule();
  };

  #dropRows() {
    this.#rows.clear();
    this.#ghosts.clear();
    this.body.replaceChildren();
  }

  // Rendering ----

  schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const render = () => {
      this.#isScheduled = false;
      if (this.#source) this.#render();
    };
    if (document.hidden) setTimeout(render, 100);
    else requestAnimationFrame(render);
  }

  #render(held = this.body.contains(document.activeElement) ? document.activeElement : null) {
    const news = this.#news;
    const ids = this.ids;
    const { size } = news;
    const hasEffects = !this.#isFirst && size > 0 && size <= mostEffects;
    /** How many rows changed at once, where it was too many to mark each. */
    this.burst = !this.#isFirst && size > mostEffects ? size : 0;
    if (!this.#isFirst && size) this.#tell(news);
    const places = hasEffects && news.moved.size ? placesOf([...news.moved].map((id) => this.#rows.get(id)?.node)) : null;

    this.#clearGhosts(news, hasEffects);
    const at = this.#indices(ids);
    const kept = new Map();
    const nodes = [];
    const height = this.#rowHeight;
    let next = 0;
    let spacer = 0;
    const space = (to) => {
      if (to <= next) return;
      const node = this.#spacers[spacer++];
      node.firstChild.style.height = `${(to - next) * height}px`;
      nodes.push(node);
    };
    for (const index of at) {
      space(index);
      next = index + 1;
      const record = this.#record(ids[index], index, ids.length, hasEffects);
      kept.set(ids[index], record);
      nodes.push(record.node);
    }
    space(ids.length);
    for (const { node, at } of [...this.#ghosts.values()].sort((a, b) => a.at - b.at)) nodes.splice(Math.min(at, nodes.length), 0, node);
    this.#rows = kept;
    arrange(this.body, nodes);
    this.table.setAttribute('aria-rowcount', ids.length + 1);
    if (places) slide(places);
    this.#keepFocus(held, ids);
    if (hasEffects) this.#unmarkLater([...news.entered, ...news.changed]);
    if (!this.#isFirst || ids.length || this.#source.state === 'live') this.#isFirst = false;
    this.#news = new News();
    this.#options.onrender?.(this);
  }

  get #rowHeight() { return matchMedia('(max-width: 640px)').matches ? 40 : 28; }

  /** Which rows are to be in the document. */
  #indices(ids) {
    if (ids.length <= mostRows) return ids.keys();
    const height = this.#rowHeight;
    const size = Math.min(mostRows - mostEffects - 10, Math.ceil(this.node.clientHeight / height) + 40);
    const first = Math.max(0, Math.min(Math.floor(this.node.scrollTop / height) - 20, ids.length - size));
    const last = first + size;
    const all = Array.from({ length: size }, (_, index) => first + index);
    const active = this.active === null ? -1 : ids.indexOf(this.active);
    if (active >= 0 && active < first) all.unshift(active);
    if (active >= last) all.push(active);
    return all;
  }

  #record(id, index, size, hasEffects) {
    const text = this.text(id);
    const record = this.#rows.get(id) ?? this.#newRecord(id);
    if (record.text !== text) this.#fillCells(record, id, text, hasEffects);
    if (hasEffects && this.#news.entered.has(id)) {
      record.node.classList.add('entered');
      record.sign.textContent = '+';
    }
    if (size > mostRows) record.node.setAttribute('aria-rowindex', index + 2);
    record.node.tabIndex = id === this.active || (this.active === null && index === 0) ? 0 : -1;
    return record;
  }

  #newRecord(id) {
    const sign = element('span', { class: 'sign' });
    const cells = this.#columns.map((_, index) => element(index ? 'td' : 'th', index ? null : { scope: 'row' }));
    const mark = this.#options.selectable && element('td', { class: 'mark' },
      element('label', null, element('input', { type: 'checkbox', tabindex: -1, 'aria-label': `select ${id}`, checked: this.selected.has(id) })));
    const node = element('tr', { 'data-id': id, test: 'row', 'aria-current': this.picked === id ? 'true' : null }, mark, cells);
    return { node, sign, cells, texts: [], text: undefined };
  }

  #fillCells(record, id, text, hasEffects) {
    const row = memberTexts(text);
    const isNew = record.text === undefined;
    for (const [index, column] of this.#columns.entries()) {
      const cell = record.cells[index];
      const now = column.text ? column.text(row, id) : row.get(column.name);
      if (!isNew && now === record.texts[index]) continue;
      fill(cell, index === 0 && record.sign, column.show ? column.show(now, row, id) : value(now));
      cell.classList.toggle('figure', column.isFigure ?? isNumber(now));
      if (!isNew) cell.title = `was ${short(record.texts[index])}`;
      cell.classList.toggle('changed', !isNew && hasEffects && this.#news.changed.has(id));
      record.texts[index] = now;
    }
    record.text = text;
  }

  /** Rows that have left: struck through with the reason, for a moment. */
  #clearGhosts(news, hasEffects) {
    const nodes = [...this.body.children].filter((node) => !node.classList.contains('spacer'));
    for (const [id, reason] of news.left) {
      const record = this.#rows.get(id);
      this.selected.delete(id);
      if (!record || !hasEffects) continue;
      record.node.classList.add('left');
      record.node.dataset.test = 'left';
      record.node.removeAttribute('tabindex');
      record.cells[0].append(element('span', { class: 'reason', test: 'reason' }, reason));
      const ghost = { node: record.node, at: nodes.indexOf(record.node) };
      this.#ghosts.set(id, ghost);
      setTimeout(() => {
        if (this.#ghosts.get(id) !== ghost) return;
        this.#ghosts.delete(id);
        ghost.node.remove();
        this.schedule();
      }, markTime);
    }
    for (const id of news.entered) this.#ghosts.delete(id);
    if (!hasEffects && news.left.size) this.#ghosts.clear();
  }

  #unmarkLater(ids) {
    const records = ids.map((id) => this.#rows.get(id)).filter(Boolean);
    const at = performance.now();
    for (const record of records) record.markedAt = at;
    setTimeout(() => {
      for (const record of records) {
        if (record.markedAt !== at) continue;
        record.node.classList.remove('entered');
        record.sign.textContent = '';
        for (const cell of record.cells) cell.classList.remove('changed');
      }
    }, markTime);
  }

  #tell(news) {
    this.#said.entered += news.entered.size;
    this.#said.changed += news.changed.size;
    this.#said.left += news.left.size;
    announce(() => {
      const { entered, changed, left } = this.#said;
      this.#said = { entered: 0, changed: 0, left: 0 };
      return [entered && `${plural(entered, 'row')} entered`, changed && `${changed} changed`, left && `${left} left`].filter(Boolean).join(', ');
    }, this);
  }

  // Focus, selection ----

  /** The focus stays with the id; where its row has gone, with the place. */
  #keepFocus(held, ids) {
    if (this.active !== null && !this.#rows.has(this.active)) {
      this.active = ids[Math.min(this.#activeAt, ids.length - 1)] ?? null;
      const record = this.#rows.get(this.active);
      if (record) record.node.tabIndex = 0;
      if (held) (record?.node ?? this.node).focus({ preventScroll: true });
    } else if (held && document.activeElement !== held) {
      (held.isConnected ? held : this.#rows.get(this.active)?.node)?.focus({ preventScroll: true });
    }
    if (this.active !== null) this.#activeAt = ids.indexOf(this.active);
  }

  #setActive(id) {
    if (id === undefined || id === this.active || this.#ghosts.has(id)) return;
    this.#rows.get(this.active)?.node.setAttribute('tabindex', -1);
    this.active = id;
    this.#activeAt = this.ids.indexOf(id);
    this.#rows.get(id)?.node.setAttribute('tabindex', 0);
    if (this.#activeAt !== 0 && this.ids.length) this.#rows.get(this.ids[0])?.node.setAttribute('tabindex', -1);
  }

  /** Draws a row anew whose cells show more than its text; `known` '': those cells alone whose `text` differs. */
  refresh(id, known) {
    Object.assign(this.#rows.get(id) ?? {}, { text: known });
    this.schedule();
  }

  move(by) {
    const ids = this.ids;
    if (!ids.length) return;
    const from = this.active === null ? -1 : ids.indexOf(this.active);
    const to = from < 0 && Number.isFinite(by) ? 0 : Math.max(0, Math.min(ids.length - 1, from + by));
    this.focus(ids[to]);
  }

  focus(id) {
    const index = this.ids.indexOf(id);
    if (index < 0) return;
    this.#setActive(id);
    if (!this.#rows.has(id)) {
      this.node.scrollTop = index * this.#rowHeight - this.node.clientHeight / 2;
      this.#render();
    }
    const { node } = this.#rows.get(id);
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: 'nearest' });
  }

  pick(id) {
    this.#rows.get(this.picked)?.node.removeAttribute('aria-current');
    this.picked = id;
    this.#rows.get(id)?.node.setAttribute('aria-current', 'true');
  }

  toggle(id) {
    if (!this.selected.delete(id)) this.selected.add(id);
    const box = this.#rows.get(id)?.node.querySelector('.mark input');
    if (box) box.checked = this.selected.has(id);
    this.#options.onselect?.();
  }

  clearSelection() { for (const id of [...this.selected]) this.toggle(id); }

  #click(event) {
    const id = rowAt(event);
    if (id === undefined) return;
    const column = this.#columns[this.#rows.get(id)?.cells.indexOf(event.target.closest('td, th'))];
    this.#rows.get(id)?.node.focus({ preventScroll: true });
    this.#options.onpick?.(id, event.target.closest('[data-open]') ? column?.name : undefined);
  }
}

const idOf = (event) => event.target.closest('tr')?.dataset.id;
const rowAt = (event) => (event.target.closest('a, input, label, .mark') ? undefined : idOf(event)); // not one of its controls
const short = (text) => (text === undefined ? 'absent' : text.length > 200 ? `${text.slice(0, 200)} …` : text);

"""##),
        BrowserFile(
            at: "/console/text.js", .script, tag: "\"d6ac467b0f621aa138bcc25cc8524a8a\"",
            packed: "H4sIAAAAAAACA4VY55LbyBH+r6doqbYOwAoCV84mTW8553j5yLU5SzSXI4EzrJnhUiyK99MP4Ef0k7ine5AU6hSBntBffx2xkwl8tkUI+CaA3YAygCbocJpCo3QN9hBAG2i0QV/CUYcthC1qB+awu0dHMmVq2Cn32oMKtGY9xoeNOjSheqJ3e+sCnCE4xBIeVXPAXwS4wMbZHWRVNXnlrale+WzW78UGdwSihI1umhL2BMSUcDAe0fRHJ7XdjQ/SFh3+ttl4DINtdElAJzufTK6vn8A1/PHTv/21M6uCL7c6IPi9WhP2xhqE9VaZB0zWHbdk0FoZYwPcIzAMOqzAB6fNA8nWdocedPCAfq32OI0k0Ub3iC7q88E69CJUO6xINnmCbxj25mDWQVsCo07Edh49UcD5CcDaGh/Ab+3RwBxyRYygqQuY/5zdVflGr7ET0wGAyiHRRVJhq4R8Yw/pzKKqql84p04iqxo0D2Fb3FU7tc/zf5dkU41veOtquTxcnWUbUeF+ZWtyWy4bqmA/ZcPzlz8qqr2qPw3KhfwHJWQ3WXFZFdUrq02eZUUx66w4OqI4WmHoKlFlAuuKlra71lvd1A6juXFftUMOMri9lfcUGX7GZ/QG8qftkdvWHnAYDs70d91CPr4MsvMlgylki7usgKkwLHsimfwQGZ0NkGlj0BGs1dVZsF8AVrKhNzBE5J1i4ZXf2FB5rAwFAMzncyBycaMN1hFRxlcBTKMGAdRv/wWhkjcVis7Fk6W/ntLfqwkxT8TT0QKeC9NyuBTYxdgS/+k2xt18TCl88gl0ZFaeAjrPz5A4K6HbdmFbesd0KyMlMbFg3um6belJoVECE59lvSPTVoLBh5M34Wdz+MlN59PV4uocVy93I+4Xdh9jfd1Yj3ek9uPullNyW2Q6HrwszdWZibpcnUc4V2W/tCp4nzifNrKyC8O4xH/kzsR+rHaSyNE1xMyFSw8VGhVg5VDVK1DGHwnfbBAHxy06BCXFWHuyQyrVCUNJi3q9HdQV8Ork4R5DrG4fqieKVnb7kEd1UlCCO8F5yEBcygu2AdYqrLej5R4Z70hGxHYhsGI3iP3hOCyfpgaDWDfo22LoSwgWqETuFVmnA9yfKvgsmhi2amSnD9Ek5UFH8QeNojJsjV6rRuj9sFlxqU+TZ/ntdPGvZ8vl3dvlsiqun71dwDIszdLdPZ88jEqkPC5u7uApJWj2LBunphREbdbNoUafZ8slhfEtY6+kF+jNKedXstVjurlojxYfo1ogz4Ca8S9Mom3AjsHqgw7YU5AGdNy3U0qWFBGNPXKc0Dla4rZk71/hOgwZTc0l4P4zy3WZ6ozU/snVOb60BP6iafLs25iy31J5H0knLH0Zi/6sDXAkzQ7C0bJJHqLPU98T1LM0OshSCouagiINFn6PTUNUjsGmysW1E3KyrAQbNTFka7iiigTevuUN8HRUY6muyPJ74j6k6FTBF/UiUVLMhvkbp50VBPUavVC/d/aeqmDmAZ2zlNOM6MizkLhF/Bgg3oYxzk1N9gcZLTxlUVPDVj3G9PhQ2MuA9bcNB32ZtBARi7vhpBAdw/SkuHivvca6CPOuMOS8Ic1k6er2aDGqlHxQenBqSF1LJvzTLhBvBUMLIE0oN921VaN8+EOcIsgWCp+Cc+Pm3SIq9lUyucU2lI6Tz9N0J9naqb1NC8XYu4W04PfOl1BjULpp7xGOZG2a/n+vRY8si7D7aTNxlzCUHPncyHte+pfYp7n3URMRGJcVAemaxBOQDMdaB+sqWMksuoohFGxTkxoJm5hVB0+31xb9bByWq8VZ0AgY6pctPA/awOef/fbFyx+xBf6Dwyif+g0jyBtFJaUEgTGMt4dDiMbN2xEgz/YOsxLOsCY/e7KR5+tYJJTT6sVW1zWajOTBHTCDy2A+bLQPw5sOzegi/pzwcK9qEuuaJBHgCxGTyNkGSagadGF8sXKoBhfzuSijQ+L2VsWaormDyjYT0mS7CGv0a6fvsb4/0VJEXOk6EuxDApSVEklmSti12R9oIZcYq506/jnSkRctl3lBj3SlbZp22zmRWon4M7uHOZvQC2ZwgUsyscHApQFr2mbwCH+heC+4j0iR5fok09j//vNf9mo6FvEYmPMMNvCCwb9tuMJKLBMmUc9Vos/ntFz5faOJ1KXJijSx8W1dGA2sHlUiDgyYj+5+76rReK1MYCsX6VO0qiqxvHqNJ7r+Tka2op8o2yPzuRjbTpGyo7VfdrFM0Dh7JGTEZNhWO7pRHtSbPCn+URyyX5bw/e+NJl7qYkFKskiJY6ZbKGbRxjrIG+ym45czeaIZl++W1+fPharuCyeZuVWeIRT9MoiG53NYpbl4adJgnIAFbQ7YSi7yv0Ct9ge/lcLVJ0dUxXkXdIgJlVQ/YBDVXbDHtxdKEjAmXAnySZgQJmagY2BphAPBwB/2uUR6KXCkTsl8NIqgB/uZ7aLx3LtpY9cHn9wtEtrxKVnCx/7J+SXHumjt947Sq3MwxXUuGdApfBHdfQ3fu+mRSRAJFG6B056/Wj+OypbUcObno3ui3bwj8cEAi5LrSyH15CHFUkyiVn+fOVQQZFvqRImnPjTP4Fte+FO9hN78S0rC1mH9tTCXoXQQijVxHo2oFF32iL8Rk2KGCeiP+eE99aN3pvaDnume045hORGRWM5xmksz6I1/rzDKhnYmGPbHNAgsxt6XtbsumiVso19K+K67en83mtxtDk0ziIF7crU1XQsatiH+aVfWJZokWJlayprq7+vUK8aZcYkRtOJycnUem3FZkSUZ0CV8t4QI/Rp6Npkjdbf34y9CcJrAYi4dUBsKDR17sLTw7g5sPKbyiTv7iB87WHyXJ+OU/Wn8Cjxu+YNAKO1/+Cads54xo1PQvMYjczy9tU2d08k+CBImVf/NNCeYw9OntDwKOC51MGeFt/Fzb4SHy0xifFR44vIlzmz/By7FUMBBFQAA",
            text: ##"""
// The text of an entity: laid out in lines, with their numbers, and marks at those at fault.
import { tree, valueAt } from '../json.js';
import { element, fill, plain, unseen } from './dom.js';
import { unitOffset } from './filter.js';

/**
 * JSON in lines. White space alone changes, and what cannot be seen in a string becomes its escape: the server
 * stores the same.
 */
export function layout(text) {
  const shown = (at, end) => text.slice(at, end)
    .replace(unseen, (found) => [...Array(found.length)].map((_, index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`).join(''));
  const write = (node, indent) => {
    const children = node.members ?? node.elements;
    if (!children?.length) return children ? (node.members ? '{}' : '[]') : shown(node.at, node.end);
    const inner = `${indent}  `;
    const written = children.map((child) => (child.name === undefined ? ''
      : `${shown(child.nameAt, child.at).replace(/\s*:\s*$/, '')}: `) + write(child, inner));
    const isShort = node.elements && !children.some(({ members, elements }) => members ?? elements);
    const line = isShort ? written.join(', ') : '';
    if (isShort && line.length <= 80) return `[${line}]`;
    const [open, close] = node.members ? '{}' : '[]';
    return `${open}\n${inner}${written.join(`,\n${inner}`)}\n${indent}${close}`;
  };
  return write(tree(text), '');
}

/** What `read` answers; undefined where a text is no JSON yet, which the server says better. */
export function attempt(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The JSON without white space and needless escapes, to compare it by. Text that is no JSON stays as it is. */
export function canonical(text) {
  try {
    return text.replace(/"(?:[^"\\]|\\.)*"|[ \t\n\r]+/g, (found) => (found[0] !== '"' ? ''
      : found.includes('\\') ? JSON.stringify(JSON.parse(found)) : found));
  } catch {
    return text; // An escape that is none.
  }
}

/** The JSON pointer of a member, below the one of its object. */
export const stepTo = (name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Whether two texts are the same JSON; numbers are compared by their spelling. */
export const isSame = (one, other) => one === other || (one !== undefined && other !== undefined && canonical(one) === canonical(other));

/** What `mark` takes of a problem's errors; one whose member is not there stands at what should have it. */
export function marksOf(text, errors = []) {
  const place = (pointer) => {
    const node = attempt(() => valueAt(text, pointer));
    return node ? node.nameAt ?? node.at : pointer ? place(pointer.slice(0, pointer.lastIndexOf('/'))) : 0;
  };
  return errors.filter(({ pointer, offset }) => (pointer ?? offset) !== undefined).map(({ pointer, offset, detail }) => ({
    offset: offset === undefined ? place(pointer) : unitOffset(text, offset), text: `${pointer ? `${pointer}: ` : ''}${detail}` }));
}

/**
 * The editor. `change` is told of what the user does; `mark` takes `[{offset, text}]`, offsets in UTF-16 units.
 */
export function textEditor(label, change) {
  const gutter = element('pre', { class: 'lines', 'aria-hidden': 'true' });
  const list = element('ul', { class: 'faults bad', id: 'text-faults', role: 'alert' });
  const area = element('textarea', {
    class: 'code', 'aria-label': label, 'aria-describedby': list.id, test: 'text',
    on: { input: () => (drawLines(), change()), scroll: () => { gutter.scrollTop = area.scrollTop; } } });
  let marked = new Map(); // number of a line → text
  let drawn = '';

  const lineOf = (offset) => area.value.slice(0, offset).split('\n').length;

  function drawLines() {
    const lines = area.value.split('\n').length;
    const wanted = [lines, ...marked.keys()].join();
    if (wanted === drawn) return;
    drawn = wanted;
    area.rows = Math.min(Math.max(lines, 6) + 1, 32);
    const parts = [];
    let text = '';
    for (let line = 1; line <= lines; line++) {
      if (!marked.has(line)) {
        text += `${line}\n`;
        continue;
      }
      parts.push(text, element('mark', { title: marked.get(line), test: 'line-at-fault' }, String(line)));
      text = '\n';
    }
    fill(gutter, parts, text);
  }

  function goTo(offset) {
    area.focus();
    area.setSelectionRange(offset, offset);
    area.scrollTop = Math.max(0, (lineOf(offset) - 6) * 20);
  }

  return {
    node: element('div', { class: 'editor' }, element('div', { class: 'text' }, gutter, area), list),
    get text() { return area.value; },
    set(text) {
      const { selectionStart, scrollTop } = area;
      area.value = text;
      if (document.activeElement === area) area.setSelectionRange(selectionStart, selectionStart);
      area.scrollTop = scrollTop;
      drawLines();
    },
    mark(faults) {
      marked = new Map(faults.map(({ offset, text }) => [lineOf(offset), text]));
      fill(list, faults.map(({ offset, text }) => element('li', null, element('button', {
        class: 'plain', test: 'fault', on: { click: () => goTo(offset) } }, `line ${lineOf(offset)}`), ' ', plain(text))));
      if (faults.length) area.setAttribute('aria-invalid', 'true');
      else area.removeAttribute('aria-invalid');
      drawLines();
    },
    /** Says why the text cannot be changed; null: it can. */
    hold(why) {
      area.readOnly = !!why;
      area.title = why ?? '';
    },
    focus: () => area.focus(),
  };
}

"""##),
        BrowserFile(
            at: "/console/transfer.js", .script, tag: "\"644c8cd0609e865621962f65c2a3e179\"",
            packed: "H4sIAAAAAAACA61Y53bjOg7+n6fArZISRZ5+5tjjye2995YdMxJkcyKTXpJOxuurc/Zp9sH2SS5BiDbj28svSySI8gH8AHk0gjeVk06iBWGhlR3aMei1o7eP3njv848/KkEqaI1eDu+gDQgIT8IYsamO5HKljYMtYIdLVO4LfOZsCUtcXqAJL9CzhqyqRgabdY2memqzyf6o05eo3kHRoNkLj7Tx7/ZAVNjLRMSiuUq1pY6UFFBXgl6hekOKTs9LWBl94XdfF6YpwYorfMvHnOhr9PJA2cXGoQ+n1mvSuOrWRnR0dJN6sdDXB8cWaNCbVjV+aby826zoIT3jhEM+dFRrZR0stXVvPqPz2MAU7t/CB5NhayWM+1z+B/3yQziG27fu3Bt+JjAasY+gW28P4YlFd3Q0Oj6Gz8UVJbbrwC2EAwEWhakXHhbVWB+LmCOI1qEJj2NQ2kUlS80IXi+kPyAtWCGbCo5HRxg8BGE3qoZ2rWontQJe/Uxf23wd4/UoeZcL2B4BcBi1Xi6FouBmtReD0/bFbZL6vOghe3Hb6VqQ0kobOZeqH13dHj1hA2ekd/riFlWtG/zys3df1x5w5V3NaafoM3gMXqd/7ivVPLVazSY7807rD4SZE4rf+wTm2YfaIGGjPNjw4Wtj8E+iWUolrTPCaQNOXA4Q6tZLYggMrqVbZEUZCy3PVgazEtTal1sMsjgnw7KFnFDwbqXpLcCgWxuV1Ga+BSddh2PIWMorvNDNZrx3uy/2sVA+YJp44MW3YHRQQLW1thn0JWSvocdQSTWH///3f1nQ0KEDab8WigvNmTXuFTfBG5j+IdcYxk9+t5AqQotcPi/BoXVeEyf0lM1lQ2z8VnmgVZ4XMH0M29TTVnQWJ4Ps/mZYSuh5jGyBHcneiu/GF2Xyzo7uYaAaoDdnNqFSARo9POxthJrhCM+8S7ptLboxJ3xY72G832GjP/6YSrA49JNUN3Gfp8gSqFShJyvXQjpiuTx7+80vsh2H8L3aQieX0o393b91q4S50evVzo/53OBcOIwLVVWR6+GB+IjviIevuOlDJxUSRCmB5wl/5+RiUc3R5Zl0uLRZUVRLscpzOhnSNHtxS8/9D2oWlXNqqtXaLnLvQDAS9xifkymbrjpUc7eIe5RA2lN4Da91+iLnoxXdoyjDeYNpwK1aohOV8k4S5M9xPl5++YZymE6nAbSogaUOFcTdQHcU9utaOVQOphQis39OzpeQIbXOTRafJHpc+tLTT6DjnMIo+tnO4xbC0iETxFqLRg2uOlHj19IF2OLl3yEHkTrWqsHWR9jEnT789sTZHULOEBEO8QYFHezJbmnXBPPZAW+WnMBfOfQX4Qnmmiqg0kMtnO8u+dCUIxTUtXOycKNd76TIIYo14sCcMTnquel9baQjyiY1mFmIxkEqDmgCIjyErua0wcYjpjsEbQJxCUd8/xu9jnt8wIxscLNj5/84N+94kLWdppT9GYrmjxA2L398hSZyY1zluFLWs5QlokkaGKiTMQZURAauxWbvvNMrL8jsywmJplMrEf7BgaD1mqaMWiyRyF8GgJ3uGp8JYx0l7Q92mdm7ARN/kwjfSnmN/Sy2HAI3AS9tIiWIkCHrG9P32etC1dj5RYro/PxG11C6QZhyGdedtl5bng1aSCwIVKJp3rxC5T6Q1qFCk2d11JkjbTBG4W48R1byooCwUa1M+H0DW7HuXF5MfqHB0YniZutptRkaQL5vb4Qm/dpQbsWOMdju/lJeGBSXkQw43+FcXEo6yycff06tha986C48Po1oeJxRtTLYdJyZnvsU9JHt6S2wffVUS5Vn1OAXYYqz1AezgRhOv/B6M58psVp1kue60bNTppgMeugjscWaPWGnY0/4I3zMJ3+VcnibbtNAxv3RP6OyenEb0YczyDLwccIXCwSD1sG1sNBh6+h7qsr6P0h55EP41hhcKPo9gwmDg+UJzHbkWHn9tV5i6HDZWl0qfa2yAbczmA2DK3U3Lqd8HyWqCLQPkNqlD67gqxu4MOjy9xq9BsPr4xmFmWrkUEmcpmU1zm7ytm6JKmPEZajMYs/ikcAiq/HV+/cazeZz7LD28eZZJWpn4WLtnFZZcZC17HW6wdnkV1vCq9Ef0G0kfxrhAy6h21pmLDuMQlKFrcA+1Ad21D/EsoUlWhtGqwadkB1M9ytojDY8kobJK9ruuaEmjYJte8n9HEUS39MbnMLt87OKJc58GsPiMGXNkli3iY3oznj4jcNEPvpXOJ7/0JwUoxLyJyXsTLJEeC3KUDYcwXj4jfefJKKBEBhRW2QEvx9X9k4Em2dU0YmNfuyjYIl+BtFTGkqh32XsE6I7zha3WGH57wZa5H8fqAbsLo3SDIlkq7YEbWg9NuH4dcxaQlJvdvXjlGKTFEn7Kp2gJAX+5KKwnfTx3CrDJzjXY174XyOXnzth/Etl6deGMS77ft/GycqNzxWaamOjPqR/8pgcj06c7bjg4zan8ZjG8zew1g01p7VrTx+GUaMVTnTjcKM8sFUTJFL/AwqvrdsWjfe7AEbtoMGwC3F8Jl9CoHGgPoa7oesL/uci5OjLL946fbibFxMepzGUP4RPosbHu381aGpPZYnI7vlRPWl1G4ldk3azFEheiEBGjo9C/AWiVRyh2Yvp4EakoQN/i9QiVeW+TpIUEBzkY8hczNn3UjX4rCS8zil56VdVOBHKhMrFrxqvKC+iNW6yYzoar+6rXZdnPyhqQEA9lhZpRGKtNCMFc/2Mb89hVad5hW38IkYbeDOLNajW9K0XwduX3hSCw/GG03P0YEdIfJbsJ/MVVxxp/MNVGus/J4eEC87Q7yOuWMoavVPmbsOjR3Dn1s06rRe+9flTP7ulwpXhHOTxXHGz/ieJFtF1FHVA6CSGES9QMEGeW2dQLMcHalNXic8qu+qkC9ljGxF4+rxY6VW0nNROwFS3JFGEkjw5YXzj5+xQO7FgtBpYNS3j9AxZ/IUztFxQvfwEHrq8+QIWAAA=",
            text: ##"""
// Entities as files: out as NDJSON, in from NDJSON or a JSON array.
import { elementTexts, memberTexts } from '../reducer.js';
import { tokenHeader } from './orders.js';
import { ask } from './server.js';
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
      const { text, json } = await ask('GET', onceUrl(url, { limit: 1000, group: null, aggregate: null, ...page, ...here(type) }));
      const lines = elementTexts(memberTexts(text).get('items')).map((line) => `${line}\n`);
      parts.push(...lines);
      rows += lines.length;
      held += new Blob(lines).size;
      isMore = json.meta.next || !after && lines.length === 1000;
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

"""##),
        BrowserFile(
            at: "/console/types.js", .script, tag: "\"af18a3bd89eb89e578198db80eccfafc\"",
            packed: "H4sIAAAAAAACA5VZ53bbOBb+P09x42RDMMtQ9vaVj0bTe3dmm49PDIuQhIQCtQRoR6vRu+8tEEFZ8ZQ/EgjgFny3EhyN4MVmbfwY7pY6gPXgQ9OaqgDtKplbNbfGl+/Y1bppA2xB+9cFrPSmAG/aW9MWcKfDbFngbhOWpoUdzNtmBVk5kg3lK5+dJ/qbLoTGFWBqszIuFDC3dV3AsqlRat1o/F3X2jr8a5sb3PShbqsB06pZ3eOobzwzutHOmZb+6WcTjC9g1nS0ZFbrsLkIOhiUYd3rD1gJkWfdAg/UBTp1sw62cRr1aZu7r3BjAcGuzPBMy+bunvxFg7rqVq9MMC1rPzOgPSAYhlAK39455IM4/9jWQ1akzz1etfXhO70YSqSpe7sidi/Mm+BRd7O6MS0/JLJyhGbsZnv435k1zgfEetG1BiagnF4RFvrG4GHpUMgHLZ/D5F1QWzhYtv4TphtDaDsj28egAkrk/TyCyWQCnavM3DpTwU8/QT+bua6uM5hGS6kcxsxDfdOR5sKoAP7D/7IsSRXY5eeiduQE6pVvHEv84uLbb0rE3Bueg+kUspOTLO8POmvqbuU8El2+AyDnGUNmqyyeCh/I87Ph6ea69ul4L9kJcL1ikdEh1PXjJ9toS4VLu2vZsStQjsCrMvY6ZJ197IIN1ngcE7/KLmzwzI63qDiRD4nZc4n4gzjgiYMtd63Fqe9Me2HwuBVt/idPjVhSqwMbkiJBfa3DsqybxdmpOoPfg6yN4M8FD+HdCZydkrUe8eNUFBOqFoeVcCOT0aAMzSf2janUWX6odW1vzfedaa3o/hU+wn/7Z2ZK+5MpKjOrdWuGBvkoTbENksFlJM5EPkjOlG2QNaqVVsh+vMTRrDLXZKh373X3jNS5uWUj/RgHyrE7ijwZI68Yayrza+1w1xZQSe9R3TvdOgh6kSFfuH6yFeQikx0w/2tSIDvNciIMNtR0dBO9AgIl2KoB11BoBnw2sMcF/GxpVhqZH+Lmm66dGT+A7YJnHgZtGJeHQTjMI0JW1sYtwhKmkoTVW3as9Jqzx7fzvHzV4B7CkB0kwl43M11nEe6kOFeWodryLFr3mVcxb1afNeDHI14Wz/PmAITP+xnrL5oWFYnxLHkFYcEAZrZoKRyWCxNUzyfnDJLtRmktBjEH+DAjCJNIKEwPdUPvCB8utVuY98NAwa80pSWe/yVTpRTKsw+kUK5MnDuFjYB0hSlw9OwZvA/iKFTTdUznTQvaQXPzyswC3Fk0c+NMCc9GMWmKVWFyX6/L0ytR4oQ0SBJhLA+DAiQLEdxKcH1guVv70Bq9+tlNpBK6EiX2eedm5COH2G8RetFesIIj2yItgJ2/DeIcWhO61vWonvfcdF0jswfcf6DsgOSmszV1EzAh6hL7mmBapRon7oz/ohjX/SyPkO6pTpKij/ZzMRqTmnWdAhT9OD3vcIuuNtcpCh3KywbaVfiMmsWSu5eAphWlaCKIKU4HVN7+b0B1PzZy8tEz2i0KcsFhQSOmxLTYg/JkyzVlXjdNq85OT+EZ8MTKOnVWwIAqx+T5u2tUYieu/GJpgMoLN0fn4risgId50+47V06i1oENY+61PJu5BU0eAW1XxwCoa6QwrQEdG1hYaiIG382WLIIjgpM8N8df4RSgqY2rPHx8S+6gW0SBXe8x60QDlELthjN3eK61ynlSKiC3IRSYEdW2mwUEoWtr8V9A2WvTCg1AWFpfPsZVJMPfwSRLg4l03EzPiwyDSjEMzRwusz7XRIe7ygdMSl1VfBY6nXGmjQ2h2kJlgrY17NhphWJpdNwQV/MoWGRugVvkSQSUl9iRcfrpU3i0MigO7bx/aNaGx5fU6ZmSrVXe6rozXuUF0I6AJvJXpW9W5iCCpiX5uYQO2TTL96dijxAId4S0TKDnncNoxJWVYUBs+EEcqBBfoJkNaHIK/9pUhCdxsP7DuvEGxUkpYZPOdVcH4omkm0RI3sc8TUW72G40OIYOtj0+A3uIcrGNsbWpMkboT6enBfzp9E9XpXWzuquMF6L4bjRlus6/DQUAgzrLfGX9mnyGTa7IRz/sfGhW8izqDSyfUNR+42YQ2R6p3mO8z1Ai93AN8EjoJ87M6CkbOo52/s60lC/vtA0Evso+/fgF+ezo9izLyxk7uoqnZSfYCnuxA5LGtXN+XTjQrrffL2gXtZgCN7EZjHsTJIaPZFP+EJw0Sqn9OCwvdSCEBWmWDbsr8kXhOy2puMRIQE6UNBQn48srQT1pTomm9CaoATMRGHXVgbr6P5zmuEZn7NhxE+qUlDZ9FrlOrzPcau2mtV3ZMDl9ypwn1G4/lV5iwp3ddS+MGR1nkpR51CCHJI2FLDRBxzySzhbzZbnu/FLxvrhhx7+J0yDO70ORnFQO9Muw/XKI9GdKYTLGkUxWY8m6aKwt2PhE5h2j9WB3EE9UN9hJJJhSCpVZzqIpK4h64rxHfjuZiMNyohDqR8P0MY2T4/uU07hyoFQMI1IrCUxxhjSDZJViLlLrcEzIO3WQTVTHP6cVqeKZh6atzL54B1jqPhdTI2B9ysRcjkWMrXzCLbVpXEjIYhdoXhoPFEASvlHoL2hUX14LyKRHy/KjlyTmkvzmtdmgZKpHLZ6UDXuVXx2Y5+0C+JTH/EnvxAwfDmyBIedmOpjqAVD79WQAjqbj7cnmPEFo7BvI8ZAjkzM36eht9YBkWeTMpAb4oPlkGq63J7Y6GZ882dpqd1KcUCwMHlmhkzHmnES8MMxzt6PuNfXm5wLIrG58ihYmGxZmSk9H2ZYzB3dBSXf2goMsc5XHVBRFiA1QqHnD92z9Cwf1K4qv9YbvGz60dhZgkm4IKns77LjRI+WeESbx1lNl36CXBrl3ktIqKVJxAeTrSJWVI64DtuLLwTwn16ZGVMklgvFhDBnOPadtz4VzFstfTVHi5qb1qWmJ+sg8TovIqpl1pHbJGFzgIbgpzS4rHfRzkjJhgqssnyJCdvZaEIrXvCqT81OWt545Wo+ZiK9zFa/1V7KKr0pwZ6KJozE0rt4wIvE2RHozx5c0mtGPFyKe26ygXxtXIigDnNd0Xzrpr04VewrzRJxeMu+s6C9fXsTneENYxPfkMVA/zedAaPvGnycLZsg3lvFGEKlsxd6Qyi4brDJ+1tobIy2qrdIWAN7QrRFfMy2JUyw/gyTiOkkFUvKOyGBysOO+RJR3WOmDqeve4G91rhLxdoq7fmEjfX/SOh3NVlxf7L12aljDXINsCmBluZb1bBUZqcQzU6QTgoOzM3d2G6YfrHzLVxWl9t4uHGtRQFK1GiOfJI3pks4SBbl4vUqLx+EhaBeQ2szfCsCRJVIa698+nHkT73/6dxCEg8qcB73Q1r0Fj8EXkP24YKOmvikdm+bTOUXD/QeO/fyOXVk+h4yjX6RvI5iemrDE7elDEGxMKOF9jibQ67XRrXzYkNdwS+/gtvUB+E5zU2bD7ysqe0wfOVoO+Ase5IfrI8xCnlY/itmIQz7LY8i5JlgKTUkWMqdnwY/5c5HqE+y+01zpTbwcR8/G17PIpnGUwfG88Sp/0Rzf4setVOjHvfEdDvsLPJQWT5kVpMUeP3HtoNE6JU7bW36N40CFaSoC+xwK4/vyj+ixB3+JdJOza7nTi344VCZeesiFR9Ln2HPJViovmzsnNzcvvaljP3IsN3rNwzGTyu3QyeQTFyYRYj4+5jtw0l08j/zt4tcyXhZmTE1XP/8HDfK2KJscAAA=",
            text: ##"""
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

"""##),
        BrowserFile(
            at: "/console/typeside.js", .script, tag: "\"bc7a67e06f6064971e8ee558bbb5f9fe\"",
            packed: "H4sIAAAAAAACA31X+ZriNhL/f56icsqez23Ye5f+SM+Z+74Tlh0EFqBpWyKS3DThm+Np9sH2SbaqJLCb7kwyM5bLdanqVweDAXxlFITdRsFceV3hea2g1j6AXYKs6xHo4GGpV61TvoDtWgbQHiq1qKVTVaQwjzJBB608rOWVAm1gYZvGmvKebjbWBdiDqlWDXKimUc1cOQ8vYOlsA6IsB8898j734vwW//fqupPhl74cOtEulDsRnbchWFOgD2apXfNwEYqDugJvU9cFrG2N7tdW4r92o8wTLWu7KmBTS23w4ewcBR5LV3XmBpVtTixJf4m+yV2PySt3dcsjuQj+W7stYL4LypNnLftCdHRDm8tHyWcvd/hPg8H/XqILBQR6sGzQDb07pfrm1nZ7YoxzsfvB4TVXtuD84ktfJsigToRqubNt6DEFjHXkuYdx9AGIAGPIKFc5jD+AT7/76styI51XTIOLCxBvvy3y8ySArjmWIEmWmHB4+b30tV6obFjAn4fDPC+AibUyq7CGD4gI778PAv73+r9iij4M7t+H7xGdlZNb5RiffLNzmLWbCu8zgyAvlWc0OrsFadS2hPuDe+qar7hszSJodLNSfuH0XGWOgqqrHPb3AGqFDuvf1Tme2f0D7GF8wE4mKn0l8o4jGkYGUkUXZE3AepC6Jz/8CL5sCbvEU64UauHkizxPaLjNwGSRU0CHObwgg8C4zZJPCTnZZCKepsITBZD8WvqjAQogH2+bnhYwEY/YTCeX7LIcH7M/cIzk2aeJ+Fxjuf/WKte5wJw10r9J5Gjtc+kDLNbSrFTfZo3kx0x9GF3udJx8ems8BmHauhbIxcXAQMru5GcnpzkniwMYc0XMvQQ61dgrbVYwTj0jE98SSVHzI+QVkHFemVE9xAzoquD8lpRbTOEeFmgXkygqsuwEIdkHfI8yZ5IcfsFGqelkB5tJNXWPTGydDkowGsvtete5eOy1b4ChNkvl/ogFO1QmPnr6vSi6vpCJZ1Q6PhrMS+z6Jsuk8VhZHYyT9ktjtwbG/Q6cWEuu6x46u7mAwPxusVaNRBPCxxOj4BNTqWu2LHQ8Er2DMQSaKJUFY6kCAzG2Bg+RgdinZSM3WTap5VzVBRjZqCl7zZ4yqoiWs19AWElRecy1wFwMGObKsdlwq5kcY7f+C1oloBXANvLYdE8lC/hrfkAYJjONDPbkJBrpU0l9t/UM5L8O/0pGe3PmqCDvpdbYijvQ5Fj4aZJk3czIZu+8u09NPsN8vphhzL7aKCNyrlKG3Zv4L55hqxz/icS+VNsEE5G/EaCs+Vg0P6XFQBvglLFgxCUXzAGhXC+pPJiGlXGi6il3a9Qh/c4skqZMbqUOPK4zGk0OAbiMQxbhq1gEg+Kz3rUKOJYqt62+7SjRGT/UJPKkrPWcxulDHKF1BvYxI0VqJ9RaXqT52EfZzTnJp8lwCmPqYHsBF4cVKPIcpt4IbjBOiDEpvcX5pxxnIoeoG2zsMIeA95iFipMtehdL9qSOY1z7PWL27v6uNkHP/MWALVx42WxqNf7TcDic5XnXBVK/wLr2dH9Z13Hol2XZM8r0Qw0TM9UafeUiJgeI+ALe3cfZFT8iqvPyudUmo47A5nB9/VHWrfIgTQVzZK7w6BTwZuHBLnmdjRfHxOqVxpZiXTyVR4cb6zlfG6mdBwr8VLAr/Q00fs3ZbT7fzZFj9k79ZCtU6Rvlgu4vFP1mGkdYxyXyaKwXOdbGrYWzW8BdHWvGtXgIXl93TFuFil/cXNdnqQq6rTMTB/Af9U7E19G3HV3sO6UMPT+jZNPhCwwidfLuAjFU1iiO1GGLzaK2bg8kjugfNVUa22k77j54MkZ0hlZH51f+wJtmRonsvtKbyPk/vt6d0RIPPchU85KKSOS9sG6cEv0Jv7AVEuguPLtGMDwO+74KGge8Tp/En8cgu8Rd46R6uxWDK5g7VyxgvYTsLa7U3i+abA+YwlqNYNatLIR5EZv7C3Exi0s1chzgwDq77HO1RLsVV8bK2qqc8ZDBO3V6RcrJiL3CtpmnhkiI7PWQJ08/f/r9U2oj3YSJreMCtYyDa9WML39Yyk9iYNT2e2TP+o2LYNHfbLTZtIHT4tRvrUaMjoAUH1NBBs8YTOhob52XbR36ijY3cjuXFa+lFFEha+XCTXHSCuN02e4XY5cG8ZDcZz5UNLfVbgQTT7PzYRRW19oHD9KDt9bQM/64dj6kmUsjlAZtUKa8AUReQzrQfkkhoVdeQ+LNpsf7oxdn0QuGveTQenRmIn6iKX7LLA/sbu2LgBv8Z/Lw7Fd59vt08u/t2XQ/LP7+lxfvDkoywvtPeUXN94gE6GjnSQ37xePhsTVB8VTEYNQqBGrItHWCTP33739JdJ86NT6fgXVwVoqkLxlCtbWPNqjQsEh1I90urpGPpVmoGndEzl28CQMQod3fe5jYbT6Myf8DLYyPig8RAAA=",
            text: ##"""
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

"""##),
        BrowserFile(
            at: "/console/upstreams.js", .script, tag: "\"27315c5b636e8a9ce689574d4d841fcc\"",
            packed: "H4sIAAAAAAACA4U66XLjOM7/8xSYk/KUWvnuwz33fZ/p/ZNKTWiJsdWRRY9ItceVUVU/xp5/9xX2/z5KP8kCICRSTjvzJ+EBECCIWz4/hyc75zujt24JpW7Bb8wBVgZwqdyYKgftYb/BP25neNpWsK/9BhfrcgNlZyrT+lo3xVm93dnOwx1szXZlugvzq3cwwE1nt6CK4hxB+9J0xVOnHkfg0u4OH7gcTGO2eFION3XT5GB3pv0Yj7XrHHaNrlv819kVAn2ku2qafF23tzkyS0iR1nllt0dkmtr57/XaJEC0dI+Z7RZviOS7ynQf9t5bJOxMWyV4vOfmmMRvp31tW+IoAe76tq3b9TH0ypnumclhr325ScB5+VhEGqHb0uQ0YBGtdId/Dt64HFnuaans+u0Kp5Ut6W8fmEGxbnf+8JPX3qBkdelxc10/M7izMbpCznLY9p5etrW+Ls0H+PB4fST3Lc/pJegk3aDMUX6fIxYK3O6D5J0+4J+tbhr5d6FXDSJ5+vej3eOo3tI9UWjpNTd2f3TJynhdN59rt8mBNMofnnQNMmvxiMPO4CTFpwuFA85K2zoPDbLj4B1ozR6+0bvs8lLhRmtKvJvKQa2trdRVDpeqqbe1LO5114bFqnYz8JVG6KvF4+T0727w+IwpL+Cdd2UI77yDRHvUvveCIDPVt7et3bdqAUu+dwDMA4vF2vjxkPfeA9Xa1qjFSIgepfGbQAqFHAi9gqNio12mwvZBIa4oQ0ZU+EUJPocIknJGbETGciErT5YpaC0bFHFyBicPlHOmFRFruKhQkD2RYXKzxuqKboXqXPo66H7t6zbYd2kcDHRb0u0sQMC57ORw/fod67nsLAawNzCuBaDF8PqdnIiMXufTtiwiDo2ukVelhuuJr60jrtqeXBYzIOMovt9+g2Spbyv0Nq2p5k8wWpxgx3vzWxONS0W2yJJBf9UZt0GuwkxXvHyDBhDUr+yQ51I36kqOSRztV3VbzRVdDkiVPFKY63kksdIBNNKaq/2caNBI24rq40C0gYZFtAThhV6AR/Ds9TuCQKfmUDoDiX/CyI9uxbYhu3P7gKUYV7SXkUXb9NuWn1Bvycj0ypAv2pDubm0nDN/BbLt2n9brvjNL9ImNMwF+Obm6LHumm55ReUemixyKoqBDYZhkdMMHEQM77TczBhj/Dg0qQF4yCxIdrxCDEAq3a2qfqULhiSMkiW7mAcQB0B1JLql98tJ7xeV47DJqKJ/YGd93LQQBLJnmS8Tgu568NobsZST7k+9QgTLihtcWo5yynzkERPlEEBgenw0im8lsIMpThg+ZEputYBw/NBvSGUzXUXWl5Do4GXMZdfKFhXPcr5gbCWRZjD7oxOQUpxgswA75GQgPmSJPTubyNf+X6LBIIVzdloZAfpJBpj0R5HBI4xm0hKQnaAlNOJfn0MuCINP/1KsrBct4IJ8ocoleOwrnc15R914Z/7PhTSgvfeYxMAW0uTSsZo/yRQu9o7vSQo6s1O4n2+E95A1gIBbFYBBNe9OWh2L33//2jSN8HOC/rVvk92H+//8DDA4EJjmJFYZSMvRiDYN9JANxxvl9UHKEuMLQn8o4IqTXiz6KT05nqX88deGrJEVx+HwQ4hUJdUpKszvKcejZfk6Vz9e+MazWcU3MgFI0SpHxkUST1/YhJeYbcfxBDIaPiWGmvrUwwuMdyAkFeVUFXGyMzCXAvXj+Jwcvnv91IvDi+d9Y6ah02BYqpKCZ6szW+iDfz+0evI3HQvDhMEjoJyM/f+st4FfDvBY2iNDYdh2qEW/tbQFvnZ/d9G1JLMAG5WbXnd6i4PYYOOxe8uAlcCa66stb4zmjiO53a1n835DT3epfs39nby6guLLLsstRAa5YRDGUyxl8T3pCSnFHm2xmOeC1xVCHuceUDwiBS+3hEfz7FXrqf7uiyPZvCw6G196m0I3BZSEoiScTvCSKwttEekyyM6IdIsHIGdcIYyZzzncXEU0JShodLp0+ZDpcQPImmi4GYJOCmgtDaLTzyG0Q+VAw/99ahjkFwooHQBDvwr/Bm28mZUKmpocUoz31/IoSFRmoYOUohvTtSFCLBRrbwLrEehvNE7Rj7iQZ81TQ1p4L3pVB1nOcOcDcGLa6uzVVqm60Vm7weE5/WKHqG0zKeSbyk+I1UztFfqBEKTg0XM5Z2OM6VM3Uk5Duk9nFpSPDU0daV50sPiTlItHGxZiVPZSJRXhJDE+egss0wet2hw88HiqppMQoUHkIRAnQ4mqkEK8SVJCC+Herp6b0Bd69q41jPNlD27gbFgVW9N50p2xS7JUkM9uP6iuAAyojQaFVFU9t3WYK/vkPUDPln17PNrPnk3efP2AMBZX2+hFfUCVJLb0sD8SnxDebyDQ1k1G6q/Wjsu86XFXLE6+nnDc7CvRk5HL4fTCpv9RLU+rjdDoPGiXrlHKlc8kkILQLqL74g244zWL1ofFD2VsEQnIH45B1IhtqjU9+3dWdcXKWCbMPPKqXqE+6umCUi65GEnqt61bQRL9SpKhzgXVAxB+Ndjbi0IRQuJmUxbVA5SPWPQEWRfy9FNVRZcgShYPxVDdF9/OBu3VwYzvw9ta07nFwZbozQGdQF41219Z7086djXa3n9rugtE4tscIpsvSOOQralLd7nrPyiQaGkAeMVVcl6xip50jBcGVzvzSo3irkPLDkNim1IwPni8wJwmkB3IseJhdeetH+LaSC2xsU5kOt/59I4eJmSYdwexuTI2u524+dAXqarieTDbIXwW1WNnqsEzsnVNjpBzip/ogyJdRQOUib4ylpxB+FIkxRk5hQbcHwhQxPYAqlgB1wOPGDGGyzEY11qwSDlm+VD9526HpSvZGLcnsUn3/5EJxd2TqmGXzFBIVaDiPAkK53Mm1WMOWMim42uKESFgPK2gwiCBLgjEHGBiJuU5R5GG/QPh0b4DhakFpfFdjoD2oxFw/0m1pGrQifvXhLFoEd6YqfHR7G7xfn3Q4v3FTL1jSvftufZeqXDiNArD0L27JUUm7W5yVp3yh9lQG9U0FK5J7gFtbS0DS3BrZoSC7JATdur1BaaMWhp0BHzjN7yLbC8mfQN94052GEWcsd0Tppn3wTMaLq5nIpJl65D76riFjPK0p0XJ/6U13QGBuT2eIGPekT4ybsWGcJdsSnqLiV/WzVP68P/cTti3vYcRtttrj7TRM0/78QH5jREED+e4nsRC8xHDOG9dXEZKcsPEM+vEnX39y8UkETswmxaCg+BA3tB8zhvCtYM6dbvAdxI4vkw8Nmfqe+UZXoIJSm2O9VbnQiSZE6f5S3gLJbrgmvIOnzrbSUaVvI5kAjMZE21SBiXZttIuFLenYnC/2PaATT/vi+d+Jsju0pdwk09RevRe+gsNbpApAhz2KR81uMHEEMOPgU34nut4xE/KECYGwkFKIUqt0uzbdXGgh7e62S4hxZU7vOLy8dz12UdQX3kmMp+geg/pjxm0RKJRHWhIC7tva1jjYb0xnpAopONrQeYGwIk+5uGK1a4w/ep9QbGLRDDBZfGdKg03BLBg8yCexjEwr/ZyTsWWH2k/0kW+CZ/JOQZMs+AIJmMWmrpAyQpBqxxlBznMkxuHi6P7eVCoJY9IA5pxqZCsHdRGE4qCNLQkSu9/Qmt6ydRRqfoHO7uGd9Ksj05+BSLsHwdJPGxSapPmjBDxhTvp6WYpBS0h9Ea86f5pX8M4fWtsY3c7wohIRtrzRsd39PqrQFTbD5zyNo3FjiFdmafG3jSCYcJ1ZO1l2jhrKshiqFzokOCrCDlPkCdQVpcGSEQv1oxcm3cljEfGhdiYkefX8fivaCNWJ4mRceqZSUaagjjcWAeq4SZoCzhqqi6lSOA2SFA6xUZr2PIWmjrqEADJih5l8kM5kvShtJeKSy4wbGiuVhOK3qK5kwdQ7OgQXfXQhciQ/CgBHifRWD8Mx57E5m0Jz55YPolF2vDUTSyyRUrCxn8qnHBf1Lwc8XbuTekk7gj9u02ckHkyf55YP1fezAj/l/AKLFCdVr8uUlymTm1fmmkP5BjUYKb32+p18eQ6QwzUMosBhQUT73fjpP6Fhk7X5bwPo4UHt68ooCXXyIT5Tn499r9o7abx5fUtwIBY7dcTJYGIbNJV0hCBxUV9PXSAghF8WQGUNOVfy+k1T3GMheiOiKg2Q0+6IDJ+cjvygYfLjEo1mH6CYUIsWsUzk3WFQaswsgQq5a0yhxjCgYIg/QcjC7x3mfW71ZJ7PSq8E/7OnnOI9B0WObXJ9ifp1Faa35uCWxBH9GT+f0O9UQDsJ1JL0hB+vUIKcU40mljv+jCTjeVASSTSj9BKwsIeKsaCwH3jodxWyjnTIopkWDQrpvYyclo11RpiRAM5LGV9s4KIASzHbeQkKVETPvkHIUA6WLjZ/mBhhllJNTID06v8ClA8jCzkkAAA=",
            text: ##"""
// Upstreams: can they be reached, at what speed, and with which credential.
import { memberTexts } from '../reducer.js';
import { copyAs, element, fill, openDialog, plain, problemCard, problemLink, refill } from './dom.js';
import { listPage } from './list.js';
import { command, orderButton, send } from './orders.js';
import { operationLink } from './running.js';
import { observe, watch } from './server.js';
import { absence, absent, bar, bytes, count, crumbs, docs, duration, emptyState, facts, given, heading, muted, noticeArea, onceNotice, optional, pageHead, rowLink, say, small, smallTable, tableRow, time, word } from './show.js';
import { detailHash, entityUrl, go, typeUrl } from './state.js';

const links = new Map([['connected', 'good'], ['limited', 'warn'], ['disconnected', 'bad']]);
const linkOf = (state) => (state === null ? muted('unknown') : word(state, links.get(state) ?? 'none'));
const healthOf = (row) => (!row.has('healthy') ? absent() : given(row, 'healthy') === null ? word('unknown', 'none', small(' no probe'))
  : given(row, 'healthy') ? word('healthy', 'good') : word('unhealthy', 'bad'));
const load = ({ active, waiting, places }) => bar(active / places, `${count(active)} of ${count(places)}${waiting ? `, ${count(waiting)} wait` : ''}`);
const ms = (number) => (number === null || number === undefined ? absent() : duration(number));
const states = ['empty', 'refreshing', 'ready', 'failed', 'critical'];
const credentialKind = new Map([['ready', 'good'], ['refreshing', 'warn'], ['failed', 'bad'], ['critical', 'bad']]);
const credentialOf = (one) => (one ? word(one.state === 'ready' ? `ready v${one.version}` : one.state, credentialKind.get(one.state) ?? 'none') : muted('none'));

const column = (name, label, show, more) => ({ name, label, isFigure: false, show: optional((value) => show(value)), ...more });
const figure = (path, label, show) => {
  const [name, member] = path.split('.');
  const read = (row) => (row.has(name) ? given(row, name)?.[member] : undefined);
  return { name: path, label, isFigure: true, text: (row) => String(read(row)), show: (_, row) => show(read(row)) };
};
const number = (value) => (value === undefined ? absent() : count(value));

const columns = [
  { name: 'id', label: 'Upstream', isFigure: false, show: (_, row, id) => rowLink(detailHash('upstreams', id), id) },
  column('link', 'Link', linkOf),
  column('since', 'Since', (at) => time(at)),
  column('limitedUntil', 'Limited until', (at) => (at === null ? '' : time(at))),
  { name: 'healthy', label: 'Health', text: (row) => row.get('healthy'), show: (_, row) => healthOf(row) },
  column('load', 'In use', load, { isSorted: false }),
  figure('latency.p50Ms', 'p50', ms), figure('latency.p99Ms', 'p99', ms),
  figure('counters.calls', 'Calls', number), figure('counters.failures', 'Failures', number),
  column('credential', 'Credential', credentialOf, { isSorted: false }),
];

const list = (place) => listPage({ type: '_upstreams', title: 'Upstreams', columns, onopen: (id) => go(detailHash('upstreams', id)),
  empty: () => emptyState('No upstream is configured. The configuration’s “upstreams” name them.', docs('remotes', 'How to configure one')) }, place);

/** Calls by how long they took. */
function histogram({ window, count: all, buckets }) {
  const most = Math.max(1, ...buckets.map(([, number]) => number));
  const name = (le, at) => (le === null ? `over ${duration(buckets[at - 1]?.[0] ?? 0)}` : `to ${duration(le)}`);
  const line = ([le, number], at) => tableRow(null, name(le, at), bar(number / most, count(number)));
  return [say(all ? `${count(all)} calls in the last ${window}.` : `No call in the last ${window}.`),
    all > 0 && smallTable('histogram', 'Calls by how long they took', ['took', 'calls'], buckets.map(line))];
}

/** The credential as the states that it can be in, its own marked. */
function machine(one) {
  if (!one) return element('p', { class: 'muted', test: 'credential' }, 'No credential is configured.');
  const named = (state) => (state === 'ready' && state === one.state ? `ready v${one.version}` : state === 'failed' && state === one.state && one.retryAt ? ['failed until ', time(one.retryAt)] : state);
  const counts = Object.entries(one.counts ?? {}).filter(([, number]) => number).map(([name, number]) => `${count(number)} ${name}`).join(' · ');
  return [element('ol', { class: 'machine', test: 'credential', 'data-state': one.state }, states.map((state) => element('li', { 'aria-current': state === one.state ? 'step' : null }, state === one.state ? word('', credentialKind.get(state) ?? 'none', named(state)) : named(state)))),
    facts([['Valid', one.valid === undefined ? absent() : one.valid ? 'yes' : 'no'], ['Expires', one.expiresAt && time(one.expiresAt)], ['Tried again', one.retryAt && time(one.retryAt)],
      ['Reason', one.reason && plain(one.reason)], ['Counts', one.counts === undefined ? absent() : counts || 'none yet']])];
}

/** Asks for tokens; they are sent and forgotten. */
function askForTokens(id) {
  const access = element('input', { test: 'access-token', type: 'password', required: true });
  const refresh = element('input', { test: 'refresh-token', type: 'password' });
  const lasts = element('input', { test: 'expires-in', placeholder: '1h' });
  return openDialog({ title: `The credential of ${id}`, test: 'tokens',
    body: [element('label', null, 'Access token ', access), element('label', null, 'Refresh token, if any ', refresh), element('label', null, 'Expires in, if known ', lasts)],
    actions: [['Store', () => send(['PUT', `${entityUrl('_upstreams', id)}/credential`, { accessToken: access.value, ...refresh.value && { refreshToken: refresh.value }, ...lasts.value && { expiresIn: lasts.value } }]), 'primary'],
      ['Cancel']] });
}

function probed({ ok, status, durationMs, problem }) {
  return [element('p', { test: 'probed' }, word(ok ? 'reached' : 'not as it should be', ok ? 'good' : 'bad'), status ? `: it answered ${status} in ${duration(durationMs)}.` : ` after ${duration(durationMs)}.`),
    problem && problemCard(problem)];
}

function detail(id) {
  const url = entityUrl('_upstreams', id);
  const query = watch(url);
  const notice = noticeArea();
  const state = element('div', { test: 'state' });
  const once = element('div');
  const body = element('div', { class: 'body' });
  const probe = ['POST', `${url}/probe`];
  const forget = ['DELETE', `${url}/credential`];
  const acts = element('div', { class: 'acts', test: 'orders' });
  const all = () => [orderButton('Probe now', probe, { test: 'probe', class: 'primary', at: notice, then: ({ json }) => fill(notice, probed(json)) }),
    hasCredential && [orderButton('Store a credential…', async () => (await askForTokens(id), null), { test: 'store-credential', at: notice }),
      orderButton('Forget the credential…', forget, { test: 'forget-credential', class: 'danger', at: notice, confirm: { title: `Forget the credential of ${id}?`, text: 'Its tokens are forgotten; the next call asks for new ones where it can.', act: 'Forget' } })]];
  let hasCredential = null;

  function receive() {
    refill(once, onceNotice(query));
    const text = query.text(id);
    body.hidden = acts.hidden = text === undefined;
    if (text === undefined) return refill(state, absence(query, 'There is no upstream of this name now.'));
    const row = memberTexts(text);
    const failure = given(row, 'lastFailure');
    fill(state, linkOf(given(row, 'link')));
    if (hasCredential !== Boolean(given(row, 'credential'))) {
      hasCredential = Boolean(given(row, 'credential'));
      fill(acts, all());
    }
    const names = (member, link) => (row.has(member) ? given(row, member).map((name) => [link(name), ' ']) : absent());
    return refill(body, facts([['Base', plain(given(row, 'base') ?? '')], ['Since', time(given(row, 'since'))], ['Limited until', given(row, 'limitedUntil') && time(given(row, 'limitedUntil'))],
      ['Health', healthOf(row)], ['Last failure', failure && [problemLink(failure.code), ' ', time(failure.at)]],
      ['Next recovery probe', given(row, 'nextRecoveryProbe') && time(given(row, 'nextRecoveryProbe'))], ['In use', given(row, 'load') && load(given(row, 'load'))],
      ['Counts', given(row, 'counters') && Object.entries(given(row, 'counters')).map(([name, number]) => (name === 'bytes' ? bytes(number) : `${count(number)} ${name}`)).join(' · ')],
      ['Types', names('types', (name) => element('a', { href: `#${typeUrl(name)}` }, plain(name)))], ['Operations', names('operations', operationLink)]], 'wide'),
    heading('How long its calls take'), row.has('latency') ? histogram(given(row, 'latency')) : say('This server does not tell.'),
    heading('Credential'), machine(given(row, 'credential')));
  }
  observe(query, receive);
  return {
    node: element('article', { class: 'detail', test: 'upstream' }, pageHead(crumbs('upstreams', 'Upstreams', id), state), acts, notice, once, body),
    title: id,
    keys: { c: { label: 'copy as', act: () => copyAs(url, [['probe', command(probe)], ['forget credential', command(forget)]]) } },
    update: (next) => next.id === id,
    close: () => query.close(),
  };
}

export const open = (place) => (place.id === null ? list(place) : detail(place.id));

"""##),
        BrowserFile(
            at: "/console.css", .style, tag: "\"03e2b13f79a149c8b9800089c3f6d2db\"",
            packed: "H4sIAAAAAAACA4xVWZejOA9971+h3pM+kAKyFjnfyzfL0+wzT7MbEMGnwebYzjbLfx8Jh3SgqvelEFfS9fWVuHsDP1UIuVZW1/jagjAIf2a6OM8usT9n8ObuSWq0dvA3AWttQptX2GAKtdxVDgph3m6h1MqlEC/a010StSewZ+uwCfcyACuUDS0aWW5B5DkqF3Z1UjgIMwlDH5tunwCE4c7ovSoutUOuPXledr8CeB4v4nWcT7eEa4XCegRblqtyw7A8iZJ1B6ulwiFqs9rg/T2hVtl6sUkubUshmb8/XyNPE6nAml0WXDhynSnMly8DcIbO0wrzjrPDkxs2ibO4TBbUBFd4j9hRafYORwdbrlfRShBMzEWRCYL1agxxUbbMRcGc8ywpy14qrUf14ng1T7qzlUW08fWOwqghai0WWRQxuWW2XnpUJkalxCaJYqZWlvfZfS8TMUMzPgUm5RJXrHsyX8ZlVy+vhNrhw3tM8oSAczGP48hfEJZuhCpINNZuMY/LOL90znWBKexl2GilSf4cA/jxy6/pIfwBd/tamAC+RlXrAD7rnCtsAFcsdzL6mEKyaU9b+Ncb+pdCOBE6NvP/Oga/PW7xRxOY7EM8Rxn+ht5k+hRa+ZdUu5R+NgWakEL8lgeMAI0wO6lSiLaQifxtb33vOP9EGg1mha027UukSrtJP6jTruApPMrCVSksEoPN9tqCn0Dsnd5CK4qi4xRBTFE/ukyU6MdLlofNHlbIR6fQbMn9BJV/dGqBKYVEFU2Xp8vSIuUlXugqpsSbDkk07uDv5FYMykoo68O8qNA4qzVIafqApqz1MTyl/sTM3jiZ1whtAIUUtd5BO9T/UUFTaSdVHECVTG/QMSkZwWyJzQfSXBWAKyjNyyPIR5TKZt/CAZmNqPuo0+2DW4HIs7KNqOtei+Pl6EobCg+d4ddLZw0elQBaQ//M/M8z8r4d8vIVS9HI+tyXYPB06Ie5v8VZV50KicyicvSD2jOv91HoX/tS7lxTLenovHn3ljfXOJljnAsz3ljjtxzzbzPxIJVCvute2UofObnVVjqpSV1irGsitoXLZMR8pKu7+aF3TAqVLApUpGwt27AVDJfKopsso5dTqlBJh2G3UfgWjka03W4odb634UFamdWdBfeOvdoNAVB7WYyHhhCDaYm9zr94ArxXCmnbWpy5j0J4KptWGyeUY9gT+m5/aUSD/G3ujXebszOy2Hb/pvCM/MUee9ZNAzwzQtbQih0+g7g08Mw6I1vgf3vIHcQrmklopKKNMokCBk5vRIuiQzV4LOiZL4Bb/d31DYVB4b39jlZZIx2zs31ISjY2BdYDDXEVLVUivW5GYUUcYvrnkfXov//E6bpYndMNVRgK7r/r3hyZEYqs8+ls/FqSarSoBqO4WkbXOZSqQiPdZSMWmGsj2IP+Cm842MMO/vZ27PdYKeu6x1ln9Fsc7dk+HPZp1wD7KGe+nT7c5nmlrXvfcI7NfqH7Low1md9K+167z0gdqs7ykeBdw2Ol/2vlOrMcx43/9/8p8E92a1fUKrA16a1zzjknSoRG3FagSWp62/M2nMJH8BXsL45H8UmMAn7CFLoANvV6HWY0JFBVACpXEZfubJy6OEplEcAEBVsdmoQc2qo2u8npqQ523ENkLQPuI1aa0eGAxzhzrU8N+X9fJGo8DzZFWZ1acLHQovGlRTcBK3j+fKU3R6vGbw2G8z9pFwxs6yT+z/94tfaUqTX6hyDLqLBQkPgiCCnZB4sYCEdWEzO0AUAym84XNm/3xH1d0emr/LrUL0dRcKS6e6DRnHCh8gRXu+P65mz1swYyaE/dIZmQCHEkfr2QLueVbYvyeAvdrqb0X1LVYkcsSGVtMBZhtr4kuFGnDENgs3vPtt8EuiE9dhBD+ozh/+714cS30CshMgChlqYnQk3Tn1lZNXptlRhhOe0PEJVQURPHq6eDFDXOLKWnvfN25503EFyMlfthJIi2xSPPIaeC4YkvhupmqeY93udbIirkpXSgCHVtKLofKnqIvyyaqsjAa7++GPBSAA4t0nQaY3KjgtSUg+IUTYwbkmJYQ2dLTw9HcmPN0eiSTSwMEZ13jrPuCCtuh5CTETIaPRnMaPxMpsxwecbYF1Xo6zV6Z071lUEB4ySADEPtHThwB1B9Rp3jiNdDAcXcGnJprNnHiwSttIPONwu20D4aIGh0FEkx86A/o1anrjsevD4mzFJrxlnDr2juHbVAjvKYHZS4o4bt33/8i/ofq+jCwU549PtmtaUu3+2ak/51AsDfDABShPqVedK68NgTtyAXVvAUj8KW0GmW4JuqTkQVLoGRPXv2jMb+IasOJR3ns96Y3uPhCGwYQXQSSLyiU8Qg8vopt9E1x11Ljr/bkLER8PrUjVWrd4b7xlbDEasg/PK6T+rCDzyIiftxmc/03qntqs1d5vdcOlNSrYY8M4+7VyznFtfq6a31+qo+VkRN3O+Km4H0DnkbAGKi5h9jJ3VTGXV4Fyh24c1LQP4lyBArk2reoywp28bokx5B3EngMlU3um3PIhV3cR5tqdKrFuQYRixWO0lPqIIAECmGsmi3uozbLKnU4kmVkIrVqb3zFHjWao4vabOM/jBcVXVGWiZPojOhnopNp5tQO338p//hLLMzilkcH9s7SX4oStzZkftqNYTNUv2yu6v1u+utXt8YH+HXY+UekHAd/b9MMKp/PYpqlB6BXkBffsLyTBgR4kxfsAwnpR3+3y9OrIs9dYvzETcslc9eLEUe8flzcx5rvT3uDKFpR55tS0BSo62583m+Fxfk2hA3EfVs40eOparDK6OIIRFpYWfppajQ74qVHh4eS40u4+1i3bUJn+i2oan0Zw9obwbNqd+GqYXJekumN8Q7DRhvaimDsSOT8s7MwAv2WfKkjNoJ6FDPR7qcnlYp7RSlR10H8szJd8DBU/pSa1IDWMqMlpI/uBQeGoplLcKtcoGbDCmZBKgZyOmKl/ey8HNZHVjKo7gwYYLTTySbwABvKzAC6ETdCAxo7d/OUBAPl+NWgs+LepCfNf4j3K7vHI0ka+t1mZj7cNANKzSAx4vD3e1WN/rFI+TArCeWBJ3z8BYrj27tJ5MpNfbNWN691zBiMFQJI8iXnVJxOPd4sURJKkEaBUp+OaUSVXqrOdfAhMftuqzDsJWG1SA1BV8p/97VP9J5H4xDjCJUs8gr6X3d3cmEPTzqpIpkSY8pQq6EguKrBRh+mJCB8OijYumJre/VF+3B0OvdsSCaxGoQ+05FpoiMrK2VVDvynXweujgYvxk6sq510ahpa+K06b41J9oYUS7bAGFlUHo9FGO8vD8jxUE9P3TbzGiYXXlFxT6fVLUuhoqOW7BxS+eKfO5G322oLtNiBVT/o8w4Xy7KRASXNFC131NlDT9QquuorMgKdmOb/qJDtaW3/Uo3o4RjAo31I+M8Q2EZJ/JWNyzUhwJq9W5D+YSiccLQrk1kuSPVJuJibn2XedrJ6+clL8XFYb09NrCwohaWkXYQORfzy1M4VlgUfwi/wVowljuk7eTyuCvqVptl67poik57SkmHOBvmlstcOmiUV+SEmb/N/uumWhv/vFhR4wE9aIFMlFmxa9gdM2DEzSU0odRNERUWNZFD1ToX3fkSOnVoIcgvrdvqogwXyByb1pzTzR1yFlOWC5n1SCGt1IWz5AD3Nw8l2J3T5lncHyHcVJGtcGYZ3N+X+2LHdc/9fUJwwxyLJ2eyqV6eyKEIDrdBO4k604xhnu4EmZoKe/fiHq4pukZmqSP6TiiXhhQLkNNhOlnKzqbQBC/rqzecq94mOR7BPgoSZBlcCjaf1jwyEZ6L9ILffLOAmzfaeZGHTir9F1UjDEVINIBrYExpJkP1tqKGH2CAh2YQMIpIaklxBf80IpSoUYEdOdVORxs2StfFPIcQ6sBRzmg1otokskpPplNGM7q9okyFd6P+WgOwMJhoDIvCxLsozKnlHu7WM6C0xihEeiEGcv31GfWW695pdNEaGRgrPpKOR6YK7Y53W4Po5ZZgY+792OTp/aB0mdZsMoDq97ulbY03xKyK5uJAHwAxO+hVyKeiyEyNCzLjpOzciTsM9RqjRKBRNsUtKa2e6BjSCjfEZ2lAEQnsVU5kja1e9E0qUJM85Q/Z8oZQqncueDy4SaeykmkrkUn2xnAxuAjFhSB7amWKlJIyuvDK7co7ajKbj6znuddlVair0HMx++I618ymbYv26jMKWz7itSyvt1CbzZdTpxv9CZnRZF11wEyXVAasustWurvV+hANaGa+hnRBoArqtvN0NM7HTdB3KZHKSpCMZdxwrNgvjfnPG58GE11Ymdkf86zTmTvc9rnlQwARjVY+FyCSkx5N2SX9f3UeUgY9jr071DU63W8R71iEaoPTFiapPMj2tEctRNRlosTL9CIt57grhXnlvIJHcU7pX/ih2LN+DlkfRzOHDCDOv4hCjAocY1npsj+m0tsXPmRsuxHWfcl2r9q4rrQ/rfXyUv36ouS7iM7pHC/RalwLX5PWGDuXkRoEb1WmFmbFI7uPIPY5wS6bYx1a61Cl5WwGRf77VGoB7uTNynCHsLScHS/clfvu4vWb+usPSdrH6vsn3dzZ4Jr04mNT3+DlDwBtO3tAnbWdrocrmlC5RHUN2DMPlE1oGXdVi05e2E1PSBCBc3s7e4oUEcZ9xgAxf5TVK/MnS+WyGrfiQ9kCoShbGiKghX77lGF0DeGxFc3QftGbIJJ5zDAGJ/j2fPpVzO9PuiXLLk9M2sHLaMJkhsPVvSanZsfLKMPrTxwWU96y7Cc7+IdpeI6AgmS9KweUjnwBCom+iDjFISOwS1lKMcHtXzzRi5QUsdxzkcD1MoHE1PAOIfCAaP/hRTDihZq8sDn/EMEbFoTjx90EUg/xGeCqfaD4LOwWRw1tzVvaffa4v6c9W3q9SQEAFcWo+5nqOC4xiYdRsfDxOQbVbsvHNio1eVSzGT2HgEkToifeIRbiFJMoMAz7rmbUFh+Wo4NZ+6ppjhTgczCsdN7vL3n5v05X0Vmu42I9lPwYiSeVuKYUK/MyEdIBYc9ck1WsnZKcgBi8Uyy2vi1e3Sn/MREPZ++PzahlygRVN8DZF/0nz4TP4cuSpfV+ZwElf1AiM6thUBrXLUYKjenWXYJhhW+e4lsORzL5sSa4bSLmJlMMImnzwjTudZgYn+t9EE0vpnjAisNBnjkM4p03zI0ybWXc1Uh7pJd7dmFcPfUl19AHnY+C3ZLqdGCQO6MdkK3K/cpAGNKkVAckunSqa9o5902NFRsgc8Qi9cZB9jWypz8Ocer99SOL4DAdgDbpdNuNFf4Fayij1YsxXd5+SP5H4K6B1v60e0h3tB1BIgrL5r7DPtwimTsGOngyftMcW8g236j2kwqql2NF2M4JR7HAulfeAkFmXsiEO69T5XovJZgzBlaVjt8xzpdXBKGSApGLvbwvOvI9kKBlkCzKc+DsZCL/AZ2bqyLRO+rhvGfUzMNbOCkon5RsIoC4pKCQD/hl57iR5wcf7oFIV7FxRSo7JU+QaPZOotuhnbGgv7apEuc0jtKxGJ8uU3p94UmOTh1OuUjF+YLMbB7i8k745XH9Iozr5yyuX8aRkPd8POzuXCsDHF2Adq5uNnPzyqo7Nq71YDBlZOdFnuFyQ91j9mMOkneyNlV3NsrBGghTG80H4OBlpTYu32ld36sk024hLyzDS0x77HKn3rQsnVrdwAOAhpIbgNpoyl2W2kPWCDlU7k17TZnc4/4dusQgiQhIepqyEbcrVsh2zIOd2RSnXcd4A67o/ZTzhHxeOa8vEE2nL5/2FBOUnYikxAORPPUGeAXkkYpYPkrDXMzA53XCYIhhF19MgPmeYcZYpLfhPBSVbRXYkUbvzTGHKb/FPLTbEtcEn20+ULNwOSAduEkcMONrkQlQO/1SU7GTjY/vBICgwMVdmmO11km/1mdF4g6t8GxgdN+33xaQ1UWeNnpFhq9hrAvr/MuLK+LKUERvHhIacrptuk8NA3taZQZ3Xmkss6cJkSjDMJc3dqUTss+jwfNEPWJoLd2I+GZXGVy9qGRlsr/f+8Im3A989/KJ2CBM95Ra19lM1NmQmHev5+L1POfvF+L9Ys7f5+J9HsC/HuPHUrbT5G+yid+ttUsCtWMKJcoKv0912zW62LeO3TtjTnRpDq11Sdf+TKMcH3YXytRfqbui2j3sxWLcZ1wBeuwfTNZFU6b5IWkePGqIGmsb4z2d4Zregi2AcWIvkwWc5dRe60FZ58/0OuBS9fQ3JHjyzRuS+4Qf2ehaF93VfNxTLB+hUYG2crjvDMik+zLjLo4BlKi9mtNdSWgnAY6g4Ahkaav+yDITQRDGxaHcLkKp5dWbHLS1tV6Plf3LSPnYnrJruBpe2fPTZdX96dCqexjuLBh1BqMny/y+Vyrv71QI5z3+g6N9YSKggx5egUKIN3wzU7YPmM0MF5duqqbtXDw2in6O8q8/44NozJT3CKQ/EP2lkW/9bntbdestjezL10D1xJMYaI+LQu3/AuuD2CQsgT7b0/3ftaGPMPIMNuHbujOuATR/TTEOO1MoqsDD5Jkm+pjh8kt4cDeaAr66sM7OK73ujk2mN5tzFJa1JvggGXKziWJM8R1yIT7IEIM9aXSrOzEOPgCoonxM0TS04LmaczTUZqjbbCYAYAslgKUFoO4BmA+nYBEFsBAAVkWcgKdqnlhFLmAgIpRAZlEirgUAyGUEQq5yS8KNvktcwNPfjAsnTtxYI7t89lVZ7jS/vyF9fxgo8ufKSGPTRa3WS4zis+d9s49dp7nHKWYvErMXdvZptWNVPEF4Pgg1Tligvh66bByvN93ebeIKwVtZH4/EaxwYluqOyBPfZMmyjm8psnc80dG2vi6u2wvU15KpL9HiAGiT9lDU7ZZucU327GJksaZ8WjiOcQ5GlcUefgWGsUNmsNqq9KBE97ZV/ENt79OHuj+8z2nc2aruyJpZZW49zqaonDNkXpm/uyO1U1jL6y5lG0XSN8pfrSfP4gPbVct9F+Rame/Ljyh3ru9/KXW+Sxc3ktILol5xbLi5j93axy/s41f1pS7pkx9u4Z4+4CJ4LGxhn6XRa355lMxEiNSLuImAAaF80pj9Psssf5b4Zlryv/x+n1D2X2vGCWEKg11dZn9SgPDzq8z0XxBvSuKSUxY0g/A4JpN8JAvtYVEdje65Qe0Odcoa3Ofz6YCeaDocToQp4eqDFKwPVPwuLc4lubigFYdMwHHBY9o5fiovcITjiEsJpZCx6wSN+mirFuG1UuLSpSA9AorQDDms+xFzEvHuk2svHpEvEzbV+7r0pzUN1DFmyVLOYKreaI260RvdtFmjy9Nal9n+eL6hJnOv9GGtnSoR3+mwT2jxkHzUVumi1dnxZHMC4kMcNgkPxSSDi33b+gbfpjnuh323BQtiAsj/Pz8AGITwIQoQchEKWBaOAmCAgm2ykWLaWwvJnIczefFNDaPdxVny5FZGL35Nf96qVOw6uLFKfh0ngauvGcbFFdU9aPovk+RbkRUlZZIgnHZ2vMTcTwvt9H8AbpyztFteAAA=",
            text: ##"""
/* The console's are `body.console`. */
:root { color-scheme: light dark; font: 14px/20px system-ui, sans-serif; accent-color: var(--accent);
  --ground: light-dark(#ffffff, #14171c); --panel: light-dark(#f5f6f8, #1c2027); --line: light-dark(#868e99, #6b7482);
  --faint: color-mix(in srgb, var(--line) 35%, transparent);
  --text: light-dark(#1b1f24, #e6e9ee); --muted: light-dark(#57606a, #a3adba); --accent: light-dark(#0b5cad, #6cb2ff);
  --good: light-dark(#116329, #6fd08a); --warn: light-dark(#7a4b00, #e5b75a); --bad: light-dark(#a8201a, #ff9b92);
  --entered: light-dark(#e2f5e6, #12351f); --changed: light-dark(#fff2c2, #3a3110); --left: light-dark(#fde6e4, #431f1c);
  --code: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; --row: 28px; }
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); }
body:not(.console) { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font-size: 15px; line-height: 1.5; }
a { color: var(--accent); text-underline-offset: 2px; }
h1 { font-size: 20px; line-height: 28px; margin: 0; }
h2 { font-size: 15px; line-height: 20px; margin: 0; }
pre { overflow-x: auto; }
article p, dialog p { margin: 0; }
body:not(.console) :is(h1, h2) { margin: 1em 0 .5em; }
body:not(.console) :is(th, td) { text-align: left; vertical-align: top; padding: 0 1rem 0 0; }
small { font-weight: normal; color: var(--muted); }
code, pre, .code, .rows :is(th, td) { font-family: var(--code); font-size: 13px; }
.muted, .absent, .null { color: var(--muted); }
.null { font-style: italic; }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.unshown { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
[hidden] { display: none !important; }

/* Frame */
.console { display: grid; grid: "top top" auto "rail page" 1fr "strip strip" auto / 168px minmax(0, 1fr); height: 100vh; height: 100dvh; }
.top { grid-area: top; display: flex; align-items: center; gap: 12px; padding: 6px 16px; background: var(--panel); border-bottom: 1px solid var(--faint); }
.brand { display: flex; align-items: center; gap: 8px; min-height: 28px; font-weight: 650; color: inherit; text-decoration: none; }
.brand svg { width: 20px; fill: none; stroke: var(--accent); stroke-width: 2; stroke-linecap: round; }
#host { color: var(--muted); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.gap { flex: 1; }
#who { display: flex; align-items: center; gap: 8px; color: var(--muted); white-space: nowrap; } #who a { color: inherit; line-height: 24px; }
.pill { display: inline-flex; align-items: center; gap: 6px; padding: 1px 10px; border: 1px solid currentColor; border-radius: 12px; font-size: 13px; white-space: nowrap; color: var(--muted); }
.pill::before, .word::before { content: ""; width: 8px; height: 8px; border-radius: 50%; background: currentColor; }
:is(.pill, .word).warn::before { border-radius: 0; transform: rotate(45deg); }
:is(.pill, .word).bad::before { border-radius: 0; }
.word::before { display: inline-block; margin-right: 6px; } .word.none::before { background: none; box-shadow: inset 0 0 0 2px currentColor; }
.word small, .word code { color: var(--text); } .word small { color: var(--muted); }
.pill.good { color: var(--good); } .pill.warn { color: var(--warn); } .pill.bad { color: var(--bad); }
#menu { display: none; }
.rail { grid-area: rail; display: flex; flex-direction: column; gap: 2px; padding: 12px 8px; background: var(--panel); border-right: 1px solid var(--faint); overflow-y: auto; }
.rail a, .rail span { padding: 4px 10px; border-radius: 6px; color: inherit; text-decoration: none; min-height: 28px; }
.rail a:hover { background: color-mix(in srgb, var(--accent) 10%, transparent); }
.rail [aria-current] { background: color-mix(in srgb, var(--accent) 16%, transparent); font-weight: 600; box-shadow: inset 3px 0 var(--accent); }
.rail .off { color: var(--muted); cursor: not-allowed; }
.rail .apart { margin-top: 12px; }
.page { grid-area: page; display: flex; flex-direction: column; min-height: 0; overflow: auto; }
main { position: relative; flex: 1; min-height: 0; display: flex; flex-direction: column; outline: none; }
main > article { display: flex; flex-direction: column; gap: 12px; padding: 16px 20px 12px; flex: 1; min-height: 0; }
.strip { grid-area: strip; background: var(--panel); border-top: 1px solid var(--faint); }
.strip > button { border: 0; background: none; color: var(--muted); padding: 2px 16px; min-height: 24px; font-size: 13px; }
.strip > button::before { content: "▸ "; } .strip > button[aria-expanded=true]::before { content: "▾ "; }
#events { max-height: 30vh; overflow: auto; padding: 0 16px 8px; }
.skip { position: absolute; left: -999px; z-index: 9; background: var(--ground); padding: 8px; }
.skip:focus { left: 8px; top: 8px; }

/* Controls */
button, input, select, textarea { font: inherit; color: inherit; }
button, .button { display: inline-flex; align-items: center; justify-content: center; gap: 6px; min-height: 28px; padding: 2px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--ground); cursor: pointer; white-space: nowrap; text-decoration: none; color: inherit; }
button:hover { border-color: var(--text); }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--ground); font-weight: 600; }
button.danger { border-color: var(--bad); color: var(--bad); }
button[aria-pressed=true] { color: var(--text); background: color-mix(in srgb, var(--accent) 16%, transparent); border-color: var(--accent); }
button[aria-disabled=true] { color: var(--muted); border-style: dashed; cursor: not-allowed; background: none; font-weight: normal; }
button[aria-busy=true] { cursor: progress; opacity: .7; }
button[aria-busy=true]::after { content: "…"; }
button.plain { border-color: transparent; background: none; padding: 2px 6px; color: var(--accent); }
input:not([type=checkbox], [type=radio], [type=file]), select, textarea { min-height: 28px; padding: 3px 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--ground); min-width: 0; max-width: 100%; }
input[type=checkbox], input[type=radio] { width: 16px; height: 16px; margin: 0; }
::placeholder { color: var(--muted); }
textarea { width: 100%; resize: vertical; font-family: var(--code); font-size: 13px; }
:is(input, textarea)[aria-invalid=true] { border-color: var(--bad); outline-color: var(--bad); }
label { display: inline-flex; align-items: center; gap: 6px; min-height: 24px; }
.acts { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.grow { flex: 1; }
.chip { min-height: 20px; padding: 0 6px; font: 12px/18px var(--code); border: 1px solid; border-radius: 10px; background: none; color: var(--muted); position: relative; }
.chip::after { content: ""; position: absolute; inset: -3px; }
.unseen { font: 11px/14px var(--code); border: 1px solid var(--warn); border-radius: 3px; padding: 0 2px; color: var(--warn); margin: 0 1px; }
.tag { font-size: 12px; line-height: 16px; padding: 0 6px; border: 1px solid currentColor; border-radius: 8px; white-space: nowrap; }

.chip + .chip { margin-left: 4px; }
.dangling { color: var(--warn); border-style: dashed; }
.dangling::before { content: "? "; }

/* Notices */
.banner { overflow-wrap: anywhere; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 6px 20px; border-left: 4px solid currentColor; background: var(--panel); border-bottom: 1px solid var(--faint); }
.problem { border: 1px solid var(--bad); border-left-width: 4px; border-radius: 6px; padding: 8px 12px; background: var(--left); max-width: 60rem; overflow-wrap: anywhere; white-space: normal; font-weight: normal; text-align: left; }
.problem p { margin: 0 0 4px; } .problem .muted { color: var(--text); } .problem button { border-color: currentColor; }
.empty { display: grid; justify-items: center; gap: 8px; padding: 40px 16px; color: var(--muted); text-align: center; border: 1px dashed var(--faint); border-radius: 8px; }
.empty p { max-width: 40rem; }
.loading { display: grid; gap: 10px; padding: 12px 0; visibility: hidden; animation: appear 0s 300ms forwards; }
.loading i { height: 14px; border-radius: 4px; background: var(--panel); }
.loading i:nth-child(2) { width: 80%; } .loading i:nth-child(3) { width: 60%; }
@keyframes appear { to { visibility: visible; } }
.dimmed, .dimmed .rows tbody :is(th, td, a, .text, .number) { color: var(--muted); }

/* Tables */
.answer > button { align-self: start; }
.scroller { overflow: auto; min-height: 64px; border: 1px solid var(--faint); border-radius: 8px; overflow-anchor: none; outline-offset: -2px; }
main > article > .scroller, .answer > .scroller { flex: 0 1 auto; }
.rows { border-collapse: separate; border-spacing: 0; min-width: 100%; font-variant-numeric: tabular-nums; }
.rows :is(th, td) { height: var(--row); padding: 0 12px; text-align: left; font-weight: normal; white-space: nowrap; border-bottom: 1px solid var(--faint); max-width: 26rem; overflow: hidden; text-overflow: ellipsis; }
.rows thead :is(th, td) { position: sticky; top: 0; z-index: 1; background: var(--panel); font: 600 13px/20px system-ui, sans-serif; color: var(--muted); }
.rows thead button { min-width: 24px; justify-content: flex-start; border: 0; background: none; padding: 0; min-height: 27px; font: inherit; }
.rows .figure { text-align: right; } .rows th.figure button { justify-content: flex-end; width: 100%; }
.rows tbody tr:hover { background: var(--panel); }
.rows tbody :is(tr, a, button) { scroll-margin: calc(var(--row) + 8px) 0 4px; }
.rows tbody tr:focus-visible { outline-offset: -2px; }
.rows tr[aria-current] { background: color-mix(in srgb, var(--accent) 14%, transparent); }
.rows .mark { width: 34px; padding: 0 0 0 6px; } .mark label { min-width: 24px; justify-content: center; } .rows .mark + * { padding-left: 6px; }
.rows .spacer, .rows .spacer td { background: none; border: 0; padding: 0; }
.sign { display: inline-block; width: 10px; margin-left: -4px; color: var(--good); font-weight: 700; }
.rows .entered { background: var(--entered); box-shadow: inset 3px 0 var(--good); }
.rows .changed { background: var(--changed); box-shadow: inset 0 -2px var(--warn); }
.rows .left { background: var(--left); }
.rows .left :is(th, td) > *:not(.reason), .rows .left td { text-decoration: line-through; }
.reason { margin-left: 8px; font: 12px/16px system-ui, sans-serif; padding: 0 6px; border: 1px solid var(--bad); border-radius: 8px; color: var(--bad); }
.bar { display: inline-flex; align-items: center; gap: 8px; }
.bar svg { width: 40px; height: 8px; fill: var(--accent); } .bar .ground { fill: var(--faint); }
.drawer { position: absolute; inset: 0 0 0 auto; margin: 0; width: min(440px, 100%); height: 100%; max-height: none; max-width: none; padding: 0; border: 0; border-left: 1px solid var(--line); background: var(--ground); color: inherit; z-index: 3; display: flex; flex-direction: column; box-shadow: -8px 0 24px rgb(0 0 0 / .12); }
@media (min-width: 1000px) { main:has(> .drawer) > article { padding-right: 460px; } }
.drawer > header { display: flex; align-items: center; justify-content: space-between; gap: 8px; padding: 12px 16px; border-bottom: 1px solid var(--faint); }
.drawer h2 { overflow-wrap: anywhere; }
.drawer .body { padding: 12px 16px; overflow: auto; display: grid; gap: 12px; align-content: start; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 0; }
.facts dt { color: var(--muted); } .facts dd { margin: 0; overflow-wrap: anywhere; }
.tree { display: inline-block; vertical-align: top; font: 13px/20px var(--code); }
.tree summary { cursor: pointer; color: var(--muted); min-height: 24px; } .fold { padding-left: 16px; border-left: 1px solid var(--faint); overflow-wrap: anywhere; }
.name { color: var(--accent); }
.small { border-collapse: collapse; } .small :is(th, td) { padding: 2px 12px 2px 0; text-align: left; font: inherit; vertical-align: top; }

/* Dialogs */
dialog:not(.drawer) { border: 1px solid var(--line); border-radius: 10px; padding: 20px; background: var(--ground); color: inherit; width: min(560px, calc(100vw - 32px)); }
dialog::backdrop { background: rgb(0 0 0 / .4); }
dialog form { display: grid; gap: 12px; }
kbd { font: 12px/16px var(--code); border: 1px solid var(--line); border-radius: 4px; padding: 0 5px; }

/* Start, Query */
.head { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; }
.head h1 { overflow-wrap: anywhere; }
.steps { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 12px 24px; margin: 0; padding: 0; list-style: none; }
.steps .scroller { max-height: 18rem; }
.steps > li > div > p { margin-top: 8px; } .steps > li { display: contents; } .steps > li > div { min-width: 0; }
.steps pre { margin: 0; padding: 10px 12px; background: var(--panel); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
.question { display: grid; gap: 8px; padding: 12px; background: var(--panel); border-radius: 8px; }
.question input.url { flex: 1; font-family: var(--code); font-size: 13px; }
.question summary { min-height: 28px; line-height: 28px; cursor: pointer; color: var(--muted); }
.question .fields { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; }
.question .fields label { color: var(--muted); } .question .fields input { color: var(--text); }
main div:empty { display: none; }
.answer { display: flex; flex-direction: column; gap: 8px; min-height: 0; flex: 1; }
.group > h2 { margin: 12px 12px 4px; }
ol.columns li { display: flex; align-items: center; } ol.columns label { flex: 1; }
.drop { outline: 2px dashed var(--accent); outline-offset: -6px; }

/* filter and chips */
.filter { display: grid; gap: 6px; } .filter p:empty, .entity > :empty { display: none; }
.filter .line { position: relative; display: grid; }
.filter .line > * { grid-area: 1 / 1; min-width: 0; }
.filter .mirror, .filter .line textarea { font: 13px/20px var(--code); padding: 5px 8px; border: 1px solid transparent; white-space: pre-wrap; overflow-wrap: anywhere; box-sizing: border-box; width: 100%; margin: 0; }
.filter .mirror { color: transparent; pointer-events: none; min-height: 32px; }
.filter .mirror u { text-decoration: wavy underline var(--bad); text-decoration-skip-ink: none; background: var(--left); }
.filter .line textarea { background: transparent; border-color: var(--line); border-radius: 4px; resize: none; overflow: hidden; height: 100%; color: var(--text); }
.complete { position: relative; display: inline-grid; }
.filter .line > .complete { display: grid; }
.options { position: absolute; top: 100%; left: 0; z-index: 5; min-width: 12em; max-width: 30em; max-height: 16em; overflow: auto; margin: 2px 0 0; padding: 4px 0; list-style: none; background: var(--ground); border: 1px solid var(--line); border-radius: 4px; box-shadow: 0 4px 12px rgb(0 0 0 / .2); }
.options li { display: flex; justify-content: space-between; gap: 1em; padding: 4px 10px; font: 13px/20px var(--code); cursor: pointer; overflow-wrap: anywhere; }
.options li[aria-selected=true], .options li:hover { background: var(--changed); }
.options small { color: var(--muted); white-space: nowrap; }
.chips { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 6px; }
.chips .test, .chips .group { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 2px; border: 1px solid var(--line); border-radius: 14px; padding: 1px 6px; background: var(--panel); }
.chips .group { border-style: dashed; border-radius: 16px; padding: 2px 8px; gap: 4px 6px; background: none; }
.chips input, .chips select { border: 0; background: transparent; color: var(--text); font: 13px/20px var(--code); min-height: 24px; padding: 0 4px; field-sizing: content; min-width: 24px; max-width: 24em; border-radius: 4px; }
.chips select { color: var(--accent); }
.chips button { min-height: 24px; min-width: 24px; padding: 0 6px; border: 0; background: none; color: var(--muted); border-radius: 12px; }
.chips button:hover { background: var(--changed); color: var(--text); }
.chips .not[aria-pressed=true] { color: var(--bad); font-weight: 600; }
.chips .join { color: var(--accent); }
.chips .add { border: 1px dashed var(--line); color: var(--accent); }
/* Entity */
.entity h1 { overflow-wrap: anywhere; } .entity h1 a { display: inline-block; min-width: 24px; }
.entity > [aria-live]:not(:empty) { display: grid; gap: 8px; }
.entity .facts { display: flex; flex-wrap: wrap; gap: 4px 20px; } .entity .facts dd { margin-left: -12px; }
.entity .columns { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 16px; }
.entity .columns > :only-child { grid-column: 1 / -1; }
.editor .text { display: grid; grid-template-columns: auto minmax(0, 1fr); border: 1px solid var(--line); border-radius: 4px; background: var(--ground); position: relative; height: fit-content; }
.editor .lines { margin: 0; padding: 8px; text-align: right; color: var(--muted); background: var(--panel); font: 13px/20px var(--code); overflow: hidden; height: 0; min-height: 100%; box-sizing: border-box; border-radius: 4px 0 0 4px; user-select: none; }
.editor .lines mark { background: var(--left); color: var(--bad); font-weight: 700; }
.editor textarea { border: 0; margin: 0; padding: 8px; font: 13px/20px var(--code); background: transparent; color: var(--text); white-space: pre; overflow: auto; resize: vertical; tab-size: 2; }
.editor .faults { margin: 4px 0; padding-left: 1.2em; }
.editor .faults:empty { display: none; }
.form { display: grid; gap: 8px; align-content: start; } .form .field { display: flex; align-items: end; gap: 4px; }
.form label { flex: 1; display: grid; gap: 2px; }
.form label span { font-weight: 600; }
.form label small { font-weight: normal; color: var(--muted); }
.form textarea, .form select { width: 100%; font: inherit; }
.form .remove { min-width: 32px; padding: 0; }
.form textarea.code { font: 13px/20px var(--code); }
fieldset { border: 0; padding: 0; margin: 0; min-width: 0; } legend { padding: 0; color: var(--muted); margin-bottom: 4px; }
.choice { display: inline-flex; gap: 6px; align-items: center; min-height: 24px; }
/* Explain */
.scroll { overflow-x: auto; } .small caption { text-align: left; color: var(--muted); padding: 4px 0; } .small thead th { color: var(--muted); }
.small .figure { text-align: right; font-variant-numeric: tabular-nums; }
.explain { display: grid; gap: 10px; } .explain > div:not(.acts) { display: grid; gap: 10px; } .explain > form { display: flex; align-items: center; gap: 8px; }
.conflicts { display: grid; gap: 10px; padding: 12px 16px; border: 1px solid var(--warn); border-left-width: 4px; border-radius: 6px; }
.banner ul { margin: 0; }
.deep-1 { padding-left: 8px; } .deep-2 { padding-left: 24px; } .deep-3 { padding-left: 32px; } .deep-4 { padding-left: 48px; } .deep-5, .deep-6 { padding-left: 64px; }

/* Operations, conditions, upstreams */
.stacked > section { display: grid; gap: 6px; } .stacked > section > .scroller { min-width: 0; }
.detail h1 { overflow-wrap: anywhere; } .detail > .body, .detail .card { display: grid; gap: 10px; align-content: start; }
.detail .small { justify-self: start; } .stacked > * { flex: none; } .stacked .scroller { max-height: 60vh; } h2 > a { display: inline-block; min-height: 24px; }
@media (min-width: 1000px) { .detail .wide { grid-template-columns: repeat(2, max-content minmax(0, 1fr)); } }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 12px; }
.card { display: grid; gap: 8px; padding: 10px 12px; background: var(--panel); border-radius: 8px; min-width: 0; } .card h3 { margin: 0; font-size: 14px; }
.spec, .spec ul, .staged { margin: 0; padding: 0; list-style: none; } .spec ul { padding-left: 18px; border-left: 1px solid var(--faint); margin-left: 3px; }
.spec li, .staged li { padding: 2px 0; overflow-wrap: anywhere; } .staged li { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.machine { display: flex; flex-wrap: wrap; gap: 6px 20px; margin: 0; padding: 0; list-style: none; color: var(--muted); }
.machine li:not(:first-child)::before { content: "· "; } .machine [aria-current] { font-weight: 600; }
button[role=switch] { min-height: 24px; padding: 0 10px; border-radius: 12px; } .rows button[role=switch] { font: 12px/18px var(--code); } button[role=switch][aria-checked=true] { border-color: var(--good); color: var(--good); }

/* Metrics */
.spark { display: block; width: 100%; max-width: 20rem; fill: none; stroke: var(--accent); stroke-width: 1.5; } .spark path { vector-effect: non-scaling-stroke; }
.spark .ground { stroke: var(--faint); } .spark .reset { stroke: var(--warn); stroke-dasharray: 2 2; }
.spark .series-1 { stroke: var(--good); stroke-dasharray: 6 2; } .spark .series-2 { stroke: var(--warn); stroke-dasharray: 3 2; } .spark .series-3 { stroke: var(--bad); stroke-dasharray: 8 2 2 2; }
.spark .series-4 { stroke: var(--text); stroke-dasharray: 1 2; } .spark .series-5 { stroke: var(--muted); stroke-dasharray: 4 4; }
.key::before { content: ""; display: inline-block; width: 16px; margin-right: 6px; vertical-align: middle; border-top: 2px solid var(--accent); }
.key.series-1::before { border-top: 2px dashed var(--good); } .key.series-2::before { border-top: 2px dotted var(--warn); } .key.series-3::before { border-top: 3px double var(--bad); }
.key.series-4::before { border-top: 2px dotted var(--text); } .key.series-5::before { border-top: 2px dashed var(--muted); }
.card .small { width: 100%; } .card .figure { white-space: nowrap; } .card summary { min-height: 24px; color: var(--muted); cursor: pointer; }

/* Store, access */
.files { display: block; width: 100%; max-width: 60rem; fill: var(--muted); } .files .snapshot { fill: var(--accent); } .files .active { fill: var(--good); } .files .damaged { fill: var(--bad); } .files .aside { fill: var(--warn); }
.check { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; }

@media (scripting: none) { .rail, .strip, .top > :not(.brand) { display: none; } .console { display: block; } main { padding: 16px; } }
@media (max-width: 640px) {
  :root { --row: 40px; }
  .console { grid: "top" auto "page" 1fr "strip" auto / minmax(0, 1fr); height: auto; min-height: 100dvh; }
  .page { overflow: visible; }
  #menu { display: inline-flex; min-width: 32px; padding: 2px 6px; }
  #menu span, #menu span::before, #menu span::after { content: ""; display: block; width: 16px; height: 2px; background: currentColor; }
  #menu span::before { transform: translateY(-5px); } #menu span::after { transform: translateY(3px); }
  .rail { display: none; position: absolute; z-index: 5; inset: 45px auto 0 0; width: 220px; border-bottom: 1px solid var(--line); }
  .rail.open { display: flex; } .rail a, .rail span { min-height: 40px; line-height: 32px; }
  .top { flex-wrap: wrap; gap: 6px 8px; padding: 6px 12px; } #host { display: none; } .gap { flex-basis: 0; }
  main > article { padding: 12px; }
  .steps { grid-template-columns: minmax(0, 1fr); }
  .scroller { max-height: 75vh; }
  .drawer { position: fixed; inset: 0; width: 100%; }
  .entity .columns { grid-template-columns: minmax(0, 1fr); }
}
@media (prefers-reduced-motion: no-preference) {
  .rows .entered { animation: entered 1.5s ease-out; } .rows .changed { animation: changed 1.5s ease-out; }
  @keyframes entered { from { background: color-mix(in srgb, var(--good) 18%, var(--entered)); } }
  @keyframes changed { from { background: color-mix(in srgb, var(--warn) 18%, var(--changed)); } }
}
@media (forced-colors: active) {
  .rows .entered { border-left: 3px solid; } .rows .changed { outline: 2px solid; outline-offset: -2px; }
  .rail [aria-current], .rows tr[aria-current] { outline: 2px solid Highlight; outline-offset: -2px; }
  .pill::before, .word::before { forced-color-adjust: none; }
  [aria-pressed=true] { outline: 2px solid Highlight; }
}

"""##),
        BrowserFile(
            at: "/docs/docs.css", .style, tag: "\"726fe9b78af103d45189e185ec5fc6c6\"",
            packed: "H4sIAAAAAAACA6RTV9LbIBh89yk2PS6SewpOzwFyBiSwxPwUDeA+uXsw+VFIb0+U5Wu7S2XYqWSmxgWKHouDYL4lWM8sVxt8HERI032At0b7wokzJyifR1hR2whdVMZ7owgWeUxneYjpKGNCNyHi6TqgmMcnlbGM28JSJnYuYKt4m+d/to5XUmhetFw0rSeYl6v1ZgBUtL5prNlpRlAbaWyhxPGx0HC2qSaod9Zy7d9fETx9MIG3VLuOXi+H37R3aIXnRQBrTq5XxcHSbgOz53YrzSEeCag+HVpueR9cG8YTIVuqhDwR7EShjDYx1wT9to8h2vjHocQQr/L4ntAwbsbWbM0VysX6R2zF2//k4fczelrJ0GSqHgpI2jlOkHYb3HplPps9SF4gUWHMvqRpJ/i8YcjtsOztkPYhJrTkRU1lQaVoQi5vujBoaiHZbN4d4YwU7LdTL2Y/k98zshXW+aJuhWRJkNwO0CaaIefjO9GWuePbBS7pS4TOCRblOseFarJPlogL6HSEDxoUXWs0B70t5WobmHaoThDecbmdBJFYIJSjow0HM9whmKrEaDp4ozgTFI+z7KvrrxriMgDyAcCE6yQ9EVTS1DeZEY4EdOfNtSNkmimhU8on/UD9AyJpYjE6PKd1+HX0fB6DP62Wq5YLAOjX+Et1BAAA",
            text: ##"""
body.doc { max-width: 50rem; }
.doc nav { font-size: .9rem; margin-bottom: 2rem; }
.doc pre { padding: .75rem 1rem; border-radius: .4rem; font-size: .85rem; line-height: 1.45;
  background: color-mix(in srgb, currentColor 7%, transparent); }
.doc pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.doc code { font-family: ui-monospace, monospace; }
.doc :not(pre) > code { font-size: .9em; padding: .05em .25em; border-radius: .25em;
  background: color-mix(in srgb, currentColor 7%, transparent); overflow-wrap: anywhere; }
.doc table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
.doc th, .doc td { padding: .35rem 1rem .35rem 0; vertical-align: top;
  border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
.doc td:first-child code { white-space: nowrap; }
.doc table { font-size: .93rem; }
.doc h2 { margin-top: 2.5rem; }
.doc img { max-width: 100%; }
/* On a phone a table scrolls by itself, and the page does not. */
@media (max-width: 44rem) {
  .doc table { display: block; overflow-x: auto; }
  .doc td { min-width: 6.5rem; }
  .doc td:last-child:not(:first-child) { min-width: 11rem; }
}

"""##),
        BrowserFile(
            at: "/favicon.svg", .image, tag: "\"74da0ce8a7fc1eb504afb9c9e1d3e1c4\"",
            packed: "H4sIAAAAAAACA0xKxRUCQQxtJS9cV2YmOKze6WHd3bvHLfrt3E8xLGVR9Romw9AcVXWeZ2Umpe5iVTDG1HsCYUrD2a4XDRkw4Nv7oH5u3CGBKC0KDau6ChH6oavzUMMVeXsRbT+CPKfBkGgovkKRVqHvNhp29VgFCIGGF65sYNOSIjYywfZO2PC8T4MzZcPYn8vY039+VPXzbSBn2nEBALPqppnPAAAA",
            text: ##"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="none" stroke="#3b82f6" stroke-width="2" stroke-linecap="round" d="M1.5 5q3.25-3 6.5 0t6.5 0M1.5 10.500q3.25-3 6.500 0t6.500 0"/></svg>

"""##),
        BrowserFile(
            at: "/freshet.d.ts", .text, tag: "\"71d656bc4ee70a57cbf47928ef45fa64\"",
            packed: "H4sIAAAAAAACA7VZd3fbug7/P58Cb9rtcXP3ctbp3vvuaVqCbTUS6UvScf3SfPcHgqYpanSebnEBIMYPIPLJJ/D9ZokG1Aw+eWGU3H9hRvBJWZwhfYGQOXwy02gWaGl8AJ/kKjOfTLVaG9RgsSwNLNQaBCy1eoGZdYSUxAFRXEuoxNKAXWC1v7dHrAIHuPJRfu3t4cul0hYsXQnuFyT8EQzU1Mk1gFcwEFqLDX8Zqws550+5qqao+XOqVIlCbqfLcnCw98nly3AVzkS5QtZGYQ0sS5HhGCYWX9p9UxYZDoUdAcr80mQfLn8SxCikRT2jvfDEnYBzOCWZxizZAQg7Bs/7wB0NA7hoH3+IbsUTIZ602+xISlGRLP4+Bzy6aiOtRP51YRewXggibYg6FLSxYtI8VDpH7TeRyQrNxMyIThTZAqY4pz10duJ5TEZ0ALDECqU13dd+pPJugU+aEp9EXWwlohl3/Lc/DgKTOEX3CsxmK5nZQslwbOiMEqhfGtdVR6RapwLp5rHeA1Yjppu9UO2drPOrNtk8gqVi9TROk8OtZI6zQmLepmSW7GP9hHhCI/ulu06YJLLOjS+FcZt0kX9PVId0prCb79Nr+Y9ENHan7xdI58BuHWlOWCFBGLj3/PEjiopv9j+d0Dx9kIsI/p8jZ/LPb/5JXxrZV9qCPJ4NHTy0BDjw0MGQ9PGhIzrvTdYJnJNoiT69l/7m/S2s/DEmLZ1Kh3kXHbSeaDUlT4PzPaADwq5MdHiaylQeQ8JNEOcyncnRiqJMphZEP5nQ+PcKjb2bJ7POZD+5oJ5IZa+UKHLUk7ELcRB5rtE48OehQX2G2hvW7ePYR41QsKH5emw8AE8m4YNaKw7b8+CbcRmWQosK07n01q0bklQzgxEZ4MLFI4Ba2UwxhAy8yj1eu8uJJUUK5gTbXUa4vhByjmwDdJO4s6snnPE6TUaTsxjlbhBEKHFmm9s0Cu+9/ccqddbiqaqqsKbuDGyvxQaQbLGxC3d+LQxYIghC4joaxc17e9DUJmqu8/YPKH6erojk4V2LFRxt/ft4h883KYzt90LP0bKONJlYyXLDDouk7UxJiZkNedMFJH9obKzMyI5shRqRpY+Ak3GIhWTVqJXO8GQXRMmiRqs3tRSRLIoYAinFjcww7ztV5Ca1Q1wh5dCa01FjxSorypO2pdCSOerxUxbGGpCK7K3RRZME4QKAayNBkhkizjWKM17CQhMcCuucxJciqSLmWq2WPsJOcROVlQrN3tY+RuDeoyoxn2ucE1sTDdCzoZ9IIbNylaODnmeYKZ0fhryUDoPbHTPMudzTAa89yQcCF5+0nAZj+nsHMmy4Z2hUeYbGRZPcVUVm4SB8IQwbdK0Lix4PhTRrBxk0om3ZShulo/myBZqhn6wXEVpVhcHDM1XkfN+sVAaHtOJmaMIBMIfdg8JYlKiHvpobeCgajKD0C0R1iG7jGK6vjFUVnzr0iHZ8CY6OmeQI1NJlU2fIqw3Sj/3KWzDneOdAdkHUKQSfew+2/dC03cfI42vWKQrtAkudogyYV4uytZDWgJJ4wAbysZWVBfGGSmxg6nZaKAVxGREV5a3l6SU+HGqaEoWhs0VJ93WQlhsiYteIEuxagbeJCWQWWllbYgsQngja5EVy+gQhFQPEWulT+m8hzmgOAmIq6QT35XbMru5gAuesEQms/YPtE8vzyByPKc4c1BhV4VTlm2CwfOTfKBN26K+/Gn31xdfuGlpkFjWn/Ykp/ocTIEKVMra7ir+lRRUfLyG//d0oMgmF8tZUvWRNXzzEN+quq5536aWRqoYrXdZY/PDsQc3zohext6Xp7rhd+c7crQz7fBdMJF7Pe8deETuvJybD3aBN/xRx2U/du2G7Tve0gkfyJm9n64ZiatiB9ik8luRnfomMy8/SCTnQhMtxN44Rs/FOJzlWuJSLaOY3ibL0e0wxlzSrVt4V2nda2mHinCPntSftewToS+Y7rKDk9+6Ob2eGLp29rTlCkdKQP1H51UZYCq9kpV31Mifj0yRrmpPuZLt5ApU4RcMhSWG4C3ili3kh63rMSmEMXI88HNgRFRJllVmlh1NhMGo2FdThy1rYbNEMiqWwi3hoGw9UIzSRrg1ZcNEVKBf+vRW7PvDRWzU/cnviqJm/6WPqdGjdh6+HtlZPEnpC6u6N19DxZn4S3iLGG9mg0K7Bsam3PQ6AmHG/iOOF3TDa0jPzlAwcNWscf59XJMxvf5BGW4j6TKzhPNZOdZTsbv9YwfvPCkPGjSCaVhw0VisZMbZZsYJMqrfG+zEWnyex+nzHZ+4t4p83/JOdvFVVk/7FmC9Go/crHt+pGu4tcgPUrheqxC0ujiAnd7Eczfzl03Jip+5K5iddWIsyfRq2DJd4b3x2BqU3zAoX3XySkqmYPXTYcBJZBO68+EhJDBsGl11tR9bG+v3v5lgtlUWZba7cd+oUoHGJwvqEwvlnVmgTKmGvEqf5tCfBfQHTNqT/nw3nkgz75dWp0vY5j0id7VteZU5wvm2ZREf2XGjijv9oFBoxsnxDScgNXKSI83iJWjAGH5FErxwP5Ce9W42EfF9sDL6HDBcHLUUfdGj3Ykty6ebaRMk1CBkOwnI/7R0hja510Eep++hBVwfEl8fnoQzuex/N0TaiuP3YIsYj39Zx1vZIGBN/SCawRdfXk+snExHFB70oy3clddW9Ym6jdAZXmk+POOlvxbMphabNXzm0rtWZSezVJN2GPhNly/aqjNY+iLr3hh7yH06J2/2+u2UcTYeh7IWzorRYg6W3YMaum3a92vDGokxZZSqEpRnHEP3tj7fgNHxcFTZcbgSDIh8cw3/5Fp1enmAKl0KcqoHfHe/oYq0aKvZihxXahcrj4c5qjZOYe7nVctObobQTSOGiphQPoLVWC0kXXK+3ORKyVbq7M3cRaKe17S1fNG5bfLG1qLXSjaZiCum1Je4L9wgXN/lucVcriuuaN5733eoxEHY/ooJSkLyHW7F/G/jFgXOIeCS2199I3HfH37QtdLJf08juPep7ojOLutsw0F1d9m6imNS+s8Mu/6Z93/fS7HjJa7Fu/sSMQK/9RAsPtKkw8d3T/8L3yexg7/8kRlDmwx4AAA==",
            text: ##"""
// Types of /json.js, /live.js and /freshet.js; /docs/browser tells how a project of one's own maps them.

// /json.js --------------------------------------------------------------------------------------

export type Kind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
/** A value and its place: `text.slice(at, end)`. */
export interface Place { kind: Kind; at: number; end: number }
export interface MemberPlace extends Place { name: string; nameAt: number }
/** A value with what is in it: members in order with their names, which begin at `nameAt`, or elements. */
export interface Node extends Place { name?: string; nameAt?: number; members?: Node[]; elements?: Node[] }

export function members(text: string): MemberPlace[];
export function elements(text: string): Place[];
export function tree(text: string): Node;
export function valueAt(text: string, pointer: string): Node | undefined;
export function splice(text: string, pointer: string, replacement: string | null): string;
export function idText(entityText: string): string | undefined;
/** The id that is given as JSON: `7.0` is `7`, as `7` and `"7"` are. */
export function idOf(json: string): string;

// /live.js --------------------------------------------------------------------------------------

export interface Entity { id: string | number; [member: string]: unknown }

export interface Problem {
  status?: number;
  code?: string;
  title?: string;
  detail?: string;
  hint?: string;
  requestId?: string;
  /** With `not-leader`: the address of the server that leads, where it is known. */
  leader?: string;
  errors?: { pointer?: string; parameter?: string; code?: string; detail?: string; offset?: number }[];
  outcome?: 'unknown' | 'not-applied';
}

export interface Change {
  entered: string[];
  changed: { id: string; old: string }[];
  left: { id: string; reason: string; old: string }[];
  moved: string[];
  commits: number;
  /** Why everything was told anew, where it was. */
  why?: string;
}

export interface LiveQuery<Item = Entity> extends EventTarget {
  readonly state: 'connecting' | 'live' | 'reconnecting' | 'failed';
  readonly problem?: Problem;
  readonly source?: unknown;
  readonly retryAt?: number;
  readonly at?: string;
  readonly syncedAt?: number;
  readonly ids: string[];
  readonly items: Item[];
  readonly total?: number;
  /** Whether the server lists no more than a part of a system type. */
  readonly truncated: boolean;
  readonly groups?: { key: unknown; items: Item[] }[];
  readonly groupsText?: string;
  readonly aggregates?: unknown;
  readonly aggregatesText?: string;
  readonly included?: Record<string, Record<string, Entity>>;
  text(id: string | number): string | undefined;
  includedText(type: string, id: string | number): string | undefined;
  /** Resolves when what is shown has the write that answered this cursor. */
  reaches(cursor: string): Promise<void>;
  close(): void;
  addEventListener(name: 'change', listener: (event: CustomEvent<Change>) => void, options?: AddEventListenerOptions): void;
  addEventListener(name: 'state' | 'sync', listener: (event: Event) => void, options?: AddEventListenerOptions): void;
}

export interface LiveOptions {
  /** A bearer token, where the server wants one; that of a client may be set later, too. */
  token?: string;
  /** The least milliseconds between two changes. */
  throttle?: number;
  /** Pages that name another worker have a connection of their own. */
  name?: string;
}
/** An event; of one that came before somebody listened, `text` has 65,536 characters of `size` at most. */
export interface Frame { kind: string; q: string | null; id: string | null; text: string; at: number; size?: number }

export function live<Item = Entity>(url: string | URL, options?: LiveOptions): LiveQuery<Item>;
export function frames(name: string | undefined, listener: (frame: Frame) => void): () => void;
export function keep(name: string | undefined, token: string | null): void;
/** The token that the tabs have. A page that has its `own` gives it where they have none; it is answered where all have signed out. */
export function kept(name?: string, own?: string | null): Promise<string | null>;
export function onToken(name: string | undefined, listener: (token: string | null) => void): () => void;
export function reconnect(name?: string): void;
/** A connection of a page or program of its own; `connect` makes one for another origin. */
export class Connection {
  constructor(base: string, name?: string);
  watch<Item = Entity>(path: string, options: { token?: string; throttle?: number }): LiveQuery<Item>;
}

// /freshet.js -----------------------------------------------------------------------------------

export type Value = string | number | bigint | boolean | null | undefined;
export type ID = string | number | bigint;
/** Parameters of a search by their names; an array is a list. */
export type Params = Record<string, Value | ID[]>;
export interface Raw { readonly text: string }
export interface Meta { revision: number; cursor: string; count: number; total?: number; next?: string; hint?: string; truncated?: boolean; [member: string]: unknown }

export interface Found<Item = Entity> {
  items: Item[];
  meta: Meta;
  included?: Record<string, Record<string, Entity>>;
  groups?: { key: unknown; items: Item[] }[];
  aggregates?: unknown;
  /** The whole answer, digit for digit. */
  text: string;
}

export interface Written { id: string; revision: number | undefined; changed: boolean; cursor: string }
export interface WriteOptions {
  ifMatch?: number | string;
  ifNoneMatch?: '*' | true;
  /** The Idempotency-Key: a repeat gives the first answer. */
  key?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}
export interface Answer { status: number; headers: Headers; text: string; readonly json: any }

export type Operation =
  | { set: { type: string; entity: object }; ifMatch?: number; ifNoneMatch?: '*' }
  | { patch: { type: string; id: ID; patch: object }; ifMatch?: number }
  | { remove: { type: string; id: ID }; ifMatch?: number };

export interface Client {
  token: string | undefined;
  get<Item = Entity>(type: string, id: ID, params?: Params): Promise<Item>;
  search<Item = Entity>(type: string, params?: Params): Promise<Found<Item>>;
  all<Item = Entity>(type: string, params?: Params): AsyncGenerator<Item, void>;
  set(type: string, entity: object | Raw, options?: WriteOptions): Promise<Written>;
  patch(type: string, id: ID, patch: object | Raw, options?: WriteOptions): Promise<Written>;
  remove(type: string, id: ID, options?: WriteOptions): Promise<Written>;
  remove(type: string, which: { ids: ID[] } | { filter: string }, options?: WriteOptions): Promise<{ removed: string[]; cursor: string }>;
  batch(operations: Operation[], options?: WriteOptions): Promise<(Omit<Written, 'id'> & { id: string | undefined; status: number })[]>;
  live<Item = Entity>(type: string, params?: Params): LiveQuery<Item>;
  request(method: string, path: string, options?: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal }): Promise<Answer>;
  text(item: object): string | undefined;
  revision(item: object): number | undefined;
}

export class FreshetProblem extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly detail: string;
  readonly hint: string | undefined;
  readonly errors: NonNullable<Problem['errors']>;
  readonly requestId: string | undefined;
  readonly leader: string | undefined;
  readonly outcome: 'unknown' | 'not-applied' | undefined;
  readonly retryAfter: number | undefined;
  readonly text: string | undefined;
  readonly current: Entity | undefined;
  readonly currentText: string | undefined;
}

export function raw(text: string): Raw;
export function connect(base?: string, options?: LiveOptions): Client;

"""##),
        BrowserFile(
            at: "/freshet.js", .script, tag: "\"8fc37b82a47e0670c6106a9930e46e2e\"",
            packed: "H4sIAAAAAAACA2RV55rqOAz9z1OcrcB82bC/L1+29957wSQK8Z1gs5YCU999XRLwnTtD0/HRkSxbymqF91H3mozAtvjEEXckaK3DQe2IC5ysuybHUKbBwdmdU3uGdErQqSNh05LU3eYZVo2tebV19sTkwJ3/hv8osGqTaNmUwjMfsFNBgCC3B+IS31jptNlBe9RpaqB2Shv4F1PtvN9spvcH6wT30M23beE/f6IbKXBU/UDvCx7ROrvHvFw9Z2vK5zxfX1w+tMZQLdqaAr0+UsYO5hM29bQnI0GfC+xpvyUXjczNUTPU5JLnrO4VM35QJ9zPgNoaFjfUYt1CvN/Sa0qnuQwGKoSvNR5nj7PZ6uoKX/z47TcRSxXVDA4noRg6WCWuVjO6CbklZTgfp8IoXb0DQ6cQOwHrJPprkAoFZnJHclCGT+SogfYKpJoC1uHU3QaOoxDU2JGExYZFycAbvF1gU9uGNnjV2LfS8qvLPKO08/HKfOfs1tcOPg8yDeNj56x7qSSHxCpwD0f/DcTyuU/Hkbjb91shV0DiydaDc+Mx4BEV7h+XUQvg4UBnnbIhUbrHu+9iQkRLTzkQ9uArAyAdhFF7QoX5i3nPM0aqAKqzRAIyRtDM1oOZrY5JVcnaE7Pa5eudNpJ5BzNbpVC4PHoCwpb+/DvjneuXUS+YZ5+N5BRuxrctFE5OC6X71vo8qXmGU0fhLkAL9uo2NfaWyKBWLrakHSSc/CW6B2q7z4uQkHyfPamGXEZJQMaYDj6yJiNn5G2Tofn1qJBZL3GerOPNN6GF9t+2iwwN1+PSkz91BLpRtcSoafCJxxwdNWtrOAzKUyjfSfG5uWJ5Uo8mtyr25q+krr9Wh8VynRYzlaeEFP19AzKi5RaK8YU6qh9rpw8Sh6aWNbRwDADNuKaDFDE/tsFWBrrBlm6thwJRG6EduTRH2sHEMTgVIHXalM/y0quRgCoOp/KgHNM0XgDdYhHmtm0jq/TxqqrC3AxhUs5DfV/5Jv4uNf+oWvo8pbAY2cvlxW+c4xfxWLiSSSK7wAtRp0Txio83mIZabahZYsJzxwmLzo5kcGnX6+mM82dePikFm61i2mCxvYUPoYZeIiE8DOe8LHDqLBNq1fcM5QgS7Enms59++g7vf/d5PiXPZa/Tg2gRAhSwhwByKntKMd6HD0NeiRSauLe1CsTSOr3T5uIXt5ImcHKJQq8Fv3X4MfLi7xQ52OvZk4GckrmH2Gvy6mVZjo752J1aKqqP9/bnH76Kzssxs7xngxaqpJnhU06okGX3GFJSfPt/p9bB3Dpyg/8K43iypJ9MXZtGR6PXrvdefM4jbdIyzxTlMeXX9DiTX5Mfll9yH4AltJBkXUnuzuIuFsACWLTd9iKaVUs2LorwI4icUg3PAGhW5cdPYwcYR/Pi0r3BrnzYuGIHI7wXL4p6aVxl7D58/ztHiJdX23Q8QuQnP9bLK6ikKZjHq/pG0hUfIWuf/SzIl3ZVcXtxlQasLNrmFagL0mlatxfNXQlVDsmKP3ZuTPbYjd9ySZSB/2KZUcRF6Mx4LylSofn7bRkn8JrtDAz1wp9as57htGvqiyomwmkB1PwDiJL1OQCkF02SWJnLDkQcVuRWtn9epHo0jWQVnUhx27sYIAyTBw3zrxBIcKQsQUDxXxGGQIjD8FCz28XdDfZkPqOJyfRiJpiS/TkBcEmSzuGWY/7kVCte0fEI2JapkdDPlA2/ovf75lw6ln2diogoRz4jA9L9WRa80ZQuIRfgVr1LRCeb6OqSkW3hIgKJbnlAx9TPsOjMCw3MAtKz2YfmxVuV5SOvf7Ub9p9Nw7tA9GHXGBUUt/mYLCiTOInypp7XyxzHRRxs/Zq9pICTf1QLPIIv9bazAsgl3PhI8LE/EiMy7kj0KxOi0I2gAJLgjv3Ud0DMuWjsiE4SzZD0d8w85T2FRFZvFXXH020E7+8PRuKMZfI+JpGEuIEF3iqp6u233jLQdffj1aKhBR6yLjsKkWbdJGT9BA6IBCZJGCXmDDS4pq8gPM4/gGhEf8u6W0K/S3EvkqzUbVRAkfPFsnIAftEi38fZV4x5C4XmmZCZLaIF71ciuLiyplpiSDYZTUQZls/AtAEspZGKRZRIAoE4ohOZfTBh4akhq3shS+Raa1lsehnjnFZra2DDEK6M4qMpoGS8jzKmC3GrWckIpnqvpSh6VVdNeSQ8DGN+u8zRNG01rRSz49kkFM9l0XTVAFLhN8MNun/zJvqHAtMHoeUfTNS7dxow3w+imABRTKDixuGdYuJy+eWdF2v0b5GmP7D+CIdH9MltVSzJWG4Bc9MUF1V3Er1AaEOiLplimPnMi2uCbe3R7DQgS05q0xbVoU/SqfjmhE6AzUnYzPfM5LwCVwBgqA19uq++/PY7F2X48f13zsRASSq4nIkFxUZsT8R3KdeSNxghXRUtnShxnh20y3EJ37ezipBdXGU4GU3D5+m5iCgxMiIgm07gW0lupi88KwnMvXtxXz367slHbnszKmDGkgT7+hbpQjuLAWX3982aa1is1ARS/0veyplMvoI36XOM4udl3cC+8UV1stmoSED4Yc957yYF0gkUM2QKBxrlc+sW578hL3XJTik8ff+z979734hBEJocY1MEDPFXksN/dhXSLDGzUZQfrpRc0o+fyVbyQPZMQOkaSgJcbiYXW1mMRHkPPWQa1NqyNrEaEHI/pFvcZsMeBIHvqx3LpEs2YvS3FQ520Ui9T7UgWwFq9HlNAbZpSOEtxrIoP12xe1yFh73v4XP9Efj/f/9HX8KPfJ7lxjrO+Rgs0JyRtNkYx99Uhhs/f3v8jDG7QAOrSMkAwT26EKEA+16RWTvBJOo94NxOT61mPKBkiPKBIwqjfMmZ4maEK5ac2TNeWwbkY49qfLji9f24LnNO+1aszc2cTImVGdBuesvgdwYQWyB4LpJkMKfIU+itz/iR5F11Wt34NCmnbmlOOcfQN5VUasRBJcoRbmhZLLiTwToIdm91QX5mxAnbctlUJCNbLYYqurttML2v2Ai8zaxZnBfNd4RrqKKnvlhluWlJq1FUmAURrYizoKIdbbEathWDIhvam0gtr0NxQMxY0uba9AVJfw8PSt1qjXCiv9dWvu0nnSIWFRpC2HInaoJSm6K7StEBOV+UiAjdECJvAUcNvE5MXxA+5ES6i1a2W9pD8E3VbdbFQH53cUHjwPbuW+8BhwkgwpmJ1dglM6IegdP8EZKbWVs0NusXI5AOuQj4I1mjxW0QalRk3JKiNSkS/dgVdyB+W79me6C6iqc6cg6PzBQO52PYP3Z2uFpj6/OACEvQJqCWGBhe4uOYjNXSeuJnqDwhT1fc3DS1GClfYriATMg9xHuz3GBbxvYgEbkJMyQ6icMsd+nedRw7HSWhMmjdigxmaw9M34KbS4WwUAwpLgtkUcugYSQat2fBb1Jg/fkkoYZgO+u53Ems7p2/wqAP6cThW/LaQVvoLKtXFm417vD9lSdP1ijWqfaYsaRHLIJskOFgn/Ck5PSQnOKKpEM/rXJBbUHiUDK+Fqex2EP0WA3aUcxtRm/kXhyCf5oW5+ghritahjwx4UU78Z5z0SjaMqROM/bR+4+euo0g4e7a6xYlolOmVdL2yCPqyjUI96noxkN2Lftyo4GPUSTXH0gqgvKirEtoaJBChiPFOxkuR/pcxdavzd6LbHFNp8p/CA9sH3AwXixywcD9jNAUradV/i0qVbSO+++hdoBZsOHHUJDHtZ0cRL1NvoJLBILlzoc29inpFiOdL8o7uPJZ8dyn2kRTmtgBNRqT/IUnTgwV7fEZGllEWuWxRTuk+cCQMy25AOTLv5yKzAzn467K5T6ju65KKuyFIUW/wZSOB4wh7klz/5lUzgOIZ1hyO+v8xfX7SL/D169gCZ9zQYUfX2Ar/uO6WkcMEyw8qrVfcR6B4wRYZsme/HA0+RONowG27hSUL81qjA2bnFpnK0FKcjbNdddceYw2eIhTP3UfXx4Ly2fkq4vZAB14SxHGfhwEYRHpMosMwrwHSVnhXhwO7+LV8afVK0YD4O0EZn9kt55UtbXZiZa6b5+BUNr718uJfRiNixDMwR1A/tVtdUnuSuYn87qt50WTS9pTlnCQ9jJwDi44EWoaOXOUMdK9XSqYOW2v+XaWHUc0NT2RKIPzJNf6/TcfP1lA9C1dBZkCZshkXZJ2CPYYGePnzQIXiEnQ8M92tf5HQ9zgpkd5XzUpsy6REp2bW+5PVqBCodfrVL378p0BujZTJYohb3Z8ELNkjNsuwadz96QBhytC2zMNfwcqQ7IMjFLQcye+nCEP15GDg7baV9xZcsjq9Gowp6Lzu5+/en/88dMpCt38hHDiHrxAttxKmVEtIQLJeJu6ozqOmM25+5rrXnK+IKS2nd6fq0B23kGpA/Tmzci5n/AlN0rSqqUXMl0s4EkqzZo4PvVvYc6o/JSfW3mpDotk/fXGKVmoWR0cLxkmth7R9tO6478xDyfDnRYkeCrrzWGCXqp2y5iJXNJPDleCWpjAFJPehuepJP1tUSP+9jkRgN+wtuNSF5pJmt5nKO1CD61/gkSLHCrvsnewABU7d0ujiZjCzm1Ie4hWbjcsyaTy3cvqEpuQbYiUvIaHpu+UpMbU++nhSuZk8+5fDkuBmWfZWIVXf+tkHgX9me4Tr/MXTKdnzpsDpEYYwtshfZjgtQ3J6asl3xqoO3qXpK+W4GMpiaenE/c9QdBKgnGqO5BPfqdUtBdUo+Btk1bnPMkZtH2JIBOifaHsdI10BQWvGs6pdONHfnYUPV4smqpo8aOe4cHCWdohk43j67ot9UQZtnhGidjdpPxfSC9RgruOj67OT/1psIdBkWJA1ETHFlZwlp8YaYW+0ggkbLFuTqKaJS2K0Aa1uMQkuFIV1pevAvHt90sCZzyLmJ+4Fj+kO5O55IwwqzRWaviBdyOlCw76ZX2bpaeQdJTsNrzzyQ5XBASf39NR7Dff3SBRyjiZ1hjK+XJ+lPNfsfIXhb8qDN79YCFEIkIgDkIFUYJNzuGIvMP4P/GvR28O0qOD5HAMg+6W2y41P/BW0R+Qa9KjsyOwhxGj9ZdSoHEQ/1o+SA5AoXpZXdg0ogKv/vC7ZJqevn0WqEBw7O0t+os+gZTYqQzuLsZCJotzuoOaaPamL9VMDabMvjz2AMe1XIkHrPRro+S0T+8gdyHiF2bHfIEneL4ovtAzun62hNGYkCWJcGqfqdEM1nDjw2+VtqJlr6kuyczp6OW7nmMergwsFcEDM9y+8aaxvRPbWFI9IsgHoo6Uu/1vLfSd3NYLFT8TtqL80DQlBxhNzB2OyMo+zQvaz36Cn6gMv6vW38ep8e3qPMjFr3yMdlfxUT8S+myLvwNFv5//1SwAAA==",
            text: ##"""
// A client of Freshet for pages, workers and programs that have `fetch`: /docs/browser shows how, /freshet.d.ts
// has the types. Nothing is tried again in secret.

import { idOf, idText, valueAt } from './json.js';
import { Connection, live } from './live.js';
import { elementTexts, memberTexts } from './reducer.js';

class Raw {
  constructor(text) { this.text = text; }
}

/** JSON text that is sent as it is. */
export const raw = (text) => new Raw(text);

/** What the server answered instead, or why there is no answer (`status` 0, `code` "no-answer"). */
export class FreshetProblem extends Error {
  constructor(problem, { requestId, retryAfter, text, currentText } = {}) {
    super(problem.detail ?? problem.title ?? problem.code);
    this.name = 'FreshetProblem';
    this.status = problem.status;
    this.code = problem.code;
    this.detail = this.message;
    this.hint = problem.hint;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId ?? requestId;
    /** Of a write that failed: whether it may have been carried out. */
    this.outcome = problem.outcome;
    this.leader = problem.leader;
    this.retryAfter = retryAfter;
    this.text = text;
    this.currentText = currentText;
    this.current = currentText && itemOf(currentText);
  }
}

/** The exact texts and the revisions of what was answered. */
const texts = new WeakMap();
const revisions = new WeakMap();

/** An entity as JavaScript has it; its text is kept, and so is an id beyond its integers. */
function itemOf(text, revision) {
  const item = JSON.parse(text);
  if (typeof item.id === 'number' && !Number.isSafeInteger(item.id)) item.id = idText(text);
  texts.set(item, text);
  if (revision !== undefined) revisions.set(item, revision);
  return item;
}

/** A client of the server at `base` (by default the page's), whose calls are those of the HTTP API. */
export function connect(base, options) {
  return new Client(base ?? location.origin, options);
}

class Client {
  #base;
  #options;
  #connection;

  constructor(base, { token, ...options } = {}) {
    this.#base = new URL(base).origin;
    this.token = token;
    this.#options = options;
  }

  async get(type, id, params) {
    needID('get', id);
    const { text, headers } = await this.request('GET', path(type, id, params));
    // With relationships the answer is that of a search.
    const only = params?.include ? valueAt(text, '/items/0') : { at: 0, end: text.trimEnd().length };
    return itemOf(text.slice(only.at, only.end), revisionOf(headers));
  }

  async search(type, params) {
    const { text } = await this.request('GET', path(type, undefined, params));
    const answer = JSON.parse(text);
    const parts = memberTexts(text);
    answer.items = itemsOf(text);
    if (answer.groups) answer.groups = elementTexts(parts.get('groups')).map((group) => ({ ...JSON.parse(group), items: itemsOf(group) }));
    for (const [type, rows] of memberTexts(parts.get('included') ?? '{}')) {
      for (const [id, row] of memberTexts(rows)) answer.included[type][id] = itemOf(row);
    }
    return { ...answer, text };
  }

  /** All rows, a page after the other; `limit` is the size of a page. */
  async *all(type, { offset, after, ...params } = {}) {
    if (params.group !== undefined) throw new TypeError('all() gives rows: what has groups is given by search()');
    const size = Number(params.limit ?? 100);
    const isWhole = params.ids && params.limit === undefined; // they have no limit
    // Pages of ids, of distinct values and in a remote's own order have no `next`: they go on by number.
    let byNumber = after === undefined;
    for (let from = Number(offset ?? 0); ; from += size) {
      const { items, meta } = await this.search(type, { ...params, ...after !== undefined ? { after } : from && { offset: from } });
      yield* items;
      after = meta?.next;
      if (after) byNumber = false;
      else if (isWhole || !byNumber || !meta || !items.length || items.length + (meta.degraded?.leftOut ?? 0) < size) return;
    }
  }

  /** Creates or replaces; without an id the server makes one. */
  async set(type, entity, options) {
    const text = jsonText(entity);
    const id = idText(text);
    const method = id === undefined ? 'POST' : 'PUT';
    return this.#write(method, path(type, id), text, options, id);
  }

  /** Changes members (a JSON merge patch: null removes one). */
  async patch(type, id, patch, options) {
    needID('patch', id);
    return this.#write('PATCH', path(type, id), jsonText(patch), options, String(id));
  }

  /** Removes one by its id, or those that `{ids}` or `{filter}` name. */
  async remove(type, what, options) {
    needID('remove', what);
    if (typeof what !== 'object') return this.#write('DELETE', path(type, what), undefined, options, String(what));
    const { text, headers } = await this.#send('POST', `${path(type)}/_remove`, jsonText(what), options);
    const removed = elementTexts(memberTexts(text).get('removed')).map(idOf);
    return { removed, cursor: headers.get('freshet-cursor') };
  }

  /** Several writes in one commit, all or none: `[{set: {type, entity}}, {patch: …}, {remove: …}]`. */
  async batch(operations, options) {
    const { text, headers } = await this.#send('POST', '/v1/_batch', jsonText({ operations }), options);
    const cursor = headers.get('freshet-cursor');
    const { results } = JSON.parse(text);
    return results.map((result, index) => {
      const { at, end } = valueAt(text, `/results/${index}/id`) ?? {};
      return { ...result, id: at === undefined ? undefined : idOf(text.slice(at, end)), cursor };
    });
  }

  /** Watches a search: what `live` of /live.js gives, with `reaches(cursor)`. */
  live(type, params) {
    const { name, throttle } = this.#options;
    const url = path(type, undefined, params);
    if (globalThis.location?.origin === this.#base) return live(url, { token: this.token, name, throttle });
    this.#connection ??= new Connection(this.#base);
    return this.#connection.watch(url, { token: this.token, throttle });
  }

  /**
   * One request; its path begins with a slash. A body is text, or becomes JSON.
   * @throws {FreshetProblem} unless the answer is a success or 304
   */
  async request(method, path, { body, headers = {}, signal } = {}) {
    const sent = new Headers(headers);
    if (this.token && !sent.has('authorization')) sent.set('Authorization', `Bearer ${this.token}`);
    if (body !== undefined && !sent.has('content-type')) sent.set('Content-Type', 'application/json');
    if (!sent.has('accept')) sent.set('Accept', 'application/json');
    const content = typeof body === 'string' || body === undefined ? body : jsonText(body);
    let answer, text;
    const target = new URL(path, this.#base);
    if (target.origin !== this.#base) throw new TypeError(`'${path}' is no path of this server`);
    try {
      answer = await fetch(target, { method, headers: sent, body: content, signal, cache: 'no-store' });
      text = await answer.text();
    } catch (fault) {
      if (signal?.aborted) throw fault;
      const outcome = method === 'GET' || method === 'HEAD' ? undefined : 'unknown';
      throw new FreshetProblem({ status: 0, code: 'no-answer', outcome, detail: `the server did not answer: ${fault.message}` });
    }
    if (!answer.ok && answer.status !== 304) throw problemOf(answer, text);
    return { status: answer.status, headers: answer.headers, text, get json() { return JSON.parse(text); } };
  }

  /** The exact JSON of an entity that this module gave. */
  text(item) { return texts.get(item); }

  /** The revision of an entity: known of one that `get` gave, or where `meta: true` was asked for. */
  revision(item) { return revisions.get(item) ?? item._meta?.revision; }

  #send(method, path, body, options = {}) {
    const { ifMatch, ifNoneMatch, key, headers, signal } = options;
    if ('ifMatch' in options && ifMatch === undefined) throw new TypeError('ifMatch is undefined: which revision?');
    const sent = { ...headers };
    if (ifMatch !== undefined) sent['If-Match'] = tag(ifMatch);
    if (ifNoneMatch !== undefined) sent['If-None-Match'] = tag(ifNoneMatch);
    if (key !== undefined) sent['Idempotency-Key'] = key;
    return this.request(method, path, { body, headers: sent, signal });
  }

  async #write(method, path, body, options, id) {
    const { text, headers } = await this.#send(method, path, body, options);
    return {
      // With `Prefer: return=minimal` the address of what was made is all that names it.
      id: id ?? (text ? idText(text) : decodeURIComponent(headers.get('location').split('/').pop())), revision: revisionOf(headers),
      changed: headers.get('freshet-changed') !== 'false', cursor: headers.get('freshet-cursor'),
    };
  }
}

function needID(call, id) {
  if (id === undefined || id === null || id === '') throw new TypeError(`${call} needs an id${call === 'get' ? '; search asks for many' : ''}`);
}

/** `/v1/TYPE/ID?…`; an array in parameters is a list, `null` and `undefined` are left out. */
function path(type, id, params = {}) {
  const listed = Object.entries(params).filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => {
    const values = Array.isArray(value) ? value : [value];
    return `${encodeURIComponent(name)}=${values.map((one) => encodeURIComponent(one)).join()}`;
  });
  if (id === '.' || id === '..') throw new TypeError(`no address has the id '${id}'`);
  const place = `/v1/${encodeURIComponent(type)}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
  return listed.length ? `${place}?${listed.join('&')}` : place;
}

const itemsOf = (text) => elementTexts(memberTexts(text).get('items') ?? '[]').map((row) => itemOf(row));

/** A value as JSON text: what is raw as it is, bigints as integers. */
function jsonText(value) {
  if (value instanceof Raw) return value.text;
  if (typeof value === 'bigint') return String(value);
  if ([Number, String, Boolean, BigInt].some((kind) => value instanceof kind)) return jsonText(value.valueOf());
  if (Array.isArray(value)) return `[${value.map((one) => jsonText(one) ?? 'null')}]`;
  if (value === null || typeof value !== 'object' || typeof value.toJSON === 'function') return JSON.stringify(value);
  const listed = Object.entries(value).map(([name, member]) => [name, jsonText(member)]);
  return `{${listed.filter(([, text]) => text !== undefined).map(([name, text]) => `${JSON.stringify(name)}:${text}`)}}`;
}

/** An entity tag: of a revision, or `*`, or as it was given. */
const tag = (value) => (value === true ? '*' : /^(\*|".*")$/.test(value) ? value : `"${value}"`);

function revisionOf(headers) {
  const number = /^"(\d+)"$/.exec(headers.get('etag') ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}

function problemOf(answer, text) {
  const about = { text, requestId: answer.headers.get('x-request-id') ?? undefined };
  const wait = Number(answer.headers.get('retry-after') ?? NaN);
  if (!Number.isNaN(wait)) about.retryAfter = wait;
  let problem = { detail: answer.statusText || `the server answered ${answer.status}` };
  if (/json/.test(answer.headers.get('content-type') ?? '') && text) {
    problem = JSON.parse(text);
    const current = valueAt(text, '/current');
    if (current?.kind === 'object') about.currentText = text.slice(current.at, current.end);
  }
  return new FreshetProblem({ ...problem, status: answer.status }, about);
}

"""##),
        BrowserFile(
            at: "/", .html, tag: "\"a3185e965212461dd1b8017c80211d61\"",
            packed: "",
            text: ##"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Freshet</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/console.css">
<link rel="modulepreload" href="/json.js">
<link rel="modulepreload" href="/live.js">
<link rel="modulepreload" href="/reducer.js">
<link rel="modulepreload" href="/session.js">
<link rel="modulepreload" href="/freshet.js">
<link rel="modulepreload" href="/console/dom.js">
<link rel="modulepreload" href="/console/state.js">
<link rel="modulepreload" href="/console/server.js">
<link rel="modulepreload" href="/console/show.js">
<link rel="modulepreload" href="/console/table.js">
<link rel="modulepreload" href="/console/effects.js">
<link rel="modulepreload" href="/console/list.js">
<link rel="modulepreload" href="/console/path.js">
<script type="module" src="/console/main.js"></script>
</head>
<body class="console">
<a class="skip" href="#main">Skip to the page</a>
<header class="top">
  <button type="button" id="menu" aria-expanded="false" aria-controls="rail" aria-label="Menu"><span></span></button>
  <a class="brand" href="#/"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M1.5 5q3.25-3 6.5 0t6.5 0M1.5 10.5q3.25-3 6.5 0t6.5 0"/></svg>Freshet</a>
  <span id="host"></span>
  <span id="pill" class="pill" data-test="pill">connecting</span>
  <span class="gap"></span>
  <span id="who" data-test="who"></span>
  <button type="button" id="theme" data-test="theme" aria-label="Theme: auto">◐ auto</button>
  <button type="button" id="help" aria-label="Keys and settings">?</button>
</header>
<nav id="rail" class="rail" aria-label="Pages" data-test="rail">
  <a href="#/types">Types</a>
  <a href="#/">Query</a>
  <a class="apart" href="/docs">Docs</a>
</nav>
<div class="page">
  <div id="banners"></div>
  <main id="main" tabindex="-1">
    <noscript><!-- noscript --></noscript>
  </main>
</div>
<footer class="strip"><button type="button" id="strip" aria-expanded="false" aria-controls="events" data-test="strip">Events</button><div id="events" hidden></div></footer>
<p id="live-region" class="unshown" role="status" aria-live="polite" data-test="live-region"></p>
</body>
</html>

"""##),
        BrowserFile(
            at: "/json.js", .script, tag: "\"bbdd16c3e9e1be06de3dd84ba6561d60\"",
            packed: "H4sIAAAAAAACA5RU5brrOAz8n6eY+6f0ddO7zMyMDxAnVk68J5Xz2SotvPvWsnNg+ZZBnhnNKNrt8MWP334DobPAsIUMhGk0HUU4hpMtoocMRsAeRzMeCIOJEI+WOr8nGHxhjubHLrhJwId9S+FN7PpAcSCpbS1RDyRcuUwU62q3uz7wfqaBizCYjAvw/fXRR5L4BpokqI6j62hlZAtiu27gFKfIMBFOcDIRp+BEiGv8QMY6voGYW4qJRNyeMDomE+A4i5g7NYhiuttE6yTCn1h7tTTJkJjYwxq+oVDjp3RGTdDfRT1T5Ymk+fHCYs4fh+BDg9PgI6HJnajk00CBEIq2KH6ayNZVtdts8NNA2FMyLSYhSaBvf6Yu06kNCrJN8n2wSc1mV9F58kHQH7gT53mGWKXyNX6tgEByCIxucKMNxN/2+t8Wywy/vH4qh5brN6vf79XQSHtiuZNjQjCXZ1NTIP6XHIVPasqhh3LeH8ectYop7GVIXShj+rcKJBD9hV0jKLyfc+/YyeVx74pYGs/MuXGTA5+8Y6GA1Q+ffIhXXn/6/Bps9hTfxIEtXQHJlrBFX3VYmP5WoaK/L0VOQc5qO89RMjLezu9Xv+aSNytgJAF7S3j7YU9aWY/ENzJoWe8DVvdoqTGtyTQoEDmUVfqSMfQs4HqsnqRf18W/+y5Twe/3vqai2ccKmzmpk5MBnmcnA6m9Fu0l25lV+6CF/iBwUuxrcq0ORKM2HsaxxvtlzjWUROQiTBuJRT9NE7Elu52v9CiXcU5TdbTU+xSLvInmuTxJhpEnMCIbpw7cb8HE0tLg2OqSGE2UebxrHZlAURDFXOLfLKTq75KPk261R8Fv8aBjjUftf/Ajnrz9ttqw1sgf/rXF0/Wb/2tuNNKHY5Kp/kr29h2ZDMGfwHTCD2kZ6pJbLWWgtOjGsk47w+wFbbJj749kl2WG/ujUOrQb13H2q/DPybmSJq6ZGmc8/rf33lfWHDM2ndFGsbwipx2P7rMvQMAQ6XJ7o1hAEPUDPMTSTnEIV21sscS32FEQ80c9OJOpKxVydRXuwIxAdhi+fP/wwbbepuIrW93g+bPeApTHhx5jndkGHiMkePDVV+w39N3z+zsh0+xswDEWt8sc24+44UkRL0CgYHb3KFtIoB/IJokc+gwTUZc7VnC7iMUBbwF/VdOYTXJwYdPvEf8+ZQFqRiqesH+x9EJysfHefovtHmuaOB18i75p017rrKPyrgIZWVGLyHs24xmRdncKnNl8UlM5PfAT4Cp4RUg+Xzf1Y0+5ulBTOoWGol53J9l8Ziq3TjeOKfQUfe235XK2yAqv8oniuZk62NSHTfhK2BKTlPcXyOBJOSK7WSw1V8cZrlyhTYNJgUgg/WHMwt0AuF5SQFxcvLyAUUMRs4RourgZjV6Ob26unz97+Wx0c/N0oR6M2VofEFflfelO5+ByhbApyMLDoWfBmuaDaXyMNHA7MbUuG+sGIvn/vi+XDyD04dv57qJcXUzS2eQizd9ezOfFk+ziS9qfzVdXWZb32mI4MJ/M0t8jxufPi7X5r3xcoFWUK1A0TVwXna6Rh2kMowZr0MhvtXVpuqPY0mZq+oaG6B5JyXGOrylX4OZ0QaCBEi0bchLZbgBu8ICAyvvyg9mgNjAzTlBH6NT3wIxkL4hNj7RfrwBDWWusDww91B2uwv8HI9biy5Hpjxen9YIM/sfWG8kz/isfFfSqi0QEh8wMwI+soQOBa4CNl/ebHmUBHw8wOCYJprSPpoEx0EMFgqqyFJUFKpwP/CibwTg3PyvS/KpfzGjqkvRIF6Gm8kKuYzNTU046V3gfpxSem3Wh/Pe+CEk9H2IRdBADkaAYH5SH+bh/AzbkDCiarsnk/ckoic9Po/NfvngO3qgXz3B8ghTbwO+0ezd41J8waWHWy7or8Lm36Bqb+tA5xbK8qOFhEc0RFUWgntXPNiuiDPxmA46g6fDt6GoIcwyoRf9HGPyhxLNVaV2IP5u6PsiYYxEmrg3wmBcoDjK11mWVLsDYzNIZD6wud7jSLnrK79cudBacyvHOIopPhF50VUPm0x06QuUbu9RbYxFx1RVgDDRuedUR3BHb5gmybTFttK54A9o/viYZJtmZlHxQBtyZ+3JjCeYOe0EmVqva+DpxEb6YV1l942yAQNCleB/YxjZN0aZ9hMHBXo1QA6XJ1+Ok5xmLZ0c4+3WSRSGe9Euwt7QM/BtKX7c4bQ2EX10JPBfE69FtD4PQonP8ha/eSxdJ+7hkEHHj3D4Li7DDySCs0ox/Mg0HEltxEAgP48joi/ev+epJdslORlfPPH1J9LNBThGAlgs16VzWC2qP73zIIo6RB6KCZ37k1IyJancbuM53hEBq90MRChlkPI1hCu8g6+wn0fdfXAPk0wNAkn0ztJSy3uv2cndwupUCHhsisI63tZil7sznmishkMMh4ETzCWGVdml/HOSMB/P5hBgoyVj/jnL9mXU6AV8VlIqE+UUC4Wy5Mh017RBdnS8m+ACCoxTZABEuLncwaieLb0SddE4eCnH6H+9KZ5Tdwna0oc3K7utKLc6mpQfSoyqz8VjcoXfWENsmOES1oP9Je8zC6Q4CMdHpEdh8AxB0Fkv5OmPIKOIQqROnmIlzNXfzzbwpnuxTbfBOum0PXL3AswxCotAhxoEOiy84S7r7mTgGnmY/yugrjv0o+kg7tAezWdu73HmGW9LO5c5fC/8PNNRGx7uzCwqDQ2kD9uEviYtBJwKTrH/ArXdy6+Hug9k6tYIuIPY2FxUEycouQAtV/fEw/IVJkTaSdeJNf/DtNUtqRx+zhNkQqfnWIfUoCNW9d6Z5rK0j+It3iLjrrUFpU5qqjM/HEmxIuPsVjV53V+nNg+2UMOrq2dvb2Hl84qa0LQ0oVpD4l/1JvXEaQmbDOzEqS/MQ0Y5McgsvOE64LCIyU+SiWNYsdaWbjlPNECRiQMptlEMQSSgiBJSBFdrD3vF6Gqmko8jNrh3DHelIEFWie/TQLEpdpI94fySDLMpEx/sPugIZW8tAW0R4nE93kZJVmx1TQAc88+j0W9MMQMb39p2/TEijccHWqeefJo8kndGV8WEKi+qkDaJ8zyiNA0iuHYGuY8mDxSRtgnmgSCSdndVSHooMlVtINfd7mIuNnG3ClZv3JngDBvcfU6tPU6DA5iR1/yh23zV6+WDcHqQ/bt1nJERvmkAdor3pW4VNTIr8fm5dVxBFLMb22CUD8xQ6p2ye86Ds4cOyAne89gJlg2A0nggaR+7R2rkZiluTSB4RLt9PtjGHVW0xqk47XsXKAmWFHIuOvbZ6ifB9zmIoSAhXROXouh+gbwXKM/ohfhmRjwyRH3lUznhTuNzxcruIjUkYpMAXohFF2pR25Hd7OvLXSqeAX5ZYjgzUJC8dVyDe0mTSku36GiTKWqfkQwqJpUA9gFMmJL8iaKalSmyu1M5YsaYoA8TIIN4igOJc1BCu/EZmbHLMmCZKSY/+n4WNPvKnAC2QlCn090ncUfeYzgzKzbJ6vzI2TeZzuHEWdkJO/DIJeJUOBiCHTRS3xC9kPr22i6g0j1KyaMdCobZ812lIkrm2RiW7ZMI3Sji8DZZzWY7zNK1eBKukq2jZwTKN1sHGu7qujN5EOzfBOjZ6o8W+kBnJaCyjaxk9ldGzZBKcfy7zL2T0UkavZHQTMYH2yWxA8affV05WIwOSaN+ZcBsp5SxeQT1ECUmEKIXvaQeIDgmvMUijScTtfeyWdcUv9dGgZyZdNGmizYaf6cF0eIDQ+Ffc7NYuqo5oB1XR1KGdHZ+aHEmKWlCJRKu4APxYN+j1eeIaL85krSuLA7KJwpf+aVpvqN4mR8KCw/4DehE47yUUlApEksEjjveIZ/ItSowUKEqIHIsysf8pFaa7sE2fUT6luaurWEVLQpR+3/Kdbn4C3+C9uDWAPbQL9Dz6dH0thgGb6LZ432vcNToOcRvufmEd64ymPqHPO01dKbxcw8YGXn/q9v/ztz9fZjHsoWcwZbS0+RwtCnrsw7v1pnHFl/f5fKX76x/1f17snrUZmxefiMwLrw1+NqYdgXmdf1LMM6ni6AaM1fGPzqfSE2dnSkkkInbIXqjN2Dzi6CzmIUBN6e+qeH1S8KhQxLvBxEgfTqwOJ27EUrQ7Ckn09kdjrb43PfpDM8w0NXzisgL7DMEfUUmh/OazLVAX60F8Q6TQMNtFhqUIT7ReZv8DTwanZy0kAAA=",
            text: ##"""
// JSON text and the places in it, so that no value has to become a JavaScript number; /freshet.d.ts has the types.
//
// A place is a pair of offsets: `text.slice(at, end)` is the value as it was written. Reading takes
// time linear in the text and a stack of its own, so depth is no danger. Text that is not JSON is a
// `SyntaxError` whose `offset` is where reading stopped.

/** The members of the object that `text` is, in order. */
export function members(text) {
  return childrenOf(text, 'object', 'members');
}

/** The elements of the array that `text` is, in order. */
export function elements(text) {
  return childrenOf(text, 'array', 'elements');
}

/** All values of `text` and their places. */
export function tree(text) {
  return read(text, Infinity);
}

/** The place of the value that a JSON pointer (RFC 6901) names; undefined where there is none. */
export function valueAt(text, pointer) {
  const names = namesOf(pointer);
  let node = read(text, names.length);
  for (const name of names) {
    node = child(node, name);
    if (!node) return undefined;
  }
  return node;
}

/**
 * `text` with one value replaced by JSON text, or without it where `replacement` is null. A member that
 * is absent is appended, in the style of the one before it; `-` and an array's length name the place
 * behind its last element. The rest stays as it was written.
 */
export function splice(text, pointer, replacement) {
  if (replacement !== null) read(replacement, 0);
  const names = namesOf(pointer);
  if (!names.length) {
    if (replacement === null) throw new RangeError('the whole text cannot be removed');
    const { at, end } = read(text, 0);
    return text.slice(0, at) + replacement + text.slice(end);
  }
  const name = names.pop();
  let parent = read(text, names.length + 1);
  for (const step of names) parent = parent && child(parent, step);
  if (!parent?.members && !parent?.elements) {
    throw new RangeError(`nothing can have the member or element ${pointer}`);
  }
  const found = child(parent, name);
  if (!found) return replacement === null ? text : append(text, parent, name, replacement);
  if (replacement !== null) return text.slice(0, found.at) + replacement + text.slice(found.end);
  const siblings = parent.members ?? parent.elements;
  const index = siblings.indexOf(found);
  const [from, to] = index + 1 < siblings.length ? [start(found), start(siblings[index + 1])]
    : [index ? siblings[index - 1].end : start(found), found.end];
  return text.slice(0, from) + text.slice(to);
}

/** The id of an entity as text: `7` and `"7"` are one id, `9007199254740993` keeps its digits. */
export function idText(text) {
  // The server writes the id first.
  const quick = /^\{"id":(?:"([^"\\]*)"|(-?\d+))[,}]/.exec(text);
  if (quick) return quick[1] ?? idOf(quick[2]);
  const id = members(text).findLast(({ name }) => name === 'id');
  return id && idOf(text.slice(id.at, id.end));
}

/** An id that is given as JSON: of integers the one form that addresses have, `7` for `7.0` and `70e-1`. */
export function idOf(json) {
  if (json[0] === '"') return JSON.parse(json);
  const [, sign, whole, part = '', power = 0] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(json) ?? [];
  const digits = whole + part, end = whole?.length + Number(power);
  if (whole !== undefined && !/[1-9]/.test(digits)) return '0';
  if (whole === undefined || end > 64 || /[1-9]/.test(digits.slice(Math.max(end, 0)))) return json; // no id of an entity
  return sign + digits.slice(0, end).padEnd(end, '0').replace(/^0+/, '');
}

function childrenOf(text, kind, list) {
  const root = read(text, 1);
  if (root.kind !== kind) fail(`expected an ${kind}`, root.at);
  return root[list];
}

/** The names along a pointer, its escapes resolved. */
function namesOf(pointer) {
  if (pointer === '') return [];
  if (pointer[0] !== '/') throw new RangeError(`a JSON pointer begins with /, ${pointer} does not`);
  return pointer.slice(1).split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The child of this name or index; of several with one name the last, as `JSON.parse` has it. */
function child(node, name) {
  if (node.members) return node.members.findLast((member) => member.name === name);
  return /^(0|[1-9]\d*)$/.test(name) ? node.elements?.[Number(name)] : undefined;
}

const start = (node) => node.nameAt ?? node.at;

function append(text, parent, name, replacement) {
  const siblings = parent.members ?? parent.elements;
  if (parent.elements && name !== '-' && name !== String(siblings.length)) {
    throw new RangeError(`the array has ${siblings.length} elements, so ${name} is beyond its end`);
  }
  const last = siblings.at(-1);
  const key = parent.members ? JSON.stringify(name) : '';
  if (!last) {
    const inside = parent.at + 1;
    return text.slice(0, inside) + (key && `${key}:`) + replacement + text.slice(inside);
  }
  // White space stands before a name or an element, and around the colon: the new one has the same.
  const before = siblings.length > 1 ? siblings.at(-2).end : parent.at;
  const space = /[ \t\n\r]*$/.exec(text.slice(before, start(last)))[0];
  const colon = key && text.slice(stringEnd(text, last.nameAt), last.at);
  return `${text.slice(0, last.end)},${space}${key}${colon}${replacement}${text.slice(last.end)}`;
}

// Reading ----

/** The one value of a text; nodes are kept down to `levels` below it. */
function read(text, levels) {
  /** Objects and arrays that have not ended, the outermost first. */
  const open = [];
  let root, name, nameAt;
  let at = blanksEnd(text, 0);
  for (;;) {
    const kind = kindAt(text, at);
    const isContainer = kind === 'object' || kind === 'array';
    const end = isContainer ? at + 1 : scalarEnd(text, at, kind);
    const parent = open.at(-1);
    if (isContainer || open.length <= levels) {
      const node = { kind, at, end };
      if (kind === 'object') node.members = [];
      if (kind === 'array') node.elements = [];
      if (parent?.members) Object.assign(node, { name, nameAt });
      if (parent && open.length <= levels) (parent.members ?? parent.elements).push(node);
      root ??= node;
      if (isContainer) open.push(node);
    }
    at = blanksEnd(text, end);
    if (isContainer && text[at] !== (kind === 'object' ? '}' : ']')) {
      if (kind === 'object') [name, nameAt, at] = memberName(text, at);
      continue;
    }
    // Behind a value, or behind the bracket of an empty container: what ends here, and what follows.
    for (;;) {
      const container = open.at(-1);
      if (!container) {
        if (at < text.length) fail('expected the end of the text', at);
        return root;
      }
      const closing = container.members ? '}' : ']';
      if (text[at] === ',') {
        at = blanksEnd(text, at + 1);
        if (container.members) [name, nameAt, at] = memberName(text, at);
        break;
      }
      if (text[at] !== closing) fail(`expected , or ${closing}`, at);
      container.end = at + 1;
      open.pop();
      at = blanksEnd(text, at + 1);
    }
  }
}

/** A member's name, where it begins, and where its value does. */
function memberName(text, at) {
  if (text[at] !== '"') fail('expected the name of a member in quotes', at);
  const end = stringEnd(text, at);
  const colon = blanksEnd(text, end);
  if (text[colon] !== ':') fail('expected a colon', colon);
  const inner = text.slice(at + 1, end - 1);
  const name = inner.includes('\\') ? JSON.parse(text.slice(at, end)) : inner;
  return [name, at, blanksEnd(text, colon + 1)];
}

function kindAt(text, at) {
  switch (text[at]) {
    case '{': return 'object';
    case '[': return 'array';
    case '"': return 'string';
    case 't': case 'f': return 'boolean';
    case 'n': return 'null';
    case '-': case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9': return 'number';
    default: return fail('expected a value', at);
  }
}

function scalarEnd(text, at, kind) {
  if (kind === 'string') return stringEnd(text, at);
  if (kind === 'number') {
    const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    number.lastIndex = at;
    return number.test(text) ? number.lastIndex : fail('expected a digit', at + 1);
  }
  const word = ['true', 'false', 'null'].find((one) => text.startsWith(one, at));
  return word ? at + word.length : fail('expected a value', at);
}

function stringEnd(text, at) {
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === 0x22) return next + 1;
    if (code < 0x20) fail('expected an escape instead of a control character', next);
    if (code !== 0x5c) continue;
    const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
    escape.lastIndex = next;
    if (!escape.test(text)) fail('expected an escape', next);
    next = escape.lastIndex - 1;
  }
  return fail('expected the closing quote of a string', text.length);
}

function blanksEnd(text, at) {
  for (;; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
  }
}

function fail(message, offset) {
  throw Object.assign(new SyntaxError(`${message} at character ${offset + 1}`), { offset });
}

"""##),
        BrowserFile(
            at: "/live.js", .script, tag: "\"bafba71f2c07c463b7f8eb662dee0d4f\"",
            packed: "H4sIAAAAAAACA5RX55rqOBL9z1PURqDX12xOTE/uNHmGybEFLrAWW/JKAl8+Pv7uA+wj7pNsqVS0zYVJnS1VHZ06FayeTOAdvUX49wadRg92CbcOfYkBltbB3NnWo/P/hElhF34iz+BL+g30I4PJMtnnRR5oSXkIJULYNejzwWRCX/BxqT0sdYVAv1XlLZv4UjksoLVujY5WVCDAqkj+1iAsrDG4CNqaSEtVFQQ191NoS3QIgX8SBBh7iuWzeCiqRRkdmJJ6AUwTVduaHD6UuH3ABoJdYYTNYOlsLRzqWgfaIYhKBXRx9Z/wuCiVWeFjDCgQ6Xgg0TLMkvAJpWZu+FwtQg4PhY+PbAuqUS7AfBettIOAz0M+GOi6sbS8h4+w2CzQwSGxGOYTl1byf/nhtLN79/3Zx999+MnNRw83swxm6H0MrvPyaSV5DSZXV5QHhC06LyK0UfJGrZC4mS4RWFVJPBu1yOFqMiDxfIB3b2az1+5uZnANf5gy4L1tobJmBQpKXRRoWPCVjYVkMtAGal1V2iMBFL4Hdf/w5ps37xHQX39PHx1YrcwOcIsmJL3W2KRCDKX1SIwtEFxAk5KRMfHy6EhJcSQ3uljHHEN3ZJLr9qPX3uUA/kin9jc+vvn84xgXvPQS/OGvotdnKizKqA63x04Sy5INuX7AOr3SZgqPG1dxMcR9VRQOPXNQ4FG5qKWjR64oik2HHRPD55zK5cakwqyoE0eElFF2g12jyQjP2RAqzMCoGuFAHPeHMewHAIm9HEbrBlv45KN3EkBlFypi5qXD5XhK5noJIzHOE234xfV1Z5jWxnxiy2AfUw/fOGfdaKiYm8igfV+Jr0+kGPJZDsPGmV7PjSL7cd5GQZ9YNCqUHNXv4LiU1LoQPxwI+DBIhUJJpzM3gTk41UrFZPxcKR9iemGpnQ9TUMa36HyqdiRPHjU9/UXIpSMqUUfmmkmdoRvD9cvnkaTdj+0te42ejFMp3+ktlw0HQT+fhhf3BLGUZiPpaqyt203BbNhkTX46cA/LEDEFs+aR5YNDVftz8mvEpqPOx17m3VgfRnu2/2eyY2VlOshKFIhZRspQqi3m8BonW8a0SnQeKe+PsOJgdejm8o59wFiDqUNlSkpH6JV5Rtm7FEUTuigI/HIM0WwUd4U3VpWX6RsZCyHrRM5wjOun14I1H0eHn1sM7PRiLbyRrD3J0XYS9UCgVVHMYGGOUKsCQa2UNuesHIrTkdcPpbizpjy7TWogmXidy3FuvKuaUdyXUXTWumQ2lPf8kKaPjJNf9IByKopEYAz9ZY9BNIznvNHBvjB4MmDny+PD5yuBkSkwgY+7QUyJhGf0IUObMtq/zoRSe7bMZAgraJxdUd9m/IrhmYQF2C26E80r5X2PMEf9KwE+kQ2IjtnUc3Twv//8F/ZpTNJxDRptVnD4J2e8Ru+PLcR7sWki5sJuTMzp76fxKaaP/5CaJXCV2kt5Hm5c33Heck9FSx5d70jZHbnNSLFxB/Q927RPotFPuIJXG0VAsPfBEe0DzJVPterRbXlYpVRdtv4qpucbEvj8cjeFVocyDmxrzqpfe05R91ZN+JPjG85tFsG6USQjNcKZ4ApMtfnb38KqsnNVxXtmPuOTP+ODxwyd/4rZ9CGmjICVR7GgY3mfd6S6e6CFXWxqNGEstZmsKgzx3kPh87O0aWXtOnZo7E6hSlsVKvexrpFUGCUfOSoddjwgT/eoseASjsdw9EuQTFiaXPvXWrXGf8JSVT72eCZXKwHvYjxzkakghof064mGKoqb+FI9ls1ouNVez3Wlwy7dfYcZR8r+l2Pg/ZEYnAPGhJNlBDoPjOTadhx/ECP+LxIx9tCg83GrgEMSn2k9rY67y47DyqqCuIkAB2kEeO30/xHF04UAtZfRTL0zlTImA4PUGPJaSVZF3JNyz1MZn5VfFpNAQFLJUjdysLRnr4pH6cqf1xhUfrwe7hqSZ1jbYlPhkGHp+fHX+/jH4dmv98fL+uFRQpRyVXSysL1OVXNaux7PapebIbHLmYg1MstO2wEkBNpH52wM5aIXXPNtp+8kNpz9d5PVWRH026UXxvf1eMZ+7PXDvQ6yPEeabTEto64nzoPq1Em69JmwfOTdeV6OnkIrVFBw6Mt8mhom3484OuRUv+sxRbfVKxWs42efO6QXjg+dScZE0otJh1iVS4eYrkjd5bOr7nOJHC5Qb5Ehe2oIF6ne89H0g5pk8Vb++ydWrer+05/j0jrMQAXaYVKDLi+xJqJooh8f9H01IzZdT3fJPum1cjOXRrvfzP9fupUtN67j0Pf7FZzVUrVLd3tzxj37vu9LyjVR20patx3bI9p9y+P2vw8ODwmRDK3ZnmKJAEGBIAAeIGoMOowscgmi5ot9v6sS0YmCdATskyvGZIFJpp+bF0sdc9kWK4MWmKimWqLumFDfaaJDd4Wsm/7KHtuzsXvvgSLbTvWw5Urvm6bh0v18q0bgmqO4nup+HhKahblg2iNuodeV+6j7WQjkuydxQjNcEvF36KL3q6bfrbenTWcrsKe6UkVezBskYgu3pOa5PYhoJlVeFB/m5v5+hmkgx69nkQmcwysN5+9K5nsSZTz2O0SE1WpVqxcpBsSvZAFsLnqWayWveAvyZLlWY/t/dua1+WTuLi+BiNeob397lK+SAWZUVP7LRBHZU7IPzft2exLF1bU7WY6+4SYsl8vsu+vos/yUo3Xh7WiQFy8meXtHSl7SyzCEuab249PeJadjJvvqVXSU+In+rAFp/C2eK5DPTdhSyKJXzb5+00nM6irS1ckR9R8IPMT9XiSzYd14pxuBgDN+xkJ/hTHv3lL5vLxw2sJu+fWUlR5uMeTSbbiFG1CrRRtDLqaEBftNjVRjpa4gjeZlEVR0KmVaztRhSLNK/W69Ipc/m6dm4rPTD0qYpj6ECwiggU8+KFlnhHX+RjCX3nZVNXR2v33fJVqj0dnj/hCMPf2iyq0jYTEgx/1Qn/3EpNX3VFaqBixTFlvYBvoZDI5azmIIUA9GDov0tN1qlFAIut8RmAHYaz0OHXRmFckGvY8guZ9G0FgBJx8Bp8w3EEhekrx5FLz2l5FT1/hnV4Vz/6Tnrv52Q6cHLKcKPLUcW5H/wqUSCIQXhfCaj34HkHZ8Vz8yYFyoZxAJ2u09vNZonuO+ro7nV3aIKByBGqo+db/s1+JeWvuOeZGy+RmjOxM1ByBWQ0Wd2gGVO8lxc4ka17NjsqqVLDLGqwdYPzK4Bzm1U029DShJY9wFzEYVkOpLT4J7GKDwjVxT+u0D0kta4aZ/fIRu5ubBha4HCGAuMAcW82bbPQPOsPvTsO4c2Xm3lplhvWdZ/+6Jk4sUFlRMe9R6zPo02P1QNx/BUAnaaJwR6iM2l6v+QzuIYRHHGQGIOzzS2NxPCR/u7+Me1O6nr78wioX6TKXXCxy67+BCZi5xPmQ++IQIP4YuG3kUHXWb2ZXHy4d0E/PL1KqdaLPxmprK336tt99Htp3c7AiJ4Twz2UuRF4UbX1ZrYD8PP5BlNQJcVvUDHUFIrXLZAUDmbpgWaHAvbiIxjhHCsm2/IeLJDaU34gUFHELo5bUvRME4uk2+hAwuGj8zSzO4rcFT2dNBdjJJSEdOETA+xCSa9fBHPCQyzBKS4peUKe/5Q701XvYbi5w8BCIyhIKfDCIp85TH7nmKFsMj9VH8z/Y2tRuOqAcBfmWvN7c5lGTkehr2p8PEkjie0/9BDuU0D2lGvvbpaeieRPaErJGmxDctU+kyuby3TCklUJDnCCn95iZ1GCd14HVrg/uYmwneMrVP2dc49ljlC6O7Zds+myDnIrXrJLFVp6KYhA5tentAWHDOtYJr5K/Z2jHM6jQv+R2zH6YXqWPQtoEvh/7ooTUF1SDL+xX1QS3qshVfplnHfXfYo4Jou3+szDLw2cO2l4U1s+QOwQt1SOja47cjuvtPVjFpb8W7DTk2pkL3Imbu17VZlWdkzhJjOuBy9zi35jps/Cs/j3m9NK/kO3IWBH+/9rhc60u1UKM9yhiUKmRPJ/H9GLdiQtQt1TxLgZ2JTBhf9oXYjX75NNgN+xjO4UmXnppTeeU+60CcCEZ0V5pGr8AaSF/MR0IfQL/dMCvBHkRyoCHwl+R8xW95VacoZ5rKR2xXs3aZcdVBfJ18P/XHkZiFv9IcFuAlgi9Ua30yOHTPUp9KwW/QJRg8tzLbHItMfYaYOZsbRU7CEVVznJbPcsC08ATtL+94qkbk4/GBZ0KJRJwpnyxBd0oryG/OMs68fhHVpjAu6Xa3wYcALEMSP+X3ntvhXeL2mB84CF0juT+8H99//O3Vx3PzeU04cPbxrL5+e9tLY9Dyk4T82A5H+2cB/4Xm/acf/x2H3sxmRhCqbzJnW6IEsZ1dHyZvb3o5Mn1ete59pZiFBr2p8ebEYj2HFPxLbk6Js6QesxpwZg333GkAwa64l0+kdTh/HGlh5sMHo+9offGB+PUbHIemtegF8GAQoWYl4dKi8jFdjEYZX2tWyyd6jbVksf1w2J45BUXoOlIhM61qjYK+fxJH+kxx4/jF0JcsTCoJev6+I5IZrtHSuM2xk8W9jLIV4FsR83yWSSCfqyjFWVBUtY+toRiuoD7L4Sh181Cx3o2yQ7uFVYx18u/6lhRHEtp3mIcTD/D9Y3ZhwAiTQFjidZR9V5J+I0CHW7tewACq85oFZJ01aEjKC9NBggMTspo3QBqYdwR4txCMzhhYfHTn2LZqyi6/j9rELC+Jd+xSQ/5FEGStxTle4MMSCkXnESzFk9C5b4oqhtAile2dlJ4ReKsHOJyHu9BxiIbCzr33gIrcq75Dq7Dm8of2jb8QOkcD1vTAQhQQT4zM01JuilbzAjjnvR3PesJTpFMmJNImPxKQDaLUMRUKF0kZ3r9q9odbYAZG8rpHzu1iUpkdQ6l4UhdmgWfPJxFG9p4RW0poBWHydugedUwcemF2r/JUgLoUCFKSpcmYCrHWS1Y4SY9EHYZkccCptSb5YkXRrpdWNUGOxomvUDX6LoGS3NHIoC5LbTKMkiJGMNPZVAeJ3FtfohhJ/V+qSBmrwo6h1a1sVBhJyIrch2NRrUxgePhR7tduv7G72GBOK09z4d7KhPBbjNCIe+g5EjfEycpC4QSxSxGGp+/rrNa0NDF7WvbWDdO6SMJKOdebJoY6vJ73xH6ZOinUOB4zWcQZUa1wgMlDYakfInivruj/PytaBFbvw2KRFokmi1uPvcuNqv2OIRlppWNBVkNmbA5e6xQYCQ/adaFLX2Yrb8SiNpUKgEA++GkZWdlbB39UUyvYsv9pIlZovpW0jscdT3463WpduI/cfKrGcPhCh3NlNXQOC4XRFeWXHGnjX84DMcvWC+2tSD+vpDiWp8e9oU/2BK7foFBfSeY4nOzbyj8ltj/aMXNDmkwwsqg+6kwKoxnUwQ7ldsesBAm7dtMiUWBywmRLnQRMnS33Eq1bMcHDWQis/LTbfo387rQlNdyIz15iXULz6YmBUvS0QDqryPI6cfmgKzr0xO9TXRcj59xXfWBMC3I4aEv8xO7pKNgLHhbmZ7//9a+aQzvIuXc/2SjYP56riMV9W/XJfOzCl9RW5WO1yRoowbyOu/nrdJn2bf94rMb9KLgecykUqPMcIXFTOpgUpXWck2giQYdZ+XpxLDntNdu57eYRwr5pm3jDLtb9bnsudH/A4DrfFe6o1lqlg3mEUuSljHSp4+fKJ2tNZIMT8b9wxJLpUxvRRF4lRxWMi7zZoFmDwQ8t4LO53qVm2qadJfuqlJm5/ndRAV/gn9Rvj8BZGBE1Vn6R6gRSGZCen6M8pJrreCGDXCC0whK38f3YtZP+Xg429TjTlGIGDdtuK5mDiGt36wlWKL7cxZQ1VLM09bFY0h51NADavtMWLWLmnVR16I2KLWGN+c227cO10I4N/Y1KxzQi/sH3haPnsD2+bQbxSPvnqr4+3Clpb3/SbYEg36yzZz1t39amNjyGO3mlqNs8nYlB41r7azFU2ex3Ubc8bkwDypb3+LvSzrv/rOXrZpuZN5jpBr+89SuBOqiZRrZAZJaFXahpRRQ07dQW1fXQWuDFtj0rfHan/7tHOuw3S/J23+iqC32+cJeEQYprL7bmXtGV/y+C+nnZSzgAAA==",
            text: ##"""
// Live queries of Freshet for browsers: /docs/browser shows how, /freshet.d.ts has the types.
//
// This file is also the shared worker that holds the one connection of all tabs; where there are no shared workers,
// each tab has a connection of its own. Queries step together, from one commit to a later one: `change` is told
// when all of them are exact. Ids are told apart by their text.

import { Reducer } from './reducer.js';
import { MOST_QUERIES, Session } from './session.js';

/** The version of what pages and worker tell each other. */
const MESSAGES = 1;
/** How long a hidden tab goes on, in milliseconds. */
const HIDDEN = 60000;
/** How many events are kept for those who listen later, and how many characters of each. */
const MOST_FRAMES = 200;
const MOST_TEXT = 1 << 16;

/** Watches a query of the page's own origin; `url` is the address of a search or of one entity. */
export function live(url, { token, throttle, name } = {}) {
  const address = new URL(url, location.href);
  if (address.origin !== location.origin) throw new TypeError('a live query is of the page\'s own origin');
  return connection(name).watch(address.pathname + address.search, { token, throttle });
}

/** Hands out the raw events, the last 200 first; answers what ends that. */
export const frames = (name, listener) => connection(name).listenToFrames(listener);
/** Gives a token to all tabs, in the worker's memory; null takes it from them and ends its streams. */
export const keep = (name, token) => connection(name).post({ keep: token });
/** The token that the tabs have. A page that has its `own` gives it where they have none, and is told of a sign-out. */
export const kept = (name, own) => connection(name).kept(own);
/** Tells when a tab gives or takes the token; answers what ends that. */
export const onToken = (name, listener) => connection(name).listenToToken(listener);
/** Connects now where the connection waits to be made again. */
export const reconnect = (name) => connection(name).post({ reconnect: true });

const connections = new Map();

function connection(name = 'freshet') {
  if (!connections.has(name)) connections.set(name, new Connection(location.origin, name));
  return connections.get(name);
}

// The page's end ----

/** What queries of this page, or of a program, are watched over. */
export class Connection {
  #queries = new Map(); // number → { query, opening }: the message that opens it
  #count = 0;
  #post;
  #token; // as it was last given or told
  #frameListeners = new Set();
  #tokenListeners = new Set();

  /**
   * @param {string} base the server's origin
   * @param {string} [name] of the shared worker; without one the connection is this page's own
   */
  constructor(base, name) {
    if (name && globalThis.SharedWorker) this.#share(base, name);
    else this.#own(base);
    if (!globalThis.document) return;
    let hiding;
    const look = () => {
      clearTimeout(hiding);
      if (document.hidden) hiding = setTimeout(() => this.post({ isAwake: false }), HIDDEN);
      else this.post({ isAwake: true });
    };
    document.addEventListener('visibilitychange', look);
    if (document.hidden) look();
    addEventListener('pagehide', () => this.post({ leave: true }));
    addEventListener('pageshow', ({ persisted }) => { if (persisted) location.reload(); });
  }

  /** A worker that has ended is made anew; one that never answered is done without. */
  #share(base, name, isAnew) {
    const worker = new SharedWorker(import.meta.url, { type: 'module', name: `${name}-${MESSAGES}` });
    let hasAnswered = false;
    const lose = () => {
      if (!worker.port.onmessage) return;
      worker.onerror = worker.port.onmessage = null;
      worker.port.postMessage({ leave: true });
      if (hasAnswered) this.#share(base, name, true);
      else this.#own(base);
      this.#beginAnew();
    };
    worker.onerror = () => { if (!hasAnswered) lose(); };
    worker.port.onmessage = ({ data }) => {
      hasAnswered = true;
      if (data.lock) navigator.locks.request(data.lock, lose); // it is free when the worker has ended
      else this.#receive(data);
    };
    if (isAnew) setTimeout(() => { if (!hasAnswered) lose(); }, 2000); // it was the one before, at its end
    this.#post = (message) => worker.port.postMessage(message);
  }

  #own(base) {
    const hub = new Hub(base);
    const tab = hub.join((message) => this.#receive(message));
    this.#post = (message) => hub.receive(tab, message);
  }

  /** Tells a new end what the one before it was told; queries that have ended stay so. */
  #beginAnew() {
    const lost = [...this.#queries].filter(([, { query: { state } }]) => ['connecting', 'live', 'reconnecting'].includes(state));
    this.#receive({ batch: lost.map(([number]) => [number, [['state', { state: 'reconnecting', retryAt: undefined }]]]) });
    this.post({ isAwake: !document.hidden, wantsFrames: this.#frameListeners.size > 0, kept: this.#token ?? undefined });
    for (const { query, opening } of this.#queries.values()) if (query.state === 'reconnecting') this.post(opening);
  }

  post(message) { this.#post(message); }

  watch(url, { token, throttle }) {
    const number = this.#count++;
    const query = new LiveQuery(this, number, url, () => this.#queries.delete(number));
    const opening = { open: number, url, token: token ?? null, throttle: throttle ?? null };
    this.#queries.set(number, { query, opening });
    this.post(opening);
    return query;
  }

  listenToFrames(listener) {
    this.#frameListeners.add(listener);
    this.post({ wantsFrames: true });
    return () => {
      this.#frameListeners.delete(listener);
      this.post({ wantsFrames: this.#frameListeners.size > 0 });
    };
  }

  listenToToken(listener) {
    this.#tokenListeners.add(listener);
    return () => this.#tokenListeners.delete(listener);
  }

  kept(own = null) {
    return new Promise((resolve) => {
      const stop = this.listenToToken((token) => {
        stop();
        resolve(token);
      });
      this.#token = own;
      this.post({ kept: own });
    });
  }

  /** Takes what several queries are told in, and tells their listeners when all are. */
  #receive({ batch = [], frame, token }) {
    const tell = batch.flatMap(([number, messages]) => this.#queries.get(number)?.query.take(messages) ?? []);
    for (const event of tell) event();
    // A listener that throws ends no stream.
    if (frame) for (const listener of this.#frameListeners) queueMicrotask(() => listener(frame));
    if (token !== undefined) this.#token = token;
    if (token !== undefined) for (const listener of [...this.#tokenListeners]) listener(token);
  }
}

/**
 * A query that is watched. Events: `change` (what is shown; `detail` has what differs), `state`
 * (state, problem or source), `sync` (everything shown is exact at a later cursor).
 */
class LiveQuery extends EventTarget {
  #connection;
  #number;
  #url;
  #forget;
  #reducer = new Reducer(true);
  /** @type {'connecting' | 'live' | 'reconnecting' | 'failed'} */
  state = 'connecting';
  problem = undefined;
  source = undefined;
  #isClosed = false;
  /** When a lost connection is made again, in milliseconds of `Date.now()`. */
  retryAt = undefined;
  /** The cursor at which what is shown was last said to be exact, and when that was. */
  at = undefined;
  syncedAt = undefined;

  constructor(connection, number, url, forget) {
    super();
    this.#connection = connection;
    this.#number = number;
    this.#url = url;
    this.#forget = forget;
  }

  get ids() { return this.#reducer.ids; }
  get items() { return this.#reducer.items; }
  get total() { return this.#reducer.total; }
  get truncated() { return this.#reducer.truncated; }
  get groups() { return this.#reducer.groups; }
  get groupsText() { return this.#reducer.groupsText; }
  get aggregates() { return this.#reducer.aggregates; }
  get aggregatesText() { return this.#reducer.aggregatesText; }
  get included() { return this.#reducer.included; }
  text(id) { return this.#reducer.text(id); }
  includedText(type, id) { return this.#reducer.includedText(type, id); }

  close() {
    this.#forget();
    this.#connection.post({ close: this.#number });
    this.#isClosed = true;
    this.dispatchEvent(new Event('closed'));
  }

  /** Resolves when what is shown has the write that answered this cursor. */
  reaches(cursor) {
    const [epoch, seq] = cursor.split('.');
    const before = this.at?.split('.')[0];
    const isThere = () => {
      const [ours, reached] = this.at?.split('.') ?? [];
      if (ours === epoch) return +reached >= +seq;
      if (ours !== before) throw new Error('the store has begun anew since that write');
    };
    return new Promise((resolve, reject) => {
      const look = () => {
        try {
          if (this.#isClosed) throw new Error('the query was closed');
          if (this.state === 'failed') throw new Error(this.problem?.detail ?? 'the query has failed');
          if (!isThere()) return;
          resolve();
        } catch (error) {
          reject(error);
        }
        for (const name of looks) this.removeEventListener(name, look);
      };
      const looks = ['sync', 'state', 'closed'];
      for (const name of looks) this.addEventListener(name, look);
      look();
      if (this.#isClosed) return;
      // A write that changes nothing of the query is told by no event: the server is asked for one.
      this.#connection.post({ mark: this.#number, url: `${this.#url.split(/[/?]/, 3).join('/')}?limit=0${this.#url.startsWith('/v1/_') ? '' : '&source=local'}` });
    });
  }

  /** Takes messages in; answers what is to be done when all queries have done so. */
  take(messages) {
    const events = new Map();
    for (const [name, data] of messages) {
      if (name === 'state' || name === 'sync') {
        Object.assign(this, data);
        events.set(name, () => new Event(name));
      } else if (this.#reducer.apply(name, data)) {
        events.set('change', () => new CustomEvent('change', { detail: this.#reducer.takeChange() }));
      }
    }
    return [...events.values()].map((make) => () => this.dispatchEvent(make()));
  }
}

// The worker's end, or that of a page alone ----

/** All tabs of an origin, and their sessions: one for each token and hundred queries. */
class Hub {
  #base;
  #tabs = new Set();
  #sessions = [];
  #token; // null where it was taken from all
  /** The last events, for who listens later; long texts are cut. */
  #frames = [];

  constructor(base) { this.#base = base; }

  /** A tab that is told messages by `post`; its own come by `receive`. @returns {Tab} */
  join(post) {
    const tab = { post, isAwake: true, wantsFrames: false, watches: new Map() };
    this.#tabs.add(tab);
    return tab;
  }

  receive(tab, message) {
    if (message.open !== undefined) this.#open(tab, message);
    if (message.close !== undefined) this.#close(tab, message.close);
    if (message.mark !== undefined) tab.watches.get(message.mark)?.session.mark(message.url);
    if (message.isAwake !== undefined) {
      tab.isAwake = message.isAwake;
      for (const session of this.#sessions) session.settle();
    }
    if (message.wantsFrames !== undefined) {
      if (message.wantsFrames && !tab.wantsFrames) for (const frame of this.#frames) tab.post({ frame });
      tab.wantsFrames = message.wantsFrames;
    }
    if (message.reconnect) for (const session of this.#sessions) session.reconnect();
    if (message.keep !== undefined) this.#keep(message.keep);
    if (message.kept !== undefined) {
      // A tab with a token of its own keeps it, unless all have signed out.
      if (message.kept !== null && this.#token !== null) this.#token ??= message.kept;
      else tab.post({ token: this.#token ?? null });
    }
    if (message.leave) {
      for (const number of [...tab.watches.keys()]) this.#close(tab, number);
      this.#tabs.delete(tab);
      for (const session of this.#sessions) session.settle();
    }
  }

  #open(tab, { open, url, token, throttle }) {
    const fits = (one) => one.token === token && one.throttle === throttle;
    let session = this.#sessions.find((one) => fits(one) && one.queries.has(url))
      ?? this.#sessions.find((one) => fits(one) && one.queries.size < MOST_QUERIES);
    if (!session) {
      session = new Session(this.#base, token, throttle, {
        frame: (frame) => this.#hand(frame),
        ended: () => { this.#sessions = this.#sessions.filter((one) => one !== session); },
      });
      this.#sessions.push(session);
    }
    tab.watches.set(open, session.watch(url, tab, open));
  }

  /** Hands an event to the tabs that listen, and keeps it for others: a copy, as a slice would keep all. */
  #hand(frame) {
    for (const one of this.#tabs) if (one.wantsFrames) one.post({ frame });
    this.#frames.push({ ...frame, size: frame.text.length, text: JSON.parse(JSON.stringify(frame.text.slice(0, MOST_TEXT))) });
    if (this.#frames.length > MOST_FRAMES) this.#frames.shift();
  }

  #close(tab, number) {
    const query = tab.watches.get(number);
    tab.watches.delete(number);
    query?.session.leave(query, tab, number);
  }

  /** Another token for all tabs. What only the one before it opened ends at once. */
  #keep(token) {
    const before = this.#token;
    this.#token = token;
    if (before && before !== token) {
      this.#frames = [];
      const problem = { code: 'signed-out', detail: 'the token was taken from all tabs' };
      for (const session of this.#sessions) if (session.token === before) session.end(problem);
    }
    for (const tab of this.#tabs) tab.post({ token });
  }
}

if (typeof SharedWorkerGlobalScope !== 'undefined' && self instanceof SharedWorkerGlobalScope) {
  const hub = new Hub(location.origin);
  // Whoever gets this lock knows that the worker has ended. Plain origins have none.
  const lock = `freshet-${Math.random()}`;
  const isHeld = new Promise((resolve) => navigator.locks?.request(lock, () => (resolve(), new Promise(() => {}))));
  self.onconnect = ({ ports: [port] }) => {
    const tab = hub.join((message) => port.postMessage(message));
    port.onmessage = ({ data }) => hub.receive(tab, data);
    isHeld.then(() => port.postMessage({ lock }));
    // A tab that has crashed says nothing; browsers that know tell so.
    port.addEventListener('close', () => hub.receive(tab, { leave: true }));
  };
}

"""##),
        BrowserFile(
            at: "/reducer.js", .script, tag: "\"7b1663632522aaced7a6763f5402fc09\"",
            packed: "H4sIAAAAAAACA2RV15LrNgx991ec1LXvOHLyup7bJi/pvXesBFu8K5EKAdnr8fg1H5BPzJfEhKi7LltNEMBBOQAXC/xYkyJ4RuM2jL97jjtIHbZyC60Zkau+5IiwsmMXg4YyNAU+Vtwzd2JifqBSofygSZGprBHDdg7y1eSIIbQTbBMQQZQ7rGJoDbQMbesUGkBoSDmatCZBWZNfc1VMJq7tQlTswQ237FXmcNWXq/T3uyPiHC23dxyP4g01Pb9UHAaAm2LxSoIvXsnNcjLhB3NTBi+aTZK54CmmKfIZnj6D5y0+p26aXQ4XRXuUTPfw1PIcdERkX+FgBr+a0FIvpHElT/P97PfZ7BI1J3ANmy/O8S6QriEMYPHkCb6r2a7HLlkdoEPBP/n2yy/QBeeVo6UgS/S+4pXzXGFbc2So/XUCHzwXeLIY4171vlQXvLl/qRbffPQ2w36CnFrXUMl4OkBfKS4nQGTto8+K7757mo/JipTV8CnltpwchuReJiqlzMiDvGw53sKpnHDOeDbw6xPa0LdldJ2ipXuWZOfUMiobEsE3YWtRv2WBLidjArEvNcQctqvwNLNr6MiQKaC1k8Iq/dSQl4/SbJMkh+R1zQrDmI7GboXpG6Y7gI9y4ESIp9awoqMoPH2NZxUcneiu47A6tTL0p09x4/vE25tU3ze+sM+Fk29pxR975TXH6bnRbHblZcxmADzY39y6E1VL87FD6xj6DiQn9bchdjo3Qroqd0JSMwVbp3XoFYQmiFh7RqYNvn5IIFb7U5KZ7dPT4c0Ds2ad3jjlVm5OuWb6z7FHURQnVTWbOUz/9mwop8limL/0cVwJiTV2LnLjDrjFpUMjbB6bzLW8O41vOfZxwcyWWCwS0f7759/kPqlY5mIXyaMkGa3XkdekPMj3cPKlzwtHcEgqzpdNX3GVFJLvVOlEEXOdz+dAlsV1NDZBWxKQ3HOFVYiQo3O2FjYkCt6w1wmQuv5j3ueeOqmDplXOAg1HN0GyfkdxIMKOFRpMJ3U7BeFtfk58jUTRmjKS2L6qUFOFO2Z/Gc5fSvf8oT0Uf92OOe4RmmqOyCTB4zDCaejLmquzpJO8DZvX0m9Zs9TeJVvS79t5W+/svz15A6KMwX9cpYoNHZnDeYRYcVyCfEh7FRQj7UAr5WhPY37a8rJuc4CuSmi//p68alBq8PRxTT/Wic1lqoBw3HBE4yTVKaANtsjJg6zu2f9AhSlBdqLc2tHmD0frHVryOxjrcxwae1+SWk1W1Ega9aQqaTaf4r0PlpMczIsjCrXY34XQMPkDTouDbQ71tEdH3KbBHaOkpuFqAPy/U+v7bduIwf+KagSwDvWM9NVp4Kc9d8D2ZgiwWympVk/24kuDLNX/viOpTzyasofuafUdj79Efvfxshx+jQaxTzA5IM/ZrvkWCrrc1gS6Cls4DIxYFCW1NqDuJA3f1rrI7cqw0tbo+kBGxAZ36kUjsmutDM29ZlOAOKtUWx1XxpRylYKBQdaC5HBGpdd8jwyhgng4EMM9A8teC+NPsWYzm9uqWPG/htuCjyMe4NK1aCBzliws0z326fOfzZe4JEb3axef2pSeTcJzK1hxXIPv5YaKfMGOVaxVFi6pYjlJzKat+Zwcwy8pgCoQp5MQ0QN/gPxyJtFy6Qi3GEeTOtsRLuZZCcqZaXfoPKIbbW2KypTi78nl7pFEgnxNqR3kgOmKBDqhBVJrUsViYX1N63R0qW+H4ifSJdBG7pu+YEecA7JHX3S7uXnL1/pqa236jD60j89PzWlFRg/8FRcJZkcXJNuU04fDALKsGq6Z7oJ7viZVhtwszxdR+06a0ybdgOD8PoWpxSP1z8MDM9VLJPG0TNcny4GrYf3UxOx8idb1XE2Kh1XY2hWC3DVy2XIOmaLVu7jDjXbHwxvQXCgC6jYZfk138/cGw9qQ7t3xuH8tdTDKYuPV4h1RVRAHJqu6XDf7uJsHxIErCPAmznkOaKNndffWCj4bVkrSFIrVsMx2eQ1ZUmqSD6RnHISvskXRNTHVJjc+05cv5ABPJZTZtkuXXnwhBsMzVmQHkS69IFGVEip4wj2NvjRGNfUqEYSFrOPHvnmI8i9iMpAQ+oLYhp+LItEYrKV/Fj0njXumZJOMeOcMqiowbIBEBXvlpIhecOMAxPJ5hbfvMzqD8xBI5op3VkBiXFJ0y+Pz6WuZmO/o06KgE/1opC+aVCVQddEWlA7JZL3w1aqBRxTZhAKU++iYcwjDE1JEtJ08KxzL4AanVWoDk2XQj/XS5YftwBswWL0VeaVaPrT7FGhJphGkGvBcGNuOEpvNM2ZcZOVkHdRuFD8V+th8qZ/TYp+jesCCHAW+dYQ/99MJuxu1sVgQ6eVQz/co7PXabPAprgCrlYF2bIuVLXPtEkUNizAILs1XvyVWfkoXVpOo6zEmhG3rJqEGhdQ1wzOL4CuNxXHEjPhywLBQPB4Ys/mBy6LxUnMokz+bl9GY5oF5oIhvcY3w/CUfGYNqGfIUD/sqfKcG6OcURNN6uvjqWkLXE+oKjSnzIOCcaH8zCfVq1BSVqzelr5mFtCWxzmdt18Z2t5/Ng0O6tqacYgJAUsbSVDOXjnKs/qjtNEz9nBclyhn7wTZ+QsAyCAjpEgQtX4YYFnIhP/VnuzJ+IqZsg2dRbPGPbFOHRQhgIRPS4dHV5ff5GW1J5xUotJAygNDDoy1bTt4zWncfEe+l5vkHyjEoShltquSmn7LQPIcXZSB5PuV6oPEBRWHKgnGFd2XIGER6EylfDhgoQ7CFA8jXJXKX7v+0PB2XqqqyXge9ThohaQbNrJEHyfN0CDO+hyKiwvxJ3uYauKto+5i10mj82JoFBhK+GWwR6TbBwsUK/Kb3nXJG9DL2ZylYPEyVbTzMQ5aTJPTx3tT6Rfqa1nG75gxWVcv+UHhvPVKvj+x09lLR8n5WtDzT5rJh+BjZsLuL46z76YGvNMS7i6EKy9PhKZblblF8ZrHd5kNV/FJ8Tv8Jnj3qnU6kEcE6cM1xW8TDpDJWIkFrwRldlmh67gBSZalWyInOklCmrV37Dc4vT+0/TfHjx+BHYqTdY/waMtREaT89MSvEwQU8v3B/QP+35vVUhpC7maqxiQ2c+hnYOj7H/w9ayOpPQ5b7dHiFOPEXnK70+ulwPDa1lrq665NlwqVLN1x51kD+UNHhv2Hg+iXpyO/7CVAY9iSeD2HyAowHd9u55yR+PZY3e/1DSaQ3dZTMHU+fXF1CJ+WFpNvtaZqnl5nTl6ar2+4Rj9+XatOCHRlS1k9obGuU4VcOjgAi4JGSXAULcyfShSbBKILp510yhWY05/AKLmv7ZqSht9Ngs4uTGPHytd03BRXK0K/FxyRKYMDqPrJ/YyvrXZ1WNyTx/j3CKXTXYgRs/JxCfHoSGb+8qUYE4dsp1X8b2+ZaTw2KfFN5qpgEXJGbEQyC/J3IA9dzDAfsmyqCJvelCG2c5wjJqdZuxvhlYesKWWKOSnEb+uraFWKu/0hkGLf0cYwGM/xJedcVzV/H+Dr+vxHN38/JRjyIRX1yHOdA02Z4wdpsZ99nq5u3HCL6xYyJ52y14Q331wk7fYa+2lbKQ3ImGNiMVOF2JmujNX2m7bfBnDfcy+rQ9VGPLjld5nO6ByP6sspf/UO+f8Hf3rwxaTjxa3X78CrV0a/ebvR55tpjvtdAGexTKHShRfG/H2MoTOzwbkbm2HmV1BrMCs6+ZhldLCAphLjPHMYXc3Y+w3JyhIcdiynb5BxJpyqigX+2ul3MaNyerZiG9lv81f5fdWAmBfcjAAA=",
            text: ##"""
// What one live query shows: the reducer of the protocol. It keeps the exact text of each row, and
// says what a step from one commit to a later one has changed.

import { elements, idOf, idText, members, valueAt } from './json.js';

export const memberTexts = (text) => new Map(members(text).map(({ name, at, end }) => [name, text.slice(at, end)]));

export const elementTexts = (text) => elements(text).map(({ at, end }) => text.slice(at, end));

/** The text of the value that a JSON pointer names; undefined where there is none. */
export function textAt(text, pointer) {
  const place = valueAt(text, pointer);
  return place && text.slice(place.at, place.end);
}

/** A row of an answer: its exact text, and what JavaScript makes of it. */
class Row {
  #value;

  constructor(text, id = idText(text)) {
    this.text = text;
    this.id = id;
  }

  get value() {
    if (!this.#value) {
      this.#value = JSON.parse(this.text);
      if (typeof this.#value.id === 'number' && !Number.isSafeInteger(this.#value.id)) this.#value.id = this.id;
    }
    return this.#value;
  }
}

/** A group as JavaScript has it, the ids of its rows without a loss. */
function groupValue(text) {
  const rows = memberTexts(text).get('items');
  return rows ? { ...JSON.parse(text), items: elementTexts(rows).map((row) => new Row(row).value) } : JSON.parse(text);
}

export class Reducer {
  #rows = new Map(); // id → Row
  #groups; // texts
  #aggregates; // { isOne, texts }
  #included; // Map of type → Map of id → Row
  #values = new Map(); // what was asked for since the last event
  /** What a snapshot comes to whose last part has yet to come. */
  #next;
  /** What the ids that events named had been since the last `takeChange`: id → { old, reason }. */
  #touched = new Map();
  #moved = new Set();
  #commits = 0;
  #why;
  #keepsChanges;
  /** Ids as texts, in order; another array after each change of them. */
  ids = [];
  total = undefined;
  /** Whether the server lists no more than a part of the type (a system type with very many rows). */
  truncated = false;
  version = -1;

  /** @param {boolean} keepsChanges whether `takeChange` will be called */
  constructor(keepsChanges = false) { this.#keepsChanges = keepsChanges; }

  get items() { return this.#keep('items', () => this.ids.map((id) => this.#rows.get(id).value)); }
  get groups() { return this.#keep('groups', () => this.#groups?.map(groupValue)); }
  get aggregates() {
    return this.#keep('aggregates', () => {
      const rows = this.#aggregates?.texts.map((text) => JSON.parse(text));
      return this.#aggregates?.isOne ? rows[0] : rows;
    });
  }
  get included() {
    return this.#keep('included', () => this.#included && Object.fromEntries([...this.#included].map(
      ([type, rows]) => [type, Object.fromEntries([...rows].map(([id, row]) => [id, row.value]))])));
  }

  /** The exact JSON of the row with this id; undefined where none is shown. */
  text(id) { return this.#rows.get(String(id))?.text; }
  includedText(type, id) { return this.#included?.get(type)?.get(String(id))?.text; }
  /** The exact JSON of all groups, an array. */
  get groupsText() { return this.#groups && `[${this.#groups}]`; }
  /** The exact JSON of the figures: an object, or an array with one for each group. */
  get aggregatesText() {
    return this.#aggregates && (this.#aggregates.isOne ? this.#aggregates.texts[0] : `[${this.#aggregates.texts}]`);
  }

  #keep(name, make) {
    if (!this.#values.has(name)) this.#values.set(name, make());
    return this.#values.get(name);
  }

  /** Takes one event with its data as text; says whether what is shown may have changed. */
  apply(name, text) {
    if (name !== 'snapshot' && name !== 'delta') return false;
    const data = memberTexts(text);
    return name === 'snapshot' ? this.#snapshot(data) : this.#delta(data);
  }

  /** What has changed since the last call, net: a row that came and went in between is not named. */
  takeChange() {
    const change = { entered: [], changed: [], left: [], moved: [], commits: this.#commits, why: this.#why };
    for (const [id, { old, reason }] of this.#touched) {
      const now = this.text(id);
      if (now === undefined) {
        if (old !== undefined) change.left.push({ id, reason, old });
      } else if (old === undefined) {
        change.entered.push(id);
      } else if (old !== now) {
        change.changed.push({ id, old });
      }
    }
    const isOld = (id) => this.#rows.has(id) && this.#touched.get(id)?.old !== undefined;
    change.moved = [...this.#moved].filter(isOld);
    this.#touched = new Map();
    this.#moved = new Set();
    this.#commits = 0;
    this.#why = undefined;
    return change;
  }

  #touch(id, reason) {
    if (!this.#keepsChanges) return;
    const known = this.#touched.get(id);
    if (known) known.reason = reason ?? known.reason;
    else this.#touched.set(id, { old: this.text(id), reason });
  }

  #snapshot(data) {
    // Parts are kept aside: a connection that is lost between two of them goes on from what is shown.
    if (!Number(data.get('part') ?? 0)) this.#next = new Reducer();
    const next = this.#next;
    if (!next) return false;
    next.#add(data);
    if (data.get('more') === 'true') return false;
    this.#next = undefined;
    this.#why = JSON.parse(data.get('why') ?? '"initial"');
    for (const id of this.ids) this.#touch(id, this.#why);
    for (const id of next.ids) this.#touch(id);
    this.#rows = next.#rows;
    this.#groups = next.#groups;
    this.#aggregates = next.#aggregates;
    this.#included = next.#included;
    this.#values = new Map();
    this.ids = next.ids;
    this.total = next.total;
    this.truncated = next.truncated;
    this.version = Number(data.get('v'));
    return true;
  }

  #add(data) {
    if (data.get('truncated') === 'true') this.truncated = true;
    for (const text of elementTexts(data.get('items') ?? '[]')) {
      const row = new Row(text);
      this.ids.push(row.id);
      this.#rows.set(row.id, row);
    }
    if (data.has('groups')) this.#groups = [...this.#groups ?? [], ...elementTexts(data.get('groups'))];
    const figures = data.get('aggregates');
    if (figures) {
      const isOne = figures[0] === '{';
      this.#aggregates = { isOne, texts: [...this.#aggregates?.texts ?? [], ...isOne ? [figures] : elementTexts(figures)] };
    }
    this.#include(data);
  }

  #delta(data) {
    const to = Number(data.get('to'));
    if (to <= this.version) return false;
    const removed = memberTexts(data.get('remove') ?? '{}');
    const placed = elementTexts(data.get('place') ?? '[]').map(elementTexts)
      .map(([id, at]) => [idOf(id), Number(at)]).sort((a, b) => a[1] - b[1]);
    for (const [id, reason] of removed) this.#touch(id, JSON.parse(reason));
    for (const [id] of placed) {
      this.#touch(id);
      if (this.#keepsChanges && this.#rows.has(id)) this.#moved.add(id);
    }
    if (removed.size || placed.length) this.ids = this.#arranged(removed, placed);
    for (const id of removed.keys()) this.#rows.delete(id);
    for (const text of elementTexts(data.get('put') ?? '[]')) {
      const row = new Row(text);
      this.#touch(row.id);
      this.#rows.set(row.id, row);
    }
    for (const [type, ids] of memberTexts(data.get('dropped') ?? '{}')) {
      for (const id of elementTexts(ids)) this.#included?.get(type)?.delete(idOf(id));
    }
    this.#include(data);
    this.#values = new Map();
    this.#commits += Number(data.get('commits') ?? 1);
    this.version = to;
    return true;
  }

  /** The order of ids without those removed; the places are the final ones, ascending. */
  #arranged(removed, placed) {
    const out = new Set([...removed.keys(), ...placed.map(([id]) => id)]);
    const rest = this.ids.filter((id) => !out.has(id));
    const ids = [];
    let next = 0;
    for (const [id, at] of placed) {
      while (ids.length < at && next < rest.length) ids.push(rest[next++]);
      ids.push(id);
    }
    while (next < rest.length) ids.push(rest[next++]);
    return ids;
  }

  #include(data) {
    for (const [type, entities] of memberTexts(data.get('included') ?? '{}')) {
      this.#included ??= new Map();
      if (!this.#included.has(type)) this.#included.set(type, new Map());
      for (const [id, text] of memberTexts(entities)) this.#included.get(type).set(id, new Row(text));
    }
    if (data.has('total')) this.total = Number(data.get('total'));
  }

  /** The data of the one event that makes an empty reducer equal to this. */
  get snapshot() {
    const data = [`"v":${this.version},"items":[${this.ids.map((id) => this.text(id))}]`];
    if (this.#groups) data.push(`"groups":${this.groupsText}`);
    if (this.#aggregates) data.push(`"aggregates":${this.aggregatesText}`);
    if (this.#included) {
      const types = [...this.#included].map(([type, rows]) => `${JSON.stringify(type)}:{${
        [...rows].map(([id, row]) => `${JSON.stringify(id)}:${row.text}`)}}`);
      data.push(`"included":{${types}}`);
    }
    if (this.total !== undefined) data.push(`"total":${this.total}`);
    if (this.truncated) data.push('"truncated":true');
    return `{${data},"part":0,"more":false}`;
  }
}

"""##),
        BrowserFile(
            at: "/session.js", .script, tag: "\"b3d73d28993e949480fc694bac587ae4\"",
            packed: "H4sIAAAAAAACA2RUZ5rjNgz9r1Mg1eVzZKeX7b333peWYEsZinQIymVn5m8OkCPmJAFYslO2zFAPRHt4xHQKl4CQqLUG7AJ0u0b4q0fXIsHw43T9/fSDYB9Hf0C/Am9BQdOb2mGdr4mbMjswfTdHJ19ezRldy4dBIO9QdSVcW6PxVHBG5RAaZWqOwVk3DRqO+pF2pvoIpHYEvlEelNY5RfDAraoY9SFoZbuu9X+AkmRgUJIRInFcvZAa+FJZFG23ss7DPjzGuq/QTaBDqfIpbj3BISyc7WBQTl00l3/S4ExR4DZ4VdaQh3sPnjz98OjZtce3rj2Bc/D9bHammI7HcNNuQFuzBBWq3AF5Lj1203JwrciH4hrFH+gZhKWdQGuga7VuCTl+TSWMp0XMdPfW/RvXHnOOH2acJIPXLnH+F5duPY3JkyHWlfEfGU9lXUp8A7Wa+YaFdUA2VtoS/yZmrUHl/ByVJyESAVXVwPc/Q6jmaPwnt+5eu3/lGqf4KaZIOWLHMvgsnj+4cxWapMZuaAI8X4YsbJSvGiS2xODMC8Gj4L9fACTmOYPBTR7TcHSmgOTpKNmeoGccWD/7wuskC+6wAOHeI98bcO0GK9+a5UBCrJyda+zYwprFRWuwFphs7yo8iTr0bnfJn4Sl43vcpFpiUqZvEAwrCKreByET2D62J1W3kp6jvHnHfEGUkesrb90wkTWB3mmmSLeKRoEG4KAtlcnOzul05rONXRjnn0ewEIHR8FvwQ8m4FLXRpY3awyGHl8Z6Z+BNWZbBKxP7riSe/nAY+ITDEZw7L6cy+Y7OcLjDPHKHi56Ujgx0agcrRXRkpHeVRwfMCgof15yzDvZPtJ/GMYEk/tw79Sse+kBLiMHoSH+f55dOR2xCNBuG94MMhv+HPDiA2QjG6bFA7CE96Vjqk8QyJ88bJmnsnloljQnb//79T1Qq3/tqrgjPyAHDHgvHlfJNOKi6dkgBDGzJOI6qhdCtuTWCPOBGRe7Yt0FdH5O4gJ1ye3QKrWxvpOdZ+IoPPed80exiqoCCTGEi28ghtF7yAam2BrI570L12sfqfQ7ytMG4uKrekY3LnKFc9RwX1mGgXxZsjhThEEqWONaXYtw4oSMrLKDhmYVTWFEVxrvW7fHdh852LWHpkKxeY+qbq7/GT1JoWihNeOpdyXAm4O0eGv7VOOu9ZiCM6vgLC3PkOGmcGQ6uDIffR/EUi035eMSatMDGeMgvUAR0i/Esru/4T5E32n+dW4l647aufhV2ldTRaNK99dzcnO77vjf1+aJYtKOOI3skZ7Z8fvcDgL9gQlbcZrpaEgmCIJYfICZl2489GPjjIAHHehzIY3pB9syTYBj13KUvyDhWdflRwP8dkweclyTVKumJOiXJqiTanDJxuKCzhy9fy1pBt+7c2Z5hGWd56AIPeSAnY3ivuoA6lYJsIR14aAwPgeUSvpQ95GkinCc5eSn5NYk3lPdW37/FYw4HroPlKe8deP8aj247ne4kh0+I92SUotj/TzaVKWfFVdNd1PNNSuw15ZoC2oY4tDP7D9Pc0SjSehoBQV5tptgwO9M1RVySxzmLZ0I7DjLJdbHpVOWDEMBKluIVXLesrdq19CWZhrwbVSSO+akIm62UjdgeUSaSYAOmyaI1/P9XXxWbDqTkLagOD7jypKme50caORjT1c98Bu7H9kVPP9eXnsJmmkrcYc4P0GJVH9oExrFluBeIXXnsFx1TYnAezTOjLIfbHIAsU7kL7Cu7yKO7jSeUWgoQYGfPEKtZbYyjvKQY22xyd/5UoaIO9Y8ZUtc9dmCvz1ZmPZZvaNaVT0tWM7cvrhdkmAQjs3u1uB4lnF3uGbsRQIg6YsAyRcVTiifHVMLlafL9Bz9/9DmrvC7NJgw5T+jnqVCYTiSQblXFt1aaHwW4xkJ77Gri1ZcV66sgAQil9QB1qYjFblps3O56RubR9soVjQIH0RuL9Eb1AN6cA2OUJkUaAN8OmEioqTMRk1EwZwOIyo8BCEKK9LiEXvCb1pP0OqjRspw96AEC2GEgZ/VBNAHv+kGC2cDNTxu/5oRovfaNOIJyTlKVxVb0n/Y+qelF3VTyTZbl2NG5WtX4AR1Lo0yPgBflpaO1jNYioEcPBZFowsBiJoEwFQgS6zOGk/GQfQOmwSD1I6UwHjP3dCqYCKRh9EXmKpBQjbH6BEcx5r4IT6UmjClwVFytsx+VSzrKNEPYIfX5TXAYZ7Ry8N3S+3WE1ljeM95XJXmTETZ9euDXksjJ+3nd9lrCIL0rdlvA+kD1cIckXPmlqN7ui1DkijGvUhm3K90266wAsX6xeb0krbpxOQorBqO8EGEUCwvqrpO8CUso4evgv5CfwO4ZNBd0mnBUhpK88jF6BsXLcj0kNzK9W3O1QY8Vi02VH5kSeMFKlpFBBNZUGQLL9KxUSBLdZNmibmbLq8p3iFEgiqOq2tU6fIjOC3IrCEovNhdKCc+Z9d2UrC58PyUPI0Fr3EisAdihcPx8wjiVoM09u8u625DFW4//QVV1ouOtv6QSkWJkKYyUcmLQfCQvG/mvOCTNOGDm2E5ZEbM5CFYwehxm3X1LFI9dFCPVKBkM18jSpGrh2HBoIGnhYuWUgwMZEOlqV0TLMRVOI2RZEgwkgVknjlg1mg00CWUcR6UTLiTEa9SN1C5krf7YT+xKExvYZLvfSEq5qB/JjurWrSnK8PZXegZcsOm8I7qMaATcsNwJcHZmm8hOsU1SuRdkY8oMccxsqwHJ+OmoG+FBadjSCcQ3CWLKjL1KvgI5ne7eTLMcwYHoCDvx6lCJnD8GHgJNmW9INVdLomVYLJvuMQPhffTTr5N8TzWyhNYagUPuhL5r+TQx6Oi7878JzhRcfPyk2fA7eKgsx+luI0sLfBSrB5lBfcKEvlKur3tVhcCUf5D5u4sjqos4ZoCoDN97+Rp0FCPqYBQ7UIyyH6GAe8gKyaL1jeYg2UVCCm7ndk/pE0ua1hRBBwSfTC1ABU3VTaYl550ZYAv4zw86Ey4OGmgB4L4ZbSP9QDKqAsbzd3OcmI1Jm08ZsfBguICmGo1FkniBVPEwixBEyWcowA3Qk3EYTWI3VHehPkcmxS5L5LFYrar7O7SngEVcW2F85CfLzgdfd6yckvPq2ZitKhQXaP27BK8r3yYRdIoI8DTsXwL+Vcde7O2jI/YS9j0TfOuN9yW6tavH7PqliBiVCTHhQlYMOV8iyOSuQNkki0siEeMvqP9NR9Y8emvPZWXZLRCogUxb52nv+BDOIAUn7Inwkx0SwtQ1OyPdYeU3hIUmKurwTI5LnHN6778BPiTFayfJxN3LXZJk4/WCIQYWT8XhbEWLhgTtfFU9teERknXHxFZCyRjF683dn5+uPS2WUOKwrAmpkwTusdtI3NbEf1TNsp5K8cEVrdbWz2QKu5MPKRMjzeOsE6PhTtTu5p4TAT76X378OhU2ozpdxuLq94BVwjYm8l8+4S9/+u5bOt6WonY9f5rya3Gji6YkuX5wTmXfn+Sh2CAnjG82smFGKnYm+LzjWuOyQ5I0cTWn9Yu6IZsjfnHRAxCei6No6QusWCu/APjVyu9SKqCYGM/hVCLUx/J7OJ6vY9jNVyc6xFxG6Nnt1QwlRPW+kqN+GBJV5eKLlVhkvcorgoAiY0OHgPDh9ZAiKMGouqc+2TBiLRbrD4MSAhiZpgVMTMbGQh06XiRABiK1Bog8DjX6AexpcR1iZPvAbZwjCcF3k49YlHWDPL0kFSMZMEonFeLKvWiVaBEpptzchevQWY+Lo9w45yphJ5cFKgvjvMYxP+pshzJAVPW/ITERmnoCAvL2NZceFW+7O+FjSzB/dUlHcc+9QSYpbJ2wSor4j8ChEZ6hXTeW9hv57tIzDq7Rxd3HpDwFWRgtekcYvTkdG83YLcS6MW89qLmtj2wlKmFj/0N93pXG9stT42XSA1Wsw/VMFshOJaEJIDlSNcP1DObHGd5JUbJfTUc+xdwY7f8P5Zr0+Xol4HfrTiGIaeQScPHfetz9ViTUerkMys0J6MC7WN1lo22vvKq2jrbR+eZyzc573aKSGNsTCoWAZ8EjdRI4nnIV0C/nmlLW3S4mtHz/zlXgkew6M2XXjz/5+pOfPzGJhhbTgn5Amw7AGHN1VXiWHH+xN1c4TBQ3gSk0ozcYQs/dqoEEJQm/jCva1XLpB55SDGJPe0E13Hb3wMAkHgYhGJDdPRAtuN41OEyorQFJ1URd+u6KcDK45dvu+YumJC9bN4F2qN3Iz1P+MM2Yz6Kj1WYX37N+h4sy/pa7eNx9veGTXUMM6IHY7WC15tAgeAx4R4rpH8xmfk17STZ0v35PTu5ukHPCdj0j9fETRuf0lqJZovgHh1OER2xPD0DyFgLKXYrCDT6PJ8Bzr5eXYFPH1/MxoP3GEULP/iUCB7R+BiO2Yl2v/c90CleLgAa5Qedjz4lH+5PwRr6Z8f+PIpSUEZ5hGTg8Wg7aZZZFnMXKu7lA8mJILvXcu6Ccs0V8jTjNtr7mOB0VpdylFIRWguzYgTXBi+HSXeyrgIOHrCBuEdJo4Uyj+BDV2x2AyVsmpPX8thkaQMDzZ2gH3dE+Py8gSyN0P/zAWvXWczt07GM/QO2Zwi3DIt6NRWxYIAJmbvqq9o+X7aIVYULDLZJmB9J6gXVJct/d54+3sOhrJ6LJKfQ0PqoNhRULWd0YNY9jvYDCvrCnsPa6UVi7cxxWsUv7hj0zDyi4weQLOoInpJnJX81fTWLW5JH/R6iVJxKGAiHrlc+Xq5lUeYRgR2mqT49yXiQrOspaNyCsgO5fWt6GW6bEvxJvskg28BIO8o9XZo7vuDcUx+FMA7VrF6JBVW7K3NWctETXUvxWuFGdNI7ngziScZPj01Cerjtth2RggXYd7oBZFXGNUGtprF70mFMeOCh97Re2OMi4Y2Yb6SGlOstVQnoQvWOCg1fnT33iTqL0bBJ3W8pWs+AhHtqrH2164YW1aC5v6RgkwSfwSJbOA7IxFDOn0MuifsCZOgT+EH0gJ4XUEE+kxssnMKF/9VkWneB0SMpRCmGqsENpQLDjPU6YYoVlj0I42G0N0mFscrM722MHUlfS9Dsd0DQlMgg4OjOJMjzfILJrzVr2WHTbiN5+x4VlTttnrKZwFXdTJoOLSC43PUU6FdmM0RSKQAyOhkyNLi1NQeO5mvYPCT17zFYyNiHk4Vy6LZdxjdq2ldjC9NjiKlsml/d5o9ImXdVM05l+KOVUXYwaibaS3i7djdLcXfUZtGzr0eHwyYp3zWGk44sHzYBzlDKMywujgpCpfnC3XHiIeTypcuNtRJHbMk3sAr4uShRX2Dm29eKCq9zID1g6XMGjQqKflQQgeIqi3U6auLUHw9bJP6BpXEtLsNhdQXcEtxMUbOU31znp05N13YYX5WxG45Op3u5CBpHegTbXpVV62T+hphcwiyw6ngVR/nuQdO0YaE9wfrui9FnU5qJYNqpqTqiyG+Zsz4xumlaNyLVAH3awZ8zo2UkNL3E/rVsJuqPde4wWZO2Rm3VV4wM36CBvHaN1USNl1yKwHvE8Ungt1lfdRXq6GzTdVQq+XUksZ/tvKi4zd3XlXYkGj95zajJBJeBl5aq6KxetpwJJTSWysS0caHBUjSBQyyohQ6eKCbR3nFsY48bxaw6MUfaMJl991z9TbMCxKtyAtuE846JqjXTfkLA1PAwwTIMgMT3Sdjk1wU7LsbafJ44nmxX3Xo/fVP9z9x2ILBgkHwstvdpnOjz0xvvH7PBNNHMw2mrBq2lzx+0b80aunplgdlOD3uf9n25wj+FXpe4sTrTjH3oelAFLGYtbSVGVljuTzvsu+iM7HIuIURSs9Vjx/yqXOGjNX1pnR1r0eSVu0Zfvz1vn3etJ7jkZtOJk7mRg2t1awH/coaERbpzEoV6ow6ar/NrGFubXEsRlDuMt2zPN3/brxK5XiLLjEtGwmA1iURFbKRy4jxn0KHSZihfuUJu+n3udqcnKbtHbDRbI3lnPjJm9oENgXYcS0EGD+1iPtU08X4AWS68Yzc0y6LVAGn5jcjOnXxfhawbZ7bWPD6tYQ0M4FdJCTUrtoJvtNafHpm8Qa2izwoaswtghPP+2YjrYI3+qqoIVpvSX8kmcBqc8v2rkSm2/4sU8j1fHTD+MraGrnsk6GgNDDWpiS1IKluxrznjz6KKfsyb9k1RavCgbJ/mrwqklrdrxlzNGDJNQRznLBXJJpWAljbwyTjyo7tzULOJtywdJ6QLJBIqThOzKWFpdRY/MsjlLXpR5kyV2VZYki8E9D2IZtJvuN0IoaRIW4UHCSREKHkIM1ZN3oDZcvx2nUVcxhbqy89/6x/kyLybBorBE3oVO6XnLQD60/wEWdf/fIjsAAA==",
            text: ##"""
// A session of live queries (`/v1/_live`): up to a hundred queries of any number of tabs over one stream. Events
// are handed on when a `sync` says that all queries are exact at one commit: a tab never sees half of one.

import { Reducer, memberTexts } from './reducer.js';

export const MOST_QUERIES = 100;
/** How long a query stays when its last tab has let it go, in milliseconds. */
const LINGER = 2000;
const LEAST_WAIT = 1000;
const MOST_WAIT = 30000;
/** A stream silent for so long is lost: heartbeats come each 15 s. */
const MOST_SILENCE = 40000;

/** A query of a session: what it shows, and who watches it. */
class Query {
  reducer = new Reducer();
  watchers = new Set(); // { tab, number }
  state = 'connecting';
  problem = undefined;
  source = undefined;
  retryAt = undefined;
  /** Messages that the next cut hands out. */
  waiting = [];

  constructor(session, url, alias) {
    this.session = session;
    this.url = url;
    this.alias = alias;
  }

  get isAwake() { return [...this.watchers].some(({ tab }) => tab.isAwake); }
}

/** A refusal that may pass. */
class Later extends Error {
  constructor(problem, seconds) {
    super('later');
    this.problem = problem;
    this.wait = (Number(seconds) || 0) * 1000;
  }
}

export class Session {
  queries = new Map(); // url → Query
  #base;
  #events;
  #path;
  #address;
  /** Aliases that the server's session has. */
  #held = new Set();
  #marks = new Set();
  #count = 0;
  #stream;
  /** Why the stream ends, where it has said so. */
  #fault;
  #at;
  /** The last cursor of the session before this one. */
  #before;
  #syncedAt;
  #wait = LEAST_WAIT;
  #retry;
  #silence;
  #work = Promise.resolve();
  #hasEnded = false;

  constructor(base, token, throttle, events) {
    this.#base = base;
    this.token = token;
    this.throttle = throttle;
    this.#events = events;
  }

  // Its queries ----

  watch(url, tab, number) {
    let query = this.queries.get(url);
    if (!query || query.state === 'failed') {
      query = new Query(this, url, `q${this.#count++}`);
      this.queries.set(url, query);
    }
    query.watchers.add({ tab, number });
    const messages = [['state', { state: query.state, problem: query.problem, source: query.source, retryAt: query.retryAt }]];
    if (query.reducer.version >= 0) messages.unshift(['snapshot', query.reducer.snapshot], ['sync', this.#cut]);
    tab.post({ batch: [[number, messages]] });
    this.settle();
    return query;
  }

  leave(query, tab, number) {
    for (const one of query.watchers) if (one.tab === tab && one.number === number) query.watchers.delete(one);
    if (query.watchers.size) return this.settle();
    setTimeout(() => {
      if (query.watchers.size || this.queries.get(query.url) !== query) return;
      this.queries.delete(query.url);
      this.settle();
    }, LINGER);
  }

  /** Has the server tell a cut that is not before this moment, by a query that is new to it. */
  mark(url) {
    this.#enqueue(async () => {
      if (!this.#path) return;
      const alias = `m${this.#count++}`;
      this.#marks.add(alias);
      await this.#call('PATCH', this.#path, { queries: { [alias]: url } });
    });
  }

  /** Connects now instead of later. */
  reconnect() {
    if (!this.#retry) return;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.settle();
  }

  // The session of the server ----

  /** Makes the session and its stream what the tabs want, by the request that lacks. */
  settle() { this.#enqueue(() => this.#settle()); }

  /** Steps happen one after the other; behind one that fails it is not known what the session has. */
  #enqueue(step) {
    this.#work = this.#work.then(step).catch((fault) => {
      this.#forgetSession();
      this.#lose(fault);
    });
  }

  async #settle() {
    if (this.#hasEnded) return;
    if (!this.queries.size) return this.end();
    const queries = [...this.queries.values()];
    // Where all tabs sleep the stream is closed, and the session is kept for the first that wakes.
    if (!queries.some((query) => query.isAwake)) return this.#stop();
    if (this.#retry) return;
    const wanted = queries.filter((query) => query.isAwake && query.state !== 'failed');
    const missing = wanted.filter(({ alias }) => !this.#held.has(alias));
    const aliases = new Set(wanted.map(({ alias }) => alias));
    const spare = [...this.#held].filter((alias) => !aliases.has(alias));
    for (const query of queries) if (!query.isAwake || spare.includes(query.alias)) this.#drop(query);
    if (missing.length || spare.length) await this.#change(missing, spare);
    if (this.#hasEnded) return this.end();
    if (this.#path && !this.#stream) this.#listen();
  }

  /** Adds and removes queries, in a new session where there is none. */
  async #change(added, removed) {
    const isNew = !this.#path;
    // Queries that show something go on where the session before this one was.
    const shown = isNew && this.#before ? added.filter(({ reducer }) => reducer.version >= 0) : [];
    const since = shown.length ? this.#before : undefined;
    // Marks give their places to queries, whose own cut tells no less.
    const marks = isNew || !added.length ? [] : [...this.#marks];
    const wanted = [...(since ? shown : added).map(({ alias, url }) => [alias, url]),
      ...isNew ? [] : [...removed, ...marks].map((alias) => [alias, null])];
    const answer = await this.#call(isNew ? 'POST' : 'PATCH', this.#path ?? '/v1/_live', { queries: Object.fromEntries(wanted), since });
    if (answer.ok) {
      if (isNew) {
        const { session, url } = await answer.json();
        this.#path = `/v1/_live/${session}`;
        this.#address = url;
        this.#before = undefined;
      }
      for (const [alias, url] of wanted) this.#held[url ? 'add' : 'delete'](alias);
      for (const mark of marks) this.#marks.delete(mark);
      return since ? this.settle() : undefined;
    }
    const problem = await problemOf(answer);
    const atFault = added.find(({ alias }) => alias === problem.q);
    // What another server has alone is refused here for good; the other queries go on.
    const isElsewhere = atFault && problem.code === 'not-leader';
    if (!isElsewhere && (answer.status >= 500 || answer.status === 429)) throw new Later(problem, answer.headers.get('retry-after'));
    if (!atFault && !isNew && (answer.status === 404 || !added.length)) {
      this.#forgetSession();
      this.#stop();
    } else this.#refuse(atFault ? [atFault] : added, { ...problem, detail: problem.detail.replace(/^query '.*?': /, '') });
    this.settle();
  }

  async #call(method, path, body) {
    const headers = { 'Content-Type': 'application/json' };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    return fetch(new URL(path, this.#base), { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(MOST_SILENCE) });
  }

  /** What sleeps falls behind: it begins anew when it wakes, under an alias that the stream does not know. */
  #drop(query) {
    query.alias = `q${this.#count++}`;
    query.reducer = new Reducer();
    query.waiting = [];
    if (query.state === 'live') this.#tell(query, { state: 'connecting' });
  }

  #refuse(queries, problem) {
    for (const query of queries) this.#tell(query, { state: 'failed', problem, retryAt: undefined });
  }

  #forgetSession() {
    this.#before = this.#at ?? this.#before;
    this.#path = this.#at = undefined;
    this.#held.clear();
    this.#marks.clear();
  }

  /** The connection is lost or refused: again after a while, spread so that not all come at once. */
  #lose(fault, least = 0) {
    this.#stop();
    if (this.#hasEnded || this.#retry) return;
    const wait = Math.max(this.#wait * (0.5 + Math.random() / 2), fault?.wait ?? 0, least);
    this.#wait = Math.min(this.#wait * 2, MOST_WAIT);
    const retryAt = Date.now() + wait;
    for (const query of this.queries.values()) {
      if (query.state !== 'failed') this.#tell(query, { state: 'reconnecting', problem: fault?.problem, retryAt });
    }
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.settle();
    }, wait);
  }

  #stop() {
    clearTimeout(this.#silence);
    this.#stream?.abort();
    this.#stream = undefined;
  }

  /** @param {object} [problem] of queries that are watched still */
  end(problem) {
    this.#hasEnded = true;
    if (problem) this.#refuse([...this.queries.values()], problem);
    clearTimeout(this.#retry);
    this.#stop();
    // The server forgets it by itself where this does not reach it.
    if (this.#path) this.#call('DELETE', this.#path).catch(() => {});
    this.#forgetSession();
    this.#events.ended();
  }

  // Its stream ----

  async #listen() {
    const stream = this.#stream = new AbortController();
    this.#fault = undefined;
    const url = new URL(this.#address, this.#base);
    const asked = { heartbeat: 15, since: this.#at, throttle: this.throttle };
    for (const name in asked) if (asked[name]) url.searchParams.set(name, asked[name]);
    let fault;
    try {
      const options = { headers: { Accept: 'text/event-stream' }, cache: 'no-store', signal: stream.signal };
      this.#awaitNews(stream);
      const answer = await fetch(url, options);
      if (answer.status === 200) {
        await this.#read(answer.body.pipeThrough(new TextDecoderStream()).getReader(), stream);
      } else {
        fault = await this.#refused(answer);
      }
    } catch (error) {
      // Lost or stopped: there is no more to know than that it has ended.
    }
    if (stream === this.#stream) this.#lose(fault);
  }

  async #refused(answer) {
    const problem = await problemOf(answer);
    if (answer.status >= 500 || answer.status === 429) return new Later(problem, answer.headers.get('retry-after'));
    this.#forgetSession();
    if (answer.status !== 404 && answer.status !== 204) this.#refuse([...this.queries.values()], problem);
    return undefined;
  }

  #awaitNews(stream) {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => stream.abort(), MOST_SILENCE);
  }

  async #read(reader, stream) {
    for (let rest = ''; ;) {
      this.#awaitNews(stream);
      const { value, done } = await reader.read();
      if (done || stream !== this.#stream) return;
      rest += value;
      const end = rest.lastIndexOf('\n\n');
      if (end < 0) continue;
      for (const block of rest.slice(0, end).split('\n\n')) {
        if (stream === this.#stream) this.#take(eventOf(block));
      }
      rest = rest.slice(end + 2);
    }
  }

  #take({ name, data, id }) {
    if (data === undefined) {
      // A heartbeat: everything is exact at its cursor, too.
      if (id) this.#sync(id, []);
      return;
    }
    const text = name === 'hello' || name === 'sync' || name === 'bye' ? undefined : memberTexts(data).get('q');
    const query = text && this.#queryOf(JSON.parse(text));
    this.#events.frame({ kind: name, q: query?.url ?? null, id: id ?? null, text: data, at: Date.now() });
    if (name === 'hello') this.#wait = LEAST_WAIT;
    if (name === 'sync') this.#sync(id ?? JSON.parse(data).at, [...this.queries.values()]);
    if (name === 'bye') this.#bye(JSON.parse(data));
    if (!text && name === 'fault') this.#fault = { problem: JSON.parse(data) };
    if (!query) return;
    if (name === 'snapshot' || name === 'delta') return this.#apply(query, name, data);
    const news = JSON.parse(data);
    if (name === 'source') this.#tell(query, { source: news });
    if (name === 'fault') {
      if (news.final) this.#held.delete(query.alias);
      this.#tell(query, { problem: news, state: news.final ? 'failed' : query.state });
    }
  }

  #queryOf(alias) {
    for (const query of this.queries.values()) if (query.alias === alias) return query;
    return undefined;
  }

  #bye({ reason, reconnect, after }) {
    if (reason === 'max-age') {
      this.#stop();
      return this.settle();
    }
    // A session that has lost its right is asked for anew, because that answer says what lacks.
    const isAnew = ['session-ended', 'replaced', 'token-expired', 'access'].includes(reason);
    if (isAnew || !reconnect) this.#forgetSession();
    if (!isAnew && !reconnect) {
      this.#refuse([...this.queries.values()], { code: reason, detail: `the server has ended the stream: ${reason}` });
    }
    this.#lose(this.#fault, after);
  }

  #apply(query, name, text) {
    const isFirst = query.reducer.version < 0;
    if (!query.isAwake) return this.#drop(query);
    if (isFirst && name === 'delta') return;
    query.reducer.apply(name, text);
    query.waiting.push([name, text]);
    // Nothing stands beside a first snapshot that it could disagree with.
    if (isFirst && query.reducer.version >= 0) this.#release([query], []);
  }

  get #cut() { return { at: this.#at, syncedAt: this.#syncedAt }; }

  #sync(id, queries) {
    this.#at = id;
    this.#syncedAt = Date.now();
    this.#release(queries, [['sync', this.#cut]]);
    if (!this.#marks.size) return;
    const told = [...this.#marks];
    this.#enqueue(async () => {
      const gone = told.filter((mark) => this.#marks.delete(mark)).map((alias) => [alias, null]);
      if (this.#path && gone.length) await this.#call('PATCH', this.#path, { queries: Object.fromEntries(gone) });
    });
  }

  /** Hands out what has come for some queries, to each tab at once: it sees one commit of all. */
  #release(released, news) {
    const batches = new Map(); // tab → batch
    for (const query of this.queries.values()) {
      const messages = released.includes(query) ? query.waiting.splice(0) : [];
      if (released.includes(query) && query.state !== 'failed' && query.reducer.version >= 0) {
        const isNews = query.state !== 'live' || query.problem !== undefined;
        Object.assign(query, { state: 'live', problem: undefined, retryAt: undefined });
        if (isNews) messages.push(['state', { state: 'live', problem: undefined, retryAt: undefined }]);
      }
      if (query.reducer.version >= 0) messages.push(...news);
      if (!messages.length) continue;
      for (const { tab, number } of query.watchers) {
        if (!batches.has(tab)) batches.set(tab, []);
        batches.get(tab).push([number, messages]);
      }
    }
    for (const [tab, batch] of batches) tab.post({ batch });
  }

  #tell(query, change) {
    Object.assign(query, change);
    for (const { tab, number } of query.watchers) tab.post({ batch: [[number, [['state', change]]]] });
  }
}

async function problemOf(answer) {
  const problem = await answer.json().catch(() => undefined);
  return { status: answer.status, detail: answer.statusText, ...problem };
}

/** A block of an event stream: lines of `name: value`, the data on one line. */
function eventOf(block) {
  const event = { name: 'message', data: undefined, id: undefined };
  for (const line of block.split('\n')) {
    if (line.startsWith('data: ')) event.data = line.slice(6);
    else if (line.startsWith('id: ')) event.id = line.slice(4);
    else if (line.startsWith('event: ')) event.name = line.slice(7);
  }
  return event;
}

"""##),
    ]

    static let byAddress: [String: BrowserFile] = Dictionary(
        uniqueKeysWithValues: all.map { ($0.address, $0) })
}
