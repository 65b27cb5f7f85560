import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { goodTurns, replies } from '../operations/planning-run-stage.ts';
import { verifies } from '../verifies.ts';
import { stageStudio, transcript } from './flow-stage.ts';

const stage = stageStudio();

/** Takes one step of the flow by keys; afterwards something on the page has the focus, never the page itself. */
async function step(page: Page, what: string, keys: readonly string[], sign: string): Promise<void> {
  for (const key of keys) {
    if (key.startsWith('to ')) await tabTo(page, key.slice('to '.length));
    else if (key.startsWith('type ')) await page.keyboard.insertText(key.slice('type '.length));
    else await page.keyboard.press(key);
    await expectFocusOnSomething(page, `${what}: ${key}`);
  }
  await page.locator(sign).first().waitFor();
  await expectFocusOnSomething(page, what);
}

async function expectFocusOnSomething(page: Page, when: string): Promise<void> {
  const holder = () => page.evaluate(() => document.activeElement?.tagName ?? 'none');
  await expect.poll(async () => [when, ['BODY', 'none'].includes(await holder())]).toEqual([when, false]);
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  const isThere = () =>
    page.locator(selector).evaluateAll((all) => all.some((each) => each === document.activeElement));
  for (let presses = 0; presses < 80; presses += 1) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${selector}.`);
}

for (const colorScheme of ['light', 'dark'] as const) {
  verifies(
    ['FLOW.keyboard-path'],
    `from the import to the plan by keys alone, and the focus is never on the page: ${colorScheme}`,
    async () => {
      const flow = await stage.open({ replies: replies(goodTurns), browser: { colorScheme } });
      const { page, baton } = flow;
      await page.getByRole('heading', { name: 'Hand over the first piece of work' }).waitFor();
      await page.keyboard.press('Tab');
      const way: readonly (readonly [what: string, keys: readonly string[], sign: string])[] = [
        ['Choose a way to begin', ['to text=Find sessions', 'Enter'], 'textarea'],
        ['Paste the transcript', ['to textarea', `type ${transcript}`, 'Control+Enter'], '[data-baton-item]'],
        [
          'Word a decision',
          ['to [data-baton-item^="decision:"]', 'e', 'Control+a', 'type By keys', 'Enter'],
          'text=By keys',
        ],
        ['Leave an edit', ['e', 'type x', 'Escape'], 'text=By keys'],
        ['Take out the next, and back', ['j', 'Backspace', 'z'], '[data-baton-item="decision:d2"]'],
        [
          'Read what will be told',
          ['to text=Full width, or approve without planning', 'Enter'],
          'text=Exactly this text',
        ],
        ['Go back', ['Escape'], '[data-baton-item="decision:d2"]'],
        ['Approve and plan', ['Control+Enter'], 'text=The plan is in'],
        ['Open the plan', ['to a[href^="/plan/"]', 'Enter'], '.plan-phase'],
        ['Go home', ['g', 'h'], 'text=Finished today'],
        ['Find the plan by its title', ['Control+k', 'type offline', 'Escape'], 'text=Finished today'],
        ['Go to the inbox', ['g', 'i'], '[role="row"]'],
        ['Choose its first row', ['j'], '[role="row"]:focus'],
      ];
      for (const [what, keys, sign] of way) await step(page, what, keys, sign);
      const [planned] = (await baton.run('handoff.list', { state: ['acknowledged'] })).handoffs;
      expect(planned?.content.decisions[0]?.content).toBe('By keys');
    },
  );
}
