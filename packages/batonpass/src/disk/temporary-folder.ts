import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is there for a moment. */
export interface TemporaryFolder {
  /** Absolute, links resolved. */
  path: string;
  /** Removes it with all that is in it; twice does no harm. */
  remove: () => void;
}

/**
 * Makes a folder for its owner alone among the machine's temporary files. A crash leaves it there, for the machine to
 * clean.
 *
 * @throws the system's error, as where the disk is full.
 */
export function makeTemporaryFolder(prefix: string): TemporaryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  // A process that still writes into it may create a file between the emptying and the removal.
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }) };
}
