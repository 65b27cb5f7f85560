import { HandoffError } from '../../../core/errors.ts';
import type { Handoff } from '../../../core/handoff.ts';
import { limits } from '../../../core/limits.ts';
import { states } from '../../../core/state.ts';
import { type Command, type CommandOption, defineCommand } from '../command.ts';
import { numberWithin, parseBudget, parseDuration } from '../duration.ts';
import { shellWord } from '../present/command-words.ts';
import { presentHandoff } from '../present/handoff-detail.ts';
import { handoffTable } from '../present/handoff-line.ts';
import { presentHistory } from '../present/history.ts';
import { presentLineage } from '../present/lineage.ts';
import { visible } from '../present/view.ts';

const id = { flags: '<id>', description: 'the handoff, or the last characters of its id' };

type State = (typeof states)[number];

/** A moment ago, as an instant. */
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

export const list: Command<'handoff.list'> = defineCommand({
  name: 'list',
  alias: 'ls',
  summary: 'List handoffs of this project, newest first',
  options: [
    { flags: '--state <state>', description: `one of ${states.join(', ')}`, many: true, parse: parseState },
    { flags: '--task <id>', description: 'of this task' },
    { flags: '--kind <kind>', description: 'of this kind, as context or plan' },
    { flags: '--from <agent>', description: 'written by' },
    { flags: '--for <agent>', description: 'addressed to' },
    { flags: '--scope <path>', description: 'on this path, above it or below it' },
    { flags: '--text <words>', description: 'with these words in the title or the summary' },
    { flags: '--file <path>', description: 'that name a file whose path begins so' },
    { flags: '--unscoped', description: 'with --scope: those without a scope too' },
    { flags: '--since <when>', description: 'created since, as 2h or 2026-11-20', parse: parseSince },
    { flags: '--all-projects', description: 'of every project in the store' },
    {
      flags: '--limit <number>',
      description: 'how many at the most (50)',
      parse: numberWithin({ option: '--limit', max: limits.list_max }),
    },
    { flags: '--cursor <cursor>', description: 'go on where the last page ended' },
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
      ...(cursor === undefined ? [] : [`There are more: baton list${wordsOf(list.options, { ...options, cursor })}`]),
    ].join('\n'),
});

function describeEmpty({ allProjects }: Readonly<Record<string, unknown>>): string {
  return allProjects === true
    ? 'No handoff matches. Write one: baton create --summary "…"'
    : 'No handoff matches. See all: baton list --all-projects';
}

/** Options as they stand on a command line, each value as it was understood. */
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

export const show = defineCommand({
  name: 'show',
  arguments: [id],
  summary: 'Show a handoff with the evidence of each item',
  options: [{ flags: '--payload', description: 'print its payload alone, as JSON' }],
  examples: [
    { line: 'baton show 7QX4M2AB', what: 'the last characters of an id are enough' },
    { line: 'baton show 7QX4M2AB --payload | jq .', what: 'a payload too large to be shown along' },
  ],
  operation: 'handoff.get',
  toInput: (given) => ({ id: given.arguments[0] ?? '', payload: given.options.payload as boolean | undefined }),
  present: (handoff, view) => (view.options.payload === true ? presentPayload(handoff) : presentHandoff(handoff, view)),
});

function presentPayload({ content }: Handoff): string {
  return content.payload === undefined ? '' : JSON.stringify(content.payload);
}

export const log = defineCommand({
  name: 'log',
  arguments: [{ flags: '[id]', description: 'of one handoff; without it, of the project' }],
  summary: 'Show the history: who did what, when and why',
  options: [
    {
      flags: '--limit <number>',
      description: 'how many at the most (200)',
      parse: numberWithin({ option: '--limit', min: 1, max: limits.events_max }),
    },
  ],
  examples: [{ line: 'baton log 7QX4M2AB', what: 'from its creation to now' }],
  operation: 'handoff.events',
  toInput: (given) => ({ id: given.arguments[0], limit: given.options.limit as number | undefined }),
  present: ({ events }, view) => presentHistory(events, view),
  remark: ({ events }) => (events.length === 0 ? 'Nothing has happened yet.' : ''),
});

export const lineage = defineCommand({
  name: 'lineage',
  arguments: [id],
  summary: 'Show what a handoff comes from and what came of it, as a tree',
  examples: [{ line: 'baton lineage 7QX4M2AB', what: 'from its conversation to the last handoff that goes on' }],
  operation: 'handoff.lineage',
  toInput: (given) => ({ id: given.arguments[0] ?? '' }),
  present: presentLineage,
  remark: ({ absent, is_partial }) =>
    [
      ...(absent.length === 0 ? [] : [`Named as origin, and not here any more: ${absent.map(visible).join(', ')}`]),
      ...(is_partial ? ['There may be more: too many handoffs were written since.'] : []),
    ].join('\n'),
});

export const render = defineCommand({
  name: 'render',
  arguments: [id],
  summary: 'Print the text that goes into a receiver’s context',
  options: [
    { flags: '--budget <tokens>', description: 'how long it may be', parse: parseBudget },
    { flags: '--situation', description: 'also print age, state and review, which are no part of the approved text' },
  ],
  examples: [
    { line: 'baton render 7QX4M2AB', what: 'exactly the bytes that were approved' },
    { line: 'baton render 7QX4M2AB --budget 800', what: 'shorter; what is cut is named' },
  ],
  operation: 'handoff.render',
  toInput: (given) => ({ id: given.arguments[0] ?? '', budget: given.options.budget as number | undefined }),
  present: ({ text, situation }, view) => (view.options.situation === true ? `${text}\n${situation}` : text),
  remark: ({ is_as_approved }) =>
    is_as_approved === false
      ? 'These are not the bytes that were approved: another budget, or another version of Baton.'
      : '',
});

export const sessions = defineCommand({
  name: 'sessions',
  summary: 'Find transcripts of agents that worked in this project',
  options: [
    {
      flags: '--limit <number>',
      description: 'how many at the most (20)',
      parse: numberWithin({ option: '--limit', min: 1, max: limits.list_max }),
    },
  ],
  examples: [{ line: 'baton sessions', what: 'newest first; `baton import --last` takes the first' }],
  operation: 'conversation.list',
  toInput: (given) => ({ limit: given.options.limit as number | undefined }),
  present: ({ sessions: found }) =>
    found
      .map(({ path, host, modified_at, bytes, title }) => {
        const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
        return `${modified_at.slice(0, 16).replace('T', ' ')}  ${host}  ${size}  ${visible(title)}\n  ${visible(path)}`;
      })
      .join('\n'),
  remark: ({ sessions: found }) =>
    found.length === 0
      ? 'No session of this project was found. Import a file: baton import FILE'
      : 'Make a handoff of one: baton import FILE, or of the newest: baton import --last',
});
