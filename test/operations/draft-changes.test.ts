import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { type Baton, openBaton } from '../../packages/batonpass/src/operations/baton.ts';
import type { OperationInput } from '../../packages/batonpass/src/operations/catalogue.ts';
import { verifies } from '../verifies.ts';

const folders: string[] = [];
const batons: Baton[] = [];

afterEach(async () => {
  for (const baton of batons.splice(0)) await baton.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A draft, and what an edit of it makes of it. */
async function openDraft() {
  const folder = mkdtempSync(join(tmpdir(), 'baton-changes-'));
  folders.push(folder);
  const baton = await openBaton({ cwd: folder, environment: {}, store: 'memory:', project: 'alpha' });
  batons.push(baton);
  const content = {
    summary: 'x',
    decisions: ['a', 'b', 'c', 'd'],
    files: ['src/a.ts'],
    risks: ['e'],
    next_steps: ['f', 'g'],
  };
  const { id } = await baton.run('handoff.create', { content, draft: true });
  return {
    edit: async (changes: OperationInput<'handoff.edit'>['changes'], if_version?: number) =>
      (await baton.run('handoff.edit', { id, changes, ...(if_version === undefined ? {} : { if_version }) })).content,
  };
}

verifies(['FLOW.order'], 'what an order names shares its places, and what it does not name stays', async () => {
  const { edit } = await openDraft();
  const { decisions, next_steps } = await edit({ order: ['d4', 'd1', 'n2', 'n1'] });
  expect(decisions.map(({ id }) => id)).toEqual(['d4', 'd2', 'd3', 'd1']);
  expect(next_steps).toEqual(['g', 'f']);
});

verifies(
  ['FLOW.order'],
  'what is added in the same edit is put in order too, and what is removed is unknown',
  async () => {
    const { edit } = await openDraft();
    const add = { decisions: [{ id: 'new', content: 'e' }] };
    const { decisions } = await edit({ remove: ['d2'], add, order: ['new', 'd1', 'd3', 'd4'] });
    expect(decisions.map(({ id }) => id)).toEqual(['new', 'd1', 'd3', 'd4']);
    await expect(edit({ order: ['d1', 'd2'] })).rejects.toMatchObject({ code: 'invalid_input' });
  },
);

verifies(
  ['FLOW.level'],
  'a level is the relevance of a file and the severity of a risk, and of nothing else',
  async () => {
    const { edit } = await openDraft();
    const { files, risks } = await edit({
      level: [
        { id: 'f1', level: 'low' },
        { id: 'r1', level: 'high' },
      ],
    });
    expect([files[0]?.relevance, risks[0]?.severity]).toEqual(['low', 'high']);
    await expect(edit({ level: [{ id: 'd1', level: 'high' }] })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(edit({ level: [{ id: 'r9', level: 'high' }] })).rejects.toMatchObject({ code: 'invalid_input' });
  },
);

verifies(['FLOW.merge'], 'an edit of another version is a conflict, also where its item is gone', async () => {
  const { edit } = await openDraft();
  await edit({ remove: ['d1'] });
  await expect(edit({ reword: [{ id: 'd1', text: 'z' }] }, 1)).rejects.toMatchObject({ code: 'conflict' });
});
