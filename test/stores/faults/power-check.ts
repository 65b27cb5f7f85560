import { callBy, newHandoff, writer } from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { CrashDisk } from './crash-disk.ts';
import { checkIntegrity, openCrashStore, readTables } from './crash-store.ts';
import { createChance, type PowerRun } from './power-run.ts';

/** How the power is cut again and again in one run. */
export interface PowerCuts {
  path: string;
  /** How many times. */
  count: number;
  seed: number;
  /** Whether the disk ignores every sync: what the check must not miss. */
  ignoresSync?: boolean;
}

/** What was found after power cuts: each line names the moment. */
export interface PowerFindings {
  cuts: number;
  /** An older state than the last that was acknowledged. */
  lost: string[];
  /** A state that there never was. */
  torn: string[];
  /** A database that does not open, is not sound or takes nothing any more. */
  broken: string[];
}

/**
 * Cuts the power at moments of a run, spread evenly over all its steps, and opens what is left: by turns without all that
 * was not synced, and with a random part of it.
 */
export async function cutPower(run: PowerRun, { path, count, seed, ignoresSync }: PowerCuts): Promise<PowerFindings> {
  const findings: PowerFindings = { cuts: 0, lost: [], torn: [], broken: [] };
  const chance = createChance(seed);
  const disk = new CrashDisk({ ignoresSync });
  for (const [step_number, step] of run.history.entries()) {
    disk.apply(step);
    const moment = step_number + 1;
    for (; findings.cuts < Math.floor((moment * count) / run.history.length); findings.cuts += 1) {
      const isTorn = findings.cuts % 2 === 1;
      const where = `seed ${seed}, step ${moment}, ${isTorn ? 'torn' : 'cut'}`;
      judge(
        run,
        { moment, where, tables: await openAfter(path, disk.cutPower(isTorn ? chance : undefined)) },
        findings,
      );
    }
  }
  return findings;
}

interface Aftermath {
  moment: number;
  where: string;
  /** What is there; an error where it could not be opened. */
  tables: string | Error;
}

function judge(
  { commits }: PowerRun,
  { moment, where, tables }: Aftermath,
  { lost, torn, broken }: PowerFindings,
): void {
  if (tables instanceof Error) {
    broken.push(`${where}: ${tables.message}`);
    return;
  }
  // What is reported is kept; what was in flight may be there already. A database that was not yet made is made empty.
  const told = Math.max(
    0,
    commits.findLastIndex(({ at }) => at <= moment),
  );
  const found = commits.findIndex((commit) => commit.tables === tables);
  if (found < 0 || found > told + 1) torn.push(where);
  else if (found < told) lost.push(`${where}: commit ${found} of ${told}`);
}

async function openAfter(path: string, disk: CrashDisk): Promise<string | Error> {
  try {
    const { store, driver } = await openCrashStore(path, disk);
    const tables = readTables(driver);
    const complaint = checkIntegrity(driver);
    if (complaint !== 'ok') return new Error(complaint);
    await store.create([newHandoff({ title: 'after the power cut' })], callBy(writer, 'handoff.create'));
    await store.close();
    return tables;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
