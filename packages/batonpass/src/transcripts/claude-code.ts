import type { Conversation, Message, ToolCall } from '../core/conversation.ts';
import { selectCurrentBranch } from './claude-code-branches.ts';
import { type ClaudeCodeRow, isClaudeCodeRow, readRow } from './claude-code-rows.ts';
import { asObject, parseLine } from './json-value.ts';
import { addCounts, type SecretCounts } from './mask-conversation.ts';
import { maskRow } from './mask-row.ts';
import type { TranscriptLine } from './transcript-lines.ts';
import { countUnread, type Unread } from './unread.ts';

/** What a reader has read of a transcript: plain data, its secrets masked. */
export interface ClaudeCodeReading {
  rows: readonly ClaudeCodeRow[];
  unread: Unread;
}

/** Takes the lines of a Claude Code transcript one by one and gives the conversation at the end. */
export class ClaudeCodeReader {
  private readonly rows: ClaudeCodeRow[] = [];
  private readonly unread: Unread;
  /** Answers whose last row broke off within a private key. */
  private readonly openKeys = new Set<string>();
  private cwd: string | undefined;

  /** @param earlier - what an earlier reader had read of the lines before; it is copied. */
  constructor(earlier?: ClaudeCodeReading) {
    this.unread = { lines: earlier?.unread.lines ?? 0, reasons: { ...earlier?.unread.reasons } };
    for (const row of earlier?.rows ?? []) this.keep(row);
  }

  /** Adds one line; what cannot be read is counted as unread. */
  addLine(line: Pick<TranscriptLine, 'text' | 'ended'>): void {
    const problem = this.readLine(line);
    if (problem !== undefined) countUnread(this.unread, problem);
  }

  /** All that was read so far; later lines do not change it. */
  reading(): ClaudeCodeReading {
    return { rows: [...this.rows], unread: { lines: this.unread.lines, reasons: { ...this.unread.reasons } } };
  }

  /** The conversation of the rows so far. */
  finish(): Conversation {
    const { messages, masked } = mergeRows(selectCurrentBranch(this.rows));
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
      unread: this.reading().unread,
      masked,
    };
  }

  /** Keeps the line's row, or gives the reason why it has none; blank lines and silent rows need none. */
  private readLine({ text, ended }: Pick<TranscriptLine, 'text' | 'ended'>): string | undefined {
    if (text === undefined) return 'line too long';
    if (text.trim() === '') return undefined;
    const value = parseLine(text);
    if (value === undefined) return ended ? 'line is not JSON' : 'last line is torn';
    const object = asObject(value);
    if (object === undefined || !isClaudeCodeRow(object)) return 'not a row of a transcript';
    const reading = readRow(object, this.cwd);
    if ('unknown' in reading) return `unknown row type "${reading.unknown.slice(0, 40)}"`;
    if ('row' in reading) this.keep(maskRow(reading.row, this.openKeys.has(reading.row.message_id ?? '')));
    return undefined;
  }

  private keep(row: ClaudeCodeRow): void {
    this.cwd ??= row.cwd;
    if (row.message_id !== undefined) {
      if (row.key_open === true) this.openKeys.add(row.message_id);
      else this.openKeys.delete(row.message_id);
    }
    this.rows.push(row);
  }
}

/** A call of the conversation, with what was masked in it, and in the outcome that it has so far. */
interface MergedCall {
  call: ToolCall;
  masked: SecretCounts;
  outcomeMasked: SecretCounts;
}

/** Rows of one answer become one message; rows that only carry results become none. Rows stay as they are. */
function mergeRows(rows: readonly ClaudeCodeRow[]): { messages: Message[]; masked: SecretCounts } {
  const messages: Message[] = [];
  const masked: SecretCounts = {};
  const answers = new Map<string, Message>();
  const callsById = new Map<string, MergedCall>();
  const calls: MergedCall[] = [];
  for (const row of rows) {
    for (const result of row.results) giveOutcome(callsById.get(result.id), result);
    const opened = row.calls.map(({ id, call, masked: found }) => {
      const merged: MergedCall = { call: { ...call }, masked: found ?? {}, outcomeMasked: {} };
      callsById.set(id, merged);
      return merged;
    });
    calls.push(...opened);
    if (row.role === undefined) continue;
    addCounts(masked, row.masked ?? {});
    const tool_calls = opened.map(({ call }) => call);
    const open = row.message_id === undefined ? undefined : answers.get(row.message_id);
    if (open === undefined) {
      const message: Message = { index: messages.length, role: row.role, text: row.text, tool_calls };
      if (row.at !== undefined) message.at = row.at;
      messages.push(message);
      if (row.message_id !== undefined) answers.set(row.message_id, message);
    } else {
      open.text = [open.text, row.text].filter((text) => text !== '').join('\n\n');
      open.tool_calls.push(...tool_calls);
    }
  }
  for (const call of calls) {
    addCounts(masked, call.masked);
    addCounts(masked, call.outcomeMasked);
  }
  return { messages, masked };
}

function giveOutcome(merged: MergedCall | undefined, result: ClaudeCodeRow['results'][number]): void {
  if (merged === undefined) return;
  merged.call.outcome = result.outcome;
  merged.outcomeMasked = result.masked ?? {};
}
