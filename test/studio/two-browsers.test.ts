import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import type { StudioFacts } from '../../packages/batonpass/src/doors/http/studio.ts';
import { launchChromium } from '../browser/chromium.ts';
import { type Visit, visit } from '../browser/visit.ts';
import { openStage, program, type Stage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';
import { card, decisionsOn, stageReview, wordsOf } from './review-stage.ts';

const stage = stageReview();

const content = {
  title: 'The queue',
  summary: 'A queue.',
  decisions: ['First things first', 'Second thoughts count', 'Third time lucky'].map((text, index) => ({
    id: `d${index + 1}`,
    content: text,
  })),
};

describe('two browsers on one draft', () => {
  verifies(
    ['REVIEW.two-browsers', 'FLOW.conflict', 'FLOW.merge'],
    'see each other’s changes, are shown both texts of a conflict, and lose nothing',
    async () => {
      const { page: ada, another, content: read } = await stage.open({ content, isTroubled: true });
      const bob = await another();
      // What each changes elsewhere is put together.
      await card(ada, 'First things').focus();
      await ada.keyboard.press('e');
      await ada.keyboard.type(', says Ada');
      await ada.keyboard.press('Enter');
      await card(bob, 'Third time').focus();
      await bob.keyboard.press('#');
      await card(bob, 'First things first, says Ada').waitFor();
      await expect.poll(() => decisionsOn(ada)).toEqual(['First things first, says Ada', 'Second thoughts count']);

      // Both word one decision: the later one is shown both texts, while he writes and after.
      await card(bob, 'Second thoughts').focus();
      await bob.keyboard.press('e');
      await bob.keyboard.type(', says Bob');
      await card(ada, 'Second thoughts').focus();
      await ada.keyboard.press('e');
      await ada.keyboard.type(', says Ada');
      await ada.keyboard.press('Enter');
      const conflict = bob.locator('.baton-conflict');
      await conflict.getByText('Second thoughts count, says Ada').waitFor();
      expect(await bob.locator('textarea').inputValue()).toBe('Second thoughts count, says Bob');
      await bob.getByRole('button', { name: 'Keep mine', exact: true }).click();
      await expect.poll(async () => wordsOf(await read())).toContain('Second thoughts count, says Bob');
      await card(ada, 'Second thoughts count, says Bob').waitFor();

      // Without a server in between both save at once: of the two the later is asked.
      await bob.route('**/api/handoff.edit', (route) => route.abort());
      await card(bob, 'First things').focus();
      await bob.keyboard.press('e');
      await bob.keyboard.type(' (Bob)');
      await bob.keyboard.press('Enter');
      await card(ada, 'First things').focus();
      await ada.keyboard.press('e');
      await ada.keyboard.type(' (Ada)');
      await ada.keyboard.press('Enter');
      await bob.getByText('You and somebody else changed this decision.').waitFor();
      const versions = await bob.locator('.flow-versions').innerText();
      expect(versions).toContain('First things first, says Ada (Bob)');
      expect(versions).toContain('First things first, says Ada (Ada)');
      await bob.unroute('**/api/handoff.edit');
      await bob.getByRole('button', { name: 'Take theirs', exact: true }).click();
      await expect
        .poll(async () => wordsOf(await read()))
        .toEqual(['First things first, says Ada (Ada)', 'Second thoughts count, says Bob']);
    },
  );
});

describe('a server that is killed', () => {
  let browser: Browser | undefined;
  const stages: Stage[] = [];
  const children: ChildProcess[] = [];
  const visits: Visit[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    for (const each of visits.splice(0)) await each.close();
    for (const child of children.splice(0)) await kill(child);
    for (const each of stages.splice(0)) each.close();
  });
  afterAll(() => browser?.close());

  async function start(at: Stage, words: readonly string[] = []): Promise<StudioFacts & { child: ChildProcess }> {
    const child = spawn(process.execPath, [program, 'studio', '--json', '--no-open', ...words], {
      cwd: at.folder,
      env: at.environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    let printed = '';
    for await (const piece of child.stdout ?? []) {
      printed += String(piece);
      if (printed.trimEnd().endsWith('}')) break;
    }
    return { ...(JSON.parse(printed) as StudioFacts), child };
  }

  async function kill(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  verifies(
    ['REVIEW.killed-server', 'FLOW.unsent', 'STUDIO.reconnect', 'STUDIO.live'],
    'in mid-edit loses no word: the page continues with the next one, and sees what the command line claims',
    async () => {
      if (browser === undefined) throw new Error('No browser runs.');
      const at = openStage({ git: true });
      stages.push(at);
      const {
        handoff: { id },
      } = await at.json(['create', '-', '--draft'], { input: JSON.stringify(content) });
      const first = await start(at);
      const { port } = new URL(first.url);
      const opened = await visit(browser, `${first.url}/review/${id}${new URL(first.browser_url ?? '').hash}`);
      visits.push(opened);
      const { page } = opened;
      await card(page, 'First things').focus();
      await page.keyboard.press('e');
      await page.keyboard.type(' saved');
      await page.keyboard.press('Enter');
      await page.getByText('Saved', { exact: true }).waitFor();
      await card(page, 'Second thoughts').focus();
      await page.keyboard.press('e');
      await page.keyboard.type(' half');
      await kill(first.child);
      await page.keyboard.type(' written');
      await page.getByText('The server does not answer.').first().waitFor();
      await page.keyboard.press('Enter');
      await card(page, 'Third time').focus();
      await page.keyboard.press('#');
      await page.getByText('Not saved').first().waitFor();

      const second = await start(at, ['--port', port]);
      // Another tab of the same browser is let in; this one continues on its own.
      const tab = await page.context().newPage();
      await tab.goto(second.browser_url ?? '');
      await page.getByText('Saved', { exact: true }).waitFor();
      const { handoff: stored } = await at.json<{ handoff: { content: Parameters<typeof wordsOf>[0] } }>(['show', id]);
      expect(wordsOf(stored.content)).toEqual(['First things first saved', 'Second thoughts count half written']);
      expect(await decisionsOn(page)).toEqual(wordsOf(stored.content));

      // The inbox of the second tab sees what a separate process claims.
      await at.json(['approve', id]);
      await tab.goto(`${second.url}/inbox`);
      const row = tab.getByRole('row').filter({ hasText: 'The queue' });
      await row.waitFor();
      await at.json(['claim', '--as', 'codex']);
      await row.getByText('Claimed').waitFor();
    },
  );
});
