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
const long_form_mb = process.env.BATON_CHOSEN_FILE_MB;
const megabytes = Number(long_form_mb ?? 20);

/** The longest task of the page in the long form: more than a person takes for the answer to a press, ten times what the page needs. */
const TASK_MS_MAX = 500;

/** A conversation on one line, as long as the logs that its commands printed make it. */
function writeLargeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'baton-large-'));
  folders.push(folder);
  const path = join(folder, 'large.json');
  const dump = JSON.stringify('The log says "ok"\n'.repeat(50_000)).slice(1, -1);
  const messages = Array.from({ length: megabytes }, (_, index) => `{"role":"tool","content":"${index} ${dump}"}`);
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
    if (long_form_mb !== undefined) {
      expect(Math.max(0, ...long), `tasks of ${long.map(Math.round).join(', ')} ms`).toBeLessThan(TASK_MS_MAX);
    }
    expect((await draft()).content.decisions.map(({ content }) => content)).toContain(
      'We will use SQLite for the queue.',
    );
  },
  180_000,
);

verifies(
  ['FLOW.upload-progress'],
  'says how many per cent of a chosen file are sent, and cancelled keeps nothing of it',
  async () => {
    const { page, baton } = await stage.open();
    await go(page, '/import');
    await page.getByLabel('Transcript').waitFor();
    const network = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 };
    await network.send('Network.emulateNetworkConditions', slow);
    const content = JSON.stringify([{ role: 'user', content: 'x'.repeat(4_000_000) }]);
    const file = { name: 'slow.json', mimeType: 'application/json', buffer: Buffer.from(content) };
    await page.locator('input[type=file]').setInputFiles(file);
    await button(page, 'Read it').click();
    const bar = page.getByRole('progressbar', { name: 'Sent' });
    const partSent = () => bar.evaluate((each) => (each as HTMLProgressElement).value);
    await expect.poll(partSent).toBeGreaterThan(0.02);
    const earlier = await partSent();
    await expect.poll(partSent).toBeGreaterThan(earlier);
    expect(await page.locator('.flow-reading-time').innerText()).toMatch(/^\d{1,2} % sent · \d+ s$/);
    await page.getByRole('button', { name: /^Cancel/ }).click();
    await page.getByText('Cancelled. Nothing of it was stored.').waitFor();
    expect(await bar.count()).toBe(0);
    expect(await button(page, 'Read it').evaluate((each) => each === document.activeElement)).toBe(true);
    expect((await baton.run('handoff.list', {})).handoffs).toEqual([]);
  },
);

verifies(['FLOW.upload-progress'], 'keeps nothing of a file that is cancelled while the server reads it', async () => {
  const { page, baton } = await stage.open();
  await go(page, '/import');
  await page.getByLabel('Transcript').waitFor();
  const said = 'We looked at the log again, and it says what it said before.\n'.repeat(60_000);
  const content = JSON.stringify([
    { role: 'user', content: 'We will use SQLite for the queue.' },
    { role: 'assistant', content: said },
  ]);
  await page.locator('input[type=file]').setInputFiles({
    name: 'read.json',
    mimeType: 'application/json',
    buffer: Buffer.from(content),
  });
  // The server reads in this process: only the page itself can press in the middle of it.
  await page.evaluate(() => {
    const isSent = () => document.querySelector('.flow-reading progress:not([aria-label="Sent"])') !== null;
    const cancel = () => document.querySelector<HTMLButtonElement>('.flow-reading button')?.click();
    const timer = setInterval(() => {
      if (!isSent()) return;
      clearInterval(timer);
      setTimeout(cancel, 300);
    }, 10);
  });
  await button(page, 'Read it').click();
  await page.getByText('Cancelled. Nothing of it was stored.').waitFor();
  expect((await baton.run('handoff.list', {})).handoffs).toEqual([]);
});
