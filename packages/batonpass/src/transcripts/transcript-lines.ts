import { limits } from '../core/limits.ts';

/** One line of a transcript; a line above the limit is named, but its text was never held. */
export interface TranscriptLine {
  /** The first line is 1. */
  number: number;
  /** Absent where the line is longer than `limits.transcript_line_bytes_max`. */
  text?: string;
  /** Whether a line feed ended it; the last line of a file that is still written has none. */
  ended: boolean;
  /** Bytes of the stream up to the end of this line, its line feed included: where the next line begins. */
  end: number;
}

/**
 * The lines of a byte stream, one at a time: memory holds one line, for a file of any size.
 * Line ends are `\n` or `\r\n`; a byte order mark is dropped; bytes that are no UTF-8 become U+FFFD.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytesMax: number = limits.transcript_line_bytes_max,
): AsyncGenerator<TranscriptLine> {
  const splitter = new LineSplitter(bytesMax);
  for await (const chunk of chunks) yield* splitter.read(chunk);
  yield* splitter.end();
}

/**
 * Gives each line of a byte stream to a function, as `readLines` would: waiting for every line would take longer than
 * reading the short ones.
 */
export async function forEachLine(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  take: (line: TranscriptLine) => void,
): Promise<void> {
  const splitter = new LineSplitter(limits.transcript_line_bytes_max);
  for await (const chunk of chunks) for (const line of splitter.read(chunk)) take(line);
  for (const line of splitter.end()) take(line);
}

const lineFeed = 10;
const carriageReturn = 13;

class LineSplitter {
  private readonly line: LineBuffer;
  private number = 1;
  /** Bytes of the chunks before. */
  private earlier = 0;

  constructor(bytesMax: number) {
    this.line = new LineBuffer(bytesMax);
  }

  *read(chunk: Uint8Array): Generator<TranscriptLine> {
    const { line } = this;
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      line.add(chunk.subarray(from, end));
      yield { number: this.number, ended: true, end: this.earlier + end + 1, ...line.take(this.number === 1) };
      this.number += 1;
      from = end + 1;
    }
    // A copy: the reader may fill the same buffer again.
    line.add(new Uint8Array(chunk.subarray(from)));
    this.earlier += chunk.byteLength;
  }

  /** The last line, where no line feed ended it. */
  *end(): Generator<TranscriptLine> {
    const { line, number } = this;
    if (!line.isEmpty()) yield { number, ended: false, end: this.earlier, ...line.take(number === 1) };
  }
}

class LineBuffer {
  private parts: Uint8Array[] = [];
  private bytes = 0;
  private readonly bytesMax: number;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  isEmpty(): boolean {
    return this.bytes === 0;
  }

  add(part: Uint8Array): void {
    this.bytes += part.byteLength;
    if (this.bytes > this.bytesMax) this.parts = [];
    else if (part.byteLength > 0) this.parts.push(part);
  }

  take(isFirst: boolean): { text?: string } {
    const { parts, bytes } = this;
    this.parts = [];
    this.bytes = 0;
    if (bytes > this.bytesMax) return {};
    const [only, more] = parts;
    const whole = only !== undefined && more === undefined ? only : Buffer.concat(parts);
    const length = whole.at(-1) === carriageReturn ? whole.byteLength - 1 : whole.byteLength;
    const text = Buffer.from(whole.buffer, whole.byteOffset, length).toString('utf8');
    return { text: isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text };
  }
}
