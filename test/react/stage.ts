import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { EvidencedResult } from '../../packages/batonpass/src/extraction/extraction-result.ts';
import { launchChromium } from '../browser/chromium.ts';
import { type ServedPage, servePage } from '../browser/served-page.ts';
import { type Visit, visit } from '../browser/visit.ts';
import { sampleExtraction } from './sample-extraction.ts';

/** How a test opens the application: its settings, and those of the browser. */
interface OpenOptions extends BrowserContextOptions {
  settings?: Record<string, string>;
}

/**
 * The application with the scripted chat in a real browser: one browser for a test file, one visitor for a test. After
 * each test nothing may have gone wrong on the page.
 */
export function stageApplication(): { open(options?: OpenOptions): Promise<Page> } {
  let browser: Browser | undefined;
  let served: ServedPage | undefined;
  const visits: Visit[] = [];
  beforeAll(async () => {
    [browser, served] = await Promise.all([
      launchChromium(),
      servePage({
        script: 'test/react/stage-page.tsx',
        styles: ['packages/batonpass/src/react/style.css', 'test/react/stage-page.css'],
      }),
    ]);
  });
  afterEach(async () => {
    const troubles = visits.flatMap((each) => each.troubles);
    await Promise.all(visits.splice(0).map((each) => each.close()));
    expect(troubles).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });
  return {
    async open({ settings = {}, ...options } = {}) {
      if (browser === undefined || served === undefined) throw new Error('The stage is not built.');
      const opened = await visit(browser, `${served.url}?${new URLSearchParams(settings)}`, options);
      visits.push(opened);
      return opened.page;
    },
  };
}

/** Answers the newest extraction of the page. */
export async function answer(page: Page, result: EvidencedResult = sampleExtraction): Promise<void> {
  await page.evaluate((given) => window.stage.extractions.at(-1)?.answer(given), result);
}

/** From the chat to the review through an extraction. */
export async function openReview(page: Page, result?: EvidencedResult): Promise<void> {
  await button(page, 'Ready to plan').click();
  await answer(page, result);
  await page.getByRole('heading', { name: 'Review the handoff' }).waitFor();
}

/** A button by its whole name. */
export function button(scope: Page | Locator, name: string): Locator {
  return scope.getByRole('button', { name, exact: true });
}

/** The card that holds a text. */
export function card(page: Page, text: string): Locator {
  return page.locator('[data-baton-item]').filter({ hasText: text });
}

/** The words of the cards of one kind in the order of the screen. */
export function texts(page: Page, kind: 'decision' | 'file' | 'risk'): Promise<string[]> {
  return page.locator(`[data-baton-item^="${kind}:"] .baton-text`).allInnerTexts();
}

/** Waits until a locator has the focus: with its key where another one has. */
export async function expectFocus(locator: Locator): Promise<void> {
  await expect.poll(() => locator.evaluate((element) => element === document.activeElement)).toBe(true);
}

/** Waits until the polite region says something. */
export async function expectSaid(page: Page, text: string): Promise<void> {
  await page.locator('.baton-said[aria-live="polite"]', { hasText: text }).waitFor({ state: 'attached' });
}
