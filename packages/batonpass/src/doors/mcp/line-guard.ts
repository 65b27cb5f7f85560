import { Transform } from 'node:stream';
import { limits } from '../../core/limits.ts';

/** A request that was too large to be read, as far as it can be named. */
export interface RefusedLine {
  /** The request's id where the line shows it; null where it has none or hides it. */
  id: string | number | null;
  reason: string;
}

/** How much of a refused line is searched for its id, at each end. */
const END_BYTES = 512;
const NEWLINE = 0x0a;

/**
 * A stream that passes whole lines on and drops those above `limits.request_bytes_max`, without ever holding more than
 * that: the protocol's own reader would end the connection.
 *
 * @param refuse - is called for each dropped line, so that its sender gets an answer.
 */
export function createLineGuard(refuse: (line: RefusedLine) => void): Transform {
  const line = new GuardedLine();
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        line.add(chunk.subarray(start, end + 1));
        const refused = line.judge();
        if (refused === null) this.push(line.take());
        else refuse(refused);
        line.clear();
        start = end + 1;
      }
      line.add(chunk.subarray(start));
      done();
    },
  });
}

/** One line as it arrives, piece by piece; beyond the bound only its ends are kept. */
class GuardedLine {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes <= limits.request_bytes_max) {
      this.#pieces.push(piece);
      return;
    }
    if (this.#pieces.length > 0) {
      const held = Buffer.concat(this.#pieces);
      this.#head = Buffer.from(held.subarray(0, END_BYTES));
      this.#tail = Buffer.from(held.subarray(-END_BYTES));
      this.#pieces = [];
    }
    this.#tail = Buffer.from(Buffer.concat([this.#tail, piece.subarray(-END_BYTES)]).subarray(-END_BYTES));
  }

  take(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  judge(): RefusedLine | null {
    if (this.#bytes <= limits.request_bytes_max) return null;
    const id = findRequestId(this.#head.toString('latin1'), this.#tail.toString('latin1'));
    return { id, reason: `The request has ${this.#bytes} bytes; ${limits.request_bytes_max} are the most.` };
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
    this.#head = Buffer.alloc(0);
    this.#tail = Buffer.alloc(0);
  }
}

const id = '(-?\\d{1,15}|"[^"\\\\\\u0080-\\u00ff]{0,200}")';
/** The id as one of the first members of the line's object: nothing before it can hold a text of the sender's. */
const idAtHead = new RegExp(`^\\s*\\{(?:\\s*"jsonrpc"\\s*:\\s*"2\\.0"\\s*,)?\\s*"id"\\s*:\\s*${id}\\s*,`);
/** The id as the last member: a quote after `{` or `,` opens a name, never ends a text, or the line were no JSON. */
const idAtTail = new RegExp(`[{,]\\s*"id"\\s*:\\s*${id}\\s*\\}\\s*$`);

function findRequestId(head: string, tail: string): string | number | null {
  const found = (idAtHead.exec(head) ?? idAtTail.exec(tail))?.[1];
  return found === undefined ? null : (JSON.parse(found) as string | number);
}
