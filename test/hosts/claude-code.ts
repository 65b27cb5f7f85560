import { randomUUID } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { runHook } from './claude-code-process.ts';
import { type HookEvent, hostRules, judge, type ProcessEnd, rulesOf, showContext } from './claude-code-rules.ts';
import { findHooks, type RegisteredHook } from './claude-code-settings.ts';
import { HostTranscript } from './claude-code-transcript.ts';

/** Where the host runs, and with what. */
export interface HostOptions {
  /** The project's folder: the session's working folder too. */
  project: string;
  home: string;
  /** The user's own environment; `HOME` is set to the home folder. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether the rows of hooks are written only at the next message, as the host may do; default false. */
  lags?: boolean;
  /** Default `main`. */
  branch?: string;
  /** The process that hooks take for the host; default this one. */
  pid?: number;
  /** Milliseconds since 1970; default the machine's clock. */
  now?: () => number;
}

/** One run of one hook. */
export interface HookRun extends ProcessEnd {
  event: HookEvent;
  hook: RegisteredHook;
  payload: Readonly<Record<string, unknown>>;
  duration_ms: number;
  /** Why the host dropped an output that was there. */
  dropped?: string;
}

/** What the hooks of one event did to the session. */
export interface EventOutcome {
  /** The texts that entered the model's context, a stub instead of one that was too long. */
  context: string[];
  /** The reasons of hooks that blocked. */
  blocked: string[];
}

/** What a session starts with. */
export interface SessionOptions {
  source?: 'startup' | 'resume' | 'clear' | 'compact';
  /** Default a new one. */
  session?: string;
  /** Default true; false is what `claude -p` and the SDK do. */
  interactive?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Acts as Claude Code does towards hooks and transcripts: one process, one session at a time. */
export class ClaudeCode {
  /** Every hook that ran, in order. */
  readonly ran: HookRun[] = [];
  private readonly options: HostOptions;
  private transcript: HostTranscript | undefined;
  private session = '';
  private interactive = true;
  private lastAnswer = '';
  private pending: (() => void)[] = [];

  constructor(options: HostOptions) {
    this.options = options;
  }

  /** The session's id. */
  get session_id(): string {
    return this.session;
  }

  /** The session's transcript. */
  get transcript_path(): string {
    return this.open().path;
  }

  /** Starts or resumes a session and gives the texts that its hooks put into the model's context. */
  async startSession({ source = 'startup', session, interactive = true }: SessionOptions = {}): Promise<string[]> {
    this.openSession(session);
    this.interactive = interactive;
    return (await this.fire('SessionStart', { source, model: 'claude-sonnet-4-5' })).context;
  }

  /** A session whose start runs no hook: what a test does to it by hand is all that happens. */
  openSession(session: string = randomUUID()): this {
    const { home, project, branch = 'main', now = Date.now } = this.options;
    if (session !== this.session || this.transcript === undefined) {
      this.transcript = new HostTranscript({ home, cwd: project, session, branch, now });
    }
    this.session = session;
    return this;
  }

  /** One side says something; what the host had not yet written of hooks comes before. */
  say(role: 'user' | 'assistant', text: string): void {
    const content = role === 'user' ? text : [{ type: 'text', text }];
    if (role === 'assistant') this.lastAnswer = text;
    this.write(role, { message: message(role, content) });
  }

  /** The person says something; returns the texts that hooks add to it. */
  async prompt(text: string): Promise<string[]> {
    const { context } = await this.fire('UserPromptSubmit', { prompt: text });
    this.say('user', text);
    return context;
  }

  /** The assistant uses a tool and gets its answer. */
  useTool(name: string, input: Fields, answer: { text: string; is_error?: boolean } = { text: 'ok' }): void {
    const id = `toolu_${randomUUID()}`;
    const { text, is_error = false } = answer;
    this.write('assistant', { message: message('assistant', [{ type: 'tool_use', id, name, input }]) });
    const result = { type: 'tool_result', tool_use_id: id, content: text, is_error };
    this.write('user', { message: message('user', [result]), toolUseResult: { stdout: text } });
  }

  /** The assistant has answered. */
  async stop(stop_hook_active = false): Promise<EventOutcome> {
    return await this.fire('Stop', { stop_hook_active, last_assistant_message: this.lastAnswer });
  }

  /** A subagent has answered; what it said is in its own transcript. */
  async subagentStop(agent_type: string, last_assistant_message: string): Promise<EventOutcome> {
    const agent_id = randomUUID().slice(0, 8);
    const agent_transcript_path = this.open().besides('subagents', `agent-${agent_id}.jsonl`);
    const spoken = message('assistant', [{ type: 'text', text: last_assistant_message }]);
    const row = { type: 'assistant', isSidechain: true, agentId: agent_id, sessionId: this.session, message: spoken };
    appendFileSync(agent_transcript_path, `${JSON.stringify({ ...row, uuid: randomUUID(), parentUuid: null })}\n`);
    const fields = { stop_hook_active: false, agent_id, agent_type, agent_transcript_path, last_assistant_message };
    return await this.fire('SubagentStop', fields);
  }

  /** Hooks before a compaction, which they may stop. */
  async preCompact(trigger: 'manual' | 'auto'): Promise<EventOutcome> {
    return await this.fire('PreCompact', { trigger, custom_instructions: '' });
  }

  /** Compacts: hooks before, the summary, and the session's new start. Nothing where a hook blocked it. */
  async compact(trigger: 'manual' | 'auto' = 'auto'): Promise<string[]> {
    const { blocked } = await this.preCompact(trigger);
    if (blocked.length > 0) return [];
    this.write('system', { subtype: 'compact_boundary', content: 'Conversation compacted' });
    const summary = 'This session is being continued from a previous conversation.';
    this.write('user', { isCompactSummary: true, message: message('user', summary) });
    return await this.startSession({ source: 'compact', session: this.session, interactive: this.interactive });
  }

  /** Ends the session and starts a new one in the same process. */
  async clear(): Promise<string[]> {
    await this.endSession('clear');
    return await this.startSession({ source: 'clear', interactive: this.interactive });
  }

  /** Ends the session; the host writes what it still held. */
  async endSession(reason = 'other'): Promise<EventOutcome> {
    const outcome = await this.fire('SessionEnd', { reason });
    this.flush();
    return outcome;
  }

  private async fire(event: HookEvent, fields: Fields): Promise<EventOutcome> {
    const payload = {
      session_id: this.session,
      transcript_path: this.transcript_path,
      cwd: this.options.project,
      permission_mode: 'default',
      hook_event_name: event,
      ...fields,
    };
    const matched = rulesOf(event).matched_by;
    const name = matched === undefined ? event : `${event}:${String(payload[matched as keyof typeof payload])}`;
    const hooks = await findHooks(this.options, event, payload);
    const runs = await Promise.all(hooks.map((hook) => this.run(event, hook, payload)));
    this.ran.push(...runs);
    return this.take(event, name, runs);
  }

  private async run(event: HookEvent, hook: RegisteredHook, payload: Fields): Promise<HookRun> {
    const environment = this.environment();
    const cap_ms = event === 'SessionEnd' ? environment.CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS : undefined;
    const default_ms = cap_ms === undefined ? rulesOf(event).timeout_ms : Number(cap_ms);
    const timeout_ms = hook.timeout === undefined ? default_ms : hook.timeout * 1_000;
    const began = performance.now();
    const end = await runHook({ hook, payload, cwd: this.options.project, environment, timeout_ms });
    return { ...end, event, hook, payload, duration_ms: Math.round(performance.now() - began) };
  }

  /** Takes from the runs what the rules let in, and records it in rows. */
  private take(event: HookEvent, hookName: string, runs: readonly HookRun[]): EventOutcome {
    const outcome: EventOutcome = { context: [], blocked: [] };
    const contexts: string[] = [];
    const toolUseID = randomUUID();
    const transcript = this.open();
    const record = (attachment: Fields) =>
      this.later(() =>
        transcript.append('attachment', { attachment: { ...attachment, hookName, hookEvent: event, toolUseID } }),
      );
    for (const run of runs) {
      const verdict = judge(event, run);
      const common = { command: run.hook.command, durationMs: run.duration_ms };
      const streams = { stdout: run.stdout, stderr: run.stderr, exitCode: run.exit_code };
      if (verdict.kind === 'cancelled') record({ type: 'hook_cancelled', ...common, timedOut: true });
      if (verdict.kind === 'error') record({ type: 'hook_non_blocking_error', ...streams, ...common });
      const block = 'block' in verdict ? verdict.block : undefined;
      if (block !== undefined) {
        outcome.blocked.push(block);
        record({ type: 'hook_blocking_error', blockingError: { blockingError: block, command: common.command } });
      }
      if (verdict.kind !== 'success') continue;
      if (verdict.dropped !== undefined) run.dropped = verdict.dropped;
      const shown = verdict.context === undefined ? undefined : this.show(verdict.context);
      const isPlain = verdict.content !== '' && shown !== undefined;
      record({ type: 'hook_success', content: isPlain ? shown : verdict.content, ...streams, ...common });
      if (shown !== undefined) outcome.context.push(shown);
      if (shown !== undefined && !isPlain) contexts.push(shown);
    }
    if (contexts.length > 0) record({ type: 'hook_additional_context', content: contexts });
    return outcome;
  }

  private show(text: string): string {
    if (text.length <= hostRules.context_characters_max) return text;
    const saved = this.open().besides('tool-results', `hook-${randomUUID()}.txt`);
    writeFileSync(saved, text);
    return showContext(text, saved);
  }

  private environment(): Record<string, string> {
    const { environment, home, project, pid = process.pid } = this.options;
    const kept = Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !hostRules.hidden_variables.test(entry[0]),
    );
    return {
      ...Object.fromEntries(kept),
      HOME: home,
      CLAUDE_PROJECT_DIR: project,
      CLAUDE_CODE_ENTRYPOINT: this.interactive ? 'cli' : 'sdk-cli',
      CLAUDE_PID: String(pid),
    };
  }

  private later(write: () => void): void {
    if (this.options.lags === true) this.pending.push(write);
    else write();
  }

  private flush(): void {
    for (const write of this.pending) write();
    this.pending = [];
  }

  private write(type: string, fields: Fields): void {
    this.flush();
    this.open().append(type, fields);
  }

  private open(): HostTranscript {
    if (this.transcript === undefined) throw new Error('No session was started.');
    return this.transcript;
  }
}

function message(role: 'user' | 'assistant', content: unknown): Fields {
  if (role === 'user') return { role, content };
  return { id: `msg_${randomUUID()}`, type: 'message', role, model: 'claude-sonnet-4-5', content };
}

/** A host in which no session has started yet. */
export function createClaudeCode(options: HostOptions): ClaudeCode {
  return new ClaudeCode(options);
}
