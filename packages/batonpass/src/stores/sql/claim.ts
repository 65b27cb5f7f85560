import type { Handoff } from '../../core/handoff.ts';
import type { StepContext } from '../../core/lifecycle.ts';
import { assertClaimable } from '../../core/lifecycle-claim.ts';
import { limits } from '../../core/limits.ts';
import type { ClaimAnswer, ClaimRequest } from '../../core/store.ts';
import type { Step, StoreStep } from '../../core/transitions.ts';
import { damagedRow, isDamagedRow } from '../damaged-row.ts';
import { decodeIntactHandoff, type ReadRow } from '../handoff-columns.ts';
import { unprovedAnswer } from '../unproved.ts';
import type { Changes } from './changes.ts';
import type { Reader } from './reader.ts';
import { queueParameters } from './statements.ts';
import { first, type Work } from './work.ts';

/** What a claim needs. */
export interface ClaimContext extends StepContext {
  reader: Reader;
  createToken: () => string;
}

/** Claims the oldest that the request may have, or the named one, after what the caller is done with. */
export function* claim(changes: Changes, request: ClaimRequest, context: ClaimContext): Work<ClaimAnswer> {
  const { acknowledges, without_lease, unless_unproved, project } = request;
  const { reader } = context;
  if (unless_unproved && (yield* reader.isUnproved(project))) return unprovedAnswer();
  const acknowledged = acknowledges && (yield* changes.acknowledge(acknowledges, context));
  const unscoped_left_out = yield* countLeftOut(request, context);
  const handoffs: Handoff[] = [];
  for (const handoff of yield* select(changes, request, context)) {
    // Every claim is a step of the life cycle: a lease, or the end of a handoff that is taken without one.
    const step: Step | StoreStep = without_lease
      ? { type: 'acknowledge' }
      : { type: 'claim', token: context.createToken(), lease_ms: request.lease_ms, offer: request.offer };
    const taken = yield* changes.take(handoff, step, context);
    if (taken !== null) handoffs.push(taken);
  }
  const payloads = without_lease && (yield* reader.payloadsOf(handoffs));
  return { handoffs, ...(acknowledged && { acknowledged }), ...(payloads && { payloads }), unscoped_left_out };
}

/** What a claim takes, the oldest first, each as it was frozen. */
function* select(changes: Changes, request: ClaimRequest, { reader, actor, now_ms }: ClaimContext): Work<Handoff[]> {
  if (request.id !== undefined) {
    const named = yield* changes.find(request.id, decodeIntactHandoff);
    assertClaimable(named, request, { name: actor.name, now_ms });
    return [named];
  }
  const { max } = request;
  // A damaged one is passed over, and as many more are looked at.
  for (let passed = 0; ; ) {
    const looked = { ...request, max: max + passed };
    const rows = yield* reader.statements.dialect.oldest(looked, { holder: actor.name, now_ms });
    const intact = rows.flatMap((row) => keepIntact(changes, row));
    if (intact.length >= max || rows.length < looked.max) return intact.slice(0, max);
    passed = rows.length - intact.length;
  }
}

function keepIntact(changes: Changes, row: ReadRow): Handoff[] {
  if (row.state !== 'open') throw damagedRow('The queue', 'an index of it offers what is not open');
  try {
    return [changes.keepRow(row, decodeIntactHandoff)];
  } catch (error) {
    if (isDamagedRow(error)) return [];
    throw error;
  }
}

/** What a scoped claim passes over for want of a scope, as far as it is counted. */
function* countLeftOut(request: ClaimRequest, { reader, actor, now_ms }: ClaimContext): Work<number> {
  const { id, task_id, scope, include_unscoped } = request;
  if (id !== undefined || scope === undefined || include_unscoped === true) return 0;
  const parameters = queueParameters({ ...request, scope: undefined }, { holder: actor.name, now_ms });
  const sql = reader.statements.countLeftOut(task_id !== undefined);
  return Number((yield* first(sql, { ...parameters, count_max: limits.left_out_max }))?.count);
}
