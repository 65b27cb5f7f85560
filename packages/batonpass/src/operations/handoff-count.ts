import { z } from 'zod';
import { filterSchema } from '../core/filter.ts';
import { limits } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import { stateSchema } from '../core/state.ts';
import type { OperationContext } from './context.ts';

/** The number of handoffs of this project in each state. */
export const handoffCount = defineOperation({
  name: 'handoff.count',
  summary: 'Counts handoffs of this project by state.',
  mutates: false,
  doors: { http: { role: 'agent' } },
  input: filterSchema.omit({ project: true }).extend({
    look_max: z
      .int()
      .min(1)
      .max(limits.count_look_max)
      .default(limits.count_look_default)
      .describe('How many of each state are looked at, newest first'),
  }),
  output: async () =>
    z.strictObject({
      counts: z.partialRecord(stateSchema, z.int()),
      /** States whose count is a lower bound. */
      partial: z.array(stateSchema),
    }),
  errors: ['invalid_input', 'unavailable'],
  run: async ({ look_max, ...filter }, context: OperationContext) => {
    const store = await context.openStore();
    return store.count({ filter: { ...filter, project: context.project }, look_max });
  },
});
