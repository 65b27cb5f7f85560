import { clockActor, type StepContext } from '../../core/lifecycle.ts';
import { limits } from '../../core/limits.ts';
import type { Call, StoreSurroundings } from '../../core/store.ts';
import type { StoreStep } from '../../core/transitions.ts';
import { assertSameRequest, identifyRequest, type KeyedRequest, type WriteRequest } from '../idempotency.ts';
import { assertCall } from '../requests.ts';
import type { Connection, Written } from './connection.ts';
import { ownLock } from './locks.ts';
import { placeLines } from './places.ts';
import { type ExportedHandoff, Reader } from './reader.ts';
import type { Session } from './session.ts';
import * as statements from './statements.ts';
import { type Evidence, Transaction } from './transaction.ts';

/** Something came due: it is applied first. */
const DUE = Symbol('due');
/** Some lines of history have no place yet. */
const UNPLACED = Symbol('unplaced');

/** The body of a call that writes. */
export type Body<T> = (transaction: Transaction, context: StepContext) => Promise<T>;

/** What the ledger needs of its store. */
export type LedgerOptions = Pick<StoreSurroundings, 'random'> & {
  /** After each commit that wrote a line of history. */
  onCommit: () => void;
};

/** The rows of one store: reads and writes that let happen first what is due, and answer a repeated key as before. */
export class Ledger {
  readonly #connection: Connection;
  readonly #options: LedgerOptions;
  /** Lookups of where subscriptions begin: what is written after they were asked for comes after them. */
  readonly #beginning = new Set<Promise<unknown>>();

  constructor(connection: Connection, options: LedgerOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** A read that finds something due lets it happen first; else it takes no lock. */
  async read<T>(body: (reader: Reader, session: Session) => Promise<T>): Promise<T> {
    for (;;) {
      const found = await this.#connection.read(async (session) =>
        session.is_due ? DUE : { answer: await body(new Reader(session), session) },
      );
      if (found !== DUE) return found.answer;
      await this.transact(ownLock(), async () => ({ answer: undefined }));
    }
  }

  /** Reads history when every line that was committed before the call has its place. */
  async readPlaced<T>(body: (reader: Reader) => Promise<T>): Promise<T> {
    const found = await this.read(async (reader) =>
      (await reader.isUnplaced()) ? UNPLACED : { answer: await body(reader) },
    );
    if (found !== UNPLACED) return found.answer;
    await this.#placeLines();
    return this.read(body);
  }

  /** A page of handoffs with their whole histories, each line with its place. */
  async exportPlaced(page: { after: number; limit: number }): Promise<ExportedHandoff[]> {
    for (;;) {
      const found = await this.read((reader) => reader.export(page));
      if (found.every(({ isPlaced }) => isPlaced)) return found;
      await this.#placeLines();
    }
  }

  /** Places of different projects are committed in any order: a page must not pass over one that is still to come. */
  async untilAddersAreDone(): Promise<void> {
    const key = this.#connection.locks.contents;
    await this.#connection.write(ownLock(), async (session) => ({
      answer: await session.run(statements.lockExclusive, { key }),
    }));
  }

  /** The last place of the history; writes that are asked for after it come behind it. */
  async findEnd(): Promise<number> {
    const end = this.#placeLines();
    this.#beginning.add(end);
    try {
      return await end;
    } finally {
      this.#beginning.delete(end);
    }
  }

  /** The remembered answer of a repeated call; else the body's, remembered if it changed anything. */
  async answer<T>(call: Call, request: WriteRequest, body: Body<T>): Promise<T> {
    assertCall(call);
    const keyed = identifyRequest(call, request);
    const lock = keyed === undefined ? ownLock() : this.#connection.locks.ofKey(keyed.key_sha256);
    return this.transact(lock, (session) => this.#answer(session, { call, keyed }, body));
  }

  /** Runs a body in a transaction, after what is due, which happens whatever becomes of the body. */
  async transact<T>(lock: string, body: (session: Session) => Promise<Written<T>>): Promise<T> {
    if (this.#beginning.size > 0) await Promise.allSettled(this.#beginning);
    for (;;) {
      let hasWritten = false;
      const done = await this.#connection.write<{ answer: T } | typeof DUE>(lock, async (session) => {
        const { answer, evidence } = session.is_due ? await this.#applyDue(session) : wrapped(await body(session));
        hasWritten = evidence !== undefined;
        return { answer, evidence };
      });
      if (hasWritten) this.#options.onCommit();
      if (done !== DUE) return done.answer;
    }
  }

  /** What a body gathers its changes in. */
  begin(session: Session): Transaction {
    const { locks, channel } = this.#connection;
    return new Transaction(session, { locks, channel });
  }

  async #placeLines(): Promise<number> {
    const { locks } = this.#connection;
    return this.#connection.write(ownLock(), async (session) => ({ answer: await placeLines(session, locks) }));
  }

  /** Lapses, then expiries, the earliest due first; a batch of each, for the rest is found due again. */
  async #applyDue(session: Session): Promise<Written<typeof DUE>> {
    const lapsed = await this.#applyEach(session, statements.lockLapsed, { type: 'lapse' });
    const expired = await this.#applyEach(session, statements.lockExpired, { type: 'expire' });
    return { answer: DUE, evidence: expired ?? lapsed };
  }

  /** Written at once: what has lapsed may also have expired. */
  async #applyEach(session: Session, sql: string, step: StoreStep): Promise<Evidence | undefined> {
    const transaction = this.begin(session);
    const { now_ms } = session;
    const context = { actor: clockActor, now_ms, random: this.#options.random };
    const rows = await session.all(sql, { now: now_ms, batch_max: limits.batch_max });
    for (const row of rows) await transaction.take(transaction.keepRow(row), step, context);
    return transaction.flush();
  }

  async #answer<T>(
    session: Session,
    { call, keyed }: { call: Call; keyed: KeyedRequest | undefined },
    body: Body<T>,
  ): Promise<Written<T>> {
    const remembered = keyed && (await new Reader(session).findAnswer(keyed));
    if (keyed !== undefined && remembered !== undefined) {
      assertSameRequest(call, remembered.request_sha256, keyed);
      return { answer: remembered.answer as T };
    }
    const transaction = this.begin(session);
    const { now_ms } = session;
    const answer = await body(transaction, { actor: call.actor, now_ms, random: this.#options.random });
    if (transaction.isEmpty) return { answer };
    const evidence = await transaction.flush();
    if (keyed !== undefined) {
      await session.run(statements.deleteOldAnswers, { now: now_ms });
      const expires_at = now_ms + limits.idempotency_ms;
      await session.run(statements.insertAnswer, { ...keyed, answer: JSON.stringify(answer), expires_at });
    }
    return { answer, evidence };
  }
}

/** Told apart from what came due. */
function wrapped<T>({ answer, evidence }: Written<T>): Written<{ answer: T }> {
  return { answer: { answer }, evidence };
}
