import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import type { Call, ClaimAnswer, ClaimRequest, HeldHandoff } from '../../core/store.ts';
import { assertCall } from '../requests.ts';
import { unprovedAnswer } from '../unproved.ts';
import { acknowledgeAll, type Ending } from './acknowledging.ts';
import { type Claimer, claim } from './claiming.ts';
import { ClaimsAtOnce } from './claiming-at-once.ts';
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
 * steps in it, all that claim from one queue as one receiver, and all by which one receiver acknowledges. A claim of sixteen
 * for sixteen callers costs hardly more than one of one, and the commits of one project's additions come one after the
 * other in any case.
 */
export class Writes {
  readonly #ledger: Ledger;
  readonly #options: WritesOptions;
  readonly #writes: Turns<SharedWrite, unknown>;
  readonly #claims: Turns<SharedClaim, ClaimAnswer>;
  readonly #endings: Turns<Ending, Handoff | undefined>;
  readonly #atOnce: ClaimsAtOnce;

  constructor(ledger: Ledger, options: WritesOptions) {
    this.#ledger = ledger;
    this.#options = options;
    this.#atOnce = new ClaimsAtOnce(ledger);
    this.#writes = new Turns((calls) => ledger.answerAll(calls, needsOf(calls)), { size_max: SHARED_MAX });
    // Side by side a second claim would pass over all that the first has locked: it comes when that is done.
    this.#claims = new Turns((claims) => this.#claimAll(claims), {
      size_max: limits.batch_max,
      sizeOf: ({ request }) => request.max,
      running_max: 1,
    });
    this.#endings = new Turns((endings) => acknowledgeAll(ledger, endings), { size_max: limits.batch_max });
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

  /** The usual end of a claim: its holder shows its token. */
  async acknowledge(held: HeldHandoff, call: Call): Promise<Handoff> {
    const handoff = await this.#end({ held, call, isRead: true });
    if (handoff === undefined) throw new Error('An acknowledgement that is read answers its handoff.');
    return handoff;
  }

  /** The same for whoever does not look at the handoff again. */
  finish(held: HeldHandoff, call: Call): Promise<unknown> {
    return this.#end({ held, call, isRead: false });
  }

  /** What waits for company goes on at once. */
  close(): void {
    this.#writes.close();
    this.#claims.close();
    this.#endings.close();
  }

  #end(ending: Ending): Promise<Handoff | undefined> {
    const { call, isRead } = ending;
    const { actor, project } = call;
    return this.#endings.add(`${isRead}/${actor.type}/${actor.name.length}/${actor.name}/${project}`, ending);
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

  async #claim(request: ClaimRequest, call: Call): Promise<ClaimAnswer> {
    const { floors, createToken } = this.#options;
    const tokens = request.without_lease ? [] : Array.from({ length: request.max }, createToken);
    const claimer = { actor: call.actor, floors, tokens };
    const isPlain = isShared(request, call) && request.unless_unproved !== true;
    const handoffs = isPlain ? await this.#atOnce.claim(request, claimer) : [];
    if (handoffs.length > 0) return { handoffs, unscoped_left_out: 0 };
    return this.#claimWithin(request, call, claimer);
  }

  #claimWithin(request: ClaimRequest, call: Call, { floors, tokens }: Claimer): Promise<ClaimAnswer> {
    const { acknowledges, without_lease, id, unless_unproved, project } = request;
    const ids = [id, acknowledges?.id].filter((each) => each !== undefined);
    return this.#ledger.answer({ call, request: { claim: request }, needs: { ids } }, async (transaction, context) => {
      const reader = new Reader(transaction.session);
      if (unless_unproved && (await reader.isUnproved(project))) return unprovedAnswer();
      const acknowledged = acknowledges && (await transaction.acknowledge(acknowledges, context));
      const unscoped_left_out = await reader.countLeftOut(request, call.actor.name);
      const handoffs = await claim(transaction, request, { ...context, floors, tokens });
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
