import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { FileReference } from '../../packages/batonpass/src/core/content.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { compareFiles } from '../../packages/batonpass/src/workspace/drift/drift.ts';
import { createFileReader } from '../../packages/batonpass/src/workspace/drift/file.ts';
import { measureFiles } from '../../packages/batonpass/src/workspace/drift/file-facts.ts';
import { countLineChanges } from '../../packages/batonpass/src/workspace/drift/lines.ts';
import { startTimeBudget } from '../../packages/batonpass/src/workspace/drift/time.ts';
import { openWorkspace } from '../../packages/batonpass/src/workspace/project.ts';
import { SessionBench } from '../operations/session-bench.ts';
import { verifies } from '../verifies.ts';
import { createDriftStages, type DriftStage, driftIn, lines } from './drift-stage.ts';

const { at, create, newFolder } = createDriftStages();
const path = process.env.PATH;

afterEach(() => {
  process.env.PATH = path;
});

/** The git commands that the tests let wait for ever: on a pipe without a writer, and only one signal ends it. */
function blockGit(words: string): () => string[] {
  const folder = newFolder();
  const [pipe, log, real] = [join(folder, 'pipe'), join(folder, 'log'), whichGit()];
  execFileSync('mkfifo', [pipe]);
  at(folder).write({
    git: [
      '#!/bin/sh',
      `echo "$*" >> '${log}'`,
      `case "$*" in *${words}*) trap '' TERM; while :; do read -r line < '${pipe}' || exit 1; done;; esac`,
      `exec '${real}' "$@"`,
      '',
    ].join('\n'),
  });
  at(folder).mode('git', 0o755);
  process.env.PATH = `${folder}${delimiter}${path}`;
  return () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
}

function whichGit(): string {
  return execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
}

/** One file of each fate, with what is known of them from before. */
function changeFiles(): { stage: DriftStage; files: FileReference[] } {
  const stage = create();
  const names = ['kept.ts', 'edited.ts', 'moved.ts', 'away.ts', 'deleted.ts', 'crlf.ts', 'dirty.ts'];
  stage.commit({ '.gitattributes': '', ...Object.fromEntries(names.map((name) => [name, lines(20, name)])) });
  stage.write({ 'dirty.ts': lines(21, 'dirty.ts') });
  const files = stage.refer(names);
  stage.git('mv', 'moved.ts', 'there.ts');
  for (const name of ['away.ts', 'deleted.ts']) stage.remove(name);
  stage.write({ 'edited.ts': lines(22), 'untracked.ts': lines(20, 'away.ts') });
  stage.write({ 'crlf.ts': lines(20, 'crlf.ts').replaceAll('\n', '\r\n'), 'dirty.ts': lines(20, 'dirty.ts') });
  stage.git('config', 'core.autocrlf', 'input');
  return { stage, files };
}

const verdicts = {
  'kept.ts': 'unchanged',
  'edited.ts': 'edited',
  'moved.ts': 'renamed',
  'away.ts': 'renamed',
  'deleted.ts': 'deleted',
  'crlf.ts': 'unchanged',
  'dirty.ts': 'uncommitted-and-missing',
};

/** The verdicts within so much time; an unknown one by its reason. */
function judgeWithin(time_ms: number, folder: string, files: readonly FileReference[]): Record<string, string> {
  const reader = createFileReader(folder, startTimeBudget(time_ms));
  const drift = compareFiles(openWorkspace(folder), files, reader);
  return Object.fromEntries(drift.map((file) => [file.path, file.reason ?? file.verdict]));
}

verifies(
  ['DRIFT.time', 'DRIFT.never-false'],
  'a git that never answers is asked once, and all its facts are unknown',
  () => {
    const { stage, files } = changeFiles();
    expect(judgeWithin(600_000, stage.folder, files)).toEqual(verdicts);
    const asked = blockGit('');
    // Whether the first file was read within so little time is the machine's affair.
    const { 'kept.ts': kept, ...others } = judgeWithin(50, stage.folder, files);
    expect(['unchanged', 'out-of-time']).toContain(kept);
    expect(new Set(Object.values(others))).toEqual(new Set(['out-of-time']));
    expect(asked().length).toBeLessThan(2);
    process.env.PATH = path;
    expect(judgeWithin(600_000, stage.folder, files)).toEqual(verdicts);
  },
);

const questions = ['check-attr', 'cat-file', 'config', 'diff-index', '--cached', '--others', 'merge-base'];

verifies(['DRIFT.time', 'DRIFT.never-false'], 'whichever question is the slow one, no verdict is a guess', () => {
  const { stage, files } = changeFiles();
  for (const word of questions) {
    blockGit(word);
    const found = judgeWithin(250, stage.folder, files);
    for (const [name, verdict] of Object.entries(found)) {
      expect([verdicts[name as keyof typeof verdicts], 'out-of-time'], `${name}, ${word}`).toContain(verdict);
    }
    process.env.PATH = path;
  }
});

verifies(['DRIFT.time'], 'what is gone is no other branch’s while the history is not read', () => {
  const stage = create();
  stage.commit({ 'a.ts': lines(5) });
  const files = stage.refer(['a.ts']);
  stage.remove('a.ts');
  stage.commit();
  const asked = blockGit('merge-base');
  expect(judgeWithin(1_000, stage.folder, files)).toEqual({ 'a.ts': 'out-of-time' });
  expect(asked().at(-1)).toContain('merge-base');
});

verifies(['DRIFT.time'], 'files that cannot be measured in time are recorded without what is not known', () => {
  const stage = create();
  stage.commit({ 'a.ts': 'a\n' });
  stage.write({ 'a.ts': 'a\r\n' });
  stage.git('config', 'core.autocrlf', 'input');
  const measure = (time_ms: number) =>
    measureFiles(openWorkspace(stage.folder), ['a.ts'], createFileReader(stage.folder, startTimeBudget(time_ms)));
  expect(measure(600_000).get('a.ts')).toMatchObject({ dirty: false });
  const [commit, blob] = [stage.git('rev-parse', 'HEAD'), stage.git('hash-object', '--no-filters', 'a.ts')];
  blockGit('config');
  expect(measure(1_000).get('a.ts')).toEqual({ commit: commit.trim(), blob: blob.trim(), mode: '100644' });
  blockGit('');
  expect(measure(50).size).toBe(0);
});

verifies(
  ['DRIFT.time'],
  'a session starts with its handoff within the time of its hook, although git does not answer',
  async () => {
    const bench = new SessionBench();
    try {
      at(bench.folder).write({ 'a.ts': 'a\n' });
      const baton = await bench.open();
      const content = { summary: 'Half done.', files: ['a.ts'] };
      const { id } = await baton.run('handoff.create', { content });
      at(bench.folder).write({ 'a.ts': 'b\n' });
      const asked = blockGit('check-attr');
      const { text, handoff_id } = await bench.start(baton, 'session-1');
      expect(handoff_id).toBe(id);
      expect(text).toContain('a.ts unknown: the comparison timed out');
      expect(asked().filter((words) => words.includes('check-attr'))).toHaveLength(1);
    } finally {
      await bench.close();
    }
  },
  limits.hook_ms,
);

verifies(['DRIFT.time', 'DRIFT.unknown'], 'reading stops where the time ends, and begins nothing more', () => {
  const stage = create();
  const names = Array.from({ length: 40 }, (_, index) => `${index}.ts`);
  stage.commit(Object.fromEntries(names.map((name) => [name, lines(3, name)])));
  const files = stage.refer(names);
  stage.remove('39.ts');
  let now_ms = 0;
  const time = startTimeBudget(1_000, () => {
    now_ms += 20;
    return now_ms;
  });
  const asked = blockGit('');
  const drift = compareFiles(openWorkspace(stage.folder), files, createFileReader(stage.folder, time));
  const read = drift.findIndex(({ verdict }) => verdict !== 'unchanged');
  expect(read).toBeGreaterThan(0);
  expect(new Set(drift.slice(read).map(({ reason }) => reason))).toEqual(new Set(['out-of-time']));
  expect(asked()).toEqual([]);
  process.env.PATH = path;
  expect(driftIn(stage.folder, files).filter(({ verdict }) => verdict === 'unchanged')).toHaveLength(39);
});

verifies(['DRIFT.time'], 'lines that there is no time to count are not counted, and not mentioned', () => {
  const [then, now] = [Buffer.from(lines(900)), Buffer.from(lines(900, 'other'))];
  expect(countLineChanges(then, now)).toMatchObject({ added: 900, removed: 900 });
  expect(countLineChanges(then, now, { time: { left_ms: () => 0 } })).toBeNull();
  let looks = 0;
  // Time for the difference, and none for the search of the named lines.
  const time = { left_ms: () => (looks++ === 0 ? 60_000 : 0) };
  const [before, after] = ['a\nx\nb\nc\n', 'y\na\nb\nc\nz\n'].map((text) => Buffer.from(text));
  if (before === undefined || after === undefined) throw new Error('no texts');
  expect(countLineChanges(before, after, { lines: '2' })?.touches).toBe(true);
  expect(countLineChanges(before, after, { lines: '2', time })?.touches).toBeNull();
});
