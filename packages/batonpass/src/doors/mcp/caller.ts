import { CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Actor, actorSchema } from '../../core/actor.ts';
import type { Baton } from '../../operations/baton.ts';

const clientSchema = z.object({ name: actorSchema.shape.name.refine((name) => name.isWellFormed()) });

/**
 * Who calls: the agent that the configuration names (`--as`, `BATON_AGENT`), else the client by the name that it gives
 * itself, in each request or once at the handshake, else "mcp". Always an agent: a model asks, whoever sits before it.
 */
export function identifyCaller(baton: Baton, server: McpServer, context: ServerContext): Actor {
  const configured = baton.context.configuration.agent;
  if (configured !== undefined) return { name: configured, type: 'agent' };
  const envelope: { readonly [CLIENT_INFO_META_KEY]?: unknown } | undefined = context.mcpReq.envelope;
  const client = clientSchema.safeParse(envelope?.[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion());
  // A name that is no name of an agent, as an empty or endless one, is no reason to refuse the client.
  return { name: client.data?.name ?? 'mcp', type: 'agent' };
}
