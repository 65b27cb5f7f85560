import type { HandoffEvent } from '../../core/delivery.ts';
import { type Filter, foldCase, isSearch } from '../../core/filter.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { collectPayloads } from '../../core/payload.ts';
import { listScopeAncestors, normalizeScope } from '../../core/scope.ts';
import type { State } from '../../core/state.ts';
import type { CountRequest, Counts, EventsRequest, ListRequest, Page } from '../../core/store.ts';
import { damagedRow } from '../damaged-row.ts';
import { decodeEvent } from '../event-columns.ts';
import { decodeHandoff, decodeIntactHandoff } from '../handoff-columns.ts';
import type { KeyedRequest } from '../idempotency.ts';
import {
  type CountedGroup,
  type CountedTogether,
  type Found,
  groupCounted,
  type PageBounds,
  toBounds,
  toCounts,
  toPage,
  withoutSearch,
} from '../pages.ts';
import type { Parameters, Row } from './driver.ts';
import * as eventStatements from './event-statements.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import * as searching from './search-statements.ts';
import * as statements from './statements.ts';

/** What of the rows of one database is only read. Callers have let happen what is due. */
export class Reader {
  readonly #statements: PreparedStatements;

  constructor(prepared: PreparedStatements) {
    this.#statements = prepared;
  }

  find(id: string): Handoff | undefined {
    const row = this.row(id);
    return row && decodeHandoff(row);
  }

  /** For somebody to work with. @throws HandoffError `unavailable` where it is damaged. */
  findIntact(id: string): Handoff | undefined {
    const row = this.row(id);
    return row && decodeIntactHandoff(row);
  }

  /** A page of a list. @throws HandoffError `invalid_input` for a cursor that no list has given. */
  page(request: ListRequest): Page {
    const { filter } = request;
    const found = this.#list(filter, toBounds(request));
    return { ...toPage(found, request), unscoped_left_out: this.#countUnscoped(filter) };
  }

  #list(filter: Filter, { first, look_max, ...page }: PageBounds): Found {
    const list = listStatementFor(filter);
    const bounds = { ...page, limit: page.limit + 1 };
    const isBounded = isSearch(filter) && first !== 'oldest';
    const next_seq = isBounded ? this.#nextUnsearched(list, filter, { ...bounds, look_max }) : 0;
    const statement = isBounded ? searching.searched(list) : first === 'oldest' ? oldestFirst(list) : list;
    const rows = this.#statements.of(statement).all({
      ...filterParameters(filter),
      ...scopeParameters(filter),
      ...bounds,
      ...(isBounded ? { next_seq } : {}),
    });
    return { rows: rows.map((row) => ({ seq: Number(row.seq), handoff: decodeHandoff(row) })), next_seq };
  }

  #nextUnsearched(list: string, filter: Filter, { before, look_max }: { before: number; look_max: number }): number {
    const parameters = { ...filterParameters(withoutSearch(filter)), ...scopeParameters(filter), before, look_max };
    return Number(this.#statements.of(searching.nextUnsearched(list)).get(parameters)?.seq ?? 0);
  }

  /** How many answer a filter of one project, by state. */
  count(request: CountRequest): Counts {
    return toCounts(groupCounted(request).map(({ group, states }) => this.#countGroup(group, { states, ...request })));
  }

  #countGroup(
    group: CountedTogether,
    { states, filter, look_max }: CountRequest & { states: readonly State[] },
  ): CountedGroup {
    const { project, state: _counted, ...rest } = filter;
    // What is claimed is found by its lease, and not in its order: each has a holder, so that there are few.
    const next =
      group === 'claimed' ? undefined : this.#statements.of(searching.nextUncounted(group)).get({ project, look_max });
    const isFiltered = Object.values(rest).some((value) => value !== undefined);
    const rows = this.#statements.of(searching.countStates(group, isFiltered)).all({
      ...filterParameters({ ...rest, project, ...(group === 'over' ? { state: [...states] } : {}) }),
      ...scopeParameters(filter),
      next_seq: Number(next?.seq ?? 0),
    });
    const counts = Object.fromEntries(rows.map(({ state, count }) => [String(state), Number(count)]));
    return { states, counts, isPartial: next !== undefined };
  }

  /** How many a scoped filter leaves out because they have no scope; a search does not count them. */
  #countUnscoped(filter: Filter): number {
    if (filter.scope === undefined || filter.include_unscoped === true || isSearch(filter)) return 0;
    const parameters = { ...filterParameters(filter), count_max: limits.left_out_max };
    return Number(this.#statements.of(countStatementFor(filter)).get(parameters)?.count);
  }

  events({ handoff_id, project, after_seq = 0, newest, limit }: EventsRequest): HandoffEvent[] {
    const parameters = { handoff_id, project, after_seq, limit };
    const { listEvents, listNewestEvents, listEventsOfHandoff, listNewestEventsOfHandoff } = eventStatements;
    const ofAll = newest === true ? listNewestEvents : listEvents;
    const ofHandoff = newest === true ? listNewestEventsOfHandoff : listEventsOfHandoff;
    const rows = this.#statements.of(handoff_id === undefined ? ofAll : ofHandoff).all(parameters);
    return (newest === true ? rows.reverse() : rows).map(decodeEvent);
  }

  get lastEvent(): number {
    return Number(this.#statements.of(eventStatements.selectLastEvent).get()?.seq);
  }

  /** The payloads that handoffs point to, by their SHA-256. @throws HandoffError `unavailable` for a damaged one. */
  payloadsOf(handoffs: readonly Handoff[]): Record<string, string> {
    return collectPayloads(handoffs, (sha256) => this.findPayload(sha256));
  }

  /** The payload that a handoff points to. @throws HandoffError `unavailable` for a damaged one. */
  payloadOf(id: string): string | undefined {
    const handoff = this.find(id);
    return handoff && Object.values(this.payloadsOf([handoff]))[0];
  }

  findPayload(sha256: string): string | undefined {
    const row = this.#statements.of(statements.selectPayload).get({ sha256 });
    return row && String(row.json);
  }

  findAnswer({ key_sha256 }: KeyedRequest, now_ms: number): { request_sha256: string; answer: unknown } | undefined {
    const row = this.#statements.of(statements.selectAnswer).get({ key_sha256, now: now_ms });
    return row && { request_sha256: String(row.request_sha256), answer: JSON.parse(String(row.answer)) };
  }

  /** Whether anything of a project was put into a session that has not proved it. */
  isUnproved(project: string): boolean {
    return this.#statements.of(statements.selectIsUnproved).get({ project })?.is_unproved === 1;
  }

  isDue(now_ms: number): boolean {
    return this.#statements.of(statements.selectIsDue).get({ now: now_ms })?.is_due === 1;
  }

  /** @throws HandoffError `unavailable` where the index of ids is damaged. */
  protected row(id: string): Row | undefined {
    const row = this.#statements.of(statements.selectHandoff).get({ id });
    if (row === undefined || row.id === id) return row;
    throw damagedRow(`Handoff ${id}`, `its place is said to be that of ${row.id}`);
  }
}

/** The parameters of a statement that judges scopes. */
export function scopeParameters({ scope, include_unscoped }: Pick<Filter, 'scope' | 'include_unscoped'>): Parameters {
  const normalized = scope === undefined ? undefined : normalizeScope(scope);
  return {
    scope: normalized,
    include_unscoped: include_unscoped === true ? 1 : 0,
    // The empty scope is everybody's ancestor.
    scope_ancestors: normalized === undefined ? '[]' : JSON.stringify(['', ...listScopeAncestors(normalized)]),
  };
}

/** The one state that a filter names, where it has an index. */
function indexedState({ state }: Filter): statements.IndexedState | undefined {
  const [only, ...others] = state ?? [];
  return only !== undefined && others.length === 0 && statements.isIndexed(only) ? only : undefined;
}

/** The one statement whose index serves the filter. */
function listStatementFor(filter: Filter): string {
  const { project, id_suffix, awaiting_proof } = filter;
  if (project === undefined) return statements.listAll;
  if (awaiting_proof === true) return statements.listOfferedOfProject;
  if (id_suffix !== undefined) return statements.listBySuffix;
  const state = indexedState(filter);
  return state === undefined ? statements.listProject : statements.listInState(state);
}

/** A list from its other end: the same statement with its last words turned round. */
function oldestFirst(list: string): string {
  return list.replace(/ORDER BY seq DESC (?=LIMIT \S+ \+ 0 OFFSET \S+ \+ 0$)/, 'ORDER BY seq ');
}

function countStatementFor(filter: Filter): string {
  if (filter.project === undefined) return statements.countUnscopedOfAll;
  const state = indexedState(filter);
  return state === undefined ? statements.countUnscopedOfProject : statements.countUnscopedInState(state);
}

function filterParameters({ since, awaiting_proof, state, text, ...filter }: Filter): Parameters {
  const { project, kind, task_id, source_agent, target_agent, phase, session, branch, id_suffix, file } = filter;
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
    text: text === undefined ? undefined : foldCase(text),
    file,
  };
}
