// Written by .ci/embed from Browser. Edit the files there, then run .ci/embed.
// swift-format-ignore-file

/// The files of the folder Browser: the modules for pages, and the console.
enum BrowserFiles {
    static let all: [BrowserFile] = [
        BrowserFile(
            at: "/console/access.js", .script, tag: "\"360f0b7d44ff7a1c958aa69011996323\"",
            packed: "H4sIAAAAAAACA6Va6ZLjOI7+X0+BzsgYSrVKee7DtTUV2fd9Vc1ebm8nU6LT7JJEr0in2+txRD/Gnn/3wfpJFgdNS7Z7rr4siQQBEAQ+gGROJnBbVcb7KWyWDlq9hdrhqw7lE9uuXB9gB61p703/ynwbPOxh0bsWVFlOelOvK9OX33j17Eh8vw7BdQVUbrW99fKkoQWYxrSmw5eFbZoClq6pC1g12nb46N09dr+l+/ooYlK79oR752rjX2mkHZCZb5nLCWljffhcPwwJqemEqnJtq7uhUNfXpvcnZNq/Lsg6BXjTP5p+QC8Np/T3nqeqq+C/dJsC7nXXmZ7MURv6XVNv7Sq0kGlXYfsy6GDQNDSggAf7aDo0kdG17R4KaFx8adfBoNXcKljX6Ybst+7p6Vm3qncNfbS6adhKBQR6sArBtvTdG/zduJGh/dJtZAZPKtf5AN65Dp7Dz34JT+G3v/7lT+mfZ7Gvtw/L8NkCuzN+zeH57+MrPH/+HCWsDbxgEZlCRaB3G68KUA/O1SqHKRxpF7rxR+LOdYYI+TkmVP26MSpR3m9BAzUR+Ub3HZNLX2oSa0cl8/ygP7qL7bcyAX43aHHr3+HXWmaTPlHiTNgaaSDu9xrnUUAcDD/5CcwUKLHwgWU+nz8BmCYimkS3Rmv88Y+jtnVXm4XtSBKvLpnBoEPxhN7WwZQr3fsjW7iR1s5tshz+XlYqKUlfR5Pgy7laMB035Ljok6dP4Usykwe0bNiuyFGWzhtA5rSELixNzx0eGo1RBE8nQ3eQmCSLMk0hAzwbU7wyOzplpmSMSpiQqUqzS2MTGQkVH6tDc5mpV/RGfUbzOvxjbwM3fIK4Vem1N2qOdGVZshY0RB1Umc9LxJ1g+iybYVtn5qQcveRlq1fY2unWHHtS4GQ7ULUO+ob1mAKRwb7gp7imOi5dspWn9RN0y4gyLw5xk6GEsscZnDRtaDLYtgNy/ylFQVhi0CsK/0o32KI7v0HWErYohObem9YFIu/Nv62NDx6Cg/XKBxTRegX7GTFv0KWaObx4Aekrz9PS/+PSEcKhwQgKCf0h0A9KbUwfs8IUSGmkMIgl3naVoRA0BE1MsdSPBqql7h5MDVY8RPttV8Fi3VW0uNCin2cE4TnsngDnAf5MAJeRSgCh3zIBgLjYDr7xrpsC4xfmEtijp+mNtoHUztR777wiL5g8/mzyteZ0NmmNIlaJRYUr0WLEDZNZRrzy8sGQ/3G/jBlp1prSrUxHQS4Ynh3ARVH7jcA/fb5aGhK2sA8IyTzfpfbQOfj+u/8Rrb7/7n+nQMG9vXf1ljIu2bRaGg+41B6IV7K3ELILlOj+rBdIgshmM/UB6FaxeuyILwTr4if6XgITx7JsB4gjwVbrRiO2UJiol+v7b0wVhIuXD3gj4hRNWNz32CnDvnSNkTE9vl0eQD1IHZUGHHVb4+pbH8Q0Ml5TW8L0rRlliZQTUkYQ8QLMfjj3BOkkOkE65xZiRNrx0LdkkYuDN7wxxF/Sf9CudntFTZQvM2kv4OeI6oSutjZpSYYAmH3GdipNF3prPKnDSJSzsgIM4uJ7qHSolpDFykciYuh5w5roQFVARtg0CKTI7ckeI3kCby1N9Rpu8J+YyMm/vOvI8TFu4RO9It/BsCaj2hBdTbxvY8NSnI4yNiOp2F1IozP7dbWUKQvFIQlLOobaVGgcL32MMzLcA3+gMENsAmUVtwEbFHvJLKXXo7DYIqykoKJeMqIBe1QG223Yqvmc4CxhDc6jthWBK0U5mTehicimOsoHHdYeqzPD2QMdgwzoGV8+fPnZp5J7hcOzxMBrWyNB5CI5wLt2UJ7QVyp7UnkSBySq+H3B6XuzWPtBrUGyexPWfQezlDJXipJFMD5MQcXpKspMpF8Bd1O43sXlZ4yLk8wpC8T3fQmEWjF1AFJ5HCRW2Zd30cXFKJIld+AWBS81yQnWLywZkutykm0xnL5lH016esMrMtSWOUZdt5lbiA3RQ8mE6taDDWiJdVOToq6l9AbTQwcBZXDoGVNIJR7qI9XOISiTbqnwSkl66EEMrxA4/RFvfe/WgRciMUjLRRuWSwiVXJoI0pKJ7cQwmHC7h7CE38NPCVLSJkY8K1oPV2wilp5c79iM+wl33EluEaMzilNVRE+Uks+fUewnt2cO77q+zYJ7bTo/dHwCS0KCtDJU1tCeiJfGkj150A0T4vIMfB4t0ZDTZ7SCBTT63jQF6BB6e49WlUpvmLNJ9aEs263WIsjbfzdT+NmvCxBeWK4d+UShR3cXLExsWHCqEu+ud9ywhzuxIpkDYH/Ue8YzKoAfHxPtHJ7LbDJxwxvu4gQuL3HveGIN3qpWhtbY9FO4mFfHJptJHU2/PyA4lrPxueM4tOTYsocaMaOQtvVlRlZgk353J2rqbjvWSldhuCwe36pwFps3WrCEAD4W25tDsU0V56NRcwEEss443t0qhfujbtZmXDLn+UAZge6hPhQQGkXycELQKfyC87X3pJurJdn0Vt+IK2DrO8JFe8ZsNNMCaNqnK7a7+v67/7tC2y7NQbA+Q5q9KsaGEMqxDWm73I0CyT6ywklPzNlHPe2jITVXrhELDvkbolvaujbdhVV/cEMpcrRCgtipkAXWZa0N6migVW9b3dPcz5BWvcWvzJ1skj24VE4gCCsuxlRebpZbopGIKXVdv/OI0j+2PhiufheuWnsVh0q9whESY8xnedpoJd+gF6mqvtad67atQxZx30U+8qc9iGwS3YZ2K6+O6/dA0KsPWYE8NFCw1/YBWxaulzfeisBxG0KBm+VDtOIYJmic3V3xLK6m1zsuAHzoMUPYxTYTe7A+tIcnAMr3d4hBV7W7QI4BJMSRiFbsAhk1J7pD8rK1NGGywJG2vjCOSBJ3sYY0lEjSZrkMlQ4aPiTZ381HGHu3u96xAQ4L96ZzjdFdXn7jbJfl+/2dFJkAJxs69q5kSow7dCqqNW4PeJ5JCNTWU7qjtBiFigIcSKW4P8TTIOoZbgFT2XZx6/f5Zy/P9n6sFXkPr/T0sN4SWKnIZtnFaZ0oNJfK87OxFyv0xIANlkx8XgyxA6UjvoyPMGx4ofJBskMPbse4EmdGm+EdSPRPITMUoYMMzN/lqufn22ah103IomLMQj729O8wNf5gnlW0T1B8nJkPMlrKSALt/uCJBQam+LJAVqbecitC2wQbcjqcCffZLE0sHsdmsz+xsPMirmiOJf8gcRHPGyEhwCjEu/JxfdSZDaf57LQwOq9VEvwQb6uKk8JlygUrVwfj7NDq17iiQ364EsTtNI0Ffc913hR+epbToiHUSFZsHItrbGd+pDBm4RYQTk8wxuKJ7DwRUlF4Vv1xqD5nwx4hU316+8k7StxQjFQS3VuuC6Yj8rtFb/zSBHFJ3rFe7yb/OvtqU97M/+56UpIycT/3QmRM4U5d7+i17A3n+1uMzyt1VcCV+uorpa7yvboTAAO21anM3RVpiXXBOTaToD0y8kv981/9Gkm4gsAG3tTj9+7qKf9SjXQl+Rt7KQ8RQ4az/QE96YcknafU5G9kTrIuv1CM/hX4ccvmklo2l33VDwXzp+Tu6lCOSaASPe0y0oXICq0QPLmEMCXQqYycEFIjmZJS7LnTfP/df3qQiC15aDxasMFTPjY+PIOXH7z3/h8+B7IbyyBYNaAftO1kSxqPwjpDv0s9UIT4mGZBZ2LRiwpWRuYRL1yyP1E0pRZB0aqx1eup+HC6rcrO/bOAoX1ULuApyBaGHXKvkykxgeLKRY5naPxKP5jhCY3cBfl4n+I2EkrjTYRPh9hUosQzptdm6zO+KKJhcRvhFW/vd/s87jkLGJIcjqbnR9eiPZRcImUiShipfH+9E/IXfFpNAXz4ZgennfpBLwjO8Q5dkbPvn6WpNeu247oK5e3Y4aZxo8I+OT1uuqx/lzzIxLCRYMBl+boA1t0ebmZkRz8sJOHFnz7sTAfxyCPHRRvqEk82jwqlU9GkAZ09i2x6G1/akFVSq6L4Im3ksCo7Cj6eJQm3MzWk+E5KpNNStO2fVEQR5KjTI9R04pTMos4kirckifG+hRfipetxWFoIioFp8k3yF3yVU/PocvtjU3Kx/d1oCWVwcnbhNtZIzvuGOqWj3rF3/GmlEp98PzlrrUmxv9K3FHl2OmEehlOSNI6yJOrM6Gs/mt8f/HhykkBEu3THm2GVRFcWR/vFhjPudDGHLOvboTt/jI2wxtZzK55L0lJF4vPCsVnngtz7MNz5wAdQ8TaRRoo+CC1P0ADoQsdtAl2UZJych1VXa/7UFro2QdvmWICkKksOv1vD77TliBfwLW+X3hjtZeMJq0hNiCd/RjA9ymasaEzKkKlj+bPUpm4Fzvkon4pgGxozTc0FEB5zPsGfZP0q1b26CtMfKn7XfTOqfS/fZ82p3pWss17VOpgDPzk24CIjGZfTzPP0RxCZGCBmwK8lLavzWRwgm07T0CbYNWvNoMp4JQPj1Y786UJUY/B3DJn61B2StU/FgakltZ8XC8MLMrpBQNQ2nPHbUo2zKZnlfUd1TjphjbE8DORZuiWjUgfH/MikMb4tG8Z6yh/5hXuwl1xJZhfJc2F6dis2JI5ejJoysAOfOqp0qzYb4mN9drxCevxNqCWaRWwi/Fxqnwl0ybHC9U5gaDhauvP9KULcJXXT9duAacUtwjYhdWo8u4Y7I5Ebubz4E3dwf6JEulwbiW/v5fRQUIaCqSTMKBmdqHCnKj5TPmg+wjuh0quVwUA+nsVzgAhBIB1LW/u8GGxGh7U+kVHF+P+ZGXoBnCUAAA==",
            text: ##"""
// Access: who may do what.
import { memberTexts } from '../reducer.js';
import { button, copyAs, copyText, element, fill, hold, plain, problemCard } from './dom.js';
import { nodesTable } from './explain.js';
import { listPage } from './list.js';
import { command } from './orders.js';
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
    shown.hidden = false;
    try {
      const { text } = await ask('POST', '/v1/_access/check', { body: body() });
      fill(shown, verdictOf(text));
    } catch (problem) {
      fill(shown, problemCard(problem));
    }
  }
  return element('section', null, heading('May it?'), element('form', { class: 'check', on: { submit: (event) => {
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
    making.textContent = `freshet token new ${/^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`}`;
    line.textContent = `{"name": ${JSON.stringify(text)}, "sha256": "…", "types": {"*": {"read": true, "write": false}}}`;
  };
  name.addEventListener('input', show);
  show();
  return element('section', null, heading('A new token'), say(element('label', null, 'Name ', name)),
    say('The command prints the token, once, and the line for the configuration’s access.tokens with its digest; SIGHUP reads the file again. The server never has the token itself.'), making, line,
    actsRow(element('button', { type: 'button', on: { click: () => copyText(making.textContent, 'The command') } }, 'Copy the command'), docs('access')));
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
            at: "/console/answer.js", .script, tag: "\"66279291a08794cb56e6b9bc29519d03\"",
            packed: "H4sIAAAAAAACA2RSRWLePBDd+xRv9f8Fh1dlXpXpAIo1tpUKXM0onLt3lI/ZOI+kd3CAXyPBRL6gjNTD4G+hfNXiYqRMcALHiAnenRPEnHp6ikGvI1LsqMWQU5m4hRmGTIMR4mfKZhXuuhFTThNlccQwMzR4TBe837gwpSy4gbNf+xaBwillxh36nAL+398/OOMU98/4/2er2R9kS0e5BXkKFOUXXQovwPc36wR5Nr3FcVpEUlxStOid9y3UZ3zvjE9Di8kbF1dMBzaFLRLDf1pwNJOmka/92ixTPt/RNJ3wj3TRqrj3VC13ZhJXbXTJUj2WaoXCJFc/xYg+GslYF4fZhSKc/eSiqjr+UmpcjV2EbHVbstEEmYLJOnBufKF1R7rgW37q1v3OimESURFeH6/ys/mmS5EFIbGoe8YLnBwePoN2JvXLjXcRMhJs6kpdz6Y5ePQIb+KiUjIawYXh9dIsMH3KYda52q5Z8fbx6KChy3ujnTfM+KoQ6N5StIwPSiK/TB5IczTAvVs19r9ajdTVMGoctXhatqBvSrTUu0i2PuYrJbNvRJ+/rzFj+teIdSw5jiPR+34FxhKMZTFUs1413nt/UyhCLBJqMZpFKkhqe2oVuu55zR/ul+zLfCAEalQd47pBIDOR9mVCL2wqB6+Jl1pst+7FlGZygiN1Qn8ox663h75J9V6IOuxJgrXkg00+++TnJJt8q6RpDjNba49mhAHmlJp33vXsBh6oh/zBjQVu/fKn777N90U/OCuUqe7fxYRUMC/2++bRJlPqJXEWkjWdsRViargpLw/90PVzwaNrGpuI2onnPWXGegf+WuOzZ/3qmrRtUTeuCvL075M4k+caNXFk4JviqH/fnferetgXY7nTuFsJDldJuSvaZ9A4/S3EKpW0VEPSp64GCx1QN+Ohb2dextEdCEk3dmPRPEWphxFtf2hL3FU9RR8Izjx1WzaH6mkWnsccLD3Bu6d4zhSBK0Lol3HOqMgdNFS+8XHvBI2e4L9OSzmj7D3JqaeBtmy6wYmSp98hYh4QtnCewGZsC5oKi4b5RMjqCVe6v1qszTvvACJWiXlv1jk829KsZLFG1RV7GzUTzRdqqhLzxrXPxh2kSELVJe9OPgjKoBxXeZ4LLW7Nn7tHpNg6U2a5J+A7uH6W/srmyoDmUi4nj59AZloKjDSuKHekyQSBaV0NLzRIvU3ZNYeHdtiwYwuwPpoCi3IHD7bE07n7KEu1pw8yw0h5UfQkGhX+3wJAQge4Cw5uiwc3eLj8yY12ldRVsk4DAa8AxRWHX7qZG1Y5At7MIzmXQnchp21Sj+5hCChAFg/lDNnQ1KWzi0xNuR5hQzNv3iGnjzJPxP02aIJmRZo0HHhfyAkIfMhT+icvqsrKSq8JqXQ0oFqayAp8JynTJPPqnxSrIoci2LDJRwgpqB7PDNLN760lkfGpV6/Pht++Feexd6RNqvrvYD+yyS5NMpR9h+GkxyYGtRpd85elATt2HY6R4cgcHCZFXxc3TXHvmgT7n2mchckNI76f8Vt6CJcMrtp8YaHEWv0SdPJJH+tFgRfyIT4MSFbnHQvxqR+J7Ma8fuRUZKOyher4StLTJk0z9qxZwM27ZmHefHNW2xs1D+Ig/rTJJAhefZaMD1qQMBcIYRzK7Ob1o454Nqa+mVGnJ5RZ71Se1m/bTaksdZ1D65QAEco41nSsx8ZlzDsqRQ1jVCyd5pCmZKZoLCE4u3+sIs+HQZNFC2OY6K8IlNaVYGmyrZ8depcg8VoMtggKSd7xJMIjzMoT5jAwcpYN7SGMLhDEaPLzWtrqIyJWU4Ia5R99ggQJMzZdw5BzmFYHMDF1KV7g0M9Pnx/Rpfdd9ZhkaiWdS2asLjzYB6prd0gA9EuFSO3zjP8E9P95x2G4dgPnZ2mT5l7udT0Kye2Hq7DeuxJafF+0juNnFHrG5axo3e4Po7jxsp6/BWGiT6DS7bqmcj02W24O9T8ABbd/nuFS21WQ/PIahjHDeBU+fqCZ5/jtRfsbWpLMLmqQMrhILMuMCCAeVk5tnceh0Ot3vdsuzea114+gOG3MyfNFQsWZ55IAWdSA6i330/BMyrEQB1WBnrIIJJbzZRCumyJcZcoz04qzsuk5aCcES1SmdACK5RPVJl9BOcZesgEJSFGqtGqQa7VgqKwfbKrqhNz1L00bVBf6SqjsSp2g5GuVtxLX0q+sAnoJtIlJzup82smza6YFKZnyaRxxlSPxW3t9gq0/MrSg/pWKjLpNz73rrYUoPIVlUlNrJfg8gISmYlxE8c8P3ZZPzrofRohdECJ1T6YbPH8dnNyOpLhWXpE0ANbQHfpyhq6Dc9MD8ptiT8WiKaGuRAeyyQMjNnKRUtCM4ciiPQkbR5bB3xpGZbDJrZKWPiOtfgdgMe+9Zxap+b259W8fQ4bKwfPOCkjHDpTxQc4xPcByawsEST1/v7pdo18V+MtPayuRz/SRVTS6Ds8H/vojim/kELPp2Gm49OnvD3tgy51mztIUA+fWsntwV32PYRbT7EecdIjfvhGHYZUTEm1gh56GoRy1N7o+AuJXZo+VgQfp+gKuLUMApYfv2qW5xoMMn0HUMMZY2DUzGPSD2gzWAkhsu/IwuOqMP0QMEalzB3XrWsGPMaKa5Nx3v1wHeOmycvnOlc9BhD1dumppIC0X2zKsliDlo3ppLOWHcwgGZ04+eYiak7chnrprfSvY+0cPs3NIJorEGoWdOWhc9gjMTro8LTGHiUbieBnGqnrAMCB2vAL/rIoReX7/uA7GoL6eB1u8roZZog4du5/2oAEqFnDxbRpvUFZmFiJtmt8D0K/COe4Lh+oV2TJvm4WMR//7578xG8nf/00C1eVA09RhZAh7NP1iCn6hQw3iMKH05AsANb1vb27hPIzHYUO+K2RteCFJuobm9krIOSoVP6JW8tgUVjyeNa8R/bqpeteuPBdeuOtcG9NPUFx+HvugaUKceU1IawAHvRILxntFFuhEe8AKhsPK2mMIqzmxVKfv9L1chYU2e6UDnH/FtYy4zn7wH5EjmjNYizfElR77MuIt1VI2rEKBZ4COq+Qn3BP6HlInAMpRoYGa6tKj44TdZ3xEIPZo0wXaODJ0lXwQIV4QLWmgpx8VLWbFsB9m5/ValDsp2v4ff41gFrsXAAA=",
            text: ##"""
// The answer of a query, where it is no live table: given once, groups, aggregates; and which properties a table shows.
import { idOf, members } from '../json.js';
import { Reducer, elementTexts, memberTexts } from '../reducer.js';
import { button, element, fill, openDialog, plain } from './dom.js';
import { ask, snapshotOf } from './server.js';
import { actsRow, bullets, caption, code, count, emptyState, heading, heads, idLink, isNumber, muted, plural, remark, value } from './show.js';
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

export function aggregatesTable(text) {
  const rows = (text[0] === '[' ? elementTexts(text) : [text]).map(memberTexts);
  return rows.length ? staticTable('Aggregates', [...rows[0].keys()], rows) : emptyState('There is no group.');
}

/** A section for each group, 300 rows in all; `columns` where they are chosen. */
export function groupTables(text, type, columns) {
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
  return element('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': 'Groups', test: 'groups' }, groups.map(({ key, rows, shown }) =>
    element('section', { class: 'group', test: 'group' }, heading(value(key), muted(` ${plural(rows.length, 'row')}`)),
      shown.length > 0 && staticTable(`Group ${key}`, all, shown, type), rows.length > shown.length && remark(`${count(rows.length - shown.length)} more rows are not shown here.`))));
}

function staticTable(title, names, rows, type) {
  const cell = (name, text) => element('td', { class: isNumber(text) && name !== 'id' ? 'figure' : null }, name === 'id' && text !== undefined ? idLink(type, idOf(text)) : value(text));
  return element('table', { class: 'rows', test: 'static' }, caption(title),
    heads(names.map((name) => plain(name))),
    element('tbody', null, rows.map((row) => element('tr', null, names.map((name) => cell(name, row.get(name)))))));
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
      const shift = (by, label) => element('button', { type: 'button', class: 'plain', 'aria-label': `${label}: ${one.name}`, disabled: !all[at + by], on: { click: () => {
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
    actions: [['Show', () => all.filter(({ isOn }) => isOn).map(({ name }) => name), 'primary'], ['As they come', () => null], ['Cancel', () => undefined]],
  });
}

"""##),
        BrowserFile(
            at: "/console/builder.js", .script, tag: "\"30809064ddbc466059aa0e4425e5e891\"",
            packed: "H4sIAAAAAAACA3xVZ2OkOAz9Pr9CV4E9wsz1u8z13vun7R4sgi/G5myTCWm//SSbEJLtG2xL1pP0npX1Gr6ERumADpSBsLfQWNd5sA1YgxDwNByCAK14YyGMPYIKJQgjoW5VHz17Z3t0YSyBvyJYF+0nQg9YrVTXWxfgHFBjhyaUDKjhEhpnO8iqtbRd9a/PtjeeDjvhjhcuvrX7Oz5s+pozmFCNLKEXzuN3sZyS0k3mmLScPn+I0JYwGBV+bxqPYYGR2nAHpbZdrzEoc1TOa2soaCcC1U/Hc83+O0uoUy8U+nk9/t6nS6kjflnXcHSEPiTQVU1OAfbWSQ+fgsE9/Cr6/MGDLLgBsxIy5SEuH5XwILv6lI7oJ1UdKHGTTpX/bdB6cja0BGZj56nx2aNHxXYC6cXgkUA+2Gy2QCogykXDKggtghbkcYzjarW+d28F9+AfOkztYboF/DegGyt4WrfCHGHOKimeAmdntYR9KwKtQPS9Hg/BGvjWMCMxE7Iqjc8BIwM6jEccj2FrYWCHiVVJcI0YdMipqztSEgEORqJjafoJk+56dCcU2WEz8CUKs17haWSzGUzNRMBuUJpu5ucRKSmjhFQMXBZwvgIgomMBCiV8Gv2202lnJWo6OwdhqLxGaI9ResEfwoNHcHnteKyM9NeboDp01xvl/0r5wafpfuRgNy4qWJFroqpTzllHntP7yTOpTrKSxUm9I8wseTDnwilx0Cop0WRkiGKhirZzMCZoGaq/FWgnJO2VpGWi+yC2nM6c1UinPogweNoH9OGO120g4VAsgbiDfMZ45AQUcU+Qb5czeE19nWvQYoc6mxHmc4m+dmqHcjeSlauplCxjwF6LGlvLzHKmQ92C8CB5jH06tTmOpd4p61QY4TN4524lt2toFHK3FkMg5xJKyJNuatqFAj79bDka8qSmpcciZJyZL+MyOtw0/MjZoX9RV7i+5D+XkbaxihVEEioh5bcnhPWL8gENyT5Tph+Y1Dzmns/PKC9K4Ekb5yZt0gv+21qTF1TEiwPS85V2bzgksiXGTTSrZjqryAleISayOA0yuLiAZPCtasLPOBbgMAzOMBBMtt7F7zeY3n6RbDGvtJkqpUFFw9Id+3mApBkrkizAmvQ7y4uRh8VY8VyAm5Fw0wMRSnYASjRLo+Cau/M0v+GSbNyI7cKGRvJpIKl9GoM1FEvC57CBQ0ostFUnTik2vMWS528KVnmtagYtKo/C1W2+zj//5NOqyB/6i9eLtU99h/g7M08Pvbx1dcPhihjzlVvYb755o7KBNTZLnVt5IALLSoogeHkIfwcXBU7kXS4RUkeovoIZyyAr0nOD5yIu7/Edgng4vLPZ7LJUR3qyzM/X1gQ01DDu9nbWyt0WFklzDjt7gl8GSnI3BMzTe1CG8JS8jo3aY3L3GF7kW05jMalntRRBktVMukbh/lEd2iH836h1LreNxOD/eYp1xjPiJjSvN3l0vffeCxmJsXmRSY1Jp2n4HPdA92IHfAt4QVKMr1Pb0D9gsUkA3z6yCSpBWCJzkXhwLQmDFXWEFVVLYtblumNBjHeb1DI+SYhIapV1M8wiNm9mGN9EirSi00kMUV5w+US+Z+Xztrgy00LCRqUM9G7NNZJL4G/eEJimP50ycYhdWROqtLcokFKXf9nEpPykJF8+3odlF2XbFmdln+WRPP7fp6HUiQqkRAt8cyf0l9WohT5h1upFknGxKQ8Zzb2l9WYyoyfvls8sGfCX1BYgI2MwB//2bnNZKIOYVJcHNgD507nMfkGBsIlpom5ONFNQPOBMrrbqpoMWCESrViq+U1fRYEe4CVjNFkAkY19RkOVCCvhETr7fbLd0KBV4dYRnIlAICXMmrCR4/h5CICA6zgWExxMeVd05/7o4pdKwWV+1uauLC91A8EI51HVcGJ4XYRCr+Kse43+5qbokxFwalqkPhMG3MtG5Mb1bxUtIAsthiXViGYixaiAEVMZgZzBiam4oIUPx/R3ZeU2XjiT/TSB8dft4jyP723/k/q0M38kUOOyxIqK13Jby7TZIk3IGTB2+Mzhrti3rM1L6m+55BnsqBDj733XXVYp+DOHFnrC7as+TPVmfYlkjIUTFUVhG3zE07m2L+kHiKULU40VDLj/eH2DsxL3QZ8/TWHeei0d5VYGGMM50K+FxwgvvXZLkfLGj/69Ww5pQ/Ir3oxrjxEv/rjtW1GXJZ8YYpPTTNTUCkavCpdMRm3lxQJZlvJ2I1kuEbbV+sORjXc8hClL+NAoB1Q+Z4DGQFxbNlLWHHCDex5vUvRADfGXUCIDiLIoUm4ghOf04Od6DiCT8F32fm4IM10aYJ9wa4Rwpwjbc1/5uqrpFBI/CUbwQG1DeWNaxDbkD8+wwhL6LhkpKZrHeLExhJvRlrTjLRbFLEv5MXUWh99goR7ZJ1bhiNyu6/niPdX0+csLfMKzhoHoP/KW8F8f0GY/kagWoWQxiRFi5o+sfp66fbL8uu5wxCM+Mbwe8MbDQL/VS2zWUKq26oCe3hNpgNDkd+gpqcm9FR253RT3IJzjrpmtKjmEn2uPSl0lFOeryrGBziy0gLVeMyUJwCBNWEzlPe6aLevBSXQQE4CneLYGT05k/YDz4pzUhZE0jlrF3L1IxPI2q3WRE1GjRTEDKA30C9oCYBR0VlUPWSmvjlbKyUBZp6fdhr4GRAFvsNvGX9RvZL4aNlgMRMRTdrloqw2L1H4/yrrd4I/omclPFDmT49x+IYKNGivdDolhdtjuAiJz7grc2mEgRjpx6XBh3AyuFKP0DluFKUry1zxXK5DSUREB7my9nvMkiEuxhMUZpisvdDCmyBBya5oBc1PXmuQQhyJGO2h3aaqTFbfW0NHfOV9O4S9KkH6rNbpfgNOnJ+BNce9BqOOGhBbKWqe/B9nLWcUVKMGRraMLQ2KRNJtP+1MCU1mVCxRB35mBQEYpBz6ZUbXbc82vI51o6PE73/Le3ZpFVqBmmqYKuKOUl8pHtBCfo/r2VnZVdcs2DH1cxiWzOqnq9vdqUbVjb7PhCoQdTHSSjqBNk+A9/zXFIaFz7DsuPBn1n6z+8hjwExWO5Cb9RggoBxg/0n8E3TuSIwYeW6FYzzc66azgX9Eb+pZqhuYOe1exGftXsjFdNzW2dShYIS7gaqC3qDVlZ7l8Qc7GtCN3dW7jl8M1ZQgpLyFq/Pf8HyxvHgBcoKEx6hNR6sJm7CqaWp4ZEjQaWoun7dCi4R4mHSeuOUSLwqs434BeVQcJK9fNsy6tCUXet0Yv6mV0jMSNr0aujbMGvHAuOzSksiUTiXKLTETQJYav8RZG6e6g+sHOEWSTRy8+nEcBeSfVkha8pfuGcZ4MXloy8DGP/F77m7Ytj9Jo/D1F2nVupUKe2IpJGKm3Z87frZSffF/n3KvZP/XW/xSKWAst85cby31i48aJh3TZQHNoGh6s3EcW0zEO6Kton9To0ziGTvp9JK/35yWtZUjwqqs68p6Gx7lnBjpRuXY+d0xDE2A0UqSYBw8lzf2Z30t/bO8/htmuGb4eR1GE5v1J9wtr46j7F28KjjztABSkvnPANJvQxwCQAYHVkSt6g+JrquBXk/bNq21PbHvlJn7yYBloc3FJpH5Qb6bTERzs0cy7JpNum4fmikwsXdGSvXcVl7CfC6TiLDdsSGDLvk344fNBspu2BWztb7Ci0M7hyLCqy94bunOyzWUHMPCw/CB7sve3LTboZJiglvuIrq8hhYXHlDGYbJNWJVgjYNo95/hs2doaM3dLYE6o1ybmcf+cJllHsCRfuij5hAmSE+b3MAUJQ3wPwUOVTNNdTB71KJLZlJ862j+1EjNiGtRoYz5Dwq6oNIIeOWz1ou0o3MJPzZrvObvx+itEZzR5sm1kNy5Bg5fAleFSQYZLOlum3spK11FJLjFw0SVCFUkHDgQF8jb+hEzENUur4DFQItjF7JAvIoWNb2x8SxTa9j3TboaP49WDaXz6K1pIhNZo9A6K/JV3zcW/xwNOLkMw2JcXg1lQN0lo2glzn4+dTy14loKiexMgY/3iFDqfOtvO9/BSyBnSLjl7Bu9L9vrm7dAGAh4ZHnGhGBRvS55QCatu0pU5PPZNWoYDtb/0Hd5jaAfkiAAA=",
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
  const control = (label, at, act, more) => element('button', { type: 'button', 'data-at': at, ...more, on: { click: act } }, label);

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
            at: "/console/cluster.js", .script, tag: "\"05766b6e4234f9e4cc610587ea7aec54\"",
            packed: "H4sIAAAAAAACA41YaXLrOA7+n1NgVkpTipI3P51Ku/d937tTrjEjQbZeJFGPpNvPlXLVnGYONicZgBBlxpNeslIglo8ACEC+uoJ3up3zaBew3xroUNeuAD3U8qg3rrxo+9FYD49QmaFpbf9W5QvADnscaDF2uh0KsNi0XQdHaKzpQZVXtenLl07dnMS199iPJFKZvicTBRhbo317570hDQ6HOpEPe+5MxWi6Dusv9QYTTiGeG7t3Ad69Hga09P/g0bHpGvnvjvfqndW+ZduM6/CN1542G1154tySK9phU0C/80hYB+PbCt+yqAlqZckm/e/1/O9bfd+RtG97+rs3Nj2L25q94LsgHzoPD+1QO7iFAffwmR6zuzvFrkerClAbY2q1KuBOVeSltiZUTN5rOwjZeTOOWDPxXk+shKvaMoSnGvReH57wNbuumwmr/GYC5PjsXzQEKRt0jzncvhEOEZ4KwVtu0E+7yyWowQyoZgVNu9lZZPmyLPm8A+uIaZIpz3AphTrt3AKUsCs4FiDM5JpmN1QcDrBm/0WTkXqWEL9IPDhJuoaF6naDzhOVPPTFL2hzeLwAECiUtYSDxEtafYNEZF/fkrfp7LCcUiPLYfEc0zXEs9F+zJDsxfX1NfzjjJ9AR5v3uCUXwS1F02/LXr/OrgVy6fAVXLIgr4KERb+zQ+IaG1zj6UDkGYtj11aaY0SR15dtrQRnW9PBE6ltkHKVGZHFzJ69KdcxE/68iIJ8MHYdr//+d0nYTIHftg5CGPOCgMFZuNhfRUyNoJPSHknrn8KaTndgbXcKlKR8Ro7zwBtz0uWrSbVEPAtXL4vuKKLj3oDrE7A1/PVR+GQ3P05sa8IZFVEYnmgWnYMeKZ/8N+T0pVzzczqFXa40g5WjpxoaY3vtf8MdzCTZRxbuuJ5kJ1LpKHbIsX/xT1KcMv+JQiBLPqh4CzT5a4t2vt75KkH324GRUjN5Eoe3PLE+yzZD3Nnut9TJRWNwsuJcYdCSQkxPoz7fvJhrOeX28eICX4cCPN9lys4hS2+n1FG4TQpqllwkLr60OQN0ox5U2O/QR4xylU9Cxgo18yZUnTv15RfffEsnW1/98uLqX5W0uCv6M17WVG3++ugNRW+99Ob2r484sIu++/qjdwx1j4HMsp7jmkKh1HG9SsC5B6wTOxnd2tZ3uCCL7xp0oOIFFKBLdhzXSgryhF1RlFRwHkQiGHIjSTImUsT/Zz1kaBVwkNSSK7jH11wlfrCtJ3uj3jkEylnQ0Bv22A1YfLVD5x3p1x56RM+WJta9bn1JynTFWj7Uw2QdjkkMJLSpR9NOnalPUVPaCI0ZuA4pbVt92el77KherWfNfBp293FdxArH6i+nM2siSCIUcbxYiJtFMSEfFpAFDKPeYKk37JY84L2AU57VVu8pHC8drY9UVkx9kKwDilLMmyPcBo5w1njaR8Bh0w4ozUWq9syZMsrtnTbKqU67sqHClJENrs8B51RvTymQL+eKsfyDwgwllRQcMmRlfEfS+/okON9QkgMn+X///R9ViOumUOVJm5nvwm8H4bdDkD+BxT6n3nDCJbNXFvpAwU318jTkfG6YXQZOmj0lnTk7gWp223GtAdOEzHVoKVkcHQpdCW9jZ/bQEjOlt3QwYYCHwewdtD74Tk2VDsSV3LiCY+fh6RmAp7lq/W2iV48ULHQyFQtQLts0HBLpAL2xuKAcFzuoOQP5zreeEAsveOw6AnxQx3I9A5O0K0N/DZU2GeKeQSfsAg6hMxtyAplNtfAli8/tUOHUnWWtpo6RMuSrWaDTzr9nrbEitDjVoHMGFlInB8vAzCPspzG6EmauZmk1lIlEgZKeFKnUlv6/7YVZ9Vu0PTFLGw/3xhOF9ibDQDwfSi26E6Y4cZGdsNReTlNATwWnnn0wbearVTD0fmeMfWqpYZLASHKBeKYjcbSTA8UhaU42Up3C/NRsRDZxKA/VIVN2A6fuoM6VpaHNBelH3gGPhWqOW3ixCemzG2psiFSHMwd6ljLls8yrnfE6zlxrMA3lUcovDNQC00OwcXD64E62kdPBLcuOnv02KpwOmbKULw2R1A2oXHw6vXWqQuphJY8kLamREkXgvdFUNPEm28iU4Ba1b2uc8zG+uVEplMJBO2dVd8K7nF7kstMLXKYiE9mKCmIhqmbQd9MWM31t5KXrrVAmal5+qjdBfJo6ef1+mCt59S4XdF5x7tqalAfpurboXFhWXq3OIfd6zHjU4jKcviAx1zOvQ/QFi+S1NqOCG+sZZXPIt1JJAT9ezJ2f6zvcJq/ZpwknCRndWHpORysixgbCjVgiIW2qMmOLLjYQqhIuNig1fxKQTf1pvjQPeCCRR3iX//BQwQZTQdI9qUz64PQBQxahaHcYqonrcUqOtoHsT5obTfJxRibNjp0mL2c3E7cwOkwgxq20FQrtSC2Rv9OXPObiufh/G0T8rmkRAAA=",
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
  const asked = (to) => ({ title: ['Does ', plain(leader?.id ?? 'the leader'), ' hand the lead over', to ? [' to ', plain(to)] : '', '?'], text: 'Writes pause for a moment; requests that meet the pause wait.', act: 'Hand over' });
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
            at: "/console/conditions.js", .script, tag: "\"f000c587e38791a65127c936d154c619\"",
            packed: "H4sIAAAAAAACA60655IbudH/9RStUDczJ4qr8AWb6729nLPkyGJpsTMgCWk4oAHMUjSPVffL/53z0/hN9CTubgwGmCUvVdm+Ow6ARucEYE9O4C3dVMop3dgJzGuxsOCWwoFdy1LNVSl4CYwU1QhcaxpZgdML6ZbSgGgq2Ci3BBwpAyVCyl+3simlRaC6grky1o1vqNVaGwc7WMnVpTRP5AtnYQ9zo1eQjccnRlZtKc34mc1OI7Cs5Uo2boRY6noE61qoBn+MvsSFt4RBhoyktYjqpNKra1hqZd3nYiETIJq6BlXq1Uo0iFGbSpo3W+c00rKSpjbL7afaJfsZxl7DoC+tNFcSwYUrlwk0TR/IJkpnv9SbEZS1Lp/jj25J0kqXdgRytXbbx044xLZQVxI5WaL+VbMYwap1kthEHSNTqpT4vSYbCVZRa+jXyJUwiNWKLf5nJUh9Tq2IOeQ95W2pN9c4q6QTqn5f2CUS1yksMTQEJrcgVXw2H7HDvKXrdtVYJGZal+qAFq8r7GOU7IlAWyZwjsYe7gZ5k4PW1HAG2cnVg5OnZXBVWudlpCoaiwDTaZaNIEMlqhqUA2WDs4qFUE02G8E0e7AimLk28ABWqkFNdvP348L9bsV2S8u4Zalb42d/1M/+iGcDcBWBK7HNZjMUA0Ps5xRQAnBBlsI6MouFe/i/IOQlzrdWohyN3MAnYp2jPAvhJOFbyrqCyy1KZYHnmNbcSMtc8AfIRreLpV+y7aUtjcJAswTA/igZRaMvdbXtoKRztfQAyqFvEX/w8ut/+oWXX/8L4W4AQqJCPmgcerGoj4Anq7SHcdeavZWgTds0BC1q8hXSSUFKefVVuPUQ2C3AKCtP4RH6sTQh3bTo8w/IitelvzWGV09uyBfsRPO2KWkDBaqjtJPvPM5RimxfwA4FYVUzMXIY75GYPZD1HLc5TXBnr+FHMa5ls3DL07ipJSeLONONvMZb+fNwM0lAHjoejzs7z8YrNHE+RY1Y3figtDNGMT1CQzeS127ix5jJvfIK0HfvNmdn4HEF6j1O5AKgxzRtWsq/npT/LpiXsDLg5eLOzs/uIXwxqQdwDpmyGUwgE0ZmtMzb9hdFFLsUaI/6G9UWlllzYXSovJW+khzfZDcSnLjyaS7nKXQxMmVWEBc8E3mkIbPJX9n+YuTN3lGBe3AE6xGIIZFDgJTmXNQ10+QvpDkLQr+pdS0FmuiZVk1OsVHAV19B9qmGRqxkxbxR1uL0BmAkfRNnrIT9KdKesvnPE3ZpAlH1OvY80mzkiUbEEn0gR/TV6GgW4PURoIOSr1LQQ7DIUDfdJId1RynAHXcMv1rL6lvVsB9fnN7Yh2RIUpPJ8x2XhVEMzSmXlZxmC9wHL3/7e0AEfhbjltJtSAl9tv1UV9J+d16wtXbsaJlonV4hSEm8WSe6JLmUDf2KaqVcNosGCm1KnrWUHtGza2HtxHsMcSetw1Fg595aGIcq2rOaPVccgiHMI75a4famxeId5wSTWBo5nySVOmdiZENKC+RNBey7jinvp1hnCMMKZnI4RVxEpfw3WInIOn5UlXLDE4EXpg6s/JgcaMTkEXZKgxknqWRhyj1Njo5JU3u4KIJUcQsTwJ+ORJ87zznF5Vnn9NlC6wojcZJmVPJ6hurG44V0ebJewPl5Cs9V0WBEeIGT2JmSlB1F5biwgbIxLrJ+6wytQVFADcOTpYQ19azcJBxUO9Rwk6M6SznwYIc7qqSHKE4BcZHpOVJ2gCW6RV6d4xbxSllCtu8RIBllvg0DxQAXYuolYSMs6CuqGd/UdfWYnRFbOIuuYyULMgiXUhjWhjBK3KvFpawznH3MQsUwsn4M+6TS6NZh+y5TApW6yiJE7LyGIEQ/EMRmlOitda2cPAzbIcVyqVVJWf948B/wWUsHwj5n3d5nnQa83WlrI430ELTS7ahakomiDvMaRPMz7lxV3viBp82SVOzPKjlTBT445Z16RrSGLhlZXg84Zi+EPYMV3X41h5yGXao7TcgZvYEzdtIxfhI3cctNL/24QlKOOS2gm7LS4XgUnHECN/mAkyMOtD3PZQW7KLKURTedQAoXZrOiUzB4TvzxwUjuiSNPlREbr5I9KRKbz9CSkxTcjes5nWE7LumAu6hZY2yXRvNpdykssKNdSreRsqFONLULgslUuMg9l5rvqzycGVv1Gxm0TiWVcEMl0VYUoKLZwkobmcVdR7TIJZm/A6YQ4WOUhIhSucbPMD3i8zwSszq061zKhzNMMyA8bhSiHGU/ZxeGyXdQB6uaUjLBDSl6KZoFn1qC/juAYMaodzZvUDClmvFSVZVsUMXBE0mfgXEOii6CR9yWe6DQlauKszj3wB1SgHjaHOaxWpaOw2iYty6WaOFaN4sJtkiq2l/0CcU5ShTk0LtOxgnknhTXDlyHMyY0Ztudwp7+H8oY8JLtWO3cjKnOhhXbXwpkiTN6ZmU1CXSig8C+Q0I1aCixUJS0gmvT1gARfGDYJOyGmfqebrh9qoQT91SFqlFVbAZUddjHEXPMVGhXSOBe/Ejtku9oPMXtGrUYZ0JKYyIHNeWi0hxOxHywTjBIrcrnwR4xzZL+Ifv3XygzsULSLErsHSRSwL2cTAk86HQfPsR6XW/HTr5wb2k6t1JdShwVXuNO+uKJZzBZ2YNwfPXDPTyvK9dFZFlLYZ6oldSty6s2mAm/htgRs5UuAFIdslLiYft/71MTRKF6mMh9OuLACYUrplNht00Zo7HDmA8z3ko1xMfdu1zkPAVnttfiawfPLGVLhBR0zcAXcPk0+/yzx0+yER1EWlPvT54GJtBwn10+Q68e05ngncYZJW1+PKR3wdV9oPAcz2DjNWNpgtTMK8UG8crGHqjByIEiRtcK6kHDH+4m2B/CICdBqQseHlN4NrgLlHyTmHc3nqTQ783kkEWqcXnGNW+j25qajLrWG8r1bfO80ZtmnBWDq9VAtGcmWJsN1WUuOOtCBS30xpO33kfx0T4/3CZc71PD8Pj82jJMor1iK8axBGfpvW3eR8aoYzQNz7VRK2G2scUjDDQUOAi9EjUDTUgEqR+rirq+KM34udza3DMEwQQcin0Ppg3kYTPoOaEovm+70rU3bE2qbP1FcB46YzRbX8uivbvr5ZxlG3130ozaaBsWIjuaEnfHJTpURxGzZycHp9CPpbiSIOoahCUVb4GuCbjoRNfiO2TWMlPb8fmD2pAq66oUDvpXC5xT9l21aA3CzEVtqZgNN7LXJHs/sCzuCxTXty6qCvddOOSzXuih9id3dqFtoXmEpGpB1+a4+ekIwv54PXGsFStGB81PWkL4NJvmjg6YM8ZF2ArCYTXg94L8Gk/IVDE7kNubJAoeD1PKPtbGyarTWK+Np70sHz7+7FO0qUFXU/NtzqgiuW/QwA8qzuVSUb7EGFBNJV9M4N6D4SmvL9xrI62V1Ds8ZoaYm6jK4qDA83oo7V3O/O4CP8RKBRj7EsQylN33Jv4SjTqIrDjQuzeOfcMlqn+XrgXhUpTPDx02aDO84+S5cMwg/lKK56JM3TI1x3T0pvXikO5aGqtsSvVzP2OzQxLKftYwEf4i7Ft/V8oPTHnW6OyQRmzyEyJfhqkjwPw6NIAV1NIfuuABg/3LUsdDkvL5ZuSsf9jLOSsFP0sfiejRy9U0+1Y6WYZXqoYe0HB5GtM+5tiZl4If4YKrxBe5nO5rexooRn8sG9O1DS3NybiCll9+/TdLbySRJ3wiCRsoAa4m4Q4s6SKM7C/bst2tuPcWevCtlVDUQdD9EY9Vg4uivtXr8VbnBjjjDHrqfp8V/mExzxLd9Fd/jS+ReTiO8FvFLJ5YB/l+B3wIqOkNUc/DjggaTHQpcRMZySfD5Nk3p83n5ygZ8ZUGS3F6DQk65hU9OQRsN0MoYO70eNMT9BAXnCXAb9PD5VoYK3OPqoCfnPnZRtPR8S6++92/H+lTg+WpF8BIk5uLDkMElqh22kGSEbWjIheDAzKJclyECBMpx2uUQJS6sWGnACH4qABTpssgo58QeD4liu5mI+MOITh30ovgLHKVarrLkgcwFJaBZqnXStqALh8eNqZTzpOwWQoyKYSqFJ7c887/sKubAcYiX9l2R8RScmdAF2afhieS9K8SUDYs2CEx8Co1Dvzimfs3Y547r9VKubP/vX//FX5oP6PISC8IWTJ/8RnfpfmVivMRKvAY/dg1xet3vebGsSuIC50fu6XH1XBzxZTJubq38zx5R08AvEi8P2Gb5f+We0+75OXYvAV0ja5kektCeMeqCs9aye0hkwjvZpYyIIdWNkehqEM5H5waPFg3Q2G+24868rX2WhsbxCgqtDdMUrTsdJShGlk6ejwm5zvgjCb9XzdQIh7agy/oBBcfPs7Ev5HoFBdSrUfqtBM1nrWPkaDz0tGHjuz2CcP71uyNuqaWjFwqT5BSO5ZeoaYns7S7x/+EPxvx230V5MUIxqHHBuPW6WNl3VhUVU4xXT5HG1yDwp6fTs3hoPDdYmSPh15NHVVn9ugtRfLitaOnQiJI3Zy2fNb/tjsIPqLevUuDoPxu32n0yeEUYU9n9qSt/Y3/AGspCi6wJAAA",
            text: ##"""
// Conditions: flags that specifications read, turned together and with their consequences told first.
import { memberTexts } from '../reducer.js';
import { element, fill, plain, problemCard, refill } from './dom.js';
import { listPage } from './list.js';
import { command, orderButton, send, whyNot } from './orders.js';
import { observe, watch } from './server.js';
import { actsRow, clock, count, docs, emptyState, given, heading, muted, onceNotice, optional, plural, remark, say, small, time, word } from './show.js';
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

export function open(place) {
  const staged = new Map(); // name → { value, ttl, revision }
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
    tray.hidden = !staged.size;
    refill(choices, [...staged].map(([id, one]) => {
      const span = element('select', { 'aria-label': `how long: ${id}`, test: 'ttl', on: { change: () => { one.ttl = span.value; } } },
        spans.map(([value, label]) => element('option', { value, selected: one.ttl === value }, label)));
      const said = note(id, one);
      return element('li', { test: 'staged-one', 'data-id': id }, plain(id), ' → ', truth(one.value), ' ', span,
        element('button', { type: 'button', class: 'plain', 'aria-label': `do not turn ${id}`, on: { click: () => stage(id) } }, '×'), said && element('span', { class: 'warn tag' }, said));
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
  const apply = orderButton('Turn it', change, { class: 'primary', test: 'apply', at: outcome, then: () => {
    const ids = [...staged.keys()];
    staged.clear();
    for (const id of ids) page.table.refresh(id);
    draw();
  } });
  fill(tray, heading('Staged'), choices, forecast, actsRow(apply, element('button', { type: 'button', test: 'unstage', on: { click: () => {
    for (const id of [...staged.keys()]) stage(id);
  } } }, 'Leave all as they are')));

  const columns = [
    { name: 'id', label: 'Condition', isFigure: false },
    { name: 'value', label: 'Is', text: (row, id) => `${row.get('value')}/${expired.get(id)}`, show: (_, row, id) => [truth(given(row, 'value')), expired.has(id) && element('small', { test: 'expired' }, ` expired at ${clock(expired.get(id))}`)] },
    { name: 'staged', label: 'Staged', isSorted: false, text: (_, id) => JSON.stringify(staged.get(id)), show: (_, row, id) => element('button', { type: 'button', class: 'chip', tabindex: -1, test: 'stage', 'aria-pressed': String(staged.has(id)), 'aria-label': `stage ${id}`,
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
    fill(below, specs.state === 'failed' ? problemCard(specs.problem ?? {}, () => location.reload()) : specs.state !== 'connecting' && !specs.ids.length && remark('No specification has a name.'), onceNotice(specs),
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
            at: "/console/copyas.js", .script, tag: "\"c2a02bb45ef0ae40817b1db7afdbc8df\"",
            packed: "H4sIAAAAAAACA4UYeX/aOPb/fIo3NFvZHce0ey/5MWfbuc+kewFbK7YANUZiLRGaZfzd9z09jAzJ7M60RZbefUvDIXwKd1ptQTqQUNrVSpoKbIMf68YuGrkawXYpPWgHbmm3BpaqURmC36oK5gioaqe2tJnD9xa8vVUGnEcqDrQB7fMzvVrbxsMOya/vr9V7nyGSWimDC7tW5qWWtV1AC/PGrkDkw8qu8ndOXEbMRq1kc9sDIVlOYJbSXRP3PpRq7lRzAreWqJXyqsni0oW1Uz/WskTtttovfzyc9Ql66RXTOyutcR6NouoaxpB4VCyF8UdQiPMdfeSNWhO5T+s6GYhBBgMxnQoxSFtRXHbYZaPXHtG/vvrh+9z5RpuFnt8j9eGzZ+ga3gE7h6utnvvLIBlI+PfGesVuupHlraulW7K5M9xq5BasUTk8G57NN6b02hpwRGAv5e4MgAVYIqJyKMBwMphOZ8PcK9dBfQziiSAtlPTJC/gQvpN+ma/k++R5BnmeT/AvQeKWL5ek5nCQPHmWDhfpDPfWSTLJMEQ2ppqRYXiZ18os/DJNUxiBQDsCNMpvGgPF+Y6laQdsQPztdtBgbWfxeS0XJPFEzHWN/hEZCNtUvKj1SvuwM587FVa6cviDwKrmlTZlvakULReN3axpUWnncT8gyMWiUQvplZixI87gGVwvFYX7ypEzJDglm3JJHlgoD29+/jYDJXEj+Ed7BwaDJyfET0KQwY5d2cKmqTHWyIumQj+q5j5AsREc7CYMmAH/ziaz9owcqd6H+O38ScmklUuQXAY7FEQvtEGr1LaUdJ7zThbTYgxzWTsFLa52bT8IduDv1yoDXYXDmAlJ8eR8hxzaIr08QCtXyrWqEJCYB88atSUbsDDMOM2XjZo/yAHxm9/+SURibIlxRzMQzF2tkTWT6cIlYtT6TvUwjlO1MwcBYXhVqvZSQJv28JdKYqzAOBoG4xwuvoTBpxu/RK7/CfYbwWfoYgQ8f/3zq6svX12/vf7hm1ffD0QI20iOC94RtcHxiTimIC6nZnBCxK6JpTsRihRhIu0pVy6/Y/jh5p0qfU7l6ZXxDQVErGlsTU4SzEWKSE5EWsEH4zHnRt84uuJa8PHTGS7HyeRfT2eY0Ll6r8pA7uN88mKWu3WtfSIykXKeW6MC4UqVtlJvfv7qc7ta46bxdNQPAvEhZRiItM91gd4iSxH3j2FHtSUomIWdFkasb0RY2UZF7W/VvUsCjXQfLkilyOB8x+V1f9YWJ0astfMqWH1AjSzhXTIO5fhEOCPX2GdCTeBIQvPt0HtIAbAcCgBnN02pcllVr5CF/zZQRGsTkQwSRZvBMkTb1irHRseHXPFDqjFYXkkvySxT0/aE1O61XmwaqtGxXZErDtUrDa7E0qrm2qgKfvnlFDBWtFPgyGdjbo3dkhdOA4g8fBo9MazCF21/EOpyvi+ubn/w9Gkv2kpsAJ6zX88hQed+nDu7UjGA8DdSEBmFSSdZvt64ZUIRG4psN630iwm3e1ShuLjgNcUANWiuJhQDEbobdijugnxmU9fwMfWVRiEWxmVoIEyAKmQa2p6ucudl493ftEeBLkRKSMwPbX1xccDRVTqDEZ51X9lexNkshNCox4sbyiPsHuRzLf13B5dkcCfrzd4zweYw7hIbPiZD4OpgBVzn76w2SYqWQBFYiMccx7jnO/poD/iBFycSs4peJU+HY970zUaRAGgOPidlZ2m0QK+WhflpEsSZiBKVRCsU9AsXi/Md1+soQ69VkBazrIeYhcLfQ//+IT5B9PFC4l6FPBaxW7JxyAo4i9BGi6NyDxTVoAnXWGD6ozATOEedWTtYNwr9pioOVWtoYjb4RYMS7kofZgTKNywdDeLlU8MO4dJS7E1j3DYEtNxK7WGuED05lDUUjcO6Hd69GL4lxYq0zahEAWDILG01AvHjD1fXIjshD3ux3Qh2cNL3psW+80071adYTMXn1nhU/+IaI1MgXbnGJsCzxvCds0ZA+5DLja3uRyfDbbILY49WgXljt/h70InmgbQF/D9Fam16+ahdHPtgTINH3ytJN4gkbDC2X07iYcjnFCGRVVcSQsk93+27QcyL/8vsQIlD6phMDDA6RREoKg93ENrrrhWP+XOPg+5EokSWHcECkclgHGgkJ4ZDCjxKRMsFuw0I52GbEuVSmgXFffKgSwUM7dXKoYEGrE2sVycKEaZRpf9fOkXMx9XqKuG4I5acuOrX1cPCBuNYwYturA3iQxsTaC8CF9tIn6otUae5IpDuG4JtcEncTiIDTan9/QPqC+VPSffCTle/yonpIav0YO7Pv/1KZF2r4tpN01PUvOuOcfCZmifgl6q7v1NJA2NDlacbDCVbh8T0MhDdcBQZh/tmz8Wv6fIWsn1qui3WlzxZKw9lrZUh9/nmvjv7POxRrQ45jjSjM6P7MEiO515PyxH82NhSOfeVmdt83Vsrc6cba1ZIejI4Hs9nPCm3Kcl0SJUr3yi5+nRBsvTjpqAfljsPQ5jL+EoWpaUse/RGklK5Q3SEPMxoXYiQFtporyXqPRhk0KhqUyqqd28zCJzotp5v1mhSlVyF0piE6RkXI4gDIb20jODN9es/Y9DW8zSFNiUViwP5VyFofkZFQ6xFyTny0sg8Qua8lRbtkTXIYm7JU2BIf3sTujWKHR4+SOY1iuqT8JmHft9Tn9QO9s9DJGvlwvA4neYY9OgTQHZEl+enJOUaGUaB8BC1lgsFN2qpTUXj3aZxtqFuyvcDa0qVx+eCBzPuHNc0i9FA8citJ84WxzUspNjsZPxJYURk8NWBX2KulhRIvv8GUCCxAhIqOSP6NjTDUuiiBnw5ry6hoDwvQDYKLGLTO1Oxn9vohWNW5I9d7elR7HN8K/uU77PddWdC14/TsSnPqa31qh+CwejkdaDLrtFhlaAzeL4k4v1prFESxt0DXSJITNoTRKespXMjGvnC8wluV9bUmC007mX7Xv4Xckaj5UUtb1QtCJzLlyClnacNVO6CKNPdvDeRL60OnTbBCFDvyWtREKbWl4LBae6IUNqsN56gQlRzQohGVtriJhm+4y6d4NkZd/b5x0wzFEOVeN0cQdgIpn3eiV4E5PMdWn8SjmeT57O24KppDWU499QRt9SQT3vKPNXAEWrUPkAe674L3sj3Y3Uf8cXsElpEZfLP0/iM1ntRTfZG0L4mtSmiQLoTL9BGAONRbXKwJL+XKX9kcll6d2zwWi0UuZaij9KQ8kOwlnxzxIIXNWKX7VVMEYwUZP4QYzNcG/nJNxH/wGGLGwJoamSe3zlHJw8z3ZtzeIrGc1hY5fJDQ5MhsxwqOAmG6I08/CadRFNn0VYprrHioST3YpYB4tbWqQ453qNngU2bUsH4L1atLB1UFwAA",
            text: ##"""
// A view as a command or a program: what is shown here, asked for elsewhere. No token stands in it.
import { copyText, element, openDialog } from './dom.js';
import { remark } from './show.js';
import { hasToken } from './server.js';
import { parameter, parameters, parsePlace, withParameters } from './state.js';

const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;
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
export function copies(url, { origin = location.origin, hasToken = false } = {}) {
  const { type, id } = parsePlace(`#${url}`);
  const escaped = (url) => new URL(url, origin).href.replaceAll("'", '%27');
  const path = escaped(url).slice(origin.length);
  const live = escaped(withParameters(url, { live: 'delta' }));
  const header = hasToken ? ' -H "Authorization: Bearer $FRESHET_TOKEN"' : '';
  const token = hasToken ? "const token = '$FRESHET_TOKEN';\n" : '';
  const options = hasToken ? ', { token }' : '';
  const asked = Object.fromEntries(parameters(url).filter(([name]) => name !== 'ids'));
  const ids = /[?&]ids=([^&]*)/.exec(url)?.[1].split(',').map((one) => decodeURIComponent(one.replaceAll('+', ' ')));
  const given = ids ? { ...asked, ids } : asked;
  const more = Object.keys(given).length ? `, ${script(given)}` : '';
  const listens = "for (const name of ['snapshot', 'delta']) {\n"
    + '  source.addEventListener(name, (event) => console.log(name, JSON.parse(event.data)));\n}';
  const isFigures = parameter(url, 'group') !== undefined || parameter(url, 'aggregate') !== undefined;
  const unknown = parameters(url).map(([name]) => name).filter((name) => !flags.includes(name) && name !== 'count');
  if (ids?.some((one) => one.includes(','))) unknown.push('ids with a comma');
  const server = `--server ${shell(origin)}`;
  const command = id !== null ? ['freshet get', shell(type), ...id.startsWith('-') ? [server, '--', shell(id)] : [shell(id), server]]
    : ['freshet search', shell(type), ...parameters(url).flatMap(([name, value]) => (name === 'ids' ? `--ids ${shell(ids.join())}`
      : flags.includes(name) ? `--${name} ${shell(value)}` : name === 'count' && value === 'true' ? '--count' : [])), server];
  const all = [
    ['curl', `curl -g${header} ${shell(escaped(url))}`],
    ['curl, live', `curl -gN${header} ${shell(live)}`],
    ['EventSource', hasToken
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
      + `${hasToken ? ', token: ProcessInfo.processInfo.environment["FRESHET_TOKEN"]' : ''})\nlet rows = StreamAgent(\n`
      + `    client.events, query: ${swift(live.slice(origin.length))},\n    ${isFigures
        ? 'initial: "", reduce: { _, event in .update(String(decoding: event.data, as: UTF8.self)) })' : `initial: EntityRows(type: ${swift(type)}), reduce: EntityRows.reduce)`}\n`
      + `let shown = rows.observe { state in print(state.value${isFigures ? '' : '.entities.map(\\.id)'}) }\nrows.start()`],
  ];
  // A page behind a cursor is given once.
  return parameter(url, 'after') ? all.filter(([name]) => ['curl', 'freshet.js', 'CLI'].includes(name)) : all;
}

/** Shows the forms of `url` (null: of none), to be copied; `more` are others, `[name, text]`. */
export function openCopyAs(url, more = []) {
  const all = [...url === null ? [] : copies(url, { hasToken: hasToken() }), ...more];
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
    actions: [['Copy', () => copyText(area.value, 'Copy as'), 'primary'], ['Close', () => undefined]],
  });
}

"""##),
        BrowserFile(
            at: "/console/dom.js", .script, tag: "\"12e9c0bbfb8c2af3d69d1a7e69180794\"",
            packed: "H4sIAAAAAAACA0xRR5LdOgzc6xT9o/ObsHOOW2evnPmElsQaiJRJaF6u8ml8MJ/ElByZ0IiNAo+O8Koj6hhyVF7IiIGQGBMswroJ12PPYDdA5QTyVRjXViIbiDN3FcvRLIZiF+80tnlRHR2Vg0fFi0RXd8xzrcG1hMtzPkpo4GJiT4SfiUslr8JUSv/B5guXM0u+8LDARDg0fk2ZSNRnuwoXpFw4kcScf5YrZawreOa9+PGfr5+/fLyEmH45MtM5U3Edza5FVR1dvox7thkobLB7EoX7XKhDuw9jv2QqQnU/huL2gbJvnGbuH3Ze5c27A2aAy0dVNU3Ufvf9xPXMuI3AFV7SLn50dc3B4EaLdewHpRG1upxRR/3+DC5AnNF8T4hP5Wa3VAokroJGV0BybTvZ0MRUAZ0XYUBH33aGLrGBF/gwjNZHIdQtqeUN7Tw49G49XWVorUNP66Kg9wH9qOYHJYIr5HFgwKCuZhfnD0p0EoNuKhT4afSJghSV5VlNfc8SuS6JyFTWRkH2WyIPVK071mcwt/RBuIZ5U2KaOs6djsTKi3UVIGi8Kobog5VyluJZCfFcPYhrrLHB+gTrU2xOsDlFWn9c5EG9fWvVStfbxpXs//sU6JXkhKKc9C6P2p+z9b46PZvtfIQkSGYskRqSstqj6O88wDziPMmtOiiChE2l17tYIQgUCoWqU6cAhsOL6sEwio5lE7Lqi+zG5GT9kLwiUuPP4R1vjceKd1O9/757dhvbbcQet8J+2Oan4mckkX0ZIocv33n98mIYnrx1Pry4uIyGCXlrbd8fw7H+of5FneaNZyfqVJwD0aFr9mwoFHfUKEo7PV4uzbxWxaY+VinLTkkZ3neVchwO0BTzJGmRp+pKI+iwzyY3JYUlO6b5dV2UtZpv8mmdFU6bsNaLuBNmsUqSZMreXJo8UjtsdL0pcxujYQMLyZRcoTbPWimRL6aRQTbYwwrAm0qv4LLswFuKrirp0626Wfw9en1/FgZXdb0eDYfb7TbZfpAU5WL46OjoaEhzBLH6Lb2dSnaWnGKpt7uolM0V+iQrXTP6hQFC0CKnJs2CKFI/TF5RXCQU8tkiF5G7TnyM7M7HHkaMVFDM54Hak14KFgytX55zoMY2fi4Z4ES8yUlJ0qCDoCcnarePrKZW17ckREIMp1cks87yjTl2XYADY4qGoMiDZqyvgSEJdewcrkcLJx/GIbR+xkO+lQHhHQGRnX2vDAeArwQ7e0cNyOMoqEyNuFNja4o3iICRzeyuFGkmAXXZM95H9ISiDCIj9fo1QUCoy0y/ZkWiwbke/M/g8sG7AgTo1c7l68JIHTDmvNXFF2eu+orwFLnjBYHks7IsyjDNC5fv/Hw2Uu/uMHKfigllaWQchzlh6y/QAatVJyoI1Mi2+uYXvftVqVsKoWiSiqZro4O04bmcMvt/4P/iA2tKLbOQgpofq9DFETpLaPMrhCEcDY+Mva4z8Ld5SOZLXYdf5YSfWX0bJZRBavIt8XCBYvWzQTqr1JaRN2WRqeLk1otESEMI0R78wTpKK++JvPmdC4Iqz0l21aiwzeor0Wmlr6lhQVoTvmxBk9JrcwvU13lRUwvnjRwoD44wMRSO5uACvjdbWQOJiRXL9+HKRRC9R+aj36izdgwJ7Uru9UfvO4vK6mNoNydU5vytb5mY2fUti+KaFiI7cKVn1LtX9dK8yfrWJa7MkiMWSjF26Syv2lygSdBNkwsicvL+N2qE9HvspBIaT4nVLF8Ua7UX8fz2gD7OLO2ocSuB3wJrWdfI8wQ3oV5m16bLU84tMsQqYGAZgL7xk0v4wWViKORvQ45nx22Sxd1IjxDjPHXPu4iRJ8RLnuZbnoXwDJI4Yz0hi5J9nIhuI1Z9Lu6e/PeGdDkD4SvKU7KS7a4XjJbRJQUjBTtWGZ0k8Ipwp9YlgP8MlhpZINr3h8tQ8bTUr4qt3/B75jkgyAYOAzQkBePGswBHoJS2UKBcSsSTWAf5c3kNj+RwooZEnE+2Y5NXBrxxeH6xOaL/DPjn4Zz/fjLHw2d40DP6+/HD6cXm4adH5mJDzGIywM+c/z76dIAfvPmYpPAPvZmbOf+dzz8b4Gdy+To8+dfxy9cXVXSx3n23fzBcbASwTrGmpuga2bVNdU6aU9wrKFrVtDzElGY4XANNUD/Z4iVR6TLLTZWOFH4RkfhnP+oRpGV5aG25kyFChxEPu303Bld6xr57fsk7R1yFoiznhiOfqZCkoxE9E8eNleX/+2bLLF9iv7Gm90gK5oenYrBNnBd5wJ7abamDuwQGqiXrTXUVYpZqmU1NyOqJBhECmb0Ygi5Jj3VI0K1LAghTclg5ohxwfROwQVCuESGzuhIniyVHpr88eHfnRhMgzcyPXMKc1uFRlNTFGSrK8OHH/PALZcDyia4IWJO1np3VuqzDDynGj4KIcqZFWyXGFIM9sAtObN3GHfZttDhFJ7MsiKWiYAvE6s7qo5aUn0oVf0y/1a3akPWWkodoESnFaLHKKoPSmjMP01LyhGy5sdW75h4Tmpl8spyRR1bZzBxAdJkqBJrFiuR3uXTXpfICLuVWhIEwPqrFkXItvH+tDNoKBekwXj/ZDKZkh2saaWkn7zHWLsAeooF0k9eH8/fTgiZMt0V5ncLNKfYsRo1QQXJhh/ScUPFXbU0pGS+jdvvcqfckz2c1bGtmXfPp6jafdo3odOW5/Uzug7xNHjwgiGyQMMYicA51bo4avAEuazl925R3YL64GXrc1S4nP5Ske5ZNlhQMJ22plIgncRgf6E10a1XcmBBS6/JWUEK001ud1TCK7bBXU5atQhHsVT7SRpkrM7VMqOfMGOXNE/JnN1KCsc8Me0X/1MulKANJomf/TmBQ40RnTI0mt0qrmSHKkK3rDETptnUnNWNHk0xlM1lVF2vLslLqmiLWGXq5TS0K8r/e+JPNFe+hka3z4EF29KBT+LuK8sBfbf+oNhjtgc8Y6zvhmgPB5FM5s1X/bvT1d3pNu6iGQ2eG///f/8PArO6xiIQWQxIY8pZAi7Z/SfML0Dk5xJ19CTSYYg6mDKNUVbQlPBEZF/qmwD4qEbDiRH2FWXTFxaJeUKbk/Uu5hqAElvYanl+2Vo9VY4dAilCPVIshguCPYdiuDTM2/1OxfqTQJRGy9dTMNR3xkWmFavFsvOce/MGT77uLlADdzSQsGdvl0JuuyIWIjMKDAPozH1YSChalcLorw55dGlVTvVFx8rolGndjFOXUfOGhoiQKsTqZSxTvEA5MBuIkrP8+Sw3OQahZ4UuGHV/zkwRmEiL271DRLJcou13eCyo1FftkhDVZJTxNM2+6FlxH5sRymLJtqJ/G4fT9BYnUb2ksKl2bCIOToJsqQcGw3nD40j9uwAgudVzu1EibXE6MVDoU+dXw3R333Kc9GdSKGAkNxFPk2KjNTzj9peniTuFaF2RppSfFpj5EAHqgNUYMeUXdjrCwpmliRdFZx2JfmfGrGaV4Q6ymjJXhU4gK3BO8VEQe93CiWXbjcbdm92IcX1ODXpqypkc2YvvekTsnaO2olTWPVZXRTIYkK1NVtLcAODrzFMVdZic/g0jRXric+lw9ZI7r5tks3US2o/C3o1g9OoosUUUo+yR16aifcFL0SXCSbkr/rNubj418Z2n+UCINwTCIKAWoIPK7OBvIbNZlZJ3YRG+qtbcTK3K7GdtZRHJ3GSob3TNYdsm+x2CYWu51gPD8juXHb1yjleB0/S0dxagsiLTqRquNE+ngnBU2Pg+a59/Sxg2LoksRJSkGYni4cOjglJsDiZ6OSfBMqkaXluW7Cwi5pUtUqhGMVYq7hfS8S8ex4MuU4CvnBmtJoavNsXRRwpUrxOGNAefgi6KEp/lR6gWH6CxGJBBf6mO8W13hhiNRz3FctODUPNF8UVR4vXovMjD1Uywt3NlMREYqZpRlZZ02ptW+e2sAmiG6hmT2qljeGJf6bBlLreTMSHjutEnPiC90K5OrR3CUbEbgag08eHf34IHciO5TtZdsH3UEySYycomONp69rbjOqCCVOhWa+dUTqgIvXYtwMbaVrU6EFXNBQ5juU9eGDDcjmjuvhu9LH7GEGoto72x5uizIhLK6fRs00D+Wcg2LUCeubCNFgmozWWU1e6pnGsrfq66B+ZlNLJeUNNDaltqKfETtVs6oS4X6GY/atwEsOymecjhNkNkqwIvsmOh6oEx1mu2653YE+pPbYNTMmWSzxiNjrBYiDzI92DfwiZl0dsWQNIobh3a7mi2RX0eCeMXN8TuL6U5fXRXb74qZXkoBBQThWBB/xqmOMIHqupKDZ1UVKwMmDfpj+L72loOdeNKK3+O0GhfzuBVS9tpgk4NIk4e8sd4lU8+zcnU6rSW+5TzDhonIGVP29A6l5hlYtLz2k6vcymGf3BU5bXZOBiqzaRDjxnqkPnVsADoOICsQi8o0GoFxKG9M9MxnGDLcL1k9CMNmyDJldrFAAOeFx47UeQ8hwZVzLEvvLhdu6LqldIHDlzNYzp5BFhWjSmUoicCyJAMJQtGU5zC474iopTGMCIIdn/AtkrsZAc2OuXIMooRY5iq0JwtyFgYlogZw3NWbYy7+OTTpjjoPpZtbQpLKEJFiQcwhUjDj4qEMCEzPgyc6n5qliycHh5dY7R66iRbuhGytc7NUks5KfGGBUy7y/Y5XH8v1Rmaq9hgMyexgOV5qQtNQNntH3TjYZd+Z9dsOQc+ZqwTe+MCNBq3970pZEAOnU+PDOMnv/cjAUlxd1jl4AdBkFe1pjs9D/GTzx691MK4HEDHblYSCtdeJN680/o7rCCVbQwIEGOnPb+YAZxzZxvj3JAXJapiU7tX4gx+X2vy4k1Z3Zxc8q6Z6bYK7ydv24hMj4jtUdGr2vTZp+Pnb5ciOu4AhO/QQhVsi+kQSFATdSX20QHnPad5m2/Y0iGGvc90e9tfpYbBiRhtReeEnseheFpPw30G802ie8Xbyzax3byzXi5YAdF/G+PZp1PnEBx3dwm3z3gHEj5u6UlquaXKb3JbZelJQlXvsHQAAt3LgglzZuG+kslxpybJvzIXr2xc0D1TrHCM9oXY5SnKnopJbcn2T0Z4XZeKUSrZlVhsnR/aer5RoHhMGNEtmZoF3hgqRfBr3fdGujperbemiCgLGLEd1kBdqbUqi1hXpnHTCmr+A6caK+yqG3MZ9WmYjL8aXZMjBEkZSL/nuJSaQMMUEiXzagA2xzZWpX2QrU2zqEHBk+1nby5mWmOtgNTHCmLibDcWz+1JJm7nXgEX/yPeKVqbSTblMVchBNYJXRLTZfEW5gmPQH64uF6Ve8eEjnxvZbYnxKmVeldrvP/gMJZXPgHjNl+n9YyVW5JTpm5QNNHkMbgbVQ7v2bMUjwiAZcnddJa+qIIoQpk8wvjNMWOCXVlmOENN8OTrhnTNl/5ddVDA+p76hVXety7pCkQA3pnimMw4A1PDXQT57VRV50E17S3ssduAjtEDDZ9Er4QMv6vrLz99KL/tFEj2HXPs9XhaTUKbfWQX2UTvafWg5Bhi4dpy7Mlr2OBVPRSmkuO5M5VQhVPmYb5Kjzol3pW8JUJqvQ92Bt5xly7ZTr2yGs++srrC/7sAUn2VU1A6KTlFSn+mMVR40X8Ec8xuZR3bsBU4wS4B6JQ6Es8iRm5c/PbGXHOA37usTqMKpkC8Bl2BEq4LWwV/6qo9U/12ygxWrOomS0LT7KjbACTS9E3Q9dm8I9cf3TI2Rrsf4blHbWoJxiEssJn1JXmxDr3yr0AcfMYgaFjuqMJKbYJcBQvYQuay2F2PNAgN1glZU1+jvPj16XBDx17nM2UwxpbayUeRQyntnSXswKM2CZ4h8Egy9k1dFllOoKoHpmPynviKtfw0fHh3F6iPyNTVQ4T0DqIGzT2RPiP4JRX3xfwsuAAA=",
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

/** The same for drawings. */
export function svg(tag, attributes, ...children) {
  return build(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function build(node, attributes, children) {
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

/** Replaces what `node` holds. */
export function fill(node, ...children) {
  node.replaceChildren(...nodes(children));
  return node;
}

/** Fills `node` with what `make` gives, where `key` is another than the time before. */
export function fillNew(node, key, make) {
  if (node.dataset.key !== key) fill(node, make());
  node.dataset.key = key;
}

/** Fills it; the focus stays on what looks as what had it. */
export function refill(node, ...children) {
  const held = node.contains(document.activeElement) ? document.activeElement : null;
  const { scrollTop } = node;
  fill(node, ...children);
  node.scrollTop = scrollTop;
  if (!held) return node;
  const alike = (one) => ['href', 'aria-label', 'data-test'].every((name) => one.getAttribute(name) === held.getAttribute(name)) && (held.ariaLabel || one.textContent === held.textContent);
  [...node.querySelectorAll(held.tagName)].find(alike)?.focus({ preventScroll: true });
  return node;
}

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
  const node = element('button', { type: 'button', ...attributes }, label);
  node.addEventListener('click', (event) => busy(node, () => act(event)));
  return node;
}

/** Does `work` for a control: one at a time. Answers what it answers, undefined where it failed. */
export async function busy(node, work) {
  if (node.getAttribute('aria-busy') === 'true' || node.getAttribute('aria-disabled') === 'true') return undefined;
  node.setAttribute('aria-busy', 'true');
  if (node.nextElementSibling?.matches('.problem')) node.nextElementSibling.remove();
  try {
    return await work();
  } catch (problem) {
    if (!problem.quiet) node.after(problemCard(problem));
    return undefined;
  } finally {
    node.removeAttribute('aria-busy');
  }
}

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

/** Rights, or what the store takes, may have changed. */
export const holdAll = () => { for (const node of document.querySelectorAll('[data-held]')) held.get(node)?.(); };

/** What tells of a problem's code, which is data: a link where there may be such a page. */
export const problemLink = (code = '?', attributes = {}) => (/^[a-z-]+$/.test(code) ? element('a', { href: `/problems/${code}`, ...attributes }, code) : plain(code));

/** A failed request, with what to do about it. */
export function problemCard(problem, again) {
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
 * A dialog. `actions` are `[label, act, class]`: an act that answers false, or fails, leaves it open.
 * Promises what the act answered; undefined where it was left. Focus goes back to where it was.
 */
export function openDialog({ title, body, actions, test }) {
  return new Promise((resolve) => {
    let result;
    const heading = element('h2', { id: `dialog-${++dialogs}` }, title);
    const buttons = actions.map(([label, act, kind], index) => button(label, async () => {
      const answer = act ? await act() : undefined;
      if (answer === false) return;
      result = answer;
      node.close();
    }, { class: kind, type: index ? 'button' : 'submit' }));
    const form = element('form', { method: 'dialog', on: { submit: (event) => event.preventDefault() } },
      heading, body, element('div', { class: 'acts' }, buttons));
    const node = element('dialog', { 'aria-labelledby': heading.id, test }, form);
    node.addEventListener('close', () => {
      node.remove();
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
    body: [element('p', null, text), field && element('label', null, `Type ${count} to go on `, field), fault],
    actions: [[act, () => {
      if (!field || field.value.replaceAll(',', '').trim() === String(count)) return true;
      fault.textContent = `That is not ${count}.`;
      return false;
    }, 'danger'], ['Cancel', () => undefined]],
  }) === true;
}

/** A panel at the right side for one object; what lies beside it goes on. */
export function drawer(title, { onclose, test = 'drawer' } = {}) {
  const before = document.activeElement;
  const heading = element('h2', { id: `dialog-${++dialogs}` }, title);
  const body = element('div', { class: 'body' });
  const close = () => {
    if (!node.isConnected) return;
    const held = node.contains(document.activeElement);
    node.remove();
    if (held && before?.isConnected) before.focus({ preventScroll: true });
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
    await openDialog({ title, body: area, actions: [['Close', () => undefined]], test: 'copy' });
  }
}

/** Shows `url` (null: none) as commands and programs to be copied, and `more` of them, `[name, text]`. */
export const copyAs = async (url, more) => (await import('./copyas.js')).openCopyAs(url, more);

/** Hands a file to the browser. */
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
    document.querySelector('#live-region').textContent = said.join('. ');
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
            at: "/console/entity.js", .script, tag: "\"fc3235222757ad8249fb8d8ef974eb4c\"",
            packed: "H4sIAAAAAAACA5RYd3vjNtL/fz/FvO8VUns0db3Yj+P0nnjTi2/LiByJiEFAB4DW6nH03W8GBE1Il15WKFN+UzHc5RKuDQGZoML+HFTwEOhlADRt3Kyt6ysIHUHTodmQB7sGy3vnAb1c7KGxPVWRw+OdMhvYqdDZgYWAtt7Xj1S/tS7APZCmnlX5ClR7vZY/P2dlFfTUr8jxsd9q1bCwO9QDvRbgAGtneyjqevmdt6b+zhcXszi7JfOG3e5f8zPhsuED9CeUaIwdjEheDSFYUzFos1auf61h9cIyAmmVx5WmakJawVppXUFndVtFfW8q1HZTwVajMvzjLNP3b6BrMwyt7U8AhP2W2icYugoGo8L1eu0pZBysJpA7ZkpReZtDkFNadyq86az1NNrE/gtP0JAWY9ZrcsRme3Gx21AmJu5PveRvmRD3FXhyd+Qq2GFouoxrPD9la4L/1O7Yt2gMOfGx1hQ8L/aBvOBqI7pBHEr9Nuw/Cxj4aC2sFWhlbl9PcdEWW84hhiA4guopV9/Z3Q/66F30XZXWXzi2fWMluz5UgRzydosbGmkkEEIRk/QJOuyJaXyuRLCdmhiC4GaZ/jOUbNe4twPvpVjealWwLpMgh6OARxwSH2IVfah6FeAS/vy3v8Nj+NMf//zXC1gupawcNgLhgm3nCnNgDXlAR0AsmFrAqSb5npJErbwIK7dWGWFewOUrMG3qHrfldMWYTUsvI8FNXMIr8Ef4/e+hqKAYgzPR1l7Kr/zTYvF0cZE0ObpTXllzvRZ999ARttFhUeLHg1Ruufx3+4dlTS+pKdN9vaFQFhRwUywWV/XNH5/C1RV8jB+z4Ef0Mvp1VCBVFU3R2FAUamgHb8VYPuG4pQtxpkbvsxu4fwTwG4nohSxUG3/+M5Dby2r5+DEUKZ/EVlx5MkFWPlhHraw21lABpaPe3lELu05pAhU48T1ItplFBdZBwZCKcwgWVgSNIwzU1vB4KfpivsDlrCqiWKGXQ8OlIHFmyRhAeRhVVxLUNTr54cNbw5rOY5ull9iEGG+RMjl/kiRnPQXM9xGm6C9mRVHSmJYdej4jR2Bs6BgfK0yGeGSbRYRkdezclwxK+9GdwSlqRaRIE0QiFpNryIS5zRtQYlF6Mm5pH2E1HfUC9P4QxUkNxMVg1rEQbp7GbetwZ+YtbW3TxRUD/5TDEugIFW5QmdFuVO2J2WJrh1tOKGpBo48+ZLNVI0JSTy+LVt1x7O+hQKfwTKs74tgWW6tVoIITO4pnyxrb/yBfIB+YYaSYOWI3O6Ufr1a23f+QpJjRLKqxeuiNfxAlnSCn3x5R90OQ7J1wSGjOrNF7ZueU/rxTPrVCCbWIkodd1j/UUOoEUdJ4OILvt2h+Sq9IOxO22QUp5y6zvlgW7392/THYtaRRwsUyyljpgbHWkYvacjHKkKyEy/RQlwVnJp3QC8VrWpeLHNzWqR7dfoYnVBMwKSRyIRP7aTw4ERzwlspxKfVbpeOpCnnvBlpkKTCKzbRIG8m1yMEJ/ET1XjjG36I0/xm+UE0GsOzYK93QiEfHcaKKVce1zySxE0KSL5eMIfbF7DhWy9gjkzhoxuHpMsGb56ny4SktJ1WLRcYpRS5sGlcyaWATogBGNp8I8lk9i9OCSlBcjt0LruCFtPrf3ouOwws4hxdpDUs+Ve3hRSaBVQrUe6BzUV/G/PuBTLKuXttm8JxPFewTrVg69bGZaRr8yiNuIWHeqBmgeCM4feaLJMj/cDrWjVbNbTmz1XV9bOr9Ac4l3Dkg9EWVgsBY3yRNYTLO/VjmZLrgAIfMQca2R+0KXVCNpqMSjnHNiiTt4ZBwz9zdn5hKsFeZxCirc7TmUP1mjNWUIwsO4CHNxfFA3F9wIJnn2BPxMYXzRKrayWnJjNSwp+JLXTZtxyab6KfJs5zjkMhSvUfN/5c0y8hzkxgB/i8Vhb/eGbmRCb+cB9FymhjLIxsruLkpngt+tu1PxdMKeCtjXzTy6VMx+c1BPmKkKy6m6PXIEd05FSQYUVC96/YPZsNDv3jjJCuyViMHZ+jPRlLpC9VRVjxN29TIp9v49KRCTNM7tu1bd2TCh8oHMsQdevy2KyYWeZITy//SrmhtHQ1Gpp0HjnGbeOSTqZyVP8z05dRC1BrK3P+LSS/5xqkVlRldljoT2Yo2nDfc+OKMmfw/ySbtaUoVq7XdjcIO0kPR700DmjhPyqllOgqDM3M6vKlc2MP33wPuUIXsk0+6rvQwDsWHImEaf9JH79VcU4ORTBTniPnn4CX6X8l8srcDdMI7OrwF5WUqg0jPD3GW18oafy7ZJsqyPuAGqqbHYsy/zwLOD+pgWlorQ5yLnCHiusgyuiDNxK+Z+AEPDWpNTjCgv1UyJWA25uXQwLMOnwZeR2QCOfFgHs3MfYvk1XlsS6U9zuZX3MCspzJPl6Naz8KfsS1+IKyQZWw6SbqPzY4KE2LZEbrPVU+sL2mIY+XiJ6DmBTQW3C+uoUT+a8ooweb8hsmpgv7BttPnSppcOo2fA5LA/5eCIoP3VS3Z7C/gkHLgq47GHEh/ZeBBCIBpATk7rWroYpypJSAeekKTPo5kE/iOTJoqe2wp5UYCfL0lk+NNUFJnr6NrPyNNTZwPb1oMeCbFc/kA52mxELCzxF0uMBt0ah/QBf8VFyO3gokreVJGFBK/x9q4nzIqz9R4XW9d/H2T1jjowOH+bynX/aW4kYR/v79CFyWdQRsuz5iHc87ZxjzDLJo1vlmYQ+ytuX3871df9UdRKolh/XzB1qhbHaorflUNDCtIdU8o5QO3bCj/MUFCpEqXVsPEuapt+LpzyhiVhAZGS4aM1EPUY9BeZExRTSn0Q1jz/PtVln2/2ucmDNpVRdqkvPSHTrfb6UHVYZDuIn/7zS9yh5CQDMm50yWUlSx4VRTzVfOs3pBgXExCO4qEzrGH8l21Fa+7gNW7t1zQXxBNfHQnCgJkOl5X0lsAmvUtW4KYwu0C0x0lw79te78WjsNKcxwvLoK7cax+/dHnSbp5qX04J73hp5ubbNRPXHO+u8pFPlF8rfCuyFgHU09YHvZjRPsj6LIZB4CIFjpt4l1w2+SoffIUkE1LP1PX5Oun0bl8VEsobFb6zu9zsDCtTpSsV4XyMkoc9tICgthA4nrFpL469AKAMJOmx5h7DtuYNwOANQJOKqzYQMAMqhKDJkugsHFB4cQA6Yn7PPK7TIszlTXfil/IdkUlVMma6KFR+nj9I2fmuu+rWXtrn4uQNkd8BrhDphM7jAYNT8XM4JV5CQRuBnRu6psbheGXW27RSBn3qLxgMgYXtRmc3DiOUD9QFZNfz0XbL3IO6SXFwTUn7H90AUv2fVENQL7i1JEZnUk+Napr7HMa5FBKPu6Dq2FQmFjQLjXCW6HzSoyYdNcWDmEdjpAgmEVfKw/lOPr4bi04fV4eXCceyWmp6gKDWYtXR3LO4woaW1xkcS0JwLouPpzfrJ9pbN5UN/Xq8fbHbOwprqq+kFYZpMwudEb/NRFJGQR7Yu6mkD9hF35Aa176/luJtaQ/GmQiwEPV7XzT1PiEEDTaqrloKH2oV4vST2yGWVep6L4KjDqraomv1yKoGWFdTWoA8JwDnCYUJbQXE/Kkcutq6v9kI13duDICC9EIcgeCPph2/FT7yMecBYZ9OZ4b2IUEC1xDUBot8iXehG/Lk1xikGnJT8T0fygELLrBEejKzfqjocHn0dDg+5OkkcdpyGtbAPp0AjXKqU2tHTuRFnMqapQHWQ8S48E5dopHpNPGmdDXkQ+IXld8wli9i6VHawsRBdy7kI5LEWzbF7KDJmQCLrPZspEU36N6MbvIhFs3LtNq5gAzrantPSGOyORhkANYTr3do9m4DcPPP0/BZySe0azFzD7YYHu0EBx39jqt19XuYL8vBNRzSck20oqjdokruqCdxFT1k7wp4OiUYmCpzi2/WxyXMDBwq6PpjVYw4ZE4PmiSfwJicMoLJ/dRLWZ81EcK5WYOftn1SS3xxDb7znvuXQ7lo5P2tAYSPm4Kod95kYouMV381EyytnsJuv7vYjINttzFdXdYeX8EMWSJq7tDiKhRAmv3Wtwykp7Zv6gynQXm4TjlGg+QqjkenzfCXbIwL46YX0N9Qrt4VGToc6EPnCS1YGzTwRlQVNm72wbZLGpnWctq0WRwFwEZGXb4NfDFTIGMPDhQp0Mj83dDZoXn5fBHhS+HaXi4T2UXUwpuKz1dOrRLNsjheG3mtanpUe/GsowBLpkXNQ8oT6Zije5ULGeP5tl8A6rlXPvwajfUDcVDUgWpu5QWW5l5TRaJLdCOJH1hncppRjJKCOUPGPMS/PNY8IdasSHqb5092bXzFjTh6BBJ505M24eSWsZ5xdHf2KxvsyfLldAA9gTntNw0YYZeSxNzYOg05OeBMe5ldKaJmhD5MDZrH7RCVDjkCFudwgkH/ETUeBAxfc+z0+fSYc98Y2J+RtOFuMAAVTRtdtyBbvbNuTjeG/U8QZRGDk+FwOJX81GPeBr8TwvrBf/h96Ps/iUfX87+lmJNLJuruRVVXbLDSy8dpDV7BDjBMJdomBHDWNvhE4llBQbeha59BQG9kGwI5TlqWzMALWrSOC7KBVtpLYGy6UKRsm6VxGrhyhVEXJJ+a+NoSgzPSdrzpGlhHzgpBs7AhWSNT6ECwNK0AiORdTzWo1+30IAxK4s8+AMnuR8UMjgIImLbGiQAPlRWEIknTaRLU8tKFlobVQVrpjUb4wqrVpumy89cmyZQ8XaANOOF1LLsbrdrJFI+E1qvn3yF4K0pgGt+KarnLw9f3WxEhv5qjtdQ7OPe04P1Pr00QY3Fuwuh6norink3fL/e5Rd+OUjqZkiMBjtuxphjXA8/BGvLx7PfEWQxD2n/uxmGYL+PxEBb5/zPopGCqNrCE4yZjRxK2rOD/JOPP/9CspXy8KUgqDh+6D5mdkBIVxF16SfggWGCDmDalSef57KFRl8J811a2+N1cax+8+xlzKsLKFVZb2oto7pQ7eWWuvcuf8wqjMhCcUW0DJRSVyJ2QI8H5oKyTxomzOpGndxVdeGIMPCcMgUOddci9HyMl6Y2e6R+qkmiFe/PRsbM0hmNi6H5smJlDeTxrw8eYngEy2zlQE6gJBdB/RXhezBfWemUhQfWz856/6/9s/p8LKe1LcQY/gQFutgBB4rs3u+vR6e769r4g+XQ5KNz0tPnMAQ/of552ZijkL+6orpWBaxLgVJLnUQDWL6+vyLipDCWWpeldY7LLVz2XDGqx2IyzTVYIv/LjVE8PNxwjhThYMz6qhMZMQd1Ks0IX1I/oRexdw9CS0/WF2PNcEYFjbOPaYntwE678TTzo2Bn+aFJPyxx/nyf94St9OU906ZBf9GRr9ZDlJIfzvzb9dMNxmXCW9HIbFdvpXltFZOP5is4IDobqbfc2nmdFYzn6g6uBi7bKgg8h0P3X6P/onvuA/mo+7phf1pDdXeQpKundmTxsFH18XqtZNWBLKb9Al9oXvGEA3xh8ZEOXqYQyKIUI1SYtVXhXlgviVpSzrrx6rBvv4mVix7ecoNxLDvdk2DH+QgaSvZcpULfZtuJo/mOInxVPxKjqgnmTAPy5CIjYGmYVELxuPREItuk03v+MUekvL8P3rJ38NRvcLXmnsTsopVnUbKZB6BS4MdRYtKnY/1XtZo/kQ+yMf+UXVwcvpMuWEesVL9vA1cASN5Febsox/weZFO+vk9hPBXkmbWsN5v1psHUEvdV6TZGISU/VkS/5o2NVOdoqxqzoWwnB4lkdr4XzKDeymEcxiEZ2XrBfwcnNGxd9uXukJC8XEVSkZo9tiW6P/bSAlc23wsQqwtB0V7ZDnCI3yIE+FA2MZlIQZMWqEPM37XCIH3lTIa8fnaQ7irzalUijdut4lWXLJZK4Q5KSyTvgzh52xf+Vfn0oA8muUw5lMrum2Wq2/+ImhlTElI5NakMMy0R4dhhe1Cy32aABl1YYcb2oRC0PdR+lhQfvivL/qqGWIfm6oB9JZU6fe560rHubJaqiTMGQPp2P57xzHk2hiACUIByrnJU46I9fa4Yjcc+vJv5xpsfvPnFm/ngXC3DILOLIBdZO6HDStcXi9rogZ6HhBnvsOg0xtl7ZtpjyY6O5yt2vkBVQS3FsKmK4JBiwSAXvOu2qW+0rflxeSu2QCODRI5l3VTZq9o5lcit1sRtjQf1eYWqeo9QuFCCJx0j0NN1OvkPmA8uqtsvgwAqWua+jIPSsO6MnbZPtzIGJIIGZiI0Yuw0pc/tvqm75Ts5JYtg4Tj5A7M7HnwY4/D9hJunNxjGlAmnhU77+OonSZ1XstONTFWkESoRltt6o5PrYFB2E59o1RGrZvm/Tt4Jx5eN3KW51HeQEoHnHAPzgGJ7vfC2vJvH4HWWNuUq0dwL6H9RI1T1OLj1NV4w7tmwbIDp5QoB83X9ruhpKe3UsmhooM+1H/7U70wCx95kee/O35vh4QYviv1cafQL55HPZTg/QEizQZnLQr1nLVbRWsF0VfQZ0L/rWniX6B7dQ9VaWwXW4XwjzECNZgD6uIoXlSIYvjN6zNVX/SnRanSzlrrYWb+ERZ+Ic/uqB4f1hOoHSqd+qkk6K9qXo389VZLUi7bY+ly9L5Rws9AT0mG1YkKftGSi/7TOF8CSEThzpcRXppUIlsk195HiUluORoIFrhlkf7t//77L41GwQuWeXeg6zWT6t11YeXFPll2k6l57+IJ8r1h7/ES9GCDfhSTwB3pDS+c06XL3PJlZjnkMR102ac80nM89V0fXrjv3Fwqij06Cpqk37zL7yxEYCwqjszK8LHytA5BPpDMsOBEVXi8aKw7OxDtpthWAUa4HLB0WxJseqTpDep4odBmr6/LsmP28zFwuE84gfURU9WFKc/8cpMF0aNm3dwzrdl9wxVzYLx+Pl0uC40PFGosmupNAyV3VQmOmCivqh9b9DZVt0QpbhQKjj6WDMZW0q/UcnBD1jIZSykY6kvjd8RZ4UNpCOazIQ86Z0sK/dBGAmhse+zJleLVMFt6DGNyGZeGM+as7KhJjIeK4Skq460hY2aHHSVQhJkO6vN4VbOMUctgDymkvokLtNghLwhUe79xML8/XGoD1dYEVGGNXFMLW/tq1/OmMt/acaOvUe+KxxDIN2YrMlhpmU/lQjNNd0Qsv02pUTq7bSiE6ZZr+cn7RlQmEpAz1tJZdhBZ3bcUgqbRkiP7W65X+m+ly9YtVeCtDT38rJyPCEuoWwlU+K/ueaR3875aL36F6yK70F0cTLjXyM5+P1g9TmBMqwtxWK9Vfr0sGFl5QCDlAvi5xun0GeiJxErzjmDbbI0wkxQkoGgxua2wf83qJGr3YT+82L3QKBUpFc0BGvzhe92Z0rnoU135h6tKdI5PTyvmwbpP8MYYThV/ayp4a+uOuo3eBg48ZCyu0j/GAgoRYNTmLsPtiXaflX1OvhFgNlkpjNV8tob814fM4g8wBL23AZeJ/7QBiC6QI1xTzw83F1L2cknnSNRDuOEBn9K4HB4f2VZlZfSVqNWoYU2a/Xg2qBKJ4eMNMbgKqJL5Od35HIiJBKfooWdU2Sa19qUBUpBQK8nNJWQAU7iQ/qM086lG9fpaWKm3pQd+RILkjjZpH8RELe1M6dIe3CbqeZjY+ffu0/QseAvr998G9H8QHvVr/LD0dqQQfsMt5qX2Im57u1msmSpHm2McgmxoukDAi45Mc4aguUgvGVqzT1VduN4hOc/76iabSX7tZXxXOdE3LFMEqsZ7epkrknKYo1IVfi/Pzo84yCVwjr6Rk9IhFkdOFaQ5vwO372XTqLiWHsNubuspDH4y/CWROAM22sZGpChQb0jBohlvf7SzyNPWYN5jLUNbJICE1OmJ6pMPvUJvlAnZl6eBBXFdcaeicrl6ptyyd5JEcDZWRJmn8/TS29twIAfCyUGk08NrOjHecQr7NmhmGcYxQHGdwS4soWCv4sLlULcvaGNki6Ncckk9ceSAufwIAxbV7Dx9e2eXLF5WbcMHZKxVgbfzZIgy8P6E0ePOb3feyJul1tdvPekNm/taTo2xJtCS1gAnYSRMCqg/w0BdEM9iV26uEVUBISyYrWbvV7fHU+oPndq1Qg5gzTjZHbYxTUU3hqpgdP+mW0BSYRMEtvJ+mb/CjWG3+msjMx1THw/sce7lIwncuDW0JaFN/B/7Lj3f17dzSLy6UyR5OzcLKEsy2yxJU7bz0h+d676pwjUOsby+ex6aeTRP/73/zf53XcD9gTAAA",
            text: ##"""
// One entity: its text and its form, the changes of others as they come, and saving without a loss.
import { elements, idOf, idText, members, splice, valueAt } from '../json.js';
import { openCopyAs } from './copyas.js';
import { announce, button, confirmAct, copyText, disable, element, fill, hold, openDialog, plain, problemCard } from './dom.js';
import { typedPath, unitOffset } from './filter.js';
import { entityForm } from './form.js';
import { choose, conflictPanel, differences, merge } from './merge.js';
import { ask, may, server, watch } from './server.js';
import { actsRow, banner, bullets, bytes, code, count, emptyState, facts, linkButton, loading, say, time } from './show.js';
import { entityHash, entityUrl, go, idLiteral, pageHash, typeUrl, withParameters } from './state.js';
import { attempt, isSame, layout, textEditor } from './text.js';

const formLimit = 256 * 1024; // characters; longer ones are edited as text alone
const list = (pointers) => pointers.map((pointer, index) => [index > 0 && ', ', code(pointer.slice(1))]);
const revisionOf = ({ headers }) => Number(/\d+/.exec(headers.get('etag'))?.[0] ?? NaN);

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
  #schema = {};
  #form;
  #unfit = [];
  #drawn = [];
  #epoch;
  #hasRemote = false;
  #again;
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
    this.#type = type;
    this.#id = id;
    const copyAs = () => openCopyAs(entityUrl(type, id));
    const key = (label, act) => ({ label, act });
    this.title = id === null ? `new ${type}` : `${type} / ${id}`;
    this.keys = { e: key('edit', () => this.#editor.focus()), y: key('copy the text', () => copyText(this.#editor.text)),
      'Ctrl-s': key('save', () => this.#save.click()),
      ...id === null ? {} : { c: key('copy as', copyAs), Delete: key('remove', () => this.#remove.click()) } };
    this.node = element('article', { class: 'entity', test: 'entity' },
      element('h1', null, element('a', { href: `#${typeUrl(type)}` }, plain(type)), ' / ', id === null ? 'new' : plain(id)),
      this.#notice, this.#outcome, this.#facts,
      actsRow(this.#save, this.#revert, id !== null && [
        !this.#isOwn && hold(linkButton(pageHash(typeUrl(type), [['_new', '1'], ['_from', id]]), 'Duplicate'), () => may('write', type).why),
        button('Copy as', copyAs, { test: 'copy-as-button' }), this.#remove], this.#status), this.#body);
    server.addEventListener('change', this.#draw);
    addEventListener('beforeunload', this.#unload);
    fill(this.#body, loading());
    if (!this.#isOwn) this.#describe();
    if (id === null) this.#begin(own.get('_from'));
    else this.#follow();
  }

  async leave() {
    return !this.#isDirty || await openDialog({ title: 'Leave without saving?', test: 'unsaved', body: say('What you have changed is not saved.'),
      actions: [['Leave', () => true, 'danger'], ['Stay', () => undefined]] }) === true;
  }

  /** Another caller is asking: a text that is not saved stays. */
  reenter() {
    if (!this.#isDirty) return false;
    this.#query?.close();
    fill(this.#outcome);
    if (this.#query) this.#follow();
    this.#draw();
    return true;
  }

  close() {
    clearTimeout(this.#again);
    this.#query?.close();
    server.removeEventListener('change', this.#draw);
    removeEventListener('beforeunload', this.#unload);
  }

  get #isDirty() { return this.#editor.text !== this.#shown || !!this.#form?.waits; }
  /** Whether conflicts wait for a choice; what comes meanwhile is met when it is made. */
  get #isOpen() { return !!this.#notice.querySelector('[data-test=conflicts]'); }
  get #isOwn() { return this.#type.startsWith('_'); }
  #unload = (event) => { if (this.#isDirty) event.preventDefault(); };

  // What is stored ----

  /** A new entity, or a copy of another without its id. */
  async #begin(from) {
    let text = '{\n  \n}';
    if (from === undefined) this.#shown = text;
    else await ask('GET', entityUrl(this.#type, from)).then((answer) => { text = layout(splice(answer.text.trim(), '/id', null)); },
      (problem) => fill(this.#outcome, problemCard(problem)));
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
    this.#query = watch(this.#isOwn ? url : `${url}?meta=true`);
    for (const event of ['change', 'state']) this.#query.addEventListener(event, () => this.#receive());
    this.#query.addEventListener('sync', () => { if (this.#isAnew()) this.#receive(); });
    this.#receive();
  }

  /** Whether the data are another generation's, which counts its revisions anew. */
  #isAnew() {
    const { at } = this.#query;
    return !!at && this.#epoch !== undefined && !at.startsWith(`${this.#epoch}.`);
  }

  /** Shows what the live query has where the user has changed nothing, else tells of it. */
  #receive() {
    const { state, problem, ids, at } = this.#query;
    if (state === 'failed') {
      this.#drawn = [];
      if (!this.#isDirty) fill(this.#body);
      fill(this.#outcome, problemCard(problem, () => {
        this.#query.close();
        fill(this.#outcome);
        this.#follow();
      }));
    }
    if (this.#isSaving || state === 'failed' || state === 'connecting' || (this.#state === 'loading' && state !== 'live' && state !== 'once')) return;
    if (this.#isAnew()) this.#revision = null;
    this.#epoch = at?.split('.')[0] ?? this.#epoch;
    const row = ids.length ? this.#query.text(ids[0]) : null;
    const meta = row && valueAt(row, '/_meta');
    const told = meta ? JSON.parse(row.slice(meta.at, meta.end)) : null;
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
    const differing = this.#base === null ? [] : differences(this.#base, text);
    fill(this.#notice, banner('warn', 'changed-by-other', say('Somebody else has ', differing.length ? ['changed ', list(differing)] : 'written this entity', '.'),
      button('Merge into my text', () => this.#merge(text, revision), { test: 'merge-now' }),
      button('Drop mine, take theirs', () => this.#take(text, revision, true), { test: 'take-theirs' })));
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
    const url = id === undefined ? typeUrl(this.#type) : entityUrl(this.#type, id);
    // Sent again, a text without an id is not stored a second time.
    if (this.#tried?.sent !== sent) this.#tried = { sent, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
    const headers = id === undefined ? { 'Idempotency-Key': this.#tried.key } : this.#state === 'stored' ? { 'If-Match': `"${this.#revision}"` } : { 'If-None-Match': '*' };
    try {
      const answer = await ask(id === undefined ? 'POST' : 'PUT', url, { body: sent, headers });
      const stored = answer.text.trim();
      if (this.#id === null) {
        this.#shown = sent;
        go(entityHash(this.#type, idText(stored)), { replace: true });
      } else if (this.#editor.text === sent) {
        this.#take(stored, revisionOf(answer), !isSame(stored, sent));
      } else {
        [this.#base, this.#revision, this.#shown, this.#state] = [stored, revisionOf(answer), sent, 'stored'];
      }
      if (this.#unfit.length) this.#describe();
      return true;
    } catch (problem) {
      if (problem.status !== 412) throw problem;
    }
    const present = await ask('GET', url).catch((problem) => {
      if (problem.status !== 404) throw problem;
    });
    if (!present) {
      this.#lose();
      return true;
    }
    const text = present.text.trim();
    if (this.#state === 'stored') return this.#merge(text, revisionOf(present));
    if (this.#id === null) {
      fill(this.#outcome, banner('bad', 'exists', say('An entity with this id exists: ',
        element('a', { href: entityHash(this.#type, id) }, 'open it'), ', or give another id.')));
    } else this.#tell(text, revisionOf(present));
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
    this.#editor.set(merged.text);
    fill(this.#notice, taken.length > 0 && banner('good', 'merged', say('Taken from what another has saved: ', list(taken), '.')),
      conflicts.length > 0 && conflictPanel(conflicts, (choices) => {
        this.#editor.set(choose(this.#editor.text, conflicts, choices));
        fill(this.#notice);
        return this.#saveAll();
      }));
    this.#draw();
    return conflicts.length > 0;
  }

  /** Says what became of a write, and marks the lines at fault. */
  #fail(problem) {
    const { text } = this.#editor;
    const place = (pointer) => {
      const node = attempt(() => valueAt(text, pointer));
      return node ? node.nameAt ?? node.at : pointer ? place(pointer.slice(0, pointer.lastIndexOf('/'))) : 0;
    };
    this.#editor.mark((problem.errors ?? []).filter(({ pointer, offset }) => (pointer ?? offset) !== undefined).map(({ pointer, offset, detail }) => ({
      offset: offset === undefined ? place(pointer) : unitOffset(text, offset), text: `${pointer ? `${pointer}: ` : ''}${detail}` })));
    const said = new Map([['unknown', 'It is not known whether this was saved. Your text is kept here; saving again compares it with what is stored.'],
      ['not-applied', 'Nothing was written. Your text is kept here.']]).get(problem.outcome);
    fill(this.#outcome, said && banner('bad', `outcome-${problem.outcome}`, say(said)), problemCard(problem));
  }

  async #removeIt() {
    if (!await confirmAct({ title: `Remove ${this.title}?`, text: 'It is removed for good.', act: 'Remove' })) return;
    await ask('DELETE', entityUrl(this.#type, this.#id), { headers: this.#isDirty ? {} : { 'If-Match': `"${this.#revision}"` } });
    this.#shown = this.#editor.text;
    go(`#${typeUrl(this.#type)}`);
  }

  // What is shown ----

  /** The declaration of the type: form, relationships, unfit entities. A type that nobody has written has none. */
  async #describe() {
    const answer = await ask('GET', entityUrl('_types', this.#type)).catch(() => null);
    if (!answer) return;
    const { schema, declared, sources = [], unfitEntities = [] } = answer.json;
    this.#schema = schema ?? {};
    const rules = new Map(declared ? Object.entries(schema.properties ?? {}) : []);
    if (rules.size) {
      this.#form = entityForm(rules, (text) => {
        this.#editor.set(text);
        this.#edited();
      });
    }
    this.#unfit = unfitEntities.find(({ id }) => (typeof id === 'string' || Number.isSafeInteger(id)) && String(id) === this.#id)?.errors ?? [];
    this.#hasRemote = sources.length > 0 && this.#id !== null;
    if (this.#hasRemote) this.#askMeta();
    this.#draw();
  }

  /** Live rows do not tell when they were fetched, and what a remote has yet to learn. */
  async #askMeta() {
    const answer = await ask('GET', `${entityUrl(this.#type, this.#id)}?meta=true&source=local`).catch(() => null);
    const place = answer && valueAt(answer.text, '/_meta');
    if (!place || !this.node.isConnected) return;
    this.#meta = JSON.parse(answer.text.slice(place.at, place.end));
    this.#draw();
    clearTimeout(this.#again);
    if (this.#meta.sync === 'pending') this.#again = setTimeout(() => this.#askMeta(), 5000);
  }

  #edited() {
    this.#said = '';
    this.#draw();
  }

  #draw = () => {
    const { text } = this.#editor;
    const { why } = may('write', this.#type);
    this.#editor.hold(why);
    const isLong = text.length > formLimit && !this.#form?.waits;
    if (this.#form && !isLong) this.#form.set(text, why);
    const isThere = this.#state === 'stored';
    disable(this.#save, why ?? this.#form?.waits ?? (this.#isOpen ? 'Each conflict needs a choice first.' : isThere || this.#state === 'new' ? null : this.#state === 'gone' ? 'It was removed; Write again stores it anew.' : 'Nothing is stored here.'));
    disable(this.#remove, why ?? (isThere ? null : 'Nothing is stored here.'));
    disable(this.#revert, this.#isDirty && this.#base !== null ? null : 'Nothing has been changed.');
    this.#status.textContent = this.#isDirty ? 'Not saved yet.' : this.#said;
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
    fill(this.#facts, this.#base !== null && facts(this.#known()), this.#unfit.length > 0 && banner('warn', 'unfit',
      say('The stored entity does not fit the declaration of its type:'),
      bullets(this.#unfit, ({ pointer, detail }) => [code(pointer || '/'), ' ', plain(detail)])));
  };

  #known() {
    const { source, fetchedAt, sync } = this.#meta ?? {};
    const { state, problem } = this.#query?.source ?? {};
    const undelivered = { filter: `type == ${JSON.stringify(this.#type)} and entity == ${this.#literal}` };
    const all = [['revision', this.#revision], ['source', source], ['fetched', fetchedAt && time(fetchedAt)],
      ['sync', sync === 'pending' ? element('a', { href: `#${withParameters('/v1/_outbox', undelivered)}`, test: 'outbox-link' },
        'a change has yet to reach the remote') : sync !== 'none' && sync],
      ['size', bytes(new Blob([this.#base]).size)], ['upstream', state && state !== 'fresh' && [state, problem && `: ${problem.detail ?? problem.code}`]],
      ...Object.entries(this.#schema.relationships ?? {}).map(([name, relationship]) => [name, this.#related(name, relationship)])];
    return all.filter(([, shown]) => shown);
  }

  /** The id as it is stored: a number or a text, as a literal of filters. */
  get #literal() {
    const { at, end } = valueAt(this.#base, '/id');
    return this.#base.slice(at, end);
  }

  /** A declared relationship as links; null where it names nothing. */
  #related(name, { type, by }) {
    if (by) return element('a', { href: `#${withParameters(typeUrl(type), { filter: `${typedPath(by)} == ${this.#literal}` })}` }, `${type} by ${by}`);
    const place = members(this.#base).find((member) => member.name === name);
    if (!place || place.kind === 'null') return null;
    const text = this.#base.slice(place.at, place.end);
    const ids = (place.kind === 'array' ? elements(text).map(({ at, end }) => text.slice(at, end)) : [text]).map(idOf);
    return [ids.slice(0, 20).map((id) => [element('a', { href: entityHash(type, id), test: 'relation' }, plain(`${type} ${id}`)), ' ']),
      ids.length > 20 && `+${count(ids.length - 20)} more`];
  }
}

"""##),
        BrowserFile(
            at: "/console/explain.js", .script, tag: "\"c1220ab1b41c14a43c86b65a0199c094\"",
            packed: "H4sIAAAAAAACA51ZZ7/auNJ/n08xW2VvHJPnuZ0sYXuvKbdx2R86WBy0MRYriRDuWb77nWILccjWFCxLo9HUv0byaAT/WB8grm0A3YW98RXoCPs1/ixdiPjWNfh6wCeYLtp4ACQtOhdLsB3YWN+xm63zEW7guW535t0IR1h5twFV16Pvg+vq74N6cKK62sXougpMazbIsYKVbdsKtq22HT68u8KB97VvTnxGjdvc4rLVPpiPbBuNz+hW3HGLVIdnGUkw/vklyTKGR25fwZX2+LNrWxNDhRZoDP3uWEwiqmBtdGO76wpaJw2UfOc1ahD0AX+W3rX0stHp8USjSrkIa7c/F6A37VOPU1y3NNQgFfXGnCsYoo5G5t5Zui5EOJgAEyhseOJ3KGw0L2IJk4eDeQsVtrpTFa6xbHUIYxBKmIK6dq5RMAZ1pfF57Ccj59Fbb8Enbg/e7QNgTBhYoQ2aijyuISBbg0LW8NbozmrXLaN1XeotbuCZFdrGvKiYx4cv9MZ2ppG3RybuPL853xj/Ear2qdCypbN3r7tr8z51wrGEmzsAovNeH0jpzuzhS70tZjgAMFNhyZqqr5wsjnQBdsE0Y0AvZNpcu85gzHu3u17Xal71821Dsx+dKw1XlB7GerBNqDAV7HJNHSCxBh36KBATZhB+iUO2XIdSEPmTEzNUADY64gqdi2uOruCwTbKzNq1zz0wDOmZ82GoK1188InsFcCsWUGywkDAu+K3E5UQynmQaZMN85uWD3LowYRvX1yYW5M0SplNc6VKxbCF1vlDuvIfwfxhvC46f129OA0chCvWCohBlISE8h8cpfrccvNGEiDSIEt29IdQoZknOChbIVtKwOI83ha+qPJ7shpJ7JGb1izwakYjysqsXYtfz2IQ33wQFT5Kyax3Ep0JXqxS8FxOii7oFy/QQ7H8N+afXW6HZj5JviTfSEQK7XdvA2rTbCnAtDRuzuTKe5i7iYWvCYgzmh51ubbQmYPz4ECtaoqMfkQp/wXVGFnsAHcLaGDDqJHPNC8aelMB7TQHBwhe0QtUHZZ+mef555yJMhqCd5mBcSGcJY4LVDlNvNodjCi72IwMW8aiRgCOLXuZlLXOLguA9ruFIQCZNtCY/X5lMgPI0C1fqZ45ua7yOzgeeNqvrmgDisYkFL5pxd9tKPCErvEJtWiJxqG23bHeNCci0LOuN3r5EqLKcJynEFzARaYqZmkwotW1Hvxgs9IgIu9wZvkJPqCzlxMKmIS24SUZRqqzDFv1bqEqdbPPMHFgCfJLIr4y+KxBWxj92OlL8/3hvapvXy1FNOjMxL4P7vKCixG4eIytMibbBxZc6mDqJ1Gr8mQyS1a3prsUPrwxdwW3MmTy16ZrwDxvXhRovrSoRNZJm42SZt8kGb7N5HvIPN0PUPvJkhYEQWrs0xf0K/i8zEq5AfibHsrUrwBaJeWGbV3j85ESSzRvEDmQ6+u7eqCLjlmUON8R8UHIKnz3++qs6RI8IbFcHdD2nHIX0jFpzbIkxqXOWzRWoE1HH/Jjdn2MC0F/KCcpBTnlRiXasL+zGkqX/7z7+wc03JSRhXZ+JO6oHbringtY+N8N+aFdQUG8trp1geuywtSL0E4qk4exnENUbUnYZjdQB6l9u58Hb63UMjIpAvu73FdlHdes6xBQaw75DvivYQLsXRIyqGpSgKcAiITTLm6A3g+mEwGVfbRWzmRLfosQ8Td4wDGWvyfrK+VwcekwBY8P7LsSWdjMmpJ2MTSSVAnKR/nzLgIcnp5xCr7du4khTL/AylzCr3gp2nuJEwKjLYk7qllQ40fRSzJWvk9zW2OdZHUdVW9cZj3J4QhlxZ6/ZkavRYjA97S3BaL9cwx5ZDaVP2gcvrICuoNda9mzSHfHo3U7a/d60whfy/eYBdlODbLWy1+hjCt8xV5YCOmnORj8zYCP52UfaNkVfoTlTdusJKyldeglKIR0Cg9pStNGgqrJ4EHIuyGSbHYKH37JMvU8r9sV+kVEIM+SQFjG9XRSfEC7tRYwuwhpGl+FVweLC6LcrEMqzn/HMIhNMokpOB6kSG9TNKxjx4MEE9krnpF7lNX5iNo/99OwkwRDvGHeus0vd3krV6WWmCpPOiBACGgxqVwcl8DYVJ6Y8pz7pypXfU6VsfEiTho5zHIQpxxGuKjYl2kSKsJG2j1klDpjTJiLNIerEJLprbKPjRQzJoa84HfYKdaJV6ahLvVvKjRTZ6h90kpGCz3iDP4i5psG0YPXIHIpQi54CuxE2LkR6X9JzXl2IxsUKzj0/BUY/LNqbD7KxNeNKWLqtGQsWw7E/kROneijpU5sMLAsnP9FYAtgEt1IGF8u1C6YrVfmy1ZtBssSjrM6Gc9BjgJHKX7xJc8g05W+dRPYr+Q8fgFIh/qFergm9I+WhTkWw7WBB5+MF+WCxdbbDbizCbQwQ/S6uh6sSHTmZ5ERPxVZebct20mFMBw4UqviIayV9FfSMK+hDRULxIr7IXj8TV/07hxGpImUn/Z6LpuaycB811BzgltaV+kFkRtiVCre/5RGxCc56kY+j12946nEktAve6y4PdNHn9QetSZ6588tBWQ0OXTTGbO+9fvOljusaYbH4cwUsfN3LUvMhuhj9ZzS6lrPrvOxzFgFU4qAxMoX0oBj46bBE4BNSVr2Cx1wYZl3lz88XcwxISOv1Ba4M1DoONFRBl4SPzFtfUW3AKdRfB6hKRpY76YYCW6VKWSWjSGxomOOlUKCGXE6jFPVcK9FTwv4fa4Ox4c/v+WyXXXWku8Dzi5/nxjd2OcSDDY8JN/PTotwrwkSqaj4rMnFW2gdtGyR4RUjFeybAlAqIeC5FrWA8rEIEn16KqDeuu06laq3YOuMLUreLwTaG+/YYuW4PztOb3NNcFGovr5979TGEJVDOVahYtZJuKB6Z5zZYRzcgPY3ve471QuInA4benD1lDw5qxI3zS6NKwOrqwE91C82Ibqs708KVYW01/LAzHn24QC2LEuHMm0HprMKXXYkGZSN86ZUBvlNcfUP8ixs5pRCb/LJOpsPkso7NDiBovSwaMMReRq+0t/oe7d6KprnWRnMqfHHSOZeVNW2T87HddheZE533x/D/f8wn37PNML81EdjvE8ADWWJIRf7XK+ykip7xsTGU0U8fffq+22xdh6vQUH9qH81G0/monP3/vGQmOhy6ZbIdXx8X5RnEUoGH7O/epcUFO+luvGALpgvnouxxNfqDTE8MboCiBo7IRO+1jXT1XaiPP3yi0rVyIUfJwXXj/loCjsI150WwZLoGjhegr0YbE7VKM+gUKsJPJmy5MhdcDrJiPTadnGdzOMgxUVYdEApw+SXlEhT9pwGx2S8vm39KGOaKERNnQsDk38EkXxPD3lvFxTZIOCWhJdBfR283BTMUgV7BdO9x40E2r6+GJxfnQhlQvEuJL36Hd2kbTp8Qzk2N4hynPRpNiOoiZPuq/Cj7dYo6zIkKxDHpbqZQN6/2vF4lkW+DPyHK6drFyl5GJ1HEKxtAvr1A40x/RWDaljcU9YvOzmTqh0isuJNa/4/3/wjTXwnQK90GQ18JZEsFkis6bxo+MXj5Fmb56wR0QiNYeHA72OgDeKMbkjhtuuOXhdpZkDEASMZn28pNwvzxSfZgGB/O6leJTOrrMVBfmZZA8EMZyOqn/ktWIV/ZCvUIhQV9LbNJgmSZxPaeDBME9AeggdnaCOIo+kYo3/zWxpupuix3Vs5vWGbXjQlhd1cbi2sU5jkOcxZJs956fn5gVnrXxqKssrxDaINj0iVnLxqnY5NtQFWShiW+0ksiFc0lAg5cO4ow6gztMXc4Iki1qSLNsbdXa7elk1QR3TnURCfnSt+eJzhQF0wgutv504dA7noY1Fu2LpjxgDAMX3fvPpDRI23f/wPX2W8zmx0AAA==",
            text: ##"""
// Why this answer, at what cost, and why an entity is (not) in it.
import { valueAt } from '../json.js';
import { button, element, fill, plain, problemCard } from './dom.js';
import { parseFilter } from './filter.js';
import { ask } from './server.js';
import { actsRow, bar, bullets, code, count, facts, heading, loading, plural, say, scroll, small, smallTable } from './show.js';
import { entityUrl, onceUrl, parameter } from './state.js';

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
    const actual = valueAt(text, `${pointer}/${index}/actual`);
    return element('tr', { test: 'node' },
      element('th', { scope: 'row', class: `deep-${Math.min(6, (node.pointer.match(/\//g) ?? []).length)}` }, code(node.text)),
      element('td', null, yes(node.value, String(node.value))),
      element('td', null, actual ? code(text.slice(actual.at, actual.end)) : node.absent && 'nothing', node.cut && ' (cut)',
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

/** The panel beside a query. `ids()` are the ids of the rows that are shown. */
export function explainPanel({ url, ids }) {
  const shown = element('div', { test: 'plan' });
  const why = element('div', { 'aria-live': 'polite', test: 'why' });
  const field = element('input', { size: 24, test: 'why-id' });
  let turn = 0;

  const typeOf = (url) => decodeURIComponent(url.split(/[/?]/)[2]);

  async function load() {
    const mine = ++turn;
    fill(shown, loading());
    try {
      const { text } = await ask('GET', onceUrl(url, { explain: 'true' }));
      const { at, end } = valueAt(text, '/meta');
      if (mine === turn) fill(shown, plan(typeOf(url), url, JSON.parse(text.slice(at, end))));
    } catch (problem) {
      if (mine === turn) fill(shown, problemCard(problem, load));
    }
  }

  const explainOne = async () => {
    const id = field.value.trim();
    if (!id) return;
    const filter = parameter(url, 'filter') ?? 'true';
    try {
      const { text } = await ask('GET', `${entityUrl(typeOf(url), id)}?matches=${encodeURIComponent(filter)}`);
      fill(why, text.startsWith('{"matches"') ? verdict(text, ids().includes(id)) : say('This server does not tell why.'));
    } catch (problem) {
      fill(why, problem.status === 404 ? element('p', { test: 'verdict' }, yes(false, 'Nothing is stored under this id, or nothing that you may read.'))
        : problemCard(problem));
    }
  };

  load();
  return {
    node: element('section', { class: 'explain', 'aria-label': 'Explain' },
      actsRow(button('Read again', load, { test: 'explain-again' })), shown,
      heading('Why (not) here?'),
      element('form', { on: { submit: (event) => (event.preventDefault(), explainOne()) } },
        element('label', null, 'id ', field), ' ', element('button', { type: 'submit', test: 'why-ask' }, 'Why?')), why),
    update(to) {
      if (to === url) return;
      url = to;
      fill(why);
      load();
    },
    close: () => { turn++; },
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
            at: "/console/filter.js", .script, tag: "\"25264ee96d723016eb6f77f8dccd9e48\"",
            packed: "H4sIAAAAAAACA3xW55qrPA7+n6vQKc8AcwjZXpJhZnvvfTfwPTggEr4hdtY2UzbkXPtKtlPmtClgy5L86pUsM5vBL7reojZzsPhkoZNW0chYA0I2sBL1fQb/3AhaMbDTtIwNbIQBu0HYopCdXINq4ZFVHgXpCG2wWZCu2qG2zySwGzOhjdhf39Feojdwj7hjH50Gs8O+JzcpNN26s9Aq7UfZpNvulLawh3aQte2UNKnz98eW3r3o5B/EFlPQaFA/YJO6GAwcoNVqC1E2Y+XsaxMtJpPZ9fUEruHH0LqAgbAKsBrJnjZUEl3YHEtnF1CxZZVC9SD6ASsGz3DD3FSsJygcshAafQzYsNNOsqJDkvGGldpVTB7voFqeEgNWaVOlnriu3kBlNe/SeV5X7JIBOAc/ss87bLCF/Z5lczBWO7rU7jw23f/wbg4rpXoUMgUH8+687mGfBMvycIC/UbwvN2AJjLCXys5DYRx4TtEf52TJEqU/ENRKGiukPe5A/v36BJh3X0P1ptsZMBv1OPdFljpi11oNJFftUTjIBn1OyK1ESv0DpoCi3jilDW5B4lpwLSoNhDb7RBxXsO/MH5Q9sUKQfkoAPuBUyOczb1y+1swhZkUYP/SQwie1WZloSByrPDG0x2wycZxQCFvS6wxNIIdllOdRCtEr97xxDze8dY88Kn2twt82CMdaueQm1JfSTBFNfAGFWrSKOFbKoD8B4aBuM4aDT+4weVBnzwQpy7ILkASjkwSGpFzEPH/vEJK38PqxfD6O+p5HXL78xidC4bSIuIHWQjQ+/VwgjYEVbjrZgJAnFHOIpLIkXbNpaBI8ZAARxcpCY6PLOEJLCE5kE6tdAvsJQNdCvPwCoqyTdT80aNgiAY120PIMYHFy0cmPw/28A4+QrYNA7SDPc0cejKNvTS9M4e4Y4PwUNDk4eMZ+7CzAht4rVWhcGVSqbQ3ailI5SGvg73/7xfSb34NBdtb4/vUi370wJpzFX4iht0BukfPw12dpxdPPtVaaifOVoYeaEhL7LVIgJ1hbbDy1AGYgtuPqKIa3++PwUCULp0I0mszbQw5+wCsHjsxXnxRbpLUqvpu/3Z8aeWbUoGs8jAUvLL8qqpKGRZVc03+1ONoO2xVqsp5N70jtG+Pym9MflkVzndCsyIrmXcLyJf68XL6blndB8GpZPGbTMpkd/aCpxQ7ZT1Gw/uuimK1aqW05Dsui+fH0F2LalvvvHJJZABYsQ4Nj/K8dTrLkn6dvfGNKz2+25UisOO+H5Pr1GDml6CMlnkaXqtEpRtOtpWFoeT6+ysebfLzNx/f0vB2vrsaCfsflq5vbOFkWZVqeQuLrgWG93TPBB+ajyPyE3J+8W3WPkvQkPsJfcP3zp11cLaEobFHIotDlNRnGdzfs7ZbSQ69DMpLAM08iPwis+DXPCa35wSGpKOPvoOI1joZXOKgXRiib27dJUqUQPUeJ7xSESDTutvT1v3oGjfWgDV0B0BBXKG0KIgQhNqTtqt2X+Z+ENuir+Q15pyC/seBxgzu78bMPCp038cUdKpcFpMmvxYVU3GOc+DKmh2vQJHLt1WM5n1Sy9PeakOYRtYHOGufPAQXwvsKeISXCp8TtJc9bs+OMIrO/lg0+HRU4tMWFdbg/86CPT1jHp1iSu8yvs4Vvba+8IPHeNLaDCcEBLJ3svpNNekZTku8/rr7G2mYoKcFo4uAia0kzjpcptGqQTZlAfuuH8CrP3UVOGtgkH3Apf04aH4ZznkL+YewXCsJeWsL0jDPrUa7txuuGNux2e5G4v4pnA48hW49ayTXNUCNIFVK5wnUnTUiX5+eDhH2A4d25djLTdzXGp7UkMyh0vYlny6+gsIWkEzYLdJxPO+RnD0thy8v1Rg2rHpmTPUR5NIfwCXHFQ8GJUhqurlg0skhpJxnHCA4XtLWi6+PodRFV0fka4r3dRSSg7pXhvvbfQVnkOylkfCPMHx9lHFCkcDQJgiXPS2Aorq+nIPzXJmG4vOMjWrDnE+TQHO+O9IJPcXEctXrkLnV5e8Xi4lb63IHkWgip9Jnt7PkTnDXM/0u1Eh3HeRv8KkoxgOyu5+ztAda97/tu3SzizjjbFDkGkWcXg6nfveJHMpQST7pA/393Y0sUL5EUSbl3n3d7ijN7yKN73T08xEhRxNTnc7fVY89siQdNewfDK6P+pwKFcFrk2OCDgBZ6Ml0mG7XwF688PPqF4dv2/WMo4J6mhZzJgwMj/cBDk/Lm6oTMiSajwnbrvtg/r/vM4uHUZIM0AwFFECEnDu+jxftUDjVQ+ou9AUDmocCcSBgiP8aAkHn3Djglkr933/x6TmVwm10Y4rBb95/6dQCNs8wn+C4vzzDEadeR/4f+E6VrESU2A14hBQFCIGAVGsPItOmhKMW7Sderde+K1BQMW1nyuqun5/Cvglcy68YpABD1oJRb17hX1xKOeS1URydP7Y3QHTNhRZLCw0V9jBqVKyCDzGALaQohhqfA8fO2279Ensx2ZMS2LRPNz3yFPNtb1vzqUGsCTHZ+ggJYnnIcXxguDaBhKKb2/i0aur2pVYjX+vKspYJUbhZaBTM5Y1OrkWW3Dr1PvEcXmEIMRyJ0K3uATYIO8ZPXMxaO8kjSgdP7mKsfAEa0PxCvtSpbbdHtQfQPmstneSWvRgDyNEQsMG4XnqkGRYdot18NL9EW71IxD/0bY5YwIGye38+Hbr0GbMoRaqtsYV7CSrGaMLB7Mg1DHmqfSFtEzE8qsCKztpQGVXLlBJra0UyOTNTE2TAUpf01xxr2b5KRuvP9+7eIYR7EwoF1WOKYqIg6FUc6Oi1lEwVF8ElqcdyI+bbwk6dfk/FRuzbX6Dxz4NYTCyX9k0YWC0D/06R9kldU7vwJc6I++CIYYjeGhaF58KUmr71NpbLuB1aRCXla7Qv+4xBTKRLHKHKiZw1IovmZsMWWzwczdQi9brHQak6dAeeFjeY2ZS521v1K6nfYbiUzV//erbaFd75MOJxdf7ikMv3iGtH7zJ5T+/ljvz+zu0aLe6K1o+3OfVPSILMA8/zsiB+6fZKV5s4K/ri/0/py6mwxfxBu+3Xo84yJ13M1jR5RPqObXyZsH+OanTlm9IQ4UqPqIjcnStuZk0pUBiSVIxSVa2+ru3mu95OSBwqrshovz9DR09R2f7AWug9RoH7TbwfJwzGabwfKk/44orUexcvcuzqfKHiixIQJT/TsuDKpjAyUg1xtPh2ewUeZO5LU1o87eeWULY+BoDKV8iEGTGQfICTjOTFtpolK42ygvt5uiQqHcly3lFiIbN6aD3oOxyXdI4JU5SzT1tCHHgr6Q9JQAWRpvU2BuQJ2NngZagnbHNKOcucCHnHTgh2XfNoHuyL5blzbbZz2jjCBcaYW3KvcRWAQZaGMSVFIE9bwNCkIBKJAALCZCO6Fk3Lydsjar1gTkB1hnIy427BIGf/CpeBIeVK98xUawxUMRh39sHok06YT0HrY0u49yRCPxu9z8O3OIBezi9ecoIJoHj4u7g/7znFH0Uf7acCQq/mYVjozBuAiQ0iJXHTtIkRKwysNtXTZ1aZ7KgotllKlYLDKmAB1V2vlwEfIImazhGp0i8QuRZWIngSOoFrYIOOKSacRoDCxKC5eicuxXDiOi7DefNMgnB01OF7kYNGf4EbbPm3/IyarnrD8PoeQKwrwKkN6V2E7efG6exoL7cZi16bTjDeWVFFf4FEWGxCJQTqgX4WGHvDkgEUXBwJs9QU7geg1zmkBRsmixkl/wuUfJWk4UqQxg8GYgm3jbuFi0K2Gcz6VRYUfYPF/gG+cdLdhBxgxyjTKRQ3juKbgAMZhiXiKhbKe7GbF4Wm9IjM2q43GILeDsxkNsl/RU+303TUNnt1oDgGZCZMwZe0Cnha0lSyMkKCt4HYqMVXaJjIdvNAmwubxpnvWuHZeXoXdpi9UbLMTUl52yNhSchRdkGBE1YY4amOV3H8dk3EN73ZtYsVckSUjqvjHutj/t17yfgszGH1e9wERpeE+zLxEGKLdKI8VkDoV8T8lB66CZeup+sCyE6kwalIJA/IinLX8KgyZhRFr8tY00I+8gt8v5FbYFIoZo9kJbeedOCX6Am5JK7xHQrGN6cV9BNlR+3QVf58H13GpFGe17duhkz5w6sEXIet+ObgInXk2PHNkYlPOiytsdl/AJN6Lo5eUCvEOEh2bDFggONbRct0NvyIFp6ZIqLOVFiD+IqsJBG5Gdl/odTNGqWxEqNDbYzgfpqTCapy9hXLqUiSzWiNHEjUQlE3U1QeWGKerzXdz440ALSR0jTTY1Gf4gbr1mt6Oue1DYycNxajko2xgXjMocNITombDdnfkAkvJwkyYkBqwTDcTuVFJ5OxK/C/6kRG+3oBJWjEeLS2INZ5+7oAFv41TWS5YpDegH+Tsu1iUUoZqX3+m3xeZl/Fcwz5TyzdJRUuv89LySf18iNwj/3KIKECAz5lM+P4K94XLVb9+rF2nxSm540sgGXGXgfADk5NaMIAX8jai+7EfCDBIcXcvhRZ9EEIl8qaTL2823Usc+9S7f+5jdhsXXU16IngrKOnR61K7Bxv6zROZbVpNmDcN+xc8mYmdlB5ihzEJGGJVlgObr9y762v3M/0UQpRSuUDaUumvGFNmfXRngwCcfCZik4InswoRCQPJ1yiIwT//w29+fcVlymr5wms0FwOh02gwA2dxyaZI+nnjySqjZFBaqsuM8Di1lmYmFl5/+Ef4avsVP79Obbo5QlhPySV0coyhPlVPGFg3OrFoJZueL7J56AFHNnLG/KxTjjCg2gIL6vtIF/F13MvQ2zcw8CZIzx/CfJu8auNWaGivBqqusg9kpj4hwsxvgFDEAnYYumoA1fAf4+QP+4fdY4xQ/nlYXn7bV5QQfNzu9v33f/Mr7ja5sbx6BFShi3605UXlVY8n1rD0TW4O9EqJvCT1fwFOnRThmykAAA==",
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

  /** Says what is wrong where no token begins. */
  refuse() {
    const at = this.#end + this.text.slice(this.#end).search(/[^ \t\n\r]/);
    const sign = this.text[at];
    const doubled = { '=': '==', '&': 'and, or &&', '|': 'or, or ||' };
    this.fail('"\'`'.includes(sign) ? 'a closing quote' : Object.hasOwn(doubled, sign) ? doubled[sign] : 'a name, a value or an operator', at);
  }

  fail(expected, at = this.at) {
    throw new FilterFault(at, expected);
  }

  /** Takes the next token where it is one of these words or signs. */
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

  /** The spellings of a list's elements. */
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

/** The result of one rule for the whole text. */
function read(text, rule) {
  const parser = new Parser(text);
  return parser.whole(() => parser[rule]());
}

/**
 * The tree of a filter's text.
 * @param {string} text
 * @returns {Filter}
 * @throws {FilterFault}
 */
export const parseFilter = (text) => read(text, 'filter');

/**
 * A filter as text that reads back as the same tree.
 * @param {Filter} filter
 */
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

/**
 * A filter as chips, or null where chips cannot show it.
 * @param {Filter} filter
 * @returns {Chips | null}
 */
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

/**
 * The text that chips stand for, '' for none; those without a path or a value are not whole, and left out.
 * @param {Chips} chips
 */
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
            at: "/console/form.js", .script, tag: "\"d9d39c6a80cd4e3bc6e228ce9cc05a97\"",
            packed: "H4sIAAAAAAACA71Y2ZbbuNG+76eoWUn60GzP/2eVp73b2fc9Gp3TkFhqwSYBmQC7renRZbbL7C+QPEneZJ4kqCpCYNNy9sRLN1moQlV9qA08PYXvbxDWtmvBrkEZQOO138ESna4RtHfg8ZWfgYK1xqYmVkC12kCNq0Z1WEOL7RK7Ch5ZvwGstQdrkKWqE91ubefhemByJbhto1cIe1h3toWsqk6fO2uq5y67m7ixwRaNL4POpilh2yhtSuiNQzRJ9LS27USww1Z1L4KWVjXNiNNt7NWEdaWMNXqlmsDtcft9O2Jn45n95PTWLfjRBv0GO1Dw1e9965uBvdPmgjYIj8rUoM0BHuVAe9CuhCvtN7b38LK3Hl0Ft05PVtY4Wvw2+QNnkJOeAs7uMVr3q/mdBZydnUH2dgbvvw9vnc4/6u+EP7f51xf555JfPlgvTiuPzudkUbVVnUPZrSDJKbFyqLrVJhcEC/gQ7gTXojnfDyxszW6LbM08ExezErJaeYy/b3vdykvfKa+toee+09mi0mbV9DU62URwO4Fb8BCCFt/ZhgOHAiOGy/lVpz3mdPrFOWgH3jY1XG2UJwSd2rm7YPqmmYHfRCm4sOhIVGmf151a+yRK2kTagbFyUjv0JdAJ0UZB+wrldKoTOo51b1bkRTQxN6rFErq+wZJPpATWUQKbWgKpLeD6BECgs1sSd3DGMhWavr1ftWqb59YwknIQAqZe75hcwP37kLMAYSUHvrS2QWUyuB/A913PKK9V4zBbwIzND6BGvcqHHZe9R1J9DZnqtLrdqCU22QzYCUqZFW4CLNjNAsPSofEZeeV8eOdYHU5V3SaJQRD2pEWvIR98o2jiGGI7e1PjWhus4ZNP4EDNyLyMSINQioZDkg3BWQh80RFK0rPgcTClqqpBmp8ZH9pXLRs8oo2B4ifCZ75Y3B1ta2wdcI1VJM9ceFqR+9e0dUKvBGtmVAo2ylzgDHI+M4lL2qO6VE3P2vkAYA/7kmy+ccZJjdhPatgWABafUdSXIDZgza/syDFY70OWwQymsJHeKJaR7/FEgbcb14374+RnE5klIC8Idej7zjBERNinoIp1QPNDitDizTEQa9lgZopQqrdU4WTTm0Z5ptwP1r6dkXWH9yzJa/fNnhP+DCaZoo3HC+w43CZLhkV4l+NxQJpUh+pYJHT2ys2iveQwu1A1aC78Bu7B5+6QRiam8M4+MhklNPw/zOCDkgHWZtv7NmieJS+CczWudKuabMjmElaNcknjfaaGxWwVRLMYmbxZDEwJK0lPESvicUrMTqpNCuF4+ABMc+gf987b9oeq0bX2uzzLDhy+2x00wWvJUIXd27w45ESUAuCafIO2h5Xyq03a7Y3av7/RblS3q2ANyGjC0cF7O+iN182hgI/VJvuScvk9jveqQ+r9B7UD757+8nPaBs649HNc8pnHsijUt8Z5UPwzbp1MMnAfJwzlQXFAg3IvHHXLEnQ4WNvVrhp3KyHl10CBX0KHL3vdYV1CrJYlNOrjXQlONzxDtdrotm/Dg3pFD0z5Osc10+QR9uPOtrTBPUe1eX4Qzz791Z+zRQlz2UcofxJK2jAbMmbEPF1iqQVjX60b5b9B1XTOKsnqC7PgcM+Z8lqBnFPBP3/3mhj38O41c+3PizG285vYUD5n8SVLSDG9VTTtMi0T6JhMDzNocO3B9r6ksHuBuHU8jThvaVsOlUzSXtBmUX7kkVkaC9g1iavGGjwMOt6CsUtb76T3CeCLaq0bj13+SOaBonputckDC4XO/jBVPdiqTrVwHZD7UPK9BLt8jit/b89BxGamEX3b2S12XqMbS+cy2csGDPml1fVerE6W0k5XG9sMuajWnkZhM4z66zj68qAVGNFwq1rihTYObEcaAdDUtB3QSDId03gYw1c8lw9RHu8hz2zX5uxQOZglUXq8vtf6kkp7LK0ZXWsyKu0NhreLzvbbrJyMS8yUJiN+G8pBg15cpqYbCbEa8Msm+J3aDdcGShqDV0BBzVVM5qpPf/6bY9PpyQkkl6XWyvzGY7FUzmiD3Jz40OKVhZkL4ZZqFjsvC7lY4gQ66dLS9aPRwgdnQ4uJlg/XNZGQcecaxDLlSzpN2LPAXIjEVzm2b1gvFpSRY/e4Ugs7IzW4lzo+XsWy66qNcuKcjEpM5cfUYVI9TgtRvMYGBywHZmwcxlWHNw1J27EVxXG8pLaI0Rx6kvhSvneB4jd0LRzqiVOXWM/4zGOGcPBzQ9BU/mE4SR2vJalRwDeDM5RLHYKhbKqtXCFZ4wUOHTEPEEazomv6Y4T7cE6tk5WGCjksvcBdkKgMDXeFtLn9JByr82E8uQv75N2Tzm4de8JqkyEhWYIteTxIiEasGlTdEHspJFMV54Wxhu8FDgeKEbkrnw9SrkhhI/OIQBZgTaql4ETYV8oQ7Fjz8rIPzP5gKB24tyXn66NdspdyeE2V98jwkxLP27gMwp3S6/ioE6NJHH8rBqfMCdsOt2jqXD5V5FkccsZHkVyusjS7MeCQS77I4dq1bPqyx273Pb5i2O5h08Q7Twlx5i0JE295XmXZqtaOmiB70/WYtIjZYnSiSpxNxqvkJnU+gpdzUXAm0ny4y8XwW1R4GUzNY3LfE0QriqOU77xjohXFRHuoqj+K4cgJZdfjrwQq0GiRx8QJbrQhsd9IiuKmH1OT3jpi0psrTQJwHFoCToQmEoeztKueajAfZSB5pY3L60ClvlapldeX+FS6HN02jq9UdJl36Ct2cTZNN+CPaTkXrsOxpIkj50oukxc9sdOZrrOh/M/TxxFmmnTdFPmp+/JHBtiXiVWargxgI7LbKhOp8rFP8By+4+XnoYjJ1EvqCxr2yqTuyMebyQGW8bBGFP7wxI5M2y4tMr+sTrtW0s1aUqfiT3akvxrNncnJIf1KkMl9BokSEeuwtZf42ohy3qC6xIABqdnTOHqe3B++YDR69WJ6TwSA41Galse+p876N+sAgN9o6aHcwGJRTRx7+VCS/eWPWUKLQ04Qi5XA2RZjIZhG3QFMlwBmhF8rm2EZWtvF5HfUOgxVA4epeEqhGiz9X5RR1sd5PbksMg5vUDY/fI5bZAVlpqlp7hryepi4xlnOxZK1FPcr/p0Xo+a6pzvDXwH7bytF4xcAAA==",
            text: ##"""
// The form of an entity beside its text: a field for each declared member. Both edit one text.
import { members, splice } from '../json.js';
import { element, fill, plain, unseen } from './dom.js';
import { remark, small } from './show.js';
import { canonical, stepTo } from './text.js';

/** Whether a JSON string can stand in a field as it is, without quotes. */
const isPlain = (text) => text?.[0] === '"' && !/[\u0000-\u0009\u000b-\u001f]/.test(JSON.parse(text)) && JSON.parse(text).search(unseen) < 0;

const isText = (type) => ['string', 'date', 'date-time', 'duration', 'uri'].includes(type);

/**
 * A control for one member. `write(json)` is told what it says; null: the member goes. `wait(draft)` is told
 * what is no JSON yet, and null once it is.
 */
function control(name, rule, text, draft, write, wait) {
  const options = rule.enum?.map((one) => JSON.stringify(one)) ?? (rule.type === 'boolean' ? ['true', 'false'] : null);
  const attributes = { 'aria-label': name, placeholder: 'absent', test: 'field', 'data-name': name };
  if (options && (text === undefined || text === 'null' || options.includes(canonical(text)))) {
    const all = ['', ...options, ...rule.nullable || text === 'null' ? ['null'] : []];
    const node = element('select', { ...attributes, on: { change: () => write(node.value || null) } }, all.map((one) => element('option', {
      value: one, selected: one === (text === undefined ? '' : canonical(text)) }, one === '' ? 'absent' : one[0] === '"' ? JSON.parse(one) : one)));
    return node;
  }
  const asText = isText(rule.type) && (text === undefined || isPlain(text));
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
 * @param {Map<string, object>} rules the declared properties
 * @param {(text: string) => void} change is told the whole text after an edit of a field, and when one begins or
 *   ends to hold what is no JSON
 */
export function entityForm(rules, change) {
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

  const texts = () => new Map(members(text).map(({ name, at, end }) => [name, text.slice(at, end)]));

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
      shown = undefined;
    },
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
      found.has(name) && !rule.required && element('button', { type: 'button', class: 'remove', 'aria-label': `leave ${name} out`,
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

"""##),
        BrowserFile(
            at: "/console/help.js", .script, tag: "\"37e2f5d0c7f9e5c7236f5aefb015ce04\"",
            packed: "H4sIAAAAAAACA41WZ5PjKBD97l/RF5G2tJrLwXM555xdrjKW2jZrBBpAM+tz+b9fNzBaecPUbZhB0N2vaV4/uLiAP3cygPKwxp0yLaw+XFUgaRB2CHiNJniwm/il1TVCY43BJihrQIY4vbE23Jr0cov1THW9dQGOsB5CsKYC1NhRpApsj+YzJbXdVtBrqWjN4UZpDSfYONuBqC9a29UPvLgcwxCwD0imHt01uolpmnjMen0I6CtKdGBEh510e/LtpNa/ybXGCoLqcBplZ28ei+ExBGW2fmoVZMBkNru4dw9+o+3u8eAhcAFbC952GHbkBTt0mIp4s4tF4vI6e0Ppkgv2voZ7FzN8GMGkP5gGNoNJReUKfYW6L5xUuooIJRxnwIX3AbQyCO9DYWRHEFquUZfw/gewyCUuRBtEBWbQ5MxGte+1omkQZd3Jvigo4mMe+3U7uvBqBWS9LOn3o6CjRcZcXo4pUV0po0Vd15xyAllUkDPEENAtE+JqCy8e08xplSyWhLIQn/tGEOpaNnux5IkP+ZPrFs9eLCdwto91Oq9BBddSD/Sl/I8mgo2px/Ux+3FamX7gSh0hHHqcg2h22OzX9iHNxSG28xitgoA+zGGVOXH/xSMD0wYoJQBr5nAkD2m2FKVg7JE9NQ1yluPUNk+R4fvvp6zhQxhMS21gsIV5mivhBKfyttq8e3kjVZg0UHGM+EEFzel/S0Rhyo1I4jZxsSM6iZTt2raH+ZQsOpag0dJ7stzIJngBp4oPNZ/kpMrpGJmCZ/wrU2yAH9cPsAk1RXYKfRG5W1N3B3SREsfkAKcUKHlPYJ6weBJqxEo0KASDMFl+pT3r3JGtBWNjK9LKRmr/+AEkr3gEaf2JsEOIjPxNdehBGfj9t0+5oG54IhRbjmlluSnEb0/0POsjb6SxeuiMT/rgsEET4pC32cLVgFy7SzDIUtfKIKs8lhDsHk0N4hYMssAW4gvrthhbUVSZhMfRCB5lvIl2RXk5WdS2kbzp2qG2sp0unvhEMouSqyBWlsuUgIyK5YlPC/Gpth5H7JHOVMLeKSrJQSyj14min2az1MrpemHxoP7WGICVmD7zBk55MtieJrl/L2dZ8WXbfs7O38WbAV0hZNOg99Pd5/C1RrMNO4rwCm+MIQpOosw6/iN1lAfrYGN1G0+JEJ3q+Upz8iZHmccFLX2A1155paIv6xHWSFVBUAFupI+9iS0Ea6f6Pip7sFtiaEzbF1SA4CxrtG0xCTyP6p1qW2R1e27yyXlnB5aUjwPlRyePtGun5H0CIgIhS/SvtGK2xdS5jOepNlBwIRMUAI/zSZ8XOJE4DC6inp5VRj4Y5T8bEHIH8eT0+BLOkzaQL/yCU5xey0USaPH5XW+OKh8DcxI2ynmW8EXy4X79mdrnEOUAr/jXJwey5MHHWxTLKu8lSc7GUced3xXBiQnj2ZgJP7bbxHC8D3MLpmj1Xpk2U/BMqm9lemqVtHgM2TvMMfPTKIcM+DDUXqsGC+LdW2+++fpbJSfJ2ujnUZK4J6v/047LJZlOBT8CxZ6+e5MplSt4+eWz3K7I76n2eV218OGHIER5+wqpRbl4dXk3WHrA5Qhe/YscY1KLRMRnIfPbLvvKUNKfEey5MyLTVkax/sHmd5v00NgO4YChFqlxxs6L4J/SmIIQoVeZp8WLx/jSLM6il6dyFftn8kxqW3JLqU0aJLsNxu/UJuRl9nqy8b6XYVd3ypxDVSxI2YO7/LnYciVrPt9edggF9yWZvZnNxqZk7oxZJhXIb+2Csi3P5HL2HxQjhXYrDAAA",
            text: ##"""
// What is behind `?`, and the events of the live connection at the foot of the page.
import { button, element, openDialog, plain, refill } from './dom.js';
import { listen, server } from './server.js';
import { bytes, count, remark, smallTable, time } from './show.js';
import { settings } from './state.js';

/** The keys that do something here, and what this browser keeps. */
export async function openHelp(rail, keys) {
  const line = (name, label) => [element('dt', null, name.split(' ').map((key) => [element('kbd', null, key), ' '])), element('dd', null, label)];
  const all = [...rail.map(([, name, letter]) => [`g ${letter}`, name]), ['Esc', 'back'], ['?', 'this list']];
  const option = (name, label, value, isOn) => element('label', null, element('input', { type: 'checkbox', checked: isOn, test: `setting-${name}`,
    on: { change: () => settings.set(name, settings.get(name) === value ? undefined : value) } }), label);
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
        element('td', null, button(frame.kind, () => openDialog({ title: frame.kind, body: element('pre', null, plain(frame.text.slice(0, 65536), { lines: true })), actions: [['Close', () => undefined]] }), { class: 'plain' })),
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
            at: "/console/included.js", .script, tag: "\"c6493096abb802dba5186c92de44b96c\"",
            packed: "H4sIAAAAAAACA5VX2ZKrOBJ9r6/Iiaho4A4X9/JGbbPvM72vDkdbhsRWFQYPErWEm9f5gPnE+ZLJVAosU73epQqkXE/mSYnFAr7cKQuqoX/mCTvYdLrZGlB122xzwMZqq9GAZSltDXTtE/3AikRtm5JWSXutQZEYNybR7ELvD21n4Qi6/LBK4VHVPf7WwgBV1+4hyrLFvWmb7N5EVydZrHFPvj/DZ2tC0Q7LvsBuJr3prW2bFMpOUQrpqJ3CoVa6OekvynY/U23UHs2HVSBzUHY3EypqTeYCGYPd46soirZnn7ZD9GmGGrv26VxesH35izK71D9/3tUUs+ooJotdqG2VxZm6sXj4rA2ELIElMheLN2/gN/blgCVWcDx2WCur28bs9MHk8E91uDaW65zCkaVyGF83L3fjy3Cbwk6ZT3DfWpLYtG2NqhkG+AMWteqcQXizuLjAZxdRQfYtNK3dkbLIYAk3FOnMfYNPHEKcwCChSgtqA+Wo1VaggCPL4Dcd2r5rDBw/ojy1wevA/+3AEfgAlHlpCqj6pnChlSexD6uYjSVwvAAfp+/2G1BPSltf4azDf/dobBz9+Y+fRUFV4uhbNmBozRlKskLZYhdTDje30PR1nVyRaV1B/CuxnIDEPQfkCohyf7Www/pgruBJE3l6ZhbxBzsEkiEVKHatLtBkU7xU72KHe5WCafuOtij05QoGuPGpZMwiDkL8/jDsH27usbAZNlRlNLGYvcvOpOHuDo5DkoQdMDrOamy2dge38C4XcJASfrbDc4dcQ0pJ5oUlHwbrx3GQKGCcWRZ0U9R9iYZ7j+V0J5zMgspyTUPh8l8sEfdEl3meMIRVrnRnLEMVT6wSrchbihJONYqSzBxqTYVP6XFPKMU8Blx1+WHczaJk+e4qCWBeZtk5dNkDvpg4WWWVrtldzNmwIR9MNiYcR2/I+3ffzddFIXHIShYbVTw8qY7JxEX8EtWD44/rpSfhzgQN/O8//4X1Z19/9MfFR7/97C9r965LP8D96GaO2dZvmVej++JiQpy2f4fUwGUs5WfAmQKuXENK+yHeRx+GEH9w7Sl6Ez3GZDLqrHiUThKY1g3aaT2dupYAmbwQwmR3felm17C4PG5ehvVrB9vAUOLckWIi4U4NQjN7xFUwDTYPrW4sD4nxlIg3L9IdMnuT7J4k4ijyWlXbQSyqLbOZKeDZRp5P2S457pXnmI9ncspTfEItG1X4IIwFd2fae5wirVWBpOUP15iNpBJ/IBvG1yBHJ3p3XOW/Nk4rM7UuMHYbmSIj8oQN1yinkZMIZq5MZCV1DJClrSwxpUjQR7ry7gf38weKw8YIolRsO41h4tgPKW1FKZHl0rsNJ9KpudXZlIiMIBVMGgeL4EA4OigcaWOpx80NRDzmI2AfkMs6zQLZWvJ6eGcRAwwYP6yka/gCxH08hVe0db9vqBCz+HLPamtcBjUqpisB2kk2clRoMx4uPzorf++cTPTllNMzbyGBQ3LDzZmY55+g9GHFKNFslwnAQJHK3XxczDyJcC4ws7YrHUfExfMIJ8nZKabNn/S27zCHStUGyYT5lPLEMgf2KKtkk/oGK93wzGDI8/PoQs4zpDeSxCTDLmV+EMVH53/79MN/ZXIZ0tVLTBpn40FtDJVbTE3TXvz9CH1ZgHtmitfbFJ/e6HjG3vGUO8NpSL1IDpdHeRrWlH4oJPxJge+chMO3KfxyKCQc3vKx0EklgPs2jyNzUE2UAheNFY0fHe+m8P670vAjGgXVfmqICYYkDc3fkha88w6s4deXR3eVjoPdt2xzWFPzCHPPm0cS9reRkQA/4JXy/9mj1qOhK6H7rG4jRnNA+HtBGZNDxBFAqZptTS1EO1bbGmk94C+Yvtj5iyZLoLEkMOnA4D9iCAxJc+5Uvn2cW7nKn1bCMNi22mgK/jmHt+9Nnsasab9tcvnWKR6oa/CRzAcN496JDe2B7uEHtXWk9uel//CKlwJbBFEQ9SphctSx7RD9wfRBkp4SUC72XYdVHnwSBWwZyOKHB2yiqc5zVPzE/0v7BHvVvJy+WtuKJqkmgNla8JF7unQSRSizDkrEwxWgItmWfBmwLai69rfYfThhPXU8cJ/2+73q+ELie81hNrtkz1rMH/3T0Fg6hpqVqAY3Bl5NPAeEUoJxKM/lCdk81w+7RlojXq6/h2PJAOsRVvaRrFKIvYewxtFffRbUPaH8eaHXx8sj2w7HAM2yVyM1GfLL448ykFg/DBTZe778IcGc9+hVM79lZeIOKfD//wOdNeUQ5RAAAA==",
            text: ##"""
// What an answer brings along: entities that its rows refer to, and those that refer to its rows.
import { idOf, valueAt } from '../json.js';
import { elementTexts } from '../reducer.js';
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
      const text = source.includedText(type, other);
      const place = valueAt(text, pointer);
      for (const one of place ? idsIn(text.slice(place.at, place.end)) : []) found.set(one, [...found.get(one) ?? [], other]);
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
  return element('button', { type: 'button', class: 'chip', tabindex: -1, test: 'included', on: { click: (event) => {
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
            at: "/console/list.js", .script, tag: "\"361428aec3cb35ab8560bf1ee6dd301d\"",
            packed: "H4sIAAAAAAACA4VZZ3/jOM5/n0+BrZLm0crP9Tvn58323ntfMxIccyOTPpFOxpfxdz+AIC1ayeTaxiJBEOWPxp3N4Js1wlZdIdgVKHB753EDfr/FOX32+gbpH87DrfZrWljp3uNQgzJghw4H+tHRcjeoW/pY2QGsQRjsbXOmN1s7eLiD1m73b7o6/P0Gn/o6kteAPW7Q+JrZ9jVse6UN/RnsJW28rYYODrAa7AaKZtbZTfOHK85HvkGAj3FPrP1uMJhTb5VfT8hbu+OrcLP1+6+98lizvJe665AuvSKZa+it6rS5qkmLFj+zXrdYB+t8gKqrYcCNGq6za9za3k6uuVW+XeckONzgMCG6spGtcmv+NagNsl3ZBC2CcmQEdME0Dv3nt6YODvgiEbr8AtZlwn+Dm0sc2NgZZTMbsNu194T5hJz8jSKTZ0w9fwvdWWuN80Hcr/V/EBbwt///f1qePXkSwLPS2HeCHkZK4SJIzmG5G/qyWoJ24NeYdlXXkW6ugSezM3waZJAb5Nh7gd0CSjpcweJ1uDuDRCBbCTZloc1254sa7iJgC4dqaNe0UqhBq9d6dYl9QevvBdZFtO/a9oQcWj6i2YE2JP+/dzjsicqRnnP4y58JWOg8EbLor60iE5IHwJo5Y2qtzBWRlkFS5a4/IcIyqM1SyYm5CN7cqH6HjR/0hsifPQOz63s4VHCgf5wT0wEZxkJ8fnaIJv6aIOaibeFyD5ZMOYyQETuKfeL90Xh1lM4F2a5smQBXnkLplLZOyCurxt6aoMaAwWxz8MMOg7As2OccfrlkitzU7zbmvmcd/TyRjMOzBu3epODrprarU2zPY1yXR21luwi7RTXlw6KJ0b5fK8+wc0ofoXmD4l9Ql5Z+a+84T53gcLUzrdfWAMfUznH8lIQt61U/l/yBXc1WMK3ynG9q4AxgaqGBRSKqMtSqnjeE4IXFAnamw5XmdPXqq+OyMIILWLK8L98FRmXYrg5LIAwWGUaWiSCcqg4v39Et9M9RtAso6pCcN3ZA8GwPjkHJRtBZdGCsl5gM3A9LwtwY1ZKiSRY+xoYSHsvfHfZLMOQORwHO15c+5HTdpbxOEb9R13TBbfCCB443Vwvebwm9GBaVi6DrQDMZMV495Ay+/J3AuAxZSWwuFu7Rg9MdJyXmnlmIdwFYmw89u3PvpISxNiyq6p0VYRISgkRX1iALEU7vth3Zsqwis+RQzTnoJEqaK6RsxKYpKri4iLLIGb0CkbvZ6vYau+BsTQgZF0v6zMn5goVoVCV9WMuLpu2tw/KE+AXhY2yHjXZvW2OwDQiUgyPc0iHmREIuorfKIiRQa5h3SmWica6zoyIECzlMGoiKMJsxxhhJAo8Qapxn5DNZNDGb+ipTmflTQEzsSgySXatYCSkgeWGe0mfiI1k0l5lxCYtoZ/6Y2pmlaaKxdQhHWhHSsMY/Hrdjw4FQhr6FmU8E2Kig7SRI+NyJGExWCTvug+Q7EqTbP7/8g9zaKOf0lQmCk9OYnWiZVD9IcRKYTHFrt5hcKNQP+oOpRqDlXNG1aitsM/gFdY61S/XuhPkUsUIXCknG+xBSjyRu5PomqYPTM/AnguI4lZR1bThR7tFnlU+7d7mt+xFDiWHDODK0NHmKzcOYfoFWmx7NlV+zr8uwHxxdtBI21PoVXJnzrQGzTT6n6I48jVex6JzBE1jaLacst5yHjoS8oz1nLCmMLnafUKoxu3lLWnVceQUopHSGEyjDZszDfIVE7SPZlAk3MZ+eh6Rnd5xfeT1Z0WDFPS77mnFLRmq9i3fxJXIdrFHRJjfuGl1Jwlip+STzJcoyCbr8maNAkPjrkuhNaJxZS2Yo9TaVEdYzcIFShKf11BKyFkm469DXO7sbWpRWsNTkaVT36nlVB4mNqF926JVmcrqMORJZNEzVnD1UXrgEfqHoZPRdbBLzEn6XexMOhLFIey41SOQcI0kWW7shzECWK1lXIQ1+kdrMctbkSd2ujwZgeEcuvd5oRnXqvxN3sgksRNSGfp8nYWPvkrfJbqtMSPJtr5yjYr/ZeeyKY3crJ4qYRfJmHBZ5V15KbaDbMsJL2+3zyzp9c3KXMo7wesJc9J6cGbfZl49sS0Jns+LtOLuUkpRaFRwzF1cdNWQbFwnx8+S9Rr55fUATGk75m1p8Ls4jNYdnSByllp51UpBiJTkp9tILQNg8VFVizA3xHMr7bXDqlB9ok/lwbkUJrsxMaqCw67GQ3DDOrWW0hbhZRl2eT9L0k/TjHFCNnxLFMgrXwc10d7o8VY57vdn9bnBsJ/RKtvM2OOtUcjuX2QQbzlQ5Tykn8aPp0LWDvkQy/6RKJ84yt5fFN2MGBLdr1yw+/b5tBF4HUTC1wDJMSieTZyktM0OyhJCF2yU+lrObP81evuOUQS357JeL5smzl2cNPsU2ZLKf//9XbrbPJnVZDpfJCjFPXFzIi0I1ndrStWUE1Z1kilpGEJnVamiaJjGUrEv4fc40dVrViHAcw05ZcKc1WurDOEeFEi1DjDaSl6SMWBd+KBMmVzFdVv7UNZaGHSwgiVlz0oGcpFJZEvtM6EL/xICV7zEv8w35UkPOfPcGTQg2NGSLkAU5eCQFVP+DWmoKkVP4S8mRLiPLLUJy0ZSyz668O1SCtLPcBpd4pU3qq8QioTILLcRAlfcDWNzzn2zL5CFTIsQk5NC/LZ3HEVapExlfz543XVdVziqAsBRzxA0xVJkUEji86a4dv6uNte08zoFO0BGHMcKo7jms9gwc6U2m2FDu+lPiUlZZ/hAkpJwhgkiJ/L/TGnnMkqGbHxEkls0p1DBwM7GYjD7jbZyvhA/1hmOrKbDNRRl5/hx05dz9Afbdr7CgFYHS2ITWwUYNHSB4kIs62+44k3MiJoHelbxe/SqcHwwCyOJnXJn6qw7JQAhyv8n3Q4glnOYTimjBKeGFIPJKD86/vdb9cYxdkeyuHFUU/X9NA4T8YTEfCTzxQ/UorUiYE0+CKWknmBkbuHDJ8W059HAibY4EJ++b9zwlNFI/w3hIYzYJxLjKJoUVBTl2BXAUwjx7Q0puYP4ispg13oO9w9ALV2P+yl+gU9RlJ+/fmvQF4cHlOnvfLqPe1cnrelqVzFRLHkrXHIDlCreNkE+iyG2PP0EIXliQJvTpX2NPy5ac2MRndsoxubRxtXxAghfYcg+p+EgyzF76y+Izy7mIDvowUaaUSnRjdQv0k9sf0+9BeUZSCe/ELUMZsdj5EWbyBPh6AMfoYSHixPOWtT0qU04jb3I9b9fCmww/doWXO++tyR/JZWVs//kkfcUX7Z573pR6udaTUfkNekzoxdFER2nz1i0+ZaTHsxShqcrde6MTW6V+XbpIdaW0mcsRaW/o4jmkxjtvDpMV5X1HiuDdoZCuKIyRrBb1QeIZmSuLWcGr4d8PzI+gCWNwegGTtZjYKjZDmx/hf5kFyp2e4cU389Zs7KZlhqbUWjGv6Lj9lCOrecIyf72Sn1IcqvtPyXw+ZJvnHSG1vyL2fH/eF7JFkkjitLwfEweHFUqIk4cenmmt4fYuPaLKDC9vgNPjFKAi9dCPzCEOsokilZ0TvEziMUdbzmmKOzn36MtTetWay2H5mDyiPfKc9WCzmrrGyaq4Ml/MX7/+C55ao1SKHQAA",
            text: ##"""
// The page of a system type: a live list with a filter, an order and a drawer for one row.
import { copyAs, copyText, drawer, element, fill, plain, problemCard } from './dom.js';
import { orderKeys, turned } from './path.js';
import { count, emptyState, forbidden, grow, loading, onceNotice, pageHead, remark } from './show.js';
import { watch } from './server.js';
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

/** Shows a list by other parameters. */
const askList = (url, changes) => go(pageHash(withParameters(url, changes), present().own), { replace: true });
/** Orders a list by a column. */
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

/** Whether what rows there are is not known yet. */
const isEmptyYet = ({ ids, state, at }) => !ids.length && (state === 'connecting' || (state === 'reconnecting' && at === undefined));

/**
 * `options`: type, title, columns, empty (a function to nodes), show(row, id, side) (nodes of the
 * drawer, null where it has changed them itself; without it there is none), onopen(id), acts (nodes
 * of the head), copies() (orders to be copied, `[name, text]`), notice (a node above the rows), order (where the address has none), keys, source(url) (instead of a live query),
 * onchange(detail) (rows have changed).
 */
export function listPage(options, place) {
  const { type, title } = options;
  let source = null;
  let coming = null; // the source with more rows, which has none yet
  let limit = pageSize;
  let url = place.url;
  const status = element('span', { class: 'muted', test: 'status' });
  const filter = filterField(() => url);
  const body = element('div', { class: 'answer' });
  const more = element('div');
  const once = element('div');
  const table = new LiveTable({
    caption: title, test: 'rows', onopen: options.onopen, onrender: render,
    onpick: options.show && ((id) => setOwn({ _sel: id === table.picked ? null : id })),
    onsort: (path, isAdded) => sortList(url, path, isAdded),
  });
  const node = element('article', null, pageHead(title, status, grow(), filter, options.acts), options.notice, once, body);

  const side = rowDrawer(table, (text, id, drawer) => {
    if (text !== undefined) return options.show(memberTexts(text), id, drawer);
    drawer.described = undefined;
    return remark('There is no such row now.');
  });

  /** The search that the address is. */
  const searched = () => `/v1/${type}${/\?.*|$/.exec(url)[0]}`;

  const open = () => (options.source ?? watch)(withParameters(searched(),
    { limit, count: true, ...options.order && parameter(url, 'order') === undefined && { order: options.order } }));

  /** Its rows are shown in place of those of another. */
  function take(next) {
    coming?.close();
    coming = null;
    source?.close();
    fill(once);
    source = next;
    source.addEventListener('state', render);
    source.addEventListener('change', ({ detail }) => options.onchange?.(detail ?? {}));
  }

  function begin() {
    take(open());
    filter.value = parameter(url, 'filter') ?? '';
    table.setColumns(options.columns, orderKeys(parameter(url, 'order')));
    table.watch(source);
    render();
  }

  /** Asks for more rows; what is shown stays until they are there. */
  function askMore() {
    if (coming) return;
    limit += pageSize;
    const next = coming = open();
    const arrive = () => {
      if (coming !== next || isEmptyYet(next)) return;
      const [shown, isHeld] = [source.ids.length, more.contains(document.activeElement)];
      coming = null;
      take(next);
      table.watch(source, true);
      render();
      options.onchange?.({});
      if (isHeld && !more.firstChild) table.focus(source.ids[shown]);
    };
    next.addEventListener('state', arrive);
    next.addEventListener('change', arrive);
  }

  function render() {
    const { state, problem } = source;
    const size = source.ids.length;
    status.textContent = state === 'failed' ? '' : statusText(source, size);
    if (source.elsewhere) fill(once, onceNotice(source));
    if (state === 'failed') {
      fill(body, forbidden(problem), problemCard(problem ?? {}, begin));
    } else if (isEmptyYet(source)) {
      if (!table.node.isConnected && !body.querySelector('.loading')) fill(body, loading());
    } else if (!size) {
      fill(body, parameter(url, 'filter') ? emptyState('No row fits the filter.') : options.empty());
    } else if (!table.node.isConnected) {
      fill(body, table.node, more);
    }
    const isCut = source.total > size;
    if (isCut !== Boolean(more.firstChild)) {
      fill(more, isCut && element('button', { type: 'button', test: 'more', on: { click: askMore } }, 'Show more rows'));
    }
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
      coming?.close();
      source.close();
      table.close();
    },
  };
}

"""##),
        BrowserFile(
            at: "/console/main.js", .script, tag: "\"b780edf7117bc569a64b25ee8bf0e4bc\"",
            packed: "H4sIAAAAAAACA5Va6ZLbOJL+76eAox1DsltmufdeOWqq72Mue129Z4VihCIhCV0UoQFAy4oaRfQb7H29wL7C/t9H6SfZ/BKEQEqqLk8fKhJIJPJGZoIXF+K7lRILK9dqKqzUzUR4s5mIW9m2yrqJuFM7+pVtLTwBbuRS0YP0/Cbr2irnREurXflErzfGenEvbtVSt7TI3U1EtVLV3Rsl691ErKT7ztwpmtKtt6buKjURa0kzVlWGNqz8b8x2Ipyyb5Wlv3rZftuGv686L/ZEqFmLrLwIEOX3Lns52LZzuwn9em9okWrUWrV+Iha6acLvbxQhX5mm/hQjm0aCyo01twT6ubQ16ADcYKParI93YclAQvjZeeWIycZU4NV0vKGsPA02Rta6XWKjzkra0MndkIWV2R6hXhoCltap142EaJzynjC44SovvQrLnpDInBfPxKXInWpIeMYW4vLnojZVB9bL33XK7q77qQRDSy8+/BCKZ41PWasT1iLrm/S30qTw+XKeNG/1cuWD6jX9lXekcfHhRSCC8RAdN0+EuMn8bqNcNhHZd/HB48cqWWezCYMwZRj8q/jwu2MQs1FWem1axvBq9GbwI+u1biM0kVHrw/zno7fqBLrbOE97rXn6r4cv3Qms6fytecc0HJ5uT6AGKK7TozsDZ6xiqPhQn8Cslbe64rW/To9rFiTcJ8LJqlKO5z49PMmxGFkwC73sgvBYNscDd6fCbDrnlWXo9NiM4GbJimA/8AIlq5WQYk2O3ajeVBy7garFdqVaoXlkoa3zAvbfJhMKSMQly0hathjVeu3ZOtxGsRTKsoSplWu5yfMbLJmxyeOpAEmN8qLqrKWlhKvtmualoCB3LzbsUgwo9gzWSOfZ/AgwelppVUVL8+LmxUxcifkHz+7PTe3nYiqyDy6Cpb9kdL6zLWF6wW8IdZ+pZYeRhWycYipu1cJYeJq5NfVO3LVm60gwBpHSTYUM1G1N19QEGyQk/FZXKjq7bn8tNZDmJAmeZ/YRtPJnebamyaw4xL48I0HqqoGdQRQTEZbECHC9YgLOh3NoRrpdW4lF11YwFl6dF+KejEQvRP40MlkIq8D+S5oIdJKRKKLyo4/isHZ/KzXkSKNPo4J+9jPRB3J2ixLBjZZdXsKEK0MTtIDEG7Y7oIjbMT1vAuAuL9Lu0DW2T7E0pwDNBl8SzSsGZQ4YsmTrYbYihnvxvSOG94REbmlXaCjPvv7yOxjjxduPs6IkfNUqz1n++f2+YKQBLXMPNkBlQWE9Bzaw+xQPJZtN2ah26VfiCoYUTH5oVBOiwSqmbyq87chq+x2SrPc9GwN5JoaYgH6mTMMAiqN4L7tNTVK/KnOGKaIcpLX6rarD6GM7XwVUjZJveQOW2XgbnoO0LnuPiButNJS/KzedW13DAPJgqlk2iRhYaQ/SwNJ+GqV9YorafcXxJtkd5saEV41xEAHvMQ4fyVQQn0rdUnCslcuTRKPIeufMD863+vjgdxmFSasQ/FojXFet2NWzgpOCtEKy2ldWLQaWIPaHo7QozkshbNwnHHmRXCEG42jGIdXI5+XFs/vEwZ4SivnYokF2gaDFkSF4KYIaGTNJe61ku13pRj2mApZcoOH9pKRdCIK1rklUnk+PrBhlafm9qJVH4kILEnFxhWzdVtmSxRZ4Ofi+VUCXPyDFdAyJy15updmoNqh6EpLksYUcnys0eRKL2cBaU6sUdXqTLMQBrFyYqnM5obPqLaG+rqxpmoHjnzrkPsTwb8yW/MkKGeWgXTh6OaS4lyltr8xaOcpYhfZONQsEeD6qUmiOZ9WTYcRPERYaTAFyQ9ZAjNempV9J6sMGa8KNqDmO66S8JZ8sV1fiHkJ6zFUSL8wGiBsda7V+y57ilfPTw2GxY53DoTi1z0c0WCWdaYuiT8/zm5vsNTggPMwJpz5IflCrZMyR+Ll4gWhGmX4ONsVF4HP+7J7zfh4s9sIsRByh+WI/L2YTQvR5EEeWBAMP6dpaLXSramDmgiHvp4vZrChYsUn+Y6VD/uOQTpLmv5DpMFjS+OjEi6Z3dDz0eTifTDzFR1MZTOdvtV/l2W8p6KRU6QzeVG547RFqIJ9R6Ofxvfjxh38VX1nlVsrPsY6D7q9V23HYDaZGXp0n2/7blYx5IVWJOIMhax8L1pQ88ju2hoCGWWnmBO/OoatayXapal4G5+eZHL8Q7Vk+zpFORvZk32dQn0ZLjS7X1k7IxrS8I+LRCo7lDbMH6qXos+sB9dq9WiyUVTVtepzVstEcMnLx+99H12p0e+eghPwwW7xMppPkOXRbLOJNhiVfozytnoQSj3ce50KwerNV9YRSxR28G9rIGXqQ9DztoWL4T97qNrJld63Ijhz5q1ks6J1lOwVO1BVWy+e1dpKifJ0RDCIfAVkDmAx0w7uZ4lH0FmcPzxMLvxrY8JTyepx/OPnmBzrmS/LiIAqMBop6O86mKWE4ciE8IIdjaxNTDmIjQvfpMCYLQ4UzUuBSEemYyAqEx9O5aJahXmOUVsVD5gNUQwiNXBXRKFGfH8yp4DoJuAiCN78aiyupRG5CzcXiY1hOO75gwljcU3HzXmuzi/6s7jOX1/GtmBxvHhfglJUbXSI5Dos+ff1tVsxCJECPymzQiIhdKfGc/jky9WsWXG/skMzKOJ8VpVfvPJW8nrYNLp3iFwHsUd+xxOl/R6Mo+sT//a84Hg8VX7bnyBX9YmvQM7rTbT088zakmwSFN5oDRXhkBfJgyeL7TYhbc4zQpsDFe7BLYXDIAMcCbFqIk6kwgZUpqeAdfqWdL71ZLhuFg3O9VjjePjOmUfJwRjYki0/9ILpo9+lW7opDZP7blRlWWKE0vUSA05VyPBVbbGyXQVOsdIbtK3Z4BUeY4B/l90a3eRETtWPIIFuu+quVbmqr2rA4YM/D7Dy8PX92jzWl2zSaLGyahUJ9IuLSk8M18jXOa9ZqoMzEMefiCH3w9huiiLbisfKtbDqIYBb9L0flJskmQCs/FrHYm4oXCSVHUOB8ulYQPWHk9kr/DK9AZEFUwatfkUCvSuDDMKwUzw7hOZAHyHkapxDHncecJ8mr8DcrhjYMiUWmyDdom1byS3wio++7FUTXhtsJXSNtRo4TyUX2kBYyXTwOagKLvfMc28h2ZWAf86C4PYXk2CDOC7z1ptgqVYfh/TxaCpsHNn6odOLeWIhAIRlke6Pd0hbiqu8V59m1XrbCdD479JqH8Y0RZJOYbQLiOYDFPkbGPA/UPO3VVkCFJ+QXABltCbSxy/3Ihrp9HpZi21nKkeZDT6FE5X+2oUWLPNjN5kg5uC8XnOSlQGqy1X4V6jpIEetDZepFbSX5tVxKza255CvR0ce+gtT6vLtIjno3sxjKDmHljVp0TtXfGOcDLgFYrv7zmzliMg7fW87B58Pyzig3qO84j7bMBNN/FNfZoKboaHG32oj54PCpTK1SuQFwjlMZTBxp+qhlWmYQduo2jOPjkHZJA9OD1QYyVf2p378XQ2cW8lnkdFuBPb5iyE9gingwlYecVyyB2bSDUm8eeFCNU5GJFPXPqAETzEoCC2xspW0jHw1VJoKvbdhEYEK8TgQLdBxfeVg6mOGQh7T5viS80Sno9ieLLj68EsqLQbXXmm30gaSWn2ogRgbPV65cZhsvjwvY85XrWE5pE5IW8CUhPVjIliKWnBQOEPz4meJUjyGIiinah/slTPWk7SONUaX7E6XCxWT9qm12ZxSLg+G5aRs21CSyPd5SlTyw2JTEe2va5cFt5m8OmNgJeTnYHOMt5+xYWYzCw136GSZR4Iw/0SENbDaqznDizsS0L87RgxLkmKjIaOMNymBjxVr1N1W1pntHPLXCKkTj8rCJ4Mqlv8Qoyr5iGYblN7wisUSUhyZ4nuqi8M+wMfz61XXsDF/8ltdd8NbI109WpBvRfDC7H1h4WMtGfhp8Uk76GV8nnGo56+ezscMmWzzNbgU5FVpFsf2me489tyF7bJIXd+gebrWNGdCODv8vN6ZanSFbYTw7cqBaeimkVUK2nAGJpWr7q8Aff/hvJ3KrWOCoTjUZC0zhlm9eZKu2xVQodIa4DAdXcACeKbPExBfarTXfn421nKhNrTGeGFUcPHYakFIxUCIzDxYdbGLINEaGPH8JcjnhwsWQxdmtHGsm3s/AhiMftdha7VV/SMWSWKIA4UuusyyMM2AS8lqNznWPkeGlGNehPBqK1Ex23hzuZXiC2QvjhagVba1SQyU+fNkofodOCXnJK+PB9Dh4pCsu46KKX07rvB//85/IfHlyPz+GRWn/K3mrGkAy/9MEPK4RUpMqSCjV3IPqyqo1HQN5r92425pWEZhTdMx5q8nYVB66CurdhlTHdVjGOskOle4v1S6Wt0F9XxtY7uAWEdfyYisdxMBNDVzZJ4rxlnMPOV3U8WtZq4XsGv/a8quqkaOGGe2oV7kxjnZKg7LxRAzeiZlay8Ysp2tTS2L99JJlJR2Ebw1EGtZX3jaMICJcKy9pIC3S7VdaNfVhhZeWLK1kkTt/VeaZbjedn5Lj5zeoXS45dNIdPPqrPGBlrc2smAioX1olJyJ85pAVJ0VOnohEnfI50fc84+SpEB/1JJDwollH6pDWp5V4ZXzclvvSVXKjsuMbj5vsy7a/NBfZLN0ZYSGKgAf5lenzFdet19LuJoJlMBEN7DUrjrcCylhcwgU/HhMoMryPHZl4dNngIu5Um5xAXkbjw/iRHSZQ4gNdYV6Crc73oWikramon4jYbeQ6vn9mUlg2kSvGGuw3DODY5sGbP54dzm2+WQ2jL2aPdfsi3H5+nDcF8xiqM20craCIxlreNl2M+QkFeUiJ0klZaCi9TUHGc25AiBt2fVbj5edQ+YxjiK7uTtA9Hd9OKiYL15PF4bb0VmLdg5ykpDdpDh3VBxdcHRasVLMZYh4lzwvTtXDYV7ffq4qvGl5t23xMLuyL8+XYBT25cgZEaAUN2sdAzTGJH0pZ+fy8kfIRGzyovy37IkS2/uaAKWU2xOUoectHd6BZeQEYfEtVFFy1fwPOwzdwD3HEX05coHvm+ygt6/pL0ICDAJlJnm3MhnPYLLS+wi0q8WDEli+BZejCG76zq6ze+OHtBMI63lfnMKP1zHAJ+ZPDsXkKT3TXZou0gp4IdHgGnkKzLaYcKIVP9S5cdeJ0Ry8ePR2C47/0XkuLZfgzTddb3PdOkcelFGLCGG8eyS5CQpMSFHqF9NPB+igH730GX3tUcKmdfto4jUd7UfQkwHJ+kgQABNjS3emfho3HNUv9YdMWJ9fFA5k44mHzuFD4G8l8sGDy3h4SJMHI3RgDXhSP9xKKXYpTWqLtJhtLmfTpNaCIH2vi5eQjIEBGETy4Y6wp0oYpI04xMX2P+ijC0FhMGM9+CGMVPSuLkB0DF0eBb/mOcOcm3ILjRknsvDn5VtXlH/plylgG/lvsSv3ovCfuXLNnJHCUnX/64gVWDz1trBQ2ivBRL17Tp20svmPoSNL/A7rwZXJbLAAA",
            text: ##"""
// The frame: rail, top, banners, keys, and the page that the address names.
import { begin, ask, checkReady, hasToken, introduce, may, reconnectNow, server, signIn, signOut } from './server.js';
import { busy, button, element, fill, fillNew, holdAll, plain, problemCard, refill } from './dom.js';
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
    arrived(place);
    return;
  }
  if (current?.page.leave && await current.page.leave() === false) {
    history.pushState(null, '', current.hash);
    return;
  }
  if (mine !== turn) return;
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
  fillNew($('#who'), `${name}/${hasToken()}/${server.needsToken}`, () => [name && element('a', { href: '#/access' }, plain(name)), hasToken() ? button('Sign out', signOut, { class: 'plain', test: 'sign-out' })
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
  const entry = goes && rail.filter(isOffered).find(([, , letter]) => letter === name);
  if (entry) {
    if (may(entry[3]).allowed) go(entry[0] === 'query' ? lastQuery : `#/${entry[0]}`);
  } else if (name === 'Escape') {
    if (inField) inField.blur();
    else if ($('.drawer')) $('.drawer:last-child [aria-label=Close]').click();
    else if (!current?.page.escape?.()) history.back();
  } else if (name === 'g') {
    isGoing = true;
  } else if (name === '?') {
    help();
  } else {
    const found = Object.hasOwn(current?.page.keys ?? {}, name) && current.page.keys[name];
    if (!found || found.act() === false) return;
  }
  event.preventDefault();
}

const help = async () => (await import('./help.js')).openHelp(rail, current?.page.keys ?? {});

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
$('#help').addEventListener('click', help);
$('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  $('main').focus();
});
$('#strip').addEventListener('click', () => busy($('#strip'), async () => (await import('./help.js')).toggleEvents($('#strip'), $('#events'))));
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
server.addEventListener('access', () => {
  if (current?.page.reenter?.()) return; // It stays, with what is not saved.
  current?.page.close?.();
  current = null;
  show();
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
            at: "/console/merge.js", .script, tag: "\"f6be51cdb846a4ffdb44e0d2ccba84a6\"",
            packed: "H4sIAAAAAAACA4VXzY7bNhC+71PMIYikjVZeoDctNm4a5Bgk6C7Qg+NWtDReK5FIl6TXMRwDfZo+WJ+kHA4talUDzWEjjjl/3/dxRM1m8LhXUG+EfEIDag1KIqC0rT2UsN8I6wzdwVtN2yBshAm7G2gNWPENJay16qG1OdgNgkZj/U8KVuj2KoOyuGr7rdIWjtBjv0JtcjDbrq0RTuydFMXsq1Gy+GqSu7h7tbNWyRywwx6ly7DtRCuj06xR/cRFrIzfKWprflX7HGrVoEsnDu5PrVXXuf970XWPYtXhKJTZqP0kVmseRE/OFreParTX4nfLe69m19dXcA3vQmdgCbSVshsPmHGIPeMZsjvYyQbXrcTGgYsaoSWsQs0FxfnZHrbo9sDxuFWttKhLl1638imHlTA4j8u+lXHpwW+1GQynE7xXcu1Ati7u7OqqVtIz82n1FWsL95BSFxncv4XZ71/M9ZfjrLBorDfDfA5Jkt0Fr8Dap/ULN4l7+Ci26Tlm+GV+3s7rondb0iNID6WwOaBs4OQjLNjo4TSkhzT8ni0zKGGxzCLCH1GTRgPMq0N4yqGVoHx+FnB4tErdgZAgtBYHApk0/Cy6HRbw4Rn1wW4cSmCsOBgXzSKslfYPzMNWaNHDMYDpsYf9hNsVPrkM+9ZuvItGu9PSOOqoociMPyXn5WJJkmRiTDlwtFg6wiryq6hY4jb3kTnpXowPmz9oyv3RlBd8NXeEgxhCk7I2ggN5/vG7F/V6J2vbKgk9wZlSW6yks4AyOF4BMO2c8d7xcHe2xdoHe4fWM+gMFChupWNDgglCzuFCNlIBJTz7LFTX5KB22uTcoVlSov96Lr2uBmFmlBY8hylHImmRIEilD2jTRVEUFLf4hgeTZjm4NWWYWLomLJcZQxFrE9RiaAbehKmQUh7OHptwdOXgQnO1GqmHC53x0SDsGAj/VDyh5aBD1HYNKc+idBQ0gx8/IJgt213eLKMibCt3eNk9bIvNQWAvjGRfDx3UkIZGgdx13VANsC6K7c5sUmEH+wmwMxiyhYnAdb5+DYOFSx9nJxz9uZ+iNokcXaIIuYgjDLNSWJZZSdFYMSXHDLopQ1enGP3q/PfkTFxOklxUK/3OpxyOHrVwuEdHmoKc/NCCz1wUzSI+xU27XtN6hXaPKMHuFUXhwSVkePEW8bgGPbEfyhoNnSclMUiIVBNOMhvjL4UvjMcnPG7QJ/ITJb7N+e3sDw2KejM0UULlfmpdugqERkgIhARSYfiFRdNXqn2WQ8LAJOBCJARYwvNYN6iLC2OHUioTNBZByyHkY10EiCPLGpudU+bEjVI1+N2DkIYAC29y5+3+/lz2nFsvWd/T3EWQTrQsXoZaDgcg4zdV5glmZghGPwk5VwQkD3C4CUnzcSskdrTxNjIS+2NaRADBc3EHVaMkVuCmgfHzPlRFFwcJous8M71o8DLOIfZnSpyOgKaoccaHylxhb95wjXF8r8Wuo7EQLl9psnVdHaHuhDEltde4tVYduoXoUNuEDxW7c70sWGIodstT748xe1rtz3AXf+5QHx5c0toqnSat3O5sWW+w/oZNks0L/w4f5aF7mxzfS/jJKyBet+aw4FtWSqoFjb16dvGW/uyX/pLo3YoO5ZMj4y38dHvrvKpXx9Ht5DYnc3aCf/76u4KS5RBr8X3A/bTVC3qNoFrtUaWbl8MxbCUoc19a3Lfx+0yttgS4y0R7+EKcTsWcZexN8gxF0OMkM/FHws6jrRMr7F7QzDS6XHEXc0K7wgS1B65JNK2imKJ3y+pc1M2ro5fWyT14AE5Vzjex0hfo+BC6FTecuyTIyewSvjpOGztVTmO55zx2vaDty8z/i1yIjmQd++ZvibR65+whQ5UHbR6nlwcHL81k4jOjvxNVVh6BhW/iPgRbVlkRZOryWs3v31Mkt3IV3YTN1EZ8mURkDfrj+4KBQU1JPpWJGXRixCFNfrn82UHjw+D5Vl7Ab//7XddK8uF7eRK0xB9Pafx2Slk7yftRfYuEsyT+MuVLWeYMYwgTvstS4WLx0HR80iJMTloGqpIHaoJmI3eQvKQLeEIVVKWrwaKkaRXGTpoVray7XeMehylA3ybJBzddAxYgERszDN4iAYdtEu4FgZsLSeajuVL6gZoOWTP2Po0J3Oq2F/oQ6TOur5vgQkMzyzmLf7P8C/HacZ+UDwAA",
            text: ##"""
// Two changes of one entity: what only one side has changed is taken from it, the rest is to be chosen.
import { members, splice } from '../json.js';
import { button, element, plain } from './dom.js';
import { absent, actsRow, code, say, scroll, smallTable } from './show.js';
import { isSame, stepTo } from './text.js';

/**
 * A member that both sides have changed; undefined where it is absent.
 * @typedef {{pointer: string, base?: string, mine?: string, theirs?: string}} Conflict
 */

const isObject = (text) => /^\s*\{/.test(text ?? '');
const membersOf = (text) => new Map(isObject(text) ? members(text).map(({ name, at, end }) => [name, text.slice(at, end)]) : []);

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
            at: "/console/metrics.js", .script, tag: "\"68643fd359166fc018b4e35073f8c86c\"",
            packed: "H4sIAAAAAAACA51a6XLjNhL+P0/RrpqE5ERD27mtiXLf932pVBIsQhZjXgEgH+Woav/u732FfYV9gX2UPMl2o9EUJI01U7ubxCTQ3Wh8fQLU8TF8pZ0p53YIpYXSwbWuqgE07XUOH5cXK6MttAtwSw2Vsg5OX4O6bFZO2wEsTFvjDPI5dZ4g3XUDVtVdpW3+oKy71ji4g3nb3b6H1LrStW4cspW0QlepssE/pj3HiQ+UKQZgry5gzWKT/Lho6/wPmzyJRdW1aoqIpjWFNnaHzOhOKxdRdW1V6WKHShXFD17ZASyVZRQGoj8+aFNq+80iEhPmduXYywFcLzVCZGJiba602aE9v/XAzVXnyrbBh6qdI/e8XREwxcooHl+05rwsCo2PS62KsrngB+St2vDeqQv9KY4RlMiIkBpdK4Pi7Ny0BLGtVVXFKi3ba1bowbxtrAPbqQZGcHZC/3sSBlEHjYNps6rPtclg9LY8w2g0ghN4B5KTBIYQBt+CUxrjt9y1H5c3ukj7yZP8FGdfQfrTDIa81fQr5Za5wUchzLJM1r8u0aVIrdRqHCmsV0FevA6fNYuyKd0tqdIiyqSBJZVmf//z3/DwTmhp9ZMTWn/28C5aU+Yfwal+PVvDf/9jZ8i9YQssL8WUCFHWb+8UuWrPJEbbJV3P+h112sx147ZBJfkHEfRw7QO1hhdmItiDqQ0Jrtl/0cMGULdGM2h3IOOXZVMMISHjJkyV5zkRwrrX80KtLnQsrFLnurpHkidOAk0k5M+ValxZbcmxS2U0rXqPLOFJItIgGW3aPbxDROERz61nfrEHx48ewY+lo/BdoS8MAJ0bFCx8zqJcdm1K5yiCMGNQfNKoowkKhxweHQuIKNVZVHf8AGCcGP3nSltnUZfk++gZjRgchLTDyFWWxgnQAYyDJdJkYbRdajddOtdNg6yp+Mg0+MjUk5NUFpNNJgO/+EKVFaofFl+srC68+jTuH+21Nk9TxzrlVs+hj+1wz9pOXetURXJ6xjtom+p2iEq8enNDM6/hnwmse90qlNzMb2nqx7LW4NqgD420C1iqauGVxeezM3ghhikENSompn4+pIj1JH9tA9QA/h8BZ2f7UFMtKdm0H8hjDOsBLK1rjZ6yAIFyR26M0mYkIHMYDya/byP9Ova2mcer0PtzriE7IJZnrlOpCxL7ZXmlgZ6fd4kKGabIcK/+zmhVe9B/4EfvPBeY7Do/2na6SfraOKZ8E4kP7NNAJeLIQ2JKUWQjNjz1etQas6D36q/6J+QsC00RKhVblu9MO9fWToViyuxTIoudq1t5x/r2p4BX22jcicEMJ9UgdiyRimwCVx+hmPo1VjtdUIg6NLYdUoGJAhP7Kc4YH2o7N2WHtg0ASvaj1Fir5hYcpUF8vIVzvY+tqEGM00XRCyFQ76he7NDV6kbI6tY6Iivt++2KcrozKw1rUXHVReb+KbxAn+3285kwHIhCIZmKmB6yfjk2yKTvLBRKKGAEjb6GH7RLOfXni0q5r1SXpuMB8P9tuzK4xQnVK3npyXbqF6y5qtEzdSdROYN3YCykWO75cT09X80vtZtNYCjTE+x/pKj9oE3JTbfi2oS840bVGl2nLRtne5QnsydIxk6Bpm2tBlWhp+GzcrBUGLFodF/qFqtmTlEOCEuRhh1lcPcAcMStTLO/Sx7wexuj7aUflvFJjn5HBklj5QJk6RFT5VRT4K+/IHrNy2ZerQptU+LLMnjxRUjDvMfwaAtD4mbRuW1rTehfqWqlCYXvtdWO8edBz9usqgq5ZB6RxV0C5LXqnqrseBxW9w3HAIii3937bVtp1WT5H8iRJpBkJDpRVZVs7BH4xSxkyvWDDeaFUdfYsqcMoT9cMfTsltSWU7/L07IwO6OI9IoehTcUL7y+D9bETEJiT463GJ49AoJfDFuW9avy+z6gaKVoRBrwSBPXdjDifhXzQooew7ph2veQnW5Ib5AwVY495fR1bO3wDzyGFIHBPzRz7M8mWdxwb/hvkT9SNH3lDLleeR3F8PJoqNNB0PaYFLtHTlU2mkQxOiTLWwWg0tQoftNpMstCVVYTk4TKDprKyVrrSISs0SnjYBQIRpF3Kod9P2+YtkpHmQSGlCZ4ZRr4kkaSr5L1w7sbAmyNZ5vbsPN1TOjpltgpJesZqwr9BlgFH1SJzMlGcIaH1uLgicdnvQHJaKu5PUaTSuJ8Lm8Tl7rbiVSJyx5AmVAUq5MnUU66ukgT/A+1p9xK4jYtan2ZIOalvn6/vcGREzgBcqNXTyj5K1Oqx0t/ek5wkgpRAusBC+vQQSJp3A74Zq8gpE/glbP8tU9RGLJkAw8N77Xe3ucA2H+fLnXGofz44Z1y8AK8vp6RfO9v4mwoPhsEcFn4IYGJJ2QtZ1/13vDyz6+c0XGIE46cZ3RVkVc7feMlysVLmrhiS6Y/KjE2nvbJJmM5dV7p1PHxStIWHah0nLgkfqKcGkNDhELqfZa86BmZ6NmJyPtnr4GybiNUufTxafZOzgzvvOPp48iNoDAeiqRQTj3mDaKz0D4QjoiMrWDnbafJCu01vouRL/Ut7Bka1uFqK1S3gbdHyoqGLVDE/v2Pf2HQMqZ+NgvuBszAgOWVbi7cEhmYUPIbpVemyDIYsjRZ6hCnunkqp8T8Pk7eEbbDjy6VyGnkFivFlOU9ZT2kfMYdJx8MotvCGW8vhlYr8kcCJEbc9GPjhMIZRdKfSiNGfac5YQciiMXd7jXavK02RlOOClns+iSD8nHPTtl4a8erxqcAT50EX6F+bW9H521x22vPhF5PihOJUerwPrrS5jbcNIKyoIAoBtSdU2uqfV031kWXFMuSjmxU+O6JSgSAr/3SZ9qOwt06fGUN7H3GRFpWUqxHFrPpOFFkiL4ljPoqTv+x+0+I8T6IqKKEBSa50YiK1el+Wdj3jcMRCutwsUpJMhOkdjP4Xoqi8SiZYPdSpGnbMLb4N1ccwSg0zikcdJ7pnVwKHQb4ub5YNaDQnhTnQrCVmrJ7MwKTM3WIziwLZ4RKU29v5RRlgUU8geNj/0BR6OCyQZeNetC5MoUkahddm/F60Yknyu9kLJTeY12UV0nUPpVNo82BeX+7GE9rp8pK7pqGdJxtLy4qjeh4jFddoZzG5/VWDrarulZm4zXJD8FtswGrEC3ZtMXWklbT7rfDmZDYxIA/YeErVwJ+k0LQX75LzPn4SWfYhRF26xl5F4HEV66cDpgmbpbkZFXHZ8fg2/yCccKz/Mqnkn4Tc9yU7F4YUGFIJhn7hhh5g2Ds13VpLe4BRmJjKbG7uhz1n0FSUeuQznEd5hCD0fbxMqYo7ceU0iItNGVBEh4douX8J9fLdDiUHCQV7S14ORa8VBxzcoDiY+J9PSnN3d+RBo3JmDl3kDAS/GR5ClnZAg8xE7leTk6EgnLrlNN7vBTlYQQjXSCh0U43RRjt9/OOdH1UprkC8Ur0/Sxlt9uR/zacEGD8HchnYK9udP1C09vJYxROOLTej/56SBmNu4GeKffnkh/pOx9/1IKi1dZnGacp3zy8Ez34DIHOma1zqfggG6W1j7Y1jrSlxbnsyR3+HG1lfSdBlTHcDgVvyJNe+tFh8UfBK/YX/Lp1S6QlPOBc6wZqrSwuXACKmGtwotDhNWP5vQnGu2d+FiE9Kv7JBoe67ImsJO5AQvuM0G0ltGtlQnPynnwRCnuSCjSkvYjxrnHKOmUcblRdqLLBfWWRZ/mcOuAgoNs/xlVCwr9LO/I03aVebZrJOx8bg5CdYO37IH3jP4n2qYtWSuPi40y7QngO1Bf+dAGjA61bvXI6SvbMgVhFUqgckBCf+jlJ0xBRHCiDuwWFhG6MLOHOwiWJEgoh4dBjBkP5mJtm0XLkOdTnRQ0K653TKe2DtnH8LRE7Nf7wm24vO5DGDoOQPRkD1PdDQjg+mZADylVBuYD0iDaZowIOHcJ6BDyZVzSLUs7hLYkftQZS3s1db3ZoF8ycSZ3av2rwaMAofMFPFX2h2ELCmdvwBCALECywRi51rUoHymJsf/LRj5SGjrlWcc9BxVwbS43He/O57sgjiPc4/BRBdV1VzhW543H4WcJLf9iWYit4jKAVFM1L+0HVWl1kwdWFpv9pQUryB+HiWUQwmsG/ZdCbPQ1va0A15ktIgxoUF8+5uthz2yciCz5Vi+gXB7ImfRBh8MCpS3Smrd9q9FTBOqKTTyhp6Es4CzB0pNSuTv2W5ecTaWJ03TpN9koxhUWG3y5a9Ep8e3Il6e9jJIuJQpKc+uI93ES4Mq6c75yduHv1YS6/vEgFISTkEEWQekQ92JzGfZocQkSOdwfeEef4H/nQndAvZUDRtJo76Yr55zNpODGNk/nKVMlAfgqTjvdcfZJNJtxDhzgTSXQThoyEx7A3mH9FLTkt/w8ynWi4DyQAAA==",
            text: ##"""
// Metrics: is it well, now. Figures of the last 15 minutes, from this tab's own samples.
import { copyAs, element, fill, plain, problemCard, svg } from './dom.js';
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
      fill(trouble, forbidden(problem, 'Metrics take'), problemCard(problem, () => reading.again()));
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
            at: "/console/operation.js", .script, tag: "\"eeb191cf584eba34d09dc7f736073565\"",
            packed: "H4sIAAAAAAACA4xVV5brNgz9n1UgVfI7OnLy+3rvvfyk0xZs8Y1E6pDQlPTVZGFZSS5J65kjp00xReAC9wKgqeWSXhgmO7BToq25TK09JS3kRZnGV3TaKqGG17phT2plR4HXkxsNnICQtBx34aH33J2wr490P1gn9BNxxz0bectnAnzP/Ypd3NAvtHG2p6Kul46bcc2ufu+LK/vQtR3Ob/lqSlHRRnddFaSau1p1dlvR0CltsDi7AuiOck1FjgNun37Z2P4gc99DOnK5ht3tUcSaLCBa/SxGbfnFpqKtkrgmDNZRkC2aBiVtFVrxhM/h8aJk9MHhT7Ws2xebjAIoo812zuGPkXHl2Z0wOq8QlcVEs5uHAG3WQK+Uq1DYaASLG/sVJDRjGipap9YCw1afsMHi7GlFLasGGsCIBM+t6JBmQJ0PWcU+9spBj1fn+OhV6L3oHhhxHOShBbk6nJuZNj/w+i2wOQqmeWcbFqW7h8qje3I+8DuXTy+0kWcRT1HGW4WRZzjBfoc7Wl66RG9bJpTpyW5IUfSShLOsHByxQmMlNZmby8RnaBFJPJqrc9Lwa5PGXNOl5dG6U97T65ARGDaNp3sn4WQrt2WIOiKKUukaFWtrDK8FzYUaQi4P69ffhudPIgO2hk/pmRrKBfRS5C11s0BxjmV0Blq1rxO63nJ0XqFfAtZjFypbRFIisHmhFW+sA3seGAgpGT5o69C7InPMBcXUdY+HMngWdO06fR3PTZl9e5OvokI3BZaw+3axyNLuaq7rOi/kmM99uUAj9rrT9IH9idgIuzCLKUO90R1MJYqPOj5KRdat8sEE4o43cjnSJNfEcBCZq5jCY5UTovwpztyx8uEWLAr6BQQQGqW2ymz/TdlFYfT55zvLNDr66NpuMkHCP7AHRvola2Kj/RDOZzxoZRjQndGL7dO+SKqK6sN3KCRAOI4JDkpqb2cBwXqN4mAj2TMlLdjPyi8rQudgTzXlgg4nDlimHqOfbpdnvljQjRv0Bch3rG40d2w39sZfIP76iKDVqJ4vx5OD+akVd9i8Hg122t/X29HBu1GdZ/qlygO8KCfc3JIs7k2yHcZWFC6ky1S+xzgjebi7ysdvXjyvB+U8J8dixpHVtCd5a+3x/2GIT3QNky7M2HUF3aDiz9//KOhyuJ3L52No5g6+nCaTurO/qy/AFgcCd++bTN2LyTLXs383/WfZ1umtNnnSZJjBlAj3g+S9uTWZZlDHfuwuIF8nyxwYX1k5zJ4eYNg56zLMy/S+L/5tBKNpeKMNN3+1ap1LjuM4+FV0UVKN25t+TezNOeddl6taY7Pb2nFLfaY8fa5eP9f9vyc7fPgggTp5c5gZSyRIAiAIfACV/fhjdmJjsCsKHybKma/adcjOQUNFLS2kvAa7ziSYb4iK6k4ATadxosrWCkk0VFzumxW2UqGKWDa2mM6ap0PFyR7bGdNYbCLq6bUA4DhHnENXd1vRxIXMlv39zgfSAR8v4IJjB73rQap0/SiecZG/sW0jrKOAglwtMvRmV0uIP+TLJf3c03Z9kCGKFQoZ6ZblluRLuy2W5XKWCXlvRCMaNpLiNbcf6VXf6DalJH6geV7Tqfz8Y0HzzAueTp9w7Jb+Muy5+OTJGTs5htIM5uozDzatBDTUsbC05VItDYtm5/x5QGDm65FQVloyxNAkwGICZQttLJfi1R+6Q4/bFuEaO1vtJRYI36tc1v6oEtCinlfhSydI/PI8B6dQ3DaA5r2o2P15td0L5N+urf92Exp0v9mG2M9RXcnRsP5qfV13Nr5qDuxHWxcwBY6HGfb6Kgjihc8XHFPHEIE8t1v5Yb4Qn9U3N4ijdwqkpVd0upH2/dO42tWyJ8gLjmqpgxm+HlbiBgR17iEENamTcx/YrT7Z+3VV26eq8WHChdoOLI28SN/F3+/YDZ7Ko2Y0eBRwGMXDSMbz3/9kPY1yTCJVJKm0NSVLJBLipsXZ6sHmhWz74FJEc92u3W7Djp4FG6RTxIeyRhsT1Poi/lXIgwM5djU+jZrOXfasRoKjsI/+4HndCZBvJIB/uTvAl8buLRiY6UYUn/qoOr5erbPHnICuc7MXPAtvmrTdVPtYWzOnmV9u21bA3xNhV+yZtHoMLefJ3cf1qV2Rx6BiKJZRpI3IIILkg2NzAREdfOTmFaHBKZuZO4fggCdZzhyloA4oETz/02otzt+lcM7Qe9W22p03bRNyg4BujK+ZJnNXKsTk0n0LDe9jUbVYLUipdVDSrdk76T6s+piQJ9visw5Nqdd7Q5UtAz55+oPobh5EO3WIBTehHPDpQhZXZ7fUQ8Vnw54LhNdRvx8FIzyKQYNqvgvCzCoULyxeO/t++YJkjcU2dLIEhwkZX+dd+2F7CyuMoZDAhD/zH1oRI8fxyEtYiuo2O4Qul5NA5xb+rbndYM8EtIpG3Sj3OyQKyLM1HRra/7UPotzHPF+FUHkfc0BmN/DYhXcxKWSfp5SFGGB1w1JI/l4XdUfovnDmQQw8fVnvYufWiX7EyUaitgw0FG0A4OdwdIlBN/Xq2W8apCEhowDzGDoD24XjbsLKhEp1w1ZvbNq1JC31eh0EHqmHde0IItK0ARKCLz9y6/q5HlT0CCc+ZOHuRrTVWEmh1frEpWJnadYSwIyxYpb4LXlRaFJD9wwYb1cSb5cIdrnOjBjEwgueOD+ekM7jF6dUu3QNPOgqePB19NVXwhvWOrvEYvlSjwZkV7kw4Vwd0sfVtebPugS6uDy0L7BGPP2+C0Ve7erqTFNs4Kt2WwvTmIhSj2Zyjkbt9Hsxd61q6Hg8Vn/qJ9EvPtFVrE7CqjtF/s1GgYEX7G6lQZjPy3QvJsPEAqOQ+D7MEpsZ75sPetPVWqbbmdgIhrs00JiocRtGEvHw++kaqpMippeoCpa5Cu/Wrf0kfZPTYkGwPG2WUJ5ytw3qK8aVGTbXUTE0wqGijL79KjS2lPS8+DCTWmols2/CTiYnLriuRNr2sm+HDrBLHIViDkDA5yJMZErRtMrEpopgEIUq8W2iNSAADR0PSXfdPhd+rkPV3G7qbRAWtaalQknnLig6MJ1rV0DGAd/IpEmj5SrowYaDpURSPckIXR9amyKBfTyksg/hu4qHZuU+G8sUjeU6+l99maEBURZzw/dzOj5RraVNx6kzYwLDzs/xYu3OCP2UtiG+DqtlKllR3VZ1h1pqkb/z1pdiBAgIZT/gmK20rloY0i59uBaYC9XLqKbck1oORTmhpDKZ1n6n2qK+VkGcQkFy1nj0H9+fL3AUZRz3qpBALGwfWTA9V6AZH0PwixnANULBjGnt0ffQpqu2CJOTal2/dSolTz6ziREagL1hN4kHfj1Au8BUZ0QLx4vTEM1nJz5jWbnAEK+1SQuSJLZ60q4Q8y+QWBldZudWoS4kSsP+m7a/p1gjA4KA9WW9oiuAOc0FfDwYitKFT1XaPh7NIZbjnYEnnG4M/KLvxWgXVMGD3zS9awRH6Ta9EZmWVJkf1pITx9zYOh2s/zKU7bahueo2D08sPZtQAVUmattU1BsyuljDdwDiaKINr6UvvHXIBxW5YGM1ue+fKssjwU+Yr1ml041htwIxhFVVY86hc4V953NlN35TCyrMX8i1+OrRRQ12I9OLhf7t73c+LqmZYOIznRjyEXQ74ajY8EXoYFzrQLRgjNhrPDctW/LjUzkJsbAMZPbPy5SC+ni5/P+gOSgYjq0ZxybGjjd3leDbimitQvetxJlgBSoOjLrPVsMeBYabvUI8c3k4DLikq56FiU+hU1YKugs8KpUVNdhArE/26P6VcyWwgGOxYOz1SRV7qhkoRg6L7WSuMFuEfjz6DD5W+ebip0OMzsfw71dfhW12ejeBbRGptWdA3ylBHd9BlH5MylHZ0cn8bmZc8YNTr1Dr4pQKRfx8w/L9jQu5VvlOUV1/6yABOzDhtUlNWgJzuy00WYWHL2ErdJ5Z3K82fg+sDjOjZ6XxKWklb630ym+tfR2ae+/g0MDiXO/5ToUjF+YntJI9MsWVCdK6d0/HwXJNKEsO9gr+6vhhq1gULxo1v7pZV3ZroODdsHkPxGShpcX14cZW67Wlr4OtwDKoLPgsPm5B0dPbZMXPOQZ9+skXwCCWtGqywXLoXZI7nj3FKAxgbPXarOyZ0BCziq+cpUtFnTDRHjks+/Rey+WzHkPOFBcyrKecjqnAl6+o90MYll6G4fa4QIXlC73Xzlgi1bsvUw2dcH/tPeGyJ+qxeLlMlM1dGekbl8L43d9E8ZbV9cm9ZZWTj3X8Ai/62AhlrWTDsK9FdYpl/PZhXEvdhO369QOeUKjBTmpyWW/BWd5X64eHMRte+LPUcmIoHtbeYVKLYiPNjhWhr4VLtDv6uqnG0AsTaLSqrvqRHOqy9X55JPOfV7v2qJj1tS7IOqnbuw6Nw6+aNWqd1SFlgJqi3QhomLQLhBFhT3XwgkE67SLhJJH1xePFiOu3bUt5gyMDErX5ftvFRLqvTpVuNwk/oNVOj+Vo6S9p005lZv7z8MU+jyimw6TO5uDlRPd49a/8JDmtH7Cf4cI/1igG8viT05TO02kCgCBpuBXUnruDmd6LgZ9FrA4FQhZLctojFBOLm5xKva1+kJejpG46gIjMPZFVqBa5PvgpHpwd26kr3nyMJ2V3Gkm8aqIT+6tPP5I+JSjP1a2PC/02uWeQgNy9cabB9PiCtw8O+HjhwzXNKRZ2gZiLiieOb/lrkF8yo2cExcIjuMaURRqAZ9lPu/qfX3PpixJt8OOpAeAYJkyvVYmYWMSyW1WJT2gE5hTfegf+mHGhQdm1j7oKc+Onw+6yj2f+2Qhm6y+t8TlbVkVeHDzgZts3bizLLHrl2+dpxU+Ch+Qwg7tfBQaGCL+kDPa2eGk5j1thGjz06cu97CXW6QV9ibITlmwUWChxU0c+9nrURCa4ep0eD+KzEU0G9a4AxQvHrF5WG1V0iLaNuG/kfqSNXPuIy4P/AQt/Ju3EKAAA",
            text: ##"""
// One operation: how it stands, what decides about its runs, and the runs themselves.
import { elementTexts, memberTexts } from '../reducer.js';
import { copyAs, element, fill, openDialog, plain, problemCard, refill } from './dom.js';
import { command, orderButton } from './orders.js';
import { ageOf, gateOf, orders, outcomeOf, path, runKeys, statusOf, switchOf } from './running.js';
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
  return openDialog({ title: `Run ${given(row, 'id')}`, test: 'run', actions: [['Close', () => undefined, 'primary']],
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
        fill(place, problemCard(problem, () => read(null)));
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
    fill(once, onceNotice(query));
    const text = query.text(id);
    const isGone = text === undefined;
    const before = given(row, 'evaluated');
    body.hidden = acts.hidden = isGone;
    if (isGone) {
      shown.delete(state);
      fill(state, absence(query, 'There is no such operation now. It is shown here as soon as it is there.'));
      return;
    }
    row = memberTexts(text);
    if (given(row, 'evaluated') < before) generation++;
    put(state, ['status', 'isLoading', 'valueUpdatedAt', 'active', 'configured'], () => statusOf(row));
    put(acts, ['kind', 'active'], () => [
      orderButton('Run', ['POST', path(id, 'run')], { test: 'run-button', class: 'primary', at: notice }),
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
            at: "/console/orders.js", .script, tag: "\"c3cf676c88e56a1cdc53009d3813ac71\"",
            packed: "H4sIAAAAAAACA21W53rbOg/+n6tAJ6V8ivJfefzl6d57bzESFLORyJSk6/qkvvcDkKbl+LjNIrFfvAB9eAgvbIvWVSAb78BPpQdpEYxGsPhrhs4DymZawi04mXlvNHjsewdz1lQeHOrWFSB1G40bqeEEoTHnCttyTw3nxnq4IGO3KOhad8oOtxpfAPY4oKY/OtX3BUxN3xZwbs0J3d+RtoUldNYMIMrD1gzlTyeORnfSnZGJdG/NGeoCBknOHdrfaDfM4sWW5XkvG9xU8tJj1Nk73N+HD9MFSA2yHZRWzlvpjRUOTIApYKONh1P1G3X0MUWLR6BnfV8RBLhgnRLquVUeXV0FpKKgNaAcOHJI0MD+4R7+4aQYFedJb/GcPE8gi6b0Vyd7hzlM/g9ZSDvLSzPXJdWdiR/WiBz+/l2r37wJq4KVe42yfaH7RQ7HjE0mgo7ISwoCVbwKFcarfFX7G24m1F8G9FPD3ZB+WsBv2c/wW11wEfEA0sHjNy+ebxcR6cAl7HTBlXDnsh1CmEwmMNMtdkpjC8fj33sAFRPItIsqRnXeKn2qukUWTHNY5ql5gb+UyzAwI12oZ84douSVo4CnyLQBCZ6Z858C4vVDgg8t1xHBT0TLGE8BBw/h6q0ZlWDVP9Iroyu4jdKSxfX7r++9eXjv7Y+3L57ce35VQAVCpOTeEnxODozemOMR1FxZDcoFfLlAMB3IEWnlWcgd9Jcz7ma64fDJ127UiwAdTHZjl8PFHqxq/zUzHkP7PP7xofRaXL/gQ2kxMPBW32dXxdUCroqvX4W4mi9FfUQOLPqZ1VA3M9vDwUe4fhFTWZL5iGiW0zlms9VtwVDVcHDw0xlN1jGVjHXzZb0cb3rTBMhLAv9UafhfqDVfUhbLCPNdg6v1JOEMF0w4B52xBQXs0e0e5SOQ0EnVzywy2DItImh4EymqTJsW6030pVvoZuyB9B6Hc5+xXgFzY88K2B7kEWqew8lq5LOoljOOvAujCxbSTKc1mYlzUcAFNL10rgIxl1YLWAa1PJiqDjI+pF6s4WWht4sQHZJUzqXyIc0sWC+BcG2mkK0Kj8luJrS5m5NWjAw7Qy5XDdmD/fHxoD6A1LEFRP3VExPYbzQWQOJBnmE48eDqyH6Kjc7x1qxXT0harMpxg7HlKCdI7hEy6aAeX5o6L6D25KqGU/RxyqR2c7R0Lzl2WhEjBZyXvDky7B2SW6daBOXzgqOkzQ5OLtKLGZc6uVEEoQ8FaJPab7GbOeQ5Lvd2TG8E43bAJ+vlCfZFenpDw2MhBXAJBUifaFVAWZbSe6sIW3SwhAlcLDdJNsgWxyXmF+douuQ6TKBIOQg4TgLSrtLf+dHalzbsa2Rj7GegJDuuYLzZSquAUBT7Co98ZFPMamsCCrhlrVyUyoXfWUoDjtOKW1+lzZrykw2VFGcyug44xKlYQcjTdCXyfmRHEuZpbthlcmo018wmEUweleT0Cgl32URqrc0cUtKsGnW4icdlFpXi4PEPhqSUbXuPVpF/qpxHjTYTTa+aM5Gw4o9Ql8DLpIfj9eJhZshmTQ9GiI5ZTv82NjTbr1flLXBzRVNfXf44B8qtRzNT7oXO653Pjjenpz0mzrLiBnNHCjAlU/xLZGcL3v3Mv4p+dZ1YO8iuhMDML2t65ldMlTSEtEoeNFNsaO5FBW/CkxYTTdKQE8libtuUzBmBfwFKG6/I/AoAAA==",
            text: ##"""
// Orders: acts that are one request each. A button tells what it sends, and that can be copied.
import { busy, confirmAct, element, fill, hold, problemCard } from './dom.js';
import { ask, hasToken, may, server } from './server.js';
import { place } from './state.js';

/** Why an administrator's orders are not given from here; null: they are. `writes`: what they do is stored. */
export const whyNot = (writes = false) => (place().own.has('_ro') || (writes && server.isReadOnly) ? may('write').why : may('admin').why);

/** Sends `[method, path, value]`, the value as JSON. */
export const send = ([method, path, value]) => ask(method, path, value === undefined ? undefined
  : { body: JSON.stringify(value) });

/** What a command sends where this page has a token. */
export const tokenHeader = () => (hasToken() ? ' -H "Authorization: Bearer $FRESHET_TOKEN"' : '');

/** The same as a command; `body` is the JSON of a value as it is written. */
export function command([method, path, value], body = JSON.stringify(value)) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  return `curl -X ${method}${tokenHeader()}${body === undefined ? '' : ` --json ${quoted(body)}`} ${quoted(location.origin + path)}`;
}

/** Does what a key asks for, unless orders are not given; a failure is a problem card in `node`. */
export async function attempt(node, work, writes = false) {
  const why = whyNot(writes);
  fill(node, why && element('p', { class: 'warn' }, why));
  if (why) return undefined;
  try {
    return await work();
  } catch (problem) {
    fill(node, problemCard(problem));
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
  const node = element('button', { type: 'button', ...attributes }, label);
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
            at: "/console/outbox.js", .script, tag: "\"df423b3f2a5c81b4b10d0547a636a0b2\"",
            packed: "H4sIAAAAAAACA2xW15LbvA6+91PgnL/Im1Hsye1m0nvvvZkWIYuJRHpIaL3e8u4/QFo2t68K+OFDIQBqOoVXPc3d4T6sGkXgqEEfoFEHCGskIActKm9LUFZvIDUYAouoAyhYMtzZych0S+cJjsHoVzWcQu1dB8VkMv0ty79DcX0H6bCbo3+PhxRypEfdV+jPgStna+O7OxWV/Lxc3wnpzuoswRY7tPxQm7ZN15e4KmHZKmP55t2cEfeU19uX58b+KcGjYHfmp9p15ywzgNA/NNiycmDZcxOIn0hRH8R8pt3y0jl1RYTdMnrddcoyh/Ma/d2eyFmmQaszgrgWzlFE4TNchwy4VNSctxQ4IDcP6A+whJWiquFbg7KXmWZc9+d1Wc1WrDZX1qJnb1tXMV3lNMq1txKB77s55127iq8S1fodKWJArSoKfHN+brRGjmthDuLNO96GBpU2dlGC0SntrdsIrCNT4R2Pil1fknFWtbxFaoGPWYef2t6LxGOnPCsyXWIIal0CmQ756lHi5SzlUTZudS5GjaRM+1gFTgtaMrT+4Jl64cSgVx0SeuYx1LweXkPOKKGeo3zOUb5XXE4ZjuQ94UZctYFAqgJuQDE9uDb95WKf8WJa+2OsDrxocQUv1HL87VsR0EpyihKKlfK2+FHCt0I7iyJZOKeTxONvrAi1SOdqI9SodoIfe4OVgJXkVgx9GwHjYt8K8KU8wNr1/PL/GOKNG4kFnIdBsLX1f1axvfRtVHbUsKdgB5IJexH5V8pQ5P9gNXouxnXOv0wR5iaGqJMF7qo7sW/4Vl60ZwL0A+/WJOunZDyQh9yc5O6srV7mFepNQFcvWmhUgEgo4y+a+DHkEi15qRzO5djoPbhxc1dN42LYX6n1bfpbZfFVLQpcv1Fj9vcxP04WSOOC1kss9k6nmSgRsnCWWWXJWZLUTePYaiIsYcNVxvE7vkC3N3g0DMHEdxzbfBhpcBrJv2VzcpzWj4Fr21iNfExcvca4rcq//8IM/j5Ob6ezba4qZd8ipyvzOivSoQx+TIyt2l5jOBOLsGEhPo/kfIqTEa7yz9BXfqA2esP8+tW798zM2R12idc4tRHJbjHTlSvwSc4vE2RgooY51s4jKAtRRxaiF9Av02koQa5DdvRRgzKQHKE8WimWCVyZjurexjaDWnlcYdummI9HAMnhbzEkmXTolSB/SENeEnMJuXALL/Y4hIGsxZpYfbsIN27wjBG/DrCAW1C8b3BTNikCSGsaGvSM2L8EoQIYSU2C7GwRHoqt6F2yk3rq5CST5W0l9p/Qro2ug7PtGri5xI3Keb35gFg4DJOCDQHs51zDxBGm2ftdwoXRY92zGVafcNFJHk4v8ifmGTMn7tmAzLeP0dYRkGs3/kxScVSqQ2gVoZczLWoEFg3JYrXAjyK3Ey77LAWppGP8wAlgpLPMG2RUsa3Vfm6+Y1n8xjIEqm23diZxdwrpfmAs9d5K8xlqcZ+r/JFhlX4Z4UVWTVwqEkWx+e65ZDDsCWS6Q1w+JiLsFg+9uO8lqIr2YbBawOn10WlspKEnJUXivvR1bCKDQRxRw5jZzBdnEVRNmBLq+OJj36iwthVsu8f917rV7TZyHN1XmV0vMD2fR2MtPucilGVhYStxAmM3sAP4giEiihxRg6VIhkNqrSgD+CoPkLu8QB7MT5I6dabYNRxyZSWxsRDZv9XV9XOqunjzlQynzSH2gbuvpl6TCMpEJK86Pgs6apsWsoB0vHr8/ffv3ha1ULWYVTcPuq4aVlurmqpfhGrpUcK8hMmGzxYzJ3tXfy3l469OT8/az+f8RoJsmccEGDdpZOgY7g/mJaS/vYRB6oKKMFcEadBSZZMfGz0A3dGXIrBCRHPVMmHgPO8N0GjtW+bVXbUZgKykgckUsoxwhd6VeNO6mJeL2eaWvXLsYrWtb0NRFG7InYCQAPxOPyAfbDmyxC833oST19lFQSowqpF/1U0SlGKqxNeX317+8TKFj3hBxkQsH/pS3ZckJ9K8PC+dyjyiRJFmO6GMmNyOFzP4VZlPuwDgK2Dz55/+WVORsTjsntwUJFL+rku1fGojqnWrprW2m50orvYVgvhYWuL+uINWccEVCNRsucBlnO6krHUJ4w289QhUYn576JCZcEHyg5xR9wjjDQ9k3+OWItLtPZHJsESHruEiGdrnPPFecpQM6FHxJSsmiB9CaJVJRYEE8YJfDD8//TxPPj/9tfPepnnEAVkmbBTjYgpJ6hLlxKefniXi1McLtQJq1a/LEp6zFjXQgU1mAqUswCwh3jih34/zIvlQ8s4oSuPFQ3InXr64UsOaqQWT/eFYoIwOVkA859s7xcrhuhQ02IILIeQxWYgKD8xN56IS1+Vcvn/ffq/q31Sz7VqG3IzndWkiShtcTfehH9ch9uNWihig8ohfZOKfNeRx3Dfzt1ZddJOUu+YshoiGDoGp5OICypMz7gARh0Zx2AIuPsu5GdSXUTbIvhMlTRUQljVU4RrRIpx1AwdDqqBD5H66i9tCjMFCakiZG2T2lxinkaUcxx0Gilx/t2vbG0xH5kZesuHoBRGgH+L68GlXatBcr2G0R0ob/teOmDfW5MnZrLdld2o3CnLz30q7jD90HDsAbDTI5ycYAA2YbqpFOQU0Ab5A8BzUN0r0W5eck2V7RHhn6mj4A5tTL+G6oYm2TUyz5xAV45KnKZusSxHWaYc1P6wrYdjiOGcsxxBgSUELuCCfuboFCF9793P9oOIBhAm8z9CBIm72iy6mvDM8CXCoyGYiPrNOvpXptervJ6oP50zOhCdQQTccf+m8PiQwp9hZdOxAQh8SmIdqpYwO/RMzIpZ6kFbDROvtZLNcK0WlpIPMF8GNFnqGYjydXt4LCd+2Q4I53DwJ3llwTm+voYAOt5qY7lGxLu9LXHdGDFJN3TrR9MGhnPvcYXDrQBhDRCzeIlLFVU4lUVJNOyGWMS0bjWxmExcxNoBDzjOBWyItcCIRsDxQRG6XclOKZkDwmRN0+P6FF6X3EhUsVFoSEysXLTurT6pJqQaO6cs2gn6JaPolaHjpg2nTRWfW/XVoX2QLrf4QMABY2PGOWyZfHOKYTAJWHMQTKm8oSvMlrjN59ILTNp4lDXywgX7LUIUhtDsnKswT4cwuBFgwNTPKWy4hnqDM+cCAmNe5qtV4oZ4KqgjdudsyZ0bPJc4YGzYnhCxXere21vVy+uDXmlb3qesGoPDd10jpcjMo6CCJLbeaFaX+9bbGOgD50g8yq8n7gdch6nHyKWMObbkuZ+KTtus5BVGdpYAQsXAkSm6o9pRqSpLaF1OWSPuM1RwOjN0kDFSBnOUKJJsezpaHnTe0DaPX5ULtz3Q9/pCDSmlb8SxcgVQUN8vJtkaTDUJKXQYhoQ2z/UY4xfGWa8dB82Sv39/TYjnt3jllyQGUq7bppOW53PMuKx3aw6dJylgvy/Xm85ZgrJ4rXzPD8vVyu54oQ7fzuTXyms6VfYTc5aJNhbyWqEwNsY2VE6mGmPi3NwqPb7Z2qxlGtJw5E7Ctgedjvpq8SekyeOVJS96FqZpv/KW+B/sAbYdXj/jYZBqYyjfRyCYDio6qOeiRo80Em1ReMqfnhjxlfY9iKFtFqh3LK6nLzVcE6aEF64bU8/hYEo5QlXWWIjdIAjt0u2Am3t0R271FVkVLzu0EMQCJ8TdckhC72MjJ4kiXMboRlSqnmkoL/V7ZZgHRXcwYQGPDzMBSfIJqZ+ZKkDsfpbeg+UnOOR9bHaWDcyHtbpYRtlluxvPkS79LfMX46Oku4seBTkcL/uK7n6ar2gNeoB6KpcQGjUR6hwWfooaEmaGPQIq6JAx371N2IItuO0+Ee51Y+rGxhaPpzUaWW+Txe/d1Yc9cIbMxLzCGx5bb5KNWOH4m9x6BcHYlHqysNa7iGOQJzS+aXO+8oomwyyDSstOgqXjkPI9gIbNq6q9tBlvEVefRl3uVZaOXN9/UAAY4H4/MTpBwakKHbYYQ5gyNhXz2Nn1TwVy5F8LgTD7CkXrPN/uAVPtT7yX4XnnMnfuUonvwDbx087TxNac2b4rPwXlrn9t5bB0vshSwkZs6890Vcs4cAtORaV6lqr+RfQHN4CMhMNyvaEN9D3w51TCvqsBjAwPXLip58nVZ36IT1HtmcBsP/pGPAUk///0fyaaPaJHDhuKqDNW2zhOA9Wa5Rac/gU9WtGet95IQ1TTNcs7tZDXYRHhpBJCtsoW9cDJ2EHwNYqwV3w02tu7kI/BBVqwm89KjRriiNsERX6dD+o4giM/cQYim6GT2rp1T6HKKa05iLcOKbZlj1Y+eov8qShzPZutyJm1Ctvpb0rdd7Ufz5oGfE8+RPiTkcOcQPe2EvQ52ZrSKecMTPUfsblGHtbwI3NaIrRl8ZAXPBQa9Lx/IH4XTyxs00MoymZ8yUORIwxbqdDkt3uiqc5eoVdgFAMq2k+UNIqjpeDM+UdYMuHlOC4/aApeDVYzYKNsEWbaP7ZaglnlMDaU22ZV7hJSvocye6bOH+StN2trTh57HHjP16SNXqJnhGB/WlZBusYRIazU+0fxHKtTs1mdiVBYSn2hH1ezuSbu5NPDChFmHSPX5+J9/+tfT9FpW+ZkU2zb7NNttTSGF63hfsBQn29WhY7QusNnh9Kr+Dhl8Q+pMOUOa+I44bhP8Z9qrCzEal+lt3UxIOQQCE2SOUwW3uHQ46GhEPAUeq/qydUkvjkEAqBGNBnIjD5B1ul5KuCF9j7jmwh9FFx6zadcpCOt6KLNCzkF1AKPR2EVlNGqAZW038tfGjojB2k7QEmuFAseRWubmiHP614JqqwSX0L7Taji+WYodtwdbGUorxQfTtxyCNXzRWmdg8obiqE9y4ifX4mnPr5fyebXd1LEKANsWpsNa8eRF4fAhvll+kE35vIXcY4IEuk+NmID2Qz8TDQN29+P5FpL1cbzbu0/cobtL/Cn2kgUxacXR5IN808BcPBYOg+9M2TGbNVbfzyoHE9+xkH8PGnnbFFM55vSAcytkykbMYx2msguMcsHplzTRzD25JQ4Luouw4oTh6cjhwttlDcHtOS2Pxs5JuyHXbo0DoZMd7pyWI7lwGbxB4oCXH95FK+juJbmxGBJsflrus5n0mKMuygHzEdIKee+uURdRoNjssn0qbJvs5dCYUnCP9zIvetWhfB0pa+QDw5GEfpR9MNdqmpOGwzqNfPlseWs8dPvo6jhVyDAf/DDx9pUM4BKjEHv9NSRFfcNSyIUVRdEeXCT/s1SaLNFvetAhiG1tgimL3nviJ6JmVDxZdyYLSuHhga6aV4+f/emi+L+/vfqsKH8sJ6o7wlBYNspXyBBNDulQ011pZ9DvwcbIlCzTqrwZfZwbeegN1s+T/5mIded46J1DuNM9iC0Bm2vVscFflImt30uY+50s5HZa+53skG4b3mA3MQ1ikJW2lYnnqBH2aCxDQJlVhTHrbBWyhh+5B9+v43t0rughs/WaSOzXpbj60lNs7P5f0dwn0UOhXk1Dp/oLV8GzHHt27x/NDidnmMJl+rQgiUJLUWk+gTDLdEt90dn+SBFgHSp/bR2fYuQIm+VVlgTxr20BYtlFKvdSA94fwQHCHeG1R81SzlAwV/A8ytDvMga2ZGPP8+8WJXnF9/mYSWAmOnRrgv6yLWWkhU2ex9kvzitYhV77oJ0n9ORCsXrkWkWq5uuLpSdTnAl/dUt84NjUco51OqKFBYSFzBxOW1g8hh0Khb9vNZXcRiwGaqFEncwzKxg9yO3Vz+wVsHGePokubJrHJCihK6v7eKneQ5LPlnZQiilqfYf3UZl4gsUZg0oZbYK4R68XSo7l3Vkte1A6c61yNAiZ1NvJLUWKxXjVRsQlFnwifYy2WP4rxhojcIDZEm/LRZqZrPZOTgpNGf2TmCcfo9nCq+x5f49KFhSBfpGGH2XZy72B9gTv7ugFZSVeDL//0mRDv9oOsF0a+uXM2klxc92utNmVun3h+tmC0ufjT9qv+xVwVB5/pidTGhQaE0PO8hBTEt2nsN78SURgMX4ei11yLXGF9Y/1AD5t1te7PGYFEpdvUgtwK+mRQXLgic1TBnedNJZr6LbDjw92r8pQfaFnJuMg0ybgRPWQYS/EXn2Y7IDY+SIhfPdVQd2UDhQ277p1MM6nE+KrGEVHVtLBrEOmOspRzeEfyBv4JEZq+QEIeSVZ9IfnpDSYzqAMHPPKx/a3/EPay1B4AnLDA4O9WvBmj3Nm+/gLmjAcuqImu+YjpeCEllbZ9PxCpZGxaJj+oIAYKng71jhXE/JT5h/6lcJ+xI6M6WpZLTZ+mdLa3DKOPNefeVrEAvlVdhFwzXXwa59IiO/Nk9ckxhVYMWPndx1bp9/V11TZzt36K26OaiG/2v4Y7h+rkIa9CbFqCRdzheJFmJOjY5qrkSfTDGHPXGJj0aj7qqboxKuyNg753VRoXQp1k4cTiaxS5qYp8rZNrO4yx4KzD2NtVu/ZrKDd0mFihGzVbm82kv9M/q1aQ1Pv9gSPQi/kzpm9P/ygb1o3kZe6tPeMLyQdKi6zpzYuPaAQcbf/zzphuymmYRFQGNI3YlD9bxDw2wPPZFriNKNLqOqYSmwTSZlbqdrYDwj8EkhdfeSHH71fd7xRaoRMjS6w44JpME9BuQLemjCho/YtQhsCGXoAntaDTjKYqJO/KTRAZeDwcEg/+Pg7CiUhZnPp406UtO7jCn9s6LxgfG1R96DeKiNYtPeW47id/sDSDVdcSpSvmjZX3aTDU7HvoRgWDc+JYp8dvO6yZnoF38skrc9Lh/pkAV6et35plGYXhRYR/UcpEO8D86MpDvQ+I7PBMFd0fz+yHTA+VQIspIWcV9PDkSUjD7buob2Lo3Fk+aP+WLMNPlbMDqr70n350XZmss+/VBsms3EaTf4bct9xqjA9AAA=",
            text: ##"""
// Outbox: what others have yet to learn, and what of it needs a person.
import { idOf } from '../json.js';
import { memberTexts } from '../reducer.js';
import { confirmAct, copyAs, copyText, element, fill, fillNew, plain, problemCard, problemLink, refill } from './dom.js';
import { filterField, sortList, statusText } from './list.js';
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
  return { title: ['Give up the ', operation, ' of ', plain(given(row, 'type')), ' / ', plain(idOf(row.get('entity'))), '?'], text, act: 'Give up' };
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
  if (order === 'DELETE' && !await confirmAct({ title: ['Give up all dead entries of ', plain(code), '?'], text: `${plural(ids.length, 'change')} of this service’s entities stay as they are here; their remotes are not told.`, act: 'Give up', count: ids.length })) return;
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
  const more = element('button', { type: 'button', hidden: true, test: `${name}-more`, on: { click: () => {
    limit += 500;
    begin(url);
  } } }, 'Show more rows');
  const table = new LiveTable({ caption: title, test: name, onopen: (id) => go(detailHash('outbox', id)), onrender: draw,
    onpick: (id) => table.focus(id),
    onsort: (path, isAdded) => sortList(url, path, isAdded) });
  const node = element('section', { test: `section-${name}` }, heading(title, ' ', size), body, table.node, more);
  let source = null;
  let limit = name === 'ended' ? 100 : 500;
  let url;

  function begin(next) {
    url = next;
    const user = parameter(url, 'filter');
    source?.close();
    source = watch(withParameters(list, { filter: user ? `(${user}) and (${own})` : own, order: parameter(url, 'order') ?? order, limit, count: true }));
    source.addEventListener('state', draw);
    table.setColumns(columns(behind), orderKeys(parameter(url, 'order')));
    table.watch(source);
    draw();
  }

  function draw() {
    const rows = source.ids.length;
    size.textContent = source.state === 'failed' || (source.state === 'connecting' && !rows) ? '' : statusText(source, rows);
    table.node.hidden = !rows || source.state === 'failed';
    more.hidden = !(source.total > rows);
    const kind = source.state === 'failed' ? 'failed' : rows ? 'rows' : source.state;
    fillNew(body, `${kind} ${parameter(url, 'filter') ?? ''}`, () => (kind === 'failed' ? [forbidden(source.problem), problemCard(source.problem ?? {}, () => begin(url))]
      : kind === 'connecting' ? loading() : kind !== 'rows' && remark(parameter(url, 'filter') ? 'Nothing here passes the filter.' : nothing)));
    onchange();
  }
  return { name, node, table, begin, get source() { return source; }, close() {
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
      return fill(state, absence(query, 'There is no such entry now: it was given up, or it has ended and was forgotten.'));
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
            at: "/console/polled.js", .script, tag: "\"ade1ebadf6b8497980bdb3b6e03de6a7\"",
            packed: "H4sIAAAAAAACA5VWd5PrKAz/P59CV413GO+7fpc313vvvUUxSsyFQAbwZjN5+e4HBpx2dauj9pN+SMK3t/AmbHBJsO2MI1jIZW/JAVoCSygAlyh1UEpFID1IB45IT4Gw7eAFcBxQBysPRrcxCOlo1po1OZhju2omcr0x1sM+CDe7Nx0f/n9D954DKVqT9jzAKsVhY808SN5GK+AAC2vWUDW3wqybP1z18DTQeo361MZYQdZdminTrkJsY+dSCNIcltZsOSiDQuolH+r+gFBwsLRGuzoJ6DqzvQiH7syA7B3ZZDK5vbmBdww5mG2NXc1GOlAXAmcbstKIGawd4MKTjSx16IC0IMEzwb4LvzgvLDdwczuh+wF/0evWS6PB0obQswjEIUWFV+GFBw8e1LCfACjyIHoKMt0r9TBLpHurd7sgXKBydJS+rYwjcSpHt9PtCJfSZyk0gFwAy6EePRrda7Dke6ujO0CrCO03ck2m9yxkUifxmIG3PSURblF6iJWwbHSVZsZ8bMz06afhMWHaPvZN0w3nWud6HfkCO2Rd6BliH8Jva7TzA7PBOtT06muwT+GvIuayH8IhOo9qFOLdu/DwiXSeNFlW3Ukn51JJv2s71Euq+AAQMccgE8gEBbic2fKE/chuMSiyAMyhjY+F+1GVKfxHsseELa3NHf2PnA+x4sPQ0hO4gZnZxDZwsyl46RVx6K3igK13wLQR5MAshr7tCEXNQRsvW+IgLG4Zarcly2FuxK4GFqfcReMk4LCiXdoHkhwLBmmMax6R+41AT2yjsKWgQm2Co4U7SdsCGee3buD7Dj1s0aWFpTCescedgzk5KQiwLJZm8lcDtTFKkfgixGL7qyLPCzrPmOcc4RCPqLSXt6YPYPBq2W6sEvKuiuRmi1j8pZoP+wqdm0IV9UHgyfnyCQ7j2mJ1XcY31vumv5h0T/dFdIS0NPjCq2V9pClPM5Day9tdfipO6fTg1Tyn6Fasev/db6qBniGJMp45/OvNX28EOGb6DnpqtNmy0Z/tU8oHeDUjjqrYLyzzWYTXjZU1B2jRtx2wfNg17P9HhmkNpDTrBJxjX6dycqUUMA7VN5106Sb1uCJX1Wf32WiYOc/5NHlFxJaHU6rinkuXEpsN/R2CxztJxwcchu7J/XDBsZz0oZnVhYo4x2drZxDHcZ0e2w6tl62is9YT5FGq2G7j5cjySCxtPLU0FSdzPnIS6cplZI+htul5qckgTtE0wsY/CuekAnZ8LQB01QAxzTyldwYWu5nDzz9XbWi9ipc3APbzsSF/rX/l0DRNms3Xm+D/+uvw86+/1rGa3RWS7yj32xliasbHXk0TFI+hvK6wqOFQvZmcYtiIF2uBQ6or7ywdDEv7FeHrTRKXhsonM27yHCLt/CNpw8egSVv5T8eHAzOuCQAA",
            text: ##"""
// A page whose figures are read again while it is seen: each 5 s, and at once when it comes back.
import { copyAs, copyText, element, fill, problemCard } from './dom.js';
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
      fill(trouble, forbidden(problem, 'This page takes'), problemCard(problem, () => reading.again()),
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
            at: "/console/query.js", .script, tag: "\"e0feca3dc6474386d8132f653b7e34b1\"",
            packed: "H4sIAAAAAAACA5RX13LjOg++z1Nwq5QZ/fa9Pdt7770yImzzD0XqkFQUT8bvfgBIihglp+0mKiTw4UMVM5+LNw347ULIcFgIaZVoZSw3Im4A30ILfibe4/MfDYSonRU6CCkCSI9CH94+X9JFRDiOhVhpE8ETCD6CUSjpYQ9NxI0HECvnqyDcSujYW9rISHhh41oGpgW23OO3rjGqpyF4C4UqV4GNsz1d1c5HcSIqqA7Av0cKQezEyrtKZLPZ3INqSqT//5AtR2F2s5LbovNzVJgH8EfnxA8abRT4RIxXLpAL2wKvMTpbiNLZlfbVnTLSc729E7r7ew6T0kEeGCgEGCBXOHCmu76EthAbZ1QhXA32vpbGrQtRG6kt3rxDxeqe9LjvgRQSZspVE1a19LKCCP4hpyOR7fIzEVdQGtSgNL9aFULb0jQK1D1nmsqO7y8RM4yv75qqkh69tw7zY9f3GQVUYm0QndhzXoF/BlsEq2XckM3YeHtGlTamKSxjeOtaDLe0FjzetxE4wgro2lBIoarj9l2UEZfWnqS1eq4tJt/g9W6fKOOkQsoYbFvCSxd1CcRlDY9BKgp746WhUKOHqIo4HUagAoq6Arx6gIQv1fK5sBKz19ITLRt13D6WYTM8f/AGGTrMOnjoWEZgq8SJd5kQqYwJ5ZIoQcggag+Bq8gj566wAsRXreV7RPcCstzWHVar4+b1gBJS4hSrCXP0976XLZmj7SZQASc6Roc4UXmuj+A9sUjEIr1P5F5ZCrVcrz2s0XAgHcrexrkAXcUFzlxT81bg6q/BRw2BKsVDCTa+lhbSHuhHFtvag2MyRt0YIreTuCFyjtu+uHFTWGi74fca49uvoxZWbwjjhjjZE+JK482S7sE1vgTEsY0xSzGfnx1iJGIpRlOBllr1gDxGSecs3XUUG7x1lEExvFbAdiz1GKJ8+0EYiesFz8fKhYg+A05liw/ah0haZRe31DoDYdqpukh1SzOZwhyA2cIxz5ZBhZbazfYsf9SxPU3ydI0ptlydJK2Gdr8xHQCszeM+UP1NnSeoQ9sHTYf7EEqvDxhoJU3o4iCNSblwcweqS4SkuLIzTdxDWU6zb8rofJ9MTp3gr8aMCCASb/DLMtnT0fzlJqX+dA+fky0dsMvEjdHALETpY/iEPZZnv7L91Ab3xA0qurFH8o4gcpc1Td2F+P3ARk15psBdPTlF3v2mbjZQMs5CXBoJ0KBwNaByrhUVds+b1miF9j1YBR4leD9ngaGWr1/v0a5sJM3VgCsJ55l1CtDSPWctmgclbvUGqOLvcFUg7CJZfMezIt9n0x3rwfR5oaIPgbO1Lg/ZiYKrluWHAInEKSoRllgOm/3Ay0/ELzS3EFqJ3f6wuxstBOeJCekWQoc7SkEaMRkO8/6rtOi/RPnpxM1Pq6EQGctk6N8Eakc/Sda5ocWNcZDmY2ALkXfHJnKY5BImqm+GqcQZbD6J5OnSIWyp+YegzWaz0RxvDqHI5tkCh7CRBxSurDu4ZYWQk0wNh52VKylXYyxtqm6hvUD3SintJ68j4NpQUVdQNIWBFAaUjhOckT2uYteISze6aUCISZmfE0xs3AcD8YwhD5U7gosodzt/C7dNkehQR8n9L7SHg2BqJSbviVWstLcInlgvz1mX4Yzx/rw5VmuibFJlQ7ycpzl+YSiiW68N0KhKE1anELVswoW6vJGqtakafVBIrv+kXAxgweRZ/3EaA7BLir2plYz9d5uOYQ1wK+zoW9DPiSU/933StUV/GpB1begrlxpdu7wD9obPy7MjaRrMjddVnnTeKID6/RE+z7StG6reE8HnB3QTpfA9k17L/7HrGS6+O/3DCfcihHgqSNN/aFxsVeVamuhwhOjdJBR61b9TK4sbWFIZfi1oDnXu5H+2cmXbjRtH+z5PAa8AbAgzcu6oyPS+77utwzPEDCGNxhQpk9QsoXGOnyaPkO0yj+InSVV9KFRXA4TX/08yVC/V1dXVtTfyE7KEGi+B1IE5VVcm24u3NkkGJZuKgjyZTpM0heE4MQ3HFlq1uqgnEF494YnpE1ki+fFHMH0sFVvn8DT2T7IMwLcerLa6M2D2hRUvW+MfWcrcmhYH2ZhOR2nO01OPFTNtH+Qn4PEee3tw3BLDgyzpAfxMmn/+6R8eqIoeJlgestGC974xbsG4aK1HJGdhL+oy5EjaAip6Hc70N0Mp+tjqrVVY74rR3kcZxvpbl0tPDNj4DHsWoAgHIrwyW7rl7sZc3ZB5YTvFjGinV+tN3QMSDlBfc2glhaxjjpil4xVW4gY6TBeXD90aIp4+IrtobBCkWzTC7RcjdMP6t6KjomqxqS4IiokCFRMiEJ6CRCBRWH2xIQDn9UYuakeIbZbyCW3TPCefia0aNYww83oj/75Rn1c3y52aE9gDbD9B9wN29XCZaCPkjqQFAMhqkEaMKTHRRsmgOxCxQBRtmBg9dE+C3UQQsRApTQA4uz3LW9YDj2XaXGBAuaxXF7v77fKNO1R/WNWGDnlZ83FA8iaK/ER+FfK/y7p6WGsD44LfSWOaTYMFmWiqrBOUeRGyfWHMW3g2FR+XL6aGNbJIvBU96VR0F/PNVj8Wo8rTGF/bmMV0A3bNX1dz4pAlEQDiviMay4BMtIlLPowN3HWHDJo8LrYzkSHsMj5Z3VO/pXpUsd+Is+fAgnL8A2bvEv4+uzChSgt0l9rkfyeB5cjCEx0mzsObQo1NQlmb69BAytRkta29SNOwad8S+FR7jJeSjgc6mBw56stInpOkb7/5BdPTmSR2GK9uv08LGAbBTkmd0mRD3lsJck2s66DgggJnLEKFzrONMF6aFpHgLEIZaXbbrVs+2HxE/yftL7yQ0Ia2Er5KKMxQb8x42JbJC7dokLMVkr1ZdS7m5XiDgonnYq/wARfsMLXzmUYnwIkh0GBvP3LAGs78h9V11obgsrykdt4NxBlPcyGBWw+Pb7EcJoga0+MxBYMTftzUYs5OEpl5vbwk4k/TnCScyEPFPO5ThVFT2ETCyFlIexc3zjgeuasu2RB/9WBUf5Iwql98+8mbU6h9iusQ+8zfIoehflxdXS9rjk4gqBgIvWa6vLy63J2+dHtOSNm5OludFnuLI1Ya6AFlQTELwYjP1EFW3YUZgXokYGTqECgAZaPTYjWAoUSzLiJ3ScEOitGI95PrOLnw1PLrwj8Yq509oMFIDcy5sRf1jsZSD8muqR5okeYlbOjstfWa9M8qL6+IwyyGLJa5BnbLFrAdAXcLNxsXCoVyDRrUF6SmAn7hIS4gpCNpjTYOq8MteCNh1yzei9zuNO8FQNRVQ4eeJHts5rABL3/JQHo9hmBHCwpHsGRq/eQ3IafsFFUa5smAQ0cgNVLOl6/vmJS088xURxfhHHCrZKg5UkMulKMGx4anZFCR2eyJiphrDEmEU8ueN6sFJXw4+DXlm7usqEusjySTYbkPzZZpAqnmVuGUl25aDUhTdLnx1aZGVg2D9ZQMgB4UCexXk+2T7a6+EldRBPT6hhxs2wyEC8LMkjEIjljj6ertIZzodG8kvSG3EQmeCBOxfykSs0dqgosF0IHfZbVYvMl2Jpu09YqWE08jdvKgCBYZJoGpR0BgOMNQAZs0B6EV7ZBfhMrGD8MMIgAYa+rA31oXWj3xjk2EhB2rkh3nqvczkHEsOY1Pp6L3uB0zJknAV0mj+vp1xOo1P0JR+oKYmKx05gZ2N3d1m+C9W3Natl5whjihiD+SBqrV5aS9ZGBSLNimWO8qzv54Uhhvo5Ug2gZWCExoyPsSiSduATB31bg5a0dyhok8EVpY3Yzkby1M0Xk5D/YCo+SAOjbKYKHsnBNmCPobMGqyyHKT5HZBdDqnG6vWi78SebTCGM8qfxkLfbjesIQ6zFR2zl/zAdNOaf0rCRXVSEhpxmhXfV9vuRm6j5D2OTM95+EroufeY309TDoT7RFnC/0I8PCR9LugnhVw4njHCWdHv6jHT4sEjZdB7pT5qPwgS/W5dlAvcL4RoWFj/OqqXpiP3bP3up6FRL6dHS6e97aWEKIOcwpNogCIQg2h8wOnRT8nuJJmS0tJs5P9otj5SQhmQzqAPr6/b2OM2Q2NZwR3pufEKkQUYwa0+zt/SHTqnWxbAcsjHLDfU/F0H4+Jc2sHmfapMbq2hQnMpnq+OrarWtCgtJlUneCKCeaFXZCNqRdbPYAz8n5w56ZlzXFlNjWmxJbiF2XaJddUu2CcZiyOoe7oRz7LR01IlzlE+/AGGuf5qcxQ4cpyhIUKPHu+08mWBJBkoKFAeDR7inUrYRBKeIaM6o1amj0TyA7GpaSp1dnIpWkBZizfpQFI7YDqUJ2j6iKWPz4Drsax9Qd5doRBXLVO4ACc9LgxzuB6HdSzfUNt49d2sF050Miclk6HeaIxzlBlb6aJu4zOCFCvtpO9pTYQa+4bZ1k50c3In6XbVXVNfLg72q3XR4SpKMKU/7iqVk+O+EJSGt61sU4Z7NjUJK5uqmXXObPoa4tUyf5bruwFS0q3452A+dudET8hJ1vn4/41c+zBWfRG/EggKH1HFWge/HYKyqshFwM2NaTHHQhHUx59idgXZ8FI3Wq92aw322nJ9znLgjI2tXgga6xddqR+F9MYw7wxl+cDmk7XbLEYj53oYO8oxEfgLS9nOvkwlxpIGuS6IIxVRmfeEPfVGk7cSIkUCrN6fVZexf1kuekqLJHCJT66EWdvOCUIYsKfvZ0bFAiyXw1GRgPK8W0HRyzvQzsupZdnmSmGtgCCGJIOggu7YLLaWuV2SUebkf18fKwOiy9m2R/wUL2LgRbVJz4m9Q7Sw4EVdLcmzbRwlQDeB7F7gOk0wl1BMapfv0/M6+wVz2IGZJAF+tevV4N3YGIcMRrkvn4jbzc9m6WMcry0K+/rA3SRe3eePWRc+VJkj41UMg1RIxquKkrXUoDj5nDojL/JTVlfJvB2ldi93ndb3ZqNyhIV84Mms3fRYDt1polGuS1agxY1qqzAjtc0Z9wjF/vkCn7EI9chgQ7Sptdqcv/ZEx+5Nd5yGZx/2qERi3Rt75UuO9NOmYtjEVl7nWFsKlZi/eXh38TbZALcl9K1NDXaR7iddAbtcrum+WSTgMj3Kc2YPLihpZb1OWgNwaY87USbruus0JeT25504PaIQXd31wsqvkFMESRVAWi86o+VI/9h5vQ6TKRzp+Wr+7fJqrCpImHdVjyDE8MSoLLNMBSJN8WtnOFrMo1IJUuR9HQ832kJqPEKF4bfgcc9EN5Hv1/DV7doVUteDFa6/UIJRj4Di41GuXk9SfB1ZeAIfPL+A1s/z0tCecVG0oMtpXEaCxTyeJ80yoXGUmtGInBX87nKtJKIVJXciZA1sUQXE+oFe2pJvlUcA2QxgRJmLVAm3oKo4cNCda9KDudrtv6ld8JMQ6vLMGgPeKZ3crAFawr+pds5rEgtjWUnN3gv4m6+UEYGMhX2TZpLzWSWz1oYXVUq/4Bqu0TMwSGvpj/GB1kw5/tg6z4G5ErcHW6OY8TaMRHLf4XdQQXMr/TRHHTLVZ3x9sT7lzXkl0LULJUR5SkZFO9+JhECG9WVPHML3n1M2tcf2Rm3zfJCKwXlPmMqkoYXN5t6AuqfKvWniKsmE7P0BVEbpWfkRcteyDhJsjsF83GRgEP0jUdmLzXsvskgjNSkvaOJ3zuv4t/QuCPV4mF/FKRLluLTb+9fXm8lsQZCupCuyviAodpjK+xVzXjtskHzMV9/3e02g+smyh54wSV2AnS0yM5H9GP9SK+8AU32v559NzWnhp3B/ut4TSMNIbAz9nSKhEs+Cs0asLRLmhkzuMVnijCW753amTftXz0Xj7OnXUZSdgEAlpcfwdNWUFPBaFqKAz4RXEWdW9Cpc4EyE37M2xg7Td5d0TKsWSfkoOU0WSJOL/J2HU3UBve1SF7oytKmxeQ0psn8xWf3/LNJeJ4ywZwWTFsGjGp19q4CTBbQyJV/5JMFKBTgDRdmaqcaOXvxK8ta2nUI7ywgTKcGAAu4dwOch59gKO0eP0R01SuO3Hz52buvr6nuaMU1eOWDNcklK2ptwtoYrcjSQingY7VFcSgWZ+WJnv7803+Sz3C32HAcMkY0+aPzwQr46wh/dYbKCH58g4+wygiOyrQBivw37v/PP/13AEHjbi2yETYHlzeEW7SDF4HzLyPLABjVSFLpA6eEMxySi9oKYH37dGmC7PKKi7+5Vd+hPuHuR9VWKgOQP1cZZr7avvVvIUEKcQkfAQozfr14lTbmRR1pG4kD+HSApi5gQojrkA73Ldf3qmXqqkHri00F5Q6poQ0ySN+QRjGs9z7/+CMCu6FLcnn+JDsTtGzFooMabErM74Etzma5HrbBwUvMkbwMGVR3K/qXy/+rjZTDYXBamGtBGK5XF9SCfOb8DTpJ9UiRMOaAaLhIUybzvFDCUbQCaKcSP7n7JEnxKjT7XPaeBePYeE/LJJ2pHkcf2JNhgMF3GwKCp55ZMKKbHIWeeSasFm130VuY1+qgKNEDAnbE0b4R8pBDtUNWxOjDF5UtAObzMJPOdYLASwEHGHVNTCpFMXwS6y3RWWDQ0pV1oUp2Cl5bru9mzkmFIFUT3Lq8wc0VnAxPHVKLdvzqiBwcCTR4JaEhCtgqXCVJwbSCFaS+q0PYIsDOWdz1D5ZmqHZduVaZ5mfHzj4gq2AntrOXodPgAa1muAP1XCSBos9bwV3wsswcc/732T39bzMvesJZwZjuxoPozFW7KptHARVW7VJavChoBbx3zpRIWiCQN+001vejd7xeMc9Go1pq81LP7pHgkYa8gf7QjGK1E56bB9vHwQhbYLpraroROscdxQ5mlpxIXFQHFZ4m//sX3Q3SPVlY3jKnZqJG19QweOJPL2JdeTehxss1tzr5pPKSjkzFJR7z+X4IGyDi5YwOyGez4YcvbO68uiPJRiq5zlBezJWoWxEbTuSpTrHyh/7Ll18PMw7K5f6OMREb1k/VkyyVauk0iOX2wms8jyQbyypXYK3fScja/oIBH3pg46Mafc7Bq5skZiAqbpWztUc5UY6GOZSYn0OrRSKBpq0rSv5a5e9CnnfyHiqZw9JrO5G3z4g3bPH2vpPYT5JHlpo++ODTAiTSM2wHJ2f4QEGWfkF0oclq6XCUzfJMFI0heaUfQoi8Wndz1jBaLjlcjlDtJWsptDAevYrEMKbSjVJBFoJe0gSWj71ADI9HsABxgILxnfHFcXXoqv5GnhHxbK5Nt/gBtD114XMNGUEuLIzgXhZPk78S1sf2LBkGDv1jvjjvnrHjjoM18tDksFz5L5TL8w9Gg+FxsTDgTYGWW6QgJJg1q7tcWm7+uh75wYUZFK8FUue9mKq+MbDvYIzFOtKPiS6pkkM+TRLOnD8zXAZ+hyyB0+Pn77AFfvrsvu9Esdpn0Zi+cUOq9B7XX6pdeUhwlHz/C/dcxb1VYUYSPtJnsxR9MlMFUWLQex84ftI+SVwJv69nZiYBt+hDEPzVaPIQfq8WRmMVd3UtXqhB6jj137YfKDLrf6TBOEGj7u51hTG3vrLhk8dPoGhR4V51lVvTx2C1VdNMBsWrgHaYLCW6IH65o3D44c7J8Mqczhg7FU/P4RKomH4OMTp9wnxiAXKxyAYecVMrfP1xovvFNH1o6oQ+B2TKQz/PwMzYK8O+WMvF6j4QE93KZt5mz9vn9HtMGLuJOkNTFc5qP3TfyIFYPyJKYqY+6t7HQUh09JN2p/1aEOdIHCgG48Xcs113XVEWY7XJwaVMj0nshRXI0OpWOqa6H16uJjqTuXzdgIxItGO4ZYLon9Vi62rI9LFuO9FpaZO1VvFlRB/ySpi9XKlAbL2wrhzontGegYGz58/QJt1noVrX/ZyOJ8aC4zLPIo8CevrJlCgeeRzYWumze+ql50lNOmUjS9vVBwiAN0ndfvZkOnflaxAb9jmtbI+Vi/YN+/zjczw7SMNvpaSFmJcX6/WinOPrAmripVomHWLe9J7GyrpIwn3y8eechZsP3q5bd8AJc1bAnFsllPZPE+inJ2e8fXi+3Ted8mbWzFWU+Et0j8tIkKil4H/WrzvA6cTnoHk/FbFh4jCuIe+hz0gDbGFF5WEZuTorE41EMancAVn6EK6rp+P4IXaHIpGK3dCtm6bdSXfeqV+SGRdyksMmykbssq4HWUOoQjyIVZpfwynRgn8uu0ShOT0QfDPBMcHeLWZfhwvI+dEa5a+7dbLRTWCZLYt4sBec7uwxHb94du0HUpI11xzWEj3i2rmqxURchkq4cksC5Sx9nS0UNbxM385mhrAqPfeFABfDOT/8/QwmFb5Jg2+L3Kuv+VRKPoaiXC3wL//vMtUlAe/XPHFgjsTgQ0/KfedJtMQ9Mla/V0VlCiF4j97yTULS0O8Z5Z0jxq1keDD5ZRGl6ccruQ81x0YqiQ6wHuMXFSs88PLqlWAoaw6VMsZBRuo4AuLs3Rv7sI+i7WWSwvH29g9/7zALvPWzl2a/7a02OoQzQDQjhRGXnOLq2kwVX+nUdqrCh+GsFA/GoWPg8R56piX6xi3xkTci4y/7oqcjXuprOzbc/OX//GzNr45TAAA=",
            text: ##"""
// Query: ask, and watch the answer. The question is a search URL; URL text, filter and fields are
// three forms of it, and what is shown is what the search would answer at this moment.
import { memberTexts } from '../reducer.js';
import { ask, may, watch } from './server.js';
import { builder } from './builder.js';
import { busy, button, confirmAct, copyAs, copyText, disable, element, fill, fillNew, hold, openDialog, plain, problemCard, refill } from './dom.js';
import { parameterFields } from './fields.js';
import { declarationOf, includedColumn, includedNames, includedSummary, nothingDeclared } from './included.js';
import { orderKeys, pathOf, turned } from './path.js';
import { actsRow, banner, bytes, code, count, emptyState, grow, idLink, linkButton, loading, onceNotice, pageHead, plural, remark, rowLink, say, time, tree } from './show.js';
import { decodePart, entityHash, entityUrl, go, here, idLiteral, onceUrl, pageHash, parameter, place as present, readable, setOwn, settings, typeUrl, withParameters } from './state.js';
import { rowDrawer, statusText } from './list.js';
import { LiveTable } from './table.js';
import { Once, aggregatesTable, chooseColumns, groupTables, propertiesOf, recentPanel } from './answer.js';

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
      Delete: { label: 'remove', act: () => this.#remove(this.table.active) },
      y: { label: 'copy row', act: () => this.table.active !== null && copyText(this.table.text(this.table.active), 'Row') },
      c: { label: 'copy as', act: () => copyAs(this.#url) },
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
        button('Copy as', () => copyAs(this.#url), { test: 'copy-as' }), button('Recent', () => this.#panel('recent'), { test: 'recent' }),
        button('Export', async () => (await import('./transfer.js')).exportRows(this.#url, this.type, this.#size()), { test: 'export' }),
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
    if (url.startsWith('/v1/')) go(pageHash(url, own), { replace: url.split('?')[0] === this.#url.split('?')[0] });
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
    source.addEventListener('state', () => this.#changed(source));
    source.addEventListener('change', ({ detail }) => this.#changed(source, detail));
    source.addEventListener('sync', () => { if (source === this.#source) this.#showStatus(); });
    this.#changed(source);
  }

  #answer(url) { return this.isOnce || this.#why ? new Once(url) : watch(url); }

  /** Counts what is cut, unless a remote would be asked for all of it. */
  #count() {
    const { ids, total } = this.#source;
    if (this.#all || this.#next || !this.#isTable || total !== undefined || (!this.#from && ids.length < this.#limit) || this.#declared.hasRemote !== false) return;
    this.#all = this.#answer(withParameters(this.#url, { limit: 0, offset: null, count: true }));
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
    if (!this.isOwn && !this.#isDescribed && (this.#source.ids.length || this.#source.included || this.#from || !this.#limit)) {
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
    fill(this.notices, problemCard(problem, () => this.#watch(this.#url)));
    this.#showStatus();
  }

  // The answer ----

  get #isTable() { return this.#source && !this.#source.groupsText && !this.#source.aggregatesText; }
  get #from() { return Number(parameter(this.#url, 'offset') ?? 0); }
  get #limit() { return Number(parameter(this.#url, 'limit') ?? 100); }
  get #total() { return this.#source.total ?? this.#all?.total; }
  get #shown() { return this.#columns ?? this.#names.slice(0, 11); }

  #showAnswer() {
    const source = this.#source;
    this.#learn();
    const isHeld = this.table.behind !== null && !this.#isTable;
    if (isHeld && this.answer.firstChild) return this.#showStatus();
    if (source.aggregatesText) fill(this.answer, aggregatesTable(source.aggregatesText));
    else if (source.groupsText && source.groupsText !== '[]') refill(this.answer, groupTables(source.groupsText, this.type, this.#columns));
    else if (this.#hasRows) {
      if (!this.table.node.isConnected) fill(this.answer, this.table.node);
    } else if (!this.answer.querySelector('.empty')) this.#showEmpty();
    this.#showSource(source);
    this.#showIncluded();
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
    const [from, size, { ids, meta }] = [this.#from, this.#limit, this.#source];
    const isAfter = parameter(this.#url, 'after') !== undefined;
    const hasNext = isAfter ? meta?.next : size > 0 && (this.#total ?? (ids.length === size ? Infinity : 0)) > from + ids.length;
    refill(this.more, this.#names.length > 0 && button(rest ? `+${rest} more columns` : 'Columns', async () => {
      const names = await chooseColumns(this.#names, shown);
      if (names === undefined) return;
      settings.setColumns(this.type, names ?? undefined);
      setOwn({ _cols: names && names.map(encodeURIComponent).join() });
    }, { class: 'plain', test: 'columns' }),
    this.#isTable && from > 0 && button('‹ Rows before', () => this.#ask({ offset: from > size ? from - size : null }), { class: 'plain', test: 'rows-before' }),
    this.#isTable && hasNext && button('Next rows ›', () => this.#ask(isAfter ? { after: meta.next } : { offset: from + size }), { class: 'plain', test: 'rows-next' }));
  }

  /** Where the data comes from, where it is not simply here, and why it was read once. */
  #showSource({ source, meta, elsewhere, syncedAt }) {
    const isOld = source && source.state !== 'fresh' && source.state !== 'local';
    const degraded = meta?.degraded;
    fillNew(this.notices, JSON.stringify([isOld && source, degraded, elsewhere && [elsewhere, syncedAt]]), () => [isOld && banner(source.state === 'failed' ? 'bad' : 'warn', 'source', element('strong', null, `Data of the remote: ${source.state}. `), source.gate && ['Held by ', code(String(source.gate)), '. '],
      source.next && ['Next try ', time(source.next), '. '], source.problem && plain(source.problem.detail ?? '')),
    degraded && banner('warn', 'degraded', element('strong', null, 'Not what the remote has, or not all of it. '), plain(degraded.detail ?? degraded.code ?? '')), onceNotice(this.#source)]);
  }

  #size() { return new Blob(this.table.ids.map((id) => this.table.text(id) ?? '')).size; }

  #showStatus() {
    const source = this.#source;
    if (!source) return;
    const { behind, burst, ids, selected } = this.table;
    const seq = source.at?.split('.')[1];
    const parts = [this.#isTable ? statusText(source, ids.length, this.#total) : null, seq && `seq ${seq}`, this.#isTable && ids.length > 0 && bytes(this.#size()),
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
    const old = side.id === id && side.text !== undefined ? memberTexts(side.text) : null;
    const lines = [...memberTexts(text)].map(([name, now]) => element('div', null, element('span', { class: 'name' }, plain(name)), ': ', tree(now, name === this.#opened ? 3 : 1),
      old && old.get(name) !== now && element('div', { class: 'warn', test: 'was' }, 'was ', old.has(name) ? tree(old.get(name), 1) : 'absent')));
    return [element('div', { class: 'tree' }, lines), !this.isOwn && actsRow(linkButton(entityHash(this.type, id), 'Open'),
      hold(linkButton(`#${typeUrl(this.type)}?_new=1&_from=${encodeURIComponent(id)}`, 'Duplicate'), () => may('write', this.type).why), button('Copy', () => copyText(text, 'Row')))];
  }

  #panel(name) { setOwn({ _panel: present().own.get('_panel') === name ? null : name }); }

  async #showPanel(name) {
    if (name !== 'explain') {
      this.#explain?.close();
      this.#explain = null;
      return fill(this.panelNode, name === 'recent' && recentPanel(this.#url));
    }
    if (this.#explain) return this.#explain.update(this.#url);
    const { explainPanel } = await import('./explain.js');
    if (this.#explain || present().own.get('_panel') !== 'explain') return undefined;
    this.#explain = explainPanel({ url: this.#url, ids: () => this.table.ids });
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
      await openDialog({ title: 'Nothing to remove', body: say('Select rows (x), press Delete on one, or set a filter.'), actions: [['Close', () => undefined]] });
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
    return busy(this.writes[2], async () => (await import('./transfer.js')).importFile(file, this.type));
  }

  escape() { return this.#side.escape(); }

  close() {
    this.#side.close();
    this.builder.close?.();
    this.#explain?.close();
    this.#source?.close();
    this.#next?.close();
    this.#all?.close();
    this.table.close();
  }
}

"""##),
        BrowserFile(
            at: "/console/running.js", .script, tag: "\"21813877c2d28e22a96a9d7bc7563133\"",
            packed: "H4sIAAAAAAACA31Y55LjuBH+v0/RjqC2eBrnoK3xXM4536lUHowISbilQBkAVzc1xyo/jR/MT+L+0CRIcceXdkWgc3/40OTVFX3iDDUn43W0jVvRoTmTjYFC1NGQDRSbuipJu4rOBx15j7ba0R0r+cp4Uy2f2OOp8ZEeyNTmaFwsaWfruoRV96bVdbMv6VRr66ijnW+OpJZXVXNc/hDUs1FZx2iOJ1YOxrHD2Oz3tZloJHdhrhSeT0SC8S+Mn4vchRTTtqlMSVUriZa0ty8M/3Vso6kQH29wzL45f2jdc45C33MQ9mjkz9e1L+nMMUzdca1mzioTta3f1eFQEnu18f4rX09VUFXReWJ+hBLH5UKkk44HuqbCotbbyD+VWtD1P+j21w/ZUKH+mTsVVEm2WnS/foD4b39Lt1fpZ3fb3T57IkafW1cFNuXMmT7Sp2K9VqHdbk2Asto3TaU2Ja3VTltO32DxTvdrdaMr6/ZYO2vvZPHQykqWOuk2vCTlW+ewmH1sFkNE4ajrGnkul8tofoxIcYBNodIuq7kW8FHEP5MQF4uB+o3AL6BHaE+gV/ifXMdd67YoTEJuGz7ZFSy3oIcn1JdY1ulaOo9d9mHDh32iC7qhnDWtLqREVXEgRHZHxWDq+jrFuiBvYutdj7UCcr1T10QDn+uJSq432sYOlnvDyb/QdWu+OlWa8fha5HB+AVGYT3KyT8/NKapy1OKOc5ws3RuugxHxcLZxezAVNbvdVIHD2tk9e68eUeJoaSKwQR59asB+n3cpwIK9foVrdwNtxxiSlJdMAdH44vWmqY12i+WR8VdgCy0XHMjjgqvVcYOfPqUvD4ZSmiqQ3hthnciLOIGkd2yQSchuD2AhmziqNkt6ejXHALRfBsBax1J0NujItMHz4pfz9tcGy5sBADq+3HyU+KDDI528EZYpuEKSH6+t/g9Y5vh0rGCTKRi6XJih1IYvECjk+pghgRgnfVynjRw9i6K4BUqj9F4i6wmvyPUq50ILaTNAM57ek3bc/gfa1jqElTACRc2nqRNx1K97+cDudXykWwdTV7NiYOn1+/EY4nlxAdAkQnf3lBlJiD+JCuOUlH6HuomCf10dbQT+e1SiS0xhAFjaSqXPPn+R26zb2Bx1tFvefYwAZGmawFSFbvqIcUtmqkT1ZTkc2piTwBGZXRhNG7fNkesGNu0fcLTyQ25x9vTff/+HRm6W47p4QoNLvml61fXvNsvYfHU6Gf+GDqZYdJT3utvJ8c+O8/lHpWaRMhri561DnOxdYuQfHNYafvF72duZmM7LM/Nl36XhIk9yw8NHgfeRWw9Y7IWofTqIi8WGVvkkPhor/oy+qWvjg1SWXaWI+W+hsIcUYtnPR13aXA/1wxZqhc1ZpbA0S0SR4ptRqO81cvpomKxJu3EcIx1IU80DSWa5HGoWwrwiowOCGSaYYhxFCjWfGtIf89zlxpC0MYbY8IkrCWf+2HjBlgxlyNRynkd9DzzdDqKFXEZSEvXpV1+yM8w1yVq+qcAQ8pu6DR7gIZoQV8OlxWo8HsApdf3d/wmGP7nwpV4MqHBRqmcUMR+ggOixlI8LD6l+FFvSay6cYQd3ykWRbcQaznwqtA73bpsJCkkih77zZ21jmDLVXVPd03XaFUYZ/CvGuIY45tS3G/9WCgONyrwspCIWWLV1ldlZZ0ZayyvjNcGA5sToOhdXQgLrc6Q3eLj+Pagfj2rCRRJMdpfpARN3wR375Au0TMxvOEaEXVwuo2FJvevv7VykWYrTAoF36Xq8KfCsvdG4LYDXsKK/lPnaAF8rAMZb/Uqt70yteFUMo1fvf/HJxypDRlqrqJvmOb558Hnl/dqsGJEgIdW/iiDCTZlS4a2g7wv12oibs7fRACY29NihYfY0xyaaJWCMLNiETukHtpI8sINCzgpvL9Ntz7mcvD1qfy/z8RvabU2dBXOHNxvq8jAk4+52IAVgUBB+1iH121S0a3yCq1TZsB3cmJzyDwGvcg8D9eIObF1cpVqXZLxvPHXUXU7fJ7QjlxXG0sWtMJXBO1964oO3y/H+KXonNwNbM8fJYFRyQ27JOibEzNZZeKRsyP9uAbacW5pNyzdcu9XYwZQGG0o8ByP9AvCDR6WY8CXnEew//ZQXxsLj5CxxYG5LjlVeBQupleK/1KJb3g5EjWo8N/cBXWmcmRLQrRyRYsFJh4QWW2GE7Xmj8SmEKZNPGeYDNlqIhTQt2a2ZnCH4RG/TeUigQ/PQ63Fl1QMKSnnmHXgLI+8QH6qzTrOs0A+H+YtL8ulfxguJo0cqfGQelImouzx34tmvEG2hvJyGrAETvDYxUSb5z0d5GfkBb4AbnAzIsRVh5Kw6yZPS14Yc6QzOvsHZ71/gBM+fywh0QQW8TDweKclqLJ9OFwZdC3POLoLoWyPy8yBEjUdKOTCFPA/Guz5vK3lPRnopF5KbcXJm+qnwYiMV7C454wKVw8cafMVhfK97tHjzr9aEWKLR3t610YTNLT/VoUHhOfuTNeFRqMp3mFyGKUZPTYiXIJ3MDoPreU4C5o1IbqZvKigSJoHxYj3pvQmJCOCqUB/jYsGiKvvNK8dLUyJLzyg5icqnLMUF4SQnSidvXtimDVPFvDZRfq2uSWLIqrqup1p4ZAUQz3ojbRbVTPpqK7+yUl6ZOHpvColpz7PWdBWaU1+fm2Ai4Az+wu9RLS/Ie74/rmh6Q2JvfjBu1EYuO1Z+LwaSO03YFsdVLpdA2htgZ9/EaNwz+VoIFg9U958S7d41+GKoeroSfxx9jn+t3mYLffD89OZbH7715VsjWICTnAmcsfo4OVTa7Y1/PDcx/PPJTT975kyW8oV0BzLKH0fkbNmAxTRAOnPOaYkrySthIL32/g9LdvNjaxUAAA==",
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

/** Runs an operation; that of a mutation gets an entity. Answers the operation as it then is. */
async function run(id, kind, waits) {
  const body = kind === 'mutation' ? await askForEntity(id) : null;
  if (body === undefined) return undefined;
  const target = path(id, waits ? 'run?wait=1' : 'run');
  return await (body === null ? send(['POST', target]) : ask('POST', target, { body }));
}

function askForEntity(id) {
  const text = element('textarea', { rows: 6, class: 'code', 'aria-label': 'Entity as JSON', test: 'entity' });
  return openDialog({ title: ['Run ', plain(id)], body: [say('A mutation writes this entity at its remote.'), text], actions: [['Run', () => text.value, 'primary'], ['Cancel', () => undefined]] });
}

/** What came of a run that was waited for. */
const ended = ({ json: { lastRun, count: rows, error } }) => element('p', { test: 'ended' }, 'The run has ended: ', outcomeOf(lastRun?.outcome ?? null),
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
      fill(notice, answer && ended(answer));
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
    post('Reset…', 'reset', { test: 'reset', confirm: { title: ['Reset ', plain(id), '?'], text: 'Its value, error and counts are forgotten; what comes late is ignored.', act: 'Reset' } }),
    ['Forget…', ['DELETE', path(id)], { test: 'forget', class: 'danger', confirm: { title: ['Forget ', plain(id), '?'], text: 'Its state is forgotten. One of the configuration is then as new.', act: 'Forget' } }],
  ];
}

"""##),
        BrowserFile(
            at: "/console/samples.js", .script, tag: "\"02ffce2f651fd262b688f6ef2b827947\"",
            packed: "H4sIAAAAAAACA7VX2YLiyg195yt0V5cZt8m+mKHJvu97AtyhoAV2xpSJqzxMh/FrPiCfmC+JVGW5cUP23NncLquOjqQjVc1kAr/Uh2OJFqodTA7o6mJrE3iNRweFAZcXFpzeZHDKtQMNu2Lf1AgnTRveYA2uOGACm0eyRHD41oFjw5/V1QFpqbFQo36w6WhUHI5V7eAMFmve2cKOjCBKJ2Eh/aONpqPRtjLWwaGif2bw2a98dgrE8bNfhENhmGJlEFBvc/gi2NFoMh7D19zjER9wB+ezdhmY5rDBOoGdPhRlgTaDH+vjS0txmX0C51JvsHy2GJ73CbzRZYMC0S5W923bpQfGkwtvcA6ri1XLH/Ctjywwt106Z7BYTUddaPrh4dtv0LgfFdahwVpFertFa6MEVAyzezjLvrREs3c5bf/MFNp4Grz+KkcJyBdKw1HvkX/qKsYVMPqAKfPZNWbrisr0WxQXJobzCDqSuizJg8ET50GRF4BdVYMKX8vCeGzeldpjWTgVLU0UBwTBWCTeYwIhpV32VoQ7+UQt9N2fv373h1fZarE8ZatxrObZ8qzScbxs4zmo5S9fxJMU3+JWsbcY5nOfL4YvdqAYGWazGTSGSksWDzG7dYVpcHpB4qiL2uc6TVMViDBUFMXpQbtt/vWyVBO1PL2IZ+8r4rD45P3lcvVuuUzjcfz+ZB+vyO6o1IIl/5iwvFa+IAt5TWs8lnqLarJcqjSekF7UqwTQbjXJztuq7sUTjkwEc+B8QdZbxav4Kbb3KPtprq0PMo6BXy06FbK5EFNe3nfLcXpsbK7OIPKV0vn44165P/HKVfx2Qfz7ZvfhJIGInoUp3CNXsvVeWvpbo2tqw+6mo3YkYu41RNINYvciSuCkjcOHBDT357e0w9RUJxW0ISIWttpd9qFw5loNlblKd0XpsKY6cLShAsHRRaKENOfwWbfc+4ER9/5tXuwc67qVgULl/OmOGPc5hJbHVqjf5nGoNS4gly9Y+iqQaRCWtOQvm0NoxRDhI4GxXMKeYRtaMu0YS88Q3L/djlXoxgDQZ060Ib3zpCMfqqpMcJOAEiUNP/h9n4nhhVe5l0w8vdYDx/qNZvsaXRduXlhX7Wt9GEScwaai/MHf/vJXyKsTHLR5BFdVr0F309xWUFZmP0zNJiB/OtlZf3hmvPZV8LLuM3W+6sXnufnH2ex5xJdzaOeDn8HNVA9NN8FUepWTf6GzqMQo7ls3ekE9Gw1aN2AFh56gx6Mqh5W9rNws7+2WlxOmRN3zc+G4t7muOb/h+N/yVN6gOyEacKdK+g045XAqXF6YKZimLMkeaaOpeGnvNw4L/6dGG1eUqDZIxeTKV6ckuOtrL2RkwJNJSom1igaGrWqnQoKJCLexV8Kdf5vK/sB4BpISsiKQyyTdQcfgKnPToQA9VDCwqXbq7rNxP43Y4CVtkcRGNVp00bCb/Ij5DMxDfjLooKiuD+qCH7uR1/tZV4AxA8RSrBG9/7arT9XUWwRLLScXshylLBmsSalr3x5Yc4lcBeuzdt15kUBhf8FM23UKXw9rtHRZQOf/LSy7NJTgDLpbYC1XHVY45hSEv5Q0FpNuq4YtReGIEvUX2ewbA5q6J2WsdSC+zohPuMLQAUwgGdTaIbyDvW72/BSdcB91+kj8pdMSaUKaXB1YIVTqvjNcIl8D8P0S2iTURnIm4uubejh65FONmr+osCucIuwlXAGEdARzmXCQ+WMglkkn3IiVhy3RQRAizHwBno25sI1LSXSHFzFSNMw8ow58MG4K+xO+lc8E/eOPZVZqB3dh1f/8km7Zn/nMZ3jvwLM/kuV2RwTYnxDohqhP1OWVJizcuNQIq6qkVAm3ubDgGC7OtezpRB7uPlaF4ZD4hpE9hSPXoCDgdtpTvKyNF1b0FAAEtDAhCTM8x0EiAtEClhY9EjN/b3gxFah+6OTa7BnrtiLkZ4aSTpTJl3X+7zhD4j2EEFAZTuYLvHsnvvz0CYF0PU3uXd1gjxEiGMR6m59AZl2XjGVhAkrdlE5Mnz5L0on7dIVnkMHzS6yn4E3FMADdqicLIvMCb4dnV4CWgUjTEF0ehh93K/YN42eP7potvfrPGn39sf9EzoNUZZ8MBJn13OJXl4xe8VSJWx+vbyDT0d8BT4X8enIPAAA=",
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

/** Sums of a family by one label. */
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
 * What a source shows over the samples: `Map` of series to `{at, value, isReset}`. A value is null where there is
 * none: at a first sample, behind a pause, where a counter has begun anew.
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

/** Whether the newest sample has a metric. */
export const hasMetric = (name, sample = samples.at(-1)) => sample.families.has(name) || sample.families.has(`${name}_bucket`);

"""##),
        BrowserFile(
            at: "/console/server.js", .script, tag: "\"482e65d19b4f0966b6854d9aff6dffe8\"",
            packed: "H4sIAAAAAAACA4RU53bzNgz976dAp8dRpHx/7e69955iJMhiTZEqQVvx8fG7FyCreHUkXoQA3IsLEEUB37QIhH6HHlwDodUEvVrjEjz+uUUKlLERwVkEo3cIlbMWq6CdzWBoHbC/oo226wyUrdmE7O5BBz7SgF7i1QYJBq8D0oQh2U/CKGhjYnJSHeYT3fXOBziMEHCExrsOpnleNB6JM+d/0HR1cmw8BzLABrGXzz5kkWTGdL9xG2SKHv8hm/hcpeqVJ/zCqIqD+/QV9j1+680psKCgAqbACaelAJYJwKsw/ZvfnVidQXYwGCAIB35MSMSCfR2cZ2nzNYYPA3azp6joN53D66/D1tbYaIs1QxSLRWxPv30wuoLKaLSBVdehPTVqSgkmh0UxwcdYjmAnbwbvWP2342E256TN1sbuXdjhMAHwGLbejurPjKuUOObO67VmKQ8JKItFy1R4F4LBJTy7v4cj5z5GyhNYwPetCtLijXWDTXM1TlkO7+4Yk5ZQVq2yaywzKFVVsUQlzJR1cXwqZQz6Jew0DgTKI3hUNSiLwzwThBJ7V7UcIZlrFVR0GsPXaNFH9lOa5xORpjKKCL5Ok46PAW1Nico3ynNHogRMP3Evi92z4vdEq+iwBFJ7YqIyE8xTMSf4VPUrsFtjZOgZXMeSmUEqOzYEIM6HeK34YLTdkJxxkHBpCAATkuk4cxsbPz4JQmlg0I55NtpTyC4wx7If9sDICXgMfgsb5885UEjnA8RxXsJUpN1PM5GYnGXDFI7imS4w1m+GMfxcIkZMG4HXhNdIF+tD9EqG842xPJdLGGNSzGLizIyYQ3eGpunNQe3Z0ChDmCxfYbMlrD9wFM4fWMSa4q0/txr2OucvU+73ZxY2Sfclrao/t2Yvt2G8C8/9PIojKlWONeVNJ6fGGeMGOfyaa1uZbY00k/LzqG8etZ2v4Dg56+fgfD2q0mtj0spkwyCC8hKtU0OTGpGXuKX7CQC6gYRxIcJ8ZHuIANy/VqTxyYPJSmK2PqhaGnudSQS+TaHY+j+hZ4XCq6++eqHQyBgg7ckD1NxlrtcYOLL2Zwl679YeiWT7HRIGwDUfiXsdyhMCvHj4VIU2b4xzfiYbaBEhoBDf+RFeKmF5TulUzKC8farmeFnTaYhuJSG9tqDtdaJbRcdJuk0hw3TnrPk/adPUXos4KC1zG+vu1OPsPku/K9RmNkuR43izmPdzuIO/GrXu7kaRJP7/fooebwDeYSZfkJ9Om3POuxrdCYu2xQ4SfoDHz+fhu1/9qppSg9vevKOmQ3XFX1X1h4hY5BTiJCHWEJ8eJUmYx7K9MFksFkGd+Izx3rTCT/32VzkqJi0K4q01r1+bBzxBvUxAkUOH3ebWzi6y+oLs/p13zIOH/+HIVcEGXj9+8o8X2fJFka3+9vrFcjZ7/GKVvPUw62zrxTfMREhLbp+PXcPXnE7177pYiKQ9KZ/XtROzeITOklkjmAA8SBykyYXt8rIisct2Rdle5N1my1EqRsz44JJsZie/sRpBWRZRAGZvQ7sLCBCdcUFXQo6LfhR1NFB/s7cD0DsZAJtZ38CoLynebekWAuEoYqbmDwoP/drUDQd/BGaz/lgwzLdNfVrZ3Tozv7Bfzx34KVvSq31nC5xWdg4u2sJQVJLALOTS6PV+YxSd0KR4R1CyLgiPkZITpLvAh5aNAqtNDJjDm6nDNyc60DWXFnPVfBAd5w4WiQjJUiYWJhygaTmUnlZkjjlhWtSSBh2Op7YlH5xhmA2kaeIL4ZVQJ5qsg5mwnu3l2aPHrNJ8Jfwppis8mA+XgAkJnfBMn+3JxBPcg8zl0g50VJaUVk90oyI+40bVbEV9OFiReraK5Q/gzWwZ+ZzZnG4nQdvXNl0xN7HMYZwIZzr/t7lhoUaffPQjAigDLOxabmyUZJgVxzesYqbn+TyE35nbq9VIO+yeJKmJZfMe6s+KLfgEZJJd0CTGbmMQSprY2uqML6Aqp6xS4QQEk0xkfZfonjxO3FnjYO00c1j6YLwWIg3s9vzR0zu//INkvrWblwg610KTO5d9jMByvaMSj/vpTB/oeRFDiZRpE6zgnTRBaSESkPd9CbR4TH8N2dMV7MEW6p06zNW0p93nF+22BtJkcbYkn802agcrLVtfAfWKw7JvzmJ4LVxUUQgAdM4A5PMfvvk646RPZp3opJ3A4/VbN5icdXWXV8xrTc3MAlGIEpj0iL8ezfy5/boffjZEU97JgvRIfx7NoALYIYr69YmmXjgTxNDCchcnWVuRbSDKHz9O+vTolZ7T2FclsD0OImrpG92kO5o9So/w+2jGcsDWzp6hHGQC+40VqOlZAjO34u95BQC1yfcOh8+U6Zyuw+UgGanJepjzE5fdMOwhipEQXKfmsqnGzJeIVRYQgJdwx+s337qhyf3al4JtW8ojWvXF6juwA+QhucQCx5gZWCf5uoTVpF+URTt/68buN3Vhf/r+sw9qSvX3CJxlkdBR4nHY9cU3HN+c21kuo0GF6KypNq1SQ9+BeaPUS6HAWhpwFjo76EpqwCSY1syzLNOvVqmc7ZbI0aGt4cVscdgcaw+mybwmA/yAIKMtEgmMwkIYH9yeTEERJh64miSCQEZJ+3uHdO4agh7nbs4KUbHJT0kbtnljNdi7/FNUSvQIoQJu1ukSDojXNO+4YkyxTvBRLgntWoODKAVY0lxOENcY5kPdxSVbWufneUmxbs36hiO4KuBjCVVJcTCxKmIQB8ig3HrOLMCCPy936NINWE9Lhc/8Kzsl2Cd2gIn6SSZKxJLgP5afFx3M4B2zwhLQsd5uRo6M3Q9JReVXfzgtLwoGil+WbYdySKy6FVuMKxGiSbJIsznVO+AO+ebEsMhgUTLnIE+e57RRRXhAOHwiEr6Lz3Y7W5R0CiFGqhQwBB9uoqRDxMqogF/R+d+c/kHqmeUtIJBMUNuZ5g9K1mx8oZDZmj5E0hTeTROeMZ8CUA6qp/gtUdwm+4C+u7dRWCE4ZTzJ2yEsTKh1FEYkGrZvK1NynzZp1hJ7OYjgPJAgQ4vsait3jrhgpzQINBgGT/gsVXmcpvru06SRkj9qePsgB1xdV462NapgWo7eW/ZJg19r1O+Ii5JrFEEoUZ+CWFW8YX9Ra8/TsnbD1S4PXHHWtkruYiAv8jal2+kPccyKhHir2+U0dZDyRQtx+NKNsK2y0HODlch+mWWZY/sqOyurjk6PnQU5gaoeTfJ/9YFcnPxS9hPxugoGJvgDmIA/ZJXdn3dbs9CFi4UfHqVQ6K3Wqh0vXz5aLfxKx2SyVhGXovfpyBHgluScY+TtuN6YA229s3ffn9ck3pEShN0lODd7MLrvGJy7LMezkuDsn6VyG6tZTND0NMdXoXxdX6nX1MGYaxsnggPzK1HW9rY2af4vENHuObjezvFER3GOqi7Ok14MHzZSagD/zzhMXxH5C4f/KaLJXUkiDvK/175sqe7OhZP/rVNBqwz8u3Jng/bp8xaarVuShOYcN8iXt22cQOTkI66V9zrRg/XMbXUxOgX8DkFd2XoELIZSu+qhFkixr5YbwsWGMwusEjkGMATc5ETEDGH2mPeiQYSMvJqZ906JEz/wjwz8qS87VEGpvKehy6cC4pJj5FRqYkHBEvnaZjuKbrLKT2+1ZiF0T9M9wSqGBAz8B25qy69udKxzvaDcuFIRtnWWIxybVo+BJQI8hHkFi8zlvmvq4nIzlScoAxLFSGNA8o7+lbbjqSV4VxVCHQxB2OR2b0f7CtJSokdcQF7uBu6vh7e2+9HJ6aC2qVRkgzY+0bmJa/DUbiiaqCYJvNDS1aHiIoujJGOhOmOIqXRyyCewlWb44wu75RAOZulviGU8RYP8uAe1WEwnehfXLtho8zBniJef7TsazquxNy3qzeUOd9+WReEKwiNxTYolpicJPBcR6NrbUAfZ9mlZld21hvf7jr11iHODv/jtcvGEGuOlradNd7jnnDtp2d010lN7Xo5VYVPvdsxD9MLFF0sW44Xqs5rswcxlHKFMlIbg+K5sbdYgI1/KRinXZdyXOCbzratXFjf31dkNp4YYmSSraRtbdEhOhTyEHpMXVESVYRA3oSInWS99LqYT/U9961xBLTio6Og4ruClgjQny3YAhnmnLchpsGFs5yrYocDjn313Yolre+QsMqne0rRk4rJuaCzl9tXssDWnPDR3GruC+84D+05Cm+m94ObNy3BuyOFMKZGrTqPYEjrW1HW3MvOQEMuC2EGWgw1Sr6LuF4IjSFCzqFGRW30ROXOtM6gRuY63H5y4376zULUbQ8gO5HHXfqZdd5c00u6AyzGBC54gDcjEMUo31J59eDWuztFUJibj4BtuSpv7EzFc1cEAxWQSw/L9NZcj3gh3E+7n4JRLimHva0B4dWcv728oxh1X5a7sbBF5eSwov2rq/TkjgHovSUtdmx0o5y8YbTVbDfQn+qDLF2UblMnMcUnYQ1ij/Lcb4eYC/pjqpbUWcicjng1sFK6xNo5KqEVt5fEHiH7jVoul95puv3h9FXnowsAEEgfb+KGUyaVcioG82JV7BKMmJb0nJaGhVp/XnJg15dhrnJ1x5wNHjAq8dq9qtCF/27XBYhloiPNNJ+ai/Q8MidCZrsjXM34oReiaqMgol46j/zZ15LdRc2SdtpiJYqeGCCU4+yMcMUVZ7vq3WzQS8aaJYolk4zDsmLaaP06yUbdXbhTssIePWv+oyA71TwhI2NvOqLE9wm3y+CUM5/ps7ZMB/izwpenaX4hwuvdfuDXgRLgNdXjfhHiUQpJMJaGP4f79qIdhek0yFLjtLGgnX8baIn/mrniIMAB3oYvVGWdMhC1P0gJrsS1ckKDxSHbRwYXsR9d9b9IAlsvxffQuTXm+7eBbBxeMp3HMXoAIjLK/b3XFQAUtUUr5vpFZCLfpaKwfN2xYcgtO9PUkwo7kNAAk9Jgh+6/3gnHo/0s6hhDNzJHKP3FzOWxykyBV0WC98h7NxPxbRJBwF4nOduu7mrSStujpf7dvgc3gRvGFF0Yyq4/W0kWaysrJxv1S2aBXovISExFRRTpOW0KGX9endXFtSJ3QXyo3l1XeRL0hq3/ZEolMNNuGwi9Eggn08rDUFGd5JQd1iYLIwHtE9hD60nDDnkhOlIxfPgCuBFJ+fLw/48eMcMLv74xjw/EdIg0kLGq5AC0f1w2m++mavEGN8b6UCcADU48sf1UsgoICeh0m6UxpOZ+fwzrwr71N3e3UbqDk+qGfdIgFl2vnVN+wYiSI7AXPT9+4tuE3rn46gvg/XdbYHaXMoZVYEn7UGpCX3lKv4V1Ls41Jgj+uTAt+iA6FWJIBeafWdGov5V77Ycgp8KVsUCN8aZs7Ffeby05UyBcTDBMkTISE4UC9b5uryolyB7SCLNC9gZYjJkoCwcW3RJrA4chuPmr0mTmRuma+XOT+wVZ2Q5KMoyWe5B7jndUclz4u96soWWTat4LW/R/IviFkfS4AAA==",
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
 * What is known of the server. Events: `change`, `access` (another caller: views are read anew),
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
      if (problem.status === 401 && !asked && (by !== client || await signIn())) continue;
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
  if (!problem.status || problem.status === 503 || problem.status === 507) checkReady();
  server.tell();
}

function answered() {
  server.answeredAt = Date.now();
  if (!server.isAway) return;
  server.isAway = false;
  server.tell();
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
    if (query.state === 'failed' && query.problem?.code === 'not-leader' && !query.elsewhere) {
      event.stopImmediatePropagation();
      query.again = () => readOnce(query, url);
      Object.assign(query, { state: 'connecting', elsewhere: query.problem, problem: undefined });
      query.again();
      return;
    }
    if (query.problem?.status === 401 && by === client) signIn();
    else if (query.problem?.status === 421) learn(query.problem);
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
  server.lostAt = lost.length ? wasLost ?? Date.now() : null;
  server.retryAt = lost[0]?.retryAt ?? null;
  server.stream = ['live', 'connecting'].find((word) => [...watched].some(({ state }) => state === word)) ?? null;
  if (!wasLost !== !server.lostAt) checkReady().then(() => { if (!server.lostAt) checkVersion(); });
  server.tell();
}

export const reconnectNow = () => reconnect(name);
/** Raw events of the connection; answers what ends it. */
export const listen = (listener) => frames(name, listener);

// Is it well? ----

let checking;

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
  if (server.isAway || server.store.state === 'recovering') setTimeout(checkReady, 1000);
  server.tell();
}

async function checkVersion() {
  const { json } = await client.request('GET', '/version').catch(() => ({}));
  if (!json) return;
  if (server.version && json.version !== server.version) server.versionBefore ??= server.version;
  server.version = json.version;
  server.tell();
}

setInterval(() => { if (!document.hidden && !server.isAway) checkReady(); }, 15000);
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
    server.me = null;
    if (problem.status === 401 || problem.code === 'rate-limited') signIn(); // wrong, or one of too many wrong ones
    else learn(problem);
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

/** Asks for a token, once at a time; answers whether there is one now. */
export function signIn() {
  signing ??= signInOnce().finally(() => { signing = undefined; });
  return signing;
}

async function signInOnce() {
  server.needsToken = true;
  server.tell();
  const { askForToken } = await import('./signin.js');
  return askForToken(token !== undefined, (text) => {
    keep(name, text);
    return become(text);
  });
}

function adopt(text) {
  token = text ?? undefined;
  if (token) sessionStorage.setItem('freshet-token', token);
  else sessionStorage.removeItem('freshet-token');
  client = makeClient();
}

async function become(text) {
  adopt(text);
  await introduce();
  server.tell('access');
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
            at: "/console/show.js", .script, tag: "\"b2e9b8d85185b6ae6a3123bafb997f69\"",
            packed: "H4sIAAAAAAACA5Va/XLcRnL/X0/R56gOCwtckpLOcVaWWZKuHPkSy1WWUq4UzRSGwHAXFhazh5kltdnbqnuHvEMe7J4k/esGMPtFStEfIjDT39Nf09jTU3rr7ujW1EvrMwrV3HoyTUk31XTZ4rm15GfurpnQ9SpgwVOY2RU2MmqW82vbeiqraRXoxrX6NH5UzReuDbQmW9u5bQLTnluF3dBN6+aUjMenv3vXjH/3yYsIf70MwTVZj5fRojZVw39ad81Lb0xbZuRvp5HMaenme0QYsQqrt8bPGNaGUDVTv4XggwlWUR6dfv01vVL9WS8TqPLUuAAdoeDdrCpm/VqzrOsxfX36yH4SRoVrfCBz7ZkfvaRRSi+/7wUfJX5hmiRjaYraeD+hRAETWDnUNi7QJqPkH3//nyRVeR7R1/RzY+kv739+p5JlYlpDha3rCQX7KXi6q8LMLQP9demC9fEots6H7toqBMvWy9fPNrmca375p6sc5MDlDgrPjO/P5kVHu3bN1LawR0N5sQyKqhz2duW8fS7sGDITuSBB1VJtm2mYjR9tmexm2RShco3qNQI7MdESBnx6dpaREuS3b85ow3/Wm5TWj4iqGwI4w718ScumtDdVY8uUWhuWbdOdwohNSORZhmKm4JdnV4pfGG8p+SqZ9Bh+xgJZpjGCoccL03oVKM1UkwQvOJQeeR2Ri1m1GOXrx+vOcoo4Vo03mzwjWYi4l/u4l4/XnavsIV8dIjcR+X73gneKL+nTFnpgdH26+RJC187V1jSgFQVhe5tlHY5YDyD9sQlzGETZbx5tHu0GS+XfyT7CBYgSMnKsf9g+VvrjH+n0vy5PfiuvTsfB+iDAiI/egQ4EkCP7WDXlrrt0VqXvXgIi/az2oADFB1dLErr4Iqt/9VWS0kTzlYoLG3wxw4g39nVV2NFZJhKn2QPc58tgS2Gf0z/+/r/0eF24ZRO2NU837HCmNUWwrc9ZJpyJHgYcEQdRm2tbq8q7KUyTMTiyImG1sBOKa70MoIKkZq5ZE/tpQifnbI3SBHPiFhaum0iwJ7xq2sqcCDtezh+v5XEzkQqDpEECmWdgp0ly+wy/p2dnZ3QBxB07YTndwAA5KQYsIrTTIcXfzVzd0SfjFUpy1Y2rS9YDslLJhY6Co7y0izDLqba3tvbjYwkstLbPXwKM/LXjekg96kHrRDcGZwDLES8PRbHPO8km6chlNHKNleO4fMD7zNwmg/cAY4wlOA3snkUp1VgCYVhk/LUcK73wJ3SeXmnMHtPgMkl3ZOeFwS2j8FeHwv9/BNiJlx32Xz0cg4CNVlBxEIq7NUYz1IR+bDjFVGFFG40FuMevKIRGdKMZ/AElf25Ky25jG6oC3uEhtsxQpojBXVNYeEZMSWIaQGVk6hoR4rwdTFJXjY0O8geG6Pz63qSE3JKpYz5RYmIhDd5rV67oZcQpq9sdo0AYNopg1DaINgx/FinMXWuHtgVy9RtcClGOIaEeGnAzpfBEynQ6npvFqD/kfSFUbugrEHquJBKPzYLVKUfj8RhcdEcMItS/o2gWtVWUqpGMfCw5fS41uWYihqmKj5NO3RGojVs7d7d2lGZiixE7zUZy6ZM+j0Zp6ET0TzcCmqvge0o1fbHUKNpEUzeutDuHZYOpar/rxa21iR73RHwGCe+slz646bS2vfhrMRmojgGPcvkHEa9T5AVtRBWRJbrVcj437ao/IeRRYG8er6Oe/CKetsnTTJQThcBtEGlgEqMVkgzB9ApH/5Gqhgy17q5voj/alWd4w4/XKyR7bB6001j8d0aHY85ae3OsLBmxG3Z3y85+Cnix13uUPWH4S8bv95GdbN0gInAkzy9SWE7ph+6adML/9lod8SBw045IeL0PbdVM+xX2P6bH8XX62+vRxcvRbyW36emTx+npNKMkS/YVWNTL1tSRJHxD4rJBJsBpNnbjc+GUdy7c89pwb6CPklLP6QLINBHsTc7a7BU4ve4Nwq8HX1422p9fJq9R0v9N/v9J/v9X+f/D6+Sqzzom9DkHN5jRC+pk+J5FODs7g+MyyHdKNIba+QtefvIk7cFPFXzL4/JeHUY+7+lcdPDj4H6oPtlydI4y8JMJs3HLxii3jSEcL024gvKbQ/VLtjUeRnMfs/bcCztOgFtyRPq8jwTh8xj53vLfEvYSsJvauRZkTpVMH1wKBurf7NDu1jfk80PQZ98cCqIcBqBTpgeRquYI/vk/P/328xSUzYZmoPA52G+/eS7ApVl5tWtXrUz7a1VKlzTyM9Nq3RASc/NJl5Bb+AjPaYK0p3scbM/55fkZfU2KxyZTkrY2C29LUMTFPiP29qrW7P5nXPAbdzdK2Znwotc7AUxTlnO0tah4RwDpb3+j89hBqpDGk4E6dG19VVpCMOiw5FibCEjVThNZRiaEtuJKZdWtvuA6Zlp+54IZMbvMjjnIKOH/BP62snev3SfGOKMzWOzboeOeVWWpnXhol9IwKmpri7DDaypuzEt3OKwJwfYzW01nYULfZtQy9ae0SZU77RFRnOGou3M+SkApHG94NOHH3gzzqfmymJG7IUOAxBMmVdKU3do201zLmfWwnADutWn3vCRWFTmgzpV2/EhBoJfeZbDHFlQQXRLAZKIItNm6a7i21MuFgdcsbHQWvfBB8qlzJRvatE3GQpTkWmpcYw9VADXIr/IAXdwBRfjhiVMumI/XQNnktOlVAmYv7Hu+eflutJT4eD/6i7k174u2WuiAqAov6G5/PAY4nbscCu0WcH+tVrjdaVxi4BeFH5Z2Zzp0MUxzSK+G2xMawKeRRjS6XqXgG9J2HFdCXIzuRPpqV5tDHabVrW2ggHQxjZmryFEYbIynNox07+Iizl7QHHyo5kNr0HnjnXu4I1iY8n0wbRg9zTiOk167/Pz55Ozp5Pw8z8T5HedXOAx8TDIQv2dUNdCE/ts1OsuUt6W3rWhfzBwb9WiSKmpXfByZsF3m2cPRsjb2TvIidmNVY+3RAwzDVTFCsgxFkkpgX9Al8LH8Hx/e/MA2+U9rWjTaW8s/uSbM9tbAam/prVu2fh+1apAH91bfSxni1SsRYhKFOCbBAft93geMj3CNLKNxLlfMCVHG9AG5Em9FIuLrrJouAlf+Aw6z7w/Y8XeLFxilXKufP+Nr10EL1GOz4yU0wQp4b04er9nTRiIBPeEa1q8wbLqhnJt8iCOXOF5Ox7+7qhklkyTlnSNnCvrEBgaPJOkapsF7WlubUN3CRWRQPd9xo8oH0xRwpR29TOj7EWDoNd9M7TBniP3X0CScZQO1dGicBqsNW2hs/rTV1iTMMolmG2gwnAyTqoZT5MDtZKCzycWicSvukJm6PN53tBiNfvnhDT179uxfMkQmd4LZYBmMz4ca1SdSyT72kylCvcJjwPDBNTRDSRtTDrvkzMlOeOlOpu4dkgIcxjHkiKdAL7tyH9tXoyNN5Cj0Nuazw/SHs4ES1YHumCe75t2oj4sPkCRNB4p6b+qSnblnNArxpX6BCl4mGmfB/fj+5w43HT6faNKS+OgLcuAbvk8mqv4m2n9PLLVP12J4G35sgm258o3iKEQuvK5YQrCxtk+9LsNlJl7tkZMH6L8ubbt6z0oVwbWv6lr1uowCXiVpujNv0VlzlDb2oXrFh/SQnAXv3w2LPRZqcYSiwCD2xrFGjc7UtdE52NIN4G529VmTkocXVa0Pb2ZVXWICUZvuRWYLD2s8vjbtZeyRoHHEHzPxV30vO0qkbUyy2Df23VivprZc/Zt2Z3J4md6htNhy2QzWa90z7N915YN+ygzmurZe23etxhK271yYsUcRav9EY/LOLVm9a5sp3sySKUJHc24+WqqOdDp2vggr4T40acj3wIQ73T+hE0ReYbFD/6q9uVn1M1VQ+YVTJv5C5x3JcWqYiM99BmEbmrZ2JXM3fyhm7UzJSJDxYbE6QF5rnXym9Kzb0h+M7yOgahAX5HoSGVRJmj3wFju4xrFHWzLXnOC2kiQWlkcbZ3ItWucDZXmxafQjE5BUQDmVAg7Y2uZBE+SKPnTOio+TGdD77tmsvHacEgMUVGgWTkZdpQyJs6Hf9OQDL89ZC3UxwHggmKmpmkM9gP5OrAJd8DXdWyGWkV/xXvkqZIpLG6gUATARUTVGCUyF4wO1JLvn1pX8EuVNMi0lPQ+5riUTiQjPqdK2qmkt4pvaNVZazKhhkkVRxgCzLSS6TIR44Uo72t9Pr3hvDO/QOe5IJRLtkk5LHFLnbDDdiW7Sph/H/WTaj0O8NitamKn1VLbmTgN/x7jy8Qx2Zb/ALUOd4ks+tin03nRuZsX77yc4e9ob+ziBKW4tn/8ZAcCg8h62nyPr3a8Ntg/4w4c/zKzIrn4Mi72gXGpsLsGn5cm1hM/9s/P80EuB89YasaUgZhSFeCjVgK0YVLDGwUzfmbnVZvDteUIXukGTLSOe90roXrqrDMpb62o/TJ8PpO1TKoT9MimBsHPskq3QyJtpaxazAxZI4PeTXzzsBa2dsxM/hP6wT6pwqH44RleXuZQuHCQqw5FcybLY4MHRQCrg7LJcRsdhiHs+/dTVAAQK3ZefQSB1ohsp412a9MgDhwJhdSiluzyw03N5aNIPvxKFcC/fq8IBmwORuNwOa4KkWuJxH13s7wsnn5wKp1//BTCqqz0H9NXRoH9BRv1VdY9xVXkp462kQNQSRdWsemgcDfMPAIF+WteEcCd3BqffVxngO26j2SDWNXzjAGsQ0vDz0m4jBAsjoxyNbExklJ0aubPwtiHx0WiwJYQ5OB6RpwvBONRUilqlbV1HHeL5bAPfdyKaHZUYyyWk9DDxuEc0OgI2h/P7Vc8IE00tdTpYQZ7Tuu2L1jFdul6h5tn65vCgFOTLs4zCH4TyrzpoE97IK14bo4LNLgm7QT475K6t1KvWmnsbvr6dq24turmFq6tgYzOnFFieQZCVpBCoJjPDputCg+P1gv3JtsOP0tAItJj6HkgGb7+W+xQE637Vl6lS7HYfZpVXJgFJKxHJO6iLsXai4qDPz54da3EG6ol83gTZDRmVRUNv5ZZUm+LjGN9w42njao9WTK6qhdgWR+4aCx8+6PHQ7TS8ORFVoxqmwhVfJgD5lPfze34v2Dd00MhmkYCRcASmTkdlXyPyxlQ1cv3F9m8hewti9rhmTD3q2hUyshi3Fj35KMVUbkJbxFiUxhaQNcEkYJtPa7c2YePDMcFFf5vAhPbgDCB90imx1WM06rJiUvWcazuTlj7okR+pBC3PFiSRw/010R35cBt7guMfc/N/On28BgUMwWPfkNApJTufdHe54yv2a2lF48doufxsJ6KDT8gxpOPvEYB7+AlHie1zLV0RNVYQBMafu8u2nKuGRZRvlJ8CbdDyOOk+k99TW3VzR4Flg1CPvwQcxtE4S/1RqH4wQNiYqvVHwt0U2lvIvn6+gD7JXk6qdy5ggrXz5ULJ31R1YFcbXXZJ8gpU9FGGHXACuGxcGbx2d/nG1N4iKrQ0XEKhHZqXUbSw0xls17qy3OvlruBE/wdZ7IDCVC0AAA==",
            text: ##"""
// How values, times and figures are shown: bytes as they are, numbers digit for digit.
import { elements, members } from '../json.js';
import { button, element, plain, problemCard, svg } from './dom.js';
import { entityHash, settings } from './state.js';

/** A value that is not there, which is not null. */
export const absent = () => element('span', { class: 'absent', title: 'absent' }, '–');

/**
 * One JSON value, for a cell: texts without quotes, numbers as they are written, `{3}` and `[5]` for
 * what has members; texts longer than `cut` and numbers longer than `digits` are cut, with their length.
 */
export function value(text, { cut = 200, digits = 60 } = {}) {
  if (text === undefined) return absent();
  switch (text[0]) {
  case '"': return shortened(JSON.parse(text), cut, 'text');
  case '{': return chip(`{${members(text).length}}`, text);
  case '[': return chip(`[${elements(text).length}]`, text);
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

const chip = (label, text) => element('button', {
  type: 'button', class: 'chip', tabindex: -1, 'data-open': 'value', 'aria-label': `${label}: show the value`,
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
      const next = element('button', { type: 'button', class: 'chip', on: { click: () => (next.remove(), more()) } }, `+${count(all.length - made)} more`);
      body.append(next);
    }
  };
  const node = element('details', { class: 'tree', open: depth > 0, on: { toggle: () => { if (node.open && !made) more(); } } },
    element('summary', null, `${open}${all.length}${close}`), body);
  if (depth > 0) more();
  return node;
}

/** A link in a row, which keys reach by the row. */
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
  const date = new Date(at);
  const parts = settings.get('utc')
    ? [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
    : [date.getFullYear(), date.getMonth(), date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()];
  const [year, month, day, ...time] = parts;
  const isToday = Math.abs(Date.now() - date) < 43200000;
  return `${isToday ? '' : `${year}-${two(month + 1)}-${two(day)} `}${time.map(two).join(':')}${settings.get('utc') ? ' UTC' : ''}`;
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
/** Controls in a row. */
export const actsRow = (...shown) => element('div', { class: 'acts' }, shown);
/** A paragraph. */
export const say = (...shown) => element('p', null, shown);
export const remark = (...shown) => element('p', { class: 'muted' }, shown);
/** A list; `told` makes a line. */
export const bullets = (all, told) => element('ul', null, all.map((one) => element('li', null, told(one))));
/** A text of data that is code. */
export const code = (text) => element('code', null, plain(text));
export const heads = (names) => element('thead', null, element('tr', null, names.map((name) => element('th', { scope: 'col' }, name))));
/** A table of figures; a title that is a text is for readers of tables alone. */
export const smallTable = (test, title, names, rows) => element('table', { class: 'small', test }, typeof title === 'string' ? caption(title) : title, heads(names), element('tbody', null, rows));
export const tableRow = (attributes, head, ...cells) => element('tr', attributes, element('th', { scope: 'row' }, head), cells.map((cell) => element('td', null, cell)));
/** What is wider than the page, and scrolls by itself. */
export const scroll = (...shown) => element('div', { class: 'scroll' }, shown);
/** Where a page says what came of an act. */
export const noticeArea = () => element('div', { 'aria-live': 'polite', test: 'notice' });
/** Why a list shows nothing to a caller without its right. */
export const forbidden = (problem, what = 'This list takes') => problem?.status === 403 && banner('warn', 'forbidden', `${what} a right that you lack.`);

/** What stands in place of the one row of a query that has none: its problem, waiting, or `gone`. */
export const absence = ({ state, problem, at }, gone) => (state === 'failed' ? problemCard(problem ?? {}, () => location.reload())
  : state === 'connecting' || (state === 'reconnecting' && at === undefined) ? loading() : banner('warn', 'gone', gone));
/** The name of one thing behind its list. */
export const crumbs = (page, title, id) => element('h1', null, element('a', { href: `#/${page}` }, title), ' / ', plain(id));
export const linkButton = (href, label, attributes) => element('a', { class: 'button', href, ...attributes }, label);
export const docs = (page, label = 'Documentation') => linkButton(`/docs/${page}`, label);
export const caption = (text) => element('caption', { class: 'unshown' }, text);

/** `name` and value in pairs. */
export const facts = (pairs, kind = '') => element('dl', { class: `facts ${kind}` }, pairs.filter(([, shown]) => shown !== null && shown !== undefined && shown !== false)
  .map(([name, shown]) => [element('dt', null, name), element('dd', null, shown)]));

"""##),
        BrowserFile(
            at: "/console/signin.js", .script, tag: "\"a992eac4740ee6f05710675493da61a1\"",
            packed: "H4sIAAAAAAACA31UZ4OjOAz9Pr9CV4E5Qra3add7v+01HlCCN2BzthiGnc1/X9mGlG18oUlP0ntPnk7hG7u0MNcGBJBeooKuRINAJYJFc4YGOqHIglaY7cm60YbgArDCGhWloBtU30tR6QWsYG50DVE2LXSdvbTRwSbeYC3MMgUr+q04W+ouBO5N9/dDK60iWblqIC2Q4I5SbknmpXsvhSqwANIwE4VuaHYAQtkOjXVtE3fuMzthM9if7uG5Ly9sr3KYtyonqRW/Ln/U5q4bNi5F8ZfCFDxaAhd7ALlWlmAusSrgaBw0jqRqWopSnoX6Bu9A1AhrO20K/mbw/1YaLO4AmZbRrHzFEdcupUBoiWM9sxGskoNNAdFWtF2g8eB5xbCccSo8sK5cKVGhoWgXbeIBdjADXYwpOiFpS5rYzQVAkjzc3VLaXXEH7TclrFyoieQPPvFUF/0deMLiDYTBiUPBwTF6DuQgG7Hwqik9tiJUD7U2mEXAoI90a4YUhnKSCYJet1CzKwyKguMLyFnkBWckoTZsGKrEKVbco2qrKuUGPFKUBq2SNFA6ZgXHxdEv5FpaYkPBWqFVEqfuc15piwVo49twQ4NuKfV9WFScqvwmfNNSqY18JbyBSm4VDTCzyvX5LJQU3l2WeXoS/eeQHH2D9+IEjo69u9wl5xB/EjSS9q5wPvQjZGeiajEjI+t4HCdJwCC1RvFrZfFggPDZwbXvyU3GsJDqXDlkrpi3hmOE6aNnKTyJ/tQESndROvTYqgLnUmHxzI0V3DXAjPY6OhoAV2FtH4TN2z4ylgxpB6adSgdBcGZz5qeasfa984lf07f2c+SE8JxGFhx34TFzn7/TilC59Ymijf3DUcAfp8+fPD2/cnny9PwmPvvq8ynnWPJ4iWfhZOBvjpSXcTQ9u+x2b9CVFbzYFfwOzL5FYRj68wsHspql8E2es6XcbjZNJXMfN31ptdtyZg0ciCVBrXUHwWVYHewF4UOTWfjnyHS/k/fPdnfDaKExLJajdovZ1JmXRymFBT7u3CmUeUqwsvihglduJwMDuW4Vfa87Ff/Z1qdoxuiBimyBvHf/Ipl+8s2c0ETsx9ev4fKoy0cqHbvJLr1/stnWZCELCyZ3B2CVzba8t4t96KC9AXe9szWPRTZFYXcNpA3EFRJUOHdtDDEH4f0YLoWnySSEwwd61xpqd7J1RqtFkIFVFgsh3dLzHA5kBTYMMC6rwg7+NrqWFuPYoNXVGfqVs0h3ZY26pfFzCpcvMXWe3dWHjH/X9ENNdkQWOTbeAFCvjB3PBwAA",
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
    }, 'primary'], ['Not now', () => undefined]],
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
            at: "/console/specs.js", .script, tag: "\"0ddf7a7185a267532bfa0bea5fbae2a9\"",
            packed: "H4sIAAAAAAACA4VZ+XrjNg7/P0+BniInipzsvZ4vTe/7TvZ03JqR6JgdifKKdDL+Mu43j7Hny82TLABKNK3e7VgkQQAEfjjImUzg640Ft9alWZpSedNaNwWtyhWsVefh3vgVGO/Adxu/ykHZCu5XyuMcGAf4se6009YXR6ZZt7jjAcp2vX3L5aBr3eBKDktT1zmsa2Us/nTtDS68o7oqh07TGuxg2bUNZMWkapviO5c93nOrjfNfqludENFUSsUym0ZZ5Ii6VAlp21W6cyPi9sbp7k7ncK98uUqoebobUSuktiVS84fPUVal8c9u09zgKau2pLM2a7+99MprPK4qPU7dmjuN5202XqNeLbL4vPWGGLVrsrNCm3Tt/afGPkG11Rb/aBQZypsGiXynSUM8QKrgqr0fqVdpr0z9oXLoHVTP+O2fuhqlt2zxUoNyg4/IOv6Le5syJJVHHBvd3OjuSj/1bk9ZTDpdbcrBOkclAsXDxhI2zsHqe/hMrcVsljUuy+FsnsMs46/T01MeNDj43ekwWuHo1zwM4wrHf/jdb8LEXD4+mjx6BG9BtekYk9Auwa80BAdlDsTirPn1qVtIMBYa9xjspq4RmbrTPTRta3UBjyZH+imfa7mxJbNqEHHGaTxA5YTHU0p4OAIwSxAvTb4R19WxuC7wT3khGvds5ppVNZfy+NVJ4bXzYYeETvtNZ1nsY9zdD2dFURBB0RCy3qprMRGz66qYH8uE2eRWzotgTiHcpkED5MiJrJ6zSecSzt8AXIHjfh4eBVsXt9oL+pI5nKKZdkfD+dghIUzRIcK4q26jiQ9jSFz6ztjbYTqH8AEXkN22bZXBFDKyWIY82fZ/oSBXUGu1hLptn1Cs56BctO79FDAqHcrdWI/wDkBZKL9gq0dzl5uuQ+yJByDDoGpZlg+TsEOWif2H6fPzczxuhcnB6mps6zElz0eiyTeo1fVN6iw6pG3hTtUbvT8ocQo2c2tlUS+/XWuEWco5c2y1DF5/HRkL5PzMt0+0lWMBh6DqWUiUlerMcsYKh7TYuyfulLQnPdFIHKUIoTycsPI5ZEiSkbxZplEDyPJIcswkck5YYc9+2N5DpfU6yfK10e4xfzqKNAVWNbo6LAtEBDe6xt2IQ6Y4dHSl137lhO9UqdGl0bzqpr3TaN/ZPDkUU2GUrAUCY90a63VHaDDo9aeEWmYwsDDuc1boHI1xPSG13PVk9s1kHqOyZyHJU8x7xpzQQGfzCw5JtvyC9sKrDz154WqDMfh7idHIyZIiNvv+DM2XTbLR7CnNfp/J3YLO0SeMXjOJqcfUGgQftqi1vfUr0uUlEUV5Mu9fsJ6KxasPgU55cXImd5OFlBLC1LpdC8kChomNWw1MeCHaMJVFB6XFnYx+Xjw4dJxbGio/Fi3wzkrZW50H++wWoBwXV8dF3tgw+NGUSVa76rQWD2Fzyi/EMLrmXaokmBeETL1f6ztdO3J/3w6IbFNnOZXsWjmH0UjMM1R8HiMywPP8EFG0umw7EIEk+BcVaSs9J9AGRKGAzmg36BC1MI5UDMrMiH3YPyehkYowzRhjlIjiWL46cYV+qktBYgKMLjCbZPKimJ0d7sW4OI/Jjsg5taUkxlrdIdFePBwjPOENSBTC4E4NleYQ4GMUar3WthKRqjZsTgqD3ponJJ7QWimvTnrsZFPgQyTBxsUiHI2To8QtkOUsCnprpJkYLrj3OTRGypS0jXopVmvV6eU0aVIEa+hwjfhLVGPEU8qoAJr0pT5dUixFzpTQDiCElBlxyngPLuFPZMOcnbGlJibcY4kMeCLmyT0Nig87COHpBgo5d7jBBnWDY6Xcp4Uw8SNwCw4/Dzs4XpPeoSc/nafhxSqorejVeHvL8kHVraVOZ6xW3Ee+LDLJeT+p6LTm4GYLikBZmdBcdaAOk30ekoN9kuaDHsadVtRTf7GkNgOVomzNHxdDLroAHA3JvV3rrufp6tbnLAh2vGtG34cYOwLcPuv7YpHiJjIi8MSBPPwOZlpgiidhu4WcI8MppPzGOKRfGX8yyOYEY27bRWgVyLWHNiDid9p601hObSjjgfGMWDTUytYKKyUOLlOj4rxx75vbTYd0S1U7jVJX1EiJb/kqgOsV2eVn1UWSQLfLU7Ex1yfSPyJ6lhCvHIJjfrx5D5tk9xUh62d0/s61lrVl5H18+cXnxVp1TvMCp0kK3EyOhfX4SSR9jTOISZZ1iUbWVSor1T5ij5nO0S0H+V1wuSal4rVRPFBjR3K/HSzoja/12Dm0UAaPTlP30s0NAWbxwL1zbtuf8gunHL4JIjXRJtdCkX3ejhqqlXKg+kbqaqUJWkuyNK++eP4vBy+e/5fZv3j+P6ajO1BTZOHSKbIYwSQ/o77Ot1BpzIqdBgYu59dgFLRVrOdBfzxQWqn/sdHdFs7DpVjEq6SIhuMjxiLNrrFIH9NyZe7GlQizcrKDT6fdeE9CQbfkH12utYcnmtQjUA0zxr29cTTJaNnPvlO3Tlf7+chfU51j+xJanNb2bdw+3I+FLPBIdMXCQ7fLTIYklX35xeUVt4R3Z5NgjEnPSPOBaWoaf01FRi+KIrCnBJ5kwSmEaaIhHtpNqQ5r2M1ZT+W2toToqU6X2txpQY6K1SWcL16MuO7wI4sg+6VvDYKdKtM2ZLiG8QpXXMRBUrvCcpqSB9kw8kCU2vu1fyEZpKLBrsJ93IFNsR/v8yZcI6haF9mgZKyHzJpB1q/skkN01G6lLxWsdyA8rFNIxi8xghNszD6SMtRsnm74RTjAs2fJ4dO+Dzt6ZB9IB2hUGXb2rz6QXvQbuKeXB9qKhiarEucA5sGpe/Pjhmh63JIKj6jiKoSQo3eYS+2HPFksa+U/G9XhUHuTMRtCygNblKvWHIaiw6/SM94z1Rl1wtk7m+LIsek4g8fgx4kTniDIY6fG1WVIi+EZCpVCs057WaEFHUxMSu64cPA/UYtQCVgLpkdRofOz7f5EWdoUuNCItJbrws9xQpIcwjF1xUNyTxKvxEPGO1gK/f7RT8xmoegSGDC9i6QsI+D6hjuFY7JOXYe6CcCjN7FYgFP6pFLzXZdr708RMJukusbqOeADCYKBkeytxIuJ9Yae7g04JXnBV8z3Um3To4Z8H5Siq2KMhzCfw2/kfD5YLyZuSn1hynfbmGcCBh+AO4kdkql7ZTy/7Yp9Chdpythni3x/XaX9A9EOSn7tFf0D9D6rpVuT1+mBMA+gjeTjNJgkrSRfDys7eZC9xhXrp7YSdXimjtm0X0+fhlglvq6k964OM3+tDy5IoeBzpIR369i3jNqg2GGGShLhHfJwQEvon5AsJ0s4Dm/8I7Zz9P4PijhhTAwhH/5S4KfaihwwcpKays/5Y2fP50lO2KwrJBU2vt/GrIozhakodInzoVkTcx/S8eLAu6TyKhK2saFI8Ap9Be2JEwa79Fk2Jmp72J+Gz0EBTnkX3LQONMOlORISkP4P7Xx0y7AZAAA=",
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
    fill(once, onceNotice(query));
    const text = query.text(id);
    if (text === undefined) {
      key = null;
      fill(figures, absence(query, 'There is no specification of this name now.'));
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
            at: "/console/start.js", .script, tag: "\"17e35162ab2a803a96efb0c8051c3fc4\"",
            packed: "H4sIAAAAAAACA5VY6XLjOA7+30+BPinVyMrch7uyXX3Ofd+TSk3YEm1zIpFekorb5VHVPs0+2D7JAiTF0HFS2Z2j24IIEPjwAQR1dAQ/Om7cHBZG96C0W0m1BKdBK8Es6I2CTl4IMHoDUgGHXqrBifqO7NfaONiBbH8SbxyMwQKr66O/rFb1X5Y9vlzk9LlQnwneCnO58kgbfLZXlnJ7XkHPtxVYYS6EqWDDXbPK1IL8itrrwTmtKmi0WkjTP21cBaITvVD4YyG7roKV7toK1ka/RvlzbtrMZqv7q340zv6gN6iGbiMoqMmXgmKowIieG3QTUflKKvxh+TZ3cKU3V6yhG9Jtfzbohmy/kk4Yjj/ddi28bCPd6jtueC/wjc1NOe7EFVtfYUJ+4hhEts7Rc1h3ByGwztuGY2AOAUVpEFrerzvxeWvxzVNj+LYmA8UOOqGWbjWHd9+GsYLizwq4K+H4H3AWVGYPdtzBW/DOeFZOxjCiTpClE/Zs2CIzunNWAXvOuw6x7gU9/IruG3ArAeuOK2dJ9gNi6EWtbrzga6GC4LVstk0n2Om+v7hFIdvkErqLT2H7efTiBL17GH/XIZjTCjdQuMK/eg+Oj4/hbcq/1AZzEeUfUFBoenArbeaIrsIkzDGkpy0n3z41vPGRYKIHy05PgrVTxH4sEWzxxmdlMajGSa1Ar4UqStjdAQghIJV/xf18EOQ+CQq2IRELDEAzAFiJT8E6bQQigXs4fi4sKA1+Jf3akKaXE1Y98CWXqk77rLh9pU0Px2nHoqwxFXojWvj7b4hVIy3B/63qto+TKuKxlAo1O91wiqIOElrRCQcdtw7fqqHrJtE/B2EyC55+tERsLumJeWr4muzNgf2uBwPERVtRR6HYtSKw5pRbD8zucn8MZoXmzu4/2KXKKQgrKp9yPHsc4QcIxLfCPdfd0CtbnEwpZLJluNy+ksvB4POCdxb1qTjnnuGGqjvuHSu5uHHHsBJrI5n3ZGMoQi/gUkycQ+kpkSPBQx3yeOpHBaNnbgQRbEdb2zm8hxTjRvJZx1+LjqGhl94N4Ba++PHbb4grwjqUW2rYMzLhMSTOnottqzcEpbjADQKa3i25iLIa11AJeLvCMHj0aHrTONN9KbZEkiDoheMoKMtoBKJ8bfzfL8SCD50rMMLw1vILUTedbM4n2Yh/jilH5Gt9wbvBN6TdPY/cvfk9bNTW3avuIWT46PMzsktS+V1y2Fp5wcr0nrYlg6HzF+xH7lnF7VY1UGQYUPcvvDGvHP0xotcX4qlzRqIFUQT0pUI/kTjTSrONRqZNubIbYXBbvuHS0WlVsO++/fGnWMsTa8qKziTdbud59GOCLJZUODyLYLSmlWkF8fT5iqulSEBTk3gmVpK65UYoJId2Kzov0BFpwzkpWuAd4lkHlVCoGCzHV3baaCW4P3mXAlFdGGFXws2awVhtWFnWaFQVOYITk+4Ga7K1tVRNN7RokiJBpiw0tZpiR2g7YeZwJltAuj3YpfMuLB3PMhjGasrUJBuh8cd9Ec/pxMGAoxXuppRVwJwZxJS6PO97p36ynHOV0tWgfxYLbG1kz832asVZ4pf3PZW1Xi67nII/BQHy+XomBjUCJhDgyRNIiJ68ffo4X2RfaEW2j2J5UGxHNXlUBB3Cg1onWWFT1Dkrn/70/DN047CdZeSk1lJbBFQt5WJb7OKReTduP+LSSBbqM+y5Vg7tzX5CS9Sj+HrdydCzj3phlmK2puy9RSMgS/VP6O5jGZDbR7PxZH+u+56rNi/7tREss9CEFbOwPtnI5gWbpQQHmiAMhw+bCJcX7tmD3V7tjkd/WuHObkQpTVF1z9fxqSzRkczL6Mm+e4MK4sy/H3wb8tNPVPnPv/59QJ5UgD6/2ZBb7KY5KLeUR/zE8/gN+fQTvkI8PCGksHHZ7B3ALacHfK8X1MqCek2uNC6Zx8dGD8qFSRGDNsINRmXkuw3Z0HdvBpeGOyRbwhh3uYZGE5IBX3yZBrC8b/5fZZfTzxdXJDvNIdgbO5j9Br6mHuyy60xRjjCbEd+B7bJSHRmwB7swR43XzRS+bD9/wcraiHXHG/EUu9U9dq8C9vDdj1g5srPgWKiVeiXbVih/ZvhzfFCtWEglWg+Nh0AbKGItoetGd5TKE+pbVbRSTSSrEhdPS38xKqJKrI98iNysthmHMaKVs1ePZUpNaMd+uKMuqjvprpYn5uaHSf+wMe4At4Jxb4R9nLgfNs4zQzPMXfIutPqwIGqIzgqvRiZp3aF67XuR/VW6VUFW9sxUWf9h+enwmislDGy4UZcnhNKzjQnhetKjuRGo3GKzsj50oP/DWU1Eqc/KwGv6I47nvG1f0oz1lbToItKLxTZXZeCRVvZY5NnRm8Pc+Mm9iqOy0q3IFOJheDhm5TUVD/d1uqHGygpl9ARnP21TrrwMjsM4UuzfbIsrM1JmMde+DYZQ37do+Ktz6vc+tTHYKur4FWEoXnDZidZPxfmoENYltWAq3VKM6DRvi7KMzkeEfeBBFeWHs1wYOdLA1Mlexn6al4oTayoS390rqu2+mtjkvUjp6mTK8LVpj98vgqUymCqvX5s2yBwhvuTs4MbJphNJZfoqUjD/JYmV4T4UPpEULNx9uYpjyPQ1R7oqdlyg4FfCYJDaANEFXF443NFzaDs1PFXbcDiJN5hofGvBaq2ApyEY93NC1ehHbFXBn+S/7vbKmXC26RYHHveCvQPeb1alazUS44R6RzV9GCpCXz3op2UVLi6nk0W4dZJJrSMcNDeeL7fcnCCdN1dPXWw0+/G9C79SGtCZk0Ruah2n1e3OesXkLMy+OfCX3ejIEzodjt9hBw69B6E+yKMM8stTa1tcMtC7tTJiMccvBAexkmvs27VQxJtQ6UQGVNoQzWCrh3hJARo0/UdIkA4Zc1rtTwGhruOIEzselUP69hQpX9EF3M5j+dPvENywbrkT89g2aCoI8tguo8XU+8Nk9D+2/9T58uabetC+cKzCKTPe+S/UyrG98BUAAA==",
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
  const table = new LiveTable({ caption: 'Your tasks, live', onopen: (id) => { location.hash = `#${entityUrl(type, id)}`; } });
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
            at: "/console/state.js", .script, tag: "\"715e90b07f567a0fc6863aa9276d391d\"",
            packed: "H4sIAAAAAAACA31Y53bjNhb+76e4U0nGHMp2ujTO9PTeE0cbwSJkMqZJLQFZ4yPpnH2afbB9kr0fCgVammqTwK3fxS3gYEA/F5JEnrdSKSoVaX69LuVyRKLOaVkIzUu8ft42SyVbupRyrqiZUakVLXglUrQUNyo7GAz4H03uDa6PBz//8f2rJ//7z38nEClISdFOC/rlx69JKObEqpK1zuh70YorqWXLmqHrXF6UNS1LXdDk7wmJVhqL5uJCsqJmWWcHB4N33jmgd+i3QrrdaVOrppIsNaPJoq2g1ZoO7epS5jAYlGzvtWxTo6BZ6Fuyad5Zk0HDU30zl7mc0WoFoiEp3Zb1RUpYf7J9LfPuZV0vqiolNqLbhuQhfSPmj92C2/hks6HvKzGVrGpwcAAnNOVy2uSSTinW8rVO6PQTWh0Q6fbG/CZqpV60taP75ccvXjRX86ZmLA1D1so5RD6rqjg6jFKKKEqSEXNuaCr0tOhLAcuIOGqCKhZCkweToYuQ0hx/BcaDzehAvp43rabQRo6cDu10y28w48HJcxhigkefNi1r/PdCtjcOi6EN17JZVDnJOufta1EtJDHluWRzRQ67VMPRKZieZKVkBtysSbLegS20Ix6cPXh4eO+vxRH/eYRfxzP8/HA2HlykhrsPZtLzgODBYeTNf2rRU7Qy4dvADAfQbFFPddmYk6Sk2Y4LoYrE4F5JDbMAGxa31v3r3oA1QAFROSNeeHAyG5SZlkpbjxLHGIBvN8BiMTibC12krLls1dioqK6lMlSBpr8Gh9A1iJKAtVTfLWugB2aDHh4ypVmN+o1zJY7+jgL6xlDXcoljbZhUNisrLdvYiEqyK15X86rUoRqkPPP16Lcq7xhW8x4wIZUMjy7okGJTNSpZX/DrE5o8ub8yK/80ZR1HD6NkM6EhRaGtc/jgJGTGpBjee/3Pm6aSou6gN+RnR2O6c3pK0fVxROu1leHVPqaTpJ9GK7LloeN98oRtQF3wa8ccEJa3qLmalLXM2XYUChqG8fSkiakfqUF5Y3I3CNSrWpf6hk77Nn1CJ7AT9bEQiqPFsQlBKPN9HE92tZ+MExoa28Dc92+rnd2T5ikC2iaRI1sV3+RQmfed2viCZyLSO3qrzmrhT0tWMnCvv5vF0Sm88oaB4DEdsTlnVqsVglQa07C3mKmq5PN/lDJPwhS7WyzrkI6TZDxCwetXPJM8MBIGhrldNVOBfM9Mko+8Uzb1wMA+953yaZplme2KSFWm8kfzSeigJ7aU9pSDwhM/3D3H1nzUKXT2oKOhBYrat3qPAIelrKlpc9minPbcDpkDV6xz5pVjG2T66A3cjjmlmt8hIhCMDfhQ53F8Nms4QcaGwjwiZyzTk4xVObeedU6YNh5aOS1EfSHzkU0uxgNRQGPjXp+aZt/oAoRKixsSCks3ZshYtqXWss721XJo+b5nceo0qWQ3sE7StgKDIUhF+AM8HR3wC4qgQdK+ciEJ2LAEtjM+OI7VHKLvzv+RU51dyhsVe6O62toBfsdo5TSaVotcKruRjLNZJTRKeD/7Oo9ABkcCq2CRrZR3nOpCoG575S7KiT/BYDI8fsHROdmIMIKFHEbOTu6vsLE5vb+yXTn+yQwIcY8t4TpvCmOYK75FGKT6PcIs7WsSm+5IlWbA+PKn776lwkxAu+lQ5l+XDKuocKDLHHChVcdH60dPzo4ffTz+K18dpccfbpL7A9u6QfQEoodGcqaML+XsBjt+nPitaJSkXGiBcfVKilrT0sy2pQ4HWaWbVuaEnRFm6hul5ZUpusbiurGHe9ducMBkkFqjV6SaRTuVQ8N+u89vm1OE+lZFtNmWtouGPWBpK6rKaxZg513FJ6t7WYpS+2ddtI3WVbdXSFZ1LkVHcCVe+8emyu0jGsStTNe9aX7WtNRA457kT3FxCQZ8gAtu1nQpTQWs1VK27AiL2AULYn8xI0c/0YHbvkKwQhIaUEw6OnKLmC/C3glUYLRSaxB8UXDF3ll2TQHl50IV3hb0TmPH5N791T5bXELO2uaKG3VbShUzC6aRM5syffmIPVwNj8YEtzfk3u71AiQ7MuwYEEhJyWYGMtkpcKz7xZY5hO6DCnXbDvtNbW6bwGMXpVxqUVYeJ9BsTbjHOrHyFt37HYK4HY8Ae+ev34KI3cYk2FrZzCt3dUE+hFdOqaZiLpU7Bv5uDW5F5zdwVlazXVchS5xXMuzG/Hs73T+IT07W775Yv/tq/f7z9fsv1x8crT98vv7wxfrDl8ngokTXf/tV58HJUf+y81kDOxsStakuZEhHNHFMk6GrUn4f3w78bXveSjPys569jfWiMZcjJJEVB89molKSNigxG9te0WxAZ5pFf+Jytd8P705KQkWJannjXftJCy1jW2UwmBteMEno8sTzhSreSJmXao4L9KtrnBxcfexTZBTYtI+SbUt54QpBfwDrf2/YC4qSGu10z4Cx2k7QgMfGHMaZIhIHPTu1t+cxVLqiIF1B8HKtYAubIe5acWJMy2UlgQRLMyocVthiC+NAS+KuKAinL1nbehUEd0i6ZT0bB9KAfpJac36rIdXyWramB6buWZBuLmVNj/iP7z2XEhefaNZKVUj9yH32iUZuu2rgmWaSk6P3PuLz22GKxImT/V9S/C3WNGgz2sem6/2kmxYF50LqL7S8ill5Yi52Z+P9n1T64hLzXaVuSFk5jEbLr5q48brPKrcuGcqhQadGIusdUjfBORdgjV1LmeR2IHrDm6hQky3bqB/q/l00Aekb4o2tvfEOgSTqAaa2gKW3xx5MryxybAG8DSEBsm87yExpKZoqN10SvcD1AMsKEFOTHNXiqlbDoIv5IASgRY4sSuw7aD2IL+yWK+lwVe3D8u1S4XcoIZyUzUIPZxA6Ch/3TIUCU+qwGnlPfZOsBNv0/pH5glZi5NZmUePwz8pW2dkVR3Iqa5yi2ycosjtRYmeD1NBeyatz2SJzg9qA1+6Tgc+wsOz27feSYT5zmpGo27db8fZ60tQ2XPzbfG6B6nF3U2cPk77vP1h/TSu1IKfotBNb88A+njjXsZLv89xsBI7D/G+xFndC+rF3N8bTrZ9GRODGGds/7jkCijD+LBSfZwIsH592YPYBdAYaQ+iJOQTWgpQCN3FVsssdQsgReAjr35qfHOnmWvoUfVsi2umrVHQp57qXdTyg/x9T9pNeOxgAAA==",
            text: ##"""
// The address is the view; and what this browser keeps of its user's ways.
//
// `#/v1/TYPE?…` is a search URL as it is sent. Parameters that begin with `_` are the page's own.

/**
 * Where the console is. `url` is what is asked of the server, without the page's own parameters.
 * @typedef {{page: string, type?: string, id?: string|null, url: string, own: Map<string, string>}} Place
 */

const decode = (text) => {
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
  if (parts[0] !== 'v1' || parts.length < 2) {
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
            at: "/console/streams.js", .script, tag: "\"5025418fe344ea04e2a019d6eacc2feb\"",
            packed: "H4sIAAAAAAACA41Y55bjNtL9P09RjgTn01DOofvI7ZxztjX6LLQISZwmCRkAR6OVdc7+2gfYfYd9MD/JXhQgNKnWBocZslioupUuAI3H9J0zSjb2grZrTVvpFmtl8SzdiNxa0bIzDhJH12pdtSUtK2Ndca9qNto42tNCtxA17yygr2rVqBYPm1pWLR1oaXRDWTEudVM8stnl7bK6su5ruVI9JS860ZLOqWYDgwvdNLItR6RNqcy7nXO6HZFVbdkzwN/s0ESIqKdklXmszKmfa8u45cLZb/V2RNc7p6x323lxqRd48Uh23znp1IiW0IRoVT1WwNF0TgFbq121UO8gncC5cZVuZe1z0Rn/t9Hbz6v2BqgbWePdVY3q41rr7QkqQKrc7gcD5ZUe0bZy66+lkY1yCLO/1GMKa++hHNYBybUudzQhkdPkrYBPZFGKymykAdSulibLL++hCX5CvUmSX61rRdLeWNJtvSOnaenLXjkIti1Z7haqLHy0ivSSWwXvsXXKIkCA5F0l8ehB7MmpJ44ODGb8/w/Hj198OP4tmLIPr4r7D69h+8G4QNKd8LpAFcz83ilTKfvV0ttBCtmE4Lz71xFlUSPL6eqKprO8WFY1EiQE8LH2U0coLPHx3r9P369VAIUIJHvZIWo81qgRouaAN2jQSw6QRyG0Dq2ht+gc1UqWPg3btTKqoPvjAJktAO9p3BxXYR1Sb39CKUWGNIwB+/nn6Sn+hm6OX/786z99PMeeEfNnnt17lcN8xCZzuggzFpKVsrWota3alfddlex1mr3/wecffP9BNrptJ5Edcw8p9GbH5Utp1FbVdcw1Ptqvtm1AvyesrtUFLL4HL+rYCVmc9kFNqjLLc/x9lc14qC4oLMpG98gHAMH82X1/xQIzoQwHPUdtEEmlWq6Oz7zTN6ql7PySQzYnOLhdlR1IOhoqy7I0ylpoIyjYq0tfZFQDZd/K3aWvN5aEYRWp67jlilq1K7eOvbbL+k13wKKz2jSZTOhFhJP5smZ0wQ/ZoXh2z1n1X+gTx2g8ct22auE5I8QMcRzGizhhDorgKfJE4YHDKv6qUK2uxV9UsS1MrgJJa0NyhaoU7Dg7zNGEYAf1hKll2bXR1QYJQvkWKqc9ShPaIPAYTXqEJrD6+NlIp6z/qrb0hdzgE4FBqpL+/NvfmbMTfXpNOqSFjTQ3WDf3s/7s/gvp1sWy1toIfjSISDcip/v0EmFCX3kjL5zG7oSGFi+/lh/mHgI8vRPH1a1lYjpVW8WD6dC+fvuqFuseV/XzmdkiIbqOFBXISwwZNgxob1T2FKgFzVuVkwna0UeE9hth5psKTf0i0tzLVCh0n7jwUKyUE0PWyrK8qNpF3ZXKCm+zZ2Oh665pfb6nkBFAtMB3wTMGv/Ja1XgJmzgElf2wWnUGCkuJnIzitMVxDpyA0avKwzg2IoMDsXBjQfO3EfWVp2G68QZR0vekFXd7kdmNbDk9i1paCzROrsKeA6mndIhQ84wOmJxBKfIZZMOwwlT3QnsvCgK+tLEK4RcwRH7iecsyuootIRJHBsU8P3GVOKHn650ouaNqUR7Vzze/n0l3TOIjq5k3eZcXn3731ZcF9lyr+AOXvO3qOjsDqparnp93w6Hrejfw5Ux3xhU/cRq6tlTYtVVJf/xBSRpc0lU87YQEBb77smuulQmmPLPqBu18Dh0Pdh+ffx/bM+jO913q/2Ao913IfMJS6F0V/vXft6M4tTAM7d/3ZAgaoriNZZ+4dNrlnqwrNGo657B1kkZ5EgznQKSTd3ruY2zR/8hyTg4hj2diGFZimHa2LgaLeM2ZjAei6Of8mySp7HfaANeg+1LOOF/7ADGSieS9fbhfXUYNo1xnWppC57iFXcWzjIBs+sLMI09HyVZlaJWe8lv04v/ICpzA+f89u+e0ip6NB/QidtRGGzXPZwHY4U5GKuT0SS8fH+qOR+RcQlIXhmzcpd9zOQusMS2Kwm9x3yl3eh5osOuJPTGQcLoLz3k+Kx5prAWUND2zxOV8nqRJuvuIUBy32yCsdCbrteh3SRJ3geMdI96DoPIAfDHyWwGb4ivKRTj19+4rIvuSOTE1vGx36Pl2VdA7QPNYhR2Vz8IBpDb+yeiVkQ3JzUZJY7n7/dZaq3DY4ONDkYX7kci8IUQdkMSsDnYSvjSJ6fSW0s+fAGMBzn1ECyZ+x9Fymhj73Ck08HvaY8OCT+yJ3xuUzn+LYzBN3M7U3dcMm0Ae7HzwBNGAOYzuVusTk1b9HonJ89Jw9EPPn2pHoz+ZyjnVDs0lpjtvMHDJXX2YnMVixGut6F2eRTiQ+4vG6Hht8DTUH9hStitlbvdwr6YehDaFVEJ2bMf4K8BFukL07g/+0Q/DsTUSQ3T1gB/sRi2SszShnivOjF+63SVrdYXFPj2jyFqsEssaLt1ijtM6pEWjSwW7y8gcUcozDHG6BnhhGBljkdf4mOG0lOOf2DK69WPgc3dCtlP+qWQ2IFw/XAWC8OqJeaslCdblqyA/FecuhDmtNF8Fb1WAJFiJJHmjdvYi4XgfyXEK74kruYRZvJOJtEP0YVclEDNOJ69rVUAVvcVeElroPBWb0WPuR1XY6i8qP/5yI44NIu2uXUSPcisr1/vhSKSm6RuK3TOQ4R/vzyIxote0KZVpt4h/wckGiT+GKu6E1Z+p6QzTNJ2mHIXfnJKju4vThKFn+BIFGHjzPy98K+PxId3m/Oos/oYim03tUXXtTcuHDbXURsXfGJCXkn9NiAWJ6jQZ1AsLSKSCwUkPXVXa016EGxjY88xulMFqhLZQBeQij/e1i0g6wyIk9jlcDixGzJPh0aff0lED9QpPBVsaNA7cn0hzloXzE/G9sJFPxAsjevGFF16g+yRulzwY2M1pHD5Kl77gObVGxGkZ58h7GYBNXgEkrg7HuLyfWaOWRtn1baSH88UIvvwwijxn+0+dmZGgVfKQRpMhy8FUoIQJAfL3VaN050RohZCMPGnyTmWC5ietU+YxuCs2S3CODbrzLFmsq7JUbR57Cld337uvBmvpCLinoig83rAzKBG7CW9KmiMWhodl6UNyzXDCl3jDLqKdIPOm+5KDj/pw719j/b2pjBYAAA==",
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
const farewell = (row, isOwn) => ({ title: ['Close stream ', plain(given(row, 'id')), '?'], act: 'Close',
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
            at: "/console/suggest.js", .script, tag: "\"786ff0633a70b93b6a8aa31dd138572a\"",
            packed: "H4sIAAAAAAACA51Z+X7bOO7/P0+BdA5JsaK0v3PXqeKd+76vz2dddUJbcKJWprwiXSeTeP7cB9hH3CdZgKAY2smcvUKRuPEFCKknJ/DDpbIw79ZtDcYqXUOjQcGiaS32Y1j13Qp726CBTWMvwV5i08PLRtcmBz5StusNzK7dXg6vVLtGUxw0y1XXW7gBbHGJ2hL1Epcz7I2necvCFhZ9t4SkKE5emE4XL0xyeo8xZ1PaHFatavQdy0ndLfcYgjURlbixR6jVEs0XC5Kp7OUXi4icN/aI521DVkQ0BvtX90QSSWOvv+vJ0EvsMQd7vUL3yFH7UvWk0uKOaRRsi3tijMXVt11EZPHKCs3BvNPGuiiTySURN9riBeco0WuObJKDLOKdWde1qDRt+RXtqb5X17TjftJzN3uBc0sbskhgezpo091GkzKNG/hMrdLsFAgx7Bv8+5//IhvW5HebxyjZHhycHB0dwBF8e4nxQbcA5VjJAONCfwcpARSTCL4ERWN66gxCjfNW9VjnfKr9pkHUBav5W4923WsDN19S0BqDT8nSp8b2jb7I4Ru0fn12drYl+pMDvHLRXqz13DadjmxM2bwMbg4AvP+4slBKGIoLtEJwSufNAlI+nRQuBHAG73I6iTDNMhCTHHtxJ/40yF10a11DSU9ti/NIrGgyXlM+RHgcSYcR/N9j+hVHfewlbp0Q0S5bpweckBP4Zn1xgYb9NUCxBEU4bVdj2DBcXQoE12CxbQ3ozl5SzMC6Y2bQncbCw0KZl8jmp+u+zaA880VS9PiPNSlJkw/e+5ZwxafFXNn5ZZo6Mr1u24ygrMy1nocEhCjsR198itEXjlTt9DOKcgEPKxAOFz45Yc5v6GlaFIWcXfizDCYTmFY50Injr7JI/PQOco1eYE+rCkqH3sJY1VvzAyE3TX5MMmAxMAa1UY0FD8FCtW06TSgGyYkTMDFquWqxfEKJS6piSd6kPYWKrZZwpqGFkFhWZBLpIpxwRyoGLroeUm8lNzLGCJPBtuL6+cKVcEHCegb04MekcB3WzC9xqSYRJjkMN9tMwg4c11S6YuqkV5kYAWVZQqL0dTL4O/WaLpX5YqNT6UtCzDGR5yk/MnUiNZhUzoftrh/SkX0eYctuSNSD3bG9rD9zhgqXt+MlXptUkFBI10/do4swL+CQXWAIJlko4UOPmOYnj7wBAdx4GWGSVsnQbitPfYsX2HIa2mbZ2DH872OHKq4cOQOKbzYpWORppKLvNgZK0fTmm8OtmPKzw43FpUmcpXG0mI0jxNyTYrhdKeLD0gkoTNvMMWWiQpE4t0CKRsapqwZffzENkgW5sR+SCCMWKaLjHdGRPYQjkVuGJAQg8b7gQpCxfbCFHR3B9+5WAMsDixq63zUQAt2V8vE3X3w+hv96DHS87Iwtoma/23Ek1pJBmQIkIH8+9XVjbEPCx04azyzY1mZ48sD4r18Fxh+HhdCvOh4EeiiHuUb6m+sxMk9kxQuiSZMkvh04k38YNsWiVZZbcXoDfI6MFFdhN7vAFgfug2YXMCw5qgjxFcrgM1Hmg39C6K0XCg7PoVsVHqnRzuBXiCH7AceyZvVPS6BuzCgkNd7Q4TC/Y8kq57prW5mDotg6u/7E4dl5Lt2N6JKy5KZ/6P596v5xyzP3j1s2mv+9u0X4iURa1WjDa9IZ9n8ukyon+TLO/V75wuPnPWay/Rr5KDBXfgjkw0vFavnHW/p6WLXtHn0YEqckfHvKBSkTXpi6uZVI2IZBzvi57hRU28qkEQaLxvhZ56GJLMh8v+t9T4eboWO754m0bIFDxBCNWI21rKiMhwB/1QcYhxvCp1N6Ed8xQaLcFft6whXTrRy718a3odu6vSVaaXZ41RhrknirMZ9zByTJYVq+/xqmrBvL5op0y/AsOhMjpfXw7HuzoMXYAyYnjW7kG8MN84w9UHNOA06Gx+202p5t4ZxZz+ORcNP1NczwotFD19WsFbxY6HHVqjmaeKy+N9vx3MPLod1KI3NuxV13hoQf3O0bjwe6kFbXUIkoSadvHf9dHf/043k1ffZsU5wfV0dZEugEiD75X+PFe1er9Pz1G+bePntmjtLJeFoeVuXt9OlZVU5uKW+0RQVwS9DPJkRy22gmnE7TiomfP3tWZdVRnk0yx/9o+vxRdXSbTJ8n9MOZwBa8fp4VeIXzVNwJc4YzJ8B1yTMxBV62p/9VFT6S6cnz6aOkOsmBmrV3XnqWkLWoL/hCkbtp9xoToidVJq3f9XOHTerVvObLJgokl2QJImf/DShQBcD/YiRH6ZSyQLkoD5+e/fwrEQiSqB+TbqkUv+esjq8Qnv+aKyh3OwGzXaDdZduvxJPn6VRsoQy+zonNTgqLhtnEf9hPQxBIIQ5BD6rjuHMLcablPAzX3B27Pql+I+DbEE4uqL1QErieM35MelhlPq77MZwU5GrUhkQMdRKajnDRaKyBpniQ0nf2R5U/rWAL4ztnmTl46UQF94aR6gvh5YBn0qSkuMWLfTJyyFGy6xwgWvuITKXWpenGoZEGNIaoJcuIQgF1U5G/YESDbz6X6hXChlcbZYCBWuf+Y8Ci6Y11VNKu5MNCYx+8XUIkRIQLW4hX3JI2SlvkfDnCwnafdhvs31EG41dRV7hQRllnR3m5yxHV+CMp8II8xysa2ERRfNFIMqMs+kVAuzw7VU5q2Dgr4THXmDwXzqTD0vuQOfgXhuJBIjSSAn7Dd2I+429fS0qCl6d5sn2SwfH+ibDwWRb6NM22lDcHlRYttHzlAVkieSQJL9GAkrEYusUCe8nkOaG3TuMr4RyUNhQ0czos3FUknD6txinYT25833B6HUsOrCHOKrNCOcy9abJuE57g+64lQCZ8OuuuaKupx3Duw378+s1o5JzanpOhrTKGaP0hg1b1jTpu1QzbhA6MfGzxh5dNXaMeA09h8oVGvOHvFG9Z2zeztcVURKi17bwLyHJZZ/LrLDw7kvGkSaLS1BE4G/NOt5x15BGUXoSDP5o0afRqbRP5pPdWSA0YfIW9akmYRkMC5MuP7+J38rIHLeIoykArVGJ7i+FjTmhTj/da1EA354LWRHj8ZNhyFSFggrtM173apP7WEM8l0ETp3+q9fN/eWNrvckLCSsCiDo/c479xU1J6GCnJsjtx3uKn8HgQ1+Oye4X3ckt2v8IazRx1rbTPKwC2Bvfs+DWuHOj69ZneEjBF/fZcpLmv5Skf57ATBenIcfuFbQ6uA7nyD/XQNqRCogpDVYgMKYo99U4CV4WYa0jO3FLYxkPYHIG7rcTSLPeyO01jKSy7tcG629BDSsjTcoXKslj17ue7uFDr1qb8MYo6iYjMMtjC1v/HgFy+4hd3v+CNWSp+l3GfHuU4c7dyAA1dBW3do56KddWkMHPyuv1I2+77BjcUslnbzV9SFDSqHo1NfBFvYzhylWOAIyN2NBItvwf4sA97EHgHPftjddt1L9PdkYkaNBL/aMTKT6MDaaNh2HMdV+DmRsY8YK9FJ/wbfjWN8M2C5QohwfwaU3fzNUe3EGy+J7FmEhE1zLm7/osZv8vb4GeU7l1nh7sWyl2UTx1tFbuPug5UnAEYOd6drhCFA8r4KVxwkYDMS4DRA5S/EstQ4t8Mp18rfYEpGZizlTtkdWNW3KjfY/ynPDDKSrq2u7Fm69msRRMuFuEXIIZQRpEVwaqunaRPCfyosQ8SHaZ+lXDWrnu5z/BX6ehTLBc0kUYVvZs9Cf79/MWJI3ErVzdv9X23ede1iCe5PH23GhN2YDuVPkEaqzvAMqP7EiRaaCmyzrhDS+VEnTfmEIYs4DM095FIGA2Gj+K2HxTwegJPYEyKMnjDE+/pChbLt4D3zFytMIm1hwzGbPf4+KOY+6qwd/CtmiUZixMD3UCYSSHJTiw5LlTW8qCsmOjhvhyfGdutPlousW6URfossVIXinPrqR6Kd1z+0RQcdfGV0oz5MHqFGQm2vn/J9OPeVv4DN6zzl9UeAAA=",
            text: ##"""
// What could stand in a filter: properties with their kinds, operators by kind, values.
import { elements, members, valueAt } from '../json.js';
import { element, fill, plain } from './dom.js';
import { operators } from './filter.js';
import { namesOf, pathOf } from './path.js';
import { client } from './server.js';
import { entityUrl, here, typeUrl, withParameters } from './state.js';
import { stepTo } from './text.js';

const kindOf = { integer: 'number', number: 'number', boolean: 'boolean', array: 'array', object: 'object' };
const known = new Map(); // type → { until, properties }

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
    const text = (await asked(withParameters(typeUrl(type), { limit: 50, ...here(type) })))?.text;
    const rows = text && valueAt(text, '/items');
    for (const row of rows?.elements ? elements(text.slice(rows.at, rows.end)) : []) {
      for (const { name, kind } of members(text.slice(rows.at + row.at, rows.at + row.end))) add(pathOf([name]), kind === 'null' ? [] : [kind]);
    }
  }
  return found;
}

/** Values that a property has, as JSON: 20 at most. */
export async function values(type, path) {
  const text = (await asked(withParameters(typeUrl(type), { distinct: path, fields: path, limit: 20, ...here(type) })))?.text;
  const rows = text && valueAt(text, '/items');
  const pointer = namesOf(path).map(stepTo).join('');
  return (rows ? elements(text.slice(rows.at, rows.end)) : []).flatMap(({ at, end }) => {
    const row = text.slice(rows.at + at, rows.at + end);
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
            at: "/console/table.js", .script, tag: "\"5b1ccb2aa0843ac26bf942968d9eabfc\"",
            packed: "H4sIAAAAAAACA4xXV4LjvA1+9ymQammjldOLZ9vfe+9bTYuQxR2KdEjKZcprDpAj5iQBSI5Hnu1VBIEP7QOkmc3gHdBqgxDEUuMcnN16sC0I+PeAbl9BsFqCWAsXYLmH0KFyoKSvJ7MZ/YGfOhGgsT16UAZ8EEZ6WDlEA1sVOsJZ/GFRQdMJs0IJDWpN99pugTQh0BG2BMHAe9iiwyqdNYoNY3p24oMbmlPScXZYddBaR7g9OTUheVHBg0PhralIzoZeK4k1fGibwSdXHYJdo+EMOc59smSxkpwNvLMkS/jLH/+Yi2A052s9xszUqgtQXCG1jIuSlLAE4VglyiXJOayr8nxPMm8H1yAVNeF2wsOCKriAgoysk+jKChYBd6FQsiQx7kQT4NPvvvqyPISOG052kepIBSUQERtHXlKrGLiGL23olFmB4oIYwkZJBVUaST0Z85U1sWRbsZ9HdEPOoXWiR/AdBym05oDprq8nql9bF+AceuyX6L4nZQ+XpG97mNb1jHwMDbr6uZ+eXCsLY+xgGqwANXJNKmiV1teGM2n7GzZf4tZTbs5xoBWstWjQf9VWqZ0jU2xbbIK/Yd6IdVDMAeW/HDhUhhic0BVshB7GAJxmsp401vhAtPHhW079LlPgBKisN3o6UvwguSfdvyXVzO/D+FiDqZ5XRsKdfq96JIs//S3D934ymd26NYFb8A40Vg+9mSceLED5NAYSG0qcD0ihMO15giKHskuiDueyIBen6GNbjWUT29LhBBZrEbpF4pnnEVahZpcPwn6NEls4PzcU55yHjIhTAevfvz5qsUQ9OgcVNI7Oyn+oVoNj0dJajSKW/ztqCMqRjF0CcHIkLKhMc/hCrO9klIx2j0zlFXQJd+/lx4vBUKTKoMw4nDHjMN78RSV4a/wvqVQX6Xx5Ce/FJpCL2WSCu0iqRgvv4XMatO95QcL5BICaFgdbSQ+BuyQcxg6jhGKxW5Q1IwB41NgEEt4Fg1v4DkNRnhzZw5b3C4cLW+EPW4V8howhmkC+GWHQ+oaxbY+2WrZYq4YDObb4mDz0wux5VffMEUF9Zl9p7zPfltgpI0+iWV4ZKvCFsSErJw9Z8+CBJL+xcfD8CT/nfZevWZLIzePy6EkURDZeH3lqUpG4aUWZpk/C//7zXziPdK54AZsqvT+qyKP8H1wyworqGN6IIbJ26+wZmhxhVDwn1QNufpX4pGzwEByvp4zslWkwlp+blWadtXkcnA9kENyAJ0n0XdOhHHTsSiu0T/LU2ndY94+pcEKxxjmgCby45/DH/ObMzxrbQA9wmdTXokEXq0p3f6rgz0/qnlIvIrPz0i2mwU0rOE9EnsM0WZFoKpwStzslJZopXXC8U7isRpZyWpZlbHDcU0Czt8idXsyvt21AH6rMdmZTBdYwKfl1xs/MSHqu8pID3jfxwlsXCj7xyniHAiH95Maa9PYqGDApJ/yirEkj8TCuVjc0wboih1XGAQVqjPJ1ZiVXaMTPfNmh4GLfLFOqChFSkfsd1eVPcFmOzJZW7o/MWDAda8SIxypRcNQD5vs01W1+FVrNJ7h/P91yIyIkXJW5uNLL53LcKE6GAJnO1XV6pHKIeRwhD8M4QKk2xxRpnNU6koQekAPGFbmkM+USC8N0zLWKLwgq1I34uGXz3A2ABDmHxE2athaKGAt/Smo0q9DBvcM7uExx+jw2PHKX/LsaVTgnlF6vIr2MOQXiGrmJn0vsKzMhyrO0ArnULyge4k/cvV8TY79q832Zm5E2tDIv8eAxvBMH+tguz++LBsGuVvpYmec6OXFQpMQepemg/J7wuv9q+RybUJO2U+gLTpvMDk2uhZQfMNbnygc06IqD+bj/v3Ho1RnmpfZtPHy19Og2ZJE6dKP+L7GubbIoDpRKSrwq0k8FVCfKEE5x70Ha9LnN3M5vkQwXr+8eiPKcOAORUkQ7/ixlk2lMYQ6j2HpLrv9UMidOxyakDUukCuKrjG5Hq+zuHUcG79stU/U1PpLeD2vWejPo12KFr8X88x9ZO+q9DjOpZdCPbY/jRFvl/GuLc/sT0yqjwj76+sDIsbUWrzce2+YAPvh/61aW5DZytN/nFDUrUNNo/JR+ry1h4H3fd7uDYaKbkJpWi2CQaC3BQYRP4SP4AH72aeYkrvyyspDJRlOcsGeRiEJVZtaS25cFckqaBqnJxPgYsbxfsXt1n3xyX7VUR8Uhc5mmT0EePCzv6S4Ewl+SHTzPg+zKspSeo++i8Xv3xsiBlyexNqptuQpf6PiAoIkV6clDESXNfx2V5Xnb08vAfO+2bX+3XTOrGMrUJY2s69jIEZg0UpSFUEZSzGkarjaPJWKhMjDGkIsD0kKLKMcJ/BaZIzZMQIR1h6yFBz1xK0qE3rrnnesYHuD8enrKr5v++ibnoUUYExLBtcRP4uatTNuWzq41gBnb36yIfW/jC2PRUsTKP/AKLup9ZivsnLvUSxRpcjgcHyQAlEeKHucUorFvxp8IDQsVUSIKTuJch4Rp+1scOvL7iDeRDUowjlXiB7g+4BBCAVyX225DjjSP0xzwp6yTeInTF8k6YznA17dh83KzF7xpNMspl7Fc7YJbWyOMAxU5Ot/aNCGAdntOwC7ng5OUQd7AEeqs83vt7jqEiOEpJZlzGojUQvKvngnu8kiucGPmwXKnLU09+BH9sHF26FyFHTBMlXK/obVvVoFdgoFY/b/PkZZ3tZt+4y5SsjS9hcJxb8NsRNBucJUNePWIm/aW4twUFL5TSDJj069KbPgOAWfmy2XTN2GJS9oZcAS+kydOhTNmVecVJtykzDlzgy9k0zmL4QeOF0E9BXu9q3gzyuCklj+meDTPLwm3mKM7/XJVVblIo0RDXUf6EFhCGiEKY+8q6cKPdogd0Gyx+yTNUzdztcsyF+Ab99Eeol02/fzy0Zzav/jHv+lV+Ptf2RBfjzHvI1cTjTP3iPpkw8KywQZXJk7Fph+ZWuHQudzdrJ71P20l9Hdi9FXagH0IOrmhID+QCM+8K0JP0B3av+wZfmYRA0p98FS4jM7DOQmQXRhxIncX8wWSPvRoemwRrVx+uGLLpNtYuCY9+agooxN3cT2CgMJU0Cc4ZrgLV4+Tvrrr+26NifdvMe/UgoRFUoioWUNEwEZ+LtGiXBqUHs6lcUo8iQ0qYo69H30MKah3l2VZKh0N8MsyZMBznPA837uobG7AGdCqh2UEkboEEMyuo9umuYYXyFsCmc0WZ+O3MR0jOd2ghDE+zE9Yfkx/1ya7jiSd5ggvtQ7Ut/Ds3V1PWCRCAW3pfxTKCbvkzeDJntCjFBFeBjsewaddaLpbh40sgIKjr2sIvG4Fym6ehZj0dbNdSlIBnCpfJZ+NWeGZDYJy2Clu8z5qxhMzwFuzg9isGvcpPFq3nVCxmWlOYJPBmC4SUBXaYO/CD2ztJQElOixJodbce4Gm1PiUNTozi8E4jUlwy1VGQh5nZT70Shb5UyzWsIWCchrxA29/mNcyekmjeJVTvMVBZ4C3acJexVBlxMQoeKF3oCiHkYaacBV7O7WIliZO0SHNYVpWmgbLGKSelJDQuXIHAdIqi0AAdrJ3xFMp7nKVI5Vvg5++pYMzsNqrE623SZbQ7tFZFQmUAvl+/rl7ZGJJLu0F2VFPWAe9Ah0z+b0bZ+MGWgimitlycuFt3iAztyshG2YDlVJwvpik+QePslpobBdLcWRBAVumKMpGqQCcOc7ONQmGke0bFd5tWxSkvhuNs9q5sKi/wTyo9HYe/hFzx607TnZspU2KBEnsw+3VwLE1UfdeC9ysY1NwppOUjo4ZOgVJW/asOd6aelGS0VamWJHdn6ewm0pdwQPkPCiA07OZdh7bNjiqXf/t9eplQ+fgB7QesbNSB26Ag/yfhtlY6bRQjO+r8wVBjdEXg28jcUppYEUPBpE2jQXC97VLRZiCcZ+5Wfr9tFJFRVCyRRs40VRibHrXUVmVaoJUeO5ROuq7jvv2HUpRrm2ubyzSdnVHAhyRSAnham4MOO+409MD5YBQLT+npTAJC5dwXaUWhQZSPyBNyxJ86lTrzcnDjq/nxjkm7U2GtWbo0acMSikI1PiHUGkIVighjJDIKOLkQqAZ5AikbZcX7aZX5SXzjiTg4pZNvHBloBqF/hFauM9t28MWpHgBLVyckTahhFZH0UtndBmq2tHxIUrGRBjZRAapGF3y32dnEsCgVwlEEcat3PVvb9syzWDx0Z4YnUc+n8a5DZs3C01hV27udjf5iAVPANqoHgAb6pPf4gnmeCUeQBYHjZQd2Wlt2+uQNKSJ8SNt2iUGzAseWLixvjCx+w7bCk+lhzI1PzE1flPqGb6nJpB43Qt4TAmSpk+n3PgcXFAgLKhEepc3hbvCbjdlGHPursJf3kdhdpvbVWD485D8lS9X67zpC7xJ/As34xbj3rjOikmjWW5a5Mm2RjL36lkllTf6AL6ElKLNU5EMAXqmV5m2SuUTrNWe72/IkxbpRdtucEkHZh6U1HC1Y7H/3Zqs28+aEAwmSyGxYeGkIdrKuX/IeIVgSAlNTyZa3PVNz4lVRndsMu/saOMz8WqiTPzeSeEOfB3w3dFEaJj3JSFqP2+XqybP8pfNm/PXq2V/c+G+9pXZ5o3PfIkOLVnsr8zchXv8DYFkUYdZXXPRBfBq37mr+1eV2EkYy6dzp7RK4qdQoRPx6DWVcHJ/qu2TPrEElc6wkHbnxhGdh+Ch4F7X7ep2LDeVIVEP4jNh93+Rp3dnYR2MMLBriVPzJid6whU/nt123VZR5mrl77qNInvuHs/MQT9n72dYoaxSRY5n6KBe41ZVRbWk5m1JF5HyvWNiFzGYKFz+12i6oPtCiFsMKcQ1ssLyJJWI2p0TnETSYmhwq6qf0oo48LMK4YhQfcqMPQlc3q0BJOVHxt420hlW0vTkc0IvVWAn5lrMNKavDbQJ0ZC5ylRT4UG9Z3r6uJnEKynob4SvmgWPBVlkjfRD1J3wzO/SjRPuBfPEebSWVRGzQc5E9ip5Y3J9yqOUgN4IlEeGk8UxkjWmvnQTBvJ+tws91rQy2Vkm7khEkZhOFNZwstbcXnkoks99DM5GRvIGAFzJNYcVr8wBJDuaTx1IWg1QZcyPInSyVeePzBlhPumY2B0zB4KWwFUWiDOYMnXI3GBOCe4OpUNisGajdEKVBa4d4dVBWIZLpRGzulDoaVg/Ymg4IhCvDnzAlwLFBXZM3QAjpqseqXm13tz1GtQMLuH6xVX3Rt3ZoPU+vLSxYGkCar1aDovCYVi7RLVPRB2PLc3vXuQ7dYkGUPBqmZEJknsuWCHhf3233YYRWWQkd9YqnKpaANQE9mIl4+0vY1eOXA+7CPE4/7xw6WqgKr+eqt1uf1jx0fdggTvpNaG7py11UoYFE0sy3IsNOfCU8gcuetgzKvc9xG6YIz2yoieJYpmJheeYHEtU6ycCcAuHMi/NELZT10o0NvA+5kdHF0QrM1Hh7olvv1ozJJFKQyRgoQ0BkVFWrRChUPqv9VO+JhGVnIiXqdUn8Yj8aESlDJ/KFvdqGnWdLgorQmaeHkS5xEGJEKXaH+13NxSiT817WBwVRiqtpOvjQj7oNdBZeQ2hPcHZVbQf2gmY84djbUquCLVQeL8JN+3j1UJ70T6hVnK33ty8l7jxaJbt9hN5MnIfyThMreOWwnokkLDE71u3OAI/covR+wllSpgjNClBsyLLCUGDrLM1gsvwo6csz54TpkOu7309caMAxx09SZf5qY5S5+lbxJXcc6ojX31QPl2MfqJrjcRsXjabTchF8od9KC9iuqcoz26Q9T2soSKTdVW0yRfCURLfCzSPEal6rYoYJikWDBmPwk0DjBbc5B3RFExBAE0WJjnkOLHJjsfpdc7Vy8kSmROfRXIeryvo8NAflwXHzRoLVXgAFDcJY4vam+Q5pXlWH0g/w6t3oG5edPU7fPPiPpq2abdhqgGRDNl0MEy5VdTEj5ZAOKcQla/S42J0A6N1ZMuPE7QHw5LncL/praoeUVbZfBuYvzM0F301wsI9iKiilR6tEwzhB4RhOkv2jKVNTjisKXngcrmcMyoOmbREElXTmbmmzvI82RlnUHriQXWTL4Hs1iUcPaE36YsWEBtcpRhY8/DlbsqrcPEyDiDdCagmfx2UJwkQo/pByC6EqPSPT4M0L5hTfEs/BzQs5ocKUv6tC2gDxb9iDrjKa2pIAMIKt5O7X6aU9Dv57Axfr6mSUlicVAtAwR3lvOfdui1SJ4bXxWVPgW6m+jR9ufF9ZQgCC91PRaZ6NGzJZQJb8Cp993CApjzyc4rIgOKf5KgtonGo5n4ybRVo3Vy+kCE1+gpigAd/0s2JAWWtRPDhG1RYTvBMy4URISb9Ll+Mayn9AZGLI/OVskd9mnhHd9Y7uy2uOoob4aya2+4WLTS5DsKiaZzAeCoJcI1vPj59C2OYkKdw58CgJw5jarUTRoOetfjc6YrTUd4z5a0PGL0vOc/Bpw/+kI28D3HaqXNNgf33tg3BvTAEKO7zN2aMfiCxetltcecWH4FyZuAWL4KXXi9cRim5GtDcBjvCJOTbxOUqxB9buXGzbZ9t290NwjTQiMdBvlVoduQU82lkbj8AskCOjsFumC7pmxnCdLXpqrFbXL1dMMj97G4bGrdRNDjPq7cQ6GhFF4GV2g5zDHkYwbX/DdoqSGbnKqb1lE8Cp5/ISdernsUFODYNV1uLWTCpMxdG6XVjo0Dnp+/m49pJs10QiHxMB7A8aCShp3Q0WQM7xvqLA+BzCm2Xct+nh3WDMNkHcf/HYs8n7ymYij3M+3Ak5QP9U0yqEvzH6777w6p9HUZc3XbXL/DdShN0os/cYA/uz0O0tnvom03ZmEnLJxCZr6fzPYuqRSHVODF+p1s0Q7CIiNw4nYhnWOv//kMJs3f2jblwxbtz1ckhnBTu4GYjgnjHqKc6cYGIJ0plxDFdNQ1kTtfmuFddKnNzeBff7W0GJ6Vcw2Xu7Sde6SsJ8xmaVUISVX0L9uSoR0Wfsm+2z1t1KbspeEHkxqrDImV+ypwxFHYIhl9OLT/8QDIK06x73FkMrOZHzthpuiWDDz/igYOZ5n4JuJlUap75BBvWfDtWgb9xWwf55J/W296tfmB228zXCYshPeLxgAGJADkwjMcvs19As5urHWlRkIXej3e/H89mrqbMAc071PRnBTX7wX3x938u4ogg+H8AJHKyMqlDAAA=",
            text: ##"""
// A live table: rows of a query, told apart by their ids.
//
// What comes in stands green with a `+`, changed cells glow and tell what they were, what leaves is
// struck through for a moment with its reason, moves slide. Focus and the open row stay with the id.
// Above 300 rows only those in sight (and the focused one) are in the document.
//
// The source of rows has `ids` (in order), `text(id)` (exact JSON) and the event `change`, as a live
// query has. Nothing is rendered while a change is on its way: the next frame shows all of them.
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
  /** The id of the open row. */
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
    this.body = element('tbody');
    this.table = element('table', { class: 'rows', test: options.test ?? 'rows' },
      caption(options.caption), element('thead', null, this.head), this.body);
    this.node = element('div', { class: 'scroller', role: 'region', tabindex: 0, 'aria-label': options.caption, on: {
      scroll: () => { if (this.ids.length > mostRows) this.schedule(); } } }, this.table);
    const acts = { click: (event) => this.#click(event), dblclick: (event) => options.onopen?.(idOf(event)),
      focusin: (event) => this.#setActive(idOf(event)), change: (event) => this.toggle(idOf(event)) };
    for (const [name, act] of Object.entries(acts)) this.body.addEventListener(name, act);
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
  /** The ids that are shown. */
  get ids() { return this.#frozen?.ids ?? this.#source?.ids ?? []; }
  text(id) { return this.#frozen ? this.#frozen.texts.get(id) : this.#source?.text(id); }

  /** Shows the rows of another source; it may go on with those that are shown. */
  watch(source, goesOn = false) {
    this.#source?.removeEventListener('change', this.#listener);
    this.#source = source;
    if (!goesOn) {
      [this.#frozen, this.behind, this.#isFirst, this.#news] = [null, null, true, new News()];
      this.clearSelection(); // what is not shown is not acted on
      this.#dropRows();
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
        onsort && column.isSorted !== false ? element('button', { type: 'button', on: { click: sort } }, label,
          element('span', { 'aria-hidden': 'true' }, arrow)) : label);
    }));
    if (held) [...this.head.children].find(({ dataset }) => dataset.name === held)?.querySelector('button')?.focus({ preventScroll: true });
    if (this.#isFirst) this.schedule();
    else this.#render(row); // never without its rows
  }

  /** Holds what is shown; what comes meanwhile is counted, and shown as one change afterwards. */
  pause(isOn) {
    if (isOn === (this.behind !== null)) return;
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

  /** Renders with the next frame. */
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

  /** Focuses the row `by` rows further. */
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

  /** Marks the open row. */
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
    const id = idOf(event);
    if (id === undefined || event.target.closest('a, input, label, .mark')) return;
    const column = this.#columns[this.#rows.get(id)?.cells.indexOf(event.target.closest('td, th'))];
    this.#rows.get(id)?.node.focus({ preventScroll: true });
    this.#options.onpick?.(id, event.target.closest('[data-open]') ? column?.name : undefined);
  }
}

const idOf = (event) => event.target.closest('tr')?.dataset.id;
const short = (text) => (text === undefined ? 'absent' : text.length > 200 ? `${text.slice(0, 200)} …` : text);

"""##),
        BrowserFile(
            at: "/console/text.js", .script, tag: "\"cdad315e909b37372740bf101027312f\"",
            packed: "H4sIAAAAAAACA4VY6XLjOA7+n6dAulIjKVHkuQ97vam973Puib1rRoIjdsukS6Tjdrk9P/cB9hH3SRYEaB191PQpgSTw4cNBKJMJfFUjeHzpwa5BGUDjtT9MoVG6ArvzoA002qDLYa99Db5G3YLZbR6wJZkyFWxU+8KB8rRmHYaHtdo1vrjQm61tPRzBt4hwgnVrN5AUxeS5s6Z47pJZvwUb3JDtHNa6aXLYkn2Tw844RNMfnVR2IwcvJtfXF3ANf/zyb3/tMBbwba09gtuqEkE11iCUtTKPGKHua0JXKmOshwcEVk6HFTjfavNIstJu0IH2DtCVaovT4DFtbJ+wDfacty06EaoNFiSbXOBL9mK9M6XXlsCoA1GXBlozOF4AlNY4D662ewNzSBX5iabKYP5z5r5wjS6xE9MBgKJFIoGkwkEO6dru4pn7oih+0bbqILKiQfPo62xZbNQ2Tf+dk08VvuStq8Vid3WUbURF+ytb4S98KhsKb79kx9MPPs2Kraq+9Kr16cc5JO8n2WmVFc+tNmmSZNms82LfEsXBC0OqxJTxwRZ7et5V1rqpWgzuhn3FBjlj4O5O3mO83YzP6DWkl+cjd2d/oEW/a02v6w7SsTJIjqcEppDcL5MMpsKw7Alk8kNgdDZApo3BlmCtro6C/QSw6jeIg56Rnw0Lr/zGjspjYdSGiJjPgcjFtTZYBUQJqwKYBgsCqN/+C0Ilb8pnXYgnC3c9pb9XE2KeiKejGdwI03I4F9jZ2BP3ZR3ybj6mFN57DzoyC0cJnaZHiJzl0G07sS99YLqVoREuLJh3tu7O9MTUyIGJT5I+kHErweDDMZrwszl8/n4X09X91TGsnpYj7u/tNuR62ViHSzL77nDLKdEWmA4HTwtzdWSiTlfHEc5V3i+tMtnHwaeNbOzEME7hn6hT2A+tSwo5hIaYOXHroUajPKxaVNUKlHF7wjcb5MG+xhZBSWfVjvyQTnVAn9OiLutBXwGnDg4ekOC2xdv6iaKVzdanwZw0FN8e4DhkICylGfsApfJlPVrukfGO6AT3foYVWnto9vth+zQVGMSqQXduhi4Hb4Fa5FaRd5p66KGAr4KLvlYjP50PLikHOojf6lSpjDW6VI3Q+3a3wlJfJs/Su+n9v54tFstXi0WRXT97dQ8LvzCLdnkzeRy1SHm8f38Jl1SgybNkXJrSELUpm12FLk0WiySDO8ZeyF2g14eUX8lXh1Fzdj6avZNqhjwDull/YSJtA3YMFm8NwNZq47HlSziWZE4Z0dg95wmdoyW+luzDcyz9kNF4uXjcfmW5L6sNSu+fXB3Dy5nAXzRNmvwYSvZHau8j6YSlH4SmPzsnOJLlFvzesksOQszjvSeoZ3EOkKWYFhUlRZwS3Babhqgcg42di3snpORZDjZYYsjWSEdlCbx6xRvgctRjqa/w8pviPqXoVMaKepEYybrRgcnHSnvbFrCSMWEVouRtUxHbPCywwztHxiqLbgarMOyswKsX6KiHHe167dDnzBC1shxE4EAb+Pqr395+8CkhpLC9dU7gU79hBGmjKNo5CIzh0PC4857vq9id02TbIkXrCGWjnKNmyKNPiJ9qtbqtdVWhSUju2x0mcBpc3Y12fqhp14wU8dhGjUhVJNYVSQLAWxGTqLUNklA12PqxYtWiGijmc0GW5FIbnYnSVthBZZ8JqfgehRW6stUPWD0caCkgLnQVCHY+AkpyVmnNlLBrs93RQipFX7Vq/+dAR5qduUwzeiSVtmnO246R1ELEX9ktzNmFXjCDE5yiiw16nnGxom0G9/AXtU0zLnHJf65auSj/95//clTjsYDHwJyvx0EUDP5tzcnPycKY2PyTanYYh8H3c4jLhds2mkhdmCSLlylr69Jo4HWkuzfkYD7S/Yaq0eSjjGcv7+PIXxSFeF68wAOpX8ptmvWX/fnIfC7Oni943tH5L7tExmhauydkxKSviw1plAf1Mo2GPw3zzwc5fPThaBihBuNdwLcUKXHMdDPFIlrbFtIGu8Hlg5k80fjBuuX15kao6obP6GatHEPI+mUQCzc8MfLIsjBxZonAvDY7PEtO8r9ALbY7V/P9lvfFEUxx3XntQ0FF04/oxXSX7OHtVkkBhoLLQab1iDAyAx0DFFURMQb+kkol03OBI31Krq5RBj3ar2yXjcc+TGtb7pyEO0pox5fkCR/7J9eXHOuytd87Kq8uwJTXqVRAZ/A2hPsaPny/RyZJJFB4CJz2/FX6adS2pIczP+/cE/zmHZEPBpjl3F8y6SePMZdCEZ3t95VDDUG2ORx+2PWpeQR35oW/onLo3T/FIjwHrFcLc5kXBqlYEefBiUKRsif8jbjEFcag3xWHN8yP3pnat0ame447hu1EROI552kql0Hv/BuNUTbIF9MRhvdj/OC4H0df1pZ9NnPahrjk8FO6+ng3msJtdk2T97IHCrU1JB9U8iF80fcr5/TgHzckXeFJweXxiimpH7+Id8e4Uk4ho1bcXq6OY7dOK/IsAVLCuiVl6Ncw0tE96cN9XH/hfasJIqZyI2pDqaLDnSxXeqcDG4exneLGPuG7DmY/Fdkw730ZBvZ9zbObUNz/nERu0mrGDE9B81qY6vh0bZsqpZN9UkRMqvqbaQ4wh8tLWh4lILc+mLPBuzCZj/Bw24mMjxpRWD6Fb7D/AzhJ3rK5EgAA",
            text: ##"""
// The text of an entity: laid out in lines, with their numbers, and marks at those at fault.
import { tree } from '../json.js';
import { element, fill, plain, unseen } from './dom.js';

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
        type: 'button', class: 'plain', test: 'fault', on: { click: () => goTo(offset) } }, `line ${lineOf(offset)}`), ' ', plain(text))));
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
            at: "/console/transfer.js", .script, tag: "\"c4a455a988eb7718315c4520a2fcd702\"",
            packed: "H4sIAAAAAAACA61X937bOBL+X08xW0E6NLW9SFGyvffe17A4lBhTgA4A4+i0/P3uae7B7kluMCAomNtLYpsFg6kfvhnO5/C6co1r0IK0UDct2gXozvmnD15759MPPyigUVAbvRueQRuQwHfSGHkoZ81ur42DI2CLO1TOFrDD3SUaC33YKcpyfs9qVd6zYnmSd/oK1VsoKzQnybk29GwnotJeJSIWzX00QWRqvfBRtAXoParXGtnqTQH7VjaKLkZfktCr0lQFWHkf36B4E7WV3k10Xh4cUjhr3Snn1XRGtn7rIXVmq68n27ZokDxQa/zckLw77P1NusdJh2HTbK2VdbDT1r3+wO/HClbw7BP43HJY2kvjPm3+jfT6BTiDJ5946pnhsgQqIPsIuiZ7CD9adLPZ/OwMPqX4LMi2BbeVDiRYlGa9peyoylIscoMga4eGbxegtItKdjok8nrb0IbGUsBNVcLZfIbsIUh7UGuoO7V2jVYQ3n6ir23WxXgpS+RyDscZQAhjrXc7qXxwF2sSg/P60WOCgCzvQTx6bPVaeqWlNs2mUf38/pPzH4OBu17v6tEjqrWu8PNP3n5VU8IVuZr5lbwXcAdIJ933pao84C6WZL6pIfPO0Gqa5RwMus4ocFq/J80Gs8HDfBl95sBhFaGVib0oqLxGt5Qw4YvYWQF9AeIVJGdVozbwv//8V7CGFh3l7kupQkWd6fCkuGJkwiqBaXYE1zjWHFwkW5e6OizgWwJcJj763YqVIi/Y5e+pBmgdaQqZOw/mREH2ASRXzZLeb8WrrbZIhrIcVnegUxUSPrD6/nvoOYiwsXRbVFmQOaZB1bK1uBxkT2i1tPTt9zEJW2y97BPx2RBQ0meO6ZSx97XhRDlzYPSQE3q4iTYYvKshGXfJJV3XFile1fmjH973sEhW2OhPP6USQRz6ZaKbaQkfuAI8fKD3Vq5l4zwBZeLN1z8T47kOWD9C2+wat6Dz+MQTBWyM7vajH5uNwY10GF+UZeld5xvPEQG3lL78pg+Nwx2lKNJo5j3KS39yM0KJkjuEnovBt6vVCgRvERM9TNCw4ohK2zZrzFiulBRguENVTTa1jUJ7Ar3NWEte7uTeW/dbadPgwMWjR14etA+Lef+duhjVMiLKfWe3GcXN6sc1LsutVTBatqg2bhvXGDe0pvAaXmn1ZfYtm/o+L/1pjlIBMOQvN5gdOlkqCtfX+qEAhMcfv6He54urFTUEqamCuMrc5xP4qlYOlYOVDzq0gsy7X4BA30MPIt41SJXoC+Ii5ubMB5L3F6PHNfCrKR+NIAduYZm3TCo5POJwRU0B3n9lwZyua3qFzLTUAIBMjxzlyZGeA+IipY0Jh8h641mPKz1fe8/6LUIW8uqTF8970MHuj6/GNppdTJi3CHX/pU1/Padsrio5lT1Qp6D+lA1tPeQvzV3a8EepnPfOxjwEhlvO+tiJYzsgp2JHYKj/ElNPizOh7M/kFf6sXNeN2xJRJ03F/Lxe3xd/nKZDv//SNM43fB7ihIWYNWhUqMQSJN9wQ3fkd0Wl1i2CNtxKpPOu/kabD+MNF9vbCH0+ZP2Pd8uxMwVt52kT/QRl9QdaKL/mCLit/MGm+q14my2CGOZBDqL0DOqzzWXjCCYext45KYhUa2xjRTgHI3nbD+8zn6CagNzzdKjkcCimjXSWnM+ghsE6lDkaQB6i+AytvTZLqR6czMt/dWgOn2KLa0pQJkpy2sJl55xW4s929KQF19oMjTA7tXkPa4YWpzJnKIwM99DpuF8alFeRZpJ2+tGHn/p+GpiDW2qY4+Z+ir3w2OGqeAFvprynqWriOyW4vxSw5cHR+jYvhiSff0YaBBVP7vdtE0bJ+YPzwEmEshAY/2MEcYNh5aE5/CHWDzt/naN42aN4oPx+9s+oLB89jpW6C0IAxQmfbREMWgfX0kKLtfOfb6Xo/yhHkg/8eTO4QMZG5pAGB8tLpi/uq5QstsWc4Yjg1OLid5h2ehDSY/BzGmY2+8jDyuNLQuAaacM0wy/569NrtIvQ2gvQhl2MQ0scjHkPc9pNMjtLgZtQWGNfHmamjIHK1ofh5omCP7pyjiXL6Wqa3adOGnoorb/aL4nbM/HtyF5sJR2G+asostb0UHFI3vPoxd2xFh/WmR+DPiOB19B3eJOJztXnLzDF1tLJdsH8SAAvK5ZIA+A0vNLVNRpyPIeQtsm5DT6EcxCHxuHpDJ7mb00ZPlS5HJ9/9sb5C2NzT86QnxkyjvNW1HZn/Ij1c1kiy6T4DA1jCXscGmwrFoqnMckiP6dZjOeLhcKUyeNyWApurAY/IiAnDueJSUbgiJI0/6yVnfz5cM1QyPKhqLGcybBMVZ0O1NHqL83PpUHqUWt8uW2Z8AoQIHL2bYrjpJBwjF9YaPmUiaQ3BtTQ2z+MozEar1I6zre/3g6Y8qnlZ0rvk3D7Njz1xE0krbeduqJdk4PEUfI+yOK+/CZCl4kW2bb+NHJIt2IYEeJswntunUG5W0zUpq5CT1YsNQXHGR1shEzx4LPX+2A5rSGnl3mobXPGjX8Ryh0ryDIptLzSiQi9Ymj9Hxo4eVRxEwAA",
            text: ##"""
// Entities as files: out as NDJSON, in from NDJSON or a JSON array.
import { elements, members } from '../json.js';
import { tokenHeader } from './orders.js';
import { ask } from './server.js';
import { element, fill, openDialog, plain, problemCard, saveFile } from './dom.js';
import { bytes, count, plural, say } from './show.js';
import { here, onceUrl, typeUrl } from './state.js';

const mostExported = 50e6;
const partSize = 8 * 1024 * 1024; // bytes of one _set

/** Saves all that a search finds, page after page: not of one moment, which is said. */
export async function exportRows(url, type, size) {
  const command = `curl -f${tokenHeader()} '${location.origin}/v1/_export?type=${encodeURIComponent(type)}' > ${type}.ndjson`;
  if (size > mostExported) return tooLarge(command);
  const said = element('p', { role: 'status' }, 'Beginning …');
  let isWanted = true;
  const dialog = openDialog({ title: 'Export', body: [say('Page after page: not of one moment.'), said], test: 'export-dialog',
    actions: [['Close', () => undefined]] });
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
      const items = members(text).find(({ name }) => name === 'items');
      const array = text.slice(items.at, items.end);
      const lines = elements(array).map(({ at, end }) => `${array.slice(at, end)}\n`);
      parts.push(...lines);
      rows += lines.length;
      held += new Blob([array]).size;
      isMore = json.meta.next || !after && lines.length === 1000;
      after = json.meta.next;
      said.textContent = `${plural(rows, 'entity', 'entities')}, ${bytes(held)}`;
      if (held > mostExported) {
        fill(said, 'More than 50 MB: all of the type by ', element('code', null, command));
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

const tooLarge = (command) => openDialog({ title: 'More than 50 MB', body: [say('Take all of the type with'), element('pre', null, command)], actions: [['Close', () => undefined]] });

/** Writes a file's entities in parts; a part is stored whole or not at all. */
export async function importFile(file, type) {
  const said = element('p', { role: 'status', test: 'import-status' }, 'Reading …');
  let isWanted = true;
  let stored = 0;
  const dialog = openDialog({ title: ['Import ', plain(file.name)], body: said, test: 'import-dialog', actions: [['Cancel', () => {
    const isOver = end.textContent === 'Close';
    isWanted = false;
    return isOver;
  }]] });
  const end = said.closest('dialog').querySelector('.acts button');
  dialog.then(() => { isWanted = false; });
  try {
    for await (const part of parts(file)) {
      if (!isWanted) break;
      await ask('POST', `${typeUrl(type)}/_set`, { body: `${part.join('\n')}\n`, headers: { 'Content-Type': 'application/x-ndjson' } });
      stored += part.length;
      said.textContent = `${plural(stored, 'entity', 'entities')} stored …`;
    }
    said.textContent = `${plural(stored, 'entity', 'entities')} stored.${isWanted ? '' : ' The rest was left out.'}`;
  } catch (problem) {
    fill(said, `${count(stored)} entities are stored; the next part was not taken:`, problemCard(problem));
  }
  end.textContent = 'Close';
  return dialog;
}

/** Parts of a file, as arrays of JSON texts: lines, or the elements of one array. */
async function* parts(file) {
  const isArray = (await file.slice(0, 1024).text()).trimStart().startsWith('[');
  let part = [];
  let size = 0;
  for await (const text of isArray ? entitiesOf(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())) : lines(file)) {
    const length = text.length * 3; // at most, as UTF-8
    if (part.length && (size + length > partSize || part.length === 4000)) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(text);
    size += length;
  }
  if (part.length) yield part;
}

function* entitiesOf(text) {
  const array = text.trim();
  for (const { at, end } of elements(array)) yield array.slice(at, end).replaceAll('\n', ' ');
}

async function* lines(file) {
  let rest = '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < file.size; at += 1 << 20) {
    const chunk = await file.slice(at, at + (1 << 20)).arrayBuffer();
    const all = (rest + decoder.decode(chunk, { stream: at + (1 << 20) < file.size })).split('\n');
    rest = all.pop();
    for (const line of all) if (line.trim()) yield line;
  }
  if (rest.trim()) yield rest;
}

"""##),
        BrowserFile(
            at: "/console/types.js", .script, tag: "\"1c37781f980e64d79685b1cddeb64aa4\"",
            packed: "H4sIAAAAAAACA41ZeXfbOA7/v58CTbsV1dXIyd7rPE/mvu909srLaxiJidnKpJek4no9/u4LgrBEx73+iXkAII4fQIiZTODZeqn8FFZzGUB78ME61VYgTZvWFvZO+fqBXiytC7AB6V9WsJDrCrxyd8pVsJKhmePPXIW5crCFG2cXUNSTRFC/8MXpyH/dh2BNBapTC2VCBTe66yqY2w5PXXZSm0xCaxf32OW1J65raYxy8Tf+WQflK2hsH7fUYhnW50EGVUGnzctP+MTOylabW9S+D9FEuwzaGomHO7v6DgkrCHqhcgPmdnXv/FuLWkonFyooRwo3CqQHtFxFl4QfVwbloFN/dV0uKupzT1anffhJ3uYnxqV7VOyoZ+pV8Ki7WlwrR5ORrZ5gzPpm5+sHjTU+oGNve6dgBsLIRfSFvFZobDQK5WCYS5h9CGIDe9vaf0F8UwiuV4l8CiLgiURPI5jNZtCbVt1oo1r47TcYVgvTd10BZxwpUcKUZIgf+qh5ElQB/eBvXddRFdiWp0ltlgTihbeGTvzm/McfavS5V7QGZ2dQHB0V5WBoY7t+YTwyXTwASPZModBtwVbhJMK8yK27kZ0fzXtOIMD9lo5kQIirR483HEuBW9urRLGtHgC7VxSEOhRdfG6CDlr5oiJ5rb7VwZM4IhG8UObMhNzI/AkPaGGPZOU0Lv2k3LlCc9tI/E9amtBJTgYKZMwE8b0M87qztyfH4gR+D2lvAn+uaAgfzuDkOEbrIU3PWDHicjhskzQMGdHXwX6hX6lWnJT7Wnf6Tv3cK6eT7t/hFP47zEko0Q+haFXTSafygHw2LlEMsoDTKIEpYjCCqVijaFRr3Inxoy3KZlEYW6DeA+ruBak3N5qC9CsPhCE40nk8Rlmca6LwS2mQagOopPeo7ko6A0HeFigXrh5vkudYyBZI/lVUoDguysgYdOii6YpRASFW09aCsQGQGOcKdn4B38zVQqLwfb9527tG+cxt57TyZqflebmfhHkdSWx1p8xtmCMZ1V3xGoqFXFL1+PGmrF9YpIk+JICw2zvbyK4gd+eK0zWSq01z1nqovIJkk/qkAU0PZGm059WeE74eVrQ/tw4V4XxOdQXdgglMYjFSOKxvVRCDnJIqSLGdjHucxJTgWUVgIcxIQu/phugIn86luVUfh0zB73AZGlp/z1BhUtLqG0oo3UxUO5OY5KRLLIGTp0/hY0hAAe1Bcjm3DqQBe/1CNQFWGsNsjarh6YSLZooqzO7rdXF8mZQ4ihqMJ8I0TbILKG2wc9vk1zds90sfnJKLtxJFlRBKsbDf9KaJGNn3/QZdT9qzr+AgtsgLoG9e5+ISnAq9M4NXTwdpsutQ2BvgnymbsVz3uovdBMwid41NTFBOCGsSnPE3KUb3flGyS3dcR6OiD3drnI2jml03JijieJxvkUS266sxCw2eV2TatThHzfjK3Z2AoU1KxYWQQnGccXn9v4zrfm6UEaMnSM0K0oVDB02IE8vi4JTHG7pTbjprnTg5PoanQAsLbcRJBRlXWW7hd1eoxDZB+dlcQbxeqDk6TcAlBTzcWDe0qcbijwEdptRreQqzAxkRAa7vOAG6DjmUUyC5W4W5jMzg+2ZOR1BGUJGnTvg7XAIMtTKth8/vIhykQy8Q9B6RTnGAp8R2w6gV2rUUJS2mG5DakJiY7FXXNwGd0Lsu4Rfw7KVyiQcgzLWvH+EusuHfbJFOw1Vqr4mfNskNYsxhsDdwUQy1hgF3WWZCatm2ZEu0ThnluCEUG2hVkLqDLYE2ccyVZALeLfngdOYGqEWesUNpi4CMy0+ewMOFwuMwzruJXSoaX8ROT9UUrfpOdr3yoqwgUgQMkb+svV2ovQw6qyPOU+rEmBblzipCRHLh9kH0vfafxiWF1OkmoIiQQ+Pg0CbYDIpnjiLncX+BVKotSPU/HR9X8KfjP13W2jRd3yqfmJbOXndqcUZ8vX+degAKtUnrrfbLGEyKhYjg+bT3wS54TuplIRnNk35tGmCxh6qz8WOJy1CUe4Y6+r1YUh2laMqV1CF+3Iniy8+fRSBN7k6KQ8hdyBCVTMqSQrC9RAySJI4uWuN0DG9SddCF0qb2KoiMnY9I9sgQe9Q/HJdRwaANqzsoHFNsPeTE1dicU+OwPev0QofZ8ROSPIvmPkk344z6lKvhMBJ0mBdjHoksIwaNmS3YICkrcts4++tl7+eC6JhgS39HSRlq77siiywZ9G63vRtXg00jtqY4SovtNNWQM7jYgOZZDOgUaxhs90AYqyDlR0QgA+0AY2dAHwcFCrifVqewZSmcNodyiJh3R3IZ3kApQyKK98bXcSfdGoUH61q1uyxCrPkV3wPWpCbJv1RthDWV/3SMbj3n1l5bQIUr+vRcBRHHmQLIQl+ww4OAGMp5BUXqCYryoCknKWNkX6o1nhzrn0NLyfWX5WWKLxv9+gPIykP5Ue9RGE7yEMYaYBqJsXqDU4f9MQCE97dHnVbQHdyh7Ief+JM4aiF1+4aj0yb1JSJzEMYvLcPV5ki3R9Ojxxvdbo+qowjXbEqZcTR9vMmYbxXJ3G6xXcqawdPkkaazngB9v85RBtPdOipIsd7L9suSSwLLSZ5GyUkIwiY2FTDjCp6Kiki1Nj3wiKKeUNXULT0PlWWduEjaA/UqEsHQDsfbVNCjU94N++B0E8YWVhStvkvFu4vINjfK+exmJDZehxmr1dqmj8w1WXSOoqhxKS5aGeQHQfkwI4bLojxDe3XzMtnL736iSFrE2qk9SdQeb0963xO0NzzbCfqcRkrmGUdTsKZbU0/HX8woO6pLH/KSfMAfzR7wDwT5Upka3Zb1scv4pjYbntcEBZdkTqF4TrKLavhAf8ZzfkWq+FtqCrHnIjswIENzSIsVCaRXLX41Qi7dUkzGy4xC2irfOH2tUhuj25EEgAj6JfoXW50oiYt6lvjxS3C3uOXf+3JRKpPkEmGWM78JbQhnZQQ1gkket4KsZG6JbuEhm5B3GXk3YSyKqYAUoCZxELvzU2YhCSVwEBvvHFqRBqd7CiVEl0C/ImM9hDp5jigyt/JT8I5zmwJKD8dTTofxFVkUP9gwR/LxfRzWKtTwMWEK5HKppEtPwOmDRcevFe18AHr9WddF/hItikfxOdgR7M9pUO7vTzAXfdz9jHOSgF+UDDxjg44A5aSiNdkEP6VXdHHNUn5QK1KwqLgQUXsZExlRjysfxM0PEjW9PLHlC7nmV0fEx2q+5lOticUH3cNvpLf28HmUSeONNh0wZHDILyN0LjulqKLSO3eLmLR1kHj117is76gNJwjD2U5/utD2zz3kwzbwOdLPTq7SIwkDI1eCvyLTF+SoxyHwY0hFWduVSZ/Cz73q+MI9PJfB9UZQjv13jkX+nwGmYBQ+PZSboXfL9qSfLf/7gbaTMOKO39L/B3Cv+FvZGQAA",
            text: ##"""
// Types: what is stored, and what moves.
import { ask, may, server, watch, whether } from './server.js';
import { button, element, fill, hold, plain } from './dom.js';
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

  #isCounted = false;
  #url;

  #hear(name, detail) {
    if (this.#list.state === 'failed' && [400, 404].includes(this.problem?.status)) this.#count();
    else this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  async #count() {
    if (this.#isCounted) return;
    this.#isCounted = true;
    const { json } = await ask('GET', '/v1');
    for (const [at, { name, count }] of json.types.entries()) {
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

  get state() { return this.#isCounted ? 'live' : this.#list.state; }
  get problem() { return this.#list.problem; }
  get at() { return this.#list.at; }
  /** In the list's order what it has, where one is asked for. */
  get ids() {
    const all = [...new Set([...this.#list.ids, ...parameter(this.#url, 'filter') === undefined ? [...this.#rows.keys()].sort() : []])];
    return parameter(this.#url, 'order') === undefined ? all.sort() : all;
  }

  get truncated() { return this.#list.truncated; }
  get total() { return this.#isCounted ? this.ids.length : this.#list.total; }
  text(id) { return this.#list.text(id) ?? (this.#rows.has(id) ? `{"id":"${id}","name":"${id}","count":${this.#rows.get(id)}}` : undefined); }

  close() {
    for (const query of [this.#list, ...this.#queries]) query.close();
  }
}

const newType = async () => (await import('./typeside.js')).newType();

export function open(place) {
  const strict = element('div');
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
      side.described = id;
      side.update = null;
      import('./typeside.js').then(({ describe }) => {
        if (side.id !== id) return;
        const { nodes, update } = describe(row, id);
        side.fill(nodes);
        side.update = update;
        if (infers) infer();
        infers = false;
      });
      return loading();
    },
    empty: () => emptyState('Nothing is stored yet. A type appears here with its first entity.', linkButton('#/start', 'Start'), linkButton('/docs', 'Documentation')),
    notice: strict,
    acts: hold(button('New type', newType, { test: 'new-type-button' }), () => may('write').why),
    onopen: (id) => go(`#${typeUrl(id)}`),
    keys: {
      n: { label: 'new entity', act: () => (page.table.active === null ? newType() : go(`#${typeUrl(page.table.active)}?_new=1`)) },
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
            at: "/console/typeside.js", .script, tag: "\"76556a2be63969a7dd87c57a7a7f475a\"",
            packed: "H4sIAAAAAAACA31X+XrbNhL/P08xPUHmo2ntvWt/qnP2vu9Wq40gcWQhIUEVAK2o+nI8zT7YPsnODCCRlt20SQgO58LMbw6dnsJXFiFs1whz9Kai8wqhNj5AuwRd12dggoeluewc+gI2Kx3AeKhwUWuHVaQID9pggkEPK32FYCws2qZpbXnHNOvWBdgB1tgQF6lpsJmj8/AClq5tQJXl6VNPvE+9Or/B/z0+72XkZShHTnQLdEei8y6E1hbkg10a19xfhGKvrqDb1HUBq7Ym99s12kdG1+1lAetaG0sP186J9aF2VW/otGqbIxvaPyOv9HbA5NFd3fBFL4L/tt0UMN8G9OxTJ14wvYDa2GcPkrdeb+mfhsL+vSYXCgj8ENlgGn53iENzq3ZzZEyysP3B0QUv20IySy9DmaADHgnVett2YcAUKMqR5w5F0AdgAowh4yzlMP4APv3uqy/LtXYehQYXF6Deflvl50mAXHMiwZIiMZHwynvpa7PAbFTAn0ejPC9AiDXay7CCD5gI778PCv73+r9qSj6c3r0L368QKqc36ASZcrNzmHXrSgecQdDP0AsOXbsBbXFTwt3TO/hcrrjs7CIYcrNCv3BmjpnjoJoqh90dgBrJYfM7ntM5up8AD+M9ajJVmSuV9xzRMDGwKr6gaALRQ9Qd++HP4MuOUcs85SWSFkm+yvOEhpsMQlY5B3SUwws2CILYLPmUkJNNJupxKjlVAMuvtD8Y4ADK8abpaQET9UDM9HLJrsjJMfsDx1hefJqozw0V+m8dut4F4ayJ/k0iR2ufax9gsdL2Eoc2ayI/FOr96HKv4+jTW+MxKNvVtSIuKQYBUnYrvzg5zSVZEsCYK2YeJNBh014Zewnj1C0y9S2TkNseI6+ATPIqjHifMmCqQvJbcm4phTtYkF1KoqrYslOMZB/oPcqcaHb4BRuVdpPtbSbV3D0ytXEmoBI0lpvVtnfx0GXfAENjl+j+gIU7VKY+evy9Kvq+kKknXDo+GszLsEKbZdp6qqwexkn7M9tuLIyHvTexllLXA3T2E4GA+d1ihY0mE8rHk6DgE1vhc7GsTDwyvYcxBJ4lVQu25QoMzNhZOkQGZp+WjV5n2aTWc6wLsLrBqXgtngqqmJaLX8BYSVF5KLUgXAIY4cqp2UirmRxit/oLWWWgFSA28th0jyUL+Gu+RxglM40M8eQoGulTyX238wLkv47+ykYHc+agIB+k1raVdKDJofDTJMn6mZHN3nl3l5p8Rvl8MStAfbVGq3KpUoHdm/gvnljcjP/EYl/iJsFE5W8EqGg+FM1PaSUwFiRlIhhxKQWzR6jUSyoPoVFlHKl6LN2adGi/tYukKdMbbQLEYZXxcHLa+mUcswRgFCEKi88GFyvgUKzSuIbWo0Rvfl+VxJPyNnCb5g9zhM5Z2MWcFKmhcHN5kSbkEGfXJ6WcJqMpjLmH7RRc7NefyLOfe2dwjXHCjEnpDc4/5TQVJUj9aBOHJQSyySwwzrboXSzao0qOkR12idm7u9saBT/zF6di4cLrZl3j+E+j0WiW530fSB2DKtvz/XVdx7FfluXAqND3VczMXG38VcqYHWDiC3h3F6dX/Ei4zsunrbEZ9wQxR6vrj7ru0IO2FcyJuaKjQ5DdwkO7lFU2XpwSay5NgGXr4qk8ONy0XvK11sZ54MBPlbgy3D7j11zclvPtHDll79hPscK1vkYXzHClGLbTOMR6LpVHY4PIiTZpLpLdAm7rWTOpxn3whrpj2ipS/OL6qj5LVdDvnZnag/+gd6K+jr5t+WLfIVp+fsbJ5sMXFETu5f0FYqhaixKp/R6bRW39Jsgc0T9uqzy4037cf/BsjOkCrZ4ur/JBds2ME9l/5TeVy39yvVujpe570KnmNReRygdhXTtUwxm/aCsi8F1kep3B6DDuhyp4IMhCfRR/GYTiknSNo+rtlwypYOlcsYDNErK3pFIHv2ayHVAKazyDWb+0MOZVbO8v1MUsrtXEsYeD6OyzL9US7VZSGZdtW5UzGTN0p16vSjk5E6+obeapITIiBz3k0ePPH3//mNtIP2Ni67ggLePgOpzFy6e1/CgGFjffE3s2bFwMi+FuY+y6C5IWh791hjB6Bqz4kAo2eCJgIkcHC73u6jBUtL6W27muZDHliCpdowvXxVkrjNNl+9+MfRrUfXZf+EjRvK22ZzDxPD3vR2F8bnzwoD34trX8jD+snQ9p6vIQ5VEb0JbXgCiLSA/aLzkk/BoXEbnZ9HB/8uJEvIiw1xJaT85M1E88x2+YlZHdL34RcKf/mdw/+VWf/D6d/HtzMt2Nir//5cW7pyUbkQ2ovOLme0AC9LTzpEb8kvHwsLUBZSpSMGoMgRsy752gU//9+18S3adOTc8n0Do4KVXSlwyR2tpHG1xoVKSm0W4bF8mH2i6wPlyIRgIujaUZPpVkytUiIgnrw1VIiP0yJCD9P4DBrQQcEQAA",
            text: ##"""
// One type beside the list of all: its figures, what is declared, what its entities have in common.
import { elements, members } from '../json.js';
import { elementTexts, memberTexts } from '../reducer.js';
import { button, confirmAct, element, fill, hold, openDialog, plain, problemCard } from './dom.js';
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
    button('Export', async () => (await import('./transfer.js')).exportRows(typeUrl(id), id, size.bytes), { test: 'export' }),
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
    }, 'primary'], ['Cancel', () => undefined]] });
  if (type) go(`#${typeUrl(type)}?_new=1`);
}

"""##),
        BrowserFile(
            at: "/console/upstreams.js", .script, tag: "\"8a288201c78324b1e62c4344ac9d9f99\"",
            packed: "H4sIAAAAAAACA4U653LjONL//RS9EdQWh/5y0GzOOXruj0q1hkjY4pgitAQ4WpWXVfMYF//eK9z/e5R5kutuNAlQHnv/2Aid0OiEps7P4cne+c7onVtCqVvwW3OEjQFcKremykF7OGzxj9sbnrYVHGq/xcW63ELZmcq0vtZNcVbv9rbzcAs7s9uY7sL86h0McNXZHaiiOEfQvjRd8dSpxxG4tPvjBy4H05gdUsrhqm6aHOzetB8jWXudw77RdYv/OrtBoI90V02Tr+v2JkdhCSnyOq/s7oRNUzv/vb42CRAt3RFmt8MTIvuuMt2HvfcWGTvTVgke77k5JsnbaV/bliRKgLu+bev2+hR640z3zORw0L7cJuC8fKoijdBtaXIekIo2usM/R29cjiL3tFR2/W6D08qW9LcPwqBad3t//Mlrj+hXuvS4eV0/M7izNbpCyXLY9Z5utrW+Ls0HePF4fGT3Lc/pJoiSblDnqL/PEQsVbg9B804f8c9ON438u9CbBpE8/fvRHnBU7+icqLT0mFt7ODlkZbyum8+12+ZAFuWPT7oGhbVI4rg3OEnx6UCBwFlpW+ehQXEcvAOtOcA3ep+tVgo3WlPi2VQO6traSq1zWKmm3tWyeNBdGxar2s3ANxqh14vHCfXvrpB8xpwX8M67MoR33kGmPVrfe0GRmerbm9YeWrWAJZ87AOZBxOLa+JHIe++Bam1r1GJkRJfS+G1ghUoOjF7BUbHVLlNh+6gQV4whIy58owSfQwRJJSMxomC5sJUryxS0lh2KJDmDewkKnWlF1BoPihziHuswnqyxuqJToTmXvg62X/u6Df5dGgcDnZZsOwsQcC47OVy+fst2LjuLAewVjGsBaDG8fisUUdDLfNqWRcSh0SXKqtRwOcm1cyRV21PIYgFkHNX322+QLPVthdGmNdX8CkaPE+x4br5r4rFS7IukGYxXnXFblCrMdMXLV+gAwfzKDmUudaPWQiYJtF/VbTUz9EggGnnkMLfzyGKjA2jkNTf7OdNgkbYV08eBWAMNi+gJIgvdAI/g2eu3BIFBzaF2BlL/hJGfnIp9Q3bn/gFLca7oL6OItul3LV+h3pGT6Y2hWLQl293ZTgS+hdl27T6tr/vOLDEmNs4E+OUU6rLsmW56RuUdmS5yKIqCiMIw6eiKCZEAe+23MwEY/xYdKkCuWATJjmvEIITC7ZvaZ6pQSHGEJNXNIoAEADoj6SX1T156r1iNZJfRQpliZ3zftRAUsGSeL1GD73qK2piyl5HtT75DA8pIGl5bjHrKfuYUEPUTQWB4fDaIbia3gahPGT7kSuy2gnF60exIZzAdR9WVkuPgZKxl1L03LJLjfsXSSCLLYvbBICZUnGKwADvkZyAyZIoiObnL1/xfssMihXB1WxoC+UkGmfbEkNMhjWfQkpKeoCc0TDfMoZcFQab/aVRXCpaRIFMUvcSoHZXzOa+oO7eM/9nxJpSXXvOYmALaXBtWc0T5ooXe0VlpIUdRaveT7fAccgcwkIjiMIimvWnLY7H/73/7xhE+DvDfzi3yuzD///8BBgcCk1Big6GSDKNYw2AfyUCCcX4XlAIhrjD0pzKOCOnxYoxiyuksjY/3HXidlCgOrw9CvmKljkVpdks1Dl3bz6nx+do3hs06rokbUIlGJTJekljytX3IiPlEnH8Qg+FjYZipby2M8HgGCkJBX1UBF1sjc0lwL57/ycGL53+dGLx4/jc2Ono67AoVStBMdWZnfdDv5/YA3kayEGI4DJL6ycnP33oL+NawroUtIjS2vQ6vEW/tTQFvnZ9d9W1JIsAW9WavO71DxR0wcdiD1MFL4Ep005c3xnNFEcPvzrL6v6Ggu9O/Zv/O0VxAcWWfZavRANasopjKhQafk66QStzRJ5tZDXhpMdVh7THVA8JgpT08gn9fY6T+tzVltn9bcDK89DaFbgwuC0MpPJnhijiKbCPrqcjOiHfIBKNk/EYYK5lzPruoaCpQ0uywcvqYaTpALLVwuhiAXQpqfhhCo51HaYPKh4Ll/9YyzH0gbHgABPEu/Bu8+WbyTMjUdJFkJg9cv6JCRQYqeDmqIb07UtRigc42sC2x3Ub3BO1YOinGPD1oa88P3o1B0XOcOcDaGHa6uzFVam60Vm6RPJc/bFD1FRblPBP9yeM1U3tFcaBELTh0XK5ZOOI6NM00kpDtk9vFpRPHUydWV937+JCSi1QbF2NV9lAlFuGlMLyXCi7TBI/bHT/wSFRKSclRoPKQiBKgxXrkEI8STJCS+Hebp6b0BZ69q41jPNlD37gdFgW+6L3p7vNJ8VfSzGw/mq8ADmiMBIVeVTy1dZsp+Oc/QM2Mf7o928yuT+59foExFVTa60d8QJUUtXSzPJCYEu9sYtPUzEbprtaPyr7rcFUt77k95bzZU6InJxfid8Hk/aVeWlKfltN5sChZx5JrPl+Iz3K7gN4Xf9ANl1lsPjR+qHqLQMjuaByJjmzDW+OTX/d1Z5zQMmH2gUfzEvNJVxeMctHVyEJf67oVNLGviJTaXBAdEPFHo52NODQhFG4mZXEtcPmIbU+AxRB/r0R19DJkjcLReHo3xfDzgbtxcGU78PbGtO5xCGW6M0A0qItGu9fWe9POg412N5/a7oLROLfHDHZVm6aKTx0yyvjGieZVt/vek4UJRHyzRD/UZWkcHjHQzFSYM1fElOkjL/OpPNlr58jScK0zv/Q12hq/HebE5fEZqcvCRF7mD9BP6XFOSWQVA/mCScnkUc10Qj2xtU1lOiT371smFF09dhWzWymvyMTmucJegZKmI13AenL/cJcqmNjGVsdlEju4zEa8kIvVB0HBjILkROGYl+9D+FGUxhg5pRjdHglTlPUAqngV1AGPmzyEyXobXUKzeTkUeaV+8mgPKpdKkNqb2Up9/+RCcadl6r5l83IUdTGcRz1dkr4Tu1nKpOCXG5udiB5W0PkQQZYEYw4wMBJLnaKM943w6d4Aw3pBT4KuxqR9VInrf6Tb0jTjAaMTr9dsDsNZdDdue1VoDfYmhNY+aZ9+46ZGs9SS85wRM75YSKBG2V2aIzcUBaWXLpHQUzFSe3pj9ejOG7oIgpP2DSylczaKQxl8SQi6dQeD6seMFnYGvPG0eIxiL6Q4A33lTXc/jER6OSOqO22yZzJerGcqk07tSWzquwY99AHTie78S2+6IwJz7ztDxLgnTWjcjN3oLNmW3Bc9oaqfpfrn/XnwsG15ByNusxufbqc1AO3PCfIdIwp6zHc/icvgIYZz3rhcR0iK8MYz6MeffP3JxScROPWjBIMy7kPS0H4sR8KHiLl0usF7ELtfJV8xMvU9y42xQQWjNqd2q3LhE32K3hJLuQtku+UH5y08dbaVdi19eMlGAHEm2qbnnVjXVrv4aiYbm8vFwQh0EoFfPP87cXbHtpSTZJp6t3dyY4iAi9QAiNijSGp2gkkigJkEn/I90fFOhZArTBiEhZRD1Fql22vTzZUWavput4SYcCLDh/JODuo9tR7bNeoLL9nEURkRq4fHTKZFoPAO01J5cIPYtsbBYWs6I8+dglMR0hMZFIXRxZpNsDH+5K7CqxZf5wCT93emNNh9zILzQzAAcrL0q1HGPh6emGKZfA6kyDsFTbIQFSSXFtu6Qr4IQUYeZwQ5L8UYh99gd/emFxmLJV1mLtxGoVCtF0EhDtrY9yDt+y2t6R17SaHm4nf2AO+knzaZ+wxEekoIln4/oZwlHSYl4Ilw0jzMUgxaQu6LeND5tbyCJ/7Q2sbodoYXbYmw5X5O/e/3UYWviBm+GWocjRtDPDJriz+gBMWE48x61rJz0rXGxfiMIyIhYBF2mKJMoNZUa0vZLdzlfvEfS0eWk8eXyofaGfGh+fk2tBGeQIorfmnMyrM1BXW8sQhQp53YBHDetV1Mz5H7QZLXSezGpo1V4amjLSGAjDhwJl+9M1kvSluJuuQw44bG51DC8Vs0V/JealAdQ6g+ORAFkR8FgLNFeqqH4Vjy2AFOobk9zIRolJ1uzdQS32Ep2Ni0ZSqnnYOXA97fICDzkp4Hf0FXaJg8mL4BLh9qIsy6CKnkF/iCcfK0dpnyMmV28/eZ5pS+RQtGTq+9fiuftxmSmoKDGHBYENV+N/6+IOFh07XZDxDo4kEd6sooSXnytT9Tn4/Ntdo76e55fUNwIB47td3JYWKvNdV0hCB1UfNQXSAghJ8vQGUNBVeK+U1T3BEhRiPiKl2WByIZOT4FHfnVxBjHJRPNvnIxoxY9Ypnou8OU1JhZIRVq2FhKjWlAwRB/55CFH1XMm+nqybyulYYM/udIOeV9Tomc2eT4kv3rKkxvzNEtSSL6M36joR/DgHaSpEPxI7+QoUIZDWEVa7XwW5WM58FIpOCM2kvAwh4axoJSfpCh31coOvIhj2ZeNCikwTNKWjbWGRFG0jcvZXywgR8H+EaznZekQK/s2YcOGQphaZXz148RZimvigmQbv1fFQU+G54kAAA=",
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
  const field = (name, test, more) => element('input', { test, ...more });
  const access = field('accessToken', 'access-token', { type: 'password', required: true });
  const refresh = field('refreshToken', 'refresh-token', { type: 'password' });
  const lasts = field('expiresIn', 'expires-in', { placeholder: '1h' });
  return openDialog({ title: ['The credential of ', plain(id)], test: 'tokens',
    body: [element('label', null, 'Access token ', access), element('label', null, 'Refresh token, if any ', refresh), element('label', null, 'Expires in, if known ', lasts)],
    actions: [['Store', () => send(['PUT', `${entityUrl('_upstreams', id)}/credential`, { accessToken: access.value, ...refresh.value && { refreshToken: refresh.value }, ...lasts.value && { expiresIn: lasts.value } }]), 'primary'],
      ['Cancel', () => undefined]] });
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
      orderButton('Forget the credential…', forget, { test: 'forget-credential', class: 'danger', at: notice, confirm: { title: ['Forget the credential of ', plain(id), '?'], text: 'Its tokens are forgotten; the next call asks for new ones where it can.', act: 'Forget' } })]];
  let hasCredential = null;

  function receive() {
    fill(once, onceNotice(query));
    const text = query.text(id);
    body.hidden = acts.hidden = text === undefined;
    if (text === undefined) return fill(state, absence(query, 'There is no upstream of this name now.'));
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
            at: "/console.css", .style, tag: "\"bcda0d54e664306e5ed12653e9c7c6aa\"",
            packed: "H4sIAAAAAAACA5RWUY/bNgx+76/QriiWFHHOduIk52BPBfrWl21vxYDSthQLtSVDki+5FfvvI+k4Tdzctt2DEckkv4/kR/oe34vfaylKa7xt5M9egJPiS2Grl+X57stSvH98kztrg/iGho11kS9r2cpcNPpQB1GB+7oXypqQi2TdnR7TuDsJ/+KDbKNeL4QH4yMvnVZ7AWUpTYg4Ti6ewc2iaLib798IEUUHZ3tTnWNHFHv2VvHfQrxN1sk2Ked7tOvAyGZilqmN2pFZmcbpls0abeSt1W6zk09PaLUptutdeoZVoIn/kF+rTzNthHeHYsEchzhzscreLURwmE8H7jvnIE/hFiQpEpWuEURu5JOUTKXtg5wklm038QbQDFZQFcBmXI1JuLjISqiIc1mkSo2lsraawCabVcq5qSreDfGO4Myt1RbWRRwTuazYZoNVAZNQsEvjhKgp9VQ8jWVCZtJNs5CpyuSG6p6uskRxvLIGc5A/9jEtUzRcwSpJ4qFBUoWJVYVFo9qtV4lKyjNyaStsZK+j1hqL5S/lQvz28RMeol/loW/ALcQnaRq7EB9YueAX4mJLSM4ec5HuutNe/DUI+nMFAaJAYv6FGfxxX+J3HYjsj/Z0S+bv8U1hT5HXf2pzyPG3q6SLCsvoNGBo0II7aGxOvBcFlF9H6Q+KG05Yo5tZIanNxxC5sWE2DuqcA56io65CnYt16mS7v0DQSUAf7F50UFXMKRYJ29DoElGkn2RUHhJ7VEtKHa+WGeEBhr87tYIoRUhVOvazSnkZEHEodJ2g4xVCGk8Rhp5cFwO9UvZ6nRcHmnp1TqKbfZZONfYYnXLO+JVq5drP6mQh6nR+1YoEyxSLZSbbf3AL9UKEitw4d0CRoCspeS8QPOgSmvE22G5ackJgvr6FphkTPZ7zMtbh9aTtvDu47zQHC9E5fCyH30sUtp/w4ogKWt28jCHIeH7b7NXQoiVHx0BQeGkC/jA98XqNwvh6CBVeGoylA+Zb8ltaS1NnvGNfsaR1NH1Ld8PbAn5wLeCM2htf2yM5d9broC1WFxnbBontxVn2CaU0SoQPoxxyUeuqkgYr2+gu6oDMtUGtzrL4HUIcax1kxOuCunB00PHgK1v2PnrWXhcN66sPJERWuEB4XU0nAi1uRiEZ6vx5IEBLo9K+a+CFcIwUP+m2sy6ACWT2Bj/KHx20kj68o/CufQ5OV3t+5uIB9UUae2CpiwcHukG5HeSDSJQTDz443Ql6jiaPItnskHmrDa6LWbwgw/lV0eL4ub45VnTGBhDUN8aNwEk4a/tCSzUS02TZR1jJ1ueC6iEdcoUOI2G9rkZhgxwSfNzbffxxR06XrRmCbTHCpOD80R7EUTgwKJ3/zmbYOdpMttDNKG6y+DKH2tTS6XBed5UsrQPWILfwioN/PiAPluO4pJRumtEOW2G/yskSHa+j0e1yQToqiS/Xh2De1taH+8N5T+xM9/u1bFD8XvtX5b48AHaZy4cFZ8Bjbf93Ze+yuw8pGAAQYlLqyb5fn7dVh9W85qMN2/0brc2N+khKCTZn1Ni1uMreOfT8QGwuGnRQ6d6PKp5u0Xup3S/CmEGeF1JZXuNHRBiPXAUTEB5n++Gy1nbXa40OU1q4wm4G6TYJBKXvAwOfAee8ia9gJwHj/fCPLr5tSX0Bgpyts0oe/m7lOtMbx5H2/+8U+LI1I2poSVanZ7w555wDLcItjqmwJNUe7zwTTrFH2Cvs/tl4lD3JosDX1QUXQFNPT1aTQKEQquqtQEyi5Eh1D1CjPuFE9Q5e1fv1zb1JzxrIoN/1fpAZiZAgIOYL6fKQa1OU+1vodpPT36Sq1Yp4ksbbYEzCLX1JdKOIC01gswf3dtgE+iaDdhBNBozhf2/t7iiXkJUQGYBQS9MTpabpv1lZNXbtlRiNctzuICqhoqYTb56OUdTYs6SeZmR2x8gMDBdT0/9wEkTLwoMvIafqwNO5GKubtZrncZ9viKnwLKW9QKhrx9FDP5Ap/qJoqiLDWfvVyYRXinBokfI8dsidCjK5JCU5mjkYkjqwjs+Wnu72BGPd1thSdCwcEx2D46zbw4r7JgQywoNGT0YfNLknuTBcfDC2RRVivcbWbldfuSFgnBSRcUMzgMPpwFCXpiDkDqg1glAc1hCk8WYfLxK80gp6VBYuoX80QtBoK5JixqQvzdWx6/Y71sc0staa8aPBM5ozUAvkaBm1g2rsqGH71x/+bP7LK7qwcS889n0329KW73bN0f4qQeCvRMApQvvKPWl735eZWxCEVWdKemErr9PA8E11SHgVfXQie/bsGbX9fVbtStrOZ4MOO48jB/BuBPFJJPGKdpF+AfVT4KJr9nVLwL9fkKkT8MOxm5rW1u70Tb2Go6MC94t1n9aFHzKJWf/jNMz03rHtquu7jNdcgymtVsMzM4/DKxFQi2v19NKyvjrsK+ImjrviZiC9QmwDwEzU/KPt7NBUTh3eBYpdoXlNiF+CDTUzreZ5yJJCaZo/iQiiIEHK1KGxbXsvUnGI88aWKj1rxY47iMVVHfKjVRAIIsRQFu3GlnGbpZVaPKgScnF1bO+YAz5azf4lLZbTH+5UVZ2TltmTaE+op+K6s02onT7543/JI1M7xay2T6ydZj8UJQl29Lp6DeGjVL/o7g723fXGrm8cRvjV1PQPSLj2/CfnjNpfTWIaZUigF9CXn7I804hwcfIXInxJYYf/5cmpefmncnLsccNScfRipYKEz5+7/Vjbzb52jKaBvFiWgKXGenPHcb4XJ8Ta4DcR92LhJ/2RqnavnCKGRAwJO4eXokJfF1d2vHusNbr2t4t11yYw0W1DXem/A6TZDLpdvw1DC7P1hkxvOG4eHLzccwZjRyblnXNHL1xndSa1105ERyMfBTmZVy3t5KVHoQMhc8IOtPEIX1pLagBTOaepLB+dinQN1bQW4VL1jpt2KYUEmHOw0xUvH4TY5zr0v1JbcWrABLufCDbhALxtcBDAJ5JCOIDe/tWOg7i7HLcSsl8UQX7G4UfArm/vnSRbj7qcz73b2UZkEXDGi93d7cY29sUbyAFtdiQIOpfuLWYeX9pPJVLq7JuzvFvWMKoxVIlgiHNKKT9cIl5MUbNKlCaBkl/llH9KL7U8NTDhcbuu8zBypjhYEIAc58rw+z7/kY77oB18FKWaVVzJbg/dnQ7YA1EnVaQIeuRwuRIKSs4WZORmQgaCrY+LJTMbLFGwR0u/R9Sy3hfEnpoY3OBcBY2Ikk+bVDXBKA5JFzsHoaEuDwdbNCZvzSLPt63b3MZJddkGA1ZuSFZJsTO4HA5OSVLPd90mc8qmLs8o78fxVY82TLTdQrRb9ajkszf27ppSNC1mQKlACpLL6SJjRHRJGVXbLSXZ8ANZu44yjCJ3N/WRMNpfn4XbXtlmksAoUF4/dDgauqtdN/u6Ju2lXF9pYFfLNI4bPi4sqMVuvdk3MKIq3ZWRAtBhlUvDHFKucdfe2kY+BDTwRkqEB2mZpMjVxaF16qC1h6IpOsuckprozZSfrgSSUBqvCGe5/7t1tU21dhC8uKLCAXrQYjCVScWqYXVcA+ng51B2Sv1EtVTcCo7U3EIk5yuozbG5Hp5at7FFGU5QYJfW7dPNHcISuQh3nA9JF83Ue6yEcYeLfxLHWPLGOpa3EEhUByS85W27ouleDIa3xHY9QLhPiG4YRmF2ZtfVy2NjH+T4G5SDmHue0Yz5TrBpKXf3wLWRGqBrYoFopceU0mhIYWBw2sxelrJ7Vb4u6vXZ65Nr3iY5nsAEahZ0plsLtujWvGGse6kiCLz4bgI3r7XuYhniUPobiSE0hdcz4tTAXlJPMdTbhgp2MAJAmB+AOSKpJcUV/NGJUCINxccRNDnm645ROvXFJ4SGDrBwRrNRCSUVOHqS54JnVGtFDxXeTYbTCRhF0ERhV5Qm3kVp5v70SOQuiNIcoxTphWoo9deleasv0Gls0ToZmBrZkrZHRwP9incbN9DLDdFG34fux9OHfucqrdm0jzQMrbVtjde8XBXNyb48CKJ3UI6wzFUemWoTdFDJ+L6zfjPMB2ilfImyKW5JaQ04wJBWwBCGmOCIBPZsSWxNvV7kOhSoSRnVh2yxIdTqXQqe9F/S0apkZEoFi9kYLkbnmaQQZOQZ5V4pGacLz/pVecfMzucTjyi3tqwKcxYiF7cufXGaW7RN0Z5dGiz5RKarWG8h/bpc5f4AiB26NGRdbXCYTgn+e3WXXdnu1tpd1Gc55zTRCb4ouNvM0w63bDdD3aQeVCd7tI/im/OMeWpAEG6Ua450qUKrzK2Pe9bZrN/c9rk/hyCiaqnY3VfxRx6m7JK43tw3KUOvbGiFusamSyriRYlQbQBtYRyKSbbHLdIdKvUSZV5HEGk6+7pU5lWeFTyKn5Thie+KrSjZ0Clw1GtoB+L+F3GIVgEw1sks/yPXaF9hyNhyw137YlXU+5feXyv9T2+9WKo/OCm+rrxu2seTtJrQwhekNaY9ZKQawFuTmYWb8cSvI5h9TrTLZn8IrXWo0paiB3n0FGtKi+OHBi2JZiApN1fu1CgLLI/piav1EEZevE69/oC0wNR872ibO+9Mk75806g3zviHoLY5f0TNtZ09jFdAodKJ6iAc22WohAKLWVctiniT9RCXemvAqvTdpaU+f4qgEdpdumHkvKA3W9p92eTSNXklYXw4nK/vjk7kHAUXg3EgHbkMXXKi77dlWOP87mhbMvR6o7RZPI0ndJZj+FzR7NjUInFyWsaJaQldrhN9uiB/nMKXA5DPbOtyRLKIU06I50WlKEYZfl7KcOoOfv3ioV0cdDpyzxGy1fV0iFOdVhNE26gKfmTai87CgUDZXH56wHYG3vm+nkHYIT4jkNuHRvbCasmhobxlETvHi4er2LMVq0vyBygNRvXOlLnp4494GBcLuOtoFGqU4EW/F1PvvVZuUy7NwO6g04wYjReLhcyoTuRAhiVY51QhH2amg17bqmn2zdSEZES6eBBXsWK4SCbUZUzkZAWV/OhIBp/kyquZsbCEfEALZH29VayyksBCjN4x5oPfFq/uDH80JN3eh20zqp5yztcNxhyKEiT3RPaR09JZ9mHwgOw/ONER2NB5jSsdJ57OlNsucWAVhk+dW0lHH/L9gei2Cd+cQrxgkhYvDPdehAH0ud0GXvcixwORJw7j0aGz71GztNa0lHHokUaupyO90P/OOfsaYtX5JFgtrWdHOsPntAK6anlIGSgLm5bqkMU+7NrX79yXUE2NaKBjyTpEJ0gO1bSnvxPxev+NEPISlU1MjTJfbTc1+BPMpPZqTx7p9EpEAiYBjgOvw+H5kO9oZYIeKMygc7F9uEQ6xozhAHF40fpjoSp+49pPK6jhE6vce8E4kgoed7EFgsy80IF5mc9a2q2WYHkwMKu0n492nIbRjGoOdMz2tBLp6KdBipdRsqj3QR6n3b4bUcR5VSTKSJnOe07NPL6Es4LiTul6AohLggqBwy954EaQEBjuMc/XiHZFKoqld5B4ZpDYr1DtLOivfEilB42TtJMmu6vQ36DfskTRjuBch+w4ccOnAi0ZnZ/u5y9CP38u/PxVfBBCz/tdfdeXMgDognQPdbPzvl9ZdfumLz0YzRnZeRV3ON1QD5n9CEBikHVddfdGOZgDjdRGAwXYeJXRjct3WtcPK8k0LEQCWqLENGLXK/W6eunY2gYIABpKLwByqEm4rLWHziUKqhJNs6ZMr/HACp1mkJQHpJGmrsntiiuEQebBylwXx7qTZwNQ9EFoekaYV/cbckTTYc6nA0kH4zsiWvGIi081BKyAeFDl5Ed5mKse+NJOGQzV7OQ7CtCfD8wUk2QbLl1RXX6BFWns1m1zGAtczEO7rcea4QvOR3IbfXDIBjBJEJbnWkUCTG1fWkqKyvbRlQARJMIkpNlXa5vEtRwuiQNahWxgdN/3nxmIQrDoVRic61gXHvzrOyziylB5b0wJhTvdJl2nhoYDJTWjK7QsppkuQiTOuJkPKPcpFrLPk/H9INCnffUuKOiQuRP+67pyXAwyoXObw0Xhp1XqhnwcpgYFz/LnsVasl9YesnOVwsOc+9dz9Xq+lO8X6v1iLt8v1ftlQP9iih8rXamzfB2Z/M7B9nGjdkreR1nh9/HQdo0ttiiV7JwFsqUOQ/KbS9P2od3heKZuH5Y06jhiabuiqh+HxGh32We9p/xgti6acvAIpWwNUyCCbsdBSp1UbgfdzxGQ1tbXgp6Y+1swQLCI4mUyR7TK/bUiFAO/HET9Wt8NV0sw++4NKZsEeG3swRbd2Xw6kMmfoIqC1mk8YAdlUriZw6hTECVuz+Z0ERNqXTBGkA3FYGko8WZJL6KgLVo/5GYhD0KYS1qCt/Zg11Pj/+f0xNTvsq8GOyG9yN11ScDTsSUBoY+1ENy5EZkt9/tBHn+4jCLs9+YfPG0L53bt7Cn5sHl+Uq42YXB55LrqneHrqmm73gmcRD+H+eef8EE2eup7DNIfqP7Cybd9t72tuvWGWg4FiaCi4pET1O5FqQ5/AfZhrBOmQJ8N2uHv6lDkGHkGq/It2zk8AttxIMdK7CkUlYC1YXiLvqA4/RIgXLxmMN6h8AjrlV13+yaz19f3rl/WrouaZKjvTRyjC5fvheNBhgTtWWNb26l2gBfgioJARdPQhOdmLoehGkjbZueKAJZQE1h5AuYBgfl4DhZRAgtF4KqIM/DUzBOzWCoacEM1kfMoExeKAOQyQmFplp6FG3uXuABouFIY+FDdmKNLkLZVWdZW3h+Rvr8MHPG+CtZEd5U5Zokxsvd8qPe+66wEs6r3ItF74Xsfr2qROlSML0cNjR1WQ1+MnTa2l003wyapENjKshMUT6ygWapWY5n6Jkzlkriuyd8xRVvbcpbetieor5VQX6rgAtRm7a44tBu6IjZZUIyWxZqCeEE7eXLQqiy2wBVoJjZZ0Gqrkkmp0nKv+Mfa3qeP1aIw5mzXTXXovDUjZe4RZ1NUPRhqKoLV3Z6KO7zl7S+Fm0RiRoav9tN78aEv+ZXYBQFegX3lFi176PsfxuCi3vvrTukFcW/kaLg5UNwaKC8MlFcFpi4J1F+V4Z5AjEX0hHsjvoWj1+LyKh3+0PEedROCIEJBrKn4fS+z8lnim219/vX9ATTk8LVqkhGhMMTVaf4nOQg/O8tc0QedTc1cssuCetA4/SHT50hn98NMPqrwl27oflNzUX0/n+cjCrZpcyQTLm9sd1qwPjTxu7zkKVmq21+xyUQcF0ymwfFTfYEkgCMuRdRCJq4zdOqjrVr4uMaERY6BrDFHXJE5qgQTfRL+7pMLFo/IZxPX1fu25N3KA3WMXip/NJ6r11rj0Nhr27RZY8vj2pbZdn9/Q07Wv7K7te1VifqISHy3i4eEUVtji9Zm+6OPCaivhEQnPFSd3Fjig9rX4103++24j8pgQZwD+b/3D0AGLnwwBBg5bQhYFjkEyGAIschOimltPSW3H97kpRY18HYX95IXXUp98Wz621tjYtfRTU3y0z1N3HzVHVzcfz0wzPBllnIpsqKkSBKE0/eO57WHeaGV/jdK/lwwuF4AAA==",
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
.empty p { margin: 0; max-width: 40rem; }
.loading { display: grid; gap: 10px; padding: 12px 0; visibility: hidden; animation: appear 0s 300ms forwards; }
.loading i { height: 14px; border-radius: 4px; background: var(--panel); }
.loading i:nth-child(2) { width: 80%; } .loading i:nth-child(3) { width: 60%; }
@keyframes appear { to { visibility: visible; } }
.dimmed, .dimmed .rows tbody :is(th, td, a, .text, .number) { color: var(--muted); }

/* Tables */
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
dialog form { display: grid; gap: 12px; } dialog p { margin: 0; }
kbd { font: 12px/16px var(--code); border: 1px solid var(--line); border-radius: 4px; padding: 0 5px; }

/* Start, Query */
.head { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; }
.head h1 { overflow-wrap: anywhere; }
.steps { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 12px 24px; margin: 0; padding: 0; list-style: none; }
main > article > p { margin: 0; }
.steps .scroller { max-height: 18rem; }
.steps > li { display: contents; } .steps > li > div { min-width: 0; }
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
.filter { display: grid; gap: 6px; } .filter p { margin: 0; } .filter p:empty, .entity > :empty { display: none; }
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
.explain { display: grid; gap: 10px; } .explain > div:not(.acts) { display: grid; gap: 10px; } .explain > form { display: flex; align-items: center; gap: 8px; } .explain p { margin: 0; }
.conflicts { display: grid; gap: 10px; padding: 12px 16px; border: 1px solid var(--warn); border-left-width: 4px; border-radius: 6px; }
.conflicts p, .banner p, .banner ul { margin: 0; }
.deep-1 { padding-left: 8px; } .deep-2 { padding-left: 24px; } .deep-3 { padding-left: 32px; } .deep-4 { padding-left: 48px; } .deep-5, .deep-6 { padding-left: 64px; }

/* Operations, conditions, upstreams */
.stacked p { margin: 0; } .stacked > section { display: grid; gap: 6px; } .stacked > section > .scroller { min-width: 0; }
.detail h1 { overflow-wrap: anywhere; } .detail > .body, .detail .card { display: grid; gap: 10px; align-content: start; } .detail .body p, .card p { margin: 0; }
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
            at: "/freshet.d.ts", .text, tag: "\"d2e4c660c2be8753910ddab2b6bccb6d\"",
            packed: "H4sIAAAAAAACA7VZ93YiudL/309RZ5OZOYy933czOJzJOW+OiO4CetxIrCTMcj1+91ulohHqsJ5wJrdCBVX4qVQ+PIRv1gt0YCZw+MYZffDG9eGwLM6RvkDpHA4nFt0MPY0P4KEGBQtr3mDmmcZo3CfilR7sHR7SH+Bf2dKWcOM5zLxfDA4PS5OpcmacH/z7639/vWWXH3gXtrOQQoN3mdGTYnrAalSsPlsoP3OfDeACPouK8MTPnx0krD77tU9bRPHudebdtQ6Xeyy22gM3PsmvvT38c2GsB092h8cFHf4Y9s2YLboPb2FfWavW4ct5W+hp+NTL+Rht+BwbU6LSm+my3B/uHV6/DjfhXJVLFGt6B4tSZTiAkcc//YEriwx7yvcBdX5tdADXDys1Cu3RTmgvvGAKMvQZ6TQImg1B+QGI7CGTVgO4bJI/RV4RJiSTdrstS63mpIucZxhGN33klei/KvwMVjNFrB2HRUEb54F1GBqbo5VNfoaFDcxcnyiKbAZjnNIeoh2JjFGfCABLnKP2rv3Yz0zervBpXePTaIuNRjTD5D//OqyExCk6VyVsstSZL4yuyHrslIr7tcGu6YhVg6piXSfrJPAWMd0sSjV2is1v+mRzHxYmmKdGTQG31DlOCo15k5NbcIx1M5IJiyEu+TjVJLHlML5WjZusi/wb4tojmsKvv0mPJR+pahxO38yQ6MBvAmlKuKBBOXj0+vkzyop/HXw9onn6oBBR4f+QOaPP/vUZfVmUWGko8nzSY3hoKDAU6BD4+eTQEYP3brAJXJBqiT0lSn+WeKtWfh2Qlc40oTXHZjP/rRlTpMHFHhCB8ksXA56mMpPHlOAJklymMzl6VZTJ1Iz4JxMW/1ii8w/zZJZd9j0n9Ugbf6NElaMdDTjFQeW5RRduKB46tOdoxbG8L+Q+WoQiODocLzgPQNgkctBaE9L2oorNuAwLZdUc07n01I0TklYThxEZ4JLzEcAsfWYChOyLyQWv+XBqQZmCOcF2mxNuz5SeYvAB8iRu/SqMM16nSXF5VKPcDioVSpz4+jaLSqK3m2xuzhsyzXxeeLcTDOKv2RqQfLH2M6ZfKQeeGILSuIpO4XnxB02to+VaT/+E8uflklgePfQ4h+NNfJ9s8fkupbH/Rtkp+mAjiyo3ulyHgEWydma0xsxX9yYnZPiwWFuZkB/ZC7tMFpIBp4MqF5JVZ5Y2w9NtEiWLFr1d71wRyaJKUyByXOsM8y6qInepH+IKGYfW2Ea1FW+8Kk+bnkJP7tjNn7Jw3oE25G+LnE2hsFM2VHWKNHPEPNQo7LxEhCU4VJ6DREqR1BBTa5YLybAzXEdjpUpLtDXIGNzbTaWmU4tTEuuiAzo2dDMpdFYuc2ToeYWZsflRdS+lwyrsTpja893TAq8dlw9UUuTSYgvG6+/d2YjjXqEz5Tk6zia9rYrcjCF8plxw6MoWHgUPlXYrhgwaFY7LcGdsdF82Q9eTyd0iwpp54fDo3BR5OG9WGoc9WuEZmmAADmn3pHAeNdqeVHP7AkX7fShlgbj2kDcO4PbSeTMPVEeCaCfX4PgksOyDWfBtyo68WWP9XFbeQTjnu2Q2J1GrEoHug8R2QdNmX0AeqVnHqCwnljlDXWHeTpatlPYOjMahOCjkVlYWJBvmag1j3umhVCSlT1yMeEv4JTFc1TQlKke0RUnnZUjLHTHxK0QNfmVAfOIqNjNrvC+xAQgvFG0SldieoLQJALEy9oz+m6lzmoMKMY1mxaXcjrcrEyZwHiyiIVh/uHkcioyMZYxxwlDjzBzHJl9XDsv78kYZhYD+5z/6//jbP/kYVmUerWM+I1f8F0dAjObG+fYq/p5V8/h4qe63P2pFJqFQ3pjaLVnTFw/JjbZrq+f5eqldVb2lLXdEfPvqyW7kcRTFaEuvu5Nm5TvhUzmJ+RaYSKI+7B2IIbZRT0J620GT/xniopu7hGGzThdeVUSGTeJnz0M1diGADig9FhRnssTO5WfpiAJoFMpxHseMWUvQac4VKeUimskmVZayxxVTTbNmKaHQPNPC95Lg7HPUnrZgXnKwFvMb/Q0f7t3s32qsd/RDVZ3UFE9sfbOWj0qsayyXLVPyOk+yicNtO9psHsFcnWHAIKD822a6scW00LsGzErlHNyOMhjliAupssy8sb2xchhNmirKwLJSPpvVs4H7N5FokwhUHNQhrolVcNmWIdKj2WkFwSfv0XwX+hLH9YubPjb1z8bZzUfoi+pB4cRhDpXlLsV6t3cxBOIQmj4h6ENIiV+iDsLJwXGtUBHdSHCvXlX8/CsZq4GSr9QKLmI9tIt87S0dr8L+88KR3yIwplUEjc1SR9ysV6Ggk4qs9iaMBeVprCjf8+l6j+TntdDj+G1WyuQONQgHo9EHFYTvV+F2Fq4VfK5mpsQN1vUhp6z0nKjyJVdt4qf26uR7W3iPut4IiPHYcGK6Wj0rowNSF1chftkuOqmMislTRoLTKKlSPSw+MxqrDfvXuYSjAMBdkzzMcb4wHnW2vvGYLay4b4TKy70RrplJYV1V8IqV2Blp6yE8/13Tt/I/+zLcJSFUb46N9a/DiCzcPOXNIAkuNp2RGNsihSYeyEetnojJJn0jpddwmeLL8wVaFRD3mDR6yzKQX+5hNTKS9tcApFUMl8OGoYct1r3csFzwXJNpW9uo2tstaMvVIrcL3oltO59hWwtE6uOLqg7ueiBN0ddS/urXVl+aPBwUAqmxGqhuGNjA9F/z7mYTsUjgQpXl+7K6yW+a+6g5LowN1H2oHmgcHSmHemi8ZZzfqTqTFN3RdAMazFR8/m72o40fJUqC5l1kfTzb1ayQsOdmStstCZchkCdF6dHGu/AdZEv0J82yTtQMCo6DiU2V7W4QM//nX99BYK8C+a8aMASXcuFDfJG8c7g1i6zYpe3N0c9MHonbyjm5CvlNt3PDXY2+rdgLlzsHFszdacKQdlXkdbZNqnuuvrt56zHOp8XvPakqN82/2HTkpnGz3bh0rW077hh3KBc3SR+5tUnF1dGV9NLHHgDB/TOKMEX6Hm3U/nlfFvc5ICJJbLxfyVz65ldtq3rcf9Hi7iSVbunEo213DLTXqJ2bKO0sstkk5K/a900nz5Y3vlWr+s/SCPOab7jqBTdWLj6Mut/+cssN9/4HdI8+GoIfAAA=",
            text: ##"""
// Types of /json.js, /live.js and /freshet.js. In a project of one's own:
//
//     curl -O http://localhost:8080/freshet.d.ts     and in tsconfig.json
//     "paths": { "/freshet.js": ["./freshet.d.ts"], "/live.js": ["./freshet.d.ts"], "/json.js": ["./freshet.d.ts"] }

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
export function kept(name?: string, own?: string): Promise<string | null>;
export function onToken(name: string | undefined, listener: (token: string | null) => void): () => void;
export function reconnect(name?: string): void;
/** A connection of a page or program of its own; `connect` makes one for another origin. */
export class Connection {
  constructor(base: string, name?: string);
  watch<Item = Entity>(path: string, options: { token?: string; throttle?: number }): LiveQuery<Item>;
}

// /freshet.js -----------------------------------------------------------------------------------

export type Value = string | number | boolean | null | undefined;
/** Parameters of a search by their names; an array is a list. */
export type Params = Record<string, Value | (string | number)[]>;
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

export interface Written { id: string | undefined; revision: number | undefined; changed: boolean; cursor: string | null }
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
  | { patch: { type: string; id: string | number; patch: object }; ifMatch?: number }
  | { remove: { type: string; id: string | number }; ifMatch?: number };

export interface Client {
  token: string | undefined;
  get<Item = Entity>(type: string, id: string | number, params?: Params): Promise<Item>;
  search<Item = Entity>(type: string, params?: Params): Promise<Found<Item>>;
  all<Item = Entity>(type: string, params?: Params): AsyncGenerator<Item, void>;
  set(type: string, entity: object | Raw, options?: WriteOptions): Promise<Written>;
  patch(type: string, id: string | number, patch: object | Raw, options?: WriteOptions): Promise<Written>;
  remove(type: string, id: string | number, options?: WriteOptions): Promise<Written>;
  remove(type: string, which: { ids: (string | number)[] } | { filter: string }, options?: WriteOptions): Promise<{ removed: string[]; cursor: string | null }>;
  batch(operations: Operation[], options?: WriteOptions): Promise<(Written & { status: number })[]>;
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
            at: "/freshet.js", .script, tag: "\"bbd64fd7b780c5c69928f02ee7b08860\"",
            packed: "H4sIAAAAAAACA2RW57ajOg/9n6fQVyGzGHJ7y2J6772XOCCC5xCba4tkMuXdr2UDx5PpR/LWlpDlbS8WcBHKVqIi0DVcM2gbJKi1gU5s0Gaw1+YEjQWhKuiM3hixtUCNIGjEDmFVI5XNKp8tFu4P8C+57bQh+AylVgpLgq9QG72FZFEH+vyDTZYDmkGWYFiBYgxK50cIR9cbq41jK0DshZyCcouUJiTsSZI5mKz+gt8zIEkt/gXJcyMJ3UKllTNr0VqEr8fkukMFxUTYyh1GjLVsCY3jYg4oCs/CnNpU3n+26tls5VbSX/DTD3ECps5FVV3doaI70hIqNGlSNkJtOCidQ3EObKP3qYdKwq2dT/HhUwOLQVE2aNPQCA9h1D1NjVQbkBbISKxAbIRU4P5YLA26ivaSGhCwOsHDClJqEG5W6HaJUJWHs7fxMAcBe24UlELBGsFgh4Ic1/oADs9pStG2aHK4aozmeTDIlMPEPDB63eJ2lcO9frtGYx3JQavKBWuLPFq3xE48Lo3syIeeYEcDuTRA+JH+4iQr/inlHsxX/EF7HjQu2KLZoQGLijJYGbFPGRlA7ARhQZKzMq5qLTdSkV8U3AnCDZqcE0wzWOVkoRHWs9OhQ5vPZtPoyup+nYGsnrgkGexE2+PF00HOFx+sVmGMp5DLYXClVhnwAEVoNo/Q6LqFipjfZrBFbpo3ojCDVV+iCZGzshXWwiOxh8+zYW5NX5I2oROOkxppczag8B1dwtfZ19lsceYM3Hp8/573haN73LQczixm+JFrC8xgXJ4CAjUPqMI95w6OZSB9frQ5Qtk9GqxAOgYUFR8Q2Dd+kw1yUqUHEKQrS4J6u4IfMliVusIV/Fvps2H53/O4ovDl304auDpQVTaM43ct6QKKT6/Bv3u0dNOVY5DM4WJNaDLfjIw1xQzb4IXl89e55wKwfYcTT14hCdnC+fMwery+xA7+hvmSY8NGKLFFx5h8W3cSIUIHoJgogiNCMGe0zma0OhRVBGuL1opNvN5IRVE0m9EqcuPi7MHBn/T6bYSb+hdBJx+jJyME8WTcr0dBCfNWuzqxckLUIM8CD91WHMINskZUUArjpUv35Hd+yu4cpd5GTRg9UYUtigpNBAmOCDFuvEeNRoyIj03kjcejgMj6DnO0Dv//P7CK3a/TyOvHYzqTTxp0UyxK8lnDDUvOZ3AnrdTKgq6DAO6FnQ6Xbw+P+hhW+LP5HMXJXdHxtekXI5ZjQMh+UQEqknQAYWNxbrwmLEGSDYIhrRfrzNdn9aip1ajwDBwUNuhI3Ssvg2MDwkkb65mfnlUPgMKLU94JY3GUFwBZQ8qqrGuPyl2+oiggUf56Sbi//wpXTS7tY1HjzVBCOqDn89O4Qccn8tC43CJ5dAbfZB0LhX+5fL2qsJYKqzmM/jhw9Plgg9Sb8NXLcY/jx1WslASrtbC4gnR9AJdC9C15AL+6EjvPYO8vTr50w11LbI80N548eQAXH9yMVXJq+/iC4gQZ6I6dNrQ9lOjn4TLXFUB8iFtdCgbm2vDdeRrnPyUocAjxRP/huCX/MOD8zyEz28vZkSCHYj4D6RN07HmeD4Gx7I5HyrMPc/v00R0fPB8qi88sc0EROCP/WJNbiqr7yiUJe1AlbJD8cPENn0En+E07FqAQq5tX0sRhEl53DYgfoWGYGy8wNnqLxlKZJtevPkmYmJrv8wyEiwU8l9SAwVb4GhvZ+cfIeENKtoSfHAEWhSmbPCpFq/YAxUB6PpeqbPsK4fz4WPmnU+tQchzHob+i6+s6Sj1ueVMl9bkmb855t9c3Urc1Xm3L8pTliRpV3dfch92XLB4AmoLs8YZKtkgQRCKIQD12bsoB5fQtl0QZ0V9sM9y4dHVmzEtKIePqYbOIE/KazZII6kFfsOZwhtO2rq7LGBunBaHmP4QoCeeAIFU0SWJlLhyIOKzIrWz/tEjD0bSSVXQqxYPeJQDRMDzoMP4aAgkODskBxb8iDIEQh6FQy8366RPiyXxGMxPpxbxhCvtzAuCSJF2RW475k0OtuMPxCGTr1ET2zzwZfkWvfHPSFgtflyKizfp5O4cBBf4MCWo0C5fABbiud4nXiUVXLRjZHi5skOxY9uh49zktmkczNSBAKpn90LyYVVk+Uf3v7Ib9Z11jY47q4Rqjgi9xHJM1IomLKOesC6G+ONjqFbykgkssoRZ4Rr5UbacjkMfkxieCj/2RGJFxR6JfmRCFji4F2pKoYz/1LSHmWDR22CeJlhT0t0w84p5CblZROojFdIMMSA9G4oxlMh8zzaY8CcwqVPX2W28Z6Kr94dd1jQUKWS1aXJFm3WxI+gUcEAlMgjAE5gzkXdOXSP4hR0I0we+CMlfS71bcCwcryDALUuSK8khHwM8bSYh3GPOGFJpnss1yHa2ZX7nBxZXVJZJAYTKaqXItncG0AYzUKIhFlAiBkDiiC5m9NWPhqQaDe5Fzg1xrW4y9jHFOXbAGNgyhyiie3Gyn1PZRxvtC3N6sdKRHHUCJeFmV9eJMaNAxzy5TdDttNKz0ZsezSRCPlh08SEn/Gc7r/vXr6B8emD+Alv/wpureMWC+b0UxACmZoNIOHd7bNPF4+8VTFWv0b5WmHFg9wsMjen+DSkFLukfVoC6uy/aCKw4UqEukOIx8VsUNYBt7NFt/IWtMasKWoEMN0pF8c0AnwPYkjOI9M7kqiSoAAGqkT/flF99866KM/nz3rTN3oAQVnM7EgmJ0tyeaTnqqJW4wQuJyT6vOsyXt8r1E35slgj6qoWV0Muqaz9MzEVFiZAQgE07geySoEL7wbAhgDvLivrz77f0P3R4zQcCMJRnw9Q2FC80yJijL39eBarJYyQkk/0fcqllg3pE36XOM5p0U1egLebJhVCSg9MBzvpFJgXQCxQSZxAGjfG7d+uo3iktdclAKDx5++vDbh0YMgtDEGGMRMMRfCQ7/2ZYUZomZTaL8tNttl/TTR8JKHmTPGwTRm50EeDEOLvaiGLnlFdpHGihtWZvoPMKJ1lgzz4Mg0JLZuUy6ZHRHf1PSwS5qyfeRC7IVUI6+qnDB1jUU3nD5Nb/s2D12w8Pe9+Rz9Qj8/7//w5fQI5/z3FjHFQBRKt1I2GyN4+8pw02fvT19xJjdQANdFLaJ+sO68FXp2XGRWTuhScr3hKhxeGo0o4ASIcoHHVEyyhccKY5vOBwV4ovx2jQgnyqq6WnH6/tptcg57OtYm+OYbLfZIiO0e94y/M8IxCYISkWSeHPyKUVvfcYPkHfZ7rIbDZNyVEtzxBy+biqh1ETK2PmoCu6tA7BHswv4mQkHbFtU7iAjky0OVfR0g7La0WQjeJtlvb4q6m+By2fRtzVZZbmFlNb7HyGWNtllxNkgo53skTosKw6SbNKe5Mih9ByHzawljdemzyH9IzSE3Y3WgJPqe02pZT+tFEFUVBAillvfbWjrov01pQrI1XpBN0Lrr8gNwaGA14rpC8I7HEi3UWerpT0Jvi7bUV4M5E+vrzFO2N596z3GEVyEUmbuanAJQoJHQJg/oeBm2RS1jfrFCKRCLgL+UNZocjtUfhAZl6SwJqVAn5KAp7T5pnrF9oC8ClPSqrprpuhw3iP7J85Ou4CtzwebgPBRAGo3I4K39HEOY7V73dcZpCfwdMWTJ3UlRspNDDfYZkg9iffJdkS2jB1BInITYiA6vYdBvlTvWr47HYJQGbRuRQaz4IHxrbgR/Q8TxeGO22JDXndQMBKN27OgTAqsnk8WagA7nM/lTu7q3mkLAx/wT1ioca3XFlWWvVdWakO3Eo1S3R7WqNbp7THT3hZYzrwMvX2SJ4XTo+CUWiQt1dNKF3ILFoffxufiGIsVoqfVtHcUc5lRjVzFIfhvp8UV1RBDRsuQF+Z6CZV4oZyVh7IM1GnGPnx494EbXRLuaXPTUIroPNIgaXvk6daVNgjXqdDxEK6FLzfxdEwiaX9QUDFILxbVgjTkpZDRkWJOfHOkz3di64PZq8jWNzhV+iE0wD7gYFQs2mBAPWNoitbTBvoNqqBoP67fPneABcPwY1KQ4toPDqLeBl+hicCwXPnwhX0OusVIV+vFU3Lly+KZD7VDnzXshjHELzpxYXfxNT6zRxZBqzy2bnyYTxhy3ksbgGj+5UgyMzofT8tc+hntTblAYq8EefRjovx4IAxRixT3H0nm7EGUYIntrPMX19+Rvj/jtIn+fE4E68dNGe6FP3ElSIS0iyyDb1Hs4yIRVl26jx6f86ybwzMWSw898E1C1HEcgLCIwjKDjJg6jGTU+2c0BLwfLhy9R63fClIb131N3mzUYbLlvx68H8FoD6RgDhX3/MtN+RjOQeZnq6qpVkWdS5CxWJA7sq23FVHBYUddi4UjPkOXLFXMCJIr7oXyMY1umwpElJGrgiP77uuP7q9J9A0aLyZd8HGjS9KWrlYamdLfJ2tq1yWD8np2qNA+USLkRcniTbmbzLpEEmJ5wfIn8z3ZoffNy9Dg0zwcTaqgRNjeuL6CG0LGpMgRPp17w6V72gFtz3tox1GGZBkRiivGXWjyAH/Swp2QtpqXXMdxHENpIy5HivftT18+nH704DallfkFcFLXuaDYtJGgvtySCCS+rKsWWROIzbnWme94ybkdhyKZ71YHgRzs+AQ/ouYN5Jy9f8FlibRs8G6njTWzSKU0EseX+vJkjmRP/u5HgWEYxGoz4RIWalYPjpcMg6y7YD+tWv6NeTjxHSSS4KWsN4eJ9FI2e8aM7ZJ+dtoJaiGCpnjrA/CYStLf1hXddn3OhpVcWNtxqRuaSZq+yVCatR7a8JyHFjnKcxe9gwV4trk2Gc3EFA6yIcUYrNwvD8Kk8sPLyPL7XNgQKamGfYn1NqTGu/e3TzuZE+bdvxwtJcw8y8YqtGqPxzzB+TO1Hl6n7ZzLuVNzIKkBw7AXs3sGoNou2vBGSBPxquVXQOFhlbyqwtV9uOEf4nbGGdwBf/KroKK5RkZAL4l8Liz7c7xq+/4yIdqXnUP9Tmtwso1fdsiadyvySzVOa5ueYhmA1HCKSClzqDMQb1yXoW9YXxxPUioHoQoPXkouMdGdpETV45eBm+NuQuDsQRdrkJMuQ4EzmUvmjNlLo/N2OHQ20IHgwD/rasx+ARKWbdlQX5CddgAiF9zjZPSjRyeIWzLp0/krjYPF/CzHrxrd80L7ZOHRCxZGM9UKUxAUxNElzuoZDuv0P/EvZ69P0rOT5HRK9tVu9z1cfqJW0Z/AUwRL3r9nhw680Y4M7XES/7K4lZzQDuWL8tre6iXRqmfRJbfTy7fnQQWK42hhTbtcAplcmKv3cCYyJLK4QgNm5oOp8EzLJiCe2BfnCnBeaT84kNIHo0QUFhpwhxDx86pz7l4Jns+Lz3dnNLzZodEYyJJEKLVvtDCDNcj6lVVmRXM+m1rBzHH08kNvEU87A4sM0BPDtQsxjYOc2KqK6hF3bhB1FKg7+tAgPBIbP8/QmWEdRodupzdVo9efOhgvK/suLdRe/VJ+n+H/l402o4LxHUy70fWUj8nhFDbqJ7I/2+LvMY0EZDsuAAA=",
            text: ##"""
// A client of Freshet for pages, workers and programs that have `fetch`.
//
//     import { connect } from '/freshet.js';
//     const freshet = connect();
//     const { cursor } = await freshet.set('task', { id: 7, title: 'Write', done: false });
//     const open = freshet.live('task', { filter: 'done == false', order: '-due', limit: 20 });
//     open.addEventListener('change', () => show(open.items));
//     await open.reaches(cursor);
//
// Nothing is tried again in secret: with a `key` (the Idempotency-Key) a write can be repeated by the
// caller. Errors are a `FreshetProblem`. Numbers beyond those of JavaScript are kept by their text:
// `text(item)` is what the server sent, `raw(text)` is sent as it is, a `bigint` is an integer.
// /freshet.d.ts has the types.

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

  #send(method, path, body, { ifMatch, ifNoneMatch, key, headers, signal } = {}) {
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
            at: "/json.js", .script, tag: "\"f83b70dfb221fd2998f728cafbc2805b\"",
            packed: "H4sIAAAAAAACA51a+XfiOPL/PX9FTV6/sZ0YA+kz0Azfc+/73gXmIbAInjgSa4kmeWnmb1+VSsgSkLn7kKVSVak+dUnpbhd+9eff/w40f9TARAl6zWFTsyVXUAmodA5KmkmmQUj4xOothzVToCUs+FI+cGDwK/aJ/XnZVBtDs31Y8Ka46HbNL8D/llIoTexHkDxfVuXlAG57vff929ubt2/ev+nd3r7O4XLTVEtulnpFv9fr7ZPhgcFKNpASl2cQ7IHnwIxW3Oi6B7mCB44iVYoisgzUWu5SIsOZQtWGb+p2ZJlnqzZ2AWlySLpWfGJGveLmbZINDYUh/AH6Iv0+cQf+bzIdVAoYbFjVoIJytVJcqwHMzyg0R1q0OZmWKag07Mxfu6bSmosC/sRZWYk70OyeKxSiK2P1uhKcNQgRbvboMVCaLe9RbKUVyJ2w+JV8o9coSZgxE3cGIvgL7kFgaV6TH6DmKGT+5yeh2eP/N41s5rBbS8VhTidBlc0Mbzg0Tjel5WbDywK6q4arNddFWWiFjkLqPW24Ki4uuldX8Bfz7SBDLXFZLr7hS9KFbIQScjybbEpU9ap7wR83stGw2oqlrqSIUYfnCzC66G0jYLmu6rLh4verA7bEHrF1mxLjBftWG17zBy60V4c1DXv6Udp4Fj9EHcsetXGbQnX+u67JEawyTrqLyqpxcXlWA91wfiod8XFyfylWlaj0U3R24ugOTpLp4Iy8YSMroXkD6Z9+9r/w7rbXz2wEqiFsRckNQ146T9D4J3mS4Oc0JO7/rZ06jjNpa6ObOMOI/jb2OpAMDUXNMf+UHEbBmYiyqLm402sk87mCuOHBiIbEgGNBoKT4QTzsXoBqBekXOJs5+7WnRIJ9a1ckOtjxAq4OSO0qvQYpDpZsuDVvCYsnMidpLRtLKLcaKu3MNydadAiKL7Gt6wL+2/m5BQUFYXgulCGyIxNzRsEyP6QBpZ9qjybqseAribDoIcw75ElMAHmgAjIcWcqnfZSy4OtKlDaD1Ezpg3sX1mUarjRmmSd1JltdnEOeUm0MfA7BiREeMn8wCV+MRtYMGUEeLOXQy4Y/xG8I0tBNSNSpsJEXpteN3IHgO/gTZkqbAdME7WOyYO1y7ZIJTJkLNMeD/MTLxPmQK1RtiYo9lvT2fhQUhB6WtQyuIdTqOqTAckF+GJ78cPBiIzepj5UNa3D/i9FiOPePI0ZpvgkixrNwgy+/dHFD37mlb41Ms+PC5Vgk93POf3wYnjXx3BjUuN0d2hbW7BP5JLHDmHFM4NWzA3g/PzLHSpp4hVGsJgW4V9PS+Pg+5wEwJogHLr6c9UJ2sfMOv8d3T5EmTYvvwZuIDqg7jKpFbWykPCze3uOxm/HWbneZYOaPMPK7Czvx+xWKiNhPVo18yEHLGYxoFzoKfGx3OvcZw0Rp1mjHIQf6OpBN/N5ZNrOQD8DNjeGIqGOI8JSGJGbpzz9DBc/aEdXNYqtpGVe4qkSfZgK40Kb8AVOWegDz95QQ55fvL82owYyJ5DnMj9u9OdxzvlE2IZbVXaXP1+CqxJ4qqMLdrlVB8eYTb2yO5EY6KbWqGqULb/l/byvTto2g+/WUes50PLhMJ19fTqezq+zyc9oZT8vrLJvk+1m34I98aeV457P7vbfZr0l/hl5RlQZomriZtVijDqO4jSpWBpHfMKXTlDpt2Gcw+oqGGB5J5fKcE1OVGOZWQIBAhZ6dQ0W+GzQ3uMF3nHfVJy4QDayMA8QIg/oOXdlVL8xND0TPyrLhSnFlE0OO2OGq+bvoORTf93inPz+PCyr4jZLC1xn7NenN6FSXiTccKlOYOFKcNgShkYOq7kROVcDmA3ujSbCk7XhjxsjPAGigylIEy0A4LewoG5vxhP//LJ1cd2ZjmnpFOJIgRGoy8+Kcm8GIxME1ynMlxc2N21T+O3vrSq0e3iNoIyYi38XYpNyd9Du3xoc0N0CTmMyfP+kl8f5RtP/zZ6vBV/DuDY7PsHI+8Fum18UDe8SihVUva0XgcYcYGkIeB6f3LGtqc7CIZ49uTAae8v9FaTmjvlnhMmja/bp33TVzrqH2+J/04PcV7q0rpcP+s5HyqGL2vTFxrcBt1qA4yGDFqjqdG2fjS81tY/XqGVf28xwsPdNhsODUBGXOovxE3QurpbgD1nZHCD5XS7bhCjsuWZseA53bn+qk3fG+7SbIt71ro3fFBOj/eJqka4jOl+Sja8CC31VCUZvbzYNKDKXk9hI5D0/sVh18/azARlCnKM/4xiZN0adthsHBAUZzB0qTb/tJbhWLZ3s4+22SRSme8KW2t1Ku8W+ofA1xWnGTflnt23Pf8druNsckNG8Dfw5r29dG1j69Mnhz49yhCntjh5NBWqUZe2QaFj634iAwHuaR3mcbX9PyKnvlgoxEjy1/X+jHxYQyAC3PYNCGrDXUob+jlGU1Rh2IC+75bw1jx5TpYRs6P7QFguef2qGQQ8bTmKZQBnlnJ4m+/6wbwz49akiy724t/bUesTV+e7R77y/w+Fpi1lHaHqvUgj9JdxMydjhuONF9wraK6bTTD2rGPX86YwYqMsqeo1o9OUwHkCS+S0XG7kS+hVNVyVtuTGN39fJlwm3A5ihFNYwJ56+ezWg/mH9n10n76KDUwvx9XWkOamPI0YdEqQ73SuaDjfk3kJxumY3txTVGp6ylGOAQYcH48+9CyuxuWyDHdHTSbH4FfRjHVr7JXMvozeGtTppiJZ7AVE/FtJldHUptcE6SdmhcrcGzzKREz4cUN3yc+YK9hN3/+8DA3S6OMvqKcz+aPkKHaLCa7XPjjajw3qJj/rRizd8BQvtoe7t3Tmmw698IO+Y/nxeDlwgssvYAQxvkyra793yjoZQ7AVrCvDZJslZzg0ItdyfpLyiKREjeiZJ+b5/XFMJOMaaoZ8NOzb4r0hsFdXVbzZsHqTS1vyjDm1tuOFqbylTNbT32yYaMe1hhGHWLmol71YLQa++zw2EcPLZwU9n2D1AOIB9f6n+l0KwSvHGUmJX94yF2O37SPeGF2zkuRUzGQCGK15olq1nTaspcCxIp4K/baIcgk1BGCDijKpbGRcfHUQRJy9E9dj1bWcGjOXElvicHzaLSRXjE9JENsqgSndIfvQpkzlsKprDDc/X0OQIZ9tkpBwzAFw6dfm+ZMS3jVq2tMM8ancuQjqz+NHli6YxExpspLcJZH0T7vgCaSyATpqnpOrU8jCHZJ1gHZokvZy+iNAlNhuDO/G3ud2YudnLnE7oSWx6cAZP7/9BTH6NEYR8nFzSF8bpo2PKe60OT/rDRT8iIzjSAHcY5x4KAj5g289PcStYmiyjM7WFIRu7p+ZzzeVcHPY3b7FeMjI/WoM4hXDee+G4ctefCdYXckiaRPaK+/DC5jzWspcKsOmp19V4WgBVq7DG2aOWJ1/slj6EkQVp5LififgLeYMDj7D4+GbGPHNEd8uQ6Y13h1bNb3s8j5q2ClPjCbgQITf8c+cOOjvrt/UuBO1miKDO4R/JKuxuI8zQ3qch37R0krlpn7EOAxFagN4BzLuR/isAcL6jwcUVqrrw3RRUg7gwiEt9QvJg1vFaW0Ck2OFWMEackp78DCZWgeAq6BbIypf4OmTt6PaY9RSWW9bbkKk2mUyNxHL6EnPs5KgxoY9DkOBdFkviETk+L9iy6mkcl2aOjdpVerluEfDFnikPynAycRJ8Oh8HyxC/HdZpWL4NVwipa1maZRquAcCFlzZmIKEWwjg+90WLHs+n5Ud+PbvzotR+9SQbB/rd+/p0fvfejD350GymB/unUKPmKbWvtVyMH8tm+deF9BMpL/QriEBckb0R/8T0fANEmr2vcpNEk9u0dfC1rL7/0jmbezPwrmn9EG3ef6MC0ucDW+JfusZvp6HbkKDRXhxfa8emuwYml6Akq8dkqvgDuZINRP0l0Y82ZrFitcEA+MbNX/zSVgu7bFEh44VB/r/Qa562FgqsCsXTNI44PHc/ge0CMADwFAU1NlRgbaGGm27RNn1E9pbnr6xiiJXWUlm65Zs3/mm8TvUgatD1IZXHuPd7ceMdAIistpvuIVL3TFCfc6xfeYzVn9E5o604ja0DhzBA25vTnpH9hpb9dZnHbQ8dwnNHTplP0KPPG3l2sRKNnn7eTack6q//u/Gz2/GafOfdyOyL3QrHBj42JInCvl48U60xQnEjAXB3/0PlceXLVmUoSmcgFZB6iGbuHz85n3WM4BPZDgWdnDY+AYr8bTPTY8UR5PHHrPYXpk5REZ3/gSrE7ntO/qCGl6cHn+FrBdxD8+5XUXL/d3r3h7r0H+xtihY65n2d4FXETe2uz/wDoDYOaHiUAAA==",
            text: ##"""
// JSON text and the places in it, so that no value has to become a JavaScript number.
//
//     const text = '{"id": 9007199254740993, "price": 0.1000}';
//     for (const { name, at, end } of members(text)) show(name, text.slice(at, end));
//     splice(text, '/price', '0.25');   // '{"id": 9007199254740993, "price": 0.25}'
//
// A place is a pair of offsets: `text.slice(at, end)` is the value as it was written. Reading takes
// time linear in the text and a stack of its own, so depth is no danger. Text that is not JSON is a
// `SyntaxError` whose `offset` is where reading stopped. /freshet.d.ts has the types.

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
            at: "/live.js", .script, tag: "\"cd7027e9f2f5c681579bb34e2c6efc88\"",
            packed: "H4sIAAAAAAACA1RVV2IjNwz99ymQKslRZrb33nuTN72YHkIaxhxSASGPlX6aHCwnCUCq7a4rynvAAwjXNbxwJwi/LpAcJohTeESYWmSYRoIjin1CStVeXcsH6D/XzSMx/A5eE/+EKcUOBrX+Vv2SBtfXcU0MiYFNOk5wMwcPB/XJ2Tpbbk+dZ6SbNga8eXNqfMLPI1mxfDknF8nx8nPvOsc3z50ZjNaYBa0y1j48wcAvXGIMSMNB05oww8EYhr+DRTbOw58juHkLUhv7YclyjF0ar9yVpCOhHW2x//vn3w9pGh8TDnOAOr5uDYNLGTLoD3hqGvZL6NXBLUJCQ00LfVx4CyakHmks3y0kNktJjBXc9V7Qj7LQJoA0OnNBIA2hcsSAqlvAhl0M1wRVeEQqVD4RKSpPCbfCQ8dIwErfRm8TOIZh3yIhcP4qYRDiKl7xS4qogKZptRBojQDvcGphjhNIj6MKJniCZPxmPRLjHDjOUPHHZfSl5k5mJR4lMeANI6njGhyW0RxqAyxFgtQXwHivRILSaZFFygpexMQ7taTs64xFMDPjQhZTGQjTosPrEKIIFGaK3bmU0GrArrXMinvXoGifG+bVGFtnLYa85Uayw4IRdOxqUY41yiKw8+DK6BFDKWX9IF4tuiOkPM7DvGCHYLL8MaEan5kTM2nIzfkaHOEySnnnfrp4XjtfgtcgKxvAqezJmersGeWR76J9BGdTFpSwaGfmhhiOlpruCBhPWRMlrrS1ZctzDYIQGGdI2lReIUhMWZuwrnctakYbOjvS1N2dJlkB+RZ4XGpVrPJTBfW0HIvKVpw0Mefwco5yMvY2l+Id2kWDtDkWVU3Fkg/GNu7l68nBz2/fP3z39OFkDBNMycWwk5WKpWTt1fv7cCB0Ic9A1C5Vz80ME5iwfSDofVn4qGt7bfMAuY8gzSlkAht15NChdAP79V45Xy8fTiZ3Hz+cwE04ez0zPok9+CgSmvUKCRzMIgpkGKuwnfPeJRQAm3agnjx98ODhKwG6dEb+bcE6E5aAes/Kvh/jvGhclqhvI/h86MqzKpvSrhPleZFpuOxg7nJLWfR89O7uy9zAOWHddRw8/OZA+4IbN+DspZWgXxtuWtUvv/nl6pVmUQd6FdY36zocLsiXZy1+Yy1hKmdtfQdjnkkMCBjY8TIXhqd51tNFyE+8/F0QpLGMn+MxhrHgUWT2OIZgOpTx34Tf5Zr/vgdQql+T3YSAPbx/96IA+NgYxaxawqmcbQA3heEquCplw0c3b24Di22UGfsMdiCr+5Ao0nBgcm0rGVzaVeKHD6QYZC5CXlDYuV5DrX5U9Sropoq54TZ39cW6i/9bt64t520jfO+ngKvIWKbbnf6e3qv7nj1ZSsTK9E+RCkHtHmWt2zxAHjFPkpkPA2EIcZleV8R0TMMALry1JvQ3JyJ8esM7Cm068Tz4oOzLe/EYGFwxJXfhauG6nV131VE8xy2B1pRuYC+gitK74YmUKAl2SwyQRdQ2ib1ve5KYzQ2VlkLU9qiwFwr71c+6nwIrOwN7j/9ZfQfvgq70v6aUiojQISklasnCO7vr+iNl+QNAXlsucMgFUjjaClKjXlFes+XOXQr/2tp9FB1sp+XeU/HJHgC/8nDYAMkyQWDJixCZEt4d1xX4hNTh0otzQ+5xY7ZQloQ+F+UjcExLUYFADmVRAqfeth/QJk9psR+iFkR8WgcGy3hV5KbM56TissQiUNeLOYeg17/vC137GSP8p84ApNQXfuShuVDdRxONvLkkY7KXrHUfcClVbwUpyDW3xRGa9rk/+DiTxBhRQnr5TbnPeD1krJQqgS2kCi6QpJB13lSECnIKL0CukDnwB7Eh8/lRJJvkJ1oH8mSWccVWyEiy+NB8FvM1baT5gP4luZ33Nnb66C4BuZRcXZp9320pbpeoREhdlnyTiuTI5pRInBIYWr8dCGuzGRJHyvM//vZ3HDX+wPmU4TfdoeX9oqJEv3hr8AeSTejsA7U/kY45luGujyzTOqlJ/2t+YF7uSyJkHny/czLr0lnV0CycJO9p6Cs26DVslPbbT8x9TZX5wKFw4a+1g1FVuQT9D0Pp6g+bgWoLCyO7CtvBZ7w3vfee2Tbdumw+IzrFn8D5SzDOQbp4G9LIjgPXNs7KGjEEcayIJypyVbehvrkdcvEjD9XYgVsZUhy/JaSarnvN0YRIgpC81FCx+qzeWdI/8zhgFZgFBoVvjXKhS3TI2QMeSELgEJC1e3VPCWllcBCkeFxKtyTERccpFIlgATz5/wtiTJwU72pXr+uG2pFwZoSmwJ/WAeuZAFwS5K0mSCZ0qRiZ6y7KOEuDjyr+ALsnx+alSs6wDxDr/DWP/Utvm66sSDYxwIlDQDuIeYg7Kv4rIaM9K/MNeLGzQ1mEXuy4J8EXu646NKwbkePT3DsP/Mfpg3ceQmd8ugnWFwYFaHUtFX/HdfEZDuXlUHp1xFMpB1tu/XhB0LGARMA4gg4UTZjXf+PXAozSXQIg0fzbw1rU/vlhHQMkzihomYGK77q6zTTrRNqw8q8kBrGAROSX5kJUxoooD4pWVAuQPg0/0iOb01hTSbbPhBxy7PvvK2Wln4U1Yj7OGHwp2EsDXsqbQ24vKkvJwmYeLlohgkhVEzrgpaEkLLq9bVdjbtAr9F0vXqDpi2quosKyFpwuVESwOhv3sR7UPERZkkrDuSICXsp8X1K77elJQCcS6Ew5zULMl3CZ4TNNxdV/tea5+ShmvVRvabem1YaJZ9XWCmmkeUUgQGhAzTPsknAWivC531P/XjubZb11XXNntdXERd3Q7YMLjzXKIMcIxQAc+Vn+JYQFNnw/TVkb8q5wlpN1nUnRQqNRRlfsxsOwOJaRyRQGDU5mM8E0Lg68CL7wvUDIJyTAmoOblL265nFaPKMkgQ3aBAbw4pYmAdxgZVcSQyG9uOuJoN2eIzJ/UXDjnwXonKKJOIvmPHPIwM0fLtH+WN5E/MxUjYSkucYI+gJpwmvzM4QgR2LQFwfzQ1vZ27q11aOkr4qimPLI60hf7ftJjs9vUIv3SjKfzP9Cc1sY1GKnJpXZvZ700qDDj4xv4mCsqm9vWaeluXFDOdgbZpDhzyW30OvG7rildt2h31iAHdsNUWYPOmKumIyRDVENc9PNoXddnxdvsLOg146JmqAHnM4g9WdlT5vr2+/YhaJP9huOPym/+s66Y2j8KeM3KQMynssoq2Ff4PgvuQMwDwuhSyIvzPdmwTMR/NHbZOWWbGSrxcm7OIxB9DU+kw7WUZtNn8VS6de3a/cjHpJWtIDWMAj3pT/S0tqQtN96WpzM4jCk/TGJVdB5M8tvEIzITf3x1ZDylnO/7AbtD49WKFRHzkFe5PxYxZV1JQdVbCgyAgHLzIABhV95wYqdw1apCMmZIaqZ1Gm/rSFbuMOednJUmSMmMYg/NEhoG4SyXiIe9J3+V38ET5JXmJ8zJn+sK5eRNJLzBSHMe2mRuxqBpAH0DCyWI/TQDWXzODSWFXRP53Xa62oGI4BErG3fHfYzIvn1FP4zCspZHIGJeOV229st8Z7hFWGm8OZ5juGUxdtNc6jmjBIggBPvBB6BDuseOuBCNk4fSzODOw0tPa/cvYlTa6d7zLdDRQfmauzXJ42jkwpnPLVU1W7PZQHJNePU6P9agGi1yMe9wR99oyElfpwYwl3IfU9ujBQgIzZbgZfklXMOKnnqnvmP48p/Zfcdz4ed/cs1iSx4bt/UJFix0CcZYv8ZxmjpuV0odYS7FGbVdWixyuFFJCctgT7UM9a4PPOU4vwV4ukZuszPMTmhzGVhi7XdHihl87qjnReTwDpBhdAmyqVaJnLm5vmz8IlsoHre+caSFf2OfCMaYn62YQzVgfhLlB+7zLSa0llwLQiO8mSKjNREslkolpf0AChF8kXhOw/eksgH5gT+BJ83xQOyXM940s5YoZ3MBh1oZpl9rvUX+8mKQsFfSceI4VV3C9M6GVX1dkejw/Gsg+H0yEW2Mtkcxx3xgusijR4WsBv/IdY9e+c8f5n+zDOPw53pHU/NSAPNVzqofdPownUxixB3Kgz310da9130Sg0heZ2unG0FRbrWFsRkLrftyv61Tm3SA2Auc67WEssfXn344vrDpfk091ONxYeL/PTCv6n4aAQ+lP3gvqShpn+f8WfOAWaxMDT+ec/3Zc944tQsTjfzp6RwrDB1eqFQhyF+RVrGE1E4SeFOBEuuk4yYnFN0QoQdk/F84g1X2GlMnTDFTQnFgSvCUTzMfP+9id/gfTogfrfmcChKx9c0cBPPIYaGiBYn+5JiYiWJk3xYEXNNyJLU7/2+OQJYWIgcKZP48CUy+tGBsu4O7NR6eBezSis42flHACIKJyWa32aVZHH2Et53ZXPg3uW62PExdEdEwB9STNRSQGS51M94TxEv+2xb4RYCQYWrCFyqlQ15RbzCmH4/g15bzt3yRMCtOJ7gElxF5EyNm3OqYlyEw+k4HrJoNuiPUjwgxPEDnNIbiMABh/Z4JyF3HU0jN1k1en74cYtLS/Z4da4glsGV0cOri37nD4JP8M4APZgfNmzkZjDckgQRJm4X4kSRfxEcdIoBq97CSJKK0UvZ6oYTzs2T8BKIyO8svsvggs5OL71XOPPwWbmWQx8SDaMS+3S+SgLxynI8uV/qeZfM/5dyNnerGOFSJEQnIugHV/THeGZFH86JaWr+qu9b5FPR7S/GD8KHV9LxbYqNmjSNjiWNL9ATVDizp0QIsRBLYIajYWmSI36In+c1SugT1MXkKQNJKWAUQJ6ZBGmi1grnOOoJIZGHJRKOh7VZqBYXEqldn5JqDpx6zzdhmvhtNC5CaCRjKAdrShkViDgQTKhFG+ivj2lynoPk/5mJImI2sWN4tTDpVLwyApvE3g/TZpUGhjTGNaY8xNCv/gzTdPRrSdgNEUSlRoXmusfXwZSGQGyaKZIg7ZKeHJ+/By3CnF9MLej6tk9vGKBXCWq8BpjeGNy9Qe/Uf9E6xXFiDDMS4shV7TKABUeY6Twks3Ckov9XrCB9qezjb0ziTcncDdBtjd4o61qUZLSVQEFXg794c/A5kMCK/Ih3wkH0Z4nkBXlUlQUGYIgfgaxUVjx74HyUi1Voy/47QrjweDp6HagvuIVc3Gr5ECq3/5XFcnhhw6XqrpAcVjLiVtN06pEq+biMrRjFV7UKB8lEvQnD4dFzpvcGkSEAPPxYTl9XRBr7g/s2Cwja95Ufozf0LhOcTF0iwqV4VY0z4huzspXp/9DFh05oFNCcSLMVkgRcHc8q3QoP0fZHAsBD06beWHkLzdCcRqR70bYUy6uI6VqVvZl7jm2mz6OUz3DTCV3nfZiLICjO5XaFnWnlMTC+ojzRbgear/CPlfnln37322Jf9hT3+NO/CKlvj5lCgW7ZR8v4jpJa28Af0moZhIN5rt9j5mMx3bf17ZDF/ZhIPeZh4hY37RF0mtKLkqXG6yASGwkkzAwfxUkitOocW2w3QkieT0tPXvgHRl3b4IEyNnJtCQLNMDuclQd7gNrY4A4oaaA3VlKQn+nEr7fYiyBJLdpe0CiJyF8cYop8JKC76P8kdYON/IrJVdjFxE66xqyeECeDpV6eFjxzisclYogZKaHolxs/w9ueP1HYeS0X54K/YP2dbaiuE7uy3cygwiyTTyXSl7IkD4gWXase3HFn3/MV2hX//3V4tvJvvrB49FWHmG7+OUn60kIdyWOvE99mbvrS8ZM2Vx7PM5sn53/MxcO95ueIuG91XRFFSKdJMhXG2XtSkMnnPyd+pfdPL85t33YzAAA=",
            text: ##"""
// Live queries of Freshet for browsers.
//
//     import { live } from '/live.js';
//     const tasks = live('/v1/tasks?filter=done==false&order=-priority&limit=20');
//     tasks.addEventListener('change', ({ detail }) => show(tasks.items, detail.entered));
//     …
//     tasks.close();
//
// What is shown is exactly what the search would answer, and stays so. All tabs of an origin share
// one connection: this file is also the shared worker that holds it (where there are no shared
// workers, each tab has a connection of its own). Several queries step together, from one commit to
// a later one: `change` is told when all of them are exact. Lost connections are made again, and
// resume; nothing is missed and nothing is shown twice. A tab that is hidden for a minute asks for
// nothing until it is seen again.
//
// Numbers of `items` are those of JavaScript: beyond 2^53 they lose digits, and 0.10 is 0.1. So ids
// are told apart by their text, an id that JavaScript has no integer for is a string in `items`, and
// text(id) has what the server sent, digit for digit. /freshet.d.ts has the types.

import { Reducer } from './reducer.js';
import { MOST_QUERIES, Session } from './session.js';

/** The number of what pages and worker tell each other: tabs of two versions do not meet. */
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

/** Hands out the raw events of a connection while somebody listens, the last 200 first; answers what ends that. */
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
  #queries = new Map(); // number → LiveQuery
  #count = 0;
  #post;
  #frameListeners = new Set();
  #tokenListeners = new Set();

  /**
   * @param {string} base the server's origin
   * @param {string} [name] of the shared worker; without one the connection is this page's own
   */
  constructor(base, name) {
    if (name && globalThis.SharedWorker) this.#share(name);
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

  #share(name) {
    const worker = new SharedWorker(import.meta.url, { type: 'module', name: `${name}-${MESSAGES}` });
    worker.port.onmessage = ({ data }) => this.#receive(data);
    this.#post = (message) => worker.port.postMessage(message);
  }

  #own(base) {
    const hub = new Hub(base);
    const tab = hub.join((message) => this.#receive(message));
    this.#post = (message) => hub.receive(tab, message);
  }

  post(message) { this.#post(message); }

  watch(url, { token, throttle }) {
    const number = this.#count++;
    const query = new LiveQuery(this, number, url, () => this.#queries.delete(number));
    this.#queries.set(number, query);
    this.post({ open: number, url, token: token ?? null, throttle: throttle ?? null });
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
      this.post({ kept: own });
    });
  }

  /** Takes what several queries are told in, and tells their listeners when all are. */
  #receive({ batch = [], frame, token }) {
    const tell = batch.flatMap(([number, messages]) => this.#queries.get(number)?.take(messages) ?? []);
    for (const event of tell) event();
    if (frame) for (const listener of this.#frameListeners) listener(frame);
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
    const isThere = () => {
      const [ours, reached] = this.at?.split('.') ?? [];
      if (ours !== undefined && ours !== epoch) throw new Error('the store has begun anew since that write');
      return Number(reached) >= Number(seq);
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
      for (const session of this.#sessions) if (session.token === before) session.end();
    }
    for (const tab of this.#tabs) tab.post({ token });
  }
}

if (typeof SharedWorkerGlobalScope !== 'undefined' && self instanceof SharedWorkerGlobalScope) {
  const hub = new Hub(location.origin);
  self.onconnect = ({ ports: [port] }) => {
    const tab = hub.join((message) => port.postMessage(message));
    port.onmessage = ({ data }) => hub.receive(tab, data);
    // A tab that has crashed says nothing; browsers that know tell so.
    port.addEventListener('close', () => hub.receive(tab, { leave: true }));
  };
}

"""##),
        BrowserFile(
            at: "/reducer.js", .script, tag: "\"7cbe505a44f4d31a1a02b32b6d352c0e\"",
            packed: "H4sIAAAAAAACA3RV17bqNhB95yt2KnAXMcnj7e0lvfc+2AP2PbZENGM4LBav+YB8Yr4kjCSfS1k5FY1m9t6aIs3n+KEmhXeMttkw/uo57CC138oDaM0IXPUlB/hlXK6DV1/6tsBHihvmtUQz31KpUL5Vc2QqawS/nYFcNTpyCO0EWyMiiPIay+C7SFr6rmsU6kFoSTlEa02Csia34qoYjZpu7YNiD265Y6cyQ1N9sbS/3x4ZZ+i4W3AQHBLuuJi/Eu+KVzJ+OBrN793DtzVHcWLqyMEvXnGpY7mLXOzgqOMC9+Yjvo10pXei2cFoBI8xMZApHj+B4y0+o/UkA6SNojtaJvsINQPpDOwqHGLAL8lofoW0TcmTvD/9bTr9H5kUAu3Gcnfua3l551pf3jgXdiHpWsudkudWvkGFky2HB2hUTuoca5tq+jFt6JsyNGtFRzcc1TcaxZYtieDrI9Z+BLy1obbnIwWS/NCX6kOUaMXE41zRJHoaYwCtGynMgseR+eFra44xy8FQV6yIHJMhuFli8kb0TeSDHTgx4jE+/uaLz4s1BeHJHd80MSUQ3a3ZL0+jIvvjxxi73npgjHffxRufx89FI9/Qkj9yyisOk/Og6fQKZThNIjzEv4G1D+7UNR3zMFRoFXy/Bslp/m1wGp3FmWyqXAmxYgq2jda+Vxs0L6mXlr0rtfEuYX1vJLmF9kONUuzj00HIPbVinYwb5U7GlqksOPk/xR5FUZxm1WJmiP4Pzvp2YhGpRe3jMF7WNXFd5MId8ACXgA8tHXkicq+l+yr1W9Y+DOv0IeZza7R///7H4M0lnlxsI42e2Wi1Crwi5WTfo5EvXB5ewcFcGle2fcWVORi2ZdpaxKDz+pwolfBKTZqgLQlIbrjC0gfIEZxjCVuyGd+w0xFgVf8h36GO1lJ7teuTBeqPMF6y/5pCaoQdq22Zj1XbRDibn1OsoVG0pswk8fqqUFOFBbO7lPOn0g2/jJfznw+GM+7h22qGwCTe4TDQqe/LmquzQ5u985s76zes2ZreAkvR+3G9rXfxf3xmEqMM4j+qLGOpIjM0Dj5UHB6CnNeaQ7o6QUvlkJ6jMsbnZ6zLApvK2H75zVDVK7XHVe8qXjaOq9d5YoO0OAiHDQe0jViePDof2HLnQCnvCT+1woQgO1Hu0tLmD8foHTpyO6SuTzo09K4kjTlZUis26uYqNpuP8d4HD0dZzLMjC3XYL7xvmdwBp8nBNks9rdGRt22xYJTUtlwlwv86taIet20Y/Ffc4IBYaBZcX3M95GnPHbDHwEDc2nc1mjlZo+vhlvq/jxT1mWJkB0Wf1kgUScrkx4+6pfBrNIh9hsmIPFe75lso6IayZtBV2MJhYMSqKLm0AXVnKfiu0cVQrgwrtIqqd2xEbEilzhmRXWslFvc2mALEWaVa6mgZU8pVCgairAXJeEalt6GPxFDRmzMQQ5+B5VxLwJ9iG8zs7qtiE/4Vu0U4jniAS7eigczVZWGZ+9inQJDWTKf+7P33jq5nR3huBasQV/S93HGSr4JjVdAqC3OqgpxczK5rwjk5hl+SAJVjfuTGDg+aJESEbxIlR0ekxNhJJgVayVwXVKc9U0vaY3bbo/KYbnSNSSqTin+Ty/0zizj5mpI7uR+RLY23SFDa+Tcxg1VhN3IvE0YhtSXLIua2v+HE4RBrZQUSCTe0jIIjmQOyxwmw391d0rWh2lub+Qd46p5fvrfnjRLsFaHy6IJ8HP4ET0fBZHEFrplihHt5CqsMu1leL6JUMmmpRCkeBJftc5iaa1IuwtuZ2M5wSjpL3TbIgdph/dz65HyJSs+pXcg1UWFTXfh030pvljvkHtnUvkYDfMB8FcBfGAXSnAy/USv/0WKeitddn06Ht1JnkjQ2Xi3eMbMFzwjcVpeb9uDrpUMc6FhAQ3Eup4wmelH3aK3gs2GlZE2u2MTlYFfWcEvKZJKZ8ZqycOdbEdnwlJuME8J2vpADMsTwzXY99Uj/yoSn49bug4O4Lu2nMSsRqlikYC9c8IQyzYb4xErW8ePQPnn5FxMfSAjbQWzx56og1oM1+mcxyKVxzZRikgHymnBVBWYTcC5nOxRF9IoGBcxLx5uw/ZiwH5yHAJkr3lkBiXHN0a1PL+evJRHl0adVwSeG0chQtJQlUDVrC0rjZYpe+GrUwCOObEIB0n10LHMIsxauiFk+e1bkpIQLnFe5DMwtg61s19n9BDvwBoRXm2hYqdZP3YECLdk0gpT9nDqb7ZxB66Yl0liWdLIOajWKn2NViflSP2eGfZYZAgtSFPjWM/48Tl/Yw6gtiDmRXsd8fkRib7dmI5ySDLBaGWjHstjYNNcqUdSwCIPgaBz7i0j8mRpWS0z35Alhu6Zl1KCQ+lZmZS/4ylO0HzHDvx4xWxTPx4DZ8hhl0HitdygPBcG8TNI8PiwdR3yPNhLGNfnImGtLl15x3FfhBzXAP6cgmtep8TWNhK4n1BWeapZOwJmmhHYS6tVollQm3xK2qxZoS2JdLrq+8119WCxdhnRdw3eKgQGXMqammpk5KrHmR22lRe4u96K82jAi2cZPCFgGASFdgqCl1xDDggqBDMwUvUyriCnZwOjKW/Ij2dTZEgJYSIR01szy8sfyirbQeQUKTaQEIPTwaMumU+4Zr2cfEe/J5rUIyjFXShrtKnIzH8pQPMfXlIHofUp74GkDSWHSgnFFdmUmiSKDjZSbA+ZP52ziAPJ1id3l/k/L03GpqiqpddBr0ghJM5cmhRwlr69DmPEjFBEVlk9yWWrgWUbbt6+NRpNNuWlgIOG7aItJtwkWLlbgN0NeKVdEL2F/loL541Ta+uPSJXdCQh8fTa7P0ldal+5qGayqlv2YeJdhaSD5dKi/8Nm5pA37mrTy7pnKuvgxktm49uNo/OkptDTEW3tXufWZnj/Lsl4Vn4NYvftQFX8Un+k/LmeP2tOZNCLYHFwT3BZxN6ksKJGgNeGMLks0c+4AUmWplkuJzppQhhaz8ovOr8/df23x82f0gxhp/+y/uhQ1RRkPoswKcXAFz2f6B/R/a9/OpXOpm5SNrW/VqV+HrdOL/33Qwq3+DmTZT4dXiDN/wZlMb74fT6e20VRXd+1lZeFy03U3njVwf8ho9wswcLNJZuT3/QQoxD2J54ObbID+ONvt8Pghj83yxK9/V/H8BI+UeWAqKNkldFJeSPr6wNM8v8ycv7R9Q686eCufzU0DdmxIWT+jsc3RAL9ycAQQAQ+65MpZmDuzLhQJRhFMP+/IFIrRnMOjuawd2pGG3k+DTe0nMeL1a3doC06UWK/FRxIlMBB1H4N/Yylrr6bVHUu8f49wCt21GAEbv6zQEB0W0e5jslGCyMtJHv269lZNiaKZorIFQwJZkmMEM4LhO7EHWc0FOAi+qSJoyr4Uo03mOULKVGs1Y/yysHWDLAWOynEb+pqVK8Sy+mMRPDvq4xgNZvgLdN0X7T8n/zb+7wvtvy9kwx/Foj45jnOgKTO8YO32ix+Lzd0lhYhhtQjEc7HZyUb2xwwzfTp6UqyUh6RM0AUzkoX7hayN1vSZdtg7c95wL6tD10c9upTpMp8zezDiL6v8NX/3zx/893eXQBrO4bW6e3qT7Bg2lzt9nrn19p9r4BscKBRuaF78H8YYChM7vFuwueC8SmoOJglnX7OMriAgVwjx7OYwvtizywWWyREZdgym7Mk5lqYs4oF/sblfLXjcXmwCDR32+CP///ijvEGaIwAA",
            text: ##"""
// What one live query shows: the reducer of the protocol. It keeps the exact text of each row, and
// says what a step from one commit to a later one has changed.

import { elements, idOf, idText, members } from './json.js';

/** The texts of an object's members by name. */
export const memberTexts = (text) => new Map(members(text).map(({ name, at, end }) => [name, text.slice(at, end)]));

/** The texts of an array's elements. */
export const elementTexts = (text) => elements(text).map(({ at, end }) => text.slice(at, end));

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
  /** The exact JSON of an included entity. */
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
            at: "/session.js", .script, tag: "\"c6ed59c94ce78b0c9885ee5c85ec85b2\"",
            packed: "H4sIAAAAAAACA3RVZ3rjNhD9z1NMqiivQjm9l+299y6IHJqMQUKLAV0+r/7mADliTpIZDOi1rW87+KY/PIznczgPhESt68HVYNs9hHcD+hYJ8sV87+v5W8EW019gWEFwYKAZ+spjNbpJmOkPoR+6JXr5CmbJ6J589JhxCdzDPgAFj6YrGBDsaWMChAaB0LPrhI7boMYNtoLG8T+1s9btE9TedeIdc/8Ci88IQ7C4gNJ1K+OR1LjvuJUKOrOLJEUE9MiNktTigtaUu1TAZWmIgAOh4QAehuvuN9iDgQUd9uUCyBySxhhr06wagQemZDSk6aSFrg0zIJf8pUnoUQggROISthZe2L/IsrZbOR/gCB5gNZToZ9ChMPcIDwLBWkedFHOv5uJvmvyaZXggUVyrpwC37z589Pb+48sPrl9+CL/D19vbv2bzrS245vbBun4HTGz4ECjwFDpYy8mtoRCbawx/YGAQdtwM2h661tqWkPNXzM/WPNNKt67fuXr5Adf4ZluKJPDyea7/9Pz1R1o8GVJfCf+W8dTW+XT1QK0VIdTOAznttCX+n8Iv0KDxYYkmkBCKgKZs4Ovv4UQ3mv/h9VuX71y8zCW+0xKphk4sYhyV9AtPbuKQ1LCIZqINhhzsm1A2SGzR5MwLwf0Yf5QBJOa5Qo/74zXl018zSJGeku0hBsaBRXAkvM7GR7DOQLgPyH4T7r3HMrT9zkRSrLxbWuzYwu8I67bHSmBygy/xLOox+MPz4SwsE99GIrMjyh9fUs8KgnIIUdMEbtDxpOtWynOWl6+ZL1AZ+aEMzueJrBkM3jJFtjU0jTQAJ22pSHYOTqdfP9g4hHH+9wQWMzAa/xd8LRV3RG10fp9fZs7pZbDB9/CyKIoYNRL7uiDXYZ5HPmE9hd//kFORYpnsdbYer9xjPZCxykBnDmFliE5c6S0T0AOzgsLHZe+dh6Mz46frmEES/zg7DSv0+cRKisn0xHwf7i+dTtiEaDbkd6IM8uOU79/D9hS20mMBnSE9aW31YWJZiqdlkzR226ySxoTt//75V5XKfp8tDeGvcsC4z+JxZUITD6aqPFIEI1tyHaKWj+7dxih3HNugrU5JXMDO+F3aQEs39DLzdvzSh671w1j6UYO6esrBk9MfEQyNdZdYO4+RQFmRYw8Ka1beyFidD/FDOT6xhCIaH4o6txbZXX2d32Xfe951LWHhkZzdw9Q5z3tZdj871MYSbrwMoXcGwe1iz/813oVgGVCyT72ReBOcZ7yQBMdQhuP/J/GUi03peDIq3SYb9TC+IZHAdcZHeXzFv7JxJ+Xyek/uoLE/iyGtxt81fQov+EVKUJJ2W0P+ifqxWOOhSBvsd95htWFWq8mYFNRDxaB6zCV5WiKLd58fxVqqjnPn1otUBk73QNrDTNMln3V2XOB4LRSs5vzMjlV3vTH4v3Qr4W7cxsF/RdlL0o6ipHer2axf7/u+D+8bxaIdbRzJIzk7k+blvy8+AjAFW1Gbds9YJEEQxPEBRK/EG8LH/Rx7zuMsumUvXAwPlKnd6lf1AOKC9TP/ytQF62f1yHfzeZCcDEnEJrPyiv3vM1i9cpZfN/1FvdwmxF5TbigkbYlDu1IH5llEs0jraYYI8no7lwPDHW4oZpI8ziGegk7MMsl2m83nKh9ez3Ap4U/ifHlv0S4oSkmm4b+NKhKidsLCJiuFEdsrSr0kYMC02GsN/v8f//A2zaTwVanuX3DlSFMd1g80cm9OX//qUuF+7Fz065v6ylHgSxIfOcD5BC2o+r5NyDxYRnRE7PqfuumoEgvnYZ2ZZTm8ywRSpcGqAdzKfuCTo60jyFkilLO7JsfYtFvjKK8oSjYEOs9vFOzpVJgkgHqt0R9+G1ZmPZZraNW1S0qoWXQoriOehnBiT68Wp3H+ydWBsRsB+LjBBszgQkdL78llKYHsJP7izW/e/kBUnreGCYucC/rzZ09hXvhQeLdT8TsrzbcZcEFoz6KaeHVlBX31sVyE0jmBZQnEYg/NwcSeekHm0alyDWfx8OCLxWqjeiDeHIFxmHwFDRDfLkAP2YyJmMCxwPMcbRnlanJE4aDRm9c9o1t76WId/E0nAVrpll9v3QZ5y2bjGm/t5RJICnu09D/dY9LFi7qpMMZ6hwABQK26ekmybwJnIxhDeelpL6uaErXDj5xINDwxX/holyzL6/XWKC1PJwshIxY0RdI2g5RpOFl5oDhsByINoxS8VtGCVYugNKKlIz6KwGdiYlXAd4C/ZvX/yjUlq0kqscXnya5zyEH5dvu1cxuIVC4f8l7gXJVPb4ywaejSbTjfwvdl3WkeDCzd5+EIsj+Db3ZlEK44aQXf9lwE9lpAUyuoEeORY0MxPdrSzZb1mrTq3u0odhggcjQAIjb2133P6Q1vsSN8y05K0ggxbmDbnG5TvJGh5D+5IcgVilflZp/cyPIepQi51rDZXPnhHZkX2ckyYsNsyGhFYBxh/SZ53SzW15XrJewICbmYqms3PDC4HZFSTuh4tb1A6GNK/Du17pgyyJXTJRnPBK1Jk7DqbqbCl+M+5Q5Yd5VdKjxsyb6tE3+zqnpoNNG+olrSDvb6akWJ+1E9R30DYRH/y+5Hkwg1ajkOhSCYCROs1MRZ1nX/GVE8iwZhT03Q49taUyeUEiKYCU0knVu1kXIwldSQZvb5YDtQocyAt4VgeFtZNYuIVaPHAhBF9caBZoHsfrhH3aCgwHvptc/sToWNVdZURZMTJjQTpgtmLjU24YG/cPdz+DJPM3HARIfPOiMuo0IvgYn4BWZtc72mxeY4ZdM/A4Q8xA1KOP6C6kMxER8BEtGMxnflzNjgis/P/0tAIEfh7d1mi29i9mkmQrwbKDTzkbeXqcFLnonwSbm+VY0QCQn/chxU94ZhKhpwTDND/fXkb7dCB+jKTpZEXwsxdlDueR+TSJplHY65OfgdkUIUfNnPNARJ055e0Ix947mFduoPRHEsADrUubtwy5qbqZj09+dLkbt119v3EMwxWeylqUbdNBIPJZU/FRpahC4bj2kEegGi0CLYbN1zhYkswds3JLVq2+pxAEKqROwHcuNQ3qWaAjuGM+UUlq5sLNpKkmva/5jgZeW6eIAqBgSwTPUOsfC6h8m/cnoKL26/g+DLL77hQ0HXPoOf5DJYKHTJggu/I+c8sQ/axx7lxemwJDBg/GjnrJKRPU9fBjNHfBESU9IHgDODJu4iR2eXAb6DRDiBA5E/5+qLYM15HhL5ym0JJhQ7UfNvyrI3VP93ycl/OLLG+T9ncRGdZFEcp/flywYesr+B729pU05QztvqxsYSkWx0RmzFlIxQcNsef3OzcbRZTJh6XROIJQmcwPjj6C6IO1SNUqWSv3lNu3X1r34JnMJblImQ5iHr0tnqFMTulg4YGVf/7VefJMxmqFOlEJeeQXbhYxT+f3HDH339+Wd0vR2FuHp5k/AZbZrljYfxaI8C2rqXpKCIauSqq7ohQwIT8v4goFPgf8AoIjzBehPFd51iy9kqu4OalXf06ryQUvOUUBUypfnh6VTlFHKoIgmnUxhtej9BrzuCoboUfKJhxFqM7m9du4YBMg0b3UHGRJQwdTxJFXCMXFdEbnN4GRD2QnFXxdg2+p4TtZ36TrLRVVk3kkKWpA0kA0DKDmm5Ppo1LT+04e2H39YWCuIGaVuGKlXvy80qC+s8xgGq1HmmkhOpKn9KYiJM8lwI4CuV7ZPT/JXoEQ92hEnbK7qKk+hFsiTP1syrJMR/Khwa4RnadWNpv5iFZzMT3MLTzzukPDnl07TpI8/o/ZnCaDJpgcp9KdW05nZuYCuhhKrn39fnUJoZKY+MlukmqijT9TQIJKikaAJIjldt5HlA1g/TkVlentODTDIyZLmRrZDoWC0cvCjQG4J7QOUo6K8WhhSOsAfovU+9QdXHrZfwqJpcVK3jikuHF1NU/UZSr9SU2d5595N3v3nXwGOtq8h94PYmw7Z9qsgdTo0R+1IhwtNilsRQSfdszFQ5G7FLEHgT14I42lE3gAYDXchPkBrrDCI2Qc/gxv7SX9JteHUu6K1Z0H6x85Lh1afYe7i5OzDBpiTHVTdMmzN1/+fPGJin4DPvabfFxRdlV17x2wfGsmg477E+2rBliazlYTqcoN3A2zLEkBCO+uibi4Xb0FniLT16nvjLOWZRxjCVBWkIjLlp6SsFiBgnXjXlutDmDP4px7sv9Vo6fXBSPoRtqN0YOHzxVNz1YeEXQUBXAGXkm3rjviExX68YwaAt4h0HsNx97XkkfwbM+hUthC5kwrqyINgxbMeCVOYNptSdw1pBn94YosThxZg5F8P8RGIb7HWD2DaoOkRXPuNvfe0TUa2RkvzW5xTeRnJ1iiIr1fMzq/jpaMHSIFFzAjD50CQKDDw0q5DA+SeyigmXMsLPEWcWQKT7A9Cql1ObItxfTg0QzgBl49SNdKGWnT+LKJgFfzDQznkkEsePo8c6OB1yZIr5OhIPZUMNR5npewEVU1/wZ6ScBxlrKC8w77k/h7FOzMMFi+Yd7WuefevhQz46413s1q6BD8WEHK/7H5Isn5OKxb80vzSx2RMz/0WQDQsJQAgh6z/P1+3ikiAME+wpR3LJaYZN0rynlGmrhFXUv9OEtug48Z6QePObpNbc9ZBnw53B8aPoRUUZqh1M7TZiv12V25LKkUDsg+cCfAU3QbmMB3lzGHPQI3bDhcS6D41lFOWlVwLtB20+LDPtyjFQVPqZURK0V3c5rKogHERnYFtyI8L56zaGHoRvILj36fzGxdFskJsUw2Y1f9SUTf2pLclrewA2DuVN/5WuwWeXVFImk8WEdAxSLClIQtSXyChF4E/lEX6W+zLUzJcJcQMF/Tf8Bs1CbgdSDvjZFPL2pSGCHW8wkSVWWOYqmINwNJEOUMT9fmmUHUhdSdPfyT7Ng5YNa7SWmLYU2JtF4W5bxnsPOqhN3Cj2DzpubpZcP2DHPk+jW6OD4r4UnAcLpjd+LT7wxTZ7wXTU+cr1sCxp3+BNLXJ0cwkGvHumSU6gTTqvaVFkmkeYU+MSVKm1c+6huVnIyUKpUmiZPo3puOUV5RZuv0eteZeuZZJ3GxfFs1jIlOwelysnYh7PSKKJngt2M6aPGKiHW0zbnp1ZV68uUBIV5A3poDJEVSe3KCly8xKBmT33rGq3ri2qvknLUPiJZbNjwCpUVGKu7vHfKIrR0PNN3fGHcrGg+fE8vJuxDAZ6J7RRxNxJL/0tuHLEq8jFmVUiyt+PTm4jINxC7i9UMJ+EnoAAIgfPvwWVAXnN3ROjm+bJe6cuog0BTI6ZPNzn/uPYe3XnQ+RooxNiexCJTIZI7nM36GaERUh7Lh7H9MGs9iXFzdaTs7sxq4HHsZpgvrnuL5Kfw6R5SKo/aznSkiE3FTbs68pFpTyLq5/cYfaF70Kv6r5cdY4e8Gqq3owdcqr3S++fMCEUwE+da8QOjbHo7hp2xd4ibA2yUO1/1G/6m/I0JhLAgOiW3N+w3ldLHcWSMOUlmWCYFoLE9EhH2nxoCqFSaLogTJltBfR5NvbiptYhFObTL4PTxcloot1FXqIf0HfETN+l+y1b0mPNWgzjRO2Sm9vxhywHguNmdrTDSWWz8HruHL8N8z9AAIMgbrToqfKX/68yH56MXXL730ijMO2ERmEe/yO1wtG+SuUk+FABHzNrg4DrwNDmSVoDzziJqVaPaRsL/JqXfPBrCcqDAGCQ7fuksZFaY6Q6WvaoiewXRIVYKIQGChM1fftajNtU8YrfksbVP7HP3CQ3D+hPFRbICqFnJn070inyrjeZx+016Y71idr87Yi1mFthaC2poHwB0sAXk+JEu9EVj6bM+EELrJGE/K997QZppobXbqWbHjTYDl9kDJDkvhI5kFUYOwXrHyqmyT7f0OMsO8zpXzs+iVOuYyyvG36W2a8AgefxapHtTDB14aBn2CcEK67JFLZEEzCM+YzEMRs81lIIC/88h9YAaIn5Z8aKaE279hh5gtBecDniSeaRkE+4W+5TxDzvQXcnt6l/OLZsgAIqk4xFcWJOeoyl1dXgJ1g2d4lNwZvfIhQr4nSIuTEJMui2/fcEJZKYN6FJzEnOdQNPTIoQr4raoJ45TgN8BQp1Zde//Jvr/bohCYjCEnlNdErvmyfi0v4P5jHSKTw4AAA=",
            text: ##"""
// A session of live queries (`/v1/_live`): up to a hundred queries of any number of tabs over one
// event stream.
//
// What the server's session should hold follows from the tabs: `#settle` compares the two and makes
// the request that lacks. Events are handed on when a `sync` says that all queries are exact at one
// commit, so that a tab never sees half of one.

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

  /** Makes the session and its stream what the tabs want. */
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
    for (const query of queries) if (spare.includes(query.alias)) this.#drop(query);
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
    const wanted = [...(since ? shown : added).map(({ alias, url }) => [alias, url]),
      ...isNew ? [] : removed.map((alias) => [alias, null])];
    const answer = await this.#call(isNew ? 'POST' : 'PATCH', this.#path ?? '/v1/_live', { queries: Object.fromEntries(wanted), since });
    if (answer.ok) {
      if (isNew) {
        const { session, url } = await answer.json();
        this.#path = `/v1/_live/${session}`;
        this.#address = url;
        this.#before = undefined;
      }
      for (const [alias, url] of wanted) this.#held[url ? 'add' : 'delete'](alias);
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
    return fetch(new URL(path, this.#base), { method, headers, body: body && JSON.stringify(body) });
  }

  /** What sleeps falls behind: it begins anew when it wakes. */
  #drop(query) {
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

  end() {
    this.#hasEnded = true;
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
    const url = new URL(this.#address, this.#base);
    const asked = { heartbeat: 15, since: this.#at, throttle: this.throttle };
    for (const name in asked) if (asked[name]) url.searchParams.set(name, asked[name]);
    let fault;
    try {
      const options = { headers: { Accept: 'text/event-stream' }, cache: 'no-store', signal: stream.signal };
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

  async #read(reader, stream) {
    for (let rest = ''; ;) {
      clearTimeout(this.#silence);
      this.#silence = setTimeout(() => stream.abort(), MOST_SILENCE);
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
    this.#lose(undefined, after);
  }

  #apply(query, name, text) {
    const isFirst = query.reducer.version < 0;
    if (isFirst && name === 'delta') return; // of what it was before it slept
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
    const gone = Object.fromEntries([...this.#marks].map((alias) => [alias, null]));
    this.#marks.clear();
    this.#enqueue(() => this.#path && this.#call('PATCH', this.#path, { queries: gone }));
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
