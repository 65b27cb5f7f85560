import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { PlanPlace } from '../../packages/batonpass/src/plan-files/plan-place.ts';
import { updateProgress } from '../../packages/batonpass/src/plan-files/write-documents.ts';

/** One process that works on a plan: `node plan-worker.ts ORDER`, the order as JSON. */

/** What it finds when it starts. */
export interface PlanWorkerOrder {
  place: PlanPlace;
  plan_directory: string;
}

/** Its commands. */
export type PlanWorkerCommand =
  /** Ticks so many items of a task, one update each. */
  | { do: 'tick'; task_id: string; items: number }
  /** Ticks and clears a task for ever, and reports it each time. */
  | { do: 'write'; task_id: string };

/** What it answers. */
export interface PlanWorkerAnswer {
  told: 'begun' | 'done';
}

const { place, plan_directory } = JSON.parse(process.argv[2] ?? '{}') as PlanWorkerOrder;
const say = (answer: PlanWorkerAnswer) => writeSync(1, `${JSON.stringify(answer)}\n`);

async function tick(task_id: string, items: number): Promise<void> {
  for (let item = 0; item < items; item += 1) {
    const update = { task_id, status: 'completed', checklist_items: [item] } as const;
    await updateProgress(place, { plan_directory, update });
  }
}

async function write(task_id: string): Promise<never> {
  for (;;) {
    await updateProgress(place, {
      plan_directory,
      update: { task_id, status: 'completed', checklist_items: [0, 1, 2] },
    });
    say({ told: 'begun' });
    await updateProgress(place, { plan_directory, update: { task_id, status: 'pending', checklist_items: [0, 1, 2] } });
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as PlanWorkerCommand;
  if (command.do === 'write') await write(command.task_id);
  else await tick(command.task_id, command.items);
  say({ told: 'done' });
}
