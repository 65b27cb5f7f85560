import { HandoffError } from './errors.ts';
import { judgeScope, matches } from './filter.ts';
import type { Handoff } from './handoff.ts';
import { assertApplicable } from './lifecycle-guards.ts';
import { limits } from './limits.ts';
import type { ClaimRequest } from './store.ts';

/** Who wants to claim, and when. */
export interface Claimer {
  name: string;
  now_ms: number;
}

/**
 * Whether no back-off keeps a handoff from being claimed now. One that never had to wait is available even after the
 * clock was set back to before its creation; one that would have to wait longer than any back-off was made under a clock
 * that has been set back since.
 */
export function isAvailable({ created_at, delivery }: Handoff, now_ms: number): boolean {
  const available_ms = Date.parse(delivery.available_at);
  const isBeyondBackoff = available_ms > now_ms + limits.backoff_ms_max;
  return available_ms <= now_ms || available_ms <= Date.parse(created_at) || isBeyondBackoff;
}

/**
 * Whether a claim may take a handoff, its scope and its expiry apart: the reference that every store's statement is
 * tested against. Expiries that are due have been applied before.
 */
export function isClaimable(handoff: Handoff, request: ClaimRequest, claimer: Claimer): boolean {
  const { target_agent } = handoff.content;
  const { project, task_id, kind, id, exclude_ids = [] } = request;
  return (
    (id !== undefined || !exclude_ids.includes(handoff.id)) &&
    matches(handoff, { project, task_id, kind, state: ['open'] }) &&
    (target_agent === undefined || target_agent === claimer.name) &&
    isAvailable(handoff, claimer.now_ms)
  );
}

/**
 * Throws the reason where a named handoff cannot be claimed.
 *
 * @throws HandoffError `not_found` for another project's, `already_claimed`, or `conflict` with the reason.
 */
export function assertClaimable(handoff: Handoff, request: ClaimRequest, claimer: Claimer): void {
  if (handoff.project !== request.project) throw absentHandoff(handoff.id);
  assertApplicable(
    handoff,
    { type: 'claim', token: '', lease_ms: request.lease_ms },
    { name: claimer.name, type: 'agent' },
  );
  const { target_agent } = handoff.content;
  if (target_agent !== undefined && target_agent !== claimer.name) {
    throw refusal(
      handoff,
      `it is addressed to ${target_agent}`,
      'Claim it under that name, or claim another one: baton claim',
    );
  }
  if (!isAvailable(handoff, claimer.now_ms)) {
    const { available_at } = handoff.delivery;
    throw refusal(handoff, `it failed and is not offered again before ${available_at}`, 'Claim it after that time.');
  }
  if (!isClaimable(handoff, request, claimer) || judgeScope(handoff, request) !== 'in') {
    throw refusal(handoff, 'it does not match the task, kind or scope of the claim', 'Claim it by id alone.');
  }
}

/** The error for an id that no handoff has, or that the caller may not see. */
export function absentHandoff(id: string): HandoffError {
  return new HandoffError('not_found', `There is no handoff ${id}.`, {
    details: { id },
    alternatives: ['List the handoffs: baton list'],
  });
}

function refusal(handoff: Handoff, reason: string, alternative: string): HandoffError {
  const { id, content, delivery } = handoff;
  return new HandoffError('conflict', `Handoff ${id} cannot be claimed: ${reason}.`, {
    details: { id, state: delivery.state, target_agent: content.target_agent, available_at: delivery.available_at },
    alternatives: [alternative],
  });
}
