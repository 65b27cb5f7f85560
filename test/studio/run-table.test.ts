import { expect } from 'vitest';
import { findViolations } from '../browser/find-violations.ts';
import { goodTurns, modelPlan, replies, snapshot } from '../operations/planning-run-stage.ts';
import { verifies } from '../verifies.ts';
import { button, go, stageStudio } from './flow-stage.ts';
import { planByAgent, writeForPlanner } from './planned-run.ts';

const stage = stageStudio();

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 320],
] as const) {
  verifies(
    ['RUN.table', 'RUN.list', 'DETAIL.accessible'],
    `runs are in a table, and two side by side, by the keyboard: ${colorScheme}, ${width} pixels`,
    async () => {
      const { page, baton } = await stage.open({
        browser: { colorScheme, viewport: { width, height: 800 }, bypassCSP: true },
      });
      const id = await writeForPlanner(baton);
      await planByAgent(baton, id, { tools: ['search'], decisions: ['Only said'], ends: 'stopped' });
      await planByAgent(baton, id);
      await go(page, '/run');
      const rows = page.getByRole('region', { name: 'Table of the runs' }).getByRole('row');
      await rows.nth(2).waitFor();
      const cells = (await rows.nth(1).innerText()).split('\t').map((cell) => cell.trim());
      expect(cells.slice(2, 7)).toEqual(['● Completed', 'test/planner-1', '4 / 20', '1,040', '']);
      expect(await rows.nth(2).innerText()).toContain('Stopped');
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.getByLabel('Compare attempt 1 at Offline notes').press('Space');
      await page.getByLabel('Compare attempt 2 at Offline notes').press('Space');
      await button(page, 'Compare two').press('Enter');
      await page.getByRole('heading', { name: 'Two runs' }).waitFor();
      const line = (name: string) =>
        page
          .getByRole('row')
          .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
          .getByRole('cell')
          .allInnerTexts();
      expect(await line('Outcome')).toEqual(['– Stopped', '● Completed']);
      expect(await line('Steps')).toEqual(['1', '4']);
      expect((await line('Step 1')).map((cell) => cell.split('\n')[0])).toEqual(['search', 'getHandoffContext']);
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.reload();
      await page.getByRole('heading', { name: 'Two runs' }).waitFor();
    },
  );
}

verifies(['RUN.older'], 'a run that a hundred newer handoffs hide is shown by a press, and stays', async () => {
  const { page, baton } = await stage.open();
  const id = await writeForPlanner(baton, { title: 'Long ago' });
  await planByAgent(baton, id);
  for (let count = 0; count < 100; count += 1) await writeForPlanner(baton, { title: 'Newer' });
  await go(page, '/run');
  await button(page, 'Show older').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: 'Long ago' }).waitFor();
  await button(page, 'All runs are shown').waitFor();
  await planByAgent(baton, await writeForPlanner(baton, { title: 'At last' }));
  await page.getByRole('row', { name: 'At last' }).waitFor();
  await page.getByRole('row', { name: 'Long ago' }).waitFor();
});

verifies(
  ['RUN.whole-step', 'RUN.again'],
  'a long step is shown whole and searched, and run again from there',
  async () => {
    const goal = 'Know what reads and writes sessions. '.repeat(200).trim();
    const tasks = modelPlan.tasks.map((task) => ({ ...task, goal }));
    const last = { ...modelPlan, tasks: [...tasks, { ...tasks[0], name: 'The very last task', goal: 'Done at last' }] };
    const turns = [...goodTurns.slice(0, 2), { calls: [{ name: 'writePlan', input: last }] }, ...goodTurns.slice(3)];
    const { page, baton } = await stage.open({ replies: [...replies(turns), ...replies(goodTurns.slice(2))] });
    const { id } = await baton.run('planning.hand-on', { snapshot });
    await baton.run('planning.run', { id });
    await go(page, `/run/${id}?step=3`);
    const detail = page.getByRole('region', { name: 'Step 3' });
    await detail.getByText('The very last task').waitFor();
    await page.getByLabel('Find in step 3').fill('reads AND writes');
    await detail.getByText('1 of 600').waitFor();
    await page.keyboard.press('Shift+Enter');
    await detail.getByText('600 of 600').waitFor();
    expect(await detail.locator('mark[data-current]').count()).toBe(1);
    await page.getByLabel('Find in step 3').fill('nowhere');
    await detail.getByText('Not found').waitFor();
    await button(page, 'Run again from step 3').click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByRole('heading', { name: 'Attempt 1 · Completed' }).waitFor();
    await page.getByText('Continues after step 2 of attempt 1').waitFor();
    expect(await page.locator('.run-step').count()).toBe(2);
  },
);
