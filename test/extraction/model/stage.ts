import type { Conversation } from '../../../packages/batonpass/src/core/conversation.ts';
import { type ModelSettingsInput, modelSettingsSchema } from '../../../packages/batonpass/src/core/model-settings.ts';
import {
  type ExtractionRequest,
  extractConversation,
  type ReportedExtraction,
} from '../../../packages/batonpass/src/extraction/extract-conversation.ts';
import type { ModelSurroundings } from '../../../packages/batonpass/src/extraction/model/ask-model.ts';
import { afterEachTest } from '../../after-each-test.ts';
import { type ModelServer, openModelServer, type Reply } from './model-server.ts';

/** The key that tests send; it must turn up in a header and nowhere else. */
export const key = 'test-key-4f1c9a77d0e24b';

const servers: ModelServer[] = [];

afterEachTest(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A server that the test leaves to this file to close. */
export async function serve(...replies: Reply[]): Promise<ModelServer> {
  const server = await openModelServer(...replies);
  servers.push(server);
  return server;
}

/** Surroundings in which no time passes; they note what would have been waited for. */
export function noTime(): ModelSurroundings & { waits: number[] } {
  const waits: number[] = [];
  let markers = 0;
  return {
    waits,
    wait: async (ms) => {
      waits.push(ms);
    },
    chance: () => 1,
    createMarker: () => {
      markers += 1;
      return `marker-${markers}`;
    },
  };
}

/** Anthropic's protocol, spoken by a server of the test's. */
export const anthropic = (server: ModelServer, settings: ModelSettingsInput = {}): ModelSettingsInput => ({
  provider: 'anthropic',
  base_url: server.url,
  ...settings,
});

/** The protocol that local servers speak. */
export const compatible = (server: ModelServer, settings: ModelSettingsInput = {}): ModelSettingsInput => ({
  base_url: server.url,
  model: 'qwen3:14b',
  ...settings,
});

/** Extracts by a model with these settings. */
export function extractWith(
  settings: ModelSettingsInput,
  conversation: Conversation,
  request: Partial<ExtractionRequest> = {},
): Promise<ReportedExtraction> {
  return extractConversation(conversation, {
    extractor: 'model',
    settings: modelSettingsSchema.parse(settings),
    environment: { ANTHROPIC_API_KEY: key },
    signal: new AbortController().signal,
    surroundings: noTime(),
    ...request,
  });
}
