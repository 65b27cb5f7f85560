import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { HandoffStore } from '../../packages/batonpass/src/records.ts';
import { verifies } from '../verifies.ts';
import { newPlace, openOn, refusalOf } from './store-stage.ts';

const findings = `---
version: 001
type: findings # by hand
status: complete
created: 2026-01-24T15:30:00Z
phase: 02
agent: researcher
confidence: high
---
# The limiter keeps one bucket per key

It refills one token a second.
`;

async function openWith(name: string, text: string) {
  const { folder, file } = newPlace();
  const path = join(folder, name);
  writeFileSync(path, text);
  return { folder, path, baton: await openOn(file) };
}

describe('a handoff file', () => {
  verifies(
    ['EXCHANGE.once', 'EXCHANGE.review', 'EXCHANGE.detect'],
    'comes in once, as a draft of its time',
    async () => {
      const { path, baton } = await openWith('findings-001.md', findings);
      const first = await baton.run('handoff.import', { path });
      expect(first).toMatchObject({
        form: 'file',
        existing: false,
        handoff: {
          created_at: '2026-01-24T15:30:00.000Z',
          content: { kind: 'findings', title: 'The limiter keeps one bucket per key', source_agent: 'researcher' },
          delivery: { state: 'draft' },
        },
      });
      const { id } = first.handoff;
      await baton.run('handoff.approve', { id, content_sha256: first.handoff.content_sha256 });
      expect(await baton.run('handoff.import', { path })).toMatchObject({
        existing: true,
        handoff: { id, delivery: { state: 'open' } },
      });
      expect((await baton.run('handoff.list', {})).handoffs).toHaveLength(1);
      const [created] = (await baton.run('handoff.events', { id })).events;
      expect(created).toMatchObject({ name: 'handoff-created', actor: { name: 'researcher', type: 'agent' } });
    },
  );

  verifies(['EXCHANGE.file-bytes', 'EXCHANGE.no-overwrite'], 'goes out as it came, and over no other', async () => {
    const { folder, path, baton } = await openWith('findings-001.md', findings);
    const { handoff } = await baton.run('handoff.import', { path });
    const out = join(folder, 'out');
    const written = await baton.run('handoff.export', { id: handoff.id, folder: out });
    expect(written).toEqual({ id: handoff.id, path: join(out, 'findings-001.md'), type: 'findings', version: '001' });
    expect(readFileSync(written.path, 'utf8')).toBe(findings);
    writeFileSync(written.path, 'of somebody else');
    expect(await refusalOf(baton.run('handoff.export', { id: handoff.id, folder: out }))).toMatchObject({
      code: 'conflict',
    });
    expect(readFileSync(written.path, 'utf8')).toBe('of somebody else');
  });

  verifies(['EXCHANGE.record-whole'], 'carries any handoff to another store, whole', async () => {
    const { folder, file } = newPlace();
    const baton = await openOn(file);
    const content = {
      summary: 'The limiter answers 429',
      decisions: [{ content: 'Count by key', confidence: 0.5 }],
      risks: ['Keys may leak'],
      next_steps: ['Measure it'],
      payload: { any: ['json', 1] },
    };
    const created = await baton.run('handoff.create', { content });
    const { path } = await baton.run('handoff.export', { id: created.id, folder });
    const other = await openOn(join(folder, 'other.db'));
    const { handoff } = await other.run('handoff.import', { path });
    expect(handoff).toMatchObject({ content: created.content, content_sha256: created.content_sha256 });
  });

  verifies(['EXCHANGE.refused'], 'that cannot hold a handoff is not written', async () => {
    const { folder, file } = newPlace();
    const baton = await openOn(file);
    const { id } = await baton.run('handoff.create', { content: { summary: 'x', payload: 'y'.repeat(70_000) } });
    const out = join(folder, 'out');
    mkdirSync(out);
    expect(await refusalOf(baton.run('handoff.export', { id, folder: out }))).toMatchObject({ code: 'too_large' });
    expect(await refusalOf(baton.run('handoff.export', { id, folder: out, as: 'record' }))).toMatchObject({
      code: 'invalid_input',
      alternatives: [
        `Write it as a file: baton export ${id}`,
        expect.stringContaining('baton store copy --to sqlite:'),
      ],
    });
    expect(readdirSync(out)).toEqual([]);
  });

  verifies(['EXCHANGE.detect'], 'takes no other title or task with it', async () => {
    const { path, baton } = await openWith('findings-001.md', findings);
    expect(await refusalOf(baton.run('handoff.import', { path, task_id: 'auth' }))).toMatchObject({
      code: 'invalid_input',
      details: { field: 'task_id' },
    });
    expect((await baton.run('handoff.list', {})).handoffs).toEqual([]);
  });
});

describe('a record of source 2', () => {
  verifies(['EXCHANGE.source-2', 'EXCHANGE.detect'], 'comes in as it is and goes out with the same bytes', async () => {
    const { folder, file } = newPlace();
    const records = new HandoffStore(join(folder, 'from'));
    const none = { decision_ids: ['D1'], warning_ids: [], finding_ids: [], summaries: [] };
    const results = [{ description: 'Limiter', status: 'completed' as const, artifacts: ['src/limiter.ts'] }];
    const { id } = await records.create({ source_agent: 'codex', summary: 'Done', results, context_snapshot: none });
    await records.acknowledge(id, 'reviewer');
    const path = join(folder, 'from', 'handoffs', `${id}.json`);
    const baton = await openOn(file);
    expect(await baton.run('handoff.import', { path })).toMatchObject({
      form: 'record',
      existing: false,
      handoff: { id, delivery: { state: 'acknowledged', acknowledged_by: 'reviewer' } },
    });
    const out = join(folder, 'to');
    const written = await baton.run('handoff.export', { id, folder: out, as: 'record' });
    expect(written.path).toBe(join(out, 'handoffs', `${id}.json`));
    expect(readFileSync(written.path)).toEqual(readFileSync(path));
    expect(await new HandoffStore(out).list()).toEqual(await records.list());
  });
});
