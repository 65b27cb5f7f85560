import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { HandoffEvent } from '../../packages/batonpass/src/core/delivery.ts';
import type { Handoff } from '../../packages/batonpass/src/core/handoff.ts';
import type { Store } from '../../packages/batonpass/src/core/store.ts';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { verifies } from '../verifies.ts';
import { createFolders } from './folders.ts';
import { type Report, runWorker } from './race-process.ts';

const PROJECT = 'race';
const HANDOFFS = 4_000;
const TASKS = 20;
const KILLS = Number(process.env.BATON_RACE_KILLS ?? 100);
const seed = Number(process.env.BATON_RACE_SEED ?? Date.now() % 2 ** 31);
const HOUR_MS = 3_600_000;

const call = { actor: { name: 'judge', type: 'agent' }, project: PROJECT, operation: 'race' } as const;
const newFolder = createFolders();
const newFile = () => join(newFolder(), 'baton.db');

verifies(
  ['STORE.race', 'STORE.exclusive', 'LIFE.fifo'],
  'eight processes claim 4,000 handoffs, each exactly once and first in first out in each task',
  async () => {
    const file = newFile();
    const store = await openSqliteStore(file);
    const created = await createMany(store);
    const names = Array.from({ length: 8 }, (_, index) => `claimer-${index}`);
    const runs = await allEnded(names.map((name) => runWorker({ file, name, role: 'claimer', count: HANDOFFS + 1 })));
    const claimed = runs.flatMap(({ reports }) => reports.flatMap((report) => report.claimed ?? []));
    expect(claimed.length).toBe(HANDOFFS);
    expect(new Set(claimed)).toEqual(new Set(created.map(({ id }) => id)));
    const events = (await readEvents(store)).filter(({ name }) => name === 'handoff-claimed');
    const taskOf = new Map(created.map(({ id, content }) => [id, content.task_id]));
    for (const task_id of new Set(taskOf.values())) {
      const order = events.map((event) => event.handoff_id).filter((id) => taskOf.get(id) === task_id);
      expect(order).toEqual(created.flatMap(({ id, content }) => (content.task_id === task_id ? [id] : [])));
    }
    await store.close();
  },
  120_000,
);

verifies(
  ['STORE.kill', 'STORE.durable', 'STORE.exclusive'],
  `${KILLS} killed writers and receivers lose nothing acknowledged and hold nothing for ever (seed ${seed})`,
  async () => {
    const file = newFile();
    const reports = await killMany(file);
    const store = await openSqliteStore(file, { now: () => Date.now() + HOUR_MS });
    const history = Map.groupBy(await readEvents(store), ({ handoff_id }) => handoff_id);
    const pick = (key: 'created' | 'claimed' | 'acknowledged') => reports.flatMap((report) => report[key] ?? []);
    for (const id of pick('created')) expect(history.get(id)?.[0]?.name).toBe('handoff-created');
    expect(new Set(pick('acknowledged')).size).toBe(pick('acknowledged').length);
    for (const id of pick('acknowledged')) expect((await store.get(id))?.delivery.state).toBe('acknowledged');
    const leases = reports.flatMap(({ claimed, fence }) => (claimed === undefined ? [] : [`${claimed} ${fence}`]));
    expect(new Set(leases).size).toBe(leases.length);
    for (const events of history.values()) expectOneHolderAtATime(events);
    await expectRestClaimable(store, history);
    await store.close();
    const database = new DatabaseSync(file);
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.close();
  },
  180_000,
);

async function createMany(store: Store): Promise<Handoff[]> {
  const created: Handoff[] = [];
  for (let batch = 0; batch < 4; batch += 1) {
    const given = Array.from({ length: HANDOFFS / 4 }, (_, index) => ({
      ...completeContent({ task_id: `task-${index % TASKS}` }, { source_agent: 'judge' }),
      project: PROJECT,
      state: 'open' as const,
    }));
    created.push(...(await store.create(given, call)));
  }
  return created;
}

async function readEvents(store: Store): Promise<HandoffEvent[]> {
  const events: HandoffEvent[] = [];
  for (;;) {
    const more = await store.events({ after_seq: events.at(-1)?.seq, limit: 10_000 });
    if (more.length === 0) return events;
    events.push(...more);
  }
}

/** Four lanes of workers, each killed after a random number of reports; the next of the lane takes its place. */
async function killMany(file: string): Promise<Report[]> {
  const reports: Report[] = [];
  let kills = 0;
  let workers = 0;
  const chance = createChance(seed);
  const runLane = async (lane: number) => {
    while (kills < KILLS) {
      workers += 1;
      const role = lane % 2 === 0 ? 'writer' : 'receiver';
      const reports_before_kill = 1 + Math.floor(chance() * 25);
      const run = await runWorker({ file, name: `${role}-${workers}`, role, count: 1_000, reports_before_kill });
      reports.push(...run.reports);
      if (run.wasKilled) kills += 1;
    }
  };
  await allEnded([0, 1, 2, 3].map(runLane));
  return reports;
}

/** As `Promise.all`, but no process is left behind when one of them fails. */
async function allEnded<T>(runs: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(runs);
  return Promise.all(runs);
}

/** Between a claim and the next one there is always the end of the first. */
function expectOneHolderAtATime(events: readonly HandoffEvent[]): void {
  let state = 'none';
  let fence = 0;
  for (const { name, from, to, details } of events) {
    expect(from ?? 'none').toBe(state);
    state = to;
    if (name !== 'handoff-claimed') continue;
    expect(details?.fence).toBe(fence + 1);
    fence += 1;
  }
}

/** With every lease lapsed, whatever was not acknowledged can be claimed, once. */
async function expectRestClaimable(store: Store, history: Map<string, HandoffEvent[]>): Promise<void> {
  const claimed: Handoff[] = [];
  for (;;) {
    const { handoffs } = await store.claim({ project: PROJECT, lease_ms: HOUR_MS, max: 1_000 }, call);
    if (handoffs.length === 0) break;
    claimed.push(...handoffs);
  }
  const done = await Promise.all([...history.keys()].map(async (id) => (await store.get(id))?.delivery.state));
  expect(claimed.length + done.filter((state) => state === 'acknowledged').length).toBe(history.size);
  expect(claimed.length).toBeGreaterThan(0);
}

/** A small generator whose whole course follows from its seed. */
function createChance(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
