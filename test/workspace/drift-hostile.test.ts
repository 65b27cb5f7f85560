import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { FileReference } from '../../packages/batonpass/src/core/content.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { verifies } from '../verifies.ts';
import { createDriftStages, driftIn, lines, verdictsIn } from './drift-stage.ts';

const { create, at, newFolder } = createDriftStages();

afterEach(() => {
  delete process.env.GIT_TRACE2_EVENT;
});

const crlf = (text: string) => text.replaceAll('\n', '\r\n');

verifies(['DRIFT.line-ends'], 'line ends that git converts are no change, there and back', () => {
  const stage = create();
  stage.commit({ 'a.ts': lines(5), 'b.ts': lines(5), 'dirty.ts': lines(2) });
  const files = stage.refer(['a.ts', 'b.ts']);
  const windows = create([]);
  windows.git('clone', '--quiet', '--config', 'core.autocrlf=true', stage.folder, '.');
  expect(readFileSync(join(windows.folder, 'a.ts'), 'utf8')).toBe(crlf(lines(5)));
  windows.write({ 'b.ts': crlf(lines(6)) });
  expect(driftIn(windows.folder, files)).toMatchObject([
    { verdict: 'unchanged' },
    { verdict: 'edited', lines_added: 1, lines_removed: 0 },
  ]);
  windows.write({ 'dirty.ts': crlf(lines(3)) });
  const there = windows.refer(['a.ts', 'dirty.ts']);
  expect(there.map(({ git }) => git?.dirty)).toEqual([false, true]);
  expect(there[0]?.git?.blob).toBe(files[0]?.git?.blob);
  stage.write({ 'dirty.ts': lines(3) });
  expect(verdictsIn(stage.folder, there)).toEqual({ 'a.ts': 'unchanged', 'dirty.ts': 'unchanged' });
});

verifies(['DRIFT.line-ends', 'DRIFT.never-false'], 'line ends that git does not convert are a change', () => {
  const stage = create();
  const attributes = ['*.txt text', '*.raw -text', '*.auto text=auto', '*.utf working-tree-encoding=UTF-16'].join('\n');
  const names = ['a.txt', 'a.raw', 'a.auto', 'a.none', 'b.auto', 'c.auto', 'a.utf'];
  stage.commit({ '.gitattributes': `${attributes}\n` });
  stage.commit(
    Object.fromEntries(names.slice(0, 6).map((name) => [name, name === 'c.auto' ? 'a\n\u0001\n' : lines(3)])),
  );
  const files = stage.refer(names.slice(0, 6));
  stage.write(Object.fromEntries(names.slice(0, 4).map((name) => [name, crlf(lines(3))])));
  // A file that the index has with CRLF keeps it, where git guesses.
  const blob = execFileSync('git', ['hash-object', '-w', '--no-filters', '--stdin'], {
    cwd: stage.folder,
    input: crlf(lines(3)),
  });
  stage.git('update-index', '--cacheinfo', `100644,${blob.toString().trim()},b.auto`);
  stage.write({ 'b.auto': crlf(lines(3)), 'c.auto': 'a\r\n\u0001\r\n' });
  expect(verdictsIn(stage.folder, files)).toEqual({
    'a.txt': 'unchanged',
    'a.raw': 'edited',
    'a.auto': 'unchanged',
    'a.none': 'edited',
    'b.auto': 'edited',
    'c.auto': 'unknown',
  });
  stage.git('add', '--all');
  const stored = files.slice(0, 5).map(({ path }) => stage.git('rev-parse', `:${path}`).trim());
  const judged = files.slice(0, 5).map(({ git }, index) => git?.blob === stored[index]);
  expect(judged).toEqual([true, false, true, false, false]);
});

verifies(
  ['DRIFT.unknown', 'DRIFT.hostile-repository'],
  'what only a filter could decide is unknown, and no filter runs',
  () => {
    const stage = create();
    stage.commit({ '.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs\n', 'a.psd': 'as checked out\n' });
    const files = stage.refer(['a.psd']);
    const canary = join(stage.folder, 'canary');
    const run = `touch ${canary}; cat`;
    for (const name of ['clean', 'smudge', 'process']) stage.git('config', `filter.lfs.${name}`, run);
    expect(verdictsIn(stage.folder, files)).toEqual({ 'a.psd': 'unchanged' });
    stage.write({ 'a.psd': 'other bytes\n' });
    expect(driftIn(stage.folder, files)).toMatchObject([{ verdict: 'unknown', reason: 'filtered' }]);
    const [there] = stage.refer(['a.psd']);
    expect(there?.git).not.toHaveProperty('dirty');
    expect(verdictsIn(stage.folder, there === undefined ? [] : [there])).toEqual({ 'a.psd': 'unchanged' });
    expect(existsSync(canary)).toBe(false);
  },
);

verifies(['DRIFT.hostile-repository'], 'no program of the configuration, of hooks or of a submodule runs', () => {
  const stage = create();
  const canary = join(newFolder(), 'canary');
  const program = join(stage.folder, '.git', 'evil');
  writeFileSync(program, `#!/bin/sh\ntouch ${canary}\n`);
  chmodSync(program, 0o755);
  const files = ['edited.ts', 'moved.ts', 'gone.ts', 'kept.ts'];
  stage.commit({
    ...Object.fromEntries(files.map((name) => [name, lines(30, name)])),
    '.gitattributes': '* filter=evil diff=evil merge=evil\n',
  });
  const library = create();
  library.commit({ 'lib.ts': 'x\n' });
  stage.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.folder, 'lib');
  stage.commit();
  const references = stage.refer([...files, 'lib/lib.ts']);
  stage.git('mv', 'moved.ts', 'there.ts');
  stage.remove('gone.ts');
  stage.write({ 'edited.ts': lines(31), 'there.ts': `${lines(30, 'moved.ts')}x\n`, 'lib/lib.ts': 'y\n', 'x.ts': 'x' });
  const settings = ['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'core.askPass', 'diff.external'];
  settings.push('diff.evil.command', 'diff.evil.textconv', 'filter.evil.clean', 'filter.evil.process', 'gpg.program');
  settings.push('filter.evil.smudge', 'credential.helper', 'core.alternateRefsCommand', 'uploadpack.packObjectsHook');
  const inside = at(join(stage.folder, 'lib'));
  for (const name of settings) {
    stage.git('config', name, program);
    inside.git('config', name, program);
  }
  // A remote that promises objects which are not here would be asked for them.
  stage.git('config', 'remote.origin.url', `ext::${program}`);
  stage.git('config', 'remote.origin.promisor', 'true');
  stage.git('config', 'protocol.ext.allow', 'always');
  stage.git('config', 'extensions.partialClone', 'origin');
  stage.git('config', 'core.repositoryFormatVersion', '1');
  for (const hook of ['post-index-change', 'post-checkout', 'reference-transaction', 'fsmonitor-watchman']) {
    writeFileSync(join(stage.folder, '.git/hooks', hook), readFileSync(program), { mode: 0o755 });
  }
  const absent = {
    ...references[0],
    id: 'f9',
    git: { ...references[0]?.git, blob: '1'.repeat(40), commit: '2'.repeat(40) },
  };
  driftIn(stage.folder, [...references, absent as FileReference]);
  stage.refer([...files, 'there.ts', 'x.ts', 'lib/lib.ts']);
  expect(existsSync(canary)).toBe(false);
});

const refused = [
  '/etc/hostname',
  '../outside.ts',
  'src/../../outside.ts',
  '.git/config',
  'src/.GIT/x',
  'a\0b',
  '\ud800',
];

verifies(['DRIFT.refused'], 'paths that lead out of the work tree are neither measured nor read', () => {
  const stage = create(['init', '--quiet', 'inner']);
  const inner = at(join(stage.folder, 'inner'));
  stage.write({ 'outside.ts': 'secret\n' });
  inner.commit({ 'src/a.ts': 'secret\n' });
  inner.link('way', '..');
  const [known] = inner.refer(['src/a.ts']);
  for (const path of [...refused, 'way/outside.ts']) expect(inner.refer([path])[0]).not.toHaveProperty('git');
  const files = refused.map((path, index) => ({ ...known, id: `f${index}`, path }) as FileReference);
  expect(driftIn(inner.folder, files).map(({ verdict, reason }) => [verdict, reason])).toEqual(
    refused.map(() => ['unknown', 'path-refused']),
  );
  // The same bytes are behind the link; the file that was in the work tree is not.
  expect(verdictsIn(inner.folder, [{ ...known, path: 'way/outside.ts' } as FileReference])).toEqual({
    'way/outside.ts': 'unknown',
  });
});

verifies(['DRIFT.refused'], 'a pipe is never opened, and a large file not read', () => {
  const stage = create();
  stage.commit({ pipe: 'x\n', 'a.bin': 'x\n' });
  const files = stage.refer(['pipe', 'a.bin']);
  stage.remove('pipe');
  execFileSync('mkfifo', [join(stage.folder, 'pipe')]);
  execFileSync('truncate', ['--size', String(limits.drift_file_bytes_max + 1), join(stage.folder, 'a.bin')]);
  expect(driftIn(stage.folder, files)).toMatchObject([
    { verdict: 'deleted', became: 'special' },
    { verdict: 'unknown', reason: 'too-large' },
  ]);
  expect(stage.refer(['pipe', 'a.bin']).map(({ git }) => git)).toEqual([undefined, undefined]);
});

const odd = ['with space.ts', ' lead', "it's.ts", '"quoted".ts', 'line\nbreak.ts', '-leading', '--output=x', ':(top)x'];
odd.push(
  '*.ts',
  'back\\slash.ts',
  'tab\t.ts',
  'ünï/çødé.ts',
  '日本.ts',
  'A.ts',
  'a.ts',
  '~',
  '#',
  'a{b}',
  'HEAD',
  '@{1}',
);

verifies(['DRIFT.unchanged', 'DRIFT.edited', 'DRIFT.renamed'], 'names of every kind are distinguished', () => {
  const stage = create();
  stage.commit(Object.fromEntries(odd.map((name, index) => [name, lines(9, `${index} ${JSON.stringify(name)}`)])));
  const files = stage.refer(odd);
  expect(files.map(({ git }) => git?.dirty)).toEqual(odd.map(() => false));
  expect(Object.values(verdictsIn(stage.folder, files))).toEqual(odd.map(() => 'unchanged'));
  for (const name of odd) stage.git('mv', '--', `./${name}`, `./to ${name.replaceAll('/', '-')}`);
  expect(driftIn(stage.folder, files).map(({ renamed_to }) => renamed_to)).toEqual(
    odd.map((name) => `to ${name.replaceAll('/', '-')}`),
  );
  stage.git('reset', '--quiet', '--hard');
  for (const name of odd) stage.write({ [name]: 'other\n' });
  expect(driftIn(stage.folder, files).map(({ verdict, lines_removed }) => [verdict, lines_removed])).toEqual(
    odd.map(() => ['edited', 9]),
  );
});

verifies(['DRIFT.unknown'], 'a record of another’s making is not handed to git', () => {
  const stage = create();
  stage.commit({ 'a.ts': 'a\n' });
  const [file] = stage.refer(['a.ts']) as [FileReference];
  const forged = [
    { commit: '--output=canary' },
    { blob: 'HEAD:a.ts' },
    { blob: `${'0'.repeat(39)}\n` },
    { commit: 'main' },
  ];
  const files = forged.map((facts) => ({ ...file, git: { ...file.git, ...facts } }));
  expect(driftIn(stage.folder, files).map(({ reason }) => reason)).toEqual(forged.map(() => 'no-record'));
  expect(readdirSync(stage.folder).sort()).toEqual(['.git', 'a.ts']);
});

verifies(['DRIFT.unknown'], 'a repository that git does not answer for leaves its facts unknown', () => {
  const stage = create();
  stage.commit({ 'a.ts': 'a\n', 'b.ts': 'b\n', 'c.ts': 'c\n' });
  const files = stage.refer(['a.ts', 'b.ts', 'c.ts']);
  stage.write({ 'b.ts': 'bb\n', '.git/HEAD': 'nonsense' });
  stage.remove('c.ts');
  expect(driftIn(stage.folder, files).map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ['unchanged', undefined],
    ['unknown', 'git-silent'],
    ['unknown', 'git-silent'],
  ]);
  expect(stage.refer(['a.ts'])[0]).not.toHaveProperty('git');
});

/** The git commands that a piece of work starts. */
function countGit(work: () => void): number {
  const trace = join(newFolder(), 'trace');
  process.env.GIT_TRACE2_EVENT = trace;
  work();
  delete process.env.GIT_TRACE2_EVENT;
  return existsSync(trace)
    ? readFileSync(trace, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"event":"start"')).length
    : 0;
}

verifies(['DRIFT.cost'], 'the number of git processes does not grow with the number of files', () => {
  const stage = create();
  const names = Array.from({ length: 60 }, (_, index) => `src/${index}.ts`);
  stage.commit(Object.fromEntries(names.map((name) => [name, lines(5, name)])));
  const count = (compared: readonly FileReference[]) => countGit(() => driftIn(stage.folder, compared));
  expect(countGit(() => stage.refer(names))).toBe(1);
  expect(countGit(() => stage.refer([]))).toBe(0);
  const files = stage.refer(names);
  expect(count(files)).toBe(0);
  stage.write({ 'src/0.ts': 'x\n', '.git/index.lock': '' });
  expect(count(files)).toBe(2);
  stage.write(Object.fromEntries(names.slice(0, 30).map((name) => [name, 'x\n'])));
  expect(count(files)).toBe(2);
  for (const name of names.slice(20)) stage.remove(name);
  expect(count(files)).toBe(5);
  stage.remove('.git/index.lock');
  stage.commit();
  expect(count(files)).toBe(5);
  const index = join(stage.folder, '.git/index');
  const { mtimeMs } = statSync(index);
  driftIn(stage.folder, files);
  expect(statSync(index).mtimeMs).toBe(mtimeMs);
});
