import { HandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { maskSecrets } from '../core/masking.ts';
import type { EvidencedResult, ExtractionResult } from '../extraction/extraction-result.ts';
import * as decisions from './decision-edits.ts';
import * as parts from './file-and-risk-edits.ts';
import {
  emptyDraft,
  type HandoffDecision,
  type HandoffDraft,
  type HandoffDraftState,
  type HandoffFileRef,
  type HandoffRisk,
  type HandoffSnapshot,
} from './handoff-draft.ts';
import { mergeIntoDraft } from './merge-into-draft.ts';
import { type FrozenSnapshot, freezeSnapshot, type SnapshotSource } from './snapshot.ts';

/** A change of the draft itself, which undo reverts. */
export type DraftEdit =
  | { type: 'mergeExtraction'; result: ExtractionResult | EvidencedResult }
  | { type: 'addDecision'; content: string; source: HandoffDecision['source'] }
  | { type: 'updateDecision'; id: string; content: string }
  | { type: 'removeDecision' | 'removeFileRef' | 'removeRisk'; id: string }
  | { type: 'moveDecision'; id: string; toIndex: number }
  | { type: 'mergeDecisions' | 'removeEntries'; ids: readonly string[] }
  | { type: 'pinDecision'; id: string; isPinned: boolean }
  | { type: 'setSummary'; text: string }
  | { type: 'addFileRef'; ref: Omit<HandoffFileRef, 'id'> }
  | { type: 'updateFileRef'; id: string; change: Partial<Omit<HandoffFileRef, 'id'>> }
  | { type: 'addRisk'; risk: Omit<HandoffRisk, 'id'> }
  | { type: 'updateRisk'; id: string; change: Partial<Omit<HandoffRisk, 'id'>> }
  | { type: 'reset' };

/** Everything that happens to a draft. */
export type DraftAction =
  | DraftEdit
  | { type: 'undo' | 'redo' | 'freezeForPlanning' }
  | { type: 'restoreFrozen'; snapshot: HandoffSnapshot }
  | { type: 'markHandedOn'; id: string };

/** The dependencies of a change. */
export interface DraftSurroundings {
  /** The present time in milliseconds. */
  now: () => number;
  createId: () => string;
}

/** An empty draft, nothing frozen, nothing handed over. */
export const emptyState: HandoffDraftState = {
  ...emptyDraft,
  frozenPayload: null,
  frozenHash: null,
  handedOnId: null,
  handedOnHash: null,
  changedAt: null,
  project: null,
  storageFault: null,
  canUndo: false,
  canRedo: false,
  past: [],
  future: [],
};

/**
 * The state after an action: pure but for its surroundings. The state before it is never touched, and is given back
 * as it is where the action changes nothing.
 *
 * @throws HandoffError `conflict` where a snapshot is restored that is not the one which was frozen.
 */
export function reduceDraft(
  state: HandoffDraftState,
  action: DraftAction,
  surroundings: DraftSurroundings,
): HandoffDraftState {
  switch (action.type) {
    case 'undo':
    case 'redo':
      return travel(state, action.type, surroundings);
    case 'freezeForPlanning':
      return freeze(state);
    case 'restoreFrozen':
      return restore(state, action.snapshot);
    case 'markHandedOn':
      return { ...state, handedOnId: action.id, handedOnHash: state.frozenHash };
    case 'reset': {
      const { frozenPayload, frozenHash, handedOnId, handedOnHash, changedAt } = emptyState;
      const empty = recordEdit(state, emptyDraft, surroundings);
      return { ...empty, frozenPayload, frozenHash, handedOnId, handedOnHash, changedAt };
    }
    default:
      return recordEdit(state, editDraft(state, action, surroundings.createId), surroundings);
  }
}

/** The draft after an edit, and the same one where the edit changes nothing. */
function editDraft(
  state: HandoffDraftState,
  edit: Exclude<DraftEdit, { type: 'reset' }>,
  createId: () => string,
): HandoffDraft {
  const draft = draftOf(state);
  switch (edit.type) {
    case 'mergeExtraction':
      return mergeIntoDraft(draft, edit.result, createId);
    case 'addDecision': {
      const isNew = edit.source === 'ai-extracted' && state.frozenHash !== null;
      const { content, source } = edit;
      return decisions.addDecision(draft, {
        id: createId(),
        content,
        source,
        ...(isNew ? { fromPlanning: true } : {}),
      });
    }
    case 'updateDecision':
      return decisions.updateDecision(draft, edit.id, edit.content);
    case 'removeDecision':
      return decisions.removeDecisions(draft, [edit.id]);
    case 'pinDecision':
      return decisions.pinDecision(draft, edit.id, edit.isPinned);
    case 'removeEntries': {
      const { ids } = edit;
      return parts.removeRisks(parts.removeFileRefs(decisions.removeDecisions(draft, ids), ids), ids);
    }
    case 'moveDecision':
      return decisions.moveDecision(draft, edit.id, edit.toIndex);
    case 'mergeDecisions':
      return decisions.mergeDecisions(draft, edit.ids);
    case 'setSummary':
      return parts.setSummary(draft, edit.text);
    case 'addFileRef':
      return parts.addFileRef(draft, { ...edit.ref, id: createId() });
    case 'updateFileRef':
      return parts.updateFileRef(draft, edit.id, edit.change);
    case 'removeFileRef':
      return parts.removeFileRefs(draft, [edit.id]);
    case 'addRisk':
      return parts.addRisk(draft, { ...edit.risk, id: createId() });
    case 'updateRisk':
      return parts.updateRisk(draft, edit.id, edit.change);
    case 'removeRisk':
      return parts.removeRisks(draft, [edit.id]);
  }
}

function recordEdit(state: HandoffDraftState, draft: HandoffDraft, { now }: DraftSurroundings): HandoffDraftState {
  const before = draftOf(state);
  if (isSameDraft(before, draft)) return state;
  const past = [...state.past, before].slice(-limits.draft_undo_max);
  return { ...state, ...draft, past, future: [], canUndo: true, canRedo: false, changedAt: toIso(now()) };
}

function travel(state: HandoffDraftState, way: 'undo' | 'redo', { now }: DraftSurroundings): HandoffDraftState {
  const [from, to] = way === 'undo' ? [state.past, state.future] : [state.future, state.past];
  const draft = from.at(-1);
  if (draft === undefined) return state;
  const [left, right] = [from.slice(0, -1), [...to, draftOf(state)]];
  const [past, future] = way === 'undo' ? [left, right] : [right, left];
  const changedAt = toIso(now());
  return { ...state, ...draft, past, future, canUndo: past.length > 0, canRedo: future.length > 0, changedAt };
}

/** Decisions in the snapshot are no longer marked as new from planning. Secrets are masked in the copy alone. */
function freeze(state: HandoffDraftState): HandoffDraftState {
  const { snapshot, sha256 } = freezeMasked(state);
  const isNew = state.decisions.some(({ fromPlanning }) => fromPlanning);
  const known = isNew ? state.decisions.map(({ fromPlanning: _, ...decision }) => decision) : state.decisions;
  return { ...state, decisions: known, frozenPayload: snapshot, frozenHash: sha256 };
}

function restore(state: HandoffDraftState, given: HandoffSnapshot): HandoffDraftState {
  const { snapshot, sha256 } = freezeSnapshot(given);
  if (sha256 === state.frozenHash) return { ...state, frozenPayload: snapshot };
  throw new HandoffError(
    'conflict',
    state.frozenHash === null
      ? 'Nothing is frozen in this draft: there is nothing to restore.'
      : 'The snapshot is not the one that was frozen in this draft.',
    {
      details: { sha256, frozen_sha256: state.frozenHash },
      alternatives: ['Restore the snapshot of the handoff that `handedOnId` names.', 'Freeze the draft again.'],
    },
  );
}

function draftOf({
  decisions: all,
  filesReferenced,
  risks,
  brainstormSummary,
  review,
}: HandoffDraftState): HandoffDraft {
  return { decisions: all, filesReferenced, risks, brainstormSummary, review };
}

function isSameDraft(a: HandoffDraft, b: HandoffDraft): boolean {
  const keys = Object.keys(a) as (keyof HandoffDraft)[];
  return keys.every((key) => a[key] === b[key]);
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * As `freezeSnapshot`, with the secrets in all its texts masked, as every handoff has them masked: what is shown, handed
 * on, kept and put back after a reload is one snapshot with one hash.
 */
function freezeMasked(draft: SnapshotSource): FrozenSnapshot {
  const text = JSON.stringify(freezeSnapshot(draft).snapshot, (_name, value: unknown) =>
    typeof value === 'string' ? maskSecrets(value).text : value,
  );
  return freezeSnapshot(JSON.parse(text) as HandoffSnapshot);
}
