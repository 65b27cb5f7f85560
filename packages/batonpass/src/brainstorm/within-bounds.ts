import type { Conversation, Message, ToolCall } from '../core/conversation.ts';
import { limits } from '../core/limits.ts';

/** Of one message no more is read than its beginning, so that a pasted file does not push all else out. */
const messageCharactersMax = limits.extraction_characters_max / 4;

/** A conversation that extraction can read. */
interface BoundedConversation {
  conversation: Conversation;
  /** Messages that were emptied or shortened. */
  cut: number;
}

/**
 * A conversation with no more than `limits.extraction_characters_max` characters in texts and tool calls. The newest
 * messages are kept; from the first one that does not fit, all older ones are emptied. Every message keeps its place,
 * because evidence points there. One that fits is given back as it is.
 */
export function withinBounds(conversation: Conversation): BoundedConversation {
  let left = limits.extraction_characters_max;
  let cut = 0;
  const newestFirst = conversation.messages.toReversed().map((message) => {
    const kept = shorten(message);
    // Below zero it stays below: what is older than a gap may have been revoked in the gap.
    left -= sizeOf(kept);
    const read = left < 0 ? { ...message, text: '', tool_calls: [] } : kept;
    if (sizeOf(read) < sizeOf(message)) cut += 1;
    return read;
  });
  return cut === 0
    ? { conversation, cut }
    : { conversation: { ...conversation, messages: newestFirst.reverse() }, cut };
}

function shorten(message: Message): Message {
  if (sizeOf(message) <= messageCharactersMax) return message;
  const text = message.text
    .slice(0, messageCharactersMax)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  let left = messageCharactersMax - text.length;
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
