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
  /** The steps that it goes on from; none where it begins. */
  kept: readonly KeptStep[];
  surroundings: ModelSurroundings;
}

/** What a model made of a handoff: all of it, or as far as it came and why no further. */
export interface ModelPlan {
  outcome: 'completed' | 'step-limit' | 'error';
  /** Why it is not completed; of one that is, that the model did not say so itself. */
  reason?: string;
  /** The model's words about its plan. */
  summary: string;
  /** Absent where it ended without writing one. */
  plan_content?: NewPlan;
  /** Found while planning. */
  decisions: { content: string }[];
}
