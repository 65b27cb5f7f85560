import { join, resolve } from 'node:path';
import { limits } from '../../../../core/limits.ts';
import type { OperationOutput } from '../../../../operations/catalogue.ts';
import { defineCommand, type Given } from '../../command.ts';
import { numberWithin } from '../../duration.ts';
import { presentOutline, presentPlan, presentPlans, presentRecord } from '../../present/plan.ts';
import { type View, wrapped } from '../../present/view.ts';
import { answeringMessage } from './answer.ts';

/** The plan that a command is about; without it, a message on standard input names it. */
export const planArgument = { flags: '[plan]', description: 'its name; without it, a message on standard input' };
const neededPlan = { flags: '<plan>', description: 'its name, or its folder' };

/** The plan that was named. */
export function planOf({ arguments: [plan = ''] }: Given): { plan_directory: string } {
  return { plan_directory: plan };
}

/** What a command does where no plan is named. */
export function messageInstead(operation: Parameters<typeof answeringMessage>[0]) {
  return ({ arguments: [plan] }: Given) => (plan === undefined ? answeringMessage(operation) : undefined);
}

export const planList = defineCommand({
  name: 'plan list',
  summary: 'The plans of this project, with their progress',
  options: [
    {
      flags: '--limit <number>',
      description: 'at most this many (100)',
      parse: numberWithin({ option: '--limit', max: limits.list_max }),
    },
  ],
  examples: [{ line: 'baton plan list', what: '' }],
  operation: 'plan.list',
  toInput: ({ options }) => ({ limit: options.limit as number | undefined }),
  present: presentPlans,
  remark: ({ plans }) =>
    plans.length === 0 ? 'There is no plan yet. Create one: baton plan create-directory NAME' : '',
});

const reading = {
  operation: 'plan.read-plan',
  toInput: planOf,
  present: presentPlan,
} as const;

export const planShow = defineCommand({
  name: 'plan show',
  arguments: [neededPlan],
  summary: 'The progress of a plan: a bar for each phase, and the tasks of the current one',
  examples: [{ line: 'baton plan show my-feature', what: '' }],
  ...reading,
});

export const planOutline = defineCommand({
  name: 'plan outline',
  arguments: [neededPlan],
  summary: 'All phases of a plan with all their tasks and checklists',
  examples: [{ line: 'baton plan outline my-feature', what: '' }],
  operation: 'plan.outline',
  options: [
    {
      flags: '--limit <number>',
      description: `at most this many tasks (${limits.plan_tasks_page_default})`,
      parse: numberWithin({ option: '--limit', max: limits.plan_tasks_page_max }),
    },
    { flags: '--cursor <cursor>', description: 'the next page, by the cursor of the previous one' },
  ],
  toInput: (given) => ({
    ...planOf(given),
    limit: given.options.limit as number | undefined,
    cursor: given.options.cursor as string | undefined,
  }),
  present: presentOutline,
  remark: ({ name, cursor }) =>
    cursor === undefined ? '' : `More tasks: baton plan outline ${name} --cursor ${cursor}`,
});

export const planWatch = defineCommand({
  name: 'plan watch',
  arguments: [neededPlan],
  summary: 'Like show, again whenever the plan changes; Ctrl-C ends it',
  examples: [{ line: 'baton plan watch my-feature', what: '' }],
  ...reading,
  follows: ({ arguments: [plan = ''] }, { workspace, configuration }) =>
    resolve(workspace.root, plan.includes('/') ? plan : join(configuration.plans, plan)),
});

export const planReadPlan = defineCommand({
  name: 'plan read-plan',
  arguments: [planArgument],
  summary: 'The state of a plan',
  examples: [
    { line: 'baton plan read-plan my-feature', what: '' },
    { line: 'baton plan read-plan < request.toon', what: 'answers with a message' },
  ],
  ...reading,
  instead: messageInstead('read-plan'),
});

export const planReadConfig = defineCommand({
  name: 'plan read-config',
  arguments: [planArgument],
  summary: 'The settings of a plan',
  examples: [{ line: 'baton plan read-config my-feature', what: '' }],
  operation: 'plan.read-config',
  instead: messageInstead('read-config'),
  toInput: planOf,
  present: ({ configuration }, view) => presentRecord(configuration, view),
});

export const planGetReferences = defineCommand({
  name: 'plan get-references',
  arguments: [planArgument],
  summary: 'The references of a plan',
  examples: [{ line: 'baton plan get-references my-feature', what: '' }],
  operation: 'plan.get-references',
  instead: messageInstead('get-references'),
  toInput: planOf,
  present: ({ references }, view) => presentRecord(references, view),
});

type Validation = OperationOutput<'plan.validate-plan'>;

const validating = {
  arguments: [planArgument],
  toInput: planOf,
  present: presentValidation,
  isNo: ({ outcome }: Validation) => outcome === 'invalid',
} as const;

export const planValidatePlan = defineCommand({
  name: 'plan validate-plan',
  summary: 'What is wrong with plan.md',
  examples: [{ line: 'baton plan validate-plan my-feature', what: 'exits with 1 if there are errors' }],
  operation: 'plan.validate-plan',
  instead: messageInstead('validate-plan'),
  ...validating,
});

export const planValidateConfig = defineCommand({
  name: 'plan validate-config',
  summary: 'What is wrong with config.md',
  examples: [{ line: 'baton plan validate-config my-feature', what: '' }],
  operation: 'plan.validate-config',
  instead: messageInstead('validate-config'),
  ...validating,
});

export const planValidateReferences = defineCommand({
  name: 'plan validate-references',
  summary: 'What is wrong with references.md',
  examples: [{ line: 'baton plan validate-references my-feature', what: '' }],
  operation: 'plan.validate-references',
  instead: messageInstead('validate-references'),
  ...validating,
});

function presentValidation({ outcome, validation_errors, validation_warnings }: Validation, view: View): string {
  const lines = [
    ...validation_errors.map(({ code, message }) => `${view.style('red', '✗')} ${code}  ${message}`),
    ...validation_warnings.map(({ code, message }) => `${view.style('yellow', '!')} ${code}  ${message}`),
  ];
  if (lines.length === 0) return `${view.style('green', '✓')} ${outcome}`;
  return lines.map((line) => wrapped(line, view.width, '  ')).join('\n');
}
