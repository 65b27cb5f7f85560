import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { message, openBrainstorm, pinsOn } from './brainstorm-stage.ts';
import { button, stageStudio as stageFlow, transcript } from './flow-stage.ts';
import { expectFocus, rowOf, stageStudio, titles } from './shell-stage.ts';

const { open } = stageStudio();
const flow = stageFlow();

verifies(['STUDIO.fast-keys'], 'keys that are pressed in the moment in which a row appears act on it', async () => {
  const { page } = await open({ contents: [{ title: 'Only', summary: 'One row' }] });
  await rowOf(page, 'Only').waitFor();
  await page.addInitScript(pressWhenShown, { selector: '.inbox-words', keys: ['j', '3'] });
  await page.reload();
  await rowOf(page, 'Only').getByText('Withdrawn').waitFor();
});

verifies(
  ['STUDIO.fast-keys', 'STUDIO.live'],
  'where the events begin late, no row moves, and all that happened meanwhile shows',
  async () => {
    const contents = ['Ended', 'Held', 'Third'].map((title) => ({ title, summary: 'x' }));
    const { page, other, write } = await open({ contents });
    await rowOf(page, 'Third').waitFor();
    const begin = await hold(page, '**/api/events*');
    await page.reload();
    await rowOf(page, 'Third').waitFor();
    await press(page, ['j', '3']);
    await rowOf(page, 'Third').getByText('Withdrawn').waitFor();
    await other.run('handoff.claim', {});
    await write({ title: 'Meanwhile', summary: 'x' });
    begin();
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await rowOf(page, 'Ended').getByText('Claimed').waitFor();
    expect(await titles(page)).toEqual(['Third', 'Held', 'Ended']);
    await rowOf(page, 'Third').getByRole('button', { name: 'Undo' }).click();
    await rowOf(page, 'Third').getByText('Open', { exact: true }).waitFor();
  },
);

verifies(['STUDIO.fast-keys'], 'in a long list, keys are not undone when its rows are counted', async () => {
  const contents = Array.from({ length: 60 }, (_, place) => ({ title: `Handoff ${place}`, summary: 'x' }));
  const { page, write } = await open({ contents });
  await rowOf(page, 'Handoff 59').waitFor();
  await write({ title: 'New', summary: 'x' });
  await page.getByRole('button', { name: '1 new' }).waitFor();
  const count = await hold(page, '**/api/handoff.count');
  await press(page, ['.']);
  await expectFocus(rowOf(page, 'New'));
  await press(page, ['j', 'j']);
  const counted = page.waitForResponse('**/api/handoff.count');
  count();
  await counted;
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('61');
  await expectFocus(rowOf(page, 'Handoff 58'));
});

verifies(['STUDIO.fast-keys'], 'keys in quick succession go to a message and pin it', async () => {
  const { page } = await flow.open();
  await openBrainstorm(page);
  await page.getByLabel('Transcript').fill(transcript);
  await button(page, 'Read it').click();
  await message(page, 5).focus();
  await press(page, ['k', 'k', 'j', 'p']);
  await page.getByText('1 pinned').waitFor();
  expect(await message(page, 4).getByText('PINNED').count()).toBe(1);
  await page.locator('.brainstorm-pin-words').focus();
  await press(page, ['Backspace', 'z']);
  expect(await pinsOn(page)).toHaveLength(1);
});

verifies(
  ['STUDIO.fast-keys', 'STUDIO.undo'],
  'undo reverts the step that is still in flight, and nothing older where that one is refused',
  async () => {
    const contents = ['First', 'Second', 'Third'].map((title) => ({ title, summary: 'x' }));
    const { page, other } = await open({ contents, isTroubled: true });
    await rowOf(page, 'Third').waitFor();
    await press(page, ['j', '3', 'z']);
    await page.getByRole('status').getByText('Requeued “Third”.').waitFor();
    await rowOf(page, 'Third').getByText('Open', { exact: true }).waitFor();
    // The focus went on to the next; two are undone, the last one first.
    await press(page, ['3', '3', 'z', 'z']);
    await page.getByRole('status').getByText('Requeued “Second”.').waitFor();
    await rowOf(page, 'First').getByText('Open', { exact: true }).waitFor();
    await press(page, ['3']);
    await page.getByRole('status').getByText('Withdrew').waitFor();
    const withdrawn = (await other.run('handoff.list', { state: ['withdrawn'] })).handoffs.map(({ id }) => id);
    await page.route('**/api/handoff.withdraw', async (route) => {
      await other.run('handoff.claim', {});
      await route.continue();
    });
    await press(page, ['3', 'z']);
    await page.getByRole('alert').getByText(/codex/).waitFor();
    const stillWithdrawn = (await other.run('handoff.list', { state: ['withdrawn'] })).handoffs.map(({ id }) => id);
    expect(stillWithdrawn).toEqual(withdrawn);
  },
);

/** Holds requests back until the returned function is called. */
async function hold(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Presses keys with nothing between them: no frame, no task. */
async function press(page: Page, keys: readonly string[]): Promise<void> {
  await page.evaluate(async (all) => {
    for (const key of all) {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      await undefined;
    }
  }, keys);
}

/** Runs in the page: the same, as soon as an element is there. */
function pressWhenShown({ selector, keys }: { selector: string; keys: readonly string[] }): void {
  const look = async () => {
    if (document.querySelector(selector) === null) return;
    observer.disconnect();
    for (const key of keys) {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      await undefined;
    }
  };
  const observer = new MutationObserver(() => void look());
  observer.observe(document, { subtree: true, childList: true });
}
