import { z } from 'zod';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { maskSecrets } from '../../core/masking.ts';
import { defineOperation } from '../../core/operation.ts';
import { contentToSnapshot } from '../../draft/snapshot.ts';
import { callOf, type OperationContext } from '../context.ts';
import { handoffOutput } from '../output-schemas.ts';
import { nameField, planErrors } from '../plan/plan-fields.ts';
import { referenceSchema, resolveHandoff, tokenSchema } from '../resolve-handoff.ts';
import { readAttempts } from './attempts.ts';
import { findFinished } from './find-finished.ts';
import { type FinishedPlanning, finishPlanning } from './finish-planning.ts';
import type { ReportData } from './report-data.ts';
import { snapshotSchema } from './snapshot-schema.ts';
import { toPlannedWork } from './to-planned-work.ts';
import { newPlanSchema } from './write-plan-tool.ts';

/** `getHandoffContext` for any agent that holds a handoff: the frozen snapshot, as source 5's tool gives it. */
export const planningContext = defineOperation({
  name: 'planning.context',
  summary: 'Returns the frozen snapshot of a handoff that you hold: decisions, files, risks and summary.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'context' }, http: { role: 'agent' } },
  input: z.strictObject({ id: referenceSchema, token: tokenSchema }),
  output: async () => snapshotSchema,
  errors: ['not_found', 'invalid_input', 'lease_lost', 'unavailable'],
  run: async ({ id, token }, context: OperationContext) => {
    const { content } = await heldBy({ id, token }, context);
    return contentToSnapshot(content);
  },
});

/** `addDecision` for any agent that holds a handoff: stored in its history, and passed on with the plan as a new decision. */
export const planningAddDecision = defineOperation({
  name: 'planning.add-decision',
  summary: 'Adds a decision that you found while planning; the frozen snapshot stays as it is.',
  mutates: true,
  doors: { mcp: { tool: 'handoff_update', action: 'add-decision' }, http: { role: 'agent' } },
  input: z.strictObject({
    id: referenceSchema,
    token: tokenSchema,
    content: z.string().trim().min(1).max(limits.entry_characters_max),
  }),
  output: async () => z.strictObject({ added: z.literal(true) }),
  errors: ['not_found', 'invalid_input', 'conflict', 'lease_lost', 'too_large', 'unavailable'],
  run: async ({ id: reference, token, content: given }, context: OperationContext) => {
    const { id } = await resolveHandoff(reference, context);
    const content = maskSecrets(given).text;
    const data: ReportData = { type: 'decision', content };
    const text = `Decided while planning: ${content}`.slice(0, limits.entry_characters_max).toWellFormed();
    const store = await context.openStore();
    await store.transition(id, { type: 'report', token, text, data }, callOf(context, 'planning.add-decision'));
    return { added: true as const };
  },
});

/** `completePlanning` for any agent that holds a handoff: its plan is written and becomes the next handoff. */
export const planningComplete = defineOperation({
  name: 'planning.complete',
  summary: 'Completes the planning of a handoff that you hold: writes the plan, and hands it over.',
  mutates: true,
  doors: { mcp: { tool: 'handoff_update', action: 'complete' }, http: { role: 'agent', folder: true } },
  input: z.strictObject({
    id: referenceSchema,
    token: tokenSchema,
    summary: z.string().trim().min(1).max(limits.summary_characters_max).describe('Summary of the generated plan'),
    plan_content: newPlanSchema.optional().describe('Without it, a skeleton made by rules is used'),
    plan_name: nameField.max(limits.task_name_characters_max).optional(),
  }),
  output: async () =>
    z.strictObject({
      complete: z.literal(true),
      summary: z.string(),
      plan_directory: z.string(),
      former_directory: z.string().optional(),
      handoff: await handoffOutput(),
      next: await handoffOutput(),
    }),
  errors: [...planErrors, 'not_found', 'conflict', 'lease_lost', 'validation_failed', 'phase_transition_violation'],
  run: async ({ id, token, ...given }, context: OperationContext) => {
    const earlier = await recallFinished(id, context);
    if (earlier !== undefined) return { complete: true as const, summary: given.summary, ...earlier };
    const held = await heldBy({ id, token }, context);
    const attempt = (await readAttempts(await context.openStore(), held)).at(-1);
    const decisions = (attempt?.decisions ?? []).map((content) => ({ content }));
    const planner = held.delivery.lease?.holder ?? context.actor.name;
    const work = toPlannedWork(held, { planner, decisions, ...given }, context);
    const finished = await finishPlanning(held, work, context);
    return { complete: true as const, summary: given.summary, ...finished };
  },
});

/** The planning that the same key completed already: its token proves nothing any more. */
async function recallFinished(id: string, context: OperationContext): Promise<FinishedPlanning | undefined> {
  const earlier = await (await context.openStore()).recall(callOf(context, 'planning.finish'));
  return earlier === undefined ? undefined : findFinished(await resolveHandoff(id, context), context);
}

/**
 * The handoff that the caller holds, with its token: the proof changes nothing.
 *
 * @throws HandoffError `not_found`; `lease_lost` where the token is not that of the present lease.
 */
async function heldBy({ id, token }: { id: string; token: string }, context: OperationContext): Promise<Handoff> {
  const found = await resolveHandoff(id, context);
  const held = await (await context.openStore()).get(found.id, token);
  const { lease } = held?.delivery ?? {};
  if (held === null || lease === undefined) return found;
  return { ...held, delivery: { ...held.delivery, lease: { ...lease, token } } };
}
