import { fstatSync, readSync } from 'node:fs';
import { readLine } from './index-lines.ts';

const LINE_FEED = 0x0a;
const CHUNK_BYTES = 128 * 1024;
const LINE_BYTES = 4 * 1024;

/** A line of an index, with its place in the file. */
export interface FoundLine {
  start: number;
  bytes: Buffer;
}

/**
 * The last line of a handoff, without reading the whole index: lines are nearly in the order of their ids, as they
 * were added. Where they are not, all of it is searched from the end, where the newest are.
 */
export function findLine(file: number, id: string): FoundLine | undefined {
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
export function readBytes(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start);
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
}
