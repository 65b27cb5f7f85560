import { expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { type HttpStage, openHttp, openSocket } from './http-stage.ts';

const cuts = Number(process.env.BATON_HTTP_CUTS ?? 20);

/** Sends a request, or a part of it, and cuts the connection at a stage of it. */
async function cutAt(stage: HttpStage, key: string, at: number): Promise<void> {
  const { server, baton } = stage;
  const body = JSON.stringify({ content: { summary: key } });
  const head = [
    'POST /api/handoff.create HTTP/1.1',
    `Host: localhost:${server.port}`,
    `Authorization: Bearer ${server.token}`,
    `Idempotency-Key: ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ].join('\r\n');
  const request = `${head}\r\n\r\n${body}`;
  const socket = await openSocket(server.port);
  socket.on('error', () => {});
  // Before the end of it: nothing can have happened.
  const isWhole = at % 4 > 0;
  socket.write(isWhole ? request : request.slice(0, Math.floor((at / cuts) * request.length)));
  // When it was sent; when it was committed; when a part of the answer came.
  if (at % 4 === 2) await untilCreated(stage, key);
  if (at % 4 === 3) await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  await baton.run('handoff.list', {});
}

async function untilCreated({ baton }: HttpStage, key: string): Promise<void> {
  const store = await baton.context.openStore();
  for await (const { handoff_id } of store.subscribe({ after_seq: 0 }, new AbortController().signal)) {
    if ((await store.get(handoff_id))?.content.summary === key) return;
  }
}

verifies(
  ['HTTP.cut', 'HTTP.idempotency'],
  `${cuts} requests that were cut off and sent again hand over once each`,
  async () => {
    const stage = await openHttp();
    const { baton, call } = stage;
    await baton.context.openStore();
    for (let at = 0; at < cuts; at += 1) {
      const key = `request-${at}`;
      await cutAt(stage, key, at);
      const headers = { 'idempotency-key': key };
      const retried = await call('handoff.create', { content: { summary: key } }, { headers });
      expect([at, retried.status]).toEqual([at, 200]);
    }
    const { handoffs } = await baton.run('handoff.list', { limit: 1_000 });
    expect(handoffs.map(({ content }) => content.summary).sort()).toEqual(
      Array.from({ length: cuts }, (_, at) => `request-${at}`).sort(),
    );
  },
);
