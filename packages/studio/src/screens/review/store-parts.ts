import { limits } from '../../../../batonpass/src/core/limits.ts';
import type { HandoffDraft } from '../../../../batonpass/src/draft/handoff-draft.ts';
import type { HandoffDraftStore } from '../../../../batonpass/src/draft/handoff-store.ts';
import { type DraftParts, isSame, partsIn } from './draft-parts.ts';
import { type Conflict, mergeDrafts } from './merge-drafts.ts';

/** Puts parts into a draft's store as one step that undo takes back. */
export function putParts(store: HandoffDraftStore, parts: DraftParts): void {
  const state = store.getState();
  if (isSame(partsIn(state), parts)) return;
  const past = [...state.past, { ...partsIn(state), review: state.review }].slice(-limits.draft_undo_max);
  store.setState({ ...withKnown(state, parts), past, future: [], canUndo: true, canRedo: false });
}

/**
 * Puts what happened elsewhere into a draft's store, also into what undo and redo go back to: taking back what was done
 * here never takes back what others did. What both changed differently says theirs.
 *
 * @returns what that concerns.
 */
export function takeTheirs(
  store: HandoffDraftStore,
  { base, theirs }: { base: DraftParts; theirs: DraftParts },
): Conflict[] {
  const state = store.getState();
  const { parts, conflicts } = mergeDrafts({ base, mine: partsIn(state), theirs });
  if (isSame(base, theirs)) return conflicts;
  const rebase = (draft: HandoffDraft): HandoffDraft => ({
    ...draft,
    ...mergeDrafts({ base, mine: partsIn(draft), theirs }).parts,
  });
  store.setState({ ...withKnown(state, parts), past: state.past.map(rebase), future: state.future.map(rebase) });
  return conflicts;
}

/** Parts that are the same as before stay the same objects: a screen draws only what changed. */
function withKnown(known: DraftParts, parts: DraftParts): DraftParts {
  return {
    decisions: keep(known.decisions, parts.decisions),
    filesReferenced: keep(known.filesReferenced, parts.filesReferenced),
    risks: keep(known.risks, parts.risks),
    brainstormSummary: parts.brainstormSummary,
  };
}

function keep<T extends { id: string }>(known: T[], entries: T[]): T[] {
  const byId = new Map(known.map((entry) => [entry.id, entry]));
  const kept = entries.map((entry) => {
    const former = byId.get(entry.id);
    return former !== undefined && isSame(former, entry) ? former : entry;
  });
  return kept.length === known.length && kept.every((entry, place) => entry === known[place]) ? known : kept;
}
