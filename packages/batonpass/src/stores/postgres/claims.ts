import { limits } from '../../core/limits.ts';
import type { ClaimRequest } from '../../core/store.ts';
import type { ReadRow } from '../handoff-columns.ts';
import { type Claimer, deliveryColumns, originColumns } from '../sql/dialect.ts';
import { available, inScope, queueParameters } from '../sql/statements.ts';
import { all, first, type Statement, type Work } from '../sql/work.ts';

/** Whether a column is one of a parameter's list. */
export const isAmong = (column: string, parameter: string) => `${column} = ANY(:${parameter}::text[])`;

/** Whether a column's scope is below that of a parameter. */
export const isBelow = (column: string, parameter: string) =>
  `left(${column}, length(:${parameter}) + 1) = :${parameter} || '/'`;

/** Open, in the words of the indexes of claims and expiries: another of what is open looks as small, and can be full of dead rows. */
export const onOffer = "state || '' = 'open'";

const isAvailable = (now: string) => `${available(now)} AND (expires_at IS NULL OR expires_at > ${now})`;

const queue = (byTask: boolean, addressed: string) => `project = :project AND ${onOffer} AND seq > 0 AND ${addressed}
  ${byTask ? 'AND task_id = :task_id' : ''} AND (kind = :kind OR :kind IS NULL) AND ${inScope({ isAmong, isBelow })}`;

const offered = (byTask: boolean, addressed: string, now: string) =>
  `FROM deliveries WHERE ${queue(byTask, addressed)} AND ${isAvailable(now)} AND NOT ${isAmong('id', 'excluded')}`;

/** To whom a handoff is addressed, in the words of the index that serves the claim. */
const target = (byTask: boolean) => (byTask ? 'target_agent' : "target_agent || ''");
const mine = (byTask: boolean) => `${target(byTask)} = :holder`;
const nobodys = (byTask: boolean) => `${target(byTask)} = ''`;

/** What a claimer may take: addressed to it, and to nobody. */
export const claimable = (byTask: boolean) => [mine, nobodys].map((whose) => offered(byTask, whose(byTask), ':now'));

/** Open handoffs from the watermark of the queue on, and those that came back to a position below it. */
const fromWatermark = (byTask: boolean, whose: typeof mine, window: number) => `
  (SELECT id, seq ${offered(byTask, whose(byTask), 'now_ms')} AND seq >= :watermark::bigint
    ORDER BY seq LIMIT ${window})
  UNION ALL
  (SELECT id, seq ${offered(byTask, whose(true), 'now_ms')} AND has_moved AND seq + 0 < :watermark::bigint
    ORDER BY seq + 0 LIMIT ${window})`;

/** Columns of a table, as a list. */
export const columnsOf = (table: string, columns: readonly string[]) =>
  columns.map((each) => `${table}.${each}`).join(', ');

/** How many a claim looks at: what others are about to take is passed over. The second look is where they take all. */
const NEAR = limits.batch_max + 200;
const FAR = 20_000;

/**
 * The oldest that the claimer may take and no other claim is about to: addressed to it and to nobody, merged; each branch
 * has its own limit, without which the planner sorts it whole. A row is locked as it is read, in the order of the queue, and
 * no more than requested: one that is locked and not taken would make another claim skip it. Its state is tested again, in a
 * form that makes the planner find the row by its id. Without `:now` the time is that of the transaction.
 * @param window - how many are looked at; part of the text, for a plan that is made once must know it.
 */
export const lockOldest = (byTask: boolean, window = NEAR) => `
SELECT moved.seq, ${columnsOf('handoffs', originColumns)}, handoffs.content_sha256, handoffs.content,
  ${columnsOf('moved', deliveryColumns)}
FROM (SELECT coalesce(:now::bigint, current_setting('baton.now_ms')::bigint) AS now_ms OFFSET 0) AS moment
CROSS JOIN LATERAL (
  SELECT free.* FROM (
    SELECT id, seq FROM (${fromWatermark(byTask, mine, window)} UNION ALL ${fromWatermark(byTask, nobodys, window)}
    ) AS either ORDER BY seq LIMIT ${window}
  ) AS offered
  CROSS JOIN LATERAL (
    SELECT * FROM deliveries WHERE id = offered.id AND ${onOffer} AND ${isAvailable('now_ms')} FOR UPDATE SKIP LOCKED
  ) AS free LIMIT :max::bigint
) AS moved INNER JOIN handoffs ON handoffs.id = moved.id ORDER BY moved.seq`;

const selectWatermark = (byTask: boolean) => {
  const lowest = (whose: typeof mine) => `(SELECT seq FROM deliveries WHERE ${queue(byTask, whose(byTask))}
    AND NOT has_moved AND seq >= :watermark::bigint ORDER BY seq LIMIT 1)`;
  return `
SELECT coalesce(least(
  ${lowest(mine)},
  ${lowest(nobodys)},
  (SELECT seq + 1 FROM handoffs WHERE project = :project ORDER BY seq + 0 DESC LIMIT 1)
), 0) AS watermark`;
};

const statementsBy = (byTask: boolean) => ({
  near: lockOldest(byTask),
  far: lockOldest(byTask, FAR),
  watermark: selectWatermark(byTask),
});
const [ofAny, ofTask] = [statementsBy(false), statementsBy(true)];
const statementsOf = ({ task_id }: ClaimRequest) => (task_id === undefined ? ofAny : ofTask);

/** So often a watermark is raised while claims come, and so often it is found from the bottom again. */
const RAISED_MS = 250;
const FOUND_AGAIN_MS = 60_000;

/**
 * Where the scan of a claim begins: below the watermark of its queue no handoff is open that was never claimed, and none
 * will be, for a project commits its sequence numbers in order, and what was claimed once counts as moved for ever and has
 * an index of its own. A claim leaves a dead row in the index of open handoffs; while any transaction of the server is old
 * enough to see it, a scan from the bottom would read each.
 *
 * A server that breaks this (numbers that do not rise, an older state restored) makes claims late, not lost: from time to
 * time the watermark is computed from the bottom again.
 */
export class Watermarks {
  readonly #known = new Map<string, { place: number; raised_ms: number; found_ms: number }>();

  /** The oldest that a claim may take, locked. */
  *oldest(request: ClaimRequest, claimer: Claimer): Work<readonly ReadRow[]> {
    const watermark = yield* this.find(request, claimer);
    const { near, far } = statementsOf(request);
    const parameters = { ...queueParameters(request, claimer), watermark, max: request.max };
    const rows = yield* all(near, parameters);
    return rows.length > 0 ? rows : yield* all(far, parameters);
  }

  /** Its first statements, which can be sent before the time is known: a watermark that is too low is right too. */
  ahead(request: ClaimRequest, claimer: Claimer): Statement[] {
    const { known, isFresh, bottom } = this.#recall(request, claimer);
    const { near, watermark } = statementsOf(request);
    const queue = queueParameters(request, claimer);
    return [
      ...(isFresh ? [] : [{ sql: watermark, parameters: { ...queue, watermark: bottom } }]),
      ...(known ? [{ sql: near, parameters: { ...queue, watermark: known.place, max: request.max } }] : []),
    ];
  }

  /** The sequence number from which a request's queue is scanned; reads it from the server from time to time. */
  *find(request: ClaimRequest, claimer: Claimer): Work<number> {
    const { queue, known, isFresh, bottom, found_ms, raised_ms } = this.#recall(request, claimer);
    if (known && isFresh) return known.place;
    const parameters = { ...queueParameters(request, claimer), watermark: bottom };
    const place = Number((yield* first(statementsOf(request).watermark, parameters))?.watermark ?? 0);
    // All queues are found again where a process claims from very many.
    if (this.#known.size >= 1_000) this.#known.clear();
    this.#known.set(queue, { place, raised_ms, found_ms });
    return place;
  }

  #recall({ project, task_id, kind, scope, include_unscoped }: ClaimRequest, { holder }: Claimer) {
    const queue = JSON.stringify([holder, project, task_id, kind, scope, include_unscoped]);
    const known = this.#known.get(queue);
    const now_ms = performance.now();
    const isFresh = known !== undefined && now_ms - known.raised_ms < RAISED_MS;
    const isKept = known !== undefined && now_ms - known.found_ms < FOUND_AGAIN_MS;
    const { place: bottom, found_ms } = isKept ? known : { place: 0, found_ms: now_ms };
    return { queue, known, isFresh, bottom, found_ms, raised_ms: now_ms };
  }
}

/** So often all leases are looked at, and not only those that have ended since the last look. */
const WHOLE_LOOK_MS = 60_000;

/**
 * From which end of a lease on each transaction looks for lapses: what ended before is settled. Without it every look would
 * pass all leases that ever ended, for as long as an old transaction of the server keeps their rows. A lease that ends below
 * it came from another store, which `forget` is for, or from a transaction slower than its lease: the next whole look sees it.
 */
export class LapseWatermark {
  #settled_ms = 0;
  #whole_ms = Number.NEGATIVE_INFINITY;

  /** Leases that ended at this instant or before are passed over. */
  from(): number {
    return performance.now() - this.#whole_ms < WHOLE_LOOK_MS ? this.#settled_ms : 0;
  }

  /** Nothing is due at this time. @param from - where that look began. */
  settle(now_ms: number, from: number): void {
    this.#settled_ms = now_ms;
    if (from === 0) this.#whole_ms = performance.now();
  }

  forget(): void {
    this.#whole_ms = Number.NEGATIVE_INFINITY;
  }
}
