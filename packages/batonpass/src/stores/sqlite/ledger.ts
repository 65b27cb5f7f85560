import type { Actor } from '../../core/actor.ts';
import type { HandoffEvent } from '../../core/delivery.ts';
import type { Handoff } from '../../core/handoff.ts';
import { type Advance, advance, claimDetails, clockActor, type StepContext } from '../../core/lifecycle.ts';
import { approvalOf, type Beginning, begin } from '../../core/lifecycle-begin.ts';
import { absentHandoff, assertClaimable, type Claimer } from '../../core/lifecycle-claim.ts';
import { limits } from '../../core/limits.ts';
import { absentPayload, type PointedPayload, pointedPayload } from '../../core/payload.ts';
import type { ClaimRequest, HeldHandoff, NewHandoff } from '../../core/store.ts';
import { type Step, type StoreStep, transitions } from '../../core/transitions.ts';
import { withoutToken } from '../../core/without-token.ts';
import { damagedRow } from '../damaged-row.ts';
import { encodeEvent } from '../event-columns.ts';
import { decodeForClock, decodeHandoff, decodeIntactHandoff, encodeDelivery } from '../handoff-columns.ts';
import type { KeyedRequest } from '../idempotency.ts';
import type { ColumnValue, Parameters, Row } from './driver.ts';
import * as eventStatements from './event-statements.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import { Reader, scopeParameters } from './reader.ts';
import { encodeContent, encodeNewHandoff } from './row.ts';
import { acknowledgedRow, claimedRow } from './row-steps.ts';
import * as statements from './statements.ts';

/** Who claims, and when. */
export interface ClaimTerms {
  actor: Actor;
  now_ms: number;
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
    this.#statements.of(eventStatements.insertFirstEvent).run(encodeEvent(event, handoff.project));
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
    const { actor, now_ms } = context;
    const row = this.row(id);
    if (row === undefined) throw absentHandoff(id);
    const end = { seq: row.seq, token, holder: actor.name, holder_type: actor.type, now: now_ms };
    const isHeld = this.#statements.of(statements.acknowledgeAt).run(end) === 1;
    if (!isHeld) return this.#judge(id, { type: 'acknowledge', token }, context);
    const handoff = decodeHandoff(acknowledgedRow(row, end));
    this.#note(handoff, 'acknowledge', { ...context, seq: row.seq });
    return handoff;
  }

  /** The same for whoever does not look at the handoff again. @throws HandoffError `not_found`, `lease_lost`. */
  finish({ id, token }: HeldHandoff, project: string, context: StepContext): void {
    const { actor, now_ms } = context;
    const end = { id, project, token, holder: actor.name, holder_type: actor.type, now: now_ms };
    const isHeld = this.#statements.of(statements.acknowledgeUnread).run(end) === 1;
    if (isHeld) this.#note({ id, project }, 'acknowledge', context);
    else this.#judge(id, { type: 'acknowledge', token }, context);
  }

  /** Takes a step with the handoff of an id, as anybody may see it. @throws HandoffError `not_found`, and what the step forbids. */
  step(id: string, step: Step, context: StepContext): Handoff {
    if (step.type !== 'acknowledge' || step.token === undefined) return this.#judge(id, step, context);
    return this.acknowledge({ id, token: step.token }, context);
  }

  /** Reads the handoff first, so that a step that is not allowed says why. */
  #judge(id: string, step: Step, context: StepContext): Handoff {
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
    return this.#findClaimable(request, terms.actor.name, terms.now_ms).map((row) =>
      request.without_lease === true ? this.#takeAt(row, terms) : this.#claimAt(row, request, terms),
    );
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

  #claimAt(row: Row, { lease_ms, offer }: ClaimRequest, terms: ClaimTerms): Handoff {
    const { actor, now_ms, createToken } = terms;
    const claim = {
      seq: row.seq,
      holder: actor.name,
      holder_type: actor.type,
      token: createToken(),
      lease_expires_at: now_ms + lease_ms,
      // As `advance` counts: a hook's claim is no attempt.
      counted: actor.type === 'hook' ? 0 : 1,
      offered: offer && JSON.stringify({ ...offer, by: actor.name, fence: Number(row.fence) + 1 }),
    };
    this.#moveOpen(statements.claimAt, claim);
    const handoff = decodeIntactHandoff(claimedRow(row, claim));
    const { delivery } = handoff;
    this.#note(handoff, 'claim', { actor, now_ms, seq: row.seq }, claimDetails(delivery, delivery.offered));
    return handoff;
  }

  #takeAt(row: Row, terms: ClaimTerms): Handoff {
    const taking = { seq: row.seq, holder: terms.actor.name, now: terms.now_ms };
    this.#moveOpen(statements.takeAt, taking);
    const handoff = decodeIntactHandoff(acknowledgedRow(row, taking));
    this.#note(handoff, 'take', { ...terms, seq: row.seq });
    return handoff;
  }

  /** The line of history that `advance` writes for a claim or its end. */
  #note(
    { id, project }: Pick<Handoff, 'id' | 'project'>,
    step: keyof typeof lines,
    by: LineBy,
    details?: object,
  ): void {
    const { actor, now_ms, seq } = by;
    this.#steps += 1;
    this.#statements.of(eventStatements.insertEvent).run({
      handoff_id: id,
      handoff_seq: seq,
      project,
      at: now_ms,
      actor_name: actor.name,
      actor_type: actor.type,
      details: details && JSON.stringify(details),
      ...lines[step],
    });
  }

  /** Within one transaction nobody else can have moved the row: a miss is damage, not a conflict. */
  #moveOpen(sql: string, parameters: Parameters): void {
    if (this.#statements.of(sql).run(parameters) === 1) return;
    throw damagedRow('The queue', 'an index of it offers what is not open');
  }

  #change(sql: string, parameters: Parameters): void {
    const changes = this.#statements.of(sql).run(parameters);
    if (changes !== 1) throw new Error(`The guard of a step did not hold: ${changes} rows changed.`);
  }

  #expect({ delivery }: Handoff): void {
    if (delivery.state !== 'open' || delivery.expires_at === undefined) return;
    this.#soonest_ms = Math.min(this.#soonest_ms, Date.parse(delivery.expires_at));
  }
}

/** Who wrote a line, when, and the handoff's place where it is known. */
type LineBy = Pick<StepContext, 'actor' | 'now_ms'> & { seq?: ColumnValue };

/** What history says of the usual steps. */
const lines = {
  claim: { name: transitions.claim.event, from_state: 'open', to_state: 'claimed' },
  take: { name: transitions.acknowledge.event, from_state: 'open', to_state: 'acknowledged' },
  acknowledge: { name: transitions.acknowledge.event, from_state: 'claimed', to_state: 'acknowledged' },
} as const;

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
