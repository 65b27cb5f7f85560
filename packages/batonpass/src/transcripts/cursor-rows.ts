import type { Conversation } from '../core/conversation.ts';
import { readInstant } from './claude-code-rows.ts';
import { removeBlocks } from './claude-code-text.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { asObject, asObjects, asText, type JsonObject } from './json-value.ts';
import { readPatch, readToolCall } from './tool-calls.ts';
import { parseRow, type ReadLine, type TranscriptReader } from './transcript-reader.ts';
import { countUnread } from './unread.ts';

/** Blocks that Cursor adds to what the user typed. */
const addedBlocks = [
  'attached_files',
  'open_and_recently_viewed_files',
  'system_reminder',
  'user_info',
  'git_status',
  'project_layout',
  'rules',
  'agent_skills',
  'timestamp',
  'cursor_commands',
  'additional_data',
  'manually_attached_skills',
] as const;

/** Whether an object is a row of Cursor's transcripts of agents: a role, and a message around the parts. */
export function isCursorRow(value: JsonObject): boolean {
  if (value.type !== undefined && value.type !== 'message') return false;
  return isRole(value.role) && asObject(value.message)?.content !== undefined;
}

function isRole(value: unknown): value is 'user' | 'assistant' {
  return value === 'user' || value === 'assistant';
}

/** Takes the rows of a transcript of Cursor's agent. It keeps no outcomes of tools. */
export class CursorRowsReader implements TranscriptReader {
  private readonly conversation = new ConversationBuilder('cursor');

  addLine(line: ReadLine): void {
    const problem = this.readLine(line);
    if (problem !== undefined) countUnread(this.conversation.unread, problem);
  }

  async finish(): Promise<Conversation> {
    return await this.conversation.finish();
  }

  private readLine(line: ReadLine): string | undefined {
    const row = parseRow(line);
    if (row === undefined || typeof row === 'string') return row;
    if (!isRole(row.role)) return asText(row.type) === undefined ? 'not a row of a transcript' : undefined;
    const { role } = row;
    const content = asObject(row.message)?.content;
    const at = readInstant(row.timestamp);
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : asObjects(content);
    const texts = parts.flatMap((part) => (part.type === 'text' ? (asText(part.text) ?? []) : []));
    const said = texts
      .map((part) => (role === 'user' ? readTypedText(part) : part.trim()))
      .filter((part) => part !== '');
    if (said.length > 0) this.conversation.say({ role, text: said.join('\n\n'), ...(at !== undefined && { at }) });
    for (const part of parts) if (part.type === 'tool_use') this.use(part, at);
    return undefined;
  }

  private use(part: JsonObject, at: string | undefined): void {
    const name = asText(part.name) ?? 'unknown';
    const patch = asText(part.input) ?? asText(asObject(part.input)?.patch);
    const files = patch === undefined ? [] : readPatch(name, patch, undefined);
    const calls = files.length > 0 ? files : [readToolCall(name, asObject(part.input) ?? {}, undefined)];
    this.conversation.use(calls, { at });
  }
}

/** What the user typed, out of what Cursor sent in his name. */
export function readTypedText(text: string): string {
  const open = text.indexOf('<user_query>');
  const close = text.lastIndexOf('</user_query>');
  if (open !== -1 && close > open) return text.slice(open + '<user_query>'.length, close).trim();
  return addedBlocks.reduce(removeBlocks, text).trim();
}
