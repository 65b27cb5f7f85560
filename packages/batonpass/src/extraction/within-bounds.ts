import type { Conversation, Message, ToolCall } from '../core/conversation.ts';
import { limits } from '../core/limits.ts';

/** A conversation that extraction can read. */
interface BoundedConversation {
  conversation: Conversation;
  /** Messages that were emptied or shortened. */
  cut: number;
}

/** How much of a conversation is read, in characters of texts and tool calls. */
interface Bounds {
  /** Default: `limits.extraction_characters_max`. */
  characters_max?: number;
  /** Of one message no more than its beginning, so that a pasted file does not push all else out. */
  message_characters_max?: number;
}

/**
 * A conversation within bounds. The newest messages are kept; from the first one that does not fit, all older ones are
 * emptied. Every message keeps its position, because evidence points there. One that fits is returned as it is.
 */
export function withinBounds(conversation: Conversation, bounds: Bounds = {}): BoundedConversation {
  const {
    characters_max = limits.extraction_characters_max,
    message_characters_max = limits.extraction_message_characters_max,
  } = bounds;
  let left = characters_max;
  let cut = 0;
  const newestFirst: Message[] = [];
  for (const message of conversation.messages.toReversed()) {
    const kept = shorten(message, message_characters_max);
    // Below zero it stays below: what is older than a gap may have been revoked in the gap.
    left -= sizeOf(kept);
    const read = left < 0 ? { ...message, text: '', tool_calls: [] } : kept;
    if (sizeOf(read) < sizeOf(message)) cut += 1;
    newestFirst.push(read);
  }
  return cut === 0
    ? { conversation, cut }
    : { conversation: { ...conversation, messages: newestFirst.reverse() }, cut };
}

function shorten(message: Message, characters_max: number): Message {
  if (sizeOf(message) <= characters_max) return message;
  const text = message.text
    .slice(0, characters_max)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  let left = characters_max - text.length;
  const tool_calls = message.tool_calls.filter((call) => {
    left -= sizeOfCall(call);
    return left >= 0;
  });
  return { ...message, text, tool_calls };
}

function sizeOf({ text, tool_calls }: Message): number {
  return tool_calls.reduce((sum, call) => sum + sizeOfCall(call), text.length);
}

function sizeOfCall({ name, path = '', command = '', outcome }: ToolCall): number {
  return name.length + path.length + command.length + (outcome?.text.length ?? 0);
}
