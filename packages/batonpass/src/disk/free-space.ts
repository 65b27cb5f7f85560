import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

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
