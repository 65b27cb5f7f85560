import type { ModelMessage, StepResult, ToolSet } from 'ai';
import { limits } from '../../core/limits.ts';
import type { ModelSettings } from '../../core/model-settings.ts';
import { contentToSnapshot } from '../../draft/snapshot.ts';
import type { LoadedModel } from '../../extraction/model/load-model.ts';
import { describeModel, ModelFailure, refused, toModelFailure, tooLong } from '../../extraction/model/model-failure.ts';
import { createSteadyModel } from '../../extraction/model/steady-model.ts';
import { neutralizeLine } from '../../formats/neutralize.ts';
import { createHandoffTools } from '../../planning/handoff-tools.ts';
import type { createPlanAgent } from '../../planning/plan-agent.ts';
import type { OperationContext } from '../context.ts';
import type { HeldPlanning } from './held-planning.ts';
import { callsOf, type KeptStep, toPieces } from './kept-steps.ts';
import { bytesOf, keptText, keptValue } from './kept-values.ts';
import type { ModelPlan, ModelPlanning } from './model-planning.ts';
import type { PlanningStep } from './report-data.ts';
import { planTextsOf } from './write-plan-of.ts';
import { createWritePlanTool, type NewPlan, newPlanSchema } from './write-plan-tool.ts';

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
  const reason = `${how} without calling completePlanning. The plan that it wrote last is kept.`;
  return { outcome: 'completed', reason, summary: `${words}\n\n${reason}`.trim() };
}

/** Enough of a model's last words to see what it wanted. */
const WORDS_BYTES_MAX = 500;

/** An error in words, without a key. */
function explain(error: unknown, loaded: LoadedModel): string {
  return (error instanceof ModelFailure ? error : toModelFailure(error, loaded)).message;
}

const PART_BYTES_MAX = limits.plan_report_part_bytes_max;

/** Stores a step of the planning agent in the history: its tools' inputs and results, its words, its cost. */
async function reportStep(
  step: StepResult<ToolSet>,
  { held, loaded, steps_max, number }: ModelPlanning & { number: number },
  context: OperationContext,
): Promise<void> {
  const kept = toPlanningStep(step, number, loaded.chosen.settings);
  const named = kept.tools.map(({ name }) => name).join(', ');
  let pieces: string[];
  try {
    pieces = toPieces(step.response.messages);
  } catch (error) {
    // Nothing may be built upon a step that is not stored.
    return held.stop(error);
  }
  const now = `step ${number} of ${steps_max}${named === '' ? '' : `: ${named}`}`;
  const last = pieces.at(-1) ?? '';
  const whole = { type: 'step' as const, ...kept, kept: last };
  const fits = bytesOf(whole) <= limits.report_data_bytes_max;
  for (const piece of fits ? pieces.slice(0, -1) : pieces) {
    void held.report(`A part of step ${number}`, { type: 'step-piece', number, kept: piece });
  }
  await held.report(`S${now.slice(1)}`, fits ? whole : { ...whole, kept: '' });
  const spent = (kept.tokens.input + kept.tokens.output).toLocaleString('en-US');
  context.onProgress?.({ what: 'steps planned', done: number, total: steps_max, now: `${now} · ${spent} tokens` });
}

function toPlanningStep(step: StepResult<ToolSet>, number: number, { price }: ModelSettings): PlanningStep {
  const calls = step.toolCalls.slice(0, limits.plan_report_tools_max);
  const left_out = step.toolCalls.length - calls.length;
  const { inputTokens: input = 0, outputTokens: output = 0 } = step.usage;
  const amount = price && (input * price.input + output * price.output) / 1_000_000;
  return {
    number,
    tools: calls.map(({ toolCallId, toolName, input: given }) => ({
      name: keptText(toolName, PART_BYTES_MAX),
      input: keptValue(given, PART_BYTES_MAX),
      output: keptValue(outputOf(step, toolCallId), PART_BYTES_MAX),
    })),
    ...(left_out > 0 && { tools_left_out: left_out }),
    text: keptText(step.text, PART_BYTES_MAX),
    tokens: { input, output },
    ...(price !== undefined && amount !== undefined && { cost: { amount, currency: price.currency } }),
    duration_ms: Math.round(step.performance.stepTimeMs),
  };
}

function outputOf({ content }: StepResult<ToolSet>, id: string): unknown {
  for (const entry of content) {
    if (entry.type === 'tool-result' && entry.toolCallId === id) return entry.output;
    if (entry.type === 'tool-error' && entry.toolCallId === id) {
      return { error: entry.error instanceof Error ? entry.error.message : String(entry.error) };
    }
  }
  return null;
}

/** Room of a report's data besides what it carries. */
const FRAME_BYTES = 1_024;

/** The results of a model's tools while it plans: the draft and the disk get none of it until it is complete. */
class PlanningNotes {
  /** The three tools of source 5 over the frozen content, and the tool that accepts the plan. */
  readonly tools: ToolSet;
  readonly #held: HeldPlanning;
  readonly #decisions: { content: string }[] = [];
  #plan: NewPlan | undefined;
  /** Whether the last plan was wrong. */
  #isRefused = false;
  #summary: string | undefined;

  constructor(held: HeldPlanning, context: OperationContext) {
    this.#held = held;
    const frozen = contentToSnapshot(held.handoff.content);
    const store = { getFrozen: () => frozen, addDecision: (content: string) => this.#addDecision(content) };
    const check = (plan: NewPlan) => {
      this.#isRefused = true;
      planTextsOf(held.handoff, { plan_content: plan, decisions: [], summary: '', planner: 'model' }, context);
    };
    const { completePlanning, ...others } = createHandoffTools(store);
    this.tools = {
      ...others,
      completePlanning: {
        ...completePlanning,
        execute: (given) => this.#complete(() => completePlanning.execute(given)),
      },
      writePlan: createWritePlanTool(check, (plan) => this.#keepPlan(plan)),
    };
  }

  /**
   * Continues from stored steps: the inputs that their tools accepted are accepted as they are, and reported for this
   * attempt too. No tool is called.
   */
  restore(steps: readonly KeptStep[]): void {
    for (const { name, input, output, isError } of steps.flatMap(callsOf)) {
      if (isError) continue;
      const { content } = (input ?? {}) as { content?: unknown };
      if (name === 'addDecision' && typeof content === 'string') this.#addDecision(content);
      if (name === 'writePlan') this.#restorePlan(input, output);
      if (name === 'completePlanning') this.#noteSummary(output);
    }
  }

  /** Whether the model has called `completePlanning`. */
  get isComplete(): boolean {
    return this.#summary !== undefined;
  }

  get made(): { summary: string; decisions: { content: string }[]; plan_content?: NewPlan } {
    const plan = this.#plan;
    return { summary: this.#summary ?? '', decisions: this.#decisions, ...(plan && { plan_content: plan }) };
  }

  /** Reads from a step what its tools do not store themselves. */
  read({ toolResults }: StepResult<ToolSet>): void {
    const completed = toolResults.find(({ toolName }) => toolName === 'completePlanning');
    if (completed !== undefined) this.#noteSummary(completed.output);
  }

  #noteSummary(output: unknown): void {
    this.#summary = String((output as { summary: string }).summary);
  }

  /** A plan that was refused is still to be corrected. */
  #restorePlan(input: unknown, output: unknown): void {
    const plan = newPlanSchema.safeParse(input).data;
    const isWritten = (output as { written?: unknown } | null)?.written === true;
    if (plan !== undefined && isWritten) this.#keepPlan(plan);
    else this.#isRefused = true;
  }

  /** @throws Error that the model gets, where there are too many. */
  #addDecision(given: string): void {
    const content = keptText(given, limits.report_data_bytes_max - FRAME_BYTES).trim();
    if (content === '' || this.#decisions.some((known) => known.content === content)) return;
    if (this.#decisions.length >= limits.plan_decisions_max) {
      throw new Error(`${limits.plan_decisions_max} decisions are the most; put the rest into the plan.`);
    }
    this.#decisions.push({ content });
    void this.#held.report(`Decided while planning: ${content}`, { type: 'decision', content });
  }

  /** @throws Error that the model gets, where the plan that it believes written was refused. */
  #complete<T>(complete: () => T): T {
    if (this.#isRefused) throw new Error('The plan was refused: put it right with writePlan first, then complete.');
    return complete();
  }

  #keepPlan(plan: NewPlan): void {
    this.#isRefused = false;
    this.#plan = plan;
    const plan_content = keptValue(plan, limits.report_data_bytes_max - FRAME_BYTES);
    void this.#held.report(`Plan written: ${plan.title}`, { type: 'plan', plan_content });
  }
}
