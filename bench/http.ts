import { openSqliteStore } from '../packages/batonpass/src/stores/sqlite/store.ts';
import { type Contender, contest, ratioOf } from './contest.ts';
import { type Benchmark, type Metric, quantile } from './frame.ts';
import type { ClientsAnswer, ClientsTask } from './http-client-process.ts';
import type { ServeAnswer, ServeTask, Side } from './http-server-process.ts';
import { type Participant, startParticipant } from './processes.ts';
import { createNewHandoffs, creating } from './sample-work.ts';
import { httpTargets } from './targets.ts';

const rounds = 7;
const sizes = { clients: 50, requests: 3_000 };
const how = `${sizes.clients} clients, ${sizes.requests} requests each round`;

/** How many handoffs a list asks for. */
const listed = 20;

/** What the clients do, by its name in the figures. */
const tasks = {
  list: { method: 'GET', path: `/api/handoff.list?limit=${listed}` },
  // As a program asks that reads the handoff's fields: the store answers no text for a model either.
  claim: { method: 'POST', path: '/api/handoff.claim', body: '{"render":false}' },
  rendered: { method: 'POST', path: '/api/handoff.claim', body: '{}' },
} as const;

type TaskName = keyof typeof tasks;

/** What the door costs over the bare call of the store behind a bare route. */
export const http: Benchmark = {
  name: 'http',
  what: 'list and claim over loopback by 50 clients, over the bare store behind a bare route',
  run: async () => {
    const crew = await gatherCrew();
    try {
      const metrics: Metric[] = [];
      for (const task of Object.keys(tasks) as TaskName[]) metrics.push(...(await measure(task, crew)));
      return metrics;
    } finally {
      await crew.end();
    }
  },
};

async function measure(task: TaskName, crew: Crew): Promise<Metric[]> {
  const rounds_ms: (readonly number[])[] = [];
  const { ours, theirs } = contendersOf(task, crew, sizes, ({ taken_ms }) => rounds_ms.push(taken_ms));
  const ratio = ratioOf(httpTargets[task], await contest(ours, theirs, rounds), how);
  // The first round loads the code, and does not count.
  const sample = rounds_ms.slice(1).flat();
  const note = `n = ${sample.length}; p50 ${quantile(sample, 0.5).toFixed(1)} ms`;
  return [ratio, { ...httpTargets[`${task}P99`], value: quantile(sample, 0.99), note }];
}

/** The processes that take part: the clients, and a server of each side that stays for all rounds. */
export interface Crew {
  clients: Participant;
  servers: Record<Side, Participant>;
  end: () => Promise<void>;
}

/** Starts the processes; the caller ends them. */
export async function gatherCrew(): Promise<Crew> {
  const serve = (side: Side) => startParticipant('http-server-process.ts', [side]);
  const clients = await startParticipant('http-client-process.ts', []);
  const servers = { door: await serve('door'), bare: await serve('bare'), operation: await serve('operation') };
  return {
    clients,
    servers,
    end: async () => {
      for (const participant of [clients, ...Object.values(servers)]) await participant.end();
    },
  };
}

/** How much the clients ask. */
export interface Sizes {
  requests: number;
  clients: number;
}

/**
 * The door and a bare route, on equal stores: that of the store's call, or of the operation where a text is rendered.
 * `note` gets the duration of each request to the door.
 */
export function contendersOf(
  task: TaskName,
  crew: Crew,
  sizes: Sizes,
  note: (answer: ClientsAnswer) => void,
): { ours: Contender; theirs: Contender } {
  const work = { task, crew, sizes };
  return {
    ours: contenderOf('door', { ...work, note }),
    theirs: contenderOf(task === 'rendered' ? 'operation' : 'bare', work),
  };
}

interface Work {
  task: TaskName;
  crew: Crew;
  sizes: Sizes;
  note?: (answer: ClientsAnswer) => void;
}

function contenderOf(side: Side, { task, crew, sizes, note }: Work): Contender {
  const server = crew.servers[side];
  return {
    prepare: async (path) => {
      await fill(path, sizes.requests);
      const served = (await server.ask({ path } satisfies ServeTask)) as ServeAnswer;
      const asked: ClientsTask = { ...served, ...tasks[task], ...sizes };
      return {
        operations: sizes.requests,
        work: async () => {
          const answer = (await crew.clients.ask(asked)) as ClientsAnswer;
          note?.(answer);
        },
        close: async () => {
          await server.ask({} satisfies ServeTask);
        },
      };
    },
  };
}

async function fill(path: string, count: number): Promise<void> {
  const store = await openSqliteStore(path);
  for (let done = 0; done < count; done += 500)
    await store.create(createNewHandoffs(Math.min(500, count - done)), creating);
  await store.close();
}
