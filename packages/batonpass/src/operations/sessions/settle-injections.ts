import type { Handoff } from '../../core/handoff.ts';
import type { Store } from '../../core/store.ts';
import type { ExpectedInjection, InjectionProof } from '../../transcripts/injection-proof.ts';
import { callOf, type OperationContext } from '../context.ts';
import { unlessTaken } from './unless-taken.ts';

/** A project has few offers that wait for their proof: a session, or two. */
const looked_at_max = 100;

/**
 * Looks for the proof of what hooks injected into sessions, each in the session's own transcript, and acknowledges what is
 * proved. A caller that reads a handoff's state calls this first, so that no daemon is needed.
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
  if (delivery.offered === undefined) return false;
  const { session, transcript, from_byte = 0, rendered_sha256 } = delivery.offered;
  const proof = await findProof({ session, transcript, from_byte }, { handoff_id: id, rendered_sha256 }, context);
  if (proof === null) return false;
  const step = { type: 'inject', session, rendered_sha256, row: proof.row_kind, at: proof.at } as const;
  const call = callOf({ ...context, idempotency_key: undefined }, 'handoff.inject');
  // Where another caller received it meanwhile, or found the same proof, that step is the result.
  return (await unlessTaken(() => store.transition(id, step, call))) !== undefined;
}

interface Place {
  session: string;
  transcript: string | undefined;
  from_byte: number;
}

/** In the transcript that the session's start named, or that a later hook names as its present place. */
async function findProof(
  { session, transcript, from_byte }: Place,
  expected: ExpectedInjection,
  context: OperationContext,
): Promise<InjectionProof | null> {
  // Loaded here, because mostly nothing waits for its proof, and every list checks.
  const { findInjectionProof } = await import('../../transcripts/injection-proof.ts');
  const { hostSessionsOf } = await import('./host-sessions-of.ts');
  const moved = hostSessionsOf(context).read(session)?.transcript;
  // Where both are one file, only what follows the offer counts.
  const places = new Map([
    [moved, 0],
    [transcript, from_byte],
  ]);
  for (const [path, from] of places) {
    const proof = path === undefined ? null : await findInjectionProof({ path, from_byte: from }, expected);
    if (proof !== null) return proof;
  }
  return null;
}
