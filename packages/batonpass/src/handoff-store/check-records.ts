import { join } from 'node:path';
import { isHandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { readIndex } from './folder-view.ts';
import { orderIndex } from './order-index.ts';
import { differingFields, type HandoffIndexEntry, toIndexEntry } from './record.ts';
import { LOCK, RecordFiles } from './record-files.ts';

/** Something that is not as it should be. */
export interface RecordFinding {
  /** The file, absolute. */
  path: string;
  line?: number;
  what: string;
}

/** The result of a check of a folder. */
export interface RecordReport {
  records: number;
  acknowledged: number;
  /** Whole lines of the index. */
  lines: number;
  findings: RecordFinding[];
}

/**
 * Reads every record and every line of the index, and compares them; changes nothing. What other processes are at just
 * now shows as a finding too. Ends early where the signal aborts.
 *
 * @param folder - with the records in it.
 * @throws HandoffError `unavailable` where the folder cannot be read.
 */
export function checkRecords(folder: string, signal: AbortSignal): RecordReport {
  return new Checking(folder, signal).run();
}

class Checking {
  readonly #files: RecordFiles;
  readonly #signal: AbortSignal;
  readonly #index_path: string;
  readonly #lines = new Map<string, { number: number; entry: HandoffIndexEntry }>();
  readonly #findings: RecordFinding[] = [];

  constructor(folder: string, signal: AbortSignal) {
    this.#files = new RecordFiles(folder);
    this.#signal = signal;
    this.#index_path = join(folder, 'index.jsonl');
  }

  run(): RecordReport {
    this.#readLines();
    const { records, decided, unplaced } = this.#files.names();
    const counts = { records: 0, acknowledged: 0 };
    for (const id of [...records].sort()) {
      if (this.#signal.aborted) break;
      counts.records += 1;
      if (this.#checkRecord(id)) counts.acknowledged += 1;
    }
    for (const [id, { number }] of this.#lines) {
      if (!records.has(id)) this.#find(this.#index_path, `the record ${id}.json is missing`, number);
    }
    for (const id of decided) this.#find(this.#files.path(id), 'its acknowledgement is not applied yet');
    for (const name of unplaced) {
      if (name !== LOCK)
        this.#find(join(this.#files.folder, name), 'was left by a writer that was killed, or is still writing');
    }
    return { ...counts, lines: this.#lines.size, findings: this.#findings };
  }

  #readLines(): void {
    const index = readIndex(this.#index_path);
    if (index.fault !== undefined)
      this.#find(this.#index_path, index.fault.replace(`The path ${this.#index_path} `, ''));
    for (const { number, listed } of index.lines) {
      const entry = listed?.entry;
      if (entry === undefined) this.#find(this.#index_path, 'the line is torn or damaged', number);
      else if (this.#lines.has(entry.id)) this.#find(this.#index_path, `${entry.id} has a line already`, number);
      else this.#lines.set(entry.id, { number, entry });
    }
    if (!index.isTidy && index.fault === undefined)
      this.#find(this.#index_path, 'it has blank lines, or no line break at its end');
  }

  /** @returns whether the record is acknowledged. */
  #checkRecord(id: string): boolean {
    const path = this.#files.path(id);
    try {
      const record = this.#files.read(id);
      if (record === null) return false;
      const line = this.#lines.get(id);
      const wanted = toIndexEntry(record);
      if (line === undefined) this.#find(path, 'the index has no line for it');
      else this.#compare(wanted, line);
      return wanted.acknowledged;
    } catch (error) {
      if (!isHandoffError(error)) throw error;
      const { line } = error.details;
      // The place comes before the message.
      this.#find(path, error.message.replace(`${path} `, ''), typeof line === 'number' ? line : undefined);
      return false;
    }
  }

  #compare(wanted: HandoffIndexEntry, { number, entry }: { number: number; entry: HandoffIndexEntry }): void {
    const differing = differingFields(wanted, entry);
    if (differing.length > 0) {
      this.#find(this.#index_path, `${differing.join(', ')} differ from the record ${wanted.id}.json`, number);
    }
  }

  #find(path: string, what: string, line?: number): void {
    this.#findings.push({ path, ...(line !== undefined && { line }), what });
  }
}

/**
 * Rebuilds the index of a folder from its records, carries out what killed processes had decided, and removes what
 * they left. Records are never changed but for that; a damaged one stays as it is, without a line.
 *
 * @param folder - with the records in it.
 * @throws HandoffError `unavailable` where another process holds the lock for long, or the disk refuses it.
 */
export async function repairRecords(folder: string, now: () => number): Promise<void> {
  // What cannot be read is a finding of the check that follows.
  await orderIndex(new RecordFiles(folder), { now, onWarning: () => {}, rebuild: true, wait_ms: limits.lock_wait_ms });
}
