import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { Role } from '../../../packages/batonpass/src/core/access-token.ts';
import { problemKinds, refusalKinds } from '../../../packages/batonpass/src/doors/http/problem.ts';
import * as door from '../../../packages/batonpass/src/http.ts';
import { catalogue, errorCodes, type OperationName } from '../../../packages/batonpass/src/index.ts';
import { verifies } from '../../verifies.ts';
import { openHttp } from './http-stage.ts';

verifies(['HTTP.exports'], 'the HTTP door exports exactly these names', () => {
  expect(Object.keys(door)).toEqual(['startHttpServer']);
});

/** The operations that a token of this least role may ask for, of the folder's project alone or of any. */
async function listOperationsOf(role: Role, { folder }: { folder: boolean }): Promise<OperationName[]> {
  const names = Object.keys(catalogue) as OperationName[];
  const loaded = await Promise.all(names.map(async (name) => ({ name, http: (await catalogue[name]()).doors.http })));
  return loaded
    .filter(({ http }) => http !== false && http.role === role && (http.folder ?? false) === folder)
    .map(({ name }) => name)
    .sort();
}

verifies(['HTTP.access'], 'what takes more than an agent’s token is pinned', async () => {
  expect(await listOperationsOf('reviewer', { folder: false })).toEqual([
    'handoff.answer',
    'handoff.approve',
    'handoff.break',
    'handoff.edit',
    'handoff.reopen',
    'planning.hand-on',
  ]);
  expect(await listOperationsOf('reviewer', { folder: true })).toEqual([]);
  expect(await listOperationsOf('admin', { folder: false })).toEqual([]);
  expect(await listOperationsOf('admin', { folder: true })).toEqual([
    'conversation.extract',
    'conversation.list',
    'conversation.read',
    'handoff.import',
    'planning.run',
    'planning.start',
    'planning.stop',
  ]);
});

verifies(['HTTP.access'], 'what acts on the machine is not available over HTTP, for any token', async () => {
  const { call } = await openHttp();
  const local = [
    'file.check file.list file.next file.read file.store-acknowledge file.store-check file.store-create',
    'file.store-list file.store-show file.write handoff.export project.diagnose project.init project.trust',
    'session.note session.start session.work session.write store.backup store.check store.copy store.migrate',
    'store.prune store.restore store.roles token.create token.list token.revoke',
  ].flatMap((line) => line.split(' ') as OperationName[]);
  for (const name of local) expect((await call(name, {})).body.code, name).toBe('no_such_route');
});

verifies(
  ['HTTP.etag', 'HTTP.errors'],
  'an edit meets the version that was seen, or is 412 with the code conflict',
  async () => {
    const { call, ask } = await openHttp();
    const created = await call('handoff.create', { content: { summary: 'x' }, draft: true });
    expect(created.headers.get('etag')).toBe('"v1"');
    const id = String(created.body.id);
    const edit = (title: string, match: string) =>
      call('handoff.edit', { id, changes: { title } }, { headers: { 'if-match': match } });
    const edited = await edit('one', '"v1"');
    expect([edited.status, edited.headers.get('etag')]).toEqual([200, '"v2"']);
    const late = await edit('two', 'W/"v1"');
    expect(late).toMatchObject({ status: 412, body: { code: 'conflict', status: 412 } });
    expect(await edit('three', '"another"')).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
    expect((await edit('four', '*')).status).toBe(200);

    const seen = await ask(`/api/handoff.get?id=${id}`);
    expect(seen.headers.get('etag')).toBe('"v3"');
    const again = await ask(`/api/handoff.get?id=${id}`, { headers: { 'if-none-match': '"v3"' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const other = await call('handoff.approve', { id }, { headers: { 'if-match': '"v3"' } });
    expect(other.body.code).toBe('invalid_input');
  },
);

verifies(
  ['HTTP.idempotency', 'HTTP.errors'],
  'a retry with its key is the first answer; with another input a conflict',
  async () => {
    const { call } = await openHttp();
    const headers = { 'idempotency-key': 'once' };
    const first = await call('handoff.create', { content: { summary: 'x' } }, { headers });
    const retried = await call('handoff.create', { content: { summary: 'x' } }, { headers });
    expect(retried.body.id).toBe(first.body.id);
    expect(await call('handoff.create', { content: { summary: 'y' } }, { headers })).toMatchObject({ status: 409 });
    const claimed = await call('handoff.claim', {}, { headers });
    const again = await call('handoff.claim', {}, { headers });
    expect(again.body).toEqual(claimed.body);
    const keyOf = (length: number) => ({ headers: { 'idempotency-key': 'x'.repeat(length) } });
    expect(await call('handoff.claim', {}, keyOf(200))).toMatchObject({ status: 200 });
    const detail = 'The Idempotency-Key is empty or too long.';
    for (const length of [0, 201])
      expect(await call('handoff.claim', {}, keyOf(length))).toMatchObject({ status: 400, body: { detail } });
  },
);

verifies(['HTTP.paging', 'HTTP.query'], 'pages of a list follow each other by link and by cursor', async () => {
  const { baton, ask, call } = await openHttp();
  for (const summary of ['a', 'b', 'c', 'd', 'e']) await baton.run('handoff.create', { content: { summary } });
  const found: string[] = [];
  let path: string | undefined = '/api/handoff.list?state=open&state=draft&limit=2&include_unscoped=true';
  while (path !== undefined) {
    const page: Response = await ask(path);
    const { handoffs } = (await page.json()) as { handoffs: { content: { summary: string } }[] };
    found.push(...handoffs.map(({ content }) => content.summary));
    path = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect(found).toEqual(['e', 'd', 'c', 'b', 'a']);
  const { body } = await call('handoff.list', { limit: 2 });
  expect(typeof body.cursor).toBe('string');
  expect((await call('handoff.list', { cursor: 'none' })).body.code).toBe('invalid_input');
});

verifies(
  ['HTTP.query', 'HTTP.errors'],
  'a query that is no input of the operation is refused by the operation',
  async () => {
    const { ask } = await openHttp();
    for (const query of [
      'limit=x',
      'limit=1e3',
      'state=none',
      'nothing=1',
      '__proto__=1',
      'limit=1&limit=2',
      'all_projects=1',
    ]) {
      const answer = await ask(`/api/handoff.list?${query}`);
      expect([query, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        query,
        400,
        'invalid_input',
      ]);
    }
    const writing = await ask('/api/handoff.claim');
    expect([writing.status, writing.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await ask('/api/store.backup', { method: 'POST', body: '{}' })).status).toBe(404);
  },
);

verifies(['HTTP.errors'], 'a route that is no operation refuses every method but its own', async () => {
  const { ask } = await openHttp();
  for (const [path, method, allow] of [
    ['/', 'POST', 'GET, HEAD'],
    ['/reference', 'POST', 'GET, HEAD'],
    ['/api/openapi.json', 'POST', 'GET, HEAD'],
    ['/health', 'POST', 'GET, HEAD'],
    ['/ready', 'POST', 'GET, HEAD'],
    ['/api/session', 'GET', 'POST, DELETE'],
    ['/api/session.link', 'GET', 'POST'],
    ['/api/session.proof', 'POST', 'GET, HEAD'],
    ['/api/events', 'POST', 'GET, HEAD'],
    ['/api/chat', 'PUT', 'GET, HEAD, POST'],
  ] as const) {
    const answer = await ask(path, method === 'GET' ? {} : { method, body: '{}' });
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, allow]);
    expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' });
  }
});

verifies(
  ['HTTP.query', 'HTTP.secrets', 'HTTP.openapi', 'HTTP.page'],
  'what takes a lease’s token is asked by POST alone, though it only reads',
  async () => {
    const { baton, ask, call } = await openHttp();
    const { id } = await baton.run('handoff.create', { content: { summary: 'x' } });
    const { handoff } = await baton.run('handoff.claim', { id });
    const input = { id, token: handoff?.delivery.lease?.token ?? '' };
    expect(await call('planning.context', input)).toMatchObject({ status: 200 });
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(`/api/planning.context?${new URLSearchParams(input)}`, { method });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST']);
      expect(await answer.text()).not.toContain(input.token);
    }
    const { paths } = (await (await ask('/api/openapi.json')).json()) as {
      paths: Record<string, { get?: { parameters?: { name: string }[] } }>;
    };
    const asked = Object.values(paths).flatMap(({ get }) => get?.parameters ?? []);
    expect(asked.map(({ name }) => name)).toContain('limit');
    expect(asked.map(({ name }) => name)).not.toContain('token');
    expect(await (await ask('/reference')).text()).toContain('<code>POST /api/planning.context</code>');
  },
);

verifies(['HTTP.compression'], 'a list is compressed on request, a claim never', async () => {
  const { baton, ask } = await openHttp();
  for (let count = 0; count < 5; count += 1)
    await baton.run('handoff.create', { content: { summary: 'again '.repeat(99) } });
  const encodingOf = async (path: string, accepted: string, init: RequestInit = {}) => {
    const answer = await ask(path, { ...init, headers: { 'accept-encoding': accepted } });
    await answer.json();
    return answer.headers.get('content-encoding');
  };
  expect(await encodingOf('/api/handoff.list', 'br, gzip')).toBe('gzip');
  expect(await encodingOf('/api/handoff.list', 'gzip;q=0')).toBeNull();
  expect(await encodingOf('/api/handoff.list', 'identity')).toBeNull();
  expect(await encodingOf('/api/handoff.claim', 'gzip', { method: 'POST', body: '{}' })).toBeNull();
});

verifies(
  ['HTTP.request-id', 'HTTP.errors', 'HTTP.probes'],
  'a defect is logged under the id of its request, and the client gets only that id',
  async () => {
    const logged: [unknown, string][] = [];
    const { baton, ask, server } = await openHttp({ logDefect: (error, id) => logged.push([error, id]) });
    const store = await baton.context.openStore();
    const list = store.list;
    store.list = () => Promise.reject(new Error('a secret of the inside'));
    const answer = await ask('/api/handoff.list', { headers: { 'x-request-id': 'mine-1' } });
    const body = (await answer.json()) as Record<string, unknown>;
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(body).toMatchObject({ status: 500, code: 'internal_error', instance: 'urn:baton:request:mine-1' });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(logged).toEqual([[new Error('a secret of the inside'), 'mine-1']]);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect((await fetch(`${server.url}/ready`)).status).toBe(500);
    store.list = list;
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    const made = await ask('/health', { headers: { 'x-request-id': 'not one\tat all' } });
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  },
);

verifies(['HTTP.errors'], 'every code has its status, and the page explains it', async () => {
  const { server } = await openHttp();
  const page = await (await fetch(`${server.url}/reference`)).text();
  expect(Object.keys(problemKinds).sort()).toEqual([...errorCodes].sort());
  for (const code of [...errorCodes, ...Object.keys(refusalKinds)]) expect(page).toContain(`id="error-${code}"`);
});

verifies(
  ['HTTP.page', 'HTTP.headers'],
  'the page asks this server alone, and nothing in it runs by itself',
  async () => {
    const { server, ask } = await openHttp();
    const page = await (await fetch(`${server.url}/reference`)).text();
    const links = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !/^(\/|\/page\.(js|css)|\/api\/openapi\.json|#error-\w+)$/.test(link))).toEqual([]);
    expect(page).not.toMatch(/<script(?! src=)|<style|\son\w+=|javascript:/i);
    for (const [name, load] of Object.entries(catalogue)) {
      if ((await load()).doors.http !== false) expect(page).toContain(`id="${name}"`);
    }
    for (const path of ['/', '/reference', '/page.js', '/api/handoff.list', '/api/none', '/health']) {
      const { headers } = await ask(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  },
);

verifies(['HTTP.openapi'], 'the description is whole, and what is answered conforms to it', async () => {
  const { baton, ask, call } = await openHttp();
  const api = (await (await ask('/api/openapi.json')).json()) as {
    openapi: string;
    paths: Record<
      string,
      Record<string, { responses: Record<string, { content: Record<string, { schema: object }> }> }>
    >;
    components: { schemas: { Problem: object } };
  };
  expect(api.openapi).toBe('3.1.0');
  const names = Object.keys(catalogue) as OperationName[];
  for (const name of names) {
    expect(Object.hasOwn(api.paths, `/api/${name}`)).toBe((await catalogue[name]()).doors.http !== false);
  }
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  // A reference in it is read from its top.
  ajv.addSchema({ $id: 'api:', ...api });
  const compile = (path: string) =>
    ajv.compile({
      $ref: `api:#/components/responses/${path.replace('/api/', '')}/content/application~1json/schema`,
    });
  // Each schema compiles, those that no answer below meets too.
  for (const path of Object.keys(api.paths)) {
    if (path.includes('.')) expect([path, typeof compile(path)]).toEqual([path, 'function']);
  }
  const isAnswerOf = (name: string, body: unknown) => {
    const isValid = compile(`/api/${name}`);
    expect([name, isValid(body), isValid.errors]).toEqual([name, true, null]);
  };
  await baton.run('handoff.create', {
    content: { summary: 'first', decisions: ['Use sessions'], payload: { any: [1] } },
  });
  const created = await call('handoff.create', { content: { summary: 'x' } });
  isAnswerOf('handoff.create', created.body);
  isAnswerOf('handoff.list', (await call('handoff.list')).body);
  isAnswerOf('handoff.status', (await call('handoff.status')).body);
  isAnswerOf('handoff.claim', (await call('handoff.claim')).body);
  isAnswerOf('handoff.events', (await call('handoff.events')).body);
  isAnswerOf('handoff.render', (await call('handoff.render', { id: String(created.body.id) })).body);
  const problem = await call('handoff.get', { id: 'ZZZZZZZZ' });
  expect(ajv.compile(api.components.schemas.Problem)(problem.body)).toBe(true);
});
