import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Baton } from '../../packages/batonpass/src/index.ts';
import { findViolations } from '../browser/find-violations.ts';
import { verifies } from '../verifies.ts';
import { go, stageStudio } from './flow-stage.ts';
import { hiddenCharacters, hostileWords } from './hostile-words.ts';
import { planByAgent, writeForPlanner } from './planned-run.ts';
import { expectFocus } from './shell-stage.ts';

const stage = stageStudio();

const plan_directory = 'offline-notes';

async function writePlan(baton: Baton): Promise<string> {
  const id = await writeForPlanner(baton);
  await planByAgent(baton, id);
  return id;
}

const documentOf = (baton: Baton) => join(baton.context.workspace.root, '.claude/plans/offline-notes/plan.md');

verifies(['PLANS.outline'], 'a plan is answered whole, with what of each task is done', async () => {
  const { baton } = await stage.open();
  await writePlan(baton);
  const update = { task_id: 'task-1', status: 'completed' as const, checklist_items: [0] };
  await baton.run('plan.update-progress', { plan_directory, update });
  const text = readFileSync(documentOf(baton), 'utf8');
  writeFileSync(
    documentOf(baton),
    text.replace('### Task 2', '### Task 2').replace('**Phase**: execute', '**Phase**: execute\n**Status**: blocked'),
  );
  const { title, plan_status, phases } = await baton.run('plan.outline', { plan_directory });
  expect([title, plan_status.current_phase]).toEqual(['Offline notes', 'init']);
  expect(phases.map(({ name, status, tasks_total }) => [name, status, tasks_total])).toEqual([
    ['init', 'in_progress', 1],
    ['execute', 'pending', 1],
    ['finalize', 'pending', 1],
  ]);
  expect(phases[0]?.tasks[0]).toMatchObject({
    id: 'task-1',
    status: 'in_progress',
    goal: 'Know what reads and writes notes',
    checklist: [
      { text: 'Read src/notes/sync.ts', is_done: true },
      { text: 'List its callers', is_done: false },
    ],
  });
  expect(phases[1]?.tasks[0]).toMatchObject({ status: 'blocked' });
  expect(phases[1]?.tasks[0]).not.toHaveProperty('written_status');
});

verifies(
  ['PLANS.screen', 'PLANS.tick'],
  'by keys alone from the list to an item that is ticked, undone, and ticked to the end of its phase',
  async () => {
    const { page, baton } = await stage.open();
    const id = await writePlan(baton);
    const { keyboard } = page;
    await page.getByRole('main').press('g');
    await keyboard.press('p');
    const link = page.getByRole('link', { name: 'offline-notes' });
    await link.waitFor();
    await page.getByText('0 / 3').waitFor();
    await link.focus();
    await keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/plan/offline-notes');
    await page.getByText('Waits for init').waitFor();
    expect(await page.getByRole('link', { name: 'this plan run' }).getAttribute('href')).toBe(`/run/${id}`);
    const box = (name: string) => page.getByRole('checkbox', { name });
    // What waits is not ticked before its turn.
    expect(await page.getByRole('checkbox').count()).toBe(2);
    const done = async () => (await baton.run('plan.outline', { plan_directory })).phases[0]?.tasks[0]?.checklist;
    await page.getByRole('main').press('j');
    await expectFocus(box('Read src/notes/sync.ts'));
    await keyboard.press('Space');
    await page.getByRole('status').getByText('Ticked: “Read src/notes/sync.ts”.').waitFor();
    expect(await done()).toMatchObject([{ is_done: true }, { is_done: false }]);
    await expectFocus(box('Read src/notes/sync.ts'));
    await page.getByText('The last item completes the phase').waitFor();
    // With the focus still in the box.
    await keyboard.press('z');
    await expect.poll(done).toMatchObject([{ is_done: false }, { is_done: false }]);
    await box('Read src/notes/sync.ts').check();
    await box('List its callers').focus();
    await keyboard.press('Space');
    await page.getByRole('status').getByText('Phase init completed').waitFor();
    await expectFocus(box('Write the queue'));
    expect((await baton.run('plan.outline', { plan_directory })).plan_status.current_phase).toBe('execute');
  },
);

verifies(['PLANS.changed'], 'a changed document is shown, and words that are gone are not ticked', async () => {
  const { page, baton } = await stage.open({ hasFailures: true });
  await writePlan(baton);
  await go(page, '/plan/offline-notes');
  await page.getByRole('checkbox', { name: 'List its callers' }).waitFor();
  const change = (from: string, to: string) =>
    writeFileSync(documentOf(baton), readFileSync(documentOf(baton), 'utf8').replace(from, to));
  change('Read src/notes/sync.ts', 'Read all of it');
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.getByRole('checkbox', { name: 'Read all of it' }).waitFor();
  // Changed at the moment between the read and the tick.
  await page.route('**/api/plan.update-progress', async (route) => {
    change('List its callers', 'List no callers');
    await route.continue();
  });
  await page.getByRole('checkbox', { name: 'List its callers' }).click();
  await page.getByRole('alert').getByText('Request does not fit the plan').waitFor();
  await page.getByRole('checkbox', { name: 'List no callers' }).waitFor();
  expect(await page.getByRole('checkbox', { name: 'List no callers' }).isChecked()).toBe(false);
  expect(readFileSync(documentOf(baton), 'utf8')).not.toContain('[x]');
});

verifies(
  ['DETAIL.hostile', 'PLANS.screen'],
  'hostile words of a plan are text, and one that cannot be read is reported',
  async () => {
    const { page, baton } = await stage.open();
    await writePlan(baton);
    const words = hostileWords.map((each) => `- [ ] ${each}`).join('\n');
    const text = readFileSync(documentOf(baton), 'utf8');
    writeFileSync(documentOf(baton), text.replace('- [ ] List its callers', words));
    await go(page, '/plan/offline-notes');
    await page.getByRole('checkbox', { name: '<script>alert(1)</script>' }).waitFor();
    const shown = await page.locator('main').innerText();
    for (const hidden of hiddenCharacters) expect(shown).not.toContain(hidden);
    writeFileSync(documentOf(baton), '# Nothing');
    await go(page, '/plans');
    await page.getByText('Missing Phase Progress Table').waitFor();
  },
);

for (const [colorScheme, width] of [
  ['light', 320],
  ['dark', 1280],
] as const) {
  verifies(['DETAIL.accessible'], `no plan has a violation: ${colorScheme}, ${width} pixels`, async () => {
    const { page, baton } = await stage.open({
      browser: { colorScheme, viewport: { width, height: 700 }, bypassCSP: true },
    });
    const expectSound = async () => {
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    };
    await go(page, '/plans');
    await page.getByText('There is no plan yet').waitFor();
    if (width === 320) await expectSound();
    await writePlan(baton);
    await go(page, '/plans?again');
    await page.getByText('0 / 3').waitFor();
    if (width === 1280) await expectSound();
    await go(page, '/plan/offline-notes');
    await page.getByRole('checkbox').first().waitFor();
    await expectSound();
  });
}
