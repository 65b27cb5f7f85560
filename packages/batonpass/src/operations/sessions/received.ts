import type { Content } from '../../core/content.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import type { Store } from '../../core/store.ts';
import { carriedTimesMax } from '../../extraction/fading.ts';
import { isLive, type SessionJob } from '../../workspace/hosts/host-sessions.ts';
import { callOf, type OperationContext } from '../context.ts';
import { hostSessionsOf } from './host-sessions-of.ts';
import { unlessTaken } from './unless-taken.ts';

/**
 * What other sessions had saved and this one was given, as far as its arrival is proved; oldest first. The text of a
 * session's agent replaces what rules had saved of the same session before, also where it waits for a session that is over.
 * What a save of this session contains already is still listed, because a session may be saved again.
 */
export async function listReceived(job: SessionJob, store: Store, context: OperationContext): Promise<Handoff[]> {
  const { session, ended } = job;
  const sessions = hostSessionsOf(context);
  const given = sessions.read(session)?.received ?? [];
  // A session that is over does not get it any more, so it passes it on.
  const following = ended ? sessions.readFollowing(session) : undefined;
  const saves = await listSaves(job, store, context);
  const parents = saves.flatMap(({ content }) => content.parent_id ?? []);
  const ids = new Set([...parents, ...given, ...(following === undefined ? [] : [following])]);
  const handoffs = await Promise.all([...ids].map((id) => store.get(id)));
  const arrived = handoffs.filter((handoff) => {
    if (handoff === null || handoff.content.origin?.session === session) return false;
    const { state, injected } = handoff.delivery;
    const isTakenOver = state === 'withdrawn' && parents.includes(handoff.id);
    return injected?.session === session || (handoff.id === following && isWaiting(handoff)) || isTakenOver;
  }) as Handoff[];
  const isReplaced = ({ id, content: { origin } }: Handoff) =>
    arrived.some(({ content }) => content.parent_id === id && content.origin?.session === origin?.session);
  return arrived.filter((handoff) => !isReplaced(handoff));
}

/**
 * What rules saved of the earlier sessions that passed on the contents of this handoff, newest first; sessions that added
 * nothing do not count. None where a person approved one of them, or somebody wrote it: then it is no guess of rules.
 */
export async function listBefore(handoff: Handoff, store: Store): Promise<Content[]> {
  const before: Content[] = [];
  let child = handoff;
  for (let step = 0; step < ANCESTORS_MAX && before.length < carriedTimesMax; step += 1) {
    if (!isGuess(child)) return [];
    const { parent_id } = child.content;
    const parent = parent_id === undefined ? null : await store.get(parent_id);
    if (parent === null) return before;
    if (parent.content.summary !== child.content.summary) before.push(parent.content);
    child = parent;
  }
  return isGuess(child) ? before : [];
}

/** How far a chain is followed back over sessions that added nothing. */
const ANCESTORS_MAX = 10;

function isGuess({ content: { origin }, delivery }: Handoff): boolean {
  return origin?.trigger !== undefined && origin.asked === undefined && delivery.approval === undefined;
}

/**
 * Reserves a handoff for the session that took an earlier save, so that it gets what followed, and no other session does
 * while it is at work. A session that is over saves again, and passes both on as one.
 */
export function reserve(id: string, { delivery }: Handoff, context: OperationContext): void {
  const sessions = hostSessionsOf(context);
  const taker = delivery.injected?.session ?? delivery.offered?.session ?? '';
  const known = sessions.read(taker);
  if (known === undefined) return;
  sessions.writeFollowing(taker, id);
  if (isLive(known, context.now())) return;
  const { process: _process, received: _received, seen_at: _seen, ended_at: _ended, ...facts } = known;
  const asked_at = new Date(context.now()).toISOString();
  sessions.writeJob({ ...facts, event: 'SessionEnd', asked_at, ended: true });
}

/** Withdraws what waited for a session that is over: its own save contains it now. */
export async function takeOver(
  { session, ended }: SessionJob,
  id: string | undefined,
  store: Store,
  context: OperationContext,
): Promise<void> {
  const sessions = hostSessionsOf(context);
  const following = ended ? sessions.readFollowing(session) : undefined;
  if (following === undefined) return;
  sessions.writeFollowing(session, undefined);
  const step = { type: 'withdraw', reason: `Handed on in ${id}.` } as const;
  if (id !== undefined) await unlessTaken(() => store.transition(following, step, callOf(context, 'session.work')));
}

/** What hooks saved of this session before, whatever its state is now, newest first. */
export async function listSaves({ session }: SessionJob, store: Store, context: OperationContext): Promise<Handoff[]> {
  const filter = { project: context.project, session };
  const { handoffs } = await store.list({ filter, limit: limits.received_max });
  return handoffs.filter(({ content }) => content.origin?.trigger !== undefined);
}

/** Whether nobody has it yet. */
export function isWaiting({ delivery }: Handoff): boolean {
  return delivery.state === 'open' || delivery.state === 'draft';
}
