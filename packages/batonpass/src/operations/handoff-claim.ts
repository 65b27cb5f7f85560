import { z } from 'zod';
import { hashJson } from '../core/canonical-json.ts';
import { isHandoffError } from '../core/errors.ts';
import { filterSchema } from '../core/filter.ts';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import type { ClaimAnswer, ClaimRequest, Store } from '../core/store.ts';
import { listenForOpen } from '../stores/open-signs.ts';
import { readBranch } from '../workspace/project.ts';
import { callOf, type OperationContext } from './context.ts';
import { handoffOutput } from './output-schemas.ts';
import { type RenderedContext, renderedContextSchema, renderHandoff } from './rendered-context.ts';
import { referenceSchema, resolveHandoff } from './resolve-handoff.ts';
import { findResumable } from './sessions/find-resumable.ts';
import { listLiveHandoffs } from './sessions/list-live-handoffs.ts';
import { settleInjections } from './sessions/settle-injections.ts';
import { unlessTaken } from './sessions/unless-taken.ts';

const { task_id, kind, scope, include_unscoped } = filterSchema.shape;

/** Between two reads while waiting, where no change wakes the waiter: a lapsed lease and a back-off make no event. */
const recheck_ms = 1_000;

/** Claims the oldest claimable handoff under a lease, with the text for the receiver's context. */
export const handoffClaim = defineOperation({
  name: 'handoff.claim',
  summary: 'Claims the oldest open handoff for this receiver: nobody else gets it while the lease runs.',
  mutates: true,
  doors: { mcp: { tool: 'handoff_claim' }, http: { role: 'agent' } },
  input: z.strictObject({
    id: referenceSchema.optional().describe('Only this handoff'),
    task_id,
    kind,
    scope,
    include_unscoped,
    lease_ms: z.int().min(limits.lease_ms_min).max(limits.lease_ms_max).optional(),
    budget: z.int().min(limits.render_tokens_min).optional(),
    render: z.boolean().optional().describe('Whether to return the text for a model, too; default: yes'),
    acknowledge: z
      .strictObject({ id: referenceSchema, token: z.string().trim().min(1) })
      .optional()
      .describe('What you hold and have finished: acknowledged in the same step, or nothing is claimed'),
    wait_ms: z.int().min(0).optional().describe('How long to wait for one; default: not at all'),
  }),
  output: async () =>
    z.strictObject({
      /** With the lease's token, which every further step needs; null where there is nothing to claim. */
      handoff: (await handoffOutput()).nullable(),
      /** Null where there is nothing to claim, and where `render` is false. */
      context: renderedContextSchema.nullable(),
      /** The handoff that `acknowledge` named, as it is now. */
      acknowledged: (await handoffOutput()).optional(),
      unscoped_left_out: z.int(),
    }),
  errors: ['not_found', 'invalid_input', 'conflict', 'already_claimed', 'lease_lost', 'too_large', 'unavailable'],
  run: async ({ id, lease_ms, budget, render = true, wait_ms, acknowledge, ...filter }, context: OperationContext) => {
    const store = await context.openStore();
    const request: ClaimRequest = {
      ...filter,
      project: context.project,
      id: id === undefined ? undefined : (await resolveHandoff(id, context)).id,
      lease_ms: lease_ms ?? context.configuration.lease_ms,
      max: 1,
      acknowledges: acknowledge && { ...acknowledge, id: (await resolveHandoff(acknowledge.id, context)).id },
      // A handoff that a session has received is not given to another, even after its lease has lapsed.
      unless_unproved: true,
    };
    const answer = await claimAfterAcknowledging(store, request, context, wait_ms ?? 0);
    const [handoff] = answer.handoffs;
    return {
      handoff: handoff ?? null,
      context: handoff === undefined || !render ? null : await renderClaimed(handoff, context, budget),
      ...(answer.acknowledged && { acknowledged: answer.acknowledged }),
      unscoped_left_out: answer.unscoped_left_out,
    };
  },
});

/** A caller that acknowledges and waits acknowledges once: the wait is a claim of its own, also for a retry. */
async function claimAfterAcknowledging(
  store: Store,
  request: ClaimRequest,
  context: OperationContext,
  wait_ms: number,
): Promise<ClaimAnswer> {
  const { acknowledges, ...next } = request;
  if (acknowledges === undefined || wait_ms === 0) return claimOrWait(store, request, context, wait_ms);
  const { handoffs, acknowledged, unscoped_left_out } = await claimOnce(store, request, context);
  if (handoffs.length > 0) return { handoffs, acknowledged, unscoped_left_out };
  const { idempotency_key: key } = context;
  const idempotency_key = key && hashJson([key, 'after the acknowledgement']);
  return { ...(await claimOrWait(store, next, { ...context, idempotency_key }, wait_ms)), acknowledged };
}

/** Listens before the first read, so that a handoff created between two reads wakes the waiter. */
async function claimOrWait(
  store: Store,
  request: ClaimRequest,
  context: OperationContext,
  wait_ms: number,
): Promise<ClaimAnswer> {
  if (wait_ms === 0) return claimOnce(store, request, context);
  const end = AbortSignal.any([context.signal, AbortSignal.timeout(Math.min(wait_ms, 2 ** 31 - 1))]);
  const signs = listenForOpen(store, request);
  end.addEventListener('abort', signs.end);
  try {
    for (;;) {
      const answer = await claimUnlessHeld(store, request, context);
      if (answer.handoffs.length > 0 || end.aborted) return answer;
      await signs.wait(recheck_ms);
    }
  } finally {
    end.removeEventListener('abort', signs.end);
    signs.end();
  }
}

/**
 * The handoffs of sessions at work are read at each attempt: during a wait, sessions save, end and begin. Proofs are
 * looked for only where the store reports that one is awaited, which is rare.
 */
async function claimOnce(store: Store, request: ClaimRequest, context: OperationContext): Promise<ClaimAnswer> {
  const exclude_ids = request.id === undefined ? await listLiveHandoffs(store, context) : [];
  const answer = await store.claim({ ...request, exclude_ids }, callOf(context, 'handoff.claim'));
  if (answer.is_unproved === undefined) return answer;
  await settleInjections(store, context);
  return claimOnce(store, { ...request, unless_unproved: undefined }, context);
}

/** A waiter for one handoff that another caller holds keeps waiting; every other refusal is final. */
async function claimUnlessHeld(store: Store, request: ClaimRequest, context: OperationContext): Promise<ClaimAnswer> {
  try {
    return await claimOnce(store, request, context);
  } catch (error) {
    if (!isHandoffError(error) || error.code !== 'already_claimed') throw error;
    return { handoffs: [], unscoped_left_out: 0 };
  }
}

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

/**
 * Renders what the caller has just claimed. What is too large to render is given back, since the caller gets an error
 * instead of the token: by a release where the caller's own budget was too small, else by a failure, so that it does not
 * block the handoffs that wait behind it for ever.
 *
 * @throws HandoffError `too_large` for a planning agent's instructions beyond their budget. After a crash before it was
 * given back, the lease lapses.
 */
async function renderClaimed(
  handoff: Handoff,
  context: OperationContext,
  budget: number | undefined,
): Promise<RenderedContext> {
  try {
    return renderHandoff(handoff, context, budget);
  } catch (error) {
    const { token } = handoff.delivery.lease ?? {};
    if (isHandoffError(error) && token !== undefined) {
      const reason = error.message;
      const step = { type: budget === undefined ? ('fail' as const) : ('release' as const), token, reason };
      const call = { ...callOf(context, `handoff.${step.type}`), idempotency_key: undefined };
      // Where a repeated call finds it given back already, nothing is left to do; else its lease lapses.
      await (await context.openStore()).transition(handoff.id, step, call).catch(unlessExpected);
    }
    throw error;
  }
}

function unlessExpected(failure: unknown): void {
  if (!isHandoffError(failure)) throw failure;
}
