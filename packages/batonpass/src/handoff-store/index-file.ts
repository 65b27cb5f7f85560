import { closeSync, constants, fdatasyncSync, fstatSync, lstatSync, readSync, type Stats, writeSync } from 'node:fs';
import { explainDiskError } from '../disk/disk-error.ts';
import { openRegularFile } from '../disk/regular-file.ts';
import { readLine } from './index-lines.ts';
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

const CHUNK_BYTES = 128 * 1024;

const LINE_BYTES = 4 * 1024;

/** A line of an index, with its place in the file. */
interface FoundLine {
  start: number;
  bytes: Buffer;
}

/**
 * The last line of a handoff, without reading the whole index: lines are nearly in the order of their ids, as they
 * were added. Where they are not, all of it is searched from the end, where the newest are.
 */
function findLine(file: number, id: string): FoundLine | undefined {
  const { size } = fstatSync(file);
  const near = Math.min(size, searchByOrder(file, id, size) + CHUNK_BYTES);
  return (
    searchBack(file, id, { from: Math.max(0, near - 2 * CHUNK_BYTES), to: near }) ??
    searchBack(file, id, { from: 0, to: size })
  );
}

/** The approximate place of an id's line, if all are in order. */
function searchByOrder(file: number, id: string, size: number): number {
  let [low, high] = [0, size];
  while (high - low > CHUNK_BYTES / 2) {
    const middle = (low + high) >> 1;
    const text = readBytes(file, middle, Math.min(size, middle + LINE_BYTES)).toString('latin1');
    const found = /\n\{"id":\s?"([^"\\]+)"/.exec(text)?.[1];
    if (found !== undefined && found < id) low = middle;
    else high = middle;
  }
  return high;
}

function searchBack(file: number, id: string, { from, to }: { from: number; to: number }): FoundLine | undefined {
  const wanted = Buffer.from(JSON.stringify(id));
  for (let end = to; end > from; ) {
    const start = Math.max(from, end - CHUNK_BYTES);
    const chunk = readBytes(file, start, end);
    for (let at = chunk.lastIndexOf(wanted); at !== -1; at = at === 0 ? -1 : chunk.lastIndexOf(wanted, at - 1)) {
      const line = readLineAt(file, start + at);
      if (readLine(line.bytes.toString('utf8'))?.entry.id === id) return line;
    }
    end = start === from ? from : start + wanted.length - 1;
  }
  return undefined;
}

/** The whole line around a place. */
function readLineAt(file: number, place: number): FoundLine {
  const { size } = fstatSync(file);
  for (let reach = LINE_BYTES; ; reach *= 4) {
    const start = Math.max(0, place - reach);
    const bytes = readBytes(file, start, Math.min(size, place + reach));
    const before = bytes.lastIndexOf(LINE_FEED, place - start);
    const behind = bytes.indexOf(LINE_FEED, place - start);
    const isWhole = (before !== -1 || start === 0) && (behind !== -1 || place + reach >= size);
    if (isWhole) {
      return { start: start + before + 1, bytes: bytes.subarray(before + 1, behind === -1 ? bytes.length : behind) };
    }
  }
}

/** The bytes of a stretch; fewer where the file ends before. */
function readBytes(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start);
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
}
