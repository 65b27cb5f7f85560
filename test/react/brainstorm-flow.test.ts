import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { sampleExtraction } from './sample-extraction.ts';
import { answer, button, card, expectFocus, expectSaid, openReview, stageApplication } from './stage.ts';

const stage = stageApplication();

const countExtractions = (page: Page) => page.evaluate(() => window.stage.extractions.length);
const listAborted = (page: Page) => page.evaluate(() => window.stage.extractions.map(({ signal }) => signal.aborted));
const countDecisions = (page: Page) => page.evaluate(() => window.stage.store.getState().decisions.length);
const listHanded = (page: Page) => page.evaluate(() => window.stage.handed);

describe('the flow from a brainstorm to planning', () => {
  verifies(
    [
      'BR.screen.pin',
      'BR.screen.pin-count',
      'BR.screen.start-planning',
      'BR.success.context',
      'BR.success.edits-reflected',
      'BR.held.literals',
    ],
    'goes by mouse from a pin over an extraction and an edit to what the plan agent reads',
    async () => {
      const page = await stage.open();
      await page.getByText('0 pinned').waitFor();
      const message = page.locator('.baton-message', { hasText: 'Postgres is sound' });
      await message.hover();
      await button(message, 'Pin').click();
      await page.getByText('1 pinned').waitFor();
      await openReview(page);
      await card(page, 'Postgres is sound').getByText('PINNED', { exact: true }).waitFor();
      const lease = card(page, 'fifteen minutes unless');
      await lease.getByText('AI', { exact: true }).waitFor();
      await button(lease, 'Edit').click();
      await page.getByRole('textbox', { name: 'Decision' }).fill('A lease lasts ten minutes.');
      await button(page, 'Save').click();
      await card(page, 'ten minutes').getByText('EDITED', { exact: true }).waitFor();
      await button(card(page, 'Claims are ordered'), 'Remove').click();
      await button(page, 'Start planning').click();
      const prompt = await page.locator('pre').innerText();
      expect(prompt).toContain('- Postgres is sound, but SQLite would need no server at all.');
      expect(prompt).toContain('- A lease lasts ten minutes.');
      expect(prompt).not.toContain('fifteen minutes unless');
      expect(prompt).not.toContain('Claims are ordered');
      const [handed] = await listHanded(page);
      const frozen = await page.evaluate(() => window.stage.store.getState().frozenHash);
      expect(handed?.sha256).toBe(frozen);
      expect(handed?.snapshot.decisions).toHaveLength(4);
    },
  );

  verifies(['BR.screen.keyboard', 'BR.screen.remove'], 'goes by the keyboard alone', async () => {
    const page = await stage.open({ reducedMotion: 'reduce' });
    const pin = page.locator('.baton-message', { hasText: 'Postgres is sound' }).getByRole('button');
    await tabTo(page, pin);
    await page.keyboard.press('Space');
    expect(await pin.getAttribute('aria-pressed')).toBe('true');
    await tabTo(page, button(page, 'Ready to plan'));
    await page.keyboard.press('Enter');
    await answer(page);
    await expectFocus(page.getByRole('heading', { name: 'Review the handoff' }));
    await tabTo(page, card(page, 'Postgres is sound'));
    await tabTo(page, card(page, 'Use SQLite for the queue'));
    await tabTo(page, card(page, 'fifteen minutes unless'));
    await page.keyboard.press('e');
    await page.keyboard.type(' Always.');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('Without exception.');
    await page.keyboard.press('Enter');
    await expectFocus(card(page, 'it is renewed. Always.'));
    await page.keyboard.press('e');
    await page.keyboard.type(' Or never');
    await page.keyboard.press('Escape');
    await expectFocus(card(page, 'it is renewed. Always.'));
    await page.keyboard.press('k');
    await page.keyboard.press('Backspace');
    await expectSaid(page, 'Removed decision. Undo with Z.');
    await tabTo(page, button(page, 'Start planning'));
    await page.keyboard.press('Enter');
    const prompt = await page.locator('pre').innerText();
    expect(prompt).toContain('unless it is renewed. Always. ⏎ Without exception.');
    expect(prompt).not.toContain('Use SQLite');
    expect(prompt).not.toContain('Or never');
  });

  verifies(['BR.held.double-click', 'BR.screen.ready-disabled'], 'extracts once for a double click', async () => {
    const page = await stage.open();
    const place = await button(page, 'Ready to plan').boundingBox();
    await button(page, 'Ready to plan').dblclick();
    await page.locator('[role="status"]', { hasText: 'Reading the conversation' }).waitFor();
    expect(await button(page, 'Ready to plan').isDisabled()).toBe(true);
    expect((await button(page, 'Ready to plan').boundingBox())?.x).toBe(place?.x);
    await button(page, 'Ready to plan').click({ force: true });
    expect(await countExtractions(page)).toBe(1);
    await answer(page);
    await page.getByRole('heading', { name: 'Decisions (4)' }).waitFor();
    await button(page, 'Start planning').dblclick();
    await page.getByRole('heading', { name: 'Planning' }).waitFor();
    expect(await listHanded(page)).toHaveLength(1);
  });

  verifies(
    ['BR.screen.back-aborts', 'BR.held.late-answer', 'BR.screen.back'],
    'aborts an extraction when the person goes back or leaves, and drops an answer that comes all the same',
    async () => {
      const page = await stage.open({ settings: { deaf: 'yes' } });
      await button(page, 'Ready to plan').click();
      await button(page, 'Cancel').click();
      expect(await listAborted(page)).toEqual([true]);
      await answer(page);
      await button(page, 'Ready to plan').click();
      expect(await countDecisions(page)).toBe(0);
      await page.evaluate(() => window.stage.leave());
      expect(await listAborted(page)).toEqual([true, true]);
      await answer(page);
      expect(await countDecisions(page)).toBe(0);
      const again = await stage.open();
      await openReview(again);
      await button(again, 'Back to brainstorm').click();
      await button(again, 'Ready to plan').waitFor();
      expect(await countDecisions(again)).toBe(4);
    },
  );

  verifies(
    ['BR.held.late-answer', 'SCREEN.project'],
    'aborts an extraction for one of more messages, and for another project',
    async () => {
      const page = await stage.open({ settings: { deaf: 'yes', project: 'first' } });
      await button(page, 'Ready to plan').click();
      await button(page, 'Say more').click();
      await button(page, 'Ready to plan').click({ force: true });
      expect(await listAborted(page)).toEqual([true, false]);
      await page.evaluate((late) => window.stage.extractions[0]?.answer(late), sampleExtraction);
      expect(await button(page, 'Ready to plan').isDisabled()).toBe(true);
      await page.evaluate(() => window.stage.store.getState().openProject('second'));
      expect(await listAborted(page)).toEqual([true, true]);
      await answer(page);
      await expect.poll(() => button(page, 'Ready to plan').isDisabled()).toBe(false);
      expect(await countDecisions(page)).toBe(0);
      await page.evaluate(() => window.stage.store.getState().openProject('first'));
      expect(await countDecisions(page)).toBe(0);
    },
  );

  verifies(
    ['BR.held.failure-shown', 'SCREEN.review-kept'],
    'shows a failed extraction with what was kept, and reviews that',
    async () => {
      const page = await stage.open();
      await button(page, 'Ready to plan').click();
      await page.evaluate(() => window.stage.extractions[0]?.fail('The model did not answer within 30 s.'));
      const alert = page.getByRole('alert').filter({ hasText: 'The model did not answer within 30 s.' });
      await alert.getByText('Nothing is lost').waitFor();
      await expectFocus(button(page, 'Ready to plan'));
      await button(page.locator('.baton-message').nth(1), 'Pin').click();
      await button(page, 'Ready to plan').click();
      await page.evaluate(() => window.stage.extractions[1]?.fail('The model is gone.'));
      await page.getByText('Kept: 1 decision.').waitFor();
      await button(page, 'Review what was kept').click();
      await card(page, 'Postgres is sound').waitFor();
    },
  );

  verifies(
    ['SCREEN.empty-conversation'],
    'extracts no empty conversation, and shows what is there already',
    async () => {
      const page = await stage.open({ settings: { silent: 'yes' } });
      await button(page, 'Ready to plan').click();
      await page.getByRole('alert').getByText('There is no conversation to read yet.').waitFor();
      await page.evaluate((found) => window.stage.store.getState().mergeExtraction(found), sampleExtraction);
      await button(page, 'Ready to plan').click();
      await card(page, sampleExtraction.summary).waitFor();
      expect(await countExtractions(page)).toBe(0);
    },
  );

  verifies(['BR.held.forward-only'], 'does not come back from planning', async () => {
    const page = await stage.open();
    await openReview(page);
    await button(page, 'Start planning').click();
    await page.getByRole('heading', { name: 'Planning' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await page.evaluate(() => window.stage.flow?.back());
    await page.evaluate(() => window.stage.flow?.readyToPlan());
    await page.evaluate(() => window.stage.flow?.review());
    await page.getByRole('heading', { name: 'Planning' }).waitFor();
    expect(await countExtractions(page)).toBe(1);
  });

  verifies(['SCREEN.start-once'], 'freezes and hands on once while planning is being started', async () => {
    const page = await stage.open({ settings: { alone: 'yes' } });
    await page.evaluate(() => window.stage.store.getState().addDecision('Use SQLite.'));
    await button(page, 'Start planning').click();
    await button(page, 'Start planning').click();
    await page.keyboard.press('Control+Enter');
    const [handed, ...more] = await listHanded(page);
    expect(more).toEqual([]);
    expect(handed?.snapshot.decisions.map(({ content }) => content)).toEqual(['Use SQLite.']);
    expect(await page.evaluate(() => window.stage.store.getState().frozenHash)).toBe(handed?.sha256);
  });

  verifies(['SCREEN.start-fails'], 'says where planning cannot start, and starts at the next click', async () => {
    const page = await stage.open();
    await openReview(page);
    await page.evaluate(() => {
      window.stage.refuse = 'The store is away.';
    });
    await button(page, 'Start planning').click();
    await page.getByRole('alert').filter({ hasText: 'The store is away.' }).getByText('Kept: 4 decisions').waitFor();
    await page.evaluate(() => {
      window.stage.refuse = null;
    });
    await button(page, 'Start planning').click();
    await page.getByRole('heading', { name: 'Planning' }).waitFor();
  });

  verifies(['BR.screen.pin'], 'pins at any message by focus and touch, and unpins when pressed again', async () => {
    const page = await stage.open({ hasTouch: true, isMobile: true });
    const pins = page.getByRole('button', { name: 'Pin' });
    expect(await pins.count()).toBe(3);
    expect(await pins.first().evaluate((pin) => getComputedStyle(pin).opacity)).toBe('1');
    await pins.first().tap();
    await page.getByText('1 pinned').waitFor();
    expect(await pins.first().getAttribute('aria-pressed')).toBe('true');
    await pins.first().tap();
    await page.getByText('0 pinned').waitFor();
    const mouse = await stage.open();
    const pin = mouse.getByRole('button', { name: 'Pin' }).first();
    const opacity = () => pin.evaluate((element) => getComputedStyle(element).opacity);
    expect(await opacity()).toBe('0');
    await pin.focus();
    expect(await opacity()).toBe('1');
    await pin.blur();
    expect(await opacity()).toBe('0');
    await mouse.locator('.baton-message').nth(1).hover();
    expect(await opacity()).toBe('1');
  });
});

/** Presses Tab until a locator has the focus. */
async function tabTo(page: Page, locator: ReturnType<Page['locator']>): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await locator.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${locator}.`);
}
