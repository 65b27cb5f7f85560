import { isImplied } from '../core/implied.ts';
import type { HandoffDecision } from '../draft/handoff-draft.ts';

/** The decisions of a review in display order. */
export interface DecisionGroups {
  /** Stated: pinned, edited, or extracted with a quote and enough confidence. */
  said: HandoffDecision[];
  /** Implied, never stated explicitly: below the line. */
  implied: HandoffDecision[];
  /** What the plan agent added after the snapshot was frozen. */
  fromPlanning: HandoffDecision[];
}

/** Sorts decisions into the review's groups; within each the order stays. */
export function groupDecisions(decisions: readonly HandoffDecision[]): DecisionGroups {
  const old = decisions.filter(({ fromPlanning }) => fromPlanning !== true);
  return {
    said: old.filter((decision) => !isImplied(decision)),
    implied: old.filter((decision) => isImplied(decision)),
    fromPlanning: decisions.filter(({ fromPlanning }) => fromPlanning === true),
  };
}

/** The index in the store's list of the decision next to this one in its group: -1 above, 1 below; null at the end. */
export function findNeighbourIndex(
  decisions: readonly HandoffDecision[],
  id: string,
  direction: -1 | 1,
): number | null {
  const group = Object.values(groupDecisions(decisions)).find((list: HandoffDecision[]) =>
    list.some((each) => each.id === id),
  );
  const index = group?.findIndex((each: HandoffDecision) => each.id === id) ?? -1;
  const neighbour = group?.[index + direction];
  return neighbour === undefined ? null : decisions.findIndex((each) => each.id === neighbour.id);
}
