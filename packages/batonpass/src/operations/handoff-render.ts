import { z } from 'zod';
import { limits } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import type { OperationContext } from './context.ts';
import { renderedContextSchema, renderHandoff } from './rendered-context.ts';
import { referenceSchema, resolveHandoff } from './resolve-handoff.ts';

/** Renders the text for a receiver's context. */
export const handoffRender = defineOperation({
  name: 'handoff.render',
  summary: 'Renders a handoff as the text that goes into a receiver’s context, within a budget of tokens.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'render' }, http: { role: 'agent' } },
  input: z.strictObject({ id: referenceSchema, budget: z.int().min(limits.render_tokens_min).optional() }),
  output: async () => renderedContextSchema.extend({ id: z.string() }),
  errors: ['not_found', 'invalid_input', 'too_large', 'unavailable'],
  run: async ({ id, budget }, context: OperationContext) => {
    const handoff = await resolveHandoff(id, context);
    return { id: handoff.id, ...renderHandoff(handoff, context, budget) };
  },
});
