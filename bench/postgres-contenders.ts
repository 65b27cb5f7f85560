import type { Handoff } from '../packages/batonpass/src/core/handoff.ts';
import type { Store } from '../packages/batonpass/src/core/store.ts';
import { consume } from '../packages/batonpass/src/stores/consume.ts';
import { openPostgresStore } from '../packages/batonpass/src/stores/postgres/store.ts';
import type { Contender } from './contest.ts';
import { BarePostgresQueue } from './postgres-bare.ts';
import { dropSchema } from './postgres-schema.ts';
import * as sample from './sample-work.ts';

/** How many handoffs, and by how many at once. */
export interface PostgresAmount {
  count: number;
  workers: number;
}

let schemas = 0;

/** A new, empty schema of one server, which is dropped after its round: contenders share the server and nothing else. */
function newPlace(url: string): { place: string; schema: string; drop: () => Promise<void> } {
  schemas += 1;
  const schema = `bench_${schemas}`;
  return { place: atSchema(url, schema), schema, drop: () => dropSchema(url, schema) };
}

/** Ends a round of the store. */
async function leave(store: Store, drop: () => Promise<void>): Promise<void> {
  await store.close();
  await drop();
}

/** The URL of a schema on a server. */
export function atSchema(url: string, schema: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}schema=${schema}`;
}

/** Two transactions a handoff over the store: the claim, and the acknowledgement. */
export function storeClaims(url: string, { count, workers }: PostgresAmount): Contender {
  return {
    prepare: async () => {
      const { place, drop } = newPlace(url);
      const store = await openFilled(place, count);
      const one = async () => acknowledge(store, await claimOne(store));
      // Connections are made, and statements are prepared, before.
      await share(workers * warm_up, workers, one);
      return { operations: count, work: () => share(count, workers, one), close: () => leave(store, drop) };
    },
  };
}

/** The same by the bare statements, each worker by its own connection. */
export function bareClaims(url: string, { count, workers }: PostgresAmount): Contender {
  return {
    prepare: async () => {
      const { place, schema, drop } = newPlace(url);
      await (await openFilled(place, count)).close();
      const queues = Array.from({ length: workers }, () => new BarePostgresQueue(url));
      await Promise.all(queues.map((queue) => queue.open(schema)));
      const run = async (turns: number) => {
        let left = turns;
        const work = async (queue: BarePostgresQueue) => {
          for (; left > 0; ) {
            left -= 1;
            await queue.acknowledge(await queue.claim());
          }
        };
        await Promise.all(queues.map(work));
      };
      await run(workers * warm_up);
      const close = async () => {
        await Promise.all(queues.map((queue) => queue.close()));
        await drop();
      };
      return { operations: count, work: () => run(count), close };
    },
  };
}

/** The worker loop with a handler that only reads. */
export function storeConsumes(url: string, { count, workers, ahead }: PostgresAmount & { ahead: number }): Contender {
  return {
    prepare: async () => {
      // What is ahead at the end is more than is handled: a loop that finds its queue empty begins to listen.
      const { place, drop } = newPlace(url);
      const store = await openFilled(place, count + workers + ahead);
      return {
        operations: count,
        work: () => consumeAll(store, { count, workers, ahead }),
        close: () => leave(store, drop),
      };
    },
  };
}

/** One call each, one after the other: from the writer's object to the committed row. */
export function storeCreates(url: string, count: number): Contender {
  return {
    prepare: async () => {
      const { place, drop } = newPlace(url);
      const store = await openPostgresStore(place);
      const inputs = sample.createInputs(count + warm_up).values();
      const create = async () => {
        const { value } = inputs.next();
        if (value !== undefined) await store.create([sample.createNewHandoff(value)], sample.creating);
      };
      await share(warm_up, 1, create);
      return { operations: count, work: () => share(count, 1, create), close: () => leave(store, drop) };
    },
  };
}

const warm_up = 20;

/** Open handoffs, and some more for the warm-up of each worker. */
async function openFilled(place: string, count: number): Promise<Store> {
  const store = await openPostgresStore(place);
  for (const batch of sample.inBatches(sample.createNewHandoffs(count + 16 * warm_up), 500)) {
    await store.create(batch, sample.creating);
  }
  return store;
}

async function consumeAll(store: Store, { count, workers, ahead }: PostgresAmount & { ahead: number }): Promise<void> {
  const stop = new AbortController();
  let handled = 0;
  const options = { project: sample.project, task_id: sample.task_id, actor: sample.receiver, signal: stop.signal };
  const consumed = await consume(store, { ...options, concurrency: workers, prefetch: ahead }, ({ content }) => {
    if (content.payload !== undefined) handled += 1;
    if (handled === count) stop.abort();
  });
  if (consumed.acknowledged < count) throw new Error(`${consumed.acknowledged} of ${count} were acknowledged.`);
}

async function share(turns: number, workers: number, body: () => Promise<unknown>): Promise<void> {
  let left = turns;
  const work = async () => {
    for (; left > 0; ) {
      left -= 1;
      await body();
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}

async function claimOne(store: Store): Promise<Handoff> {
  const { handoffs } = await store.claim(sample.requestOf(1), sample.claiming);
  const [handoff] = handoffs;
  if (handoff === undefined) throw new Error('The store has no handoff left.');
  return handoff;
}

function acknowledge(store: Store, { id, delivery }: Handoff): Promise<Handoff> {
  const step = { type: 'acknowledge', token: delivery.lease?.token ?? '' } as const;
  return store.transition(id, step, sample.acknowledging);
}
