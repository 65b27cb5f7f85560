import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeNewPlan } from '../packages/batonpass/src/plan-files/documents/plan-writing.ts';
import type { PlanPlace } from '../packages/batonpass/src/plan-files/plan-place.ts';
import { readPlanStatus } from '../packages/batonpass/src/plan-files/read-documents.ts';
import { updateProgress } from '../packages/batonpass/src/plan-files/write-documents.ts';
import { inFreshFolder } from './contest.ts';
import { type Metric, summarize } from './frame.ts';

const sizes = { small: 10, large: 1_000 } as const;
const rounds = 31;

/** What a plan of 1,000 tasks costs to read and to update, over one of 10. */
export async function measurePlanGrowth(): Promise<Metric[]> {
  return inFreshFolder(async (root) => {
    const place: PlanPlace = { root, plans: 'plans' };
    for (const [name, tasks] of Object.entries(sizes)) makePlan(join(root, 'plans', name), tasks);
    const read = (plan_directory: string) => () => readPlanStatus(place, plan_directory);
    const update = (plan_directory: string) => (round: number) => {
      const status = round % 2 === 0 ? 'completed' : 'pending';
      return updateProgress(place, { plan_directory, update: { task_id: 'task-1', status, checklist_items: [0] } });
    };
    const contenders = [read('large'), read('small'), update('large'), update('small')];
    const [readLarge = [], readSmall = [], updateLarge = [], updateSmall = []] = await interleaveAsync(contenders);
    return [
      compare('read-plan of 1,000 tasks over 10', readLarge, readSmall),
      compare('update-progress of 1,000 tasks over 10', updateLarge, updateSmall),
    ];
  });
}

function makePlan(folder: string, count: number): void {
  const phases = ['init', 'refine', 'implement', 'verify', 'finalize'];
  const tasks = Array.from({ length: count }, (_, index) => ({
    name: `Change part ${index}`,
    phase: phases[Math.floor((index * phases.length) / count)] ?? 'init',
    goal: `Part ${index} does what it should, and says so`,
    acceptance_criteria: ['Its tests pass', 'Its document says what it does'],
    checklist: ['Read what is there', 'Write the tests', 'Change it', 'Say what changed'],
  }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plan.md'), writeNewPlan({ title: `A plan of ${count} tasks`, phases, tasks }));
}

/** As `interleave`, for what answers later. */
async function interleaveAsync(contenders: readonly ((round: number) => unknown)[]): Promise<number[][]> {
  const samples: number[][] = contenders.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      const start_ms = performance.now();
      await contender(round);
      if (round > 0) samples[index]?.push(performance.now() - start_ms);
    }
  }
  return samples;
}

function compare(name: string, large: readonly number[], small: readonly number[]): Metric {
  const [grown, base] = [summarize(large), summarize(small)];
  const note = `n = ${large.length}; ${grown.median.toFixed(2)} ms against ${base.median.toFixed(2)} ms`;
  return { name, value: grown.median / base.median, unit: '×', floor: 120, aim: 60, better: 'lower', note };
}
