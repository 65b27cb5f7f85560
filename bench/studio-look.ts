import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { HttpServer } from '../packages/batonpass/src/http.ts';

/** How long anything may take before the benchmark is given up. */
const deadline_ms = 60_000;

/** What a first view loaded, compressed. */
export interface Weight {
  js_kb: number;
  css_kb: number;
  parts: number;
}

/** One page of the studio, measured by a stop-watch within the page itself. */
export class Look {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #session: CDPSession;
  readonly #url: string;

  private constructor(page: Page, session: CDPSession, url: string) {
    this.page = page;
    this.#context = page.context();
    this.#session = session;
    this.#url = url;
  }

  /** Lets a new visitor in and shows the inbox. */
  static async open(browser: Browser, server: Pick<HttpServer, 'url' | 'createBrowserUrl'>): Promise<Look> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(deadline_ms);
    await page.goto(server.createBrowserUrl?.() ?? server.url);
    await page.locator('.studio-title').waitFor();
    return new Look(page, await context.newCDPSession(page), server.url);
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  /** From the beginning of a navigation until something is painted, in milliseconds. */
  async load(path: string, selector: string): Promise<number> {
    await this.page.goto(this.#url + path, { waitUntil: 'commit' });
    return this.page.evaluate<number>(painted(selector));
  }

  /** From the press of a key until something is painted, in milliseconds. */
  async untilShown(key: string, selector: string): Promise<number> {
    await this.page.evaluate(listen);
    const shown = this.page.evaluate<number>(painted(selector));
    await this.page.keyboard.press(key);
    const [shown_ms, pressed_ms] = await Promise.all([shown, this.page.evaluate<number>('globalThis.pressed')]);
    return shown_ms - pressed_ms;
  }

  /** Does something while the page has a fraction of the processor. */
  async slowed<T>(times: number, work: () => Promise<T>): Promise<T> {
    await this.#session.send('Emulation.setCPUThrottlingRate', { rate: times });
    try {
      return await work();
    } finally {
      await this.#session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    }
  }

  /** What an address loads until nothing more comes, each part compressed as a server would. */
  async weighFirstView(path: string): Promise<Weight> {
    const bodies: Promise<{ url: string; bytes: number }>[] = [];
    const page = await this.#context.newPage();
    page.on('response', (response) => {
      const url = response.url();
      if (/\.(?:js|css)$/.test(url))
        bodies.push(response.body().then((body) => ({ url, bytes: gzipSync(body).length })));
    });
    await page.goto(this.#url + path);
    await page.locator('.inbox-row').first().waitFor();
    const parts = await Promise.all(bodies);
    await page.close();
    const sum = (extension: string) =>
      parts.filter(({ url }) => url.endsWith(extension)).reduce((total, { bytes }) => total + bytes, 0) / 1_024;
    return { js_kb: sum('.js'), css_kb: sum('.css'), parts: parts.length };
  }
}

/** In the page: when the first element that a selector finds was painted, by the page's clock; after its frame. */
const painted = (selector: string) => `new Promise((resolve) => {
  const look = () => document.querySelector(${JSON.stringify(selector)}) === null
    ? requestAnimationFrame(look)
    : requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  look();
})`;

/** In the page: when the next key was pressed; the promise is kept, so that the press can follow. */
const listen = `globalThis.pressed = new Promise((resolve) =>
  document.addEventListener('keydown', ({ timeStamp }) => resolve(timeStamp), { capture: true, once: true })); 0`;
