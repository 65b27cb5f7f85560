import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from '../browser/chromium.ts';
import { openStage, type Stage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';

const children: ChildProcess[] = [];
const stages: Stage[] = [];
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await launchChromium();
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
  for (const child of children.splice(0)) await kill(child);
  for (const stage of stages.splice(0)) stage.close();
});
afterAll(() => browser?.close());

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Serves a project in a separate process, also under another address. */
async function serve({ folder, environment }: Stage, port = 0, origin = '') {
  const worker = join(import.meta.dirname, 'run-server-worker.ts');
  const child = spawn(process.execPath, [worker, folder, String(port), origin], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, ...(JSON.parse(line) as { port: number; browser_url: string }) };
}

/** A network between the browser and a server, which is cut and joined again. */
async function openNetwork() {
  const sockets = new Set<Socket>();
  let target = 0;
  const network: Server = createServer((socket) => {
    const other = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
  });
  const listen = async (port: number) => {
    network.listen(port, '127.0.0.1');
    await once(network, 'listening');
    return (network.address() as { port: number }).port;
  };
  const port = await listen(0);
  return {
    port,
    lead: (to: number) => {
      target = to;
    },
    join: () => listen(port),
    cut: () => {
      network.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A project with one open handoff. */
async function openProject() {
  const stage = openStage({ git: true });
  stages.push(stage);
  const { handoff } = await stage.json(['create', '-'], {
    input: JSON.stringify({ title: 'The queue', summary: 'x' }),
  });
  return { stage, id: handoff.id };
}

/** Two screens of one browser, which show that the handoff is open. */
async function openScreens(link: string, id: string): Promise<{ context: BrowserContext; home: Page; review: Page }> {
  const context = await browser?.newContext({ reducedMotion: 'reduce' });
  if (context === undefined) throw new Error('There is no browser.');
  const home = await context.newPage();
  await home.goto(link);
  await home.getByText('1 handoff is ready to be claimed').waitFor();
  const review = await context.newPage();
  await review.goto(new URL(`/review/${id}`, link).href);
  await review.getByText('is approved and open').waitFor();
  return { context, home, review };
}

async function expectClaimed({ home, review }: { home: Page; review: Page }): Promise<void> {
  await home.getByText('held by codex').waitFor();
  await review.getByText('is approved, and somebody works on it').waitFor();
}

const isAway = (page: Page) => page.getByText('The server does not answer.').first().waitFor();

verifies(
  ['STUDIO.reconnect'],
  'after its server was killed and started again every open screen shows what happened meanwhile',
  async () => {
    const { stage, id } = await openProject();
    const first = await serve(stage);
    const screens = await openScreens(first.browser_url, id);
    await kill(first.child);
    await Promise.all([isAway(screens.home), isAway(screens.review)]);
    await stage.json(['claim', '--as', 'codex']);
    const second = await serve(stage, first.port);
    // Another tab of this browser is let in; those that were left open come along by themselves.
    await (await screens.context.newPage()).goto(second.browser_url);
    await expectClaimed(screens);
  },
);

verifies(
  ['STUDIO.reconnect'],
  'after the network was cut every open screen shows what happened meanwhile, and keeps what is on it',
  async () => {
    const { stage, id } = await openProject();
    const network = await openNetwork();
    const origin = `http://127.0.0.1:${network.port}`;
    const server = await serve(stage, 0, origin);
    network.lead(server.port);
    const screens = await openScreens(`${origin}/${new URL(server.browser_url).hash}`, id);
    await screens.review.evaluate(() => document.querySelector('.flow-closed')?.setAttribute('data-marked', ''));
    network.cut();
    await Promise.all([isAway(screens.home), isAway(screens.review)]);
    await stage.json(['claim', '--as', 'codex']);
    await network.join();
    await expectClaimed(screens);
    expect(await screens.review.locator('.flow-closed[data-marked]').count()).toBe(1);
    network.cut();
  },
);
