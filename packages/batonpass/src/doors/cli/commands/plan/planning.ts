import { limits } from '../../../../core/limits.ts';
import type { OperationInput, OperationOutput } from '../../../../operations/catalogue.ts';
import { type Command, type CommandOption, defineCommand, type Given, underItsKey } from '../../command.ts';
import { numberWithin, parseBudget } from '../../duration.ts';
import { parseJson, textFrom } from '../../given-content.ts';
import { shortId } from '../../present/handoff-line.ts';
import { afterPlanning, presentPlanned, presentRun, presentRunList, presentRuns } from '../../present/planning.ts';
import { type View, visible } from '../../present/view.ts';
import { presentStep } from '../lease-commands.ts';
import { describeApproval } from '../writing-commands.ts';

const handoffArgument = {
  flags: '[handoff]',
  description: 'its id or the last characters of it; default: the oldest for the planning agent',
};
const nameOption: CommandOption = {
  flags: '--name <name>',
  description: 'of the plan, e.g. my-feature; default: from its title',
};

export const planRun = defineCommand({
  name: 'plan run',
  arguments: [handoffArgument],
  summary: 'Let a language model plan a handoff; Ctrl-C stops it and gives the handoff back',
  options: [
    nameOption,
    { flags: '--model <name>', description: 'instead of the configured one' },
    { flags: '--again', description: 'plan again what was planned already, as a new handoff' },
    {
      flags: '--after-step <number>',
      description: 'continue from that step of the newest attempt instead of the first',
      parse: numberWithin({ option: '--after-step', min: 0, max: limits.plan_steps_max }),
    },
    {
      flags: '--steps <number>',
      description: `at most this many (${limits.plan_steps_max})`,
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
  summary: 'What planning agents did with a handoff: each attempt with its steps, tokens and outcome',
  examples: [
    { line: 'baton plan runs 7QX4M2AB', what: '' },
    { line: 'baton plan runs', what: 'all runs of the project, as a table' },
  ],
  options: [
    {
      flags: '--limit <number>',
      description: 'of the list of the project: the runs of at most this many handoffs (50)',
      parse: numberWithin({ option: '--limit', min: 1, max: limits.list_max }),
    },
    { flags: '--cursor <cursor>', description: 'of the list of the project: continue after the previous page' },
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
  summary: 'One whole step of a planning run, as JSON: inputs and outputs of its tools',
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
  summary: 'Create a plan skeleton from a handoff by rules: no model, no key',
  options: [
    nameOption,
    { flags: '--token <token>', description: 'if you hold it already: the token from the claim' },
    { flags: '--dry-run', description: 'print the documents and change nothing' },
  ],
  examples: [
    { line: 'baton plan draft 7QX4M2AB', what: 'the plan, and the next handoff from it' },
    { line: 'baton plan draft 7QX4M2AB --dry-run', what: 'preview' },
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
  created: 'A skeleton, made by rules: refine the tasks before you work from them.',
  'already-planned': 'It was planned already; nothing was changed.',
  shown: 'Nothing was changed.',
} as const satisfies Record<OperationOutput<'planning.draft'>['outcome'], string>;

type Documents = NonNullable<OperationOutput<'planning.draft'>['documents']>;

function presentDocuments(plan_directory: string, documents: Documents, view: View): string {
  return (['plan.md', 'config.md', 'references.md'] as const)
    .map((name) => `${view.style('bold', visible(`${plan_directory}${name}`))}\n\n${visible(documents[name])}`)
    .join('\n');
}

/** The planning agent's tools as commands, for any agent that holds a handoff: a program without MCP can run them. */

const id = { flags: '<id>', description: 'the handoff, or the last characters of its id' };

const token: CommandOption = { flags: '--token <token>', description: 'the token from the claim' };

/** The operation refuses an absent token and reports where a token comes from. */
const heldOf = ({ arguments: [given = ''], options }: Given) => ({
  id: given,
  token: (options.token as string | undefined) ?? '',
});

export const planContext = defineCommand({
  name: 'plan context',
  arguments: [id],
  summary: 'Print the frozen snapshot of a handoff that you hold, as JSON',
  options: [token],
  examples: [{ line: 'baton plan context 7QX4M2AB --token TOKEN', what: 'decisions, files, risks and summary' }],
  operation: 'planning.context',
  toInput: heldOf,
  present: (snapshot) => visible(JSON.stringify(snapshot, null, 2)),
});

export const planAddDecision = defineCommand({
  name: 'plan add-decision',
  arguments: [id, { flags: '<decision>', description: 'the decision statement' }],
  summary: 'Add a decision that you found while planning',
  options: [token],
  examples: [{ line: 'baton plan add-decision 7QX4M2AB "Keep the old key for a week" --token TOKEN', what: '' }],
  operation: 'planning.add-decision',
  toInput: (given) => ({ ...heldOf(given), content: given.arguments[1] ?? '' }),
  present: () => 'added',
});

export const planComplete = defineCommand({
  name: 'plan complete',
  arguments: [id, { flags: '<summary>', description: 'how the plan goes about it' }],
  summary: 'Complete the planning of a handoff that you hold: the plan is written and handed over',
  options: [
    token,
    { flags: '--plan <file>', description: 'JSON with title and tasks, or - for standard input; default: a skeleton' },
    { flags: '--name <name>', description: 'of the plan, e.g. my-feature; default: from its title' },
  ],
  examples: [
    { line: 'baton plan complete 7QX4M2AB "Three tasks, the key first" --token TOKEN --plan plan.json', what: '' },
  ],
  operation: 'planning.complete',
  toInput: async (given) => {
    const { plan, name } = given.options as { plan?: string; name?: string };
    return {
      ...heldOf(given),
      summary: given.arguments[1] ?? '',
      plan_content: plan === undefined ? undefined : await readPlan(plan, given),
      plan_name: name,
    };
  },
  present: presentPlanned,
  remark: ({ next, former_directory }, view) => afterPlanning({ next, former_directory }, view).join('\n'),
});

async function readPlan(name: string, given: Given): Promise<OperationInput<'planning.complete'>['plan_content']> {
  return parseJson(name, await textFrom(name, given)) as OperationInput<'planning.complete'>['plan_content'];
}

export const planHandOn = defineCommand({
  name: 'plan hand-on',
  arguments: [{ flags: '[snapshot]', description: 'a JSON file, or - for standard input, which is the default' }],
  summary: 'Hand the frozen snapshot of a brainstorm to the planning agent, approved by you',
  options: [
    { flags: '--hash <sha256>', description: 'refuse unless the snapshot has this hash' },
    { flags: '--rendered <sha256>', description: 'refuse unless the text for the planning agent has this hash' },
    { flags: '--budget <tokens>', description: 'how much the planning model reads', parse: parseBudget },
    { flags: '--title <text>', description: 'one line' },
    { flags: '--task <id>', description: 'the queue it waits in' },
    { flags: '--supersede <id>', description: 'the handoff of an earlier snapshot, which this one replaces' },
  ],
  examples: [{ line: 'baton plan hand-on snapshot.json', what: 'decisions, files, risks and summary, as frozen' }],
  operation: 'planning.hand-on',
  toInput: async (given) => {
    const name = given.arguments[0] ?? '-';
    const text = (option: string) => given.options[option] as string | undefined;
    return {
      snapshot: parseJson(name, await textFrom(name, given)) as OperationInput<'planning.hand-on'>['snapshot'],
      snapshot_sha256: text('hash'),
      rendered_sha256: text('rendered'),
      budget: given.options.budget as number | undefined,
      title: text('title'),
      task_id: text('task'),
      supersedes_id: text('supersede'),
    };
  },
  present: presentStep,
  toJson: underItsKey,
  remark: (handoff, view) =>
    [...describeApproval(handoff, view), `→ Plan it: baton plan run ${shortId(handoff.id)}`].join('\n'),
});
