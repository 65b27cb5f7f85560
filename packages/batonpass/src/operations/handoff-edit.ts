import { z } from 'zod';
import { completeContent } from '../core/complete-content.ts';
import { contentInputSchema } from '../core/content.ts';
import { defineOperation } from '../core/operation.ts';
import { callOf, type OperationContext } from './context.ts';
import { applyChanges, changesSchema } from './draft-changes.ts';
import { handoffOutput } from './output-schemas.ts';
import { referenceSchema, resolveHandoff } from './resolve-handoff.ts';

/** Changes a draft; what is open never changes, it is superseded. */
export const handoffEdit = defineOperation({
  name: 'handoff.edit',
  summary: 'Changes a draft: rewords, removes or adds items, or replaces the whole content.',
  mutates: true,
  doors: { http: true },
  input: z.strictObject({
    id: referenceSchema,
    /** Replaces everything, except where the work comes from. */
    content: contentInputSchema.optional(),
    changes: changesSchema.optional(),
    if_version: z.int().min(1).optional().describe('The version that was seen; another one is a conflict'),
  }),
  output: handoffOutput,
  errors: ['not_found', 'invalid_input', 'too_large', 'conflict', 'unavailable'],
  run: async ({ id, content, changes, if_version }, context: OperationContext) => {
    const draft = await resolveHandoff(id, context);
    const { source_agent, origin } = draft.content;
    const base = content === undefined ? draft.content : { origin, ...content };
    const edited = completeContent(applyChanges(base, changes ?? {}), { source_agent });
    const version = if_version ?? draft.delivery.version;
    const store = await context.openStore();
    return store.transition(
      draft.id,
      { type: 'edit', ...edited, if_version: version },
      callOf(context, 'handoff.edit'),
    );
  },
});
