import type { Conversation, Message, ToolCall, ToolOutcome } from '../core/conversation.ts';
import { ownText } from '../core/own-text.ts';
import { addCounts, createMask, maskCall, maskOutcome, type SecretCounts } from './mask-conversation.ts';
import { SecretSweep } from './secret-sweep.ts';
import { toHostTitle } from './session-title.ts';
import { readSwitchedBranch, toBranch } from './switched-branch.ts';
import type { Unread } from './unread.ts';

/** A message and what was masked in it; a message that is undone takes its counts along. */
interface BuiltMessage {
  message: Message;
  masked: SecretCounts;
  /** The assistant's last message with a text, up to this one: looking back for it at each message would take quadratic time. */
  lastSaid: Message | undefined;
  /** The place of the user's last message, up to this one; -1 where there is none. */
  turn: number;
}

/** Whether a text is a host's own error in the agent's name, where the request to the model failed. */
function isApiError(text: string): boolean {
  return /^\s*API Error(?:: (?:\d{3}\b|Request timed out|Connection error|Request was aborted)| \()/.test(text);
}

/** What a reader gives for one message. */
export interface SaidMessage {
  role: Message['role'];
  text: string;
  /** ISO 8601. */
  at?: string;
}

/** A part of an agent's message where tool calls are written among its words. */
export type AnswerPart =
  | { text: string }
  /** The id is that of an outcome that comes later. */
  | { calls: readonly ToolCall[]; id?: string };

/**
 * Builds a conversation message by message, each masked as it comes, so that no secret and no whole answer of a tool is
 * held longer than a line.
 */
export class ConversationBuilder {
  readonly unread: Unread = { lines: 0, reasons: {} };
  session: string | undefined;
  /** The name that the host gave the session, as it is written there. */
  title: string | undefined;
  branch: string | undefined;
  cwd: string | undefined;
  /** Whether the person stopped the agent and no message followed. */
  interrupted = false;
  private readonly host: string;
  private readonly sweep = new SecretSweep();
  private readonly entries: BuiltMessage[] = [];
  /** The place of a call, by its id; ids of hostile files are no keys of an object. */
  private readonly calls = new Map<string, { calls: ToolCall[]; masked: SecretCounts }>();
  /** The id of the call that started each background command, by the command's name. */
  private readonly background = new Map<string, string>();
  /** The background command that a call waits for, by the call's id. */
  private readonly waiting = new Map<string, string>();

  constructor(host: string) {
    this.host = host;
  }

  /** How many messages there are so far. */
  get size(): number {
    return this.entries.length;
  }

  /** The role of the last message; absent before the first. */
  get lastRole(): Message['role'] | undefined {
    return this.entries.at(-1)?.message.role;
  }

  /** Adds a message; one without text is there for the calls that follow. */
  say({ role, text, at }: SaidMessage): void {
    if (role === 'assistant' && isApiError(text)) return;
    this.interrupted = false;
    const masked: SecretCounts = {};
    const before = this.entries.at(-1);
    const index = this.entries.length;
    const mask = createMask(masked, role === 'user' ? before?.lastSaid?.text : undefined);
    const message: Message = { index, role, text: ownText(mask(text)), tool_calls: [] };
    if (at !== undefined) message.at = at;
    this.entries.push({
      message,
      masked,
      lastSaid: role === 'assistant' && text !== '' ? message : before?.lastSaid,
      turn: role === 'user' ? index : (before?.turn ?? -1),
    });
    this.sweep.watch(message.text, (swept, found) => {
      message.text = swept;
      addCounts(masked, found);
    });
  }

  /**
   * Adds calls to the assistant's last message, or to one without text where the user's message is the last.
   *
   * @param waits_for - the background command whose result the calls' outcome is, where that names an exit code.
   */
  use(calls: readonly ToolCall[], { id, at, waits_for }: { id?: string; at?: string; waits_for?: string } = {}): void {
    if (calls.length === 0) return;
    if (this.lastRole !== 'assistant') this.say({ role: 'assistant', text: '', at });
    const entry = this.entries.at(-1);
    if (entry === undefined) return;
    const { message, masked } = entry;
    const used = calls.map((given) => maskCall(given, createMask(masked)));
    message.tool_calls.push(...used);
    if (id !== undefined && id !== '') {
      this.calls.set(id, { calls: used, masked });
      if (waits_for !== undefined) this.waiting.set(id, waits_for);
    }
    for (const call of used) {
      this.sweep.watch(call.command, (swept, found) => {
        call.command = swept;
        addCounts(masked, found);
      });
      if (call.outcome !== undefined) this.sweep.watchOutcome(call.outcome, (found) => addCounts(masked, found));
    }
  }

  /** Adds an agent's message part by part: the words after a call are a message of their own. */
  answer(parts: readonly AnswerPart[], at?: string): void {
    for (const part of parts) {
      if ('calls' in part) this.use(part.calls, { id: part.id, at });
      else if (part.text.trim() !== '') this.say({ role: 'assistant', text: part.text.trim(), at });
    }
  }

  /** Gives the calls of an id their outcome, unless they have one and this is no better; an unknown id is passed over. */
  conclude(id: string, given: ToolOutcome, { overrides = false }: { overrides?: boolean } = {}): void {
    const known = this.calls.get(id);
    if (known === undefined) return;
    const open = known.calls.filter(({ outcome }) => outcome === undefined || overrides);
    if (open.length === 0) return;
    const outcome = maskOutcome(given, createMask(known.masked));
    // A command that prints nothing at its end has said all before.
    if (outcome.text.trim() === '') outcome.text = open.find((call) => call.outcome)?.outcome?.text ?? '';
    for (const call of open) call.outcome = outcome;
    this.sweep.watchOutcome(outcome, (found) => addCounts(known.masked, found));
    const waits_for = this.waiting.get(id);
    if (waits_for === undefined) {
      if (given.background !== undefined) this.background.set(given.background, id);
      return;
    }
    // A call that waits, and learns that the command still runs, did not start it.
    const started = this.background.get(waits_for);
    if (started !== undefined && given.exit_code !== undefined) this.conclude(started, given, { overrides: true });
  }

  /** Removes the last turns: each a user's message and all that followed it. */
  removeTurns(turns: number): void {
    for (let left = turns; left > 0; left -= 1) {
      const from = this.entries.at(-1)?.turn ?? -1;
      if (from === -1) return;
      this.entries.length = from;
    }
  }

  /** Removes all from the message at an index on; nothing where it is unknown. */
  cutTo(size: number | undefined): void {
    if (size !== undefined) this.entries.length = Math.min(size, this.entries.length);
  }

  /** The conversation, after the second scan for secrets. */
  async finish(): Promise<Conversation> {
    await this.sweep.run();
    const kept = this.entries.filter(({ message }) => message.text !== '' || message.tool_calls.length > 0);
    const messages = kept.map(({ message }, index) => ({ ...message, index }));
    const title = toHostTitle(this.title);
    const masked: SecretCounts = {};
    for (const entry of kept) addCounts(masked, entry.masked);
    return {
      host: this.host,
      ...(title !== undefined && { title }),
      session: this.session,
      branch: readSwitchedBranch({ cwd: this.cwd, messages }) ?? toBranch(this.branch),
      cwd: this.cwd,
      ...(this.interrupted && { interrupted: true }),
      started_at: messages.find(({ at }) => at !== undefined)?.at,
      ended_at: messages.findLast(({ at }) => at !== undefined)?.at,
      messages,
      unread: this.unread,
      masked,
    };
  }
}
