import { createStore, type StoreApi } from 'zustand/vanilla';
import type { InboxRow } from './rows.ts';

/** The selection: the focus alone selects nothing. */
export interface Selection {
  /** The rows as they were when they were selected, by id. */
  rows: ReadonlyMap<string, InboxRow>;
  /** Whether all matches are selected, except those rows. */
  isAll: boolean;
}

const none: Selection = { rows: new Map(), isAll: false };

/** The selection of one list. */
export class Selected {
  readonly store: StoreApi<Selection> = createStore<Selection>(() => none);

  /** Selects or deselects a row. */
  toggle(row: InboxRow): void {
    this.store.setState(({ rows }) => {
      const changed = new Map(rows);
      if (!changed.delete(row.id)) changed.set(row.id, row);
      return { rows: changed };
    });
  }

  /** Adds rows to the selection. */
  add(...added: readonly InboxRow[]): void {
    const { isAll } = this.store.getState();
    this.store.setState(({ rows }) => {
      const changed = new Map(rows);
      for (const row of added) isAll ? changed.delete(row.id) : changed.set(row.id, row);
      return { rows: changed };
    });
  }

  /** Selects only these. */
  set(rows: readonly InboxRow[]): void {
    this.store.setState({ rows: new Map(rows.map((row) => [row.id, row])), isAll: false });
  }

  /** Selects all matches, also those that are not loaded. */
  all(): void {
    this.store.setState({ rows: new Map(), isAll: true });
  }

  clear(): void {
    this.store.setState(none);
  }
}

/** Whether a handoff is selected. */
export function isSelected({ rows, isAll }: Selection, id: string): boolean {
  return rows.has(id) !== isAll;
}

/** Whether nothing is selected. */
export function isNothing({ rows, isAll }: Selection): boolean {
  return rows.size === 0 && !isAll;
}
