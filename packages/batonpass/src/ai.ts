/** The planning agent's side of source 5 for programs that use the AI SDK; it needs the package `ai`. */
export {
  type AddDecisionResult,
  addDecision,
  type CompletePlanningResult,
  completePlanning,
  createHandoffTools,
  getHandoffContext,
  type HandoffContextResult,
  type HandoffTool,
  type HandoffToolStore,
  type HandoffTools,
} from './planning/handoff-tools.ts';
export { createPlanAgent, type PlanAgentSettings } from './planning/plan-agent.ts';
export { buildPlanAgentSystemPrompt } from './planning/plan-prompt.ts';
