import {
  type CallToolResult,
  McpServer,
  type McpServerFactory,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { limits } from '../../core/limits.ts';
import type { Baton, RunOptions } from '../../operations/baton.ts';
import { version } from '../../version.ts';
import { identifyCaller } from './caller.ts';
import type { Door } from './door.ts';
import { instructions } from './instructions.ts';
import { registerPrompts } from './prompts.ts';
import { loadPublishedTools, type PublishedTool } from './published-tools.ts';
import { type ReadCall, readCall, withAdvice } from './read-call.ts';
import { registerResources } from './resources.ts';
import { type Shown, shownResults, withinLines } from './shown-results.ts';
import { type DefectLog, toErrorResult, toToolResult } from './tool-results.ts';

/** What a server is made with besides the folder it works for. */
export interface McpServerSettings {
  /** Takes what is no expected error. Default: standard error, with the stack. */
  logDefect?: DefectLog;
}

/**
 * A factory of MCP servers on one Baton, for `serveStdio` and `createMcpHandler` of `@modelcontextprotocol/server`: both
 * call it for each connection or request, and serve both protocol revisions from it. The servers share the Baton and
 * nothing else, so that no client gets an answer of another's; closing the Baton is the caller's business.
 *
 * Its tools are what the operations of the catalogue declare. A call that fails as expected is a result with `isError`
 * and `error: {code, message, details, alternatives}`.
 */
export function createMcpServerFactory(baton: Baton, settings: McpServerSettings = {}): McpServerFactory {
  const { logDefect = writeDefect } = settings;
  let tools: Promise<readonly PublishedTool[]> | undefined;
  return async () => {
    tools ??= loadPublishedTools();
    const server = createBareServer();
    const optionsOf = (context: ServerContext): RunOptions => ({
      actor: identifyCaller(baton, server, context),
      signal: context.mcpReq.signal,
    });
    const door: Door = { server, baton, logDefect, optionsOf };
    for (const tool of await tools) registerTool(door, tool);
    registerResources(door);
    registerPrompts(door);
    return server;
  };
}

/** Lists change with the program, and with nothing else: a client may keep them. */
const LISTING_MS = 60 * 60_000;
const listing = { ttlMs: LISTING_MS, cacheScope: 'public' } as const;

function createBareServer(): McpServer {
  return new McpServer(
    { name: 'baton', title: 'Baton', version },
    {
      instructions,
      maxToolInputElements: limits.request_elements_max,
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
      cacheHints: {
        'tools/list': listing,
        'prompts/list': listing,
        'resources/list': listing,
        'resources/templates/list': listing,
        'server/discover': listing,
        'resources/read': { ttlMs: 0, cacheScope: 'private' },
      },
    },
  );
}

function registerTool(door: Door, published: PublishedTool): void {
  const { tool, config } = published;
  door.server.registerTool(tool.name, config, async (given, context) => {
    let call: ReadCall | undefined;
    try {
      call = readCall(published, given);
      return await callTool(door, call, context);
    } catch (error) {
      const { advice, read_as } = call ?? {};
      return toErrorResult(advice === undefined ? error : withAdvice(error, advice), door.logDefect, read_as);
    }
  });
}

async function callTool({ baton, optionsOf }: Door, call: ReadCall, context: ServerContext): Promise<CallToolResult> {
  const { name, input, idempotency_key, read_as } = call;
  const shown = shownResults[name] as Shown | undefined;
  // The operation checks the input, whatever the client sent.
  const checkedLater = withinLines(input, shown?.lines) as never;
  const output = await baton.run(name, checkedLater, { ...optionsOf(context), idempotency_key });
  const answer = shown === undefined ? output : shown.show(output, baton.context.now());
  const result = toToolResult(read_as.length === 0 ? answer : { ...answer, read_as });
  return shown?.isFailure?.(output) === true ? { ...result, isError: true } : result;
}

function writeDefect(error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`baton: this is a defect in Baton. Please report it with these lines:\n${stack}\n`);
}
