import type { PlanStatus } from './plan-document.ts';

/** The phases of each type of plan. */
export const phaseSets = {
  implementation: ['init', 'refine', 'implement', 'verify', 'finalize'],
  simple: ['init', 'execute', 'finalize'],
  'plugin-development': ['init', 'refine', 'execute', 'finalize'],
} as const satisfies Record<string, readonly string[]>;

/** A task as a writer gives it; of one that is there already, only what changes. */
export interface PlanContentTask {
  /** `task-6`. Default: the next number of the plan. */
  id?: string;
  name?: string;
  phase?: string;
  goal?: string;
  acceptance_criteria?: readonly string[];
  /** Texts; of those that are there already the tick stays. */
  checklist?: readonly string[];
}

/** What a writer gives of a plan; of one that is there already, only what changes. */
export interface PlanContent {
  title?: string;
  status?: PlanStatus;
  current_phase?: string;
  current_task?: string;
  phases?: readonly string[];
  tasks?: readonly PlanContentTask[];
}
