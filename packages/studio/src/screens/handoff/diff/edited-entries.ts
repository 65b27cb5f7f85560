import type { HandoffEvent } from '../../../../../batonpass/src/core/delivery.ts';
import { type EditChange, type EditedPart, editChangesOf } from '../../../../../batonpass/src/core/edit-changes.ts';
import { textNames } from './compare-contents.ts';

/** One edit of a draft, as its history stores it. */
export interface KeptEdit {
  seq: number;
  at: string;
  by: string;
  revision: number;
  changes: readonly EditChange[];
  /** The number of changes that are too long to be stored. */
  left_out: number;
  /** A description of an edit without stored words; empty where its words describe it. */
  note: string;
}

/** The edits of a draft, the first one first. */
export function readEdits(events: readonly HandoffEvent[]): KeptEdit[] {
  return events.flatMap((event): KeptEdit[] => {
    if (event.name !== 'handoff-edited') return [];
    const { seq, at, actor, details = {} } = event;
    const { changes, left_out } = editChangesOf(event) ?? { changes: [], left_out: 0 };
    const revision = Number(details.content_revision ?? 0);
    const isMarked = details.marks !== undefined;
    return [
      { seq, at, by: actor.name, revision, changes, left_out, note: noteOf(details.words !== undefined, isMarked) },
    ];
  });
}

/** A user's edit has marks; an extraction has none. */
function noteOf(hasWords: boolean, isMarked: boolean): string {
  if (hasWords) return isMarked ? '' : 'A new extraction of the conversation.';
  return isMarked ? 'Its words were not kept.' : 'Only the order or the author changed, not the words.';
}

/** All edits as one: repeated changes are merged, and reverted ones are left out. */
export function foldChanges(edits: readonly KeptEdit[]): EditChange[] {
  const folded: EditChange[] = [];
  for (const { part, before, after } of edits.flatMap(({ changes }) => changes)) {
    const earlier =
      before === undefined ? -1 : folded.findLastIndex((each) => each.part === part && each.after === before);
    const former = folded[earlier];
    if (former === undefined)
      folded.push({ part, ...(before !== undefined && { before }), ...(after !== undefined && { after }) });
    else if (former.before === after) folded.splice(earlier, 1);
    else {
      const { after: _, ...rest } = former;
      folded[earlier] = { ...rest, ...(after !== undefined && { after }) };
    }
  }
  return withoutReturned(folded);
}

/** Removes entries that were deleted and added again later. */
function withoutReturned(changes: readonly EditChange[]): EditChange[] {
  const left = [...changes];
  for (const gone of changes.filter(({ after }) => after === undefined)) {
    const back = left.findIndex(
      ({ part, before, after }) => part === gone.part && before === undefined && after === gone.before,
    );
    if (back === -1) continue;
    left.splice(back, 1);
    left.splice(left.indexOf(gone), 1);
  }
  return left;
}

/** The label of a part's single item. */
export const partNames: Readonly<Record<EditedPart, string>> = {
  ...textNames,
  where_it_stands: 'Where it stands',
  instructions: 'Standing instruction',
  decisions: 'Decision',
  next_steps: 'Next step',
  files: 'File',
  risks: 'Risk',
  tried: 'Tried',
  open_questions: 'Open question',
  results: 'Result',
  environment: 'Command that worked',
  references: 'Reference',
  words: 'Earlier words',
};
