import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tidy/source-files.ts';
import type { Mutant } from './mutants.ts';

/** What the tests of one break gave: those that failed or did not end, or none. */
export type Verdict = { kind: 'caught'; by: readonly string[] } | { kind: 'survived' };

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
export async function tryMutant(mutant: Mutant, copy: string, tests: readonly string[]): Promise<Verdict> {
  const { path, text } = mutant;
  const original = readFileSync(join(copy, path), 'utf8');
  writeFileSync(join(copy, path), text);
  const verdict = await runTests(copy, tests);
  writeFileSync(join(copy, path), original);
  if (verdict.kind !== 'caught' || (await isSound(copy, verdict.by))) return verdict;
  const others = tests.filter((test) => !verdict.by.includes(test));
  return tryMutant(mutant, copy, others);
}

const sound = new Map<string, Promise<boolean>>();

/** Tests that fail, or do not end, without a break as well notice nothing. */
function isSound(copy: string, tests: readonly string[]): Promise<boolean> {
  const known = sound.get(tests.join()) ?? runTests(copy, tests).then(({ kind }) => kind === 'survived');
  sound.set(tests.join(), known);
  return known;
}

/** The tests end with the first that fails. */
async function runTests(copy: string, tests: readonly string[]): Promise<Verdict> {
  if (tests.length === 0) return { kind: 'survived' };
  const { isOk, results } = await runVitest(copy, tests, { words: ['--bail', '1'], limit_ms: LIMIT_MS });
  if (isOk) return { kind: 'survived' };
  const failed = results.filter(({ status }) => status === 'failed').map(({ test }) => test);
  // An error outside of tests ended the run, or none has been written down.
  return { kind: 'caught', by: failed.length > 0 ? failed : tests };
}

/** One test file of a run. */
export interface TestResult {
  test: string;
  status: string;
  seconds: number;
}

export interface VitestOptions {
  words: readonly string[];
  limit_ms: number;
  environment?: NodeJS.ProcessEnv;
}

/** Runs test files of a copy, one after the other; no results where the run itself failed or was ended. */
export function runVitest(
  copy: string,
  tests: readonly string[],
  { words, limit_ms, environment }: VitestOptions,
): Promise<{ isOk: boolean; results: TestResult[] }> {
  const report = join(copy, '.report.json');
  rmSync(report, { force: true });
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const all = [program, 'run', '--reporter', 'json', '--outputFile', report, ...words, ...tests];
  const env = { ...process.env, NODE_COMPILE_CACHE: join(copy, '.compiled'), ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, all, { cwd: copy, env, timeout: limit_ms, killSignal: 'SIGKILL' }, (error) => {
      resolve({ isOk: error === null, results: existsSync(report) ? readReport(report, copy) : [] });
    });
  });
}

function readReport(report: string, copy: string): TestResult[] {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { name: string; status: string; startTime: number; endTime: number }[];
  };
  return testResults.map(({ name, status, startTime, endTime }) => ({
    test: name.slice(copy.length + 1),
    status,
    seconds: (endTime - startTime) / 1000,
  }));
}
