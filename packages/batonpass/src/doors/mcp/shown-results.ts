import { hasDrifted } from '../../core/drift.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { isUnreviewed } from '../../core/unreviewed.ts';
import type { OperationName, OperationOutput } from '../../operations/catalogue.ts';
import { asHint, type HandoffInShort } from '../../operations/handoff-in-short.ts';
import { withCalls } from './advice.ts';

/**
 * What a tool shows of an operation's answer where the whole would flood a model's context, and its defaults for inputs
 * that the caller leaves out. An operation that is not here is shown whole; `handoff.get` gives the rest of any line.
 */
export interface Shown<Name extends OperationName = OperationName> {
  /** The part of the answer that is shown. */
  show: (output: OperationOutput<Name>, now_ms: number) => object;
  /** The shown object's fields, each with its JSON type. */
  fields: Readonly<Record<string, string | readonly string[]>>;
  /** How many lines it has. */
  lines?: Lines;
  /** Whether an answer reports a failure; default: never, a failure is thrown. */
  isFailure?: (output: OperationOutput<Name>) => boolean;
}

/** Bounds of the input's `limit` at this door. */
interface Lines {
  /** Where the caller leaves it out. */
  default: number;
  /** The maximum for every caller: hosts refuse an answer of more than some 25,000 tokens, and a cursor continues. */
  most: number;
  /** What the operation takes; it refuses what is above. */
  taken: number;
}

/** The input with as many lines as this door returns at once. */
export function withinLines(input: Record<string, unknown>, lines: Lines | undefined): Record<string, unknown> {
  if (lines === undefined) return input;
  const { limit = lines.default } = input;
  const isTooMany = typeof limit === 'number' && limit > lines.most && limit <= lines.taken;
  return { ...input, limit: isTooMany ? lines.most : limit };
}

/** A handoff on one line: its field's name, and its place in the record. */
const lineFields = {
  id: ['id'],
  title: ['content', 'title'],
  summary: ['content', 'summary'],
  kind: ['content', 'kind'],
  state: ['delivery', 'state'],
  task_id: ['content', 'task_id'],
  source_agent: ['content', 'source_agent'],
  target_agent: ['content', 'target_agent'],
  scope: ['content', 'scope'],
  branch: ['content', 'origin', 'branch'],
  created_at: ['created_at'],
  holder: ['delivery', 'lease', 'holder'],
  lease_expires_at: ['delivery', 'lease', 'expires_at'],
  question: ['delivery', 'waiting_on', 'question'],
  answer: ['delivery', 'waiting_on', 'answer'],
  answered_by: ['delivery', 'waiting_on', 'answered_by'],
} as const;

/** Files of one handoff; a content names a thousand at the most. */
const DRIFT_LINES_MAX = 100;
/** Files of each of fifty handoffs. */
const DRIFT_LINES_OF_SEVERAL_MAX = 10;

/** The handoff on one line, with its age. */
export function toLine(handoff: HandoffInShort, now_ms: number): Record<string, unknown> {
  const entries = Object.entries(lineFields).map(([name, path]) => [name, valueAt(handoff, path)] as const);
  const line = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const mark = isUnreviewed(handoff) ? { unreviewed: true } : {};
  return { ...line, ...mark, summary: asHint(handoff.content.summary), age_s: ageOf(handoff, now_ms) };
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], record);
}

/** Seconds; where clocks disagree, nothing is younger than new. */
function ageOf({ created_at }: HandoffInShort, now_ms: number): number {
  return Math.max(0, Math.floor((now_ms - Date.parse(created_at)) / 1_000));
}

/** The next steps after a claim, in the words of this door: the rendered text has only those of the command line. */
const AFTER_CLAIM =
  'Once you have taken this over: handoff_update with action "acknowledge", this id and this token. If you cannot: action "release".';

interface Claimed {
  handoff: Handoff | null;
  context: OperationOutput<'handoff.claim'>['context'];
}

/** A claim with all that its holder needs: the token, and the text instead of the content. */
function showClaim<Output extends Claimed>({ handoff, context, ...rest }: Output, now_ms: number): object {
  if (handoff === null || context === null) return { handoff, context, ...rest };
  const { token, fence } = handoff.delivery.lease ?? {};
  const line = { ...toLine(handoff, now_ms), token, fence };
  return { handoff: line, context: showContext(context), ...rest, next: AFTER_CLAIM };
}

/** The situation reports what drifted; `handoff.check` has the list of all files. */
function showContext<Context extends { drift: unknown }>({ drift: _told, ...rest }: Context): object {
  return rest;
}

const claimed = {
  show: showClaim,
  fields: { handoff: ['object', 'null'], context: ['object', 'null'], unscoped_left_out: 'integer', next: 'string' },
} as const;

const stepped = {
  show: (handoff: Handoff, now_ms: number) => ({ handoff: toLine(handoff, now_ms) }),
  fields: { handoff: 'object' },
} as const;

/** How the answer to a question arrives, for an agent that has just asked it. */
const AFTER_ASK =
  'A person answers. Until then the lease does not run. Look with handoff_read, action "status": the handoff is in `waiting`, and once answered in `held_by_you` with its `answer`. From then on the lease runs again.';

/** The conversation's own sentences are up to 25,000 tokens, more than hosts take; a rendered text has the best of them. */
function withoutWords<Found extends { content: Handoff['content'] }>(handoff: Found): object {
  const { words = [], ...content } = handoff.content;
  return { ...handoff, content, ...(words.length > 0 && { words_left_out: words.length }) };
}

/** The answering message itself; corrections of the request are next to its members. */
const answered = {
  show: ({ message, repairs }: OperationOutput<'plan.answer'>) => ({
    ...message,
    // An error names the call for an agent, not the words to type.
    ...(Array.isArray(message.alternatives) && {
      alternatives: message.alternatives.map((each) => withCalls(String(each))),
    }),
    ...(repairs.length > 0 && { repairs }),
  }),
  isFailure: ({ status }: OperationOutput<'plan.answer'>) => status === 'failed',
  fields: {},
} as const;

/** The table of what is shown, by operation. */
export const shownResults: { readonly [Name in OperationName]?: Shown<Name> } = {
  'handoff.get': { fields: {}, show: withoutWords },
  'handoff.create': stepped,
  'handoff.renew': stepped,
  'handoff.report': stepped,
  'handoff.acknowledge': stepped,
  'handoff.release': stepped,
  'handoff.fail': stepped,
  'handoff.ask': {
    show: (handoff, now_ms) => ({ handoff: toLine(handoff, now_ms), next: AFTER_ASK }),
    fields: { handoff: 'object', next: 'string' },
  },
  'handoff.withdraw': stepped,
  'handoff.claim': claimed,
  'handoff.resume': claimed,
  'handoff.list': {
    lines: { default: 20, most: 100, taken: limits.list_max },
    fields: { handoffs: 'array', cursor: 'string', unscoped_left_out: 'integer' },
    show: ({ handoffs, ...rest }, now_ms) => ({ handoffs: handoffs.map((each) => toLine(each, now_ms)), ...rest }),
  },
  'handoff.render': { fields: {}, show: showContext },
  'handoff.check': {
    fields: { handoffs: 'array', drifted: 'integer', is_partial: 'boolean' },
    show: showDrifts,
  },
  'handoff.status': {
    fields: {
      counts: 'object',
      // The other lists are named in the counts, and have the same lines.
      open: 'array',
    },
    show: showStatus,
  },
  'planning.context': { fields: {}, show: (snapshot) => snapshot },
  'planning.runs': {
    fields: {},
    show: ({ runs, ...rest }) => ({ ...rest, runs: runs.map(showRun) }),
  },
  'planning.add-decision': { fields: {}, show: (answer) => answer },
  'planning.complete': {
    fields: { handoff: 'object' },
    show: ({ handoff, next, ...rest }, now_ms) => ({
      ...rest,
      handoff: toLine(handoff, now_ms),
      next: toLine(next, now_ms),
    }),
  },
  'plan.answer': answered,
  'plan.consult': answered,
  'handoff.events': {
    lines: { default: 50, most: 200, taken: limits.events_max },
    fields: { events: 'array' },
    show: ({ events }) => ({ events }),
  },
};

type Checked = OperationOutput<'handoff.check'>['handoffs'][number];

/** Of several, those whose files are all unchanged are counted: nobody has to do anything about them. */
function showDrifts({ handoffs, ...rest }: OperationOutput<'handoff.check'>): object {
  if (handoffs.length < 2) return { handoffs: handoffs.map(showDrift), ...rest };
  const drifted = handoffs.filter((each) => each.drifted > 0);
  return { handoffs: drifted.map(showDriftedFiles), without_drift: handoffs.length - drifted.length, ...rest };
}

/** Unchanged files are counted; of the others there may be as many as a content names. */
function showDrift({ files, ...rest }: Checked): object {
  const others = files.filter(({ verdict }) => verdict !== 'unchanged');
  return { ...rest, unchanged: files.length - others.length, ...cutFiles(others, DRIFT_LINES_MAX) };
}

/** Only what changed: unknown files are listed where one handoff is asked for. */
function showDriftedFiles({ files, ...rest }: Checked): object {
  return { ...rest, ...cutFiles(files.filter(hasDrifted), DRIFT_LINES_OF_SEVERAL_MAX) };
}

function cutFiles(files: Checked['files'], max: number): object {
  return { files: files.slice(0, max), ...(files.length > max ? { more_files: files.length - max } : {}) };
}

/** The inputs and outputs of its tools would flood a context: their names show the course of a run. */
function showRun({ steps, plan_content: _plan, ...run }: OperationOutput<'planning.runs'>['runs'][number]): object {
  const lines = steps.map(({ number, tools, text }) => ({
    number,
    tools: tools.map(({ name }) => name),
    text: asHint(text),
  }));
  return { ...run, steps: lines };
}

function showStatus(status: OperationOutput<'handoff.status'>, now_ms: number): object {
  const { project, branch, actor, counts, open_for_others, held_by_others, is_partial } = status;
  const { open, drafts, held_by_you, waiting, dead } = status;
  const lists = Object.entries({ open, drafts, held_by_you, waiting, dead });
  const lines = lists.map(([name, handoffs]) => [name, handoffs.map((each) => withoutSummary(toLine(each, now_ms)))]);
  return {
    project,
    branch,
    actor,
    counts: { ...counts, open_for_others, held_by_others },
    ...Object.fromEntries(lines),
    is_partial,
  };
}

/** Where there are five lists of them, a title is enough. */
function withoutSummary({ summary: _hint, ...line }: Record<string, unknown>): Record<string, unknown> {
  return line;
}
