import type { Conversation } from '../core/conversation.ts';
import { asObject, asText, type JsonObject } from './json-value.ts';
import { MessagesReader } from './messages-json.ts';
import { parseRow, type ReadLine, type TranscriptReader } from './transcript-reader.ts';

/** Whether an object is one message on a line of its own. */
export function isMessageRow(value: JsonObject): boolean {
  return typeof value.role === 'string' && (value.content !== undefined || Array.isArray(value.parts));
}

/** Whether an object is a row around a message, as the agent pi writes it; what Claude Code writes names the role in `type`. */
export function isWrappedMessage({ type, message }: JsonObject): boolean {
  return type === 'message' && asText(asObject(message)?.role) !== undefined;
}

/** Takes messages that are on one line each, alone or within a row. */
export class MessageRowsReader implements TranscriptReader {
  private readonly messages = new MessagesReader();

  addLine(line: ReadLine): void {
    const row = parseRow(line);
    if (typeof row === 'string') this.messages.countUnread(row);
    else if (row !== undefined) this.readRow(row);
  }

  private readRow(row: JsonObject): void {
    if (row.type === 'session') this.messages.readAbout(row);
    else if (isWrappedMessage(row)) this.messages.add({ timestamp: row.timestamp, ...asObject(row.message) });
    else this.messages.add(row);
  }

  async finish(): Promise<Conversation> {
    return await this.messages.finish();
  }
}
