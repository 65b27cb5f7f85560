import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The disk that a folder is on. */
export interface Disk {
  /** The nearest folder that exists. */
  folder: string;
  /** What this user may still write. */
  free_bytes: number;
  /** The file system's own number, as `statfs` gives it. */
  type: number;
}

/** Measures the disk of a folder, which need not exist yet. @throws the system's error. */
export function findDisk(folder: string): Disk {
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  const { bavail, bsize, type } = statfsSync(nearest);
  return { folder: nearest, free_bytes: bavail * bsize, type };
}

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
