import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, parse, relative, resolve } from 'node:path';
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
 * What a repository's own configuration could make git run is off. A folder of a clone that has the form of a bare
 * repository, with a configuration of its own, is no repository.
 */
const unruled = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  // Otherwise the history of a signed commit starts the program that checks signatures.
  'log.showSignature=false',
  'safe.bareRepository=explicit',
];

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

/** The options of a git command. */
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
  const safe = [...unruled.flatMap((setting) => ['-c', setting]), '--no-pager', '-C', folder];
  const own = Object.entries(process.env).filter(([name]) => !redirecting.test(name));
  // Loaded here: it loads the network's modules too, and most commands ask git nothing.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { status, stdout, stderr, error } = spawnSync('git', [...safe, ...args], {
    // A relative entry of the PATH, and on Windows any program's name, is looked up here first: never in the repository.
    cwd: parse(process.execPath).root,
    // Files that merely look like a repository are none: git reads this folder's own `.git` and nothing else.
    env: { ...Object.fromEntries(own), ...quiet, GIT_CEILING_DIRECTORIES: dirname(resolve(folder)) },
    maxBuffer: 64 * 1024 * 1024,
    timeout: Math.max(1, Math.ceil(time_ms)),
    // A query changes nothing, so it may be killed at once; and a program in git's place must not ignore the signal.
    killSignal: 'SIGKILL',
    input,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const complaint = stderr?.toString() ?? '';
  // A git that refuses without reading its input to the end has answered by its status.
  const isRefused = (error as NodeJS.ErrnoException | undefined)?.code === 'EPIPE' && status !== null;
  if (
    (error !== undefined && !isRefused) ||
    /dubious ownership|not a git repository|cannot use bare repository/.test(complaint)
  ) {
    throw refusal(folder, error?.message ?? complaint.trim().split('\n')[0] ?? '');
  }
  return status === 0 ? stdout : null;
}

/**
 * Finds the repository that a folder is in, by git's own layout of files: without starting git, since every command
 * waits for it. `GIT_DIR` and similar variables are not read: a handoff belongs to the working folder.
 *
 * @returns null outside every repository.
 * @throws HandoffError `unavailable` for a repository of another user, unless git was told to trust it.
 */
export function findGitPlaces(folder: string): GitPlaces | null {
  for (let root = resolve(folder); ; root = dirname(root)) {
    const git_dir = readGitDir(join(root, '.git'));
    if (git_dir !== null) {
      const places = { root, common_dir: readCommonDir(git_dir) };
      assertTrusted(places);
      return places;
    }
    if (dirname(root) === root) return null;
  }
}

/** Somebody else may have made a repository above a shared folder, with a store in it. Only git knows whom its user trusts. */
function assertTrusted({ root, common_dir }: GitPlaces): void {
  const user = process.geteuid?.();
  const isOwn = [root, join(root, '.git'), common_dir].every((path) => lstatSync(path).uid === user);
  if (user !== undefined && !isOwn) askGit(root, ['rev-parse', '--git-dir']);
}

/** The folder in which git keeps a work tree's own things; null where the folder is no work tree's top. */
export function findGitDir(root: string): string | null {
  return readGitDir(join(root, '.git'));
}

/** `.git` is the folder itself, or in work trees and submodules a file that names it. */
function readGitDir(path: string): string | null {
  if (!existsSync(path)) return null;
  const git_dir = readLink(path);
  if (git_dir !== null) assertOwn(path, git_dir);
  return git_dir;
}

function readLink(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8');
    const named = text.match(/^gitdir: (.+?)\s*$/)?.[1];
    return named === undefined ? null : resolve(dirname(path), named);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') return existsSync(join(path, 'HEAD')) ? path : null;
    throw refusal(dirname(path), (error as Error).message);
  }
}

/**
 * A `.git` that only leads elsewhere may have come in an archive, and would open another project's store: its target
 * must be in the same folder, or name this folder back, as git writes it for work trees and submodules.
 *
 * @throws HandoffError `unavailable`.
 */
function assertOwn(path: string, git_dir: string): void {
  if (!existsSync(git_dir)) throw refusal(dirname(path), 'the folder that its .git file names does not exist');
  const root = realpathSync(dirname(path));
  const target = realpathSync(git_dir);
  const [first] = relative(root, target).split(/[\\/]/);
  if (first !== '..' && !parse(relative(root, target)).root) return;
  const work_tree = /^\s*worktree\s*=\s*"?(.+?)"?\s*$/im.exec(readIfThere(join(target, 'config')))?.[1];
  const back = readIfThere(join(target, 'gitdir')).trim();
  const named = [
    ...(work_tree === undefined ? [] : [resolve(target, work_tree)]),
    ...(back === '' ? [] : [dirname(resolve(target, back))]),
  ];
  if (named.some((folder) => existsSync(folder) && realpathSync(folder) === root)) return;
  throw refusal(root, `its .git leads to ${target}, which does not name this folder back`, [
    'A work tree that was moved: git worktree repair',
    `A repository that is kept apart: git --git-dir=${target} config core.worktree ${root}`,
  ]);
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** What all work trees share. Only a folder among a repository's work trees may name it. */
function readCommonDir(git_dir: string): string {
  const named = readIfThere(join(git_dir, 'commondir')).trim();
  if (named === '') return git_dir;
  const common_dir = resolve(git_dir, named);
  const among = join(common_dir, 'worktrees');
  if (existsSync(among) && realpathSync(dirname(git_dir)) === realpathSync(among)) return common_dir;
  throw refusal(git_dir, `it names ${common_dir} as its repository, which it is no work tree of`);
}

function refusal(repository: string, problem: string, alternatives: readonly string[] = []): HandoffError {
  return new HandoffError('unavailable', `Git does not answer for the repository ${repository}: ${problem}.`, {
    details: { repository },
    alternatives: [
      ...alternatives,
      'Install git, or repair the repository.',
      `If the folder belongs to another user: git config --global --add safe.directory ${repository}`,
    ],
  });
}
