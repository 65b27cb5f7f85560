import { states } from '../../../core/state.ts';
import { type Command, defineCommand } from '../command.ts';
import { table } from '../present/view.ts';

export const count: Command<'handoff.count'> = defineCommand({
  name: 'count',
  summary: 'Count the handoffs of this project by state',
  options: [
    { flags: '--task <id>', description: 'of this task' },
    { flags: '--text <words>', description: 'with these words in the title or the summary' },
    { flags: '--file <path>', description: 'that name a file whose path begins so' },
  ],
  examples: [{ line: 'baton count', what: 'how much waits, is held, and is over' }],
  operation: 'handoff.count',
  toInput: ({ options }) => ({
    task_id: options.task as string | undefined,
    text: options.text as string | undefined,
    file: options.file as string | undefined,
  }),
  present: ({ counts, partial }) =>
    table(states.map((state) => [`${partial.includes(state) ? 'at least ' : ''}${counts[state] ?? 0}`, state])),
});
