import type { ClaimAnswer } from '../core/store.ts';

/** What a claim answers that leaves room for a look for proofs: every store the same. */
export function unprovedAnswer(): ClaimAnswer {
  return { handoffs: [], unscoped_left_out: 0, is_unproved: true };
}
