import { z } from 'zod';
import { completeContent } from '../core/complete-content.ts';
import { defineOperation } from '../core/operation.ts';
import type { OperationContext } from './context.ts';
import { extractionReportSchema, extractorInput, extractTranscript } from './extract-transcript.ts';
import { contentOutput } from './output-schemas.ts';
import { isOfRepository, listProjectSessions } from './project-sessions.ts';
import { listRepositorySessions } from './repository-sessions.ts';
import { openTranscript, readingOf, readingSchema, transcriptSchema } from './transcript-input.ts';

/** The sessions of agents that worked in this project: those on this machine, or those that the repository stores. */
export const conversationList = defineOperation({
  name: 'conversation.list',
  summary:
    'Finds the transcripts of agents that worked in this project, on this machine or in its repository, newest first.',
  mutates: false,
  doors: { http: { role: 'admin', folder: true } },
  input: z.strictObject({
    limit: z.int().min(1).max(1_000).default(20),
    repository: z
      .boolean()
      .default(false)
      .describe('Those that the team keeps in its repository, read from git’s objects'),
  }),
  output: async () =>
    z.strictObject({
      sessions: z.array(
        z.strictObject({
          path: z.string(),
          host: z.string(),
          session: z.string(),
          /** The folder of the session; absent for one that the repository stores. */
          cwd: z.string().optional(),
          /** The author of its commit in the repository. */
          author: z.string().optional(),
          /** Whether its file may have come with the project: it need not be the person's own. */
          of_repository: z.literal(true).optional(),
          started_at: z.string().optional(),
          modified_at: z.string(),
          bytes: z.int(),
          title: z.string(),
        }),
      ),
    }),
  errors: ['unavailable'],
  run: async ({ limit, repository }, context: OperationContext) => {
    if (repository) return { sessions: await listRepositorySessions(context, limit) };
    const sessions = (await listProjectSessions(context)).slice(0, limit);
    return {
      sessions: sessions.map((session) => ({
        ...session,
        ...(isOfRepository(session, context) && { of_repository: true as const }),
      })),
    };
  },
});

/** Reads a conversation, whichever program recorded it, without storing anything. */
export const conversationRead = defineOperation({
  name: 'conversation.read',
  summary: 'Reads the messages of a conversation, in order and with secrets masked; stores nothing.',
  mutates: false,
  doors: { http: { role: 'admin', folder: true } },
  input: transcriptSchema,
  output: async () =>
    z.strictObject({
      reading: readingSchema,
      /** At the places that evidence refers to. */
      messages: z.array(
        z.strictObject({
          role: z.enum(['user', 'assistant', 'system']),
          text: z.string(),
          at: z.string().optional(),
          /** The tools that it used, in order. */
          tools: z.array(
            z.strictObject({ name: z.string(), path: z.string().optional(), command: z.string().optional() }),
          ),
        }),
      ),
    }),
  errors: ['file_not_found', 'parse_error', 'invalid_input', 'too_large', 'unavailable'],
  run: async (input, context: OperationContext) => {
    const conversation = await openTranscript(input, context);
    return {
      reading: readingOf(conversation, input.path),
      messages: conversation.messages.map(({ role, text, at, tool_calls }) => ({
        role,
        text,
        at,
        tools: tool_calls.map(({ name, path, command }) => ({ name, path, command })),
      })),
    };
  },
});

/** Extracts the content of a conversation, without storing anything. */
export const conversationExtract = defineOperation({
  name: 'conversation.extract',
  summary: 'Extracts decisions, files, risks and next steps from a conversation, each with its quote; stores nothing.',
  mutates: false,
  doors: { http: { role: 'admin', folder: true } },
  input: transcriptSchema.extend(extractorInput),
  output: async () =>
    z.strictObject({ content: await contentOutput(), reading: readingSchema, extraction: extractionReportSchema }),
  errors: ['file_not_found', 'parse_error', 'invalid_input', 'too_large', 'extraction_failed', 'unavailable'],
  run: async ({ extractor, model, ...input }, context: OperationContext) => {
    const conversation = await openTranscript(input, context);
    const { content, report } = await extractTranscript(conversation, { extractor, model }, context);
    return {
      content: completeContent(content, { source_agent: context.actor.name }).content,
      reading: readingOf(conversation),
      extraction: report,
    };
  },
});
