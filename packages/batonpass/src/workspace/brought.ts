import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isHandoffError } from '../core/errors.ts';
import { askGit } from './git.ts';
import type { Workspace } from './project-identity.ts';

/**
 * Whether a file may have come with a project, from its authors: in the project's folder, what git tracks, and outside git
 * everything. What git does not track was put there on this machine: no clone brings it. A link counts as what it leads to,
 * and every link on the way counts too.
 *
 * Where git does not answer, a file in the project counts as brought.
 *
 * @param path - absolute; nothing need be there.
 */
export function isBrought({ root, git_common_dir }: Workspace, path: string): boolean {
  const top = realpathSync.native(root);
  const own = relative(root, path);
  const names = followLinks(isOutside(own) ? path : join(top, own));
  const inside = names.map((name) => relative(top, name)).filter((name) => !isOutside(name));
  if (inside.length === 0) return false;
  if (git_common_dir === undefined || inside.some((name) => isInOther(top, name))) return true;
  return listTracked(top, inside) !== '';
}

/**
 * Where a path in the project leads outside of it by a link that may have come with the project; undefined where none does.
 *
 * @param path - absolute; nothing need be there.
 */
export function leadsOut(workspace: Workspace, path: string): string | undefined {
  const top = realpathSync.native(workspace.root);
  const own = relative(workspace.root, path);
  if (isOutside(own)) return undefined;
  const end = followLinks(join(top, own)).at(-1) ?? path;
  return isOutside(relative(top, end)) && isBrought(workspace, path) ? end : undefined;
}

/** The files among these, and in folders among these, that git tracks; null where git does not answer. */
function listTracked(top: string, names: readonly string[]): string | null {
  // Where the disk ignores case, another spelling in git's index is the same file.
  const spelling = ['--no-literal-pathspecs', '--noglob-pathspecs', '--icase-pathspecs'];
  try {
    return askGit(top, [...spelling, 'ls-files', '-z', '--', ...names.map((name) => `./${name}`)]);
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    return null;
  }
}

function isOutside(way: string): boolean {
  return isAbsolute(way) || /^\.\.(?:[\\/]|$)/.test(way);
}

/** More links than the system follows. */
const links_max = 40;

/** The links that a path leads through, and the place that they lead to at last. */
function followLinks(path: string): string[] {
  const links: string[] = [];
  for (let at = path; ; ) {
    const link = findLink(at);
    if (link === undefined || links.length === links_max) return [...links, at];
    links.push(link);
    at = join(resolve(dirname(link), readlinkSync(link)), relative(link, at));
  }
}

/** The first part of a path that is a link. */
function findLink(path: string): string | undefined {
  const above = dirname(path) === path ? undefined : findLink(dirname(path));
  if (above !== undefined) return above;
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? path : undefined;
}

/** Whether a folder on the way is a repository of its own, as a submodule: this one's git does not know its files. */
function isInOther(top: string, name: string): boolean {
  const folder = dirname(name);
  if (folder === '.') return false;
  return lstatSync(join(top, folder, '.git'), { throwIfNoEntry: false }) !== undefined || isInOther(top, folder);
}
