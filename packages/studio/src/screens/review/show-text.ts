import { planAgentName } from '../../../../batonpass/src/draft/plan-agent-name.ts';
import { call } from '../../server/call.ts';
import type { Shown } from './approval.tsx';
import type { SyncedDraft } from './use-draft-sync.ts';

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
