import { getEventListeners } from 'node:events';
import { describe, expect } from 'vitest';
import { newHandoff, PROJECT, receiver, rival, tokenOf } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { verifies } from '../verifies.ts';
import { ConsumeStage, createGate, LEASE_MS, settle, storeNames, until } from './consume-stage.ts';
import { createFolders } from './folders.ts';

const newFolder = createFolders();

/** After empty claims a notification takes effect at once again. */
const RESTED_MS = 50;

for (const name of storeNames) {
  describe(`the loop on the ${name} store, when it waits and when it stops`, () => {
    const open = () => ConsumeStage.open(name, newFolder());

    verifies(['CONSUME.wait'], 'a loop without work asks for nothing until a sign comes, whichever it is', async () => {
      const stage = await open();
      const { claim } = stage.store;
      let claims = 0;
      stage.store.claim = (request, call) => {
        if (call.actor === receiver) claims += 1;
        return claim.call(stage.store, request, call);
      };
      const [draft] = await stage.create({ state: 'draft', title: 'approved' });
      const consuming = stage.consume(() => {}, { concurrency: 2 });
      await settle();
      expect(claims).toBe(2);
      await settle();
      expect(claims).toBe(2);
      stage.timing.move(RESTED_MS);
      await stage.createOne({ title: 'created' });
      await until(() => stage.begun.length === 1, 'what was created begins');
      const { id = '', content_sha256 = '' } = draft ?? {};
      await stage.step(rival, { id }, { type: 'approve', content_sha256, rendered_sha256: 'r', budget: 1_000 });
      await until(() => stage.begun.length === 2, 'what was approved begins');
      const [elsewhere] = await stage.create({ title: 'released', target_agent: rival.name });
      await settle();
      const held = await stage.claimOne(rival, { id: elsewhere?.id });
      await stage.step(rival, held, { type: 'withdraw' }).catch(() => {});
      await stage.step(rival, held, { type: 'release', token: tokenOf(held) });
      await settle();
      stage.timing.move(RESTED_MS);
      await settle();
      expect(stage.begun.length).toBe(2);
      claims = 0;
      await settle();
      stage.timing.move(1_000);
      await settle();
      expect(claims).toBe(1);
      stage.stop();
      expect((await consuming).acknowledged).toBe(2);
      await stage.store.close();
    });

    verifies(['CONSUME.wait'], 'signs of what is not for it cost a loop ever fewer claims', async () => {
      const stage = await open();
      const { claim } = stage.store;
      let claims = 0;
      stage.store.claim = (request, call) => {
        if (call.actor === receiver) claims += 1;
        return claim.call(stage.store, request, call);
      };
      const consuming = stage.consume(() => {}, { task_id: 'mine' });
      await settle();
      for (let ms = 0; ms < 200; ms += 1) {
        await stage.createOne({ task_id: 'another' });
        stage.timing.move(1);
        await settle();
      }
      expect(claims).toBeLessThan(20);
      const { id } = await stage.createOne({ task_id: 'mine' });
      stage.timing.move(RESTED_MS);
      await until(async () => (await stage.stateOf({ id })) === 'acknowledged', 'its own is done');
      stage.stop();
      await consuming;
      await stage.store.close();
    });

    verifies(['CONSUME.stop'], 'a stop releases what did not start and lets what runs finish', async () => {
      const stage = await open();
      const ids = await stage.createMany(5);
      const gate = createGate<void>();
      const consuming = stage.consume(() => gate.opened, { concurrency: 1, prefetch: 2, grace_ms: LEASE_MS });
      await until(() => stage.begun.length === 1, 'the first begins');
      await settle();
      stage.stop();
      await settle();
      expect(await stage.listIn('open')).toEqual(ids.slice(1));
      for (const id of ids.slice(1, 3)) expect((await stage.read({ id })).delivery.attempts).toBe(0);
      stage.move(LEASE_MS / 3);
      gate.open();
      expect(await consuming).toEqual({ acknowledged: 1, failed: 0, released: 2, lost: 0 });
      expect(await stage.listIn('acknowledged')).toEqual(ids.slice(0, 1));
      expect(stage.timing.pending).toEqual([]);
      expect(getEventListeners(stage.signal, 'abort').length).toBe(0);
      await stage.store.close();
    });

    verifies(
      ['CONSUME.stop'],
      'a loop that is stopped before it begins claims nothing, and one that waits ends',
      async () => {
        const stage = await open();
        const stopped = stage.consume(() => {}, { signal: AbortSignal.abort() });
        expect(await stopped).toEqual({ acknowledged: 0, failed: 0, released: 0, lost: 0 });
        const waiting = stage.consume(() => {});
        await settle();
        stage.stop();
        expect(await waiting).toEqual({ acknowledged: 0, failed: 0, released: 0, lost: 0 });
        expect(stage.timing.pending).toEqual([]);
        await stage.store.close();
      },
    );

    verifies(['CONSUME.stop'], 'what a claim brings after the stop is released, not begun', async () => {
      for (const [count, claimed] of [
        [4, 3],
        // Where there are fewer than it asked for, the loop would listen for more.
        [2, 2],
      ] as const) {
        const stage = await open();
        const ids = await stage.createMany(count);
        const { claim, subscribe } = stage.store;
        stage.store.claim = (request, call) => {
          const claiming = claim.call(stage.store, request, call);
          stage.stop();
          return claiming;
        };
        const signals: AbortSignal[] = [];
        stage.store.subscribe = (request, signal) => {
          signals.push(signal);
          return subscribe.call(stage.store, request, signal);
        };
        const consuming = stage.consume(() => {}, { concurrency: 2, prefetch: 1 });
        expect(await consuming).toEqual({ acknowledged: 0, failed: 0, released: claimed, lost: 0 });
        expect(stage.begun).toEqual([]);
        expect(await stage.listIn('open')).toEqual(ids);
        expect(signals.filter(({ aborted }) => !aborted)).toEqual([]);
        await stage.store.close();
      }
    });

    verifies(['CONSUME.stop'], 'a loop with endless work lets a stop in', async () => {
      const stage = await open();
      await stage.createMany(1);
      const given = newHandoff({});
      const consuming = stage.consume(() =>
        stage.store.create([given], { actor: rival, project: PROJECT, operation: 'c' }),
      );
      await until(() => stage.begun.length > 50, 'it is at work');
      setTimeout(() => stage.stop(), 1);
      expect((await consuming).acknowledged).toBe(stage.begun.length);
      await stage.store.close();
    });

    verifies(
      ['CONSUME.grace'],
      'after the grace period handlers get the abort signal; what they leave undone is released',
      async () => {
        const stage = await open();
        const [first = '', second = '', third = ''] = await stage.createMany(3);
        const consuming = stage.consume(
          async ({ id }, { signal }) => {
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
            if (id === first) return;
            if (id === second) throw signal.reason;
            await Promise.reject(new Error('Stopped.'));
          },
          { concurrency: 3, grace_ms: 5_000 },
        );
        await until(() => stage.begun.length === 3, 'all begin');
        stage.stop();
        stage.move(4_999);
        await settle();
        expect((await stage.listIn('claimed')).length).toBe(3);
        stage.move(1);
        expect(await consuming).toEqual({ acknowledged: 1, failed: 0, released: 2, lost: 0 });
        expect(await stage.listIn('acknowledged')).toEqual([first]);
        expect(await stage.listIn('open')).toEqual([second, third]);
        expect(stage.timing.pending).toEqual([]);
        await stage.store.close();
      },
    );
  });
}
