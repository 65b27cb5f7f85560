import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, expect } from 'vitest';
import { createPlanServer } from '../../examples/planning/plan-server.ts';
import { launchChromium } from '../browser/chromium.ts';
import { visit } from '../browser/visit.ts';
import { serve } from '../extraction/model/stage.ts';
import { goodTurns, openProject, replies } from '../operations/planning-run-stage.ts';
import { advice, found, pinned, question, saying } from '../studio/brainstorm-stage.ts';
import { root } from '../tidy/source-files.ts';
import { verifies } from '../verifies.ts';

const place = join(root, 'examples/planning');
const outDir = mkdtempSync(join(tmpdir(), 'baton-example-'));
let browser: Browser;

beforeAll(async () => {
  [browser] = await Promise.all([
    launchChromium(),
    build({ root: place, logLevel: 'error', build: { outDir, emptyOutDir: true } }),
  ]);
});

afterAll(async () => {
  await browser?.close();
  rmSync(outDir, { recursive: true, force: true });
});

/** The built page before the routes of a server, both on free ports. */
async function open(server: Server): Promise<PreviewServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = { '/chat': target, '/extract': target, '/plan': target };
  return preview({ root: place, logLevel: 'error', build: { outDir }, preview: { host: '127.0.0.1', port: 0, proxy } });
}

verifies(
  ['PLANDOC.example', 'BR.success.context'],
  'the example is built by Vite, and goes from a chat over pins and the review to a plan, in the dark theme of its host',
  async () => {
    const model = await serve(saying(advice), found, ...replies(goodTurns));
    const project = await openProject(model);
    const server = await createPlanServer(project.folder, project.environment);
    const page = await open(server);
    const { port } = page.httpServer.address() as AddressInfo;
    const { page: tab, troubles, close } = await visit(browser, `http://127.0.0.1:${port}/`);
    try {
      await tab.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
      await tab.getByLabel('Message').fill(question);
      await tab.getByRole('button', { name: 'Send' }).click();
      await tab.getByText(pinned).waitFor();
      await tab.getByRole('button', { name: 'Pin' }).last().click();
      await tab.getByText('1 pinned').waitFor();
      await tab.getByRole('button', { name: 'Ready to plan' }).click();
      await tab.getByRole('heading', { name: 'Review the handoff' }).waitFor();
      expect(
        await tab
          .locator('.baton-card')
          .first()
          .evaluate((card) => getComputedStyle(card).backgroundColor),
      ).toBe('rgb(29, 31, 35)');
      await tab.getByRole('button', { name: 'Start planning' }).click();
      await tab.getByText('The plan is in').waitFor();
      expect(project.plans()).toHaveLength(1);
      const [handoff] = (await project.library.run('handoff.list', { state: ['acknowledged'] })).handoffs;
      expect(handoff?.content.decisions[0]).toMatchObject({ source: 'user-pinned' });
      expect(troubles).toEqual([]);
    } finally {
      await close();
      await page.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  },
  120_000,
);
