import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { maskSecrets } from '../../core/masking.ts';
import { defineOperation } from '../../core/operation.ts';
import { callOf, type OperationContext } from '../context.ts';
import { referenceSchema, resolveHandoff } from '../resolve-handoff.ts';
import { tokenField } from './held-by.ts';
import type { ReportData } from './report-data.ts';

/** `addDecision` for any agent that holds a handoff: stored in its history, and passed on with the plan as a new decision. */
export const planningAddDecision = defineOperation({
  name: 'planning.add-decision',
  summary: 'Adds a decision that you found while planning; the frozen snapshot stays as it is.',
  mutates: true,
  doors: { mcp: { tool: 'handoff_update', action: 'add-decision' }, http: { role: 'agent' } },
  input: z.strictObject({
    id: referenceSchema,
    token: tokenField,
    content: z.string().trim().min(1).max(limits.entry_characters_max),
  }),
  output: async () => z.strictObject({ added: z.literal(true) }),
  errors: ['not_found', 'invalid_input', 'conflict', 'lease_lost', 'too_large', 'unavailable'],
  run: async ({ id: reference, token, content: given }, context: OperationContext) => {
    const { id } = await resolveHandoff(reference, context);
    const content = maskSecrets(given).text;
    const data: ReportData = { type: 'decision', content };
    const text = `Decided while planning: ${content}`.slice(0, limits.entry_characters_max).toWellFormed();
    const store = await context.openStore();
    await store.transition(id, { type: 'report', token, text, data }, callOf(context, 'planning.add-decision'));
    return { added: true as const };
  },
});
