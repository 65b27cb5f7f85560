import type { ModelMessage, StepResult, ToolSet } from 'ai';
import type { LoadedModel } from '../../extraction/model/load-model.ts';
import { describeModel, ModelFailure, refused, toModelFailure, tooLong } from '../../extraction/model/model-failure.ts';
import { createSteadyModel } from '../../extraction/model/steady-model.ts';
import { neutralizeLine } from '../../formats/neutralize.ts';
import type { createPlanAgent } from '../../planning/plan-agent.ts';
import type { OperationContext } from '../context.ts';
import type { KeptStep } from './kept-steps.ts';
import { keptText } from './kept-values.ts';
import type { ModelPlan, ModelPlanning } from './model-planning.ts';
import { PlanningNotes } from './planning-notes.ts';
import { reportStep } from './report-step.ts';

const assignment = [
  'Plan this work now. Your instructions hold all that was decided: build on it, and ask for none of it again; nobody is there to answer.',
  'Give the plan with writePlan, one task for each piece of work that can be finished and checked by itself.',
  'Record with addDecision what you decide beyond the handoff. When the plan is written, call completePlanning with a summary of it.',
].join('\n');

/**
 * Runs the planning agent over a held handoff, and stores each of its steps as a report. It ends with `completePlanning`,
 * after its steps, when the model cannot continue, or when the handoff's or the caller's signal aborts. A plan that was
 * written counts where the model ended by itself or used up its steps, and the result states so.
 *
 * @throws Error only for what is a defect.
 */
export async function planWithModel(planning: ModelPlanning, context: OperationContext): Promise<ModelPlan> {
  const { held, loaded, kept } = planning;
  const total = AbortSignal.timeout(loaded.chosen.settings.total_timeout_ms);
  const broken = new AbortController();
  const signal = AbortSignal.any([context.signal, held.signal, total, broken.signal]);
  const notes = new PlanningNotes(held, context);
  notes.restore(kept);
  // Its last step was stored, and its end was not: nothing is left to be asked.
  if (notes.isComplete) return { ...notes.made, outcome: 'completed' };
  const steps: StepResult<ToolSet>[] = [];
  const onStepEnd = async (step: StepResult<ToolSet>) => {
    steps.push(step);
    notes.read(step);
    await reportStep(step, { ...planning, number: kept.length + steps.length }, context);
  };
  try {
    const agent = await createAgent(planning, notes, { onStepEnd, onError: ({ error }) => broken.abort(error) });
    const { stream } = await agent.stream({ messages: messagesOf(kept), abortSignal: signal });
    const onError = (error: unknown) => explain(error, loaded);
    for await (const chunk of loaded.library.toUIMessageStream({ stream, onError })) context.onChunk?.(chunk);
  } catch (error) {
    broken.abort(error);
  }
  const { isComplete, made } = notes;
  const isWritten = made.plan_content !== undefined;
  return { ...made, ...endOf({ steps, total, broken: broken.signal, isComplete, isWritten }, planning) };
}

/** The messages for the model: its assignment, and what it said and got since. */
function messagesOf(kept: readonly KeptStep[]): ModelMessage[] {
  const said = kept.flatMap(({ messages }) => messages);
  const isAnswered = said.at(-1)?.role !== 'assistant';
  return [
    { role: 'user', content: assignment },
    ...said,
    ...(isAnswered ? [] : [{ role: 'user' as const, content: 'Go on from there.' }]),
  ];
}

type Agent = ReturnType<typeof createPlanAgent>;
type AgentCallbacks = Pick<Parameters<typeof createPlanAgent>[0], 'onStepEnd' | 'onError'>;

async function createAgent(planning: ModelPlanning, notes: PlanningNotes, callbacks: AgentCallbacks): Promise<Agent> {
  const { loaded, surroundings, instructions, steps_max, kept } = planning;
  // Loaded here, because it needs the library, which is optional.
  const { createPlanAgent } = await import('../../planning/plan-agent.ts');
  return createPlanAgent({
    model: createSteadyModel(loaded, surroundings),
    instructions,
    tools: notes.tools,
    stepsMax: Math.max(1, steps_max - kept.length),
    maxOutputTokens: loaded.chosen.settings.output_tokens_max,
    // The model itself counts attempts and waits for them.
    maxRetries: 0,
    ...callbacks,
  });
}

interface Ended {
  steps: readonly StepResult<ToolSet>[];
  total: AbortSignal;
  broken: AbortSignal;
  isComplete: boolean;
  /** Whether there is a valid plan. */
  isWritten: boolean;
}

function endOf(
  ended: Ended,
  { loaded, steps_max, kept }: ModelPlanning,
): Partial<ModelPlan> & Pick<ModelPlan, 'outcome'> {
  const { steps, total, broken, isComplete, isWritten } = ended;
  const who = describeModel(loaded.chosen);
  const fault = (reason: string) => ({ outcome: 'error' as const, reason });
  if (isComplete && !broken.aborted) return { outcome: 'completed' };
  if (total.aborted) return fault(`${who} was not done within ${loaded.chosen.settings.total_timeout_ms / 1_000} s.`);
  if (broken.aborted) return fault(explain(broken.reason, loaded));
  const last = steps.at(-1);
  if (last?.finishReason === 'length') return fault(tooLong(who).message);
  if (last?.finishReason === 'content-filter') return fault(refused(loaded.chosen).message);
  const isAtLimit = kept.length + steps.length >= steps_max && last?.finishReason === 'tool-calls';
  const words = keptText(last?.text ?? '', WORDS_BYTES_MAX);
  if (isWritten) return completedByItself(isAtLimit ? `${who} had its ${steps_max} steps` : `${who} ended`, words);
  if (isAtLimit) {
    return { outcome: 'step-limit', reason: `${who} did not complete the plan within ${steps_max} steps.` };
  }
  const said = neutralizeLine(words);
  return fault(said === '' ? `${who} said nothing.` : `${who} ended without completing the plan: ${said}`);
}

/** A written plan is not lost because the model forgot a call; the next handoff reports it. */
function completedByItself(how: string, words: string): Partial<ModelPlan> & Pick<ModelPlan, 'outcome'> {
  const reason = `${how} without calling completePlanning. The plan that it wrote last stands.`;
  return { outcome: 'completed', reason, summary: `${words}\n\n${reason}`.trim() };
}

/** Enough of a model's last words to see what it wanted. */
const WORDS_BYTES_MAX = 500;

/** An error in words, without a key. */
function explain(error: unknown, loaded: LoadedModel): string {
  return (error instanceof ModelFailure ? error : toModelFailure(error, loaded)).message;
}
