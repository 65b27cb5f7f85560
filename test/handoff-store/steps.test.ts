import { appendFileSync, globSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { createRecordStages, type RecordStage, sampleInput } from './record-stage.ts';
import { Crash, type DiskCall, watchDisk } from './watched-disk.ts';

const openStage = createRecordStages();
const HOUR_MS = 3_600_000;

/** The course of calls as `name:file`, random parts away. */
function courseOf(calls: readonly DiskCall[], id: string): string[] {
  const nameOf = (path: string) =>
    basename(path)
      .replace(id, 'ID')
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/, 'RANDOM');
  return calls.map(({ name, path, to }) =>
    [name.replace('Sync', ''), nameOf(path), ...(to ? [nameOf(to)] : [])].join(' '),
  );
}

verifies(
  ['HND-05.held.atomic-write'],
  'every write is made next to its place, synced, moved there at once, and the folder synced',
  async () => {
    const stage = openStage();
    await stage.store.create(sampleInput());
    const disk = watchDisk();
    const { id } = await stage.store.create(sampleInput());
    expect(courseOf(disk.calls.splice(0), id)).toEqual([
      'open .ID.json.RANDOM.new',
      'write .ID.json.RANDOM.new',
      'open .ID.json.RANDOM.new',
      'fsync .ID.json.RANDOM.new',
      'link .ID.json.RANDOM.new ID.json',
      'rm .ID.json.RANDOM.new',
      'fsync handoffs',
      'open index.jsonl',
      'write index.jsonl',
    ]);
    await stage.store.acknowledge(id, 'coder');
    expect(courseOf(disk.calls, id)).toEqual([
      'mkdir handoffs',
      'open .ID.acknowledging.RANDOM',
      'write .ID.acknowledging.RANDOM',
      'fsync .ID.acknowledging.RANDOM',
      'link .ID.acknowledging.RANDOM .ID.acknowledging',
      'fsync handoffs',
      'rm .ID.acknowledging.RANDOM',
      'open .ID.json.RANDOM.new',
      'write .ID.json.RANDOM.new',
      'fsync .ID.json.RANDOM.new',
      'rename .ID.json.RANDOM.new ID.json',
      'fsync handoffs',
      'open index.jsonl',
      'write index.jsonl',
      'fdatasync index.jsonl',
      'rm .ID.acknowledging',
    ]);
  },
);

/** Plays a crash after each step in turn. @returns how many steps there are. */
async function crashAtEach(
  prepare: (stage: RecordStage, id: string) => void,
  act: (stage: RecordStage, id: string) => Promise<unknown>,
  judge: (stage: RecordStage, before: string, step: number) => Promise<void>,
): Promise<number> {
  for (let step = 0; ; step += 1) {
    const stage = openStage();
    const { id } = await stage.store.create(sampleInput({ summary: 'before' }));
    prepare(stage, id);
    const disk = watchDisk();
    disk.crashAfter(step);
    const isDone = await act(stage, id).then(
      () => true,
      (error) => {
        if (!(error instanceof Crash)) throw error;
        return false;
      },
    );
    disk.restore();
    playDead(stage.folder);
    stage.setClock(Date.now() + HOUR_MS);
    await judge(stage, id, step);
    // Nothing is left after one list.
    expect(readdirSync(stage.folder).filter((name) => name.startsWith('.'))).toEqual([]);
    if (isDone) return step;
  }
}

/** The locks that this process has left are those of one that has ended. */
function playDead(folder: string): void {
  for (const path of globSync('.lock/*/**/owner-*.json', { cwd: folder })) {
    const owner = JSON.parse(readFileSync(join(folder, path), 'utf8'));
    writeFileSync(join(folder, path), JSON.stringify({ ...owner, started: 'before' }));
  }
  // And died long ago, where it had not said yet who it is.
  const before = new Date(Date.now() - HOUR_MS);
  for (const path of globSync('.lock/*', { cwd: folder })) utimesSync(join(folder, path), before, before);
}

verifies(
  ['RECORDS.steps', 'HND-05.held.crash-before-index'],
  'a crash after any step of create leaves no handoff or a whole one',
  async () => {
    const lengths = new Set<number>();
    const steps = await crashAtEach(
      () => {},
      ({ store }) => store.create(sampleInput({ summary: 'after' })),
      async ({ open, readLines }) => {
        const entries = await open().list();
        lengths.add(entries.length);
        expect(
          readLines()
            .map(({ id }) => id)
            .reverse(),
        ).toEqual(entries.map(({ id }) => id));
        for (const { id, summary } of entries) expect(await open().get(id)).toMatchObject({ summary });
      },
    );
    expect(steps).toBe(9);
    expect([...lengths].sort()).toEqual([1, 2]);
  },
);

verifies(
  ['RECORDS.steps'],
  'a crash after any step of acknowledge leaves the handoff open, or acknowledged everywhere',
  async () => {
    const outcomes = new Set<boolean>();
    const steps = await crashAtEach(
      () => {},
      ({ store }, id) => store.acknowledge(id, 'first'),
      async ({ open, readLines }, id) => {
        const seen = await open().get(id);
        const isDone = seen?.acknowledged_by === 'first';
        outcomes.add(isDone);
        expect((await open().list()).map(({ acknowledged }) => acknowledged)).toEqual([isDone]);
        expect(readLines().map(({ acknowledged }) => acknowledged)).toEqual([isDone]);
        expect(await open().get(id)).toEqual(seen);
        // What was decided is final, and what was not can be decided by another.
        const second = await open()
          .acknowledge(id, 'second')
          .catch((error) => error);
        expect(second).toMatchObject(isDone ? { code: 'conflict' } : { acknowledged_by: 'second' });
      },
    );
    expect(steps).toBe(16);
    expect([...outcomes].sort()).toEqual([false, true]);
  },
);

verifies(['RECORDS.steps', 'RECORDS.order'], 'a crash after any step of putting in order loses nothing', async () => {
  const steps = await crashAtEach(
    ({ folder, index_path, setClock }, id) => {
      writeFileSync(
        join(folder, `.${id}.acknowledging`),
        '{"acknowledged_by":"first","acknowledged_at":"2026-01-01T00:00:00Z"}',
      );
      appendFileSync(index_path, '{"id":"torn');
      setClock(Date.now() + HOUR_MS);
    },
    ({ open }) => open({ onWarning: () => {} }).list(),
    async ({ open, readLines }, id) => {
      const quiet = open({ onWarning: () => {} });
      expect(await quiet.list()).toMatchObject([{ id, acknowledged: true }]);
      expect(readLines()).toMatchObject([{ id, acknowledged: true }]);
      expect(await quiet.get(id)).toMatchObject({ acknowledged_by: 'first' });
    },
  );
  expect(steps).toBeGreaterThan(15);
});
