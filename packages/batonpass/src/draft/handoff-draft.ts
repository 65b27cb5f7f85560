import type { Evidence } from '../core/evidence.ts';

/** A choice that a brainstorm made, as the plan agent gets it. */
export interface HandoffDecision {
  id: string;
  content: string;
  /** Who worded it: an extraction or an agent, a person who pinned it, or a person who changed it. */
  source: 'ai-extracted' | 'user-pinned' | 'user-edited';
  /** How explicitly it was agreed: 1 explicit, 0.5 implied. Absent for what nobody extracted. */
  confidence?: number;
  /** Its place in the conversation. */
  evidence?: Evidence;
  /** What a short acceptance accepts: the proposal in the words in which it was made. */
  support?: Evidence[];
  /** The earlier choices that this one replaced, in words. */
  supersedes?: string[];
  /** It was found while the plan was made, after the snapshot was frozen: new, and not in the snapshot. */
  fromPlanning?: true;
}

/** A file that the planned work touches. */
export interface HandoffFileRef {
  id: string;
  /** From the project's root, with `/`. */
  path: string;
  relevance: 'high' | 'medium' | 'low';
  /** Why it matters, in one sentence. */
  context: string;
  evidence?: Evidence;
}

/** Something that may go wrong. */
export interface HandoffRisk {
  id: string;
  description: string;
  severity: 'high' | 'medium' | 'low';
  evidence?: Evidence;
}

/** What the plan agent gets: a deep-frozen copy of the draft, which no later change reaches. */
export interface HandoffSnapshot {
  readonly decisions: readonly HandoffDecision[];
  readonly filesReferenced: readonly HandoffFileRef[];
  readonly risks: readonly HandoffRisk[];
  readonly brainstormSummary: string;
}

/** What a person did to a draft, which a later extraction must not undo. */
export interface ReviewMemory {
  /** What was taken out or reworded, in its former words: it does not come back. */
  readonly removed: {
    readonly decisions: readonly string[];
    readonly files: readonly string[];
    readonly risks: readonly string[];
  };
  /** Ids of files and risks that a person added or changed, and `brainstormSummary` where he worded that. */
  readonly settled: readonly string[];
}

/** A draft of a handoff under review: what undo and redo go back and forth in. Never changed in place. */
export interface HandoffDraft {
  decisions: HandoffDecision[];
  filesReferenced: HandoffFileRef[];
  risks: HandoffRisk[];
  brainstormSummary: string;
  review: ReviewMemory;
}

/** An empty draft. */
export const emptyDraft: HandoffDraft = {
  decisions: [],
  filesReferenced: [],
  risks: [],
  brainstormSummary: '',
  review: { removed: { decisions: [], files: [], risks: [] }, settled: [] },
};

/** The state of a draft's store: the draft, its frozen snapshot, and its progress. Data only. */
export interface HandoffDraftState extends HandoffDraft {
  /** What the plan agent gets; null until `freezeForPlanning`, and after a reload until `restoreFrozen`. Never stored. */
  frozenPayload: HandoffSnapshot | null;
  /** SHA-256 of the frozen snapshot's canonical JSON: what a restored snapshot must have. */
  frozenHash: string | null;
  /** The handoff that was made last of this draft; the next one supersedes it. */
  handedOnId: string | null;
  /** The hash of the snapshot in that handoff: differs from `frozenHash` while a newer one is not handed over. */
  handedOnHash: string | null;
  /** When the draft changed last, ISO 8601; null where it never did. It shows a reader that a draft is old. */
  changedAt: string | null;
  /** The project that the draft belongs to; null where the application has only one. */
  project: string | null;
  /** The fault of the browser's storage, as a sentence for a person; null where there is none. */
  storageFault: string | null;
  canUndo: boolean;
  canRedo: boolean;
  /** Earlier drafts, the last one newest; at most `limits.draft_undo_max`. */
  past: readonly HandoffDraft[];
  /** Drafts that undo went back from, the last one next. */
  future: readonly HandoffDraft[];
}
