import { z } from 'zod';
import { defineOperation } from '../core/operation.ts';
import type { OperationContext } from './context.ts';
import { openTranscript, readingOf, readingSchema, transcriptSchema } from './transcript-input.ts';

/** Reads a conversation, whichever program recorded it, without storing anything. */
export const conversationRead = defineOperation({
  name: 'conversation.read',
  summary: 'Reads the messages of a conversation, in order and with secrets masked; keeps nothing.',
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
        ...(at === undefined ? {} : { at }),
        tools: tool_calls.map(({ name, path, command }) => ({
          name,
          ...(path === undefined ? {} : { path }),
          ...(command === undefined ? {} : { command }),
        })),
      })),
    };
  },
});
