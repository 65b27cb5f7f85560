import type { Handoff } from '../../core/handoff.ts';
import type { StepContext } from '../../core/lifecycle.ts';
import { absentHandoff, assertClaimable } from '../../core/lifecycle-claim.ts';
import type { ClaimRequest } from '../../core/store.ts';
import { narrowingOf, queueParameters, scopeParameters } from './reader.ts';
import { decodeIntactHandoff } from './row.ts';
import type { Parameters, Session } from './session.ts';
import * as statements from './statements.ts';
import type { Transaction } from './transaction.ts';

/** How far a claim looks beyond what it wants: over what others are about to take. The second look is for a great crowd. */
const NEAR = 100;
const FAR = 20_000;

/** Claims the oldest that the request may have, or the named one, in their order. */
export async function claim(
  transaction: Transaction,
  request: ClaimRequest,
  context: StepContext & { createToken: () => string },
): Promise<Handoff[]> {
  const found = await (request.id === undefined ? findOldest : findNamed)(transaction, request, context);
  const handoffs: Handoff[] = [];
  for (const handoff of found) {
    const taken = await transaction.take(handoff, stepFor(request, context.createToken), context);
    if (taken !== null) handoffs.push(taken);
  }
  return handoffs;
}

/** Whether a claim by a queue would find anything now; takes nothing and waits for nobody. */
export async function isAnyOffered(session: Session, request: ClaimRequest, holder: string): Promise<boolean> {
  const parameters = { ...claimParameters(request, holder, session.now_ms), window: 1 };
  return (await session.all(statements.oldestOffered(narrowingOf(request)), parameters)).length > 0;
}

function stepFor({ without_lease, lease_ms, offer }: ClaimRequest, createToken: () => string) {
  if (without_lease === true) return { type: 'acknowledge' } as const;
  return { type: 'claim', token: createToken(), lease_ms, offer } as const;
}

async function findNamed(transaction: Transaction, request: ClaimRequest, { actor, now_ms }: StepContext) {
  const { id = '' } = request;
  const named = await transaction.get(id);
  if (named === undefined) throw absentHandoff(id);
  assertClaimable(named, request, { name: actor.name, now_ms });
  return [named];
}

async function findOldest(transaction: Transaction, request: ClaimRequest, { actor, now_ms }: StepContext) {
  const { max } = request;
  const sql = statements.lockOldest(narrowingOf(request));
  const parameters = { ...claimParameters(request, actor.name, now_ms), max };
  let rows = await transaction.session.all(sql, { ...parameters, window: max + NEAR });
  if (rows.length < max) rows = await transaction.session.all(sql, { ...parameters, window: max + FAR });
  return rows
    .sort((left, right) => Number(left.seq) - Number(right.seq))
    .map((row) => transaction.keepRow(row, decodeIntactHandoff));
}

function claimParameters(request: ClaimRequest, holder: string, now_ms: number): Parameters {
  return { holder, ...queueParameters(request, now_ms), ...scopeParameters(request) };
}
