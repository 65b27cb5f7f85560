import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { rival } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { verifies } from '../verifies.ts';
import { ConsumeStage, createGate, LEASE_MS, settle, storeNames, until } from './consume-stage.ts';
import { createFolders } from './folders.ts';

const newFolder = createFolders();

/** A stage in a file, and another program that keeps everybody from writing to it. */
async function openLockable() {
  const folder = newFolder();
  const stage = await ConsumeStage.open('sqlite', folder);
  const other = new DatabaseSync(join(folder, 'baton.db'));
  return {
    stage,
    lock: () => other.exec('BEGIN IMMEDIATE'),
    unlock: () => other.exec('ROLLBACK'),
    close: async () => {
      other.close();
      await stage.store.close();
    },
  };
}

describe('a store that is unavailable', () => {
  verifies(
    ['CONSUME.unavailable'],
    'claims are tried again after growing pauses, and each failure is reported',
    async () => {
      const { stage, lock, unlock, close } = await openLockable();
      await stage.createMany(1);
      lock();
      const consuming = stage.consume(() => stage.stop());
      for (let pause_ms = limits.retry_ms_min, told = 1; pause_ms < 60_000; pause_ms *= 2, told += 1) {
        await until(() => stage.errors.length === told, 'the failure is told');
        await settle();
        expect(stage.timing.pending).toEqual([Math.min(pause_ms, limits.retry_ms_max)]);
        stage.timing.move(Math.min(pause_ms, limits.retry_ms_max));
      }
      expect(stage.errors[0]).toMatchObject({ code: 'unavailable' });
      await settle();
      unlock();
      stage.timing.move(limits.retry_ms_max);
      expect((await consuming).acknowledged).toBe(1);
      await close();
    },
  );

  verifies(['CONSUME.unavailable'], 'work that is done is acknowledged as soon as the store can take it', async () => {
    for (const prefetch of [0, 1]) {
      const { stage, lock, unlock, close } = await openLockable();
      const [id = ''] = await stage.createMany(1);
      const gate = createGate<void>();
      const consuming = stage.consume(() => gate.opened, { prefetch });
      await until(() => stage.begun.length === 1, 'it begins');
      await settle();
      lock();
      gate.open();
      await until(() => stage.errors.length > 0, 'the failure is told');
      stage.timing.move(limits.retry_ms_min);
      await settle();
      unlock();
      stage.timing.move(limits.retry_ms_min * 2);
      await until(async () => (await stage.stateOf({ id })) === 'acknowledged', 'it is acknowledged');
      stage.stop();
      expect(await consuming).toEqual({ acknowledged: 1, failed: 0, released: 0, lost: 0 });
      expect(stage.begun).toEqual([id]);
      await close();
    }
  });

  verifies(
    ['CONSUME.unavailable', 'CONSUME.lost'],
    'where that lasts for a whole lease, the work is lost',
    async () => {
      const { stage, lock, unlock, close } = await openLockable();
      const [first = '', second = ''] = await stage.createMany(2);
      const gate = createGate<void>();
      const consuming = stage.consume(
        async ({ id }, { signal }) => {
          await gate.opened;
          if (id === second) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
        { concurrency: 2, prefetch: 0 },
      );
      await until(() => stage.begun.length === 2, 'both begin');
      lock();
      gate.open();
      for (let look = 0; look < 24; look += 1) {
        await settle();
        stage.move(LEASE_MS / 12);
      }
      await settle();
      stage.stop();
      expect(await consuming).toEqual({ acknowledged: 0, failed: 0, released: 0, lost: 2 });
      expect(stage.timing.pending).toEqual([]);
      unlock();
      expect((await stage.claim(rival, { max: 3 })).map(({ id }) => id)).toEqual([first, second]);
      await close();
    },
  );

  verifies(['CONSUME.lost'], 'work is lost at once where no retry is possible before its lease ends', async () => {
    const { stage, lock, unlock, close } = await openLockable();
    await stage.createMany(1);
    const gate = createGate<void>();
    const consuming = stage.consume(() => gate.opened, { prefetch: 0 });
    await until(() => stage.begun.length === 1, 'it begins');
    lock();
    for (let look = 1; look < 12; look += 1) {
      stage.move(LEASE_MS / 12);
      await settle();
    }
    stage.move(LEASE_MS / 12 - limits.retry_ms_min);
    stage.stop();
    gate.open();
    await settle();
    expect(stage.timing.pending).toEqual([]);
    expect(await consuming).toEqual({ acknowledged: 0, failed: 0, released: 0, lost: 1 });
    unlock();
    await close();
  });

  verifies(
    ['CONSUME.unavailable', 'CONSUME.stop'],
    'a release at the stop is tried once: a lapse does the same',
    async () => {
      const { stage, lock, unlock, close } = await openLockable();
      await stage.createMany(3);
      const gate = createGate<void>();
      const consuming = stage.consume(() => gate.opened, { concurrency: 1, prefetch: 2 });
      await until(() => stage.begun.length === 1, 'the first begins');
      await settle();
      lock();
      stage.stop();
      await settle();
      stage.timing.move(limits.retry_ms_max);
      await settle();
      expect(stage.errors.length).toBe(2);
      unlock();
      gate.open();
      expect(await consuming).toEqual({ acknowledged: 1, failed: 0, released: 0, lost: 2 });
      await close();
    },
  );

  verifies(['CONSUME.unavailable', 'CONSUME.grace'], 'nothing is tried again beyond the grace', async () => {
    const { stage, lock, unlock, close } = await openLockable();
    await stage.createMany(1);
    const gate = createGate<void>();
    const consuming = stage.consume(() => gate.opened, { grace_ms: 1_000 });
    await until(() => stage.begun.length === 1, 'it begins');
    await settle();
    lock();
    stage.stop();
    gate.open();
    await settle();
    stage.move(1_000);
    expect(await consuming).toEqual({ acknowledged: 0, failed: 0, released: 0, lost: 1 });
    expect(stage.timing.pending).toEqual([]);
    unlock();
    await close();
  });
});

for (const name of storeNames) {
  describe(`what no retry heals, on the ${name} store`, () => {
    verifies(['CONSUME.permanent'], 'a store that is closed ends the loop, after its handlers', async () => {
      const stage = await ConsumeStage.open(name, newFolder());
      await stage.createMany(3);
      const gate = createGate<void>();
      let isEnded = false;
      const consuming = stage.consume(() => gate.opened, { concurrency: 2, prefetch: 1 });
      const ended = consuming.then(
        () => expect.unreachable(),
        (error: unknown) => {
          isEnded = true;
          return error;
        },
      );
      await until(() => stage.begun.length === 2, 'two begin');
      await stage.store.close();
      stage.timing.move(LEASE_MS / 3);
      await settle();
      expect(isEnded).toBe(false);
      gate.open();
      expect(await ended).toMatchObject({ code: 'unavailable', message: expect.stringContaining('closed') });
      expect(stage.errors).toEqual([]);
      expect(stage.timing.pending).toEqual([]);
    });

    verifies(['CONSUME.permanent', 'CONSUME.lost'], 'a defect that only renewals meet is not kept quiet', async () => {
      const stage = await ConsumeStage.open(name, newFolder());
      await stage.createMany(1);
      const { transition } = stage.store;
      stage.store.transition = async (id, step, call) => {
        if (step.type === 'renew') throw new TypeError('A defect.');
        return transition.call(stage.store, id, step, call);
      };
      const consuming = stage.consume(
        (_handoff, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
      );
      const refused = expect(consuming).rejects.toThrow('A defect.');
      await until(() => stage.begun.length === 1, 'it begins');
      stage.timing.move(LEASE_MS / 3);
      await refused;
      await stage.store.close();
    });

    verifies(['CONSUME.permanent'], 'options out of their bounds are refused before anything is claimed', async () => {
      const stage = await ConsumeStage.open(name, newFolder());
      await stage.createMany(1);
      const wrong = [
        ...[{ concurrency: 0 }, { concurrency: 1.5 }, { concurrency: limits.batch_max + 1 }],
        ...[
          { prefetch: -1 },
          { prefetch: Number.NaN },
          { grace_ms: -1 },
          { grace_ms: limits.timer_ms_max + 1 },
          { lease_ms: 1 },
          { project: '' },
        ],
      ];
      for (const options of wrong) {
        await expect(stage.consume(() => {}, options)).rejects.toMatchObject({ code: 'invalid_input' });
      }
      stage.stop();
      const { batch_max: prefetch, batch_max: concurrency, timer_ms_max: grace_ms } = limits;
      for (const bounds of [
        { concurrency, prefetch, grace_ms },
        { concurrency: 1, prefetch: 0, grace_ms: 0 },
      ]) {
        expect(await stage.consume(() => {}, bounds)).toMatchObject({ acknowledged: 0, lost: 0 });
      }
      expect(stage.begun).toEqual([]);
      expect(stage.timing.pending).toEqual([]);
      await stage.store.close();
    });

    verifies(['CONSUME.permanent'], 'what the listener for errors throws ends the loop', async () => {
      const stage = await ConsumeStage.open(name, newFolder());
      await stage.createMany(1);
      const { claim } = stage.store;
      stage.store.claim = async () => {
        stage.store.claim = claim;
        const { HandoffError } = await import('../../packages/batonpass/src/core/errors.ts');
        throw new HandoffError('unavailable', 'The store cannot do it now.');
      };
      const onError = () => {
        throw new Error('Enough.');
      };
      await expect(stage.consume(() => {}, { onError })).rejects.toThrow('Enough.');
      await stage.store.close();
    });
  });
}
