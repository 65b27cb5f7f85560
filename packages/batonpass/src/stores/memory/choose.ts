import { judgeScope } from '../../core/filter.ts';
import type { Handoff } from '../../core/handoff.ts';
import { absentHandoff, assertClaimable, isClaimable } from '../../core/lifecycle-claim.ts';
import { limits } from '../../core/limits.ts';
import type { ClaimRequest } from '../../core/store.ts';
import type { Transaction } from './transaction.ts';

/** The handoffs that a claim gets, the oldest first, and how many it passes over for want of a scope. */
export function choose(transaction: Transaction, request: ClaimRequest, name: string, now_ms: number) {
  const claimer = { name, now_ms };
  if (request.id !== undefined) {
    const named = transaction.get(request.id)?.handoff;
    if (named === undefined) throw absentHandoff(request.id);
    assertClaimable(named, request, claimer);
    return { chosen: [named], unscoped_left_out: 0 };
  }
  const claimable = transaction
    .list()
    .map(({ handoff }) => handoff)
    .filter((handoff) => isClaimable(handoff, request, claimer));
  const chosen = claimable.filter((handoff) => judgeScope(handoff, request) === 'in').slice(0, request.max);
  return { chosen, unscoped_left_out: countLeftOut(claimable.map((handoff) => judgeScope(handoff, request))) };
}

/** How many of these a scope leaves out, as far as they are counted. */
export function countLeftOut(verdicts: readonly string[]): number {
  return Math.min(limits.left_out_max, verdicts.filter((verdict) => verdict === 'unscoped').length);
}

/** Handoffs whose lease or expiry has passed, the earliest due first. */
export function listDue(transaction: Transaction, type: 'lapse' | 'expire', now_ms: number): Handoff[] {
  return transaction
    .list()
    .flatMap(({ handoff }) => {
      const { state, lease, expires_at } = handoff.delivery;
      const due = type === 'lapse' ? state === 'claimed' && lease?.expires_at : state === 'open' && expires_at;
      return due && Date.parse(due) <= now_ms ? [{ handoff, due_ms: Date.parse(due) }] : [];
    })
    .sort((left, right) => left.due_ms - right.due_ms)
    .map(({ handoff }) => handoff);
}
