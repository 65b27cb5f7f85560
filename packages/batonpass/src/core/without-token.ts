import type { Handoff } from './handoff.ts';

/** The handoff as anybody but its holder may see it: without the lease's token. */
export function withoutToken(handoff: Handoff): Handoff {
  const { lease } = handoff.delivery;
  if (lease?.token === undefined) return handoff;
  const { token: _token, ...shown } = lease;
  return { ...handoff, delivery: { ...handoff.delivery, lease: shown } };
}
