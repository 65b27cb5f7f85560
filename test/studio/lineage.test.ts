import { expect } from 'vitest';
import type { Baton } from '../../packages/batonpass/src/index.ts';
import { findViolations } from '../browser/find-violations.ts';
import { verifies } from '../verifies.ts';
import { go, stageStudio } from './flow-stage.ts';
import { hiddenCharacters, hostileWords } from './hostile-words.ts';
import { planByAgent, writeForPlanner } from './planned-run.ts';
import { expectFocus } from './shell-stage.ts';

const stage = stageStudio();

async function writeFamily(baton: Baton): Promise<{ first: string; second: string; plan: string }> {
  const origin = { host: 'claude-code', session: 's-1' };
  const { id: first } = await baton.run('handoff.create', { content: { title: 'First', summary: 'x', origin } });
  const second = await writeForPlanner(baton, { title: 'Second', origin, supersedes_id: first });
  await planByAgent(baton, second);
  const [plan] = (await baton.run('handoff.list', { kind: 'plan' })).handoffs;
  return { first, second, plan: plan?.id ?? '' };
}

verifies(
  ['LINEAGE.screen'],
  'the tree is gone through by keys, from the handoff to its root and to its last',
  async () => {
    const { page, baton } = await stage.open();
    const { first, second, plan } = await writeFamily(baton);
    await go(page, `/h/${second}`);
    await page.getByRole('heading', { name: 'Second' }).waitFor();
    const { keyboard } = page;
    await page.getByRole('main').press('g');
    await keyboard.press('l');
    await page.waitForURL((url) => url.pathname === `/lineage/${second}`);
    const place = (key: string) => page.locator(`[role="treeitem"][data-key="${key}"]`);
    await page.getByRole('tree').waitFor();
    expect(await page.getByRole('treeitem').allInnerTexts()).toEqual([
      expect.stringContaining('Conversation s-1'),
      expect.stringContaining('First'),
      expect.stringContaining('Second'),
      expect.stringContaining('Claimed once, acknowledged by plan-agent'),
      expect.stringContaining('Plan: Offline notes'),
    ]);
    expect(await place(plan).getAttribute('aria-level')).toBe('5');
    await place(second).focus();
    await keyboard.press('ArrowDown');
    await expectFocus(place(`${second}/work`));
    await keyboard.press('End');
    await expectFocus(place(plan));
    await keyboard.press('p');
    await expectFocus(place(`${second}/work`));
    await keyboard.press('ArrowLeft');
    expect(await place(`${second}/work`).getAttribute('aria-expanded')).toBe('false');
    expect(await place(plan).count()).toBe(0);
    await keyboard.press('ArrowLeft');
    await expectFocus(place(second));
    await keyboard.press('t');
    await expectFocus(page.getByRole('treeitem').first());
    await keyboard.press('j');
    await expectFocus(place(first));
    await keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === `/h/${first}`);
  },
);

verifies(
  ['LINEAGE.screen', 'LINEAGE.graph'],
  'handoffs that are written meanwhile appear, and the graph leads to them',
  async () => {
    const { page, baton } = await stage.open();
    const { plan } = await writeFamily(baton);
    await go(page, '/lineage');
    await page.getByRole('link', { name: 'Plan: Offline notes' }).click();
    await page.getByRole('tree').waitFor();
    await baton.run('handoff.create', { content: { title: 'It is done', summary: 'x', parent_id: plan } });
    await page.getByRole('treeitem').filter({ hasText: 'It is done' }).waitFor();
    await page.getByRole('main').press(']');
    const graph = page.getByRole('region', { name: 'Descent from left to right' });
    expect(await graph.locator('.lineage-place').count()).toBe(6);
    // One edge into each node that is below another.
    expect(await graph.locator('.lineage-link').count()).toBe(5);
    expect(await graph.locator('.lineage-link[data-kind="replaces"]').count()).toBe(1);
    await graph.getByRole('link', { name: /It is done/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'It is done' }).waitFor();
  },
);

verifies(['DETAIL.hostile'], 'hostile titles and sessions are text in tree and graph', async () => {
  const { page, baton } = await stage.open();
  let parent_id: string | undefined;
  for (const title of hostileWords) {
    const content = { title, summary: 'x', parent_id, origin: { host: 'x', session: title } };
    parent_id = (await baton.run('handoff.create', { content })).id;
  }
  for (const view of ['', '?view=graph']) {
    await go(page, `/lineage/${parent_id}${view}`);
    await page.locator('.lineage-place, .lineage-row').nth(5).waitFor();
    const shown = (await page.locator('main').textContent()) ?? '';
    for (const hidden of hiddenCharacters) expect(shown).not.toContain(hidden);
    expect(shown).toContain('<script>alert(1)</script>');
  }
});

for (const [colorScheme, width] of [
  ['light', 320],
  ['dark', 1280],
] as const) {
  verifies(['DETAIL.accessible'], `no lineage has a violation: ${colorScheme}, ${width} pixels`, async () => {
    const { page, baton } = await stage.open({
      browser: { colorScheme, viewport: { width, height: 700 }, bypassCSP: true },
    });
    const { second } = await writeFamily(baton);
    for (const [path, sign] of [
      ...(width === 320 ? [['/lineage', '.lineage-choice li'] as const] : []),
      [`/lineage/${second}`, '[role="treeitem"]'],
      [`/lineage/${second}?view=graph`, '.lineage-place'],
    ] as const) {
      await go(page, path);
      await page.locator(sign).first().waitFor();
      expect([path, await findViolations(page)]).toEqual([path, []]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
}
