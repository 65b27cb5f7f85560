import { expect } from 'vitest';
import { limits } from '../../../packages/batonpass/src/core/limits.ts';
import { transcriptMediaType } from '../../../packages/batonpass/src/core/transcript-media-type.ts';
import { verifies } from '../../verifies.ts';
import { type Body, type HttpStage, openHttp, sendRaw } from './http-stage.ts';

const transcript = JSON.stringify([
  { role: 'user', content: 'We will use SQLite for the queue.' },
  { role: 'assistant', content: 'Done:\nthe queue is kept in SQLite.' },
]);

async function send({ ask }: HttpStage, operation: string, body: string, type = transcriptMediaType) {
  const headers = { 'content-type': type };
  const answer = await ask(`/api/${operation}`, { method: 'POST', body, headers });
  return { status: answer.status, body: (await answer.json()) as Body };
}

verifies(
  ['HTTP.transcript-body'],
  'a transcript after a line of JSON becomes a draft as one in JSON does',
  async () => {
    const stage = await openHttp();
    const sent = await send(stage, 'handoff.import', `{"title":"The queue"}\n${transcript}`);
    expect(sent.status).toBe(200);
    const said = await stage.call('handoff.import', { title: 'The queue', text: transcript }, stage.server);
    const { origin: _1, ...asFile } = sent.body.handoff?.content ?? {};
    const { origin: _2, ...asText } = said.body.handoff?.content ?? {};
    expect(asFile).toEqual(asText);
    expect([asFile.title, asFile.decisions?.[0]?.content]).toEqual(['The queue', 'We will use SQLite for the queue.']);
    // The file is the text, with any content of the line.
    const both = await send(stage, 'handoff.import', `{"title":"Both","text":"x"}\n${transcript}`);
    expect(both.body.handoff?.content?.decisions).toEqual(asText.decisions);
  },
);

verifies(['HTTP.transcript-body', 'HTTP.limits'], 'what is no such body is refused, and keeps nothing', async () => {
  const stage = await openHttp();
  const refused: readonly (readonly [what: string, body: string, status: number])[] = [
    ['no line', transcript, 400],
    ['nothing', '', 400],
    ['no JSON', `title: x\n${transcript}`, 400],
    ['no object', `[]\n${transcript}`, 400],
    ['no transcript', '{}\n', 422],
    ['a long line', `${' '.repeat(limits.request_bytes_max + 1)}{}\n${transcript}`, 413],
    ['a deep line', `${'['.repeat(limits.json_depth_max + 1)}\n${transcript}`, 413],
  ];
  for (const [what, body, status] of refused) {
    expect([what, (await send(stage, 'handoff.import', body)).status]).toEqual([what, status]);
  }
  const announced = `Content-Length: ${limits.request_transcript_bytes_max + 1}`;
  const { port, token } = stage.server;
  const head = `Host: localhost:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${transcriptMediaType}`;
  const large = await sendRaw(port, `POST /api/handoff.import HTTP/1.1\r\n${head}\r\n${announced}\r\n\r\n{}\n`);
  expect(large.status).toBe(413);
  expect((await stage.baton.run('handoff.list', {})).handoffs).toEqual([]);
});

verifies(['HTTP.transcript-body', 'HTTP.admission'], 'no other operation and no other type takes one', async () => {
  const stage = await openHttp();
  const body = `{}\n${transcript}`;
  expect((await send(stage, 'handoff.import', body, 'text/plain')).status).toBe(415);
  expect((await send(stage, 'handoff.import', body, 'application/json')).status).toBe(400);
  for (const operation of ['handoff.create', 'handoff.list', 'handoff.claim']) {
    expect([operation, (await send(stage, operation, body)).status]).toEqual([operation, 415]);
    expect((await send(stage, operation, '{}')).status).toBe(415);
  }
});
