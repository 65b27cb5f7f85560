import { pointedPayload } from '../../core/payload.ts';
import type { ImportAnswer, StoredHandoff } from '../../core/store.ts';
import { judgeImport } from '../moving.ts';
import type { Evidence } from './evidence.ts';
import type { Locks } from './locks.ts';
import { placeLines } from './places.ts';
import { Reader } from './reader.ts';
import { byColumn } from './row.ts';
import type { Session } from './session.ts';
import * as statements from './statements.ts';
import type { Transaction } from './transaction.ts';

/** Handoffs on their way from store to store. Callers hold the transaction. */

/** Takes handoffs over. */
export async function importInto(
  transaction: Transaction,
  handoffs: readonly StoredHandoff[],
  locks: Locks,
): Promise<{ answer: ImportAnswer; evidence: Evidence | undefined }> {
  const { session } = transaction;
  const present = await lockPresent(
    transaction,
    handoffs.map(({ handoff }) => handoff.id),
  );
  const answer = { added: 0, updated: 0, unchanged: 0 };
  const came_again: string[] = [];
  for (const came of handoffs) {
    const { handoff, payload_json } = came;
    const { became, missing } = judgeImport(present.get(handoff.id), came);
    answer[became] += 1;
    if (became === 'unchanged') continue;
    // A list that names one twice finds what it brought itself.
    present.set(handoff.id, came);
    if (became === 'added') came_again.push(handoff.id);
    await transaction.keepPayload(handoff.project, pointedPayload({ content: handoff.content, payload_json }));
    transaction.keepAsStored(handoff, missing);
  }
  const former = (await session.get(statements.selectFormerLine, { ids: came_again }))?.line;
  const evidence = await transaction.flush();
  if (typeof former === 'number') {
    // Placed first: the newest line keeps the places of all later ones above it.
    await placeLines(session, locks);
    await session.run(statements.deleteFormerEvents, { ids: came_again, line: former });
  }
  return { answer, evidence };
}

/** What is here of some handoffs, with all that belongs to them, and locked. */
async function lockPresent(transaction: Transaction, ids: readonly string[]): Promise<Map<string, StoredHandoff>> {
  const { session } = transaction;
  const rows = await session.all(statements.lockHandoffs, { ids });
  const stored = await new Reader(session).withBelongings(rows.map((row) => transaction.keepRow(row)));
  return new Map(stored.map((each) => [each.handoff.id, each]));
}

/** Removes what is final and of the named version; tells how many. */
export async function removeFrom(
  session: Session,
  handoffs: readonly { id: string; version: number }[],
  locks: Locks,
): Promise<number> {
  if (handoffs.length === 0) return 0;
  // Nobody adds meanwhile what points to a payload that goes.
  await session.run(statements.lockExclusive, { key: locks.contents });
  const given = byColumn(handoffs.map(({ id, version }) => ({ id, version })));
  const removed = await session.all(statements.deleteFinal, given);
  if (removed.length === 0) return 0;
  await placeLines(session, locks);
  await session.run(statements.deleteEvents, { ids: removed.map(({ id }) => String(id)) });
  await session.run(statements.deleteUnusedPayloads);
  return removed.length;
}
