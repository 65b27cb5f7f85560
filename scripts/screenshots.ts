import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type HttpServer, startHttpServer } from '../packages/batonpass/src/http.ts';
import { openBaton } from '../packages/batonpass/src/operations/baton.ts';
import { launchChromium } from '../test/browser/chromium.ts';
import { visit } from '../test/browser/visit.ts';
import { toPalettePng } from './palette-png.ts';
import { createSampleProject } from './sample-project.ts';
import { listScreens, type Screen } from './screens-of-studio.ts';

/** `npm run screenshots`: each screen of the studio with the sample's data, in both themes, into `docs/images/studio`. */

const images = join(import.meta.dirname, '../docs/images/studio');
const wide = { width: 1280, height: 800 };
const narrow = { width: 320, height: 640 };

/** What the pictures are taken with. */
interface Camera {
  browser: Browser;
  server: HttpServer;
}

const sample = await createSampleProject();
try {
  const baton = await openBaton({ cwd: sample.folder, environment: sample.environment });
  const server = await startHttpServer(baton);
  const browser = await launchChromium();
  try {
    rmSync(images, { recursive: true, force: true });
    mkdirSync(images, { recursive: true });
    for (const screen of await listScreens(baton, sample.planned_id)) await picture({ browser, server }, screen);
  } finally {
    await browser.close();
    await server.close();
    await baton.close();
  }
} finally {
  sample.remove();
}

async function picture(camera: Camera, screen: Screen): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    await take(camera, screen, { colorScheme, viewport: wide, suffix: colorScheme });
  if (screen.isNarrowToo === true)
    await take(camera, screen, { colorScheme: 'light', viewport: narrow, suffix: 'narrow' });
}

interface Look {
  colorScheme: 'light' | 'dark';
  viewport: { width: number; height: number };
  suffix: string;
}

/** A separate visitor for each, so that none finds what another one left in the browser. */
async function take({ browser, server }: Camera, screen: Screen, { suffix, ...look }: Look): Promise<void> {
  const { hash } = new URL(server.createBrowserUrl?.() ?? server.url);
  const { page, troubles, close } = await visit(browser, `${server.url}${screen.path}${hash}`, look);
  try {
    await screen.show(page);
    await settle(page);
    if (troubles.length > 0) throw new Error(`${screen.name}: ${troubles.join('; ')}`);
    writeFileSync(join(images, `${screen.name}-${suffix}.png`), toPalettePng(await page.screenshot()));
  } finally {
    await close();
  }
}

/** The studio has its connection, and nothing is being read. */
async function settle(page: Page): Promise<void> {
  await page.locator('.studio-connection[data-state="live"]').waitFor({ state: 'attached' });
  await page.locator('.studio-loading').waitFor({ state: 'detached' });
}
