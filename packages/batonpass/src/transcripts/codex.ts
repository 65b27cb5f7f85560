import type { Conversation, ToolCall } from '../core/conversation.ts';
import { readInstant } from './claude-code-rows.ts';
import { isApprovedPlan } from './claude-code-text.ts';
import { readCodeOutcome } from './codex-code-mode.ts';
import {
  isCodeMode,
  readCall,
  readCallOutcome,
  readCommandLine,
  readExecOutcome,
  readInput,
  readOutputText,
  readShellMode,
  readSpokenText,
} from './codex-items.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { asObject, asText, type JsonObject, parseLine } from './json-value.ts';
import { describeAnswersById, describeQuestions } from './question-tool.ts';
import { readBackgroundName } from './tool-calls.ts';
import { parseRow, type ReadLine, type TranscriptReader } from './transcript-reader.ts';
import { countUnread } from './unread.ts';

/** Rows of Codex' rollouts that are not part of the conversation itself. */
const silentTypes: ReadonlySet<string> = new Set([
  'world_state',
  'inter_agent_communication',
  'state',
  'ghost_snapshot',
  'token_usage_record',
]);

/** Items of a model's answer as old rollouts wrote them, without a row around them. */
const itemTypes: ReadonlySet<string> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'web_search_call',
  'compaction',
  'tool_search_call',
  'tool_search_output',
  'image_generation_call',
]);

const rowTypes: ReadonlySet<string> = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  ...silentTypes,
]);

/** Whether an object is a row of a Codex rollout, by its fields alone. */
export function isCodexRow(value: JsonObject): boolean {
  const type = asText(value.type);
  if (type === undefined) return asText(value.id) !== undefined && 'instructions' in value && 'timestamp' in value;
  if (rowTypes.has(type)) return asObject(value.payload) !== undefined;
  return itemTypes.has(type) && (Array.isArray(value.content) || asText(value.call_id) !== undefined);
}

/** Takes the rows of a Codex rollout one by one. Texts come from the model's items, since events only repeat them. */
export class CodexReader implements TranscriptReader {
  private readonly conversation = new ConversationBuilder('codex');
  /** The text of events, for rollouts that have no items. */
  private readonly mirrored = new ConversationBuilder('codex');
  /** Questions of the host's own tool that the person has not answered yet, by the call's id. */
  private readonly asked = new Map<string, JsonObject>();
  /** The commands of the calls that ran code, by the call's id: each has an id of its own, behind that. */
  private readonly codeCommands = new Map<string, (string | undefined)[]>();
  private hasItems = false;
  private isKnown = false;

  addLine(line: ReadLine): void {
    const problem = this.readLine(line);
    if (problem !== undefined) countUnread(this.conversation.unread, problem);
  }

  async finish(): Promise<Conversation> {
    if (this.hasItems) {
      const conversation = await this.conversation.finish();
      return { ...conversation, branch: branchAtEnd(conversation) };
    }
    const { session, branch, cwd, unread } = await this.conversation.finish();
    return { ...(await this.mirrored.finish()), session, branch, cwd, unread };
  }

  private readLine(line: ReadLine): string | undefined {
    const row = parseRow(line);
    if (row === undefined || typeof row === 'string') return row;
    const type = asText(row.type) ?? '';
    const payload = asObject(row.payload);
    const at = readInstant(row.timestamp);
    if (payload === undefined) return this.readOldRow(row, type);
    if (type === 'session_meta') return this.readMeta(payload);
    if (type === 'turn_context') return this.readMeta({ cwd: payload.cwd });
    if (type === 'response_item') return this.readItem(payload, at);
    if (type === 'event_msg') return this.readEvent(payload, at);
    if (type === 'compacted') return this.readCompaction(payload, at);
    return silentTypes.has(type) ? undefined : `unknown row type "${type.slice(0, 40)}"`;
  }

  /** Rollouts of 2025 begin with the session's facts and go on with bare items. */
  private readOldRow(row: JsonObject, type: string): string | undefined {
    if (itemTypes.has(type)) return this.readItem(row, undefined);
    if (type === '' && asText(row.record_type) !== undefined) return undefined;
    if (type === '' && asText(row.id) !== undefined) return this.readMeta(row);
    return type === '' ? 'not a row of a transcript' : `unknown row type "${type.slice(0, 40)}"`;
  }

  /** The first facts count: a forked session repeats those of its ancestors after its own. */
  private readMeta(meta: JsonObject): undefined {
    const { conversation } = this;
    if (asText(meta.id) !== undefined && !this.isKnown) {
      this.isKnown = true;
      conversation.session = asText(meta.id);
      conversation.branch = asText(asObject(meta.git)?.branch);
    }
    conversation.cwd ??= asText(meta.cwd);
  }

  private readItem(item: JsonObject, at: string | undefined): string | undefined {
    const type = asText(item.type) ?? '';
    if (!itemTypes.has(type)) return silentTypes.has(type) ? undefined : `unknown item "${type.slice(0, 40)}"`;
    const id = asText(item.call_id) ?? asText(item.id);
    if (type === 'message') return this.readMessage(item, at);
    if (type.endsWith('_call')) {
      this.hasItems = true;
      this.readQuestion(item, id, at);
      const calls = readCall(item, this.conversation.cwd);
      if (isCodeMode(item)) this.useCode(calls, id ?? '', at);
      else this.conversation.use(calls, { id, at, waits_for: readBackgroundName(readInput(item)) });
    }
    if (type.endsWith('_call_output')) {
      const made = this.codeCommands.get(id ?? '');
      if (made !== undefined) return this.concludeCode(id ?? '', made.length, readOutputText(item.output));
      const outcome = readCallOutcome(item.output);
      this.conversation.conclude(id ?? '', outcome);
      this.readAnswer(outcome.text, id, at);
    }
    return undefined;
  }

  private useCode(calls: readonly ToolCall[], id: string, at: string | undefined): void {
    this.codeCommands.set(
      id,
      calls.map(({ command }) => command),
    );
    for (const [place, call] of calls.entries()) this.conversation.use([call], { id: `${id}/${place}`, at });
  }

  /** What the code printed says how its calls ended, unless events have said it of each. */
  private concludeCode(id: string, count: number, printed: string): undefined {
    const outcome = readCodeOutcome(printed);
    for (let place = 0; place < count && outcome !== undefined; place += 1)
      this.conversation.conclude(`${id}/${place}`, outcome);
  }

  /** The end of a command that code ran: the event has an id of its own, so that the newest call of that command is meant. */
  private concludeCommand(item: JsonObject): void {
    const command = readCommandLine(item.command);
    for (const [id, commands] of [...this.codeCommands].reverse()) {
      const place = commands.lastIndexOf(command);
      if (command === undefined || place === -1) continue;
      this.conversation.conclude(`${id}/${place}`, readExecOutcome(item), { overrides: true });
      return;
    }
  }

  /** What the host's own tool asks the person is the assistant's text. */
  private readQuestion(item: JsonObject, id: string | undefined, at: string | undefined): void {
    if (asText(item.name) !== 'request_user_input') return;
    const input = asObject(parseLine(asText(item.arguments) ?? '')) ?? {};
    const text = describeQuestions(input);
    if (text === '') return;
    this.conversation.say({ role: 'assistant', text, at });
    this.asked.set(id ?? '', input);
  }

  /** What he answers is his message. */
  private readAnswer(output: string, id: string | undefined, at: string | undefined): void {
    const asked = this.asked.get(id ?? '');
    if (asked === undefined) return;
    this.asked.delete(id ?? '');
    const text = describeAnswersById(asked, asObject(parseLine(output)));
    if (text !== '') this.conversation.say({ role: 'user', text, at });
  }

  private readMessage(item: JsonObject, at: string | undefined): undefined {
    // Messages of developers and of the system are the host's scaffolding.
    if (item.role !== 'user' && item.role !== 'assistant') return;
    const text = readSpokenText(item);
    if (text === '') this.conversation.use(readShellMode(item, this.conversation.cwd), { at });
    if (text === '') return;
    this.hasItems = true;
    const role = item.role === 'user' && isApprovedPlan(text) ? 'system' : item.role;
    this.conversation.say({ role, text, at });
  }

  private readEvent(event: JsonObject, at: string | undefined): undefined {
    const { type } = event;
    if (type === 'exec_command_end') {
      this.conversation.conclude(asText(event.call_id) ?? '', readExecOutcome(event), { overrides: true });
    }
    const item = type === 'item_completed' ? asObject(event.item) : undefined;
    if (item?.type === 'CommandExecution') this.concludeCommand(item);
    if (type === 'turn_aborted') this.conversation.interrupted = true;
    // A forked session repeats the names of its ancestors.
    if (type === 'thread_name_updated' && event.thread_id === this.conversation.session) {
      this.conversation.title = asText(event.thread_name);
    }
    if (type === 'thread_rolled_back' && Number.isSafeInteger(event.num_turns)) {
      this.conversation.removeTurns(Number(event.num_turns));
      this.mirrored.removeTurns(Number(event.num_turns));
    }
    if (this.hasItems || (type !== 'user_message' && type !== 'agent_message')) return;
    const text = asText(event.message)?.trim() ?? '';
    if (text !== '') this.mirrored.say({ role: type === 'user_message' ? 'user' : 'assistant', text, at });
  }

  /** What the model made of the part before, where it is readable; the messages that it keeps are here already. */
  private readCompaction(payload: JsonObject, at: string | undefined): undefined {
    const text = asText(payload.message)?.trim() ?? '';
    if (text !== '') this.conversation.say({ role: 'system', text, at });
  }
}

/** A rollout names only the branch at its start; commands show where the work went. Undefined where that branch was deleted. */
function branchAtEnd({ branch, messages }: Conversation): string | undefined {
  let now = branch;
  for (const { command = '', outcome } of messages.flatMap(({ tool_calls }) => tool_calls)) {
    if (outcome === undefined || outcome.is_error || (outcome.exit_code ?? 0) !== 0) continue;
    for (const part of command.split(/&&|\|\||[;|\n]/)) {
      const { to, gone } = branchChange.exec(part.trim())?.groups ?? {};
      if (to !== undefined) now = to;
      if (gone !== undefined && gone === now) now = undefined;
    }
  }
  return now;
}

/** `git checkout src/a.ts` brings a file back: what has an extension is no branch. */
const branchChange =
  /^git (?:(?:checkout|switch) (?:-[bBcC] )?(?<to>[\w][\w/-]*)(?: (?:--track )?origin\/\S+)?|branch -[dD] (?<gone>[\w/.-]+))$/;
