import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Content } from '../../packages/batonpass/src/core/content.ts';
import { type HttpServer, startHttpServer } from '../../packages/batonpass/src/http.ts';
import { type Baton, openBaton } from '../../packages/batonpass/src/operations/baton.ts';
import { launchChromium } from '../browser/chromium.ts';
import { type Visit, visit } from '../browser/visit.ts';
import { openStage, type Stage } from '../doors/stage.ts';
import { serve } from '../extraction/model/stage.ts';
import { openProject } from '../operations/planning-run-stage.ts';
import { root } from '../tidy/source-files.ts';

/** A brainstorm as a person pastes it. */
export const transcript = readFileSync(join(root, 'examples/sessions/brainstorm.json'), 'utf8');

/** The studio in a real browser, over a real server with a store on the disk. */
export interface Flow {
  page: Page;
  baton: Baton;
  /** The one draft of the store. */
  draft: () => Promise<{ id: string; content: Content }>;
}

/** How a test opens the studio. */
export interface FlowOptions {
  /** Opens a project whose models answer so; without it there is no model. */
  replies?: Parameters<typeof serve>;
  /** Whether the model reads conversations, too. Default: rules do. */
  isRead?: boolean;
  browser?: BrowserContextOptions;
  /** The time of the server, where there is no model. Default: the machine's. */
  now?: () => number;
  /** Whether requests fail in this test: the browser reports it on its console. Default: false. */
  hasFailures?: boolean;
}

/** One browser for a test file, one visitor and one project for a test; after each nothing may have gone wrong. */
export function stageStudio(): { open: (options?: FlowOptions) => Promise<Flow> } {
  let browser: Browser | undefined;
  const visits: Visit[] = [];
  const servers: HttpServer[] = [];
  const batons: Baton[] = [];
  const stages: Stage[] = [];
  let hasFailures = false;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    const troubles = visits.flatMap((each) => each.troubles).filter((text) => !hasFailures || !isFailedRequest(text));
    hasFailures = false;
    await Promise.all(visits.splice(0).map((each) => each.close()));
    for (const server of servers.splice(0)) await server.close();
    for (const baton of batons.splice(0)) await baton.close();
    for (const stage of stages.splice(0)) stage.close();
    expect(troubles).toEqual([]);
  });
  afterAll(() => browser?.close());
  const openHere = async ({ replies, isRead = false, now }: FlowOptions): Promise<Baton> => {
    if (replies !== undefined) {
      const project = await openProject(await serve(...replies));
      if (!isRead) return project.library;
      project.environment.BATON_EXTRACTOR = 'model';
      return project.open();
    }
    const stage = openStage({ git: true });
    stages.push(stage);
    const surroundings = now && { now };
    const baton = await openBaton({
      cwd: stage.folder,
      environment: stage.environment,
      ...(surroundings && { surroundings }),
    });
    batons.push(baton);
    return baton;
  };
  return {
    async open({ browser: options = {}, hasFailures: isFailing = false, ...machine } = {}) {
      hasFailures = isFailing;
      if (browser === undefined) throw new Error('The stage is not built.');
      const baton = await openHere(machine);
      const server = await startHttpServer(baton);
      servers.push(server);
      const opened = await visit(browser, server.createBrowserUrl?.() ?? server.url, options);
      visits.push(opened);
      return { page: opened.page, baton, draft: () => findDraft(baton) };
    },
  };
}

const isFailedRequest = (text: string) => text.startsWith('console: Failed to load resource');

async function findDraft(baton: Baton): Promise<{ id: string; content: Content }> {
  const { handoffs } = await baton.run('handoff.list', { state: ['draft'] });
  const [draft] = handoffs;
  if (draft === undefined) throw new Error('There is no draft.');
  return draft;
}

/** Goes to a screen of the studio without a new page. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/** From the transcript to the review of its draft. */
export async function importTranscript({ page }: Flow): Promise<void> {
  await go(page, '/import');
  await page.getByLabel('Transcript').fill(transcript);
  await button(page, 'Read it').click();
  await page.getByRole('heading', { name: 'Review the handoff' }).waitFor();
}

/** Opens the text that a draft becomes, at its own address. */
export async function showTold(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Full width, or approve without planning' }).click();
  await page.getByRole('region', { name: 'The text' }).waitFor();
}

/** From the review to the run, by the text that is shown before; nothing is planned yet. */
export async function approve(page: Page): Promise<string> {
  await showTold(page);
  const text = (await page.getByRole('region', { name: 'The text' }).locator('pre').textContent()) ?? '';
  await button(page, 'Approve').click();
  await page.getByText('Ready to be planned.').waitFor();
  return text;
}

/** Rewords the entry that says a text. */
export async function reword(page: Page, text: string, words: string): Promise<void> {
  await button(card(page, text), 'Edit').click();
  await page.locator('textarea[data-baton-edit]').fill(words);
  await page.keyboard.press('Enter');
}

export const button = (scope: Page | Locator, name: string) => scope.getByRole('button', { name, exact: true });

/** The decision that says a text. */
export const card = (page: Page, text: string) =>
  page.locator('[data-baton-item^="decision:"]').filter({ hasText: text });

/** The decisions as the screen shows them, in order. */
export const decisionsOn = (page: Page) => page.locator('[data-baton-item^="decision:"] .baton-text').allInnerTexts();

export const wordsOf = ({ decisions }: Content) => decisions.map(({ content }) => content);
