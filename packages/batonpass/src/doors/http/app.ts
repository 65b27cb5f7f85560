import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { McpHttpHandler, McpServerFactory } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { HandoffError, isHandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Baton } from '../../operations/baton.ts';
import { createMcpHttpHandler } from '../mcp/http-handler.ts';
import { actAs } from './access.ts';
import { answerProblem, sendAnswer } from './answer.ts';
import { Guard, type GuardParts, type RequestContext, type Surroundings, signalOf } from './guard.ts';
import { assertBounded, readBody } from './json-body.ts';
import { OpenStreams } from './open-streams.ts';
import { answerOperation, isToldAsItComes, streamOperation } from './operation-route.ts';
import { addOwnRoutes, once, type RouteParts } from './own-routes.ts';
import type { Principal } from './principal.ts';
import { Refusal, toProblem } from './problem.ts';
import { loadPublishedOperations } from './published-operations.ts';

/** What the routes of one server use. */
export interface AppParts extends GuardParts {
  baton: Baton;
  createMcpFactory: (baton: Baton) => McpServerFactory;
  /** The folder of the built studio. Default: next to this program. */
  studioFolder?: string | undefined;
  /** Aborted when the server stops: it ends waits and streams. */
  stopping: AbortSignal;
  /** Receives unexpected failures, with the id of the request. */
  logDefect: (error: unknown, requestId: string) => void;
}

/** An app and the resources that it holds open. */
export interface App {
  fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response>;
  close: () => Promise<void>;
}

/** The routes of the door, each behind the same checks. */
export function createApp(parts: AppParts): App {
  const app = new Hono<Surroundings>();
  const guard = new Guard(parts);
  const published = once(loadPublishedOperations);
  const mcp = new McpRoute([...parts.doorway.keys()], parts.createMcpFactory);
  app.use('*', async (context, next) => {
    context.set('requestId', readRequestId(context));
    setHeaders(context);
    guard.assertAdmitted(context);
    await next();
  });
  const logIfDefect = (error: unknown, requestId: string) => {
    if (!(error instanceof Refusal) && !isHandoffError(error)) parts.logDefect(error, requestId);
  };
  const explain = (thrown: unknown, requestId: string) => {
    const error = withoutAbort(thrown);
    logIfDefect(error, requestId);
    return toProblem(error);
  };
  app.onError((thrown, context) => {
    const error = withoutAbort(thrown);
    logIfDefect(error, context.get('requestId'));
    // A client that still sends a refused body would otherwise find its connection in the middle of it.
    if (!context.env.incoming.complete) context.env.outgoing.setHeader('connection', 'close');
    return sendAnswer(answerProblem(error, context.get('requestId')), context.env.outgoing);
  });
  app.notFound(() => {
    throw new Refusal('no_such_route', 'There is nothing at this address.', {
      alternatives: ['See the API: /reference', 'For programs: /api/openapi.json'],
    });
  });
  const answers = new OpenStreams({
    all_max: limits.http_answer_streams_max,
    each_max: limits.http_answer_streams_each_max,
    what: 'chats and runs of models',
    advice: 'Wait until one ends, or close one.',
  });
  addOwnRoutes(app, { ...parts, guard, published, answers, explain });
  app.all('/mcp', async (context) => {
    const principal = await guard.identify(context);
    const { incoming } = context.env;
    return mcp.answer({ request: context.req.raw, incoming, principal, baton: actAs(parts.baton, principal) });
  });
  addOperations(app, { ...parts, guard, published, answers, explain });
  return { fetch: (request, bindings) => app.fetch(request, bindings), close: () => mcp.close() };
}

const prefix = '/api/';

/** Each operation by its name. */
function addOperations(app: Hono<Surroundings>, parts: RouteParts): void {
  const { guard, published, answers, explain } = parts;
  // Not by a name for the last part: next to other routes that costs hono its one-step search.
  app.all(`${prefix}*`, async (context) => {
    const principal = await guard.identify(context);
    const operation = (await published()).get(context.req.path.slice(prefix.length));
    if (operation === undefined) return context.notFound();
    const requestId = context.get('requestId');
    const { incoming, outgoing } = context.env;
    const asked = {
      operation,
      request: context.req.raw,
      incoming,
      requestId,
      baton: actAs(parts.baton, principal),
      signal: signalOf(context, parts.stopping),
      after: parts.timing.after,
      cut: () => outgoing.destroy(),
      explain: (error: unknown) => explain(error, requestId),
    };
    if (!isToldAsItComes(asked)) return sendAnswer(await answerOperation(asked), outgoing);
    outgoing.once('close', answers.enter(principal));
    return streamOperation(asked);
  });
}

/** An aborted request is no defect; mostly the client has left. */
function withoutAbort(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'AbortError') return error;
  return new HandoffError(
    'unavailable',
    'The request was aborted: the client disconnected, or the server is stopping.',
    {
      cause: error,
      alternatives: ['Retry.'],
    },
  );
}

/** The caller's own id of the request, where it is a valid id, so that both logs use the same one. */
function readRequestId({ req }: RequestContext): string {
  const given = req.header('x-request-id');
  return given !== undefined && /^[\w.-]{1,100}$/.test(given) ? given : crypto.randomUUID();
}

const headers = Object.entries({
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
});

/** Set on the answer of Node itself, for every route: a copy of the answer would cost more. */
function setHeaders({ env, var: { requestId } }: RequestContext): void {
  for (const [name, value] of headers) env.outgoing.setHeader(name, value);
  env.outgoing.setHeader('x-request-id', requestId);
}

/** More callers than a server has at once; beyond it the oldest handler is made again. */
const HANDLERS_MAX = 200;

/** One request of the protocol. */
interface McpRequest {
  request: Request;
  /** Where its body is read from. */
  incoming: IncomingMessage;
  principal: Principal;
  /** The Baton as the caller may use it. */
  baton: Baton;
}

/** The protocol's handlers of one server: one for each caller, so that each client gets only its own answers. */
class McpRoute {
  readonly #handlers = new Map<string, McpHttpHandler>();
  readonly #hostnames: string[];
  readonly #createFactory: (baton: Baton) => McpServerFactory;

  /** @param hosts - the host names of this server: checked before, and here again. */
  constructor(hosts: readonly string[], createFactory: (baton: Baton) => McpServerFactory) {
    this.#hostnames = hosts.map((host) => new URL(`http://${host}`).hostname);
    this.#createFactory = createFactory;
  }

  /** Answers one request of the protocol, by a server and transport of its own. Its body is bounded and counted first. */
  async answer({ request, incoming, principal, baton }: McpRequest): Promise<Response> {
    const handler = this.#handlerOf(principal, baton);
    if (request.method !== 'POST') return handler.fetch(request);
    const bytes = await readBody(incoming);
    assertBounded(bytes);
    const { url, method, headers, signal } = request;
    return handler.fetch(new Request(url, { method, headers, body: bytes as Uint8Array<ArrayBuffer>, signal }));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#handlers.values()].map((handler) => handler.close()));
  }

  #handlerOf({ key }: Principal, baton: Baton): McpHttpHandler {
    const known = this.#handlers.get(key);
    if (known !== undefined) return known;
    const settings = { hostnames: this.#hostnames, origins: this.#hostnames };
    const handler = createMcpHttpHandler(this.#createFactory(baton), settings);
    const [oldest] = this.#handlers.keys();
    if (this.#handlers.size >= HANDLERS_MAX && oldest !== undefined) this.#handlers.delete(oldest);
    this.#handlers.set(key, handler);
    return handler;
  }
}
