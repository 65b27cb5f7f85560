import { hashJson } from '../core/canonical-json.ts';
import type { Content } from '../core/content.ts';
import type { EditMarks } from '../core/edit-marks.ts';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import type { Store } from '../core/store.ts';
import { type Edits, foldEdits } from '../draft/keep-edits.ts';
import { withoutFileFacts } from './file-facts.ts';

/** The edits of handoffs of one conversation, whatever their state is now. @param handoffs - newest first. */
export async function editsOf(handoffs: readonly Handoff[], store: Store): Promise<Edits> {
  const edited = handoffs.filter(({ delivery }) => delivery.content_revision > 1).toReversed();
  const marks: EditMarks[] = [];
  for (const { id } of edited) {
    for (const { details } of await store.events({ handoff_id: id, limit: limits.events_max })) {
      if (details?.marks !== undefined) marks.push(details.marks as unknown as EditMarks);
    }
  }
  return foldEdits(marks);
}

/** The meaning of a content, independent of the work tree, the order and the ids of its items. */
export function meaningOf({ origin: _origin, files, ...words }: Content): string {
  const all = { ...words, files: withoutFileFacts(files) };
  return hashJson(Object.fromEntries(Object.entries(all).map(([name, value]) => [name, inAnyOrder(value)])));
}

function inAnyOrder(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value
    .map((item: unknown) => {
      if (item === null || typeof item !== 'object') return item;
      const { id: _id, ...rest } = item as Record<string, unknown>;
      return rest;
    })
    .toSorted((a, b) => (hashJson(a) < hashJson(b) ? -1 : 1));
}
