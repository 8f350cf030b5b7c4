// Written by .ci/embed from Browser. Edit the files there, then run .ci/embed.
// swift-format-ignore-file

/// The files of the folder Browser: the modules for pages, and the console.
enum BrowserFiles {
    static let all: [BrowserFile] = [
        BrowserFile(
            at: "/console/access.js", .script, tag: "\"360f0b7d44ff7a1c958aa69011996323\"",
            packed: "H4sIAAAAAAACA6Va3ZLbthW+91Mgmp2AdLVUnKaZjraOZ+s4P53Ezng3kwtFtbAkJNEmCZUgV1EVzfg1OtPe9sH8JD0/AEhKsjPT+GJFggcHBwfnfOcHnkzEdZpqa6diuzaiVDuRGXhUTfIgLzembsRelLq80/Wt/qWx4iCWtSmFTJJJrbM21XXy2sqrjviubRpTjUVqNrtry784dSx0oUtdwcMyL4qxWJsiG4tNoXKg3tTmDj4/VXXWLTHJTHnEvTKZtrcKaHtk+hfickRa5Lb5Qa36hDh0RJWaslRVf1FTZ7q2R2TKvhmjdsbC6vpe1z16Hjimv7O0VZU29qXZjsWdqipdozoyjX9b/JqZFDSky02zu2lUAx+WOGEsVvm9Bq2stcryajUWhXEPZdto0JrZNLmpVIH6a2v8tSRbWhtUrS1VUZCWxqLBHxKhyUt8rzX83ZqBou3abHkHD1JT2UZYYyrxWDz6TDwUf/78s0/w35X7VuerdfNiCZ8jeozF4y/co3j8+DGs0GrxhJaIJAgiarO1cizkyphMxmIqOtqlKmxHXJlKIyH9Dgll3RZaBsq7nVCChoB8q+qKyPlbGGJtOyHj2MsP5pLXO94APWvQeG6f0WPGuwmvsOKM2TJphtzvFOxjLNxk8fHHYiaFZA17lvF8/kCATJ4IN1G1oI1ffx2MtVWml3lFK9Hpgho0GBRt6EswimSjatuxFZc8WpltFIu/8EkFIfGtUwk8nIoFbAcDoJcHk4cPxUtUkxWg2Wa3QUNZGzgaYI5HaJo1GD1+sKJQ4EXi4aRvDs4nQaNEM+YJlpTJVhl1RhlJniMDJkQyVWTSMIRKAsGH4uBeZvIWn/Ab+AX+/lTnDQ18D7iVqtZqOQe6JEmcFDM0BhZlPk8AdxpdR9EMxio9J+HgIU5KtYHRSqF/hC/ecaK9kJlq1CXJMRVIJg5j/iXTlN3RBV1ZOj/CpQgpQX7nNxGskNSwg6OhLW4GxhDkKj1FL2jW4PQS3T9VBYyoym6BNbstLIJ7r3VpGiSv9T9abUFljRHtxoKfq9JKcZgh8wJMqpiLJ09EeIvjcPQ/AfQDwoHCEAoR/eH04Q+sWsCxc1QAbwShgUIDlti8SjW6oEZoIoq1utciXatqBbacs4Uou6tSsWyrFA9XlGDnEUJ4LPbgHBgH6DUAXIQiCUCQHREIwSa2F6+tqaaC8AtiCSDXY6G2Km9Q7Eh+/ewWrWBy/2jySlE4m5RgMlc9FimcRAke1w9mEfKKk5VG+6Pvfk5PslInZqMrdHLG8MiDi8TxS4Z/fL1da1xsma8Akmm/a2XhMMW7t/9mqd69/Q8AApDv7ky2o4gLOk3X4FRw1NbHFheFiZBMIAHzJ7kEB4hoNpPfClVKEo8M8QljnXtF2/NgYmitvBKAI02etoUCbEE3kTft3WudNszF8ov4yOMUbJjNt/vI014agl0YBr/W5yfgF6B2QguYdZ3B6UP8ZdXwfIVjAdN3ehglfEzoIgItz8BsB3v3kI5LB0in2IKMUDqa+pQPeeyt4aMB/oL8vXG5P0gcwngZ8fhYfAqojuiaZ7o7kh4ARi9ITwlAWp1ri+IQEsVsR4yJZGMHcK4mXYvIZT6xM/ie5fVyIk81FhFhU+dIjtuDA3jyRDxd6/SNuIR/PpCDfYHroOGD34rvAejAdsCtUangPs7UyPq2ebNmo8OITUgaIjKQOmO2LUhNW2YKH4Q5HItMp6Acy98IZ3g6hA18gcU0smkwqpgt4IQkK5n1w6tbzI8QK06o8CsqUUO8DsLAeN7s5HyOcBawBvaR5SmCK3k5qdejCa2NeZSFrKuFc73TFD3AMFCBlvDlbzcvnrvYSxyuAgOr8gwBiLlwDLCm7KUn+BbSnpCe+Am93Ajfzxh9rZcgTpdr4Nq1btq6ErMQMjcSg0UDmA/o77YrMTKhfGOxmIqLvTt+wji3yRijgHs+JAJRy4UOAVQWJrFWDsnCmTgrhaPkXpjlmI4a12lyu8xRkZSX49o5uNMvZKNBTqtT5/JBWuLoZN1FZsk6BAtFFcprC3YBmmiLDAUFXcIU0I37gEDZGLCMqQgpHsjjsh3nlEG2LvEKQbpnQQSvGDEhjiBvdWfahg6iY+CPCwuWcwgVTBoJwpE53ZFiIOBWK3CuL8QnCCldEUOW5bQHJzZhTU8u9qTGw4Q+LFxsYaUjimNWhL+wSjy/Qt8PZk8cvjJ1GTXmja5s3/ARLBEJwslgWoM1ER1NjvqkSZdECMfTs3nQRJFRfgcnCPFa3WnI0lQDOAcVn+ZMrx+zUfT+Wnm1aXkhm/8TDvTR52PBvCBd6/i4RTtzZywMbGjhkCUuLvY0cBAL1iKqA+Cwk3tGO4Kl8Oc7pJ2DVLSbiM3wkj5RAHcPXDseaYNK1VTjGeuasrMzcXWgspnLo+HvexZ26az73ZMf5mTYVEMNmKFL59l5RjnDZkZMhmKqajeUCvKH/rFYeEqbE9+8VA5LAOBdsr31yTZmnPeQaTMgcLrR93ezCe5+r4pWD1NmF7FcKUbQ3ZcHHULBkqwPQNCp+CPFa2xRSHR2CjZ1ri7ZFGD0GXOBkIGYDWpaCtz28YntR+/e/ncEugVf0mHKEdIc5HioCBddBjrEcrkaOFJ+TwIHOSFmd3JCMY9ibkzBGuzzJ5Bf51mmqzOnvjL9Vbi1wmcFJgMsIC8r80Z2CtrUeanq3dEidJKSkgOOJaiTaGVCOgEgLCkZk3GyXe84CUfjhxQte3YPq38HHqEp+12atEV34Kmcr6CHOB+zURwKrWAbZACUVb1SkFLsSgMsXN1FNvJhCwKdOLPBauW2O78VQq/yUQEttEFnz/IVjCxNzU9UioiuDEHHjeIBWqEPIzTOFiPaxWh6sacEABJWiBD5csd4mrA8UMMjAMUHgJ3FKDNnyMGBmNgR4Ymd4wrDHZ0LXnnm1oFgsRjl2Zl5noS4szZ4IAGSEnZHU/kDTu+THBbzAcYu9hd7UoA/uL8aSN9VFSevDaTz8eGw4CRTiKOCjqwrqBL8DowKc41rj+cRu0CWWwx3GBbdoiwAOVLC5i9cN4i/dCVgl7adK/1+eHFzUvuxzaP14ElP/Xn7yOKSbFp7fJwnOpr3pefDuWcy9MDAKcyp+EwyxBHMtfgiamHkzRPqK3lisOByiCtuZ1gMQyAl75+KSKOH9iIwvSebmn6/1EvVFk3ky2E+Mq5BDggMXWh8b5yVWCdIamfGvYgWIhJDu/WWOAbHZFtmyIrkU7NBtA2wwd3hiLlDReI35tqx0ewDBwv1AJ8oFGNxP3ABz0uPd5B/sXXFw/wIckwK89FxYnQ+V3EBTKa5HB8lLlNKWCk7GEaHUr3BpLLHb1Pr4TFyGGvUHeV5U/HJSUxzipCDtfzgYLkCasHfuRixgCy8Oe5gDJdHstNAiEnhSfZHrvqYFNtBpnx+/f0zyWbISkqQ7qmpALWRfLGEwn2tGzZJqlgv9pO/z37eJpfzP1xMEhTG1XNPeI2pWMiLPT4mtaZ4fw3+OZKjsRjJn3+WchQf5IIBTJCujtfcj1DKEVZLx9iMC4GDjOxaffqnz4GEMggYoKIe3vejh/QXc6QRx2/4SpkSvBKcHTx64h/Sx2lI9faG6iTt4kPUr/p+Gz+uSV2cy8ZcV73PmZ+juUufjrGjIr3rYPGFCGQSFTYTYcil0KZKNXcIcZBsBkPsidG8e/svCMrksQmnBNxawCYAxGM4witx8+3X3/z4A3UUeQ2AVS3UCq9xKMC7Vhi1wqkbEARBPrpYYk/MWdGYhOF9uAuX6ANJUxhhFE2LPH0z7eES9gajU/sMHT72wZjBk5Gt6X/gex2IfKQCSZkLt2dw/gavpPodGroLsu4+Bc7fu1KviAj9dMz8Z67H9EbvbEQXRTjNlRHYdobyfn+IXc3p7pIciW9Nz3umBTUUXyL51j3XI/HhYs/kT6hbjQ7s38nAsVL3csHJGKrQJRr74SpsrWhLaj7NYL09GdzUFSpkk9Ou6MrtV2hB2rkNOwMcy6uxINlzfzPjGi69RLJ3c3K22Rka8cADjm3cl8WGHqgXqOuKOgmw98xr49PRpQ1oJYxK9C+UhptVUbdwr5dE3E7E4OS7E8J3S/G0PiSIRMiRxy3U0HEKapEnK7K1dCu+9Fcyub0xdYNFqDsI9IFpZ5tgL/DIXXNncofekDcxzEsHR+j8i42duQ0l0qGx62XqWr0n1vEBoTyf+DA5Gc3OCPZbtiWlv8bDDnPfncJKQy8LS50ovbWD/f1ojzbHAYSl83e8UEa1eGXR6c8PHHPHizlgmV33zfk7GBSumfgeH+tWUu4yVzVn2mbY4uJ7H4Q721ADyt8mqsbtFqDlASgAr8FD0oUXJREF537WNcy5jkvoTDcqL7oEpMuyqPkNkQufseRwF/AllUsfDWpZ12H12btDPP5vBNNubcIKamNzhAwf1o+6qHnt4Bxb+ZgE502BSnfDY4F4TPEE/3jtpyHvhcA0fV/y29bFIPc9f581x3yXo067yRRe+jE/bhv4Es0XtCtUr/9PEBErwEXAVxyW5ZldOMjGbhroBD7N8NItZBm3PNFf7dB/XfBidP+PIZLPjQ/WNiQHOuPQfpos9C/I8AYBUJuuxHSZyKNoCmr5xmCeEzqszpf7jjwLt2SY6qDh/76gcXRb1vd1Hz/iM/dgN5RJRmfJY2Z6civWJ3ZWjBCEwC6o6yjDrVr/Kgw2eNxeQTn+P9QiyRw2IX5C+hUxdHFb4WLPMNSfzZ/jwzFCLHrihuu3wNTfuiLbgNRh8OQa7oSEb+T8Rfr5O7j3p0jncyO27YPrHhLKoDMliBkJoRMm7pjFQzbeKGrhHVGpDQBeFnW9eHYQIqD/VpDkGd4JdsVoP9dHMswY/weZGXoBnCUAAA==",
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
            packed: "H4sIAAAAAAACA41Y227kuBF991fQ2MGKmpVlewLkoR3vwNjdLJDLOBlPnhoNNC2xu7lWU70iZY/T6Ne8B/nDfElOFalb206CgaclsqpY18MqnZ+LLxstlHVPuhH1Sijxa6ub50w8bXSjhfHCOGFrUZlHLby6r/RMrPFsRW0LnYl1U7c7lwm1Xjd6rbx2V5BWgt0UG7Fr6p1uvNEOgplbuE395PITs93VjRd7YcrbVSa2enuvGycOYtXUW5Hk+fkvrrb5Ly65Gmg/67ItdJMJXemttv6L/updx8wvYwFNoD6Scd96X9teRCZWpqoyAT3tj0ZV9ToTu0oZO0g6L+vtkRDlHjLhrNrBGn+7GtE63Ty+OFMV3n2unzIcXlWaVC7UzhtSo6hLTf+3pIre7vzznYcXM7HRqjR2HR7AYco/GYtTjfvUkrkwu/W6JG3bRsGCRm9VA4JHVbV6rBEcfqQPhe5vDXic9h6HuDE5HR/oT4raOi+2tfPQ3olr8ZuLiytxfk6J0gUenvLIoLIuWvLnycn5+/fixnYp5TfKiyflJkkTeVZ1sw05x9nFiZeL9+cn+isrWlTKOXELFoHYals68dMjhV01aw07ToRgbaFYAlWtLsgYKC4o8ZBsW+y0ttQrY3VJy+4Zwsobj/UfyUxbP8mUNr4hL1ksW/3UpRntYIud0LSFrxvZNlXK50JUuwsk9IJ8kMnPP31Jss63TJrmMNNKuRceBohDKq6/j+wCHjAu32qvcOof7m4/5TvVOC2JMuX1qzFhUDBXu131LJMu9ZJxFgbWdMKmyNT+pLxoG1c3U8FeV5VMSO0k8h4yIaMDX2o8eDY+vSZtpUyly14e/x7ImWGfo9Y5kvm6OPLv1bBeGrdTvthw3CUFJzwlxUbZNTRO/x9ilhppWQ1KH1M6CR1QN75t7MTL2LoCYaDztVfVW5S8OaJtWlvgrPJN+o5g4DG2qNrybZZuf+AIpUd49xbPQDFwDQj93zinVIG704D5/POOKrj8H9pOaYMcyk/5Jme3G2iLqkYxgPRwgohFQFjBeQSbY1voUgmZz/kUIKsJcMXr84uFuL4GRMwT8XFyc0S2mZjTwwJVp3ZydJlwvkRNSWJeabv2G0ihhDJFODu56ZVBOc7zPCdanJo/6Gek2CJjZjpnwHeZfAn3K1+uHK6cyuUQ8RPIHCwFRgqtcJUyTUYIHKwDhqoKqbcs6qrdWreMNzYQ51koPBQbeNCO8bR3H8ti7YMPMhEiFUUFT+Kiwt+KAKS7Aa56B1u11S7C5Z32cp6YMlmkA0HIQFC8dPgLN/OCZI4R3kwiOZES3IWclonxeut6FAgsHZRzyFxlCi0vMjbl9QiLYObZdeCMUQ475H7Za0KXFdOk4w3yBe2AIIY8Df7JVVlKeorHxFTaC1DNxMgKvCdpSJMsqn9grBo5FMGGTTFCSEH2eCaQbnFtQYmMVz56MRh++WGcx9GRMinNI9j34ZKdicQVTY3mpMEiGjWDW/PrTFyQUtTyJchwZA42E9UYdVape10lWP+Z40xM2nm8h7gndIeExxBctvnIQoo1+6XXKSb9RC+WciSfxccGSXK/IyE+jS2RXIp3+9AVyVHZQnW8JelhmaZZvLPGARffiwvx7beT2l6yeRAH8YdlRkGI6oeSiUEbJEwEQlhoyuTy3Z5bvLE+4mxCnR5QZihbTniqX1t3qUx1nUPrNABEX8ZjTb3xFSqYg9/5mTUcoWKhOYc4JTMRwA/l1rvfl2PPd41mREkYw4l+SlCK1EMKJiuzbhudIPEsGlsKCpNcdyTg4caHePo+DIyhl+2vh751gaAQzaGTOU5bHiImCUK2DvkRfMIJEnvs4JoYcm6mZahOTkwuT/ICN/3htcuP4dD7unzGGWRljDgz4+nIg01P9doZFIDofQILqv14YB9cQn+ayKgZprGJ+2e6JsU9nYuO+kFrVNVrsN7oAlr8RVldDZ3qCKOuB0WN3bWe3XhUz59AmPAIVOhNXZW6waINi878HVBw+dsJLlkMMGPJr9UwjHH+Vfj4azBziN+OtD8LliSTgyqkDGVvS4MLC2A8LHVotSdxUHz8ptGrmVh+824PisOScoL5RkLJmUNJsNP6C8isRAxdNybleCAHlSP6AO1UqGEYOAzCaZGEs0waM6XlaS+Og7JDMHZ6STdAEBtGVJn8kZTj2PNoBJuCKFKaNci5WtBUmq1Mgzpd7sZJU/aqW9YbVHLOTmDyBcubk2uDX0MVBC+BNhHJoM7vaxq7plpEUZTy6TjiLIfitxgVHtv6OYQ2zV6qGKIu0+Hu+nBBCndh6dRMAzQMPo8gQd6dFNHo8wPuZx45TYPAfIhNVMZr1N1g/NVwsvWB4tXyGqQBsFzdNsUEXZ3W3QD5Z1Q9KzbqEkzJ3QOz0YAxNvIi7YahEcM+FO2B2OLnkXhq3yqnKZ9KaRkzUvJ7Dyzi40dxkYrvxGWcfURgKFEp1ISaOKNFB1L7QPvoHmC5lApBYs/fzy8XuK8UfmK3Nif5IX1ih9O1ru7Bxa8/UHzJMLjEEMXh4tE/bjbAlivOnBnm59C3FjWS+jXfo5lFN/tD6HRkvOViK9Y1q6FDYhvCDd01Qzlqz+MiG4D4dDKsuIjCiyO4lvtYkMbd2pl4jQcZPoEo58dYWFcTGIyN2hTWOpBY1UXrdDnCH0YMEsl9R9CttoQffjKWBzn39dfXAZ5uWTp8o4sHEGGNH3U5E5CWk2301WJGivJQPYsFvu/3IRiceeTDgEb/+g8NnR2GZwV5/9zB7ASSA4qMNepXpqBxfEegd+LHwwx9GGlEjqdmDOM+NQOw4xT+meOe/E7cPy96Y1BfD70tUVcRs4Qc6uu7HdVgKRVcfJlOFlhWRg0wjuxNjaAz7/dxXr/JXqEl8Tt0kmiP/v2Pf1JvhN9/JT3VcUNTmb5lGNbY9KMu+ImbGsShQ+nOFwTU7H15dgnnoT3uF+i9RNb2E9Khe6DL7bTPuaDUeIia07BJrBieOa8RfVOVjbbzyIUJd5HzxXQHxenz2A19+olRjcd0aU34EbwyEox5peRCbXeAFTSHJQ0KXVjj57LT7j39mLOw0TX74gYYvuLK+HGJej/4LyLH0GeEWjwLuEJdG7V4M7Y0XFiKgQe+n8+TO5zT33uUOh2g7Bkaoqb0mHbjTsDuAR8RiB2uaYVrHBk6T25GiNeLpjTg3R+ULTgDwnrfOy8WWRwLDyf/AX+NYBa7FwAA",
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
            packed: "H4sIAAAAAAACA41a627byBX+76cYB8aSTGjKCdr9IVUxFmkWKNpuimaB/nBcaCSOLK4pkuUM7aiK9jX6QH2xnsvMcEhJ3jpYiJzbuX/nzOFOJuIHsS5Ko1pRVMI812Jdt1st6rWoKyWM+mqmQoqywJdamF2jRGFSIatcrDZFQyubtm5Ua3apwF9p6pbmn2TZqeyi2DZ1a8ReqFJtVQWbgWApDmLd1lsRZZO83ma/6GjWr2zVVraPwRK9qZ9Ha3DqA3JgqVZ5KhrZavUjiZMCu3Yamc7tz9+k2aSiqwrzab3WygQ0WA0jKqt625TKFNVD6p/rCg7dSgPy47CTWf9YA1Wri0Jp/7z71NhNpBEdytU9PChtmOjFChYZ8Vy3uRZzUaln8VfZxHd3kWk7FaUiKrSgx/tU3EW/znHo1zlIbYDxikcL/VNXlnZxBY8CrbHUoPjo/j6ZWSKN7LQCIt/f3MzEZCLA5HKNXmA2SpQSVjyq3cXF5PXrC/Fa/AyD1kvA3FL8q1PtLhOL1UZWDypGL0kWArmry1w8b6RBZ5FNU+6m4EfiY0UWQU5gtijVCWIwoVpFQ3gekl3JSiwVWzUHcmvZlSYGrS7Bk4BgV+WqRdfUlibs1ap9gpNbte5wExwzuVBfyZrrrlqhIcSyK0rYGe+JEnsGmJeEEYdE7C+EAEOTAIXKQU24bmZHt3WuShjbg5ODeGtZakWuZ/RU3N2Lg1v4WFS5di+m2KrWvRT678wfHEP7yQbLXSDBBSxlU22LtgXNzV38xFFePIGBwTlBd0Az4hVoc9kW8npT5LmqIpggZwGJZv4wMlBwVDM4aClzeC9yeGRzX5PKYaytSwWj2kjTaXg34LXjVQNCslUyJIQaxDGkB4sEnPgMJN+mnvgK9OplKOVSlZGn4MdzpVdtsVT5cgezKE1W5Ckd2JRypTY1WhY57VYbIbXIEcbmVs0ES01b1G1hduK9eDeWZCjDulCkrR4EYhQhFTH7zQreTCLm70NoiNmbwhXBkYyZL9iSFvQKf2jrrjmnFZTPrbdi8CtJATSR20zm+ccnoPWXQhtVgdtHRdV0aNSYeI99GMVJKhBpCTfxhSL4c11XccJCnDkQwjevnys8UuEMnctmLtZ2LMMYvwRLRIQGkfj2TfCE3hRr82e1SyBqTddWM9rIc01Lv39UHPsJzxFf/GIlBaACsGwftQcQxljJbgEgxDlLyx2CBYAX4ILoIaHXgQSzwQKwURQlVgi23Z7xG+B7ToqYBXOqQkcBDJqDhHjYGs7Kxa24EVNgzGyyrfwKZ4s36PL0y+lRl8UKiSaZVrJdbeJJfPuHeZbEX/S3q2SiEysy5syYAz0dbL3B4xI683JA+7vvei/ryMecq6MqryV6QJRLI/FxKj6blhwcjHdIR8ylKF+CFotElHC4iZMUw324B0h86d7d3CwjKweFLNrnQw1uUIHCUNsz7ytjFSbsc1AR1E/qBwNMLjujYo6HogJ6Re7OVhTiuBwy+7m1qYVF9p6L0AmsWzmjl2CQnwG2687EBN9JwCZSYWGBzBYjCbh2CQMUdUkrCg1iVmplUJDQu/vUcnSSdStOrXbdOWY5Nn+LYXoGUqAVNx0HIQoL2p1/PiNfEhZXwbQlMYpK/DsA+kGNJGLytyQkcJT+/FQfh7Qrq7lKu4VASsXip7pPyjsFvny152VbpbV8UIds0ZOn30PKpU6vQEi0hG/iGv4GGg2gzzIb6sUmY5mrU0aDSLf1ZnxGTwkAwYslA/652gLJuDE0B74nIm+lY9BNkssTNqy42D2T2bcQCHmfJqr62mUKiAfWB1RbFegXtQAgCsUcJ5kZ1PsC8j7gJoZtFjlEcvZ1Cgq54AI+tiev67KEQ6HAq3p4BgLSkgjO9FYCPP9AIcCIbs9FCPcnPBdmg2/bGZSG9arTC1HJrdsA8AI5FJ4BUTaSB2kVPlVj/Fd5YWKOuZSX+aiiwdvM5x5vUvRedwmJyXJ2SZBQg3zFsdpDCDMzArsQI47MTUrIqPj+DHZewaUjXtxZCJ+/gmDAIw+v7hfJbUbP8QngCI61IoaWKyHflixNihkwZZ/MyFmzUlUPoPT3kNYA7KEQwOz/RvgqxT0M4SU8oen0BgpvuKbUxkcCRcUlL4PnPjSWpawe4+TelmVUN5KGxOJqf4Kxa/H2kN3AmNksrEclvQo4hOlMsJ2tfsa84F6IkAgvdvA7nw9rQudXsJ+qMUy88N/KoKJaRWf6GIT0Y+qKcy9UhVhhu5Eg8+IBWZbhdiBaTSlsi9XjFI+FMIMQJVJc6djyGlU/ZiLPbTFKLIZToT1sbcveh5uce1EM4JXRRQApLkQRWOwxZAEv11d7ImIT/rvksAgLMrw2knn41kjOkXLY0n3tl7qoKBy343BkL7QbpBnWYbiNcgfNo8MA+kZwARLIYpVHYWHG9N1adpYt3KoRpkExcEVTXwfOardR1ThHN5PmcLWndYfFyAnvaNiFg9M785fiXjrmkOHIwlmB1GwNEogwF5f+ZYZqH233ZZcIDIIzR7cD2MgsHKbuUgu38av9QF2oJ9QXqI2M5k5HtbCaYJV3ZN3IapBPXKC/eE1Z0LCw2sPSF0n1clTqQaK5rS1IWqwY48jhEE/0mljgdBJRgoF6sHUuQgTIUzDNIpQdz9w7QOBfZ0KSNe2xDL07Sq3hYdTbzblC6EmEZhakEkYfwh4mFoCOExVDNpQ2jFfIypaylRbeT3sNGYlgC92mfxv5De63hu0tx0TYUHC70lCG9dV/f1TiApn5t/pG9o8UO5Dhv//xynNRY4v3U6KEutQNgYg9920S2uBICj7y2ON4XAysxFF6T5bBStJ662HhyyHeRSWRvzt7LDrtTQNEQjJDjLE0B0j0EqS4c4DDoDngLur25jl10Yk9zGG7w7UaYbEu/q2CO+f3ab/LpsnkqJ/Qb7fBGaSn3p/ItQethmscimzW6ut7ZHt61nGtlMTQoIYGDPVN2vhoOpkFMOXqsumo1GAIczuJiqU4C1ZQwVM32POrwed0nATXmAP+S0Kz2FW+ZhimCriiqJbyUdgJjqn7d5s9KBN7HpJxFRPbzVlRrcouV5rX1g1eKNzBUwapDBmGOsEO3yeeY05oWPsOy4+a+s6h/+Aa8BAqHlXO71SCWgKIH9R/Jr75RIgYenAleqgZ2BG4K59L9Eb+5TQzLHx6z6qbkV/VzcirhuYOnar3CO5w4tVg7r4JgJXt/YvEjMoC0B10i7ccvDnbkOLG/G12d3OP8vZjhBdR7xxOT0iAVwRznbHYTl4ce6NRf7y/mKZDwRMq8WyBP3RHloh49c434BfzPGbLKDnPtv2qICuqg5xenJ+Fa1zM8Frq1UG2wK8c0aCb5GHJSmSdy+p0BE2WcKj8SKZiSdUH7RxhFkj0O7jsewD7fepOdvB1jF/2nJfAi5aMvMyR///g66x9GaXsNf88RIXrsBvDQs3Cisg2Uqd4LcF+6cHuxPsivs/7/mni+y0DxLLAcr5ys/XNy4UbLhrWbQPFUdvgdPXmodG3zDldSb2rVtw4J5nc9zPbSr85+loWy2dZmOB7GjXWE1QwOHEauh4X354gjf0GRahJiOF48s/sdfpFv57QbTcYfjWx919ajl+p/oTa+LSGeAPlYx93iApcXgjLN0eo/RgQJADGas+U/QaF11TE+XuU7nxtOwvbI/9wn7zooyy2OLCloh9V3nda3KddbOa0YNKyrnFeGnvhYh0F1y7Z9v1EcjrMYsO2BA0F3yeT4fBps/VtD25xgcUuuZ2BlaOEe2Ccw50TfTaDW2/xpD6yB4Negr7ccTejD0obX/1XVidHAItzEWB2gKRuQnsCgzaP+/w3auwMGLvwscdUK5Bzev47j/+uxRd+unAX8Egm4Ev/2b3IAYWg+x5AH6rQVQFzU24T2UjUkMbZ2fZBO5FzZN+w9gbG7ij5FX7LRZCjjls1bLtyNzBzkX6u6yxOfD89aqCFE0dtMzE2vXBYOfwSPCrIaBJLP56+zRRqCbLlGlw0jqkKhYIGA+PgUqp9J3y1puGUOj4DKoSwMXtpF6BD+7Z2ckqUsOl96badPOrbtxP95cveWr4jH0al7Smi6Leuaz7qLZ749GJJZrmCGCyHxQ61lntBfD7GD049e4UFRedJiIz9/17hhlMRtvMT98pkA9AFz1vujBJf8jdTwQA8MjzGicuoxIbtc9oCqqy1T7gnPBNXQQF7uPgfd5jaAfkiAAA=",
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
            packed: "H4sIAAAAAAACA41YbY/bNhL+vr+CARYhdfBqN/24i9RImxYNkDZBN4f7YBhnrkXbSiTRIek4hmHgfs39sP6SPjMkJXmzF1wCrGVqZvhwXp4Z+vpa/NzsfDDuVuw3VjRGV34idFfFr3rty4u63VoXxFEsbbeqXftqGSbCNKY1HR62ja67iXBmVTeNOImVs62Q5XVl2/Kjl3eDug7BtFuoLG3bYouJsK4y7qddCBYWvMGugz6/849MbG3TmOq9XpuRZFx8vNmDZ3gPuuuMw+chGE9bV4b+7uhdtXM61LQ34TrcBx3wcqWXAZIbuKLu1hPR7oIB1s6GemleOaMBdemwJz5b3X980A8NtEPd4u8e6EcI/cbuI74L+NAH8anuKi9eis7sxe96q2YzSa43Tk6EXFtbyflEzOQSXqoroKLlvXZdXPbBbremosUHnUSBa7khCOcW9F4fzuRWu6bpF+bFXQLk6ezvVoCkOt2aQrz8kQ/B3yYRb7k2Ib2dToXsbGdkb2BVr3fOkH5ZlnTejm2kNFEyEFykUKO9vxUyiktxgvdYGK5Z7bolhUM4u3+3UjBPGtEvMR6UJM2KlKp6bTxCuIGH3n0xrhDHCyEiFGQtcEC9xNO9wSL5+iW8jbOLaUoNVYjbp4RuRD4b3ucMUS9ubm7EPx7JA3Te88Fs4CJs+7sOm7LVX9VNhFx681lcsSKeWMOZsHPdyDWOXYP8DPCMM9umXmqKESKvr+pKRpx1RQcftDas5Zd2a0jN7tmbXI4qyheTrEgHI9fR8/PnMWGVFGFTe8FhLCYAJh6Fi/w1yanBNpH2Blaf8TNOdyBrMylkTHkFxwXBL3KOFfNkOkZccemp7I5JdtyP8HsPbCEuj1Euvi1OSWwBnNkQwnBumW12eot8Cvdw+lSM9hrWKexc0ipl8GCSJFfWtTp8xx0kFLMPO8yIT9SwVHrEzlDsX/xQFGfCzxCC9IiDRm+BaG3YxKrn8i7m36L7n0iIapInTfcq0H5PifUQd675nrlYaAQuPlGuEOiUQlg/i3quvJxrBXL7dHFhvjIB97WM7OzUuDojjxL39YSqRoVE5IuXPUC/1Z3k940JGWMs5UGJewVxT7DMOjP5/t39B5xscf3lxfW/l7HFXePP9qoC21weg0X0FtNgX14eTUcu+uefb3626B4dbQs7pwVCIeVpMR+B859MNdpHoWrr0KD+ZvK1NZ7qIBZgBDolxxFXIsgJu0SUJDtP5EVhv3AKMCYUEz57O9hozjigNSUGD+YrscS/XA2+EFu980YgZ4UWrSWP3aH8Pu+QZR72dRCtgdtopyi613UoYQxuhpXfCAbvLk6jGOTQjk466tRKvgVombo3CRAPSe1qfdXoB9OArxa9ZToNufu0mGSGI/NX6cwaCzERJnm8uI1ujoaBvLsVijFs0fZLvSa3FIwXgPs8q5zeIxwfPZ5Bgw+2OsSsExSllDcnnIgk+Kz5tEdhunVNzYYYMrJ2LzkWTNUbX5SJp325AjEp7EH8zDgT3w4pUEx7xpj+n8qJrHvNiCMOWSoOKEO9ngXnHkkuKMn/+s9/4WA1hE8VozbT18L3g/D9EBRnsMjn6A0Drjh7Ke4DE2qqV8OQ84cl8ThwYvaM6UzZKcDZdUNcI+yKM9cbh2TxOJTxpfjJNHYv0Lf2lN7cwaKA+NTZvRd1YN/JxHQiupIaFzu2H56eADjMVYsPI7t6i2ABHU/FESjRNoZDLB1Qdw4EcHmM+xhNGUg1j6MQYpKF0zF57DcHeSoXPbCYdiX3V2ba0RD3BLooHsGBOOyanEDsNVihIsvf6w4sG7tzfJapY4wFinmvgMEs/OKcdVHpduCgxwKkJEcO5oGZRti3ObopBcBmYzaMEwkPC9yT0iq1pW/aHs+qH4xrZZrWFdcNWLzFu7SxgMxvkYtmUShPXEUavnSIp8EUD8Kpeh+kl8V8zhv92ljrznda0VKCMeQC7RSPlAs0HSgPSX2ywfQY5lu7HnSTQ2mo5kzZdZS6nXxsbBzaIiJ9A16nsVD2ceOLDafPrqtQiJ3hXj3jdTUWKnqdzzsbdJ65FlRnl8czeRZACzw/xBvcE/TBD3sbSgc/LRt8D5ts8OyQUaT8aLEk7wQGGj5HunXCFHs7dWjS5tQYL0aFX7Z2ucmZw68NrbBb5L6uzJCP6eYGKozEQX49Z92Ed5oucmq4wKk8f9Mps4FMRMse9Cy9IqE/bbx0vWKa4FJ9q9esnqZOev6V50p6es2ETk/IXVwT7Yq1q8oZz7vifk2d/hxyi1sijVpMw6MLEkk9cR3CP5TUcK1VINzMZ8hmzjeUMBP46aLv/MTvaHDDNXuYcEYhQ8Xi+3i0kpO+gVAjjpGIbQr3E5BnbiCzGXcekTpP+iVApf7UF80nc4DKUbymPzxUpJaVFXl+iSaHfpN+YFAZivaHbpmkjik56pVQzzQ3muHnDJWaHZwWL2d3SToK0i8TPcT8atwK4xoa+In+jy95JEVz8d8bRPyuaREAAA==",
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
            packed: "H4sIAAAAAAACA6Va3W4bxxW+91OM1SC7G1OU1CJAQFUREqdBUqS2EQnoBUFYo90hudZyh93ZlcwyBHzVB+hNUaB5mr6Jn6TfOfOzsxTtJKgvrN3ZmTn/53xnhicn4rmui7ItdW0mYl7JhRHtUrbCrFVezstc8ifRKFmMRNs1tSpEqxeqXapGyLoQD2W7xBJVNiLHTPW3TtW5wi66KsS8bEw7flKu1rppxVas1OpWNdfqbWvETswbvRLJeHzSqKLLVTN+Y5LzfrKq1ErV7Qi7VNVIrCtZ1vjT6Ft8eC4bMNQo+tZvdVLo1d4uVWnaV3Khokk0tDcr16sVpBkJ3RSq+bprWw1aRtHQw3LzQrfRep5j9nbQt0Y19wrTZZsvo9k8vC+bzFvzo34YibzS+R3+6I4kLXRuRkKt1u3mqpUtdluU9wqcLKH/sl6MxKprFbEJHYOpMscUvSYbSVZR19DfRq1kg12N3OC/lST1teWKmAPvMW9L/bDHWaFaWVbfSbMEcR3PJYb2JpNbQBUv5yN2mOe66lY1JGibrh3oAB/3FfYDJLuWsGU0r6V3O+8JeVMruqYSFyI5uT87eZ0HV8V3+9msJbzzQkynSTISCZRYVqJsRWm8s8oF3CaZjcQ0OVvRnLluxJlYlTU06cZP+w+n7otxn5b9kqXuGjv6RRj9gkf95KKfXMhNMptBjJMT8VcKKCnwQeWSmJYbI47xzwt5i/HOKMhRqwfxF7lOIc8C6qb9lgqBdLuBVEbwGNOaN8pYLuhBqFp3i6X9ZLpbkzclAs3QBPZHxVvU+lYXGzdLtW2l7AQotV4Qf+L9u//YD+/f/Yx5TwRmQiHf1y28WFYHpkdf7RqsqDR7K81uurqm2bIiXyGdZKSUzz4TR79nn0FuKY06F3+AH6vGp5sOPn9GVtyX/mgsPjt5ot6yE827OqcFFKgtpZ10a/ccxZvtMrGFIFbVRIwcxnoksgdYT7Gs1TTv4ks8ZONK1Yt2ed4v6tjJ+j2jhfzNLqXHx4tZAnjoeDx2dp6NVzBxOoVGDKUZCkoz4y2mB2joWvG3p3gYM7lPPxX0HNzm4kLYvTz1sCe4ECLsNK07yr+WlH3OHC/2bcDLzSdbO7oT/olJnYlLkZQmERORyEYl9JmX7W6yXuxcwh7VB9XmP1vNubfHylvpezbX1NoNgoMrm+ZSHoKLkSmTjLhwxvU88iuzSU/J7mbkzG6piGNxYNdDMwZEDm4RaM6RbC1NegLNmRf6a60rJWGiN7qsU4qNTPz0k0heaFHLFQKUNuasRelNwKL0TJyxEnbnoD1l81/GSugo3yZBx04R7LBBD3izauhqcERPte7Nwn4LfuCg5Ksj9hlvn4Fu3KANa0spmPmgY9ivlSo+qobd+Ob8yc4nQ9YATA4nobIw6kNzymUlpdEM68T7f/xTJK7YpIhbSrchJfhs+0IXyvxyXjCVbtnREtm1eoUpOfGGoueS5FLV9FcWq7JNZpGBHExJk47SIzy7kgZYynoMuFOmnXBVYHaO17JpoaKdVbN1Jg5BH+Zhv6rE8rqj4h3GJJNYAvdMokqdMjGyIaUF8qYMBCxiSsMQ6yyxKM4wOQwxF1GE/v+s9Js5fspijxsMOF6YurDKD8mB3pg85k7pZeaSVPgwZUyTwjFpaCduskgqt4QJzDJPIuTOS05xaeKcPlloXSASJ4OMCq/nWe59DLybRt8zcXkZz+eq2CAirMBR7ExZ45YilTBQpaoW4iIJS2ewBkcBAMP1Uok1YVYLEvarHTRcp1BnrgYe3GJFEWGI7FxgLzI9R8pWoER34BXlnSDifWlos13YAGTK5mM7UAxwISYsCZxrBBITasaHUFfYuW3kBtsG1zGKBRmESw5AzwHWlPK4kreqSjB6xUL1YWSFRPhElUZ3LeC7igkU5X0SzQjIa28K0XcEAUaJ3lpXJcOuvbAdUsyXusy5Ln0w+Ad8Vgr4z9yxbk9Zp35f1209qEa5GfjiVhQdI0JEHfKaiMAO7Z1SVG1tqmae0KVgtu1VUqYquHFKnXq4jyGXDCyvBxyzF1KcYlrm1pdzkdKrS3XnEblGP4AcOekYj8RNv+SplX5cgFTLnGbOO8cAl3gfeWeciKfc4KQN9UIJj1EUwUXBUtK76UTE8/wo4nbn6DIntn1ARiJM3PNUNPLBqmRHiiTw6SA5ScFoXM+ph/UxhAZ3UbHG2C615m53CYdnR7tV7YNSNSPRyC6YpmLh4iAb2uqjysPI2JR/V17rVFJpbyRZ2IoCVNYbACMU2H7VAS1ySebnsJOL8DEkYf9BuSah3PCI+3kQMzrAdSrlwxFL0234AaNYQOpkv2QXxkYfpy5MiZzIBCmz5EtZL2zX4vVvJwQzBr1b8zoFU6oZL8uiQKq6EN4TSZ+ecQ4KF8EjhuV2kkflJbfXymLgrSsffbc5zGMVMlmcRlzeukFfLSpdLyaASGVByNMlFHg2l8UJhR7LOBGpJcW1A9+5O5H1mG13ju5459GCRQzSl+mpczOmOhtWbHsokETOaJlVxaSn4x2Ewp43yXzkB4llyQXBuzYhAz9jH/8wSNgOM/UxFlBWL2Qrj8sCqsF+AQzACx7hOGLOeq2DKyRwL36gdstnNJbiZg0t9iM+pTGRRzXlptAcTsy8t44zSFXmd94efZol/Yvkv/+izMQKibMosfcokQqs5WRK071Od/5BrtfVZtyqt+1zTX0r1aXIUcWXjKRvri2D0ZedQNaiox/G8PwdYNSlZaDq5hqFGfk+RenwuY+LSLz7JTyh9ROpDhkF7zj7/JRAkK02+4ncpiMOHF+4+nQqzabOxQB3Y8d0mPFWZU18PHvGRe7chepmL7624o2hbImZko4Z+AAunSavXl5dQ8fAe11T7U5eeyZguJe3b+DVY+oJ/lS3TQmsfzikt97VXaNNYzwC4DULPk1SW14RG7Ygw9gDNbgM4nkY7RfUfcDvzyasP/iDChKUUPCwTbGjzl2AEukkMXUnnllQ1q9gco9F1Lg04Zr3oDs6l9VVhQyFzN7Vd7V+qMfk29HRaiDqmfHW9gCIMhc1aVaZyauvrp9/B/Fhn99uE673A8PQ++XeZ3hnsFcPxTiW6JChP7dNQ2SMHKNxeK6bciWbTQ/xeAe8SrwErISCU4fEHPlxWRh3luPUfac2JrUMCW8CDsWAwXQjUr+YcAa2yH4tXHHwhq1JlS0cBKceGWcjEWpZb293vJyybKNflTSdNtAV0cbJwZS4PSzRY3VkffZ0cnAK/UHJe+ApoAFJwFehtgPFcNHpXcueIZOWmdqW+w+CIdQGcBLHS7i1wFhpvi0XXYM5c1kZ5YtlWGjxUL/2e8PivoW4FrpQjrfnXYS9qNfzGGp38snWw5YFQ9eMT5FQ3rH49UjE693xxAEoBiPtg59BCaFuNs4dbjJnjJsAkBC9n2z5viDd4wlMZbNHchvfO3nBQzNVmis0lAQFWGNBG6+DLH++evkCNm3gauV8kzrrenIf0sBvKc75sqR8iRgo60K9nYjjs2GXFwr3GuFhFGGHK2bIc+NUmT0q8Pzdl/bQ//9SgR/uSgWYcEmov052i03sIRohCGpB9vRujWO+aiPVf0vHguJW5nePHdZr09/jpKm0xxz4yyme8TPQMoFjar3pe/aY7lo1pjQx1Vd2hPx9n0RpXtaWCD3R7ht7VsoXTGlS6+QQjQDyeyI/+qEDk/l2aDBXEqQ/5IJ7DIabJcdDlPL5ZOQiXOylDvhbP4sviejSq61UnC5oMPe3VDVfoE3EtE/7yLEzKwVfwnlX6W/kUjqvDTSogvq2bMzHNvg0J+PyCdj7d/82dEfS8/T+3c9+ASXA1SScgfUoolHhsC3ZHvVrj+DBRytAWiAIOj/i97LGR1kdBT0eOTfACPKR2u12VCPoYjFNIt2Eo7/alsh0G1ouZN5Z37EO8v1WcBNQ0R0iEr9b0U/1JrpVVIuwk02G0bVvSosv4W5b5isKloDBQq01L+/pysHv9tSHAnKn3TfuoId79XGDyd/QxeVaNkaldqtM/PHCjgL7wMLPxNnp6WlPnwCWpZ6FxO1PLtwO51FHgppDK0iywNqeyNmwQSZRDorQz+kp98conujO/e2RgvDBRwWYMh1aJ/rjA8+mROlONhJGCN65IyyCUXA10LTNko/m8JGuo5nrNTCe3y4dNhvTKedJ8UDok44SfBFyV+6p8z+guhnSz9Qe2doWMVcWGZyciBfhiiT6VQJkQ8HuT0D5OvHC3sCn9s6Yxy6rclW2F5+fnn7KF+0XFBnxASFL5g4+w70031JxPoICD9GPjiXD8TudzUITriAudHrolJ5PxCy0szqFc7m78zS6R48mWJF4fcQ2y/+Rc0/KqQGkuzTJ29XoNuJTEr6FADCN7t8c6mQS/t6MfwLAoZXMIRQhlMtB12CnuREK8y0MackDt7DWgHfpehj2hrXjbcnpKEPVdDhco32G8z3ijAbtrxs4EQ/swQd0kovP2B7F+99IOMWF6wbetNWtrNBrHyJB/dLBi47kd/a3DBaafYUQASQjl0qjTQmOxUeog84sQvf0n/vZSOqup8hi/LGfxqHHBmPo9AP9eEUWKNHYNr+jFmA4C5ifumbfKPyyGMnV0KsJUTmz996SRTdeW7oqJIL88xUT9fqHzyC4RX327Dy68XLrziOfHAyxONHIjrS1e/I/aykKLrAkAAA=",
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
            packed: "H4sIAAAAAAACA41YbZPbthH+fr8Czrgh6dLUOe70g5SL5+LWSaeXumN7kg+qmoNISIJNESwBnqze6b/32QVAUue00y8nYrFY7MuzL7jZTLw2zUZv+046bZq5OOykEztTVzYXsqmwVp0S2olS7pXYdGZfXOh9azon7sVe7deq+6A+OytOvCmSoph1qupL1RUfbbIYmVWt9qpxudjous5FW0vd5KJTtBxPzyrccH6wNXWtqr/LrZqweeIjTrm2fMNaNo3q8NuDycGSsjblJ/yYStHfntWQJW3tlKx0s83FvneqyoUtO0P62b2s6w9yXeOEo5935oAvvad1p6a62J05PNa5lqUS0oq2U14nq9zbQzM95aRT/thFaRrrWHglrsTsnylp9QFL07uHtamOP3SQ93DotFORrKt6+P5Xr7pjXJg71dVGVtcbp7oH60wbdyC1c2slHaidkvsbvVF0afZ0tgg6WP3vqENlyp4ixgo81LpRJKBSnWXKO6j/sNOQ3x2/PzplH2wjW/jCsbjZs2fiWjC0gJ9GuJ0Stey2Cpf0DQDlGGlwEb4P2u2goJDAg3WFeDa72PRNSZAU6jMClTY9QS3nozYT9xdCeIWXRMlZ7xX05v1io5vqRlqXpsuwlYmr74QXIn7HJHF1dSUuswUkdcr1XSNun94zNsJlYsZ82Uk8vSexp9vFxWkSKovrlstkb5NcvFjlYpnw1+XlJS/2usHyj5dxvcPqJS8vV6upu4Oc7wcxf9X8Lb79FtKY8tNI+cZTfhgpLyfyar3X7u0GEtNGElS9KWx9NIvtFq9EcpmIuQddgfA5PpFh49zjbGoGTobG/+JkY4hz6sUMHmYw/ELxXiuuI2YT8ACVpXNq38KlRpQ72Wyp2pwjoFME57ebFKVC5WHpMaA3In0SCSGModCkSQsP3SP3pbVzkXB+g0IGYOkPJeKUi+QvQCCA2BgHGbIScovaBHMa5DDpiVTtXJEwVryfUWsAOtm2taaisZF9TcXkIDWXwqug5CKqGDi90gPgfJ1Kk7UkxaJK+WhBpe8SiiEVpIGI3DXNdqDfXke/kQ2op71FBsPXQDOVvVS67LQIhV3VFWKwMcjJrQHyTFPcZjnrJGK5TKM1aahjuPtzq0q4T5wYSUsKhPj6a7GkisphyaC/SFa+xqa+/D08iGSW0A78HSp+GkVlqyxjh54uHvuDvVjUqtm6HeH0ILuGoJpsjTl31G2I3CRqjwwvbkNUorzvgH3SPBEfdijNoYdZZhJwTKhBCDgr7c/uZZsG0JP5bCMvvdWwhUrDiFgUe4emYrl/pJLCdJCNiwDwGNL2NceNyi1cbTq9hf7ew2HxBKmaVIoDkozo2yC/6BQEo9TVKPMpBPiEv5N1jx/uMl4WyhptURnjTfqg7dNt4cyNOajutbQqzQrgve4rZVOv6/luNkE/9QJS2jTeIbE/QomQXcEBFKxKOvlcV8AA2AvShHKOXRgJ2QTdtDFgmxhYZy5aSQI0+B6fUpnxgBp4MogZfOp1eyWWtO29ybGa3Ew+yFaQw5UhHfycTXsCu3rEop8O0nE4SKOpdpq3pWwJB2OOxs4yidigahbEo9GgLk45B7pEvvokr5CuAO/70b8/k+308Qb2UAYui6Lwan9xUy4e7w0xfHLuumzFoKdII/RcIOb/Z2VtzPMYfq6ufzMxH7jdO8wMNBBoX1GRNigJNDUN2WNa1aQ+U1CPxEcL2hV7chFIVjGnfUzGIDZlDb2a4gTqWVWdoNmjnfDMjggTG/IBwoqtwoFfaZ5IACcUo2kaas7CQa5u2t6xZ9yxVZwFsiup7yey0/J5Ldeqplr4hg5KMSYJ10uaulWH7c3jbWqsc/HNHwYXsz4h1+fBgDTUcZri7wXrMg8m+dkT2cmGzFnxkFeo0eQtKhUn/BmNqzp5CCizg28oFK+KcvpkoGJKI3zq/Kx8XvrowDl/ERnyQW8eEcQYf7o6lY098AyPUTO2zdnMTxGcIVasjwCRVfUGaY/mLQx6dSfOb+NzAQd4p1DRZMEFrYpOsefT2Vd9S3POewXWyn41/0f1+/zVDIHzQPFd3AtAIWKcxXnD70foEY+nBNiG62i1mChzf67n3LdmmhxGzgnKJy+t9L99TwzLPG7Prgj4vT8lYTeKn2z4e6ehTwPNv9NSikYunrCyCHwcYLhDw1st2mZ9pK9f+N3Iw1MEUWnCCxIZ+QmzBxqt3u7CQ+BoeoyD5ae5kBUmZzwrQgCTYTyJlw7jIBEKPxPyJ42T7/wsGM/wIy/FdP0GbEk+yBjPoqhzRxgI2dgRGlRCtAMeuP+k6enyhYiKyWdCPOmRmDk9c6j8NUozTKlEEGoxcJSlspbvCVoL3PcjvcH9DDq5lEDqbyEzVXXtvHY/Y4TxDcc3Rc67O0/0HO9ppPFlmmQwg/U0z/CTLHeo9mDgvZ2BWbhxIo9InvcG8VENjY+RvWYKHWBHTGjnZv35DqVS1Ma0djhKC+9jQHWta+2Oca8aKMxw7V0VNr3jaEKMQId9NCdSA0G3gv1HAqzYy6OojCeg/aCmsrQf5SBqg0cxjtvio4G1BOCMx1coq50msNaEhRXOJQeNCeULVC7DPxLS2JstTb5cFAcHxIwr+P0ZJ9HJwZDv4XlEaCQh1NDjUd+W0+Vk2PNv2/F54DnPOnQpu0mDHjkmw1kczAY5u5fD+OIxwJNa5v/7kYYx80U2ge1gyA29Qtl+n39v1x9xZQGxHXwZwUE82Zk5/sW4+nLIDs/a8zftKhuCER4S49g2/s+IZlLtamrHZ//qgnF9V4M6u3sx+9Wq7k5zppHCvkPmXAi9cZ/U0VJbxXuGfriT/1anxunYdLnJbkzZo4ZSb/WC+hYuV2nsaL6xTPoxTfxDX5w26pG8CCd/q0z7Hn66+A89jyc+2RMAAA==",
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
            packed: "H4sIAAAAAAACA4VYbXPbuBH+7l+BU9yQTCgq6Ze28qhumjpzaXNJJnam05HUI0xBImKK5BGQFVfH/95nF3yT7Gs/eAyBwGJfnn12gclEvBH3Wu2FNEKKpNhuZb4SRYUfZVVsKrmdin0qrdBGmLTY5yJVlQqx/E6txBoLVWbUniYj8bEQtrhTuTAWUozQudA2OtPbsqisOEB8+XCjvtsQm9RW5RgUpcr/pmVWbEQt1lWxFV40WRXb6JvxLvqdldrK6m6whHQ5WZNKc8OnD1ap6l5VJ+tKCauUVVXYDw2PjfqcyQTW7bVNP3ffhgKttMrJO0uK3Fg4RWWZmAnfwrBAzP4sYu/8QD+iSpUk7k2W+SNvFIqRt1h43iiovfii3Z1UurTY/vfrTx8jYyudb/T6AdInL14gNG5GFGtxvddre8GaITa/7AqrXJhuZXJnMmlS526ERlRyL4ocAXkxOVvv8sTqAjEhAY2WhzMhnAJwWqoMFJjMR4vFchJZZdpVl8J75pEVSlr/tXgpfpI2jbbyu/8qFFEUzfHHhm6lTVIyczLyn70IJptgibnS9+chILLLV0t2DA+jTOUbmwZBIKbCgx8Fgmt3VS7i84PTph45B9L/ZgYOq1uPrzO5IY3n3lpniI8XCq+oVm6Q6a22PLNeG8UjvTL0b61V5kY6T7LdStFwUxW7kgYrbSzmeYPcbCq1QaC9pQvEmXghblJFcN8aCoYURskqSSkCG2XF1y8fgGmJCY6PtkbkAE9EG//CIBMHF8pa7KoMWKMoItF+2anqgVc5JxhxmLuFYRP75XxZn1Eg1XfGbxdPJJNWxoe4EKAuKr1B/GciKxJJ3yM3E/ZpMRNriVwFmmfiUA9BcBD2oQTs9Yo/9pngx8/ODzihjoOLbrUyiSyR/MA8PnFkcxAIfOCUcQcHUVqp9aMc8H73+z94A2HsiVkrkwVGJtM42olp4dLvyPS9Guw4TtXWHbQI8FqpzEpP1MFgf6oksAIJnWOAczH+UYze7GyKU//D/puKvyLEWHj+7svV9Y9XNz/ffPrH1ceR18HWibONbwfSRsdfvGMJ3sUiH50IKUo60pwoRYY4IfXpqY5+Z+LT7TeV2Ijo6SoHXgCI8sgZQeSSBLlIiHSJSCPxw2zmcmPoHPxmLrh8vsRw5s///XyJhI7Ud5WwuMto/noZmTLT1vdCL3B5DrJhwSuVFCv19cv7twXYNgfD06chCLyXlGEChw5O3SBa5Ck6/RJGg1fYwJBnatjOP/sN26JSvfV36sH4LCNo4AIpcSjOD45em291fOLEDDmv2OsjKmS+m2XnIMfnnslliTrDnOCQBPcdED1IEKBDTwhT7KpERXK1usIR9gNLhLdJSCh8RZPsGZJdZCpCoWs+MuNzqrll0UpaSW5Z5PVASW3e6c2uYo7uQutg3rBXwKEEtaq1zoGKX399tLBntJPF/Tm7/C6n8j44pQGQY/Jj9PSw4l80/QPzctSQq2k+PH8+QFuCAmBd9uu18BHcy8gUW9UDiNDSSSB8oUw0mkXlzqQ+IbYtgtytDMnElXuYEI/HzRgYoALdsElAhaRd3TY7hDvWL9+hkl9SXYG7U9D6hguIE0AMGXDZ0ysUallZ80+o4Xtjjyrl3J0HX4/H3R69CpbA3Lz7FTYqLpcMoengLFdQnjjuUT5n0v7UhSQU9zLbNZFhn4tZm9iUBeMxOaz1AsbRt0LnfgBPsAqkxJOB473nB/pRd/v5LJdI/VEuqhRp/uwmbbVTpADc0XyHscug98CAy7h/mrM6cy+BkfBCTP/FeIMOgPm612FYKqDKMhxsDJn4B9s/Pt5PK4b7OHGvOY+9vlo2zrmkroQ5uJ5MxGApzKAONy+aejLlnsAYqsxolUtQHqrHykEVqA653O+pUcIs9dPoESjfQB1AgIkWeRsQopa4cU1u9gxouZcatV9hu9/RGlRzsK4n968nP5NhcVCHRFFCADJpsQLhff50feOFJ+JFo7aZgm5P6t4ibirfojV9ATL13hY5uM2Ob4BMD3JliSLgeo3JN1PkKLOPT7ktVg/Tk+bWP3Dbg1pFh1fFHv87m6gfCGpwfh1AWk1s+IRfHO3CL9R4DKLit42I7xzm/BeReoB8xAjpjmopgSn3/NBUg0Fe/L/DOkkOUidiOoDRV7oyAJXdHYSbmOZa8VQ8mz0IJ4SSWBcIpxC5jDo9rPFPHAcJrpU48txLMaI9j8uUl6Qy3xDu/UdVindoq7YGDhp11jR8dWoQduaoxf/Lpn7n02a1TDhrhfmPQvVb5oHYmHYaBo/btpbV5562SaBGBUe2vXxmW0invoJFDx3hfHDRw7BDBlyp7cMj6Sgbp6IHsEMZ+K2TnDwcFXTufvvhPfzclCrH3dQ99Za31bFvfBb5M2FxW2nu70RpxFPE8nSDoWRrNzl5SO62OeoP5vvmIMTv6PLG2b7I2ylnL0UyQ9ySTMMAeMNWD+23tzxHXM05zlfQrhR3Rrib36DvZVhMxeeqSMCN7/N1EZWDscrvdVXk9IIwHx2350vXKdeB06lJlWtbKbl9syFdhriJ6Z/TO+ImzITuStZry5n41I0kILqj/eeHrkfrIHJJt0xttYTdI1x7UAp2iSK++xkXRTqJbuvRroRLlX/N1Ohz94zBVPQNIb20TMXXm3d/BGizNdqhOiAT4078FYPmCwxlrPWaO+QF/eH9yshNBXF95A3ymHvkmbHnouKWqzXU5ocP0rmEqtZ37yBc7wfmk9ns/4iRDIbn5nGxQM8UICYCx7Fc7p/8wHEktwITeogq5UaJW5VqlEq0d7vKoC1HNXX3gyJP6EbdPhc86nHX9BZAjQsaiqduPV1vccxhnGLLk/aHHicghl8d6CXmOiUg2eEbQAxhMVouUM6UfufUwxJ0YYG7nK8uREx5HguUU1FgN70zxU3fRi8cyzh66mpPj2Jvi/LhTXOfba478+Xw0t60TegQqdUZsN+ces7j14E2u6bdyCcgcX9JwofdGDKFrtfugc73SE2a49tokkkDOHp0y/MIWHJV5Bmyhdq9sKnlf6JgVFqOM3mrMo+XM31RYitjeaJ8GJNkupsPOvK00FxpfSBAfeeodYo4aUda8HLqO/pVOi93RFsHRrVLCK+SK11gkhzfni4p9gzgqWjyzx0Ktk1VguvmVPAEu/ZVq3rMm88P8P6cPy/nr5Z17FiTuieoxzV12pRUyqfWHO5qxNHW4e0FK49tP3A0oqatHm58vbwQNW1l8a+CwTNa/6LqN07QNiOzCVGCzR5GgSZ4mWvV5p0n3XsZ34B6l8vEmmOHZwqsSqEl9FFuIT88Z6W7OYLweotcyBoT6TZABoYNAw2wicuEe/L1vX+h2WqeQTQVMuveOacnDzPtmzM/ReO72BSgn66gSc4smDCfsyMGLY97k/Z7V4e9r6ChB8aDJg/eMqR6nBWm75e6e/SSjyEs12f/BVatLB1UFwAA",
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
            packed: "H4sIAAAAAAACA61a73LbRpL/rqcYV1ILIKZA2bfry5Kn1Sl2cpeqxJuKndoPklIYEkMSEQhwgaEorqSq/XQPcA9xD7ZPcr/unhkAEuVkq7bKlgRgpqenp//8unvGY/VxZdS8rtq6NFGr6sqovK4bZWtlV/T3fLs2lZ0oUxr6ox0pa24tRi5Urq0eqdnWWswfqbzQZb1s06PxGP/UO3xVjdHzlWmZ1kYvjdItz1cYWpmUVm+MKmTh2bYoc9MQ6W61Amtpa5sC64CQxnCtFsWtyWmRsmjtSOkqx3+l87wxbevJgYxd4W9eN84++8ff/y9LVN2ED61pbrBcnI35U3p0NP7iC/Wfdr8xuVmou/d1bu5bLF0t76vtemYa/CrL+22Fz0Vl8vuFLltz/3YFvi+uHhT/ob4YHx2RRG3H93u9Bu+nqjI79cHYONPzudlgwNbW83q9KY3FKZQazM/rUn5ssCNI2NhijXMoGvxv9aw0OQ5lV5W1xh+NXi7pnVrUzZFSqyLPTaVWpliurFo12ESRq6LabO0ae1GlnpkSP6slC06t9S39L021tCu1NnZV52pdVGq9LW0BrlQFxlW9AdFNqedmVfMB4VTzuir3WLIxf90WDZhqoED4sWO+6bdq55gIIZdmbjGgLf6Gp40pS2jE/FpZPSsgyFtlC4upJHV1o8utUbsityvQznHOZak2dQFNUDiI+hpDCrP7qr5Vt2qvbl+p29dq/0rtX6vmNkvbTVnYeHzZvhwnydQdQtH+V3GDDZyqGFqRqNM/sXa8OMVx4DTV734XnsPB9l/yGXfE/ryrzp2egSLpMpMc//zZ/c+X4/jsxcX48vIqGafQVivfp6xYR+oLdV55zU7VeafUdqUtazYxNOqxAWXl5fljaRZW1Vs7VRnRzkjPce4qIzs85lcjWiSrq0yttBgdnbOpTAOzJMU0t5u6sWqxrea2qAM3sdXLUc/MRipN0zlpc2OqRN3xQdttU4mNxt4tpHOogjVfd1SSIZlAY3r0IOZF/qYlrSLWocA7WFebHuKtvVn+a/h6/yGOVtZuJuPxbrdLd/+W1s1y/Prk5GSMNSJ4tF/hO7Akq1SwpWeGM0vFQvGYdK0teb84YhMUz4mT1FGSqD/PfoFdpDD5Ylk5knc9+5jIyY8GPmKionqxiNQD+FIswVj08oIMdST2c0UOzpHH7psCHPQ86NmZuntIhFPh9YUzkZin4xNo2qLammkYwn7gFNYQ1VXk5w45MKCAPXqFO8SFp8/Cgbf+mqZ85ybEjwgksvoDdBQGMGSClL3HBtMjK2iNZbuDafJanyDBQjb5YyruNQjY5sD8oUdPYWVMMlH393ABsW4KfU+MJMcX+vhvx1cvP3eOgEd1aw15IU8dkc950fcvQVx2BX/KseMjnOTXTVM3cVbVId4N49lEfX7HMx8yJ0K3NQgn+Jy4py/MA+1WnakoUhN5OxS/5/sgK7aDEOABrpp48yuBG1orMPNwJP9FBzYILXkMo6bHNg52xIOdadMnNkNRNB5JvrczOvhf/5AuSm3jbyv4z8LukxQRxEK3nIY7V6x+NBzOWrUjz5sRSbhMBLfDnojCkDPRJ/6H99EIvbfuy2/dELHyDWi3noVdgTgsPK31NV4swTX8y45hUnZt9uz1dVVD5g3FjYq9PGOEmYE5mmc38N7s3B5AZqSI/iN35S0I3zny4XfS3ztNiWUnT8bz6EebKhCqiLsFvDLFb70nYCb7K+v6uiU0yE8rgJnCHmQdpvEJ6YtKrExJFisGDN+li6rtYoEGoRsfCxIo+eEvUHwKv9NAFd54DlRTfqw3MINTd2zqOW0IYulmnXYUpk7QL4jXZKgJfkFdFgA4PZxyIZ5hpCJyLMcM3+gpBPzoKoXXbPax80KCbdLlY0tP2MZp6QPfEvI8MX+kZb5jkAh/RpQoYr2FREk+gUTvJe/6wql7+tctePnAgK9uziElGa6X5C2TKxgjjJ13mZylrBXxndo07Pg/sKQm4ogeDpvLWNGyGMcmAb2h74JzAJCNKAx5QzA48prF7oghpSQKiKUAnkAd0OfmmjWSzAkvUq98chzbqjWMG8cXl1uAhZNj+vVqQT//fcEPf+QHnePnm1fzy+2rL0/M5RbIYnbMvxb08/WX/PCav7w54Yc3+LIwC/q5WPzxmH/Nru7js/84/fn+sk0uN3ffP7wcL7fOYZ1L1uSSronsba4rcA67V8woDKzK2aY0ucONeBPKnyR5SVVWAlW22UTxb7ZI+fOg5cGlFVUssrxzUxwcZnsAiujZ4FrnpLsXV3RywCqwsopenDxCKnfqBNCmBsZFbsf4/8EfmeAl0hsR/QCkyPqkqTxZAudlFZGm9t/Y6AmAIdbSzbZd8WbStizmJib2HAcJGzJpMRO6Ah+bGK5bN3AQACJkVh4oR5TfRCQQTtcAyIRXYLKRi5HZTy8/vwuz4ZBy8wOlMOc2PklSW3/gjDJ+9YYefkIEbN7CjcZJutH5B+BDG/8eNn4SJYiZiYuaTpgisJey4VTytqkLqM5aAqOzvACfklGQBAR+9nafdKD83GXxU/xu99B8W5QuDmETGWy0Xhet4dSaIg/BUmhCUW4le9c0AnnoGjrZ5NDItoA2POPRZamYvRnozG0fS/dVigwfm+52xBNZ+JQtQvbhDc6uB3EfRpLqdj75CdiM5pDDNWYK7OQzpr07xx7zC/DmPj8fv9/VWDDb1c11xmquWfngoyacQVJix+EZCV/V7pCIiVwLvJfnfr4ncR7fSLYm74tPt/tq3hdi4JXWfhTJB05eggdNiBIHn+Fj2XCeG+xLDYMJIWoFfruQ98x6Iz912ueugh66oPuhmMGwl2ddqpQ6TYp8nvB0NODWur6BxRBV2+ydl3Dc6Z2GAEkoMuABOgnaKnaEB5mPe4fIVRjrE5MFIUb35S30Ocx0xnhIDA+ABZUuS8+Mg4XE5+GTELN1SvSBoNFsD1UBaJw3xYbPeLfad+oEF2BaH6kkkrW23gjKyjA0k3JGSQAcAljW0L+D9ucO12vPat8pDz88d6JBKQanyunBJ3bbqVLQFin4nPL+zijn6KF7D+WQYfzF6Ovv4YmTqULk92L4x//8L08s7AGJeNOiCiD5qR2cFo6/xPre0Xk6XHPpU8Bk2ByLMk4y1dKR4G+qthC/DLwtUgTecaq+5VV0S8miXiJS0vlllEMggGUHBU8fO6mPlJdDFPVSCQ+qnSBIOP+MD7vrzIzE/85JP1E8JHVg651Z6G1pSbQCtRioYdmB+xNNfqIusbeD3mHe35/KdlitO5JLRzKJn3WgP1KxEl4QvlMwHRWIgB+R1SDfaCl47QHjbnCQSHeWQ6/olEakTtDZCaEHODiKEHDyqP8JSo0uGFATw1fkdoacn6UsJgfE/sIsGkpvQDPEvYhqtiKfAr4GmiE4TRNuunZ+nSMnb4cg2xbjNBenn27IUf2O5lKmK4EwOov6odJBMOw3Hv/8qNxAMyjVCbFTc9ikdGKisrGj344BVDDyITsQQYXExMFAfkoCGpX4xNVfQxX4LnG1NSSt9Kze2ucAwAHXOhIb6kf/O/hCZHKACLBOO3LydSt+C/RYGqCaZqQMVSFaxp6MSx3J6QFMlBc3A+zmT2/E5Wu80KVpLFUEsUbvuwd3gdAmQCsRj7BK3sxHlLVpW2o8kIOjmqdj3Ed26Jkjydw7LKf+pF4Rxg3rbMuwkBso+O1kpF4DTDJQZVMegtQyQD9fqKMxKVfSTfO01h0mkpAfbW04FaAhGkdAzJGin/0hnQzkWVTG75MOcbDUZnASa6hdTnJ2JGm4nyoHfWCyOyX5zpNZ1K6vwx6evhH90Sf3KBQCr7/GoxMqmyW46lmr2IkfEJSVRl1EQQd+hZswLUmuPCkJMUIm8k23ODqn15Gznp5I+JnqxFcdyucGhOvSpQzsYYxtxr2F7KIPx3nDV8gTqak2t64/4eCrK0tza6KgTBzCuzGMOahRRH0G9YPPF4JHJzJCAXjpEOLdIW+lDkeqvuFy0ZJC80xTo6gejDrcyKCl3/HW4juJRBBSne95RwX3J7kw/DDoGhDMcLzGEHtblzemF/oojcVbKLMEPA9RdE54oZeZrF6zohQ5nKsI+Pjzu5cvXUf0ISPVZKaSPiHXOQUhx6PY8+AorpHyXfk8VZKUQfbEWUE/XIdiEgtbaCMQCCqmhIZ8+gC6ejDsZ/iel8f706DNJAmiyAMHteV5WbcOkCvabDAa4n/k0jXJXs9C2gZGonY7WxeWNHUgGsTvdV/A9MwiliYlJops8a6uJlSqYzqTPhQ6jHgQIoIBu5P0mvJsmIDYWnYv7sSGvD5OUwNnd/26HZz+bB9N/JppkXuNHPFu+5jqENKDfKPRo5Puwe446R0TqXEsx+WPJNQRHAiiHfvyO8Oc3vLtqt59X+e6dAkUexAu6Yg+S1VHkEB73brCs2prOhyyDII/hvq1ezJ24KQ1wzmqVnNjnrtCStoG24qBNDfdP5HvQtSLolmfQ4GDfUtpSjwW0zlF9BwUpRaFoGj5/Di4cldODNe3yHHYFQTUFHO8p471RH0Z0ADzeMy0fAvOLaPFMJ6JGzOdP0YYwwqnGGffhfFhhG3y6k4CkSgvnd9EXRwAJNxyHrmt97fry8cyLKMGjiL8h+08kJPljFFlbiqRoG25COQ8FJa8YIEPFZFzaVmRynH0R8pdJN8ZYZg9oswxSlKgzHUslQVXC2MmklBg6FpvHrkM6tDgnfM8Tt3CFtKsswCm4hr3ziNFOSUPTQRnehG91dWcZSHbCO7winf7kISWWK9CttGVKZULZw3fsOAqF6UanVZPXXujoOjly2ASzJ5LxxsNbxq7w77DMDZ25x2A+mVAdKDm6gzv9JmOxvToXxay3HpQuqGnG/pJ+j60DN5Kl5d1hRd2NEWLM634esgw2PzzbZ3p0TMOkVZbOVMQeZ0N13Vts19vRyh/NJwRkp5Mj35DDPDCccc4+i1BwUU1XvTa7OnCzyC09e1Owpzv2UVft3O96Yp13iZkFFWMgHeQdGrSvS5oDON3FyM7dRGM7b1HFzkdEH3rApTT3UHowwbddwrzEm27ahDfLura7fHhPD2O1oRoE0ovBkEseRLFnPnfKalYOI6oawcZDjqIkKRrLwoA6H8c8d2nSe+KDw8MG5fXD8FB/LCli2quTSNd2XlZbGY1stzpoADAfqtiv+BaNuGOFCC+Dgj9E7Fws/+IdVxvJpSR3uK9KyV1VVGJLZW+KXDmdZMGptJdU1gT6Lizp5YS1jGUmGwKX7bzNVQhOR6r93W3O9qultQFWUGxpEQEPrGq1cY0gNYteE57Zk03YPq2Em7FkNr4q2VieSO+ScYx2JuRy5eG6iUi8GZKxFJ3tYEPRF63xn4s1qbe2tiV92mcyD7UtJ6G4n42MeE5o340DJr/NJR0kXsT3GJX8l3RHbls25SZismoJqwVCfXv5vV6Lb28KqfsctnoNRUfqW4kxyLlzoxwVSb3P6iGkrlrQLTnq+xpWYkYOed8Q9IGLD5ibCZVJNl7saYZcZSOaTjyrV/aKEnYTN/y/N40hwL/W5glCzH+5uiMTo6ajodudiFh/KYo/S2UjW74XikBEqgx7Lks5uygxrfHVf5LG+4cyTZKKYs9cwkt0qKzNCrlO5Cn6qcfv3Oj5EYSnmPK/b4q61nslpemkk9EeHa4aHnKziC857qreMsnSkVLIYTU172lAivwKm+ok5z0Kt6t3tMVOFf07greO4dx5NhbXeRc+6Z+rti9L5jStQxKvxmiw0rsBxp7qo79LZgpf5F13Il95Apmw07dXSCSC7qTsO6Sb02SPgu+CbdPmBWEQmoCloyI1jX2QTd91R/U4V5ycCvCutwYERdK5+pkwBVovp0SPJJ8gdc/fSpq8UZuxOnjpLYnCfghSrEI9KVVvYsH6VsrY6j969lg39HGiesEhwgQk4a4ZrU0xvwGI6S19Jazax4frh59VQP468qt6ZeY410TP87KHoW8z0qcwXFjlrRC8ggEE9/pL3WB4Jsq56ZH0B+7Ate38auTk5H6A3RNHav4iQDw0ssnkQrR/wNFffF/Cy4AAA==",
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
            packed: "H4sIAAAAAAACA4VVwW7bMAy95ys4YFjtLnW225AgG9Be1w3YDsMQBIhq0bUAWQokuWkX+LoP2CfuS0ZKTmOn3XazKfKRfHqkZjP4VosAArS6QwjiRiNIix52KtRQ1sLcop/DrlZlDc7uPIQaH0A4nIIwEmq7S+bSNhRv+Vg52GpRoi8mk9n5OVwlFPDKlMgOoIUPUDnREAr/GwxgK/5sCjifTfB+a12Akvw8fEKC308A0AR0KGFJ/jv4iiHLF2RORT4xa6xCb7sWW7LBbAZKwu+fv8Ch8NaQU2PvTiPJekvlePUDsxz25BtaZ6g25Yu+goIP4XWy9elHNs49MsQ80bKAjlMIKbP9oKPVejpohP/6+vnzUOVqDV0eqQCorIOstIaIpKaIvB4rh+xYgkSNATNF1g+jamE+aigvuB5yW5xi7xm9Y/w+MgdVQfZiREctPAfnY0L+BTntryBBc62HvmAMcuxg0R8/TX/0yYf003UeE/Xh3fPcRYLz4VUNiu8mXdLxpVPm1sPmxsqHDWt9Y6xEv0mzUpGEOJamRQAfEBxNVjRBIx5AW5/UX9my9UOdV60pgyI2hHPcdsYZphHEJ15SsduWFZGxfQo3SG1gDsv3yVIof2WNwTLQ9b56BYwRm7mMjiSAE8sJzjydK+PRhec80rDFQnbChNHcpFLZYcBtJIHYXRVFEbHLWmnp0Kx7ESWYKB/2peuLjTjkIg9TTMuJu44AlXI+XDHKX1INKEtKodgXy2U6J1JE+FAYvA9f1Y2my4Rlf3ZUH3FMQUR+q3W/MwItPV4BvOJ87xZr4sihrvqER9DoJcIwZfJHTVrgVIlhEY5KO+y+dONxj36uDtfu430fdlq0ECma5iC7tFajMHnR0Enik31XKUMklvbapW2NpDKutKLx+UJqyfIi2O2arzeq/CNSvxEZvFZEW+VsQw8AjVra/Tvk5c/k02hJdPRW1JYeDQoiuSsjn5V2xMpSP4ltZqsRoayvUSqRnWVbhxXBXdBMtyXKi8Zy5BzSf37GrZE7x6elfCKCvlXuhrUwzHUQrlQ+CH6FluwGF//lZfF4sY+hJKPTeeuFK4yiCjFb7SHQIHuqrZnDJn5rOvievdwfYLrtfb6Bbgoj3zNjDZ5Bt2a7bJ1IDLx992YKtMeoQPKhD7ywbSC/R9n8AUYPq+/JBwAA",
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
            at: "/console/entity.js", .script, tag: "\"b5e7fa8bf107aa4c5d224fd5f02e5eb6\"",
            packed: "H4sIAAAAAAACA508a3PbRpLf8yvGSSoAEgqSvcl9kFZhaW3vne8c2xU7l7piWCFIDEXEIMAFQMtcLf/79WteACg7m0pZJDDT09PT7+7h+bl6XWmlq67oDpeq6FrV6Y+dyqqcvqzrZjtR3Uar1SarbnWr6rWq4XvTqqzFFwe1qrd6QjPa7ENR3aq7otvUewCiyrpt0y+K7a5uOnWvdKm3sFQ7UUX+eo3/voPFJmqrt0uAOFHtrixWAOxDVu71TaeOat3UWxWl6fkfbV2lf7TRlQNX73T1tN4dblo38HwFD7K2NzKrqnpfIeTlvuvqagJIV+ui2d6sOvy8OzAiedFmyxKGCaYTtS7KcqI2dZlPaL1nRVbWtxO1K7MCwOyaGsZvn2ZN7uGQ19seAt1hp/M3WbeZqH1VdK/X61Z72zuHZTrd9CbxqfwdjsAfCV9741abum417wno173JKl3iZtZr3WjYdoskbm61B4a+96nUvoeB2QHOQTcfdDNRd1m32niz+Hl/2qprf67vgLZAZpy13JelxlNeHjpce1XnhN0eCaq3u+7wtss6eLTGqRNVFtX7v8m5lHWWAw8BCohHV2x9pNtNfTdKo//KWqAsf/6lgb3f1shdLwsgagZfd9mt5jF4EDQCmfRN1mRb3SEze4sgbv0tdh3iDTDbtxlye5kdgMMnJCzP86KrGw8CPmQAX8CRtB1J0ctiW3TqWj354T/Ut+rxxZPvr9T5OYpVA1QAFK5g7yBhjaorELOsAakEwDonOSOZhPdaIJZFi8DiXV1UODlR1z8q8yXdZrvYvAKcq1x/pAEz+qh+VBfqm29UNMH/8XDM2LRF8YsfJ8k8uZKVGv2haIu6er3G9e7VRmc5EYwgvtqj5Mbnv+Xfnaf6o17F8j691V0c6S67jZJkms4u5mo6Va+yVwD4C/2R6MoLoFTRVspspQlope/UczrLN3Bu8gKJWWZt671R918o9RWe6BV+KHL684+9bg746fzbb1Uk/IR7zZYtcAh+auG8dI6fboGkkYobva0/AKnvNkWpQfEB47cKua1KQOwbFQFK0aXqarUETdho4JA8Vd+e43rEL7ABuxRhscxafFiBKNA5322yDrhH8dITPNR11uAfePi+gpUuSc3qj8ANdN4IxRDfQMJnwLCZ/53QxPUjtxBBYrbcwBJ3oK+1qkBvo3qGBXkjoK51TpQDribNfQ1IlS2Ts2sKnRNIhEYc2CFsIg0Q0qn5CkRtYk3Ge30gtFYbvUVE748EDmWAPuxB8SLvzub0NW8yQl++6l292tAnQPxnOBaircMquwW9y/vOiry3bdzrJtsBQ8FZArMQDWHbwNQwUnR6HOXFBzj7e+CIpsjOyuKDhrONdnUJ4hYBYxN42BkatrF5oNQ6mCAj7AzSZv3x/GpZ54cxSMTRAGpVl/tt1VpQqAn88btg9HbfEfcKHng0Z3VVHmA6sPS7DRwwq0I8agSFhh0/jymUVFBENt4H6Le7rHpoXYR2Rtxv8Raeu/b0Yhz999vXr9BtIKYkvABGTJIODNmmXzFacSKIAFcCBDbUcQScqXvjccRNWcaJj9yuKbZZc3Do4SiLGAiSbjoP7M/0oAe4y97rmD+i/E7ksZFC+N7sdeKxAIP1VkE1EqyCD3qr8KgXXYh/ju5V49DnUQwaYJOubPYrpCi7ExOSOpR9UMWoCZXZBbzEIxC9aB6TtLCOFHDk+NzgmTN6zp+KrSmNzVJ8OmYmCDlOK7MlehrA+AQAMHNPhCiyPIArNSGgrq9Ze6mpWqCq//oe1zgu1KVayGd1Dk+L/LjwIMCSiCqY/EtcPib+G+GkuknX9WrfAj9N1EHG4k6tHrOTjOMXB7NxCMyllZWKnnZNedZGAqgdZ8d0BZbzfeympWkabvX+CPuD4/YRytpoIocAuD4DyevM5prTnGPXApfj6BGoAkvuy2/WgOIrdSDCVv6MDPN3UByCt529eQyjEPeJB5FgbRq9hqP6is/K8EgCB3gUv5gfwJYiOMho0jt0MqZADB6KnGUW512ywjbCJ1rWfGWXUcaL5xm7c/BEFgSTVn5kVgaXZyYTlXokQtG+BgGCN+jhx84RjY3HGAd7nKjZLPod8Ye9PY7m8D36Hd0+2uR8jlt+tscgBrViYk4PfOo4umvQvLAHmqR3m4PdtrL64mmPKzxVgw/OsvaMh6JemARcMTdfWZHbt2h6RBDFe8/y/PkHOM+X4EOCpQQNzbFdZKagSZYpw7FLDZZc7yv0duwM/ipzMGSK3eLWp4+NCinWKvbpn5h1dbtqiqWOvXEe65hhS30LfAOKj31Mpr+BrcFRMKxSlyUwB704og7N2kO1UqUGPomNymx0t28qxw7Pigbs5r/+pbK7rOi8kA+1LuowOIqXCMG6Pxz0Tp1M7StyrOABbv8SI5k4+hX9E4gZwD/5YILpHG0ycDs7YmCIPb4GcwPyCtxGizk9AAZoYo0F8R/EUs6g7sHBXxfg/szn5KED6XCKJQH6xDcVBfBqlUGY1iAOEPgV6CVknpvnowZea3ZoxeFttMZYwVIwOE0iX2Koat02I9rkm09BgUG8Gg/ZRWTdO35vWjJyrMrjWPNE1g62LQsKxqAUs+YdhJawnqxAbmXyKVRFgFjgPluGRod/SowIbeBvZYiK2Nu99c0VKTkRfwoHgIENtZrtNEVehhNOS13ddhsMAK9gBWaHXzea2UGyBxAuIOfDROCH1aYGXXzF7jWeTau2OqskTsIvHUYXlTiYW4j9hE0E99cgQD7qjx75Sj4lKr8FA0OOTTTLsy47Qzm6tujMwUElZA3Eu2pIC1SqKXBp07W/glyCVjCzhKjorWg8AhKTe4+5LNPS63TX0N9nep3tS/DRrtDGIqnO1a9BDKfO4D8rUxS0sjWliDEjDY5ubybiZvQFxkiFiR5ZJYlKQ0VmeBRcARZGiHDuf6uU+q06Rk4uKNWA0m0FPgnOnz1wTyXeG9VChwsCH0f/+fxd5CVNYkfJCaUykiQFxKs4zqr2TjdCOEGKEyAxJ+xkBLFiCnHjFl3b6LzIxYVIkIrO2sWSNSOIQ/EPsmp2rFHwR09GORKPyWGzQhM8DRxjG6mjAfdlXSSpBXNiYY2pljEn061rFJPRMuQo75sSfbJRIhu/fKh3YAql3mLfS5kSMHKS4cNxiomAa1RzC6NJge9iXpZ4GLlv5hRTxLHaPPFXGnoDNLXvd650gUZziOmIN4EsbQ1SKGk3QHl0XHtgr8JYwXvh2y2jqNCNRz1BOTIjXbe4doZmMwKvCfTTasMZx5YEzoRwYOsABZO6MQgFJ4bZPvCsr/1dBpbl0SMYAC6jcAMmLEj/WlHElzDG10cY2Ljhx3QRbu0tCG3rUjeYklDMCC59gy/2YIHokXEgJKczEb9HlyVl6IvObNGSsrfHljOwIl3ovQLZTm0cj1CEB/YZrTPQ/nmUWKXiJMVlck65Bj3vMDFjP1MPWL6y2sRnxsBaP+hcuJmhPwGHEmoan30lSwbGdUiN3lOgcwVGDfOB+CYONNC1ly1EZuHHj+gxZqN6z+pqBcGE8aquBmj1pWqQM1QBr17DOU9T1NzgPYPXKblZb4gf6Tf1HYXtrXEepgHFUV+Ck94CkAR0k1uRZ0uyEoHAnqSsEzdYLYjOf8e3UZBX6CAMg/E0baowc5TusgbOFKZIdhrfpRlVjeCDriB+DBY2hhqxpMQ/CQz5sWSZ16AVcnHKcqp3YC40w7y1yVK1HZiQberh1ep/oGAAdtPUEhgT2pz/7hH08XzgwtpJfjgaI9i/9s8N2UUINuAazlcjeyBC1ukzc5OTXGKzqYZNwAX4CQgYD+MmOTPcbHA0bPjlaMTwBycpxh5OAx47BIiDejGcL6e09FBVIB243EJGeaJGkjRB3o4HDY6Ilu2txHux5MNk34j4hLBOIYserkVEo7oZQeSES2ENwDvYQdsrElypRdH+vW5WOl9cKuDWxi/CGnOAK9VG23uEcElLA8Tk0f3ALdRs1oeU1Ppbjkv7xLM0C5i5F4cwTUMLIXAXT8V6LQ/Gfl+qr++9emWYhMWjDmpafrXL1azSP+BJjI5OAgbWqHNT+o0dChOb9xpoeksrNOHjxOGICv7F7EOgvIr2lb5rxffukYK5mYFfjfmkUpPy30kNyXnyAw4NeZM3gDg4wgebAhwefaZIeS6xuPr8+io4UBm1zZr38Ww+Zss5znvAyo+49TaE6WP3gBB9FUT4jk1HLG7SJ70UBq9Gp5IFlsMJlWsPCqnmkeNzlmlAFlMyj6MlZQEk64sfKWn0FuhDpSO0YKZG2bn6TqpegG+LhS5mOcClyluF7iJmk2xa8VdMPSrKcUR9B+pkaKTCCNsWXeS8vNQkZTbPGDy6T8lousl3W62nSw5tIS/IkfW1mdOmVo8GbixrDC5c+jR3uebZHKzRg4rlk0dzlzVINYmj8rPl4Yw2NDgkUpC4y2jiMHNek4nEcnyP9fvYDkoQSyIjhFD+AeO6Xl7QnOdP1MwB6q9W20NY0jAmHAb0SeedGL0/q+o7yiP3oD9r6p3aQiADFAJ7gudUNO1oqaxnafrlMRx0JtN7jHGuxJk2WRTJhFg2k4M+qTAeUEA9d92lQOEVhFSG8wGH5xn4ww05hB1Z4KJi3sw8puUUqE17pUaVYbSNaRqef405Nf74V/UDh4CUa2FsdnvKJdGA774zQqRW1GDjEiKhVGJoYd+ZKRBiZmV56A0dK+E/kEQNImzWvp7AYjKnZThe8EkqBqv/xD05JbSGfQ1V7jUYYBKC9EKY7iJiBJJMI09qfDGvuR0BH8Gzk66cmPmSm8lihBTWKjkFI4UEF6RPlS3t2JwM+q7juRqbpUHOtduamJR50Athc+ecJ8xgd4BJTt1Mac/IUJcFBA8IEk0Noa+8d1TybCkl814fLtWqOey6GksfPwOt6+3/YkzVxph+/AU0wl+e3DQNqKXvrT90Bmbr6NPDdPCM0uReRS9yoCpECtXqcPY/+oB9Lw4dLMMqLGUOzKvYSIGxPvsJWRsmL740uQ+jKI5fLhRXQ3HcK7CbdnD0bWRrmp6oMuKcZcT41SYxR3YQvXn99h3WF6M3v2CCc4/dXvemFkOEdD1MV8ECcmDXapjPHMpTUJnqpyOMC4PruYTDbR27frUeezHzEgIJ6dBGU+PTJWkvD9Vj3xP36wDXloX6GJHCNlLqmrpMcndiPUMzxhcku6qDOnuwT8IRwS9L6jmmhx5Cgs/H8JJNJB0H1KcuIjGup+qHg1rQQxoXQcvDVHphUB6/f/wEwWMMK299f5XZZtdo0V+D7DowX5LSknGQ9f7Uqhffj6/qV1Bl2b7RCFNgQwoMQ3oBNGT3UTe65ws/4HHAwRocBwBHpWcsB9jzkPVH8Jxa43vdVKbTiYwReU4AmQeBBnA1h9EehpPCmFAnFXUmFh160hGljm4xL2tcgwIrtjZX6CdQRvzWISnGypRofcm366cC2NczRvhK9BNlhm1K3OaGYaTpCAac0UfUaHxksnGuR13EwCaLmb/u2VmZ6NxtsMTR/TEaiSbFxfaZloH+qSOv6jNs/jZn/n/1vmHOJTNLSUJ10LBYW9sexxUYYnBAZAtEPVAX7rw+IRj35A5WE68oeqTcF4Lj4f++/ut7zX58PdB9g2iccUgfjl0Ie6/ai+6ooeptXRNZGZChKiagKu5gHneAL23YQsATjkxs8GAJ1Vs16EmP7SgIJri03I5m8739MivHI7zlATOwxjP/vRzEw4GtVwA42VswttmwnpMdRISXegVGlerAiuJkdpExYGml1kPt3p2ierORzsDz75VuiPePPW/Zd/DIb/C6wwMS8xDpFQsl26Tnmbxmcl9iaOqU/qQV7O2moywrfoVdXJp5MITw6PWWX1jAKeYtXmBDOijH6BxlE2ZfiDCeCvKstdRNU4MGnGKMn6R8fyKO75Vte6/ljgV3JlqspvIiCWt2kmAczIdQXndwGAaOISO/vTSr9J3QYOu4L3frQ8grWLCKpKKuI5z7coQ36MpGx6/vGRFss0vCAEfSqhgC/ASbmM2ifUUt5SjmL2wrDz3yTEbRci83JXlVoFbf611HaaQrc6eHwh3sANllDcbJ3Vj4l0Zzow9moLa7s2y3KwvutH8lmhmXlEzHqUUBDBwpplfNYYeh/5jNIBp4Wo5tx0LenwFBQ1DHBSs+nIf+9mjLQa9zzOvc9Xuf2OlzF4pcp9iC+3+VBED09DhdmDOXszGJPUwooHJOI+qfhfc/2x7gMPPouZnPnr98/u75yT4O22JATg+HPZcqrLPY3tTPidrCQv0nMrUQ7wRtoi7OPi6CXJDtrCF4fmPNOyz261WZcXHfVD4QyKXcTmt0Se/aTbFr8X4V3i8gchS6TdUNDeamtqq26VSTbcPPFfbBBxkKF0oEynckAh200US/43qt9Ye4F9YEAXzBxZWkmIOkwcY/Y1uop3sUEyECBWYgNGDsqNIu230uu6VnZBskgkXHKTgwcytDPkyncj/Dlnv3JYExysQsC1zyevmHXnUp7LSBpWKGkIKw7HRDixMwVHYzv/5JENO2+OegHITHZ5tj8Jobj50o6d152DHwPKDwPV4lcLZ8WF4wF1ACyoEFqXLU/6BGRNXjwWEvRW7insZU87nqm2LAvNYvQE/fgspBPYIa6C2Nw69ehRG+TQOT5R+Kf9NFDrfnRdmYyRTc/mx592Th8SWGNA12n+TkPVMPCbf00eXOO8z+rTXwrsnusXtIWqvjfPcBe9VqbKxteok+i8VnShEYvk/oMa/t6Rum1XVZr7JycVLCQp9I1vaaEbxcz6ApgeNsmoq1M9tmD0f/lBs8MJYZFoWkhO71L/gZJfaECCw1MvAn6mQ45Xh+omXVMQI1RRDxiWkhgg1qXmzGMUfUGWh+Vt+e10T9cHFx4ZXXjGCFDXX2CtYDhTn8bq+Y/ElP9h647cChV9BC7xTriJ9IrfzYXx/WZl/ynSo6AStd9mZmn46kmzCJzxP94m/qnLjhKu8oXX59Mj3Ko+WecXBxAXcKqiF+oG8XPEO0h+tCl7lxKhglGTi7mB97YXG6UM7gY68Cpkip7mGiGND1Om9tsy+Ab1qIlWGa2Y7tJvb2Q5c4uLtiLBvMjSpT8nHuXPXySnm1SPYayZmkrjxK2r5ytxQl9yHlzGSMdAzWEc9gbBH70/D43kjoIVkNHDY9DBdBbbjUQGMp9aVR0q8V71tSAqA+Or/m4ZwxBCY1Jzy+yFE3K/IRaNgKCRyZmhLuAF6OH4i2qEWqKGyTArpw4x71+IuKR9e+4AottbmimwGWuZU2b0kOpA90FPYbCacpa+uhx2HbBv2ECmlOtrjF+hDPPP6iw56IQJ9KvaAanPRQmts7Mey6zK8+3SuArE8IpsgYhziusSzqblTDV8/K00i+ZD1PxuyC2Sv9DUK4guJx0VJTm8qFL5dB3wlanwfwllaGZHgJx927j0dkAmPXxuRPsa1A4TVasFwkLXhjtK3B+6a/Uu4mZdxSWs0EfY9QDDEIC/oOBrf0pEF7QX3tXxb5l5d0209u68fO1v9WQZzg34GiiZEXAPebkgCxlPTX001R5l4PjtgGJN8IcQZjJnQi/UXolLy+HlxthQs1usKmv55/238/lZsjca+LhsbRteWcl8CMKt5fABl9525ySxhPepRu9GLrIl0nsnKaes6ut0n5nYUTjVv0VkZSjoBuTg7LLP1EommMoDGWBzibSE2UxFmSn89rzeivRa/0gjr65REM6vxuB/oZCb/gM1F+hibIzMz8HzJAscWUEt5AjMylRB6ezE0fAl3rMDvut0eTspoYz/cGs8voVDmtxn2QfWX276tBlEBs/m2k5MsZLQjE+TrvNYhITyn64TSpbSE1jRUFwiKFOSN/razEivhsFhm1GfX1KN0sY1QjE3HSMyFI5JGGzCM4k7F9knhpILkNMHRJQcudvFga/jhHHJ1/eHz+Oziry/ojFtUcqZLjYuLdx4f3Z3iJM/Kvm0SZmGM/WAFNstoQI3IgE2HcSkhSw1dl+2zhkb8bCGMj+WETqrn/rayXsWe65gmHukSs/Y47iSMxRb2+7jU4PxtaZdbjGni0QKVoklbC6cA05gly+3Exn3v3jXvxuW/q0iBHIoE6ZzxnFf2giT9gzgLFLwxflPibF/FwMMjTPEiOA3PZdOxswikdhsg/qBH2vcIBFPSLBIWXR8SbiBXF2HyVip3tDH1U4WhUGbxI6983k7cjNzowQ5OTNNost+du0F2lXmHOvpZ4TWD0mttsXiYgCuKKfNhesZblJhrYItKvNVUqd0fDJ6653b88uIv9aHyW7l7l58pN7+6yp1Q4KUe/SISAjyeUhlzqttfyAaev75eH42I0tpafcfIom0hahd9I+ZByJ7hXrgBnwYVPF21zVPy+qCT/goR0Vef+RQMpZQ9ObSzKDpuKWvvjM95iGTbReCqqjb0uZI+f2KtxQb1hEsqC4fM5z8Hfuwr5a4ZXKmxN5MmFwKa0EQjfJ+vVplLt/WAE81/kruHbc+MfU+Ab+dHcWljvVsePgAKpne++vqd7U7H38gzxO4Ln0ejFnPn/+MX/A7qmM5Y7TAAA",
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

  get #isDirty() { return this.#editor.text !== this.#shown || this.#form?.waiting.length > 0; }
  /** Whether conflicts wait for a choice; what comes meanwhile is met when it is made. */
  get #isOpen() { return !!this.#notice.querySelector('[data-test=conflicts]'); }
  get #isOwn() { return this.#type.startsWith('_'); }
  #unload = (event) => { if (this.#isDirty) event.preventDefault(); };

  // What is stored ----

  /** A new entity, or a copy of another without its id. */
  async #begin(from) {
    let text = '{\n  \n}';
    if (from === undefined) this.#shown = text;
    else {
      await ask('GET', entityUrl(this.#type, from)).then((answer) => { text = layout(splice(answer.text.trim(), '/id', null)); },
        (problem) => fill(this.#outcome, problemCard(problem)));
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
    fill(this.#outcome);
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
    const isLong = text.length > formLimit;
    if (this.#form && !isLong) this.#form.set(text, why);
    const isThere = this.#state === 'stored';
    disable(this.#save, why ?? (this.#form?.waiting.length ? `The field ${this.#form.waiting[0]} is no JSON yet.` : this.#isOpen ? 'Each conflict needs a choice first.' : isThere || this.#state === 'new' ? null : this.#state === 'gone' ? 'It was removed; Write again stores it anew.' : 'Nothing is stored here.'));
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
            packed: "H4sIAAAAAAACA51ZbY8btxH+7l/BC4xwN95bOUHQD7pcDoHrtC6auDg7MAr1AlFa6sR4tassqZPVi/57n5nhvklO3NYGTvtCDofz8swz3MlEvVsfVFg7r0zl97bJlAlqv8afZe0D7qoCtwf8KlsFFw4KQ5OqDqlylXIhf+I227oJ6lE9mHJnvwvqqFZNvVE6zye/+LrKf/H6qh+12IVQV5mypd1AYqZWriwztS2Nw9NtUy/w4oVpil7OpKg3J1K2pvH2e1cG2wzGrfjByVDj3w+GeNs8nA9ZBn9b7zO1MDDAYleWNvgMFigs/d2xmjQoU2trClfdZ6qs48W23DUGO/DmgD/Lpqbt+I3pft4abGmowrrenyggpv2pwZS6Wlq+wBbNxo436IMJVuY+WdaVD+pgvbpWifNvmx2UDfYDPHP9bWveRPutqXSGNZal8X6qZKS6Ufq+rgutpkovDH6PcTIkT774Qv213qum3nuFmLBqBRsUGXncKA+xFkrm6ovJk9WuWgZXV93T5FG9dzK2sB8ylvHyg9m4yhZyd2vDruG7uils8z229krGsqUH942p7u0LeqiOqXp8opTseW8OtOnK7tUPZpvM8EKpmfZL3qn+sZbFMc6rnbfFVMELg93c15VFzDf17n6d67sszncFzb4db1otKD2sa5Qr4P792i3X9EBJrKkKPvIkhAX4T0kYLFdBCxr+theGDaiNCVgBCbbm6PI1rkl33k1Z1+9tgRQdyGGrQdBsfkv28qpesYJig7mEccJ3KZYTzXiSLSCG5dzB7QPrwrhk4/zehoS8maqbG6z08Y3FhfTJQgPnfau+RLzNOX6ePvYvjjLI53OKQuhCSjQcHn38bjl4g/UBY4AS1WUbahyze8q6OcRKGibjeNO41emxtxs0bzCYt58MoxGDKC+rfC52Hcem+vxzWO5tt9k1fCE+5XG5Pg3efkKogykJNMlU3v3bkn/ivjXMfpR862UHAt99vSsLgE25BQQDm9XGbhaIEMydh8PW+vlU2V93pnTBweUr1xBYY4mK12Gt8FdRpPNiV6oCrE0VRR1nrv3A2NMl8N5QQLDyCa2QxaCMaTrMv6auA0IkBu3NEIwTeZjCoY9UO6ZqdqeOfXCRHxmwSEZOxYUii27u0lzmJgnBe1hTzgPI+BLW5N+L62tFeToIV3rOEuutbUyoG8/TZnmeE0C8QQjzogPpNYzKnpAVLvgaS3QSclcty11hPYSmab4ByJwrlaZ3vRbsC2jB2iQzfX1Nqe0YjxAs9BMAu/zQ/whP6GHKsYURn7QL9hyMonWa+y38m+hM97Z5bw+sAX5J5YvJzwlgZfpbZQLF/2+XN654mk5y2jMP5mUmE9WhYozdNkZWSImywOJL423eqYRiQT6OmuWlre7FDxftI19v7Eif3FaFf+fCOtHTpdMpUKPb2bSzzDdkg2/YPN/yH75EYWsCT4Zhcl86VJLnmfpyYCSsQH4mx7K1M4UrUvPMNhf8vnci6dZYYAeETn6+nGRk3Oi+CDckvN3kjfrbm9c/5j40QGC3OsD1nHIU0jO6uqMrNiY9nA3nCtSxqlP+mT2/QwLQf8oJykFOedkSVay/u40jS3/5HP9QfLuEJKyLmbgjPvDIT0A83INt66FbqYSe5uLaa6QHgNmuCP1kRLfD2R8gamNps0vkP2Oq/me9a1Tj7tfIVUJFRb5u6wrXUVMCR64UvcOzw7AqAOpQvYB7ZZGjKrAOSs07hGZ9x0SghemIwGlkW8lspsW3mgliFT1NYci1ZvAsvbsThx67gHH+BShsSdWMB1IlYxMJU2BQaXVpSwYc2DmlD71o3V4ipp7j5UCbAXtL2HmaE0FLNrYeYdN0xImmp2Ku4Tqd2wr3MORxYG1VBVvsTUMoE90pOzsyG01a01Nt8dY04BV7iGqpT1cHz6wAV9BtLjWb9g48+q5qaRXXphVZE77fXFFZp8CArVbuHj6m8J0ys+ypGM/ZmPeocoH83BBR1+1+25LZx2hDWEnpEjVI49AYGHFr4Fz0suUefSqkTMikzLbBE4tul6nPacVI9pPBCBGW3mXdIjbaRXOHcG6vUSi1Ya0m5+GVUR6cGP2UgVCe/YFn5kPFBMO5O+iYWLvdEwYDD6JXYK9UtfBVXuN3Zp/QmdPZnQZtvCPu6sotTXmSqjfnmSpCQH5ZCQENBrXFQQu83eRdRPBsetb5tVt6T0zZNr6b1D4Y4yBUoDjCqmJTFtYOBWx05WOWiQPuuIjwZRt1YhLQFVegATuNIWn6kr7ZS3Q/Vmd9VC/NlnKji2z9jjoZIXwEoHsLzEWYpRlvj8yhCbW0QKQnArsBMtA9tedkwVPVmKxg7rgLDE27aDSfGrxbM674JfjPVLCYEIQ7cpKUt5S+u2YDD+oOw+GhB9gebpkGJ8t1DZhL23Qfr1505mhlpNnJ6x70GGCE+Ys3aQ6ZJv1fJ5H9Uv7HDVBHxF8awCTQO1Aemo4EA+Pm1B/PyQfzbe2A2g1IuEOJBLML6/aoxAROpnhYArI1ZNtSTirEtJdTATA+kprJMxhdBFM+cahIKJ7Fl9jrd+OqnUxhRFsR2skkdKQaxQ8vLFFT8XmHeJvWFf4gOgN2heHGU56oNpV1Ufk4efrIU48TGTvnWnfe0HEodvyD1iTPPPl0UGatQ+eFtdvLp48/gFLmgMXkT5li5fOoS85NdDL512RyL70rSKXkLABU4gCwwlP40CM9X78PSwCfDOWtZ+oNE8PBo/SP50fTRSSk9SLBlRe5Ce0YYtAp80SSbRbEDTiF4nGAFnfly11oM2sXUt1nFb/FYG5nOF4SrXSby91binrmSvzLYf9ubREbzficLxb2NgfiWeD44OfBNgWoY4wH598wbg66RTlXROQwq+ZeMYknTe0Qbxw1PxcyVLyHrvaGCEQYa5FTDYqr0IBX5yqaTV3dd1Q112yd6dnQehe8Kyw/2yNyQWXRMHMhpHOaM6L2cf4ct8/gQoEy3kLGW0vphOLWPjhPBnv6GMc08cmRGO+T1n0CDNGccWQEBz3hi/GhUSZgtTjwrz5BMxq3NZUt1cLybo36dWcb+HCOXSYp4Kyx7aZHDJ+rEr0UUv6xIwPcU1z9g+SjSWKiS2JGh3XCaa7PeeygAYH1hgdQ68PHxmvTOHNJ1VvTtBqtse2JLyaNpaycLYuhHFdtd0FABf3+VH319XDypSva+eCDiv1+ragh644uQPJfrwixsVHGx8JSRv90++pFvdmC0GAVvIpd+2Q2ubmbpLOvqNGHEOMP1bK3HR0fJ+kIYongQfyzZ7S4YCedjSdswe7AOUkjrobmEKe3Ah75BBe95rUyewOebfz7RP/l5VvdHSsnsZWMrpvGYwlCgqsTWQRLwCMWNwZ9PUFnY3Q3g7pQUR61n5RPR4p3jezrFZsu9rMncNBioqzaIhQwCtWMTkST+Gkg7Tb9qWX7TwntXDFiJ5m7xf4IR0zymp0g3krOyiDjFIeWQH+OWrBJokBS6ALpHnHjajAvsuHrs74w9rdcpcQX/493UYa7TwhjU0Od401Eo2sadRaykZUf550/2YrICfkikPdnM4l+/CzK+oxUPgV/QpT+2MVJLaNOFHiFciLfXlRR23hEYEHLqaDoTzu71ym+IrXCTrj+18+/hjL/HUCvTOktfyXgkkplzoeazqioY2jkW5jjrxPtKbxg4aHeoYE9wLmmII27ojv9WKiNgowBQDJ+UFYeO8yfDj7X2GWkcj1/jZFJuC8YaBa2JBB8GV/0/Cl+yUrkK1uib6GsMvcymzQYWCaKvZTXBAGxAWqFxW9diaZvhPLNDxTB3uhzurOqmw3rjM6fEHa32DiskdgHvOYsksscjT39/tmuzK4MCbH2Lu8AbXRQ9pEmQXbctU3IQp1JGvInjWGPJTuXCDgwdxRlRqXiErkjR13YGvZDzc36ELe121InlYR6DDWhlr6SwH+Y4IoeISlDfZo/XUL1rlft9pYlWqJpizAMX8+eXcnbI5Xv/wDX2W8zmx0AAA==",
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
            packed: "H4sIAAAAAAACA3VW4W7bNhD+n6e4AEUlBYqcrsOw2XCLDdh+rSuw7Z8hwKxEx2wpUSOppJ5rYE+zB9uT7O5ISZabIEBMkce7j3ffd+RiAX/uJXTCikZ6aR2YHQj4q5fOK9PCB+lULUF5Bzul0WCJqzsldQ1SVPsc/N44CUKbVuJYePyHg0MnoRIt7MWDLK5U0xnr4QhSy0a2PidfOodOC9XCCXbWNJAUi9o0xUeXrKYNI64zK+eFl8HuanFzA7+hRQ6PFLsRB8Dltgb0qzAO4Xbqb0nf1R6dVXTGHB6ExhOCNzhr6ADkvICbxVVlWufDCR2sYbNJjK2lTXJIbjurjFX+kHvltcSpV9+WOWwSrRrlyeLV3R3+hEmz2znJs9PcvTV9R1OdNZ20/oDjH3hF3N9beY8Ho9XK9Jgk1zdpm1GUb8r8CtCoVliUtvJPegiQaUloHXfhNNrrvma3osdi2fy/f/6dlp3pbRVW2wNP84FMJchHYmVjAqYwem9/HZbY5r39fbTgCSRTG6fKiBphOgROJo2092T7PQUZPtA1EiGAaJFGtBGXve2dn7zvhHY0+C6unU2WZbka62bx/xper2CxiNxkVgr9KA4ukgMpamXcEc5FlT7LxRnkcxhlZNxWuE8p0qm9ly7bAn45eFR+D4Y8n4mJGSU/M5l3PVaOJDUu/8IVS3F7BkdMVQCk2q73RL1Q0KIRXZpuWiY552lvNBIyZ17nxF9VSVdmsH4z6CtN2AnCP8KzGz0qfAlbjnL74kh2p20OWtF09AovX8I2jicbhApg2iV6D0lYQiofMC5joNwcgQGXS+D5wgsstS9YdYW3qkkz+PIF2l5rOGWo7VOWrcYMDMHHFITOk6b8yUF4tHldZrP00F9Q9kU6auGFDgU9gqqXXx8KTsPW4JHHcyemo/KxC14l0Oewtfgg9ZOFQz6rtpaf5/7YHt1RFvJYp1D8DVuX586t1ILCu73qKMboxXUiYKq0cG4JUx+wRmNlpp4jrBK3IShOT30hEGGYuA2ZSfB0U/RaeqH0LG6cGvFPgPqmEfYwLgQAOYwdLo8JyoE6UXa2tVYPTx2FahOSWziN2FJWOW6cJWWUAqUNkZNQf4QP5jPsjOXLCo+Bnq2sZxtXo2r9nhvEgVULk2DDFZH2Fk8zuAiKHfIT9q4hHbUdrMcsZ/D2LSRJVrhOKzxpjsPI6p8M1km0nG3gizG9ONemKIohbvFJHlyalYFdRBomVQAzthD3vkU0jKpwppFpSmO2pAGs12tIbhLSIH0PqIok29yVvMqeVzOvlMr1Uy2GbnusVrWX1Sc0SqgSOJSoM0KSX/aKGeKJ4Ny40wA65s2liBJz92QKYBlOOGZyfsiLQ11fHgpip4qhlhyDUOSAAzxHEU9B4VnFGHBTlsVHo9pZ/xo8nriRDV9W+t62z8kd/cf3Tyhi3Bb74IkIHB2ERLUGsxEwzqRwl8OghqjIMvRnov8fe/Po+EE2f99tkZzbFWxnPNtCKuCd6DKgK3K7Fy7ceni/WTm+6hIX1QGAr5vA8uNciMtRJDmMXqjNDyUnPaah6qHT5THBJYGL3RNzZhUSIMu+okrovmu4EFsQA+tsqrHaQVqbqqcaFPj6Uw/y51ARZsS8384/iyEO/64uQCCzdxAoFeQ0SB3pMjKVn55v4A6Zcx0eGhOzA1xk0ZijKUQo8YBjr+pakqCvOSjeydczSKeZTFEdaLp9cXy2F50WL45PCeq0HTxS1mY1LegGxYKTKScOf7OnG+PE/+f28+7zUCHts+Ye29Z01ZKsw6WcDUwv8AVMaaHXYJQPcf+0ujpd/Q8IOy1u2AwAAA==",
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
            packed: "H4sIAAAAAAACA6Ua227bRvbdXzFOjZB0ZCopiqIrR1azuwnQBdoUbRZ9oBSQlkYWG4nUcqjIWon99j234QwlxS2wDSqTczlz7rdhv6/e5ctaV2agav1Yq7yoS3gytVFZMVP32fRTrH5bZDBj1LqCaT1Ti8yoeqHVSmdFXjyocq62uGQL4+usMnp2C2vLta7qHQzUC3PR7xO8ZQ5nZUujPmm9Rhh5pcxaL5cApqdm+UNeq3lZ8VN8ka/WZVWrvZpvimmdl4XpEbz3c/i7zPLip2yle6rSRlef9axHNBjVqHlVrlQQ93Fx/LsJbi8u+tfXF+pavVFzIlgBrpmqKw374cCy0EQ20pLXtyrFnWlPpZ+z5UanhDySzO8mxXUZkAM7skozDcAZAJoXtBAxifHAtFynyDw8ATalyJasLisD0Ilx+XSh0rrCU3Lm6z2CJNQRwPf1bq1neq72exwbKFNXxK5y7Z5N/l89Gqj7slyCUHqK0By5eUa7HUgmTaM+AL3dA3BEHdS+KOuBKEaD70C9fYedOFJWRwNTEE6dFbU9AeDzPJyAh5AOTRf52iizKLcDVrIeMfahKjcwDtyQwU0x0ywTAFtoEP1nEJPOgFO4aKFXqtAPGeoiyA6wjc/Q8Vztc/MTUiJcAZT+AQgc8TQrdh7fQH1rsIUQFyJZXQiI7pnVuBjYEBFX8cXAGf2LC+IJkLCCdbmBFzVUSTAcBj0VXNLva/qhxzv6GQYT1lX1ARSh1RWPN6JfZYUsghdWINFFMN7poiyNZgsQQ13FiI5+JGNipBxkQCmOYw9JQCMvABkYJXOC9z8IQ4Amf94UO/u0XOITqi/+1Y+ABa0Cxm1gzlJD4kcFmRl1rxc5SD0rWiwGKgAhwugDbhUnQXABgQBlHCB5gU+HdQkMpJiF5TpS+wul8rkKkycwivNiutzMtMEdETiPelMVDoHbFgRx4ZTcLwEgDHG3DJRrNRwOiXnqcGDX1NmqRpbAgSP69qJhjr1hh1yL7y1KcVwxuJD53Og6BVFuCnB3//7w7ubVt2A0eW3Yf3XkvcyMEVt8l22WtQKwGuXw666os8e3VQX8RcaRZlSbKQgk5CPA5h7XYH56xqxVymyA22Fqh9XV3j42aXRLS4CNJub9oFz8gDMNUsbaV4Dbhrk0HA2u9q0jj025qaa6OYxxIvk4TifwOE6ja/g/vbV7N6t70Pyh6t+MYNnLQ/Lq5m+T8ew6grdxPJ69iHA80W8nyYubyUgGLpPxNr6ZRH0LR5tptkYs+uMxrn82Hvfv50VVTw6bZDx7c/Muu5lP9t80UV8QszvZwSH+zwhP2In/Pb58eQO/r+aTA3CFoDfR9bNDQIuCk0X4GvhLg5ZGkz+Qs+gPh4fL4eH18HA3PPwBv3eH588PY/h3SC5f34VRMp70Ji1JGB4Qras9MrhBfoxjeYmuW+h1+UkXsK7QW/WLfnj7uA7TRI3H9XhcjMfV5Bo2hqPXCO3uimJOEx1ggDkPQ/xgxUVzzBOYE+8fpSDxFyqlOaAGZ5CozibQwrurKIJAGOyCSDzFLzqbGYnHoP/3O7Cn6aYyEAIUGM5UF6CWmRCRLWA1aTur+c+YfbA2fwXQgciXqHpfzfSaWANvR4qOh1jlJs2lU4d0uKfPdfZJhxGrMfyQg4YhjteMS2upsJPjWlaYLaRWCu2S8gFEFAASLDlTRJKxSOiswh2NgGOgrP4BIuKjXYCk3Xq7JX4OZb1+1NOwpSUaxTzPO9C1XfJAxNAqPd8YIU6phMY+gYPuOWwmAPv9/e9g5zGwv8rBfwmIeA4rwzDpQdoGUXsSqeEdP6pLcH4YyGEF+I8jXhZvSTpH5LSvLS0t7d6CrPZ3qhuHZ7zUxUO94LXihum0juB+zXaGE1aQ1rYqwZa3Cw0pF/hYFuW9fshBV1lclj8dgR3h8MLpTmyW+VSH7VwUG51V00XYTz4qsLECLKwf+eJDw7DQEEKS1RN/flZu7jG5HEIiHAwDCBacQjzHxwwFBQ78+XMcOuBQWdHI4RCoxmPbPMuXYfBsHKSBC0N4NgWiDAJFadCv/WdT1hpjkkgcwt77bREKFj1lt8hAgu8TDGEZ+XU0Tso2EQcvxgN6We0siLCxsaPn8TPzzLEqt+SlvOgVZn5U+oJBFhQ5SZQs2bz2UnBYAQnSFjIogziyX2JZZ9MpeIoQUp9tVnhhT3SJBx33WsWLgP9nHQVjGnahkQ0ysXyeTEeeoNLgas/DTZA6eIXWMxOyeR7HZqvw1oAp/aCHkY8biModc8rJ7QKS27DaLHVX49mohwpnrLNAQtxxaPABaHzg02EVlFQSZUMLOhZKkD0KDeDTQQCPefGCLYo9+Z369pvuKbValYDlt9+opf6slybomNg55D14NzdPIMRp15H9GzgE0jUAKcJALeKCgFwgr7WrqU7ATBsfwkisG3mdL7WwUFTBQQN1oH3xemMWIe+M7E7BlBew1wOmvAJJ71WCMCYDObVR8pS8lHObDrFCSRiQiQbgNXoqJBraGRAh+Zvn7RRhvCmyagc4Od2REU9sPmnBJUKBPDtwWfNeUa0phkSSP3OCRfnEcILQgyUO1NThWdl/4QwrXl8rxGqD6ElN5aM6amGr4NaZCZq2GplnS6MDz3rsBo8hLQyP6MTKgIWEPMQ/R/WMc0cdT5IRpreQq7cLGm5/UB4uVRmUktjtIe9v0g4HJa+U3eiAAhxCFBg2lAVYg1KHqKzyege6+LVPZtu/ccgiBOc2vyjPabZc8lofI6ytOhtPSlgsVj0EsNxqOYzgsH0ibRFRP6nAwo62dZCDSi46A2YgBbIPTNjE2bBlFPXXOL4Ccl88huvOu7svHUbz3NBpUSdNbHwWZcXuWAtPSlmPQbD87Gkw7g4LkjA4G/1GHTwGkkW2HJ10DDgJEIWIuOJ5FueA/lSlAy+voFT7TyJMh31ki4wQmTFpmG0e/CWVt71Ne8oSKl1ikSfQk2o/amNCx8X0gtanc9Y0/MsKJN78CbfFms+BGTuEQStiPmt0agwUL9xoV6eciT1pfhH1O1ppeTPx72VehAFI38Pwsv/xBsv0qz577y/LHNvPD7p6QrruLO6JgoGAuLu2KWmQ0wBn+Z0QX0PUdFnpkbFSikn9ncTmO6exhe1BsIWkRB9lTLSfq+mg5ZmbEeFHx5mlB+vyiTBjI8QRG1tedNQJ03bGpCcsIyA9hSB6KnnV+3pyxPfjkocY1uvWeEcZ+kK37X7jWuiBAYL0CkpLm4eLI+mE1iW2NY88GvIeipdJYJNaL47gRBR0st1A2qQ2XHWo4mPY1WGuNjnvngmPqGtIUlvPSnnllK3rA+WUMykf+oAz2Qcf1OG4O6yxbUJkaaUN9vWAn1jhYI5LlyjoCymbd82Htmla6WxGTqqnXKbdJquGGmxYeXFDhbskXm+T18RcK7DC81CC0CZEbdPeuSCOeNPCEueEKzDuiuR72JutlO0d0QSN82lG7eUuglv3WBa2Y1QUNhcnDW5Ch5dgks5tHkDTIzwQTKLzt0Ou/VpRSwqzIyU3XwYTJySpg7+9MZnbi4/TZjVdofG6kJdhR9/kM1RtjICuhy3t3pMM8Wj8trscUsN2ZXp5tT89EJfYPLxJb1u5s9+x4EF/RoSQ4iZD2xe/5AVcZLRH0TF47SKHRA6uNNT8bfEqW4dhWyz5OK7Jh3SQwNPVwFYOHEJSyGYRVKNSXy8tK8mvwnJ0qqE/SLAg6WwPQDeRhpAaY1YcpWognT/Q3q7QiDg/XGJ4kcBiMyTVOPHZ9j/5ZMenjNtT/gq5okBc7ZDcVThJXu3LdRPabmxqQZxLM85u6QG/CEfZ7BYhGcgD/OsOoKIRnhRBsZsNLkzsiwRz8F7NBDcw/NS3fN+e6PKPkjQMKdKY4RvBaVaAtOhiEG8vnrQpzyvQVZs6ELzmrLnVJa2xSul5OeAwhWt0DoQ4aSI9QaFsI7vTYrMGT46LW60FZZDbwctLHGS7wicuuPFdjUb0DIrhQCHNCMki1bYLeFrA9mQjrKSzfcMSS6RTKFMF1aEXEibqPL1ZmY0gmEWxKVc6tGQ7PUHmdYKM24qGYjd4EKlqIz/qxnpy/3V8DCgMSXvgyIJckSmjOObYQh3l/5cv3X4LI4iteJEDeZQR92GAJeiGUBrRCQM8o0L8z9FBV8Eieqw+pN1yRFWLiufSRtb9CGYJvwpCTsMQNXmDVcQffj0KxU9iK2i2x3uIHkXoNt7JNT32BTCRANkGlFAUkF7cwhJMxLY5/N1AmcmlEvZ6pYDIqJNec+rBFyFLPYf0ZNO1bLLMhg87a7x4hc3mS2t866VsYogmSPWpUHSiMpz9DIVH82VW/4gM9lWRjLE507PLzW+yG5ewmYHeh/a6mUaxbLTBhm6PyfhoSiqskXJvQMK5SxFfVdxxSNGICGUVBWFalBgmDDjb7agDLEiIQirwqMEmNsMP2K236W3T1X3i2ElDEXsJ3WxgMhDmIkx6Qq85GrUoeSYwt1lYS4zxFVimR2dyIyQ6cFfiv9mPjOjrDVJJV4z3uKVFn82cZIO04Weu6V0uGPo3oB8l9l2lkZShtq9/ab8v8toStuuBNjOQb5LCBF8nkZdP2s+HANPul0PUNUMCtl2a6PsrvC+c53o5G1CBRAUEmuPO0AdGqJvkfkjlpBaUfBVkg+c+6JqvHbm4u7Xfh+AHIVAirzL58maV7WDss1b3FWS3sCk+H0YRtxCTHnddau/Bar1a15attpporamudq1dibyPSw/RQ0gCaqjKjha3tnKr+n31g/0UQpgCSVgpdztSTEhDxNM+vERBB+x9JuImLXN9rRCSbJFgP8wgH/yvX9//FHOZks93rizCcCwHHXuDS8IMtqxCr5/XnNnlTmobG1Kq2yKScTy3l74jOd3Y/zg218mzYNL3dXp0BHBwli4+pwvRDE7Zg1EfeWMnMEGkbHqSdua5U0AhG3PGo1hnMaJwKtyKXJAC28d0kb6O29XafQMj1vSITQT8EOY7tKoVakQO5UBN30v5H8ic/YQIZ94TQCGLobOi2zwJfMUHmPynnpYz8FDBpp7ffBf0MCF4KMpK//39j9xtAp8az2hVaDe9LXhTFGt6Yg5L3+Rle17UXmA3F/8DTp0U4ZspAAA=",
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
            at: "/console/form.js", .script, tag: "\"928ea61f3e07a6ba7c0ec206d48ca17f\"",
            packed: "H4sIAAAAAAACA71Y3Y7buBW+n6fgBIulFCiaLBYoUM9Oppv+XBTttkCC7oXXwNAWPWZGEh2RGsc769sCve1NX6B9kr7JPknPD39kj1OgN02AsUSRPD885zvf4dWVeL/RYm2HTti1UL3QvTd+L5bamUYL453w+pOfCSXWRrcNThVarTai0atWDboRne6WeqjFW+s3QjfGC9trWlVfmG5rBy+ewiRXCbdtzUqLg1gPthOyrq8+ONvXH5y8zrN1qztQpAKZbVuJbatMX4mxd1r3eelVY7uThYPu1PAAUjrVtpOZbmN3J1NXqre9WSnY33m9fW8n00l5mn5x9fKl+H6j/UYP4IPfv/vTdzB9MP09bgCPqm+E6ZN7lAOfCQOG7ozf2NGLj6P12tXi5dXFyvYOP/4Z7RE3okA5pbh5Q966reevF+Lm5kbIF1J8+aW4vJr/ML6Gf6/o55f0d0kvX60XVzVs6wvUqN6qwWnercSVp4O102pYbQr2YCm+Ea/BtKjOe5hC2uy3mrSZSzZRVkI2yuv4+8qbjl/GQXlje3weByMXtelX7dhox5uw3y7ES/GtACl+sC0FDgZGDJe73WC8LvD0yzvQQngL/tttlEcPOrV316If23YmwPdhlbi36Mq7nTK+aAa19nkpSuPVTvSWT2qvIYbwhHAjkL7SfDr1BR7HeuxXaEVUsehVpysxjC38Rb9VgmTAWaKq8ANiS/F0IQS7zm5xuQPf4Zpa92N3W3dqWxRgKHmSDoKdadZ7Gi7F7a0oaAH6ig98aW2rVS/FLTjfDyN5ea1ap+VCzEh9cGqUqzzsuBzh/EH0k5BqMOpVq5a6lTCXjICUWekNuEUPM5iwdJBOEq1ykMuSYjWcqnqFK8JCcUApZi2KaBtEE8UQ6Tn2jV6bHpL+p59EGpWonsShsChHQ0qyEJwluy8ZAqdyAxaDKnVdh9X0TP7BfdWy1eekoaPoCf0zXyyuJ9v2FqDrJqJIIR08rdD8J9w6e6+CkJghFGxUf69noqAz47jEPepH1Y4knQ4AAOJQoc7HZ5zEsP4ohnQRgpbPMOoBY0gH3dArGXLOrbdCSrDn1G0oNy6TaHs8UUHbTXHjdpr8pCJNAc+zhwbtx6EnF+HAIQdVxAEGhByh5X+JgYBlQc0coYi3iHBh09tTRMIckC9eSNQuvcu83rjvRkr4kFo5U0zv9b0eKNxOPvW0ZLLLaRygJChZ6lwkDHbnZlFfNJhMqFvd30NZeyN+8Rol8mAKb/lDLzGhxddgx1cVOdj029F3IHmWrQDjoFwaKEoyZHMloHq6LPGWIQpycwVLZYxM2iwGZgwrTE9eVsbj5Jg9QZscwvHwBbkEqoH/9ei87f6iWgMFe19ImWb4YZ8kiWfJUMPuHagTc+I6z0RMPho7QBx7YAp5t89Jf78B0M64XYM24oqpCUUH7u0g8rxpE4Afic2WJuHhdxLv9aCx9iexYe4B/9PzJOdvGPoxLunMIyzy6OU0D8r/xayLkww8RIYBhUtRQENEPDislhXyip0dGiYPqVrRUPEkMPAhbvXH0QANq0REy0q06sc9II5piUN1pjfd2MGD+hQeTP8Himsa40dwwaSyLS2Yh9VlPk/L5c9/+5dcVGKe9oGRf/JI3lCGjJlMfv4JVi3I9/W6Vf6PiKZzEola3/cLCveCRp4B5BwB/+6LJ5x4EF880azDXTn17fzYN5jPMr7I7Cka7xSyXRqT7DoaxoeZaDWcNrC4CsPuQeutIzYCx4zbUqhITnv2Ni3lR6TMXFiQWRssdgjhkeh4CxGwtM2eax87fFED4fV6KN4yHyjrDxbQFSt1GWMFec6vAElVJ57Ac99wvgNgLD9AgXlzoCBiNRNF3w52qwdvtJuuLpjZ8wbk8kdrmkPUOmkKO+2ASoRchPhHKtwHqr+O1JeJ1m4DDB3tXOp7A/TBDihRQFvR4HZik0leygsiY/oT8fIU5dyH/A4aE6pEgNCs1jRKT/G9MY8E7QFaJbY1EqG9BTCW94Mdt+jKI7oUJ0VmhG8BDlrtA+0ItQkHEhrgywbszuWGsAGTptc7gUHNKEa86ue//v0cO72AxTmxGWuJvxEtDsgZdODOqWBiyi0LTS7DbEazWHlxmosQx67jKs1VPylN85D9UwBEzUO7FroHojtPgVkqkA6niXiBrQIPUsPkSL/wvVxgRh6ZR0hN05m6H1FBqJUgO8CuqzfKsXFMlRh28XFSYTIepw9xeQMxEXwZJmvg0vErQPWRInk70qI876+ALaw0hh4nPsI39dCYBA4zBQRhR4FwgPiPUB/aCWdSC5KKAgY/7nOvuc5BLsJZPCUoA3AIaj/oPZzo4hrYYJL8G8hsx5FFRTJtB4EMOxZlqr5hkxXgylCkMhnDJSFsqIlZwjuY4SDJ0YJrbu1zHDPoYCTjAGqgG65d1HVZv4mdMkAsAgZ8BsIFLkiK4mF4W1Euvd1nfTG/1oiK54lJSApvMwNZc704Dv1zNARPmg2/TIFDNXwLDAFit+BrBCzgAfQmWZtNhnpeTqUPouBY5qsAgEba9OOoh/07ov92+LZtYz/CWYN8tEKfeEtcktbWjXFYoMga6AazlHheqHQe5Vg5pT7ZTKhK6F7KE/YzDs1Dn5Uiq9aPoGoRE+8Ne7S+D+nCucgUOI2V5Yl0QLzvUzii48APkw6eL0h2KlG4id8IKWH6UbyXx3acqnR5RqXPo0B24FFosXOCa+JgOEu7GgnT8SgxraHdcUUDo1hzagXY9qh/yxUIO4HzX2pstCHSazJxdppugi66iMZW+VgSGygIZZkV0QaX1Ak1MkDzPF9cLI5b0lARU6CkykgXANhWpqlcEKvQneTeeav6NEoXcbHo0B1bcQcUjBkpii+RiFVZ3JmLlZMDrOJhTUb4UmjSi+eSWAXI56+nFSXLZim5iuB1GrWLU06YjAzph9wBmSM4KI1EjwEk2Ef9jD7cAZw+avABijkgVbzL5ofbBSiLD6c93ASRz0XppPUi8056rc/hAMAitBxU37jgBFDNMw58iSH//Q858RaGHHssIoGznZ4AwVHUJWdOyjR5+BlswmfRAVWO179YOnpEA6en4IkJHuH//wGjKI/z+qSRQz98Rtg8XZUtZImZCWUCOFHI68CGjrIcwZKklLc1/aaGE91+QD7/H9MfOEJ/FwAA",
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
    /** The fields whose content is in no text, since it is no JSON. */
    get waiting() { return [...drafts.keys()]; },
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
            packed: "H4sIAAAAAAACA41WXW/bNhR996+4BYpKKlSl29A+OMiCru0wYB/F0Ax7MAyYlq4t1jSpkFQSz/B/370kLcsJ2i0vkcn7zXMOeXEBf7fCg3SwxFbqBhbXixIEffgWAe9QewdmFX4peYdQG62x9tJoID9eXhnjjyadWGM1kdvOWA97WPbeG10CKtxSpBJMh/qDFMqsS+iUkLRncSWVggOsrNlCVl00Zlt9cdnlKYySziOZOrR3aEemceGR9XLn0ZVUaM8ZLW6F3ZDvVih1I5YKS/Byi+Morbl/FMOh91Kv3djKC4/RbHLx8iXcULsb3DnqmwbRGHBmi55muIYWLcYh3rdhSDxea+6pXHLBzlXw8mKCDyGZcDtdw6rXcag8oV9QdbkVUpUhQwH7CfDgnadRaIQryLXYUgollqgKuPoRZmnEedb4rATdK3Jmo8p1StIyZEW1FV2eU8RHHptlM7jwbglkPS+K4dwo6Mki5pxfDiXRXKmiWVVVXHJMMovJyZoGiXYeMy7W8HwfVw6LaDGnLLPso6spfrYU9Sab88I1/wxz47PP5qN0pgtzOp9BCXdC9fRLuk86JBtKD/tD9cOy1F3Pk9qD33U4haxusd4szQOthU9spiEawQWdn8IiYeLV8z0npgaoJACjpxSjboVeU5Q85D6ip6KPVOWwtE5LZHh1FauGa+h1QzTQ2MA0rhWEvENxnDZ3L+6F9CMC5fuQ30uvuPxfGYoMuWOm7Fh41hKcsljt0jS76RgsKoygVsI5slyJ2rsMDiUfajrJ0ZTjMTIEz/BXxNgAn5ZfSBoqimwlujxgtyJ203kHSOyjAxxSoOB9luaxxZNUQ64IAwIvJWGwfKaeVWIkkVGbQEXaWQnlHh9A9IpHEPafhO19QOQNKYUDqeGvm/c8UNs/CcWWp7Ki3OTZzRPOsz5yI7VR/Va7qA8Wa5pW+OQ2G7jtkWd3CRpZ6hrhRZm+BXizQV1BdkwGSWDz7GdjqRg+NaoygnA/GMGp4lWwywOgjn/K1IKbriwqI5rx5iHwI6IouhI4imIeCxBBsQg3s1n2XhmHQ+4BzjTCzkoayY44zF4Hin6YTCKV0/VC4kH8Jl0AVmJmdmzgkBa96WiR+Xs5SYovmuYjO/8WbgaCVybqGp076z6GrxTqtW8pwmtujFNwi1xI0PFPxCi64izdY6oJp0QZrez4SrPiPkWZxhtQUNXfv35NSGipX7ozaSoIxMt74QI36Qi9MWN9H5TdmzUhNJTtchqAt4Y12jQYBZ6/qlY2DbK6PRv9TOLHDiwp7zzVRyeP1LWV4hUlIgAhS/Rn2tHrfOxchPOUK8h5kEXCBX8fT/pswBHEvrch6+FrY+SDke5Dz5dRYNBxtqfjC6Ge2EC68HMucXwt51Ggs4/fenOU6RgYk7CS1rGEz6IP8/VPos8uyAHe8r+f+C3AH+/WyDdL6iVIzspGGR7dFd5mI8QHY1bDgQ8nw9N9mCgYolUbekIdITiW6qNMj62iFg8hO4tDzPA0SiE9PvjKKVljTrh7++bND2+LIJTEL4YlSRJzsvw/dJzPw6VyEvyQKHD6203GUm7hxYuz2m7PHgkj+7QvG7i+hoyeHukVUmXF7Lv5fyQLD7gUwcl/kGOMZhGB+LXM/LZLvsIXxejGeHYOZGrlKNZ/mPRuIxLX9IqDHXqqNNHjyDxO/p6+WbCvYJFwmj/fh5dmfha9OBSLwJ/RM6lpmBsn1EWCJLdeu1aufNq+HG8NxPtd+Lba0vDPNkoWpOTBLH8WKFew5vPtZXqfMy/J7M1glkjJ2BmqTCoQ39o5VVucyeXkXxQjhXYrDAAA",
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
            packed: "H4sIAAAAAAACA5VX227bRhB911dMASMkXYZy2jc5tpNekwKNg8ZFUAhCtCKX4toUyXKXVgSGr/2AfmK/pDO7S3IpxykKJAZFzvXMnNnZ+RzeZ0wBK/Cf3PMaNrUothJYXhbbBfBCCSW4BEVSQkmoyz3+4SmKqjJErQS/lZIbif7DIBrNxK4qawUtiOQ6DeGe5Q1/qaCDtC534EXR/FaWRXQrvfNRlud8h75v+Ee044jWPGliXh9JbxqlyiKEpGaYQthrh1DlTBSj/jwpd0eqBdtxeZ06MhVT2ZFQnAs058hIXt8/iCIuG/Kpas5tmq5GVu6PcyRsD6+YzEL7/HudY8ysxpgUwuhoK6b4kbpUvLopHSGFYBmZ2fz0FF6oQ8UTnkLb1jxnSpSFzEQlF/Arq55LRXUOoSWpBfQ/N4er/kd3GULG5G98VyqU2JRlzlnRdfADj3OMkQzC6Xw24x91RDHaV1CUKkNlI8MTuMBIj9wXfE8h+AF0NlTdgkJC0muVKTCgyCJ4UXPV1IWE9i3mKSR/7vi/7CgCGwCThyKGtCliHVoyil2nPhkLoJ2BjdN2+wWwPRPKVjiq+Z8Nl8r3fv7xxnOq4nsfyIDEd9pQEMVMxZmPOVxcQtHkeXCOpkUK/lfGcgAm7mNAzmE+h9cKMp5X8hz2AsnTELOQP7zmgDKoAnFWipgje/p4sd5xxncsBFk2NX7C0JcrrP6FTSUiFlEQ1u+jsF9vbnmsIsytRmL7xuxVNJGGqytouyCYdIB1HOW82KoMLuGMCtiZEt5kfOqQaqjoJc0LfNhJnt/3g4SBxpnKJIo4bxIuqfdITtSGk5FT2aGmVjh5QxJ+Q3Q5yhM6t8qpqKUiqPyBVUbLs5a8gFL1vCCSVS6w8CE+7hAln8aArq6eB/Zr5AXLs1XgwLyMoil00R0/SD9YRanIyZ1P2WhDJpioT9j3TtH7p08P3muFQCNrstiw+G7PaiITFfE9Z3eaP7qX9pY7PTTwz19/w/rmj7c/zt++vHm11r9FYge4Hd3EMRzS5pN8MLpnsxHxRH7HsYET35SfACcK6HJ1IX538W7HMJD4nW5PozfQo08mws7ye+kgGJKMJFfD+3AcFhp04wURRrvrEz27uvlJuzl064cOto6hQLtDxcCEOzQIzuweV4Op87EqRaH0kLCnhL85mO4wszeIblHCx+4xWmlZg29US2IzUcCyTTdFH8yS4l71HLPx9E5pig+o9U2R0EHoG9y1aetxiDRnMUcte7j6ZCTs4x9k3fgKTtEZvSuq8utCa0Uyx8Hj6w8RM0coPvGCarTAkRMYzHSZ0EqoGWBebc0rTanlyka6su47/feR4pAxhCg0trVGN3LsEaWtUTIP1Ifa7WQiDc3NJlPCk/Z8HieNgUXjQOOCoNCk9U09Li7AozHvAflAIPR7nAXm05LeuzuLNYCA0cPKdA0tQNTHQ3hxmTe7wpx2bnwLy2ocXZQBnruJXrawfjobc1Qgme3h8sVZ+b12MtCXUg4n3qYEHsmNOLhiI/8wJtyYECWc7WYCEFCocvWZceGaMMIL226orUtnBiSNYY1wEExOMSF/EtumxvMnZblEg0K+wzx5sgDtUb9Fm9g3PBUFzQyCfDGNzuU8QXphkhhkTI/S/ECK985/eXf9JjLLkEgPWD45GQ9sI2kr1KaGaW/9PU5fLYA9M8RrbVqfxmh/xl7RlJvghCPXiCzgpDVP3RrTnwhp/uCmgDsn4vAhhP8PhQ2HUrOx4EmlAbdt7nuyYgUuRFS0UAua0XEWwjdn9hC1LmOs/dAQAwxB6Jq/RC148gTW8PVJq1dp3/n6lGx2a2oezdxp85iE7TYyEODzXp1m/89Ra9GgthjGwFi3HqNjQOi+wCRuXB5FAAkrtjm2EO2OQuXYyJ7DX5BNnNlFkyRwK0KBQYfKqC8xBKVLjMGpuft4/bmMysMbNwyyzTZITP5xAU+fDZ76rPF7WSzMXSe+w67h92jeaRj9G9lQVriHV2yrSd2fl+bi5S8NbB54TtQ4/JAcuU/3InswfRuEYwJMx57h+rFwrkQOWxAC77rihTfU+RgVO/FflXvYseIw3lpxsu4zgQCTNeeSOy6dSBHMrMbbAq/OgTOULdGXpEWI5bndYnfuhLXUscC9a3Y7VtNCYntNY3a8ZE9bzB79w9BYaobKlauqNwZ6G1gOWEpZjEf5djZl8wN9p2tMa/jL9Wc4FnSw7mHVlxw8wX2nAfoae69tFouxzEbeLfS6PWnJtjsGcJY9GKlBtzhpv8hAZH3XYWTPgn6ujQTT3r0HzfyUlJE71Br4/1+dNeUQ5RAAAA==",
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
            packed: "H4sIAAAAAAACA4VZbY/bxhH+fr9iDzBC8spQbot+0eFycF0HCZrGQW0gKNxDtSJXEnMUqXCpO6uy/nufmdkll5TO9QeftBzOzsszr5rN1MeNUTu9NqpZKa3swXZmq7rDzszxtSqfDP6znXouuw0OVmXVmTZVulZNW5gWHwocF61+xpdV06qmNqptnrOrcrtr2k4dVd7sDm9syn8/ms9d6shTZSqzNTUOwLZK1a7SZY0/bbPEg7e6LdRJrdpmq6JsVjTb7Dcb3Q58WYC/mwNYd/u2NiH1TnebCXne7Okqs911hw+d7kxK8i7LojC4dA2ZU1U1uijrdQotcvNz05U5qMg6PxhdpKo1W90+BtfYDTQdX/Osu3wTkpj2ybQTonXj2Gq7oU+t3hq2K0yQG6UtjGAsm8aa7v0zBCQH/OIJbXgB6TLhvzXbpWnJ2AFlNmtNsc/PhPkJTv6oYfKAaUffhe4qb2oAgMT9UP7XqDv1l9evcTy7uWHwrEpTFYIeQkpkHUhu1WLfVnGyUKVV3cb4p7oooJvN1M3synxmGeQGee17ZnenYrycqLvv1PFK9QTyyMEmjsp6t++iFDoIYCNrdJtvcBLpttTfVnppqgjn3zPryNl301RADo57NFtV1pD/971pD6Cy0HOu/vwnAMvYDoQk+rcrxwTyKABkTpja6HoN0pgl1fbxJxDGrDZJJW/MRfDsSVd7k3VtuQX5ly+q3leVOiWw+im5BdPWEIyF+Pbq5Ez8ARCzzrZqeVANTNkOkBE7in3c/c54qZPOsmzrJvaAi8dQGtOmHnlxkjXPNavRGjbbXHXt3rCwJNh7Cr9QMg03Vfttfe5Zi48jySg8U+DiDYKvmNou9bE9d3Ed99rK44ifRskZHxKNZft1ozuCndVlD01kMvav0ssGn0uEBmJ+hMPVvs67sqkVxdTeUvzEwFbT6Wou+cMgC8AKdY6YQ74BVOAeRCfTQD1HlASo1RU9EILruzu1rwuzKildffNNcMyM1L1akLyvjswo5sfJaaGAwSjAyMIT8FvJ6dURt+D/QbR7FaWcnLdNaxB+sAfFoGQjVTTGqrrpJCaZ+2kBzA1R7TI6ZKHXYCjhsfiPNdVC1XCHRYDT9XHHOb0sfF5HxG/1Iy54Zi90iuINSZrx/gz0Gj5E0AnoCvoKd5hqddEZuPxvzDjmrCQ2FwtXBuAqC0pKxD2w0JGjlLT5sSN3HqyUMNKGRNWVbXphGAks0Rrli4Wgt/e7AraME8fMO7SkHDSKkmxtkI3INFGi7u97WehfuVIid7Yr80coS84ugZDhMMbXkJwuuBONEq8PaXmf5VVjIVBIfC186qYwWWnfNnVtckage7GHm3+J7XV/f+e8FUecQFHwiLdPZV7jXmeLIgS1+eVrJ9ytms0YY4QkhgeHGncT/NVbtGc28VWgMvNHQIztCgberomrhAhIOpj79On5nILPIjPhkiKP7UNfpnYmaTJn7JLDkU/kPZzRh6/bMaNAiLlvIeYTAbaatZ0ECb03EoPIEmFHfZB89wTu9vfL3+DWTFtbrmsWnJxG7Fhar/pJipODyQS3zc54F46wMPYHUU2A5rgam+tdyJbhx+r0tQthNWI+Rayjo0IS8D71qefXjeH6xqmD0jMFLGJUU5xKynqsKVEeTBdUvtK+o7buX4ZLDBkG+cZKk6fJPITpa5xmlanXSAPwdczP2dFRLmGD1i+iyhw+ak34EO9pAUePh8QVnSt1oxbNjlKWXcy5I4F3yo4ylhRG67pPFeshu3WNotilystA4T60x4mK+aHLw3SF751fzqYg3Lp8estJr9lzGhZLshVrk1CPS74m3MJIOZKg3EWXuLS/QdebcONeGgvHx43UfMi8NHIMQRefKAoEiQ8L0NfcOJOWxNDVW1dGSE+ZHGIRns5dS8haOOEeua+3zb7NjbSCcQlPQ6BpPU9SlrgW9ePCdLokckbPRoPMGSbJri6VFyqBvyBlxc53rkkMS/gx9CYyzZ1ytLe+BrGcQSTRYd5sgRkV5EquwELKxYhrM8mJ9n5TYmzwBiB4Oy5VuS0J1b7/9txhEzolUTN8vu2Fld4lbJPtTtec5PMKCQTFfrtHhYj67lbeiFwWCZtxcAm68lhqA3ljIFw2xSG8rCifRnfp2gKvY+as9+Sd4DENX195zAmdzGqeh9kllqSEDEWOmfvAcxqSjSOP+Ln3Xibf6bw1NTec8te3+FScB2oKT04cFDJkiElBcpVkVOylF1D88JQknjE1xCi1522w75QvtcmcKQM7cHAFZtItwq4ykeSGYW6NnS3EzTLq0nzipx+vH+WAZPhau/GXvJGymynR9SiTynHWm513g0M7wa0QlatRG9wXj9DOcTDB8jvJiKfUDvmSIWflbbk01JZNqrTjLHN7HH0cMqCye8QbtX0oJ5nA6yQK+hZYhsmhd/ZZqrSuQ3SWYDK+XeJjMXv64wy9OFIGWvLZv++zmy+vZpn5bHLOZJ9eP1CzfTWpy/Jy3FtB8gS6Sd4oJNOpzV8bO1AdJVOkMoLIrJaqLMt6sHPWpRbr8jQ1rmpE2I9hYxbUaQ2W+tHNUVyiZYjBLC17DC4jqP+csmueXJ3phvKHSSGuudFyEcxZc9KBjFMpH4l9JnTcPxFgk5CIc8XnLjzK4Mx3TwgbCjZTUxvMNT9KXQpI/g+11BSQI/yl5LguY8gtQnKfuZJErjyepEc8XYU2WJo1+kdvALYIV+Zk0Arekv0BV4Kx/9xegicPmRKVS0JIUG+l8+hh1Xci/fbspena3y6sGISxmCPxwUWGigeFCA5v7KPlPWBf227dHGgdOmQYA0ZhEiDiwMDh3mSKDW0f/wEuvWUofwgSfM4QQaRE/mFcI/ssKVNAjyCxbEih25aaibvJ6DPcJgMP8UFvOLSaAtuxKJ7nJ7cXKO0PKJwPYP7JQWloQlO2ETxSAx5wUdHke8rklIgh0DvJ68nDwPksCFQQP8PJ1F+8sghHisFv0vGfIfZ4Gg+krAWlhGsWeVW2tnu7Kat+jF1BdhsPKor+D36AkD8k5lcCT/yQfJW2D7uAeBxMXrs+nUgD54YBt1vmHk6kDZFgZb955imXC7h+8niIMRsCEa6CSWGFIEdbRasXWqkEOyTvBuLv9OP5U+4xmJm4F06G/BVuoH3UhW+e3TpMZcyDynWw346d3slou+5PJTOlkof8NSdFcjn395D3ooxnwMsrCMYLCZJxn/4BjUreNXBi5tbsNNQH0rrT+IIE12y5Syq+nAyDTX8c/dxwrV/RrqfjpTWnVNAN1Y3pL97+0orlgjwDqYS353YV7lLe7rsBZrIC/I7BMXhYiCjx/LVpKqPreBp5k+vpcep4w/B9V7jcd11Th0vy/sQ1x/QmN8e80a6453Wpl2o9jEo76CGhR8lIKZI2bN3cKsMvz/oIdVXubEcntvL9unSReo2MOJdXpL3BxXPlG++wOfRWdPsdLoLHU+S6IhojSS30QeIZmSujWUSn/PtA/ztAxGOw34A5hEhiS8gMefgK/ZgFK43fkV+6wtZMDXWXZmik1iTx+xSlDmccoeaYZbC9ko9SHJLzVbL/eS1+6RWo/U+wZ12CvpAs4kVyTgv7MXEwp+OymCx6aKalaRXtnV+n8wgrO8Dp6zSxstQ0zQ8LRhlkPcWwFgzwMonHMdqOo+3iCHcDSF/aPPmt1lxeli+Xl2iX1lkXm9W+a5ycijPON2u8/fofnlqjVIodAAA=",
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
            packed: "H4sIAAAAAAACA5Va747bRpL/7qfoQYwlmciUg8N90WB24DjOJrhN7PN4kQ8DYdUjtiRmKDaX3RxZmBWQRzjgPhzuBe4V7vs+Sp5kf1XdTTYlTew14BHZXV1dVV3/m9Op+LBRYtXKrZqJVpbVRFjdTMSdrGvVmom4V3v8lXUhLAAbuVZ4kJbfZFG0yhhRY7XJn5XbRrdWPIo7tS5rLDL3E7HcqOX9eyWL/URspPmg7xWmytq2uuiWaiK2EjOtWmpsuLQ/6d1EGNU+qBa/5br+oXa/bzsrDiBUb0WSTx1E/otJLqNtOwNUd521GotUpbaqthOxKqvK/f1JAflGV8UrGmkqSVQ2rb4D6GvZFkQHwUUbFXp7vAtLhiREf/ZWQTzLSi+JV93xhnJpMVhpWZT1mjbqWokNjdzHLGz07gj1WgNYtka9qySJxihrgcHEq6y0yi17BpEZK56LK5EacLu0us3E1R9FoZcdsZ7/rVPt/sZPDTBYOv3ySz54OvEZn+qET5HPG+e3KXHgi/ViOPm2XG+sO/oSv/IeJy6+nHoiCA/ouH0mxG1i940yyUQkH8KDpT8tlCCZTxiEKaPB/wwPfzsG0Y1qpS2Bnmbejt40/ZHFtqwDNMgoyn7+9ehteQLdNcZiry1P/yV+6U5gdWfv9EemoX+6O4GKUNwMj+YMnG6Vg/IPxQnMVtm2XPLaH4fHLQuSzCfAyeUS1kfDr/oneSxGCGZVrjsnPC+b8cD9qTCrzljVMvTwWI3g5pEWkf5A4ZVcboQUWxh25b1EadgMVCF2G1WT5mBkVbZQGdL/OlIhRkI6BBnJljUGOlxa1g7TKJZCnuekavlWNml6S0vmrPL0lBFJlbJi2bUtlgJX3VXVpZhOYVuNMyl2YAcGq6SxrH4ADJaWwxFhaZrdvpyLa7H44vnjuanDQsxE8sXUafolo7NdWwPTS/cGV/eNWnc0spKVUUzFnVrh0GFp+k4Xe3Ff652BYDR5SjOD6Ji6ne6qArBOQsLuyqUKxl7WP8JpkcVDEjzP7JPTSp+nyRaTSdb7vjSBIMtlRXpGopg4lFnwADcbR8BZd04nI82+XopVVy9JWXh1molHKEm5EulFYDKD3yT2LzHh6ISSKFD51VdhuDQ/y5LkiNGLcEB/+IN39TmbRc7OTVxdXZEKLzUmsCC59Nv1KMJ2TM97B7hPs2F3PmtsNPjSFA6aFT4HzZssoLxgyJy1h9kKGB7FLwYMH4BE7rArnVCa/OnNB1LG6cPXSZYD33KTpiz/9PGQMVKH1nEPNojKDG49ZWxg94IeclabvFL12m6gZVAkp/KxUk1AQ6uYvpmwbQet9TsMsj54NiJ5DgwxAX4mj4YB1I/iPe+aAlK/zlOGyYIcZNuWD6rwo5/Y+dqhqpR84A2czEbb8BxJ68pbRNhoU9Lh7/OmM5sbUoDUqWoCEQQM/aGdo4GlfdFL+1gVS/Md+5tB73huRDjityERZNFUcB+9qpB/yssazrFQJo00J3DijDPtjW/zdW93Cdxkq8j51VqYDn6SVpKpIikYVkg+9g2ykEgTxKEPpVl2XgpuY59wpFlkCt4ZBzV2qUa6yKfPHwcODkgoFmONJrIzdlrkGZyVklODMkPaWyXr3aas1KeOgCXnaPg8KUFCrKVFWUBUlqMHiSnK0tJHUSjLiQuJNRAXVsja7OBRWGyOl972W0Xo0iekOIQhiMvRnCMJqVMfOjhJPtKQo7hCk8e+mBWs1oUavI5XyUz0YPkKOZsBZ02rHoD6ZtnqqhoZ/rFBHpwP/17vYE8tgoeXAyTIoZddirkc0valhltHxooojFRwxQ6eQlXsml2sejby+IOH5RMMDrKBNoDxAvqALJGODxtsgZu95siv4/DWHFmur8UjC+kTphLxwmxQGIjDWlE+sKUg+bazPljs+czJoDi1T0c0ICeC680yn56nt7fJO+IAeJgTTn0o+aFaJWGOxB/FS/JmyPRTYlNMHZ+L54+c9/NgdhB6JcII5rPDIptPgOi1E0cyCIYspKsL1Bg1MiJyxFQwpH46m89ZM3GwvfzHh+7kH7t0CnL0G2klO0uMjyJeUL2j8ODzcI5MbopcTu5U5+fSbtLkr3A6o1TpBG9fbiBZY1cD+YxcP48fxG+//rf4DmqwUXbB9JLT/VHVnXO7rGqw6nTQ7Z9Jj11eiCqRYjDJ2oaCNUoe+Z3sEYjirDSBMTBV5LqWG1mvVcHL2PhpJuW/EO1ZPs6RDiV7dvAZ1KugqcHk6sJASUhZaEf4ow0ZltXMHlEvhc+uI+pL83a1QnwoKLE7ympZafqMXPz978G0qrK+N3QIaT9Led3YdFmekdnSon6TUPLBCViqaLnEczuPcyFotd4plMe7zZ6tG6eRMnSU9Fx4qD47663VNLJmc11Cj5DnJnq1wjvLdkY4qa5oS/miKI2Ely8SwJDnAxDcIGASoputuw4+WJxsEwfPEw2/jnR4hrye4h9FvkVPx2INK3aioFFHkddjEDQkDGMT4gfkcKxtQE1ObEToYQjG0DAz+EZ3gGtF/gwTSUbu8ewcq6Wr1xil61JQkPmCqiFyjVwVYRTUp706ZVwnEa5s4ja/PhZXOBLZuJrLiY9hKe34lgljcc/E7WetTaY+VvvM5V14G9UlcaIzpSgrmzKn5NgtevXuhySbe08wFR90w40I35USL/DvSNVvWHBe2UkyG20sAqtVHy1KXuviNUx68F8AOFB9xxLHf0O4UPSJf/y/OB53FV9yWFxGIXCnqWd0T72SKOY1pcsafT5B/aQrpoge3QHSU87i+8n5rQWDPX8kXG4P9tYEFjNAvoA2zcTJlJu4dMz7pIJ3+DPy69zq9Rq+DoFzu1UU3r7RMCzZx0i4YvvKRt6lNK92cp/1nvnnjY4rLFeaXpGDQ3Vq3JRvsbFe+pPiDJcLfVexk1U4D8P2kf+iEaezkKgdQzrZctW/RLaJ6rR2ix321M0u3NuL54+0JjdNVULDZokr1KkD6ZaeBNeer1Feg/MYDnPgmHNxcn1k7begaKt8Hfcgq45EMA/2l1LlJqETTCs9ZqHYm1F/IKBkD0o4L4AUogdGbq/4Z7IK8izkVegVca811zmjxjBpKT0bTlV8qTBz2uvGKcWnzmPKk9Q9wm+SxTpcO/VjpmAb2IZHrkV4gtL7bgXoarid0FWyTQ4M7MhF9jAsZLpclwiLHYveeI51ZLfRpB8Ld3AHuOTQIE4zevOqWCtVuGE6TacprB608VOlk++NkTNxySDrWzb0oIHn2veK0+SmXNdCd+TEfK859m+MgAKWyzYJ4gUB44C9Z0xTR82FP7YssqSB/IyTyXhLRhu63L+/YVm/cEtp2/mQIy1GlvLbr/+38y1a5MFmvqCUg/tyzkguBaUmO2R2rq4jKbIouTJFhGol7FqusT/nJ72t9IY+shVOrc+ai2SvdzsPrqx3K+/VqjOq+F5T/eNbDXBlVP2ntwvyyRR87zgHX8TlnVYmqu84j26ZCab/yK+zQs2oo8Xdai0WUfBZohgbyg0CZz+VkIpTmj5qmebJPIu7DWP/GNOOCns/67XWkamKV/bwWQydWcixyJT1ktjjK4b0BCYLgSnvc16U6MCMMxtKvYXjQaG4i5lwXv/MMdDEwIoDYzZ2sq0DHxUqE+GvbUhFuNdLCrvznV8XJPCATJhrpBEPfvNDvpj0RvGT3iXBxOMrIQoRfbVXA8jbQHQsv9NAPG7tHVeuKLO1lccF7BOV60hOwyaQFuGLhfREIZuLUHKSO4Dz42f4KY/BiYopOoT7JYjOkXYINIYjPZwcKpmYLN7W1f7MwVJgeKExR6c7iOwQ3lyVHGnskMTbVkOWwWwW73tMzpOwJygp6MR48wUbVhK88KgWdzNMoqAYf3KGGGgapCsUceeUgHJxTj0oqHdOFRk2bqgM1i1CkL+pQhVxP6GnGjpE3jjvNxFcufhLjCz3FUvslt/zioEl6gRwEzyN6iL3L2oMv3t7EzrD07/yuqnbOvG1SrxiuBFNo9nDqJ/Ba0nJzzofn5N+w9cJp6ec+PnkyGAHXTzJbuGIdtQqCu230lvsuQ1HFvueW2rJ0622MQOlQfB/0+jl5gzZisaTIwMqpJVCQrdkzRmQWKvaXwX+9uv/GpHCPEngVJ2WUBZShTu+eZG12mUzoagz5MpwcMXZE81AKXomvi3NtuT7s/EpD9QOrTE3E1ccbuzEIQ3FQE6ZudNopxMx0zwS8fyGyOWEiy6GWordyriTCfcz1AvxfBRi15ZWhSDlS2JJBcjBN/dOWRhnwBDyVo3iuqWR+FKM61AedUVqIjur+3sZD07s8XgmCngN2HDfUAkPb5wzyelMgTznlX1g+jxw0NUvoyTSk3Vc5/32P/9FXpQmXb4bw1Jp/2d5pyhFWTD/sxg4rhGiJlVfWbqaO6quWrVFGEiTweIJDLR3AAPlr6xtSyibSl1XQX1scHRchyV8Jklf6f6H2ofy1h3fn3TcmaWG/GK9EDtp2EdRU4Ou7COK8ZZyD3m4qOPXvFAr2VX2nesww1KQo7qZ0rzW20Yb2qkflJUFMfT+nOpGWen1bKsLWVFD8PiSBSGMhN9qEqlbv7Rt5RG4ga2yEgPRzUz9Xamqol+BAAlNc5cxxl7naVLWTWdnMPz0lmqXK3add/oj9Vd5oJVFqecZpcofsVxJ+miCPnNIspMiJ42IhA6/Bn0v+MoNGvuVJ+He0ceuylNHaX20Eq+Mj9tyb8xSUkl1dONxm7yp/aW5SObDnRHXIFy1PMGvHD5fMd12K9s9fSrTUDlSkb6ORU9bccnri0sywa/HBIrEXbLGhkxf9CSji7jj0+QE8ioon7u+HethDwo+uCvMS7DVE32oFaoTFPUTEbqNro53z0xK3y9jhSWs/YURXTDRLRkN3v7bvI/bfLPqRl/OP9XtC3CHxXHe5NRjdJzDxl4LsqCs+R1K6uDzexSwkJxKJ+rB8q2Of5sRGS+4ASFu2fT5GK9e05HP2YeUyIiP0V2MbycVk0XXk1l/W3onw7qznAxJ73By1FF9csF1v2CjqmaEOU6eVxp1F3C9vfsFRkbd57e7+ugWmPTL5cu+C3py5UwQrhUUtY8dangLfsjl0qZPKCmFWGdB/rbsW+fZ/M2B90hgg649o+QtHd2BJvmUYOhbqizjqv174tx9A/cUR/zlxJS6Z9Z7aQTlN0QDBQLKTNKk0Q3nsIlrfblbVPCg6RsYSmRcF17znd2yLRsb306wW6erlXOYqfXs4Hrkz/qweQoPuguUYAl/1QXQUQw8gWZdHOVA3n3CtfJVJ0V37sWvN9Qp4V+8F7KlZfQzi663uFrqPY8ZUogJY7z9RHYx71uPPkHB2XoWfGD9FAefHYNvLFVw6dnQHhqnLrRzC5Gby1CV3yWBABxsbu7L34cN4dpL/SnVFifXxZFMUJ59ahfXOe3MPo0WTD7bQpwkGLkZY6AXJtZ4CYUuxSktQXcHHTvOpONrQBE+1kyzMx8Bua+RnAie3DHUFMOGo4w4+MT+e9RPIuw/uoswnnwIg8KUEgDnsr3jIi/wA98R0ge13IILjRLqAhn5oIr8X/0yZSwD+wPt+iAr/xHH47lmz0jgVHb++8uXtDq2tPGhOKXgj3rpNfq0zYlvDB1I+ie68GVyWywAAA==",
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
            packed: "H4sIAAAAAAACA4VXy47bNhTdz1fcRRBJMxp5gO5sTNw0yDJI0BmgC8etaYkeK5FJl6THMRwD/Zp+WL+k90E97EzRLCYSTd57ec65h9RoBI97C+VamSftwa7AGg3ahDocxrBfq4ADzYFHfV1pWCsfZ1dQewjqqzawcnYDdcghrDU47QP/ZGGpca712hRX9WZrXYAjbPRmqZ3PwW+butRwktVJUYy+eGuKLz6Z9LOXuxCsyUE3eoNV5bBtVG36RaPKbi6WqKXnmaoM/le7z6G0lcZ06oB/SmebBv/fqKZ5VMtmkH/k13Z/Eav2D2pDi4PePtrB3KC/BZl7Nbq+voJreBt3hhggaEsb1gyYR8SedQvZBHam0qvaIHr7tXYaUSOspOaC4vwcDluNc+B43NraBO3GmN7V5imHpfJ62r9uMM7gFcGvne8GTid4Z80KQQ4Yd3R1VVrDzHxcftFlgHtIaRcZ3L+B0e+f/fXn46gISB4Pw3QKSZJN4qrI2sfV2TKj9/BBbdM2Zvxl2k6X92KDU9IjGIZSITXaVHDiCDMZZDg96SGNv2fzDMYwm2c9wh+0I41GmJeH+JQDCsJyfhFwfAzWTkAZUM6pA4FMGn5WzU4X8P5Zu0NYI0oIljp4jBY0rKzjB+Fhq5zawDGCydhLQwy4XeonzLCvw5qXOB12znikjjY0YIa6pH2dzUmSQowfdxzN5kjYgtYtqFjiNufIknSvzpqNGg3L0I7yAlczIRxUF5qURc1KgZh//Y1FvdqZMtTWIHoIZ0rbymM2EVAGxysAoV0y3iMPk26sq70bb3RgBnGAAvVTqW1IMFHIIuDLbKgCStiumdmmysHuyCJ4h35OiX5cOWdddcLMJhyEOEwlEkmLBEEqfdAhnRVFQXGLr/rg0ywHeucMZyNNFV/nWRYra2tTtMW4GbiJrpBSnpi92wTSlQM1OFfrNO/hx51JaxB2AgQ/FU9YLAftotYrSMWL0kHQDL5/jxaVBhnHvFg1FhFqs9P/uVymtZuDlj2xZK5HGpWjkhWYXdN01YDootju/Br7tRs/oU1jk0i26AhS5+vX0HsEDw2zE47c95eoXUbul3QilCKO0HklxSGxjCUaKWbcx0TdjOOuTn30q/bviYa4nCR5Ua30u3Q5ng6CE2MxaGkKcmLTgk9SFJ+F3MVVvVrR+1KHvcbOCnj2MuekU3QSOXiLQbuKnmSdNqWmrkstVcQSYtVIJ8tg/0vBhYl9wiP6BZPMjtKd5nI6c9NoVa67TYxhgT+hFvwC/VNDQiAkkKKfyIGF7mvsHjsmEWASwBAJAZaIH7tKu+Il28G4mDNqrAMth5hPdBEh7ll2utqhMi+WUapKf2MQ0hhgxkPYb/f3bdlT2fr4XN9tkKJzp3Zkdh5q3jVAJidVxgRHi+NzAJtbcvWA5BEOdEjyx60yKGGceDdgpNcM06IiCMzFBBYV8rQAdAPPfh+roosDGn3TMDMbVemXcY6xP1HidAA0RR16PFeGhd3cSI29fa/UriFbiJevNNniro5QNspjF+H2KnzHCxU2WKIa7UISmyoeFLFeFCwz1LPJrvfHkD1n9y3cxZ87PJwfMGkZrEuT2mx3YVyudflVV0k2LfgMH+She5s5u5fIDYYU0F+3pjCTWxb5fIIK29hnjDfn3h/zJZGXFY02T0jGG/jp7g5XLV4dB7eTu5yGsxP889ffC1zGKQe10D6wlIutvqTXDtTgGFW6eSGO7VSEMufS+nlrnudLuyXAMRPNkQtxeilmlCqvZnlKEfR4kZn4I2Hn/Vijlro5o1lo5FzdLOaEZkUHpTsr1aSq2lJMPGnIQmJRt6+OLK0TPjAAp0UuN7ExF4h8KFerW8k9JshpGBO+Ol5u7LRAjeXCebfrGU3H45r+9VxQi6Aqun3Lt0S6eIvjMQPWkQ5uIIPLA8JLnkx8ZvT3QpULRmDGm7iPweaLrIgyxbzByfl76sldYEW3bebYKtHpOmS95vY9Z6BVU5JfysR3OsHvmzT55eXPDrIPPD7jXamA3/73uw4tPMQjo0haLfHHU9p/O6WineTdoD70Qc6S8GWKS5nnAmMME7/LUoySimkin/wSnRNfI1XJA22CvZF3kJzTBeJQBVWJNQQEkHpPbCfNitqUzQ4LSDsXoG+T5D2ddPErwmhd+c54iwRbOknae0Hk5sck04GvjNlQ0y5rvFWchgRuXb1R7tDT53Fft3EJmSZumbPwyfIv8dpxn5QPAAA=",
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
            packed: "H4sIAAAAAAACA51a3W7kthW+36egASeSNrOync0uYDuOkWyzTYFsU2Q3vRkMZmiJnlGsn4nI8XgwGaC3ve4r9BX6An2UPEm/c0hK1PhnF23QtUQeHh5+55+aoyPxTpm2yPSZKLQojFirshyJulmn4m0xX7VKi+ZamIUSpdRGnLwSVVGvjNIjcd02FWawzsirCHTrWmhZLUul02dFtWxaI7Yia5abb0GtSlWp2mBZQTssS1nU+NM2V5h4I9t8JPTtXOws2yg9ypsq/VVH5yGrqpJ1HtA0ba5avUfWqqWSJqBaNmWp8j0qmefvWdiRWEhtURh5+fGg2kLpn64DNv5se3z0zUisFwoQtSGxam9Vu0d7tWHgMrk0RYPTZ2WTYXXWrAiYfNVKO37dtFdFnis8LpTMi3puH7C2bNz7Us7VDxgjKLEQkLaqki3Y6axtCGJdybIMRVpAqyzQs6ypoUy9lLW4EKfH9L9zNwgZFAbjelVdqTYRF9/4Z3FxcSGOxaWIjiNxJtzg1+KExuxbapq3xZ3K427yOD3B7EvQnyT4h48av5NmkbZ49IRJkvj91wVMisSKtcJIrq0I7oVl+Et9XdSF2ZAoDVAmCTSJNPvjn/8Wh1tPS7sfH9P+s8NtsKeffy5O1OtkJ/77Hz3D6n6ZW/JFSAmIku54J1hV8SKvtH3S3aw70VK1GSx/D1TwfxJBhus+UDvx2cwzZjBJLyKunP1ebUaialplQdsKP35T1PmZiEi5kaVK05QIxa6Tcy5XcxUyK+WVKh/hxMSRowmY/LaStSnKAR+9kK2iXR/h5ddEAanjDJ0uD7dAFLjy3G7Gmz07ev5cfCgMue8KtgD/aNZCIrhQzKJYtm4LY8iDKGLAP2nU0AS5QyqeH3kQwdXArsT4mRDjqFW/rZQ2GrJEPwfPUKIzEJIOnis1jROgIzF2moijawRMxILpwpjl1PGaehuZOhuZMjlxtWySyWTEm1/LoqSQaze/XmmVs/g0zo96jXD3gDjaSLP6BHn0EmdWemoaI0vi0y3ciqYuN2cQ4qu7O5p5hT8TYO1lK8G5zjY09aGolDCNk4dGkCIWsrxmYfF8eio+G8BknRqCeVV/IlJYepy+6oEaif+HwenpfagplxRWtW/6xx7WJ7DUBn4zdQwclHt8Q5T6EYfM03hY8scO0u2jN3UW7uLfP2kPewJa8tF9Sjkntj8Wt1QBzD95ixILpljwqPymVbJi0N/bRzaeOYLdkkebpaqjLjeOOd6EJ+A1U0fVsYOF7FGyID1b99TJUSlEQbbqd90TVhZIvoYjJWdsvz3KlUxpPfUUU7t8ymSBESxXbFh/+8Xh1dQKJ2kpwrlsEBqW54plXYjwHorQr5DtVE4uaqBsVGoUDnvHRD1lI8afFDJ/sYRuOwBt9KPQiMJpQ2UcwmAlN+JK3cfWi0ELp9d5r4WE9ka+2KOr5J0nqxptiKzQ31GyOhOmXSG1eBGBeK/uX9yLCKPdXjzzC57wQk8y9Wz6oNatZowmXWUBG0UUvRC1Wov3ysQ29KfXCG3v5DKOxyNh/9PNCkrSE85X7qUnG+YvaIKzGj9TddKnMyT1sSdFurePu+nVKrtRZjZBfnfTk4QLIE5q77nwpCgqbW7C2nEtK4CwbIra6A7lyeyca3MyCqi20UrIkizNLFD+LiQ8FkrnVHe9qjPyctSIEvWPPVEittBOq8yqre+f0g7w2cbQva+H/fgkhd2RQuKBcBay+MBSpZRTxO+/i+A1LeqsXOVKx7QuScTnnwvHNGUMD4YYYrVlneqmUoT+rSxXilD4WWllHP48yGvrFaperHLzQBanFCKtWMX3hR2P3e5ccKD3AUV3uu+aplSyTtJfsSKORJQQ6wiFddTrw633aiFV7p71mOetXKNkjy2E3FxZ6F0VvqDG6cJ1HD2sZIgdSxL0wL2BvV/LdTDVWsxkYMnhER2AlbVeC1UAW5J0u9r3BwCFlvoRX4AHkphmCTG4XkVciGExVjaEfYbspCe9o9pQGmspJ6+ptItPxAtUx4hTLwTNHHFvkoQFd79+Q+t7QeOXp1j18jXY2O2hqJORk/aIBHuET4mwSqwsOsxry6ZSKioUf0Low/S1LLU653HnKkM0pRkNELUs/B5LODCYWIKLwDrhoV8Le2Buw9DKcAdzuHU7Y+BHGoneRbvD7R0BtkNvs3En34WETLdApRTtZudu/+4ALAI7VeTn/EEwY4d23sAjxmfXg9SSD3F5DJX6wPlJ1uZNarvnqd4vewDdhCRfnZwHMel2Hkf4h8tTrt9wTKDV3mDktlDr75o7jByjKSUz+uqYgr9sC/liwd1zhElKRJHYjSyzJQxkwG3OzRWGqA95dyxenqavfgAzLElGDI09azU850g4+32Q68y68ovDLc72mXi9mzF/srfO2HZJMnLgWuZPMYyY0Eo5e9dZw5d/f3lK7ZALOK6fUTAwWLVRd5aju3iJI5MPeNpWibFh2vM+Yhl5hVrO2PbKhy1qqFQYuLz/DGNqB411BEvKNktW9LFI9NFAlJwHbPlKqmMqTfziJLlM7YLLS6YfeG4PRctQRLk08oU9IIyFzkFw9GRWCzpDGURaaNZUNTkl36iNuKdoWs5XWy67jVgfsRXUuz889o9//IucljHl2cSZm7ALLGBpqeq5WWCBJeziG3zRUiR0S8Dc/FZPrbSB+d7K3ufv4USGMHQ/ulRio3G3WDFCFlvK7ozimeu37SVOf1s4c8cLoEUlAs4EyGhPMXZsHJE714x5hCSsTVdpTqwBWbuT+2Y+VFrWlL3SoCYkstD0WeeIx91yisaDE69qDgFMHTlboXrt3omumnzTSe+yOclJfuJ9lCq8729Vu3E3jUKi72FPGvElKyKs4rzeahNcUiwKatk48T3slRQ5+Nov/qjuyN21oVd7n/mYMuny0JFY7fENZDyOJCmiKwmDusqF/8D8J7zwEYi4rLQbTNJWARWt4vtp4SHbeMpD+Th0sUpBMhloYj9ThSGKx/tgguolj2NU00yIvwgv7MHSJIOYwk7Hiy5Tn+jg4FdqvqrhC2pNfu4JBqEpeTwiMHnqijP2TrY46hGoOFlI7bsoCqoc58TRET+QFxpxA7+pgxo0k23uA7UJr814v7Dj6eM7KQvcO6zz4jYKyqeirvnu8bF5vl0Mp5VBp+bvms6onW3m8xJqixnj1RLRGAYgdoMYrFdVJdveaqL3zmyp3SQRgi3rJh9siY6STj9wAkKi9wHusCiucCawb30icJfvnc+R/8QzVGGE3W5G1kUg2StXVy4wzaBYcp1VFfaOzrbtC/zEzrpX7kq6Q2Q4VHd6RwGBRTRJrG10Su4QDO26KrTGGahH8C1eV5gNZDnoPoN4OZKnZA7zsHUxbDFoL0OKQr+lkBZIQf6+IeZBE933f/Z6mZtD/9nFZbSvxZchYwhtfa5roGyb+HBN6lvIhytSJzEpM7UVJLg6/Pz25LL+CHbILiLTS8mIwCilW1V1fy283I2Qp3tILun2o87daHeeS1/1UZq2GcjuRN/PYmd2Q/7foBAGYPY7EEdgeyHRX7/Q9DB4XLgOh/b7wNdDEv+vm+4KRqfcl3yg73z2o5bIGyibooxRFG8Ot14O20PAOJNdOusKGn9Q7H2wJ3EvLW1u056/w88autegSoIzo70dctaQRh33g6fZHziruL/hXxuqUeaEh7hS0HWFGgMbY4+izhRvagV6cs8hf6eC8X7P743Y1qj4Axd+osqe+J06cwDTLiIsBwFtLVtXnHzbfRGyZ/IZ6MwByMpbYwr22dJVmJwjVaeRN3y2LI6pNqKldPtncQ1cgkzIliMPy27zVV9Mbtk3Ri46UZ2JOkjd8SfRLnTRTnGYfAwas6tSPZFf7KeLQbjfL90qlJ5BsHcfO/gDkudC6YCYuLtACng0FFA8lAb3E4otovYi1aVl7oMoJycbcOiRym/3MTdOgu3IcqjOCwoUK3dKXdqbBvrlOgWVmv3wGw+3HfnCDk7oLPlwa+shRzg+npAB+quC4lrEB3TIFAIgRdeaEWAyFjQJQ86TR/J21LQitqfZdmqnq0penHR56t5VA6PBaYS+4MeSvlAMkDCogYcXLFtuXsEeldlaFoa+x8fRn7//QGHoyOYqW3NQMkeJSYXHt1mmlmQRtPbI/RRBLpdlkfHHkCP3s4QvftUN+ZazGI+WExTl3puy0SpPnKl7mu6nBdyEj9zFc8eC0XT23Q2S2mP3tgNQJlugarRiJN2ZP2V31ufQJgINPihF8IsDvyd/EGHwEKduFFVbwW81eiqrHS8TB5Q48Yaw48qVnkmofZn6I7ufT8TIeFVj+ItAjBAWKH6v4sVrb7x7bkfx6j5G/WZWIB+cuuR91ns4IkGR7fVOtnplN/e/vIg9QvTdml2UgrpHlMG2YZzD5JkIyG/Uhg0xo3/ch+6IfikD88W0zIyviu3PZ2LXMY2jbNVyP2t/CoNubN/UJ8lk4mpo62eeE92EcWekMeQB4teR9cPds/8BMp1ouA8kAAA=",
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
            packed: "H4sIAAAAAAACA61a4XLbNhL+n6dApp2SbBW5vftnn+txkjbtNYk7sdPOnEYzhkTIYkyROoK0o3E1c09zr3D/71HuSe7bXQAEJTntzVwmY5HAAljsLna/XfDoSF1URtVr0+i2qKtjtazvVdEq2+oqtyN1v9Stys28yI1VelZ3LXqtaroKnSBR7dLwGz2srCnvjB0/KVbrumnVgzKlWZmqvTIfW9CvzGpmGn5RW7Vo6pVKxuOjxuTd3DTjDzY56YfO6/XmHIPcFCO1KMpyRKxWLwtd1jcjtS51UeGnqWcgeqGbfKQaQ3T99Ed5vdqbebUC65iryU3zvGvbuooGcKvdGaNvzMVipG50y79Cg9+uxWzctNbtckSi+Mls0AMBtp2lDntftPPlxSJaAlRVUd3srmFvMePMmubOQPIao6Ix3LwrJA3qag7qmW5G2FhHgpo33WoGFvJOlArR6TnJ/6a4M3i7aer7kVoanYMHrIgJ3tZtQdOssc8f0EFyXOkG/Fi9wZ+VJtm3xQo0bWOIPYgg5g52s8ObXZv5FWhjKjTtSjY3rS7KH7SF9NrN2rxvYu2RGM3OiNfYxpWGyiO6lt6F7snRl1+qKzLL+t6qeqG04l5YKGxZN+jgHVZ1K0I2+bEyHyEi1bJpzjaqQH9RiZrH6sujJ/NSW6ve0YygMTgb6rs7smzd3Bgw9USxxo06Vcm8riozbyFccKMwl0XrZErPn8kKp6oy9+qNXqcZ+FW8blrkGTbXmLZrKvBa2LFQj7EAdZ6oLdFavNHOMl5UQemVbdXMLOqGVo8GnnA/NwTeSsguiTr2GKKpxys8pNSTqdNv1YTtJo1Or/SNVFLkCX7obZpl0bRuz+PxON7ILU5Gmk1PIr5F+6CFr6ha05Au/AxjnGQ0pSwZ8PFUNjleaktNWLg0i/aYl3FdboW9kTEXfrjs0lGkD6xzWIYlL5gkaosFmFGwutTVzac4GzKmvvjCtzjVqaenTjNe0wdWpxXVNhJiXtg12ScbWkoKetHZtl7JeyJcJaNwhmgCGr59AkMR8ZY1SPB7qpzNYLE3cFRY/WP6zUhBcqxw2lPM0L7GmSxwD9V77/LGJpk6O1Nf0+KyKtzbi7rsVpUdLDwBbw+q0itzzJYD/emZKfHyrqvwVtjvi5uuQe9ClxanexQPgAk3rcnP22jcpbTtj4XLgkM6VukHqJMXJ9+V/vXy4u14rRtrpCPbWSPaU7/IVV3f/pEV+EmdQtNJ1ZVlos5U8p9//DNRx+Sd07cdCdORH3nNiHR6Xz0gy/YYdPEm4u4itOzyE2LT7267boqbooonlYYdMt22ZrVuY9mc+6Yd0sbYrhxQvnMtO4QcsmIyiGOXxjRN3UQ0P0u8Tz6lgq7KAQQqk6vfflMHFENaYfiwJ5zxvM4NGXSSiKCmLqSck10rBPOloCKgpJVpOU5olTMk4VCx6Ko5qZKhCiybVCzOWk4HbwcHQ84Yx2K3RT69LgD0OAfOoS3aEpK4xmzq84d4IDng7TW5YNuS3PkgaV7fwjNOkhdlbck6UhZQEAuGrpsCIX6TTKfi52Z1vsEQxgopRvaW1VtSvLS3xSybjtTE28xosC9nWUJx3tsPetk39jYlJP2B5vMaT9Wff1rQeeaJP51hwoFbetrrHD5594wdHON28y4YcKDyNu0IyFCHmxVbztjSaFHYGf8cCzDr13OE2XTqQoyYBFiMoGzKjdkUXv2kd+i2rDlcQz+6QywA33OwkbzRGzJIslCCLy2Q+OIsYU4huJK0mPxoGbvf6bID5C9z13+/NKS25GVtrJ9D3+BouH6dr4rWjdfVRvqpDdoACR0PZ9g5PBpw7inFs6awxhLyLEs7cvmCvS3Wa4qjDwyk0QuZAvbZbmbnTQGdUF6wZUsNZvjczOEGgDo72oSTJE0uenDd7JNDP6/q9KSrfhi4ENuBpQkv6Lv+/EG6iadsyxkNPQIcWngYZDz//pfyNMyxIxJBEhW3xmTRjkBc1XS2PNi8htqDS4Hk2qYuS9OIZyEF8RT2BGvg6Pao9Wv+S5CHDuTQ1fTTsOk8qNuCEhyGfeIP7ooWQL5CAL9qNuRLbfsdGZiTjSWx9z6qsM91DkU63EjHaNkBz5I3jdrWurOFa5ZpxouyrgH+vgW7sGeh5WPocp4k8nEutUsTa3gbjGUYaVNkwEaS4Nj6DVJ06Ecu/wwaOmUuG0xp4wRPVCI5SupkIDuCV5/pnJx/tAvPGfXegHvqTqq6Itcm5zMY47mTZNILlY8tL+1bxPDeQtSwWiJ1UidKdmvuXeheax8Tkkgt/ayhKfZ6L1jYGHAx+wDZjSGLpjA2FSVkAZ9OSDjk7KZ8qOTZYc8JhddhfzgKjnALgyaqcWPAzNykR5PzZ3+bHiFrTEsDB9DIMJDJ67itX9f3ZIUIpwhM9H/8ocY2EjoecI6wFJat2pgWziMT52Y+cm4X7FkAraREwSi7hhIFyrM5HQrtf+8MhHsq5ysFVdTHOaBkN+Sx06hLkkLpCykljs5cr6UUkvyIY0Hid+6LzjyICU8visa2SRx2SRl1RVEbgMShaA8AHsfRGQ1aF/Pb/2kQhwQlGxgjH3RgO+1xt8DKiEpkw619YwWkM14WeW4qyhzhYXvpABFx2kA7ZL7CkcuLOz6o1OM4kSGT3t1YTq+5pFBzfWLB2JliAJUARhIrRpHfonoFQZNCKhYk0e814u2Ugl3CMycMKKjwQk8yPz1ROk+/fErpgdegB14lGcXug1/7lXg81nq2oMWSKR8N2jvviyYcs0N6S0EGvoKXoC5ZnqQPWANP37UGaKYp9DNOsQlf1WUBpnkiKXzEM0UcDVcgvydLuMyeQsfpvvi9n6R+9olexOwkXHUnTX5demDgCnb3aADzlLcPdDEc9o4sOov0MIpsZkdvYdDLXqxZrM7IRmh4vBtIupiXZrAjOfz96QrVSd6mL1GlUuZK+25W7UX8VlAoYNvJDpslCY+5g/siXzGszEhzYRlDUzhklOHbb0zllkLP1yfq6AjyreEkGkX+jXDBSmO3VIFy7ZABa4lHUTGHQMA7bMZKSlHVzMRSU2mxokIVfBukRgiAQ8eJ0K3qO/CzMrq6XxZwYoXlmhZvCp2NYXQQfCC6DGUc5BslaeJoOTd8sKWMRDu6NWRpFE1PQhviZmc38d5D+NZ2U817n03LpJXPdehfsVDUwFGW5obvd9Pxk4g1c9OduEGOCQxDDoYX3x4Y8X6K6yRw/H41xTtL9b2GvWt7myavvruCEVBAyPyALdw71VVTh7SzaDgVjlOWy6Cm7El9DiX7hJCyaNpdJiNpkbzmBk4hdeRc49meDPRzSUcR40RXKQIx2N5KwfSMgaY9pY0j1aN8EKFgJGntNtKhTAfsi4n2qnVedbxLd/I5mxigAbY3aHM69Pm/C9Cuaapngha2149BND+7w2dcVk5pSF9rQwsnSdwaJ+0wmae0Y2Z0CqwmFeoUUZrsn6q5ck+RUwZEGywWxVxcAZnTGODjOBSl036qzOlx6xxiNtQMecJ9xZBf7HUx0AILOPhNL3eK4FS6jW9E9kuqkh8ibKw4FXXFwAPB+mko25WmummXJweWHu1REaqMxAY/w3KjjA44fm4Y4nCiTV6LX+TWIQkiGm6sF1Pv+/eF1UeCR8zXWWUEAIawm4EYThCLMZGhY4Z9Z2Nm1/6K5ClNjhIuvvbRhQ12ielhoZ99/tCPi2omNPGzxtWdHOjuCQfFhks4RBgX+GS04Bhxr/bMS9klP9FUnsRhYdi/ZP98mZKKPP6U7QbNIGBybNVubKLY8bLRwLda0JqmbmTzyBJ9gYoGWtazq2EPAsO6Y4jnXB4dBrqk07dmz6c4p0wU4i7c8fw2lEfkFMv+nN2S+2fOmcAHHIkFQ68vVNZTjZhi4LBcOzGXOltk+UTRx/lYxzctfjjE8HwS/vurr9QpO76b4JN9KulFQN8xQWFfUZQ+dZRx2fHk0N3MoOJHTl1TrctNSVCkP9+MPMObLHQSbYze+9gl8sth90Chgnd87BF374C53BbKXsHDFdsKO09lO0TFAKXYYSrxrGJ8TEoFkbqmyE/GVfClL8BG0gfCWNBb7/keD0e0mUekov7iBJdFSOurr2QcLNdvSpKDjsFfYV/XjEXphaPm+3Wu/a1Bwgm6cfmAwOWcalwS1/2NLddrs34dwY2ThCoL0Sxh3MRtPbpNTt2NxiT5+eKSMIhLWiXZ4AriQ5Q7PpvxKKpTudjqa7PQGWgEs8JXjuKlLE8YS4859FdLEy6XjzyGHDEulLAec7pL9RCtyPdDNCy+DKPb45QqLJd8r61ciZTuvrxo2An7a+89Lj2Rx+LZNBJ2yBN7edOlMP12awtvqVeHdctVTnks7KUveRYVKAsmC8N+gehc5udvH4a11KUp8+cbzjFhqaJJJJdFSZwlo/5CQh6GbPSFP5da7htKCGuvJKmVjwrY7Lgi9AtxmUQIyq71EHpxFkrRij9LEIOVoWFvodg82PP/sXY9CrjZ1brk7mGvbu9l6Dh8X1Eucq83OwzwuSC7uR5ecHA7IAw2e6hDLhhIEnKRcJDIXzJsrwdcf+9UKjc4GBCLLejbXUwM9BqoYnUL4U9itfvHcrD0ldh0TMVm/mn44j6PSPeHZYK5BXEc6B6u/r4/STFtOGCPc9F/rJEGcvvoNNlhniICgCA03AO1J72D2b8XI34mVm9SCllSkjNSvD5kcTunkm+rj8nfxEndgVWyaeyJXIVq4opI4RQHZyftIiu5+RhOKt1xJBlUTSaDolSYfngoe4LsjN36sNCfBZDkMkiC3ME4o2C6PYravQPeXkfDKc1JJ+4CMSER7zq+6R9BftGMfUaQTvoIzjFlEgdgf0IOufpPrzmNFyW04T6e8gDHYcL4WlUQkxSx3K0q4tMTV3iwdDVFH61wxnXLH3LRJxLyUVfq3PjhsDsN8Sx8NkKz+Utr+pwNuEkuDo6dsuUbNynLTLzw3edp6aPgIT7M4O4PgYEQ4QUBTNzb5Jvp2JaEf8GDT1++Ut9InR7oC8KOWHKjiIWMbuqEj46PGvZU+S+G6AE+m6OJF++coHgaFYf6slpc0RG07YhDmYf1MWjktbd0efBfC38m7cQoAAA=",
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
            packed: "H4sIAAAAAAACA4VXzW7cNhC++ymml4gKNlob7UnGNnCLJgEaxEHtoIcgMGiJu0tbIhciZXthLNDX6Ov1STozFCVadpCLTVLD+f3m4+xyCec71UmvrXEl3G+lB+1grXy1VfUCD5RZgDQ1rvZgrC+OdLuznYdHUI1qlfELWOumWcCukRplO0VbOMC6sy1kxbK2bXHjstPpYqOd/yw3KhGio5lUrbzUqSIbHZ0JervZNKky29WqczMptHe+XkBlje9s06AAbTfS83Ejnf+rR/dHIx+1ucVoevOn2rsFOC99z1fcvcbknK8TgyhltNnMLbrbRMap7k51M5HK9pTA2lZoQrU7v79AOwr90neU+Lb3VAXMu67UWackOUjeSUy4120atdva+xdT+EG6LWq0qSxZCcJHmBHnsYabvlOwAmFkqygh16rJYfUriEdIjhYIj3csW4Lvejwmu+XolhCmb69Vx1c5vHiQwyE/HazZNVkqioI0u2Cms/e84KOilTvBrvAZfis2yoeDvLix2oh89L2yTd8ax85zpvjO1yOA4HoJma6zIQDcjIjP0mjWsnFjOOJqQUbxe83KnsBC0OFhkeoP8EhsXMQDrx48pmctJplMu49W1ogY2tzJpldfdjVWpD7zdCIrj+WnFcYXClNn+cw1diuiMiTvqUt+v1OJQ5dhO68WSbEqbt+wnWt65mHUebZRL6VwCvl5bOhxo8JSuwva8NKgpGaxlwMduAaTuJNUNmwdbFlkLEqWy9Dh0OCciLn/sve2xepVievv0daT6qRC2VY19W/7l10JlPFSxg0qQxJJrHzCE+KQ7wNtqoT0rJ66mtZz5QNDFZjAbl6Hj/htMBMCGpspNk68PoU0Gh6+DPYC3ES2RuLABcP1XVznqYTrr13VaWxtFvpb0pPRDUKj2wnfJg7//uQUgWAppjE1P85VM3ATLopGmY3fwtun3B5kykChIjPWqCx/Do3YamPfMru/0CjanSMhX42MEJ8BJANymD4G8iFwenmtTa0eSnhzgrTHVr8hXy1fv4bLrRouEw162uHTwBeR4GvEMTYiP7xUPQfVVpoN5UCbSoH24PsOyQ4v6o7B6Ap4vTxa96YiX6O2EIjI4RHjDTxpbE0M/8NeQmYFaJSHuid50zfN6aiE8kJMSyEHiPGDL0g5wuAiWAeCIr/LIhu500Er92M7UMZEyH/g6+zzl0tC0vLuZHk1RLEcC4TvKS/h8I0zrJwn3g1ib1wsG6bFlPRm3TjMxSGUCl0WtC+iOSzJFBFnHSNiWcoWzAIHespF9v6P77qXF2RX/MDsgvwKlD2IJJkbzn9areCX45/h1Suk7Akb//3zr4uowfmsN7fG3psiC3Ec6A+FIfKwIogQyFkzA6qM8XFsb9+uULO/RK6xvRd0dQEnx8fH+SlRadVYp+KNqlGyi5J4OSdzh6MJcDS7CXw+6N1NwUbNQFkchxeRJH2IC1ZzvE4iOxoRV+O0KEJp6IXCwl9NqKKqa9+o9GWnw2EsKOMiDgdjo7I+a1ATpWfo640V09iUgjfj1s/jrdCWZXS/4CyHj9RG0wcuAp/zgBfTOk17Ivtk/RangWTyLuDMTEMHyN0Oi+AACVYFaiDeiNNBkOG5CfkBR8QuyDjbqmtb7wm+DiTiorU49mXBG+CxcxZh9gG721ucHJET0FZgzXDhFgfhMk7EIkQhqEgF0l2jBpTDahU6BwmZ/5Xw9ZnQMOCG28hyz9VglbJb5NAs/zYWjP048C8N3DxBOo6SpGIGXRFrwKcCFbGdYReBrB54XB4mUwQDkcGAZw6RloWu08hSzJfDnD0KUlP+D+S8t1ZZDQAA",
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
            packed: "H4sIAAAAAAACA21WYW/bNhD97l9xDYJSyhTluwOvSLcMxTY0QBNgA9ahYiTKZi2TLknX9VL/970jJdlJ/cWWyOPx7t17d7q6ojvXKOenJOvgKSxkIOkUWaPIqS8b5QMpWS9KuqHHTQjWUFBd52nLljqQV6bxBUnTpMO1NPSoqLZrrZpyoldr6wI94bDfFVg2rXarmzoUpDq1UgYPre66gha2awpaO/uI9V+ka2hPrbMrEuVVY1flZy+uD+6kX+KI9A92qUxBKwnnXrmvyh0dSwsvTq47WatjoyCDSjaTq4sL+muxQzYkm5U22gcng3XCk40wRWyMDTTXX5VJPhbKqWsym66bAgK1Y5uSqq3TQflqmpCKG40l7cnDIaChi6uJ+haDAiqAebvYvYfnGWXpKJ5a2XmV0+xnymLYWV7arSmRdyY+OSty+v59NH/9ukeg1P6Dks2d6XY5vWFsMhFtRF7iEpqmpZhhWsr73O+5mFT9s1JhYbkaMiwK+iq7jfq3KjiJ9AL46ff7u/c/JsF04BROuoiZoHLZiU2azWa0MY1qtVENwh6fJ4SIQSDb7KbpVlRFm7lud1k8mtM+H4vH/EUsqxUzMpITwKJCCB7Yr+VcMW1gE5g5PyYQl98BPjAJeSTwB6JljKegy3d0drNBCk7/J4O2ZkpvFaru6Py3D7f3724fPj3c/XH7/kwgciGG4B4An5eriN4Y4zVVnFnFzGB8OUGyLQxGpKEybHIFw/OI242p+frB12nUiwgdkjmJXU5PADjl/mVjg4rlC+pbiKlX4vyJX0qnIgNvui47E2cFnYmPH4U4y/eiuoYDp8LGGarqjevo8m86f0qh7HH8gGiW4z1F86LagqGq6PLys0c+508plIxt8321P6x0to6QlwB/rg39FHOFzfVkn2D+1aq+PUlashz90lNrXYELO+VPS/kaxq3U3QaLmsvTNyL0M3Qi3FMZ26jqGH3pd6Y+1ECiOqt1yNiuoK11aFAvhXyAmnU46yXfCzhnHLkXDi5gAk33bTITa1FABnUnPbq12EpnBO2jWR6P6hatAC9DLUZ4eTO4Xbx9rJTcSvCKw8zi6T0yDfUCjSYlnvfmRwEd9ebRKp6lk1fu+4JM6OIwPFAH7q6xBKB+P2Ii+zFyCmygOS1VfGPhmp79a4fKcdes+hEyNFYull9yl7jA3IF7RRk0Ux0mTZUXVEFapqK5Ckll0vitAiMqme5OLeJAAQwF7hyZQtng1usGtAh5wbcMnR1a3g0TMzV1uNGAMMQEjB3K71S78Yp1XE5OqTeC8Tbik3XyUWEY9rjEgqdEYvfFpJNhoFVBZVmCdU4DW7jfg1BP+2OSraC5QxMLu7VCYxmmOitQDDEISLDfgPV0eI7VTb6YAvA1sjHVM1KSHYOR48qLsAqKSUVfPOR7NqWoniugoBvn5A4DLP5nQxiIbmhx41LfWYf48PmC8JImk+vEX1ZFDyGr6VXi/YEdw2Y+6CYROjllEs56qTCYWU93dvoKm6fOJGqNx3gEZWyabLiIb8osGSXh8Q9DUsqmuUUrCn/is0MZdEtRd7peigEr/oR6Bl4G6r0ZGw8zQ9YjPRghvGZ5nkTaS5TPj63yhvxWQ/XT559zrIhBmpn2dyavTo6dYOfzTg2cZcMj5h4okCjZ339Mdj7BvZ/5h3LathWjg+xVvJj55WzH/EqhwkJIp+VlvVA1dC+mdB9HWtbbp90YE/b62F5QMmcE/gdKG6/I/AoAAA==",
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
            packed: "H4sIAAAAAAACA61b25Ibx5F951cUaYa7W8L0kGHtgzGGJmalsaU1l1SIdOgBRnh6gALQItCN7W5whB0iwk/7Afu2P+AP05c4T2bWpQEML7srhzlAXbOy8nIys3B+bl5tu9v6l6G5WxadqbulbVqzLN5Zs7Od6WqzskVTDUxRzXTI3JSdqaydtaYwGxpeV/mjcr2pm87cm3L2am72Zt7Ua5Pk+fnP6P65TS7CkLVd39rmjf2la+ORjZ1tp7Y5GDytq3nZrK+m3YA+b3ZXrfzF9IGxK7u2FX2Yl6uV/PvS3g3MZlWURPSmqW9pxDdFM/NfXpTV24FpLMaG7c9n9fpgZxrQ2eaPpV3R5JbaXpQt7dR2RbdtsX00e0VdB9OLrrPrDVO9XhP3BqZuZrb5123X1URaa4mhYQHuaw+W4MY/213EpvNN0S0Pd2rpQPVta5t3dmDuim66pD9Li7uMZnL/IXsLmlZNadptUVW2IWpX9fQtiJ5Z/LsFc6fNdn1LfJ/VU/oXp9q9Ji7QgHkx7ahpXje35Wxm6VyL8h3/aWq6hqUtZmW1GJBUCNtXtTZUdVdO7VVjCyJ905V1VdD9bYqF/Y7m4AK3DVoauy4a3Fd9Jyu0xW5gunJNm3eNxXmJS/Epl/XdwRlntivK1XdFS2whYSm73V8aWnpRY8OmWNsOB78ru+UP7mvMcVy4PVjyBZ3yTUHiFI3r8F3GPSKpbTsDqTAjk5y/e37+t5r1jDql721ZkQKNSJHuzL8Xm3Q8TiASxJxkYJI70rlkMjDjZFZXFi2Lup5JS2N/ttPOztB6W2jjjLjmGyaZ26WlkcRbbDR+ZGgc6y0GvmQF3tVb+vKEjzgaySokdsY1+L2e0JRqC73lyWQniFK1ArRITlTw+ndF2fH6f6lIdkkYd/H6Gz1hvIU7Ne9AWnUlenPVDY73K1uzdev6LWm+MONaP4TjgHe9vbawV3amBzo73mFZtIYXhPnjLSaOlyQ6DSSHeJmWs8yMvg7SlCbufiHrnv2rorJkDmkCyS/PuHl6Tx/zhe3SpNttbJLtz6MmWZAab6JdqaW/iGhTyqqWsqLpWgM2v+nRcpmnSI2grHevai4mzex58XFkJ1Ppvzck2ySvltzE2XMa56f89rfmxjy9l2/7G8+raVH9aIldMdVBSJ0YTPKymq62M9v2zsK3lYDmR+fkn9gymjP6z+lV45bWaxgnP7x6/YZWJu66W0Lf/pxHgqxH5198YX6C/yIZIoNJF3xryWxZcmxys+hgKsx2o96QCNm1kesjgwqDVHcWHysIS26+OH8031asZmQOG3tnVys58z2JpxA8bsVc1iR+BUZOoJAnzqz2Uxv98CSjI7jFVnYOq+I7zWhENgZ0vSNpvzTJGyJTbl5OYKRvRua4oRHDEyNI6ktmDQ8Je3VwcyPRH9lHdOr9+7gtUivs/30X1OjC1NVqR+wqQcYUtloAxKK2bZ7QRoYIitbyFodWunkTGI4VyWlvaRuanpPQgQ/7E+vzyje8Mta+8SOj66PR5IEI3qyUnlyEY0rmn7SWPAB8Gs9o0aTMomlkrlgQqlzE3rHAWTY6v/meWUk3Q7YQpor2uhvG26+pjTEWMaIgGOL2yfl2Emi/gZRvmwrKV3YrOyQp/xPJBkknD08iaSJRwSkSxT0nDEOGIedhxENmgoZdwqF0jK7IuRM5umti9heP9qJIqpNgEciHXrMSlbYFIYUzM2pfSGRMMQdTQTljTNabot1VU+O1p55/Q8PV5jD2gbuHjgdNElBGInnT91nQUd00xwKj0dP7f3v96mXeElXVopzveN1MWCtrleyAx6xaOEq6sjDZ7LPPntPe5X/S7Zp/efbsQj+P5JsQ5Ja5N8C4BARGpoD7g3lJkz9dwyD1QUW6YgTpoCXLpnzc8wHEHX1NAktE7G+UCcPI886BRtu4ZVWuS7olIovscnbBdCnhDL1L8qZtvrLVoltKLx0732zbZZrneTRkTSAkBX5XP0B81+WUJdHYokvPnmeXuVCBUXv6fzk3KVMsKvHt9YvrN9cJfMRjYUzA8ukJqT4lSV5g+fJi6WTmCUpMcSI5IY2YLotqAb+K+WwXAHwJbP769/9pRZGxOOwezB4JI/0lPwDLxzaibFRNW253diK/OVQIxcdDE/bHHajigisQqAWkf2SeeSlTl1B08NYTNj80Xw+dZk64IPkpnZH3SItODuS+hy1JpPWehMmwRKeu4ZJYrZ8HJvaSE7I57CfxJcuniB/SVJWJReFejSku+PH4q2dfDcxXz34feW+neYID6AjdkoyLU8gLnQ5OfPnlhSGnXlRsBdiq31oLz9mSGvDAfeYEilnA/Ls0nhP4/jAvzJ3VO2NRKqqdWZOXz2/YsGZiwc4NHAuj8xhWTOvVds1YOb21hAYVXBAh96YiFR46N01aV9zaFX1/rd/L9o/lYtvQkHmxaq0TUbHBilJi6KfuHthPtmLEAJVH/EIT/8YhT8R9Z/4a1sVoknBXncUY0dApMGUuL6E8A4k7mIhTkIuHVXDx2UA3I/XVKJvIXpOSJgwIbQtVuEW0CGe9h4MRqtjIM/cTH7elIQZLE4+UeQO3USYYZ09LxRwPGChw/ZVvOxisjiyMvHYND1yQAPRTXB9/3JU6aM7XMDkgRcP/NiLmKjQFcrpmaw+m9qKgaP5LgDHS01PH0QPARjP5/IkNAAKmeVkRbKKrBb5A8Jyyb6Tot7Uyh66+T0TsTCMafpDmJJZw3tCLtk6EAH0GUT4u+Thl08aSsM56rPmpKYlh1cOccTmGFJYUtDAX6DOv7gKEb2P3c7tj8bhg+NJp6KAi7uwXuxjCOYonAQ4Z2UzJZ7bmBU1vWX9/w/owkuRM+hFU0A/Hn0ReHxI4ELEL0fERSAiQwHsokTJx6L9xRsSlHhBoqYFpttOubpgiW9nG+SK40ZzPkBez2TWpBCfDMCR1Dndg0p6zkDmHe40JdESrkeme5I19h/AhzQSDqLl06zjTB4cyinOHabQOhDENiCW2iKLiLKcDMy5n/RBLmZZNJm7mPizi2JBqi/NM9A+k5Y2zcxI/sogsCSm0jGZA8EUk6PD9VSxKbykqqFhajBOrKFqOrT5TLZRy4Jg80Qj6CaLpJ6DhSRxMH7oZMuvxdXBfxBa2+mPAgPGk501kS/OHkxyjNQkrDsMJmTciSqsa1wk3Ea5IGy+If8RBD/o1Q5WOod0DQYUk03eVDwEqSc0Q7hMuIZ4QmYsDA8W8wVVtioo9Fasiqcd6Kzkz8VzkjLHh/kwgy43erax1W8928Vqz8l0SdQNQxN23nNIVt0gKCrfoWpacFRX9O9oa6wDkUz/ILKdvhz0dYj02X0rMwS23dkE+adusMnWV7Hdfk4UTouiG2phSTkmq9vmUJdI+BZvDoWO3ECY3UFfkcqnL6eGiPu28oW0Y3SDOJ/sza4q7AVNZVxs5i64gidF5Pd22aHKDkFKnQUhow2xfEadkvMu146BI0fb643uqyDf17lxkKQIoN9p0pjy/AcM0K53q4RP4cogPHQc3P1CCK45DwdfMYfm23jZTZuh2tXKNck0jZp9AbslIkoI8p6hs6K4PY+lErCFe/OVG4fGdrd1yhhEtF5EJ2LYc9fp8tfAmEZeRuLiPybv0qhY1fqrv4X0IbadP7/GRQkEEpvSNNHKfAUUH1RwekcPNAjZVeZk5J92Qo+yER3EoGyKlY+VKWtt9IyA9VbDukPogFEvSB6jKeksJN4QE7cB2aTDx/o6kvWeRoWjIi8kJQgAS4m92Sd/UVYd8kR8ZZYzmpFKQkvfvTXrcS9tUEF2klBBAY8PMgaVQgtKZDFvb3vkgvbmYH9qe53PW7iE6ZC7HSmGWI6yru2Jlvo53CVWMD57uMnwcCteohc0UzhFNk1W1gJeKHpKlxAZ7ivQeEnwOWBIETmI5U6GoT8LY16fcgVx02ysRHnRi6fu9WziY3mzic4ths/i+Ll2Zi2bqmMec2uRj021KUSt9+ExRPQLh7IY8mOVUheop5wnVL3q5dl4x9fGzzyCKZReDxuIxkPMQFvJWjf21zpCWCxhL78tjle0ZGJG3qGmvmUKvQBQ0phROTdVhqyGEOUNjzkYx2HQUBmEBfYUwjUw+wpH20DdHASn3Jz0vwfXKD7hzn1KMCr6pXLrztKGa40p2DO3T2FtHuZ17dbycpaBb7kh1o+6Sc87CNjIdGedVyvY72pehGdwmBIb3yzXU7wFfnuowL6vA/R4GThdt7Lyx5Ky5EmV6zJBteuAf+Rgi6df/+u8QuUeIFjlsYG/IUBsg0gcB65zMPTp7JwjJCj1re5CEKGecdcDcflaDmxReui2YrTA9WuGU2AG5IYYQiirpe4CN7E4+AB9oxXK6sj3USLbJJzhcdTpNXjkQhDJ3yhkMiE7m6tpaJJcyejsQYl2GlbeVHCs+xhT9n6LEYrFo7ILaWA3I3wp9qGb1o3nngT8nnlOQXZR85x3jFeqEvU7dmblYROatLXYywt8iD1NepLKtI7aV4CPL5Vxg0Fu7U/4ATpOqoEGqLJzMTzLHSurw2IIDAJnmb3TTu0u8VfABALPtrJ4jgpoVXXHGrBnK5gO18JxN85lHxoh7ZhshSy22uwQ1zZPUUOImR8890kSqoZI9k7KH+itJ2mrpg8/jiplc+hgw1MxwjLumJNJdLEHSWhZnnP8gqm/8+pIYpYXgE/WonN090827obOx++wkqVE+/te//+MT6PVZ5c+iOE77xzS725pBCptwX7AUZ9vNqWOoC9x7nF62P0qhTZE6p5xZmjjjXGiC/4J7eSGJxmm6vptJE60BQA9oTqQK0eLUcQQds4uPgceyvVaX9PhBCEBqJEYDuZEdZF1x/F5DJEH6EeJalSj/Qv1izIauZ6qHPQ8lVihyUH3AqDT2UZkaNVII7Ub+2rEjYDB3PmSO/VuhNLCNSOLcnOCc42vBayu4okbrtByOdzXZcV+wLYxYKSmYvpQhWCN+tNYbaK5EHLkkR36yIU87uiUIZTZbciT+FQC2zb0O48VTLAqnD/EduUfalMtbyD0arpFHqREnoCdCPycaCuzeFaut/UCgJ3j36D5xh9Fd4k9+kCyIklY8WvgASInAHE/pWqsQEyk7yWYV7PtbzVLJXmRGobojvW0R0zk8/LFzI4dTdWQe25Q4uYVRzmX6tZhoyT31lzgh6FGEFSaMn0WPIqZLgp+VJ6pfn3VobKS0p70YRt84CHRyhxuJ5aDbDRm8oYmAVzy8j1ZkvYMkNy82NON42qCfzYTHnBygHGI+v/8bmVe3eBeR47HZtZYKtclVDh1TctmDzGkbvOqYvk6YNXBwHI4Y50fHbMbvJZlu9jKs16iVT+Gt42G0D6+OU9EIms/8UPGOXzIwlzQKkeqvR1LchaWQC8vzXA9Okn+eDB0ZQ68HPYJUdSTBlAXvPY0n4s0oebL+THlQCg8PdLV/en/+18v8i/dPz3P7i52y7hBD2SuxfKWIzcZjcaiJf9qZSvnUjaEpFCTiVd4iqhTLyFM12Hge/U8SsdE5dkfnIO4cHMSRRzbXvY5NDy6KxTbei5j7Iy0U7dTEO7lDRtsc5uQ5MU3EICsdOHTp88iuaIz4AZTpqzDNOmuJzOPHVKG7Z6ikGIEefEp+H4j9lmAewG6gOLD7/4fmYxJjKHT0pqH3+ouvgs/yUNn9xNHc4babGVxmnBYUotBCxpAVmGGWD5Hgiy4ORyLKxlAIcsSIkGJ0sbf8F6ksE/SoV0kBsVoHESr7qYGeP0Kdg9wRqj1slgYSCg4YPJNsU38/icBL7l15/lVl1R1LfT6gKc5Ep/03Qf+xtfwcUMKmmMfZJ+cV3As9LWgjooMnJ4rZI7csUq1UX1x6MsGZ8Je3xAcZm7icY5tMxMICwvYjkzht4eIx7JAz/H3JqWSNWByolQJYnHnWF4wRyD18P3PwgM2lsZeEdf1aMSZp7NSyzeh5UPWQzGefdtBQfi7RYN/hfVAmPsLiTIJKRPJOEPv09oSSx+rd6Vv2lOkc8CtHByFNu50uVaT4MR5p7l0RHnwifYy28PyXH30W/MZtUaO2nCcunt0fn5wp9MrYK4kF8juf0z9Ry4Sqx6hEqgnmxCONeJRLVfYH+hJ8uKPHIivhYrzsfFKy4cRrO8B2vLI7fM7MnSJuvW7/tDl66vaHqN/VFU++e9OS9vPjF3BxvVbO9PGUBguNF0OdFT3i+to8g/WWn0Sk8hh/EB67DPiJK7909+8B4rTZsd4NQlbARPkmtgDLxs6H5mSJLVAGd80pKM419Nvhx4e+qgzVJ3oWNA4y7QRcUH0eqiB7H9k59eFkh2SKwyMhfI9fBfVTOvLrj55bB+PidEKoiono0Eo8WN4hizrinZBz+Md5gziJkYT8wKYp14UAlE9NaUg6I9U346e98oP7a/4hOZGhCAQMHB4YHrwF3x9wzts+/gUNfv3xKnrodPz2KHoKLtDSv2z67IdKE8eicfITA2KoIBk+xLmckJ9p/uHES+EwwpMx29Ql5xr9Mta1RcvE5IX+LKaFLFC8io+AW1kHv/YJhMS9A/NciIkeWOlbwWhX/yCrt2v0psrv3H9/JZvjtVDvFUR/jOwfXiGNjyaEV0u4GPxogn9p9eCY/U18US+dITwyl7zxj/Zd2YroRFelbTLk+xnRWhN1090ZRVaJ5KZF5P024XWXcyx09nF4m3VUNsvFbvEwMkJu1X4vidxkkvX8Vlty6t2V4PHQa8CvY/ooKS7oO62bFo2k43tl/EwWOYq7tdQmSw9FiGS332X9sF0V02ERUJgmV238bH9Z4LcHMZPFEkMEE3n071OJmkjKopXkFxZ4I9Zbop7tPvDDj6Nfd1zJzzmKFUcXLXNN0mARBXYDvDWVhI4mthy0cUAGHkBO2wedYLCgTv1NoQNUCg5Ph/TDD9dRRBJCNld83Jkg515xRX5sGHnBUG1h98DeKhOwGOotD4FK9QeabriRpUj5yhnhjF7S4WOx76kYFg2fE8V+dvDqs2Z8Ba9pEr/PS8ZcsgAvR+qXJkmGhx8lmZT/TQok9oGDh1McOMtnZDY4zJ0AuvQj26HR2BZpQg1pIecUmp+MLCXy6AWMDu1dPhhH2l/4x5oafGwkO6hlaFQypPisO2uyL6pUO0zmx0Fr/gly33GqMD0AAA==",
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
            packed: "H4sIAAAAAAACA21VTW/bOBC9+1dMgKCSXFtq9mjDNbLY2wJtDwUKVJFLRhrV3MiUK9K109j/fWeGUmI3vYg0yXnz5s2Hsww+de0WO/8IW+3XDrSD2jQeOzeBtqtoBW0raIzzDtqaLrGpHLgtNg34NW5mYPUGHeyNX0PV0qt79HtEO6Hr1iF9tR9lGegOwbawbbSxsCdsoPVelw8/dq1Hl47wsG07D2VrnQePB4JaQB45rzvvvhB8NIGIbj0BON6jrcJ5Mb80rne29Ia2DJCmqYCxwYHDYFPjPuyahnfO/MJXAB067H5iJQQofn7Ydvy1rRd7y9+1dv1yax+HXYD13Q55rXXjZGODP2LzzO53ryLNB1KT3Gb57fSrnv76VuR3+2kxzuajUTYew63kiTNB4pO6Iv7kUkrYr5HE7vMIe229pCqFcTZ4HEgI3Mc6FpwEnkbQkzHuk2RqATHLxy4qPCSweP/CM8UDlnKdLNP8XQGLxUIyB2/eQCwG8B7ewfEIV4OkqbFls6vQBbtkTh479LvOhljSjd7Gr1zGPZ3Li2VwNgN1p66feJ92SOxKpCzEkWLdlYqS051SSZL+1xJAlEbk8xTU/LzuFWRBtWhxLlJQQh58rFkJfhD4yNON9uU6zlS8nOUrVRzJy1gd81WqirfZd+K3hLxIKMAQ1JYKebDu/KAX0aRA+CR1jSkxvpnA9Ca5jCSEEiUUq6Ak85cAHvAx8LegpGUVvyHSlP0JqJypkmTuH3QltYyx3wlrVpqIGhyiqFBzro5QV9T+KlSECj3uwPjXkoibf9lvXx4hrGxlKjc7rqymfOrmOqPOc14esBZRxCnLCwri/GyQkVR8peREFcmZlEFHClj8vRRrPoGNsTtqhBBs3TZVwV20unPjeLpM4nRMHwo6WdLJdeZC6TLSWQHm581Aq6Q76bFDsqZRQA/cqYNP56kQXcIoFBkVMC5WPEtBVxVNlFgZd8s7lfBhbTrn/9iYwTIWyCGu3vS8TyVLMqniP2ZapBC5qEXOrygVFA3lIopO109sSgu/Pqn5M/pDyPFzvgOd5OXBPdZtxwOLX6Y1NWYc563F4JI2IpsIeYFKFj3zgfbfbdugtnGPSBPkKmzzm4JyEPY0Zv4qeu0F0NQ8G3pVhjTSkO3p8AT8ndDVQEiqqWdBHsikCDPivCaEK2e+L2pu1kj1PxTrRy/mQH9wz4egG/ZjnPRVqIkwsAl0QxOaxs//qzBc7noHAAA=",
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
            packed: "H4sIAAAAAAACA5VWS2/jNhC++1dMgGJFBYKSy14cpEH2gfbQQw8BeggCmBbHFtc0aZCUvUbW/70zpB52sgu0B9vycDiPj9831M0NPMJOrhEOrQsIK73uPAaQHsGjVCDXUlta1AZBR9ABAqKdA8qmhY8QKpCWvCI423AQtOzWuC0FWcpmU8/0dud8hFcy7o6PtIF/n/B7rAANbtHSw0obU8HOuyVZPkuv4AQr77ZQ1DfKbetvobg7D7TdctbJx3mFPrx1M67ZUGznl1optBWsvTtUYJxU2q6r1Pef1GRFrW6l35wFDK07vAknw4UD+j367DK7ub6GL446Xhyc3yxGOBI0CcDFDr12agFbwnYV0TNKrQyAViEVkAGOLX3kckC5huubGX5P+VedbaJ2lkrdoYyCE1EHKSrcw8fb29sSXmcABiOoDslmO2PueosOn7pwJONKmoCT9bOhU1fndhmOtpnSpfJFDg2gVyD6UD9+jNtLKip23t4ln8ag9E96i66Lgiops3msIPoOs0keJKHAnYi3TmM5OefVWOmHD3ClXNMxb+o2nWvZ9xswDmlT1QM8KfaJPo2zISZkyZt6uv+djjWFfxexb/sOTrx5XJZKfd3Tw186RLToRbHXQS+10fHYtNKusahSgpRzCEKPGSBmUa5sfYY+ozs4DDZKXDGBA07YT4c1QfgLsMeCidhuj/+j5hN3fEqUnsE1LNyOaRAWc4g6Gqyg86RU2cQAwjpFnHerxNuWhFRWYF3UDbkpLw9C2nBAX8HSqWMJglUeknMyVLDBY54HGgP1KbKMy4ozdzslI4qdkQ3SkqTALclmr/EwpGT9ljX805LeDqSlNLCM5DOO8kjzB4NWpMJhsNSznwlq54xB9TfFEq/vmrxs6LLiqq8RTvmIMr2idx0lo1Pqp5solN4XCdzswc2/Xa7SvJIhzKHgdTJEDHH4x2zox5Yoy0G+3O9jfKP0SJP1zJRTsiftJXs/PrLKew0kykR/7J+GTfn0aE/WKc0/Ufzx9alI8PREy/Lswz/UP58IMFX6hfCqrTuIcT+DziWfOFHKOC4xX0SP52h8T6y8coJGRrqTRH/Y5djNf6owjYFcZpkTn8W+LOXsShmSVVA8tTS1000a5QZDUV7cZ5Njxryvp+5HBFMeLqCiOZcvJbFI/OYrge4knhB0EqyA317TBSf6ok/1ohygYB1fjJ1kZrnOJ9pJT8Q2eEE9hVFqk+g2XI6ilwTfnaLMqjjT+YhJlnSmUt6ReptftpodWEVzTstfRi7RUG5+LaDWipRi3uOU3xkEs7mC5+eiIeoV1fAGIJ4nQr6ULxXUdZ21+VDT/ocHeH55Kbmb47tMPEAyjS4zJjJe3WcF8TEMrysipneW4jFvSmEpH/dCj6mvfmZZcpzol41UUDJPikgnM03yPkSa+RNo6S+vpKn8L8eHAzOuCQAA",
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
            packed: "H4sIAAAAAAACA6087Y7bRpL//RTttRGSCa2xc/80NxEc29lkL2t7bQfBYTDwcMTWDGOKVEjKyqxWQJ5mX+Fw9/MeJU9y9dEf1U1q7AXOMEYSu7u6urq6vpsnJ+pvW93dzlXRf8hV0ZRqVwzLGzXcaPjV73Q3U+/g+69b3Q9V26iqV4XqddFBp5/e/HiKf9SgfxtytarqQXcEZFXpuoSenb53cgLAOq3Vqu3WvWpXqhrMTDfFgPD6m3ZHgOkBzmzg79ptXRo0FDVBp3W71s0wu1etN203qL1a6/WV7t4BCr06qFXXrlUym510utwuAf1f+uTUd6Zlrovb3KzTDTjpdfdx1P1qW9UlTO67mSejfj2AvNoOQ9vkatk2q6pbP10O+H1z+7Tnz3dEprLqi6ta50rXGpdChKv570u9y9VNW5e5aje6eV4VdXudq01dVAB307UwcP2s6KC90zhAYFa26wirTdEVaw178h1vh+/L+xN1L/WyhhG4za9WuaqaZb0tdfmsrbfrxv9+CTB7//Ptdr0uOlh908L+NNfPCYouxWy2azRf2wEh/0PfArBNMdzgnMO2a4Kh2BBv4XLo37RAp6uiaXQHn7eDJgqXGv9ukaR6vRlu3w7FAI+uO+xdlT9WDWx+DX+/NRtVt0UJKAOxm6V+2Q7VUiMu1/p7XZRI9m1X1EhqWCEMBTgMo0cGGqo19B6QtQUXAS+PyQqYvS46RKsZquH2+6K/sd9/6mCC6xZ2XXeasYQNw1kRJ2olhGiI21BiiSUc0R6YQvfERR3gzIzV6+HVrqHPAZYHtBluNwxrVw03ry0UyRE90irCHNb7vCt2OB02b3tkYDGmrvohGvJj9VG/QyxEtwF/R/1eNUjq4vq609cwcf+OMV/etG2vmeN62rnthpp64v6N7oZK98gpnV7Cql8XjZZnwIgsmuue/o0mg9PYD3Sc1JlKiW6ZOvtGNXrHwu810Nc8h1HAvX3vG9T+nlIPtl19ip99u+2A7Geq2db1qQLZFggx7NIgjeIOOzyqV7hi6NmCGIXPalA38MEo65LAV6WmeRo8YwDl/IJg+KXnJB/XLaxo1WmQyg18qbp+wFFLppucveHDukPuwqG3KJORzMAzOARohLLFDsFHu5vbEH8Y01gpDCu9hi1uiDuxd2mP+1ksAGg0ifue+C9ePID60BiiVf1z3S+76ooArYq6ZzoUQDaBCx3uHvkSQCJdaTHb4R70pW3utsuh7ewm49Yp0hozRAAgUQP9OBVt1VAfbcStd22GDUxT1cMpgzY3wQxOSTf0P8MZS5P3SSbnoDNxRkznzkjKCALuxQal7lxdvkChAPuMhHu4d5APl3iaa70kOHN13yOAggKZe67SqiTGZrzxGT7B9k43IGqhB7Wn3MHw8hdfGGgPgBvfIGXhicd51oDwgpmetSBslwPsz8JMgBz/lLgCwM7Fw7ckK9KMpmas7dTjTrkhQdtsquUHWkROXEv9LYGUWBTzGvQ4dY0s8NK9eg/TzUGIqkNmWw9+hh7EAcyAY0HS9k9L0EkCLbANUqOV5kYTpU7ipo4bcpVQnyRjRAWoQ+YmNiuFAw3YOkGaesLmsA9kD+CCsZ/ApDSHIe4RwCZLJJWPPoAuhdks0WazmdhHbLSkSE6SOQjhurhCciVsuCU5qtZgp6yxs2qXuFeelo0cDjw9MfbBsmh+7kCZwTPLUSAcdxKMlmB0WQ0TcBh7eAqnRt0/Y2ngIRKbjzqKOZ4DAw7BRKDO2496CmVuuRPcrYSERh1u7r+CtjUE5SxD9NvMCpwGBzIRsy9Hsxd9ODnbm55bxeBaDq4Rr7YjOT5FiqG9vq41iiq5YRsJYlNs+8mx1CCH7eQwVChkybNKmQYAaj1NjHLyBDgIZt9uSjAcWNSjGbbVdBQOqAuMnDil7+acmGPB1kCx2dSo5eSk1y1TDYhG9vLsY1FvYW+6ap0GJ892gPHGhE+TqtlskXv3iuwHWCb0gt9J0VXFI1o6HLnkrXOcoA3MnsF1ROlvDy4c1RIUI9BEg6odWBKqamV+41FWZ8BSCWgLlEO8HBAFYAkdQglkHZgz68qAhENum6tpyWZEQaYWC5UkbDjOvYZDC61oruERiaaR8OThc5pC/eMfzPSxVDTO4Vnsn6QpA+8jsPaphIHsy1Y8LQ2/pAlyK+B8jI1xdwzNcXgSYkVMOwL52vD4BHsLcHwSQngsS0YA39DjP37/ZwTUiB4kWCbZqMS1d55bjPAK59qhnCV70U7zkmSynIBEr8AZpTZAycfY2lNrYf1ARvsYZTbWv6vqkBhs4yPsC4EiOxDyyPRwyoMTs96CeeFXyiOila7bTo+AyA7W15ycyWJo+jxClo5naMgNDDAtq49JyCognl62pb6rkzGYox5yvU7+GbTMb4cOi6qyK65RUglRYPYHBcJ9lgggCot3HQBYgbamVVlC9GmCO9QnWQY+E1o11jDikeA+4udzvSq29ZA6s8nQAmw/QvdHdPX4MMFCwB0BtBkAW9YojRBTYKIucUB4BSQWNDqbZ2qM7qlYzRgiTIRKkwCcP77IDOsxj6X2cc4dZrVurocbM/0h2NRws8BMr5a1pu0gyass8nP6ltPfWhcftX/Qbvg7ylinEE2wICVNlTpBac8VM3HumTcP2ZSjE3h+TFgjjcRbPpJOuTuYL4x+zO9UnoLx7TM89854ttCeOXPiiCUhAGHbo6JnAeJFG7rk09iwux4gYx5N4vKCXHc0DfrbZmn9lmJXoN/Ie4+BBcvxvyB7z9jfRxdGqjShu6xN/ndNzokki5FYeehvsIe3YDU2l7I2c129lAE/B5y44IjbsOnYEvibbfG8pBwPOJgYOZqQkTBGJX9+8S6xbGZNEr8ZT/sPSD40DMRKQZ3iMuN1Wjsfj4lvOiq4WIETFkKh02hBGClN80hw5lJGersNXPwg2PwI/tHzL79UsKCewleqHW5AsDrjoZ+pL08oWCBsBVyyterCmJfkjb0qVmSv4Abn6DCZ8UijU2NLAgSyo6X92JLjj878X4tNakJwaTaD50b6oDiDYUFI4OTjkxOUwwDRxvRSwgOHITadJnN2rmjkpq6A+IskAwlH8tBhHrVZhaHrXlMYOQ1pL+LGKcYjh6JCQ/zp0aj+XCGq7/7z9YsFq/2bqgH2ufwOHAb9W7He1BqjExxUFELvsKirdTWcff34kiho9zW01av+O4xY2UCPpSxSzIdgyGfykI3u8qEhuxNVD6YOgLJAweh0sRoPg6I4rgnIPbspQDO+J+8n8/3gwMOTzw7/NEsfN4qBSiA+MOf7XmvYwPfQArJrYTc0T7IZ29Dpt20L+qfJZmvgMB9DJsvcBnZnBrDYAmy2oTymKVHIKs4rfQ1qSvILdpEBIdsT5jBx2DQMady0Owq7pvFa6HQn2SgAYl0102B2Ej0277AZvIJDxqR32+BXVLbLLSWB2E9+wXLK76KVhpmacOgwHGMi5XSuR47JDFaeetXhIpwTbhV19Y7UlAsVUANjwwswqNpeh0TlmGsMiYSTYc9tU+pV1VD8DU5uXQwkA681qEXsloWh2Vmi5oIPzCyY8hKLJgPSK7rM8xW4A5RVc515lzwAs1EgsJ+q/rYf9JpcRRLQ7RYcbL8YFi4cZqaMgdhiF0833h6HEwPdG0lvI7cpEjwnJkL/kiTmiNQAlyfgBv4+K8ryBdqZaNLqBqYjT0OPnBtUBGVqDkX2CRDcHWFYAYtoHYGWmy6fhIrGj8OLIwCWYk6yRadWhFZPo2BktCS/rYbsvK/ufAoZB5LT8+mC9B4+5xFzJfjK6HHQ1884Vm/zI8vtkAMTg5WO3IDu5qBNgvcK81gfgLNXoF4w4k9JA6vVaacjyQCkKNGmaIeiJrdCksLztmGquvYLaExgwoS8K048UTsBC48aPDYH5AFlmMATgYmNm6H+3cAknZf5OazAQHXwhheKYI2yk06YRzA6AXeZLDTdXD0Gs2G1ghNrrZfwSGTRDHfyrOEvz0J/BU8FGeg4U7l9/hk3GBNZy3ZNoSLNCSmbMRqKD7qnx5yyhM0NcmZun6ePiDAORqxPmwl7YlrI2TKeIwd4YEvGTayeM+dGS96JhLOg35EWJ8Ak70UySO6yF8muk0/1yecmk+mdbxMgAmN8vQYXwOExsvdcS0mR78AOJ88beAZDiMF0LtJPUQCKQk2h8yumRd9SSqcFDppRmh3tF4NdOIiD2SwdhNAR1BvZGHfYDYeIEeSeroBV0C/yzBCziWOFsejMApH3gGGFCAv2uz+SvEE8Js6tHWXa+3fR1RQmIJv6/eW+rmrBBaWdSeUEV0ywUNiJbIwue7sB5+D98JlbzDTGldHUWABbkl+U2iZzTLmJjdN0zxk3FCJVmV1kn2NC2sxhYBMGCziEnp+RGS7fDHIEhQp79nimgdQgLjEDzQoEe6OnqI2E4VDCAzCqO29pRiaQyIbKlDSyldzYmdACTuzbJhuAdA2kOrzOYXURy58wA26NY98u8uwcBgmqdYQDcDrixjiDGwcCY9s3Dp7EFrBxK2Q50B1jbFDuKE8cAkeJlL03TcLDGBgBxqt1sndmHwBr7g+BZRWIbkT+POmbYgN8ODwa2vYRYEqKMMEf66K5fYQHstJ98Ax1ymQDuP9VuS1q13jho68GqRn6b5lgL7CkYhZgJ+Dyz86In4OTbcfz+TtchlzBstWH6EKBMC03I1mUhcoq8hlGasjFgFkN5aEetInOkYPhhGUszkRPu1TddW3Xg08M5xmFi6h6YovHyBrvYbAOYL8LaWy6BcaclUqhpjNzGiw+ETsx30NHId6CbCTqnOkUhbmMgWSDXOBEKyuj09gQH1drGNamEikuzBq1ifIqaD8lTqBZUCLJKV5uydk7UuxAxGR/9nEmoJAg+2ww1JuhPHkcwCHL+9iKZ2yXLxbSFKNnAgIZkmMINuziBpOtNetr2NoU7OcnT1yQLyhm2R/3UKWZZ8Q565MwJvU9p4eFFXSlQTOVQSVA6IPIgA0Nt2raHEEyqp/dVHUZ2SsxiwU2UsgCU9ZEVIN3ZGAcMZrkvvFDXG5yfpFkplw1nFqU940BTkTuzX5m0+ErU740ZY9NVzJNUSPqblWUn+v+Z5jD0hl/gY/G5s9bWm5oZPrWH4xuTe+UJSrig9hkDl00sIacaWKj3D5aw0+sUeUL7HBO4YyHyMU+uQV/3CP32Vmng+yjb/UKc7vWapo8NVPeczT+zKERi3SfcotKl8Pwp1UFbadSc5yNsemwAusvk7+Bt8EEuKHSNRPxY6kS4nbqDNq6b2E82CRM5Jvio1a/bGGqWq8srUmwGZ4eiTaHh7VCv1GPI9IRt0cMOly15S0YlyamyHWVXgAaXg22FSP/MnO6kYl0bPT56vFp8lXYafKyNRXPzImyBGhmMgy5ikxxV87wM5hGoJKpSHrxiXxn5nOzd1a4AHwH3pwDDl6YYrj0aHWLqWrJ8slKt0+UYKB/dPqpKDfORwk+VwbOgU9cv7D1s2wGKDdoJP3St42xi/Y2+RQmjTKiMdWagQgcNO0rDpsBkYoZbTSFrE8xsWdiQqNgj6bkW0ExQBATXMJsC5RvmZ9hY3GzqLrXSo7A1zT+5dgJMxraugxT9kDI9IEcNGC9gv/6cWasSFMai06uuC8SOnVUhYcdkQr7Q5JRzWSaXRgYrioVv7BqqzjmECDvTH/qL7Jgge8ji5NdDEiWuIdSSXIM35c5E1qhCawPXwHzuT6aHO5zVee4PPL+aQ765q5ymCyVJ8p9juZFq7/gCIHr5UqeuXIWr3fMze2P9ByfXcCpMpWCXFJBQzlpeL3twCci6p9Z6i84rooZAGvpE6JhL7dHTrTsiYxzlb6nex1YZEsImjseqb+pkQo7hOqpsadL2kuahGunaHFwhybYUls8HMWMO12TT9/fVJueEmtMyCikyzJeMNTS3plwt2rurl0euykm5jtlOOBppu2dKzcP3uAiO8HoaJSdO/jS7qSxwEBDi/pu9gVN6oOmfKI+k9eMWJDAztHTweLpv+vcZg1Q2qnDBTK4j8/kMpYfOrUXoWn/dEUe5xHtMpmykwBAXr5kT9uCWhBGixk54HPCldS5Dzo5FygVwg95m/ou1A8NTIOadQ4OWgaDKeL0lchVWDHpVbSoRQqErp3aaDHajYW6/OrhHr8eFBXgGSa4hAkTw4BRrc4+qACz8o0jV8Eln1SgkDNvBGEmMzTw5KP4lctaiuMgzixDAOp5AGKkuTeAefi56QqrZ4qg6NINRm5+evPDs3a9aRuswZv90lKu2to9B1kbYyuyXKEUU8fVFo1CsbRXIdGTP37/b/WGzxYajpPGiE3+mPGGFejXI/7lDJU78MMT/MjMchxHy7SBdQO/6fz/8fv/TCDoudsV2ZCZ0fAVMiy5C1bwFeP8aWQRQBJUlxjDhC84KcxwUC6qV3yw+e5T5QVZtcbib75vx/dQb7F5B5YMVgZw/lzIMOOr7ZUV3LiQnFzCHUNBxtflUwpM7QNp8YriAHE6wKQuyIQg1yGZbqvbZVEnQTWovu4KVu4sNewDb4KD3RnFsP7y9tVLANvBIalWt+k5o+VmzB1UsSgyvyeWeIEKmjfbw+GbmHfkZcCguipKrElIdkVH5XDcOclFAd3Qtc01POF85uVz3EnrkVIeFQOicpLDTF0COjZ2gNMi2gnFT65uVcK3QtO3tPZU9EPjPZmp5MLqcdNmszPnzOBDR0DwqmcqerjBcegZRrLVEj430VtTEWJOmdtKT0BHHNt2B3nAoRr8jWmTUIeDihYA8bnIpGOdIONlAQuM3CMklUNRXIkNLdELadBSKaX3TdEp+LZur9LISSUbUN5OE9derMGNFZwITzqkNtrxuRE5ciRspFkqCRuiYFsFqyS7ni5W9fZenQxbDD4eZ6bUv/o0QzG4cq1Zkp0/CeyDDVb7edPCytCFuEDrMtxePedKKPpM2Yw+TgvMcYmfwPj6V7wGOBLOURQAuQkvRKdhtaut6Y/CkKDaqbQYaPJwz/edU0skWyCQHcww1Pd3nnG8ZkinXPYy1MapHu45wUMPACzpD5tRBE5GnrsUy+eNmRnddok0EI8OrocdE2zFwGYW7cioqI5UeKL+97/gbIDuSWV5yyU+Npcv8dGB7JwkmxCxtrwbUMPpDidePhl5iVtmxCVf5ovaWdgQIqGcsR2yi4vpiy9o7jwdQLKBStYplxdjJWpPYiMUeUKnmPKH6ZsvnwUzDspl4RlDIuJRWhe3INAwLpKIWO44vAZ/QbLVLsZmCqztexJS046K/PbYBZsoqjHiHL51o2IG+uP3f9Le+ks5cY4GQxxXmN4jZ7UBhRgUJf9s5W9J1ztxDQWNQekFFgzefeZ4Q893753EvlU7n5o+euFTBEiYnafsYHXOLyhIk3cYU6tKa+lQlM3lmRrwzJLMvggh8mqDk9Oy0YLx5IpDtRWbC/hksHF9WZEoYyquVxaUIDLoGgaQfIwDMdjfBAvO2TEGfC/o4ER16Cwcjl8jwtFUmy7iB6iw53TCOq3TBv19FyAIbhYv1L8B1k/8tWQ2cODD++LM+bDJ0HC0Rt5ocmO57goul8cviAbCw2JhhrdgtIJJckACWbO46uniRBaG/M+PToygaC4idTaKqdo7Bv49GHfFOpJXQJfEkQNfTSJHXj6YLgN/D5bA2ZMv3qMFfvZwP3aiUO2jaEyeb0GVLrH+0tmVRwTHDM9/HlxXCe6q8KVaOj98bTZjrmZzgqPETO+9cPzo+VwFJfxhPTMxCXGLuwhCvw42eWgKS3xhtJnlnvRhWfj6G61h6t88P1JkNn5Jg+AE79KL2xU++mVv2cDOi1dmyHz1dLGQmTOKwZqnNs0UFx5YFWC62bdzWMff39yxcPDizun0zFSuf8euRPScLoGK6ScRg90HzOdKhG/AlJq4xF3hq3PC4zdJ9JBELn1o1clTOHhOebjXM5hofVCGfd3SwXIviIlO5eHSZM/Ndfq9HXD8JLoRIlXhrPZj5w0ciHaH7/E48AHiS937OAjJDeOk3dm4FuRYxbIsBqPJgtvn8rhyWYysTXaHMnmS+DOJypm1ui8ds7qfvVyb6FSX9HYDMCLNc+dTmfdZATuVfVhDZqodzcBAS3tZ6yu+PNGnvJKK7kIHUd3QejkPX+Rgmy9gzQYDac+fm2fYfB6odbOes08kxkS2tvSpmDCgZ1+ZEsUjnwhbK3m4h9bzxxeHZIFGlrfB2AcQwA+cGax0v7gMytdMvNC9Tgsvr+PMubnDfvlqxdcOEvmuFOBiNC+v27acXZq3CxgTL3Fl0gLzw+hqLM9LSbjXr95iFu5y8nSdvGdOuEQFjLlVQGn/JwD9p/k5LZ8MGvdOp+xwcbgUryYRm7rEMhJO1FatKycRdQe8O/E+2LyfE7EicRjXkI/Qz5VNaeaiqFyUkVtnZW4jUT4JYTbIpw+N6xrS8c5NdJtCkYph6tQtErfTzjuNpszR60Q5mdhvWIAHLNVOsgYb4Q/3PMvhczglmvD/l12i0JzdEPnOBMME+2Ay/3Y4Qc6X/AImNbTKveOEp+lRxDN7sdOd/oYhIfTszAtSwPeG/5qiR1g7VxhMyGUoiCtBN56fJ8/QQnGGl9O3F/4a4sEZXfINAUEMZ3X8/Rn8xgmURvxukaXe4K7McBvyWVPyJ/6tZekB3u/6jCsOfJSw89Er5UHjaTTFEozVDyJLZhSCuI9u+AYW9yRcM5d33mHcUoaHB39DojR51dB50BgbKSg6QEXNxQfduAteQl5TTenIQnFh4DjICA2PGHHy7h37oI9in8/QW0G4of2D7ztMhbd+/vXFv3ZXmxuIM5hooqjBERec4mIzVQuJHqZtNArfGM5BWp36jW/b2QpQalnMwiKraUv8jjsin7jZN746Ekh99/xw73Dv/wD8bM2vjlMAAA==",
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
            packed: "H4sIAAAAAAACA4VY247jxhF936/oBRZuckFznJc8aDEZ7NobxMnaY+wFeRCEqEdsSe2hSIXdXHkwFpCvyYflS3KqqtkkNRPEMHbE7qqu2+lTRV5dqdvGqvZoOxNc2yzUvj0pF7zywQSrnFehratCmaZSp70J2FMb06g7KHWV7WxVvnCHY9sF9ahsbQ+2CYXaurou6NTmB2fqdleoY21co85q27UHpcurqj2Uv3r9ZlQ2IdjDEcreNjAY2t2uthMNNucvlfz9RMTb7qvtLkXuPPu0aStbqKqXQAu1c18t/hz6YCvyDxvwuWtPH1xzDy/MA5xwByv/vjNdoU7wYWoOubowVtlgXP0X4/eFglUXHr509VSFsio6L+xvrLRpGx/U0YS9ulaZo1xvAn5qnavrP6n1q8d0UKb/kSrldaFclZ9fPZL4N9+o9RX/PK/P6zcv5NB711QeRzX2pH4yx2y51L7fbKwnZb1r20qvCrXUW/jcd5YW70xcq1tTuWZHayfTNbK472UlSR1N759IdX3TxEWxscoHj/zB1DXFWZZlsL8FDjHCJtO8C7WmJ/hohZ8shGRdXam/C/w81YjK49W3+C/lcds3G0oMI7f3t9sMcrl6fKFiimUdxrnytAsbzn+IgebqRqWo1WImJaoajijltiobjrq+Zl9z1dnQd03EWsZyYrRpgyWby4lKyjeVDQbKnUXwX03d2y/HCgCp3ga485JE6XiWk311b49BF6MWKg4/CSpycO3lWO1PLmz2tlLtdjtVgFtbt4P16hkleKsmAiuKI4ZG2I9xFwIsPk9WkLsb0m4IQxxyCQoItsvetW1tTZOXB+Avoy0uOVdaHnNk64wCv36tPu+t4jC1V2ZnhXUCFukGKrPFgSAht9kTCznmqNqW6vXVEwxA+ykAlobYhXRWVJFpgS+TX1yWv7a0vBoAACQ+KT6leG/8M5W8EZbJkKEYXw6APQ+WS3w2UHB8lCB0unCBUuc/kaMixz6TBPk4qeOSN5L3EKXkZpQajayxZ5HwspSv4lIolzITaMbbezQNyv+oNrXxfiGMoILBbTqLOOXv/PTC7hDM02rtbV1dJIOW3j2M15Ce8xlAWUTdPajESEL8LCqMU/DJpa9bqaE21cEFxr+gkqoECiOA8RanPtl8mcps+tAewMUb7D5HAHFpGsBEBYkXj6lLJqqk7Muy3/chBZFP8ybpafuwaQ/IG7FpfOCrNTxMSyxH/udf/1YTbubrmsPRaBKdJqouv1uVof1yRK/53nib5WeV9s7r6fVPhtP9p0zNPQUawkfkE37CuvhI+b1RS7aL32U8Z3r0ZHl6fBGrNDRylhsefvLY1/w/A5b2AOCOL2KerxBquonP+op/Q9fWNSYNyayhCw6P8Vco7JFdLOJ8dObN5ZA/2qJc8eY8U7w0DwQNbsW9DdT3VjUGNWu34LxxHMN8o4yqMZBMWS4CYBCieUVGB3YmTjDZOIowxmZTA/9zGbt0DAmbxhDnbzEf0Z0/tJ1gS4YyitQhzoN5IDytB9FMmpGkRP/y5TOM0VzDp6VORQwhv9V5xQ+B2rwPi6FpQQ3jARlFfqX33/LwFxs+5QuA8rNUvUGjACtTAqnGkj4knqVkgirV28af6BzqKbMko59gje48J9r4h2YzEhSC5Bik8ieDIWTKVHdt9YCk0a4wymBfA+OGxGlO/XPbvWc3uFAjLxOpyAlQ7ZvKbl1jR1pLK2ObAKARGCym5LJLxPrw9IYerv9A1E+PespF4sxoLtIDTdwZKnb7iUomx6+4Rfn7bL5MBWP1c+zbY8u9DHFMEPEu3E2dgp5NZw13C+AVzeKPRWobxNd0h03nzLe1ubO1xqocTLX666fbn3WCjJRWM1JSnOObB+4r9mu7ACKJhHR8FSEPgT4KBVuYJjP9dsTNqXM0toU9eoCNhuPsaQ9oZCXBmKJY8bROFwunsAUYyOSuYLvkbo9Yjp07mO5B5uPvTbOxdRJMFV6tOIo4DPG4uxlIgTsSI/yEFFAZMdpt247hKllGES11TIT8q6dXuceBeqkH9g2yRbnGi0nXtR1eSs7z6fvI5UhprWjAQOPWNJWRdTQ9sbGgLKb+k0UjNwNbE8fxYFSgIGuF175Xj4mtk/BI2ST/XU5s+eSk+bSMhqEXYwU5DBzEPEeHxAXCD/OsZsKnmEew//77uJASTzenpAsDH149yqtgJrnS+KPzc7keiJqycW/x8oGqtNNX5zdqLVcky9c0OxBaXMUjrPAGck4uPDuvIr9/w6HZcMkwLbmNnd4h2KTa8n1g0EkjpRoPK4sIKFJKM+/AWzTyDv5RdpY8ywr9wM2Xc/KJL+OZ+DEgFTYSD8pEdJ7fO7HcLcjbjNmnUKMGd6cJleaMEKU+jvLxQwOxFMDNPA3I4RRh5PlZYk3x14bk6QWc0cztIr3AMZ4/ygg0owJqxhiP4pw3ps9ww0DqhDnnjSB0vU3yMyeiGk3HdGEyeR4OP8e4XYx7HOklXfKGNOPksY1OhPOVZPA854wZKoePNfQVB/heRrR09p89Ljq199C5O8xEfgXw402w5cRv2qOz/lmoyneYSSVGjB5bH+YgncwOg+mnMRGYVyI5feNccpIwCYyN9YiXD89EQKYy/TM1FlqkfsGbVw2WpkTGz5RyJSq/QAoJQZATpWNnv7q291PFtDZRfgsGER+SqnyxSFr0CAUinuVKyiyqifT1ZviVlOLKxNCPU0jMAZK0JqsJUqL90XobCM7EX/R7qjYs8Ht+d6A2MXZI2ru8GDfUtaibQflHkFrsadJF6Lpyc8GchXkNad214A6wIX8tJBb3oCj5lOh2TUtfDHWkK7GnmUXE/6XGDLEbnF/qH95/eP/5/QiWfDWJZMuiepwcKtPsbPc/YpOD/19w6bNniqSUL6RbJqPh44jcLedlakRjbOxpDEtMcVyMAX7t/S9LdvNjaxUAAA==",
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
            packed: "H4sIAAAAAAACA7VX227bRhB911dMgiBcyjRpPwQoqMhuivahQJMWTYEAlZRoJa0oNtRS4S6juDJf+wH9xH5JZ/bCi+wAfakBW+Jyd+bMzJmz4ySBt3x/KISCcgvJXugqX6sIPoqDhlyC3uUKNF+lcNxxDRy2eVZXAo4cD3wWFeh8LyJY3eFOAVp80fgFN/5SlWhrJ2oFleAbFY9G+f5QVhpOoERFJxvY4iYI4sQuxH+oYDIarUupNOxL/DOF62+uJ5AkcP0C9ogGIZZSgODrHbwANRol4zF8q+8OYiO2cDpxnYKs9ytRRbDl+7zIhUrhNT+8VBiXzCI4FXwlirNF+3kTwWde1MKbaGaLm6Zx6YFx0vMGJ7s6WzT0QnwxkVnkyqVzCrPFZORC45vND5+F1D/lSgspKhbw9VooFUTAQpjeUFbsubgQMtM7PH41gSacWK+/YXJ9QJQFDgeeCfrmKkYVkHwvYsKzreVa56VsjzAqTAinETiQvCjQgxRHygNDLwDbsgJm3xa5NLbpVKwORa5ZMJdBaC14G7PIeIzAptRlb4F2k/dsxi//fHX5+4d0MZsf08U4ZLfp/MTicThvwltg87cXYRKLL2LNyFsIt7cmX2Q+3wIjyzCdTqGWWFrcsQnJrc5lLSY9EAeeVybXcRwzC4RMBUEY77le714VBUvY/HgRTp8yxDB7/3Q+X9zP53E4Dp8mWbjAfQfGZkT5u4jotTAFmfnHuBKHgq8FS+ZzFocJ8oV9iECoNT8QKtzL3IMBHMgAEADmC9J2V7gIu9ieYPbjHVcmSEwqPSqhmc3mzG+l5cwth/GhVjt2Ak9fXzoTf9gy941hLjNPHfAf5fZZEkGAn7nM9R1VsjFeGvythK4rSe4mo2bkydxyCKlryW5IFGHnSy02EXDqz++5FrEsj8xxw5PYoeW634ceM9VqyMxFvM0LjcDZjKK1FbCOeonyoCmHZ91yYwQjbP2rXb7VxOvGCwqW8+ctIm5zCA3Jlq0fNs+Aa1RAKp/daapAWy2xXEu+rfeuFU0sd9SBJE7mzLANFW51iH3PkLn/2o6l7UZroM1cxw3bOx2PTKgMTxk3SFfPpOELc+4qhAvDckMZ4/mMDxTrd/X6o9AuXLwRdJlVfD+IOIVVifmDf/76G3blEfZc4p1Qlh+JKEbNVQlFKbNhalbW8v+TneWzE9lrPlgvyzZTp4e9eJabr2ezxRH2dWhrgp/CV1Ld37pyW12vUvJ7PAsKgdrlWze4wJ4Nhq1rbRmHBqCxh1W2K5lf+Vp5m8dLTDdMIXiLT9vrXu14ZfJrrv81qfJK6KMQOBocy/ayM/fSMcdpQU7w+sSCHXcCD8qSljJzcFj4TzW2d46qshJYTKp8eYysu37tDRgv8LglxsQqhoKhUKSYTTACMW1MTLg0T5P2vEGMXe9SgrvISC9Jl+AQPMjc5IyAZMpuUDHX7PI6bNWINrykZLvEBpXAygTDbjISc4XSYvLj+kWh8skN6+Hr3IRwM3UFGJOB0BdrhM/vXH3KuloL3FUe/UCGhXRlSWGJTF2a9hAVlUiXsDyRKhs+RJCrXwlps4zhlV3DpX4BtfmbK3IpMcEpuCmwakcdZLjAIm/MUFIrfLZHOWavRgmvAPsL92Q1pgG7JyZbSwt8iRBPdoTBCxiNpFDhlQL3kPE6o0/PE+ojx4/IDJ0KQY9601entiZU7L4T9C0/NEDzJd0CtrwuZ33y+aYeSI99RUMt8cqesrcIebEjgAdNk4BTOCw4XQNhq3QeG8oDmS0Ekt0QkRzW1JkDmbPHjAIjEwaDGDIazxAiD6cvN7l6Q1P51Ft//txrJVby0q3S95c4ZV9dXXl5aT3PrCa76Q4BoD8PwImolZ7eSNOp09lQ41GVBaXPYbv1KCiG3r2Wdjfy8PShzCWFRBNG2oXTG+CxpM2kB7GrjSFW0AUA1ppVSLRpP8eWIt5EA6jPwlgi5E+Gg2lnyonOjsuMbD3OiFb60FTbiU75Uuf/kjI0ae2SY2+VzFl9gft778uojw3E9TS615UflunHRDCM9XF8zmTqumTsFxJg7FHqhPjqGqnT1rhxn92V1BtiDQS31W5sef+gnkSI1BC8Obu7jOn29nq3o382rfhht4quYUh7uGu2+ME/a/j2tXlFvWyp6s61guC1nlr8fMhoGU+VeOzlgwlkMvoXT4X8enIPAAA=",
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
            packed: "H4sIAAAAAAACA41abXPjxpH+rl8xu7cJgA0FaX1xpYoqRbXZJJdNOV5XVjl/kHUhSAxFWCDAw4CidTT/+z3dPTMYvGjtVMUrDualp1+f7p6LC3W70cro5kk3ql6rdlMYtcse9Fw1+n/32rRmhkGt6kqrsnjSalVXlV61RV3N1GFTK8zPzGNRPcxUVuUY0pjeqKLFT3PQDa3PHrVRh6ZotTm7uOB5WGbaoix5c5NtdXpWbHd106qjO0Kd1LqptypK04t1ow12Tn800VU3cd1gIQ541HpH/921MyZyBnJv60cNEhs9sRvNGWy1yxqjvyuzFRbv5J/2eaf/1ZTdwgvTZq1deIZtTasqEKCuVWTpO6fRutSYUOpWtUQDPhttDBj2ua0bsDZ90O3HVm9jv4rnRYm6uVH7KtfrotI5jrh4+5bFs9svy2KlVmWhK9zwULSbTlCRkWNS9fbiTP/E16GzZTYO34L7H/hHnGDT9b5i6fXG1fFMgVXtvqkc9+OyXmU0Ma2b4qEAK49y0IwvTVrR1G1bQlPeXV6qE/Y+Mcln6q36fpO1JOLHqj5UoldOy1L1lyecaeZqsdpk1YNezNQiW63AooWKs6pm9VllZambuXoq9AEK1mhQl+XQHH1IZnTCQu/q1QYraOc8azOe5JY/6Eo3TH1kkvSMWLMqM2PUZ9F0/VOrq9wIKbdZA4kwC4jjTPvi4undxb+FrIutXkBFn6FoC9IJ0JmBJvWPbHelqj10GEqPwwu+MiiQa7NAlGL9oFlX+FEW1aOh3/pAy0kgSoEg0o5gmhO8+9ISSQccugWd66IxpAXBme7ay2ccf7AH28V/0uu6CWkwrfw+KlbnuYqItc8R2Upm6goDkTrRTDFgnb9vB7Qxi4jx7BHgJpoCBh66D+KXk3vnMeYhu1q5AHGs0pZm04KGbXBaYd4fsNO1Wmel0TLyT73eG53/rTZt+KHSOje31uL8aIlZPfqh5c1zMIIhkj5tm+WfqvKZrMHZwqs7z5yIPAl4Ck9Hv9Z1WdYH+nGfFtWq3OfaxHT9lPmbMm+TK3U6C+R5qJvccWUH5ycuEwMHYiicaC4CtdwgumiatU/cfa3kjB4TEkftkQ+A/DbEmkZmgFjaGKPLLLeC7e1EDB5vkWH0F5YGF1XX19c9DjmKlRI/eVQ5pIz7luRPr1Wwwa6pH+AHDXm/oz1DDemhdTdq0Z2g3hz/kbWbdF3WdROTB3rLR6gLmpuc1G8Waj4Qmr3MIWsqf5tT/06dEo1ZYoqHShXVCxv1ZCOaNN6ClOm8xqdfYK1o7ZCJh6wgveV7b7Of4suZ/L3SRRnHstKpN5h5mahz9WeKWHAKcZKANeDTZZK8wGPe3jJZLJaC+psjjZ+U8fx0334dR51Jk4IEa9XPP6tXPKHzMmN+TR025tZW36T1Dnb/29+qVxf/w5GrJBv4+d1Xf/ghvfshT+9/9/MPd/P5ux/ukzcXKXBIEN9oJoW0ZHw+7frCNQdTw7uC995t2KUPde3EzB6h1TBrCiYEHiQOYnKu26woyf/wdnlhdlm72nCUiilmfNjDZrbym1ZTUJZFCMDsbbC7BQGiMxbaSciR6McwwAbqT5V2QO/KATa1OJJR7xHvNriFQDhEzJn6EeHhtFB1w8GfArNa/FUwzHdNvSz1dpEiOJBfzyz4gX8/ZFWrczrNRivzqHOFqCSB2ZKbmedqpTw6waQY0W5T58BjUHJAuh19MGIUWK1igjmymXP46soPtM1eOwMSViwpjggsEhHCUgYWJhzAtIyNYfmcWua8QIuzJKfD8dC25IM1DKAaSFPFO+FVZ96kyXYwFdazvfz+8h2rtFwJf8W4wqtrdwkyIaGTPNPHCiae0D1gLnvt6Cg1lNaf6EZZfMqOdmZ7shBO3UI9jcfyHXhTG0Y+aw0aGx1CTuuh7IprFds5nD3AmV7/EapKQo3+6y+3FEAZYNGuxUpHSUqz4vjIKgZdpvk8RL9Tu5fpIq0dSZKZimXzE6m/Bc2MT0Am7AKTGLv1QSg00ehyzRfwKtdnFQtnLJhkIOuXRPfVu8QB3iFiIc10S18N1kKkE7t9ffmfL375A2S+0atHCjrPQpM9l32MwPLOrDzxfD87swf0uojhifQXCbFCcNIYpY1JQN73DaHFc/zPZU8Hsge2VvFOrXNNkpVW2c5s6lbgb4Y9s2a1iYyzUouTrAL6K7pln9YxeS25qEMhMOOMAcjfP3/6NuWkT2Zd+UlbgceLN0eanLZ1m5XMa5+aIUgiCiGBmb3mr6/n4dzT4uR+NqAJ3OQFmOt+vp6TCtAOUXRaXHWpF84kYrCw2MZJapD1aYry5++S0+z1kz+n0U8FYXs6CNTiG27Svp5fzl7T79dzlgNtbe2ZlAMmUK20QM3AEpi5JX/PSgJQq6yyOHzumc7pOrkcSkaQ87fM+YHLbhj2gGJKCJ5nat+UfeZLxCpyFkCXcMeL/3hzxOTTIpQCECHyCON9ceA7sAPJg3OJGzqGZAHWSb7OgTE53RS5uX5z1NWqzvW//vnxQ41Uv6LAWeQJjhKPw64PbofYbt3O3V3kVAhnDbXpfqbwnTBvNAtSKGItBqyFzjtdwQ5gEpnWPLAsdbq/n8nZ3t/Yo0dbkxdjGG9n0trONJnXMMAPgIw6TyQwCgvJ+MjtyRQqwsSOqwgUoWkKFnjfpXPPLOhe7matkCo22RLasMkoANhgb/NPq1KiRxQq4GatLtEB8QLzzkvGFIvEfqTsAdq1IA5SKUBDczlBXNAwH2ovLtnSInvICsS6BeubkUKTPvSwhFdJdjDxQBEHOEAG5dbXzAJa8CvKHW7piliPpcJn/pUuAfvEDnhi8Ilio0Qsln9ffkF0UM47prkG0NHBbkqOdGBDUlH5depOy/KcgeI3hWmpHBJ73Yo1jQdEkCbJoiCbs3pHuEO+WTHcpGRRMqeTJ8+z2uhF2CEcPpESvt3H7VbnBU4BYtxBliSnDjZZ0knEnlFTfsXN/7T8EeqZZoYgkJvQ2U4vf/BkzfsXmjJbK+ABSUN4N0x4BnwaQzlSPY/fEo/bZB+i75e2IVghOKU3aXqHQJik1tGLiMSH7YEyJV/SJp+1xEEOIjiPSJChm/SwkTtHXLDraGD/4wav7FlO5XFaoO8hTTZS8kcf3j5kBFcXpaVtQVUwX46uNPsk59eawO+Qi5Jr5JNQol4ysU6v3P5BCiIegLWbXO1dxxVrbffJSwzkRcGmUh+0H71jFiTE1I7Kad5B2i++EFe5CO1v4lgYuMFSZH+Xpqll+326LsoWp8fWgqxAByUeb1KBDzxk5hvZz4pXKhgBFPSFOPojLXX10G4Qvd1C5MxBeJx31UpZ3VXtaPnd5f1NWOkYTPZVxDvR+1nPEdAt4Zxjytsl6oYcMPVWv3x/XpOER3IQdpeg3OxV7759cG6znMBKJmf/t1RuY28WYzTdy7q8UL5FUtd5TVfI59rGleDA7CDKasba1OX/DBG5Pm7VqHea6Cid09kDzpNeTCzBMlBqAv4fOUwfQP6Nxf/coaC7QiIW8r83j7DhCy6c/N9iJmiVgX9bbPWkfYa8Fc22W0JC1xw34MuNAeMhcviIZ897PzGA9Y7brg/iyQO/J6Cu3ToEFq7U7vXQF0hp367cMFlsWGvCKpFlAEPAVQYi5hRmz3kvwqMIGVk5V++X4MRn/pESf+p9S1XQy8vEh66QChKXxdF8akp5dZwk8tWkW0Q3WdVPb13N4hju6NM9xioKAib8R9z0LT/4RjfW2l5Qpmyp6ExCJqm/49igekyhcsxDNq+pInNRtU2d71cjeYIyQqI00igieYv/S9txqQHvylyo43SI2WR3N719LdJyRPe5gLx8gtRxPdzo9tbKqVPbmVRkp218oHN919BLrKRo4jVJ4IUvXXUVF1kcJSkL1RpDfDwlXT5BW4UZfnBh142CcLgq436TWPpTksFv24Mio+x/CC7edcHCzac5A15+rBConrKy703zerXf0t03RZ7bgvCgeNErlqgTJPC1iMCvHUMdyraXRVm0zx3o+cKxo0OsG/w+bJc7T+hiPLf1fNOd3HPGnbT05RrpUj8UfVVY1dst85B64dYXcxYThOp1DXsg4+X6LEKZKA3g+LZA5tJQRn4nG824LmO/xDHMty6ftMTETp3t8Ex9Tc2F+2EbW3RITiV5CD0qy2uQyMNMXJ8KOGsQEXBxNtD/WWid96IWFFQCXxDGFXqpwM3JwjhgKHbPLchhsGFsl4376p7zwdkvJ5Z07YCcm9RWb5fQwr7LOmJsxu2rebc1pzyYO4pdU/teT+7bC22SG9rgFsxL6dwphzOihK86jGJ3pGNNXbf33v/0hFjAIFpYDm0wCyvqQSE4Su6TrqfTK3J7X6T44YjUGbwR2Y53GJy4347/QNWOCshua19ymLnvutukEbsTXI4BLniCNCCTxHV4HDQb9OwHq+nqHE1lYtIPvtNNafXlRIyuamGAx2QSw7LqmcsRZy93E17m4IhLDsN+sQER1J27vL9BjDsvi23R6jwK8lii/NDU1DeEBVHsJZhZ1wi8oJy/0KjpstVxf+I06fJF2ZwyEZwhhYQ9TGtU8HZjurlAf8761bfjF8r5l7/3zUHmGmtjr4Sa11oefxDRZ6MWyyloun0f9FXkoQsDE37hArbxQylyP1wuJU+Ub4uKglEzo5cn66yhf9zzmiu1QI5NOW+bcueDjugVeHXl1WgFf9ua6WIZaIizVSvm0vU/MCRCZ7qiUM/4oRTQNb12QS4dR/9u6ihso2aUdep8LopNj1aeAWdvyREjynLX32yokUhvmhBLJBsnw46x1fW7JO11ewOrGXXYJ49a3HpkJ4/Qqtq+Q5urN8cebpPHL9Nw7pQuek1n8IfLMk1rvgfhuPevuDXBiek2VPe+ieLRjLWIqAT6SH3TOOxhMNaTLTxwwyhohy9jbbF/U/96ijAC7pYurqKfrobCdk/SxmuxLb96YzQe2V3coCTG1Nl4P2wA8+XcfWziWjxsWsP+WlwwPY2T+j05Y7oAGYrpVlgqKNQ4Svm+EU5mbuNoaauHDRuW3A0n+v4kYEc4DQIS/hiX/cNDsUPAv3c45p7qEUIq/+Sbe18e3GSSqshZr7xHA4vpt4gg4S4S6YOsb2toJbY4KelmjNtO5EbpCy+MZNYpWvS6SF5WVjaOZ1423Npy8mITEVFFfhxbkgy/rZd1/gwgQN2atljty6yJTgpWj4j45shEW9uw8IsiwQB6BVhqiLPCkoN3ifIojGKHe8s26vDZcCMtTDlRkgv+wHBlDJvcxJczfk/8GAuFO4ed0158d6X7QfTqLBeg5a91I9O7dE3eoMb0vpQJoAemIVnBqlgE9SpUC0Qx6XP6cj49h3Xg3/U2/W5LJKXboOl5GnaIGZd3nVP3hpU7ZFPI3uL5wRtXM/3GNUxHOP4PljV6i5R58nUsM3L6UetYXuEt+RrBtbpsY5Dg9yrTgh+irhALGcA7GXbf1rVVXT+Mcgp8KRqqET7SM9cXFPfT3r23DcREhhmK3JJvh4f1PoRap3Ki3BNaAQu0b6DtEX0lIcHFI5Em7HDa8PkbETVUmUDqPvPlIvdnXQIa18iY7+hJ7jm9s7qmS58X1X2U3KS+b0Va9//IviFkfS4AAA==",
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
            packed: "H4sIAAAAAAACA5Va/XLbxhH/X09xcTUBaEOkZDtpSlnR2M6kTlo7M5E7mY6iDo7EkUQEAgxwFM0ynMk79B36YHmS7m/3Dh8kJbv+QyYOd3u7e/vx2z0MBupNsVJ3OluaKlI2nZtK6TxRk3S6LPG7NKqaFat8qEZri4FK2ZlZ40Wk8uV8ZMpKJek0tWpSlPKrf5TOF0Vp1UaZzMxNbon23MjcrZqUxVwF/f7gl6rI+79UwXkzf7S0tsgjvy5Si0yn9LwoixENvdZlEqnqbtqQGSTFfIcILUzt+o2uZjTXWJvm09a+g8pqa2TJ0eDxY/VS5Ce5tFVppfLCQkYIuJql45kfy5dZ1lePB0fmA280LvLKKj2qaD91ocKeuvjaMx4G1ULnQUTcjDNdVUMVyMQAWraZaQbUNlLBH7//J+gJP0fqsfohN+r7qx/eCWcRq1arscmyobLmg63UKrWzYmnVr8vC4uj8UbTOR63K1FpD2os3z7Yxn2t8/cVNDHLYZQWBZ7TCnc25o50V+dSU0Eeu4vHSylK/Q+ctn3cV83Y0M2K+wEFaqszkUzvrH7VUNlnmY5sWucgVYjtW0RIKfHp6GokBVfT05Skd2YXabHtqc6RUOlE8XV1cXKhlnphJmpukp0pjl2XuTiEkFSpVEQ90ajz9+vRG1o91ZVTwKBj6FWTVJSnHJCEU3V/oshKGepFIEuAhYIqyeNMsHs/SRRhvjjdOc7KwLxJvt3HEmmytvd5de3288b7RXXyzvzhvFt9vXrBOsSX+1Vpuabn8mnwKoVFRZIbGQKtmhPStl5k9oD05Qzk23hwKke23R9ujrrOk1Tt+D3dh2nAZPtbP2seqPv9cDf51ffJzcjPok3nb0DFyVBvQLgN8ZLdpnnTNxWlVvbjAjN5HpQcFLzibWhCoy0/S+qNHQU8NJV4Ju6yDT92wWdevsnRswlOWqdeLHth9vrQm4e1j9cfv/1XHm3GxzG1b8t6WDE6XemzJTGPwRGcihwFDxEFkemQyd9adECbBGDuSIHa9QNCqxzwPoIKgpkckifkwVCdnpI1EW31SLAxMN2BnpzmBLlN9wtvRcHy84Z/bIWcYBA0JC3GE7SRIts/wa/Xs9JROgxZ29UTDJCYpIFayAhph2r06xK9mZNUu0CNGYhbHqkmRJSQHeFUJJTplCwprZmFnMUWwO5NV/UMBzJbGxy+ejPjVNT0KPWJBm0Be1MaALUMarpOijzvBNnDkIhUWueHjuH7A+vTcBI310Io+hmA00HvUcOmUhRmaWMb/hnzFM3+izno3zmcPSHAd9Lq8Xwe1WTbM3xxg/v9hoO0vne0fPeyDHKe7PtSDK3ZzjESoofoupxBD8EBtxRdgHj8hEWqWTc1gD0j5c51QCp2RWaQMC2AhhtAHpSlF04t8bNgyapNg1WBWpHSWwUOKytQqyVKoxBvIZzTDe+h9MQKxJRLDfCLEJKiz846KZE02V69J0ruOUsBMwDIqMmMr0lyo04bCvChNDVvEPuUFpUKkY3Aoh4a1kVB4wmm615/rRVgf8g4Twjfk5Rlyroo57usFiZOE/T4SrnVvoBCm/kK11SI8ea5yjsiHgtPHQlNB4BWKSce3QyduCGr90syLOxOSEUIXIRnNlmPpEx9HG27IQMEhhRlMjR3jXaFynyzFi7aNqvOCld/oyVidZlXXislTAjnuoXOKr9Wp594W0ynioTstVhmo9tk8KF1+xuw5Qc4hCInCvDRmtZzPdbmuT4jiKFZvjzeNnPTAlraNSSsQjgXCbjVL9SaNt4KT2ple4uhvVUqgTJXFyoPoW7OuaL6mn6M1B3t6uQ+nafDvWE6GOSvN5FBa0qw397aVdnZDwPkO9kg8YdhLRM/3kR22KojW5Jo8PXBiGahvXZl0Qv92oA5bEHYTRMR7XdmSahE/QvZH9Mi/Bj+/Ci8vwp8Tgum9J8e9wZSiaRTsCrDIlqXOGpIcReGXOSIBTjM3W8rx2Cn2Juz22hI2yB30opB6RgGVZlOQxOptfH60l+C43KuZ39S2vMwFn18Hr5DS/8Z/3/Lfv/Lf96+CGx91tPUxBxVMeO6KCPU1sXBKcZQMl6a8EKKNq52d0/CTJz0/fSDTWxYX1+K8oFeOzqWb37fFt+kHgoZnSANvNRUhJSkjaSuDd7zW9gbCb/fFT0jX+BHOqyZqzyvejgJgi48WfZpLAaKKG8+vDP2fQF88bZIVRQkyAyHjnctPe0FlT5u2G98qodmd+uzLA4zIDn7SAPSIpTQ/sP7sz0+/+gQKvM1WzeKu+g/O/erL5zw50esqbkHNkS5/ShNGSWFFcFTyBpOY6w8yhNhCR3hGR0ZhT96Rsz2nh+enVK3KOlKZkDSZXlRUKhBFFPYR2ZBNM4nu36DAz4sVRcsTxQ9S3mEiRfmBmyGDbt3+RPXbb4RKagQpTBJ21BBHjUyVUlSHM0iz5CBMpJkinQQyQgaWYgBlKuPM6uPlmC7pmRJms9JH9upuSgvupjz/LjWrVwUFwuCU9Ega+6pG3LM0SQSJ23IpgJGXlmZsO3tN2YwDVPF0WEMF3VMpP51R4fdVpEqi/pQwReSSX5eIW+OP2p3zQQK93czUBjw+eLt0gv7UfElZo5iQ5jETv9CpYlB2hzjIoY4i6346wbxXutyxklZWwQE5U+rYkT+vjatl8I40KFNkiCfSGP/PUMvXGkWZSHGhYTUL0xiLK/iI82lREJhc6ZLg4kgniuJjDlS8JwJTc/WylLhsDkjCD3ecYl55vMGSbeyrWgE7ntkrqrwq11oKqqY++l7f6atxmS6kQZTac+kWtdtj7Avcd9lnuljA/CVboboTv0TDr8s8D3V7OhQDfDdHSWnY7tBgfq+h0ShdSimxEgIR9wgBEwOoL41D9bU0+zJM0zvCViQAoxgurMByixkgmKmhJMvvLi+b3gvAwXvupgo0cNa4Kh5GBAudXFkCxuFTMrJT3xFU8dnz4enT4dlZHLHxFxRfYTBsY4hA9BwBcQFW/RuJnXuZeFpWpBRIP54RrMsPBilCfOPbUNt2micLB2TNzYrjIt42WQ3YHTnNN1dZCcHSjoMeO/alusZ6DP/j/etvSSf/NORnqPaa4bdFTlGiO8ZbdYfeFEsqkHeWpjni4M7olaShsHfDTAwbJg5xsLf97t57Gx/YtdmyUc71mnaCl+Uo+/hkyFoRiKicFdU1k9PqPR+mwwdk+N3khY16lKufP6Oyaw8C+dWXaFNxRwV7b0+ON2RpIXNApeNZz4/QXErOMYF8sMNFHA33+r8UlGiDYdDbAnLsnSnoK1Iw9ggCB5hq6ykpfFpylRB1PcG8eceM0spqqpRJwI5c2no8ghVS5uupafoMNf6qQQI3h4VarwZOtdbqVwA2X7RgTUBbBi211Ry9YLgRk9ccb+rdTmo621g0Wr9q3ig9LeJWvcPJKPzx29fq2bNnf4ngmYQEo1oz3D73OcoHUo4+5oMe22yNnxbNB1LnDCmtr2LoJaadqOhDdwxdd9+I4AmHelLER30KpHFJ9w181dLS5BhI2EZ/SjP9wWgAotLQ7afVO/0u9H6B0Ef1dE1R6iYX7PQ9rVGwz/kLVPAwFD+zxXdXP7i1vfr6RIIW+4dPyJYq/ApJGuJvG/3vsOWsVCAGmft3uTUlZb6waYVwwVuMl2CsL/DJy1IXM63SnmJyPfvXpSnXVyTU2BblyywTua4bBm+CXq/Tb5Fec8NtC4dyiQ/uwTkx7p81sd1naq0WCr8Esdfk+LiTQk9dgM7eK3nhG34teVj7IE9aSsvKvp6lWYIOBGEKeeDewsMS9wlVXTcYiSWu1/eJ+EuPZcOAYWMQNbjRozEvpkAu/yTojA8v8jUUku0VLvUqyXua7Dsjb5WrTKtHGb0R+C7ZGG77rrAzsiiF3D8Un1wVSxJvRFid11H2JO90NOf6FpBhHyWY+cKuefcGpAGt08pDzbEGbPNC9GhNZetHxuZ67XuqoPIjhUym5tGA5xynho74HDe36FNOS7Pmvlu1z2ZW6ASL9u4pd9lyE2msLPiaEtely2qvfd+a6CTwA1Ke1BukQfsOY++pQXAExVKKy3pEAa4dJGlgeRA4I9ASdN4XdqTzXC6ZBC6DQT6VMQywhDM/oILYLffIWdbjZOrlHj1TmSuIk33A3SCTIWludSXcJI5qvElGaGl4TlKIiWEOcCmFeYqPB1A0LX8nWiFZcJtemZXcTFdrepe8REWJtVR+iEhuAjoiIgZ5GKkKxwdqQXRP1RX82PAbyJcAod+DyzU6cngEwck7uf0lm2L2dQbAKQDbS8jbOFb6mEZLiCNcG6A/S9Eo3H3fu6F3fViH9HFD4YilC5yU3OwVY4PqTuQlCkoJAm91eVv7a74msDUlz09KvRLH7yiXL8+gV7IL/sThI/f3zWWbzN7pzs1M7WCHCc6e1so+SGCKquXjnxFgmjT2O6urOaLe/dLg9d7+sOH3dKgzPnvYMTR2rmLOsTE7n6QnfH9AkHN2Fu9bKda8AQXEPyxkVzvAxG6owbZyzYxVfaun76iQEjD45gyXPvyCcFijxLOmT4B3va4wSG8Utqq6+3zgew0JqferapdLLOgcu0QrStB6WurFbH+LigH9PeQXD1tBaeZkxA8vf8gmfQe+sjhGwpQxpy4cJDLDgVhJvBiu5kK+tcKa7pbLxnBwUXD46idLm4PhezC++akZEiOacBqvP7RBHNhnaCyXJeF+4x9v6l0e6PTPOC6h0CZz2snClo3OE2mGy3qMF4mUdc3fWs76r8YFXzmNC7n9l1vXlrjAHJDXfUd1Dj9iW/ayO7+iX0jjJYdAziUOrnBUPWBa8OP3TJ1VhLzmfI75RtZe7YqM6R2z8dHA5zXccXBTDRyy+1UMt+GCY82tHPFsdGTcdqxkp+G2InFpVOuSmdk9HubHuWDT1BSKkqVNlu3KgPNpT77vRCQ6CjF8yQNScpj4uUO0MQR+6c/vJ3dGBE39h05IfYhzkrerMQUZijKjNXKeySYHDoqnfHqUkfl7rvyTNNp4b8SVSoDRGHESATtHPNvfXaDUSzKr+wGfg3NUcQDNLYostaYBc0JBEo0wsuYQAtG4Z5g7FGoLtA/JnkxZf5QGIFCi67vPGVn7iOspMOa+6otEKDK79zNSO29iEbQC5tzNuuwLEmUDfX767BDEqakHfL0JslskAvAirrcullSKjG/7sQdxfNoo7RNOG3wlx45IRw5kg7S8i/GAdtCtHbKojRg6RYnPHYB4Su/je74X9ICOP0WMGgKa3XHqo2tYSV0Bj5zoNEOsv2x/C+k1iN7jhlbKUVNlzC2LPpWUhMmpED9CO6xFjFjJqVxjF//tt84+pWm/lIu1nTbBpa8muEO7ewbgPnBCtDBG7kxWupOwnJGZMaS3cuQHMkG5nI84kIvrucize3HbwgQHL3PjPw2ON6DgmuAONwRqADDavtLtVkxpfvuKoWhzGe0+lWpf4uxfIdc3N/57BFm7e4VTf6HU2ZWq6pbEPAWO8Y0rtvlcxS0a/sJ4gGW1lPeQdpH8ntwqLzsCLHMORe0vAaUdjbOUj0LlwgBuo9PyQNk54Qqa5aH3cn0BeYKdmJR1CjBZ1b65EPKTNLNkauG1C5I3TIV/crODO1tkss1I55PCZniiqfqAV0hquIZAHZrNR1eJ7SCDdq5Lkh0sdwMj+h9Z7IDCVC0AAA==",
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
            packed: "H4sIAAAAAAACA31VYW/bNhD97l9xAwJIymQ5KQYUi+cU2YoB+9IOm4FhcDOYlk4Wa5nUSCqK6vq/946UZrtI982kyHfv3ntHz2bwYHcWSm1AgNM7VNBVaBBchWDRPKGBTihnQSvMJnLfaOPgAFjjHpVLQTeo3kpR6y0coTR6D1E2K/Q++2ij+em8wb0wuxSs6M/O2Up34eBkdn0dqLTKyZqrgbTgBDFKiZLMK15XQhVYEFFYi0I3bj0HoWyHxjJt4mz8zU7YDK5nE3z25YXtVQ5lq3IntaLl7ldtltxsXInivcIUPFoChwlArpV1UEqsC1iMjcaRVE3ropR6cX2DdxA1wtpOm4L2DP7bSoPFHTjTEpqVn+jEDzcpOLSOznplIzgm81MB0dbuvEDjwfOaYOnGRnhgXXMpUaPh2udoUw9wienlIkzRCenOrIm5LwAnnYdbViTlhbmD96cSVm7VVNKGv7jRRX8HKzJvEAzeMAoOidElxYUgG7H1rik9UhGqh702mEVAoH/r1gxXCIotEw563cKeUmFQFHS+gJxM3tKNJNSGk0K12GBNHFVb1ykR8Ei09l4laZB0vBUSF0e/Oaa0w8YN0fJUndjwdl5rS3mi9DMNbhp0S6lmHpZqglR+Eh5aV2kjPwkfoIqoknSkrGKej6Gk8Oki71ar6E9GYvmG7MUJLO7hMFCTJcTfBY+kXbJQsW8hexJ1i5kzch+P7SQJdeJao2hZW5wPEOG2T+0Ld5P5fyL4q5zKsHUk3Ro6I0wfPaawit6RV0p3xDRwbGnASqmwePRthXSNMCFei8UAeAxj+9cweWdPxo4g7aA0uzQPhpOaa9/VmrzvOSd+TL+az1ETh89uVMFr539mvP2LVo7tWUAUneIfngLanP2z+vD86nb64fk1Pn5/Ncs41R4v8Sq8GfQr0eVVHM2ebv3sBV/JwcOl4Xew/hmFIeirA4Mc1yk85DlFimezaWqZ+3Ozj1bzlJNqwCDWCddafghu4cg02fhAMgvfvJj0OXm5t+VJ0UJjGCyW9kzZlMNLrVTCAj13/AplXhKktHyr4Ksfk0GBXNNQvNWdit+1+w2a8fQgRbZFmrs/0Jl++lA6NBHl8fNnuB19+Z9K99zZzcudrc86C7doCq8OFwDHbH2WvUvsnxjaB/Cr7Jz6sUihKOxlgEiruEYHNZZMYzgzD+t7uAm/ptNkmNWXuWtNLxa9bJ3RahtsIJfFVkgeeuqDQY5gQwPjsCrs4Hf645MW49ig1fUT+pGz6JZyj/TwjNsp3N6QdF7d47eCvzT9UJMSwZ4fJ18AUK+MHc8HAAA=",
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
            packed: "H4sIAAAAAAACA4VZbW/cNhL+7l/BAEFJxbLWRovewYZjJDkceodrUtQ+9MN6k6Ul7q4aveyJWm8Wzhb5GwV6fy6/5J4ZUhK1cXr54JWo4XA4fOaZGWYyET9vKmHXJs0XearbvK7suTA6XYm1blqxzduVyFsr2mbTrmKhq0xsV7rFmMitwMO6MdZUbXKUl+saMx5EWq93L2wsTGFKfInFIi+KWKwLnVf4aeo7fHilmywWjaFvYi8WTV0KmUyyukx+tfJi0Fbktv1JL00gREMHUmldlrAtFrAlC0TrJjONPRCu76xp7k0strrFRgdpHm4OpDWkqxTS/IDtpHWGt7TZlHfYZVantNdy3e6uW93iy0KnLYaW+b3BfstNa2BXDRWv6zYnRfWa/Kzhk6be/iuv3sNsvcOfUpOj2ryEUNsYshAbCA1c1dsD8zLT6rz4QVucDszL292/GyhZ1uzx1AhtuzMi77RvtlWokEw+0Fia8s40N+YDjr2XTCaNyTZp552jFEBpxaYibFyKymzFj3qtplNZWhmLs1ksppKfTk9P+aXEy/en3dsKb9/yq3vP8P7X779zA7Po4mjy7Jl4IbJNw5gU9UK0KyPcAUkr1Pys/PbUziORV6K0F6LaAEfblWmMh2ZVVyYRzyZH5gPva7GpUlZVAnG5NdhAZlWLXUbi4UiIfCHUk8lbdZsdq9sEf6MrVdqPU1uuslkUHT+dJK2xrZsRAbntpql42QvM9q/TJElIICkJWS+KQk3U9DZLZsdRoGyyjGaJc6dSdlPCATE0kddjduksEpfPBb6IYz8unjlfJ0vTKnqKYnEKN+2Puv25A+EwxYGo3N40G8N6CEPqum3yatkNx8I9iCshl3WdSXEuJHlMQif7/hcKci0KoxeiqOv3FOsxYanz7vZcICot1t1ULeDtgDLX7Zy93rs73TQNsKceBDkGpkkctR8Ue6gM/N8NX15eYrsZyKEy2Re+PpSk8V5o8hZW3d6Fh0WbrGpxr4uNGTZKmpzP7FpXsKvdrQ1gFmqWlr0mxTffQLGC5o9t/d5U0RcLjEDlVURYK7TZrXNoMNNidzzdzCjAFO/oYDmiCIUDOmHjYyEhImm9qQT/WSHjXuSYRaIZY4VO9od6C9Iw64Dli9wghOjRUqRpUenSZOO0QELizhSYTTFPEuODzsy6XSGiGpCOO1LnXn1X3xv4dzoLNsVSiJK1AjDWdV61wDjQkOPUPzBqSUGnIrev2aBLOON2QmbZ28n07WTWR6VXEdFJse4pa4KDzmZXiUMePD+nueLpgxdPbAFCVn+JEI1MlhSx8rczuE9O5MHoKY3+JqP9/IJNY8LwlkWgnrwwQvFmk8JUS4QhbHmi+qVacu8vyKdq/vTByelWnZxF+8k8AqO4oXW9VpFbwA9s7KrfnvvgfThaCxulj/uoP+f5g8XB2UVO6aeCB16tdLXkzII97ecUzJRJLSf5vHIvj1Imee0G+YiCmCaH+lwM42j+RpkEvKCi8PQLc28KShFTXw4ouSngSaTsQlvUGpKUSxg+GyKS4Xk5RhR9XdQNQp9F3PnCECTjGacHRhQWaADmzobeCmwNCp0xU1Lv5s9mF4EUYZoxxihRyXH0dGIT88GkipZxMLoCm8joKpmejeciLi57squ4RAC1hSJ5VQHkl2JYHsF5NhPPg5EZgjt0VMghgreR6PUaMa56qSJnd1IYeG+e0PKE1ky3+sRjR56zr5Ig2DhZuK0xOSItSFAHLyW8N0Imhm1U+4ydESola3u7NJu1Qol3HhQpii2kyoD0R2TGWGcU9QbApU88XVIs9ZqJ0EYQgqQkTZLnkO56G6iBZpuj/iIlXGMpKdxAx5ODDJZ3Mwjh4QQKOTueUDlz3cFG0UALbuARuLkDv3QzOF6D2sGLU0EUhBeZoHfKm/Fyx+sLXSCHUS4+MKufR2eZyCjgfc7o9M2Kux04nnJV7oqrBq8jso8dOVTvR3zgYNwYTTX1mwWVGZoyGdiaHq46LrqCeUVH7vXaNF6nLWqqQSm49jxrys8jjMEfV2Lq62IV4qZXRODpX6Lxs3PTHBRPi+3n0QwKz8Vj+joc0m/U/yAAZgRjLtuVr4moKBr5gIRf1cWmrJjasMYD4xlYzKmULTQyJV6uQ6dKqrr+ni83DeQWurCgCCroz4V6x60Avmfslz8zFyJObh+Hy/ZcH6z+D94er9C1HIpj/nDyAJtg9g0h609s/tXC42QtI++f129eJ6ggrOEPTJMUuHDewWIeP8FKP2MEmOS1ruFkkx2s1VvfY4+Vzvo+xPO74nTNRnVtI6UsFHZY5V3nQfRIhTk8HPqQuhM9D4+XOjcArMKG/eEs66+dC1MOd4KQZtmhLVTydX1QUK0QY9oXUjdobrCVBXmav37+9LsVnz/9weo/f/qvo2P0QGUiXdOpZB/BtL6kuq6tQbVgRXRBDrjEis4p8FVQqpH9vKEhU/9nY5odnMhNsepbSTU4jrYYlM04Gqqbe1rO8vvDTCS5IOlm8O6MPZwTSFCX/OjnwrTivSHzumxII7l9ubE0yGgZRl8VteVy0Y/3+g3lOed9oMUaU72k6b4/VlGCLXGLJd/VC3IfkZT86c31DZeE92cT54yJV2R4wzR03v/mGTkdjaBXDwIPWBDgcsOQ4aQLuLXUie1nbKe2uyodKq/GpCa/N6orZzi7+P11LYTLO3SRomq+qBjuGhQfajQqQ3wbxl844xIOhtzV18pBA/bgU+n4BPpV/bnG3VWJWxUOu3H9OLWLB9jnfj53bQRl60R2Rvb5kFUzyPyXfbCJhsut4KbCtUbhPj1XQIxvYhQTbM8+ETHUdFTC/V84iI8fg82HdR8qeqh3oh00MrQKk6cPZBf9Ou1h88BT4WjyKjQ7MPd9Ye9+N8G7vt6Giw8pkbIQIEf3MNcwwu8yWRS6/fEgD/vcO7yzI6Jo5It0VefjULR4SlvGu9RNrk+YvVFVStAYbc4xeBf8GDjhAYI8KjXOLh0tumsoGAW3nvu1XAnauZiM3LvEQf96K1wmYCtYHku5yg8I63ckw6LAukIEdOgY+euaIEI3ZLRNykBUYNHxDPFKOqK+BxtDny/96P6Lky6BAfSugrTMbTsX3CEcg+9UdbgrRhXxnViXgEP5IFO7Xpdy79cEnJohu/bZs8MHBLyDp/JFeIqB93xN91yc0nrurFjvtd6Nt0p87xtwtIp9PLjxWHwXzWZ9kdwRN1GfG2qRfDqecRh8EFxJ7CGmtzpv+W5XDRSuQsoY2CIe2lUuUTr2ECnf9ip/AT2wWjg1uJ3uBGMP2k78MRrsSavn6+7LPhqx15cZ6/GpJO2vqTs29d/DqyFnEvUiYd/VgPkLM2qQXMLnSHH31kPd8mUZxBWmyyQ9vB0PO7T4+inPYvKE5fCmP105R/f/yGPQhJjoQt79p8DXygrgaSqDnOqv88eHDfgMnLBZZ1RVVf39bc+qdP2KHEyhm3OOPDiR7jZxJOfPyOlOKb2qQO1QUAx4FT6DeuFAwf7La1mqIMf1qXvsDGDKu+KitZPpmuZekID0P+18dMuwGQAA",
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
            at: "/console/start.js", .script, tag: "\"ff22c5b07e5e6886c04fc9e417b8a06b\"",
            packed: "H4sIAAAAAAACA5VY624jtxX+76fguptwBhmN94KigAzVcL1Jk3aTLbwu3MIwYnqGkhjPkCqHY62gCMjT9MH6JP0OybnIl93WgG0Nh+fwnO9850IdHbGPTlg3ZXNraqaNWyq9YM4woyVvmFlrVql7yaxZM6WZYLXSrZP5gapXxjq2Zaq8kJ8c2wUNPM+PfmmMzn9p+PGwyZk7qb+XopR22HlkLJ6bB1tFc5exWmwy1kh7L23G1sIVy5FYWH8gdts6Z3TGCqPnytanhcuYrGQtNT7MVVVlbGmqMmMra26xfiZsOdJZmvqhHYVrzs0aYjAboEBSLCT5kDEra2FhJlB5rzQ+NGIzNnBp1g+0wQzlNn+3MMNtVhIfxvudAKT7Au+B+oWApaN9jp7DvgP42Tivi80Yd0ANq2GxEfWqkj+UDd6cWis2OSlItqySeuGWU/bmFdtlLPk5Y8KlbPZHdhNEJi+3wrFv2OvdTdopg9mVJE1X/E/tBuGv7njG+JmoKgBaS3q4hPmWuaVkq0po19DaOYDyS6Up/MKPUoeFW1Vsikry6317cUSiyt6khJiVheOn0YorWPdV/JwHZ64zHKCxw796y2azGXtFQVbGAvC4/ntyCqpbtzR2CnS1qCFzxU9LQbb92YrCe4Jotg2/Dge9vQb2OyBxID/5qMxbXThlNDMrqZOUbQ8YCy6Ar5c4zzvhzcdCwte0xEPEoYaxoyN2yhpnrAQSOMOJO2CrDfM76dOaJP06YVUzsRBK5/05S9F8Z2yNY7oTkzRHKMxaluzXX2PK5Koh+D/oanPciwKPBTJ4xipTCPIiDyu0o5KOVQKbZky3VTUI/auVdoNVn4LJzcttJG/iXdqdVKpWbvbm1U06yHiWkia5HliMcBZiRcdOGf+naUEXULbJfHUBREYTplOigMdvO5gJn5dQd/O7l9s+i/z5GRiS7m6OY5RYODlvpDszVVvrJrnqIs1ViUNU851atBbPc1E1kKdEnfpEsJTp8eyY1cmzJ4adSKFeveckxxKsYMMyUROr1yPrApIeV2JWDxrV0FlXsRJOz8JKYueWDGqm7C34KawSk0rcyopD/bfeOFRM9pePH34ioskGpZw3VNInpMIjS4S/k5sSxRzOynscEDD2xqp5XMuxx+cP6ZWWs6+/7t4UzlZ/xVswLCzU0gkspGlUwuL6yvr/7+RctJVLvN/004h7mReVKu66tR3+7obIwdb8XlStr2bbQ4/n4fQQpbxxh9khAXk49VHb8YFq/pQxbKW65yMq0rF4HXpDwj8KzzXRbHQR8zSYT/0h8cqidd4eVHlzL0+dswoaZBLQVxp2gk7dTuRHh0E4VOhmjXI4Y2ItlKN+lvC/ffh4wfvSH7KHIntrStSokfe7HrKYj6G9JkFpTjsHUMHes6XQC9mDiiSjXpnEJjeExx+BzHjOG3DL2VbyXvkAyV7L7DWPw0ieFLAXJOWovOiNm4dkpEjw6F1kvFksqnF0LsKCz5mnghTEVEkljLA5OQnlKVdlc/Xq+ni8qXkHLdh4FJlDvh3lZFFIPQ+krzXQwjuvxwE7vTj7HmY8kf9D3Cjr8gaA6oWab1DiQit6EY/fpWF4wIxDKcjPDPJKu8kFNFH6itUKGeGL3FEt7UJOVhS9b2h+4n1qeHT3E9sDtY9m4XlwZupa6HKcEchIPtJQhB2TsH9fR+jDzSgkGBRic/bVGopCQMacftQUjn4Gz26eRamfTvJarOIT6sguHfsZLNk3r9X9oNDZd+4z1E8VUeQ/v/37SfJQlXsR4jtMiIhYnC8eawoen3gefyKbLvAKeHhCKKAUR6bXDEd2D3hv5mEoI/GcTClcr57TeNpqFyYwOG2la61+TL5nkQ0l6eYzFEQyTEcT4C59gkYdkgFfvOwHm3FJ+b/Sbkw/n1yR7NS4ixbT7uQfzOcUfBruAkm6Y5MJ8Z2K/pCqO874y22YT3ZPNWGftj+84ymKNGbOQp6iWh3yQ5Sxr978gac7fhPLs8+VfKnKUmpfTn2La3Up50rL0kOD3+CSKMtvqX+9Vw2Mh3085kk2QsbDuV97CUJjWRJzEa5bUxEVrqjuZdGKrCNp1nP5OvW3kiSKZMP02A136+VmlANAZOmahx2PQhtHA5qmqAqbikbP/fSGyeed/OPCumU4ClVnPFoe97kTDt6LLMaDF2RdaBVhQ5SQ6NNejFTSvsfiua9lzaVyS9qV7qnJRvWLj7vLrdAIC8ZRq4cOo80kTNpEciQN1O0YpWssdo13ndGvot7gy3R+E1rYzkczjM1fCP/54OLwmIyjgzntcWxoos7i9KdNKUcCsZk+OcE8x0h/WewrsQctqsmijN8RJrm5UJUs/Sg3buJhXy8WVPUDt5WVEWWSpumYPU6uiDe+YGZE9zrrAPbivQeV6p1+Eol4nw6a0qAqfWZvd8DIEIJwDBhYpOg62Yl0t3SMe8QwnoaZPFzZEx6uaULHzt59u6Aw5oRg4+MUNlo4iZReg5++K/Rcomsbnj1Rc3aqN6Hey0+IUEOzeGNQzvA/cI2YicjlsCNmbxZTJNpvqj2GE85Nf5NgHveEv2aX8S7Z3QAR0StKp6z7oiIJpeZRiSGEaYy77jSyLw4Ho2yi2v2Zkv3ZOZ2NSvh+I0Pu7fv3hl1SGGDMVc9Kyqbr7MvGesHeWDb56ZG9/FlDTqhgzl7zRwa9ZWdd6l+NIB8K+SYZGOjNWlo5n/pb6gNfyTT+AbdbzxufekQGCK2JZmxjWkpj+gqFZjf/pRjIA8ZcZ/uNNSZkmBpi8aZ06L8miZTP6LoHMoWaQ5+Dc+2qRGWYxnynRhvWi8o0Q8Pvy2EYNv7Hikg/oaxEbd1iMGJv0ZMbhXd38F+XPw9cgBQAAA==",
            text: ##"""
// Start: from nothing to one's own live row in a minute.
import { idText } from '../json.js';
import { tokenHeader } from './orders.js';
import { ask, may, server, watch } from './server.js';
import { button, confirmAct, element, fill, hold, problemCard } from './dom.js';
import { actsRow, heading, pageHead, remark, rowLink, say } from './show.js';
import { entityUrl, typeUrl } from './state.js';
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
  const query = watch(`${typeUrl(type)}?limit=20`);
  const table = new LiveTable({ caption: 'Your tasks, live', onopen: (id) => { location.hash = `#${entityUrl(type, id)}`; } });
  table.setColumns([{ name: 'id', isFigure: false, show: (_, row, id) => rowLink(`#${entityUrl(type, id)}`, id) }, { name: 'title' },
    { name: 'done' }]);
  table.watch(query);

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
  query.addEventListener('change', showChange);
  showChange();

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
  query.addEventListener('state', () => fill(problem, query.state === 'failed' && problemCard(query.problem, () => location.reload())));
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
            packed: "H4sIAAAAAAACA4VY/3LbxhH+X09xHkkGYMEgpdRVK1pmYsVN0klsN7LH05GZECKOJCIQYHFH0hySM32aPlifpN/u3YEASbkajQTc7e3P22930WqJD2Mp4iQppVIiVULjdZ7KRUfEeSIW41hjCev3ZbFQshQPUk6VKIYi1UrMsOIpsYiXKjpqtfAr+set+Xnrwz/fv+n+99//6RPLWCgZl4Ox+PjrzyKGFE2rSuY6Eu/jMp5ILUuSDFn3cpTmYpHqsej/3hdxKVmjaTySEFQs8ujoqPXs2ZF4Jj6Npd0dFLkqMgmukejPyoylsuokXT3IhBQmSug7l2XIAoqZ3uGNR6dNRBK+1cupTORQrFZEdCWULtN8FApa725f06R6WeezLAsFlNhug/OV+CWevnQL5v+rzUa8z+KBhKjW0REZoUUiB0UixbXwtfyiA3H9SqyOhNDlkv8LUUo9K3NL9/HXn26KybTI4Us+EJVySiy/yzLfO/NC4QkvCDo4uRGDWCMGDS50pCMQtVhkYCL6p/0rGyGlEX9FB482nSP5ZVqUWtR1ROR0Q0+z/IgapxevWREKnvhbUULiv2YSVhlfXJlwLYpZlgiJixeLeZzNpADlvYS6cUJ6qQLRGYNeyEzJiPxmVJL5ntvqevitu9OnZ8efZ238PKd/50P6eznstRAPc7ruzKBhgSALzjyn/rfGe0qsOHwbUsM6aDjLBzot+CYpydv+OFbjgP2eSc1qQU9a3Gr323ELEjwOVDoUWDi9GLbSSEtl4hoE7uDW+WaDjhgf3E1jPQ4hOS1Vj0Vkc6n8ph9++9w6I1ktey3M0VS9w+2H9+gwe48eItyBUqtPyBXf+92r0RdMncsFXWs+pKJhmiFxfGYVRBOsq2mW6roYSnmca9BvRT7ho+a9dgipxGeACGfCZ9TIZD7Ca1f0uycrXvmjSHPfe+oFm764cp4056dkg+UQsUo+We/kvy6AHHFeuZ7J79o98eT6Wnjzc0+s14aHE/tSXATNNFoJAw/V2W4XOhAuuLVzBAT8ZjnQJM2BR11BQAFda/F0pAHjB+OG2HDu1gL1JtepXrI9NZ1eiQvSk/ARNwvRQmzqTkiTQye6+9IvegGUIt3o8I59lXSYJ/nJI29zInsGFR8zKE2aRm0c4HFEGldvVWkdu9sSpXDcl3dD37s2VlnFQPBStKHOnQUfZkKp1INi9cVIZSnufzvEmQAU+1vgdSbOg6DXIcBrIh4nDylpc6PK7awAqiLfI07yjjPKpB4dgM07Rtk0jaLIVEVKVVC5q9ltGGiJDaW95aBwxE/377FVn3DqAxe3qr6iBMa5K/XOAwgL6m1RJrKMajhWpY47XDPF4gq9Ira1TO88ctoeDkWOd+dBy5jZwIY88f27YYEE6TEFP3LO8KFuBFHWrO8qI0yfUNNyMI7zkUw6JrngD4oCFTbU+pCLfYE/IASyLamg4G3JTcaiTLWWeXQIy0nK+4bGoZWkgv3AWk41BCYTt6lI9pA/nUTy3/bym8DyK4CkAWMph+EOF8ce5Uv07v4POdDRg1wq3ylVYWvl8CcsFWk0yGYJVOKNoBcNs1j/0lDAAJu1iMjIkJpWHd4npHxiRePqE25b4TbKgbvBdKhTB0tL53hThClYyGHK2f7JijY21ycrU5X9W24Q/MaxADjPwFjPFVciTHlp1AizdKBIbKorlXKD8ffbd2+pNqMD2k+HNPk5hVtjqkd+mrC7UFH99vp59+78+V97n5NVOzy/3AQnLVO6iahLrK+Yc2SanXS4pB3XTnwaF0qKJNYxtasTJDEaIe5tTaPsGlmlixKVg3Y61FMvlZYTBl3WOC/M5d7Xm3lRawRSo/QKndSsHACtaW23zm+Lk0f4lnnsZwtto4Lar2vUhCydS1MqAFC4WdXLIk61e9bjstA6q/bGQDJ9L+OKYBJ/cY9FlphHKhA7ma4b3fwQbWHBEveTPzSDS9Xgk3P59CR+kIyAuVoAlEbwV77vLGL7kVuOnUSH3w4BwYqSkJ3C6WjJjcccCDsjCIG5lBqFYItiU3hmOQS/I/kj6kqlC2on69E/Plkd0sUm5LAsJijUZYpEp3LbpdwyKdPgT7G3plZXo0/Tm8u95nhBJHs8TBtQ40Kl3nA6WVkB9uhhtqAmpgdcRbhtmn1gME2b5I99LyVSx2nm/EQ0WxWOWyc8uX1d9gGDHLumRcfExdq73SIWu9cV+TiVxTSzowvlQ33klGoQT6W91XE1W+M0Bu0lGSuz4b6pxCu+z2S9GlPrUHX3p/7Fxfqbm/U3b9YvXq9ffL/+c3t9+Xp9ebO+/D5ojdLwwNzYHHVOL9rNYeeHgvQskDWMLqYV6oi+PYR50aCU26dvB27ansIX1PJDzsHCOip4OKIksuxg2TDGaIdxFRCzMeWVis2YA4Ji0ey4LPa75t1yCcQ4JbRcOtNudaylb1CGGnPbrQkeIyvi6UyNH6VMUjWlAfrNnG4OjT7myWMBJu15prIl5cYCQbMB2/mWccgpSupaOa03GKtaB02NMceclSMQ8Ws1OzTTc49EWlCQFhAcXzfCkNvMqO1KccCqJRLTqjSNgqnf7CvagoZ+TUrgRhSE00HWFq9qwUW1KSFnY53UErdSa+S3AurLOe4O1cDQPse4dA8yF8/x42oPmhzY7Q1xrcZSP7effbyO3c4Ksoxmhov2n/6C+1v5lBLHDw5/SXFTLBdobu25q89ucScIcEZS/4RC60N4wIPdXe9rn1Qcu4C/q6AoK8MnpE8ZyBG0oqX9rLIzZCjrDbr55E0J0Nh2cMYE0sashSDZDUSjeYszwmRzrHMg1NUsGhDpY/GmrUPxrjtSiIbD1NZh4W7bQ90rWPYCy6TpQkEue1u5jKFljK7AVEn+DMk1wBwlJ4acHNlskuMSbauYC0LNaZ4lQ+z4nWmtE2/MloV0bpUP+fL/cFWWq+NQ65Qty5qfWbyhcHFnBhXDUFS+6jhLXZHMYuj0os1f0FJquTUvUssphuh0Te9KV3KAtL+yY2tdbbPjBaY3CJl2Iif3GBq4sGyxgepL9cnAZlgddnf1t5yhPkMAj7l232z52/EEdYE1o0pPn1tIdG87qb9oB03b/2HsNWMf+zSkStu3mIfjvb41nVaSQ5bzRt1wqPeW1vyKSTP2dmK83trJLGpm3EH/XsOQWhZx/Okb1notar58eb11ZtOBRkFWhIYiONBoEIqamTQqmeWth5AjZKHT/tH8RKSLuaww7SuJaLovZN2DnOpG1qFB/x9T9pNeOxgAAA==",
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
            packed: "H4sIAAAAAAACA41a3XIbtxW+91MgM2521yGXUpv2Qq7ikWN70qlTeyzP+ELDKUEuSG603GX2R7SqcCbv0Ku+Xp6k3zkHwGJJyokvLBI4ODj/f+Bkoq7bqjYXKm/Ubq1b+tvQSqYavTQjpctMLataraudKqpylT7JN9uqbtWDMoXZmLIdqW2h83KkarPMi2KkmruV2qtlXW1UlE6yapP+1ETP+3OLarMB2pGq6szUL7u2rXC6rW5N+YPRWApOM0hzgGBbFYXJ3uuVCSBl8QByrZuPhDeAa0x9Z+oDOD1vmJO5LktT01/67741zUgtimpxiz9VZuj/juCyrtZtTmQv9aIF0BqE5+VqpIq8vHUsbbrWgM2yavOFuaqNJlHhZEGy2ugaWBt9j/8WdcWC2+ii+KjnBS5q8w39Xxv8v4MUQg6giwP6N2YzN/VH87ltesB0AjV2C8fsk0VVNq26zcusUZeqNDv1o97GNzcRKMvuo5GKVlWVRdORuomWIKjagaPhMtZoYafrUhZqs6ggTgvYr/ORwdFMb6AwXpxru9aVdDUtlVVpouk0eW6pJJbfLUFmXOqNSdTld7zE30bCQ7oyrd198UKQ+uMbo0vQNODziSK+uqKg+67Urs5bQ+auy2ZnyOCrcoEFcYF7fM5gk6pdG5Xlze0F7TRdfZffGZyBLzSNqpawRRxOwQ6jr02hPwuTp26YG7jS8I4LvqHQRHRF7vTbr/9r1EbfA5gugSjyds1AfBWZU2mCxbpamKbxFMASqpqV+a+qXUMGdNWt2bYXCsZFFMvtK8ayhmsQFnEKZUisoRp0dgfTPZKiNYNPxCDYA0vw/a4Bh/COvCCUNXPebDWO6xXiw3Na5dvucTmEDf+ib5vGFBCpZ8Bp6Bj5BQzbGIuzKr1qRoK5NtXWsUMRrMeo80J0YnGu9R3DbLegWC9bcK7hyF3Rknwc2lR9gHE2HAELaF393MHQTSPUp+pHSOv3aHguQXWngWZxW1Y7EAInINGQ5YtkxF/ZDKrVQPyIu/CAO110MHpye3YEWVCXl1ALhKV++UX1K12ZIQyXuOOFjWpxoi74sJxLPPbGLCiG0RVt3nLQMQ2CW5qmi3VeZLUp+T4b5+PIHoAkEcRhss2Fiha6JtHSSbX3cVAQJoiXDhHiz2SifkAWIQV7uSk4McKnlQDE0up5BMfalQiNm21hcEdXkuRK5z0tBLzJy440KerapI4jMg1y+pupY7IwcK3rrSY2/3ZG/3yMqPzGX9zOk2VXilCIyn+U8ZIDMK4H1CvdmhQf4yRRD7AsuS3dds06RgqBh2FzJEa6B8MKyoflIYTh+NiC35xNU1jEd/76xOFp1vkSyqJzQuDNMq+bdoqbBYJ28qVDx5uE6u89jwmsqu3qMlAZVgf64pxkFYavxOY4LyPS3ezLgrb6UPHTB5f+DkhJ9qqp4Eh1MgvY4CAGGxMols6YhZSoySEzfOxRHk7QzMi/U2ew9hkbFtwpoI9vmzAUiIOwyO6wZ5yjc+D9AkMz+M4MCVxRacPRtPxj58DJHib/7Jn6CHCchuRwVquabATxYJdnhv5yQKQoV+h6ZThKkhPAbuamIRiUCI1EFOS6VD2b9Eaa1XoHJgm5mKSN2pDDpdyZSgkQx023IRFyTYNwkP+HbJS8GxvqG14YqbOEgsk5KaEwLcnrUp0FKkFlB3XcrQYWxfdg5S43u5fVZ6ycQR/fnp2p828p6Oo61+N1nmWmjLDZ1p0J7I8Oj5kP1qcQvUGmYbaYQmLMsQapIfFdIhe1a4B9js/Tv474smd8NmUGoXLIgI3JHZxXn8mRiAHULG3IAZ9rWrIKiqC+UoFN9Z8tGKo9SgXYkU9+g0qSkQL3uk3b6k2OKiA+RwBkgi8Ceu0SrOU8GUCuTb5aQybn39rooUgB31wKvCxYPYAZ+r5PxMr6oEXS4wLy2ChgvUbc0IrV+1dbD7wL+6S2TLd6nGeR5U8KL1llWUUDwUF1Pb4142sWyIVACINn1VIBHXtcSTJijvpTFJUon40OJD17+uAlDDRUVVFkaqtZKPtkdIAqNNBVVxumga0j7g3ld6lgj742P/fZ9uuvZYciwGBjkG9vhqe/Ck6DH+4i4gEIwtNvv/5XzagrisMLbM+RTL9AqlTLca+P5EgcAU9Ury9zk121oJn6jPhgmRjgPBFHFPqanApjqWl03UZJEoZpaV7ivneJfUSI3nDYs6GWC6KIyv431sT+Cb3R32sEH/r7PRrDvJWT4Jn3qAZDHq1wYhqGBzLn5ND+pX1rkI1ZCtRm6Ya7NDpHbd3ittuOlBTJr+u6qhtp5uZ5kbdoxRZ6sebI2DuODQE+ouJ/VIxBfHosfgQ5UHMkP8TwwI2MjcP8kc8zcHia/IWqmpiCGsHir8TIB96zGG7Yw9i5IDgVTQMUecOCdBQ0aDXodGAKgiMwgkDHNxKNuBlI0VPHYmRkzSLymNsvlBCs5PHTBwbYzwIrzPI7b4ZIaXGf3tu64vZR9mbuMBJvYmcLseiRrJqOWkKo/3PWzgQqUTt7G/coRKC/h6Tjb7EziPgmev/u+iMZ2uTufPJvJn8iVTzklzjMVqVpYcoVYjcVHEe8Bx3uo0yDOZkAxEOMIxt3EQVQVAwvI5s4p4yTN5RtkE9NtHcUXVDEYPtwGANh4MLo01qqnnvkl4IbD1QhYv9UrsLR9S3qENWUeosmofWNDItCCnNtHYebGXPH7RKHAgpNQEpBgtqZNPICYxt+RFw8JRg5O/9D0grRDWQ1uOe0pBpj/S+QFX8/kNT31TaXaMU9m2OxYm4XdTcPuEU7OuKumkYE3KhXt9RLtimXeyK7rAI6JxvpU3oBhSHoEXsSkLFhmIg9w4pjGL8iCA/BK3KfwAUJp9dzlgvVG90ueGqQ12jMzOIWtV8jA4gN4h4iqgwf5BRMhXvi+3TmvMAHSglUdtZwSrf9GOLj2o0UB8bH8xSEEhDmonNpBxYQKYehe5k+4pTZbHGndOoGlIpqUjUeUz2i3rx7++r1B+jDbPsppq0TIHIhXgLf0CK/smHxBANd6UKhzFL4PDfytc9Ih5kxVVfWUkj1/mbJKXRdMGrrB2zTFFiKLoNZMmR6HFwdUbxPliBC5aENqwyl1r3Ps2tNs6ai4tEPio0e6Z5dQEKqLPvAypSKm79I666k8dmhXbqhnoCNLdTAMmXLIfCw4qzDzUfcdW7YBhCVSmt402GSpxrLQO59lg8TeG3u8oYns7xamA9+wTnHiMc5L7lRGGR6dujLw4NhhRcRoYf73136WwlEXbk5W8Nphv5Sf2ePpYRiprzE/NHxMcWRnCfpyeDu6cPj4I/IkxzfQqp706azUy32NuwAnIC5YralpdjkiMxHul6RNwzKM9KL95GABBZgA1yBewVIVy5sKlcYOx6Tffr0gZSyp3ulInWTXc7+PSEnSkGytbd5eRuLimly8pV7D6ARjpVBP7CPpQawFgviX+KT6kQ2WbUri0pn1E8gOa4hSQ9o5Wa/2+7tUMS2/Hg4goZQF11dqHGlhpifPgRvIjEkFT19KKoFDxzSqs5XebkPKbYzB/OZHwW8JKiWiUMzl/cIGur6h4lw7EQPGtg8yMp9O0X7PdPyQCNMA8VgNAEP/YnL79Z85ungvMruk0E//xAUHhw6RzLskj4vrNllhLIHZYQzbO2ZBCqPCz03KB1AIKwFCYcr2uCRyQH4om8WFH2oJRbtfjbtVcR4ZKxHcpLK6ELFjHaLWivl8W2c8MiULvSNuzyFxfI2dCrz3DBZVHRswG4bia/zx8Q+jMXRNQmEtlgyUQLaTqcQApFxdphNSE5BMrFIP0hxiyO1+9TrdlvnG00pfQ8q+HyW07iE6oGwhw29a8gyqXjkGzFCQUW7C9ny3VZd/HRG70+v3B3RFy/l9ma4n/Az0puqRmnjDi/5Gx2QRBcsCvjrbbWgEUWPz9BKMnWE0aOBPBVEzg4HjbsspTa4wzFdmOfh4wBmTiUXhzn7iUuaAyB6CSIQ/ntYVIwOoX/uTIcyf49iJG9n0ym9u3HD6Mh/1HNpVk+u2vPpnI/Ys9N9mJ1dZLPqP7uPPn+/kLr5XcmVneRtW3XhMn5EjQ8PpVtTL0CcmqjzszPp9h4B2as/zRIaRXBD4Em21fpblDdzs6amOW/5Oo8n68xVi33J8EH2ltzj4QoLck0Cp4sGBA92Qe5p9MzBF/EO8t5pJAnlWfcUV1KshDwBMes7lIG/XLmMGXLdDGdRdn7jX+L41RD5PyJGxZ7Co+IZdhDjN2SYOnD8IRsyROOzn0Tz4XFrDFdsXjxoOt6Swx/RPw1VKHP1H4e3+3H7CcBkOg3FJXX4wKwH0XRcG0qTkU07B0bNlhCupxnJb6IOVrU8v9H4treDo3MHNnCIgV4LeGBzQEvKLUdYfXKKqNnPbJfj+6mI1YqAdoyCnUh+cBCjkwEf2CWL2KXRaQP7QPNdRw1T/d7U1wbpVkZU9NwSlTwJmN9ToWuKJZe1Qx6HJ5P9pJmxtt8jHHFstXbIwFteFHN4xaOMxpMgo40Gt/KPAMJjdiuxPysgVqOzaBqyReH8rW56XfPjzQt1Iybpl1JTZjz5smVuyArvz23FOnxjCgACa0QlEU5RS3M8Rj0wWH7WDg32Vd7c8lxJ/tqJiKWKoPkxLdnzY9pzl6ioEEBkRGWghsBYeUnLyR4xl1d2Gmk5Q0kyBKCZu7x5nkIjh+hWmYxYT6RhfBTtqWVjSu37aUBnyKydJ4XckoZUX3uTPMf+q+0creK8nb4mhdFImTUZAAWqZL9iswn3q66FM5kBZrdop7j0ixSyc+561YW1r6nEq3Vddat1H4bFJENkh0FVZBhCBMHTxj9vUyFYGOII9uX9UCDAAzKl1hkuszOUFZVkZLMIHahju0LX9BuDwEEOosPRVOOT+w0Dd+X+Vywy3JInY0ozNN0K7Nkp1k0g7TyNZj5LN923Px/yhZ/7Tg8TsJk4+F1TTE1Ewm1ffwz6/TP/vIGmwvb1JTC0k5W3+4mCvE4QivAZdXT8iOaDiZXSjGdGmvtV+m1YHPwwgByAC+L9E99QUauA9qT/1Rr6Iv59BLRzbR9F0ABehDPoiNuYZuR7D6LRjpN4Tun6kBvfN/g+oS/tp/JKgF2B5Y7maPR9qgtKpsmwjyUmqL38PxPM1UUyKAAA",
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
            packed: "H4sIAAAAAAACA41Y3a7bxhG+91Os0YNw6cqU3aZFoYOTAztxAAeJnea48IWsRnvIlUQf/ijcpWVVEZCrPED7Dn0wP0m/md3lj44M9Irk7uzs/H4zw+lU3NhGq9LMxG5Ti52y6UYbvCs7EXajxapt8DBW3OpNXmVilTfGJg/ycls3VhxEWldYKp+loNeFLnWFl22h8kocxaqpSxEl06wuk/cmuuyPFbmxP6q1HhDR0gmVslaXWzBM67JUVTYRdZPp5nlrbV1NhNEQqGfAe+aEBWs0IDK6+aCb03tuDcutUmt+qncTcbu32tC1LS1ndYoPkmR/Y5XVE7EiyolY5x805ChbqyFbVds81c9gTsi5tXldqYJs0Tb0bOrd93l1B6lLVeDb5uVQe7OpdydSQaTc7v/RgHhdT8Qut5sfVaNKbaHm8CjJ5M4+gDvgq6q+rbO9uBIyFldfOflk5Ffhma1qIGpbqCaKLx9Mp+It/C0UOdPUhRbK3BlRV8Ve2Boeh5Vzi4VdJQxHi8gN7qi0qFccKvTtQidLvAi5ea4VXkmIg7D6oxVHFmb6z3fTD0/fTX92rMy76+TRu1vwfjxNYHQriRZSOTa/tLrJtXm9Ij4wIbOQbHf6nIjIU0SxuL4W80WcrPICBpIS8jH1wyAKr5C+jx6JNwhtFgoaKL5lD63xWsBHpDUpvEWAXjoFKRVc6IgN6NLWikKrjMyw2+hGJ+LR1ItMHJy8I71ZrwS+aqx5C1fKCGaYQuwvvhAPeQ/R7Hc+/fZf0ifEjFz+4eJAJMflhFnGYuZyzBmrs1Za1Cav1nR3nvGt8+ibF9+/ePMimvThJKNge6yCbhGOr1Sjd7oovK2xaV7vKic9dMltoWfg+DVu0SESIp/tI5/kWRTHeF5HC06qmXCHoskDwQrMxPLiMDyRIid0w0ovyTdpkUNe8g5Z3tZ3uhLR+SPHaAlzRP2p6AjgEGNilWWNNoiSI8WqrYuMnAxvwO07tb9kf18cXLLKLuo45JJCV2u78bG2j4ZBd8Shs9Ti6upKPIU6Ebk1IgnxEh2TiwNblXbES84c0hAOqHRKmOF0xrJPxpnPMMhngVOCgIIEB1c8cngLGJUXICBeyFwNkK4bodbwSsIXR8clghDooD8ytKzayl+1hYHgvhSZcoBrAnoQjiEIekCTOB22G6CNoV29Ez+oLbYEECTPxKff/82Y3cEnUYpjd7BUzR3OLSnXLw4/KLtJVkVdN5JfG2hUlwCsR+JPAhn65d/ixNaoTgho+ee/xscliYCbnvl0tWQWj2m6QERSYlqEL5WvHKDfY9XQnpFJOoluA0QxeMkxwroEHaTKQThoQfDm2dUVwpE0QvhNkPNljqB+CjMPLOUcPQQuvCRrbeUYtaIoTvIqLdpMG0k8BzzSumjLiuw9x5qAEBXkm3GO4V51qwt8uCJO6Wy+zddtA4KVgk0mPtt8OjtMQOrl2XHqA5GFI2ChwALlz1yqOuK5y258eThwygC0fLWXkdmqis2TFsqgkYisWruaE9H9htIfPo/EEZkzckW8wNpYLZ/VvWpfhwUnXyisUtIBZ1V643yLIqSVCwnZYyQTxvG9qwIm9Hc98yv3SIGqqR7a23/fM7c34ntTO9ykKi+/u3n9KkHNNZo32OVVWxTRGaEKtR7c89w1Xbf70V22ac9c5XiTGdoq06jaAIJffxXdqrsSBnLdjjcQ492rtrxFyWRWhKzotnJ7TjpO7KF89D01Z6Q7H3dd/DtGMUUh4wmvgu46oc/Ph6M85TBW7fMx6ZSmgHRlLAL2hm6XY5Laz1nX5zB3gXpIIOj6QJiTK72L40+//SeK2TgCdjyjw4knRmZn7nJ0iM+csXgAit7mf+9WcnMDONfZafQ5m7G9Dl5EByaKa/u4Xl16ikbbtqnEHDShhF37XkZibf5kQZJ3rWSF7J2IAfFXQL//ExXIgMs/XhzYrHLA47F4iopa1o1eUldCYh3vWQQJoT8O7PEtuHQpcmKQPgrZGvfh95zNHGrMkyShEncD+pMKX6LqoSFiQXx3x+9xvEje1zhLLULw5aLHcuonYf8w+0jnHLvfklqDQhNC9KZb8VUgzBh+DgLJY+DFhEoBs+IRZea7/n5ekdErVyZDwKtqj5iv1gmKaYEuyVdU7oVZSOofxLap1yiGQm23GuDF0U+lFQOCazaofUgiNx/JiBhR28eSeKuOKgkPTXI+7yH9Mx3g/YYybFIIBnxHaznvEPtcF9r1fL7G8oGX5uTeO7iO9nwazDtsZ+geUroiEDs+Lz5CGyBHU7frzQlLo3/xwES4NE59F/P3qB3Tt02Oibc6YTdEuvsMHZacoY8XC+8MP9bKwfAsXUNOg8YkjA2uyPcJm6lqzW7yNZzI9GMTWg1lZ104+r8As26EGMwPnDMxdUY+SANCtMUIH8xWp/1lIUMJK86lX5juOm5FjsNknklALSIJbuWhWy7RrWM1KetMg+/KI4df5RzGcjcG0KJLmQapF/lXVK0l2okQMnXFXTQF+Rhs5/yrZDECXEquBEoQeYe8+UpIpuVR0P1gOTcQxmJd8yjYk0ASD5NOmDu9hymDHN/AOBZAcuiwMnVTmJvJ5KhCdE1rBolZTowbhU5Aiti67KhIWtA8DMEImYdaJSb/Fzzj/9zIECDK7KvU34iBK7eDH0eyC5ohoxA9I5PF3HnSfx85CNrelF218I+03sLwQVV5T61hTs0XyCagU7CR/+fUXXTvcJdhR0YfDFEYsTCiYHj5SYX2IUxzdDry/1BUuS1Iqra6q7jZ0BjYtP/HALtk/DchOMSRdz9znL9owpOdw3DJQLo8M6exiGvA4MA5u9UNTkO1VCdYl7Gf12YedMZO6NDneDni6GW+Grc+w5D2FPCXe0tcTzUMHFx/shrzmuufBM+Fpfoon0zE0ydPnmA0lP2RxyO+sZi6TQyF3Y6yfWg4OQ3LSXV0NxK2u5UEcaddGxcPLdvoFSrKptf0eN4Z7i5KRomIJf4Pz+SIo8o4SQPLY98tOEi4QkjYNyhFdWulCwVnjMGMSJWqcZQv0ac2H2g8csHiLkeBbgklk02eZRrjgmNEozti9y+Bm28BDwKtD8nrKgPIfDSlBfqAIAuL583AG93VLI7fcRN24vm4NTbFYOVIWh8f/A9j/b2pjBYAAA==",
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
            packed: "H4sIAAAAAAACA51Z4XLbxhH+r6c4edwAkChQ9kz7gxLFehKnkzaJM7GTzBSGI5A4SrBAgMWBphSK+dkH6CP2Sfrt7h1wpGQnqWcsAbi9vb3db7/dOw2H6qfrrFWzelXmyrRZlauiUpmaF2Wrm5FaNvVSN22hjVoX7bVqr3XRqJuiys1A0VDW1o1R0zv+NlAfsnKlTXxQLJZ106qN0qVe6KqF9EIvproxVuZFq7Zq3tQLFcTx8L2pq/i9Cc4eTByQKeVALcsMhnVThnm92JvQW9NLyTb2BKtsoc2rOXRm7fWruSdOH/aEZ2UBKzwZo5sPD1RCpGjvfmhg6LVu9EC1d0vNr+S177IGS8IQ3zQ4u9V7akyrl29qT6jVt63IHMzqyrTsZZg8hnBRtfqKYhRUK/JsMFDy4H+Z1nWpswqf7BO+ZU2T3eEL/8Z7PX2vZy0+yEOgtmdutapeV1is0mv1TbYMozM1HPLe1H///R/YsMK+KTg9SrYHB8OjowN1pN5ca3+gngNWNBUGGHZ9DykBFIkIvgRFI7zVRqtcz8qs0UAXRiv70WhdxbTMXxvdrprKqM13cFph9DksPTdtU1RXA/Vat/b54uJiC/nhgb5lb89X1awt6sqzMSTzIrU5UMruXy9bbJ/dEF/pVgTOMF7MVUijk5hdoC7UFxROCIZRpMQknh736s86vfN6hUQb460s4fFeraxk7EoD5+GRp10dq7+c4p/v9ZHVuGUldnX+dHZAARmq16urK21ovwbx1wjFtS6XI7UmuHIIBNeq1WVpVFW31/AZDZAw/ld1pWMLi8zcaDI/XDVlpMYXNkniRv8LYWvD4G8v3wBXNBrPsnZ2HYYsVq3KEhYeZOaumvUB2PGC533npR593VCW8/qEooGAhxfgGew+GaGZQECYxHEsY1d2LFKTiUrSgcIIz08jT33SQ66o5rrBU4r1yMAYedu05icgNwx+DqAHatRIZeusaJWFYJyVZZgE8EEwZAUTky2WpR4/Q+CCNF5gN2EDV7HV7M6woxCopYVMICxCAWdRMXBeNyq0VhKREUY4Ibcp5c8rTuEYyhoCtNvHJGaGNbNrvcgmHibJDZttJG5X5NdQWDFk7WkkRqjxeAzCqO4Ct9/ErnSdmVfrKhRechZPLE8l9ErSgeRgkPIetrv7EEa2cQT5YRvO69buXXuTNGJDZZa140bfmVCQEAvrh/zKHqYHdUhbIAgGUZfChxYxxS/auUBsIuIlhElYJUK7VB5aihfYUhjKYlGARv98yqiizLGQhn+jSUwqz7wlmnptCFS00mefuaoY0jvjptULE0Qyw/MWppGHaPYkdtUVHnePrCA2ZTHTIQnFGdTxg4Y3Igpd6vb60TBIFGzFfkQjYbJe96q7L7xG9CiOWO+4C0IHJPqe2n1uLToeUtjRkfqRqwI4Catljv3uFBDIJeXvr199O1LPTxWGF7VpY4/s9xhH6ovlWKGDnnb+n9DnBbi1oiIqxDMvdJkb92aB8fw3gPFHYSHyy5oagYZ4Uvoa4TfmGOknovg9ZMIg8KsDR/KPwiael1lLVBxuFI1rrjmUYZtdYNsNPADNLmBIs58RvFdMdXuG5MDtzwpa60US7jnkp9gi1fvSZYbzIe1DndhnLH8+VmBjQiHhVgx1g4N+SsQYTZm2Ioai2Dq9+wfjmXcu7Aa5YDwm0j/kn+f8gx8v+Ac/FtSCBX0VoTeobNHeEuUHWLP7/us4SAfQ7/q636mf53SdXxK0zUrTUDc57ZrAJED60Ff8elHduSfk5568axJRMw/QH3JCUofXd91EJZJYtpEztq87UyiHttNwjUVhbK/zWEfW6fyybiyns5uZsfl9YinbwqGb4LVYRdvSQuOdJkBKfQ/jrkJIOIWLqMZ0GiM/abqvXYmpl9J4yGpUDfnT/T1khez0LbjBBP6nwnzLZcgxG7WxD45heKW2bIby3UrzLGsGRlLr8d53QyeHkQUMndC45RupDc0ZKdcWIwx64l63Sbq92KpLmnrpt4TrusnVVF8BmZZ1K1pVWbXwCk5lM20OPs60s5r6HjbC0q0QGW/LZ92pBn70Lm+cOjmP7cBtEArC5MXJP7OTX36+TJO3b9fx5Ul6FAW9nKMSCv73+url7TK8fLqh2du3b81ROBkl48N0fJ+cX6TjyT3FbTJCAtwD+tEEIvdFRYJJEqYk/O7t2zRKjwbRJOL5T5J3T9Kj+yB5F+AXm0AWPL2MYn2rZ6Fsp+sz2JwOrgvqieF4+Zw8T2PryXD4LnkSpENkXRDZzTvOIrFSV1dUUGxt2iljIvQMfay0l+RHxia4movJNvJbXErJse1a909AvZQD/Ec9eRwmiAJiMT48v/j1Ex7oNIGPsbbNFPnGVu+UEPR/xS0W3WECmkb9+860/UwcvgsTsQURfEqBjYaosIamRbtFpAtDp/B52jvd+9j5nSiETRtQM5wTO9aN6+c/6vBt505OqF1XAlzvCD8mPEwj69d9H05ibNWjIVEDJkF3pOdFhcMYunglqc/2e5mPJmuLEtZtlib3u6S3bnuupXolc8nhkZCUTW6bg7ti3CuVchAkB+HZeiSRXLfnK881QkAj5VGytChwKHdFtsC4FZh8rrMPoCR6WqPbI6DyjQBdBsyLhho3GmO6kouFon20unSesCrIbZ2/fEpaZ2g8cnvuy+O2/rpe6+bzzGj/KMqJSz7ook4bZRbbmeHl+BNJcEAp17do2GQhv9Bsdq0auQcP7fTOS4lW9+FirE4px+Sde0s++fAeIoZ/bOAPqKjAGjWd8FnNN3T3tUAQrL6KOttnETCyP8JTaCzqefr5aUTXRoAK2B4NL0oefHJq4/hNdoOuIJO2GMUMhzuJ5CXQm4d+SbhEkTFwGnUN8sClSGbasBpe4NHgunqD8PIUasWpxPdRpakwzfaHYbCiVmeDrrQEIAManda3+FTkI3Vp3X7ydHN8zJvaXsLQMjOGrstkkECbNUV2UmZTXQZ02O0vWzB4XeS5Rh9GXZi9oWHT6J7iRYsKPF21OhQV2aqt7Ra4Y6M1g09Pod4RxtNK7JUi98BZmM/rxbTGjrBlUcHwB9OjUVyuSDld6b3oQqOM/gDiK6GsQswKY29+hMV7fdGjFpEXpaEVKbGdIOEucxxNne5RlJObUULTnePJM/eJM0LApPpI501Gt2FSNXjn4mhI2lO9yxmhN6H+37MJdiuABYbXxPGvuUsKD71FXCUhddbic3Xq1DV6UX/QD2ILuz/oXJsZWnxkvDvb69LoTyBif9ZAofzaSG8BTFl+e+luCoqyDGl4oHa9sJBjW0+/aku3W2AgTv8uH8qC8sFeD9isEB0uKXaWZw2UFWKu0XSVB7eNnNtYgKuVWBoNrO4aObHBSX1ldI6TwEiFQF5lSyg/xsuGf3+h59mqbEO6jAKTiEp0DFvaAv9hQIqv3RfYr9uNWWR8lqErBxmOIhc83gVKQZk3ukrEuhQnixl2XX5VtfWPhV7DZdOynt3QpbrO6CIusEm83YEjcKE7OBJij4/d1c1vA1/tw15ZeHfr7LXVZV3fhLstEwiaytDxMS3un6qFRrtmjxlX4MYt46DDHkUOyl/T0dTDNyvmEkJ5iGNMXs9W5N1YsPlSfM0irMr1ubv7FzN+3267fXrh3tmsq7XEaj7KE5ZN/e1rXl2k+M8qx1KcfVbw3NHxpNwAdAWuVxBZDfj1UPITvuxS/LUb/T6rrnSo6e9m/VWIiOWFWRJRvyT8h9QwypNlbapY09V0WvJfSaSw2PkCxM6VvWdFcZbnrOlrgF9XaCU6jYSpTwpOy1Uj9Ux/Uu5G31FCQ9TL6N3oifMfxs8PHF1ecd68aJp6/QVTxLOBvP2wHAE7apsIT2DFtAcsT6SbILsKHvnTBTG0ZI7HvP4MmRD1+HTkfiwajp3hxz7tdwvQ80Q9Q7d9Cnb6k/Ih1q3VWSx3AS/NLFvqwF+9j6A37cE8uhTjW4W9gTfZFD001FkDqSGMJJEsAXua/UR9xDjR5Qs9zsv+mGnr5VeLhc6LrNXf4aiQXWUU2zB6GCG3Yy/9/S64Z/El/+Fy07VeXY9EFcA2ekTnfFr5Hzes85fVHgAA",
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
            packed: "H4sIAAAAAAACA60725LbRnbv8xWtkmoBSBjMjOJNpTgazSqyHDuxpZSkZB+mWCFINIfwgAADNMWZpVm1T/sB+7CfkA/Ic77GX5Jz6SsIUuNKbJeHaHSfc/r0uZ/G2Zl4I6ryixQqn1ZyJNpm04lmLnLxn2vZPqRCNVUh8lXeKjF9EGohy1aURZednJ3Bf+KPi1yJWbOUnShr0am8Ljpx20pZi02pFgBn8mKSitkir29lIWayquB91WwEzBQKHsUGQQDgB7GRrUz5uZL5F4TZIZJOtevZHcxpm/XtQsybFuAuAWmtGEupOtHKvGvqFMZxYVeVhczEd81s3TGqhRTNCsiCHSKdD7wSh8sCdyPeTGGl+Lvzc82EusL9Np2knZW3CyViA2mOcGE/TS0Tkbc0BccLGEeyDHs+w1jXrNuZRKYS3EXeiQlwcCJiWNS0hWyTVEyUvFdxWSQwLO/zmRL//OnD+8SSLr/gZifMR2AoAMnp4BALHRUCzsT7Ri3K+hYYBwypATYQuVmUlYTpvBhfNTWxbJM/jAh6DcjFvM2XQO0CiczhXIBgeLfMTsrlqoHj34qlXE5l+xkmd2IH85uliLLsDHCsZ7LNfu6iSzc5r+tmXc/gQGUlkSepmJcA1i48K5plb817uelgb22LhKZiVeUz2X2Yp3yc3lI5n8uZ6nrLZ/lKlSgDZfd+jaQiiHWbV6n4kldrHwBuk1efzJq6UyA2nfqIW79CEbgUwNbemXoT3zF6mPt7nmrk26gPyAXz0yzK27vPJbD3Slz8XoNfdicnZ8+fn4jnoIOzplov6xHLwQTPiNSgkDPYOD5IIAXFHjWIZEijBNHBvUwAxR0qDFBVN7gEqCjVpZiscrWYsJx1qMIlCCeg/IN6WMlCzsV2WwOdI1QyEBzgGMy/do9VPpWV96xKVUnvuey+K2/XLQ5NmwbUltj/CQ5EFt4YohQCNweDMbBpJH7KV68MFP77GpYWBnQirl7rn7+sQZLnZQ27ZTi4Y4SD8Eb7k8Sj4b8HVv3Cz7udeEuHACjOTk7kPQnVrMq7TvwIivYZDaTYnggBh0aKDUoMAgKnhAYATxgEIJ7cT5IMIQCVIPgzYAMcei034pNUcXIZrIdzRfuCJmkDR2qsCuBUGgZYArTOAGFdVb3FrKDWqukVq3J2xzi9Fd8DhmVeP6CpXqKM5HDOhIvsPsrbVILhKC5pmTYZpcIXdaP0ZI2BZ1oMMPK0IcXrEN1Tbe8cAU9ZuFFdbsY0QNLoHlvWO2QSHBowibSvEL/+5a+g1SjOKRpgkCzyHynJkf4jdgjhFviovgoj17PBCPwJeKYpxIlbPEwLl11Jx5MBogGM5klD7kowbcR+PCyt6zAb1aGFgSsBPkte8tCn2QJMZEWnMs+rjsf5aN/g3HNmXF7ijK0AY4OGeyTOreek35Wcg7ifix1PX4F1bImr8O4iFS/H2RK2HpNka6MbR6qNUrSNKMgjEfEqGIrytsxPF2VRyDqCF0hvJHapt7KIkiShAyY7JUD3JvqkJyNnbZXswLiztKM0pWD+UCjRneFvlEj4nWojJ9De0IsONCzGJzQZb4AQmM9ompq9V0wAeTLBj5OMZqAckmmFyEA1bazJSkhBwdAsyi4zUgkc8uRTv1zIHJndZxNzBQQSJFzeA18uxC7xlk2b4iFYhgORP4MVyp+CA8EZoLxHzLeRIS3DJ3F9rd/CQRBIYdhsdpjp58Q/KNwMAERxTt32ktTR7FOIyuATWJRfQhGZtU1VkZDAD4kEy1tAiSTnU2IMiSPzihxE5PZhxaIBd7bVm2CQYLFJNkHb5mC8kRYMJStZ30Io9tr64ITp7LTaoMrt8N/U47DeELvXnJ0xbgFkDdBQuES4WBJoXI+mophW+xMN/Sy71xlI7Ie5fp+YwyALXdYDGDqp3pBCh+u0/u4vUM3tbRVOZr0WFN/GvLEb1g7Y3xjN/Yfpz6ADGcxuS9nFuO0kcYec5UXxDmH9WHZK1qA+drl//k9b2ZV/ktqofaSHD9NOtl9gRexIdPwfWJ01vCK2IqUnobuhrAD4BDsUd/KhgxiKw22Ube1FNDh6fWUF5WeQGY45QOwoLIUlEW3BSA8twyg/vkhQJu78JehKpxI4KA8tOqVVGt2bFhZ822xQVI/hoHn/tjo4KwD6r/mtPArz5TkBxXnHYPI0DfT7BoM0t9E5uZkjzDn9oYZoqFQPhOtdXfiryWkdWeyv1QS8Q6fkw0A1GVivI5YnV+xexe9+t69a3kQPQyQiHz4GeeRh+Uw7CIR/Kzr0PAfRZVlmZjrfheu34j6gg14+DrWv2iFWg5d0fEdBEyvS5aGIEvdfa2W5lQpfAvItRCdq3dZaGTmUuUY7is5D2yKKwOwgRFkUypgUcxiGuA4eM4qFMkBMS0Y90AbWJe8FN/CJMkd9YFxEgNARsxZedInx5BIS79sGE1CdfmP8O7jlTa5mi5iXprAGEsHaxE+hmzc0tRJlNzSAEdvfSLuOp5V+EVg0G7FqQukVuqgnjDax5unGZ5FxrxQOGwQ6ADSPGD2OMURj36w9NIRaqRdRji81eFozg4Sp/URCh36f403KBnUwTlwyDzllGE3tQ3hatM0KHWmst7mj/xs+7XmJxzDJc8ZGgGcVHF4cnAUfGu5yyGUUZQduraYwzkJB0fnDKocAWmw5AbsZ74RJGcybmzBJLbtvZTeDEBGebJI5xoWcWuj8SzHALtbgUuEyD0O3PlI7Q4eOOI8OLlw69sMONExXnvuFUZWXgM6WgVj933GklYCKDb8B9TLJ0qEjZIzbXpiNETTYlqsw4PVXLGRVmPcYFH6dSDBjw68yOvCOAs4oyYpc5cDiDE9GBy5lVcUWk58SIFA/r/DDTcycId5NTH7QcRbDDxwvmlCYgz3MmOgwMnBSxQ8Yj8bxDdYtxjQdf4krsMoaRkYDYAj1I+UfyWUAlIw9wNVT+DFcEi7IWz59oOYVpGQQt0dwihPxbEuk3eRqfHMxxvFf//Y/+Ar+/ne0069dzHsBUwDGC/gBc6LdJERDB3wVxKmcNh3eWsrFwqxblHP1L/LB7lQbfS9toHMAnVxhkA8g4FmfioZnqjt4fhBy4M9I14DsHHqCbADl4RQJiEYBORq70PkCUg8z8BThiJBzcZ9jhdVtYlxunxKtKM6JC6MEQKClmatP5JjJXQBMu+npWilKZbYCK2AA3o5QwmJSCK1ZO10Bc/iEgwW5dO1ljQO5NElJgmQTFGOOjfShj0EFTcQNRCOeji7KqoAMeEwSHsdboZUNlqIM+KpHbCQg1xkVgtl1QE5sdgYvKG8BMKuWZOOTTseQTpvf2pzM+LBkyPLj9slls12nJB33SF6qBugtefZmrbgqDybMt/TfN1XRWW9GnuySH7mJsAQ7rotPHQytIegEQ4JVcPZ6eUe1VV3KzucQk27ytjBJBdWp4tLz2birkkIHNAiew7ZxGxwPa8ZlsCDpmR0Mpq7cOcFj6LZtVew8GHbFJr/GNLKFKkyAyd5hlAVHe1PaUIL9tQ21xphO6tKUW2+zRhHsYhc4jcHilvUaTKHvfMIC2cn+Ht04o6jJFpoqZ0A+4E728lquXsIqx2WKtzjoXOQdbjjxYqhM18QweKG488ToIvZn5lwKduEqnu0gEwOYurYWwtwN04rbYBqB6kEKsToHmYSiUpfmsiUICzvRV+IpG3ehwQeVl+Cn0Sdtd1rttz095WNyLPTP6MWVBpCZku8vv4iLIJbk1h4eGvYTatArW+Wwm0fZMbsBkQFGaKi4W04ukjBvMDsPOZGESuFSNDYhOklLDouyx2g8LqbiCEO5Lu2iqCBjoDIExdlxEKdyGXngDYV3raSG1FttnP0Y9kx8pH1g6+0U/jHmjkc712t0nTbTJLBk7x2vVzgOTdTea6/cbGNTwoySFIRQQ0ttSTpEz5qThKbeKImzlTZWZPeXYNiNrS7wADEvSsXF+bnvPFoJjqpTb+pymaMcfIf80JMTPz8mlH4E+/8SZhtOa9PF9X0nXz4X2egbg9+LxLGGtmOzF4bceecahE8Cl4phCq17DZGP+f3qym8quiqabdpQPm1ajKC7DbVVN5BaU48GW0eqaXiuaqgVJWQ+W4SVtumaGxMHKfI7m9c8ODLejK3z0EIjINjLj5EVQcLCLVzA6jEFFpIeY7ZeZITn2vZ6Y/Sw7vU4cI6e9mrDes2lx8RmUJ6CkBr/E6k0EZZ6RITlY2UFAExnCXTEzmvxlDu5UkF7KXB+hXTNLZd40ZWBK0f09zTCcyqp2BbYeAFHuDnjxnQOgKOoyaoJdJlUtUHxQUihifBpszTojtEN/33xwgYwOCujiiIZt6xTD5XM7A4mz7aI6FTjea73tlvdT3wIXbZad5D9u1rwfkGbugdUG1LObxE9Mb2yHkAzh+dDdhRuq5UzSBocc+kRD+2GFoxTXpgK118YOH1Bx6o9lVvK0JKBrfEbv9qtKyu8AYtrP+DxW5C4fRtHGp9DFxSwFpRRehfnqZjSaecZrDkVU/gDYs7EdCtIUmT8EyR/2bKs41yl+o3Gn2J/xiPTKQ7wDDfNw/qmRWxtqwaz189CHr1Rqi0hpZCxbZJRgB75XMaj8vIJ1uqE72+YJ5+kOylXdEmHzDxB8nMjd2J6/rpG6/ZjDsGgsxQ6NkyFGdC2cpwcNF4QDHlEw1MQLXYKEFDGEOEdmygJi3uhz3SeI2wTnzwu3CFfh/VdZyL8Mu8SK2o/yaLM4yhe5venm7JQi5H4+2/OV/dJlGQ0QaLF/uYcrODLf/BKsn9clDNuulB5FXR4un9ViZ1EYPn83MlxSfsp7tBp8vA1tnBCi3jc9mmrxi0oK8P2As5p4IhOIXhIedZMlpVrN0GUVgL5DFicaZwJCOA35wExc31kjCm/jw08xEo/5lUD6bKDzN3Kz83KA3sqXp4Hgn7K3i9ARW2VK43xhTDlfetnKgzn34DSPWR4EQmCfAY20sFEKuL/0KaLdN8A8k2j7XjyvRC/E3FlOhHX4hTLSUgtLQW36ncjnFboha+vOBzRj68YcYIEZ+uaCknxkbW4bZ5MVjKYqeUk53zRBHbaXFszjdsPDHQQoin2BWyOTOPh5LA38OID1xQBzfxo8Hq70CadUFDWSC5OZzRlVb3FGyd6VkrJEM4YcCahvbLNoDB7tXnj1iY61qNkVHrDojxlOJFeE3lJEc3FmzBE71uIgzGqBSv1IvLdEZLixXRGYR2mYWvOVx5S63Nf2iN0K8EbUMEVXXNBAucLINjReFAggRsMlWp+GKGjrTq9CGSE8TgxCU4sEAhkgX+DwRbi7BUGmBDZyhYv4runRkiCWnOgdAYqEwx5uyqoDEnlUjNIuxp51VNsprrCnrv116/NZ7+pKJ6e9EqOfNvCNJLscFmv1sovaoJLmN1Nm/vgzsbpRf/SxoSpEc+2ZbGje7oSb4/pbp+5wGbEFve3F/kOXaKhUnBZRCOtMHjPJeJ2M+OfrVvwhFgHJkTmztoVSdW1KaDaYi9xUt/+Cu3K4ethI4jH+edI2KuBfvv1kdodCB7X/L17sFR3CnhSduD/YZJvWHBjlob9Sx7aCLJIjvleny+j5r5H0q9J0mVQi4p2r6PYfhawcb0Noujaf8ICLu4esyi8SIi20++V+LWBJ7w/zOEQ6FWwUYM9QbyqrNe2rECtISQw9Q0BgvGsmmFBRq3/a/8JsooN3es0dFK8jKNeJwfAe0ZUt+Fd26Lf0wDXYC4Kh4DcPhMGSi0OTIQw1X62BYJaFQ/t22vfDBOjI1OgxjHyoNcw9UnjNXqOwMeMoWez8Z1AIH8k1kHL9SM363MsV4Cl5quFvYv2tmpl7tb7N+9N3Hg0yw4rLSZPNrkPV3O8XkeFYT0nkGiJn/Tcoi38mFuMSTKgTLbmSJpkS7N93TkSNAS1SmsEC/ihpP+e5ETDAdf3xN94XwGOOHqkbs/L00TT56G7gZiM4MyhiXz1wfPpxujvwWUjcT7O8tUKcpH4sA9lJkbOfvMzmmNd0+31UCmTpUYH0jTyCcTEd6RTVBOR+sm0a2IESbGpIdOjxeYVGMPipl+91BD8hgBD6ZVJehj3D1nwOp/PcdJb3W+RCeOzkM7jfQU/PEyO00LiNlBH48aDV4rbL2Ozx/OTZy/N8/Who8Cu+0rVLTG6+o9882K/mraSLWx1mdeQTYNhivcVVesNfhbDmG2Iylfp6WJ0rlPGg0d+HGAoGH3wKBNYhuqr6iFl1Ye/H5gfDc0jN8sjljy3JZW1Muk7DYPQOA0nXSdDMsaH7Oqw4SWpvCyMnGFzKEhLXKLqTTYFZzPZeKPBydQOMjOtQOoqk/4SqHd0pjBmqzf2ixYC5vqTiCA0D7/tprwXLt4YDoDuTJ5t+eug2FJAMWqyM2C9D9d4vn7ameGJppXf4s8dDUzGfQXJfm7KOsb415gD7vIGPSQqhJlrM5AsBK2kz+azM/p6rfM/X7u0vQBquFM777apsUdgJlHpzbjsoaJbv/s0cLnxiWcIMCTxSwq9JqQtT2Bd1RZbeL357qFXTblIxhiRuc7y1xz1fkXDV/PkUNp67s/lyxd6CfcSbMWAHNOjbk7sXBuamlUHb1AROxmnYRetgJj0LV+Mk5j+EJDRsf3qtsfjLnbsjp6scRre5yjH6kZsZPzb7mG1MMx1uM46VCcIPJUti+x3OY9sv1fGsCFPComuX371hNGH7G3Yfopgdm197qGO02Hc53vXaSyiJybn6X36kAzuFVXnfPzYvdrA/ts2x3IvGQJq7vM3Zlz9oMRq2bR055Y/AqXMQEzuwEvXE3BXI30plxfkFV63YRD628SihPijNTduWjlvZbegMI1gGHHQ3yqALwOnGA9X5rY7KllQjk6Lw49tBu5I4A7JdEl71VhMpg8TLnLP1y1eONakkfOcPoRhzlBHl/M97zh8MdRFZPxu9P9SbdWVzAbLwwjrFUsCp5+Uk9alYnK5ODZYrg4tZsqgXghY5fONjQLKj2rGjndmuMcQbRcP6wApNs16hbW7fR0NrMFey8X6i6DwOVRtN+2+5/2+AWz2YN3/ZRga9O4pBB17Mu+7Iykf90EfYVI9wn+oVfPvpdzAimnV4NXBqIa4G3ImU4C0gvsTRGvdoW82vYMZsgZcIjPWYC/fC6pqvizYz0FD4/dVixYATHVFzm3Hfr7kW/8nhxLmpJdKBxeu+HSmzf3gwWjiejcbKYgXXPX0JA6AJAgp03VMA7FfyBzuzfGs6yy44h7exQch2svgbDnDYDE3ohyPdEsu+AytZ5XohOy3YJdHPSrf71V5Czxyl7LzlBlibqwKYlKUDJkz/SVmrxh+M8R+8gPWKAyjVnRnEVCNvyJjj9Gt/rHoj3jQwQxjv6FyM6rUOEps2fCab8d6xV99rDvzyT/yO7xbfWB3LV6hNbUY1CPdhVjoy9ncM4L18X61F6vZ+bRDLcKQDt67u98vz/H6M2QONNxRTx+sPQxDDvLrn/9rolcA4f8LJHKyMqlDAAA=",
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
            packed: "H4sIAAAAAAACA4VY227jyBF991fUDIwladOUvQkGC2sdwwh2H4JsBogd5EHSrtpiS+QM1S2wm9YIGu1jPiCfmC9JXZo32IN9mDFZfalTt1NFTSbwVGjw+osHuwZlQBtf+sMtVKrMwTYeSgNVabRLYV/6AnyhyxpMs33WNcqUyWGr6s8OlMc16zQ9rFVT+eys3O5s7eEIvtYaTrCu7RaiLJt8ctZkn1w07bfoSm9RdwrrsqpS2KF+k0JjnNamPzrJ7VYOnk0uLs7gAv72+PEfHcYM/l2UXoPbqRUCqazRsCqU2egAdV8gupUyxnp4xn10OR5W4Hxdmg3KVnarHZTegXYrtdO3ZDFurF90TfqctzVuYKHa6gxlkzP9ha1YN2blS4tg1AFdF5NbEzieAayscR5cYfcG7iBWaKc2eQJ3f2HfZ64qV7oT4wGArNboBJSKD1KI17YJZ2ZZlj3UtTqILKu02fgiWWRbtYvj31K0KddfeOtyPm/Oj7INXVH/1eb6wceyIfP2kQ2Pbz4k2U7lj17VPv5zCtF1lJyWSfbJliaOoiSZdlbsa3IxWmHwKlFlPOs6MnDZtSrKKq81mUv7sq3mjIH7e3kP8XZTPlOuIX7XHrlv7YFa+6Y2/V33orS/DKLjKYJbiGaLKMG/7GHZQ84UTei06QBZaYyuEdby/CjYTwDL4QYy0DPyVrH4ld/YUHnMDCYA3N3dYZrmeo0JmBOiiK8CRIMaBFC//QFRyZvySRfiydxd3OK/8wl6Hh2PRxO4FE/L4VRgJ2NL3GNBeXc3dil89x10zswcJnQcHyH4LIVu24ltGQSmXRkpocJCDa2u+9Y9ITUQMDk+ivpAtlsRBh0O0YQf7+CH6y6my9n5kVZPi5HvZ3ZHub6qkEkWr3JnGG451d52fqSDp7mhoKKjTufHEc5l2i8tk7CPg39+ZGUnhnGi/8Kd4n2iLilkDs307MTUg0SDTLKstcqXyCxuj/imgzzYF7pGBhJmLR3aIUx10JgA+6JcFQNeQSY5OOQehFtnb/GJwpXtzsekTgjF14dQbgEtLcUcuBMSnMf7R8sdMt7RGkHcz7CI2ons90P6RL40WueVdi0ZYvZ4i5Ha7hRaVyKHHjJ4IhM9uWNgp/NkkiImRfGbRiENW1OuVDXgyVdmMTt2ZfI+vr+d/fp+Pl98nc+z5OL91xnM/dzM68XlZDOiSHmcXS/gHRZo9D4al6YQYmlWVZNrF0fzOabxPWPPpBeU60PMr2ir0+HmpD2afNvVBHkKkwk8mOC2gXcMdYw3ArDDJMXocxMOJZliRlR2z3lCjQyXqC3Z50965YceDc3F692TZV5GnhHun5wf6aV14ENVxdHvVLK/I72PpBOW3hDpT9sE16i5Br+3bBJGs9Zd32PU03YO4KWQFjkmRZgS3E5XWOOb12CRIpg7IUbLUrCkiSGTocSoLIGvX3kDh7CvLeQVWX4l7lMKTyV80UDESpJ+dCDn67zEhp7BUsaEJUXJ2yonb/OwQAY3WKaQW40VvqRhZwlefcYhYDk72vXaUUmTh5DK0BQWOJoq/vX089XNB0SIYXt7TqBTPzGCuFIY7TRMK8OhYdMQLaCrAjvH0a7WGK0jkqRyDsmQRx+Kn6pLdVWUOfJahHJfNzpClu9bd1U6P7ypqUYX8diGRKRyFJc5XYEAr0SMotpWOA9FqtK1H1+McVfDi+kcyeh6YfegYoV83kFlmyOaNdl2EWI5ruryWefPB1pCxFmZk4OdD4CilK+05haxl2bX4EIsRZ/Xav93ckectL6ME3zEK21VtduOwamZiJ/sDrET3F4wxdo+BRMr7XnGxRzDhqT38AtOAwmXuOS/VC03yv/9578c1XCM8NAgQe3xbNhRP645+TlZGBOrf1FVo8MweN3mUpK5XVWiU+cGi1aaKd/WpdHA6tEMxonRmhbufuOqweSjkITIylkY+XHOFMuzz/qA1y+kmyZ9s2+PYKmxsW2Dlx2t/bJLZIymtntC9ovyRbbFG+VBfYmD4g80/9yk8KfvR8MIEoync7OFSMnH3GLvuglkbWuISR4Gl5upPOH4wXfL6+Vl66owfAYzC+UYQtIvg2i45ImRR5a5CTNLAOZL0+hWcgp/GWq2a1zB/S3ti4NUcd3hlxYVVFC90V5Ud8lOb1cqFCAWXAphWheESauy9QBGVUSCgb6kYsn0VOAIT0nrGmXQxj7ZLhuPfZjWdtW4NtxSIdo/oiV87J9cXy0FhuPDvYPy6gKMeR1LBXQKryjcF/D9dY8s9FKBQkPgbe+/vHwZ0ZZwOPvnm3uYN2hH6w8CiJ4mfkmETzYhl6iIWv195SAhyDZEPBhY+tQ84krwC39FtaRD5p9CEbYB66/FBZ4XBqmYo8/JiEzhZS/6JzGJK4xBfysOr9SP3pOR7mFkes4LOwZ0EtJJLKc8jaUZ9Ma/IkbZIF9MRxj2x/DBMRtHX9YWfTZz2lJcUvjDu7p4VyWG2zT000Ene8ZQW9O1IK6UA33R9yttevDPDVFXeFJwaWgxK+Tjz23vGFXKiTJqyfQi1NCbhV8Z2NEgCj9lSMoMapYiHcxrv3bbuD54rHKEqGPpiKXBVCmpJ0tL7+7QFf3cwnSqt/ZFf+tg8keRpXnvkQb2fcGzm7i4/51EOmk+ZQ/f0kyPazzV0ekC56UYT/ZJETCp/KOpDpgb797h8igBmfqoMaDC+/uOvAMepp3W40MiSuUb7XT2fzhJ3rK5EgAA",
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
            packed: "H4sIAAAAAAACA6VX23IbNxJ951d0qlSZGZkaytnslku07IovySaVxC5LLj8oqggiQXKsGYABQMsMw6p8zX7YfsmebsyNVC7a5InDGaDRl9PnNEYjemlCEQrtSXmaFaX2J2RXgf99/+Kbs1ffD6kwNHO2qv+TdaRInpRzap0PimppXaAN6VJX2gQ/pEpX19p52sadSZ6P3ntr8vc+GXfrg73R5t9aTbXrVo6sw3+/t1T5m94Sr90H7faW1KcPOYpySHapzYtClXY+pGWpCoMfZ6+x6Lly0yF59UF/iXh7Zqe22rN5vQ4a4Uzsig0vy5VTJW9d951Z2Nu9bQvtNDwwE/3WYX1YL/mhvyeooOOmwcQaH6iyPrz8yPv1lE7pn8f6X+P601K5cFb8rPH6ER3Sw+PPPq9/xjQaRR/JznCeph+9DoPB6PCQzhAfilqWFBYK9SSvlZsskB0zRUhLNdekZgGp58cTMjY0RiobE3m7KLCh8Ai4mOZ0OBpo8RDVWJsJzVZmEgprKL59Y299umriRZbgckabAVEMY2KrShkO7mqCZXQ0O9j0EJBmW0oONqWdKDaaW1fMC7MdfXg4+jEe8JTtnh5stJnYqX775uvnFgk3cDXlL9k2oScEm3je5mbKgLsa4/hiRik7g6/9LGfkdFg5Axjab5Wb67T2MBu3PnPgcLiGVposkyHK62yJhCVcxJVPaDuk5JmGs6Ywc/rvr/9JxEKpA3L3TplY0eBWujM8FWTidQfTFA1RBLEcXcRZ13a6PqELAC5NXv9pxfIkG4rLl6iB9gGWYuaO4nHJEOcTKaka+vziInleWq9xUJrR6RNamakGPvT08pK2EkTcmIeFNmlcs+kHNVOl1+N6bYdWj08Xl00SFrrktcfNfweg9P9LTF3GvrNOEhXcWtADJ2z90J0x526IyXgKl+xsBuAjJStu/fh+Sye9L3LoL7/0V8TltB3v2EYV9EeAn+EDGzjlVhUM+Zs0+erledL2dcT6hsqiKnDAw+Pj4yHNnV0tWz/mc6fn6PTmRZ7n7Lo8MEdE3CJ92a4PRdAVp6im0ZQ9ynLu3BQoMaoCa0kx5PH09JQS2ZLs2RGCZuxhf+7LYqJTWZcrBBifdI33blMJAPgO9D4VK1leqSWfzluxqXbg6mATVSBarz9m2x/MVWtWEJEvV36RIm4x336Tsjw4jYfmpTbzsGi+CW7wzehbelba6/RCjrrMcu7mZlUEDPwVgal0ULlBuFzrTyIQPv10x7zki6vVWIir9g00X4X7OIHPLUBvAvPXwSZKQcruo/s1a+g6aZ6gpkkGVjjYCDenHEi2vWo9Bh9JbPt81ICcRMJSPhkmJTxwuIEo0HfPToTT0ffoSWFaCADh6JajmBzxPyKuobQ24dSwXtvrzZet/G6Z9aGKaZ1XJK/p99oGu9++amU0vdpj3mGs++9s+os5leOmuaRyS1AK6FNay3qTv17ueoLfrhKHONY6D5HhxoNto8SNHMCpVhEY6r/J1HvF2aPsc3Wj75TrtggLJupOVNzdeoHB70/TovfvXMFzgJIhLvHUZI3HN6nEGN/4QQQ9wO8pSg0l44GOpYSHhLL8A5mP440Um8+IOt9X+PuoZatM0dpRX0TfYBC4j4Ty6zqCWkbuIaoXyddxPEvqeVCCyJlBOduxbBE2ux422rlbEAURKNuKROTV5O1ffRA+ARHugpx5Olaybop9IR30+jOaEbC2ahwP0DJESQ9N2JpHqmsns/ynlXbrM5RgggSlSQ6nPV2vQrAm+b8VvZPgGU/9IoRpJ/MMa4GWpDLrCIy7/ZOu3a+dVjct23Zy+vrVGetpzRwsqXGOG/EUe8XYiVVhbsAx+XuLqiU/IBDWlyEEggdHzzKf1Ek+OoeFBMVTyyUUSUbJ0cejyElAWR2YEHtEEARGjO9qzx8yVNz5+xwVDQPFNeVHZv37JvODTVupp5QkGHASOgevOGCAbnFlK/Us8PUtT7b35Uj4INeb2gUc1jKHArfFt2OhL9FVKTyfxZwRQHDm5OpPmPZOI/Tb4C4NM5u9likS+Ip8NuT7qKi/vJTbJ1tE7UXah0xi7GIztDSDcRxOmNN2yeywD9wehRX+i3pmSiNQhSTicIPxji9dmcSSZvh1RXUWYCfFSMK//h24PU0uOvaSbPWHYR8vcsJad5qKDbPnjRdP21q8mqU8Bp1jwQvNCo/eXoXZ0SOh2JkKqjwRfgTA86ms6AcgaXi2ms34noVGrdO227f1+FcPSXForP8d0j/krqniRVXK8fb8y6NHrbj3eohnhnjhetBYe9JdYjGX9dcyKX6OYazHHuuChyNe1J8g2yxKL/Wy2PSXWJUpU8bl+Cm6cUpdd28HdxzOdo4EAjuU9PIvVntQ2RmuGQpp1hQ1ba4S7bDMVd0bqJtTf2t+zp2GRk30F2hTJjzQATGo4Ns+jnuFFOfkhsV8gC5LetoYUUNxnL4Xjtpo5JIWJN/8+7huCh7C+T/S+5AeP6bPjneRNFmszE17geo1EkfJ+yht9mW7CB33rPD4hG6UkB40YTQQlyPYcx+gMdXJntm+q3zLyj1EIUQJacRWMsWDz9Ium5N7NeT0Cg+VZSa44Rd1uZsK8qs+tNjo3hJ+xeX7Hxo4eVRxEwAA",
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
            packed: "H4sIAAAAAAACA41Z33PbuBF+91+B2GlIpgold9IXeXSeXC7XuU6aXMe56YPHE8MkZCGmSB0JWlF1+t/77S5IQpKT3otFgtjF/vh28QEej9Wnzco0U7VeaKdsoxpX1SYfKV3mMrasHk2Tntjlqqqd2irdPIzUUm9GqjH1o6lHaq1dtsDPwriFqdVOzetqqaJ0LBPSL010Mcjftc5V5UiZwixN6UZqbotipBZVgVVXhbZloCGvlgfi+q5hqTtdlrT4naY/G2eakcqqlj6Z5cptrpx2ZqQKWz786FcsKp3b8h7Wt45crFbOVqXG4nW1fo+JI+Xs0oQOLKr1wfr3FazUtV4aR8vD4MwgJgqeGwqJ+7jGUg5B/a0uQlVkz4GuwjbuV30frkhDB7N8oD6Zrw4+Ls3yztT8MoilY+SszbpYn2RV2TgE9r6tjZqpuIS58F/fGThLTkEP0pyo2Q8q3qq9z7b5meWmytWtkelTFTusKPPpSc1mM9WWuZnb0uTqjz9UPxqVbVFE6tJnKk7UlHXEH1qyXBSNeH6C3zRNyRS1Sy682aJJxV+aquQV/3n18UOKmDeGx9TlpYpOT6OkdzSrinZZNhC6PlFK/JmqyOaR9wovBPMo9G6ui2Zw7zODAN9zXtIDIr49e771uYzxaXcrM3YjrCPhjSNGHVRH70pnnTUNnklfbu+ta1gdT4n9QBIKM3JJ+Ef/wAN7U9a1xdCvpr4ycJd8iv7DQ2NeqQaueBFUQvwv7RZpUd2fT+Jz9Vcl38bq7yN+VD/M1PmEsvWMXy+9YSxV4zEXbZQyekhd9bP9avL4PNm3urCP5t+tqcXZ6D1e1e/9Oyvl+X0qcpMVGhgNEvLTMORz0Cdc0sxgIgwSmKINVMOs4Qvnjz5xNcdRWUVkd4e6gyS15dxykn7zD3HJcJT15Bm6fK3FUbPSJWZtFYxs0B6jta5L5fR9BL3q9vlWIueV7BTrvyUDokmUkCCwUJDrxqNCOeqmeaXKikoTOF8Y1cVFNdnCLDWU78etqdo646B2Ybvike8GbajLvSIM+4iIpYUp790C07jvxk/MWOoVd4+P8yT9UmEOxZAB4sNeVJkuoi7cg+G0jYRm+3exuuu8Metm88UCfj3UZeHP170g/NKP2OYKXdLkfT1T90BYUMCsFpnCY3pvkNNOT8IdJNqNg29SxFzgex2BlXhBUbpvG9Dh3i50eW/euMDA95raEo//yVShKAdsP9FCaWfi3ilqJEg3aIHjly/VGyVAoQ1c+3Ze1djDVXX3xWROrS3SXJUmVS/HvmlKVvcaLT9dT27EiFOyYFiRbKCXYAPyGJHg5hLXb3xuV42rjV5+dxKZBChRY5+3ZUYY2Y/9FqEX6yVW6ji3F5hi50+FOFG1cS2quIvqRa9NFwWUfQP+gbGByF1rC2ITkIN0ChIDPhDHiDGHkmLNhvG+D68lpJ3U6WDos27MV+NgJtT2BQocD+87TNH55naowhLrRYF1Od5hmd9yuxWQWjGKBpykYhJINfa/gdRhbSSE0XOa7Q2kDYcXGrMk2mIflOdb3lPmRVXV8flkol4qHliixs9HKpBK0Dz/cgsjdgLlT+iKtL0wOboQ4LIBjZoD0h1NpSYKpmhR67Q/N5xmIJ4Qoeq28AWAvK6JmeGDkFG10CSsmjZb8BJSEdTkmQm/x5BCqk2ZN+rdI8FB14gCQ++MbaIHrEJ0ozRr+LUSKJ35HZBoCBWmj2rdZuh9cVsXgl+FtVcIL8so7AK2Sc/wFWL4Gw7Sahhles3y8pHCEA81rKq5uo76XuMBd5MESlKd5+wLeWdAmz0hBPXLjdMWPJVBKxILo7sJ8jXxC8uaW8UUeeYDKp8IyBh+8UI9Wxoshzx3L9XK8PM1MT1QCspW+qiLFkWdEJ9NKzo2NDdpU6HFhRV0mRLOpXQop4RBsVF2X7ZrR5E+s81bGkIjnclOwBnhgNLDsU8+F2R4ECgOXscvbAF2wqa/nkxG6vXk9U1qy6xoc5jOQqu6ukPTuGS5tnnKPIW20hgZzy1oBZLJuYgJPG9bbJRL/87mBSkZ3NPNpsxUp/bI9N75rneEKAojQ2xqP5fcJimbeq3BSXC4i6N/vPtEQBo/nkfHkLvWbqS6IwMbpHY3hEHS5LMLb6gQiISJqZ0tVDYpzkhxIO6XEH9Q3OCof5skZKCzZWduZzCV2KaviduBnDNx2F0WdmndbPKCNc/I3ReyM86Yp9z2i7Gi47oY6igOKmKwWMRc5XRfFZ1vvvrTVdssYp7nJ+yCZJCmALWHoQgyK8To/4btT+Bq8KnD1pR4LQ+CN3EPuVTXW5xs/BsSOkUPAy5CEFIX5PogBHZ7wCHGQKyoexNVPyyrC44EafFlc6yHJ/uvw3TtvjFTO5lE+8YvJRNqGo8a9H7aDWSzcNTzR34foI2HSFLzAGMBa27/sozNm762QlpAjYtieoUE0HNgAET4BNtfCMR9O0cBCSfwe39IygctnNkHs8HK1P9q4XrXNzfJjeTXO/30AuzlE/qJKfTK8LKXQhRFmWliDU8Htf8+JIDx/v2s8wjC0TGWvfSzvKhjCklH6CeX7j6Cl8RBgJA/GVa321Obn05Pn29tvjsdnRJcg1eujNMp2sIgTBSGju47oksDGbyQiGRF1Zg+7UGfk05De+tgIOd6r9qxzUpL8Hok0rvuYgKwIVJB7ZU7uDSVWHqtXPDEUTrmrmlzvh5KktRLkbYT85VvgXo6TLtpzJdOIRsGy7CZGyhsHOX2UZp3Qcgu59hgw51RxHicTgBsVl5lLQmn7NEVVDFxia5z7fQrZxo3Y4GbKLmEvzZ7EH/9vR9RXbKCeqeVaw8UGnZPut+L5Vt3bRfzcVrYipfxTzgblsXGczo+MVNVw1w+yGuOgT80o4pR0E4/mDKVU0Pn14ru1Gb99VosySWdOJp9Zt3RqD+gf/Lv/hZp5M9SOLAxZ4MfVP0dOeTBkfA4utXyt0aQQgKH/Y5aOKcUXCGr7Z0RGsPI91MUi6TtCvEF1eETzkX/zVcHnQS7wd1JIBbohdaLkyONRE8D4W+gDXAGoJgIij5PBQcje09srp55F0KWEbKJssrpHtYbQLSiU9vFKfCQlTI4WOzwS++FPFzsGSSITgTBcSB6DHWOXD/Dh9VfBXeSO0koXxxPfTkMt8hx9AEUlY41/f242hicHN4wppRerUAv5QpYDiyWTiu2pqME3f5s0ii8iY6jM7oOrhn2V/yQ7H8foxb5Zu0nX5MM/CjxwMPhxxJAfVHxmM5cM+Vb9PjOa/kA2Dq59vQthe+lUMhAPUZe0cdXMptvnrznS73xt47Ax3qx8atWJTUfhMffkd5Xx9ejfirtaNMeQyXxje5mhGpJggKzNBW8b4pUtKnT2PpTDNMJkAqGIIy+37dE9PCDdY/kQAM/Y/7s/La7SWJghEZ0p0g+Qe7bsQ98SmmcpNW6lKPw58YUfsM9XrcD17dBOfDvAIvyPwOUICmfHusN0Lvr/OGfnf/3QxKcyUmaztL/A3Cv+FvZGQAA",
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
            packed: "H4sIAAAAAAACA31X227bRhB991dM0iBLBjSlNEEeZCiG4xhF29RpE7cBqqrRSlxJG/Oi7JKWFUFAv6Yf1i/pzOzyItnJi00uZ+d65syo14O3uYJys1IwVVYn+LxUkGpbQjEHmaYD0KWFuV5URtkI1ktZgraQqFkqjUrqE5RRealLrSws5Y0CncOsyLIij490tipMCVtQqcpQCtVkKpsqY2EHc1NkIOK498mi7CcrTu7IX6nb9g6/dO+hE9VMmYOr06osizxCH/K5NtnZrIxqdRFGk6YRLIsU3S9WKn+tZVosIlilUuOdlSmmKHouTdIa6iVFdmBD2mv0Sm46QlaZmzu+yFlp3xXrCKabknI4Kyr2gs4jzHV+/cp7a+UG/2SY9iuJLkRQ0j++W+qM3o1SXXPLYn2YM6rC5neDAS6KiCuLL907pSzVwaVUboqq7AiVmGUnc4QZRDDQAQwhoCqFMHwJP71/exmvpLGKz+D0FMTDhyI88RfQNcM36CbfGHF6+T22qZ6poB/B9/1+GEasPk5VviiX8JIO4fFjEPDfP/+KMfrQe/IErhCXiZFrZRiZHNkJTKpVgvFMMFPXCD3CoSnWIHO1juFJ70jdcojzKp+VGt1MlJ0ZPVWBoaTqJITtEUCq0GH9RZ3gs3PfAx4D8KgJRKJvKLxawhmmCFEVB0iagPXg6Zb8sAO4rAi1JBMvFGrh4guKmdFwV4CPRUgJ7YewO2GlhNigaUJGTjAaiQvfciIia/FS2sYAJZAf75oeRzASr9hM515tF+/xY/AVx+g++zQSbzQ2+udKmdYFlkzx/Dd/7Ky9kZix2VLmC9W1meLxOZ+eeZdbHfufHgyHIPIqTQVJUTMwkIKvyKOT45CLxQl0teJCtQU0KitudL7AYjm2CMQ7OlJEe4S8CAKuKwuqM6yARsKg+sZUWyzhFpAFLRZRJGTZCEKyLfHd3TmW5PCOjRLdBLXNWjWyRyDWRpeUFkRjvF5uOi7WLPsNGOp8rszXRJChAvHDxRUqb3ghEB+pdawzGMbI93kQyNxiZ3Vg7LRf58U6R9Ud7vWiMfd1B53tREBgvp8tVSbRhLDuiVHwY56oW7YstH/k8xrGOHtwliQF5AV1YEmCFfJ32eB8PI4zuQqCUSqnCikul5kas9fsKaOKzkL2CwgrPivn3AtOigDDUiGSDVPNqMnd8hlaJaAhM5ON0JHu4c0Inoc1wrCYfmSwJwfZ8J9i4t3KMpCf95+T0c6caRSEndLmRcIMNGoa30+SoJ0ZweS7R1tP8gjPcDfBnL3FmSZC16UMu2/In35Eqhw+pWuXau1hgpe/BVCnuW6aD34lwInPJXMXGZfcMDVCuV98e/AZdca+qgtma9Qh7SafeU2BXEuNFnhYBTScDEJw7sYsAthRPKbFBp3AyFvfrExcXevuRmu+7kqUaetWuz2mghhVViZHDVyTqCZ/JJddPSG7ONublPw06o9hSBy2FXBarz9Opp57A9gTHJFgvTEdSj5FmBy5JDWjzWWcUsCbzEy52ea8c0170Mk+sx2WmDza3kcU9D/c9djCqZXZKlXDp/1+f0L8UfOAZwzsbAJtgNTnxn4cx3v0ged1F5MwdRt9dW2MDtDhDh5t3fRyHxHXYfypwPWBOIHN9Xrwh0wr7BCZJzBFYbSLpQPeLSwtCbTKusCxsHqBoc4L457ixuGssFyvldSGHBejsWBXutun+xo6t+n5fokQq3fop7OC/b1ShkluuH/P0ykPsVaKgE3GOpljbUwuXN0I7uOsCXdjnbyuble2BBXv9lf1ie+Cdu8MRA3+Ru9I/Op821Bg7xUSDP7/mYpND79gEonL2wBcqopccabqPTZw2tpNkCScf0SrNLj9ftx+sGSMzhla7Tm/8gfeNQMqZPuV3kgdaeTw7suWOEPI+J6X1EREfI3gyhDptTN+hr0veCfn6TWAfjPuuypoILiFej//bhCGTPG7O93bLhmug4m5XAPrOQQPXKe2v2YCJDNdpmoAk3ZpIcwLR+87cTpxa/WAesqllHV2qk/d4uwm3BmLokjiCY8ZjKnVK3xNBm653eHcdITIO0bLIa8v3lxcXTgaqanYUccpahmWpkKwcfB+LT/IAU6iKxQPusRFsOjuNjpfVSWXxajPlUaMDoAUN6Ugg8cMJr94+YVeVmnZVbTaq+1UJryYUkaFTJUbD+11/oU89MG2vxnbMogzcp/lUNG0SDYDGFmanmfusrrFH9WYcwu2wFil9T+sDc0O5lwaojRqS5XHe0DkRaQF7SWlRLjlJ4xcZOMmfvTi2HnBsJecWgwRt7IPNMfvmG1G9tYvTQS43t+js+M/5fGX8eiv9fF4249ePNs96sVkhDeg+IbIt0ECtGcnXg37xePhvMgxJso+JgN/a5VEyLR3gvT8++KZP7eeqfH/R0BIHsei1ucNzWVqvQ1sNGxSnUmzcYvkucxnnCkXEI4ENdc5zvCxLyaFxohErO+tQh6mfhlikP4PgMGtBBwRAAA=",
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
            packed: "H4sIAAAAAAACA4VazY7cNhK++ykYrBFKQVtjH/bgNhzDcWw4SBwb9ngvg0aGI7Gn5VFLHYntSWPSgF9jgd3rvsLe91H8JPtVFUlRPT+5zIhksVis/yr20ZH6uBlcb816mKvStMqt7E6dWYWpcmWrmTJOXa7wZ9hYHraVuqzdCpN1uVJlbyvbuto0xb16vel6p67U2q7PbH9s/3CD2qtl362VLoojgG5L2xefBv1kBC67ze75MFO2sWtgmqll3TQz1W1s+yPQducztWlM3eJf350B6IXpqzj4pW4vZiCWNo1nHVXd+uCYph7cO3NuEyCaukbMeo0b4vi+sv0PW+c6HDxYXHrcx2vDwU7Q2xtXdy1RlAD327at2/ND6LPB9p/tTF0aBy6O4Dx9yCID6LYENH+ARWemx5+ds+Bb2W1pquy36zMMq66kv1shBmxdb9zugzMO25emdFg8rz9brKysqUDZTK23jiTbdq4u7XMIHtfHcb/ymCRBmAxksgH/XmMXGN5dCucHs8OftSGR8b9jA7HMlKN/77tLfNVruieYll5z1V0eXLKyztTNazOsQDQ0yu0+9kB63gHFbmMxSPfThQTBvbJrBwf5theDeqpae6nemE12cqKx0NoSd9Mzpc+7rtKLmTrRTb2u/eSl6VuZrOphAn5mAL3InyTY3y6BPuOTc/X0e/+pnj7FoVto3zNhZKa37UXbXbY6V3O+twDOhMTi3LqA5NkzpduutTqPB0EojVvJUWCyHPQNvoqVGTItyzugfuaVIaNTWKIED8pHkIQyJiMSNvPHepFlGrJngyJK7qlbEQY8YSawNV4UJyRrxMPxZk1nKroV1Ll0teh+7VgBYd+lhavg20K3M4FQR35lpk7vX7Ge+5V8r7qlCnMClO/vX3mMIPR0Fpf9JPbQ1ylo1Xp/Gulak9Zk7ZZclrBbvkf2/fmnSqa2bQVv09pqKoJgcQFTxM+ypjNONNsicQb+qrfDClTJyFQ8vYQBiPqVPWguTaMXAc3oaH+u22qq6BHBqOTTE0Y9H49gDaepeNZ1tR8PFY2E0giL8BG0AZ/FaAmeFpIAf6nP968IAk5tAHf2xP64Y3ZwK7aNuJraB3Z544r2Ekjsmu26ZREacjSNObPki1aku+uu9wRfqclyPbyqz7e9ncMnNoMV+Hl0dVn22TRb2UorfpjPVFEUhBS6Gni0ZEREwMa41YQA3n8FgxLIEyFBouMCO2hDMWya2mW60MAYIIl1Ew8QHABhIDtM7JOnnhUnAe181FDG2Fu37VslDJirCZEjG1y/Ja+NkD0fj/3geihQRtTwXB74lP3GIWDkzwii9k/u7QNvgtmohJ/yeZcpidl6lh8Img0JtwrX0TUpM18Hg5DL6Fsl7CnHesXU+ECWjdEHTixkRJrBBHY/Y+kQDZkmT07m8ov8l+iQpxBDjQhKIB/8R2YcH0jhkL7zKT4OSR9hCY3g5TEYJBNhM/6nXl1rcCsiZIyRL6MfDsx5zTP6mpRJt8jwRkd/k5hDYJJtU27AsxPVP7VqO9BdaWIGUurhA2K7rbwMYDS0TQwG22DjbbkrNn9/+IZYrfGBf+shn12HefzYwzx+7GESTKwwlJLBizUM9sJ/eGc8uw5KjhAzDP1q/A4bkuuNPooxp6PUP9524UWSouAP+QmKV8zUkJTCPVGOAyH9liofkqDGJmpNc94MKEWjFBlC8pp83t2lxHwjjj/YwfBjYpjpXzsV4HEHckLCr6pQxysbxxzgvn7556C+fvlXPODrl3+z0lHpsC60pKAZAsG6c8Lf192lct2IVokPhxZJgCcjP/ruO8VSQ16roH1QIgRyrkZc110U6ruje8ttWxIJagW+dee9WYNxlwgcZNAs2bniTPRsW15YxxnF6H7XHbP/DTndtfkje8Te3INiZpNlJ0EBFsyiMZQHHHxPiJBS3GCTzSQHPO0Q6pB7xHzAH3AC032gHi3gqR8uKLI9zDkYnoIxCXSD3OY0ORCuhQ88oRM9bfHokGRndLZEgkAZ1wghkzniu3sWxQQljQ4nyOMzIxeIqVbTIGdik1I1F4ZwJSAJaRazfF8w/dAdgrkNhBVPkVjU9+qh+vbbpEyAywmCjEZ7s/g1JSr+Q4uVL6KYWXbEqDyHse1Fl1hvo3kqMzB1PhlzVNDWjgte1LpUXNZQF+TGam36C9L7VN3WKIWBXtIfUqh6iaScR55/vnjN9EaTHyjBBdTTmnMW9rgDVDP1JKT7ZHYJiVPD0wdaV91afISUi1gbJ8es7K5MLEHiE8PbsGCaBrhuv3vugDSkkhKjlJZCL0uA8kU4IbkKqxYF8bdnn1BsFbh7X9uB9/k12MbVPi9Q0cNR32aT3l4lo0rXo/p6wD2UkaBgVcWnroY/V//7r9IT5Y/S65qp+ETuNwoQ4quMMw/4gjpJakmyomZC4yizeExT8zHa9LV5UG77HrN6fov09ODshgI9O5iA/BqY1F/6xpT6MJ0WV+Hr0pxSrsk49zbL7QKqL/5hGk6zWH3o+67sbQTCcTsEACq42k5qjZd/bGoJtARmZQR9gnpF9YmzOW85hn5UypybuvXbghKmm6LOCekKG99bM3TjHhrQFm4mZeOcnPKCdc8DByX9ixR1oMqQOap21lHdNLqf58PFoJZdD+91Ydvhibgyg9hHOLiLhtXzziG/mTobM1y86vpj3saxfYxgy9o21VjqkFImNU5Ur7rdbB1rmECkNUtAZUqUzGSHjDPTMuZTSbVl+MD5cUxPNjAM0jRNPbfft5BTJbXDBLkvPkfsfiKi9+M78E/wUUxJaPUK8hOj8oMHteDhfGLVNZXtge7RKiDypj52FSnlkvQKKjaNFd2S3JnoCQSwiOYvstSiYmddhVxq9B2cZnMGSbFYPxcG8xZCJxzNZ+q2De8903jHjEKMaXeKGc0Ld2z1ViVxbKm4yaM48wffgkkYVi+4NRj0Bwd9oLpCKjjbVtmJfvfxWHOnJXbfsmk6Cl7sj0Y+nRK/E72Z+0HBlRurnSddZsj4rlSqCnM1BdjzJqY63RLlPVfp2l7tFzmVBH2NoL3Tiem/MCi6mnjBaMSLBasDbDSaG7e9KmhDdyGudZu0T98MsdEccslrMWMTLY30l7FxdJfmyAV5Qd9L957QUTKC5AM11hbmfEaCEDhu3xAQd84CORTB57TBtMOlBfsR0WRlT0lXkjyOZOc+OVNm6abp6BTGe/pwR3KPY5M989/erUWWSZlx4Ju2fQMLvUN1RnP+fWv7HYC5951hY5rqcNOZ2luxG50lyz72jZZQ1Z9T/ks0njgPamUf7kiWyYxvQhhyAFqfImQZcz/v3dsP3mRwif0RL5wuRkjy8NYx6I8vf3l5/DIBTuxokbpldnS3UkPrYzoiDxFT6ijRfur1/iR5xcj0O6YbvkGLUttDvaXkwZ8TbIpqibmXxYxiGBWcV+oTxVJp19LDSxYAvDHRMpV3XrtWZhirZtKxKV3sjJRJPPDXL/+hk4ddW/qbZIZ6t9dio3jAfKIAQPZgkqeNN4gUKTWh4JXIyU3CgBAhIkwOkInpCYFrlWnPbX/ANM7p+/VcJQHnxgMP4w5c2zO9CO0a/ZPz0WTgNCJmD5xaqBZAUoeZkHlQgxi5yaAuV/AavtwpOBQRPqFBkxvNF6yCDUiaykqqWlTnSAaD9fe2tPVnm4nxK1GAjp+nxlejjG1cSsygmXQPYOSVggaZ9woSS4tVXeFcQJCSjyPZlqZisodqsOtrsSJjsnyX2b+fCVFg67EwZKBnj9j3APfdiuaoxIeVFHpKfo+i9Gn6tMmnT0B8Twlg6fsJxSzfYdIePCVOmofZZAe1FfNwPF10KpZvcOMfuq6xpp3sS5QSu7181DWZ/uXWJ34jkylvhvRMFBb2yZWJW/yAIoyR60x71rJy0LX2k1IiSVebHBbtliFoUnpBuXZIu/3pXr7y5JuR5szGSuUHww1IsaH0fme0ICWQlow/NGa5hEhBpXWbC9RhJ3YqpqRrm8dy5HaQtDqJ3dhJY1XONKMukQvyWkWOM3n1zvw8qpXKs8tfJiwYlEPJib+SscB6qUG1U8Hjp9SSE3nvAd7Jc+CNt7oBTiiPHeAJD6g9zIjoK7u+lLIl1mET5fRNW8Fy0Dm4GfD2BkEmPTzqefALOr1V8Ud8A5zf1USYdhESyo9RwQy+tB4y7fxwVO4Y1A2H9BU0GCf97f6Vf94WyP2pb4viEJ7wrH0bfl+QnNGlc5MfIJDglb6sK4jGB2F57c+4GcvNNep4SXfPmQuCU/GZ2bfd+cl37LVOnZqHIHZR8xBOFc5Tfr6gqs6ScyWf3zTFNRKSHjpODd212z0ZGT45Hf+rieDHfSSavHLxQS0sYp7wu0dIauwkkZIcdkylQhjg1D38ziGTH1VMm+mTbjyHaWmbcFwdZjHuS0gk/+Sv76N/Xcnwwu4GSgpK+hPeaOjHMIjgIUhL8iO/kKFEeUbFW8zV5LcqnKVbURKfcE6TEw8ma1CMnEK+0LDdVCAd55BFS3sNH4Vv8ARKy6YbbCBGwjdPZXyxPRcHqNHoZxw+5d5w5E4eOuQzIPatcnr9CDDzUFUEQJL6/wEVBT4bniQAAA==",
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
            packed: "H4sIAAAAAAACA6082Y7jSHLv/RXpagxc6hXV1NnVKkx5gbEXfhkb9u6L0WhgKTFV4hZFakmqjm0U4K/wJ/gX7Cc/+FP8JY6IPJgnpereGaCaIvOIjIw7IvPjB/aHPWfbumrrkv9ty7KGsz9u6vxlIt/9ccI+fHy3buq6Y9+gYVk3Sbvd8wNfs7K433csz5qHW7arq27Npovj88dZenxm7Uvb8UNyKsaszao2aXlT7G5Ztt3yqktonDV7zJrrJBHvRrfvGEuS+6Y+VbkcO8Gxr9/v6L8xez9dTD9Nt6NbaHfMKl46zZa71e4Gm21n6ewTNSuLitutblY3/PNnaLXafFrczOS0u6xA+MX6DsXzdVGxtrnfjCWMOM6IzZc/jVnXwHqOgCgNc8efO3uS6Wa6my1gEr7inzknUA6njjsLW35apasMmmXzLN9k1Exgw26XbpbbLEeYt5vZbqdQVdfOeNPpaj6jte3y9EaM95Q1ld3qU7bYpCkCt9x8WopWm8wZKruZpVMEbbf7vPms0ASQ8cZdBZ/tlnyFeJ/Nl9MdjbfdZ9U99/dxtp1Bw3k2n05TsUF85yx2lwPSEHeL+XSHu00zb+scNvJUJIe6qgH9Wz5mv//dr/Aj+Vd+fyqzZsx+5VVZj9kvRLlZO2a6Lc7U1E9rNrs5Pt+yV0HQX/Ksy5IOiflnguBrmMSDHRBYv71ghtd3H+DLpn5O2uIvRXW/hucm500Cr/ArMhg0OGTNfQGbk96yTbZ9UKQvKE78AhxZvIKkNlJDrKu6u1aMOqIBn5OnIu/2a7aYNfxwq6fAXyw7dfUtO2Z5TjClbEptkHURUAB/ukT0ILEne45Lh1eTJc6XqaW6XMsQpARA5Q31q3e7lkO/mUD0fgodjRlQODgziD0xkAG9ZnavAFxiIKvXEYTXN1Y/8mZX1k/J81quOIitddFe76djtp+NjK2YAppSNlkiXqLduj1IgRy70dozIBJkMaDkWwaTd8U2K9Xbrj56KId/CN72kJWlWuiTXFdVN/Da2XaSHbTvyAdjBisds4l4ngBhtw5cNOIuOxTlixoCG4/szZ6LLZrQ6DBQtmlhS+GhOhFcERDUZzFU91LCWEUH693SVxRLbmd8h33ZBMWR+xXfia8ghtyP8ErMeqraff2EnY91W3RFDdgFiOsSALtlkuynuCRNuvhDkcOa7Ys85xVgtiyOoD+weVEBrV4v059giqd90fGExAXuwlOTHYnxd/X21CaPRVtsSqKvUye0ygzVXF0WucsRsoVmhanA8xcBAAqNvGiPZfaC81Sc/U1xONZNl1Ukad59/MB+12QHjopXEZ7Z574p8lv6u2ZXQF9IY1dE6uyqyYoSyO2eX7HprmFXbdcUR0Z/ZZOPbLoChmOHogJxcQ16ABqODKSl6ePe+pnjb9gAnOobzZuA9sskbWuwdiWHZRLZJ4DJQwvqlPQFwJodYSSSCJoVVgDDdIWvfNlHyh1g0lKz6+oD4dFCOCltQRwbUMq5iaRz0AiZU1SOFLJYcbVMNR8W1R4smE6Ku5xv6yYTNIhbaMDQPt4DHJIchZDaFWWp2sFW1A/cE6LitRLeM/0C6WiL8BJ+cJr3+7rtYszpEzuB27/mJRB/W7RRcp8AdpC3AX2AcJrwaV+/GbNB6MJTMprA0C8a1ba8X0hpdSxI+mh4ioranQNrZVEfktKUNkfQmElc21ODxt0vCI2mwSbLi1OrqNiTosGlxeQnrmC93vBdTWL8CWZQPwkLADVagFdXWqzdmGLtpgdbgwUizGYkexEgxkA/0MRywhFJYmNaZ0CgfDJ04esBqa/LOn69WOb8fhQeDi3IodFg3c5C3R3clPX2Qan0pJE8SLsuJpkgC5mTGOsV3EUm1z7LkdRJtqOqhf9RVLsYoSEZ6WC5CIY60mUtZXExo/2AbkScnFGB1GRYD1KTAWX4/sCrk6tHaH5SAJaUxjeemMa/SV40fCuEGMxyOlSSVWxBjRQvae6coG603g3KaW2ZvfSWmQA4QzMGH4CDSMOryRcOn2qKWhlS5pxs9sW8nne9R6AcWop6gVJcA0SuH6hH/JI1RZZIWvv65oFX3sC2RkrTEJGDCAIid1SKgmgCZkiMYAHOFt+CjQsGK2wNz42OGQDRaeM4AXWv5B8SOhgZNqHhm4sJzdyT1FRcijAOQDSWrdfwEnb1kd/2yskZ5MKptQGnmIamumMZWu62qXUBszhmDZo0pPaVpojAChgUtpmFQnp1AaOJrYibQ2LoO7Y5geVUaXnsuZoCA0HS0CuaaUPN4qNFUA96cwcV2//9x3+zKxJ0dmPBPPwZVpvz/OeuOfGvkQH+hwZ4954/wptW+r4KuDmZsC5NmV7YSsk0BPiBtiHkVYjoRPL582ds+5ekALhgOz8POux6HnMC4UbANGJI+kS7KBuh1f8LrK+pyxYNf4GQMTD48QQuWctLoL4xSTgkFel+GbLPlYWveoiJpoI32Ex/OrVdsXtJNM59Y8oXqzbNzMLmlRFQC0v1oViIlFfHuhDQBO2uiBqIYajXAQKYSMCF2k6OTQHi8MUR7I7oDQ2kP9pWgVqZL+b1lDmG0mLwCYsgaCSYPHVseNsqloqYOD+qqQZXbYMDhJiBNx2BR4kgOaAMMeRZu0f1FNRZvlALBlVsKDan9qWHQJFWU98jskB+AFUVHXDL5FO853qd7TraHUM6/ft/XpkkUwpVZuPHwF0IfIuVVp5LZeCVJARFqb50L0f+83bPtw9gI3wdM/ECmavWv8AZ5V9HQYkywNBzbQP+VfkZZ5QuTnprhi+nKTo0cnHeuoy3YnG9xy00lY5erLwg4XoN+7Hl+7rM5bYFDXkDLRZIQBqk7lSc7/ZtsTb0m6RIVzOMBEkV1SMI4p4j4syuwktBpi+zDf9u99hX8KC9si3p15BNhOJ2zYTQPRMQwMhCUz/ZoYXJdk+q15o3tQgvFZDJ9BIww8cpRq8sPHs06XvtqUuIQ5ZPwOSUsIa4/eo2aDqQZQ62gzKLTvCbV1pvT6e4lMXZpdiuobOsuYOqmScnZD/NASoWOemyeyfEPvND/6vQVrwxYHITDY+A0SMI4DdME4LwNISNpAgQ9R/AdR9xl8NawugXtCD/TtiPaHb9Uw2czMnqAp+7qmh/ta8qaDyrXp7AbIj4N5fxwUIbRVYQdGa6t3rlYdT+FSKloN9A8x4Mn8BtLESJAZDOKcX8cNPiVXafByqONLKE/Cql/FMU1Q7VCBUe1Ot+HsZY6dFMtcH/CxlSUt9F/iMe91HtHGdKyV8vrsQPx+7FD9grizoqIvugR6pdrqCAMlerhjE3U/CAs/UhttTAHu1spJlHFHsELcs6ywUXupkIcoNTP2gEI1HapCjJjFIh6awCE1qKy+ORZw1LW3DZ0kMLm9sAV+etNWEBU2qRFKLBxXBwyhxqXXX7BIRNmV9T3k/FV8naYMF2c6PdSlglv33gLztM0bRqBd/AmYM/5nJlxgjHRWFUHA6UZBMPMmvXUSa4z92NKRKG+0tZuMOGN6O4jYLC6w9oRwvZ1W7BeSwt6aVcX1PBrhZDdtwQuWhGzartXpjgqETddFciQ0ROWOWOaQgx11i1TwCq8VKbBqCkjPAgoslkuTI7tiAOWg62c9bxXv6jtU5qyjIrhdVGQuMR7Sz4F/AKDuAWTPBsg4UD+KLtJ7MzqQprAjvQYGQHEmitvvgJSqmgFrxQchssOVtZYvOCXI9aWrfnWe4ssLddQDxtH15kWCI1wh3TIe4S5gx4rGTjDhb/xGLmBmxaxhpbKCxRLyBBmrcFE7q7HQ5v9dvlWLifesvSCAoIcCa74v5ENoO5uY0sB1Hsu1fNNNxhMDnm7hzXxpQAXRMMRHtyzBUaDQkMMTlupuClRIly8E+21z3lgqEFfDzSKtAFIZLp9hhbdmt+MNa9CAbRCfmwgIde6s4Xjh2aKlv0VTZVXs95qlH6Um2h6P8b9qHPOkgjbGUudkJc26hqC/kTWCiShtLkaBIfhgKBjOKpL00hvdcqgUkWnjUgE0qWpPkkAkcSSFmtFSQq+W10Lp2g0lZqTFnYFRxTfhuF83BIPU6iSw2KawyOKG1Gu6Epv+7YB1GgA450CzygN4ha0vZ40UDCeLeHie5FYYPo67ofN67fuYpLtvM+UsC0tnRruOZlQ6bFW315Zdthb6scYZF6eWRRm+AGlRj1nYjNQMVstDJ8ibzJnkhoDTjAglulGdKbmBIiYNjrBYI1Jrlo16H8dGtF9WUyr1eEvng39YDpUMWiVWer7rRe0MpwfnGeyWSC5IZ4CoUSA1l4LbDykU2mM0Llb8EmLDJ2bVsuKUprJEtA2j5rr8FaEigfWekqJbdk+nWxSoVs7HfojqF25c2FdRye1CRxl2x498R5FfRZpn2a6HJfVEJH1X5RL7BvN5F1k6FJXYs36KOQ/hIr7pcmLAiYZedGuvpCK/AGD/Cuo6AbbC7gCulQDuLVUvXuvh9/lNPk0RoeYD7ZJLe9siEMdQ0fKKkIFiVK0aaNNisOpYZsTweZ7vBSL0HgAxFEWE5d5p56tWglzKVe3UBg4RUWyn2LBscnql7DcyDUk0hDUivHMHaTWUz6tGFr35AVQXQLd+3vi6ys78lfy+lRaC/F1d/eGF93vO5Zei5/5kg1QwovVySFyWTEGsAnlrA5rHhEeJTArnHsvKFCQHMaS6QtjB7o0R9iIQNhTjLZ0olBvL572OR9uFRr4IvCpWFsuWbksk+9/h6lwJj9y4kDsaMzTd7ID0a9JY2/ytGoFHqIlsG0OL5BAFlCJyyDBNkuHCFkasyyaHURb6Qe4s7fGgmq6bubmnp6o4JGot0dTGOuS8rNVpYA6CZ30OTRNuPN6UR9d2gh03Qg8OgWKZmRS8slh/ETsa1Du/TnE29R0Ueo2leLb4BJWW56DsoVTU5NaSZO3lbdrcfqZbmf6AsU5F8m8M0JwBnmZX5JskilnGQ8L8hFoZGVnxdTnF4Hwl8stCsIHUhu7YVsdT2djFO9rSbIKy5Ob620F9ICVr2Q4aOPHmg9I73zupxIZnfYZ8Bye2VmL4ktc2opvK0iditeHK1iT1a9uAR/ANNgWO+MmRsRf5Qvw2yh3HXZyJUo/QexF2PyXgvYlDs2sDuy0wQBjRSLOcC4ne7I8zdKsKZYIX/riyDV61A0TY2BAGsYry4nYldpwbCMJ9StyoC3CqjYoSMr+OQYpNbKemax4JBSIBH1VqHKyrmKDjnjnUI++FP2+ML0oSHL7XXaJlg9Bc7Xgw6uDEQJYnti9rELLwJZ9gHjQWX/ZeDbi8DazmtY6AB7girn3VmClTZ8jG7NcXwir484bhvxzUX9IAEpTG8z3Lu0A+gzcY5Me93zVL3o88R2PNp29slqtrT1QtjRvukxYLl+h6Vn+t+pzr7atqrwvjW2QnL2Imd4ihgIVC0PCgNPww6ZHT2IIuwq6ndUCRXIo77BQCy5D9EZQw7WtMfOiQi5/+0H8+HKQBajTTpQ32Omfgk1GYt/vWGm76hEnC688yKrs2lGB+5wZYI70cqrnCS9YKPIjzHr6WQ5kfwlyCJe8WtJv5CAGqRY37033ClREYx2l9ZAkmdu/cC8mc9aIPOEOFivUa8q6ueLdlb6yAbUgyAWs728RDp4NMiB5SJejCkKQU5V3V1QxCmUZ6iMVI3zp7qozqNwklHcKVpPINklNgoYh/8gDDc0CaUNd8bzZUa7bOBgkLuDr+96I1FgqAQN+pVCKsJoHA05aX13P/Q35LcsdNFOD7kfslOJG00VqqWyzt/u589tP39m+PmryCRgPddV+SJKGZShKz4KUzcRbgHPiw5sNSo9uBgyOk/qxh2+R1EP1NIHDCTF17uiS7SAMdaAM7WRQMGNm66XGd0wf59JekeEZNwsdBLQwgCLWew+pvrqpVOLeoWEoqEPbATIHGrUXD4nPVQuUY5qWtO9pIzieBBDb1JIrgfkW5p+TW6XbdR9AxZmdtmp7EzakKaoE5qezGT4yu435IjGw5w3A0kHJjqKaMUZF59qCJQA6if1nPwQDDO/hzxpF1QYZrPvuKNA9FcEM5aL1Drcq8yxyy8ERhp+gG22Y4Fzu3gy9eeayBOcZ3IbIjjEHTPJqhMxiuHsSAA4TPe8ys0EQRpLhghFoBJhvUlTF1setWv7cEnQoA3VaKPSfRbHDPpCsPBVGCrXsc2OMojppzOGz4NJltEjicKdbj9wKFY0HCypubBCiz+r0xTxIkTUyrIZBZRFigX18+jyfi5DX5Zz70fwQ+bA/LuyCKcYYxWU08FqArsA+qJKXQuOI54NEwXPxuOp9EDPOT8mUy+Fp9ZMn2feZ53/o+9z77sMGMnvC+/7whp/OZYPK79SZ9FHJv/5yEXcqB2j95EX8vl0bDsQEAdZKtmBBgKT1g9Dqi93IK+2A2F+Fc/029sljV4cMecdHq49axLLdnci6z3WLybbrMkHSSiqa9QIlEbHHaehjoHtFu2U7FcREJDgO3O8fu0ftAKSGrH/GMsRreiM5ivGwO/OWf2uvBusltDgwxd9Qtk3Xht+5Fl3PRsPZPJHsooC8XS5wS5HRoGbgI06VoNilnWGFzHJWhc9h5kNfTe0v05u6TuSXjeOKyyInqbcz21CMHNJSnW1R74dM/oH5MSYdllUg12eXtTd/ZKAm4tLAiwfa25ABzP2YFE4zwqtDJZR2P1+/MDTIQO3q+JvyYd5t1oNIzOmcNXMZSGc4V3RQFdyAkfB4zD/+1/yQLbq6dV2xg+ofgH+5j+3T0W33X8Nxl7MgunQZQ6qEkDU7oVHHTwB9hrqJJeAxwb58Lk6WeQYvK+DtMqvvAN7ROqOo3Cs9J66xZuqbk3fASRuWXvrJUDi4jUm58P7qvCAASiZukn4bqdcv6QFjwd5SPSWjIBd+vI9ez5dgKXGBmNbGMN2O2leSKgwCJQ1DS54Jr0q2RtrIHlL9oE9gEShP8CKBmDOALPLIZgHB5h7Awi31u9/g2sIrmLhjSHdUH+QaRCIpTeA4kt/hAVbEAgP/CV2AdCZSmGjvsy6McctQToUeV5y+/6I6P1lAiK9r/61Prq7FRnsb7gxes+GeoNjxHPv8huj9zzSe069T1im7lTMGp0Xl07dH/Uyei8vXbYhdkmParPJrveXWrZ3giK3YYlmkVqNRfRMmJdLUnVNdMcUbm2rs/S8fYP4Wpniy69UpNEmbZUd2z1dERsrKJYtwQ0ryK832/WUI1vl2UHaFWYzucn9WK2w8Mw2fWk5Cf5Lde/NuVoUbXOCOVuA64zaDIU5WZx4Xc5YXmaC57dqLO4QbiddCjcKxIxY6Go/uRevTN1+Y14rI4xRbfsaW7QQpu87xtRFvfK6U1Hw/QofjNn6mwPVrYHuhYH6qsDYJYH+qbL+nkCYS94N1Mfp+rNw8Nm7vMoKf8TjPbM+X6gGwSDW2Hjub1Uz3wXPbMfo37o/wDOu3cOeLDA5Bjj6q9PoER2Ef7tOlrBNdONdALhwl7nogUiVN3s5dBTK7puZfFmFv8B6E9rU1Ki+n1lnj2MF2zJyr4GY1Ede+Yz1ysJ3eZlUsvBvf1VlI4zJCybjxvGNf4GkNBzVpYg+k/XXGYL4aAt1Fx1j3qVPTs0eQaQqMi8qwVR9wv7up6Vmj8CxiV3xjLlhdWbCOyzGWCB/dDFUvdQ4NnzHmzZpeH7a8jw51OqGnER84tWWC1HiHSIyzu2ql2CjtoxnLU/qk3EuzjglZHRSL91OMJdxoLafb9fUh0sPlZEGAQfyp7Fzvkm68NYUPXRvmYI0izmFyt/KKXokAxcjbmkkTJORyosg1fJ25/0FFgFU+hfPxs/eKnlhu3HqdFTg6F7gVtt/BMKV918PTDN8maWJiiTLMZLUZ00YC+e1h2FBTP8/Sv5cMLheAAA=",
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
            packed: "H4sIAAAAAAACA6VT227bMAx991fwpUBSRK6dxmurAMOAfcC+QbYUW6gsGpJSJyvy76OV2LWLDX3Yk2lSh5fDwxLlOZVYwTu04sR6LUPDocicavdwSWLIijcKH9AG5vVvxSF9ieFWuFpbVmII2HLYzjGdU4TphJTa1oR4KigKeXxSopPKMSekPnqK7aJ3nv+5iC6jrWKN0nUTOOTprtgnAKWoXmuHRys5VGjQsVafVtqCd3W5geronLLh5xCBp7sNBCes78TgXH9qr290UIyCFRUlF+ud6PaAb8odDPbxl4Ow575RTk3gCqUaCTmIVpszh6NmLVqMuTYwmROGWwwrKrGG7wv8SOgw7gdbWUFkpdvib2xF73/z8NWMQZRmaPJWnQoY0XkVS0VrDzet5Fl2N2qBxw1D9pGm2cDVkAs5PE5yGG3CUEtBV8IwYXRNuQJ2cdBrC6PM8u4EHo2WX069zf61/iD5QTsfWNVoI8eFLORg8SqGT3wslvY4V3yzjTcUT4I6p3tIi3lct/XyyK7EXZKHe/hlQUDXoFX0vZbylSOmPZRn0MErc9jQkiQRqojGWoFE5anJkML9Q/KjVVILWM2y74arWsM7EbgYQGrfGUGKLQ1WrzMhnEgFx4BDRzDbWUvj3FJ+mwaaHnAjRhajwue0rpfoPL+BL8kf6Nf4S3UEAAA=",
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
            packed: "H4sIAAAAAAACA02OQQ6CMBBF955iMq5phzYlxlAW7j0ESpHG2iJUyvEFjMbkZybz3ix+OU43mB/Ojxq7GPsj5yklliQLw40LIuLLB8JkTTqFWSMBQV4swars69hBa53T6IM3CGMcwt1o3MvLQbTFF2TJNrHTKH7AWW+uda9xCC/fIDQazzlToJ6SCZVJKJaD4jY3kRNTRH+W6OPXjbwq15rV7g2z6qaZzwAAAA==",
            text: ##"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="none" stroke="#3b82f6" stroke-width="2" stroke-linecap="round" d="M1.5 5q3.25-3 6.5 0t6.5 0M1.5 10.500q3.25-3 6.500 0t6.500 0"/></svg>

"""##),
        BrowserFile(
            at: "/freshet.d.ts", .text, tag: "\"d2e4c660c2be8753910ddab2b6bccb6d\"",
            packed: "H4sIAAAAAAACA7VZbW8bNxL+7l9B+EMlB4oV4NCmkPwCI2ju0qZxmvquHwwDonYp7carpUpSVnWO//s9M9wX7otiu4cEAbzLJYfDmWdmHo7GY3G1Wysr9EKMP1udH3+2IzHO0juFJyHzWIwXRtlEObwfi3e5kGJt9GcVOVqjczXA4m0+ORiP8V/Qv2hjMvHyUiTOrSfjcaYjmSXausmPr358VYmLj53l6bRJmgtnI50v0uUxqVGKOlxLl9jDibgXh4EiGLg+PG6IOrwZYUqh+N7vxRF7v4uHA9q2nCNefpN/Bwfqr7U2TjjYXfyS4vCnYqDnZNGB+CIG0hi54yfrTJov+THfrObK8ONc60zJvBjOssH0YPzihbgQdzLbKG9NWHadyUhNxMypv9yxzdJIDaUbCZXHR7Nj8WJcqpHmTpkF5oqPtAKGvoVOE9ZsKqSbCL/3lJaWLzBVZ/mvir54IdgTs20lMpcr6OLPM+W3CxfICvXfpi4R20RCtCVYpJi4YtH8qk2MJTzJJSo1LAyQ3SZplIi5WmIO1s78HrMRFgiVqZXKne0/9gcd9yt83tb4vLZFoRFGaPn1zbTapBoiOBWbLTZ55FKdl8uG5JRS+tEkNB1EdVaVotvL9i5wRqn2ZFKqO5NtfuEak0dirdk8rdUA3CaP1SLNVdyVZNeMsa8KGgmjGJd0nHIQYgnGR5W1O6LT+ApSh1iTut1V81iVjEA1gtNVorAOGPFAWiIvABhW/Pz75QdExevjVzMan70GRCT/5ciZHb4+xJNRIVYCRS4XQ0oPHQWmPnWUefMbp44avD+xTQDYNG7Y06P02uOt/HIzgZVuc2TrAJtB/Bs9B9LE/YHAAuk2tgY8hiJAoA4JDGDnrDkSKyfTrDGUQH5jwKg/N8q6d3FjlFz2BwX1LNfuJfIbonw2oRAXMo6RprlC0atV5g4ZgB1L8zj2lYG32dF8PHaeEF5MYx9ljOawvS+xGUT5WhrEeXOseerOCaHVwqo6M4gHikch9MZFmlPIoDC5z9c4nFwjUlSMtN3nhDeJzJeKfaBoUFV+9YIj/h5PGi6HGlnt/0KFTC1ce5pRMkBv77KVvuvsqVcrlJQQDOyvZCcUfLFzCa3fIowcBCKO1DZwCsYLf2yTXeCMvtO/R/z8toHIk3cOSDwt8H1W5eefEMbuSpqlcmwjHCjWebZjwKLEDMAhclTSsm5SQPKDUa0vC/iRvRAIWfsIgJJFLDS+Wr0xEbm08Gjjo1HO7MISEX6U7RAoJe7ySMX7VqWxbfqh/gLj4BvZqPXFaSez866nFELHhPGTpRYkIdfwN9yEaGJiJw2zOgnNLDmAOErhvHoLg3QIYwMkBRVpaLA0erP2EXardrWxmkqXaGsto+Tebyq5XBq1xLZ2jwPqCfuFpHmUbWJFqecT8GDik7IutV4L2J1xmqPa05Ne9xQfUe3CRYssWJe/54ghx31SVmd3oOeIprxiRTahFJ5QvMGhWwPL+nwoc7ullIE3TAMNt9rU7osSZYd+MCQRRq9Sq07udBrzeaNMWzXEFxqhASRgDrv3gIzKlRl6NjfwqWgwYizRh4kYqjuu7G821ukVrzrxGe3sSJyesUhQsjVVU3LkRUv0pf/yhM053j1LRhD1KsHr/ta2+1JTMY8zj+escwWugMDStyovc14QZVsJ2kaXpKl3EMdWhPSfO7GSOyzHTNQxnMWMIEUX3mJ5nQJJnAbxZrE2zXBeSmnIiXPltgrwcFtdlIcy4brEaOeLdDMhfJSY5FUiewI4mhPEVptb/EnknSJFi4wJ5uOLL+h2XV2bFPmgYPG5YOtPi8uh3yOiPeZqQanGoizOdbwrHQbH8B1lxoD+4fvR9//4gY5hZOSI80POzKb/VTOi9SvcIvtZ/Fsq3dXlpaxvf7ZI5rQdgTQUUtbmjYf2DUp7l89TeWmVqiEuv8EW//70PkRegKKjSavcnXWZ74JOZYfh9SlMEw3U89yJN0SFemwyrF668m+VWn9FOsOwy9O9rBKRPMn7mZDv5NwygI4RHmvgzH8i59K1dAYAzZiOWyYHZcTsPOhyjhVP5aps5ifJLPNzbLqEdkSxekn6rVq7YQOcI0LteU/Oaxysx/w6v6LDPc3+vcZ6oh8qdtJUvGHri1Y8Sm9d3G9BW5bwOg2SibnazorJM+SZW8U5SCD+qkjXJsVVOTRglEmw7Df1HvdM/XKosomcNsO5tEEpaypKiWUrXZS0o4H6N4EfPPSJHLRSXDdXiYe+CCl6NHUrSHzzHs1/uC9x2i7ceCj4T+Hs7iX0Y3mhsAWrQrWgLsUu7F0g5YB7UdOHQc+QCv3COrAkCyVaRMXr9kUM26zi+qbGc50lP8ktTF9TuSDz9bd0nOT5d6lN6d5QJsYmi6Bb0iYP8maLhYq8wchad8KaUJ7XjPKZV9e32D9u3xkIvx2mDHfICR8spGrPIoTPY7j7iGuZPrcJTlzkupGIEZWOA5WfyjoeVqhedvIHSCASUbsRUOOx48Tm1+paWTmg6eIS4g/9WzeYUbr4lTLBebBTzWPSxQekonLC4AVROABAhSZ5F6vVWuM40e7lL2RhSX0jhSri6waVmUVqbEl4CyvBGc3WA1//bde3/i/7kmoJQ/VijlP9zm9k4c4pL3gn2Nd3RmpsF7tMxL/8Q5tPVMHm+0Yy3wUI5ti+XCsjOeOeQqMvtIfim3t4d6D2K0FwInyrWDxMO4ae9lj3oRC5prGu0N62UTF3/0aVVKOoXfAksf1ypn0tEM+P70sevO+CtFSuXW0evW2NfJOHQOFTasAGigojijT9ddn7xdS5yKcL8JbnirqgO80/iVdIFF5ePRLVBQ3oaEloQeML5fmQdYYhGmhaJA0Wyj5/mv1CcPydrTxonrLX/y+WfxbwXTCEaE+VFA8M5EWaBX1q8fCEvUv0h82yfVmTFZyziXUZ7dCnivzrmydsOCyT/HedNASuxAVf9N5IHoNbh2RVXdohymWi43BxD53jUkh3uqDCPZ59e3Mvk77ywD7nBk0YaFcib2/bpKxz7dk9VS+opJ78vvWssmyEV01Hahp3240b29u2o47xfuWKSb6P3NukInb06Hrfx6bfZfIPQJiEvieF2tcD/3Fwc9bqUBaN90eF+775o9OKHvdXWtx7l/pu6YJDrs8xYg9H3TcJYWd8z8f/HvLIvKu9Mnvu+EZu27+lIed173DlDY6uSed9MdK8+/sqNz34H3SPPhqCHwAA",
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
            packed: "H4sIAAAAAAACA5Ua7XLjtvG/nwK53ISkI1OXtjOdkeu67sVtLk3OnjtnbjqOG8IiJDGWSJWg7FMUzvRp+mB9ku4XQJDS3VwySSwCi93FYr+B8VhdqOmyMGWjqpn6W23swjRqVtVqrefGjtRTVT+Y2ipd5mpdV/Nar6xqFrpRC/1oVDYzzXSRpUfjMfyr8J9ita7qRu3UtCpLM21Uq2Z1tVLReMbo059tdOqgAcgCQSF85hbFyQAC0G1qC3y1AKSfdOEXpdY0cdRo+xCNAKzIJ+qPI9UUzdJMVPSuLhoDE3lVwudML61R7RB5tTYloHUIl8WjCTDOimVjasCFONTZGWOBqarOafwk3+DnslgVzUT97kVIAFGnOs8vH0HG3xW2MaWp42i60OUcF8WJOvuzsovqKSZQ4HZlk249b5WmaqOnC2NjFgSBINTrqlkU5VwVcC51YXKl57ooFfxrzbQ2wNFT0SyUVtmD2WYqbhZGvcoNnBLwMt2e/MNsE5h9QkGpqS7VvVG1WRvdAK77LRy2QTJTvVyaOlWXdV2hPtQGUYrGXNfV/dKsslS93qzuUV/uzbYClWkWFQgcVOtb/ajfTuti3dDSBwM/GHlRq8a8byZIJMNfMcogyXBDT6hoyLA19aOp4U/ZjFRW66cYIRkIB5W2CuRUgMYCV/fFvCgbmtQoicbMgXUk4HUwTxsLKmwJe7NdG5seHXnVLfKr2Qj+fwNERupRLzfmolPkdPyzrUpWY7/kJStuUZWoCWAaHTR+DqANSAvYRvzA8sqg0OgjWFabfDMFvmnl0XSprVVv9JPaHYne1ptpU9UsCcAJamBT/ABVxj+nqj1qj47Gx8fq27dXr2mMTXcotFQdj4/Me+KNLQIkDFgENShoaZ6QNg+cMtJ3g8PRpX0ywDQIHNRc52ggcIJ0yHDkQLSsBEjFmW10s7GZegHnOa1yk6lnZXXC08+SHke0876mKeDDlLllddwTyZqh0Hpr8++Nsc0rYAeMod5ezMCYRySMEfqUWo6BHMuuTQiXUnazNh5PmptGF0t1fq7cCPmXcAD3AJLBtXQQpV6Bs1BRn+8ogGAJAIxDwQMBBOIM5vEzmBWmzvhrZawFlx3Mg1dogtX4GcwatuNuXgZgS7d3AZyXXwDajQG0/+BFqBlXM+9QSN9mwKcBv/wEggBdQKVb6S1HkHsDvneqa3Jd1aahk/fUYWBarUIhyEjA4RJ0DZB2IDzQ24M7eIDqPgKI0GwC+QfqcRYqyz5Mf1598YVCL3Y1i4NRUg9vkzdgOea9hgDZkOFrcpfoex8LC27EotskB/ikrTcuEg/bKC87I9t8Z/TD93qNYVMM2GPZAyDqF6UCropmi04gcM4L8gmn8J9lhwFmi856RPzZyvnU3Hl4BBQPy35ktinJDToBsKU5fpLOVgkA2EPnlK51bY1zL5BEzMD5gFcGESBUCvTOIPJGJYWXCOX7GYeatLBv9cy8YhZigU6Sbp348Q45CY7SBoRhX+CpOkbVZ0BvU+ZmVpQmTzqBBgv9pnAx6NWm5l2fujMOk6vQUzYQo7QFnxdDDAQSerNkV4pZV2QTyLsocGLQ5VjrAylCfXNzc60url+FXtKL3WVQSABc8BoHLYtdWER9eEl8ERAa8bKaagRMqxpjZ7eOtsIemJcQos9xHW76c4Gj31MfAkHJ+g6ZmYEYVT0YwJ6mqSwcuF0yKcIuevvDm+9ocSKchTaLuNBo8W8w7niCqYC7FlnSdltO1RwOEJULI/wIRI45rWOgNCZ/9XUcAUyE8+LSXRLKyrwgB2ODXDR0lXH098ubCBE3i306ghBykXeYltVmSYK3i2LNyYhEyELS7Ap9qTW6ni7SgJWqXG7R5RHS87Qop8sNBItzl6yI2UVjSijHL6JETYB/DekgRFwInRPaSwop4+qyzOMEvGY5B4Za5i/QZrHh1C6LqYmRcKoBNf0ARElnBwApokmSgcx5ByKOvshD2X66SL1pDiXL6ESKh72LA4Jh8qBB/hUCMQ5OydGN4F8RhkCgwxCoeV1t1rCn3iesCjO9mAimqH8RA0RJkq7ALcf0SalWvEPzCNjmqRHTn3g2ZEXr9o1FW8z7umUR1dWTvUMFCvcXsCBKk4NugAuIdi1wI2fSR4fqC8j2cCGBxG/ZoSPqd7DoToQGzAKksNmG6kVb5eUjOX+vN+Q/l0vaBWb16BqVpiCOZlJhJnGqMqq6MjYXcLDFL4ZNBsEll2ANPAZfKrqzA5AZuPER4yN/xEo0cEd4vjzBBzoMCs0CuCM/dQOIKReNI6STqDkk/ZaYn3AUx8gqWgHM4nSJFZAYRhL1NJP2cSbVlGOBtopH9dWLFz3owr5bVEvj/QGEPYshsrfuLGT9FB0QCEySMEjMCci5pmss/lGOgGiEf3OoXOF8G3YvnKxAhanhIFdQR0YA/FRyQewxZiUcaDZhMvMKHAbulyM4u7KlwSKQN4l2zxlaj89OtRGYSiMvFj5EFAiIQ53y7JdnJLxOkZ17IbvBWqvRQy/Tc067ThtIMZir3sGDm90Jty24VaIL4nZqJSMt9QGYiW1hlvkx8+DGZLvE0Xla+rRS3ArOJqF4qO3gQAw2MhDOnf2vv6rPPDB+0EbxBxF17h0Get9fqhgBoZiY1+C583OYmDVXGxGr+pNIkw22M2Fvoi9r7BRYrPVqs17qqbGn1HGARF0yxSDzWekHhC37pml9QOacdJC2uDOUJB2Lb0roGLhvCYfyPTcJG11UDNDXMjjP6Prq7U0Ehxld/3AT9WIgJxVUzsSMYhDbE1dOCtc+b+iERO0eK87TwulySb4y9RyTvma6mIBloLcDe3pkESU9GRFQL52A7z1BufSFZsME5sBeouuLm5ffRPub8QImLEmwr7eQLpTzGPPr3v7edFyjjVNNwPU/562UyWQ78CZthqPZjptq8IV1cm+jLAHhBz3nBzfJkBFDBRFZCgfyumi3UXX/M+SlUXJQCl9ffnd5c9kXAyHs5RhDERDEb0kOP7eQK8WsZiOVPd95ckk7/om3kgWyFxa6PLyjxMD5MLnYy2I4ygu0yzSwtdXXiZ1DOJIe68TtgRFIy+yEJ0GK/Rj91oBh6yXX+1gLkhZAjQ7xBAIs6DQceEnt1+x2R+5xFxp724LPFRP433/+i1/MD3/eZT3tuCczqNZAUg7koKv4TYcRjR+/Gv90LybjT2CnOjLgyg+fhXSlzz4usr6ewCTUe8zU4fRUTkYAOUPkDzBRUMr3lCkOIxyaCuyL8PbLgGwsqMbPd7S+HRd5RmnfrnUhJczJPDGoE3Sz5y273xPqlYYFgnCRJCPfspew0fcZ71DemEpICiRpUobd0gxzDtc35VRqxG3sbNAFd9pBPfuPVRfoZ0aUsDXYuWtd3yysYB30pl5SLvWRYqPzNvNlda+XN9SJkir6XIpVkltX0nr/Q8wCEV8RT4KKdrTHathWDIpsOD2ukbvWcxwQO+D3u7XpE9nRh3kYUHenhjiP1VVpXNuPO0UoKnVvYMvW3TbYpbaLVF2o+yrfUnrOIbIGOGzgWVZ9RvgXSqSt2vW7pS0IfmnssC4G5JvpFMcB2+9f/IFwhAGEa8YwVuMukZHOI2CaP4LkZl6C7+pn/ZKCc1cPBfwNr/HFbRBqukYEtqRwTQqJPhQBGyBeF7+QPmBdRVN0VXXRmwLj/CvoP+zs+a7D1mYBEZJgPwHtEwOGG/g4QWXt03opM1ieoKfT6zUYKVGmS4woIBNyD+JdNwO2eewjSMQjMkm0L47DxD517yzFzgiTUD8YuhUanHQeGL8FN2b/YaEYUmw0ZFFN0DDiE9+zBTowgnX2+dnAPg/Vc1nEsbqN5AqDlJ06cXSPgnmtO62m3nqv7DsQcltpKH8j8qiNTjtFpyZyt4VbnjgZOv0ET4pOD5LTsjqxTVWbKKgtJC1mMlKL0z2aq7hhNdBWMbUZu8IIxcH4z1N9X9VNV9ES5GkvvHSdeJdG44liWwaPMxz75vLi62gQJKJN+VBCiRh5pr2k+yYPUZevQahPhTcevGveF166Mh8jxdcfkFQE5UUOmX1ZOSlMwKRoJ+5yBNLNtteGILUXkVUPaFXyIXczqB/gYJxY5IIB4l2oisNsyvHfQxUctIzLt6sdUINR8eOEMgTCtZccYE3ZC6LdJQLVE9j58I39hu/nQElXVb4BVz6HwlzCZXfP2lHjtvhcuttILKTi++IhjYmiU8UxTPo4zQcMGdGSC0C8/MuwyIQIU28gttN9hn0AxYDCXhhy6IdMdW13zxhmLdTc/4krZwciDHNu13f+7Pp3cN7fc9lUzF4Dw/LxYLq48CkhgTIkn1l2vkWwD5tEuOo2ejU7odkIu2KNnjvoJFzvmfogDoTYQ+SXBchgUx9A0r/7JzQAvJ8ufFIcdX7LSW3Y9z1QN7vjCKvl3568fwTjwCDF47iOe3Zdmxk6B54/WxVlsdLLjJOMPK8psQiu3lbABaUdUMqQhmN+hrdkqXOkOWbBqJZkpuD6wg4EeL/coCP74c2rlxWIvsSLl1654PLGKEkthFYYGcPPdbWOkyRor08ONdpHzktTiyH/UO3Gs1C8UUHsXrB8Ur3HFFp/eelvmqQOx0uq7hBJkYf9Few68Rg1ObrPKPpA0H2+Q7Qt0ZAbRx7iZXg9g12bUyke0J9Y6hOudLmlPk5EOZRcxGVY4t388/py/Orrcygrs1PEqetab7FipaTeNKhslF8uC4tVEzKbUa8z83vJ6DoOm2T+ttoL5OCNT+BHWL0ROVXvV9SWSEEd6sJY6fImKbdG4vhWXp7cUbFHP/ezwG4YmZXLhFuuIILVoXlJC/dMXeD208LS35iGE3eDBBK85fU9Y4JzAccxVGYkl7Rnz3eMmpnADhaSPgCPU0n6c1VAtGszUix//+oUI41CNUnTDykKvikRo3XPeWAR5GxF3kacl8llD/YmYdekCge3wc0YXLnfHkSVyg4vA81vM96Gr+/whF2L9Zy6PUi9PX++kznafPRFBEsBM83yVau/GbdXs94TnE/p9dA6uc65vYtEHfDyBTEEdzH+GYCctrbdGyEpxMEQ8BVQ97CKX1VZGjl44e/zdlEl5w6YBL4K0uUUK4I3+snXwjSZupQ+aN/xKjp9ptz176QHx2TcskPa7Fdkt6Kcfd30HNMASg2tCA7lLjvtMR+6rh5/YX9xOAmlHAmV9uCk1O2CsjsuiYrZNtjNx90Ew/UMnbWBLV2G/M54LrkL3yhkO6+HgbPBM2AcFMX6yUOPXgcJmj3YBvuCCRSzAAQuuEXLaIePTiBvmfA9nQtplCxmxxn9ZaXD4Ev3ZOGjFz1HqxANw+vS7oAwu0RbPUZjHf8r/vH412fp8bPk+Rj0yzb7Hi57JlrRPkNP0WnygTgbOPDS3ciM//Us/jH/MnkGFMx7M+1HdUhO52KLUXKe3n51FxyBw/GRxprccjEkh7Iu0hyuRAImoaLbcLLqHuDIM61hAcLMvj8RgJNC7oM7VtpOKSkL8xdwhxDR86oTur1iPK/1a2+j3ZsdGI0RGV4fI6f9N1o4g2uw6pet0lZczdcrrejBFZhedugt4vNdDxYrQMcM9S5ENQ7tpN9VkXPEmNuJWgXcfeyhQfdIbPg8Q2bCPowMnacPRSnhz19gsKz679KC3qtM0PsM9xt7sZy79R4A7ZXdeOvpnk0eLGFVO2L6pIv/BzGNBGQ7LgAA",
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
            packed: "H4sIAAAAAAACA51abW/jNhL+nl/BBkElJbZsp7vNxd7U2Cu2QIu7FugW6AfbhWmLjnVRJJ9I5wVZ97ffvJAUZTvd7QWLjUwNh8N5fWacXk/89PGXn4VRT0bIMhNmrcSmkEulRV6K3HSErmBRGlFW4kEWWyXWUgtTiYVaVvdKSPGTfJAfl3W+AZrt/ULV6UmvB/8E/iyrUhtmfyOil9M8Ox2K637/anB9ffn2zdWb/vX1Nx1xuqnzpYJX/XTQ7/d30cgxWFW1iJnLiyjlveoICVIpkHUnqpW4V3ikjvGIJBF6XT3GTIYrqS6Ab2x3JIlnqzf0Amk6IurR8RE89dPLt1EyAgog/CJ5L9/uInvh96w6kWtQy0bmNQpYrVZaGT0U8yMCzZEWdc6qBc3mRjzCr8c6N0aVqfhVySwvb4WRd0rjISYHrRd5qWSNJsLN3npSaCOXd3hsbrSoHkuyX6Y2Zo0ngQ0zWd6CicRvuIcMS+uG/QAlx0PmH59LI58+1HVVz8XjutJKzPkmJPLjWtVK1FY2barNRmWp6K1qpdfKpFkKx5OjoHjPG6XTk5Pe+bn4DT5bk6GU+Lpa/EctrSykIzyhg3er6gxFPe+dqKdNVRux2pZLk1dl2+ri5USALGZbl2K5zousVuUvK2dbZo+2tZvAvCe7RhpVqHtVGi+OrGv5/PekcSy+RBxij9K4TYE474uCHYGEsafbqARn4rg8KoGplTo8He1jz/2xXOVlbp7bd2d3tRdnF6SLS/aGTZWXRkH8/frD9+Lb6/4goQjUI7EtMwUMVWY9wdD/5EmlOiohcX9vrDiWM0vL0U2cIUnQb9CXIxkBRaEw/2QKXgd3Isq0UOWtWRNZkCvwHV6MaPgY4ViQUWL8wDxorxD5SsRf4Wri9OdviQS7Rq9I5PR4Is6dpR5ziDK4v9VkrUi9mVg8N0m2A25EhNXWUKyT4uaWFh2C4qvcFkUK+YRdloyCB2F4LjQQ0RPEHAiYdVwa0Oa58NZEORYKNAJmMSMx77InyZIdPNKCFcea8mkfT1modQ6kmEEKCbq0npqSy0CAG8wyz/pItjo5ZvlWqrVW7YjgxmweVH+wKL66uSE1JGzy4FVH9Mlkn/cbNmnoJtYT9g+78YeZdV09ilI9il8xU1IGjCPUD2TBwubapSwxZS5QHffVg8oi60OuUDUlquWxfUtm/SgoCH0sa4m4CPUCnwIKLBfODwMftxdPN9Um9rGykTXd6rVoAc6D/YjRRm2CiPEs7MPXX9u44c8dom+UzKvj1OV2IPdrLtM55R9V8RwUusZiArqFyvHAPmn9H6S0TMTZizXwbr6njlUF8erD24npA5zEJJqkyY+HHiDGbOKhjS/ntwG7tvOOPuO7RyxNUqSfsTcTOatbG+ULqPy32pvF63s8ditO280uCGb1BFvc7pQWIFRYGw3hZFVX9wCcqhlQ8y5wFPGu2WndZywmkAJqYzmgM+AnRzbxe2fJjEw+FHZtLPaIukCEtwSSNkt//9no5JWIQXGTttZM1a5weYY+DS4FKoHyhzkLqQGNXXFCnJ9encJTzRkzh2w634d7c3Gn1EZTQszyW/h1tMLlGWKqoAoDjkIRtKofwIcxRyoGRCDUKq+1Sb3m/7vNAbbdiN4fU8ac8Xh4Gk/+OJ1OZ+fJ6ae4O55mF0ky6exmvVQ9qSWf45yP9ntvo0+TwQy9Is/A0LxwOQtsnWOotGBUCqUu+xck/DhmpC12ibj5zqYZ8Ogot3nOHgMsIMzpgMACOXo21CT23QDc0AaHOG/zB1WiNbAyDgmwQlDfoiu76gW56d7CkQwwlNZKU2LokO0wc82v0r614lVfdQfzV+wCAv5HV2VTZ/DTpD/jW51GXnEoTApxpBVvCEIDfDy/BThNVYDyAXU0EZa0RzDvjUB+YEAwVRKjscCE05SekjE8T9SHWTy56M7YkuMza0eWDCw1mTXHsZsBPy46F3QelxS7Nm5S+c/UdcUkh/cI3oiJqMFqmJR7k0H3GnwIfNHEfEzi7x/1o/b+m9b+T59Igu/Et2/w+Qgr6wP/lmad3ssnLFpY9ZLmCLzuCEMDepG94Gw8C1UNF2vx7HPHBObJPkBaJs4gb5LaDBr3/uhf9GDNAmpv/wMMfpfj3iLXJsSfdVXtVcxBk9vhXYrbSKH4kIiVzIt4Ds4G3YUiYHX2gm928w7xwvweBAsuTfDMWSs/MXqRRQWVTzboCI2v9FJC44SIqyoesL0C5/a32oc73rcdaCffblybvSsgQP/H20S96BXUM99rAxbqNi81w1xQdFOJRVYpaiLn4Y3tW2u+QZIiEDQxnge+sYmxRBvKMPjgzAg9UBz9OcAOqdcYl1f7uPpnlLRTPNmXYS8iZwL+NZevES5rBelXFg0894gX0W0Hk9C8Cfw5ta25aWv7oGXw6sY1V4WTsEFwi0Fa5RW6Mj+mPrd6mGI5QB7pf6L4mmbnyZkNMj56zPxdoR+nE5sB6PUMKmnQuICiHL7jlBVzi4OJHbngnvcG8w99lGYUhM4XQqAgiv4uQiGHbC9jmiK9kHd2o9bnj6YG9vEeIEn+Glo2bT3a9uxlb/fON/A0LTl7wdN2WKUW6rmynRDoYR9wUnMUwCpp4u4gqBl36vmIGrjIaLpHvnq2Nh1CrHqUiozdjRyE0zn1rpabRLA4+ItmgjcgOIpRDFDhHNKTet4N53+JOu0+d1HI07+vAbdAE4eTAvChMtOur5Q+2KSfgXS4y6wJi6PelxXktiE9olkw/txcSMPuBgJZpjcHYPM7gKDjtpYvEwsZvToCjEySQiWeiKmZltN6dn4WQCZ7Tz7NAVdSOKCrflCCSXDgY9UX7GXbffCBgbttHCX2Uzv3g+rb1iEarGa7DngjCrxj65y90LHwO7DQrrW92TvnNNjzM8Iu/DR5sZlEYJGlC4woyDXB3Tu1AZxRPZY4zJ0XkCQLPQcrFBBA++kvKIpMaAEunPQLjde0NXuNcwHCbNTCYZNsZxSE6rZQD+4r7NUI/uIZTt0VZBrQNpcp7GGxYLpkw8p1byRG3aKQ5Z1ujNBv+tnRqB08VLi5bPsBlDWQjy/9fVUaCSmztpRcP+3wENFOs8gDlHA747KQyVhwiGJbs5SFrBtJpYUgLQF8u416CDIJZ4SQM4hCNDY63t20TNJwtMOuFwt3/ERiZKmQ78FFk1bp8vY4pGcdJO1KdEC/NxVIrLekUiPCs/X0pWVkaDoOOWAAvnLp+LNlBiDjVq+57DnWBPbG4xs7ymvOCzSd8JH7m3f0/1EfVN6o+0azCWQiDYOuQ82Dx0S7COvALEoaW75ipUmoMjTuzHdzP8PavpOTT5i83KrwDpA5/smjPsmJgoaTdvqH8bqo5fIOAs6C9PsNNNBLd6ch9CGSXB/aMoW5FFMAra2qArKITk/8FzhNSDbptYm3A5+3dXDZmMJt5jdwxjvOyG6sR2g88mgcpUdvt8NQJI1a+mjhcre4a0tYVBqz6k0ja1DFvbFCib2NyVqdKJT7qMdwkgikQi4Hx/0f9hZgPCXv9m/WEhId0V7yoJ0hV4BqxK+xp9lzJhaQE1+IRoSNGjeO/LKr7whvuEmBvVmkbWbgIXlubAfiPI0XtS1y2IO0q9Yx/Xjc3tICzQCOuJD7FkG6QWSOw5UKsHjjTWEF2EcGLRIHKF7LGl4qIrSCDQ8Fk8wJJKDf4Uyn5HhqfdGIWubU3xWDvbk5jfnQjnm5LLaADOJoOo0SB1J5EnLse1RwfdoYgJxJ8+Xs/g355mjtWbs13y/JZB0Njdpy3VjIF3OplYheoqGfVth0OApeT4LXrTpNb0+Dt2yr1msDr/lpFRAuqqpQsmxRlsF7HPS2XnY9m75/GvinS//0jX96Ew2D/W/9+rf+6co//cM/XbeEoIhhMaD5k9vC+LcHDkQR07jwrmWUV/GKj52mIFkl+sb3lQBob7KytkEaLyJu7+K0LGh+aY6GMzM3RfNDtHHvmS9s/+4AofGPdtgtTas7shTURfOEdny4a3ioKRpBRa1s1TSAj1WNUT+JTE3qjFay0PRAPjGj1j+OAYhTv82BhA2H/j03a1wnDYWtArG04BGfHeIZfsaILQMeGoFUTZWYvkrlP8ewaZs/tuopr11ctE20ZERJdMu1rL+HzxC9pRtEu+qV8Uij/3R52UxE8AxfJDzdO6TqH6a40k6/sI810HxwEsa6U1eFwMMlENZw+2Onf0Wnv10me7DHpmrmDJ42naJHnU6nvcWqrM3s03YyzWR39b77w+zlzS5x7sU7Wu6FxwZfG1uKxr1ev1JbZmuKgxO6rKrgS+cj5ckhFCpJrCIbkJ0WOmq7x2EhDtxjNILPX2h4+YriL/v0bWGz0Jf7C9n+wrX3FA7cdkqiu98rreUtglT6OxQWkQc+e22FehTB36/E0H7bvTv0ee89gG+YFTrmbp5gK2IXdqSz/wHoDYOaHiUAAA==",
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
            packed: "H4sIAAAAAAACA6U723Ijt5Xv+gpMTWrYbdPNsVObB8q0PDUee5Ly2JuRUrNVihKBbJBsq9nNNJqiGZlV+7QfsB+xH5Yv2XMDGmi2NE6impJI4ODccG44wEwm6vvi3qi/7UxTGKvqpfq2MXZtWrWsGzVv6r01jc3OJhP4p/Cn2GzrplUPqsSFR7Vs6o0aTfBb9pMdnTu4RV3ZVrXa3lk1I+BkNLn/fEIjF8uibE0zy+vKzGZLXVrzom5yGPls2xR1U7SHF2WxKdrZFy9HqcdJazOd52/uTdV+X9jWVKZJRou1rlZmNFbJg8pNq4tSHVM1+0rZdb1PeFXRmo0dy3QGy01j8rTD/Y///r+YzKKsrUkIACc+rHWrCksoK/xgftaLtjyoPU60a6Os0c1irfb1rsyVruzeNGP4myvb6gMsrDP1qiwB+5wUrSsFgq6KClDqxiAN0AbqrTKLtqirKWAFOqAqg/RASTXTQfAc6DR3poERIL+uy9yqolXJfg1yIRj8BjBV1QKP+HkJaMFoYBQYUWsNiAOayFjRAn/7Ks3Upbk3jS69eYC+t6qtVwbxj3nrmecN7BXMIBGtSg3KxYmpuuWtuUUBWmAStGUqEKVEQoBlQ0ySKjP1fQ0W0/FiaW6jc5BkpYuKlIkUwEJ3G3MOsoGCqhXi3hTWmpy0HYzyXrX7YmFA9yRwK9u4LvIcOEEr17C62rVABW0VRpCGw7KrWrCmgrfeIO/IinOIH3abOSgUhbklA7slnts1mA4O/kHf68tFU2zbqZqbQw3sffGX//gtSn5QaF8qBwtoLdvJy+zzl0gH/oLua1XklhSKGFF3eqvB8+YHXF7AzpufW1wIcCxWR432Fba+ADNfwV6gmGhCsIMN6aZy/HqlIrakyFNaGth0AyYAfyogRbwSLvqUqcmSg0WWZ2AzuBDXtIetgZBx5iPFe5PvFoDFBYts0vAIBwwP9+7Hy6u//vFPb97//s3lGIzPWrTIbpXlEV51NvnkE3UF5CraA9Q2cb3VK7BUVKdzEAPWRgZfo9lOvQO2+1qBcJZMLa9xy9XGgDTqk8kZh693by4vX3335hIi2OfnRPFtvYeNAxVqZ0JoVasagydYKCh2U5RlYQ0gyG2A6u3vv/nmzQ+A6Hcv4adDttHVQRmMZ2zvd2bLOmYj2q9rCJ4Y6Nit2FLWbiG4VwO+IzaIUobcoz6/ff/qHQnwBVINJq7e/NcVyqW+/FJ9/jtR6AfdLtaoP/L5g3gpKXVEUUFi1rm63TUluzXMQ0gGS+Cw5uJgTXuC4QFkg4BOjJmfaa+Xu4rDDeUFwDSG7W/rOwMqbNdN3balGatKbzDDzNQDRPOHM5dTHLGZqsxe/en994ygrBcacWbrxiwhbEOqWqpEgDMJtc9msw6Qx1KiuCdkV2C6b5qmhpyiOcGxGgobauLPkSpGRKsx7a6pguiVIPdptkeFei62ul2TVJ86KTLW1oD8kMLOz468LW9h04Hmjp2y0XtnMaTwIHzv15gtbL0x8zo/iOXYMS0rNSgPrAAySmPbc0lR4uwGCWAUCbeJ9b1sgGNUN4k0FqSmoQx7IjDPXtXf0qrEA7PFfwc6ResiWeE3pQJ0SHId5JK9FjS8MZu6OUCU3xHInaEER7GAEwf4AXGN+QrimtEbe8r8nYGU5VknssN8byH5QPmA8FNh7yhMY5QRhl1cpBiy1veUV9AmJA9rZucWzONWrUhYYNon5QOtgUhTGXZklxbZcYpV9Rls8pAUEBS8FJicB2VAsARnhW+IfFYyLocpYghjC6mzdXL9eluoYWdREf+kMdCivi28ZmhMVPtORZE1a1QmWMk8rANOuWqMLHJ8PbnFHhr2udmxn0lgDIsPDi/v9BZrwDMfsXpYAWwkWXDEQQqjzrMAUQZGwQykIX5w/FZ0iHRed2h78YnjYDocZWy2EjQSLCZkrRKvYSPVZ/AjsR33Nqj0qbpEyLHEaq22Tb0Cvx1TJqLQBUVVDUky0jkEEhswTFI/d4hDtSkspDg9/+N//peOGn/EeIrwixpKK4B+iXI9x62hDxRsXGXvsF2CjCT/czLXR6ZhHsSE3+oT9TWUSnqjHrjeOaq5tiYoaDCAk3KHoa9RoTcu5Ef19rnaF5CZdy1ltp69UjYUpXKOIPwTl7qa3aKF3ILMyK6S7thmyJpevFCrsp7r8grwZJdE+QMRTgl19py4cTuOa01JouEcECTkMkOWGKDL6wXUzVWbih0xVAmHPShlQHD+zp5Q1vUdehN5EjMJUyUkq6tiY0D+hNcIKSbmCGRcGqWCF/CAsbt1jJIYFocs7Ks9BKSpooMg+ONYqiWPvJOxv8R7MIId+Y9n4/SkeF/YYl6UUI74MyNKGijsRAacTwTgFCFuNUDS4fNEMFDXfcfjkzjwqMIH2C2WpDCVyxn2gdjyo2lXvzSmrHWOfsYKOKILhAYiG8c7KuWwuExgWQkX4NkGjsaZq8WgEJqq0abOdyXKhujgNPebB/xw/Ow3D64yPt567TOBjHDVFSR/i3lxRody3WoRhy0VYrDB0g8nZDlPoOZwjSynJSFinH/Hcx6mk907QCT5ejcXsd/u5qGDuB4FTgNQ9lNdVElEOubWzXyUY0TmFgH6sTphlSzEL3kIcHViMSRXkMM1sjrGkkqwnQk6irGffhoKy/Usa8PH4wTBx7J6rIhWYM0utme5gWABtkVwsRYcCGU1wUO0Qihxi3prqmlMjeRyddfFBRV9nZjTTmCZ80YnGZFIeeU+VoOKrpjjONNgrAgLlD7Pew3lNuPrBR3hII6UgyREfT0qT9EZwmKLvxv1lXoZR71I7l65FYkdZ9AhsSOBBhcNCUIMuAIUDQx2yVEWjGhz/wn1O5yOkwRqprq8N3F+IRO1bb11JhxLlHT1u1uiCDzxukRihFhg3fhxUNvI75TOcl6ZnTBUQlOhTFWx7TXDfFtGOlPUaLDSmyl9ieIbXgCfcS3g48kD1CXg3CDs9c2Yz1ljf/aIHJuaGDMGz5albrHASq6dD0nIsDcDTrvyHpleZFj4uwBjU/Sm6xuRHHsOCVOjwyWVPwY3kb4mQY4kTtNwhZPX1ZV9q009hCzukLG8eDDfVblZFhXmuEdQX2dZNmSRNwH+bt+Pcnw+gxLvlUQ+1/+T4jZTlItt0KlM9mGn91zdcsv4tmuM5cVyiTKN1a1tdWtukUBCH8dYQs9LOJ6CALbeNQtDYIdqAZjRgg7cV4zbyAqwur7pYtfYukmzM2rkUK3tAzVAt3Q6I66vdAOby+V3V4VSncwbTh8hvnJlXSP0OdsfN+Q4DUh7LsGoRnpDw/8aKwD1MHJ4q9VI/aJG2BOhD/4Q5WaWoCOTj45s4qQMPBsFUIjaaSfYbBxmTfVHnxf2NTZJc5ig0tAx94GPtGXcL6Y+cNAt7vXiqEn7DbCVwXkzSW/FGSE2NYdXbZ+2O/fzbuD+7NcFdveja4A9mAS1VazGJiwdVGlDOSKQ75PFAaDQ0yek0DhM3mehd2boxOzlad5WFy3sDgrFJMrMgYJmKjYTB+LLhs5s3BTQQL7YhnxeI5q4K96mKGLiYJHbBAsaifmugOJ+L0xiVSOQ2IB+AhanO+i2bnX5ODRNB9ANnNdhr/MnVjiQbtWqqXfbJ1ji+T78FXbOP7IGYbp1erVqzApoP0Grgxla9zTNGC7QeLUod/lTSnEQvMbfCTymQplnaLeWeMPwAS6Yf5RSDC01r9y9xfUa2dpjtu0yOq2cxnZ9jNYEQQUjXjCVF3aLaYGCa4KhkT+NCGk+SuPa4D0XGpLi48Dg7kL2DZgxhwBusZmcWwQcV3wM0th1TyT0R5n/2mxr7A9b87cbdGBeZ7dwhk1G2Sg6yRT2itpoJ+d2xgRBFqp8JpbfuBJLtxcBOi4JwkM9rorTM3Yp/CixF/bQpX9OnROIXIZ0MTerHYRsnLew86IS0s7IV2ZiJ3yplgifqfpq5oZAB/FJ/4nCEgX9CWxjQBGDvQ2wAciv3TcpTiKTeURMriwwFzhDOR9CIzlxNvPJ8hQfF6ecJC8yucuGLQnooDrd+j6dZ2IBSRr3eOLKOFh2VAuqQBOD5NNIftafzARL/KegSKPmFSRYVK2VVlVjNvW9iXsd0jTuWi5+K8PNwcbe9Qjz4misRqQ3/CDa9db5EfonjZYB4mFzZ3jHYzVOJlBJBk7NRaP118XSMvS3RnRAmB/wLpaq6Gl4q4o3svYO/AkFqSuTRYfH09i20c1dHNqoBqC+jM/W4suT68nFzWSsfptyV2M0GaXHC35T8TICb3XT2g9Fu+b3GX/FGKBGIzVVoxdcl82w41SOglbP4CnJHStU0b9QKFwTH997dCcid5KiOxGawjcSFBF755QwIMrNV9Se71nDNe80Npeoi9tHFDRcyR3ZwtQvv6hgDK0vdIgf5+gOGdTjxaqSjknQvqI2JbEWdPY5xHSZpOvks/NRX7OzOp+/t9vykHRCpCEfAZHg4Ysn9HoHUXfjEpebd+9ipv0MDnp+TUCA4Riwdtb9liCLZy+hfa/LHdYuN9kGj6EbQEL0g5ZBnEsRAmJScCrjewp/2QeHGrqFIKfiqwhsHuoSraK7whh8PyOnbzp3yxMBOM/hQjQJfupCZ0y6OYcshknYnY67Q9bb3ZyPUtgg5MsGpNS/gXAU6NDe3UnIXQfwxzdZBdX8ZMcVX1qCxQfnCjo1sDqphg8u+i0fBM/5nQHWWNxsWMjNoLslcSwM3C50HUW6+JjR/cd557DxWxgKUt57IVrdYsC5PXcvgfB9j6FxaVzA2elrtgqrHq70XA59FGhwaa93Qf3VB2p5juPO/Tjud9Ehbyxnc/juPdwlCTn7w75Q4wo+xD0rGPCBabD/Gty3yFCG3ch++0GuU2DmtH0br6acNLyci9hwPUMPYMHIfoJEzzPRBPVwQtgUSjZ5DINf/RwE9AHsovI+Ad+rBEIOZKZ6iwZyrVDuWj3OJVI3hcGpLX2hcTzhKNj1x7h6DBxqz2esGj8WtYvINXptKMvalDTKEEFDMMYW6CAYfUwS3wdJ/0kV+YXJwI7Rq4VBo8KZCGxw9bZ9TK1UwKBH4jWmf4jRvfqjBxD4aAFKi6rEZzaYqSlDY97D62AIQwN75IlSEIRdCvp0fjyNRi8uOlXj8vi2r9swdzkQLY2vAU43hu7eOrnDWtE/GKN2YuBmd+aAWW3AgaWBGvWQOQ5JL7wLRf++r8hdlo8+fGMS3pQ8fgO0LKg2SiD9UTLGspJVhlUNf8LjGw47FDQjX7o7Ycf6rMd5BhaVJ54AEuQvgtZlVnz2gPEoFa3Alv1riOjC48vodWB4wS3ouq3uGOfMTd+SLh2OT1+addUVBYepb3H7bjrUSLkMjrtSDPwrn7qDZE+8IcXho+ck3BvyDCcBJOjx8HVFh2O7s+vELwhsP7RjrA3ZZJyRBZeIZFI422tn8BszqKq4+9/W3UMnKhS4OOFiywUJPrngs0rI1vgQbXsAAHpoWhYLI2+hKZpBGHHVS6BL0XzgMagU7y1IPeUuRGXikI8DgwE9jPusrgcFfi63K2hMU15B7SuIE9WqXY+pzpqqP1z++EO21Q34PX3kFyHF8pAES0i25OW4e0cJpa2n35XzwgNTUF+F7zHTmE27LpaSCNj5T0NP5OXuFrdfI0RhKpyMb255npB0hQQFzIQGxUgC6K5yrGi7JZLQ82mpyTN+YFRXJT1Qpo2cm2XNxTAanJEHewS18LdhlNLkZi8UUhbPwsB/3r/JVBLUOt3LMggi8umZC3zp0PVsV8j/+tCNZJzauuDK5LrADrLGFVCAHDNwz8r7Cc8fskH3ZFOHrYEl4cuN7+htzyW4HUs58gl/hPJbU0JeB3IatP340vBtbfxUov9Slm4rAGkG29c9uMPKvsErtGv8e+OerfzKFxaPvuoQ1X3kOcnJS4vgSO5rHf82c9Foi0/aLP6HDOnZnPv/5sJwd/gcke5bbZ11LAz8rxP0UX/2PmFk8PnPEV/p/T8vzm3fdjMAAA==",
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
            packed: "H4sIAAAAAAACA6Va247byBF9n69oa40VaWs59qvGyiQI8uAFshPERvZBECCO2JLooUgtuzWyotVrPmA/cb8kdekrSQ2cDWDYUl/q0l116lTLt7fi522uRVNLUZXPUvxykO1JqG1zVFOht1K0sjisZCuaNX3dt41uVk2ViY9aPEm5VzQsv+YrLbT8qnGhzFdb0TbHicjr4ub2Vqj8pMQRFeVCabkX67bZkdJVs9uVsLOBmSrXqAhGt7kSq21eb2SR3dyUu33TanEWspI7WWs1EWXxsMa/P4PGidjJ3aNslbiw3HF2+0U1dfZFje9ubm7fvBGfwUQ0TqF1eS2axy9ypcfK7Xw8iTrfyUy8ub2RX0ndqqmVNgs+096ZSFBIKmZ/ErU8ir/n+8QI4IlsByPJmUSB72CZrAtxoQ1zHsR1marKlUzMfLpI0ytm5m2bn8BK63ffPDPTt89uiQ2LTRqwxVryF7w+a0WtjrKdihJU+Humu+U7/TF/zj+t2nIPx5U/SbK+1GTsqsqVEv8EWecbIb57zquDBBWCzW8PK920CYsrC3CAb5SNTmmPgPgqVUahNSPNd37U7MGRC0rdSC1IR2I3l2uRvKK1rNyOGwE8CEJ+/PTwU7bPWyUTpy+9M0tRiD7tJeWA20XaZzMxrg8YA2Px/ffi1U/0OSvVp3wtP9ZabmSbxJvAsa4U6w0rvNDfrdSHtg6XspsXe0ObtjnsBWRKcP6YOCUcJuZkWZibUHiZkH+l3jYHTMGqURxL60O90mVTs6x/0clxCJ3tHfHeWZgIJqbgsJNxqeVOjemkjMG0/h6yNcuy8FRxD9wyrp9GcZvgDhOi8NGlF0QNfc/MxV3EVHQF3uFx2IzgWDN4RfFmbLfJmt4JACM48N//8xuKxyXkuaIJSj0cyzebVm4AjXj8LEr1UJvkVXQ935X1qjoUsqAFIJvwEUKERJvvsSLyom8NZdARri1XT7IQ66YVCoRLukLwCHL8GU4KJOCt/2wwtM73gNGIAjuQCeh53DbKrIfj4UA4SQJWXEO3DUbUJn+cLBsoGr+QJkXwVYCEQjxKWXfNWWrI8b8SOC+n1sezaKpiAiGQA/CKi1Wnm8NqK4vIaRzfNc9u9BOEEY9yLcAjekffj9sT/UtlhjUqa/zHAk+MbwSiCiC9LWR7B6DUgKUtQ6fI11hRqBxxOTFlbGcMRM9nYr5AqbrReQXfDnUh12UtC39OkkTiCSjZPsPHqlR4To3YNS0eDaIkn7spkxQKCVzUCcrdjr9i/olnLK+7vD4Jjnq2A5CwXkG84Zms80pRqsNShbk5Ez+8J8xEY/4MWvKdOD82TSXz+iLCw4EoYFPDOwK9VQU3KVZ5VYEGUhjCbyTB6AcAMMjTmY3uwoMupTWCbgxbuNpixEQkXHUY6hQnPMChG6R0JViBUZP16R3lG+rgTL2mhGdjLSa570mVh7hQqE91VzIGhPtVToEtIxFI8h6/+p7qiHHV1eYuiLk6E2kOpRD+AKiimvm7BQAhfjLVIuW6YC7C4NJL3tg1ncOyw1jHHoggZUin/lbrtoTjmQOexwsX5JexPZljkE/IsAUzHh64IorW8cHMy4L2mW3mGwcAkCP4k7oKb2kSExE8SZtySFgoxdBIJAU+kzEvIE9rpJYwh+y2tpmHdAODsBNULhQ/gcn1BpekfJscO8N2AA64UwQoLfXJAo0ZZXZD5zKg1K66J824LL3/A0ZAunPgTxyJNGb4NCJDegbwHAbAcv76HI5dFsuXdOIFrMvNoZVQ3B3BngAqOxP4cvAKsMYRJpPowDQf8ta8mxfSAs1MuoMuVXoTlImcPN657jy46WON04V5OxLba5xSZVBtaV1M7VSm4O78/sRmep/acayRiDjUmU+DR1Sb+QyxRha5zm0BvLP9FYM/MQob5qD4BKUcOjvbT/Fx5/t9dUp8TxL6hqPiFTJbyzOI2/rhQlY6H6fWD1exLBqScQOUMfKexM1iLfba7EiCklIxNcOkl8eiUyImE/SMXcqClW8CZENDbBJOENtZoQHUxODJAoV4lPqIhKfE0q6ZBlmYcPXURSW7amjFDLtTYPvQLU+BT0ysJfylkmvNn4j4mBXMdqxv5usEru9kx+CjuPChYc4krJIAskO4FsL1JoZzpZ0KVYPbM99LIZaE7Q1NzwL24/fzAlBHlx8sYB8z9C7bH9QWGszS2TRBA01xojIFnB8YqhV1VZcRag6T5Qa2dsSgRTX2DD0BNtwDwzoGBb0WHxFAB1omBkgJJjiOQhpEp2zZyn3WOx+TEGyNJby+iNLIIluXFTiakOo06GyvUWc7PcigRRxLlkiLIJx6BppsZDs99JH6xF/nAPaFVNBiQYgCTzXiz2z4wO6cNFqW8urMxPPMBvb9fTTBuygCYqmKpJq0mMZh7rMkgPYOwrBz0I79A0g8dBbAFp4k9NO5KguJqAEu1ZJ7ZW3wFbpo7TBDHxvbW4hNQ5jNj1ERGmf+DPmhgNRzJ43tA2AqePzOlZGaXz2oG+a+1l60SWrzKuIW+2N9VROq9yEax6HwFYUHUt7hTcGuBkwhcIYuQQ5CfWRhJ6jCeAvYrtcAU+zreFTWpS7zajROe0gHzaWFNWgY0vDO6badmmtbydeBrVG2uEcCPBfPqyNGZKfNa0GwIOAjdlHwfBAsdMTQLnNPCDed5yh1Jem5W7U+BRO2daUp+hJOBr0lL7ADwSLfa/bi8nncpS3tIQAKF0gBQPjNTlcnnHqWWaHRJbr35PC1yAs3b08URvPFOE37TZlNnuaYRC96rgml8oDdRlBjAtxHXOFZ6knS8IHOeYrFwfafLnVd4HjIN0NgLtZ/GL7ilxO1CHPd0GuQ6FcGfWmQyGZl9ziYGc+sIKTCdCXncex4FNHx29c08KbX5QaOWRI+N7qQdEfOWhMXlt9c+pnSIXoh+4somG6GwlY3Lm7p+bYRH2ZRrF+nr6201TVksF40z5vAO1/GESTvq3xFe69cLs0HQUstcLg2NZcR9Ma5dq3xw5pLmvE319AeZ6ppdZLkE/FIy/L5+4X4QTzCP+kwe+SCSKTRONsH1wC3DQUYFEZC2Onu23oHbc1F9F+VHKkKqVYaEp0MUcYJ8ulnjM9U+W8pfv3V2AGMtN7obRqipolZaESRFdqNE2v5lfph5T/Jk0qcSWQmRKPU0hv17bC1P+j/A7TMqf4xyAqvzr5CKLrB4Ugv2ma/J/C2oe7N7R1W5C4W3fSlZw13fhzR6TfAwDcVSUd+3w6Agpljf96ngwVQN9ernX38oMdmfuL3v6toeoI3IXPHv5ZidDGd5BeSGuo0dPP4MqNWsi7KemPfyq/GZgR2qMizfnpIi2KU4NekgQUQBo8Sf2mMYU5p/9OTsq2I7X5egSqXjOG+8NFcQG/raOi7YbAB9BrCiOO2rCT2Wsrkq/gAS+mhAcV9IPtcKvtaDaNzXPH27cIDi53tYITR8b8KNFdvSBZXnygajRP9dKJHv1K+lFPu9XUoqTpU8f6+F+RRC2YX0j1RYnVzjuCAbXOCnKTuTSHa9Cy3LvVFu2x27VcEWy+QJeKojitZ+jpQw3lZL//ogck8O/rHMWrM+BfovBZyt9cn998X5C8H0AEsgDT6J0fXB8ZpZl6w5svR82hqHgsNRFwmIyKeo6l9RRz8McN2n+llsVwEPCRggikzOYrC5YjHnDb/THtZpt39nnvFMvy4kxO/qQ7IstfZLUR4szF/jd/9+w/+y9dnIg2KXqvL9Ymj4zI9v/bPMy++/fclwAlewBUsaJrtvzgfROS7tW6E6sh4v/IS+8wB13nNCmXRAneE9K1/cq59CfeOR254NOVmJ8KUJRiHqyGKsOEfTd9NRthuj6ZEQy9L+yP/fwH4o7xBmiMAAA==",
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
            packed: "H4sIAAAAAAACA6Vb3XbcNpK+11NARzlD0m5TisfZPdsajY420ex4jmMnlubkQtM7YnejuxmxyTbBdltR+nYeYB5xnmTqDyBAUnK8mwtHAoGqQqF+vipAx8fqQhltTF6VqlqoIv+o1YetrnNtVHx7/PHr47/j2G0yVtuNaiqVqdW2nNd67qbBsqy8V+V2PdU1/tZkUxj9iL+U+uD4WOmPumyUaWqdrVMYwLGfVlmjmpUG7jVMjYwTw6yqbTFXqwr+WVRFUe2MWtTVmmYj7bG6PTK6aQp9q2bVepPVIAV93IF85VytszttkAkO1hoENcgLGBbZ7M6k6hIFMgoWqhUsgM0A391Kl7C9W3Nfzm6Vye4Nr8mKwu0VV+hP2QxGG7s7EGGdNyNlKpmPQqpSowKMhkWrrFigXmB+enCQrzdV3agH9V7PtzNdj9Rao+au9ScQac9bjdLjmj+nP5vo9OBAf6JVs6qErXz/7ur67z/+9fL968srdaa+Pjk5PTh+9kz9udqpoiqXIAIKfA8qx13QxnIgXmSoBxBulcEvuoFBtaxGKi/VOi+K3GigPwf9PDs+YE5vXr/9n8v3wOPlCTKRwcsL4P/TxetrZu4+kFwy/vuTEyvWhRy9MnmBhrCoalQWSZqDIJVpxmqls7qZ6gzEBIWClrPZSn39jfKlIfpXr99cvv32Eli8YhbCg3eMxmgtaQw7z2iTYFI7MyLb2K0qtcua2QoOJm+YOOjFqB9p/cOBUqJ54FDqnT2mODmFT7yyNvLtSjcwrsAIHlCvI+sEe5gKum80zItA9lLPmrxcRkhiU1fTQq/hC/iRXuSlnuOwqbb1THdHa93U9xdNdxh3/D1sMltqMVK09BIsSM22Ddk0eOCWt4dS58geqNxMQF+KzajezpqqjkVZI7WtC1BRkWcmITUoIJqb1LrlmVXrafsNlqBodeGNEQUYpf/j+B45LtHazMUOPDMG8rixbV2qmzRNaZVV7CQ1cPpxTPpU+0Sd/RF/SmUtKHt/sLdHXuvF1mQFa2Cd3asNHKR3pG/gBGrw10ajPi7rGgzvobN9OQ5wXzZ+u3ez3cChRwWSiBJvf+35yU/eN1Q0fIjfkhnEjuSvv6qTRD0TZ1G8B+vSJOqVaBmZ22DDNvZ9thEbQ23/6x//ZEuFeUfTzGgkd0QBlpR9tMmaFf2QzSFKG2PN5QKPw7eWXtyFoCD2crTSEHt9E8fBdVbfmd7orNqWuGfa1xE7OvNvLOtr4EahZ7atTcUpggRgvlMNAUGTAilEigw8zFQhIuv5BRE8Eh23QYhGyVF4MgaZGS/cVfUdzP0BQioEtxT0URUftUgO+72k2H+mFlmBmuyYBqp3BDnvToN3NKu6wpQz4mwW+gidBNCxByLDtBSG6f/+uNDCT/Kj91VOEz62x0o+BCbwGsatebyA/w5sTIrJe70YZOXDMM+h8YzJy/IUPBIXiWnnCxUf8jwwVvohlQh2BjFskYFW55ElqhxJNAayxxiJSxC5/fDVA2+FrOP58/2tsFGhDIZlGDE5mbM/cAxcWEjBmuNOjJXpnBrWNhpCjLuJSPJoBHGGfhr7GxpZv7WjbQSgEOwm028jG4LtsI3I+8mk1Zz9xBkb3IoM+49n6PVWsnRbmlW+aGIQr8w2kJKaaKTClfbDZKRgFlh9NBKbgLA+sVEIwuEGciboY4rqGcOOWScjx2wycfqRII5GFsuQBF/i7ayr0Bm4Bo0NGhJm7ZiVDV6KThweUUKaQAfGyI1Wg///3e/Ip+XMcNRS7RzwXIOlalyfdPXq5pj8F51Y6Qf2Bb9d52sNiS+OKXNYa32EFpp6zyd4HnqGOgRx2TKF6aARi+TtumBWKOF+JJAqab0agVtmvJisGg2QM6NUTuEaAmNZNUGgXEOWLAF0Tu8d2HNTwSUBqOc2+2PcJk8PIpYuYdVWxxmameqr65CnYTrp7p6NwOb523XP2QMFcN4gB2ZwYb9mFMllKYDsOPrh4vrbPzuTR9bowqLnMfx4QxQmY0qFe2fi+1Cb3zLgQqXtANuaRmdzKm4wl4tSai2wLLZq8TZNPh7uegbuUVvj8mf5gZtGulhtwA5sNL/2sqBLimQBNrYT0MNqJsiYiGMRzwus3tmUToXXLivtyVueiE6DQ+fj5jE7iaCVsLxq9Abrls0G8hd6e7ZAJIU8KvinPgVbXOXlnL6R3WGCQEBtbfUOdF+2kg1gDCsLHM8mNE3J2u0vkDB1yRPTGWW7eJFtiyYwWp4OHgJOLGgqDl3xCCoNLSt7hsN+cNSqzBkFr7VoITSL1mhcSuvFKACfcZCrWnzn4K9d/TEroFiNE8ktVCdr8HmsQel0TaH1hlXKhw/6nuG+5lze+MqGT3d6w/UWji/y2tbBiKVNGmZ+kp7At8Q8UC4HNQu+w30B2Ks2sRetH3ce2jYaJqEty2yRF2BVj7LD3OEDkUMfiAS5P4f9UnnDLBzhBwlSXEaIcyO2TeE0JRoFlDIByS3IFYprAOEdcgPLDbYi/GMlZhMnjxRXKItw6gvipVlX0YrCOMMSkzQvZ8V2DqbCGhIScjDzGg7Gh1S4TrSUAjpeNitMfUyJf0/CcAwV5FLbJSOe2Tvprkv0zL2dirEcz/PQWg7arhW3yMG1yzgM4hdzKNnQomu9rj5qB3upW5HR+Vg735GLNPQvhR9XRIhTy3YgBaGbMMG5dXHWdW7eAsUz5aU954I/ir+S52ArQaGbwESwuWWlfAkeK2rAMsXdxFJWGB7PhC0oRsoIXnWuSFTPjm1Lgk1vGGiOqbr3eICNoDUSL3vs5yGncTdXdVwVLTlmQuci9JiFSwKfGHFGJulu2pFJMpIADHR4r+cgJdCQQ2AirV/YteW2gMXBdrLS7Kgp08MNlnD0w7ur6wiIDwAJdQ7fXTszCnDFu+nPAARSbLxdlg2OidsnI1Hi3jNoliOt7pIAL5EQ7ZCV+kH5/RXALFZ+IfOz8dOU8iUGaOUEPv7qQei06MpOlkLfb8R4hSmfcw+T2DIrCDj+yWHcES2oNpbd4CZAk8CTFM3YN5p0oJ3EA2s4AQDq29zeO+W2u8Jqkt/fLUTvYbhu/oTJHCeLv0DsGQrTVHgIqfRD4iVX7NeWhGks9MLeaFagz4LrUocJPIH8GzW1rKr5aQuEXC6nOJAGAeWyMJoDw5mTFDzdijGr5lJcA/8XAC/nuo48VOETgGXW7jAXbg26/DcnJxjFw3Ek+Orlf1EqqCFSYZykNljb6JIFK+LINU9ESfsFobwo8VsCnuCHLljFAzxPXqEwh3wQklOSLwFnPprYKw17d6gazyC2kkAAkR8nNhahN0OAcTuc6wZgwtipmn+HKntTZDMdH/8vZ9YofXYejdXxSEVR8ni97MNDijcY+ytgygXKtJrfh7lENAvH/qAiKEYguTUvru83GphFgKmLHEAsaOAYnT9S+06ypG5RYqmkF1vgVue/0BIMCv8NlQhYnlRdNNsGBfG7hUaMjEf/1/dvYhaz7VMlqC67B+HC2xjTv3jCf7l69xaOt4YUly/uY95jp8wi5yE8arCBBvCfi4IxlgFTvYTKC2wNhJD7BwGdAv89jCLKC1ohQ833tinkt7PD+t7rWVGgt8ELS2rb3HBdIb817+/OmpyDHGJIA62QPkZ7ip+gV0fQ6y65mBgI0vGYsOdoQ7ukgQZznP/JL00lo7ipw0Uqg2OqdeOgsuUa3vvgrABrWKtGrjnwPkeBhiR2go8uM8RsVEJmYA05dlHNpsay3F6aYc2IRQ7d/dDd2sx1gtuybYRdKkPt5lAXw6WI6/DaPs9TxQl1lb8HNQEm+SQEaPSZik/Sb9Rz/lgDJq3WcBTH6iV4Eol1zo1/UP+JSBgoL6CdlyHtl6P22ixIbu3Vz3dgPCnU08D0OQn6eKUwWEwmA32wgZLqSct1/RL0Fa+FKvvv2nPbmhlojzzapnuyi/JYPw0V4nkMW4KNx/2ujVwPBAfE5ch5mk2ruokHPnWlIVZU6ARW6N0oNPVWf0HnyLdf1xgiOMIRgFor03vs+uhi4eoN8LZ5pbnjUtONad6kA6VXErTZvrt8c3l9GcBj11fh8why4XDa9q8qsObT87C39brtT9lmluRQW+4FOdPpuaN2TAIXeCyYR+uqKNpkwAv5CtLmugARB0kvwI3mjg7pob11HquvvxG0P3ZRsr31GXcubvY9FywzCFwY5pA2V+r04w1+mCQoJ9huVs9WP2R1tua7D/w2Uv68U3dpQ54lupaL6XYH1QajrbF7wBSO/dGL2UxvYC9Roz81x3Q4L1iVEbrKDCwEnbmsYBQSRIQ7XpYZQCV5nMG/2u09UnoxvKB7G5HDQTmvQPLA4cuTE78y8gs4TAJ2BaKMdJNv9DWoebtkBIPPIr7TCJbrK5IR4hli1ve06xhLNG4muLqGsWPLbmFrhIAt5aawqLDRaq/IGVSs8ca4lRys+o3kNvTXDeY2r+ug1lTxV9T7xKxWSku+oZqCfCT1giI1c8TOz0LDT4Yblj4S7ewgcKbfWET1D+tzVYUFmP+PquKJkNKX51AqC0Ck/Q8vT14lYYnweDu1hXABUO4HdaddMMua9uIMzAd/6KC1JiQSRafqtDWSz6YcF/J5dCgfijNKOhoF716S0DUfFO0Rah6sWNv2Asue0j4C76R52PxjyzvsWV5410ObfH7GXELWYNDADiekeLv/GnT5CUws+lv5tzIKeOLMPyBkg4UAIFpCXvycFtXsDiEMETRQI+kY0BQsTVIDJVNjCfuR5De4UIMvTigSgmzEJEm6LRA5SY8zSvwcAF4LYhhdELUHxXF7njXZSOWI2L3rAhwlaZxxBRHkws85+EbsnhuJEELcwzK82+G3Evj8oEr9NpNrx6Chwq8jKII6fZd+VwXTAWZJzFFUGwHOL6oI7aAdo/vmcGh6ryMouNvaZOw/VqOtJuzqH6LeFQe9OEDGrr1Jo3AMVF1ushpcFickQ5BiAUkSVX1HFSUr/INcwp/TwyOA29gmxBMY4ym435HmWE4HtezhZ7+R19VGEsL18IFJdwkpq3MUKIG3NdYOoojH49KgOKh1Sxp+jrs0e082+ndSnqD2rUF4snNdNFnUudDB3sS9xf6tjQcnC6EfYUdXpkHW9ILiscJCHlsQveFjocQXhdULTsc+X1b4bcnwDj7sRQ4xd+ULkhvZIqeljS1OKYtU8HgkqGs4JFijDl7OfUFt1tZkbatSaHXfaTyRt8hQ8J4gM9hrduXaSOruIETxLFYyFLsvsqWOur06vyJRT7y52B+4wGbvPgj10BNTREsYzOp8uaKrYUbeqB3sDI3UVM+yrZE7ZIGZht+sute6QVP1oqRrmptImL0gWAVANpLuHv1MTbEX+tMmr3kgA2BsTDRp781YB57dCW1sYjrtJZ+DK4eyCtuj3qpuQftZdPKgEOGO3fnZDuat9ybAgUjv+nesvnrgNfvbwZqbEKQzF7EGr1wecHkKyZ3LsT/R1fGZGn7o9Ad+/Wf1yJNBJY+FG3rNiPcLAo93mbEXZjm1FDdNvyOYsqiejAM9wXSzNav4pp00aYvqtxVnWnBkfA461Safa5XJtbiNkw6zz+gV+jw32bLWWu3yZpUObfKpt1/2/LEnBAZAUycuY7uHsfi6y38V+0Bpq61C7fvHsZdv8Heo02zXw4IB14b0+xLU78uDRp8j4beXwrcsLLTrgd4MvEjz89eh3yn0X0H42WOJ6PNs6MatvTMnCpOnbwafbk6qJ5672JvoL3h3RELvk+6TLXljzVaMzkm9S37cvtbtfTVUhNSawedw0tmkFjn9bQCS5j8goKfrRWGbnlb/8n84WkxPoV9O5R1796EwcsKHwvT9/9or7L2rtJJ03h4kkCxDH0S4jujdv5K2iecREk889ficj3VvXOmWyrhY5RGkC4H2eautkg/PBnqNytpoZrAn0m+IyjWyQxJejH20p9+5LTbe41COW/2Hq1/KZ9Irbn7z+1QSAbyQ7Mw/tUM3xb4VeaKO6zzSHXonGtZvh2LF9BQG1oIJ2hFskRE1r8RR7uuSvyY25nefwHa7Ol1HuCHSRI1uu4Vu0ntgG9zI+ECS35XYDQ0ajEzptQt/g5qeeufrvXFmDpOJe/JLf1zAfYzFtuRrmV4HqP07iF63KHiZEPSF24pW/jaFkxX3ZMZhi6bFMMEwFo4j77IWW43u7zlcDyArg78ZG6sCuNJfmt1iah9zO+J2REiICu6K3yniPIqgbudh6e9tmxlgA5VJRmI4ERc9gadhhek5Ge7eO0tkSgaELNpmRduqQDMnyUAHdWN+AigRR8wEJ5EkKfcNeAfchPgPMRvqZw7SQLlaCvk8XP/qs+tpnU+CEZtP5D/Fptx500Q8tH8D5jHSKTw4AAA=",
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
