import type { Conversation, Message, ToolCall, ToolOutcome } from '../core/conversation.ts';
import { maskSecrets } from '../core/masking.ts';

/** How many secrets were masked, by kind. */
export type SecretCounts = Record<string, number>;

/** Masks a text, and counts what it masked where its maker says. */
export type Mask = (text: string) => string;

/** The beginning of a tool's answer that is kept; whoever needs all of it has the transcript. */
const outcomeCharactersMax = 500;

/** The conversation with every secret masked in texts, commands, paths and outcomes, and the masks counted by kind. */
export function maskConversation(conversation: Conversation): Conversation {
  const masked: SecretCounts = { ...conversation.masked };
  const mask = createMask(masked);
  const messages = conversation.messages.map((message) => maskMessage(message, mask));
  return { ...conversation, messages, masked };
}

/** A mask that adds what it finds to these counts. */
export function createMask(counts: SecretCounts): Mask {
  return (text) => {
    const result = maskSecrets(text);
    addCounts(counts, result.found);
    return result.text;
  };
}

/** Adds counts to others. */
export function addCounts(counts: SecretCounts, more: SecretCounts): void {
  for (const [kind, count] of Object.entries(more)) counts[kind] = (counts[kind] ?? 0) + count;
}

function maskMessage(message: Message, mask: Mask): Message {
  return { ...message, text: mask(message.text), tool_calls: message.tool_calls.map((call) => maskCall(call, mask)) };
}

/** The call with its command, path and outcome masked. */
export function maskCall(call: ToolCall, mask: Mask): ToolCall {
  const masked = { ...call };
  if (call.command !== undefined) masked.command = mask(call.command);
  if (call.path !== undefined) masked.path = mask(call.path);
  if (call.outcome !== undefined) masked.outcome = maskOutcome(call.outcome, mask);
  return masked;
}

/** The outcome masked first and cut then: half a secret would no longer be known as one. */
export function maskOutcome(outcome: ToolOutcome, mask: Mask): ToolOutcome {
  return { ...outcome, text: mask(outcome.text).slice(0, outcomeCharactersMax).toWellFormed() };
}
