import { transitions } from '../../core/transitions.ts';

/** The files that the server's page loads, each from this server. */

const eventNames = ['handoff-created', ...Object.values(transitions).map(({ event }) => event)];

/** The style of the page. */
export const pageStyle = `:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
code, pre { font: .9em/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: .75rem; overflow-x: auto; border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
details { border-bottom: 1px solid var(--line); padding: .4rem 0; } summary { cursor: pointer; }
input, button { font: inherit; padding: .3rem .6rem; } .quiet { opacity: .75; }
:target { background: var(--soft); }
`;

/**
 * The script of the page: it begins a session with the secret in the address, which it then removes from the address and
 * the history, and shows the state of the store, again at each event. All texts are set as texts.
 */
export const pageScript = `'use strict';
const shown = document.getElementById('state');
const form = document.getElementById('enter');
const say = (text) => { document.getElementById('said').textContent = text; };

async function enter(secret) {
  const body = JSON.stringify({ secret });
  const answer = await fetch('/api/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!answer.ok) say((await answer.json()).detail + ' Run baton studio again, or give a token.');
  return answer.ok;
}

function row(cells, kind) {
  const line = document.createElement('tr');
  for (const text of cells) {
    const cell = document.createElement(kind);
    cell.textContent = text;
    line.append(cell);
  }
  return line;
}

async function show() {
  const answer = await fetch('/api/handoff.status?limit=50');
  form.hidden = answer.ok;
  if (answer.status === 401) return false;
  const found = await answer.json();
  if (!answer.ok) { say(found.detail); return true; }
  say(found.project + ', as ' + found.actor.name + ' (' + found.actor.type + ')');
  const groups = { open: found.open, 'held by you': found.held_by_you, waiting: found.waiting, drafts: found.drafts, dead: found.dead };
  const lines = Object.entries(groups).flatMap(([name, handoffs]) =>
    handoffs.map(({ id, content }) => row([name, id.slice(-8), content.title], 'td')));
  shown.replaceChildren(row(['state', 'id', 'title'], 'th'), ...(lines.length ? lines : [row(['', '', 'Nothing is open here.'], 'td')]));
  return true;
}

function follow() {
  const events = new EventSource('/api/events');
  const names = ${JSON.stringify(eventNames)};
  let due;
  for (const name of names) events.addEventListener(name, () => { clearTimeout(due); due = setTimeout(show, 50); });
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const field = form.elements.namedItem('token');
  const isIn = await enter(field.value.trim());
  field.value = '';
  if (isIn && await show()) follow();
});

(async () => {
  const secret = location.hash.startsWith('#enter=') ? location.hash.slice(7) : '';
  if (secret !== '') {
    history.replaceState(null, '', location.pathname);
    await enter(secret);
  }
  if (await show()) follow();
})();
`;
