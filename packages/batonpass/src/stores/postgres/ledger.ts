import { isHandoffError } from '../../core/errors.ts';
import { clockActor, type StepContext } from '../../core/lifecycle.ts';
import { limits } from '../../core/limits.ts';
import type { Call, StoreSurroundings } from '../../core/store.ts';
import type { StoreStep } from '../../core/transitions.ts';
import { decodeForClock } from '../handoff-columns.ts';
import { assertSameRequest, identifyRequest, type KeyedRequest, type WriteRequest } from '../idempotency.ts';
import * as answering from './answer-statements.ts';
import type { Connection, Written } from './connection.ts';
import type { Evidence } from './evidence.ts';
import { ownLock } from './locks.ts';
import { type Needs, openingOf } from './opening.ts';
import { areAllPlaced, placeLines, placingOf } from './places.ts';
import { type ExportedHandoff, Reader } from './reader.ts';
import { allSent, type Session, type Statement } from './session.ts';
import * as statements from './statements.ts';
import { Transaction } from './transaction.ts';

/** Something came due: it is applied first. */
const DUE = Symbol('due');
/** Some lines of history have no place yet. */
const UNPLACED = Symbol('unplaced');

/** The body of a call that writes. */
export type Body<T> = (transaction: Transaction, context: StepContext) => Promise<T>;

/** A call with what it asks for. */
export interface Asked {
  call: Call;
  request: WriteRequest;
  /** What the body will lock. Default: nothing that is known before. */
  needs?: Needs;
}

/** What came of one of several calls. */
export type Outcome<T> = { answer: T } | { refusal: unknown };

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
    const found = await this.read(async (reader) => {
      const [isUnplaced, answer] = await Promise.all([reader.isUnplaced(), body(reader)]);
      return isUnplaced ? UNPLACED : { answer };
    });
    return found === UNPLACED ? this.readPlacing(body) : found.answer;
  }

  /**
   * The same where lines without a place are to be expected: the message that begins gives the places, and the one that
   * commits them reads.
   *
   * @param body - asks the server once, and at once.
   */
  async readPlacing<T>(body: (reader: Reader) => Promise<T>): Promise<T> {
    const { locks } = this.#connection;
    const { reading } = await this.transact(
      ownLock(),
      async (session) => {
        if (!areAllPlaced(session)) await placeLines(session, locks);
        const reading = body(new Reader(session));
        return { answer: { reading }, sent: reading };
      },
      placingOf(locks),
    );
    return reading;
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
  async answer<T>(asked: Asked, body: Body<T>): Promise<T> {
    const { call, request, needs = {} } = asked;
    const { locks } = this.#connection;
    const keyed = identifyRequest(call, request);
    const lock = keyed === undefined ? ownLock() : locks.ofKey(keyed.key_sha256);
    return this.transact(lock, (session) => this.#answer(session, { ...asked, keyed }, body), openingOf(needs, locks));
  }

  /** Remembers the answer of a call that wrote somewhere else. */
  async remember<T>(call: Call, answer: T): Promise<T> {
    const keyed = identifyRequest(call);
    if (keyed === undefined) return answer;
    return this.transact(this.#connection.locks.ofKey(keyed.key_sha256), async (session) => {
      const remembered = await findAnswer(session, call, keyed);
      if (remembered !== undefined) return { answer: remembered as T };
      return { answer, sent: allSent(remember(session, keyed, answer)) };
    });
  }

  /** Calls that share one transaction: each is refused alone, and all are kept together or none. */
  async answerAll<T>(calls: readonly { call: Call; body: Body<T> }[], needs: Needs): Promise<Outcome<T>[]> {
    const body = async (session: Session) => {
      const transaction = this.begin(session, needs);
      const outcomes: Outcome<T>[] = [];
      for (const { call, body } of calls) {
        const running = transaction.attempt(() => body(transaction, this.#contextOf(call, session)));
        outcomes.push(await running.then((answer) => ({ answer }), toRefusal));
      }
      return { answer: outcomes, ...(!transaction.isEmpty && transaction.send()) };
    };
    return this.transact(ownLock(), body, openingOf(needs, this.#connection.locks));
  }

  /** Runs a body in a transaction, after what is due, which happens whatever becomes of the body. */
  async transact<T>(
    lock: string,
    body: (session: Session) => Promise<Written<T>>,
    opening?: readonly Statement[],
  ): Promise<T> {
    if (this.#beginning.size > 0) await Promise.allSettled(this.#beginning);
    for (;;) {
      const done = await this.#write<{ answer: T } | typeof DUE>(
        lock,
        async (session) => (session.is_due ? { answer: DUE } : wrapped(await body(session))),
        opening,
      );
      if (done !== DUE) return done.answer;
      await this.#write(ownLock(), (session) => this.#applyDue(session));
    }
  }

  /** What a body gathers its changes in. @param needs - what the beginning has locked. */
  begin(session: Session, needs: Needs = {}): Transaction {
    const { locks, channel } = this.#connection;
    const transaction = new Transaction(session, { locks, channel });
    transaction.open(needs);
    return transaction;
  }

  async #write<T>(
    lock: string,
    body: (session: Session) => Promise<Written<T>>,
    opening?: readonly Statement[],
  ): Promise<T> {
    let hasWritten = false;
    const answer = await this.#connection.write(
      lock,
      async (session) => {
        const written = await body(session);
        hasWritten = written.evidence !== undefined;
        return written;
      },
      opening,
    );
    if (hasWritten) this.#options.onCommit();
    return answer;
  }

  async #placeLines(): Promise<number> {
    const { locks } = this.#connection;
    return this.#connection.write(ownLock(), async (session) => ({ answer: await placeLines(session, locks) }));
  }

  /** Lapses, then expiries, the earliest due first; a batch of each, for the rest is found due again. */
  async #applyDue(session: Session): Promise<Written<void>> {
    if (!session.is_due) return { answer: undefined };
    const lapsed = await this.#applyEach(session, statements.lockLapsed, { type: 'lapse' });
    const expired = await this.#applyEach(session, statements.lockExpired, { type: 'expire' });
    return { answer: undefined, evidence: expired ?? lapsed };
  }

  /** Written at once: what has lapsed may also have expired. */
  async #applyEach(session: Session, sql: string, step: StoreStep): Promise<Evidence | undefined> {
    const transaction = this.begin(session);
    const { now_ms } = session;
    const context = { actor: clockActor, now_ms, random: this.#options.random };
    const rows = await session.send(sql, { now: now_ms, batch_max: limits.batch_max });
    // A content that is damaged does not stop the clock.
    for (const row of rows) await transaction.take(transaction.keepRow(row, decodeForClock), step, context);
    return transaction.flush();
  }

  async #answer<T>(
    session: Session,
    { call, keyed, needs }: Asked & { keyed: KeyedRequest | undefined },
    body: Body<T>,
  ): Promise<Written<T>> {
    const remembered = keyed && (await findAnswer(session, call, keyed));
    if (remembered !== undefined) return { answer: remembered as T };
    const transaction = this.begin(session, needs);
    const answer = await body(transaction, this.#contextOf(call, session));
    if (transaction.isEmpty) return { answer };
    const { evidence, sent } = transaction.send();
    const remembering = keyed === undefined ? [] : remember(session, keyed, answer);
    return { answer, evidence, sent: allSent([sent, ...remembering]) };
  }

  #contextOf({ actor }: Call, { now_ms }: Session): StepContext {
    return { actor, now_ms, random: this.#options.random };
  }
}

/** @throws HandoffError `conflict` where the key was used for another request. */
export async function findAnswer(session: Session, call: Call, keyed: KeyedRequest): Promise<unknown> {
  const remembered = await new Reader(session).findAnswer(keyed);
  if (remembered === undefined) return undefined;
  assertSameRequest(call, remembered.request_sha256, keyed);
  return remembered.answer;
}

/** Forgets a little of what is old, too. */
function remember(session: Session, keyed: KeyedRequest, answer: unknown): Promise<unknown>[] {
  const { now_ms } = session;
  const expires_at = now_ms + limits.idempotency_ms;
  return [
    session.send(answering.deleteOldAnswers, { now: now_ms }),
    session.send(answering.insertAnswer, { ...keyed, answer: JSON.stringify(answer), expires_at }),
  ];
}

/** A refusal is its caller's alone; any other failure is everybody's. */
function toRefusal(error: unknown): { refusal: unknown } {
  if (isHandoffError(error)) return { refusal: error };
  throw error;
}

/** Told apart from what came due. */
function wrapped<T>({ answer, ...rest }: Written<T>): Written<{ answer: T }> {
  return { answer: { answer }, ...rest };
}
