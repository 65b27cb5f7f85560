import { openDriver } from './driver.ts';
import { explainFailure } from './failure.ts';
import { untilFree } from './until-free.ts';

/** How much of the disk a database takes. */
export interface Space {
  bytes: number;
  /** Of these, free for new handoffs; the disk gets them back by `giveBackSpace` alone. */
  free_bytes: number;
}

/** Looks how large a database is, its log apart. @throws HandoffError as opening a store does. */
export async function measureSpace(path: string): Promise<Space> {
  return withDriver(path, (driver) => {
    const read = (pragma: string) => Number(Object.values(driver.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
    const page_bytes = read('page_size');
    return { bytes: read('page_count') * page_bytes, free_bytes: read('freelist_count') * page_bytes };
  });
}

/**
 * Writes a database anew without its free pages. Other processes go on reading; their writes wait, for as long as it
 * takes to write the whole file. A crash leaves it as it was.
 *
 * @throws HandoffError `unavailable` where it stays locked or the disk has no room for a second one beside it.
 */
export async function giveBackSpace(path: string): Promise<void> {
  await withDriver(path, (driver) => {
    driver.exec('VACUUM');
    // The file shrinks when the log is written back; where somebody is reading just now, a later commit does it.
    driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  });
}

async function withDriver<T>(path: string, body: (driver: Awaited<ReturnType<typeof openDriver>>) => T): Promise<T> {
  const driver = await openDriver(path);
  try {
    return await untilFree(path, () => body(driver));
  } catch (error) {
    throw explainFailure(error, path);
  } finally {
    driver.close();
  }
}
