import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a file into a folder, syncs it and removes it again: the one sure answer to whether it can be written there. A
 * crash may leave the file, which is named `.baton-try.RANDOM`.
 *
 * @throws the system's error (`ENOSPC`, `EDQUOT`, `EACCES`, `EROFS` …).
 */
export function tryWrite(folder: string, bytes: number): void {
  const path = join(folder, `.baton-try.${crypto.randomUUID()}`);
  const file = openSync(path, 'wx', 0o600);
  try {
    const written = writeSync(file, Buffer.alloc(bytes, '.'));
    fsyncSync(file);
    // A disk that fills up within one write writes a part of it without an error; the next byte is refused.
    if (written < bytes) writeSync(file, '.');
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}
