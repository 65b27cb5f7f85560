import { z } from 'zod';
import type { HandoffErrorCode } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { configChoices } from '../../plan-files/documents/config-document.ts';
import { planStatuses } from '../../plan-files/documents/plan-document.ts';
import type { PlanPlace } from '../../plan-files/plan-place.ts';
import type { OperationContext } from '../context.ts';

/** The fields that several operations of plans take or answer, and what they have in common. */

/** A name or a path. */
export const nameField = z.string().trim().min(1).max(limits.name_characters_max);

/** A sentence or a paragraph. */
export const entryField = z.string().trim().min(1).max(limits.entry_characters_max);

/** Some names. */
export const namesField = z.array(nameField).max(limits.entries_max);

/** A status of a phase or task. */
export const statusField = z.enum(planStatuses);

/** A status as the documents have it. */
export const shownStatusField = statusField.or(z.literal('blocked'));

/** The plan that a request is about. */
export const planDirectoryField = z
  .string()
  .min(1)
  .max(limits.name_characters_max)
  .describe('.claude/plans/NAME/, or only the name');

/** The errors of every operation of a plan. */
export const planErrors = [
  'file_not_found',
  'invalid_input',
  'invalid_format',
  'path_outside_root',
  'too_large',
  'unavailable',
] as const satisfies readonly HandoffErrorCode[];

/** Which of the tasks are answered: a plan has thousands where many agents work on it. */
export const taskPageFields = {
  limit: z.int().min(1).max(limits.plan_tasks_page_max).default(limits.plan_tasks_page_default),
  cursor: z
    .string()
    .regex(/^\d{1,9}$/, 'must be the cursor of the previous page')
    .optional(),
};

/** The tasks of one page, and the cursor of the next. A plan that is edited between two pages may move a task. */
export function pageOf<T>(
  all: readonly T[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): { page: T[]; cursor?: string } {
  const first = Number(cursor ?? 0);
  const next = first + limit;
  return { page: all.slice(first, next), ...(next < all.length ? { cursor: String(next) } : {}) };
}

/** Where the plans of an operation's project are stored. */
export function placeOf({ workspace, configuration }: OperationContext): PlanPlace {
  return { root: workspace.root, plans: configuration.plans };
}

/** The eight settings of a plan. */
export const configurationFields = z.strictObject({
  plan_type: z.enum(configChoices.plan_type),
  technology: z.enum(configChoices.technology),
  build_system: z.enum(configChoices.build_system),
  compatibility: z.enum(configChoices.compatibility),
  commit_strategy: z.enum(configChoices.commit_strategy),
  finalizing: z.enum(configChoices.finalizing),
  branch: nameField,
  issue: nameField,
});
