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
