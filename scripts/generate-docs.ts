import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCodes } from '../packages/batonpass/src/core/errors.ts';
import { states } from '../packages/batonpass/src/core/state.ts';
import type { StoreCapabilities } from '../packages/batonpass/src/core/store.ts';
import { transitions } from '../packages/batonpass/src/core/transitions.ts';
import { exitCodes } from '../packages/batonpass/src/doors/cli/exit-codes.ts';
import { openStore } from '../packages/batonpass/src/stores/open.ts';
import { postgresCapabilities } from '../packages/batonpass/src/stores/postgres/store.ts';
import type { PairOutcome } from '../test/hosts/real/pairs.ts';
import { createPluginFiles } from './claude-code-plugin.ts';
import { describeFidelity } from './fidelity-document.ts';
import { describePerformance } from './performance-figures.ts';

/** Writes the documents that are made from tables in the source; `npm run docs`. A test fails while one is out of date. */

const root = join(import.meta.dirname, '..');
const core = 'packages/batonpass/src/core';

/** Every document that is made from the source, by its path. */
export async function generateDocuments(): Promise<Record<string, string>> {
  return {
    'docs/lifecycle.md': describeLifecycle(),
    'docs/errors.md': describeErrors(),
    'docs/stores.md': await describeStores(),
    'docs/performance.md': describePerformance(),
    ...describeFidelity(),
    'docs/hosts.md': describeHosts(),
    ...createPluginFiles(),
  };
}

/** The document of hosts with the table of the pairs that were played with the real programs. */
function describeHosts(): string {
  const text = readFileSync(join(root, 'docs/hosts.md'), 'utf8');
  const played = JSON.parse(readFileSync(join(root, 'docs/figures/hosts.json'), 'utf8')) as PairOutcome[];
  const rows = played.map(
    ({ from, to, versions, delivered, proven, took_ms }) =>
      `| ${from} → ${to} | ${versions.join(' → ')} | ${delivered ? 'yes' : 'no'} | ${proven ? 'yes' : 'no'} | ${took_ms.toLocaleString('en-US')} |`,
  );
  const head = ['| pair | versions | delivered | proven | ms from end to start |', '|---|---|---|---|---|'];
  const table = [...head, ...rows].join('\n');
  return text.replace(/(?<=<!-- pairs -->\n)[\s\S]*(?=<!-- \/pairs -->)/, () => `${table}\n`);
}

/** The states and steps of a handoff: a picture and two tables. */
function describeLifecycle(): string {
  const steps = Object.entries(transitions);
  const arrows = steps.flatMap(([name, { from, to }]) =>
    from.flatMap((start) => to.map((end) => `  ${start} --> ${end}: ${name}`)),
  );
  const meanings = readStateMeanings();
  return [
    '# The life cycle of a handoff',
    '',
    `Made from \`${core}/transitions.ts\` by \`npm run docs\`. Each step is one event in the history, written with it.`,
    '',
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> draft: create',
    '  [*] --> open: create',
    ...arrows,
    '```',
    '',
    '| state | meaning |',
    '|---|---|',
    ...states.map((state) => `| ${state} | ${meanings.get(state)} |`),
    '',
    '| step | from | to | by | event |',
    '|---|---|---|---|---|',
    '| create | | draft, open | writer | `handoff-created` |',
    ...steps.map(
      ([name, { from, to, by, event }]) => `| ${name} | ${from.join(', ')} | ${to.join(', ')} | ${by} | \`${event}\` |`,
    ),
    '',
  ].join('\n');
}

/** The codes of expected failures, with the exit code that the command line gives each. */
function describeErrors(): string {
  const meanings = readErrorMeanings();
  return [
    '# Errors',
    '',
    `Made from \`${core}/errors.ts\` by \`npm run docs\`. An expected failure has one of these codes, a message that says what`,
    'happened to what, and `alternatives`: what to do next. With `--json` it is one object on standard error:',
    '`{"error": {"code", "message", "details", "alternatives"}}`. Anything else is a defect and shows its stack.',
    '',
    '| code | exit code | meaning |',
    '|---|---|---|',
    ...errorCodes.map((code) => `| \`${code}\` | ${exitCodes[code]} | ${meanings.get(code)} |`),
    '',
    'Besides: 0 where all went well, 1 where the answer is "no" (`baton claim` found nothing), 70 for a defect, 130 after',
    'Ctrl-C.',
    '',
  ].join('\n');
}

/** The capabilities of each store, read from the stores. */
async function describeStores(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-docs-'));
  try {
    const urls = { 'memory:': 'memory:', 'sqlite:PATH': `sqlite:${join(folder, 'baton.db')}` };
    const rows = await Promise.all(
      Object.entries(urls).map(async ([name, url]) => {
        const store = await openStore(url);
        await store.close();
        return capabilityRow(name, store.capabilities);
      }),
    );
    return [
      '# Stores',
      '',
      'Made from the stores themselves by `npm run docs`. All of them pass one contract: the suite that',
      '`batonpass/testing` exports as `exerciseStore`, for stores written elsewhere too.',
      '',
      '| store | outlives the process | several processes at once | a waiting receiver hears of changes in its |',
      '|---|---|---|---|',
      ...rows,
      // Asked of the store itself by its own test, which has a server.
      capabilityRow('postgres://USER@HOST:PORT/DATABASE', postgresCapabilities),
      '',
      'The embedded default is SQLite in WAL mode with `synchronous=FULL`: when a call answers, its change has been synced to',
      "the disk. A database is where `--store` or `BATON_STORE` names it, else in git's common folder",
      "(`.git/baton/baton.db`, shared by all worktrees, out of reach of `git clean` and `git stash`), else in the user's state",
      "folder. Network file systems are refused, because SQLite's locks do not hold there.",
      '',
      ...postgresSection,
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function capabilityRow(name: string, { durable, concurrent_processes, notifications }: StoreCapabilities): string {
  return `| \`${name}\` | ${yes(durable)} | ${yes(concurrent_processes)} | ${notifications} |`;
}

/** What a reader of the matrix needs to know of the store on a server. */
const postgresSection = [
  '## Postgres',
  '',
  'For many machines: `npm install pg` next to batonpass, and `BATON_STORE=postgres://user@host:5432/database` (or `store` in',
  'the configuration). Commands and guarantees stay the same. Needed are Postgres 14 or newer, a database of the encoding',
  'UTF8, and a user who may make a schema there. The schema is `baton`, or the one that `?schema=name` names; it is made',
  'at the first use, under a lock, by one process. One of another version is refused. A password belongs into `PGPASSWORD` or',
  '`.pgpass`; one in the URL is shown nowhere. `connections_max` in the URL (default 8) bounds the connections of a process,',
  '`wait_ms` (default 10000) how long a call waits for a connection, a lock or a server that is away; everything else there',
  'is the driver’s (`sslmode`, `host` of a socket). From one laptop to a team, with roles, backup, pooling and monitoring:',
  '[team.md](team.md).',
  '',
  "- Leases, expiries and back-offs follow the server's clock, whatever the machines' clocks say.",
  '- First in, first out within a project: a create waits for the one before it in its project, so that places are committed',
  '  in their order. Claims do not wait for each other: each takes the oldest that no other is taking at that moment. What a',
  '  claim held whose connection was cut comes back to its place, and others may have passed it.',
  '- A line of history gets its place after its commit, when somebody first reads the history: no reader ever passes one',
  '  that is still to come.',
  '- A lost connection is replaced for up to the wait of the URL; one that falls silent is found out after twice as long.',
  '  Where it was lost at a commit, the store looks up the result; only when the server stays away, or a commit does not end',
  '  in that time, is a call `unavailable` with `is_ambiguous`, and its idempotency key then does it once.',
  '- Others hear at once of what opens, waits or ends; of claims, renewals and the acknowledgement of a claim within a',
  '  second. Behind a pooler in transaction mode notifications are lost: that is said once, and everything is noticed within',
  '  a second.',
  '- `durability: normal` commits without waiting for the disk of the server; otherwise it waits, also where the server is',
  '  set not to.',
  '',
  '## A claim, from call to commit',
  '',
  'Every call has one shape, written once for both SQL stores in `stores/sql`: what is due, select, transition, guarded',
  'update, event, one transaction. The rules are in `core/lifecycle.ts` alone: no statement decides what becomes of a',
  'handoff. A call is a generator that yields statements and is given their rows; SQLite runs it at once, Postgres from',
  'answer to answer. What the two say in different words is their `Dialect` (`stores/sql/dialect.ts`).',
  '',
  '| step | where | SQLite | Postgres |',
  '|---|---|---|---|',
  '| 1. call | `sql/store.ts` | `SqlStore.claim` checks the request and hands its work to the engine | the same |',
  '| 2. group | `sql/commit-groups.ts` | the calls of one turn of the event loop share a transaction | so do the calls of one project without a key, and the claims of one receiver from one queue; what comes while they are in flight is the next group |',
  '| 3. begin | `connection.ts` of each | `BEGIN IMMEDIATE`: one process writes at a time | `BEGIN`, with an advisory lock of the call, by which a repetition waits for a lost first try |',
  '| 4. what is due | `sql/changes.ts` `applyDue` | lapses and expiries are steps of their own, first | the same |',
  '| 5. a known key | `sql/store.ts` `decide` | a repeated call gets its remembered answer, and steps 6 to 9 do not happen | the same |',
  '| 6. select | `sqlite/statements.ts`, `postgres/claims.ts` | `selectOldest`, by the index of what is open | `lockOldest`: the same, `FOR UPDATE SKIP LOCKED`, from the watermark of the queue on; sent with the message that begins |',
  '| 7. transition | `core/lifecycle.ts` | `advance(handoff, step, context)`: the handoff afterwards and one event, or a refusal, which has written nothing | the same |',
  '| 8. guarded update | `sql/changes.ts` `writes` | `UPDATE … WHERE id = … AND state = … AND version = …`, of the columns that a step has changed | the same, once for all rows; a value that all of them share is sent once |',
  '| 9. event | `sql/changes.ts` `writes` | `INSERT INTO events` | the same, once for all lines |',
  '| 10. commit | as in 3 | the file is still the one at its path; `COMMIT`, synced; then the promises resolve | 8, 9 and `COMMIT` are sent without waiting in between; where their answer is lost, the server is asked for the number of the transaction and for the first event |',
  '',
  'Acknowledge, renew, release, fail, ask, answer, withdraw and reopen differ in the select alone: by the id, which Postgres',
  'locks with the message that begins the transaction (`lockHandoffs`; `lockDeliveries` where `consume` asks no content).',
  '',
  'What Postgres-compatible engines may do otherwise, by which the store would have to change: advisory locks',
  '(`pg_advisory_xact_lock`, for places, creates and migrations), `LISTEN` and `NOTIFY`, `FOR UPDATE SKIP LOCKED` within',
  '`LATERAL`, and identity columns whose numbers rise on one server alone. The rest is plain SQL: `unnest` of arrays, partial',
  'and expression indexes, `ON CONFLICT`, `RETURNING`, a time-out set within a transaction.',
  '',
];

function yes(value: boolean): string {
  return value ? 'yes' : 'no';
}

/** The comments of the states, in `state.ts`. */
function readStateMeanings(): Map<string, string> {
  const found = readCore('state.ts').matchAll(/\/\*\* (.+) \*\/\n\s+'([a-z]+)',/g);
  return new Map([...found].map(([, meaning = '', state = '']) => [state, meaning]));
}

/** The list in the comment above the codes, in `errors.ts`. */
function readErrorMeanings(): Map<string, string> {
  const found = readCore('errors.ts').matchAll(/^ \* - `([a-z_]+)`: (.+)$/gm);
  return new Map(
    [...found].map(([, code = '', meaning = '']) => [code, `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`]),
  );
}

function readCore(file: string): string {
  return readFileSync(join(root, core, file), 'utf8');
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(await generateDocuments())) {
    writeFileSync(join(root, path), text);
    process.stdout.write(`${path}\n`);
  }
}
