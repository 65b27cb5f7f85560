import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** How long a test waits for what should be there at once, in milliseconds. */
const DEADLINE_MS = 20_000;

/** What each answer takes longer on a slow network, in milliseconds. */
const SLOW_NETWORK_MS = 100;

/** One page in its own context: storage, theme and size belong to it alone. */
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
  await slowDown(page);
  await page.goto(url);
  return { page, troubles, close: () => context.close() };
}

/** The long form of these tests runs in a browser with a fraction of the processor, behind a slow network. */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env.BATON_BROWSER_SLOWNESS ?? 1);
  if (rate === 1) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  const limits = { offline: false, latency: SLOW_NETWORK_MS, downloadThroughput: -1, uploadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', limits);
}
