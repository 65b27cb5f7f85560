import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import type { OperationContext } from '../context.ts';
import { referenceSchema, resolveHandoff } from '../resolve-handoff.ts';
import { attemptSchema, readAttempts } from './attempts.ts';

/** The attempts of a planning agent at a handoff, one after another: for a later reader. */
export const planningRuns = defineOperation({
  name: 'planning.runs',
  summary:
    'Returns every attempt at planning a handoff: its steps with their tools, tokens and cost, and how it ended.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'runs' }, http: { role: 'agent' } },
  input: z.strictObject({ id: referenceSchema }),
  output: async () => z.strictObject({ id: z.string(), runs: z.array(attemptSchema) }),
  errors: ['not_found', 'invalid_input', 'unavailable'],
  run: async ({ id: reference }, context: OperationContext) => {
    const handoff = await resolveHandoff(reference, context);
    return { id: handoff.id, runs: await readAttempts(await context.openStore(), handoff) };
  },
});
