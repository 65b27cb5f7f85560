import type { Handoff } from '../../core/handoff.ts';
import type { ClaimRequest } from '../../core/store.ts';
import { decodeIntactHandoff } from '../handoff-columns.ts';
import { selectClaimed } from './claim-statements.ts';
import { type Claimer, claimingAtOnce, inOrder } from './claiming.ts';
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
   * @returns nothing where there is nothing near, or the queue's floor is not known yet: a transaction finds out.
   * @throws HandoffError `unavailable` for a content that is damaged; what was claimed with it is given back.
   */
  async claim(request: ClaimRequest, claimer: Claimer): Promise<Handoff[]> {
    const queue = queueOf(request, claimer.actor.name);
    const floor = claimer.floors.known(queue);
    if (floor === undefined || this.#isCareful) return [];
    const statement = claimingAtOnce(request, claimer, floor);
    const { rows, isRepeated } = await this.#ledger.send(statement);
    // Behind the claim, which else would wait for another connection.
    if (claimer.floors.isDue(queue)) this.#raiseFloor(request, claimer);
    const claimed =
      isRepeated && rows.length === 0 ? await this.#ledger.find({ ...statement, sql: selectClaimed }) : rows;
    try {
      return inOrder(claimed).map(decodeIntactHandoff);
    } catch (error) {
      this.#isCareful = true;
      await this.#giveBack(claimed, request, claimer);
      throw error;
    }
  }

  /** Nobody waits for it: the floor that is known is true, and only lower than it could be. */
  #raiseFloor(request: ClaimRequest, { floors, actor }: Claimer): void {
    void this.#ledger
      .read((_reader, session) => floors.find(session, request, actor.name))
      .catch(() => {
        // The next claim meets what kept it, and says so.
      });
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
