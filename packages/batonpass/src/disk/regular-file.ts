import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { HandoffError } from '../core/errors.ts';

/**
 * Opens one regular file by its own name. A symbolic link is refused and never followed; a pipe, socket, device or
 * folder is refused and never waited for.
 *
 * @param flags - of `fs.constants`, as `O_RDONLY`.
 * @returns the file descriptor, for the caller to close.
 * @throws HandoffError `invalid_input` for what is no regular file; the system's error otherwise (`ENOENT`, `EACCES` …).
 */
export function openRegularFile(path: string, flags: number): number {
  // Windows has neither flag: it has no such pipes, and a link shows before it is opened.
  if (constants.O_NOFOLLOW === undefined && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw noFile(path, 'a symbolic link');
  }
  const file = attemptOpen(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  const stat = fstatSync(file);
  if (stat.isFile()) return file;
  closeSync(file);
  throw noFile(path, stat.isDirectory() ? 'a folder' : 'a pipe, socket or device');
}

/**
 * All bytes of one regular file that {@link openRegularFile} opens.
 *
 * @param bytes_max - a larger file is not read.
 * @throws as {@link openRegularFile}, and HandoffError `too_large`.
 */
export function readWholeFile(path: string, bytes_max: number): Buffer {
  const file = openRegularFile(path, constants.O_RDONLY);
  try {
    return readOpenedFile(file, path, bytes_max);
  } finally {
    closeSync(file);
  }
}

/** The bytes of an opened file from its beginning. @throws HandoffError `too_large`. */
export function readOpenedFile(file: number, path: string, bytes_max: number): Buffer {
  const { size } = fstatSync(file);
  if (size > bytes_max) throw tooLarge(path, bytes_max);
  const pieces: Buffer[] = [];
  let length = 0;
  for (;;) {
    // One byte more than there should be, so that a file which grows meanwhile is read to its end.
    const piece = Buffer.allocUnsafe(Math.max(size - length, 0) + 1);
    const read = readSync(file, piece, 0, piece.length, null);
    if (read === 0) break;
    pieces.push(piece.subarray(0, read));
    length += read;
    if (length > bytes_max) throw tooLarge(path, bytes_max);
  }
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
}

function attemptOpen(path: string, flags: number): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP' || code === 'EMLINK') throw noFile(path, 'a symbolic link');
    if (code === 'ENXIO') throw noFile(path, 'a pipe, socket or device');
    throw error;
  }
}

function noFile(path: string, what: string): HandoffError {
  return new HandoffError('invalid_input', `The path ${path} is ${what}, not a file.`, {
    details: { path },
    alternatives: ['Name a file.'],
  });
}

function tooLarge(path: string, bytes_max: number): HandoffError {
  return new HandoffError('too_large', `The file ${path} has more than ${bytes_max} bytes.`, {
    details: { path, bytes_max },
    alternatives: ['Split it, or move the large part to its own file and refer to that.'],
  });
}
