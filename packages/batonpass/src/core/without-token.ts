import type { Handoff } from './handoff.ts';
import { assertToken } from './lifecycle-guards.ts';

/**
 * The handoff as anybody but its holder may see it: without the lease's token.
 *
 * @param token - where one is given, it must be that of the present lease.
 * @throws HandoffError `lease_lost` for another token.
 */
export function withoutToken(handoff: Handoff, token?: string): Handoff {
  if (token !== undefined) assertToken(handoff, token);
  const { lease } = handoff.delivery;
  if (lease?.token === undefined) return handoff;
  const { token: _token, ...shown } = lease;
  return { ...handoff, delivery: { ...handoff.delivery, lease: shown } };
}
