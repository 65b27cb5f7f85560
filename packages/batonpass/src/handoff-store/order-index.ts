import { existsSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isHandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { HeldLock } from '../disk/held-lock.ts';
import { withLock } from '../disk/lock.ts';
import { readIndex } from './folder-view.ts';
import type { IndexContent } from './index-lines.ts';
import { beforeStep, setIndexTime } from './index-time.ts';
import { type HandoffIndexEntry, toIndexEntry } from './record.ts';
import { type FolderNames, LOCK, type RecordFiles } from './record-files.ts';

/** How an index is put in order. */
export interface OrderOptions {
  now: () => number;
  onWarning: (text: string) => void;
  /** Whether every line is made from its record. Default: those that are whole are kept as they are. */
  rebuild?: boolean;
  /** How long to wait for another process that does it. */
  wait_ms: number;
}

/**
 * Puts the index of a folder in order, by one process at a time: one whole line for each record, those that were there
 * in their order and rebuilt where their record is newer than the index, then those that were missing. Carries out what
 * killed processes had decided, and removes the temporary files that they left. A crash leaves the former index or the
 * new one.
 *
 * Others may create and acknowledge meanwhile. A line that they add to the former index is missed when the folder is
 * read next, and added then. An acknowledgement is not forgotten: while the lock is there, `.ID.acknowledging`
 * stays for the next to carry out.
 *
 * @throws HandoffError `unavailable` where another process holds the lock, or the disk refuses it.
 */
export async function orderIndex(files: RecordFiles, options: OrderOptions): Promise<void> {
  if (!existsSync(files.folder)) return;
  await withLock(files.folder, (lock) => new Ordering(files, lock, options).run(), { wait_ms: options.wait_ms });
}

class Ordering {
  readonly #files: RecordFiles;
  readonly #lock: HeldLock;
  readonly #options: OrderOptions;

  constructor(files: RecordFiles, lock: HeldLock, options: OrderOptions) {
    this.#files = files;
    this.#lock = lock;
    this.#options = options;
  }

  run(): void {
    const index_path = join(this.#files.folder, 'index.jsonl');
    const began_ms = Date.now();
    const index_ms = lstatSync(index_path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    // The index first: a record is there before its line.
    const index = readIndex(index_path);
    const names = this.#files.names();
    const carried = this.#carryOut(names.decided);
    const lines = linesOf(index, names);
    // In a damaged one a line that is missing was there, more likely than not.
    const isWhole = index.isTidy && index.lines.length > 0 && index.lines.every(({ listed }) => listed !== undefined);
    const newer = this.#options.rebuild === true ? lines.keys() : this.#files.changedSince(lines.keys(), index_ms);
    const isRead = [...newer].map((id) => this.#renew(id, lines)).every(Boolean);
    for (const id of [...names.records].sort()) {
      if (!lines.has(id) && !(isWhole && this.#isFresh(id))) this.#renew(id, lines);
    }
    for (const id of carried) {
      const line = lines.get(id);
      if (line !== undefined && !line.entry.acknowledged) lines.set(id, lineOf({ ...line.entry, acknowledged: true }));
    }
    const text = [...lines.values()].map((line) => `${line.text}\n`).join('');
    if (index.fault !== undefined || !index.bytes.equals(Buffer.from(text))) {
      this.#lock.replaceFile('index.jsonl', text);
      // Changes since it began are not in it; every first reading reports a damaged record.
      setIndexTime(this.#files.folder, isRead ? beforeStep(began_ms, index_ms) : index_ms);
    }
    // Only now: a process that is killed before leaves them to the next one.
    for (const id of carried) this.#files.removeDecision(id);
    this.#removeUnplaced(names);
  }

  /** @returns the handoffs that are acknowledged now, as was decided. */
  #carryOut(decided: readonly string[]): string[] {
    return decided.filter(
      (id) => this.#attempt(() => this.#files.carryOut(id, this.#files.readDecision(id)) !== null) === true,
    );
  }

  /** Makes a line from its record. @returns false where the record cannot be read. */
  #renew(id: string, lines: Map<string, ReadIndexLine>): boolean {
    const record = this.#attempt(() => this.#files.read(id));
    if (record === undefined) return false;
    if (record !== null) lines.set(id, lineOf(toIndexEntry(record)));
    return true;
  }

  /** Whether the writer of a record is about to add its line. */
  #isFresh(id: string): boolean {
    const { rebuild, now } = this.#options;
    return rebuild !== true && (this.#files.age(`${id}.json`, now()) ?? 0) <= limits.index_grace_ms;
  }

  #removeUnplaced({ unplaced }: FolderNames): void {
    for (const name of unplaced) {
      // Its holder is this very process.
      if (name === LOCK) continue;
      const age_ms = this.#files.age(name, this.#options.now()) ?? 0;
      if (age_ms > limits.unplaced_file_ms) rmSync(join(this.#files.folder, name), { force: true });
    }
  }

  /** A damaged file is reported and does not stop the ordering of the rest. */
  #attempt<T>(body: () => T): T | undefined {
    try {
      return body();
    } catch (error) {
      if (!isHandoffError(error)) throw error;
      this.#options.onWarning(error.message);
      return undefined;
    }
  }
}

/** A line of the index that is to be written. */
interface ReadIndexLine {
  text: string;
  entry: HandoffIndexEntry;
}

/** The whole lines of an index that have a record, one for each, as they are. */
function linesOf(index: IndexContent, names: FolderNames): Map<string, ReadIndexLine> {
  const lines = new Map<string, ReadIndexLine>();
  for (const { text, listed } of index.lines) {
    if (listed === undefined || !names.records.has(listed.entry.id)) continue;
    const { entry } = listed;
    const present = lines.get(entry.id);
    if (present === undefined) lines.set(entry.id, { entry, text });
    else if (entry.acknowledged) lines.set(entry.id, lineOf({ ...present.entry, acknowledged: true }));
  }
  return lines;
}

function lineOf(entry: HandoffIndexEntry): ReadIndexLine {
  return { text: JSON.stringify(entry), entry };
}
