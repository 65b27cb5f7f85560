import type { Conversation, Message, ToolCall } from '../core/conversation.ts';
import { selectCurrentBranch } from './claude-code-branches.ts';
import { type ClaudeCodeRow, readRow } from './claude-code-rows.ts';
import type { JsonObject } from './json-value.ts';
import { countUnread, type Unread } from './unread.ts';

/** Takes the rows of a Claude Code transcript one by one and gives the conversation at the end. */
export class ClaudeCodeReader {
  private readonly rows: ClaudeCodeRow[] = [];
  private cwd: string | undefined;
  private readonly unread: Unread;

  constructor(unread: Unread) {
    this.unread = unread;
  }

  /** Adds one row; one of an unknown type is counted as unread. */
  add(value: JsonObject): void {
    const reading = readRow(value, this.cwd);
    if ('unknown' in reading) countUnread(this.unread, `unknown row type "${reading.unknown.slice(0, 40)}"`);
    if (!('row' in reading)) return;
    this.cwd ??= reading.row.cwd;
    this.rows.push(reading.row);
  }

  /** The conversation of the rows so far; secrets are not yet masked. */
  finish(): Conversation {
    const rows = selectCurrentBranch(this.rows);
    const messages = mergeRows(rows);
    const times = messages.flatMap((message) => message.at ?? []);
    const last = <K extends 'session' | 'branch'>(key: K) => this.rows.findLast((row) => row[key] !== undefined)?.[key];
    return {
      host: 'claude-code',
      session: last('session'),
      branch: last('branch'),
      cwd: this.cwd,
      started_at: times.reduce<string | undefined>(
        (first, at) => (first === undefined || at < first ? at : first),
        undefined,
      ),
      ended_at: times.reduce<string | undefined>((end, at) => (end === undefined || at > end ? at : end), undefined),
      messages,
      unread: this.unread,
      masked: {},
    };
  }
}

/** Rows of one answer become one message; rows that only carry results become none. */
function mergeRows(rows: readonly ClaudeCodeRow[]): Message[] {
  const messages: Message[] = [];
  const answers = new Map<string, Message>();
  const calls = new Map<string, ToolCall>();
  for (const row of rows) {
    for (const { id, outcome } of row.results) {
      const call = calls.get(id);
      if (call !== undefined) call.outcome = outcome;
    }
    for (const { id, call } of row.calls) calls.set(id, call);
    if (row.role === undefined) continue;
    const open = row.messageId === undefined ? undefined : answers.get(row.messageId);
    if (open === undefined) {
      const message: Message = {
        index: messages.length,
        role: row.role,
        text: row.text,
        tool_calls: row.calls.map(({ call }) => call),
      };
      if (row.at !== undefined) message.at = row.at;
      messages.push(message);
      if (row.messageId !== undefined) answers.set(row.messageId, message);
    } else {
      open.text = [open.text, row.text].filter((text) => text !== '').join('\n\n');
      open.tool_calls.push(...row.calls.map(({ call }) => call));
    }
  }
  return messages;
}
