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
