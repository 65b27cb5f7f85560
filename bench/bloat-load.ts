import { setTimeout } from 'node:timers/promises';
import type { Store } from '../packages/batonpass/src/core/store.ts';
import { acknowledging, claiming, createInput, createNewHandoff, creating, requestOf } from './sample-work.ts';

/** The workers, the duration, and the handoffs per second. */
export interface Load {
  /** Creates. */
  writer: Store;
  /** Claims and acknowledges. */
  receiver: Store;
  /** Handoffs a second that are created, claimed and acknowledged, one call each. */
  rate: number;
  seconds: number;
  /** How many claim at one time. */
  workers: number;
}

/** One claim: when it was made, from the beginning of the load, and how long it took. */
export interface TimedClaim {
  at_ms: number;
  took_ms: number;
}

/** The result of a load. */
export interface LoadResult {
  claims: readonly TimedClaim[];
  created: number;
  acknowledged: number;
  /** From the first create to the last acknowledgement. */
  took_ms: number;
}

/**
 * Creates at a steady rate for so long; each created handoff lets one worker claim one and acknowledge it. Where the store
 * cannot keep up, no more than a second's handoffs wait, so that a claim is not measured after a backlog: the rate is then
 * below the one that was asked for. All that was created is acknowledged when it resolves.
 */
export async function runLoad({ writer, receiver, rate, seconds, workers }: Load): Promise<LoadResult> {
  const begun_ms = performance.now();
  const total = Math.round(rate * seconds);
  const claims: TimedClaim[] = [];
  const waiting: (() => void)[] = [];
  let [asked, created, begun, acknowledged] = [0, 0, 0, 0];
  let isOver = false;
  const wakeAll = () => {
    for (const wake of waiting.splice(0)) wake();
  };
  const passed_ms = () => performance.now() - begun_ms;
  const create = async (number: number) => {
    await writer.create([createNewHandoff(createInput(number))], creating);
    created += 1;
    waiting.shift()?.();
  };
  const mayCreate = () => asked < total && asked - acknowledged < rate && asked <= (passed_ms() / 1_000) * rate;
  const write = async () => {
    const running = new Set<Promise<void>>();
    while (!isOver && asked < total && passed_ms() < seconds * 1_000) {
      while (mayCreate() && running.size < 2 * workers) {
        asked += 1;
        const one: Promise<void> = create(asked).finally(() => running.delete(one));
        running.add(one);
      }
      await Promise.race([setTimeout(1), ...(running.size < 2 * workers ? [] : running)]);
    }
    await Promise.all(running);
    isOver = true;
    wakeAll();
  };
  const work = async () => {
    while (!(isOver && begun >= created)) {
      if (begun >= created) {
        await new Promise<void>((resolve) => waiting.push(resolve));
        continue;
      }
      begun += 1;
      const start_ms = performance.now();
      const { handoffs } = await receiver.claim(requestOf(1), claiming);
      claims.push({ at_ms: start_ms - begun_ms, took_ms: performance.now() - start_ms });
      // What it could have had, others were about to take.
      if (handoffs.length === 0) begun -= 1;
      for (const { id, delivery } of handoffs) {
        await receiver.transition(id, { type: 'acknowledge', token: delivery.lease?.token ?? '' }, acknowledging);
        acknowledged += 1;
      }
    }
    wakeAll();
  };
  const stop = (error: unknown) => {
    isOver = true;
    wakeAll();
    throw error;
  };
  await Promise.all([write().catch(stop), ...Array.from({ length: workers }, () => work().catch(stop))]);
  return { claims, created, acknowledged, took_ms: passed_ms() };
}
