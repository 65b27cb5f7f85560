import type { Conversation } from '../../core/conversation.ts';
import { isHandoffError } from '../../core/errors.ts';
import { continueTranscript, type TranscriptProgress } from '../../transcripts/continue-transcript.ts';
import type { HostSessions, SessionJob } from '../../workspace/hosts/host-sessions.ts';
import type { OperationContext } from '../context.ts';
import { hostSessionsOf } from './host-sessions-of.ts';

/**
 * What a session has said so far; nothing where its transcript holds no word of it yet, is gone, or is none that can be
 * read. Of a transcript that has grown only the new part is read where its format allows it.
 */
export async function readSession(
  { session, transcript, event, last_words }: SessionJob,
  context: OperationContext,
): Promise<Conversation | undefined> {
  if (transcript === undefined) return undefined;
  const sessions = hostSessionsOf(context);
  try {
    const conversation = await readOn(session, transcript, sessions);
    // What a helper of the session said last is no word of the session's own.
    const words = event === 'SubagentStop' ? undefined : last_words;
    return withLastWords({ ...conversation, session }, words);
  } catch (error) {
    const isNoTranscript =
      isHandoffError(error) && ['file_not_found', 'parse_error', 'invalid_input'].includes(error.code);
    if (isNoTranscript) return undefined;
    throw error;
  }
}

/** Long transcripts are read from where the last reading ended. */
async function readOn(session: string, transcript: string, sessions: HostSessions): Promise<Conversation> {
  const earlier = sessions.readProgress(session) as TranscriptProgress | undefined;
  const { conversation, progress } = await continueTranscript(transcript, earlier);
  keepProgress(session, progress, sessions);
  return conversation;
}

function keepProgress(session: string, progress: TranscriptProgress | undefined, sessions: HostSessions): void {
  try {
    sessions.writeProgress(session, progress);
  } catch {
    // It only saves time: without it the next reading is whole.
  }
}

/** The transcript is written behind time: what the host says was said last is added where it is not there yet. */
function withLastWords(conversation: Conversation, words: string | undefined): Conversation {
  const { messages } = conversation;
  const text = words?.trim() ?? '';
  const isThere = messages.slice(-3).some((message) => message.text.includes(text));
  if (text === '' || isThere) return conversation;
  const last = { index: messages.length, role: 'assistant' as const, text, tool_calls: [] };
  return { ...conversation, messages: [...messages, last] };
}
