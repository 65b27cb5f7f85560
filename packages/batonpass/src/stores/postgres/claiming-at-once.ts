import type { Handoff } from '../../core/handoff.ts';
import type { ClaimRequest } from '../../core/store.ts';
import { selectClaimed } from './claim-statements.ts';
import { type Claimer, claimingAtOnce, decodeClaimed, inOrder } from './claiming.ts';
import { queueOf } from './floors.ts';
import type { Ledger } from './ledger.ts';
import type { Row } from './session.ts';
import type { Transaction } from './transaction.ts';

/** Claims by one message to the server each: the move, its line of history and the commit. */
export class ClaimsAtOnce {
  readonly #ledger: Ledger;
  /** Whether a claim has met a row that is damaged: a transaction that is looked at before its commit takes none back. */
  #isCareful = false;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /**
   * Claims the oldest that the request may have.
   *
   * @returns nothing where there is nothing near: a transaction finds out.
   * @throws HandoffError `unavailable` for a content that is damaged; what was claimed with it is given back.
   */
  async claim(request: ClaimRequest, claimer: Claimer): Promise<Handoff[]> {
    if (this.#isCareful) return [];
    const queue = queueOf(request, claimer.actor.name);
    const statement = claimingAtOnce(request, claimer, claimer.floors.known(queue));
    const look = claimer.floors.whenDue(queue, request, claimer.actor.name);
    const { rows, isRepeated } = await this.#ledger.send(statement, look?.mayTakeLong ? undefined : look);
    // By another connection: whoever takes this one next would wait for it.
    if (look?.mayTakeLong) void this.#ledger.find(look.statement).then(look.onRows, () => {});
    const claimed =
      isRepeated && rows.length === 0 ? await this.#ledger.find({ ...statement, sql: selectClaimed }) : rows;
    try {
      return decodeClaimed(inOrder(claimed), request, claimer);
    } catch (error) {
      this.#isCareful = true;
      await this.#giveBack(claimed, request, claimer);
      throw error;
    }
  }

  async #giveBack(rows: readonly Row[], { project }: ClaimRequest, { actor }: Claimer): Promise<void> {
    const ids = rows.map(({ id }) => String(id));
    const call = { actor, project, operation: 'handoff.claim' };
    const calls = rows.map(({ id, lease_token }) => ({
      call,
      body: async (transaction: Transaction, context: Parameters<Transaction['take']>[2]) => {
        const held = await transaction.get(String(id));
        const step = {
          type: 'release',
          token: String(lease_token),
          reason: 'A handoff claimed with it is damaged.',
        } as const;
        if (held !== undefined) await transaction.take(held, step, context);
      },
    }));
    await this.#ledger.answerAll(calls, { ids });
  }
}
