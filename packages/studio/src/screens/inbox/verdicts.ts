import type { State } from '../../../../batonpass/src/core/state.ts';
import { call, createKey } from '../../server/call.ts';
import { describeProblem, ServerProblem } from '../../server/server-problem.ts';
import { stepsFrom } from '../../server/steps.ts';
import { announce, announceFailure, followStep, offerUndo } from '../../shell/announcements.ts';
import type { RowPages } from './row-pages.ts';
import type { InboxRow } from './rows.ts';

/** A step of the life cycle that the user takes on rows of the inbox. */
export type Verb = 'approve' | 'withdraw' | 'reopen' | 'release';

/** A verdict: a step, and its reason in the history. */
export interface Verdict {
  verb: Verb;
  reason?: string;
}

const words = {
  approve: { name: 'Approve', done: 'Approved', to: 'open' },
  withdraw: { name: 'Withdraw', done: 'Withdrew', to: 'withdrawn' },
  reopen: { name: 'Requeue', done: 'Requeued', to: 'open' },
  release: { name: 'Release', done: 'Released', to: 'open' },
} as const satisfies Record<Verb, { name: string; done: string; to: State }>;

/** The verdicts, each with its key and its labels: for one row, and for many. */
export const verdicts: readonly (Verdict & { keys: string; one: string; many: string })[] = [
  { keys: '1', verb: 'approve', one: 'Approve as it is', many: 'Approve' },
  { keys: '1', verb: 'reopen', one: 'Requeue', many: 'Requeue' },
  {
    keys: '2',
    verb: 'withdraw',
    one: 'Withdraw as duplicate',
    many: 'Withdraw as duplicates',
    reason: 'Duplicate of another handoff.',
  },
  { keys: '3', verb: 'withdraw', one: 'Withdraw', many: 'Withdraw', reason: 'Declined.' },
  { keys: 'l', verb: 'release', one: 'Release to others', many: 'Release' },
];

/** Whether the life cycle has the step from a row's state; one key cannot withdraw a question that waits. */
export function isPossible(verb: Verb, { state }: InboxRow): boolean {
  const { review, release, withdraw, reopen } = stepsFrom(state);
  return { approve: review, release, withdraw: withdraw && state !== 'waiting', reopen }[verb];
}

/** The step that undoes another one, where the life cycle has one. */
function backOf(verb: Verb, { state }: InboxRow): Verb | undefined {
  if (verb === 'withdraw') return 'reopen';
  return verb === 'approve' || (verb === 'reopen' && state === 'withdrawn') ? 'withdraw' : undefined;
}

/** Concurrent requests. */
const AT_ONCE = 4;

/** Options of a run over many. */
interface RunOptions {
  pages: RowPages;
  /** Called after each. Default: not called. */
  onProgress?: (ended: number) => void;
  /** Ends the run after the requests in flight. */
  signal?: AbortSignal;
  /** Whether it undoes another run, and so cannot be undone itself. Default: no. */
  isUndo?: boolean;
}

/**
 * Takes a step on each row: shown at once, reverted and reported where the server refuses it. One undo reverts all of
 * it.
 *
 * @returns the rows on which it was refused.
 */
export function takeVerdict(verdict: Verdict, rows: readonly InboxRow[], options: RunOptions): Promise<InboxRow[]> {
  return followStep(takeOnEach(verdict, rows, options));
}

async function takeOnEach(verdict: Verdict, rows: readonly InboxRow[], options: RunOptions): Promise<InboxRow[]> {
  const { pages, signal, onProgress } = options;
  const { to } = words[verdict.verb];
  const left = rows.filter((row) => isPossible(verdict.verb, row));
  for (const { id } of left) pages.change(id, (row) => ({ ...without(row), state: to }));
  const done: InboxRow[] = [];
  const refused: { row: InboxRow; error: unknown }[] = [];
  const work = async () => {
    for (let row = left.shift(); row !== undefined; row = left.shift()) {
      const before = row;
      const back = options.isUndo === true ? undefined : backOf(verdict.verb, before);
      if (signal?.aborted === true) {
        pages.change(before.id, () => before);
        continue;
      }
      await askFor(verdict, row).then(
        (delivery) => {
          done.push(before);
          pages.change(before.id, (now) => ({ ...now, ...delivery, back }));
        },
        (error: unknown) => {
          refused.push({ row: before, error });
          pages.change(before.id, () => ({ ...without(before), refusal: describeProblem(error) }));
        },
      );
      onProgress?.(done.length + refused.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  tell(verdict, { done, refused, options });
  return refused.map(({ row }) => row);
}

const without = ({ back: _back, refusal: _refusal, ...row }: InboxRow): InboxRow => row;

/** A rejected request is retried after this delay, when the server was too busy. */
const AGAIN_MS = 1_000;
const TRIES = 5;

async function askFor({ verb, reason }: Verdict, { id, content_sha256 }: InboxRow) {
  const input = verb === 'approve' ? { id, content_sha256 } : { id, reason };
  const idempotencyKey = createKey();
  for (let tried = 1; ; tried += 1) {
    try {
      const { delivery } = await call(`handoff.${verb}`, input, { idempotencyKey });
      return { state: delivery.state, version: delivery.version };
    } catch (error) {
      const isCrowded = error instanceof ServerProblem && error.code === 'too_many_requests';
      if (!isCrowded || tried === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

interface VerdictOutcome {
  done: readonly InboxRow[];
  refused: readonly { row: InboxRow; error: unknown }[];
  options: RunOptions;
}

function tell({ verb }: Verdict, { done, refused, options }: VerdictOutcome): void {
  const { done: said, name } = words[verb];
  const [first] = done;
  if (first !== undefined) {
    const text = `${said} ${done.length === 1 ? `“${first.title}”` : `${done.length} handoffs`}.`;
    const backs = done.filter((row) => backOf(verb, row) !== undefined);
    if (backs.length === 0 || options.isUndo === true) announce(text);
    else offerUndo(verb === 'approve' ? `${text} Undo withdraws.` : text, () => undoVerdict(verb, backs, options));
  }
  const [problem] = refused;
  if (problem === undefined) return;
  const those =
    refused.length === 1 && done.length === 0 ? '' : `${refused.length} of ${done.length + refused.length}: `;
  announceFailure(`${name}: ${those}“${problem.row.title}”: ${describeProblem(problem.error)}`);
}

async function undoVerdict(verb: Verb, rows: readonly InboxRow[], { pages }: RunOptions): Promise<void> {
  const { to } = words[verb];
  const byBack = Map.groupBy(rows, (row) => backOf(verb, row));
  for (const [back, those] of byBack) {
    if (back === undefined) continue;
    // Rows that were undone one by one or have moved on meanwhile stay as they are.
    const still = those.filter(({ id }) => (pages.get(id)?.state ?? to) === to);
    await takeVerdict(
      { verb: back },
      still.map((row) => ({ ...row, state: to })),
      { pages, isUndo: true },
    );
  }
}

/** Undoes the last step on one row, in place. */
export async function undoRow({ id }: InboxRow, pages: RowPages): Promise<void> {
  const row = pages.get(id);
  if (row?.back !== undefined) await takeVerdict({ verb: row.back }, [row], { pages, isUndo: true });
}
