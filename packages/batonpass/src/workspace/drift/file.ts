import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../core/limits.ts';
import { startTimeBudget, type TimeBudget } from './time.ts';

/** The hash that a repository names its objects by. */
export type ObjectFormat = 'sha1' | 'sha256';

/** A path of a content inside the work tree, or inside of a repository within it. */
export interface FilePlace {
  /** The top folder of the repository that the file belongs to: the work tree's own, or a submodule's. */
  repository: string;
  /** The path from there, with `/`. */
  inside: string;
  /** Whether every folder of the path is an ordinary one, so that the file itself may be read. */
  is_reachable: boolean;
}

/** What is at a place. */
export type FoundFile =
  | { kind: 'file' | 'link'; mode: '100644' | '100755' | '120000'; bytes: Buffer }
  | { kind: 'missing'; became?: 'folder' | 'special' }
  | { kind: 'refused'; reason: 'unreadable' | 'too-large' | 'out-of-time' };

/**
 * Reads the files of one work tree for one comparison, within bounds, and never anything else: a path that leads out,
 * into git's own folder or through a symbolic link is refused, and what is no file or link is never opened.
 */
export interface FileReader {
  /** null where the path is none of the work tree. */
  locate: (path: string) => FilePlace | null;
  read: (place: FilePlace) => FoundFile;
  /** Whether anything is there; what may not be read counts as absent. */
  isThere: (place: FilePlace) => boolean;
  /** What the comparison may take, its questions to git included; it runs from the making of the reader. */
  time: TimeBudget;
}

/**
 * A reader for a work tree's top folder; what it reads about folders is kept for its one comparison.
 *
 * @param time - default: `limits.git_ms_max` from now.
 */
export function createFileReader(root: string, time: TimeBudget = startTimeBudget(limits.git_ms_max)): FileReader {
  const folders = new Map<string, 'folder' | 'repository' | 'other'>();
  let bytes_left: number = limits.drift_bytes_max;
  const kindOf = (folder: string) => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const kind = statFolder(folder);
    folders.set(folder, kind);
    return kind;
  };
  return {
    time,
    locate: (path) => {
      const segments = splitPath(path);
      return segments === null ? null : placeOf(root, segments, kindOf);
    },
    read: ({ repository, inside, is_reachable }) => {
      if (!time.isLeft()) return { kind: 'refused', reason: 'out-of-time' };
      if (!is_reachable) return { kind: 'missing' };
      const bytes_max = Math.min(bytes_left, limits.drift_file_bytes_max);
      const found = readFound(join(repository, inside), { bytes_max, time });
      if ('bytes' in found) bytes_left -= found.bytes.length;
      return found;
    },
    isThere: ({ repository, inside, is_reachable }) =>
      is_reachable && attemptStat(join(repository, inside)) !== undefined,
  };
}

/** The segments of a relative path; null for one that is absolute somewhere, leads upwards or into git's own folder. */
function splitPath(path: string): string[] | null {
  if (path === '' || path.includes('\0') || !path.isWellFormed() || path.startsWith('/')) return null;
  if (process.platform === 'win32' && /^[A-Za-z]:|\\/.test(path)) return null;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  const isRefused = segments.some((segment) => segment === '..' || segment.toLowerCase() === '.git');
  return segments.length === 0 || isRefused ? null : segments;
}

function placeOf(root: string, segments: readonly string[], kindOf: (folder: string) => string): FilePlace {
  let repository = root;
  let start = 0;
  for (let depth = 1; depth < segments.length; depth += 1) {
    const folder = join(root, ...segments.slice(0, depth));
    const kind = kindOf(folder);
    if (kind === 'other') return { repository, inside: segments.slice(start).join('/'), is_reachable: false };
    if (kind === 'repository') {
      repository = folder;
      start = depth;
    }
  }
  return { repository, inside: segments.slice(start).join('/'), is_reachable: true };
}

/** A folder reached by a link is no folder of the work tree, as git sees it. */
function statFolder(folder: string): 'folder' | 'repository' | 'other' {
  if (attemptStat(folder)?.isDirectory() !== true) return 'other';
  const own = join(folder, '.git');
  // As git decides it: a file that names the place of the repository, or that place itself.
  return attemptStat(own)?.isFile() === true || attemptStat(join(own, 'HEAD')) !== undefined ? 'repository' : 'folder';
}

/** What cannot be read counts as absent here; reading the file itself distinguishes the two. */
function attemptStat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

const absent = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

interface ReadBounds {
  bytes_max: number;
  time: TimeBudget;
}

function readFound(path: string, bounds: ReadBounds): FoundFile {
  try {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) return { kind: 'link', mode: '120000', bytes: readlinkSync(path, 'buffer') };
    if (stat.isDirectory()) return { kind: 'missing', became: 'folder' };
    if (!stat.isFile()) return { kind: 'missing', became: 'special' };
    if (stat.size > bounds.bytes_max) return { kind: 'refused', reason: 'too-large' };
    return readRegular(path, bounds);
  } catch (error) {
    // A file that cannot be read has an unknown state, which is an answer.
    const isAbsent = absent.includes((error as NodeJS.ErrnoException).code ?? '');
    return isAbsent ? { kind: 'missing' } : { kind: 'refused', reason: 'unreadable' };
  }
}

/** Opened so that a link or a pipe which appeared since the check is neither followed nor waited for. */
function readRegular(path: string, { bytes_max, time }: ReadBounds): FoundFile {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return { kind: 'missing', became: 'special' };
    if (stat.size > bytes_max) return { kind: 'refused', reason: 'too-large' };
    const bytes = readWhole(file, stat.size, time);
    if (bytes === 'out-of-time') return { kind: 'refused', reason: 'out-of-time' };
    // A file that grew or shrank meanwhile has no definite bytes.
    if (bytes === null) return { kind: 'refused', reason: 'unreadable' };
    return { kind: 'file', mode: (stat.mode & 0o100) === 0 ? '100644' : '100755', bytes };
  } finally {
    closeSync(file);
  }
}

/** A slow disk reads so much in a fraction of a second. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** All bytes of a file that should have so many; null where it has more or fewer. */
function readWhole(file: number, size: number, time: TimeBudget): Buffer | 'out-of-time' | null {
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  while (length <= size) {
    if (!time.isLeft()) return 'out-of-time';
    const read = readSync(file, buffer, length, Math.min(PIECE_BYTES, size + 1 - length), null);
    if (read === 0) break;
    length += read;
  }
  return length === size ? buffer.subarray(0, size) : null;
}

/** The id under which git would store bytes as they are. */
export function hashBlob(bytes: Buffer, format: ObjectFormat): string {
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** The format that an object id is of; null for what is none. */
export function formatOfId(id: string | undefined): ObjectFormat | null {
  if (id === undefined || !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) return null;
  return id.length === 40 ? 'sha1' : 'sha256';
}
