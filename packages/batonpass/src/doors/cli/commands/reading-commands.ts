import type { Handoff } from '../../../core/handoff.ts';
import { limits } from '../../../core/limits.ts';
import type { OperationOutput } from '../../../operations/catalogue.ts';
import { defineCommand, underItsKey } from '../command.ts';
import { numberWithin, parseBudget } from '../duration.ts';
import { presentHandoff } from '../present/handoff-detail.ts';
import { presentHistory } from '../present/history.ts';
import { presentLineage } from '../present/lineage.ts';
import { oneLine, type View, visible, widthOf, wrapped } from '../present/view.ts';

const id = { flags: '<id>', description: 'the handoff, or the last characters of its id' };

export const show = defineCommand({
  name: 'show',
  arguments: [id],
  summary: 'Show a handoff with the evidence of each item',
  options: [{ flags: '--payload', description: 'print only its payload, as JSON' }],
  examples: [
    { line: 'baton show 7QX4M2AB', what: 'the last characters of an id are enough' },
    { line: 'baton show 7QX4M2AB --payload | jq .', what: 'a payload too large to show inline' },
  ],
  operation: 'handoff.get',
  toInput: (given) => ({ id: given.arguments[0] ?? '', payload: given.options.payload as boolean | undefined }),
  present: (handoff, view) => (view.options.payload === true ? presentPayload(handoff) : presentHandoff(handoff, view)),
  toJson: underItsKey,
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
      description: 'at most this many (200)',
      parse: numberWithin({ option: '--limit', min: 1, max: limits.events_max }),
    },
  ],
  examples: [{ line: 'baton log 7QX4M2AB', what: 'from its creation to now' }],
  operation: 'handoff.events',
  toInput: (given) => ({ id: given.arguments[0], limit: given.options.limit as number | undefined }),
  present: ({ events }, view) => presentHistory(events, view),
  remark: ({ events }) => (events.length === 0 ? 'No events yet.' : ''),
});

export const lineage = defineCommand({
  name: 'lineage',
  arguments: [id],
  summary: 'Show the ancestors and descendants of a handoff, as a tree',
  examples: [{ line: 'baton lineage 7QX4M2AB', what: 'from its conversation to the last follow-up handoff' }],
  operation: 'handoff.lineage',
  toInput: (given) => ({ id: given.arguments[0] ?? '' }),
  present: presentLineage,
  remark: ({ absent, is_partial }) =>
    [
      ...(absent.length === 0 ? [] : [`Named as origin, but no longer here: ${absent.map(visible).join(', ')}`]),
      ...(is_partial ? ['There may be more: too many handoffs were written since.'] : []),
    ].join('\n'),
});

export const render = defineCommand({
  name: 'render',
  arguments: [id],
  summary: 'Print the text that goes into a receiver’s context',
  options: [
    { flags: '--budget <tokens>', description: 'how long it may be', parse: parseBudget },
    { flags: '--situation', description: 'also print age, state and review, which are not part of the approved text' },
  ],
  examples: [
    { line: 'baton render 7QX4M2AB', what: 'exactly the bytes that were approved' },
    { line: 'baton render 7QX4M2AB --budget 800', what: 'shorter; lists what was cut' },
  ],
  operation: 'handoff.render',
  toInput: (given) => ({ id: given.arguments[0] ?? '', budget: given.options.budget as number | undefined }),
  present: ({ text, situation }, view) => (view.options.situation === true ? `${text}\n${situation}` : text),
  remark: ({ is_as_approved }) =>
    is_as_approved === false
      ? 'These are not the bytes that were approved: a different budget, or a different version of Baton.'
      : '',
});

export const sessions = defineCommand({
  name: 'sessions',
  summary: 'Find transcripts of agents that worked in this project',
  options: [
    {
      flags: '--limit <number>',
      description: 'at most this many (20)',
      parse: numberWithin({ option: '--limit', min: 1, max: limits.list_max }),
    },
    { flags: '--repository', description: 'those that the team keeps in git: the Entire CLI’s branch, SpecStory' },
  ],
  examples: [{ line: 'baton sessions', what: 'newest first; `baton import --last` takes the first of your own' }],
  operation: 'conversation.list',
  toInput: (given) => ({
    limit: given.options.limit as number | undefined,
    repository: given.options.repository as boolean | undefined,
  }),
  present: ({ sessions: found }, view) => found.map((session) => presentSession(session, view)).join('\n'),
  remark: ({ sessions: found }, { options, width }) => wrapped(nextForSessions(found.length, options), width, ''),
});

/** The least width of a title next to the facts: with less it is on a line of its own. */
const TITLE_COLUMNS_MIN = 30;

/** Facts and title of a session within the width, and its path below, whole: it is to be copied. */
export function presentSession(session: OperationOutput<'conversation.list'>['sessions'][number], view: View): string {
  const { path, host, author, of_repository, modified_at, bytes, title } = session;
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  const facts = [
    modified_at.slice(0, 16).replace('T', ' '),
    host,
    ...(author === undefined ? [] : [visible(author)]),
    ...(of_repository ? ['from the repository'] : []),
    size,
  ].join('  ');
  const left = view.width - widthOf(facts) - 2;
  const shown = title === '' ? '(no request of a person)' : title;
  const named = left < TITLE_COLUMNS_MIN ? `\n  ${oneLine(shown, view.width - 2)}` : `  ${oneLine(shown, left)}`;
  // A line break in a name would begin a row of its own.
  return `${facts}${named}\n  ${visible(path).replaceAll('\n', '\\n')}`;
}

function nextForSessions(found: number, { repository }: View['options']): string {
  if (repository === true) {
    return found === 0
      ? 'This repository has no sessions: neither a branch entire/checkpoints/v1 nor .specstory/history.'
      : 'Create a handoff from one: baton import --repository PATH';
  }
  return found === 0
    ? 'No session of this project was found. Import a file: baton import FILE'
    : 'Create a handoff from one: baton import FILE, or of the newest: baton import --last';
}
