import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { openBaton } from '../../../packages/batonpass/src/index.ts';
import { verifies } from '../../verifies.ts';
import { type HttpStage, openHttp, openSocket } from './http-stage.ts';

interface Told {
  id: number;
  name: string;
  data: { handoff_id?: string };
}

/** Reads a stream of events one by one. */
async function listen({ ask }: HttpStage, query = '', headers: Record<string, string> = {}) {
  const answer = await ask(`/api/events${query}`, { headers });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const block = async (): Promise<string | null> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end !== -1) {
        const found = text.slice(0, end);
        text = text.slice(end + 2);
        return found;
      }
      const { done, value } = await reader.read();
      if (done) return null;
      text += decoder.decode(value, { stream: true });
    }
  };
  const next = async (): Promise<Told> => {
    const found = (await block()) ?? '';
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(found)?.[1] ?? '';
    return { id: Number(field('id')), name: field('event'), data: JSON.parse(field('data')) };
  };
  return { block, next, leave: () => reader.cancel() };
}

verifies(
  ['HTTP.events'],
  'a client that is cut off resumes where it was, from the very beginning of its stream',
  async () => {
    const stage = await openHttp();
    const { baton } = stage;
    await baton.run('handoff.create', { content: { summary: 'before' } });
    const first = await listen(stage);
    const opened = await first.next();
    expect(opened).toMatchObject({ id: 1, name: 'opened' });
    await first.leave();
    const created = await baton.run('handoff.create', { content: { summary: 'meanwhile' } });
    const second = await listen(stage, '', { 'last-event-id': String(opened.id) });
    await second.next();
    expect(await second.next()).toMatchObject({ id: 2, name: 'handoff-created', data: { handoff_id: created.id } });
    await baton.run('handoff.claim', {});
    expect(await second.next()).toMatchObject({ id: 3, name: 'handoff-claimed' });
    await second.leave();
    const whole = await listen(stage, '?after_seq=0');
    const ids: number[] = [];
    for (let count = 0; count < 4; count += 1) ids.push((await whole.next()).id);
    expect(ids).toEqual([0, 1, 2, 3]);
    await whole.leave();
    expect((await stage.ask('/api/events?after_seq=x')).status).toBe(400);
    const newest = Math.max(...(await stage.baton.run('handoff.events', {})).events.map(({ seq }) => seq));
    const future = await stage.ask(`/api/events?after_seq=${newest + 1}`);
    expect([future.status, ((await future.json()) as { code: string }).code]).toEqual([400, 'invalid_input']);
    const header = await stage.ask('/api/events', { headers: { 'last-event-id': '999999' } });
    expect(header.status).toBe(400);
    await expect(stage.baton.run('handoff.events', { after_seq: newest + 1 })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { after_seq: newest + 1 },
    });
    expect((await stage.baton.run('handoff.events', { after_seq: newest })).events).toEqual([]);
  },
);

verifies(['HTTP.events'], 'what another process does comes by itself', async () => {
  const stage = await openHttp();
  await stage.baton.context.openStore();
  const stream = await listen(stage);
  await stream.next();
  const script = `import { openBaton } from ${JSON.stringify(join(import.meta.dirname, '../../../packages/batonpass/src/index.ts'))};
    const baton = await openBaton({ environment: {}, store: process.argv[1], project: 'alpha' });
    await baton.run('handoff.create', { content: { summary: 'from elsewhere' } });
    await baton.close();`;
  const words = ['--input-type=module', '-e', script, `sqlite:${join(stage.folder, 'baton.db')}`];
  await promisify(execFile)(process.execPath, words, { cwd: stage.folder });
  expect((await stream.next()).name).toBe('handoff-created');
  await stream.leave();
});

verifies(['HTTP.events-filter'], 'a stream has events of its project, its task and its states alone', async () => {
  const stage = await openHttp();
  const { baton, folder } = stage;
  const other = await openBaton({
    cwd: folder,
    environment: {},
    store: `sqlite:${join(folder, 'baton.db')}`,
    project: 'beta',
  });
  await baton.run('handoff.create', { content: { summary: 'a', task_id: 'one' } });
  await baton.run('handoff.create', { content: { summary: 'b', task_id: 'two' } });
  await other.run('handoff.create', { content: { summary: 'c', task_id: 'two' } });
  await baton.run('handoff.claim', { task_id: 'two' });
  await baton.run('handoff.claim', { task_id: 'one' });
  await other.close();
  const idsOf = async (query: string, count: number) => {
    const stream = await listen(stage, `?after_seq=0&${query}`);
    await stream.next();
    const ids: number[] = [];
    while (ids.length < count) ids.push((await stream.next()).id);
    await stream.leave();
    return ids;
  };
  expect(await idsOf('', 4)).toEqual([1, 2, 4, 5]);
  expect(await idsOf('task_id=two', 2)).toEqual([2, 4]);
  expect(await idsOf('state=claimed', 2)).toEqual([4, 5]);
  expect(await idsOf('state=claimed&state=open&task_id=one', 2)).toEqual([1, 5]);
  expect(await idsOf('project=beta', 1)).toEqual([3]);
  expect((await stage.ask('/api/events?state=none')).status).toBe(400);
});

/** A clock that a test moves. */
function heldTiming() {
  const due: (() => void)[] = [];
  const after = (_ms: number, callback: () => void) => {
    due.push(callback);
    return () => {
      const index = due.indexOf(callback);
      if (index !== -1) due.splice(index, 1);
    };
  };
  const ring = () => {
    for (const callback of due.splice(0)) callback();
  };
  return { timing: { now: () => performance.now(), after }, ring, due };
}

verifies(['HTTP.events'], 'a stream without events sends heartbeats, until its token is invalid', async () => {
  const { timing, ring, due } = heldTiming();
  const stage = await openHttp({ timing });
  const token = await stage.token('codex');
  const stream = await listen(stage, '', { authorization: `Bearer ${token}` });
  await stream.next();
  for (let count = 0; count < 3; count += 1) {
    ring();
    expect(await stream.block()).toBe(':');
  }
  const { tokens } = await stage.baton.run('token.list', {});
  await stage.baton.run('token.revoke', { id: tokens[0]?.id ?? '' });
  ring();
  await expect(stream.block().then((text) => text ?? Promise.reject(new Error('ended')))).rejects.toThrow();
  expect(due).toEqual([]);
});

verifies(['HTTP.events'], 'a stream that has ended follows no runs and waits for nothing', async () => {
  const { timing, due } = heldTiming();
  const stage = await openHttp({ timing });
  const { background } = stage.baton.context;
  const follow = background.follow.bind(background);
  const followers = new Set<unknown>();
  background.follow = (follower) => {
    const leave = follow(follower);
    followers.add(follower);
    return () => {
      followers.delete(follower);
      leave();
    };
  };
  const stream = await listen(stage);
  await stream.next();
  const filtered = await listen(stage, '?task_id=one');
  await filtered.next();
  expect([followers.size, due.length]).toEqual([1, 2]);
  await stream.leave();
  await filtered.leave();
  await expect.poll(() => [followers.size, due.length]).toEqual([0, 0]);
});

verifies(
  ['HTTP.events-slow'],
  'a client that reads nothing is not written ahead of, and is let go; others hear all',
  async () => {
    const { timing, ring, due } = heldTiming();
    const stage = await openHttp({ timing });
    const { baton, server } = stage;
    const store = await baton.context.openStore();
    const read: number[] = [];
    const subscribe = store.subscribe.bind(store);
    // Counts what is taken from the store for the slow one.
    store.subscribe = (request, signal) => {
      const events = subscribe(request, signal);
      return (async function* () {
        for await (const event of events) {
          read.push(event.seq);
          yield event;
        }
      })();
    };
    const slow = await openSocket(server.port);
    slow.pause();
    slow.write(
      `GET /api/events?after_seq=0 HTTP/1.1\r\nHost: localhost:${server.port}\r\nAuthorization: Bearer ${server.token}\r\n\r\n`,
    );
    const ended = new Promise((resolve) => slow.once('close', resolve));
    // More than the buffers of two sockets hold.
    const rounds = 170;
    const reason = 'because '.repeat(1_200);
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const { id } = await baton.run('handoff.create', { content: { summary: 'x' } });
          await baton.run('handoff.withdraw', { id, reason });
        }),
      );
    }
    const events = rounds * 20;
    const taken = read.length;
    expect(taken).toBeLessThan(events);
    store.subscribe = subscribe;
    const quick = await listen(stage, '?after_seq=0');
    await quick.next();
    for (let seq = 1; seq <= events; seq += 1) expect((await quick.next()).id).toBe(seq);
    expect(read.length).toBe(taken);
    const waiting = due.length;
    ring();
    // The store is asked whether a token is still valid: only then the next heartbeat is due.
    await expect.poll(() => due.length).toBe(waiting);
    ring();
    slow.resume();
    await ended;
    await quick.leave();
  },
);

verifies(['HTTP.events', 'HTTP.limits'], 'one caller has only so many streams, and gets them back', async () => {
  const stage = await openHttp();
  const token = await stage.token('codex');
  const authorization = { authorization: `Bearer ${token}` };
  const streams = await Promise.all(Array.from({ length: 64 }, () => listen(stage, '', authorization)));
  const refused = await stage.ask('/api/events', { headers: authorization });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  const mine = await listen(stage);
  await mine.next();
  await Promise.all([...streams, mine].map(({ leave }) => leave()));
  for (let status = 429; status === 429; ) {
    const again = await stage.ask('/api/events', { headers: authorization });
    status = again.status;
    await again.body?.cancel();
  }
});
