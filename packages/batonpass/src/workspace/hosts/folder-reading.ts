import { type BigIntStats, statSync } from 'node:fs';

interface Reading<T> {
  /** The folder's identity and the time of the last change in it. */
  mark: string;
  value: T;
}

/**
 * Clocks of file systems tick, some every two seconds: of two changes within one tick the second leaves no trace. So a
 * reading is cached only of a folder in which nothing has changed for longer, as git does it with its index.
 */
const SETTLED_MS = 3_000;

/** A process works in few folders; beyond this number the oldest reading is dropped. */
const FOLDERS_MAX = 16;

/**
 * The contents of folders, read again only when something in them has changed: for folders whose files are never written
 * in place, but replaced, added and removed, each of which changes the folder's own time.
 */
export class FolderReadings<T> {
  readonly #kept = new Map<string, Reading<T>>();

  /**
   * @param read - reads the folder. Its result is shared: nobody may change it.
   * @returns undefined where the folder is absent, or hidden from this process.
   */
  get(folder: string, read: () => T): T | undefined {
    const found = look(folder);
    if (found === undefined) return undefined;
    const mark = `${found.dev}:${found.ino}:${found.mtimeNs}`;
    const known = this.#kept.get(folder);
    if (known?.mark === mark) return known.value;
    this.#kept.delete(folder);
    // Its time is read before its contents: the next call sees a change in between.
    const value = read();
    if (Date.now() - Number(found.mtimeMs) > SETTLED_MS) this.#keep(folder, { mark, value });
    return value;
  }

  #keep(folder: string, reading: Reading<T>): void {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= FOLDERS_MAX && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(folder, reading);
  }
}

function look(folder: string): BigIntStats | undefined {
  try {
    return statSync(folder, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    // In a sandbox the user's own folders may be closed: a process that cannot see a folder gets nothing from it.
    if (['EACCES', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
}
