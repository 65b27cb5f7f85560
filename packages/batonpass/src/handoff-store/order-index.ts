import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isHandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { HeldLock } from '../disk/held-lock.ts';
import { withLock } from '../disk/lock.ts';
import { readIndex } from './folder-view.ts';
import { type HandoffIndexEntry, toIndexEntry } from './record.ts';
import { type FolderNames, LOCK, type RecordFiles } from './record-files.ts';

/** How an index is put in order. */
export interface OrderOptions {
  now: () => number;
  onWarning: (text: string) => void;
  /** Whether every line is made from its record. Default: those that are whole are kept as they stand. */
  anew?: boolean;
  /** How long to wait for whoever is at it. */
  wait_ms: number;
}

/**
 * Puts the index of a folder in order, by one process at a time: one whole line for each record, those that were there
 * in their order, then those that were missing. Carries out what killed processes had decided, and removes what they
 * left beside its place. A crash leaves the former index or the new one.
 *
 * Others may create and acknowledge meanwhile. A line that they add to the former index is missed when the folder is
 * looked at next, and added then. An acknowledgement is not forgotten: while the lock is there, `.ID.acknowledging`
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
    // The index first: a record is there before its line.
    const index = readIndex(join(this.#files.folder, 'index.jsonl'));
    const names = this.#files.names();
    const carried = this.#carryOut(names.decided);
    const lines = new Map<string, { text: string; entry: HandoffIndexEntry }>();
    for (const { start, end, entry } of index.lines) {
      if (entry === undefined || !names.records.has(entry.id)) continue;
      const present = lines.get(entry.id);
      if (present === undefined) lines.set(entry.id, { entry, text: index.bytes.toString('utf8', start, end) });
      else if (entry.acknowledged) lines.set(entry.id, lineOf({ ...present.entry, acknowledged: true }));
    }
    // In a damaged one a line that is missing was there, more likely than not.
    const isWhole = index.isTidy && index.lines.length > 0 && index.lines.every(({ entry }) => entry !== undefined);
    for (const id of [...names.records].sort()) {
      if (this.#options.anew === true || !lines.has(id)) this.#renew(id, lines, isWhole);
    }
    for (const id of carried) {
      const line = lines.get(id);
      if (line !== undefined && !line.entry.acknowledged) lines.set(id, lineOf({ ...line.entry, acknowledged: true }));
    }
    this.#write(
      [...lines.values()].map(({ text }) => text),
      index.bytes,
    );
    // Only now: who is killed before leaves them to the next.
    for (const id of carried) this.#files.removeDecision(id);
    this.#removeUnplaced(names);
  }

  /** @returns the handoffs that are acknowledged now, as was decided. */
  #carryOut(decided: readonly string[]): string[] {
    return decided.filter(
      (id) => this.#attempt(() => this.#files.carryOut(id, this.#files.readDecision(id)) !== null) === true,
    );
  }

  #renew(id: string, lines: Map<string, { text: string; entry: HandoffIndexEntry }>, isWhole: boolean): void {
    const { anew, now } = this.#options;
    const isFresh = (this.#files.age(`${id}.json`, now()) ?? 0) <= limits.index_grace_ms;
    // Its writer is about to add the line.
    if (isFresh && isWhole && anew !== true) return;
    const record = this.#attempt(() => this.#files.read(id));
    if (record !== null && record !== undefined) lines.set(id, lineOf(toIndexEntry(record)));
  }

  #write(lines: readonly string[], before: Buffer): void {
    const text = lines.map((line) => `${line}\n`).join('');
    if (!before.equals(Buffer.from(text))) this.#lock.replaceFile('index.jsonl', text);
  }

  #removeUnplaced({ unplaced }: FolderNames): void {
    for (const name of unplaced) {
      // Its holder is this very process.
      if (name === LOCK) continue;
      const age_ms = this.#files.age(name, this.#options.now()) ?? 0;
      if (age_ms > limits.unplaced_file_ms) rmSync(join(this.#files.folder, name), { force: true });
    }
  }

  /** A damaged file is told and keeps nothing else from its order. */
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

function lineOf(entry: HandoffIndexEntry): { text: string; entry: HandoffIndexEntry } {
  return { text: JSON.stringify(entry), entry };
}
