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

/** Requests for rows at once: who drags the bar passes over places that he does not want to see. */
const ASKED_MAX = 2;

/** As many rows as a list that is scrolled can show: browsers end at some ten million pixels. */
const SHOWN_MAX = 400_000;

/** So many changed rows are asked for at once, and not more often than this: an event tells the state by itself. */
const ROWS_ASKED_MAX = 10;
const ROWS_ASKED_MS = 250;

/** Requests of one search before it asks whether to go on: each looks through a bounded number of contents. */
const SEARCH_ROUNDS = 5;

/** What is listed. */
export type ListInput = InboxFilter & { state: State[] };

/** What the list shows. */
export interface RowsState {
  phase: 'loading' | 'ready' | 'failed';
  error?: unknown;
  /** Places in the list, each with its row or one that is asked for. */
  count: number;
  /** Whether there are no more. */
  isWhole: boolean;
  /** Handoffs that would be in the list and are not shown, so that no row moves. */
  buffered: number;
  /** Left out since they have no scope. */
  unscoped: number;
  /** Whether a search ended before the last handoff. */
  isCut: boolean;
}

/**
 * A list of any length in the order of the server, of which only some rows are held. Rows never move by themselves: one
 * that changed changes where it stands, and new ones are counted until a person asks for them.
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

  /** Breaks off what is asked for. */
  close(): void {
    this.#leaving.abort();
    clearTimeout(this.#refreshing);
  }

  /** Shows the list as it is now, from its beginning; until it is there, and where it fails, what was shown stays. */
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
      if (!window.isWhole && !this.#isSearch) await this.#countWhole(round);
    } catch (error) {
      if (round === this.#round && !isBrokenOff(error)) this.#put({ phase: 'failed', error });
    }
  }

  /** The row at a place, or undefined while it is asked for. */
  at(index: number): InboxRow | undefined {
    return this.#window.at(index);
  }

  /** The row of a handoff, where it is held. */
  get(id: string): InboxRow | undefined {
    return this.#window.at(this.#window.indexOf(id));
  }

  /** The place of a handoff among the rows that are held, or -1. */
  indexOf(id: string): number {
    return this.#window.indexOf(id);
  }

  /** Sees to it that these places have their rows, and lets go of those that are far from them. */
  need(from: number, to: number): void {
    if (this.#state.phase === 'loading') return;
    this.#wanted = this.#window.missing(from, to, PAGE_ROWS);
    // Until all are counted, the list grows at its end.
    const { end } = this.#window;
    if (!this.#window.isWhole && !this.#state.isCut && to >= end - PAGE_ROWS / 2) this.#wanted.push(end);
    this.#window.keepAround(from, to);
    this.#askNext();
  }

  /** Looks further where a search ended before the last handoff. */
  searchOn(): void {
    this.#wanted = [this.#window.end];
    this.#askNext();
  }

  /** Puts another row in the place of one; undefined where it is not held. @returns the row that was there. */
  change(id: string, change: (row: InboxRow) => InboxRow): InboxRow | undefined {
    const row = this.#window.change(id, change);
    if (row !== undefined) this.#put({});
    return row;
  }

  /** What happened elsewhere: a row that is shown changes in its place, one that is not is counted. */
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
      if (round === this.#round && !isBrokenOff(error)) this.#put({ phase: 'failed', error });
    } finally {
      if (round === this.#round) {
        this.#asked.delete(start);
        this.#askNext();
      }
    }
  }

  /** Rows from a place on. A search that found few goes on for a while, since each request looks at a bounded number. */
  async #load(window: RowWindow, start: number): Promise<{ unscoped: number; isCut: boolean }> {
    let { cursor, skip } = window.wayTo(start);
    let place = start;
    for (let round = 1; ; round += 1) {
      const request = { ...this.input, limit: PAGE_ROWS, ...(cursor === undefined ? {} : { cursor }), skip };
      const answer = await listHandoffs(request, this.#leaving.signal);
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

  /** How long the list is, so that every place of it can be reached at once. */
  async #countWhole(round: number): Promise<void> {
    const { counts, partial } = await call(
      'handoff.count',
      { ...this.input, look_max: SHOWN_MAX },
      { signal: this.#leaving.signal },
    );
    if (round !== this.#round) return;
    const sum = Object.values(counts).reduce((total, count) => total + count, 0);
    this.#window.setCount(Math.min(sum, SHOWN_MAX), partial.length === 0 && sum <= SHOWN_MAX);
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
      const keep = ({ heard_at, back, refusal }: InboxRow) => ({
        ...(heard_at === undefined ? {} : { heard_at }),
        ...(back === undefined ? {} : { back }),
        ...(refusal === undefined ? {} : { refusal }),
      });
      this.change(id, (row) => (row.version > handoff.delivery.version ? row : { ...toRow(handoff), ...keep(row) }));
    } catch {
      // The event itself said the state; a server that is away is told of elsewhere.
    }
  }

  #put(change: Partial<RowsState>): void {
    const { count, isWhole } = this.#window;
    this.#state = { ...this.#state, ...change, count, isWhole, buffered: this.#buffered.size };
    for (const listener of [...this.#listeners]) listener();
  }
}
