import { z } from 'zod';
import { actorSchema } from '../core/actor.ts';
import { isAvailable } from '../core/lifecycle-claim.ts';
import { defineOperation } from '../core/operation.ts';
import type { State } from '../core/state.ts';
import type { Store } from '../core/store.ts';
import { shownStoreUrl } from '../stores/open.ts';
import { readHead } from '../workspace/project.ts';
import type { OperationContext } from './context.ts';
import { handoffOutput } from './output-schemas.ts';
import { listLiveHandoffs } from './sessions/list-live-handoffs.ts';
import { settleInjections } from './sessions/settle-injections.ts';

/** How many of each kind are looked at; beyond that the count reads "at least". */
const looked_at_max = 200;

/** What waits here, for whom, and what to do next. */
export const handoffStatus = defineOperation({
  name: 'handoff.status',
  summary: 'Says what is open for you in this project, what you hold, and what waits for a person.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'status' }, http: true },
  input: z.strictObject({}),
  output: async () =>
    z.strictObject({
      project: z.string(),
      /** The work tree's top folder. */
      root: z.string(),
      branch: z.string().optional(),
      store: z.string(),
      actor: actorSchema,
      /** Claimable by you, oldest first: the first is what `claim` gives. */
      open: z.array(await handoffOutput()),
      /** Open, but addressed to others. */
      open_for_others: z.int(),
      drafts: z.array(await handoffOutput()),
      held_by_you: z.array(await handoffOutput()),
      held_by_others: z.int(),
      waiting: z.array(await handoffOutput()),
      dead: z.array(await handoffOutput()),
      /** Whether there were more than were looked at, so that the counts are at least. */
      is_partial: z.boolean(),
    }),
  errors: ['unavailable'],
  run: async (_input, context: OperationContext) => {
    const store = await context.openStore();
    await settleInjections(store, context);
    const [open, drafts, claimed, waiting, dead] = await Promise.all(
      (['open', 'draft', 'claimed', 'waiting', 'dead'] as const).map((state) => listState(store, context, state)),
    );
    if (!open || !drafts || !claimed || !waiting || !dead) throw new Error('A list of handoffs is missing.');
    const { actor, workspace } = context;
    const mine = open.filter(
      ({ content }) => content.target_agent === undefined || content.target_agent === actor.name,
    );
    // What a session is still at is its own, as if it were addressed to it.
    const live = new Set(await listLiveHandoffs(store, context));
    const free = mine.filter(({ id }) => !live.has(id));
    const held = claimed.filter(({ delivery }) => delivery.lease?.holder === actor.name);
    return {
      project: context.project,
      root: workspace.root,
      branch: readHead(workspace).branch,
      store: shownStoreUrl(context.store_url),
      actor,
      open: free.filter((handoff) => isAvailable(handoff, context.now())),
      open_for_others: open.length - free.length,
      drafts,
      held_by_you: held,
      held_by_others: claimed.length - held.length,
      waiting,
      dead,
      is_partial: [open, drafts, claimed, waiting, dead].some((list) => list.length === looked_at_max),
    };
  },
});

async function listState(store: Store, { project }: OperationContext, state: State) {
  const filter = { project, state: [state] };
  const first = state === 'open' ? 'oldest' : 'newest';
  return (await store.list({ filter, first, limit: looked_at_max })).handoffs;
}
