import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, expect } from 'vitest';
import { showHiddenIn } from '../../packages/batonpass/src/core/shown-values.ts';
import { loadPublishedTools } from '../../packages/batonpass/src/doors/mcp/published-tools.ts';
import { type DeclaredOperation, groupIntoTools } from '../../packages/batonpass/src/doors/mcp/tool-table.ts';
import { type Baton, catalogue, HandoffError, openBaton } from '../../packages/batonpass/src/index.ts';
import { createMcpHttpHandler, createMcpServerFactory } from '../../packages/batonpass/src/mcp.ts';
import { createBaton } from '../../packages/batonpass/src/operations/baton.ts';
import { hostileTexts } from '../formats/hostile-texts.ts';
import { verifies } from '../verifies.ts';
import { type Answer, type Connected, connectTo, type Revision, revisions } from './mcp-client.ts';
import { openStage } from './stage.ts';

const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const at = Date.UTC(2026, 10, 22, 9);

async function openOne(environment: NodeJS.ProcessEnv = {}): Promise<Baton> {
  const stage = openStage({ git: false });
  closing.push(stage.close);
  const baton = await openBaton({
    cwd: stage.folder,
    store: 'memory:',
    project: 'harbour',
    environment: { ...stage.environment, ...environment },
    surroundings: { now: () => at },
  });
  closing.push(() => baton.close());
  return baton;
}

async function connect(
  baton: Baton,
  revision?: Revision,
  settings?: Parameters<typeof connectTo>[2],
): Promise<Connected> {
  const connection = await connectTo(baton, revision, settings);
  closing.push(connection.close);
  return connection;
}

const both = Object.keys(revisions) as Revision[];

verifies(['MCP.listing', 'MCP.tools'], 'the whole listing has at most 2,000 tokens in either revision', async () => {
  const baton = await openOne();
  for (const revision of both) {
    const { client } = await connect(baton, revision);
    const listing = await client.listTools();
    expect(listing.tools.map(({ name }) => name).sort()).toEqual([
      'handoff_claim',
      'handoff_create',
      'handoff_read',
      'handoff_update',
      'plan_read',
      'plan_write',
    ]);
    expect(encode(JSON.stringify(listing)).length).toBeLessThanOrEqual(2_000);
  }
});

verifies(['MCP.annotations'], 'the tools for a session’s beginning and end are loaded without a search', async () => {
  const { client } = await connect(await openOne());
  const { tools } = await client.listTools();
  const loaded = tools.filter(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true).map(({ name }) => name);
  expect(loaded.sort()).toEqual(['handoff_claim', 'handoff_create', 'handoff_update']);
});

verifies(['MCP.listing'], 'an action is listed with the fields that are its own, where it has any', async () => {
  const { client } = await connect(await openOne());
  const { tools } = await client.listTools();
  const update = tools.find(({ name }) => name === 'handoff_update');
  const description = (update?.inputSchema.properties?.action as { description?: string } | undefined)?.description;
  expect(description).toContain('renew(lease_ms): ');
  expect(description).toContain('report(text, data): ');
  expect(description).toContain('; acknowledge: ');
});

verifies(['MCP.annotations'], 'every tool says what it is for and what it does to the world', async () => {
  const { client } = await connect(await openOne());
  for (const tool of (await client.listTools()).tools) {
    expect(tool.title).toMatch(/^[A-Z]/);
    expect(tool.description).toMatch(/\.$/);
    // A host cuts longer ones.
    expect(Buffer.byteLength(tool.description ?? '')).toBeLessThan(2_048);
    expect(tool.outputSchema).toMatchObject({ type: 'object', properties: { error: { type: 'object' } } });
    const isRead = tool.name.endsWith('_read');
    expect(tool.annotations).toEqual({
      readOnlyHint: isRead,
      destructiveHint: false,
      idempotentHint: isRead,
      openWorldHint: false,
    });
    expect(Object.hasOwn(tool.inputSchema.properties ?? {}, 'idempotency_key')).toBe(!isRead);
  }
});

const declared = (name: string, mutates: boolean, mcp: { tool: string; action?: string }) =>
  ({ name, summary: 'Does it.', mutates, doors: { mcp, http: { role: 'agent' } } }) as unknown as DeclaredOperation;

verifies(['MCP.tools'], 'tools follow from declarations, and contradicting ones are a defect', () => {
  const read = declared('a.read', false, { tool: 'one', action: 'read' });
  const local: DeclaredOperation = { ...read, doors: { http: false } };
  const bare = declared('b.take', true, { tool: 'two' });
  const resumed = declared('b.resume', true, { tool: 'two', action: 'resume' });
  const tools = groupIntoTools([read, local, bare, resumed]);
  expect(tools.map(({ name, mutates, actions }) => [name, mutates, [...actions.keys()]])).toEqual([
    ['one', false, ['read']],
    ['two', true, [undefined, 'resume']],
  ]);
  expect(() => groupIntoTools([read, declared('a.write', true, { tool: 'one', action: 'write' })])).toThrow(/mixes/);
  expect(() => groupIntoTools([bare, declared('c.take', true, { tool: 'two' })])).toThrow(/Two operations/);
  const many = Array.from({ length: 11 }, (_, index) => declared(`x.${index}`, true, { tool: `tool_${index}` }));
  expect(() => groupIntoTools(many)).toThrow(/11 tools/);
  expect(groupIntoTools(many.slice(1))).toHaveLength(10);
});

verifies(['MCP.tools'], 'the actions of one tool agree on the type of each field', async () => {
  for (const { tool, inputs } of await loadPublishedTools()) {
    const types = new Map<string, string>();
    for (const { properties } of inputs.values()) {
      for (const [name, { type }] of Object.entries(properties as Record<string, { type?: unknown }>)) {
        const typed = JSON.stringify(type ?? 'any');
        expect([tool.name, name, types.get(name) ?? typed]).toEqual([tool.name, name, typed]);
        types.set(name, typed);
      }
    }
    expect(types.size, tool.name).toBeGreaterThan(0);
  }
});

verifies(['MCP.tools'], 'every operation that declares a tool is listed under it, and can be called', async () => {
  const { client, call } = await connect(await openOne());
  const { tools } = await client.listTools();
  for (const load of Object.values(catalogue)) {
    const { doors } = await load();
    if (doors.mcp === undefined) continue;
    const { tool: name, action } = doors.mcp;
    const listed = tools.find((tool) => tool.name === name);
    const actions = (listed?.inputSchema.properties?.action as { enum?: string[] } | undefined)?.enum ?? [];
    if (action !== undefined) expect(actions).toContain(action);
    const answer = await call(name, { ...(action === undefined ? {} : { action }), nothing: true });
    expect(answer.structuredContent).toMatchObject({ error: { code: 'invalid_input' } });
    expect(JSON.stringify(answer.structuredContent)).toContain('nothing');
  }
});

verifies(['MCP.structured', 'MCP.errors'], 'structured content is the text, in answers and in failures', async () => {
  for (const revision of both) {
    const { call } = await connect(await openOne(), revision);
    const content = { summary: 'Zero width \u200b, bidi \u202e, tag \u{e0041}, emoji ⚠️', payload: { a: [1, null] } };
    const { structuredContent } = await call('handoff_create', { content });
    const { id } = structuredContent.handoff as { id: string };
    const answers: Answer[] = [
      await call('handoff_read', { action: 'get', id }),
      await call('handoff_read', { action: 'status' }),
      await call('handoff_read', { action: 'list' }),
      await call('handoff_read', { action: 'log' }),
      await call('handoff_read', { action: 'render', id }),
      await call('handoff_claim', { id }),
      await call('handoff_claim', {}),
      await call('handoff_claim', { id }),
      await call('handoff_update', { action: 'renew', id, token: 'wrong' }),
      await call('handoff_read', { action: 'dance' }),
      await call('handoff_update', {}),
      await call('handoff_create', { content: { kind: 'Two Words' }, idempotency_key: '' }),
      await call('handoff_create', {}),
    ];
    for (const { content: texts, structuredContent: structured } of answers) {
      expect(texts).toHaveLength(1);
      expect(JSON.parse(texts[0]?.text ?? '')).toEqual(structured);
      expect(texts[0]?.text).not.toMatch(/[\u200b\u202e\u{e0041}]/u);
    }
    expect(answers.map(({ isError }) => isError === true)).toEqual([...Array(7).fill(false), ...Array(6).fill(true)]);
    const errors = answers.slice(7).map(({ structuredContent: structured }) => structured.error);
    const shape = { code: expect.any(String), message: expect.stringMatching(/./), details: expect.any(Object) };
    for (const error of errors) expect(error).toMatchObject({ ...shape, alternatives: expect.any(Array) });
    expect(answers[0]?.structuredContent).toMatchObject({
      content: showHiddenIn(content),
      delivery: { state: 'open' },
    });
  }
});

verifies(['MCP.errors'], 'a defect is logged with its stack, and shows the client no internals', async () => {
  const defects: unknown[] = [];
  const baton = await openOne();
  const broken = createBaton({ ...baton, run: () => Promise.reject(new Error('the inside')) });
  const { client, call } = await connect(broken, '2025-11-25', { logDefect: (error) => defects.push(error) });
  const answer = await call('handoff_read', { action: 'status' });
  expect(answer).toMatchObject({ isError: true, structuredContent: { error: { code: 'internal_error' } } });
  expect(JSON.stringify(answer)).not.toContain('the inside');
  await expect(client.readResource({ uri: 'baton://queue' })).rejects.toMatchObject({ code: -32603 });
  await expect(client.getPrompt({ name: 'resume' })).rejects.toMatchObject({ code: -32603 });
  expect(defects).toHaveLength(3);
});

verifies(['MCP.compact'], 'a long list answers short lines within a host’s limit, and one handoff whole', async () => {
  const baton = await openOne();
  const { ask, call } = await connect(baton);
  const long = { summary: `${'word '.repeat(3_900)}end`, body: 'text '.repeat(20_000) };
  for (let number = 0; number < 60; number += 1) await baton.run('handoff.create', { content: long });
  const { handoffs, cursor } = await ask<{ handoffs: { id: string; summary: string }[]; cursor: string }>(
    'handoff_read',
    { action: 'list' },
  );
  expect(handoffs).toHaveLength(20);
  expect(handoffs[0]).toMatchObject({ state: 'open', age_s: 0, summary: expect.stringMatching(/…$/) });
  expect(await ask('handoff_read', { action: 'list', cursor })).toMatchObject({ handoffs: { length: 20 } });
  const largest = [
    await call('handoff_read', { action: 'list', limit: 60 }),
    await call('handoff_read', { action: 'status' }),
    await call('handoff_read', { action: 'log' }),
    await call('handoff_claim'),
  ];
  for (const { content } of largest) expect(encode(content[0]?.text ?? '').length).toBeLessThan(25_000);
  expect(await ask('handoff_read', { action: 'status' })).toMatchObject({ counts: { open: 59 }, open: { length: 5 } });
  const whole = await ask('handoff_read', { action: 'get', id: handoffs[0]?.id });
  expect(whole).toMatchObject({ content: long });
});

verifies(
  ['MCP.actor'],
  'the client acts by its name, one without a name as "mcp", the configured agent first',
  async () => {
    const actorOf = async (environment: NodeJS.ProcessEnv, revision: Revision, name: string) => {
      const { ask } = await connect(await openOne(environment), revision, { name });
      return (await ask('handoff_read', { action: 'status' })).actor;
    };
    for (const revision of both) {
      expect(await actorOf({}, revision, 'claude-code')).toEqual({ name: 'claude-code', type: 'agent' });
      expect(await actorOf({}, revision, ' ')).toEqual({ name: 'mcp', type: 'agent' });
      expect(await actorOf({}, revision, 'x'.repeat(600))).toEqual({ name: 'mcp', type: 'agent' });
      expect(await actorOf({ BATON_AGENT: 'night' }, revision, 'x')).toEqual({ name: 'night', type: 'agent' });
    }
  },
);

verifies(
  ['MCP.resources', 'MCP.caching'],
  'the queue, a handoff and its context are read by their addresses',
  async () => {
    const { client, ask } = await connect(await openOne(), '2026-07-28');
    const { handoff } = await ask<{ handoff: { id: string } }>('handoff_create', { content: { summary: 'Read me' } });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['baton://queue']);
    const { resourceTemplates } = await client.listResourceTemplates();
    const addresses = ['baton://handoff/{id}', 'baton://handoff/{id}/context'];
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(addresses);

    const read = async (uri: string) => {
      const { contents, ttlMs, cacheScope } = await client.readResource({ uri });
      expect({ ttlMs, cacheScope }).toEqual({ ttlMs: 0, cacheScope: 'private' });
      return (contents[0] as { text: string }).text;
    };
    expect(JSON.parse(await read('baton://queue'))).toMatchObject({ handoffs: [{ id: handoff.id }], is_whole: true });
    const { token } = (await ask<{ handoff: { token: string } }>('handoff_claim')).handoff;
    const whole = await read(`baton://handoff/${handoff.id}`);
    expect(JSON.parse(whole)).toMatchObject({ id: handoff.id, content: { summary: 'Read me' } });
    const context = await read(`baton://handoff/${handoff.id}/context`);
    expect(context).toMatch(/quoted history.*> Read me.*State: claimed/s);
    expect(token).toMatch(/^[0-9a-f]{48}$/);
    expect(whole + context).not.toContain(token);
    await expect(client.readResource({ uri: 'baton://handoff/ZZZZZZZZ' })).rejects.toMatchObject({
      code: -32602,
      data: { code: 'not_found' },
    });
    const ref = { type: 'ref/resource' as const, uri: 'baton://handoff/{id}' };
    const { completion } = await client.complete({ ref, argument: { name: 'id', value: handoff.id.slice(-4) } });
    expect(completion.values).toEqual([handoff.id]);
  },
);

verifies(['MCP.caching', 'MCP.instructions'], 'lists may be kept, and the instructions are short', async () => {
  const { client } = await connect(await openOne(), '2026-07-28');
  const lists = [
    await client.listTools(),
    await client.listPrompts(),
    await client.listResources(),
    await client.listResourceTemplates(),
  ];
  for (const list of lists) expect(list).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' });
  const instructions = client.getInstructions() ?? '';
  expect(instructions).toMatch(/handoff_create.*idempotency_key/s);
  expect(Buffer.byteLength(instructions)).toBeLessThan(2_048);
});

verifies(
  ['MCP.prompts'],
  'a prompt asks for the handover, another shows what would be resumed, unclaimed',
  async () => {
    const { client, ask } = await connect(await openOne());
    const textOf = async (name: string, given: Record<string, string> = {}) => {
      const { messages } = await client.getPrompt({ name, arguments: given });
      return (messages[0] as { content: { text: string } }).content.text;
    };
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['hand-over', 'resume']);
    expect(await textOf('hand-over', { to: 'reviewer' })).toMatch(/handoff_create.*next_steps.*"reviewer"/s);
    expect(await textOf('resume')).toMatch(/No handoff is open/);
    await ask('handoff_create', { content: { summary: 'Earlier' } });
    const created = await ask<{ handoff: { id: string } }>('handoff_create', { content: { summary: 'Go on here' } });
    // A task's queue is for its workers.
    await ask('handoff_create', { content: { summary: 'Queued', task_id: 't' } });
    const shown = await textOf('resume');
    expect(shown).toContain(created.handoff.id);
    expect(shown).toMatch(/quoted.*> Go on here/s);
    expect(await textOf('resume', { id: created.handoff.id.slice(-8) })).toBe(shown);
    expect(await ask('handoff_read', { action: 'status' })).toMatchObject({ counts: { open: 3 } });
  },
);

verifies(['MCP.listing'], 'what a model reads of the server stays the same, for any stored content', async () => {
  const baton = await openOne();
  const describe = async () => {
    const { client } = await connect(baton);
    const lists = [await client.listTools(), await client.listPrompts(), await client.listResources()];
    return JSON.stringify([...lists, await client.listResourceTemplates(), client.getInstructions()]);
  };
  const before = await describe();
  for (const text of hostileTexts) {
    await baton.run('handoff.create', { content: { summary: text, task_id: text.slice(0, 100), decisions: [text] } });
  }
  expect(await describe()).toBe(before);
});

verifies(['MCP.cancel'], 'a cancelled claim stops waiting, and takes nothing that comes later', async () => {
  const baton = await openOne();
  const { client, ask } = await connect(baton);
  const leaving = new AbortController();
  const waiting = client.callTool(
    { name: 'handoff_claim', arguments: { wait_ms: 600_000 } },
    { signal: leaving.signal, timeout: 600_000 },
  );
  await ask('handoff_read', { action: 'status' });
  leaving.abort('enough');
  await expect(waiting).rejects.toThrow();
  await ask('handoff_create', { content: { summary: 'Nobody waits' } });
  expect(await ask('handoff_read', { action: 'status' })).toMatchObject({ counts: { open: 1, held_by_you: 0 } });
});

verifies(['MCP.http'], 'over HTTP strangers and large bodies are refused before anything is read', async () => {
  const handler = createMcpHttpHandler(createMcpServerFactory(await openOne()));
  closing.push(handler.close);
  const post = (headers: Record<string, string>, body: string) =>
    handler.fetch(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: {
          host: '127.0.0.1',
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body,
      }),
    );
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect((await post({}, list)).status).toBe(200);
  expect((await post({ host: 'evil.example' }, list)).status).toBe(403);
  expect((await post({ origin: 'http://evil.example' }, list)).status).toBe(403);
  expect((await post({ origin: 'null' }, list)).status).toBe(403);
  expect((await post({}, `"${'x'.repeat(9 * 1024 * 1024)}"`)).status).toBe(413);
});

verifies(['MCP.errors'], 'every expected error has its own code, and the facts that come with it', async () => {
  const baton = await openOne();
  const alternatives = ['Make room.', 'List them: baton list', 'Give it more: baton init --user', 'baton init --local'];
  const failing = createBaton({
    ...baton,
    run: () => Promise.reject(new HandoffError('unavailable', 'The disk is full.', { alternatives })),
  });
  const { client, call } = await connect(failing);
  const advised = [
    'Make room.',
    'List them: handoff_read {"action":"list"}',
    'Ask your user: Give it more.',
    'Ask your user: this is done at the command line.',
  ];
  const error = { code: 'unavailable', message: 'The disk is full.', details: {}, alternatives: advised };
  expect(await call('handoff_claim')).toMatchObject({ isError: true, structuredContent: { error } });
  await expect(client.readResource({ uri: 'baton://queue' })).rejects.toMatchObject({ code: -32603, data: error });
});

verifies(['MCP.compact'], 'a line marks what a host saved by itself as unreviewed, and nothing else', async () => {
  const baton = await openOne();
  const saved = { summary: 'Saved', origin: { host: 'claude-code', trigger: 'SessionEnd' } };
  await baton.run('handoff.create', { content: saved }, { actor: { name: 'claude-code', type: 'hook' } });
  await baton.run('handoff.create', { content: { summary: 'Written' } });
  const { ask } = await connect(baton);
  const { handoffs } = await ask<{ handoffs: { title: string; unreviewed?: true }[] }>('handoff_read', {
    action: 'list',
  });
  const marks = handoffs.map(({ title, unreviewed }) => [title, unreviewed] as const);
  expect(new Map(marks)).toEqual(
    new Map([
      ['Saved', true],
      ['Written', undefined],
    ]),
  );
});
