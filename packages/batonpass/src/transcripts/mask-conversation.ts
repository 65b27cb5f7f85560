import type { Conversation, Message, ToolCall } from '../core/conversation.ts';
import { maskSecrets } from '../core/masking.ts';

/** The conversation with every secret masked in texts, commands, paths and outcomes, and the masks counted by kind. */
export function maskConversation(conversation: Conversation): Conversation {
  const masked: Record<string, number> = { ...conversation.masked };
  const mask = (text: string): string => {
    const result = maskSecrets(text);
    for (const [kind, count] of Object.entries(result.found)) masked[kind] = (masked[kind] ?? 0) + count;
    return result.text;
  };
  const messages = conversation.messages.map((message) => maskMessage(message, mask));
  return { ...conversation, messages, masked };
}

function maskMessage(message: Message, mask: (text: string) => string): Message {
  return { ...message, text: mask(message.text), tool_calls: message.tool_calls.map((call) => maskCall(call, mask)) };
}

function maskCall(call: ToolCall, mask: (text: string) => string): ToolCall {
  const masked = { ...call };
  if (call.command !== undefined) masked.command = mask(call.command);
  if (call.path !== undefined) masked.path = mask(call.path);
  if (call.outcome !== undefined) masked.outcome = { ...call.outcome, text: mask(call.outcome.text) };
  return masked;
}
