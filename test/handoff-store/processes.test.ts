import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createToldProcesses, type ToldProcess } from '../disk/told-process.ts';
import { verifies } from '../verifies.ts';
import { createRecordStages, type RecordStage, sampleInput } from './record-stage.ts';
import type { RecordCommand, RecordWord } from './record-worker.ts';

/** `npm run soak -- file-store` sets more. */
const CREATES = Number(process.env.BATON_RECORD_CREATES ?? 25);
const ROUNDS = Number(process.env.BATON_RECORD_ROUNDS ?? 20);
const STOPS = Number(process.env.BATON_RECORD_STOPS ?? 10);
const KILLS = Number(process.env.BATON_RECORD_KILLS ?? 10);
const PROCESSES = 8;
const LANES = 2;
const HOUR_MS = 3_600_000;

const openStage = createRecordStages();
const startProcess = createToldProcesses();

function start({ dir }: RecordStage, name: string): ToldProcess {
  return startProcess(join(import.meta.dirname, 'record-worker.ts'), { dir, name });
}

function tell(worker: ToldProcess, command: RecordCommand): void {
  worker.tell(command);
}

/** What a worker says until it is done with a command. */
async function hearAll(worker: ToldProcess): Promise<RecordWord[]> {
  const words: RecordWord[] = [];
  for (;;) {
    const word = await worker.hear<RecordWord>();
    if (word.said === 'done') return words;
    if (word.said !== 'ready') words.push(word);
  }
}

verifies(
  ['HND-05.held.fifty-creates'],
  'fifty creates at once in one process are all stored and all listed',
  async () => {
    const { store, readLines, open } = openStage();
    const records = await Promise.all(Array.from({ length: 50 }, () => store.create(sampleInput())));
    const ids = records.map(({ id }) => id).sort();
    expect(new Set(ids).size).toBe(50);
    expect(
      readLines()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids);
    expect((await open().list()).map(({ id }) => id).sort()).toEqual(ids);
  },
);

verifies(
  ['HND-05.held.eight-processes', 'HND-05.link.file-access'],
  `${PROCESSES} processes with ${CREATES} creates each lose none, and duplicate no line`,
  async () => {
    const stage = openStage();
    const workers = Array.from({ length: PROCESSES }, (_, index) => start(stage, `worker-${index}`));
    for (const worker of workers) tell(worker, { do: 'create', count: CREATES });
    const words = (await Promise.all(workers.map(hearAll))).flat();
    const ids = words.flatMap((word) => (word.said === 'created' ? [word.id] : [])).sort();
    expect(ids).toHaveLength(PROCESSES * CREATES);
    expect(words.filter(({ said }) => said !== 'created')).toEqual([]);
    expect(
      stage
        .readLines()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids);
    expect((await stage.store.list()).map(({ id }) => id).sort()).toEqual(ids);
    expect(stage.warnings).toEqual([]);
  },
  60_000 + CREATES * 1_000,
);

verifies(
  ['HND-05.held.acknowledge-other', 'RECORDS.one-winner'],
  `four processes acknowledge one handoff: one wins, the others learn who, ${ROUNDS} times`,
  async () => {
    const stage = openStage();
    const workers = ['a', 'b', 'c', 'd'].map((name) => start(stage, name));
    for (const worker of workers) expect(await worker.hear()).toEqual({ said: 'ready' });
    const winners = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await stage.store.create(sampleInput());
      for (const worker of workers) tell(worker, { do: 'acknowledge', ids: [id] });
      const words = (await Promise.all(workers.map(hearAll))).flat();
      const { acknowledged_by } = (await stage.store.get(id)) ?? {};
      expect(words.filter(({ said }) => said === 'acknowledged')).toEqual([{ said: 'acknowledged', id }]);
      expect(words.filter(({ said }) => said === 'refused')).toEqual(
        Array.from({ length: 3 }, () => ({ said: 'refused', id, code: 'conflict', by: acknowledged_by })),
      );
      winners.add(acknowledged_by ?? '');
    }
    expect(stage.readLines().every(({ acknowledged }) => acknowledged)).toBe(true);
    expect(stage.readLines()).toHaveLength(ROUNDS);
    expect(readdirSync(stage.folder).filter((name) => name.startsWith('.'))).toEqual([]);
    if (ROUNDS >= 20) expect(winners.size).toBeGreaterThan(1);
  },
  60_000 + ROUNDS * 1_000,
);

verifies(
  ['RECORDS.stopped'],
  `what a stopped acknowledger does when it continues changes nothing, ${STOPS} times`,
  async () => {
    const stage = openStage();
    const worker = start(stage, 'stopped');
    expect(await worker.hear()).toEqual({ said: 'ready' });
    for (let round = 0; round < STOPS; round += 1) {
      const records = await Promise.all(Array.from({ length: 8 }, () => stage.store.create(sampleInput())));
      const ids = records.map(({ id }) => id);
      tell(worker, { do: 'acknowledge', ids });
      for (let turns = Math.random() * 300; turns > 0; turns -= 1) await new Promise((next) => setImmediate(next));
      await worker.pause();
      const mine = await Promise.allSettled(ids.map((id) => stage.store.acknowledge(id, 'other')));
      const texts = () => ids.map((id) => readFileSync(join(stage.folder, `${id}.json`), 'utf8'));
      const before = texts();
      worker.resume();
      const words = await hearAll(worker);
      expect(texts()).toEqual(before);
      for (const [place, id] of ids.entries()) {
        const isMine = mine[place]?.status === 'fulfilled';
        expect(before[place]).toContain(`"acknowledged_by": "${isMine ? 'other' : 'stopped'}"`);
        expect(words.some((word) => word.said === 'acknowledged' && word.id === id)).toBe(!isMine);
      }
      expect((await stage.store.list({ limit: 8 })).every(({ acknowledged }) => acknowledged)).toBe(true);
    }
    // No process works any more: what a takeover left behind is carried out and removed.
    stage.setClock(Date.now() + HOUR_MS);
    await stage.store.list();
    expect(stage.readLines().every(({ acknowledged }) => acknowledged)).toBe(true);
    expect(readdirSync(stage.folder).filter((name) => name.startsWith('.'))).toEqual([]);
  },
  60_000 + STOPS * 2_000,
);

verifies(
  ['RECORDS.kill', 'HND-05.held.crash-before-index'],
  `${KILLS} killed writers lose nothing that was answered, and tear nothing`,
  async () => {
    const stage = openStage();
    const words: { name: string; said: RecordWord[] }[] = [];
    let begun = 0;
    const runLane = async () => {
      while (begun < KILLS) {
        begun += 1;
        const name = `worker-${begun}`;
        const worker = start(stage, name);
        tell(worker, { do: 'work' });
        for (let heard = Math.random() * 60; heard > 0; heard -= 1) await worker.hear();
        worker.kill();
        expect(await worker.ended).toEqual({ wasKilled: true });
        words.push({ name, said: worker.said as RecordWord[] });
      }
    };
    await Promise.all(Array.from({ length: LANES }, runLane));
    await judge(stage, words);
  },
  60_000 + KILLS * 3_000,
);

/** Every answer must show in the folder, and the folder be in order after one list. */
async function judge(stage: RecordStage, words: readonly { name: string; said: RecordWord[] }[]): Promise<void> {
  const created = words.flatMap(({ said }) => said.flatMap((word) => (word.said === 'created' ? [word.id] : [])));
  stage.setClock(Date.now() + HOUR_MS);
  const entries = new Map((await stage.store.list()).map((entry) => [entry.id, entry]));
  expect(created.filter((id) => !entries.has(id))).toEqual([]);
  for (const { name, said } of words) {
    const done = new Set(said.flatMap((word) => (word.said === 'acknowledged' ? [word.id] : [])));
    for (const word of said) {
      if (word.said !== 'acknowledges') continue;
      const record = await stage.store.get(word.id);
      if (done.has(word.id)) expect(record?.acknowledged_by).toBe(name);
      else expect([undefined, name]).toContain(record?.acknowledged_by);
    }
  }
  const lines = stage.readLines();
  const names = readdirSync(stage.folder);
  expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
  expect(lines.map(({ id }) => `${id}.json`).sort()).toEqual(names.filter((name) => name !== 'index.jsonl').sort());
  for (const { id, acknowledged } of lines) {
    expect((await stage.store.get(id))?.acknowledged_by !== undefined).toBe(acknowledged);
    expect(entries.get(id)?.acknowledged).toBe(acknowledged);
  }
}
