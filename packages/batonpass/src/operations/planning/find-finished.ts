import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import type { OperationContext } from '../context.ts';
import type { FinishedPlanning } from './finish-planning.ts';

/** The planning that an earlier call completed, so that the same command is right after a crash too; else undefined. */
export async function findFinished(handoff: Handoff, context: OperationContext): Promise<FinishedPlanning | undefined> {
  const { state, acknowledged_at } = handoff.delivery;
  if (state !== 'acknowledged' || acknowledged_at === undefined) return undefined;
  // Both are in one transaction, hence they have one instant.
  const filter = { project: handoff.project, kind: 'plan', since: acknowledged_at };
  const store = await context.openStore();
  const { handoffs } = await store.list({ filter, first: 'oldest', limit: limits.list_max });
  const next = handoffs.find(({ content }) => content.parent_id === handoff.id);
  const plan_directory = next?.content.references.find(({ type }) => type === 'plan')?.identifier;
  return next === undefined || plan_directory === undefined ? undefined : { plan_directory, next, handoff };
}
