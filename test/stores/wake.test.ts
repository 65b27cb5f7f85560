import { getEventListeners } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, vi } from 'vitest';
import type { HandoffEvent } from '../../packages/batonpass/src/core/delivery.ts';
import { pause, untilNextLook } from '../../packages/batonpass/src/core/timing.ts';
import {
  callBy,
  newHandoff,
  PROJECT,
  receiver,
  refusal,
  tokenOf,
  writer,
} from '../../packages/batonpass/src/stores/contract/bench.ts';
import { openDriver } from '../../packages/batonpass/src/stores/sqlite/driver.ts';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { LogWatch } from '../../packages/batonpass/src/stores/sqlite/watch.ts';
import { Bell, follow } from '../../packages/batonpass/src/stores/subscription.ts';
import { verifies } from '../verifies.ts';
import { ConsumeStage, LEASE_MS, settle, storeNames } from './consume-stage.ts';
import { createFolders } from './folders.ts';
import { createHeldTiming } from './held-timing.ts';
import { nextRing, startWakeProcess } from './wake-process.ts';

const newFolder = createFolders();

describe('across processes', () => {
  verifies(['WAKE.processes'], 'the watch alone reports what another process commits', async () => {
    const file = join(newFolder(), 'baton.db');
    const store = await openSqliteStore(file);
    const other = startWakeProcess(file, 'create');
    expect(await other.hear()).toEqual({ ready: true });
    const driver = await openDriver(file);
    const bell: Bell = new Bell(new LogWatch(file, driver, () => bell.ring()));
    // It does not poll while it can watch: without its notifications nothing would wake it.
    const end = bell.listen(() => {});
    for (let round = 0; round < 5; round += 1) {
      const rung = nextRing(bell);
      other.tell('1\n');
      await rung;
      expect((await other.hear()).created).toHaveLength(1);
      await settle();
    }
    end();
    driver.close();
    await store.close();
  });

  verifies(
    ['WAKE.burst', 'STORE.subscribe'],
    'a burst of 10,000 events comes whole, each once and in order, to several readers that are slow',
    async () => {
      const file = join(newFolder(), 'baton.db');
      const store = await openSqliteStore(file);
      const other = startWakeProcess(file, 'create');
      await other.hear();
      const end = AbortSignal.timeout(50_000);
      const readers = [1, 7, 100].map(async (patience) => {
        const events: HandoffEvent[] = [];
        for await (const event of store.subscribe({ project: PROJECT }, end)) {
          events.push(event);
          if (events.length % patience === 0) await new Promise((resolve) => setImmediate(resolve));
          if (events.length === 10_000) break;
        }
        return events;
      });
      const created: unknown[] = [];
      for (let batch = 0; batch < 10; batch += 1) {
        other.tell('1000\n');
        created.push(...((await other.hear()).created as string[]));
      }
      for (const events of await Promise.all(readers)) {
        expect(events.map(({ handoff_id }) => handoff_id)).toEqual(created);
        expect(events.every(({ seq }, index) => index === 0 || seq > (events[index - 1]?.seq ?? 0))).toBe(true);
      }
      await store.close();
    },
  );

  verifies(['WAKE.unwatched'], 'a process that is refused a watcher finds what comes all the same', async () => {
    const file = join(newFolder(), 'baton.db');
    const store = await openSqliteStore(file);
    const other = startWakeProcess(file, 'hear', 64);
    other.tell('begin\n');
    expect((await other.hear()).refusal).toContain('EMFILE');
    const created = await store.create([newHandoff({}), newHandoff({})], callBy(writer, 'handoff.create'));
    for (const { id } of created) expect(await other.hear()).toEqual({ heard: id });
    await store.close();
  });
});

describe('in one process', () => {
  verifies(['WAKE.shared'], 'one watcher serves all waiters, as long as one of them waits', async () => {
    const file = join(newFolder(), 'baton.db');
    const store = await openSqliteStore(file);
    // Keeps the log there when the other closes: with a file goes its watch.
    const another = await openSqliteStore(file);
    const before = countWatches();
    const ending = Array.from({ length: 20 }, () => new AbortController());
    const waiting = ending.map(({ signal }) => store.subscribe({}, signal)[Symbol.asyncIterator]().next());
    await settle();
    expect(countWatches()).toBe(before + 1);
    for (const controller of ending.slice(1)) controller.abort();
    await settle();
    expect(countWatches()).toBe(before + 1);
    ending[0]?.abort();
    await Promise.all(waiting);
    expect(countWatches()).toBe(before);
    // One whose reader has left without cancelling it ends with the store.
    const abandoned = store.subscribe({ after_seq: 0 }, new AbortController().signal)[Symbol.asyncIterator]();
    await store.create([newHandoff({})], callBy(writer, 'handoff.create'));
    await abandoned.next();
    expect(countWatches()).toBe(before + 1);
    await store.close();
    expect(countWatches()).toBe(before);
    await another.close();
  });

  for (const name of storeNames) {
    verifies(
      ['STORE.subscribe', 'WAKE.shared'],
      `each change of the ${name} store is a notification, of a refused call too, and a call that changes nothing is none`,
      async () => {
        const stage = await ConsumeStage.open(name, newFolder());
        const { store, clock } = stage;
        let reads = 0;
        const { events } = store;
        store.events = (request) => {
          reads += 1;
          return events.call(store, request);
        };
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
        onTestFinished(() => void vi.useRealTimers());
        const changes = store.subscribe({}, new AbortController().signal)[Symbol.asyncIterator]();
        const hear = async () => {
          const { value } = await changes.next();
          return value?.name;
        };
        const [created] = await Promise.all([hear(), stage.createOne()]);
        const [claimed, held] = await Promise.all([hear(), stage.claimOne(receiver)]);
        clock.move(LEASE_MS * 100);
        const renew = { type: 'renew', token: tokenOf(held), lease_ms: LEASE_MS } as const;
        const [lapsed] = await Promise.all([hear(), refusal(stage.step(receiver, held, renew), 'lease_lost')]);
        expect([created, claimed, lapsed]).toEqual(['handoff-created', 'handoff-claimed', 'handoff-lapsed']);
        const next = hear();
        await settle();
        const before = reads;
        expect(await stage.claim(receiver, { task_id: 'none' })).toEqual([]);
        await settle();
        expect(reads).toBe(before);
        await stage.createOne();
        expect(await next).toBe('handoff-created');
        await store.close();
      },
    );
  }

  verifies(['WAKE.shared'], 'the slow polls of all waiters coincide, about a period apart', () => {
    for (const now_ms of [0, 1, 123.4, 899, 950, 999.9, 1_000, 1_234_567.8]) {
      const wait_ms = untilNextLook(now_ms, 1_000);
      expect(Math.round(now_ms + wait_ms) % 1_000).toBe(0);
      expect(wait_ms).toBeGreaterThanOrEqual(100);
      expect(wait_ms).toBeLessThanOrEqual(1_100);
    }
  });

  verifies(['WAKE.shared'], 'a pause leaves neither a timer nor a listener, however it ends', async () => {
    const timing = createHeldTiming();
    const abort = new AbortController();
    const left = () => [timing.pending.length, getEventListeners(abort.signal, 'abort').length];
    const elapsed = pause(timing, 1_000, abort.signal);
    expect(left()).toEqual([1, 1]);
    timing.move(1_000);
    await elapsed;
    expect(left()).toEqual([0, 0]);
    const aborted = pause(timing, 1_000, abort.signal);
    abort.abort();
    await aborted;
    await pause(timing, 1_000, abort.signal);
    expect(left()).toEqual([0, 0]);
  });

  verifies(
    ['STORE.subscribe', 'STORE.close'],
    'a subscription that is first read after the store has closed ends',
    async () => {
      const store = await openSqliteStore(join(newFolder(), 'baton.db'));
      const events = store.subscribe({ after_seq: 0 }, new AbortController().signal)[Symbol.asyncIterator]();
      await store.close();
      expect((await events.next()).done).toBe(true);
    },
  );

  verifies(['WAKE.burst', 'STORE.subscribe'], 'what is committed while a subscription reads is read next', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const bell = new Bell();
    let reads = 0;
    const readAfter = async () => {
      reads += 1;
      if (reads === 1) bell.ring();
      return reads === 2 ? [{ seq: 1 } as HandoffEvent] : [];
    };
    const ending = new AbortController();
    const events = follow({ bell, readAfter, start: Promise.resolve(0), signal: ending.signal });
    expect((await events.next()).value).toEqual({ seq: 1 });
    ending.abort();
  });

  verifies(
    ['WAKE.burst'],
    'a reader that is slow has one page in memory, after any number of notifications',
    async () => {
      const bell = new Bell();
      let reads = 0;
      const readAfter = async (seq: number) => {
        reads += 1;
        return [1, 2, 3].map((step) => ({ seq: seq + step }) as HandoffEvent);
      };
      const ending = new AbortController();
      const events = follow({ bell, readAfter, start: Promise.resolve(0), signal: ending.signal });
      for (const seq of [1, 2, 3]) {
        expect((await events.next()).value).toEqual({ seq });
        for (let ring = 0; ring < 100; ring += 1) bell.ring();
        await settle();
        expect(reads).toBe(1);
      }
      expect((await events.next()).value).toEqual({ seq: 4 });
      expect(reads).toBe(2);
      ending.abort();
      expect((await events.next()).done).toBe(true);
    },
  );
});

/** The files that this process has watched. */
function countWatches(): number {
  const place = '/proc/self/fdinfo';
  return readdirSync(place).reduce((count, name) => {
    try {
      return count + (readFileSync(join(place, name), 'utf8').match(/^inotify wd:/gm)?.length ?? 0);
    } catch {
      // The list's own descriptor is closed by now.
      return count;
    }
  }, 0);
}
