import { z } from 'zod';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import { stateSchema } from '../../core/state.ts';
import type { Store } from '../../core/store.ts';
import { planAgentName } from '../../draft/plan-agent-name.ts';
import type { OperationContext } from '../context.ts';
import { type Attempt, attemptSchema, readAttempts } from './attempts.ts';

const runSchema = attemptSchema
  .pick({ number: true, by: true, planner: true, fence: true, started_at: true, ended_at: true, outcome: true })
  .extend({
    reason: z.string().optional(),
    handoff_id: z.string(),
    title: z.string(),
    /** Of its handoff, now. */
    state: stateSchema,
    /** Those that it went on from counted. */
    steps: z.int(),
    steps_max: z.int().optional(),
    tokens: attemptSchema.shape.tokens,
    cost: attemptSchema.shape.cost,
    /** To its end; to its last step where it has none. */
    duration_ms: z.number(),
  });

/** The planning runs of a project. */
export const planningList = defineOperation({
  name: 'planning.list',
  summary:
    'Lists the planning runs of the project, the newest first: model, steps, tokens, cost, duration and outcome.',
  mutates: false,
  doors: { http: { role: 'agent' } },
  input: z.strictObject({ limit: z.int().min(1).max(limits.list_max).default(50) }),
  output: async () => z.strictObject({ runs: z.array(runSchema) }),
  errors: ['invalid_input', 'unavailable'],
  run: async ({ limit }, context: OperationContext) => {
    const store = await context.openStore();
    const handoffs = await findPlanned(store, context.project, limit);
    const runs = await Promise.all(
      handoffs.map(async (handoff) => (await readAttempts(store, handoff)).map((run) => inShort(handoff, run))),
    );
    const newest = runs.flat().sort((left, right) => (left.started_at < right.started_at ? 1 : -1));
    return { runs: newest.slice(0, limit) };
  },
});

/** What was addressed to the planning agent, and what a plan came of: each once. */
async function findPlanned(store: Store, project: string, limit: number): Promise<Handoff[]> {
  const list = (filter: object) => store.list({ filter: { project, ...filter }, limit });
  const [addressed, plans] = await Promise.all([list({ target_agent: planAgentName }), list({ kind: 'plan' })]);
  const parents = plans.handoffs.flatMap(({ content }) => content.parent_id ?? []);
  const known = new Map(addressed.handoffs.map((handoff) => [handoff.id, handoff]));
  const others = [...new Set(parents)].filter((id) => !known.has(id));
  for (const handoff of await Promise.all(others.map((id) => store.get(id)))) {
    if (handoff?.project === project) known.set(handoff.id, handoff);
  }
  return [...known.values()];
}

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
