import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { isHandoffError } from '../../../packages/batonpass/src/core/errors.ts';
import type { StoredHandoff } from '../../../packages/batonpass/src/core/store.ts';
import {
  type Bench,
  callBy,
  LEASE_MS,
  newHandoff,
  receiver,
  reviewer,
  writer,
} from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { type CrashStore, checkIntegrity } from './crash-store.ts';
import { flipBit, makeFilled, openReal, putFiles } from './damaged-copy.ts';
import { createChance } from './power-run.ts';

const flips = Math.ceil(Number(process.env.BATON_BIT_FLIPS ?? 150) / 2);
const seed = Number(process.env.BATON_BIT_SEED ?? 7);

const newFolder = createFolders();

describe('a database file that is damaged', () => {
  verifies(
    ['FAULT.file-flip'],
    'by a flipped bit gives every content unchanged or says that it is damaged',
    async () => {
      const folder = newFolder();
      const { database, handoffs } = await makeFilled(folder);
      const chance = createChance(seed);
      const told = { refused: 0, given: 0 };
      for (let count = 0; count < flips; count += 1) {
        const bit = Math.floor(chance() * database.length * 8);
        const file = putFiles(folder, { database: flipBit(database, bit) });
        const opened = await unlessRefused(openReal(file), told);
        if (opened === undefined) continue;
        await readAll(opened, handoffs, told);
        await claimAll(opened, handoffs, told);
        await unlessRefused(opened.bench.create({ title: 'after all' }), told);
        await opened.store.close();
      }
      expect(told.given).toBeGreaterThan(flips);
      expect(told.refused).toBeGreaterThan(flips / 10);
    },
  );

  verifies(['FAULT.file-flip'], 'in its header, at any byte, is said to be damaged or another program’s', async () => {
    const folder = newFolder();
    const { database } = await makeFilled(folder);
    for (let at = 0; at < 100; at += 1) {
      const bytes = Buffer.from(database);
      bytes.fill(0xff, at, at + 4);
      const told = { refused: 0, given: 0 };
      const opened = await unlessRefused(openReal(putFiles(folder, { database: bytes })), told);
      await opened?.store.close();
      expect(told.refused + Number(opened !== undefined), `byte ${at}`).toBe(1);
    }
  });

  verifies(['FAULT.file-flip'], 'so that an id leads to another handoff gives neither and moves neither', async () => {
    const folder = newFolder();
    const { database, handoffs } = await makeFilled(folder);
    const id = handoffs[1]?.handoff.id ?? '';
    const file = putFiles(folder, { database: leadElsewhere(database, id) });
    const { store, bench } = await openReal(file);
    const withdrawal = bench.step(reviewer, { id }, { type: 'withdraw' });
    for (const call of [store.get(id), withdrawal]) {
      await expect(call).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(id) });
    }
    const other = handoffs[2]?.handoff;
    expect((await store.get(other?.id ?? ''))?.delivery.version).toBe(other?.delivery.version);
    await store.close();
  });
});

describe('a content that cannot be read', () => {
  verifies(['FAULT.file-flip'], 'stops neither the clock nor its neighbours', async () => {
    const { store, driver, bench } = await openReal(join(newFolder(), 'baton.db'));
    const [damaged, sound] = await bench.create({ title: 'damaged' }, { title: 'sound' });
    await bench.claim(receiver, { id: damaged?.id });
    driver.prepare("UPDATE handoffs SET content = '{', version = version + 1 WHERE id = :id").run({ id: damaged?.id });
    bench.clock.move(2 * LEASE_MS);
    expect(await store.get(sound?.id ?? '')).toEqual(sound);
    expect((await store.events({ limit: 10 })).at(-1)).toMatchObject({ handoff_id: damaged?.id, to: 'open' });
    await expect(store.get(damaged?.id ?? '')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`Handoff ${damaged?.id} is damaged`),
    });
    expect(await bench.claimOne(receiver)).toMatchObject({ id: sound?.id });
    const reason = `Handoff ${damaged?.id} is damaged in the store: it cannot be read, Expected`;
    await expect(bench.claim(receiver, { id: damaged?.id })).rejects.toThrow(reason);
    await store.close();
  });

  verifies(['FAULT.damaged-row'], 'or not by its hash, is listed as damaged, passed over and set aside', async () => {
    for (const change of ["content = '{'", "content = content || ' '", "content_sha256 = 'x'", "approval = '{'"]) {
      const { store, driver, bench } = await openReal(join(newFolder(), 'baton.db'));
      const [first, damaged, last] = await bench.create({ title: 'a' }, { title: 'b' }, { title: 'c' });
      driver.prepare(`UPDATE handoffs SET ${change}, version = version + 1 WHERE id = :id`).run({ id: damaged?.id });
      const { handoffs } = await store.list({ filter: {}, limit: 10 });
      expect(handoffs.map(({ id, content }) => [id, content.kind])).toEqual([
        [last?.id, 'context'],
        [damaged?.id, 'damaged'],
        [first?.id, 'context'],
      ]);
      expect(handoffs[1]?.content.summary).toContain(`Handoff ${damaged?.id} is damaged in the store`);
      expect((await bench.claim(receiver, { max: 2 })).map(({ id }) => id)).toEqual([first?.id, last?.id]);
      const withdrawn = await bench.step(reviewer, { id: damaged?.id ?? '' }, { type: 'withdraw' });
      expect(withdrawn.delivery.state).toBe('withdrawn');
      expect(await bench.claim(receiver)).toEqual([]);
      await store.close();
    }
  });
});

describe('a database that another program changes while it is open', () => {
  verifies(
    ['FAULT.damaged-row'],
    'refuses what it can no longer do with an explanation, and does the rest',
    async () => {
      const { store, driver, bench } = await openReal(join(newFolder(), 'baton.db'));
      driver.exec('DROP TABLE answers');
      const given = [newHandoff({ title: 'keyed' })];
      await expect(store.create(given, callBy(writer, 'handoff.create', 'key'))).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('is damaged or was changed by another program'),
      });
      await bench.create({ title: 'without a key' });
      expect((await store.list({ filter: {}, limit: 10 })).handoffs.map(({ content }) => content.title)).toEqual([
        'without a key',
      ]);
      await store.close();
    },
  );

  verifies(['STORE.moving', 'FAULT.damaged-row'], 'keeps no part of an import that it cannot finish', async () => {
    const { store, driver, bench } = await openReal(join(newFolder(), 'baton.db'));
    const from = await openReal(join(newFolder(), 'baton.db'));
    await from.bench.create({ title: 'first' }, { title: 'second' });
    const before = await from.store.export({ limit: 10 });
    await store.import(before.handoffs.slice(0, 1));
    await from.bench.claim(receiver);
    const [first, second] = (await from.store.export({ limit: 10 })).handoffs;
    driver.exec('CREATE TRIGGER deaf BEFORE UPDATE ON handoffs BEGIN SELECT RAISE(IGNORE); END');
    const parts = [second, first].filter((part) => part !== undefined);
    await expect(store.import(parts)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.get(second?.handoff.id ?? '')).toBeNull();
    expect(await bench.stateOf({ id: first?.handoff.id ?? '' })).toBe('open');
    await Promise.all([store.close(), from.store.close()]);
  });
});

/** Changes the place in the index of ids: one byte behind the id, where places are small. */
function leadElsewhere(database: Buffer, id: string): Buffer {
  const changed = Buffer.from(database);
  // The header of an index entry of a text of 26 bytes and a number of one.
  const entry = Buffer.concat([Buffer.from([3, 13 + 2 * 26, 1]), Buffer.from(id)]);
  const at = changed.indexOf(entry) + entry.length;
  changed[at] = (changed[at] ?? 0) + 1;
  return changed;
}

interface Told {
  refused: number;
  given: number;
}

/** An error that does not explain itself is a defect, for any content of the file. */
async function unlessRefused<T>(call: Promise<T>, told: Told): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    expect(error.alternatives.length).toBeGreaterThan(0);
    told.refused += 1;
    return undefined;
  }
}

async function readAll({ store, driver }: CrashStore, handoffs: readonly StoredHandoff[], told: Told): Promise<void> {
  for (const { handoff, payload_json } of handoffs) {
    const found = await unlessRefused(store.get(handoff.id), told);
    if (found === undefined) continue;
    if (found === null) {
      // What an index no longer leads to is found by a scan of the whole file.
      expect(checkIntegrity(driver)).not.toBe('ok');
      continue;
    }
    told.given += 1;
    expect(found.content).toEqual(handoff.content);
    const payload = await unlessRefused(store.readPayload(handoff.id), told);
    if (payload !== undefined) expect(payload).toBe(payload_json ?? null);
  }
  await unlessRefused(store.list({ filter: {}, limit: 100 }), told);
  await unlessRefused(store.events({ limit: 1_000 }), told);
}

/** Claims until there is nothing left, or nothing more can be claimed. */
async function claimAll(
  { bench }: CrashStore & { bench: Bench },
  handoffs: readonly StoredHandoff[],
  told: Told,
): Promise<void> {
  for (;;) {
    const claimed = await unlessRefused(bench.claim(receiver), told);
    if (claimed === undefined || claimed.length === 0) return;
    for (const { content, content_sha256 } of claimed) {
      told.given += 1;
      const written = handoffs.find(({ handoff }) => handoff.content_sha256 === content_sha256);
      expect(content).toEqual(written?.handoff.content);
    }
  }
}
