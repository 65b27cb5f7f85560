import { HandoffError } from '../../core/errors.ts';
import type { OperationContext } from '../context.ts';
import { resolveHandoff } from '../resolve-handoff.ts';
import { type Attempt, interruptedReason, readAttempts } from './attempts.ts';
import { callsOf, type KeptStep, readKeptSteps, withoutProvider } from './kept-steps.ts';
import type { SourceStep } from './report-data.ts';

/** Which steps a run continues from. */
export interface SourceRequest {
  /** Default: the newest. */
  attempt?: number | undefined;
  /** At most so many of its steps are used. Default: all that it has. */
  after_step?: number | undefined;
}

/** The steps that a run continues from, ready for its model. */
export interface SourceSteps {
  from: SourceStep;
  kept: KeptStep[];
}

/** The number of the last step of an attempt, including those that it continued from; 0 for none. */
export function lastStepOf({ steps, from }: Attempt): number {
  return steps.at(-1)?.number ?? from?.step ?? 0;
}

/**
 * Finds the steps to continue from, where a request names some.
 *
 * @throws HandoffError `not_found` for an attempt that does not exist; `conflict` for one in progress, for steps that were
 * not stored whole, and where no step is left.
 */
export async function findSource(
  { id, from, steps_max }: { id?: string | undefined; from?: SourceRequest | undefined; steps_max: number },
  planner: string,
  context: OperationContext,
): Promise<SourceSteps | undefined> {
  if (from === undefined) return undefined;
  if (id === undefined) {
    throw new HandoffError('invalid_input', 'A run can continue only from steps of a named handoff.', {
      alternatives: ['Name it by `id`.'],
    });
  }
  const store = await context.openStore();
  const handoff = await resolveHandoff(id, context);
  const attempts = await readAttempts(store, handoff);
  const attempt = from.attempt === undefined ? attempts.at(-1) : attempts[from.attempt - 1];
  if (attempt === undefined) throw noAttempt(handoff.id, from.attempt);
  if (attempt.outcome === 'running') throw goesOn(handoff.id, attempt.number);
  const last = lastStepOf(attempt);
  const step = Math.min(from.after_step ?? last, last);
  const source = { handoff_id: handoff.id, attempt: attempt.number, fence: attempt.fence, step };
  const kept = await readKeptSteps(store, source);
  const isComplete = kept.some((each) => callsOf(each).some(({ name }) => name === 'completePlanning'));
  if (step >= steps_max && !isComplete) throw noStepLeft(handoff.id, steps_max);
  if (attempt.planner === planner) return { from: source, kept };
  return { from: source, kept: kept.map((each) => ({ ...each, messages: withoutProvider(each.messages) })) };
}

/**
 * Gives a handoff back whose run was interrupted, so that another can claim it: its program has ended, so nobody's work
 * is taken away. Any other is left as it is.
 *
 * @returns whether it was given back.
 * @throws HandoffError `conflict` where the caller is no person.
 */
export async function endInterrupted(id: string, context: OperationContext): Promise<boolean> {
  const store = await context.openStore();
  const handoff = await resolveHandoff(id, context);
  if (handoff.delivery.state !== 'claimed') return false;
  const attempt = (await readAttempts(store, handoff)).at(-1);
  if (attempt?.outcome !== 'interrupted') return false;
  const step = { type: 'break' as const, to: 'open' as const, if_fence: attempt.fence, reason: interruptedReason };
  const { actor, project } = context;
  await store.transition(handoff.id, step, { actor, project, operation: 'handoff.break' });
  return true;
}

function noAttempt(id: string, attempt: number | undefined): HandoffError {
  const which = attempt === undefined ? 'no attempt to continue from' : `no attempt ${attempt}`;
  return new HandoffError('not_found', `Handoff ${id} has ${which}.`, {
    details: { id, attempt },
    alternatives: [`See its attempts: baton plan runs ${id}`, `Begin with the first step: baton plan run ${id}`],
  });
}

function goesOn(id: string, attempt: number): HandoffError {
  return new HandoffError('conflict', `Attempt ${attempt} at handoff ${id} is in progress.`, {
    details: { id, attempt },
    alternatives: [`See its progress: baton plan runs ${id}`, 'Stop it first.'],
  });
}

function noStepLeft(id: string, steps_max: number): HandoffError {
  return new HandoffError('conflict', `That run of handoff ${id} used its ${steps_max} steps: none is left.`, {
    details: { id, steps_max },
    alternatives: ['Run it again from an earlier step.'],
  });
}
