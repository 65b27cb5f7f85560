import { expect } from 'vitest';
import { holdsBack, says } from '../extraction/model/model-stream.ts';
import { serve } from '../extraction/model/stage.ts';
import { verifies } from '../verifies.ts';
import { goodTurns, openProject, replies, snapshot } from './planning-run-stage.ts';

const once = { idempotency_key: 'run-1' };

verifies(['PLANRUN.key'], 'the same key gives the same answer again, and plans nothing again', async () => {
  const server = await serve(...replies([...goodTurns, ...goodTurns]));
  const { library, open, plans } = await openProject(server);
  await library.run('planning.hand-on', { snapshot, title: 'First' });
  const { id } = await library.run('planning.hand-on', { snapshot, title: 'Second' });
  const first = await library.run('planning.run', {}, once);
  expect(await (await open()).run('planning.run', {}, once)).toEqual(first);
  expect((await library.run('handoff.get', { id })).delivery.state).toBe('open');
  expect([server.requests.length, plans()]).toEqual([goodTurns.length, ['signed-cookies']]);
  // Another input is refused, another caller's key is another key.
  await expect(library.run('planning.run', { id }, once)).rejects.toMatchObject({ code: 'conflict' });
  const actor = { name: 'eve', type: 'person' } as const;
  expect((await library.run('planning.run', {}, { ...once, actor })).handoff.id).toBe(id);
});

verifies(['PLANRUN.key', 'PLANRUN.again'], 'with a key what was planned is planned again once', async () => {
  const server = await serve(...replies([...goodTurns, ...goodTurns]));
  const { library, plans } = await openProject(server);
  const { id } = await library.run('planning.hand-on', { snapshot });
  await library.run('planning.run', {});
  const again = await library.run('planning.run', { id, again: true }, once);
  expect(await library.run('planning.run', { id, again: true }, once)).toEqual(again);
  expect(plans()).toHaveLength(2);
});

verifies(
  ['PLANRUN.key'],
  'a failed run returns its failure again; while a run is in progress its key is a conflict',
  async () => {
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
    const server = await serve(holdsBack({ text: 'I do not know.' }, held));
    const { library } = await openProject(server);
    const { id } = await library.run('planning.hand-on', { snapshot });
    const running = library.run('planning.run', { id }, once);
    await server.arrival(0);
    await expect(library.run('planning.run', { id }, once)).rejects.toMatchObject({
      code: 'conflict',
      details: { id },
    });
    goOn();
    const failed = await running;
    expect(failed.outcome).toBe('error');
    expect(await library.run('planning.run', { id }, once)).toEqual(failed);
    expect(server.requests).toHaveLength(1);
  },
);

verifies(
  ['PLANRUN.key', 'PLANRUN.stop'],
  'a run that was stopped answered nothing: its key begins another',
  async () => {
    const never = new Promise<never>(() => {});
    const server = await serve(holdsBack({}, never), holdsBack({}, never), ...goodTurns.map(says));
    const { library } = await openProject(server);
    const { id } = await library.run('planning.hand-on', { snapshot });
    for (const number of [0, 1]) {
      const stopping = new AbortController();
      const running = library.run('planning.run', { id }, { ...once, signal: stopping.signal });
      await server.arrival(number);
      stopping.abort();
      await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    }
    const { outcome, run } = await library.run('planning.run', { id }, once);
    expect([outcome, run.number]).toEqual(['completed', 3]);
  },
);
