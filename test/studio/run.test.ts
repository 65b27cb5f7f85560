import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import type { Baton } from '../../packages/batonpass/src/index.ts';
import { describeMoment, marksOf } from '../../packages/studio/src/screens/run/step-times.ts';
import { findViolations } from '../browser/find-violations.ts';
import { verifies } from '../verifies.ts';
import { go, stageStudio } from './flow-stage.ts';
import { hiddenCharacters, hostileWords } from './hostile-words.ts';
import { planByAgent, writeForPlanner } from './planned-run.ts';
import { expectFocus } from './shell-stage.ts';

const stage = stageStudio();

const nextOf = async (baton: Baton) => (await baton.run('handoff.list', { kind: 'plan', limit: 1 })).handoffs[0];

const wordsOf = async (baton: Baton) => (await nextOf(baton))?.content.decisions.map(({ content }) => content) ?? [];

const step = (page: Page, number: number) => page.locator(`[data-step="${number}"]`);

verifies(
  ['RUN.steps', 'RUN.runs', 'RUN.list'],
  'each run is navigated by keys: its steps, the input and output of tools, and why it ended',
  async () => {
    const { page, baton } = await stage.open();
    const id = await writeForPlanner(baton);
    await planByAgent(baton, id, { tools: ['getHandoffContext', 'search'], decisions: [], ends: 'failed' });
    await go(page, '/run');
    await page.getByRole('region', { name: 'Table of the runs' }).getByRole('link', { name: 'Offline notes' }).click();
    await page.getByRole('heading', { name: 'Attempt 1 · Failed' }).waitFor();
    await page.getByText('The model gave up.').waitFor();
    await page.getByText('2 / 20 steps').waitFor();
    await page.getByRole('main').press('j');
    await expectFocus(step(page, 2));
    const detail = page.getByRole('region', { name: 'Step 2' });
    await detail.getByText('"about": "step 2"').waitFor();
    await detail.getByText('I am at step 2.').waitFor();
    await page.keyboard.press('v');
    await detail.getByText('{"about":"step 2"}').waitFor();
    await page.keyboard.press('Enter');
    await expectFocus(detail);
    expect(new URL(page.url()).searchParams.get('step')).toBe('2');
    await page.keyboard.press('/');
    await page.keyboard.type('answer 1');
    await page.getByText('1 found').waitFor();
    expect(await page.locator('.run-step').count()).toBe(1);
    const glyphs = await page.locator('.run-glyph').allInnerTexts();
    expect(glyphs).toEqual(['⇣']);
  },
);

/** Three steps of which two ran concurrently, after a wait: each is reported when it is done. */
async function planInParallel(baton: Baton, clock: { now_ms: number }): Promise<string> {
  const id = await writeForPlanner(baton);
  const actor = { name: 'plan-agent', type: 'agent' } as const;
  const begun_ms = clock.now_ms;
  const { handoff } = await baton.run('handoff.claim', { id }, { actor });
  const token = handoff?.delivery.lease?.token ?? '';
  for (const [number, ended_ms, duration_ms] of [
    [1, 4_000, 3_000],
    [2, 9_000, 4_000],
    [3, 10_000, 4_000],
  ] as const) {
    clock.now_ms = begun_ms + ended_ms;
    const tools = [{ name: 'search', input: {}, output: {} }];
    const data = { type: 'step', number, tools, text: '', tokens: { input: 900, output: 100 }, duration_ms };
    await baton.run('handoff.report', { id, token, text: `Step ${number}`, data }, { actor });
  }
  return id;
}

verifies(['RUN.times', 'RUN.steps'], 'steps are drawn at their time, and a table shows the same', async () => {
  const clock = { now_ms: Date.now() };
  const { page, baton } = await stage.open({ now: () => clock.now_ms });
  const id = await planInParallel(baton, clock);
  const { runs } = await baton.run('planning.runs', { id });
  const began = runs[0]?.steps.map(({ started_at }) => Date.parse(started_at) - Date.parse(runs[0]?.started_at ?? ''));
  expect(began).toEqual([1_000, 5_000, 6_000]);
  await go(page, `/run/${id}`);
  await step(page, 3).waitFor();
  expect(await page.locator('.run-axis').innerText()).toMatch(/0 s\s+5 s\s+10 s/);
  const bars = await page.locator('.run-step').evaluateAll((rows) =>
    rows.map((row) => {
      const [bar, whole] = [row.querySelector('.run-bar > span'), row.querySelector('.run-bar')];
      const [box, all] = [bar?.getBoundingClientRect(), whole?.getBoundingClientRect()];
      if (box === undefined || all === undefined) return [];
      return [box.left - all.left, box.right - all.left].map((place) => Math.round((place / all.width) * 100));
    }),
  );
  expect(bars).toEqual([
    [10, 40],
    [50, 90],
    [60, 100],
  ]);
  // Who hears the list hears when a step began.
  expect(await step(page, 2).innerText()).toContain('begins at 5 s');
  await page.getByText('Times as a table').focus();
  await page.keyboard.press('Enter');
  const rows = page.getByRole('table').getByRole('row');
  await rows.last().waitFor();
  expect(await rows.evaluateAll((all) => all.map((row) => (row as HTMLElement).innerText.split(/\s*\t\s*/)))).toEqual([
    ['Step', 'Does', 'Begins at', 'Takes', 'Ends at', 'Tokens'],
    ['1', 'search', '1 s', '3.0 s', '4 s', '1,000'],
    ['2', 'search', '5 s', '4.0 s', '9 s', '1,000'],
    ['3', 'search', '6 s', '4.0 s', '10 s', '1,000'],
  ]);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: '3', exact: true }).click();
  await page.getByRole('region', { name: 'Step 3' }).waitFor();
});

verifies(['RUN.times'], 'an axis has marks that are read at a glance, for any length of time', () => {
  const axis = (whole_ms: number) => marksOf(whole_ms).map(describeMoment);
  expect(axis(1)).toEqual(['0 s', '1 ms']);
  expect(axis(14)).toEqual(['0 s', '5 ms', '10 ms']);
  expect(axis(740)).toEqual(['0 s', '0.2 s', '0.4 s', '0.6 s']);
  expect(axis(15_200)).toEqual(['0 s', '5 s', '10 s', '15 s']);
  expect(axis(95_000)).toEqual(['0 s', '30 s', '1 m', '1 m 30 s']);
  expect(axis(5 * 3_600_000)).toEqual(['0 s', '2 h', '4 h']);
  expect(axis(30 * 86_400_000)).toEqual(['0 s', '8 d', '16 d', '24 d']);
});

verifies(['RUN.runs'], 'former runs are kept, and gone to by a key', async () => {
  const { page, baton } = await stage.open();
  const id = await writeForPlanner(baton);
  await planByAgent(baton, id, { tools: ['search'], decisions: ['Only said'], ends: 'stopped' });
  await planByAgent(baton, id);
  await go(page, `/run/${id}`);
  await page.getByRole('heading', { name: 'Attempt 2 · Completed' }).waitFor();
  await page.getByText('4 / 20 steps').waitFor();
  await page.getByRole('main').press('[');
  await page.getByRole('heading', { name: 'Attempt 1 · Stopped' }).waitFor();
  await page.getByText('This run handed nothing on').waitFor();
  await page.keyboard.press(']');
  await page.getByRole('heading', { name: 'Attempt 2 · Completed' }).waitFor();
  await page.keyboard.press(']');
  await page.getByRole('status').getByText('This is the last run.').waitFor();
});

verifies(
  ['RUN.decisions', 'RUN.decisions-open', 'RUN.decisions-late'],
  'the agent’s decision is rejected in a new version, accepted again in its draft, and stays once the draft is claimed',
  async () => {
    const { page, baton } = await stage.open();
    const id = await writeForPlanner(baton);
    await planByAgent(baton, id);
    const open = await nextOf(baton);
    await go(page, `/run/${id}`);
    await page.getByRole('heading', { name: 'New from planning (2)' }).waitFor();
    await page.getByText('rejecting writes a new version without it, as a draft').waitFor();
    const choice = (name: string) => page.getByRole('button', { name });
    await choice('Reject: Photos come later').click();
    await page.getByText('The next handoff is a draft').waitFor();
    const draft = await nextOf(baton);
    expect([draft?.delivery.state, draft?.content.supersedes_id]).toEqual(['draft', open?.id]);
    expect(await wordsOf(baton)).not.toContain('Photos come later');
    const stateOfOpen = async () => (await baton.run('handoff.get', { id: open?.id ?? '' })).delivery.state;
    expect(await stateOfOpen()).toBe('open');
    await choice('Reject: Keep the former key for a week').click();
    await expect.poll(() => wordsOf(baton)).not.toContain('Keep the former key for a week');
    await page.getByText('Rejected: it is not in the next handoff any more.').waitFor();
    await page.keyboard.press('z');
    await expect.poll(() => wordsOf(baton)).toContain('Keep the former key for a week');
    await choice('Accept: Photos come later').focus();
    await page.keyboard.press('a');
    await expect.poll(() => wordsOf(baton)).toContain('Photos come later');
    const pressed = () => choice('Accept: Photos come later').getAttribute('aria-pressed');
    await expect.poll(pressed).toBe('true');
    expect((await nextOf(baton))?.id).toBe(draft?.id);
    await baton.run('handoff.approve', { id: draft?.id ?? '' });
    expect(await stateOfOpen()).toBe('withdrawn');
    await baton.run('handoff.claim', { id: draft?.id ?? '' }, { actor: { name: 'codex', type: 'agent' } });
    await page.getByText('The next handoff is claimed by codex: its content can no longer change.').waitFor();
    expect(await page.locator('.run-choice').count()).toBe(0);
  },
);

verifies(['RUN.decisions-open', 'STUDIO.undo'], 'an undo that fails is reported, and the next one works', async () => {
  const { page, baton } = await stage.open({ hasFailures: true });
  const id = await writeForPlanner(baton);
  await planByAgent(baton, id);
  await go(page, `/run/${id}`);
  const reject = (text: string) => page.getByRole('button', { name: `Reject: ${text}` }).click();
  await reject('Photos come later');
  await page.getByText('The next handoff is a draft').waitFor();
  const rejectAndUndo = async () => {
    await reject('Keep the former key for a week');
    await page.getByText('Rejected: it is not in the next handoff any more.').waitFor();
    await page.keyboard.press('z');
  };
  await page.route('**/api/handoff.edit', async (route) => {
    // The rejection passes, and its undo does not.
    await (route.request().postData()?.includes('"add"') === true ? route.abort() : route.continue());
  });
  await rejectAndUndo();
  await page
    .getByRole('alert')
    .getByText(/server/i)
    .waitFor();
  expect(await wordsOf(baton)).not.toContain('Keep the former key for a week');
  await page.unroute('**/api/handoff.edit');
  await page.getByRole('button', { name: 'Accept: Keep the former key for a week' }).click();
  await expect.poll(() => wordsOf(baton)).toContain('Keep the former key for a week');
  await page.getByText('Accepted: it is in the next handoff.').waitFor();
  await rejectAndUndo();
  await expect.poll(() => wordsOf(baton)).toContain('Keep the former key for a week');
});

verifies(
  ['RUN.decisions-open'],
  'what was chosen last is what the next choice goes from, before the page has loaded it',
  async () => {
    const { page, baton } = await stage.open();
    const id = await writeForPlanner(baton);
    await planByAgent(baton, id);
    await go(page, `/run/${id}`);
    const choose = (choice: string) => page.getByRole('button', { name: `${choice}: Photos come later` }).click();
    await page.getByRole('heading', { name: 'New from planning (2)' }).waitFor();
    const held: Route[] = [];
    await page.route('**/api/planning.runs', (route) => void held.push(route));
    await choose('Reject');
    await page.getByText('The next handoff is a draft').waitFor();
    for (const isIn of [true, false, true]) {
      await choose(isIn ? 'Accept' : 'Reject');
      await expect.poll(async () => (await wordsOf(baton)).includes('Photos come later')).toBe(isIn);
    }
    expect(held.length).toBeGreaterThan(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
);

verifies(['RUN.many'], 'two thousand steps are a few rows, and the last is one key away', async () => {
  const { page, baton } = await stage.open();
  const id = await writeForPlanner(baton);
  await planByAgent(baton, id, { tools: Array.from({ length: 2_000 }, () => 'search'), ends: 'running' });
  await go(page, `/run/${id}`);
  await step(page, 1).focus();
  await page.keyboard.press('End');
  await expectFocus(step(page, 2_000));
  await page.getByRole('region', { name: 'Step 2000' }).waitFor();
  expect(await page.locator('.run-step').count()).toBeLessThanOrEqual(60);
  expect(await page.locator('.run-strip rect').count()).toBeLessThanOrEqual(300);
  expect(await step(page, 2_000).getAttribute('aria-setsize')).toBe('2000');
});

verifies(['DETAIL.hostile'], 'input and output of tools are text', async () => {
  const { page, baton } = await stage.open();
  const id = await writeForPlanner(baton, { title: hostileWords[1] });
  await planByAgent(baton, id, { tools: hostileWords.slice(0, 8), decisions: hostileWords.slice(0, 8) });
  await go(page, `/run/${id}`);
  await page.getByRole('heading', { name: 'New from planning (8)' }).waitFor();
  await page.locator('.run-step').nth(4).click();
  await page.getByRole('region', { name: 'Step 5' }).waitFor();
  const shown = await page.locator('main').innerText();
  for (const hidden of hiddenCharacters) expect(shown).not.toContain(hidden);
});

for (const [colorScheme, width] of [
  ['light', 320],
  ['dark', 1280],
] as const) {
  verifies(['DETAIL.accessible'], `no run has a violation: ${colorScheme}, ${width} pixels`, async () => {
    const { page, baton } = await stage.open({
      browser: { colorScheme, viewport: { width, height: 700 }, bypassCSP: true },
    });
    const expectSound = async () => {
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    };
    await go(page, '/run');
    await page.getByText('No runs yet').waitFor();
    if (width === 320) await expectSound();
    const id = await writeForPlanner(baton);
    await planByAgent(baton, id);
    await page
      .getByRole('region', { name: 'Table of the runs' })
      .getByRole('link', { name: /Offline notes/ })
      .waitFor();
    if (width === 1280) await expectSound();
    await go(page, `/run/${id}`);
    await page.getByRole('region', { name: 'Step 1' }).waitFor();
    await expectSound();
  });
}
