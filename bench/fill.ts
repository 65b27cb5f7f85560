import { setImmediate } from 'node:timers/promises';
import type { ContentInput } from '../packages/batonpass/src/core/content.ts';
import { BareQueue } from './bare-queue.ts';
import { createInput, createNewHandoff } from './sample-work.ts';
import { makeStore } from './store-file.ts';

const batch = 5_000;

/** Of a store that has been in use for long, nine of ten are history. */
const acknowledged_share = 0.9;

/** Makes a store of `rows` handoffs: the oldest nine tenths were claimed and acknowledged, the others are open. */
export async function fillWithHistory(path: string, rows: number): Promise<void> {
  const queue = await openFilled(path, rows, {});
  for (let left = Math.round(rows * acknowledged_share); left > 0; left -= batch) {
    const claimed = queue.claim(Math.min(batch, left));
    queue.acknowledge(claimed);
    await tell(path, 'acknowledged', left - claimed.length);
  }
  queue.close();
}

/** Makes a store of `rows` open handoffs. */
export async function fillWithOpen(path: string, rows: number, about: Partial<ContentInput>): Promise<void> {
  const queue = await openFilled(path, rows, about);
  queue.close();
}

async function openFilled(path: string, rows: number, about: Partial<ContentInput>): Promise<BareQueue> {
  await makeStore(path);
  const queue = new BareQueue(path, 'normal');
  // One content in many rows: completing a million of them would take longer than writing them.
  const handoff = createNewHandoff(createInput(1, about));
  for (let made = 0; made < rows; made += batch) {
    const count = Math.min(batch, rows - made);
    queue.create(queue.encode(Array.from({ length: count }, () => handoff)));
    await tell(path, 'created', rows - made - count);
  }
  return queue;
}

/** A fill takes minutes: it shows its progress, and Ctrl-C stops it. */
async function tell(path: string, what: string, left: number): Promise<void> {
  await setImmediate();
  if (left % 100_000 !== 0 || left === 0) return;
  process.stderr.write(`${path.split('/').at(-1)}: ${what}, ${left.toLocaleString('en')} to go\n`);
}
