import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { HandoffStore } from '../../packages/batonpass/src/handoff-store/handoff-store.ts';
import { openStage, type Stage } from '../doors/stage.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';

const createFolder = createFolders();
const stages: Stage[] = [];
afterEach(() => {
  for (const opened of stages.splice(0)) opened.close();
});

const id = '01KJNRZ8SE4PCS1RYBN0RW5VSR';
const bare = { id, created_at: '2026-03-01T10:00:00.000Z', source_agent: 'planner', summary: 'Parser done' };
const empty = { decision_ids: [], warning_ids: [], finding_ids: [], summaries: [] };

function folderWith(record: object): string {
  const folder = createFolder();
  mkdirSync(join(folder, 'handoffs'));
  writeFileSync(join(folder, 'handoffs', `${id}.json`), JSON.stringify(record));
  return folder;
}

verifies(
  ['RECORDS.lenient'],
  'a record without snapshot, results or description is read, listed and acknowledged',
  async () => {
    const results = [{ description: '', status: 'completed', by: 'another program' }];
    const cases = [
      [bare, { results: [], context_snapshot: empty }],
      [{ ...bare, results, context_snapshot: { summaries: ['x'], more: 1 } }, { results }],
      [
        { ...bare, results, of_another_program: true },
        { of_another_program: true, context_snapshot: empty },
      ],
    ] as const;
    for (const [written, read] of cases) {
      const folder = folderWith(written);
      const store = new HandoffStore(folder);
      expect(await store.list()).toMatchObject([{ id, result_status: 'completed', acknowledged: false }]);
      expect(await store.get(id)).toMatchObject({ ...written, ...read });
      expect((await store.get(id))?.context_snapshot).toMatchObject({ ...empty, ...Object(written).context_snapshot });
      expect(await store.acknowledge(id, 'coder')).toMatchObject({ acknowledged_by: 'coder' });
      const kept = JSON.parse(readFileSync(join(folder, 'handoffs', `${id}.json`), 'utf8'));
      expect(kept).toMatchObject(written);
    }
  },
);

verifies(['RECORDS.lenient'], 'what has no single meaning is still refused', async () => {
  for (const wrong of [{ summary: 3 }, { results: 'done' }, { context_snapshot: [] }, { created_at: 'yesterday' }])
    await expect(new HandoffStore(folderWith({ ...bare, ...wrong })).get(id)).rejects.toMatchObject({
      code: 'invalid_structure',
    });
});

verifies(['RECORDS.lenient'], 'a record without a snapshot is imported as one', async () => {
  const stage = openStage({ git: true });
  stages.push(stage);
  writeFileSync(join(stage.folder, 'record.json'), JSON.stringify(bare));
  expect(await stage.json(['import', 'record.json'])).toMatchObject({
    form: 'record',
    handoff: { id, content: { summary: 'Parser done' } },
  });
});

verifies(['RECORDS.command'], 'records are created and acknowledged by the command, without a secret', async () => {
  const stage = openStage({ git: true });
  stages.push(stage);
  const { baton, json, folder } = stage;
  mkdirSync(join(folder, 'notes'));
  const words = [
    'file',
    'store',
    'create',
    'notes',
    '--summary',
    'The password is hunter2-and-more.',
    '--for',
    'coder',
  ];
  const { record } = await json<{ record: { id: string } }>(words);
  expect(record).toMatchObject({ target_agent: 'coder', results: [], context_snapshot: empty });
  expect(readFileSync(join(folder, 'notes/handoffs', `${record.id}.json`), 'utf8')).not.toContain('hunter2');
  const second = { summary: 'x', results: [{ description: 'Parser', status: 'partial' }] };
  const read = await json(['file', 'store', 'create', 'notes', '-'], { input: JSON.stringify(second) });
  expect(read).toMatchObject({ record: second });
  const acknowledged = await baton(['file', 'store', 'acknowledge', 'notes', record.id, '--by', 'coder']);
  expect(acknowledged).toMatchObject({ code: 0, stdout: expect.stringContaining('is acknowledged by coder') });
  const again = await baton(['file', 'store', 'acknowledge', 'notes', record.id, '--by', 'tester']);
  expect(again).toMatchObject({ code: 4, stderr: expect.stringContaining('coder') });
  const refused = await baton(['file', 'store', 'create', 'notes', '-'], { input: '{"summary":"x","summry":"y"}' });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('summry') });
  expect((await baton(['file', 'store', 'list', 'notes'])).stdout.split('\n').filter(Boolean)).toHaveLength(2);
});
