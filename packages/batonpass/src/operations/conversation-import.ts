import { z } from 'zod';
import { extractByRules } from '../brainstorm/extract-by-rules.ts';
import { toContentInput } from '../brainstorm/to-content-input.ts';
import { hashJson } from '../core/canonical-json.ts';
import { type CompletedContent, completeContent } from '../core/complete-content.ts';
import { type Content, contentInputSchema } from '../core/content.ts';
import type { Handoff } from '../core/handoff.ts';
import { defineOperation } from '../core/operation.ts';
import { callOf, type OperationContext } from './context.ts';
import { withFileFacts, withoutFileFacts } from './file-facts.ts';
import { originOf } from './origin.ts';
import { handoffOutput } from './output-schemas.ts';
import { openTranscript, readingOf, readingSchema, transcriptSchema } from './transcript-input.ts';

const { title, task_id, target_agent, scope } = contentInputSchema.shape;

/** Makes a handoff of a conversation; where one of just this content exists, from whichever commit, that one is given. */
export const conversationImport = defineOperation({
  name: 'conversation.import',
  summary: 'Makes a handoff of a conversation: a draft to review, unless the project reviews nothing.',
  mutates: true,
  doors: { http: true },
  input: transcriptSchema.extend({ title, task_id, target_agent, scope }),
  output: async () =>
    z.strictObject({
      handoff: await handoffOutput(),
      reading: readingSchema,
      /** Whether this very content was there already, in whatever state. */
      existing: z.boolean(),
    }),
  errors: ['file_not_found', 'parse_error', 'invalid_input', 'too_large', 'conflict', 'unavailable'],
  run: async ({ path, text, last, ...fields }, context: OperationContext) => {
    const conversation = await openTranscript({ path, text, last }, context);
    const extracted = toContentInput(extractByRules(conversation), conversation);
    const input = { ...extracted, ...fields, title: fields.title ?? extracted.title };
    const completed = completeContent(
      { ...withFileFacts(input, context), origin: { ...originOf(context), ...input.origin } },
      { source_agent: conversation.host },
    );
    const reading = readingOf(conversation, path);
    const earlier = await findEarlier(completed, context);
    if (earlier !== undefined) return { handoff: earlier, reading, existing: true };
    const store = await context.openStore();
    const [handoff] = await store.create(
      [{ ...completed, project: context.project, state: initialState(context) }],
      callOf(context, 'conversation.import'),
    );
    if (handoff === undefined) throw new Error('The store answered a create with nothing.');
    return { handoff, reading, existing: false };
  },
});

/** What is extracted waits for a person, unless a hook saves it while nobody looks; then it is marked unreviewed. */
function initialState({ actor, configuration }: OperationContext): 'draft' | 'open' {
  if (configuration.review === 'always') return 'draft';
  if (configuration.review === 'never' || actor.type === 'hook') return 'open';
  return 'draft';
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
