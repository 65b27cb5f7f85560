import type { ToolCall } from '../core/conversation.ts';
import { readInstant } from './claude-code-rows.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { asObject, asObjects, asText, type JsonObject } from './json-value.ts';
import { readOutcome, readPatch, readToolCall } from './tool-calls.ts';
import { parseRow, type ReadLine, type TranscriptReader } from './transcript-reader.ts';
import { countUnread } from './unread.ts';

/** Whether an object is a message of an OpenCode session, or the facts of one, by its fields alone. */
export function isOpenCodeRow(value: JsonObject): boolean {
  const info = asObject(value.info);
  if (info === undefined) return false;
  if (Array.isArray(value.parts)) return asText(info.role) !== undefined && asText(info.sessionID) !== undefined;
  return asText(info.id)?.startsWith('ses_') === true && asText(info.directory) !== undefined;
}

/** Takes the messages of an OpenCode session, one on a line, after the session's facts. */
export class OpenCodeReader implements TranscriptReader {
  private readonly conversation = new ConversationBuilder('opencode');

  addLine(line: ReadLine): void {
    const row = parseRow(line);
    if (typeof row === 'string') countUnread(this.conversation.unread, row);
    else if (row !== undefined) this.add(row);
  }

  /** Adds one message, or the facts of the session. */
  add(value: unknown): void {
    const row = asObject(value);
    if (row === undefined || !isOpenCodeRow(row)) {
      countUnread(this.conversation.unread, 'not a row of a transcript');
      return;
    }
    const info = asObject(row.info) ?? {};
    if (!Array.isArray(row.parts)) {
      this.conversation.session ??= asText(info.id);
      this.conversation.cwd ??= asText(info.directory);
      this.conversation.title ??= asText(info.title);
      return;
    }
    const created = asObject(info.time)?.created;
    const at = typeof created === 'number' ? readInstant(new Date(created).toISOString()) : undefined;
    // A summary is what the host asked for when the past grew too long.
    if (info.role === 'user' || (info.role === 'assistant' && info.summary !== true)) this.readParts(info, row, at);
    if (asText(asObject(info.error)?.name) === 'MessageAbortedError') this.conversation.interrupted = true;
  }

  async finish() {
    return await this.conversation.finish();
  }

  private readParts({ role }: JsonObject, row: JsonObject, at: string | undefined): void {
    const { conversation } = this;
    for (const part of asObjects(row.parts)) {
      // What plugins and the host itself add is marked.
      const text =
        part.type === 'text' && part.synthetic !== true && part.ignored !== true ? asText(part.text) : undefined;
      if (text !== undefined) conversation.say({ role: role === 'user' ? 'user' : 'assistant', text, at });
      if (part.type === 'tool' && role === 'assistant') this.readTool(part, at);
    }
  }

  private readTool(part: JsonObject, at: string | undefined): void {
    const { conversation } = this;
    const state = asObject(part.state) ?? {};
    const id = asText(part.callID) ?? asText(part.id) ?? '';
    conversation.use(listOpenCodeCalls(asText(part.tool) ?? '', asObject(state.input) ?? {}, conversation.cwd), {
      id,
      at,
    });
    if (state.status !== 'completed' && state.status !== 'error') return;
    const exit = asObject(state.metadata)?.exit;
    const outcome = readOutcome(asText(state.output) ?? asText(state.error) ?? '', state.status === 'error');
    const hasCode = typeof exit === 'number';
    conversation.conclude(
      id,
      hasCode ? { ...outcome, is_error: outcome.is_error || exit !== 0, exit_code: exit } : outcome,
    );
  }
}

/** A tool call of OpenCode from its name and input: a patch is one for each file. @param cwd - paths below it become relative. */
export function listOpenCodeCalls(name: string, input: JsonObject, cwd: string | undefined): ToolCall[] {
  const patch = asText(input.patchText);
  return patch === undefined ? [readToolCall(name, input, cwd)] : readPatch(name, patch, cwd);
}
