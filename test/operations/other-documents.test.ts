import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { parseDocument } from '../../packages/batonpass/src/files.ts';
import { openStage, type Stage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';

const stages: Stage[] = [];
function stage(): Stage {
  const opened = openStage({ git: true });
  stages.push(opened);
  return opened;
}
afterEach(() => {
  for (const opened of stages.splice(0)) opened.close();
});

const body = '\r\n# Token rotation\n\nUse JWT.  \n\n\n';
const summary = `---
phase: 02-auth
plan: 01
type: execute
agent: planner
tags: [jwt, yaml]
requires:
  - phase: 01-foundation
title: 7
created: 2026-01-24
---
${body}`;

interface Imported {
  form: string;
  existing: boolean;
  masked?: number;
  handoff: { id: string; created_at: string; content: Record<string, unknown> & { extra: Record<string, unknown> } };
}

verifies(['FILE.other-documents'], "another program's document becomes a handoff, with nothing lost", async () => {
  const { folder, json } = stage();
  writeFileSync(join(folder, '02-01-SUMMARY.md'), summary);
  const { form, handoff } = await json<Imported>(['import', '02-01-SUMMARY.md']);
  expect(form).toBe('document');
  expect(handoff.created_at).toBe('2026-01-24T00:00:00.000Z');
  expect(handoff.content).toMatchObject({ kind: 'execute', phase: '02-auth', source_agent: 'planner', body });
  expect(handoff.content.title).toBe('Token rotation');
  expect(handoff.content.extra).toEqual({
    ...{ plan: '01', tags: ['jwt', 'yaml'], requires: [{ phase: '01-foundation' }] },
    ...{ title: 7, created: '2026-01-24' },
  });
  expect(await json(['import', '02-01-SUMMARY.md'])).toMatchObject({ existing: true, handoff: { id: handoff.id } });
});

verifies(['FILE.other-documents'], 'without a date or a known field it comes in once too', async () => {
  const { folder, json } = stage();
  for (const [name, text] of [
    ['PLAN.md', '---\ntype: plan\n---\nSteps.\n'],
    ['NOTES.md', '---\ntype: [x]\nagent: ""\n---\n'],
  ] as const) {
    writeFileSync(join(folder, name), text);
    const { form, handoff } = await json<Imported>(['import', name]);
    expect({ name, form }).toEqual({ name, form: 'document' });
    expect(await json(['import', name])).toMatchObject({ existing: true, handoff: { id: handoff.id } });
    expect(Math.abs(Date.parse(handoff.created_at) - Date.now())).toBeLessThan(60_000);
  }
});

verifies(
  ['FILE.other-documents', 'SECRET.spoken'],
  'secrets in files, records and documents are masked and counted',
  async () => {
    const { folder, json, baton } = stage();
    const secret = 'hunter2-and-more';
    const fields =
      'version: "001"\nstatus: complete\ncreated: 2026-01-24T10:00:00Z\nphase: a\nagent: b\nconfidence: high';
    const texts = {
      'PLAN.md': `---\nnote: the password is ${secret}\n---\npass: ${secret}\n`,
      'findings-001.md': `---\ntype: findings\n${fields}\n---\nThe password is ${secret}.\n`,
      'record.json': JSON.stringify({
        ...{ id: '01KJNRZ8SE4PCS1RYBN0RW5VSR', created_at: '2026-03-01T10:00:00.000Z', source_agent: 'planner' },
        summary: `The password is ${secret}.`,
      }),
    };
    for (const [name, text] of Object.entries(texts)) {
      writeFileSync(join(folder, name), text);
      const imported = await json<Imported>(['import', name]);
      expect({ name, masked: imported.masked }).toEqual({ name, masked: name === 'PLAN.md' ? 2 : 1 });
      for (const words of [
        ['show', imported.handoff.id, '--json'],
        ['render', imported.handoff.id],
        ['export', imported.handoff.id],
      ])
        expect((await baton(words)).stdout).not.toContain(secret);
      expect(await json(['import', name])).toMatchObject({ existing: true });
    }
  },
);

verifies(
  ['FILE.other-documents'],
  'a conversation with front matter stays one, and file read names the remedy',
  async () => {
    const { folder, json, baton } = stage();
    writeFileSync(
      join(folder, 'chat.md'),
      '---\ntitle: Chat\n---\n## User\n\nUse JWT, please.\n\n## Assistant\n\nDone.\n',
    );
    expect(await json(['import', 'chat.md'])).toMatchObject({ form: 'conversation' });
    mkdirSync(join(folder, 'notes'));
    writeFileSync(join(folder, 'notes/PLAN.md'), summary);
    const refused = await baton(['file', 'read', 'notes/PLAN.md']);
    expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining('baton file read --any') });
    expect(await json(['file', 'read', '--any', 'notes/PLAN.md'])).toMatchObject({
      frontmatter: { type: 'execute' },
      body,
    });
    expect(parseDocument(summary, 'PLAN.md')).toMatchObject({ fields: { plan: '01' }, body });
  },
);
