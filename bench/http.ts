import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { startHttpServer } from '../packages/batonpass/src/http.ts';
import { type Baton, openBaton } from '../packages/batonpass/src/operations/baton.ts';
import { openSqliteStore } from '../packages/batonpass/src/stores/sqlite/store.ts';
import { type Contender, contest, ratioOf } from './contest.ts';
import { type Benchmark, type Metric, quantile } from './frame.ts';
import type { ClientsAnswer, ClientsTask } from './http-client-process.ts';
import { type Participant, startParticipant } from './processes.ts';
import { claiming, createNewHandoffs, creating, project, requestOf } from './sample-work.ts';
import { httpTargets } from './targets.ts';

const rounds = 5;
const sizes = { clients: 50, requests: 1_500 };
const how = `${sizes.clients} clients, ${sizes.requests} requests each round`;
const listed = 20;

/** What the clients do, by its name in the figures. */
const tasks = {
  list: { method: 'GET', path: `/api/handoff.list?limit=${listed}` },
  claim: { method: 'POST', path: '/api/handoff.claim' },
} as const;

type TaskName = keyof typeof tasks;

/** What the door costs over the bare call of the store behind a bare route. */
export const http: Benchmark = {
  name: 'http',
  what: 'list and claim over loopback by 50 clients, over the bare store behind a bare route',
  run: async () => {
    const participant = await startParticipant('http-client-process.ts', []);
    try {
      const metrics: Metric[] = [];
      for (const task of Object.keys(tasks) as TaskName[]) metrics.push(...(await measure(task, participant)));
      return [...metrics, await measureDoor(participant)];
    } finally {
      await participant.end();
    }
  },
};

async function measure(task: TaskName, participant: Participant): Promise<Metric[]> {
  const rounds_ms: (readonly number[])[] = [];
  const { ours, theirs } = contendersOf(task, participant, sizes, ({ taken_ms }) => rounds_ms.push(taken_ms));
  const ratio = ratioOf(httpTargets[task], await contest(ours, theirs, rounds), how);
  // The first round loads the code, and does not count.
  const sample = rounds_ms.slice(1).flat();
  const note = `n = ${sample.length}; p50 ${quantile(sample, 0.5).toFixed(1)} ms`;
  return [ratio, { ...httpTargets[`${task}P99`], value: quantile(sample, 0.99), note }];
}

/** What of a claim's price is the door's own: both do the same work, rendering included. */
async function measureDoor(participant: Participant): Promise<Metric> {
  const ours = contenderOf(serveDoor, { task: 'claim', participant, sizes });
  const theirs = contenderOf(serveOperation, { task: 'claim', participant, sizes });
  return ratioOf(httpTargets.claimDoor, await contest(ours, theirs, rounds), how);
}

/** How much the clients ask. */
export interface Sizes {
  requests: number;
  clients: number;
}

/** The door and the bare route, on equal stores; `note` is told how long each request to the door took. */
export function contendersOf(
  task: TaskName,
  participant: Participant,
  sizes: Sizes,
  note: (answer: ClientsAnswer) => void,
): { ours: Contender; theirs: Contender } {
  const work = { task, participant, sizes };
  return { ours: contenderOf(serveDoor, { ...work, note }), theirs: contenderOf(serveBare, work) };
}

interface Work {
  task: TaskName;
  participant: Participant;
  sizes: Sizes;
  note?: (answer: ClientsAnswer) => void;
}

function contenderOf(serve: (path: string) => Promise<Served>, { task, participant, sizes, note }: Work): Contender {
  return {
    prepare: async (path) => {
      await fill(path, sizes.requests);
      const { port, token, close } = await serve(path);
      const asked: ClientsTask = { port, token, ...tasks[task], ...sizes };
      return {
        operations: sizes.requests,
        work: async () => {
          const answer = (await participant.ask(asked)) as ClientsAnswer;
          note?.(answer);
        },
        close,
      };
    },
  };
}

interface Served {
  port: number;
  token: string;
  close: () => Promise<void>;
}

async function fill(path: string, count: number): Promise<void> {
  const store = await openSqliteStore(path);
  for (let done = 0; done < count; done += 500)
    await store.create(createNewHandoffs(Math.min(500, count - done)), creating);
  await store.close();
}

async function serveDoor(path: string): Promise<Served> {
  const baton = await openBatonOn(path);
  const { port, token = '', close } = await startHttpServer(baton);
  return {
    port,
    token,
    close: async () => {
      await close();
      await baton.close();
    },
  };
}

async function serveBare(path: string): Promise<Served> {
  const store = await openSqliteStore(path);
  return serveRoutes({
    list: () => store.list({ filter: { project }, limit: listed }),
    claim: () => store.claim(requestOf(1), claiming),
    close: () => store.close(),
  });
}

async function serveOperation(path: string): Promise<Served> {
  const baton = await openBatonOn(path);
  return serveRoutes({
    list: () => baton.run('handoff.list', { limit: listed }),
    claim: () => baton.run('handoff.claim', {}),
    close: () => baton.close(),
  });
}

interface Routes {
  list: () => Promise<object>;
  claim: () => Promise<object>;
  close: () => Promise<void>;
}

async function serveRoutes({ list, claim, close }: Routes): Promise<Served> {
  const app = new Hono();
  // Their own types have no end to the eyes of the library's.
  const answer = (context: Context, value: object) => context.json(value as Record<string, never>);
  app.get('/api/handoff.list', async (context) => answer(context, await list()));
  app.post('/api/handoff.claim', async (context) => {
    await context.req.json();
    return answer(context, await claim());
  });
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    token: 'none',
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await close();
    },
  };
}

function openBatonOn(path: string): Promise<Baton> {
  return openBaton({ cwd: dirname(path), environment: {}, store: `sqlite:${path}`, project, agent: 'codex' });
}
