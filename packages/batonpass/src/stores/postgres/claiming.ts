import type { Handoff } from '../../core/handoff.ts';
import type { StepContext } from '../../core/lifecycle.ts';
import { absentHandoff, assertClaimable } from '../../core/lifecycle-claim.ts';
import { limits } from '../../core/limits.ts';
import type { ClaimRequest } from '../../core/store.ts';
import type { ClaimedRows } from './claimed-rows.ts';
import type { Floors } from './floors.ts';
import { narrowingOf, queueParameters, scopeParameters } from './reader.ts';
import { decodeIntactHandoff } from './row.ts';
import type { Parameters, Row, Session, Statement } from './session.ts';
import * as statements from './statements.ts';
import type { Transaction } from './transaction.ts';

/** How many a claim looks at: what others are about to take is passed over. The second look is for a great crowd. */
const NEAR = 200;
const FAR = 20_000;

/** What a claim needs beside its request. */
export interface ClaimContext extends StepContext {
  createToken: () => string;
  floors: Floors;
  claimed: ClaimedRows;
}

/** A handoff on its way to a claimer, with its row where the claim found it itself. */
interface Found {
  handoff: Handoff;
  row?: Row;
}

/** Claims the oldest that the request may have, or the named one, in their order. */
export async function claim(
  transaction: Transaction,
  request: ClaimRequest,
  context: ClaimContext,
): Promise<Handoff[]> {
  const found = await (request.id === undefined ? findOldest : findNamed)(transaction, request, context);
  const handoffs: Handoff[] = [];
  for (const { handoff, row } of found) {
    const taken = await transaction.take(handoff, stepFor(request, context.createToken), context);
    if (taken === null) continue;
    handoffs.push(taken);
    if (row !== undefined) context.claimed.keep(row, taken);
  }
  return handoffs;
}

/** Whether a claim by a queue would find anything now; takes nothing and waits for nobody. */
export async function isAnyOffered(
  session: Session,
  request: ClaimRequest,
  { holder, floors }: { holder: string; floors: Floors },
): Promise<boolean> {
  const floor = await floors.find(session, request, holder);
  const parameters = { ...claimParameters(request, holder, session.now_ms), floor };
  return (await session.all(statements.oldestOffered(narrowingOf(request), 1), parameters)).length > 0;
}

/** What locks the oldest, to be sent with the beginning of the claim; undefined while the queue's floor is not known. */
export function lockingOf(
  request: ClaimRequest,
  { holder, floors }: { holder: string; floors: Floors },
): (now_ms: number | undefined) => Statement | undefined {
  return (now_ms) => {
    const floor = floors.known(request, holder);
    if (floor === undefined) return undefined;
    return lockOldest(request, { ...claimParameters(request, holder, now_ms), floor }, nearOf(request));
  };
}

function stepFor({ without_lease, lease_ms, offer }: ClaimRequest, createToken: () => string) {
  if (without_lease === true) return { type: 'acknowledge' } as const;
  return { type: 'claim', token: createToken(), lease_ms, offer } as const;
}

async function findNamed(
  transaction: Transaction,
  request: ClaimRequest,
  { actor, now_ms }: StepContext,
): Promise<Found[]> {
  const { id = '' } = request;
  const named = await transaction.get(id);
  if (named === undefined) throw absentHandoff(id);
  assertClaimable(named, request, { name: actor.name, now_ms });
  return [{ handoff: named }];
}

async function findOldest(
  transaction: Transaction,
  request: ClaimRequest,
  { actor, now_ms, floors }: ClaimContext,
): Promise<Found[]> {
  const { session, claimable } = transaction;
  const look = async (window: number) => {
    const floor = await floors.find(session, request, actor.name);
    const { sql, parameters } = lockOldest(request, { ...claimParameters(request, actor.name, now_ms), floor }, window);
    return session.send(sql, parameters);
  };
  let rows = claimable ?? (await look(nearOf(request)));
  if (rows.length < request.max) rows = await look(FAR);
  return [...rows]
    .sort((left, right) => Number(left.seq) - Number(right.seq))
    .map((row) => ({ handoff: transaction.keepRow(row, decodeIntactHandoff), row }));
}

/** Few different texts, for each is prepared. */
function nearOf({ max }: ClaimRequest): number {
  return max <= NEAR / 2 ? NEAR : limits.batch_max + NEAR;
}

function lockOldest(request: ClaimRequest, parameters: Parameters, window: number): Statement {
  return { sql: statements.lockOldest(narrowingOf(request), window), parameters: { ...parameters, max: request.max } };
}

function claimParameters(request: ClaimRequest, holder: string, now_ms: number | undefined): Parameters {
  return { holder, ...queueParameters(request, now_ms), ...scopeParameters(request) };
}
