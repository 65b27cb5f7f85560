import type { Conversation } from '../core/conversation.ts';
import type { JsonObject } from './json-value.ts';
import { MessagesReader } from './messages-json.ts';
import { parseRow, type ReadLine, type TranscriptReader } from './transcript-reader.ts';

/** Whether an object is one message on a line of its own. */
export function isMessageRow(value: JsonObject): boolean {
  return typeof value.role === 'string' && (value.content !== undefined || Array.isArray(value.parts));
}

/** Takes messages that are on one line each. */
export class MessageRowsReader implements TranscriptReader {
  private readonly messages = new MessagesReader();

  addLine(line: ReadLine): void {
    const row = parseRow(line);
    if (typeof row === 'string') this.messages.countUnread(row);
    else if (row !== undefined) this.messages.add(row);
  }

  async finish(): Promise<Conversation> {
    return await this.messages.finish();
  }
}
