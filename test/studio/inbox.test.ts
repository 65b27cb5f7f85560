import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findViolations } from '../browser/find-violations.ts';
import { verifies } from '../verifies.ts';
import { expectFocus, rowOf, type StudioStage, stageStudio, titles } from './shell-stage.ts';

const { open } = stageStudio();

const contents = ['One', 'Two', 'Three', 'Four', 'Five'].map((title, index) => ({
  title,
  summary: `${title} of five`,
  source_agent: index % 2 === 0 ? 'brainstorm-7' : 'codex',
  task_id: 'auth',
  files: [index < 2 ? 'src/form.ts' : 'docs/form.md'],
}));

const filter = (page: Page) => page.getByRole('combobox', { name: 'Filter' });
const said = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();
const selectedRows = (page: Page) => page.locator('[role="row"][aria-selected="true"] .inbox-words').allInnerTexts();

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** The states of all handoffs by title, as the store has them. */
async function statesOf({ baton }: StudioStage): Promise<Record<string, string>> {
  const { handoffs } = await baton.run('handoff.list', { limit: 100 });
  return Object.fromEntries(handoffs.map(({ content, delivery }) => [content.title, delivery.state]));
}

verifies(['INBOX.filter'], 'words are typed, suggested and chosen by keys, and are in the address', async () => {
  const { page } = await open({ contents });
  await rowOf(page, 'Five').waitFor();
  await press(page, '/');
  await expectFocus(filter(page));
  await page.keyboard.type('fr');
  await page.getByRole('option', { name: 'from:' }).waitFor();
  await press(page, 'ArrowDown', 'Enter', 'ArrowDown');
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['from:brainstorm-7', 'from:codex']);
  expect(await findActive(page)).toBe('from:brainstorm-7');
  await press(page, 'Enter');
  await expect.poll(() => titles(page)).toEqual(['Five', 'Three', 'One']);
  await page.keyboard.type('file:src/');
  await expect.poll(() => titles(page)).toEqual(['One']);
  expect(new URL(page.url()).searchParams.get('q')).toBe('from:brainstorm-7 file:src/');
  await filter(page).fill('OF FIVE state:draft state:open nothing:known');
  await page.getByText('No handoffs match').waitFor();
  await filter(page).fill('T "of FIVE" state:nonsense state:open');
  await said(page, 'state:nonsense means nothing here.');
  await filter(page).fill('"three OF"');
  await expect.poll(() => titles(page)).toEqual(['Three']);
  await press(page, 'Enter');
  await expectFocus(rowOf(page, 'Three'));
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(['Three']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => titles(page)).toHaveLength(5);
});

const findActive = (page: Page) =>
  filter(page).evaluate(
    (field) => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.innerText,
  );

verifies(['INBOX.views'], 'a view is kept in the browser, shown again, forgotten and brought back', async () => {
  const { page } = await open({ contents, path: '/inbox?tab=open&q=from:codex' });
  await expect.poll(() => titles(page)).toEqual(['Four', 'Two']);
  const views = page.locator('summary', { hasText: 'Views' });
  await views.focus();
  await press(page, 'Enter');
  await page.getByLabel('Save this view as').fill('Mine <b>');
  await press(page, 'Enter');
  await said(page, 'Saved this view as “Mine <b>”.');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => titles(page)).toHaveLength(5);
  await page.reload();
  await rowOf(page, 'Five').waitFor();
  await views.click();
  await page.getByRole('button', { name: 'Mine <b>', exact: true }).click();
  await expect.poll(() => titles(page)).toEqual(['Four', 'Two']);
  await views.click();
  await page.getByRole('button', { name: 'Delete the view Mine <b>' }).click();
  await page.getByText('No view is saved yet.').waitFor();
  await page.getByRole('button', { name: 'Undo Z' }).click();
  await page.getByText('Views 1').waitFor();
});

verifies(
  ['INBOX.select', 'INBOX.bulk', 'INBOX.grid'],
  'a stretch is selected and withdrawn by keys, and one key brings all of it back',
  async () => {
    const stage = await open({ contents });
    const { page } = stage;
    await rowOf(page, 'Five').waitFor();
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('5');
    await press(page, 'j', 'j');
    expect(await selectedRows(page)).toEqual([]);
    await press(page, 'Shift+j', 'Shift+ArrowDown');
    expect(await selectedRows(page)).toEqual(['Four', 'Three', 'Two']);
    await press(page, 'k', 'x');
    expect(await selectedRows(page)).toEqual(['Four', 'Two']);
    await page.getByLabel('Select One').check();
    await page.getByRole('region', { name: 'Selection' }).getByText('3 selected').waitFor();
    await press(page, '2');
    await said(page, 'Withdrew 3 handoffs.');
    expect(await statesOf(stage)).toEqual({
      Five: 'open',
      Four: 'withdrawn',
      Three: 'open',
      Two: 'withdrawn',
      One: 'withdrawn',
    });
    const { handoffs } = await stage.baton.run('handoff.list', { limit: 1, state: ['withdrawn'] });
    const { events } = await stage.baton.run('handoff.events', { id: handoffs[0]?.id ?? '' });
    expect(events.at(-1)?.reason).toBe('Duplicate of another handoff.');
    expect(await titles(page)).toEqual(['Five', 'Four', 'Three', 'Two', 'One']);
    expect(await selectedRows(page)).toEqual([]);
    await press(page, 'z');
    await said(page, 'Requeued 3 handoffs.');
    expect(new Set(Object.values(await statesOf(stage)))).toEqual(new Set(['open']));
    await press(page, 'Escape', 'x');
    await press(page, 'Escape');
    expect(await selectedRows(page)).toEqual([]);
  },
);

verifies(
  ['INBOX.bulk'],
  'all that match are meant, also those out of sight; each refusal is shown at its row',
  async () => {
    const stage = await open({ isTroubled: true });
    const { page, other, baton, write } = stage;
    const many = Array.from({ length: 40 }, (_, index) => ({
      title: `Handoff ${index}`,
      summary: 'x',
      task_id: 'many',
    }));
    const ids = await write(...contents, ...many);
    await page.goto(`${stage.server.url}/inbox?tab=open&q=task:many`);
    await rowOf(page, 'Handoff 39').waitFor();
    await press(page, 'j', 'Control+a');
    await page.getByText('All 40 selected').waitFor();
    await page.getByLabel('Select Handoff 38').uncheck();
    await page.getByText('All 39 selected').waitFor();
    // Somebody is faster with two of them.
    const id = ids.at(-1) ?? '';
    await page.route('**/api/handoff.withdraw', async (route) => {
      if (route.request().postData()?.includes(id) === true) await other.run('handoff.claim', { id });
      await route.continue();
    });
    await press(page, '3');
    await page.getByRole('alert').getByText('1 of 39').waitFor();
    await rowOf(page, 'Handoff 39').getByText('not done').waitFor();
    expect(await selectedRows(page)).toEqual(['Handoff 39']);
    const { counts } = await baton.run('handoff.count', {});
    expect([counts.open, counts.claimed, counts.withdrawn]).toEqual([6, 1, 38]);
    await press(page, 'Escape', 'z');
    await said(page, 'Requeued 38 handoffs.');
    expect((await baton.run('handoff.count', {})).counts.open).toBe(44);
  },
);

verifies(
  ['INBOX.verdicts', 'INBOX.after-step'],
  'a verdict moves the focus on, is undone at its row, and a missing step is reported',
  async () => {
    const stage = await open({ path: '/inbox?tab=drafts' });
    const { page, baton, server } = stage;
    const { actor } = baton.context;
    for (const { title, summary } of contents.slice(0, 3)) {
      await baton.run('handoff.create', { content: { title, summary }, draft: true }, { actor });
    }
    await page.goto(`${server.url}/inbox?tab=drafts`);
    await rowOf(page, 'Three').waitFor();
    await press(page, 'j', 'h');
    await said(page, /There is no snooze/);
    await press(page, '?');
    await page.getByRole('dialog').getByText('snooze: a handoff has no such state').waitFor();
    await press(page, 'Escape', '1');
    await said(page, 'Approved “Three”. Undo withdraws.');
    await expectFocus(rowOf(page, 'Two'));
    await press(page, '3');
    await said(page, 'Withdrew “Two”.');
    await expectFocus(rowOf(page, 'One'));
    await press(page, '3');
    await said(page, 'Withdrew “One”.');
    await expectFocus(rowOf(page, 'Two'));
    expect(await statesOf(stage)).toEqual({ Three: 'open', Two: 'withdrawn', One: 'withdrawn' });
    await rowOf(page, 'Two').getByRole('button', { name: 'Undo' }).click();
    await said(page, 'Requeued “Two”.');
    // It was never approved: it comes back as the draft that it was.
    expect(await statesOf(stage)).toMatchObject({ Two: 'draft', One: 'withdrawn' });
    await press(page, '.');
    await expect.poll(() => titles(page)).toEqual(['Two']);
    await expectFocus(rowOf(page, 'Two'));
    await press(page, '3');
    await expectFocus(page.getByRole('heading', { name: 'Inbox' }));
  },
);

verifies(
  ['INBOX.pause'],
  'while it is paused nothing changes, and afterwards everything that happened shows',
  async () => {
    const { page, other, write } = await open({ contents });
    await rowOf(page, 'Five').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await press(page, 'f');
    await page.getByRole('button', { name: 'Paused: resume' }).waitFor();
    const heard = page.waitForResponse('**/api/handoff.count');
    await other.run('handoff.claim', {});
    await write({ title: 'Six', summary: 'x' });
    // The other window shows it, so that the events have come.
    const [second] = await Promise.all([page.context().newPage()]);
    await second.goto(page.url());
    await rowOf(second, 'Six').waitFor();
    await second.close();
    expect(await rowOf(page, 'One').innerText()).toContain('Open');
    expect(await page.getByRole('button', { name: '1 new' }).count()).toBe(0);
    await press(page, 'f');
    await heard;
    await rowOf(page, 'One').getByText('Claimed').waitFor();
    await page.getByRole('button', { name: '1 new' }).waitFor();
  },
);

verifies(['INBOX.claims'], 'a claim names its holder and its lease, and reports a missing heartbeat', async () => {
  const { page, other } = await open({ contents, path: '/inbox?tab=claimed' });
  await page.getByText('No agent holds a handoff now.').waitFor();
  const { handoff } = await other.run('handoff.claim', {});
  await page.getByRole('button', { name: '1 new' }).click();
  await rowOf(page, 'One').getByText('codex · 14 m left').waitFor();
  expect(await page.getByText('no heartbeat').count()).toBe(0);
  // The page's own clock advances; the holder stays silent.
  await page.clock.install({ time: Date.now() + 11 * 60_000 });
  await page.reload();
  await rowOf(page, 'One')
    .getByText(/no heartbeat for 11 m/)
    .waitFor();
  const { id, token } = { id: handoff?.id ?? '', token: handoff?.delivery.lease?.token ?? '' };
  await press(page, 'j', 'l');
  await said(page, /only its holder can/);
  await other.run('handoff.acknowledge', { id, token });
  await page.clock.runFor(1_000);
  await rowOf(page, 'One').getByText('Acknowledged').waitFor();
});

/** What is open over the list, and what was done in it: each kind once, in one theme and width. */
const looks = [
  {
    look: { colorScheme: 'dark', width: 320 },
    ways: [
      [
        'a step undone in place',
        async (page: Page) => {
          await press(page, 'j', '3');
          await rowOf(page, 'Five').getByRole('button', { name: 'Undo' }).waitFor();
        },
      ],
      [
        'suggestions',
        async (page: Page) => {
          await press(page, '/');
          await page.keyboard.type('from:');
          await page.getByRole('option').first().waitFor();
        },
      ],
    ],
  },
  {
    look: { colorScheme: 'light', width: 1280 },
    ways: [
      [
        'a selection',
        async (page: Page) => {
          await press(page, 'j', 'Shift+j');
          await page.getByText('2 selected').waitFor();
          await page.locator('summary', { hasText: 'Views' }).click();
        },
      ],
    ],
  },
] as const;

for (const {
  look: { colorScheme, width },
  ways,
} of looks) {
  const what = `axe finds nothing in the inbox at work: ${colorScheme}, ${width} pixels`;
  verifies(['STUDIO.accessible'], what, async () => {
    const viewport = { width, height: 700 };
    const { page } = await open({ contents, colorScheme, viewport, bypassCSP: true });
    await rowOf(page, 'Five').waitFor();
    for (const [name, go] of ways) {
      await go(page);
      expect([name, await findViolations(page)]).toEqual([name, []]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
}
