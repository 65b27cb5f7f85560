import type { HandoffEvent } from '../../../../batonpass/src/core/delivery.ts';
import type { State } from '../../../../batonpass/src/core/state.ts';
import type { OperationInput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call } from '../../server/call.ts';
import { isBrokenOff } from '../../server/server-problem.ts';
import { type Row, toRow } from './rows.ts';

/** Rows of one request. */
const PAGE_ROWS = 100;

/** How many pages are kept around those that are seen; the others are asked for again by their cursor. */
const PAGES_KEPT = 8;

/** So many changed rows are asked for at once, and not more often than this: an event tells the state by itself. */
const ROWS_ASKED_MAX = 10;
const ROWS_ASKED_MS = 250;

interface PageOfRows {
  /** What it is asked for by; absent for the first. */
  cursor?: string;
  count: number;
  /** Absent while it is not kept. */
  rows?: Row[];
}

/** What the list shows. */
export interface RowsState {
  phase: 'loading' | 'ready' | 'failed';
  error?: unknown;
  /** Rows that are known of: those of every page up to the last that was asked for. */
  count: number;
  /** Whether there are no more. */
  isWhole: boolean;
  /** Handoffs that would be in the list and are not shown, so that no row moves. */
  buffered: number;
  /** Left out since they have no scope. */
  unscoped: number;
}

/**
 * A list of any length in the order of the server, of which only some pages are held. Rows never move by themselves: one
 * that changed changes where it stands, and new ones are counted until a person asks for them.
 */
export class RowPages {
  readonly #input: OperationInput<'handoff.list'>;
  readonly #states: ReadonlySet<State>;
  readonly #leaving = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #asked = new Set<number>();
  readonly #buffered = new Set<string>();
  readonly #stale = new Set<string>();
  #refreshing: ReturnType<typeof setTimeout> | undefined;
  #pages: PageOfRows[] = [];
  #next: string | undefined;
  #round = 0;
  #state: RowsState = { phase: 'loading', count: 0, isWhole: false, buffered: 0, unscoped: 0 };

  constructor(input: OperationInput<'handoff.list'>) {
    this.#input = input;
    this.#states = new Set(input.state);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): RowsState => this.#state;

  /** Breaks off what is asked for. */
  close(): void {
    this.#leaving.abort();
    clearTimeout(this.#refreshing);
  }

  /** Shows the list as it is now, from its beginning; until it is there, and where it fails, what was shown stays. */
  async reload(): Promise<void> {
    const round = ++this.#round;
    this.#asked.clear();
    try {
      const { handoffs, cursor, unscoped_left_out } = await this.#ask(undefined);
      if (round !== this.#round) return;
      this.#pages = [{ count: handoffs.length, rows: handoffs.map(toRow) }];
      this.#next = cursor;
      this.#buffered.clear();
      this.#put({ phase: 'ready', error: undefined, unscoped: unscoped_left_out });
    } catch (error) {
      if (round === this.#round && !isBrokenOff(error)) this.#put({ phase: 'failed', error });
    }
  }

  /** The row at a place, or undefined while it is asked for. */
  at(index: number): Row | undefined {
    return this.#pages[Math.floor(index / PAGE_ROWS)]?.rows?.[index % PAGE_ROWS];
  }

  /** The place of a handoff among the rows that are held, or -1. */
  indexOf(id: string): number {
    for (const [number, page] of this.#pages.entries()) {
      const index = page.rows?.findIndex((row) => row.id === id) ?? -1;
      if (index !== -1) return number * PAGE_ROWS + index;
    }
    return -1;
  }

  /** Sees to it that these places have their rows, and lets go of those that are far from them. */
  need(from: number, to: number): void {
    if (this.#state.phase === 'loading') return;
    const [first, last] = [Math.floor(from / PAGE_ROWS), Math.floor(to / PAGE_ROWS)];
    for (let number = first; number <= last; number += 1) {
      const page = this.#pages[number];
      if (page !== undefined && page.rows === undefined) void this.#fill(number);
    }
    if (to >= this.#state.count - PAGE_ROWS / 2 && this.#next !== undefined) void this.#fill(this.#pages.length);
    for (const [number, page] of this.#pages.entries()) {
      const distance = Math.min(Math.abs(number - first), Math.abs(number - last));
      if (distance > PAGES_KEPT / 2) page.rows = undefined;
    }
  }

  /** Puts another row in the place of one; undefined where it is not held. @returns the row that was there. */
  change(id: string, change: (row: Row) => Row): Row | undefined {
    const index = this.indexOf(id);
    const rows = this.#pages[Math.floor(index / PAGE_ROWS)]?.rows;
    const row = rows?.[index % PAGE_ROWS];
    if (index === -1 || rows === undefined || row === undefined) return undefined;
    rows[index % PAGE_ROWS] = change(row);
    this.#put({});
    return row;
  }

  /** What happened elsewhere: a row that is shown changes in its place, one that is not is counted. */
  take(events: readonly HandoffEvent[]): void {
    const last = new Map(events.map((event) => [event.handoff_id, event]));
    const shown = [...last.values()].filter(({ handoff_id }) => this.indexOf(handoff_id) !== -1);
    for (const [id, { to }] of last) {
      if (this.indexOf(id) !== -1) continue;
      if (this.#states.has(to)) this.#buffered.add(id);
      else this.#buffered.delete(id);
    }
    for (const { handoff_id, to } of shown) this.change(handoff_id, (row) => ({ ...row, state: to }));
    for (const { handoff_id } of shown) this.#stale.add(handoff_id);
    this.#refreshLater();
    this.#put({});
  }

  #refreshLater(): void {
    if (this.#stale.size === 0 || this.#leaving.signal.aborted) return;
    this.#refreshing ??= setTimeout(() => {
      this.#refreshing = undefined;
      for (const id of [...this.#stale].slice(0, ROWS_ASKED_MAX)) {
        this.#stale.delete(id);
        void this.#refresh(id);
      }
      this.#refreshLater();
    }, ROWS_ASKED_MS);
  }

  async #refresh(id: string): Promise<void> {
    try {
      const handoff = await call('handoff.get', { id }, { signal: this.#leaving.signal });
      this.change(id, (row) => (row.version > handoff.delivery.version ? row : toRow(handoff)));
    } catch {
      // The event itself said the state; a server that is away is told of elsewhere.
    }
  }

  async #fill(number: number): Promise<void> {
    if (this.#asked.has(number)) return;
    this.#asked.add(number);
    const round = this.#round;
    const cursor = number === 0 ? undefined : (this.#pages[number]?.cursor ?? this.#next);
    try {
      const answer = await this.#ask(cursor);
      if (round !== this.#round) return;
      const rows = answer.handoffs.map(toRow);
      // A page that is asked for again keeps its length, so that the rows behind it keep their places.
      const count = this.#pages[number]?.count ?? rows.length;
      if (number === this.#pages.length) this.#next = answer.cursor;
      for (const { id } of rows) this.#buffered.delete(id);
      this.#pages[number] = { ...(cursor === undefined ? {} : { cursor }), count, rows: rows.slice(0, count) };
      this.#put({});
    } catch (error) {
      if (round === this.#round && !isBrokenOff(error)) this.#put({ phase: 'failed', error });
    } finally {
      this.#asked.delete(number);
    }
  }

  #ask(cursor: string | undefined) {
    const place = cursor === undefined ? {} : { cursor };
    return call('handoff.list', { ...this.#input, limit: PAGE_ROWS, ...place }, { signal: this.#leaving.signal });
  }

  #put(change: Partial<RowsState>): void {
    const count = this.#pages.reduce((sum, page) => sum + page.count, 0);
    const isWhole = this.#next === undefined && (change.phase ?? this.#state.phase) === 'ready';
    this.#state = { ...this.#state, ...change, count, isWhole, buffered: this.#buffered.size };
    for (const listener of [...this.#listeners]) listener();
  }
}
