import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { contentToSnapshot } from '../../draft/snapshot.ts';
import type { OperationContext } from '../context.ts';
import { referenceSchema } from '../resolve-handoff.ts';
import { heldBy, tokenField } from './held-by.ts';
import { snapshotSchema } from './snapshot-schema.ts';

/** `getHandoffContext` for any agent that holds a handoff: the frozen snapshot, as source 5's tool gives it. */
export const planningContext = defineOperation({
  name: 'planning.context',
  summary: 'Gives the frozen snapshot of a handoff that you hold: decisions, files, risks and summary.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'context' }, http: { role: 'agent' } },
  input: z.strictObject({ id: referenceSchema, token: tokenField }),
  output: async () => snapshotSchema,
  errors: ['not_found', 'invalid_input', 'lease_lost', 'unavailable'],
  run: async ({ id, token }, context: OperationContext) => {
    const { content } = await heldBy({ id, token }, context);
    return contentToSnapshot(content);
  },
});
