import { resolve } from 'node:path';
import { z } from 'zod';
import type { Conversation } from '../core/conversation.ts';
import { HandoffError } from '../core/errors.ts';
import { readTranscript } from '../transcripts/read-transcript.ts';
import type { TranscriptSource } from '../transcripts/transcript-source.ts';
import type { OperationContext } from './context.ts';
import { isOfRepository, listProjectSessions } from './project-sessions.ts';
import { readRepositorySession } from './repository-sessions.ts';

/** The source of a conversation: a file, a text, or the newest session of this project. */
export const transcriptSchema = z.strictObject({
  path: z.string().min(1).optional().describe('A transcript file'),
  text: z.string().optional().describe('A transcript itself'),
  repository: z
    .string()
    .min(1)
    .optional()
    .describe('A session in the repository, by its path or id from conversation.list'),
  last: z
    .boolean()
    .optional()
    .describe('The newest session found for this project, the person’s own before those of the repository'),
  conversation: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Of a file that holds several conversations the one with this id, title or start; default the newest that has a prompt',
    ),
});

/** The facts of reading a transcript, so that nothing is missing without notice. */
export const readingSchema = z.strictObject({
  host: z.string(),
  session: z.string().optional(),
  path: z.string().optional(),
  messages: z.int(),
  /** How many conversations the file holds, of which this is one; absent where it is the only one. */
  conversations: z.int().optional(),
  unread_lines: z.int(),
  unread_reasons: z.record(z.string(), z.int()),
  masked: z.record(z.string(), z.int()),
});

/** Opens the conversation that an input names. @throws HandoffError `invalid_input` for none or several, and as reading does. */
export async function openTranscript(
  input: z.output<typeof transcriptSchema>,
  context: OperationContext,
): Promise<Conversation> {
  const given = [input.path, input.text, input.repository, input.last === true ? true : undefined].filter(
    (value) => value !== undefined,
  );
  if (given.length !== 1) {
    throw new HandoffError(
      'invalid_input',
      'Name exactly one conversation: a file, a text, the last session, or one in the repository.',
      {
        alternatives: [
          'baton import FILE',
          'baton import - < FILE',
          'baton import --last',
          'baton import --repository PATH',
          'List them: baton sessions',
        ],
      },
    );
  }
  const choice = { conversation: input.conversation };
  const read = (source: TranscriptSource) => readTranscript(source, choice, context.signal);
  const { text, repository } = input;
  if (text !== undefined) return read({ text, name: 'the given text' });
  if (repository !== undefined) {
    return read({ text: await readRepositorySession(repository, context), name: repository });
  }
  return read({ path: input.path ?? (await findLast(context)) });
}

/** Facts about a reading, for the person who imports. */
export function readingOf(conversation: Conversation, path?: string): z.output<typeof readingSchema> {
  const { host, session, messages, among, unread, masked } = conversation;
  return {
    host,
    session,
    path: path === undefined ? undefined : resolve(path),
    messages: messages.length,
    conversations: among,
    unread_lines: unread.lines,
    unread_reasons: unread.reasons,
    masked,
  };
}

async function findLast(context: OperationContext): Promise<string> {
  const sessions = await listProjectSessions(context);
  // The words of somebody else are imported only where there are no others.
  const newest = sessions.find((session) => !isOfRepository(session, context)) ?? sessions[0];
  if (newest !== undefined) return newest.path;
  throw new HandoffError('file_not_found', `No session of ${context.workspace.root} was found on this machine.`, {
    alternatives: ['Name the transcript file: baton import FILE'],
  });
}
