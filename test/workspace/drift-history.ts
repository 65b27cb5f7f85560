import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileReference } from '../../packages/batonpass/src/core/content.ts';
import type { FileDrift } from '../../packages/batonpass/src/core/drift.ts';
import { compareFiles } from '../../packages/batonpass/src/workspace/drift/drift.ts';
import { measureFiles } from '../../packages/batonpass/src/workspace/drift/file-facts.ts';
import { openWorkspace } from '../../packages/batonpass/src/workspace/project.ts';
import { gitEnvironment } from './drift-stage.ts';

/** What a test itself remembers of a file: kind, executable bit and bytes in one text. */
type Kept = ReadonlyMap<string, string>;

/** One random history: a seeded source of chance, and the folder that it lives in. */
export interface HistoryRequest {
  seed: number;
  /** An initialised repository with a first commit, which is copied. */
  template: string;
  folder: string;
}

/** What was compared in a history, and each judgement that the test's own bytes contradict. */
export interface HistoryAnswer {
  verdicts: string[];
  failures: string[];
}

/** The paths that histories move between: few, so that they meet often, and alike in kind, so that renames do. */
const paths = ['a.ts', 'b.ts', 'src/a.ts', 'src/b.ts', 'src/deep/c.ts', 'lib/a.ts', 'lib/d e.ts', 'run.sh'];

/** Makes the repository that every history starts from. */
export function createTemplate(folder: string): void {
  for (const [index, path] of paths.slice(0, 6).entries()) writeAt(folder, path, textOf(12, `${path} ${index}`));
  execFileSync('sh', ['-c', 'git init -q -b main --template= . && git add -A && git commit -q -m begin'], {
    cwd: folder,
    env: gitEnvironment,
  });
}

function textOf(count: number, word: string): string {
  return Array.from({ length: count }, (_, index) => `${word} line ${index}\n`).join('');
}

function writeAt(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Runs one history: steps, a record of all files, more steps, and comparisons between them and in another work tree. */
export function runHistory({ seed, template, folder }: HistoryRequest): HistoryAnswer {
  cpSync(template, folder, { recursive: true });
  const chance = createChance(seed);
  const work = { folder, chance, isConverting: false };
  if (chance() < 0.1) {
    execFileSync('git', ['config', 'core.autocrlf', 'input'], { cwd: folder });
    work.isConverting = true;
  }
  const steps: string[] = [];
  const doSteps = (count: number) => {
    for (let step = 0; step < count; step += 1) steps.push(takeStep(work));
  };
  doSteps(Math.floor(chance() * 4));
  const files = refer(folder);
  const kept = keep(folder);
  const answer: HistoryAnswer = { verdicts: [], failures: [] };
  const judge = (place: string) => {
    const drift = compareFiles(openWorkspace(place), files);
    const now = keep(place);
    for (const file of drift) {
      answer.verdicts.push(file.verdict);
      const problem = contradict(file, { kept, now, isConverting: work.isConverting });
      if (problem !== null) answer.failures.push(`seed ${seed}, ${steps.join(' | ')}: ${problem}`);
    }
  };
  for (let round = 0; round < 2; round += 1) {
    doSteps(1 + Math.floor(chance() * 5));
    judge(folder);
  }
  if (chance() < 0.15) {
    const second = `${folder}-second`;
    execFileSync('git', ['worktree', 'add', '-q', '--detach', second], { cwd: folder, env: gitEnvironment });
    judge(second);
  }
  return answer;
}

function refer(folder: string): FileReference[] {
  const facts = measureFiles(openWorkspace(folder), paths);
  return paths.flatMap((path, index): FileReference[] => {
    const git = facts.get(path);
    return git === undefined ? [] : [{ id: `f${index}`, path, relevance: 'medium', context: '', git }];
  });
}

/** Everything in a work tree as the test sees it, git left out. */
function keep(folder: string): Kept {
  const kept = new Map<string, string>();
  const visit = (inside: string) => {
    for (const entry of readdirSync(join(folder, inside), { withFileTypes: true })) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      const absolute = join(folder, path);
      if (entry.name === '.git') continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isSymbolicLink()) kept.set(path, `link ${readlinkSync(absolute)}`);
      else kept.set(path, `${lstatSync(absolute).mode & 0o100} ${readFileSync(absolute, 'latin1')}`);
    }
  };
  visit('');
  return kept;
}

interface Bytes {
  kept: Kept;
  now: Kept;
  /** Whether git stores CRLF as LF here, so that both are the same to it. */
  isConverting: boolean;
}

/** What the bytes say against a verdict; null where they agree. */
function contradict(file: FileDrift, { kept, now, isConverting }: Bytes): string | null {
  const { path, verdict, renamed_to } = file;
  const [then, present] = [kept.get(path), now.get(path)];
  const plain = (text: string | undefined) => (isConverting ? text?.replaceAll('\r\n', '\n') : text);
  const isSame = then === present || (plain(then) === plain(present) && verdict === 'unchanged');
  if ((verdict === 'unchanged') !== isSame) return `${path} is called ${verdict}, same bytes: ${isSame}`;
  if (['renamed', 'deleted', 'not-on-this-branch'].includes(verdict) && present !== undefined)
    return `${path} is called ${verdict}, and is there`;
  if (verdict === 'edited' && present === undefined) return `${path} is called edited, and is not there`;
  if (verdict === 'renamed') {
    const there = now.get(renamed_to ?? '')?.replace(/^\d+ /, '');
    const before = then?.replace(/^\d+ /, '');
    const isWhole = there === before;
    // As above: what git stores alike is not edited.
    const isStoredAlike = plain(there) === plain(before);
    if (there === undefined || (file.is_edited === false && !isStoredAlike) || (file.is_edited === true && isWhole))
      return `${path} is called renamed to ${renamed_to}, edited: ${file.is_edited}, same bytes: ${isWhole}`;
  }
  if (file.lines_added === undefined || file.lines_removed === undefined) return null;
  const growth = countLines(present) - countLines(then);
  return file.lines_added - file.lines_removed === growth ? null : `${path} grew by ${growth}: ${JSON.stringify(file)}`;
}

function countLines(text = ''): number {
  // The kind is before the bytes, and is no line of an empty file.
  return text.slice(text.indexOf(' ') + 1).match(/[^\n]*\n|[^\n]+$/g)?.length ?? 0;
}

interface Work {
  folder: string;
  chance: () => number;
  isConverting: boolean;
}

type Step = (work: Work & { path: string; other: string; absolute: string }) => void;

/** A command of git that the present state may refuse; what it left is the state that is compared. */
const git =
  (script: string): Step =>
  ({ folder, path, other }) => {
    spawnSync('sh', ['-c', script, 'sh', path, other], { cwd: folder, env: gitEnvironment, stdio: 'ignore' });
  };

/** Steps on files alone: cheap, and what git does not see. */
const fileSteps: Record<string, Step> = {
  edit: ({ absolute, chance }) => {
    const rows = readFileSync(absolute, 'utf8').split('\n');
    rows.splice(Math.floor(chance() * rows.length), Math.floor(chance() * 3), `edited ${chance()}`);
    writeFileSync(absolute, rows.join('\n'));
  },
  'edit to the same size': ({ absolute, chance }) => {
    const bytes = readFileSync(absolute);
    const at = Math.floor(chance() * bytes.length);
    bytes[at] = bytes[at] === 88 ? 89 : 88;
    const { atime, mtime } = lstatSync(absolute);
    writeFileSync(absolute, bytes);
    if (chance() < 0.5) utimesSync(absolute, atime, mtime);
  },
  touch: ({ absolute, chance }) => utimesSync(absolute, 1, Math.floor(chance() * 2e9)),
  rewrite: ({ absolute }) => writeFileSync(absolute, readFileSync(absolute)),
  chmod: ({ absolute }) => chmodSync(absolute, lstatSync(absolute).mode ^ 0o111),
  'write another': ({ folder, other, chance }) => writeAt(folder, other, textOf(10, `${other} ${chance()}`)),
  'copy to another': ({ folder, other, absolute }) => writeAt(folder, other, readFileSync(absolute, 'utf8')),
  delete: ({ absolute }) => rmSync(absolute),
  move: ({ folder, absolute, other }) => {
    mkdirSync(dirname(join(folder, other)), { recursive: true });
    renameSync(absolute, join(folder, other));
  },
  'make a link of it': ({ absolute }) => {
    const text = readFileSync(absolute, 'utf8').slice(0, 40).split('\n')[0] || 'nothing';
    rmSync(absolute);
    symlinkSync(text, absolute);
  },
  'make a folder of it': ({ absolute }) => {
    rmSync(absolute);
    mkdirSync(absolute);
    writeFileSync(join(absolute, 'inner.ts'), 'inner\n');
  },
  'end lines with CRLF': ({ absolute }) =>
    writeFileSync(absolute, readFileSync(absolute, 'utf8').replaceAll(/\r?\n/g, '\r\n')),
};

const gitSteps: Record<string, Step> = {
  commit: git('git add -A && git commit -qm step'),
  'commit what is staged': git('git commit -qm staged'),
  add: git('git add -- "$1"'),
  'git mv': git('mkdir -p "$(dirname "$2")"; git mv -f -- "$1" "$2"'),
  'git rm --cached': git('git rm -q --cached -- "$1"'),
  'new branch': git('git switch -qc "branch-$(date +%s%N)"'),
  'branch off': git('git switch -qf -c other HEAD~1 || git switch -qf other'),
  'back to main': git('git switch -q main || git switch -qf main'),
  stash: git('git stash push -q --include-untracked'),
  'stash and back': git('git stash push -q; git stash pop -q'),
  pop: git('git stash pop -q'),
  rebase: git('git add -A; git commit -qm work; git rebase -q main || git rebase --abort'),
  merge: git('git merge -q other'),
  amend: git('git commit -qa --amend -m amended'),
  reset: git('git reset -q --hard HEAD~1'),
  'assume unchanged': git('git update-index --assume-unchanged -- "$1"'),
  'skip in the work tree': git('git update-index --skip-worktree -- "$1"'),
  'check out': git('git checkout -q -- "$1"'),
  'forget the past': git('git reflog expire --expire=now --all; git gc -q --prune=now'),
};

/** Takes one step; a step that finds nothing to work on is a rest. */
function takeStep(work: Work): string {
  const { folder, chance } = work;
  const steps = chance() < 0.6 ? fileSteps : gitSteps;
  const names = Object.keys(steps);
  const name = names[Math.floor(chance() * names.length)] ?? '';
  const path = paths[Math.floor(chance() * paths.length)] ?? '';
  const other = paths[Math.floor(chance() * paths.length)] ?? '';
  try {
    steps[name]?.({ ...work, path, other, absolute: join(folder, path) });
  } catch (error) {
    // A path may be absent, a folder or a link that leads nowhere: then nothing is done, or half of it.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
  return `${name} ${path} ${other}`;
}

/** A small generator whose whole course follows from its seed. */
function createChance(seed: number): () => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
