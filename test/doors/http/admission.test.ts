import { Agent, request } from 'node:http';
import { afterEach, expect } from 'vitest';
import { says } from '../../extraction/model/model-stream.ts';
import { key, serve } from '../../extraction/model/stage.ts';
import { verifies } from '../../verifies.ts';
import { type HttpStage, openHttp } from './http-stage.ts';

const agents: Agent[] = [];

afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
});

type Header = readonly [name: string, value: string];

interface Route {
  method: string;
  path: string;
  body?: object;
}

const chat = { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello?' }] }] };
const discover = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const routes: readonly Route[] = [
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/page.js' },
  { method: 'GET', path: '/api/openapi.json' },
  { method: 'GET', path: '/health' },
  { method: 'GET', path: '/api/handoff.list' },
  { method: 'GET', path: '/api/events' },
  { method: 'POST', path: '/api/handoff.list', body: {} },
  { method: 'POST', path: '/api/handoff.create', body: { content: { summary: 'x' } } },
  { method: 'POST', path: '/api/session.link', body: {} },
  { method: 'POST', path: '/api/chat', body: chat },
  { method: 'POST', path: '/mcp', body: discover },
];

/** Sends one request exactly as given, and returns its status. */
function send(port: number, agent: Agent, { method, path, body }: Route, headers: readonly Header[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const length = text === undefined ? [] : ['content-length', String(text.length)];
    const accepted = ['accept', 'application/json, text/event-stream'];
    const sent = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      agent,
      setHost: false,
      headers: [...headers.flat(), ...length, ...accepted],
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      // A stream does not end on its own.
      if (path === '/api/events') sent.destroy();
      else response.resume();
      sent.removeListener('error', reject);
      sent.on('error', () => {});
      resolve(response.statusCode ?? 0);
    });
    sent.end(text);
  });
}

interface Cell {
  route: Route;
  host: string;
  origin: string;
  site: string;
  type: string;
}

/** Every combination of the parts of a request. */
function* cells({ hosts, origins, types }: { hosts: object; origins: object; types: object }): Generator<Cell> {
  for (const route of routes) {
    for (const host of Object.keys(hosts)) {
      for (const origin of Object.keys(origins)) {
        for (const site of ['absent', 'same-origin', 'none', 'same-site', 'cross-site']) {
          for (const type of route.body === undefined ? ['absent'] : Object.keys(types)) {
            yield { route, host, origin, site, type };
          }
        }
      }
    }
  }
}

function table({ server }: HttpStage) {
  const { port } = server;
  const hosts: Record<string, Header[]> = {
    localhost: [['host', `localhost:${port}`]],
    '127.0.0.1': [['host', `127.0.0.1:${port}`]],
    '[::1]': [['host', `[::1]:${port}`]],
    'another port': [['host', `localhost:${port + 1}`]],
    evil: [['host', `evil.example:${port}`]],
    'begins well': [['host', `localhost.evil.example:${port}`]],
    absent: [],
    two: [
      ['host', `localhost:${port}`],
      ['host', 'evil.example'],
    ],
  };
  const origins: Record<string, (host: string) => Header[]> = {
    absent: () => [],
    own: (host) => [['origin', `http://${host}`]],
    evil: () => [['origin', 'http://evil.example']],
    null: () => [['origin', 'null']],
    extension: () => [['origin', 'chrome-extension://abcdefghijklmnop']],
    'another port': () => [['origin', 'http://localhost:3000']],
  };
  const types: Record<string, Header[]> = {
    json: [['content-type', 'application/json']],
    'json with charset': [['content-type', 'application/json; charset=utf-8']],
    text: [['content-type', 'text/plain']],
    form: [['content-type', 'application/x-www-form-urlencoded']],
    absent: [],
  };
  return { hosts, origins, types };
}

/** The cells that answer; no other does. */
function isListed({ route, host, origin, site, type }: Cell): boolean {
  return (
    ['localhost', '127.0.0.1', '[::1]'].includes(host) &&
    ['absent', 'own'].includes(origin) &&
    ['absent', 'same-origin', 'none'].includes(site) &&
    (route.body === undefined || ['json', 'json with charset'].includes(type))
  );
}

verifies(
  ['HTTP.admission'],
  'of all meetings of Host, Origin, site, content type and route exactly the listed answer',
  async () => {
    const model = await serve(says({ text: 'x' }));
    const environment = {
      BATON_MODEL_BASE_URL: model.url,
      BATON_MODEL: 'chat-1',
      BATON_MODEL_API_KEY_ENV: 'TEST_API_KEY',
      TEST_API_KEY: key,
    };
    const stage = await openHttp({}, { environment });
    const { hosts, origins, types } = table(stage);
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    agents.push(agent);
    const wrong: string[] = [];
    const all = cells({ hosts, origins, types });
    let count = 0;
    const work = async () => {
      for (const cell of all) {
        count += 1;
        const host = hosts[cell.host] ?? [];
        const headers: Header[] = [
          ...host,
          ...(origins[cell.origin]?.(host[0]?.[1] ?? '') ?? []),
          ...(cell.site === 'absent' ? [] : [['sec-fetch-site', cell.site] as const]),
          ...(types[cell.type] ?? []),
          ['authorization', `Bearer ${stage.server.token}`],
        ];
        const status = await send(stage.server.port, agent, cell.route, headers);
        const isRefused = [400, 403, 415, 421].includes(status);
        if (status === 200 ? !isListed(cell) : isListed(cell) || !isRefused)
          wrong.push(JSON.stringify({ ...cell, status }));
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(5_000);
    // Each of the listed cells of the chat has asked the model once, and no other did.
    expect(model.requests).toHaveLength(3 * 2 * 3 * 2);
  },
);

verifies(['HTTP.admission'], 'a link may lead to the page from anywhere, and to nothing else', async () => {
  const { server } = await openHttp();
  const agent = new Agent();
  agents.push(agent);
  const ask = (path: string, mode: string, destination: string) =>
    send(server.port, agent, { method: 'GET', path }, [
      ['host', `localhost:${server.port}`],
      ['sec-fetch-site', 'cross-site'],
      ['sec-fetch-mode', mode],
      ['sec-fetch-dest', destination],
      ['authorization', `Bearer ${server.token}`],
    ]);
  for (const path of ['/', '/reference', '/inbox', '/h/01M8189N9QJC33BMWRXF5RB5GC']) {
    expect([path, await ask(path, 'navigate', 'document')]).toEqual([path, 200]);
  }
  expect(await ask('/', 'navigate', 'iframe')).toBe(403);
  expect(await ask('/', 'no-cors', 'image')).toBe(403);
  expect(await ask('/api/handoff.list', 'navigate', 'document')).toBe(403);
});

verifies(['HTTP.admission', 'HTTP.headers'], 'a preflight is not granted', async () => {
  const { server } = await openHttp();
  const headers = { origin: server.url, 'access-control-request-method': 'POST' };
  const answer = await fetch(`${server.url}/api/session`, { method: 'OPTIONS', headers });
  expect(answer.status).toBe(405);
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

verifies(['HTTP.admission', 'HTTP.exposure'], 'an additional address is answered exactly as it was given', async () => {
  const { server } = await openHttp({ origins: ['https://baton.example.org'] });
  const agent = new Agent();
  agents.push(agent);
  const ask = (host: string, origin: string) =>
    send(server.port, agent, { method: 'GET', path: '/health' }, [
      ['host', host],
      ['origin', origin],
    ]);
  expect(await ask('baton.example.org', 'https://baton.example.org')).toBe(200);
  expect(await ask('baton.example.org', 'http://baton.example.org')).toBe(403);
  expect(await ask('baton.example.org:8443', 'https://baton.example.org:8443')).toBe(421);
  expect(await ask(`localhost:${server.port}`, 'https://baton.example.org')).toBe(403);
});
