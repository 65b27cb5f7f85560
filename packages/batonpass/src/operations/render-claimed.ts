import { isHandoffError } from '../core/errors.ts';
import type { Handoff } from '../core/handoff.ts';
import { callOf, type OperationContext } from './context.ts';
import { type RenderedContext, renderHandoff } from './rendered-context.ts';

/**
 * Renders what the caller has just claimed. What is too large to render is given back, since the caller gets an error
 * instead of the token: by a release where the caller's own budget was too small, else by a failure, so that it does not
 * block the handoffs that wait behind it for ever.
 *
 * @throws HandoffError `too_large` for a planning agent's instructions beyond their budget. After a crash before it was
 * given back, the lease lapses.
 */
export async function renderClaimed(
  handoff: Handoff,
  context: OperationContext,
  budget: number | undefined,
): Promise<RenderedContext> {
  try {
    return renderHandoff(handoff, context, budget);
  } catch (error) {
    const { token } = handoff.delivery.lease ?? {};
    if (isHandoffError(error) && token !== undefined) {
      const reason = error.message;
      const step = { type: budget === undefined ? ('fail' as const) : ('release' as const), token, reason };
      const call = { ...callOf(context, `handoff.${step.type}`), idempotency_key: undefined };
      // Where a repeated call finds it given back already, nothing is left to do; else its lease lapses.
      await (await context.openStore()).transition(handoff.id, step, call).catch(unlessExpected);
    }
    throw error;
  }
}

function unlessExpected(failure: unknown): void {
  if (!isHandoffError(failure)) throw failure;
}
