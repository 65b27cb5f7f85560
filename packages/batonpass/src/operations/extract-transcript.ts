import { z } from 'zod';
import type { ContentInput } from '../core/content.ts';
import type { Conversation } from '../core/conversation.ts';
import { limits } from '../core/limits.ts';
import { type Extractor, extractorSchema } from '../core/model-settings.ts';
import { extractConversation, type ReportedExtraction } from '../extraction/extract-conversation.ts';
import { describeExtraction, type ExtractionProgress } from '../extraction/extraction-progress.ts';
import type { ExtractionReport } from '../extraction/extraction-report.ts';
import { toContentInput } from '../extraction/to-content-input.ts';
import type { OperationContext, Progress } from './context.ts';

/** The extractor. The model's address and the name of its key come from the configuration: no remote caller can set them. */
export const extractorInput = {
  extractor: extractorSchema.optional().describe('Default: as configured, else rules'),
  model: z
    .string()
    .trim()
    .min(1)
    .max(limits.name_characters_max)
    .optional()
    .describe('The model, instead of the configured one'),
};

const count = z.int().min(0);

/** The extractor and its cost: the form of `ExtractionReport`. */
export const extractionReportSchema = z.strictObject({
  extractor: extractorSchema,
  /** Why the rules extracted although a model was asked. */
  note: z.string().optional(),
  model: z
    .strictObject({
      provider: z.string(),
      model: z.string(),
      windows: count,
      requests: count,
      input_tokens: count,
      output_tokens: count,
      unread_tokens: count.optional(),
      cost: z.strictObject({ amount: z.number(), currency: z.string() }).optional(),
      dropped: z.strictObject({ invented_quotes: count, refused_paths: count, unproven_reversals: count }),
      moved_quotes: count,
    })
    .optional(),
}) satisfies z.ZodType<ExtractionReport>;

/** The fields of an input that choose the extractor. */
interface ExtractorChoice {
  extractor?: ReportedExtraction['report']['extractor'];
  model?: string;
}

/**
 * The content of a conversation, extracted by rules or by the configured model, and the extractor.
 *
 * @throws AbortError where the caller leaves; HandoffError `unavailable` where a model cannot be asked at all.
 */
export async function extractTranscript(
  conversation: Conversation,
  { extractor, model }: ExtractorChoice,
  { configuration, environment, signal, onProgress }: OperationContext,
): Promise<{ content: ContentInput; report: ExtractionReport }> {
  const { extraction, report } = await extractConversation(conversation, {
    // A caller that names a model wants it asked.
    extractor: extractor ?? (model === undefined ? readerOf(configuration) : 'model'),
    settings: model === undefined ? configuration.model : { ...configuration.model, model },
    environment,
    signal,
    onRead: (progress) => onProgress?.(toProgress(progress)),
  });
  const content = toContentInput(extraction, conversation);
  return { content: { ...content, origin: { ...content.origin, extractor: extractorName(report) } }, report };
}

/** Where the agents of sessions write, rules read everything else: no agent can be asked any more. */
function readerOf({ extractor }: OperationContext['configuration']): Extractor {
  return extractor === 'host' ? 'rules' : extractor;
}

/** An extraction's progress in the form of every long operation, with the items found. */
export function toProgress(progress: ExtractionProgress): Progress {
  const { read, messages, found } = progress;
  return { what: 'messages read', done: read, total: messages, now: describeExtraction(progress), found };
}

/** The extractor, as a record's origin names it: `rules`, or `anthropic/NAME`. */
export function extractorName({ extractor, model }: ExtractionReport): string {
  const name = extractor === 'rules' || model === undefined ? extractor : `${model.provider}/${model.model}`;
  return name.slice(0, limits.name_characters_max);
}
