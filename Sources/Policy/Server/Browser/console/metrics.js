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
