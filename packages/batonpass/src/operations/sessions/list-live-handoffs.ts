import type { Store } from '../../core/store.ts';
import type { OperationContext } from '../context.ts';
import { isOfLive } from './find-resumable.ts';
import { hostSessionsOf } from './host-sessions-of.ts';

/** A session has one save, and what was injected into it. */
const looked_at_max = 100;

/**
 * Open handoffs that belong to sessions at work on this machine: they are theirs until the sessions end, and only a
 * caller that names one can claim it.
 */
export async function listLiveHandoffs(store: Store, context: OperationContext): Promise<string[]> {
  const sessions = hostSessionsOf(context);
  const live = sessions.listLive(context.now());
  if (live.size === 0) return [];
  const project = { project: context.project, state: ['open' as const] };
  const filters = [
    { ...project, awaiting_proof: true as const },
    ...[...live].map((session) => ({ ...project, session })),
  ];
  const pages = await Promise.all(filters.map((filter) => store.list({ filter, limit: looked_at_max })));
  const found = pages.flatMap(({ handoffs }) => handoffs).filter((handoff) => isOfLive(handoff, live));
  return [...new Set([...found.map(({ id }) => id), ...sessions.listFollowing(live)])];
}
