// Written by .ci/embed from Browser. Edit the files there, then run .ci/embed.
// swift-format-ignore-file

/// The files of the folder Browser: the modules for pages, and the console.
enum BrowserFiles {
    static let all: [BrowserFile] = [
        BrowserFile(
            at: "/console/access.js", .script, tag: "\"7c3cf9989c9a6d47bbae53c4b250a848\"",
            packed: "H4sIAAAAAAACA6Va6XbbuJL+n6eo9vG5IDO0dPdFGV8f975vSc+m0cQwCVlISEJDQFZr1DonjzHr33mwPMmtBYJIS+l9EUmgUFUoVH1VADwew3VZGu8nsF44aPQGKoevOowe2WbpugBbaExza7pn5tvgYQfzzjWgRqNxZ6pVabrRC6+eHIhvVyG4toDSLTfXXp40tABTm8a0+DK3dV3AwtVVActa2xYfnbvF7nd0Vx1EjCvXPODeusr4Zxppe2TmW+bygLS2Pnyp7/qE1PSAqnRNo1tUxC9MXfdoXVeZzj+g1v5lQUZCctPdm65HLw0P6W89z1iXwX/t1gXc6rY1HVmlMvS7ot7KlWgo0yzD5mnQwaCFaEABd/betGgpoyvb3hVQu/jSrIJBnd0yWNfqmsy46ujpWbeyczV9NLqu2VgFBHqwCsE29N0Z/F27gb39wq1lBo9K1/oA3rkWLuE3v4fH8Oc//v7X9M+T2NfZu0X4Yo7dGb/mcPnX+AqXl5coYWXgikVkChWBzq29KkDdOVepHCZwoJ3r2h+IW9caIuTnkFB1q9qoRHm7AQ3URORr3bVMLn2pSawdlczzvf7oNbbbyAT43aDFrX+PXyuZTfpEiVNha6SBuN9qnEcBcTD86lcwVaDEwnuW+Wz2CGCSiGgS7Qqt8d13g7ZVW5m5bUkSry6ZwaBD8YTe1cGMlrrzB7ZwIa2tW2c5/L2sVFKSvg4mwZdjtWAybMhx0cePH8PXZCYPaNmwWZKjLJw3gMxpCV1YmI47PNQagwkej/vuIKFJFmWaQgZ4NqZ4ZXZwykzJGJWgIVOlZpfGJjISKj5Uh+YyVc/ojfqM5nX4x84GbvgM4avUK2/UDOlGoxFrQUPUXpXZbITwE0yXZVNsa82MlKOXfNToJba2ujGHnhQ42RZUpYO+YD0mQGSwK/gprqkOS5ds5Wn9BOQyosyLfdxkKGHU4QweNK1pMthGWNeaCUVBWGDQKwr/UtfYolu/RtYStiiE5t6ZxgUi78y/r4wPHoKD1dIHFNF4BbspMa/RpeoZXF1B+srztPT/uHCEcGgwREROAhDoB6XWpovJYQKkNFIYxBJv29JQCBqCJqZY6HsD5UK3d6YCKx6i/aYtYb5qS1pcaGxrMkLyHLaPgNMBfyaAy0glgNBtmABAXGwLL7xrJ8D4hSkFduhpeq1tILUz9cF7z8gLxve/GT/XnNXGjVHEKrEocSUajLh+TsuIVz66M+R/3C9jBpo1ZuSWpqUgFwzP9uCiqP1C4J8+ny0MCZvbO4Rknu9Ce2gdvH71v6LV61f/NwEK7s2tqzaUeMmm5cJ4wKX2nFuSvYWQXWCE7s96gSSIbDpVH4FuFKvHjnglWBc/0fcSmDiWZVtAHAm2XNUasYXCRD1d3b4wZRAuXj7grYhTNGFx30OnDPva1UbGdPh2egD1IHVUGnDUdYWrb30Q08h4TW0J0zdmkCVSTkgZQcQLMPv+3BOkk+gE6ZxbiBFpx0PfkUUu9t7wVh9/Sf9eu9ruFDVRvsykvYDfIqoTutrKpCXpA2D2BdtpZNrQWeNJHUainJUVYBAX30GpQ7mALBZAEhF9z+uXRnuqAjLCpl4gRW6PdhjJY3hnYcqXcIH/xERO/uVdS46PcQuf6SX5DoY1GdWG6GrifWsbFuJ0lLEZScXuQhqd2a/KhUxZKPZJWNIxVKZE43jpY5yR4R74A4UZYhMoq7g12KDYS6aH9JqExRZhJQUV9ZIRDdiDMthuw0bNZgRnCWtwHpUtCVwpysm8CU1EtqHaL+iw8lidGc4e6BhkQM/48vHTLz6X3CscniQGXtsKCSIXyQHeNb3yhL5S2ZPKkzggUcXvE07fmfnK92oNkt2ZsOpamKaUuVSULILxYQIqTldRZiL9CriZwPk2Lj9jXJxkTlkgvu9GQKgVUwcglcdBYpXd6EZcPBpFsuQW3LzgpSY5wfq5JUNyeU6ybVuZb9lHk57e8Ir0tWWOUddN5uZiQ/RQMqG69mADWmJVV6Soayi9wWTfQUAZHHrGBFKJh/pItbMPyqRbKrxSku57EMMrBE5/xFvfulXghUgM0nLRvuUUQiWXJoK0ZGI7MQwm3PYuLOCv8GuClLSXEc+K1sMVG4ulx+dbNuNuzB03klvE6IziVBXRE6XksycU+8ntmcP7rmuy4F6a1vcdn8CSkCCtDJU1tDXipbFkTx50wYS4PD2fR0vU5PQZrWABtb41dQE6hM7eolWl0uvnbFK9L8u2y5UI8vY/zAR+88cChBeWawc+UejB3QULExsWnKrEm/MtN+zgRqxI5gDYHfSe8owK4MenRDuDS5lNJm54wV2cwOOLbCEfWIN3rKWhNTbdBE7n1YHJplJH0+8bBMdyNj63HIeWHFv2UANmFNK2Os3ICmxWzGSopm43Q610GfrL4vGtDEexeaEFSwjgY7G93hfbVHHeGzUTQCDrDOPdLVO43+t6ZYYlc573lBHo7utDAaFRJA1nBJ3A7zhfe0+6uUqSTWf1hbgCtr4nXLRnzEYzzQGnfbRi27PXr/7/DG27MHvB+ghpdqoYGkIohzak7XI7CCR7zwonPTFnH/S094bUXLpaLNjnb4huYavKtCdW/c71pcgJCwsil0EWWJc1NqiDgZadbXRHcz9CWvUOvzJ3skl251I5gSCsuBhT+Wi92BCNRMxIV9V79yj9U+uD4ep37sqVV3Go1CscITHGfJanjVbyDXqRquq5bl27aRyyiPsu8pHv9yCySXQb2q08O6zfHUGv3mcF8tBAwV7ZO2yZu07eeCsCh20IBW6WD9CKYpigcXpzxrM4m5xvuQDwocMMYeebTOzB+tAengAo3yHs3JxV7gQ5BpAQRyJasRNk1Jzo9snLVtKEyQJH2urEOCJJ3MUa0jBCkibLZah00PA+ye5mNsDYm+35lg2wX7i3nauNbvPRC2fbLN/tbqTIBJAN3TDbJFNi3KFTUa1xvcfzTEKgsp7SHaXFKFQU4EAaiftDPA2inv4WMJVtJ7d+X37x9Gjvx1qR9/BKT/brLYGVimyWXTysE4XmZHl+PPZEhZ4YsMGSiY+LIXagdMSX8RGGDVcq7yU79OBmiCtxZq6dYKtE/wQyQxHay8D8PVp2/HzXzPWqDllUjFnIx47+7afGN+ZZRfsExceZeS+jpYwk0O73nlhgYIovC2Rl6h23JLRNsCGHxJlwn07TxOKpbDb9noWdFXFFcyz5e4mLeF4ICQFGId6VD+uj1qw5zWcPC6PjWiXBD/G2+DksXCZcsHJ1MMwOjX6JK9rnhytB3B6msaBvuc6bwK+Pclo0hBrIio1DcbVtzS8UxizcHMLDE4yheCI7ToRUFB5Vfxyql2zYA2Sqz68/e0+JG4qRRkT3jmuDaYn8Zt4ZvzBBXJLWCncj43+b/ut6dDH7u/PxiJSJ+7krkTGR83tpFJwCNslD1tszUgbT/xGUytACzvxC//YPf0QSLhSwgffu+L09e8y/VAqdSZrGXko3xJBRa7cHSfohSceZM7kVWY2MyC8Uij8BJq7ZKlKy5rJ9elPMfk5erfZVl8Qj0ctBlbgSLNEKwdPKC1PCltLIQSA1kikpkx77xutX/+VBAnPEQ+MJgg2e0q7x4Qk8/eiDD7/5EshuLIPQ04C+07aVnWc88WoN/S50TxHiY+o5HX1FZylYGZlHvFfJvqc2kpYElmVty5cTcdV0N5Udu2EBffuoXDBSACz0O+T6JlNiAsUFipzC0PilvjP9gxi58vHx2sStJWKGewWfzqqpEolHSS/Nxmd8H0TD4m7BK97Fb3d53FoW0CfZn0DPDq5FWyW5K8pElDBS+e58K+RXfChNcbr/ZgenDfleLwjO8UZckbPvnqSp1aum5fIJ5W3Z4SZxP8I+OTnsrax/nzzIxLCRYMBleV4A6273FzCyce/Xi3D1/Wea6bwdeeS4aH1d4gHmQaF0+Jk0oCNmki1vw7sZskpqVRRfpI2cSWUHwYcjI+F2pIbU2EmJdCiKtv1eRRRBjnp4UpoOlpJZ1JFE8ZYkMV6r8EI8dR0OSwtBMTBJvkn+gq9yOB5dbndoSi62uxksoQxOzi7chhrJsV5fp3SiO/SO71cq8cl346PWihT7ib6lyLPTQXI/nJKkYZQlUUdGX/nB/L7xw8lJAhHt0lVulrUrupk42C82HHGn+zdkWV333flTbIQVth5b8ViSlmIRnydOx1oX5HqH4c4HPmeKl4Y0UvRBaHmEBkAXOuwG6D4k4z13v7hqzPftlCsTtK0PdUYqpuSMuzH8TjuLeM/e8K7orcGWNR6kitSEePJHA5ODbMaK2qQMmToWv0lt6lrgnE/s8SfYUJtJai6A8JjzCf4k65epvNVlmLypxl119aDEPX1tNaOyVrLOalnpYPb85HSAi4xkXE4zl+lPHjIxQMyAzyUtq+NZ7CGbDs3QJtg1bUyvyngmA+MNjvyFQlSj9+cKmfrc7ZO1T8WBqSS1HxcL/XswuihA1Dac8ZuRGmZTMsuHjuqcdJAaY7kfyNN0GUalDo75hUljeCnWj/WUP/IT111PuZLMTpLnwvTo8qtPHL0YNWVgBz5cVOnybNrHx+roFIX0+FmoJZpFbCL8XGifCXTJ6cH5VmCoP1q6891DhLjpqZtu2RLTUlqYbULq1Hh023ZEIhdvefE9V23fUyKdro3Et3dySCgoQ8E0IswYMTpR4U5VfKZ80HxS94BKL5cGA/lw5M4BIgSBdBzZyudFb8/Zr/WJjCrGvwF2VyhciiUAAA==",
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
    making.textContent = `freshet token new ${/^[\w.-]+$/.test(text) ? text : shell(text)}`;
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
            at: "/console/answer.js", .script, tag: "\"1830ca8159d145a55dd773a69b5e5bf7\"",
            packed: "H4sIAAAAAAACA1xSZ7KjTAz871P0Fx2Kwq9qf23OOacDjEHAvIUZVhIOG+6+GnjB5WyPWq1uTa/X+NIQXJAdMWIFh+8D8SHDriEmeIUXhIjWbwnqNi3dQm2/A2IoKEPNceglg6trptopyW1jK63dFw16jj2xehK4qRvSxJ3kM9/1kRU/4cv3VYaOug2x4Dcqjh3meb4+lxjyc5nfvsZ+onIoiDNQSx0F/UJ7lcvm8c8xAU/oE47NoBrDFUWGyrft9PmOdhlMcHjiXRvrDH3rvEGZUvWael3G7oTVMbtQ0xGGqooKlVOcfMsgwfXSRH1fHeGFeEt8CjeGT9FUbVwIxPY9tC0lz4Xr1ScfRSwpA3W9Hj6rU/vdkCt9qKcfBvXlGx9srJd3Q1pUhm5QKrPxBt9F9QUlqwO7NnntHBtYfUf2yWSfW9cOx9bSFZ4ITVRf2fqFVG24HMOTrAk/K2IQRRdFzZbgLm6cnd2GpTBWV1HyAdoQylgM6YZms/VqhYfhMqTaOMXOyXEML3uqyN2U4pTXKco5VusZ7UehRetE8N5aYGmhUAqeblOQHNdkPmbAqNaEzU1qoCKZMeFIUbb4dlYZQkmVD1SmYzkYWflQ7fxJshnibrFMhX/SloIdB9pdBjdVrDQugYdCIy8GbpfjXECGfoIASEFZzJ8//TLPLnc7Qpe52QyLxU+oGcDvJe7eu2gHtPGSd6TOpr76/P5d3jsWWiTkcjy/fQycBOau79s/fVnncuM4Ev6/T4GNAOto1oSLmnQ553ynYpUoEh6xhiZdJLVenYt/9/eFN5wnuf7wARAky7Nhhga6G52TD0YHn9SpexI1O0GrIGp8qaj34zSMp4Rn23VGg23tcZdcGa/AhxwfNeu/LlG7rtrONpGe+3uBMnnvrAZFRrxgR/f3i+N500631VzvnN0NjMMvXe8QwTqI+2FgUAVsZAPu0zaTER4khub92J9oWa5eCCDh5mGuuscg3WUCO+77Wt5qHoOPAEectq+7ffM4Cu9TDIYeMuhjOEeIiJXk/A9hplAeO3Lo8ObDrUWWegT/MizpzDh7FJO3AbbuhsmCyeWjJSSieg9vNr3Pi3eSWpx/8kC9Vk/UF1/4nGg2n90zS0b4zc0wWvXZPfAWya+bsyOpeqPdZIsU0FkxH6CqFhvkAZ+SrsV8yOSpNqVQMmzp0eS16jrhFafrJ6V69UpS1FqrNye10COt1Bof5YuIPDLbCo1i6iThmyd5zMKSG6pbkxRReHXQJxCLzvZv5528tYbftzUZ1D+IHOtcrYuiALAwV7yzB4mEMnfYWQ41Gzzt6VylVHOlnW/prFSrpI4Z/WfoyrcfDqRA+C+sB38SbaKpmCy1J5lf2areETJHEZDSQrnnQbxViL3wJWRytWKGqIATzsiQ2tRDt7/ppw27H4AdYEJV78R3+rSSRLPBrD9zwWFIPXeUc0VX9RRpSCnd8v81fC4o/2iivrqxk68Xf7KzWeu20WUWASgZIB5a/NyCPDAOIybc1BfOqVC/oiaj29neTExtESXUMqAeHQiiXHYeRTGvXhHTm5o3sJSJnIgBCJOlF9AFbgTAO1NG/RRV0xh88ZngpfdKoFYqkUJ+1hkdMPfsL0Bh5UgjylsI3g2N50oc2Z/BI+HX7unyKPjTZwmVrX27h25onkJaxdmOqNB8lSU6VUOC2w8NahQdp3Dtyp/ELq4z0MVUj0PX2VFn6s0b16FGF/PGM7ppvxSW79nZrJSOODn67VZala9WSliWUyvXEq/itHKpq7Gtrrpqazst5/RgINlplp8pjBbuM5FonOYf7dquYV5wjIDznLLT15wJosIT0SOrPlRTdvnO2bPyamxiDdpx20grREA8kvkG1mxUzMinCUV+0tmyybLcOUmatDaOkCAKoWWTwwc8u4xYn63StHfF+zPymYekpiIsVfIgtyUpNTpKV82/oebwmtcWPo9Z7gfsvREKfgYDwEq18yQ5qb1VUM+ktgec2O7aZSi6FhWH6gbvZVLCC6RomKPuHdhKGdwkow/6y3aGxxB5OzSHFaaBgPg8A78L6ljMhKmaHXbOmKVTUL1pQatt113gL/rL3CSuEqcXJjyUZeCpj1EH2waFUF+3b/ej1Uq43mNeywnyyoMAB8iCkzTxgsgBKfYWse8VQtRiwmJqyYRVCJ1yCx9JwomqgWOHwY0aooNyUHOPTAwmfEIZnED5o/fm5FFYRedOWOqYyPJ1psgxQl16A3aghCCC9Mk7/nOsuNVhwpy1QegnFVI11VyJSYWwG/lOVgfsfGRM7A4Kp7lfDojDcogbRXQ34TxaXP807MfaMuFwokudSNIs7uUK4wgS42Tv+FIczRb1iogh8YKz33UIDiLDM/jFsYFedT3aaacv33VDXXX6SK+xb8eqsSAJPt4U4QAgfrdAETiZyfwn2a29Ppg1WYmv5JFWIgyu1xdEK8ss98Eb6fhdgUmYZgxwhmKobKsGcaLvqtFVAwLrpLAIh0P/NjrORqbbSvIQLI6GeJjtSrJo+sgiDZSw44+kLyTb+ue2a5CiNJcV5k9OdpPAIZfqQumSHu5vegk3UvgtvuZRSHAxYRKIiBrQ/BAJTEbP6blYZhY9oKJqzZjyCk+VFxUT7j6gGi07FDc6JLpRu0oy3jDC/1FjoLl2Fj6FXXIVCCf8xCOoKTKYrGkM3b+MQYnlXdydDdcC6gqEhGA77yJPB3UHH9pa6bAkzv6G48qjcR+H3H3AFm8KccnEl0uenNsORAI8x+Tp4VZFutnfkBOEp29tHm9UUEy0b8c+7do+9r6oiRl2Qsze77/+r2Cx6oAmx21wbXhITrO0xfWihkUFySdj/YP30ORRvqSpLpkn12ADb9+VSSvNl6irV/69mDrjxqS9VkYg3hQgiCAEGbLKf+SygFTnvd8aSfUK1eOVgJQ6e1PAsb60JtKOVcgzCDh/Jzq6BEE1rsADdbk6NQ8dOnX02+q0XQMdVLG0LiEA5SpnewDasezSNiixzyXZPEWw8Z+gsKn9l/VT9qOewlCMpVTEBAfuA6/irzd8G8qkTzxF7dbVdhKCEkNqKcPeiOoL+1rj3IF5GT6QeEfh+iSMsaG/BZjv0vBJUksaiTBiayeuKEFLbVGW7Shtq72dLpa40dbC5O+r3nZxGZhMhGkItf3tfoZqzrv338Iszii13Q1dY0faCodQsej+22p5MHd8uDUXYab54rDwB4p5tMktuL+iJPrkoU4aK3kIkuUKBDhxNdbJetqmVO75nQwYK7X59LN7gVg2avF4CVEo89g4glCMS0Qc3TJuogv5gIKaCE9aPonQikfiOARxRzMZdfwq3oTBRDuayOcky98rGP0rMAfbs+XQoT6DaccBHauQInhjMrLjW7uw3TeRdcA3gDJrpwQHXrLeQ7XUK4ORWkI0Kn1k56cDNtsnXBCSwZ6lFnd0YL/S8xNl/SNNK9APWKTVTXacjp89AcPBLIFN10qmOve5CdpNy1n6OyPfbrgBVMhynZOzGg1yJB2aKLmfCXEpvBJq0tazE0hDbLK2P6k7H50sKNoGPBANO9xUyCcZCZ0g3DNoF6D5uuxfjdtIQcOrcEvvkQY/H4sHKv+TTH1DPfUZRhGhsaJ5azDKpApE3sK97CdEcmMqMZLT/Hb9tFRXqpK/sqSU0X3wlcyZ07uJv7ID4xtcThs1D85c+O1KuBwbrNHgOStVTWwu0Ppf0j22ZsNkf8RdipMtrAbiOow7GMrAITysW+IiJc4pH5/sgydeMD0nUIYmyNHiy2R7CQdlIE1R05zmwqE7SYM12U/SWpIkrod6P9nmmH+YMUAyh2jkbeiRP+YL3cN2+Opygscsisd3tn4nQHLmPm2zQo9XQDY0hisBZUMWZvj7eC+EBbMgHnb9avEypHu91m0jzfbg0+xpSmYWSTmKJ2nSeFgjZFfuPhcMCeAIise+pWknmZUhx8ein3U1i59vD2UURuLrXZQltgv0Eih0Hv50ixhsTOXqfHpAWrl6AmqhCYuJfh3u8V64pFZwpF6qJ5iM3n/9H61W+Pt/OkKdz/td+7BZouhny6079CqwQ8jSXhdom6h9c/VUlIcdUTjAz414bdzBwl1jcfs4+hyZSte0a2y+gVqKtuCERY213Wj7tceS7Xx52mv+oOuinflMdGvkD2olISwbUXxIJbotsRvsG/RGwaxqYaiGn6VvdcRimb1QAdK1E94PqyfNzJH0GYzFK+aVUYe9lAs3tnUu8UzC41rjNwSh7sF1ks0swsNzik+fHUPuPubHXNxbynQ1HjBfrvUPkowXScMN3O2Pqr4WDyhL8LK45Pp/vIBSGV8hAAA=",
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
    actions: [['Show', () => all.filter(({ isOn }) => isOn).map(({ name }) => name), 'primary'], ['As they come', () => null], ['Cancel']],
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
            at: "/console/conditions.js", .script, tag: "\"47f707c3a68d1b02208cc7b75c4ee009\"",
            packed: "H4sIAAAAAAACA60a15LbOPLdX9EOtSTXssbhouZmZ3PO9kWVyoMhIQkeitAR4Mi6WVXt071fzl9zf+Ivue4GQIKUnKpu17ZIoNE5AeDREbynq0JZpSszgXkpFgbsUlgwa5mrucoFT0EtRTEC29SVLMDqhbRLWYOoCtgouwR8UzXkCCl/28gqlwaBygLmqjZ2fE2t1rq2cAUruTqX9SP51BrYwbzWK0jG46NaFk0u6/ETkxx3wLKUK1nZEWIpyxGsS6Eq/Kn1OU68J2pkqJY016E6KvRqgKVUxn4tFjICoqEBVK5XK1EhRl0Xsn63sVYjLSNpaLPcfqlttJ5hzACDPjeyvpQILmy+jKB5eCibyK35Vm9GkJc6v8Af3ZCkhc7NCORqbbcPrbCIbaEuJXKyRP2rajECZX5eXVR6g2OrxkriGNWN/Klc4vOazCVYW01Nv7VciRoJGLHFf1aCNGnVivhEMWI2l3ozYLKQVqjyY2GWyIeOYYm3PjB5CGnlq/mIfec9XTaryiCxurGxOmhyqLvPUchHAs0awVl6d3DXyLEsNHUJJ5AcXd47epwHr6V5nkaqojIIMJ0myQgS1KcqQVlQJvitWKAHJbMRTJN7K4KZ6xruwUpVqEk/frebuOtnjJ9adkuWuqnd6E/a0Z/waAAuOuBCbJPZDMXAaPslxZYAnJC5MJbMYuAO/heEPMfxxkiUo5Ib+EKsU5RngeomfEtZFnC+RakM8BjTmtfSMBf8ALLSzWLppkxzbvJaYcwZAmDXlIyi0ue62HooaW0pHYCy6GZAjD/7/t9u4tn3/0G4a4CQqJBPKosOLcoD4NEsrWHcpWbHJei6qSqCFiX5CukkI6W8+SbcuA/sFlArI4/hAfqxrEPmadDV75EVh9LfGMObR9fkU3aieVPltIBi1lIGSq8czlGMbJfBFQrCqmZi5DDOIzGRIOspLrOa4E7ewodsXMpqYZfH3aKGnazFGS/kOV7Kj/uLSQLy0PF47O08G6/QxOkUNWJ05YLSzBjF9AANXUmeu44PYyb3xhtAz63bnJyAwxWotziRC4AW07RqKBU7Uu45Y17CTI+Xs1tXbnQH4YlJ3YNTSJRJYAKJqGVC07xsd5Z1YucC7VE+V21hmjUX3vaVt9KXkuOb7EaCE1cuzaU8hC5Gpkwy4oJHOh75ldjkp2R3NnJm91TgDhzAOoDYJzIE6NOci7JkmvyENGdB6He1LqVAEz3RqkopNjL47jtIvtRQiZUsmDfOWiYhBdSSnokzVsLuGGlP2fynEbs0gKhaHTseabTjid6IJXpAjuip0p1ZgOdHgA5KvkpBD8Eifd34QQ5rTynAHXYMN1vK4oVq2I3Pjq/tQjIkqcnk6RWXhVEXmlMuKymNZrgOnv3+j4AI3CjGLaXbNiWEbPulLqR5eV4wpbbsaIlorF4hSE68GSt8klzKin5FsVI2mXUGCh1LmjSUHtGzS2HMxHkMcSeNxbfAzp21qC2qaOfUzFxxCIYw7/CVCpdXDRXvdkwwiWUt55OoUqdMjGxIaYG8KYOdb57Sdoh1hjCsYCaHQ8xFq5T/BystssCPKmJueCDwwtSBld8lB3pj8gg7pZcZJ6loYso9TYqOSUM7OMuCVN0SJoA/nkSbO085xaWJd/pkoXWBkTiJMyp5PUP59/FC2jSaz+D0NIbnqlhjRDiBo9iZkpSeorJc2ECZLi6SdukMrUFRQA3Do6WENbWv3CQMqx2Zq0pRnbnsebDFFUXUQ2THgLjI9BwpV4AlukFereUW8VIZQrZrESAZVb8IA8UAFWLuJWEjDOhLqhnP67pazLYWWzjpXMdIFqQXLrmoWRuiVuJOKc5lmeDoQxaqCyPj3mEXVRrdWOzkZUygUJdJBBGCbwBC9ANBbEaJ3lqXysr9sO1TzJda5VyXDgf/kM9SWhDmgnV7l3Ua8PqN10bW0kHQjF9RNCQTRR3mNejMz7hTVTjjB542S1Kx27akTBV4D5V69YxojlyyZXnd45i9EHYMlvn1ag4pvfpUdxyRq/UGTthJx/hI3HRLrjvpxwWSssxpBn7ISIvvo+CME7jOe50UcaDteSzJ2EWRpaRz0wnEcGE0ybyCwXHitg+15J6446moxcapZEeKxOYztOQkBXfjek7bWc8l7XUXJWuM7VJp3vguhQF2tHNpN1JW1InGdkEwGQvXcc+l5lWVhyNjo34ng9appBJuKCTaigJUVFtY6Vom3aoDWuSSzM8BU4jwMUpCRKlc42MYHvHWHokZHdp1LuX9EaYZEB42ClNuZT9lF4bJS6iDUVUumeCGFL0U1YJ3LUH/HiCYsdM7mzcomFLNeKmKQlao4uCJpM/AOAeFj+ARt+UOKHTlquAszj2wRwrQ7Tb7eayUueUw6uetsyVauNTVYoItkip2Z21CsZYSBTn0lZdxAqkjxbUD5+GECY3Zdsewo/9DGQOeMp5V72ZMddav2HrdZlgP5ZiVxaSjExwEdh4J1aC+xEJR0gquTUtbiGH/Uyoi18/Ud3TF7VMhrLijClSNKrpmQBX7fRwxx0yFdoUEbsXvqJ3zcY2juF2jFruRkNKYyF5NOSs0hxMxH6wTDFKq/CLYo02zrH9I/vs3ykyskDiLEnt7iRRwLSdTAg863YUHsV6X27GVT+17mvatVJciR4W3uJM+e+QYjGZ2ICwf/XAPz/PK+ojMSynqR2oldWPToglmwqcB9lMw0gZAqkNGStxs//AuNUEUqnuJ3KcjDpxQuLp0Ksy2yrto9BjTfsZbqYr4uH2bi5yjYOvtIL6u4ImhbImQgo4Z+CwunSZff/XwUTKijUhTl7ujx4EJNNxX50/Qq8e0J/igsrWSJj0c0lfB1V2g8BiPYOM1Y2mC1MwrxQbxysbuqaGWPUWMhgV12PCHswn2h/CSkqDUBfe3KTwa3AVyPlRM/eEnKfSVmeyzSDUuTbjmbXRTUpNRlnpDub5xB4vjJOudsrZEAzPB2mwon7ngxIcKWuidR+99jOKjfV7fJlzvY8Pw++lgGiadvUJTZVzwTGfcVG1YQGFCGRfUXcnALE0Q/MTBqRZsJUW1WapS0sDWtEJymMJJfDqctkE3grQrEIGPlxST8DYKGXiWxdXUM+o7lTilrGu1EvW2a0uJNXoV+BL6O5K1msRs8RFdysJEtIku6Dnz3Pcp70EL7tG4itMK8q24YuBvBsMOj3l+WR+2G3ZjvntjZ6XC3R55p6HxR69sS3XrzuEgPWU1jF5eEzrFNRVzngwz/mGlqYIU1Vl1fCG3JsV00RaHIAdXiM+luJQgytJ73hboFIRrahc57oicnIWpXfH2irqsIvFFGF/a+xkcU+ZDtWhqhJmL0lCt7i/koIjWfmJY3KcoruvMVBGO8/CVrRtaxN3RrStuvzqrUzGkWwFc/HgE3fpw+nKo08xGw96uXyFpsx6nRg/MCfEsLAVhsdjxzUg64AmZymZ7crMJYqW1e0VlHuqaOx3WWKuNx60snz786ku0aY2upubbgeNnz9HAa/Ue+VJROcBIUFUhn07gzr3+JrbtS9a1NEZSa/SQGWJuOlVme/0Lz4fOxYfdy/uXPlbqL7DtQix92V3r5c4IKScl2UDvwXrmHRup/kM69YRzkV/sO2zQZrimSlNhmUH8pYTCPQdtBqj3p5MFms/26a5lbZSJqX7tRkyyT0KZryomwk+EfeuOgvn+LE0qnRyi0e5hOiLfhqEDwHz51YMVtGM55IIDBtuLM8/DrDtc4IOfk/YKM+WsFPwsvgOjOz1b0uh78WAeLuEqvh+cwLStEJRjZyyFu24MrtLdPaZ0HN3SQDHaXeeYTqVoak7GFTT97Pt/GLoC6njCG6CwgBLgatIe8XVNUi3bs8Tk6ka39gZ68I2VUNQg0fEYv6sKJ0V5o9XjDe8GOGJr9NTdLsncFWqaRLppTzYrX1TDbqvgdiFsyAf5/gq4SpZ0RarnYUUHGkx0LnERGcklw+iCO6XFp6coGfEVB0t2PECCjnlJNyoB2/UQCpg7Hd74gKCPC04i4PfpXnYtaiNThyqDn5240QoXZ3AbrzXv3m3pc6131LOQfduDGY+hA5aodlpBkhG1gyJnvf0/iXJYhA4mUB72EKFP6HcKEIKPCjBlugQS+gmB51Ki8Ac3CXcIwbmjjgRHkatY0z5L7sFQWAaauV4raQK6tL+Xmk45Tw56ymQUPi5IQ1OXzWaAscgn0n4HnEvuDKh1/ZJugIbfX6BsWLBDYuBZahz4Qjd1V+I8dlqqlbInP7x79w3+pOCEIiM+/yTJwu1ye+3Ol3Ccj1CBh+h3XVN3u6DX3GP6grjQ6aFLCJwNB3NMmZzLfxqQEox/jgCcSLw+Ypvlf8GxrlnydNe8BXSVLmR8CER4x6oIt3a9kyAmEi4GDeVADq5kjmJRj3La2xY5MD8S9gCldhob15JuvtHWMNmnSt52vf2SwwtLg+5rDcq8fQPwgaPgasPbs+6bD7845FZHyWorSngLDtGl/d/Bi5vk5hHDu17snbKkHox8KI2QUv8VHwnHO824ncd/whcxbrkrezzZgXGssYW4V/pcGTsWRZFSEOcXqPIBFDb5dAoQdgYvFyN52HdjaqG8lTv3yKIbvCu6+iSC/GWO4bOLF52p8Jb79m16Ccr363jIU+kNEfZ4ZEfa2l37H2YAc+qLJQAA",
            text: ##"""
// Conditions: flags that specifications read, turned together and with their consequences told first.
import { memberTexts } from '../reducer.js';
import { element, fill, plain, problemCard, refill } from './dom.js';
import { listPage } from './list.js';
import { command, orderButton, send, whyNot } from './orders.js';
import { observe, watch } from './server.js';
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
            at: "/console/dom.js", .script, tag: "\"b30c687a88d10b50ffb66d16a7edb114\"",
            packed: "H4sIAAAAAAACA0yRRbbdOhBF+x7FeczY+z/MrXBaYV3r2NJ6ZcmRyhfCo8nAMpLIDgqLt5bq5ATPHFHHkKNwJyMGwsaYoBHqRrkeOgb9HxSOQj6EcqklsoE1ag4xG1RjKHbrjcQ2H1cnJ2XhdvEi0dSOearVm5YwecpHCQ08HumJ8BO4VPJimUrpf2i+sIxq8oXDIibCoPFL2hEiPushTLBlw1ibmPPvcqWMuiJP3N23G9+/fnu7h5j+ODLTnKm4TibXcVWd7O/juq56Wjb48CBafswFHdqPYehmTOUS+TiE4vaB9mNjJPPjLefFvnj1CZOA/ZOqGn9U/777gemYcQWBCzyl7r41dc1eYQaNdex6oRK1mJxRR/l59CbAGqX6jrA+lZ3NTGhh4yJINEVIpm1HG5qYKsB5axng6FuncIkNvIUP/aBdtISYGaWcoZ0+Dp1ZjlsYWnXoqC5adD6gG0R9L0QwBR57BvRiaro4NSjR2BhkVaGI7wafaJGisByL6d3jjVyXRGQKa6VF9u+L1lOkdqwvoGbmg+US6lWI8dcxNzIQC2/VVYBF40XQRx+0lNMUL0qI5+JmXGKJFZZnWJ5jdYbVOdLy7XHuxevuyct8cLK3d+lXE3y+5+cMuILdGLiHK1dRbqxduYKxm9je/qP/aNU61xvHlez/+xS4keQ2TbnnZnl7/XnSpknfuGeT7fkISZTNsURqCao1XrX+7gPsI+6T3FMHJQi0pRsnWRIBFAoVTgUwKDZ+SB0fiH25aa7UzkBRbJkkR9/+9P23t6P08sc3o9vbu2xUwFp7P35Bw/qR+Ttz1ewtuzBXahz0DtvTsoWhPGKj7fz2HFxU89606/7ClEK7BDOid1OKH57xUS6blG1TmgdLp6Oeq6bq4JZimNX3q7brzXzdTPu6Ddykvb3PIzfLTVEUU7Hmrmoys6Wi+3XXeB9N97BQTGEKffXJgUo2JLOnARnsKAXijbNLmqwY8Abe5YpjvLl39z8MX19cp8lD36/Go9Fmsyk2vyza7n70wfn5+Qh7JLn5U3wHlvwuDXzpxHSyVM8N5xRL2wv6pQld0COnBWdJlpkvJ9/BLwq4fH3fKMlt5B9jr/l8gBFjk7TzeWJ24MtQgqm3yxtx1Nz7z50AnJKvGjAJDiIEvbw0213mOfW8/lhdJOVyDIFmXzfr6iJMIQ68gTckbZPs1w45qEChz4PBHeEi0KdwgNafyJLPdEH6jEDmd9+ZShxgyIQYe8QG6YkXuKqn38E1udcfIUEhV7PnVPQxCPTdkfVDRC/gZSSZmffvAQGp7Wr7XhjJzm7s2f+c3b36mQIBZx32GvIiSJ0I5vw4xpcgrv4BeMrY8RYg+UnXtV1aNm2Id8N4NjY/23LlrqQIw9EgnIA56cFeyANPay5NkpixfzoUv/J9nJX+kEIYbOKw3cE7wI3sFZjZ/Yj/qw2sEFpmKZxafro0+BEnq2vLEN2Qhsafgr1hMvF3/6OYL2yf/nMD/Kz7p6xABOlhW2rhCsXm64rhzJmNIG8pJEsjwe0oEjEM0UWP4A/P0Xl6H+nIn3kgsvIpaLs9C5u6f1CelvYRD+7BNfBlwzSpfKyeiPq2aXs8kbjREOWZI0wquGN18gBfVBs9A8jkRugP4Sp4EMYZ+fCZgedwer8o9Wd5sYLznx2r7i/I3xy4LBHcPklq5k+4aNtHHEV18GBnmH2MeXJwWv7eKB6qhfgsmRL0snXjDtHAgtC7fTTIYObHR8yYAfgiUAUeT5HXLN62q1y/fiZBeKdbycwTvGHoFMQfJykrqAo5CsUuMuOvnJudtCCxbBeJeWIlu2pNKWvLCzWe3kvZmXskNrmMD7VQ96Zu1A6phiD/I6xEkreL+rGKk6sbD2e5SQQNz5hzyq+QpSR3RQWcekoFhEJCVtw/h6eMwCS7HhnLBC5TDso2n8kuAGFSkjD7EYwAKg0k4oeUpF9bOzxrfIJ6yYkwght138viv9fg85oZbNtdQdGelL3/gvwhlN7c3QFjgGGUQ5ZdFl5YW7PqGNCuqeOxB9id5kEjI6xgwOVeDaJV0SEz/YpyJ6yD6XzvIMRV5sa+4kFSgAwa6RPcsnukYwku4EGhPqQqWjeuYgI8urldn+OfM/l4PZe/v53zx+/5w87w9zevp7fr1787r27XSJEmZ/yYy98PfnfGD478BlTkAyPzai5/5/Pfn/Fjcvc+vfz7N9++v3XZ7Wr7+e7V6H6tyHvFM+2rx7E/29Q24BwAZsio63E8GqUVXF8RFlkI+iqsMOUC6bErx4afBBZ+PQ7fwOa6Sb0st7pE83q68nYXG/TSzmDPUKxYCZIugEUjD86HKRconY/xG8l6bnwhs9urzCd+Yi9e9INsi/vTernYZwC3TSLWGz/pk+eZGFkrVmv3kHIXt6inVSrsKQcZMUjMl4TuwMcqRQyynYWFd+JqIeNPpFBLRCCsO5FZel6RXOYa7MtvXv1sG1YDV2fVV1KLXfXpeVb07TVL4/T1b+THNwjl3UfWIT4UKzu7RqLbp7+C358nGYK/DxpGhakCe+UPXPgCVCbsAsYdGJ3MavDJ0ogSyM2z02eH6uJK2xEX+HRPZg3pLTSg4hAlnLJd1q5ij0BCqOTXsIR6sfZtCCszJtgZNtnNYJGunlUnApNulRLhcgP6cVEQm1TT0qTCibiQwmfZOzbhiejvQAOqMKRO4R3PmpMp5PCIlT5/po7l7BpvUj4Abzp8OhH5uMWG5abtHkuaOXzPY9SYpbBUqMwzULk2blN1GrhrPPe/48KVMQdjlG01i8Vn3VMzDUKMeZW9hynJEPh9QJEFSeadRECVjnNq8r5nMliQ6fkP/AbxuhP75bqU0nMP7eYrbyaecxonh/ruiQcIIrYbW/c8WcoJOzMVbDCp2pk/7zGaOkH95hjHO4OvdrHwW4ZUdNm+q44LjYv2+r7GjrHBTyqEjtk+E6214+OLC3w0+wRTkjoemDxLUGqOJ52njzTUcQNv1gzsup4sACmXh8q50DUChidm65HTkEGFbbzHzKUA0GcfwavDeAwb6I+tF5olAQekvebNuDE1n8zrzkGRtukhfIpE24dL+4Tg/K5iYmWWlW02SAKDSEIYJk1JlPxW9Mt6KeP7JwVNI/Uuu41qLV9nJW99N7Nj+Awd1Vk9w0E9+XHMmA6oexZQP/MPr3zJxCdPUP+sQhZar/qaefnTwe3NTABBMwqfcbi+XfmkvsTUklYgIVKe4fgwkqOGoE6oRoCVBwPgD/W8084bex/r0djUT646gKbvML7h+S6lyKXi48qBYv73yj5+jogJQY1GQQz//7//x4V1f0QiHgJpICzJNjWYm9oF9lfLCnRoWjEFQzuhKNOsNE5Ugu8QLvktGaNQk/LEhfln7mKddCfsva0b0V8pRSsSjfKo4GXwIPXc7OWQaNdjUMOJIDj2l8WabXBkJuIfq/QzwymFZsEfV3OLnnKqNmgodtH5IEwRxl6ai1acsTKB+W/8cTASk7xXkll6MtB9Ld1xl5u2o/q8y/SCbD3KWwwEj0bu09xXs5eurFKHuJTxKDHkZvDQUGS+rCKSGxZDwvCdANuQ88uCYlJP/XeyWEk1DZoBrhNnpiqfGuGkdppPW8lvH0PNh79yHKbWa8yzxIyXB1Kqn8laHAqkaSeXSZzSMFXmedPRt8P+FldIZR1yHMv0RkrBsSlHSt+NfraVmbvySKbjSYw1XeevLFQNPo/gdQO2y6NOSd9C0sZO2nV/KlE7Av48S+4dKU7VtgDEHnvlBi7a5ypk3fafZzngDpGhy00lmOxYKLCIULoXRxLYWf1ukGjvVZjz0gQP7KLqevwUSR7GQyYeCK1CHuxl5FkVSNMlxbJyDgomyqHTroyHNAzGRpLKvSbe5h/MaylIwj7rRdhIJ/pk+zw3H5xnvqqgPw8rikXI07WA4JyC9zdV9/KGJSwUIT872nApMrxklGSIAybJhlOCDHQ3bzd6TipxsNVqoIklbG8mclaSMl2XqqKPLFYt+XEupqg16hLmZUzo53/0jJ5C4PVP8ahCFULgKnZZ7yw6IRgrZXyT7H//KW7Csiy7U1LePZQMpmvBk1zJ40S9JxIJf4PV7C7kVv7aS++GL1jEE7YZy1jIUWIBcwljpm7oyqWl/7qS91/lTVxpUTx35ZgXv1NSCZWI7Km3J21H23d0XOmT1T3vMwuZ85VWgyEOkJIngizvWD2zsY4XcYX5lM22+7YKHbd41vH7Nm79MWWRbr0gINV2htjsj0pAuUk+WrSuSu7uPCSYXXzVxVRFOU+hNdcu3lUhfPqWBZ7CFxg0Q4PUzpBzxFXowwe0s3oGgPb6OfvZ9tUr/9XtyoNbkNEsi+nRFMiuMu5RYaCixxo9CG1NkMFhwcxCcBD5lbhqQGizegIxxsTo7mQ/Y38/uy/pdI4KQChw4uAeZCrC3ZPbHVyN/OZakZNpcxkqcwPzduvJsu5h30NRIPQvY7nKb0rWX6hjoRcpnrXNGM89nXGcRR1Plszu4PaqQDWX08EFwnIEJdWQ8nqiExE428btWoSKyVMy3u9Z1LO9IeY87YCkVoVvTjTV46m28/0tXXPpVeHARyE3wRJWl4IgpH86CaVzDHPGQfE7NBW/F2/X/Ne46Rsa7TotVx4DBfWv1BvU3mj0M5xYdLK/zBJG4gNIGfx5O7MLsqUtYHFSdTS2FjXNcY9uL0/XLiuWCcztIKSufRJMQhK4lHHe/fA1F94yEL2mYJ1VAmz4jzZdoA7Us8uraR9giFisjks64Ou1R55g6DVLBB0eJg16x01LCi+cwBwbCKirp0nO9z/G5nchyyGPZ6SVUCphG0vXPRUPJ3Y2zJx0+bDlMkBaKiMck7urBBK6F30Kff+TiZbIBmFaJRCfmv4SZpdyK4obT55qJyGBVbEpdSlI8HQaYBU6sfMNvg4tWq/muUzyH34p5Go2XDeylMiTXOq5Apn0MvVdLu3Lkolsj4zhPjskZsN7EvDOWpblaThCUeoSpeLRNkBnMpMCqUuA8ghatplWC4laNPNwrRx1WVa2qRZGY23Ht5TYYIXFR7Z8oVdTdeUOHVhG2pMdBqJHqireYhpBQlELhYyfkETt/j8bvv40eAXM+ttiLbk/kKFRksYJpJfxoeeQo1CURi94EIiGsBfC5V9zhcp1RyBXLzDpIyqnP4GwqimN71L1/ulQpRIIWs3/nNilwZeb4qJa3qELEXjodfo0XIMnn7ipXVXJ8xzDz5KeGLIxlNVWTPEQe4ZpRgjlkU0w/Q/YoQyHLFuTwNwTehahcUA/zmzEJwWHfpdgX/QGS3q8E6GGy2vMMIOEXoQydf4tyQeO5OobMoyuvSlJva/3eUo8mPN1wnH01hwnhoP7x7uAF1+t+1AktI2PcIt6NWlRx18MWhxErYYwoZeH4bXDujFWQ+0fDYirp7fYh6xFjbKP8FybZaG1rwGmse9q6LztisBUsenqvgp0VPdyuYl9qjTBLrU2JsNFAElKv/GL9nA6Oa71sce0wMm6YSXTtGZVdUj8HXguBolVZWNfCS+awWzC25r+Djrny5kMxOpGWgwOzUtFoJkONyj0bSEqxD92Vf+2XlbtuteuNed52YeuHcV1svIZc00Ul1cEtSNXFeW6W5QmFW8ZU90ZtCi34EtqHH+kJr7v7FL6ptLy8vLOOVRK1lRq53yJUO1fmeNh7sqXHTFh5EqSMy1TsHnOzIvnTHko9tyRvI5ksnXFdy7JMnrfR1wdLdIM7588q2L41f4d64kopOqO36GgZv0Uc1Myy+a/Y4lC64Sboi9D3Bl9f9bMvnPh7Ty9cvD9vBOvayaWpshZhXTqMPWbrz/TWf7tFfxOpeD8cNFOUt1+SwYEeMLq8EryG/p4eM6GMUHwha1wKxQ87WO0VWAFYPEbeVUhi1r1zj4BJ/bvUYdOvTbhVemYVc/YtK97R+2GTi9fX3J4zvQbxt9f21pYPtu/L3bBEb+PauwtW68dsdrFFy/jsK+8pOWv5pjFhPe0yIpEOAl6C+Y9yxbnqCz8/tfGHdV4QAvPOkipx3m9qgzYOseYguZFGAGYv3khaq4MM94MbxFNLAnAixR4kskVTbtJB5We4xy+HqNseEhwaaavGgRgT8VC9G0If/O6P2BiLvkUjI098+ElvQ9bJPW28XuGk07xrFNGGDBOhrOfLqCIs666l21Cm1C4Lr5r8S0pDPzTQ0sO++kfwPX36etz9DV/DVszZyZ9IQBzFuST+a7WHwBXiJ/8NTEAAA==",
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

/** Gives the focus back to `held`; where that has gone, to what looks as it in `node`. */
function refocus(held, node) {
  const alike = (one) => ['href', 'aria-label', 'data-test'].every((name) => one.getAttribute(name) === held.getAttribute(name)) && (held.ariaLabel || one.textContent === held.textContent);
  (held.isConnected ? held : [...node?.querySelectorAll(held.tagName) ?? []].find(alike))?.focus({ preventScroll: true });
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

/** Shows a problem behind `node` in place of the one before it; null shows none. */
export function showProblem(node, problem) {
  if (node.nextElementSibling?.matches('.problem')) node.nextElementSibling.remove();
  if (problem) node.after(problemCard(problem));
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

/** Rights, or what the store takes, may have changed. */
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
    }, { class: kind, type: index ? 'button' : 'submit' }));
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
            at: "/console/entity.js", .script, tag: "\"f0dab1056396355ce4a1c442e7820e2f\"",
            packed: "H4sIAAAAAAACA3xXaZviOA7+Xr9Ceyb0psPeB/UwPfd93/eUiQXxlGOztoHiYfjvKylOJ7DV8wkf0ivp1eEwn8NHDgFdMum4AJMiJHxIoJyWzdqHroLUIjStchuM4NfgaR8iqMgXR2h8h5VoRLU3bgMHk1q/IxCwPsb6xnRbHxKcwOjPCbyCuLWmIZ29sjt8JcEZ1sF3UNT1/OfoXf1zLG5HLb9F95rfHl+Jo+C8oQMVrySVc37nGHm1S8m7inxzaxO6Vxqyyiq9fW2iWlkSQ4sdOjpZG2sraL3Vldh73SjrNxVsrTKOfoIn+e41Feg+IEtPfNG+u3Qk8/mmkHfv/MFNpJnSK/Gm9T5i7y0xkz5WDi27uV5jQAooVtBh2OAERvbX8cd7ElRHimEVMewJUn5CBQeVmnai3p9f6zcpfuoPRB8xiYFptBZTZM8009Vt0/GzpBKt1yxcgTXu/tVMtvVKU/7JqDpOTbX+8Cg/b6vYVnn9RaCAN74Co983CYOi7VZtUGQ4DZzVdNwiCU6x2ZnrKFJiRwkqfqa4NK06UjkyM+E+frSupMTf0Cb5MIHiwx7phvIQk9T++6YzCZbw13/8E57AX/7817/fwnzOzRAofgzxFqynvgjgHUZQAQEJGDWooZPoHjOiNZHByq03jpVnsHwJhk3dqW05XJHzTuODCHwnS3gJ/gx//CMUFRR9PgbZOnI3lX+ZzX6Y3WZLAfcmGu8+WrO9E7SoNPfsWRA/3HUrDOX8e/2neY0P2JT5vt5gKgtMalPMZs/q7/78Azx7Bh+qDwn4Zv7kCXzVYkBQLmcNTOSiQ81kLUBRylIr/c988KxILUaEdPBgdARLZiKgjXhgoBqezG/W1LGJXIWA/91hTJTgkhPNpTCD0w2AWUNpNCyXS8pTAb/8As93dTEjE8EfwOEBPie1N0Lwobz70IPSOmCM0PaDipWK35+MPhf1HcUDEDDtwhDK1Czdnm9u8EEKSgiVocBUSiUKiWzwDVH9mOo0X3DxWBXj5EZC+B1D3/LCaPmhUMORV8xqkTuHc6tWkRziVUw+oObVhsgsoAzY+T1qOLTGIphETR2Bu8vNKvABCnKpWEDysEJoAqqEmilme9IosBxNiRcrFfnQUZtzXROySpzT3nTFRbxWgX9M7AfZQqjEB6p+qW9GGYotIwlyh0lN9+Im2y9GQ4IkbSg5kpIA51NL/pHBHEhUFDNDcDvL+7Ikp2zs6UzBoGZIRhOPaKEyNUTk+Bg5MBxRftju8ShuNS127OjpLHDc87LYubU0/nc/yFYHJe7nLW5908qKHP/M70KDg1fiC1uQYuIW4LQljCytNso40TPxNesj6otgpP5HIjNTyM8tk2GRqKjG9A/NJ36gYqz8oJVF+5diJpg8pukij/ayP4zK6KtkcAZataUyRw1WRcksJcM0OMXVZk8VeYJCBaOeWrNHqrhi661JWMC5hye+G989qpcwJlLoJUYNeU2u5furldfHx5Ckzwiq8XbXufgciufxVH57Id3tkvRU9oML5ql39kjq1GiftyZORhtDLTLTj431ml3MzbW7cD9ulfs1u4z2lNVGCnInLCevU1m8+9lHH+Yxmv0ijFLmTyJfa9FCXc6GvO6J9fz1Uxaf0fZKniVesbacTZ3bBtOpcBzdY6nsmLQ3hjSB/VQOroCTusdSljJVqnw8zAbahx3OJiXQw06s8HCbWuGDK/ez1Dvp0n+t+Ake3RepHABhywQPu4YZPcEw5CuQ77L+iQH4Locht/3a6B+45QcFaX3o75zXF+WtAjWKxYuUS74mpOY9nDO+9Gxe504bdrk9hq10x7CZrrk3hD4YYFSHZT7Jn3hK6zf2ZPt9ExM6pKLqP+WLDCKzLav8v+wK1z7gzvGz8Vyj32Yd/hguR3eefwbmmuyf799kRuNH9FgNdjE2wayyv9NnXqbfILbCjXEl5ar/OPmJv9eKARttxIEkb+0w4M43+WV9mynmYR9l8jN3C1D8dud2krknbwPwGOBxS5vJI5gf0MxsLhapqEllwPIF9XM7EW/6/zDLXNDj35rykS+Q2UST/Wc1q1ZoKw5CAKiWxxM4T+uA4CzX54ROeAZ3HPbvT2zjfAcLuMtrmIN8F91NEJgyfhYBF2y+lIn1yOzxoV77Zhcp2xUcsyxHOrzHo9Lw/6u80GYR0hXLAMVrKdinschA8fEBVjfWNPflqFbX9WWopzMsuBWnDqlYVDkJ5OvraDENwYUXzprRFpzhfF3xuYXHMSADoA24JnZ/19M7pHVGnJ/zP0o5YMYK4p50/tfJdSg3biTRXxlHAGcSzokyi845b6ormWVxBWiXXonUEVTpeFv69+vX89jq4UBw9i4JTOzp8DoMk8VHHBcmbGrMQMezzNUAaMLP1NY65AscEm7DMSnlBRHP4fKWt05cufe5ymTpo3B8XPyOZcmS3yzm8p2CqOw/x04+v4JXD4tWkY5wRcviegNoEJ23qr5+utufmmn6zw5OxxkJPBgvunFsCo0+Sk5nzq80wanw3xcO7ERs96K+AArU4AV9A5nJcGdUCvBaoBEet+0qVQBXl43szdkPmo5cccFBQSOl/61WiH6Lewj3hi6IQcDgdDL1Ituo/Uy290n3rJMFn7a6sbBdXgj4XDgMvOwieJbYwWIVUeOqbZtOMLYQortuN9zbotutTiO8hIrLtfbny812V/mV+MUabJ3Npi56AlpBD8kxfo+hDYrHMNHs1jJerXSd8gAWZBI68M0jbEEc9/AUfaPNarAnOcK4r7owVlqoC9lNwKeYzGRZFzsyiKCcKxGMXTGfywHWZ8vV4vx8V8a2z7mhDIffJOp42X3fngEQLa4Xy23WBwcsk+K8UwLiCR8Q/TsDGQetQtdu78tJCp3KRO21WyElbCoQ++NWfKRGVezZZnERnQKJ7zxZt8K7i9NncBeUr+kmOkbi8slKAJ6r5hcuHqevy0n3VIVGdDxUXK1+6z1ReIqmimMRisUYxzjlIc4LCRycYnfCv45Zvc0Fdx6KWRDr3sFxAiwz+eQmsNGrroWfGM8fHvFBHCEEIxI38UJKbKg7Pkl1I1x36VWrlE5ToXWvAUFk/jIqwqqSRdByR4XZY/8VpW5aHWESueImoQrV0Xb9rF3RnxPRmKRi7Fg+dMK7Hfe7aVvEf4ZF9g4Fo+doB5XZNQJQh8xctypDXH9dcXFCrvjggKaZakl4kzIoemrzDTYu4WMuS/3qanh/Boij5fjLmJjN/x4sxl7B0WF/EtiyEeQQ/zijEOMkUB08SUQkZjUUTQfGCYFhOPCNBYy7gAYIwoUFosniShxFtx6n2DkDsMSXrYe5F4smCpAt+CdR4X69XAp9lAEVYMuZF+ByjogYCZy5bZsTwcInvcLpxlDAkveHuNUiE5tt90isi8jmfmaeBnBzi7OjgicrexHR1/XlRv/+vD1bXJ1vVXfBeYS2fZRExcJY/ulTaxqDWyiGgctOqGFWD6pt2SQWl74NgNReIs7bGFdDdOb5b6sQflvdFGTszS42okSim6qrq1XTiiFrm8ozESMJ2peeEkdmQLyMaZiyVDMG1VMWX31xvxj5SKzXarrOqlKWrbcSMyiB+15fQgLUY6PE3IRTzTaUTJtwb70aJsmt7DvYQE6gYzyzxNy3EuafpjrF4p3Q1XG0ROzEVHCsfuXV6+LYvKb6En/wSlITUxdO7rMIuZIK05icKT0yn2Gw6KLJh5sZwqlTKMeTfIAeDx/cZQgoZfpPhCACIwxFn7ZLoD7DOPvUkVf4HOmwj9Ej0Umw1VAJSIaYEDzBuhZQ40W3ByunkquLJt/SFXDF22vKiC02ITLyO8JhU0+BuHDTVtLAtIlGasMLXkrwUtp4tSFkds1v6pN0a/dEnrrbmDWingETx+hBDlEMrTKYPdpL3/m5JlCXW27RaHm4R2Vfkw24G92of+NUBtohJkXOFqLom8Kkjh3SEPZdeMEk1IJLf0tyjefYLWXUxBr3j+pe5iBDdUKqHIy1LT0A45lT4+Cp0Hkl9kua6xsOcdvA0iRglvj4BTzG0R8+gwtWVHuoxSMZkLgsWRISXp3KOc9q6GYJKIiLwySca+J9EaS+pmCP+rxdPZG82yyhOFRcKW9lkCpM3IyxN7M0GET2xHR8KV+h13/H2yLxfLbrc1hUvJCJEJyuLxebrkUXpiHxrl4g24oPgt+qZGKzp1glMrzwt+mnqgE9E63QEHQ1ms1GEmih+Q0GwrutaP2L2q2ra/8Tprq6WW0EFqIx0XlA0DfnGa61Tt4vKDHsR4fnBnYhwTKu0UQd3qAnnqR9qzu5xCDSnk3EGv8gBCzzOCfoys36o6Fp59HQtCcnSSMdJjhvWwDaZDFXyGkyNRpmziwT7GpHR6EnqudTA2yUHRGmPZwJbR35kE/IxedgrN7FEszaQkQB9y6kFwX4SJLsoDvIjh6Fk2UnJR6nbXMyCcKtG1cjY+YAM62p7T0hbvMiHMQygdDb/ZqN27Ds3b0YBDkkntEsYWbvZ/C9WYh03JPPaL0e7/b2eyIBYleNkuZ5cNRJ8YJagKw4of5DnpQIIFZiYKnOrWSnvF3CyFIlmaY3WsGEZ8Rx/pL8iWzBQdjmx1bM+LSPFMrNHPwoh5GWjOc76+dBds6h/OikPa7BCJ9uCl7fXxQph2IJ5uNrkjVthbqX8nie2XJz6QasvD+C1LvIVzcgRNQoxtoDFrdKSW8VEYcq0yywHU6qXH0rqubs+LwRzsnCOii4++rlM02AjxqhvCf0AUhSC8Z3Ojh9gDp8s+2QS6d2lrWsmi4ALiJ0afHvR4iQB41hFB5ADXkzhncP87o8LxdD1wD8OA4P+IQmeQjKw1YiXQLaJV/I4aTazLSpMXoKY6PGACTzouYzHcdzsUZDisViMAOHc73YgG4FVz9+vBvrlrJjUhWJfcobW9stbjrej4D3KNUqrVE1DySkOFj+iDFvXWQZjR+0WE8U4Dpc7NIsGI04GhwSz52Zvh9LwY2cWDb655v1ZbhYrkAjsSg4qeWmS2fIbU1fDh6NxuyesAZgGuE0wx0MWRijpUeNCAJUax6zuiOyOGIXUeQHQqbPeXb6uXKJZD5xgj6o61ITwfhiFk3BZr9YCPTeAHsqTTs5vCgGC5OPLJtSszvCbqUEbth/Gt444sePwrtqqnyi4FKUdcUGr702HDKxLcCL2b+zLkxepE17y6QGgrjmgXLUVDcgSdTFcczPZRgJFVbKpo2GuPLasVXjirhEXKKGSwNgIEbKSWjZa1xcG4UpFi2czVjyyYwJy4xLjETWSQI06J3EA2YsLPURG4XJ/WEwC+JARmxfI8bs04IzBu9JFGnStbKURpN1dWrQYinbrMay1azp+oN7p/l4PNWKhomU+O0ut2uURfwqxF5fPIT/1pWISD4Q3fP2W59sNiJE7xj2GouJvPEEYdlnL1FQ5PVNI2Rdb0U378bftbti4peDGoGAPHtmymmPOcbZ+AfwtnQ+eZFxFgNJNy+eYAi2+1FstDUu/iUqKZVVWzjTl/CVLXbZs4Pi55/u3S+gun9+IHFNnD+UH5OMIKQrjD1KJuCBTTmTj3n6hkSVjh3NvHm500aVa2M8qtNUvm2eHZgmzEDVTjFzlb5lXGo12qNIa+MlgZ7C8VCplsN5I3+6WucyMHGkqZ3/PCMBcbtP+pimy2qYhuNAIUmMuvhQRkot5aSZ7689ypNVgyoZQ/NhzdI/yOs7b761L0bmWw7kBE6yDFRwSdCdzFnVOmVpU1r4tne+N945nA9snMcEOOksZWKLAPL1oO+fingOuXNY4/ljP0P/qE5mBjIFORpv/7vsDCkUn1hNulojdIVSi41EA4yMb3qrdbJErul6LQzV8u/lFqi90DDVE7GZhg2WKEWwuGTcn4s4DNJjoMADKDILOyiqNCt8RP3UWZ1wEofernm3BGvGN9l4Y51pinlqQ0iedn56YGjZ0TQJTHHx/Kbo8VwJ5z3fxUH/1pGv1mNcENqf+b8ldYhxmSPXgGTYtVt5vbZC8tPFCghEZyP1lluc14DoJ7F4qNvVyOVaJQjP4WLzf65LD/G59+UzPeqx9bO2vaSQ5hGBuLYYMLjLtY27olbk3RKj9pP1WskdB9pT+z56aBLwDmQ8McdJB6+ib2TuixEwnTW99VRaK3FnYia7SzMK+X4ji5c9POcG41g89eE4yLBzzSTEYNFD72bTnNJiR9F+3J6KxdOUcVBfXbFzvK3EfBPuFklLpKZNahOXgOTJXSHeeeojDvvWLW7MdClSZigQUPIHiexJVdXVSu9/gC2+sZoUfeRUjzy+3nNDHRLxfNZebjX0ccT6rwibUaAgKYQWecA+P6Iu5nv+OS5kyvHiUkLb8VrMj5RwTEnf/K5JZZh5BaRshtTHt/p1D2iQ+6cnfD9++fnBUDcnUVDQr6oGEts3zp22gnYfG4v+oru8eFtKdxLL4gOBtD69mZ1E9Trh2VgwCp4phLkuUCSM979aaXzqRDs48vkX339x/4v+MoCsuIn4eRLS5AArcP8S/Ado+efhxXBXqdcLaQ2blmtZTW7q691Yvjep94grYfzDKkqbVgr8Yy57H+jHIBPeld205/que7q8FLWj4DOii2Xb1eETbRwLu1Zrix6SfVnftmpTL9nQKphkyAkilnQ1CMXvmA8oye2XOJNWHMDLkzIOm7CH2cJ4X2pEIqhvoeU7nSaWud0vdLd8JudrThRstz9Fu33FDzOwTZLdvDrHMKaHOC18u58e/yEJ3LpdwRftyjhCLXJ22W4weRwMbvyxT/fpiHW3/F+W/cDxham7uhvbjmI6atgGWS1J/r5tvNnIo+m8aJZSDnWpTVk+Z5kxiv1xcOszPCD+3jB5zSRnDZ/vrEVhnBS6atU4pOCetsNX7WeyO6PaB5lYEZCVZE15uN6G/Y3E5XBK7XsA6A3qKhrFalodoXVp8Vb5NYJNZ62wKYNJBB28TgdJAdTjvbhNGleyVfxFgUGdTTtct+NqcF6NZJmer08X5ye9wmRzxupREwGfZneRhSTdboIYuyIrZHeOatFwsXShbVIJ9clhl5n3szAXp8Nqij5+Qo6+/7SGqy09J3DqGtSPDCoOk6VzrBNYqt3acL4+6QUrMX66bJp2lfMTHLF333jjDZdVooCl8McuNw5woH63qzh3ls8OVKFSISrSuDkwV2kTufKAFv42hNfGfSheb2VIv8Oy83i1EXOaSLpr6jR6eQDejomvtCWGS9OmpshGIZ/7vkZ/p3cG+2Jr/rJCeYubdSxomWxleFj6ND0idojDG3iO1xWspDUIGurEdQsTrgfCkS0o3p6JhQXSsr9GA1N9gxi2YaWj4NJwAJ/EpChIw5QGN50rzkxe1bd3DOt2X3LFtrC/PR7v9SQMioPsy/fnk1i1PXNcdZEj3xhbsitKKaDToZgB2bXxFEzeUgXCgWpUAXbSlMQP2YgNPihtoWZW5CGHwGLNmta80wbAQ1jG5CSKMhVhiZXuWMxMn7QeKKYzabUi8ajOc/TBirnEv4+qNVrf5dmu5DtOIYc9opxmkQCnoUcHS8L9KY+IaI8H0+RgfV1gDcbYlaWwtf/VCPnqLL62PNa38xT5p9WBccjEE1w2MhA3ZdVl5/gySWQa5mlg3cziZxWG/ldFylwmNJ6/2YfzkFEPuKS+2MQ8eoC3uV6v4t/M80LHqvDWFvV7QU4GwpKm3LMbjSwnPtHK6xeXzYsofLFfJClvwYBUZZ/4RGrsCLcqD3LaVmvVX59J6jCWuCcqH+TLiZO3GemJHE6CZxzTZjvFRJJXR71binWz9zNeiqB1S9uB3qsmToEAXxHvIMEXiuvaRwNUj+K+PExdvLZlclob8LVsfn63Oa9a0relhhnK5/SzPDxDh4nrfBtMm2TyB8mbpFIIabNne9/m6jIWGE76tAROeOShexrMyooStI2xocbRQDgyNyPWzbqNFDyjakt9TPs5iYmrNIi/zONTHCPcCLbfj2lkh8tzeg/H/vdioDmK1zWUHYq9to/Nq/m+BgC/gPJ/ksA+kx1KAAA=",
            text: ##"""
// One entity: its text and its form, the changes of others as they come, and saving without a loss.
import { idText, splice, valueAt } from '../json.js';
import { openCopyAs } from './copyas.js';
import { announce, button, confirmAct, copyText, disable, element, fill, hold, openDialog, plain, problemCard, refill } from './dom.js';
import { entityForm, known } from './form.js';
import { choose, conflictPanel, differences, merge } from './merge.js';
import { ask, may, observe, server, watch } from './server.js';
import { actsRow, banner, bullets, code, emptyState, facts, linkButton, loading, say } from './show.js';
import { entityHash, entityUrl, go, idLiteral, pageHash, place, typeUrl } from './state.js';
import { attempt, isSame, layout, marksOf, textEditor } from './text.js';

const formLimit = 256 * 1024; // characters; longer ones are edited as text alone
const list = (pointers) => pointers.map((pointer, index) => [index > 0 && ', ', code(pointer.slice(1))]);
const revisionOf = ({ headers }) => Number(/\d+/.exec(headers.get('etag'))?.[0] ?? NaN);

/** Where an entity is asked for: a path with one of these two ids leads elsewhere. */
function requestUrl(type, id) {
  if (id === '.' || id === '..') throw new TypeError(`No address has the id '${id}'.`);
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
    this.#query?.close();
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
    this.#query = watch(this.#isOwn ? url : `${url}?meta=true`);
    this.#query.addEventListener('sync', () => { if (this.#isAnew()) this.#receive(); });
    observe(this.#query, () => this.#receive());
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
    refill(this.#notice, banner('warn', 'changed-by-other', say('Somebody else has ', differing.length ? ['changed ', list(differing)] : 'written this entity', '.'),
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
    const url = id === undefined ? typeUrl(this.#type) : requestUrl(this.#type, id);
    // Sent again, a text without an id is not stored a second time.
    if (this.#tried?.sent !== sent) this.#tried = { sent, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
    const headers = id === undefined ? { 'Idempotency-Key': this.#tried.key } : this.#state === 'stored' ? { 'If-Match': `"${this.#revision}"` } : { 'If-None-Match': '*' };
    try {
      const answer = await ask(id === undefined ? 'POST' : 'PUT', url, { body: sent, headers });
      const stored = answer.text.trim();
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
    } catch (problem) {
      if (problem.status !== 412) throw problem;
    }
    const present = await ask('GET', url).catch((problem) => { if (problem.status !== 404) throw problem; });
    const text = present?.text.trim();
    if (!present) this.#lose();
    else if (this.#state === 'stored') return this.#merge(text, revisionOf(present));
    else if (this.#id === null) {
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
    this.#form?.keep();
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
    this.#hasSource = sources.length > 0;
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
    clearInterval(this.#again);
    if (this.#meta.sync === 'pending') this.#again = setInterval(() => { if (!document.hidden) this.#askMeta(); }, 5000);
  }

  #edited() {
    this.#said = '';
    this.#draw();
  }

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
            at: "/console/explain.js", .script, tag: "\"8d3f3be0d8d59757497ad53ad7c3dbe7\"",
            packed: "H4sIAAAAAAACA5VZZ5/bNtJ/708xqSATmvLzXJcjK71Xl2s65SesCK0QU4QCgCvrNvruN4WkQGvTXEQCGAym/GcwACcT+Mf2CHFrA+gmHIwvQEc4bPFn7ULEVlNh84hPME208QhImjUu5mAbsLG8Z3d75yPcwo2uW/NehBNsvNuBKsvJD8E15Q9BPTxTXbUxuqYAU5sdcixgY+u6gH2tbYMP765w4APtqzOfSeV2L3HZax/Mx7aOxid0G+54iVSH5wlJMP7mkmQdw2N3KOBKe/xp69rEUKAFKkO/LYtJRAVsja5sc11A7eQFJW+9Rg2CPuLP2ruaGjs9PJ5qVCkVYesOLwlQGVrrW+1j0Zn5mcfprlkbeiF19c6MlQ1RRyN87q1dEyIcTYAZZDY89S0KHs2LmMPsUW/qTIW9blSB661rHcIUhBLmoK6dqxRMQV1pfJ66ych58tZb8Kk7gHeHAIgPAxu0R1WQ9zUEZGtQyBLemtzbtM06WtcMvdktPLdCW5kXBfP46IXe2cZU0npsYuu55Xxl/Meo2mdMK1ZP2l431+YD6oRTDrf3AETngz6S0o05wFd6ny1wAGChwpo1VV87WRzpArTBVFNAjyTaXLvGIP69a6+3pVoW3Xxb0ezHY6XhikLFWA+2CgWGhV1vqQMEd9CgjwIxYQbh1zgkyzUoBZE/PTNDBWCnI67QuLhlpAWH7yQ7a1M799xUoGPCh62mcP3VY7JXALdhAcUGK4F0xq0clxPJeJKpkA3zWeYPU+vCjG1cXpuYkTdzmM9hcbdi/UJqvFDqvEfwf4i3FePn9dvzwEmIQrkiFKIsJIRneJzxu2fwRhMi0mDGaO73UCPMkpwFrJCthGQ2xpvCpspPZ7uh5B6JWf0sRSMSUYw25UrsOsYmvPkmKHg6KLvVQXwqdKXqwXs5Ibqoa7BMD8H+16B/er0Vmv0k8TbwRjrKxq6tK9iael8ArqVhZ3ZXxtPcVTzuTVhNwfzY6tpGawLix4dY0BIN/YhU+AuIMVnsITSY4qaAqJPINS84Dw0BfNAECBY+oxWKDpRdmKbx552LMOtBO08TcyadOUwpxTYYeoslnAZwsR85YRGPEgkYWdRY5qXMzTJK9XELJ0pk8orW5OcrsxlQnCZwpX7m6PbG6+h84GmLsiwpQTxBCPOiCXe3L8QTssIr9E5LDBxK26zrtjIBmeZ5udP7O4TK8+UghfgCZiJNtlCzGYW2begXwUKP6FvDneFr9IRKQk4sbCrWgl7JKErlZdijfzNVqLNtnpsjS4BPEvmVyfeZrcL0p0ZHwv9P9+e2ej2flKQzE/MyuOdLVhTsphjZYEjUFS6+1sGUg0i1xp9ZL1lZm+Za/PBK3xXczozkKU1ThX/YuM3UdG1Vjllj0Gw6WOYdssE7bJ5H/MOvIWofebJCIITark32oID/S4yEK5CfybFs7QLwjcS8sM0rPH52IsnmDeYOZDr5/v6kIOPmeZpuiHmv5Bw+f/LN12WIHjOw3RzR9RxyBOkFvS3xTYxJnYtkrqQ6EXXKj8WDJQYA/aWYoBjkkBeVaMf60u4sWfr/HuAf3HyHgKRc10ViS/XALfcUUNsb0++HdgMZ9Zbi2hmGR4tvG8p+QjFouPiFjOoNKbuORuoA9S/XevD2ehsDZ0UgX3f7iuyjunYN5hQco75juivYQLsXRERVCUqyKcCqz9Aib5p6+zQ9ZOBcKi9Ey0KJb1FiniYthKHsNUlfvlyKQ08DYGz4wIVY424mk2knYxNJpYBcpD/dMuDR2Sln6HXWHTjS1It8mUqYVG8ZO09xICDqEsxJ3TIUTjQ9F3Ol6wxuq+xNUsdR1dY0xqMcHrOMuLPX7MSVadabnvaWYLRfb+GArPrSZ9gHL6yArqBmSXu26I756L2me5e9aYMN8v3uIXbTC9lqY6/RxwTfqYJpUorJnJ1+bsBG8rOPtG2KvkIzUnbvKVdSuHQS5ELaA4PepWijQVUkeBByLshkm+3Bw60kUh/gin3hnyUUwgw5DIuYzi6KTwuX9iJGF7CGySW8Cli9ZPTLCoTi7Bc8s0oEE1TJ6WCoxHp10wpGPHg0gb3SOKlXeY2fmc1jPz97kKDHO+LONXat65dCdX4ZqcKkMSKEJA1OaldHJeltLk4c4pz6pCtV/kCVsvFhmNR3jPMgzBlHuKrYlGgHUkwbw/axKMQBS9pE5LVHnZhEN5WtdLzAkBwAs/PBL1NnWjUce6l3T7ExIFv9g04yUvAZb/AHc66pMCxYPTKHoqxFT0m7EXYuRGqv6bksLkTjYgXnjk+B0feLduaDZGzLeSWs3d5MJRfDqTudE6eyL+mHdzKwLNz7icb6BJukWymDs/XWBdPkKr9r9aqXbOCRF+nwKOlxgpHKX7xJc8g0+e+dRPbL+Q8fgIZC/CO93lL2jhSHeiiCbQMrOh+vyAervbMNdmMRbmOA6Nu47a9NdORgkhM9FVtptS3bSYOYDgwUqviIayF9BXSMC+igIlC8wBfZ6xdw1U8mGJEqUnbS71g0tewWFtTQa59uaV2pH0RmTLtS4XY3PiI2b+si8mny+i1PPU2EdsV73eWBLvq0/qA1yTP3fh2URe/QVWXM/v7rt1/puC13CNI/F8DCl50sJR+is8l/JpNrObsu8y5mMYEKDiojU0gPwsDPwxITn5Cy6gU84cIw6cp/eb6Yo8+EtF5X4MpAqWNPQxV0TvmReesrqg04hLrrAFXIyLqVbsjwLVdDVMkoEhsaZrxkClQfy8MooZ5rJXoK7P+xNYgNP77zs01y1THcC44vfm6Mr+y6x4MNTyhvpqdFuWOEmVTVfFZk4qS0D9pWSPCKkIr3TIA5FRBxLEWpYNqvQgSfXYqod665HkrVUrF1phekro3BVob7DohcdwDnqSX3NBeF2t31c6c+QliAMlahYNVyuqF4bG5ssI5uQDoa3/WcypXgJ0kMnTk7yi45qAm/jC+NCklWV0d+qiSbiVt1JMI6gCb2pGrcSpo6aOwMdC+ycZ4PfGPP1pp0ZNSIP2sTgQ0ygweJeXQ4NmvImNVF3qCqBenffptIHyYDUuvMQB+0jSIHDcuZRmbNZrxczgpIdpJpAt7R3cleN6aGK8Mu1fBjazwCdYWuzPIVaG96zybHGNl6aVDY3nkvgm0Knm+Jf3YrRzFiIyewsTKXxXpyykKIJJDHOLqLXmlv9X0qURRNc7WN5lzd46Qxl401dZXysc2+jcyJLjWm8P9/TCfft9V4/oIE/xaFE8Pid4ElzKQXuw7Y5J1BkIDzhol04vlmg7R0vCGnJ9fZ1NVdXUwWk/lyki/+fymTz9hyusrEgiDulTX7K/YsH+8evZyEskx98tFTNdyUZ3I67h017W5aKLmVdCFGVzcUTXBKwNnrcQuar98rOF3sbWqyM1ErEWQQRc7loj8rL8fzNLulKV645706p7xc896UdV89SKb0C0jfL5bo83Rqu17RbxqTmRv0em9GbpR7z88PzUa3dczyNOYoywpmZOMqo7c7IZG4ewWTVadnOq+r5WcXp1oZULzHitllWgemxFtUKQxfOcbmwzVP8y5hzoiKgPTs8WcfuN3eNQRrWYbOPp0r7nKsmP18kZSp21c7rq+ShC/vVJQZzndEVjZeOjZjcrUB5KMRVM509xmmrnn3U3nei3GXL/sGSRJbOYv88cEfYf4bN5CNroOhrxiy5QOJEp03FZ9ovHy3s/z1BBqhkTR2dC3s9BG80RUJORQF07vwlafQkmhMUvrtsB1Nz2IHw/gbldaCRezrM5e+MjWlro9kICntug9umXwMzNRjlBP0tcwmCQajDGzvyzCFcpf5e2ZbI2lCIcrk0yR2eTNXl5UYbm47ltk1U8qL7dXOxmkSRXAahEzniSrDUc1WoAoJnhybkJ7rRCXx6pHrVVlFjZIvBgN7mWRGQXNOsJ287Z5Ob1l0Esx9PEYnZ1lfj8MSqAtmEB2104jLpSP1KbB6sl/+D9Z5kID9HQAA",
            text: ##"""
// Why this answer, at what cost, and why an entity is (not) in it.
import { valueAt } from '../json.js';
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
    return showPlan(ask('GET', onceUrl(url, { explain: 'true' })).then(({ text }) => {
      const { at, end } = valueAt(text, '/meta');
      return plan(typeOf(url), url, JSON.parse(text.slice(at, end)));
    }).catch((problem) => problemCard(problem, load)));
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
            at: "/console/form.js", .script, tag: "\"189b90577c8195b3850e4ad98e9b37d0\"",
            packed: "H4sIAAAAAAACA5RWd5fbthP8X59ifhXUPR6VXuTISu+9NxeIXB1hg4ACgLnonfXdgwVEUaad5nIHQNiZxezsPi0W+K6VAT5I03hsyKuGEFpCoN8C7BbSgExQYb+ECh5b67oSEltFuuEdSNYtGqq1dNSgo25DrkSEwzUjK4+Hxl4bxlKhmkXGdyMGX8gc1KhIZDJjNVPdzrqAG5CmLjL7Eqr5bFsekePW77SqqcSvUvf0RsABW2c7iKpaPPDWVA+8uPUETBkz1rrETktlSvTGE5kxdNHYbhIY9jtqPpehPbsVMQK5ycXNPpAvUdueaRx10j0s4TvJfEF1dAbgW3s9Cc/qvi99WybOb1wMu1ah/Vw62VHk8+cAQQaaINTSWKNqGeN8oN3X9uw+i5qvzxYXF7HYFFpykPjwq88+hQ9OmSsGyA6AMqfaSg/F5cvJ2D7gl94G8hUuFrPaGs8ffs5yYoWCeeZY3QYv1tVPz9zBarWC+LfA//+Pfy1++rl/Jv65TL9eTT83afPs9s6iirCh4IyqnXSeMtqcI6eHlSfp6rbIBZzjNTwTnzak83W8wtmwjimbn0R+oighGhlo+H3JdUmb3smgrOF175S4UylT674hn0GybjNc4A1EluCsZtcnw2ZHVrh/7VSggs03v8+GD1YP7g/wcu9vwfRaLxHaIQpXljyHShWKxsltGEOZbegdY3Ol9hRyUzFQZK8pV6eacTm2van5FUOKhZEdlXC9pjJVpETiKJFSLcG0c9zMgCyd3XG4xyrFVGT6bl11clcU1mQlUyGymGq7T8dzrNcoUgBrlQu+sVaTNALrKH5wfVJ5K7UncQfLlH4UdeCVISJu+kBMfQMhnZKXWm5IiyX4Ealja2qjLOSWEHLjyYSIyZaJ++TVY1XlJUccA3FgFrVFcXwbuymJkPLsTUNbZajhY7bW9PjRI5xOBWct+OiINZrk1HtHz86zqqf3aY1VFEKUqKrqGJ3WSTbGlRtNT2Fj/fKKZfvpzp1bZ7DGNoTVMNsK4eOqZlVuGHoUtYQ1S54QrTRXtESRSpntyhgVz1Bmz3XBAYeSc36s9CNNzp9pUi5ACl9yM5TIOVCTtvyQp8q6hhBYYiob8w5hgt8+FBoJ7nycrM9nAqeYr0Tls0KOQu9MkogPDqPXhvGg0mI07vwfW2OYfDn7Mz/zfDdYDVzr6fzijhH//rfgpE97McYr/2mfxsMKk75SJtAVOXbh9COTQs5QpvZgJulIPs0gzl775ZAvPzg9odJkrkKL23jpGWZMh6Prxc9GcPvjeSzxbJl0V2bXhy4yL8dXrCEaqlUntTj2folaSz8yrtMplhB1DBWDYRPY4NfBbdzMOWw+VDlbeTKbRmcPngDSmafwVu+D7b6VWjUq7AshTjeC25+Y8ESPVBG9K+anVhmigDTBHzs7oJahbjPan7J/3Sp/NuWrmA0WC3w9fP9ibI/eBKWP435Ce8pvJI+/J21QOeJvCifa490D/03rEQarYyOs17nmwxDNp/8674P5P3nWbNKYv/dmBUtuE0H0zlcoxVaNVChK4LiBQFLABYBDji4Vktezu8rKliPJThyXrlRx5cIPwJfwJ/kS+nW32iOts8WJPSRyz2imp6f79evWoHwEaa5khyaPuGN+mYKFvG3aVZeFuU1EsRAz8Kw3u4oYZxopiJKsLt8fCIiqmgnfutpU692aHsp38kCSH9mvWSaP0RDmwWVDx+sA2Qt73X34/W+Xp9GC3jHJXyI5Leg0YoLJ8yF+K2fbZ9d12f8EkF3wltD6ZpOzu8csuYebC+SB4uKIiUN0ceRZQ5GEtl2EthEAc+MPd7IUy9flgfg+y5yYjsV4uIxqT7dNnC+F2915v+2Yu9A100oC+07CXqzNr8ojhbbmG6H8lE8Ino0W9Q15wLJZHSQlisHzTJh1/FLYQ5K9bghdaQpcZzAO9s0WnDg6kuW+lHgnwFi+przzfGAnEjWtGtm2zda3feW78G1G4kslv2zyfVOtBtXaNMVKb4l4aCyS/4M4b7RguR6J8ljr+A1nsKW/qYhsNC12jCJPp8OZQWDmpI6pm3/HLN68XMoBlEgxHyhVtcRLz+P7qtoztCu0OhRpJGhJd/p10za7rUtn5EonGY/CL4WD2vdyZORiFSga6I9bOrelG0EMBM3Gv43g1IJizMI+/PbHOS77Cb1sRxasFbbHJFqQU3WQek/S51jg8OREZguaWebFtE4hTk0nWVrIgCkNGeksKcY01yJT3hAWdFQeWvYpbjMapLAQIeZlHeun40mOiAyPJ0iN6WIpOV6Q8Wlvhd0uuy07OZwwKGMllnUkD84HxtdX5BNqS53siXmPo52fKBIsx1ok5+2l2CJKw/Uk8AW+DyTpb1FEKp505R4cEHdupSScnxNCBfiP9CYrK2IsUUQ/02EQS60n2YYUb7TgxI43XjNiTCZUtexo1XtPIFkgdcqmF0cduvMHeiPbgPMlkuaGmTtmhdKTZ9FwOt23hB6dnATbmiJIUqRLnFiG152uCLva2FIx2QW7+62KwrV/IHG4dsrPfu9bxh0oK/5PDiE42lm9qVpgZehgrm/ZYnKKVzTaRSWv9kwaLRaPCp4wAQTQxHNXR0BNrxZsHVfrVzxMxJHUMTXgVH2TMia8PJhNGCeuge7nCZYGd98Yk5LZFsIP0Cl4rBz6kQaAcpEtMR2KwViaMLFTIhX6WHDkzBk/lEuNYolJcaDmWhZ9s/Pt4RVXN037oq7HciuNRl6dwiZ9A04s72arqkOixWlQA9sudldQ2qTqy3MKZ8dEdoV5Ee9qZ4gWWkaOLp5n8J9DPALIc7FoBl81TBENTrIkme2uLUHlnhW8L+xblCTDIKjo3G5YENMngZdMzzFX6dF9lR5AMzPg1LXEOGqaUah32VztCOflKknUl5Se4xVJkTuzkjB677+TTIqK5vxIhvZCRy7DR7y0UDMN0F2MGRxP12KsJuZsIewOT3xoV62cppiFtWtk0jyzm+dLhre2B6pmmyqJXUheIO625Ual2v0Ue2qHMi4IKIVZY/sEhDK17c61k2YXmOplhRJpheEg89SOQZ4vo/PMaHvrLpYNuYnIZW/Ibe2QGn6ptm0vI5OYxQgSmr2/R4OK2lPCIhtgmwGUt7Djj80TSu9381oUfw94Kf7Cs1v2fhgHNGcAUoEtBqo2Q4o2OsQ/f7rAWnA5tpghQdesvQHBzOvMmAHdYAuHsGnJZ920Y/B3SB0boEHnFTwNqFTT/wVGsZ/E9awghR0+stnCGoS5I/vQCytwO41rZXVhlAMsBT2SrzP+f5LGB6thvyek6CafSizDar1EViyWtHCR8qOGu9JicYW8eBYVu23Xkx3WBcRA367ZtUSSSilr6oo8lU9GJqtrTMnOlBDyvcUKZWyMknBfdTSI7yg9Wbq7uvVr+n/ccloGH2VnRLvvaebqBQjbYXNF3vcVr4AGwZFsELyBLxMpSi66sTVPtMXnk41MY5Z+x4lFUfcEuHiaW+HyMTSl2VJilGQTAtiyhvkFbDt7E34Bk7XsP0cdp5DXzhkF/axxhIFkAPXRi5RZFZXZuO9ZU3fhRqO6k31R+jsxHknlgWVqSBeYFCGH7xCxSZJcInrhYGwnNpcmH3gNqYn+p8GeNPRuW39Np/r04jj9ahS7J/vPn/xKkLZs3rk0tAfBvFV+Mv64rjZ3Tlwbf86KeGAA+CEVsS1/64MrAk17jzamqMjQAsbO4AKRnQTM3KXylSxGnfWybpbxAleaJ8zbEzbQ6CwuFVeiheRBFr9ufXfLqy+mngZRcUnXpL8JjynH1/C5UYLW4lDkqhJhxC/MATMyYluRVhIMlFrqkhv0t9W2E5+dJehggiTqcMCv1IUrNKXuvUCFYR60asiJTvQgVRDAmvKYGLy8sHbGZDmAAu5Mvy1p0VQJCetG6j7poH1UTYOKg8CAIOzyMFLD/+xx+v1SAikNY+7iaN9TsfAQRlaCf9JxzkBqoL11GIoTDMhXIGCPJCI+QqIoLjLYTodP+G1JGQd6JItQC5cfsjt6O/jiYqeVnBw2CqYQJG8DiOQJcBQCFrcV5luUbVseguid9Rgm3YVzbQWE2gLyXN7BR/FJ64/21VeeptEXT2UWTRM/PXeDwafnWByAZhsujM4GUFDiaDckN5fQZBe5XGgIDm6fDUgBjsvPLo78XTwOBh9Du4F5RZHDzf8Fds6jsoUgAAA=",
            text: ##"""
// What stands beside the text of an entity: its form, a field for each declared member, and what is known of it.
// Form and text edit one text.
import { elements, idOf, members, splice, valueAt } from '../json.js';
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
  const options = rule.enum?.map((one) => JSON.stringify(one)) ?? (rule.type === 'boolean' ? ['true', 'false'] : null);
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

/** Facts of an entity that is stored as `base`, as `[name, what is shown]`; `upstream` is its source as the live query tells it. */
export function known({ type, base, revision, meta, schema, upstream }) {
  const { source, fetchedAt, sync } = meta ?? {};
  const { state, problem } = upstream ?? {};
  const { at, end } = valueAt(base, '/id');
  const id = base.slice(at, end); // a literal of filters
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
  const ids = (place.kind === 'array' ? elements(text).map(({ at, end }) => text.slice(at, end)) : [text]).map(idOf);
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
            at: "/console/list.js", .script, tag: "\"235f5339e51b638b5e2f75d341cb7d31\"",
            packed: "H4sIAAAAAAACA4VZ957iOBL+v59CG23Pec3lQP/Y3pxzzouwBWjbSJwluofr4d2vSp+FhWF702DLpVKFr5JmMhFfrZXYypUSdimkcHvn1Ub4/VZN6bXVd4r+cF7ca7+mhaVuvepKIY2wXaM6emhouenkPb0sbSesUaKz99WV3mxt58WDqO12/7orw+9X6qkvQU5cVKs2ytACsW1LsW2lNvTT2QV9eFN2TSk6xd/EQSw7uxFZNWnspvrNZddH/hDkQ7WnI/yuM6pJqLfSr0fktd3xkWqz9fsvvfSqZLkXumkUHb4i2Uuh3dfm1th7WmitbLRZlaRYrT6xXteqDAZ7T8kg30Z2t8mJbm3vxwIunOruaNu99PU6peXlbkS9sj1/6db81MmNYpuzeWolpCMDKRfM5pT/lGVk53wWCV16AOs34r9Rm4Xq2BEJZTXpVLOrz4T5iADwlSR3JEw9v4PuqrbG+SDul/p/SszEP/78Z1qePHkSgLXUqm2ALEZR5noAXYv5rmvzYk6WFn6t4lfZNKSbq8STyZV6GmTACdj2DrOjQ3LaXIjZq+LhSkQCfIqQyjNttjuflaQDwJw5Jbt6TSuZ7LR8pZUL1Wa0/k5gnfX2XduW0ETLR6Q7oQ3J/9+d6vZE5UjPqfjbXwlsynkiZNFfWfZMSB5BSJkyztbSrIg0D5JKd/sREeZBbZYKO6YQvLqT7U5VvtMbIn/2TJgdg74QB/rjmph2iqEN4uurQ2/iLwlrrretWOyFJVN2A2RgR9inP783XtlL54JsK5tHwOWnUDqlLSPy8qKi2AhqdCqYbSp8t1MsbBDsUw7JVDJJbmp3G3PuWUePJ5JxyHIEvk4B2YxtV8Z4n/axnh+1xecsfM2KMR8WDUb7di09w85JHaFJIId/hVxYetbecQ47weFyZ2qvrREcUzvH8ZMTtqyX7RQ5RTUlW8HU0nMOIqisOYOARswiUZGgVrb8AQTPzWZiZxrKd5zCXn55WAYjcSPmLO+LD4FRHj4Xh7kgDGYJRuaRIOwqDi8+0Cn05yDajcjKkLg3tlPCsz04BpGNRGOVE8Z6xGTgfpgT5oaoRvpmWXgbGQo85r861c6FIXc4CnA+Pvch3+sm5nyK+I28pQPugxe84HhzJfB+T+hVYVG6HnSN0ExGjJeXnMGHvxUY5yErweawcKu8cLrhpMTcEwvxVyFYm/c9u3PvUN5YGxZVts5CmIiEINHKGsVChN27bUO2zIueWXSo5hx0EiXVSlE2YtNkhbi5gSz9Hr0UkLva6vpWNcHZmhAyLOb0mpLzATNoVER9WMubqm6tU/kJ8XPgY2yjKu3etMaoOiAQGwe4xU3MiYSc9d7Ks5BArWHeMZVB41RnR0VIzLCZNICKYjJhjDGSAI8Qapxn8BotGpmNfZWozPwpIEZ2JQbRrkVfCSkgeWEa02fkgyyaysy4pMNgH34Z25mlqXpj6xCOtALSsMYPj9ux4kDIQ0/DzEcCbGTQdhQkvO9EDCYrwI77ILz3BPH0Txe/kVsr6ZxemSA4O43YQcuo+gHFCTAZ49ZuVXQhqC/6g6kGoKVclavlNmEL+AV1jrWLwuqEeWQ0UocLScL7gNQTErcK9c1YDklO4aFFE3vlz8uKdm9zg/e9CoXF2V1Xq4De5/BMvnVVq8zKr8m5Q8MXSVEsrsQTMbdbTjVuPg2dBFlVe840KGiu7yRFLoes5C0J2XDFhINJ3MS/Ig8f+/zJRyDaHsmCTLjp8+B1SFZ255nGg5gTtlEFN6nsI8YbpbHau/4sOiSm67WS9JGbca1cTsJY1GqSeaGwTILOf2T0AkE/z4nehM6XtWSGqJMx/bOemAZyCE/rsZVjLaJwt6FHh4HRwuWafKXkWR0uyiCxgfp5o7zUTE6HMUci6w1TVFeXygKXrs8k7ex91zd3ael9SL0pDoSSnvYatQNyDhGAxdpuaBgQQ45jXSMp+wU1leUsyZO6Xh8NwDgFFxJvoxmXsW+O3MkmvMqiVvTMyxAWPUfa3rqtNCE51610jor0ZudVkx27UuzIEP0nTbSYpd10jpxOpyWEC9vs08MafXdyljSO8HrCHHqP9gyf2ZePfEYiZrOq+2HmyJFMahkcM4WrjhqyjbOI+Gn0XoV3Xu+UCY0ifmNrzkV1oObw5PjPc41ec1RI+gpwUqRRwwV/JAsUkTE3slQiz9vX2OFeam95c2JFBFdiJtlR2LUqQ24YBs+8twXcjLGV54o4tUT9OAcUwyuiGLNsGdxMZ8fDY8Y/66nOu7ihDdBLfE7b16TDSO2cJ5Nn2FOc8ETOx0vVKFd3eqHI/KPqGjlj8M6zr4YMKNyuXrP49HxfAV4HKBhbVwyB6EDSLKXR60dLgCycjviYT+7+MnnxgVMGtdKTn26qJ89enFTqqapDJvvxzz9zk3w1qqfYnEcrIE9Qg4WbgGI8bcVj8x5UD8gUJUYHzFilqKoqMkTWJfxenoLo9NFQMYxPpyy4Qxos9X4//wjZqX740AZ5CWXEuvAgTZg4Ybqk/FGHnxt2cA8SZM1R53CSSrEE+4zoQt/DgMX7kJf5hHSpIme+fadMCDZlyBYhC3LwIAUUf0CNmkLkFP4oOeLADkxyC0huqhzf2ZUPhwJIu0ptsFArbWI/BIuEyhz7QAQq5n4xO/MfPmNiyDJsQRJyyr+JzuMIq9iJDDdhvzcVx9PBKoAwNjz4AEPlUSHA4XV36/iObKht1/385np0YIgijOqWw2rPwEFvMsIGz/IfE5e8SPIHkBBzBgRBifzTaY08Zkl070cEwbIphew6biZmo5FlOI3zFfg8e5Y0i4BtKsrA80fM80T9nmqbn8WMVsa9ZBlsVNEGgge5qLH1jjM5J2IS6G3k9eJncL4YBCKJn2Fl7K8yJAMQpH7D+yXEEk7TyQJacEp4Loi81J3zb651exw/lyS7ywcVof/PsfHHD+42IW7Zm/08HKJ88PrQgoX4PN74hi4M56W+dLhZPLM1aFABw2D2JlldGUIG+Ibkly0pTFWTjdwcBwKOLjFN7nSieflUKAJz9aer1qnQ4zJEjpkpvRyOrJO959JEO4jIhUtxcg+d9xYpTm7D42qJ7BKPOAiWKpx0riFOevxCAChgEarQfX+pWlq2lBGr/vabR+xEzn41vyDBc2y34dBh0yMpLrmLz7NPMN0ttcfNMMgqohtqVqAfnf6YfhflGUgRtJFbgjxisfMD9HAh92qAxuBdEHE6ecPaVkmTj+NpdDx/LsGbDD/0eoud99akV9ZYGZp63pmV8X655U42JlSu4GRUvhEe0nR2NNFR2rQh6y8W4lVWjNpYu85uzGCr2IWjN5QrynNTbEHTQgdPRWyn05YvWhG3LShtD4cMvU4YDlkt6m7gGUyL2STj1XBbPz2CJgy38T4Ka326KtgMdbqF/9qJrHS6hxdfTxuuoUfGZEwJs2BeveP2Y46s5inL5C4Jj0j5xfnFLu8Pueb3tpDaXxB7Pj/t9tgiUSQ4LemyooN5hZLk6NqFJ1VruGmLV5qYzHEjN95OAQqpu3ZgLvrxNFLEYnKClyQex2hLOY1xh32P3gPFO6YpNuNldKX1yOXSxRY09oLjVTgjLo7uov4PO8TnQjQdAAA=",
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

/** Whether no row is known yet. */
export const isEmptyYet = (source) => !source.ids.length && isUnknown(source);

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
    observe(next, arrive);
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
            at: "/console/main.js", .script, tag: "\"ce74f1b81878ee223ad9fa3105ce6d51\"",
            packed: "H4sIAAAAAAACA5VaaXLbyJL+71OUoh0PQDcFuWcfOtQKr723PVbPquA8loAiCQtE8aGKphUyI94NZt8uMFeY/3OUPsnLLxPFAkh66U0Eas3M+nItnJ2pnxdGzVq9NGPV6qoeKW9XI3Wtm8a0bqRuzC391U2pPA1c6bmhB+35TZdla5xTDc12+b1qubKtV3fq2syrhia5m5EqFqa4eWV0eTtSC+1+tjeGuqrGt7ZcF2aklpp6WlNY2rDwP9nNSDnTvjEt/Vbz5ttGfl+svdoSoXapkvxMRuSvXfKwt+3a3Y7or/eWJpnaLE3jR2pW1bX8/cnQ4gtbl4/QUltdjtSq1qB11dprmvBEtyWokTluYTcvpaO3d2mXexuLsCA0/Ln1xhHftS3Avl0zDbrwTrasmjl2XbcaO+jb3srYb2/puaXBunXmZa0hLWe8pxVcf5bX3si0eyRF59V9da5SZ2qSp20zdf6VKm2xhjTy361Ne3vZdcUxNPXs88+BBQbBmA96xAfLEKAjXVSEgel8GsHQVvOFFzRU9KtvCATq87OOCKxDdFzdU+oq8bcr45KRSn4ODx5/WsJFMhnxEKYMjX8VHn63P8SuTKt9Rcuj58XgzeKPLpdVE0YTGWW1638yeCsORq9XztNeS+7+6/7L+mCsXftr+5Zp2D1dH4zqLXEZH92RcbY1PCo8lAdjlsa3VcFzf4yPSxYkNCqM00VhHPc92j3pPTFCMLNqvhbhiWz2Gm4OhVmvnTctj46P9WDcJKII+IEWGF0slFZL0vXadFBxrAamVJuFaVTFLbOqdZ71rYkQkkXUOctIt4wYwnDlGR1uZVgKeZ4DavlSr9L0ClMmDHk8ZSCpNl4V67alqbRWs67rh4rs3p1aiUphoNrysFo7z/CjgUHTcrJNNDXNrh5M1IWafnb/7ljXdqrGKvnsTJD+kJfz67ahlR7wG6zfYzNfo2Wma2eYimszsy00zV7b8lbdNHbjSDAWxtONlRbqNnZdlzRWJKT8pipMUPaq+VFXWDQlSXA/2Gd7l95PkyV1JtnOHKYJCbIqauAMohgpmRIswOVCCDhq4XEy2t02hZqtmwJg4dlppu4IJNVMpSeByUy1Buw/pA6hk0BiiMovvgjNlftbXUGO1HoSDug3v1GdbWe1yGHcaNr5OSBcWOqgCSRe2W63RNiO6XklA2/TLO6Os8b20ZamZKAZ8DnRvMBQ4YBH5hC7sBVWuFOvHTG8pUX0hnbFCaXJ189+BhjP3nyZZDmtVyzSlOWf3m0zXlSWZe7BBqjMyKynWA3snuAhZ9jktWnmfqEuACSBfB9UI6KhNUzfWPl2Tajtdoiy3nZs9OQZGWICup48NmNQaMV7vl6VJPWLPOUxWZADoemKOvSpN86frxun35hykmQXOTk7Z9KMEf0tK3RjSZvMzOc8U7dtRWNlvaM0d1h2P9CcIOFA1IVQVRvaj4iSbSzJk1yGwwnCqW8MHbmyM28aILc78GKhG9iQpdHNZlHV5l7vOE7CcURauDNQcd4pauB/UQGTt/lq7RaXwGUqGpQko0CqYOlDDD5nSxcRj/4BnyJM8Bm6ouGKIIVlzKuGzHJpXNrDbCBWzEK6U/vFlzuNT8hAt0ZOSbk1WWjMTDIOR+IMzYBbUDDUw6Da7px4lh1jNGzchTppFpUwuIFwvBLkpNP87P5d5GBLocx0qEsgW04dJyv2AeaU1Kgxv+5sT4SGT5NS5cT8llXJgAZPSTYIFtM7VRqPkIkmROLCDN24DdkyFpvwsrM6rcFyJJ8PwEWUtpNbblemkaMeScQ+RMi+R0PnvhdggDW2NNHedZDM1G5YPqNo0aW0XEtK1fjLorV13Tc5Bwq9Fe/xjd2QyrRKBzlUTpw+GzP3MOYQhV0aR7Gyqrwz9YxdC5xkdArBS97r+5po23GC0TSvCA3EeGkb+qvp+LDBktaGvR56FDq8Ofu0iwt1ByF9TFUiL8wGiBs41LJ6w5oCqzjeualbnDkrFGcY6YCG1mhnyel2iUF6dZW8BAfJSDjhoAthFxKnhDlSX6kHMNSUY6RgU50Jn9P7d5xxcGO2JQuoQgv1Z9tpNhnRQk9EHEkUDDRk3ZRmRupSYmVOVdKuO5tMskwONsh/eOgi/74zAVL5N6JS7CG1D3xtgN6eY+oyAPaJ0gWTkwt0/rbyizT5LRmdGKQdWTcmOr7yMDWQT9+3SftW/fL7f1PPCQYL46eYx0b3R9Osxewy1Eir04jtv13oEJFSygrvD1n7kD3HsJXfsTUE1I+HE6eEKiK280wlT4Pyc0+KvxDtUT6OkU4gu7ftYrdHAalB5ZrSEUhswzvCHi2gWN4ye6Beqy6u71FfuRezmWlNSZvux9MMml0uoN69C6pVV82NwyGku16SXIROlGdPbTGp2yQmm7XxNHskyaXsPIjCgHpy9uWIgtRbaDdOI+XRvXDrpBsVzH/UVrfSDatrQThypK92NqN3lu0YayKjaSt9WlZOk5UvExoDy0eDWosxCeiGdoPiYTSjjjrPA4Rf9DA8powC/g+eb7qjYzonLRZRoFUo6nBMBMWAYahCeED0iF+EjjBiA0K30RkTwpBbDQ5wboh0dCQZzONhX4ClZIq8ZGuCk/kMeRhMI35zaiXq0x2cMs7QsFY2ks0vhuKKR6JXnO2J+GQswo6nTBiLe6yuPmluctb56i5yeRnestH+5mECvKxeVTnCcpn06OW3STYRS4CCmV2hBBJKZOqU/tmD+iULrgM7JLOwzpNj9eatp2Tb07ai0tF+0YAtMkuWOP3vqBXppvr//1P77ZJrJluyXFEvNhalq5uqKfs+b0VnE0fhjfpAER7lAPGUs/h+Ers1RQttirWwh6gUGgcMwBZg00wddEkHZsaggnf4oXJk0ux8Xhs4zuXSwL09tqRYeucja5LFI9+zLpV7tNG32c4y/+3C9nM7SYrPYeCqwjjuCvU+xqWcFA5dxna1AmiFWBjWj/y1JT+dhUBtf6TIlusNBUWbJSmgTJbVU+mdytvp/TvMyd2qrghh40RKBCMVph4418DXMK5Zmt5hRo45Fofpg7ZfEUVL02WQb3S9hggmQf9S5IyaMAFa+TELaeZYPYhLsgXFmidLA9HTilzY6Z6hFbAssCp49QsS6EWO9dAMlOLZwTwLeRg5je0I8VHzTLmTtAq/SdbHMCQWmCLdoG3QQi/hiUDf1UmIrhUXMta1bhNSnEAuooc4kenidlAjLHbKs48RqrkAH1M5uC2Z5FCtTjO8dVBsjCmleTsNSGF4YOP3pU5SlWNjIsEgJiD6i1sQsVK4TpPLat4ou4YRk2KL7PLBlFidhGSV6Aj18jTrG0beORmFMBVjTrGL2gaTmqbCxkl33hnO/oDvDEMGtNKysVb/4Q2r5lSmYttJDK6mfRWjCOd/N1JVRgDtJlNlZ1JKFO16yNn/hkJCSQghfswPhYey1WQQ9Jz2R2ATlSxYiKGSISY/rmeazeXVJNjAnT16ZWZrZ8pvrPOylsJYrgykV1MYc3jtaw7ep/280BrXSwwRgHO81tG/5xAYiWMU4SAKb9W057UKW5qYp2A4G7gEuoH4flDlzRMIO5aHhoa1T7umhvEO7kKmKR/57ScxdGQiOzFXNQXY41uR9GBMFjxavguW1Rwr26aXI06FBwOUCxPRXRw7BnREVvDWsbHRbRP4qCmlUXL5BEEBQjxPCQKd+AE8aAcY9nmIm29zWjcoBd1hJcE29C+20qyXJjZ2E3QgHsuHap7C4PtT3jEBxOv9zPd4yjuUU9yEpIX1opDemwHnKuSqZA5gNfmZDFy3goiKKdrKlRi6OtK2gcZwpNuDQ4WK6fJFU98eOVh4lFNLfTjdKLIt3mJ6HRHbi/59a0mWQW2mr3YriSXBdLA5XDefsmIlwXz3d+l6mESF4ODgDKlhtTJlAlc9UeMuq0fxSpFiIpWjjVfIn22rlqa7XCsr3J7SU6NaA2uc7zZRnPJ09y5Z3qU6fbP8imdEloauBAIN//Rr2S9fXIZi9tlved6ZbI04cX9GvNdNe73bHsJlLoP80PjEYPYx34AcnnLS9SdDhY1YPAyLFSkVakyhbld1GntsQ9bYKC8u7b2/RjdkoHIUNTxb2WJxhGyD9mRPgVA2V7o1SjccOqm5abrby19+/z9Opa2BwDmtrQgsgMI17lFogtlkY2VQUpL8vXIS0aEnTyITTyu3rHDlt3fKkdpYU5OefqoibQcGKWYROUJ6QbRgos80Wvo8PwO5HKlRXAVyCS6OTyZcKQHDgY9SbdrKm+CkulxaI3ORe7ljLAxDZxLy0gz8ukdLvMfrElhulew20Wtvd1dJMhzsSXumSkNbm1iJCQ/PasPvOFNaPOeZwTF92nDQFaZxNsYvhwniL//1z7Ci6NxO98eiJvCDvjY1RjL/4zh4mFzE6pZIKCbrvbSsNUtyA2l3umG3Jc2iYc6Qm/NtRWAzqZQjzNsVHR0ncAmfSbJLkb83tyEvluP72gK5vYtPfEmgNhqYMFwNwVcGkWK8pVx8jneL/JqXZqbXtX/Z8qspEaNKT+WoyLmyjnaKjbr2RAy9g5my0rWdj5e21MT64RUluTAIv7UQqcwvfFvLAl3D0nhNDXFS1TyvTF3uZnjdEtLkFsd5Cs6Tqlmt/ZgUP71C0nPOppM+G5iMlDS0uqzshDwJjl+3Ro+UfJmRZAfZUdojkjD8hOg7TTh4ytQXHQkkvADrQB3C+jgTr1hP6nnPXKFXJtm/KrlKnjXdPb9KJvGyCRORBLyXXx0/wnHr5VK3VFNjGYxUDbwm2f5WWDJkpVDBL4cEqgTvQ0UmHl2SxUu6g9OUAPI8gA/teziMQ4kPLidjCm0VClhNSbn/SIWipKT78swbsyQCD2f/mD5qW7t595Jcz7tv7NK8e9aU2VkOd/hxoeVIWkzbk42Sj7NuleP7F1X5vNsK5Ia4CA2xyCZd2Aj2Vd6u/niyCxJw89y1Pph8rCYZxm2n+0GaYLGPnUBMhFwWNCO/rtfBwcQl7g9Yjm9jkHHKZRJ1xXaGMXP+BKKasMGqipuD5U6GibEBWZwZZ7tr22uNee/lJEbYESao+753wsVuAonpUeHThalX/fX78frMrhvYiBfXr03B1yIvNk06JBqQ5hA9VGwPLuYxQspWvVI3loYZDGTwe64Lf1Q7xLcLCrv7vadiUnt3HU+t6T4CaawqxGaEC4WZpfxb07JVvZZgWYcLUVXotlTdpyMLo8twQ8LEq0ec73ULT4nAKaePgxQ9MMHk3+1/vhHKiSrH6iPFz4svxZ/37i9xofkEEAK/va/4wu2pXCiH1UMyfq5oV0GItFzILTTBKO04hAU4tmDo7scvsgbLVLYBPrBJLxJPJZjmKDPJzzACX/JlGRdgvqHXVD7KfB9S+LudM1RQfedwdVk+w6nCpyPITJOVXXE6kkj5U27SCRWWTsIgJpWbGNsqDVtTrXz/hgoHiPfFsZXBPY+Li9/bRUCH44nu0m4QIdITDe2HM4ejWdNjOBs9oXkr190I1HAfg7oejeNfei91i2n4GfeuOJH4RifiYjQ44hWvPhIoSmwaY016hfRDjPRxDj49nLr0SMbjlcph8TxEafSPkADkfJyEgaWSmbm7qT4y06BdzuADpkMdfEDQk5Ajjj6FPnzCm/YmjD5RW0QqvLQbzseL4fZOWpLSHKMk4DjiLSZIh9fCKnxJjJeDz9EwUgTwgR1Dqhg3jIlO9D7xY+mPLiiF5v6KMNcqFb2R8Bc2+fjnwOAl4aTtq26sBK3xm6+uhovANTbKZzynMmPYZd72u7IkCx5TWnbfjfXaQhrSWSmvbIPP3TS58bJETUNfK2/q2gXfwmv0vyV1xjS9FDbW2IM7jXa0NfQMO58Owy7UnWjLUCNXZrnyVecSQ5GZv37Lf+3XW0Nc+G+xPd3ZpN2BHatrDkCICsufPniA2X1LNAQqq4l8hY/X+OGpQGpvdCDpD8McTdEMMAAA",
            text: ##"""
// The frame: rail, top, banners, keys, and the page that the address names.
import { begin, ask, checkReady, hasToken, introduce, may, reconnectNow, server, signIn, signOut } from './server.js';
import { busy, button, element, fill, fillNew, holdAll, load, plain, problemCard, refill, showProblem } from './dom.js';
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
server.addEventListener('access', () => {
  for (const dialog of document.querySelectorAll('body > dialog:not([data-test=sign-in], [data-test=import-dialog], [data-test=export-dialog])')) {
    dialog.close();
    dialog.remove(); // at once: a hidden tab tells of the close when it is seen
  }
  if (hasToken() && current?.page.reenter?.()) return; // Only a sign-out empties what is not saved.
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
            at: "/console/operation.js", .script, tag: "\"3c5f7b83ad8daf26df0b3a6c2f7fd7d5\"",
            packed: "H4sIAAAAAAACA4xVV5brNgz9n1UgVfIcHTn5fb33Xn7SaQmW+EYidUhoSvpqsrCsJJeUC0dOm2KKwAXuBUDRyyW9NEx2YKdEW3OFWntGWsiLMrUv6KxVQjVXumZPamVHgdeTGw2cgJC0HHfhoffcnbIvj3Q/WCf0E3HHPRt5x+cCfM/9il3c0C+0dranrCyXjuuxYld+8NnVfWhlh4vbvtimKGitu64IUs09rTrbFDR0Shsszq4AuqtcXZDjgNunX9a2P8jc95COXK5md2cUsSYJiFY/i1ENv1wX1CiJ64TBOgqyRdOgpC1CK57yBTxooIw+OPyZlqp9uU4ogDLaNHMOf4KMK8/ulNF5hagkJprdPARoUwG9Uq5AYaMRLG7sV5BQj9NQ0TpVCQyNPmWDxdmzglpWNTSAEQleWNEhzYA6H7GKfeyVgx6vLvDRq9B70T0w4jjIQwtSdTg3M21+4OodsCkKpnlnaxalu0fKo3tyMfB7l04vtJFnEc9Qxju16tLMgv0Gd7Q8PqZ3LRPK9GTXpCh6ScJZVg6OWKGxMjWZ6yvE52gRSTyaqwvS8Gszjbmk4+VR1Snv6U3ICAyb2tP903CylWsYoo6IolS6TllljeFK0FyoIeTysH79bXj+JDJga/iMnqshX0AvRd5c1wsU51hGZ6BV+3JClw1H51X6JWA9dqGyRSQlApsXWvHaOrCngYGQJsNOW4feZYljLiimLns85MGzoOs36Ot4bvLk7Z18BWW6zrCE3beLRZJ2U3NZlmkhJ3zh8wUasdc9TR/Yn4iNsMMsdhlKvMkw5Sg+6vhoKrJslQ8mEHe8liuRZnJtGQ4iUxXb8FjlFpH/FGfuWPlwC2YZ/QICCI1SW2Waf1N2WRh9/vnGsh0dfXR9M5kg4R/YAyP9kjSx1n4I5zMetDwM6O7oxfbTPptUZcXuHQoJEI5jgoMytbezgGC9TnGwkey5khbs5/mXBaFzsE81pYIOJw5Yoh6j394uz322oJs36QuQb1jdaO7abuyNv0T89RFBq1E9X4knB/NTK+6weTMa7LR/oJvRwbtWnWf6pUgDvCgnXN+WJO7tZDuMLShcSFco/4BxBvJ4d+VP3r58UQ7KeZ4cixlHUtOe5J21J/+HIT7RdUw6M2PXZXSTsj9//yOjK+F2zl+MoZkb+HI7mak7+7v6EmxxIHDzfZOoe7m1zPXsv5v+s2zrdKNNmnQyzGBKhPtB0t7c3pjmUMd+/KtVK91u3Mi5r8Lvm4XkiVrZ/vXm7Pu+Jzo6x2ypbDFNkx4V1R4fR881/+fJBhcXJIqh3LNPEktVKBSAQgEXKDUTym8wMifUlJWSdTczmrDfd/uE5ivm+/xlR3BotwIE2rDNfvstO3EwOBWFDzPjLDfdNmRnoKGh1pZS3oZfZ5LMd0RFdS+Aptc8UWVbhSSaKi4O7QZHqVBFPBtHzGDN26HqZE/sjmkuNhX19loCcJwjwaGv+0YscS7csj/e+UIG4OM5QnDsYXdcJI0gz7rtrYRGzfzFapX4iftFyshGRef1IhPywSUmNBwkxdvuDTKrkc49REn8evL2Oav0NmNDi7Mr3jVnOA0y/zeeoETY2Y05uYbajM7nnEcPJYG63VRZemapfoNNszP+eUiY5fsZYbleM2HwgCFiAkwLHSzXEqMfeXiOTafJV86nOkhkF7k3uez9eSUQROOogpE+hubiLIekMFwTQPNxxET2omoOIeuarc3f7EKL6fe6EAce1aU4us1X26u6t/VVe8t5jPUBLODs5qbbyyD4FRFcUEkdQwSObBr5Q/Qfn9fX18iKdwqLZXYfAOLi4Vnc7Gs5E6D8o17M0Q3fCRu51IIhD1CCllTmPAdOa4T1ed3Vzqlqx2FIob4DT6MsMnf+xztOQ6byqPUJPgrUixIvpH75+9+ygUYlJpEaklQ6mpIlGglx2+FuDdDxXI59DBBiuX7fNU3YM07ggJRFfCR7dDHBoK/hvwpgcCGngcPZqOvcZc9rlCuxVzNXQvSi7gWWt5KOv9vfIjLG/n04mNlGDJ9GnDq+U22zJ2TAQLg7CDpFbEzGrqtDrG2YbJYXTddtY/ZUxBV/Jq1eQ6tg8iRiWaFW5DGoGopMFDcjzosi+RimXEHEel+5e1NocMsWFpyhOMBGlrPiKGgDaoQ4/qzaIpSbFqlkmL3sOp3O264NuQE6d8a3zZK5GxVqcuthhI73hZhavBaktDooGdb43eg+q4YInyfH4lzHoTTqvavGlgVfPvtVbLcMYp06xIKHUI5ocwXjINit9VLxsyHJFZLlZN6vghEexaFBtdwHEWYTildXbz/4Zf2q1IBFE3rZgsuEjF+XffdZdwMvjKGQNIN/lr92okaO65GX8BS1bXYb+lxuAoNb+KtWaqM/E54qtnSnPOwB+1E1a3Ezjv/lEMS4T3i/CqHyOUTvoVZBxC58iiUe57xALMQBq2s2NvKP+6gnwvCFOw9ioOOLeh97907MI0+2koNloWFiS+cvQ8UlFl3Xm+f/1iJNCRkVWMbQG3QuHEUTJCZUtI2O+mDbbaUEqbfbIGBHI6xbR/CNFgHQEHL5ldvWL/SiYsYk4ZKVhxuxVmsNgk67DReKhGVYC/oFc8UiiVvyRfFXDdszYXxQSb5dI9nl4Kw5jG0UfCJ/fEJxjr+4pTqle+CD7oIPvo9+9Z3wDXs9uMBm+VqvBnRXvcBwqQHpi+pKq2HdAlPcHtYXWCOR/tCHIq/2dfUABTPYXndNLUKDEbVOOaWap+OMezF3q2rqeDI1fxonMa8x0UzMIGG9miL/cafAwNtvNzIgwudlehazZd/Ao8vkHBaJz0zPzRe952Yt0+NMfATLU22qvZixCRONePn9do29RlHTG04Fm1aFT+vRfpl+k9tiSbA87ZYwnkrXBI0V0z4Lh+v4btPFgHSoKGMYvwytbSUzrz3KpDNaCfdd2Atz4oKrSrTtLoZx2ACnxFVozQAEfCPKRBYIbadC7KoIAdF2ktgmVgMC0NTxiHRX3QuR5ypU7c2uboKIqB0qVUom90HRgdlcpwLqB8RGlkCaLTdBLzYCLDWSXkhG6PrIxhQJHOJtqvuYvqt42248ZmOborXKRf9XX2QYQJYFb8R+suMnmrU0dmSdmRBYdnaGLzZuKy1O2SDy67hbppoV1U1V9+iMFvmH738nToCEUA4LjtlGu6SFIe3Sl1sjuFDLTHrEA7FkPViMmsJMZcKYf+f2MtabIGGhILn2bPgfP6FvcRllHU+rkFQsgh/ZAD1TqBmfQPXzBeA1ksGCZerRT9HYVQ0S5az7xr1NS9591hMTPACPw3kSEfzrEO0crB4QLxzPT4M0506ExjZxgSXeO5MRlEkcTYpwOM3/QWMVdJ2dWce5kDyNG9B2w7vDFjUQFKwv6g2DARxqKfDj4dhkLpxVaed4tJBYTk8GsXB+MIiMfhaTU1ADj5HT7K45HK3Y9IVj3iJlhVhLVRxzE+t0uv6/sQ3XhPay3z06sfViRgVcmZhtV9FuqOlijegBkKOlNuKWfuErQj6aKFUsNZNH/7mxPBfc477mlU43Bd4KxZBY1Yw5ly4V+J0tVdz4Yy24MH8112aq5xd12J2wFw/9wx/vfF3SAwHjB3vrIxnsdsJJu+Hb0MO5toF4wQSxr/HMrGzlj7NyEqJhWcj6n48jBe3xRvn7tDkaGKGtnWYnZo/39pUg3Ip4rcL0jWSaYA0nLox6ztaTnqSG64OCPAt5uAx4dKueh1lMYVhWCoYLfFQqa2twgGif4jEBqORKYCnHssE07pMqDlQLpeBUGpYpXGG+CPuk+cdiLOXWzU8nGeNICOCPWYUdd/ragIMRvXVmROApQR0/RKZ+YpRpI/HRqdeWSQ8PYb1Cv4ssFY74DYfv+zdu5HbldyrrFtwGSdqBRS+Zur4Gz+0FkNqKFN/BXxhAs3jY7PxtV4NmxuhKB1TSSr51XYu/tc71GEaE8A3d2Mch+t2fkqDOPXbJHpvpygRvvfKKroP3mlJWIhwUAtbxs04RKb5o5vz+elvZS4BCeEPoAxyTjdaW28dXWO3Blr4PDgPboL/gXHzdiqqnL8SKonMs+urLb4FErHTVkoNN0bukgnzwDKuwYMiv1/taIrU2G4SGyFXi5SLdKirDxHqUsByKfG2BLwYkuVB0yNSeSvp7qrtkR33zwbL0gQsvwgX6LN/qW3XGRqm+Z5lpNBCPT9kzKQeiAZGX68TYPJWJvfHQi7+H6ygRs7o6ebbsdfJjHb/FF/3YCmWtZOOyH8R0imf8RWHaUd2FZvvOLT6hXYOT1BKzbiBZPnbghw9TMbz9ZwXmzFE8tX3I0hYtR7od+0I/iJQYdwR2XU3hFxhoxqouh5Vc6roNsXmi8/+ug+2ZMRs6XtB11r13G5qE37dbdDyr21QAWop+I8BhNi4wRpQ9NcFnBpm054STRDYXj+cTqT+wI+WrjCxIzObnbc8T6bk6VXrcJPyUXju/lpOtv6NPO5W5+cshjP3koZgvk26bA5gT09Pdv/eb5LR+we6XIvkBRjGSx3vZlKdlcgIAIRm4EeSee4CZv3VBnlWsbgukLDbmdEYoZh43u5X6Av0wL6eF3XwXCJNEIutTrXL94Ld4DHYcp634/jFlyuk0k3jvRBn714R9yiIlKM80rE/b/cbcq0jA7tE5k2R6fNXHxwB8PPflWuoUq5yXOBcTzwLf+l9BfwlHrwqKlWdwzSmrNAEvsvtD/cv3XPumRBv8QdQIcAwXpk+lxExsZdlLab1VzwPulNh6B/lYdWFAxbUfahUWxk+n3fWQz/ynIOA2PETjJ2pZFfl88JCHbb9bY3NmNRjffnJW3AsekssM6f4lMDBm+DV1sG+r19fL2IjQkGEoYV7JXme3XtCXGDsRyVZBhBLvdZTjoFdNdEKoV/b4IDEb2WQ07wZwvHDU6s21tK9jeNuIh0GeRzrIvY94QvgHBQDK1JgoAAA=",
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
            at: "/console/orders.js", .script, tag: "\"39b4474852e7b79efe474bc055c652a7\"",
            packed: "H4sIAAAAAAACA21W13rbPBK991OcP42kl6bv5fal9947YXJoIaYALwBF0Tp698UAAiXrlyvK1DNnBtrfx0vTkrEjiMZZuLFwEIagFcHQf6dkHUg04wq3cTp1Tis46nuLGUtKB0uqtSWEaqNyIxROCY2+kNRWO3JyoY3DpVe289Ifq06aye3GlaCeJqT8opN9X2Ks+7bEhdGn/vyuMC0W6IyeIKv2Wz2pftnsYGVO2HOvIuw7fU6qxER445bMbzJravFgQ/OiFw2tCznhKMrs7O/u4uN4DqEg2olU0jojnDaZhQ4wBWyUdjiTv0lFG2MydAA17fuRh4DmLFOhnhnpyNajiFS4aDWkhfUGPTTY3d+hPxwUo2Kdl5u/8JaPkEdVv+pEb6nA0THyEHZeVHqmKp93nv00Oivw9+8gfusWlglL+4ZE+1L18wInjE2eBZmsqLwTjOJRyDAeFcvc33IxUX+dkBtrroZw4xK/RT+l73XJScQNhMWTty9fbCYR6cApbDXBmXDl8i2XODo6wlS11ElFLU5W6x1gxATS7XwUvVpnpDqT3TwPqgUWxVA85q+PZTJhRgZyYsYV8sFL6x2eEdMGAo6Z868E4vEjDx8ZziOCn4iWM54Z9h7h2u2pT8HI/wkntRrhDglDBjcevLn/9tH9dz/fvXx6/8W1DCNkWQruNhz9cYwdd9fMMwq6g4AdU99vgZKPOQbWCnHU2Y1L3lSGAh1u931+LbtW4lr27VuWXSsWWb309W5MsGLClVrhcYCaUawhbaglgxlDGKoqHV8yW9xVdLqpajjVZGt7hctQJhxtr1OByx3AkJsahbqZmh57n3DjMlpa+ORW4OeF30djG8TIGNUae3u/rFZeO+CUs2ixqBfDQa+bUJvKV+lMKvwnBFosPEKLiNE9Tcs5JnBOc2amRadN6d31ZLf3/AEEOiH7qSFGSqSJhYZHlvR5Kd1SvQ6dsHPVrAAUztHkwuUsVzINzktsdjzjNEwFfxxnQx7FPJ8QhmY0wZe++dM8zbOLrMQlml5YO0I2E0ZlWASxIqjKDjlvUiUGcPnSmXnwjnQrZkK6EGYetBfwuDZj5MvEY7DrAa0P8SQVPWOry8WyIDvYHV4ZrgOEiiXwvF2+RUxd7p7SX2AizinsuMNVpK73TdbyeK2Xb02awNJygallL6fkzRNyYVGvnqS6KFE7b6rGGbnYIkLZGRl/Lth3miUrClgneMTk1FvyZq1sCdIVJXtJTwCsmKenNU5/b0Z6CF1IQOlUfkPd1BI3YbWzpfUiGHcCPnkvTqkv0xsdCh4TKcEplBAu0apEVVXCOSM9tmSxwBEuF+skm4iWVtPOzS9Id8l06L8sxZDhJF146VFaFweDLaXZ1oqNsZ6Bkmx4hOFkM6wSIalgiz8NRDbFqDY6oMRtY8S8kjb8z1MYOBnmUzpKIzjFJxqfUuzJaDrgELtiCSF30z+R9yt2pMsi9Q2bTEa14pxZJYLJrZKM/uMvt+lEag1q/FblLBpluIgnVR6FYuPxH4akEm17348i90xaR4pMnjW9bM6zhBV/1roCXi4cTobBw8wQzUAPRshv86LgJh1alPWHUXkbdiZ914+ufu6DtENr5tK+VEW99c1w+uysp8RZFlxj7ooCV96HdbKzBk9+5t/I/+u6bDCQ/xMcM7+M7plfMVQvkQkjxV4zpsb3fTbC2/AexUDTbYjJ38XYNilZMAL/B1sftpUlCwAA",
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
            at: "/console/outbox.js", .script, tag: "\"b964ac19d886fd4490d7222f8845765f\"",
            packed: "H4sIAAAAAAACA3RW15LbOgx991fgVu1mFHvymN577z0xLUIWE4n0kNA6mo3//QKkpNWWm6ICAuegy4sFPG9p5X5dgm2lCBxV6ANU6gChQwJyUKPyNgdlda9SgiGwiDqAgg2rOzufmWbjPMEhGP28hB2U3jWQzeeLH3L8I2SXj1QabFbo3+AvClNNj7ot0J9QLpwtjW9uFpTz86a7GdKdzVmCNTZo+aE0dZ2uz3Cbw6ZWxvLNuxVr3FZejy9PjP2Zg0fRPaJfaNecYGYFQn/PYM3GJtxtNtR9ROYKfP7EBHkiRW0QVyZINR+dgFJEyObiedMoy3jOa/S3WiJnGQatngDEs3ACIgofYxcmihtF1UmmwMG5VUB/gDlsFRUV3yqUuk4s47k/actmtmCzlbIWPXtbu4LhCqdRrq2VCHzbrLgG2hV8RUnKa1LECqUqKPDN+ZXRGjmutTmIN++4JBUqbeyaU6lTCWrXC6wjU+BNj4pd35BxVtVcLrXGB2wjxWy9SDw2yrMhwyWEoLocyDTIV48SL2dpGmXltidi1EjK1A9U4LSgJUPdW8/QayeEXjVI6BnHUPVieA1TRAn1BOQTjvKN4taa6JG8J71Z4WwgkK6Aq5AtDi4svrs4c3yYzn4aqwMfWtzCU7XZ+/w5C2glOVkO2VZ5m33N4XOmnUWRrJ3TSeLxBxaEWqQr1Qs1qiPB1/2BJWAhuRWizzNgvTjDovhMHqBzLb/8GUO8ejWhgPMwCEauP9nEtjLD0dhRxZ6CHUDm7EXE3ypDEf+t1ehhq7op/iZFOKUYo44MPFU349zwLT/NZwK0A+5IyfYpGXflYUonuTvO1cruQt0HdP40Q6UCREBZhZHi65BLtOSlcziXe0bvw9VrR920lw31lV4f018ri89LMeD+jRbLvw/5cb5G2suo22C2v1tMRAmQhcsJK0uOg6Rp2oujJsIceqw8ruK9U3D7o0f9Qkx4h3HMh5UGuwj+uVeJFOn8ELi3jdXIn4zzF1hvNPn3X1jC34fpbbccc1Uo+wo5XVOvxyYd2+Dr3NiibjWGY7EIGmbi80y+VXEzwnn+M8yVH6CN7pFfPH/9hpE5u0OV+IxTGzXZLUY6dw7ey7fMBFmYqGGFpfMIyqbKykH0AtpN+jJKkF2YfAapQllIjlAerTTLHM4tZmVr45hBqTxusa5TzIczgOTw5xiSbDr0SjS/ykCeEXMOU+Gonu1zCANYjSWx+XgIV6/yjhG/DjCD65C9qbBvmxQBpDMNFXrWuHSGhgpgJDVJ5YiL8JdwRe8ST5qp37+nsslYCf9DOhqjy+Bs3XG6jLhROK/7HxNrh2GeMRHApSnWuHEYaflmTHhE9Fi2TMPmc246ycPuNH5CXjJywl6OmpPysbZ1BOTq3p95ao5CNQi1IvTyTYsWQTVjstgs8KPI7ZzbfnR73GISPzyMqXSWcYOsKubaXprSNyyLv7cMgarrkWceq5PJ9APrUuutDJ+hGjmQ+4Yt2o1oc/hj/XccAb+f3gY7WLD8fzbC7voyj+XNQRXErD16BrvLs12alzR6konopYxvnBWDQTjVsE36NeIsgioJU94cX3wcDxU6W8B/rVvdbhvXEX6VtWNgzzartYymF6XjCkaiNi0Cu4gL5IIlKopcSQvLpMol5ajqArnqA/SuL9AHy5N0vvnO8MxySStqm8AQeX7nzJmfb+YMTUlk5lcyPMQ52AJevZl7hSEOE8k767kmqKJtWskC0vHs/g/v3r6pWqFqcdlc3Om6aj9trWau7k81CEcJ1zUsM1yzWDPZu/lbLR9/dXz8Mn5+xW8kyJa5zwBrs06GTuHlYEVC/rtT2J0+dgjw++UWTaoI8mOnB6DX+Y3IpRDRnUUmjJyDvQAAbX3LdfOhWY9AVtbBMoKuSLii7UacZltd14vL9RV75djVzaa9ClVVuSEfBGsEQHaae/lgy5ElfrnpOhy9KE4qUoFRnfxrLrKgFFPyvz799vRPpzlcwRMyJsH3MBTeoSBBeHFpW4lUhhEAihW3U4lYz66mi0sItkyiygPTCo786cd/tdRRrAiTJrcDKZS/q1qNmqp/s4oa2Gq7mYDqbFcJCH2lJe0PvkedBCcgRJfLBS7geCtZ0dpP13DEE1CJ+fGkoTCBgrQHOaPuEaZrHsi+py1FjOPdkLEwMvtYf5KN7XOZeQc4yUZ0lvhSVDOEBiFEBdLrJ0G81CfjL46/KLMvjn/tHLNpG118UQgbxZiYEpK6TDnx+ecvM/HX04Vqvhrs87qGU2xF9HVgV1CIIgswS4g3Tuj3w7zIPta8M8rPdHGXfRAHXp2pzSzUasn+8BlQQIcYIJLXmw8Kg8N5LUAv4gYh5D5biNqOzAOXogbn9bV8fxe/N+1vm8vNSoZcTK/b2kSUlraZ76I6rkNYx60UDEDNEZrIxL9oNOO4byZvpfrnJpG70Q+MEejsw0nZifick7xkSAEi9o3isAW8d1FyM6gsg2mQ/UE0M1esV7dQhXMEgvDDnSwSqYIOkfv5NiQLKbwKuYFgblDYX8KXTpZyHHfwJnH97bZtZzAdlxt5yoaDF0TsvY/rY80U7IHPBU76HGcz1K3XMNkhJUb2rSPmtTV5ctarTd2f2g9w3Pw30i7j9x3HDgC7DPL5CQZAY6GLZlHPgToAHRAXB/WHEti2NecUxQ4R3oE6Gv7I5txLuG5oom0T8+IxRKWQ42HKZqtahHXeY833q0YYtjjMGUsfBFhS0AIuyGeubtj/a+9zzu9UPAAeAeUZFVDEzX7RxdQfDCoC9ymamYmfbLNvZXqr+vuZ6sMr5l3CA0igH2k/dZ4eElhS7CzwHQIDBwOihzIpoxP/jHqdsgrSGnGQDJutlyulqJZMj/kiuNFKz1BN5/PTWyHh2zgkmMMts+CdBecM9hoL0HCriemeVKv6tsZ1F8Qdzdytk0wfHMornyIMbh0IY0goxVtEqrjKqeRAmnkvejKmFZOJzezSIsYGcMh5JnBLpAVOJKGUO4rI1VJuSiEMCH7pBB2+f+FF6b0A/oVKS2Zi5QJhZ/VJNSnVmDB/GoPjpwiUn4KGpz5ONl10Zt1fh/YlttDqjwEDgH8d77hl9uU+jskk4MNROqHyhqJ0vcR1ZvdecGLjy6yDDzagb8mnMIZ2l0SCZSac2cL+BbMukzJyCTEEZc4HA8S5zlXdTBfqqaCK0J0PG6bD6LnEGWPD7oiQ5SzeLdc6X87v/Frz5jZ33QAUvvsc2VpuBgUdZanlShOe1L/B1lgHwF76QWYzez/yOkQ9zj5nnKEt5/Wl+KTN6rqIrlL97juxcEoURK71lGq2kdqXspHI6EzVHI6M3SQMVIGc5Q1INj28XO533tA2jF7VC7U/89X0Ywkqpe2GZ4krMOd5sZxtWjTZIGTLZRBy1TDbr4VTHG9pdBy0zHb6/T0tlvP+nVOWHEA5i01Hkedyz9uEc4iHz7Oc8V1R6s2XkWCsXipfC8Py7XKzmilDN9fX1shreqXsI+SuFzHL8UIiMTXENlZOpBpi4h9vFB7fbO1Gk4doeelMwKYFnk+paPImp8vglWeRvBNTNd/4c30P9gHaDs/u8bErNBiVb6KRXQEUnVRzNCBHmwk2qbxkztANOcqGHsVQtooUx8Yraev1VwTpIYJ1Q+plegcJB6gqekuRGySBHbodudb5O2I7r8c5I8QJnA4v5qNqRhxUfRn0JMRh6+V6ep0pVGrjlinNn1ZzCaMLUTuVpPRxpNPRgr/4nl6g7Djo3SzUv2AAAX1KB8BbCh8Xwm3ILXbndlgRaTvXhKnYPz1oxU1KHgPLc+mkNXZ2W/uJrc2B9hgXqGxiDjGqk3Buv3RTnpDwMogRjD7PofH2fcn4bSFs77lvp9OWTJa1mGyzgraN4+aJvU4FHH2HT4iV+BYVDh/FPSMgVL0R71RrGiLqINJ75vO2Mmsez8TTJf5otcH2aLhKHkZwjlks+uI4gy3ihsvkp706stHrim/q4OKd/0aqJkioNKMzNiMHU4XGSj57e71uYIrcw15w5hyhRrvrd12wqf259wB8Zhy66mGK0L3ZBt64edH0CNOap8Tn4Dyxz9vcR6eKDATs37otfHeDVDGHwCwUmjNp2m9kX8Au+D/oA/erYhjvQS2nRjxLyb/vYLziopLeXtXtFTpBvWcGt/HAHrkWkPTTP/6ZrYdoFalnqLHKUGvrPABGL5YbdPoT+EREPGu7k2Bo5nlRcm4vY8EmQkcjgGyVLaLzjvlI0TAQY634bpAwuopPQANZsZld1x4Rws3E5EV6VA75WwIcvk6HooyiU9hzdHzbLimuJYmNGVNuy5wpPnqK/qcIcHp5uaovpU3IVl9K+jY3u5G6edfHxGqkD8k23DlETzthpoOdGa0wb/KyzhHbW9RhkReB2xqxLQOLouK5wKD39R35o1B5eYEGWlAm53MGgRxpuEG9FqelG73p3SVKDLbgXtl2tLxAdDSfrqdHypoRNy9p3lES4PKriv86ZZugxvhGHstFgsxj2ie3ya5KI+R8xGRmjM8Y0U0xIRufMvQ88Q2STxmlwsgCx/i4aoR0ixNEWpvpkeY2cqFmuz6TnrIQXGE8qmZuj+Lm0hBtbFfsJdUl2H/68d8P0mvZ48dSbNvs0my3NYcUrtJ9wVIcbW72HSO6wG6LwZv2O2TnDYUznQxp4vPfNCbvX2qvLsRIW6bHcpeQcwgEJsgcpwpucelwsNCIeAAYGhgD7DsEAaBGNBrIe9xB1ul6KeGG4j0OvG5uiS48ktSuYxC266FohZyD6oEyo7EPxmDUiMZiN3LTxo4EvWInaEklPoHjSC3zbsQ5w2tBkVSGS4jPqxpqr5dix+2dVYbSSvGd8w2HYA1fd9YbmL2mOOoTm/jJlXjaV+dL+XyzWbfp8R7bVqbDWqjkRWH/Ib5ZfpRN+VyFvGIGoOfTHiagw7DORMOA3e30egPJ+jTMHdwn7tDdJf5UO4mAlJDiaPJBvmnQLR4Lh8F3puOYqZqq72dxgonvVMi/BY28bYqpHHO+x7lVMmUt5rENc9kFRrni9FOaaOaV3BJ7Bd1HT2nC+HjicOHVsoXgDpyWR2OvIu2GXH1pAgeROl4vbEN24rJzo8wBLz+8j1bQPUhgYzEkz/y00mcq6TEnfZQD5iNcFfLenqOcoUKN2Gl8BoxNdfxqTKm4x3uZl7zqWL5OlDXygdFWRj/KPphrNc1Zx2G9xviqSd4aD90+ujpOFQrMBz9MvH0BArhkUQhfcw1JUd+wFPJckv+NBxfJf56jKSbxTQ96BLEtJo+K5L1nfiLKPsWT9WeyJhQeHuiqe3b//M8n1S/+/ux5Vf9Qz1R3hKGwbJSvUCCIHNOh5tuKzKDfQxyDKUWhxXSX9HFu5L73VT9P/meS1Z3jbnAO4U7/ILYEbK4VuAZ/USa2fi9h7neykNtp5XayQ/pteIP9pDOIQcY5cegk5ojTg7AMAWVWzMWMshW2Gn7kHnybTm/NpaKHwtbrErFf1+Lqa0exsfv/RvOQRA+FBjUKvaItXAXPcuhJfXg0O5ycYQ6X6VN+JAotVcN0icKsqFv0RS93R4oA61D5a+v49CFH2CyvsiSIf20LEMsuUrmTGvD+CA4Q7ggvOWqWSoaCpYLnSYF+yxi4JTt7en+7qMkrvr2nTAKzzKFf4/PXTS0jLWzyPC5+dl7BCuviY3WZ0ZMLxeqRWxWpli8rlnrMcSb81S3xgWNzyye2+YQWFhAWMrM/bWHxGHaoFP6+0TRxjFgM1EKJelllFh56kDsoiNmpO+M8fe5c2DSPSVD5Vje36VK9hySfLe2gFFPUhg7vkzLxAIsLBpUy2gRxh14vlBZb8vasCD0opaWWJxqIzNrN7IpCxSq6Zi0Ckyo1kRxGW6rbFXONETjC5RIvx1VemLQOzk4aTR39g5c/AEazhZc58P8elywoBMMSDD/K0pY7A2Nr7m7pCaUlXQ2//9x0w7B+DsBdGoZ1yNpJgXPdribZFa996frZgprlww/WL4Y1bVQff6YHkxoUMRNEzvIgUxLwx7Df/C1DYBV9mUpZSq1Nhf1Pr/0+cTbUvDLlBTKXcVIbcCVCPMr2PaA5yuCws86yDf12ePLR9s0Yyi/0XMo4yLQJOHE9ZLgnxE59mO6A2PkSIHz3NT/9pA5Utuw7djDOJxTSmxdFR1bSwSwgpjrKUc3l78kc+DRGbhkCCHkjefS7xyQ1mNCgDBzyy4f2twxEPsxROAJKQwSjnSLubodzZv3405cwHruSJbvmAzXcBJdWt/T4MqSJsWicf6+QGCp4NdVIV1Pyc2YguK6v+/UjtmTMb5bNYu2Xqa3NLePIc/2Fp0UskF9lGwO3XAc/00mE+N4ye0FiXPkUc3Z+16l1+l19xZTt3K+u4uaoBfKr7Y7h/qnGaDyYkGqScDFnKE2EOTk4pjubeDLNEA7MJTYWjbptWopOuipr45Dfz4XWpVA3uzuS2Cpndpoib9uk2i1zLDj7OFVeDd7LKtotHSZGyFbt9xYT+c/k32oxNPluD+wo40L2nPn7/c/1pnUzeaLLB4/0QtK+0jF7bOPSIwoRd/slKBpiCUMjoDDkr8Wg+h8P4EcDnsm0xHlBl9C0KZkYU0mFW6lZW+W/XwLJq0/8YmPws4zXSo2QqfEFdlwwEeYpqG+AuGaa0qF9S9CGQIYegKf1sJMMJu7kjwENUBk83B/Ujz79kkJJSPlc+rgjJa3/vMJfCTovmN5b1D2otyoIF+3F5TByj/7Ayse5lP6coTvrpR0ejH73RbFoeEwc++jwdZs30yt4J5O0+i4f66MFePkq+qVJXpxUWiL0XyVBvA8sDyY50PuI3AYDXdH93dh2xAhVCbCgFnLezPfHlow92LqD9k4ORpL1D/oryxh+3DA/qO5L9+VH25npPv9WbZgsjmM8+R8BVMZg9TwAAA==",
            text: ##"""
// Outbox: what others have yet to learn, and what of it needs a person.
import { idOf } from '../json.js';
import { memberTexts } from '../reducer.js';
import { confirmAct, copyAs, copyText, element, fill, fillNew, plain, problemCard, problemLink, refill } from './dom.js';
import { filterField, isEmptyYet, sortList, statusText } from './list.js';
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
    more.hidden = !(source.total > rows);
    const kind = source.state === 'failed' ? 'failed' : rows ? 'rows' : isEmptyYet(source) ? 'unknown' : 'none';
    size.textContent = kind === 'rows' || kind === 'none' ? statusText(source, rows) : '';
    table.node.hidden = kind !== 'rows';
    fillNew(body, `${kind} ${parameter(url, 'filter') ?? ''}`, () => (kind === 'failed' ? [forbidden(source.problem), problemCard(source.problem, () => begin(url))]
      : kind === 'unknown' ? loading() : kind === 'none' && remark(parameter(url, 'filter') ? 'Nothing here passes the filter.' : nothing)));
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
            at: "/console/running.js", .script, tag: "\"38353d13a35eeedebfd78cf49c653a79\"",
            packed: "H4sIAAAAAAACA3VY55LjuBH+v0/RjiCveBrnoK3xXM4536lUFkaEJNxQgAyAq1PNscpP4wfzk7gDCVLc8YVdsdG5P3Q3eXMDnzoD/mSCTta7JRz8GWyKEJNOBmyE5Ju6Au1qOB90wjPYagf3KBRqE0y9eGaPJx8SPIJpzNG4VMHONk1FWt1bVjd+X8Gp0dZBB7vgj6AWN7U/Ln6M6vkorFMyxxMKR+PQYPL7fWMmEmwuzoXiw4QlmvDChDnLfWSftr42FdStBFrB3r4w+NexTaYm//AAfQ7+/JF1D+iFvqAT9mjkzzd0qOCMPkzNYa5mxmqTtG3e0/FQAVq16fJ1aKYilFWReWZ+YqGtdzHBSacD3EJhKdfbhD+VKuH2H7D59WNWVKh/5kpFVYGty+7Xj8T+29/C5oZ/dptu8/yZKH2wro6oypkzfKxPxWqlYrvdmkjCau99rdYVrNROWwzfEPFe97TG69q6PdHOOjghHlqhZK6TbuNLXKF1jojZxrocPIpH3TQU52KxSOanRCEOsCkUn6KYawk+CvAnM2GyEKjfCvwi1YjKE+FV/Cfncde6LSWGkdvGT3cF8pXw+Az6FAsdbqXydIo2bPyoD7SEO8hRw/KKS0QVOgJgd1AMqm5v2dcSgkltcD3WCuYTo84nQzZXE5GcbyobGljsDQb/Qjet+fpUa8Tj6wnd+QWxknrmk3N4MKekqlEKK45+qnJQ3EQj7PFs0/ZgavC73VQA3drZPVqvnxBCb2HCsKY4JDTGfh93JcBifULB3N2RtCMMccgLbAHJhOIN7xujXbk4Iv4KOqKSCw7kscRsdVjgV16Brw4GOEwVQe+NdJ2ERLqBoHeoEJuQ3R6oC1nuUY1ZwCs3cwyQ9MsAWOlUicyaKjIt8Dz51bz8jSHyegCATi8Xn1J80PGJSt5JlykwQxIf0pb/ByxzfDoUsKyKFU0Jc5Ta+CU5ynziM3GQj5M6rvgge4+slNyCUqP0XjzrG16R81XNmUopM4FmvL0n7bD8j7BtdIxL6QiQ9F5BJ+yUv+7lC7vX6YlqHUxTz5JBpDcu4zWk5/IKoMwC9xfIHUkaP7NKx6mAf8fGJ8G/ro82Mf4FlVQlbGEEMD7i1Gebv8hl1m3yR53sVpVPNgAhTQOYisBd7zFNydwqKftCjoc25SDoiswGhm/T1h8xb9RN5YGvVn7IJc6W/vvv/8DYm+W6ls9gMImTphdd/W69SP7r08mEN3U0RdlBPus20+vfE8f7T5maedromL5oHfmJ1slH/oFurcgu/V70eiaqM3mmvuqrNAxy5hsePo54TrEJYPksJh34IpblGpb5Jj7pK/2Zgm8aE6JkFk2xx/i3tLBHdrHq96OOD1dD/uiIckWHs0wRaRaIAkWTkVvf6+A01szvQLtxHQMdQUODC0nuctnVzET7iqwO5MywwRTjKlKo+dbAf8xjl4khYdMaYuOnrgK680cfBFuylFGkFuM86gvhaTOwFjKMJCXqs6+/UhXvNawtTyrqEPIbujU9kIVkYloOQwvFcD0go9D1s/9TWv5k4Eu+EFDxKlXPIR104gRSjSV9mHjmkg1qAa+7eCY96WCuk2wT0ejOc6J1vLhtblAUJMcglT9rm+K0U937+gK3fCodZbCvEOOa2GlPfceHt9kNKlTuy9JUSAOLtq42O+vM2NYyZRwTSQcMDG5zcsUl6vro6R093P6eWj89qkkvEmeyudweaOMusGKffkklE/Vr8hHdLq7JVDAW7/q5nZM0D3GSIOq7cDtOCnrWwWiaFoTXuIS/VHlsUL9WBJhg9auNvjeNQqooplp98OWnn6gMGSmtgm4a5/jmgfcVzxuzhA31IAbupuIQlrCK+lKo10e8nINNhuBhY48ZGHZOc/TJLAi+5D0CV3PYEbWsFKpGjwpCPh8veMpjDKdgjzpcZC9+U7stBrNeQ5d3Htlqt8PdJ6gJkM86cllNDTsfGJWSTKyVocGIkf0Y6Y3tceiwNOpal5ac0gpMCD5AB931kn2irOfskTKez4qWL7J+0FFs4HE1jpmiN3I3NGVqZbz/VJj3DVhKbm7KmXnszMT/u5KSP9c0W4pxLlDB+3fGgsNARdzOSElPIJjQo1Lc1ynmEdM//5wJ4w2iC7Kge7Gp0Fd54yskVwr/UmW32Az9mLLxYC6RquKdmfaZjdyEosSgI4PD1rypSnvwgV14ai2l/H6ISgvRwEuR3ZrJVSGbVFuGPWOMike1HilLARoL5dV2aE+02Q7+UXZWvLJKl0E3f3HdY/p37kL86BFMNnK7k8Wnu75eYjksydtCBQF/liAVSJuoqJj/i5FfNnuCN4GbWi9BDrVI482ikziBPypkT2dwDh6veH5PYzx/IZvOCCSeewpwC1IS1Zg+zXMBbqVBzvp9Cq0R/rkTIkabI1+YQp4H5V0ft5W4J5u7pIuCm7Xe3NCnzOVaMthd9YxrVA7fZOhjDeJ71aMlmH+1JqaKCh3sfZtMXG/wqYmeE7/1J2vik1CVzy05DVOMnnxMVyCdrgiD6XlMAua1cK6nLySUJBr44/w86b2J3AjIVKE+oflBRFQnhzcOSdNGxs+UchCRz5ALE4JBToROwbywvo1TwUybCL/eNMASo6humqkUPULHjWe1ljKLqPR4ktvKryyUKRND708hMa15lppSSXJq6wsTTSI4U/+i36NYJsjrfDguYTII6UhG4d2G5xkJvJ8iyNiSDktXVAZKBB0M4WXvUzLuuXwIpM4doem/Etq98/QxUPUtSpxDj7PPK/UOaugdxqe33v7o7a/eHgFC2MjekzEUH5eCWru9CU/HI3qfDCh/xczeL+SD546aTv7WIXfIRiLyPujMOYcifkssXGt+i/0fUMO+vjoVAAA=",
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
  return openDialog({ title: `Run ${id}`, body: [say('A mutation writes this entity at its remote.'), text], actions: [['Run', () => text.value, 'primary'], ['Cancel']] });
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
    post('Reset…', 'reset', { test: 'reset', confirm: { title: `Reset ${id}?`, text: 'Its value, error and counts are forgotten; what comes late is ignored.', act: 'Reset' } }),
    ['Forget…', ['DELETE', path(id)], { test: 'forget', class: 'danger', confirm: { title: `Forget ${id}?`, text: 'Its state is forgotten. One of the configuration is then as new.', act: 'Forget' } }],
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
            at: "/console/server.js", .script, tag: "\"4a04f3fcf75850c8091395417db5153f\"",
            packed: "H4sIAAAAAAACA4xX53rrOA79n6dAMsVSVpFTtjpfNtN7733MSJDFCUVqSTq++Xz97guQYizbU26PKJSDQzRNp/BVi+DQPqAF04BvpYNeLHAGFv+3ROddQYcIRiMo+YBQGa2x8tLoAlatAZIX7l7qRQFC13SEJG5Benp0K7SsL+7RwcpKj+6IXLIcqTkvlQrGneiwPJJdb6yHdXIBG2is6WBSltPGoiPL5W9ucr0VbCwpkoN7xJ7/7X0RQBYE9ytzjwTR4u9YY5k9U72wDj9ToiLlPv7nH3v82qqt4tR54QfFIzLrPGgCADcwGfCd8alRSAIKPXjGQK8dOkeEfemNJWrLBfr3PXbZk1aQm+RwewtLXWMjNdbkYnp6Gq6nX94pWUGlJGpPrEvfbi9q4qKbEk6nR/gshMO+ozQ574j9N8NDlpPRZqnD7e2cw/oIwKJfWp3Yz5SpBAuWxsqFJCrX0VERguassMZ7hTO4OD+HDdneBMhHcArftsLzFd9rs9Ixr1KWlfD2A/l0M5hXrdALnBcwF1WFzs0hE9qE9KmEUmhn8CBx5UBYJHSiBqFxlRfsYY69qVrSYMu18CIIJfUFarQB/cTl5RFTUynhHHwZMx2fedS1i1C+EpZuJFBA8CP2+fThYvprhDXtcA5OPDoCyjlBOAVhgo9Ffw16qRQnPTmXIWRCEMMOFwIQ8oOlrulBSX3v+BlXrM4XAkCAODtGYuni0xvPkFbCkTEPjbTOFzs+U9h3j0Ceo+Ok/AY2xo4xOB+f1xDSeQYTpvZxUjDFzmg6mMCGJWMBY/26T+pjinw7dARqE1ai22kfzFc8GHeM2ZguRoyRMY0DZucJQzfyJt3rK/FIB41QDuPJF9gsHdbvGefHLzRi7ULVj08VSY3xc5bbx9EJHfHts1lRf6rVI1dDqoXjHxM5zFJliFPqdPzUGKXMih9+LqWu1LJGl3H4ZeC3DNzm17A5Gt3nytg6sdJLpWLLpIMVE0pNtI4XOrDBuFhsqE8A2UD0sUNCntCugwO6v5apsVFiUrBhPr0TNV/sviUm+NCEoNM/Vt0PFG5ubnYYSogBYp9cQ200UryK++kNjAz01iwsOsfdbz34gH08rHcL860HeHn9sfBt2ShjbMYd6DS4gCnL5ht4ZQ6zMaRtMCth9VM0m92Ytkl0SImTCw1S7xs6ZDRl0qEJTqYzo9VfURuzdp/ElZCctyHuTjzLzov4c4VSZVnUTOlNZJ7ncAZv8cTSZpXlOUy5U5/n+R9wzOYjyaliaagTz3y+ARf5TO9emNFU0pwgI114/hyOg8C2yxzy9XvODtnq8LY0PWp49VU4nv4SJpfiGnh+cfmvn8off6rLn//2/KcfZ7OLn37OX56WHt1ovrEkj7T80D9b/YMw90RHsTL3qW0k1YUx6ZpDR/BIZc3DhJeHOAdJuEYvpKJrj+Zq6XrhqzZMqYxnxptL500Xn1mbh3JUgk0eug1Zj0tAzJm02sWRE6cfT500qD/VmBa967SwwXzNRb10BbQURVzhaGIW8JszejMHY8Pw58EM83fiDvOZNXcKu3kJ34a+LoblRzrKK+2xZm/SD+si1tAYGwZzgivco64gbScslHXoW1MXQCS0BZieX7hYFKQNmUI/GEsNH66fDrxdYpRN5XPHcySuRfEKqVL2KiwyQGKCkp41yoGcP8CSKinlcLZfW/HFUBhQ8W1C1keuIrqUyem0jNyHgvn7+QXXSXpTmTp1WuHxTMlOErETTvtWxK7FZc5VEFmgnzKK+vgmxc3WYmjczN7XQ1hBYvLu219N8jxnKrzUS0yhKKS8T/BSgDEDErRt5XMGxsUVlXLpc2C0/zFUENCgIILi3N9J2KRxA9kgU7C2zuHmv7AOecFIeQaHHY2tygoneclSWbYOWQqbIB+O+LkcbLntsB5O8ryALBrfcAVRbaQVh2EKqUgorH+7eyxI71A1IYCUtXtU8f3y3e5dbb6XLkli//IvL/LB1+68H5L7z1TPr3KQ2ltTLyskLzCdBuhWLlof9+mwMTo6FRoYTFxaB5vHe0Y5CQ/d/OP86g/f/IvyqMXqnmfhY4gzxRJaX/xaSLyNCIH1VnK8f44G2XUCGcX2VpiRp73l8RACb+foX18IqfkxZe72jv3wHXMnqnvoyNYdUhakfTut2HGNW8iHgdWB5p3UGHviGCM730QDEcvowiKWKXzENs/oV/reXHEHwfqpn3uW3aLWonet8RG3AIfCVu3Epb4m3bjenqAltU+bjPt8xJf2tg69CCvbB19++kkZPpOj1PWTUBc/KOYvr1m49MYLxWmw/ZiFW57bM5gXJ+HtyWwsu5lv0qMlTMJHBZJNjyczzniyQGY2c/YcL5t9MhhSlF2Wl07JCnkvOrvIN8XJw5Mfiw+SmSZHjJbeUST+ZHZenPDzySykCJlOScB568Do6v+dWmeTo0wO/r6/gotAlZfLyVtTXM4537lcBzbsDjcYtgzezH9/9egB0fT0Gz/NuOmgltTSo1ATnI+eUrT6vWwBOc9lN0cue2O6JjhgcRG+9WIslPOek7sqUBSKEUK93UW3a7tlPn18U0EATooiKb7y1fcyeSpcKQiGlshrMO9lphI7QB6MvnIcE+3BOmY4CETSKW+q4e6r7+sOfuYff/3Nz3pJjnSAGk2VylE0sGrpxcqC7bOVPRziRYXkLF+bjrtIviNKiHdO0CmsxcBsPParruwiMAmvfu88+mg6Hnc8e17Co0Nbw2jX1bo51q5WQ3kttuFnArLrKiWUIAthF/C+OQVpq2ThapoSs23SHD9ZA+C3Imgv2p1fIXJc5Um04V7M7gyPzIJQpahH8IzwKrMu4YCkkHlPW0VhRYqPvCS0qwAHkTypRXM1pC4wjEOXi9MwFSXNTqH6hiM0j+KiL1NJGpjEFDGInDjIW98pC7Dg0xNEtvQM1stS8ll/ZScBynwHmGifOJEOmnBpKz/HGUaLdcyqWqBh7ewW8cgFnjF4569pPa2sKoXWv2+GEQmkxHQrqTFuRFCTuMjiX9M7wC5+m8WQO8htlafOm7XRRLhiQj0RIfLL31wuddXIKYKxX4osR/MYKztUxMaogF2x+X86/V/UMysHIEBOsLfjR1xG1n57odCzjaYQST4g9kNEj08e9hUGQfUMvqaErbYr6NNtDoJ4dkBMTjImuHWaEqNtv7rbBSULHY/DaMyFF55mpZ+kWhb0JU4IR4wLEjiUZ6/vyYBY851GAyHMMvhMzzL9x2mm/FuaKAUSZb7uZyWgetHOtBVIIlo2v6vVQC1G7mpGiPaK16iCuKI/gVjTwmV/1XHH7FLVYXcPK1fmp3dMP46BusjZVG5nP3wwh60eZyPNWvKL5THxZdyAN2OhYxNbyv6QZdnM9mP2vGlHOT2Zn9MsUNMjL31iBlFzu7/nfhTvnAByIKvlMfFP1tbdCykC5LYwz11fyTyrs9qSnrr88M1j7iaKvMmWhD1Q73cbqyC3hKVOkPbA9bYcGPpL/fH31zWpcyQ98nIJRKFf2tx3G0TMEZ7zSvzZLpyPplDU4edHTCJ/7F+b/bTBRPNCz4gIy9fU1OGxKlnuhGBRawvUoe1pVFCcY3qL81jH0sNcjdYQ4DfqsF8L+TkjAVSWyBYRB+tM1a22EK8DLmv7/iEC+PACGSBDfcRzXnTgI/nJ8DBIyUNzVu+KHWGvLh+bSx18265c8CqMIpHunTogcQrDkKRQF7Evb01uNtGJDygsM092O4jLx8y29QahLFUO02HLTWNfy/SE8zzPa4CeeGaAYslzKUTs4a+f6l4yCN9TtvvoJyfhxN/0Rwb+9LcRCWjJrJoPdKmAtHkMT5X6Ifx3yq+SvRR1xSovi2TpItLth7TjdZY5gCS4adXW/mpjJvVoztJh2/nVkWN+4h6gJMDD6Evh/L7FrL48QRkgLUauEUhG9KwVX8TQY99WpA4qqweZStq+FguT6DMc999nfovGG6JPNrxBRiJwAf+eTJNV/fl2Ac66b6oKOabqRiUal4NWPd8xex6yKb6SesG9o6dLdspUj8DG0oxraouLJa2lWjC/nkRyVGskg60s7cHBhRfzclwSs+w35LidYohiWy/Mc3+ic3GrWG42D3NGePmbbpThsuUlLCvmMd8EF8ro+Lkk1/i7NRs/6VXKHm1fVo7Jft68uLE2rCmbYZOzkQ3knbe1GMAnk0j8exS5kfoYxyGvcGraZnxr2GXjoXwV214lmmYz/y+3lYKW3gAMS77WkKEZKK2yZh+fPz/VL5qt6p37ywUy0z4J+hrGaw4Oed7Lg5UpOg4/TSWVwOPSSIx2Re7hwI12yEAtX5JE7Evfvqpxc/f5cFhOEkam6dFvcaAgeSreI+mJykoS7BwGcR4VpejWweXizntvO1cNjlBDdZo2qp7FHB+6WFi4boYF9Zajlad9bwjgulQ3gp7ROTscQi/XdsjJM6bpZVrq2dT3MrbT0uZ+3VqDO5nrO9fgvnfevgHfG02O93XmZTg3ZOB8SnhV380eoGPXvh+PcmBAiE0l7JCXgw12brXFyfDHKkHGi141wwyEvHTLqNgjmrshXO+pvRiXGqr2PhLYCvK0o2NvHRlzeCy7IxZIBP3oBBanUzDK3dD6OcKrcXV195yYbtFBuGEh+uQoE1edcYphTjrZsnuriZcn4UrTJ3PQPn/hKpScAdpeX/vuhYKQvmPM1ffRBbTpF4zCw3tCYTzAcS/GnxiWe0UoPYpdMV6XETuHontBGDhoCjolqueifnI+NBAvKKyDTidQuM6Ef3fGPNfLhRn63YXxenHcxoPqVV+zlQhEP3lUbZucEu6/rMRmlwfWgo5ADNp2F5VMJWOgrC5NB/d1FWs3iFrJ0GDNWs+iQlIOBc7OtAiGIzbJ77ozxTuLhR6HYCIRNCTleeQDs1IYhqg8Slfsaqa23UnAgN4pSS0k8f+ufewW5UsE4XW151PYRUKoIPS/w3SLXxZXgyQrytLokBPvw+QETEEiW919K802vQO8UbhfI3hU8XcDq8gNQ0Bk77CXNokN6GQrVRiLTlnhkgH+5PhyHYd/CeFy789wawCQcEVy7ZaDB9tBkkql4JXl/tOmvhNNFjcZtLrUoF2sn2oL/9ceixBhiEVIl6ozzvCEzQbHwFpsC6PFACPmLjaYcz+57k+8dgJeTu9jdyGCk7ssRhuNlspewA6MsuZpKxYqZIlRqveNo5zclqOxflvMUsnlmvewkwTditEA9LBjlmRI3xEVyd+DHHNEeoak6k/cnId5NwlSFS+vd0awif6mCFKtsFmZVzgmWilbTPLn8S2wGcwyvujCmLOmuGCFzZcVZbP8MtmgjmTy4hOhqGIbly0hwz/2p756C4SN2ltzvrXlNZ4iefUPg5CoROvbMMAGT7AmOepza7ElbkkXZs2RiuY7UXeev/e6TeiQmCdHB9bahRjdRPnB62F2DPhftSJZKnAjW0TdBC0+UGuFjvODNjRxGqsW8CAXHHa6jSMCudRusEFfuK6TC8W2TIW+7F8u5YdYTaPFFzwRudFH4YiSS/p3VAoH6brQ1Ye1RL6wFeSLcdWIvnVtPWgyqmiGf+kjLJy8F72QwWZwG/DrE0KU2c9zM2vicXzFyi8DLBolLCvMntjzocIwB8XtgU8DSSh8/OQcFGaEU1DuziA2DOjcFg23O8dHPVBnp3UYjqUDltOq+mPw8okluYtA8rY2rM3m9gSN63oZgaJePgEEEEx5DTovIL5LXXav7yUatgOa4e+gz07ggXkmj+yX/ZV3VPXCy3BLuiwFW/1MO/bnGNSaCYz1p/oMy2kfJgv57fzFZrqPSnjiyM+dSlm4DSeMMK3bwTr1MeLFqGGgCmoYrfrd/UO4u98NtoFo/WXX+iK5qdBKLAm38weU05hnV3OuarG0n1/bFJWIdeO1hiKiFbM2QEcWN9xZXRt2A1+aK9L7D/U1GBRDAf90G/leXOlTA5/4ssdwIFu/PCTL1AeUTQxe3+ksPcLTPWYMH4k5pZ5glRsTucz0pG55Ha1P/a1u67NIMokPVTmWT9FheodLP226Y5zmmdWfocwfAX+Trfx3MwAA",
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
      if ((problem.status === 401 || problem.code === 'rate-limited' && hasToken()) && !asked && (by !== client || await signIn(method !== 'GET'))) continue;
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
  server.lostAt = lost.length ? wasLost ?? Date.now() : null;
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
            at: "/console/show.js", .script, tag: "\"25b4821553d5dcaa6d2aa3ce155e5d33\"",
            packed: "H4sIAAAAAAACA5Va6XLjRpL+r6coezsGgBsipW6flGX5vo8Id+8pawMlokTCDRY4qKLYXA4j5h32HfbB5kk2v0wABZCUumfGtoCqzKy8Ki9wPFbfV2t1r8uVcanyxcI4pW2u7orZqsZzbZSbV2s7UbcbjwWn/NxssJEqu1rcmtqpvJgVXt1VtTyNTorFsqq92ipTmoWxnmgvjMDu1F1dLVQ0Go3/dJUd/emiiwB/u/K+smmLl6plqQtLf+rqlpa+0nWeKnc/C2TGebXYI0KIhd98r92cYI33hZ25HoLz2htBORm/9576QuQnubRXhVO28pARAq7nxXTertlVWY7Ue+MT85oPmlbWeaVvHZ2nLlWcqMvPWsbjyC21jVLiZlpq5yYqEsAIWvalCQtql6roH3//3ygRfk7Ue+o3a9SPL377VThLWbVaTU1ZTpQ3r71T68LPq5VXf11VZJZgip591LouvDekvWz7fJexXbPrD24ykMMpawg81661TSqmJkurrFoam6mqxktB59XV+qI5uqzszNRQl1XZdOWFsjCwt8vu4DLmhiBTZpuOBo9FrUpjZ34+Oukp9W5lp76orEge40RW4goqfnZ2liqhSW8f0gvYVDt62e4StT1RqrhTQCLoy0u1srm5K6zJE1Ubv6ptY62YVK2UI2amcwG/PrsR/Kl2RkXvRpMGAyqpvSEaMQwyWuraCVtJKiJFeIHxWuRtQJ7Oi2WcbZ9sGw0L4kjk3u2ylFUqYvQoXO9TuH6ybRxrj8TNQyRsIPGwS8Kjxf/4qYfuCV2e7t6G0G1VlUZb0GJ2mBLpXq9Kf0STAGkNyYdDOXL87mR3MrxghfuV98nIjMjXjE38Tt/E6i9/UeP/vj79I78Zj7xxnoFxp1qX2mdAzPeqsPnQdRrdqk8vAZG8UXpQgOCd20WRunorrb/7bpSoicQ4YRc6eOsDA97IlcXUxGeQiYikj5y+WHmT8/GZ+sff/0892U6rlfV9yZMduZ2u9dSTy2bgiWwixoA7whClvjVl3/WGwU/COM4lcfxmiXDXrnWcgBbCob4leczrCdMhzZ2RSk7PiaydMN/F9JXssc5y7fUp3iIiwUEiolVdF/qUmaLl7MmWH3cTDmgINoohsxTsSPjtW/oz9fzsTF0BcaBNLCc7qClTggEWmHbSJY/1vCob+ko7gUKYoyhb5q7hPEdc9ZXKcrP080yV5t6UbnQs8PnatHGPgRH3Bg6KYCV+to1ko3MZHBnTcpdu20gV7aKGXKriyho21/UjPqoXJup8DBgjLMG1oPdUuAzKYghNLOOvoRvVMn+qzpMbudnHJLiOkgHvtNA5b2D+5pD5f4qB/q0aHP/u4zcVsNDC4IaqyTA3SRwj8B8sBSIqPNQON0bc49+RYjXLpubwBxQTC50bchtjVeHxDg8xeYr0pgi8slPDntG6hKgGUKnSZYkbVDnTqaQsrAkO8g5BNH79YOhCBGpy51MhxhqSK35b5Rt1GXDy4n6gFDBDSmGM0niWhuDPAoVFVZuuIAJf7QYlT6RxcChGA24qFJ5yek9GC72MWyMPmRC+RV6GELsq5niklyROHo9GI5wiO6wQpv6p6qsFPAWuLMftY8Hr8dC1F6FE3BjURrVZVPcmTlLWRUxOs+OI+7SNtoEbdcryJzsGzZjxfaFsm1LlFu2Cqm2Vm4GxjNdF6QYGw02JxNwT+AwHvLOWe1/NZqVp2d+yykB1BHgk1XeYvUaQC7VjUZiX4FarxULXm9ZCiKPA3j3ZBjnphT1tlyUpCweB+LSOpe6QcFvBSXeZvoDpX6nCKo16tC3PX5mNI3hNj7cbBHtsHhTqWPwZ6OSY89rcSfIaeplmvcluSEun5/sh4GJIuchbwvCXlN4fIjvp9SYBOJCnF04sY/Vt04Cd0v/2CiL2IJwmdROf9cLXhZ21K+R/RI/u1/iPL+Ory/iPnBqA5OmTZDyjaJpG+wIsy1Wty0ASvsH30iISwJrW7FzGJ2WNC7dn7aiCkEcOqefqCshqwti7jKTZT3DcSHbMbztfXlmp66+jL5HSf+L//sL//Y7/+/LL6KaNOtq3MQe9UXyhGh4+IxbOzs7IcQHyqRANV+38gpafPk1a8LGA9zwua8Uh5POWzlUDP/LVt8Vrk8fnSAO/aGpealJG3lcGn3it/Q2E3x2Kn5Ou8RAvXIjaC8fHUQDs8RHo0z4ChMvCzXeG/ubQF4PdlVVVg8xYyLSXS8BA/cMB7WZ9p1x2CPr8w0NG5IQOaEz0wFJhj+Cff/Ts4zdTkGN2ag4Kb4L9+MP3GTjXGyd6bbKVrv+9yLlKit1c15I3mMRCv5YlxBYy4bmaIOzJHl229+nl/TNqRgWPVCYkTamXzuSgiJFBqsjbi1Ki+9cYHdhqHSfkTHiRhpABk4T4jHuLjHcMUP3tb+o8VJDCpHZKQxx1a1yRG+66ZQxzrEwEpEjXVuHa+7qgTGXErd6iadM1vVPCDJhNZMeEJY7oPwx/X5j1l9VrwjhTZ9DYx13FPS/yXCpxX6+kYGTU2kz94KwZuzEtrWGsiYLu56aYzf1EfZyqmqg/U7tETld7RASnM3Vj56MEhMLxgkcCfqjNMPlarChrVHdKK0DiCTMwLsruEQc51FFkPUwngPtS13teErIKG6hxpYEftfbaNr0M9kiDAiJLDEhr/Ffter1GVefSXGh4zdIEZ5G2EJzPqionRevapsREjiGOraw5FAHU2q5aGmF2ByThx2dZGWM+2QJll7W9rxQ7LbMvqPNyzdAqcqE/+lHf6xfTuljK6KnwF2q9P3gDnExqDpmulnB/yVbo7uReYpQ4ZJ6XhlMgddXNf5S0hv2ZDuCTQCMoXVop9hIUEceFYBdTa+a+GEpzKMOsuDcWAnAVY/VCWA7MYGM0Mz6WvaurMKFBcfCyWHSlQeON6+rximCp8xde1z5+ltI9jlrpsvP3J2fPJufnWcrOX1F8hcPAxzgC0XuqCstl1f9UVqak/LZypmbpp/OKlHo0SFHFN30Va99P84X715dfqctuMstyRis/BVMtUG00u2auvWGbQBGOBeMnaRM6zQHsOiNCT7ZCnhRGfyIycxRR5QnAXXYTJ+EISPbbXXvGQatyvTG6hkdbtFgESx0jc9WwFH1L9vhPguEiBVB4QKAXMfoJDaR2p0+2ZKSYCaqnFP7bFaJNeS27GBb2OIVOtGatQBQ6HLBOeyyAcD9MoLx92QJ0JJIEaoFOaIOU0pfm+2pVOxalsEgEeHwhyTeSnoxYTUZ/VpQ3o0mU7HqKVkHTkpk789em1L64B/c8w170/SAvnNd2CikHWVX7tqAAhvTpembCoKAroLosf5Z21JK28pFduu9xt4XK5INeXRLRkVFQXUeD4HgaVFiKcd1ppx2dHaZBWW8r7Cg9q7LQsEg2iX//9iv1/PnzT1JcLSrl0k4zGJ13SaaNhBw+zGs99eUGjx7TA1LnHDlppDLoJaOTzISW1jxxb5AAcOwigo9gBXXZ5OtQf2qZXCLIoDjRb56fP+6oTFTmtiMa4Opf2dFw1RG7yBU7itL4NNFKPzABBfucgEAFLxPF9Hz1w4vfGtyk/bIiUUcuRptRPbXoLpqI+Lug/z22RD+9GuGlKUunNKRj28gXMqc3nT0mITQWgKwQ8490n4aZ48gdZiPSvIRWHjE4r6YrSD3668rUmxekg6mv6i/KslFDkjDoiOkRKZGWlyAMTkguEEp0nn9zT4R+Lhym3jXlcSKEq5QO2CHo8bjlHH1vL6qfnDjjf7De1JTAY+G69ZmOUakCW4vCfv+8WNfBTDcQsR+LZbAebBbK6T2xU9W+a2J7xNTCJEiAQeyriiSy8gFB6rWDLdngoDyUZ6uEPO5SUTv/1bwocwxSSt288IjkcYlHVBxeh1IPEgf8ERH/oi3J44ir3ygN5W9bVLZiSuXYvkmRyS6cSisoNQNlf2+cpG9Nt7wkr+BvvbB4aZx0IVJUsOv/Sv5A90qhhJmI96+rFYl3a1LGg9/rqW9oLvQrVD6Hnm8WS7/h07taEwkdmHCnhweNjEgrxLZvX6XF0Jt2NAwqv1PiYGosaeCcrYbB/sKlYNaqWW02PD50h2yWlc6BRDw+zlYDiEtU8XdcfE9euYOvEAFQJAgL3GWFA4ooSR95C4WorcijDcVgiju9VIGF1dH6n7/f6vxAWFq0Vr6oAYkZFKtM4YC1sY+qIBP0rgEQfFimQ2+bAL1xUjjzHVC+YXqtnZR4mHWnXdlMTuhpeUFSiIsBxgFBz3RhD+UA+q+sFciyJY6dYWLkJBvay7/wqeCqHUQKABjsiBhxBFXBfKBGf483j9HvgV9a5ITansFdZySZwFGoNLVIWjL7uqys4ZgaJIzSwMoIYKYGR9cRE59WuYn395Mb2hvBO2QcHTNHIl3USAkjNc4G1Z3Kptq1U8VfdP2qu692o5Z6ZpzKa73miz9ULn8phF7JL9AssVO81ZdFht4fMs4Ne//DBOfPWmUfJzBD8/Xm31kADCLvYbsFot7D0mB7/3wpAeaGeRc/hsYuVMbZM+PLx4kCNw0/eJifZ4deCpzvm4aGEVPVMvF4qMGxrFDGGnk9+1UvjJTE359H6ko21KSnxPNWCNlLhsIgvVHYct0Q/YDbNqSC2bfjEggDs0u0ogStZ7Vezg+OQAB/mPzycS+ozYKc+HH0x3xSmEP2gxmrMs84dcGQyAxHYiXxYjwXbRpcAWd45Co4DkE88AWrLDogUGg+YHUMiRPdcRpvf4mEOHDIEFa7VDo8AzvtKY99sIBfsUDcSw9peGx2RMJy3a4dNuBDdNa/m1b85WxaldA+cIbiouaAvM0PzS6UFn8V2cO9Khyn8ZpDIHKJoEpUPVSOXPOXABEVOd9chIbvFE6/LzLAB24j0SDkNXyqwdEgJNfPcdOBKzjVPJGSm43BkhwnSm403Fckvn11ugQzB+ZhfporGGazQlGytClLkWFonx7wgxaR6CjEiC8mJcbE4x7R4AjY7Oz372IjDGYl1cl8CHFO8rab1hXRbX48Zsq7Q0MJyNtHGYE/uMr/LvNCPhtxxUlhNCW1c8C2iGeHp0sp9QW51YMFX1vOFfcG1dyyKgtvQjEnFIifjpENhxCIxqNP21ShvqL1KfmTqdtf7ckv6jC8PuAM3n7L/RQYa372mIpQ5HYv54WTQzyCVsScN1BXI6lE2UHfP3t+rMTpqEf8lRZkd0oLL3L1NtVKlXr6aoRP0a2K0Rl2AhEHryxZQG0MhywQ6Sq8u8Lmh9U1hn5WkLhOA6MG/iplmbzLxSJ4a6YelwuTiLi3VZveJqQ7GFME9wRJm3Oe40+hYBQ+Wln+PHxQlKI8s7Q5YdsEvesCp/HgJpvRfvbAL0ClAmWCqZq10V8WRj0Z7nRRIiNd9X/S2oB1p4pDltWUx0uj2qBziJPkRKlJUKVgYajXNBYYax9YHLxEDUu9isbKBWF9iFlvzZwbCC8OdiTv1DTP4bTBF13iXPjafViBHP8Cnv3L+MkWFPDlIFQpkRqraPgdfHA6Pv1/yYVv+ILPrVY/7A050f0AEn7EAdzD715CbP/UvJoGiQUE1/DrprVn+8glDPzF2RhonZTHSbd544FMLpsDAVYWgWXwI0uZ4cOW8iNc+coCn9dF7Y4EFz2VSob35ZsP5In2ImA5aPcEq/+5R8jfFaUnV4uvm5B8AyryiNEKOwGuaVjpbupw+U6XzsC7JRFdQ6ABzevAmh/UIf3Mmud7leMNnOj/AQbEWZbjLgAA",
            text: ##"""
// How values, times and figures are shown: bytes as they are, numbers digit for digit.
import { elements, members } from '../json.js';
import { button, element, plain, problemCard, svg } from './dom.js';
import { entityHash, settings } from './state.js';

/** A value that is not there, which is not null. */
export const absent = () => element('span', { class: 'absent', title: 'absent' }, '–');

/**
 * One JSON value, for a cell: texts without quotes, numbers as they are written, `{3}` and `[5]` for
 * what has members, shown by `open` or by its row; texts longer than `cut` and numbers longer than `digits` are cut, with
 * their length.
 */
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
  type: 'button', class: 'chip', tabindex: open ? 0 : -1, on: { click: open }, 'data-open': 'value', 'aria-label': `${label}: show the value`,
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

/** Whether nothing is known yet of what a query finds. */
export const isUnknown = ({ state, at }) => state === 'connecting' || (state === 'reconnecting' && at === undefined);
/** What stands in place of the one row of a query that has none: its problem, waiting, or `gone`. */
export const absence = (query, gone) => (query.state === 'failed' ? problemCard(query.problem, () => location.reload())
  : isUnknown(query) ? loading() : banner('warn', 'gone', gone));
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
            at: "/console/start.js", .script, tag: "\"360e6495f59508c48516c9fac661b959\"",
            packed: "H4sIAAAAAAACA5VY53LjOBL+P0/RE0HWUvTmoCnf1MTNOa/LtcaQkIQ1CegA0BqVllX3NPdg9yTXDYAQ5FC+m2CTDXSjw9cBPDqCHx03bg4Lo3tQ2q2kWoLToJVgFvRGQScvBBi9AamAQy/V4ER9R/ZrbRzsQLY/iTcOxiCB1fXRX1ar+i/LHu83OX0u1GeCt8Lsdx5pg+/20lZuzyvo+bYCK8yFMBVsuGtWGVugX2J7PTinVQWNVgtp+qeNq0B0ohcKHxay6ypY6a6tYG30a6Q/56bNZLa6v6xH4+wPeoNsqDY6BTn5UpANFRjRc4Nqole+kgofLN/mCq705pI0VEO67c8G1ZDtV9IJw/HRbdfC0zbSrb7jhvcCV2wuynEnLsn6CgPyE0cjsn2O3sO+O+gC67xsOAbm0KFIDUTL+3UnPm8trjw1hm9rElDsoBNq6VZzePdtGCso/qyAuxKO/wFngWX2YMcdvAXvjGflJAwt6gRJOmHPhi0ioztnFbDnvOvQ172gl19RfQNuJWDdceUs0X5AH3pSqxtP+FqoQHgtm23TCXZ6qC8eUcg2qYTq4ls4fh61OEHtHsbnOhhzWuEBCnf4pffg+PgY3qb4S20wFpH+ARmFoge30maO3lUYhDma9LTlpNunhjfeEgz0YNnpSZB2ir4fS3S2eOOjshhU46RWoNdCFSXs7gAEExDKv+J53givPhIKtiESCwhAMQCYiU/BOm0EegLPcPxcWFAaaKd/2hCnp5OveuBLLlWdzllx+0qbHo7TiUVZYyj0RrTw998Qs0Zacv+3qts+Tqzoj6VUyNnphpMVdaDQjk446Lh1uKqGrptI/xyEySQQ4kOUvIm7vSRUa4UrZ/cf7FIOFGQ1JUI5nj2GcS/Go5hOEps9yjHcDV+TsDmw3/VggCBtK1+Y0IVakc/nXgd6W8vmfB4AQ7EkhfwDPHrk93glR+/0kDVWuOe6G3pli5Mp/ky2KFraV3I5GHxf8M6KyvPPfXoYOiyaG8tAcaORYScmVhLvkcqQhFrAnkyAReopard3CpXX46mYFYzeuRGEzh0dbefwHuKTG8lnHX8tOoaCXno1gFv44sdvvyGgCeuQbqnaz0iE9xwB/lxsW73Bx0Jc4AEhgF4tuYi0GvdQ/ni5wjByZVxpnOm+FFtCWCD0wnEklGUUApG+Nv73C7HgQ+cKtDCsWn4h6qbDoE20EX+OMb/Am19f8G7w1Wx3z3vu3vweVnnr7lX30GX46uMzsj2U/Cm521p5wcq07o/F5dA2CvYj91jidqsaKDIfUOsovDDPHPUxotcX4qlzRqIEUQTvS4V6InCmnWYbhUyHcmU3wuCxfMOlo1ZXsO++/fGnWAgm1JQVNTTdbue59WNyWczH0HmLILSmnWkH4fT5iqulSI6mCvNMrCSV2o1QCA7tVtRsUBFpQ5MVLfAO/VkHlpDlaCzHJTsdtBLct+2lQK8ujLAr4WbNYKw2rCxrFKqK3IMTku4GabK1tVRNN7QokixBpCw01aliR952wszhTLaIN3iwS80ybB3PMjeM1RSpiTZC42eFIjb5hMHgRyvcTSHDBHJmECF0h3E/GBmS5ByrFK4G9bOYYGsje262lzPOEr687imt9XLZ5RD8KRAQz9cjMbCRYwIAnjyB5NGTt08f55vsC61I9lFMD7LtqCaNisBD/vCFEKWwyeoclU9/ev4ZqnG1nGXgpNJSW3SoWsrFttjFfns3Hj/i1ggWqjPsuVYO5c1+QklUo/h63cnQJo56YZZitqbovUXzI0v5T9499GXw3KE3Gw/257rvuWrztF8bwTIJTdgx8/tzGWnYsFlIcBoKxNBy2AS4PHHPHuwOcnc8+tMKd3ajl9IIVvd8Hd9KakiZllGTQ/UGFciZfj/4MuRHp8jyn3/9+wp4UgL6+GYTcrGbhqhcUm7xE4/jN6TTT7iE/vCAkMLGbbN3AI+cXnBdL6iUBfaaVGlcEo+vjR6UC2MmGm2EG4zKwXeLZ0Pdvdm5NBki2JKP8ZRrYDR5MvgXF9P0ltfN/yvtcvj55Ipgp9EHa2MHs9/A5xTatL8LFeUIsxnhHdguS9WRAXuwC0PYeN1M4dP28xesrI1Yd7wRT7Fa3WP3KmAP3/2IlSM7C4qFXKlXsm2F8j3D9/FBtWIhlWi9a7wLtIEi5hKqbnRHoTyhulVFKdUEsiph8bT0t6oissT8yCfQzWqbYRgtWjl7uS1TaEI59iMdVVHdSXeYnj42P0T+awrjDvAoGA/m38cJ++HgPDI0w9wl7UKpDxsih+is8Gy47vddZa99LbK/SrcqSMqBmCqrPyzvDq+5UsLAhhu17xBKzzYmmOtBj+JGoHSLxcqG8Zr+h15NQKnPfAsK03Oc7XnbvqQZ6ytpUUWEF4tlrsqcR1zZa5FHR2+uxsaP/VUclZVuRcYQm+HVMSvPqdjc1+l6GzMrpNETnP20TbHyNDgO40hxeC0uLs1ImcSc+zY3hPy+hcPfu1O996GNxlaRx+8IQ/GCy060firOR4WwL7EFUeliZESneVuUZVQ+ejgY7lmRfnWWCyNHGpg62ctYT/NUcWJNSeKre0W53VcTmrwWKVydTBG+Nuzx40eQVAZR5fV70wGZIoSXHB3cONl0YmJJn1QK5j9DsTLch8L3lYKFizNXcQyZPgVJV8WKC2T8Shg0UhsguIDLE4c7/+6zsoanahuak3iDgcZVC1ZrBTwNwXieE6pGPWKpCvok/XV3kM7kZ5tuceD9XrB3wOvNqnQnR2CcUO2opq9Kha+rV+spnutnztNJItw6yaTSERrNDf3l1psTZP3msOtioTm07134lcKAypwkcFPpOK1uV9YzJmVh9s0VfdmNijyh7nD8Drui0HsQ8oM02rs861rbYo9Ar9bKiMUcP0pcsZVUY9+uhSLchEwnMCDThmAGWz3ESwrQoOm/YIJ0iJjT6nAKiHkdRpxQ8Xw6pA9XEfIVXcDtPKY/PQfjhnXLnZjHskFTQaDHchklptofJqP/sfynypcX31SDDoljFbrMeOe/bxsnLS0WAAA=",
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
            at: "/console/suggest.js", .script, tag: "\"a5d2960aa602a473a54ca3fe6dc0f612\"",
            packed: "H4sIAAAAAAACA6VZ6ULjOBL+z1MUPYdtYgy99wZMdu77viftHpS4Qtzt2FlLITCQ+bkPsI+4T7JVKlkogWGP6VOWSnV+ddgcHcF3c2Vg2q7qErRRTQlVAwpmVW2wG8Kya5fYmQo1rCszBzPHqoOXVVPqFPhImbbTMLm2eylcqnqFOturFsu2M3ADWOMCG0PUC1xMsNOO5g0DG5h17QKiLDt6odsme6Gjk3sXU1alTmFZq6q5u3JUtoudC16bgErM2CFs1AL1ZzPiqcz8s1lAzhs7xNO6slpo7C6xC2hlY4eaSCtz/U1HCs+xwxTM9RL50Xrvc9WRaINbKpLTDe6w0QaXX7cBkcErIzR707bRxnqbVM+JuGoMXnCsombFHo5SkEW4M2nbGlVDW25Fe6rr1DXt2P/puZ28wKmhDVlEsDnppTXtuiFhDa7hE7WMkxMg5LBt8K9//JN0WJHddRqiZbPnHKTK8p1L8svHFVnVYBdHajpFrUlgnEB+JsyzKSnVxUlCFh4dHOzBAXw9x5BhOwNlRZLi2obuDpICSCYRfAoKh/TUaoQSp7XqsEz5tHGbGrHJWMzfOjSrrtFw8zk5u9J4ShaeatNVzUUKX6Fx67Ozsw3RH+3hlY3SbNVMTdU2gY4xq5fAzR6A8xsuDeTOwgs0QnBC59UMYj4dZdZ1cAZvMwyIkHwAopK9nt2xP/F8Z+2qKSGnp7rGacBWJGknKe0jMwy4wwD+dEy/wmgNHceNZSLSZetkb0MBOYKvVhcXqNleDeRLUITvejmENcOc/doniMG61tC0Zk4+A8PHfIF2GswcnJR+iax+vOpqCwFJsqzDv69ISBy9987XBA8+zabKTOexIKVZ1TUDROnrZuoD4L2w632xKUStP1Kllc8oSgU8LEBusPvkhG8yAuJxlmVyduHOEhiNYFykQCf2fpEE7Md3kKuaGXa0KiC36M20UZ3R3xFy4+inKAFmA0NQa1UZcBDMVF3H44h8EB1ZBiOtFssa86cUuKjIFmRN3JGrWGtxZ+xLD7FlQZxg4pEBWFJRcNZ2EDstuRAyRpgMNgXnz2c29TNi1jGgeztGma3QejrHhRoFmGQ33GwScTuwX2OpqrHlXiSiBOR5DpFqrqPe3rGTNFf6s3UTSz0TYvaJPI/5kakjycGosDZstu2Qiu7iCBs2Q7zu9Q71ZfmJVVRuOT1e4rWOBQmZdI3YPloP8wL22QSGYJT4FN53iKl+dsjrEcAFmxEmYZUIbbeA2LUGgS2Hoa4WlRnCH48tqjhz5AzIv8koY5YngYiuXWvIRdLrr/ddNeZnixuDCx1ZTUNv8TX2EN8eZX13Jo/3S8sg03U1xZiJMkXs7ALJGwmHruht/dUwSBSk4z/EEQbMUliHOyIjeQhHwjf3QfBA4n3BhSBj82AJOziAb21XAMMDj+qr3zUQAm1L+fCrzz4dwu+OgY4XrTZZUOy3K474WiIoUwQ75LeEvqy0qYj50HLjmQfrUvdPDhi/exwY/zMshH7Z8gDRQd7PRVLfbI2ROSTJXhBNHEVhd+BI/s+wyWa1MlyK4xvgc2Sk2Ay72Qa2GHAfNNuAYc5BRoitkHubiTLt7XOEor1QsHv27SpzSA12eru8D9kOOJQ1iz/Ngaoxo5DEOEX7w/TuSlJY023ZSiwURdfJ9UcWz9ZyqW5EF+U5F/19+++p/ccuz+w/dlk1/O9dF+EnYmlU1Whek0y//0seFSnxlzHwv+Uvd9ycyJdMt0I+8pcLNzzy4VyxWP7vjea6X9X1Dr0fLsfEfCNDHk94wdROpUTc1g9y2s11J6DqWiYNP1hU2s06D01knue7bedqOtz0Fds+j6RkCxyCC8GIVRnDgvJwCHCtvodx0CEknFKLuMd4jtIrduX4FtMu+Xovjbuh3bq9JVopdnhVaaOjcKvSn3IFFDjJtHz/NU4Z9iFMFcmW4VlkRlpS6+HZ92ZGi6EDTEoS7cg3hBu+M3RATTkMOOofN+Nic7aBc756Ho6E67YrYYIXVdNX3YalgmMLHS5rNUUdjtX3Zjuee3jZl1spZNassOpOkPCD23Xj2NEF1Y5rGxFF8fiNwx/V4c8/nRfjZ8/W2flhcZBEnk6A6IL/JV68c7WMz1+94dubZ8/0QTwajvP9Ir8dn54V+eiW4kZblAC3BP1kRCS3VcOE43FcMPHzZ8+KpDhIk1Fi7z8ZP39SHNxG4+cR/WdVYA1ePU8yvMJpLOb4OcOq4+G64JmYHC/b498VmfNkfPR8/CQqjlKgYu2Ml5olZDU2F9xQpDdttzEhelokUvptPbfYpFrNa242gSM5JXMQPrtvQJ7KA/5XPTmIxxQFikW+f3r2yyMe8JyoHpNsyRS3Z7UOWwjPf9UV5NuVgK9doNm+tpuJR8/jsehCEXyVA5scZQY1XxP7YTcMniG52Dvdiw79ziXEqpbyMFxydWy7qHjc4bDx7uSE2nElges540fH+0Xi/Lrrw1FGpgZlSNhQJaHpCGdVgyXQFA+S+lb/IPPHBWxgeGcsX/ZWWla9eX6k+kzussMTKVKS3GLFLhkZxJTWdHYQrZ1HxpLrUnRD10gBGkJQkmVEIYfaqcg1GJHgis9cXSKsebVWGhioZeo+BsyqThtLJeVKPixU5sHu4j0hLKzbvL/CkrRWjUFytMjKTPtxu8buLaUxfBW1iQt5EHU2lJfbN4IcfyIJnpHleEUDmwgKG40EM4iiW3i0yzOLEgX8xlkOx5xj8pxZlfZzZ0Ni4Z9p8gexaJAE8Bu+ZfMJfztbUBAcv4Yn26cJHO6eyBU+S3ydptmW4mahUqOBmlsekCYSR+LwEjUoGYuhnc2wk0iez8gHcdgSzkE1mpymT/oFtyK52YdVWwFhcHf7DYfXXkmBJYRR5auQ93NvHK3qiCf4rq0JkBGfTtor2qrKIZw7tx++ejMYWKM256RorbQmWnfIoFVdpQ5rNcE6ogPtPrbI4bwqS2yGwFOYfKERa/g7xRvGdNVkZTAWFmplWmcCMl+WGT1+hWdHUp4kiVeqMgBnpd9qF5OWLILcsbDwRx1HVbNcmUg+Bb7hQwMaL7FTNTFrUBMD9+VHqvgdv+RBjdiLMtAKleheo/+Y48vU8U6J6ummnNANER4+7bdsRgiY4C7SZafWsesaYrk4mijdW73j78obc/uvjBC3ErCowiPX+K/slBTvB0KS5I6d0/gUjnt2HS7aS7wXW9L7EkvUU2xK1bi4AmCtcUePx26lQO3XRXpDwBTxm3PhZr+2x3ycwpYXpCKH5Rc2KdgKZNPf50NdkQjxKvRZITwkKXbEWw6cFaKuJj5TQ24b9m6zBLZbiaZJ6ni3DY2lsGhXGst2TQ8xIa+RFirLbNnZ/9/GmVrVJuaPUVRJhGVCBQc27gcL0nzFLq5+3hq9UPZdhj85yHEiXbkHDbWCuuywGYt2xSjTU7K6/qAx7bcVrsllk7qdviQvNKj4Q1zkkngTwpGzHD0cGbGDgUj5b4APu7AHgbeXsztW1237Mt4emahAI90fDFj4SXAgZdQPe7biCtzsyJh67NVomX/Fr6YBvpmxtBBizK8xZTtdsXczweY74msmEVb9nLttv6jxuLW7Xg3DvWVs32sh30b52NIWofnYlJ6KIwADe3erKgTugDx88g0uYJA4DjB4gPIRX/oU/6o//VI1FxiTgilruUVWVnrJhfodxn/MA6OspGrbjjVZTSY1at9Y5L4A0bsy8Kww3v1xjudoMfUo4aReddLP8FE6+hTLCU2kQUZvR0+cfz9+YeCI3dLmzRtd167ftiXiaSpP3yyHhB3YjKVOkMTiDrD2In8JEim0FF5nXKElc4LKG96QC4nHpy/uA+Ew6BUfhGXfC+D1CJ7CkAQl8Joj3pHlNZZvAe/oqVpiFEr3EQyv3bvHH8XsV4Wdg6/VJEqYnShoB8JEEkl2Qs5horKUB3mFRA/X5fBMm3b5wWKBZaUM0meJpbpQHFtH9aC/g/QPpuCgilMvZsz70cvPSLBx9UumH/u28m/rKO03FR8AAA==",
            text: ##"""
// What could stand in a filter: properties with their kinds, operators by kind, values.
import { elements, members, valueAt } from '../json.js';
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
            at: "/console/table.js", .script, tag: "\"89b51bff15a1f2081f22623b4408df95\"",
            packed: "H4sIAAAAAAACA4xWV4LjNg9+9ynwV0sbrZxePNvSe+9dtAhZ3KFIh6SmrNevOUCOmJMEIGmP7NQtMyKI+uEDpMUCXgatLhCCWGlcgrOXHmwHAn4a0V1XEKyWIDbCBVhdQ+hROVDS17PFgv7Bl70I0NoBPSgDPggjPawdooFLFXry0zzRVND2wqxRQota0722l0CaEOgIl+SCHV/DJTqs0lmjuGCfnoP44Mb2nHScHdc9dNaR34GCmpCiqODBofDWVCRnQ6+VxBresO3oU6gewW7QcIWc53WyZLGSXA28vCJLeObJJzMIRnO91mOsTK37AMXeU8d+UZISliAcq0S5JDmntYfnM5J5O7oWGdTotxceGkKwgYKMrJPoygqagFehULIkMV6JNsA7n374QXlIHS+42CbhSICSExEbx1Fiq9hxDR/Y0CuzBsWAGPKNkgBVGkk9GfOVNRGyS3G9jN4NBYfOiQHB95yk0JoTpruhnqlhY12ALQw4rNB9RsoedqRvB5jX9YJijC26+qGfn90oC2PsaFqsADUyJhV0Susbw4W0w4nNB3jpqTbnONEKNlq06D/sqtTOiSl2HbbBn5i3YhMUc0D5D0ZOlV2MTugKLoQepw64zGQ9a63xAQbrwydc+l2mwBkQrCc9nSi+HsOz7nNJNfP7MD7WYMJzbyTc+WdqQLJ46rnsfvCz2eLWrRncgpehtXoczDLxoAHl0xhIbKlwPiCl4kDECYocyiGJOlxLQyHO0ce2GssmtqPDGTQbEfom8czzCKtQc8gH4XqDEjvYbg3lueQhI+JUwPr3b45arFBPzkEFjZOz8m+o9ehYtLJWo4jwf0oNQTmRcUgALo6EBcG0hPfF5k72kr3dI1O5d13C3Xv58fFoKFNlUGY/XDH7YX/L3yvBP/b/AUH1OJ13O3g1NoFCLGYzvIqkarXwHt6jQfuMFyRsZwDUtDjYSnoI3CXhMHYYJRTNVVPW7AHAo8Y2kPAuGLyETzEU5dmRPVzyfuF0aRb9YatQzJB9iDZQbPYwan1ibLujrZYtNqqlRE4s3qIIgzDXvKoH5oigPnOstPeZbyukxSHPolleGSrwhbEhK+cISfMQgST/sXHw/Bk/532Xr1mSyO1J9O33URDZeHPkqckgUdOKMk2fhF9//gW2kc4VL2BTpfdHFXmUf8GOPawJx/C3PkTW7px9hCZnGBW3pHrwm18lPikbPCTH6yl79sq0GOHnZuVZJ20eB+cDGQQ34lkSfdr2KEcdu9IJ7ZM8tfZl1n0yAScUa2wBTeDFvYQn85szP2vsAj3ALqlvRIsuokp3T1Xw9Pf1QKUXkdl56Rbz4OYVbBORlzCPViyaC6fE7V5JiWZOF5zvHHbVxFLOy7KMDY57Cmj2mtzpZnmzbQP6UGW2M5sqsIZJya8zfmZG0nOVlxzwvokX3rpQ8IlXxsuUCOmnMNakt1fBDrNy9F+UNWtEHsbV6sY2WFfktMo4oECNUb7OrGSEJvzMlz0KAvsUpowKEVJR+CvC5SnYlROzlZXXR2YsiJbWLCPMVCxtpvi+5kbkVKI8SyuQK/17ReJgF1fjy2Ev/dfdu3BYa+W+ijrBe78+UiZe7iJ6AGmRKPMHeXgML0feUUM+7Pame5r93iDY9VofK8PuGJLYoikmUXBEOh7weSLK8lAFn+D+/Xx7k3zmVbHXy+dyykzuHjnk+a1u+kkqhyZNM+TpnyYo1cXxTLTOah2ngh6QE8Y1haQz1RKZwPOXyRHfiMSMk/yqxIBcRHJJeE5aG3Phb2eNZh16uHf46ChTnj7viYJ7yX+rCcLTgv7j0KtHmNfSJ/Hw4cqju0CX5//E4R9Y1zZZFAeMshINe/quJwpR8+Ecrz1Imz6YuVn5PZDdxeu7h8of8hhEjAhH/rBkE0JStNT7SW6DpdBPlVzk+dSEtGGFnXX4Z0a3o1UO97Ijg9fsb61baZLjRs69Snol6WLxq+5vVnXL9L7vu61QjFglVpfcakkhsnqJMiPmFHOEOcD8ntP4JAM8JESklGJXx6x2kcwEkBvw8JB6wnM/pAPtvt9oq2GhX1UP6kGZd8+4NdoNyUQzFfoRJSx2oJcIFAOTc/rxig7+on0GXe+v5rb3shrurH2NAe9zWLEy2ItE+ktggvMBGHj99UPPYxoaDYlLrHyGaYiRsqYNQdkXVIfYcVRdURTaso8+3P/GPbV2yMfbqbZeL9SqehF9O8AeOUj3jmFCHv/KH5YHdcsfSfmN29bt9XYlqjwYKQvuWZb+pWAofck4CWBEk8S4DFcGjwXQTEGK0WW0J1plsWQ/gG+R+2HBlAZYrZF3SKd7bsGpzDP3YO3WkuBLhnww5LcFMborYg+MRDRbtMhfVjvE+qRqL65SUZGTbEr5VoqUNKBLGrVovhLUOpbBeCSq66c+zg5zW/NxeJ9D12eLpq1X5CETiXZJ7tsu/YfsUIAb69j5E9z4S2KhWubcxM56bi3zD4oK9ZEh5ZRxGxutUYzxV25gJqDxzpwLyqK232Ifc2wECEWKqAgdE68PtGdBTlgJr8y36w0HG0lCdDQ6pZm0wrKlbItv1eGfOpvVfP7CU2nDmp6ci+Wa1ARoTXYBz0UsVs0XDW2BFRAgpOiefWtTEfZ2N5K7Taad02xDv0zC/HbRvFc3F4Qu6WmXn065I7ISTd1aEdikXlzu+qSF7TYLv2shj2iH5Q278oLqToZHHPdopaC3bbUgdco2eL/zvmCWzJUu/sWN7NaPLLRqvDEIXcG369QIxcq2x1W9xElTePVcI9l/xj8VWPAG0C3JinnVVjTFBa8MNIIaSneachf6c5uSWODGSXfiuizXRZcESB4EeUG6jqjiZAuLUVB0nH/MyC5NJ0x5TNGc/3JjcideRoEXZenlw2DFUioUUcaNtYk8hl3CDtUWq8/W3HdnrnRJ4oj5ca/ewLRJ1U4nd6b8/vd//Js+8b//lXT+c48e77iSZZy4O9wm6WahGizw2CJ6WfSBoeUOjYvmanHZfloriHYabQwAxzrQmdwwXCYR9CyrovKUGOL1Sy7xZ+Lpo10bPOUu4f1wygYko8Acr9155M3WU4uq5SXCzKX7MzbfnW1MXLV7yvxB6dGD8/NBBqpSJa4QURB/XNkP+vy6bdcrDLx9hnHrmzD58yer8+RZr8/1sigNh6TjaTh2ScZmQ4q64yzrIxEf0MxNCAaZM0rMzZyS5yl2eJreOH/YXIc9YI8ephFCygIcsgSY9XY3VvqAXJLEbLbYG9/6xIbtdJ0xJoh0WcTzY/hNrX5d8nseI2LZiqRvASnW14wRGiAG6+k/ApbQmId4d48ftf7wiPy4560aenW9ooXMQaCjrauY966VBa8uCQw/qbZzzWYk8i00smuwD8DAb785biAeIoZAsswflX5eVKI5mkCJ437h6NFGe5UKYsi+7okry1eNdqQXvYMDpD+w1hMmXewAdqBvmmVKc5n+mevCA28hACw/RpS5sbVQ+oU2HyC0kEU0KggYGsY0MJ90y05CDShFe2FCuZfOsq4c4C9BTR5wZqBX4fk1RjP8DRJ1d3LXADhjbWOTGMrEttqX2cVt5WGIjWR11EJm+ooGBugs9waVHDGeA7AUiDFgYR9QU+Be8sbpxA+YLW6XSacwXKOTsRdQKH1MB+GOhaC+TMiLJth+VYscO/gb14/GdTwRIhWjlTQnCzMYHXk4E7pgIXIplDP06WJ2dCubicZyiRUDEwoK1MAqC1tBXgs8T60IoaTDLwbvbWsUt9713tqsHE3qNxgHl/FO6T/q/+Rto2mXrdp5F9abvb+8loQOXdTBZ6WuLVhlzdhJFlNp1zi9rertyclC36+HpPeVO/Ao8TBjHM5lMwoJqXQiovvszEaTbU2Rq2nfXi0eVbwPPuD58I3NcZAXiJj/U9wd5qdSKzD7Swy1Tl8dfgjNOceBFw07IVPui40v2RgL3IJ+b7qz3d/3x7ZAKZJsAQhRVYsKjKTWXKLl+uIW9Z4nFZ/ltbRt1yhrubq6uAo5v/NrNmDAImOEK+UlUaj9Ssc76gbhewEpT4XNYHw52I3NpHBHbgfOa15AT7mrG6ccYfvPUxsczelVx1oKCZrtUipzQHCMP8SRhmG5McIaCXCqJ4OQJ9lBosMmD+tNa0tV9htboIUym4nh+sG4N/ojvJE2y7oVXwC8oG+k0KPvVBLeOkYva3uW5aiuefuwJOsiQtvUBq0+TeTfJycKYNCqALcJ51Y07bNlXexGMHv1hhWdej1v+LF1m6czK4GYiOvmKjWsdHcQ+EHMg6Vq+7gFe1J80gigk4OXnC7pe/VuF5RF9JOLR160CTpMc+mYu566j6y+w7IiUtmuIi2LDE2+YMsZtKAD6HUdAh5bzuThA0famIPLDkwhFcj30ip351jtqqA+p+6c/pVl3phms1yQws8pGyweLVZp1ebyRfXn7kze2CCmNVseNF7rrY1051u9mINSUcE1qJbYGMox6nRXcANiT+ws81KZBENOdSZ3QfTJmvSwrje48AM3D0mmu1kx3/56xd7ts4rAIDyFxYa54xcG2E2zY86LwZAxmp4CtNi0VSuZVsL3dZLMhb1tzJRPkZKzfhyGO4h1YJp7F2EJ50dMsX1ezxdVmqSPqqenTxbz9mrk/vSHs83TLMkKNKjZY//hzI3c3b8oOYyK0OJCyj8geukMnx9ee5IgYT2fhSJmljhOafFLzePPXExKs9v6Pm3ji2G7Payi3WkQiE4JPOTS6qJeLPvCF6G0BZkvgt3/eZ2ZO6F5CIyBX1NNNIOpymOt+ONyuV5vjWQpBH633hixp+7uWbDRTyX6BaqWFTSJxhM0MJ9xQ2vMVa3qWcGXmgjki7CRBxO5S//mXRfOvgqSN1aU4BqdYX3SmkjpTplfYmvRlcKqaWdOhe/45hhwRKXeF8UZG1xcr8AspQN9l5U2hpe0LXWf0EcD7NRdq5vG8K2DDiAaMlcdqiZydjJEnt1uNvHqD+g3qteMQvpCLGeN0KXHnQnOd/n2irSCe5I82tpqhAUgJ5K99nmjhj4TUQpwcczSI8NJfB9kjbYt36qBve+uqcWKZyY5STQcqSmK6fTAWk1Rb67XJ/JdzL0rmm1PjgZgYDk0z7HhzMZiP5rGNiTPBqQKCcgInX3V6R27R7yefpvYFQs3BE+BG0eYOSWZuQGTzHaXyD1W3SSWfA4PnUoVg0vHBDYZK/ypvsSoRoZOpfljhVYjgPg+WV+8CEuuvGffDLyi3qLoXy9Wm+vWspwUEi4enq+fmusQPN/79yFmYg3R2It5N8sdutVz1B3V1H7b8vgOkG/sQg644cU8YRekV0gwQ6r/4nq7pR6JV6T338bYVaUyqjv2FzPpb5IFfmXgqtmI8Lj8Oerv45hC8G1Pt7vZLwHZO7Xgneyc8D3WmhtZxzK2d4IOsKEAT62HTBke2j0K77FdMDhUY+yW7lXxk6JYURLScyJOLCrtEzO6uUPBmUcI32mLJ5YbeAnj460LoeNgoKo9Y73tYuUpCa0VsYG5dQQsxni1XI3CJYTSPqUrNtHYCbzMb01ph8T3TlQvBPR1jP0iR1nuLh1bQXacmQhFzYMTIU61X71prhiix8bdzQaN0dIrn/V+Io9GDTQ2UUNlRzS7Ma+HDQJ2/0lYC2qw32htn9STp8Y1xf1L+8pa6T19e4tfceNwlu1uYnkych9lc2zxY8mwHgkkPPFLYVjsiR+9EZllkcOknKOcpB01q7bcAjToPIdOcE5/tDW+230icjj0vWQHHhyA4UDP1iVZrKEWftoauFJaxhrKjQkT09XpG7nWSZxNi2qzoVwkPR5DZRJ3VwD12XU6v/tFVWSybux98kg1auI7wusekZrPpogRJMXKIeNRtVmC0ZKbuiJGQlgQwCtLkxxqjCyyk352nlPzMVozcxqz2M7huoKFh9mwLdhuobMwhQel4qI0No69TZ5tmmfPA59P+vQc1i3Ts/qOXMU4ZNM29ZaGSowkZdPkmFJ7UI0+TIH81UNUuZaPS9YVnNbAkg8LDDdGKF7gftWGR3XosMriR4D5IDSX82qN1citpuqpzPA2ohBxwCrEXgr3mC6y4WFtyQMX1XWfcXEoSEs0UQ0aQ6tpLM/xxtiD2hIPppn+qsguneHRlb3pfx0DYZ0bGwWhe3ixW/cGLk58Bz47xGrKL41StUAwatap2JkK1fb+qdPXM9Hkv/KfHV7MpvsHpPh1TWwD419ZRL0nHNSQQITlrtErY0Ep6Tv9CRt+CWdKSjQ5WguQCjzKeQ/WqzrvG4F605AdI90M5XPsmuVLxhGQCtvOIFPbG75komSLdNj9hmKPTbmTTRmRgcW/TaCOMBr2mGfxtFWpdXsbQ7uUaKuMAR6yW12l6LQMLQKPX6nCdIpOnS70IEz6rtyUqzn9gZDRwHi17FHezrzBlc1cuCxuPMAbqZOxP0kI2cIg1wEsivMENlIpwA1j8+DwlcaIQZ7cnYKDjmxG89YOGC/sqDXmxitOg7rPTLTeU/SS5jyqT+n6fTX6nXDa7cZqgP1724rpXjgCFPfl92rCfiCxerTe4vYvflAqmYGbPaQovZq5hFNy06Fakh8REfo7x/mC8MdWr+Bs68tt3VwBpkGGbocvz3+l/VxUDQfFNM7M3XSgLJCjo7PrBkr6OkK4rnp3RdnNzp/NhOS+vN7Sy603DcHz/BkMGqzoAliZ5TDbULsxXfvfsK3KZK7dWGTdl50g6Sdy0tWiZXOVHIvS1aHHzEXUiaNedt7EKfD+adfTfu70dTghMHnoDGB68JKNjpxR6w1sHxMvDonPGNuu5b439usGNNijvP9d9efRewpBxR7uvRtI+SD/Ni7VGP7xql3/sKifUI/z5friIX5BU9GZaEFA2o37OaG15tjvP83C7JlnKLKsjOd7IavmjTT9rPMb9mhRgbln5PrhCJ+hNtsFjyXMmTNfzIUrszrna92EUeP2rjoCxDthPc2OIyEZSyo8j+nGcSIzXpuTVmVh3M3+FX53c5jBgc6wWvRGVD9HviQX/KIwPIRsqv1l4L2jITXmnYTZ2ue2J7HZhFvXMy7KCB1t6bu5740riEmWTYe3zPBRic6y/joI8SKufQL2mE/INMl2LGApt18Nl+tXiWZW5/DLy/Du9JHRbfmKrFIrfCykP6Y/FHBkfqpctp5eFnbYjmysQT4jZ3+AKfdl1y2us+Jn/g3yTpqwxusHq8j6QSlD/QF5DHK8Om/4UJIG/t7fLb97duZKTkTwusEVgbOcX2ed+/3v/5xJD95c/wFzh9PiREQAAA==",
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
  /** The ids that are shown. */
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
        onsort && column.isSorted !== false ? element('button', { type: 'button', on: { click: sort } }, label,
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
            at: "/console/text.js", .script, tag: "\"1e592d1ef7351e114f78d793463c84f6\"",
            packed: "H4sIAAAAAAACA4VY55LbyBH+r6doqbYOwAoCV84mTW8553j5yLU5CwwXI4EzLMxwKRbF++kH8CP6SdxhkBTqFIGe0F9/HbGzGXxWawj6TQC3BWVB22DCaQ6NMhW4QwBjoTFW+xyOJtQQam1asIfdvW5RpmwFO9W+9qACrjmv6WGrDk0onpjd3rUBzhBarXN4VM1B/yLABbat20FSFLNX3tnilU8Ww17d6B2CyGFrmiaHPQKxORys19oOR2eV200P4hYT/rbdeh1G2/CSoFvZ+WR2ff0EruGPn/7tr71ZBXxZm6DB71WJ2BtnNZS1sg86Wnes0aBSWesC3GtgGHhYgQ+tsQ8oK91OezDBg/al2us5kYQb20fdkj4fXKu9CNVOFyibPdFvGPb2YMtgHIJRJ2Q7JU9kcH4CUDrrA/jaHS0sIVXIiLZVBsufs7sK35hS92I8AFC0GulCqbCVQ7p1h3hmVRTFL9pWnURWNNo+hDq7K3Zqn6b/ztGmSr/hrZv1+nB1lm1IRfsrV6HbUtlQBPcpG56+/FFW7FX1aVBtSH+QQ3KTZJdNVrxyxqZJkmWL3opjixSTFRavElU2sC6ytNtV1qapWk3m0r5ipznI4PZW3mNk+AWfMVtIn3ZHbjt7oNXh0NrhrltIp5dBcr4kMIdkdZdkMBeGZQ+RyQ/E6GKEzFirW4S1uToL9gvARjYMBgZG3ikWXvmNDZXHwmIAwHK5BCRXb43VFSFK+CqAOWkQQMP2XyAqeVMh6108W/vrOf69miHzSDwezeC5MC2Hc4GdTS3xn9YUd8sppfDJJ9CTWXgM6DQ9Q+Qsh37bhW0ZHNOvTJRQYsGy13Xb0RNDIwcmPkkGR8atCIMPR2/Cz5bwk5vep5vV1ZlWL3cT7lduT7FeNs7rO1T7cXfLKbmNmKaDl7W9OjNRl6vzBOcmH5Y2mexj5+NGVnZhGBf6R+6M7FO1k0Qm1yAzFy49WGhUgE2rVbUBZf0R8S1GcXCsdatBSTE2Hu2QSnXSIcdFU9ajugJenTzc60DV7UP1ROHKbh9SUicFJbQnOI8ZoKU0YxugVKGsJ8sDMt4RjaB2IbCoG1B/OI7Lp63Aal012nfF0OcQHGCJ3Cu0zmANPRXwGZkYajWx0wcySXkwJP6gUViGnTWlaoTeD5tFS0OaPEtv56t/PVuv796u10V2/eztCtZhbdft3fPZw6REyuPq5g6eYoImz5JpakpBNLZsDpX2abJeYxjfMvZCeoHZnlJ+RVu9jjdn3dHsY1QL5AVgM/6FjbSN2LG6+KAD9hik6H3u2zElc4yIxh05TvAcLnFbcvevdBnGjMbmEvT+M8d1GeuM1P7Z1ZleOgJ/0TRp8i2l7LdY3ifSGUtfUtFfdAGuUXML4ejYJA/k89j3BPUijg6yFMOiwqCIg4Xf66ZBKqdgY+Xi2gkpWpaDI00M2VmuqCKBt295Azyd1FisK7L8nngIKTyV8UWDSJRki3H+0rSzgaBeay/U71t3j1Uw8aDb1mFOM6Ijz0LiFvFjALpNU5zbiuYlGS08ZlFTQa0eKT0+FPYyYP1ty0GfRy1IxOpuPCmQY5ieGBfvtVfrKlrvCkPKG+JMFq/ujmbjSikHYw+WhtS3ZMQ/7wPxVjB0AOKEctNfWzTKhz/QFIG2YPhknBs37xZRsa+QyY3aUDyOPo/TnWRrr/Y2LmRT72bSgt87n0OlgzJNd49wJGvz+P97LXpiGcEeps3IXcSQc+RzIx94GV6oT3PvwyYiMC4bBNI3iScgGa4rE1xbwEZm0Q2FUHBNhWokbCirDh5vr5z2i2lYblZnQSNgsF928DyNrp9/9tsXL3/EFvgPD6N06jeMIG0UlpQcBMY43h4OgYxbdiNAmuxbneRwhhL97NFGnq+pSKjWqBe1qSptE5SH9qATuIzmw8b4ML7p0Ewu4s8JD/eqQrGpUEIAX4gYRa1rNApVo9swvVi1Wo0vpnMkw0Pi9k5FidHcQ2WbEWm0XYSV9mVr7nV1f6IlRFyYigj2IQJKcokkO0fsxu4PuJBKjFWtOv6Z6Eizjss0w0e80jVNt+0cSS1E/Jnbw5JNGAQLuMAlmtjowKVBV7jN6iP8BeM94z4iRVbqE09j//vPf9mr8RjhsbDkGWzkBav/tuUKK7GMmEQ9V4khn+Ny4feNQVLXNsnixEa3DWE0snpSiTgwYDm5+/2rxuO1soGtXMVP0aIoxPLitT7h9XcysmXDRNkdWS7F2G6KlB2d/bKLZYKmdUdEhkyGutjhjfKg3qRR8Y9oyH6Zw/e/N5l4sYsFKckiRY6ZbqGYRVvXQtrofjp+uZAnnHH5bnl9/lyo6r9wopm18gwhG5ZBNDxfwibOxWsbB+MILBh70J3kIv8L1GJ/8LUUriE5SBXnXTCBEiqqftBBVPfBTm8vlCQgJVwO8kkYEUZmoGOAvCoiwUAf9qlEei5wpE7JfDSJoAf3meuj8Ty4aevKgxd3Rwnu+BQt4WP/5PySY320Dnsn6dU5mOI6lQzoFb4gd1/D924GZBJEAoVb4HzgrzKPk7IlNZz4+fgespt3RD4YYJZzfcmknjzEWKIk6vQPmYMFQbbFThR5GkLzDL7jhT/VcxjMv8Qk7Bw2XAtLGUpHoVgh52REofCyR/0bMYkyTEB/zA/vqZ+8R7+875kBZtwxLiciEss5TlNpBoPx7xVG2dDNBOP+GAeB1dT7snY3RDOHLfklh++6a/B3Y9Dd9tA0oxi4R1c7i/JRJp/2GEnDShce/NOvpE88Sbg8tpgS6/Hr2DummXKhiNpwebk6T826bNCyBPASvltCBn+NPR3Nkzo8+PUXIbQGIepUOqKxGCqGerK09P4O3Xgdy6neuUf9sYPZd3mWpu5P6avwWPMHglA8/DBOOmm1YIbnYHiNR2g6XbumSvHkEBQRk6r+ZpsTLOHpU1yeBCCXPliywlv6/Jvg4bITGZ8UIlq+0Az3f97zDrdRFQAA",
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
            at: "/console/transfer.js", .script, tag: "\"dad8b6db506d597be7333838136ea4d4\"",
            packed: "H4sIAAAAAAACA61X57bbOA7+76fAVEo3vnL6ybHjZHrvvY95JchWIpFeks6N16Nz9mn2wfZJFgRFm1fTyy+xgOj4AM1m8LpyjWvQgrRQNy3aOeid87sPXnvn0w8/mEKjoDa6G/agDUjglTRG7otJ0221cXAAbLFD5ewUOuwu0Fjow0tRFLNHVqvikRWLE73Tj1G9hbJCc6KcaUN7OyKV9nFCYtE8QRNIxtKn3op2CnqL6rVGtno9ha3RF3T7qjTVFKx8gm+QoQm/SncjZhd7h2RHqXee47bdGdn6p/tUi42+HD3boEESrUr83BC922/9In3jpMPwaFJqZR102rrXn/r3WMES7lzHu4vhaiuN+7T5N9LxPTiDG9dv3h4+C6DIsY6ga5KH8KNFN5nMzs7gU7LPgmxbcBvpQIJFacoNuUVVlmyRawRZOzS8nIPSLjLpdPDg5aahB40lg5uqgLPZBFlDkHavSqh3qnSNVhBOP9GXNttFe8lLpHIOhwlAMKPUXSeVN25VEhmc188fktBneQ/i+UOrS+mZFto060b1syc3Zj8GAQ893+XzB1SlrvDzT95+VZPDFama+Zu8F/AAiCet+0JVPtNWCxLf1JB5Zeg29XIOBt3OKHBavyfNGrNBw3wRdWbDYRlzKhNbMaXwGt2Sw4QP4s4K6KcgXkFSVjVqDf/7z38Fc2jRQWO/lCpE1JkdnhhXnJKwTPIzo0poHHMOKpKsC13t5/AtJVwmPvrdiBUin7LK31MM0DriFDx3HsSRqqxZ2BVugyrLclg+gEOqaS1bi4uB9pSClq6+/T5atsHW016Pe0PRT/es6MkN72vD1juz55QgJfSwOMkg+5aDhQ/hQLbVFh3ZufOFHM57mCc3LPSnn1KKQA79IuHNIINPKaN9TkDvpVzKxnk4ycSbr38mjsUaEvgAbdM1bk5Fdv36FNZG77ZHPdZrg2vpMB4UReFV54Uv/JCM5L78qg6Nw45cFEEx8xrlhS/HjEKvZIfQczB4uVwuQfATMeLDcAtLtqiwbVNixnSFJAPDClU1etQ2Cu0pk23GXPKik1sv3T+lR4MCq+cPfD1wHy7z/ju1imxDRhTbnd1kZDezj3chLNeWQWjRolq7TbzjvKE7hZfwSqsvsm9Z1Pd54Us0UoWEIX25XXToZKHIXB/rZ0IivPjiFfbeXxytyCFQjRnEWwY078BXtXKoHCy90QHfM68+lTT6jrgXcdUgRaKfEsAw4GbekLxfHTWugY/GIHNMcuCGlHnJxJLNI2BWhPTw/itzoJWsukY11hnptAEnHw/4rWuiREZVuGzIVjE9IZKHQtqHVIwAdowERIzbqQop1bCKNz1/e4/xLUIWHO69GoEg8GC7jkfHppmtRjg7DQnxy4/+qrNZXFWwj3sopaNulA1NPDg2dWra3o9UOb+dRD8M0LeY9LHvRvAnpSL+cw38Ii6PojYC6Jf/eAgJqJOmYn4ewe8ZfrmRf2ka59nwWCYsRAdBo4LTFyB5wZ2a5GJFUdUtgjbcI6TzOvxG/w5zC8fVywgNPDj4j7fBY8sJ3M7T7vgJyuoP9EY+DhakrcSGnLnO004AsuBPtppT28Cl3P+x5rp6m/WjOva2Fh5s+9UQSDZ0bEjgRvZJ9palcH8rXpWqxJYOh/45SXDefviEoQfVKO09pL/aaotiKJNxz50kFRvYcPp+/33ajBmol6GqSs/NUkQGJfPiXzs0+0+xxZL8mImClLZwsXNOK/Fnm3/SrWtthp6ZnSYCHwbOQE6bPGRMrP9nTgBwYVA+jsATosnvRq0h6ckfffipb8oBZbgvhwlv5udbitYhxMsTMKNHulGZ+E4JblJT2PBIaf2sIAb3n39GHASFVW63bROGzNnT84BflKZsMusRU/DaSMs/0DrCy1/HM772ZcCYxsj0j7Asnj8cY/gQhACyEz7bIBi0jmrDQou18390hej/KJ6SDvzjM6iQ9yfokQYHyQtYHZG3IP6ljsPLTj1W+lKJwW8PYTVULXdyzp/sZCX/cAhf3WRVDo2vI0YvZkKAhvTUhPP5ytuXsvI2MjljrpqL3+kG49JMC/PnrYJh+COSwsAjIYCktGEU40P+EfYc7TxA1BS0YWvjxBVHdX7DYHwVhc+SUkqxt7EvDwNfxgXC0ofJ7PqUfwNztiXL6Wua7lMnDW0K67/2S+o2mfj2CLssJZ3k+T8twu24zNkkr3nU4uExBz6sMz/DfUYEr6GfQghtdq4+v8e9oZZOtnMGdiqsomKK1AB2wyu7ukZDiucQ3DZCkqBDqL848Q67M7jF/UCGX2cOx+efvXF+7ziAJLXr55qM7bwWuT04/VbTUJnQcvLepkkywbN9g23FRBEFEi/yPvUi13UkCiMyz/rhKqixHPSICTlSOE9EcgYesyT1P3NlJX/+Z8CpkOUxqEM4k0mfojr+G4hSf2n4LwxuW1niy23LQEvFCiJn3UZ5nAYSDvH3EC1XmUh+gUPW0OkfzqOjNZ6lDEOB/94POeVdy3ty7w24fx9uXr+aSeWGQIlejQqJreR3kMV3+dUMXSRcZNv6amSTrkUzYoqzCK+5dQZlNx+xTVWFnqRYakaOPTrICJ7iiW2rt0FyGkN2L+NQ2+acN/4ghDtGkGnS1PJMRyR0xKn1f3rfsEz8EwAA",
            text: ##"""
// Entities as files: out as NDJSON, in from NDJSON or a JSON array.
import { elements, members } from '../json.js';
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
  if (size > mostExported) return tooLarge(command);
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
        fill(said, 'More than 50 MB: an administrator takes all of the type with ', element('code', null, command));
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

const tooLarge = (command) => openDialog({ title: 'More than 50 MB', body: [say('An administrator takes all of the type with'), element('pre', null, command)] });

/** Writes a file's entities in parts; a part is stored whole or not at all. */
export async function importFile(file, type) {
  const said = element('p', { role: 'status', test: 'import-status' }, 'Reading …');
  let isWanted = true;
  let stored = 0;
  let sent = 0; // lines of the part under way
  const dialog = openDialog({ title: `Import ${file.name}`, body: said, test: 'import-dialog', actions: [['Cancel', () => {
    const isOver = end.textContent === 'Close';
    isWanted = false;
    return isOver;
  }]] });
  const end = said.closest('dialog').querySelector('.acts button');
  dialog.then(() => { isWanted = false; });
  try {
    for await (const part of parts(file)) {
      if (!isWanted) break;
      sent = part.length;
      await ask('POST', `${typeUrl(type)}/_set`, { body: `${part.join('\n')}\n`, headers: { 'Content-Type': 'application/x-ndjson' } });
      stored += part.length;
      said.textContent = `${plural(stored, 'entity', 'entities')} stored …`;
    }
    said.textContent = `${plural(stored, 'entity', 'entities')} stored.${isWanted ? '' : ' The rest was left out.'}`;
  } catch (problem) {
    fill(said, `${count(stored)} entities are stored; `, problem.outcome === 'unknown'
      ? `of the next part (${plural(sent, 'line')}) it is not known whether it is:` : 'the next part was not taken:', problemCard(problem));
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
            at: "/freshet.js", .script, tag: "\"f6bab297763acaf91f3b7dfdf9cbca6e\"",
            packed: "H4sIAAAAAAACA1yT15arPAyF73kK3YXMYuCvp/fee7nFMSJ4AnaWrITJlHc/Ep6eLmvrkxA7VQVPwfYOPUNo4RVh7JChDQRrs8RYwBhohRTB+AbWFJZkhgjcGYbObBHqFtl2dZlVlbxAH25YB2I4Bhu8R8twCi2FAWZVm/DlQZzdP1eLKDKcZeDheVE+v6EQ3IaizHUqIjMad1FURuR8xiauZoXIXHMPbhfAjnu8B7Pf5Bgl0QQvYWv6iHB6Ex7W6OHhBbB3W7xCbF3PSMJSBjx8mCiSCtRM5/vNRsPeDY7vwT9/XW2g6NI0zcstev7gIqNHyme2M36pRfkcHj6C2IUxn6SOcYjzi/p0qYlCaGyHMU+LmCSq+hS4c34JLgKTwwbM0jgP8opoCWWi0XEHBuoV7mrIuUN426DcJZnF7vbf424u2VEXBdZ4WCAQrtGwsBY7EL22sabvkUp4SRTUD4SKPHPMFwqLHoe6hE+bYYEUBbILvpHiEFGt9c5szXdLbs1T6QrlR4I7AsZDvqdNav2V6w7mtV7QqEbTgSPSFkm+PBdQkxlzVSaRHoKJ4FiiQqdauKXzPCWNboJxKaNrgwsPNiVH6Eyc6LxbYyyz7MK6rvncFvL5Q5oUsDX9Bp9eGrmsDmLwycYXJc+TcV3wBaiBrqg1vKFG2ZaMrXwZeUBd2hRcKSNsNhYpVWa2NzHCNzPCcXbmW9pYDpQ2IUyxQSw1ECvr1304zU6zrNrbg3ffP3+aztJf9+bSStirMjzU2RIZZMNCSWg1qMdRe6eD+wn6+8bNMT6OKEODEwL+6dRKlBu3kfarMI4rICcaOldd8q/ynPVP7qmMs5fjDTkiZDOmSK9IzaWwap9mH2yfZLv7A6CGpHGO3SQWgUZ3o7vRF1BWfEBIg6xkGmaibeeAkrToh3JY90XyCelz3lW2SI7a7j6mjzLNEXYeW1pCfNi26mGOeyK5BRSf3pX919r2w5fEDh2G1duHCzrMExHGhH3KyqlBHMtmzARXkvTrWxvw5JUdyrpJzs4SPyL+RQ/wHrJTXgtFtOXSEkYT820UBCRAMB4FBhQE41Tz/KlmHVMzfC1t35dXep68wqBW86eatSw4TR0DvKWLSwUX5KdAwxhDhw8sYsv4fuEdCuxtQXzaakrGYNkW2OiW5VtEkJfWtuRcVuK6uvUgmg/UaWDeLbUQMKL32diS/LACwYCCCIpnKP+hIfSxUaPaPGbaWPZh4vnko48S9mLfL1I1KuYRzuT5tSUrLueDUEWE5dO0sq/qviZjJrcJB/i67MPhEvHgjGLZTM7mX2158215S2ETkwrLLgCoP2wT4qoe3rITUM75WnzCKf3bw2HUvTjrifDXd96nVt7DM6DzsPAji3UrbtALACfN85Ntz6oAJDNxTvltueotw0JK9SJJ2St3C4HKid6MIq9pJbwYlu8HCDV53b8oF/ZLsJA66CzbrnN+PCCH4CRtYJhJElH1jCYfEL11W9lF3doqCxvQC/0YL2a7Wq+w61OvY51caU85UIwqe/J5KcVAIlGuG7hSzrpMn1HexYFTgi5ibQikDPXs/Px58vD5l9pLerGHDIoJkAu+5cEeYgeLYg+PmS8A8SFuunnJgHm34ti5XSdbgQfGEkH0Ia875R8OTn6DMn+TkUUOGcxwjOpuLGHP89wtjN0ujpRgd3b74w/fyOLMcabPLOMiMP6rxz1PNKW4G5mlsn/bzpMrO4hxcYSfkMg5p/UMtNZWXz5JDcEYnicB6CQUxnwtDqZXuah2lan5/6fnhhEP1/t0HELKRf7KadnKNqXweF3fIhlxEbJ2aXbHvrS35Wp+nStWurZ5S9SB9Cyv23mzrkiVPllxx86cSEJ58onJkinxXw5Tjri2raayl5xSxuXTtkoz8prtFTE0gj+Yij7Ded/Uc5sy4bwk1PKDEGXbc0CQTjRZFsscO4A4YpHHsv39IvVHU0tWoYMU972LBuKF7EF1/qWBgAMpOUHJXwgDEHAYDupq1a1vaU/6k1fpTC8VgjnbnwGAybJ8SW45lU9JtdINHw/FNqYmoD8NbLgVo983F20p9nUBEa261/0lG5Dan2bBGU1lMnYBZjOaDDrZRVdXgmwPFxPIwpY9OqF+SYsuk5kzIIZ0bI7avGSrWD5x+g92I/6zaZiwZPXsGpOS47Yck44zidOkkKqLU3042PqdeEmAs38MFniPfKmznQ2BLMiNT4BP/BGMKHJH0C8moNCdoEAkiTvxU+eEWHLR1DCdLLmipL8X5jnvKRFZoXRmlqdbroDcwciMtkzsY+aqKc+CbJVV9eknn0TQdf/X667hBQ6yrnoOkdG6mWb9lB0QCQxJGCfmAuRd03Mu/lmOhGjCf6u6H0i/A9wLkpW6TUpS5LIbrCHg1y0K4oCxaEmhxRRkrrqkk/0igsOVNZaLQGwymUEZMZ/KtAkYpVEQC5TIAiFxJKeY/XgmwoMGlXvBueFaayh3vUzknDZbaxDDAFeR4pMzgsL4mExBl8TtzcqNjNIHABNva9tU98CDH3PbFY7O8jaklTA7mc2UeNB28CCWfguc1/2vvyYfBGD+YLTyQ4g6984D0ffHScqAeWWptUOH94wmFsP3ayfW5P8gTXdg3RHWR/TxypYDG8uKuwZNObf9qXQcKFFHpqgzn2V5w7BtfDT7EJCRk+q0RZm5S9K5+JaEDsDxSdjN9/Tk0hJXDMBQO/o0z79/cW6SKf348dxEMRBJhZQzKVDsxPYMvitwjbwhEpK0e3rnPHvSrsQl+l5dWUY2v57SyWgaOU+vIKJMywhAOp3g70ByN32RWZXAHNqLef7w/PEzs7+ZIGDBkql9vaB0ob1KCSre3w9brsliUROg/pe8FZlMsSFvMhY8WmzQVKMvrpOjjUIC4Ec853s3CUgDKOxTFw48KufWdC9/obzUZAel8OTpN0/Pn0ZiAEKVY+yLQCD+SHL4YW8pzYKZTZLieBPIZePJz9hKoWQPFjzdiBKAq93kYi+LQZR30D7T4NZWbBMbj3DieqxTvwcgcC2z+5g02U6MfmHpYJcN6n2uBcUKqEZf1hxgm4YV3kr7tbjYiHvc6MM+juRz3RH477//w1/gB5+XRWQdLxmQW6UrpM3aOP6sMszJq09PfhbMRmlgkwQyhOCwLnxXena3yGI7oUmq98DUbnqqNeMBkSHig44oGeUbzhT3Ilw5SGYveOMyoDhxqE6ON7J+PKmrQtK+jWhzNycLxKopod31lur3lEDiAsFxkWXenHxJMcY+468sb9uH6salSQV3SwvOOXzfFKnUBG3sYqcL7q2DYe+sLtjPTCRhG4bGsozialGraL1qaPquYkN5m6ume1k254zLV9FnrlhluamS1vsfMEtEQkU8VRXtZI9V3VZURTZpb4ZaPgylipi2pL21+WuW/h08KOpaa4yT+nut9W0/dIpYVNQQoi33/rahb8r+OqcOyMuuoojQ+xC5Ijhu4PUwfSB8IIl0n2zibulIgm9sv1MXM/L1fE7jjO3zT75gHDqAgLMoVvMumZHgESTNnyR9fdWWTZz1wwjQIYeAn2FNirVa+VuRSUuK1+SU6KemXBPxVf1O7IHrKp7CVdVDPcWx4BHZP+3seLPFNhaKCDO+k4DGxIjhgT7us7HGtB67GS5P2NOVt7dNDSOVSwyjyGjuSby3ww7bGLsDCeQGZlh0Lg4z++je9RI7DSehGIzdCganWw/M38AtpYIuFDXFoVyR11UNI2hcn4WwScC688lC1WAH67nCIFaPxl1h8Af7J17o8lqvLeosB68MbkPckYtSR56tEdYZ7HGKuy0RwdTL0NsneVJ2epSc0hVJP3Qra1RtweIIZFwtzmOpgxhpNdFOUmkzwsi9OID/LC9fdqthW9EK5GkUXkIn3nEOjXJbhtWpx549ffjE7AQJs25vWioRjUOqJB0feYq6uAaRPhXfeGDX2JeZeD4mCa4/KKlQ5UVVV6QhL4UpHSnZib8cGYsgtnFr9k5k3Q2fKvcBHtg+2ME4sfgLBop32hRjTxv4j1EpRbtx9+1rB7ZgNvyUFORw7ScHyaiTL32JILDS+QiNfU66YaTLrlqTK78qX/lUO9yzKmo8hvxFJk5jKqEvrmlME9Eqj3WtT/MJQyG0cAEol38FF5lTOh9rW+A+o7+xFRf2YCig32XKjyvGOGvhH/nPqJw9iGMYuV3s/OH6N6Tvb6Vsoh/fEcPu48Zu48LvCAnIkEJmufUtDnvsquFCL8yXi/syay7ZM5ZXHlr5JjB1Nw6GiBHpZQoZbeowkp27f0FDwPvpwt1xNPZbQWq7fd+4btbq0NXyH0/e78K4cyD5Q3Xci+cru2DngPnZsm7rZdkUSDKqitxRfPW2JC4k7WgaWDjnZ3xLlntHWnEWzGYpxzQ5izoQ5P0qy47sxx++fNyR6Fu+eInKBZ83mizvKbTSyAn9vO1u0yxT7fXpoUb7xDGBFyXV+2o3zJoMBTFesPzOeg8UxnB5GW6aXB3Ol1ReibC93f4KRwiMSZNDfRrznqB7vGG0o9BwN44YwjJilEOMOXXFA/uTnt0Jaat9K30cwzmUv4gruMQ7//vzpydfPjmjsrI4ZZzlalVSbtoiqbcDiQD5ZVP3XDUxs4X0Oouwl0Ku47hJ5m+rg0AO3/goPwLzZuRSvX8vbYnctvxup08BnuVojaTphXt5csnFHn7uZYFqmJl1lwkXbKF6tT5eGGa2HvL287qXv6kMZ/4GiSR4gfXRYSK92HbPmJlcNs6ON0ANJmhKSO/Dy1SW/9LVFO3GggnAbyjbMbnRZpLn7zOUtguH1j3n4UWG6txqNMjLsG3pTSYzmMLBbaAZwyv324NsUsXhZXVFm8A2nJSgYd9iPWOpCfXx7HiDOWzefGRoKWGWWTFW8OruePQTnN/V65F17jrn4tI4cyCpMQZ9FxOeAThtl/32jZArxOueXwGph1V4VdXzyOEL/5C3C87gDvApr4LKdk4VAb8kCrWwTEq+Gt/7YwLaB2UT1qAH58j4ZRfofU/c7CR51HWNLVv6UV992Q6XeU95Y5re1G2lTpRiS2YCkXg3ufyXpJcFgoeOT1hdXLjTEB8Gj5QHoCY+tmQFl8VpJC3tKyOB6Ibm7iTVjqxFCM2rxWRROokarF68VeK70y8BLvYsMD+4FjcUdoa57FI/iig23vC1d2OlAwf/in2bpqcg+SjtbAPOZ3q8YSDy+SMfxXHnlQsnSlNJXUMMley0uFfIX1j569JdzKlXNrQwmTmtMAdaQZzOsnO4x97h5J/pT/d+PcrvHWXHJ2TQ/bDvUosjZxXjEbkmFUr3A7uOGK27AiIaR+lP1cfZEVGwb+w8TiMs8eoOv8nO8otPL5UKgOPOTp67VgMkx07F4OHSRzNJJeQa2TGyt/AuTFU8itk39x3A/RoX0IqVcWuUkvaFG79DiOQ91325LgOe78rvwhndPhKi0ZSRZRk4jR+F8Qyvaezgt8pb8UVmXMuxmfPRKw49fjzeRLBccnpmpFkC0zi4E93GCXqkIK9EnSju7nrZEF6l7b0HcTO68eOGznJ2gMlMORgvq/ghnGr2ugl5EOJ/29bdfinj26/zcc2Kj8nhmjkZJ6Avtvg/Ypc9NawuAAA=",
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
            at: "/live.js", .script, tag: "\"bce64d3a7cc5c241c724286b6175ca1e\"",
            packed: "H4sIAAAAAAACA2xV53ojtw7976fAvSmSNspoe++9N3nTi+khpGHMIRUQ8qzSnyYPlicJQGrk2e/LFhcSOAc4OIRmM3jujhF+XiM5TBAX8JAwNciwiASHFLuElKq92Uz+gf5x7SoSw6/gNfF3WFBsYTTT36qf0uhaH1fHkBjYpKMEN3LweDQ7PjPLJ7cWzjPSDRsD3rixMD7hp5GsnHy+IhfJ8eZT71rHN86eHk16zIJWGWsfHGPg5y4xBqTxqG5MWOJoCuNfwSIb5+H3Cdy4CamJ3bhkOcY2TbfXlaQjoZ2cYP/z198f0tQ+JhznAL34sjEMLmXIoD/ge1Oz30CnF9wgJDRUN9DFtbdgQuqQpvLdQmKzkcRYwR3vBf0wC20CSKNLFwTSECpHDKi6BazZxXBVUIVHpELlE5Gi8pRwKzx0hASs9E30NoFjGHcNEgLnrxIGIW7jFb+kiApo6kYLgcYI8IBTC3OcQHqcVDDHYyTjd/ZIjCvguETFn5bRl5pbmZXcKIkBbxhJL67CQRnNgTbAUiRIfUFa8UokKK0WWaSs4HlMPKgl5bvWWASzNC5kMZWBMK1bvAYhikBhqditSwmtBgxPy6y4czWK9rlh3o6xcdZiyC43kh3WjKBj1xPl6FHWgZ0HV0aPGEop/YN4uW4PkfI4D7LBDsBk+WNCPXxqjs28Jrfiq3CImyjlnf3hwjntfANeg6w4gFPxyenqzGnh0e+ifQRnUxaUsGhnVoYYDjea7ggY37MmSlxua8CW5xoEITAukXKbaiFITFmb0Nfbi5rRxs5ONHXoaRILyLfA01KrYpWfKpgtyrKobMVJE3MOb1YoK2Nvtyneol3XSLtlUc2onJSFsYt78Wq+/+Obdw/ePnkwn8IcU3IxDLJSOSlZe7NTp2Bf6EKegahdql6ZJaYsZ/9A0Pti+Ki2vbp7gNxFkOZStpqNOnJoUbqBU7O9sr5ePJjP7zx6MIcbcOZaZnwcO/BRJDS9hdRVy4gCGaYqbOu8dwkFwKYB1OMn9+8/eClAF0/LnxOw1oQNoO6z4vcjXBWNi4m6JoLPi648q+KUpk+U50Wm5uLB3OWAMuv58O2dF7mBs8I6vNh/8NW+9gXXr8OZi1tBvzRcN6pffvOb7SvNoo50K/Q76xocrMmXZy33xlrCVNZavwejziSvBwzseJMLw/d51ot1yE+8fC4I0lTGz/EIw1TwKDJ7nEIwLcr4b8Cvss1/3es/U3qyGxCwg3dvnxcAH2ujmFVDuJC1DeAWMN4GV6Vs+N+NGyeB5WySGbsMti/WfUAUaTwyubatDC4NlfjuAylGmYuQ1xQG22us1U+qTgXdVbEy3OSuPoP+qKj1H/3D7wL8+14xigxdONflUZLpimOK4ANSsYuTzBRbPIx2s3VOmuY0bxKrC2DhKPG17UfU9rGjErD8NBxT0XtBUrHKnVv6t3XrWm9cN8L35ylwqsgsD0+7k+Mt6b13f/piWqK9PCuJCil5P0er2zxAHjFPkvkxP1EoiKlbSWIGMxhMwwxccNK6Q4Q9X7CO/qb9nsXKHLBq/PebR2iXrlX+NRUjIkwHXNJqRcKbetN2T+LlDxbkTY0Ap75AA8d2pVyL/4Rfq6tNf878m7reOdaVbJrvnQSf7Gjh5wqHDXBehgzTL4JlOLxHG1egE4zDlbJzK+pxax6wWDDtgvITcBCUt7UaMsMiDad52H4qm5xaxW7vVyGTp9cAsAyj5Fs8X8+IC47JUNtRnPthXf++LrTb3wDhP1UGizTWhW8rNALVWy+iSJsrCFO05C7MA8656moiDXxNbrGDln3uDmpndIweZXAvP612GcadxxrNKmAzRsEZnJR6nfeDiUpRCmUgD5Bh+HvKEHS+7acd+Sf1g3nay/TlA6ehs/gM2kp/jY00n8ov+nbsrc/0NbsEZEFfXZld1z6I3RY2ElnXVYtuSpCMZC6OpA8Ytqv+kBNHYjPCDsPzP/72d3NUbyrkdvUWachpbndc/ETvTAhjMBrMuWwPW+zp51d4w/bZB+osUiM1r6pX5wb9hlu2NgVI67qGc8LA269FYrmf6MKwjIvQ5F/zDfNyV8lE5qjZ08ncVX0dpEeznqEgDX2D7VmoxEfZ+5V520icP8CwxtoP38AtYvDV+T9jIBTdXe4lUoEZ1RHVP9VAvJtPPjEP6/auWv9G5il/bSn/3hLO7dTlh5abcIorO0O97mtCCFmM6wi1O5h01S4lF9/uc+qmQq3rPdIjWb6+q3Wt2/YNLBTWqaxiaC0B8DfNphYpZIpDUkpsIFBqupVzXplHDGjAs1MqwzTypn/1Vpzc3OBwCRsvmIFxcq4xhUKvQMCT/ufYOD99PjZ9c9esJcVx51CslPjJNWA8I8D5hNhwgcRE5wsTcT16HifnwPFHD8U7UW8MrXguPlq23Nfc50RdvW6rlfBGAZxoCOZVfOCsrHepEcHomsV2rhDEd+tqWTP1U+AtjpEMMYLhlJrhUpOpIblXBT9TzALbIySo49QoskTDDfQ700NFuan3Vcn8EueSuZlt2tVhXc90WjmhfnTEw+nTj45Dtn+65eKpyJVQJu/Xqk+xVvf1SKtpJspdaRlpt/RyoaHgF4FEWMg7ZaIUFgggD4qQCAO9+KlCjdUjMqRgGZesv7B4xJryAoaf72rxetiWzFtLclGUjsol4oRVFmJeXD0qO9W+MqdIzPHWgPlwxUAoRbPf5LK6x+ahEndp33tRcwlF/d6DFJYRDVl62peoXiMtCdNSr/fnIpK0osZpBlPG0gAv1N4zpzUtkwL5+ueOq7c8YcOy7mo5JCKL3MuIZQq0yAt0AkKj/EDoos4Qxlu72+zY1l4f7mhoPzjcBcrgKn0yDKDy67bZZiHpWEBuBOiTHGOyAUmmL8wZqz7LrcAZpKApbCwllZ2m2lcuBaIje6zpyVCmQ5WOHsjrdiyHtXJ6U5alss75FqUWNbPsphhSnbk5Yto9jrGnhV3UzYwhXoKYOKEZTpn4v6uD74uy2S7Xh1XdZ0CPZeUEeTR3SNHmlqVyU+2EtKZbJKUvhbm5mWEa0CE/8xHBAl6pe3olOfFBhHHfbBErFguZiF4kHSrfH4W2QuQs51I9/M0VZ5SFlX3z19o8N58X9lgzAOkB68WLkD4poxqSqfDPU0hEmmgfysdqLbad5bm1LAtf6iZcX1+P1p0Hy+KUXrvw1SvkMdBUbzQKqaf8dB3DnGL9YUJ8rdNpjvvsWWBKukTaGsrzv8R7BvDCDFsKWvSq8epXtcSsOlO4PDJRLhAFFfs8j2YD3/jmNgIBxy9j7p6GMbq3iD6PNZz2fLfIT1row/lGsdw2XKgoUKpJHUOW5gAT+hsraRgryUEYzdMkKOiYyjSdKWOI802uO3l4JleB1UwuO1xQiDS1EDIwlBOYfChlNyO08xdSjWkkVmVd3bfrxzqUGpWu37e7QdnjFWWWjwjFABwnR/fOiQnL7xRWLAawKcwmtkH9DAa9lEcxRJwZix993PPw1Xc2IGw9uWcJfpBZ7/oagGcEGftpBI0Fuia+FDX2DZjbXCt4eS8F358GTt3Fv36RsPsHZ3f5i1KdHqo82YCTi9kK/TOXqpVEeFEQz/U1Cw4vlt88wHCrBlJKqXMHQWQ/ma4aVVjn5vN4D1UwkxgXmUFMTqn4IuDIK9KJ1dX3DE43VmSuPcTaR2nssaoPGlnZ26ARiDq4dhRvfd9k1dzfQwqFubVh5xYENI4XqLDcresNihR9e+iWtQV72i5lZmjek7ad4i6jqfaurbY8dH3b5eV7UDItxbgYIdB7FO+U699UnSiFVmd8WeEKr6oo9lFcv/3/vgW0fWR3hhGI3ZtMjwY0mJc4TJljmMuYd0xm8NDVo5F7kVG9mp3UNBiOTYgvUzvpBJuNzyqp8dcPm/7byJSjU5kWumCLmqjF9ZSwmRi3arSH9x1hq5RyZJbf0oiZFo1psyzM3cD+SOVdTDxSDl+Y6qtmpXVM3VD1JDxcALnqSa86IwXlqFdjFkZFIL/MUYqg2zp4mf6wk52MkkmPKQT8SwjiMhZ9CIeEhrkGpfCj0jTXJO48rTyjp4l8mkGECEM7UAaRUBES/ckJWAx76H27r9aXoe1wAN1JOVf2ejWBMYB4rIeuPewmWNLxMfxvxCgncQjj8aqHh65+ENoTtDxMCm+aZgzn8XnmmBAKISgTtowvQg/jCj3gWt7gPgozgZuGZrrNqxnmeKZ0l3SbmYBiziO9jpNSOpWonsChVdPvEBasc83gGvVptrQIszzOKX6lmQtTg8gxuFb5267Zs0gWlcfoV5wPqtCUzfRjnDHc1LsW7cO+/stCWCZev1s3wlg5i/J/HoaZjFX7FwHczeeLELTpxbt153UtEm2FTEG+VovkjMw3wnoMsOwZzPKcDxv/jPOY59fmmaxjjILgT97DXi37tLamvpcxCFXAHg7i+zHeiwqpbFXMsyDBns5isbKvRW/cyidL2PglMcK/kfVYndKcM+tAnBiU6Co1TXB8ZSA9m08BGUBflJqVYA8COpAQ8FN03ueWZ3lcoYzT8ADtZJY2q81qkM/D9VN+HAlQ+BTlnyg8IvhCtD2Twa7eSNcpLmkDLqqscyvjzemRZc8QM6Wm4aoeg4k6dZymzyL/NPGwhp/c8ViMKOG9Cg1eE8re3TQSFtxOub7w3ZOMa04+DzpOMo7bSvUKC0GhqwSRCb+3qbo3odtjfmDL3y6S03g/u/nsxeKzwnyVaylv9tksP73Q63ifR+D7qtv3v5cOll7t+zOM3sxmRqpLn2jOdo3Gwnp2up08ebmDjWnGvehm6P/iqqA/ZfHUg/Idh1zhLj71hM5S5Tjq7I604UZ3GkVc27KLJ4q6azBHaph59864b6p9oUH8/A7mUFY9Ovws5LBMTAiy5pvCdDEuyrCD7DRfK8/gZRTbd7v1kwUmCfIxIuLuTIaEvn0QR7oBuXB8uFI5H0VoyPnbFkhmOAWs6TaHThbnMqXtinMLrVduZBLQJxeJOAuILGds9S1ulrO1yY0GthqVdrHRMqjW0ArX/U5dveSJnmd5NqDkrAdEqATCEs/pAHst6TcC9HDidgcwFMT1mIWquHaWQWncbh4o2ELAqJONAgvUOyhWVyCM+y7Q+ODMsa6cKtv8Prgj1ush8UqvqCH/0gLGUi+VuJb4wEKilewLnXgTOLsmZ7DhNUo6KWcj8Fa3cDi3V66tJ1dDa/udxRA5V71UrejN8TfVHQ+E1tEANTZYkEK1EiNF3KCNK816ACz03I53Z+FxlVIm1CqZPEQFMpByjinVdAib6/xUtrtLxQyMjHsWY2wbk9LoGArJEzo1Czz7eBJB1ItnrAuFsFIdoh7aVzcmDj0xO0U+JkCXAkIO5NqMkBKxlpRd4ciZRD4MCXOoMbt+4hlHwa6nuJoAx3WI98Fx8C0qJVnTGBW1epWmhlFCBNXHeDbKYET30kpcjST/D0XkELPEjuECW1qpMBKBJbF3+7RYkcDQ+HFnhXf4wgvjBnP28lYI9lomhN/SCI24J54Td9s4WZIonCB2Kajhue/5qE9EURM9bln7DWNPI0Zl9+KiiqGHTnsf6S9PjCw1BmYmTDwhqp0bMHFILPJDLLzDFf1/bIXuy3sfNnpcg2eyMXXf2Nwoa7cakpFWWhRkNYosm6OfOYWO8MXdmHCsX484L0WjVpkjAIL6wmk1suqNOfijXKWCLftvJmJ35ZvRxfLwHhOnc1vtGGfk1rfMh8MzGRYO1ahzmLNgHlToJUda8WMxAGvLeT4cJEfLSwiOrWW/N+qTCWDvCqR7I36O3aF/nfEt0v1Qj5EbqsoQsgx6m1alMBqXOng9udqyl7Bv3R1ZJAqs0Wuy5ZwEVF1v5Pdze4d59yQAaOT362ZZ88doAA03wuwllCUkH1sMhOKsBdS1AyyfI5cPuKRDD/0+xXU0Yufs2ECZ5ophS1viJ7YPe6m94GVufvTrn/+s3FWd2L191Ot/zf1TFqDYtWWfF/4KvqS2jj64DXkgBfM8vMqfx2z2r5v7feb3I+F6zDHRXB7nCKGbCgfppaJxncQlEuowM/Z6Q8rxDbKt3W41Ieybu/xd6t3Udrt+StzcgMLVvOttoZauwwb1GNqIx4uVLqbZGJ/uNSkanAifYGLR9JwgzKL/M9cNMnzzzpXkvGOXtXqvHk8OgY21fBzwzMkfl0AQ9VNBCS/Ifd9e4fy1mJ2ucuYC/gzr7+u1xHUhV22XE6gQS/J+0PgSs+XH/hRdiy4Xys283YrLV+aN9FzoK1KXrUrzi3XVDIe23l+iLx11TCPkb3kXG7f5qv3rshN/0W6y/HQrDLja5g9qcS3XFzvY49tiL9x1MbwOJ+bM1cSKaCa69FPOQytEWbbb4IY6zjMdmoo3+H/h7rT9e5epLl7gosJMX50bX6oKCxGUjER3dOfTxI4qaZ73g6TQXQtddlWPam5fPbni1pX7UVKFw35rs7tvS8/1uOzG0jqKFGnek9dhT7gJ/0/7gv0X2joAAA==",
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

  /** A worker that has ended is made anew; in place of one that never answered this page has its own session. */
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
    if (frame) for (const listener of this.#frameListeners) listener(frame);
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
      for (const session of this.#sessions) if (session.token === before) session.end();
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
            at: "/session.js", .script, tag: "\"8b0558e0cc20911555060e05ad455a3d\"",
            packed: "H4sIAAAAAAACA3RVZ3rjNhD9z1NMqiivQjm9l+299y6IHJqMQUKLAV0+r/7mADliTpIZDOi1rW87+KY/PIznczgPhESt68HVYNs9hHcD+hYJ8sV87+v5W8EW019gWEFwYKAZ+spjNbpJmOkPoR+6JXr5CmbJ6J589JhxCdzDPgAFj6YrGBDsaWMChAaB0LPrhI7boMYNtoLG8T+1s9btE9TedeIdc/8Ci88IQ7C4gNJ1K+OR1LjvuJUKOrOLJEUE9MiNktTigtaUu1TAZWmIgAOh4QAehuvuN9iDgQUd9uUCyBySxhhr06wagQemZDSk6aSFrg0zIJf8pUnoUQggROISthZe2L/IsrZbOR/gCB5gNZToZ9ChMPcIDwLBWkedFHOv5uJvmvyaZXggUVyrpwC37z589Pb+48sPrl9+CL/D19vbv2bzrS245vbBun4HTGz4ECjwFDpYy8mtoRCbawx/YGAQdtwM2h661tqWkPNXzM/WPNNKt67fuXr5Adf4ZluKJPDyea7/9Pz1R1o8GVJfCf+W8dTW+XT1QK0VIdTOAznttCX+n8Iv0KDxYYkmkBCKgKZs4Ovv4UQ3mv/h9VuX71y8zCW+0xKphk4sYhyV9AtPbuKQ1LCIZqINhhzsm1A2SGzR5MwLwf0Yf5QBJOa5Qo/74zXl018zSJGeku0hBsaBRXAkvM7GR7DOQLgPyH4T7r3HMrT9zkRSrLxbWuzYwu8I67bHSmBygy/xLOox+MPz4SwsE99GIrMjyh9fUs8KgnIIUdMEbtDxpOtWynOWl6+ZL1AZ+aEMzueJrBkM3jJFtjU0jTQAJ22pSHYOTqdfP9g4hHH+9wQWMzAa/xd8LRV3RG10fp9fZs7pZbDB9/CyKIoYNRL7uiDXYZ5HPmE9hd//kFORYpnsdbYer9xjPZCxykBnDmFliE5c6S0T0AOzgsLHZe+dh6Mz46frmEES/zg7DSv0+cRKisn0xHwf7i+dTtiEaDbkd6IM8uOU79/D9hS20mMBnSE9aW31YWJZiqdlkzR226ySxoTt//75V5XKfp8tDeGvcsC4z+JxZUITD6aqPFIEI1tyHaKWj+7dxih3HNugrU5JXMDO+F3aQEs39DLzdvzSh671w1j6UYO6esrBk9MfEQyNdZdYO4+RQFmRYw8Ka1beyFidD/FDOT6xhCIaH4o6txbZXX2d32Xfe951LWHhkZzdw9Q5z3tZdj871MYSbrwMoXcGwe1iz/813oVgGVCyT72ReBOcZ7yQBMdQhuP/J/GUi03peDIq3SYb9TC+IZHAdcZHeXzFv7JxJ+Xyek/uoLE/iyGtxt81fQov+EVKUJJ2W0P+ifqxWOOhSBvsd95htWFWq8mYFNRDxaB6zCV5WiKLd58fxVqqjnPn1otUBk73QNrDTNMln3V2XOB4LRSs5vzMjlV3vTH4v3Tr4HIUycF/hb4E7DBMb95lrs9vc845+N7Qpuxmxw1eoCe+/u+nTyXhkk2z27fJY0OVpFIpfFLVXEo0RIz7JWbJ44ziDH8rwgVl6rf6VCOAhGB97H9lGoL1sUbk6+Vyrzl5JRmb3IoN+z9n8HqVLL9q+ot6PSQkXlPuKCUNJKGdqS+WWUSjyOpphCjyaljKghEOd5QzSR/nUE9BK/Y6yUZmy6XqR4M4jCyRRxJ8mfdoXVtXkmvws0lDQtZOWNnwUjix3aKUNQEHpslsNfjzX/9in/ak8FSpHm5w5chSHeYHFnkwpq+fuVSkn1oX/fq2vnSU+JIEmYMln6EFUz/0CRkHz4hOSFz+qUynjFgkD+aZUVbC60wgVTrqnYFb2QcxORocQc6SUznCNUBS0w4mUF5SlmwIdJ4/VbCnQ+GSAOq1Zn/EbXiZjViuoVlXLilhZtGxuk54GKcTu3r1OM3zDy6PnN0ogPOGd2CeMqqn5EguUwlkJ/GXb337zods8soaLix6LujrL0xhWXAqvB5N/Npq8x0PuKC0x1FNsrqygr1yLheldE5gWcJqsYtmH7erXpF7dGpc4Sj/OnhisdqkHUg0R2IMiq/AAiS2C9BDNWMyJnAs8LzAaka5WhxROmh055Unac5uOm+3PNNBgFbK8pvB7VC37HauYW8v16Q65tHSR3efbPGibip+x3aHBAFArbb6kHTfjJJNYQyVpSdexjQlawc/ciLR+IH5irNdsi6vtkNotDKcPIScWNAUtB2+pErDycwjw/F+INowRuHnKlqwZqFGo9FgKkYR+ExMrhrxHcNfM/tRuaViNUklt3Cd7DrHNSjvbr91bgeVyuZD3yusq+LyJlQ2Xj10O663+Pm67rQOBpbuc5P5wV/AN8cTVi5/G8G3XReBvRbQ1CrKOk+4bBgmoy1ltq63ZFU3skPuCIHISQBEbO6v+57LG2ExEn7ug5SUEeLcwLY57aZEI0OJH7kQ5ArFy3J3SG5ieo9WRLitzGyp8ghHlkU4WUFsmh0rWlVYKnsVKgkpjNnmdbPaXlWul0QkRGWrqq7d+RfBfonecsLLm+FipCS/UxugqabcOJ2S+ZGgNeck1gHsUER37LDsirdmFXdb9wN5vA3rb1VVzzbeuUvqLo1AmPsXJe+YWv5jdpqBPxGQtKxQN9fllBUJmwnBSpxeNrPuPyeKZ1GQCNUpGfHWWkyhuRDBcWggWeGmjVSCuTKHbLXPA3agglqB2UIxnq3MWkQQNbRsgYxijNPQs0C9H/KoG24xMC/d9oXlVNjsZZ1XbDvxhBYidOGFS42XcCkg0v2yf7JMMwnJRMevdUFSRoVugifCE8zc5mpLk81yyqZ/DFB5jCSUcPwldYxiIj4BLaIFvR8bnLFBGl+c/0bQIEcr7r1mwDMJBGkmSrwODNrLkbcPU4OgWIj9I5X6uVqEaGiUX8j81oeJKwokBtgaBb73j+dCB3jLDpbSX1oz9qXs8zFKkcLLhCCzc4hEooVoH91+oVfQNPFkRXs0HC8t2NN4IIZjIdGxzV0HuyzlmapJf3+xFr3bAD68j/SOweIvTTUZuFGKKKn8d6GhbemyYZQjYAyghSbBZ+ve95zIE9i/oalN21b399BIjcjHgdwElPe2vfOB4UwlhaerGKu2knKb+N8lwFm5Lg5wRkAA02T9nB2verj8q6eniOL2OQi+8tKbnAq69jHiJDfGgtaXTLhgjr4KijmN32XcF6dhkyAQ/GQMVskEz9NXIMwJb4TmlPQWcM3gi+vI0drlhd+DRCRBAJGvS41F8OY835f2lRsIOBSjqv3vvHM7OhFwyb3/+lwb5y8s4iK6l0VxnN5UQVvAyPEGsb8lpr5kOW+rpzaXiGajMxIrpvKEkttw99unO0fMYkLZ25pgLWngHpw/jq5NspQ+UqpU8reuiFtXP+MpCApvu7Ijy0MdpqMlKKjfrR1QM7b+u68/TVjMoHOVQl26BuHil1HwJ3b442+++Jy2t6MUV6+fJn6NtvBi5/EItUdLbdtLmVBENarXTd0ggbvHciIhMFQyc4BRRHmC/mba8TrENrhVd0ddLA70GrxQZPshQZ8obNaHq1OTU8ihhiSSzqO2OX6CZ0eCQb9pjIlGEOsxyt+Gdk0D5Bo2u4OMySjB0MmyVeAyql9Rua3q9YWKp+1eVWPb6AlP1HYaO8lHN2XdSFFZkjWQDgApOxTqeozWtHz0xqdB/rRtpSAuKOQy9K16bkBbXWjwmAao0vmZK1ekz/wZqYkwyRMhwE9fiJLT/NXojn/ZESZtL2kr7kUvkSexWAs2Saj/VCQ0yjO068bSfinbH6SFyS04DHqXjCenCpuY3mFBb64dJstLC1RuKrLmLbdzga8ETVVZ/6E975s1xw2T6cbdfF9lpsMGhexNUiwBJKf7OHJgIPPDcmSRl+dtNyQTr6w0wgqFjrXC4IyBThXcLXpJof1Kq0jgiI8APcfUp+gDue0aEVWLi6p1vgfT4QwVfcCJ0is1jbd33/v0vW/fM/BYOy2yH9i92bRtDy9yh1XjjT27EOVpe0tyqJR7Nmeqno3aJQm8hW1BHu3a7VaTgU70h5Ka6wwiNknP4Mb+IW/S8/05dEGnz4L2izFK7s+BioOjnOsjF2xKClx142n72p2//oIXyxRy5j1xW118WXblpT8NwbssCsfd12Mc71miazmq3q+g3SHaMsTQFI6O6VurldvRWuKBjkHv8ebc9aqM4SorshA4c9PSU0oQMVa8acptodc1/E9Z3k2l19rpEZTKIWLD7KbA4UunEq6PW8FIAjoDKCPf1Tv3Lan5auMRDC5KvOsAlrtvWEaKZ8CsX/OqkzQT0UUExY4BO1akCm8wpXLezxX0yc4QJQ5nyCo5W/WnktvgrzvktqDrEF1yxd9yNxRZrZEm/cA1BftILkFRdaV2fmYNP51qYVokalcAIW9dRNXr21YVkjj/QlUxF1KO5TmRyoIQ6eELWNUrqS0Rbm6w7iGcAcomqBvtwiw7XosYmAV/cNDOMRKJ4/vRfX05n3JkiHk6kQ+FoaajzNyEARXTX+A1ZpQHGhe0F7zsOa/DeCfGYYPF8k6OLM+e/vAi75x5Lpa1axBDMSDHef9HpMsnZGLxr82vTWx4YuS/AdloIgEIIWTj5/m2XT0EhGGCPdVILjnNwCTNeyqZBiWsqv6TLjTgDgpHQpKNmaTW3XWRZyFnSHwneklRhlqHp/Y88nG7Kocyi2og9uAAAU9ZmtG4TAR5K8w5uDX21DcS6368aoYsL7cncCGhzcM209iOgaHSz4yKoIO+y3FXBekgOoPYUhsRzt+2MdlB8AwEDx6dP3VxtAhqkyK8vsZLTb2r/26b9HphgBmP7U1+StvA1SW1lMllMSCdghRrSpJQ9UNUlKLw3+VYfpFzG2rBbULsQIFd0N/MtJDdgZYD/Bw28g61IYqdvnIiU6yy7FawBPuliXaAIm6OS1acQOtKmr4nhzSPLnFYp7XE9JKB3Vk07oYyPjjiQW/iqWD/wMbDnUXoB+w4lGmSNe5U3FiC88vC05veFk58sa1eMBx9vnIbtiXtqbzpRU4y1/KFuWda5OxpR4uxLIrMdRKW1IYENWq9S3fL2iyoyfatSqFlbm7M5y02lOcI+z16zWO5lkndbUKUH+WVTMXu3XLjRM3TFYnynazA+NPcLGbUc1FKJwDBrKs3F2iJCvKGdtAZoq6TW5WUuXmKwsze32LV+7u2qfoWTUPjJxZmdxlWEZCNpbvH39EUo1dPdnXnH5SrFY2Pl+O5meggsDuhjSbmqL30j+DKicyiEBfOElX+eXTyPALCLXT/xg7mg+CWwAgigwPhgtqAfs71A2Ob5hB8NBexhqBcnnB5hM/Dw7H3645T5OTVJ+R25jx9YqnToaSbAhDfeGzXeoUXx2V6hFZzk3E3MAPL3wsfSD3RJcx3V/1F8st+0HJfZn/ecu6F/zcVGPZ15aJSjs41co4ofsU31au6Lzedc9HjerjYF9vBIufuh6lFEEqESfDQJedwc3kWN8DCm7PPkciCulTvSOoz/U2VmyeyhwdibbKjYQewNq0/IWEbTjLACC0ESeiJW2vL0DmC3qG5KRHmkw3w6NnUGZz4i1JYzp8Vzrcro5krMXI2fZu7SSz0dXp4rUvuYUePNQByN5MvwOPLqLih5QvvuOOhvc6C7dw5Pi2Wv2QAhyBptA2q+pc/q4wTlvVUviI4cZkYnHCZmN//n93D47uXKsnBbYQ0Whz4YL9jVG0OqTUVTZOYuw4y72OjvPZsH/JagnpEgBBl7obi3XH3MVIbLXt0SY5bpCAWtkZHCjNdfnt+jN1U9Urcksutf4HP0pQ7t7jDKiKQF7Kdhbt2okPkpG+2sju4yDt1l9RWdCdspXJdhuamqdo1sAeemKInGt9u/NtUdHd0TdZoQj7N+TeTZmo4/1a66dEl3PCMxkBLf9NEFmQNxg7B/Nuqae4ucHAPWjgs6Z9RTpLUdzbWVw0f1Bz3hCDzdP/I3FWwneLRzpjPmKx8l6awTZsR1djHKCWz4PgWzUf9Ox/7rkDZmL9XVkRb4trjzQOk9sI3KB5kjI24BG/5LiOP4wg6rtw0A8Jl8wtuqXqSsRhO7Msg42l1FfyEyGYvwRSyMYt9+yJOQxSOQdBBN/Q/EJRIYs8Eg1iS3HcSmJi0JV4Ts0GHc5pGXYUU6srOf+UP5/O8kARUYYm8Ljal++0HYtP+B60bRwNgOAAA",
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
    if (!query.isAwake || isFirst && name === 'delta') return; // of what it was before it slept
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
