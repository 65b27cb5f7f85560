import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { expectFocus, rowOf, stageStudio } from './shell-stage.ts';

const { open } = stageStudio();

const contents = ['One', 'Two', 'Three'].map((title) => ({ title, summary: title }));

/** Controls of which some part is under what the studio says. */
const coveredControls = (page: Page) =>
  page.evaluate(() => {
    const toasts = document.querySelector('.studio-toasts')?.getBoundingClientRect();
    if (toasts === undefined || toasts.height === 0) return ['nothing is said'];
    const controls = [...document.querySelectorAll('a, button, input, [role="row"]')];
    return controls
      .filter((each) => each.closest('.studio-toasts') === null && each.checkVisibility({ visibilityProperty: true }))
      .filter((each) => {
        const { left, right, top, bottom, width } = each.getBoundingClientRect();
        const isOver = left < toasts.right && right > toasts.left && top < toasts.bottom && bottom > toasts.top;
        // What is scrolled away is not covered by it.
        const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return width > 1 && isOver && seen?.closest('.studio-toasts') != null;
      })
      .map((each) => each.outerHTML);
  });

for (const { colorScheme, viewport } of [
  { colorScheme: 'light', viewport: { width: 800, height: 500 } },
  { colorScheme: 'dark', viewport: { width: 320, height: 640 } },
] as const) {
  verifies(
    ['SHELL.uncovered'],
    `messages cover no control and move none: ${colorScheme}, ${viewport.width} pixels`,
    async () => {
      const { page } = await open({ contents, colorScheme, viewport, path: '/inbox?tab=open' });
      await rowOf(page, 'Three').waitFor();
      await page.keyboard.press('j');
      const acts = page.getByRole('region', { name: 'Selected' });
      const before = await acts.boundingBox();
      await page.keyboard.press('3');
      await page.getByRole('button', { name: 'Undo Z' }).waitFor();
      expect(await coveredControls(page)).toEqual([]);
      // A second click at the same place does not undo what was done.
      if (viewport.width > 768) expect((await acts.boundingBox())?.y).toBe(before?.y);
    },
  );
}

verifies(
  ['SHELL.forced-colours'],
  'with forced colours the current screen and the bars are distinguishable',
  async () => {
    const { page, other } = await open({ contents, forcedColors: 'active', path: '/' });
    const { handoff } = await other.run('handoff.claim', {});
    const { id, token } = { id: handoff?.id ?? '', token: handoff?.delivery.lease?.token ?? '' };
    await other.run('handoff.acknowledge', { id, token });
    const styleOf = (selector: string, name: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
    await page.locator('.home-plot [data-kind="finished"]').waitFor();
    const current = await styleOf('.studio-rail nav a[aria-current]', 'background-color');
    expect(current).not.toBe(await styleOf('.studio-rail', 'background-color'));
    const fill = (kind: string) => styleOf(`.home-plot [data-kind="${kind}"]`, 'fill');
    expect(await fill('written')).not.toBe(await fill('finished'));
    expect(await fill('finished')).toBe(await styleOf('.studio h1', 'color'));
    await other.run('handoff.create', { content: { title: 'Drafted', summary: 'x' }, draft: true });
    await page.getByRole('link', { name: 'Review Drafted' }).waitFor();
    // Else the browser adds its own background behind the words, in their colour.
    expect(await styleOf('.home-need .baton-primary', 'forced-color-adjust')).toBe('none');
    const ground = await styleOf('.home-need .baton-primary', 'background-color');
    expect(await styleOf('.home-need .baton-primary', 'color')).not.toBe(ground);
    await page.getByRole('link', { name: 'Inbox', exact: true }).click();
    const line = (selector: string) => styleOf(`.studio-tabs a${selector}`, 'border-bottom-color');
    await page.locator('.studio-tabs a[aria-current]').waitFor();
    expect(await line('[aria-current]')).not.toBe(await line(':not([aria-current])'));
  },
);

const isSeenWhole = (element: Element) => {
  const { left, top, bottom } = element.getBoundingClientRect();
  const [first, last] = [top + 3, bottom - 3].map((y) => document.elementFromPoint(left + 20, y));
  return element.contains(first ?? null) && element.contains(last ?? null);
};

for (const colorScheme of ['light', 'dark'] as const) {
  verifies(['SHELL.enlarged'], `at 200 % no foot covers what has the focus: ${colorScheme}`, async () => {
    // 1280 by 800 pixels, enlarged to 200 %.
    const viewport = { width: 640, height: 400 };
    const { page, baton, server } = await open({ colorScheme, viewport, deviceScaleFactor: 2 });
    // Nothing of it contradicts the rest: a doubt that comes late makes an entry higher.
    const decisions = Array.from('abcdefghijkl', (letter) => letter.repeat(9));
    const { id } = await baton.run('handoff.create', { content: { summary: 'Long', decisions }, draft: true });
    await page.goto(`${server.url}/review/${id}`);
    await page.locator('[data-baton-item="decision:d1"]').focus();
    for (let place = 2; place <= 12; place += 1) {
      await page.keyboard.press('j');
      const card = page.locator(`[data-baton-item="decision:d${place}"]`);
      await expectFocus(card);
      await expect.poll(() => card.evaluate(isSeenWhole)).toBe(true);
    }
    expect(await page.locator('.baton-footer').evaluate((foot) => getComputedStyle(foot).position)).toBe('static');
  });
}
