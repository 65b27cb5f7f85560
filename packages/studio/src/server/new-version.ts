import type { Content } from '../../../batonpass/src/core/content.ts';
import type { Handoff } from '../../../batonpass/src/core/handoff.ts';
import type { State } from '../../../batonpass/src/core/state.ts';
import { transitions } from '../../../batonpass/src/core/transitions.ts';
import { call, createKey } from './call.ts';

/** Whether a handoff in this state can be replaced by a newer one. */
export function isReplaceable(state: State): boolean {
  return (transitions.supersede.from as readonly State[]).includes(state);
}

/**
 * Writes a handoff again as a draft: an open or delivered handoff never changes. One that is not claimed yet is
 * withdrawn when the draft is approved, and can be claimed until then; any other stays as it is, and the draft
 * continues it.
 *
 * @param change - what differs in the draft. Default: nothing.
 * @returns the draft.
 * @throws ServerProblem
 */
export async function writeNewVersion(
  id: string,
  change: (content: Content) => Content = (content) => content,
): Promise<Handoff> {
  const { content, delivery } = await call('handoff.get', { id, payload: true });
  // A payload that is stored separately was loaded with it, and is stored separately again.
  const { payload_ref: _pointer, supersedes_id: _replaced, expires_at, ...kept } = change(content);
  const link = isReplaceable(delivery.state) ? { supersedes_id: id } : { parent_id: id };
  const isDue = expires_at !== undefined && Date.parse(expires_at) > Date.now();
  const written = {
    ...kept,
    ...(isDue && { expires_at }),
    ...link,
  };
  return call('handoff.create', { content: written, draft: true }, { idempotencyKey: createKey() });
}
