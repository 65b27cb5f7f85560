import { eventOf, type HostName, hosts } from '../../core/hosts.ts';

/** A session as the host reports it to hooks. */
export interface RecordedSession {
  host: HostName;
  session_id: string;
  transcript_path: string;
  cwd: string;
}

/** The payload that a hook of this event reads from its standard input, as the host sends it. */
export function recordedPayload(event: string, session: RecordedSession): Record<string, unknown> {
  const { host, cwd, session_id, transcript_path } = session;
  const names = hosts[host].payload;
  return {
    [names.session]: session_id,
    [names.transcript]: transcript_path,
    cwd,
    hook_event_name: event,
    ...eventOf(host, event)?.payload,
  };
}

const spoken = [
  ['user', 'Requests are counted per process, so that two servers let twice as many through. Fix that.'],
  ['assistant', 'I will use Redis for the counters instead of memory, so that all servers share them.'],
  ['user', 'Yes, use Redis. Do not change the headers.'],
  ['assistant', 'The limiter counts in Redis now; its tests pass. Next is the documentation of the headers.'],
] as const;

/** The rows that each host writes of a session with a decision. */
const writers: Readonly<Record<HostName, (session: RecordedSession, at: string) => object[]>> = {
  'claude-code': ({ session_id, cwd }, at) =>
    spoken.map(([role, text], index) => ({
      parentUuid: index === 0 ? null : uuidOf(index - 1),
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: session_id,
      version: hosts['claude-code'].version_seen,
      gitBranch: '',
      type: role,
      message: role === 'user' ? { role, content: text } : { role, content: [{ type: 'text', text }] },
      uuid: uuidOf(index),
      timestamp: at,
    })),
  codex: ({ session_id, cwd }, at) => {
    const facts = { id: session_id, timestamp: at, cwd, originator: 'codex-tui', source: 'vscode' };
    const messages = spoken.map(([role, text]) => ({
      type: 'response_item',
      payload: { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] },
    }));
    const meta = { type: 'session_meta', payload: { ...facts, cli_version: hosts.codex.version_seen } };
    return [meta, ...messages].map((row, ordinal) => ({ timestamp: at, ordinal, ...row }));
  },
  'gemini-cli': ({ session_id }, at) => {
    const facts = { sessionId: session_id, projectHash: '0'.repeat(64), startTime: at, lastUpdated: at, kind: 'main' };
    const messages = spoken.map(([role, text], index) => {
      const message = { id: uuidOf(index), timestamp: at };
      return role === 'user'
        ? { ...message, type: 'user', content: [{ text }] }
        : { ...message, type: 'gemini', content: text, thoughts: [], model: 'gemini-2.5-pro' };
    });
    return [facts, ...messages];
  },
  'copilot-cli': ({ session_id, cwd }, at) => {
    const facts = { sessionId: session_id, copilotVersion: hosts['copilot-cli'].version_seen, context: { cwd } };
    const messages = spoken.map(([role, content]) => ({
      type: `${role}.message`,
      data: role === 'user' ? { content, transformedContent: content } : { content, toolRequests: [] },
    }));
    return [{ type: 'session.start', data: facts }, ...messages].map((row, index) => ({
      ...row,
      id: uuidOf(index),
      timestamp: at,
      parentId: index === 0 ? null : uuidOf(index - 1),
    }));
  },
  opencode: ({ session_id, cwd }, at) => [
    { info: { id: `ses_${session_id.replaceAll('-', '')}`, directory: cwd, version: hosts.opencode.version_seen } },
    ...spoken.map(([role, text], index) => ({
      info: { id: `msg_${index}`, role, sessionID: session_id, time: { created: Date.parse(at) } },
      timestamp: at,
      parts: [{ id: `prt_${index}`, type: 'text', text }],
    })),
  ],
  cursor: (_session, at) =>
    spoken.map(([role, text]) => ({ role, timestamp: at, message: { content: [{ type: 'text', text }] } })),
  // It runs no hook, so that nothing is tried with a session of its own.
  vscode: () => [],
};

/** The transcript of a short session with a decision, as its host writes it. */
export function recordedTranscript(session: RecordedSession, at: string): string {
  return writers[session.host](session, at)
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');
}

function uuidOf(index: number): string {
  return `00000000-0000-4000-8000-00000000000${index}`;
}
