import type { Handoff } from '../../core/handoff.ts';
import { pointedPayload } from '../../core/payload.ts';
import { isFinal } from '../../core/state.ts';
import type { ImportAnswer, StoredHandoff } from '../../core/store.ts';
import { judgeImport } from '../moving.ts';
import type { Contents, Transaction } from './transaction.ts';

/** A handoff with all that belongs to it. */
export function storedOf({ events, payloads }: Contents, handoff: Handoff): StoredHandoff {
  const { payload_ref } = handoff.content;
  const payload_json = payload_ref && payloads.get(payload_ref.sha256);
  const history = events
    .filter(({ handoff_id }) => handoff_id === handoff.id)
    .map(({ project: _project, ...event }) => event);
  return { handoff, events: history, ...(payload_json !== undefined && { payload_json }) };
}

/** Imports handoffs within a transaction; `storedOf` returns what is stored already. */
export function importInto(
  transaction: Transaction,
  handoffs: readonly StoredHandoff[],
  storedOf: (handoff: Handoff) => StoredHandoff,
): ImportAnswer {
  const answer = { added: 0, updated: 0, unchanged: 0 };
  for (const came of handoffs) {
    const { handoff, payload_json } = came;
    const present = transaction.get(handoff.id)?.handoff;
    const { became, missing } = judgeImport(present && storedOf(present), came);
    answer[became] += 1;
    if (became === 'unchanged') continue;
    transaction.keepPayload(handoff.project, pointedPayload({ content: handoff.content, payload_json }));
    if (present === undefined) transaction.forget(handoff.id);
    transaction.keep(handoff, missing);
  }
  return answer;
}

/** Removes handoffs that are final and of the named version; returns how many. */
export function removeFrom(contents: Contents, handoffs: readonly { id: string; version: number }[]): number {
  const { handoffs: kept, events, payloads, last } = contents;
  const removed = handoffs.filter(({ id, version }) => {
    const delivery = kept.get(id)?.handoff.delivery;
    return delivery?.version === version && isFinal(delivery.state) && kept.delete(id);
  });
  const ids = new Set(removed.map(({ id }) => id));
  // The last line stays: subscribers of the history continue after it.
  const lines = events.filter(({ handoff_id, seq }) => !ids.has(handoff_id) || seq === last.event_seq);
  events.splice(0, events.length, ...lines);
  const pointed = new Set([...kept.values()].map(({ handoff }) => handoff.content.payload_ref?.sha256));
  for (const sha256 of payloads.keys()) if (!pointed.has(sha256)) payloads.delete(sha256);
  return removed.length;
}
