import type { StepResult, ToolSet } from 'ai';
import { limits } from '../../core/limits.ts';
import { contentToSnapshot } from '../../draft/snapshot.ts';
import { createHandoffTools } from '../../planning/handoff-tools.ts';
import type { OperationContext } from '../context.ts';
import type { HeldPlanning } from './held-planning.ts';
import { callsOf, type KeptStep } from './kept-steps.ts';
import { keptText, keptValue } from './kept-values.ts';
import { planTextsOf } from './write-plan-of.ts';
import { createWritePlanTool, type NewPlan, newPlanSchema } from './write-plan-tool.ts';

/** Room of a report's data besides what it carries. */
const FRAME_BYTES = 1_024;

/** The results of a model's tools while it plans: the draft and the disk get none of it until it is complete. */
export class PlanningNotes {
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
