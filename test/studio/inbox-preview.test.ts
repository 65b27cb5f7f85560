import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { firstTab } from '../../packages/studio/src/screens/inbox/tabs.ts';
import { findViolations } from '../browser/find-violations.ts';
import { verifies } from '../verifies.ts';
import { expectFocus, rowOf, stageStudio, titles } from './shell-stage.ts';

const { open } = stageStudio();

const contents = ['One', 'Two', 'Three'].map((title) => ({
  title,
  summary: `${title} of three`,
  decisions: ['Use SQLite'],
}));
const preview = (page: Page, title: string) => page.getByRole('region', { name: `Preview: ${title}`, exact: true });

for (const colorScheme of ['light', 'dark'] as const) {
  verifies(
    ['INBOX.preview', 'STUDIO.accessible'],
    `next to the list is where a handoff is and what its agent sees: ${colorScheme}`,
    async () => {
      const stage = await open({ contents, colorScheme, bypassCSP: true });
      const { page, baton, other, write } = stage;
      // Until a row has the focus it is the first.
      await preview(page, 'Three').getByText('Use SQLite').waitFor();
      const parent_id = (await other.run('handoff.list', { limit: 1 })).handoffs[0]?.id ?? '';
      const [id = ''] = await write({ title: 'Next', summary: 'x', parent_id, target_agent: 'codex' });
      await page.getByRole('button', { name: '1 new' }).waitFor();
      await page.keyboard.press('.');
      await expectFocus(rowOf(page, 'Next'));
      const pane = preview(page, 'Next');
      await pane.getByText('Continues').waitFor();
      const { text } = await baton.run('handoff.render', { id });
      const seen = pane.getByRole('region', { name: 'What the agent sees' });
      await expect.poll(() => seen.textContent()).toBe(text);
      const { content_sha256 } = await baton.run('handoff.get', { id });
      const facts = (await pane.locator('dl').innerText()).replace(/\s+/g, ' ');
      for (const part of ['Open', 'Receiver codex', content_sha256.slice(0, 12), `…${parent_id.slice(-8)}`]) {
        expect(facts).toContain(part);
      }
      await other.run('handoff.claim', { id });
      await pane.getByText(/codex · 1[45] m left/).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.keyboard.press('j');
      await preview(page, 'Three').getByText('Use SQLite').waitFor();
      await page.setViewportSize({ width: 1000, height: 700 });
      await preview(page, 'Three').waitFor({ state: 'hidden' });
    },
  );
}

verifies(['INBOX.opens-on-needs'], 'the inbox opens on what needs the person, else on what is open', async () => {
  const { page, baton, server } = await open({ contents });
  await rowOf(page, 'Three').waitFor();
  expect(new URL(page.url()).search).toBe('?tab=open');
  // Of a list that is too long to be counted, "0+" says that nothing was found.
  expect(['7', '7+', '0+', '0'].map((count) => firstTab(count).name)).toEqual(['needs', 'needs', 'open', 'open']);
  await baton.run('handoff.create', { content: { title: 'Drafted', summary: 'x' }, draft: true });
  await page.goto(`${server.url}/inbox`);
  await expect.poll(() => titles(page)).toEqual(['Drafted']);
  expect(new URL(page.url()).search).toBe('?tab=needs');
  await page.getByRole('navigation', { name: 'States' }).getByText('Needs you').waitFor();
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(['Drafted']);
});

verifies(['INBOX.why-empty'], 'a list without rows says why, and where there is something', async () => {
  const { page } = await open({ contents, path: '/inbox?tab=done&q=three' });
  await page.getByText('No handoffs match in “Done”').waitFor();
  await page.getByText('Words are searched in titles and summaries').waitFor();
  await page.getByRole('link', { name: '3 in “Ready”' }).click();
  await expect.poll(() => titles(page)).toEqual(['Three', 'Two', 'One']);
  await page.getByRole('combobox', { name: 'Filter' }).fill('from:Nobody file:x');
  await page.getByText('Names must match exactly').waitFor();
  await page.getByText('matches the beginning of a path').waitFor();
  await page.getByText('No other tab has a match either.').waitFor();
});

verifies(['SHELL.palette-titles'], 'the palette finds handoffs by title, and goes there by keys', async () => {
  const { page } = await open({ contents, path: '/settings' });
  await page.getByText('Folder').waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByLabel('Find a command or a handoff');
  await field.fill('two');
  await page.getByRole('dialog').getByRole('button', { name: 'Two (open)' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await expectFocus(page.getByRole('button', { name: 'Two (open)' }));
  await page.keyboard.press('ArrowUp');
  await expectFocus(field);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Two', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await field.fill('nothing at all');
  await page.getByText('No command and no title').waitFor();
});
