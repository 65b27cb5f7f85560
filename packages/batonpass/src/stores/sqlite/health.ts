import { existsSync, statSync } from 'node:fs';
import { openDriver } from './driver.ts';
import { explainFailure } from './failure.ts';
import { needsMigration } from './migrate.ts';
import { openReadable } from './readable-place.ts';
import { untilFree } from './until-free.ts';

/** What a look at a database's file found. */
export interface DatabaseHealth {
  schema_version: number;
  /** Whether it is older than this program; the next command brings it up to date. */
  is_outdated: boolean;
  bytes: number;
  /** What SQLite complains of; empty for a sound file, absent where the file is too large to be read through. */
  complaints?: string[];
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
  const place = await openReadable(path);
  try {
    const driver = await openDriver(place.path);
    try {
      // Whatever a defect of ours asked for, nothing is written.
      driver.exec('PRAGMA query_only = ON');
      const is_outdated = await untilFree(path, () => needsMigration(driver, path));
      const readVersion = () => Number(driver.prepare('PRAGMA user_version').get()?.user_version);
      const schema_version = await untilFree(path, readVersion);
      const check = () => driver.prepare('PRAGMA quick_check(3)').all();
      const answers = size > checked_bytes_max ? undefined : await untilFree(path, check);
      const complaints = answers?.map((row) => String(Object.values(row)[0])).filter((answer) => answer !== 'ok');
      return { schema_version, is_outdated, bytes: size, complaints };
    } finally {
      driver.close();
    }
  } catch (error) {
    throw explainFailure(error, path);
  } finally {
    place.release();
  }
}
