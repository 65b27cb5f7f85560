import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Baton } from '../../packages/batonpass/src/operations/baton.ts';
import { verifies } from '../verifies.ts';
import { button, card, decisionsOn, go, stageStudio } from './flow-stage.ts';

const stage = stageStudio();

const decisions = ['Write to the phone first', 'Keep both versions', 'Photos come later'];

async function writeDraft(baton: Baton): Promise<string> {
  return (await baton.run('handoff.create', { content: { title: 'Notes', summary: 'x', decisions }, draft: true })).id;
}

const wordsOf = async (baton: Baton, id: string) =>
  (await baton.run('handoff.get', { id })).content.decisions.map(({ content }) => content);

async function review(page: Page, id: string): Promise<void> {
  await go(page, `/review/${id}`);
  await card(page, 'Keep both versions').waitFor();
}

const remove = (page: Page, text: string) => button(card(page, text), 'Remove').click();

const pressZ = async (page: Page) => page.getByRole('main').press('z');

verifies(
  ['STUDIO.undo-last'],
  'the last step of a review is undone first, then the last step of the inbox before, by one key',
  async () => {
    const { page, baton } = await stage.open();
    const id = await writeDraft(baton);
    const { id: other } = await baton.run('handoff.create', { content: { title: 'Other', summary: 'x' } });
    const stateOfOther = async () => (await baton.run('handoff.get', { id: other })).delivery.state;
    await go(page, `/h/${other}`);
    await page.getByRole('button', { name: /^Withdraw/ }).click();
    await expect.poll(stateOfOther).toBe('withdrawn');
    await review(page, id);
    await remove(page, 'Keep both versions');
    await remove(page, 'Photos come later');
    expect(await decisionsOn(page)).toEqual(decisions.slice(0, 1));
    await card(page, 'Write to the phone first').press('z');
    await expect.poll(() => decisionsOn(page)).toEqual([decisions[0], decisions[2]]);
    await pressZ(page);
    await expect.poll(() => decisionsOn(page)).toEqual(decisions);
    expect(await stateOfOther()).toBe('withdrawn');
    await button(page, 'Undo').click();
    await expect.poll(stateOfOther).toBe('open');
    await pressZ(page);
    await page.getByText('Nothing to undo.').waitFor();
  },
);

verifies(
  ['STUDIO.undo-last'],
  'a change of a draft is undone from another screen, and what came since stays',
  async () => {
    const { page, baton } = await stage.open();
    const id = await writeDraft(baton);
    await review(page, id);
    await remove(page, 'Keep both versions');
    // At once: before it is saved.
    await go(page, '/inbox');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await expect.poll(() => wordsOf(baton, id)).not.toContain('Keep both versions');
    await baton.run('handoff.edit', { id, changes: { add: { decisions: ['Ask the ferry'] } } });
    await pressZ(page);
    await page.getByRole('status').getByText('Undid a change of the draft “Notes”.').waitFor();
    expect((await wordsOf(baton, id)).toSorted()).toEqual([...decisions, 'Ask the ferry'].toSorted());
    await pressZ(page);
    await page.getByText('Nothing to undo.').waitFor();
  },
);

verifies(
  ['STUDIO.undo-last'],
  'where the draft was approved since, its change stays, and that is reported',
  async () => {
    const { page, baton } = await stage.open();
    const id = await writeDraft(baton);
    await review(page, id);
    await remove(page, 'Keep both versions');
    await go(page, '/inbox');
    await expect.poll(() => wordsOf(baton, id)).not.toContain('Keep both versions');
    await baton.run('handoff.approve', { id });
    await pressZ(page);
    await page.getByRole('alert').getByText('“Notes” is no longer a draft: its changes stay.').waitFor();
    expect(await wordsOf(baton, id)).not.toContain('Keep both versions');
  },
);
