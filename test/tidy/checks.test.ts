import { describe, expect, it } from 'vitest';
import { findUndocumentedExports, findUnusedExports } from './exports.ts';
import { findCircles, findWrongImports } from './imports.ts';
import { findAny, findBuckets, findIdleExemptions, findTooLong } from './sizes.ts';
import { findMachinePaths, findMarkers } from './words.ts';

const source = 'packages/batonpass/src';

describe('the checks of tidiness see what they look for', () => {
  it('an import upwards or sideways, in every form', () => {
    const texts = {
      [`${source}/core/a.ts`]: "import { b } from '../formats/b.ts';\nimport 'node:fs';\nimport 'zod';",
      [`${source}/formats/b.ts`]: "export * from '../core/a.ts';\nexport { c } from '../disk/c.ts';",
      [`${source}/stores/sqlite/s.ts`]: "import type { X } from '../memory/x.ts';\nimport 'node:sqlite';",
      [`${source}/doors/cli/run.ts`]:
        "await import('../../stores/open.ts');\nawait import('../../stores/sqlite/s.ts');\nimport '../../formats/b.ts';",
      [`${source}/doors/http/h.ts`]:
        "type X = import('../../formats/b.ts').X;\nimport { x } from '../../operations/o.ts';",
      [`${source}/utilities/u.ts`]: '',
      [`${source}/core/out.ts`]: "import '../../../studio/src/app.ts';",
      [`${source}/index.ts`]: "export { x } from './doors/cli/run.ts';",
    };
    expect(findWrongImports(texts)).toEqual([
      `${source}/core/a.ts:1: core must not import ${source}/formats/b.ts`,
      `${source}/core/a.ts:2: core must not import node:fs`,
      `${source}/formats/b.ts:2: formats must not import ${source}/disk/c.ts`,
      `${source}/doors/cli/run.ts:2: doors/cli must not import ${source}/stores/sqlite/s.ts`,
      `${source}/doors/cli/run.ts:3: doors/cli must not import ${source}/formats/b.ts`,
      `${source}/doors/http/h.ts:1: doors/http must not import ${source}/formats/b.ts`,
      `${source}/utilities/u.ts: stands in no room of the design`,
      `${source}/core/out.ts:1: core must not import packages/studio/src/app.ts`,
    ]);
  });

  it('a circle of imports, of types too', () => {
    const texts = {
      'a.ts': "import { b } from './b.ts';",
      'b.ts': "import type { C } from './c.ts';",
      'c.ts': "export { a } from './a.ts';\nimport './d.ts';",
      'd.ts': "import 'zod';",
    };
    expect(findCircles(texts)).toEqual(['a.ts → b.ts → c.ts → a.ts']);
    expect(findCircles({ ...texts, 'c.ts': '' })).toEqual([]);
  });

  it('a long file and a long function, with exemptions that are needed', () => {
    const long = `function f() {\n${'  g();\n'.repeat(8)}}\n`;
    const bounds = { file_lines_max: 10, function_lines_max: 5, exempt: {} };
    expect(findTooLong({ 'a.ts': long.repeat(2) }, bounds)).toEqual([
      'a.ts: 20 lines, more than 10',
      'a.ts:1: a function of 10 lines, more than 5',
      'a.ts:11: a function of 10 lines, more than 5',
    ]);
    expect(findTooLong({ 'a.ts': `describe('x', () => {\n${'  g();\n'.repeat(7)}});\n` }, bounds)).toEqual([]);
    const arrow = `const f = async () => {\n${'  g();\n'.repeat(5)}};\nclass A { m() {\n\n\n\n\n}}`;
    expect(findTooLong({ 'a.ts': arrow }, { ...bounds, file_lines_max: 99 })).toHaveLength(2);
    const exempt = { 'a.ts': 'a table of data', 'gone.ts': 'a table of data' };
    expect(findTooLong({ 'a.ts': 'x;\n'.repeat(11) }, { ...bounds, exempt })).toEqual([]);
    expect(findIdleExemptions({ 'a.ts': 'x;\n'.repeat(11) }, { ...bounds, exempt })).toEqual(['gone.ts']);
  });

  it('any, as a type and as a cast, but not as a word', () => {
    expect(findAny({ 'a.ts': "const any = 'any'; // any\nlet x: any;\nf(y as any);" })).toEqual([
      'a.ts:2: any',
      'a.ts:3: any',
    ]);
  });

  it('a bucket, as a file and as a folder', () => {
    expect(findBuckets(['src/utils.ts', 'src/helpers/a.ts', 'core/types.d.ts', 'core/prototypes.ts'])).toEqual([
      'src/utils.ts',
      'src/helpers/a.ts',
      'core/types.d.ts',
    ]);
  });

  it('an export without uses, or used only by a test', () => {
    const sources = {
      'src/a.ts':
        'export const used = 1, unused = 2;\nexport type T = 1;\nexport function byScript() {}\nexport class C {}',
      'src/b.ts': "import { used } from './a.ts';\nexport interface I {}\nexport { C } from './a.ts';",
      'src/index.ts': "export type { I } from './b.ts';\nexport const forOthers = 1;",
      'src/lazy.ts': 'export const run = 1;',
      'src/c.ts': "await import('./lazy.ts');",
    };
    const signature =
      'export interface Answer {}\nexport interface Inner {}\nexport function run(): Answer { let x: Inner; }';
    const taken = { 'src/d.ts': signature, 'src/e.ts': "import { run } from './d.ts';" };
    expect(findUnusedExports({ sources: taken, users: {}, entries: [] })).toEqual(['src/d.ts: Inner']);
    const users = { 'scripts/s.ts': "import { byScript } from '../src/a.ts';" };
    expect(findUnusedExports({ sources, users, entries: ['src/index.ts'] })).toEqual([
      'src/a.ts: unused',
      'src/a.ts: T',
      'src/b.ts: C',
    ]);
  });

  it('an export without a doc comment; a type derived from a value and a declaration with a summary need none', () => {
    const text = [
      '/** Words. */',
      'export const a = 1;',
      '// Not a doc comment.',
      'export const b = 1;',
      'export type B = typeof b;',
      'export interface C {}',
      "export const f = defineCommand({ name: 'f', summary: 'Does it.' });",
      'const inner = 1;',
      "export { d } from './d.ts';",
    ].join('\n');
    expect(findUndocumentedExports({ 'a.ts': text })).toEqual(['a.ts: b', 'a.ts: C']);
  });

  it('leftover markers and tests that are switched off', () => {
    const text = '// TODO later\nit.only(\nverifies.skip(\nconst todo = 1;\ndescribe(';
    expect(findMarkers({ 'a.ts': text })).toHaveLength(3);
  });

  it('paths of one machine, but neither addresses nor examples of a root', () => {
    const text = [
      "'/home/maria/x'",
      '/Users/maria',
      "'C:\\\\Users\\\\maria'",
      'example.org/home/x',
      '/srv/x',
      '~/x',
    ].join('\n');
    expect(findMachinePaths({ 'a.ts': text })).toHaveLength(3);
  });
});
