import type { HandoffEvent } from '../../core/delivery.ts';
import { type Filter, foldCase, isSearch } from '../../core/filter.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { collectPayloads } from '../../core/payload.ts';
import { listScopeAncestors, normalizeScope } from '../../core/scope.ts';
import type {
  ClaimRequest,
  CountRequest,
  Counts,
  EventsRequest,
  ListRequest,
  Page,
  StoredHandoff,
} from '../../core/store.ts';
import { decodeEvent } from '../event-columns.ts';
import { decodeHandoff, decodeIntactHandoff } from '../handoff-columns.ts';
import type { KeyedRequest } from '../idempotency.ts';
import {
  type CountedGroup,
  type Found,
  groupCounted,
  type PageBounds,
  toBounds,
  toCounts,
  toPage,
  withoutSearch,
} from '../pages.ts';
import { selectAnswer } from './answer-statements.ts';
import { type ClaimNarrowing, countLeftOut } from './claim-statements.ts';
import { selectIsUnplaced } from './places.ts';
import * as searching from './search-statements.ts';
import type { Parameters, Session } from './session.ts';
import * as statements from './statements.ts';

/** A handoff of an export with its place; `isPlaced` where each of its lines has one. */
export type ExportedHandoff = StoredHandoff & { place: number; isPlaced: boolean };

/** What of the rows is only read, within one transaction. Callers have let happen what is due. */
export class Reader {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** For somebody to work with. @throws HandoffError `unavailable` where it is damaged. */
  async findIntact(id: string): Promise<Handoff | undefined> {
    const row = await this.#session.get(statements.selectHandoff, { id });
    return row && decodeIntactHandoff(row);
  }

  /** A page of a list. @throws HandoffError `invalid_input` for a cursor that no list has given. */
  async page(request: ListRequest): Promise<Page> {
    const { filter } = request;
    const found = await this.#list(filter, toBounds(request));
    return { ...toPage(found, request), unscoped_left_out: await this.#countUnscoped(filter) };
  }

  async #list(filter: Filter, { first, look_max, ...page }: PageBounds): Promise<Found> {
    const list = statements.listHandoffs(rowsFor(filter), first === 'oldest' ? 'ASC' : 'DESC');
    const bounds = { ...page, limit: page.limit + 1 };
    const isBounded = isSearch(filter) && first !== 'oldest';
    const next_seq = isBounded ? await this.#nextUnsearched(list, filter, { ...bounds, look_max }) : 0;
    const parameters = { ...filterParameters(filter), ...scopeParameters(filter), ...bounds };
    const rows = isBounded
      ? await this.#session.all(searching.searched(list), { ...parameters, next_seq })
      : await this.#session.all(list, parameters);
    return { rows: rows.map((row) => ({ seq: Number(row.seq), handoff: decodeHandoff(row) })), next_seq };
  }

  async #nextUnsearched(list: string, filter: Filter, page: { before: number; look_max: number }): Promise<number> {
    const { before, look_max } = page;
    const parameters = { ...filterParameters(withoutSearch(filter)), ...scopeParameters(filter), before, look_max };
    return Number((await this.#session.get(searching.nextUnsearched(list), parameters))?.seq ?? 0);
  }

  /** Whether anything of a project was put into a session that has not proved it. */
  async isUnproved(project: string): Promise<boolean> {
    return (await this.#session.get(statements.selectIsUnproved, { project }))?.is_unproved === true;
  }

  /** How many answer a filter of one project, by state. */
  async count(request: CountRequest): Promise<Counts> {
    const { filter, look_max } = request;
    const groups: CountedGroup[] = [];
    for (const { group, states } of groupCounted(request)) {
      const rows = group === 'over' ? 'all' : group;
      const next = await this.#session.get(searching.nextUncounted(rows), { project: filter.project, look_max });
      const counted = await this.#session.all(searching.countStates(rows), {
        ...filterParameters({ ...filter, state: [...states] }),
        ...scopeParameters(filter),
        next_seq: Number(next?.seq ?? 0),
      });
      const counts = Object.fromEntries(counted.map(({ state, count }) => [String(state), Number(count)]));
      groups.push({ states, counts, isPartial: next !== undefined });
    }
    return toCounts(groups);
  }

  /** How many a scoped filter leaves out because they have no scope; a search does not count them. */
  async #countUnscoped(filter: Filter): Promise<number> {
    if (filter.scope === undefined || filter.include_unscoped === true || isSearch(filter)) return 0;
    const parameters = { ...filterParameters(filter), count_max: limits.left_out_max };
    return Number((await this.#session.get(statements.countUnscoped(rowsFor(filter)), parameters))?.count);
  }

  async events({ handoff_id, project, after_seq = 0, newest, limit }: EventsRequest): Promise<HandoffEvent[]> {
    const sql = statements.listEvents(handoff_id !== undefined, newest === true ? 'DESC' : 'ASC');
    const rows = await this.#session.all(sql, { handoff_id, project, after_seq, limit });
    return (newest === true ? rows.reverse() : rows).map(decodeEvent);
  }

  /** Whether some committed line has no place yet. */
  async isUnplaced(): Promise<boolean> {
    return (await this.#session.get(selectIsUnplaced))?.is_unplaced === true;
  }

  /** The payloads that handoffs point to, by their SHA-256. @throws HandoffError `unavailable` for a damaged one. */
  async payloadsOf(handoffs: readonly Handoff[]): Promise<Record<string, string>> {
    const found = await this.findPayloads(handoffs);
    return collectPayloads(handoffs, (sha256) => found.get(sha256));
  }

  /** As far as they are there. */
  async findPayloads(handoffs: readonly Handoff[]): Promise<Map<string, string>> {
    const sha256s = handoffs.flatMap(({ content }) => content.payload_ref?.sha256 ?? []);
    if (sha256s.length === 0) return new Map();
    const rows = await this.#session.all(statements.selectPayloads, { sha256s });
    return new Map(rows.map((row) => [String(row.sha256), String(row.json)]));
  }

  async findAnswer({ key_sha256 }: KeyedRequest): Promise<{ request_sha256: string; answer: unknown } | undefined> {
    const row = await this.#session.get(selectAnswer, { key_sha256, now: this.#session.now_ms });
    return row && { request_sha256: String(row.request_sha256), answer: JSON.parse(String(row.answer)) };
  }

  /** How many a claim passes over because they have no scope and the claim names one. */
  async countLeftOut(request: ClaimRequest, holder: string): Promise<number> {
    const { id, scope, include_unscoped } = request;
    if (id !== undefined || scope === undefined || include_unscoped === true) return 0;
    const parameters = { holder, count_max: limits.left_out_max, ...queueParameters(request, this.#session.now_ms) };
    const counted = await this.#session.get(countLeftOut(narrowingOf(request)), parameters);
    return Math.min(limits.left_out_max, Number(counted?.count));
  }

  /** Handoffs in their order, with all that belongs to them. */
  async export(page: { after: number; limit: number }): Promise<ExportedHandoff[]> {
    const rows = await this.#session.all(statements.exportAfter, page);
    const stored = await this.withBelongings(rows.map((row) => decodeHandoff(row)));
    return stored.map((each, index) => ({ ...each, place: Number(rows[index]?.seq) }));
  }

  /** Handoffs with their histories and payloads. */
  async withBelongings(handoffs: readonly Handoff[]): Promise<(StoredHandoff & { isPlaced: boolean })[]> {
    const ids = handoffs.map(({ id }) => id);
    const lines = ids.length === 0 ? [] : await this.#session.all(statements.listEventsOf, { ids });
    const payloads = await this.findPayloads(handoffs);
    return handoffs.map((handoff) => {
      const own = lines.filter(({ handoff_id }) => handoff_id === handoff.id);
      const isPlaced = own.every(({ seq }) => seq !== null);
      const events = own.map((line) => decodeEvent({ ...line, seq: line.seq ?? 0 }));
      const { payload_ref } = handoff.content;
      const payload_json = payload_ref && payloads.get(payload_ref.sha256);
      return { handoff, events, isPlaced, ...(payload_json !== undefined && { payload_json }) };
    });
  }
}

/** The parameters of a statement that judges scopes. */
export function scopeParameters({ scope, include_unscoped }: Pick<Filter, 'scope' | 'include_unscoped'>): Parameters {
  const normalized = scope === undefined ? undefined : normalizeScope(scope);
  return {
    scope: normalized,
    include_unscoped: include_unscoped === true,
    // The empty scope is everybody's ancestor.
    scope_ancestors: normalized === undefined ? [] : ['', ...listScopeAncestors(normalized)],
  };
}

/** What a claim names, and with it the statement that serves it. */
export function narrowingOf({ task_id, kind, scope, exclude_ids = [] }: ClaimRequest): ClaimNarrowing {
  return {
    task: task_id !== undefined,
    kind: kind !== undefined,
    excluded: exclude_ids.length > 0,
    scope: scope !== undefined,
  };
}

/** The queue and what of it is on offer. */
export function queueParameters(request: ClaimRequest, now_ms: number | undefined): Parameters {
  const { project, task_id, kind, exclude_ids } = request;
  return { project, task_id, kind, excluded: exclude_ids, now: now_ms, backoff_max: limits.backoff_ms_max };
}

/** The few rows that a filter of a project goes through, where its state or proof names them. */
function rowsFor({ project, state = [], awaiting_proof }: Filter): statements.RowsOfList {
  if (project === undefined) return 'all';
  if (awaiting_proof === true) return 'offered';
  const [only = 'all', ...others] = state;
  return others.length === 0 && statements.isRowsOfList(only) ? only : 'all';
}

function filterParameters({ since, awaiting_proof, state, text, ...filter }: Filter): Parameters {
  const { project, kind, task_id, source_agent, target_agent, phase, session, branch, id_suffix, file } = filter;
  return {
    project,
    states: state,
    kind,
    task_id,
    source_agent,
    target_agent,
    phase,
    session,
    branch,
    awaiting_proof: awaiting_proof === true ? true : undefined,
    since: since === undefined ? undefined : Date.parse(since),
    id_suffix,
    text: text === undefined ? undefined : foldCase(text),
    file,
  };
}
