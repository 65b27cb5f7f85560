import { closeSync, existsSync, mkdirSync, openSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { HandoffError } from '../../core/errors.ts';
import { unwritableAlternatives } from './failure.ts';

/**
 * Makes a database's folder (0700) and its empty file (0600) where they are absent; SQLite gives its `-wal` and `-shm`
 * the file's mode. What exists keeps its mode. A crash in between leaves an empty file, which is a new database.
 *
 * @throws HandoffError `unavailable` where the place cannot be written or lies on a network file system.
 */
export function preparePlace(path: string): void {
  try {
    makeFolder(dirname(path));
    assertLocal(path, statfsSync(dirname(path)).type);
    // Exclusive: an existing file is never opened here, for closing it would drop SQLite's locks of this process.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return;
    throw error instanceof HandoffError ? error : unwritable(path, error);
  }
}

/**
 * Makes a folder and those above it, from above. Not `mkdirSync` with `recursive`, which never ends below a folder that
 * answers a new entry with "no such file", as /proc does.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it in between.
    if (!isSystemError(error, 'EEXIST')) throw error;
  }
}

function unwritable(path: string, cause: unknown): HandoffError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new HandoffError('unavailable', `The store ${path} cannot be created: ${reason}.`, {
    details: { path },
    alternatives: unwritableAlternatives,
    cause,
  });
}

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** File systems (by `statfs` type) on which SQLite's locks or shared memory do not work between machines. */
const networkFileSystems: Record<number, string> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
};

/** @throws HandoffError `unavailable` for a network file system. */
export function assertLocal(path: string, file_system_type: number): void {
  // On some platforms the type comes as a signed number.
  const name = networkFileSystems[file_system_type >>> 0];
  if (name === undefined) return;
  throw new HandoffError('unavailable', `The store ${path} lies on a network file system (${name}).`, {
    details: { path, file_system: name },
    alternatives: [
      'Keep it on a local disk: BATON_STORE=sqlite:/a/local/folder/baton.db',
      'Share handoffs between machines through one Baton server instead of one file.',
    ],
  });
}
