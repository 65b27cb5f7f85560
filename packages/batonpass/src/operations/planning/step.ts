import { z } from 'zod';
import type { Json } from '../../core/canonical-json.ts';
import { HandoffError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import type { OperationContext } from '../context.ts';
import { referenceSchema, resolveHandoff } from '../resolve-handoff.ts';
import { readAttempts } from './attempts.ts';
import { callsOf, readKeptSteps, textOf } from './kept-steps.ts';
import { lastStepOf } from './source-run.ts';

/** One step of a planning run in full: the list of runs cuts long values. */
export const planningStep = defineOperation({
  name: 'planning.step',
  summary:
    'Shows all of one step of a planning run: what the model said, what its tools were given, and what they gave.',
  mutates: false,
  doors: { http: { role: 'agent' } },
  input: z.strictObject({
    id: referenceSchema,
    attempt: z.int().min(1).describe('Its number'),
    step: z.int().min(1).describe('Its number'),
  }),
  output: async () =>
    z.strictObject({
      number: z.int(),
      text: z.string(),
      tools: z.array(z.strictObject({ name: z.string(), input: z.json(), output: z.json() })),
    }),
  errors: ['not_found', 'invalid_input', 'conflict', 'unavailable'],
  run: async ({ id: reference, attempt: number, step }, context: OperationContext) => {
    const handoff = await resolveHandoff(reference, context);
    const store = await context.openStore();
    const attempt = (await readAttempts(store, handoff))[number - 1];
    if (attempt === undefined || step > lastStepOf(attempt)) throw absent(handoff.id, number, step);
    const { fence } = attempt;
    const steps = await readKeptSteps(store, { handoff_id: handoff.id, attempt: number, fence, step });
    const kept = steps[step - 1];
    if (kept === undefined) throw absent(handoff.id, number, step);
    const tools = callsOf(kept).map(({ name, input, output }) => ({
      name,
      input: (input ?? null) as Json,
      output: (output ?? null) as Json,
    }));
    return { number: step, text: textOf(kept), tools };
  },
});

function absent(id: string, attempt: number, step: number): HandoffError {
  return new HandoffError('not_found', `Attempt ${attempt} at handoff ${id} has no step ${step}.`, {
    details: { id, attempt, step },
    alternatives: [`See its attempts: baton plan runs ${id}`],
  });
}
