import type { Conversation } from '../core/conversation.ts';
import { asObject, type JsonObject, parseLine } from './json-value.ts';
import { MessagesReader } from './messages-json.ts';
import type { ReadLine, TranscriptReader } from './transcript-reader.ts';

/** Whether an object is one message on a line of its own. */
export function isMessageRow(value: JsonObject): boolean {
  return typeof value.role === 'string' && (value.content !== undefined || Array.isArray(value.parts));
}

/** Takes messages that stand one on a line. */
export class MessageRowsReader implements TranscriptReader {
  private readonly messages = new MessagesReader();

  addLine({ text, ended }: ReadLine): void {
    if (text === undefined) {
      this.messages.countUnread('line too long');
      return;
    }
    if (text.trim() === '') return;
    const value = parseLine(text);
    if (value === undefined) this.messages.countUnread(ended ? 'line is not JSON' : 'last line is torn');
    else if (asObject(value) === undefined) this.messages.countUnread('not a row of a transcript');
    else this.messages.add(value);
  }

  async finish(): Promise<Conversation> {
    return await this.messages.finish();
  }
}
