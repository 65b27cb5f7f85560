import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { machineTiming, type Timing } from '../../core/timing.ts';
import type { Baton } from '../../operations/baton.ts';
import { createMcpServerFactory } from '../mcp/create-server.ts';
import { openDoorway } from './admission.ts';
import { createApp } from './app.ts';
import { openClientAddress } from './client-address.ts';
import { boundConnections } from './connections.ts';
import { Gatekeeper } from './principal.ts';

/** Where a server listens and whom it lets in. */
export interface HttpServerSettings {
  /** Default: 127.0.0.1. Beyond this machine only with `auth`. */
  host?: string;
  /** Default: 0, any that is free. */
  port?: number;
  /** Lets in by tokens of the store alone, also on this machine. Default: no, this machine's user has a token of its own. */
  auth?: boolean;
  /** Further addresses of the server, as `https://baton.example.org` of a proxy before it. */
  origins?: readonly string[];
  /**
   * Addresses or networks, as `10.0.0.7` or `10.0.0.0/8`, of proxies before it: of what they send, the last address of
   * `X-Forwarded-For` that is none of them is the client whose failures are counted. Default: none, and the header is
   * ignored.
   */
  proxies?: readonly string[];
  /** Makes the servers of `/mcp`. Default: Baton's own. */
  createMcpFactory?: (baton: Baton) => McpServerFactory;
  /** The folder of the built studio. Default: next to this program; where none was built, the reference is served. */
  studioFolder?: string;
  /** The clock of rates and keep-alive lines. Default: the machine's. */
  timing?: Timing;
  /** Receives unexpected failures. Default: standard error, with the id of the request and the stack. */
  logDefect?: (error: unknown, requestId: string) => void;
}

/** A server that listens. */
export interface HttpServer {
  /** As `http://127.0.0.1:4747`. */
  url: string;
  port: number;
  /** The bearer token of the user who runs this server; absent with `auth`. */
  token?: string;
  /** An address that lets one browser in, once; absent with `auth`. */
  createBrowserUrl?: () => string;
  /**
   * Stops: accepts no more connections, ends waits and streams, and lets requests in progress end, for `limits.http_stop_ms`.
   * The Baton stays open: its owner closes it.
   */
  close: () => Promise<void>;
}

/**
 * Serves the API, events and MCP of a Baton over HTTP, until it is closed.
 *
 * @throws HandoffError `invalid_input` for a host beyond this machine without `auth`, `unavailable` where the port is taken.
 */
export async function startHttpServer(baton: Baton, settings: HttpServerSettings = {}): Promise<HttpServer> {
  const {
    host = '127.0.0.1',
    port: wanted = 0,
    auth = false,
    origins = [],
    proxies = [],
    logDefect = writeDefect,
  } = settings;
  if (!auth && !isLoopback(host)) throw needsAuth(host);
  const ownToken = auth ? undefined : randomBytes(32).toString('base64url');
  const gatekeeper = new Gatekeeper({
    ownToken,
    openTokens: async () => (await baton.context.openStore()).tokens,
    now: baton.context.now,
  });
  const addressOf = openClientAddress(proxies);
  const stopping = new AbortController();
  const server = createBoundServer();
  endConnectionsAfter(server, stopping.signal);
  await listen(server, { host, port: wanted });
  const { port } = server.address() as AddressInfo;
  const doorway = openDoorway([...ownOrigins(host, port), ...origins]);
  const app = createApp({
    baton,
    gatekeeper,
    doorway,
    addressOf,
    cookieName: `baton_${port}`,
    createMcpFactory: settings.createMcpFactory ?? ((own) => createMcpServerFactory(own)),
    studioFolder: settings.studioFolder,
    stopping: stopping.signal,
    timing: settings.timing ?? machineTiming,
    logDefect,
  });
  server.on(
    'request',
    getRequestListener((request, env) => app.fetch(request, env as HttpBindings), { overrideGlobalObjects: false }),
  );
  const url = `http://${inUrl(host)}:${port}`;
  return {
    url,
    port,
    ...(ownToken === undefined
      ? {}
      : { token: ownToken, createBrowserUrl: () => `${url}/#enter=${gatekeeper.createLink()}` }),
    close: async () => {
      stopping.abort();
      await stop(server);
      await app.close();
    },
  };
}

/** Bounds that apply before a request is read: of its headers, its time, and the number of clients. */
function createBoundServer(): Server {
  const server = createServer({
    maxHeaderSize: limits.http_header_bytes_max,
    headersTimeout: limits.http_headers_ms,
    requestTimeout: limits.http_request_ms,
    connectionsCheckingInterval: 1_000,
  });
  boundConnections(server, limits.http_connections_max);
  return server;
}

/** While a server stops, a connection ends with its last answer. */
function endConnectionsAfter(server: Server, stopping: AbortSignal): void {
  server.on('request', (_request, response) => {
    response.once('close', () => {
      if (stopping.aborted) setImmediate(() => server.closeIdleConnections());
    });
  });
}

function listen(server: Server, place: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListening(error, place)));
    server.listen(place, resolve);
  });
}

function explainListening(cause: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): HandoffError {
  const why = cause.code === 'EADDRINUSE' ? 'another program is listening there' : (cause.code ?? cause.message);
  return new HandoffError('unavailable', `Cannot listen on ${host}, port ${port}: ${why}.`, {
    details: { host, port, code: cause.code },
    cause,
    alternatives: ['Leave out --port to use a free one.', 'See who listens: ss -ltnp'],
  });
}

/** Answers requests in progress; then it waits for nothing more. */
async function stop(server: Server): Promise<void> {
  const ended = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const last = setTimeout(() => server.closeAllConnections(), limits.http_stop_ms);
  await ended;
  clearTimeout(last);
}

/** The origins of a server at the address where it listens. */
function ownOrigins(host: string, port: number): string[] {
  const names = isLoopback(host)
    ? ['localhost', '127.0.0.1', '[::1]', inUrl(host)]
    : isAny(host)
      ? ['localhost', '127.0.0.1', '[::1]']
      : [inUrl(host)];
  return [...new Set(names)].map((name) => `http://${name}:${port}`);
}

function inUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function isAny(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** Whether only this machine can reach it there. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

function needsAuth(host: string): HandoffError {
  return new HandoffError(
    'invalid_input',
    `On ${host} others than this machine's user have access; that needs tokens.`,
    {
      details: { host },
      alternatives: [
        'Accept tokens only: baton studio --host HOST --auth; make them with: baton token create NAME',
        'Leave out --host to listen on this machine only.',
      ],
    },
  );
}

function writeDefect(error: unknown, requestId: string): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `baton: request ${requestId} met a defect in Baton. Please report it with these lines:\n${stack}\n`,
  );
}
