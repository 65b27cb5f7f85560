import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import type { Call, ClaimAnswer, ClaimRequest } from '../../core/store.ts';
import { assertCall } from '../requests.ts';
import { unprovedAnswer } from '../unproved.ts';
import { claim } from './claiming.ts';
import type { Floors } from './floors.ts';
import type { Asked, Body, Ledger } from './ledger.ts';
import type { Needs } from './opening.ts';
import { Reader } from './reader.ts';
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
type WriteNeeds = Pick<Needs, 'projects' | 'ids'>;

/** One of several claims that ask for the same, but for how many. */
interface SharedClaim {
  request: ClaimRequest;
  call: Call;
}

/** What claims need. */
export interface WritesOptions {
  createToken: () => string;
  floors: Floors;
}

/**
 * The calls that write. Those without an idempotency key share transactions: all that add to one project, all that take
 * steps in it, and all that claim from one queue as one receiver. A claim of sixteen
 * for sixteen callers costs hardly more than one of one, and the commits of one project's additions come one after the
 * other in any case.
 */
export class Writes {
  readonly #ledger: Ledger;
  readonly #options: WritesOptions;
  readonly #writes: Turns<SharedWrite, unknown>;
  readonly #claims: Turns<SharedClaim, ClaimAnswer>;

  constructor(ledger: Ledger, options: WritesOptions) {
    this.#ledger = ledger;
    this.#options = options;
    this.#writes = new Turns((calls) => ledger.answerAll(calls, needsOf(calls)), { size_max: SHARED_MAX });
    // Side by side a second claim would pass over all that the first has locked: it comes when that is done.
    this.#claims = new Turns((claims) => this.#claimAll(claims), {
      size_max: limits.batch_max,
      sizeOf: ({ request }) => request.max,
      running_max: 1,
    });
  }

  async write<T>({ call, request, needs }: Asked & { needs: WriteNeeds }, body: Body<T>): Promise<T> {
    assertCall(call);
    if (call.idempotency_key !== undefined) return this.#ledger.answer({ call, request, needs }, body);
    const kind = JSON.stringify([call.project, needs.projects ?? []]);
    return this.#writes.add(kind, { call, needs, body }) as Promise<T>;
  }

  claim(request: ClaimRequest, call: Call): Promise<ClaimAnswer> {
    return isShared(request, call)
      ? this.#claims.add(kindOf(request, call), { request, call })
      : this.#claim(request, call);
  }

  /** What waits for company goes on at once. */
  close(): void {
    this.#writes.close();
    this.#claims.close();
  }

  /** The oldest go to those who asked first. */
  async #claimAll(claims: readonly SharedClaim[]): Promise<readonly Outcome<ClaimAnswer>[]> {
    const [first] = claims as [SharedClaim];
    const max = claims.reduce((sum, { request }) => sum + request.max, 0);
    const { handoffs, ...rest } = await this.#claim({ ...first.request, max }, first.call);
    let given = 0;
    return claims.map(({ request }) => {
      const share: Handoff[] = handoffs.slice(given, given + request.max);
      given += request.max;
      return { answer: { ...rest, handoffs: share } };
    });
  }

  #claim(request: ClaimRequest, call: Call): Promise<ClaimAnswer> {
    const { acknowledges, without_lease, id, unless_unproved, project } = request;
    const ids = [id, acknowledges?.id].filter((each) => each !== undefined);
    return this.#ledger.answer({ call, request: { claim: request }, needs: { ids } }, async (transaction, context) => {
      const reader = new Reader(transaction.session);
      if (unless_unproved && (await reader.isUnproved(project))) return unprovedAnswer();
      const acknowledged = acknowledges && (await transaction.acknowledge(acknowledges, context));
      const unscoped_left_out = await reader.countLeftOut(request, call.actor.name);
      const handoffs = await claim(transaction, request, { ...context, ...this.#options });
      const payloads = without_lease && (await reader.payloadsOf(handoffs));
      return { handoffs, ...(acknowledged && { acknowledged }), ...(payloads && { payloads }), unscoped_left_out };
    });
  }
}

function needsOf(calls: readonly SharedWrite[]): Needs {
  const projects = [...new Set(calls.flatMap(({ needs }) => needs.projects ?? []))];
  const ids = [...new Set(calls.flatMap(({ needs }) => needs.ids ?? []))];
  return { projects, ids };
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
