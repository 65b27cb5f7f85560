import { existsSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { isHandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { explainDiskError } from '../disk/disk-error.ts';
import { readWholeFile } from '../disk/regular-file.ts';
import { emptyIndex, type IndexContent, type ListedHandoff, parseIndex } from './index-lines.ts';
import { beforeStep, isBehind, setIndexTime, TICK_MS } from './index-time.ts';
import { isSameEntry, toIndexEntry } from './record.ts';
import type { FolderNames, RecordFiles } from './record-files.ts';

/** All handoffs of a folder at one moment. */
export interface FolderView {
  /** Newest first; of one instant, the greater id first. */
  listed: readonly ListedHandoff[];
  /** Faults of the index or the folder, reported once when first seen: file, line, fault. */
  faults: readonly string[];
  /** Whether the index should be put in order: by this process now, since the process that did it has finished or ended. */
  isDue: boolean;
  /** Whether no process is writing in the folder, so that it stays as it was read until it changes. */
  isAtRest: boolean;
}

/** How long to wait for the end of another's write before a line counts as torn. */
const LOOK_AGAIN_MS = 10;
const LOOKS_MAX = 3;

/** Reading the times of this many files takes some milliseconds; for 20,000 it takes twice as long as reading their index. */
const COMPARED_MAX = 1_000;

interface Seen<T> {
  stat: Stats | undefined;
  isSettled: boolean;
  content: T;
}

/**
 * Reads a folder at a cost that depends on its changes: nothing is read while neither the folder nor its index has changed. The
 * names of the files show which handoffs there are; what the index lacks is read from its record. Records that are newer
 * than the index are read and compared with their lines: all of them where the index is behind the folder, else those
 * among the latest, because a program that writes a record in its place leaves the folder's time as it was.
 */
export class FolderWatch {
  readonly #files: RecordFiles;
  readonly #index_path: string;
  readonly #now: () => number;
  #index: Seen<IndexContent> | undefined;
  #names: Seen<FolderNames> | undefined;
  #view: FolderView | undefined;

  constructor(files: RecordFiles, now: () => number) {
    this.#files = files;
    this.#index_path = join(files.folder, 'index.jsonl');
    this.#now = now;
  }

  /** @throws HandoffError `unavailable` where the folder cannot be read. */
  async look(): Promise<FolderView> {
    // The index first: a record is there before its line, so that no line can lack its record by chance.
    const hasIndexChanged = await this.#lookAtIndex();
    const haveNamesChanged = this.#lookAtNames();
    const isSame = this.#view?.isAtRest === true && !hasIndexChanged && !haveNamesChanged;
    this.#view = (isSame ? this.#view : undefined) ?? this.#combine();
    return this.#view;
  }

  /** @returns whether it is another than before. */
  async #lookAtIndex(): Promise<boolean> {
    const path = this.#index_path;
    if (isUnchanged(this.#index, path)) return false;
    const before = this.#index?.content ?? emptyIndex;
    let content = before;
    for (let looks = 1; looks <= LOOKS_MAX; looks += 1) {
      this.#index = look(path, () => {
        content = readIndex(path, before);
        return content;
      });
      if (content.isTidy && content.lines.every(({ listed }) => listed !== undefined)) break;
      if (looks < LOOKS_MAX) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
    return content !== before;
  }

  #lookAtNames(): boolean {
    if (isUnchanged(this.#names, this.#files.folder)) return false;
    this.#names = look(this.#files.folder, () => this.#files.names());
    return true;
  }

  #combine(): FolderView {
    const index = this.#index?.content ?? emptyIndex;
    const names = this.#names?.content ?? { records: new Set<string>(), decided: [], unplaced: [] };
    const listed = new Map<string, ListedHandoff>();
    const faults = index.fault === undefined ? [] : [index.fault];
    let isDue = !index.isTidy || this.#isAnyLeft(names);
    for (const { number, listed: line } of index.lines) {
      const id = line?.entry.id ?? '';
      if (line === undefined) faults.push(`${this.#index_path}:${number}: the line is torn or damaged; it is skipped.`);
      else if (!names.records.has(id) && !existsSync(this.#files.path(id)))
        faults.push(`${this.#index_path}:${number}: the record ${id}.json is missing; the line is skipped.`);
      else if (addTo(listed, line)) continue;
      isDue = true;
    }
    const isStale = this.#compareNewer(listed, names.decided, faults);
    const unlisted = listed.size === names.records.size ? [] : [...names.records].filter((id) => !listed.has(id));
    for (const id of unlisted) this.#readUnlisted(id, listed, faults);
    for (const id of names.decided) {
      const decided = listed.get(id);
      if (decided !== undefined) listed.set(id, { ...decided, entry: { ...decided.entry, acknowledged: true } });
    }
    isDue ||= isStale || unlisted.some((id) => listed.has(id) && this.#isOverdue(`${id}.json`, index));
    const isAtRest = !isDue && unlisted.length + names.decided.length + names.unplaced.length === 0;
    return { listed: [...listed.values()].sort(newestFirst), faults, isDue, isAtRest };
  }

  /**
   * Replaces the lines of records that are newer.
   *
   * @returns whether a line differs from its record.
   */
  #compareNewer(listed: Map<string, ListedHandoff>, decided: readonly string[], faults: string[]): boolean {
    const [index, folder] = [this.#index?.stat, this.#names?.stat];
    if (index === undefined || folder === undefined) return false;
    const wasBehind = isBehind({ folder_ms: folder.mtimeMs, index_ms: index.mtimeMs });
    const began_ms = Date.now();
    const compared = wasBehind ? listed.keys() : [...listed.keys()].slice(-COMPARED_MAX);
    const newer = this.#files.changedSince(compared, index.mtimeMs - TICK_MS);
    const faulty = faults.length;
    let isStale = false;
    for (const id of newer) {
      const record = attempt(() => this.#files.read(id), faults);
      const line = listed.get(id);
      // Who is acknowledging it just now marks its line next.
      if (record === null || record === undefined || line === undefined || decided.includes(id)) continue;
      const entry = toIndexEntry(record);
      if (isSameEntry(entry, line.entry)) continue;
      listed.set(id, { entry, at_ms: Date.parse(entry.created_at) });
      isStale = true;
    }
    const at_ms = beforeStep(began_ms, folder.mtimeMs);
    // A damaged record stays newer, so that each first reading reports it.
    const isDone = wasBehind && !isStale && faults.length === faulty;
    if (isDone && at_ms > index.mtimeMs) setIndexTime(this.#files.folder, at_ms);
    return isStale;
  }

  /** A handoff whose line its writer has not added yet, or never will. */
  #readUnlisted(id: string, listed: Map<string, ListedHandoff>, faults: string[]): void {
    const record = attempt(() => this.#files.read(id), faults);
    if (record === null || record === undefined) return;
    addTo(listed, { entry: toIndexEntry(record), at_ms: Date.parse(record.created_at) });
  }

  #isOverdue(name: string, index: IndexContent): boolean {
    return index.lines.length === 0 || (this.#files.age(name, this.#now()) ?? 0) > limits.index_grace_ms;
  }

  /** What killed processes left: a decision that is not carried out, a temporary file. */
  #isAnyLeft({ decided, unplaced }: FolderNames): boolean {
    const now_ms = this.#now();
    return (
      decided.some((id) => (this.#files.decisionAge(id, now_ms) ?? 0) > limits.index_grace_ms) ||
      unplaced.some((name) => (this.#files.age(name, now_ms) ?? 0) > limits.unplaced_file_ms)
    );
  }
}

/** A damaged file is reported and hides no other. */
export function attempt<T>(read: () => T, faults: string[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    faults.push(error.message);
    return undefined;
  }
}

/** @returns false where there was a line of that handoff already; then it counts as acknowledged if either is. */
function addTo(listed: Map<string, ListedHandoff>, added: ListedHandoff): boolean {
  const { id, acknowledged } = added.entry;
  const present = listed.get(id);
  if (present === undefined) listed.set(id, added);
  else if (acknowledged) listed.set(id, { ...present, entry: { ...present.entry, acknowledged } });
  return present === undefined;
}

function newestFirst(left: ListedHandoff, right: ListedHandoff): number {
  if (left.at_ms !== right.at_ms) return right.at_ms - left.at_ms;
  return left.entry.id < right.entry.id ? 1 : -1;
}

/** The index as it is now; empty where there is none, and where something else than a file has its place. */
export function readIndex(path: string, before?: IndexContent): IndexContent {
  try {
    const bytes = readWholeFile(path, limits.index_bytes_max);
    return before !== undefined && bytes.equals(before.bytes) ? before : parseIndex(bytes, before);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyIndex;
    if (isHandoffError(error)) return { ...emptyIndex, isTidy: false, fault: `${error.message} It is not used.` };
    throw explainDiskError(error, path, 'read');
  }
}

/** The stat comes before the content, so that a change in between is seen the next time. */
function look<T>(path: string, read: () => T): Seen<T> {
  const stat = statSync(path, { throwIfNoEntry: false });
  // The machine's own clock, because the file system's times are compared with it.
  const changed_ms = Math.max(stat?.mtimeMs ?? 0, stat?.ctimeMs ?? 0);
  const isSettled = changed_ms < beforeStep(Date.now(), changed_ms);
  return { stat, isSettled, content: read() };
}

function isUnchanged(seen: Seen<unknown> | undefined, path: string): boolean {
  if (seen?.stat === undefined || !seen.isSettled) return false;
  const { ino, dev, size, mtimeMs, ctimeMs } = seen.stat;
  const now = statSync(path, { throwIfNoEntry: false });
  return now?.ino === ino && now.dev === dev && now.size === size && now.mtimeMs === mtimeMs && now.ctimeMs === ctimeMs;
}
