import type { Handoff } from '../../core/handoff.ts';
import { pointedPayload } from '../../core/payload.ts';
import type { ImportAnswer, StoredHandoff } from '../../core/store.ts';
import { judgeImport } from '../moving.ts';
import type { Changes } from './changes.ts';
import type { Reader } from './reader.ts';
import type { SqlStatements } from './statements.ts';
import { all, first, type Work } from './work.ts';

/** Keeps handoffs as another store had them. */
export function* importHandoffs(
  changes: Changes,
  handoffs: readonly StoredHandoff[],
  reader: Reader,
): Work<ImportAnswer> {
  const { statements } = reader;
  const found: Handoff[] = [];
  for (const { handoff } of handoffs) {
    const here = yield* changes.get(handoff.id);
    if (here !== undefined) found.push(here);
  }
  const stored = yield* reader.withBelongings(found);
  const present = new Map(stored.map((each) => [each.handoff.id, each]));
  const answer = { added: 0, updated: 0, unchanged: 0 };
  const ids: string[] = [];
  for (const came of handoffs) {
    const { handoff, payload_json } = came;
    const { became, missing } = judgeImport(present.get(handoff.id), came);
    answer[became] += 1;
    if (became === 'unchanged') continue;
    // A list that names one twice finds what it brought itself.
    present.set(handoff.id, came);
    if (became === 'added') ids.push(handoff.id);
    yield* changes.keepPayload(handoff.project, pointedPayload({ content: handoff.content, payload_json }));
    changes.keepAsStored(handoff, missing);
  }
  // A handoff that was removed may have left a line, which comes again with its whole history.
  const line = (yield* first(statements.selectFormerLine, { ids }))?.line;
  yield* changes.write();
  if (typeof line !== 'number') return answer;
  // Numbered first: the newest line keeps the sequence numbers of all later lines above it.
  yield* statements.dialect.placeLines();
  yield* all(statements.deleteFormerEvents, { ids, line });
  return answer;
}

/** Removes what is final and of the named version; returns how many. */
export function* removeHandoffs(
  handoffs: readonly { id: string; version: number }[],
  statements: SqlStatements,
): Work<number> {
  const rows = handoffs.map(({ id, version }) => ({ id, version }));
  const removed = rows.length === 0 ? [] : yield { sql: statements.dialect.deleteFinal, rows };
  if (removed.length === 0) return 0;
  yield* statements.dialect.placeLines();
  yield* all(statements.deleteEvents, { ids: removed.map(({ id }) => String(id)) });
  yield* all(statements.deleteUnusedPayloads);
  return removed.length;
}
