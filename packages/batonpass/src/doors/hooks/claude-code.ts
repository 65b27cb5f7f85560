import { z } from 'zod';
import type { OperationInput } from '../../operations/catalogue.ts';

/** What Claude Code tells a hook on standard input, as far as it is used here; everything else is left alone. */
const payloadSchema = z.looseObject({
  session_id: z.string().min(1),
  transcript_path: z.string().optional(),
  cwd: z.string().optional(),
  source: z.string().optional(),
  last_assistant_message: z.string().nullish(),
});

export type Payload = z.infer<typeof payloadSchema>;

/** The events that are heard, and whether the session is over with them. */
const savingEvents: Readonly<Record<string, { ended: boolean }>> = {
  PreCompact: { ended: false },
  Stop: { ended: false },
  SubagentStop: { ended: false },
  SessionEnd: { ended: true },
};

/** The operation that an event asks for. */
export type Asked =
  | { name: 'session.start'; input: OperationInput<'session.start'> }
  | { name: 'session.note'; input: OperationInput<'session.note'> };

/** @returns nothing for what no host sends. */
export function parsePayload(text: string): Payload | undefined {
  try {
    return payloadSchema.parse(JSON.parse(text));
  } catch {
    // Neither JSON, nor of a session: then somebody tries the hook by hand, and is told so.
    return undefined;
  }
}

/** What is to be done at an event; nothing at one that no hook of ours is registered for. */
export function askedBy(event: string, payload: Payload, environment: NodeJS.ProcessEnv): Asked | undefined {
  const session = {
    host: 'claude-code',
    session: payload.session_id,
    transcript: payload.transcript_path,
    interactive: isInteractive(environment),
  };
  if (event === 'SessionStart') {
    // Words of a host that are not known yet are taken for a session that starts anew.
    const source = payload.source as OperationInput<'session.start'>['source'];
    return { name: 'session.start', input: { ...session, source } };
  }
  const saving = Object.hasOwn(savingEvents, event) ? savingEvents[event] : undefined;
  if (saving === undefined) return undefined;
  const last_words = payload.last_assistant_message ?? undefined;
  return { name: 'session.note', input: { ...session, event, ended: saving.ended, last_words } };
}

/** The one JSON object that the host takes; without the event's name it would be dropped. */
export function formatContext(event: string, text: string): string {
  return text === '' ? '' : JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
}

/** As the host calls what started it: the SDK and `claude -p`, an action of a forge, a server of tools. */
const withoutPerson = /^sdk|^mcp$|action$/;

/** A host that says nothing has a person before it. */
function isInteractive({ CLAUDE_CODE_ENTRYPOINT = '' }: NodeJS.ProcessEnv): boolean {
  return !withoutPerson.test(CLAUDE_CODE_ENTRYPOINT);
}
