import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { explainDiskError } from '../disk/disk-error.ts';
import { isUnfinished } from './leftovers.ts';

/** Folders that hold other people's documents, or git's own. */
const skipped = ['.git', 'node_modules'];

/**
 * The Markdown files at some paths, folders with all that is in them, in the order of their names, and what killed
 * writers of handoff files left among them. Symbolic links in a
 * folder are not followed; a file that is named is looked at whatever it is called.
 *
 * @throws HandoffError `file_not_found` for a path that does not exist, `unavailable` for what cannot be looked into.
 */
export function* findDocuments(paths: readonly string[]): Generator<string> {
  for (const path of paths) {
    if (isFolder(path)) yield* findIn(path);
    else yield path;
  }
}

function* findIn(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skipped.includes(entry.name)) yield* findIn(path);
    else if (entry.isFile() && (/\.(?:md|markdown)$/i.test(entry.name) || isUnfinished(entry.name))) yield path;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw explainDiskError(error, folder, 'read');
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw explainDiskError(error, path, 'read');
  }
}
