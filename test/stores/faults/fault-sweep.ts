import { expect } from 'vitest';
import { isHandoffError } from '../../../packages/batonpass/src/core/errors.ts';
import type { CrashDisk, DiskFault } from './crash-disk.ts';
import { type CrashStoreOptions, checkIntegrity, expectOneOf, openCrashStore, readTables } from './crash-store.ts';
import type { Deed, Doing } from './deeds.ts';
import { openBench, type Scene } from './scene.ts';

/** What all strikes of a test have in common. */
export interface Sweep {
  /** A place of the real disk, where nothing is kept. */
  path: string;
  scene: Scene;
  foreign: Doing['foreign'];
  options?: CrashStoreOptions;
}

/** How many strikes left a deed done, and how many undone. */
export interface Tally {
  kept: number;
  refused: number;
}

/** A database's state before and after a deed on a disk that works. */
interface Course {
  before: string;
  after: string;
}

/** How the disk fails at its nth step. */
export type FaultSeries = (nth: number) => Omit<DiskFault, 'nth'>;

/** Does a deed again and again, with a disk that fails at its first, second, third … step, until no step fails. */
export async function sweep(deed: Deed, series: FaultSeries, given: Sweep): Promise<Tally> {
  const course = await runThrough(deed, given);
  const tally: Tally = { kept: 0, refused: 0 };
  for (let nth = 1; ; nth += 1) {
    const fate = await strike(deed, { ...series(nth), nth }, { ...given, course });
    if (fate === 'untouched') return tally;
    tally[fate] += 1;
  }
}

async function runThrough(deed: Deed, given: Sweep): Promise<Course> {
  const { store, driver, doing } = await begin(deed, given, given.scene.disk.copy());
  const before = readTables(driver);
  expect(await settle(deed, doing)).toBe('kept');
  const after = readTables(driver);
  expect(after === before, `${deed.name} changes something`).toBe(false);
  await store.close();
  return { before, after };
}

async function strike(deed: Deed, fault: DiskFault, given: Sweep & { course: Course }) {
  const { before, after } = given.course;
  const disk = given.scene.disk.copy();
  const { store, driver, doing } = await begin(deed, given, disk);
  disk.breakAt(fault);
  const fate = await settle(deed, doing);
  if (fate === 'refused' && fault.lasts && fault.on !== 'read') {
    expect(await settle(deed, doing)).toBe('refused');
    // What can be read is read as it was.
    expectOneOf([before], readTables(driver));
  }
  const hasStruck = disk.fired > 0;
  disk.repair();
  expectOneOf([fate === 'kept' ? after : before], readTables(driver));
  // What was kept is there after the worst crash. What was refused is not there after the mildest, but for a commit that
  // was written and could not be synced: that may be there, as its error says.
  const allowed = fate === 'kept' ? [after] : fault.on === 'sync' ? [before, after] : [before];
  if (fate === 'kept' || fault.on === 'sync') expectOneOf(allowed, await reopen(disk.cutPower(), given));
  if (fate === 'refused') expectOneOf(allowed, await reopen(disk.copy(), given));
  if (fate === 'refused') {
    expect(await settle(deed, doing)).toBe('kept');
    expectOneOf([withoutNames(after)], withoutNames(readTables(driver)));
  }
  await doing.bench.create({ title: 'and on it goes' });
  const last = readTables(driver);
  expectOneOf([last], await reopen(disk.cutPower(), given));
  await store.close();
  return hasStruck ? fate : 'untouched';
}

async function begin(deed: Deed, { path, scene, foreign, options }: Sweep, disk: CrashDisk) {
  const { store, driver, bench } = await openBench(path, disk, options);
  const doing = { bench, cast: scene.cast, foreign };
  await deed.prepare?.(doing);
  return { store, driver, doing };
}

/** Does a deed. Its calls, which share one transaction, share its fate too. */
async function settle(deed: Deed, doing: Doing): Promise<'kept' | 'refused'> {
  const settled = await Promise.allSettled(deed.calls(doing));
  const [first, ...others] = settled.map(({ status }) => status);
  expect(new Set(others.filter((status) => status !== first)).size, deed.name).toBe(0);
  for (const outcome of settled) if (outcome.status === 'rejected') expectExplained(outcome.reason);
  return first === 'fulfilled' ? 'kept' : 'refused';
}

/** A failing disk is no defect: the error says what happened, to which file, and what to do. */
export function expectExplained(error: unknown): void {
  if (!isHandoffError(error)) throw error;
  expect(error.code).toBe('unavailable');
  expect(error.message).toMatch(/baton\.db/);
  expect(error.alternatives.length).toBeGreaterThan(0);
}

/** The state of a database as the next process finds it. */
export async function reopen(disk: CrashDisk, { path }: Pick<Sweep, 'path'>): Promise<string> {
  const { store, driver } = await openCrashStore(path, disk);
  expect(checkIntegrity(driver)).toBe('ok');
  const tables = readTables(driver);
  await store.close();
  return tables;
}

/** Without what differs in a second try: ids and tokens, by the order of their first occurrence. */
function withoutNames(tables: string): string {
  const known = new Map<string, string>();
  return tables.replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b|\bnew-token-\d+\b/g, (name) => {
    if (!known.has(name)) known.set(name, `name ${known.size}`);
    return known.get(name) ?? name;
  });
}
