import type { Store } from '../../../packages/batonpass/src/core/store.ts';
import { createChance } from './chance.ts';
import type { Evidence } from './check-history.ts';
import { drain, readContents } from './contents.ts';
import { type Line, readHistory } from './history.ts';
import { type Held, Recorder, type Work } from './recorder.ts';

const ROUNDS = 80;
const LEASE_MS = 1_000;
const HOUR_MS = 3_600_000;
const MANY = 1_000;

/** One agent of a short run: what it holds, whether it holds it or not any more, and what it does not know. */
interface Agent {
  name: string;
  recorder: Recorder;
  held: Held[];
  /** Created, but the answer was lost. */
  uncertain: Work[];
  made: number;
}

/**
 * Three agents with a connection each take turns at once on one queue, for eighty rounds of a clock of the run's own.
 * Leases are short, so that some lapse in a holder's hand and it acts too late. One answer in four is lost; a create
 * whose answer was lost is repeated. At the end everything is claimed and acknowledged.
 */
export async function runShortly(open: (now: () => number) => Promise<Store>, seed: number): Promise<Evidence> {
  const chance = createChance(seed);
  const lines: Line[] = [];
  let now_ms = Date.parse('2026-03-01T12:00:00Z');
  const now = () => now_ms;
  const stores = await Promise.all(['ada', 'bo', 'cy'].map(async (name) => ({ name, store: await open(now) })));
  const write = (more: readonly Line[]) => lines.push(...more);
  try {
    const agents = stores.map(({ name, store }): Agent => {
      const losesAnswer = () => chance() < 0.25;
      return {
        name,
        recorder: new Recorder({ store, name, write, now, losesAnswer }),
        held: [],
        uncertain: [],
        made: 0,
      };
    });
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all(agents.map((agent) => act(agent, chance)));
      now_ms += 250;
    }
    now_ms += HOUR_MS;
    const [{ store } = { store: undefined }] = stores;
    if (store === undefined) throw new Error('A run has agents.');
    await drain(new Recorder({ store, name: 'judge', write, now }), 'judge');
    return { operations: readHistory(lines), ...(await readContents(store)) };
  } finally {
    await Promise.all(stores.map(({ store }) => store.close()));
  }
}

async function act(agent: Agent, chance: () => number): Promise<void> {
  const { name, recorder, held, uncertain } = agent;
  const choice = chance();
  const again = uncertain.pop();
  if (again !== undefined || choice < 0.3) {
    const work = again ?? {
      key: `${name}-work-${agent.made}`,
      task_id: `task-${Math.floor(chance() * 2)}`,
      max_attempts: MANY,
    };
    if (again === undefined) agent.made += 1;
    const { came } = await recorder.create(name, [work]);
    if (came === 'unknown') uncertain.push(work);
    return;
  }
  const index = Math.floor(chance() * held.length);
  const mine = held[index];
  if (mine === undefined || choice < 0.6) {
    held.push(...(await recorder.claim(name, { lease_ms: LEASE_MS })).held);
  } else if (choice < 0.7) {
    await recorder.renew(name, mine, LEASE_MS);
  } else {
    held.splice(index, 1);
    if (choice < 0.85) await recorder.acknowledge(name, mine);
    else if (choice < 0.95) await recorder.release(name, mine);
    else await recorder.fail(name, mine);
  }
}
