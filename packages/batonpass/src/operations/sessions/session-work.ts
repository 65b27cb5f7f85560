import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import type { OperationContext } from '../context.ts';
import { workOnSaves } from './session-saves.ts';

/** Does the work that hooks left to be done. */
export const sessionWork = defineOperation({
  name: 'session.work',
  summary: 'Does the saves that hooks of this project asked for.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({}),
  output: async () => z.strictObject({ handoff_ids: z.array(z.string()) }),
  errors: ['invalid_input', 'too_large', 'conflict', 'unavailable'],
  run: async (_input, context: OperationContext) => ({ handoff_ids: await workOnSaves(context) }),
});
