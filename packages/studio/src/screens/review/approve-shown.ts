import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { planAgentName } from '../../../../batonpass/src/draft/plan-agent-name.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call, createKey } from '../../server/call.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { announce, announceFailure } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';
import type { SyncedDraft } from './use-draft-sync.ts';

/** The text for a receiver, and the draft that it was rendered from. */
export interface Shown {
  handoff: Handoff;
  rendered: OperationOutput<'handoff.render'>;
}

/**
 * Saves the draft, and renders the text for its receiver. A draft without a receiver is first addressed to the planning
 * agent; any other keeps its receiver.
 *
 * @throws Error with a message for the user where something is not saved, or not chosen.
 */
export async function showText({ sync }: Pick<SyncedDraft, 'sync'>): Promise<Shown> {
  await sync.save();
  const { phase, reason, conflicts, handoff } = sync.state.getState();
  if (conflicts.length > 0) throw new Error('Choose first between your words and theirs: see above.');
  if (phase !== 'saved') throw new Error(`The draft is not saved. ${reason}`);
  const { id, content, delivery } = handoff;
  if (content.target_agent === undefined) {
    await call('handoff.edit', { id, changes: { target_agent: planAgentName }, if_version: delivery.version });
    sync.hear();
    await sync.save();
  }
  const rendered = await call('handoff.render', { id });
  return { handoff: sync.state.getState().handoff, rendered };
}

/** Approves a draft by the bytes that were shown. @throws ServerProblem */
export async function approveShown({ handoff, rendered }: Shown): Promise<void> {
  const { sha256: rendered_sha256, budget } = rendered;
  const { id, content_sha256 } = handoff;
  await call('handoff.approve', { id, content_sha256, rendered_sha256, budget });
  announce('Approved.');
}

/** Starts the run of an approved handoff and goes to its page, which can also start it after a failure. */
export async function planApproved(id: string): Promise<void> {
  try {
    await call('planning.start', { id }, { idempotencyKey: createKey() });
  } catch (error) {
    announceFailure(describeProblem(error));
  }
  navigate(`/run/${id}`);
}
