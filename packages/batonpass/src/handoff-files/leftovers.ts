import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { limits } from '../core/limits.ts';

/** The name under which a file grows until it is whole. Random, because two containers may have one process id. */
export function unfinishedName(): string {
  return `.handoff.${crypto.randomUUID()}.new`;
}

/** Whether a name is that of an unfinished file: its writer is still at it, or was killed. */
export function isUnfinished(path: string): boolean {
  return /^\.handoff\.[0-9a-f-]{36}\.new$/.test(basename(path));
}

/** Removes what killed writers left in a folder. What cannot be removed stays: the next writer tries again. */
export function sweepLeftovers(folder: string): void {
  for (const name of readdirSync(folder).filter(isUnfinished)) {
    const path = join(folder, name);
    const written_ms = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Math.abs(Date.now() - written_ms) > limits.unplaced_file_ms) rmSync(path, { force: true });
  }
}
