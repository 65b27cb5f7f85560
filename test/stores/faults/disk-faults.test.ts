import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { lengthenLog } from './crash-store.ts';
import { deeds } from './deeds.ts';
import { type FaultSeries, sweep } from './fault-sweep.ts';
import { foreignHandoffs, setScene } from './scene.ts';

/** Short: every write and every sync fails, with one error. `all`: with every error, reads too, in any state of the log. */
const isLong = process.env.BATON_DISK_FAULTS === 'all';

const full = { on: 'write', answer: 'full', lasts: true } as const;
const broken = { on: 'write', answer: 'io', lasts: false } as const;
const unsynced = { on: 'sync', answer: 'io', lasts: false } as const;
const unread = { on: 'read', answer: 'io', lasts: false } as const;

const short: readonly FaultSeries[] = [(nth) => (nth % 2 === 1 ? full : broken), () => unsynced];

const long: readonly FaultSeries[] = [full, broken, unsynced, unread].flatMap((fault) => [
  () => fault,
  () => ({ ...fault, lasts: !fault.lasts }),
]);

/** What follows the deed's commit, whose steps fail too: the log is cut off, is written back in place, or stays. */
const logs = isLong ? (['cut off', 'in place', 'stays'] as const) : (['cut off'] as const);

const newFolder = createFolders();

beforeEach(() => {
  // A transaction takes up calls for some milliseconds; here they do not pass, so that a group stays together.
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a disk that is full or fails', () => {
  for (const deed of deeds) {
    verifies(
      ['FAULT.full', 'FAULT.error', 'FAULT.group', 'FAULT.recovers'],
      `at each step of: ${deed.name}`,
      async () => {
        const place = join(newFolder(), 'baton.db');
        const [scene, foreign] = [await setScene(place), await foreignHandoffs(place)];
        for (const log of logs) {
          const path = join(newFolder(), 'baton.db');
          if (log === 'cut off') lengthenLog(path);
          const options = log === 'in place' ? { checkpoint_pages: 1 } : {};
          for (const series of isLong ? long : short) {
            // The body that cannot read ends the transaction for those before it; those behind it get another.
            if (series(1).on === 'read' && deed.name === 'a group') continue;
            const { refused } = await sweep(deed, series, { path, scene, foreign, options });
            expect(refused).toBeGreaterThan(0);
          }
        }
      },
    );
  }
});
