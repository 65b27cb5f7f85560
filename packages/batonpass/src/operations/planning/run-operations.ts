import { z } from 'zod';
import type { Json } from '../../core/canonical-json.ts';
import { HandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import { stateSchema } from '../../core/state.ts';
import type { Page, Store } from '../../core/store.ts';
import { planAgentName } from '../../draft/plan-agent-name.ts';
import type { OperationContext } from '../context.ts';
import { handoffOutput } from '../output-schemas.ts';
import { referenceSchema, resolveHandoff } from '../resolve-handoff.ts';
import { type Attempt, attemptSchema, readAttempts } from './attempts.ts';
import { callsOf, readKeptSteps, textOf } from './kept-steps.ts';
import { planningRun } from './run.ts';
import { endInterrupted, lastStepOf } from './source-run.ts';

/** The attempts of a planning agent at a handoff, one after another: for a later reader. */
export const planningRuns = defineOperation({
  name: 'planning.runs',
  summary:
    'Returns every attempt at planning a handoff: its steps with their tools, tokens and cost, and how it ended.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'runs' }, http: { role: 'agent' } },
  input: z.strictObject({ id: referenceSchema }),
  output: async () => z.strictObject({ id: z.string(), runs: z.array(attemptSchema) }),
  errors: ['not_found', 'invalid_input', 'unavailable'],
  run: async ({ id: reference }, context: OperationContext) => {
    const handoff = await resolveHandoff(reference, context);
    return { id: handoff.id, runs: await readAttempts(await context.openStore(), handoff) };
  },
});

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
    alternatives: ['Stop it where it runs: Ctrl-C.', `Release the handoff by force: baton release ${id} --force`],
  });
}

function nothingRuns(id: string): HandoffError {
  return new HandoffError('conflict', `No planning run of handoff ${id} is in progress.`, {
    details: { id },
    alternatives: [`See its runs: baton plan runs ${id}`],
  });
}

/** One step of a planning run in full: the list of runs cuts long values. */
export const planningStep = defineOperation({
  name: 'planning.step',
  summary: 'Shows one whole step of a planning run: what the model said, and the inputs and outputs of its tools.',
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

const runSchema = attemptSchema
  .pick({ number: true, by: true, planner: true, fence: true, started_at: true, ended_at: true, outcome: true })
  .extend({
    reason: z.string().optional(),
    handoff_id: z.string(),
    title: z.string(),
    /** Of its handoff, now. */
    state: stateSchema,
    /** Including the steps that it continued from. */
    steps: z.int(),
    steps_max: z.int().optional(),
    tokens: attemptSchema.shape.tokens,
    cost: attemptSchema.shape.cost,
    /** Until its end; until its last step where it has none. */
    duration_ms: z.number(),
  });

/** The planning runs of a project. */
export const planningList = defineOperation({
  name: 'planning.list',
  summary:
    'Lists the planning runs of the project, the newest first: model, steps, tokens, cost, duration and outcome.',
  mutates: false,
  doors: { http: { role: 'agent' } },
  input: z.strictObject({
    limit: z
      .int()
      .min(1)
      .max(limits.list_max)
      .default(50)
      .describe('Of how many handoffs, and of as many plans, newest first, the runs are listed'),
    cursor: z.string().max(400).optional().describe('Where the last page ended: the runs of older handoffs'),
  }),
  output: async () => z.strictObject({ runs: z.array(runSchema), cursor: z.string().optional() }),
  errors: ['invalid_input', 'unavailable'],
  run: async ({ limit, cursor }, context: OperationContext) => {
    const store = await context.openStore();
    const { handoffs, cursor: next } = await findPlanned(store, context.project, { limit, cursor });
    const runs = await Promise.all(
      handoffs.map(async (handoff) => (await readAttempts(store, handoff)).map((run) => inShort(handoff, run))),
    );
    const newest = runs.flat().sort((left, right) => (left.started_at < right.started_at ? 1 : -1));
    return { runs: newest, ...(next !== undefined && { cursor: next }) };
  },
});

/** What was addressed to the planning agent, and what else a plan was made of: two lists, each on its own page. */
async function findPlanned(
  store: Store,
  project: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<{ handoffs: Handoff[]; cursor?: string }> {
  const [atAddressed, atPlans] = cursor?.split('.') ?? [];
  const list = async (filter: object, at: string | undefined): Promise<Pick<Page, 'handoffs' | 'cursor'>> =>
    at === ENDED ? { handoffs: [] } : store.list({ filter: { project, ...filter }, limit, cursor: at });
  const [addressed, plans] = await Promise.all([
    list({ target_agent: planAgentName }, atAddressed),
    list({ kind: 'plan' }, atPlans),
  ]);
  const parents = await Promise.all(
    [...new Set(plans.handoffs.flatMap(({ content }) => content.parent_id ?? []))].map((id) => store.get(id)),
  );
  const isOther = (each: Handoff | null): each is Handoff =>
    each?.project === project && each.content.target_agent !== planAgentName;
  const handoffs = [...addressed.handoffs, ...parents.filter(isOther)];
  if (addressed.cursor === undefined && plans.cursor === undefined) return { handoffs };
  return { handoffs, cursor: `${addressed.cursor ?? ENDED}.${plans.cursor ?? ENDED}` };
}

/** In a cursor, in place of the list that has no more. */
const ENDED = '-';

function inShort({ id, content, delivery }: Handoff, run: Attempt) {
  const { number, by, planner, fence, started_at, ended_at, outcome, reason, steps, steps_max, tokens, cost } = run;
  const last = steps.at(-1);
  const end_ms = ended_at === undefined ? last && Date.parse(last.started_at) + last.duration_ms : Date.parse(ended_at);
  return {
    ...{ number, by, planner, fence, started_at, outcome, tokens, handoff_id: id, title: content.title },
    state: delivery.state,
    steps: last?.number ?? run.from?.step ?? 0,
    duration_ms: Math.max(0, (end_ms ?? Date.parse(started_at)) - Date.parse(started_at)),
    ...(ended_at !== undefined && { ended_at }),
    ...(reason !== undefined && { reason }),
    ...(steps_max !== undefined && { steps_max }),
    ...(cost !== undefined && { cost }),
  };
}
