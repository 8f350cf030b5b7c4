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
