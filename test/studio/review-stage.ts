import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Content } from '../../packages/batonpass/src/core/content.ts';
import type { ContentInput } from '../../packages/batonpass/src/index.ts';
import { launchChromium } from '../browser/chromium.ts';
import { type Visit, visit } from '../browser/visit.ts';
import { type HttpStage, openHttp } from '../doors/http/http-stage.ts';

/** A draft under review in a real browser, over a real server. */
export interface ReviewStage extends HttpStage {
  page: Page;
  id: string;
  /** The draft as the server has it. */
  content: () => Promise<Content>;
  /** Another browser, which knows nothing of the first, at the same review. */
  another: () => Promise<Page>;
}

/** How a test opens a review. */
export interface ReviewOptions extends BrowserContextOptions {
  /** The draft; or what an agent said in a session on this machine, whose draft it becomes. */
  content?: ContentInput;
  session?: readonly Said[];
  /** The files of the project's folder, by paths. */
  files?: Readonly<Record<string, string>>;
  /** Whether requests fail on purpose. Default: none may. */
  isTroubled?: boolean;
}

/** One message of a session: who, and what. */
export type Said = readonly [who: 'user' | 'assistant', text: string];

/** One browser for a test file; what a test opens is closed after it, and nothing may have gone wrong on its pages. */
export function stageReview(): { open: (options: ReviewOptions) => Promise<ReviewStage> } {
  let browser: Browser | undefined;
  let isTroubled = false;
  const visits: Visit[] = [];
  const homes: string[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    const troubles = visits.flatMap((each) => each.troubles);
    await Promise.all(visits.splice(0).map((each) => each.close()));
    for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
    expect(troubles.filter((text) => !(isTroubled && text.startsWith('console: Failed to load')))).toEqual([]);
  });
  afterAll(() => browser?.close());
  return {
    async open({ content, session, files = {}, isTroubled: mayFail = false, ...options }) {
      if (browser === undefined) throw new Error('No browser runs.');
      const running = browser;
      isTroubled = mayFail;
      const home = mkdtempSync(join(tmpdir(), 'baton-home-'));
      homes.push(home);
      const stage = await openHttp({}, { environment: { HOME: home } });
      for (const [path, text] of Object.entries(files)) writeFileSync(join(stage.folder, path), text);
      const id = session === undefined ? await writeDraft(stage, content) : await importSession(stage, home, session);
      const arrive = async (given: BrowserContextOptions) => {
        const { hash } = new URL(stage.server.createBrowserUrl?.() ?? '');
        const opened = await visit(running, `${stage.server.url}/review/${id}${hash}`, given);
        visits.push(opened);
        await opened.page.getByRole('heading', { name: 'Review the handoff' }).waitFor();
        return opened.page;
      };
      return {
        ...stage,
        id,
        page: await arrive(options),
        content: async () => (await stage.baton.run('handoff.get', { id })).content,
        another: () => arrive({}),
      };
    },
  };
}

async function writeDraft({ baton }: HttpStage, content: ContentInput = {}): Promise<string> {
  return (await baton.run('handoff.create', { content, draft: true })).id;
}

async function importSession({ baton, folder }: HttpStage, home: string, said: readonly Said[]): Promise<string> {
  const path = writeSession({ folder, home, said });
  return (await baton.run('handoff.import', { path })).handoff.id;
}

/** The session that is written. */
export const SESSION = '7c0b8a52-4f1e-4d0b-9a53-2f6f7a8e1c94';

/** Writes what was said where Claude Code keeps the sessions of a folder; gives the path. */
export function writeSession({ folder, home, said }: { folder: string; home: string; said: readonly Said[] }): string {
  const place = join(home, '.claude/projects', folder.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(place, { recursive: true });
  const rows = said.map(([who, text], index) => ({
    type: who,
    sessionId: SESSION,
    cwd: folder,
    version: '2.1.231',
    uuid: `u${index}`,
    parentUuid: index === 0 ? null : `u${index - 1}`,
    timestamp: new Date(Date.UTC(2026, 8, 14, 8, index)).toISOString(),
    message: { role: who, content: who === 'user' ? text : [{ type: 'text', text }] },
  }));
  const path = join(place, `${SESSION}.jsonl`);
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return path;
}

/** The decisions as the screen shows them, in order. */
export const decisionsOn = (page: Page) => page.locator('[data-baton-item^="decision:"] .baton-text').allInnerTexts();

/** The entry that says a text. */
export const card = (page: Page, text: string) => page.locator('[data-baton-item]').filter({ hasText: text });

/** Waits until the polite region of the review says something. */
export const expectSaid = (page: Page, text: string) =>
  page.locator('.baton-said[aria-live="polite"]', { hasText: text }).waitFor({ state: 'attached' });

export const wordsOf = ({ decisions }: Content) => decisions.map(({ content }) => content);
