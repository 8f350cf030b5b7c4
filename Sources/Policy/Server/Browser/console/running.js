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
