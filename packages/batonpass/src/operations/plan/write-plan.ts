import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import { writePlan } from '../../plan-files/write-documents.ts';
import type { OperationContext } from '../context.ts';
import { entryField, nameField, placeOf, planDirectoryField, planErrors, statusField } from './plan-fields.ts';

const entries = z
  .array(entryField.or(z.strictObject({ text: entryField, done: z.boolean().optional() })))
  .max(limits.entries_max);

const taskField = z.strictObject({
  id: nameField.optional(),
  name: nameField.optional(),
  phase: nameField.optional(),
  goal: entryField.optional(),
  acceptance_criteria: entries.optional(),
  checklist: entries.optional(),
});

/** The given fields of a plan. */
export const planContentField = z.strictObject({
  title: z.string().trim().min(1).max(limits.title_characters_max).optional(),
  status: statusField.optional(),
  current_phase: nameField.optional(),
  current_task: nameField.optional(),
  phases: z
    .array(nameField.regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, 'must be one line of characters that are seen'))
    .max(limits.plan_phases_max)
    .optional(),
  tasks: z.array(taskField).max(limits.entries_max).optional(),
});

export const planWritePlan = defineOperation({
  name: 'plan.write-plan',
  summary: 'Writes plan.md, or changes what is given of it: title, phases, tasks, where to continue.',
  mutates: true,
  keepsAnswer: () => true,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({
    plan_directory: planDirectoryField,
    plan_content: planContentField.describe(
      'title, phases, tasks {id, name, phase, goal, acceptance_criteria, checklist}, current_phase, …',
    ),
  }),
  output: async () =>
    z.strictObject({
      outcome: z.enum(['created', 'updated']),
      artifacts: z.strictObject({ plan_file: z.string() }),
    }),
  errors: [...planErrors, 'invalid_structure', 'validation_failed', 'phase_transition_violation', 'lease_lost'],
  run: async ({ plan_directory, plan_content }, context: OperationContext) => {
    const request = { plan_directory, plan_content, signal: context.signal };
    const { outcome, file } = await writePlan(placeOf(context), request);
    return { outcome, artifacts: { plan_file: file } };
  },
});
