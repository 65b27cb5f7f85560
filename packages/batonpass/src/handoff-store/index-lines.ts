import { type HandoffIndexEntry, isIndexEntry } from './record.ts';

/** One line of the index. */
export interface IndexLine {
  /** 1 is the first. */
  number: number;
  /** Where its bytes begin and end, the line feed apart. */
  start: number;
  end: number;
  /** Absent where the line is torn or holds something else. */
  entry?: HandoffIndexEntry;
  /** When the entry's handoff was created, in milliseconds since 1970. */
  at_ms: number;
}

/** A whole index. */
export interface IndexContent {
  bytes: Buffer;
  /** Without blank ones, which an interrupted writer may leave. */
  lines: readonly IndexLine[];
  /** Whether there is more or less in it than one whole line for each entry. */
  isTidy: boolean;
}

const LINE_FEED = 10;

/** An index without lines. */
export const emptyIndex: IndexContent = { bytes: Buffer.alloc(0), lines: [], isTidy: true };

/**
 * Reads the lines of an index. Those that stand where they stood before, byte for byte, are not parsed again: most
 * changes are one line more, or one word within a line.
 */
export function parseIndex(bytes: Buffer, before: IndexContent = emptyIndex): IndexContent {
  const lines: IndexLine[] = [];
  let isTidy = bytes.length === 0 || bytes.at(-1) === LINE_FEED;
  for (let start = 0, number = 1; start < bytes.length; number += 1) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.length : found;
    const place = { number, start, end };
    const known = before.lines[lines.length];
    if (end > start) lines.push(isStill(known, place, bytes, before.bytes) ? known : readLine(bytes, place));
    else isTidy = false;
    start = end + 1;
  }
  return { bytes, lines, isTidy };
}

type Place = Pick<IndexLine, 'number' | 'start' | 'end'>;

function isStill(known: IndexLine | undefined, place: Place, bytes: Buffer, before: Buffer): known is IndexLine {
  const { number, start, end } = place;
  const isPlace = known?.start === start && known.end === end && known.number === number;
  return isPlace && bytes.compare(before, start, end, start, end) === 0;
}

function readLine(bytes: Buffer, place: Place): IndexLine {
  const entry = parseEntry(bytes.toString('utf8', place.start, place.end));
  return { ...place, ...(entry && { entry }), at_ms: entry === undefined ? 0 : Date.parse(entry.created_at) };
}

/** The entry of a line; nothing where it is torn or holds something else. */
export function parseEntry(text: string): HandoffIndexEntry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isIndexEntry(value) ? value : undefined;
  } catch {
    // Told by whoever reads the index, with the number of the line.
    return undefined;
  }
}
