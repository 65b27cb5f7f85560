import { join } from 'node:path';
import type { ContentInput } from '../../packages/batonpass/src/core/content.ts';
import type { Handoff } from '../../packages/batonpass/src/core/handoff.ts';
import type { Store } from '../../packages/batonpass/src/core/store.ts';
import { consume } from '../../packages/batonpass/src/stores/consume.ts';
import type { ConsumeHandler, ConsumeOptions } from '../../packages/batonpass/src/stores/consuming/options.ts';
import { Bench, createClock, PROJECT, receiver } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { createMemoryStore } from '../../packages/batonpass/src/stores/memory/store.ts';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { createHeldTiming } from './held-timing.ts';

/** Where a loop is tested: each test is run on both. */
export type StoreName = 'memory' | 'sqlite';
export const storeNames: readonly StoreName[] = ['memory', 'sqlite'];

/** A minute's lease: its third is 20 seconds. */
export const LEASE_MS = 60_000;

/** A store with its clock, and a loop on it whose time only the test moves. */
export class ConsumeStage extends Bench {
  readonly timing = createHeldTiming();
  /** Ids of what handlers were given, in the order in which they began. */
  readonly begun: string[] = [];
  /** The store's errors that the loop reported. */
  readonly errors: unknown[] = [];
  readonly #stopping = new AbortController();

  static async open(name: StoreName, folder: string, change: (store: Store) => Store = (store) => store) {
    const clock = createClock();
    const store =
      name === 'memory'
        ? createMemoryStore(clock.surroundings)
        : await openSqliteStore(join(folder, 'baton.db'), { ...clock.surroundings, write_wait_ms: 0 });
    return new ConsumeStage(change(store), clock);
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Begins a loop; it has the lease of the stage and stops with it unless said otherwise. */
  consume(handle: ConsumeHandler, options: Partial<ConsumeOptions> = {}) {
    const { signal, timing } = this;
    const common = { project: PROJECT, actor: receiver, lease_ms: LEASE_MS, signal, timing };
    const onError = (error: unknown) => this.errors.push(error);
    return consume(this.store, { ...common, onError, ...options }, (handoff, work) => {
      this.begun.push(handoff.id);
      return handle(handoff, work);
    });
  }

  /** Moves the store's clock and the loop's together. */
  move(ms: number): void {
    this.clock.move(ms);
    this.timing.move(ms);
  }

  async createMany(count: number, given: ContentInput & { max_attempts?: number } = {}): Promise<string[]> {
    const created = await this.create(...Array.from({ length: count }, () => given));
    return created.map(({ id }) => id);
  }

  async listIn(...state: Handoff['delivery']['state'][]): Promise<string[]> {
    const { handoffs } = await this.store.list({ filter: { project: PROJECT, state }, limit: 1_000 });
    return handoffs.map(({ id }) => id).reverse();
  }
}

/** Lets everything run that is not waiting for time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for what real work in this or another process brings about; fails after a long time. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline_ms = performance.now() + 30_000;
  while (!(await isSo())) {
    if (performance.now() > deadline_ms) throw new Error(`In vain it was waited until ${what}.`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A promise that a test fulfils. */
export function createGate<T = void>() {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { open: resolve, opened: promise };
}
