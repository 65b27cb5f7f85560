import type { CompletedContent } from '../../core/complete-content.ts';
import type { Handoff } from '../../core/handoff.ts';
import * as columns from '../handoff-columns.ts';

/** The columns of one row that is written. */
export type Columns = Readonly<columns.Columns>;

/** The content with its columns; to nobody in particular is the empty text. */
export function encodeContent(completed: CompletedContent): Columns {
  const encoded = columns.encodeContent(completed);
  return { ...encoded, target_agent: encoded.target_agent ?? '' };
}

/** A handoff with every column. */
export function encodeHandoff(handoff: Handoff, content_json: string): Columns {
  return {
    ...columns.encodeOrigin(handoff),
    ...encodeContent({ ...handoff, content_json }),
    ...columns.encodeDelivery(handoff.delivery),
  };
}

/** Rows turned to one parameter for each column. */
export function byColumn(rows: readonly Columns[]): Record<string, (string | number | null)[]> {
  const names = Object.keys(rows[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] ?? null)]));
}
