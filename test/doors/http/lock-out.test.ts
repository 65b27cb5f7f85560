import type { IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import { openClientAddress } from '../../../packages/batonpass/src/doors/http/client-address.ts';
import { verifies } from '../../verifies.ts';
import { type HttpStage, openHttp } from './http-stage.ts';

const requests = Number(process.env.BATON_LOCK_OUT_REQUESTS ?? 600);

/** Logs a browser in. */
async function enter({ server }: HttpStage, secret: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/api/session`, {
    method: 'POST',
    body: JSON.stringify({ secret }),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** Requests that no good token is with, of every kind. */
function badRequests({ server }: HttpStage, good: string): ((count: number) => Promise<Response>)[] {
  const ask = (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, { ...init, headers });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const post = { method: 'POST', body: '{}' };
  const json = { 'content-type': 'application/json' };
  return [
    () => ask('/api/handoff.list', bearer('wrong')),
    () => ask('/api/handoff.list', {}),
    () => ask('/api/handoff.list', bearer(good.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))),
    (count) => ask('/api/handoff.list', bearer(`baton_${String(count).padStart(24, '0')}_${'x'.repeat(43)}`)),
    () => ask('/api/handoff.list', { authorization: 'Basic eDp5' }),
    () => ask('/api/handoff.list', { cookie: `baton_${server.port}=0123456789abcdef01234567.wrong` }),
    () => ask('/api/events', bearer('wrong')),
    () => ask('/api/handoff.create', { ...bearer('wrong'), ...json }, post),
    () => ask('/mcp', { ...bearer('wrong'), ...json }, post),
    (count) => ask('/api/handoff.list', { ...bearer('wrong'), 'x-forwarded-for': `10.0.${count % 200}.1` }),
    () => ask('/api/session', json, { method: 'POST', body: '{"secret":"wrong"}' }),
    () => ask('/api/session', json, { method: 'POST', body: ' '.repeat(2_000) }),
    () => ask('/nowhere', bearer('wrong')),
  ];
}

verifies(
  ['HTTP.lock-out', 'HTTP.rate'],
  `of ${requests} bad requests in a row, 10,000 a minute, none makes a valid one be refused`,
  async () => {
    let now_ms = 0;
    const timing = { now: () => now_ms, after: () => () => {} };
    const stage = await openHttp({ timing });
    const token = await stage.token('codex');
    const link = stage.server.createBrowserUrl?.().split('#enter=')[1] ?? '';
    const cookie = (await enter(stage, link)).headers.get('set-cookie')?.split(';')[0] ?? '';
    const bad = badRequests(stage, token);
    const valid = [
      () => stage.ask('/api/handoff.list'),
      () => stage.ask('/api/handoff.list', { headers: { authorization: `Bearer ${token}` } }),
      () => fetch(`${stage.server.url}/api/handoff.list`, { headers: { cookie } }),
      () => fetch(`${stage.server.url}/health`),
    ];
    const statuses = { bad: new Map<number, number>(), valid: new Map<number, number>() };
    const note = (kind: 'bad' | 'valid', { status, body }: Response) => {
      statuses[kind].set(status, (statuses[kind].get(status) ?? 0) + 1);
      return body?.cancel();
    };
    for (let count = 0; count < requests; ) {
      const round = Array.from({ length: 8 }, () => {
        now_ms += 6;
        count += 1;
        return bad[count % bad.length]?.(count) as Promise<Response>;
      });
      const answers = Promise.all(round.map(async (each) => note('bad', await each)));
      await Promise.all([answers, ...valid.map(async (each) => note('valid', await each()))]);
    }
    expect([...statuses.valid.keys()]).toEqual([200]);
    expect([...statuses.bad.keys()].every((status) => [401, 404, 413, 429].includes(status))).toBe(true);
    expect(statuses.bad.get(429) ?? 0).toBeGreaterThan(requests / 2);
  },
);

verifies(
  ['HTTP.lock-out', 'HTTP.exposure'],
  'behind a proxy that is named, failures count by the address that it passes on, and by no other',
  async () => {
    const timing = { now: () => 0, after: () => () => {} };
    const stage = await openHttp({ timing, proxies: ['127.0.0.0/8'] });
    const login = async (passed: string, secret = 'wrong') =>
      (await enter(stage, secret, { 'x-forwarded-for': passed })).status;
    const link = () => stage.server.createBrowserUrl?.().split('#enter=')[1] ?? '';
    // The stranger's own claim comes before what the proxy adds, and does not count.
    for (let count = 0; count < 50; count += 1) expect(await login(`10.1.1.${count}, 203.0.113.9`)).toBe(401);
    expect(await login('203.0.113.9')).toBe(429);
    expect(await login('203.0.113.9', link())).toBe(429);
    expect(await login('198.51.100.7', link())).toBe(200);
    expect((await stage.ask('/api/handoff.list', { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(200);

    const direct = await openHttp({ timing });
    for (let count = 0; count < 50; count += 1)
      await enter(direct, 'wrong', { 'x-forwarded-for': `203.0.113.${count}` });
    expect((await enter(direct, 'wrong', { 'x-forwarded-for': '203.0.113.99' })).status).toBe(429);
  },
);

verifies(['HTTP.lock-out'], 'the address of a client is the last one that a named proxy has written', async () => {
  const client = (remoteAddress: string, passed: string[] | undefined, proxies: string[]) =>
    openClientAddress(proxies)({
      socket: { remoteAddress },
      headersDistinct: passed === undefined ? {} : { 'x-forwarded-for': passed },
    } as unknown as IncomingMessage);
  expect(client('192.0.2.1', ['10.0.0.1'], [])).toBe('192.0.2.1');
  expect(client('::ffff:10.0.0.7', ['198.51.100.1, 203.0.113.9:4711'], ['10.0.0.0/8'])).toBe('203.0.113.9');
  expect(client('10.0.0.7', ['203.0.113.9', '10.0.0.8'], ['10.0.0.7', '10.0.0.8'])).toBe('203.0.113.9');
  expect(client('10.0.0.7', ['203.0.113.9', 'unknown'], ['10.0.0.7'])).toBe('10.0.0.7');
  expect(client('10.0.0.7', undefined, ['10.0.0.7'])).toBe('10.0.0.7');
  // All addresses of one network of IPv6 are one client's.
  const network = client('2001:db8:1:2::1', undefined, []);
  expect(client('2001:db8:1:2:ffff::9', undefined, [])).toBe(network);
  expect(client('::1', ['[2001:db8:1:2:3::]:443'], ['::1/128'])).toBe(network);
  expect(client('2001:db8:1:3::1', undefined, [])).not.toBe(network);
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '', '10.0.0.0/']) {
    expect(() => openClientAddress([wrong])).toThrow(/not the address of a proxy/);
  }
});
