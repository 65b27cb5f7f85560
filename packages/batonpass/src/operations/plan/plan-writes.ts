import { z } from 'zod';
import { hashJson } from '../../core/canonical-json.ts';
import { type ContentInput, contentInputSchema } from '../../core/content.ts';
import { HandoffError } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import { findPhase, isDone } from '../../plan-files/documents/plan-phases.ts';
import { readUsablePlan } from '../../plan-files/documents/plan-progress.ts';
import { referenceTypes } from '../../plan-files/documents/reference-groups.ts';
import { readReferences } from '../../plan-files/documents/references-document.ts';
import { findPlanFolder, type PlanPlace, readPlanDocument, requirePlanDocument } from '../../plan-files/plan-place.ts';
import { updateProgress, writeConfig, writePlan, writeReferences } from '../../plan-files/write-documents.ts';
import type { OperationContext } from '../context.ts';
import { handoffCreate } from '../handoff-create.ts';
import {
  configurationFields,
  entryField,
  nameField,
  namesField,
  placeOf,
  planDirectoryField,
  planErrors,
  statusField,
} from './plan-fields.ts';

export const planWriteConfig = defineOperation({
  name: 'plan.write-config',
  summary: 'Writes config.md of a plan, or changes the given settings of it.',
  mutates: true,
  keepsAnswer: () => true,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({
    plan_directory: planDirectoryField,
    configuration: configurationFields.partial().describe('plan_type and branch; the others have defaults'),
  }),
  output: async () =>
    z.strictObject({
      outcome: z.enum(['created', 'updated']),
      artifacts: z.strictObject({ config_file: z.string() }),
    }),
  errors: [...planErrors, 'invalid_structure', 'validation_failed', 'lease_lost'],
  run: async ({ plan_directory, configuration }, context: OperationContext) => {
    const request = { plan_directory, configuration, signal: context.signal };
    const { outcome, file } = await writeConfig(placeOf(context), request);
    return { outcome, artifacts: { config_file: file } };
  },
});

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
  summary: 'Writes plan.md, or changes what is given: title, phases, tasks, where to continue.',
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

export const planWriteReferences = defineOperation({
  name: 'plan.write-references',
  summary: 'Adds, updates or removes a reference of a plan.',
  mutates: true,
  keepsAnswer: () => true,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({
    plan_directory: planDirectoryField,
    action: z.enum(['add', 'update', 'remove']),
    reference_type: z.enum(referenceTypes),
    reference_data: z
      .strictObject({
        type: nameField.optional(),
        identifier: nameField.optional(),
        title: entryField.optional(),
        path: nameField.optional(),
      })
      .describe('identifier as ADR-015 or src/a.ts, title, path; type as test, library, maven, prerequisite'),
  }),
  output: async () =>
    z.strictObject({
      outcome: z.literal('updated'),
      changes: z.array(z.string()),
      references_summary: z.strictObject({
        adrs_count: z.int(),
        interfaces_count: z.int(),
        files_count: z.int(),
        external_docs_count: z.int(),
      }),
    }),
  errors: [...planErrors, 'reference_not_found', 'invalid_structure', 'validation_failed', 'lease_lost'],
  run: async ({ plan_directory, action, reference_type, reference_data }, context: OperationContext) => {
    const { type: kind, identifier = reference_data.path, title, path } = reference_data;
    if (identifier === undefined) throw unnamed();
    const change = { action, type: reference_type, kind, identifier, title, path };
    return writeReferences(placeOf(context), { plan_directory, change, signal: context.signal });
  },
});

function unnamed(): HandoffError {
  return new HandoffError('validation_failed', 'Reference does not fit', {
    details: { details: 'reference_data names no reference' },
    alternatives: ['Give reference_data.identifier, as ADR-015 or src/login.ts'],
  });
}

export const planUpdateProgress = defineOperation({
  name: 'plan.update-progress',
  summary:
    'Sets the status of a task of a plan, and completes a phase with its last task; repeating it changes nothing.',
  mutates: true,
  keepsAnswer: () => true,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({
    plan_directory: planDirectoryField,
    update: z
      .strictObject({
        task_id: nameField,
        phase: nameField.optional(),
        status: statusField,
        checklist_items: z.array(z.int().min(0).or(entryField)).max(limits.entries_max).optional(),
      })
      .optional()
      .describe('task_id, status; checklist_items by index from 0 or whole text, default all'),
    phase_transition: z
      .strictObject({
        from_phase: nameField,
        to_phase: nameField,
        status: z.literal('completed').optional(),
      })
      .optional()
      .describe('Only without a task: the last task of a phase moves on automatically'),
    files_created: namesField.optional(),
    open_handoff: z.boolean().optional().describe('Open a handoff with the results of a phase that is completed'),
  }),
  output: async () =>
    z.strictObject({
      outcome: z.enum(['updated', 'completed']),
      plan_status: z.strictObject({
        current_phase: z.string(),
        current_task: z.string(),
        phase_complete: z.boolean(),
      }),
      phase_status: z.strictObject({
        phase: z.string(),
        tasks_total: z.int(),
        tasks_completed: z.int(),
        completion_percentage: z.int(),
      }),
      phase_ready_for_transition: z.boolean().optional(),
      next_phase: z.string().optional(),
      next_action: z.string().optional(),
      next_focus: z.string().optional(),
      artifacts: z.strictObject({ handoff: z.string() }).optional(),
    }),
  errors: [
    ...planErrors,
    'invalid_structure',
    'validation_failed',
    'phase_transition_violation',
    'lease_lost',
    'conflict',
  ],
  run: async ({ plan_directory, update, phase_transition, files_created, open_handoff }, context: OperationContext) => {
    if (update === undefined && phase_transition === undefined) throw nothingToDo();
    const request = { plan_directory, update, phase_transition, files_created, signal: context.signal };
    const report = await updateProgress(placeOf(context), request);
    if (open_handoff !== true || report.outcome !== 'completed') return report;
    return { ...report, artifacts: { handoff: await openHandoff(plan_directory, report.phase_status.phase, context) } };
  },
});

/** After the plan: the same request completes what a crash leaves between the two, and opens no second handoff. */
async function openHandoff(plan_directory: string, phase: string, context: OperationContext): Promise<string> {
  const results = phaseResults(placeOf(context), plan_directory, phase);
  const content = parseInput(contentInputSchema, results, 'handoff content');
  const request = { plan: content.task_id, phase };
  const call = { ...context, idempotency_key: hashJson(request), request };
  return (await handoffCreate.run({ content }, call)).id;
}

function nothingToDo(): HandoffError {
  return new HandoffError('validation_failed', 'Request says no progress', {
    details: { details: 'Neither update nor phase_transition is given' },
    alternatives: ['Give update with task_id and status'],
  });
}

/** The content of a handoff for a phase that is complete: its tasks as results, the next phase's as steps, the plan's files. */
function phaseResults(place: PlanPlace, plan_directory: string, phase_name: string): ContentInput {
  const folder = findPlanFolder(place, plan_directory);
  const { plan, phases } = readUsablePlan(requirePlanDocument(folder, 'plan.md'));
  const phase = findPhase(phases, phase_name);
  const next = phase === undefined ? undefined : phases[phases.indexOf(phase) + 1];
  const { references } = readReferences(readPlanDocument(folder, 'references.md') ?? '');
  const title = plan.title ?? folder.name;
  const goOn = next === undefined ? 'The plan is completed.' : `Phase ${next.name} comes next.`;
  return {
    kind: 'result',
    title: `${title}: phase ${phase_name} completed`.slice(0, limits.title_characters_max),
    summary: `Phase ${phase_name} of the plan ${folder.shown} is completed. ${goOn}`,
    task_id: folder.name,
    phase: phase_name,
    results: (phase?.tasks ?? [])
      .slice(0, limits.entries_max)
      .map(({ name, number }) => ({ description: fit(name, `Task ${number}`), status: 'completed' as const })),
    next_steps: (next?.tasks ?? [])
      .filter((task) => !isDone(task))
      .slice(0, limits.entries_max)
      .map(({ name, number }) => fit(name, `Task ${number}`)),
    files: references
      .filter(({ group }) => group === 'implementation' || group === 'test')
      .filter(({ identifier }) => identifier.trim() !== '' && identifier.length <= limits.name_characters_max)
      .slice(0, limits.entries_max)
      .map(({ identifier }) => ({ path: identifier })),
  };
}

/** A name from a document as an entry of a content, which is neither empty nor endless. */
function fit(name: string, otherwise: string): string {
  return name.trim().slice(0, limits.entry_characters_max) || otherwise;
}
