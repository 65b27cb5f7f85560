import { closeSync, constants, fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { HandoffError } from '../core/errors.ts';
import { explainDiskError } from './disk-error.ts';
import { openRegularFile, readOpenedFile } from './regular-file.ts';

/**
 * The absolute path, links resolved, of a path that must stay within a folder. What does not exist yet is a place in the
 * folder that does: a file may be made there.
 *
 * @param root - an existing folder.
 * @param path - relative to the root, or absolute.
 * @throws HandoffError `path_outside_root` for `..`, an absolute path or a link that leads out, and for a link to
 * nothing; `invalid_input` for an empty path or a NUL; `file_not_found` for a root that does not exist.
 */
export function resolveInside(root: string, path: string): string {
  if (path === '' || path.includes('\0')) throw noPath(path);
  const realRoot = realPath(root);
  const steps = stepsBetween(realRoot, resolve(realRoot, path)) ?? stepsBetween(resolve(root), resolve(root, path));
  if (steps === null) throw outside(root, path);
  let place = realRoot;
  for (const step of steps) {
    place = join(place, step);
    if (!isLink(place)) continue;
    const target = attemptRealPath(place);
    if (target === null || stepsBetween(realRoot, target) === null) throw outside(root, path);
    place = target;
  }
  return place;
}

/** Which file is read, and how much of it. */
export interface ReadRequest {
  /** A folder that must contain the file, links resolved. Default: the path alone counts, and may be a link. */
  root?: string;
  /** A larger file is `too_large`, and not read. */
  bytes_max: number;
}

/**
 * All bytes of one regular file. A pipe, device or folder is refused and never waited for; a link, pipe or folder that
 * takes the file's place between the check and the reading is refused too.
 *
 * @throws HandoffError as {@link resolveInside}; `file_not_found`, `too_large`, `unavailable`, and `invalid_input` for
 * what is no file.
 */
export function readRegularFile(path: string, { root, bytes_max }: ReadRequest): Buffer {
  try {
    if (path === '' || path.includes('\0')) throw noPath(path);
    const place = root === undefined ? realpathSync(path) : resolveInside(root, path);
    const file = openRegularFile(place, constants.O_RDONLY);
    try {
      if (root !== undefined && isElsewhere(file, place)) throw outside(root, path);
      return readOpenedFile(file, path, bytes_max);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw explainDiskError(error, path, 'read');
  }
}

/** Whether an opened file is elsewhere than its path: a folder of the path became a link meanwhile. */
function isElsewhere(file: number, place: string): boolean {
  if (process.platform === 'linux') {
    const opened = attempt(() => readlinkSync(`/proc/self/fd/${file}`));
    if (opened !== null) return opened !== place && opened !== `${place} (deleted)`;
  }
  const opened = fstatSync(file);
  const found = attempt(() => lstatSync(place));
  return attemptRealPath(place) !== place || found?.ino !== opened.ino || found.dev !== opened.dev;
}

/** The names from a folder to a place in it; null where it is outside. */
function stepsBetween(folder: string, place: string): string[] | null {
  const way = relative(folder, place);
  if (way === '') return [];
  const steps = way.split(sep);
  return steps[0] === '..' || isAbsolute(way) ? null : steps;
}

function realPath(root: string): string {
  try {
    return realpathSync(root);
  } catch (error) {
    throw explainDiskError(error, root, 'read');
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch (error) {
    // Nothing is below a file; opening the path reports it.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw explainDiskError(error, path, 'read');
  }
}

function attemptRealPath(path: string): string | null {
  return attempt(() => realpathSync(path));
}

/** null where the system refuses: a path that cannot be read counts as outside. */
function attempt<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}

function outside(root: string, path: string): HandoffError {
  return new HandoffError('path_outside_root', `The path ${path} leads out of ${root}.`, {
    details: { path, root },
    alternatives: [`Name a path in ${root} that no symbolic link leads out of.`],
  });
}

function noPath(path: string): HandoffError {
  const reason = path === '' ? 'is empty' : 'contains a NUL';
  return new HandoffError('invalid_input', `The path ${JSON.stringify(path.slice(0, 80))} ${reason}.`, {
    details: { field: 'path', reason },
    alternatives: ['Name a file.'],
  });
}
