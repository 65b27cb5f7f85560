import type { FilterWord } from './filter-words.ts';
import type { InboxRow } from './rows.ts';

/** How many values of one field are remembered. */
const VALUES_MAX = 100;

const seen = new Map<FilterWord, Set<string>>();

/** Remembers the filterable values of rows, for suggestions. */
export function noteSeen(rows: readonly InboxRow[]): void {
  for (const { task_id, kind, from, to, scope } of rows) {
    note('task', task_id);
    note('kind', kind);
    note('from', from);
    note('to', to);
    note('scope', scope);
  }
}

function note(word: FilterWord, value: string | undefined): void {
  const values = seen.get(word) ?? new Set();
  if (value === undefined || values.size >= VALUES_MAX) return;
  seen.set(word, values.add(value));
}

/** Values of a field that rows had, in alphabetical order. */
export function listSeen(word: FilterWord): string[] {
  return [...(seen.get(word) ?? [])].sort((left, right) => left.localeCompare(right));
}
