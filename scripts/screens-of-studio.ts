import type { Page } from 'playwright-core';
import type { Baton } from '../packages/batonpass/src/operations/baton.ts';

/** One screen of the studio, and the steps to its contents. */
export interface Screen {
  /** The beginning of the picture's name. */
  name: string;
  path: string;
  /** Waits until everything is there. */
  show: (page: Page) => Promise<unknown>;
  /** Whether it is pictured on the width of a telephone too. Default: no. */
  isNarrowToo?: boolean;
}

/** The screens in the order of a handoff's life, for a store that holds the sample. */
export async function listScreens(baton: Baton, planned_id: string): Promise<Screen[]> {
  const { handoffs } = await baton.handoff.list({ state: ['draft', 'open'] });
  const draft = handoffs.find(({ content, delivery: { state } }) => state === 'draft' && content.decisions.length > 5);
  const rewritten = handoffs.find(({ content }) => content.supersedes_id !== undefined);
  return [
    { name: 'home', path: '/', show: home, isNarrowToo: true },
    { name: 'brainstorm-start', path: '/b', show: (page) => button(page, 'Try with a sample').waitFor() },
    { name: 'brainstorm', path: '/b', show: brainstorm, isNarrowToo: true },
    { name: 'import', path: '/import', show: (page) => page.locator('.flow-session').first().waitFor() },
    { name: 'inbox', path: '/inbox?tab=open', show: chooseRow, isNarrowToo: true },
    { name: 'inbox-review', path: '/inbox?tab=drafts', show: (page) => page.getByRole('row').first().waitFor() },
    { name: 'review', path: `/review/${draft?.id}`, show: review, isNarrowToo: true },
    {
      name: 'approval',
      path: `/review/${draft?.id}?step=told`,
      show: (page) => page.getByRole('region', { name: 'The text' }).waitFor(),
    },
    ...handoffScreens(planned_id, rewritten?.id ?? ''),
    { name: 'runs', path: '/run', show: (page) => page.getByText('Notes that work').first().waitFor() },
    { name: 'run', path: `/run/${planned_id}`, show: (page) => page.getByText('5 / 20').first().waitFor() },
    { name: 'plans', path: '/plans', show: (page) => page.getByRole('link', { name: 'offline-notes' }).waitFor() },
    {
      name: 'plan',
      path: '/plan/offline-notes',
      show: (page) => page.getByText('Waits for execute').waitFor(),
      isNarrowToo: true,
    },
    { name: 'lineage', path: `/lineage/${planned_id}`, show: (page) => page.getByRole('treeitem').nth(5).waitFor() },
    { name: 'lineage-graph', path: `/lineage/${planned_id}`, show: graph },
    { name: 'settings', path: '/settings', show: (page) => page.getByText('Folder').first().waitFor() },
    { name: 'keys', path: '/inbox?tab=open', show: keys },
  ];
}

function handoffScreens(id: string, rewritten_id: string): Screen[] {
  const part = (page: Page) => page.locator('.handoff-part, .handoff-timeline').first().waitFor();
  return [
    { name: 'handoff', path: `/h/${id}`, show: part, isNarrowToo: true },
    { name: 'handoff-receiver', path: `/h/${id}?tab=receiver`, show: part },
    { name: 'handoff-timeline', path: `/h/${id}?tab=timeline`, show: part },
    {
      name: 'handoff-diff',
      path: `/h/${rewritten_id}?tab=diff`,
      show: (page) => page.locator('.diff-line').first().waitFor(),
    },
    { name: 'handoff-raw', path: `/h/${id}?tab=raw`, show: part },
  ];
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function home(page: Page): Promise<void> {
  await page.getByText('held by night-shift').waitFor();
  await page.locator('.home-plot rect').first().waitFor();
}

/** The sample's conversation with three pins. */
async function brainstorm(page: Page): Promise<void> {
  await button(page, 'Try with a sample').click();
  for (const place of [2, 4, 5]) {
    const message = page.getByRole('article', { name: `Message ${place},` });
    await message.focus();
    await message.press('p');
  }
  await page.getByText('Pins (3)').waitFor();
}

async function chooseRow(page: Page): Promise<void> {
  await page.getByRole('row').nth(2).waitFor();
  await page.keyboard.press('j');
  // Next to the list, where there is room for it.
  if ((page.viewportSize()?.width ?? 0) >= 1_200) await page.locator('.inbox-preview-text').waitFor();
}

async function review(page: Page): Promise<void> {
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.locator('.baton-disk').first().waitFor({ state: 'attached' });
  await page.locator('.baton-inspector mark').waitFor({ state: 'attached' });
}

async function graph(page: Page): Promise<void> {
  await page.getByRole('treeitem').nth(5).waitFor();
  await page.getByRole('main').press(']');
  await page.locator('.lineage-place').nth(5).waitFor();
}

async function keys(page: Page): Promise<void> {
  await page.getByRole('row').nth(2).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
}
