import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Baton } from '../../packages/batonpass/src/index.ts';
import { createMcpServerFactory, type McpServerSettings } from '../../packages/batonpass/src/mcp.ts';
import { program, type Stage } from './stage.ts';

/** The two revisions that a client may settle on: by the older handshake, or by asking first. */
export const revisions = { '2025-11-25': 'legacy', '2026-07-28': 'auto' } as const;

export type Revision = keyof typeof revisions;

/** The parts of a tool's answer that tests read. */
export interface Answer {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent: Record<string, unknown>;
}

/** A real client with what tests ask most. */
export interface Connected {
  client: Client;
  /** Calls a tool; the client itself checks the answer against the listed schema. */
  call: (tool: string, input?: Record<string, unknown>) => Promise<Answer>;
  /** Calls a tool that must succeed, and gives its structured answer. */
  ask: <T = Record<string, unknown>>(tool: string, input?: Record<string, unknown>) => Promise<T>;
  close: () => Promise<void>;
}

/** Connects to the built command, as a host starts it. */
export async function connectToCommand(stage: Stage, revision: Revision, words: string[] = []): Promise<Connected> {
  const client = createClient(revision, 'tester');
  const environment = Object.entries(stage.environment).filter(([, value]) => value !== undefined);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', ...words],
      cwd: stage.folder,
      env: Object.fromEntries(environment) as Record<string, string>,
      stderr: 'ignore',
    }),
  );
  return connected(client, () => client.close());
}

/** Connects to a server in this process; everything but the pipes is real. */
export async function connectTo(
  baton: Baton,
  revision: Revision = '2025-11-25',
  settings: McpServerSettings & { name?: string } = {},
): Promise<Connected> {
  const [theirs, ours] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(createMcpServerFactory(baton, settings), { transport: theirs });
  const client = createClient(revision, settings.name ?? 'tester');
  await client.connect(ours);
  return connected(client, async () => {
    await client.close();
    await handle.close();
  });
}

function createClient(revision: Revision, name: string): Client {
  return new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode: revisions[revision] } });
}

async function connected(client: Client, close: () => Promise<void>): Promise<Connected> {
  await client.listTools();
  const call: Connected['call'] = async (tool, input = {}) =>
    (await client.callTool({ name: tool, arguments: input })) as unknown as Answer;
  return {
    client,
    call,
    ask: async <T>(tool: string, input?: Record<string, unknown>) => {
      const { isError, structuredContent } = await call(tool, input);
      if (isError === true) throw new Error(`${tool} failed: ${JSON.stringify(structuredContent)}`);
      return structuredContent as T;
    },
    close,
  };
}
