import { type HandoffIndexEntry, isIndexEntry } from './record.ts';

/** A handoff as a list looks at it. */
export interface ListedHandoff {
  entry: HandoffIndexEntry;
  /** When it was created, in milliseconds since 1970. */
  at_ms: number;
}

/** One line of the index. */
export interface IndexLine {
  /** 1 is the first. */
  number: number;
  /** Without its line feed. */
  text: string;
  /** Undefined where the line is torn or holds something else. */
  listed: ListedHandoff | undefined;
}

/** A whole index. */
export interface IndexContent {
  bytes: Buffer;
  /** Without blank ones, which an interrupted writer may leave. */
  lines: readonly IndexLine[];
  /** Whether there is more or less in it than one whole line for each entry. */
  isTidy: boolean;
  /** Why it was not read: something else has its place. */
  fault?: string;
}

/** An index without lines. */
export const emptyIndex: IndexContent = { bytes: Buffer.alloc(0), lines: [], isTidy: true };

/** Reads the lines of an index. Those that are where they were before, with the same text, are not parsed again. */
export function parseIndex(bytes: Buffer, before: IndexContent = emptyIndex): IndexContent {
  const texts = bytes.toString('utf8').split('\n');
  const rest = texts.pop() ?? '';
  let isTidy = rest === '';
  if (!isTidy) texts.push(rest);
  const lines: IndexLine[] = [];
  for (let index = 0; index < texts.length; index += 1) {
    const text = texts[index] ?? '';
    const known = before.lines[lines.length];
    if (text === '') isTidy = false;
    else if (known?.text === text && known.number === index + 1) lines.push(known);
    else lines.push({ number: index + 1, text, listed: readLine(text) });
  }
  return { bytes, lines, isTidy };
}

/** Nothing for a line that is torn or holds something else. */
export function readLine(text: string): ListedHandoff | undefined {
  try {
    const entry: unknown = JSON.parse(text);
    if (!isIndexEntry(entry)) return undefined;
    const at_ms = Date.parse(entry.created_at);
    return Number.isNaN(at_ms) ? undefined : { entry, at_ms };
  } catch {
    // The reader of the index reports it, with the number of the line.
    return undefined;
  }
}
