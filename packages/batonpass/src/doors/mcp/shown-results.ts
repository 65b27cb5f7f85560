import type { Handoff } from '../../core/handoff.ts';
import { isUnreviewed } from '../../core/unreviewed.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../operations/catalogue.ts';

/**
 * What a tool shows of an operation's answer where the whole would flood a model's context, and what it asks for where
 * the caller says nothing. An operation that is not here is shown whole; `handoff.get` gives the rest of any line.
 */
export interface Shown<Name extends OperationName = OperationName> {
  /** The part of the answer that is shown. */
  show: (output: OperationOutput<Name>, now_ms: number) => object;
  /** The shown object's fields, each with its JSON type. */
  fields: Readonly<Record<string, string | readonly string[]>>;
  /** Taken where the caller leaves these fields out. */
  defaults?: Partial<OperationInput<Name>>;
}

/** A handoff on one line: its field's name, and where it stands in the record. */
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
} as const;

/** A summary is a hint in a list; the whole stands in the handoff. */
const SUMMARY_CHARACTERS_MAX = 200;
/** Lines of each of status's lists; the counts tell of the rest. */
const STATUS_LINES_MAX = 5;

/** The handoff on one line, with its age. */
export function toLine(handoff: Handoff, now_ms: number): Record<string, unknown> {
  const entries = Object.entries(lineFields).map(([name, path]) => [name, valueAt(handoff, path)] as const);
  const line = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const mark = isUnreviewed(handoff) ? { unreviewed: true } : {};
  return { ...line, ...mark, summary: cut(handoff.content.summary), age_s: ageOf(handoff, now_ms) };
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], record);
}

function cut(text: string): string {
  if (text.length <= SUMMARY_CHARACTERS_MAX) return text;
  return `${text.slice(0, SUMMARY_CHARACTERS_MAX - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Seconds; clocks that disagree make nothing younger than new. */
function ageOf({ created_at }: Handoff, now_ms: number): number {
  return Math.max(0, Math.floor((now_ms - Date.parse(created_at)) / 1_000));
}

/** What follows a claim, in the words of this door: the rendered text knows only the command line's. */
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

/** The situation tells what drifted; the list of all files is `handoff.check`'s. */
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

/** The answering message itself; what was repaired of the request stands beside its members. */
const answered = {
  show: ({ message, repairs }: OperationOutput<'plan.answer'>) =>
    repairs.length === 0 ? message : { ...message, repairs },
  fields: {},
} as const;

/** The table of what is shown, by operation. */
export const shownResults: { readonly [Name in OperationName]?: Shown<Name> } = {
  'handoff.create': stepped,
  'handoff.renew': stepped,
  'handoff.report': stepped,
  'handoff.acknowledge': stepped,
  'handoff.release': stepped,
  'handoff.fail': stepped,
  'handoff.ask': stepped,
  'handoff.withdraw': stepped,
  'handoff.claim': claimed,
  'handoff.resume': claimed,
  'handoff.list': {
    defaults: { limit: 20 },
    fields: { handoffs: 'array', cursor: 'string', unscoped_left_out: 'integer' },
    show: ({ handoffs, ...rest }, now_ms) => ({ handoffs: handoffs.map((each) => toLine(each, now_ms)), ...rest }),
  },
  'handoff.render': { fields: {}, show: showContext },
  'handoff.check': {
    fields: { handoffs: 'array', drifted: 'integer', is_partial: 'boolean' },
    show: ({ handoffs, ...rest }) => ({ handoffs: handoffs.map(showDrift), ...rest }),
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
    defaults: { limit: 50 },
    fields: { events: 'array' },
    show: ({ events }) => ({ events }),
  },
};

/** Files that are as they were are counted: nobody has to do anything about them. */
function showDrift({ files, ...rest }: OperationOutput<'handoff.check'>['handoffs'][number]): object {
  const others = files.filter(({ verdict }) => verdict !== 'unchanged');
  return { ...rest, unchanged: files.length - others.length, files: others };
}

/** What its tools were given and gave would flood a context: the names tell the way of a run. */
function showRun({ steps, plan_content: _plan, ...run }: OperationOutput<'planning.runs'>['runs'][number]): object {
  const lines = steps.map(({ number, tools, text }) => ({
    number,
    tools: tools.map(({ name }) => name),
    text: cut(text),
  }));
  return { ...run, steps: lines };
}

function showStatus(status: OperationOutput<'handoff.status'>, now_ms: number): object {
  const { project, branch, actor, open, drafts, held_by_you, waiting, dead, is_partial } = status;
  const lists = { open, drafts, held_by_you, waiting, dead };
  const counts = Object.entries(lists).map(([name, list]) => [name, list.length]);
  const { open_for_others, held_by_others } = status;
  const lines = Object.entries(lists).map(([name, list]) => [
    name,
    list.slice(0, STATUS_LINES_MAX).map((each) => toLine(each, now_ms)),
  ]);
  return {
    project,
    branch,
    actor,
    counts: { ...Object.fromEntries(counts), open_for_others, held_by_others },
    ...Object.fromEntries(lines),
    is_partial,
  };
}
