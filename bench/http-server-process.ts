import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { startHttpServer } from '../packages/batonpass/src/http.ts';
import { type Baton, openBaton } from '../packages/batonpass/src/operations/baton.ts';
import { openSqliteStore } from '../packages/batonpass/src/stores/sqlite/store.ts';
import { answerAsParticipant } from './processes.ts';
import { claiming, lease_ms, project } from './sample-work.ts';

/** One of the servers of `http`: a separate process, so that no side runs code that another has warmed or worn. */

/** What it serves: the door; the store's calls behind bare routes; the operations behind the same bare routes. */
export type Side = 'door' | 'bare' | 'operation';

/** A store to serve, by its path; without one, what was served is closed. */
export interface ServeTask {
  path?: string;
}

/** Where it is asked. */
export interface ServeAnswer {
  port: number;
  token: string;
}

interface Served extends ServeAnswer {
  close: () => Promise<void>;
}

const sides: Record<Side, (path: string) => Promise<Served>> = {
  door: serveDoor,
  bare: serveBare,
  operation: serveOperation,
};

const [side] = process.argv.slice(2) as [Side];
let served: Served | undefined;

answerAsParticipant(async (task) => {
  const { path } = task as ServeTask;
  await served?.close();
  served = path === undefined ? undefined : await sides[side](path);
  return { port: served?.port ?? 0, token: served?.token ?? '' } satisfies ServeAnswer;
});

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
    list: (limit) => store.list({ filter: { project }, limit }),
    claim: () => store.claim({ project, lease_ms, max: 1 }, claiming),
    close: () => store.close(),
  });
}

async function serveOperation(path: string): Promise<Served> {
  const baton = await openBatonOn(path);
  return serveRoutes({
    list: (limit) => baton.handoff.list({ limit }),
    claim: () => baton.handoff.claim(),
    close: () => baton.close(),
  });
}

interface Routes {
  list: (limit: number) => Promise<object>;
  claim: () => Promise<object>;
  close: () => Promise<void>;
}

async function serveRoutes({ list, claim, close }: Routes): Promise<Served> {
  const app = new Hono();
  // Their own types have no end to the eyes of the library's.
  const answer = (context: Context, value: object) => context.json(value as Record<string, never>);
  app.get('/api/handoff.list', async (context) => answer(context, await list(Number(context.req.query('limit')))));
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
