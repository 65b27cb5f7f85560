import type { HandoffEvent } from '../../../packages/batonpass/src/core/delivery.ts';
import type { Handoff } from '../../../packages/batonpass/src/core/handoff.ts';
import { limits } from '../../../packages/batonpass/src/core/limits.ts';
import type { Verdict } from './verdict.ts';

/** An effect in the store's order, and the span in which it can have taken place by the machine's clock. */
export interface Mark {
  seq: number;
  begun_us: number;
  ended_us: number;
  says: string;
}

/** What was answered before something else began is before it in the store's order. */
export function checkMachineOrder(marks: readonly Mark[], verdict: Verdict): void {
  let latest: Mark | undefined;
  for (const mark of marks.toSorted((left, right) => left.seq - right.seq)) {
    if (latest !== undefined && mark.ended_us < latest.begun_us) {
      verdict.out_of_order.push(`${mark.says} was answered before ${latest.says} began, yet follows it.`);
    }
    if (latest === undefined || mark.begun_us > latest.begun_us) latest = mark;
  }
}

/** One task's queue: its handoffs in the order of their creation, and what of them can be claimed. */
interface Queue {
  ids: string[];
  places: Map<string, number>;
  open: Set<string>;
  /** Before this place nothing is open. */
  first: number;
}

/**
 * Finds claims that passed over an older handoff of the same task. How long a failure keeps one waiting the events do
 * not tell: until the longest back-off is over, by the claimer's clock, it may be passed over.
 */
export function checkQueueOrder(handoffs: readonly Handoff[], events: readonly HandoffEvent[], verdict: Verdict): void {
  const tasks = new Map(handoffs.map(({ id, content }) => [id, content.task_id ?? '']));
  const queues = new Map<string, Queue>();
  const waits = new Map<string, number>();
  for (const { handoff_id: id, name, to, at } of events) {
    const task = tasks.get(id) ?? '';
    const queue: Queue = queues.get(task) ?? { ids: [], places: new Map(), open: new Set(), first: 0 };
    queues.set(task, queue);
    if (name === 'handoff-created') queue.places.set(id, queue.ids.push(id) - 1);
    const place = queue.places.get(id) ?? 0;
    if (name === 'handoff-claimed') {
      const older = findOlder(queue, place, (other) => (waits.get(other) ?? 0) <= Date.parse(at));
      if (older !== undefined) verdict.out_of_order.push(`${id} was claimed before ${older}, which is older.`);
    }
    if (name === 'handoff-failed') waits.set(id, Date.parse(at) + limits.backoff_ms_max);
    if (name === 'handoff-released') waits.delete(id);
    if (to === 'open') {
      queue.open.add(id);
      queue.first = Math.min(queue.first, place);
    } else queue.open.delete(id);
  }
}

function findOlder(queue: Queue, place: number, isAvailable: (id: string) => boolean): string | undefined {
  const { ids, open } = queue;
  while (queue.first < ids.length && !open.has(ids[queue.first] ?? '')) queue.first += 1;
  return ids.slice(queue.first, place).find((id) => open.has(id) && isAvailable(id));
}
