import type { Handoff } from '../../../packages/batonpass/src/core/handoff.ts';
import type { Step } from '../../../packages/batonpass/src/core/transitions.ts';
import {
  type Bench,
  callBy,
  claimOf,
  editTo,
  LEASE_MS,
  MINUTE_MS,
  newHandoff,
  receiver,
  reviewer,
  tokenOf,
  writer,
} from '../../../packages/batonpass/src/stores/contract/bench.ts';
import type { Driver } from '../../../packages/batonpass/src/stores/sqlite/driver.ts';
import { CrashDisk } from './crash-disk.ts';
import { type CrashStoreOptions, readTables } from './crash-store.ts';
import { LARGE_PAYLOAD, openBench } from './scene.ts';

/** A course of work on one database, with everything that the disk was asked for meanwhile. */
export interface PowerRun {
  history: CrashDisk['history'];
  /** Every state that was committed, the empty one first, and how many steps the disk had taken when that was reported. */
  commits: { tables: string; at: number }[];
}

/** What a run's work knows of the handoffs so far. */
interface Work {
  bench: Bench;
  chance: () => number;
  held: Handoff[];
  drafts: Handoff[];
  calls: number;
}

const SESSIONS = 3;
const TURNS_PER_SESSION = 14;

/** Works at random on a new database, opened and closed several times; the same seed does the same. */
export async function recordRun(path: string, seed: number, options: CrashStoreOptions = {}): Promise<PowerRun> {
  const disk = new CrashDisk();
  const commits: PowerRun['commits'] = [];
  const chance = createChance(seed);
  const known = { held: [], drafts: [], calls: 0, chance };
  for (let session = 0; session < SESSIONS; session += 1) {
    const note = (driver: Driver) => {
      const tables = readTables(driver);
      if (tables.startsWith('answers') && tables !== commits.at(-1)?.tables)
        commits.push({ tables, at: disk.history.length });
    };
    const { store, bench } = await openBench(path, disk, { ...options, onCommit: note });
    bench.clock.move(session * MINUTE_MS);
    const work: Work = { ...known, bench };
    for (let turn = 0; turn < TURNS_PER_SESSION; turn += 1) await doTurn(work);
    known.calls = work.calls;
    await store.close();
  }
  return { history: disk.history, commits };
}

/** One to four calls at once, now and then after some leases have ended. */
async function doTurn(work: Work): Promise<void> {
  const { bench, chance } = work;
  if (chance() < 0.1) bench.clock.move(LEASE_MS);
  const count = 1 + Math.floor(chance() * 4);
  await Promise.all(Array.from({ length: count }, () => doSomething(work)));
}

async function doSomething(work: Work): Promise<void> {
  const { bench, chance, held, drafts } = work;
  work.calls += 1;
  const what = chance();
  if (what < 0.35) {
    const given = { title: `${work.calls}`, ...(chance() < 0.1 ? { payload: LARGE_PAYLOAD } : {}) };
    await bench.create(...Array.from({ length: 1 + Math.floor(chance() * 3) }, () => given));
  } else if (what < 0.45) {
    drafts.push(await bench.createOne({ title: `${work.calls}`, state: 'draft' }));
  } else if (what < 0.5) {
    await bench.store.create([newHandoff({})], callBy(writer, 'handoff.create', `key ${work.calls}`));
  } else if (what < 0.8) {
    const call = callBy(receiver, 'handoff.claim', chance() < 0.2 ? `key ${work.calls}` : undefined);
    held.push(...(await bench.store.claim(claimOf({ max: 2 }), call)).handoffs);
  } else if (what < 0.9) {
    await unlessRefused(stepOf(work, held.pop()));
  } else {
    await unlessRefused(review(work, drafts.pop()));
  }
}

async function stepOf({ bench, chance }: Work, handoff: Handoff | undefined): Promise<unknown> {
  if (handoff === undefined) return;
  const token = tokenOf(handoff);
  const steps: Step[] = [
    { type: 'acknowledge', token },
    { type: 'release', token },
    { type: 'fail', token, reason: 'It broke.' },
    { type: 'renew', token, lease_ms: LEASE_MS },
    { type: 'ask', token, question: 'Which one?' },
  ];
  return bench.step(receiver, handoff, steps[Math.floor(chance() * steps.length)] as Step);
}

async function review({ bench, chance }: Work, draft: Handoff | undefined): Promise<unknown> {
  if (draft === undefined) return;
  if (chance() < 0.3) return bench.step(reviewer, draft, { type: 'withdraw' });
  const edited = await bench.step(reviewer, draft, editTo({ title: 'edited' }));
  const { content_sha256 } = edited;
  return bench.step(reviewer, draft, { type: 'approve', content_sha256, rendered_sha256: 'r', budget: 2_000 });
}

/** A lease may have ended meanwhile. */
async function unlessRefused(step: Promise<unknown>): Promise<void> {
  await step.catch((error: unknown) => {
    if ((error as { code?: string }).code !== 'lease_lost') throw error;
  });
}

/** Chance whose whole course follows from its seed. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
