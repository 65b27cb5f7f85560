import type { Handoff } from '../../core/handoff.ts';
import { pointedPayload } from '../../core/payload.ts';
import type { ImportAnswer, StoredHandoff } from '../../core/store.ts';
import { decodeHandoff } from '../handoff-columns.ts';
import { judgeImport } from '../moving.ts';
import * as eventStatements from './event-statements.ts';
import type { Ledger } from './ledger.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import { encodeStoredHandoff } from './row.ts';
import * as statements from './statements.ts';

/** Handoffs on their way from store to store. Callers hold the transaction. */
export class Moving {
  readonly #statements: PreparedStatements;
  readonly #ledger: Ledger;

  constructor(prepared: PreparedStatements, ledger: Ledger) {
    this.#statements = prepared;
    this.#ledger = ledger;
  }

  /** With their places, oldest first; all as of one instant, whatever other processes write meanwhile. */
  export(page: { after: number; limit: number }): (StoredHandoff & { seq: number })[] {
    this.#statements.of('SAVEPOINT page').run();
    try {
      const rows = this.#statements.of(statements.exportAfter).all(page);
      return rows.map((row) => ({ seq: Number(row.seq), ...this.#stored(decodeHandoff(row)) }));
    } finally {
      this.#statements.of('RELEASE page').run();
    }
  }

  import(handoffs: readonly StoredHandoff[]): ImportAnswer {
    const answer = { added: 0, updated: 0, unchanged: 0 };
    for (const came of handoffs) {
      const { handoff, payload_json } = came;
      const present = this.#ledger.find(handoff.id);
      const { became, missing } = judgeImport(present && this.#stored(present), came);
      answer[became] += 1;
      if (became === 'unchanged') continue;
      this.#ledger.keepPayload(handoff.project, pointedPayload({ content: handoff.content, payload_json }));
      const seq = this.#statements.of(statements.selectPlace).get({ id: handoff.id })?.seq;
      this.#statements.of(statements.insertStored).run({ seq, ...encodeStoredHandoff(handoff) });
      const last = this.#ledger.lastEvent;
      for (const event of missing) this.#ledger.append(event, handoff.project);
      // A handoff that was removed may have left a line, which comes again with its whole history.
      if (present === undefined)
        this.#statements.of(eventStatements.deleteFormerEvents).run({ handoff_id: handoff.id, last });
    }
    return answer;
  }

  remove(handoffs: readonly { id: string; version: number }[]): number {
    let removed = 0;
    for (const { id, version } of handoffs) {
      if (this.#statements.of(statements.deleteFinal).run({ id, version }) === 0) continue;
      this.#statements.of(eventStatements.deleteEvents).run({ handoff_id: id });
      removed += 1;
    }
    this.#statements.of(statements.deleteUnusedPayloads).run();
    return removed;
  }

  #stored(handoff: Handoff): StoredHandoff {
    const { payload_ref } = handoff.content;
    const payload_json = payload_ref && this.#ledger.findPayload(payload_ref.sha256);
    const events = this.#ledger.events({ handoff_id: handoff.id, limit: Number.MAX_SAFE_INTEGER });
    return { handoff, events, ...(payload_json !== undefined && { payload_json }) };
  }
}
