import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { showHiddenIn } from '../../packages/batonpass/src/core/shown-values.ts';
import type { Baton, ContentInput } from '../../packages/batonpass/src/index.ts';
import { findViolations } from '../browser/find-violations.ts';
import { verifies } from '../verifies.ts';
import { button, go, stageStudio } from './flow-stage.ts';
import { hiddenCharacters, hostileWords } from './hostile-words.ts';

const stage = stageStudio();

const person = { name: 'ada', type: 'person' } as const;

async function writeVersions(baton: Baton): Promise<{ first: string; second: string }> {
  const { id: first } = await baton.run('handoff.create', {
    content: { title: 'Notes', summary: 'On the server.', decisions: ['Write to the server first', 'Keep both'] },
  });
  const { id: second } = await baton.run('handoff.create', {
    content: {
      title: 'Notes, offline',
      summary: 'On the phone.\nThe server is told later.',
      decisions: ['Write to the phone first', 'Keep both'],
      supersedes_id: first,
    },
    draft: true,
  });
  await baton.run('handoff.edit', { id: second, changes: { add: { risks: ['Two phones'] } } }, { actor: person });
  return { first, second };
}

verifies(
  ['DETAIL.diff', 'DETAIL.edits', 'DETAIL.keys'],
  'the differences of a handoff are shown in words, and its root is one key away',
  async () => {
    const { page, baton } = await stage.open();
    const { first, second } = await writeVersions(baton);
    await go(page, `/h/${second}?tab=diff`);
    await page.getByText('From Notes to this one.').waitFor();
    const section = (name: string) => page.locator('.diff-part').filter({ has: page.getByRole('heading', { name }) });
    expect(await section('Summary').getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/removed\s+On the server\./),
      expect.stringMatching(/added\s+On the phone\./),
      expect.stringMatching(/added\s+The server is told later\./),
    ]);
    const decision = section('Decisions').getByRole('listitem');
    expect(await decision.count()).toBe(1);
    expect(await decision.locator('del').textContent()).toContain('server');
    expect(await decision.locator('ins').textContent()).toContain('phone');
    await section('Decisions').getByText('1 unchanged').waitFor();
    await page.getByRole('link', { name: 'Edits of its draft' }).click();
    const edit = page.getByRole('listitem').filter({ hasText: 'Revision 2' });
    await edit.locator('ins').filter({ hasText: 'Two phones' }).waitFor();
    await page.getByRole('main').press('t');
    await page.waitForURL((url) => url.pathname === `/h/${first}`);
    await go(page, `/h/${second}`);
    await page.getByRole('heading', { name: 'Notes, offline' }).waitFor();
    await page.getByRole('main').press('p');
    await page.waitForURL((url) => url.pathname === `/h/${first}`);
  },
);

verifies(['DETAIL.drift'], 'next to each file is how it changed, and what to do', async () => {
  const { page, baton } = await stage.open();
  const { root } = baton.context.workspace;
  const names = ['same', 'edited', 'moved', 'gone'];
  const write = (name: string, text: string) => {
    const path = join(root, 'src', `${name}.ts`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], { cwd: root });
  for (const name of names) write(name, `export const ${name} = 1;\n`.repeat(10));
  git('add', '.');
  git('commit', '-qm', 'Files');
  const { id } = await baton.run('handoff.create', {
    content: { summary: 'Files', files: names.map((name) => ({ path: `src/${name}.ts` })) },
  });
  await go(page, `/h/${id}`);
  await page.getByText('None has changed since.').waitFor();
  write('edited', 'export const edited = 2;\n');
  git('mv', 'src/moved.ts', 'src/elsewhere.ts');
  git('commit', '-qm', 'Move');
  rmSync(join(root, 'src/gone.ts'));
  await button(page, 'Check again').click();
  await page.getByText('3 of 4 changed since.').waitFor();
  const line = (name: string) =>
    page
      .getByRole('listitem')
      .filter({ hasText: `src/${name}.ts` })
      .locator('.handoff-drift')
      .innerText();
  expect(await line('same')).toMatch(/^Unchanged/);
  expect(await line('edited')).toMatch(/^Changed .*Read it again/);
  expect(await line('moved')).toMatch(/^Moved .*Look at src\/elsewhere\.ts instead\./);
  expect(await line('gone')).toMatch(/^Missing .*Check whether what is said about it still holds\./);
});

verifies(['DETAIL.raw'], 'the record is laid out or in one line, and is copied as it is', async () => {
  const { page, baton } = await stage.open({ browser: { permissions: ['clipboard-read', 'clipboard-write'] } });
  const { id } = await baton.run('handoff.create', { content: { summary: 'zero\u200Bwidth' } });
  await go(page, `/h/${id}?tab=raw`);
  const record = page.getByRole('region', { name: 'The record as JSON' });
  expect(await record.textContent()).toContain('\n  "id"');
  await page.getByRole('main').press('v');
  await expect.poll(() => record.textContent()).not.toContain('\n');
  expect(await record.textContent()).toContain('zero\\\\u{200B}width');
  await page.getByRole('main').press('c');
  await page.getByRole('status').getByText('Copied.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  // As every door answers it: hidden characters by their numbers.
  expect(JSON.parse(copied)).toEqual(showHiddenIn(await baton.run('handoff.get', { id })));
});

verifies(
  ['DETAIL.version', 'DETAIL.requeue'],
  'a new version replaces what waits, continues from what is done, and what is dead is requeued',
  async () => {
    const { page, baton } = await stage.open();
    const { id } = await baton.run('handoff.create', {
      content: { title: 'Waits', summary: 'x', decisions: ['Use SQLite'], payload: { rows: 'y'.repeat(70_000) } },
      max_attempts: 1,
    });
    await go(page, `/h/${id}`);
    await page.getByRole('heading', { name: 'Waits' }).waitFor();
    await page.getByRole('main').press('n');
    await page.waitForURL((url) => url.pathname.startsWith('/review/'));
    const [draft] = (await baton.run('handoff.list', { state: ['draft'] })).handoffs;
    const written = await baton.run('handoff.get', { id: draft?.id ?? '', payload: true });
    expect(written.content).toMatchObject({ title: 'Waits', supersedes_id: id, payload: { rows: 'y'.repeat(70_000) } });
    // It is offered until what replaces it is approved.
    const stateOf = async () => (await baton.run('handoff.get', { id })).delivery.state;
    expect(await stateOf()).toBe('open');
    await baton.run('handoff.approve', { id: draft?.id ?? '' });
    expect(await stateOf()).toBe('withdrawn');
    await baton.run('handoff.reopen', { id });
    const claimed = await baton.run('handoff.claim', { id });
    const token = claimed.handoff?.delivery.lease?.token ?? '';
    await baton.run('handoff.fail', { id, token, reason: 'It cannot be done.' });
    await go(page, `/h/${id}`);
    await page.getByText('failed, by').waitFor();
    await page.getByRole('button', { name: 'Requeue' }).click();
    await expect.poll(stateOf).toBe('open');
    const again = await baton.run('handoff.claim', { id });
    await baton.run('handoff.acknowledge', { id, token: again.handoff?.delivery.lease?.token ?? '' });
    await page.getByText('Acknowledged', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'New version' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/review/'));
    const [next] = (await baton.run('handoff.list', { state: ['draft'] })).handoffs;
    expect([next?.content.parent_id, next?.content.supersedes_id]).toEqual([id, undefined]);
  },
);

verifies(['DETAIL.hostile'], 'hostile titles and paths are text, in the diff and next to the files', async () => {
  const { page, baton } = await stage.open();
  const files = hostileWords.filter((words) => !words.includes('://')).map((path) => ({ path, context: path }));
  const content = { summary: hostileWords.join('\n'), decisions: [...hostileWords], files };
  const { id: first } = await baton.run('handoff.create', { content: { title: 'Before', summary: 'x' } });
  const { id } = await baton.run('handoff.create', {
    content: { title: hostileWords[0], ...content, supersedes_id: first },
  });
  for (const tab of ['content', 'diff', 'raw']) {
    await go(page, `/h/${id}?tab=${tab}`);
    await page.getByRole('heading', { level: 1, name: hostileWords[0] }).waitFor();
    await page.locator('.diff-part, .handoff-drift, .handoff-code').first().waitFor();
    const shown = await page.locator('main').innerText();
    for (const hidden of hiddenCharacters) expect(shown).not.toContain(hidden);
    expect(shown).toContain('\\u{202E}');
  }
});

for (const [colorScheme, width] of [
  ['light', 320],
  ['dark', 1280],
] as const) {
  verifies(['DETAIL.accessible'], `no tab has a violation: ${colorScheme}, ${width} pixels`, async () => {
    const { page, baton } = await stage.open({
      browser: { colorScheme, viewport: { width, height: 700 }, bypassCSP: true },
    });
    const { second } = await writeVersions(baton);
    await baton.run('handoff.edit', { id: second, changes: { add: { files: ['src/none.ts'] } } }, { actor: person });
    const tabs = [
      ['tab=content', '.handoff-drift'],
      ['tab=diff', '.diff-part'],
      // Made of the same parts: once is enough.
      ...(width === 320
        ? [['tab=diff&against=edits', '.diff-line'] as const]
        : [['tab=raw', '.handoff-code'] as const]),
    ] as const;
    for (const [query, sign] of tabs) {
      await go(page, `/h/${second}?${query}`);
      await page.locator(sign).first().waitFor();
      expect([query, await findViolations(page)]).toEqual([query, []]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
}

verifies(
  ['DETAIL.edits'],
  'a reviewer sees which words each edit removed and added, and the total of all edits',
  async () => {
    for (const options of [{}, { colorScheme: 'dark', viewport: { width: 390, height: 844 } }] as const) {
      const { page, baton } = await stage.open({ browser: options });
      const code = `const sync = ${'veryLongName'.repeat(30)}();`;
      const { id } = await baton.run('handoff.create', {
        content: {
          title: 'Notes',
          summary: 'Notes are written to the server first.',
          decisions: ['Write to the server first', 'Photos come with it', code],
          next_steps: ['Ask Ada'],
        },
        draft: true,
      });
      const edit = (changes: object) => baton.run('handoff.edit', { id, changes }, { actor: person });
      await edit({ reword: [{ id: 'd1', text: 'Write to the phone first' }], remove: ['d2'] });
      await edit({ reword: [{ id: 'd1', text: 'Write to the phone at first' }], add: { risks: ['Two phones'] } });
      await edit({ remove: ['d3'], reword: [{ id: 'n1', text: 'Measure it' }] });
      await go(page, `/h/${id}?tab=diff`);
      const together = page.getByRole('region', { name: 'All 3 edits together' });
      const lines = together.getByRole('listitem');
      await lines.first().waitFor();
      expect(await lines.evaluateAll((all) => all.map(({ dataset }) => dataset.kind))).toEqual([
        'changed',
        'removed',
        'added',
        'removed',
        'removed',
        'added',
      ]);
      expect(await lines.first().locator('del').allTextContents()).toEqual(['removed: server end of removed. ']);
      expect(await lines.first().locator('ins').allTextContents()).toEqual(['added: phone at end of added. ']);
      expect(await lines.nth(1).innerText()).toMatch(/−\s*removed\s*Decision\s*Photos come with it/);
      const second = page.getByRole('listitem').filter({ hasText: 'Revision 3' });
      expect(await second.locator('ins').allTextContents()).toEqual([
        'added: at end of added. ',
        'Two phones (medium)',
      ]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
      expect(await findViolations(page)).toEqual([]);
    }
  },
);

verifies(['DETAIL.edits'], 'of a long text only what is near a change is shown', async () => {
  const { page, baton } = await stage.open();
  const words = Array.from({ length: 300 }, (_, number) => `word${number}`);
  const text = (last: string) => `${words.join(' ')}\n${last} ends it`;
  const { id } = await baton.run('handoff.create', {
    content: { summary: 'x', decisions: [text('This')] },
    draft: true,
  });
  await baton.run('handoff.edit', { id, changes: { reword: [{ id: 'd1', text: text('That') }] } }, { actor: person });
  await go(page, `/h/${id}?tab=diff`);
  const line = page.locator('.diff-words').first();
  await line.locator('ins').filter({ hasText: 'That' }).waitFor();
  const shown = await line.innerText();
  expect(shown).toContain('word299');
  expect(shown).not.toContain('word200');
  expect(shown).toMatch(/^… /);
});

verifies(
  ['DETAIL.keys'],
  'a held handoff is taken from its holder by two presses, the second of which confirms it',
  async () => {
    const { page, baton } = await stage.open();
    const { id } = await baton.run('handoff.create', { content: { title: 'Stuck', summary: 'Held by a dead host.' } });
    await baton.run('handoff.claim', { id }, { actor: { name: 'codex', type: 'agent' } });
    const stateOf = async () => (await baton.run('handoff.get', { id })).delivery.state;
    await go(page, `/h/${id}`);
    await button(page, 'Release by force…').click();
    await page.getByText('End the lease of codex?').waitFor();
    await button(page, 'Cancel').click();
    await expect
      .poll(() => button(page, 'Release by force…').evaluate((each) => each === document.activeElement))
      .toBe(true);
    expect(await stateOf()).toBe('claimed');
    await button(page, 'Release by force…').click();
    await button(page, 'Yes, end the lease').click();
    await page.getByText('Ended the lease on “Stuck”: it is open.').waitFor();
    expect(await stateOf()).toBe('open');
    const { events } = await baton.run('handoff.events', { id });
    expect(events.at(-1)).toMatchObject({
      name: 'handoff-broken',
      actor: { type: 'person' },
      details: { holder: 'codex' },
    });
  },
);

verifies(['DETAIL.repeats'], 'a lease that was renewed over and over is one line of the timeline', async () => {
  const { page, baton } = await stage.open();
  const { id } = await baton.run('handoff.create', { content: { title: 'Long work', summary: 'x' } });
  const actor = { name: 'codex', type: 'agent' } as const;
  const { handoff } = await baton.run('handoff.claim', { id }, { actor });
  const token = handoff?.delivery.lease?.token ?? '';
  for (let times = 0; times < 5; times += 1) await baton.run('handoff.renew', { id, token }, { actor });
  await baton.run('handoff.report', { id, token, text: 'Half way.' }, { actor });
  await baton.run('handoff.renew', { id, token }, { actor });
  await go(page, `/h/${id}?tab=timeline`);
  await page.getByText('renewed 5 times').waitFor();
  const lines = await page.locator('.handoff-timeline > li strong').allInnerTexts();
  expect(lines).toEqual(['created', 'claimed', 'renewed 5 times', 'reported', 'renewed']);
});

const withAllParts = {
  title: 'All parts',
  summary: 'Notes are kept on the phone.',
  where_it_stands: [
    { kind: 'asked', content: 'Make `sync.ts` retry.' },
    { kind: 'done', content: 'The conflict view is built.' },
  ],
  instructions: ['Never merge by yourself.'],
  decisions: [
    { content: 'Write to `db/notes.sql` first.', source: 'ai-extracted', confidence: 0.97 },
    { content: 'Keep old versions.', source: 'ai-extracted', confidence: 0.55 },
  ],
  tried: [{ what: 'A queue of requests', outcome: 'It loses words.' }],
  results: [{ description: 'Migration', status: 'partial' }],
  environment: ['npm run migrate'],
  words: Array.from({ length: 120 }, (_, index) => ({
    message: index,
    by: 'person',
    content: `Sentence ${index} of a long conversation about notes that are kept on the phone.`,
    rank: index,
  })),
} satisfies ContentInput;

verifies(
  ['DETAIL.parts', 'DETAIL.receiver-budget'],
  'shows what arrives part by part, and the text of its receiver at any budget, which the address keeps',
  async () => {
    for (const browser of [{}, { colorScheme: 'dark', viewport: { width: 390, height: 844 } }] as const) {
      const { page, baton } = await stage.open({ browser: { ...browser, bypassCSP: true } });
      const { id } = await baton.run('handoff.create', { content: withAllParts });
      await go(page, `/h/${id}`);
      const part = (name: string) => page.locator('.handoff-part').filter({ has: page.getByRole('heading', { name }) });
      await part('Where it stands').waitFor();
      expect(await part('Where it stands').getByRole('listitem').allInnerTexts()).toEqual([
        'asked Make sync.ts retry.',
      ]);
      expect(await part('Where it stands').locator('code').allInnerTexts()).toEqual(['sync.ts']);
      await part('Standing instructions').getByText('Never merge by yourself.').waitFor();
      await part('Dead ends').getByText('It loses words.').waitFor();
      expect(await part('Done').getByRole('listitem').count()).toBe(2);
      await part('Environment').getByText('npm run migrate').waitFor();
      expect(await part('Decisions').getByText('% sure').allInnerTexts()).toEqual(['extracted · 55 % sure']);
      await part('Earlier words 120').getByText('Show them').click();
      await part('Earlier words').getByText('Sentence 119').waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'What the agent sees' }).click();
      const slider = page.getByRole('slider', { name: 'Budget' });
      const text = page.getByRole('region', { name: 'The text as the receiver gets it' });
      await slider.waitFor();
      expect(await slider.inputValue()).toBe('2000');
      await slider.fill('300');
      await page.getByText('of 300 tokens').waitFor();
      await page.getByText(/^Cut to fit:/).waitFor();
      expect(await text.innerText()).toBe((await baton.run('handoff.render', { id, budget: 300 })).text);
      await slider.press('ArrowRight');
      await page.getByText('of 400 tokens').waitFor();
      await page.reload();
      await page.getByText('of 400 tokens').waitFor();
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await button(page, 'As it is given').click();
      await page.getByText('of 2,000 tokens').waitFor();
    }
  },
);

verifies(['DETAIL.proof'], 'shows the proof of its delivery in a line of the timeline', async () => {
  const { page, baton } = await stage.open();
  const { id } = await baton.run('handoff.create', { content: { title: 'Notes', summary: 'On the phone.' } });
  const { sha256 } = await baton.run('handoff.render', { id });
  const store = await baton.context.openStore();
  const offer = { host: 'claude-code', session: 'session-7', rendered_sha256: sha256 };
  const { project } = baton.context;
  const hook = { actor: { name: 'claude-code', type: 'hook' }, project, operation: 'handoff.claim' } as const;
  await store.claim({ project, id, max: 1, lease_ms: 60_000, offer }, hook);
  await go(page, `/h/${id}?tab=timeline`);
  await page.getByText('Put into session session-7 of claude-code').waitFor();
  await store.transition(id, { type: 'inject', session: 'session-7', rendered_sha256: sha256, row: 'user' }, hook);
  const arrived = page.getByRole('listitem').filter({ hasText: 'arrived' });
  await arrived.getByText(`shows exactly the text with SHA-256 ${sha256.slice(0, 12)}.`, { exact: false }).waitFor();
});
