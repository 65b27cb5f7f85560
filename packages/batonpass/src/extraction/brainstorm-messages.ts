import type { Conversation, Message } from '../core/conversation.ts';
import { maskReply } from '../core/masking.ts';

/** A message of a brainstorm: with `content` as chat APIs have it, or with `parts` as the AI SDK's interfaces do. */
export interface BrainstormMessage {
  role: string;
  content?: unknown;
  parts?: unknown;
}

/**
 * The conversation of a chat: the texts of its messages, their secrets masked, each at the position where it was given, so
 * that evidence points there. What a tool said, and messages of other roles, are empty.
 */
export function readBrainstorm(given: readonly BrainstormMessage[]): Conversation {
  const masked: Record<string, number> = {};
  let asked = '';
  const messages = given.map((message, index): Message => {
    const words = readText(message);
    const { text, found } = maskReply(message.role === 'user' ? asked : '', words);
    if (message.role === 'assistant') asked = words;
    for (const [kind, count] of Object.entries(found)) masked[kind] = (masked[kind] ?? 0) + count;
    const role = readRole(message.role);
    return { index, role: role ?? 'system', text: role === undefined ? '' : text, tool_calls: [] };
  });
  return { host: 'messages', messages, unread: { lines: 0, reasons: {} }, masked };
}

function readRole(role: string): Message['role'] | undefined {
  return role === 'user' || role === 'assistant' || role === 'system' ? role : undefined;
}

function readText({ content, parts }: BrainstormMessage): string {
  if (typeof content === 'string' && !Array.isArray(parts)) return content;
  const list: unknown[] = [parts, content].find((each) => Array.isArray(each)) ?? [];
  return list.flatMap((part) => (isTextPart(part) ? [part.text] : [])).join('\n\n');
}

function isTextPart(part: unknown): part is { text: string } {
  if (part === null || typeof part !== 'object') return false;
  return 'type' in part && part.type === 'text' && 'text' in part && typeof part.text === 'string';
}
