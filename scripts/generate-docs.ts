import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCodes } from '../packages/batonpass/src/core/errors.ts';
import { states } from '../packages/batonpass/src/core/state.ts';
import { transitions } from '../packages/batonpass/src/core/transitions.ts';
import { exitCodes } from '../packages/batonpass/src/doors/cli/exit-codes.ts';
import { openStore } from '../packages/batonpass/src/stores/open.ts';
import { createPluginFiles } from './claude-code-plugin.ts';
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
    ...createPluginFiles(),
  };
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

/** What each store says of itself, asked from the stores. */
async function describeStores(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-docs-'));
  try {
    const urls = { 'memory:': 'memory:', 'sqlite:PATH': `sqlite:${join(folder, 'baton.db')}` };
    const rows = await Promise.all(
      Object.entries(urls).map(async ([name, url]) => {
        const store = await openStore(url);
        const { durable, concurrent_processes, notifications } = store.capabilities;
        await store.close();
        return `| \`${name}\` | ${yes(durable)} | ${yes(concurrent_processes)} | ${notifications} |`;
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
      '',
      'The embedded default is SQLite in WAL mode with `synchronous=FULL`: when a call answers, its change has been synced to',
      "the disk. A database lies where `--store` or `BATON_STORE` names it, else in git's common folder",
      "(`.git/baton/baton.db`, shared by all worktrees, out of reach of `git clean` and `git stash`), else in the user's state",
      "folder. Network file systems are refused, because SQLite's locks do not hold there.",
      '',
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function yes(value: boolean): string {
  return value ? 'yes' : 'no';
}

/** The sentences beside the states, in `state.ts`. */
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
