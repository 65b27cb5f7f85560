import { join } from 'node:path';
import { expect } from 'vitest';
import {
  Bench,
  callBy,
  createClock,
  receiver,
  rival,
  tokenOf,
} from '../../packages/batonpass/src/stores/contract/bench.ts';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { verifies } from '../verifies.ts';
import { createFolders } from './folders.ts';

const newFolder = createFolders();

verifies(['SPEED.acknowledge-unread'], 'leaves what an acknowledgement that is read leaves', async () => {
  const clock = createClock();
  const store = await openSqliteStore(join(newFolder(), 'baton.db'), clock.surroundings);
  const bench = new Bench(store, clock);
  const acknowledging = callBy(receiver, 'handoff.acknowledge');
  const claim = async () => bench.claimOne(receiver, { id: (await bench.createOne()).id });
  const [read, unread] = [await claim(), await claim()];
  await store.transition(read.id, { type: 'acknowledge', token: tokenOf(read) }, acknowledging);
  await store.acknowledge?.({ id: unread.id, token: tokenOf(unread) }, acknowledging);
  const deliveryOf = async (id: string) => (await store.get(id))?.delivery;
  expect(await deliveryOf(unread.id)).toEqual(await deliveryOf(read.id));
  const historyOf = async (handoff_id: string) =>
    (await store.events({ handoff_id, limit: 9 })).map(({ seq: _seq, handoff_id: _id, ...line }) => line);
  expect(await historyOf(unread.id)).toEqual(await historyOf(read.id));
  await store.close();
});

verifies(['SPEED.acknowledge-unread'], 'is refused as one that is read, and changes nothing then', async () => {
  const clock = createClock();
  const store = await openSqliteStore(join(newFolder(), 'baton.db'), clock.surroundings);
  const bench = new Bench(store, clock);
  const held = await bench.claimOne(receiver, { id: (await bench.createOne()).id });
  const before = await store.get(held.id);
  const attempt = (id: string, token: string) =>
    store.acknowledge?.({ id, token }, callBy(receiver, 'handoff.acknowledge'));
  await expect(attempt(held.id, 'another')).rejects.toMatchObject({ code: 'lease_lost' });
  await expect(attempt('NOBODY', tokenOf(held))).rejects.toMatchObject({ code: 'not_found' });
  await expect(attempt(held.id, '')).rejects.toMatchObject({ code: 'invalid_input' });
  expect(await store.get(held.id)).toEqual(before);
  // Whoever shows the token acts as its holder.
  await store.acknowledge?.({ id: held.id, token: tokenOf(held) }, callBy(rival, 'handoff.acknowledge'));
  expect((await store.get(held.id))?.delivery).toMatchObject({ state: 'acknowledged', acknowledged_by: receiver.name });
  await expect(attempt(held.id, tokenOf(held))).rejects.toMatchObject({ code: 'lease_lost' });
  await store.close();
});
