import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import type { Row } from './session.ts';

/** As many as two loops of the largest size hold. */
const ROWS_MAX = 2 * limits.batch_max;

/** Longer contents are read again rather than kept. */
const CONTENT_CHARACTERS_MAX = 16_384;

/**
 * Rows as this process's claims left them: whoever acknowledges a claim is spared reading and locking its row. Only a
 * guess: another process may have moved it since. It is given out for an acknowledgement with the very token, which the
 * life cycle never refuses to what is claimed so; and what is written by it is guarded by the version and the token. Where
 * that does not hold, the row is read as ever. Lost with the process, and the oldest go first.
 */
export class ClaimedRows {
  readonly #rows = new Map<string, { token: string; row: Row }>();

  /** @param row - as it was read. @param taken - the handoff as the claim leaves it. */
  keep(row: Row, { id, delivery }: Handoff): void {
    const { token } = delivery.lease ?? {};
    if (token === undefined || String(row.content).length > CONTENT_CHARACTERS_MAX) return;
    // As a text: what the claimer does to its handoff is not seen here.
    const claimed = { ...row, state: delivery.state, delivery: JSON.stringify(delivery) };
    this.#rows.delete(id);
    this.#rows.set(id, { token, row: { ...claimed, from_lease: `"token":${JSON.stringify(token)}` } });
    const [oldest = ''] = this.#rows.keys();
    if (this.#rows.size > ROWS_MAX) this.#rows.delete(oldest);
  }

  /** Gives out the row of a claim, once; undefined where it is not known. Any other step makes it unknown too. */
  take(id: string, token: string | undefined): Row | undefined {
    const known = this.#rows.get(id);
    this.#rows.delete(id);
    return known !== undefined && known.token === token ? known.row : undefined;
  }
}
