import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { sha256Hex } from '../core/canonical-json.ts';
import { askGit } from './git.ts';
import { normalizeRemote } from './remote.ts';

/** The folder that a command works for. */
export interface Workspace {
  /** The work tree's top folder, or the folder itself outside git. */
  root: string;
  /** Where git keeps what all worktrees share; absent outside git. */
  git_common_dir?: string;
}

/**
 * What makes a workspace the same project elsewhere: the remote's URL without credentials and scheme, else the root
 * commit, else the folder's name with a mark of its path. Two clones of one remote are one project.
 *
 * @throws HandoffError `unavailable` where git does not answer.
 */
export function identifyProject({ root, git_common_dir }: Workspace): string {
  const path = realpathSync(root);
  // Two folders of one name are two projects, in any store.
  const name = `${basename(path)}-${sha256Hex(path).slice(0, 8)}`;
  if (git_common_dir === undefined) return name;
  // With `-z` no line break in a value looks like another remote.
  return (
    pickRemote(askGit(root, ['config', '-z', '--get-regexp', '^remote\\..*\\.url$'])) ?? findRootCommit(root) ?? name
  );
}

/** `origin` where there is one, else the first by name. */
function pickRemote(remotes: string | null): string | undefined {
  const entries = (remotes ?? '').split('\0').filter((entry) => entry !== '');
  const origin = entries.find((entry) => entry.startsWith('remote.origin.url\n')) ?? entries.sort()[0];
  const url = origin?.slice(origin.indexOf('\n') + 1);
  return url === undefined ? undefined : normalizeRemote(url);
}

function findRootCommit(root: string): string | undefined {
  const commits = askGit(root, ['rev-list', '--max-parents=0', 'HEAD']);
  // A history joined from several has several roots; the last listed is the oldest line's.
  return commits?.split('\n').at(-1);
}
