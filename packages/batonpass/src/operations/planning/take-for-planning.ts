import type { Actor } from '../../core/actor.ts';
import { HandoffError, isHandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { planAgentName } from '../../draft/plan-agent-name.ts';
import { callOf, type OperationContext } from '../context.ts';
import { resolveHandoff } from '../resolve-handoff.ts';

/** A handoff that is held for its planning. */
export interface TakenHandoff {
  /** With the token of its lease. */
  handoff: Handoff;
  /** Gives it back, where it was claimed here and the planning failed. */
  release: (error: unknown) => Promise<void>;
}

/**
 * The handoff to plan: the named one, or the oldest that waits for the planning agent.
 *
 * @throws HandoffError `not_found` where none is named and none waits.
 */
export async function findPlannable(id: string | undefined, context: OperationContext): Promise<Handoff> {
  if (id !== undefined) return resolveHandoff(id, context);
  const { project } = context;
  const filter = { project, state: ['open' as const], target_agent: planAgentName };
  const { handoffs } = await (await context.openStore()).list({ filter, first: 'oldest', limit: 1 });
  const [oldest] = handoffs;
  if (oldest !== undefined) return oldest;
  throw new HandoffError('not_found', `No handoff waits for the planning agent in ${project}.`, {
    details: { project, target_agent: planAgentName },
    alternatives: [
      'Name the one to plan: baton plan draft ID',
      `Address one to it: baton create --for ${planAgentName} --summary "…" --decision "…"`,
    ],
  });
}

/**
 * Claims the handoff under a short lease, or continues with the caller's own. A handoff that is addressed to the planning
 * agent is claimed in its name.
 *
 * @throws HandoffError `conflict`, `already_claimed`.
 */
export async function takeForPlanning(
  source: Handoff,
  token: string | undefined,
  context: OperationContext,
): Promise<TakenHandoff> {
  if (token !== undefined) return { handoff: withToken(source, token, context), release: async () => {} };
  const store = await context.openStore();
  const isForAgent = source.content.target_agent === planAgentName;
  const actor: Actor = isForAgent ? { name: planAgentName, type: 'agent' } : context.actor;
  const request = { project: context.project, id: source.id, lease_ms: limits.plan_finish_ms, max: 1 };
  const call = callOf({ ...context, actor }, 'planning.claim');
  const [handoff] = (await store.claim(request, call)).handoffs;
  if (handoff === undefined) throw new Error('The store answered a claim of a named handoff with nothing.');
  const release = async (error: unknown) => {
    const reason = `The planning failed: ${error instanceof Error ? error.message : String(error)}`;
    const step = { type: 'release' as const, token: handoff.delivery.lease?.token, reason };
    try {
      await store.transition(handoff.id, step, { ...call, operation: 'planning.release', idempotency_key: undefined });
    } catch (failure) {
      // Another caller holds it by now, or it lapses by itself within the minute: the first error is the one to report.
      if (!isHandoffError(failure)) throw failure;
    }
  };
  return { handoff, release };
}

function withToken(source: Handoff, token: string, { actor }: OperationContext): Handoff {
  const { delivery } = source;
  // Where nobody holds it any more, the store refuses this token with the reason.
  const lease = delivery.lease ?? { holder: actor.name, holder_type: actor.type, fence: delivery.fence };
  return { ...source, delivery: { ...delivery, lease: { ...lease, token } } };
}
