import { accessSync, closeSync, constants, copyFileSync, existsSync, mkdirSync, openSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { HandoffError } from '../../core/errors.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../disk/temporary-folder.ts';
import { storeError } from '../sql/failure.ts';
import { loadSqlite } from './driver.ts';
import { explainFailure, unwritableAlternatives } from './failure.ts';

/**
 * Makes a database's folder (0700) and its empty file (0600), which is a new database, where they are absent; SQLite gives
 * its `-wal` and `-shm` the file's mode. What exists keeps its mode.
 *
 * @throws HandoffError `unavailable` where the folder cannot be written or is on a network file system.
 */
export function preparePlace(path: string): void {
  try {
    makeFolder(dirname(path));
    assertLocal(path, statfsSync(dirname(path)).type);
    // Exclusive: an existing file is never opened here, for closing it would drop SQLite's locks of this process.
    unlessThere(() => closeSync(openSync(path, 'wx', 0o600)));
  } catch (error) {
    throw error instanceof HandoffError ? error : failedAt(path, 'cannot be created', error, unwritableAlternatives);
  }
}

/** Not `mkdirSync` with `recursive`: it never ends below a folder that answers a new entry with "no such file", as /proc does. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  unlessThere(() => mkdirSync(path, { mode: 0o700 }));
}

/** Another process may have made it in between. */
function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function failedAt(path: string, what: string, cause: unknown, alternatives: readonly string[]): HandoffError {
  const reason = cause instanceof Error ? cause.message : cause;
  return storeError(path, [`${what}: ${reason}`, ...alternatives], { details: { path }, cause });
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
  const local = 'Keep it on a local disk: BATON_STORE=sqlite:/a/local/folder/baton.db';
  const served = 'Share handoffs between machines through one Baton server instead of one file.';
  const details = { path, file_system: name };
  throw storeError(path, [`is on a network file system (${name})`, local, served], { details });
}

/**
 * A database's file as SQLite can read it. It reads none with a write-ahead log where it cannot write next to it: there it
 * is a private copy in the system's temporary folder, which `release` removes; a process that is killed leaves it.
 *
 * @throws HandoffError `unavailable` where no copy can be made.
 */
export async function openReadable(path: string): Promise<{ path: string; release: () => void }> {
  if (!isReadOnly(path)) return { path, release: () => {} };
  let folder: TemporaryFolder | undefined;
  try {
    folder = makeTemporaryFolder('baton-read-only-');
    const copy = join(folder.path, basename(path));
    const copyFile = (end: string) => existsSync(`${path}${end}`) && copyFileSync(`${path}${end}`, `${copy}${end}`);
    // A process that has the database open for writing keeps a -shm file next to it: without one, there is none.
    if (existsSync(`${path}-shm`)) await copyInUse(path, copy);
    else ['', '-wal'].forEach(copyFile);
    return { path: copy, release: folder.remove };
  } catch (cause) {
    folder?.remove();
    const room = `Make room in ${tmpdir()}, or name another folder: TMPDIR.`;
    throw failedAt(path, 'is read-only, and no copy to read could be made', cause, [room]);
  }
}

/** Runs a body that only reads: nothing is written, even if a defect of ours tried to. @throws HandoffError as opening does. */
export async function withReadable<T>(
  path: string,
  body: (database: DatabaseSync, path: string) => Promise<T>,
): Promise<T> {
  const { DatabaseSync } = await loadSqlite();
  const place = await openReadable(path);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(place.path);
    database.exec('PRAGMA query_only = ON');
    return await body(database, place.path);
  } catch (error) {
    throw explainFailure(error, path);
  } finally {
    database?.close();
    place.release();
  }
}

/** Whether a database is there, and this user may not write it or next to it. */
export function isReadOnly(path: string): boolean {
  return existsSync(path) && [path, dirname(path)].some((place) => !isWritable(place));
}

/** The error of every change of a store that can only be read. */
export function readOnlyStore(path: string): HandoffError {
  const says = 'is read-only: it can be read, and nothing in it changes';
  return storeError(path, [says, ...unwritableAlternatives], { details: { path } });
}

function isWritable(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch (error) {
    return !['EROFS', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

/** Another process may be writing to it: SQLite copies it as it is at one instant. */
async function copyInUse(path: string, copy: string): Promise<void> {
  const { backup, DatabaseSync } = await loadSqlite();
  const source = new DatabaseSync(path, { readOnly: true });
  await backup(source, copy).finally(() => source.close());
}
