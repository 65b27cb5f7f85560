import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { createDriftStages, driftIn, lines, verdictsIn } from './drift-stage.ts';

const { create, at, newFolder } = createDriftStages();

verifies(['DRIFT.facts'], 'clean, changed, untracked, ignored and executable files are recorded as they are', () => {
  const stage = create();
  const commit = stage.commit({ 'a.ts': 'a\n', 'run.sh': 'x\n', '.gitignore': 'out/\n' });
  stage.write({ 'b.ts': 'b\n', 'out/c.js': 'c\n' });
  stage.mode('run.sh', 0o755);
  stage.link('link', 'a.ts');
  const facts = Object.fromEntries(
    stage.refer(['a.ts', 'b.ts', 'out/c.js', 'run.sh', 'link', 'gone.ts', 'out']).map(({ path, git }) => [path, git]),
  );
  const hash = (path: string) => stage.git('hash-object', path).trim();
  expect(facts).toEqual({
    'a.ts': { commit, blob: hash('a.ts'), dirty: false, mode: '100644' },
    'b.ts': { commit, blob: hash('b.ts'), dirty: true, mode: '100644' },
    'out/c.js': { commit, blob: hash('out/c.js'), dirty: true, mode: '100644' },
    'run.sh': { commit, blob: hash('run.sh'), dirty: false, mode: '100755' },
    link: { commit, blob: expect.stringMatching(/^[0-9a-f]{40}$/), dirty: true, mode: '120000' },
    'gone.ts': undefined,
    out: undefined,
  });
  stage.write({ 'a.ts': 'aa\n' });
  expect(stage.refer(['a.ts'])[0]?.git).toEqual({ commit, blob: hash('a.ts'), dirty: true, mode: '100644' });
});

verifies(['DRIFT.facts', 'DRIFT.unchanged'], 'a repository without a commit, and one that hashes with SHA-256', () => {
  const empty = create();
  empty.write({ 'a.ts': 'a\n' });
  const files = empty.refer(['a.ts']);
  expect(files[0]?.git).toMatchObject({ dirty: true, mode: '100644' });
  expect(files[0]?.git).not.toHaveProperty('commit');
  expect(verdictsIn(empty.folder, files)).toEqual({ 'a.ts': 'unchanged' });
  empty.remove('a.ts');
  expect(verdictsIn(empty.folder, files)).toEqual({ 'a.ts': 'uncommitted-and-missing' });

  const long = create(['init', '--quiet', '--object-format=sha256', '.']);
  long.write({ 'a.ts': lines(3) });
  expect(long.refer(['a.ts'])[0]?.git?.blob).toHaveLength(64);
  long.commit();
  const committed = long.refer(['a.ts']);
  long.commit({ 'a.ts': lines(4) });
  expect(driftIn(long.folder, committed)).toMatchObject([{ verdict: 'edited', lines_added: 1, lines_removed: 0 }]);
});

verifies(['DRIFT.edited'], 'an edit is counted in lines, committed or not, and the named lines are checked', () => {
  const stage = create();
  stage.commit({ 'a.ts': lines(60) });
  const [whole] = stage.refer(['a.ts']);
  if (whole === undefined) throw new Error('no reference');
  const referTo = (named: string) => ({ ...whole, git: { ...whole.git, lines: named } });
  stage.write({ 'a.ts': lines(60).replace('line 20\n', 'changed\nand more\n').replace('line 30\n', '') });
  const found = (named: string) => driftIn(stage.folder, [referTo(named)])[0];
  expect(found('20')).toEqual({
    id: 'f1',
    path: 'a.ts',
    verdict: 'edited',
    lines: '20',
    lines_added: 2,
    lines_removed: 2,
    touches_lines: true,
  });
  const named = ['1-19', '31-60', '10-40', '30', '22-25', '5, 20', '61-70', 'all of it'];
  expect(named.map((text) => found(text)?.touches_lines)).toEqual([
    false,
    false,
    true,
    true,
    undefined,
    true,
    undefined,
    undefined,
  ]);
  stage.commit();
  expect(found('20')).toMatchObject({ lines_added: 2, lines_removed: 2, touches_lines: true });
});

verifies(['DRIFT.edited'], 'binary files, modes, links in place of files and the other way round', () => {
  const stage = create();
  stage.commit({ 'a.bin': Buffer.from([0, 1, 2]), 'run.sh': 'x\n', file: 'same', 'other.ts': 'y\n' });
  stage.link('link', 'same');
  stage.commit();
  const files = stage.refer(['a.bin', 'run.sh', 'file', 'link', 'other.ts']);
  stage.write({ 'a.bin': Buffer.from([0, 1, 3]) });
  stage.mode('run.sh', 0o755);
  for (const path of ['file', 'link', 'other.ts']) stage.remove(path);
  stage.link('file', 'same');
  stage.write({ link: 'same' });
  mkdirSync(join(stage.folder, 'other.ts'));
  expect(driftIn(stage.folder, files).map(({ id: _id, ...rest }) => rest)).toEqual([
    { path: 'a.bin', verdict: 'edited' },
    { path: 'run.sh', verdict: 'edited', mode_changed: true },
    { path: 'file', verdict: 'edited', became: 'link' },
    { path: 'link', verdict: 'edited', became: 'file' },
    { path: 'other.ts', verdict: 'deleted', became: 'folder' },
  ]);
  stage.git('config', 'core.fileMode', 'false');
  expect(verdictsIn(stage.folder, files)['run.sh']).toBe('unchanged');
});

verifies(
  ['DRIFT.renamed'],
  'a file is found again where it was moved, committed, staged or without telling git',
  () => {
    const stage = create();
    const names = ['one.ts', 'two.ts', 'three.ts', 'four.ts', 'old.ts'];
    stage.commit(Object.fromEntries(names.map((name) => [name, lines(30, name)])));
    stage.write({ 'new.ts': lines(20, 'never committed') });
    const files = stage.refer([...names, 'new.ts']);
    stage.git('mv', 'one.ts', 'first.ts');
    stage.git('mv', 'four.ts', 'fourth.ts');
    renameSync(join(stage.folder, 'new.ts'), join(stage.folder, 'src.ts'));
    stage.commit({ 'fourth.ts': `${lines(30, 'four.ts')}more\n` });
    mkdirSync(join(stage.folder, 'lib'));
    stage.git('mv', 'two.ts', 'lib/two.ts');
    renameSync(join(stage.folder, 'three.ts'), join(stage.folder, 'lib/three.ts'));
    stage.git('rm', '--quiet', 'old.ts');
    expect(
      driftIn(stage.folder, files).map(({ verdict, renamed_to, is_edited }) => [verdict, renamed_to, is_edited]),
    ).toEqual([
      ['renamed', 'first.ts', false],
      ['renamed', 'lib/two.ts', false],
      ['renamed', 'lib/three.ts', false],
      ['renamed', 'fourth.ts', true],
      ['deleted', undefined, undefined],
      ['renamed', 'src.ts', false],
    ]);
  },
);

verifies(['DRIFT.renamed'], 'an empty file is never found again in another empty one', () => {
  const stage = create();
  stage.commit({ 'a.ts': '' });
  const files = stage.refer(['a.ts']);
  stage.remove('a.ts');
  stage.commit({ 'b.ts': '' });
  expect(verdictsIn(stage.folder, files)).toEqual({ 'a.ts': 'deleted' });
});

verifies(['DRIFT.deleted'], 'deleted in this history is not the same as never on this branch', () => {
  const stage = create();
  stage.commit({ 'a.ts': 'a\n' });
  stage.git('switch', '--quiet', '--create', 'feature');
  stage.commit({ 'b.ts': lines(5), 'c.ts': 'c\n' });
  const files = stage.refer(['a.ts', 'b.ts', 'c.ts']);
  stage.git('switch', '--quiet', 'main');
  stage.commit({ 'c.ts': 'another\n' });
  expect(verdictsIn(stage.folder, files)).toEqual({
    'a.ts': 'unchanged',
    'b.ts': 'not-on-this-branch',
    'c.ts': 'edited',
  });
  stage.git('switch', '--quiet', '--detach', 'feature');
  expect(new Set(Object.values(verdictsIn(stage.folder, files)))).toEqual(new Set(['unchanged']));
  stage.remove('b.ts');
  expect(verdictsIn(stage.folder, files)['b.ts']).toBe('deleted');
  stage.commit();
  expect(verdictsIn(stage.folder, files)['b.ts']).toBe('deleted');
});

verifies(
  ['DRIFT.uncommitted', 'DRIFT.unchanged'],
  'another work tree has what was committed, and misses the rest',
  () => {
    const stage = create();
    stage.commit({ 'a.ts': lines(5), 'b.ts': 'b\n', 'c.ts': lines(9) });
    stage.write({ 'a.ts': lines(6), 'new.ts': 'new\n' });
    const files = stage.refer(['a.ts', 'b.ts', 'new.ts', 'c.ts']);
    const second = at(join(newFolder(), 'second'));
    stage.git('worktree', 'add', '--quiet', '--detach', second.folder);
    second.write({ 'c.ts': lines(8) });
    expect(verdictsIn(second.folder, files)).toEqual({
      'a.ts': 'uncommitted-and-missing',
      'b.ts': 'unchanged',
      'new.ts': 'uncommitted-and-missing',
      'c.ts': 'edited',
    });
    stage.commit();
    second.git('checkout', '--quiet', '--force', 'main', '--detach');
    expect(new Set(Object.values(verdictsIn(second.folder, files)))).toEqual(new Set(['unchanged']));
  },
);

verifies(['DRIFT.uncommitted'], 'an uncommitted edit that a move left behind is missing, not renamed', () => {
  const stage = create();
  stage.commit({ 'a.ts': lines(20) });
  stage.write({ 'a.ts': lines(21) });
  const files = stage.refer(['a.ts']);
  stage.git('checkout', '--quiet', '--', 'a.ts');
  stage.git('mv', 'a.ts', 'b.ts');
  expect(verdictsIn(stage.folder, files)).toEqual({ 'a.ts': 'uncommitted-and-missing' });
});

verifies(['DRIFT.unchanged', 'DRIFT.unknown'], 'a rebased branch and a shallow clone are compared by bytes', () => {
  const stage = create();
  stage.commit({ 'a.ts': 'a\n', 'b.ts': lines(5), 'c.ts': lines(5, 'c') });
  stage.git('switch', '--quiet', '--create', 'feature');
  stage.commit({ 'b.ts': lines(6), 'gone.ts': 'x\n' });
  const files = stage.refer(['a.ts', 'b.ts', 'c.ts', 'gone.ts']);
  stage.git('switch', '--quiet', 'main');
  stage.commit({ 'c.ts': lines(6, 'c') });
  stage.git('switch', '--quiet', 'feature');
  stage.git('rebase', '--quiet', 'main');
  const expected = { 'a.ts': 'unchanged', 'b.ts': 'unchanged', 'c.ts': 'edited' };
  expect(verdictsIn(stage.folder, files)).toEqual({ ...expected, 'gone.ts': 'unchanged' });
  stage.git('rm', '--quiet', 'gone.ts');
  stage.commit();
  const clone = create([]);
  clone.git('clone', '--quiet', '--depth=1', `file://${stage.folder}`, '.');
  expect(verdictsIn(clone.folder, files)).toEqual({ ...expected, 'gone.ts': 'unknown' });
  expect(driftIn(clone.folder, files)[3]?.reason).toBe('commit-absent');
  // The blob of then is not in the clone: edited, without a number.
  expect(driftIn(clone.folder, files)[2]).toEqual({ id: 'f3', path: 'c.ts', verdict: 'edited' });
});

verifies(['DRIFT.edited', 'DRIFT.never-false'], 'a merge conflict is an edit, and so are its marks', () => {
  const stage = create();
  stage.commit({ 'a.ts': lines(3) });
  stage.git('switch', '--quiet', '--create', 'other');
  stage.commit({ 'a.ts': lines(3).replace('2', 'two') });
  stage.git('switch', '--quiet', 'main');
  stage.commit({ 'a.ts': lines(3).replace('2', 'zwei') });
  const files = stage.refer(['a.ts']);
  expect(() => stage.git('merge', 'other')).toThrow();
  expect(driftIn(stage.folder, files)).toMatchObject([{ verdict: 'edited', lines_added: 4, lines_removed: 0 }]);
  stage.remove('a.ts');
  expect(verdictsIn(stage.folder, files)).toEqual({ 'a.ts': 'deleted' });
});

verifies(['DRIFT.never-false'], 'what git is configured to overlook is not overlooked', () => {
  const stage = create();
  stage.commit({ 'a.ts': 'aaaa\n', 'b.ts': 'bbbb\n', 'c.ts': 'cccc\n' });
  const files = stage.refer(['a.ts', 'b.ts', 'c.ts']);
  stage.git('update-index', '--assume-unchanged', 'a.ts');
  stage.git('update-index', '--skip-worktree', 'b.ts');
  // The same size within the same second: git's own index may not see it.
  stage.write({ 'a.ts': 'AAAA\n', 'b.ts': 'BBBB\n', 'c.ts': 'CCCC\n' });
  expect(verdictsIn(stage.folder, files)).toEqual({ 'a.ts': 'edited', 'b.ts': 'edited', 'c.ts': 'edited' });
});

verifies(['DRIFT.unknown'], 'a file that a sparse checkout leaves out is unknown', () => {
  const stage = create();
  stage.commit({ 'in/a.ts': 'a\n', 'out/b.ts': 'b\n' });
  const files = stage.refer(['in/a.ts', 'out/b.ts']);
  stage.git('sparse-checkout', 'set', 'in');
  expect(driftIn(stage.folder, files)).toMatchObject([
    { verdict: 'unchanged' },
    { verdict: 'unknown', reason: 'not-checked-out' },
  ]);
});

verifies(['DRIFT.submodules'], 'a file inside of a submodule has the submodule’s own history', () => {
  const library = create();
  library.commit({ 'lib.ts': lines(5), 'old.ts': lines(7, 'old') });
  const stage = create();
  stage.commit({ 'a.ts': 'a\n' });
  stage.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.folder, 'vendor/lib');
  stage.commit();
  const inside = at(join(stage.folder, 'vendor/lib'));
  const files = stage.refer(['a.ts', 'vendor/lib/lib.ts', 'vendor/lib/old.ts']);
  expect(files[1]?.git).toMatchObject({ commit: inside.git('rev-parse', 'HEAD').trim(), dirty: false });
  inside.git('mv', 'old.ts', 'new.ts');
  inside.commit({ 'lib.ts': lines(4) });
  expect(driftIn(stage.folder, files)).toMatchObject([
    { verdict: 'unchanged' },
    { verdict: 'edited', lines_added: 0, lines_removed: 1 },
    { verdict: 'renamed', renamed_to: 'vendor/lib/new.ts' },
  ]);
  stage.git('submodule', '--quiet', 'deinit', '--force', 'vendor/lib');
  expect(driftIn(stage.folder, files).slice(1)).toMatchObject([
    { verdict: 'unknown', reason: 'commit-absent' },
    { verdict: 'unknown', reason: 'commit-absent' },
  ]);
});

verifies(['DRIFT.no-git'], 'outside of git nothing is recorded; what was recorded is compared by its bytes', () => {
  const plain = create([]);
  plain.write({ 'a.ts': 'a\n' });
  const [file] = plain.refer(['a.ts'], '1-2');
  expect(file?.git).toEqual({ lines: '1-2' });
  expect(verdictsIn(plain.folder, plain.refer(['a.ts']))).toEqual({ 'a.ts': 'no-git' });
  const stage = create();
  stage.commit({ 'a.ts': 'a\n', 'b.ts': 'b\n', 'c.ts': 'c\n' });
  const files = stage.refer(['a.ts', 'b.ts', 'c.ts']);
  plain.write({ 'b.ts': 'other\n' });
  expect(verdictsIn(plain.folder, files)).toEqual({ 'a.ts': 'unchanged', 'b.ts': 'edited', 'c.ts': 'no-git' });
  const bare = create(['init', '--quiet', '--bare', '.']);
  expect(verdictsIn(bare.folder, files)).toEqual({ 'a.ts': 'no-git', 'b.ts': 'no-git', 'c.ts': 'no-git' });
});
