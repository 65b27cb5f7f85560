import { rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { HandoffError } from '../../core/errors.ts';
import { makeUnfinished } from './backup-place.ts';
import { loadSqlite } from './driver.ts';
import { isDamage, notWritten, untilFree } from './failure.ts';
import { needsMigration } from './migrate.ts';
import { withReadable } from './place.ts';
import { fingerprintOf, firstNumber, listComplaints } from './tables.ts';

/** What a copy takes along. */
export interface CopyOptions {
  onProgress?: (progress: { done_bytes: number; total_bytes: number }) => void;
  /** Aborted, the copy ends with `unavailable` and leaves no file. */
  signal?: AbortSignal;
}

/** A copy of a database, just as it was at one instant. */
export interface DatabaseCopy {
  path: string;
  bytes: number;
  schema_version: number;
  /** What SQLite complains of in the copy, and so in what it was made from; empty for a sound one. */
  complaints: string[];
  /** What both hold, compared; absent where there are complaints. */
  fingerprint?: ReturnType<typeof fingerprintOf>;
}

/**
 * Copies a database that others may be writing to, as it is at one instant, and compares the copy with it: integrity, rows
 * and hashes. Writers are not held up, but their log is not written back meanwhile. The copy is one file, not synced yet.
 *
 * @param folder - where the copy gets a random name; a failure removes it, a crash may leave it.
 * @throws HandoffError `unavailable` where it cannot be read or written or has been stopped, `invalid_input` for
 * another program's file, `unsupported_version` for a newer Baton's.
 */
export async function copyDatabase(from: string, folder: string, options: CopyOptions = {}): Promise<DatabaseCopy> {
  const { DatabaseSync } = await loadSqlite();
  return withReadable(from, async (source) => {
    const path = makeUnfinished(folder);
    try {
      // The transaction begins with its first read. While it lasts, pages come from this instant, whichever process writes.
      source.exec('BEGIN');
      const schema_version = await untilFree(from, () => schemaOf(source, from));
      await copyPages(source, path, options);
      const found = examineCopy(new DatabaseSync(path), source);
      return { path, schema_version, bytes: statSync(path).size, ...found };
    } catch (error) {
      removeDatabase(path);
      throw error;
    }
  });
}

/** Removes a database's file and the files that SQLite keeps next to it; only for files that no other process has open. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true });
}

/** @returns the schema's version. @throws HandoffError for what is no database of ours, or a newer one. */
function schemaOf(source: DatabaseSync, path: string): number {
  needsMigration(source, path);
  return firstNumber(source, 'PRAGMA user_version');
}

async function copyPages(source: DatabaseSync, to: string, { onProgress, signal }: CopyOptions): Promise<void> {
  const { backup } = await loadSqlite();
  const page_bytes = firstNumber(source, 'PRAGMA page_size');
  const stopIfAborted = () => {
    if (signal?.aborted !== true) return;
    throw new HandoffError('unavailable', 'Stopped before the copy was whole; nothing of it was kept.', {
      alternatives: ['Run it again.'],
    });
  };
  stopIfAborted();
  try {
    await backup(source, to, {
      // Pages between two looks at the rest of the program: a MiB, some milliseconds of copying.
      rate: 256,
      progress: ({ totalPages, remainingPages }) => {
        stopIfAborted();
        const done_bytes = (totalPages - remainingPages) * page_bytes;
        onProgress?.({ done_bytes, total_bytes: totalPages * page_bytes });
      },
    });
  } catch (error) {
    // Reading fails where the source is damaged; every other error comes from the destination of the copy.
    throw isDamage(error) ? error : notWritten(dirname(to), error);
  }
}

/** Makes the copy one file, without a log next to it, and checks that it is complete. */
function examineCopy(copy: DatabaseSync, source: DatabaseSync) {
  try {
    copy.prepare('PRAGMA journal_mode = DELETE').get();
    const complaints = listComplaints(copy, 'integrity_check');
    if (complaints.length > 0) return { complaints };
    const fingerprint = fingerprintOf(copy);
    const isSame = fingerprintOf(source).sha256 === fingerprint.sha256;
    return isSame ? { complaints, fingerprint } : { complaints: ['The copy does not hold the same rows.'] };
  } finally {
    copy.close();
  }
}
