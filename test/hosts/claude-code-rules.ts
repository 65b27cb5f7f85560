import { z } from 'zod';

/** What Claude Code does with the hooks of one event. */
interface EventRules {
  /** The payload's field that a hook's matcher is held against; absent where matchers are ignored. */
  matched_by?: 'source' | 'trigger' | 'reason' | 'agent_type';
  /** Whether plain text on stdout becomes context. */
  plain_context: boolean;
  /** Whether `additionalContext` becomes context. */
  json_context: boolean;
  /** Whether exit code 2, or a decision to block, stops what the host was about to do. */
  blocks: boolean;
  /** Of a hook that registers none. */
  timeout_ms: number;
}

const usual_ms = 600_000;

/** The host's documented rules, in one table: the simulator acts by it, and tests of the diagnosis ask it. */
export const hostRules = {
  /** Each text above is written to a file, and a stub with the file's beginning is shown instead. */
  context_characters_max: 10_000,
  preview_characters: 2_000,
  block_exit_code: 2,
  /** Removed from the environment of hooks. */
  hidden_variables: /^OTEL_/,
  events: {
    SessionStart: {
      matched_by: 'source',
      plain_context: true,
      json_context: true,
      blocks: false,
      timeout_ms: usual_ms,
    },
    UserPromptSubmit: { plain_context: true, json_context: true, blocks: true, timeout_ms: 30_000 },
    PreCompact: {
      matched_by: 'trigger',
      plain_context: false,
      json_context: false,
      blocks: true,
      timeout_ms: usual_ms,
    },
    Stop: { plain_context: false, json_context: true, blocks: true, timeout_ms: usual_ms },
    SubagentStop: {
      matched_by: 'agent_type',
      plain_context: false,
      json_context: true,
      blocks: true,
      timeout_ms: usual_ms,
    },
    SessionEnd: { matched_by: 'reason', plain_context: false, json_context: false, blocks: false, timeout_ms: 1_500 },
  } satisfies Record<string, EventRules>,
} as const;

export type HookEvent = keyof typeof hostRules.events;

/** What the host knows of an event. */
export function rulesOf(event: HookEvent): EventRules {
  return hostRules.events[event];
}

/** What a process left behind. */
export interface ProcessEnd {
  exit_code: number | null;
  stdout: string;
  stderr: string;
  timed_out: boolean;
}

/** What the host makes of it. */
export type Verdict =
  | { kind: 'success'; content: string; context?: string; block?: string; dropped?: string }
  | { kind: 'blocked'; block: string }
  | { kind: 'error' }
  | { kind: 'cancelled' };

const output = z.object({
  decision: z.string().optional(),
  reason: z.string().optional(),
  hookSpecificOutput: z.object({ hookEventName: z.string(), additionalContext: z.string().optional() }).optional(),
});

/** Evaluates what a hook of this event left behind. */
export function judge(event: HookEvent, { exit_code, stdout, stderr, timed_out }: ProcessEnd): Verdict {
  const rules = rulesOf(event);
  if (timed_out) return { kind: 'cancelled' };
  if (exit_code === hostRules.block_exit_code && rules.blocks) return { kind: 'blocked', block: stderr };
  if (exit_code !== 0) return { kind: 'error' };
  const text = stdout.trim();
  if (!text.startsWith('{')) {
    return { kind: 'success', content: text, ...(rules.plain_context && text !== '' && { context: text }) };
  }
  const answer = readOutput(text, event);
  if (typeof answer === 'string') return { kind: 'success', content: '', dropped: answer };
  const context = answer.hookSpecificOutput?.additionalContext;
  const isBlock = answer.decision === 'block' && rules.blocks;
  return {
    kind: 'success',
    content: '',
    ...(rules.json_context && context !== undefined && context !== '' && { context }),
    ...(isBlock && { block: answer.reason ?? '' }),
  };
}

/** The output, or why the host drops it. */
function readOutput(text: string, event: HookEvent): z.infer<typeof output> | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'not JSON';
  }
  const { data, error } = output.safeParse(value);
  if (data === undefined) return `not the host's form: ${error.issues[0]?.path.join('.')}`;
  const name = data.hookSpecificOutput?.hookEventName ?? event;
  return name === event ? data : `of another event: ${name}`;
}

/** What the model sees of a text that a hook gave: the text, or a stub with the path of the file that holds it. */
export function showContext(text: string, saved: string): string {
  if (text.length <= hostRules.context_characters_max) return text;
  const size = `${(Buffer.byteLength(text) / 1024).toFixed(1)}KB`;
  const preview = text.slice(0, hostRules.preview_characters);
  return `<persisted-output>\nOutput too large (${size}). Full output saved to: ${saved}\n\nPreview (first 2KB):\n${preview}\n...\n</persisted-output>`;
}
