import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { withLock } from '../../packages/batonpass/src/disk/lock.ts';
import { createPlanDirectory } from '../../packages/batonpass/src/plan-files/create-directory.ts';
import { readPlan } from '../../packages/batonpass/src/plan-files/documents/plan-document.ts';
import { writeNewPlan } from '../../packages/batonpass/src/plan-files/documents/plan-writing.ts';
import type { PlanPlace } from '../../packages/batonpass/src/plan-files/plan-place.ts';
import { readPlanStatus } from '../../packages/batonpass/src/plan-files/read-documents.ts';
import { updateProgress } from '../../packages/batonpass/src/plan-files/write-documents.ts';
import { createToldProcesses } from '../disk/told-process.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';
import type { PlanWorkerAnswer, PlanWorkerCommand, PlanWorkerOrder } from './plan-worker.ts';

const PROCESSES = 8;
/** `npm run soak -- plan-race` sets more. */
const UPDATES = Number(process.env.BATON_PLAN_UPDATES ?? 12);
const KILLS = Number(process.env.BATON_PLAN_KILLS ?? 8);

const createFolder = createFolders();
const startProcess = createToldProcesses();
const worker = join(import.meta.dirname, 'plan-worker.ts');

/** A plan of one task for each process, and one more phase. */
function prepare(items: number): PlanWorkerOrder & { path: string; place: PlanPlace } {
  const root = createFolder();
  const folder = join(root, '.claude/plans/race');
  mkdirSync(folder, { recursive: true });
  const checklist = Array.from({ length: items }, (_, index) => `Item ${index}`);
  const tasks = Array.from({ length: PROCESSES }, (_, index) => ({
    name: `Task of process ${index}`,
    phase: 'init',
    goal: 'All land',
    checklist,
  }));
  const last = { name: 'End', phase: 'finalize', goal: 'Over', checklist: ['One'] };
  const path = join(folder, 'plan.md');
  writeFileSync(path, writeNewPlan({ title: 'Race', phases: ['init', 'finalize'], tasks: [...tasks, last] }));
  return { path, place: { root, plans: '.claude/plans' }, plan_directory: 'race' };
}

function start({ place, plan_directory }: PlanWorkerOrder, command: PlanWorkerCommand) {
  const started = startProcess(worker, { place, plan_directory });
  started.tell(command);
  return started;
}

verifies(
  ['PLAN.race', 'PF.held.two-updates'],
  `${PROCESSES} processes update one plan ${UPDATES} times each: all land, and every reading is whole`,
  async () => {
    const order = prepare(UPDATES);
    const before = readFileSync(order.path, 'utf8');
    const all = Array.from({ length: PROCESSES }, (_, index) =>
      start(order, { do: 'tick', task_id: `task-${index + 1}`, items: UPDATES }),
    );
    let over = false;
    const finished = Promise.all(all.map((each) => each.hear<PlanWorkerAnswer>())).finally(() => {
      over = true;
    });
    let done = 0;
    for (; !over; await new Promise((resolve) => setTimeout(resolve, 5))) {
      const text = readFileSync(order.path, 'utf8');
      expect(text.split('\n')).toHaveLength(before.split('\n').length);
      const ticked = readPlan(text).tasks.flatMap(({ checklist }) => checklist.filter((item) => item.is_done)).length;
      expect(ticked).toBeGreaterThanOrEqual(done);
      done = ticked;
    }
    await finished;
    const { plan_status, phases } = readPlanStatus(order.place, 'race');
    expect(plan_status).toEqual({
      current_phase: 'finalize',
      current_task: `task-${PROCESSES + 1}`,
      overall_status: 'in_progress',
    });
    expect(phases[0]).toEqual({
      name: 'init',
      status: 'completed',
      tasks: PROCESSES,
      completed: `${PROCESSES}/${PROCESSES}`,
    });
    expect(readFileSync(order.path, 'utf8').match(/- \[x\] Item/g)).toHaveLength(PROCESSES * UPDATES);
    expect(readdirSync(join(order.path, '..'))).toEqual(['plan.md']);
  },
);

verifies(['PLAN.race'], 'a writer that waits for another one can be called off, and has written nothing', async () => {
  const { path, place } = prepare(1);
  const before = readFileSync(path, 'utf8');
  await withLock(join(path, '..'), async () => {
    const giveUp = new AbortController();
    const { signal } = giveUp;
    const update = { task_id: 'task-1', status: 'in_progress' } as const;
    const waiting = [
      updateProgress(place, { plan_directory: 'race', update, signal }),
      createPlanDirectory(place, { task_name: 'race', collision: 'replace', signal }),
    ];
    giveUp.abort(new Error('enough'));
    for (const each of waiting) await expect(each).rejects.toThrow('enough');
  });
  expect(readFileSync(path, 'utf8')).toBe(before);
});

verifies(['PLAN.kill'], `${KILLS} writers are killed: the plan stays whole and is free at once`, async () => {
  const order = prepare(3);
  for (let round = 0; round < KILLS; round += 1) {
    const writer = start(order, { do: 'write', task_id: 'task-1' });
    for (let heard = 0; heard <= round % 4; heard += 1) await writer.hear<PlanWorkerAnswer>();
    writer.kill();
    expect(await writer.ended).toEqual({ wasKilled: true });
    const text = readFileSync(order.path, 'utf8');
    // All three items, or none: what one update does is there whole.
    const marks = (readPlan(text).tasks[0]?.checklist ?? []).map(({ is_done }) => is_done);
    expect(new Set(marks).size).toBe(1);
    expect(text.endsWith('- Every task of every phase is completed.\n')).toBe(true);
    const update = { task_id: 'task-2', status: 'in_progress' } as const;
    await updateProgress(order.place, { plan_directory: 'race', update });
  }
  expect(readdirSync(join(order.path, '..')).filter((name) => name !== '.lock')).toEqual(['plan.md']);
});
