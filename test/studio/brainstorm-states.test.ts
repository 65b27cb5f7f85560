import { describe, expect } from 'vitest';
import { findViolations } from '../browser/find-violations.ts';
import { keepsSilent } from '../extraction/model/model-server.ts';
import { verifies } from '../verifies.ts';
import {
  act,
  advice,
  composer,
  expectKept,
  found,
  heldBack,
  message,
  openBrainstorm,
  pinned,
  pinsOn,
  question,
  say,
  saying,
  saysHalf,
  select,
  whole,
} from './brainstorm-stage.ts';
import { button, go, stageStudio, transcript } from './flow-stage.ts';

const stage = stageStudio();

describe('what is kept', () => {
  verifies(
    ['STORM.kept'],
    'a reload in mid-answer keeps what was said, pinned and written, and the question is asked again',
    async () => {
      const { page } = await stage.open({ replies: [saying(advice), saysHalf('Then we rotate'), saying('All said.')] });
      await openBrainstorm(page);
      await say(page, question);
      await whole(page);
      await act(page, 1, 'Pin').click();
      await say(page, 'How often?');
      await message(page, 3).getByText('Then we rotate').waitFor();
      await composer(page).fill('not sent yet');
      await expectKept(page, 'Then we rotate');
      await page.reload();
      await message(page, 3).getByText('Then we rotate').waitFor();
      expect(await pinsOn(page)).toEqual([advice]);
      expect(await composer(page).inputValue()).toBe('not sent yet');
      await button(page, 'Ask again').click();
      await message(page, 3).getByText('All said.').waitFor();
      await whole(page);
      expect(await button(page, 'Ask again').count()).toBe(0);
      expect(await page.getByRole('article').count()).toBe(4);
    },
  );

  verifies(['STORM.stop'], 'Escape stops an answer, whose beginning stays and can be asked for again', async () => {
    const { page } = await stage.open({ replies: [saysHalf('Half of it'), saying(advice)] });
    await openBrainstorm(page);
    await say(page, question);
    await message(page, 1).getByText('Half of it').waitFor();
    await composer(page).press('Escape');
    await whole(page);
    await message(page, 1).getByText('Half of it').waitFor();
    await button(page, 'Ask again').click();
    await message(page, 1).getByText('Keep sessions in signed cookies').waitFor();
  });

  verifies(
    ['STORM.outage'],
    'a server that is down is reported, nothing is lost, and the answer comes when it is back',
    async () => {
      const { page } = await stage.open({ hasFailures: true, replies: [saying(advice), saying('Once a month.')] });
      await openBrainstorm(page);
      await say(page, question);
      await whole(page);
      await page.route('**/api/chat', (route) => route.abort());
      await say(page, 'How often?');
      await page.getByText('The server does not answer.').first().waitFor();
      await page.getByText('The conversation is kept.').waitFor();
      await button(page, 'Try again').click();
      await page.getByText('The conversation is kept.').waitFor();
      await expectKept(page, 'How often?');
      await page.reload();
      await message(page, 2).getByText('How often?').waitFor();
      await page.unroute('**/api/chat');
      await page.reload();
      await button(page, 'Ask again').click();
      await message(page, 3).getByText('Once a month.').waitFor();
    },
  );

  verifies(['STORM.goes-on'], 'an answer continues while another screen is shown', async () => {
    const held = heldBack({ text: advice });
    const { page } = await stage.open({ replies: [held.reply] });
    await openBrainstorm(page);
    await say(page, question);
    await page.getByText('The model is thinking…').waitFor();
    const { pathname } = new URL(page.url());
    await go(page, '/settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    held.send();
    await expectKept(page, pinned);
    await go(page, pathname);
    await message(page, 1).getByText(pinned).waitFor();
  });

  verifies(['STORM.project'], 'a brainstorm of another project is not shown', async () => {
    const { page } = await stage.open();
    await openBrainstorm(page);
    await say(page, 'Of this project');
    await message(page, 0).waitFor();
    await expectKept(page, 'Of this project');
    await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('baton-brainstorms');
        request.onsuccess = () => resolve(request.result);
      });
      const table = database.transaction('brainstorms', 'readwrite').objectStore('brainstorms');
      const all = table.getAll();
      all.onsuccess = () => table.put({ ...all.result[0], project: 'another', id: 'x1', title: 'Of another project' });
      await new Promise((resolve) => {
        table.transaction.oncomplete = resolve;
      });
      database.close();
    });
    await openBrainstorm(page);
    await page.getByRole('link', { name: 'Of this project' }).waitFor();
    expect(await page.getByText('Of another project').count()).toBe(0);
    await openBrainstorm(page, '/b/x1');
    await page.getByText('This browser has no brainstorm at that address.').waitFor();
  });
});

describe('pins', () => {
  verifies(['STORM.pin'], 'they are moved, shown in place, removed and restored, by keys too', async () => {
    const { page } = await stage.open();
    await openBrainstorm(page);
    await page.getByLabel('Transcript').fill(transcript);
    await page.getByLabel('Transcript').press('Control+Enter');
    for (const [place, words] of [
      [0, 'People lose text'],
      [2, 'Yes, local first.'],
      [4, 'both versions'],
    ] as const) {
      await select(page, place, words);
      await act(page, place, 'Pin').click();
    }
    const pins = page.locator('.brainstorm-pin-words');
    await pins.nth(2).press('Alt+ArrowUp');
    await expect.poll(() => pinsOn(page)).toEqual(['People lose text', 'both versions', 'Yes, local first.']);
    expect(await pins.nth(1).evaluate((each) => each === document.activeElement)).toBe(true);
    await button(page, 'Move pin 1 down').click();
    await expect.poll(() => pinsOn(page)).toEqual(['both versions', 'People lose text', 'Yes, local first.']);
    await pins.nth(0).press('Backspace');
    await expect.poll(() => pinsOn(page)).toEqual(['People lose text', 'Yes, local first.']);
    await expect.poll(() => pins.nth(0).evaluate((each) => each === document.activeElement)).toBe(true);
    await page.keyboard.press('z');
    await expect.poll(() => pinsOn(page)).toEqual(['both versions', 'People lose text', 'Yes, local first.']);
    await pins.nth(0).click();
    await expect.poll(() => message(page, 4).evaluate((each) => each === document.activeElement)).toBe(true);
    await page.reload();
    await message(page, 4).waitFor();
    await expect.poll(() => pinsOn(page)).toEqual(['both versions', 'People lose text', 'Yes, local first.']);
  });
});

describe('the reading of a brainstorm', () => {
  verifies(
    ['STORM.failed', 'BR.screen.ready-disabled', 'BR.extract.abort'],
    'is cancelled, or fails, and leaves conversation and pins as they were; rules can read instead',
    async () => {
      const flow = await stage.open({ hasFailures: true, replies: [saying(advice), keepsSilent, found] });
      const { page, baton } = flow;
      await openBrainstorm(page);
      await say(page, question);
      await whole(page);
      await act(page, 1, 'Pin').click();
      await button(page, 'Ready to plan').click();
      await page.getByText('The model reads 2 messages… 0 of 2 messages read.').waitFor();
      expect(await button(page, 'Ready to plan').getAttribute('aria-disabled')).toBe('true');
      await page.getByRole('button', { name: /^Cancel/ }).click();
      await page.getByText('Cancelled. The conversation and its pins are unchanged.').waitFor();
      expect((await baton.run('handoff.list', {})).handoffs).toEqual([]);
      await page.route('**/api/handoff.import', (route) => route.abort());
      await button(page, 'Ready to plan').click();
      await page.getByText('The server does not answer.').first().waitFor();
      expect(await pinsOn(page)).toEqual([advice]);
      await page.unroute('**/api/handoff.import');
      await button(page, 'Read by rules instead').click();
      await page.getByRole('heading', { name: 'Review the handoff' }).waitFor();
      expect((await flow.draft()).content.origin?.extractor).toBe('rules');
    },
  );
});

describe('the column', () => {
  verifies(['STORM.hostile', 'STORM.markdown'], 'messages are text, in the chat, titles and pins', async () => {
    const hostile = [
      '<img src=x onerror=alert(1)> <script>alert(1)</script>',
      '![x](https://evil.example/x.png) [click](javascript:alert(1)) [to](https://evil.example/)',
      'before\u202Eafter\u200Bhidden\u001B[31m',
      '```\n<b>in code</b>',
    ];
    const messages = hostile.map((content, place) => ({ role: place % 2 === 0 ? 'user' : 'assistant', content }));
    const { page } = await stage.open();
    await openBrainstorm(page);
    await page.getByLabel('Transcript').fill(JSON.stringify({ messages }));
    await button(page, 'Read it').click();
    await message(page, 3).waitFor();
    for (const place of hostile.keys()) await act(page, place, 'Pin').click();
    expect(await pinsOn(page)).toHaveLength(4);
    expect(await page.locator('.brainstorm :is(img, script, iframe, b)').count()).toBe(0);
    expect(await page.locator('.brainstorm-body a').count()).toBe(0);
    expect(await message(page, 1).innerText()).toContain('to (https://evil.example/)');
    expect(await message(page, 2).innerText()).toContain('before\\u{202E}after\\u{200B}hidden');
    expect(await message(page, 3).locator('pre').innerText()).toBe('<b>in code</b>');
    const shown = await page.locator('.brainstorm').innerText();
    for (const hidden of ['\u202E', '\u200B', '\u001B']) expect(shown).not.toContain(hidden);
  });

  verifies(['STORM.long'], 'of 1,000 messages only what is near is on the page, and every one is reached', async () => {
    const messages = Array.from({ length: 1_000 }, (_, place) => ({
      role: place % 2 === 0 ? 'user' : 'assistant',
      content: `Message of place ${place}. ${advice}`,
    }));
    const { page } = await stage.open();
    await openBrainstorm(page);
    await page.getByLabel('Transcript').fill(JSON.stringify({ messages }));
    await button(page, 'Read it').click();
    await message(page, 999).waitFor();
    expect(await page.getByRole('article').count()).toBeLessThanOrEqual(200);
    await select(page, 900, 'Message of place 900.');
    await page.keyboard.press('p');
    await button(page, 'Show earlier messages (800)').click();
    await message(page, 600).waitFor();
    await message(page, 600).focus();
    await page.keyboard.press('k');
    await expect.poll(() => message(page, 599).evaluate((each) => each === document.activeElement)).toBe(true);
    expect(await pinsOn(page)).toEqual(['Message of place 900.']);
  });

  const looks = [
    { name: 'in the light theme', options: { colorScheme: 'light' as const } },
    {
      name: 'in the dark theme at 320 pixels',
      options: { colorScheme: 'dark' as const, viewport: { width: 320, height: 640 } },
    },
  ];
  for (const { name, options } of looks) {
    verifies(['STORM.accessible'], `no violation ${name}: beginning, chat, trouble, pins`, async () => {
      const { page } = await stage.open({
        hasFailures: true,
        browser: { ...options, bypassCSP: true },
        replies: [saying(advice)],
      });
      const expectSound = async () => {
        expect(await findViolations(page)).toEqual([]);
        const excess = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(excess).toBe(0);
      };
      await openBrainstorm(page);
      await page.getByText('None was found on this machine.').waitFor();
      await expectSound();
      await say(page, question);
      await whole(page);
      await act(page, 1, 'Pin').click();
      await page.route('**/api/chat', (route) => route.abort());
      await say(page, 'How often?');
      await page.getByText('The conversation is kept.').waitFor();
      const pins = page.locator('.brainstorm-pins summary');
      if (!(await page.locator('.brainstorm-pin-words').isVisible())) await pins.click();
      await expectSound();
    });
  }
});
