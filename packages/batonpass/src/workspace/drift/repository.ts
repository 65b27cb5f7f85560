import { isHandoffError } from '../../core/errors.ts';
import { askGitBytes } from '../git.ts';
import { formatOfId, type ObjectFormat } from './file.ts';
import { type Attributes, storingAttributes } from './stored-form.ts';
import type { TimeBudget } from './time.ts';

/**
 * What git is asked about one repository: its objects, its index and its configuration. It never reads a file of the
 * work tree, because it would pass it through the programs that a repository names as filters. Each question is one
 * process, for any number of files. A question that git does not answer is null, and no failure; where that was for
 * want of time, the budget has run out, and its defaults mean nothing.
 */
export interface Repository {
  /** The commit that is checked out, and the blobs of these paths in it; a path that it has not is absent. */
  readHead: (paths: readonly string[]) => HeadBlobs | null;
  /** Objects by any name that git knows them by, as `COMMIT:path`; one that is not here, or is no blob, is absent. */
  readBlobs: (names: readonly string[]) => ReadonlyMap<string, { id: string; bytes: Buffer }>;
  readAttributes: (paths: readonly string[]) => ReadonlyMap<string, Attributes>;
  /** A value of `core`, read with the others once; its default is given. */
  readSetting: (name: 'autocrlf' | 'filemode', absent: string) => string;
  /** What differs between a commit and the index; null where the commit is not here. */
  listChanges: (commit: string) => readonly FileChange[] | null;
  /** What the index has of some files. */
  listTracked: (paths: readonly string[]) => TrackedFiles | null;
  /** The work tree's files that are neither tracked nor ignored: git walks the whole tree for it. */
  listUntracked: () => readonly string[] | null;
  /** Whether a commit belongs to the history of what is checked out. */
  isInHistory: (commit: string) => boolean;
}

/** A work tree's commit and what it has of some files. */
export interface HeadBlobs {
  /** Absent in a repository without a commit. */
  commit?: string;
  format: ObjectFormat;
  blobs: ReadonlyMap<string, string>;
}

/** One file that differs between a commit and the index. */
export interface FileChange {
  /** `A`dded, `C`opied, `D`eleted, `M`odified, `R`enamed, `T`ype changed, `U`nmerged. */
  status: string;
  from: string;
  /** The same as `from` unless renamed or copied. */
  to: string;
  /** The blob in the commit. */
  from_id: string;
  /** The blob in the index. */
  id: string;
}

/** The files of an index by their state in the work tree. */
export interface TrackedFiles {
  checked_out: ReadonlySet<string>;
  /** Left out of a sparse checkout. */
  left_out: ReadonlySet<string>;
}

/** Opens a repository by its work tree's top folder; nothing is read yet. */
export function openRepository(root: string, time: TimeBudget): Repository {
  const ask: Ask = (args, input) => askOrNull(root, args, { input, time });
  let settings: ReadonlyMap<string, string> | undefined;
  return {
    readHead: (paths) => readHead(ask, paths),
    readBlobs: (names) => readBlobs(ask, names),
    readAttributes: (paths) => readAttributes(ask, paths),
    readSetting: (name, absentValue) => {
      settings ??= readSettings(ask);
      return settings.get(`core.${name}`) ?? absentValue;
    },
    listChanges: (commit) => listChanges(ask, commit),
    listTracked: (paths) => listTracked(ask, paths),
    listUntracked: () => listUntracked(ask),
    isInHistory: (commit) => ask(['merge-base', '--is-ancestor', commit, 'HEAD']) !== null,
  };
}

type Ask = (args: readonly string[], input?: string) => Buffer | null;

interface Question {
  input: string | undefined;
  time: TimeBudget;
}

/** A repository that git refuses to read, or is absent for, leaves its files unknown; nothing else fails by it. */
function askOrNull(root: string, args: readonly string[], { input, time }: Question): Buffer | null {
  if (!time.isLeft()) return null;
  try {
    // One more, so that a git which is stopped is stopped after the end of the budget.
    return askGitBytes(root, args, { input, time_ms: time.left_ms() + 1 });
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    // A git that was stopped has left nothing, and the budget is to know it.
    time.isLeft();
    return null;
  }
}

const check = ['cat-file', '--batch-check=%(objectname) %(objecttype)'];

function readHead(ask: Ask, paths: readonly string[]): HeadBlobs | null {
  const lines = paths.filter((path) => !path.includes('\n'));
  const answer = ask(check, ['HEAD', ...lines.map((path) => `HEAD:${path}`), ''].join('\n'));
  if (answer === null) return null;
  const [head = '', ...found] = answer.toString().split('\n');
  const commit = head.endsWith(' commit') ? head.slice(0, head.indexOf(' ')) : undefined;
  const format = formatOfId(commit) ?? readFormat(ask);
  if (format === null) return null;
  const blobs = new Map<string, string>();
  for (const [index, path] of lines.entries()) {
    const [id = '', type] = (found[index] ?? '').split(' ');
    if (type === 'blob' && formatOfId(id) !== null) blobs.set(path, id);
  }
  const rest = paths.filter((path) => path.includes('\n'));
  if (commit !== undefined && rest.length > 0) {
    for (const [path, id] of listTree(ask, commit, rest)) blobs.set(path, id);
  }
  return { commit, format, blobs };
}

/** Only a repository without a commit does not show its format by an id. */
function readFormat(ask: Ask): ObjectFormat | null {
  const format = ask(['rev-parse', '--show-object-format'])?.toString().trim();
  return format === 'sha1' || format === 'sha256' ? format : null;
}

/** For names that hold a line break, which the question by lines cannot carry. */
function listTree(ask: Ask, commit: string, paths: readonly string[]): [string, string][] {
  const answer = ask(['ls-tree', '-z', '--full-tree', commit, '--', ...paths]);
  return tokensOf(answer).flatMap((entry): [string, string][] => {
    const [, id, path] = entry.match(/^\d+ blob (\w+)\t(.*)$/s) ?? [];
    return id === undefined || path === undefined ? [] : [[path, id]];
  });
}

function readBlobs(ask: Ask, names: readonly string[]): ReadonlyMap<string, { id: string; bytes: Buffer }> {
  const asked = names.filter((name) => !name.includes('\n'));
  const blobs = new Map<string, { id: string; bytes: Buffer }>();
  const answer = asked.length === 0 ? null : ask(['cat-file', '--batch'], `${asked.join('\n')}\n`);
  if (answer === null) return blobs;
  let at = 0;
  for (const name of asked) {
    const end = answer.indexOf('\n', at);
    if (end === -1) break;
    const [id = '', type, size = ''] = answer.toString('utf8', at, end).split(' ');
    at = end + 1;
    if (formatOfId(id) === null || !/^\d+$/.test(size)) continue;
    if (type === 'blob') blobs.set(name, { id, bytes: answer.subarray(at, at + Number(size)) });
    at += Number(size) + 1;
  }
  return blobs;
}

function readAttributes(ask: Ask, paths: readonly string[]): ReadonlyMap<string, Attributes> {
  const answer = ask(['check-attr', '-z', '--stdin', ...storingAttributes], paths.map((path) => `${path}\0`).join(''));
  const found = new Map<string, Map<string, string>>();
  const tokens = tokensOf(answer);
  for (let at = 0; at + 2 < tokens.length; at += 3) {
    const [path = '', name = '', value = ''] = tokens.slice(at, at + 3);
    const attributes = found.get(path) ?? new Map<string, string>();
    found.set(path, attributes);
    if (value !== 'unspecified') attributes.set(name, value);
  }
  return found;
}

function readSettings(ask: Ask): ReadonlyMap<string, string> {
  const answer = ask(['config', '-z', '--get-regexp', '^core\\.(autocrlf|filemode)$']);
  const entries = tokensOf(answer).map((entry): [string, string] => {
    const [name = '', value = 'true'] = entry.split('\n');
    return [name, value];
  });
  return new Map(entries);
}

/** Content is compared for renames in the history and the index only, and for so many files that it stays quick. */
const renames = [
  '--find-renames=60%',
  '--no-rename-empty',
  '-l400',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=all',
];

function listChanges(ask: Ask, commit: string): FileChange[] | null {
  const answer = ask(['diff-index', '--cached', '--raw', '--no-abbrev', '-z', ...renames, commit, '--']);
  if (answer === null) return null;
  const tokens = tokensOf(answer);
  const changes: FileChange[] = [];
  for (let at = 0; at < tokens.length; ) {
    const [, , from_id = '', id = '', status = ''] = (tokens[at] ?? '').split(' ');
    const from = tokens[at + 1] ?? '';
    const isPair = /^[RC]/.test(status);
    changes.push({ status: status.charAt(0), from, to: isPair ? (tokens[at + 2] ?? '') : from, from_id, id });
    at += isPair ? 3 : 2;
  }
  return changes;
}

/** Every system accepts a command line of this length; for more paths, the whole index is listed. */
const PATHS_CHARACTERS_MAX = 16_000;

function listTracked(ask: Ask, paths: readonly string[]): TrackedFiles | null {
  const isShort = paths.reduce((sum, path) => sum + path.length + 1, 0) <= PATHS_CHARACTERS_MAX;
  const answer = ask(['ls-files', '-z', '-t', '--cached', '--', ...(isShort ? paths : [])]);
  if (answer === null) return null;
  const entries = tokensOf(answer).map((entry) => ({ is_left_out: entry.startsWith('S '), path: entry.slice(2) }));
  const pathsOf = (is_left_out: boolean) =>
    new Set(entries.filter((entry) => entry.is_left_out === is_left_out).map(({ path }) => path));
  return { checked_out: pathsOf(false), left_out: pathsOf(true) };
}

function listUntracked(ask: Ask): string[] | null {
  const answer = ask(['ls-files', '-z', '--others', '--exclude-standard']);
  return answer === null ? null : tokensOf(answer);
}

function tokensOf(answer: Buffer | null): string[] {
  return answer === null ? [] : answer.toString().split('\0').slice(0, -1);
}
