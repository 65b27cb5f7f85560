import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { sha256Hex } from '../core/canonical-json.ts';
import { HandoffError } from '../core/errors.ts';
import { createOnce } from '../disk/create-once.ts';
import { askGit, findGitPlaces } from './git.ts';
import { normalizeRemote } from './remote.ts';

/** The folder that a command works for. */
export interface Workspace {
  /** The work tree's top folder, or the folder itself outside git. */
  root: string;
  /** Where git keeps what all worktrees share; absent outside git. */
  git_common_dir?: string;
}

/** What a work tree stands at. */
export interface Head {
  /** Absent where no branch is checked out. */
  branch?: string;
  /** Absent in a repository without a commit. */
  commit?: string;
}

/**
 * Finds the work tree of a folder, or the folder itself outside git.
 *
 * @throws HandoffError `file_not_found` where the folder does not exist; `unavailable` where its repository is broken.
 */
export function openWorkspace(folder: string): Workspace {
  const start = resolve(folder);
  if (!existsSync(start)) {
    throw new HandoffError('file_not_found', `The folder ${start} does not exist.`, {
      alternatives: ['Check the path given with --cwd.'],
    });
  }
  // Links resolved, as git does: one folder has one name.
  const places = findGitPlaces(realpathSync(start));
  return places === null ? { root: start } : { root: places.root, git_common_dir: places.common_dir };
}

/**
 * What makes a workspace the same project elsewhere: the remote's URL without credentials and scheme, else the root
 * commit, else the folder's name with a mark of its path. Two clones of one remote are one project.
 *
 * @throws HandoffError `unavailable` where git does not answer.
 */
export function identifyProject({ root, git_common_dir }: Workspace): string {
  const path = realpathSync(root);
  // Two folders of one name are two projects, wherever their handoffs are kept.
  const name = `${basename(path)}-${sha256Hex(path).slice(0, 8)}`;
  if (git_common_dir === undefined) return name;
  return pickRemote(askGit(root, ['config', '--get-regexp', '^remote\\..*\\.url$'])) ?? findRootCommit(root) ?? name;
}

/**
 * The project of a workspace. Of a repository it is identified when it is first asked for, then kept in git's common
 * folder: a remote or first commit that comes later changes what git says, but must not hide what was handed over before.
 */
export function pinProject(workspace: Workspace): string {
  if (workspace.git_common_dir === undefined) return identifyProject(workspace);
  const path = join(workspace.git_common_dir, 'baton', 'project');
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  const identity = identifyProject(workspace);
  try {
    return createOnce(path, identity, 0o600).trim();
  } catch {
    // Where nothing can be written the store beside it cannot be made either; opening it says so, with the ways out.
    return identity;
  }
}

/** The branch and commit of a workspace; nothing outside git. */
export function readHead({ root, git_common_dir }: Workspace): Head {
  if (git_common_dir === undefined) return {};
  const commit = askGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD']) ?? undefined;
  const branch = askGit(root, ['symbolic-ref', '--short', '--quiet', 'HEAD']) ?? undefined;
  return { commit, branch };
}

/** The top folders of all work trees of a repository, this one included; empty outside git. */
export function listWorktrees({ root, git_common_dir }: Workspace): string[] {
  if (git_common_dir === undefined) return [];
  const listing = askGit(root, ['worktree', 'list', '--porcelain']) ?? '';
  return listing
    .split('\n')
    .filter((line) => line.startsWith('worktree '))
    .map((line) => line.slice('worktree '.length));
}

/** `origin` where there is one, else the first by name. */
function pickRemote(remotes: string | null): string | undefined {
  const lines = (remotes ?? '').split('\n').filter((line) => line !== '');
  const origin = lines.find((line) => line.startsWith('remote.origin.url ')) ?? lines.sort()[0];
  const url = origin?.slice(origin.indexOf(' ') + 1);
  return url === undefined ? undefined : normalizeRemote(url);
}

function findRootCommit(root: string): string | undefined {
  const commits = askGit(root, ['rev-list', '--max-parents=0', 'HEAD']);
  // A history joined from several has several roots; the last listed is the oldest line's.
  return commits?.split('\n').at(-1);
}
