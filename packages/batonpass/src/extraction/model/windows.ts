import type { Conversation, Message } from '../../core/conversation.ts';
import { limits } from '../../core/limits.ts';
import { formatMessage } from './format-message.ts';

/** The windows of a conversation, in order. */
export interface Windows {
  windows: Message[][];
  /** Messages that no window holds, because there would be too many windows; they are the oldest. */
  left_out: number;
}

/**
 * Splits a conversation into windows of at most `limits.model_messages_max` messages and so many characters, each of
 * which begins a little before the end of the one before. Messages without words or tool calls are in none.
 */
export function splitIntoWindows({ messages }: Conversation, charactersMax: number): Windows {
  const said = messages.filter(({ text, tool_calls }) => text.trim() !== '' || tool_calls.length > 0);
  const sizes = said.map((message) => formatMessage(message, charactersMax).length);
  const windows: Message[][] = [];
  for (let from = 0; from < said.length; ) {
    const end = findEnd(sizes, from, charactersMax);
    windows.push(said.slice(from, end));
    if (end === said.length) break;
    // At least one message further, however short the window is.
    from = Math.max(from + 1, end - overlapOf(sizes, end, charactersMax));
  }
  const kept = windows.slice(-limits.model_windows_max);
  const first = kept[0]?.[0];
  return { windows: kept, left_out: first === undefined ? 0 : said.indexOf(first) };
}

/** The first message that a window has no room for; no message takes more than about half of it. */
function findEnd(sizes: readonly number[], from: number, charactersMax: number): number {
  let characters = 0;
  let end = from;
  while (end < sizes.length && end - from < limits.model_messages_max) {
    characters += sizes[end] ?? 0;
    if (characters > charactersMax) break;
    end += 1;
  }
  return end;
}

/** Messages read twice take no more than a fifth of a window. */
function overlapOf(sizes: readonly number[], end: number, charactersMax: number): number {
  let characters = 0;
  let count = 0;
  while (count < limits.model_overlap_messages) {
    characters += sizes[end - count - 1] ?? charactersMax;
    if (characters > charactersMax / 5) break;
    count += 1;
  }
  return count;
}
