import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { createChance } from '../stores/history/chance.ts';
import { verifies } from '../verifies.ts';
import { brainstorm, newFolder, nextsOf, openIn, plansIn } from './planning-stage.ts';

const KILLS = Number(process.env.BATON_PLANNING_KILLS ?? 6);
const seed = Number(process.env.BATON_PLANNING_SEED ?? Date.now() % 2 ** 31);

/** Runs the draft in a separate process that kills itself before a moment; 0: at none. @returns the moments it passed. */
async function draftIn(folder: string, id: string, moment: number): Promise<number> {
  const worker = join(import.meta.dirname, 'store-kill-worker.ts');
  const words = [join(folder, 'baton.db'), 'planning.draft', JSON.stringify({ id }), String(moment)];
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, '..', 'compiled') };
  const child = spawn(process.execPath, [worker, ...words], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  let moments = 0;
  for await (const line of createInterface({ input: child.stdout })) moments = Number(line);
  expect([0, 'SIGKILL']).toContain(await ended);
  return moments;
}

const without = (plans: Record<string, string>) =>
  Object.fromEntries(Object.entries(plans).filter(([path]) => !path.startsWith('.')));

/** Nothing of it is half there: every plan has all its documents, and the next handoff exists exactly where the acknowledgement does. */
async function expectWhole(folder: string, id: string, known: Record<string, string>): Promise<void> {
  const plans = Object.entries(plansIn(folder)).filter(([path]) => !path.startsWith('.'));
  expect([0, 3]).toContain(plans.length);
  for (const [path, text] of plans) expect([known[path], known[`former ${path}`]]).toContain(text);
  const baton = await openIn(folder);
  const { state } = (await baton.run('handoff.get', { id })).delivery;
  expect(await nextsOf(baton)).toHaveLength(state === 'acknowledged' ? 1 : 0);
  await baton.close();
}

/** What another process does afterwards, when the lease of the killed one has lapsed. */
async function complete(folder: string, id: string, expected: Record<string, string>): Promise<void> {
  const baton = await openIn(folder, { surroundings: { now: () => Date.now() + 3_600_000 } });
  const answer = await baton.run('planning.draft', { id });
  expect(answer.handoff.delivery.state).toBe('acknowledged');
  expect((await nextsOf(baton)).map((next) => next.id)).toEqual([answer.next?.id]);
  expect(without(plansIn(folder))).toEqual(expected);
  await baton.close();
}

/** A new plan, and one that an earlier attempt had left with other words under another name. */
for (const [name, isLeft] of [
  ['a first plan', false],
  ['a plan that is written again', true],
] as const) {
  verifies(
    ['FINISH.kill', 'FINISH.one-plan'],
    `${KILLS} killed at a moment of ${name} leave nothing half, and the same command completes it (seed ${seed})`,
    async () => {
      const root = newFolder();
      const begun = join(root, 'begun');
      // Copies of the folder, which is its user's home, are one project.
      mkdirSync(join(begun, '.config/baton'), { recursive: true });
      writeFileSync(join(begun, '.config/baton/config.json'), '{"project":"killed"}');
      const baton = await openIn(begun);
      const { id } = await baton.run('handoff.create', { content: brainstorm });
      const { documents = {} as never } = await baton.run('planning.draft', { id, dry_run: true });
      await baton.close();
      const folderOf = isLeft ? 'left' : 'offline-notes';
      const entries = Object.entries(documents);
      const expected = Object.fromEntries(entries.map(([document, text]) => [`${folderOf}/${document}`, text]));
      const known: Record<string, string> = { ...expected };
      for (const [path, text] of isLeft ? Object.entries(expected) : []) {
        const former = text.replaceAll('feature/notes', 'feature/former').replaceAll('Offline', 'Former');
        known[`former ${path}`] = former;
        mkdirSync(dirname(join(begun, '.claude/plans', path)), { recursive: true });
        writeFileSync(join(begun, '.claude/plans', path), former);
      }
      const copyOf = (number: number) => {
        const folder = join(root, `run-${number}`);
        cpSync(begun, folder, { recursive: true });
        return folder;
      };
      const whole = copyOf(0);
      const moments = await draftIn(whole, id, 0);
      expect(moments).toBeGreaterThan(30);
      await complete(whole, id, expected);

      const chance = createChance(seed);
      const isEach = KILLS >= moments;
      for (let kill = 1; kill <= Math.min(KILLS, moments); kill += 1) {
        const folder = copyOf(kill);
        // The last moments are the ones of the plan and its end: half of the kills fall there.
        const from = kill % 2 === 0 ? Math.floor(moments / 2) : 0;
        await draftIn(folder, id, isEach ? kill : 1 + from + Math.floor(chance() * (moments - from)));
        await expectWhole(folder, id, known);
        await complete(folder, id, expected);
      }
    },
    1_200_000,
  );
}
