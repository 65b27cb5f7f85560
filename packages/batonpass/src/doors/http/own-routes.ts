import type { Hono } from 'hono';
import { HandoffError } from '../../core/errors.ts';
import type { Timing } from '../../core/timing.ts';
import type { Baton } from '../../operations/baton.ts';
import { answerChat } from '../../operations/chat/answer-chat.ts';
import { describeChat } from '../../operations/chat/describe-chat.ts';
import { actAs, assertMayChat } from './access.ts';
import { type AnswerOptions, answerJson, answerText, sendAnswer } from './answer.ts';
import { answerStream } from './answer-stream.ts';
import { assertOwnProject, EventStreams } from './events.ts';
import { type Guard, type RequestContext, type Surroundings, signalOf } from './guard.ts';
import { parseJsonBody, readBody } from './json-body.ts';
import type { OpenStreams } from './open-streams.ts';
import { describeApi } from './openapi.ts';
import { pageScript, pageStyle, renderPage } from './page.ts';
import type { Gatekeeper } from './principal.ts';
import { type Problem, Refusal } from './problem.ts';
import type { PublishedOperation } from './published-operations.ts';
import { isScreenPath, type StudioFile, StudioFiles, studioAssetPath } from './studio-files.ts';

/** What the routes that are no operations use. */
export interface RouteParts {
  baton: Baton;
  gatekeeper: Gatekeeper;
  guard: Guard;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
  /** The clock of the keep-alive lines. */
  timing: Timing;
  /** The answers that are being streamed. */
  answers: OpenStreams;
  published: () => Promise<ReadonlyMap<string, PublishedOperation>>;
  /** The folder of the built studio. Default: next to this program. */
  studioFolder?: string | undefined;
  /** A failure as it is sent to the client of a request; a defect is logged. */
  explain: (error: unknown, requestId: string) => Problem;
}

/** Adds every route that is neither an operation nor the protocol's: pages, probes, sessions of browsers, events, chat. */
export function addOwnRoutes(app: Hono<Surroundings>, parts: RouteParts): void {
  addPages(app, parts);
  addStudio(app, parts);
  addProbes(app, parts);
  addSession(app, parts);
  addEvents(app, parts);
  addChat(app, parts);
}

/** The routes for everybody who can reach the server: they contain nobody's data. */
function addPages(app: Hono<Surroundings>, { published }: RouteParts): void {
  const page = once(async () => renderPage((await published()).values(), { isInPlaceOfStudio: false }));
  const description = once(async () => JSON.stringify(await describeApi((await published()).values())));
  const files: Record<string, [type: string, text: () => string | Promise<string>]> = {
    '/reference': ['text/html; charset=utf-8', page],
    '/page.js': ['text/javascript; charset=utf-8', () => pageScript],
    '/page.css': ['text/css; charset=utf-8', () => pageStyle],
    '/api/openapi.json': ['application/json', description],
  };
  for (const [path, [type, text]] of Object.entries(files)) {
    app.get(path, async (context) =>
      sendAnswer(
        await answerText(await text(), {
          headers: { 'content-type': type },
          acceptEncoding: context.req.header('accept-encoding') ?? null,
        }),
        context.env.outgoing,
      ),
    );
    app.all(path, (context) => refuseMethod(context, 'GET, HEAD'));
  }
}

/** The studio: one page for all its screens, and its parts. Where it was not built, the reference shows how to build it. */
function addStudio(app: Hono<Surroundings>, { published, studioFolder }: RouteParts): void {
  const files = new StudioFiles(studioFolder);
  const instead = once(async () => renderPage((await published()).values(), { isInPlaceOfStudio: true }));
  app.get('*', async (context, next) => {
    if (!isScreenPath(context.req.path)) return next();
    const page = await files.readPage();
    if (page !== null) return sendFile(context, page);
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    return sendAnswer(await answerText(await instead(), { headers }), context.env.outgoing);
  });
  app.all('*', async (context, next) => {
    if (isScreenPath(context.req.path)) refuseMethod(context, 'GET, HEAD');
    await next();
  });
  app.get(studioAssetPath, async (context) => {
    const file = await files.readAsset(context.req.param('name'));
    return file === null ? context.notFound() : sendFile(context, file);
  });
}

async function sendFile({ req, env }: RequestContext, { body, headers }: StudioFile): Promise<Response> {
  const acceptEncoding = req.header('accept-encoding') ?? null;
  return sendAnswer(await answerText(body.toString('utf8'), { headers, acceptEncoding }), env.outgoing);
}

function addProbes(app: Hono<Surroundings>, { baton, stopping }: RouteParts): void {
  app.get('/health', (context) => sendJson(context, { is_alive: true }));
  app.get('/ready', async (context) => {
    if (stopping.aborted) throw new HandoffError('unavailable', 'The server is stopping.');
    await (await baton.context.openStore()).list({ filter: {}, limit: 0 });
    return sendJson(context, { is_ready: true });
  });
  for (const path of ['/health', '/ready']) app.all(path, (context) => refuseMethod(context, 'GET, HEAD'));
}

/** How a browser logs in and out, and how the command lets another browser in. */
function addSession(app: Hono<Surroundings>, { gatekeeper, guard }: RouteParts): void {
  app.post('/api/session', async (context) => {
    const session = await guard.beginSession(context);
    return sendJson(context, { is_in: true }, { headers: { 'set-cookie': guard.cookie(session, context) } });
  });
  app.delete('/api/session', async (context) => {
    await guard.identify(context);
    gatekeeper.endSession(guard.cookieOf(context));
    return sendJson(context, { is_in: false }, { headers: { 'set-cookie': guard.cookie('', context) } });
  });
  app.all('/api/session', (context) => refuseMethod(context, 'POST, DELETE'));
  app.post('/api/session.link', async (context) => {
    const { isOwner } = await guard.identify(context);
    if (isOwner) return sendJson(context, { link: gatekeeper.createLink() });
    throw new Refusal('insufficient_role', 'Only the user who runs this server can sign a browser in by a link.', {
      headers: { 'www-authenticate': 'Bearer realm="baton", error="insufficient_scope"' },
    });
  });
  app.all('/api/session.link', (context) => refuseMethod(context, 'POST'));
  // Without a token: the caller does not know yet that it may send this server its token.
  app.get('/api/session.proof', (context) => {
    const nonce = context.req.query('nonce') ?? '';
    const port = context.env.incoming.socket.localPort ?? 0;
    const proof = /^[\w-]{43}$/.test(nonce) ? gatekeeper.prove({ port, nonce }) : undefined;
    return proof === undefined ? context.notFound() : sendJson(context, { proof });
  });
  app.all('/api/session.proof', (context) => refuseMethod(context, 'GET, HEAD'));
}

function addEvents(app: Hono<Surroundings>, { baton, stopping, guard, timing }: RouteParts): void {
  const streams = new EventStreams(timing);
  app.get('/api/events', async (context) => {
    const principal = await guard.identify(context);
    const request = context.req.raw;
    assertOwnProject(request, principal);
    return streams.answer({
      request,
      principal,
      baton: actAs(baton, principal),
      signal: signalOf(context, stopping),
      cut: () => context.env.outgoing.destroy(),
    });
  });
  app.all('/api/events', (context) => refuseMethod(context, 'GET, HEAD'));
}

async function sendJson({ env }: RequestContext, value: object, options?: AnswerOptions): Promise<Response> {
  return sendAnswer(await answerJson(value, options), env.outgoing);
}

/** The route that the AI SDK's `useChat` calls: a streamed answer. */
function addChat(app: Hono<Surroundings>, { baton, stopping, guard, timing, answers, explain }: RouteParts): void {
  app.post('/api/chat', async (context) => {
    const principal = await guard.identify(context);
    assertMayChat(principal, baton);
    const { outgoing } = context.env;
    outgoing.once('close', answers.enter(principal));
    const given = parseJsonBody(await readBody(context.env.incoming));
    const signal = signalOf(context, stopping);
    return answerStream({
      make: async (onChunk) => {
        await answerChat(given, { ...baton.context, signal, onChunk });
        return undefined;
      },
      explain: (error) => ({ type: 'error', errorText: explain(error, context.get('requestId')).detail }),
      after: timing.after,
      cut: () => outgoing.destroy(),
    });
  });
  app.get('/api/chat', async (context) => {
    assertMayChat(await guard.identify(context), baton);
    return sendJson(context, await describeChat(baton.context));
  });
  app.all('/api/chat', (context) => refuseMethod(context, 'GET, HEAD, POST'));
}

function refuseMethod({ req }: RequestContext, allow: string): never {
  throw new Refusal('method_not_allowed', `${req.path} does not accept ${req.method}.`, { headers: { allow } });
}

/** Makes a value at the first call, and then returns the same one. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
