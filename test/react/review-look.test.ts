import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { showHidden } from '../../packages/batonpass/src/core/hidden-characters.ts';
import { findViolations } from '../browser/find-violations.ts';
import { hostileTexts } from '../formats/hostile-texts.ts';
import { verifies } from '../verifies.ts';
import { sampleExtraction } from './sample-extraction.ts';
import { button, card, openReview, stageApplication } from './stage.ts';

const stage = stageApplication();

describe('the look of the components', () => {
  const looks = [
    { name: 'in the light theme', options: { colorScheme: 'light' as const } },
    {
      name: 'in the dark theme at 320 pixels',
      options: { colorScheme: 'dark' as const, viewport: { width: 320, height: 640 } },
    },
  ];
  for (const { name, options } of looks) {
    verifies(['SCREEN.accessible', 'SCREEN.focus-visible'], `has no violation on any screen ${name}`, async () => {
      const page = await stage.open({ ...options, bypassCSP: true, settings: { later: String(30 * 3_600_000) } });
      await button(page.locator('.baton-message').nth(1), 'Pin').click();
      await button(page, 'Ready to plan').click();
      await page.evaluate(() => window.stage.extractions[0]?.fail('The model is gone.'));
      await page.getByText('Kept: 1 decision').waitFor();
      expect(await findViolations(page)).toEqual([]);
      await openReview(page);
      await button(card(page, 'fifteen minutes unless'), 'Edit').click();
      await page.evaluate(() => {
        const { decisions, updateDecision, freezeForPlanning, addDecision } = window.stage.store.getState();
        updateDecision(decisions[2]?.id ?? '', 'Changed elsewhere.');
        freezeForPlanning();
        addDecision('Found while planning.', 'ai-extracted');
      });
      await page.getByText('Changed elsewhere meanwhile').waitFor();
      await page.getByText('Keys', { exact: true }).click();
      expect(await findViolations(page)).toEqual([]);
      await expectUncovered(page);
    });
  }

  verifies(
    ['SCREEN.host-theme'],
    'follows the nearest `data-theme` of its host, else the system, on its ground',
    async () => {
      const page = await stage.open({ colorScheme: 'dark' });
      await openReview(page);
      const look = (themes: { outer?: string; inner?: string }) =>
        page.evaluate(({ outer, inner }) => {
          const around = { outer: document.documentElement, inner: document.querySelector('main') as HTMLElement };
          for (const [place, theme] of Object.entries({ outer, inner })) {
            const { dataset } = around[place as 'outer' | 'inner'];
            if (theme === undefined) delete dataset.theme;
            else dataset.theme = theme;
          }
          const review = document.querySelector('.baton-review') as HTMLElement;
          const { color, backgroundColor, colorScheme } = getComputedStyle(review);
          const { backgroundColor: card } = getComputedStyle(review.querySelector('.baton-card') as HTMLElement);
          return { color, card, colorScheme, ground: backgroundColor };
        }, themes);
      const ground = 'rgba(0, 0, 0, 0)';
      const dark = { color: 'rgb(232, 230, 225)', card: 'rgb(29, 31, 35)', colorScheme: 'dark', ground };
      const light = { color: 'rgb(35, 33, 29)', card: 'rgb(255, 255, 255)', colorScheme: 'light', ground };
      expect(await look({})).toEqual({ ...dark, colorScheme: 'light dark' });
      expect(await look({ outer: 'light' })).toEqual(light);
      expect(await look({ outer: 'light', inner: 'dark' })).toEqual(dark);
      expect(await look({ outer: 'dark', inner: 'light' })).toEqual(light);
    },
  );

  verifies(['SCREEN.accessible'], 'has no violation with nothing on it', async () => {
    const page = await stage.open({ colorScheme: 'dark', bypassCSP: true });
    await openReview(page, { decisions: [], filesReferenced: [], risks: [], summary: '' });
    expect(await findViolations(page)).toEqual([]);
  });

  verifies(
    ['SCREEN.hidden-characters'],
    'shows hostile texts as text, with their hidden characters visible, and sends no request elsewhere',
    async () => {
      const page = await stage.open();
      const hostile = hostileTexts.slice(0, 60).map((text, index) => `${text} ${index}`);
      await openReview(page, {
        ...sampleExtraction,
        decisions: hostile.map((content, message) => ({
          content,
          confidence: 1,
          evidence: { message, quote: content },
        })),
        filesReferenced: hostile.map((context, index) => ({ path: `src/${index}.ts`, relevance: 'low', context })),
        risks: hostile.map((description) => ({ description, severity: 'high' })),
        summary: hostile.join(' '),
      });
      const stored = await page.evaluate(() => window.stage.store.getState().decisions.map(({ content }) => content));
      expect(stored.length).toBeGreaterThan(50);
      const shown = await page.locator('[data-baton-item^="decision:"] .baton-text').allTextContents();
      // Text between backticks is code, without them.
      expect(shown).toEqual(stored.map((content) => showHidden(content).replace(/`([^`\n]+)`/g, '$1')));
      expect(await page.locator('[data-baton-item^="file:"]').count()).toBe(hostile.length);
      expect(await page.locator('.baton-review :is(script, img, iframe, a, style, object)').count()).toBe(0);
      const overridden = card(page, '\\u{202E}canary').nth(1);
      await button(overridden, 'Edit').click();
      await page.getByText('With its hidden characters shown: \\u{202E}canary').waitFor();
    },
  );
});

/** Every card in turn, focused by the keyboard: no part of it under the foot, and nothing wider than the page. */
async function expectUncovered(page: Page): Promise<void> {
  const faults = await page.evaluate(() => {
    const foot = document.querySelector('.baton-footer') as HTMLElement;
    const covered = [...document.querySelectorAll<HTMLElement>('[data-baton-item]')].filter((each) => {
      each.focus();
      const { bottom } = each.querySelector('.baton-text, textarea')?.getBoundingClientRect() ?? { bottom: 0 };
      return bottom > foot.getBoundingClientRect().top;
    });
    const small = [...document.querySelectorAll('button, select, summary')].filter((each) => {
      const { width, height } = each.getBoundingClientRect();
      return width < 24 || height < 24;
    });
    const excess = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    return { covered: covered.map((each) => each.innerText), small: small.map((each) => each.outerHTML), excess };
  });
  expect(faults).toEqual({ covered: [], small: [], excess: 0 });
}
