import type { Handoff } from '../../core/handoff.ts';
import type { Store } from '../../core/store.ts';
import { callOf, type OperationContext } from '../context.ts';
import { unlessTaken } from './unless-taken.ts';

/** Releases an offer of a session that has ended without having shown it; nothing where another caller has it already. */
export async function releaseOffer({ id, delivery }: Handoff, store: Store, context: OperationContext): Promise<void> {
  const { session } = delivery.offered ?? {};
  const step = { type: 'release', session, reason: 'The session ended without having shown it.' } as const;
  await unlessTaken(() => store.transition(id, step, callOf(context, 'session.release')));
}
