import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useProjectCopies } from '../project-copy.ts';
import { listSources, root } from '../tidy/source-files.ts';
import { listMutants, type Mutant } from './mutants.ts';
import { prepareCopy, tryMutant } from './mutated-copy.ts';
import { findNearestTests, indexTests } from './nearest.ts';
import { findReaching, measureReach, unmeasured } from './reach.ts';

/** How many breaks are tried. Default: one, of a file whose nearest test is quick. The long form: `npm run soak -- mutate`. */
const COUNT = Number(process.env.BATON_MUTANTS ?? 1);
const SEED = Number(process.env.BATON_MUTANTS_SEED ?? 20261125);
const quick = 'packages/batonpass/src/core/outcome.ts';
/** What share of them the nearest tests have to notice. */
const CAUGHT_SHARE = 0.92;
/** The suite for stores is itself a test: without one of its assertions all stores pass as before. */
const suite = 'packages/batonpass/src/stores/contract/';
const paths = listSources('packages/batonpass/src', /\.ts$/).filter((path) => !path.startsWith(suite));

const copyProject = useProjectCopies();

it(`of ${COUNT} breaks in all rooms the nearest tests notice nearly all (seed ${SEED})`, {
  timeout: COUNT * 600_000,
}, async () => {
  const index = indexTests();
  const waiting = chooseMutants();
  const survivors: string[] = [];
  const copies = Array.from({ length: Math.min(COUNT, availableParallelism()) }, copyProject);
  copies.forEach(prepareCopy);
  const reach = COUNT > 1 ? await measureReach(copies, [...index.tests.keys()], paths) : unmeasured;
  const work = async (copy: string) => {
    for (let mutant = waiting.pop(); mutant !== undefined; mutant = waiting.pop()) {
      const nearest = findNearestTests(mutant.path, index, findReaching(mutant, reach));
      const tests = COUNT > 1 ? nearest : nearest.slice(0, 1);
      const told = `${mutant.path}:${mutant.line}: ${mutant.from.slice(0, 60)} → ${mutant.to.slice(0, 60)}`;
      const verdict = await tryMutant(mutant, copy, tests);
      const by = verdict.kind === 'caught' ? ` by ${verdict.by.join(', ')}` : '';
      if (COUNT > 10) process.stderr.write(`${verdict.kind.padEnd(8)} ${told}${by}\n`);
      if (verdict.kind === 'survived') survivors.push(told);
    }
  };
  await Promise.all(copies.map(work));
  expect(survivors.length, survivors.join('\n')).toBeLessThanOrEqual(Math.floor(COUNT * (1 - CAUGHT_SHARE)));
});

/** Random files, the same for a seed, and in each one of its breaks. */
function chooseMutants(): Mutant[] {
  if (COUNT === 1) return listMutants(quick, readFileSync(join(root, quick), 'utf8')).slice(0, 1);
  const draws = fc.sample(fc.noBias(fc.tuple(fc.nat(), fc.nat())), { seed: SEED, numRuns: 3 * COUNT });
  return draws
    .flatMap(([file, place]) => {
      const path = paths[file % paths.length] ?? '';
      const mutants = listMutants(path, readFileSync(join(root, path), 'utf8'));
      return mutants[place % mutants.length] ?? [];
    })
    .slice(0, COUNT);
}
