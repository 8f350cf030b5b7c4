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
