import type { OperationInput } from '../../../../operations/catalogue.ts';
import { type CommandOption, defineCommand, type Given } from '../../command.ts';
import { parseJson, textFrom } from '../../given-content.ts';
import { afterPlanning, presentPlanned } from '../../present/planning.ts';
import { visible } from '../../present/view.ts';

/** The planning agent's tools as commands, for any agent that holds a handoff: a program without MCP can run them. */

const id = { flags: '<id>', description: 'the handoff, or the last characters of its id' };
const token: CommandOption = { flags: '--token <token>', description: 'the token that the claim gave' };

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
    { flags: '--name <name>', description: 'of the plan, as my-feature; default: from its title' },
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
