import { lstatSync, lutimesSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The index's modification time shows up to when its lines were compared with the records: a record that changed later
 * may differ from its line. So that time only moves on where no other program changed the folder since: a
 * record may come from a `git pull`, which leaves an index that git ignores as it was.
 */

/** What {@link keepIndexTime} asks about a folder and its index. */
export interface FolderTimes {
  /** When the folder got its last name, or lost one. */
  folder_ms: number;
  index_ms: number;
}

/** Whether names in the folder changed after its index did. */
export function isBehind({ folder_ms, index_ms }: FolderTimes): boolean {
  return folder_ms > index_ms;
}

/**
 * Changes a folder and its index. Where the index was out of date before, it stays so afterwards, so that the next list
 * compares what is newer.
 */
export function keepIndexTime<T>(folder: string, change: () => T): T {
  const before = timesOf(folder);
  const result = change();
  const after = timesOf(folder);
  if (after !== undefined) {
    const isKept = before !== undefined && isBehind(before);
    setIndexTime(folder, isKept ? Math.floor(before.index_ms) : Math.floor(after.folder_ms) + 1);
  }
  return result;
}

/** Records up to when the index was compared with all records. */
export function setIndexTime(folder: string, at_ms: number): void {
  try {
    lutimesSync(join(folder, 'index.jsonl'), at_ms / 1_000, at_ms / 1_000);
  } catch {
    // A folder that cannot be written, or another user's index: then more is compared than needed.
  }
}

/** Undefined where there is no index. */
function timesOf(folder: string): FolderTimes | undefined {
  const index = lstatSync(join(folder, 'index.jsonl'), { throwIfNoEntry: false });
  const folder_ms = lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  return index === undefined || folder_ms === undefined ? undefined : { folder_ms, index_ms: index.mtimeMs };
}

/** The kernel's clock, by which files get their times, advances in steps of up to ten milliseconds. */
export const TICK_MS = 10;

/** A file system may count time in steps; a change within the same step is not visible. */
const STEP_MS = 100;
const COARSE_STEP_MS = 2_000;

/** The instant before which every change shows, where a change at one instant was seen: by the steps of its clock. */
export function beforeStep(now_ms: number, seen_ms: number): number {
  return now_ms - (seen_ms % 1_000 === 0 ? COARSE_STEP_MS : STEP_MS);
}
