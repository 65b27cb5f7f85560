import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { isHandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { openStore } from '../../packages/batonpass/src/stores/open.ts';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { createChance } from './history/chance.ts';
import { type Came, type Held, Recorder, type Wanted, type Work } from './history/recorder.ts';
import { readClock } from './moved-clock.ts';

/**
 * One process of a race: `node race-worker.ts ORDER`, the order as JSON. It writes its history to stdout, each beginning
 * before the store is called and each answer before the next call, so that all that it reported must survive its death.
 */

/** What a worker is started with. */
export interface WorkerOrder {
  /** Of SQLite, or the URL of a store on a server. */
  file: string;
  /** Unique in the run. */
  name: string;
  /**
   * `writer` creates. `sharer` creates and claims as much, both at once; `stubborn` does so too, and repeats under its key
   * what a store could not answer. `mixed` does everything at random, for ever. `told` executes commands from stdin, one
   * command after the other.
   */
  role: 'writer' | 'sharer' | 'stubborn' | 'mixed' | 'told';
  /** How many handoffs. Default: none. */
  count?: number;
  /** Of the chance. Default: 0. */
  seed?: number;
  /** A file that says how far the worker's clock is from the machine's. Default: it has the machine's. */
  clock?: string;
  /** Of `mixed`: who it is. It continues where another of this name was killed. */
  actor?: string;
  /** Of `mixed`: the keys of what its predecessor began and did not see the end of. */
  unfinished?: { creates: string[]; claims: string[] };
}

/** The commands of a worker of the role `told`. */
export type Command =
  | { do: 'create'; works: Work[] }
  | { do: 'claim'; wanted: Wanted }
  | { do: 'renew' | 'acknowledge' | 'release' | 'fail'; held: Held; lease_ms?: number }
  /** Renews at a third of the lease until that is refused. */
  | { do: 'hold'; held: Held; lease_ms: number };

const TASKS = 20;
const BATCH = 10;
const SHORT_LEASE_MS = 2_000;
const MANY = 1_000_000;

const order = JSON.parse(process.argv[2] ?? '{}') as WorkerOrder;
const { name, count = 0, actor = name, clock, unfinished } = order;
const now = clock === undefined ? Date.now : () => readClock(clock);
const isServer = order.file.startsWith('postgres:');
const isStubborn = order.role === 'stubborn';
const open = () => (isServer ? openStore(order.file) : openSqliteStore(order.file, { now }));
const store = await (isStubborn ? openInTheEnd() : open());
const say = (words: readonly object[]) => writeSync(1, words.map((word) => `${JSON.stringify(word)}\n`).join(''));
const recorder = new Recorder({ store, name, now, write: say });
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function openInTheEnd(): ReturnType<typeof openStore> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!isHandoffError(error) || error.code !== 'unavailable') throw error;
    }
  }
}

/** A stubborn worker repeats the very same call until the store could answer it. */
async function insist(call: () => Promise<Came>): Promise<Came> {
  for (;;) {
    const came = await call();
    if (!isStubborn || came.code !== 'unavailable') return came;
  }
}

/** The key says the task, so that a successor repeats the very same request. */
function workOf(key: string): Work {
  return { key, task_id: key.split('/')[0], max_attempts: MANY };
}

async function write(): Promise<void> {
  for (let made = 0; made < count; ) {
    const size = order.role === 'writer' ? 1 : Math.min(BATCH, count - made);
    const keys = Array.from({ length: size }, (_, index) => `task-${(made + index) % TASKS}/${name}-${made + index}`);
    await insist(() => recorder.create(actor, keys.map(workOf)));
    made += size;
  }
}

let reserved = 0;
let claims = 0;

/** Claims until the worker has had its share, each time done with the one before. */
async function receive(): Promise<void> {
  let acknowledges: Held | undefined;
  while (reserved < count) {
    reserved += 1;
    claims += 1;
    const wanted = { acknowledges, ...(isStubborn && { key: `${name}-claim-${claims}` }) };
    const { came, held } = await insist(() => recorder.claim(actor, wanted));
    if (came === 'ok') acknowledges = held[0];
    if (acknowledges !== undefined) continue;
    // The others have not written theirs yet.
    reserved -= 1;
    await wait(2);
  }
  const last = acknowledges;
  if (last !== undefined) await insist(() => recorder.acknowledge(actor, last));
}

/** One of several that act at once in this process, for ever. */
async function mix(agent: number, chance: () => number): Promise<never> {
  const held: Held[] = [];
  for (let turn = 0; ; turn += 1) {
    const key = `task-${Math.floor(chance() * TASKS)}/${name}-${agent}-${turn}`;
    const choice = chance();
    const mine = held[Math.floor(chance() * held.length)];
    if (choice < 0.3) await recorder.create(actor, [workOf(key)]);
    else if (mine === undefined || choice < 0.5) {
      held.push(...(await recorder.claim(actor, { lease_ms: SHORT_LEASE_MS, key })).held);
    } else if (choice < 0.6) await recorder.renew(actor, mine, SHORT_LEASE_MS);
    else {
      held.splice(held.indexOf(mine), 1);
      if (choice < 0.75)
        held.push(...(await recorder.claim(actor, { lease_ms: SHORT_LEASE_MS, acknowledges: mine })).held);
      else if (choice < 0.9) await recorder.acknowledge(actor, mine);
      else if (choice < 0.95) await recorder.release(actor, mine);
      else await recorder.fail(actor, mine);
    }
  }
}

/** Repeats what a predecessor began; what it got is this one's now. */
async function takeOver({ creates, claims }: { creates: string[]; claims: string[] }): Promise<void> {
  for (const key of creates) await recorder.create(actor, [workOf(key)]);
  for (const key of claims) {
    const { held } = await recorder.claim(actor, { lease_ms: SHORT_LEASE_MS, key });
    for (const each of held) await recorder.acknowledge(actor, each);
  }
}

async function obey(command: Command): Promise<Came> {
  switch (command.do) {
    case 'create':
      return recorder.create(actor, command.works);
    case 'claim':
      return recorder.claim(actor, command.wanted);
    case 'renew':
      return recorder.renew(actor, command.held, command.lease_ms);
    case 'hold':
      for (;;) {
        await wait(command.lease_ms / 3);
        const came = await recorder.renew(actor, command.held, command.lease_ms);
        if (came.came !== 'ok') return came;
      }
    default:
      return recorder[command.do](actor, command.held);
  }
}

// For the next worker; this one may be killed.
flushCompileCache();
switch (order.role) {
  case 'writer':
    await write();
    break;
  case 'sharer':
  case 'stubborn':
    await Promise.all([write(), receive(), receive()]);
    break;
  case 'mixed': {
    if (unfinished !== undefined) await takeOver(unfinished);
    const chance = createChance(order.seed ?? 0);
    await Promise.all([0, 1, 2].map((agent) => mix(agent, chance)));
    break;
  }
  case 'told':
    for await (const line of createInterface({ input: process.stdin })) {
      say([{ told: await obey(JSON.parse(line) as Command) }]);
    }
}
await store.close();
