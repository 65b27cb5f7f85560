import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import type { Call, ClaimAnswer, ClaimRequest } from '../../core/store.ts';
import { assertCall } from '../requests.ts';
import { unprovedAnswer } from '../unproved.ts';
import { ClaimedRows } from './claimed-rows.ts';
import { type ClaimContext, claim, lockingOf } from './claiming.ts';
import { GuardFailure } from './guard.ts';
import type { Asked, Body, Ledger } from './ledger.ts';
import type { Needs } from './opening.ts';
import { Reader } from './reader.ts';
import type { Row } from './session.ts';
import { type Outcome, Turns } from './turns.ts';

/** Of a great crowd two transactions are under way at once, and the first to end makes room for what comes next. */
const SHARED_MAX = 250;

/** A call that shares its transaction with others of its project. */
interface SharedWrite {
  call: Call;
  needs: WriteNeeds;
  body: Body<unknown>;
}

/** What a call will lock, as far as its request tells. */
type WriteNeeds = Pick<Needs, 'projects' | 'ids'> & {
  /** Of a call that acknowledges its one handoff: the token that the claim gave. */
  token?: string;
};

/** One of several claims that ask for the same, but for how many. */
interface SharedClaim {
  request: ClaimRequest;
  call: Call;
}

/**
 * The calls that write. Those without an idempotency key share transactions: all that add to one project, all that take
 * steps in it, all that claim from one queue as one receiver. A claim of sixteen for sixteen callers costs hardly more
 * than one of one, and the commits of one project's additions come one after the other in any case.
 */
export class Writes {
  readonly #ledger: Ledger;
  readonly #context: Pick<ClaimContext, 'createToken' | 'floors' | 'claimed'>;
  readonly #writes: Turns<SharedWrite, unknown>;
  readonly #claims: Turns<SharedClaim, ClaimAnswer>;

  constructor(ledger: Ledger, context: Pick<ClaimContext, 'createToken' | 'floors'>) {
    this.#ledger = ledger;
    this.#context = { ...context, claimed: new ClaimedRows() };
    this.#writes = new Turns((calls) => this.#writeAll(calls), SHARED_MAX);
    this.#claims = new Turns((claims) => this.#claimAll(claims), limits.batch_max);
  }

  async write<T>({ call, request, needs }: Asked & { needs: WriteNeeds }, body: Body<T>): Promise<T> {
    assertCall(call);
    if (call.idempotency_key !== undefined) return this.#ledger.answer({ call, request, needs }, body);
    const kind = JSON.stringify([call.project, needs.projects ?? []]);
    return this.#writes.add(kind, { call, needs, body }) as Promise<T>;
  }

  async claim(request: ClaimRequest, call: Call): Promise<ClaimAnswer> {
    return isShared(request, call)
      ? this.#claims.add(kindOf(request, call), { request, call })
      : this.#claim(request, call);
  }

  /** What waits for company goes on at once. */
  close(): void {
    this.#writes.close();
    this.#claims.close();
  }

  async #writeAll(calls: readonly SharedWrite[]): Promise<readonly Outcome<unknown>[]> {
    const claimed = this.#takeClaimed(calls);
    if (claimed.size === 0) return this.#ledger.answerAll(calls, needsOf(calls));
    try {
      return await this.#ledger.answerAll(calls, needsOf(calls, claimed));
    } catch (error) {
      // Another process moved one of them, and nothing was kept.
      if (!(error instanceof GuardFailure)) throw error;
      return this.#ledger.answerAll(calls, needsOf(calls));
    }
  }

  /** A step of any kind makes the row of its handoff unknown. */
  #takeClaimed(calls: readonly SharedWrite[]): Map<string, Row> {
    const claimed = new Map<string, Row>();
    for (const { needs } of calls) {
      for (const id of needs.ids ?? []) {
        const row = this.#context.claimed.take(id, needs.token);
        if (row !== undefined) claimed.set(id, row);
      }
    }
    return claimed;
  }

  /** The oldest go to those who asked first. */
  async #claimAll(claims: readonly SharedClaim[]): Promise<readonly Outcome<ClaimAnswer>[]> {
    const [first] = claims as [SharedClaim];
    const max = Math.min(
      limits.batch_max,
      claims.reduce((sum, { request }) => sum + request.max, 0),
    );
    const { handoffs, ...rest } = await this.#claim({ ...first.request, max }, first.call);
    let given = 0;
    return claims.map(({ request }) => {
      const share: Handoff[] = handoffs.slice(given, given + request.max);
      given += request.max;
      return { answer: { ...rest, handoffs: share } };
    });
  }

  async #claim(request: ClaimRequest, call: Call): Promise<ClaimAnswer> {
    const { acknowledges, without_lease, id } = request;
    const { floors } = this.#context;
    const ids = [id, acknowledges?.id].filter((each) => each !== undefined);
    const queue = id === undefined ? lockingOf(request, { holder: call.actor.name, floors }) : undefined;
    const asked = { call, request: { claim: request }, needs: { ids, queue } };
    return this.#ledger.answer(asked, async (transaction, context) => {
      const reader = new Reader(transaction.session);
      if (request.unless_unproved && (await reader.isUnproved(request.project))) return unprovedAnswer();
      const acknowledged = acknowledges && (await transaction.acknowledge(acknowledges, context));
      const unscoped_left_out = await reader.countLeftOut(request, call.actor.name);
      const handoffs = await claim(transaction, request, { ...context, ...this.#context });
      const payloads = without_lease && (await reader.payloadsOf(handoffs));
      return { handoffs, ...(acknowledged && { acknowledged }), ...(payloads && { payloads }), unscoped_left_out };
    });
  }
}

/** @param claimed - rows that need no lock. */
function needsOf(calls: readonly SharedWrite[], claimed: ReadonlyMap<string, Row> = new Map()): Needs {
  const projects = [...new Set(calls.flatMap(({ needs }) => needs.projects ?? []))];
  const ids = [...new Set(calls.flatMap(({ needs }) => needs.ids ?? []))].filter((id) => !claimed.has(id));
  return { projects, ids, claimed: [...claimed.values()] };
}

/** A claim that does more than to take the oldest is its own. */
function isShared(request: ClaimRequest, { idempotency_key }: Call): boolean {
  const { id, scope, acknowledges, without_lease, offer } = request;
  const others = [id, scope, acknowledges, offer, idempotency_key];
  return without_lease !== true && others.every((each) => each === undefined);
}

/** Those of one kind have one answer between them. */
function kindOf({ max: _max, ...request }: ClaimRequest, { actor, project, operation }: Call): string {
  return JSON.stringify([request, actor, project, operation]);
}
