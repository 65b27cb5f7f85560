/**
 * Measures what share of the facts that a next agent needs a handoff holds, compared with base lines of the same size:
 * `npm run eval:handoff -- DIR [--json] [--each] [--only ID,…] [--sealed ID,…] [--hooks] [--budgets 500,1000,…]`. DIR holds
 * `labels` and `sessions`. With `--hooks` the real path is measured too: what the next session's start injects after the
 * hooks of a session ran, as processes. The extractor is the configured one, by default the rules. With `--ask FOLDER`
 * nothing is measured: what the agent of each session would be asked is written, one file a session. With `--written
 * FOLDER` the sessions are measured that have an answer there, `SESSION.json`, exactly as a model gave it.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { question } from '../packages/batonpass/src/written/question.ts';
import { hookBudget, measureInjection, measureSession, readSessions, type SessionFidelity } from './fidelity.ts';
import { formatEach, formatGroup, type GroupFidelity, reportGroup, toReferenceFigures } from './fidelity-report.ts';
import { readSessionContext } from './session-context.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    each: { type: 'boolean' },
    only: { type: 'string' },
    sealed: { type: 'string' },
    hooks: { type: 'boolean' },
    ask: { type: 'string' },
    written: { type: 'string' },
    budgets: { type: 'string', default: '500,1000,2000,4000,8000' },
  },
});
const [folder] = positionals;
const budgets = values.budgets.split(',').map(Number);
if (folder === undefined || !budgets.every((budget) => budget > 0)) {
  const words =
    '[--json] [--each] [--only ID,…] [--sealed ID,…] [--hooks] [--budgets 500,1000,…] [--ask FOLDER] [--written FOLDER]';
  console.error(`Name the folder with labels and sessions: npm run eval:handoff -- DIR ${words}`);
  process.exitCode = 2;
} else if (values.ask !== undefined) {
  await writeQuestions(folder, values.ask);
} else {
  await measure(folder);
}

/** The exact question to each session's agent, after the session as that agent has it. */
async function writeQuestions(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const { facts, path } of await readSessions(from)) {
    if (values.only?.split(',').includes(facts.id) === false) continue;
    const context = await readSessionContext(path);
    const text = `${question}\n\n=== the session, as you have it in your context ===\n\n${context}\n`;
    await writeFile(join(to, `${facts.id}.txt`), text);
  }
}

async function measure(from: string): Promise<void> {
  const wanted = values.only?.split(',');
  const measured: SessionFidelity[] = [];
  const injected: SessionFidelity[] = [];
  for (const session of await readSessions(from)) {
    if (wanted?.includes(session.facts.id) === false) continue;
    const answer = values.written === undefined ? undefined : join(values.written, `${session.facts.id}.json`);
    if (answer !== undefined && !existsSync(answer)) continue;
    measured.push(await measureSession(session, budgets, answer));
    if (values.hooks && session.facts.host === 'claude-code') injected.push(await measureInjection(session));
  }
  const real = injected.length === 0 ? [] : [reportGroup('injected by hooks', injected, [hookBudget])];
  report(measured, real);
}

function report(sessions: readonly SessionFidelity[], real: readonly GroupFidelity[]): void {
  const groups = [...toGroups(sessions), ...real];
  const [all] = groups;
  if (values.json) {
    const figures = all === undefined ? {} : toReferenceFigures(all);
    console.log(JSON.stringify({ ...figures, sessions: sessions.length, groups }));
    return;
  }
  if (values.each) console.log(`${formatEach(sessions, budgets)}\n`);
  console.log(groups.map(formatGroup).join('\n\n'));
}

/** All sessions; and where some are sealed, the others and those. */
function toGroups(sessions: readonly SessionFidelity[]): GroupFidelity[] {
  const sealed = values.sealed?.split(',') ?? [];
  const [kept, developed] = [true, false].map((isSealed) =>
    sessions.filter(({ id }) => sealed.includes(id) === isSealed),
  );
  return [
    reportGroup('all', sessions, budgets),
    ...(sealed.length === 0
      ? []
      : [reportGroup('developed', developed ?? [], budgets), reportGroup('sealed', kept ?? [], budgets)]),
  ];
}
