import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { EvidencedResult } from '../../packages/batonpass/src/extraction/extraction-result.ts';
import { verifies } from '../verifies.ts';
import { button, card, expectFocus, expectSaid, openReview, stageApplication, texts } from './stage.ts';

const stage = stageApplication();

const few: EvidencedResult = {
  decisions: ['First.', 'Second.', 'Third.'].map((content, message) => ({
    content,
    confidence: 1,
    evidence: { message, quote: content },
  })),
  filesReferenced: [{ path: 'src/a.ts', relevance: 'low', context: 'Holds it.' }],
  risks: [{ description: 'It may break.', severity: 'medium' }],
  summary: 'A summary.',
};

const contents = (page: Page) =>
  page.evaluate(() => window.stage.store.getState().decisions.map(({ content }) => content));

describe('the review screen', () => {
  verifies(
    ['BR.screen.lists', 'BR.screen.cards', 'BR.held.confidence', 'BR.held.literals'],
    'shows decisions, files and risks in stacked lists, with label, quote and a confidence that says something, and the implied ones below a line',
    async () => {
      const page = await stage.open();
      await openReview(page);
      const headings = await page.getByRole('heading', { level: 3 }).allTextContents();
      expect(headings).toEqual(['Summary', 'Decisions (4)', 'Files (2)', 'Risks (2)']);
      const sqlite = card(page, 'Use SQLite for the queue');
      await sqlite.getByText('AI', { exact: true }).waitFor();
      expect(await sqlite.getByText('confidence').count()).toBe(0);
      await sqlite.getByText("message 2 let's go with sqlite, one file, no server").waitFor();
      await button(sqlite, 'Edit').waitFor();
      await button(sqlite, 'Remove').waitFor();
      expect(await page.locator('.baton-implied h4').textContent()).toBe('Implied (2)');
      const implied = await page.locator('.baton-implied .baton-text').allTextContents();
      expect(implied).toEqual([
        expect.stringContaining('No round trip'),
        expect.stringContaining('Claims are ordered'),
      ]);
      await card(page, 'No round trip').getByText('confidence 55 %').waitFor();
      const tops = await page
        .locator('section')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
      expect(tops).toEqual([...tops].sort((a, b) => a - b));
      expect(new Set(tops).size).toBe(4);
    },
  );

  verifies(['SCREEN.inline-code'], 'shows the text between backticks as code, and edits it as it was', async () => {
    const page = await stage.open();
    const content = 'Keep `updated_by` in `db/schema.sql`, and a lone ` as it is.';
    await openReview(page, {
      ...few,
      decisions: [{ content, confidence: 1, evidence: { message: 0, quote: content } }],
    });
    const entry = card(page, 'Keep updated_by');
    expect(await entry.locator('.baton-text code').allTextContents()).toEqual(['updated_by', 'db/schema.sql']);
    expect(await entry.locator('.baton-quote code').count()).toBe(2);
    await entry.getByText('and a lone ` as it is.').first().waitFor();
    await button(entry, 'Edit').click();
    expect(await page.getByRole('textbox', { name: 'Decision' }).inputValue()).toBe(content);
  });

  verifies(
    ['BR.screen.remove', 'BR.held.focus', 'BR.held.live-region', 'BR.held.undo'],
    'removes, moves the focus to the next entry, else the one before, else the heading, announces it, and undoes',
    async () => {
      const page = await stage.open();
      await openReview(page, few);
      await button(card(page, 'Second.'), 'Remove').click();
      await expectFocus(card(page, 'Third.'));
      await expectSaid(page, 'Removed decision. Undo with Z.');
      expect(await contents(page)).toEqual(['First.', 'Third.']);
      await page.keyboard.press('#');
      await expectFocus(card(page, 'First.'));
      await page.keyboard.press('Backspace');
      await expectFocus(page.getByRole('heading', { name: 'Decisions (0)' }));
      expect(await page.locator('[aria-live="polite"]').count()).toBe(1);
      for (const content of ['First.', 'Third.', 'Second.']) {
        await page.keyboard.press('z');
        await expectFocus(card(page, content));
      }
      expect(await contents(page)).toEqual(['First.', 'Second.', 'Third.']);
      await page.keyboard.press('Shift+Z');
      await page.keyboard.press('Control+z');
      await expectFocus(card(page, 'Second.'));
      await button(card(page, 'src/a.ts'), 'Remove').click();
      await expectFocus(page.getByRole('heading', { name: 'Files (0)' }));
      await button(page, 'Undo').click();
      await expectFocus(card(page, 'src/a.ts'));
      await button(page, 'Redo').click();
      await expectSaid(page, 'Redone.');
      expect(await page.evaluate(() => window.stage.store.getState().filesReferenced)).toEqual([]);
    },
  );

  verifies(
    ['BR.screen.start-hidden', 'BR.held.start-hidden-why', 'BR.held.literals', 'BR.screen.back'],
    'hides "Start planning" without decisions and says why; without any entry it says that and leads back',
    async () => {
      const page = await stage.open();
      await openReview(page, { ...few, decisions: [] });
      expect(await button(page, 'Start planning').count()).toBe(0);
      await page.getByText('Planning needs at least one decision.').waitFor();
      await page.locator('[data-baton-item^="file"]').focus();
      await page.keyboard.press('Control+Enter');
      await button(card(page, 'src/a.ts'), 'Remove').click();
      await button(card(page, 'It may break.'), 'Remove').click();
      await page.getByText('Nothing to hand off yet', { exact: true }).waitFor();
      await expectFocus(page.getByRole('heading', { name: 'Review the handoff' }));
      expect(await button(page, 'Start planning').count()).toBe(0);
      await page.keyboard.press('a');
      await page.keyboard.type('Decided here.');
      await page.keyboard.press('Enter');
      await button(page, 'Start planning').waitFor();
      await expectSaid(page, 'Added decision.');
      await button(page, 'Back to brainstorm').click();
      await button(page, 'Ready to plan').waitFor();
      expect(await page.evaluate(() => window.stage.handed)).toEqual([]);
    },
  );

  verifies(
    ['BR.screen.local-draft', 'SCREEN.conflict', 'SCREEN.removed-elsewhere', 'SCREEN.open-edits'],
    'keeps a draft through every change of the store, and shows both texts where the stored one changed',
    async () => {
      const page = await stage.open();
      await openReview(page, few);
      await card(page, 'Second.').focus();
      await page.keyboard.press('e');
      await page.keyboard.type(' Mine');
      await page.evaluate(() => {
        const { addDecision, removeDecision, decisions, moveDecision } = window.stage.store.getState();
        addDecision('Fourth.');
        removeDecision(decisions[0]?.id ?? '');
        moveDecision(decisions[1]?.id ?? '', 2);
      });
      const field = page.getByRole('textbox', { name: 'Decision' });
      expect(await field.inputValue()).toBe('Second. Mine');
      await expectFocus(field);
      expect(await page.getByText('Changed elsewhere meanwhile').count()).toBe(0);
      const theirs = (text: string) =>
        page.evaluate((given) => {
          const { decisions, updateDecision } = window.stage.store.getState();
          updateDecision(decisions.at(-1)?.id ?? '', given);
        }, text);
      await theirs('Theirs.');
      await page.getByText('Changed elsewhere meanwhile').waitFor();
      await page.locator('.baton-conflict', { hasText: 'Theirs.' }).waitFor();
      expect(await field.inputValue()).toBe('Second. Mine');
      await button(page, 'Start planning').click();
      await page.getByRole('alert').filter({ hasText: 'save or cancel it, then start planning' }).waitFor();
      await expectFocus(field);
      await button(page, 'Take theirs').click();
      await expectFocus(card(page, 'Theirs.'));
      await page.keyboard.press('Enter');
      await page.keyboard.type(' And mine.');
      await page.evaluate(() => {
        const { decisions, removeDecision } = window.stage.store.getState();
        removeDecision(decisions.at(-1)?.id ?? '');
      });
      await page.getByText('Removed elsewhere meanwhile').waitFor();
      await page.keyboard.press('Enter');
      expect(await contents(page)).toEqual(['Third.', 'Fourth.', 'Theirs. And mine.']);
      await button(card(page, 'Third.'), 'Edit').click();
      await page.keyboard.type(' Open.');
      await button(page, 'Start planning').click();
      await page.locator('pre', { hasText: '- Third. Open.' }).waitFor();
    },
  );

  verifies(['SCREEN.project'], 'leaves an open draft behind when another project is opened', async () => {
    const page = await stage.open({ settings: { project: 'first' } });
    await openReview(page, few);
    await button(card(page, 'Second.'), 'Edit').click();
    await page.keyboard.type(' Of the first project.');
    await page.evaluate(() => window.stage.store.getState().openProject('second'));
    await page.getByText('Nothing to hand off yet').waitFor();
    await button(page, 'Back to brainstorm').click();
    expect(await contents(page)).toEqual([]);
  });

  verifies(
    ['BR.held.new-from-planning', 'SCREEN.accept-reject'],
    'shows what planning added as new, to accept or to reject',
    async () => {
      const page = await stage.open();
      await openReview(page, few);
      await page.evaluate(() => {
        const { freezeForPlanning, addDecision } = window.stage.store.getState();
        freezeForPlanning();
        addDecision('Found while planning.', 'ai-extracted');
        addDecision('Found later.', 'ai-extracted');
      });
      await page.getByRole('heading', { name: 'New from planning (2)' }).waitFor();
      const frozen = await page.evaluate(() => window.stage.store.getState().frozenPayload?.decisions.length);
      expect(frozen).toBe(3);
      await button(card(page, 'Found while planning.'), 'Accept').click();
      await expectFocus(card(page, 'Found later.'));
      await page.getByRole('heading', { name: 'New from planning (1)' }).waitFor();
      await button(card(page, 'Found later.'), 'Reject').click();
      expect(await page.getByText('New from planning').count()).toBe(0);
      expect(await texts(page, 'decision')).toEqual(['First.', 'Second.', 'Third.', 'Found while planning.']);
    },
  );

  verifies(
    ['SCREEN.wording', 'SCREEN.order'],
    'words summary, files and risks, sets levels, and reorders',
    async () => {
      const page = await stage.open();
      await openReview(page, few);
      const word = async (place: string, label: string, text: string) => {
        await button(card(page, place), 'Edit').click();
        await page.getByRole('textbox', { name: label, exact: true }).fill(text);
        await page.keyboard.press('Enter');
      };
      await word('A summary.', 'Summary', 'Another summary.');
      await word('src/a.ts', 'Why this file matters', 'Holds it all.');
      await word('It may break.', 'Risk', 'It will break.');
      await card(page, 'It will break.').focus();
      await page.keyboard.press('1');
      await card(page, 'src/a.ts').getByLabel('Relevance').selectOption('high');
      await card(page, 'Third.').focus();
      await page.keyboard.press('Alt+ArrowUp');
      await expectSaid(page, 'Moved decision to place 2 of 3.');
      await expectFocus(card(page, 'Third.'));
      await page.keyboard.press('Alt+ArrowUp');
      await page.keyboard.press('Alt+ArrowUp');
      await expectSaid(page, 'Already the first.');
      expect(await texts(page, 'decision')).toEqual(['Third.', 'First.', 'Second.']);
      const state = await page.evaluate(() => {
        const { brainstormSummary, filesReferenced, risks } = window.stage.store.getState();
        return { brainstormSummary, file: filesReferenced[0], risk: risks[0] };
      });
      expect(state).toMatchObject({
        brainstormSummary: 'Another summary.',
        file: { context: 'Holds it all.', relevance: 'high' },
        risk: { description: 'It will break.', severity: 'high' },
      });
      await word('Third.', 'Decision', '   ');
      await page.getByRole('alert').filter({ hasText: 'A decision needs a text' }).waitFor();
      expect(await contents(page)).toEqual(['Third.', 'First.', 'Second.']);
    },
  );

  verifies(
    ['SCREEN.keys'],
    'hears single keys on the screen alone, never in a field, and not where they are off',
    async () => {
      const page = await stage.open();
      await openReview(page, few);
      await page.getByRole('heading', { name: 'Review the handoff' }).focus();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await expectFocus(card(page, 'First.'));
      await page.keyboard.press(']');
      await expectFocus(card(page, 'src/a.ts'));
      await page.keyboard.press('[');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('k');
      await page.keyboard.press('e');
      await page.keyboard.type('ejkaz#');
      expect(await page.getByRole('textbox').inputValue()).toBe('First.ejkaz#');
      await page.keyboard.press('Escape');
      await page.getByRole('status').getByText('Edit cancelled.').waitFor();
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await page.keyboard.press('#');
      expect(await contents(page)).toEqual(['First.', 'Second.', 'Third.']);
      const off = await stage.open({ settings: { keys: 'off' } });
      await openReview(off, few);
      await card(off, 'First.').focus();
      for (const key of ['#', 'Backspace', 'a', 'e', 'j']) await off.keyboard.press(key);
      await expectFocus(card(off, 'First.'));
      expect(await contents(off)).toEqual(['First.', 'Second.', 'Third.']);
      await button(card(off, 'First.'), 'Remove').click();
      await expectSaid(off, 'Removed decision. Undo with the button below.');
      await off.keyboard.press('Control+z');
      await expectFocus(card(off, 'First.'));
    },
  );

  verifies(
    ['REVIEW.select', 'SCREEN.keys'],
    'selects down and up to either end, all, and back to nothing, by keys',
    async () => {
      const page = await stage.open();
      await openReview(page, few);
      const press = async (key: string, count: number) => {
        await page.keyboard.press(key);
        await expect.poll(() => page.locator('[data-baton-item][data-chosen="true"]').count()).toBe(count);
      };
      await card(page, 'First.').focus();
      await press('Shift+J', 2);
      await press('Shift+J', 3);
      await expectFocus(card(page, 'Third.'));
      await press('Escape', 0);
      await press('Shift+K', 2);
      await expectFocus(card(page, 'Second.'));
      await press('x', 1);
      await press('Control+a', 5);
      await press('Escape', 0);
      // At the end the entry alone is selected, and the summary never is.
      await card(page, 'It may break.').focus();
      await press('Shift+J', 1);
      await expectFocus(card(page, 'It may break.'));
      await press('Escape', 0);
      await card(page, 'First.').focus();
      await press('Shift+K', 1);
      await expectFocus(card(page, 'A summary.'));
    },
  );

  verifies(['BR.held.stale-banner'], 'says after 24 hours that the draft is old, and extracts again', async () => {
    const waiting = await stage.open();
    await waiting.clock.install();
    await openReview(waiting, few);
    await waiting.clock.fastForward(24 * 3_600_000 - 60_000);
    expect(await waiting.getByText('was last changed').count()).toBe(0);
    await waiting.clock.fastForward(120_000);
    await waiting.getByText('This draft was last changed 24 hours ago.').waitFor();
    const page = await stage.open({ settings: { later: String(24 * 3_600_000 + 1) } });
    await openReview(page, few);
    await page.getByText('This draft was last changed 24 hours ago.').waitFor();
    await button(page, 'Extract again').click();
    await page.getByText('Reading the conversation').waitFor();
    await page.evaluate(() => window.stage.extractions.at(-1)?.fail('No model.'));
    await page.getByRole('alert').filter({ hasText: 'Kept: 3 decisions, 1 file, 1 risk.' }).waitFor();
  });

  verifies(
    ['BR.held.flush', 'BR.held.storage-failure'],
    'saves open edits before the page unloads, and says what the storage refuses',
    async () => {
      const page = await stage.open();
      await openReview(page, few);
      await button(card(page, 'Second.'), 'Edit').click();
      await page.keyboard.type(' Unsaved.');
      await page.reload();
      await button(page, 'Review').click();
      await card(page, 'Second. Unsaved.').waitFor();
      await page.evaluate(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
        };
      });
      await button(card(page, 'Third.'), 'Remove').click();
      await page.getByRole('alert').filter({ hasText: 'storage of the browser is full' }).waitFor();
      expect(await texts(page, 'decision')).toEqual(['First.', 'Second. Unsaved.']);
    },
  );

  verifies(
    ['BR.held.storage-failure'],
    'starts empty and reports it where the stored draft cannot be read, and reads one of an older version',
    async () => {
      const page = await stage.open();
      await page.evaluate(() => localStorage.setItem('handoff-storage', '{"state": {"decisions": 7}, "version": 1}'));
      await page.reload();
      await button(page, 'Review').click();
      await page.getByRole('alert').filter({ hasText: 'could not be read' }).waitFor();
      await page.getByText('Nothing to hand off yet').waitFor();
      await page.evaluate(() => {
        const decisions = [{ id: 'd1', content: 'Stored long ago.', source: 'user-pinned' }];
        const state = { decisions, filesReferenced: [], risks: [], brainstormSummary: '' };
        localStorage.setItem('handoff-storage', JSON.stringify({ state, version: 0 }));
      });
      await page.reload();
      await button(page, 'Review').click();
      await page.getByRole('alert').filter({ hasText: 'older version' }).waitFor();
      await card(page, 'Stored long ago.').waitFor();
    },
  );
});
