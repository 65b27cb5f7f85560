import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { openBaton } from '../../packages/batonpass/src/index.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';

const HOUR_MS = 3_600_000;
const newFolder = createFolders();

/** A baton with its own store on a file that others have too. */
async function open(folder: string, agent: string) {
  const environment = { ...process.env, HOME: folder, XDG_STATE_HOME: folder };
  const store = `sqlite:${join(folder, 'shared.db')}`;
  const baton = await openBaton({ cwd: folder, environment, store, project: 'waiting', agent });
  onTestFinished(() => baton.close());
  return baton;
}

/** Removes the waiter's polling, which it has besides its notifications. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

const settle = async () => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

verifies(
  ['WAKE.one', 'WAKE.processes', 'STORE.exclusive'],
  'of three waiters one gets the new handoff, the others continue to wait',
  async () => {
    const folder = newFolder();
    const writer = await open(folder, 'writer');
    const create = () => writer.run('handoff.create', { content: { summary: 'Take over.' } });
    const leaving = new AbortController();
    const got: { who: string; id: string | undefined }[] = [];
    const claims = ['ada', 'bea', 'cyd'].map(async (who) => {
      const baton = await open(folder, who);
      // Each has looked once, in vain.
      const listed = await baton.run('handoff.claim', {});
      expect(listed.handoff).toBeNull();
      const claiming = baton.run('handoff.claim', { wait_ms: HOUR_MS }, { signal: leaving.signal });
      return { who, claiming: claiming.then(({ handoff }) => void got.push({ who, id: handoff?.id })) };
    });
    const waiting = await Promise.all(claims);
    const race = () =>
      Promise.race(waiting.filter(({ who }) => got.every((each) => each.who !== who)).map(({ claiming }) => claiming));
    const created: string[] = [];
    for (let round = 1; round <= 2; round += 1) {
      created.push((await create()).id);
      await race();
      await settle();
      expect(got.map(({ id }) => id)).toEqual(created);
    }
    leaving.abort();
    await Promise.all(waiting.map(({ claiming }) => claiming));
    expect(got.map(({ id }) => id)).toEqual([...created, undefined]);
    expect(new Set(got.map(({ who }) => who)).size).toBe(3);
  },
);

verifies(['WAKE.one'], 'a waiting claim asks for nothing when what happens opens nothing', async () => {
  const folder = newFolder();
  const waiter = await open(folder, 'waiter');
  const store = await waiter.context.openStore();
  const { claim } = store;
  let claims = 0;
  store.claim = (request, call) => {
    if (call.actor.name === 'waiter') claims += 1;
    return claim.call(store, request, call);
  };
  stopTimers();
  const leaving = new AbortController();
  const waiting = waiter.run('handoff.claim', { wait_ms: HOUR_MS }, { signal: leaving.signal });
  const worker = { actor: { name: 'worker', type: 'agent' } as const };
  await waiter.run('handoff.create', { content: { summary: 'For the worker.', target_agent: 'worker' } }, worker);
  const { handoff } = await waiter.run('handoff.claim', {}, worker);
  await settle();
  claims = 0;
  const { id = '', delivery } = handoff ?? {};
  for (let renewal = 0; renewal < 50; renewal += 1) {
    await waiter.run('handoff.renew', { id, token: delivery?.lease?.token ?? '' }, worker);
    await settle();
  }
  expect(claims).toBe(0);
  await waiter.run('handoff.release', { id, token: delivery?.lease?.token }, worker);
  await settle();
  // After a claim in vain it rests a little.
  vi.advanceTimersByTime(50);
  await settle();
  expect(claims).toBe(1);
  leaving.abort();
  expect((await waiting).handoff).toBeNull();
});

verifies(['WAKE.one'], 'a caller that waits for one handoff is notified that it is done', async () => {
  stopTimers();
  const baton = await open(newFolder(), 'ada');
  const { id } = await baton.run('handoff.create', { content: { summary: 'One.' } });
  const worker = { actor: { name: 'worker', type: 'agent' } as const };
  const { handoff } = await baton.run('handoff.claim', {}, worker);
  const waiting = baton.run('handoff.claim', { id, wait_ms: HOUR_MS });
  const refused = expect(waiting).rejects.toMatchObject({ code: 'conflict' });
  await settle();
  await baton.run('handoff.acknowledge', { id, token: handoff?.delivery.lease?.token }, worker);
  await settle();
  vi.advanceTimersByTime(50);
  await refused;
});
