import { describe, expect, it } from 'vitest';
import { findUndocumentedExports, findUnusedExports } from './tidy/exports.ts';
import { findCircles, findWrongImports } from './tidy/imports.ts';
import { findAny, findBuckets, findIdleExemptions, findTooLong } from './tidy/sizes.ts';
import { readSources } from './tidy/source-files.ts';
import { findMachinePaths, findMarkers } from './tidy/words.ts';

const source = 'packages/batonpass/src';
const sources = readSources([source]);
const others = readSources(['scripts', 'bench', 'packages/batonpass/bin', 'packages/studio/src']);
const tests = readSources(['test']);

/** The package's entry files: what they export is for others. */
const entries = [
  ...['index.ts', 'browser.ts', 'react.ts', 'ai.ts', 'mcp.ts', 'http.ts', 'testing.ts'],
  ...['files.ts', 'records.ts', 'queue.ts', 'plan.ts', 'draft.ts'],
  'doors/cli/main.ts',
].map((path) => `${source}/${path}`);

const bounds = { file_lines_max: 400, function_lines_max: 70, exempt: {} };
const testBounds = { ...bounds, file_lines_max: 500 };

describe('the source is tidy', () => {
  it.each([
    ['imports follow the arrows of the design', () => findWrongImports(sources)],
    ['no imports run in a circle', () => findCircles(sources)],
    ['files and functions are short', () => findTooLong(sources, bounds)],
    ['scripts and benchmarks are short', () => findTooLong(others, bounds)],
    ['tests are short', () => findTooLong(tests, testBounds)],
    ['no exemption is idle', () => findIdleExemptions({ ...sources, ...others }, bounds)],
    ['nothing has the type any', () => findAny({ ...sources, ...others, ...tests })],
    ['no file is named as a bucket', () => findBuckets(Object.keys({ ...sources, ...others, ...tests }))],
    ['every export is used', () => findUnusedExports({ sources, users: others, entries })],
    ['every export has a doc comment', () => findUndocumentedExports(sources)],
    ['no marker is left over', () => findMarkers({ ...sources, ...others, ...withoutThisCheck(tests) })],
    [
      'no path of one machine is left',
      () => findMachinePaths({ ...sources, ...others, ...readSources(['docs'], /\.md$/) }),
    ],
  ])('%s', (_sentence, check) => {
    expect(check()).toEqual([]);
  });
});

/** The tests of these checks hold what the checks look for. */
function withoutThisCheck(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([path]) => !path.startsWith('test/tidy')));
}
