import type { Handoff } from '../../core/handoff.ts';
import type { StepContext } from '../../core/lifecycle.ts';
import { absentHandoff, assertClaimable } from '../../core/lifecycle-claim.ts';
import { limits } from '../../core/limits.ts';
import type { State } from '../../core/state.ts';
import type { ClaimRequest } from '../../core/store.ts';
import { transitions } from '../../core/transitions.ts';
import { type claimedAlike, decodeIntactHandoff } from '../handoff-columns.ts';
import * as claims from './claim-statements.ts';
import type { Evidence } from './evidence.ts';
import type { Floors } from './floors.ts';
import { narrowingOf, queueParameters, scopeParameters } from './reader.ts';
import type { Parameters, Row, Session, Statement } from './session.ts';
import type { Transaction } from './transaction.ts';

/** How many a claim looks at: what others are about to take is passed over. The second look is where they take all. */
const NEAR = 200;
const FAR = 20_000;

/** What a claim needs beside its request. */
export interface ClaimContext extends StepContext {
  /** As many as are claimed at the most; of a claim that is undone and done again they stay the same. */
  tokens: readonly string[];
  floors: Floors;
}

/** Who claims, and by what. */
export type Claimer = Pick<ClaimContext, 'actor' | 'tokens' | 'floors'>;

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

/** What claims the oldest with its commit, from a floor that is known. */
export function claimingAtOnce(request: ClaimRequest, claimer: Claimer, floor: number): Statement {
  const { parameters } = claimingFrom(request, claimer, { floor, now_ms: undefined, window: nearOf(request) });
  return { sql: claims.claimAtOnce(narrowingOf(request), nearOf(request)), parameters };
}

/** The oldest first. */
export function inOrder(rows: readonly Row[]): Row[] {
  return [...rows].sort((one, other) => Number(one.seq) - Number(other.seq));
}

/** What a claim with a lease was given. @throws HandoffError `unavailable` for a content that is damaged. */
export function decodeClaimed(
  rows: readonly Row[],
  { project, lease_ms }: ClaimRequest,
  { actor }: Pick<Claimer, 'actor'>,
): Handoff[] {
  const alike = {
    project,
    state: 'claimed' satisfies State,
    lease_holder: actor.name,
    lease_holder_type: actor.type,
    lease_expires_at: Number(rows[0]?.now_ms) + lease_ms,
    offered: null,
  } satisfies Record<(typeof claimedAlike)[number], unknown>;
  return rows.map((row) => decodeIntactHandoff(row, alike));
}

/** What a statement left that moved rows by itself: the first line of their history. @param rows - in their order. */
function evidenceOf([row]: readonly Row[], step: 'claim' | 'acknowledge'): Evidence | undefined {
  if (row === undefined) return undefined;
  const { id, line, now_ms } = row;
  return { line: Number(line), handoff_id: String(id), name: transitions[step].event, at: Number(now_ms) };
}

async function claimNamed(transaction: Transaction, request: ClaimRequest, context: ClaimContext): Promise<Handoff[]> {
  const { id = '', lease_ms, offer, without_lease } = request;
  const [token = ''] = context.tokens;
  const named = await transaction.get(id);
  if (named === undefined) throw absentHandoff(id);
  assertClaimable(named, request, { name: context.actor.name, now_ms: context.now_ms });
  const step = without_lease
    ? ({ type: 'acknowledge' } as const)
    : ({ type: 'claim', token, lease_ms, offer } as const);
  const taken = await transaction.take(named, step, context);
  return taken === null ? [] : [taken];
}

async function claimOldest(transaction: Transaction, request: ClaimRequest, context: ClaimContext): Promise<Handoff[]> {
  const { session } = transaction;
  const look = async (window: number) => {
    const floor = await context.floors.find(session, request, context.actor.name);
    const { sql, parameters } = claimingFrom(request, context, { floor, now_ms: context.now_ms, window });
    return session.send(sql, parameters);
  };
  const near = await look(nearOf(request));
  const rows = inOrder(near.length === 0 ? await look(FAR) : near);
  const step = request.without_lease ? 'acknowledge' : 'claim';
  transaction.wrote(evidenceOf(rows, step), { isTold: request.without_lease === true });
  return request.without_lease ? rows.map((row) => decodeIntactHandoff(row)) : decodeClaimed(rows, request, context);
}

/** Few different texts, for each is prepared. */
function nearOf({ max }: ClaimRequest): number {
  return max <= NEAR / 2 ? NEAR : limits.batch_max + NEAR;
}

function claimingFrom(
  request: ClaimRequest,
  { actor, tokens }: Pick<Claimer, 'actor' | 'tokens'>,
  { floor, now_ms, window }: { floor: number; now_ms: number | undefined; window: number },
): Statement {
  const { max, lease_ms, without_lease } = request;
  const narrowing = narrowingOf(request);
  const who = { holder: actor.name, holder_type: actor.type, floor, max, ...rowParameters(request, now_ms) };
  if (without_lease) return { sql: claims.takeOldest(narrowing, window), parameters: who };
  // As the life cycle counts: a hook's claim is no attempt.
  const counted = actor.type === 'hook' ? 0 : 1;
  return { sql: claims.claimOldest(narrowing, window), parameters: { ...who, tokens, counted, lease_ms } };
}

function rowParameters(request: ClaimRequest, now_ms: number | undefined): Parameters {
  return { ...queueParameters(request, now_ms), ...scopeParameters(request) };
}
