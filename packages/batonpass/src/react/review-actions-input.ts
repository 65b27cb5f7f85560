import type { Evidence } from '../core/evidence.ts';
import type { HandoffSnapshot } from '../draft/handoff-draft.ts';
import type { HandoffDraftStore } from '../draft/handoff-store.ts';
import type { Subject } from './subjects.ts';
import type { Announcer } from './use-announcements.ts';
import type { Edits } from './use-edits.ts';
import type { KeptFocus } from './use-kept-focus.ts';
import type { Selection } from './use-selection.ts';

/** What the actions work with: all of it stays the same while the screen is shown. */
export interface ReviewActionsInput {
  store: HandoffDraftStore;
  edits: Edits;
  announcer: Announcer;
  focus: KeptFocus;
  selection: Selection;
  singleKeys: boolean;
  /** Whether what follows needs a decision. */
  needsDecision: boolean;
  showEvidence: ((subject: Subject, evidence: Evidence) => void) | null;
  goBack: () => void;
  /** What the application does in place of undo, given the draft's own; null where the draft's own is all there is. */
  undoLast: ((own: () => void) => void) | null;
  /** What the application does with what was frozen. */
  startPlanning: (snapshot: HandoffSnapshot, sha256: string) => void | Promise<void>;
}

/** How what was done is undone. */
export function describeWay({ singleKeys }: Pick<ReviewActionsInput, 'singleKeys'>): string {
  return singleKeys ? 'Undo with Z.' : 'Undo with the button below.';
}
