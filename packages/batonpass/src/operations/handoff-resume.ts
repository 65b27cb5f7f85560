import { z } from 'zod';
import { limits } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import type { ClaimAnswer } from '../core/store.ts';
import { readBranch } from '../workspace/project.ts';
import { callOf, type OperationContext } from './context.ts';
import { handoffOutput } from './output-schemas.ts';
import { renderClaimed } from './render-claimed.ts';
import { renderedContextSchema } from './rendered-context.ts';
import { findResumable } from './sessions/find-resumable.ts';
import { settleInjections } from './sessions/settle-injections.ts';
import { unlessTaken } from './sessions/unless-taken.ts';

/** Claims the newest context of this project and branch: a new session continues from there. */
export const handoffResume = defineOperation({
  name: 'handoff.resume',
  summary: 'Claims the newest open context of this project and branch, to continue where the last session stopped.',
  mutates: true,
  doors: { mcp: { tool: 'handoff_claim', action: 'resume' }, http: { role: 'agent' } },
  input: z.strictObject({
    branch: z.string().min(1).max(limits.name_characters_max).optional().describe('Default: the present one'),
    lease_ms: z.int().min(limits.lease_ms_min).max(limits.lease_ms_max).optional(),
    budget: z.int().min(limits.render_tokens_min).optional(),
  }),
  output: async () =>
    z.strictObject({
      /** With the lease's token, which every further step needs; null where there is nothing to continue from. */
      handoff: (await handoffOutput()).nullable(),
      context: renderedContextSchema.nullable(),
    }),
  errors: ['invalid_input', 'conflict', 'too_large', 'unavailable'],
  run: async ({ branch, lease_ms, budget }, context: OperationContext) => {
    const store = await context.openStore();
    const call = callOf(context, 'handoff.resume');
    // Checked first, because a retry finds the newest context claimed by itself.
    const earlier = (await store.recall(call)) as ClaimAnswer | undefined;
    if (earlier !== undefined) return show(earlier, context, budget);
    await settleInjections(store, context);
    const wanted = { branch: branch ?? readBranch(context.workspace), from: 'others' } as const;
    for await (const { id } of findResumable(wanted, store, context)) {
      const request = {
        project: context.project,
        id,
        lease_ms: lease_ms ?? context.configuration.lease_ms,
        max: 1,
      };
      const answer = await unlessTaken(() => store.claim(request, call));
      if (answer !== undefined) return show(answer, context, budget);
    }
    return { handoff: null, context: null };
  },
});

async function show({ handoffs }: ClaimAnswer, context: OperationContext, budget: number | undefined) {
  const [handoff = null] = handoffs;
  return { handoff, context: handoff && (await renderClaimed(handoff, context, budget)) };
}
