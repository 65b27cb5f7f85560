import { describe, expect } from 'vitest';
import { formatAge } from '../../packages/batonpass/src/doors/cli/duration.ts';
import { verifies } from '../verifies.ts';
import { createChance } from './history/chance.ts';
import type { Held } from './history/recorder.ts';
import { allEnded, type WorkerProcess } from './race-process.ts';
import { createStages } from './race-stage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const YEAR_MS = 365 * 24 * HOUR_MS;
const LEASE_MS = 15 * MINUTE_MS;

/** `npm run soak -- clock` sets more. */
const MOVES = Number(process.env.BATON_CLOCK_MOVES ?? 30);
const seed = Number(process.env.BATON_CLOCK_SEED ?? Date.now() % 2 ** 31);

const openStage = createStages();

const create = async (worker: WorkerProcess, ...keys: string[]) => {
  for (const key of keys) await worker.tell({ do: 'create', works: [{ key }] });
};

const claim = async (worker: WorkerProcess): Promise<Held | undefined> =>
  (await worker.tell({ do: 'claim', wanted: { lease_ms: LEASE_MS } })).held[0];

const acknowledge = async (worker: WorkerProcess, held: Held | undefined) => {
  if (held === undefined) throw new Error('Nothing was claimed.');
  const { came, code } = await worker.tell({ do: 'acknowledge', held });
  return code ?? came;
};

describe('one clock for all processes', () => {
  verifies(
    ['RELIABLE.clock'],
    'set back by an hour: no live lease is stolen, each runs longer, order stays',
    async () => {
      const { setClock, startTold, judge } = openStage();
      const [ada, bo] = [startTold('ada'), startTold('bo')];
      await create(ada, 'first', 'second', 'third');
      const first = await claim(ada);
      const second = await claim(ada);
      setClock(-HOUR_MS);
      await create(ada, 'fourth');
      expect((await claim(bo))?.title).toBe('third');
      expect((await claim(bo))?.title).toBe('fourth');
      // A lease ends at the instant that it was promised for, which comes later now.
      setClock(LEASE_MS - MINUTE_MS - HOUR_MS);
      expect(await claim(bo)).toBeUndefined();
      expect(await acknowledge(ada, first)).toBe('ok');
      setClock(LEASE_MS + 1);
      expect((await claim(bo))?.title).toBe('second');
      expect(await acknowledge(ada, second)).toBe('lease_lost');
      await judge();
    },
  );

  verifies(
    ['RELIABLE.clock'],
    'set back by ten years: a lease that would end later than any lease can is over, order stays',
    async () => {
      const { setClock, startTold, judge } = openStage();
      const [ada, bo] = [startTold('ada'), startTold('bo')];
      await create(ada, 'first', 'second');
      const first = await claim(ada);
      setClock(-10 * YEAR_MS);
      await create(ada, 'third');
      expect([await claim(bo), await claim(bo), await claim(bo)].map((held) => held?.title)).toEqual([
        'first',
        'second',
        'third',
      ]);
      expect(await acknowledge(ada, first)).toBe('lease_lost');
      await judge();
    },
  );

  verifies(
    ['RELIABLE.clock'],
    'set forward by a year, leases are over for all alike; set right again, those of then are over too, order stays',
    async () => {
      const { setClock, startTold, judge } = openStage();
      const [ada, bo] = [startTold('ada'), startTold('bo')];
      await create(ada, 'first', 'second');
      const first = await claim(ada);
      setClock(YEAR_MS);
      await create(bo, 'third');
      const again = await claim(bo);
      expect(again?.title).toBe('first');
      expect(await acknowledge(ada, first)).toBe('lease_lost');
      setClock(0);
      await create(bo, 'fourth');
      const held = [await claim(ada), await claim(ada), await claim(ada), await claim(ada)];
      expect(held.map((each) => each?.title)).toEqual(['first', 'second', 'third', 'fourth']);
      expect(await claim(ada)).toBeUndefined();
      expect(await acknowledge(bo, again)).toBe('lease_lost');
      await judge();
    },
  );

  verifies(
    ['RELIABLE.clock'],
    `moved to and fro ${MOVES} times under three working processes, nothing is stolen, lost or out of order (seed ${seed})`,
    async () => {
      const { setClock, start, judge } = openStage();
      const chance = createChance(seed);
      const jumps_ms = [0, -HOUR_MS, -10 * YEAR_MS, YEAR_MS, 2_500, MINUTE_MS];
      let moves = 0;
      const onLine = (count: number) => {
        if (count % 20 !== 0) return;
        setClock(jumps_ms[Math.floor(chance() * jumps_ms.length)] ?? 0);
        moves += 1;
        if (moves >= MOVES) for (const worker of workers) worker.kill();
      };
      const workers = ['ada', 'bo', 'cy'].map((name, index) =>
        start({ name, role: 'mixed', seed: seed + index }, { onLine }),
      );
      await allEnded(workers.map(({ ended }) => ended));
      setClock(3 * YEAR_MS);
      const { handoffs } = await judge({ drains: true });
      expect(handoffs.filter(({ delivery }) => delivery.state !== 'acknowledged')).toEqual([]);
    },
    120_000 + MOVES * 1_000,
  );
});

describe('a process whose clock is another than the others', () => {
  verifies(
    ['RELIABLE.skew'],
    'that runs ahead ends leases early: the holder is refused, no handoff is worked on twice, order stays',
    async () => {
      const { setClock, startTold, judge } = openStage();
      setClock(HOUR_MS, 'ahead');
      const [ada, bo] = [startTold('ada'), startTold('bo', 'ahead')];
      await create(ada, 'first', 'second');
      const early = await claim(ada);
      const taken = await claim(bo);
      expect(taken?.title).toBe('first');
      expect(await acknowledge(ada, early)).toBe('lease_lost');
      expect((await claim(ada))?.title).toBe('second');
      // By the others' clocks its own lease lasts an hour longer.
      setClock(HOUR_MS - MINUTE_MS);
      expect((await claim(ada))?.title).toBe('second');
      expect(await acknowledge(bo, taken)).toBe('ok');
      await judge();
    },
  );

  verifies(
    ['RELIABLE.skew'],
    'that runs behind has its leases ended by the next call of any process, steals nothing and loses nothing',
    async () => {
      const { setClock, startTold, judge } = openStage();
      setClock(-HOUR_MS, 'behind');
      const [ada, bo] = [startTold('ada'), startTold('bo', 'behind')];
      await create(ada, 'first', 'second');
      const short = await claim(bo);
      expect(short?.title).toBe('first');
      const first = await claim(ada);
      expect(first?.title).toBe('first');
      expect(await acknowledge(bo, short)).toBe('lease_lost');
      const second = await claim(bo);
      expect(second?.title).toBe('second');
      // Without a call in between, it is done in time.
      expect(await acknowledge(bo, second)).toBe('ok');
      expect(await acknowledge(ada, first)).toBe('ok');
      const { events } = await judge();
      expect(events.filter(({ name }) => name === 'handoff-lapsed').length).toBe(1);
    },
  );
});

verifies(['RELIABLE.clock'], 'what a later clock created has no negative age', () => {
  const instant = '2026-03-01T12:00:00.000Z';
  expect(formatAge(instant, Date.parse(instant) - 10 * YEAR_MS)).toBe('0 s');
});
