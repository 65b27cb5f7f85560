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
 * The planning agent: it gets the frozen handoff when it is created, and the three tools; it ends with
 * `completePlanning`, or after its steps. Instructions and tools of the caller replace these.
 *
 * A step in which a call was refused does not end it, even with other calls: the model gets the refusal first.
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
