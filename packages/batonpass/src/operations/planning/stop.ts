import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import type { OperationContext } from '../context.ts';
import { handoffOutput } from '../output-schemas.ts';
import { referenceSchema, resolveHandoff } from '../resolve-handoff.ts';
import { readAttempts } from './attempts.ts';
import { endInterrupted } from './source-run.ts';

/** Ends a planning run, so that its handoff is offered again. */
export const planningStop = defineOperation({
  name: 'planning.stop',
  summary: 'Stops a planning run in progress here, or ends one that was interrupted; the handoff is offered again.',
  mutates: true,
  doors: { http: { role: 'admin', folder: true } },
  input: z.strictObject({ id: referenceSchema }),
  output: handoffOutput,
  errors: ['not_found', 'invalid_input', 'conflict', 'already_claimed', 'lease_lost', 'unavailable'],
  run: async ({ id: reference }, context: OperationContext) => {
    const { id } = await resolveHandoff(reference, context);
    const isEnded = (await context.background.stop(id)) || (await endInterrupted(id, context));
    const handoff = await resolveHandoff(id, context);
    if (isEnded) return handoff;
    const run = (await readAttempts(await context.openStore(), handoff)).at(-1);
    throw run?.outcome === 'running' ? runsElsewhere(id, run.by) : nothingRuns(id);
  },
});

function runsElsewhere(id: string, by: string): HandoffError {
  return new HandoffError('conflict', `The run of handoff ${id} is not this program's: ${by} holds it.`, {
    details: { id, by },
    alternatives: ['Stop it where it runs: Ctrl-C.', `Take the handoff back by force: baton release ${id} --force`],
  });
}

function nothingRuns(id: string): HandoffError {
  return new HandoffError('conflict', `No planning run of handoff ${id} goes on.`, {
    details: { id },
    alternatives: [`See its runs: baton plan runs ${id}`],
  });
}
