import { existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { isHandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { normalizeScope } from '../core/scope.ts';
import { explainDiskError } from '../disk/disk-error.ts';
import { emptyIndex, type IndexContent, parseIndex } from './index-lines.ts';
import { type HandoffIndexEntry, toIndexEntry } from './record.ts';
import type { FolderNames, RecordFiles } from './record-files.ts';

/** A handoff as a list looks at it. */
export interface Listed {
  entry: HandoffIndexEntry;
  at_ms: number;
  /** In its one spelling; empty where it has none. */
  scope: string;
}

/** All handoffs of a folder at one moment. */
export interface FolderView {
  /** Newest first; of one instant, the greater id first. */
  listed: readonly Listed[];
  /** What is wrong with the index or the folder, told once when it is first seen: file, line, what. */
  faults: readonly string[];
  /** Whether the index should be put in order: by this process now, for whoever was at it is done or gone. */
  isDue: boolean;
  /** Whether nobody is at work in the folder, so that it is as it looks until it changes. */
  isAtRest: boolean;
}

/** How long to wait for the end of another's write before a line counts as torn. */
const LOOK_AGAIN_MS = 10;
const LOOKS_MAX = 3;

/** A file system may count time in steps; a change within the same step shows nowhere. */
const STEP_MS = 100;
const COARSE_STEP_MS = 2_000;

interface Seen<T> {
  stat: Stats | undefined;
  isSettled: boolean;
  content: T;
}

/**
 * Looks at a folder as cheaply as it changes: nothing is read while neither the folder nor its index has changed. The
 * names of the files say which handoffs there are; what the index lacks is read from its record.
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
      if (content.isTidy && content.lines.every(({ entry }) => entry !== undefined)) break;
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
    const listed = new Map<string, Listed>();
    const faults: string[] = [];
    let isDue = !index.isTidy || this.#isAnyLeft(names);
    for (const { number, entry, at_ms } of index.lines) {
      if (entry === undefined)
        faults.push(`${this.#index_path}:${number}: the line is torn or damaged; it is skipped.`);
      else if (!names.records.has(entry.id) && !existsSync(this.#files.path(entry.id)))
        faults.push(`${this.#index_path}:${number}: the record ${entry.id}.json is missing; the line is skipped.`);
      else if (addTo(listed, entry, at_ms)) continue;
      isDue = true;
    }
    const unlisted = [...names.records].filter((id) => !listed.has(id));
    for (const id of unlisted) this.#readUnlisted(id, listed, faults);
    for (const id of names.decided) {
      const decided = listed.get(id);
      if (decided !== undefined) listed.set(id, { ...decided, entry: { ...decided.entry, acknowledged: true } });
    }
    isDue ||= unlisted.some((id) => listed.has(id) && this.#isOverdue(`${id}.json`, index));
    const isAtRest = !isDue && unlisted.length + names.decided.length + names.unplaced.length === 0;
    return { listed: [...listed.values()].sort(newestFirst), faults, isDue, isAtRest };
  }

  /** A handoff whose line its writer has not added yet, or never will. */
  #readUnlisted(id: string, listed: Map<string, Listed>, faults: string[]): void {
    try {
      const record = this.#files.read(id);
      if (record !== null) addTo(listed, toIndexEntry(record), Date.parse(record.created_at));
    } catch (error) {
      if (!isHandoffError(error)) throw error;
      faults.push(error.message);
    }
  }

  #isOverdue(name: string, index: IndexContent): boolean {
    return index.lines.length === 0 || (this.#files.age(name, this.#now()) ?? 0) > limits.index_grace_ms;
  }

  /** What killed processes left: a decision that is not carried out, a file beside its place. */
  #isAnyLeft({ decided, unplaced }: FolderNames): boolean {
    const now_ms = this.#now();
    return (
      decided.some((id) => (this.#files.decisionAge(id, now_ms) ?? 0) > limits.index_grace_ms) ||
      unplaced.some((name) => (this.#files.age(name, now_ms) ?? 0) > limits.unplaced_file_ms)
    );
  }
}

/** @returns false where there was a line of that handoff already; then it counts as acknowledged if either says so. */
function addTo(listed: Map<string, Listed>, entry: HandoffIndexEntry, at_ms: number): boolean {
  const present = listed.get(entry.id);
  if (present === undefined) {
    listed.set(entry.id, { entry, at_ms, scope: normalizeScope(entry.scope ?? '') });
    return true;
  }
  if (entry.acknowledged) present.entry = { ...present.entry, acknowledged: true };
  return false;
}

function newestFirst(left: Listed, right: Listed): number {
  if (left.at_ms !== right.at_ms) return right.at_ms - left.at_ms;
  return left.entry.id < right.entry.id ? 1 : -1;
}

/** The index as it is now; empty where there is none. */
export function readIndex(path: string, before?: IndexContent): IndexContent {
  try {
    const bytes = readFileSync(path);
    return before !== undefined && bytes.equals(before.bytes) ? before : parseIndex(bytes, before);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyIndex;
    throw explainDiskError(error, path, 'read');
  }
}

/** The stat comes before the content, so that a change in between is seen the next time. */
function look<T>(path: string, read: () => T): Seen<T> {
  const stat = statSync(path, { throwIfNoEntry: false });
  // The machine's own clock, because the file system's times are compared with it.
  const changed_ms = Math.max(stat?.mtimeMs ?? 0, stat?.ctimeMs ?? 0);
  const isSettled = Date.now() - changed_ms > (changed_ms % 1_000 === 0 ? COARSE_STEP_MS : STEP_MS);
  return { stat, isSettled, content: read() };
}

function isUnchanged(seen: Seen<unknown> | undefined, path: string): boolean {
  if (seen?.stat === undefined || !seen.isSettled) return false;
  const { ino, dev, size, mtimeMs, ctimeMs } = seen.stat;
  const now = statSync(path, { throwIfNoEntry: false });
  return now?.ino === ino && now.dev === dev && now.size === size && now.mtimeMs === mtimeMs && now.ctimeMs === ctimeMs;
}
