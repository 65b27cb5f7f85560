import type { Handoff } from '../../core/handoff.ts';
import type { StepContext } from '../../core/lifecycle.ts';
import { approvalOf, type Beginning, begin } from '../../core/lifecycle-begin.ts';
import { absentHandoff } from '../../core/lifecycle-claim.ts';
import { pointedPayload } from '../../core/payload.ts';
import type { NewHandoff } from '../../core/store.ts';
import type { Transaction } from './transaction.ts';

/** Adds a handoff with its payload, opens a draft that was approved at once, and ends what it replaces. */
export async function addHandoff(
  transaction: Transaction,
  given: NewHandoff,
  beginning: Beginning & StepContext,
): Promise<Handoff> {
  await transaction.keepPayload(given.project, pointedPayload(given));
  const added = begin(given, beginning);
  transaction.add(added, given.content_json);
  const step = approvalOf(given);
  const handoff = (step && (await transaction.take(added.handoff, step, beginning))) ?? added.handoff;
  await supersede(transaction, handoff, beginning);
  return handoff;
}

/** What a handoff replaces is offered until the new one is open. */
export async function supersede(transaction: Transaction, by: Handoff, context: StepContext): Promise<void> {
  const { id, project, content, delivery } = by;
  const { supersedes_id } = content;
  if (supersedes_id === undefined) return;
  const superseded = await transaction.get(supersedes_id);
  if (superseded === undefined || superseded.project !== project) throw absentHandoff(supersedes_id);
  if (delivery.state !== 'open') return;
  await transaction.take(superseded, { type: 'supersede', by_id: id }, context);
}
