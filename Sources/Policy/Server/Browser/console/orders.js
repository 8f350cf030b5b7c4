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
