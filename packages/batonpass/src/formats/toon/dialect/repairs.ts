import { limits } from '../../../core/limits.ts';

/** What was read otherwise than it was written, in the order of the lines. */
export class Repairs {
  readonly #found: { line: number; what: string }[] = [];
  readonly #losses: string[] = [];
  #count = 0;

  /** Notes one repair; `line` is that of the text as it was sent. */
  add(line: number, what: string): void {
    this.#count += 1;
    if (this.#found.length < limits.toon_repairs_max) this.#found.push({ line, what });
  }

  /** Notes something that the text announces and does not hold, or holds as a comment only. */
  lose(line: number, what: string): void {
    if (this.#losses.length < limits.toon_repairs_max) this.#losses.push(`line ${line}: ${what}`);
  }

  /** The losses as sentences, as {@link list}. */
  listLosses(): string[] {
    return this.#losses;
  }

  /** Sentences as `line 13: …`; beyond `limits.toon_repairs_max` the rest is counted. */
  list(): string[] {
    const sorted = this.#found.toSorted((one, other) => one.line - other.line);
    const told = sorted.map(({ line, what }) => `line ${line}: ${what}`);
    const more = this.#count - this.#found.length;
    return more > 0 ? [...told, `and ${more} more`] : told;
  }
}
