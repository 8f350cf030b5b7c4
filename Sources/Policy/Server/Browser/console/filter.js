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
