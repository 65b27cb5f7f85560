import { limits } from '../../core/limits.ts';
import type { ClaimRequest } from '../../core/store.ts';
import type { ReadRow } from '../handoff-columns.ts';
import { narrowingOf, queueParameters, scopeParameters } from '../sql/conditions.ts';
import type { Claimer } from '../sql/dialect.ts';
import { all, first, type Parameters, type Work } from '../sql/work.ts';
import { lockOldest, oldestOffered, selectWatermark } from './claim-statements.ts';

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
 * Where the walk of a claim begins: below the watermark of its queue nothing waits that nobody has claimed yet. A claim
 * leaves a dead row in the index of what is open; while any transaction of the server is old enough to see it, it can neither
 * be removed nor marked, and a walk from the bottom would look at each. What came back to a place below has an index of its
 * own.
 *
 * A watermark stays true: handoffs of one project are committed in the order of their places, and what has been claimed
 * once counts as moved for ever. A server that breaks this (places that do not rise, an older state restored under
 * running processes) makes claims late, not lost: from time to time the watermark is found from the bottom.
 */
export class Watermarks {
  readonly #now: () => number;
  readonly #known = new Map<string, Watermark>();

  /** @param now - milliseconds of a clock that never goes back; the machine's by default. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** The oldest that a claim may take, locked. */
  *oldest(request: ClaimRequest, claimer: Claimer): Work<readonly ReadRow[]> {
    const { max } = request;
    const parameters = { ...(yield* this.#parameters(request, claimer)), max };
    // Few different texts, for each is prepared.
    const near = max <= NEAR / 2 ? NEAR : limits.batch_max + NEAR;
    const rows = yield* all(lockOldest(narrowingOf(request), near), parameters);
    return rows.length > 0 ? rows : yield* all(lockOldest(narrowingOf(request), FAR), parameters);
  }

  /** Whether a claim would find anything now; takes nothing and waits for nobody. */
  *isAnyOffered(request: ClaimRequest, claimer: Claimer): Work<boolean> {
    const parameters = yield* this.#parameters(request, claimer);
    return (yield* all(oldestOffered(narrowingOf(request), 1), parameters)).length > 0;
  }

  /** The place from which a request's queue is walked; asks the server now and then. */
  *find(request: ClaimRequest, holder: string): Work<number> {
    const queue = queueOf(request, holder);
    const now_ms = this.#now();
    const known = this.#known.get(queue);
    if (known !== undefined && now_ms - known.raised_ms < RAISED_MS) return known.place;
    const isKept = known !== undefined && now_ms - known.found_ms < FOUND_AGAIN_MS;
    const { project, task_id, kind } = request;
    const parameters = { project, task_id, kind, holder, ...scopeParameters(request) };
    const watermark = isKept ? known.place : 0;
    const row = yield* first(selectWatermark(narrowingOf(request), 0), { ...parameters, watermark });
    const place = Number(row?.watermark ?? 0);
    this.#keep(queue, { place, raised_ms: now_ms, found_ms: isKept ? known.found_ms : now_ms });
    return place;
  }

  *#parameters(request: ClaimRequest, { holder, now_ms }: Claimer): Work<Parameters> {
    const watermark = yield* this.find(request, holder);
    return { holder, watermark, ...queueParameters(request, now_ms), ...scopeParameters(request) };
  }

  #keep(queue: string, watermark: Watermark): void {
    this.#known.delete(queue);
    this.#known.set(queue, watermark);
    const [oldest = ''] = this.#known.keys();
    if (this.#known.size > QUEUES_MAX) this.#known.delete(oldest);
  }
}

/** Claims that walk the same queue have the same name for it. */
function queueOf({ project, task_id, kind, scope, include_unscoped }: ClaimRequest, holder: string): string {
  return JSON.stringify([holder, project, task_id, kind, scope, include_unscoped]);
}
