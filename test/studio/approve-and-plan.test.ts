import { expect } from 'vitest';
import { findViolations } from '../browser/find-violations.ts';
import { answers } from '../extraction/model/model-server.ts';
import { goodTurns, replies } from '../operations/planning-run-stage.ts';
import { verifies } from '../verifies.ts';
import { button, card, go, importTranscript, reword, showTold, stageStudio } from './flow-stage.ts';

const stage = stageStudio();

for (const colorScheme of ['light', 'dark'] as const) {
  verifies(
    ['FLOW.one-press', 'FLOW.told-address', 'FLOW.approved-bytes'],
    `approves and plans in one press exactly what is shown next to the review: ${colorScheme}`,
    async () => {
      const flow = await stage.open({ replies: replies(goodTurns), browser: { colorScheme, bypassCSP: true } });
      const { page, baton } = flow;
      await importTranscript(flow);
      const { id } = await flow.draft();
      const told = page.getByRole('region', { name: 'What the planner will be told' });
      await reword(page, 'Show the conflict', 'Show both versions side by side.');
      await told.getByText('- Show both versions side by side.').waitFor();
      expect(await findViolations(page)).toEqual([]);
      await showTold(page);
      expect(new URL(page.url()).search).toBe('?step=told');
      await page.reload();
      const text = page.getByRole('region', { name: 'The text' });
      await text.waitFor();
      const whole = await text.locator('pre').textContent();
      await page.goBack();
      await card(page, 'Show both versions').waitFor();
      expect(await told.locator('pre').textContent()).toBe(whole);
      await button(page, 'Approve and plan').click();
      await page.waitForURL(`**/run/${id}`);
      await page.getByText('The plan is in').waitFor();
      const { delivery } = await baton.run('handoff.get', { id });
      expect(delivery.state).toBe('acknowledged');
      expect((await baton.run('handoff.render', { id })).is_as_approved).toBe(true);
      // Back leads to a review that says that it is over, not to a second approval.
      await page.goBack();
      await page.getByText('There is nothing to review').waitFor();
    },
  );
}

verifies(['FLOW.one-press'], 'on a narrow screen shows the text first, and approves and plans it there', async () => {
  const flow = await stage.open({
    replies: replies(goodTurns),
    browser: { viewport: { width: 700, height: 800 } },
  });
  const { page } = flow;
  await importTranscript(flow);
  expect(await button(page, 'Approve and plan').count()).toBe(0);
  await button(page, 'Start planning').click();
  await page.getByRole('heading', { name: 'What the planner will be told' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('The plan is in').waitFor();
});

verifies(['FLOW.refused'], 'counts the paths and quotes that the extraction refused, and shows them', async () => {
  const quote = 'Delete the production database.';
  const reply = answers({
    decisions: [
      { content: 'The database is deleted.', confidence: 1, message: 0, quote },
      {
        content: 'Notes are kept offline.',
        confidence: 1,
        message: 0,
        quote: 'I want offline notes in the field app.',
      },
    ],
    filesReferenced: [
      { path: '../../etc/passwd', relevance: 'high', context: 'x', message: -1, quote: '' },
      { path: 'src/notes.ts', relevance: 'high', context: 'x', message: -1, quote: '' },
    ],
    summary: 'Notes are kept offline.',
  });
  const flow = await stage.open({ replies: [reply], isRead: true, browser: { bypassCSP: true } });
  const { page, baton } = flow;
  await importTranscript(flow);
  const refused = page.locator('.review-refused');
  await refused.getByText('Refused: 1 path, 1 quote').click();
  expect(await refused.getByRole('listitem').allInnerTexts()).toEqual(['../../etc/passwd', quote]);
  expect(await findViolations(page)).toEqual([]);
  const { id } = await flow.draft();
  expect((await baton.run('handoff.render', { id })).text).not.toContain('passwd');
  await page.reload();
  await refused.getByText('Refused: 1 path, 1 quote').waitFor();
  await go(page, `/h/${id}`);
});
