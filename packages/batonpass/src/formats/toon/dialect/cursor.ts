import { isSilent, type SourceLine } from './source-lines.ts';

/** A place among the lines of a message that have content; comments and blank lines are skipped. */
export class Cursor {
  /** Without gaps in their numbers. */
  readonly #all: readonly SourceLine[];
  readonly #speaking: readonly SourceLine[];
  #next = 0;

  constructor(lines: readonly SourceLine[]) {
    this.#all = lines;
    this.#speaking = lines.filter((line) => !isSilent(line));
  }

  /** The next line, which stays the next. */
  peek(): SourceLine | undefined {
    return this.#speaking[this.#next];
  }

  /** Goes on past the next line. */
  advance(): void {
    this.#next += 1;
  }

  /** The next lines as long as they fulfil a condition; they stay the next. */
  lookAhead(isWanted: (line: SourceLine) => boolean): SourceLine[] {
    let end = this.#next;
    for (let line = this.#speaking[end]; line !== undefined && isWanted(line); line = this.#speaking[end]) end += 1;
    return this.#speaking.slice(this.#next, end);
  }

  /** Whether a blank line is between two others. */
  hasBlank(first: SourceLine, last: SourceLine): boolean {
    for (let index = this.#indexOf(first) + 1; index < this.#indexOf(last); index++) {
      if (this.#all[index]?.content === '') return true;
    }
    return false;
  }

  /** The comments from below a line to the next unread line with content. */
  commentsBelow(above: SourceLine): SourceLine[] {
    const next = this.peek();
    const end = next === undefined ? this.#all.length : this.#indexOf(next);
    return this.#all.slice(this.#indexOf(above) + 1, end).filter(({ content }) => content.startsWith('#'));
  }

  #indexOf({ number }: SourceLine): number {
    return number - (this.#all[0]?.number ?? 1);
  }

  /** Takes every line below another that is blank or further right, comments too: a block of text. */
  takeBlock(above: SourceLine): SourceLine[] {
    const { number, indent } = above;
    const block: SourceLine[] = [];
    let index = this.#indexOf(above) + 1;
    for (let line = this.#all[index]; line !== undefined; line = this.#all[++index]) {
      if (line.content !== '' && line.indent <= indent) break;
      block.push(line);
    }
    while (block.at(-1)?.content === '') block.pop();
    const last = block.at(-1)?.number ?? number;
    while ((this.peek()?.number ?? Number.POSITIVE_INFINITY) <= last) this.advance();
    return block;
  }
}
