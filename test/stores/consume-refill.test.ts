import { expect } from 'vitest';
import type { Store } from '../../packages/batonpass/src/core/store.ts';
import { verifies } from '../verifies.ts';
import { ConsumeStage } from './consume-stage.ts';
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

function bound(store: Store, name: string | symbol): unknown {
  const value: unknown = Reflect.get(store, name);
  return typeof value === 'function' ? value.bind(store) : value;
}
