import type { Conversation, ToolCall } from '../../packages/batonpass/src/core/conversation.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import type { Extraction } from '../../packages/batonpass/src/extraction/extraction.ts';

/** A conversation from its texts, the user first and then in turns. */
export function dialogue(...texts: string[]): Conversation {
  return {
    host: 'messages',
    messages: texts.map((text, index) => ({
      index,
      role: index % 2 === 0 ? 'user' : 'assistant',
      text,
      tool_calls: [],
    })),
    unread: { lines: 0, reasons: {} },
    masked: {},
  };
}

/** A conversation in which the assistant used tools. */
export function withCalls(...tool_calls: ToolCall[]): Conversation {
  const conversation = dialogue('Go on.', 'I am at it.');
  const [, answer] = conversation.messages;
  if (answer !== undefined) answer.tool_calls = tool_calls;
  return conversation;
}

export const extract = (...texts: string[]): Extraction => extractByRules(dialogue(...texts));

export const decisionsOf = (...texts: string[]): string[] => extract(...texts).decisions.map(({ content }) => content);
