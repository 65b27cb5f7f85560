import type { NewHandoff } from '../packages/batonpass/src/core/store.ts';
import { openSqliteStore } from '../packages/batonpass/src/stores/sqlite/store.ts';
import { BareQueue } from './bare-queue.ts';
import { inBatches } from './sample-work.ts';

/** What survives a power cut: everything answered for, or everything but the last moments. */
export type Durability = 'full' | 'normal';

/** Makes a store's empty file with its schema, by the store itself. */
export async function makeStore(path: string): Promise<void> {
  const store = await openSqliteStore(path);
  await store.close();
}

/** Makes a store's file with these handoffs open in it, quickly, and leaves no log that the next one must process. */
export async function fill(path: string, handoffs: readonly NewHandoff[]): Promise<void> {
  await makeStore(path);
  const queue = new BareQueue(path, 'normal');
  for (const batch of inBatches(handoffs, 1_000)) queue.create(queue.encode(batch));
  queue.close();
}
