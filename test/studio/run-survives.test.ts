import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from '../browser/chromium.ts';
import { findViolations } from '../browser/find-violations.ts';
import { holdsBack } from '../extraction/model/model-stream.ts';
import { serve } from '../extraction/model/stage.ts';
import { goodTurns, openProject, type PlanningStage, replies, snapshot } from '../operations/planning-run-stage.ts';
import { verifies } from '../verifies.ts';
import { button, go, stageStudio } from './flow-stage.ts';

const stage = stageStudio();
const children: ChildProcess[] = [];
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await launchChromium();
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  for (const context of browser?.contexts() ?? []) await context.close();
});
afterAll(() => browser?.close());

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** A model that has given some turns, and gives the next one when it is let. */
function slowModel(given: number) {
  const held = Promise.withResolvers<void>();
  const slow = holdsBack(goodTurns[given] ?? {}, held.promise);
  return {
    turns: [...replies(goodTurns.slice(0, given)), slow, ...replies(goodTurns.slice(given + 1))],
    letOn: () => held.resolve(),
  };
}

for (const colorScheme of ['light', 'dark'] as const) {
  verifies(
    ['RUN.survives'],
    `a run continues though its page is reloaded, left and closed, and another tab shows it: ${colorScheme}`,
    async () => {
      const { turns, letOn } = slowModel(1);
      const { page, baton } = await stage.open({ replies: turns, browser: { colorScheme, bypassCSP: true } });
      const { id } = await baton.run('planning.hand-on', { snapshot });
      await go(page, `/run/${id}`);
      await button(page, 'Plan with the model').click();
      const isAtSecond = (tab: Page) => tab.getByText('Running: step 2 of at most 20.').waitFor();
      await isAtSecond(page);
      expect(await findViolations(page)).toEqual([]);
      await page.reload();
      await isAtSecond(page);
      const other = await page.context().newPage();
      await other.goto(page.url());
      await isAtSecond(other);
      await go(page, '/inbox');
      await page.close();
      letOn();
      await other.getByRole('heading', { name: 'Attempt 1 · Completed' }).waitFor();
      await other.getByText('The plan is in').waitFor();
      expect(await other.locator('.run-step').count()).toBe(4);
      expect((await baton.run('handoff.get', { id })).delivery.state).toBe('acknowledged');
    },
  );
}

verifies(
  ['RUN.survives', 'FLOW.run-stop'],
  'a run is stopped by the button of any tab, and resumed by another',
  async () => {
    const { turns } = slowModel(2);
    const { page, baton } = await stage.open({ replies: [...turns.slice(0, 3), ...replies(goodTurns.slice(2))] });
    const { id } = await baton.run('planning.hand-on', { snapshot });
    await go(page, `/run/${id}`);
    await button(page, 'Plan with the model').click();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText('Running: step 3 of at most 20.').waitFor();
    await button(other, 'Stop').click();
    await page.getByRole('heading', { name: 'Attempt 1 · Stopped' }).waitFor();
    await button(page, 'Continue after step 2').click();
    await page.getByRole('heading', { name: 'Attempt 2 · Completed' }).waitFor();
    await other.getByRole('heading', { name: 'Attempt 2 · Completed' }).waitFor();
    await page.getByRole('link', { name: 'step 2 of attempt 1' }).click();
    await page.getByRole('region', { name: 'Step 2' }).waitFor();
  },
);

/** Serves the project in a separate process. */
async function serveApart({ folder, environment }: PlanningStage, port = 0) {
  const worker = join(import.meta.dirname, 'run-server-worker.ts');
  const child = spawn(process.execPath, [worker, folder, String(port)], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, ...(JSON.parse(line) as { port: number; browser_url: string }) };
}

for (const [press, colorScheme] of [
  ['Continue after step 2', 'light'],
  ['Release the handoff', 'dark'],
] as const) {
  verifies(
    ['RUN.interrupted', 'RUN.reconnect'],
    `after its server was killed a run waits for a press: ${press}, ${colorScheme}`,
    async () => {
      const { turns } = slowModel(2);
      const provider = await serve(...turns.slice(0, 3), ...replies(goodTurns.slice(2)));
      const project = await openProject(provider);
      const { library } = project;
      const { id } = await library.run('planning.hand-on', { snapshot });
      const first = await serveApart(project);
      const context = await browser?.newContext({ reducedMotion: 'reduce', colorScheme, bypassCSP: true });
      const page = await context?.newPage();
      if (page === undefined || context === undefined) throw new Error('There is no browser.');
      await page.goto(first.browser_url);
      await page.getByRole('main').waitFor();
      await go(page, `/run/${id}`);
      await button(page, 'Plan with the model').click();
      await page.getByText('Running: step 3 of at most 20.').waitFor();

      await kill(first.child);
      const second = await serveApart(project, first.port);
      // Another tab of this browser is let in; the one that was left open follows automatically.
      const other = await context.newPage();
      await other.goto(second.browser_url);
      await page.getByText('Interrupted: step 2 is done.').waitFor();
      await page.getByText('The model is not called until you choose.').waitFor();
      expect(await findViolations(page)).toEqual([]);
      expect(provider.requests).toHaveLength(3);

      await button(page, press).press('Enter');
      if (press === 'Release the handoff') {
        await page.getByText('Ready to be planned.').waitFor();
        await page.getByRole('heading', { name: 'Attempt 1 · Interrupted' }).waitFor();
        expect(provider.requests).toHaveLength(3);
        return;
      }
      await page.getByRole('heading', { name: 'Attempt 2 · Completed' }).waitFor();
      expect(provider.requests).toHaveLength(5);
      const { handoffs } = await library.run('handoff.list', { kind: 'plan' });
      const decided = handoffs.flatMap(({ content }) => content.decisions).map(({ content }) => content);
      expect(decided.filter((each) => each === 'Keep the former key for a week')).toHaveLength(1);
    },
    60_000,
  );
}
