import {
  hasToolCall,
  isStepCount,
  type StopCondition,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  type ToolSet,
} from 'ai';
import { limits } from '../core/limits.ts';
import { addDecision, completePlanning, getHandoffContext } from './handoff-tools.ts';
import { buildPlanAgentSystemPrompt } from './plan-prompt.ts';

/** What a planning agent is made with: the library's settings, where only the model has no default. */
export interface PlanAgentSettings extends Omit<ToolLoopAgentSettings<never, ToolSet>, 'stopWhen'> {
  /** Steps after which it ends in any case. Default: `limits.plan_steps_max`. */
  stepsMax?: number;
}

/**
 * The planning agent: told the frozen handoff when it is made, with the three tools; it ends with
 * `completePlanning`, or after its steps. Instructions and tools of one's own stand in place of these.
 *
 * A step in which a call was refused does not end it, whatever else was called: the model is told of it first.
 */
export function createPlanAgent({
  stepsMax = limits.plan_steps_max,
  ...settings
}: PlanAgentSettings): ToolLoopAgent<never, ToolSet> {
  return new ToolLoopAgent<never, ToolSet>({
    tools: { getHandoffContext, addDecision, completePlanning },
    ...settings,
    instructions: settings.instructions ?? buildPlanAgentSystemPrompt(),
    stopWhen: [isStepCount(stepsMax), completes],
  });
}

const calls = hasToolCall('completePlanning');

const completes: StopCondition<ToolSet> = async ({ steps }) => {
  const isRefused = steps.at(-1)?.content.some(({ type }) => type === 'tool-error') === true;
  return !isRefused && (await calls({ steps }));
};
