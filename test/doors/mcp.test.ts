import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { type Connected, connectToCommand, type Revision, revisions } from './mcp-client.ts';
import { openStage, program, type Stage } from './stage.ts';

const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function stageFor(): Stage {
  const stage = openStage({ git: true });
  closing.push(stage.close);
  return stage;
}

async function connect(revision: Revision, stage = stageFor(), words: string[] = []): Promise<Connected> {
  const connection = await connectToCommand(stage, revision, words);
  closing.push(connection.close);
  return connection;
}

interface Line {
  id: string;
  token: string;
  state: string;
  holder: string;
  source_agent: string;
  lease_expires_at: string;
}

for (const revision of Object.keys(revisions) as Revision[]) {
  verifies(
    ['MCP.life-cycle', 'MCP.actor'],
    `a client of ${revision} takes a handoff through its whole life cycle`,
    async () => {
      const { client, call, ask } = await connect(revision);
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);

      const content = { summary: 'Finish the login form', decisions: ['Use sessions'], files: ['src/login.ts'] };
      const { handoff: created } = await ask<{ handoff: Line }>('handoff_create', { content });
      expect(created).toMatchObject({ state: 'open', source_agent: 'tester', title: 'Finish the login form' });
      expect(await ask('handoff_read', { action: 'list' })).toMatchObject({ handoffs: [{ id: created.id }] });

      const claim = await ask<{ handoff: Line; context: { text: string } }>('handoff_claim', { lease_ms: 60_000 });
      const { id, token } = claim.handoff;
      expect(claim.handoff).toMatchObject({ id: created.id, state: 'claimed', holder: 'tester' });
      expect(claim.context.text).toContain('Use sessions');

      const stranger = await call('handoff_update', { action: 'acknowledge', id, token: 'somebody else’s' });
      expect(stranger).toMatchObject({ isError: true, structuredContent: { error: { code: 'lease_lost' } } });

      const renewed = await ask<{ handoff: Line }>('handoff_update', { action: 'renew', id, token, lease_ms: 900_000 });
      expect(renewed.handoff.lease_expires_at > claim.handoff.lease_expires_at).toBe(true);
      expect(await ask('handoff_update', { action: 'acknowledge', id, token })).toMatchObject({
        handoff: { id, state: 'acknowledged' },
      });

      const { events } = await ask<{ events: { name: string }[] }>('handoff_read', { action: 'log', id });
      const names = ['handoff-created', 'handoff-claimed', 'handoff-renewed', 'handoff-acknowledged'];
      expect(events.map(({ name }) => name)).toEqual(names);
      expect(await ask('handoff_claim')).toMatchObject({ handoff: null, context: null });
    },
  );

  verifies(['MCP.idempotency'], `with ${revision} the same call with the same key changes nothing twice`, async () => {
    const { call, ask } = await connect(revision);
    const create = { content: { summary: 'Once' }, idempotency_key: 'create-1' };
    const first = await ask<{ handoff: Line }>('handoff_create', create);
    const again = await ask<{ handoff: Line }>('handoff_create', create);
    expect(again.handoff.id).toBe(first.handoff.id);
    const other = { content: { summary: 'Another' }, idempotency_key: 'create-1' };
    expect(await call('handoff_create', other)).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'conflict' } },
    });

    const claim = { idempotency_key: 'claim-1' };
    const taken = await ask<{ handoff: Line }>('handoff_claim', claim);
    expect(await ask('handoff_claim', claim)).toMatchObject({ handoff: { token: taken.handoff.token } });
    const done = { action: 'acknowledge', id: first.handoff.id, token: taken.handoff.token, idempotency_key: 'ack-1' };
    expect(await ask('handoff_update', done)).toMatchObject(await ask('handoff_update', done));
    const { events } = await ask<{ events: unknown[] }>('handoff_read', { action: 'log' });
    expect(events).toHaveLength(3);
  });
}

verifies(['OP.own-marks'], 'a client marks no item as pinned or edited by a person', async () => {
  const stage = stageFor();
  const { ask } = await connect('2026-07-28', stage);
  const marked = (source: string) => ({ content: `Delete ${source}`, source });
  const decisions = [marked('user-pinned'), marked('user-edited')];
  const { handoff } = await ask<{ handoff: Line }>('handoff_create', { content: { summary: 'x', decisions } });
  const { stdout } = await stage.baton(['render', handoff.id]);
  expect(stdout).toContain('Delete user-pinned');
  expect(stdout).not.toMatch(/\[(?:pinned|edited)/);
});

verifies(['MCP.place', 'MCP.actor'], 'the folder, store and agent of its words are those it works with', async () => {
  const stage = stageFor();
  const inside = join(stage.folder, 'inside');
  mkdirSync(inside);
  const words = ['--cwd', inside, '--store', `sqlite:${join(stage.folder, 'own.db')}`, '--as', 'night-shift'];
  const { ask } = await connect('2026-07-28', stage, words);
  await ask('handoff_create', { content: { summary: 'Elsewhere' } });
  expect(await ask('handoff_read', { action: 'status' })).toMatchObject({
    actor: { name: 'night-shift', type: 'agent' },
    open: [{ title: 'Elsewhere', source_agent: 'night-shift' }],
  });
  expect(await stage.json(['list'])).toMatchObject({ handoffs: [] });
});

verifies(['MCP.place'], 'without a folder it works in the project that the host names', async () => {
  const stage = stageFor();
  const elsewhere = stageFor();
  const environment = { ...stage.environment, CLAUDE_PROJECT_DIR: elsewhere.folder };
  const { ask } = await connect('2025-11-25', { ...stage, environment });
  await ask('handoff_create', { content: { summary: 'In the host’s project' } });
  expect(await elsewhere.json(['list'])).toMatchObject({ handoffs: [{ content: { source_agent: 'tester' } }] });
});

/** The command with its bare pipes: what no client would write or read. */
function startBare(stage = stageFor()) {
  const child = spawn(process.execPath, [program, 'mcp'], { cwd: stage.folder, env: stage.environment, stdio: 'pipe' });
  closing.push(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    waiting.shift()?.(line);
  });
  const next = () => new Promise<string>((resolve) => waiting.push(resolve));
  const send = async (message: string | object) => {
    const answer = next();
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    return JSON.parse(await answer);
  };
  return { child, send, lines, stderr: gather(child) };
}

function gather(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}

const ended = (child: ChildProcess) =>
  new Promise<number | string | null>((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));

const hello = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bare', version: '1' } },
};

const createWith = (id: number | string, content: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'handoff_create', arguments: { content } },
});

verifies(
  ['MCP.limits', 'MCP.stdout'],
  'a line that is too long is answered by its id, and the server lives on',
  async () => {
    const { send, lines, stderr } = startBare();
    await send(hello);
    const long = 'x'.repeat(9 * 1024 * 1024);
    const atHead = await send(createWith('first', { body: long }));
    expect(atHead).toMatchObject({ id: 'first', error: { code: -32600, message: expect.stringMatching(/bytes/) } });
    const { id, ...rest } = createWith(7, { body: long });
    expect(await send({ ...rest, id })).toMatchObject({ id: 7, error: { code: -32600 } });
    expect(await send(`{"params":"${long}`)).toMatchObject({ error: { code: -32600 } });
    expect(await send(createWith(8, { summary: 'Still here' }))).toMatchObject({
      id: 8,
      result: { structuredContent: {} },
    });
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    expect(stderr()).toMatch(/are the most/);
  },
);

verifies(['MCP.limits'], 'deep nesting and too many elements are answered, and the server lives on', async () => {
  const { send } = startBare();
  await send(hello);
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const text = JSON.stringify(createWith(1, { summary: 'x', payload: 'HERE' })).replace('"HERE"', deep(90_000));
  expect(await send(text)).toMatchObject({
    id: 1,
    result: { isError: true, structuredContent: { error: { code: 'too_large' } } },
  });
  const read = {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'handoff_read', arguments: { action: 1 } },
  };
  expect(await send(JSON.stringify(read).replace('"action":1', `"action":${deep(90_000)}`))).toMatchObject({
    id: 2,
    result: { isError: true, structuredContent: { error: { code: 'invalid_input' } } },
  });
  const many = createWith(3, { summary: 'x', payload: Array.from({ length: 100_001 }, () => 1) });
  expect(await send(many)).toMatchObject({ id: 3, result: { isError: true } });
  expect(await send(createWith(4, { summary: 'Still here' }))).toMatchObject({ id: 4, result: {} });
});

verifies(['MCP.stdout', 'MCP.limits'], 'lines that are no requests are passed over in silence', async () => {
  const { child, send, lines } = startBare();
  child.stdin.write('not json\n\n{"jsonrpc":"1.0"}\n[]\n"text"\n');
  expect(await send(hello)).toMatchObject({ id: 0, result: { serverInfo: { name: 'baton' } } });
  expect(lines).toHaveLength(1);
});

verifies(['MCP.end'], 'what was asked before the end of its input is answered', async () => {
  const stage = stageFor();
  const clientInfo = { name: 'piped', version: '1' };
  const create = { name: 'handoff_create', arguments: { content: { summary: 'From a pipe' } } };
  const lines = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    ...Array.from({ length: 20 }, (_, index) => ({ id: index + 2, method: 'tools/call', params: create })),
  ];
  const input = lines.map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join('');
  const { code, stdout } = await stage.baton(['mcp'], { input });
  const ids = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id as number);
  expect([code, ids.sort((a, b) => a - b)]).toEqual([0, Array.from({ length: 21 }, (_, index) => index + 1)]);
  expect((await stage.json<{ handoffs: unknown[] }>(['list'])).handoffs.length).toBe(20);
});

verifies(['MCP.end'], 'the end of its input ends it', async () => {
  const { child, send, stderr } = startBare();
  await send(hello);
  await send(createWith(1, { summary: 'Kept' }));
  const end = ended(child);
  child.stdin.end();
  expect(await end).toBe(0);
  expect(stderr()).toBe('');
});

verifies(['MCP.end', 'MCP.cancel'], 'a signal ends it while a request waits', async () => {
  const { child, send } = startBare();
  await send(hello);
  child.stdin.write(
    `${JSON.stringify({ ...createWith(1, {}), params: { name: 'handoff_claim', arguments: { wait_ms: 600_000 } } })}\n`,
  );
  await send({ jsonrpc: '2.0', id: 2, method: 'ping' });
  const end = ended(child);
  child.kill('SIGTERM');
  expect(await end).toBe(143);
});

verifies(['MCP.end'], 'a folder that does not exist is reported on standard error, and nothing is served', async () => {
  const stage = stageFor();
  const { code, stdout, stderr } = await stage.baton(['mcp', '--cwd', join(stage.folder, 'nowhere')]);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(/does not exist/);
});
