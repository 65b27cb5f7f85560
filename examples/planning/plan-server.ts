import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { extractHandoff, openBaton } from 'batonpass';

/** The two routes of the application: `/extract` reads the brainstorm, `/plan` hands it on and has it planned. */
export async function createPlanServer(cwd: string) {
  const baton = await openBaton({ cwd });
  const answer = async (url: string | undefined, body: never) => {
    if (url === '/extract') return extractHandoff(body, AbortSignal.timeout(180_000));
    const handoff = await baton.run('planning.hand-on', body);
    // The page does not wait for the plan. Without a model: planning.draft.
    baton.run('planning.run', { id: handoff.id }).catch((error: unknown) => console.error(error));
    return handoff;
  };
  return createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    try {
      response.end(JSON.stringify(await answer(request.url, (await json(request)) as never)));
    } catch (error) {
      response.writeHead(500).end(JSON.stringify({ error: String(error) }));
    }
  });
}
