import { expect } from 'vitest';
import { startHttpServer } from '../../packages/batonpass/src/http.ts';
import { completeContent } from '../../packages/batonpass/src/index.ts';
import { verifies } from '../verifies.ts';
import { expectFocus, rowOf, type StudioStage, stageStudio, titles } from './shell-stage.ts';

const { open } = stageStudio();

const three = ['First', 'Second', 'Third'].map((title) => ({ title, summary: `${title} of three`, task_id: 'auth' }));

const tab = ({ page }: StudioStage, name: string) => page.getByRole('navigation', { name: 'States' }).getByText(name);

verifies(
  ['STUDIO.inbox', 'STUDIO.live'],
  'a change by another process shows at once, in place; new rows wait for a key',
  async () => {
    const stage = await open({ contents: three });
    const { page, other, write } = stage;
    await rowOf(page, 'Third').waitFor();
    expect(await titles(page)).toEqual(['Third', 'Second', 'First']);
    await expect.poll(() => tab(stage, 'Ready').innerText()).toMatch(/Ready\s*3/);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expectFocus(rowOf(page, 'Second'));

    await other.run('handoff.claim', {});
    await rowOf(page, 'First').getByText('Claimed').waitFor();
    await rowOf(page, 'First').getByText('codex').waitFor();
    await write({ title: 'Fourth', summary: 'Later' });
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await titles(page)).toEqual(['Third', 'Second', 'First']);
    await expectFocus(rowOf(page, 'Second'));
    await expect.poll(() => tab(stage, 'Claimed').innerText()).toMatch(/Claimed\s*1/);

    await page.keyboard.press('.');
    await rowOf(page, 'Fourth').waitFor();
    expect(await titles(page)).toEqual(['Fourth', 'Third', 'Second']);
  },
);

verifies(
  ['STUDIO.address'],
  'a reload and "Back" show the tab, the filter and the handoff of the address',
  async () => {
    const stage = await open({ contents: [...three, { title: 'Elsewhere', summary: 'x', task_id: 'other' }] });
    const { page } = stage;
    await rowOf(page, 'Elsewhere').waitFor();
    await tab(stage, 'Failed').click();
    await page.getByText('Nothing failed.').waitFor();
    await tab(stage, 'Ready').click();
    await page.getByRole('combobox', { name: 'Filter' }).fill('task:auth');
    await expect.poll(() => titles(page)).toEqual(['Third', 'Second', 'First']);
    expect(page.url()).toMatch(/\/inbox\?tab=open&q=task%3Aauth$/);
    await page.reload();
    await expect.poll(() => titles(page)).toEqual(['Third', 'Second', 'First']);
    expect(await page.getByRole('combobox', { name: 'Filter' }).inputValue()).toBe('task:auth');

    await page.getByRole('heading', { name: 'Inbox' }).click();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Third', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/h\/\w{26}$/);
    await page.goBack();
    await expectFocus(rowOf(page, 'Third'));
    expect(await titles(page)).toEqual(['Third', 'Second', 'First']);
    await page.goBack();
    await page.getByText('Nothing failed.').waitFor();
  },
);

verifies(['STUDIO.undo'], 'withdrawing shows at once and is undone by a key', async () => {
  const { page, baton } = await open({ contents: three });
  await rowOf(page, 'Third').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('3');
  await rowOf(page, 'Third').getByText('Withdrawn').waitFor();
  await page.getByRole('status').getByText('Withdrew “Third”.').waitFor();
  const stateOf = async () => (await baton.run('handoff.list', { limit: 1 })).handoffs[0]?.delivery.state;
  expect(await stateOf()).toBe('withdrawn');
  await expectFocus(rowOf(page, 'Second'));
  await page.keyboard.press('z');
  await page.getByRole('status').getByText('Requeued “Third”.').waitFor();
  expect(await stateOf()).toBe('open');
  await page.keyboard.press('z');
  await page.getByRole('status').getByText('Nothing to undo.').waitFor();
});

verifies(['STUDIO.undo', 'STUDIO.live'], 'a step that the server refuses is reverted and reported', async () => {
  const { page, other } = await open({ contents: three, isTroubled: true });
  await rowOf(page, 'Third').waitFor();
  await page.keyboard.press('j');
  const [id = ''] = (await other.run('handoff.list', { limit: 1 })).handoffs.map((each) => each.id);
  // Another caller is faster while the request is in flight.
  await page.route('**/api/handoff.withdraw', async (route) => {
    await other.run('handoff.claim', { id });
    await route.continue();
  });
  await page.keyboard.press('3');
  await page.getByRole('alert').getByText(/codex/).waitFor();
  await rowOf(page, 'Third').getByText('Claimed', { exact: true }).waitFor();
  expect((await other.run('handoff.get', { id })).delivery.state).toBe('claimed');
});

verifies(['STUDIO.answer'], 'a question is answered where it is read, by keys alone', async () => {
  const stage = await open({ contents: three, path: '/inbox?tab=waiting' });
  const { page, other } = stage;
  await page.getByText('No agent waits for an answer.').waitFor();
  const { handoff } = await other.run('handoff.claim', {});
  const { id, token } = { id: handoff?.id ?? '', token: handoff?.delivery.lease?.token ?? '' };
  await other.run('handoff.ask', { id, token, question: 'SQLite or Postgres?' });
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await page.keyboard.press('.');
  await rowOf(page, 'SQLite or Postgres?').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('1');
  await expectFocus(page.getByLabel('SQLite or Postgres?'));
  await page.keyboard.type('SQLite, and j is no command here');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('status').getByText('Answered “First”').waitFor();
  const { delivery } = await other.run('handoff.get', { id });
  expect([delivery.state, delivery.waiting_on?.answer]).toEqual(['claimed', 'SQLite, and j is no command here']);
});

verifies(
  ['STUDIO.detail', 'STUDIO.live'],
  'a handoff shows what it says and what its receiver reads, live',
  async () => {
    const stage = await open();
    const { page, baton, write, other, server } = stage;
    const decisions = [{ content: 'Use SQLite', evidence: { message: 3, quote: 'go with sqlite' } }];
    const files = [{ path: 'src/form.ts', context: 'The form' }];
    const [id = ''] = await write({ title: 'Whole', summary: 'All of it', decisions, files, next_steps: ['Ship it'] });
    await page.goto(`${server.url}/h/${id}`);
    await page.getByText('go with sqlite').waitFor();
    for (const text of ['Use SQLite', 'src/form.ts has nothing to compare with', 'Ship it']) {
      await page.getByText(text).waitFor();
    }
    await page.keyboard.press(']');
    const rendered = await baton.run('handoff.render', { id });
    const text = page.getByRole('region', { name: 'The text as the receiver gets it' });
    expect(await text.textContent()).toBe(rendered.text);
    await page.getByText(rendered.sha256.slice(0, 12)).waitFor();
    await page.getByText('nobody has reviewed it').waitFor();
    await page.keyboard.press(']');
    await page.getByRole('listitem').filter({ hasText: 'created' }).waitFor();
    await other.run('handoff.claim', { id });
    await page.getByRole('listitem').filter({ hasText: 'claimed' }).filter({ hasText: 'codex' }).waitFor();
    await page.keyboard.press(']');
    await page.getByText('It replaces no handoff, continues none, and was never edited.').waitFor();
    await page.keyboard.press(']');
    const record = await page.getByRole('region', { name: 'The record as JSON' }).textContent();
    expect(JSON.parse(record ?? '')).toEqual(await baton.run('handoff.get', { id }));
  },
);

verifies(
  ['STUDIO.reconnect'],
  'a server that is started again is reported, and the page continues where it was',
  async () => {
    const stage = await open({ contents: three, isTroubled: true, path: '/inbox?tab=open&q=task:auth' });
    const { page, server, baton, write } = stage;
    await rowOf(page, 'Third').waitFor();
    await server.close();
    await page.getByText('The server does not answer. This is as of').waitFor();
    expect(await titles(page)).toEqual(['Third', 'Second', 'First']);
    await write({ title: 'Meanwhile', summary: 'x', task_id: 'auth' });
    const again = await startHttpServer(baton, { port: server.port });
    try {
      await page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor();
      await page.getByLabel('Token').fill('wrong');
      await page.getByRole('button', { name: 'Enter' }).click();
      await page.getByRole('alert').getByText('not valid').waitFor();
      await page.getByLabel('Token').fill(again.token ?? '');
      await page.getByRole('button', { name: 'Enter' }).click();
      await rowOf(page, 'Meanwhile').waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      expect(page.url()).toBe(`${server.url}/inbox?tab=open&q=task:auth`);
      await write({ title: 'After', summary: 'x', task_id: 'auth' });
      await page.getByRole('button', { name: 'Something changed' }).waitFor();
    } finally {
      await page.goto('about:blank');
      await again.close();
    }
  },
);

verifies(
  ['STUDIO.many', 'INBOX.any-place', 'INBOX.grid'],
  'of ten thousand handoffs the page holds the rows that are in sight',
  async () => {
    const { page, baton } = await open();
    const store = await baton.context.openStore();
    const { actor, project } = baton.context;
    const content = completeContent({ summary: 'One of many' }, { source_agent: 'writer' });
    const handoffs = Array.from({ length: 1_000 }, () => ({ ...content, project, state: 'open' as const }));
    for (let batch = 0; batch < 10; batch += 1) {
      await store.create(handoffs, { actor, project, operation: 'handoff.create' });
    }
    await page.reload();
    await page.getByRole('row').first().waitFor();
    const count = () => page.getByRole('row').count();
    const grid = page.getByRole('grid');
    expect(await count()).toBeLessThanOrEqual(60);
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('10000');
    await page.keyboard.press('j');
    await page.keyboard.press('End');
    const last = page.locator('[aria-rowindex="10000"]');
    await last.getByText('One of many').waitFor();
    await expectFocus(last);
    expect(await count()).toBeLessThanOrEqual(60);
    await page.keyboard.press('PageUp');
    await expectFocus(page.locator('[aria-rowindex^="99"]:focus'));
    await page.keyboard.press('Home');
    await expectFocus(page.locator('[aria-rowindex="1"]'));
    await expect.poll(() => page.getByRole('navigation', { name: 'States' }).innerText()).toContain('10,000');
  },
);
