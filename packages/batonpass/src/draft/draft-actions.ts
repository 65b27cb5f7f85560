import type { EvidencedResult, ExtractionResult } from '../extraction/extraction-result.ts';
import type { HandoffDecision, HandoffFileRef, HandoffRisk, HandoffSnapshot } from './handoff-draft.ts';
import type { DraftAction } from './reduce-draft.ts';

/** What can be done with a draft. Every action is synchronous, and what it changed is stored when it returns. */
export interface HandoffDraftActions {
  /**
   * Adds what was extracted after what is there. Items of the same meaning appear once; what a person pinned, edited
   * or removed stays as it is; implied decisions come last. A path out of the project is left out.
   */
  mergeExtraction: (result: ExtractionResult | EvidencedResult) => void;
  /** Adds a decision. Default source: `user-pinned`. One that is there in the same words is not added again. */
  addDecision: (content: string, source?: HandoffDecision['source']) => void;
  /** Rewords a decision, as `user-edited`. */
  updateDecision: (id: string, content: string) => void;
  removeDecision: (id: string) => void;
  removeFileRef: (id: string) => void;
  removeRisk: (id: string) => void;
  /** Removes several decisions, files and risks as one change: one `undo` restores all of them. */
  removeEntries: (ids: readonly string[]) => void;
  /** Pins a decision, as `user-pinned`, or unpins it: it is again what it was before, extracted or a person's own. */
  pinDecision: (id: string, isPinned: boolean) => void;
  /** Freezes a copy of the draft for the plan agent, its secrets masked: `frozenPayload` and `frozenHash`. */
  freezeForPlanning: () => void;
  /** Empties the draft and forgets what was frozen; `undo` brings the draft back. */
  reset: () => void;
  /** Undoes the last change of the draft; nothing where there is none. What is frozen stays. */
  undo: () => void;
  /** Redoes what `undo` reverted; nothing where there is none, or where something was changed since. */
  redo: () => void;
  /** Moves a decision to another place, 0 the first; implied decisions stay after the stated ones. */
  moveDecision: (id: string, toIndex: number) => void;
  /** Merges several decisions of the same meaning: a person's text wins, then the one with more confidence. */
  mergeDecisions: (ids: readonly string[]) => void;
  /** Words the summary; an extraction leaves it as it is from then on. */
  setSummary: (text: string) => void;
  /** Adds a file, or changes the one of that path. Nothing where the path leads out of the project. */
  addFileRef: (ref: Omit<HandoffFileRef, 'id'>) => void;
  updateFileRef: (id: string, change: Partial<Omit<HandoffFileRef, 'id'>>) => void;
  addRisk: (risk: Omit<HandoffRisk, 'id'>) => void;
  updateRisk: (id: string, change: Partial<Omit<HandoffRisk, 'id'>>) => void;
  /**
   * Puts back after a reload what was frozen before it, as the handed-on handoff holds it.
   *
   * @throws HandoffError `conflict` where it is not what was frozen: its hash is not `frozenHash`.
   */
  restoreFrozen: (snapshot: HandoffSnapshot) => void;
  /** Remembers which handoff has the frozen snapshot. */
  markHandedOn: (id: string) => void;
  /** Leaves this project's draft as it is stored, and continues with that of another; null is the one without a name. */
  openProject: (project: string | null) => void;
}

/** The actions that change the state by the reducer, each under the name of what it does. */
export function createDraftActions(dispatch: (action: DraftAction) => void): Omit<HandoffDraftActions, 'openProject'> {
  return {
    mergeExtraction: (result) => dispatch({ type: 'mergeExtraction', result }),
    addDecision: (content, source = 'user-pinned') => dispatch({ type: 'addDecision', content, source }),
    updateDecision: (id, content) => dispatch({ type: 'updateDecision', id, content }),
    removeDecision: (id) => dispatch({ type: 'removeDecision', id }),
    removeFileRef: (id) => dispatch({ type: 'removeFileRef', id }),
    removeRisk: (id) => dispatch({ type: 'removeRisk', id }),
    removeEntries: (ids) => dispatch({ type: 'removeEntries', ids }),
    pinDecision: (id, isPinned) => dispatch({ type: 'pinDecision', id, isPinned }),
    freezeForPlanning: () => dispatch({ type: 'freezeForPlanning' }),
    reset: () => dispatch({ type: 'reset' }),
    undo: () => dispatch({ type: 'undo' }),
    redo: () => dispatch({ type: 'redo' }),
    moveDecision: (id, toIndex) => dispatch({ type: 'moveDecision', id, toIndex }),
    mergeDecisions: (ids) => dispatch({ type: 'mergeDecisions', ids }),
    setSummary: (text) => dispatch({ type: 'setSummary', text }),
    addFileRef: (ref) => dispatch({ type: 'addFileRef', ref }),
    updateFileRef: (id, change) => dispatch({ type: 'updateFileRef', id, change }),
    addRisk: (risk) => dispatch({ type: 'addRisk', risk }),
    updateRisk: (id, change) => dispatch({ type: 'updateRisk', id, change }),
    restoreFrozen: (snapshot) => dispatch({ type: 'restoreFrozen', snapshot }),
    markHandedOn: (id) => dispatch({ type: 'markHandedOn', id }),
  };
}
