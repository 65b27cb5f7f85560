import { limits } from '../../../../core/limits.ts';
import type { OperationOutput } from '../../../../operations/catalogue.ts';
import { type Command, type CommandOption, defineCommand, type Given, underItsKey } from '../../command.ts';
import { numberWithin } from '../../duration.ts';
import { shortId } from '../../present/handoff-line.ts';
import { afterPlanning, presentPlanned, presentRun, presentRunList, presentRuns } from '../../present/planning.ts';
import { type View, visible } from '../../present/view.ts';

const handoffArgument = {
  flags: '[handoff]',
  description: 'its id or the last characters of it; default: the oldest for the planning agent',
};
const nameOption: CommandOption = {
  flags: '--name <name>',
  description: 'of the plan, as my-feature; default: from its title',
};

export const planRun = defineCommand({
  name: 'plan run',
  arguments: [handoffArgument],
  summary: 'Let a language model plan a handoff; Ctrl-C stops it and gives the handoff back',
  options: [
    nameOption,
    { flags: '--model <name>', description: 'in place of the configured one' },
    { flags: '--again', description: 'plan again what was planned already, as a new handoff' },
    {
      flags: '--after-step <number>',
      description: 'go on from that step of the newest attempt, in place of the first',
      parse: numberWithin({ option: '--after-step', min: 0, max: limits.plan_steps_max }),
    },
    {
      flags: '--steps <number>',
      description: `at the most so many (${limits.plan_steps_max})`,
      parse: numberWithin({ option: '--steps', min: 1, max: limits.plan_steps_max }),
    },
  ],
  examples: [
    { line: 'baton plan run', what: 'the oldest that waits for the planning agent' },
    { line: 'baton plan run 7QX4M2AB --again', what: 'another plan from the same snapshot' },
  ],
  operation: 'planning.run',
  toInput: ({ arguments: [id], options }: Given) => ({
    id,
    again: options.again as boolean | undefined,
    model: options.model as string | undefined,
    plan_name: options.name as string | undefined,
    steps_max: options.steps as number | undefined,
    from: options.afterStep === undefined ? undefined : { after_step: options.afterStep as number },
  }),
  progress: () => 'Planning',
  tellsEach: true,
  present: ({ plan_directory, next, run }, view) =>
    plan_directory === undefined ? presentRun(run, view) : presentPlanned({ plan_directory, next }, view),
  remark: (output, view) => [...howItEnded(output), ...afterPlanning(output, view)].join('\n'),
  isNo: ({ outcome }) => outcome !== 'completed',
});

function howItEnded({ outcome, reason, handoff }: OperationOutput<'planning.run'>): string[] {
  if (outcome === 'completed') return reason === undefined ? [] : [visible(reason)];
  const short = shortId(handoff.id);
  return [
    `No plan was made: ${visible(reason ?? outcome)}`,
    `What it did: baton plan runs ${short}`,
    `Without a model: baton plan draft ${short}`,
  ];
}

const planList = defineCommand({
  name: 'plan runs',
  summary: 'The planning runs of the project',
  examples: [],
  operation: 'planning.list',
  toInput: ({ options }: Given) => ({
    limit: options.limit as number | undefined,
    cursor: options.cursor as string | undefined,
  }),
  present: presentRunList,
  remark: ({ cursor }) => (cursor === undefined ? '' : `There are more: baton plan runs --cursor ${cursor}`),
});

export const planRuns = defineCommand({
  name: 'plan runs',
  arguments: [{ flags: '[handoff]', description: 'its id or the last characters of it; default: all of the project' }],
  summary: 'What planning agents did with a handoff: each attempt with its steps, tokens and end',
  examples: [
    { line: 'baton plan runs 7QX4M2AB', what: '' },
    { line: 'baton plan runs', what: 'all runs of the project, as a table' },
  ],
  options: [
    {
      flags: '--limit <number>',
      description: 'of the list of the project: the runs of so many handoffs (50)',
      parse: numberWithin({ option: '--limit', min: 1, max: limits.list_max }),
    },
    { flags: '--cursor <cursor>', description: 'of the list of the project: go on where the last page ended' },
  ],
  instead: ({ arguments: [id] }: Given) => (id === undefined ? (planList as unknown as Command) : undefined),
  operation: 'planning.runs',
  toInput: ({ arguments: [id = ''] }: Given) => ({ id }),
  present: presentRuns,
});

const ofHandoff = { flags: '<handoff>', description: 'its id or the last characters of it' };

export const planStep = defineCommand({
  name: 'plan step',
  arguments: [
    ofHandoff,
    { flags: '<attempt>', description: 'its number' },
    { flags: '<step>', description: 'its number' },
  ],
  summary: 'All of one step of a planning run, as JSON: what its tools were given, and what they gave',
  examples: [{ line: 'baton plan step 7QX4M2AB 1 3', what: '' }],
  operation: 'planning.step',
  toInput: ({ arguments: [id = '', attempt = '', step = ''] }: Given) => ({
    id,
    attempt: numberWithin({ option: 'ATTEMPT', min: 1 })(attempt),
    step: numberWithin({ option: 'STEP', min: 1 })(step),
  }),
  present: (step) => visible(JSON.stringify(step, null, 2)),
});

export const planStop = defineCommand({
  name: 'plan stop',
  arguments: [ofHandoff],
  summary: 'End a planning run that was interrupted: its handoff is offered again',
  examples: [{ line: 'baton plan stop 7QX4M2AB', what: '' }],
  operation: 'planning.stop',
  toInput: ({ arguments: [id = ''] }: Given) => ({ id }),
  present: ({ id, delivery }) => `${shortId(id)}  ${delivery.state}`,
  toJson: underItsKey,
});

export const planDraft = defineCommand({
  name: 'plan draft',
  arguments: [handoffArgument],
  summary: 'Make the skeleton of a plan from a handoff by rules: no model, no key',
  options: [
    nameOption,
    { flags: '--token <token>', description: 'where you hold it already: what the claim printed' },
    { flags: '--dry-run', description: 'print the documents and change nothing' },
  ],
  examples: [
    { line: 'baton plan draft 7QX4M2AB', what: 'the plan, and the next handoff from it' },
    { line: 'baton plan draft 7QX4M2AB --dry-run', what: 'look first' },
  ],
  operation: 'planning.draft',
  toInput: ({ arguments: [id], options }: Given) => ({
    id,
    token: options.token as string | undefined,
    plan_name: options.name as string | undefined,
    dry_run: options.dryRun as boolean | undefined,
  }),
  present: ({ documents, ...planned }, view) =>
    documents === undefined ? presentPlanned(planned, view) : presentDocuments(planned.plan_directory, documents, view),
  remark: ({ outcome, ...planned }, view) => [said[outcome], ...afterPlanning(planned, view)].join('\n'),
});

const said = {
  created: 'A skeleton, made by rules: refine the tasks before you work by them.',
  'already-planned': 'It was planned already; nothing was changed.',
  shown: 'Nothing was changed.',
} as const satisfies Record<OperationOutput<'planning.draft'>['outcome'], string>;

type Documents = NonNullable<OperationOutput<'planning.draft'>['documents']>;

function presentDocuments(plan_directory: string, documents: Documents, view: View): string {
  return (['plan.md', 'config.md', 'references.md'] as const)
    .map((name) => `${view.style('bold', visible(`${plan_directory}${name}`))}\n\n${visible(documents[name])}`)
    .join('\n');
}
