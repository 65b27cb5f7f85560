import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { rowOf, stageStudio } from './shell-stage.ts';

const { open } = stageStudio();

const contents = [{ title: 'First', summary: 'The only one' }];

verifies(
  ['STUDIO.prompt'],
  'a screen waits for no clock: it shows when its part is there, and asks once for what it follows',
  async () => {
    const { page } = await open({ contents });
    await rowOf(page, 'First').waitFor();
    // Nothing that is meant for later happens now, from before the page loads.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    // The stream of events comes late.
    const { promise: isShown, resolve: show } = Promise.withResolvers<void>();
    await page.route('**/api/events', async (route) => {
      await isShown;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    show();
    await rowOf(page, 'First').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByText('sqlite:').waitFor();
    const count = (name: string) => asked.filter((path) => path === `/api/${name}`).length;
    expect(['handoff.list', 'handoff.count', 'handoff.status'].map(count)).toEqual([1, 1, 1]);
  },
);

verifies(
  ['STUDIO.broken-part'],
  'a screen whose part does not load reports that, and the others continue',
  async () => {
    const { page } = await open({ contents, isTroubled: true });
    await rowOf(page, 'First').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.route('**/assets/settings-*', (route) => route.abort());
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('alert').getByText('This screen crashed').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await rowOf(page, 'First').waitFor();
  },
);
