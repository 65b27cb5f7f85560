import type { PlanStatus } from './plan-document.ts';

/** The phases of each type of plan. */
export const phaseSets = {
  implementation: ['init', 'refine', 'implement', 'verify', 'finalize'],
  simple: ['init', 'execute', 'finalize'],
  'plugin-development': ['init', 'refine', 'execute', 'finalize'],
} as const satisfies Record<string, readonly string[]>;

/** An entry of a list as a writer gives it: a text, `- [x] text` for one that is done, or both apart. */
export type GivenEntry = string | { text: string; done?: boolean };

/** The text of a given entry, and whether it is done where that is given. */
export function readEntry(given: GivenEntry): { text: string; done?: boolean } {
  if (typeof given !== 'string') return given;
  const box = /^(?:[-*+]\s{1,9})?\[([ xX])\]\s+(?=\S)/.exec(given);
  return box === null ? { text: given } : { text: given.slice(box[0].length), done: box[1] !== ' ' };
}

/** A task as a writer gives it; of one that is there already, only what changes. */
export interface PlanContentTask {
  /** `task-6`. Default: the next number of the plan. */
  id?: string;
  name?: string;
  phase?: string;
  goal?: string;
  acceptance_criteria?: readonly GivenEntry[];
  /** Those that are there already keep their tick. */
  checklist?: readonly GivenEntry[];
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
