import type { HandoffEvent } from '../../core/delivery.ts';
import { type Filter, isSearch } from '../../core/filter.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { collectPayloads } from '../../core/payload.ts';
import type { Call, CountRequest, Counts, EventsRequest, ListRequest, Page, StoredHandoff } from '../../core/store.ts';
import { decodeEvent } from '../event-columns.ts';
import { decodeHandoff, decodeIntactHandoff, decodeListed } from '../handoff-columns.ts';
import { assertSameRequest, type KeyedRequest } from '../idempotency.ts';
import { type CountedGroup, groupCounted, toBounds, toCounts, toPage, withoutSearch } from '../pages.ts';
import { rowOf } from './changes.ts';
import type { SqlStatements } from './statements.ts';
import { filterParameters, rowsFor, scopeParameters } from './statements.ts';
import { all, first, type Work } from './work.ts';

/** A handoff of an export with its position. A history line without a sequence number yet has 0. */
export type ExportedHandoff = StoredHandoff & { place: number };

/** What of the rows is only read, within one transaction. What is due has happened before. */
export class Reader {
  readonly statements: SqlStatements;

  constructor(statements: SqlStatements) {
    this.statements = statements;
  }

  /** For somebody to work with. @throws HandoffError `unavailable` where it is damaged. */
  *findIntact(id: string): Work<Handoff | undefined> {
    const row = rowOf(id, yield* first(this.statements.dialect.selectHandoff, { id }));
    return row && decodeIntactHandoff(row);
  }

  *page(request: ListRequest): Work<Page> {
    const { filter } = request;
    const { before, limit, skip, look_max, first: end } = toBounds(request);
    const rows = rowsFor(filter);
    let next_seq = 0;
    if (isSearch(filter) && end !== 'oldest') {
      const rest = { ...filterParameters(withoutSearch(filter)), ...scopeParameters(filter), before, look_max };
      next_seq = Number((yield* first(this.statements.nextUnsearched(rows), rest))?.seq ?? 0);
    }
    const parameters = { ...filterParameters(filter), ...scopeParameters(filter), before, next_seq, limit: limit + 1 };
    const list = this.statements.listHandoffs(rows, end === 'oldest' ? 'ASC' : 'DESC');
    const found = (yield* all(list, { ...parameters, skip })).map((row) => ({
      seq: Number(row.seq),
      handoff: decodeListed(row),
    }));
    return { ...toPage({ rows: found, next_seq }, request), unscoped_left_out: yield* this.#countUnscoped(filter) };
  }

  /** How many a scoped filter leaves out because they have no scope; a search does not count them. */
  *#countUnscoped(filter: Filter): Work<number> {
    if (filter.scope === undefined || filter.include_unscoped === true || isSearch(filter)) return 0;
    const parameters = { ...filterParameters(filter), count_max: limits.left_out_max };
    return Number((yield* first(this.statements.countUnscoped(rowsFor(filter)), parameters))?.count);
  }

  *count(request: CountRequest): Work<Counts> {
    const { filter, look_max } = request;
    const { project, state: _counted, ...rest } = filter;
    const isFiltered = Object.values(rest).some((value) => value !== undefined);
    const groups: CountedGroup[] = [];
    const { nextUncounted, countState, countStates } = this.statements;
    for (const { group, states } of groupCounted(request)) {
      const next = yield* first(nextUncounted(group === 'over' ? 'project' : group), { project, look_max });
      const counted = yield* all(group === 'over' ? countStates : countState(group, isFiltered), {
        ...filterParameters({ ...rest, project, state: [...states] }),
        ...scopeParameters(filter),
        next_seq: Number(next?.seq ?? 0),
      });
      const counts = Object.fromEntries(counted.map(({ state, count }) => [String(state), Number(count)]));
      groups.push({ states, counts, isPartial: next !== undefined });
    }
    return toCounts(groups);
  }

  *events({ handoff_id, project, after_seq = 0, newest, limit }: EventsRequest): Work<HandoffEvent[]> {
    const { listEvents, listEventsOfOne } = this.statements;
    const sql = (handoff_id === undefined ? listEvents : listEventsOfOne)(newest === true ? 'DESC' : 'ASC');
    const rows = yield* all(sql, { handoff_id, project, after_seq, limit });
    return (newest === true ? [...rows].reverse() : rows).map(decodeEvent);
  }

  *lastEvent(): Work<number> {
    return Number((yield* first(this.statements.selectLastEvent))?.seq);
  }

  /** Whether anything of a project was put into a session that has not proved it. */
  *isUnproved(project: string): Work<boolean> {
    return Boolean((yield* first(this.statements.selectIsUnproved, { project }))?.is_unproved);
  }

  /** The payloads that handoffs point to, by their SHA-256. @throws HandoffError `unavailable` for a damaged one. */
  *payloadsOf(handoffs: readonly Handoff[]): Work<Record<string, string>> {
    const found = yield* this.#findPayloads(handoffs);
    return collectPayloads(handoffs, (sha256) => found.get(sha256));
  }

  *#findPayloads(handoffs: readonly Handoff[]): Work<Map<string, string>> {
    const sha256s = handoffs.flatMap(({ content }) => content.payload_ref?.sha256 ?? []);
    if (sha256s.length === 0) return new Map();
    const rows = yield* all(this.statements.selectPayloads, { sha256s });
    return new Map(rows.map((row) => [String(row.sha256), String(row.json)]));
  }

  /** What a keyed call was answered, while it is remembered. @throws HandoffError `conflict` for another request. */
  *findAnswer(call: Call, keyed: KeyedRequest, now: number): Work<unknown> {
    const row = yield* first(this.statements.selectAnswer, { key_sha256: keyed.key_sha256, now });
    if (row === undefined) return undefined;
    assertSameRequest(call, String(row.request_sha256), keyed);
    return JSON.parse(String(row.answer));
  }

  *export(page: { after: number; limit: number }): Work<ExportedHandoff[]> {
    const rows = yield* all(this.statements.exportAfter, page);
    const stored = yield* this.withBelongings(rows.map(decodeHandoff));
    return stored.map((each, index) => ({ ...each, place: Number(rows[index]?.seq) }));
  }

  *withBelongings(handoffs: readonly Handoff[]): Work<StoredHandoff[]> {
    if (handoffs.length === 0) return [];
    const lines = yield* all(this.statements.listEventsOf, { ids: handoffs.map(({ id }) => id) });
    const histories = Map.groupBy(lines, ({ handoff_id }) => handoff_id);
    const payloads = yield* this.#findPayloads(handoffs);
    return handoffs.map((handoff) => {
      const events = (histories.get(handoff.id) ?? []).map((row) => decodeEvent({ ...row, seq: row.seq ?? 0 }));
      const { payload_ref } = handoff.content;
      const payload_json = payload_ref && payloads.get(payload_ref.sha256);
      return { handoff, events, ...(payload_json !== undefined && { payload_json }) };
    });
  }
}
