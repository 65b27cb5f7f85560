import { describe, expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import type { ConsumeContext } from '../../packages/batonpass/src/stores/consuming/options.ts';
import { receiver, rival, tokenOf } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { verifies } from '../verifies.ts';
import { ConsumeStage, createGate, LEASE_MS, settle, storeNames, until } from './consume-stage.ts';
import { createFolders } from './folders.ts';

const newFolder = createFolders();

for (const name of storeNames) {
  describe(`the loop on the ${name} store`, () => {
    const open = () => ConsumeStage.open(name, newFolder());

    verifies(['CONSUME.handle'], 'handoffs are handled in their order, each once, and acknowledged', async () => {
      const stage = await open();
      const ids = await stage.createMany(25, { task_id: 'mine' });
      await stage.createMany(3, { task_id: 'another' });
      const handled: string[] = [];
      const consumed = await stage.consume(
        ({ content, delivery, id }) => {
          expect(content.task_id).toBe('mine');
          expect(delivery.lease?.holder).toBe(receiver.name);
          handled.push(id);
          if (handled.length === ids.length) stage.stop();
        },
        { task_id: 'mine', concurrency: 3 },
      );
      expect(handled).toEqual(ids);
      expect(consumed).toEqual({ acknowledged: 25, failed: 0, released: 0, lost: 0 });
      expect(await stage.listIn('acknowledged')).toEqual(ids);
      expect((await stage.listIn('open')).length).toBe(3);
      await stage.store.close();
    });

    verifies(['CONSUME.handle'], 'what a handler throws is the reason of its failure, its secrets masked', async () => {
      const stage = await open();
      const [first = '', second = '', third = '', fourth = ''] = await stage.createMany(4);
      const secret = `sk-ant-${'a1B2'.repeat(8)}`;
      const consumed = await stage.consume(async ({ id }) => {
        if (id === fourth) stage.stop();
        if (id === first) throw new Error(`No entry with ${secret}.`);
        if (id === second) throw { toString: () => `\ud800${'long '.repeat(10_000)}` };
        if (id === third) throw Object.create(null);
      });
      expect(consumed).toEqual({ acknowledged: 1, failed: 3, released: 0, lost: 0 });
      const { delivery } = await stage.read({ id: first });
      expect(delivery.failure?.reason).toMatch(/^No entry with \S+\.$/);
      expect(delivery.failure?.reason).not.toContain(secret);
      const { reason = '' } = (await stage.read({ id: second })).delivery.failure ?? {};
      expect([reason.slice(0, 10), reason.length]).toEqual(['\ufffdlong long', limits.entry_characters_max]);
      expect((await stage.read({ id: third })).delivery.failure?.reason).toBe('It failed without a reason.');
      await stage.store.close();
    });

    verifies(
      ['CONSUME.handle', 'CONSUME.wait'],
      'what failed is claimed again after its back-off, which makes no event, until it is dead',
      async () => {
        const stage = await open();
        const [id = ''] = await stage.createMany(1, { max_attempts: 3 });
        const consuming = stage.consume(() => {
          throw new Error('It never works.');
        });
        for (let attempt = 1; attempt <= 3; attempt += 1) {
          await until(() => stage.begun.length === attempt, 'it is tried again');
          await settle();
          stage.clock.move(10 * 60_000);
          stage.timing.move(1_000);
        }
        await settle();
        expect((await stage.read({ id })).delivery.state).toBe('dead');
        stage.stop();
        expect(await consuming).toMatchObject({ failed: 3 });
        await stage.store.close();
      },
    );

    verifies(['CONSUME.bounds'], 'no more run than asked for, and no more is claimed than there is room', async () => {
      for (const [concurrency, prefetch] of [
        [1, 0],
        [2, 3],
        [3, undefined],
      ] as const) {
        const stage = await open();
        await stage.createMany(30);
        const held_max = concurrency + (prefetch ?? concurrency);
        const gates: ReturnType<typeof createGate<void>>[] = [];
        let running = 0;
        const consuming = stage.consume(
          async () => {
            const gate = createGate<void>();
            gates.push(gate);
            running += 1;
            expect(running).toBeLessThanOrEqual(concurrency);
            await gate.opened;
            running -= 1;
          },
          { concurrency, prefetch },
        );
        for (let done = 0; done < 30; done += 1) {
          await until(() => gates.length > done, 'one more begins');
          await settle();
          expect((await stage.listIn('claimed')).length).toBe(Math.min(held_max, 30 - done));
          gates[done]?.open();
        }
        await settle();
        stage.stop();
        expect((await consuming).acknowledged).toBe(30);
        await stage.store.close();
      }
    });

    verifies(['CONSUME.together'], 'a loop without room acknowledges together with its next claim', async () => {
      const stage = await open();
      await stage.createMany(10);
      const { transition } = stage.store;
      const steps: string[] = [];
      stage.store.transition = (id, step, call) => {
        steps.push(step.type);
        return transition.call(stage.store, id, step, call);
      };
      const consuming = stage.consume(() => {}, { concurrency: 1, prefetch: 0 });
      await until(async () => (await stage.listIn('acknowledged')).length === 10, 'all are done');
      stage.stop();
      expect((await consuming).acknowledged).toBe(10);
      expect(steps).toEqual([]);
      await stage.store.close();
    });

    verifies(['CONSUME.renew'], 'a third of a lease after its claim it is renewed, of what waits too', async () => {
      const stage = await open();
      const ids = await stage.createMany(3);
      const gate = createGate<void>();
      const consuming = stage.consume(() => gate.opened, { concurrency: 1, prefetch: 2 });
      await until(() => stage.begun.length === 1, 'the first begins');
      stage.move(LEASE_MS / 3 - 1);
      await settle();
      const renewals = async () =>
        (await Promise.all(ids.map((id) => stage.history({ id })))).map(
          (events) => events.filter((event) => event === 'handoff-renewed').length,
        );
      expect(await renewals()).toEqual([0, 0, 0]);
      stage.move(1);
      await settle();
      expect(await renewals()).toEqual([1, 1, 1]);
      for (let third = 1; third < 30; third += 1) {
        for (let look = 0; look < 4; look += 1) {
          stage.move(LEASE_MS / 12);
          await settle();
        }
      }
      expect(await renewals()).toEqual([30, 30, 30]);
      gate.open();
      await until(async () => (await stage.listIn('acknowledged')).length === 3, 'all are done');
      stage.stop();
      expect(await consuming).toEqual({ acknowledged: 3, failed: 0, released: 0, lost: 0 });
      await stage.store.close();
    });

    verifies(['CONSUME.lost'], 'a lost lease aborts its handler, and nothing of it is acknowledged', async () => {
      const stage = await open();
      const [first = '', second = ''] = await stage.createMany(2);
      const gate = createGate<ConsumeContext>();
      const consuming = stage.consume(
        async (_handoff, work) => {
          gate.open(work);
          await new Promise((resolve) => work.signal.addEventListener('abort', resolve));
          await settle();
        },
        { concurrency: 1, prefetch: 1 },
      );
      const { signal } = await gate.opened;
      // The loop was paused, as a sleeping laptop is: both leases lapse, and a rival takes the work.
      stage.clock.move(LEASE_MS);
      const taken = await stage.claim(rival, { max: 2 });
      expect(taken.map(({ id }) => id)).toEqual([first, second]);
      expect(signal.aborted).toBe(false);
      stage.timing.move(LEASE_MS / 3);
      await until(() => signal.aborted, 'the handler is told');
      expect(signal.reason).toMatchObject({ code: 'lease_lost' });
      stage.stop();
      expect(await consuming).toEqual({ acknowledged: 0, failed: 0, released: 0, lost: 2 });
      expect(stage.begun).toEqual([first]);
      for (const each of taken) {
        const step = { type: 'acknowledge', token: tokenOf(each) } as const;
        expect((await stage.step(rival, each, step)).delivery.acknowledged_by).toBe(rival.name);
      }
      await stage.store.close();
    });

    verifies(['CONSUME.lost'], 'what was lost is not handled twice at once by the same loop', async () => {
      const stage = await open();
      const [id = ''] = await stage.createMany(1);
      const deaf = createGate<void>();
      const consuming = stage.consume(() => (stage.begun.length === 1 ? deaf.opened : undefined), {
        concurrency: 2,
        prefetch: 0,
      });
      await until(() => stage.begun.length === 1, 'it begins');
      stage.clock.move(LEASE_MS);
      // The slow poll and the renewal both come due: the claim may find it open before the loop knows that it lost it.
      stage.timing.move(LEASE_MS / 3);
      await until(async () => (await stage.stateOf({ id })) === 'open', 'it has lapsed');
      for (let look = 0; look < 3; look += 1) {
        await settle();
        stage.move(1_000);
      }
      await settle();
      expect(stage.begun).toEqual([id]);
      deaf.open();
      await settle();
      stage.move(1_000);
      await until(async () => (await stage.stateOf({ id })) === 'acknowledged', 'it is handled again');
      expect(stage.begun).toEqual([id, id]);
      stage.stop();
      expect(await consuming).toMatchObject({ acknowledged: 1, failed: 0, lost: 1 });
      expect(stage.timing.pending).toEqual([]);
      await stage.store.close();
    });

    verifies(['CONSUME.lost'], 'what waited while nothing ran for longer than its lease does not begin', async () => {
      const stage = await open();
      const [first = '', second = ''] = await stage.createMany(2);
      const gate = createGate<void>();
      const consuming = stage.consume(() => (stage.begun.length === 1 ? gate.opened : undefined), { prefetch: 1 });
      await until(() => stage.begun.length === 1, 'the first begins');
      await settle();
      stage.clock.move(LEASE_MS);
      stage.timing.pass(LEASE_MS);
      gate.open();
      await until(async () => (await stage.stateOf({ id: second })) === 'acknowledged', 'the second is done');
      const events = await stage.history({ id: second });
      expect(events.filter((event) => event === 'handoff-claimed').length).toBe(2);
      expect(stage.begun).toEqual([first, first, second]);
      stage.stop();
      expect(await consuming).toEqual({ acknowledged: 2, failed: 0, released: 0, lost: 2 });
      await stage.store.close();
    });
  });
}
