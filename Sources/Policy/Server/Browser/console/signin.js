// Asks for a token where the server wants one.
import { element, openDialog } from './dom.js';
import { remark, say } from './show.js';

/** Asks until one is taken, which is handed to `adopt`; answers whether one was. */
export async function askForToken(hadOne, adopt) {
  const field = element('input', { type: 'password', required: true, size: 40, test: 'token' });
  const fault = element('p', { class: 'bad', role: 'alert', test: 'token-fault' });
  const taken = await openDialog({
    title: 'This server wants a token', test: 'sign-in',
    body: [say(hadOne ? 'The token of this page is not taken any more.' : 'Your token says what you may read and change.'),
      element('label', null, 'Token ', field), fault,
      remark('It is kept until this tab is closed or you sign out, and sent in the Authorization header alone.')],
    actions: [['Sign in', async () => {
      if (!await isTaken(field.value.trim(), fault)) return false;
      await adopt(field.value.trim());
      return true;
    }, 'primary'], ['Not now']],
  });
  return taken === true;
}

/** Whether the server knows this token; says in `fault` why not. */
async function isTaken(text, fault) {
  fault.textContent = '';
  const answer = /^[\x21-\x7e]+$/.test(text)
    ? await fetch('/v1', { headers: { Authorization: `Bearer ${text}`, Accept: 'application/json' } }) : { status: 401 };
  if (answer.status === 401) fault.textContent = 'The server does not know this token, or it has expired.';
  else if (answer.status === 429) await countDown(Number(answer.headers.get('Retry-After')) || 1, fault);
  else if (answer.status >= 400) fault.textContent = `The server answered ${answer.status}.`;
  return answer.status < 400;
}

async function countDown(seconds, fault) {
  for (let left = seconds; left > 0; left--) {
    fault.textContent = `Too many wrong tokens: again in ${left} s.`;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  fault.textContent = 'Try again now.';
}
