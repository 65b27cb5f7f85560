import { z } from 'zod';
import { completeContent } from '../core/complete-content.ts';
import { type ContentInput, contentInputSchema } from '../core/content.ts';
import { defineOperation } from '../core/operation.ts';
import { callOf, type OperationContext } from './context.ts';
import { originOf } from './origin.ts';
import { handoffOutput } from './output-schemas.ts';

/** What a writer hands over: opens at once, unless the project reviews everything or the writer asks for a draft. */
export const handoffCreate = defineOperation({
  name: 'handoff.create',
  summary: 'Hands work over: keeps what was decided, which files matter, what may go wrong and what comes next.',
  mutates: true,
  doors: { mcp: { tool: 'handoff_create' }, http: true },
  input: z.strictObject({
    content: contentInputSchema,
    draft: z.boolean().optional().describe('Start as a draft that a person approves first'),
    max_attempts: z.int().min(1).max(100).optional(),
  }),
  output: handoffOutput,
  errors: ['invalid_input', 'too_large', 'conflict', 'not_found', 'unavailable'],
  run: async ({ content, draft, max_attempts }, context: OperationContext) => {
    const completed = completeContent(
      { ...(content as ContentInput), origin: { ...originOf(context), ...content.origin } },
      {
        source_agent: context.actor.name,
        decision_source: context.actor.type === 'person' ? 'user-pinned' : 'ai-extracted',
      },
    );
    const state = draft === true || context.configuration.review === 'always' ? 'draft' : 'open';
    const store = await context.openStore();
    const [created] = await store.create(
      [{ ...completed, project: context.project, state, max_attempts }],
      callOf(context, 'handoff.create'),
    );
    if (created === undefined) throw new Error('The store answered a create with nothing.');
    return created;
  },
});
