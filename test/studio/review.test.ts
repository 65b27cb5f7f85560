import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { findViolations } from '../browser/find-violations.ts';
import { verifies } from '../verifies.ts';
import { card, decisionsOn, expectSaid, type Said, stageReview, wordsOf, writeSession } from './review-stage.ts';

const stage = stageReview();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const decisions = [
  { id: 'd1', content: 'Use SQLite for the queue', evidence: { message: 2, quote: 'go with sqlite' } },
  { id: 'd2', content: 'The queue uses SQLite', evidence: { message: 4, quote: 'sqlite it is' } },
  { id: 'd3', content: 'Leases expire after 30 seconds', evidence: { message: 6, quote: 'thirty' } },
  { id: 'd4', content: 'Leases expire after 60 seconds' },
  { id: 'd5', content: 'No round trip in v1', source: 'ai-extracted' as const, confidence: 0.5 },
];
const content = {
  title: 'The queue',
  summary: 'A queue on SQLite.',
  decisions,
  files: [
    { id: 'f1', path: 'here.ts', context: 'Claims.' },
    { id: 'f2', path: 'gone.ts', context: 'Renews.' },
    { id: 'f3', path: '../outside.ts', context: 'Elsewhere.' },
  ],
  risks: [{ id: 'r1', description: 'Two writers', severity: 'medium' as const }],
};

describe('many entries at once', () => {
  verifies(
    ['REVIEW.select', 'REVIEW.merge'],
    'are selected by keys, merged, removed as one step, and brought back by one undo',
    async () => {
      const { page, content: read } = await stage.open({ content });
      const { keyboard } = page;
      await card(page, 'Use SQLite for the queue').first().focus();
      await keyboard.press('x');
      await keyboard.press('j');
      await keyboard.press('x');
      await page.getByText('2 selected', { exact: true }).waitFor();
      await keyboard.press('m');
      await expectSaid(page, 'Merged 2 decisions into one. Undo with Z.');
      await expect.poll(async () => (await read()).decisions.length).toBe(4);
      const [merged] = (await read()).decisions;
      expect([merged?.evidence?.message, merged?.support?.map(({ message }) => message)]).toEqual([2, [4]]);
      expect(await page.evaluate(() => document.activeElement?.getAttribute('data-baton-item'))).toMatch(/^decision:/);
      await keyboard.press('z');
      await expect.poll(() => decisionsOn(page)).toHaveLength(5);

      await card(page, 'Leases expire after 30').first().focus();
      await keyboard.press('Shift+J');
      await page.getByText('2 selected', { exact: true }).waitFor();
      await card(page, 'Two writers').getByRole('checkbox').check();
      await keyboard.press('#');
      await expectSaid(page, 'Removed 3 entries.');
      await expect
        .poll(async () => wordsOf(await read()))
        .toEqual(['Use SQLite for the queue', 'The queue uses SQLite', 'No round trip in v1']);
      expect((await read()).risks).toEqual([]);
      // The focus stays among the entries.
      expect(await page.evaluate(() => document.activeElement?.closest('.baton-review') !== null)).toBe(true);
      await keyboard.press('z');
      await expect.poll(async () => (await read()).decisions.length + (await read()).risks.length).toBe(6);
      await card(page, 'Two writers').focus();
      await keyboard.press('Control+a');
      await page.getByText('9 selected', { exact: true }).waitFor();
      await keyboard.press('Escape');
      await expect.poll(() => page.locator('.baton-choice-bar').count()).toBe(0);
      await card(page, 'Two writers').focus();
      await keyboard.press('m');
      await expectSaid(page, 'Select two decisions or more to merge them.');
    },
  );

  verifies(
    ['REVIEW.doubts', 'REVIEW.pin', 'REVIEW.filter', 'REVIEW.palette'],
    'doubts are shown where they belong; pins, filter and palette work by keys',
    async () => {
      const { page, content: read } = await stage.open({ content, files: { 'here.ts': 'x' } });
      const { keyboard } = page;
      const first = page.locator('[data-baton-item="decision:d1"]');
      await first.locator('.baton-doubt', { hasText: 'Says the same as The queue uses SQLite' }).waitFor();
      await page.locator('[data-baton-item="decision:d4"]').getByText('Contradicts').waitFor();
      await page.getByText('0 blocking, 4 warnings').click();
      for (const text of [
        '2 decisions contradict another.',
        '2 decisions say what another says.',
        '1 decision was only implied: nobody said it.',
        '2 files differ from their descriptions: see Files.',
      ]) {
        await page.getByRole('listitem').filter({ hasText: text }).waitFor();
      }
      const implied = page.locator('[data-baton-item="decision:d5"]');
      await implied.focus();
      await keyboard.press('p');
      await implied.getByText('PINNED').waitFor();
      await expect.poll(async () => (await read()).decisions.find(({ id }) => id === 'd5')?.source).toBe('user-pinned');
      expect(await page.locator('.baton-implied').count()).toBe(0);
      await keyboard.press('p');
      await page.getByText('Implied (1)').waitFor();

      await keyboard.press('/');
      await keyboard.type('LEASES 60');
      await page.getByText('1 of 9').waitFor();
      expect(await decisionsOn(page)).toEqual(['Leases expire after 60 seconds']);
      await keyboard.press('Enter');
      await keyboard.press('/');
      await keyboard.press('Escape');
      await expect.poll(() => decisionsOn(page)).toHaveLength(5);

      await page.locator('[data-baton-item="risk:r1"]').focus();
      await keyboard.press('Control+k');
      await keyboard.type('high');
      await keyboard.press('Enter');
      await expect.poll(async () => (await read()).risks[0]?.severity).toBe('high');
      await keyboard.press('?');
      await page.getByRole('dialog').getByRole('button', { name: 'merge the selected decisions' }).waitFor();
      await keyboard.press('Escape');
      await first.getByRole('button', { name: 'Merge' }).click();
      await expect.poll(async () => (await read()).decisions.length).toBe(4);
    },
  );

  verifies(['REVIEW.files'], 'files say what the disk says of them', async () => {
    const { page } = await stage.open({ content, files: { 'here.ts': 'x' } });
    await card(page, 'here.ts').getByText('exists').waitFor();
    await card(page, 'gone.ts').getByText('does not exist').waitFor();
    await card(page, '../outside.ts').getByText('outside the project').waitFor();
  });
});

verifies(['REVIEW.many'], 'of 500 entries a key press draws at most what is next to it', async () => {
  const many = Array.from({ length: 500 }, (_, number) => `Part ${number} keeps ${number % 7} copies`);
  const { page } = await stage.open({ content: { summary: 'Many', decisions: many } });
  // What comes behind the entries is there: from now on nothing is drawn but by keys.
  await page.locator('.baton-doubt').first().waitFor({ state: 'attached' });
  await page.locator('[data-baton-item="decision:d1"]').focus();
  await page.evaluate(() => {
    const drawn = new Set<Element>();
    const note = (records: MutationRecord[]) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        drawn.add(element?.closest('[data-baton-item]') ?? document.body);
      }
    };
    const options = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver(note).observe(document.querySelector('.baton-lists') as Element, options);
    Object.assign(window, { drawn });
  });
  const drawnBy = async (key: string) => {
    await page.evaluate(() => (window as unknown as { drawn: Set<Element> }).drawn.clear());
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    return page.evaluate(() => (window as unknown as { drawn: Set<Element> }).drawn.size);
  };
  expect(await drawnBy('j')).toBe(0);
  expect(await drawnBy('x')).toBeLessThanOrEqual(2);
  expect(await drawnBy('x')).toBeLessThanOrEqual(2);
  expect(await drawnBy('p')).toBeLessThanOrEqual(2);
  expect(await drawnBy('e')).toBeLessThanOrEqual(2);
});

const said: readonly Said[] = [
  ['user', 'We need a queue that two agents can share.'],
  ['assistant', 'Postgres is sound, but SQLite would need no server at all.'],
  ['user', "Good. Then let's go with SQLite for the queue, one file, no server."],
  ['assistant', 'Noted. How long is a lease?'],
  ['user', "Let's make a lease fifteen minutes long."],
  ['assistant', 'Fine.'],
];

describe('a draft of a conversation', () => {
  verifies(
    ['REVIEW.evidence', 'REVIEW.back'],
    'shows where the focused entry was said, the conversation around it, and leads back to it',
    async () => {
      const viewport = { width: 1440, height: 900 };
      const { page } = await stage.open({ session: said, viewport });
      const entry = card(page, 'Go with SQLite').last();
      await entry.focus();
      const pane = page.getByRole('complementary', { name: 'Where it was said' });
      await pane.getByText('message 2 · user').waitFor();
      await pane.locator('mark').waitFor();
      await page.keyboard.press('v');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('SQLite would need no server at all').waitFor();
      await dialog.locator('[aria-current="true"] mark').waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => entry.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.press('Escape');
      await page.waitForURL(/\/b\/7c0b8a52/);
      await page.getByText('We need a queue that two agents can share.').first().waitFor();
    },
  );

  verifies(['REVIEW.extract-again'], 'is marked as old, and re-reads what was said since; edits stay', async () => {
    const { page, content: read, folder, baton } = await stage.open({ session: said });
    await card(page, 'Go with SQLite').last().focus();
    await page.keyboard.press('e');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('One SQLite file, as I worded it');
    await page.keyboard.press('Enter');
    await expect.poll(async () => wordsOf(await read())).toContain('One SQLite file, as I worded it');
    const home = baton.context.environment.HOME ?? '';
    writeSession({ folder, home, said: [...said, ['user', "Let's use WAL mode for the database."]] });
    expect(await page.getByText('was last changed').count()).toBe(0);
    await page.clock.install({ time: Date.now() + 25 * 3_600_000 });
    await page.reload();
    await page.getByText('This draft was last changed 25 hours ago.').waitFor();
    await button(page, 'Extract again').click();
    await card(page, 'WAL mode').first().waitFor();
    const words = wordsOf(await read());
    expect(words).toContain('One SQLite file, as I worded it');
    expect(words.filter((text) => text.includes('SQLite'))).toHaveLength(1);
    await expect.poll(() => page.getByText('was last changed').count()).toBe(0);
  });
});

describe('the look of the review', () => {
  for (const { colorScheme, width } of [
    { colorScheme: 'light', width: 1440 },
    { colorScheme: 'dark', width: 320 },
  ] as const) {
    verifies(
      ['REVIEW.accessible'],
      `has no violation with all that it can show: ${colorScheme}, ${width}`,
      async () => {
        const viewport = { width, height: 720 };
        const long = { message: 7, quote: 'What somebody says at length, and at length again. '.repeat(8).trim() };
        const quoted = { ...content, risks: [{ id: 'r1', description: 'Two writers', evidence: long }] };
        const { page } = await stage.open({ content: quoted, viewport, colorScheme, bypassCSP: true });
        await page.locator('[data-baton-item="decision:d4"]').getByText('Contradicts').waitFor();
        await page.locator('[data-baton-item="decision:d1"]').focus();
        await page.keyboard.press('Shift+J');
        await page.locator('.baton-problems summary').click();
        expect(await findViolations(page)).toEqual([]);
        expect(await findFaults(page)).toEqual({ covered: [], small: [], excess: 0 });
        await page.locator('[data-baton-item="decision:d1"]').focus();
        await page.keyboard.press('v');
        await page.getByRole('dialog').waitFor();
        expect(await findViolations(page)).toEqual([]);
      },
    );
  }
});

/** Every entry in turn: its words under the foot or the head; targets that are too small; what is wider than the page. */
function findFaults(page: Page): Promise<{ covered: string[]; small: string[]; excess: number }> {
  return page.evaluate(() => {
    const foot = document.querySelector('.baton-footer') as HTMLElement;
    const covered = [...document.querySelectorAll<HTMLElement>('[data-baton-item]')].filter((each) => {
      each.focus();
      const { bottom } = each.querySelector('.baton-text')?.getBoundingClientRect() ?? { bottom: 0 };
      return bottom > foot.getBoundingClientRect().top;
    });
    const small = [...document.querySelectorAll('.flow-review :is(button, select, summary, .baton-choice)')].filter(
      (each) => {
        const { width, height } = each.getBoundingClientRect();
        return width > 0 && (width < 24 || height < 24);
      },
    );
    const excess = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    return { covered: covered.map((each) => each.innerText), small: small.map((each) => each.outerHTML), excess };
  });
}

verifies(
  ['FLOW.import'],
  'a session that was found on the machine is read into a draft, and opens for its review',
  async () => {
    const session: Said[] = [
      ['user', 'Where do sessions live?'],
      ['assistant', 'In memory, in signed cookies, or in Postgres. I would take Postgres.'],
      ['user', 'Yes, take Postgres for the sessions.'],
    ];
    const { page } = await stage.open({ session });
    await page.goto(new URL('/import', page.url()).href);
    await page.locator('.flow-session').getByRole('button').click();
    await page.getByRole('heading', { name: 'Review the handoff' }).waitFor();
    await expect.poll(async () => (await decisionsOn(page)).join(' ')).toContain('Postgres');
  },
);
