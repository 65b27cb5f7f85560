import type { Conversation } from '../core/conversation.ts';
import { readInstant } from './claude-code-rows.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { readTypedText } from './cursor-rows.ts';
import { asObject, asObjects, asText, type JsonObject, parseLine } from './json-value.ts';
import { readOutcome, readToolCall } from './tool-calls.ts';
import { countUnread } from './unread.ts';

/** Whether a value is a conversation of Cursor as its database keeps it and exporters write it. */
export function isCursorConversation(value: unknown): boolean {
  const object = asObject(value);
  return object !== undefined && listBubbles(object).some((bubble) => readRole(bubble) !== undefined);
}

/** Whether it has a message of the user. */
export function hasCursorPrompt(value: JsonObject): boolean {
  return listBubbles(value).some((bubble) => readRole(bubble) === 'user' && readTypedText(textOf(bubble)) !== '');
}

/** Reads a composer or a tab: its bubbles, in the order of its headers where it has these. */
export async function readCursorConversation(value: JsonObject): Promise<Conversation> {
  const conversation = new ConversationBuilder('cursor');
  conversation.session = asText(value.composerId) ?? asText(value.tabId) ?? asText(value.id);
  conversation.title = asText(value.name) ?? asText(value.chatTitle);
  for (const bubble of listBubbles(value)) {
    const role = readRole(bubble);
    const at = readInstant(bubble.createdAt ?? bubble.timestamp);
    if (role === undefined) {
      countUnread(conversation.unread, 'unknown kind of bubble');
      continue;
    }
    const spoken = textOf(bubble);
    const text = role === 'user' ? readTypedText(spoken) : spoken.trim();
    if (text !== '') conversation.say({ role, text, ...(at !== undefined && { at }) });
    const tool = asObject(bubble.toolFormerData);
    if (tool !== undefined) useTool(conversation, tool, at);
  }
  return await conversation.finish();
}

function textOf(bubble: JsonObject): string {
  return asText(bubble.text) ?? asText(bubble.rawText) ?? '';
}

/** The bubbles of a conversation, from each place that some version keeps them in. */
function listBubbles(value: JsonObject): JsonObject[] {
  const byId = asObject(value.conversationMap);
  const headers = asObjects(value.fullConversationHeadersOnly);
  if (byId !== undefined && headers.length > 0) {
    const bubbles = new Map(Object.entries(byId));
    const listed = headers.map((header) => bubbles.get(asText(header.bubbleId) ?? ''));
    return asObjects(listed);
  }
  return asObjects(Array.isArray(value.conversation) ? value.conversation : value.bubbles);
}

function readRole({ type }: JsonObject): 'user' | 'assistant' | undefined {
  if (type === 1 || type === 'user') return 'user';
  return type === 2 || type === 'ai' || type === 'assistant' ? 'assistant' : undefined;
}

function useTool(conversation: ConversationBuilder, tool: JsonObject, at: string | undefined): void {
  const input = readObject(tool.params) ?? readObject(tool.rawArgs) ?? {};
  const call = readToolCall(asText(tool.name) ?? 'unknown', input, conversation.cwd);
  const result = typeof tool.result === 'string' ? tool.result : undefined;
  if (result !== undefined) {
    const parsed = result.startsWith('{') ? asObject(parseLine(result)) : undefined;
    call.outcome = readOutcome(asText(parsed?.output) ?? result, tool.status === 'error');
    if (typeof parsed?.exitCode === 'number') call.outcome.exit_code = parsed.exitCode;
  }
  conversation.use([call], { at });
}

/** Arguments are kept as an object or as its JSON. */
function readObject(value: unknown): JsonObject | undefined {
  return asObject(typeof value === 'string' ? parseLine(value) : value);
}

/** When a conversation was last changed, in milliseconds; what has no time is older than all else. */
export function cursorTimeOf({ lastUpdatedAt, createdAt }: JsonObject): number {
  const times = [lastUpdatedAt, createdAt].map((time) => Date.parse(readInstant(time) ?? ''));
  return times.find((time) => !Number.isNaN(time)) ?? Number.NEGATIVE_INFINITY;
}
