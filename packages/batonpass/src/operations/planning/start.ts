import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import type { OperationContext } from '../context.ts';
import { handoffOutput } from '../output-schemas.ts';
import { attemptSchema } from './attempts.ts';
import { planningRun } from './run.ts';

/** The planning agent, run by the server: its caller need not wait. */
export const planningStart = defineOperation({
  name: 'planning.start',
  summary: 'Starts a planning run that continues by itself: it ends when it is done, is stopped, or its program ends.',
  mutates: true,
  doors: { http: { role: 'admin', folder: true } },
  input: planningRun.input,
  output: async () =>
    z.strictObject({
      /** As it is now: claimed for planning. */
      handoff: await handoffOutput(),
      /** The run that was started; or its outcome, where a retry asks again. */
      run: attemptSchema.pick({ number: true, fence: true, started_at: true, outcome: true }),
    }),
  errors: planningRun.errors,
  run: async (given, context: OperationContext) => (await import('./run-planning.ts')).startPlanning(given, context),
});
