import type { ClaimRequest } from '../../core/store.ts';
import { type ClaimNarrowing, mine, nobodys } from './claim-statements.ts';
import { inScope } from './conditions.ts';
import { narrowingOf, queueParameters, scopeParameters } from './reader.ts';
import type { Session } from './session.ts';
import { onOffer } from './statements.ts';

const narrowed = ({ task, kind, scope }: ClaimNarrowing, addressed: string) =>
  ['project = :project', onOffer, 'seq > 0', addressed, 'NOT has_moved', 'seq >= :floor::bigint']
    .concat(task ? 'task_id = :task_id' : [])
    .concat(kind ? 'kind = :kind' : [])
    .concat(scope ? inScope : [])
    .join(' AND ');

/**
 * The floor of a queue: below it nothing is open that never moved, and nothing will be. One look at one moment: places of a
 * project are committed in their order, so that no lower one comes after the last that is seen.
 */
const selectFloor = (narrowing: ClaimNarrowing) => `
SELECT coalesce(least(
  (SELECT seq FROM deliveries WHERE ${narrowed(narrowing, mine(narrowing))} ORDER BY seq LIMIT 1),
  (SELECT seq FROM deliveries WHERE ${narrowed(narrowing, nobodys(narrowing))} ORDER BY seq LIMIT 1),
  (SELECT seq + 1 FROM handoffs WHERE project = :project ORDER BY seq + 0 DESC LIMIT 1)
), 0) AS floor`;

/** So often a floor is raised while claims come, and so often it is found from the bottom again. */
const RAISED_MS = 250;
const FOUND_ANEW_MS = 60_000;

/** Queues that are remembered: the longest unused goes. */
const QUEUES_MAX = 1_000;

interface Floor {
  place: number;
  raised_ms: number;
  found_ms: number;
}

/**
 * Where the walk of a claim begins: below the floor of its queue nothing waits that nobody has claimed yet. A claim leaves
 * a dead row in the index of what is open; while any transaction of the server is old enough to see it, it can neither be
 * removed nor marked, and a walk from the bottom would look at each. What came back to a place below has an index of its own.
 *
 * A floor stays true: handoffs of one project are committed in the order of their places, and what has been claimed
 * once counts as moved for ever. A server that breaks this (places that do not rise, an older state restored under
 * running processes) makes claims late, not lost: from time to time the floor is found from the bottom.
 */
export class Floors {
  readonly #now: () => number;
  readonly #known = new Map<string, Floor>();

  /** @param now - milliseconds of a clock that never goes back; the machine's by default. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** The place from which a request's queue is walked; asks the server now and then. */
  async find(session: Session, request: ClaimRequest, holder: string): Promise<number> {
    const queue = queueOf(request, holder);
    const now_ms = this.#now();
    const known = this.#known.get(queue);
    if (known !== undefined && now_ms - known.raised_ms < RAISED_MS) return known.place;
    const isKept = known !== undefined && now_ms - known.found_ms < FOUND_ANEW_MS;
    const parameters = { ...queueParameters(request, undefined), ...scopeParameters(request), holder };
    const floor = isKept ? known.place : 0;
    const [row] = await session.all(selectFloor(narrowingOf(request)), { ...parameters, floor });
    const place = Number(row?.floor ?? 0);
    this.#keep(queue, { place, raised_ms: now_ms, found_ms: isKept ? known.found_ms : now_ms });
    return place;
  }

  #keep(queue: string, floor: Floor): void {
    this.#known.delete(queue);
    this.#known.set(queue, floor);
    const [oldest = ''] = this.#known.keys();
    if (this.#known.size > QUEUES_MAX) this.#known.delete(oldest);
  }
}

/** Claims that walk the same queue have the same name for it. */
function queueOf({ project, task_id, kind, scope, include_unscoped }: ClaimRequest, holder: string): string {
  return JSON.stringify([holder, project, task_id, kind, scope, include_unscoped]);
}
