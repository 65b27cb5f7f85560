import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tidy/source-files.ts';
import type { Mutant } from './mutants.ts';

/** What the tests of one break gave: a test that failed, or none; `endless` where they were stopped. */
export type Verdict = { kind: 'caught'; by: string } | { kind: 'endless' } | { kind: 'survived' };

/** A break that makes a test run for ever is noticed by this. */
const LIMIT_MS = 600_000;

/** The tests run in the order in which they are named, without a build. */
const configuration = `
const words = process.argv.slice(2);
class AsNamed {
  sort = (files) => files.sort((a, b) => this.place(a) - this.place(b));
  shard = (files) => files;
  place = ({ moduleId }) => words.findIndex((word) => moduleId.endsWith(word));
}
export default {
  test: {
    setupFiles: ['test/setup.ts'],
    isolate: false,
    maxWorkers: 1,
    fsModuleCache: true,
    fsModuleCachePath: '.modules',
    testTimeout: 200_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: AsNamed },
  },
};
`;

/** Makes the tests of a copy run its sources: the built command is replaced by a reference to them. */
export function prepareCopy(copy: string): void {
  writeFileSync(join(copy, 'vitest.config.ts'), configuration);
  mkdirSync(join(copy, 'packages/batonpass/dist/cli'), { recursive: true });
  writeFileSync(
    join(copy, 'packages/batonpass/dist/cli/main.cjs'),
    `exports.main = async (words) => (await import('../../src/doors/cli/main.ts')).main(words);\n`,
  );
}

/** Whether one of the tests fails where the break is in the copy, and passes there without it. */
export async function tryMutant({ path, text }: Mutant, copy: string, tests: readonly string[]): Promise<Verdict> {
  const original = readFileSync(join(copy, path), 'utf8');
  writeFileSync(join(copy, path), text);
  const verdict = await runTests(copy, tests);
  writeFileSync(join(copy, path), original);
  if (verdict.kind !== 'caught' || (await isSound(copy, verdict.by))) return verdict;
  return tryMutant(
    { path, text } as Mutant,
    copy,
    tests.filter((test) => test !== verdict.by),
  );
}

const sound = new Map<string, Promise<boolean>>();

/** A test that fails without a break notices nothing. */
function isSound(copy: string, test: string): Promise<boolean> {
  const known = sound.get(test) ?? runTests(copy, [test]).then(({ kind }) => kind === 'survived');
  sound.set(test, known);
  return known;
}

function runTests(cwd: string, tests: readonly string[]): Promise<Verdict> {
  if (tests.length === 0) return Promise.resolve({ kind: 'survived' });
  const words = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--bail', '1', '--reporter', 'json', ...tests];
  const env = { ...process.env, NODE_COMPILE_CACHE: join(cwd, '.compiled') };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      words,
      { cwd, env, timeout: LIMIT_MS, killSignal: 'SIGKILL', maxBuffer: 2 ** 28 },
      (error, stdout) => {
        if (error === null) return resolve({ kind: 'survived' });
        const report = stdout.slice(stdout.indexOf('{"'));
        if (error.killed === true || report === '') return resolve({ kind: 'endless' });
        const { testResults } = JSON.parse(report) as { testResults: { name: string; status: string }[] };
        const failed = testResults.find(({ status }) => status === 'failed')?.name ?? '';
        resolve({ kind: 'caught', by: failed.slice(cwd.length + 1) });
      },
    );
  });
}
