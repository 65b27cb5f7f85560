import { z } from 'zod';
import { actorSchema } from '../core/actor.ts';
import type { Handoff } from '../core/handoff.ts';
import { isAvailable } from '../core/lifecycle-claim.ts';
import { limits } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import type { State } from '../core/state.ts';
import type { Store } from '../core/store.ts';
import { shownStoreUrl } from '../stores/open.ts';
import { readBranch } from '../workspace/project.ts';
import type { OperationContext } from './context.ts';
import { inShort } from './handoff-in-short.ts';
import { shortHandoffOutput } from './output-schemas.ts';
import { listLiveHandoffs } from './sessions/list-live-handoffs.ts';
import { settleInjections } from './sessions/settle-injections.ts';

/** What waits here, for whom, and the next step. */
export const handoffStatus = defineOperation({
  name: 'handoff.status',
  summary: 'Returns what is open for you in this project, what you hold, and what waits for a person.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'status' }, http: { role: 'agent' } },
  input: z.strictObject({
    limit: z
      .int()
      .min(0)
      .max(limits.status_look_max)
      .default(limits.status_lines_default)
      .describe('How many of each kind are listed; all are counted'),
  }),
  output: async () => {
    const handoffs = z.array(await shortHandoffOutput());
    return z.strictObject({
      project: z.string(),
      /** The work tree's top folder. */
      root: z.string(),
      branch: z.string().optional(),
      store: z.string(),
      actor: actorSchema,
      /** How many there are of each kind; the lists below have the first of them. */
      counts: z.strictObject({
        open: z.int(),
        drafts: z.int(),
        held_by_you: z.int(),
        waiting: z.int(),
        dead: z.int(),
      }),
      /** Claimable by the caller, oldest first: `claim` gives the first. */
      open: handoffs,
      /** Open, but addressed to others. */
      open_for_others: z.int(),
      drafts: handoffs,
      held_by_you: handoffs,
      held_by_others: z.int(),
      waiting: handoffs,
      dead: handoffs,
      /** Whether there were more than were read, so that the counts are minimums. */
      is_partial: z.boolean(),
    });
  },
  errors: ['invalid_input', 'unavailable'],
  run: async ({ limit }, context: OperationContext) => {
    const store = await context.openStore();
    await settleInjections(store, context);
    const { actor, workspace, project } = context;
    const list = (state: State, at_most: number) => listState(store, { project, state, limit: at_most });
    const [open, claimed, drafts, waiting, dead, rest] = await Promise.all([
      list('open', limits.status_look_max),
      list('claimed', limits.status_look_max),
      list('draft', limit),
      list('waiting', limit),
      list('dead', limit),
      store.count({
        filter: { project, state: ['draft', 'waiting', 'dead'] },
        look_max: limits.count_look_default,
      }),
    ]);
    const free = await keepFree(open, store, context);
    const claimable = free.filter((handoff) => isAvailable(handoff, context.now()));
    const held = claimed.filter(({ delivery }) => delivery.lease?.holder === actor.name);
    const tell = (handoffs: readonly Handoff[]) => handoffs.slice(0, limit).map(inShort);
    return {
      project,
      root: workspace.root,
      branch: readBranch(workspace),
      store: shownStoreUrl(context.store_url),
      actor,
      counts: {
        open: claimable.length,
        drafts: rest.counts.draft ?? 0,
        held_by_you: held.length,
        waiting: rest.counts.waiting ?? 0,
        dead: rest.counts.dead ?? 0,
      },
      open: tell(claimable),
      open_for_others: open.length - free.length,
      drafts: tell(drafts),
      held_by_you: tell(held),
      held_by_others: claimed.length - held.length,
      waiting: tell(waiting),
      dead: tell(dead),
      is_partial: [open, claimed].some(({ length }) => length === limits.status_look_max) || rest.partial.length > 0,
    };
  },
});

/** Those that are not addressed to another agent, and not of a session that is still at work on them. */
async function keepFree(open: readonly Handoff[], store: Store, context: OperationContext): Promise<Handoff[]> {
  const live = new Set(await listLiveHandoffs(store, context));
  return open.filter(({ id, content: { target_agent } }) => {
    return (target_agent === undefined || target_agent === context.actor.name) && !live.has(id);
  });
}

interface Wanted {
  project: string;
  state: State;
  limit: number;
}

async function listState(store: Store, { project, state, limit }: Wanted): Promise<Handoff[]> {
  const first = state === 'open' ? 'oldest' : 'newest';
  return (await store.list({ filter: { project, state: [state] }, first, limit })).handoffs;
}
