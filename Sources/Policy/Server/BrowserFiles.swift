// Written by .ci/embed from Browser. Edit the files there, then run .ci/embed.
// swift-format-ignore-file

/// The files of the folder Browser: the modules for pages, and the console.
enum BrowserFiles {
    static let all: [BrowserFile] = [
        BrowserFile(
            at: "/console/access.js", .script, tag: "\"18d9f13269b182c6182f8c2d36784ce1\"",
            packed: "H4sIAAAAAAACA6Va6ZbbuI7+n6dA16lzKWVU8r23d2c71fu+JT2bx5NiSXSZiSR6RLrcHrfPyWPM+nceLE8yWGhatiuZ5fZiyxQIgCDwAQRrNILLqjLej2E1d9DqNdQOH3Uo79l24foAG2hNe236Z+a34GELs961oMpy1Jt6WZm+fOHVgz3x9TIE1xVQucX60ss3TS3ANKY1HT7MbNMUMHdNXcCi0bbDr95d4+tPdV/vRYxq1x5x71xt/DONtAMy8xtzOSJtrA8/6ZshIQ0dUVWubXWHivi5aZoBretr0/sjau1fFmQkJDf9rekH9DJwTH/tecW6Cv4XtyrgWned6ckqtaHPJb2tXYWGMu0irJ8GHQxaiCYUcGNvTYeWMrq23U0BjYsP7TIY1NktgnWdbsiMy56+PetW9a6hH61uGjZWAYG+WIVgW/rdG/xcuQN7+7lbyQruVa7zAbxzHTyCP70H9+GjD977I/3zIL7r7c08/DjD1xk/5vDocXyER48eoYSlgScsIlOoCPRu5VUB6sa5WuUwhj3tTDd+T9y5zhAhfR8Rqn7ZGJUor9eggYaIfKX7jsnlXRoSa0cl83ynP3qN7deyAH42aHHrP+fHWlaTfqLEibA1MkDcrzWuo4A4Gf7wB5goUGLhHct8Or0HME5EtIhuidb4/feDsWVXm5ntSBLvLpnBoEPxgj7TwZQL3fs9W7iQ0c6tshweyk4lJenX3iT4cKoWjA8GyC7DjZUgI9uE9YIs48Lc9J7NIv6V7d0rUzJHpSDPVKXZOXGIlosq/MIkgFtGHEmriXpGT/TOaLbo3/Q28MD3CESVXnqjpkhXliVrQVPUTpXptEQgCabPsgmOdWZKytFDXrZ6gaOdbs3+TQqBbAOq1kFfsB5jIDLYFvLNTqbSJrDjijzaCYGrjCjzYhcBGUooe1zB0dCKFoNjhFqdGZM/hzmGr6JArnSDI7rzK2QtAYhCaO29aV0g8t7809L44CE4WC58QBGtV7CdEPMGnaOZwpMnkH7lOW/i6P59+Ju5I6xCgyG2MZxDoA+U2pg+wvwYSGmkMIgK3naVoWAyBDJMMde3Bqq57m5MDTaUcH90T/t1V8Fs2VW0udCix2aEyTls7gEDO/9MUJWRSgChXzMBgLjYBl54142BkQiTA2zR0/RK20BqZ+rLz5+RF4xu/zR6rjk/jVqjiFViUeFOtBg7w+yUEa+8vDHkf/xe5hxo1prSLUxH4SponO1gQtH4hQA5/Xw2NyRsZm8QXHm9c+2hc/D61X+IVq9f/ecYKEzX165eUwolm1Zz4wG32gPxSvYWQnaBEt2f9QKB+mwyUV+DbhWrx474RFAr/kTfS7DgWJbtABEh2GrZaEQJChP1dHn9wlRBuHj5Ae9ExKEFi/vuX8q0X1xjZE6PT3dPoDdIHZUGnHVZ4+5bH8Q0Ml/TWELntTnA+4TuCdtFvECsH649gTOJTuDMWYIYkXY89VPZ5GLnDe8MkZT0H4yrzVbREGW+TMYL+DPiM+GkrU3akiEAZj+ynUrThd4aT+owEuWsrACDuPgWKh2qOWSxlJGIGHresMjZURWQETYNAilyu7fFSB7Bp3NTvYQL/Cehs9HedeT4GLfwvV6Q72BYk1FtiK4m3reyYS5OR7mXkVTsLqTRmf2ymsuShWKXTiWxQm0qNI6Xd4wzMt0D/0BhhtgEQB3cCmxQ7CWTfaJMwuKIsJLSiN6SEQ3YvTI4bsNaTacEZwlrcB21rQhcKcrJvAlNRLahKi7osPRYZxnOHugYZEDP+PLN0x9/kCwqHB4kBl7bGgkiF8kB3rWDQoN+pQImFRpxQqKKv+9w+t7Mln5QNZDs3oRl38EkpcyFomQRjA9jUHG5ijIT6VfA1RjON3H7GePiInPKAvF5WwKhVkwdgFQeJ4lVtuWVuHg0imTJDbhZwVtNcoL1M0uG5EKbZFsMp9/YR5Oe3vCODLVljlHXdeZmYkP0UDKhuvRgA1pi2dSkqGspvcF494KAMjj0jDGkYg31iXVLDMqkWyqhUpIeehDDKwROf8RbX7tl4I1IDNJ20QnkLoRKLk0EacvEdmKYsjHdTZjDY/gjQUo6lYhnRevhjo3E0qPzDZtxO+IXV5JbxOiM4lQV0TdKyacPKPaT2zOHL1zfZsG9NJ0fOj6BJSFB2hkqa+iQw1tjyZ486YIJcXsGPo+WaMjpM9rBAhp9bZoCdECcu0arSqU3zNmk+lCW7RZLEeTtP5sx/OmDAoQXlmt7PlHo3t0FCxMbFpyqxKvzDQ9s4UqsSOYA2O71nvCKCuCv74h2Co9kNZm44QW/4gQuD/EweGQNPntWhvbY9GO4M68emmxC0F8Afb5BcCxn4/eG49CSY8tp6IAZhbSt72ZkBTbpc3Okpu7Wh1rpKgy3xeNTFU5i80ILlhDAx2J7tSu2qeK8NWoqgEDWOYx3t0jhfqubpTksmfN8oIxA91AfCgiNInk6IegY3uV87T3p5mpJNr3VF+IKOPq5cNGeMRvNNANa9vGObc5ev/qvM7Tt3OwE6xOk2ari0BBCeWhDOvh2B4Fkb1nhpKfu672e9taQmgvXiAWH/A3RzW1dm+6OXb9xQynSKyFB7FTIAuuy1ga1N9Cit63uae0nSKs+5UfmTjbJblwqJxCEFRdjKi9X8zXRSMSUuq4/v0Xp31kfDFe/M1ctvYpTpV7hCIkx5rM8HbSSb9CDVFXPdee6deuQRTx3kY+83YPIJtFt6LTybL9/NwS9epcVyEMDBXttb3Bk5np+kqMI7I8hFLhZPkQrjmGCxsnVGa/ibHy+4QLAhx4zhJ2tM7EH60OncQKgfIuwc3VWuzvIMYCEOBLRjt1BRsOJbpe8bC1DmCxwpq3vmEckibtYQwZKJGmzXKbKC5o+JNleTQ8w9mpzvmED7DbuE+cao7u8fOFsl+Xb7ZUUmQBHBzr2rmRKjDt0Kqo1Lnd4nkkI1NZTuqO0GIUOzmaUeylPx30Zvml1bQ6Pej/9+PTkrMdasLcQh3Hkt81LjPSOShY5M5KPHZeFB1W2iOZlCAvyWFEqqQ1YZX/N3qY7rueBSidxqzV0blUSD0GIUuIaYsNqcLTk1wUvL9bvaTNOyyZ2tdTWy7jZYcMTlQ/SIvp6e4hA0SauG+MoJ99xDNnNsXYEOw8IIhhOiM5QyA9SOv8uFz1/f2ZmetmEtFPiA7wM+neYa9+YuBUdPBR3OvNBikwpTnKF37l2gZEuwSEYmKlP3YLgO+GQ9I8z4T6ZpPXHhm02eYvnTIvdLuMZYpAJieeFkBACFWK3/LDg6syK64bsuNI6LX4SnhFvq4qjSmjMFTCXG4fpptUvceOH/HAniNtxXgz6mgvHMfzxJElGQ6gDWXHwUFxjO/MXCmMWbgbhuCVyKJ7ITjMrVZnH5aSE8CM27B6D1Q+X33+uxA3FSCXRfeq6YDoiv5r1xs9NEJfkI/D5ZvSPk39YlRfTvzoflaRMPCA+ERljae3LoAAfsEmOWW/OSBmsJ06wWaYWcObn+s/vf4AkXHngADcD8Pfm7D5/Um11Jnkf31L+IoaMFtsd6tIHSTpNxcmtyGpkRH6gUPw/oMklW0Vq4FzOY2+K2R/Iq9WujJN4JHrpfIkrwQKtEDztvDAlCKqMdBZpkExJqfnUN16/+lcPEpglT40tCRs85XHjwwN4+vWXX/36E5DdWAbBqQF9o20nR9nYQusMfc71QBHiY5oZ9dKisxSsjKwjXrlkdxVbgqFVY6uXEUPTNVV26nYFDO2hcsFEAawwfCE3OZmSJSuucKSNQ/MX+sYMOzly++PjDYpbpQgZHDZ8anZTKRN7US/N2md8NUTT4nHDK24DbLZ5PJsWMCTZtbCne1eis5ZcG2UiShipfHu+EfIn3NWmuNz9ZoemE/1OLwjO8UlekXNvH6SlNcu24/oL5W3YwcbxQMM+ON4fzqz/gjzGxDAR58dteV4A6253dzFy8h8WnPDk7U3R1LBHHjlu2lCX2AHdK5S6p0kD6lGLbHo6vKYhq6RRRfFE2khTK9sL3vechNuJGlKkJyVSVxVt+1ZFFEGMOm61ps5UMos6kSjekiTGexneiKeux2lpIygGxsk3yV/wUbrr0eW2+6HkYturoy2kycnZiduxRtIXHOqUWsKn3vEWpYQPqTA6Ga1Jsf+jbyny7NSJHoZTknQYZUnUidGX/mB9v/qjxdFuRu3SrW6GxQ9dbeztFwdOuDfaB2RZXw7d+TschCWOnlrxVJKW4hC/72ivdS7I/RDDnQ/cqIr3hzRT9EFouYcGQBfaHyfoQiXjQ/uwmGrN247atQnaNvu6IhVP0iRvDT1zTR+v3Fs+Vr1zcOaNnViRmhBP/n5gvJfNWNGYlBHTi/mf0pi6FDjnlj/VtjY0ZpyGCyA85nyCH8n6VSpndRXGb6ppl31zUNLefe81pTJWss5yUetgIr/YXuCiIhmX08yj9NcPmRggtheeSxpWp6vYQTZ13dAm+GrSmkFV8Uwmxisg+WOFqMbgLxcy9YPbJWefigFTSyo/LQ6GF2l004CobTjDt6U6zKZklq8c1TWpExtjeRjIk3SbRqUNzvkLk8bhrdow1lP+yO+4L3vKlWN2J3kuTE9uz4bE0YtRUwZ24O6kSrdvkyE+1idtGNLj/4VaolnEJsLPufaZQJe0H843AkPD2fI63x4jxFVSN13TDZhWMsJsE1KnwZPruhMSubnDrzfe1b2tRLq7NhLf3kqXUVCGgqkkzCgZnahQp6o9U7hEbvUdUenFwmAg73v2HCBCEEjH0tY+LwZnzGFtT2RUMf43QF3rdJUlAAA=",
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
            at: "/console/answer.js", .script, tag: "\"8264d96b92c3a5268ebb491c5b3e9725\"",
            packed: "H4sIAAAAAAACA1xSZ7KjTAz871P0Fx2Kwq9qf23OOacDjEHAvIUZVhIOG+6+GnjB5WyPWq1uTa/X+NIQXJAdMWIFh+8D8SHDriEmeIUXhIjWbwnqNi3dQm2/A2IoKEPNceglg6trptopyW1jK63dFw16jj2xehK4qRvSxJ3kM9/1kRU/4cv3VYaOug2x4Dcqjh3meb4+lxjyc5nfvsZ+onIoiDNQSx0F/UJ7lcvm8c8xAU/oE47NoBrDFUWGyrft9PmOdhlMcHjiXRvrDH3rvEGZUvWael3G7oTVMbtQ0xGGqooKlVOcfMsgwfXSRH1fHeGFeEt8CjeGT9FUbVwIxPY9tC0lz4Xr1ScfRSwpA3W9Hj6rU/vdkCt9qKcfBvXlGx9srJd3Q1pUhm5QKrPxBt9F9QUlqwO7NnntHBtYfUf2yWSfW9cOx9bSFZ4ITVRf2fqFVG24HMOTrAk/K2IQRRdFzZbgLm6cnd2GpTBWV1HyAdoQylgM6YZms/VqhYfhMqTaOMXOyXEML3uqyN2U4pTXKco5VusZ7UehRetE8N5aYGmhUAqeblOQHNdkPmbAqNaEzU1qoCKZMeFIUbb4dlYZQkmVD1SmYzkYWflQ7fxJshnibrFMhX/SloIdB9pdBjdVrDQugYdCIy8GbpfjXECGfoIASEFZzJ8//TLPLnc7Qpe52QyLxU+oGcDvJe7eu2gHtPGSd6TOpr76/P5d3jsWWiTkcjy/fQycBOau79s/fVnncuM4Ev6/T4GNAOto1oSLmnQ553ynYpUoEh6xzCFdJLVenYt/9/eFN5wnuf7wARBkybNhhga6G41G99fBB6ODT+rUPcmanbBVuGo8qaj34zSMp4Jn23VGQ23teZdcGW/Ac42PlvVfl6RdV21nmyjP/b3AmNx3rwZDRr7wju7vF8f1pp1uq7neuXc3eBx+6XqHCNbhuh8mhlTQRjXgPm0zGdFBYmjej/2JlWXrhRCSbh7mqnuM0m0mtOO+r+Ws5jH6SHDkafu62zePs3A/5WDoAUEf4zlSRK4E8z/EmVJ57qih45sPtxYo9QFtz2kpZ8bao5zcDbR1N0wWSi4fLQGI6j282fQeF+8EWpx/ckG9Vk/UF194TDSbz+6JkpF+824YrfrsHnyL4OvmwZJkvdFuskUS6KyIB8iqxQY44CHpWp4PSJ5aUxIlw5YeTV2rrhNdsbp+UqpXrwSi1lq9OcmFnmml1vgoX0TmkWgrMoqpE8A3T/KIwoIN1a1Jkii8OtgTjEVn+7fzTs5aw+/bmgrqH0SNBTXWRVGAWJQrbuxBIqHMHXeWw8wGR3s5V6nUXGnnWzor1SrJY0b/Gbby5YcjKRD+C/PBn8SaKComS+sJ8itb1TtS5pIEkFp473kQbxVhL3wKmVyumHFV0IlmVEht6qHbv+unDasfkB3whKreie/0aSaJz4Zn/ZkLDkPpuZOcK7qql8iHlNQt/1/D54Lxj0/UV+/s5PPFn+xs1rptdJlFAt4MFGcvfvaCXDCOIwJu4gtnUmhfMZPR7WzfTREGyRJyGViPDoSrXHYexWtevSKnf2ru4KVM1EQegDRZugFbyA4IvDNltE9RNY3BF48JXnqvhGqlklvIzzqjA+Ze/QUszBxpRPkXgnfD4rkSR/Zr8Ej4tTu6PF786bNEyta+3cM2fJ5CSsXZjsjQPJUpOjVDwtsPDXIUHadw5cqf5F1cZaCLqR6HrrOjztSbN65CjS7mH8/opv1SVL5nZbNSOvLkqLdbKVW+WilRWVatbEu8itPKpq7Gtrrqqq3ttKzTg8Fkp1l+5mW0aJ/JjcZp/tGu7RriglMEmue8O33NPUE0eHL1qKoP1VRdnvPgWDk1FrEG5bhtpBQiIQ7JfAFrNioi8imgyE86WzZZljsnSUFr4wQJowhaNjl8wKvLiPVolcLeFfcfiM88JS0VaWmSM2xLIDU6SlfNv6HlcJq3Fj6PKPcD1t4IBd+DgWCl2nkSTGpvFcwzqe0BK7a7dghF16LhkN3gvQQlnECJhhh178hWymAnaX1QX7YzPIbM26E5rNANBMbnGfRdkMciEqZmdtw5Y5ZOQfOmCa22XXemX+Ivc5O4SuxeCHhIy+BTHyMPtg0Sob5u3+5Hq5VovUe/lpPklScBD5iFJynihZENUqwtYt0rgmjFRMX0JRNVcelUW/hIEk40DRw7NG60EB2UjZo7ZGIw4RPGYAfKH703J4fiVXTuLksbk1m+HhhyjFSXzsA78IYQAvjkHv85ZtzqMKHP2iD0kwypmmqu5ElFsGv5TkYHrHykTewOCqu5Hw6Iw7KJG+XqrsN5NLn+adiPtSXgsKNLnUhgFvuyhXYEwDjZO54UW7NFvSJjAF5o9rsOwUFmeAa/2DbQq65HO+305b1uqKtOH+U19u1YNRYiocebIiyAxM8WeAV2ZtL/Cbq11wezpirxlDzKSi6D7fWFq5VllvvgjXL8rMAkSjMG2EMxVLZVgzjRd9XosgGJdZJYRMOhfxsdZyPdbQUckhdHQTzMdiUomh6ySAEl6vglqQuptv657RpAlOawwvzJ3d0kdMBSXShd0sP9Ti/hRgm/xdc8iggOJkxCEVk9W2gnwcnoOV2Xl5nFDsioWjOmvMFT40XDhL0PmEbLDMW1Dolt1K4SxBtG+D9yDCzXzqJnlnutguBEn7gEM0UFkzGNofuXMSgxvIuzs+FaSF2CkBBs513U6aDu4ENbKxWWxNnfsFx5Ns7jgN0HTPGmEJcEvlxwcm47CAn0bJOn86mKVLO/oSYIT1/aPF6oIJloX4592rV9rH2REzPMhIje77/+r3Ax60Am221obbhITbO0xPVXDYMKik/a+rPzUOTxfklRXRIn11ADZ9+VSSnNk2irV/68CJ1xYtJeKyMUbwoIRBBCTJq7Uu35DyQWuOjDcnANnL1CQnklJKXO3hTwtS+ticfFxOR1Bp3fE7NdoqBlV1CL5l2dvhh9PPX92+q0goMcJLY0VSEmZStnxQDZMRPjwsy6zwV/niL++E+w4dT+y4bG+2i6j6PpHvUohmxMucILtdwHVMFfb6gQLEzfeYocr6vtJAIl1tTizbX49ifMdY1zG+I3fCXxosLVU2h3Qx0MMl/N4TMMiZbzln+0tRz8+6q3XRwEJt1gGj5tf7ufcd2HlftvYX9n/druhq6xIx8Fi7ClGPnbajnrOT5clovrTfPFRuEP4pStTUqbW2h/xZvok4PEPDdyEG6WKwhgt9VYd9fTEqVyx++kuVipzaef3QvFslGL50uE3lh7eywaISjGJKKN/hen0IV8wEBNpKcsDyB8maNwLEK4k5m0OX4Mb0JTop1MYDnF8ncKRv8KysE3WG7okJuhtNOAzlJIAnxnMqrjy7ow2TdRddA3oDJrZwRHXjLXw7S0K6OOVkLYKX1U56cDptonWpCSUZ2lL+7k4P1Kr0+86x/5tEJ9piJf3WTHzvjZEygcniWo6crI1OYehGDdNJWlvy/ypYZrPtXT/Ikf5uTMRYMsSn0mZu5n0lyqHxN5UtSzDkiDbLK2P8k6H52MJ9oGWpANE9xkACDqZJR0wnHPuF3A59OyPzYOI4UNx8IzvVMa/HzMHUj8TzL1DfXUA4ciQ2PF+Nagk0ltCDjCvown5OrGVPJOzvjb9dNS+tFK/sqSTEYPwlfSZk43E39jB8U32Jw2ah7ci+GXK2FzbDBFg/OsVDWxtkDlf8n4GJoNk/0RRynsbnyrHadhHMHwDuzBw7QlzlFim/LxyTh44gZRN6EyfIIcFb40tpd4gO4pSk1zCodDd4KENdVHZJzjxPVQ7yfbHCGIoAGROa5G3YYeEDJfKB62w1eXMR6tKA7f2fpGiGTNfdpmhRKvwN1QF66ElPVYaOHv474IFs6CfBj1q8XfIR3rtW4YabYHj7SnqEwg0Wc4cZYWZDTuPhf0BNAAhsZ4pWkntMai98dij3U1i19vD2VUXgLqJuoeSwF6BQw4D3+6RdA1pnLpOl2grFw9gbRYcwVsX4d9nBc2aQUsqZfqCRqh91//R6sV/v6f9lTn7X3XnhdCvPqDWdYdSg7YPQAzbOFLIlrbXD0V42EkFBbwcyNeGkeucM+Yzz6OPkal0qnsGoNusJZiLThdUWNKN9p+7blkGF+e1pE/6Lr4rjwmujHwglZJBMsAFB+SfG5LjAL7BiVOeFZf5nwcfpaa1AlLMusZ6KdTJpwfJk2aSJGUFoy9K+LIqMMYyoUXqzMHNJPouNb4hUBIdXCdZBCLcPCa4tOjYcDqIx7m4t6SmavxgHZyrX+QIFwUDTdwuz+q+lo8oCyhy+LA9P+h1OSsTiEAAA==",
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
      if (was?.text === now && name !== opened) {
        was.node.querySelector('[data-test=was]')?.remove();
        return [name, was];
      }
      return [name, { text: now, node: element('div', null, element('span', { class: 'name' }, plain(name)), ': ', tree(now, name === opened ? 3 : 1),
        before.size > 0 && was?.text !== now && element('div', { class: 'warn', test: 'was' }, 'was ', was ? tree(was.text, 1) : 'absent')) }];
    }));
    arrange(this.node, [...this.#lines.values()].map(({ node }) => node));
  }
}

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

/** The properties of the first 1,000 rows, the most frequent first. */
export function propertiesOf(source) {
  const seen = new Map();
  for (const id of source.ids.slice(0, 1000)) {
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
            at: "/console/builder.js", .script, tag: "\"181622930f1f9e5730fa333c8a182c3b\"",
            packed: "H4sIAAAAAAACA4RV52LjNgz+76dAp6Srzk53G3fvvX/dpkUoYo8iVRKKzzfy7AVIRVFyO4lJ4CM+bG828CW0xhIGMA5o76H1oY/gW/AOgfABHYMCa+TigQ4DgqEalNPQdGZIyCH4AQMdapBPRT4k/amyI65Xph98IHgEaLFHR7UQWngCbfA9FOuN9v3631hsL5ABexXuLyCx8/srGFF9LR5MrE7XMKgQ8bsUTg3kszo5raePPxR1NYzO0O9tG5EWHDkNV1ga3w8WybiTej57x0Z7RU0n4jnm+J1n1ikXBuN8Pvw+5Ec5I3EZ13hygpEy6aphEMHeBx3hU3C4h1/VUN68WVAYsaihMBHS8XYNN4uzT1nEfzlqIgwuS038bbR2Ajs+glRjF9FRcft2tZ1IBjVGZJIPjo62wF3QR1CtdAF1CFYx4j4eVqvNtWsruAb/sDCnR8qt4L8Rw2EN95pOuRMspUuqeyDeeath3yniE6hhsIdj8A6+daki4glrjcVnkLECAyaR2BPaRjnYYa6qZrpWjZZKzuqOO4kJR6cxSGvGzClvI4ZTDBCwHeURm9ms8EGqZju6RgoBu9FYflk+Sky5M2rIwcCTCh6tACxSCsCghk8TbjtJe6/RsuwRKMfhtcpGTK1H8Rhu3oYn58D7xul4fiHTYzi/mPhX9g8+ze9TDXaHRQQrhuZS9SYEHxg5zU9ZaHNa1NKcnDvmLDJCaq6CUdc7ozW64hhy33BE29mYFGhparhkaKc0343mYy739ZRylgVvkaWRFI2R74SRrqIuEamAakkkGRSZ8DEI2OKeKd+uZ/LGa5xjsGqHtpgZZrnG2ASzQ707sFaiWRtdJ4ODVQ12LMEgno5NByqCljX26ZTmtJaGYHwwdIDP4J2rkVyOoTUo2VosgVJCqKHMfdPwjSr49LPlaihzNy0RC5N5Z76glglwkfCT4MfheVmR+DJ+DiNdcxQrSEVYK62/PWWuX0wkdBjKwrhhlKKWyfdyHqOyqkE2bdqbfMkT/Lf3rqw4iOcb5PHVfu/EJIom2c1lNu0kWzMIXuFKFGkbFPD4MWRF7ExLP+OhgoA0BidEMOmGkD6/wTz7VdJlv/JlinSe7YtgFNW8Fg7AjEWe6fMiPMqLGJ6wTiLaLnTotEiJe+bTZKxlWxo+hyM45nVM3bpXD9g2vCW9K5/Z2Dpa0whptY6oQtOVm/LzTz5dV+Wt+Pj1ahNzAiF9+ZV5YutLT4/EXJVsvnKJ+803L9pllGaZe1Zycl2R9IdWpOR4DH9TSJ1KFTxZMuSMcHyVpL6AospzA89kXL6TN0xxa3zn6GhX5Djy7EmXf+0doeOESba3c9GvprDKzROw96f4JVEwu5GwzI1tHPMZfW4bbcQMj0jPw9bTfsttsGyCqT/moltU4R/Tox+pTHu4WrgpLDlYpunLSryeNz8n6pWEMJHDdNgQ6kttuviOuGppIpm+Iyfc85yVIXu5w+nMVBHpXF0uZo0B4TCf/2/UOpfbRmLw/zzFOuMZcROa15s8ut5774WMxdi8yKTGpNM0fI57oHuxA74FtFhRiq+L29CBb7E5IJ+3KMlMCwkbXjIwujMGOy6Dv3lLYFLHdMrEIXYVXYBbb1Eg5a78sovV9UlNvny8Ccsu676vzuuxKCN5/H/MA2aJCqSKiUTlTugvq1Gbw4RZqxepqtWy3mc095YCx+yAnrybP7P24y8BCSAjYzAHf3u3vKqUQUyqyyM3IIXnh0r0JQXCMub7tjvRlE/xgDMZNrXdAC0QoGh6gW6nrqHBoXrSozgVM2QkY19RkOVCkHgmJ9/vVis6lJBauwVqDPsqIWHOVCsRgnTvIQR6bJFzqRDHEx41wwV/XZ4SxuvOrvvStdWlbqD0QsXQDYzwLqowyKvwqy0I4Fnb18tmyELM5WGZ+kAYfKsQnRvTu0W8TWSwHJZYJ5YBE6sxhYBKkuzSHDE1N5RQAEV/R3Y+o9tDVv4mKXxx+3iDI8fbf5T+rQK/s2nisMeKiNZyKyqcqyBNzhUwd/hdwFmLVd2ek9LfdM9zsqeKzmX8rtvCDf2Rphd7wvq6v8g2ZH2KZY2EEBVHYRn9jqFxb1W1DzJPEaIeLxpy5fFmD2Mn7oWxeJ7GhotSPMqrCjSEcaZbCI8TXnjvnCTnGxr9f7FIwZ34Fe8HrOLCS/+eDayoq5rPjDFI5WfoWgRirLTYUBQFLyci7Rxh2pw9mPMxbuSQxNH+NDINVadEeQzkhCUzZfUvB4i38SZ1J/g83/XU46EomzWqZcwZJX2cHG9ARAr8i34sJ0gqOBAcAcgk4eLvDkBh4TDPtnZvuVlHsI6ptcuZxVSwrK4VO19W6yzjn7lrKGoeGzl1GwC9W7CHVMN4vMG6sdzxn98wrJ6sKgz85bwXx4wFj5SqUGhMdGtEWLij7cepGyfbt4jJGd3yzASh08bAwjjXi+XQUZWz6oKe3Bxqg/7ldOgrqMm9FX2wX1dtUgpw1k1XhRLDTrTHqJVJRTna+rxic4stIC2DvWwmKQQTVhMlT3umCyh3pS4CAvAU7+ZIcdOZP2A8uJo1IWTNYxpiR53lYngaVbvJiKjRJiLJLx6JI6QNELP5QkXl6LPS2tCjgiqURVr63u81MBIyDrtN/LJ+I/thWOsyICKGohtOTwgqAvd4lHejTR2ibyI3VWwiw7//QAQbNYK794liddmvkQ/k3Be8tcFEinDk1OPCuEusFKL0D1iGQaB461hKVtLTgGZmk1w08aZpRmIypJoJTXG5m1OKLAGH5oKul2W5NM4lOtFHTFsO2u6jxX3ztDbXxVfzuEsqnE/VZrdLcJpKY/wJrp1c9094aIYCZKA52J4fdFyREgxZ+Es5NDZKs8m0PzVpSiGVUDHEnTkYVIRi0LNBmd2a+24d+VxPh8fpkf/21iyyCuV+WirodlFfoR7ZbmyGDtxbxXk9ZFse/C4AyWRz0bRnq+tl3Ye13ZrvAnowQRgZRcmX4T/8luNQ0Bi2psihQ+/X+g+vIQ8B7quX4RvoUQhw/kAPGHzjRI4Y/FB0bTXTra27hnNBb8e/VDM0t9ezuvWOX3Vr41VTc1unkgXKElD9QvvyZGW5OkHM2aqh7O7ewgWFL70SUlhC1vrt+T9IXjOGfAFAYcojpNaDzdx1MLW0+9WUOViKph/zVHDvRimK1h2NksGrOl/CL5BBxkr1h9mWzn7VDr3Ri/qZXSMxI2vRL6NqwS8NM47NaVoSicS5RKdpalLCVvmzKnf3gD6wcydnkUQvP5/HBPZKridr+prmL5zz7OSFJTtehrH/m74O2xfH6A39cIqy69xChTq1iEiambRlw7/dKDv5qsffi9jD9NtWic1YmlgOIzeW/0bgxosS3JYqDjf+vehNRLFt61Cuqv5Jexaa15BJ37Cknf385MUqqx5VzWDetNDc9qxgR0q3rkfOaQli7AaKhEnAcPbcn8Wd/Pf+znO4qJrh22Ekd1jOL0WfsDa+uk/xNvNowSZZQeCFE77BhDbkTQFAro5MyTsQ3zAdd3G8fxa2PbWdjZ/02YlpoDvB3ZD+Qb2MTRLp1aMPc0UmXXUdz1eDtC6gI3vtqq7IJU37HFUs7ShgyLwR+nR4r9lMxwIXbrbYUehEMHKsGrL3kq6P7LNFRcw8rD8IHuy9balNGhEmKCW+4kunyGHT4sKZnG0yqU70QsB2aMwTXNqTSRm7pbEnVFuSc374rSVYRnNPuDs39BMmQEU4vJc5QAhqKx+PRT5HXzx30KtEYl8P4myb2AnEiO01q4HxFAi/avqQ5NAsa5OOqTTyCjnvYMPYTd4wMbhfs3s7XlbDMiS5Mn2N3QFkmKSzZfqtomYt9dTNIhfNMqBQAjSkfsmv8Zt1IqaRkpqeAYRge6pHsoAcOnakfSrKtF99pNv2HkWN/2lr+ChaS4bUaPYMiP6WNrzTtuC+VxMhWSxrisGVQQ3SFTaCbOvx87llr5GkqJ5EmdH8EQcdzp3txHv5FLIm6VYDvUQPtft9eXfuQgJODY840YoKNqRFKQBq1fW1Tk89k1YBwI63/gOlUtfzfSIAAA==",
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
            at: "/console/conditions.js", .script, tag: "\"0bedeedbab7096be959e3165c3a785b6\"",
            packed: "H4sIAAAAAAACA1xSxZrkPAy8z1PoNpS/M3P6l5mZmRRbnXjHkLXlhoV3X7lhO18ak6qSXKWoruFm8NqwCT5dgKnFNgF3yJB6UmZqFK4oiIS6As7RkwYOLXFHEdBrmBvuQO5MBCVK+pHJK0oishqmJiae7BnXh8jwCxy5huIrWnCCPzCNwcH+ZFJH0llRnHxP+xd3YrLkyHMlXaytoLdovPzF0AhxE6MYilS4XataBzfqYk3iZ9jSQFSgkUoF5yRNBSFqijcyc5CzEhVo3i2fBB7UrzRp1MGFxFLeJIozqmD1F6UYWXWD2jU+qkXF6UWYV6BsUGfyF3LJrYNKFZDrefmSkamC1sxIfHWE2vi2ApNe+zMf5oK5zFT8y/DFrVGiDn15eLiaXY7lP5LDKAckXMqPQysYG0fiU0INbXZhPjKpidHYe5g68RGG2uJtJI6EZUZPp9Vqk24Gm52XMBwzD8dRyPEkH0nIV9hYGui43K91e2XNGHK0cBn269lp/VVtd7jwazr16JMIPn7c369gX+ZpLBgGk7ZbjC0av/+5go/7p65opiHCKTjjM9MGP9kRJxsmbahuV9KFHNfouX/ouRW6FeudWONy//NniVHX8LZDBgQhSGExjcsE/8lrG7IRPCeSHJ7m8Bj7A8nTIlPp15HV0CwlVYIWt56nkdLaRbkA8iG33ZpKuUkqmoZiKoLVatKqhQ9N0MuNipgtrQWGZc3+tmpdy20rSfTdXzEOdTGwKW5O1PLy5pzlNxbLGhOQCBsCVARoXi4vqvy075vz1+yf+Eu2T/c0MCDoWOsgAZO6p+OZHoA/8+zpv6Xj2dP/0LgbhkaSQD4tajJolx8ZHvTKHJqRl2y4GL3eFAVGuxy2ApnEEMrdu+bWTw2bhVlnVXpqfkZ2nK41Dm3I1H8CLR7u/tbY3P3RjfR7NqKLTbHEBHhwjXhk97LmKFysic2eNiKiBjEYjFgkhRVi3dK0usS46dv0EI/ztLisV6fdpA2MrFsznIg+PxWPw8nYASx0PB57PS/GV6RiOyeJVGUhTlkteIn5ERplkXLfTXoYM7m33jJ4bs1mOjWyllJv1yQujGlXmhcbBGYhJc8x86I9PV7O7+yltTH6BFKkl5mJsioyExO5dRqhm6c153G37aUjfeTPFZt2s+T0bSi8q/JJyv4NvWHj4ErCnOUmMjGoMorBBbd0POIVbMpT1JyPRO2eijkxR1YdjjggMhwQ0rygYCs08UQ0F7rp98oyTx2p6FGZFRa+EZsffjDRV6Up3FWaMG8ctRDeDGkUz+CMhdCcEu05q38WsIsGWqqVsfCI1o4nvIElPBBHeCrKTi2G+0eGDBS2Cqc3qpG+bHyjuLVQ0nHHDUN68zR5oRia8fnpjUaDIXYNlds9p4VR55pzTisWrTHNM89+/0dDC0gr+S3CbRsSNNp+VSZp9fK4UOVlzYYWuU1dXtGQJXijpOeD5Cot8NslV1kdLToFKX6x0QbhkSw7d1U1EYsBd2lV05uyc3Lt1jWJqGExC1figurm7Xp5RtOLDZJ32+aYxIoA0STI1JaJQYcIC7Cm2DQeStm2iWUGjiBgJkdN4KITyv+DlXYx5SdLetygQXlh6kaE3wYHvIE8Js/xspAg1XXMGdNYMkw0NeY81l21U4TAIlYSbeyccYizkTf66LIsE/LESRhRYfU8yr+PCQjboD82s1k4nrPimjxCNhz4zhy79BSRwogqslrrF1E7dUHagBcAMNxfpeYaYDYECVVNLUmAEeJTQ2OhWvaEvaEUvCFe6poh4JOsgh80NzwWdUnyIcHK+ousolxJgo7ckhA8hGAV9k3MylXvO+Js7X1ub7ILY2+2zbHnY7wkL16Dh4bYHiRkMoLCksaXaehkNCpbv2gP8DJO9UCrBKorUzK8fh6ua1eu125npp1xVinz0XPIpVuzvN06cye5e5jmEbWe8XY6R63knbelq5ebmk4OaUggyZ5EwQh174MhoK8ECe6C3nWZZ3U6DAx9istVmS2RV46HlwGfeVobVz1m2f6YZarr+oPeNl2nMgI9fgbGVGlaAGHPFxHm4YxnKurDLLzsjKOZ5YWfkmwgBoQC0rrpFM7s2CwRdes2titoRU5Wlhk1fMyzXqIj9MFP2l1eh5sU1zAND4v9fNgjXn385UbFaeWWyMFzxvQIbropN73dJkSqZk5bU6bt0vtIPWhibvIBzNIaZC7cFsXsV8RS1PnWxITjtDWKvU6McCJnmnXKQL3jKVm7rYikgSCBiOWcgF3IEaG8gAI8lziOX+YsMVZlUeJsDn81bJsP03pLqgQ8DvVCw9Jwcx33mv9eSXjUMq6y36UqdeR5rG2SlHQFn3bFzlyRPUXdrCNSZJzAz7qSBoUx7QREgSHoUZtHXH0gYlWpZwjGF/0WpqkLHlcKKHd7n7EJm8lLqJsqo0DNBLcQ9MoVl3KUUvnLgFaNKndRrwoY0Wm8ypKEXU0tEfIEArwZmEmWKLTULbG7+HAw4lOETNdDRJZw0hHILuSM6Q7H/aCYU1jUmBQEwfMV6T4vi8sJIbosac7b6EQ2T+Nh6nu/+4mxQopTHfUTBRAas1YpHeCvZl3DXZVn1RsgU130AYbUMKLATIXZNJl0dNR0TOMXQcrs79hliIBq9JiqI9Q6+phm3w/7JzQBKSJxtTvJEhJNlnTYJUuGsJMmyM4VXWHD3fZbag9Ra+rnI150kJDOk5IdC8yqNlQBebZ8rPLvAi7kbaL//g0xCgLoxVOwMwiphuZGmIXhKsNGH9z1db4b11S9e7/EsRpJLTTZtxnon98XBoOexriaK1N8xOD+rPa+yXDhPmV1ivw22aha6Olg9Rmyjw70CYpqAb/4MTCa5J1A3ymY++zs66/IK9ZUZ8gudva4j+zVdsTy0CYtizCxYEHYmWbGfpbp8iUoSxvn1Hv3OHduV44hSikgZut2/Hah0QKzuhyoGbpLAq7aFcs2hig524vTqE9BZvfuMeVTH2B2B76/N48qxHga6VCx4SKnnUfffH12PxrhTEeVteZHD5QJMrKvHz4ijxvjePVhQdJMqzcQ5YJ3o+IEryxP8ArDDFUN2fYEMTqAAYOzk5Z52Hb1xWKjOFD0T3zcqqZtllyftb6qDIG+MpN9FpGZbcSZeltucqCpPC+30PNGarTjKO6Vr5Voy4xqWxQlUdVMvVuTht69//4ntH3Sz2vqRNF/TzF4nx10m0mnL0WPlTj6fNFZMlKeUCLRAIoos+jA+IlavA67Sl2xXWV5ioZdpZuUkGKmYdndaoDA+SNIXsrHixOdvo00OyziHgYQRj2+6gXddUa18V2Hv8EaXh29KCrFXos20anrGyub6WiDLtwbPPdtylvQJSNLxh6YAdsKshnmx2aAS8Hzy9Bjc4ghBXOKsQJutLcHVk84ZJUtjGjNWe8kLIthdCxfqaA2BXMaDbLRUSFlCQTTaXH8ON1VlsJDm7iUb85eX6TuSWpcnsPS9NQRIb8HniK3CzAOprbncyOwYBJ5QEAvetEF3rPqo+xys6YxVIyrgBvCiQpKu7mfVvSCxDcxgh+zRCuh9MraVCDb/OjOXrGj1zISNS5UaPKDkenma+HqGB6ORwME2sveqHOESvCDOQCe61SyXUrEfKlkD3gipuLFYN+ikm7jaiKQ2Fm5BuoSibXSeKB7OUy2fUOPnyOBF+Kg5SpDuCdLz4ok/X5iTn7SP423GOmanKBKAcvOmAFPXUUXD7AU9yuK8m71cizVXxVYhyAfrdLfq8A+Kaci5kTxQM6ijOrdOhD1RygQm4du+XhooCo9vdGz1knByzqBJcA/OKLgRIISCfrjIV2qwFVZFVL9RlqqaEgiq74uhAiesPqOq+Zy1WijooyGNLqTVUDkO20aDpZ7wt5Yh3PU0OQGDLZ3jJ6HRVslkRrZtL37tf60tbsGzfC6ENefdY7W98PGpd5XFrhKpe55mwEQQxe8C7mZVVPprmktKvctDdpGexYeo4CHrgso16H72dN/VLgt63iiyzKdgIB3NdFqaACC1mlbdo32t7q5t8iCb125DAAIlUR+zwrqdPmtVo63vBlQS70mS22aKJbbZhsFsmmLwIVPmnrSSxgOaJngIL7vDWfBHLfJ5YXO6IYao1ebNAlKkuAXfBlgMXk2o52Br9BZ4tODRcgwn+DySVe7qa5AsVLWDcsW/bXMNBj8Aa6wqQJfpVaWis1vp9Ja0OTY3KMb4B//WOlLLhfqcRuotVzkV+gGpyR2zMDOQO3oluN+VQJbGWyhP0YpDzGC4oAQCRh1PiRcRLrIRPiljich0flyUsQIQI07QBzUSlz1JC1RcjAGbqk0l+V1lla6nO2f6+ZzjpMHmDEa6VcZVkFbvFgY8kUp3svpe5mGSEDujafy1YU9548DuG2WZ3Q9M8WVWVXbX/z4x3HzFn9lMYUHhNeT2IFeuLdfIvC9JMcdEtRXeikXfCDTwcbuwqW8ZqzoE91laY/dy1CvlgWZMozIfy1hgy8nggGyN54fsE06LLcvqENXK3QHoEyXK8okDUtQWPd51SYmonelFWIdO1F0QdsC9pj1jjcyzLcols9LkRghV3wMYGn3kyFVWNXN9uMWv1k0ygcsiLB9BXC503FWwTEr+AzGT9YYKpTqsnY51SuO0cU57uhdVnRbPlcRjPVungNbwYZssChwVVg3CE+MISynH/qxkEyX9IbOYBh8SjTEmAg3NLiusXDWJZ1Jo4NRBNZxmleE//JtRGd9MwZUEi0H5hEHl5p73AaDIH+sVHEN4kV1HK2CBJeaMk/6hUq/CasHLYBeuP/6H7g5l2ysJgAA",
            text: ##"""
// Conditions: flags that specifications read, turned together and with their consequences told first.
import { memberTexts } from '../reducer.js';
import { element, fill, plain, problemCard, refill } from './dom.js';
import { listPage } from './list.js';
import { command, orderButton, send, whyNot } from './orders.js';
import { most, observe, server, watch } from './server.js';
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
  let foreseen = '[]'; // the set that they are of
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
    const set = JSON.stringify([...staged].map(([id, { value }]) => [id, value]));
    if (set === foreseen) return;
    foreseen = set;
    asked++; // what is on its way is of another set
    fill(forecast);
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

  const specs = watch(`/v1/_specs?limit=${most(500)}&count=true`);
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
            at: "/console/copyas.js", .script, tag: "\"b12b5c6ef692c67156bab3a1f852fd1b\"",
            packed: "H4sIAAAAAAACA4VY6X7buBH/7qeYVdyQTGkq6V35p82dvU97e0ncCCYhCTFFqgBkxdXy3TuHKNCyt91NIhCcGcz5nwGHQ3gJN0ZvQTlQUDSrlapLaCw+rG2zsGo1gu1SeTAO3LLZ1rDUVqdIfq1LmCOhrpze0mYG3zbgm2tdg/MoxYGpwfjsxKzWjfWwQ/Hr20v90afIpFe6xkWz1vUbo6pmAS3MbbOCKBuWzSr74KLzwOmWuqpSkf65VqW2PfLG4rM74rB6pex1j4q0P6JZKndJEvtU2t5oe0RX6qIp0ei1Qn9or21v6Xjt9PeVKpBka/zy+8O7vmCvvBa5J0VTOw+usGbtYQxfXnz3bea8NfXCzG/x/fDJEwyL7EAzh4utmftzlg0K/r1pvJYQXani2lXKLcXVKW5ZtYWm1hk8GZ7MN3XhTYPxIAGxR9cnsDsBEAWWyKgdKjCcDKbTfJh57Tqq5xA9ijKr11r5+Bn8Fr5Rfpmt1Mf4aQpZlk3wL1Hili+WL6sqHg7iR0+S4SLJcW8dx5MU02NTl3kC409lmVW6XvhlkiQwggg9AWC139gaZqc70aYdnO5ILv52O7Pzk7bz2bxSC9J4Es1NhR6OUogo/LyozMp43pnPneaVKR39zI2uZGXqotqUmpYL22zWtCiN87jPDGqxsHqBoYpyCcQJPIHLpaZUXzkKhgKnlS2WFIGF9vDTj1+noBVucHyMd1Bj+DNifMFpAjsJZQsbW2G2UBTrEuOo7S1TiRMc7CZCmIL85pO8PekHkirIaBejnH4gd6iLWRjK4zFUTaGI9rz32t+udQqmZIKQrvHs0ekOZbWzJFBrV6i1LpGQjuHg1XpLZtJzuj8qyZZWzylBSBDFfxAN0H+/+d2foyBMjB13Mllg5iqDR4uYLiMCR2VudI/jbj2JBjsmGmHgdOVVBG3S418KOoz7WBGH97IN40Ptx5Trg7vvotN3P769+Pzt5fvL7756+210Pq0HnLFBTLMmH7tjQRFpJ2La6IhFIHMM31190IXPCBje1t5SPAOaiIskubGGKJOkgGgFn4zHktN9i00pNfz8cY7LcTz5+XGOhZjpj7pgcc+zybM8c+vK+DhKo4TrUzCtJ2Zhbsh4FvccdlTkrHHKOy2MxIDAsGqsDuZc61sXs4xkH1SUMkvhdCc4t3/Xzo68UhnnNTtyQN0kll2yloptErlarRG6uTgl3uiPHQYEJQDiUgTgmo0tdKbK8i0e4b9mieg+EpJCrGmTfUiym0pn2G3kpUAvF4SQZaXyCvEJI972lDTunVlsLIFlQH7y7QFGEo4NYpyemxrD/Msvx4QBWo6J6RxqxGJ16J3Sj1Erhh3pgSMwvV6sHGE9bBECs05ZlHtd08sxHKcVxf04p7oSjoeTn6fb7CwfLlDX91ESspDImP4Tht9sj6Fu/+Lx415yFojzXhDAzCHG1HmeuWal47ipRQj+BgmUjknSqZytN24ZU4IzlnYDSR9QpD+jbbOzM1lThpFnBFEowwJ1N89QVrN+9aaq4Dm1D6uRC7Oe+4QIIJRMuLuZMsMwWO/+bjwqdBYlxCTnoXfOzg48pkxyGMHk8JTuVcxzTtBR7yzpGw8cd6/8K+W/OcQqhRtVbfYhY5/DuMMBeE6OwNXBC7jOPjQG4Qg9wSqQEg8GjnlPd/TQHvj5LCnTcJRElSLNr2XT241GBcgd8p6MzZPggR70VRU1bVZnEhVoJHphRr9wtjjdCWYHHfrtAlXJ0x5jyuDfY//2Pj9R9PkYFi4IJYgxALa4h/yAQwdttViGPWJwmkqxbkBOGHHzd446sXGwthojp0tOVsrrlPv6liYi3FWehwGu07K0yJdNawmJQNds75zabTml1VYZD3ON7PEBNlE1TmzU7ebZ8D2ZNkvalCAQAJNm2ZQIqN9/d3EZpUfiYa+2G8EOXm6Q1Jr/8GwwgunslUbdLUw706cI1tHrpvZo/tkl5maEctUau4bME8MPrqkjaO+fctWUt6OjKTbe8XxjNB9umy3+HmyiqSBpAf9PUFqbnD/oFycxGNP40Y9K3I0jsThM/JehepT0GeVIOKoDBYb0092+24TK+L+HHSRJUt0VE1KM3qIKlJeHawPtdTeAh+K558FwolASK4EQhchlMGYZ8ZHjUIJMH8Fz7LcB8dxvg1GxVPWCMj++1wWZw3i9cuiggVgTEOvIIOKsdeH/l02B82GzOiwcd8Li41D9qnmxQSAPGD7rhltWH9pQQHsVBG6DfMJbkk5zC4vuO0J8cE6nHWUGutL423vSF9ofi+6lnSl/9SSRh0clB3e//vqLKO2alaB3BFESLO/6YxispvUj8EvdXdIJ1KBuGOfpqkLF1jGJvBSibvgKB/PFshfid3RL42qf1t2W2EuRrLSHojK6pvB5e9u9e817hNZc4ygzBDOED5PkeFTmxBjB97YptHNf1PMmW/fWur4xtqlpApoM7kzkg1yG6zZhrbpiufBWq9XLBWnTz5wZ/YjmGY95LpXbV9CX6uzBm0lCgIfsSHmYArskIStMbbxRaPlgkILV5abQhHjvU+CTaI7LNmt0qo4vGBxl8sbFCMLISR9URvDT5bu/ZE5X8yRBaCQTZwfxbzltfkRDOduC5pJ7STg8UGaylczaO94gj8n8OGbPZc0Vd2xUm79SkM5rVNXH/Jhxz++ZT2az/zPOZaMdT5bTaYZpjzEBPI7kygwVJ4KSebju3x+N57jmIUtV1QO3nzA03IUmrpz8aK5JYERi+KsBfUm5WFJ2+P4dfobCZhATkozouabhlPIRrrTcsctzmFH5zkBZDQ1yW4d1sh/I6AtFPuNvLPojl0l3Q+cPWq+b9e1Luax2t6QJ3VqO56Eso27VAzUkg1H/ks/jIYnoD1NWKxh3n9DiiJShPb57FpVyDkNDlzvcwO2yqStMdJrW0n0j/iu53Bp1VqkrXUVELtgTkWnO0waacEaS6XrdG6iXjeE2GZu61B8pNkERkdbXQshpaAhUpl5vPFFxQkouR1aVpsFNcm93unKRjL64I6WzPzRFNXSBd9ER8AY78Gmn+oyZT3fo4wm/zidP83YmkNfUVJzSEEfSD7kU9pJlJIE7rMF6prxr+46jke2n4j7js/wcWmJl8U+TXvaHb57x3gnGV2Q25Q0odxQF2mAymbMmB0/KVy3t77hcFd7ddXilF5pCyzmGkacqiMRKuREiVgWLJGR7E2mYJwPlfAijM9/65BNrHP0TJyXBcjDUhRj0DOp/9zNKd7Plj8X4HhaNdtmhGymuH4cGTtgRvXlFvhrHwdVp8FWCawQr1OQ2ylNA3qpxOspZapsQCvwXPIpQteUWAAA=",
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
            at: "/console/dom.js", .script, tag: "\"df7cf52f3309662776bd78410c96c462\"",
            packed: "H4sIAAAAAAACA0yRR7rbOgyF517FeS+93eJZep2mZwGGSUjkdyFCIaFrOaOsJgvLSgIpVRX9h45OT/EpMYKWpsI3GrQwomqFKSwtdpgGLvYALLwY7S6MZ/PKDpGM7mI/mWnxeMwk2reTzempX3jlWVSmkLits0bqGeQ2zwYvLXyy0Csjr2CflCVyhXb/0LKzyKxm57CbXk7o8sxxgUhudhdUot+gGCu39nucdo51e+Xe3F35/vXb7ha0/kk0rpdcPXW6pk42m0UI+4t7Q4MjH6PwAR/Zbu4oBB69YDINOozCxghCzgwqPx8jFUQytjywS1L9brQXjoh6KKLkRqW+X2LotG6AlGPkgsS5T4ZUuUOOyGWcbNDIENqz+LP06/dioHm5hUtvCQNb0oghFwyTWPatUMjhOnLBKBQ46aprZYpa5LiBm5+nXDmiqrA/DuveyxsteKNrIxzMC1r+4t7IIiFxuIDRPpfIMyybMOzoxZckE+OQo6UNEP33iGDUXMzHWdULL8l8eKEzZhwxn2Pe4niO4xZ13p20UbLd/NGqlaY3jiPZ/3kK9Eqykqac1bs0bn+udZbenTWb7fpIS5TNMkVqCMoqj1J/5wBzxDnJvHgIQYSTzt6ql7QIAoGIQMSLBZxc29eTJJnpIVT2y+qxbKD9GIeZmLNf81C/d4bj2ID8j3/snzfgZ1k15WI4uCxqWx6J/X7bXKh5gKKYIElOvv7Bu6+vJ/H5964m19c3ySSDkfV8D05eTT766JX5yFw0B4PMzIUaB4266MUgyVA6YKPt3PZ8WZfL3rSbfmZyoZ2DGTl3k4v7nHAolU3ytsnNfUFf4TmXTdnZDK8mr8pv123Xm+WmmfdV67mJ++IuHXhHarIsm99XNQRtErPjQfebrnGuFR+8OZvDFPry8yOVJCTjacxe7V+9t7t9vPtudv7dZRzd9/16Oplst9ts+5Os7e4mH5+enk6wR5SaP8eZZ8nt0sBbRqcrS9XScE62KnqBpThy4BUlieE4rfnMHIZno2vomA4GC0gji39/+w28JQMQVHeNsrEbeM3U2UMaIMfURO1yGZk9ZDE0idhZ65W4b+q86kbQSsmXDQQDBwM4PD83u33ipHO8fk8dJ+ZyvALNvmo25cxPITqcwUciEV3XhhyUoNCn3gxHuFD6qjhA7+ey5De6IH5GIHG7700pbhEyIS4wYIP0xDds2dMbcSDc6wMkqORy8ZyKDoNA342sD3E+g++RZGLevQMwxEVXFe+EkeTkqjj575Ob1z9UeOCs414hL4LfkSDR94ao49XV3wNlGVHewtg+77q2i/Om9cErDE5T88MdV+5zVaGKBuV4JIoH9kIeRFpzbqLITN1oqH7le5yV/pgPGGxisd3Ro8CN7OWZ2b/i/9UG1gg4ixhAII829r7HyQoH8oquS0PjIxHZTxZUPjxky7ro439qgKpV/5RkiCs9bEstHGSfQxMjD/1vBJDIZFcyIn6qb17idlGKh4a2+FA+zcxkIieUyz6/K7f5iGCIGeYLvLYml7EccRFReiuxIl8VDxi4A/fApi1znxxkGROKpu0xIlGlYQxgBnFbwi3LbCwIKA8qLsikRugHUBdwz7iIvwl49opyi2In9nsrOP+ZWFU/I39LYLrE9+JJ8i0nYd22DxDFuqf7YoHZo8x35YeOyhnHfVmL75IpQbGiauwxkhQg9HiIJAnMffyNmTI8zzxV4PIcWU/9tl2n+vM3EqL3upXMfIE3vBqD+pdJJocIIqKI2qkzPqXcbNQ1VFeajNbVg8SkwSL6yJVa7nn2X5uye7pkvtZ2F3XNmRlCp8BaIiHi6uYGvgPf9KnUlYOp1ESCcifMMOXJ5yTRTVY+gm6skOjSr+zuOewkBBzZceRdAuEAhI4h2eg3sg/glbQkgH6KY8UheSLDwUQzMCPebgcmd1tIHtqaXFbkM3Wk3lmcNXcgnsr70CKr3lSN+iRN0ulXz2REw47tyoKdxuXC584kp+5QhvOT88wd7c6sO8a+S5rBlFhMQ5ByRSTDsE0db3LsFEwKhZKOQfyHDjiD8mADl1q7OgfZAxLwqrmD33YP9DwBDgxkoeFsGlsyf55cXW9O8Z8T+fNmKf/+YsmHX/GhWODfn7+ZX2/e/PK0vN4g/7o94Z+l/PvxL0/4h29+DiryB2+W5VL+XS5/dcI/tzfv4vN/OPv63bVNrte73+5fT+42eoIXlOlQM06dbPOiAedAOENGbQ/xeFKFBIA1cZPlX7NZ3ZZdZvIa2bXNp4Z/iTzu5yjCAOerJna63OkSLQvo67v9EGtWxQJeBk8RhwT2A00aGTgNczNQOp3iedPg5F0dtD8cmcsQxQGd6oO0jPvTGbjYpQrXTSTOMBzpo+cpG1nL1ht7H3MXW1fzMhb2lIOEICV4QEI34GMdI54VXQGr7cSWfcEQSZ0XiUJYtiIFdbwiC001K8i/ev3DnV8N4F2Uf5BS7qKPT5Osby/7DsYWv/m5PHyFmN99WlgEkGxdLC6REffxTwEkp1GCLMFFFaPKVIW9dgJnrn6VCfsjCHpGbxdVlGplJRpIzTPphfZezUubEDP8tU9mA+3VGnEhRA6XbFeVLdkZkBgriTgsoao3rvlQyIxb7Ayb7BawSFstyhcil24VEzJTA/rDimNoUk1Lk1KJfK0RFigkQy2N59HRHAI/YJHLqHmYIqRGnpgDYEJfj+Za1NFnLeTPt233kNOe4WQOjKYsmaWSZcaRodq127LTEF5h3D0PC1wiLt5RieViqKfCPjXzobY8r7J3mJyEIcOFIlkQJc4bBDvpIS9NPvRWggWJyn/k16vXvrBfqkupPXvfbv/g7EE5Fyvkq757Up/WLYptUfWULOaEvZkLCJhYDcrJO0ZTJ6iDjHG8N/hZ1LXb0uevq/axHFcaFx3O+xI7Di37tkSMWGj8S41YQM/Qc18WC0KYtujGwumMKqAUEo+a0YT0ZSGHXsH0W1OtMLg6h5n6PC5MbOJoBTw3mbCbGv6+fyMya9lLugKwfk8c9lsYNFov8YCz1PzsNDUhe0zrvfyVhbJcgF2USp7Uz7MGEKR55WV1W2PS+bEvkCk5QXDOH5mu5xd7vj23ukOxlApHRz8FGvkZQ7hDW3BT6xmBXekqOq9sTMWRZdVZ2GXRQLPM1rWehExPONXHksdqVmXRbJHdBufJcyJNSYrcVoSZaiXvDyMZLT12CLQbFJOukIzeut5r1wfGtagWUL4jPx0ypi8UbTKcrGZNYstSYtw+wZoXJdLrat1XLDiejihmFoJvmgm5TMn27dpVKzmm5jRhCe0yBvEBe6NWrJiiFoyVR8zigwLJi1gUggkL7tBzx1cdY4BrrJ5RvnOp4nnwYUkENf9bWTz8FpGe1uvV8H//879cWPUjGhFEVwNhrbmtwNy8qLG/WpanA9MKKRjaCVUZJ7mxciT4DeWS35yxFX1mSpyZf+IuhZX2S3EHb5Xzy6URjQQpH1W8vDxqPTUHPUTa1gmKU1EE3/11oXN3jD2i/s9U+4nhlExz98/KZYFWeqw2aKh2OfMg6hKV3zcXLaWHh4kQdubEwZshyTslmcR/vhBU3UFo3X6QlnIJ/GwcO1kURles7WTbG0GocP/zjMKqv/0bi5MSxb7Q9DEksmauUlaIcZXVbL6Q7PrBxw38KzDDxH6DeYV4/gjCKNXfyFoIBdI87fMgQ9JEXcqxyddhG44rpPD3GVbBzFYq26nJJ0rfTn64k5n7nHnygPQ+NY7EVIsFPo21lUbwmIylzraH8W0HjOqRFaUGXtO7HVLet4Dlf0LoqkuAdZeaUmDSsuZgPaJ0ZyO58KJ6DHL2w3mkvL7BQFGXXY9HUcvxvU/qPaG1T6mdwI5VQRldkq1Ka3FaMgQEL5Vxn+jBckhSudcc3vzavJHQ6/fZ1H4jN1HzdkTej08TV6DQxcLipPYpv9YinJPxJqnswrueYD9R8jPRwqXIIaNJlACaTZSEU7wOdDdnBConDzHYah2cxAqGtBA9K0mZrkv1oEcW6ym591xMVWsgJPLKO6GfflBGR8Hz+ud4VKUKIXA19D9n+TrBGyt1fBUdnv8cN35ZktwoKYV+kpHlWjtFFzIcqfcMVMJnsJrcuHTHX8Dp5fKM/QAiKcMLa0JqzCc2xCRTNSzf8oL+a3PexOVXw6KN6rnJp7w5nisVrXVkT72xaTvavhXHBXkmD3KzmsmcP2hhycgq0CeUlAgSr7GKaVtYXglm5gv2ne7a0ne0glmjN3/c+jPqIt45RUCr7QLhUkUVQLmKPq1bW0Y3Nw4SzH54JcfsQTmPcWq2rR9LH9Fc9wOj8AXGMd+MLRZIA4YF7f3HtLNqAbR153Pyw93r1+6n3edHtyCjSTKkR1Mgu8q4Q4XgiB4qtDO0y0EGw9qbpWYQjJW4ngBosz4TYgxwg/uaw4zDTfGhaNQ5qgChwInB3ctclHsgtx+4mvCb8kp8qr2Oc5d1wrTt5nZV9bDtUA2I4auhTuVZtKrX+ljo1Imxtpli3NGZDpOa8dzF7I8ur4enpvJyYIGiLAFJT8fzOtrQ8Jzthm1khInbp2h62DOrFgcjTCltQJLXG0J0vHk/nFp0rk2ma87dMVjwkS26AmfkqsKI9F/OCekYYQoXlNahmSh/cpvHn0HJ6hv6Oi1VHj0F9a3YGdPBYPSvl1jO5HB5JowMBZDC9bftoqi1vUBUFAdVJ2OHUnN3+2AP+rTtqmTWziQNSuraJ8EjZHMrec87Jn4jw9sMItccrDNph/1+sKWD40B5ubqY9x6CiMPOaZXOGTKCoMG6rJix6+swYdA7dVqS/+wF5thAQV01xzi+QsHAL32GQx5PSCtSjeo2Bd32pVh4WyzCrEmXhw2dAGV5GCqm7q4aiOhe9KmpuXoxyRLdIESrBoZS01/87By3sHLDSqn2Eg5YpJpcl4IEpdPgqrCJna/wM7Ro7YlwmeQ+/JHJVbC/AWVNkEqxGiUZUuJV7Hpo2t4lE8kBFf39uU/Kwtsb8M7SktWiFyHLdYlScUirXsDLpuYOCRAQHgGraOZlLRGLZu6vsQdNj3XRlLXRONvxWyn2aWHxA1ue6bVPVdpjI5dR9sWCn+gR6xHvMI0goaiFisRNiEZuDf4sfP158PKY9ffFWXI/ICNGqTRGkV7eh55Djnx1Ofig5HmnLgyVf/1VLdeNQK5elNJHVE9/BmH1pDS2S/n650OV14CeavqXxC4NvtwUF+LyJZ+PwKHX6ai/bo8+t/NiXUbP8ws3S1pUyMRQHxdiisfYE6YYPpQPbIKpv8cOZdhn2JoApo7QswgNAfW9ZCMuKTi2nwT7Bl/MxB9qx0a8Xg4iWRKEsgGy7kjecyRX7NBhcPUPTep3AS5PGb5M+VHjdPDtHid6wd3w3uPFHza9LxDaxkW4ulrftqjhZ0GvgqjVECb0DtJ//FghIGio/WBAXD+9xT5kbdC3+hTj2rvyFwcaYJriscKZt13mmcq2XdWXno6evdyRYp8yjrBLhTouuGbYBflRWQxN3n+fhtP3n366++iUX3oynqo3aD0XWolKogkLN8j0IyPqlcPDNjuhw81zKtRemEr9YvEy5ZpBeF0Tm0buM/JNV+cmFqOf8tQSHIbcia94cPhHytq7rlhJN1JaUE5tKV/lkvzk2o9eIeLql3YizE3+fodKGLmQHEsrDWyeMoGinDGFYicbOehEJhc2+8ZGSUIn+pSrB4tGGksWJSW+qtFPuNgut6wgaEDwJLRNCA2Tb0+axTfWf7CnTXrXO3vhu86ooLVwViZdMUz96k+/0VnuQxY8x1IPflK3t7FuvyMDgg1+tf92+Yxu6MfZYhWcGrED2Qo1Sfsw2MqzAn/+uXyUkAya27Z4gisfPrj2vW1tW+uBYla1YJubrQB6XNtxDr9kshhnhgzD7i8xF+RODp+QzeSN7qNp81u2OTvCqR1eVUz9vvK9lrubY6LhP9kiKxKEJC7VTE1WLeSQb97Nz8z4ZwneoR3rIKXe5M5VdcBmM94prs38G+Dt2Xuq5ko/4yy8RjRDTazLTmowSbaypt3GQTFmOYdfFikbzt1tnOhHBR57Y7EQ/e7BXb0eBIzMOUfB2NQx77/b+6RF3l00bk8v6RxjnTJCTH8x4vygxkGcdOWdbOO7eMJ19k2LX1FmIr0B36ewn/4eXH8bvzk9xaUfbM2cmPg9BZgTr5/ENZ3+H/sap9wVMQAA",
            text: ##"""
// The console's one door to the document: elements, texts of data, buttons, dialogs.
//
// Data reaches the page as text alone. There is one builder of elements, its attributes are a fixed
// list, and an address is one of this page (`#…`) or of this server (`/…`).

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
  delete node.dataset.key; // of `fillNew`
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
            at: "/console/effects.js", .script, tag: "\"3093e37616627115bd97e512efae975a\"",
            packed: "H4sIAAAAAAACA4VUR5brNhDczynKmRxrOPbq57x0ztkWhmgO8R4J6AHNSXra+gA+ok9iNJu0RDn8HVhdnQpFnJ/ju9YwDDp3RWBz0RFsoIRrxy3q1vhLSg9x3bq6RQzXCdzSLUykFYy3aMO1wnXoCRwk7CI2nakpVScndLMJkVF3JiV8Spm4PQHIM0WyeAJP1/iKuCgfnUDb/RPuqOEJ+8RsMoY8trP48/c/EMmk4DOpD1fHmRm9JEZyd1SU2GYuD9GDW5eqaYJKgnhfMW2/xKT3ApA+SnmEnbQw1hbbg41++mWli8xfOr8eJVth7MpRCqAJEUUdfGJZKjRzrRLFfgRLHTEVLqPPFtPi4WKhspJ5Mu3Rce2tVN9J/SmzhGtQvLGQozVJkstFi/8tuZquQEvLrPNeWBbRDfZ1cNx+wSkP5Scu9o2m9N2/aqcCT8lyPhhecvKNnZ+e4mV0/jJhfRHs7Vpcu/bBUlqr6xu6ljriewMJ5HKGFUJvbtGFJBjl9vWQKpyezz5vBl+zCx4mRlm7kA4rjNVVFx12M4gjCsFXuKC8BpV48lSRyqVXwXuqmSzefRdSY1zm5UjEs2PkqM5DjTufKPK/MUSMaZBr43nx3+ioQjjQVkBR96eqqsbades6G8n/MplIykz2EW5ZYlwkkgw5/8UMk7fW4RoXE7+SKv/e6lAydUrOfePJE41nUQw/qzzd8FfuosuXiSdTbE6BaJyTsvhD101vBieMT4A8VklpOpNkHvpKG+6LKsvwYUvlU5dIWk0KG947bfKE7qUv4mfNfO1J7nt+0xTJonRMsXgZQkfGl1WfI6qncH8aO6iwl8Qvw+BtHuNV58jzl1RzUVYcNr/k61WXf0ycVEekzllCE0OP65Yi6St+nU+rUfxIxlJMORhgQ05i9M7bf7O21ip0H1Fb1eoN1+0nZJ0p3is2kZpc7iySHWqyZ32QzIfQ7/K9shrpkq+P8tIE86qyjXjhsNdsXOsSG18TnggNZ6/VRVroqHOq2Oj4fysVMd7lCan4aQuOxqc8W/8Q6/Hc5cAPxdvbucxuc1OusVthwX3PB0/vYfeL4HaIRhX48P4HK5BJecDMyQc6CwNn3t+2+QtoXDJDkwcAAA==",
            text: ##"""
// What a live table does with changes: which rows they are, and how rows come to their places.

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
            at: "/console/entity.js", .script, tag: "\"1158f633a994b8860c35e64b0de1d989\"",
            packed: "H4sIAAAAAAACA3xYZ3vrKhL+nl8xt0o+q8jbi/N4c3vvvZ2CxdjiBoEXcHz05Pq/7wygSPIpnyxgenkHvFzClwYBTVChX4EKHgI+DSCMjIutdV0FoUVoWmF26MFuwdLaeRCeD3pobIdV5PDiVpkdHFVo7YGEgLbe1xeq21sX4A6U/I6EV+D3WjUIJ9g620FR18vfvTX17764GonZjrfDlMihPDTozujsHs27dt+/7UfaZUMbwp9RCmPswTRk7OYQgjUVmW62ynVvN2QUsyTzpPJio4kMNXZoaGertK6gtVpWUd97Smi7q2CvhTL04yzRd+8KR+cOmXpii7Td3JAc7g9ibG+MPZoJNUd8Tp5D/5UwqCtaWOsxmU5RDHlbqu0WHZJ3voIO3Q7JLKtMQOe/3E7kx7PzwPgbYhI9Obfx6G6JN/64Co4iNO2EPe2f8zfBf2OPFFcKMTqOr9YYPFspOY7dPvTfBhHoe8vEFWhlbt7JWdBWSKobUir6qarWHs8VhcCyqhzBj4Rvh+/vHUVhZytQ8jMV0Ala7sUOmSYmivMe+j0S4VQJW3WmRflvBZe0Fj2VMUfG3VAQq1iS70sVrJtI4M0k4IJy4kPsmc9UpwKs4a//+Cc8gL/8+a9/v4LlkjPpRMM5uSKvKakOrEEPwiEgCUYJYuhAOscs0eGt8soaSuQayjtoUUjuwNMC1v+FLw7dBl25/E3+aVnjU2zKfF7vMJQFBrErFovr+tc/P4Tra/hCfLEgW7fUCYFkkvD/HdAHCkvJ4eEALuDuAkBtoVw++q3+rb5+fVkHoinpaAGhdfYIBo/wHdG/75x15ZMvLAgpHXoPbQIGkgPF63dKnor6CWkEcBgOzuR8TfXR6eniAp/G+CeXucvY2Zg4djMqfD+yfkVpzQccdC28n5xE219j0Vf8oWT8IR9dz1/LBw+gyBVXVFAIqngT+MsH61Dy184aLKB02NlblHBslUZQAY7CA1elWVRgHRRkUrGCYGGD0DgUAWUND5asL9YVrEdV0YqN8LxpqD24HkiyCKA8JNUVJ38rHP8on5BhFUOJT0UTYl2wlKEcBkm812EQ03U0k/UXo6IoKZYv54j20CEYG1oGbeWzI16QzyyC2yDi+ZqM0j6FMziFkkWyNLaIxYocGjRhBH8Dij3Kg+QGe2aPJOuYy28xlAuWFKX4KIZBiG0Y4uGVaZA1KUeS/JGL/shWa+tDlNe02LHjd6doHvde/DiYbWzAXx/GpXTiaMYl7m3Txi8KxLf24BocvGSLosWpOO0WuAwCeqYWO6HMfbw98fw50lOwiTKgyVXCiIqSkSAF8l2yF+UskNx03H/zckAerZwIjYJgeCw9lWVGm1GwrDydyqL9S7GIMhla6SDDcZk2vVDyrBA4+63YU4uRUVqkUBobVINTuVLdUjfcQSGcEpda3SJVe7G3WgUs4JTEU64b2z2XjyGDGBLFyBEnwDl9OtpY2T9PUuxxEtVYfeiMvxfFGDql38+ou0Pgfh7s4DK7tEb3xE5N/l2rfMYiji6LWuVIPw+K62wiN/ZhZr7fC/MyvSztktnGEOQuXE8mSll88u2XX3C9hRazXSSjjNgXyNY6cqEsF0Nebynq+SpTFt/S8oyeKd7WulxMjds71QnXj+Yx1WAYQwu6MBH7Tdy4F3yXRQdxg2X6ZEyr8vaATLR2B0Ln++0GqXq43U+TwkjKJroZbme6eWPuVKb6OMy9koKH6ehUokqiLyDNFHdoOM53ubMZneLVK007gF+za3yalSn5kEFjYIjgAenMWDkreuGCajTOCiFlcbQqr+E0yOdOzt+5/4ZVbpq8TD0zLKbf3DExfDCIER2WeSdf1oSU79+S7s+UD2iQSi3dKItBCKNjZnmWdoMEY3gwPMjuOdIy8/B9txzNub/Q5UpNN4lXckT9lzQ+B73oG6c2WE7oGKzWCRMHsg3ulCkpV+lC85hvXsUgG7XHIUhW6wH2Thd51n/EIebx4+Ms4titQPAEyk3GaJimFTA4MAjTYjKW80jPkY3FkitqUhmwfkH9XE3Im/RMWeeCHl8u5XPuRIsJJ9vPbFpsUFfsRBRAtTzuwGlaByROc31OwgnX8ITdfv2OdZyewAqe5G9YQrypPZlI4JDxYAVcsfoy4thzEMm6emubg6dsV9BnWvZ0uCGMTMMTq5xxMwnxRs0AxbvB6UtfZEH++bBWN1o1N+XIVtf13NW7E6y4FacGCV9UOQlk63uoMQzOuRdizagLTnA6r/jcwiMMRABoHW4puq+l8A5pXVDMT/nRmDbIioJiTzxz4+PNElaZdCwGh1nzOQxwTPJ3xvAo8pVB5Jtvwq85UtNG5H1+1Zbjc6wcHk3lzPQKfv21eMxmkcl/KR7SOjdiLP+H7Ml7B37X85xbDHHsBMX26FTg0EZB9bHt77M2IP27Z9mZDAneuBT+MpEyolez7DzMyzyY583/XYvgRYdDq4sAgi+86IbXSgXDTTiDgjUYEWGDaOYAcNhLEXAyP8bRcQZc8McfkSjGf0QF3lZyskmJzY+i8WIIE0wecDHT8Eydufe2v/FkcIPRMQiqwysQk1u58uk6Dx0Kk+6SBlF6MDbfp7NvwvemiZfODHHnqP2ecqFfnFuSjR0vs9fX68kfJBwrxiFK42csengc5D+KrsfJeDDRTtrgCbICz3XzI7vQ2wO0zJtmlgTF1ofkV13cl5Jo2AC/4jplZWMvs7HVcEVIlfttEH3x8CElsN4qI7Tuy9n95tnb+WkGx8p/httAh+IoVDjn4TJgpZzveQB5J2/kN8FkQCahC/AYvlMdUpzKGexhCJqyk95MG2yVkRFit0506anQtLCzSLUrmhsINtd1epJMCimbf19Kr6GRX2fjOfvRnLlPC5CE8Qxx9f87uQ7mxo2k+1fgCOCzBOdEfTw557yprmSWRS+hNW+1pI7k3lml0n+/ft3zqG7MCFb5gi1hck/H1z3SSPqeKDz1puoTEYr5Ia5xmi5xVgvY8BinE/51zOptLrhzKGaVWPctQi91yyif6RA46PNtb5Er7h8xuhp/bU9sTCLxEC9EYkPd2ZeoGw0eatpOpXQahdY1wwWR9RtThG0rm2hukKimZP/VS930OsPEuOI6UCWpo936ab9KUZ6IxiSKsWP5aiu8u03n3fQ9EL5xkQ0KJlovupnG3PHeNzI286vurJ7s/rmvwTVMMwXiOZCSJtpo8zWO9585t6vxd2p3GyW7RbfX7MOdPV92v7Pzy7OCbyvSG0cmQTIvx6l+w2egINJ9Abk47qBOtmAP445HCRAg2Lut0AG4QjUHEiwBw5GF9LjFrVPzS/yy887ss/kiiQk3/KMoar9f2wojkRFB329nVoOXOaOIxi+KlWREcDBLSQTdHOqWxPEUqk44f7PbPhIbIhLIldNtwDvucXfQmFRhURC0ubvY6L8/68/mz893qqEQIkKnPgpoXHUo/0GL2cYUhcDlIVef94bJAV25+nVVVb+uruvEnJtL7USpwjBVLM9Xi15MTr9oAyMYEoCxjGk4s4HQjaVMmkYNDpREU3/5+f36wMG3Qf/oPttW2a7bSczfwEN7fQkuBsnpUV5XjxXhbyyHwbMVtURIdOwHcCInlIaFNlj7RkrC16AXiJXC6yX9vOiIUudcRQVUCkbculRfIXJ7LlmAqYOii7p7XNGElmpqqZLGe9fHWMbCLPnh+hig4RSq7zSfoBClg+/gxRRY+mMhVVtAV2xepnG8Muc8gzGkU9Q3sLYQd01M0GN+gl3NoaLrLd2Nx5JQS0ab2I+YMNlc1DTYbibUhsJWL3ipgHoIRNkde7EXQrqh15JXgFARuN0f457I1PYG8wZyWWE+i/Vzh4K+JcHwA0rg+TkSnnK8dBzSLTKTnAssfCMfCA4QWSB7OfXnuTGzOkA3X5/NRWEvak5ZsuIgS/pCVJ63r2aSDHlnqSU3NAVf4GBg9tso4thd3ArMWH6ewVeh1EosiXRHC6dwHZgowVnt8wv4jMsbfkPIU7d0bUjUsnQUkiWV5z/5DiaDfpXwXQIKS5P5Lt7zR+priuvtzvvVk90f1XHgV6ipRlplkraa2IputGVpMAlOZBnuRn6Dav4NjXUIM3brcxg2NMg6wIe7i/lG9A++xPlpvrAZzXuCr81j1FzVmQjqQn0cfGGeZQ70gpjzdicK+lnn1t/2/66muovjjnQU2jDjOKDbm7PMjeSg4Gw3mPb/h9cDniBdImswHyctGIkvcWx7KyvsPRJygxjO74V2TQ4egqTpsP4KzArzCswKhxujPa0muFZuQM+SAZm0HVxaO2YRouWfzVAeVAWozGHw7JRdEZYdroS+JF8C7vdKJ5eWOCf1y109RFOoh79fHqrx0JjQuK+hNimQAB4pjwftWzxeyQ2IRgz+MIo9duDxDVh8vrqsnolXx1BKvS5+pVtMXRrzAUm1jyQ7HAfxZ8zPBs3A+YBjpWgxFV5ioPjPurb/n8xmtzhENVUFgoEmJc1XPYT5xGPxWf6AtzdrzVjIoL+i6H3htO0gWX1UnS63UsLyuF+cTiq5140vEaJ1xd2tSV7HsDe04yRMjvpQtmzxmNC8ZwhQZHKXlApKx8KvMd7nvKefJmfg90u6PhNBx12BTUx8QSS7Z/OLpkn1NmpY08/dVhXGm+KJ/0u+NLjWVvwWihNLkhrPKcwTZWaXtBpxByyMlH8iVTLArH7oxSualkgBrcPJjwqeOWsj2MZxIW7JNIjXHTwA9kDCx0NpMHwX1RflIMVH1kyyhl4o32lOZrmLREkYcZ7CFYSALd/diBAlzR9Zu+z+tAPSs0DlqDgU18jLiUbQ96IJza6PPlGRLCznEhQE4AeTqvhR4dl7Qh/oGPU0UhsmZ1a9q77ebSV+pRWVvawEela4DhkCgv+PkB6oFNphtBMlMw8QPeoUU93W6rLMln04tOklQHIRjzcx5FXe0abP6eEL8TIdEOMrrbIbTh275NqQaXNu0VAJk+8hGsEDx0AE4ABEPIeUbgH+DmwIFMrgsvV7umr9uXXZXPsSGG5M5qKqCvAfgRLiKRv4qTjCu7xnw7Oa1ADN50H3C5H9tk3DDg+PfAhlH9vSsXlaOeZmhePKFR8yBVH/QLBVC0Jo1s6EkzU2RrJYPQy4F7hpmKERQCXwMqKjfRuHpCRE7FoswBqBaRmbctaQKbLiKZvHRcDgP2QH0jE0QRMNPWu4WB4GZWTCGlJHuIjIjNazpCddH7W4xFvgt1qFJzMfVjDcYCbS18M3GB3Qg2NWeDo8Rz3zMkhGiEfFbH+uA2LvvpSNeSeCg3M5nmxloUm3znE59gosxzY90NpWPnfcoU11t3aqXJtm3PFVaxYmUlZ4ebFbo/DhF7mG9bOH83M5SYNUygPxMN5+6+PNRiT0nb2DcSh24NqRisWiRXKhuOvrhRB8vRPP5vLw2/6ynvjtoApA+HOSxWQ0OmmOs8PvwfUy+PRFYjTUatcvnmKK1O8HMUT7zvX/iUrOFYFt3BKUTLIp5lk4Qf3Tj/fu19VEfngAPFQ4Q5Q/04ggpCuXLdqOp31/0dhiBzpiTJIpgPzYWdpZL/OdN99idWxqTRO52xD4OclFRHJt522nSzac3SF/pfXeeGe4Hs8YolcueuzQ4NDNHJqTrutueHiGzOiiQXiAXTAoXa/o8zrexvgA47UFCqdNaNFVCz2uqyYZcGnQ1G80Zr6NG7nuiBX+8azhCuVZXR5/BAzPvaP+z+V2bzHrj1nnbCoVQyF/1kmYlWnrqlw6kmcVqbC0dnF9oWkdeFG1wjtPAHESqF2qOQphdoypx+lRSuflQhJ0PbXiNAltzmhOOVqUnccmMjq7gUHo0LoeNA62tOPGPO1GLgvIiY0LhLDNC1EZh7BPxi4n43BAhADIqhr2jy1r8kFmng0O76I+ZlJ5CaXiv6qYva1iNUEZ2bXq6YRw5sV640Up34vQZWhBJbZqvfc4jljMzYrniMZLT75yWW/wm8jHgoMJxReFOzAlfZppdCrss/Pf4XbUV9d1IeDMVd0LNumdNYP5lod430TV8E9JhOq85lIorltd9jtpXjMD4b1LUm+5c2Id6J+bmasKPL46cJljpCJsOuv+91l4GLT4EDxjXx+KqBIZVwh5gJ8cbJ39tkjVTktI/h/VGz6gebJe6zXYRLyF+xihaVJjVSrPPWwOJe2eUDW6BM6HW6D63pM3rh1fZzX7XhIBWtZ+G6LcwqlNAJoCR7rJOBd5YhTcGI+YK4TG4wUexcPuRT8GNjhaMSZMb6lKB6OH0+NF0Tb6+wmbg9v7vUBtUuP1fKXvY3CxX+8rZPSTUyry+b+8z64Kgve0v9gpFnGUqtHM+UchheRYeuQ0S9FQV8949ycaNM4vJCfAsNFkF0sCdRCf+rZFZZpZq+XMPHUAnIpaBTTIA/XT1H748tVgqutTY3WMa9uR5P21wxVYXh/AKou43WvJm8K+UyvSr5LTr1+vj09NcU54N0SHgFVDHLsaJcto/4WF+jGH473jzz7/7vP7n2elDsVSK/r6kypmVVgPfJdQBT7038f7qtsKz16IFXVaPBYqhHkk1AnzXkJdiu2EQBDrWxe9PDewvDyRd0wySW93N/25tm3/WF6IylDLbu7lst921cfa2crMVmvCeWTfVG236mOsT1eATBIDtjy0cXUW9W9YD26yOy/DHrPPTF2RlDZtZA9aOXv/BcuJ4qKtvvBKh/zczmjfYP3om8IWhwvmG7L0wzGYZWi8qql7tUtH2FJqQZWPFa5U8R2PfY3cxndr8QgpFLtKNcfI24NuqExYMP7ZMLNuydkOHuxZj/o5qXrVEnIw4T3th18x7kZ0jpPWxeFPguV2D+RI5aD+75xwHU8xfYcAZoOyjYU6QVp8YeVreGRur/7OeuESIlJmtdPrPDAqfKj0dG4TwambXUT/cLnCqV577SZ/tz26Cz+joOcvSodcsc+rRrbp+frx/Pz0Lrx+rDzaaX7Zioj54qgTjWKFFJYwwRGYy+ERgqS4Bi8BnD27lTsVX/LGOXMHKhsjSmAa0hhmVBF+7fbT+YKmF/Z1xX8sF4t+lfMNAt5333jjDYfbU4BYru3fOIazpP74ja9uRiplS6Wo0aeGGb8e2ILYRV43oEd4+OBUXcnJ1QcYMm5YYW5vG7HmXuDc23JalAzm5+WwSXtiupgk3Cungypf+74CxNNbUT/tzb+T0Nw4lDoXdEi2M3xsfJof0N3nc4HX6FWmlwmsa63E1dhKxFNNuB/we7YhfShj5Q7Ss1w5gqW+VpibjshR5ZJO5tnB4bPKNSxJX85FsClv1ZbOjmnd6RvumBu7+3zxCU9WBFbKbueLsLCedW1dnbuVhiPyNdLAW3IpEGhVkMRJGvfsJ+pQ+7GVrszVZTMu8IPSFsplZTzk3RstjbDy9qTh4X4vrYZPqzph2c/77dYqmhmydSOVeJDFWMBpytgbeRvJF+I+LLaSK7Oty7PLJlSE4LIPkpyOl4TELeGplHc8ZkfjSWHadd1gB8a4bAyGFaeg/9NeEq5sgKsxOdHWWVuyBjyr/juEWUs8aqXyoRif45dJkGnYopF9p5x1mz0NdX8KpCnIBADkDcFS5I8rvFKfbyxrXCGUW69X+m8mn1XHgiO6Pab6gtwMhCUmmIePF1mPfKql2y8uFy+izGP/10OaG1MuZd2nrcso20DELAUImUftVH99KslLq3MPKh/ky4mT9znQGxkugm+ck6s9xkKbfoUqvOiMZu2uECvvB3qvFrYEcLHanhsh0LB9MdTGDJofhamzF1p7OTWJvM4T6SxDKtfoaGujMXxzlYIY71xhwCQUYlHeJpn8QfImQQpN2viNgcPzCyt7nJS0BG74wDvmOcIUksjah2xoMBMIZ8zNfMBi3RsF4ejv8gCOf3tisn/bxj+n48FZYeUrolMHMsVO0JcUG5zgj+6wGAmao35dEwVVTW1v3dsZKw3w51f+B8LerbQKSgAA",
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
import { attempt, entityHash, entityUrl, go, idLiteral, pageHash, place, typeUrl } from './state.js';
import { isSame, layout, marksOf, textEditor } from './text.js';

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
  #metas = 0; // how often it was asked for
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
  #revert = button('Revert', () => { this.#take(this.#base, this.#revision, true); this.#receive(); }, { test: 'revert' });
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
    else if (text === this.#base) {
      this.#revision = told?.revision;
      this.#notice.querySelector('[data-test=changed-by-other]')?.remove();
    } else if (!this.#isOpen) this.#tell(text, told?.revision);
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
      let rounds = 5;
      while (rounds && !await this.#put()) rounds--;
      if (!rounds) fill(this.#outcome, banner('warn', 'not-saved', 'Not saved: it changes faster than it can be merged.'));
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
    const mine = ++this.#metas;
    const answer = await ask('GET', `${entityUrl(this.#type, this.#id)}?meta=true&source=local`).catch(() => null);
    if (!answer?.json._meta || !this.node.isConnected || mine !== this.#metas) return;
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
            at: "/console/explain.js", .script, tag: "\"b9c543a8447076e8820e65801f2bd71a\"",
            packed: "H4sIAAAAAAACA5UZd7/atvb/fIrTKbt1TPcgJXTvmfEWj/7QxeKixkhUEiG8W777O8M2IqQrw7aks5eOxGgE/1wfIK1tBO3i3oQKdIL9Gh9LHxOOXIPDA77BuGTTARC0cD6VYB3YVN+ym60PCW4gmSfpowRHWAW/AVXXo2Ca3dKE+peo7pzgrnYpeVeBac0GaVawsm1bwbbV1uEr+Ctc+ESH5kRq1PjNU1S2OkTzuW2TCRkckkoXDHV8lIFEEx5fgixTvOf3FVzpgI9d25oUK7RBY+i5YzEJqIK10Y111xW0Xj5Q8l3QqEHUB3wsg29psNHD64FGlXIR1n7/lACNIV4/6pCqztAPA6J7tzT0QerqjTlXNiadjNC5tfQuJjiYCBMobHwQdqZij5QwudubulBxq52qkN+y1TGOQSBhCura+0bBGNSVxvexQ0bKq51bJusdRKRgUJ7iBh5Z11SAD/OkguD38bMnemOdaWR0z6Rd4JEPjQmfo7xfMayYMhsH7a7NJzQJxxJubgGIInt9IE2c2cN3elvMcAFgpuKSxVffe2GOcBF20TRjQDMzb8AgNnDtncGwDn53va7VvOrwbUPY9wawFXJu4IoywNgAtokVRrtdrmkCJJjAoeEjEWEC8c8oZOwcSkHgD07EUAHY6IQcnE9rDp/o8ZtkZ21a7x+ZBnTK6LDVFPJf3CN7RfArFlBssJA4LXhUIjuRjJFMg2SYzry8k1sXJmzj+tqkgrxZwnSKnC4Vyxipc0a58+7C6zAlSayDF29OC0cBivWCQgtlISECh8cpKLcckcnEhDBYBtztPtQoEEnOChZIVvKsOI83hUNVHk92Q8kDArP6RR6NCESJ5+qF2PU8NuHll0HBg0HZtY7iU4GrVR+8lwjJJ92CZXiI9n+G/NPprdDsx1u3Rq+8ktFOayqyftc2sDbttgLkpWFjNlcmEO4iHbYmLsZgft3p1iZrIsZPiKkiFo4eIhU+wTsjzO6Aw7o1Boq6Gl4Z3TJPuLgMCbzXFBAsfEEcqi4ouzTN8y94n2DSB+00r7aFTJYwprrpMPVmczgOwcV+5CpENGoE4MiiwbysBbcoqH6nNRypOvEnWlPez00mQHmahSvNM0W/NUEnHyKjzeq6pgJx36SCmWbU/bYSTwiH5+ibWAwUauuW7a4xEYmWZb3R22cIVZbzQQrxBUxEmmKmJhNKbevoicFCrxR2hifj9+gJlaWcWNg0pAV/klGUKuu4Rf8WqlIn2zwyB5YA3yTyc6OfC9vE8W9OJ4r/325PbfNiOapJZwZmNriVS1WU2M1jZIUp0TbIfKmjqQeRWo2PSS9Z3Rp3LX54rp+KfmPO5KmNa+I/bVoXary0qsSqMWg2HizzAdngAzbPXX7wZ0w6JEZWGAixtUtTvFbB65mRkAP5mRzL1q4Av0jMC9s8x+snJ5JswWDtQKKjn2+PKjJuWeblhoj3Sk7h6/s/fF/HFLAC29UBXc8pRyE9o685fokxaXKW4UqpE1HH/Jq9NscEoL+UE5SDnPKiEu1Y39qNJUu//hr+yXdUqnVdJu5ok7/hmQpa+9j0+6FdQUGztbh2gumxw68VVT+BGDSc/UFFDYaUXSYjm7v6t98FCPZ6nSJXRSBfd/uK7KO69Q5rCq3h3CHfFWyk3QsSRlUNSqopwKKv0CJvXnr7Mj1U4LJrp4rZTIlvUWJGkxGGoew12Vw5n4tDj0PA2PiJj6nF3UyQaSdjE0mngFRkPt8y4O7JKafQ66w7UCTUi3qZS5i1ZAU7T3EiYNRlMSd9y9A4EXop5sr5DG5r7OOsOaNWzDkTUI5AVUbc2Wl25Haz6E1Pe0s0OizXsEdSfesz7IMXVkBX0LCWPZt0x3r0kZPvbm9a4YB8v7mD0/RBtlrZa/Qxhe9YwVhasQxnox8ZsIn8HBJtm52+ApMruw1UKyldOglKAe0Dg76laaNFVWXxIODckMk22wcPj7JMfY04dt18kUEIMaQwMDGdXRQfAS7tRYQuwhpGl+FVweIpo192IJRnf+CZRSaYRJW0/EMn1qubdzDiwYOJ7BXnpV9lHr+DzWu/jz1I0Mc7xp13dqnbp1J1epmpQsQZEUKKBhe1q4OS8jYVJw55TnMylSu/p07ZhDgg9RPndRCmHEfIVWxKsAMolo1h+5hV4oA5bSLy2UedmES7xjY6XcSQnOqK02muUCdYNZxlaXZLuTFEtvonnWSk4TPB4ANrrmkwLVg9MoeiqkVvKbsJNj4mGi/pPa8uRONmBXHPj3YpdEx780G2tua6Epd+a8ZSi+HYHbmJUt239MM3GVgY936itb7AZuVW2uBiufbRuFKVz+Le9JINNJBVvpwXPS4w0vmLNwmHTFP+XSSyX8l/+AA0NOKf6eWaqneiPNRDE2wdLOjQuyAfLLbeOpzGJtymCCns0rq/DdGJk0mO6dRs5d22bCcOYzpyoFDHR1QrmaugI1xBFyoSihfxRfb6g7jqxhxGpIq0nfQ8F03NO8YSNfTZl1viK/2DyIxlVzpcucgRqamadRIfRy/eMOZxJKAL3uouz3Mp5O0HsSTH3PrzmKx6fy4aY7a3X7z5Tqd1vcEYfacClr3uZKn5DF2M/jsaXcvRdV52KYv1U8KgMYJCelAI/H5UYt0T0Me6pXuT+9wXZlPlH+OLOfpCKCOqgUxAX9H+z2nSHflVJSvLnUxDgV+lGjJHVhHY0DLHRKFA9fk6rFJkcz9E76ytfGxCY5e9A228T3UuP93JVR9MpAvmsx0DZ6141JYOK88JqJjbRJjShk/dUnZBUisY91wI4Kt8UXJGb7y7HlrLWrGm4wtQv0vRNobn9hhqfg8+0EjuVS4aq2f3u536GHPi2XMVKlatpBuFe+axjdbTjUUHE7qZY70Qh2eJ3Jmzg+ySWY344/ySp5LicnXgt3qq+vyT6gcCthE0kSdV01rKyl7jZKR7jJUPfECj0jJ4FmdIR44A8WdrErBBJvBaZh4dD24JBZO6yHPqMhD+1VcJ9E62IL3JBPRe2yRy0LKcQQRrMmF2JSsg1UTQJBDP7jq22pkWrgy7VMOvOxMONSzQlUW5AB1M79ns2CFbJS0K2WfeY+CYEuFHol/cyNGJyMiJ6VyZi+Y6PxVhiOS3YuvDs+CVDlbfppZCEZpvbTKnbhyRcirkWdM2OR3rtrtElPhCYgxvvJUj37bNOf6MBP8RhRPD4vX8HCYyi1N7HHIll0hAvAGRTig/rBCWjiPk9OxOmaa6q4bRbDSdj8rZG3NBPsWW100hFgRxr/Ds77mL8rzc93JSlBXqi88eqOG6upDTbO+ocXczQoWqpgssumr5JXrXX7UQFRGfZZfTMEPUG5M0Yi253BfdjwOElf9Q0M+LrH1VzLXrRfnBmcI8Ni71ivKg3gZ+f2pWetemosyzguqgeFX2gjoFuxEQyYznsJx0Rsnxuu54cnFOlAXF25YYRtA6d2f2pM13+DHg3ELI8zjtStqEoMjVD+999YnfbL2jwBM2dJro9pXB9FTIxPTSmtSnq5lC3TzfUX2eJHx6L6HcPd26oBC0zdFBFMufjSC/rUDjTXdDYNqWYrZWZdmL8Sxf9gOSJO2ku3/rtbdg+hdL/Eq30dDvArLBAomSfDANnxGC/MBl+fcIcAIjhebgd7DRBwhGNyTksAWPnxVfZR5aki9Z0b0ZNozxSexoOP7OmlWJRZrraou+Mi0Vl89kIeuWut+lCvnNrFD3UE7Q14JNEmRG6cjelmVKtq4298TWRhJZYZTJb3g4FcxUXTY3uP1sWGbvxlS5dlcbm8ZZFsFxEDLHE1WGw49tQFWSPCUOIT8piUri1QO3gMJFnZVHTAb2MsmMgpZcAjt5d1s6DxXJ98ks+Zi8nA5De56WQFPU3noa5xlXykTuUxD1eEf7P36/nf4mHQAA",
            text: ##"""
// Why this answer, at what cost, and why an entity is (not) in it.
import { textAt } from '../reducer.js';
import { button, element, fill, plain, problemCard } from './dom.js';
import { parseFilter } from './filter.js';
import { ask } from './server.js';
import { actsRow, bar, bullets, code, count, facts, heading, loading, plural, say, scroll, small, smallTable } from './show.js';
import { decodePart, entityUrl, onceUrl, parameter } from './state.js';

const yes = (isTrue, text) => element('span', { class: isTrue ? 'good' : 'bad' }, text);

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
            at: "/console/filter.js", .script, tag: "\"bcf0b9bd743bfc0883f0ddb60accb224\"",
            packed: "H4sIAAAAAAACA3xW55qjOhL976eoCV8DPRhvDvbQ3pxz3gXuhwyFzW0seSXRYY3n2bdKwsaTpxukCqfqHArRiwX8ou0sarMEi08WWmkVrYw1IGQNG1HdJ/DPnSCPgYMmN9awEwbsDmGPQrZyC6qBRw55FBQjtMF6RbHqgNo+k8HuzIwKMV7XUi3RGbhHPDBGq8EcsOsIJoa63bYWGqX9Kpm1+4PSFo7Q9LKyrZImdnh/bOjeiVb+QewxBo0G9QPWseNg4ASNVnsIkgUHJ1+bYDWbLW5vZ3ALP4bGEQZBDMFqpHwqqCQ62syltSsoObOMoXwQXY+la54p+70pOU4QHcoQGj0HrBm0lS6QO0m4YKkOJYvHFVTDW1LAKm3K2AvXVjsoreYqrdd1w5CudQb4kX0+YI0NHI9sW4Kx2smlDtPatP/D9RI2SnUoZAyuzfXk921fDFlxOsHfiO/7BdgCAxylsstxME68J/bnPWWyRekPDJWSxgppzxUI3/upAv34Gap27cGA2anHpR+y2Am71aonu2rOxl7W6J8JwUqsbPuAMaCodi5oh3uQuBU8i0oDdZt8gscNHFvzB2UvqlBLP6UGPtBUyOdJNx5fa5YQciAMHyLE8MloDiYZIvr1JQzVWMxmThOisKe41tAGUsiCNA1iCF6461t3ccs7d0mDws8q/G2HcJmVSZvzfClNEvHGD9A4i1aRxkoZ9G/A+KLuE24Hn9zL5JuakKmlJEmumqQ2WknNkJWHmPfvXIeENt5+LJ/Pq67jFY8v3/GJunBRJFxPPs9mfPw8ILWBDe5aWYOQly6WEEhlybrl1PGQ4CU3EBBXNhobXPG4HAkeRNahOkRwnAG0DYTZFzpKWll1fY2GMyLQaHstpwZWF4hWfkz3CwCuQ84eDeoAaZo68WAY/NH0XiqszwSXF9IEcPKK/dhlgB3PXqnGgyuBUjWNQVtCpXppDfz9b7+Yf/N70MvWGn9+vfe8O2HM+C7+QvSdBYJFfg5/fZZWPP1ca6VZOD8Zuq+s0qEvEQOBYGWx9tICmJ7UDsuzGV4fz8tTGa1cCMloEp8PKfgFe07MzE+fFHskXxmul6+Pl4M8MarXFZ6GnB3ZV3lZ0DIvo1v6LVfn3H6/QU3Zi/mawr4xZN+c/7DI69uIdnmS128itmf48yJ7My/Wo+FFlj8m8yJanHHQVOKAjJPnHP8yzxebRmpbDH2W1z+e/0LMm+L4nVO0GBsbM8cDjvt/6fqkTP739I1vzOn6zaYYSBWHfopuXw6BCwo+CuJtcB0aXDiadisNt5amw4t0eJsOd+nwjq53w83NkNP/IXvx9i6MsryIiwsl/jxwW6+PLPCJ9cgTvyH4C7pV9ygpTuIj/AW3P386hGUGeW7zXOa5Lm4pMVy/ZbS710e+naKBDF55MvnFqIr3eU3I5xenqJwBvIGSfcyGPUzqvSSU9d3rKCpjCJ6DyJ8U1JGo3dfSz//mGTRWvTb0CYCatEJpYxAjCbGjaDftfsz/JLRBP82vCJ1IfmPF6xoPdud3Hww6F6HhnibXVU1d8dWVVdxjGPkxpos7oMnkjlffy/SmUqb/rglpHlEbaK1xeK5RAI/la/penElC6mvJqTQDJ8TM/lrW+HQOYGqrKfv8/UzHeHzCKrxwidaJ93OGP9peeEPk0TQ2vRnJAWTOdt/KOp66KQj7j5uvsbIJSqtbNOEIkTQUGYZZDI3qZV1EkN75JbxIU/chpwisow+0lD+niA/pTFtIP+R+FSDsdSbMpz6TDuXW7nzseAy7apcH58l+oP4HgG+mQUhM11YYXnxRYlDoahcusq8gt7nMdbEYuU2vLqQTQiZsce2vVb/pkAkeIUiDJYx/D9zwUrDqSsPNDZsGNintLMMQwOlKg0a0XRi8zIMymL4pXNt9VQRUnTJ8SP23Vxb/X6p1LreNJOH/9xTjCOAMxctQlXk553yHo4s4CbS5xaAioFU54N13vvl62I0RxHXV7tomMKHTdB4gwMjx+Rj2p/ttLlSULm6RgRrvcwdSgpP2eszUETSYgJ35iV7NIVATA0Fp5NkY29rv7uFybCjKGxNiFFxzfe3tNfcJyH2zZfCxJ8pBZftw/IUX3KS5EkVuoYklkErik+nCSHiRPf/I4SFbKLxt2950OYxEyU+IPJhRSALCw8zS5iqD5qEI7t/5FDPf363bsarCtKA8mMkLNWlFB7PLvKpmlg/RLOoSXFZYYO2EkA2HnadHCRA0r14FmOJPX7vvf3eMpXebXdf7Ybduv2zXHXAcJ97AOzk5QhCTn8RwO4/EJ00eJA5D1JlpORyRrI2rMRzyXTzkhZglZL1aty63qqDQioL7Tm/vunc5dwrpkVIuoO+BUC7czBt3DRjzSrAOTp7qc8E7WGYjJ3kWbCvz5l66HDzIDI8QU/ANnKLs7rbN/r2nSXWHI/bYLGvZE78f2W6muetH599FIeXkJzCA5EnDyXKFJTrugeRTZ/8Yjni8VivEarPiqKYCVaIWsRYlOiUz1gTLZt21mbGeuEEFojAM03U8g90+yhA/WlUk7mjkSZpA6ZXPmA8LBvQL6GhjbbTahp5LcNtdzKhtdkeQdEAZhkACYfvkHJVg6NPs9qv+vdfFS8vmoYuixAIC3ebR87xu1muutRTtbhMJp4UkSiZLwO7WSBjg0MSQ5oSon9RB+UjbLA7UU8UEmMphRoEZMTEnFUGxy+Uo4exxNKz+Xr9+DBnmiaw7kB40cTAiQr8g1cK0oLQC8sunsAGMIsvqPJuMfrMRHZWrxxKdjwy4zkBCgX+sZ1EH9LUqnZmEoHTHI0zKEG0RBIkZQ8NYwn+uyscOY8SybnuKSJl8WHML/NTFlBGII4gE6TEFEm9+xG1R8xmY0afL4hELrtlDY0C8MKNjnVITO2p+BboOelpm5vSL3WqbZ86rtlGIszcnKJafnwXvfeTM0QR+2+6PnK7iYmeycjhutU2TBqkGiJ6mIb5v9iadtMYq9LHLUmfFVGxRexBqW+/6xxkT97OmZadmPCOHXxiyU1hPjoSZGCESMYosEnVCvk1KShEZgPgfgChdfVFezhO5p7VKEFg5rrQKI+Q0WoZSoU00CeJEITHPXJWEBk4UnFB+AFkjkCWUaMhvSL/m0x430KHOluu59GbHV8nCxm4NWKazOJj1REJBRBxPkbFLFQOln25ughcpnabC4pvYamAbhX0HNhO0BShrTpnMUyM5VAPaPNA+aLsXtxG8WGA6lMW2wY9D9dS5j6Z2GtKeLkFzhSeLxAClYSITwLHZYm9DtN2IDV3IQ5zc9HTNhuRNdWB5L0TEOeGhTd2tbqBWCCjamOX06YOEKxm/Gi/f7nTl4snzjxahLolp7bDAdsqEZhzB+9A0CwS5ilEv4nnCBczZBZXwhbsEQVIoXOkS2W2nm+Y2zw+1h6URg6UlgthdFRNxeuSFTw4BanALq0UUJZwRl8NH5TpIWD6HUwQw0UXuM00kmcXCVdLOUtW2zKnnprcWP11Gkx30+KSnTRencvLbr5IV0ncHrTIUG/BxG/qUu9shjy1GnNpjUXt6S+nlFWiUzboIbEAG+JXVlEN4cgFK3NxhYR1feBLwHMMcGwh/AdmlFsPrrJDwwD17D9TuWw76dGbrjypcddl+vLWafheuikS3rGvxggpBDFYc8EOhSIkvH2O8U2XsbtcraKMqnz9Tubl68gSDNA88VS6+u9ksPLvB6DWoByQSpUW0TAvYUjb6lQF3XK6OnVghbWhAeMFZBNUNb1H0Mx8PCt8V3rR5ZFuPG2Id+WndCn2PGwxE1DJ0eDpWyt1MisbNeG6VsuUzKHIGrPjHdFi/oVzSLgQJ9KYbzwGOAeLA87wI3gSnUaQCsLYB+if4QL2AoxewJbelXHFUuRIC5EUoq/kqBKmGgTS+YRXkI6+g93OpFTKJwhJqw6IGJtoWS2W3xPIsw6/b7rbtlV+CROZ+5X/vetewevCzkmuFi3rofQjH7NCv22Xv/OpJA8UVKk004LUWilAIwQUWDlQnakFMWEc5LNdN/wcI0aobQI92qhP4l+zGEpqS1+08XneGUe8b4Q709hIGximpLWZO37pisilv1UHRgaNZYJRq6KoDSYTpKrXPsYL6BTU4xIO0lsQu+IAGc8wCh5F+U2IPWmleyEngnldcCph8gmecUbcSNV9KSqTMdFZJZXo2kcYUQMcr2VGmFb4e+DNOxOZZub1QeyNR5/mikHoqNqifxM9V1DA4N6OmV/KJS17jdV4U+vFK/Bplt08+RAEGWIJ+hxNI5Oc8uH5artr1TeWaWGXBiN534XsVqFrwGEGDpKhhOggbAd63bY+FnVQpV/FzA9/AQK23aTqa06Z578f8Rd3/9z559JtOvzVhWKQtR7oRb9/0JqZvN7fQQpt1q3H0+/d8Uo1JU3RRKx+B++t3yWJV/St3duZ+IzfrUSil6yCtyP0pIVllgmy38Jn2qwOdFDhWKyJLJFHv+YPb/O3f/vTHU9aXq+V77olZkCBKjftJoMxv2eSmMTU82KWYdFWsOWVGaJzai5mJjWdv/td9u36azc+sTs8SgFXKl+JJIHbVQ/F0PWUTJxa15LHzhZ3nCTHKIltLwlOkCANRWoWJK/9CrsaPrd73rX5SQWsC9/yu4oewqg00YrX1qlHix35vMRk4MPMnAIxsEToVXSQAX/F3P/nz9np34x1OdtcvT36YlYjhb7e7ffvTP/2BbRM3FKc3YVUeN/1iy03FaRueKGFpAJwf8BXiSMH1V50sYo3qJwAA",
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
            at: "/console/form.js", .script, tag: "\"1599019883d5443cdd3e31d204b0d7c1\"",
            packed: "H4sIAAAAAAACA71Z537juBH/7qeYLb8DueHS6UWOz+m990Sn3wkiIQu7FKAjQHt1On5M+5j+AsmT5E3uSYKZIQiaa6cnV3apITAN/2ng+Tn8eCc9OC9N7WCjnK4V+J0Cr155sFuQBpTx2h8XoL2DrW33BUjYatXU+AuUrHZQq6qRraphr/Yb1RYQ2MEtctYOXhp7a5CX9uVZkPilwAMXsAxV6yDIkMTwXu8PtvVwAl1/e1sM/FwB7tDoSkEP29buQZTl+QtnTfnCiYu0RzVqH7T9QeDk4l7+Qdw/66f7g7pdpdr7WRTBwqYp4NBIbQrojFPKpN3ntd3PNvrjQdXfkX43WRV4+NckbI5eBYUq26GYVu1l+zLYt5coz+u9mjBwO3s7286n8RXpdgXJ/GEbtt1qv/uObOVeBXluysBLr2YcKmms0ZUM+5xXhx/YyXp0Ey8/O3/2LIBDBTC0IOFr3//2t8LyVptrZMCIAW1GLEgHGo+blbGdh3c665Ur4dn5WWWNw5ffQXfCJWQoJ4fLNwEfrsrlB1dweXkJ4rGAN96AR+fLt7oPhn+e01+foj839OND29V5Gdj6DDUqD7J1irnluHNOLJ2SbbXL+ABz+DR8MJgW1UFsoDboR9JmKdhEUYCopVfx7+d4LvSja6XX1uBz12qxKrWpmq5Wjpmw387gGXwWghTf2gajhADOeCxhfdtqrzLEb77GAPG2idHiwcmjuwDTNc2CApF3wbVVDrdK7bO6lVuftqK0GGvG8kkdlecgREZBeqX4dMozPI5tZyq0IqqYGblXBbRdozhSCiAZBZCqBaDYHE5nAOw6e8DtDi5pT6lMt4erK8joFzqCT3NjbaOkEXAVPOvbjly4lY1TYgUL0i2/GJlKH3y/6bxCvicQstXyeSM3qhELQA0pHCu1CzardhEWbJwyPvBEPITfBMThyORz3DFshB6l6C1kg+IIFbKQ9OxMrbbaqBrJiJs5+b33YKQK1FogaeCVEDAG1gDInF022tc0cBkcETQsy3LYTc/kNuQrN426Rxr6j5/QbcvV6mLC1tg6uDsmrky48FShV07IOjm1AGsWGP47aa7VAjJCPGMReZQ3sulQOp8L9NAXqHO5l4css4YiJIlh/VEM6QJA2xeI9AJYB1XTTzTkXrdegRDBnrnbUG7cJtD2eNBA7Ka54moa8KgiLwmeZw+1ynetIRchoU9Yi7HPSSABN/+XoRHTGms/wTMmb0x2LOuurp4oV8GIxwKVHn+LtF+7b3UU+5cwiyttvLpWLaJw/srQFuZyLzxQkmyVvA8grb11i6gvGkwmlI0y134Hb8LHP4gSiZhQL94yIs+DeR8JdnyoIL9rc+j8PkheJCuCcbWq9F42Yoj9AqpGuiTxiqjhpajCVhEBS8wiXhltHMy8LY+nzFAmJ3MW19vjBNkREwBEc8p/vnPe7n8kG11rf8yEGFf49jhKgtdipAzc91k+hspFWonp+Q6th0r6ape4PSj9BzvtJim8DNpA6JZ+EJsx5O2gM143Yy6fik36JeH89zQMylZhGzCKHdb2+C89JzZwSYGAuOQzj0mUqY+mcZD/K2adzQKzP0sV6da2tcu4ncLu6J1Ot6ouIGbHAhr57rEApxtq0/ba6H23Dw/yFT4Q5RsEWKLxI/TT6rWxQW+HuXg5bhfv//ovYlXAkvkw5c9MSQzFEAqTxfNXtGtFTi23jfTfxOy5JJGo9bVZEY4zoryWEJeY4NdPT7iwh6cnWtWv86nTllPfcGYS8YdIniL6Xh5ho4gm2HVExocFNGrrwXa+QDy9VOrgqONw3iJbwoDgeGZv01Z+DDE7FBJu7EE21qixmfEWjN3Y+si1jh2+Krkfzj7HbUFevrDaZGEJYqKPnRMinuYM5CzTaIFWXyRn4RKQxmJ/WuK2zxywAYbTCaNlMfSqBWCbtQC7eaEq3/fMjns4Gmi4nUZR67dRgltPeWVTXnRuN1bXPZuezEWv3e5sM0RqiA6Fug2zzTb2yHEsUobq20Zda+PAtigRQJka2QG2N/N+jro29Yoa+DFUWHWcpjBeSNHoLDYbCylrOkU/FgwEv1G3gODElSVvJAh+m1xVBu6tVo5fu2qn9rI8tPagWh/ImBNOfU7dSB7zwiNiXTr9ropJOZ0XLsIjy1iLZWo5V+gi2hrUjCmv2lldKQdBqQDNgwdJ4DwSAROyV4YTIEoeu9B80pBe3pkHM54As+Si9TmbdZ7MenriiYga4rw/Rz4h+LAFSt0d2ds/WGBrfYO1NdY2gVAWWFsbFX5dt7Y7iGLW3fKi1MjiryEfN8ozqrAZGggpHeOPnWrqVO8pOU/Pl8sItcHv/+K3900KZ2eQUMXFDpcziGIPyzoMc3jGQ8LUWbyay8nY+njyPBMZirx1cGFUmtfBJdf46eAeV0815GqHCrKxrOGka1K3sXS5cicd68ddaOrsUpVGBM1fxO21atTgjmGxapyKb526q0hiR1rk95vMkcFKE3o4x/K8fQRMaThlD6nbyRvso/HYYh6hFEFFVRs8x+EwdJzyUrGFbwVjMOO0CgzmnNryRE4Sr9XQVWQYeKwWW8JBDFewxlhkoU9Pw6uX6hh2lAb75pxbhX6GqHI9tHgX0KN1FPpBXBbPCqKcqlGyzVLjtdMoQB0iqU/O+TpVKHQEa13Qs7pRLSVg1IdRGs6cq5IboDRazJzhNAI0paeppO+Htw4kcbvgy6kUNVxK0EokoCZcjDi7x9OrpMHTUzW93nQ4249qIG68LShyP3dMPsFo3mKtvKcPTSHobXwNvDoF2sNdJ4KSjX4UMc4t26FVB2XqjC+iMhH7zemJJpNLkdroaT4fMGK3zPSdTrXH79MQaNvPNk2cSguI40eBPvEWRwfeW9baYdtC1rSdSlJYbVY6URmuqdOdmYm9CrqXQpr9jKTlMG1HFK9KxM8xizniTfZoiVhNaYM4Jlqez6TzNWps0TWib3p3IwMNX2LHPvcbMsTld2Irv2vHXKVH96j0cMJKDpxCi50TXROJw1naqnNwyUcZSF5q47I6ULHClbLy+kZ9kesdDn73vynxFsYpX5KJi0moRS/oAAzKf+lYxh4xowaBe2V8IqOFrgUX4yz1D7xoXn8T8mMd5tsh6Iu0lMsvt8wTsjtIE6l8A8z+HG5ps3XIhTynoPgc2/MiibvnSm12gEU8rAmF+iwyZF6A8SWt57fz4pdks5RU8PAilbqhyaSQjBzCb9qptGpvb9Rrzcm6UfJGBZuRbY8DwzqZO9wpNbp6OR/RAeB+VKbXU1tTQX447lONcMpzExKTaFrR89WV+OufRPIOQYw9FCPf2b2KgT9H2ei8SQdBHp2lSS42e9vGYHdYKgxGv1PTZIkBPWj6f0mbKI/jeDanox8eELYc701XIsdINHWWnWCIY+jJTdOopuRIUvKrkv6+U7b7ONXBl2Tl3Z3PSbGixmlTOlhvAuN1QY8c3rFZZSis1hew7g7Ot0ru10jGbOts11ZqGA+g0QGpZBl41TS4pLxnduJvUuM1AwrGgfpGu/ASvxx5WQBPBwVEkXcvEU4sGaNb+bCy/iz2YEdTQQ+XxIFnpIvpDi893mK3NpzYHhcm5rPFmg6URxZWT5zrergTksFOr1rZoEs5Ybq4k84a3dASJk7D+xDGwyVhCOTZHRm+yHtqX/hweJWu+zWe4ez+eimio0TyGV6GCHZIoPID0QbniImbMIzwe0o2UvIVR+lSoAMF+5HvM7E3CWoKuEqpi+8ud63aBquePD3d/fqVifObD52/bTu/sa9EMfVHSNXjjMXvnzfavBSx9wMQ8VoD45p6PG+hxW+cBC/MkF7hjS2rSOkCG2tMGERKloQGWhT8tS/DWexzjd1kSzzLVc4zMjkoAkAUDA9ihA/MfNsqtyPuyxl6Amm9CMc0/C5r5aVuEEeRgreo/Xo1qBTifjbaD1N9qxq6D3E7fRgG+1mRnSzgYjt9oeoBoLou4PUN+SpfpcsrBFEq8QUHNvHkx3xMGZ9NNz9TdhjoeGb4jSzNNpobKRfb73L6letBNcfwP3Joc9bcHGN7908jbvgOy4FUTGPu6Wn8LoyM+2lk5fhHEdf0QQ288Dv26/QNgT94wWUsLmRCPmRmpk0m5pST8SFdyxATvK2mh/Jl2D35uDRai7+S5GHYQIGlo5mfd0tfDHyUqfNpwqIBfi5Ctq08TqI3TfV0eYQPK0YbfvC/c80ZOA6SP1jAhz/Iq8IyRuC9Z5M+jmd8tGH1GPERRgL62NaNvuczycNiAWLFTQOaNH77CApQxH3g6Ym+3GeTl89Ru566gPUKAfw3Oh73cFchAAA=",
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
            at: "/console/included.js", .script, tag: "\"df4d3c39219ba724c7487ce0e13c2b5a\"",
            packed: "H4sIAAAAAAACA5VX13KsPBK+91P0Vrl+wMthTrjDaXPePTlOTZ3RgBhkMzCLhEONud0H2EfcJ9lutcAafHKwQer4dX8tMZvB+1IYEDX+09eyhVWr6rUGUTX1OgVZG2WU1GBIShkNbXONP2SBoqaJUSvHvUZLlhg2RtHkQG22TWtgByp/XkAPRdtsIEiS2YVu6uRCB8f3IrKSG3T5Rt4YHYPBX781vkor8y6T7URr1RnT1DHkrcAM4sFKDNtKqPpef5Y3m4lqLTZS+2HNtsKUE6GsUmjOk9GyvXoQRdZ05NO0UsZwJapO+hplc70vz9De/kXoMnbPb9sKYxYtxmRk62sbYeREXRu5fdN4QoQWyxzMjo7gN+Z2K3NZwG7XykoY1dS6VFudwj/F9kQbKnMMO5JKYXhd3Z4PL/1ZDKXQr+SmMSixappKirrv4Q8yq0RrDcLR7OBA3tiIMrRvoG5MicosI3M4xUgn7mt5TSGEEfQcKneg0pAPWk0BAiiyBH7TStO1tYbdC8xTaXni+T/rKQIXgNC3dQZFV2c2tPxe7HkRkrEIdgfg4nTNfgriWijjKpy08t+d1CYM/vzHN4FXlTD4TAY0rllDUZIJk5Uh5nB6BnVXVdExmlYFhL9iyxFw3FNAjgEZ91cDpay2+hiuFXKnI2IhfWQrAWVQBbKyUZnUyRgv1jsr5UbEoJuuxS0Mfb6AHk5dKgmxiYJgv1+H/fnqQmYmwdxaJXXIZs+TPWk4P4ddH0V+BwyOk0rWa1PCGTymAvZcwjel3HdINcSUeFwY9KFldTXMEQGEM8mCqrOqy6Wm3iM51TInE6+yVFNfOP8XSYQd0mWaJ/R+lQvVakNQhSOrWCtwloKIUg2CKNHbSmHhY3zcIEqoYEpbXXoYdpMgmj9eRB7M8yTZhy65lLc6jBZJoSpyF1I2ZMgFkwwJh8ERer+7m66zQmSR5SxWIru8Fi2RiYr4XopLyx/bS9fMnREa+N9//gvLNx9f/HH24rdv/rK07yp389tNbuKYadyWfjC5Dw5GxHH7dxIbOA+5/AQ4UcCWq49x38d758Jg4ve2PVlvpMeQTIKdFQ7SUQTjupZmXI/HrkVARi+IMNpdHtrZ1c8Od6vbfvnQwdozFFl3qBhxuGOD4MwecGVMvc1to2pDQ2I4JcLVLXcHz94ouUCJMAicVtG0ELJqQ2wmCji2oef7bOcU98JxjOOZqtcSlQn8v9Yhn4IO/2QwQkdkaCvBzqJ4iJdber4Iosjmx5Ciydh2Ky+tecnKzhfOxsIl0tufXwGSjGE6Mdu2Gv3Ih68prVmJH1Tu3Ho9blMlolK2RBd+gtPTUwhowAZAGpDyOrKQt+a07t8anIEU5vSw4HrRzYM6aBxVWVN1m5rPGZ++qeOT0ZYYlRREFISnZZLwkFZ6GOvfnFK/t05G4lATxXvefOr4tILTPTGCeETpeUEo4VRl7hFQqHI+JerEEwunDDNp20JQRFQKh3AU7Z0fSv9JrbtWplCISks0oV9jnjJPgTzyKtrELpCFqomtBHm6H53PNoL0lJMYZcglMxfJNTj/2+vn/0r4GqKK2xA19ogpVhrLzabGOev8fZ0mJEA9M8bLNp1PZ3Q43c5pvuzh1MdOJIXDHT/1S0zfF2I2xEC3PcThcww/DwWHQ1tDLHd3DLhr8zDQW1EHMVDRYiuoK5XJ8HEMTx9zww9oZFj7sSFGGKLYN3+GWvDLL7CEXx/u7CU29HYfkc1+ic3Dd9r95uGE3T1gIMBXvHrNztT+dq2GgU6yk7o5jB4AQjd1oXUKAUUAuajXFbYQ7hhlKonrHn9Bd1nprngkIbVBgVEHevf5gGBwmlOn/NXxwC3ZEiuFwd6k8OjJaHnIEvebOrVKKrvELpFXaM5rEPuO3d9s8ca7FWtLYncyuU+ccM4wBRB4US4iIkMVmlZKC1sMz6L4PmBhYy1bWaTex4fHjh4tPt/KOhjrOkXB3fb+0lzDRtS395+HTYGTUyGgZO3+a9K73iElMLMWcim3xyAFyjboS4NpQFSVuy9u/InqqOKAe91tNqKlo9/1lsVscp2dtJQ7ZMchMbeM1AtPlc9mWo1czzsKOYydvCuPz96pvt8l3BzhfPkFTkU9LAdYyUe0iCF0HvwaB391WWD37Mv7hV7uDndo26c9za4HIzTq08PdNxmHLO97jOyJK7/f2dZ78KCZH5EycgUV6P//AQ0TlwpOEAAA",
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
            at: "/console/list.js", .script, tag: "\"26888c097652834c8614195871648a38\"",
            packed: "H4sIAAAAAAACA4VZ95/qOA7/ff4KbY3zLhuuF+bYud57b+9zmMSAd0LMxWZm53j876digxOG2zYQR5Zkla8lMZvBn7YG9npjwK1Bg3/xwewgvOzNHB87+2Twjw/wbMMWF9a2C2aoQPfghtYM+KXF5XbQz/iwdgO43sDgnus7u9u7IcARGrd/+b6v+PNP5vNQRfIKTGd2pg8Vse0q2Hfa9vgxuBW++KEe2goGQ+/gBOvB7aCoZ63b1Z/54v7MXxT5pXlBEeEw9KbNqPc6bCfkjTuQSLPbh5c/Bh1MRXqvbNsaFL5B3Suw/s/9Y++ecaFzurX9poLdIRhUyPWN+Y0LtjEV2+1nRrOaOz08VvCku4PJ5Pute57I3zkfkM3Km+EJedAH2eJZh2ab7ZT1yd6Ni0K139K3Qe8M+YNM1xjQHo1nPJvUm/Bb0p8c97tE6HMBdPapbma3MgM5KaOsZ4NpD82VMr/C4PiTRldlTAM9C91d43ofWN0/2v8aWMA3vvzl+7vZmzfw160JWzMA/onnhy3q3pl1AHfAYNvqAJrCiNdXuGRRI9vW8GYW+Vr/Q1xegEKqEhafctBtTFBFcwgFriwWUIThYEgVEkqBvramayXSKaoLHwP6HpaHoVPlEtmSVumtblu0p2ex5nM+t0iXbT8hdqQDbmYdjneQCORVCnFV2H6PelVwjMlVeKOHZosrhR6s/qTTK9MVuP4TZl1En25dh9GNy+fM82B70PCfgxlekMqjbefwta9i8BsfkJBU/2QdmaA+AK6fU9xvdb9BUsWaav/4KyRUfGzSSnbMRfGa47gOg90h+bt30B8oCUs44Z97ZDoYSjUhvr87JW8nttEmVRTqWeTGqRS7ahyVY9oqBbEqa0xB1m4wbI05kEdJh7E7PH4dyaW8pzT+PmZ1Oz1wlUBjHgFDnTNJXhf8tiinfFhwkrw+9E2wrgdKpIOnpFHoXBd0NxeQIbgIA5LpQKCEvtoSpAgNLBJRmYWN7uiFELyHEXzoWwRAwrSPP86WmRE8wJJi+cMjM1L8ujwtAYOgyJy0TAS8qzx9eEQp+Pei2gMUFSP5zg0GAmVflpqtMx56FyQpmPtpiU4/p1WCf7embZSIwmP5b2+6JfRoWo8ZRuJV4AvAtukSwJTb6UfjJedtAAp4X3HA4ZoZDC9qH8OjBUtkyHgtWTl2Bgn/ETNWDEVic7FwZwJ42xISEffMQvQW4LBv0RqqjI/JJZbSeBSRAjN0uKKEhwfhFvfYNYjkem+bR9Oyuyz6+LKo8DEnJwEL0alMGpGeD3XTOW/UiPg94dO71tQIga7vTcMxJBsvAZM2ESdUchHtrYqCw78n3gkN5MT5mT3eHbCQzXgCOSLMZhQlFAviYAZSyml5JC9tXG8Ss6m1syMTfwrpsV2RQbJrGS8wTClamCcESnwEiHKdKbJgEe1MD1M7kzZ1NLblhMIVIaU1ZvD/7VhTKCsuU4j5RIGd5tNOwpz2jdQgslLYUWkjz4kgSv/t6jN0a629t5ueFSenETvWNh39JPguYTKNW7c3yYVEfcMfRJUCbczV+EbvhW0WfnycM/zrzo+YTyNW6Bi0M94nAo8xgFv/Y6rH/m4Ywr07DI3hyHxPvqPffN2ZfhO25LhzfZZI5Y6/A8EjLBiC6wEvVIQiLSEhIUrO8QJzbs1FxYALc1ji9SDXf7pazyFNmLYTeFwGhCrFr5GWeZFIQqRermviKkjmI9rjo222dEm8eEAUth0xfAHNSGsGU9+9hmOk4h+Qv4CJXO4VXWIVkBIXRGvcDsvTzKtiUAKIvPwQk3Dub7nUlas0Mk4lQkfwJLzF38I9OZzYnwVIup3FswGFINa2ikiqDGHGTAVXkATri8z/vKscS0wy/xlNav3PTNe+Ran/JPPk0VFB65oDnbnWaMkn82OxAGU4G+VtYjkxnCySbUWDPGVFHgUe464YMEH6GuV53kNqiIpv43ZJ1BP9W0HxR3wlsUdBV5TTG4i5x5JtvTbDOQ+OuVzU+L34ppaK4FN4NUmuF78LsaugHqS8v40fZJkxKkwNNk3nlH5Lt6f49cs51bkUXzZQ/DauO+x6H/suUPoS6sHx8XwplzUV9Bl0guKXsbggEal7vF0iUMbGIuGeGyDHHQQEIaZqpjclRT3BH0F5BRgtPsoiISIOtka3Jbeu1niFynBl6EnnlZFlVHT5T7oYBJzfLpG+5wYRTyl5qFfuyaTaiM7JXECR8rIeGw06RVLukTtacaI0GMpiEhh9bmCQp2BRxRr3cnzVmqAtkZMw5Ihk0TDl61hDdd3vNO6MvoutR16XHnNvwgmDINLeCwxFPbPgoMXO7iyBROoB0zqehlZJSH0YMtSSUjrHLb/XglpNp72fQ8FteHHudmRHIZk2as5gkXdpSmAIpWWEK9e+5MJa+zSSpXuPkTZmTv3/dE/2Wu4aArbnS4OsJLMazTabixXPR2AwSME4T4at5ZnWB9NzsyKfqaejUvJCTZlDSa+UlX5nUj7FumdUmkrlCvzyVJaJMTVTc1DXLVTqsl5psWhzbiaBucXVNVbQQjG+FCRKvjQOkzMycoYKjFYg0CxbR3DNjVYsozILStw/1OoYkbi8fUPqAXO2M4UAy2W4o6K3JNJkQkQtc2rIkzQCkPLyKBAg86KKIw1lR+GpD7nuVq77o3TYuJO2gNSq1w1iNr5hRigxXWG4Ld2pMjqRlYc4uVLFn7bWM3NL6Oag08PG8ERPZiV1UcI43IjDSFWRJg91a3wz2BUqlimZezaTfEZl8Idmy1pgcVcX4rPcbjI0YaYSQsvZ01dmHx4JnbClnf3roX7z7sNZbT43DYPmP7/89rQUBnlVLJtVOk5Er4cHGcOV0/lEEqtikhwlaOc8zFP8vaykn091VV3XibugPfrnxpgBFlNHnucTYxbU9Ig1EnbnGWD9r90QURs488Y3uBxycq1zC0IxOiICqczypVq37Y+fTM8IYHo8A2Mv5YvgUvkF1JKLlPtHkCsKTuSF19JV3pM/MHEjY4Eu9o8SIenIQhDViFgxMtLKbGyfCpyYuDLigsWVU+S1dPZFkcv2JvxQyphz4DTyXO/0Xil5kMg6UgDIgpQ1iKg95UtMGqHKMhG9LuTcZHJuF7Yt4EEGz6o4J2VRxoJsHncI+D/kTxNZcxlM02pZMtZfpua3hl/R7hJhgsLXpj0bfYRRR+DQOI/yuWAQn+UthJex8FWdKjSCt9ye45gjcA0vfGW2u8YIMW0x6R5SyUy+g3k+m0sxQ1IzYIzSTecNl2OEkuekyMf9iXW+90qbZAdIXAj4sx8YVLRIOfqZI61WEqlJxAlIK5Z0fUKS9IVjIYqq90iFmgvFP5oOlx0mYx1/1iiQT6ZnXFWvaPAe2y0JzTfdTqDsRxZV/MZRPOLGICN2IRtfK0x/Jf32+V7V50JaEQrK18Tygo15i5X5NL/h4phGBoMZsAie3OjfUnUXb3S90bafy5ZKcIrBQCBgdGWLLml2JQB0PBVy53A/MAfGFTmhNAjFrKBV/vlgfjY+9zNpuidrsVEtqY5q8i30uxxoP94jP9rlF9/ZSdIMIUqXxCva/2XKkY45YplP5uSrNOjldR2TfilUt7bgsf+A7El+ftGSRZJK4jQpGPNUSZ36ZIhFs03X51MhacZkvjndjoEuWg/dhTnEviZRpL55FC95XE+jLeM0jTvZd3Oqlk/s5rJZHqYN/u1R3bReyO7y8ar4MV/M5wD/A9wZc15SHgAA",
            text: ##"""
// The page of a system type: a live list with a filter, an order and a drawer for one row.
import { copyAs, copyText, drawer, element, fill, plain, problemCard, refill } from './dom.js';
import { orderKeys, turned } from './path.js';
import { count, emptyState, forbidden, grow, isUnknown, loading, muted, onceNotice, pageHead, remark, value } from './show.js';
import { most, observe, server, watch } from './server.js';
import { go, pageHash, parameter, place as present, setOwn, withParameters } from './state.js';
import { memberTexts } from '../reducer.js';
import { LiveTable } from './table.js';

const pageSize = 500;
/** Whether the server has left out what a row has but its id. */
const isCut = (row) => row.get('cut') === 'true';

/** The field of a list's filter; `url()` is the list's address. */
export const filterField = (url) => {
  const field = element('input', { type: 'search', 'aria-label': 'Filter', placeholder: 'filter, as in a query', size: 32, test: 'list-filter',
    on: { change: () => askList(url(), { filter: field.value.trim() || null }) } });
  return field;
};

const askList = (url, changes) => go(pageHash(withParameters(url, changes), present().own), { replace: true });
export const sortList = (url, path, isAdded) => askList(url, { order: turned(parameter(url, 'order'), path, isAdded) });

export function statusText({ total: counted, truncated }, shown, total = counted) {
  const all = total !== undefined && total !== shown ? ` of ${count(total)}` : '';
  return `${count(shown)}${all}${truncated ? ', and more that the server does not list' : ''}`;
}

/** The drawer of the row that `_sel` names; `show(text, id, drawer)` makes what it holds, null where it has changed it itself. */
export function rowDrawer(table, show) {
  let side = null;
  return {
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
    offer(source) { node.hidden = !(source.total > source.ids.length && source.ids.length < server.most); },
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
    const row = text !== undefined && memberTexts(text);
    if (row) return isCut(row) ? remark('This row is too large for a list.') : options.show(row, id, drawer);
    drawer.described = undefined;
    return remark('There is no such row now.');
  });

  const searched = () => `/v1/${type}${/\?.*|$/.exec(url)[0]}`;

  const open = () => (options.source ?? watch)(withParameters(searched(),
    { limit: most(limit), count: true, ...options.order && parameter(url, 'order') === undefined && { order: options.order } }));

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
    table.setColumns(options.columns.map((column) => ({ ...column, show: (now, row, id) => (isCut(row) && column.name !== 'id' ? muted('too large')
      : column.show ? column.show(now, row, id) : value(now)) })), orderKeys(parameter(url, 'order')));
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
            at: "/console/main.js", .script, tag: "\"c707ded667da87b3872f0c6cce3ebec9\"",
            packed: "H4sIAAAAAAACA2xVV8PbKgx9/36FOu20vk7vY/fee+9BsBLTYHAZzU3Hf79CxHG+8UIwOpIOhwOZTuFVizB3osML4ITSFQTbVzATxqDzFSxxTaMwDQQC9mKBNBGBv0TTOPQeDGX7ek91vXUBfsMMF8pQkl9WIFuUyxcomnUFrfCv7BIppExwtokSK+gERRxKSw1leGJXFXh0P9HRr1qY+yb/Po0B/hJR20FRTzOi/u6Li2NbodUSiXr06zSGYCkXNXZoQgVzpXUenyD1aK1urqcVbUVTQa9Fotw7O6OEm8I1iVTO8a1dPcuBHQqN7Q70z5ol7dKwDkjCSW1lUsFG5iBk8LmlMovUNTqROoj1TuXU70DphSWwcB6faZFE8xgCVfC7WUEEzGl7JKYPcBIuQ+lRowzWTeDyFWisjEmN+kdEt365CY0YSp2eOZMswV64wOdd8fmyE2CGrSIrfFt8Gz3h1KIN2RSKfsUSfQ1nppkE1yEeH/cAPhZh3aMvKiheDZOQBoeiKT5XDGFmafH5MPlxEGJ7dCIoa7jC031fNg2i6ZQZ0ESjUdv4zX1f8hA69j5Qr47Dr3c/4iGsjWFm/2MO29nsEGqnxMtx6o/AWYeMGibNIUyHwSnJuY/HacdC2iVucUJK9By7vp2JgzKSMHO1iFk81ubgwvKwmDr6gI7R41Tvw30eXcT+IcOjkC0I6GwTNW6s4vkaYAOrFg0oXpkr5wPfNzNaKBeBy6yRcOwYNEEFdofvkVWo6zpZre5EX5YfU8pntnyaTRIljQFkdI5SqZaJWl8Eev5+Q89XioHwl2Fa+MD2I+Bw02qHklLLycdzn+EqfDtx8vdRob/f4AIUJ6bZ6Re5XIjOUKVzFzf7SbEmccAVvETKS0T4KlE8OKs92PmB59bbDme2Wac3dFNAmWC5Pi3dwEVMPeZCe+RyM5xbl+6u5bSlsStPUtv0KvsLIHLtlY26IWzWHMJKSRyeD2UeC5WKlqQtx1nQ9CaWJ8uio2Ax2T6wZSFcUFKTc1ncCnJKelOEXxsJ82hkchYHygn8JkepOZTHBv4TcJi0ukiBTIEchUTg7NlhWfm3QiXRafXYcJqnT8Pm/4DvEI0iUNrly8nv0lKAEoqLm3bbEkM75vMiA9flZOzOxqBG48Nbaiv5dtTEuWUo74CRNVuNtzVU+A3fvTXwl4qIFXVN4pfF3duvknOnP/8tJjXVk21ZsrTl778TLprLpt3zNhLLCSxsydVou8fSpGaP1RrNIrRwNbku349dB1bEwSHzuwDBRbL4psOo9d/NNnb0HDfEBDaRelwm0LhK33XsGxHwal0yZjLoQEb5SAHxT0AfLkfjxU9sPheTq7XU1uPG+/f59hsbQOM81JwpnFOEzfWO5LyxqX9EOYPCA6mrmZVG6kekchtrEH5E9OkEK6BTRzpysPOAJl83PnDZCpMenA6FWbVK497OcRwbjmPkwsGBxeV8B7c+aFXy5Lruo29fJl+W+XIURTVQHb30f+XWthvHcbTv/RQt/AKmBz85lBHkZg2ZoCU6MuJEgnWhC2LjbXKa3LF2ZxYzs14R1AJ+hAC5CPICeYXc51H8JKmvqnuqZw8mbcDmTh+rquvwVXX7GIPfsltUjUf/mE8Ik/nUrujlVEnhRouqJh9e+s4mOhuJFYu3g0XPvxyMOSNv3no5JdOtyZ1jZpYzdtEZjhVuTsgp0UGzHSJ+nh9iNG4ccJHN1QhjzIjHK4jIzoqz5w/KwZZwz2xsSyBbHav4B3aed9CC33W2z4SGp0mp6sSzllXJCg2esnyELO2DKX0PfEUTlLg4w9XdhnwZi014GbxO67GcPSxFCQukCt61qRsTKw6CLAg81VZCnsD+scrsxkN07np81ri6Kb06wKCjuRmGFbeENTtLy7VkZXX//oYC2yLxQfsWvhXc8KbZkA21xkXBVJ3EQPZu3VcaGW8oKHaEtE3VE4S9ZciAgKhRIkbELzT4pM4eR6q+ekXqQYyXTU3/dXSe2GBJa8OBj0MMneYdpz7n5+YBQnrMdpQXZgPEjYJnWf3MpgM3ORni1j0rASyM8xM7oqH1rmsowIa0wl5dZe/AAa3DnDBkA2hD9pUxR+Zr8wKemzIUCzbNmfA5e/7A+Qo35lvAj9hC/fl2lk9PaKFXIo5MBQOTWdclJUq1L7EyJzo2dOfTaZ7zwar8x4fO8k+jCzSV/0KmqYOk9lHwjaq3E6lC/sBBUrpgFYWozoeqn9vsR/JCCvEOrKtpEoFM+B7IJw120r41v/7yD/MtqcHc9zPMYy/8F1+vxfxY1cjM8bWNqAo2hyXBeOt5IYv/QhYHNz60F2nFF9sAsy+iakUbqcuOThWnO3ccVOewhL5henC0zgQYn2Dsqnt7e+tbxqW78JlPeYD+5vPnaAuLqv7YQWp26CVW9axVAImdYRJvkuaWZLU0+0RySd55jKOgphSuyxOCsPcwR5QNLI9OANOzMCo6cDWvbuVqtq8bOviODKy5vaVvlu0EayKBaSt3WladIz9dZjQGrooGtQ3GZKAb5sgUj/yvORj+9lTyPFG6CSUQiGCIXbOBjtkdmZ2IAq1CUVC8bKIhf0fn8QP4D38B/uB1RoRuNRiQhiGVGh3gnSfS0ZHl8GcH+1gtJTHkJVsfo8L/Ie2CL+P0i1qJejuoU84JGdaiEbz5+VhceiRuxcmdiE/GAji8ZsJY3BNz9aS52VmItgF7vAtfoPIwVDlDWHSrqgCwlkkX777L8qmYLspkzQoVj1gYM6f0z46qv2fBBWWHZOZN11Mk7P2nnnLrnrYVk1aHQwO2SCRZ4vRvR63ILs1//2N22yW1zLbkatQuNg0qVR9RlEmC1IrORkfhi/pAEX7yAXJjweL7qzikGVpoU6yFPcSk0JgywL4Am+Zmr0s6MFNRAO/wfdWRS2vu7hYekW659IhH3zRkWG4IaguSxUWfeJequ9i4+3xwpR/mTQprJGN9CQdHSWvHXbG8x3opJ4VDl7GhNACrYA8j9lH81FBgzSPU2h0psuXywg3hxZIMUCbL6lZ6Z/J1+vwBc4putahIwyaZVAROTJy6Gw2VrxEQWfrkMJVjRtNwfbD2K6KItuK24me3WEME02h/FlmfI51gWvEzj4nixLzQJdmDYs1nSw/R04pcxwm/YRXwLPAq+OznJNDzAuuhGVqK3x3cs5CHkTNtB0hHidNyJ1kV/mZ5qsOQWGAKtkHbUAs+wi8ofShiEF0rrjKsF67NyHAiuQj3OpHp4nZQIywG49nVESqIQD9mcnBbcsmxRm1zfAVVrL0vpXk7i5rC6oGNjyU/XIQTDyToDRMA13QLIlbq1DZ7TzVu06zhxKRcwrv8dlLLxgiACzpildzmqWPknbOTiCsx5hS7mG10qdYKG8/Ceec4+z2+cwwZ0YplY4X+kQ2r+lSmYtupIv1ZamKEcP69kSIyEG83nQGrcOVQrOsrzt83hOEkpYP4MT+WDsrWkUNwd67i4qEaWfQQYyMDiD5sZ47d5dU0+sDBH/3gb9edL9+Qp5K1DMZybm+vZnDmiNrXjLZnaWbX+C5J7RgxA68F+ncCAmviBJcrXE9vzCyJWjdN6TWxwHB2cBlsA4B8VNQtMghbCzxjx5rS7qhhMqi7kOnLi377JIYOTOQg1lGxAezxJYjdG5PHiFYMtWJzh5WbOknqZsKDh5YLExouDh0DOpQVGbYdfX+Y3zNfG9fWkbEFJSVG7qAgOegUL2REJTv21NzsuDqrTKXUECezaO3jDfOTwXroiiuLTiS997J5kgBSuTYai57fb5U3RRJHk1lk3k3vdnPaw8nsWKC6CYkV66nwjua2hZEslD0T3Cv/Jk8YVhARMkVbuSpDVyBtG2mMZ7/dO33Yoivf1ov7AxqA0HPaUB/UQEUGJUgS50S1NU3o24ZkGe1r9sOwElsrTweb43WLGVtgFk8+3SX0MIkGKGLvDKlhtfJlhpg+NZOQr6NOZciCkfPRxitkxk1LQS5cupUVLlfpV006BLddDJsYzo3CfUxehJwo9d8/8AxlaRxzIND4T1q2fvf2faxbn/3I8854a2QEezP02tcmvdtEw2UuK/m+l1LU+w3fY+yfchb6s7Ehqy7u42dDRoXqUSzRVcGSD2yIQz1J5MVVvOPluDEDVUfw4nLV3MwPkO3Rnu0YECrkxpFuuZoxlrnzdbjV/PWXf3XGth4C5/y3ImWBKlzzlY+r/SafGI9iESf64AoGwD1Fpky8rrplxVeB41NWarVaJj1pTsNt+w5J040C2F80WnQiZRotKc+XIBeQjm+kWgR53/HJxDcF0OHIR2k2bdX7EM1i0u2Q4vB93UEWxhibhLz0IwDQoyW93+NMl1slDc7cum+GWyPuEPa4PTelp629lmzij0txJgXOlBYveGaMYE8bDrriNE7b+GM/k/z1n3+HF0XndrY7FsWD7921X2Ak8z/RweMsROtWIiHN6pP8rfVLCgM2nG7cbUmzaFjnKfz1bUXK5q3ULfynFR0dZ3oZn0k25NJ/9vcxgZbj+1MDzU2uL/HCwGxcBzFw2QSvD5RifFkuK+s1In8WVIp060X/ruVPXwLMSk/VUfly1XS0kza6RU/E4Ps5MlO3aO4mVCh3xPrebSRwO4TfNhCpzL/p20VYQBqWvnfUoJOq+tvKL8phBgVI0jS5sOkI0dusqlfrfkKGb6+QHb1k10nPCVBy5YbWlVUzpUiC43dkFCdGXmxk+V4aZZVIZEKviL7TjFFWbv4/kEDCi2odqQP+15n4xHpS+LvsbhyStp1bkavssg73/yab6r0SJiJbOMqv08c53Xq5dC0V31gGVAaEvmb57lZYMqavMMEvxwSaDN9jQyYeuyzX+7j902Sk+TIqH9p39FCHEh9cKMYUbBUqXXVp7dWJidVLqQvIb96YJRF5OPubvWjbZvP5HYWez2+apf98WZf5WYFw+LjQCmQ3vk1kY+Tt1r3p+GbFVH0RtmJyxTC4Qatx0oWN4F/l6+oP0wEk8CWztL6YPla8jOO2s12QJrqY6k4kRlUuj5ZRXC/WMcDoEs9HLOvXBGSccj3FXLGfYZ15+QqimrLDqm4+7i33bJxBeyYLKXQ+3NBeO8w7yokibFUTFIiPTjgfJpCYLm56O/eLVbp+itdvm3UNH/H2+id/wxcebze1HRMNlWaIHku7e3fwGCH1raQmjqXhBiMZ/F24m/6wdXBsFy0MN3evxaVazdtfww44Maqb+GYl3jzcNpSoO1q2WqwFLLt492luHEGE8HZwjtiePHMpzAUnhmHhGRE44zxzlMtHJpj8h92XGrHuaAqsfmL49/xLjufpzSSuKl9BhcBv8rrP8jqC/tW1hiSXlqddRUOk5VwunEmNbOAQHuDQgrE7xS+yRnIzBP3AJgkStwKmGWVmxRlG4IVfnnOl5g19WnmzeUxT+EXfGUqtfQi4hK8ucaqI6QCZNls1K05HMqmTyqU5aUWDl1nApHxlA8jp4GuqFUfC8EyCsxF8zw+tDO55nC7+xYCA9scT3WWzAUKkXzQ0hTP7o9nSFc5qJPSf5CIbQA0XNygA0jj+S9+lazENfybJ5SUSXw0inaLBE17x6hGgKNhUsSZ9QvqKkR7j4Olw6n2PZFzvXvar7BGl5XkgAZrzOAkjTyUzi+5j9chMj/Z4Bkddh9l7GpBIqCOOnkIfnvbaZMLJE61FpMJLd+P5+PDcHqQlKc0hSqIeq75pgrR/4WviC2N87L08w8gogKM7xlRRN9RER6OPvqWOCx63MMGaWPLBCMaQGwJ5OoLxVpohCXj6D1L9kn64+PuOK7C4QybM4FskcFwF7kwViq+o0y7uaUQsNhu/XPWVpxE9nPlRhvXZqr6QYdAtO2137PyjX8HOdYBcijCpehHS1J7nPaMfEVDZDJc5Kxw5Ci5T9nhoQfgCEmKnJitkHcNu3BuQB7SytWQKCF+HX1Tj2DPOb78OYwXf60u4UBcHxtdGedx0KjPGXf5T2pVneQqpIIkCL0SVXRlYIDjTkXTcTnPwXdWiNyYOii/xkraY7YVg0NOR4gGhI7RUligduWsSy0JfqvIa6VPezvs6qRToKTFoSaNV6+k3oqlVcPt7H7iJPSF5rq2ai56ZhFcGHBBWFF5UpQYPLeX/H7AYd6LOijeMgoYUMZgv3DAFg+UjDmtqIrOsuhWgAeu3xTtf/qX290Cu7JogQTc8iIoVFshscAz9d5AMrR+ZOlABH3shlNj++OIFZqehaOypxE/y/6WBT30/zMTsjo6+6n9rP7o6LDIAAA==",
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

const frame = {
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
    all.push([`lost:${server.lostAt}${server.lostWhy}`, 'warn', `The live connection is lost: what is shown is as of ${clock(server.lostAt)}. `, plain(server.lostWhy), button('Now', () => reconnectNow(), { test: 'now' })]);
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
  const kept = hasCaller ? [...typed].filter((one) => !one.closest('.chips')) : []; // chips follow the filter's text
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
            at: "/console/merge.js", .script, tag: "\"fc9fea8ce453b10f04e72b0ac40daf3a\"",
            packed: "H4sIAAAAAAACA4VY15bjuBF9768oR5KzbPaGN3Xa+Oa8ebWyBUmlFmdIQAag0ehodY6/xh/mLzEqiOBoJwcCrHxvFcC+uYFv9g6WG2OfMIBbg7MIaGMbDxPYb0xMG92Bd0O7QtiYoNIraANE8wItrL3roY01xA2CxxD5lYMFJlkX0DZXbb91PsIRwrZrlwgnUSqa5uZ5cLZ5HorbLNRjv0D/Db6KYSzpcbVbor8QXuxidLYG7LBHm6LYdqa1We9m5foLFbMILGmWMfzD7WtYGGvR17B0K6whmEP6Z+ld16X/e9N135hFhyOTYeP2Fzbb8LXpSTni9hs3ko0pDZG9unn27AqewWeaIEQq8MLFDRc3pOq+xHN5b2FnV7huLa4SEOgRWqqrxt6QnU/jYYtJBo7HrWttRD9J7n1rnyijgI952bc2Lxmo1odh43SCL5xdJ2RisntzdbV0llH86+I5LiPcQ0lZVHD/ADf//Dk8+/l400QMkbfh8RGKorpVLckt/HU9Vhts6c7jGGPdm4DFPfzZbMsq1+rP6ImZWrDFQZ9qaC04tii01cfo3C0YC8Z7c0hOmbkvTbfDBr56if4QNylfCNEcQrIWEdbO84NUdGu86eGoZeEqwv4CpQU+JQ/7Nm5YxWPceRsSCJRGrjH3xnk5nRG5pMRhMlR7Okuln5PenIIllGq2LE73Ztxi3F4u/ePJL3A0t1QHM5gmjmyMGGIk8RXTc72zy9g6Cz2Vs6S0hBNnKlRwvAIQAMXjPUxnt+e9HPuw32EERv+eDWVRagCCXilZwxu8ESPI4Vln6rpVDW7nQy0Zhhk5+rXmrOkTPwaKVeQWGMNSLFnTIxGCqPQ1xnLaNA3ZbV7gIZRVDbRmD+Od5F6Xs0pKkWMzlKImAx9of5fkR7znJBJcNSTTEq1HzuEyM02BOS+F4KfmCaMYHay2ayhlqpQjoxX88gvodpT95LeqKIjY2h2+WV3FcnKg6OlE5nhqMFHdUFPbXdcN0YDwotnuwqY0cdg/AXYB1Zv2uMT5xz/mrmebY+9cx5LcXVbtwnJWySSUII4wTD0ThWYTsUaMmYhN5c1Eszpl61fnf0+0xeEUxZvYyirS5XDkqmlzj1qajJyutN2UD6t2vU4+7RID9YOzqBQg1LUTZTO/adiwjD/4ZoPsjidCPoPlTGXSo1luhiAmME+v2uRuDsYjFJREAaUJcnTQ9LRuX9VQSGIFJBMFJVzIPPUr9M0bxga5dEE5kpOuQf0JrlqijJKc1+WFGrla4SsuQqkGpryV+uX+/hz2o6Q+EX5e+m4U+rwzfd3UbCBwVbOl6tcAqQ09qnQlPXleSK/qahy5uIEH+JB4nupXyO3hLNsEjvqjKk0UhfNrcwhy5BvLaI9vUzLh5wTGHEoKfAJJCl4kxGwF0ekxIQdD0oZdSBZaNSAnjnNvRE9c/M1Y7HT0SzGdZRLSA9FOUBxzN1lNlSEVRoaigsc0/2EyJvfI5rhV5E5VFnvjLdVHE71eHK45+4IvWmXxtetx4VYH6XYqSVFn/02H9iluyO3ZAr3P0JWDaEVxFXvfxog2lagNepMl701R1dTxel0sC75YQLLioD9w8EWuCPd5iMkcr68TCAWcqnrQ/tK7rQ4JKh1oQ2kpxwZoeS2vyYTQUIpM3cwHqlA+92WtXZkOWjpmt4QcCX6YB0NuM5kORnuRR8ItzFfO4hyeMAYmizYH3SQtmK7jAdGbFb6ZMGpbKDPqd7KaaaKRpcA++EBizLeAtdl1dLrorbwstgUVZdmZECaU3iqtveswLUyHPlJxsrrGS31J7ZazlYb817gVvdufu7759w794evkdBld4l5rt7s4WW5w+QJXRfXY8FVw5Icu8nZ8UZUnonu+fxP55Npd0vAEj717mezNmFAT6XtSO5P1AT758MOkNf/9kbZ1FnxY03Z1gv/957/zpMYucyycB9xfpvqGsZmLGn0xopqKUimF61luw3Jh6bZUcM901i+l8nKmVtopRE8Ngh4vPBN+NBDqvNeZBXavwSwwsi+VUkxISg/ieJCYzKp1ZNP0aTk/B3X9+yNT65QeuACneQ2M4oQDTHgY35pr8T2hktN2cvj742Vipzn3MGGes56S+KziXxkL0xGtc97a9/PP0r56mNfKzeP4DqpAglsznhX9e8HKOVdgykncq7HZvGqUpslv9HKNO2Vw5ymiaxWmNPKgzZUNyO37GgIDm4r6kiZh4AnP4c/f/B1K4yPg+auuge/f+0OB1pIO03uYuvI1XeaP6VK4U3wxim9aiJeC7+QcyqyWMqoZ/WAvTbIlQzPhyQudnKMR/TUlQbNRMihehwtkQjUUZYohoqVppWOnrJrWLrvdKj0OU4A+Wouv0nTVWoBFXIVh8DYFnT6FXi8Vmzc4eRzNlQkP1HLwWon2aQzg1re98YcMX0h5XYuKnCi1eOGT5f/WiEL10REAAA==",
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
            at: "/console/metrics.js", .script, tag: "\"4389cce23c51154816fc4eb5d3c2d214\"",
            packed: "H4sIAAAAAAACA51aaZbjNg7+36dAVkkdt6oqe7nj7Pu+b35+Nsuiy0prC0nX8ip6b/7O77nCXGEuMEfJSQYgCBVtd7n7zUySkkgABD4sBCkfHcFX2plyacdQWigdXOqqGkHTXubwcXm+MdpCuwK31lAp6+DkNajLZuO0HcHKtDXOIJ9TZwnSXTZgVd1V2ub3yrprjYMbWLbd9XtIrStd68YhW0krdJUqG/xj2jOc+ECZYgRG85y9OIeexSf5UdHW+R82eRiLrGvVFBFNawpt7A6Z0Z1WLqLq2qrSxQ6VKoofvNIjWCvLaIzEDnzQptT2m1UkJsztyrGPRnC51giViYm1udBmh/bs2gO4VJ0r2wYfqnaJ3Mt2QwAVG6N4fNWas7IoND6utSrK5pwfkLdqw3unzvWnOEaQImNFMNbKoDi7NK2Hs1ZVFau0bi9ZoXvLtrEObKcamMDpMf3vYRhEHTQOps2mPtMmg8nb8gyTyQSO4R1IjhMYQxh8C05ojN9y135cXukiHSaP8xOcfQXpTzIYs6npV8qtc4OPQphlmax/WWJokVqp1ThSWK+CvHgdPmtWZVO6a1KlRZRJA0sqLf7+57/h+RuhpdWPj2n9xfM30Zoyfx9O9OtZD//9j10g9y1bYHkppkSIssG8E+SqPZM4bZe0XwwWddosdeO2QSX5BxH0cO0D1cMLCxHswdSGBNccvxhhI6hboxm0G5DxR2VTjCEh5yZMlec5EUI/6HmuNuc6FlapM13dIckTJ4EmEvLnRjWurLbk2LUymla9Q5bwJBFpkIw+7Z6/QUThPs/1C7/YvaP79+HH0lH6bjAWRoDBDQpWvnZRTbs0pXOUQVQxMD9p1NEEpUMO948ERJTqLKo7vQcwTYz+c6Ots6hL8n30jE4MAULaYeYqS+ME6AimwRNpsjLarrWbr53r5kHWXGJkHmJk7slJKovJZrORX3ylygrVD4uvNlYXXn0a94/2UpvHqWOdcpun0Md2aLO2c9c6VZGcgfEG2qa6HqMSr15d0cxr+GcG/aBbhZKb5TVN/VjWGlwb9KGRdgVrVa28svh8egovxDCFpEbFxNVPhxSxHuev3QI1gv9HwOnpPtS0l5Ts2g/kMYb1AJbWtUbPWYBAuSM3Rul2JCBzGA8mv8uQYR173SzjVej9qddgC4jlietU6pzEflleaKDnp12iQoY5MtypvzNa1R70H/jRB885FrvOj7adbpJhb5xSvYnEB/Z5oBJxFCExpShyKzY8DXrUGqugj+qvhifkLAtNGSo7tizfmXaprZ0LxZzZ50QWB1e38YH17U8Br7bRaInBCie7QRxYIhXZBK4hQ7H0a9ztdEEp6tDZdkwbTJSY2DtxxfhQ26UpO/StABiqH5XGWjXX4KgM4uM1nOl9bEUNYpyvikEIgXpD+8UOXa2uhKxurSOy0r7fbqimO7PR0IuKmy5y90/hBYZqt1/PhOFAFgrJXMQMkA3LsUNmQ2ehUEIBE2j0JfygXcqlP19Vyn2lujSdjoD/b9uNQRNntF/Jy0C2s39Bz7saPVN3Em1n8A5MhRS3e37s52eb5SPtFjMYy/QM+x/Z1H7QpuTmW/HehLzTRtUaQ6ctG2cHlGeLh0jGQYGuba0GVWGk4bNysFaYseh0v9WtNs2SshwQliINFmVwcw9wxG1Ms28lD3jbpuh76YdlfJZj3JFD0li5AFn6DFPltKfAX39B9JqXzbLaFNqmxJdl8OKLkIZ5j+EzWxgSN4vObVtrQv9CVRtNKHyvrXaMPw963mZTVcgl84gsWgmQ16p7rLLTaVjdNxwjIIrBuvfbttKqyfI/kCNNIMlIdKKqKhn8IdaJW8iV/b1bzAujLrFlTxlCf8hi6DksqS2nfpenZWEORhHpFX0mvKF44fV9sCZmEhJHcmxiePYICH4xbFk2rMrv+4Cil6IRacAjTVzbwYT7VawLKUYM64Zl30N2ckt6hYSpchwpJ69ja4d/4AGkCAz+oZkjfzbJooY7Wuoa+SNF01dOkeuV11EML4+OOhkFbY9IsTvkVGWjSRSjQ7K8VwAqTY3iN50mt6xUZTUxSarsoKmcrNVHImSNThkHk0AwiaJTOez72WAylY4yCYypTPDKNPAljSRfJf3zN1cEWI9nm+tgeR8Tero1dkpJv2BVYTDAq8BJlcicGIIzPNRLgCcen34ACUmt5vYYXSqF86miTULqZidTJS8HAGVCUa7OHkY16eI8TfA/1J5yK4lmWtT6UYKYl/ry/fYKR47hGCiMXj2m4q9MqR6s/ek5wUnaiBLoRyyswwCJpHE74Ju9gpA+hldO89c+RWHIko08NGxrvW3nCDh+Hy91wan84Pkb5eAFeL1fePkUbxJsKD4bBXBZ+CGBiSdkLRdfDdHw8s+vnNJxiAuOnGd0VVFUO33lJcoFTJq4YksmH5U8Np724W3Fcuqs0qnj45WULTpQ6bhwSf7ENTWChgiF1McsRdGTKtETCxGqOYjlq6lBqHLpg5PsnZwZ3nnH08eZG0FhPBRJoZx6wAZisJAdCEdExl6wy7bT5IX2Et/FyY/0New5GvpwxRV2t5H3R8qKBhMoY//+x78waRlTP5uFcANmYMDySjfnbo0MTCj1jcorU2QZjFkaL3WYU109llNyfh8nHwjb6UeXShQ0couVYsnykdKPqZ5xx8kHg+jWcMHmxdBqRfFIgMSIm2FsmlA6o0j6U2nEaOg0ZxxABLGE251OW7bVrdOUo40sDn2SQfV4YKdqvGXxpvElwFMnIVaoX9uz6KwtrgftmdDrSXmynaPrkk5gtI/dkWRoD9/ipU90BWWvdfTK15N3+QZpgUnYGXyhmE4TRbgOHV7UJnE1j6N5Rox3WMxdIi8wy42+0MbqdL/K77v6cMJBH+5JqeZlMbBxQd6rODQe1QZsRoo0bRvGFv/mihMShcYlgnPIM72Ty76F+XqmzzcNKNwAKW2FYKvSZHcmOJMzdUi2LAstf6WpVbdyKLLAIh7C0ZF/oKRy8KjBCIxayqUyhdRdF92C8XrRASYq1+QslD5gXZQXSdQNlU2jzYF5f1kYT2unykqujsZ0Om3PzyuN6HiMN12hnMbnfquk2k1dK3MbNckPIWyzEasQLdm0xdaSVpP129lJSNzmgD8w4SsXdn6Tuj7cpUvO+fxJF9hUEXb9gqKLQOIbVM5upol7Hzko1fFRMMQ2v2Ce8Cy/8iFjMGKJRon1woAKQzLLODYGJw8IxnFdl9aiDTARH8uOuavLM8NXjVTUOqRzvK1yisFk+7QYU5T249JYF2lB+X5NwqMzsRzn5LaYznpSg2SDegtejgWvFeecnIf41HdXi0lzdzeYQWNyZs4NIUwEP1meUlZM4CFmotDLKYhQUG6dcnqPl7I8jGCmCyQ02ummCKODPe9IE0e7Lm8ovBJ9+ko57Hbkvw3HBBh/1vEV2Ksb3abQ9HbxmIQDC633o7/tUUajNTAw5f6Y8SN9vuNvVFC02voq4zTWG0wH0YOPBBicWZ/LBg5iKK39zLbGkba0OKyITq7kl+gr6xsDuoYKlz0hGvJkkP7MYfHPhKjYX/Dr1q2RlvCAM60bqLWyuHABKGKpwYlCh9cc5McumO4e4VmEtJz4JxsdappnspKEAwkdKkK3VdAulQm9xnvygSfYJDvQmGwR513ilHXKODRUnauyQbuyKLJ8TR1xEtBlHuMqKeHfpR15vO68X932hjc+N0ahOkHv2xp95b9wDqWLVkrjzceZdoPwHNhf+EsETA50YvXG6ajYMwdiFUmh7YCE+NLPRZqGkOLANri3oZDQwclDurNwKaKEQig49JjBWL7Nplm0HEUO9XlRg8J653To+qBtHH8axE6Nv+Om28uOpLHDJORIxgT1/ZAQTo9nFIBy8i9XkD5DRuaogMOAsB4BT+YVzeKSc9AkiaPWQMrW3Axuh3bFzJnsU/s3Bx4NmIQP8qmiDw5bSDhzHZ4AZAGCBXrkUpeqdKAs5vYnH/1IZeiI9yruOWgz18ZS4/Hecqk7igjiPQq/MFBdV5VLReF4FH5t8NIftqXcChEjaAVF89J+ULVWF1kIdaEZfimQkvxRuEcWEYxmiG8Z9G5Pw1sPqMZyDWlQg/LiqVdnf27HROTBYUGjYz2inxDIqvSFg+EDpx5hOG39CGOgCv4RrXxJSUNnwnWAwGO1drUajJbfQ6SJ0XXrNHksxSIWuX5726JX4tuTK2V/HyVZTBSS8jRs3+PbHFfGlcud0xP3rz7R5acUqSCEhJykCNKAqIebCzkVSpQfkeNlgA/FJf5Hvlwn9BMYUDStlk76Yv5dTBrOTNNkuTFVMpLftqTTvWCfZbMZd9Eh00QSXW0hI+ExHhzmX1FLLsz/AwegQaHoIwAA",
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
            at: "/console/operation.js", .script, tag: "\"8006132205f9a6aaf08a912302431ff3\"",
            packed: "H4sIAAAAAAACA2RS19acPAy836fQX7/GYa/Te+/J5iZdgHZxgm2OLbakvHvGJoVDtmBbGo1GY5ZLeuKEfC+B1Xh3nlq/I6MUlV0TC9q1rNRIbRqJxJUfFNlIYXBIAkLaSj6ljY3SbSWWC2N7H5S+kHRixelK9gq8FVtJyAf6RuvgLR2V5TJIM9QSyo/x6MLv0tr3h2so+kFR0Np0XZGkupuGO78pqO/YOCzBVwDd4NAUFCThftMvG2//YLaWHbA+NBKuD6reTQpyNM5qeCNP1gVtWPM6YrAOCrYc6lnbIlmRHw/kgHRU1iGmbNwZrdsn60kfoJxxm3mj+Am0VZSwFdjPqJrU5HCYlwDtaqArDgWmG5xiCYOtIKEZxpuFf1wrAhuzFYcl+F1BrXADDegIgsdeTaLpMexd4Wym5QA9kQ94WE4XoMYKnkGSPPgwVYeXZ6Yt9lKvgJ2iEJrb24iy6e5ybEF96OVl6KYVyiqziocYY8VVN2XWdB5xi+XpKa1aIYwZya+JKWdJW1bigESe0HkdTZbmPMkeFpHm97M6kEHeuPGuSzpdLuqOY6TniREYcU2kWzBTVxw2AlELoiyVLtFR7Z2TWmEu1BC4IqKv36b9P7kDjk529Ij74xPopdz32DQnGC6IDsFBq4nliC43kpMX6FvCRpzSZADjRIRuUamStQ/oPi1MDWkM/NLWwbujSWIuKFOXFpvvrVpZcuM40r4KeiUYzVL18mb/bvW+77VF/ApFmCXBFss0qRHIcjvcipjTzBXmfY4yJ5n8MpNCsijX7NPdJoAEkBsyPyTkMZK7s4/dgv3GmyMsY4XLqnVGf9Ba5rlZVmWezWZWkCs6GT5nRSjfan2ivXOkzbCDLYYVZnScqctDePDxhgg525QRXbRxHS66E95Gh3SHyUzLxTBdpFQKfwebwzMiQmGWuT1tAEbB6qZsLl/H2Zgx9+67Q4+azr1xppYBC/fsjh3d3ihxXcUt/JMdzcNAn/exa6+lnQlXWXE4Q1iAppObkKOIeuuWSOjvmROfwWY/UrSi3X/3HxSONId+lskyNLU4kSXuYfohuvwYs9zN5+59bM67Igh+3tb9dRNHGy+ItzvXlNfhhD2H7Fc+DzU1fusbalXxq+qy39HoRVlHOt2FnUAuvOvC+tPOzHskfdO5hUNAOnH+BZkTm3Ps8t89+vmn2bbcxSAD+XgPK1Pa5HHbXv0LO8iXOyNLZ01f15mbu+zvf/5L5k4Qnf1PPZSp5A8Hy4h2UqwekeUTBjXpGO5+1p4JPylB/VOx2111WTV2Uel4hazsunC97axuPtWuV0l3Ifb1iPI39EwJOWVZsvZmQhN2u3ZnaH6RpJ+9zgR9syY00IS1++MPd8QwsApjiIlyZqt2HdwcNKKoJYXoi75ZwTyMQchbYTYJwOLxzKI703PD+VXZxonUoG4ADB34rupqku6cVnNv39mJCKr7c4TV2EGXOBwcFZ6361sKd5zN/WJhbJ9sbRfSXpJjWTgiH8w8opFOofg0WZhGOXolqwtJOnI4UXY7c0KxocbOhZyftOA4cLxxsApFzckpODpHpVGHsisPXqcEcCUr7OBtOfsCNnVz+XPieCTtp4T5cilJQAwMFg3i9NyZLynunqaQG+uWEyrZp+wpWhPfq4z2/rEkWMGxkQFGF0N9Mc/AKRRXB9B8GzHgXpZ1H1xbr3X8ZhMaDH/RhjisUV6S8+p4ub6uOp1fNrcyjr4uYAk4sLrp+jIQJkVUJqRRxRALRLM6Fgrr41W13SLT3THepVHS6Yb6++dxtavIJoDvez5sBzf8LKzooBIu7CGEahKLix10GFEzjfOuaqeyOXSDC/YdeJrwQmPnb9/JMHjK93zxwCfBt0gxoO/c3/7qBhrmWIlEkaDiXktmJCLipsXZGuDgOZldceSnOODdrq3rsHME5DcwkDAbT2mPNhpc+T7/F6AEBxK4MQWOtAy7zp27qnAPiR2ruSSil1VHULuhFPt4d4toF7sv4WCqG1K8jThV/KxcuzNZQILbpifEiXhn+rZlHyvp1mVmF3XbrqP72L0PfxZaPoZ6K8lMxNIbmM9iYDEYbTAWRuwmQbJDmEoCIn6nmZuPiAanrNCAC8EBIFwmtwgvOhCJEJufl2uEZ5XCcobRy7bl4axpm5ApSEvO+KlqMktKhZiy9dAjjvcTqZq8FqSidVBKWNO20P1QDhE+M2ZJqx66bNT7nJVNE35+/oJ0NwuknSpEL0bIDwhyAeUg2C1xqPRb0eECCXA0no6CEu7JoUE12wViZhX8w8WnD/5/+ZDudb4OHW0h04hMmrOu/aG9gRfG4CnN4J/Zi5bEyHA8shyewrp1t6HL6CRIcAu/8+1r8GeFnACDxin7HaA8rsN8YTn0/6kPpNwzOV+eqMwYAJDePxCxfRqSa5uMpUufJwcst1KxyL7tIltEwhfOPIiBeC+qXeySd2IcebJBDj5xinM1nb8O6eaYtK1WV//WJE4JTgSYxdApHPYJGQvwM1SiG/SazqZd07WiWq8DARiOsEk7hFkY2ENC8JWO3Lp6yQcVI8qJTFmkcEPaavTS33IF4YLRLXXzJb2QXFGYuEUNxlQVdC8J46uS8u0SyS7DypzDpD6CL1kfX7hw4y9OKQ9hD/7ALvxh9kEz7YQW9npwgc2yJR8NyM5yYcEZB6Sfymu+4fIWGJLtoX2CNRTp+y74rNxV5QNcgrHstq0rYhoLidR2JSu57Ze4F7OkVU4dZ2P12ziJcY6JqmIJElp/8dmzDeCAqavdUAcxn+XWFpNpv8Gjc2OHwvjM2G5p0hdJrbk1p/ERTLfSlDtSYx1GEsnhT6frUEQkMVMRyUshyqdhNu3PtkWnRZNgftwtoTzmrg4cK2ztZOiu4ud1GwPSIaOMof8yNLoVjbx/6qjkWdLqm7CjxQUXXJckbXsx9EMHsJLMQrkFIOA3EiZKPbRpmYlNGcEgSkkU20hrQACcOk6F7rp9Sfxch7K52VR1IBa56sRC0eAuMDpQnfNQwP0BsVGuNYXjeM4HGwFWJKL6hhPoeqp9jAT6eGtlP6TvMt42qxSzsY1v9ObC/6suHDqQZbE2Yr8uhy9Va67LydJOmcC0+RwN7deZGqe0E/n1sJtjyXx5U1Ydqp0++/rLx+QESAj5MGHvVlz59Iq08zRdK7yeNTMq/g7ElPWgMZEUasrNwvJ3qi9dehUoLHglRx0G/7EWeoTDSPPEWp5SMTG+l6LmnKFmPIPo5wXgNZJBIVfPfbKiLlfWSJSTiprsrVLK2Zf7xAgPwONgT0EE/zpEO8dSDwQv7M+Pg7S0uiA0Kf16TEn1MOrBNUl6zcUaTvMGJGZGl26uVWRPeRonoGmHB4U17kAQsLqoVhIM4FCzLHcnh8KxT0vlase9hsR8bBnEwqlhEBmTLUZWYAUfIqfqnXM4yqv26WJa9pQbYkW34pgpW8fT9RuH0lodmstuc3pk62JCBVxp1LYpRW+408UK0QMgh6/aiFto6MtAdlCRFcyqKUX/qbJSLrjHfdUrE90YeAsUoxPEasxk6oyB33zG7MZnFeHC7GGGAqnJL+ywG1qePPStt+/SPFMDwcIPdlobUtidCEflhkehg3Otg+AFZUSbca5a1utPWiqRKBounNz/5cHDiz4+zF9NmwcFI7Q1NjsZpNYzUNOwBYfGi1h5FSZxQUMrKOTI4xNU0Go6c4rYsYUGcd6dCTRtaEQfx26higNVwRQ26Ei/MOfVnyCjzSEaJ5VvbD5JFHZFZDz7yOTVZPYVAMoluXnkgKItQRW/RrY9U0pb4Ds99goyqsMhNJeoWemSgBTplMJ/U0s2SnqVtgibNLgm7+2CXFxl0SSvQmx5mVNpiYvHhC6CBEEX+9UmPbxy4HMSIcWJmLSkVts2+FvxWIdunPK0YVL2fohg96cViHOPXtz/qepyg5nee4/nwXtVKIX5PcO4Kv7QMqpEg7Pfk+261Ao9w3BF2QOkoo2Wmp8Pr6NgJc/TPjAGtkGNIK2S5i1EdPt8y0h4XOeT6ZqZrvtOoelc8JAuJTAEsZKcrTB0uWRCZKJF9svPj4BQ9ErLVxEplt6Zm+WD58wJ0Q15d7urKIJzEYJoBNFSHC0s+5EXnLI9XP653F0MCLNg1Cgp30r/KtWd2ZHfdzDNPmbh9dej/vKI36WdFlDxdqXqlgA9PFtPuByIBqSeL40BxdIjG+JRF3/7baRIWl4f9RepgcpnFR+hwZ8NUVZMdpj2lFTHOCe9HowrrZtQrz+7xRfKOPAOvnpWNTjLhsr84WPMRioL6sVz4nwp5X0tV16UIsWVpV70FFxmBl3FbTmGZViAM1l5OcyUqSqbLWpbmf+Xle3BH9xQCYOsk6p+0qFy+KRZoxJa3loGRFPiNwQoJv0Eb0jYYwPy/ECD+sxwlEjH4v58xPVXalK81JdQmFFbsrc+W1i7JiprbiH8Xrx2eixHWz+GT1sqdfPXQxv9eYOfTqMqXAI2R4bHuz9JJynRpgN2Pxfmxxb+QB7vXSY/zlMiAECijhtC9FkKMNM3MPCziOWtRxqUgh2PFG7qcZNTya/NJ1k+vvBNdwEzJhJp/WqR8Uc6xUOwk37hTd9F7KLDsM1OpqaChVPTLG+XsAT5nMP6+BlAF0+3S8DxwTltgt4/NP0agMlnzHRcgfwik0OckYongW/5ryBKs2K6LfhFQgWcUxY2qRfu/lD/+j2XdlMgGP3xk4KmAWvaJ1TBYVLi0hdUyk/oBJal2HoH/uQ2hg5mV3+U5TWMH0+7yyGfpZ99YLXh0Rm/SXNllGeFEzG2/lBNijYLVf7wGzN/L3gwhxnc/Utg4JDhlyKDthYfLGexJqbBw3C1ec99IFV8QnSkbMOSzgILOd7xhI+ejxrJhFDPy+ODYjayyUG9K0B8n5BwKrrZeo9ieCUeOsUetlP23uNp4R/tMLV/iSgAAA==",
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
            at: "/console/orders.js", .script, tag: "\"37530f1055d3ee5a951ce842c1bb8f49\"",
            packed: "H4sIAAAAAAACA21W12LbOBB891dMKkgfTb/LLb333kOYXFqIKcAHQFF0jv79FoBIuciVxPbZ2YW2t/HSNmTdCLL2Dn4sPaQlGE2w9O+UnAfJelziNg6n3hsNT13nMAuaysORblwBqZtkXEuNQ0JtThQ15YaanBjrccrGbl7wsW6VndyufQHqaEKaH1rVdQXGpmsKnFhzyOd3peUXNzazV+kAC7TWTCDK7cZMyl9O7Kx8S3fM9tK9M8ekC0wkR3Jkf5M9Y5YOLliedLKms0peeko6G9ubm/g4nkNqyGaitHLeSm+scDARswiUNh5H6jfp5GNMlnagp103YjxoHnRKVDOrPLlqFGFLgsZAOTh2yDhhc3uD/sSkGCLnWW/+gj3vIUum/NTKzlGOvX1kMe0sL81Ml1x3Jn5aI3L8/Tuo37yJZcHKvSHZvNTdPMdBwCYTUUfkJQfBKB3FCtNRvqz9begsqq8T8mMTWiP9uMBv2U3pe1WEItILpMOTty9fXCwicSOUsNZFrIQ7l60RYm9vD1PdUKs0NThYPW8Ao8Am08xHKarzVukj1c6zaJpjkffNi2TmXCYTpmdiKmahQ5y8chzwiAJtIOEDcy4XEI8fMXxkQx0J/J5oWcBTYOsRrt6ecglW/Se9MnqEOyQtW1x/8Ob+20f33/189/Lp/RdXBWcuBCd3AaQxdV3w7umPjxEqcf00vJSWYqNvd112VVwtcFV8+ybE1XwhqmWJ78YEJyexB0OlO6gCPhWUi10KMMG0kKt+KR+EgQf+fN3tVNehiN7X+t4VsQHYW9+BHKcbgCU/tRpVPbUdtj7h+mnytODiVrBmOb9HZxdbLgJeFba2fjmj2TrilAXVfFEthoPO1BH1kvE/Uhr/xETzBSO0SBjdM7RcVxLHNA+cc2iNLThcR279NO9AopWqm/KhYlm/mFBL20BxXdo0VJ2FTrq5rlcASu9pcuKzoFdgZizvqIuzzDit5p2P09QvZ5iZgrgbk4sg5LHu12YmTkSBU9SddI6JNZNWCyyiWh5NVYssvPSdGMANQm/nMTp6qZxJ5WOaWbRegHGtx8iWhadko9eYT6ncXaM11Z6afJXmuQ0+2EaPAHHRZ5f6eYuktDbbxbKXG9hc3UPcQkiduseUX95WkfVGs1sWT+Qxxbcw9jqxnsORc2HnVsvbqF/LygVuUBOiHBK7J2TSoVpdWlVeoPLsqsIR+TRdUrsZWT6XKXZaMCv2OC/D3sli8YfkVENQPi84ynAvwMl5f/mmK4HdKEbfxwK06ZljqZ06CvNbbqyb2gjGnYhP1slD6or+Fo9cSYXE3a0LSN8zskBZltJ7qxhbclhgD6eLs/ycyIZWK9DPT8i0ves4uqLPQeCgF7D2qH/OdwZf2kRfA5FTP0WBVQYFYvbBKH4wSExJ4S9MSYHb1so58zH+z/p4OOh32HDUL+A+EVlz7su5Ta5XHF9iFSbuSpqNFQ16Yd7PVnDZOzU6FBdNImppnJLTKyxcZ5M4NJg54qRZNVnGbh2UWVJKwxn+xCmUTXOf15V/ppwnTTYTdafqY9FjFT52nQMvkx4Hw3IKFJD1wIOAEL9meZ5GNmUaIw3r9DbcTPFmGJ3/CAjlhhnMlHup82rtveLN0VFHPTmD4kDRswQ4c4ecZ3WwCLeD0fE+NW0rBgfZlRg4UN2ajlicUmUNIa2SW/WYah5wMcLbeGelRHtpzIll8f+lkcgDAv8DO2XcgzALAAA=",
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
            at: "/console/outbox.js", .script, tag: "\"1550519e81b64161f49aa53ccc8b27f1\"",
            packed: "H4sIAAAAAAACA3RWd3erOgz/v59Cb0LuySVvj/bcvffeKw4Wwbdg59imaV4u3/1JNlC6W8AaPw1LsmczeNL4hTnchXUpPBhfonVQigOEDXrwBioUVk9BaNmJFKA8aETpQMCKxI3OdlS9MtbDFpR8UkALhTU1JFk2+8rsry7ZOxKpsV6gfYmH3o0lLcomR3tCODe6ULa+lvspfa8211x8kzpRsMIaNX0Uqqri8zGup7CqhNL0smZBEjeElcPiodL7U7DIskfmZ9LUJyyTgEd7W2FFysrdqld+8w7JVm0sPjdrcsSR5EPlPH154RvHTo0wK2KdABXeIwFxDHUtNCEbK9Feb7w3mmBQyxFA4LkTEIH4ADduJLgSvjxpye2zq+ycWTi0BziFtfB5Sa8SeZ9H+oFvTyKQms5JbSG0Rks+VybfZ9cl8rPRHIdt6gWlQpqcnshJeuGFJ4FC5N7Ry9iFkhIpuqU6CC9raItKFFLpJaVWxi2pTEfQxqscr1kU5PrKK6NFRdsnlniXdHhzG8sUi7WwpEhwEcGJzRS8qpGeFjleytU4ytKsT8Qo0QtV3RWO0oLaK795ZQl6adigFTV6tISjfPm0X7oxIod6AvIhRflSUKmN5Dyvo9wOVbTzwLUBlyCZHfw6+2JCDxIz8vaVlo6YGtfwSKzSDx8Sh5qTk0whWQurk09T+JBIo5EpS2NkpFj8irlHydSF6IgSxRHh06S34jDn3LKhDztAcqGnWfAxf8DGNLT4PoR46VJEAWOhJwy2vicV3XBPB2XjS/IUdA+SkRcBfy2UD/ivtERLxbgZ469ihGMTQ9TBAvXWtdA99JqetqccND3uYJL0YzJu8cfYHOfuuK2GZxnKLqCLpy2UwkEA5NEYTHzqc4naW64cymWq5AQuXT6qpjTp95drfUh/JTQ+KViB6jdozH/c0me2RJ8mfrPCZNLORqQISMT5yCpRjoPEbkpDqzFxCh3WNIzm9BTcZPCoG5ARb9u1eRxs0AbwD6MZmkb+Fqi2lZZIR8jFX0luUPn5Z5jDj9u4audDrnKhnyOla+z1UKRDGXzKlM6rRqI7FgujITk99JHtoZTskJ4+efGSkCib/a4wr50FSXZjZ3bhArzhs0w5HpMoYYGFsQhCx51kRrAKzao7Gcnwxo2OQV8iDyDjkT81F0cGF2Y7RaNDW0EhLK6xqmKMWyrH6PCHEAJPNrSCJT9xA54R4xTGxEE8mVAIPViFhSf1gQmXLtFMYb8OMIErkLwssSuTGAFEnoQSLUnsniEhHChOTRQ5suXxkG0F76Kd2EPfvo1pozZi+/f8UdvsgdHVhtKl2I3cWNldJpYGXZaQIYDdMdYwYQhp/nJIeEC0WDRkhtQzKjLOQ3saPyLPCTlizwfJ0faRtDYUnqk6f7JYHLmoESpyxvIZFjQck2KyWM3RJ9N1RmU+uD1MLY4f7oVUGk24jkcT2Vrvjs3XROP7FidCVNVgJwu7k3C3A8n6xmpuNuUrpEDuKNJoVixN4Q/731IEtD7d/S3MiH7OBGivzKdhe6cgck9WO/QE2r2dNvbLk3AVCZlgL7ldQ68odGxT9NOjGxtGI4jCY8hbvFaG9hBuo3MYmsQUN0g87XTYBJ/iSo4bJt7DqPLmx48ioWVvNCMAYvy4vf/iyePMeUvpV8Um4PK8HLCUDMfdqIP4WkEkviilf/7yy4Q5HGRaIc9oPqRprpFX6j+WY/G9bnGpW0Zne8At8JUXWhIWfOLxhEmTO7deJifvEWnFV8fhphnKM362Ibh4Al2mmiU32nmXoN3RYVvw5dSNKZWqld+NUbWTEA30vrNfmfJYu6xCvfRl5FJOslXjyjTLspFILVZpuiVunP300cPFrIzhhE8v/jq5kkU3WKqlf1VAGlyObXHz1sP/W7cO5caRI/or2FCFgRfiap1NnaxLzjkHmmVRJCShVkvKBKk9lcyqq+QPcEX/gD9sv8T9+k1zGgSo4HR3AgYTenp6Orxufu+338thF56RM8m3Dx3J7kgZJRsnuhVX5Ri9QVHxtiuR+enlZH4BqZdB1AdwcMWp/PDlvxpeYMwIfSfHAxGVv8tKNZ7qhnoZr2ej7aYfBqe7N4R+sLSk9cH3eGHBCcjRxWKOAzjcClc0BZMVrPIYVGJ83GkoTKJwFYLsUdcIkxU3ZO9pSZHxeDZkLDRQH+tPspE9l5m3juNsSEuKl2IwRZwQQrxdevwkiIf6bPT1w6+X2dcPv+OstF1F2vuiEDaKprEbSuoy5cSrV0eZBJ6TuaoF1eZnVQWL2Yjsa8dNEYWILMAoId44oe/7eZG9r3hmlJ/J/FZDtsGpKtQCKs1ckcXV+p16wOGsEh8vuhCy7F02l1s6NGNcitCfVVfy/pv4Xjffry/Wy2ooZF81lQkklW4923XoOA89Oi6FngVuNaISGfhXDWQcr037LfW2pUE8aTMJI8Q4fS5SdiLm5yQvGU2AiL5e7DaHIS9KLoYLyrgaZL+Te5irm1c1EPwzxIAwyRuZJFKFG0Ne59toLKTIKuTm/3KBwv7Sk9nIVJ7jydNJXP/Ftq3d2WxY6vk9Nuw9ILrdfVwfKWjQ4zkX2Olr7M0cbj2G8Q4pMbRvHDGfWJMnZ7VcV+2h7djGjf+5tEv/vu3YBqCFQT6f9LojDDqv59UMDgi8CITEQU2jxLRNxTFFsUOEt6WOhl+yOfcSrguaaNvAvHgKUSnaeJiy6bISYZ21WPOHZS0Mm+/njCEHAXoTtIAL8szZLQz43FuYs1sVD/iR8OoZIFDETVvRoFTvzGuEC6iOzVSsYpP9VIY3en9f6H04JuQSHjD87SD7uTPskMCSYpdiXu8HOKufnBizSlHWaLhf8HYnWEFaoxsk3aarxVLpqgTqMfsD0znQnQwms9n3boSQn8YuwYxsmQVvIDims9ZInAs3m6jr8WBZ3VQ49IK+Rj1z8yQFCCNy7DHD4OaBSIbkmXi9yIuu0iogSD1rhVPGumI8tpGbNImxARxy1gjcgsz8Nmo7WlAKyuVCzkvdFhB85MQd9n7uBeqtRABzlZnMhCtFwl73k2pSqkFi/jxGx88RKT8HDc99oGw30il3fxz6LbGFun8E0w+H2PGOS2Yf9XFMBsEnHKYdKm8oSlcLHGd25wUnNh5lG9hd8/wNfQoj3PGS3l+ZCWe2ccCcsMu4jFxCUEGZ89EBfVtnsK4nc7VXuJC4Qe/WxMNov8QkY8HNAd2UU55tnOtsMbv1c83qm9x9VhCPMp1APgAlE1U1Q9sEV8IyIFnMmXwy6b5Y9BtGyDB6L6u53u3ZcvK+xJlI23U9fZtmIJR4vpiuGzRZJ0DR0glAMFTiJ4K4sr9h1GENYLP93e8ePhJ2Z+h20IXKxDF8OG3dduqd7NVxJkqnJUHYdOCtkREwb5H2t5W+laqZCrf6fDFrnyPlw7kep7HpIBIkZ7dFkUNkfZ7lDNWKUk+zjOzC7ATu9bEwx7xZrJdTPdP11ZU1clfHeoL0n6t5xDPeHB5mQ+6WfYWpKvom19x5OyJcN/DDE57Mk8ip/POWO/c4c4EJ4Q6Hl3d43BQaLsqbXJ9NATc33aNhZ11tpn+oj23zoc/9BmTjN+rPsm5+JpyNmyaX7dZrC7l80mkk6zGHb+qaGnPC9VbE4TxXsovjjA520L6hh+6z6qKeUyRJMM7QkWFTN9XqM4YHIYYJFiOUKQUT9jA32hIyiSLRJYUkkgpn7RCORE6kqOYosXZxfi7LsUdcJqUN0lgHSJ2LvlH5TY9DriQt+Iv3lOGyufF1PVdzhQ6MEhKiAOMrLJrLGeG2cHVZjjMCFrQmDsX6KU1mh6Z0FJieU7sLO7jUvJHN/czmZkdL9gXec1FT6LWRiLD/olHiAaiZDgtGn+fQaJuvCpGRFgW30ok7H+OUFC4sK7GNoY6JDYmbJ5btCtj6Dp8QgDG3FfZvxaUlEO1ei7GrGg3E2AfwoZlQE8etAbV74YBFmivqSWp+bkbcJtOTNO1xBFvEqpdm9h+4/q02LuGbNvAhnIMA/CdIRDalXjFlCz2KxoE8e+OxqqFLXOowONuCiKbZNewuptXvuTeGTGTu9QUSKOmzxIEyIJS5jvC3GnMa8BycAfVg0F30LwBrQGevmsJ/rgFOswvUQqFATN38UNaFXwdXADeE6w0iWuC9Zg6NDjPvwt0GmipOKoD6smou8RHUe2ZwGR85AMABSR/+8c9s1XWHAXbjYqtUNTbPA97u+WKNj34HHu+Ie212cIx6lhclx7YsKZvomxoBZKssYalPBh5y50CMteLdfE6anPv8FJmxnl5V3uWEuYoYSUpbh5yFFjnz36Eoo+gUlvCO2fOS4lqS2AjDclkCsXj0FP1Pgebk4mJZXUibkK0mn/Str3cBAXMCnhIMkj4geDjzlXmBUNzB9oxWUXjI3bPH9hS1W+RF4LJGbMPIpRhwX2DQ2+o28gch8+IcDdSpTAfkjDLZ09wbtWMclk70unWWKGLYRg/KtoPFOcKv2WQ1OVDWDLl4GRU+ALkE2qozulG2iQsbs/CxQCXIOKJLuQ121SAhZ5qUABwTJ9FwEeWNyRPdT8x6MnlSqjtbYBvvl7WQTj9Oek2W9eRAIZRcqNnOTyRVJoJxjFtVOPggLi4NPDBhVi+pDrX/8OW/H6TXIOmnUpyWadNspzWDFC7TeUFTHKyv+7ZRRI9sGwvUza+ZkWM0QIwa0sSE4yRmBI70q07EUF6Gx4KakLMLBCbImHQV/OTywXmoRsQDjqG5ZzL+2T6nANeISgPAyi1knaaXEm5uuPcMr+ob+hvRRq8Wq8mVfmImrG2hqIW8gWq5aUZj2z2DUqN/Fj8DAjd2JGcsfgQtqYgosB+pJbxHz6d7LCjGynAIMaGrsfxqIXrcMrvSlVqKmdWfswvm8JVurY7ZJxRHTdyJnVyKpT0+W8jz9XrVpHIBLDuwO6ylUF4U+jfxw8V7WZQ5MMCXGVw/j6sUxb7oxUTDXL2bydUaknW/49s5T5yhO0v8GSQHVtdOiBd7kw/ypviDWCxsBu/E+wiFTdT2sxzCxHci5N+ARp42xVS2OesxbgMZshL12ISZrAKlPODw71FFE7hKU/QLuo+e0oDR4dj5hZeLBoLbMVreGzuOtPOmtosh2InU8XihG7ITB/8NM+d4+e5tbwWfOzg5JgM654eVHgqlxRy3vRwwH7GpkPeLMxRQDFCF9r2YW4xNVXw1pgy4xlsZl6zqSF7Hyhp5YPyV0Y7yG9S1quZsw26tRqZKI2+Nh24dnR27CgXGgx8m3r7kAVxiXGIpYvOkeN8w1VDWFIA5blwk/3U+NDKG23vQIohtEUcrkvWe+oEoNBVL1h7JKlRYeHhXm5d3r/9yMvjK31++HlRfVFO9O8JQaDbKVygQVo5oUPNt5WfQ9xD7YEhRaLneBW2c69mXtPXj5P9Ecd0+bjv7EO60N2JTQOdaSW3wB2Vi69cS5v5aJnIrLf1Ktkm3DE+wjWqDGEDaiUMnEYROWWbpAsqsXIyQtRXQmv/INZjwTgnsCC/afJtE7OeVmPrKUWzs/r/R3CXRu0KdwodWmRiOgnvZl6fvbs02J3uYwWR6ZItEoWVQK4BCNyveLdqio92eIsDaVf7aPB4lYw8b5a8sCeJfWwLE8hOp3AELvD2CAYQ5QqpI1VLJULBU53lc4LtHDDjlLmxAdD20S4j+thZ/aBsjeYYWjwYRrG4vJsDLjGZbyFPz26j8NMzTGF6ZYwP4q0vigX1zQwqbfEx1Cn8VAtKPUVjwhRUG6uv+XLHpGJ5EDxYC2oayWdfoPdpOSc1OWRvHaQp1bsO8A4LCuqq+SSfozSH5bBiDUky56lq3ewXgARYXjCClt0ndDr1eAi2Q5OlZTXtQSuUUfps8xqxZTy9521ikV69EYFIhKGBftKUyYNHN6IEtXCyQjR7khYlmZ++k0e6eT5/5DaA3W3iYHWPvnZA5haBb1uF7GWq50zG25u6UnlFa0tHw/bHYQrc8D166NHTLmvUjBS59dhWJvv7tI/edLSiB3p8Ef9Mti+P18Xt6EMGgiJkg2ihX5PXd7BDKmj+NCCzKL1N5TKmlr1D2qYLAo2Tdm1cmECBz8JLqgEsR4mHWmzhMlME6ZxuDFtrtMNvDbQYal1/ouZB+kGkTcDrxkOGWELvrQ2wDYufLivDu64jaCA5/BdKy4mCcRw9Soo2iIzNpZ9Yn8zrKVs2+98AEHrPIDQ6AkNcCo98+BcEgekEZ2GeE+9dPcEPeBSQcAaWZ/+FOjfhmh3Om/fhLmjAauTIoO+b+EnF6kqkW6smlTWNj0Sj/g/q/uIKXEw1rFX+fEW7gvL6s2PfYkjG7XtTzlZ+msrY0jSfPfS88LaKB/CzbgLfhPPjVTyLEfy2zNyTGlWQRoPOrTuyjX9VVYaWVfcUWN8H6Ijfbbh+un+qWRp0Bqc4JB3OK4kaok719NqdjT6Ypwl11yYV/Xd3UDUUnHZW1scuPZkLrQqib3h5IIJUTiqbI2zKpHswMC/Y+StVcnXTZgHpLu4kSslnbX0XkxjEGTJUdirRbah+lYYDKCdb3FwrYrZtKhi7vlAcISX3laJZr49RDChFX+xoo6voS5o2AwpB/IgrV/zYBv0nwTKYmzguahLpJyGHEjYo0kwy1Hxb4KYBU3fODkM6vPj5RaoRMDSaw4pyol6eguobHNVX8hvotuTZ0ZGgBuFvvdpLB9Dv520JzqMw97I/gh/enTSgJCbyljTtQ0tq5FP7o0FnBlFxR86DWqqC7aOmV/Z57tAdWgM6p9NcSm9M2xvBQqNsXsqLhKUHrk2PVLUimR/AbGaS1fPlIMxTg5XG0S+O8QBGGlBP9V4iHt4HlXkQDX58AZDCqlbu/G8gOXd2QRbCQ83rWH0gy9mDrjrd3sjdsrL7QH23G8OOaYKCaL12Xj7YysT2fmDafLPZjPPkfVp+7u1Q9AAA=",
            text: ##"""
// Outbox: what others have yet to learn, and what of it needs a person.
import { idOf } from '../json.js';
import { memberTexts } from '../reducer.js';
import { confirmAct, copyAs, copyText, element, fill, fillNew, plain, problemCard, problemLink, refill } from './dom.js';
import { filterField, isEmptyYet, moreRows, sortList, statusText } from './list.js';
import { attempt, command, orderButton, send } from './orders.js';
import { orderKeys } from './path.js';
import { ask, most, observe, watch, whether } from './server.js';
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
  const page = most(500);
  for (let last = -1, size = page; size === page;) {
    const { json } = await ask('GET', withParameters(list, { filter: `${filter} and number>${last}`, order: 'number', fields: 'number', limit: page }));
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
  #dead = watch(withParameters(list, { filter: "state=='dead'", fields: 'type,entity,number', order: 'number', limit: most(500), count: true }));
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
    return watch(withParameters(list, { filter: user ? `(${user}) and (${own})` : own, order: parameter(url, 'order') ?? order, limit: most(limit), count: true }));
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
            at: "/console/path.js", .script, tag: "\"7604d1b25573c93b1a2f4315c780f0d5\"",
            packed: "H4sIAAAAAAACA21Ux4LjNgy9+yuwVZIjS7u5TfE67ZTem0YTciRozayGdEh6+vx7QFDacbuQYMHDwwPIsoQfrVmh9bewkn7pQDroVO/RuhyMbWkGqVvolfMOTEeH2LcO3Ar7HvwSL49By0t0cK38ElpDty7QXyPqnI6NQxqln1AgaRG0gVUvlYZrwgaaL2Tz4b+18eiKCd6sjPXQGO08eLwhqDlUifPSevcHwSc5JHTqCcAFG3Ub9+uTbedurRuvyAwARVEwWHC4oTTYVbnv130fLKfucA/AokN7hS0ToPzDRWPDqI1nfx3GpXTD9Lm+Ha0I6+0aw9zJ3rGhYzxi85HdblSW5ntSk8KW1eezv+Xs7p+6Orue1dPyZDIpp1P4nOsUKkHiO4zi59tSwvUSLY51hGupPZeqgGk5RhxJMNwPXco4GdxPYCCj3I9cqTmkQb4QosWbDObvnngWeIMNH2eLonpTw3w+58rB69eQsgO8gzfw8ADPRkkLpZt+3aKLftkJRbTo11bHXIpLuUr3QqYDne2DRQx2DOJMvLwPdmGR2DVIVUgTEXQXIskez4TIsuJfQwBJkVDMx8m29Bz6hy5kGwThmGwRHd8s01Kki+PqXNQPhDQVD9V5IepPyvfEYQFVnVESTJx8rGdvtkZNiAqRDTuF61WD6dscZm+zbbaRbpJRPoySDSX/dYnwAW/5+UkNgp+lCHeINFU4B1EFqiSL+wpdg7pV+j1hHTcqAWMhSWpxEjog9o50IGLVRXzHDpTf7I0oCYf5huKOLRDTKs9V644fzrWkmsn+ZVl4dJ4vBC0S4h8UoSQ290YZScU9JXNRZxtSRh0p4RBvoyGrHC6VXrscYrKd6ds6vJTzMzdNZ4ssLaY0UNLZgnZeli62JyFtNlm12fA0c7mzATsWa5ZE9Mi9pm7ZLAXrEr87llFAwMU2D1LLtsUWUqHc58ESWdjslHX+4OOLnilDjnkNrptvkavEv1F6sNIsBctFz2DzCBYhGzimNB5f3gdXmsLtR3Eyosfemj/VO9LJni5cYGcswpxvFp3SbZpWRmMMSQbLxkJuocJ8ZD7S/sKYHqVOI2L4JZ5Fs3pbUw2iTV/Jp/WgPQOqDtJRlbGM4VuPdPiX2yX0bCTE3TSwoAjkUsd/YLMnaDdWfmjqJOgmhoUg/cKNEyhL+LgJsg9xlAM/9sTwKRPopfFIX8z/yGP2oV4HAAA=",
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
            at: "/console/query.js", .script, tag: "\"10883660a80cf75651a80c27e13a1dd4\"",
            packed: "H4sIAAAAAAACA2RVx7bbOAzd+ys4vfnY6/Tee9tMp0XYYkKRHgCM8tq/DwDZR3rKhvUCuLgApfXavamAJ1edp09L53NwveemddyC7KgHXLn3sv6vAnEs2UVy3hF4FNCHt8+v6eAYvvDSbWNiQHUiS0hBkAgLCcEtArhtwY5c2brIh0itZ/VHbenNsR1I5KP/vtQUDjScXQmoKx1kXi1ity/I7szF8F7Cuwu3xdK5n1ar9UcqefWRfro2gjroNoAKpCkSIdQGcAY2LTp/IkMhIVs2BPgZloM2o/3ajufWmxpTAJzAhpOvcXSylJG55KVrSt5G7O40rOv9yR0a5vcmbYjkN0kYQAJN38ROw/gS+qVrSwpLl4qXsewh348+ld3S7ZOPWSYsYt7d8yj3CGo24RdKN+O29+g7YMCHVsgJdqjsDB6gSWKhDfJqu3QxN6kGCPdKql0e9y/FJ43bd7XrPIoGuUhl8+6+eYEwiXaEzuIVDIDP4IQkM8+txuSK+ZKpXszr2jC9Lb2I7nMGlPmEwXSuKil0ez55x55F5x0qLobnMUsvJBnvDoUyjYWsRt7BY/BBRa7okwor+QhcbAc70h7i2MGEl3b71/KVAK89KonMkU8ee2qP6w+YhE+RGgPCwInB4pXcgN0aFTUZC2elb8B5kuIDWc+gsB3aiIBf9dlmlmRIWJ7sB1995Pb10QtNiasyM+aS6X30vYbT60qXn+I6ReKZyfP4Gd4riwmMdT/DvcqNEJVyvbCnKxT9boewExJk9lK3thSCocvImnwPyBFIGwKhgcyvfQZJSkV/hKXuaVi/KxWbKYPDt84oLOCLcWhKJrbX5G64n03OX9yNmy5DP3w1X4vsh3OxkuYlGi/c2cK57yqmazqTBRQ/uaZ0za3Xl79+Cskq3RzQ60vdgCQvyFKyzpFdK9NAGYK5jwEsTtYnJl7++Mt8jJJIhVuw75nkDPI5z7KISKxWzSDhNLo5km7QplPTE+cRVHECYwtf7NNyNNGjvj25zF9s8oGmZrqTymdrWkWH42u/MX//Zm3/CbK2nCcvrj7lg2iR7gM1GDfmaOsTDTr4lKZc7IWTtqu4VF0tmWrJ77QvIIyiqVBsf4qytY2ZSa6GJLUR/R/6mCZBj4bJEx9yVmA3NK9dj96kolqxhSCsybA2XPDQStY4zn52K01fQtiFba5N7iL/38p1LrmNJOn/+xTVK8UCmEFDrflJHYchv3a8iYsOhgg10S3OsAkuwZZWx0XEPM09wrmf9yjzJJdfVhayEgC5vRE3RiLLZJn0prg+2gnC6/pAhNq1aoj13VQXKJo9iZ7mR2L8NHmTZPEazKhTkLwybuo3SHsvtxD5E7d4CUm1qvjGHh46yO0CImZdXTGciTvTDUB6gbUmLl0twVayb7ShBf27akNynkZwf+oHCCf97ncCDbggKdGgRfdcbEii0krP682GlidEzWQB8NtTxg+BnUSN37IASzNe2u86LD0clMsV1Jvt6upnPkTOPMPjwwUJesXCmWIA73xFdDOdxtsFlGrZOwOIEHfxpAO3unYpA8tIvkHl+eGBzAr0+QGyG52q11stZSvaKcC8WkgP7g2df4Jtth2EVo/c1DtcDUDkxI1Pl8sqRiGZT6no6Ino5bTTS2lHnrlLeExCF94D1eK/mJrBLW6q6ibVW8pd6s1PYADjop0sRTb0RxjYbJ2lcdPP1UfIwoDFoih0Oe4MV5E8SibuQDz/FteVeAM4IXnVI51gAF7XVyAevctNPJ2YbGTug6ty8+OOVH6adeTxgIbGYKoYTLVc7S2caPfUSmzszqZeODJE5bvBwGiNF8QRe7MQmTv1+8ouBaPWg/G9YjWZA/mekcWi1T7GC8EOBu7/mVMF2znt89NwWSJEEiBJtPrVYPWyGVkcPf6AxdWaGDhGyToGscbu6h3rvjEU7+ubm3UFARuD2MYgtuVdMzoXHWbah3galDDGiUoaBQATKU1Eoes1tBFH3G2X5V5sndyRvvKSpYUGE5nyBJ+FmaDDVPqV2+2aLAOz6E3NiIBqYhejeF+u7whDu9VtquwZDaD54vukyWqzvQOJHxzbXHRMGkXfk3K3Ks/56Ak1ftt5qdRHVuO+GwidFbib+HlZf4Aeqt4TdC+/WdDyd/A7C+uEdByElT8OyQvXutaKKWFz2qp8Sg9sSEzcuPgTeZG52cwlibfBJ6qXYeCWmxtqYvk1kLB++oSXcH//O5P+QHSKJz7tu3Rp6oE3FmzXGsNYrwIj89HwIU1ArUl+lIyBHblzTE/srkC0Q5BfCY33yduC4xaFZ4WNBfgNN//6y78noxIIF5bFZLTE2XdKLTyuv9YHCGO2scMy5IHbBSCfzZ7pO6Dkw90Grg2w/sD+z3DL3td5tVrby/DuEmDPeYtWMJnLeC5yTOBKlEEJMgaLvnMaa0/uXbyYExsSHoYRb+/I1tIL5Bl9MLf1rhoAiQcEr3+4ku4wjDkHp/RXIIdidVWZnS5X780aLPW+ICPx1CDxXewIc14/Qg8s33k7KgGXu/LGTY2E+Y0adGde0JCELb/bEYDrasf8311EkyZAfJNkwewLRpmfud3x3y+q6/JuvfemjN4FDGHe7p/hjHsepYOQZ5jkAgCreSGHnRJt7vw16AlY2lQIB0zdcLtPotMMIGIhaGQGcHkxz4SiPemmoTn3A4p1tbnZv5PlW4NUi6xyR0heV4wOFugubH7Cn3L+c12V7yttqLf+s2tVYYZATsoKMO3kb5bHZJ8r8eaWTDlaxPwuAaa0JzXzgdDLO658KWo3P6mTlfBDG0hMDmC53oL/hqMg49B33GeAS5OBrTtlUQNv/OPmSgCm5YdyteegWIpATqDfn0CsRcVT4J3Fek8VnOyHw3BpZk6JmWYjxnudeWU3iSVy1g1VoVGRhVdbCRUi2UN74evQo6ThOpR2MBGqG4o8zHHJ65ff4TqN4aK4eNr8nOTefIhOWlKra3Xz1pZgqteuo3LIq3nsIlb7mK0XY4Vj3pODeSzy1Lp79MjG/8/pH7QbY8Ed1Kwz8UOD94Mrr9lgAe5yuFUyH8d/4pcDBBpsDUh2njkG8Zdym0o4M80KajdidtX8sKJBU0cQima7XtFFzZKMhIu62w8GfYAggtgDyJCqcCnDZM8UUY3L5A1FyRpQDZzjZJ5hW8WSvaKUfW0N8qx84KoDHAKvfDTeS2jR+2HvLhUaR/ATJp3vhREfvmjoKcsC+1Q3q02Q+tW6qbAmljKBnUfvHz+CAqELDuFijMlxDOa8XcXm/SRcYxtDRMYgjcnH5BRSxLD35Qoex9OjuaKJwx6++9evXs68fUNBP+KAxSu67epv5e12XSF45APRkRhuZ+vV7Wo//exiQZtS0rROyap5hXBmCMgJBfFVaISMXUSFLNrUz7CU9AUTkgCl29dQmsIA2rQL5EDIoRAau3kZj1N83j86B9xPjwCNgWjUVsfeVPtUKDWbBTrPk6zwzkL6rK5JI26y4pY4SfMO7IKEZEAhgBUF6GauVV7hGzpFgTZeF0bSGhKvD8M1tsax+rR/FhZQSTYIBwWfVDoEk3BNOwKRfVlhwlevaNATLSk4A+EqYYGXXtQCi1agZ27ouQJhhskHHlhBJ09V/XXh7xH/kYeqxzjmK8azOHEwIxOvbipzqRKQ70NiISzkebdZUjJwg/AoOHddUhfbQy7lYZmN2xeJ89LbrIKkqB7aS1LV1ZnS1a7ycUoerFhSAB5REKNPXfOx2Ve3LEc5J1Xf7V2ph/HCxecgOMsUodiTXIdlr9JSYz70tJToJ04TTJiI4EhPXA+VkqORBbhDPhflcvkSli+M7GpDyyWwktjw0oiCH6vKyDCHDTA/6eSvZJ9lcu46YcvG+KE1TiL06TIMlXGRyJS7kMsOTHNU6cxY6aLdz5i4CNliH3zyiXvusyuS0UJeJSfKImMeKIKzu68kl/8WCUkEuqFhkaPhNE/hPnmEzfH199j1EKf9OIq7r/clzm7vUGlPkL5m0axowzcLivsBzLICmlPJLSA9qDHSZvVvlfsX+cI6KcNgy9AF8hF8ZoAVZWTcNt2gpdCTphMvN3EXOV3ZNXGUWFE+JxW+WPrNesuN0KgnGKXSiBD/Uu8gTo6TpuL/RyCejk3r33IAq/KpxZD725c/Vw03s3AH0k32U/B/hHxVkxsGUswCQdLDvhr3S9gJ+Bl2eV0aADtDSEaSmvszPf1pVir0BIZBOVBlB2nS1rSbzKTtGeYf43iC+Nc+TZ6J7abGPRuq8IJJEpZrSNabd5JXZRd1qUuFKRpAkOAVPJDb22qpcYKBhRh6rG7zIQrcgfTbdf6K9Pm3nHyriT4LrsmAKSPL6iQN47NMEgKw/QNz46QJ0VoyMxRzzbedKKn5ditejon3XrLOw4o3bIj7rD/dBov6WdCjLHF26l6liiXJhuTRlbhIIF6tK5WR/QszFBenqaplExBwSQ6f5+hZUSGWDqtjRqTNrmAaurwQkC5vp6YHTkVCRNGHbJ6dtiZtjhftwwMY+UWOuWqvIMclXS8VCJAYriHxxpUK6GOGwYhdJfLLx0UekH29U6OzZw0pYkzpAshKdQzRkqEADYiiQxUTfTuLlZEVaHaFqTeNTX9UgsFhHFvHFZn/Q+nST69bDTewfE34x6xtYJtCsRNzJEh4nAxaJQaxKlRjWf6z1ob4tJ0wL6QB1HjQYKSVwHqzMsvqCRzsMmk25ZbIcn++r+tzOgVr3QRfbsvNx3Pw56pqTBsU2GjHDtUjd+W665xrpFg2XMCzy5TaYM6Fo1r3YPG6M+8n5H7LfOHUdmEphkWtIqYnH/TuT2jrLPpstKFVNyZereomkEIkK1WXDAXkULrpyO6qqt2u3jWzAuydplHxY7C1vOjRdj5R8MhwxzLMmJFZNqb4ZM1OKp2Oq4ThNnzbR4Ix9KylZqN4Yo91Mbwb2nMQ2qn1B2yhjRFGbJWwAT3sswY2XARZBfIqXuKLO3YEx/Oi/jq9r3uRKRQv5u4NBqMFCure0scXF1kMDaI2BmZF7jKkItyn1hyT5ggQOxFHIXEvNqGGpG+LILAZbCCYCA8mq6VYNGuilJRcgcePgxtmy5oOx51h/9XGun7P+fXYpHpbkZpbmoIKa1UqF/npNMIwMNv/z98R6Vvjx5CnAhklH8zss++gCvTI1H4sapR2h404cHI5T4yoNJa4VpLabQ1gmTyHQaexRI2z5eWn7toUuPXswBO1bmM2XW/4cK2ze5jhGug3rslJr/ElpqLJ6wWtvu2JPWMO6/Q/iEmQmh6xsU7IPbX5xu19673ClOuMLMlKaNRJWoJFqFWkWDOKX9j92jCGgj8eueiGqMYMTc8qipjAMDzBpdYGG50/7bbhBymdhPZBeb4N48rVRgmSFSxl3RVLziz+TkxMBss7rpBMEr373t6edNb4uqlpPllQ/pLfUQLX/XRHS62ra3/XIjWFMazc1H2oBP/cXejVKcv0qHz/tl5StZTERvlKRboqIVu0cgYjzklv4xIFdGolwJAl9b1BmnxRS7W/p8S4ZquQTEnurB+h9Sc/kiFHfMQPBGanM8maCzxdkgT4HXjhA9C+9Ns1bDmSlCFl+Wj94j+omcnmTGKno/VYj3Ot3RMIDuDy+SOvJcsK2vIGJh1eBLlWI7EYb3OCGd8xlwiSHN1XwCtPK+iSygKdPvROJNGFy3pxsO84zrXaeF+SzuNFBRPwXqQM8MTV609oVAX30VfXL2uhbOs0i6NsqY7nu6mxCcQoUTOYB2WnbRvmjCMcLSursfHZhTqYIxnS+IlVLDO0jJnv79AmGdfQEq55ozyd9e7Kx1fOomOpX4OvWWaOvL1r3nG7cfrMgdGrZ/UXpwJI/Ubrrg/nZjZSZ56amMPKVmzZtyqoTdyt4t7d0/E10DX9d4mr4ygKr8GfAsSQ+Eu74vQzHtS/2TlHWnRUV+SPFv/MaiKPrdJLtM2zPFSZsmjxU30e9uZuV008YUwDZmc+UOkm6iLxRu0o4N9KuQNf48Slb3Inj7J4g/LIKtUHU8r6PAh/aFmsuRN7dqxin6wZlEp1ej/Mv6vWHChp3q22DecqhUQ18K7qJqI0QVuuj9hOF8cbaNZYHNowm1qobhLIg59aejkk5gLE+Af6UH8IEkeBusP9yZeU+t4KofvSmhFWHtglHMTcwSXL/cLQ7PlI+gfi2LVzkL2GwvI4KRO+MDAj+ebW73l6zc78QBWeyJMqAM54fMFBjA7UjHc3KzZonvBp2PbQ8F7nDKbdIZn4eejM/WFDq8AKmDhI28/9+7RP9UZs3MAWpA3E3UWkcBlbM7f49OEBH1uHeYFIFrReIgRqC7w6ga+yvgnhQvv+Lo22ICg0sT2Z2s+03SucqClkZaSY2z3s2UxBh6X1SQsXRUz8UNwLf2ChV20QLPv+mz88r6kkcYMSzeKnmiSallK3ca0Vizst+ZQ71Fq1M0uyWIzRaBGS/PrLfzvG/1u2f0dtKsn1yXyhEv/t3H/r7K0TOwT3n8sqp3YpBB1vkr+z9Pj1l/8Z2aJSfqjuYhbwHNDS7npn+JR3fY/tAkBiyn2kTFCNfbawnq3rt6m1+r0mEzWhXdYOQXkitqIWvrqP94ifqLHgGyzBis8nEhcVgLuG3x814T2c+IG6O2M3VH/VCHS57+p4iiS7fGxkGEmuPVsAo1EQLZPUx7ldcvUfBrhyF4msLMeuQBkL/P3wQH/idV8/8aNgVQAx2mylZ1DKPQ8WAsqnIHNawj+rTsMlhmR11so0SK3jmTrCcbVZ4pMdJdjAUg8PPjfADVnr6Tzkn8o9OxcL4TBFHJONn26a2m5EmGNQtWdV4TE2qMZicZO4//1Pl2SEjjQuwVig+eGha2oJvJYAyS8ApKZSmbaG5dpHtEV/dEj0avl03y4CD1/6N3G9fvYr/Ub8y/W0NyCbz8efhkA0P93vdysSHVXqS2tRqtlw1P5b6tjc2MTqmabih29D7g+zHwXJLA/iEsFqt+XHNOFK4SQKzQ3iGZi339WoTDHFxeEnGFLpzwH42BMU60YOKce/S3F9AqKqSMatPlsxAXzzdjh37Nk3WpB77LGjejbcY1SwRmcv/Y8XpMl3dBiaLNYkxyI0c0D+Ewmh8MMIPYPbkPtNTb4RrEcOvMmD1xXHibmFt2JNK5WpfnJmH7dKCbD+IoCN/5knsHwF5smrGeubnF1cfUe/vErPS7sCjJVBMCbUietPRZzyTJIvaQdJEIP86x3xzMWD8TrYN3QB08e/ewNVOn14GBouUG9g8eTF3Zb8duKyJBOGP8YABeg4N6+EzBMhVhodysJbSXIYVTEzJYrRf4gsLm6fOFOwbas6mSowUS+bv7UcL9acupaHoltI2oYPNMRlY/cjv1QQoVrsaFsIry6pvIcAgqPfk4hzb/2cp1mz4y7TGsLQCsVKLBnGS3XpQJZh9rGFjOO3FsUVJwVTGS0uvE6WjQ63eNwGR88p1NlLH6uwsHnW7MSd3yPraUlA3WKLY3N56QHxw4kG+djqmQQFaN91s3EmTWoKwZT0PzCUzcUbOEk7dj98pyYL+/RqryK7+7EDdxhWzd7ULAa634AxMgRcLikVeQt+wITTciPM0Iis2tJHpQOlK+sP1VJmhsfGh36Aw3cMcxNTk6A/XhZuC3Z4MfOc1MgVrlWIq1ZVeiSPOeKukRGvS7W8J2jc3Ge+9qJUF/w0n0w3aefhGvCmvzbLxtb5SEWaTIxlkqJRuSu69BFfAXRpM7A9m8FSq3bP6cx+B8aKvpQ2dF8avSznmZ6O/0foUoM+6wUDwg+Q6AhG9+PIwkkeHqiXHtm0yQymTWgXyzsG3rpKfkRktjD1Rl7o6e9jpQe/ci5vqxdfXvsq8ST+5ZEkZ6Pupq6XxUJevYthlYRC2Xjn7eBtpV+Xcw1fffktkg2LUe569MZTwgIuLVJItKXDbwn0byeXfHwRIvKzTVk7bxdBlFgmukJak/NRCCyO5IM9dvp4kPSGKgjNj/Tr3Ifbx6Y92FxrjONC4uAi4CF3fVWu2Sk3CNIsiXcV7T2eRmKHFK4G349x3SzpMN35hHZJEK6Xkwk+CRnBUaxHSYNvhWjQr9Leh1J6C/7/kssfv/3yi6Jhb2Z1/bFLpfFbfksEB7OY/tBbdJ1f1L5EcV+7nRxClmkg4pm8JKST/o3Qz/6U/LqHq1EIViE2DXHrStlJkUQ7CdrMPEk3IZPr4z/YgDuYsJjxP2ZxVW1x3QXuNy82S/6bv601dcrw7lO9DlLzg48+NjadT+wS8iseaDLWZ/RSWQjCkZizZ+ZiulM2Ngd9/eTPWUYmX26Y0CuEGkp2tqGgUCy/kYc2Rm8SDGtCmfoJ+U07Wr3c8dtW6jj3G4ezrHTxoWxcaC9c4v1YY9jIj7io83v52fyfefXroYMu5Mr0IvRqyVktt2qB2DqN0Cl6nMspMVR9dQ1/8eNMnZubqjsb/s+j0sNcy7Hi4ph5xkCl1H9WWB9z9Cfa8Oih4adTJgPDB21/838v80StYlMAAA==",
            text: ##"""
// Query: ask, and watch the answer. The question is a search URL; URL text, filter and fields are
// three forms of it, and what is shown is what the search would answer at this moment.
import { idText } from '../json.js';
import { memberTexts } from '../reducer.js';
import { ask, may, most, observe, watch } from './server.js';
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
        const shown = name && id === this.table.picked && this.table.text(id);
        if (shown) return this.#members.show(shown, name);
        this.#opened = name;
        return setOwn({ _sel: id });
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
  get #limit() { return Number(parameter(this.#url, 'limit') ?? most(100)); }
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

  /** Takes in what new rows have that is not known; whether they do. */
  #needsColumns(entered) {
    const known = this.#names.length;
    if (!known) return this.#source.ids.length > 0;
    for (const id of entered.slice(0, 20)) {
      for (const name of memberTexts(this.#source.text(id) ?? '{}').keys()) if (name !== 'id' && !this.#names.includes(name)) this.#names.push(name);
    }
    return this.#names.length > known;
  }

  #setColumns() {
    if (!this.#names.length) this.#names = propertiesOf(this.#source);
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

  #describe(text, id, side) {
    if (text === undefined) return [remark('This id is not in the answer now.'), idLink(this.type, id)];
    const goesOn = side.id === id && side.text !== undefined;
    if (!goesOn) this.#members = new RowMembers();
    this.#members.show(text, this.#opened);
    this.#opened = undefined;
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
            at: "/console/running.js", .script, tag: "\"774213297a1e70f18741596e80b8acba\"",
            packed: "H4sIAAAAAAACA3VY55LjNhL+v0/RF0G6aO3loE3OOWdbpTphREiChyJ0ALjy1JhV9zT3YPck1x+ahDic8YYZotE5k48f06etIXcyXkfr2iUd3JlsDBSijoZsoOiauiLd1nQ+6Mh3tNUtXTGRr4039eKRPZ6cj3RLpjFH08aKdrZpKnBt37K6cfuKTo22LfW08+5IavG4dsfFj0E9uRDrGM3xxMTBtCwwuv2+MROKJC7MicL1BCUY/9L4OcpVSDptXW0qqjsxtKK9fWn417GLpoZ+fME6e3f+yLbXrIW+YSXs0cjPN7Sv6Mw6TMWxr2bCahO1bd7T4VARS7Xx5mvfTEngVaF5ZH5KRFvXhkgnHQ/0jAoLX28jPypV0rPntPntbWZUqH/lSAVVka3L/re3QP/972nzOD32m37z5JEwvbZtHZhVa870sT4Vq5UK3XZrAojV3rlarStaqZ22bL4B8EoPsMbp2rZ7wM7atwI8dALJWCfdhXtYvmtbALOMdTlqFI66aWDnYrGI5qcIE8e0KVS6ZbK2Q/oo4seExM7iRP1W0i8gRghPoFf5T/bjrmu3cEzK3C58uisYr6TbRzS4WOD0TCKPW5Zhw0eDoSW9oGw1Le9gCaliRYjsjoqR1bNnSdeSvImdb4dcKxKeCG1dNJC5mpBkfyNsLGCxN2z8S9105utTraOpX4+szq+ACvYJT+7p2pyiqi5UHHHWU5Uj4yYYQQ9nG7cHU5Pb7aYErNbO7ll6/QARa0sThDXsENNS7g92V5JYiZ9A2HcvQN0ih5LJC24B0fjiDecao9tyceT8K3CFkEseyLFkb/Uc4Fdeoa8OhpKZKpDeG+k6kYGoQNI7ZshNyG4P6EI29ajGLOiVx/McAPX9BFjpWAnNGhGZBnju/Goe/sYAvB4TQMf7wYeLDzo8EMkX0mUK9pDYx7DlLyTLPD9bJrCJVWI0Bcyz1IYvoWjCE52BAR0ncVyli6w9o8K5BVyj9F40Gxpekf1VzZFKCTOS5lK9J91y+G9p2+gQltIRKOq9ol7Q4b/+fsHudXwgWgfT1DNnAPTGzaUMcS7vJGhCoasbyh1JGn9ClY5TUXoOjYuS/7o+2oj8l6xMUeIWhgRLV8n1Weavcph1F91RR7tV5YMNQEBTA6Yk9GLQGFMyt0p4X8Dh0MVsBEpkNjBcF7fuyH5DN5VDKq18yCHOkv73n//SpTdLuZaPaBTJk2YgXf1hvYju69PJ+Dd1MEXZU77rN5Pyz4Jz/cNTM00bHeIXXQs9WTp0TA+s1gpy8bwY+ExYZ/CMfTVEaRzkCW88fBz4HrZJwqa7ELVPhViWa1rmSnxQV/yM3jWN8UE8y6KSxvxbWthtUrEa9qM+Xa5G/+EKvsLlzFMAzQxRpNb3NMgDHmuIbASQMS4mxWXDKNR8GUg/5gxlEIg12C5s+LStCKV8dF5SRnYtGGBZ/aO+QZpsRtRCZoxYqj77+itVpXUlccsDCIUvz9SvcYCEaEJcjrOIyXjqQyj1w0j/FDudzHGZAJwngXR78cITihj7bkcaodPSMExMWLIYLej1NpzBB6MiU5IOZCNgKOUn1LW12dnWYI813uDuzCiN2cWHRghcAAsl3IxqY5i2p6g9q0HPsisEBa2XKV/g8OyP6L84XloWuMlkH61RuXlg8S3Yw59+CReLgPVkPKB9scDccHHW3mg0XeRHWNLfqtx90fYUAuStfrXRV6ZRDH07uQy++eDLTz9ROUTiSkX9pHVNFnhOe75vzJI2KGUkCtL7ytU3S1oFfVOo1y/xOXsbDcJhwxAjGlc3c3TRLJAu0H5dsTAinTwemNNKMXvWqpCiC9fFXXfAUhEK8oXsRD1q6eTtUfsb2UDf1O2W7V2vqc/bheyPW300KZsQX8ktZAHCZWraOZ9yQfzN4TC1lA3k/hjwfnQ79jMMlq6Ny+T5ioz3zlNP/d2V9oTgZCeDYZqGilcdaABVlLwdIdtSUzjoIKKXuMp9vhjkvhi7InpJWkDgxA1ZhCV3xYx8aY3A/0OJsM05zbZSbsxqeVErWcaMUuMBkwGABMNRqdRY4YbLzPn55wyYVB4jL1ATm4p1lVeuQtyn+Jcq+8WG45V3wWtzE+Ah15ppR9hILhQlGx1SWtk6rYpSqs4nFX6pqD9kpoVwSFuJ3ZpJXUMmQp4KJr2KycC6pQtkKemZiPJuObYKrJajfvDOKu2MUvxWSj/7oxxfegvRI+f9NubWI5tHf7cwRbJfQttCeSmZTAEWDJuwkDL74oIvqzWyHjmPJomUUwwON+12xkukUXqrz5rOMtw7NIfhRUlS/AtZNe7lN68hSqy6uE+nDs6u09Bp1nuj74zgz5UQMqxuqWASjcBGAf1guxXbJ+uzuAwGzhpvbuhT5HItXuzvtpM7mTl+GMEXE87x1ZAx3vy7MyFWCLa3V100Yb3hUxNccv7WnawJD6arfPPIrpjm6cmFeDdRJwN9FD23SRJ6LZjr6VsBnITxDDHSDk56b0JqBhBVqE8wfQBkdnL5uGXQtL+lc2rHQvIZY7FD2MgJ0cmbl9Z1YUqYYRPi15uGRIdMqptmSoUj9an5rGSSDKTS/kG3ladMlCETQe9PU2Ia80w1hYJyKusLE0xESqOH4flClgHyTu2PS5qMUVzJIH2xSdMQBO/HIG+Iw0BBmcqcCaS9Qb7sXYymfSJf49C9AzXDpzq7bx2+yKmhTYlyrHHWeaXeYQ6Dwnx66+2P3v7q7UuClOuJ9hAG9fNKUet2b/zD9gjfBw3KnxKz9gv56rhD48kfHKSGbAAwbW+tOWdTRG+xJcU6vUr+H5TNYWG/FAAA",
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
            at: "/console/samples.js", .script, tag: "\"f9434a5df0636da1b4743c549d7501c9\"",
            packed: "H4sIAAAAAAACA7VWaWLjNg/971NgVpGOIn/718rjuPu+763tGdMObKsjU65IjSd19LcH6BF7khKEqChb984SRRT4ADw8gBwM4FO13eVooFjBYIu2zJYmhqe4s5BpsJvMgFWLFPYbZUHBKltXJcJeuQ3PsASbbTGGxZmzRLD43IIlw4/KYotuqTJQojo1Sa+XbXdFaeEABkvaWcPKGUGUDHgh+dZEw15vWWhjYVu4HyP45wv/HIKL8Z//hW2mKcRCI6BabuC/YHq9Qb8PL9mzHZ7iCg4HZVPQ1XaBZQwrtc3yDE0K76vdI+Py0usYDrlaYH5lkZ8nMTxTeYUBop7MTuq6oQf6g443OPDqZFbTB3zuM+PITUPnCCazYa9JTZ2evv4MtX0vMxY1liJSyyUaE8UgJIxO4BD2JTnqtd247f8YQi0dIatKL21W6DYjQTRLOPSgcany3Nlr3FNWwu0BWBUlCP6aZxqJOdqVmF2eWRFNdSQZIWBMYtCKSskENVzMHO7gsZio4+9fPv7mSTqbTPfprC/FOJ0eRNKX01qOQUw/PZKDBJ/jUpA3CeMxZe/hsxUIQobRaASVdoVyFqeS3NpMVzjsBLFTWemZS5JEcCAEFUUy2Sq73Lyc52IgpvsjOborXAyTx3en09n5dJrIvrw7WMuZs9sJMSEBn8UklpmndxJekxJ3uVqiGEynIpEDV33xJAY0S+VE5G1F8+IDjnQEYyC+IG2t5Exe5HbHsZ9slPFJSgn0atAKZnMSTGl53SzLZFeZjThAEGMonc9ftjr8wOtQ0Fsn8Lf16v4ghsg9M53ZM6pk7b3UPYASbVVqcjfs1b0gzVZDTogsXS+iGPZKWzyNQVG3vaYsJrrYC9ZGkGSIVtluV4WYqVaXlTlLVllusXR1oGy5AuyoQxQHzRxe0f6Jb3/Z+jebbGVJ13UYD66cH65gBC2HUNMQ4votzi5rjQpI5WNLXwUyZWF1G8xUW9PEwt3AmL+10QruMwZoOQlVD11xoRCfhCg0u4lBsEaufvD7/iHhyOvXi0EOr1aah9Mr1fIpWj/KFbjJbYt1qbYOhLZy/iksCscM/PTDj7Ap9rBV+gxsUTwF1UxdU0Be6HVCk62lZsHIfw878/sHwqufsJd5y9ThWpdd5eZ2Nts4ZHfCrHzyI7iF6q7pgk1DFxL5HQVFOUaybcroyHVj1G3KBosd+gA9XgyCV9Zh5bby1jeX+LMNQo6qjc/ysWw2qiR++Zhe0rxdoN0jarD7oj2UiHLYZ3aT6SHoKs+dPbqNuqCltd94ufDfVUrbLEexQFdMqnyxj9ldW/sQTBjdziRxxBrhRoEpSiuYYBcINahXwrF/G4b9HPEImBKyIj9dko6hieAac8MrAiQoNjCJsuL4n7KdM2TwyG0JxEYlGrTR5W7yw+MfMGZ+UmigXF1PRSc+dsOvJ6OmAH0CkKFYPff+ZVOfoiqX6KyKfbg4bTCUJYW5U+rctweWVCJbwPygbHMSxJCZTyjSeh53q2b9z8yALtgwIY9z9jVPHQTf59xp6IJPoVQW4RzWqlrTM5SWpN+UNPb3OVPPCWlw7fTg6FzDHKCLfB2Arm5Qx0xnSLPVS+jDq9OCP5Wo6IvgXTzSyQufxyHoCMZhKEHqJ7dshxPHRlF52BwtsHZg5Om7Mpl4G7FPxeveikiEMPIRhXC6EyIzH9CFdxTQHz4M401ZOOZV//sjd4H9xz/+wXs7nv352F61ihX54wDauUdEdY9NZu6mG0aIqsgdVSG2cYiCcugcRenF8Xh5967INKVEx33aphOUmLL86mEbYrc2XljRRQLAaDzUHCY/+yyRAFED5gY9EkV+p3tyd6DCnNgovSasmxURfieoJuR2WKWN/2NiiL2HFBiV4XgkwPl544sHBifCbUj02LLCFoMz6OR6W3wBMmUKoB8WBiDEjdKR7tM/nXRkSxc/WQZXb5Q+BDJtDRnopnqSIFIv8PryccPQ3dsjU+80+L5vLIfWaI/h2g5v5y317NWDvpUwUXvDx+u3gGHvZ9Q34YieDgAA",
            text: ##"""
// Samples of /metrics, kept in this tab: what a figure was over time, by the text that Prometheus reads.

import { server } from './server.js';

const most = 181; // 15 min of one each 5 s

/** @typedef {{at: number, families: Map<string, {labels: Map<string, string>, value: number}[]>}} Sample */

/** @type {Sample[]} */
export const samples = [];
server.addEventListener('access', () => { samples.length = 0; });

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
            at: "/console/server.js", .script, tag: "\"8d708ef69cdcad748fdaca23acbd0b5d\"",
            packed: "H4sIAAAAAAACA5RY93/iOhL/PX/FbF7B3nPMlqvkk9vXe+/9oeAB9GIkThJh+bD87zcFgXE2V7bGo6lfTbOHQ/hmjhAx3GIAP4U0txGWZoYjCPivFcYUKyIieIfQ2luEiXcOJ8l6V8F67oH4TbyxblaBcQ2RkNgD2ESPcY2B5c0NRlgHmzCekUnmI7GYbNuK8mgWWJ/ZxdKHBNtsAnYwDX4Bg7oeTgNG0lz/EQeXB0Y6JkEycIO45H+XqRInK3L3G3+D5GLAl2hjnp4qkxIuWH5pQsQvWjNB+ln/S5slfhvao4ZhTCbtNZyR/pjAkSdwBYO9oxdM9S0Sg55HO3PYfL5KXSYlXvhVGlzCcMjguRFYp9dwHfw6YlBcTQQDyVzDzCcCN0Li+M7Ohg8fwpuQ8HkiIUNHUXC4BLdqW1YYEBL/yyfOO8Ym0A8Qkw90zzU8HKqLDJUhmSsoRIwB3ZRw9c+MTVHI06z116b9hjz8Wfh+rWeYPiSOgvlLePZMbOfA2Q6eKq3E35eoLiSOq6sr9f7ZS2wFXPhbPJiD0Ut4YvbnYKosDxfVmpi+Jtz1KtSuRl4MWk//f63ADKrjnUlQA7rLFpMCz6JZKmKM1rv75DoGi7Lk6E5JFOZ9mo6ZIkYHom/lGpxaMgCj488Unp1CIWylYv6fHKt6Xl1qInEvWK6uWzuBSWvREd/apvmxKwz2eSdZg8+ldhgT4WY8F1Tqb8tDwUqnKyet4oQO2zOAgGkVXC71gpFnxtoHO7Ougq0aqqSwuAUFn1KLI3j86BHsSPdOXD6Dh/B9znvn106bWG5pNbx7SzbjCMaTuXEzHFcwNpMJxjiGwjgvvYrBx7AvDEc2bi2uI5iAENA0YByuy4pNjXHpJ3MSZRONSUaYsp4ZOgwSxiCW9ZlUFuEc4Wvtr5SJ6JqoPn1jAtWNYMHQSxDj4e3j4e/q33CBY4hmE8ljbkBxrD3gU7M8KW6btLKTxi83AyDNSMsQoLXuJvIzrlm8KJlIDnFydNhyBuQT6SdrE0lZgqkNMVUnNnPY1xsgy2o4C7+FUx+6PuQ2sAXpnSMYMLSbQcUQR++IMIAdc+rYwObNlMW7EJFFnUM0nILFeDK0GC8ldOfU6N5euPc5JvJh0bFm45trsyHC1LQRlfIVTlcRmw98TN0Dh9hEmTVdaktcXf+F8P2cVQ5yq9dg8uydmwjR2EZLI2xOpBdilFKffok0TwYO1Lg9XGfExenEfprmc9duuM5ylT34+YD2gAciGaSBLf3Ft61f88OvtXWTdtVgLBjPWi6slssqL2F31kmQtQ9Nhnlp25YnFBM0KNoFGs0QhZf9ErZ95QPYKaiNE1TL7O1WDFBCzDnsoByDihUz9do0nCl9TXxjd1UYot4v2g9UmnMXoewxgA6PLTQyQnlO7uhGOgqWwc8Cxsgteru3AX1/jEy18dECvLr91KR5PW29DwX3todiAobMW+7gtTGMui4dg1mb4A7R7E5jOmblXUh4CIB1dxX1Ec2Z1FehpXvhXfvfoNUy6IO4NpazWeJemOfFo0p/nqBti0Ilcw0QmI9KuIB3eN+iLsMTdCiFUJb3YMzqM8jSAng3JZyZvoOY8dSz/xnR3CM4QTqy8OIFPBCGY9u6i9fLjN1Fa4HPar9EB6+/Dg+Gv8lMbLkGXjx+8rdf6p9/aepf//Til59Ho8e//Fq+OqwTxs7kZE4eluVd+6z1njB7rJ1YGfvcNrLozPt8zdIRElJZ83TixqYTlpgbTMa2dO2qrrFxadJkLmOv4CH09iomv9BnluZxr0I02qXbkHZdLzRncpfUGabjlMdYXgE+d5jfVy7zeweMt1zUq1jBnKIgii6DFfwRvduNwQdZK3jSw/g9XbS+CP66xcW4hu9lUJj9umcj5ZVL2JC1PP7iDTZAY04mfXbXxI2bQN57mKlYYJr7ht8s0rwCv+SDKEXB0lC0mPbK8gSBywMhhRUqby6fa54iunDpFVKl9CpMESA2w0lPEvUenHt8UT3H0Vv0a0sP9oUBE75NKJaKVfZOMzlTa8VeCubPjx5zneSTiW9ypzUJL1q7sATsgNN+brRrcZlzFQgK/FNBUT+4ynGzNg2Nm9mHbh+WcAzef/ebQckcJyJlydgk61aYY2vRBHeIIlMlJbKvx1bAKakvWxEWxm3yCCZ+XICJx1FMxxsK5Fa3i24W5zlesKy8eGgPtE4oVV5ame2wkmPbxvxW3V8YDEyRUA53TWUJtrbnqVjaidmt5KUgVcFAlk7Waic4KGvmKoqtVAnshF9I/FzvdcXDspC1l2UFhSrfcQV3l38FupsunCq9TCl72Zc5+rn05HGZceovZVwr/0n00dMSrEvBN6sJFiVvUoJosLN50n1fNtpIVOOAndGleq/zQU+p5nTfzF8ePb335G+UhXOc3PBo3UicORbupEzYdXA7AgLbI2d3P+7MxcvspLL1NqKOpf5y23dB3h4wvTkz1qlHmojH1MsfGq7N5Eay/Rp1GRX08iuAboUz3tWVrjBLquYQu5Y4RkXnO1UgvmjyfOpj0sfu/bFr+/HgvbySKzaShtTJFzZiHQzx/qwHFY+PfFIUAaNvb1HYI6Zv7AL9KmVyBX/hLeNXsqNGsifH7wbaWnJz/T8KatspdVYntSWNMJK2uGpTpBrqVhRdwhA+YTAv6FeOe82dGJvDXBSQciM4gBydWca5T59P5QOLIp0X2gUmI7vsR19//lktX7+U6/LAtNBXt/GrW2auk0+m5YTufIrgzyMwgnF1Lqfnoy7vbrzLj4F8MkkFiDc/no+4dkkDqdmN2bKmLdtkZ0jQLoqyji1BygvjxeNyV53fHuwEvLWcM2yIvKUziiSdjx5V5/x8PpJkJ9U5nbkCI3g3wf6rmKZ3K+em5V18Ytz+HXEEhrhMmMw5/yOPIsI3ebBJ8ro3/YNs0OQxv6xuKliF9hR8XX5swxfQ+fJYjF95dUvMu3H3FjBGM8OYx3q3h9um+9WMJGHE0OmHS93Qyt0z28SrV7foeAB/+9WHb/vF0jvewWxTkql/d25dzY0zOfB9fwXviWQVl5eTt1y8nHO+U6lOgbStMyVuifSX9d8PPc1pzdCz8ckWA4ABMBigAdJR3Yln3gq1z966WuXehYzX0pvWVWb3UT7lVVDeQ7V55cNgAFVVGZSE+HUThK/ssl5X5D2/QtYp0neWKHbtlTjevcY/p2uLcj/tBzsaSuZYVCEiHCIVHwEsXXitliWT2QhZ+vEVavgcho5xBToKSjrDZc0bHuwAUd7IWOhdin6EIxvQLX0JDIqNPfeyd+nppuRNLBLetYEGgVd15rkOvNjgMpj6hTPEbrYMoBvnb2DhEKswLZVLMmIUcsRkSsmLXPWtUwFeeDcmp1f3UL29Sj27X/XOKgjuAzwY3lI4ZR4Z2y841jMf7uq2s5y5C6hlZOnzVqIa/HW5ctu2ras5fncYJ0B1hXyr6HA9EMKC7Y9pQhUAcAAYyA5PwqIWOA77BziAygEqXmUd2c7GaoLENwD+Va05EQAmvP718di1B5PMTqrXZtxJh2FIVoiFNgQS5TeyvDqae27eJvItZfHvKYd0Ct+TBRMBT8//cfc/2zf1dsTi+YA29bJGllg38YJS8SS7pERaljDK5NOmiasVKAh74lo9sNAQVcjnyKwsqayQlAbwWZJ0WTJ/iO8G5NKWxebLkwmvUMiEy5dv83mV6YWKbp+UQAReaupPH6iA3EHekoFZor/4iry0MY2bdmUsE61AoXQI/3SL4mbTz7JtgCOrjXjqXOT00fes6MhAymW0dSrIDTsIKy/09Onj1/OAro4DYXXVyhwT1uWbFOheCoja6vRjmS+D1HNAWmHc3RGUzQAT5cdSYRCse9p+Vdf1rPZ1fXfoJ+NezNtpNqj8aAF4KVI7eP93pEfzzpBdUBUIysY/dd+d7i3yNXqxaXjDtmJr/HW2UwT9LJtad5omPPeJzocMBZVHhHXWg67/ZWR9nUW/nRt1oiYgkdRW31g3Iba4YK1GwIobr4rC0nqWBUgZhIhNMA7H7s0GcO+oN6pcxWsROMXXIoVHhaKvIYJtunw6LNmyS7qyjBECucQfhk8VwHWxcFDiK+bK20+5Vcbnviy4jWm062/RiWNu3CHgo40DfuzgO2bBlmK182uXynxq4jcsetB+pVrMHGzGtk+dyvgTMtZ+GB4zpGWLYhU5s4siM5Q+ejTncbS2m4M5v9hUriDg65NVg8ngEtoF21ISmXVv3Qlop9I4FiXcxQLc57KbHgwqJxpL8VGrg7mW1YRIR7mb77TJh9XOAF2Bg2lo8K5DOpjPCnBZ9n5rQtwgYXgJWr5vvO1vsh/vTBN/dT/qaa6WXVOq1CEcSgFrkw251lbmAtrjXQO8zV35Vgj9CGGk3DFswXSQNkd+Bm1qzmQ465qsns3ALsjOu44aW/Z6kBUldIitmWoJCYhY2hOSIdnHlTOSRSAknHUBTjINfUvp4LKOkVxSdAVwUOg9MgePTpjHq9YpIt0AdUosYLlOIqvtsH86ItF7OLQtYMH2iU4kGOTq5xUbLumYEjtpDOCEfurxD7neG8ETvmzAifMCPxpiIMi1xgMpQVu86HUxv45F4in9hh3jR5TSxD3rplk+GCxcXfOIeFozGEM5TXZ523MRQj4XypfhUqhdGG6WGF/Y5lsCm1uj0Q/bNgjZd4f7J84nOFhujHA5I2D7vO8sAL64mMW/S5N7UROJJBCX3aE/TJ8reYpOqKWLxUvJPKj1z3CIzEf6dDdl190fYq/aD8ejMweGnniMsGALcpy7wfZidsvrOILpf8AMC74fz9V4LfM9bBZSzLatNUx4GeRJR0AjJnhW4RKrxWaoQhtV5H9FN4k0XnjIBcHlVXBQ2bwdhx0Oo0+Tt5NGGpanFzJd38BKnWShOGkwwGsiEKep2Vaxx8pFDPzSrlWue31zJe2qQXt2eRgm6d6m6MZnZXYJTsvguRp8UwFpKQmXujwWV3Cc8zBMa2OYsOuhNXWYp4NAZTKmMN8cFlSBGXefZomxM4UNyennCZrwtHPzO8cO3vdlVtf2m2OI442meOZ62qijeCgsW3EPcP6ghKJCgpoBSr+NpbvjmQ+W8WmeHnLJ3l6WYqlzXqEckYci2mfYqi/SzcS3a1C3P7rRaDzcBM55ON27pGE4sUgbBtfa4x1c5YkcG4X5O6/HoMCFdfyirehYcZJqMaLGsbPswTICMLokDxG6p3c/ZFQ7DmWmfTCYHkt3HvBvJeWFp1Jaod/xiufCsZo4tW6HjuNnEPrFs/4porwG9dTF1OKRG8FHzAwcEDbqBMURu1prjeK4wQzsaG5ll0ZN+r3KNoZRbMC7drNhYBHB+N1Jjre3oD2NSUgUMhTb/cQNpvYkLtF5nFx56JluLtgSfMzbGRZR5P89D3k4d7FF1d61N9wKVWaCWkaNGVVbVOvGhMYHNJCBI1qyRTQDoaAwUrffLOtoPIQrSo/kJFlt/qbkEig3DET1jjc2CRMliRy/S+eOl3oTigH9NLhznsZ/muC27vdYNRKGMR7LBJTT9XfXCUuOBsOLIKXlF379l6hTlV1U5ygVOnaQ3aKf8xb+78ZoUoKhdqBczp3JIzI2B20T74IsghYLgpxUdLEhPVvujxcTI1ycW4/WwozL1uKDNkaonXqRieAq+9B6w0thr0hSt948a6htY43347acs1zjcApxsmzUggYSELHx4MVwYi/U/q6MzRrgDEV1P7FyMlusJClV7nfvnHEW7jdNULpeoVrvpjHzSiNxsT/PVwFiCMu4417M+dQl30S9QtmKtvG/ZBt0xGQvbhGaKtd1Iwkb/mHYDe3nyIjRRTzsn/rtOb9ktusfRxPRCe32hhI2nARXUKLb9xBcyASPMA3Uuuz7ZO5O/jeLgSIeSATWMWR3nVzNnsz5oetxPhjwv/OKwvcSJ44Vh4gubtBrTY79o5tZ42Psv+AEOYLZ7mmaUHiVWkGUfWG5AXgKssROXw+vfSMld6FR9QA5Akx9Vj5QXCd/RacIM90gdV2mtcx8ESuoF2lVQj+d+m504NHmMP7TbcJNgFPpFGLaDG1rgDlZd/hznsQ0pxWcFWJ9bRm4wsG/oXii7QOSHjMieeSnCdAIN9+OGeGJNGQUUoaw6YQuHJsJB7CWWQ/cORg3n7Z4HRsTHfZnycvbm4tHS8n7Trk2P8Mp7MsaLsZS0UX9DwGYTC1moO5hvmO3PVk3ru/E4DD+DfKJAxk2tW2yXwxnrpG7HzsjaE6zqa1OoPu2yBeWuBONTe66PSKnblxUoou/j5nhpjKdBPYLH6UtwiEgFp2a29DnJ7iyLFtTiSrTgHd/W1KJIl7EOj7mM5Is/SlIwjelO60sWKmq6wUcFjehmOrOksOOFF0tmF8MCHIjPMYfyif16xFFcOdwBjj/aERTueE4rw0SSiFuMDepjr9OgNiKYFoZUoc+JOXGHoTLCYzeb0fh8wmXtbCZaGxLuuJLfHIVHQj4DWeT4IhVxDhieewt4pl3/PiMsRaDDkwpqbgX88d2XGG8gQhTPvPVEvzJMizsltsp+KRJYJLryv216616HWyhK3yF8xKT0LdYzsvDaZ2XTa1xAOzI/wOdL+C75jgAAA==",
            text: ##"""
// The server of this page: requests, the one live connection, who is asking, and whether it answers, takes writes
// and is still the same.
import { connect } from '../freshet.js';
import { frames, keep, kept, live, onToken, reconnect } from '../live.js';
import { attempt, parsePlace, place, typeUrl } from './state.js';

const name = 'freshet-console';
const signedOut = 'freshet-signed-out'; // when: in this browser, and as a tab got its token

/** A text that is kept; null where there is none, or no storage. */
const recall = (where, key) => attempt(() => globalThis[where].getItem(key)) ?? null;
const store = (where, key, text) => attempt(() => (text === null ? globalThis[where].removeItem(key) : globalThis[where].setItem(key, text)));

const lastSignOut = () => recall('localStorage', signedOut) ?? '';
let token = (recall('sessionStorage', signedOut) ?? lastSignOut()) === lastSignOut() ? recall('sessionStorage', 'freshet-token') ?? undefined : undefined;

if (token) store('sessionStorage', signedOut, lastSignOut());

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
  lostWhy = ''; // what the server has said
  retryAt = null;
  most = 10000; // rows of an answer

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

/** As many rows of them as an answer may have. */
export const most = (rows) => Math.min(rows, server.most);

/** Tells whether the server has a feature. */
export const whether = (feature, then) => { ask('GET', '/v1/_service').then(({ json }) => then(json.features.includes(feature)), () => {}); };

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
  learnMost();
  introduce();
}

const soon = (answer) => Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 500))]);
const learnMost = () => client.request('GET', '/v1/_service').then(({ json }) => { server.most = json.limits.results; }, () => {});

// Live ----

const watched = new Set();

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
  server.lostWhy = lost.find(({ problem }) => problem)?.problem.detail ?? '';
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

export async function begin() {
  const common = kept(name, token);
  const found = token ?? await soon(common) ?? undefined;
  if (found && !token) adopt(found);
  await Promise.all([checkReady(), checkVersion(), introduce(), soon(learnMost())]);
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
  store('sessionStorage', 'freshet-token', text ?? null);
  store('sessionStorage', signedOut, lastSignOut());
  client = makeClient();
}

async function become(text) {
  adopt(text);
  await introduce();
  server.tell('access', text !== null);
}

/** Forgets the token in all tabs and their worker. */
export function signOut() {
  store('localStorage', signedOut, String(Date.now()));
  keep(name, null);
  return become(null);
}

export const hasToken = () => token !== undefined;

addEventListener('storage', ({ key }) => { if (key === signedOut && token) become(null); }); // of a tab that shares no worker
onToken(name, (text) => {
  if ((text ?? undefined) === token) return;
  become(text);
  if (token) document.querySelector('[data-test=sign-in]')?.close();
});

"""##),
        BrowserFile(
            at: "/console/show.js", .script, tag: "\"d39a15223655ceccffe45f6c772e5d31\"",
            packed: "H4sIAAAAAAACA5Va6XKkSJL+r6eI7pUN0IVIqa7tTbVafd+HWVftqdYaIQhl0kVCLhEpVW4OZvMO+w77YPMk4587ECQ6RlMnRLh7+O0ejmYz9V19q250uTE2Vq5YGat0lavrYrFp8NwYZZf1bTVXV1uHBavc0myxEatqs7oyjVV5sSicuq4beUoOitW6bpzaKVOalakc0V4ZgW3VdVOvVJAksz9sXSV/2ODUw19tnKuruMeL1brURUX/NfUVLX2pmzxW9mbhyczyejUhQoiF236n7ZJgjXNFtbAjBOu0M4JyMPvoI/W5yE9yaacKq6raQUYIeLsssmW/Vm3KMlEfzQ7Mez4oqyvrlL6ydJ46U2Gkzj7tGQ8Du9ZVEBM3WamtnatAAANo2ZXGL6g2VsFf//J/QdTx82tl1A9vfv1F2IpZr1plpizjqaZPVbp70aZssvTi1WXKW7cQZKltr/NYTEgWVGm9NlWq6gYvhbOqqW/HMl1vqswVdSVnh868dyzDBhI+Pz7uOLD09ppeQE219LJrI7U7UKq4VkAi6LMztalyc11UJo9UY9ymqTplhSSpUva2cNlSwC+OLwU/09ao4MNg3mGA88YZohFCJclaN1bYimJwRarDC3TXI+88crYs1mG6O9x1ihDEpDTVwi3bNo0VFkSMEYWLKYWLw11n1wmJy4dIVJ7Ewx4Bh2Lzy9MI3RG6PF0/hdBVXZdGV0wL7DAl0r3elO4eTQKkNyQfDuXI8e1Be7Dv34X9hffh4UBkL2cTfzA2sfrTn9Tsvy+Ofs8vZ4kz1jEwXLp3qSkDYr53RZXvu06nW/XJGSCivys9KEDwwe2CQJ0/SesffhhEai4pRtiFDp58oMdLbFlkJjyOmeMofuT01caZnI9P1V//8v/qcJfVm8qNJY9acjvd6MyZxqbgiWwixoA7whClvjLl2PX2c49kUZx7oIaTgYvso6+If/N+znikqWNSwdEJkanmzGeRvZM91lGunT7CW0AkOCkEtKqbQh8xE7ScHu74sZ1znkHulPSRxgeqz3Zjy36qXhwfq3Mg7mkPy1ELtaRKMMAC046GXH27rMuOvtJWoG4Lonpdl7ntOM+R7lyt0tys3TJVpbkxpb030bnG9HmOgZHn9hwSyUn8ahfIxuAiODKk5aG69ZkpaIOOXKzCujJsnotHfFKvTDD4FDASLMGVoPdYuPTKYghNLON/QxHUM3+kTqJLieT7JLgIoj3eaWFwVs/85V3m/yEGxlG0d/yHj0cmYKGFvYhU80ktkrw1V99XlHiozqsWESLu8e+ofJplU0v4A2r3SueG3MZUqnB4h4eYPEY5UwReV5lhz+hdQlQDqFhpFN2srK0ZVFIWlfEO8gFBdH79YKpCxulq5TMhxhqSkL6q86068zh5cbOnFDBDSmGM0jiWhuCPPYVV3Zih/wBf/QYVS5RtcChGA24sFJ5xOY+SlV6HvZGnTAjfkJchxK6KOU70msTJwyRJcArviEKY+ifKq0V05bmqOE/fl6ymqWovI4l4IbCTxqzqGxNGMcsekpO0nFGf9dnUn66OWN6oZdBUGJ0IAZq8IVHTetVWdW72jGOcLkq7xywiIxDzztlHkOCOe+5dvViUpmd/xyoC1QTwKJofMHudIKeqZVGYF+9Gm9VKN9veIsibwG4Pd15OemHPatMoZuEgEJ82sDQc4qMTnJxOSz56wp+K6h18atmYa6kz+w6iWQWy6yvK0ck0ek8nzUTeE3bbtYnp/SGy81EX74E9eXrhmjBT33RXlSP6NRGEnQGnSYvDZ71xTVEt+hVyJaJHoTH7/Yvw/Cz8Pad+Onp2GM0WsQriYCrAutw0uvQkYWYOqQpBDMNUprUpn5R23tif1VKxl0fOhifqHMhqzthtStJMapNcuQbmd4NbbippwS+CL1CNf+R/f+Z/v+V/334RXPYJQ7s+XeBuEJ6qjodPiYXj42PyQYB8IkR91Jyc0vKzZ1EPPhPwkfOkvTiEfNLTOe/gE1d/U7w3eXiCDP6zdsukIWXkY2XwiRfaXUL49q74OekaD+HK+oS7snwc5a4RH54+7SPWbeqD2Br6P4e+GOy6rOsGZGZCpo8TAQP113u0u/VWgeYU9MXrCSP+hB5oBnrEUlHdg3/yz88/fgIFPqZVS1D4e7Afv37JwLneWtFrV2h08+9Fzg1OaJe6kZTPJFb6vSwhTZAJT9QcGUz2KNhe0svLY/WREjxSmZA0pV5bk4MiLtexIm8vSknUX+GSXdW3YUTOxC9ydwNgFBGf4WhR8O4BVH/+MzUU94WGboTlvgvWzjUF1RIjvvKES5Nu6J0KmMfsMi8GDGFA/zD8TWFuv6jfE8axOoYaPh464GWR59IZu2YjDRyjNiZze2ct2Ddp6RYWmCsodGmKxdLN1cexaoj6c9VGcrqaEBGcwX6d8e4lIBTub0Aki/teCYOf1SZbqvpaaQVIPGEExE3SDZIb5y9Kl3fHHoD7QjcT0/tSwQbq/GPPOQQEcsndAnukQQGRJQYM5oKg2lHvXze5NPsarrg26srYIieGnVzLwPmirnNStG6qmJjIMeuo6srcFQHUwL/wA3R2BxTJx0c5KWMe7oDSpqrtRQJmz+wbugnZbmwTWH9f+UHf6DdZU6xlQoMRzu107gQ4mZTcZbpew/2lBOG2JcGGSZpnfljan8Ko82H+ouSqNp6pAD7yNLzS5WrDXoLO4AEh4GLqlrkv9qW5K8OiuDEVBCBysar0Slj2zGAjWRgXyt75uZ+QoOK/LVZDvReK7rZ+vMyvdf7G6caFz2OK46CXLj15OT9+Pj85SWN2/pqSJhyGfQw1lt5jVVSQRP1vXcmQkN821jQsfbasSan33S3R62fvQu3Gtbuw//r2S3U2DCZZzmDjMjDVAzVGs2vm2hm2CRRhWTB+krZ90BzALlIidLgT8qQw+i8gMwcBdYYAbNPLMPJHQLJfr/sz7lwdLrZGN/Doyi1jwNINjrnqWAq+IXv8J8Fw5wEoPCB7ixjjKgVS7dHhjowUMkH1jHJ6v0K0o1alp/uNN06hEytzq0AUOtxjnfZYAOF+vyry9lkPMJCIIqiFdIINUspYmu/qTWNZlKJCIcDjG6mogdyRiNUo+aMuqjCYB1E7UrTympZyO5i/MaV2xQ245ynuauwHeWGdrjJIuVcqteu7BGDIvVkvjL+4D13RULqP44Fa1LczskvxHg5baDdejZqNgI4MvOoGGgTH05miohw3nHY00GkxnUlHW35H6UXNSpDcIdUk/O2bL9WLFy/+JUZoUX8WD5rB4HooMn0m5PRh3uvMlVs8OtzmSZ1L1KREpdBLSieZucK4qayrRYckAHcDEXx4K6izrl77plLL5BBJBh2HfsL8+nFHBVGZmyY0QNW/sKMh1JG7yBUHinKb6bKVfmACCfa5AIEKXuaK6bn6+ze/drhR/2FBso4ERl9RHV2hbTAX8Vuv/wlbop9Rj/DWlKVVGtKxbeQDkdXbwR5znxoLQNbI+XdTfmOYOc7cflYhNxJ/1UYOzutsA6mT/9mYZvuGdJC5uvm8LDs1RBGDJkyPSIm0vARhcEJ0ilSi8/zrGyL0U2ExdW7CwBIhhFK8xw5Bz2Y957jMjrL6wYE17vvKmYYKeChc9z4zMCpdYG9R2O8fF+vCm+kSIo5zsQy2vc18jzwRO1b9uya2E6bmJzMCDGJf1iRRJQN86dfubMkGJ+V9eXZKyCOWisa6L5dFmWPQUeruhUcYj0ucUHN44Vs9SOzxEyL+ed+ShwF3v0Hs29++qezFlM6xf5Mmk104lvud9AxU/Z2xUr51WaqSvII/dcLipbFytblviGBWa7dldN8s4taQOSnID07uGJFW6FzXv8odQW/7WSuo/EaZn6n1Xckv5IoU0qx2TMpXlohgfrlozJbncfZuhJW1zgkJPD7OVgeIKKj5O6Ql2Tb2zljfA4oEfoGvSf6AIojiR958J1nV5JKGkigljlGux8Lm3gaev1Pq/I6wtFhV8kkKSMygWCWDBzWmelQFqaAPHbzgwzIDet/F662VzpedWDlhmpiz0qNheBwPfa9V1tHyiqSI2bcAY4GgF7qo7soB9F9YK5AFn8utYWKxslvayz93seCqFiJ5AIxbRIwwgKpgPlAL4gduf8Fvnt8glorYn8HXxkBSuaVcZxqRtGT2dYnsjqToJQxiz0oCMNOAo4uAiWd1bsLpfnRJewm8Qya+IXMk0gWdlDBS52xQ3ZFsqraf9f2sm3cSxDJyW+uFsSpv9K1E7p5y+VMb9Ep+gduOOMVTPs0J9GT0tzTs/Q8TXD7vlX0/gUVT3z7h5wQABpEn2HaFtPWwNNieni81fGmYd/FjaOxUpVz+Ug4+qS91o3Sl0uVJetdLgfNddyNhxFh5Jh5LNTiWFcpYidOLX/TKSE/73UmgzmVDzUdKPOmFkL3ofmX2iRMsPY0XIDxoXKTkh0mtH7drY1bklo+jP9nLrugc4yyoaZyI5nef3MabmSAe+IBTFgMQKHTfb6aHIU77oraPj52ewmMDfViYmfUXVN+1YnMg4pebfm16l52is95sVq9RpbK6hNaAI6JIUZHyDd/ufmTpVGnxHEkT3sMLywW14WSErC6oXX4Tr78TcG8BIiqyrnPJjm/Uz9upyADfM7fEpa8w+JSBo0FIAsFy/45gyDQPd0JxfDXvj2MldxoeKxKfeQZdgpmpeUTCLkz8mFMoSr00Zell8PYZAz9kEclTQoz4YlJiTDxOiHpH4M07nNqsqcvy6eEs8A/HkfQanzdGP9gR9f0O9dRod9Z1WTjjux2hIJlYvi1vlea+kU+0quraNFdjzkdmNjI4qjeOK2WD8ewdv4ITXvGNAYx1P9cWSztE3vB2WVg5xOl3xgbMeQd1nkirxn7z8vjFfT3AQD3g74Qg2yotvEhEbOuNKnX2LsHH0E4yg7vPIBBx8K4inaqtcYgTEBlaoOuiyqftp4y1KkaSRgaMGriR9C3yLv5O8JXJHHwed+1wtNWY0Sakm17EB1NoB5IVmiu+Q2ecAtC/1JVBLEy7Nu5fKtqcs2283nWB03g0kS5oP33gR/ykRWOCsVr0CVcWkpEM17ookeDPxz+z2IENp4pDlnXGA5SkMWitwyg6UGruVSlYkTrvm3se3E4tDl4CYelugm9oBsH5GTVc8tfks+uk6N77KTb9p9nhDhQw7faFOVAzFfgPsndOL4vq3Rfc6/lPyXy7GOeXfU70OMj9jwYI7vRbjRCbnprXmZdYQBBYX3XXUda4hJXnL0xnQBukvJ90n6AfKJmyuSfApkKq2PvBvEkyQFsi3BaNla8Q4DaYZKxy7/4iWOMPEIyeXBelI9cIL7qkeAkq8ojLPpsYYeVXhsjaX77WpTXwRsnnF6g9ezQvPGtur5yPC1SeTxqnS7jI3wAALb/wdCwAAA==",
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
export const code = (text) => element('code', null, plain(text));
export const heads = (names) => element('thead', null, element('tr', null, names.map((name) => element('th', { scope: 'col' }, name))));
/** A table of figures; a title that is a text is for readers of tables alone. */
export const smallTable = (test, title, names, rows) => element('table', { class: 'small', test }, typeof title === 'string' ? caption(title) : title, heads(names), element('tbody', null, rows));
export const tableRow = (attributes, head, ...cells) => element('tr', attributes, element('th', { scope: 'row' }, head), cells.map((cell) => element('td', null, cell)));
export const scroll = (...shown) => element('div', { class: 'scroll' }, shown);
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
            at: "/console/specs.js", .script, tag: "\"f262f45e0126e477f2a0c0a14a0dabf5\"",
            packed: "H4sIAAAAAAACA4VY93rjNhL/308xqQDWXMq+ftrPcXrv3qtaJoJJyEKWRUdA9urzKl8e4+rL5UluZkBQENP+kQhgMPWHmQFmM/hy24LbmNKubKm97Vo3B6PLNWx07+HO+jVY78D3W7/OQLcV3K21xzmwDvBj0xtnWp+f2GbT4Y57KLvN7g2XgalNgysZrGxdZ7CptW3xr++uceEt3VcZ9IbWYA+rvmtA5LOqa/JvnHh04FZb5z/XNyYhoimmSmU2jW6RI+pSJaRdX5neTYi7a2f6W5PBnfblOqHm6X5CrZG6LU0WPnyGsiqDv/22uUYrq64kW5uN31157Q2aq0uPUzf21qC9zdYb1KtDFp923hKjbkN+1uiTvrv72LZPUW29w59Gk6O8bZDI94Y0RANSBdfd3US9ynht6/e1w+igetbv/tTXKL1jj5cGtIsxIu/4z+7alCGpPOHYmOba9I/NM+8OlPmsN9W2jN45KREoHrYtYeMCWnMHn+iNXCxE40QG50UGC8FfZ2dnPGhw8LuzOFrj6Nc8DOMKx3/43W/CRKEencwePIA3oNr2jEnoVuDXBkKAhAO5PG9+feaWCmwLjXsE7bauEZmmNwM02641OTyYnZhnbNdq25bMqkHEWWfQgMpJj1YquD8BsCuQL8y+kk+qU/kkx191KRv3fOGadVUodfryLPfG+bBDQW/8tm9Z7KMTiMNFnudEkDeErDfqWs7k4kmVF6cqYTa7UUUe3Cml2zbogAw5kdczdmmh4OI1wBU4HebhQfB1fmO8pC+VwRm6aX8S7eOAhGOKAZHWPe63hvgwhuSV7217E6czCB9wCeKm6yoBcxDkMYE82fd/oUOuoTZ6BXXXPaWznoF2o3fv5oCn0qHcbesR3gEoS+2X7PXR3eW2703r5T2QY1A1IbI4CXtkmfg/Tl9cXKC5FSaH1lRTX08peX4kmn2FWj25ToNFRrYd3Op6aw6GEqfgM7fRLerldxuDMEs5C8deE/Dqq8hYIufnvntqWjUVcASqqJxCWanOQc5UYU6LMTxxp6I9qUUTcZQipPbwkJXPQCCJIHkLYVADENlIcsokqmCsUGTf7+6gMmaTZPnaGveIPx2dNA2tbkx1XBaICK5NjbsRh0xxHOjKbPzaSd/r0lBIo3v1dXdr0L+LIjGKqfCUbCQCY9PZ1pue0GAx6s8ItcwgsrDuU1boAp3xZEZquSezxVezYjyVAwtFkWLeC+aEDjovLvlIsueXtBdevh/Ic1fb0sjfq7w3nCzpxIpvzwV6dCYms2c0+61Q+yXZMSSMQTOFqcfWBiQbm9emvfFr0uUFOYry5N6/YD2Vy5fvA5328uG52s+WSikIU5tuIxULiBNbt45MeGH0YSqLDKXFvRrjvLx3GDi3slR+WvTAW2vd3pgs+Ge/BO24uDou8rYNgx9NmeS1x70x8j5sTvmFM4yheZsqCeYFqdLo1+bW1I7CP7QDUmxrkVHJrrVzeBqJuUDFi/FEBnheHCOKVlddDzKQhPiiIl1lCgJtQBQK6K1xUYdRC+tIxaDMgtiH/QULjVSEacYYo0Tmp+rlmcvNM1NKEhNgdInZRKjLfHF+vBfPxUVMHkzOqS0lsW1reiQ6iIdThCe8BolCcAmpo9IcAmxGrjcb01ZypKotu5OOweDNhySe0Fpprx8O2BFzYCOSw8bFIpjGyVHhFhAZiwL2xnEmhkvufY6dkTIlbUe9NKu17s1qnjQpkjV0ImP+CtWY8FQqKkAufWFIl3SWRs6U0I4ghJSCOAneIzL6G9kwZ2fb0hAT7rGkAJ4Y8+SBBsWHHYTwdAMdOXe8oQ3qhsAqdUgLYeJH4BYCfhF28HlNeoeB/KxIjxeroHdyUOPNHcsHXXctdTpTteI+jmUulCp+2CP0RlNT/NmK+gTkSumWPy5jMrkEHMXs3G1MaMIycHXnM+DTseddC/o+BskJ4PbF0NjKNPAjI4r+OFDH38HOJeZoErZfqgIZzmHKLwUS/av4RwguCIfcd8tQ6zE2Ex8Q8VtdvW1azk0o454BiWCy1IvWGksdDq7SEojz1r1rb7Y90q107QxKXVMnJL/mXh7XK/bLT6vLJIFun6ViY7JOpX/gRJQQ7wySD+108yHuye7HBI2f0fkb17WsLUPnw6vPPs03uneGFzjP0ckTaipswE8i6Uucgesdy7pCJ5sqlZVqP2KPmRYYlqMELbneslLx3ifvqTMjuV9HD3rrazMNDi2UIaLzNLx09UKAtWjwEJyb7qfiwjmDr3JITbTJvU6KT7tJR7TWDvTQCT1eG4LWijzNq99/9y8H33/3X2b//Xf/Yzq6xDS5CLdGKahdtFF5QY2Z76AymNZ6AwxcTpDBKeirsSAH/cmgpNT+Y2v6HVyEW60c74JydBybOFZZDk2L9GNerezttJRgWk12sHXGTfckFHTN/dHl2nh4akg9AlWcse7NraNJRsth9q26c6Y6zI/8DRUq9i+hxRnTvonb4wVXqhxNojsSGt2thApJSnz+2dVj7uluz2fBGbOBkWGDaWo+/tuKnJ7neWBPGTjJgnMI00RDPIybUyE1sC9YT+12bQljpHpTGntrJAcqlodg33izCYUjvIVI8mD6XCA5rCrtJOJNile4aCISkvITltOkHKXDJAaJ3CG2wzNHlJthGgmXagdtiv/xUm7DXYBKbi6immNRY9YMtGFln5jRU8+UPjew5oHwuFYhGT+nSE6yYwZSlKUWRbrhFyEBz58n5qfNG7blyD6QRnhUAtvzl+9JL/oP3NMbAG0lV5NfkXMAdAzsIQC0IToft6TCR2RxJULY0WPKlfExV+arWvtPJrU41N9kzI5Q6sgX5bqzx8fR4VfpGfNC91Y/5Awu5jhy7DrO4jEB0MRDniDYY7vFFSamxvCWhEqhW+dB1tBHRheTknvYx0Zs1CJUA9aC6VFUaN/a7mCRSBsDF5qRruXa8HOckCSDYKapeEjhSc4s8YgwnUKfX+7kYhEKL4EBU7xMSjMCbuiaUzgm69R56OsAPH7YikU4oU+rNV9Yuf7+FAGzSSrsWEEjPpAgOBjJ3kiimHgv9nWvwRnJC7Fivld6l5oacn5Qiu5743kI8xn8RhVF9F5M3pz+wpTvdyHTjBi8B+4m9kim77T1/EArD2lcpinjkC2yw52T9keiPZT8ZCuHV+RDXku3Jk/MkTALoB3Jp4kwSVpJzo4re3WUvaZV66e2EnV4a47ZNK6n7zusEt850stTj7m/Nke3nFD0+aSEx+exd5m2QrHLDLVkhHfIw4yW2EPZKiNPOD7e9BNbOnrEB02c8EzEIx9e9n+qtcgAT05SV/lNfhrsokhywnZTIalsx0fYmFVpJrcVHV3ifOzWxN3HdLwYeZdUYmXCNjYVKV5hqKEDccJg/8N7E3WRxz1q+IwKcMq75MY10sSb70hIQPo/rqCM8XUZAAA=",
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
            at: "/console/state.js", .script, tag: "\"f60ae1568ecc6b8bdb1144066e2e06fd\"",
            packed: "H4sIAAAAAAACA5VYZ3bjOBL+71NUR5JtNmV7stRuTc45z7i1I1gsWRxTpJaArNaT9N6eZg+2J1l8KEbTkxxFoNJXqAQOBvT9gknFccFaU6LJ2MebhDcjUllMm4UydsmuXxb5RnNB18wrTfmcEqNpbVc8TRu11dHRYGB/aPpgcHM6+P6Xrz8Y/+8//51CpCLNqpgt6IdvPyelLSdWNWcmoq9VoZZsuIBmq+uSr5KMNolZ0PS3KamCnUUrdcVWUb7JoqOjwZMnR/SEflpwuTvLM52nbKVGNF0XKbSK6dCurzmGwaC09t5wEToF+drckk2r2poIGt422xXHPKfdDkRD0qZIsquQsD5uHpO4fthn6zQNyRpRb0PykL5Qq2fVgvx/fjjQ16masVU1ACoLCTZPC1axhZ7pjTVkROvMmpBkjNMA4sTQXCWpHgKUIsMvgUPAZjl9+t1XX9KWjdVb1Di1yQuLIIImfrnKCytjnc1MkmekjOHlyvhQG9DuiMgUW/efqGCzLjLClh+M7NKBZsrMFp3txkJHcXQQMO9QmmdM00c4jvLctbFRpdtm4OwMxTzLY6Zz8gEnoPPntVk+nkqCH7795L18ubJiM+Moo4JXcOE7aep7x15IHnlBENB4TNge3aXFhpzpaJLlP5D36OxdK3EkkD7MC1L07zUX2/IQhxJnm3ydxsRZbLdvVLpmOP+SneMAXedLNgtLT5xqOQYxibMe8LYd/uDi0ePjBy/WJ/brKf6dzvH3jflkcBUKd8crQQcBAcGxV5n/tpyXpp2Lu0M/GlwKaHbb/kLphQREygZmwW1YbKz714OB1QAFRMmc7MKjs/kgiQxrI4iCirFxvmyARXxwsVJmEVrNSaEnTkV6w9pRtTS9GBxD18ALWqyJ/mqTwXtgdt7Dh0gbq0b/ZIPf937zWvS5o854g3x0TDqaJ6nhwneigmhp1/UqTUxbjeYMEDr0jcp7jlWeGybUAMdjFnRMvit3KWdX9nFM0/HDnVv5PU8y33vsBYcpDclr27oChlJC5Ezygb7S/26ep6yyjjPeV0aBA5wXJ9aX5+fk3Zx69PixLFYWPKfT6shurfullDG9Yg06C4IqyXckNVAOK4mHVJc6V+LoMCJb/43UKJSijEsV90SmxBL1BYq1SFrPE9GydioImgI4djpp2A6mijRomyKFqHHMB5lJzBau6aI9o/0eHJENaxsqNjC8tkPjuzjGfe1nk4DEH2Du4mu0W3jsPnk4aldFPOklfwQoiTugUFnFMhcOnbjf1VarKlSjxDru5Vdz3zv3gsYwEDyjE2vOhWgVIcjjCQ07i5FOE5t8J6HlCSxFf8vKOqbTIJhY40ZH3XLrMhdGwsB2YUnzmUKxiVyFGVWgJO/BYDG3QTU1IooimSVQJyxVlRfjNsCKWCglxUBRET/uJ5GYjyKJeag1B7gem1UDUuUBeyxJRnkRc9HvZQ1zG4qAc4/2bFtlZvQH3CVzSJl9hoiWYGwAQxb7/sU8twkycRTuI3JGmMaRVVXCeqcGIdNVy8rZQmVXtnlLcqWscApo3fnahG5EypHVGt17S0pjaetGs02RGMPZnWMFtHzdsTgsNemgf7ClpKb8g6GVisADf5Z08F9TgSUd5NEWkhYblsB2YQOnZHVB9NXl7zwz0TVvtV8ZVRf22uH3nFabRrN0HbOWjWASzVNl0D+62VcjAhmAtKyCRWUtLFUvFJpGpVxOuSm2YBKecqGkK2XjhHFYyGHk7PThDhuH84c7GQn879x04nfYAttkXGFs50rVn5ynug1Klu7oUIdbiZ7EnyeGC5UiZpMYHsEo4J/sn44vTp++NXkR707C0zcOwcOBjAYgGqO+Dt28Gskwlcy32AlG1TSca6YY3SjRtGSVmWYEbk34GG45JuyMcNnYasNLV1dpodCIJH77mQoOmAxSMXpHOl8XMx469ttzRNN/PJSw1KNDU72ucovASttRmtxw1R21DZ76YaMSU302iyI3Jq33FmxVXbKqCZbqZfUxT8tuix5wK5lN55ozzwvKncZ+foe40TU3HzhXuJfqmu1eeeOwQKyIvrMg9gc30nRzGX67K9d3yDPnFJdxJbl4rCMYXfJjpRciWZqdkzp98HB3l+Qyg+ZFvrSdtUhY+5YF48OFxHhXPk4ShrcPeopLKpKld6sASV+G9O2WlJAkzpF6pYKS9W6xSdwXGrNRSVpBhxsaqQ+sGKz8A3FiI8T1jIQnawjVFkT0m4PStOJ8lZZ3FwRs+7LMeqZWXIadqt4KgFvT5daSa07n/eCBLHWZcrsj2v/NeP/IPzvbv/Le/pUP9q+9u3/t/f3rJ/s33t2/8d7+jfeDwVVSdd4/vus8Ojvp3nY+ymFnTipz6U+OdETTkmk6lDJS7+OtR/WeYFWwm/nz7O4781XubkeIchEHZHOVaqYDasBBWhwKPuhcwe5OPWX9rabwUkpAiwTlbFtB+84ow76UAQzHjhdMDF0V8WqtF39IGSd6hTv7BzeIHNx95JPnFEheeoEr6z2cmo10qV7f3jWDKRDLMTp9qEF+qxWGciOewLdl6rKkbS1XBIsnHHHd4QJoiGJO2bD0X6go4WPLWui3tATl5I8TqgpLU1Wa80KFL6yeg+AeDOg7NsYWKz2kjG+4cH0nLD8rMvk1Z/TUflX1/ppxn/DmBesFm6flOyhvVG6nOZAZS3J28uqbVUeTYi2XpNsvZ6yJRae/Zbkh243kdUmTR8ih/huS+lLr+imGbZmz0+9EenTF5hNL71u7A3fVuphUr0oq1l5p1qVPENLwKZshNeORvBWCYFkLLcnt4+hMRipF/RS2Uf/Am4teANI/OnVs3XXqdMshHfS6QR/eHjkwHFqhtndI9IQuyNP1MtNDKaQdB7dgeyWZF8gzaCs3vCdbUm1lfr3DG38lFUBbEtqDpCy0PQVCoahPLtJtgSFVWBuk1Z0nVdrQayfu7VaCidS4RYMgnieFNi4MMTfOOEMc3I4BT3a8QDpx6GiXvLzkAhnYynE8NjfqMlOaiti3XyTDfJfKFkO9L1t+M73nmRyX/U/3EFRW9aS+yFqEQRf7N4LXZaM4OUQTnErtAvtkWkLHSnwXcrfRAg7zv8SaXwvpnn15oTpvcDoRLRgX1v5JBwgo2udvheLtRcuXz84bZ3YdKAY6Q2jsgkAsCKkFEzcJWa49hGIOhLD+LzLMnnV+w3WJKUXgWv1/B4aScGUYAAA=",
            text: ##"""
// The address is the view; and what this browser keeps of its user's ways.
//
// `#/v1/TYPE?…` is a search URL as it is sent. Parameters that begin with `_` are the page's own.

/**
 * Where the console is. `url` is what is asked of the server, without the page's own parameters.
 * @typedef {{page: string, type?: string, id?: string|null, url: string, own: Map<string, string>}} Place
 */

/** What `read` answers; undefined where it fails: of a text that is no JSON yet, or without storage. */
export function attempt(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** A lone `%` is as it stands. */
export const decode = (text) => attempt(() => decodeURIComponent(text.replaceAll('+', ' '))) ?? text;
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

export const idLiteral = (id) => (/^(0|-?[1-9]\d{0,17})$/.test(id) ? id : JSON.stringify(id));

/** Whose data is meant where it is what is stored here; a system type has no other. */
export const here = (type) => ({ source: type.startsWith('_') ? null : 'local' });

const going = { live: null, since: null, wait: null, throttle: null, heartbeat: null, max: null, old: null };
/** An address that is asked for once: parameters changed, and without those that make an answer go on. */
export const onceUrl = (url, changes) => withParameters(url, { ...going, ...changes });

export const pageHash = (url, own) => `#${withParameters(url, Object.fromEntries(own ?? []))}`;
export const typeUrl = (type) => `/v1/${encodeURIComponent(type)}`;
export const entityUrl = (type, id) => `${typeUrl(type)}/${encodeURIComponent(id)}`;
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

/** What is there without storage, or where it is not ours. */
const read = () => attempt(() => new Map(JSON.parse(localStorage.getItem(key) ?? '[]'))) ?? new Map();

export const settings = {
  get: (name) => read().get(name),
  set(name, value) {
    const all = read();
    if (value === undefined) all.delete(name);
    else all.set(name, value);
    attempt(() => localStorage.setItem(key, JSON.stringify([...all])));
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
    attempt(() => localStorage.removeItem(key));
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
            at: "/console/suggest.js", .script, tag: "\"43ce4291881ed80822cafbe9491121e5\"",
            packed: "H4sIAAAAAAACA41Z52LjRg7+76eAN4WkTdO71082rfTee6LlxiMRsrhLkTrOyLJjKz/vAe4R70kOGIxGI67i2yvxFHR8wEDM6Sn8OFMGJu2yLkEb1ZRQNaBgWtUGuwEsunaBnalQw6oyMzAzrDp4UTWlToGvlGk7DeNbe5bCtaqXqLODar5oOwN3MMf5GDvtbt42sIZp184hyrLT57ptsuc6OtuSY41zbMx3eGOIx9CfXZYOy+UEu/1cKZtdp7CoVdVsuU7Ldt5j8JYHVOJyj7BRc9RfTkmmMrMvpwE5H/SIJ3VlrdDYXWMX0MpBj5pIK3P7fUcGz7BD8vZ2gby1kf5KdaTa4I6JlCCDPTHa4OK7NiDioAnNwaRttLGZIdNzIq4ag1ec16hZcl6iFGQRnozbtkbV0JFb0ZnqOnVLJ/Yv7dvxc5wYOpBFBOuzjbamXTWkrMEVfK4WcXIGhDL2Df777/+QDUvyu05DZK0PXIBUWb5/TXH5rCKvGuziSE0mqDUpjBPIL0R4NiGjujhJyMPTo6MDOILvZhgKbKegrEoyXNvUbeEr4GUSwbIgdkC7ViOUOKkVgSzl28YdasQmYzVvdWiWXaPh7isKdqXxnDw816armqsUvkXj1hcXF2uiPz3AG5ul6bKZmKptAhtjNi+BuwMAFzdcGMidh1dohOCM7qspxHw7zGzo4ALeYxgQIcUAxCTLnm3Fn3m503ZJRZ3Trq5xEogVTdppSjeZGQTS4Rj+9pj+E2Zr4CSuWYjTLkdnB2tKyCl8u7y6Qs3+aqBYgiJ814sBrBjmHNdNgRisaw1Na2YUM75g4g7ppMHMwUnpF8jmx8uuZgi4Iss6/NeSlMTRh+9/R/Dg22yizGQWC1KaZV0zQJS+bSY+AT4K/eiLTyFq/ZUqrX5GUSrgYQXCweGTG+ZkBMSjLMvk7srdJTAcwqhIgW4sf5EE4kdbyFXNFDtaFaSPDcy0UZ3RPxJy4+jXKAEWAwNQK1UZcBDMVF3Ho4hiEJ1aAUOt5osa8yeUuKjI5uRN3FGo2GoJZ+xbD4llRVxgEpFjsKRi4LTtIHZWciMkjEghrwuuny9t6WckrGNAb/wYZrav68kM52oYYJLDcLdOJOzAcY2lq8ZWepGIEZDnOUSquY02/o6cppnSX66aWPqZEHNMZD/iLVNHUoNRYX1Y7/ohHd3lEdbshkTd2x3ay/oTa6hwOTte4K2OBQmZvBqx3doI8wIO2QWGYJT4Ej50iKl+c8jbMaxrV2SMpJY32ldlXc0r6rR/fQzb2P2hT+KSe3RjkpMk+wIttLm30keazyVwErr1nhrv1VRo7cK/WvuKS5wTCO6+cbF7+6QuyWuula0wWzrcHuSeAxE0n3BmiEXXm2+62UH2GW9sgRicayqk+3uIRkWUWHdck+55Je+C98vMQo8WLb+kHeSbAUEK3RabPMhJ9pxo4igKLY33pLestKlI58Aq4REG61Jvdi75f7LJz6a1MtydOLEMNkGD2CQGQ74ZtJgm3RgqGXVmCAXH6NCuMgeX4MSF1B65E4rqiVsrA+c5UH9h2JCaTNfVBOPNZbplSSyoCluIEmyxdXz7qQWgdUDqleiiPOc2dmj/eW7/YZcX9h92WTX8z21f5B2JNKpqNK9Jpz//PY+KlOTLYPOq8oXHTT7MZLol8pVnLtw4xJczxWr5z9vN7WZV1z16Py6NSPhaxhaeWYI5lOtZIOdGE+0mlTNQdS1vp38qK+1e730zhpf5Qdu5LsVhlh5k90NpQgKHgCEYGipjWFEePmvu8fIo9D3PpVOaB3dNL1HqtK/HN812YdmdNu7vdMTVSbTSnfCGykNH4VGlv+CWJXCS+e/lHzG05UFjoki3jIOiM9K2MfzBNHfHM/TAASYljRxQqsU75hk4oKacBhxututRsb5YwyWzXoZDzqrtShjjVUUaDNunGtYKTix0uKjVBHU4KL40rfBLzstNv5BGZt0K+9EYCT9c/HzvyvHxhs6n1fYUIori0dsnv6iT3369LEZPn66yy5PiKIk8nQDRJf8bvHr/ZhFfvn7H3OunT/VRPByM8sMivx+dXxT58J7yRkdUAPcE/WRIJPdVw4SjUVww8bOnT4ukOEqTYWL5H42ePSqO7qPRs4j+WBPYgtcvkwxvcBKLO/7ltOZ4uM55yqPAy/HoT0XmIhmfPhs9iorTFKjrOuelZwlZjc0V91TXhcMG74ieFIn08JjjaLEZ3wGvuf2GM2Fd+/esP9N7Kg/4P4zkcTyiLFAu8sPzi98fiICXRP2YdEuluDNrdfgS8ERT3UC+2wmY7QrNLlu/Ek+fxSOxhTL4Oic2Oc0MamYT/6GfBi+QQuyD7lWHcecWYk1LebwruTu2XVT8n4CvfTi5oHqhJHA9Y/zo+LBIXFz7MRxm5GrQhkQMdRIaDHBaNVgCzaVgS1/sDyp/VMAaBltnmXnrJe+8ew4Ht18KLwc8CQcM8aJPRg4xJbtuA0RrF5GR1Lo03TA00oAGELRkmTUooDIbyQMjGlzzmalrhBWvVkrb0blM3c/badVpY6mkXclP5crsfV18JJwIDpuPV9iSVqoxSIEWXZlpP2tX2L2rNIY/rmzhQh5knR3l5S5HUOOPpMAz8hxvaPISReFDI8kMsugWHu2yZ1VigD+4yOEx15jsM2vSYe58SCz8M03xIBENkgL+zWrFfM5fg+aUBCev4Sn2SQIn/Rth4bvE92ka7yhvFio1Gqj5yQOyRPJIEl6gBiWTIbTTKXaSycspxSAOn4RLUI2moOmzzQJIn+N0adWsYH9y3XvD6bUsKbCGMKvMCvlm5I6jZR3xENu1NQEy4ttxe0NHVTmASxf2k9fvjo+tU+tLMrRWWhOtu2TQqq5SJ7UaYx3RhZbPB+5yVpUlNgPgKUy+OYg3mUYa701XjZcGYxGhlqZ1LiDLZZ3Rwyw8O5LxpEmiUpUBOCv9bjsft+QR5E6EhT/qOKqaxdJE8nHrbZ8a0HiNnapJWIOaBMi3DNfFt/KSvRZxFGWgFSqxvUb/C8q3qce9FrWhm3BBN0R48mRzxBXhwATbTJedWsXu1RDPJdBE6X6nOvmuvbG0V3JCwkrAog6P3OO/tVNSfBgoSZKtOGfxOTzeiOtw3l5jX6Iiu6+xRD3BpqSKj5wMrDX27HiIKwV6fl2m1wRMUb++dNL4+3HM1ynsREE6cth+YZ2C7UC2/H091BWpkKjCpipEhhRFT72VwFUh5mqSMzEUtsEmbJbAvlZiaZI62W0z4K/r7VJj2a5oExPyGnlCZZktOvv3PZyqZW1i/rxCnUREJtRwYO0+lcvjK35x9/Pe6LmqucD5G4FcJ+5VdqChp6AuO2xGYl0xzPSEvK4/bkz7Q4UrCtm4bicvKAoNqg6pHl0Rr0M4cpWjhyMj9vhYtLwK8KEPexB4ez39sbpu2xfx7shEDRqJ//iYlZ8FF9JG/bBnO67AzY6MqcdejVb4t/zTNMA3C5YnhATzz5iynSw5uplg832JNZOIqM2cu+u/mPGwt/2ohunecXbz1kK+i/KRpS1C96lsPBVnAI4t705XCMIBebjzD1wgIHES4HgP5QOx9CX+7eb2G9VcYUwGpmzlDllZ6QU36vcZ/zEPjLJyXZtfrPFyPK5R+4dF+AWIPpRBZEVw/19QeIkWUw8SjutlJ+8ZPkhHHxe5oKM0qOhe9iT4L+cvTByJW9i6ebvr2tV7tkU8SWX3/WJA2IH1SPoEaSy2gGVG+yVItNBSZF1wh5bKCTpvyCEMicenb+7HIuHYUdAiaPteAa+H8AQGpCiBNxxxT5e3WL4FvK8naoFRqF0y2GN7ia/hbwFcjr2L79Q4SlicM5AHwkQKSU5CyWGhspa9skKi/X05vNOmXXw8n2NZKYP0WWKhrhTn1lHtjXdQ/sEUHHRxeosZ83708jMSrF3/kunH/lr5H3zU854THgAA",
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

async function rows(type, parameters) {
  const found = await asked(withParameters(typeUrl(type), { ...parameters, ...here(type) }));
  return elementTexts(found && textAt(found.text, '/items') || '[]');
}

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
            at: "/console/table.js", .script, tag: "\"ced56405df9ffd0c7379dbd357ea763b\"",
            packed: "H4sIAAAAAAACA4xWV5rjNgx+9ymQamk/RU4v9vbe+1OqaRG2uEORDklNWa9fc4AcMScJQNK2ZlKniiDwo/2APJnADdDqGCGIhcYpOHviwS5BwK89urMKgtUSxFq4AIszCC0qB0r6Ck5UaOGkVU0LS9v0HoSRfA92jYZxwAdxVo8mE/qB13Thbe8aJPTkpRUe5gQ1h0IZsE6iKyuYBzwNhZIlifFUNAEevnr2tNyj4zGaAPOmFWaF8woIRKQMYsCMWrM3dmoICpZOdOS7ZZdCa0iWpPRsCZ0wZzllozk76xEoGK9WbYAi+0z5oSQlpEBcVGG5JHlH4dQj1a2tC7CBDrsFutfk2MOWfNsOxnU9cSj7Bl39xo9nB2VhjO1NgxWgRgaqYKm0PhhOpO0u2DzFE09ZO8dZVLDWokH/bFmB10riwBSXS2yCv2DeiHVQ1lSg/NOeQ2WI3gldwbHQ/RCAS5asR401PkBnfXjJxboCX3z66QyowhcKMVC8k9yT7ldJNdVd7hlGxUy92RkJd/RadUgWn32V4Ts/Gk0uXRrBJaJpY3XfmWliyJwSIPaJABIbSpwPSKE4ENCg1pFd2SWRinOZk4sjUlQUlbESOQo6zGC+FqGdJwZ6ZrkKNbu8Hs7WKHEJm42hOKfgg1NmVQHrXzsctVigHpyDChoHZ+XvqlXvWLSwVqOI5X9FDUE5kLFLAE6OhAWVaQpPxPpyRsloV8lU7qBLuHI1P77rDUWqDMqMwxkzDuNN/6oE/xv/KZXqXTpvt3ArNoFcTEYjPI2karTwHh7TCL7mHQKbEYBHjQ2lR800eAKvMBTljOTUTB5O8gEnPGwcBpwIvx8xwgo1owOIJhAmI/Ras/FaNUcoBwJGu08AcYwb23XcWkHtiVAhRqOoo9gqI2fRjDcWSwNfGBuycnKZNA8eSPKBjfPiZ/ycF1i+ZkniJLP8h5+iIJLocGSy5xpQrYsyDY2EP377HTaRhRUvG1NF0voqtj//gy0jrKhM4T8xRNam2X2LJkcYFTekesB1KDxlk5QJMQPHrZKRvTINxqnmXuQRJW1msfOBDILrcZZEr5oWZa9jV5ZC+yRPnbvBup+mwgnFGhtAE9AhEezTKk1nfta4DPQA26S+Fg26WFW6+6yCz3+qO0q9iITMu7IYBzeuYJP4N4VxsiLRWDglPmmVlGjGdMHxjmFbDSzluCyJkIlD9JdGZp47PZ8elmRAH6pMZmZTBdbw643fT/zMjKTnKu8m4DURL7x1oeATT/oNCoT0kxtrHBqJrmDApJzwi7ImjcTDhoQUdROsK3JYZZwroMYoX2dWcoUG/MyXLQoq9sUy5aoQIRW5P6W6fAbbcmC2sPLsnBkLoqU101hmSnYKRXwBcyNyKFGepRXIhf6rInFwGTfajbCTvnflCuy3UbnLok7lvVafUyZebmP1ANKeUOZv4vAYbkTeUUOeLXemO5r91SDY1UqfV4bt+ZLEFg1rEgXnSMcDPk5Eme6z4BNcu5ZvD8FnXhU7vXwuh8zk7hEgz2916Cep7Js0jJCnfxigVMfnZ6JxVus4FfSAHDCuyCWdKZfIBJ6/TI74IiNmXIivSgzISSRIquegtTEWJX2t0axCC1f3nxXKFKfPe6LgXvJ3NajwMKEPHHr1FvNaehkPzxYe3TG6NP8XAf/GurbJotjXaKh0hGc0OPt83jC5Y+ZUnfiJkbpG9RENdXTgsbME+FnJof/ZupUmN24k3f8+RXkFygLxsfublW6Y3vd9txmMESRCLbopgAFAvYSMiDnFHGEOML/nND7JZL6qBLJIkFLHrLYAVGVmbZkvXxYf6S7UmuLGRVUXhzpN0Mure7umDu9VT3hGj+lAu++30uq40K/yh8VRmfen3BrtjslEMxH6UXVV6IFewP0fmZzJxyUd53X7DLreL1e69yY/3ln1FQPe52ChZbBvGOnvwg1cCkL8a6/t+xPVUGmITKTlM2ZC5HNr2hCufE51iAgH1aVpKi2HmML9b8zTwA58vJtq7ctCraIXMbUDmHHHg58fFi0Dg9iS2rpor+vSSfIIYs6nmV0YXnrgIy8Z3ABBSKo2LsPMg8cUECQlxegy2xEtsliyh3bfImfDekhWWlbA+K7TG2bNacMz87AiD4WE1KdwLScGee3SvjI1bzuYZy4pmVUS0WzdIlcoqyceBD7J2/PL2KlISDalV6XAG4nCLmVZN185qJm5wXj4KMsjPkcPsy54t7/P8eazddMWJbm1yIWoKPFtN/6D3RdgMj92fILvfdFZKJYZs9CznmjL/INAOf8IHLhksMVG+9ADkJcobAg825tzThlL/S22KQc0IEekYwKrMfHyQFsS2bOW8PKqrrYcIVxiIKORKfVxA8sWsy2+VYd/ymzmq9XzT6WKRXIwzjcVqQkgltsFPBdjAWa1bmgLlIBtkCJ79q1tToDZ3Lg8abHsjKQI8mUR5pLr5r2iOSdISE99Lrjkjkgl3JYkbOMENrEXl5gh02C71cL3Ldwj2mF5w65YUL+T4fCyAWKk9LbN16ROMnvvVt53QMOauRn/Ymbh1g8XWmm8UbBaELPpTBYCXN3jstjgpAkmutVIdo/jn1IseAO8Fdl0lbc5TXHKKwONoGHiXlNiQnet8wiNtpjCiExnE1l0l7W4BweXIF1GlHOGhMVIKfitPmY4FscLpheWaM5/mYzciZeR4sV87uXDYAAgJRRBxGTSxD2GXcIOeY3VZ2semKmZmygyxLKYV25g2iJvl4t7S37/+z/+zZ/o3/+KOv95gHz3zJxlnJh73CbqTkM1WOBMwXC/6EeGlhg0TpvL9UX7aSHI10i0UagZ60BncssYl0TQs1sVkedJGKxfdIE/I0/V9G3wlJiI98OEDYhmgTleu/Fwma2nFnnLS4SZi3dnbNWfbUxc3j9Zf1AGcGD8fJCBolRIIkQUxB8zHwZ9dt22VbmfofmT1HliapBv+r6cK6Pn4VwZu8KymZAi7tfaIfLwgbRmQahGnUmiV1aU4S6xo+P4xvjDZTqsuT5qmDYImacgb11Aqep+bPQBCR+J2dbYC9/67IPtNJ0yJohs+1kH2hU8g66hT8J5jIhdJUmvASGqa8YEDRCC9uwfATtIjEN8ewOPzDwVjbkiv+3JpYZeXZe0cAloa7Q1eQPK0wUok18Qtn2S16vGow4X6dYqkiO4B8H/t98MN3AeYQxxWOuPRj8vSqLCLTSQbFg4egyje0+DTYPXA7ukSaVZz0zROzg8+gNrvWBmRA+gB3lLa4WLUv2t6cIDrkM+LD/EZplMW+j7hTbvhqWQ6lMqCAgq1jIwn3T7nUTpnollMhmZUi+ZZVk5wF2Cljxgq6BW6kkwRi/0DRJld6JrAJSxtqOTGMjEttqV2Y3bysNwNpLVoxYyHZc2MEBmuTcIxEZ0C6DywAsAhX1AQYF6wxunc35AbXG9TDKF4RqdZF5AKhwvHYR7GnL6KhXZ7rF8WUCOHjz2jozGdDwRTipG69IaG2YsMvJwJmTBQqSSCrHnsz97cCuricZyOSuOTCh4SgWjNEwFw+zgeKxFeN44+KLwXV2gcPSu99Zq5WhSv8E4KEqZCf2HXw4G7S6c5oBD57P3WZhjDTuhifeI2hQjXTW7rNXLmbChV5ftP3jBHga6SGcZUXOxiZx97DoRzzyd6jhRFxSTmvbtcn2V8wp/wES4b6w2unuBWPg/RdBhpumoerVzYGjgzsWVhyCbsxX4x7ATct6hRPeijp5AIOj3ppn2fz/IdFkPkoL6C+KlcPqMiSoUNqkqx/XSFkWetqrQlv5Auc8U+fklxz+1O6/ZgCMWKSPM3L0kBnNY6fGOskHagnA9T4XORXwR1WRqUrgjtwM5tUqhZ95XW2OOncPnpQ576lyKy5w7DtL2yZE6IDigH+KwwrBEGaGNBMyUk0EYkuwg0WGTR8W21ZUi/Y0tkDqVzqlQ6c4Goz/CG9dmU7SoofdIAG9cnQXvlCS8NYxLquAs46hWtH0gSbuI0DaxQYo/C/fvkxOBJmiVgoSE20qb9tmmSPsRnL5yw4omXs/rfmzd9umplkCcwnVzGStSuNsL6eDFwTe1Q0SCPTE+iW+XycFLTnzwXnm3c8oHhsnFIy/aAh2WieuYmIE5H1l9g2VFDFJdvXA7MjT3JdUjfEENoNe1D2V0NZGHD4SoowmuCDAZlCJzi/PEnGG185T6TMwZ/ctab0yz3axJ4eeU16VX6zLO2wRfev0JVx522XlfMsWg8VruOsS9b/Vi9io1PEdvt8SrUPZQxH29C1g80rPMS6VSB3eqrbtBIU/apEdFsf0AeQi7eUhS3dWK+fbXJXu3z3KCefAUGvUlRl54X7m0h5wX8H5vND8FOLBpSQFygYjvv0TWhL2DmIlPIxXfF+4EZBDrwBkPLkJTx1dMln1erNZ5HMVX+dPJk/WqvZyZP/1hun1qI5uiQcEe+w9TMzP3/+JpXu3KNLZQw/aBB8Uk0UefUcaJ7V2dmbTxxaV+U4poMwkiy4TQQOJanRfrzVBISinJppV0gs3/eZ3WnNDAAmPgqEQTTUns5UEr/rjYVFWtJLvC2nfVVomdmPvTYOdOXDgLVKG0knmNJ2igPuPSU8b1pPxZynd7CI87YTOPDhIT/837IhxmEeTeBKIAVGSG5UmqEXMzIeoH1qIrxUnVTm1z3/HNDPhCpD5wii0bnF6XIH3iI303uTSG29MtZZ/QR4XUxP+K38XwA4+rMReSTBmq5Fx6Mpw8vd10jjScuG9ErxqF6wuxnOBBl5xf5h7f5dsgvhWvf4IW2lYlLEAtY4lmn+JJLFMhIgVNxgQ6kpHI90GCp9vyLRXY+25FLUqemegkUvEFpiiQhgOrNY26Z7mOkPRB9L7XrHqyewc5yrF2hQ2nNhY7xnhsQ/JsQCreTBlys/OZ3NN7xOsZtolesXBD8BSYLCTRAv6XGzD/q3cJ7vX0m0TzwuGhE6l4w9RhuwJlCGpTXmJUM8V00vyxQq0RyHqXR0+fi8AWyrBvBgpQbiUMr9fl9rqFgPYZzCEff/7orHqqrhfwfO/eLzh11hDDvF51p4lBt2KFkqCYOmxbHt8elB274ALadr2K2AXJlQzMkOg/v65r6hF5RXKfLMOumgv52ROzmEl/MyvwK0eubs0IYLs/Z8P9Fl2CvePpDjYe+Hl9tRQUkZ4Tvs5ZcCPtWDJ9x2YP7DkkKaWKJeM9vUfhPeo1oz0xRm/pQRU/CSyFkpBJ8/KdRXP9xORrYlAL5hHCd+q6hk72X8T4eOtCaBYMVLRb1tuuS88xSBmHDUy0I2AxyqslYhTK/3P9FJdsorITAJjfqqoLiVdO1JfihxLDbv1hPu/v3mpBepwWQl05gjMbyp3prDSXjLnHxt2d3mKMh5pkzTCRB6MGGquoIbJHNJuM10MHgWD/YVsH5dFvpOxO6h8X/tofrro9otd1df3wUur4hafbEmzanGIKn3bPFhxPm83NWOIryQzoGV2n2DBOR0YIT/xiGBYHJkduGFo7cph6ehAnqWdRxZY7gAaZ59AJruiPtsB3vU+cHA59L6qBhwfgeKBn6yI71lBqNG0BXOlajjT0lxlUTBenr+RqJzFdpvl2S8lFfDiGuknsr9TJs+lkfnfrnUhNTeZ98kw0SiY7w+sBkarPqt4QZLlC9+JRtGnGULOVsiKBBM3d45XmPfY1jiyycf30PMfq42h5y0jMYjuPlwA0PLTHbcF2C52FqhEItzbKOOPY62xYp3n6PDQAds0tNJqVs/qOuyWxT49ti5qGShQjpcfkmGJ9UJU+TIHX3ENUNrJY4dJyDqd1ZMmPCww3xo547Im8DY/qkcMqix8C81uhuZzXwFiEB5iqTqXF2xGFiANaIfZSuMdkkRWxqqsTuPjt9xnqOEFaIolq0BhaVWM8H2iMPSgt8aCayY9r9NIpYlzomOFHIhDWmUwpCNzDc95iV3Bx4TvQ2WGa0v3gJu4tAEa1nYg9FaHS3j918vrUafJf+c8OL06Xuwck/bUitiFKjCyiv3cblHvAbCWmkdtcruqjfqyBEjx+zdUMwZkmpyf3USxH5e1hVRbJ0AhcmoTsMRZNUT6HLji+qBwBqdDtFDLVveFLFj3Zgk/9bxJ22JR7dsmIDLT8XQL1CKOhj7kdT1uFK9cXJ6TLHG2FMcCDvdOth66vGEPg4dtOmE7o7KcLPQiTvususRWc/kDI7Mh4pY4xv5t5R1fWmnBZTHaUN8JeDa74h2xhkOsAFo3zBDpSCcANY/Otw9c0hoY8iZmAVB7ZjOqtHjBe6FFLzB2JfbfpnqpovaPoRcl5dm7p21018p1w2t3GqoD9e3XOv6+EI0AdHj/v8uwHEqurqsbF3BIOA5mBOX1EUbo8NRGn5KpDviE/4kTIz/1Wa8IftdyWqYuLumguAdMgQ7bDl2e/0n5O84aDYjzOzN10oCyQo6Oz6W65zoCAePYMSo6WXQGW1BTL1lLdmIL9bxhUYScrkzlZD9zqupQSeWa5bmGuJ7xGKejQCyZO1ImhXmou/EHnPdFWy2E+5HU4ITD52L7G9OAlGz127tQJ131UDNgnM8cYdKnJvb5bC6DBHuTy74uPHr1MEJTV4bK7I2kc5N/FTSrDPy7b6od18YR6nG2q80f4PUpO+7wVUhGTz7SVmvsdCxSzZefjaVpIhnk7VD/xWXd2RKHAxBNpg8Wehgid9ouH8lxr1Bd1pUktwFkl+2zUuJ3LhMDexpGValOREMuSUk8/mmycfxyvkblW81R5id1L8eZmP/ECC6G1yJ2jYY6kNKZ/WBeeMzZV/0DujYORcMQBeUJql5JejM0mvHF/jKGMQE1N39UNalzyi6xdHt8ydzgN0nn35zRw8+PaFyB9+Uc+y8j25N3c3S9VFKxfJZpZmcMvL8LbyAdGV0d23jMifCxcf0x/KODA/OSJ23pyHddgO8LY3jr4fJlh62+kVi0ujOJH6g3SRZqwxutnMhD6wQRD/R7nC047P2v4UJIG/j7c1r4/nZo55w943aBUP034te3M73//5yl6gGX+D4Z2fAolQgAA",
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
            at: "/console/text.js", .script, tag: "\"d4f7878615366d7b481cb531991d24d3\"",
            packed: "H4sIAAAAAAACA4VY6XLjuBH+76fomXItSQ+HsnNHWsWV+z73XsmJYLFlYYYCVABkjUuj/ZkHyCPmSdLoBq94p3ZOstF3N75uejKBT7cIAd8FsBtQBtAEHZ6m0Chdgz0E0AYabdCXcNRhC2GL2oE57O7REU2ZGnbKvfWgAp1Zj/Fhow5NqC70bm9dgBMEh1jCo2oO+PMAZ9g4u4OsqiZvvDXVG5/Nel5scEdOlLDRTVPCnhwxJRyMRzS96KS2u7Egsejw183GYxiwkZKAbsxJHgbc7YdsPqiAwnUxubq6gCv4wyd//UsXfAVfbHVA8Hu1pggbaxDWW2UeMOXguKWw18oYG+AegZ0lYQU+OG0eiLa2O/Sggwf0a7XHaUwlMbpHdNGeD9ahF6LaYUW0yQW+Y5c3B7MO2pIz6olqksd6FXC6AFhb4wP4rT0amEOuKG9o6gLmP+OiVr7Ra+zIJABQOaSkElVyWkK+sYcks6iq6ufOqSehVQ2ah7At7qqd2uf5v0qKqcZ3zLpaLg+XJ2GjVLhf2pqKmwtDFewnHHh+86Oi2qv6k6BcyH9QQnadFedVUb2x2uRZVhSzLoqjoxTHKAypElMmRFscaeKitOumdhjDjXzVDrkV4fZW3lP/+BnL6A3kL1qR2zYecBgOzvS6biEfK4PsdM5gCtniLitgKhkWHkqmWIoZnQ0808agI7dWlyfx/QywEoY+wBA97wxLXvmNA5XHylADwHw+B0oubrTBOnqUsSqAabQgDvXsPyev5E2FoivxZOmvpvT3ckKZp8STaAGvJNMiXIrbxTgS/8k29t18nFL46CPokll5aug8P0HKWQkd25lj6QvTnYyMxIsF887WbZue1BolcOKzrC9kYiU3WDhVEz6ew0+uu5quFpeneHq+G+V+Yfex19eN9XhHZj9cbpESbTHTUfC8NJcnTtT58jTyc1X2R6tC+Lj4xMjGzuzGOf6TdEr2IybKRY6locycGXoiHgv2RLiNAHwcIo+pwSDWDfoWRyjxwQKhy145BE3w81TBpxHQw1bFUlKootAH9eRBedCRXH0bvhCCWaPXqhlATHBPcBrmJB71HfYyv50u/vlyubx7v1xWxdXL9wtYhqVZurtXk4cRusjj4voOXlBvZy+zcVcLlmizbg41+jxbLqkDbtn3SmBUb55yfqVYPSbNRSsqPXymIMJ6+9zlGdC0+7lJaRtkx2AV5Z4VYE/1Deh4MKZuLuEeG3tklCY5OmJEt/dvcB2GGU24HHD/qWVIoysqsDm5PMWXNoE/b5o8+yZ2+zeEjCPqhKk3ES9lLNEQQrLsIBwth+Qh1jyNDPF6lmazHKW2qKkp0uT2e2waSuXY2XTpGXYgp8hKsNESu2wNg5FQ4P17ZoAXI3iiKynHz8h9S5FUwYp6khgpuvBUgFVcJ1YQ1Fv0kvq9s/cEIJkHdM46P2OPjrxsSFmkjgGiNox9bmqKP8hU9nSLmhq26jFej29re9lg/rrhpi+TFZjD4m44ZGNhOD2pL55NpggpMG+3izxnhrT0JNWtaDECGRaU8ZWwvJtm5P+0a8Rb8aF1IA33605t1Sgffh8HMMVC7VPw3bj+f/yR+CpZjSKCJ3GqeVqf5LZ2Zm/TQTGubiHT65l8CTUGpZtWj+RIzqbp/2fTbRRZdLtf51Lukg8ldz7PwD4v/UsccTw2CH/FjfOKHOnw9QLkhmOtg3UVrGSNW8UWCrapyYy0TSCmgyfttUU/G7flanESb8QZGjWtex60gc8+/c3rmx9xBP5b9ziW+jV7kDeKIKUEcWPYbw+HEIObt9Mzz/YOsxJOsKY6e4qRV9MIEspp9Xqr6xpNRvTgDpjBebBaNdqHoaZDM1LE+7qHe1UTWddEiQ6+FjKRnG2QiKpBF8aKlUM1UMxykUZCUvbWxJq6uXOVYyZPJfZErAmYnb7H+v6JjqLHla5jgn1IDmWldJKZku/a7A90kEuP1U4d/xTTkRdtLvOCHkmlbZqW7ZSSWgn5U7uHOYfQE2ZwhnMKscHA0IA1sRk8wp+p3wueIwKyjE+yyPz33//hqiax6I+BOa8vgyoY/OuGEVZ6mXwS84wS/X1Ox5XfN5qSujRZkZadqK1vo0HUIyTixoD5SPczVaPNVJnAUS7St15VVRJ59RafSP2dbDtFv4y1IvO5BNsuYMLRxi9cQmNvnD2SZ5TJsK12pFEe1Ls8Gf5R3E9vSvj+90bLIk2xIJAsVMoxp1tSzKSNdZA32C2WNzN5+ngu+ZDXV68kVd3HQQpzqzy7UPTHIBZezWGVVsqlSTtlcixoc8CWcpb/xdVqf/BbAa7+ckRTfO+CDvFCJdMPGMR01+zx7bWSCxgvXAnpa0o8TJmBLgNUVSGJD/HLOZdOL8UdwSnZj0Yd9GA/tV03nvoybez64KXciUIcn1AkLPYPvl8i1nVrzzu6Xl2Bqa9zuQGdwdex3FfwveveM2kicYVH4LTPX60fR7AlGM75+SBPjJs5Uj7YwaJkfCkETx5SL8VL1Nrvbw4BgrB5HH549615At/mhb9yS+jDP6dL2BasVwtzWUoHrVhTzmMQlSJlj/hrCSneMHH6Q3V4Zn70nuryvDK9m4ljCCdCksi5T3MZBn3wz4BRGNqdYDgf0yKwGFdfzu66bpa2jXUp4bt09fVuNJXbHJpm0AP3VGpruhE0HEP846Ssu2hywco0UtaEv2/TrBjfjHPsoBXDyeVpHMZ5RZFkQEpYt7QI/RpWVsJJuNvX8echOE3OYi4TUBtqDR1nsIzwTgc2HhN84s4+4ocEi++qZNyyP4lfgcctfxBISvufW8nkrGec0SloPuOVOUpvbVPnJNk3QfJJ1X81zRPM4cULOh41HEMdzNngbfzcG/nDMJMyPgKeeHyOO9v/AHlhVh2iFAAA",
            text: ##"""
// The text of an entity: laid out in lines, with their numbers, and marks at those at fault.
import { tree, valueAt } from '../json.js';
import { element, fill, plain, unseen } from './dom.js';
import { unitOffset } from './filter.js';
import { attempt } from './state.js';

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
            at: "/console/transfer.js", .script, tag: "\"c9600616e03e252af76f3f2f4464a45f\"",
            packed: "H4sIAAAAAAACA61Y53bjOg7+n6fAraISRZ5+5tjjye2995YdMxIUa0YmvSQ9Ga+vztmn2QfbJ7kEKFqMby+/LJEgygfwA+TJBN5UrnUtWpAWmrZDOwW9cfT20Rvvff7xRwW0ChqjV8M7aAMS+EkaI7flUbtaa+NgB9jhCpX7Ap85W8AKVxdo+AX6oCEry4nBelOhKR/bbDYedfoJqndQ1mhG4Yk2/t0eiEr7xCvX1iWCFs3TVGfqTkFhdQXoNao3WtnpywLWRl/43delqQuw8im+5SNP9NV6daDsYuvQB1XpDWlcdxsjOzq6Tb1Y6quDY0s06E2rCr80Xt5t1/SQnnHSYTh0VGllHYf25jM6jzXM4e4NvDcbttbSuM/b/6Bfvg/HcPPGrTvDzwwmk+Aj6MbbQ3hk0R0dTY6P4XMfnwXZdeCW0oEEi9JUSw+Lqq2PRV4iyMah4ccpKO2ikpUOCF4tW3+gtWBlW5dwPDlC9hCk3aoKmo2qXKsVhNXP9JUVmxivR8m7nMPuCCCEUenVSioKblF5MThtXtwlBSDyHrIXd52uJCkttWkvW9VPnt6cPAoGzkjv/MUdqkrX+OVn776uPeDKuypoJ+8zeAhep3/uS1U/tlotZnvzTusPpLkkFL/3CRTZh9ogYaM82PDha1PwT7Jetaq1zkinDTj5ZIBQN14SOTC4at0yy4tYaCJbG8wKUBtfbjHI/JwMtw0IQsG7laY3B4NuY1RSm2IHrnUdTiELUl7hha6309HtPh9joXzAPPHAi+/AaFZAtbWxGfQFZK+hx1C16hL+/9//ZayhQwet/VqqUGjObHBUXLM3MP9DrgUYP/ndQioJLXL5vACH1nlNIaGnwVw2xBbeSg+0EiKH+UPYpZ42srM4G2THm2EpoecxsiV2JHsjvhtflOk7OzrCQDVAb85suVIBaj08jDa4ZkKEZ7DzsTUW3XRIeFjvYZrssNEff0wlgjj0s0Q3M6AnygKoVKEnK1eydcR1Inv7zS+yPYeEe7WDrl21bsrVJG7euHHDA3tp9Ga99+by0uCldBgXyrKkAPiBWCncFA9ift2TrlVIQKVkLhIuF+RoXl6iE1nrcGWzPC9Xci0EneRkLV7c0XP/g1pE5SFB5Xpjl8I7wEbiXkDpZB5Mlx2qS7eMe5RG2lN4Ba91+kKEoyXdpigTsgdzRq9coZOl8k4S8M+FrLz88jXlMJ/PE+iiniB7qCbuMvVR8K9r5VA5mFOgoRMICqGADKmZbrP41KJHpy88FTE1Cwom7xd7vxvgpUNWiHUXjRpcd7LCr1vH4EUi2PsNkUY2qsbGx1nHnZ5/e+LvDkEEoAiNeJtYR/Bkv7RviGJxwKFFSOOvHPqL8LC5umRUeqik851GDA06QkEdXJCFa617L5Xz2aOIw8Afs6M+NMCvTeuIvkkNZhaicWhVCGgGkh+4wzltsPaI6Q5BGyYx6Yj7f6PvhX7PmJGN0PiC83+cp/ecGLSdpvT9Gcr6j5B3WP74KZrIk3E1xJUyoPWeMGXy8OCWyBhwERm4ktvReafXXjAwcUhINJ1aifAPDrDWK5o4KrlCagQtA+x0V/tMGOsoaX+w4yzeZUz8TSJ8S+U19ovYfgjcBLy0oRQgOUPWN6nvs9elqrDLCo7o/PxaB1G6RpiHMq46bb02kQ1aSIwFSlnXbz5F5T5orUOFRmRV1CmQNgJGfDeeIysiz4E3yrXh3zewkZvOiXz2C82OTuTX21CjzdAMxNjqCE2uXC63fGQMtjteyguD8kkkg5BvPheXki7zycefU5sJV547TRilJjRIeqh3AWw+Hvg+9CzoI+fTG3N++Vi3SmTU7Jc80VnqidlADKdfeL2Zz5Rcr7s2zHiTZ6eBYjLooY/EFmv2JDgdO8Mf4eNw8tcph7fpNg1k3B/9MyrLF3cRfTiDLAMfJ3yxRDBoHVxJCx02jr6wyqz/g5RHPvB3x+BC3o8MJg0Olmew2JNj6fVXeoXc57KNeqL0lcoG3M5gMQyx3CS5nMQYJaoItA+QmqYPLg9Xl7mQdfl7jV6DCevTBYWZaqRQWZwnZzXNrvO2bpgqh6WCKzMfWTwSWGS1cPX+vUGz/Rw7rHy8Iitl5SxcbJzTKssPspa9Tjc4m/1qS3g1+gO6ieRP4zzjwt3WBsayw0DUKt5i9qE+sKf+IZYdrNBaHrBqdLLtYD6uoDHahPGU569ouw8NNW0UbNtLjtMUSXxPb3AKN8/PyiBx5tPIi8OstUhi3SU2ojvT4TcOE2LyLz4ufqhP8kkB4lEBo0mW4Ne84LIJEUyH33j/SSIa4MCI2iIj+P24MjrBNs+oohMb/dRHEST6BURPaTSFfp+xT4juQrZCi5U2/AHBi/x/BNWA3aexNUMig1VbgDa0Hptw/FIOWjip17v6cUqxSYpa+yqdoCQxf4aisF3r47lR8Od4qEeR+1/Trj530viX0tKv5TEu+35s42Ql/XTh7+XYqA/pnz3Wzd6Jsz0XfNwIGpJpSH8DK11Tc9q45vQ+jxqNdLKb8o3ywJY1S6T+MwqvbZoGjfc7hwG1tMFEAOIQTb5woHGsPobb3PVl+BeDc/TlF2+d3t/PiwmP0xgqONSTqPHh+A+Hn90TWSayOzSrj61u22JXp90sBZLfUyAjx7NQ+A7RKo7QwYv54EakoQN/88QiV+VYJ0kKCA7ykTMXc/Z9q2p8VhBe55S89NuKT3CZULn4VeMViTxaC012Skfj1X2160T2g6IGBNRjeXEKi6CVZiQ21y/C7Tms6jSvsItfx2iZN7NYg2pDX3wRvLH05sAOxxtOz3sPIiGFs2Q/Hw9zxbHGP1ylsf4FOSQdO0O/D0LFUtbonTJ3Ex48gFs3rtdptfStz5/62S2VruBzIOK5/Hr9zxItsusoakboJIYRLxCbIM+tMyhX0wO1qavEZ6Vdd63j7AUbEXhvpFzrdbSc1A5jqhuSyLkkT04CvvGjlmtnLBitAqvGbnp4hi3+whlazqlefgKJr8UvFBYAAA==",
            text: ##"""
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
            at: "/console/upstreams.js", .script, tag: "\"8ff4db47d8b9e47fc59b3f25748453d2\"",
            packed: "H4sIAAAAAAACA2RQRbYbQQzc/1NoFexnr8PMTAfQ9MieTpqeWmMI3D01dsCwEUNVzef0pTZT4dRukudMNsiWOiGU/CC9IzZaDzCtyi7NPa2DDSgGP5BX6SVb4Di7CKkWNfpBSVIn+lk21ugXLbQkujybzTE6etHZ13b51v9hX+r2QXMkURIuOVqEGB2VKvkxzpaloxo5ZDgtHYYesfb/ktchf3OkMi39/zXvSzp5E0Oz97yUg6GpdAYmJTDEe+1FH45mBY+b5P5gb9drJ5vAq2yh5AnRwbCOOYe8PJ3umuhKHK3Z/HAwviufSsSYzl7cPjBHHSvM1qQ5QB6nktcxdUj74ic77sE4klRt+8nYBMqyNzSXYSXoDMI9kDlKowko52LBywMVBn28e7vLEdfpEkdoDv2eC2NWy3qvfOMtTOIY/7jP3EUs2eQ+ljWikCaeEO2Q5lDWJyR7MQ7xObcBoLMF237RCLAFJ7ZVkBzuT4T2By58yc0oAk6jO5RlTW+4/i7UuJLcxrH/PgUmAnSp2ZuDPDnnnFWqEVpEt+imyB6Cco9KwyofY+PvXmH/9yg+yb4EAVBbmmSTwHt4AS9TZjbTsNG6JcimJ0pfdV2l5xM10029rmXx1vYtL1a1z8AvLEDPiwfJ6Z9ewvGGKBfq5VfkUb38MhDdgPW9yoo0etNet91tqws1JbkZcMIsllduCIe8+qrSbdc6XQRCeCnNsGJSoGQm9Aw8lSvrjebtrQZcMQaDVOhGEX6iIkjKGbIRGZsIWbkyo+HuyaGQk3vq6IFyTlgJamVBhULcIx1GyZrOVijVToEV1mz79VC37N9L59WI0qJtG4ZQ57IzUYvnd2TnslOMqrtUYY2BivH5nZwIjC4m+21ZBBx8WgCvWo+LPV9rj1y1GwxZxIA8R/X98otKljZtBdGmdVV+BcHjBDvKTXeNNGaafBE1A/Gqd34FXPGbrWj5EhyAzW/ZA89L2+h5OCYG2g/rtsoMPR4QjTxSyO08kriwDBpp5WafE2WL7Fo2fXwQa8DHMnqC8II3QE/q0fM7hICg5kE7I6p/jzE5kIp8Q3Zz/1BTca7oL4HFrtmsW7pCu0YnsxcOY9EKbXfd9cLwTmXbtX+nvtr0bgoxsfGO4af7UGfMI9tsGBV35LWYqLIs8VA17nV0SQchAzd2WGUMEP4OHIohZ8wCZ8c5YCBC6W+aejC61HBigETVZRFAAgDKiHpJ/ZOWXi1n4dhptFA6sXfDpm8VK2BKNJ+ihqHfYNSGlD2NZL8cejAgg9zQWhH0ZH6kFBD1E0HU+ODeGHQT3EZFfcrjKVdit2WMw4smRwKpgji6rrSIAy+hltFHb1g4h/2KuJFEZmL2gSAWKiJNYAw7ToAq82A0RnJ0l4/4b84ORQrha8igCPKlPBg7EEFMh/icQUtK+ho8oaFz+V1tZEGQ8e80qmutpvFAOlH0EqN2VM57tKLzW2YVkOPtUZ56zSExMVqujc5SRHm/VRuPsuLCBFip/ZddD3LIHagRWRSHATTw8Xa5LW/++JuPPeLDA/y19kD/Dsxf/8ow8MAw6UlkMFiSQRRrCOxNeZBgPLkLioEQVgj6HXmOCKl4MUbRyelbGh+PCTxPShQP16c4X5FSQ1Fqdljj4LX9mBrfUA+NI7OOa+IGWKJhiQyXJJZ81Z0yYpKI8g9gEHwsDI3+pFMBHmTAIMT6qkr11crJuyS4J4//7tWTx//aE3jy+N9kdNg6rEvNJajRvVt3A+v3ve5WDV08VnEMV6OkfnTyy027xOPVCnTSXfV2DUq5haSAzkq3NlVUZV5sltduoGohhtZ1R6r9GAPq2v5sfkuRWkBh5caYWbjcOYkf07ScQTLg9WD5Gvytyeq7RQdpDOqKfa4XAjM7qDP12zlE4d/MMWv9pqBEtxi6FLpxsBwJYtgggjOkKLztSYcC2iBtjvKBM6r/Q5VyTrKLivbFRxr5Z1CjG8sCSE2Er8WoyF1UTU2faqwfgFtW+VgS/2AXCHMMhIxKKYR4Rf1Gvfhi0gIYvb/IvUNCy6IgsKima6+40Ry6DgPoTMuDZg8GNaR3h4oqCnCk8d698/v3ySaj6ynriTsptAZsVuuBmtkLB6xP4M0rqHvV2vbXaNP3z6O5raHNheOx7GCDqi+h4KY30Z80pkbfaPTxJWjBg1NSPULR1INpplEC7RpdKi4dOJU+sLrqaGMh5RSqNi7GiutUlRXhpeg7dgou4wuI229fH+BQKRMl/yjNTZxJgIp5oBBFYRPEBP3pxUO3HEqQva+dJzzeQ9/YjUUJ3frg+mM+Kf6Kmsn2o/kK4AjGiFDgVeXDrm6NVv/7r9KZ8e9vr2vy6+N7jxeYh/nKDvaMBNRJwYo3Sw9sl/HOopE0NZHRtq/t2XLT97Cqp0duT/vB3WASRyeHw4+AcW+ln1ouH5bKE7YoWcdyKnvnRKB4FIC9wze2oRKKzAefT1VmEQjIbZ0H1pEs9xFv/3xTcxJFMMdvrw9oXsF84mpBKF/1NZCwV7ZuGY3tKyLlNsesK0D8wlnfRRx8QRQaFJm4xlTeJNsTYDbEU0IyBHZ9pFG1dQP2RDH8vO6vvbrsejV01671DziU2d4pPAMnZLh71Q2Da/NgY/31O13/FaFR3o4ZzC6XzgNf0ZLq9mYzkDGJhTLIGVGFdakYbsCe0UBgpXc/bUC9FZfzakx8U/rBk+cLzFEC2YGYC06zK3d9hnfLeX7VNZXrYeu3Kzosummc9pldKHsWeZjnjr+uxsXeZVn/ms3ioqu208TfqewFypw/9eusX0JRsMzKhFx6DOEL1gZjTDAt2HaLmKKmE6jiCapmPBq6ICbpLJixJZPwwPJMfzl0PbouV2Y4bjQz/dnXX2mafOynYSYvD8GAxvOooAXqnsUiC5vKS0mdFBVEwjqvoMPsgjSCkQOMhERcpyhyse8DfLo3qnFeYIne15Botzpx1zdtu3QNeBHd+hirPZ46VXDp3TVHv00yvfzY7+e8Uu7dDes3qcnxaZiAZTZxjYFKRtkSrAasF+oBW5xNU6kL1DvD4fQEgXhwFdjBJDtFBNv6WwfaBivknREuOK3vItuF1E/KXg6uPw4jwVhkRO0mM24jz8U8VxlX+QfhY9M36IzHLSV67k8b128BmEbPBhDjnsyAYTMOg03cDukpGn5VP0r1T/t5nMBJ8iFG3CavPdxO0zTu5weiVvBEcJBPvxQPASHGc9pYzCMkBmE3EOhbb3/09ldvR+DEbVIMTIqnuMH9WDHwd4CcO9vgPbAfz5KPCEZ/RnxDKNBs1O7QbmGd6UQXwnJ/KncBZFfU7+3UQ0x3PC3F7x4mAIgz4TZ2V2JdK+tj04o2lvHFsUfZJNI+efwfpOy37VIkMRZHp3fSFwe8IjUAPOwsHpVJsOdIqYyDd+ieULxDJuQKEwK8kFKIWqtse+X6XGlcdvfrqYp55ZBenl5eXYQJiX5/8JLjMbvHpP6AcFsA4vbISkFAM9mudV7drlzvpAspKdvgeUxYY6Qs5mR2jRsO7oebTWiIldp7fO+WDgZ+hh1eyecug66Vfqox5Nnc+4k9kiRwJu2U+GIkFnDCLFd1BZQBAk07viFkXiMhDjdHd/dCqxQY4+Eu11SBrYnSX7FSvGrjuAHVPqxwza7JO0qdCYDzJ+An+aJI9DMQGeUAWPrZAlOTDHa0gEfmwszOpBi4BNSLKGp+Nc+AzG90XeNsm+FFI0JsuaNDv/t1VKErbPKnOgtPYWOMIpO26LsFK4bFyUfFvHMwLJZF7l7wEA5UiM2vwJPScyyDQ0Us1PMbRtuZxCbiDesdF3l1Lt8FbnB3orkYl3koV/cpqKeNgqEOB6ApYDYsLfadwnGQpHGIQ9Bsnsk0bbQlAJAnCpjJx2bD69hIVKIuESZsWOhUEoqfgLmiB+PsaMsh+kAgDCRfCABliVSq03DEeRy8ptA4hOWD8MkcbmVqiS1SChZmpXzKQVP/dMDjvTual4wj6MM1fiKih/2nt+mp/j5r8FPOv4ImBRknjzB64Fcml3fmllL5CiwYKD33/E6+KjPkuFCjGDAviGo/DZ/1ExpdspZ/98eLV/q2rpyWVCcf2Y1+L8y96sHL4G2w1wingseGaTc6TByDppqOEKgunOvprwBQ8a8GVNU5DK4Y9ZumvMNCjEawFQZfR8MROz4GHfmxQojjko2yj0tEqAWPmCb67iEpNS4roLh2jSVUSANajfHnBYZ/y5DPsLMheF1JeY4eyJEy5HtOihifRHzJ+nXFr9du66fIEf4RPo3gb1CU9ZKoueiRH6ZggQyGMIs1Gv9ExNA7G4kUmlF7CRjvgWEUmPaZh81NBawDHfRoooUPpcxeAqfLpvNOmJEETkuGBBupKYBWrOsHSQrYROffF/hRDpYpNn10CDDT0E0EQLz1/wN6xfKZFSQAAA==",
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
            at: "/live.js", .script, tag: "\"50348a4112afa52cca341e5cf4a10383\"",
            packed: "H4sIAAAAAAACA5RW13rjNhO911PMX1XCpUt6tE7f3lfa9GKIHJGISIABIHP1+dNtHiCPmCfJYACadElzJzDlzJmZQx8cwGN5hvDzFo1EC3oNdw3aEh2stYGV0a1FYz+Ag1xn9iA+gy3pN9CPBA7WwT7NU0dHwoIrEdyuQZuODg7oC5altLCWFQL9FpXVbGJLYTCHVpsNGjoRjgJWefDXCiHTSmHmpFYelqgqcGJl59CWaCgD/6QQoPTlWDbxSVFkpXdgSOJKMElQdatSeBHrtg4bcLpAHzaBtdF1xFDX0tENhaiEQ+NPP4DTrBSqwFNfkCPQlNDDUoyS4lOUmrHha5G5FB7klh+9LYhGGAernbeSVDm+duloJOtG0/E5vMR8m1GifUAxTg9MOEl/suN5b/fk2WL544tXd14+uLNIYIHW+uJ6LxtOgtfoYDajPiCcET+RhNZT3ogCCZvqG4FVFcjTnosUZgcjIs86eHJnsfjk3p0FnMDRnAPe1y1UWhUgoJR5jooJL7QfJJWAVFDLqpIWKUBuB6HuP/j88ztPKdA7h/TRB6uF2gGeoXKBrw02YRBdqS0SYg0UzqEKzUgYeNk5UlMM0Y2G59jX0KcMdN19+ckTLuCYsg4vlne+Wvq64PZtOHon8vWlcFnp2eH12MXGMmVjnh/QRhZSzeF0a6owDHQv8tygZQwCLArjuTT0yBNFtUm3Y2D4mlu53qowmBVt4oQiJdRdpzeoEopntHMVJqBEjbAnjOf7KZyPAAL6mIzOFbbw6uXjEKDSmfAx09Lgejonc7mGSTROA2z418lJbxjOppyx5WBL2uE7xmgzGQvGFmmQdsjEd5eoGHMug25r1GDnJh79NG09oRcoGuFKruoN6I4CWzfUD3sKvB+FQaGmU86tYwxGtHFiEn6uhHW+vSQ4xro5CGVbNDZMO5InS82Q/0Dk2hAUzyNjTeKcoZnCyYfXKwm3S32XvSYXxmGU7xFZFkQogn5eiBfvBKGMy0bU1Vhrs5uD2rLJhvyk4x2OIqJyRs2SZZ1BUdvr4DeITQ+d096Mu9HWTc7Z/oNgx8x26hABl4K5ZchQijNM4RNudpRpEeCcUt9PoeBipet1ecc+oLTCsKFRJeNGyELdou7dVEXj+ioo+M01eLOJv424sapsVF+POALSJtLpurr+/ixotfQO/3QY2OnqLHwWrC3R0fYUDYJAKzyZTsMKoRY5giiEVNdRGYxOHa4/a3FvTX0227BAUfF6l043nohm4u87KboalczG8T0/ZvVhOfnXIFBKQxEATGF4bNEFDjnPZ33YK8KTADvfLB82LWKYqAIHsOyFmBoJt+gjijZ1dPjvjCulZcskirCAxujCiDrhVwxrEtJsnqG5xHklrB0A5qr/0wUe0gYER23rFRr47Zdf4TzIJKVrUElVwP4D7niN1nYrxHd+aXzMTG+V7+nh3D/59vEfcWYpuAjrJSyLG8+311veKW/J0vU4jl2HbUGMTftAf3BN90Qa/YQZfNwICgTn1hmCvYeVsGFWLZozFqvQqputv/Xt+Z4Zv/rP3Rxa6Uov2Fpdm35puUX9WzXEP+jecGabOW0mHkycEe4EQIWOnBch0Qlfwf//D0WlV6JaUsg03H0ZMLCPM7voHSa4858yhvQ/DHuYK7jtIfNT0rv2adeisshdYlERQSZrsQuaTIWtaNI3mIdA/JN352pqKpwTc8poM6gl19m2RuWmcTvmFxyUMqcG8HMUikrrjdcI1ocOc1ahMEtZI/Xh99ats7t15GZ/31/B900ReS7Dbd/k6Jb03ruPTkxbtC93ZUnRSN7j+Oq/B888IDQgKaZ+skgCAwwGHeOcOEqKxDoCFTO5QteVdcSEOzwuCYY7N9OGd1+Jm51TEOJlSk3ubPEG78dQzC9RNPxjbEhK8H2E9U5x89lTG9rbdi3ZE7PvWRl3SvzxPeB7rgDDBXFUAomFhhsTcT2deZxcA9UQ1njJdmJg+LTKThR+ZMveFud0a9+st/VKeFMBnNQUs3e+Iqqjf2sQQzU4iPVewZAIsGnENDWwEWqFb2pwFQ1poNclDkEWgi2Z3ihhdRCp8eQsOqrH5lBXmqCiwptns8ft6rhuZlxWCqOvv+DH6Vtff+nKhdONblHVtRbK5NbMx+luaJzumjGQuyoyst2oN/XmkOkW5HuDxFUWGsMCAeRbHokwOP2fE6qvBM5cbBuXnUcZ8bwdjNp6pq9vG/GuOJbc2UR/UyYdysVxAvEJtmGO7x6quqoPdXZyYvZHA+bTHQOhgi8rZHdP7UMtbjk+B1FmCXnhcAYpIyMMjS3cdCbZQ4P0J01/z9o9FJGkLw3KISzppQFeVHuHrmlSJiXqgk/IFQOq9RpuG6kyka0e5AuYIkvkBToBoan8QOiSzhiM2bQdtre198dbNbQfHW9NGewz8tgFgKovtu0md6SdgOwL0Cc5xmIdkixfZgNWz9l0Dc4gBUY1LyXKjin9laVa6q6eGvVX4SAxMGzVA6W67eSwJqfXVVWRdV1vWUnD6CCuJ78uu5Rqnr1g2QPq4NMybup61qUSmwdxQjOUqfi7b5L3y6rd3K2PqybkQDdZeUG+ZLcI8vPIUvVY74Q00zolxYcyu76eYRnQUX7mPYIlvNL++Z3k3kcRxn27QURYLpeFeZHRgPh/vQBWipylsGWROSdOL9urQvv3JnudfVLG8qkDYiH35k1KXymjnZJT+MNUFfmbO4fqqV6LbedFES0rwlc8hMVi0dt3kWxLlzxrV3xrCvmiZNzbK0KyTTDeCMlOXn808V5wOebSr14lpsQtqq2h1/lrPOcAL7PuSEFLvarf/aqRmNXkhCucieoG0ZGJv+duNfCNd3YQCDjnbcztV/dN3Zunz/KJy46clvIzLvSujiKWHcOlzgWlOqpjyMUMcER/vZJarDQOfDQfJ0FBeyrTdKaMwWeVtm9fpPttm9VMbNtvyCNNbIQMdG0LTT5I2VaEdv5Kuj5taPJ834Tt+qlxUqPShcN21ym731Ee+XAoGcBRodqzLkxYe09heTGATWF27BjoZ7ATk3IvhqDvwsgRkJ7Wa4sS1gRvN2wNHRBvtBPeySxYLx3wGkH6fhpBY4lO/bnl1fMNbGUvCF7dS8f454lTt/gXliN2/2B2V7yp6PTQTco7nELMVugPXCpbkfCiIF7wUU8Aacc722TXZcNEhb2ozVYbfJXlOXF3RbK+oYPEmAkUEPWx+Xl7J+6lDl8yLzI0XTGpmSA5toItVBReDyjcaYxLLDKuD81kWRhYoownbfF+lKEOimKnmNrQ9WmqLBZgIZnB5F8pCOowNONXzaFu1zdIL6mFq/b+HrIps5sYum5AgLlAiW7Q7bp5REMlbI/7uyaCPW/uZGVo77Pwv3ng4kKFIx1JFG0idHfch+2+qD6CorJtZHFGoA84XHL9u3ovisVO0rkFcoVHKlv8KeEj/r3fAjr+1AmQRjGdEOVWXsDo3qIgy17SfCj7oAkRfuyb3pd7kVGzmp1oXhrSsxRfljbpJIeN15SUews+2/BdZNuusmNTDvbMZM/3fqzhOZwXQX9uvidsVdI6zYsbdQSaWvVpawtbTyOr0Y9uxU045Tg30ULdrthz5YHSG2mBAuQ6KL16QArK0az6LPQaVudt9tIMHmvnqcJxJyfpEtJEQItEWimIZT38kX4SGtkClNKXpCnv+cO8NV62q4CcXAORInQjR/mIpEwhD83jBCw+J9AH8T/ry9DxcwK9l9aznPXqMoaBnLEe9tvjboIlfu/D/06MchqHMIYnCvqwbx6E9gStM8wInqM5hevpsm6ZEkoHQZwDqLSri9Ddd0J3uJE3uI8ym8Adh9aU/Q5mDy4HSndJtzWbIObc67VLbM2pWE/CPq3asENYiM41h2vkr9ldRJgVPi/5DbMfphfeMdjFha/27UFba9ZUAy31K+aDakyGc770Wcd1s9tihhmavy2zRYcXdutWGKtmrobQgloTuvrwJoG7/mSZgrZBvNu+3xszolshUypfq+X4isxZ0p4OsGIdF3kuuoN/petkrxfZK9nHAAXBn7ynA2MdFkOM4YB9QahS+B/F9+N7EBWibCnmmWvsTGXC2NkXoje28+lmt+/0G+tencY516wDcaJToquxZawEtkA6WI+AGkDfVMxKcAYJHUiI+EM6/6dHnhe+y+lTeUVLxxR5A/KF2z/lxy8pCn/5HBbNSwRfiDZoMrhvHmVC5pvfgHM9eD1KfzgBmfoMMXNWZtY56UzU1HGaPscB08Rdt3/8xL0YkY+nBs+EEok4Uz5hwU7KZti3z/Kdef08mY7hu6TbzQobQbMMSfyU33us9186t8f8ILbQLZKr8X58/fGb5cdl9nnBduDs41lxerNuH9vD4hMHfqj3h/BHaf4LzNOnH/8VRp/NZpl0qL7JnG2BEcR6drqZrN6sOMra/ty81Vk1Bw1aqVmFhxagfrLmn6ucnLOkHHtT6J42XPOk0QiO40W3kJ00gGiO1LDsw4fM3lH7UoP45S3MoaoDbiNENSGFxDTIWjLApouxKKPTbtN8dq/BSy+273brZy5BEsaHJzLTqVZK6LtHcaSPIJd+f8noS+aZpwQ5fzcCyQqnhDUec+pkUZeRtjX4lux5PsoioE8uxuIsIPJCY2syjmdLnAN5DNt10n3fDUXrNbQindTH23Z6a4P1Ha6iacF1y9qP1Wdyket9U8cpNpvY1vWIW5JXFRdK9xW2j00uJqc34nTqoU9VXCGqiRai5O6dXtmJG9DrTexZaLdC8cMc1h4VFkGTi/BemhQHSB+6noKVh2j5swhE358zelDqD+47CrHV4e8EsGUoxpe042sQxs0h2GNSEa1rM7QSfCbX6ILeoyPrGBradRm7J8mexBUv+iGBZBfnzqaL7EB0XA7n9km3F08CF7edjDwhaB62elkzcmjBDTzmzVV3aRN3Mpv4XjtCUhi+pVqH7OV39a1WtNFTAtV7HJBCyxZfSj+L9u12VrAlFRPP5qJ8q1YWZKtQfrguIUiZZx2bvJAx+i99VW13l7ox+DIc3HjsGFTH0fHJkyf0yCoITf1FzLLYHHOw0iLrjAmP9k0i0sjqKnJPwHwiCBnIIushjSQLStn6YWY1hVl4aNBot6HqgKPk1Me4mgDHhZP/o2jsXeGCF8cXbFMufdMOoFg3OrTUm1HazBOImbZoPTWTkePr0k6tCVT8myI0xHzkRHHTZVzp8MWBjWLvDuNiZ4aGHdM11eaYzBdgzSBPpWCvZUG4PqYgCOzifHEJgouNE4UfxSkmTUp7X/SGaYssRfdzfTswG/w4VNI5XVRBXDQwf+D0m7kh9twLcMLEM8LbiIETh8S8n+J0gq7qf2NLdG+Jd+I0zKZgk9O7+zYmf/l2w5xD/vbjMQ4Hr20JfOke7FqJsb7ocV6JRq1yIwCCfNBlGZx5fRH+qqBUcGT/0UIcQX3b3c5Pr3TpcnbUxrgGfz7l53A5kGFpqBmdw9zmBDbGkCRwxZedTyk7HI7n53aHxO9yRH4cwydHRNetAPFexXCO5NfYHcP7XJ+cCaTqjByYmtPpWjIHjpqFr76lo3fB6w3zG9mr3VtmPsE0h2lb5ytYoSH1DPP4nyG7ZwEI8jOs2zvkscc1oeFNNMkZiJRH6O0HsjHbARN08PK6HzTo8+WD+Xwgj/p8FzEoyi6qvGTiEpQn6N2cmLHNJy5l83CQPhQe5tlPfvvLX1Q7Idrk8Sevbbb3z3mCEveff1Ke/yeiEMZOy0SBHTMkkb1O/7mi8PyG9+39IT8f2oibohz9tH6Qb6QuzX2kR3PfuYglJXSuuQ7PU8r+4t0m6gTPA6dqt/YrXirebtbPI1dhoJWNXtKPUHfdyJLhzynLWNtPs3p8nx68EQ3qo79gh255ryxWNxjlZJzzIm9WuLnCQIkb+bPSCsuZlQHD2oJCmWWnfy+CYAeDmsu6iN0XEWOuTJqn8DRAvW9l/fBL22F1CrpoVwtKeqfxh/Fu7W/F+inHmaUfM0g4NGvJMoRcvbmbQIXgR6909e+3c073sWjSFkNFdPf14jPuy2VfyoiLLmv0flyV/Wpdt10VGs7/X1EZdSwj5G/0mj4uYNaH99Ve3Nb2MS9ON1cG2oYfNeLhFhcvHfQv+L2xG3547BoUubUgS78SI8up0B4BRFltN8k/L6D62mOGe42/S7uG+K/df7t4504VZvq2Y/8enOv7UDKVHIHQHCf2Qklbe8VSVLuve7evA5rnoX62XuKV/Ssl4XDevJ8QtpVxPexysk2KntA476P3lE/4J4l/ADnsmkzaOQAA",
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
    let isShared = name && globalThis.SharedWorker;
    try {
      if (isShared) this.#share(base, name);
    } catch {
      isShared = false; // what a page may keep is blocked
    }
    if (!isShared) this.#own(base);
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

/** Whether a tab watches anything by that token. */
const hears = (tab, token) => [...tab.watches.values()].some(({ session }) => session.token === token);

/** All tabs of an origin, and their sessions: one for each token and hundred queries. */
class Hub {
  #base;
  #tabs = new Set();
  #sessions = [];
  #token; // null where it was taken from all
  /** The last events, for who listens later, each with the token of its stream; long texts are cut. */
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
      if (message.wantsFrames && !tab.wantsFrames) for (const [token, frame] of this.#frames) if (hears(tab, token)) tab.post({ frame });
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
        frame: (frame) => this.#hand(frame, token),
        ended: () => { this.#sessions = this.#sessions.filter((one) => one !== session); },
      });
      this.#sessions.push(session);
    }
    tab.watches.set(open, session.watch(url, tab, open));
  }

  /** Hands an event to the tabs that listen, and keeps it for others: a copy, as a slice would keep all. */
  #hand(frame, token) {
    for (const one of this.#tabs) if (one.wantsFrames && hears(one, token)) one.post({ frame });
    this.#frames.push([token, { ...frame, size: frame.text.length, text: JSON.parse(JSON.stringify(frame.text.slice(0, MOST_TEXT))) }]);
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
