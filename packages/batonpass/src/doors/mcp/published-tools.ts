import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { catalogue } from '../../operations/catalogue.ts';
import { asPublished, type PublishedSchemas, publishSchemas } from './published-schemas.ts';
import { toolListings } from './tool-listings.ts';
import { type DeclaredOperation, groupIntoTools, type Tool } from './tool-table.ts';

/** A tool with what its listing shows. */
export interface PublishedTool {
  tool: Tool;
  inputs: PublishedSchemas['inputs'];
  config: {
    title: string;
    description: string;
    inputSchema: ReturnType<typeof asPublished>;
    outputSchema: ReturnType<typeof asPublished>;
    annotations: ToolAnnotations;
    _meta?: Record<string, unknown>;
  };
}

/** The tools that the operations of the catalogue declare, ready to be registered with any number of servers. */
export async function loadPublishedTools(): Promise<PublishedTool[]> {
  const operations = await Promise.all(Object.values(catalogue).map((load) => load()));
  return Promise.all(groupIntoTools(operations as unknown as readonly DeclaredOperation[]).map(publish));
}

async function publish(tool: Tool): Promise<PublishedTool> {
  const { input, output, inputs } = await publishSchemas(tool);
  const listing = toolListings[tool.name];
  const summaries = [...tool.actions.values()].map(({ summary }) => summary).join(' ');
  return {
    tool,
    inputs,
    config: {
      title: listing?.title ?? tool.name.replaceAll('_', ' '),
      description: listing?.description ?? summaries,
      inputSchema: asPublished(input),
      outputSchema: asPublished(output),
      annotations: annotate(tool),
      // Claude Code loads tools only after a search, unless they ask to be loaded at the start.
      ...(listing?.essential === true ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
    },
  };
}

/**
 * The protocol's four hints. Nothing that Baton does is destructive: every step adds a line to a history that is never
 * rewritten, and a withdrawn handoff can be reopened. A repeated step may answer differently, except with its idempotency key.
 */
function annotate({ mutates }: Tool): ToolAnnotations {
  return { readOnlyHint: !mutates, destructiveHint: false, idempotentHint: !mutates, openWorldHint: false };
}
