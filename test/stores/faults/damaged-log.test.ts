import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { checkIntegrity, expectOneOf, readTables } from './crash-store.ts';
import { flipBit, makeLogged, type Original, openReal, putFiles } from './damaged-copy.ts';
import { createChance } from './power-run.ts';

/** Short: the ends of all frames and some bytes within them. `all`: every byte of the log. */
const cutsEverywhere = process.env.BATON_LOG_CUTS === 'all';
const flips = Math.ceil(Number(process.env.BATON_BIT_FLIPS ?? 150) / 2);
const seed = Number(process.env.BATON_BIT_SEED ?? 7);

const LOG_HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 4_096;
/** A prime: no two cuts lie at the same place of their frames. */
const STRIDE_BYTES = 1_499;

const newFolder = createFolders();

describe('a write-ahead log that is damaged', () => {
  verifies(['FAULT.log-cut'], 'and ends anywhere opens with exactly the commits that are whole', async () => {
    const folder = newFolder();
    const original = await makeLogged(folder);
    expect(original.ends.length).toBeGreaterThan(12);
    expect(new Set(original.states).size).toBe(original.states.length);
    for (const cut of listCuts(original.log.length)) {
      const log = original.log.subarray(0, cut);
      await expectCommitsUpTo(cut, original, putFiles(folder, { ...original, log }));
    }
  });

  verifies(['FAULT.log-flip'], 'by a flipped bit opens with the commits before it, unchanged', async () => {
    const folder = newFolder();
    const original = await makeLogged(folder);
    const chance = createChance(seed);
    for (let count = 0; count < flips; count += 1) {
      const bit = Math.floor(chance() * original.log.length * 8);
      const at = Math.floor(bit / 8);
      // Nothing of a log can be believed whose own header is damaged.
      const believed = at < LOG_HEADER_BYTES ? 0 : at;
      await expectCommitsUpTo(believed, original, putFiles(folder, { ...original, log: flipBit(original.log, bit) }));
    }
  });
});

function listCuts(bytes: number): number[] {
  if (cutsEverywhere) return Array.from({ length: bytes + 1 }, (_, cut) => cut);
  const cuts = new Set<number>([0, 1, 31, 32, 33]);
  for (let end = LOG_HEADER_BYTES; end <= bytes; end += FRAME_BYTES) {
    for (const beside of [-1, 0, 1, 24]) cuts.add(Math.min(bytes, end + beside));
  }
  for (let cut = 0; cut < bytes; cut += STRIDE_BYTES) cuts.add(cut);
  return [...cuts];
}

/** What a log says from its beginning to a place, and no more, is what the next process finds; and it continues. */
async function expectCommitsUpTo(end: number, { states, ends }: Original, file: string): Promise<void> {
  const { store, driver, bench } = await openReal(file);
  const whole = ends.findLastIndex((each) => each <= end);
  expectOneOf([states[whole] ?? ''], readTables(driver));
  expect(checkIntegrity(driver)).toBe('ok');
  await bench.create({ title: 'after the damage' });
  await store.close();
}
