import type { z } from 'zod';
import { hashJson } from '../core/canonical-json.ts';
import { type CompletedContent, completeContent } from '../core/complete-content.ts';
import { type Content, contentInputSchema } from '../core/content.ts';
import type { Handoff } from '../core/handoff.ts';
import { callOf, type OperationContext } from './context.ts';
import { extractorInput, extractTranscript } from './extract-transcript.ts';
import { withFileFacts, withoutFileFacts } from './file-facts.ts';
import { initialState } from './initial-state.ts';
import { originOf } from './origin.ts';
import { openTranscript, readingOf, transcriptSchema } from './transcript-input.ts';

const { title, task_id, target_agent, scope } = contentInputSchema.shape;

/** What is asked of a conversation that is to become a handoff. */
export const conversationImportSchema = transcriptSchema.extend({
  ...extractorInput,
  title,
  task_id,
  target_agent,
  scope,
});

/** Makes a handoff of a conversation; where one of just this content exists, from whichever commit, that one is given. */
export async function importConversation(
  { path, text, last, conversation: wanted, extractor, model, ...fields }: z.output<typeof conversationImportSchema>,
  context: OperationContext,
) {
  const conversation = await openTranscript({ path, text, last, conversation: wanted }, context);
  const { content, report: extraction } = await extractTranscript(conversation, { extractor, model }, context);
  const input = { ...content, ...fields, title: fields.title ?? content.title };
  const completed = completeContent(
    { ...withFileFacts(input, context), origin: { ...originOf(context), ...input.origin } },
    { source_agent: conversation.host },
  );
  const reading = readingOf(conversation, path);
  const earlier = await findEarlier(completed, context);
  if (earlier !== undefined) return { handoff: earlier, reading, extraction, existing: true };
  const store = await context.openStore();
  const [handoff] = await store.create(
    [{ ...completed, project: context.project, state: initialState(context) }],
    callOf(context, 'handoff.import'),
  );
  if (handoff === undefined) throw new Error('The store answered a create with nothing.');
  return { handoff, reading, extraction, existing: false };
}

async function findEarlier({ content }: CompletedContent, context: OperationContext): Promise<Handoff | undefined> {
  const store = await context.openStore();
  const { handoffs } = await store.list({
    filter: { project: context.project, session: content.origin?.session },
    limit: 100,
  });
  const words = wordsOf(content);
  return handoffs.find((earlier) => wordsOf(earlier.content) === words);
}

/** What a content says, wherever the work tree stood. */
export function wordsOf({ origin: _origin, files, ...words }: Content): string {
  return hashJson({ ...words, files: withoutFileFacts(files) });
}
