import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { sha256Hex } from '../../packages/batonpass/src/core/canonical-json.ts';
import { findViolations } from '../browser/find-violations.ts';
import type { Reply } from '../extraction/model/model-server.ts';
import { holdsBack, instructionsOf } from '../extraction/model/model-stream.ts';
import { goodTurns, replies } from '../operations/planning-run-stage.ts';
import { verifies } from '../verifies.ts';
import {
  approve,
  button,
  card,
  decisionsOn,
  go,
  importTranscript,
  reword,
  showTold,
  stageStudio,
  transcript,
  wordsOf,
} from './flow-stage.ts';

const stage = stageStudio();

/** A reply that the test releases. */
function heldBack(turn: (typeof goodTurns)[number]): { reply: Reply; send: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { reply: holdsBack(turn, promise), send: resolve };
}

describe('from a transcript to a plan', () => {
  verifies(
    ['FLOW.import', 'FLOW.approved-bytes', 'FLOW.run-live', 'BR.success.context', 'BR.success.edits-reflected'],
    'what was edited in the review is approved byte for byte, and is what the planner gets',
    async () => {
      const [first, second, third, fourth] = goodTurns;
      const held = heldBack(third ?? {});
      const asked: string[] = [];
      const noting = replies([first ?? {}, second ?? {}]).map(
        (reply): Reply =>
          (response, request) => {
            asked.push(instructionsOf(request));
            reply(response, request);
          },
      );
      const flow = await stage.open({ replies: [...noting, held.reply, ...replies([fourth ?? {}])] });
      const { page, baton } = flow;
      await importTranscript(flow);
      const before = await flow.draft();
      await reword(page, 'Notes must be saved on every keystroke', 'Notes are saved while one types');
      await button(card(page, 'Show the conflict'), 'Remove').click();
      await button(card(page, "Don't merge automatically"), 'Remove').click();
      await button(page, 'Undo').click();
      await button(page, 'Add decision').click();
      await page.getByLabel('New decision').fill('Photos come later');
      await page.keyboard.press('Enter');
      await card(page, 'Photos come later').press('Alt+ArrowUp');
      await page.getByLabel('Severity').selectOption('high');
      const shown = await decisionsOn(page);
      const text = await approve(page);
      const handoff = await baton.run('handoff.get', { id: before.id });
      expect(wordsOf(handoff.content)).toEqual(shown);
      expect(shown.slice(2)).toEqual([
        'Notes are saved while one types',
        'Photos come later',
        expect.stringContaining("Don't merge automatically"),
      ]);
      const { next_steps, open_questions, origin, source_agent } = before.content;
      expect(handoff.content).toMatchObject({ next_steps, open_questions, origin, source_agent });
      expect(handoff.content.risks[0]?.severity).toBe('high');
      expect(text).toBe((await baton.run('handoff.render', { id: before.id })).text);
      expect(handoff.delivery.approval?.rendered_sha256).toBe(sha256Hex(text));
      await button(page, 'Plan with the model').click();
      await page.getByText('New from planning (1)').waitFor();
      await page.locator('.run-decision', { hasText: 'Keep the former key for a week' }).waitFor();
      await page.getByText('Running: step 3 of at most 20.').waitFor();
      expect(asked).toEqual([text, text]);
      held.send();
      await page.getByText('The plan is in').waitFor();
      await page.getByRole('heading', { name: 'Attempt 1 · Completed' }).waitFor();
      await page.getByRole('link', { name: /^Plan: / }).waitFor();
      expect(await page.locator('.run-step').count()).toBe(4);
    },
  );

  verifies(['FLOW.run-stop', 'FLOW.run-again'], 'a run is stopped, run to its end, and run again', async () => {
    const held = heldBack(goodTurns[0] ?? {});
    const flow = await stage.open({ replies: [held.reply, ...replies([...goodTurns, ...goodTurns])] });
    const { page, baton } = flow;
    await importTranscript(flow);
    const { id } = await flow.draft();
    await approve(page);
    await button(page, 'Plan with the model').click();
    await page.getByText('Running: step 1 of at most 20.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Press Escape again to stop the run.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Attempt 1 · Stopped' }).waitFor();
    await page.getByText('Ready to be planned.').waitFor();
    await button(page, 'Plan with the model').click();
    await page.getByRole('heading', { name: 'Attempt 2 · Completed' }).waitFor();
    await button(page, 'Plan again').click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByRole('heading', { name: 'Attempt 1 · Completed' }).waitFor();
    const again = await baton.run('handoff.get', { id: new URL(page.url()).pathname.slice('/run/'.length) });
    expect(again.content.parent_id).toBe(id);
  });

  verifies(
    ['FLOW.skeleton', 'FLOW.keyboard', 'BR.screen.keyboard'],
    'by the keyboard alone, without a model, to the skeleton of a plan',
    async () => {
      const flow = await stage.open({ hasFailures: true });
      const { page, baton } = flow;
      const { keyboard } = page;
      await page.getByRole('main').press('g');
      await keyboard.press('m');
      await page.getByRole('heading', { name: 'Hand a conversation over' }).waitFor();
      await tabTo(flow.page, 'textarea');
      await keyboard.insertText(transcript);
      await keyboard.press('Control+Enter');
      await page.getByRole('heading', { name: 'Review the handoff' }).waitFor();
      await tabTo(page, '[data-baton-item^="decision:"]');
      await keyboard.press('e');
      await keyboard.press('Control+a');
      await keyboard.insertText('Worded by keys');
      await keyboard.press('Enter');
      await keyboard.press('j');
      await keyboard.press('Backspace');
      await page.getByRole('region', { name: 'What the planner will be told' }).getByText('Worded by keys').waitFor();
      await keyboard.press('Control+Enter');
      await page.getByText('No model is configured to plan.').waitFor();
      await tabTo(page, 'button:has-text("Create a skeleton")');
      await keyboard.press('Enter');
      await page.getByRole('link', { name: /^Plan skeleton: / }).waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
      const [planned] = (await baton.run('handoff.list', { state: ['acknowledged'] })).handoffs;
      expect(planned?.content.decisions).toHaveLength(4);
      expect(planned?.content.decisions[0]?.content).toBe('Worded by keys');
    },
  );

  verifies(['FLOW.import', 'FLOW.file'], 'a file is shown by name and size, never as text, and is read', async () => {
    const { page } = await stage.open();
    await go(page, '/import');
    const field = page.getByLabel('Transcript');
    const file = (text: string) => ({ name: 'chat.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await field.fill('kept');
    await page.locator('input[type=file]').setInputFiles(file(''));
    await page.getByRole('alert').getByText('chat.json is empty: there is nothing to read in it.').waitFor();
    expect(await button(page, 'Read it').getAttribute('aria-disabled')).toBe('true');
    await button(page, 'Remove it').click();
    expect(await field.inputValue()).toBe('kept');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    const dropped = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'chat.json'));
      return transfer;
    }, transcript);
    await field.dispatchEvent('drop', { dataTransfer: dropped });
    await page.locator('.flow-chosen').getByText('chat.json').waitFor();
    await page.getByText(`${(transcript.length / 1_000).toFixed(1)} kB`).waitFor();
    expect(await page.locator('textarea').count()).toBe(0);
    await button(page, 'Read it').press('Enter');
    await page.getByRole('heading', { name: 'Review the handoff' }).waitFor();
  });

  verifies(['FLOW.import-fails'], 'what is no transcript is explained, and stays in its field', async () => {
    const { page } = await stage.open({ hasFailures: true });
    await go(page, '/import');
    await page.getByLabel('Transcript').fill('{"messages": [');
    await button(page, 'Read it').click();
    await page.locator('.flow-fault').waitFor();
    expect(await page.getByLabel('Transcript').inputValue()).toBe('{"messages": [');
  });
});

describe('a draft that others change while it is reviewed', () => {
  for (const [label, expected] of [
    ['Keep mine', 'Mine'],
    ['Take theirs', 'Theirs'],
  ] as const) {
    verifies(
      ['FLOW.conflict', 'FLOW.merge', 'FLOW.undo-own', 'BR.screen.local-draft'],
      `both texts are shown, and "${label}" settles it`,
      async () => {
        const flow = await stage.open();
        const { page, baton } = flow;
        await importTranscript(flow);
        const { id, content } = await flow.draft();
        await button(card(page, 'Show the conflict'), 'Edit').click();
        await page.locator('textarea[data-baton-edit]').fill('Mine');
        const found = content.decisions.find((each) => each.content.startsWith('Show the conflict'));
        const reworded = [{ id: found?.id ?? '', text: 'Theirs' }];
        await baton.run('handoff.edit', {
          id,
          changes: { reword: reworded, add: { decisions: [{ id: 'd9', content: 'New elsewhere' }] } },
        });
        // The open edit keeps its words, and shows what arrived next to them.
        await page.getByText('Changed elsewhere meanwhile. It now says:').waitFor();
        await card(page, 'New elsewhere').waitFor();
        expect(await page.locator('textarea[data-baton-edit]').inputValue()).toBe('Mine');
        // Enter, pressed by habit, overwrites nothing.
        await page.locator('textarea[data-baton-edit]').press('Enter');
        await page.getByRole('alert').getByText('Press “Keep mine” or “Take theirs”.').waitFor();
        expect(wordsOf((await flow.draft()).content)).toContain('Theirs');
        await button(page, label).click();
        await expect.poll(async () => wordsOf((await flow.draft()).content)).toContain(expected);
        const words = wordsOf((await flow.draft()).content);
        expect([words.includes('Mine'), words.includes('Theirs')]).toEqual([
          expected === 'Mine',
          expected === 'Theirs',
        ]);
        expect(words).toContain('New elsewhere');
      },
    );
  }

  verifies(
    ['FLOW.unsent', 'FLOW.saved-state', 'FLOW.conflict'],
    'words written while the server is down are kept until it is back, and next to what came meanwhile',
    async () => {
      const flow = await stage.open({ hasFailures: true });
      const { page, baton } = flow;
      await importTranscript(flow);
      const { id, content } = await flow.draft();
      await page.route('**/api/handoff.edit', (route) => route.abort());
      await reword(page, 'Show the conflict', 'Mine');
      await page.getByText('Not saved: The server does not answer.').waitFor();
      expect(await page.getByText(/^Saved/).count()).toBe(0);
      const found = content.decisions.find((each) => each.content.startsWith('Show the conflict'));
      await baton.run('handoff.edit', { id, changes: { reword: [{ id: found?.id ?? '', text: 'Theirs' }] } });
      await page.getByText('You and somebody else changed this decision.').waitFor();
      await page.reload();
      await page.getByText('You and somebody else changed this decision.').waitFor();
      await button(page, 'Approve and plan').click();
      await page.getByText('Choose first between your words and theirs').waitFor();
      await button(page, '1 choice to make').click();
      expect(await button(page, 'Keep mine').evaluate((each) => each === document.activeElement)).toBe(true);
      await page.unroute('**/api/handoff.edit');
      await button(page, 'Keep mine').click();
      await expect.poll(async () => wordsOf((await flow.draft()).content)).toContain('Mine');
    },
  );

  verifies(['FLOW.unsent', 'BR.held.flush'], 'a reload in mid-edit keeps the words', async () => {
    const flow = await stage.open();
    const { page } = flow;
    await importTranscript(flow);
    await button(card(page, 'Show the conflict'), 'Edit').click();
    await page.locator('textarea[data-baton-edit]').fill('Said before the reload');
    await page.reload();
    await card(page, 'Said before the reload').waitFor();
    await expect.poll(async () => wordsOf((await flow.draft()).content)).toContain('Said before the reload');
  });

  verifies(
    ['FLOW.approval-stale'],
    'a text that changed after it was shown is shown again before it is approved',
    async () => {
      const flow = await stage.open();
      const { page, baton } = flow;
      await importTranscript(flow);
      const { id } = await flow.draft();
      await showTold(page);
      await baton.run('handoff.edit', { id, changes: { add: { decisions: ['New elsewhere'] } } });
      await page.getByText('The draft was changed meanwhile').waitFor();
      expect(await button(page, 'Approve').count()).toBe(0);
      await button(page, 'Show the current text').click();
      await page.getByText('New elsewhere').waitFor();
      await button(page, 'Approve').click();
      await page.getByText('Ready to be planned.').waitFor();
      expect((await baton.run('handoff.get', { id })).delivery.state).toBe('open');
    },
  );

  verifies(
    ['FLOW.closed'],
    'a draft that was approved elsewhere shows that, and keeps what came too late',
    async () => {
      const flow = await stage.open({ hasFailures: true });
      const { page, baton } = flow;
      await importTranscript(flow);
      const { id } = await flow.draft();
      await page.route('**/api/handoff.edit', (route) => route.abort());
      await reword(page, 'Show the conflict', 'Too late');
      await baton.run('handoff.approve', { id });
      await page.getByText('This draft can no longer be changed').waitFor();
      const late = page.locator('.flow-closed li', { hasText: 'Too late' });
      await late.waitFor();
      await page.reload();
      await late.waitFor();
      await button(page, 'Discard them').click();
      expect(await late.count()).toBe(0);
    },
  );
});

describe('the look of the flow', () => {
  const looks = [
    { name: 'in the light theme', options: { colorScheme: 'light' as const } },
    {
      name: 'in the dark theme at 320 pixels',
      options: { colorScheme: 'dark' as const, viewport: { width: 320, height: 640 } },
    },
  ];
  for (const { name, options } of looks) {
    verifies(['FLOW.accessible'], `no screen has a violation ${name}`, async () => {
      const flow = await stage.open({
        hasFailures: true,
        browser: { ...options, bypassCSP: true },
        replies: replies(goodTurns),
      });
      const { page, baton } = flow;
      const expectSound = async () => {
        expect(await findViolations(page)).toEqual([]);
        const excess = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(excess).toBe(0);
      };
      await go(page, '/import');
      await page.getByText('None was found on this machine.').waitFor();
      await expectSound();
      await importTranscript(flow);
      const { id, content } = await flow.draft();
      await page.route('**/api/handoff.edit', (route) => route.abort());
      await reword(page, 'Show the conflict', 'Mine');
      await page.getByText('Not saved: The server').waitFor();
      const found = content.decisions.find((each) => each.content.startsWith('Show the conflict'));
      await baton.run('handoff.edit', { id, changes: { reword: [{ id: found?.id ?? '', text: 'Theirs' }] } });
      await page.getByText('You and somebody else changed this decision.').waitFor();
      await expectSound();
      await page.unroute('**/api/handoff.edit');
      await button(page, 'Take theirs').click();
      // At 320 pixels nothing is next to the lists: the text is shown first.
      await page.getByRole('button', { name: /^(?:Start planning|Approve and plan)$/ }).waitFor();
      await expectSound();
      await go(page, `/review/${id}?step=told`);
      await page.getByRole('region', { name: 'The text' }).waitFor();
      await expectSound();
      await button(page, 'Approve').click();
      await button(page, 'Plan with the model').click();
      await page.getByText('The plan is in').waitFor();
      await page.locator('.run-step').nth(1).click();
      await expectSound();
    });
  }
});

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.locator(selector).evaluateAll((all) => all.includes(document.activeElement as never))) return;
  }
  throw new Error(`Tab does not reach ${selector}.`);
}

verifies(['FLOW.receiver'], 'what is for another agent is approved for him, and needs no decision', async () => {
  const { page, baton } = await stage.open();
  const content = {
    title: 'Look at it',
    summary: 'The page leaks a path.',
    target_agent: 'codex',
    next_steps: ['Look'],
  };
  const { id } = await baton.run('handoff.create', { content, draft: true });
  await go(page, `/review/${id}`);
  await button(page, 'Show what is approved').click();
  await page.getByRole('heading', { name: 'What codex will be told' }).waitFor();
  await button(page, 'Approve').click();
  await page.waitForURL(`**/h/${id}`);
  const { delivery, content: approved } = await baton.run('handoff.get', { id });
  expect([delivery.state, approved.target_agent]).toEqual(['open', 'codex']);
});
