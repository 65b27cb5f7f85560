import { closeSync, fsyncSync, openSync } from 'node:fs';

/**
 * Makes what happened to the names in a folder last through a power cut: a file is there, or gone, once its folder is
 * synced. Windows neither needs nor allows it.
 */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
