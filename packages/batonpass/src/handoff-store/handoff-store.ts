import { join, resolve } from 'node:path';
import { z } from 'zod';
import { HandoffError, isHandoffError } from '../core/errors.ts';
import { createIdSource } from '../core/id-source.ts';
import { parseInput } from '../core/input.ts';
import { limits } from '../core/limits.ts';
import type { StoreSurroundings } from '../core/store.ts';
import { createSurroundings } from '../core/surroundings.ts';
import { assertSafeName } from '../disk/safe-name.ts';
import { type HandoffFilters, parseFilters, selectEntries } from './filters.ts';
import { attempt, FolderWatch } from './folder-view.ts';
import { appendEntry } from './index-file.ts';
import { keepIndexTime } from './index-time.ts';
import { markSettled } from './mark-settled.ts';
import { orderIndex } from './order-index.ts';
import { type HandoffIndexEntry, type HandoffRecord, recordInputSchema, toIndexEntry } from './record.ts';
import { RecordFiles } from './record-files.ts';
import { encodeRecord } from './record-text.ts';

/** How a store of records is opened. */
export interface HandoffStoreOptions extends Partial<Pick<StoreSurroundings, 'now' | 'random'>> {
  /** Called with each fault of the files: one line, with the file's name. Default: a line on stderr. */
  onWarning?: (text: string) => void;
}

/**
 * Handoffs as files of a folder: `{dir}/handoffs/{id}.json` holds a handoff each, `{dir}/handoffs/index.jsonl` a line for each.
 * The records are the truth; the index is rebuilt from them where it is missing or damaged. Any number of processes can
 * work on one folder. A result is synced to the disk before its promise resolves.
 *
 * Opening costs nothing and makes nothing: the folder is made by the first `create`.
 */
export class HandoffStore {
  readonly #files: RecordFiles;
  readonly #index_path: string;
  readonly #watch: FolderWatch;
  readonly #now: () => number;
  readonly #nextId: (now_ms: number) => string;
  readonly #onWarning: (text: string) => void;
  #told = new Set<string>();
  /** Ids of records that were read once. */
  readonly #whole = new Set<string>();

  /** @param dir - any folder, as `.twining`; the store works in its subfolder `handoffs`. */
  constructor(dir: string, { onWarning = warn, ...given }: HandoffStoreOptions = {}) {
    const { now, random } = createSurroundings(given);
    this.#files = new RecordFiles(join(resolve(dir), 'handoffs'));
    this.#index_path = join(this.#files.folder, 'index.jsonl');
    this.#watch = new FolderWatch(this.#files, now);
    this.#now = now;
    this.#nextId = createIdSource({ random });
    this.#onWarning = onWarning;
  }

  /**
   * Keeps a new handoff, open at once: its file first, then its line of the index. A crash in between leaves a handoff
   * that the next list shows, and a crash before that only a temporary file.
   *
   * @returns the record as it was written.
   * @throws HandoffError `invalid_input` for a missing, wrong or unknown field, `too_large`, `unavailable` where the disk
   * refuses it; nothing is kept then.
   */
  async create(input: Omit<HandoffRecord, 'id' | 'created_at'>): Promise<HandoffRecord> {
    const given = parseInput(recordInputSchema, input, 'handoff record');
    const now_ms = this.#now();
    for (;;) {
      const id = this.#nextId(now_ms);
      const text = encodeRecord({ ...given, id, created_at: new Date(now_ms).toISOString() });
      assertSize(text);
      const record = JSON.parse(text) as HandoffRecord;
      const isNew = keepIndexTime(this.#files.folder, () => {
        if (!this.#files.create(id, text)) return false;
        // The handoff is kept; without its line, the next list adds one.
        this.#attempt(() => appendEntry(this.#index_path, toIndexEntry(record)));
        return true;
      });
      if (isNew) return record;
    }
  }

  /**
   * One handoff, or null where there is none of that id.
   *
   * @throws HandoffError `invalid_input` for an id that cannot be the name of a file; `parse_error` and
   * `invalid_structure` with the file, and `unavailable`, where its file is damaged or cannot be read.
   */
  async get(id: string): Promise<HandoffRecord | null> {
    assertId(id);
    const record = this.#files.read(id);
    if (record === null || record.acknowledged_by !== undefined) return record;
    // Who acknowledges it is decided, though its file does not show it yet.
    return { ...record, ...this.#files.readDecision(id) };
  }

  /**
   * The index's entries of the handoffs that match the filters, newest first. A handoff without a scope matches every
   * scope. Lines that are damaged, missing or there twice give a warning and are repaired. Damaged records give one too, if
   * the answer has at most 200 entries; `baton file store check` reads every record.
   *
   * @throws HandoffError `invalid_input` for a wrong filter, `unavailable` where the folder cannot be read.
   */
  async list(filters: HandoffFilters = {}): Promise<HandoffIndexEntry[]> {
    const wanted = parseFilters(filters);
    let view = await this.#watch.look();
    for (const fault of view.faults) this.#tellNew(fault);
    if (view.isDue && (await this.#putInOrder())) view = await this.#watch.look();
    const entries = selectEntries(view.listed, wanted);
    this.#tell([...view.faults, ...this.#readListed(entries)]);
    return entries;
  }

  /** Faults of the records of an answer, which their lines do not show. A record that was whole is not read again. */
  #readListed(entries: readonly HandoffIndexEntry[]): string[] {
    if (entries.length > READ_MAX) return [];
    const faults: string[] = [];
    for (const { id } of entries) {
      if (this.#whole.has(id)) continue;
      if (attempt(() => this.#files.read(id), faults)) this.#whole.add(id);
    }
    return faults;
  }

  /**
   * Marks a handoff as received: once, by the first caller, in its file and then in the index. A crash at any moment
   * leaves it unacknowledged, or acknowledged by the caller that was first; the next list completes it.
   *
   * @returns the acknowledged record; the same for the agent that acknowledged it before.
   * @throws HandoffError `not_found`; `conflict` where another agent was first, with who and when in its details;
   * `invalid_input`, `unavailable` and what `get` throws.
   */
  async acknowledge(id: string, acknowledgedBy: string): Promise<HandoffRecord> {
    assertId(id);
    const acknowledged_by = parseInput(nameSchema, acknowledgedBy, 'name of who acknowledges');
    const present = this.#files.read(id);
    if (present === null) throw notFound(id, this.#files.folder);
    const acknowledged_at = new Date(this.#now()).toISOString();
    const record = keepIndexTime(this.#files.folder, () => {
      const isSettled = present.acknowledged_by !== undefined;
      const settled = isSettled ? present : this.#files.acknowledge(id, { acknowledged_by, acknowledged_at });
      // Its line may be from before, where the record was acknowledged elsewhere.
      if (settled !== null) this.#attempt(() => markSettled(this.#files, settled));
      return settled;
    });
    if (record === null) throw notFound(id, this.#files.folder);
    return settle(record, acknowledged_by);
  }

  /** @returns whether the folder is to be read again. */
  async #putInOrder(): Promise<boolean> {
    try {
      await orderIndex(this.#files, { now: this.#now, onWarning: (text) => this.#tellNew(text), wait_ms: 0 });
      return true;
    } catch (error) {
      if (!isHandoffError(error)) throw error;
      // Another process is at it; what was seen is right all the same.
      if (!('wait_ms' in error.details)) this.#onWarning(`The index is not put in order: ${error.message}`);
      return false;
    }
  }

  /** The index is only a cache: a failure there is reported, and repaired by the next list. */
  #attempt(body: () => void): void {
    try {
      body();
    } catch (error) {
      if (!isHandoffError(error)) throw error;
      this.#onWarning(error.message);
    }
  }

  /** Each thing once, until it is gone. */
  #tell(faults: readonly string[]): void {
    for (const fault of faults) this.#tellNew(fault);
    this.#told = new Set(faults);
  }

  #tellNew(fault: string): void {
    if (this.#told.has(fault)) return;
    this.#told.add(fault);
    this.#onWarning(fault);
  }
}

/** So many records are read for a list: they take about as long as to open the folder. */
const READ_MAX = 200;

const nameSchema = z.string().min(1).max(limits.name_characters_max);

function warn(text: string): void {
  process.stderr.write(`${text}\n`);
}

function assertId(id: string): void {
  assertSafeName(parseInput(z.string(), id, 'id'), 'id');
}

function assertSize(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= limits.content_bytes_max) return;
  throw new HandoffError('too_large', `The handoff has ${bytes} bytes; the maximum is ${limits.content_bytes_max}.`, {
    details: { bytes, bytes_max: limits.content_bytes_max },
    alternatives: ['Write the large part to a file and name it in `artifacts`.'],
  });
}

/** @throws HandoffError `conflict` where another was first. */
function settle(record: HandoffRecord, acknowledged_by: string): HandoffRecord {
  if (record.acknowledged_by === acknowledged_by) return record;
  const { id, acknowledged_by: first, acknowledged_at } = record;
  throw new HandoffError(
    'conflict',
    `Handoff ${id} was acknowledged by ${first} at ${acknowledged_at ?? 'an unknown time'}.`,
    {
      details: { id, acknowledged_by: first, acknowledged_at },
      alternatives: [
        'Leave it to the agent that has it.',
        'List the open ones: list() gives `acknowledged: false` for it.',
      ],
    },
  );
}

function notFound(id: string, folder: string): HandoffError {
  return new HandoffError('not_found', `No handoff ${id} in ${folder}.`, {
    details: { id },
    alternatives: ['List the handoffs: baton file store list'],
  });
}
