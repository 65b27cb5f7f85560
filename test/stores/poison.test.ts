import { expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { verifies } from '../verifies.ts';
import { createStages } from './race-stage.ts';

const ATTEMPTS = limits.attempts_max_default;
const LEASE_MS = 60_000;

const openStage = createStages();

verifies(
  ['RELIABLE.poison', 'LIFE.lapse'],
  'a handoff whose receiver dies each time is dead after exactly its attempts, and the queue behind it continues meanwhile',
  async () => {
    const { setClock, startTold, judge } = openStage();
    const survivor = startTold('survivor');
    const behind = Array.from({ length: ATTEMPTS + 1 }, (_, index) => `behind-${index}`);
    for (const key of ['poison', ...behind]) await survivor.tell({ do: 'create', works: [{ key }] });
    const claim = { do: 'claim', wanted: { lease_ms: LEASE_MS } } as const;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const victim = startTold(`victim-${attempt}`);
      const { held } = await victim.tell(claim);
      expect(held.map(({ title }) => title)).toEqual(['poison']);
      victim.kill();
      await victim.ended;
      const next = (await survivor.tell(claim)).held;
      expect(next.map(({ title }) => title)).toEqual(behind.slice(attempt, attempt + 1));
      for (const each of next) await survivor.tell({ do: 'acknowledge', held: each });
      setClock((attempt + 1) * (LEASE_MS + 1));
    }
    const last = (await survivor.tell(claim)).held;
    expect(last.map(({ title }) => title)).toEqual(behind.slice(ATTEMPTS));
    for (const each of last) await survivor.tell({ do: 'acknowledge', held: each });
    expect((await survivor.tell(claim)).held).toEqual([]);
    const { handoffs, events } = await judge();
    const poison = handoffs.find(({ content }) => content.title === 'poison');
    expect(poison?.delivery).toMatchObject({ state: 'dead', attempts: ATTEMPTS, max_attempts: ATTEMPTS });
    const history = events.filter(({ handoff_id }) => handoff_id === poison?.id);
    expect(history.filter(({ to }) => to === 'dead').map(({ name }) => name)).toEqual(['handoff-lapsed']);
  },
  60_000,
);
