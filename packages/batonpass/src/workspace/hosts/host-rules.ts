import { limits } from '../../core/limits.ts';

/** What the host does with a hook of one event. */
export interface EventRules {
  /** Whether the text that the hook gives reaches the model. */
  takes_context: boolean;
  /** Whether exit code 2 or a decision to block stops what the host was about to do. */
  can_block: boolean;
  /** Of a hook that registers no time-out of its own. */
  timeout_ms: number;
  /** Above it a person notices, or a plugin's hook would be cut off. */
  slow_ms: number;
}

const usual_ms = 600_000;

/** The host's rules for hooks, as its documentation tells them: what `baton doctor` judges by. */
export const hostRules = {
  /** What these rules were read from; a newer host may have others. */
  read_from: 'Claude Code 2.1.233',
  /** A longer text is kept out of the context: the model sees its beginning and a path. */
  context_characters_max: limits.hook_characters_max,
  /** The exit code that blocks; every other one but 0 is an error that the host goes on after. */
  block_exit_code: 2,
  /** Removed from the environment of hooks and servers. */
  hidden_variables: /^OTEL_/,
  events: {
    SessionStart: { takes_context: true, can_block: false, timeout_ms: usual_ms, slow_ms: 2_000 },
    PreCompact: { takes_context: false, can_block: true, timeout_ms: usual_ms, slow_ms: 2_000 },
    Stop: { takes_context: true, can_block: true, timeout_ms: usual_ms, slow_ms: 2_000 },
    SubagentStop: { takes_context: true, can_block: true, timeout_ms: usual_ms, slow_ms: 2_000 },
    // The time that the host gives it where nothing else is registered; a plugin's hook never gets more.
    SessionEnd: { takes_context: false, can_block: false, timeout_ms: 1_500, slow_ms: 1_500 },
  } satisfies Record<string, EventRules>,
  /** The revisions of MCP that the host's client speaks; the older one begins with `initialize`. */
  protocol_versions: { session: '2025-11-25', sessionless: '2026-07-28' },
} as const;

/** The rules of an event; of one that is not known here, those of most. */
export function rulesOf(event: string): EventRules {
  const known: Readonly<Record<string, EventRules>> = hostRules.events;
  return known[event] ?? { takes_context: false, can_block: false, timeout_ms: usual_ms, slow_ms: 2_000 };
}
