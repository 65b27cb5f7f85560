import { expect } from 'vitest';
import { answerStream } from '../../../packages/batonpass/src/doors/http/answer-stream.ts';
import { limits } from '../../../packages/batonpass/src/index.ts';
import { holdsBack } from '../../extraction/model/model-stream.ts';
import { key, serve } from '../../extraction/model/stage.ts';
import { verifies } from '../../verifies.ts';
import { openHttp } from './http-stage.ts';

verifies(
  ['HTTP.streaming-slow', 'HTTP.chat'],
  'one caller has a bounded number of open chats, and a closed one makes room for another',
  async () => {
    const model = await serve(holdsBack({ text: 'Never said.' }, new Promise(() => {})));
    const environment = {
      BATON_MODEL_BASE_URL: model.url,
      BATON_MODEL: 'chat-1',
      BATON_MODEL_API_KEY_ENV: 'KEY',
      KEY: key,
    };
    const { ask, token } = await openHttp({}, { environment });
    const body = JSON.stringify({ messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello?' }] }] });
    const leaving: AbortController[] = [];
    const chat = (headers: Record<string, string> = {}) => {
      const controller = new AbortController();
      leaving.push(controller);
      return ask('/api/chat', { method: 'POST', body, headers, signal: controller.signal });
    };
    const max = limits.http_answer_streams_each_max;
    for (let count = 0; count < max; count += 1) expect((await chat()).status).toBe(200);
    const refused = await chat();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(await refused.json()).toMatchObject({ code: 'too_many_requests' });
    const authorization = `Bearer ${await token('ada', { role: 'reviewer' })}`;
    expect((await chat({ authorization })).status).toBe(200);
    const first = await model.arrival(0);
    leaving[0]?.abort();
    await first.closed;
    expect((await chat()).status).toBe(200);
    expect((await chat()).status).toBe(429);
    for (const controller of leaving) controller.abort();
  },
);

/** An answer of so many parts; `isCut` says whether its client was let go. */
async function tellOf(parts: number, size: number) {
  let told = 0;
  let isCut = false;
  const part = { type: 'text-delta', delta: 'x'.repeat(size) };
  const answer = await answerStream({
    make: async (tell) => {
      while (told < parts && !isCut) {
        tell(part);
        told += 1;
      }
      return part;
    },
    explain: () => part,
    after: () => () => {},
    cut: () => {
      isCut = true;
    },
  });
  return { answer, told, isCut };
}

verifies(
  ['HTTP.streaming-slow'],
  'a client that does not read its answer is disconnected at the bound of what is buffered',
  async () => {
    const size = 64 * 1024;
    const { told, isCut } = await tellOf(1_000, size);
    expect(isCut).toBe(true);
    expect(told).toBe(limits.http_answer_unread_bytes_max / size + 1);
  },
);

verifies(['HTTP.streaming-slow'], 'a large result is sent whole, although earlier parts are unread', async () => {
  const size = limits.http_answer_unread_bytes_max;
  const { answer, told, isCut } = await tellOf(1, size);
  expect([told, isCut]).toEqual([1, false]);
  const text = await answer.text();
  expect(text.match(/text-delta/g)).toHaveLength(2);
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
});
