import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { type HttpServer, startHttpServer } from '../packages/batonpass/src/http.ts';
import { type Baton, openBaton } from '../packages/batonpass/src/operations/baton.ts';
import { launchChromium } from '../test/browser/chromium.ts';
import { fillWithOpen } from './fill.ts';
import { type Benchmark, type Metric, quantile, summarize } from './frame.ts';
import { project } from './sample-work.ts';
import { Look } from './studio-look.ts';
import { studioTargets, type Target } from './targets.ts';

const program = join(import.meta.dirname, '../packages/batonpass/bin/baton.js');

/** How much is measured. */
export interface StudioSizes {
  rows: number;
  review_items: number;
  rounds: number;
  keys: number;
}

const sizes: StudioSizes = { rows: 100_000, review_items: 500, rounds: 5, keys: 100 };

/** The studio in a real browser, over a real server on this machine. */
export const studio: Benchmark = {
  name: 'studio',
  what: 'the studio in Chromium: what the first view loads, how soon it answers, an inbox of 100,000 rows',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'baton-bench-'));
    const browser = await launchChromium();
    try {
      return [...(await measureStudio(browser, join(folder, 'queue.db'), sizes)), await measureStart(browser, folder)];
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Everything but the start of the process, on its own store. */
export async function measureStudio(
  browser: Browser,
  path: string,
  { rows, ...sizes }: StudioSizes,
): Promise<Metric[]> {
  await fillWithOpen(path, rows, { decisions: ['Answer 429'], files: ['src/server.ts'] });
  const baton = await openBaton({ cwd: join(path, '..'), environment: {}, store: `sqlite:${path}`, project });
  const server = await startHttpServer(baton);
  try {
    const look = await Look.open(browser, server);
    try {
      return [
        ...(await measureFirstView(look, sizes)),
        ...(await measureInbox(look, { rows, ...sizes })),
        await measureReview(look, baton, sizes),
      ];
    } finally {
      await look.close();
    }
  } finally {
    await server.close();
    await baton.close();
  }
}

async function measureFirstView(look: Look, { rounds }: Pick<StudioSizes, 'rounds'>): Promise<Metric[]> {
  const { js_kb, css_kb, parts } = await look.weighFirstView('/inbox');
  const slowed = await look.slowed(4, () => repeat(rounds, () => look.load('/inbox', firstRow)));
  return [
    { ...studioTargets.javascript, value: js_kb, note: `${parts} parts, each compressed by itself` },
    { ...studioTargets.styles, value: css_kb, note: 'the same' },
    timing(studioTargets.interactive, slowed),
  ];
}

const firstRow = '.inbox-row[aria-rowindex="1"][aria-selected]';

async function measureInbox(look: Look, { rows, rounds, keys }: Omit<StudioSizes, 'review_items'>): Promise<Metric[]> {
  const opened = await repeat(rounds, async () => {
    await look.load('/settings', '.studio-title');
    await look.page.keyboard.press('g');
    return look.untilShown('i', firstRow);
  });
  await look.page.locator(`[aria-rowcount="${rows}"]`).waitFor();
  await look.page.keyboard.press('j');
  const lastRow = `.inbox-row[aria-rowindex="${rows}"][aria-selected]`;
  let nodes = 0;
  const jumped = await repeat(rounds, async () => {
    // Loaded again each time: else the end of the list is in memory already.
    await look.load('/inbox', firstRow);
    await look.page.locator(`[aria-rowcount="${rows}"]`).waitFor();
    await look.page.keyboard.press('j');
    const taken_ms = await look.untilShown('End', lastRow);
    nodes = Math.max(nodes, await look.page.locator('.inbox-row').count());
    return taken_ms;
  });
  await look.load('/inbox', firstRow);
  await look.page.keyboard.press('j');
  const pressed = await pressKeys(look, keys);
  const note = `n = ${pressed.length}, p50 ${quantile(pressed, 0.5).toFixed(0)} ms: next row, and select`;
  return [
    timing(studioTargets.inbox, opened),
    timing(studioTargets.end, jumped),
    { ...studioTargets.nodes, value: nodes, note: 'the most that were in the page at once' },
    { ...studioTargets.key, value: quantile(pressed, 0.95), note },
  ];
}

/** Moves on and selects alternately, each until it is painted. */
async function pressKeys(look: Look, keys: number): Promise<number[]> {
  const taken: number[] = [];
  for (let number = 2; taken.length < keys; number += 1) {
    taken.push(await look.untilShown('j', `.inbox-row[aria-rowindex="${number}"]:focus`));
    taken.push(await look.untilShown('x', `.inbox-row[aria-rowindex="${number}"][aria-selected="true"]`));
  }
  return taken;
}

async function measureReview(
  look: Look,
  baton: Baton,
  { review_items, rounds }: Omit<StudioSizes, 'rows'>,
): Promise<Metric> {
  const decisions = Array.from({ length: review_items }, (_, index) => `Decision number ${index + 1}`);
  const { id } = await baton.handoff.create({ content: { summary: 'A long review', decisions }, draft: true });
  const taken = await repeat(rounds, async () => {
    await look.load('/inbox?tab=drafts', firstRow);
    await look.page.keyboard.press('j');
    return look.untilShown('e', `[data-baton-item="decision:d${review_items}"]`);
  });
  await look.page.waitForURL(`**/review/${id}`);
  return timing(studioTargets.review, taken);
}

/** From the start of the process in an empty repository to the first row in a browser that runs already. */
async function measureStart(browser: Browser, folder: string): Promise<Metric> {
  const store = `sqlite:${join(folder, 'start.db')}`;
  const baton = await openBaton({ cwd: folder, environment: {}, store, project });
  await baton.handoff.create({ content: { summary: 'The first' }, draft: true });
  await baton.close();
  const taken = await repeat(5, async () => {
    const start_ms = performance.now();
    const server = await startCommand(folder, store);
    try {
      const look = await Look.open(browser, server);
      await look.page.locator('.home-need').waitFor();
      const taken_ms = performance.now() - start_ms;
      await look.close();
      return taken_ms;
    } finally {
      await server.close();
    }
  });
  return timing(studioTargets.start, taken);
}

async function startCommand(
  cwd: string,
  store: string,
): Promise<Pick<HttpServer, 'url' | 'createBrowserUrl' | 'close'>> {
  const { NODE_EXTRA_CA_CERTS: _slowsEveryStart, ...env } = process.env;
  const words = ['studio', '--store', store, '--no-open', '--port', '47631'];
  const child = spawn(process.execPath, [program, ...words], { cwd, env: { ...env, BATON_PROJECT: project } });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = new URL(line);
    return {
      url: url.origin,
      createBrowserUrl: () => url.href,
      close: async () => {
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error('baton studio ended before it listened.');
}

async function repeat(rounds: number, once: () => Promise<number>): Promise<number[]> {
  const taken: number[] = [];
  // The first round warms up, and does not count.
  for (let round = 0; round <= rounds; round += 1) taken.push(await once());
  return taken.slice(1);
}

function timing(target: Target, taken: readonly number[]): Metric {
  const { median, minimum, maximum } = summarize(taken);
  return { ...target, value: median, note: `n = ${taken.length}; ${minimum.toFixed(0)}–${maximum.toFixed(0)} ms` };
}
