import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { findViolations } from '../browser/find-violations.ts';
import { answers, keepsSilent, type Reply } from '../extraction/model/model-server.ts';
import { verifies } from '../verifies.ts';
import { button, go, stageStudio } from './flow-stage.ts';

const stage = stageStudio();

/** A chat of 120 messages: three windows. */
const long = JSON.stringify({
  session_id: 'long-chat',
  messages: Array.from({ length: 120 }, (_, place) => ({
    role: place % 2 === 0 ? 'user' : 'assistant',
    content: place === 0 ? 'Use SQLite for the queue.' : `This is message ${place} of them.`,
  })),
});

const found = answers({
  decisions: [{ content: 'The queue uses SQLite.', confidence: 1, message: 0, quote: 'Use SQLite for the queue.' }],
  filesReferenced: [{ path: 'src/queue.ts', relevance: 'high', context: 'The queue.', message: -1, quote: '' }],
  summary: 'The queue uses SQLite.',
});

/** A reply that the test releases. */
function held(reply: Reply): { reply: Reply; send: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { reply: (response, request) => void promise.then(() => reply(response, request)), send: resolve };
}

async function read(page: Page): Promise<void> {
  await go(page, '/import');
  await page.getByLabel('Transcript').fill(long);
  await button(page, 'Read it').click();
}

const saying = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

describe('the reading of a conversation', () => {
  verifies(
    ['FLOW.import-progress'],
    'shows what is read of all and what was found so far, part by part, and at last the result',
    async () => {
      const [second, third] = [held(answers({})), held(answers({}))];
      const flow = await stage.open({ replies: [found, second.reply, third.reply], isRead: true });
      const { page } = flow;
      await read(page);
      await saying(page, '50 of 120 messages read; 1 decision, 1 file so far.');
      const bar = page.getByRole('progressbar', { name: 'Messages read' });
      expect(await bar.evaluate((each) => [each.getAttribute('value'), each.getAttribute('max')])).toEqual([
        '50',
        '120',
      ]);
      expect(await findViolations(page)).toEqual([]);
      second.send();
      await saying(page, '95 of 120 messages read; 1 decision, 1 file so far.');
      third.send();
      await page.getByRole('heading', { name: 'Review the handoff' }).waitFor();
      await saying(page, 'Read 120 messages: 1 decision, 1 file, 0 risks.');
    },
  );

  verifies(
    ['FLOW.import-progress'],
    'is stopped in the middle, and leaves nothing but the words in their field',
    async () => {
      const flow = await stage.open({ replies: [found, keepsSilent], isRead: true });
      const { page, baton } = flow;
      await read(page);
      await saying(page, '50 of 120 messages read');
      await page.getByRole('button', { name: /^Cancel/ }).click();
      await saying(page, 'Cancelled. Nothing of it was stored.');
      expect(await page.getByRole('progressbar').count()).toBe(0);
      expect(await page.getByLabel('Transcript').inputValue()).toBe(long);
      expect((await baton.run('handoff.list', {})).handoffs).toEqual([]);
    },
  );

  verifies(
    ['FLOW.import-progress'],
    'a second reading next to a review shows the same, and stopped leaves the draft as it was',
    async () => {
      const flow = await stage.open({ replies: [found, answers({}), answers({}), found, keepsSilent], isRead: true });
      const { page, baton } = flow;
      await go(page, '/b');
      await page.getByLabel('Transcript').fill(long);
      await button(page, 'Read it').click();
      await button(page, 'Ready to plan').click();
      await page.getByRole('heading', { name: 'Review the handoff' }).waitFor();
      const before = await flow.draft();
      // A day later the review offers to re-read.
      const opened = new URL(page.url());
      await page.clock.setFixedTime(Date.now() + 30 * 60 * 60_000);
      await page.goto(`${opened.origin}/review/${before.id}`);
      await button(page, 'Extract again').click();
      await saying(page, 'Reading the conversation again… 50 of 120 messages read; 1 decision, 1 file so far.');
      await button(page, 'Cancel').click();
      await saying(page, 'Cancelled. The draft is unchanged.');
      expect((await baton.run('handoff.get', { id: before.id })).content).toEqual(before.content);
    },
  );
});
