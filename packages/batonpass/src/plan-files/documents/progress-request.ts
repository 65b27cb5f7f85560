import type { PlanStatus } from './plan-document.ts';

/** What became of one task. */
export interface TaskUpdate {
  /** `task-6`, or `verify-task-1` where each phase numbers its own. */
  task_id: string;
  /** The task's phase, where its number alone is ambiguous. */
  phase?: string;
  status: PlanStatus;
  /** Places from 0, or whole texts. Default: all items. */
  checklist_items?: readonly (number | string)[];
}

/** The step from a phase that is done to the one after it. */
export interface PhaseStep {
  from_phase: string;
  to_phase: string;
}

/** A request of `update-progress` for a plan. */
export interface ProgressRequest {
  update?: TaskUpdate;
  phase_transition?: PhaseStep;
}
