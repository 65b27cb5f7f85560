/** A session as the host tells it to hooks. */
export interface RecordedSession {
  session_id: string;
  transcript_path: string;
  cwd: string;
}

const lastWords = 'The limiter counts in Redis now; its tests pass. Next is the documentation of the headers.';

/** What each event adds to the common fields, as Claude Code 2.1.233 sends it. */
const ownFields: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  SessionStart: { source: 'startup', model: 'claude-sonnet-4-5' },
  PreCompact: { trigger: 'manual', custom_instructions: '' },
  Stop: { permission_mode: 'default', stop_hook_active: false, last_assistant_message: lastWords },
  SubagentStop: {
    permission_mode: 'default',
    stop_hook_active: false,
    agent_id: 'a1b2c3d4',
    agent_type: 'Explore',
    last_assistant_message: 'The counters are read in src/limiter.ts alone.',
  },
  SessionEnd: { reason: 'other' },
};

/** The payload that a hook of this event reads from its standard input. */
export function recordedPayload(event: string, session: RecordedSession): Record<string, unknown> {
  const { cwd, session_id, transcript_path } = session;
  return { session_id, transcript_path, cwd, hook_event_name: event, ...ownFields[event] };
}

const spoken = [
  ['user', 'Requests are counted per process, so that two servers let twice as many through. Fix that.'],
  ['assistant', 'I will use Redis for the counters instead of memory, so that all servers share them.'],
  ['user', 'Yes, use Redis. Do not change the headers.'],
  ['assistant', lastWords],
] as const;

/** The transcript of a short session that decides something, as the host writes it. */
export function recordedTranscript({ session_id, cwd }: RecordedSession, at: string): string {
  const rows = spoken.map(([role, text], index) => ({
    parentUuid: index === 0 ? null : uuidOf(index - 1),
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId: session_id,
    version: '2.1.233',
    gitBranch: '',
    type: role,
    message: role === 'user' ? { role, content: text } : { role, content: [{ type: 'text', text }] },
    uuid: uuidOf(index),
    timestamp: at,
  }));
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function uuidOf(index: number): string {
  return `00000000-0000-4000-8000-00000000000${index}`;
}
