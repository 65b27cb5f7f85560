import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import { readPlan } from '../../plan-files/documents/plan-document.ts';
import { describePlan, type PlanAnswer } from '../../plan-files/plan-answers.ts';
import {
  findPlanFolder,
  listPlanNames,
  type PlanPlace,
  requirePlanDocument,
  showPlanFolder,
} from '../../plan-files/plan-place.ts';
import {
  readPlanConfig,
  readPlanOutline,
  readPlanReferences,
  readPlanStatus,
  validateConfig,
  validatePlan,
  validateReferences,
} from '../../plan-files/read-documents.ts';
import type { OperationContext } from '../context.ts';
import {
  configurationFields,
  pageOf,
  placeOf,
  planDirectoryField,
  planErrors,
  shownStatusField,
  statusField,
  taskPageFields,
} from './plan-fields.ts';

const input = z.strictObject({ plan_directory: planDirectoryField });

/** `blocked` comes from a document; no request sets it. */
export const planReadPlan = defineOperation({
  name: 'plan.read-plan',
  summary: 'Returns the state of a plan: its phase and task, all phases, and the tasks of the current one.',
  mutates: false,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({ plan_directory: planDirectoryField, ...taskPageFields }),
  output: async () =>
    z.strictObject({
      plan_status: z.strictObject({ current_phase: z.string(), current_task: z.string(), overall_status: statusField }),
      phases: z.array(
        z.strictObject({ name: z.string(), status: shownStatusField, tasks: z.int(), completed: z.string() }),
      ),
      tasks_current_phase: z.array(z.strictObject({ id: z.string(), name: z.string(), status: shownStatusField })),
      /** Absent where all tasks of the phase are listed. */
      cursor: z.string().optional(),
    }),
  errors: [...planErrors, 'invalid_structure'],
  run: async ({ plan_directory, ...asked }, context: OperationContext) => {
    const status = readPlanStatus(placeOf(context), plan_directory);
    const { page, ...next } = pageOf(status.tasks_current_phase, asked);
    return { ...status, tasks_current_phase: page, ...next };
  },
});

const item = z.strictObject({ text: z.string(), is_done: z.boolean() });

const task = z.strictObject({
  id: z.string(),
  name: z.string(),
  status: shownStatusField,
  /** The text of its status line, where that says more than a status, as "blocked by the audit". */
  written_status: z.string().optional(),
  goal: z.string().optional(),
  checklist: z.array(item),
});

/** A whole plan, in pages of its tasks: what the protocol's own answer leaves out. */
export const planOutline = defineOperation({
  name: 'plan.outline',
  summary: 'Shows a whole plan: every phase with its tasks, their goals, and the progress of their checklists.',
  mutates: false,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({ plan_directory: planDirectoryField, ...taskPageFields }),
  output: async () =>
    z.strictObject({
      name: z.string(),
      plan_directory: z.string(),
      title: z.string(),
      plan_status: z.strictObject({ current_phase: z.string(), current_task: z.string(), overall_status: statusField }),
      phases: z.array(
        z.strictObject({
          name: z.string(),
          status: shownStatusField,
          tasks_total: z.int(),
          tasks_completed: z.int(),
          /** Those of this page. */
          tasks: z.array(task),
        }),
      ),
      /** Absent on the last page. */
      cursor: z.string().optional(),
    }),
  errors: [...planErrors, 'invalid_structure'],
  run: async ({ plan_directory, ...asked }, context: OperationContext) => {
    const outline = readPlanOutline(placeOf(context), plan_directory);
    const all = outline.phases.flatMap(({ tasks }) => tasks);
    const { page, ...next } = pageOf(all, asked);
    const shown = new Set(page);
    const phases = outline.phases.map((phase) => ({ ...phase, tasks: phase.tasks.filter((each) => shown.has(each)) }));
    return { ...outline, phases, ...next };
  },
});

export const planReadConfig = defineOperation({
  name: 'plan.read-config',
  summary: 'Returns the eight settings of a plan.',
  mutates: false,
  doors: { http: { role: 'agent', folder: true } },
  input,
  output: async () =>
    // A document's texts for branch and issue may be longer than those of a request.
    z.strictObject({ configuration: configurationFields.extend({ branch: z.string(), issue: z.string() }) }),
  errors: [...planErrors, 'parse_error', 'invalid_structure'],
  run: async ({ plan_directory }, context: OperationContext) => ({
    configuration: readPlanConfig(placeOf(context), plan_directory),
  }),
});

export const planGetReferences = defineOperation({
  name: 'plan.get-references',
  summary: 'Returns the references of a plan: issue, branch, decisions, interfaces, files, documents, dependencies.',
  mutates: false,
  doors: { http: { role: 'agent', folder: true } },
  input,
  output: async () =>
    z.strictObject({
      references: z.strictObject({
        issue: z.strictObject({ url: z.string(), title: z.string() }).nullable(),
        branch: z.string().nullable(),
        adrs: z.array(z.string()),
        interfaces: z.array(z.string()),
        implementation_files: z.array(z.string()),
        configuration_files: z.array(z.string()).optional(),
        test_files: z.array(z.string()).optional(),
        external_docs: z.array(z.string()),
        dependencies: z.array(z.string()),
      }),
    }),
  errors: planErrors,
  run: async ({ plan_directory }, context: OperationContext) => ({
    references: readPlanReferences(placeOf(context), plan_directory),
  }),
});

export const planList = defineOperation({
  name: 'plan.list',
  summary: 'Lists the plans of the project by name, with title and progress.',
  mutates: false,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({ limit: z.int().min(1).max(limits.list_max).default(100) }),
  output: async () =>
    z.strictObject({
      plans: z.array(
        z.strictObject({
          name: z.string(),
          plan_directory: z.string(),
          title: z.string().optional(),
          plan_status: z
            .strictObject({ current_phase: z.string(), current_task: z.string(), overall_status: statusField })
            .optional(),
          tasks_total: z.int().optional(),
          tasks_completed: z.int().optional(),
          fault: z.string().optional(),
        }),
      ),
      left_out: z.int(),
    }),
  errors: ['invalid_input', 'path_outside_root', 'unavailable'],
  run: async ({ limit }, context: OperationContext) => listPlans(placeOf(context), limit),
});

/** One plan of a project. */
interface ListedPlan {
  name: string;
  plan_directory: string;
  /** The first heading of its document; absent where it has none. */
  title?: string;
  /** Its position; absent where it cannot be read. */
  plan_status?: PlanAnswer['plan_status'];
  tasks_total?: number;
  tasks_completed?: number;
  /** Why it cannot be read. */
  fault?: string;
}

/**
 * The plans of a project by name, at most `limit` of them. A plan that cannot be read is listed with its fault; where no
 * plan was ever made there are none.
 *
 * @throws HandoffError `path_outside_root`, `unavailable`.
 */
function listPlans(place: PlanPlace, limit: number): { plans: ListedPlan[]; left_out: number } {
  const names = listPlanNames(place);
  return {
    plans: names.slice(0, limit).map((name) => describe(place, name)),
    left_out: Math.max(0, names.length - limit),
  };
}

function describe(place: PlanPlace, name: string): ListedPlan {
  const plan = { name, plan_directory: showPlanFolder(place, name) };
  try {
    const text = requirePlanDocument(findPlanFolder(place, name), 'plan.md');
    const { title } = readPlan(text);
    const { plan_status, phases } = describePlan(text);
    const completed = phases.map((phase) => Number(phase.completed.split('/')[0]));
    return {
      ...plan,
      ...(title === undefined ? {} : { title }),
      plan_status,
      tasks_total: sum(phases.map(({ tasks }) => tasks)),
      tasks_completed: sum(completed),
    };
  } catch (error) {
    if (!(error instanceof HandoffError)) throw error;
    const { details } = error.details;
    return { ...plan, fault: typeof details === 'string' ? details : error.message };
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** A check changes nothing, and needs no sound plan: the answer lists the errors. */
function defineValidation(
  of: 'plan' | 'config' | 'references',
  validate: (place: PlanPlace, plan_directory: string) => ReturnType<typeof validatePlan>,
) {
  return defineOperation({
    name: `plan.validate-${of}`,
    summary: `Checks ${of}.md and returns what is wrong, errors and warnings apart.`,
    mutates: false,
    doors: { http: { role: 'agent', folder: true } },
    input,
    output: async () => {
      const findings = z.array(z.strictObject({ code: z.string(), message: z.string() }));
      return z.strictObject({
        outcome: z.enum(['valid', 'invalid']),
        validation_errors: findings,
        validation_warnings: findings,
      });
    },
    errors: planErrors,
    run: async ({ plan_directory }, context: OperationContext) => validate(placeOf(context), plan_directory),
  });
}

/** Checks the plan itself. */
export const planValidatePlan = defineValidation('plan', validatePlan);

/** Checks the settings of a plan. */
export const planValidateConfig = defineValidation('config', validateConfig);

/** Checks the references of a plan. */
export const planValidateReferences = defineValidation('references', validateReferences);
