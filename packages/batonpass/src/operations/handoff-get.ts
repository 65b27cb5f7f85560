import { z } from 'zod';
import { defineOperation } from '../core/operation.ts';
import type { OperationContext } from './context.ts';
import { handoffOutput } from './output-schemas.ts';
import { referenceSchema, resolveHandoff } from './resolve-handoff.ts';
import { settleInjections } from './sessions/settle-injections.ts';

/** One handoff, whole, without its lease's token. */
export const handoffGet = defineOperation({
  name: 'handoff.get',
  summary: 'Shows one handoff, whole, with evidence and delivery.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'get' }, http: true },
  input: z.strictObject({ id: referenceSchema }),
  output: handoffOutput,
  errors: ['not_found', 'invalid_input', 'unavailable'],
  run: async ({ id }, context: OperationContext) => {
    await settleInjections(await context.openStore(), context);
    return resolveHandoff(id, context);
  },
});
