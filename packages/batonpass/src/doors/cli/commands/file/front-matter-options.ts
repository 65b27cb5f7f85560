import { HandoffError } from '../../../../core/errors.ts';
import type { CommandOption, Given } from '../../command.ts';
import { numberWithin } from '../../duration.ts';
import { dropUndefined } from '../../given-content.ts';

/** The options that become the fields of a handoff file. */
export const frontMatterOptions: readonly CommandOption[] = [
  { flags: '--type <type>', description: 'findings, plan or problem' },
  { flags: '--status <status>', description: 'complete, partial or failed' },
  { flags: '--phase <phase>', description: 'the phase of the work' },
  { flags: '--agent <name>', description: 'who writes it; default: who acts' },
  { flags: '--created <instant>', description: 'default: now' },
  { flags: '--confidence <level>', description: 'of findings: high, medium or low' },
  { flags: '--task-id <id>', description: 'of a plan: a task that it made', many: true },
  {
    flags: '--tasks-created <number>',
    description: 'of a plan; default: as many as --task-id names',
    parse: numberWithin({ option: '--tasks-created', min: 0 }),
  },
  { flags: '--severity <severity>', description: 'of a problem: blocker, warning or info' },
  { flags: '--related-task <id>', description: 'of a problem: the task that it is about' },
  { flags: '--field <name=text>', description: 'a field of your own', many: true, parse: parseField },
];

/** The fields that the options name. */
export function fieldsOf({ options }: Given): Record<string, unknown> {
  const { type, status, phase, agent, created, confidence, severity } = options;
  const own = (options.field as readonly (readonly [string, string])[] | undefined) ?? [];
  return dropUndefined({
    version: options.fileVersion,
    type,
    status,
    created,
    phase,
    agent,
    confidence,
    tasks_created: options.tasksCreated,
    task_ids: options.taskId,
    severity,
    related_task: options.relatedTask,
    ...Object.fromEntries(own),
  });
}

function parseField(text: string): readonly [string, string] {
  const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name.trim(), value];
  throw new HandoffError('invalid_input', `--field takes a name and a text, as "reviewed=no"; not "${text}".`, {
    details: { option: '--field' },
    alternatives: ['Write --field NAME=TEXT.'],
  });
}
