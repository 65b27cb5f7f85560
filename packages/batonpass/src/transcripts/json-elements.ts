import { limits } from '../core/limits.ts';

/** A part of a large JSON document: an entry of its list, or as the last part all that is around the list. */
export type JsonPart =
  /** Absent where the entry is longer than `limits.transcript_line_bytes_max`. */
  { kind: 'entry'; text?: string } | { kind: 'around'; text: string; isWhole: boolean };

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openers: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closers: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * The entries of the one large list of a JSON document, each as its text: of the document itself where it is a list, else
 * of its member of one of these names. Memory holds one entry, whatever the document's size. What is around the list
 * comes last, as a document in which the list is empty.
 */
export async function* splitJson(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  listNames: ReadonlySet<string>,
): AsyncGenerator<JsonPart> {
  const splitter = new Splitter(listNames);
  for await (const chunk of chunks) yield* splitter.read(chunk);
  yield splitter.around();
}

class Splitter {
  private readonly listNames: ReadonlySet<string>;
  private depth = 0;
  /** The depth of the list's entries while it is open. */
  private listDepth: number | undefined;
  private wasListed = false;
  private inText = false;
  private isEscaped = false;
  private readonly entry = new TextBuffer();
  private readonly rest = new TextBuffer();
  /** The last text of the outermost object: before a list it is the list's name. */
  private name: number[] = [];

  constructor(listNames: ReadonlySet<string>) {
    this.listNames = listNames;
  }

  *read(chunk: Uint8Array): Generator<JsonPart> {
    let from = 0;
    // Most bytes are within texts, of which only the next quote or backslash matters.
    let nextQuote = -1;
    let nextEscape = -1;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.inText) {
        const isEnd = this.readTextByte(byte);
        if (!isEnd && !this.isEscaped && this.depth > 1) {
          if (nextQuote <= at) nextQuote = findNext(chunk, quote, at + 1);
          if (nextEscape <= at) nextEscape = findNext(chunk, backslash, at + 1);
          at = Math.min(nextQuote, nextEscape) - 1;
        }
        continue;
      }
      if (byte === quote) {
        this.inText = true;
        if (this.depth === 1) this.name = [];
      } else if (openers.has(byte)) {
        this.depth += 1;
        if (this.opensList(byte)) {
          this.rest.add(new Uint8Array(chunk.subarray(from, at + 1)));
          from = at + 1;
          this.listDepth = this.depth;
          this.wasListed = true;
        }
      } else if (closers.has(byte)) {
        if (this.depth === this.listDepth) {
          this.entry.add(chunk.subarray(from, at));
          yield* this.takeEntry();
          from = at;
          this.listDepth = undefined;
        }
        this.depth -= 1;
      } else if (byte === comma && this.depth === this.listDepth) {
        this.entry.add(chunk.subarray(from, at));
        yield* this.takeEntry();
        from = at + 1;
      }
    }
    // A copy: the reader may fill the same buffer again.
    (this.listDepth === undefined ? this.rest : this.entry).add(new Uint8Array(chunk.subarray(from)));
  }

  /** All that is not the list; not whole where the document is truncated. */
  around(): JsonPart {
    return { kind: 'around', text: this.rest.take() ?? '', isWhole: this.depth === 0 && this.listDepth === undefined };
  }

  /** @returns whether the text ended. */
  private readTextByte(byte: number): boolean {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === backslash) this.isEscaped = true;
    else if (byte === quote) {
      this.inText = false;
      return true;
    }
    if (this.depth === 1 && this.name.length < 100) this.name.push(byte);
    return false;
  }

  private opensList(byte: number): boolean {
    if (byte !== 0x5b || this.wasListed) return false;
    return this.depth === 1 || (this.depth === 2 && this.listNames.has(String.fromCharCode(...this.name)));
  }

  private *takeEntry(): Generator<JsonPart> {
    const isBlank = this.entry.isBlank();
    const text = this.entry.take();
    if (isBlank) return;
    yield text === undefined ? { kind: 'entry' } : { kind: 'entry', text };
  }
}

function findNext(chunk: Uint8Array, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at === -1 ? chunk.length : at;
}

/** Bytes of one text; above the limit they are dropped, and the text is known to be too long. */
class TextBuffer {
  private parts: Uint8Array[] = [];
  private bytes = 0;

  add(part: Uint8Array): void {
    if (part.byteLength === 0) return;
    this.bytes += part.byteLength;
    if (this.bytes > limits.transcript_line_bytes_max) this.parts = [];
    else this.parts.push(part);
  }

  isBlank(): boolean {
    return this.bytes < 1_000 && this.parts.every((part) => part.every((byte) => blanks.has(byte)));
  }

  take(): string | undefined {
    const { parts, bytes } = this;
    this.parts = [];
    this.bytes = 0;
    if (bytes > limits.transcript_line_bytes_max) return undefined;
    return new TextDecoder().decode(Buffer.concat(parts));
  }
}
