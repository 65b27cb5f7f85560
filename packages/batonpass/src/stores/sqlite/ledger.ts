import type { HandoffEvent } from '../../core/delivery.ts';
import type { Handoff } from '../../core/handoff.ts';
import { type Advance, advance, clockActor, type StepContext } from '../../core/lifecycle.ts';
import { approvalOf, type Beginning, begin } from '../../core/lifecycle-begin.ts';
import { absentHandoff, assertClaimable, type Claimer } from '../../core/lifecycle-claim.ts';
import { limits } from '../../core/limits.ts';
import { absentPayload, type PointedPayload, pointedPayload } from '../../core/payload.ts';
import type { ClaimRequest, HeldHandoff, NewHandoff } from '../../core/store.ts';
import type { Step, StoreStep } from '../../core/transitions.ts';
import { withoutToken } from '../../core/without-token.ts';
import { damagedRow } from '../damaged-row.ts';
import { encodeEvent } from '../event-columns.ts';
import { decodeForClock, decodeIntactHandoff, encodeContent, encodeDelivery } from '../handoff-columns.ts';
import type { KeyedRequest } from '../idempotency.ts';
import type { Parameters, Row } from './driver.ts';
import * as eventStatements from './event-statements.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import { Reader, scopeParameters } from './reader.ts';
import { encodeNewHandoff } from './row.ts';
import * as statements from './statements.ts';

/** Who claims, and when. */
export interface ClaimTerms extends StepContext {
  createToken: () => string;
}

/** The rows of one database, by prepared statements. Callers hold the transaction. */
export class Ledger extends Reader {
  readonly #statements: PreparedStatements;
  #steps = 0;
  #soonest_ms = Number.POSITIVE_INFINITY;

  constructor(prepared: PreparedStatements) {
    super(prepared);
    this.#statements = prepared;
  }

  /** How many lines of history were written: whether a call changed anything. */
  get steps(): number {
    return this.#steps;
  }

  /** Adds a handoff with its payload, and opens a draft that was approved at once. */
  begin(given: NewHandoff, beginning: Beginning & StepContext): Handoff {
    this.keepPayload(given.project, pointedPayload(given));
    const added = this.add(begin(given, beginning), given.content_json);
    const step = approvalOf(given);
    return (step && this.take(added, step, beginning)) ?? added;
  }

  add({ handoff, event }: Advance, content_json: string): Handoff {
    this.#statements.of(statements.insertHandoff).run(encodeNewHandoff(handoff, content_json));
    this.#steps += 1;
    this.#statements.of(eventStatements.insertEvent).run(encodeEvent(event, handoff.project));
    this.#expect(handoff);
    return handoff;
  }

  /** Takes a step with a handoff just read; null where it had already taken effect. */
  take(handoff: Handoff, step: Step | StoreStep, context: StepContext): Handoff | null {
    const advanced = advance(handoff, step, context);
    if (advanced === null) return null;
    const { id, delivery } = handoff;
    const moved = encodeDelivery(advanced.handoff.delivery);
    const guard = { id, from_state: delivery.state, from_version: delivery.version };
    if (step.type === 'edit') {
      this.keepPayload(handoff.project, pointedPayload(step));
      this.#change(statements.updateDraft, { ...moved, ...encodeContent(step), ...guard });
    } else {
      this.#change(statements.updateDelivery, { ...moved, ...guard });
    }
    this.append(advanced.event, handoff.project);
    this.#expect(advanced.handoff);
    return advanced.handoff;
  }

  /** Acknowledges what a caller holds, by its token. @throws HandoffError `not_found`, `lease_lost`. */
  acknowledge({ id, token }: HeldHandoff, context: StepContext): Handoff {
    return this.step(id, { type: 'acknowledge', token }, context);
  }

  /** Takes a step with the handoff of an id, as anybody may see it. @throws HandoffError `not_found`, and what the step forbids. */
  step(id: string, step: Step, context: StepContext): Handoff {
    const handoff = this.find(id);
    if (handoff === undefined) throw absentHandoff(id);
    return withoutToken(this.take(handoff, step, context) ?? handoff);
  }

  /** @throws HandoffError where the request names a handoff that this claimer cannot have now. */
  assertNamedClaimable(request: ClaimRequest, claimer: Claimer): void {
    if (request.id === undefined) return;
    const named = this.find(request.id);
    if (named === undefined) throw absentHandoff(request.id);
    assertClaimable(named, request, claimer);
  }

  /** Claims the oldest that the request may have, or the named one, in their order. */
  claim(request: ClaimRequest, terms: ClaimTerms): Handoff[] {
    const { lease_ms, offer, without_lease } = request;
    return this.#findClaimable(request, terms.actor.name, terms.now_ms).flatMap((row) => {
      const handoff = decodeIntactHandoff(row);
      // Within one transaction nobody else can have moved the row: a miss is damage, not a conflict.
      if (handoff.delivery.state !== 'open') throw damagedRow('The queue', 'an index of it offers what is not open');
      const step: Step | StoreStep = without_lease
        ? { type: 'acknowledge' }
        : { type: 'claim', token: terms.createToken(), lease_ms, offer };
      return this.take(handoff, step, terms) ?? [];
    });
  }

  /** Whether a claim would take anything. */
  hasClaimable(request: ClaimRequest, holder: string, now_ms: number): boolean {
    return this.#findClaimable({ ...request, max: 1 }, holder, now_ms).length > 0;
  }

  /** What a claim would take, the oldest first. */
  #findClaimable(request: ClaimRequest, holder: string, now_ms: number): Row[] {
    const { id, max } = request;
    if (id !== undefined) {
      const named = this.row(id);
      return named === undefined ? [] : [named];
    }
    const parameters = { holder, max, ...queueParameters(request, now_ms), ...scopeParameters(request) };
    return this.#statements.oldest(narrowingOf(request)).all(parameters);
  }

  /** How many the claim passes over because they have no scope and the claim names one. */
  countLeftOut(request: ClaimRequest, holder: string, now_ms: number): number {
    const { id, scope, include_unscoped } = request;
    if (id !== undefined || scope === undefined || include_unscoped === true) return 0;
    const statement = this.#statements.of(statements.countLeftOut(narrowingOf(request)));
    const count_max = limits.left_out_max;
    return Number(statement.get({ holder, count_max, ...queueParameters(request, now_ms) })?.count);
  }

  /** Lapses, then expiries, the earliest due first. */
  applyDue(now_ms: number, random: () => number): void {
    const context = { actor: clockActor, now_ms, random };
    this.#soonest_ms = Number.POSITIVE_INFINITY;
    const each = [
      [statements.selectLapsed, { type: 'lapse' }],
      [statements.selectExpired, { type: 'expire' }],
    ] as const;
    for (const [statement, step] of each) {
      // A batch at a time: however many came due, the memory they take stays the same.
      for (let rows = this.#due(statement, now_ms); rows.length > 0; rows = this.#due(statement, now_ms)) {
        for (const row of rows) this.take(decodeForClock(row), step, context);
      }
    }
  }

  /** Whether something written in this transaction is due already: made with an expiry that has passed. */
  hasBecomeDue(now_ms: number): boolean {
    return this.#soonest_ms <= now_ms;
  }

  /** @throws HandoffError `invalid_input` for a pointer to what the project does not have. */
  keepPayload(project: string, pointed: PointedPayload | undefined): void {
    if (pointed === undefined) return;
    const { ref, json } = pointed;
    const { sha256 } = ref;
    if (json !== undefined) this.#statements.of(statements.insertPayload).run({ sha256, json });
    else if (this.#statements.of(statements.selectHasPayload).get({ sha256, project })?.has_payload !== 1) {
      throw absentPayload(ref);
    }
  }

  keepAnswer(keyed: KeyedRequest, answer: unknown, now_ms: number): void {
    this.#statements.of(statements.deleteOldAnswers).run({ now: now_ms });
    const { key_sha256, request_sha256 } = keyed;
    const expires_at = now_ms + limits.idempotency_ms;
    const answer_json = JSON.stringify(answer);
    this.#statements.of(statements.insertAnswer).run({ key_sha256, request_sha256, answer: answer_json, expires_at });
  }

  /** Writes a line of history. */
  append(event: Omit<HandoffEvent, 'seq'>, project: string): void {
    this.#steps += 1;
    this.#statements.of(eventStatements.insertEvent).run(encodeEvent(event, project));
  }

  #due(statement: string, now_ms: number): Row[] {
    return this.#statements.of(statement).all({ now: now_ms, batch_max: limits.batch_max });
  }

  #change(sql: string, parameters: Parameters): void {
    const changes = this.#statements.of(sql).run(parameters);
    // It was read in this very transaction.
    if (changes !== 1) throw damagedRow(`Handoff ${parameters.id}`, 'an index does not lead to its row');
  }

  #expect({ delivery }: Handoff): void {
    if (delivery.state !== 'open' || delivery.expires_at === undefined) return;
    this.#soonest_ms = Math.min(this.#soonest_ms, Date.parse(delivery.expires_at));
  }
}

function narrowingOf({ task_id, kind, scope, max, exclude_ids = [] }: ClaimRequest): statements.ClaimNarrowing {
  return {
    task: task_id !== undefined,
    kind: kind !== undefined,
    excluded: exclude_ids.length > 0,
    scope: scope !== undefined,
    single: max === 1,
  };
}

/** The queue and what of it is on offer. */
function queueParameters({ project, task_id, kind, exclude_ids }: ClaimRequest, now_ms: number): Parameters {
  const excluded = exclude_ids === undefined || exclude_ids.length === 0 ? undefined : JSON.stringify(exclude_ids);
  return { project, task_id, kind, excluded, now: now_ms, backoff_max: limits.backoff_ms_max };
}
