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
