import { closeSync, constants, fdatasyncSync, fstatSync, lstatSync, type Stats, writeSync } from 'node:fs';
import { explainDiskError } from '../disk/disk-error.ts';
import { openRegularFile } from '../disk/regular-file.ts';
import { findLine, readBytes } from './find-line.ts';
import type { HandoffIndexEntry } from './record.ts';

const LINE_FEED = 0x0a;

/** As long as `false`, so that no other byte of the index moves. */
const TRUE_IN_PLACE = 'true ';

/** Longer than appending a line takes. */
const ADDING_MS = 5;

/** Others may give the file a new content some times in a row. */
const TRIES_MAX = 20;

/**
 * Appends a line in one system call, after lines that others add at the same time. Not synced: a line that is lost in
 * a power cut is rebuilt from its record.
 *
 * @throws HandoffError where the disk refuses it; a part of the line may be in the file then.
 */
export function appendEntry(path: string, entry: HandoffIndexEntry): void {
  attempt(path, () => {
    const file = openRegularFile(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
    try {
      // A torn line must not take this one with it.
      const bytes = Buffer.from(`${isTorn(file) ? '\n' : ''}${JSON.stringify(entry)}\n`);
      // A disk that fills up writes a part of it without an error; the next byte is refused.
      const written = writeSync(file, bytes);
      if (written < bytes.length) writeSync(file, bytes, written);
    } finally {
      closeSync(file);
    }
  });
}

/** A line that another process is just adding looks torn for a moment, so a torn line is read twice. */
function isTorn(file: number): boolean {
  const endsOpen = () => {
    const { size } = fstatSync(file);
    return size > 0 && readBytes(file, size - 1, size)[0] !== LINE_FEED;
  };
  if (!endsOpen()) return false;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ADDING_MS);
  return endsOpen();
}

/**
 * Marks an entry as acknowledged, in place and synced: the line keeps its length. An entry that is not there yet is
 * added. Where the whole index was replaced meanwhile, the new one is marked.
 *
 * @throws HandoffError where the disk refuses it.
 */
export function acknowledgeEntry(path: string, entry: HandoffIndexEntry): void {
  attempt(path, () => {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      // Without an index too a line is added: that of the record's writer may follow.
      const file = openRegularFile(path, constants.O_RDWR | constants.O_CREAT);
      try {
        if (!mark(file, entry.id)) appendEntry(path, entry);
        if (isSameFile(fstatSync(file), lstatSync(path, { throwIfNoEntry: false }))) return;
      } finally {
        closeSync(file);
      }
    }
  });
}

/** @returns whether there is such a line, acknowledged now. */
function mark(file: number, id: string): boolean {
  const line = findLine(file, id);
  if (line === undefined) return false;
  // One byte a character, so that places in the text are places in the file. No text within JSON looks like this.
  const found = /"acknowledged"\s*:\s*(false|true)/.exec(line.bytes.toString('latin1'));
  if (found === null) return false;
  if (found[1] === 'true') return true;
  const place = line.start + found.index + found[0].length - 'false'.length;
  writeSync(file, TRUE_IN_PLACE, place);
  fdatasyncSync(file);
  return true;
}

function isSameFile(left: Stats, right: Stats | undefined): boolean {
  return right !== undefined && left.ino === right.ino && left.dev === right.dev;
}

function attempt(path: string, body: () => void): void {
  try {
    body();
  } catch (error) {
    throw explainDiskError(error, path, 'written');
  }
}
