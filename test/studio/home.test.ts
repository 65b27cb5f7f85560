import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findViolations } from '../browser/find-violations.ts';
import { verifies } from '../verifies.ts';
import { expectFocus, type StudioStage, stageStudio } from './shell-stage.ts';

const { open } = stageStudio();

const section = (page: Page, name: string) => page.getByRole('region', { name });
const linesOf = (page: Page, name: string) => section(page, name).getByRole('listitem');

interface Written {
  asked: string;
  dead: string;
  retried: string;
  draft: string;
  held: string;
  finished: string;
}

/** One handoff of each kind that the first screen shows. */
async function writeAll({ baton, other, write }: StudioStage): Promise<Written> {
  const claim = async (id: string) => {
    const { handoff } = await other.run('handoff.claim', { id });
    return { id, token: handoff?.delivery.lease?.token ?? '' };
  };
  const one = async (title: string) => (await write({ title, summary: title }))[0] ?? '';
  const asked = await one('Asked');
  await other.run('handoff.ask', { ...(await claim(asked)), question: 'SQLite or Postgres?' });
  const { id: dead } = await baton.run('handoff.create', {
    content: { title: 'Dead', summary: 'x' },
    draft: false,
    max_attempts: 1,
  });
  await other.run('handoff.fail', { ...(await claim(dead)), reason: 'No certificate' });
  const retried = await one('Retried');
  await other.run('handoff.fail', { ...(await claim(retried)), reason: 'Timed out' });
  const { id: draft } = await baton.run('handoff.create', {
    content: { title: 'Drafted', summary: 'x', decisions: ['One', 'Two'], files: ['a.ts'] },
    draft: true,
  });
  const finished = await one('Finished');
  await other.run('handoff.acknowledge', await claim(finished));
  const held = await one('Held');
  await other.run('handoff.report', { ...(await claim(held)), text: 'Half way.' });
  await one('Ready');
  return { asked, dead, retried, draft, held, finished };
}

verifies(['HOME.needs'], 'a failure is listed after any number of later handoffs', async () => {
  const { page, other, write } = await open({ path: '/' });
  const [failed = ''] = await write({ title: 'Retried', summary: 'x' });
  const { handoff } = await other.run('handoff.claim', { id: failed });
  await other.run('handoff.fail', { id: failed, token: handoff?.delivery.lease?.token ?? '', reason: 'Timed out' });
  await write(...Array.from({ length: 60 }, (_, count) => ({ title: `Later ${count}`, summary: 'x' })));
  await page.getByRole('link', { name: '61 handoffs are ready' }).waitFor();
  expect((await linesOf(page, 'Needs you').allInnerTexts()).map(firstTitle)).toEqual(['Retried']);
  await page.getByRole('heading', { name: 'Needs you 1' }).waitFor();
});

verifies(['HOME.needs'], 'the server opens on what waits for a person, each line with its one step', async () => {
  const stage = await open({ path: '/' });
  const { page, baton, server } = stage;
  const { asked, dead, retried, draft } = await writeAll(stage);
  await linesOf(page, 'Needs you').nth(3).waitFor();
  await expect
    .poll(async () => (await linesOf(page, 'Needs you').allInnerTexts()).map(firstTitle))
    .toEqual(['Asked', 'Dead', 'Retried', 'Drafted']);
  const words = (await linesOf(page, 'Needs you').allInnerTexts()).join('\n');
  for (const part of ['codex asks: SQLite or Postgres?', 'Failed 1 of 1 times. codex: No certificate', 'Timed out']) {
    expect(words).toContain(part);
  }
  expect(words).toContain('2 decisions · 1 file');
  await page.getByRole('link', { name: '1 handoff is ready' }).or(page.getByText('2 handoffs are ready')).waitFor();

  await page.getByRole('button', { name: 'Answer Asked' }).click();
  const field = page.getByLabel('codex asks: SQLite or Postgres?');
  await expectFocus(field);
  await page.keyboard.press('Escape');
  await expectFocus(page.getByRole('button', { name: 'Answer Asked' }));
  await page.keyboard.press('Enter');
  await expectFocus(field);
  await page.keyboard.type('SQLite');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => linesOf(page, 'Needs you').count()).toBe(3);
  expect((await baton.run('handoff.get', { id: asked })).delivery.state).toBe('claimed');

  await page.getByRole('button', { name: 'Requeue Dead' }).click();
  await expect.poll(() => linesOf(page, 'Needs you').count()).toBe(2);
  expect((await baton.run('handoff.get', { id: dead })).delivery.state).toBe('open');

  await page.getByRole('link', { name: 'See why Retried failed' }).click();
  await page.waitForURL(`${server.url}/h/${retried}?tab=timeline`);
  await page.goBack();
  await page.getByRole('link', { name: 'Review Drafted' }).click();
  await page.waitForURL(`${server.url}/review/${draft}`);
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
});

const firstTitle = (line: string) => /Asked|Dead(?!\s*\n?Dead)|Retried|Drafted/.exec(line.replace(/^.*\n/, ''))?.[0];

verifies(
  ['HOME.flight', 'HOME.focus', 'SHELL.cancel'],
  'the list of holders is live, and a lease is ended by two presses; the focus stays in the list',
  async () => {
    const stage = await open({ path: '/' });
    const { page, baton } = stage;
    const { held } = await writeAll(stage);
    const line = linesOf(page, 'In flight').filter({ hasText: 'Held' });
    await line.getByText('held by codex').waitFor();
    await line
      .getByText('since now')
      .or(line.getByText(/since \d+ s/))
      .waitFor();
    await line.getByText(/last heard (?:just now|\d+ s ago)/).waitFor();
    await line.getByText('14 m left').waitFor();
    const take = page.getByRole('button', { name: 'Release Held' });
    await take.focus();
    await page.keyboard.press('Enter');
    await page.getByText('End the lease of codex?').waitFor();
    // Who presses Enter twice by habit ends nothing.
    await expectFocus(page.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Enter');
    await expectFocus(take);
    expect((await baton.run('handoff.get', { id: held })).delivery.state).toBe('claimed');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Ended the lease on “Held”').waitFor();
    await section(page, 'In flight').getByText('No agent holds a handoff now.').waitFor();
    await expectFocus(page.getByRole('heading', { name: 'In flight' }));
    expect((await baton.run('handoff.get', { id: held })).delivery.state).toBe('open');
  },
);

verifies(['HOME.flight'], 'a holder with a missing heartbeat is marked', async () => {
  const stage = await open({ path: '/' });
  const { page } = stage;
  await writeAll(stage);
  await section(page, 'In flight').getByText('held by codex').waitFor();
  await page.clock.install({ time: Date.now() + 11 * 60_000 });
  await page.reload();
  await section(page, 'In flight').getByText('⚠ last heard 11 m ago').waitFor();
  await section(page, 'In flight').getByText('3 m left').waitFor();
});

verifies(
  ['HOME.past'],
  'what was finished today is listed and plotted, and updated while the page is open',
  async () => {
    const stage = await open({ path: '/' });
    const { page, other } = stage;
    await writeAll(stage);
    await linesOf(page, 'Finished today').filter({ hasText: 'Finished' }).getByText('codex').waitFor();
    const today = page.getByRole('table', { name: 'Handoffs by day' }).getByRole('row').last();
    await expect.poll(async () => (await today.getByRole('cell').allInnerTexts()).join()).toBe('7,1');
    expect(await page.getByRole('table').getByRole('row').count()).toBe(15);
    const { handoff } = await other.run('handoff.claim', {});
    await other.run('handoff.acknowledge', {
      id: handoff?.id ?? '',
      token: handoff?.delivery.lease?.token ?? '',
    });
    await expect.poll(async () => (await today.getByRole('cell').allInnerTexts()).join()).toBe('7,2');
    await expect.poll(() => linesOf(page, 'Finished today').count()).toBe(2);
  },
);

verifies(['HOME.begin'], 'an empty store offers three ways to begin, and a dropped file is uploaded', async () => {
  const { page, server } = await open({ path: '/' });
  const way = (name: string) => page.getByRole('button', { name, exact: true });
  await way('Find sessions').click();
  await page.waitForURL(`${server.url}/import`);
  await page.goBack();
  await way('Start a brainstorm').click();
  await page.waitForURL(`${server.url}/b`);
  await page.goBack();
  await way('Choose a file').waitFor();
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['[{"role":"user","content":"We use SQLite."}]'], 'chat.json'));
    return transfer;
  });
  await page.locator('.home').dispatchEvent('drop', { dataTransfer: dropped });
  await page.waitForURL(`${server.url}/import`);
  await page.locator('.flow-chosen').getByText('chat.json').waitFor();
});

for (const { colorScheme, width } of [
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 1280 },
] as const) {
  verifies(['HOME.accessible'], `axe finds nothing, nothing is cut off: ${colorScheme}, ${width} pixels`, async () => {
    const viewport = { width, height: 700 };
    const stage = await open({ path: '/', colorScheme, viewport, bypassCSP: true });
    const { page } = stage;
    const expectSound = async () => {
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    };
    await page.getByRole('button', { name: 'Find sessions' }).waitFor();
    await expectSound();
    await writeAll(stage);
    await linesOf(page, 'Needs you').nth(3).waitFor();
    await page.getByRole('button', { name: 'Release Held' }).click();
    await page.getByRole('button', { name: 'Answer Asked' }).click();
    await expectSound();
  });
}
