import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
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
  return { path, remove: () => removeWhole(path) };
}

const removalsMax = 50;
const betweenRemovals_ms = 20;

/**
 * Waits, for a second at the most, until a process that still works in the folder lets it be removed. Where that process
 * creates a file meanwhile, the removal fails; where it removes one, Node's removal ends without an error and leaves the rest.
 */
function removeWhole(path: string): void {
  for (let left = removalsMax; existsSync(path); left -= 1) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (left <= 0) throw error;
    }
    if (left <= 0 || !existsSync(path)) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, betweenRemovals_ms);
  }
}
