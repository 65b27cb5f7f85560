import type { Store } from '../../core/store.ts';
import type { OperationContext } from '../context.ts';
import { hostSessionsOf } from './host-sessions-of.ts';

/**
 * What hooks saved of sessions on this machine that are still at work: it is theirs until they end, and nobody takes it
 * but who names it.
 */
export async function listLiveSaves(store: Store, context: OperationContext): Promise<string[]> {
  const sessions = hostSessionsOf(context);
  const live = sessions.list().filter(({ session }) => sessions.isLive(session, context.now()));
  const saves = await Promise.all(
    live.map(({ session }) =>
      store.list({ filter: { project: context.project, state: ['open'], session }, limit: 10 }),
    ),
  );
  return saves.flatMap(({ handoffs }) =>
    handoffs.filter(({ content }) => content.origin?.trigger !== undefined).map(({ id }) => id),
  );
}
