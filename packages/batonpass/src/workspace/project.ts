import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HandoffError } from '../core/errors.ts';
import { createOnce } from '../disk/create-once.ts';
import { askGit, findGitDir, findGitPlaces } from './git.ts';
import { identifyProject, type Workspace } from './project-identity.ts';

/** What a work tree has checked out. */
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
 * The project of a workspace. Of a repository it is identified when it is first asked for, then kept in git's common
 * folder: a remote or first commit that comes later changes git's answer, but must not hide earlier handoffs.
 */
export function pinProject(workspace: Workspace): string {
  if (workspace.git_common_dir === undefined) return identifyProject(workspace);
  const path = join(workspace.git_common_dir, 'baton', 'project');
  const pinned = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  if (pinned !== '') return pinned;
  const identity = identifyProject(workspace);
  try {
    // A file that a crash left empty names nothing; then git's answer counts.
    return createOnce(path, identity, 0o600).trim() || identity;
  } catch {
    // Where nothing can be written the store next to it cannot be made either; opening it reports that, with what to do.
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

/**
 * The branch that is checked out, read from git's own file: without starting git, for a session waits for it. Where
 * git keeps its references otherwise, git is asked.
 */
export function readBranch(workspace: Workspace): string | undefined {
  if (workspace.git_common_dir === undefined) return undefined;
  const git_dir = findGitDir(workspace.root);
  const head = git_dir === null ? '' : readText(join(git_dir, 'HEAD'));
  const branch = /^ref: refs\/heads\/(.+?)\s*$/.exec(head)?.[1];
  if (branch !== undefined && branch !== '.invalid') return branch;
  return /^[0-9a-f]{40,64}\s*$/.test(head) ? undefined : readHead(workspace).branch;
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
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
