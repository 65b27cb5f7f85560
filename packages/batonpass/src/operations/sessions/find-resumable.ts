import type { Handoff } from '../../core/handoff.ts';
import { isAvailable } from '../../core/lifecycle-claim.ts';
import type { Store } from '../../core/store.ts';
import type { OperationContext } from '../context.ts';
import { hostSessionsOf } from './host-sessions-of.ts';

/** The receiver that a handoff is searched for. */
export interface Resumption {
  branch?: string;
  /** The session that would receive it. */
  session?: string;
  /** `own`: only what this very session saved, as after a compaction. `others`: everything but that. */
  from: 'own' | 'others';
  /** Only what was made after this instant. */
  after_ms?: number;
}

const page_max = 100;

/**
 * The open contexts that a session can continue from, newest first: of this project and branch (or of no branch), for the
 * caller or for nobody, none that waits in a task's queue for its workers, and none that another session still works on.
 */
export async function* findResumable(
  { branch, session, from, after_ms = Number.NEGATIVE_INFINITY }: Resumption,
  store: Store,
  context: OperationContext,
): AsyncGenerator<Handoff> {
  const filter = { project: context.project, state: ['open' as const], kind: 'context' };
  const now_ms = context.now();
  const sessions = hostSessionsOf(context);
  const live = sessions.listLive(now_ms);
  if (session !== undefined) live.delete(session);
  const awaited = sessions.listFollowing(live);
  const isFitting = (handoff: Handoff): boolean => {
    const { origin, target_agent, task_id } = handoff.content;
    const isOwn = session !== undefined && origin?.session === session;
    return (
      task_id === undefined &&
      (target_agent === undefined || target_agent === context.actor.name) &&
      (origin?.branch === undefined || origin.branch === branch) &&
      isOwn === (from === 'own') &&
      Date.parse(handoff.created_at) > after_ms &&
      isAvailable(handoff, now_ms) &&
      !isOfLive(handoff, live) &&
      !awaited.includes(handoff.id)
    );
  };
  let cursor: string | undefined;
  do {
    const page = await store.list({ filter, limit: page_max, cursor });
    for (const handoff of page.handoffs) if (isFitting(handoff)) yield handoff;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/**
 * Whether a handoff belongs to a session at work: a hook saved it from that session, or injected it into it, where it
 * is in the context though the lease may have lapsed. What somebody handed over is everybody's.
 */
export function isOfLive({ content, delivery }: Handoff, live: ReadonlySet<string>): boolean {
  const { session = '', trigger } = content.origin ?? {};
  return (trigger !== undefined && live.has(session)) || live.has(delivery.offered?.session ?? '');
}
