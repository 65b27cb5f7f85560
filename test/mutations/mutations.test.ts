import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useProjectCopies } from '../project-copy.ts';
import { listSources, root } from '../tidy/source-files.ts';
import { listMutants, type Mutant } from './mutants.ts';
import { findNearestTests, readImporters } from './nearest.ts';

/** How many breaks are tried; one, against the nearest test alone. The long form: `npm run soak -- mutate`. */
const COUNT = Number(process.env.BATON_MUTANTS ?? 1);
const SEED = Number(process.env.BATON_MUTANTS_SEED ?? 20261125);
/** What share of them the nearest tests have to notice. */
const CAUGHT_SHARE = 0.92;
/** A break that makes a test run for ever is noticed by this. */
const LIMIT_MS = 120_000;

const copyProject = useProjectCopies();

it(`of ${COUNT} breaks in all rooms the nearest tests notice nearly all (seed ${SEED})`, {
  timeout: COUNT * 2 * LIMIT_MS,
}, async () => {
  const importers = readImporters();
  const waiting = chooseMutants();
  const survivors: string[] = [];
  const work = async (copy: string) => {
    for (let mutant = waiting.pop(); mutant !== undefined; mutant = waiting.pop()) {
      const tests = findNearestTests(mutant.path, importers).slice(0, COUNT > 1 ? undefined : 1);
      const told = `${mutant.path}:${mutant.line}: ${mutant.from.slice(0, 60)} → ${mutant.to.slice(0, 60)}`;
      const isCaught = tests.length > 0 && (await isNoticed(mutant, { copy, tests }));
      if (COUNT > 10) process.stderr.write(`${isCaught ? 'caught  ' : 'SURVIVED'} ${told} (${tests.length} tests)\n`);
      if (!isCaught) survivors.push(told);
    }
  };
  await Promise.all(Array.from({ length: Math.min(COUNT, availableParallelism()) }, () => work(copyForTests())));
  expect(survivors.length, survivors.join('\n')).toBeLessThanOrEqual(Math.floor(COUNT * (1 - CAUGHT_SHARE)));
});

/** Whether one of the tests fails where the break is in the copy. */
async function isNoticed({ path, text }: Mutant, { copy, tests }: { copy: string; tests: string[] }): Promise<boolean> {
  const original = readFileSync(join(copy, path), 'utf8');
  writeFileSync(join(copy, path), text);
  const isPassed = await pass(copy, tests);
  writeFileSync(join(copy, path), original);
  return !isPassed;
}

/** Files by chance, the same for a seed, and in each one of its breaks. */
function chooseMutants(): Mutant[] {
  const paths = listSources('packages/batonpass/src', /\.ts$/);
  const draws = fc.sample(fc.noBias(fc.tuple(fc.nat(), fc.nat())), { seed: SEED, numRuns: 3 * COUNT });
  return draws
    .flatMap(([file, place]) => {
      const path = paths[file % paths.length] ?? '';
      const mutants = listMutants(path, readFileSync(join(root, path), 'utf8'));
      return mutants[place % mutants.length] ?? [];
    })
    .slice(0, COUNT);
}

/** A copy in which the tests run without a build. */
function copyForTests(): string {
  const folder = copyProject();
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `export default { test: { setupFiles: ['test/setup.ts'], isolate: false, maxWorkers: 1, testTimeout: 30000 } };\n`,
  );
  return folder;
}

/** Whether all these tests pass. */
function pass(cwd: string, tests: readonly string[]): Promise<boolean> {
  const words = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--bail', '1', ...tests];
  return new Promise((resolve) => {
    execFile(process.execPath, words, { cwd, timeout: LIMIT_MS, killSignal: 'SIGKILL' }, (error) =>
      resolve(error === null),
    );
  });
}
