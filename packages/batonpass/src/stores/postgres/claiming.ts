import type { Handoff } from '../../core/handoff.ts';
import type { StepContext } from '../../core/lifecycle.ts';
import { absentHandoff, assertClaimable } from '../../core/lifecycle-claim.ts';
import { limits } from '../../core/limits.ts';
import type { ClaimRequest } from '../../core/store.ts';
import type { Step, StoreStep } from '../../core/transitions.ts';
import { decodeIntactHandoff } from '../handoff-columns.ts';
import * as claims from './claim-statements.ts';
import type { Floors } from './floors.ts';
import { narrowingOf, queueParameters, scopeParameters } from './reader.ts';
import type { Parameters, Session } from './session.ts';
import type { Transaction } from './transaction.ts';

/** How many a claim looks at: what others are about to take is passed over. The second look is where they take all. */
const NEAR = 200;
const FAR = 20_000;

/** What a claim needs beside its request. */
export interface ClaimContext extends StepContext {
  createToken: () => string;
  floors: Floors;
}

/** Claims the oldest that the request may have, or the named one, in their order. */
export function claim(transaction: Transaction, request: ClaimRequest, context: ClaimContext): Promise<Handoff[]> {
  return (request.id === undefined ? claimOldest : claimNamed)(transaction, request, context);
}

/** Whether a claim by a queue would find anything now; takes nothing and waits for nobody. */
export async function isAnyOffered(
  session: Session,
  request: ClaimRequest,
  { holder, floors }: { holder: string; floors: Floors },
): Promise<boolean> {
  const floor = await floors.find(session, request, holder);
  const parameters = { holder, floor, ...rowParameters(request, session.now_ms) };
  return (await session.all(claims.oldestOffered(narrowingOf(request), 1), parameters)).length > 0;
}

async function claimNamed(transaction: Transaction, request: ClaimRequest, context: ClaimContext): Promise<Handoff[]> {
  const { id = '' } = request;
  const named = await transaction.get(id);
  if (named === undefined) throw absentHandoff(id);
  assertClaimable(named, request, { name: context.actor.name, now_ms: context.now_ms });
  return takeEach(transaction, [named], request, context);
}

async function claimOldest(transaction: Transaction, request: ClaimRequest, context: ClaimContext): Promise<Handoff[]> {
  const { session } = transaction;
  const look = async (window: number) => {
    const floor = await context.floors.find(session, request, context.actor.name);
    const { max } = request;
    const parameters = { holder: context.actor.name, floor, max, ...rowParameters(request, context.now_ms) };
    return session.send(claims.lockOldest(narrowingOf(request), window), parameters);
  };
  const near = await look(nearOf(request));
  const rows = near.length === 0 ? await look(FAR) : near;
  const found = rows.map((row) => transaction.keepRow(row, decodeIntactHandoff));
  return takeEach(transaction, found, request, context);
}

/** Every claim is a step of the life cycle: a lease, or the end of a handoff that is taken without one. */
async function takeEach(
  transaction: Transaction,
  found: readonly Handoff[],
  { lease_ms, offer, without_lease }: ClaimRequest,
  context: ClaimContext,
): Promise<Handoff[]> {
  const taken: Handoff[] = [];
  for (const handoff of found) {
    const step: Step | StoreStep = without_lease
      ? { type: 'acknowledge' }
      : { type: 'claim', token: context.createToken(), lease_ms, offer };
    const after = await transaction.take(handoff, step, context);
    if (after !== null) taken.push(after);
  }
  return taken;
}

/** Few different texts, for each is prepared. */
function nearOf({ max }: ClaimRequest): number {
  return max <= NEAR / 2 ? NEAR : limits.batch_max + NEAR;
}

function rowParameters(request: ClaimRequest, now_ms: number | undefined): Parameters {
  return { ...queueParameters(request, now_ms), ...scopeParameters(request) };
}
