import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Baton, HandoffError, openBaton } from '../../packages/batonpass/src/index.ts';
import { afterEachTest } from '../after-each-test.ts';

const folders: string[] = [];
const batons: Baton[] = [];

afterEachTest(async () => {
  for (const baton of batons.splice(0)) await baton.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder for one test, and the file of a store in it. */
export function newPlace(): { folder: string; file: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-keeping-')));
  folders.push(folder);
  return { folder, file: join(folder, 'baton.db') };
}

/** Settings of a test's own; everything else has its default. */
export interface Setting {
  now?: () => number;
  environment?: NodeJS.ProcessEnv;
  store?: string;
}

/** The library on a file, as a user of the folder has it. */
export async function openOn(file: string, { now, environment = {}, store = `sqlite:${file}` }: Setting = {}) {
  const baton = await openBaton({
    cwd: join(file, '..'),
    environment: { HOME: join(file, '..'), ...environment },
    store,
    ...(now && { surroundings: { now } }),
  });
  batons.push(baton);
  return baton;
}

/** Expects that a store's file is sound: the file, and every handoff in it. */
export async function expectSound(file: string): Promise<void> {
  const baton = await openOn(file);
  expect(await baton.run('store.check', {})).toMatchObject({ problems: 0, findings: [], complete: true });
}

/** The refusal of a call, which must say what to do next. */
export async function refusalOf(call: Promise<unknown>): Promise<HandoffError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HandoffError);
  expect((error as HandoffError).alternatives.length).toBeGreaterThan(0);
  return error as HandoffError;
}
