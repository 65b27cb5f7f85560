import type { OperationInput, OperationOutput } from '../../../../operations/catalogue.ts';
import { type CommandOption, defineCommand, type Given } from '../../command.ts';
import { presentRecord } from '../../present/plan.ts';
import { type View, visible } from '../../present/view.ts';
import { messageInstead, planArgument, planOf } from './reading.ts';

export const planCreateDirectory = defineCommand({
  name: 'plan create-directory',
  arguments: [
    { flags: '[name]', description: 'of the plan, e.g. my-feature; without it, a message on standard input' },
  ],
  summary: 'Create the directory of a plan',
  options: [
    { flags: '--collision <choice>', description: 'if it exists: use-existing, create-new or replace' },
    {
      flags: '--from-handoff <id>',
      description: 'a handoff that you hold: the plan starts with its decisions and files',
    },
  ],
  examples: [{ line: 'baton plan create-directory my-feature', what: '' }],
  operation: 'plan.create-directory',
  instead: messageInstead('create-directory'),
  toInput: ({ arguments: [task_name = ''], options }) => ({
    task_name,
    collision: options.collision as OperationInput<'plan.create-directory'>['collision'],
    from_handoff: options.fromHandoff as string | undefined,
  }),
  present: ({ outcome, artifacts, question }, view) =>
    question === undefined ? `${outcome} ${view.style('bold', visible(artifacts.plan_directory))}` : visible(question),
  remark: ({ options }) => (options === undefined ? '' : `→ Choose with --collision: ${options.join(', ')}`),
  isNo: ({ question }) => question !== undefined,
});

const settings = [
  ['plan_type', 'implementation, simple or plugin-development'],
  ['technology', 'java, javascript, mixed or none'],
  ['build_system', 'maven, gradle, npm, npx or none'],
  ['compatibility', 'breaking or deprecations'],
  ['commit_strategy', 'fine-granular, phase-specific or complete'],
  ['finalizing', 'commit-only or pr-workflow'],
  ['branch', 'the branch that the plan is worked on'],
  ['issue', 'a reference, a link, or none'],
] as const;

const settingOptions: CommandOption[] = settings.map(([setting, description]) => ({
  flags: `--${setting.replace('_', '-')} <value>`,
  description,
}));

export const planWriteConfig = defineCommand({
  name: 'plan write-config',
  arguments: [planArgument],
  summary: 'Write or change the settings of a plan',
  options: settingOptions,
  examples: [{ line: 'baton plan write-config my-feature --plan-type simple --branch feature/login', what: '' }],
  operation: 'plan.write-config',
  instead: messageInstead('write-config'),
  toInput: (given) => ({ ...planOf(given), configuration: settingsOf(given) }),
  present: ({ outcome, artifacts }) => `${outcome} ${visible(artifacts.config_file)}`,
});

function settingsOf({ options }: Given): OperationInput<'plan.write-config'>['configuration'] {
  const named = settings.map(([setting]) => {
    const option = setting.replace(/_([a-z])/, (_, letter: string) => letter.toUpperCase());
    return [setting, options[option]] as const;
  });
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

export const planWritePlan = defineCommand({
  name: 'plan write-plan',
  arguments: [planArgument],
  summary: 'Write a plan, or change the given parts of it; tasks need a message',
  options: [
    { flags: '--title <title>', description: 'its title' },
    { flags: '--phase <name>', description: 'one phase; several times, in their order', many: true },
    { flags: '--current-phase <name>', description: 'the phase to continue with' },
    { flags: '--current-task <id>', description: 'the task to continue with' },
  ],
  examples: [
    { line: 'baton plan write-plan my-feature --title "Login form" --phase init --phase execute', what: '' },
    { line: 'baton plan write-plan < plan.toon', what: 'with its tasks' },
  ],
  operation: 'plan.write-plan',
  instead: messageInstead('write-plan'),
  toInput: (given) => ({
    ...planOf(given),
    plan_content: {
      title: given.options.title as string | undefined,
      phases: given.options.phase as string[] | undefined,
      current_phase: given.options.currentPhase as string | undefined,
      current_task: given.options.currentTask as string | undefined,
    },
  }),
  present: ({ outcome, artifacts }) => `${outcome} ${visible(artifacts.plan_file)}`,
});

type WriteReferences = OperationInput<'plan.write-references'>;

export const planWriteReferences = defineCommand({
  name: 'plan write-references',
  arguments: [planArgument],
  summary: 'Add, update or remove a reference of a plan',
  options: [
    { flags: '--action <action>', description: 'add, update or remove' },
    { flags: '--type <type>', description: 'file, adr, interface, external or dependency' },
    { flags: '--id <identifier>', description: 'e.g. ADR-015, or the path of a file' },
    { flags: '--title <title>', description: 'its title' },
    { flags: '--path <path>', description: 'its path or URL' },
  ],
  examples: [
    {
      line: 'baton plan write-references my-feature --action add --type adr --id ADR-015 --title "Tokens" --path doc/adr-015.md',
      what: '',
    },
  ],
  operation: 'plan.write-references',
  instead: messageInstead('write-references'),
  toInput: (given) => {
    const { action, type, id, title, path } = given.options as Readonly<Record<string, string | undefined>>;
    return {
      ...planOf(given),
      // The operation refuses a word that is none of the choices.
      action: (action ?? '') as WriteReferences['action'],
      reference_type: (type ?? '') as WriteReferences['reference_type'],
      reference_data: { identifier: id ?? '', title, path },
    };
  },
  present: ({ changes, references_summary }, view) =>
    [
      ...(changes.length === 0 ? ['Nothing to change.'] : changes.map(visible)),
      presentRecord(references_summary, view),
    ].join('\n'),
});

const itemOption: CommandOption = {
  flags: '--item <item>',
  description: 'a checklist item: its index from 0, or its whole text; default: all',
  many: true,
  parse: (text) => (/^\d{1,6}$/.test(text) ? Number(text) : text),
};
const updateOptions: CommandOption[] = [
  itemOption,
  { flags: '--phase <name>', description: 'its phase, if each phase numbers its own tasks' },
  { flags: '--file <path>', description: 'a file that was created; becomes a reference', many: true },
  { flags: '--open-handoff', description: 'hand over the results if this completes the phase' },
];

export const planUpdateProgress = defineCommand({
  name: 'plan update-progress',
  arguments: [planArgument, { flags: '[task]', description: 'e.g. task-3' }],
  summary: 'Set the status of a task',
  options: [
    { flags: '--status <status>', description: 'pending, in_progress or completed (the default)' },
    ...updateOptions,
  ],
  examples: [{ line: 'baton plan update-progress my-feature task-3 --status in_progress', what: '' }],
  operation: 'plan.update-progress',
  instead: messageInstead('update-progress'),
  toInput: (given) => toProgress(given, given.options.status as Status | undefined),
  present: presentProgress,
});

export const planDone = defineCommand({
  name: 'plan done',
  arguments: [
    { flags: '<plan>', description: 'its name, or its folder' },
    { flags: '<task>', description: 'e.g. task-3' },
  ],
  summary: 'Tick a task off, or one item of its checklist',
  options: updateOptions,
  examples: [
    { line: 'baton plan done my-feature task-3', what: 'the whole task' },
    { line: 'baton plan done my-feature task-3 --item 2', what: 'the third item of its checklist' },
  ],
  operation: 'plan.update-progress',
  toInput: (given) => toProgress(given, undefined),
  present: presentProgress,
});

type Progress = OperationInput<'plan.update-progress'>;
type Status = NonNullable<Progress['update']>['status'];

function toProgress(given: Given, status: Status = 'completed'): Progress {
  const { item, phase, file } = given.options as { item?: (string | number)[]; phase?: string; file?: string[] };
  const update = { task_id: given.arguments[1] ?? '', phase, status, checklist_items: item };
  const open_handoff = given.options.openHandoff as boolean | undefined;
  return { ...planOf(given), update, files_created: file, open_handoff };
}

function presentProgress(
  { plan_status, phase_status, next_action, next_focus }: OperationOutput<'plan.update-progress'>,
  view: View,
): string {
  const { phase, tasks_completed, tasks_total, completion_percentage } = phase_status;
  const counted = `${phase}: ${tasks_completed} of ${tasks_total} tasks (${completion_percentage}%)`;
  const next = [next_action, next_focus].filter((part) => part !== undefined).join('. ');
  const task = `Next: ${plan_status.current_phase} · ${plan_status.current_task}`;
  return [visible(counted), ...(next === '' ? [] : [view.style('green', visible(next))]), visible(task)].join('\n');
}
