import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Gives a file a new text: readers see the old one or the new one, never a part. It is not synced to the disk, so it is
 * for what can be rebuilt: a power cut may leave the old text, or an empty file. A crash may leave a temporary file.
 *
 * @param mode - permissions of the file; its folder, where it is absent, is for its owner alone.
 */
export function replaceFile(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${crypto.randomUUID()}`;
  try {
    writeFileSync(unfinished, text, { mode, flag: 'wx' });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
