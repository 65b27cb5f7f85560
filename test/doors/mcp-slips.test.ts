import { InMemoryTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterEach, beforeEach, expect } from 'vitest';
import { type Baton, openBaton } from '../../packages/batonpass/src/index.ts';
import { createMcpServerFactory } from '../../packages/batonpass/src/mcp.ts';
import { verifies } from '../verifies.ts';
import { type Connected, connectTo } from './mcp-client.ts';
import { furtherSlips, type Slip, typicalSlips } from './mcp-slips.ts';

let baton: Baton;
let client: Connected;
let held: { id: string; token: string };

beforeEach(async () => {
  baton = await openBaton({ environment: {}, store: 'memory:', project: 'alpha' });
  client = await connectTo(baton);
  await client.ask('handoff_create', { content: { summary: 'Held', task_id: 'auth' } });
  held = (await client.ask<{ handoff: typeof held }>('handoff_claim', { task_id: 'auth' })).handoff;
});

afterEach(async () => {
  await client.close();
  await baton.close();
});

/** A call with the id and the token of what the caller holds. */
function filled({ given }: Slip): Record<string, unknown> {
  const text = JSON.stringify(given).replaceAll('"ID"', JSON.stringify(held.id));
  return JSON.parse(text.replaceAll('"TOKEN"', JSON.stringify(held.token))) as Record<string, unknown>;
}

for (const slip of [...typicalSlips, ...furtherSlips]) {
  verifies(['MCP.lenient'], `${slip.tool} is read with ${slip.name}, and reports it`, async () => {
    const { isError, structuredContent } = await client.call(slip.tool, filled(slip));
    expect([isError === true, structuredContent.error]).toEqual([false, undefined]);
    expect((structuredContent.read_as as string[]).length).toBeGreaterThan(0);
    if (slip.answer !== undefined) expect(structuredContent).toMatchObject(slip.answer);
    if (slip.content === undefined) return;
    const { id } = structuredContent.handoff as { id: string };
    expect((await baton.run('handoff.get', { id })).content).toMatchObject(slip.content);
  });
}

verifies(
  ['MCP.audience'],
  'an empty value never widens who gets what: it stays an error, and changes nothing',
  async () => {
    const { id } = held;
    const wrong: [tool: string, given: Record<string, unknown>][] = [null, '', ' '].flatMap((empty) => [
      ['handoff_create', { content: { summary: 'x', target_agent: empty } }],
      ['handoff_create', { content: { summary: 'x', to: empty } }],
      ['handoff_create', { content: JSON.stringify({ summary: 'x', target_agent: empty }) }],
      ['handoff_create', { summary: 'x', target_agent: empty }],
      ['handoff_create', { content: { summary: 'x', task_id: empty } }],
      ['handoff_claim', { task_id: empty }],
      ['handoff_claim', { acknowledge: { id, token: empty } }],
      ['handoff_read', { action: 'list', target_agent: empty }],
      ['handoff_read', { action: 'list', task_id: empty }],
      ['handoff_read', { action: 'list', state: empty }],
      ['handoff_read', { action: 'list', state: [empty] }],
      ['handoff_read', { action: 'list', state: ['open', empty] }],
      ['handoff_update', { action: 'acknowledge', id, token: empty }],
      ['handoff_update', { action: 'release', id, token: empty }],
    ]) as [string, Record<string, unknown>][];
    for (const [tool, given] of wrong) {
      const { isError, structuredContent } = await client.call(tool, given);
      expect([given, isError, (structuredContent.error as { code: string } | undefined)?.code]).toEqual([
        given,
        true,
        'invalid_input',
      ]);
    }
    expect(await baton.run('handoff.count', {})).toMatchObject({ counts: { claimed: 1 } });
  },
);

verifies(
  ['MCP.advice', 'MCP.errors'],
  'errors advise calls of tools and the fields of the action, no command',
  async () => {
    const { id } = held;
    const failing: [string, Record<string, unknown>][] = [
      ['handoff_read', { action: 'get', id: 'ZZZZZZZZ' }],
      ['handoff_read', { action: 'get', id, limit: 5 }],
      ['handoff_claim', { id }],
      ['handoff_update', { action: 'acknowledge', id, token: 'stale' }],
      ['handoff_update', { action: 'withdraw', id }],
      ['handoff_update', { action: 'fail', id }],
      ['handoff_update', { action: 'dance', id }],
      ['handoff_create', { content: {} }],
      ['plan_read', { message: 'no message' }],
      ['plan_read', { operation: 'read-plan', plan_directory: 'none' }],
    ];
    for (const [tool, given] of failing) {
      const { isError, structuredContent } = await client.call(tool, given);
      expect([given, isError]).toEqual([given, true]);
      expect(JSON.stringify(structuredContent)).not.toMatch(/\bbaton [a-z]+\b|--[a-z]/);
    }
    const { structuredContent } = await client.call('handoff_read', { action: 'get', id, limit: 5 });
    expect(structuredContent.error).toMatchObject({
      alternatives: expect.arrayContaining(['Fields of handoff_read with action "get": id, payload.']),
    });
    const stale = await client.call('handoff_update', { action: 'acknowledge', id, token: 'stale' });
    expect(JSON.stringify(stale.structuredContent)).toContain(
      `handoff_read {\\"action\\":\\"log\\",\\"id\\":\\"${id}\\"}`,
    );
  },
);

verifies(['MCP.lenient'], 'an error too reports what was corrected, and only where something was', async () => {
  const id = 'ZZZZZZZZ';
  const corrected = await client.call('handoff_read', { action: 'get', handoff_id: id });
  expect([corrected.isError, (corrected.structuredContent.read_as as string[]).length]).toEqual([true, 1]);
  const plain = await client.call('handoff_read', { action: 'get', id });
  expect([plain.isError, Object.keys(plain.structuredContent)]).toEqual([true, ['error']]);
});

verifies(['MCP.ask'], 'a question says how its answer arrives, and the status shows it', async () => {
  const { id, token } = held;
  const asked = await client.ask('handoff_update', { action: 'ask', id, token, question: 'Which one?' });
  expect(asked.next).toContain('held_by_you');
  expect(await client.ask('handoff_read', { action: 'status' })).toMatchObject({
    waiting: [{ id, question: 'Which one?' }],
  });
  await baton.run('handoff.answer', { id, answer: 'The first' }, { actor: { name: 'maria', type: 'person' } });
  expect(await client.ask('handoff_read', { action: 'status' })).toMatchObject({
    waiting: [],
    held_by_you: [{ id, question: 'Which one?', answer: 'The first', answered_by: 'maria' }],
  });
});

verifies(['MCP.fields'], 'the listing names the fields of each action, and each is taken', async () => {
  const { tools } = await client.client.listTools();
  for (const { name, inputSchema } of tools) {
    const { action } = (inputSchema.properties ?? {}) as { action?: { enum: string[]; description: string } };
    for (const each of action?.enum ?? []) {
      const named = new RegExp(`(?:^|; )${each}(?:\\(([^)]*)\\))?:`).exec(action?.description ?? '');
      expect([name, each, named !== null]).toEqual([name, each, true]);
      for (const field of (named?.[1] ?? '').split(', ').filter((part) => part !== '')) {
        expect([name, each, field, Object.hasOwn(inputSchema.properties ?? {}, field)]).toEqual([
          name,
          each,
          field,
          true,
        ]);
        const { structuredContent } = await client.call(name, { action: each, [field]: { wrong: 1 } });
        expect(JSON.stringify(structuredContent)).not.toContain(`Unrecognized key: \\"${field}\\"`);
      }
    }
  }
});

for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
  verifies(['MCP.versions'], `a client of the protocol version ${version} connects`, async () => {
    const [theirs, ours] = InMemoryTransport.createLinkedPair();
    const handle = serveStdio(createMcpServerFactory(baton), { transport: theirs });
    const answer = new Promise<unknown>((resolve) => {
      ours.onmessage = resolve;
    });
    await ours.start();
    const clientInfo = { name: 'tester', version: '1' };
    const params = { protocolVersion: version, capabilities: {}, clientInfo };
    await ours.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect(await answer).toMatchObject({ result: { protocolVersion: version } });
    await ours.close();
    await handle.close();
  });
}

verifies(['MCP.versions'], 'a client of the protocol version 2026-07-28 connects', async () => {
  const modern = await connectTo(baton, '2026-07-28');
  expect((await modern.client.listTools()).tools).toHaveLength(6);
  await modern.close();
});
