import { errorCodes } from '../../core/errors.ts';
import { transitions } from '../../core/transitions.ts';
import { version } from '../../version.ts';
import { problemKinds, refusalKinds } from './problem.ts';
import { type JsonSchema, type PublishedOperation, propertiesOf } from './published-operations.ts';

/** What a page is rendered from. */
export interface PageFacts {
  /** Whether it replaces the studio, because none was built. */
  isInPlaceOfStudio: boolean;
}

/** The reference of the API, and the state of the store. It contains nobody's data before a login. */
export function renderPage(operations: Iterable<PublishedOperation>, { isInPlaceOfStudio }: PageFacts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Baton</title>
<link rel="stylesheet" href="/page.css">
<script src="/page.js" defer></script>
</head>
<body>
<h1>Baton ${toHtml(version)}</h1>
${isInPlaceOfStudio ? notBuilt : '<p><a href="/">To the studio</a></p>'}
<p id="said" class="quiet" role="status"></p>
<form id="enter" hidden><label>Token <input name="token" type="password" autocomplete="off" required></label> <button>Enter</button></form>
<table id="state"></table>
<h2>API</h2>
<p>Each operation is <code>POST /api/NAME</code> with one JSON object; what only reads, and takes no token, is also
<code>GET</code>, with a query.
Send <code>Authorization: Bearer TOKEN</code>. For programs: <a href="/api/openapi.json">OpenAPI 3.1</a>.
Events: <code>GET /api/events</code>. MCP: <code>/mcp</code>.</p>
<pre>${toHtml(example)}</pre>
${[...operations].map(renderOperation).join('\n')}
<h2>Errors</h2>
<p>An answer that is no success is <code>application/problem+json</code>: what happened, and in <code>alternatives</code> what to do next.</p>
<table>
<tr><th>code</th><th>status</th><th></th></tr>
${Object.entries({ ...problemKinds, ...refusalKinds })
  .map(renderError)
  .join('\n')}
</table>
</body>
</html>
`;
}

const notBuilt =
  '<p role="note">The studio was not built with this program; this is the reference of its API. In the repository: <code>npm run build</code>, then load this page again.</p>';

const example = `curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"content":{"summary":"Finish the login form"}}' ORIGIN/api/handoff.create`;

function renderOperation({ name, summary, byQuery, mutates, role, input, errors }: PublishedOperation): string {
  const required = (input.required ?? []) as string[];
  const fields = Object.entries(propertiesOf(input)).map(([field, schema]) =>
    renderField(field, schema, required.includes(field)),
  );
  const headers = mutates
    ? '<p class="quiet">Takes Idempotency-Key: a retry with it returns the first answer.</p>'
    : '';
  const codes = errorCodes.filter((code) => errors.includes(code));
  return `<details id="${toHtml(name)}"><summary><code>${byQuery ? 'GET, POST' : 'POST'} /api/${toHtml(name)}</code> ${toHtml(summary)}</summary>
${fields.length === 0 ? '<p>Takes nothing.</p>' : `<table><tr><th>field</th><th>form</th><th></th></tr>${fields.join('')}</table>`}
${headers}<p class="quiet">For the role ${role}, and those above it.</p><p>Errors: ${codes.map((code) => `<a href="#error-${code}"><code>${code}</code></a>`).join(', ')}</p></details>`;
}

function renderField(name: string, schema: JsonSchema, isRequired: boolean): string {
  const words = [String(schema.description ?? ''), isRequired ? 'Required.' : ''].filter((part) => part !== '');
  return `<tr><td><code>${toHtml(name)}</code></td><td>${toHtml(formOf(schema))}</td><td>${toHtml(words.join('. '))}</td></tr>`;
}

function formOf({ type, enum: choices, items, const: only, anyOf }: JsonSchema): string {
  if (Array.isArray(choices)) return choices.join(' | ');
  if (only !== undefined) return JSON.stringify(only);
  if (type === 'array') return `list of ${formOf((items ?? {}) as JsonSchema)}`;
  if (Array.isArray(anyOf)) return [...new Set((anyOf as JsonSchema[]).map(formOf))].join(' or ');
  return String(type ?? 'any');
}

function renderError([code, { status, title }]: [string, { status: number; title: string }]): string {
  return `<tr id="error-${code}"><td><code>${code}</code></td><td>${status}</td><td>${toHtml(title)}</td></tr>`;
}

function toHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

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
