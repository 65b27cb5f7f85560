import { expect } from 'vitest';
import { machineSurroundings } from '../../../packages/batonpass/src/extraction/model/machine-surroundings.ts';
import { extractHandoff } from '../../../packages/batonpass/src/operations/extract-handoff.ts';
import { verifies } from '../../verifies.ts';
import { dialogue } from '../dialogue.ts';
import { answers, keepsSilent, status } from './model-server.ts';
import { anthropic, compatible, extractWith, key, noTime, serve } from './stage.ts';

const conversation = dialogue('Use SQLite for the queue.', 'I will.');
const environment = { ANTHROPIC_API_KEY: key };

verifies(
  ['MODEL.abort', 'BR.extract.abort', 'BR.held.abort-error'],
  'an abort in the middle of a request closes its connection and rejects with AbortError',
  async () => {
    const server = await serve(keepsSilent);
    const controller = new AbortController();
    const model = anthropic(server);
    const running = extractHandoff([{ role: 'user', content: 'Use SQLite.' }], controller.signal, {
      model,
      environment,
    });
    const request = await server.arrival(0);
    controller.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    await request.closed;
    expect(server.requests).toHaveLength(1);
  },
);

verifies(['MODEL.abort', 'BR.held.abort-error'], 'an abort with its own reason is an AbortError too', async () => {
  const server = await serve(keepsSilent);
  const controller = new AbortController();
  const running = extractWith(compatible(server), conversation, { signal: controller.signal });
  await server.arrival(0);
  controller.abort(130);
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
});

verifies(['MODEL.abort'], 'an abort ends the wait before the next request', async () => {
  const server = await serve(status(500), answers({}));
  const controller = new AbortController();
  const surroundings = noTime();
  const running = extractWith(anthropic(server), conversation, {
    signal: controller.signal,
    surroundings: {
      ...surroundings,
      wait: async (_ms, signal) => {
        controller.abort();
        signal.throwIfAborted();
      },
    },
  });
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  expect(server.requests).toHaveLength(1);
});

verifies(['MODEL.abort'], 'the machine’s own wait ends with an abort', async () => {
  const controller = new AbortController();
  const waiting = machineSurroundings.wait(3_600_000, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await machineSurroundings.wait(0, new AbortController().signal);
});

verifies(
  ['MODEL.abort', 'BR.held.abort-error'],
  'what is aborted before it begins sends nothing and gives nothing',
  async () => {
    const server = await serve(answers({}));
    const signal = AbortSignal.abort();
    for (const extractor of ['rules', 'model'] as const) {
      await expect(extractWith(anthropic(server), conversation, { signal, extractor })).rejects.toMatchObject({
        name: 'AbortError',
      });
    }
    expect(server.requests).toEqual([]);
  },
);
