import { hashJson } from '../../core/canonical-json.ts';
import { HandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import type { Call, ClaimAnswer } from '../../core/store.ts';
import type { OperationContext } from '../context.ts';
import { type Attempt, readAttempts } from './attempts.ts';
import { findFinished } from './find-finished.ts';
import type { FinishedPlanning } from './finish-planning.ts';
import { planAgent } from './held-planning.ts';

/** The answer of a run. */
export interface RunAnswer extends Partial<FinishedPlanning> {
  outcome: 'completed' | 'step-limit' | 'error';
  reason?: string;
  handoff: Handoff;
  run: Attempt;
}

/** A run in progress. */
export interface RunningAnswer {
  outcome: 'running';
  handoff: Handoff;
  run: Attempt;
}

/**
 * The outcome of the run that the caller's key began, or its progress, so that a retry plans nothing twice; else the
 * call by which the run claims. A run that was stopped, or ended with its process, has no answer: the key begins
 * another.
 *
 * @throws HandoffError `conflict` where the key came with another input.
 */
export async function recallRun(
  context: OperationContext,
): Promise<{ call: Call; earlier?: RunAnswer | RunningAnswer }> {
  const { actor, project, idempotency_key, request } = context;
  const call: Call = { actor: planAgent, project, operation: 'planning.run', request };
  if (idempotency_key === undefined) return { call };
  const store = await context.openStore();
  // Every run claims as the planning agent; the key is its caller's.
  let key = hashJson([actor.name, idempotency_key]);
  for (;;) {
    const keyed = { ...call, idempotency_key: key };
    const [claimed] = ((await store.recall(keyed)) as ClaimAnswer | undefined)?.handoffs ?? [];
    if (claimed === undefined) return { call: keyed };
    const earlier = await readAnswer(claimed, context);
    if (earlier !== undefined) return { call: keyed, earlier };
    key = hashJson([key, claimed.delivery.fence]);
  }
}

async function readAnswer(
  { id, delivery }: Handoff,
  context: OperationContext,
): Promise<RunAnswer | RunningAnswer | undefined> {
  const store = await context.openStore();
  const handoff = await store.get(id);
  if (handoff === null) return undefined;
  const run = (await readAttempts(store, handoff)).find(({ fence }) => fence === delivery.fence);
  if (run === undefined) return undefined;
  const why = run.reason === undefined ? {} : { reason: run.reason };
  switch (run.outcome) {
    case 'running':
      return { outcome: 'running', handoff, run };
    case 'completed': {
      const finished = await findFinished(handoff, context);
      return finished && { outcome: 'completed', ...why, ...finished, run };
    }
    case 'step-limit':
    case 'error':
      return { outcome: run.outcome, ...why, handoff, run };
    default:
      return undefined;
  }
}

/** @throws HandoffError `conflict` for a run in progress. */
export function assertEnded(
  answer: RunAnswer | RunningAnswer,
  { idempotency_key }: OperationContext,
): asserts answer is RunAnswer {
  if (answer.outcome !== 'running') return;
  const { handoff, run } = answer;
  throw new HandoffError(
    'conflict',
    `The run that this key started is still in progress: attempt ${run.number} at handoff ${handoff.id}.`,
    {
      details: { id: handoff.id, idempotency_key },
      alternatives: [`See its progress: baton plan runs ${handoff.id}`],
    },
  );
}
