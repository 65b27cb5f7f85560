import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, onTestFinished } from 'vitest';
import { limits } from '../../../packages/batonpass/src/core/limits.ts';
import { boundConnections } from '../../../packages/batonpass/src/doors/http/connections.ts';
import { assertBounded, parseJsonBody } from '../../../packages/batonpass/src/doors/http/json-body.ts';
import { verifies } from '../../verifies.ts';
import { type HttpStage, openHttp, openSocket, sendRaw } from './http-stage.ts';

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** The probe answers while something else is in progress, at every request. @returns what the other gives. */
async function whileHealthy<T>({ server }: HttpStage, other: Promise<T>): Promise<T> {
  let isOver = false;
  const ended = other.finally(() => {
    isOver = true;
  });
  let answers = 0;
  while (!isOver || answers === 0) {
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    answers += 1;
  }
  return ended;
}

const post = ({ server }: HttpStage, path: string, extra = '') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\n${extra}`;

verifies(
  ['HTTP.limits', 'HTTP.hostile'],
  'a body of many elements or levels is refused before it is built, at the API and at /mcp',
  async () => {
    const stage = await openHttp();
    const elements = `[${'0,'.repeat(2 * 1024 * 1024)}0]`;
    const levels = '['.repeat(100_000);
    for (const path of ['/api/handoff.create', '/mcp']) {
      for (const body of [elements, levels, `{"content":${levels}`]) {
        const headers = { accept: 'application/json, text/event-stream' };
        const answer = await whileHealthy(stage, stage.ask(path, { method: 'POST', body, headers }));
        expect([path, answer.status]).toEqual([path, 413]);
      }
    }
  },
);

verifies(['HTTP.limits'], 'brackets and commas in texts do not count', () => {
  const text = JSON.stringify({ a: `${'[{,'.repeat(200_000)}\\"`, '\\': ['"', '\\"', '\u2028'] });
  expect(parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text));
  for (const within of ['['.repeat(limits.json_depth_max), ','.repeat(limits.request_elements_max)]) {
    assertBounded(Buffer.from(within));
    expect(() => assertBounded(Buffer.from(within + within.charAt(0)))).toThrow(/levels|elements/);
  }
  expect(() => parseJsonBody(Buffer.from([0x22, 0xff, 0x22]))).toThrow(/not JSON/);
});

verifies(
  ['HTTP.limits', 'HTTP.hostile'],
  'a body that is too long, or packed, is refused without being read',
  async () => {
    const stage = await openHttp();
    const announced = await sendRaw(
      stage.server.port,
      post(stage, '/api/handoff.create', 'Content-Length: 99999999\r\n\r\n'),
    );
    expect(announced.status).toBe(413);
    const piece = `${(1024 * 1024).toString(16)}\r\n${' '.repeat(1024 * 1024)}\r\n`;
    const chunked = await sendRaw(
      stage.server.port,
      `${post(stage, '/api/handoff.create', 'Transfer-Encoding: chunked\r\n\r\n')}${piece.repeat(9)}`,
    );
    expect(chunked.status).toBe(413);
    const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024, ' '));
    const packed = await stage.ask('/api/handoff.create', {
      method: 'POST',
      body: bomb,
      headers: { 'content-encoding': 'gzip' },
    });
    expect(packed.status).toBe(415);
  },
);

verifies(['HTTP.limits', 'HTTP.hostile'], 'a hundred thousand headers are refused', async () => {
  const stage = await openHttp();
  const headers = Array.from({ length: 100_000 }, (_, index) => `x-${index}: 1\r\n`).join('');
  const sent = sendRaw(
    stage.server.port,
    `GET /health HTTP/1.1\r\nHost: localhost:${stage.server.port}\r\n${headers}\r\n`,
  );
  // The parser answers, or the connection ends while it is still being written to.
  expect([431, 0]).toContain((await whileHealthy(stage, sent)).status);
});

verifies(['HTTP.hostile'], 'names of prototypes are refused as unknown fields, and change nothing', async () => {
  const stage = await openHttp();
  for (const body of [
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"content":{"summary":"x","__proto__":{"x":1}}}',
  ]) {
    const answer = await stage.ask('/api/handoff.create', { method: 'POST', body });
    expect([body, answer.status]).toEqual([body, 400]);
  }
  expect(({} as { x?: number }).x).toBeUndefined();
  const extra = JSON.parse('{"__proto__":{"x":1},"constructor":1}') as object;
  const kept = await stage.ask('/api/handoff.create', {
    method: 'POST',
    body: `{"content":{"summary":"x","payload":${JSON.stringify(extra)}}}`,
  });
  expect(kept.status).toBe(200);
  expect(await kept.text()).toContain('{"__proto__":{"x":1},"constructor":1}');
});

verifies(
  ['HTTP.hostile', 'HTTP.limits'],
  'clients that send nothing, send slowly or only listen block no other client',
  async () => {
    const stage = await openHttp();
    const { port, token } = stage.server;
    const silent = await Promise.all(Array.from({ length: 1_100 }, () => openSocket(port)));
    sockets.push(...silent);
    for (const socket of silent) socket.on('error', () => {});
    for (const socket of silent.slice(0, 300)) if (!socket.destroyed) socket.write('GET /health HTTP/1.1\r\nX-Slow: ');
    expect((await fetch(`${stage.server.url}/health`)).status).toBe(200);
    const statuses = new Map<number, number>();
    const streams = Array.from({ length: 300 }, async () => {
      const answer = await fetch(`${stage.server.url}/api/events`, { headers: { authorization: `Bearer ${token}` } });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      return answer;
    });
    const answers = await whileHealthy(stage, Promise.all(streams));
    expect([statuses.get(200), statuses.get(429)]).toEqual([64, 236]);
    await Promise.all(answers.map(({ body }) => body?.cancel()));
  },
);

verifies(
  ['HTTP.slow-login', 'HTTP.hostile'],
  'a thousand logins that send their body byte by byte block no other client, and are over after two seconds',
  async () => {
    const timers: { ms: number; callback: () => void }[] = [];
    const after = (ms: number, callback: () => void) => {
      const timer = { ms, callback };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), 1);
    };
    const stage = await openHttp({ timing: { now: () => 0, after } });
    const { port } = stage.server;
    const start = post(stage, '/api/session', 'Content-Length: 100\r\n\r\n{');
    const slow = await Promise.all(Array.from({ length: 1_005 }, () => openSocket(port)));
    sockets.push(...slow);
    for (const socket of slow) {
      socket.on('error', () => {});
      socket.write(start);
    }
    for (let count = 0; count < 10; count += 1) {
      expect((await fetch(`${stage.server.url}/health`, { headers: { connection: 'close' } })).status).toBe(200);
    }
    // Two seconds later none of them is waited for any more.
    const last = await openSocket(port);
    sockets.push(last);
    const answer = new Promise<string>((resolve) => last.once('data', (piece) => resolve(String(piece))));
    const waiting = timers.length;
    last.write(start);
    while (timers.length === waiting) await fetch(`${stage.server.url}/health`);
    expect(timers.at(-1)?.ms).toBe(2_000);
    timers.at(-1)?.callback();
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
    const long = await stage.ask('/api/session', { method: 'POST', body: ' '.repeat(1_025) });
    expect(long.status).toBe(413);
  },
);

/** A server that limits its connections. It answers at once; `/held` waits until the test lets it answer. */
async function openBounded(connections_max: number) {
  const held: { response: ServerResponse; isComplete: Promise<unknown> }[] = [];
  const server = createServer({ headersTimeout: 0, requestTimeout: 0 }, (request, response) => {
    if (request.url !== '/held') response.end('here');
    else held.push({ response, isComplete: new Promise((resolve) => request.resume().once('end', resolve)) });
  });
  boundConnections(server, connections_max);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    open: async () => {
      const socket = await openSocket(port);
      sockets.push(socket);
      return socket;
    },
    /** The request that is held now. */
    holding: () =>
      expect
        .poll(() => held.at(-1))
        .toBeDefined()
        .then(() => held.pop() as (typeof held)[number]),
  };
}

const hear = async (socket: Socket) => String((await once(socket, 'data'))[0]);
const isCut = (socket: Socket) => expect.poll(() => socket.resume().destroyed).toBe(true);

function ask(socket: Socket, request = 'GET /', rest = '\r\n'): Promise<string> {
  socket.write(`${request} HTTP/1.1\r\nHost: x\r\n${rest}`);
  return hear(socket);
}

verifies(['HTTP.limits'], 'above the bound of connections, the one that is idle longest is closed', async () => {
  const { open } = await openBounded(3);
  const first = await open();
  const second = await open();
  // The first has asked since the second came: the second is the one that is idle for longer.
  expect(await ask(first)).toContain('here');
  const others = [await open(), await open()];
  await isCut(second);
  for (const socket of [first, ...others]) expect(await ask(socket)).toContain('here');
});

verifies(['HTTP.limits'], 'a connection is idle until its request is complete, and after its answer', async () => {
  const { open, holding } = await openBounded(3);
  const [slow, answered, busy] = [await open(), await open(), await open()];
  slow.write('POST /held HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
  await holding();
  // The rest of a body comes after the answer.
  expect(await ask(answered, 'POST /', 'Content-Length: 2\r\n\r\na')).toContain('here');
  answered.write('b');
  const answer = ask(busy, 'POST /held', 'Content-Length: 1\r\n\r\na');
  const { response, isComplete } = await holding();
  await isComplete;
  const next = await open();
  await isCut(slow);
  await open();
  await isCut(answered);
  await open();
  await isCut(next);
  response.end('busy');
  expect(await answer).toContain('busy');
});

verifies(['HTTP.limits'], 'a connection that its client has closed is never the one to close', async () => {
  const { open, holding } = await openBounded(2);
  const gone = await open();
  gone.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n');
  const { response } = await holding();
  const isGone = once(response, 'close');
  gone.destroy();
  await isGone;
  const [first, second] = [await open(), await open()];
  for (const socket of [first, second]) expect(await ask(socket)).toContain('here');
  await open();
  await isCut(first);
  expect(await ask(second)).toContain('here');
});
