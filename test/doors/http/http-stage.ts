import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HttpServer, type HttpServerSettings, startHttpServer } from '../../../packages/batonpass/src/http.ts';
import { type Baton, type BatonOptions, openBaton } from '../../../packages/batonpass/src/index.ts';
import { afterEachTest } from '../../after-each-test.ts';

/** A real server on a free port, on its own store. */
export interface HttpStage {
  folder: string;
  baton: Baton;
  server: HttpServer;
  /** Asks as the server's own user, unless the request says otherwise. */
  ask: (path: string, init?: RequestInit) => Promise<Response>;
  /** Asks for an operation with a token and gives status and answer. */
  call: (operation: string, input?: object, options?: CallOptions) => Promise<Called>;
  /** Makes a token. */
  token: (
    name: string,
    facts?: { project?: string; role?: 'agent' | 'reviewer' | 'admin'; expires_in_ms?: number },
  ) => Promise<string>;
  stop: () => Promise<void>;
}

export interface CallOptions {
  token?: string;
  headers?: Record<string, string>;
}

/** The parts of an answer that tests read. */
export interface Called {
  status: number;
  headers: Headers;
  body: Body;
}

/** JSON that a test reads. */
export interface Body {
  [field: string]: Body;
}

const open: HttpStage[] = [];

afterEachTest(async () => {
  for (const stage of open.splice(0)) await stage.stop();
});

/** Starts a server; what is opened here is closed after the test. */
export async function openHttp(settings: HttpServerSettings = {}, options: BatonOptions = {}): Promise<HttpStage> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-http-'));
  const store = `sqlite:${join(folder, 'baton.db')}`;
  const baton = await openBaton({
    cwd: folder,
    environment: {},
    store,
    project: 'alpha',
    durability: 'normal',
    ...options,
  });
  const server = await startHttpServer(baton, settings);
  let stopped: Promise<void> | undefined;
  const stage: HttpStage = {
    folder,
    baton,
    server,
    ask: (path, init = {}) => {
      const json: Record<string, string> = init.body === undefined ? {} : { 'content-type': 'application/json' };
      const own: Record<string, string> = server.token === undefined ? {} : { authorization: `Bearer ${server.token}` };
      return fetch(`${server.url}${path}`, {
        ...init,
        headers: { ...own, ...json, ...(init.headers as Record<string, string>) },
      });
    },
    call: async (operation, input = {}, { token, headers = {} } = {}) => {
      const given: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const answer = await stage.ask(`/api/${operation}`, {
        method: 'POST',
        body: JSON.stringify(input),
        headers: { ...given, ...headers },
      });
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body };
    },
    token: async (name, facts = {}) => (await baton.run('token.create', { name, ...facts })).token,
    stop: () => {
      stopped ??= (async () => {
        await server.close();
        await baton.close();
        rmSync(folder, { recursive: true, force: true });
      })();
      return stopped;
    },
  };
  open.push(stage);
  return stage;
}

/** What came over a socket: the status of the answer, 0 where the connection ended without one, and its text. */
export interface Raw {
  status: number;
  text: string;
}

/** Sends bytes as they are, and waits for the end of the connection or the end of an answer with a length. */
export function sendRaw(port: number, request: string | Buffer): Promise<Raw> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const finish = () => {
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
    };
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => {
      text += piece;
      if (isWhole(text)) finish();
    });
    socket.on('error', finish);
    socket.on('close', finish);
    socket.write(request);
  });
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  return end !== -1 && length !== undefined && Buffer.byteLength(text.slice(end + 4)) >= Number(length);
}

/** Opens a connection and leaves it to the test, which closes it. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}
