import {
  completable,
  fromJsonSchema,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { registerRounds } from './mcp-conformance-rounds.ts';

/** What the conformance suite asks a server for by name; it is next to Baton's own, on the server of its factory. */
export function registerFixtures(server: McpServer): void {
  registerTools(server);
  registerResources(server);
  registerPrompts(server);
  registerRounds(server);
}

const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const sound = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (words: string) => ({ type: 'text' as const, text: words });
const image = { type: 'image' as const, data: picture, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
});

function registerTools(server: McpServer): void {
  const answers = {
    test_simple_text: [text('This is a simple text response for testing.')],
    test_logging_tool: [text('Nothing is logged through the protocol.')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio' as const, data: sound, mimeType: 'audio/wav' }],
    test_embedded_resource: [resource('test://embedded-resource', 'text/plain', 'An embedded resource.')],
    test_multiple_content_types: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  };
  for (const [name, content] of Object.entries(answers)) {
    server.registerTool(name, { description: name }, () => ({ content }));
  }
  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_progress', { description: 'Tells how far it is' }, async (context) => {
    for (const progress of [0, 50, 100]) await tellProgress(context, progress);
    return { content: [text('done')] };
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a schema with every keyword of JSON Schema 2020-12', inputSchema: fromJsonSchema(wideSchema) },
    (given) => ({ content: [text(JSON.stringify(given))] }),
  );
}

async function tellProgress({ mcpReq }: ServerContext, progress: number): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken ?? 0;
  await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
}

const wideSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

function registerResources(server: McpServer): void {
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: picture }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const mimeType = 'application/json';
  server.registerResource('template', template, { mimeType }, ({ href }, { id }) => ({
    contents: [
      { uri: href, mimeType, text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }) },
    ],
  }));
}

function registerPrompts(server: McpServer): void {
  const said = (...content: Parameters<typeof asMessage>[0][]) => ({ messages: content.map(asMessage) });
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () =>
    said(text('This is a simple prompt for testing.')),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Has a picture' }, () =>
    said(image, text('Please analyze the image above.')),
  );
  const argument = completable(z.string(), () => ['test']);
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Has arguments', argsSchema: z.object({ arg1: argument, arg2: argument }) },
    ({ arg1, arg2 }) => said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Has a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      said(resource(resourceUri, 'text/plain', 'Embedded.'), text('Please process the resource above.')),
  );
}

function asMessage(content: ReturnType<typeof text> | typeof image | ReturnType<typeof resource>) {
  return { role: 'user' as const, content };
}
