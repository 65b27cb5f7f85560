import type { OperationInput } from '../../../../operations/catalogue.ts';
import { defineCommand, underItsKey } from '../../command.ts';
import { parseBudget } from '../../duration.ts';
import { parseJson, textFrom } from '../../given-content.ts';
import { shortId } from '../../present/handoff-line.ts';
import { presentStep } from '../lease-commands.ts';
import { describeApproval } from '../writing-commands.ts';

export const planHandOn = defineCommand({
  name: 'plan hand-on',
  arguments: [{ flags: '[snapshot]', description: 'a JSON file, or - for standard input, which is the default' }],
  summary: 'Hand the frozen snapshot of a brainstorm to the planning agent, approved by you',
  options: [
    { flags: '--hash <sha256>', description: 'refuse unless this is the snapshot' },
    { flags: '--rendered <sha256>', description: 'refuse unless this is the text for the planning agent' },
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
