import { BareQueue, type ClaimedRow } from './bare-queue.ts';
import type { Contender } from './contest.ts';
import { createNewHandoffs, inBatches } from './sample-work.ts';
import { type Durability, fill, makeStore } from './store-file.ts';

/** The bare limit: loops of a program of one's own, in one process, one after the other. */

/** How many handoffs, how many of them in one transaction, and what survives a power cut. */
export interface Amount {
  count: number;
  batch: number;
  durability: Durability;
}

/** One transaction per batch. The rows are prepared before. */
export function bareCreate({ count, batch, durability }: Amount): Contender {
  return {
    prepare: async (path) => {
      await makeStore(path);
      const queue = new BareQueue(path, durability);
      const batches = inBatches(queue.encode(createNewHandoffs(count)), batch);
      const work = async () => {
        for (const rows of batches) queue.create(rows);
      };
      return { operations: count, work, close: async () => queue.close() };
    },
  };
}

/** Two transactions a batch: the claim, and the acknowledgement. */
export function bareClaim({ count, batch, durability }: Amount): Contender {
  return overFilled({ count, batch, durability }, (queue) => {
    for (let done = 0; done < count; done += batch) queue.acknowledge(claimSome(queue, batch));
  });
}

/** One transaction each: the last is acknowledged, and the next is claimed. */
export function bareNext(amount: Amount): Contender {
  return overFilled(amount, (queue) => {
    let [row] = claimSome(queue, 1);
    while (row !== undefined) [row] = queue.acknowledgeAndClaim(row);
  });
}

function overFilled({ count, durability }: Amount, body: (queue: BareQueue) => void): Contender {
  return {
    prepare: async (path) => {
      await fill(path, createNewHandoffs(count));
      const queue = new BareQueue(path, durability);
      return { operations: count, work: async () => body(queue), close: async () => queue.close() };
    },
  };
}

function claimSome(queue: BareQueue, max: number): ClaimedRow[] {
  const rows = queue.claim(max);
  if (rows.length === 0) throw new Error('The bare queue has no handoff left.');
  return rows;
}
