import { type Filter, isSearch, judgeScope, matches } from '../../core/filter.ts';
import type { Handoff } from '../../core/handoff.ts';
import { absentHandoff, assertClaimable, isClaimable } from '../../core/lifecycle-claim.ts';
import { limits } from '../../core/limits.ts';
import type { ClaimRequest, CountRequest, ListRequest } from '../../core/store.ts';
import { type CountedGroup, type CountedTogether, type groupCounted, withoutSearch } from '../pages.ts';
import type { Entry, Transaction } from './transaction.ts';

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

/** Whether anything of the project was put into a session that has not proved it. */
export function isUnproved(transaction: Transaction, { project }: ClaimRequest): boolean {
  return transaction.list().some(({ handoff }) => matches(handoff, { project, awaiting_proof: true }));
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
      if (!due) return [];
      const due_ms = Date.parse(due);
      // One that ends further ahead than any lease was given under a clock that has been set back since.
      const isBeyond = type === 'lapse' && due_ms > now_ms + limits.lease_ms_max;
      return due_ms <= now_ms || isBeyond ? [{ handoff, due_ms }] : [];
    })
    .sort((left, right) => left.due_ms - right.due_ms)
    .map(({ handoff }) => handoff);
}

/** What of the newest first a list looks through, and where a search would go on. */
export function lookThrough(
  all: readonly Entry[],
  { filter, before, first, look_max = limits.search_look_max }: ListRequest & { before: number },
): { looked: Entry[]; next_seq: number } {
  const rest: Filter = withoutSearch(filter);
  const looked = all.filter(
    ({ seq, handoff }) => seq < before && matches(handoff, rest) && judgeScope(handoff, rest) === 'in',
  );
  if (!isSearch(filter) || first === 'oldest') return { looked, next_seq: 0 };
  return { looked: looked.slice(0, look_max), next_seq: looked[look_max]?.seq ?? 0 };
}

/** How many of each state of one group answer a filter, among the newest of the group. */
export function countGroup(
  newestFirst: readonly Handoff[],
  { group, states }: ReturnType<typeof groupCounted>[number],
  { filter, look_max }: CountRequest,
): CountedGroup {
  const rows = newestFirst.filter(({ project }) => project === filter.project).filter(isLookedAt(group));
  const counts: Partial<CountedGroup['counts']> = {};
  for (const handoff of rows.slice(0, look_max)) {
    const { state } = handoff.delivery;
    if (!states.includes(state) || !matches(handoff, filter) || judgeScope(handoff, filter) !== 'in') continue;
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return { states, counts, isPartial: rows.length > look_max };
}

/** What is over is looked for in the whole history, every other state by its own index. */
function isLookedAt(group: CountedTogether): (handoff: Handoff) => boolean {
  return ({ delivery }) => group === 'over' || delivery.state === group;
}
