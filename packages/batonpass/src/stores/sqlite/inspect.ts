import { existsSync, statSync } from 'node:fs';
import { type Driver, openDriver } from './driver.ts';
import { explainFailure, untilFree } from './failure.ts';
import { needsMigration } from './migrate.ts';
import { openReadable } from './place.ts';

/** What a look at a database's file found. */
export interface DatabaseHealth {
  schema_version: number;
  /** Whether it is older than this program; the next command brings it up to date. */
  is_outdated: boolean;
  bytes: number;
  /** What SQLite complains of; empty for a sound file, absent where the file is too large to be read through. */
  complaints?: string[];
}

/** How much of the disk a database takes. */
export interface Space {
  bytes: number;
  /** Of these, free for new handoffs; the disk gets them back by `giveBackSpace` alone. */
  free_bytes: number;
}

/** A second of reading, about; whoever waits for a diagnosis does not wait for more. */
const checked_bytes_max = 512 * 1024 * 1024;

/**
 * Looks at a database without changing it: neither its schema nor its journal.
 *
 * @returns null where the file does not exist.
 * @throws HandoffError as opening a store does: `unavailable`, `invalid_input`, `unsupported_version`.
 */
export async function examineDatabase(path: string): Promise<DatabaseHealth | null> {
  if (!existsSync(path)) return null;
  const { size } = statSync(path);
  return withReadable(path, async (driver, { is_outdated }) => {
    const schema_version = await untilFree(path, () => readPragma(driver, 'user_version'));
    const check = () => driver.prepare('PRAGMA quick_check(3)').all();
    const answers = size > checked_bytes_max ? undefined : await untilFree(path, check);
    const complaints = answers?.map((row) => String(Object.values(row)[0])).filter((answer) => answer !== 'ok');
    return { schema_version, is_outdated, bytes: size, complaints };
  });
}

/** Reads a database of which nothing is written, whatever a defect of ours asked for. @throws as opening a store does. */
export async function withReadable<T>(
  path: string,
  body: (driver: Driver, facts: { is_outdated: boolean; path: string }) => Promise<T>,
): Promise<T> {
  const place = await openReadable(path);
  try {
    const driver = await openDriver(place.path);
    try {
      driver.exec('PRAGMA query_only = ON');
      const is_outdated = await untilFree(path, () => needsMigration(driver, path));
      return await body(driver, { is_outdated, path: place.path });
    } finally {
      driver.close();
    }
  } catch (error) {
    throw explainFailure(error, path);
  } finally {
    place.release();
  }
}

/** Looks how large a database is, its log apart. @throws HandoffError as opening a store does. */
export async function measureSpace(path: string): Promise<Space> {
  return withReadable(path, async (driver) => spaceOf(driver));
}

/** The same of one that is open. */
export function spaceOf(driver: Driver): Space {
  const page_bytes = readPragma(driver, 'page_size');
  const pages = (pragma: string) => readPragma(driver, pragma) * page_bytes;
  return { bytes: pages('page_count'), free_bytes: pages('freelist_count') };
}

/** A setting or fact of a database that is a number. */
export function readPragma(driver: Driver, pragma: string): number {
  return Number(Object.values(driver.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}

/**
 * Writes a database again without its free pages. Other processes go on reading; their writes wait, for as long as it
 * takes to write the whole file. A crash leaves it as it was.
 *
 * @throws HandoffError `unavailable` where it stays locked or the disk has no room for a second one next to it.
 */
export async function giveBackSpace(path: string): Promise<void> {
  const driver = await openDriver(path);
  try {
    await untilFree(path, () => driver.exec('VACUUM'));
    // The file shrinks when the log is written back; where somebody is reading just now, a later commit does it.
    driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  } catch (error) {
    throw explainFailure(error, path);
  } finally {
    driver.close();
  }
}
