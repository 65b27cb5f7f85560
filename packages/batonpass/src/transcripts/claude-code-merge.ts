import type { Message, ToolCall } from '../core/conversation.ts';
import { selectCurrentBranch } from './claude-code-branches.ts';
import type { ClaudeCodeRow } from './claude-code-rows.ts';
import type { SubagentWork } from './claude-code-subagents.ts';
import { addCounts, type SecretCounts } from './mask-conversation.ts';

/** A call of the conversation, with what was masked in it, and in the outcome that it has so far. */
interface MergedCall {
  call: ToolCall;
  /** The message that contains it. */
  message: Message;
  /** The kind of helper that it started. */
  agent?: string;
  masked: SecretCounts;
  outcomeMasked: SecretCounts;
}

/** One for all calls in which nothing was masked: of a long transcript's memory counts of nothing would be a tenth. */
const noCounts: SecretCounts = {};

/** Rows of one answer become one message; rows that only carry results become none. Rows stay as they are. */
export function mergeRows(
  rows: readonly ClaudeCodeRow[],
  subagents: readonly SubagentWork[],
): { messages: Message[]; masked: SecretCounts } {
  const merge = new RowMerge();
  const hasSides = rows.some(({ side }) => side !== undefined);
  const main = hasSides ? rows.filter(({ side }) => side === undefined) : rows;
  const current = selectCurrentBranch(main);
  const followers = hasSides ? findFollowers(rows, new Set(current)) : new Map<ClaudeCodeRow, ClaudeCodeRow[]>();
  for (const row of current) {
    merge.add(row);
    for (const side of followers.get(row) ?? []) merge.addSide(side);
  }
  const launches = subagents.length === 0 ? new Map<string, string>() : findLaunches(main);
  for (const work of [...subagents].sort((a, b) => (a.at ?? '').localeCompare(b.at ?? ''))) {
    const launch = work.tool_use_id ?? launches.get(work.agent);
    // What was started by a prompt that was rewound is not part of the conversation either.
    if (launch === undefined) merge.addWorkByTime(work);
    else merge.addWork(work, launch);
  }
  return merge.finish();
}

/** The call that started each helper, by the helper's id, as its result names it. */
function findLaunches(rows: readonly ClaudeCodeRow[]): Map<string, string> {
  const launches = new Map<string, string>();
  for (const { results } of rows) {
    for (const { agent, id } of results) if (agent !== undefined) launches.set(agent, id);
  }
  return launches;
}

/** Rows of helpers in the transcript itself, by the row of the conversation that they follow in the file. */
function findFollowers(
  rows: readonly ClaudeCodeRow[],
  current: ReadonlySet<ClaudeCodeRow>,
): Map<ClaudeCodeRow, ClaudeCodeRow[]> {
  const followers = new Map<ClaudeCodeRow, ClaudeCodeRow[]>();
  let before: ClaudeCodeRow | undefined;
  for (const row of rows) {
    if (current.has(row)) before = row;
    if (row.side === undefined || before === undefined) continue;
    const list = followers.get(before);
    if (list === undefined) followers.set(before, [row]);
    else list.push(row);
  }
  return followers;
}

class RowMerge {
  private readonly callsById = new Map<string, MergedCall>();
  private readonly messages: Message[] = [];
  private readonly masked: SecretCounts = {};
  private readonly answers = new Map<string, Message>();
  private readonly calls: MergedCall[] = [];
  /** The last call that started a helper. */
  private launch: MergedCall | undefined;

  add(row: ClaudeCodeRow): void {
    this.readResults(row);
    if (row.role === undefined) return;
    addCounts(this.masked, row.masked ?? {});
    const open = row.message_id === undefined ? undefined : this.answers.get(row.message_id);
    const message = open ?? this.open(row);
    if (open !== undefined) open.text = [open.text, row.text].filter((text) => text !== '').join('\n\n');
    for (const { id, call, agent, masked } of row.calls) {
      const merged = this.use(
        { call: { ...call }, message, agent, masked: masked ?? noCounts, outcomeMasked: noCounts },
        id,
      );
      message.tool_calls.push(merged.call);
      if (agent !== undefined) this.launch = merged;
    }
  }

  /** What a helper did within this transcript belongs to the message that started it. */
  addSide(row: ClaudeCodeRow): void {
    this.readResults(row);
    const { launch } = this;
    if (launch === undefined) return;
    for (const { id, call, masked } of row.calls) {
      const made = { ...call, agent: launch.agent ?? row.side };
      const merged = { call: made, message: launch.message, masked: masked ?? noCounts, outcomeMasked: noCounts };
      launch.message.tool_calls.push(this.use(merged, id).call);
    }
  }

  /** The work of a helper comes directly after the call that started it. */
  addWork(work: SubagentWork, launch_id: string): void {
    const launch = this.callsById.get(launch_id);
    if (launch === undefined) return;
    const { tool_calls } = launch.message;
    const at = tool_calls.indexOf(launch.call);
    tool_calls.splice(at + 1, 0, ...this.made(work, launch.message, launch.agent));
    const { outcome } = launch.call;
    const isAnswered = outcome !== undefined && !outcome.text.startsWith('Async agent launched');
    if (isAnswered || work.report === undefined) return;
    launch.call.outcome = { is_error: false, text: work.report.text };
    launch.outcomeMasked = work.report.masked ?? noCounts;
  }

  /** Without the call that started it, a helper's work belongs to the answer before it. */
  addWorkByTime(work: SubagentWork): void {
    const isBefore = ({ role, at }: Message) =>
      role === 'assistant' && (work.at === undefined || (at ?? '') <= work.at);
    const message = this.messages.findLast(isBefore);
    if (message !== undefined) message.tool_calls.push(...this.made(work, message, undefined));
  }

  finish(): { messages: Message[]; masked: SecretCounts } {
    for (const call of this.calls) {
      addCounts(this.masked, call.masked);
      addCounts(this.masked, call.outcomeMasked);
    }
    return { messages: this.messages, masked: this.masked };
  }

  private made(work: SubagentWork, message: Message, kind: string | undefined): ToolCall[] {
    return work.calls.map(({ call, masked }) => {
      const made = { ...call, agent: work.kind ?? kind ?? work.agent };
      return this.use({ call: made, message, masked: masked ?? noCounts, outcomeMasked: noCounts }, '').call;
    });
  }

  private use(merged: MergedCall, id: string): MergedCall {
    this.calls.push(merged);
    if (id !== '') this.callsById.set(id, merged);
    return merged;
  }

  private open(row: ClaudeCodeRow): Message {
    const message: Message = {
      index: this.messages.length,
      role: row.role ?? 'system',
      text: row.text,
      tool_calls: [],
    };
    if (row.at !== undefined) message.at = row.at;
    this.messages.push(message);
    if (row.message_id !== undefined) this.answers.set(row.message_id, message);
    return message;
  }

  private readResults(row: ClaudeCodeRow): void {
    for (const result of row.results) {
      const merged = this.callsById.get(result.id);
      if (merged === undefined) continue;
      merged.call.outcome = result.outcome;
      merged.outcomeMasked = result.masked ?? noCounts;
    }
  }
}
