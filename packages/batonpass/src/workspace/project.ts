import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { HandoffError } from '../core/errors.ts';
import { askGit, runGit } from './git.ts';
import { normalizeRemote } from './remote.ts';

/** The folder that a command works for, and what makes it the same project elsewhere. */
export interface Workspace {
  /** The work tree's top folder, or the folder itself outside git. */
  root: string;
  /** Remote URL without credentials and scheme, else root commit, else the folder's name. */
  project: string;
  /** Where git keeps what all worktrees share; absent outside git. */
  git_common_dir?: string;
  branch?: string;
  /** Absent in a repository without a commit. */
  commit?: string;
}

/**
 * Finds the project of a folder. Two clones of one remote and all worktrees of one clone are one project.
 *
 * @throws HandoffError `file_not_found` where the folder does not exist; `unavailable` where it lies in a repository
 * that git does not answer for: a store elsewhere would split the project's handoffs in two.
 */
export async function openWorkspace(folder: string): Promise<Workspace> {
  const start = resolve(folder);
  if (!existsSync(start)) {
    throw new HandoffError('file_not_found', `The folder ${start} does not exist.`, {
      alternatives: ['Check the path given with --cwd.'],
    });
  }
  // Two runs, side by side: every start of the command waits for them.
  const [facts, remotes] = await Promise.all([
    runGit(start, [
      'rev-parse',
      '--path-format=absolute',
      '--show-toplevel',
      '--git-common-dir',
      'HEAD',
      '--abbrev-ref',
      'HEAD',
    ]),
    askGit(start, ['config', '--get-regexp', '^remote\\..*\\.url$']),
  ]);
  const [root, git_common_dir, ...head] = facts.text.split('\n');
  if (root === undefined || root === '' || git_common_dir === undefined) {
    assertOutsideGit(start, facts.problem);
    return { root: start, project: basename(realpathSync(start)) };
  }
  // Without a commit git answers where it is, then fails at HEAD.
  const [commit, branch] = facts.ok ? head : [];
  const project = pickRemote(remotes) ?? (await findRootCommit(root)) ?? basename(root);
  const named = branch !== undefined && branch !== 'HEAD' ? { branch } : {};
  return { root, project, git_common_dir, ...named, ...(commit === undefined ? {} : { commit }) };
}

function assertOutsideGit(folder: string, problem: string): void {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) {
      throw new HandoffError('unavailable', `Git does not answer for the repository ${current}: ${problem}.`, {
        details: { folder, repository: current },
        alternatives: [
          'Install git, or work in the repository’s work tree.',
          `If the folder belongs to another user: git config --global --add safe.directory ${current}`,
        ],
      });
    }
    if (dirname(current) === current) return;
  }
}

/** `origin` where there is one, else the first by name. */
function pickRemote(remotes: string | null): string | undefined {
  const lines = (remotes ?? '').split('\n').filter((line) => line !== '');
  const origin = lines.find((line) => line.startsWith('remote.origin.url ')) ?? lines.sort()[0];
  const url = origin?.slice(origin.indexOf(' ') + 1);
  return url === undefined ? undefined : normalizeRemote(url);
}

async function findRootCommit(root: string): Promise<string | undefined> {
  const commits = await askGit(root, ['rev-list', '--max-parents=0', 'HEAD']);
  // A history joined from several has several roots; the last listed is the oldest line's.
  return commits?.split('\n').at(-1);
}

/** The top folders of all work trees of a repository, this one included; empty outside git. */
export async function listWorktrees(root: string): Promise<string[]> {
  const listing = await askGit(root, ['worktree', 'list', '--porcelain']);
  return (listing ?? '')
    .split('\n')
    .filter((line) => line.startsWith('worktree '))
    .map((line) => line.slice('worktree '.length));
}
