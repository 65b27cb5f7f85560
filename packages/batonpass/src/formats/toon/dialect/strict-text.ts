import { escapeString } from '@toon-format/toon';
import { INDENT_COLUMNS } from '../bounds.ts';

interface StrictLine {
  depth: number;
  content: string;
  /** The line of the original that it was made of. */
  origin: number;
}

/** A text in the strict form, written line by line. */
export class StrictText {
  readonly #lines: StrictLine[] = [];

  /** @returns the line's index, by which it can be changed once its content is known. */
  write(depth: number, content: string, origin: number): number {
    return this.#lines.push({ depth, content, origin }) - 1;
  }

  /** The index of the next line. */
  get length(): number {
    return this.#lines.length;
  }

  /** Gives a line another content. */
  replace(index: number, content: string): void {
    this.#change(index, (line) => ({ ...line, content }));
  }

  /** Makes a member the first of a list's entry: it is next to the hyphen instead of below it. */
  markEntry(index: number): void {
    this.#change(index, (line) => ({ ...line, depth: line.depth - 1, content: `- ${line.content}` }));
  }

  #change(index: number, change: (line: StrictLine) => StrictLine): void {
    const line = this.#lines[index];
    if (line !== undefined) this.#lines[index] = change(line);
  }

  toString(): string {
    return this.#lines.map(({ depth, content }) => ' '.repeat(depth * INDENT_COLUMNS) + content).join('\n');
  }

  /** The original's line of one of this text's lines; both begin at 1. */
  originOf(line: number): number {
    return (this.#lines[line - 1] ?? this.#lines.at(-1))?.origin ?? 1;
  }
}

/** A text as the strict form quotes it. */
export function quote(text: string): string {
  return `"${escapeString(text)}"`;
}
