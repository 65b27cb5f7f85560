import { z } from 'zod';
import type { HandoffEvent } from '../../core/delivery.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import type { Store } from '../../core/store.ts';
import { isRunning, type MachineProcess } from '../../disk/machine-process.ts';
import {
  outcomeSchema,
  type PlanningOutcome,
  planCostSchema,
  planTokensSchema,
  type ReportData,
  reportDataSchema,
  sourceStepSchema,
  stepSchema,
} from './report-data.ts';

/** One claim of a handoff and its result, read from the history alone. */
export const attemptSchema = z.strictObject({
  /** From 1. */
  number: z.int(),
  /** Who claimed it. */
  by: z.string(),
  /** The model as `anthropic/NAME`; where none was reported, the name of the claimer. */
  planner: z.string(),
  fence: z.int(),
  started_at: z.string(),
  ended_at: z.string().optional(),
  outcome: outcomeSchema,
  /** Why it ended so. */
  reason: z.string().optional(),
  /** Of exactly the instructions that the model got. */
  instructions_sha256: z.string().optional(),
  /** It ends after so many steps in any case; absent where nobody set it. */
  steps_max: z.int().optional(),
  /** The step that it continues from: its own steps are numbered after that one. */
  from: sourceStepSchema.optional(),
  /** Each with its start: its report's time minus its duration. Steps of an agent that works on several things overlap. */
  steps: z.array(stepSchema.extend({ started_at: z.string() })),
  /** Found while planning. */
  decisions: z.array(z.string()),
  /** The last plan that was written, or its beginning where it is long. */
  plan_content: z.json().optional(),
  tokens: planTokensSchema,
  cost: planCostSchema.optional(),
});

export type Attempt = z.infer<typeof attemptSchema>;

/** Why a run was interrupted: the reason with which its lease is ended. */
export const interruptedReason = 'The program that ran it ended before the run did.';

/** Every attempt at a handoff, the first one first. An attempt whose program is known to have ended is interrupted. */
export async function readAttempts(store: Store, { id }: Handoff): Promise<Attempt[]> {
  const events = await store.events({ handoff_id: id, limit: limits.events_max });
  const readings: Reading[] = [];
  for (const event of events) {
    if (event.name === 'handoff-claimed') readings.push({ attempt: begunBy(event, readings.length + 1) });
    const last = readings.at(-1);
    if (last?.attempt.outcome === 'running') note(last, event);
  }
  const last = readings.at(-1);
  if (last?.attempt.outcome === 'running' && last.owner !== undefined && isRunning(last.owner) === false) {
    Object.assign(last.attempt, { outcome: 'interrupted', reason: interruptedReason });
  }
  return readings.map(({ attempt }) => attempt);
}

/** An attempt as far as the history was read. */
interface Reading {
  attempt: Attempt;
  /** The run's own report of its end, before the step that ended it. */
  told?: PlanningOutcome;
  /** The program that runs it. */
  owner?: MachineProcess | undefined;
  /** The reason in words. */
  words?: string | undefined;
}

function begunBy({ actor, at, details }: HandoffEvent, number: number): Attempt {
  return {
    number,
    by: actor.name,
    planner: actor.name,
    fence: Number(details?.fence ?? 0),
    started_at: at,
    outcome: 'running',
    steps: [],
    decisions: [],
    tokens: { input: 0, output: 0 },
  };
}

/** The outcome by the step that ended an attempt; a report of the run itself is more exact. */
const endings: Readonly<Record<string, PlanningOutcome>> = {
  'handoff-acknowledged': 'completed',
  'handoff-injected': 'completed',
  'handoff-failed': 'error',
  'handoff-released': 'stopped',
  'handoff-withdrawn': 'stopped',
  'handoff-broken': 'stopped',
  'handoff-lapsed': 'lapsed',
};

function note(reading: Reading, { name, at, reason, details }: HandoffEvent): void {
  if (name === 'handoff-reported') {
    // Others report in a form of their own: those reports stay in the history, and are no part of a run.
    const data = reportDataSchema.safeParse(details?.data);
    if (data.success) applyReport(reading, data.data, at);
    if (data.data?.type === 'run-ended') reading.words = reason;
    return;
  }
  const ending = endings[name];
  if (ending === undefined) return;
  const { attempt, told, words } = reading;
  attempt.outcome = outcomeOf(ending, told, reason);
  attempt.ended_at = at;
  const why = reason ?? (ending === 'completed' ? words : undefined);
  if (why !== undefined) attempt.reason = why;
}

/** The run's own report of its end is more exact; a run that was killed could not report. */
function outcomeOf(ending: PlanningOutcome, told: PlanningOutcome | undefined, reason?: string): PlanningOutcome {
  if (ending === 'stopped' && reason === interruptedReason) return 'interrupted';
  return (ending === 'error' || ending === 'stopped') && told !== undefined ? told : ending;
}

function applyReport(reading: Reading, data: ReportData, at: string): void {
  const { attempt } = reading;
  switch (data.type) {
    case 'run-started':
      attempt.planner = data.planner;
      attempt.instructions_sha256 = data.instructions_sha256;
      attempt.steps_max = data.steps_max;
      if (data.from !== undefined) attempt.from = data.from;
      reading.owner = data.owner;
      return;
    case 'step-piece':
      return;
    case 'step':
      takeStep(attempt, data, at);
      return;
    case 'decision':
      attempt.decisions.push(data.content);
      return;
    case 'plan':
      attempt.plan_content = data.plan_content;
      return;
    case 'run-ended':
      reading.told = data.outcome;
  }
}

/** Both instants are of one clock, the history's; a step that claims to be longer than its attempt began with it. */
function takeStep(
  attempt: Attempt,
  { type: _, kept: _kept, ...step }: Extract<ReportData, { type: 'step' }>,
  at: string,
): void {
  const began_ms = Math.max(Date.parse(attempt.started_at), Date.parse(at) - step.duration_ms);
  attempt.steps.push({ ...step, started_at: new Date(began_ms).toISOString() });
  attempt.tokens.input += step.tokens.input;
  attempt.tokens.output += step.tokens.output;
  if (step.cost === undefined) return;
  const { amount, currency } = step.cost;
  attempt.cost = { amount: (attempt.cost?.amount ?? 0) + amount, currency };
}
