import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  convertToModelMessages,
  pipeUIMessageStreamToResponse,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from 'ai';
import { extractHandoff, openBaton } from 'batonpass';

/** The routes of the application: a model answers, `/extract` reads the brainstorm, `/plan` hands it on to be planned. */
export async function createPlanServer(cwd: string, environment: NodeJS.ProcessEnv = process.env) {
  const baton = await openBaton({ cwd, environment });
  const { BATON_MODEL_BASE_URL: baseURL = '', BATON_MODEL: model = '' } = environment;
  const provider = createOpenAICompatible({ name: 'chat', baseURL });
  const planned = new Map<string, Promise<string>>();
  const plan = async (id: string) => {
    // Without a model: planning.draft.
    const { outcome, reason = outcome, plan_directory } = await baton.planning.run({ id });
    return plan_directory === undefined ? `There is no plan: ${reason}` : `The plan is in ${plan_directory}.`;
  };
  const chat = async ({ messages }: { messages: UIMessage[] }, response: ServerResponse) => {
    const { stream } = streamText({ model: provider(model), messages: await convertToModelMessages(messages) });
    await pipeUIMessageStreamToResponse({ response, stream: toUIMessageStream({ stream }) });
  };
  const answer = async (url: string | undefined, body: never) => {
    if (url === '/extract') return extractHandoff(body, AbortSignal.timeout(180_000), { cwd, environment });
    if (url === '/planned') return { text: await planned.get((body as { id: string }).id) };
    const handoff = await baton.planning.handOn(body);
    // The page does not wait for the plan: it asks for it.
    planned.set(handoff.id, plan(handoff.id).catch(String));
    return handoff;
  };
  const server = createServer(async (request, response) => {
    try {
      const body = (await json(request)) as never;
      if (request.url === '/chat') return await chat(body, response);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(await answer(request.url, body)));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  return server.on('close', () => void baton.close());
}
