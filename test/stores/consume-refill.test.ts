import { expect } from 'vitest';
import { HandoffError } from '../../packages/batonpass/src/core/errors.ts';
import type { Store } from '../../packages/batonpass/src/core/store.ts';
import { verifies } from '../verifies.ts';
import { ConsumeStage, createGate, settle, until } from './consume-stage.ts';
import { createFolders } from './folders.ts';

const newFolder = createFolders();

verifies(
  ['CONSUME.refill', 'CONSUME.bounds'],
  'with forty ahead, handoffs are claimed by twenties: never one alone while there is more, and never all at once',
  async () => {
    const asked: number[] = [];
    const noted = (store: Store): Store => {
      const claim: Store['claim'] = (request, call) => {
        asked.push(request.max);
        return store.claim(request, call);
      };
      return new Proxy(store, { get: (target, name) => (name === 'claim' ? claim : bound(target, name)) });
    };
    const stage = await ConsumeStage.open('memory', newFolder(), noted);
    const ids = await stage.createMany(200);
    let handled = 0;
    const consumed = await stage.consume(
      () => {
        handled += 1;
        if (handled === ids.length) stage.stop();
      },
      { concurrency: 2, prefetch: 40 },
    );
    expect(consumed.acknowledged).toBe(ids.length);
    expect(asked[0]).toBe(21);
    expect(asked.filter((max) => max < 20 || max > 21)).toEqual([]);
    await stage.store.close();
  },
);

verifies(
  ['CONSUME.ahead', 'CONSUME.bounds'],
  'while a claim is in flight, the next follows as soon as what was held is acknowledged, and no third',
  async () => {
    const held: (() => void)[] = [];
    const asked: number[] = [];
    // Nothing of the first claim is done before the second is in flight: then it prefetches, on a slow machine too.
    const second = Promise.withResolvers<void>();
    const slow = (store: Store): Store => {
      const claim: Store['claim'] = async (request, call) => {
        asked.push(request.max);
        if (asked.length === 2) second.resolve();
        // The first comes at once; each later one when the test lets it.
        if (asked.length > 1) await new Promise<void>((resolve) => held.push(resolve));
        return store.claim(request, call);
      };
      return new Proxy(store, { get: (target, name) => (name === 'claim' ? claim : bound(target, name)) });
    };
    const stage = await ConsumeStage.open('memory', newFolder(), slow);
    await stage.createMany(200);
    const consuming = stage.consume(() => second.promise, { concurrency: 2, prefetch: 40 });
    await until(() => asked.length === 3, 'a third claim');
    await settle();
    // The first half is done; the two that are in flight fill the rest.
    expect([asked, held.length, stage.begun.length]).toEqual([[21, 21, 20], 2, 21]);
    held[0]?.();
    await until(() => asked.length === 4, 'a fourth claim');
    await settle();
    expect([stage.begun.length, held.length]).toEqual([42, 3]);
    stage.stop();
    for (const let_go of held) let_go();
    const { acknowledged, released } = await consuming;
    const [, , third = 0, fourth = 0] = asked;
    expect([acknowledged, released]).toEqual([42, third + fourth]);
    expect(third + fourth).toBeLessThanOrEqual(42);
    expect(await stage.listIn('claimed')).toEqual([]);
    await stage.store.close();
  },
);

verifies(
  ['CONSUME.ahead', 'CONSUME.permanent'],
  'a loop that fails ends when the claim ahead of it has come, and releases what that brought',
  async () => {
    let asked = 0;
    let fail = () => {};
    let bring = () => {};
    const second = Promise.withResolvers<void>();
    const failing = (store: Store): Store => {
      const claim: Store['claim'] = async (request, call) => {
        asked += 1;
        if (asked === 2) second.resolve();
        if (asked === 2) await new Promise<void>((_, reject) => (fail = () => reject(new TypeError('A defect.'))));
        const answer = await store.claim(request, call);
        if (asked === 3) await new Promise<void>((resolve) => (bring = resolve));
        return answer;
      };
      return new Proxy(store, { get: (target, name) => (name === 'claim' ? claim : bound(target, name)) });
    };
    const stage = await ConsumeStage.open('memory', newFolder(), failing);
    await stage.createMany(100);
    const consuming = stage.consume(() => second.promise, { concurrency: 2, prefetch: 40 });
    const refused = expect(consuming).rejects.toThrow('A defect.');
    await until(() => asked === 3, 'a claim ahead');
    await settle();
    expect(await stage.listIn('claimed')).toHaveLength(20);
    fail();
    await settle();
    bring();
    await refused;
    expect(await stage.listIn('claimed')).toEqual([]);
    await stage.store.close();
  },
);

verifies(
  ['CONSUME.ahead', 'CONSUME.permanent'],
  'a claim ahead that fails before the one in flight has come ends the loop in its turn, after that one',
  async () => {
    let asked = 0;
    let bring = () => {};
    const second = Promise.withResolvers<void>();
    const failing = (store: Store): Store => {
      const claim: Store['claim'] = async (request, call) => {
        asked += 1;
        if (asked === 2) second.resolve();
        if (asked === 3) throw new TypeError('A defect.');
        const answer = await store.claim(request, call);
        if (asked === 2) await new Promise<void>((resolve) => (bring = resolve));
        return answer;
      };
      return new Proxy(store, { get: (target, name) => (name === 'claim' ? claim : bound(target, name)) });
    };
    const stage = await ConsumeStage.open('memory', newFolder(), failing);
    await stage.createMany(100);
    const consuming = stage.consume(() => second.promise, { concurrency: 2, prefetch: 40 });
    const refused = expect(consuming).rejects.toThrow('A defect.');
    await until(() => asked === 3, 'a claim ahead');
    await settle();
    expect(stage.begun).toHaveLength(21);
    bring();
    await refused;
    expect(stage.begun.length).toBeGreaterThan(21);
    expect(await stage.listIn('claimed')).toEqual([]);
    await stage.store.close();
  },
);

verifies(
  ['CONSUME.wait', 'CONSUME.unavailable'],
  'a handler that ends while the loop waits for a sign, or after an error, causes no claim',
  async () => {
    for (const fails of [false, true]) {
      const asked: number[] = [];
      const gate = createGate();
      const noted = (store: Store): Store => {
        const claim: Store['claim'] = async (request, call) => {
          asked.push(request.max);
          if (fails && asked.length === 2) throw new HandoffError('unavailable', 'The disk is full.');
          return store.claim(request, call);
        };
        return new Proxy(store, { get: (target, name) => (name === 'claim' ? claim : bound(target, name)) });
      };
      const stage = await ConsumeStage.open('memory', newFolder(), noted);
      const ids = await stage.createMany(3);
      const consuming = stage.consume(() => gate.opened, { concurrency: 3, prefetch: 40 });
      await until(() => asked.length === 2, 'the claim that finds nothing');
      await settle();
      gate.open();
      await until(async () => (await stage.listIn('acknowledged')).length === ids.length, 'the acknowledgements');
      await settle();
      expect([asked.length, stage.errors.length]).toEqual([2, fails ? 1 : 0]);
      stage.stop();
      expect(await consuming).toMatchObject({ acknowledged: 3 });
      await stage.store.close();
    }
  },
);

function bound(store: Store, name: string | symbol): unknown {
  const value: unknown = Reflect.get(store, name);
  return typeof value === 'function' ? value.bind(store) : value;
}
