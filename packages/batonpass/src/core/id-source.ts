import { monotonicFactory } from 'ulid';
import type { StoreSurroundings } from './store.ts';

/**
 * Gives ULIDs that rise within this process, also when the clock stops or goes back. Nothing relies on that:
 * order is a store's sequence number, and an id is only unique.
 */
export function createIdSource({ random }: Pick<StoreSurroundings, 'random'>): (now_ms: number) => string {
  const next = monotonicFactory(random);
  // The library takes 0 for "no time given" and would read the machine's clock.
  return (now_ms) => next(Math.max(1, Math.trunc(now_ms)));
}
