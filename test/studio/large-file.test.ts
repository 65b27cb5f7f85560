import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { button, go, stageStudio } from './flow-stage.ts';

const stage = stageStudio();
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The long form is `npm run soak -- large-file`. */
const megabytes = Number(process.env.BATON_CHOSEN_FILE_MB ?? 20);

/** More than a person takes for the answer to a press; what the page itself does takes a tenth of it. */
const TASK_MS_MAX = 500;

/** A conversation on one line, as long as a file dumped into a chat makes it. */
function writeLargeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'baton-large-'));
  folders.push(folder);
  const path = join(folder, 'large.json');
  const dump = JSON.stringify('The log says "ok"\n'.repeat(50_000)).slice(1, -1);
  const messages = Array.from({ length: megabytes }, (_, index) => `{"role":"assistant","content":"${index} ${dump}"}`);
  writeFileSync(path, `[{"role":"user","content":"We will use SQLite for the queue."},${messages.join(',')}]`);
  return path;
}

/** Notes the tasks of the page that kept it from drawing, in milliseconds. */
async function watchTasks(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
    Object.assign(window, { tasks });
  });
  return () => page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
}

verifies(
  ['FLOW.large-file'],
  'reads a file of many megabytes on one line, and the page answers all the while',
  async () => {
    const path = writeLargeFile();
    const { page, draft } = await stage.open();
    await go(page, '/import');
    await page.getByLabel('Transcript').waitFor();
    const tasks = await watchTasks(page);
    await page.locator('input[type=file]').setInputFiles(path);
    const size = `${(statSync(path).size / 1_000_000).toFixed(1)} MB`;
    await page.locator('.flow-chosen').getByText(size).waitFor();
    await button(page, 'Read it').click();
    await page.getByText(`Reading large.json, ${size}…`).waitFor();
    await page.locator('.flow-reading progress').waitFor();
    await page.getByRole('heading', { name: 'Review the handoff' }).waitFor({ timeout: 120_000 });
    const long = await tasks();
    expect(Math.max(0, ...long), `tasks of ${long.map(Math.round).join(', ')} ms`).toBeLessThan(TASK_MS_MAX);
    expect((await draft()).content.decisions.map(({ content }) => content)).toContain(
      'We will use SQLite for the queue.',
    );
  },
  180_000,
);
