import type { HandoffEvent } from '../../../../batonpass/src/core/delivery.ts';
import type { State } from '../../../../batonpass/src/core/state.ts';
import { call, listHandoffs } from '../../server/call.ts';
import { isBrokenOff } from '../../server/server-problem.ts';
import type { InboxFilter } from './filter-words.ts';
import { RowWindow } from './row-window.ts';
import { type InboxRow, toRow } from './rows.ts';
import { noteSeen } from './seen-values.ts';

/** Rows of one request. */
export const PAGE_ROWS = 50;

/** Concurrent requests for rows: a dragged scroll bar passes positions that nobody needs. */
const ASKED_MAX = 2;

/** The most rows that a scrolled list can show: browsers limit its height to some ten million pixels. */
const SHOWN_MAX = 400_000;

/** How many changed rows are loaded at once, and how often at most: the event itself has the state. */
const ROWS_ASKED_MAX = 10;
const ROWS_ASKED_MS = 250;

/** Requests of one search before the user must continue it: each looks through a bounded number of contents. */
const SEARCH_ROUNDS = 5;

/** The filter and the states of the list. */
type ListInput = InboxFilter & { state: State[] };

/** The state of the list. */
export interface RowsState {
  phase: 'loading' | 'ready' | 'failed';
  error?: unknown;
  /** Positions in the list, each with its row or a placeholder. */
  count: number;
  /** Whether there are no more. */
  isWhole: boolean;
  /** Handoffs that match but are not shown, so that no row moves. */
  buffered: number;
  /** How many are left out since they have no scope. */
  unscoped: number;
  /** Whether a search ended before the last handoff. */
  isCut: boolean;
}

/**
 * A list of any length in the server's order, of which only some rows are in memory. Rows never move automatically: a
 * changed row is updated in place, and new ones are counted until the user loads them.
 */
export class RowPages {
  readonly input: ListInput;
  readonly #states: ReadonlySet<State>;
  readonly #isSearch: boolean;
  readonly #leaving = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #buffered = new Set<string>();
  readonly #stale = new Set<string>();
  readonly #asked = new Set<number>();
  #wanted: number[] = [];
  #window = new RowWindow();
  #refreshing: ReturnType<typeof setTimeout> | undefined;
  #round = 0;
  #state: RowsState = { phase: 'loading', count: 0, isWhole: false, buffered: 0, unscoped: 0, isCut: false };

  constructor(input: ListInput) {
    this.input = input;
    this.#states = new Set(input.state);
    this.#isSearch = input.text !== undefined || input.file !== undefined;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): RowsState => this.#state;

  /** Aborts its requests. */
  close(): void {
    this.#leaving.abort();
    clearTimeout(this.#refreshing);
  }

  /** Loads the list again from its start; until then, and after a failure, the previous rows stay. */
  async reload(): Promise<void> {
    const round = ++this.#round;
    const window = new RowWindow();
    this.#asked.clear();
    this.#wanted = [];
    try {
      const { unscoped, isCut } = await this.#load(window, 0);
      if (round !== this.#round) return;
      this.#window = window;
      this.#buffered.clear();
      this.#put({ phase: 'ready', error: undefined, unscoped, isCut });
      if (!window.isWhole && !this.#isSearch) void this.#countWhole(round);
    } catch (error) {
      this.#fail(round, error);
    }
  }

  /**
   * Loads what may have changed while no events arrived. As after events, no row moves: the next key of the user must
   * act on the handoff that is focused, and a row that left the list still shows what became of it.
   */
  async catchUp(): Promise<void> {
    const [round, window, loaded] = [this.#round, this.#window, new RowWindow()];
    if (window.at(0) === undefined) return this.reload();
    try {
      const { unscoped } = await this.#load(loaded, 0);
      if (window !== this.#window) return;
      const rows = loaded.rows();
      for (const row of rows) window.change(row.id, (before) => renew(before, row));
      for (const { id } of window.rows()) if (loaded.indexOf(id) === -1) this.#stale.add(id);
      for (const { id } of window.newIn(rows)) this.#buffered.add(id);
      this.#refreshLater();
      this.#put({ phase: 'ready', error: undefined, unscoped });
    } catch (error) {
      this.#fail(round, error);
    }
  }

  /** The row at a position, or undefined while it is loading. */
  at(index: number): InboxRow | undefined {
    return this.#window.at(index);
  }

  /** The row of a handoff, where it is in memory. */
  get(id: string): InboxRow | undefined {
    return this.#window.at(this.#window.indexOf(id));
  }

  /** The position of a handoff among the rows in memory, or -1. */
  indexOf(id: string): number {
    return this.#window.indexOf(id);
  }

  /** Loads the rows at these positions, and drops those that are far from them. */
  need(from: number, to: number): void {
    if (this.#state.phase === 'loading') return;
    this.#wanted = this.#window.missing(from, to, PAGE_ROWS);
    // Until all are counted, the list grows at its end.
    const { end } = this.#window;
    if (!this.#window.isWhole && !this.#state.isCut && to >= end - PAGE_ROWS / 2) this.#wanted.push(end);
    this.#window.keepAround(from, to);
    this.#askNext();
  }

  /** Continues a search that ended before the last handoff. */
  searchOn(): void {
    this.#wanted = [this.#window.end];
    this.#askNext();
  }

  /** Replaces a row in memory. @returns the previous row; undefined where there was none. */
  change(id: string, change: (row: InboxRow) => InboxRow): InboxRow | undefined {
    const row = this.#window.change(id, change);
    if (row !== undefined) this.#put({});
    return row;
  }

  /** Applies events: a row in memory is updated in place, any other is counted. */
  take(events: readonly HandoffEvent[]): void {
    const last = new Map(events.map((event) => [event.handoff_id, event]));
    for (const [id, { to, at }] of last) {
      const changed = this.#window.change(id, (row) => ({ ...row, state: to, heard_at: at }));
      if (changed !== undefined) this.#stale.add(id);
      else if (this.#states.has(to)) this.#buffered.add(id);
      else this.#buffered.delete(id);
    }
    this.#refreshLater();
    this.#put({});
  }

  #askNext(): void {
    while (this.#asked.size < ASKED_MAX) {
      const start = this.#wanted.find((each) => !this.#asked.has(each));
      if (start === undefined) return;
      this.#wanted = this.#wanted.filter((each) => each !== start);
      void this.#fill(start);
    }
  }

  async #fill(start: number): Promise<void> {
    const [round, window] = [this.#round, this.#window];
    this.#asked.add(start);
    try {
      const { isCut } = await this.#load(window, start);
      if (round === this.#round) this.#put({ phase: 'ready', error: undefined, isCut });
    } catch (error) {
      this.#fail(round, error);
    } finally {
      if (round === this.#round) {
        this.#asked.delete(start);
        this.#askNext();
      }
    }
  }

  /**
   * Loads rows from a position on. A search with few matches runs several requests, since each looks at a bounded
   * number.
   */
  async #load(window: RowWindow, start: number): Promise<{ unscoped: number; isCut: boolean }> {
    let { cursor, skip } = window.wayTo(start);
    let place = start;
    for (let round = 1; ; round += 1) {
      const answer = await listHandoffs({ ...this.input, limit: PAGE_ROWS, cursor, skip }, this.#leaving.signal);
      const rows = answer.handoffs.map(toRow);
      noteSeen(rows);
      for (const { id } of rows) this.#buffered.delete(id);
      window.put(place, rows, answer.cursor);
      place += rows.length;
      const unscoped = answer.unscoped_left_out;
      if (answer.cursor === undefined || place > start + PAGE_ROWS / 2) return { unscoped, isCut: false };
      if (round === SEARCH_ROUNDS) return { unscoped, isCut: true };
      [cursor, skip] = [answer.cursor, 0];
    }
  }

  /** Counts the whole list, so that every position can be reached at once. */
  async #countWhole(round: number): Promise<void> {
    const { signal } = this.#leaving;
    try {
      const { counts, partial } = await call('handoff.count', { ...this.input, look_max: SHOWN_MAX }, { signal });
      if (round !== this.#round) return;
      const sum = Object.values(counts).reduce((total, count) => total + count, 0);
      this.#window.setCount(Math.min(sum, SHOWN_MAX), partial.length === 0 && sum <= SHOWN_MAX);
      this.#put({});
    } catch (error) {
      this.#fail(round, error);
    }
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
      this.change(id, (row) => renew(row, toRow(handoff)));
    } catch {
      // The event itself had the state; the connection banner reports an unreachable server.
    }
  }

  #fail(round: number, error: unknown): void {
    if (round === this.#round && !isBrokenOff(error)) this.#put({ phase: 'failed', error });
  }

  #put(change: Partial<RowsState>): void {
    const { count, isWhole } = this.#window;
    this.#state = { ...this.#state, ...change, count, isWhole, buffered: this.#buffered.size };
    for (const listener of [...this.#listeners]) listener();
  }
}

/** A row with the server's present data, where that is not older, and with what only this page knows. */
function renew(row: InboxRow, loaded: InboxRow): InboxRow {
  const { version, heard_at, back, refusal } = row;
  return version > loaded.version ? row : { ...loaded, heard_at, back, refusal };
}
