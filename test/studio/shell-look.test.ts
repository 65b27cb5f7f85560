import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { findViolations } from '../browser/find-violations.ts';
import { root } from '../tidy/source-files.ts';
import { verifies } from '../verifies.ts';
import { expectFocus, rowOf, stageStudio, titles } from './shell-stage.ts';

const { open } = stageStudio();

const decisions = [{ content: 'Use SQLite', evidence: { message: 3, quote: 'go with sqlite' } }];
const risks = [{ description: 'Two writers', severity: 'high' as const }];
const sample = { title: 'Sample', summary: 'A sample', decisions, risks, files: [{ path: 'src/a.ts' }] };

/** Colours do not change with the width, so that two combinations of both show as much as four. */
const looks = [
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 1280 },
] as const;

for (const { colorScheme, width } of looks) {
  verifies(
    ['STUDIO.accessible'],
    `axe finds nothing, nothing is cut off: ${colorScheme}, ${width} pixels`,
    async () => {
      const viewport = { width, height: 700 };
      const { page, server, write } = await open({ colorScheme, viewport, bypassCSP: true });
      const [id = ''] = await write(sample);
      const screens = [
        ['/inbox', page.getByRole('row')],
        ['/inbox?tab=drafts', page.getByText('No draft waits')],
        [`/h/${id}`, page.getByText('go with sqlite')],
        [`/h/${id}?tab=receiver`, page.getByRole('region', { name: 'The text as' })],
        [`/h/${id}?tab=timeline`, page.getByRole('listitem')],
        ['/settings', page.getByText('Folder')],
      ] as const;
      for (const [path, sign] of screens) {
        await page.goto(server.url + path);
        await sign.first().waitFor();
        if (path === '/inbox') await page.keyboard.press('j');
        expect([path, await findViolations(page)]).toEqual([path, []]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      expect(await findViolations(page)).toEqual([]);
    },
  );
}

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://example.org/x.png">',
  '"><svg onload=alert(1)>',
  "'-alert(1)-'",
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '`;alert(1);`',
  '</title><script>alert(1)</script>',
  '<iframe src="https://example.org"></iframe>',
  '<style>*{display:none}</style>',
  '<link rel=stylesheet href=https://example.org/x.css>',
  '<base href="https://example.org/">',
  '<form action="https://example.org"><button>Go</button></form>',
  '<a href="javascript:alert(1)">x</a>',
  '<math><mtext><script>alert(1)</script></mtext></math>',
  '<template><img src=x onerror=alert(1)></template>',
  '<object data="https://example.org"></object>',
  '<meta http-equiv=refresh content="0;url=https://example.org">',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  'right \u202E to left',
  'zero\u200Bwidth',
  'escape \u001B[31m red',
  '\u{E0041}\u{E0042} tags',
  'a\u0301'.repeat(50),
  'שלום עולם',
  'x'.repeat(150),
];

function expectNothingHidden(text: string): void {
  for (const hidden of ['\u202E', '\u200B', '\u001B']) expect(text).not.toContain(hidden);
}

verifies(['STUDIO.hostile'], 'thirty hostile titles are text, in the list and on their own page', async () => {
  const { page, server, write } = await open();
  expect(hostile).toHaveLength(30);
  const ids = await write(...hostile.map((title) => ({ title, summary: title })));
  await page.setViewportSize({ width: 1280, height: 1600 });
  await page.reload();
  await page.locator('[aria-rowindex="30"]').waitFor();
  const shown = await titles(page);
  expect(shown).toHaveLength(30);
  expect(shown).toContain('<script>alert(1)</script>');
  expect(shown).toContain('right \\u{202E} to left');
  expect(shown).toContain('zero\\u{200B}width');
  expectNothingHidden(shown.join(''));
  for (const id of [ids[1], ids[23]]) {
    for (const tab of ['content', 'receiver', 'timeline', 'raw']) {
      await page.goto(`${server.url}/h/${id}?tab=${tab}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.handoff-part, .handoff-timeline').first().waitFor();
      expectNothingHidden(await page.locator('main').innerText());
    }
  }
});

verifies(
  ['STUDIO.keys'],
  'the help and the palette are of the registry, and single letters can be switched off',
  async () => {
    const { page } = await open({ contents: [sample, { ...sample, title: 'Other' }] });
    await rowOf(page, 'Other').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByRole('button', { name: 'next row J' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+k');
    await page.getByLabel('Find a command or a handoff').fill('settings');
    await page.keyboard.press('Enter');
    await page.getByLabel('Single-letter keys').uncheck();
    await page.reload();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.getByRole('link', { name: 'Inbox', exact: true }).click();
    await rowOf(page, 'Other').waitFor();
    await page.keyboard.press('j');
    expect(await page.getByRole('region', { name: 'Selected' }).count()).toBe(0);
    await page.getByRole('row').first().focus();
    await page.keyboard.press('ArrowDown');
    await expectFocus(rowOf(page, 'Sample'));
  },
);

verifies(['STUDIO.theme'], 'the colours that a person chose are kept, with any colours of the system', async () => {
  const { page } = await open({ path: '/settings', colorScheme: 'light' });
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.getByLabel('Dark').waitFor();
  const light = await colour();
  await page.getByLabel('Dark').check();
  const dark = await colour();
  expect(dark).not.toBe(light);
  await page.reload();
  await page.getByLabel('Dark').waitFor();
  expect(await colour()).toBe(dark);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByLabel('Light').check();
  expect(await colour()).toBe(light);
});

verifies(['STUDIO.size'], 'the first view is small', async () => {
  const folder = join(root, 'packages/batonpass/dist/studio');
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path = '']) => path);
  // The inbox is the first view, and loads these on its own.
  const inbox = globSync('assets/{inbox,state-mark}-*', { cwd: folder });
  expect(inbox.length).toBeGreaterThan(1);
  const sizeOf = (extension: string) =>
    [...named, ...inbox]
      .filter((path) => path.endsWith(extension))
      .reduce((sum, path) => sum + gzipSync(readFileSync(join(folder, path))).byteLength, 0);
  expect(sizeOf('.js')).toBeLessThanOrEqual(110 * 1024);
  expect(sizeOf('.css')).toBeLessThanOrEqual(12 * 1024);
});
