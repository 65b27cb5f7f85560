/**
 * The hooks of Claude Code, after which other hosts have named and formed theirs.
 */

const said = 'The limiter counts in Redis now; its tests pass. Next is the documentation of the headers.';

/** The fields of an answer's end in all hosts that have Claude Code's hooks. */
export const stopped = { permission_mode: 'default', stop_hook_active: false, last_assistant_message: said };
/** Further fields for a helper agent. */
export const helper = { agent_id: 'a1b2c3d4', agent_type: 'Explore' };

/** What most events have in common. */
export const usual = {
  timeout_s: 10,
  timeout_ms: 600_000,
  slow_ms: 2_000,
  occasions: [],
  takes_context: false,
} as const;

/** A session starts. */
export const start = {
  ...usual,
  event: 'SessionStart',
  moment: 'start',
  // A session that forks off another brings its context along, so that a matcher may leave `fork` out.
  occasions: ['startup', 'resume', 'clear', 'compact'],
  takes_context: true,
  can_block: false,
} as const;
/** The person sends a prompt. */
export const prompt = {
  ...usual,
  event: 'UserPromptSubmit',
  moment: 'prompt',
  takes_context: true,
  can_block: true,
  timeout_ms: 30_000,
} as const;
/** The session is about to lose its past to a summary. */
export const compaction = {
  ...usual,
  event: 'PreCompact',
  moment: 'compaction',
  occasions: ['manual', 'auto'],
} as const;
/** The agent has answered. */
export const stop = { ...usual, event: 'Stop', moment: 'save', can_block: true } as const;
/** A helper agent has ended. */
export const helperStop = { ...usual, event: 'SubagentStop', moment: 'save', can_block: true } as const;
/** The session ends. */
export const end = {
  ...usual,
  event: 'SessionEnd',
  moment: 'end',
  can_block: false,
  payload: { reason: 'other' },
} as const;

/** How hosts that took over the hooks of Claude Code write one. */
export const entry = {
  in_groups: true,
  command: 'command',
  timeout: { name: 'timeout', unit_ms: 1_000 },
  fixed: { type: 'command' },
  file: {},
} as const;

/** The members of a payload. */
export const payload = {
  session: 'session_id',
  transcript: 'transcript_path',
  last_words: 'last_assistant_message',
} as const;

/** The answer of a hook in Claude Code, and in hosts that took it over. */
export const nested = {
  context: ['hookSpecificOutput', 'additionalContext'],
  event: ['hookSpecificOutput', 'hookEventName'],
  notice: ['systemMessage'],
} as const;
