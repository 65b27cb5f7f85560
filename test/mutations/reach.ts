import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../tidy/source-files.ts';
import type { Mutant } from './mutants.ts';
import { runVitest } from './mutated-copy.ts';
import type { ReachingTests } from './nearest.ts';

/** Which tests run each part of the sources, and how long each test takes. */
export interface Reach {
  /** The tests by the part that they run. */
  tests: ReadonlyMap<string, ReadonlySet<string>>;
  /** The tests that run none. */
  elsewhere: ReadonlySet<string>;
  seconds: ReadonlyMap<string, number>;
}

/** For a short run: nothing is known, and what imports a source is asked. */
export const unmeasured: Reach = { tests: new Map(), elsewhere: new Set(), seconds: new Map() };

/** A block, or the expression of an arrow: the smallest part of a source whose runs are recorded. */
interface Part {
  id: string;
  start: number;
  end: number;
  isBlock: boolean;
}

/** All tests once: what takes longer than this stands still. */
const LIMIT_MS = 7_200_000;

/** Runs the tests in the copies, each a share of them, and records which parts of the sources each one runs. */
export async function measureReach(
  copies: readonly string[],
  tests: readonly string[],
  sources: readonly string[],
): Promise<Reach> {
  const measured = await Promise.all(
    copies.map((copy, at) => {
      const share = tests.filter((_, place) => place % copies.length === at);
      return recordShare(copy, share, sources);
    }),
  );
  const reached = new Map<string, Set<string>>();
  const elsewhere = new Set(tests);
  for (const copy of copies) {
    for (const line of readFileSync(join(copy, '.reached'), 'utf8').trim().split('\n')) {
      const [test = '', id = ''] = line.split('\t');
      reached.set(id, (reached.get(id) ?? new Set()).add(test));
      elsewhere.delete(test);
    }
  }
  return { tests: reached, elsewhere, seconds: new Map(measured.flat()) };
}

/** The tests that run the part with the break: none where no test does, or only in a browser. */
export function findReaching({ path, start }: Mutant, { tests, ...rest }: Reach): ReachingTests {
  const around = listParts(path, readFileSync(join(root, path), 'utf8')).filter(
    (part) => part.start <= start && start < part.end,
  );
  return { tests: tests.get(around.at(-1)?.id ?? '') ?? new Set(), ...rest };
}

async function recordShare(
  copy: string,
  share: readonly string[],
  sources: readonly string[],
): Promise<(readonly [test: string, seconds: number])[]> {
  const recorder = join(copy, '.recorder.cjs');
  writeFileSync(recorder, recorderOf(copy));
  const command = join(copy, 'packages/batonpass/dist/cli/main.cjs');
  const setup = join(copy, 'test/setup.ts');
  const originals = [...sources.map((path) => join(copy, path)), command, setup].map(
    (path) => [path, readFileSync(path, 'utf8')] as const,
  );
  for (const path of sources) {
    writeFileSync(join(copy, path), markParts(path, readFileSync(join(copy, path), 'utf8')));
  }
  writeFileSync(command, `require(${JSON.stringify(recorder)});\n${readFileSync(command, 'utf8')}`);
  appendFileSync(setup, nameTest(copy));
  const environment = { NODE_OPTIONS: `--require ${recorder}` };
  const { results } = await runVitest(copy, share, { words: [], limit_ms: LIMIT_MS, environment });
  for (const [path, text] of originals) writeFileSync(path, text);
  return results.map(({ test, seconds }) => [test, seconds]);
}

/** Part of each process of a copy: writes down each part when it runs for the first time, and the test that runs it. */
function recorderOf(copy: string): string {
  return `
const { appendFileSync, readFileSync } = require('node:fs');
let test, seen;
globalThis.startTest = () => {
  try { test = readFileSync(${JSON.stringify(join(copy, '.running'))}, 'utf8'); } catch {}
  seen = new Set();
};
globalThis.startTest();
globalThis.reach = (id) => {
  if (test === undefined || seen.has(id)) return;
  seen.add(id);
  appendFileSync(${JSON.stringify(join(copy, '.reached'))}, test + '\\t' + id + '\\n');
};
`;
}

/** At the start of each test file, which is the only one of its copy that runs then. */
function nameTest(copy: string): string {
  return `
import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
writeFileSync(${JSON.stringify(join(copy, '.running'))}, String(expect.getState().testPath).slice(${copy.length + 1}));
(globalThis as unknown as { startTest: () => void }).startTest();
`;
}

/** The source with a call at the beginning of each part; its lines stay. */
function markParts(path: string, text: string): string {
  const marks = listParts(path, text).flatMap(({ id, start, end, isBlock }) => {
    const call = `globalThis.reach?.('${id}')`;
    if (isBlock) return [{ at: start + 1, text: `${call};` }];
    return [
      { at: start, text: `(${call}, ` },
      { at: end, text: ')' },
    ];
  });
  // From the end; of two at one place the outer one is written last, and so is before or around the inner one.
  marks.reverse().sort((a, b) => b.at - a.at);
  return marks.reduce((marked, { at, text }) => marked.slice(0, at) + text + marked.slice(at), text);
}

/** The parts of a source, outer ones before those that they contain. */
function listParts(path: string, text: string): Part[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const parts: Part[] = [];
  const visit = (node: ts.Node): void => {
    const isExpression = ts.isArrowFunction(node.parent) && node.parent.body === node && !ts.isBlock(node);
    if (isExpression || ts.isBlock(node)) {
      const start = node.getStart();
      parts.push({ id: `${path}:${start}`, start, end: node.getEnd(), isBlock: !isExpression });
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return parts;
}
