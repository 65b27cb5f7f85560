import { z } from 'zod';
import { completeContent } from '../core/complete-content.ts';
import { defineOperation } from '../core/operation.ts';
import type { OperationContext } from './context.ts';
import { extractionReportSchema, extractorInput, extractTranscript } from './extract-transcript.ts';
import { contentOutput } from './output-schemas.ts';
import { openTranscript, readingOf, readingSchema, transcriptSchema } from './transcript-input.ts';

/** Extracts the content of a conversation, without storing anything. */
export const conversationExtract = defineOperation({
  name: 'conversation.extract',
  summary: 'Extracts decisions, files, risks and next steps from a conversation, each with its quote; keeps nothing.',
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
