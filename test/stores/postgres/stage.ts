import { expect } from 'vitest';
import type { Handoff } from '../../../packages/batonpass/src/core/handoff.ts';
import { openPostgresStore } from '../../../packages/batonpass/src/stores/postgres/store.ts';
import { checkHistory } from '../history/check-history.ts';
import { drain, readContents } from '../history/contents.ts';
import { type Line, type Operation, readHistory } from '../history/history.ts';
import { Recorder } from '../history/recorder.ts';
import { describeFaults } from '../history/verdict.ts';
import type { WorkerProcess } from '../race-process.ts';

/** What a run left behind. */
export interface Outcome {
  handoffs: readonly Handoff[];
  operations: readonly Operation[];
}

/**
 * Checks what workers that have ended did to a store: nothing lost, duplicated, stolen or out of order. Claims that ran at
 * one time may end in any order; one that was over before another began must not have passed over what that one got.
 */
export async function judge(
  url: string,
  workers: readonly WorkerProcess[],
  { hasRestarted = false } = {},
): Promise<Outcome> {
  const lines: Line[] = workers.flatMap((worker) => worker.lines);
  const store = await openPostgresStore(url);
  try {
    const write = (more: readonly Line[]) => lines.push(...more);
    if (hasRestarted) await drain(new Recorder({ store, name: 'judge', write }), 'judge');
    const operations = readHistory(lines);
    const contents = await readContents(store);
    const verdict = checkHistory({ operations, ...contents });
    verdict.out_of_order = verdict.out_of_order.filter((says) => !says.includes(' was claimed before '));
    // What a claim held that was cut off comes back to its place, and others have passed it meanwhile.
    const passed = hasRestarted ? [] : findPassedOver(contents.handoffs, operations);
    expect([...describeFaults(verdict), ...passed]).toEqual([]);
    return { handoffs: contents.handoffs, operations };
  } finally {
    await store.close();
  }
}

interface Course {
  task: string;
  id: string;
  created_us: number;
  claim: Operation | undefined;
}

/** Handoffs that were there before a claim began, which took a newer one, and that only a later claim got. */
function findPassedOver(handoffs: readonly Handoff[], operations: readonly Operation[]): string[] {
  const created = new Map(operations.flatMap((each) => (each.verb === 'create' ? [[each.id, each.ended_us]] : [])));
  const claims = new Map(
    operations.flatMap((each) => (each.leases ?? []).map(({ id, fence }) => [`${id} ${fence}`, each] as const)),
  );
  const courses = handoffs.map(
    ({ id, content }): Course => ({
      task: content.task_id ?? '',
      id,
      created_us: created.get(id) ?? Number.POSITIVE_INFINITY,
      claim: claims.get(`${id} 1`),
    }),
  );
  return courses.flatMap((older, index) =>
    courses.slice(index + 1).flatMap((newer) => {
      const isPassed =
        older.task === newer.task &&
        older.claim !== undefined &&
        newer.claim !== undefined &&
        older.created_us < newer.claim.begun_us &&
        older.claim.begun_us > newer.claim.ended_us;
      return isPassed ? [`${newer.id} was claimed while the older ${older.id} was open.`] : [];
    }),
  );
}
