import { afterEach, expect } from 'vitest';
import { type HttpServer, startHttpServer } from '../../../packages/batonpass/src/http.ts';
import { keepsSilent } from '../../extraction/model/model-server.ts';
import { serve } from '../../extraction/model/stage.ts';
import { goodTurns, openProject, replies, snapshot } from '../../operations/planning-run-stage.ts';
import { verifies } from '../../verifies.ts';

const servers: HttpServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Part {
  type: string;
  data?: { outcome?: string; code?: string; handoff?: { delivery: { state: string } } };
}

/** A project that is planned over HTTP by the models of the test's own server. */
async function openPlanning(...turns: Parameters<typeof serve>) {
  const provider = await serve(...turns);
  const { library } = await openProject(provider);
  const server = await startHttpServer(library);
  servers.push(server);
  const plan = (
    input: object,
    { accept = 'text/event-stream', signal }: { accept?: string; signal?: AbortSignal } = {},
  ) =>
    fetch(`${server.url}/api/planning.run`, {
      method: 'POST',
      body: JSON.stringify(input),
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', accept },
      ...(signal === undefined ? {} : { signal }),
    });
  return { provider, library, plan };
}

async function readParts(answer: Response): Promise<Part[]> {
  const lines = (await answer.text()).split('\n\n').filter((line) => line.startsWith('data: '));
  expect(lines.at(-1)).toBe('data: [DONE]');
  return lines.slice(0, -1).map((line) => JSON.parse(line.slice(6)) as Part);
}

verifies(['HTTP.streaming'], 'a run is reported as it progresses, and ends in its result', async () => {
  const { library, plan } = await openPlanning(...replies(goodTurns));
  await library.run('planning.hand-on', { snapshot });
  const answer = await plan({});
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(answer.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
  const parts = await readParts(answer);
  const types = parts.map(({ type }) => type);
  expect(types[0]).toBe('start');
  expect(types).toEqual(expect.arrayContaining(['text-delta', 'tool-input-available', 'tool-output-available']));
  expect(parts.at(-1)).toMatchObject({
    type: 'data-result',
    data: { outcome: 'completed', handoff: { delivery: { state: 'acknowledged' } } },
  });
});

verifies(
  ['HTTP.streaming'],
  'a caller that does not ask for a stream gets JSON, and a call that is refused at once its status',
  async () => {
    const { library, plan } = await openPlanning(...replies(goodTurns));
    const nothing = await plan({ id: 'ZZZZZZZZ' });
    expect([nothing.status, ((await nothing.json()) as { code: string }).code]).toEqual([404, 'not_found']);
    await library.run('planning.hand-on', { snapshot });
    const answer = await plan({}, { accept: '*/*' });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toMatchObject({ outcome: 'completed' });
  },
);

verifies(
  ['HTTP.streaming'],
  'a client that leaves ends the run: its model is let go, and the handoff is offered',
  async () => {
    const { provider, library, plan } = await openPlanning(keepsSilent);
    const { id } = await library.run('planning.hand-on', { snapshot });
    const leaving = new AbortController();
    const asked = plan({}, { signal: leaving.signal });
    const request = await provider.arrival(0);
    leaving.abort();
    await asked.then((answer) => answer.body?.cancel()).catch(() => {});
    await request.closed;
    const store = await library.context.openStore();
    const signal = AbortSignal.timeout(10_000);
    for await (const { name } of store.subscribe({ after_seq: 0 }, signal)) if (name === 'handoff-released') break;
    expect((await library.run('handoff.get', { id })).delivery.state).toBe('open');
  },
);
