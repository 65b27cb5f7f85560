import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The repository's folder. */
export const root = join(import.meta.dirname, '..', '..');

/** Texts by path from the repository's root. */
export type SourceTexts = Readonly<Record<string, string>>;

/** The paths of a folder's TypeScript and JavaScript files, sorted, built and installed ones left out. */
export function listSources(folder: string, extension = /\.(?:ts|tsx|js|mjs)$/): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extension.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !/(?:^|\/)(?:node_modules|dist|__fixtures__)\//.test(path))
    .sort();
}

/** The texts of all files of these folders. */
export function readSources(folders: readonly string[], extension?: RegExp): SourceTexts {
  const paths = folders.flatMap((folder) => listSources(folder, extension));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}
