import { z } from 'zod';
import type { Handoff } from '../../core/handoff.ts';
import type { OperationContext } from '../context.ts';
import { resolveHandoff } from '../resolve-handoff.ts';

/** The proof that the caller holds a handoff. */
export const tokenField = z
  .string()
  .trim()
  .min(1, 'give the token that the claim printed')
  .max(200)
  .describe('The token that the claim gave');

/**
 * The handoff that the caller holds, with its token: the proof changes nothing.
 *
 * @throws HandoffError `not_found`; `lease_lost` where the token is not that of the present lease.
 */
export async function heldBy(
  { id, token }: { id: string; token: string },
  context: OperationContext,
): Promise<Handoff> {
  const found = await resolveHandoff(id, context);
  const held = await (await context.openStore()).get(found.id, token);
  const { lease } = held?.delivery ?? {};
  if (held === null || lease === undefined) return found;
  return { ...held, delivery: { ...held.delivery, lease: { ...lease, token } } };
}
