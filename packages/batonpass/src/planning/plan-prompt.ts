import { draftStore } from '../draft/draft-store.ts';
import type { HandoffSnapshot } from '../draft/handoff-draft.ts';
import { composePlanPrompt } from './render-plan-prompt.ts';

export { renderPlanPrompt } from './render-plan-prompt.ts';

/**
 * The instructions of the planning agent, whole: the frozen snapshot under fixed headings, in fixed line forms, with a
 * closing sentence; every text neutralized. The same bytes as `renderPlanPrompt` of the snapshot's
 * content, which are those that a reviewer approves.
 *
 * @param snapshot - default: the one frozen in `draftStore`. Without any: "No handoff context available."
 */
export function buildPlanAgentSystemPrompt(
  snapshot: HandoffSnapshot | null = draftStore.getState().frozenPayload,
): string {
  return snapshot === null ? 'No handoff context available.' : composePlanPrompt(snapshot);
}
