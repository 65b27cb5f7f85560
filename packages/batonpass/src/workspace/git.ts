import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { HandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

/** Where a repository keeps its things. */
export interface GitPlaces {
  /** The work tree's top folder. */
  root: string;
  /** What all work trees share. */
  common_dir: string;
}

/** Names by which an environment points git at another repository, as within a hook; the folder alone decides here. */
const redirecting =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|CONFIG|CONFIG_PARAMETERS|CONFIG_COUNT|CONFIG_KEY_\d+|CONFIG_VALUE_\d+|IMPLICIT_WORK_TREE|NO_REPLACE_OBJECTS)$/;

/** Nothing is fetched to answer a question: a partial clone's remote is run by commands that its configuration names. */
const quiet = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_LITERAL_PATHSPECS: '1',
  LC_ALL: 'C',
};

/**
 * Runs git for a fact about a folder. It takes about five milliseconds, most of them to start a process.
 *
 * Nothing that a repository's own configuration names is run: file-system monitors, pagers and prompts are off,
 * and no lock is taken, so that a hostile repository cannot act and a running git is not disturbed.
 *
 * @returns what git printed, without the last newline, or null where the answer is "none".
 * @throws HandoffError `unavailable` where git is absent or distrusts the repository's owner: going on as if there
 * were no repository would split a project's handoffs in two.
 */
export function askGit(folder: string, args: readonly string[]): string | null {
  return (
    askGitBytes(folder, args)
      ?.toString()
      .replace(/\r?\n$/, '') ?? null
  );
}

/** What a question to git carries besides its words. */
export interface GitQuestion {
  /** What git reads from its standard input; default: nothing. */
  input?: string;
  /** Milliseconds after which git is stopped; default: `limits.git_ms_max`. */
  time_ms?: number;
}

/**
 * As `askGit`, for answers that are no lines of text. Only commands that never read a work tree's files are safe here:
 * git passes those through the filters that a repository names.
 *
 * @throws HandoffError `unavailable`, also where the answer is larger than 64 MiB or does not come in time.
 */
export function askGitBytes(
  folder: string,
  args: readonly string[],
  { input, time_ms = limits.git_ms_max }: GitQuestion = {},
): Buffer | null {
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-pager', '-C', folder];
  const own = Object.entries(process.env).filter(([name]) => !redirecting.test(name));
  // Loaded here: it loads the network's modules too, and most commands ask git nothing.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { status, stdout, stderr, error } = spawnSync('git', [...safe, ...args], {
    env: { ...Object.fromEntries(own), ...quiet },
    maxBuffer: 64 * 1024 * 1024,
    timeout: Math.max(1, Math.ceil(time_ms)),
    // What asks changes nothing, so it may be stopped at once; and no program in git's place may wait the signal out.
    killSignal: 'SIGKILL',
    input,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const complaint = stderr?.toString() ?? '';
  // A git that refuses without reading its input to the end has answered by its status.
  const isRefused = (error as NodeJS.ErrnoException | undefined)?.code === 'EPIPE' && status !== null;
  if ((error !== undefined && !isRefused) || /dubious ownership|not a git repository/.test(complaint)) {
    throw refusal(folder, error?.message ?? complaint.trim().split('\n')[0] ?? '');
  }
  return status === 0 ? stdout : null;
}

/**
 * Finds the repository that a folder lies in, by git's own layout of files: without starting git, for every command
 * waits for it. `GIT_DIR` and its kind are not asked: a handoff belongs to the folder that is worked in.
 *
 * @returns null outside every repository.
 */
export function findGitPlaces(folder: string): GitPlaces | null {
  for (let root = resolve(folder); ; root = dirname(root)) {
    const git_dir = readGitDir(join(root, '.git'));
    if (git_dir !== null) return { root, common_dir: readCommonDir(git_dir) };
    if (dirname(root) === root) return null;
  }
}

/** The folder in which git keeps a work tree's own things; null where the folder is no work tree's top. */
export function findGitDir(root: string): string | null {
  return readGitDir(join(root, '.git'));
}

/** `.git` is the folder itself, or in work trees and submodules a file that names it. */
function readGitDir(path: string): string | null {
  if (!existsSync(path)) return null;
  try {
    const text = readFileSync(path, 'utf8');
    const named = text.match(/^gitdir: (.+?)\s*$/)?.[1];
    return named === undefined ? null : resolve(dirname(path), named);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') return existsSync(join(path, 'HEAD')) ? path : null;
    throw refusal(dirname(path), (error as Error).message);
  }
}

function readCommonDir(git_dir: string): string {
  if (!existsSync(git_dir)) throw refusal(git_dir, 'the folder that its .git file names does not exist');
  const file = join(git_dir, 'commondir');
  return existsSync(file) ? resolve(git_dir, readFileSync(file, 'utf8').trim()) : git_dir;
}

function refusal(repository: string, problem: string): HandoffError {
  return new HandoffError('unavailable', `Git does not answer for the repository ${repository}: ${problem}.`, {
    details: { repository },
    alternatives: [
      'Install git, or repair the repository.',
      `If the folder belongs to another user: git config --global --add safe.directory ${repository}`,
    ],
  });
}
