import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { goodTurns, replies } from '../operations/planning-run-stage.ts';
import { verifies } from '../verifies.ts';
import {
  act,
  advice,
  composer,
  found,
  message,
  openBrainstorm,
  pinned,
  pinsOn,
  question,
  ready,
  say,
  saying,
  select,
  whole,
} from './brainstorm-stage.ts';
import { approve, button, card, decisionsOn, stageStudio, transcript } from './flow-stage.ts';

const stage = stageStudio();

describe('from the first question to the finished plan', () => {
  verifies(
    [
      'STORM.flow-mouse',
      'STORM.back',
      'STORM.pin',
      'BR.success.context',
      'BR.screen.back',
      'BR.screen.pin',
      'BR.screen.pin-count',
    ],
    'by mouse: chat, pin a sentence, read by the model, review, approve, plan',
    async () => {
      const flow = await stage.open({ replies: [saying(advice), found, ...replies(goodTurns)] });
      const { page, baton } = flow;
      await page.getByRole('navigation').getByRole('link', { name: 'Brainstorm' }).click();
      await composer(page).fill(question);
      await page.getByRole('button', { name: /^Send/ }).click();
      await whole(page);
      await select(page, 1, pinned);
      await act(page, 1, 'Pin').click();
      expect(await pinsOn(page)).toEqual([pinned]);
      await page.getByText('1 pinned').waitFor();
      await ready(page);
      const [first] = await decisionsOn(page);
      expect(first).toBe(pinned);
      expect((await flow.draft()).content.decisions[0]).toMatchObject({
        source: 'user-pinned',
        evidence: { message: 1, quote: pinned },
      });
      // Back, the chat and its pins are as they were; a second pin joins the same draft.
      const { id } = await flow.draft();
      await button(page, 'Back to brainstorm').click();
      await message(page, 1).waitFor();
      expect(await pinsOn(page)).toEqual([pinned]);
      await act(page, 0, 'Pin').click();
      await ready(page);
      expect((await flow.draft()).id).toBe(id);
      expect((await decisionsOn(page)).slice(0, 2)).toEqual([pinned, question]);
      await button(card(page, question), 'Remove').click();
      const text = await approve(page);
      expect(text).toContain(`- ${pinned}`);
      await button(page, 'Plan with the model').click();
      await page.getByText('The plan is in').waitFor();
      expect((await baton.run('handoff.get', { id })).delivery.state).toBe('acknowledged');
    },
  );

  verifies(
    ['STORM.flow-keys', 'BR.screen.keyboard'],
    'by the keyboard alone: chat, pin, read, review, approve, plan',
    async () => {
      const flow = await stage.open({ replies: [saying(advice), found, ...replies(goodTurns)] });
      const { page, baton } = flow;
      const { keyboard } = page;
      await page.getByRole('main').press('g');
      await keyboard.press('b');
      await page.getByRole('heading', { name: 'Think it through' }).waitFor();
      await keyboard.press('i');
      await keyboard.insertText(question);
      await keyboard.press('Control+Enter');
      await message(page, 1).waitFor();
      await whole(page);
      await tabTo(page, '[data-message]');
      await keyboard.press('k');
      await keyboard.press('j');
      await keyboard.press('p');
      await page.getByText('1 pinned').waitFor();
      await keyboard.press('k');
      await keyboard.press('r');
      await expect.poll(() => composer(page).inputValue()).toBe(`> ${question}\n\n`);
      await keyboard.press('Control+Shift+Enter');
      await page.getByRole('heading', { name: 'Review the handoff' }).waitFor();
      const { id, content } = await flow.draft();
      expect(content.decisions[0]).toMatchObject({ content: advice, source: 'user-pinned' });
      await page.getByRole('region', { name: 'What the planner will be told' }).getByText(pinned).waitFor();
      await keyboard.press('Control+Enter');
      await page.getByText('The plan is in').waitFor();
      expect((await baton.run('handoff.get', { id })).delivery.state).toBe('acknowledged');
    },
  );

  verifies(
    ['STORM.transcript', 'STORM.back'],
    'without a model: a pasted transcript is shown, pinned, and read by rules',
    async () => {
      const flow = await stage.open();
      const { page } = flow;
      await openBrainstorm(page);
      await page.getByText('No model answers here.').waitFor();
      await page.getByText('ANTHROPIC_API_KEY').waitFor();
      await page.getByLabel('Transcript').fill(transcript);
      await button(page, 'Read it').click();
      await message(page, 5).waitFor();
      expect(await page.getByRole('article').count()).toBe(6);
      await select(page, 4, "Don't merge automatically");
      await page.keyboard.press('p');
      await act(page, 2, 'Pin').click();
      expect((await pinsOn(page))[0]).toBe("Don't merge automatically");
      await say(page, 'Decided: photos come in the second version.');
      await message(page, 6).waitFor();
      await page.getByRole('button', { name: /^Add/ }).waitFor();
      await ready(page);
      const { content } = await flow.draft();
      expect(content.decisions.slice(0, 2)).toMatchObject([
        { content: "Don't merge automatically", evidence: { message: 4 } },
        { source: 'user-pinned', evidence: { message: 2 } },
      ]);
      expect(content.origin?.extractor).toBe('rules');
      await button(page, 'Back to brainstorm').click();
      await message(page, 6).waitFor();
      expect(await pinsOn(page)).toHaveLength(2);
    },
  );
});

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.locator(selector).evaluateAll((all) => all.includes(document.activeElement as never))) return;
  }
  throw new Error(`Tab does not reach ${selector}.`);
}
