import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { lengthenLog } from './crash-store.ts';
import { cutPower } from './power-check.ts';
import { recordRun } from './power-run.ts';

/** Power cuts in all; a run has some hundred moments, each new run another seed. */
const cuts = Number(process.env.BATON_POWER_CUTS ?? 300);
const CUTS_PER_RUN = 1_000;
/** Power cuts of a run whose findings are known beforehand. */
const cuts_aside = 100;
const seed = Number(process.env.BATON_POWER_SEED ?? 20_260_301);

const newFolder = createFolders();

/** A place whose log is written back again and again. */
function newPlace(): string {
  const path = join(newFolder(), 'baton.db');
  lengthenLog(path);
  return path;
}

beforeEach(() => {
  // A transaction takes up calls for some milliseconds; here they do not pass, so that a seed does the same each time.
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a power cut', () => {
  verifies(['FAULT.power'], 'at any moment: nothing acknowledged is lost, nothing is torn', async () => {
    const path = newPlace();
    for (let done = 0; done < cuts; done += CUTS_PER_RUN) {
      const run = await recordRun(path, seed + done);
      const count = Math.min(CUTS_PER_RUN, cuts - done);
      const found = await cutPower(run, { path, count, seed: seed + done });
      expect(found).toEqual({ cuts: count, lost: [], torn: [], broken: [] });
    }
  });

  verifies(
    ['FAULT.power-normal'],
    'with durability normal: the last commits alone can be lost, nothing is torn',
    async () => {
      const path = newPlace();
      const run = await recordRun(path, seed, { durability: 'normal' });
      const { lost, torn, broken } = await cutPower(run, { path, count: cuts_aside, seed });
      expect({ torn, broken }).toEqual({ torn: [], broken: [] });
      // Else the check of durability full would prove nothing.
      expect(lost.length).toBeGreaterThan(cuts_aside / 10);
    },
  );
});

describe('the check of power cuts', () => {
  verifies(['FAULT.power-checked'], 'fails where the disk does not sync what it is told to', async () => {
    const path = newPlace();
    const run = await recordRun(path, seed);
    const { lost, torn, broken } = await cutPower(run, { path, count: cuts_aside, seed, ignoresSync: true });
    expect(lost.length).toBeGreaterThan(cuts_aside / 4);
    expect(torn.length + broken.length).toBeGreaterThan(0);
  });

  verifies(['FAULT.power-checked'], 'fails where the store asks for no syncs', async () => {
    const path = newPlace();
    const run = await recordRun(path, seed, { synchronous: 'OFF' });
    const { lost, torn, broken } = await cutPower(run, { path, count: cuts_aside, seed });
    expect(lost.length).toBeGreaterThan(cuts_aside / 4);
    expect(torn.length + broken.length).toBeGreaterThan(0);
  });
});
