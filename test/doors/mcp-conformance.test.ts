import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { openBaton } from '../../packages/batonpass/src/index.ts';
import { createMcpHttpHandler, createMcpServerFactory } from '../../packages/batonpass/src/mcp.ts';
import { verifies } from '../verifies.ts';
import { registerFixtures } from './mcp-conformance-fixtures.ts';
import { conformanceRevisions, runConformance } from './mcp-conformance-suite.ts';
import { mount } from './mcp-http.ts';

const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Baton's own handler, with what the suite asks for by name on each of its servers. */
async function serve(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-test-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const baton = await openBaton({ cwd: folder, environment: {}, store: 'memory:', project: 'conformance' });
  closing.push(() => baton.close());
  const factory = createMcpServerFactory(baton);
  const handler = createMcpHttpHandler(async (context) => {
    const server = await factory(context);
    if ('registerTool' in server) registerFixtures(server);
    return server;
  });
  const mounted = await mount(handler);
  closing.push(mounted.close);
  return mounted.url;
}

for (const [revision, { scenarios, exceptions }] of Object.entries(conformanceRevisions)) {
  verifies(
    ['MCP.conformance', 'MCP.http'],
    `every scenario of the official suite passes for ${revision}, but exactly those that do not apply`,
    async () => {
      const results = await runConformance(revision, await serve());
      const failed = [...results].filter(([, failures]) => failures.length > 0);
      const unexpected = failed.filter(([scenario]) => !Object.hasOwn(exceptions, scenario));
      expect(Object.fromEntries(unexpected)).toEqual({});
      expect(failed.map(([scenario]) => scenario).sort()).toEqual(Object.keys(exceptions).sort());
      expect(results.size).toBe(scenarios);
    },
  );
}
