import { HandoffError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { states } from '../../../core/state.ts';
import { type Command, type CommandOption, defineCommand } from '../command.ts';
import { numberWithin, parseDuration } from '../duration.ts';
import { shellWord } from '../present/command-words.ts';
import { handoffTable, remarksOnDamaged } from '../present/handoff-line.ts';
import { table } from '../present/view.ts';

type State = (typeof states)[number];

export const list: Command<'handoff.list'> = defineCommand({
  name: 'list',
  summary: 'List handoffs of this project, newest first',
  options: [
    { flags: '--state <state>', description: `one of ${states.join(', ')}`, many: true, parse: parseState },
    { flags: '--task <id>', description: 'of this task' },
    { flags: '--kind <kind>', description: 'of this kind, as context or plan' },
    { flags: '--from <agent>', description: 'written by' },
    { flags: '--for <agent>', description: 'addressed to' },
    { flags: '--scope <path>', description: 'on this path, above it or below it' },
    { flags: '--text <words>', description: 'with these words in the title or the summary' },
    { flags: '--file <path>', description: 'that name a file with this path prefix' },
    { flags: '--unscoped', description: 'with --scope: also those without a scope' },
    { flags: '--since <when>', description: 'created since, as 2h or 2026-11-20', parse: parseSince },
    { flags: '--all-projects', description: 'of every project in the store' },
    {
      flags: '--limit <number>',
      description: 'at most this many (50)',
      parse: numberWithin({ option: '--limit', max: limits.list_max }),
    },
    { flags: '--cursor <cursor>', description: 'continue after the previous page' },
  ],
  examples: [
    { line: 'baton list', what: 'everything, newest first' },
    { line: 'baton list --state open --scope src/auth', what: 'what is open on a path' },
  ],
  operation: 'handoff.list',
  toInput: ({ options }) => ({
    state: options.state as State[] | undefined,
    task_id: options.task as string | undefined,
    kind: options.kind as string | undefined,
    source_agent: options.from as string | undefined,
    target_agent: options.for as string | undefined,
    scope: options.scope as string | undefined,
    text: options.text as string | undefined,
    file: options.file as string | undefined,
    include_unscoped: options.unscoped as boolean | undefined,
    since: options.since as string | undefined,
    all_projects: options.allProjects as boolean | undefined,
    limit: options.limit as number | undefined,
    cursor: options.cursor as string | undefined,
  }),
  present: ({ handoffs }, view) => handoffTable(handoffs, view, { showState: true }),
  remark: ({ handoffs, cursor, unscoped_left_out }, { options }) =>
    [
      ...(handoffs.length === 0 ? [describeEmpty(options)] : []),
      ...(unscoped_left_out > 0 ? [`${unscoped_left_out} without a scope left out; --unscoped shows them.`] : []),
      ...remarksOnDamaged(handoffs),
      ...(cursor === undefined ? [] : [`There are more: baton list${wordsOf(list.options, { ...options, cursor })}`]),
    ].join('\n'),
});

function describeEmpty({ allProjects }: Readonly<Record<string, unknown>>): string {
  return allProjects === true
    ? 'No handoff matches. Write one: baton create --summary "…"'
    : 'No handoff matches. See all: baton list --all-projects';
}

/** Options as the command line has them, each value as it was understood. */
function wordsOf(declared: readonly CommandOption[] = [], given: Readonly<Record<string, unknown>>): string {
  return declared
    .flatMap(({ flags }) => {
      const [flag = ''] = flags.split(' ');
      const name = flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      const values = [given[name]].flat().filter((value) => value !== undefined && value !== false);
      return values.map((value) => (value === true ? ` ${flag}` : ` ${flag} ${shellWord(String(value))}`));
    })
    .join('');
}

/** A date, or an age before now, as an instant. */
function parseSince(text: string): string {
  if (!/^\d{4}-/.test(text)) return new Date(Date.now() - parseDuration(text)).toISOString();
  const instant_ms = Date.parse(text);
  if (!Number.isNaN(instant_ms)) return new Date(instant_ms).toISOString();
  throw new HandoffError('invalid_input', `"${text}" is not a date.`, {
    alternatives: ['Write it as 2026-11-20, 2026-11-20T08:00:00Z, or as an age: 2h.'],
  });
}

function parseState(text: string): State {
  if ((states as readonly string[]).includes(text)) return text as State;
  throw new HandoffError('invalid_input', `"${text}" is not a state.`, {
    alternatives: [`States are: ${states.join(', ')}.`],
  });
}

export const count: Command<'handoff.count'> = defineCommand({
  name: 'count',
  summary: 'Count the handoffs of this project by state',
  options: [
    { flags: '--task <id>', description: 'of this task' },
    { flags: '--text <words>', description: 'with these words in the title or the summary' },
    { flags: '--file <path>', description: 'that name a file with this path prefix' },
  ],
  examples: [{ line: 'baton count', what: 'how many wait, are held, or are finished' }],
  operation: 'handoff.count',
  toInput: ({ options }) => ({
    task_id: options.task as string | undefined,
    text: options.text as string | undefined,
    file: options.file as string | undefined,
  }),
  present: ({ counts, partial }) =>
    table(states.map((state) => [`${partial.includes(state) ? 'at least ' : ''}${counts[state] ?? 0}`, state])),
});
