// A page whose figures are read again while it is seen: each 5 s, and at once when it comes back.
import { copyAs, copyText, element, fill, problemCard, refill } from './dom.js';
import { command } from './orders.js';
import { clock, forbidden, grow, loading, pageHead, remark } from './show.js';
import { ask } from './server.js';

/** Does `work` at once and again `period` ms after it has ended, while the tab is seen. */
export function repeat(work, period = 5000) {
  let due = null;
  let isBusy = false;
  let isClosed = false;
  async function again() {
    if (isBusy || isClosed) return;
    clearTimeout(due);
    isBusy = true;
    await work();
    isBusy = false;
    if (!isClosed && !document.hidden) due = setTimeout(again, period);
  }
  const seen = () => { if (!document.hidden) again(); };
  document.addEventListener('visibilitychange', seen);
  again();
  return { again, get isClosed() { return isClosed; }, close() {
    isClosed = true;
    clearTimeout(due);
    document.removeEventListener('visibilitychange', seen);
  } };
}

/**
 * `options`: title, url, acts (nodes of the head), notice, draw(answer, body) (fills the body), keys, copies() (orders),
 * update(place) (another view of the page). What was read last stays beside a problem.
 */
export function polledPage({ title, url, acts, notice, draw, keys, copies, update }) {
  const trouble = element('div');
  const body = element('div', { class: 'body', test: 'body' }, loading());
  let readAt = null;
  let text = null;
  const reading = repeat(async () => {
    try {
      const answer = await ask('GET', url);
      if (reading?.isClosed) return;
      readAt = Date.now();
      ({ text } = answer);
      fill(trouble);
      draw(answer, body);
    } catch (problem) {
      if (reading?.isClosed) return;
      if (!readAt) fill(body);
      refill(trouble, forbidden(problem, 'This page takes'), problemCard(problem, () => reading.again()),
        readAt && remark(`What is shown is as of ${clock(readAt)}.`));
    }
  });
  return {
    node: element('article', { class: 'detail' }, pageHead(title, grow(), acts), notice, trouble, body),
    title, again: reading.again,
    keys: { c: { label: 'copy as', act: () => copyAs(null, [['curl', command(['GET', url])], ...copies?.() ?? []]) }, y: { label: 'copy the answer', act: () => text !== null && copyText(text, 'Answer') }, ...keys },
    update(next) {
      update?.(next);
      return true;
    },
    close: reading.close,
  };
}
