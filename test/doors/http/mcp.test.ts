import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect } from 'vitest';
import { createMcpServerFactory } from '../../../packages/batonpass/src/mcp.ts';
import { verifies } from '../../verifies.ts';
import { registerFixtures } from '../mcp-conformance-fixtures.ts';
import { conformanceRevisions, runConformance } from '../mcp-conformance-suite.ts';
import { type HttpStage, openHttp } from './http-stage.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/**
 * A proxy to the server that adds its token, which the suite cannot send. All else goes as it came; where Host
 * or Origin name this port, they name the server's.
 */
async function openWay({ server }: HttpStage): Promise<string> {
  const way = createServer((incoming, outgoing) => {
    const { port } = way.address() as AddressInfo;
    const headers = incoming.rawHeaders.map((text) => text.replaceAll(`:${port}`, `:${server.port}`));
    const sent = request(
      {
        host: '127.0.0.1',
        port: server.port,
        method: incoming.method,
        path: incoming.url,
        setHost: false,
        headers: [...headers, 'Authorization', `Bearer ${server.token}`],
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.rawHeaders);
        answer.pipe(outgoing);
      },
    );
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  servers.push(way);
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(way.address() as AddressInfo).port}/mcp`;
}

for (const [revision, { scenarios, exceptions }] of Object.entries(conformanceRevisions)) {
  verifies(
    ['HTTP.conformance'],
    `the real server passes every scenario of ${revision}, but those that do not apply`,
    async () => {
      // Baton's own servers, with what the suite asks for by name.
      const stage = await openHttp({
        createMcpFactory: (baton) => {
          const factory = createMcpServerFactory(baton);
          return async (context) => {
            const server = await factory(context);
            if ('registerTool' in server) registerFixtures(server);
            return server;
          };
        },
      });
      const results = await runConformance(revision, await openWay(stage));
      const failed = [...results].filter(([, failures]) => failures.length > 0);
      const unexpected = failed.filter(([scenario]) => !Object.hasOwn(exceptions, scenario));
      expect(Object.fromEntries(unexpected)).toEqual({});
      expect(failed.map(([scenario]) => scenario).sort()).toEqual(Object.keys(exceptions).sort());
      expect([...results.keys()].filter((scenario) => scenario.includes('rebinding')).length).toBe(1);
      expect(results.size).toBe(scenarios);
    },
  );
}

verifies(['HTTP.mcp', 'HTTP.tokens'], 'a tool acts as the principal of the token, under any client name', async () => {
  const stage = await openHttp();
  const token = await stage.token('codex');
  const callTool = async (name: string, input: object) => {
    const answer = await stage.ask('/mcp', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name,
          arguments: input,
          _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'somebody else', version: '1' } },
        },
      }),
    });
    const text = await answer.text();
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result.structuredContent;
  };
  await callTool('handoff_create', { content: { summary: 'x' } });
  for (const claim of [{ source_agent: 'maria' }, { origin: { trigger: 'Stop' } }]) {
    const refused = await callTool('handoff_create', { content: { summary: 'y', ...claim } });
    expect(refused).toMatchObject({ error: { code: 'invalid_input' } });
  }
  const { handoffs } = await stage.baton.run('handoff.list', {});
  expect(handoffs[0]?.content.source_agent).toBe('codex');
  const claimed = await callTool('handoff_claim', {});
  expect(JSON.stringify(claimed)).toContain('codex');
});
