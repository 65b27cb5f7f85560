import type { Conversation } from '../core/conversation.ts';
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
