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
