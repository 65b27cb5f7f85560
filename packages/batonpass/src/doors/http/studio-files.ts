import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One file of the studio, as it is sent. */
export interface StudioFile {
  body: Buffer;
  headers: Record<string, string>;
}

/** The folder of the built studio: next to the command and the library, or in `dist` where the sources themselves run. */
const builtFolders = ['../studio/', '../../../dist/studio/'];

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The addresses of its screens, which the one page answers. An id is any handoff id, a plan's name any folder's name. */
const screen =
  /^\/(?:(?:b|inbox|import|settings|review|run|lineage|plans)?|(?:b|h|review|run|lineage)\/[\w-]{1,200}|plan\/[^/]{1,200})$/;

/** Whether an address is one of the studio's screens: a page without anybody's data. */
export function isScreenPath(path: string): boolean {
  return screen.test(path);
}

/** The build names these files by their content: other content has another name, so a browser caches them for good. */
export const studioAssetPath = '/assets/:name{[\\w-]+(?:\\.[\\w-]+)*\\.(?:js|css|svg)}';

/** The files of one built studio. */
export class StudioFiles {
  readonly #folder: string | undefined;

  /** @param folder - default: the one next to this program, where one was built. */
  constructor(folder?: string) {
    this.#folder = folder ?? builtFolders.map((path) => fileURLToPath(new URL(path, import.meta.url))).find(existsSync);
  }

  /** The page of all screens, or null where no studio was built. */
  readPage(): Promise<StudioFile | null> {
    return this.#read('index.html', {});
  }

  /** A part of the studio by its name, or null. The route accepts no name that leads elsewhere. */
  readAsset(name: string): Promise<StudioFile | null> {
    return this.#read(`assets/${name}`, { 'cache-control': 'public, max-age=31536000, immutable' });
  }

  async #read(path: string, headers: Record<string, string>): Promise<StudioFile | null> {
    if (this.#folder === undefined) return null;
    const place = join(this.#folder, path);
    if (!existsSync(place)) return null;
    const type = types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    return { body: await readFile(place), headers: { 'content-type': type, ...headers } };
  }
}
