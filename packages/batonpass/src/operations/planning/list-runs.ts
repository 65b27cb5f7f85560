import { z } from 'zod';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import { stateSchema } from '../../core/state.ts';
import type { Page, Store } from '../../core/store.ts';
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
