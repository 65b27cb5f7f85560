import { afterEach, expect } from 'vitest';
import { catalogue, HandoffError, type OperationName, openBaton } from '../../packages/batonpass/src/index.ts';
import { verifies } from '../verifies.ts';
import { type Case, cases, type Prepared } from './catalogue-cases.ts';
import { openStage, type Stage } from './stage.ts';

const stages: Stage[] = [];

afterEach(() => {
  for (const stage of stages.splice(0)) stage.close();
});

/** A fresh stage with a library on the very store that its command line uses. */
async function open() {
  const stage = openStage({ git: true });
  stages.push(stage);
  return { stage, baton: await openBaton({ cwd: stage.folder, environment: stage.environment }) };
}

async function prepare(given: Case, baton: Awaited<ReturnType<typeof openBaton>>, folder: string): Promise<Prepared> {
  return { id: '', token: '', folder, ...(await given.prepare?.(baton)) };
}

/** What differs between two equal runs: ids, instants, tokens, hashes of what holds a commit, folders. */
function withoutChance(answer: unknown, folder: string): unknown {
  const text = JSON.stringify(answer)
    .replaceAll(folder, 'FOLDER')
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, 'INSTANT')
    .replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{48}|[0-9a-f]{40})\b/g, 'HASH')
    .replace(/\b\d+ (?:seconds?|s)\b/g, 'AGE');
  return JSON.parse(text);
}

for (const name of Object.keys(catalogue) as OperationName[]) {
  const given = cases[name] as unknown as Case;
  verifies(
    ['CLI.catalogue', 'CLI.json'],
    `${name} answers alike through the library and the command line`,
    async () => {
      const left = await open();
      const input = given.input(await prepare(given, left.baton, left.stage.folder));
      const byLibrary = await left.baton.run(name, input);
      await left.baton.close();

      const right = await open();
      const words = given.words(await prepare(given, right.baton, right.stage.folder));
      await right.baton.close();
      const byCommand = await right.stage.json(words);

      expect(withoutChance(byCommand, right.stage.folder)).toEqual(withoutChance(byLibrary, left.stage.folder));
    },
  );

  verifies(['CLI.catalogue', 'CLI.errors'], `${name} refuses alike through both doors`, async () => {
    const { stage, baton } = await open();
    const { input, words, code } = given.wrong;
    const refused = await baton.run(name, input).catch((error: unknown) => error);
    await baton.close();
    expect(refused).toBeInstanceOf(HandoffError);
    expect((refused as HandoffError).code).toBe(code);

    const { stdout, stderr, code: exitCode } = await stage.baton([...words, '--json']);
    expect(stdout).toBe('');
    expect(exitCode).not.toBe(0);
    expect(JSON.parse(stderr).error).toMatchObject({ code, message: expect.stringMatching(/./) });
    const { errors } = await catalogue[name]();
    if (code !== 'invalid_input') expect(errors).toContain(code);
  });
}

verifies(['CLI.catalogue'], 'every operation declares only errors and doors that exist, and its name', async () => {
  for (const [name, load] of Object.entries(catalogue)) {
    const operation = await load();
    expect(operation.name).toBe(name);
    expect(operation.summary).toMatch(/^[A-Z].*\.$/);
    expect(operation.errors.length).toBeGreaterThan(0);
  }
});
