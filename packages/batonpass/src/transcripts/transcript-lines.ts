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
 * The lines of a byte stream, one at a time: memory holds one line, whatever the file's size.
 * Line ends are `\n` or `\r\n`; a byte order mark is dropped; bytes that are no UTF-8 become U+FFFD.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytesMax: number = limits.transcript_line_bytes_max,
): AsyncGenerator<TranscriptLine> {
  const line = new LineBuffer(bytesMax);
  let number = 1;
  let earlier = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10, from); end !== -1; end = chunk.indexOf(10, from)) {
      line.add(chunk.subarray(from, end));
      yield { number, ended: true, end: earlier + end + 1, ...line.take() };
      number += 1;
      from = end + 1;
    }
    line.add(chunk.subarray(from));
    earlier += chunk.byteLength;
  }
  if (!line.isEmpty()) yield { number, ended: false, end: earlier, ...line.take() };
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

  take(): { text?: string } {
    const { parts, bytes } = this;
    this.parts = [];
    this.bytes = 0;
    if (bytes > this.bytesMax) return {};
    // The decoder drops a byte order mark, which only the first line of a file can have.
    const text = new TextDecoder().decode(Buffer.concat(parts));
    return { text: text.endsWith('\r') ? text.slice(0, -1) : text };
  }
}
