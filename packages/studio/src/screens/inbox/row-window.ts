import type { InboxRow } from './rows.ts';

/** Rows that are kept around the visible ones; the others are loaded again. */
const KEPT = 400;

/** A position from which the server can continue the list. */
interface Anchor {
  index: number;
  cursor: string;
}

/** Some rows of a long list by position, with the cursors to the others. */
export class RowWindow {
  readonly #rows = new Map<number, InboxRow>();
  readonly #places = new Map<string, number>();
  readonly #anchors: Anchor[] = [];
  /** Positions in the list, as far as is known. */
  count = 0;
  /** The position after the last row that was loaded without a gap from the start. */
  end = 0;
  /** Whether there are no positions after `count`. */
  isWhole = false;

  at(index: number): InboxRow | undefined {
    return this.#rows.get(index);
  }

  indexOf(id: string): number {
    return this.#places.get(id) ?? -1;
  }

  /** The rows in memory. */
  rows(): InboxRow[] {
    return [...this.#rows.values()];
  }

  /** Of a newer start of the list, the rows that this one lacks; what is below its own rows may be only not loaded. */
  newIn(start: readonly InboxRow[]): InboxRow[] {
    const isNew = ({ id }: InboxRow) => !this.#places.has(id);
    const isLoaded = this.isWhole && this.#rows.size >= this.count;
    const last = isLoaded ? -1 : start.findLastIndex((row) => !isNew(row));
    return start.slice(0, last === -1 ? undefined : last).filter(isNew);
  }

  /** How the server reaches a position: the nearest cursor before it, and how many rows to skip. */
  wayTo(index: number): { cursor: string | undefined; skip: number } {
    const anchor = this.#anchors.findLast((each) => each.index <= index);
    return { cursor: anchor?.cursor, skip: index - (anchor?.index ?? 0) };
  }

  /** Stores rows from a position on, and the cursor after them: without one the list ends there. */
  put(start: number, rows: readonly InboxRow[], cursor: string | undefined): void {
    for (const [offset, row] of rows.entries()) {
      this.#rows.set(start + offset, row);
      this.#places.set(row.id, start + offset);
    }
    const end = start + rows.length;
    if (start <= this.end) this.end = Math.max(this.end, end);
    if (cursor === undefined) this.setCount(end, true);
    else {
      this.#remember({ index: end, cursor });
      this.count = Math.max(this.count, end);
    }
  }

  /** Sets the number of positions: rows that have left the list since it was loaded make it shorter. */
  setCount(count: number, isWhole: boolean): void {
    this.count = count;
    this.isWhole = isWhole;
  }

  change(id: string, change: (row: InboxRow) => InboxRow): InboxRow | undefined {
    const index = this.indexOf(id);
    const row = this.at(index);
    if (row !== undefined) this.#rows.set(index, change(row));
    return row;
  }

  /** The starts of pages with missing rows between two positions. */
  missing(from: number, to: number, page_rows: number): number[] {
    const starts: number[] = [];
    for (let index = from; index <= Math.min(to, this.count - 1); index += 1) {
      const start = Math.floor(index / page_rows) * page_rows;
      if (!this.#rows.has(index) && starts.at(-1) !== start) starts.push(start);
    }
    return starts;
  }

  /** Drops rows that are far from the visible ones. */
  keepAround(from: number, to: number): void {
    if (this.#rows.size <= 2 * KEPT + to - from) return;
    for (const [index, { id }] of this.#rows) {
      if (index >= from - KEPT && index <= to + KEPT) continue;
      this.#rows.delete(index);
      if (this.#places.get(id) === index) this.#places.delete(id);
    }
  }

  #remember(anchor: Anchor): void {
    const behind = this.#anchors.findIndex(({ index }) => index >= anchor.index);
    if (behind === -1) this.#anchors.push(anchor);
    else this.#anchors.splice(behind, this.#anchors[behind]?.index === anchor.index ? 1 : 0, anchor);
  }
}
