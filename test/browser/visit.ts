import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** How long a test waits for what should be there at once, in milliseconds. */
const DEADLINE_MS = 20_000;

/** One page in a context of its own: storage, theme and size belong to it alone. */
export interface Visit {
  page: Page;
  /** What must not happen: dialogs, requests to another origin, errors of the page and on its console. */
  troubles: string[];
  close(): Promise<void>;
}

/** Opens an address as a new visitor and notes every trouble from the first request on. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(DEADLINE_MS);
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') troubles.push(`console: ${line.text()}`);
  });
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.type()} ${dialog.message()}`);
    dialog.dismiss().catch(() => {
      // The page went away with its dialog.
    });
  });
  const { origin } = new URL(url);
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin && !request.url().startsWith('data:')) {
      troubles.push(`request: ${request.url()}`);
    }
  });
  await page.goto(url);
  return { page, troubles, close: () => context.close() };
}
