import { limits } from '../../core/limits.ts';
import type { ClaimRequest } from '../../core/store.ts';
import type { ReadRow } from '../handoff-columns.ts';
import { type Claimer, deliveryColumns, type Narrowing, originColumns } from '../sql/dialect.ts';
import { available, inScope, narrowingOf, once, queueParameters, scopeParameters } from '../sql/statements.ts';
import { all, first, type Work } from '../sql/work.ts';

/** How a claim finds what it may take; what becomes of it the life cycle says, as with every other step. */

/** Whether a column is one of a parameter's list. */
export const isAmong = (column: string, parameter: string) => `${column} = ANY(:${parameter}::text[])`;

/** Whether a column's scope is below that of a parameter. */
export const isBelow = (column: string, parameter: string) =>
  `left(${column}, length(:${parameter}) + 1) = :${parameter} || '/'`;

/**
 * Rows as they are locked, with a number for a line of history, taken when the last is locked: it is below every line that
 * is numbered from then on, and above every line of theirs that is committed.
 */
export const reserving = (taken: string) => `
WITH taken AS MATERIALIZED (${taken})
SELECT taken.*, (SELECT nextval('events_line_seq') FROM (SELECT count(*) FROM taken) AS all_taken) AS next_line FROM taken`;

/**
 * Open, in the words of the indexes of claims and of what expires: another index of what is open looks as small, and can
 * be full of dead rows.
 */
export const onOffer = "state || '' = 'open'";

const isAvailable = `${available(':now')} AND (expires_at IS NULL OR expires_at > :now)`;

/** A queue, as far as a claim narrows it. @param addressed - to whom. */
const queue = ({ task, kind, scope }: Narrowing, addressed: string) =>
  ['project = :project', onOffer, 'seq > 0', addressed]
    .concat(task ? 'task_id = :task_id' : [])
    .concat(kind ? 'kind = :kind' : [])
    .concat(scope ? inScope({ isAmong, isBelow }) : [])
    .join(' AND ');

const claimable = (narrowing: Narrowing, addressed: string) =>
  `FROM deliveries WHERE ${queue(narrowing, addressed)} AND ${isAvailable}
  ${narrowing.excluded ? 'AND id <> ALL(:excluded::text[])' : ''}`;

/** To whom a handoff is addressed, in the words of the index that serves the claim. */
const target = ({ task }: Narrowing) => (task ? 'target_agent' : "target_agent || ''");
const mine = (narrowing: Narrowing) => `${target(narrowing)} = :holder`;
const nobodys = (narrowing: Narrowing) => `${target(narrowing)} = ''`;
/** Of the few that came back the index is the same for both. */
const OF_TASK = { task: true, kind: false, excluded: false, scope: false };

/** Whose handoffs are looked at. */
type Whose = typeof mine;

/** Open handoffs from the watermark of the queue on, and those that came back to a position below it. */
const fromWatermark = (narrowing: Narrowing, whose: Whose, window: number) => `
  (SELECT id, seq ${claimable(narrowing, whose(narrowing))} AND seq >= :watermark::bigint
    ORDER BY seq LIMIT ${window})
  UNION ALL
  (SELECT id, seq ${claimable(narrowing, whose(OF_TASK))} AND has_moved AND seq + 0 < :watermark::bigint
    ORDER BY seq + 0 LIMIT ${window})`;

/**
 * The oldest that the claimer may take: handoffs addressed to it and handoffs without a receiver, merged. Each branch has
 * its own limit; without one the planner sorts the whole branch.
 *
 * @param window - how many are looked at; part of the text, for a plan that is made once must know it.
 */
const oldestOffered = once(
  (narrowing, window) => `
SELECT id, seq FROM (${fromWatermark(narrowing, mine, window)} UNION ALL ${fromWatermark(narrowing, nobodys, window)}
) AS either ORDER BY seq LIMIT ${window}`,
);

const moved = (columns: readonly string[], table: string) => columns.map((column) => `${table}.${column}`).join(', ');

/**
 * The oldest that no other claim is about to take, and no more than requested. Each is locked as it is read, in the order
 * of the queue: a lock on one that is not taken would make another claim skip it. What is read is the row as it was
 * locked, even if it changed since the statement began. The state is tested in a form that makes the planner find the row
 * by its id: an index of open rows looks smaller, but can be full of dead rows.
 */
export const lockOldest = once((narrowing, window) =>
  reserving(`
  SELECT moved.seq, ${moved(originColumns, 'handoffs')}, handoffs.content_sha256, handoffs.content,
    ${moved(deliveryColumns, 'moved')} FROM (
    SELECT free.* FROM (${oldestOffered(narrowing, window)}) AS offered
    CROSS JOIN LATERAL (
      SELECT * FROM deliveries WHERE id = offered.id AND ${onOffer} AND ${isAvailable} FOR UPDATE SKIP LOCKED
    ) AS free LIMIT :max::bigint
  ) AS moved INNER JOIN handoffs ON handoffs.id = moved.id ORDER BY moved.seq`),
);

/** What a scoped claim passes over for want of a scope, as far as it is counted. */
export const countLeftOut = (narrowing: Narrowing) => {
  const unscoped = (whose: Whose) => `
  (SELECT 1 ${claimable({ ...narrowing, scope: false }, whose(narrowing))} AND scope IS NULL LIMIT :count_max::bigint)`;
  return `
SELECT count(*) AS count FROM (${unscoped(mine)} UNION ALL ${unscoped(nobodys)}) AS left_out`;
};

/**
 * The watermark of a queue: below it no handoff is open that was never claimed, and none will be. One read at one moment
 * is enough: a project commits its sequence numbers in order, so no lower one appears after the last that is seen.
 */
const selectWatermark = once((narrowing) => {
  const lowest = (whose: Whose) => `(SELECT seq FROM deliveries WHERE ${queue(narrowing, whose(narrowing))}
    AND NOT has_moved AND seq >= :watermark::bigint ORDER BY seq LIMIT 1)`;
  return `
SELECT coalesce(least(
  ${lowest(mine)},
  ${lowest(nobodys)},
  (SELECT seq + 1 FROM handoffs WHERE project = :project ORDER BY seq + 0 DESC LIMIT 1)
), 0) AS watermark`;
});

/** How many a claim looks at: what others are about to take is passed over. The second look is where they take all. */
const NEAR = 200;
const FAR = 20_000;

/** So often a watermark is raised while claims come, and so often it is found from the bottom again. */
const RAISED_MS = 250;
const FOUND_AGAIN_MS = 60_000;

/** Queues that are remembered: the longest unused goes. */
const QUEUES_MAX = 1_000;

interface Watermark {
  place: number;
  raised_ms: number;
  found_ms: number;
}

/**
 * Where the scan of a claim begins: below the watermark of its queue no handoff waits that was never claimed. A claim
 * leaves a dead row in the index of open handoffs; while any transaction of the server is old enough to see it, it can
 * neither be removed nor marked, and a scan from the bottom would read each. Handoffs that came back to a position below
 * have an index of their own.
 *
 * A watermark stays true: handoffs of one project are committed in the order of their sequence numbers, and a handoff that
 * was claimed once counts as moved for ever. A server that breaks this (numbers that do not rise, an older state restored
 * under running processes) makes claims late, not lost: from time to time the watermark is computed from the bottom again.
 */
export class Watermarks {
  readonly #now: () => number;
  readonly #known = new Map<string, Watermark>();

  /** @param now - milliseconds of a clock that never goes back; the machine's by default. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** The oldest that a claim may take, locked. */
  *oldest(request: ClaimRequest, { holder, now_ms }: Claimer): Work<readonly ReadRow[]> {
    const { max } = request;
    const watermark = yield* this.find(request, holder);
    const queue = { ...queueParameters(request, now_ms), ...scopeParameters(request) };
    const parameters = { holder, watermark, max, ...queue };
    // Few different texts, for each is prepared.
    const near = max <= NEAR / 2 ? NEAR : limits.batch_max + NEAR;
    const rows = yield* all(lockOldest(narrowingOf(request), near), parameters);
    return rows.length > 0 ? rows : yield* all(lockOldest(narrowingOf(request), FAR), parameters);
  }

  /** The sequence number from which a request's queue is scanned; reads it from the server from time to time. */
  *find(request: ClaimRequest, holder: string): Work<number> {
    const queue = queueOf(request, holder);
    const now_ms = this.#now();
    const known = this.#known.get(queue);
    if (known !== undefined && now_ms - known.raised_ms < RAISED_MS) return known.place;
    const isKept = known !== undefined && now_ms - known.found_ms < FOUND_AGAIN_MS;
    const { project, task_id, kind } = request;
    const watermark = isKept ? known.place : 0;
    const parameters = { project, task_id, kind, holder, watermark, ...scopeParameters(request) };
    const row = yield* first(selectWatermark(narrowingOf(request), 0), parameters);
    const place = Number(row?.watermark ?? 0);
    this.#known.delete(queue);
    this.#known.set(queue, { place, raised_ms: now_ms, found_ms: isKept ? known.found_ms : now_ms });
    const [oldest = ''] = this.#known.keys();
    if (this.#known.size > QUEUES_MAX) this.#known.delete(oldest);
    return place;
  }
}

/** Claims that walk the same queue have the same name for it. */
function queueOf({ project, task_id, kind, scope, include_unscoped }: ClaimRequest, holder: string): string {
  return JSON.stringify([holder, project, task_id, kind, scope, include_unscoped]);
}

/** So often all leases are looked at, and not only those that have ended since the last look. */
const WHOLE_LOOK_MS = 60_000;

/**
 * From which end of a lease on each transaction looks for lapses: what ended before has been seen to be settled. Without
 * it every look would pass all leases that ever ended, for as long as an old transaction of the server keeps their rows.
 *
 * A lease begins after the transaction that gives it, and lasts a second at least; one that is older came from another store,
 * which `forget` is for, or from a transaction slower than its lease: that one is seen with the next whole look.
 */
export class LapseWatermark {
  readonly #now: () => number;
  #settled_ms = 0;
  #whole_ms = Number.NEGATIVE_INFINITY;

  /** @param now - milliseconds of a clock that never goes back; the machine's by default. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Leases that ended at this instant or before are passed over. */
  from(): number {
    return this.#now() - this.#whole_ms < WHOLE_LOOK_MS ? this.#settled_ms : 0;
  }

  /** @param from - where that look began. */
  saw({ now_ms, is_due }: { now_ms: number; is_due: boolean }, from: number): void {
    if (is_due) return;
    this.#settled_ms = now_ms;
    if (from === 0) this.#whole_ms = this.#now();
  }

  /** The next look is a whole one. */
  forget(): void {
    this.#whole_ms = Number.NEGATIVE_INFINITY;
  }
}
