import { join } from 'node:path';
import { expect } from 'vitest';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { createFolders } from './folders.ts';
import { checkHistory, type Evidence } from './history/check-history.ts';
import { drain, readContents } from './history/contents.ts';
import { tellCourse } from './history/course.ts';
import { type Line, readHistory } from './history/history.ts';
import { Recorder } from './history/recorder.ts';
import { describeFaults, type Verdict } from './history/verdict.ts';
import { moveClock, readClock } from './moved-clock.ts';
import { createWorkers, type WorkerProcess } from './race-process.ts';
import type { WorkerOrder } from './race-worker.ts';

/** The clock of every process that is not given another. */
const COMMON = 'common';

/** One file, the processes that work on it, and the clocks that they have. */
export interface Stage {
  /** Moves a clock: so far from the machine's. At first all are the machine's. */
  setClock: (offset_ms: number, name?: string) => void;
  /** Starts a process. @param clock - the name of its clock. */
  start: (
    order: Omit<WorkerOrder, 'file' | 'clock'>,
    options?: { clock?: string; onLine?: (count: number) => void },
  ) => WorkerProcess;
  /** Starts a process that executes commands. */
  startTold: (name: string, clock?: string) => WorkerProcess;
  /**
   * Claims and acknowledges what is left, where asked to, and checks the history of all that was started, which must
   * have ended or be of the role `told`. Fails where it is not sound.
   */
  judge: (options?: { drains?: boolean }) => Promise<Evidence & { verdict: Verdict; file: string }>;
}

/** Stages for one test each. */
export function createStages(): () => Stage {
  const newFolder = createFolders();
  const startWorker = createWorkers();
  return () => openStage(newFolder(), startWorker);
}

function openStage(folder: string, startWorker: ReturnType<typeof createWorkers>): Stage {
  const file = join(folder, 'baton.db');
  const workers: WorkerProcess[] = [];
  const clockOf = (name: string) => join(folder, `clock-${name}`);
  const setClock = (offset_ms: number, name = COMMON) => moveClock(clockOf(name), offset_ms);
  setClock(0);
  const start: Stage['start'] = (order, { clock = COMMON, onLine } = {}) => {
    const worker = startWorker({ ...order, file, clock: clockOf(clock) }, onLine);
    workers.push(worker);
    return worker;
  };
  const judge: Stage['judge'] = async ({ drains = false } = {}) => {
    await Promise.all(workers.map((worker) => worker.dismiss()));
    const lines: Line[] = workers.flatMap((worker) => worker.lines);
    const now = () => readClock(clockOf(COMMON));
    const store = await openSqliteStore(file, { now });
    const write = (more: readonly Line[]) => lines.push(...more);
    if (drains) await drain(new Recorder({ store, name: 'judge', write, now }), 'judge');
    const evidence = { operations: readHistory(lines), ...(await readContents(store)) };
    await store.close();
    const verdict = checkHistory(evidence);
    const faults = describeFaults(verdict);
    expect(faults, tellCourse(evidence, faults[0] ?? 'The history is sound.')).toEqual([]);
    return { ...evidence, verdict, file };
  };
  return { setClock, start, startTold: (name, clock) => start({ name, role: 'told' }, { clock }), judge };
}
