import type { ModelSurroundings } from '../../extraction/model/ask-model.ts';
import type { LoadedModel } from '../../extraction/model/load-model.ts';
import type { HeldPlanning } from './held-planning.ts';
import type { KeptStep } from './kept-steps.ts';
import type { NewPlan } from './write-plan-tool.ts';

/** What a model is asked with. */
export interface ModelPlanning {
  held: HeldPlanning;
  loaded: LoadedModel;
  instructions: string;
  steps_max: number;
  /** The steps that it continues from; none where it begins. */
  kept: readonly KeptStep[];
  surroundings: ModelSurroundings;
}

/** The result of a model's planning: all of it, or the part that it reached and why it stopped. */
export interface ModelPlan {
  outcome: 'completed' | 'step-limit' | 'error';
  /** Why it is not completed; for a completed one, that the model did not report so itself. */
  reason?: string;
  /** The model's words about its plan. */
  summary: string;
  /** Absent where it ended without a plan. */
  plan_content?: NewPlan;
  /** Found while planning. */
  decisions: { content: string }[];
}
