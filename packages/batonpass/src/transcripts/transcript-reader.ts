import type { Conversation } from '../core/conversation.ts';
import { asObject, type JsonObject, parseLine } from './json-value.ts';
import type { TranscriptLine } from './transcript-lines.ts';

/** What a reader is given of a line: its text, absent where the line is too long, and whether a line feed ended it. */
export type ReadLine = Pick<TranscriptLine, 'text' | 'ended'>;

/** Takes the lines of one transcript in order and gives the conversation at the end; memory holds no other text. */
export interface TranscriptReader {
  /** Adds one line; what cannot be read is counted as unread. */
  addLine(line: ReadLine): void;
  /** The conversation, its secrets masked; called once, after the last line. */
  finish(): Promise<Conversation>;
}

/** The object that a line holds, or the reason why it holds none; nothing for a blank line. */
export function parseRow({ text, ended }: ReadLine): JsonObject | string | undefined {
  if (text === undefined) return 'line too long';
  if (text.trim() === '') return undefined;
  const value = parseLine(text);
  if (value === undefined) return ended ? 'line is not JSON' : 'last line is torn';
  return asObject(value) ?? 'not a row of a transcript';
}
