import type { Actor } from '../../core/actor.ts';
import type { HandoffEvent } from '../../core/delivery.ts';
import type { Filter } from '../../core/filter.ts';
import type { Handoff } from '../../core/handoff.ts';
import { type Advance, advance, claimDetails, clockActor, type StepContext, toInstant } from '../../core/lifecycle.ts';
import { limits } from '../../core/limits.ts';
import { listScopeAncestors, normalizeScope } from '../../core/scope.ts';
import type { ClaimRequest, EventsRequest } from '../../core/store.ts';
import { type Step, type StoreStep, transitions } from '../../core/transitions.ts';
import type { KeyedRequest } from '../idempotency.ts';
import type { Driver, Parameters, Row, Statement } from './driver.ts';
import { decodeEvent, decodeHandoff, encodeContent, encodeDelivery, encodeEvent, encodeNewHandoff } from './row.ts';
import * as statements from './statements.ts';

/** Who claims, when, and with which token. */
export interface ClaimTerms {
  actor: Actor;
  now_ms: number;
  token: string;
}

/** Where a page of a list begins and how long it may be. */
export interface PageBounds {
  before: number;
  limit: number;
  first?: 'newest' | 'oldest';
}

/** The rows of one database, by prepared statements. Callers hold the transaction. */
export class Ledger {
  readonly #driver: Driver;
  readonly #prepared = new Map<string, Statement>();
  #steps = 0;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  /** How many lines of history were written: whether a call changed anything. */
  get steps(): number {
    return this.#steps;
  }

  find(id: string): Handoff | undefined {
    const row = this.#statement(statements.selectHandoff).get({ id });
    return row && decodeHandoff(row);
  }

  add({ handoff, event }: Advance): Handoff {
    this.#statement(statements.insertHandoff).run(encodeNewHandoff(handoff));
    this.#append(event, handoff.project);
    return handoff;
  }

  /** Takes a step with a handoff just read; null where it had already taken effect. */
  take(handoff: Handoff, step: Step | StoreStep, context: StepContext): Handoff | null {
    const advanced = advance(handoff, step, context);
    if (advanced === null) return null;
    const { id, delivery } = handoff;
    const guard = { id, from_state: delivery.state, from_version: delivery.version };
    this.#change(statements.updateDelivery, { ...encodeDelivery(advanced.handoff.delivery), ...guard });
    if (step.type === 'edit') this.#change(statements.updateContent, { id, ...encodeContent(advanced.handoff) });
    this.#append(advanced.event, handoff.project);
    return advanced.handoff;
  }

  /** Claims the oldest that the request may have, or the named one; undefined where there is none. */
  claim(request: ClaimRequest, terms: ClaimTerms): Handoff | undefined {
    const { actor, now_ms, token } = terms;
    const lease = {
      holder: actor.name,
      holder_type: actor.type,
      token,
      lease_expires_at: now_ms + request.lease_ms,
      // As `advance` counts: a hook's claim is no attempt.
      counted: actor.type === 'hook' ? 0 : 1,
      // The statement adds the fence, which it alone knows.
      offer: request.offer === undefined ? undefined : JSON.stringify({ ...request.offer, by: actor.name }),
    };
    const row =
      request.id === undefined
        ? this.#queueStatement(request, statements.claimOfTask, statements.claimOfProject).get({
            ...lease,
            ...offerParameters(request, now_ms),
            ...scopeParameters(request),
          })
        : this.#statement(statements.claimById).get({ ...lease, id: request.id });
    if (row === undefined) return undefined;
    const handoff = decodeHandoff(row);
    this.#append(claimEvent(handoff, terms), handoff.project);
    return handoff;
  }

  /** How many the claim passes over because they have no scope and the claim names one. */
  countLeftOut(request: ClaimRequest, holder: string, now_ms: number): number {
    if (request.scope === undefined || request.include_unscoped === true) return 0;
    return this.#count(this.#queueStatement(request, statements.countLeftOutOfTask, statements.countLeftOutOfProject), {
      holder,
      ...offerParameters(request, now_ms),
    });
  }

  isDue(now_ms: number): boolean {
    return this.#statement(statements.selectIsDue).get({ now: now_ms })?.is_due === 1;
  }

  /** Lapses, then expiries, the earliest due first. */
  applyDue(now_ms: number, random: () => number): void {
    const context = { actor: clockActor, now_ms, random };
    const each = [
      [statements.selectLapsed, { type: 'lapse' }],
      [statements.selectExpired, { type: 'expire' }],
    ] as const;
    for (const [statement, step] of each) {
      // A batch at a time: however many came due, the memory they take stays the same.
      for (let rows = this.#due(statement, now_ms); rows.length > 0; rows = this.#due(statement, now_ms)) {
        for (const row of rows) this.take(decodeHandoff(row), step, context);
      }
    }
  }

  #due(statement: string, now_ms: number): Row[] {
    return this.#statement(statement).all({ now: now_ms, batch_max: limits.batch_max });
  }

  /** Newest first, or oldest first, with the place of each. */
  list(filter: Filter, { first, ...bounds }: PageBounds): { seq: number; handoff: Handoff }[] {
    const rows = this.#statement(
      first === 'oldest' ? oldestFirst(listStatementFor(filter)) : listStatementFor(filter),
    ).all({
      ...filterParameters(filter),
      ...scopeParameters(filter),
      ...bounds,
    });
    return rows.map((row) => ({ seq: Number(row.seq), handoff: decodeHandoff(row) }));
  }

  /** How many a scoped filter leaves out because they have no scope. */
  countUnscoped(filter: Filter): number {
    if (filter.scope === undefined || filter.include_unscoped === true) return 0;
    return this.#count(this.#statement(countStatementFor(filter)), filterParameters(filter));
  }

  events({ handoff_id, project, after_seq = 0, newest, limit }: EventsRequest): HandoffEvent[] {
    const parameters = { project, after_seq, limit };
    const { listEvents, listNewestEvents, listEventsOfHandoff, listNewestEventsOfHandoff } = statements;
    const rows =
      handoff_id === undefined
        ? this.#statement(newest === true ? listNewestEvents : listEvents).all(parameters)
        : this.#statement(newest === true ? listNewestEventsOfHandoff : listEventsOfHandoff).all({
            ...parameters,
            handoff_id,
          });
    return (newest === true ? rows.reverse() : rows).map(decodeEvent);
  }

  get lastEvent(): number {
    return Number(this.#statement(statements.selectLastEvent).get()?.seq);
  }

  findAnswer({ key_sha256 }: KeyedRequest, now_ms: number): { request_sha256: string; answer: unknown } | undefined {
    const row = this.#statement(statements.selectAnswer).get({ key_sha256, now: now_ms });
    return row && { request_sha256: String(row.request_sha256), answer: JSON.parse(String(row.answer)) };
  }

  keepAnswer(keyed: KeyedRequest, answer: unknown, now_ms: number): void {
    this.#statement(statements.deleteOldAnswers).run({ now: now_ms });
    const expires_at = now_ms + limits.idempotency_ms;
    this.#statement(statements.insertAnswer).run({ ...keyed, answer: JSON.stringify(answer), expires_at });
  }

  #append(event: Omit<HandoffEvent, 'seq'>, project: string): void {
    this.#steps += 1;
    this.#statement(statements.insertEvent).run(encodeEvent(event, project));
  }

  /** Within one transaction nobody else can have moved the row: a miss is a defect, not a conflict. */
  #change(sql: string, parameters: Parameters): void {
    const changes = this.#statement(sql).run(parameters);
    if (changes !== 1) throw new Error(`The guard of a step did not hold: ${changes} rows changed.`);
  }

  #count(statement: Statement, parameters: Parameters): number {
    return Number(statement.get({ ...parameters, count_max: limits.left_out_max })?.count);
  }

  #queueStatement({ task_id }: ClaimRequest, ofTask: string, ofProject: string): Statement {
    return this.#statement(task_id === undefined ? ofProject : ofTask);
  }

  #statement(sql: string): Statement {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#driver.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

/** The one statement whose index serves the filter. */
function listStatementFor({ project, state, id_suffix, awaiting_proof }: Filter): string {
  if (project === undefined) return statements.listAll;
  if (awaiting_proof === true) return statements.listOfferedOfProject;
  if (id_suffix !== undefined && id_suffix.length >= 8) return statements.listBySuffix;
  const [only, ...others] = state ?? [];
  if (only === undefined || others.length > 0) return statements.listProject;
  if (only === 'open') return statements.listOpenOfProject;
  const isUnfinished = ['draft', 'claimed', 'waiting', 'dead'].includes(only);
  return isUnfinished ? statements.listUnfinishedOfProject : statements.listProject;
}

/** A list from its other end: the same statement with its last words turned round. */
function oldestFirst(list: string): string {
  return list.replace(/ORDER BY seq DESC LIMIT :limit$/, 'ORDER BY seq LIMIT :limit');
}

function countStatementFor({ project, state }: Filter): string {
  if (project === undefined) return statements.countUnscopedOfAll;
  const isOpenAlone = state?.length === 1 && state[0] === 'open';
  return isOpenAlone ? statements.countUnscopedOpenOfProject : statements.countUnscopedOfProject;
}

/** The queue and what of it is on offer. */
function offerParameters({ project, task_id, kind, exclude_ids }: ClaimRequest, now_ms: number): Parameters {
  const excluded = exclude_ids === undefined || exclude_ids.length === 0 ? undefined : JSON.stringify(exclude_ids);
  // A statement knows no parameter that it does not name.
  return { project, ...(task_id === undefined ? {} : { task_id }), kind, excluded, now: now_ms };
}

function scopeParameters({ scope, include_unscoped }: Pick<Filter, 'scope' | 'include_unscoped'>): Parameters {
  const normalized = scope === undefined ? undefined : normalizeScope(scope);
  return {
    scope: normalized,
    include_unscoped: include_unscoped === true ? 1 : 0,
    // The empty scope is everybody's ancestor.
    scope_ancestors: JSON.stringify(normalized === undefined ? [] : ['', ...listScopeAncestors(normalized)]),
  };
}

function filterParameters(filter: Filter): Parameters {
  const { project, state, kind, task_id, source_agent, target_agent, phase, session, branch } = filter;
  const { awaiting_proof, since, id_suffix } = filter;
  return {
    project,
    states: state && JSON.stringify(state),
    kind,
    task_id,
    source_agent,
    target_agent,
    phase,
    session,
    branch,
    awaiting_proof: awaiting_proof === true ? 1 : undefined,
    since: since === undefined ? undefined : Date.parse(since),
    id_suffix,
  };
}

/** The line of history that `advance` writes for a claim. */
function claimEvent({ id, delivery }: Handoff, { actor, now_ms }: ClaimTerms): Omit<HandoffEvent, 'seq'> {
  const { offered } = delivery;
  const name = transitions.claim.event;
  return {
    handoff_id: id,
    name,
    at: toInstant(now_ms),
    actor,
    from: 'open',
    to: 'claimed',
    details: claimDetails(delivery, offered),
  };
}
