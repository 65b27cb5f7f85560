import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { expect } from 'vitest';
import { createFolders } from '../stores/folders.ts';
import { root } from '../tidy/source-files.ts';
import { verifies } from '../verifies.ts';

const createFolder = createFolders();
const built = join(root, 'packages/batonpass/dist/library');
const run = promisify(execFile);

/** What the compiler says of a program, by line; nothing where it compiles. */
function compile(name: string, text: string, options: ts.CompilerOptions = {}): { line: number; says: string }[] {
  const folder = createFolder();
  // As where a user has installed it.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, name);
  writeFileSync(file, text);
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
    ...options,
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0, file: found }) => ({
    line: found?.getLineAndCharacterOfPosition(start).line ?? -1,
    says: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }));
}

const imports = `import { HandOffService } from 'batonpass/queue';
import { formatTimestamp, getNextVersion, nextHandoffFile, parseHandoffFile, writeHandoffFile, 
  type BaseFrontmatter, type Confidence, type FindingsFrontmatter, type HandoffFile, type HandoffStatus, type HandoffType,
  type PlanFrontmatter, type ProblemFrontmatter } from 'batonpass/files';
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(): T => true as T;
`;

const exact = `${imports}
is<Same<HandoffType, 'findings' | 'plan' | 'problem'>>();
is<Same<HandoffStatus, 'complete' | 'partial' | 'failed'>>();
is<Same<Confidence, 'high' | 'medium' | 'low'>>();
is<Same<BaseFrontmatter['version' | 'created' | 'phase' | 'agent'], string>>();
is<Same<keyof BaseFrontmatter, 'version' | 'type' | 'status' | 'created' | 'phase' | 'agent'>>();
is<Same<[BaseFrontmatter['type'], BaseFrontmatter['status']], [HandoffType, HandoffStatus]>>();
is<Same<Exclude<keyof FindingsFrontmatter, keyof BaseFrontmatter>, 'confidence'>>();
is<Same<FindingsFrontmatter['confidence'], Confidence>>();
is<Same<Exclude<keyof PlanFrontmatter, keyof BaseFrontmatter>, 'tasks_created' | 'task_ids'>>();
is<Same<[PlanFrontmatter['tasks_created'], PlanFrontmatter['task_ids']], [number, string[]]>>();
is<Same<Exclude<keyof ProblemFrontmatter, keyof BaseFrontmatter>, 'severity' | 'related_task'>>();
is<Same<[ProblemFrontmatter['severity'], ProblemFrontmatter['related_task']], ['blocker' | 'warning' | 'info', string]>>();
is<Same<[HandoffFile<PlanFrontmatter>['frontmatter'], HandoffFile<1>['body']], [PlanFrontmatter, string]>>();
is<FindingsFrontmatter | PlanFrontmatter | ProblemFrontmatter extends BaseFrontmatter ? true : false>();
is<Same<Parameters<typeof parseHandoffFile>, [path: string]>>();
is<Same<Awaited<ReturnType<typeof parseHandoffFile<PlanFrontmatter>>>, HandoffFile<PlanFrontmatter>>>();
is<Same<Parameters<typeof writeHandoffFile<PlanFrontmatter>>, [dir: string, frontmatter: PlanFrontmatter, body: string]>>();
is<Same<ReturnType<typeof writeHandoffFile>, Promise<string>>>();
is<Same<Parameters<typeof getNextVersion>, [dir: string, type: HandoffType]>>();
is<Same<ReturnType<typeof getNextVersion>, Promise<string>>>();
is<Same<ReturnType<typeof formatTimestamp>, string>>();
const read = await parseHandoffFile('findings-001.md');
is<Same<typeof read.frontmatter, FindingsFrontmatter | PlanFrontmatter | ProblemFrontmatter>>();
if (read.frontmatter.type === 'plan') is<Same<typeof read.frontmatter, PlanFrontmatter>>();
const queue = new HandOffService(':memory:');
const claimed = await queue.claimHandoff<{ summary: string }>('task');
is<Same<NonNullable<typeof claimed>['payload'], { summary: string }>>();
const nothing: Parameters<typeof formatTimestamp> = [];
is<Same<ReturnType<typeof nextHandoffFile>, Promise<string>>>();
export { nothing };
`;

verifies(
  [
    'HF.type.handoff-type',
    'HF.type.handoff-status',
    'HF.type.confidence',
    'HF.type.base',
    'HF.type.findings',
    'HF.type.plan',
    'HF.type.problem',
    'HF.type.file',
    'HF.truth.types',
    'HF.artifact.types',
    'HF.artifact.functions',
    'HF.success.protocol',
    'HF.success.compiles',
    'HF.task1.compiles',
    'HF.task1.interfaces-shown',
    'HF.task2.compiles',
    'HF.task2.signatures',
    'HF.task3.compiles',
    'HF.task3.built-types',
    'HF.verification.types-built',
  ],
  'a program of a user compiles against the built package, and its types are exactly those of source 1',
  () => {
    expect(existsSync(join(built, 'files.d.mts'))).toBe(true);
    expect(compile('exact.mts', exact)).toEqual([]);
  },
  60_000,
);

verifies(
  ['HF.truth.types'],
  'a program of Node compiles without the types of a browser, with the declarations themselves checked',
  () => {
    const options = { lib: ['lib.es2024.d.ts'], types: ['node'], skipLibCheck: false };
    expect(compile('node.mts', exact, options)).toEqual([]);
  },
  60_000,
);

verifies(
  ['HF.truth.types'],
  'what an editor shows of an export names no document that its reader does not have',
  () => {
    const declarations = readdirSync(built).filter((name) => name.endsWith('.d.mts'));
    expect(declarations.length).toBeGreaterThan(5);
    for (const name of declarations)
      expect(readFileSync(join(built, name), 'utf8'), name).not.toMatch(/\bsource [1-5]\b/i);
  },
);

verifies(
  ['HF.truth.types', 'HF.task1.done'],
  'what breaks the protocol does not compile',
  () => {
    const base = "version: '001', status: 'complete', created: '', phase: '', agent: ''";
    const wrong = [
      `const a: FindingsFrontmatter = { type: 'findings', ${base}, confidence: 'sure' };`,
      `const b: FindingsFrontmatter = { type: 'findings', ${base} };`,
      `const c: PlanFrontmatter = { type: 'plan', ${base}, tasks_created: '1', task_ids: [] };`,
      `const d: ProblemFrontmatter = { type: 'problem', ${base}, severity: 'high', related_task: 'a' };`,
      `const e: BaseFrontmatter = { type: 'notes', ${base} };`,
      `const f: HandoffFile<PlanFrontmatter> = { frontmatter: 1, body: '' };`,
      `const g: Promise<string> = getNextVersion('.', 'notes');`,
      `const h: Promise<string> = writeHandoffFile('.', 42, '');`,
      `const i: Promise<string> = nextHandoffFile('.', { type: 'plan' }, '');`,
    ];
    const first = imports.split('\n').length - 1;
    const said = compile('wrong.mts', imports + wrong.join('\n'));
    expect(said.map(({ line }) => line - first)).toEqual(wrong.map((_, index) => index));
  },
  60_000,
);

verifies(
  ['HF.task1.library-installed', 'HF.success.library', 'HF.link.front-matter'],
  'the library that reads YAML is a dependency and installed; the departure from gray-matter is documented',
  () => {
    const manifest = JSON.parse(readFileSync(join(root, 'packages/batonpass/package.json'), 'utf8'));
    expect(manifest.dependencies).toHaveProperty('yaml');
    expect(manifest.dependencies).not.toHaveProperty('gray-matter');
    expect(createRequire(join(root, 'packages/batonpass/package.json')).resolve('yaml')).toContain('node_modules');
    expect(readFileSync(join(root, 'docs/handoff-files.md'), 'utf8')).toMatch(/gray-matter/);
  },
);

verifies(
  [
    'HF.task2.exists',
    'HF.task3.builds',
    'HF.task3.built-functions',
    'HF.task3.done',
    'HF.task3.exported',
    'HF.success.exports',
    'HF.verification.build',
    'HF.verification.functions-built',
    'HF.verification.esm',
  ],
  'the built package is an ES module that offers the functions by its name',
  async () => {
    const script = `
      import * as library from 'batonpass/files';
      const names = ['parseHandoffFile', 'writeHandoffFile', 'getNextVersion', 'formatTimestamp', 'nextHandoffFile'];
      console.log(JSON.stringify([names.map((name) => typeof library[name]), import.meta.resolve('batonpass/files')]));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: root });
    const [kinds, place] = JSON.parse(stdout);
    expect(kinds).toEqual(Array(5).fill('function'));
    expect(place).toMatch(/dist\/library\/files\.mjs$/);
    expect(existsSync(join(root, 'packages/batonpass/src/handoff-files/write-handoff-file.ts'))).toBe(true);
  },
);

verifies(
  ['HF.task4.runs', 'HF.task4.passed-line', 'HF.task4.cleans-up', 'HF.task4.done', 'HF.task3.cli-unchanged'],
  "the source's round-trip script runs unchanged, by tsx against the built package, and leaves nothing behind",
  async () => {
    const source = readFileSync(join(import.meta.dirname, 'source-1-round-trip.txt'), 'utf8');
    const [, folder = ''] = /const testDir = '(.+)';/.exec(source) ?? [];
    const script = source.replace(/'\.\/(?:utils|types)\/handoff\.js'/g, "'batonpass/files'");
    const { stdout, stderr } = await run(join(root, 'node_modules/.bin/tsx'), ['--eval', script], { cwd: root });
    expect(stdout).toMatch(/^Written to: .*findings-001\.md$/m);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Round-trip test PASSED');
    expect(stderr).toBe('');
    expect(existsSync(folder)).toBe(false);
    const command = join(root, 'packages/batonpass/bin/baton.js');
    const { stdout: version } = await run(process.execPath, [command, '--version'], { cwd: createFolder() });
    expect(version).toMatch(/^\d+\.\d+\.\d+$/m);
  },
  60_000,
);
