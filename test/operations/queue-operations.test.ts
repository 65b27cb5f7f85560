import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { type Baton, type BatonOptions, openBaton } from '../../packages/batonpass/src/index.ts';
import { verifies } from '../verifies.ts';

const opened: Baton[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const baton of opened.splice(0)) await baton.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function open(options: BatonOptions = {}): Promise<Baton> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-queue-')));
  folders.push(folder);
  const environment = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, '.state') };
  const baton = await openBaton({ cwd: folder, ...options, environment: { ...environment, ...options.environment } });
  opened.push(baton);
  return baton;
}

const create = (baton: Baton, summary: string) => baton.run('handoff.create', { content: { summary } });

async function claim(baton: Baton, input: object = {}, idempotency_key?: string) {
  const answer = await baton.run('handoff.claim', input, { idempotency_key });
  const { id = '', delivery } = answer.handoff ?? {};
  return { ...answer, held: { id, token: delivery?.lease?.token ?? '' } };
}

const stateOf = async (baton: Baton, id: string) => (await baton.run('handoff.get', { id })).delivery.state;

verifies(['OP.list-short'], 'a list leaves out the words of conversations where it is asked to', async () => {
  const baton = await open();
  const words = [{ content: 'We use SQLite.', by: 'person' as const, message: 0, rank: 0 }];
  const { id } = await baton.run('handoff.create', { content: { summary: 'x', decisions: ['SQLite'], words } });
  const whole = await baton.run('handoff.get', { id });
  expect(whole.content.words).toHaveLength(1);
  expect((await baton.run('handoff.list', {})).handoffs).toEqual([whole]);
  const { words: _left, ...content } = whole.content;
  expect((await baton.run('handoff.list', { without_words: true })).handoffs).toEqual([{ ...whole, content }]);
});

verifies(['OP.acknowledge-next'], 'one call acknowledges the last and claims the next, by any name of it', async () => {
  const baton = await open();
  await create(baton, 'first');
  await create(baton, 'second');
  const { held } = await claim(baton);
  const next = await claim(baton, { acknowledge: { ...held, id: held.id.slice(-8) } });
  expect(next.acknowledged).toMatchObject({ id: held.id, delivery: { state: 'acknowledged' } });
  expect(next.handoff?.content.summary).toBe('second');
  await expect(claim(baton, { acknowledge: held })).rejects.toMatchObject({ code: 'lease_lost' });
  expect(await stateOf(baton, next.held.id)).toBe('claimed');
});

verifies(
  ['OP.acknowledge-next', 'OP.retry'],
  'a caller that acknowledges and then waits gets the next one once, and a retry the same answer',
  async () => {
    const baton = await open();
    await create(baton, 'first');
    const { held } = await claim(baton);
    const waiting = claim(baton, { acknowledge: held, wait_ms: 3_600_000 }, 'k');
    while ((await stateOf(baton, held.id)) !== 'acknowledged') await new Promise((resolve) => setImmediate(resolve));
    const { id } = await create(baton, 'second');
    const next = await waiting;
    expect([next.acknowledged?.id, next.handoff?.id]).toEqual([held.id, id]);
    const again = await claim(baton, { acknowledge: held, wait_ms: 3_600_000 }, 'k');
    expect([again.acknowledged, again.handoff]).toEqual([next.acknowledged, next.handoff]);
  },
);

verifies(
  ['OP.payload'],
  'a large payload is pointed to in lists, claims and contexts, and read when asked for',
  async () => {
    const baton = await open();
    const payload = { rows: Array.from({ length: 9_000 }, (_, index) => ({ index, text: `row ${index}` })) };
    const { id, content } = await baton.run('handoff.create', { content: { summary: 'large', payload } });
    expect(content.payload).toBeUndefined();
    const { handoffs } = await baton.run('handoff.list', {});
    expect(handoffs[0]?.content.payload_ref).toEqual(content.payload_ref);
    const claimed = await claim(baton);
    expect(claimed.handoff?.content).toEqual(content);
    expect(claimed.context?.text).toContain(`${content.payload_ref?.bytes} bytes of JSON, kept apart`);
    const whole = await baton.run('handoff.get', { id, payload: true });
    expect(whole.content).toEqual({ ...content, payload });
  },
);

verifies(['OP.payload'], 'an edit of a draft keeps the payload that it points to', async () => {
  const baton = await open();
  const payload = { text: 'x'.repeat(70_000) };
  const { id } = await baton.run('handoff.create', { content: { summary: 'before', payload }, draft: true });
  const edited = await baton.run('handoff.edit', { id, changes: { summary: 'after' } });
  expect(edited.content).toMatchObject({ summary: 'after', payload_ref: { bytes: 70_011 } });
  expect((await baton.run('handoff.get', { id, payload: true })).content.payload).toEqual(payload);
});

verifies(['STORE.durability'], 'the durability is a setting, and only one that there is', async () => {
  const fast = await open({ environment: { BATON_DURABILITY: 'normal' } });
  expect(fast.context.configuration.durability).toBe('normal');
  expect((await create(fast, 'kept')).delivery.state).toBe('open');
  await expect(open({ environment: { BATON_DURABILITY: 'maybe' } })).rejects.toMatchObject({ code: 'invalid_input' });
});
