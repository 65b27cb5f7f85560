import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { lengthenLog } from './crash-store.ts';
import { cutPower } from './power-check.ts';
import { recordRun } from './power-run.ts';

/** Power cuts in all; a run has some hundred moments, each new run another seed. */
const cuts = Number(process.env.BATON_POWER_CUTS ?? 150);
const cutsPerRun = Math.min(1_000, Math.ceil(cuts / 2));
/** Power cuts of a run aside. */
const CUTS_ASIDE = 100;
const seed = Number(process.env.BATON_POWER_SEED ?? 20_260_301);

const newFolder = createFolders();

/** The two ways in which a log ends: SQLite restarts it in place, or the store cuts it off. */
const inPlace = () => ({ path: join(newFolder(), 'baton.db'), checkpoint_pages: 8 });
const cutOff = () => {
  const path = join(newFolder(), 'baton.db');
  lengthenLog(path);
  return { path };
};

beforeEach(() => {
  // A transaction takes up calls for some milliseconds; here they do not pass, so that a seed does the same each time.
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a power cut', () => {
  verifies(['FAULT.power'], 'at any moment: nothing acknowledged is lost, nothing is torn', async () => {
    const ways = [inPlace(), cutOff()];
    for (let done = 0; done < cuts; done += cutsPerRun) {
      const { path, ...options } = ways[(done / cutsPerRun) % ways.length] ?? inPlace();
      const run = await recordRun(path, seed + done, options);
      const count = Math.min(cutsPerRun, cuts - done);
      const found = await cutPower(run, { path, count, seed: seed + done });
      expect(found).toEqual({ cuts: count, lost: [], torn: [], broken: [] });
    }
  });

  verifies(
    ['FAULT.power-normal'],
    'with durability normal: the last commits alone can be lost, nothing is torn',
    async () => {
      for (const { path, ...options } of [inPlace(), cutOff()]) {
        const run = await recordRun(path, seed, { ...options, durability: 'normal' });
        const { lost, torn, broken } = await cutPower(run, { path, count: CUTS_ASIDE, seed });
        expect({ torn, broken }).toEqual({ torn: [], broken: [] });
        // Else the check of durability full would prove nothing.
        expect(lost.length).toBeGreaterThan(CUTS_ASIDE / 10);
      }
    },
  );
});

describe('the check of power cuts', () => {
  verifies(['FAULT.power-checked'], 'fails where the disk does not sync on request', async () => {
    const { path } = cutOff();
    const run = await recordRun(path, seed);
    const { lost, torn, broken } = await cutPower(run, { path, count: CUTS_ASIDE, seed, ignoresSync: true });
    expect(lost.length).toBeGreaterThan(CUTS_ASIDE / 4);
    expect(torn.length + broken.length).toBeGreaterThan(0);
  });

  verifies(['FAULT.power-checked'], 'fails where the store asks for no syncs', async () => {
    const { path } = cutOff();
    const run = await recordRun(path, seed, { synchronous: 'OFF' });
    const { lost, torn, broken } = await cutPower(run, { path, count: CUTS_ASIDE, seed });
    expect(lost.length).toBeGreaterThan(CUTS_ASIDE / 4);
    expect(torn.length + broken.length).toBeGreaterThan(0);
  });
});
