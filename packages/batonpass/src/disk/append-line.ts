import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Adds a line to a file that never grows much beyond a size: a full one moves aside, in place of the one that moved
 * before it. Not synced: a power cut loses the newest lines.
 *
 * @param mode - permissions of the file; its folder, where it is absent, is for its owner alone.
 */
export function appendLine(path: string, line: string, { bytes_max, mode }: { bytes_max: number; mode: number }): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (size > bytes_max) renameSync(path, `${path}.1`);
  appendFileSync(path, `${line}\n`, { mode });
}
