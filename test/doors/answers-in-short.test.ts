import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect } from 'vitest';
import { type Baton, openBaton } from '../../packages/batonpass/src/index.ts';
import { afterEachTest } from '../after-each-test.ts';
import { verifies } from '../verifies.ts';
import { connectTo } from './mcp-client.ts';
import { openStage, type Stage } from './stage.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEachTest(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function openOne(): Promise<{ baton: Baton; stage: Stage }> {
  const stage = openStage({ git: true });
  closing.push(stage.close);
  const baton = await openBaton({ cwd: stage.folder, environment: stage.environment, agent: 'codex' });
  closing.push(() => baton.close());
  return { baton, stage };
}

const large = {
  summary: `${'word '.repeat(2_000)}end`,
  body: 'text '.repeat(5_000),
  decisions: ['Use sessions'],
  payload: { any: 'x'.repeat(1_000) },
};

const tokensOf = (value: unknown) => encode(JSON.stringify(value)).length;

verifies(['SHORT.status'], 'a status counts all and shows a few of each kind, without their contents', async () => {
  const { baton, stage } = await openOne();
  for (let number = 0; number < 30; number += 1) {
    await baton.run('handoff.create', { content: { ...large, title: `Number ${number}` }, draft: number % 2 === 1 });
  }
  const taken = await baton.run('handoff.claim', {});
  const status = await baton.run('handoff.status', {});
  expect(status.counts).toEqual({ open: 14, drafts: 15, held_by_you: 1, waiting: 0, dead: 0 });
  expect([status.open.length, status.drafts.length, status.is_partial]).toEqual([5, 5, false]);
  expect(status.held_by_you.map(({ id }) => id)).toEqual([taken.handoff?.id]);
  expect(JSON.stringify(status).length).toBeLessThan(15_000);
  for (const { content } of [...status.open, ...status.drafts]) {
    expect(Object.keys(content)).not.toEqual(expect.arrayContaining(['body']));
    expect(content).not.toHaveProperty('decisions');
    expect(content).not.toHaveProperty('payload');
    expect(content.summary).toMatch(/^word .{190,}…$/);
  }
  const [first] = (await baton.run('handoff.status', { limit: 1 })).open;
  expect((await baton.run('handoff.claim', {})).handoff?.id).toBe(first?.id);
  expect((await baton.run('handoff.status', { limit: 200 })).open).toHaveLength(13);
  await expect(baton.run('handoff.status', { limit: 201 })).rejects.toMatchObject({ code: 'invalid_input' });
  const { stdout } = await stage.baton(['status', '--limit', '2', '--as', 'codex']);
  expect(stdout).toContain('… and 11 more: baton list --state open');
  expect(stdout).toContain('… and 13 more: baton list --state draft');
});

verifies(
  ['SHORT.lines'],
  'a tool that is asked for a thousand lines gives a hundred, and continues by its cursor',
  async () => {
    const { baton } = await openOne();
    const { ask, call, close } = await connectTo(baton);
    closing.push(close);
    for (let number = 0; number < 110; number += 1) await baton.run('handoff.create', { content: large });
    const status = await call('handoff_read', { action: 'status' });
    expect(tokensOf(status.structuredContent)).toBeLessThan(1_500);
    type Page = { handoffs: { id: string }[]; cursor?: string };
    const first = await ask<Page>('handoff_read', { action: 'list', limit: 1_000 });
    expect(first.handoffs).toHaveLength(100);
    expect(tokensOf(first)).toBeLessThan(25_000);
    const rest = await ask<Page>('handoff_read', { action: 'list', limit: 1_000, cursor: first.cursor });
    expect([rest.handoffs.length, rest.cursor]).toEqual([10, undefined]);
    expect(await call('handoff_read', { action: 'list', limit: 1_001 })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'invalid_input' } },
    });
    for (const { id } of first.handoffs) await baton.run('handoff.withdraw', { id });
    const { events } = await ask<{ events: unknown[] }>('handoff_read', { action: 'log', limit: 10_000 });
    expect(events).toHaveLength(200);
  },
);

verifies(
  ['SHORT.drift'],
  'for many handoffs only those whose files changed are reported, for one every file',
  async () => {
    const { baton, stage } = await openOne();
    writeFileSync(join(stage.folder, 'a.ts'), 'one\n');
    writeFileSync(join(stage.folder, 'b.ts'), 'two\n');
    execFileSync('git', ['add', '.'], { cwd: stage.folder, env: stage.environment });
    execFileSync('git', ['commit', '--quiet', '--message=files'], { cwd: stage.folder, env: stage.environment });
    const calm = await baton.run('handoff.create', { content: { summary: 'Calm', files: ['b.ts'] } });
    const changed = await baton.run('handoff.create', { content: { summary: 'Changed', files: ['a.ts', 'b.ts'] } });
    writeFileSync(join(stage.folder, 'a.ts'), 'three\n');
    const { ask, close } = await connectTo(baton);
    closing.push(close);
    expect(await ask('handoff_read', { action: 'check' })).toMatchObject({
      handoffs: [{ id: changed.id, drifted: 1, files: [{ path: 'a.ts' }] }],
      without_drift: 1,
      drifted: 1,
    });
    expect(await ask('handoff_read', { action: 'check', id: calm.id })).toMatchObject({
      handoffs: [{ id: calm.id, unchanged: 1, files: [] }],
    });
  },
);
