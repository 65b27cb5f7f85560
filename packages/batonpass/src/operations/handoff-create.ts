import { z } from 'zod';
import { completeContent } from '../core/complete-content.ts';
import { type ContentInput, contentInputSchema } from '../core/content.ts';
import { HandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import { callOf, type OperationContext } from './context.ts';
import { withFileFacts } from './file-facts.ts';
import { maskSecretsIn } from './masked-values.ts';
import { originOf } from './origin.ts';
import { handoffOutput } from './output-schemas.ts';
import { assertOwnName, assertOwnWords, assertSavedByHook, withOwnMarks } from './own-name.ts';
import { resolveHandoff } from './resolve-handoff.ts';
import { noteCreated } from './sessions/written-by-agent.ts';

/** Creates a handoff: it opens at once, unless the project reviews everything or the writer asks for a draft. */
export const handoffCreate = defineOperation({
  name: 'handoff.create',
  summary: 'Hands work over: stores what was decided, which files matter, what may go wrong and what comes next.',
  mutates: true,
  doors: { mcp: { tool: 'handoff_create' }, http: { role: 'agent' } },
  input: z.strictObject({
    content: contentInputSchema,
    expires_in_ms: z
      .int()
      .min(1_000)
      .max(limits.expiry_ms_max)
      .optional()
      .describe('Expires after this long; instead of expires_at'),
    draft: z.boolean().optional().describe('Start as a draft that a person approves first'),
    max_attempts: z.int().min(1).max(100).optional(),
  }),
  output: handoffOutput,
  errors: ['invalid_input', 'too_large', 'conflict', 'not_found', 'unavailable'],
  run: async ({ content, expires_in_ms, draft, max_attempts }, context: OperationContext) => {
    assertSaysSomething(content as ContentInput);
    assertOwnName(content.source_agent, 'content.source_agent', context);
    assertSavedByHook(content as ContentInput, context);
    assertOwnWords(content as ContentInput, context);
    const { type } = context.actor;
    const completed = completeContent(
      {
        ...withFileFacts(withOwnMarks(maskSecretsIn(content as ContentInput), context), context),
        ...(expires_in_ms === undefined ? {} : { expires_at: new Date(context.now() + expires_in_ms).toISOString() }),
        // The caller's own, whatever the content states; a hook writes for nobody.
        origin: { ...originOf(context), ...content.origin, by: type === 'hook' ? undefined : type },
        parent_id: await resolveId(content.parent_id, context),
        supersedes_id: await resolveId(content.supersedes_id, context),
      },
      {
        source_agent: context.actor.name,
        decision_source: type === 'person' ? 'user-pinned' : 'ai-extracted',
      },
    );
    const state = draft === true || context.configuration.review === 'always' ? 'draft' : 'open';
    const store = await context.openStore();
    const [created] = await store.create(
      [{ ...completed, project: context.project, state, max_attempts }],
      callOf(context, 'handoff.create'),
    );
    if (created === undefined) throw new Error('The store answered a create with nothing.');
    noteCreated(created, context);
    return created;
  },
});

/** Refuses an empty content: a receiver would get a frame around nothing. */
function assertSaysSomething(content: ContentInput): void {
  const { title, summary, body, payload, ...rest } = content;
  const isSaid = [title, summary, body, payload].some((value) => value !== undefined);
  const hasItems = Object.values(rest).some((value) => Array.isArray(value) && value.length > 0);
  if (isSaid || hasItems) return;
  throw new HandoffError('invalid_input', 'The handoff is empty.', {
    details: { fields: Object.keys(content) },
    alternatives: ['Describe in `summary` what this is about and its state.'],
  });
}

/** The whole id of a handoff that another one names, in whatever form it is named. */
async function resolveId(reference: string | undefined, context: OperationContext): Promise<string | undefined> {
  return reference === undefined ? undefined : (await resolveHandoff(reference, context)).id;
}
