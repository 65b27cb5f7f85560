/**
 * Checks that our measure of a handoff gives the figures of the reference program: `node scripts/check-fidelity.ts DIR`,
 * where DIR holds `recover_facts.py`, `labels` and `sessions`. The reference runs `baton import` and `baton render` as
 * processes. It needs `python3`; without it the check fails and reports that.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [folder = ''] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');

/** Some that fill a text and some that cut it; a session takes the reference about a second. */
const budgets = '500,2000,8000';

interface Figures {
  recall: Record<string, number>;
  stale: Record<string, [number, number]>;
  precision: Record<string, [number, number]>;
}

if (spawnSync('python3', ['--version']).status !== 0) {
  process.stderr.write('There is no python3 here, so the reference program cannot run: nothing was compared.\n');
  process.exitCode = 1;
} else {
  const state = mkdtempSync(join(tmpdir(), 'baton-reference-'));
  try {
    compare(askReference(state), askOurs());
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

function askReference(state: string): Figures {
  const baton = `${process.execPath} ${join(root, 'packages/batonpass/bin/baton.js')}`;
  const words = [join(folder, 'recover_facts.py'), join(folder, 'labels'), join(folder, 'sessions')];
  return run('python3', [...words, '--budgets', budgets, '--json'], { BATON: baton, XDG_STATE_HOME: state });
}

function askOurs(): Figures {
  return run(process.execPath, [join(root, 'scripts/eval-handoff.ts'), folder, '--budgets', budgets, '--json'], {});
}

function run(program: string, words: readonly string[], own: NodeJS.ProcessEnv): Figures {
  const environment = { ...process.env, ...own };
  const { stdout, stderr, status } = spawnSync(program, words, { encoding: 'utf8', env: environment });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`);
  return JSON.parse(stdout) as Figures;
}

function compare(reference: Figures, ours: Figures): void {
  const flat = (figures: Figures) => [
    ...Object.entries(figures.recall).map(([name, share]) => `recall ${name} ${share.toFixed(3)}`),
    ...Object.entries(figures.stale).map(([name, counts]) => `stale ${name} ${counts.join('/')}`),
    // A kind that no handoff has is absent there, and 0 of 0 here.
    ...Object.entries(figures.precision)
      .filter(([, [, told]]) => told > 0)
      .map(([kind, counts]) => `precision ${kind} ${counts.join('/')}`),
  ];
  const [theirs, own] = [flat(reference), flat(ours)];
  const differing = [
    ...theirs.filter((line) => !own.includes(line)).map((line) => `the reference says: ${line}`),
    ...own.filter((line) => !theirs.includes(line)).map((line) => `ours says: ${line}`),
  ];
  const agrees = differing.length === 0 && theirs.length > 0;
  process.stdout.write(`${agrees ? 'agree' : 'DIFFER'}: ${theirs.length} figures\n`);
  if (agrees) return;
  process.stderr.write(`${differing.join('\n')}\n`);
  process.exitCode = 1;
}
