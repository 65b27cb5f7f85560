import { z } from 'zod';
import type { Handoff } from '../core/handoff.ts';
import { defineOperation } from '../core/operation.ts';
import type { Store } from '../core/store.ts';
import type { OperationContext } from './context.ts';
import { handoffOutput } from './output-schemas.ts';
import { referenceSchema, resolveHandoff } from './resolve-handoff.ts';
import { settleInjections } from './sessions/settle-injections.ts';

/** One handoff, whole, without its lease's token. */
export const handoffGet = defineOperation({
  name: 'handoff.get',
  summary: 'Shows one handoff, whole, with evidence and delivery.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'get' }, http: { role: 'agent' } },
  input: z.strictObject({
    id: referenceSchema,
    payload: z.boolean().optional().describe('With a payload that is kept apart'),
  }),
  output: handoffOutput,
  errors: ['not_found', 'invalid_input', 'unavailable'],
  run: async ({ id, payload }, context: OperationContext) => {
    const store = await context.openStore();
    await settleInjections(store, context);
    const handoff = await resolveHandoff(id, context);
    return payload === true ? withPayload(handoff, store) : handoff;
  },
});

/** Next to its pointer, which the content's hash covers. */
async function withPayload(handoff: Handoff, store: Store): Promise<Handoff> {
  const json = await store.readPayload(handoff.id);
  return json === null ? handoff : { ...handoff, content: { ...handoff.content, payload: JSON.parse(json) } };
}
