import { createStore, type StoreApi } from 'zustand/vanilla';
import type { InboxRow } from './rows.ts';

/** What is selected: the focus alone selects nothing. */
export interface Selection {
  /** As they were when they were selected, by id. */
  rows: ReadonlyMap<string, InboxRow>;
  /** Whether all that match the filter are, but those. */
  isAll: boolean;
}

const none: Selection = { rows: new Map(), isAll: false };

/** The selection of one list. */
export class Selected {
  readonly store: StoreApi<Selection> = createStore<Selection>(() => none);

  /** Selects a row, or no longer. */
  toggle(row: InboxRow): void {
    this.store.setState(({ rows }) => {
      const changed = new Map(rows);
      if (!changed.delete(row.id)) changed.set(row.id, row);
      return { rows: changed };
    });
  }

  /** Selects rows besides those that are. */
  add(...added: readonly InboxRow[]): void {
    const { isAll } = this.store.getState();
    this.store.setState(({ rows }) => {
      const changed = new Map(rows);
      for (const row of added) isAll ? changed.delete(row.id) : changed.set(row.id, row);
      return { rows: changed };
    });
  }

  /** Selects these alone. */
  set(rows: readonly InboxRow[]): void {
    this.store.setState({ rows: new Map(rows.map((row) => [row.id, row])), isAll: false });
  }

  /** Selects all that match, those too that were never seen. */
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

/** Whether nothing is. */
export function isNothing({ rows, isAll }: Selection): boolean {
  return rows.size === 0 && !isAll;
}
