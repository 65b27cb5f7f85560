import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Baton, type ContentInput, openBaton } from '../../packages/batonpass/src/index.ts';
import { launchChromium } from '../browser/chromium.ts';
import { type Visit, visit } from '../browser/visit.ts';
import { type HttpStage, openHttp } from '../doors/http/http-stage.ts';

/** The built studio of a real server on its own store, in a real browser. */
export interface StudioStage extends HttpStage {
  page: Page;
  visit: Visit;
  /** Writes handoffs, the last one first in the list; gives their ids in the order of writing. */
  write: (...contents: ContentInput[]) => Promise<string[]>;
  /** Another program on the same store, which the server knows nothing of. */
  other: Baton;
}

/** How a test opens the studio. */
export interface OpenOptions extends BrowserContextOptions {
  path?: string;
  /** The contents of the store at the start. */
  contents?: readonly ContentInput[];
  /** Whether the page has trouble on purpose, as without a server. Default: none is let pass. */
  isTroubled?: boolean;
}

/** One browser for a test file; what a test opens is closed after it, and nothing may have gone wrong on its page. */
export function stageStudio(): { open(options?: OpenOptions): Promise<StudioStage> } {
  let browser: Browser | undefined;
  const opened: { visit: Visit; other: Baton; isTroubled: boolean }[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    const troubles = opened.flatMap(({ visit: { troubles: each }, isTroubled }) =>
      each.filter((trouble) => !(isTroubled && trouble.startsWith('console: '))),
    );
    for (const { visit: each, other } of opened.splice(0)) {
      await each.close();
      await other.close();
    }
    expect(troubles).toEqual([]);
  });
  afterAll(async () => browser?.close());
  return {
    async open({ path = '/inbox', contents = [], isTroubled = false, ...options } = {}) {
      if (browser === undefined) throw new Error('No browser runs.');
      const stage = await openHttp();
      const { store_url: store, actor } = stage.baton.context;
      const other = await openBaton({ cwd: stage.folder, environment: {}, store, project: 'alpha', agent: 'codex' });
      const write = async (...given: ContentInput[]) => {
        const ids: string[] = [];
        for (const content of given) ids.push((await stage.baton.run('handoff.create', { content }, { actor })).id);
        return ids;
      };
      await write(...contents);
      const link = new URL(stage.server.createBrowserUrl?.() ?? '');
      const opening = await visit(browser, `${stage.server.url}${path}${link.hash}`, options);
      opened.push({ visit: opening, other, isTroubled });
      return { ...stage, page: opening.page, visit: opening, write, other };
    },
  };
}

/** The rows that are in the page, as their words. */
export function titles(page: Page): Promise<string[]> {
  return page.locator('.inbox-words').allInnerTexts();
}

/** The row of a handoff by its title. */
export function rowOf(page: Page, title: string): Locator {
  return page.getByRole('row').filter({ hasText: title });
}

/** Waits until the row has the focus. */
export async function expectFocus(locator: Locator): Promise<void> {
  await expect.poll(() => locator.evaluate((element) => element === document.activeElement)).toBe(true);
}
