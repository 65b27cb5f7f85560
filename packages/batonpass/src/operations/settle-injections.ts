import { isHandoffError } from '../core/errors.ts';
import type { Handoff } from '../core/handoff.ts';
import type { Store } from '../core/store.ts';
import { callOf, type OperationContext } from './context.ts';

/** A project has few offers that wait for their proof: a session, or two. */
const looked_at_max = 100;

/**
 * Looks for the proof of what hooks put into sessions, each in the session's own transcript, and acknowledges what is
 * proved. Whoever asks where a handoff stands asks here first, so that no daemon is needed.
 *
 * @returns the offers that are still without proof.
 */
export async function settleInjections(store: Store, context: OperationContext): Promise<Handoff[]> {
  const filter = { project: context.project, awaiting_proof: true as const };
  const { handoffs } = await store.list({ filter, limit: looked_at_max });
  const unproved: Handoff[] = [];
  for (const handoff of handoffs) {
    if (!(await settle(handoff, store, context))) unproved.push(handoff);
  }
  return unproved;
}

async function settle({ id, delivery }: Handoff, store: Store, context: OperationContext): Promise<boolean> {
  const { session, transcript, from_byte = 0, rendered_sha256 } = delivery.offered ?? {};
  if (session === undefined || transcript === undefined || rendered_sha256 === undefined) return false;
  const { findInjectionProof } = await import('../transcripts/injection-proof.ts');
  const proof = await findInjectionProof({ path: transcript, from_byte }, { handoff_id: id, rendered_sha256 });
  if (proof === null) return false;
  const step = { type: 'inject', session, rendered_sha256, row: proof.row_kind, at: proof.at } as const;
  try {
    await store.transition(id, step, callOf({ ...context, idempotency_key: undefined }, 'handoff.inject'));
    return true;
  } catch (error) {
    // Somebody else received it meanwhile, or found the same proof: then that is what happened.
    if (isHandoffError(error) && ['conflict', 'already_claimed'].includes(error.code)) return false;
    throw error;
  }
}
