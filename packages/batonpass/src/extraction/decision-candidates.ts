import type { ExtractedDecision } from './extraction.ts';

/** A decision on its way: what it says, how sure, and where in the dialogue it was made. */
export interface DecisionCandidate extends ExtractedDecision {
  /** The turn that made it. */
  turn: number;
}
