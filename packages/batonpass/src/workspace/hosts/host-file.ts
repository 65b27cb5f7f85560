import { accessSync, constants, lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { HandoffError, ParseError } from '../../core/errors.ts';

/** A text file of a host or a project, as it was when it was read, and everything needed to write it. */
export interface HostFile {
  /** As the user knows it. */
  path: string;
  /** Its real path: links followed. */
  target: string;
  exists: boolean;
  /** Empty where it does not exist. */
  bytes: Buffer;
  /** Without the byte order mark. */
  text: string;
  /** The folders above it that do not exist yet, the outermost first. */
  absent_folders: readonly string[];
}

const byteOrderMark = '\ufeff';

/**
 * Reads a file that is to be changed, and makes sure that it can be.
 *
 * A link is followed as long as it stays inside of one of the `bounds`, which are folders, and out of git's own folder.
 *
 * @throws HandoffError `path_outside_root`, `invalid_structure` (a folder, a link to nothing), `unavailable` (not readable,
 * read-only) or ParseError (not UTF-8); each names the file. Nothing is changed.
 */
export function readHostFile(path: string, bounds: readonly string[]): HostFile {
  const status = statOf(path);
  const { target, absent_folders } = status === undefined ? placeNew(path) : followLink(path);
  assertInside(path, target, bounds);
  const [nearest = dirname(target)] = absent_folders.map((folder) => dirname(folder));
  assertAccess(nearest, constants.W_OK | constants.X_OK, 'cannot be written: new files cannot be made in it');
  if (status === undefined) return { path, target, exists: false, bytes: Buffer.alloc(0), text: '', absent_folders };
  assertWritable(path, statSync(target));
  const bytes = readBytes(path, target);
  return { path, target, exists: true, bytes, text: decode(path, bytes), absent_folders };
}

/** The bytes of a file with another text: its byte order mark stays. */
export function encodeLike({ bytes }: HostFile, text: string): Buffer {
  const hasMark = bytes.subarray(0, 3).equals(Buffer.from(byteOrderMark));
  return Buffer.from(hasMark ? `${byteOrderMark}${text}` : text);
}

/** A text of bytes that were a readable file's once, without the byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    // A parent of it is no folder: the search for the nearest folder finds it.
    if (codeOf(cause) === 'ENOTDIR') return undefined;
    throw unusable(path, `cannot be looked at (${codeOf(cause)})`, cause);
  }
}

function placeNew(path: string): { target: string; absent_folders: string[] } {
  const absent: string[] = [];
  let folder = dirname(path);
  for (; statOf(folder) === undefined && folder !== dirname(folder); folder = dirname(folder)) absent.unshift(folder);
  const real = realPathOf(folder);
  if (!statSync(real).isDirectory()) throw wrongKind(folder, 'is a file where a folder is needed');
  const moved = (place: string) => join(real, place.slice(folder.length));
  return { target: moved(path), absent_folders: absent.map(moved) };
}

function followLink(path: string): { target: string; absent_folders: string[] } {
  return { target: realPathOf(path), absent_folders: [] };
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw wrongKind(path, `is a link that leads nowhere (${codeOf(cause)})`, cause);
  }
}

function assertInside(path: string, target: string, bounds: readonly string[]): void {
  const isInside = bounds.some((bound) => isBelow(target, realpathOfBound(bound)));
  if (isInside) return;
  throw new HandoffError(
    'path_outside_root',
    `${path} leads out of ${bounds.join(' and ')}, to ${target}. Nothing was written.`,
    {
      details: { path, target, bounds },
      alternatives: [
        'Write to another place: baton init --local, or baton init --user.',
        'Or leave the file out: --only mcp, hooks or docs.',
      ],
    },
  );
}

/** What a repository brings as a link may lead to git's settings and hooks, which are no files of the project. */
function isBelow(target: string, bound: string): boolean {
  return target.startsWith(bound + sep) && !/[\\/]\.git[\\/]/i.test(target.slice(bound.length));
}

/** A folder that is made only later counts by its name. */
function realpathOfBound(bound: string): string {
  try {
    return realpathSync(bound).replace(/[\\/]$/, '');
  } catch {
    return bound;
  }
}

function assertWritable(path: string, status: Stats): void {
  if (status.isDirectory()) throw wrongKind(path, 'is a folder where a file is needed');
  if (!status.isFile()) throw wrongKind(path, 'is not a regular file');
  // Checks the file's own permissions: replacing it needs none of them, yet a user who removed them did so on purpose.
  if ((status.mode & 0o222) === 0) throw unusable(path, 'is read-only');
  assertAccess(path, constants.W_OK, 'is read-only for you');
}

function assertAccess(path: string, mode: number, problem: string): void {
  try {
    accessSync(path, mode);
  } catch (cause) {
    throw unusable(path, `${problem} (${codeOf(cause)})`, cause);
  }
}

function readBytes(path: string, target: string): Buffer {
  try {
    return readFileSync(target);
  } catch (cause) {
    throw unusable(path, `cannot be read (${codeOf(cause)})`, cause);
  }
}

function decode(path: string, bytes: Buffer): string {
  try {
    return decodeText(bytes);
  } catch (cause) {
    throw new ParseError(`${path} is not UTF-8 text. Nothing was written.`, {
      source: path,
      cause,
      alternatives: ['Save it as UTF-8, then run the command again.', 'Or leave it out: --only mcp, hooks or docs.'],
    });
  }
}

function wrongKind(path: string, problem: string, cause?: unknown): HandoffError {
  return new HandoffError('invalid_structure', `${path} ${problem}. Nothing was written.`, {
    details: { path },
    cause,
    alternatives: ['Look at what is there, and move it if it is not needed.', 'Or: baton init --only mcp,docs'],
  });
}

function unusable(path: string, problem: string, cause?: unknown): HandoffError {
  return new HandoffError('unavailable', `${path} ${problem}. Nothing was written.`, {
    details: { path },
    cause,
    alternatives: [
      'Give yourself write permission for it, then run the command again.',
      'Or write to another place: baton init --local, or baton init --user.',
    ],
  });
}

/** The system's code for a failure, as `EACCES`. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
