import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileReference } from '../packages/batonpass/src/core/content.ts';
import { compareFiles } from '../packages/batonpass/src/workspace/drift/drift.ts';
import { measureFiles } from '../packages/batonpass/src/workspace/drift/file-facts.ts';
import { openWorkspace } from '../packages/batonpass/src/workspace/project.ts';
import { interleave, type Metric, runOnce, summarize } from './frame.ts';

const files_in_repository = 2_000;
const references = 200;
const rounds = 31;

/** How long it takes to check 200 file references, of which a tenth was edited, moved or deleted, compared with `git status`. */
export function measureDrift(): Metric[] {
  const folder = mkdtempSync(join(tmpdir(), 'baton-bench-'));
  try {
    const paths = fill(folder);
    const workspace = openWorkspace(folder);
    const facts = measureFiles(workspace, paths);
    const files = paths.map(
      (path, index): FileReference => ({
        id: `f${index + 1}`,
        path,
        relevance: 'medium',
        context: '',
        git: facts.get(path),
      }),
    );
    const same: number[][] = interleave([() => compareFiles(workspace, files)], rounds);
    change(folder, paths);
    const [compared = [], status = [], measured = []] = interleave(
      [
        () => compareFiles(workspace, files),
        () => runOnce('git', ['status', '--porcelain'], process.env, folder),
        () => measureFiles(workspace, paths),
      ],
      rounds,
    );
    return [
      within('200 file references checked, 20 of them changed', compared, { floor: 150, aim: 60, git_status: status }),
      within('200 file references checked, none changed', same[0] ?? [], { floor: 150, aim: 20, git_status: status }),
      within('200 files measured at creation', measured, { floor: 150, aim: 60, git_status: status }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns the paths of the references: every tenth file. */
function fill(folder: string): string[] {
  const paths = Array.from({ length: files_in_repository }, (_, index) => `src/part-${index % 40}/file-${index}.ts`);
  for (const [index, path] of paths.entries()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), textOf(200, `file ${index}`));
  }
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all');
  git(folder, '-c', 'user.name=Sam', '-c', 'user.email=sam@example.com', 'commit', '--quiet', '--message=begin');
  return paths.filter((_, index) => index % (files_in_repository / references) === 0);
}

function change(folder: string, paths: readonly string[]): void {
  for (const path of paths.slice(0, 10)) writeFileSync(join(folder, path), textOf(210, path));
  for (const path of paths.slice(10, 15)) renameSync(join(folder, path), join(folder, `${path}.moved.ts`));
  for (const path of paths.slice(15, 20)) rmSync(join(folder, path));
}

function git(folder: string, ...words: string[]): void {
  execFileSync('git', words, { cwd: folder, stdio: 'ignore' });
}

function textOf(count: number, word: string): string {
  return Array.from({ length: count }, (_, index) => `line ${index} of ${word}\n`).join('');
}

interface Bounds {
  floor: number;
  aim: number;
  /** The same machine's `git status` in the same repository, in the same run. */
  git_status: readonly number[];
}

function within(name: string, sample: readonly number[], { floor, aim, git_status }: Bounds): Metric {
  const { median, minimum, maximum } = summarize(sample);
  const status = summarize(git_status).median;
  const note = `n = ${sample.length}; ${minimum.toFixed(0)}–${maximum.toFixed(0)}; git status among ${files_in_repository} files ${status.toFixed(0)} ms`;
  return { name, value: median, unit: 'ms', floor, aim, better: 'lower', note };
}
