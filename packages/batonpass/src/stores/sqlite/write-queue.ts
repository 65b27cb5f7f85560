import { isHandoffError } from '../../core/errors.ts';
import { closedStore } from '../closed.ts';
import type { Driver } from './driver.ts';
import { busyStore, endsGroup, explainFailure, isBusy } from './failure.ts';
import type { OpenedFile } from './opened-file.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** What the writes of one connection have in common. */
export interface WriteQueueOptions {
  driver: Driver;
  statements: PreparedStatements;
  path: string;
  /** How long a write waits for other processes, in milliseconds. */
  write_wait_ms: number;
  /** Milliseconds as they pass, whatever is done to the machine's clock. */
  passed: () => number;
  /** Compared once for each commit group, right before its commit. */
  file: OpenedFile;
  /** After each commit. */
  onCommit: () => void;
}

/** One call's part of a transaction. */
interface Write {
  prelude: Prelude;
  body: () => unknown;
  resolve: (answer: unknown) => void;
  reject: (reason: unknown) => void;
  begun_ms: number;
}

/** What happens before a body, whether that is refused or not; told whether the transaction just began. */
export type Prelude = (isFirst: boolean) => void;

/** What came of a body; told to its caller after the commit. */
type Outcome = { answer: unknown } | { refusal: unknown };

/** How long one transaction takes up bodies: other processes wait for its end. */
const GROUP_MS_MAX = 10;

/**
 * Group commit: all writes of one turn of the event loop share one transaction, so that one sync to the disk serves them
 * all. A call without company waits only until the code that calls has made all its calls, for nothing that the event loop
 * may bring.
 *
 * A promise resolves after the commit. A body that is refused, or that meets a constraint, is undone alone; a full disk,
 * an I/O error or a commit that fails undoes the whole group, and all of it is `unavailable`. A savepoint for each body
 * keeps a copy of each page that is changed, and few are refused, most of these before they wrote anything: only where
 * one is refused after that, the transaction is undone and done again, each body within a savepoint of its own.
 *
 * SQLite itself never waits for another process's lock, for its waits grow and starve the one who waited longest: the
 * whole queue tries again every one or two milliseconds, and calls that come meanwhile join it.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #waiting: Write[] = [];
  /** Whether a flush will come by itself. */
  #isScheduled = false;
  /** How many wrote in the last turn that anybody did. */
  #company = 0;
  #hasWrittenThisTurn = false;
  /** Whether the next transaction does again what one without savepoints could not undo in part. */
  #isRepeating = false;
  #isClosed = false;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  /** Runs a body that is synchronous from its beginning to its end, in a transaction. */
  run<T>(body: () => T, prelude: Prelude): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const begun_ms = this.#options.passed();
      this.#waiting.push({ prelude, body, resolve: resolve as Write['resolve'], reject, begun_ms });
      if (this.#isScheduled) return;
      if (this.#company <= 1 && !this.#hasWrittenThisTurn) this.#writeAlone();
      else this.#schedule();
    });
  }

  /** Writes what waits, if nobody holds the lock, and refuses the rest and all that comes. */
  close(): void {
    if (this.#waiting.length > 0) this.#flush();
    this.#isClosed = true;
    this.#refuse(this.#waiting.splice(0), closedStore(this.#options.path));
  }

  /** As soon as the code that calls now has made all its calls. */
  #writeAlone(): void {
    this.#hasWrittenThisTurn = true;
    setImmediate(() => {
      this.#hasWrittenThisTurn = false;
    });
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#company = this.#waiting.length;
      this.#flush();
    });
  }

  #schedule(): void {
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#company = this.#waiting.length + (this.#hasWrittenThisTurn ? 1 : 0);
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#isClosed) return;
    try {
      this.#options.driver.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (isBusy(error)) this.#waitForLock(error);
      else this.#refuse(this.#waiting.splice(0), explainFailure(error, this.#options.path));
      return;
    }
    this.#commit(this.#waiting);
    if (this.#isRepeating) this.#flush();
    else if (this.#waiting.length > 0 && !this.#isScheduled) this.#schedule();
  }

  /** One transaction of as many as come within its time, the first to come first. */
  #commit(queue: Write[]): void {
    const { driver, path, passed, file, onCommit } = this.#options;
    const outcomes: Outcome[] = [];
    const begun_ms = passed();
    const hasSavepoints = this.#isRepeating;
    this.#isRepeating = false;
    let begun = 0;
    let isUndone = false;
    try {
      for (const { prelude, body } of queue) {
        begun += 1;
        const before = driver.changes();
        prelude(begun === 1);
        const preceded = driver.changes();
        const isWithin = hasSavepoints || preceded > before;
        const outcome = isWithin ? this.#attemptWithin(body) : this.#attempt(body);
        outcomes.push(outcome);
        isUndone = !isWithin && 'refusal' in outcome && driver.changes() > preceded;
        if (isUndone || passed() - begun_ms >= GROUP_MS_MAX) break;
      }
      const isInPlace = isUndone || file.isInPlace();
      driver.exec(isUndone || !isInPlace ? 'ROLLBACK' : 'COMMIT');
      if (!isInPlace) {
        this.#refuse(queue.splice(0), file.lost());
        return;
      }
    } catch (error) {
      // A full disk or an I/O error ends the transaction by itself.
      if (driver.isInTransaction()) driver.exec('ROLLBACK');
      this.#refuse(queue.splice(0, begun), explainFailure(error, path));
      return;
    }
    // What was alone is undone with its transaction.
    this.#isRepeating = isUndone && queue.length > 1;
    if (this.#isRepeating) return;
    for (const [index, { resolve, reject }] of queue.splice(0, outcomes.length).entries()) {
      const outcome = outcomes[index] as Outcome;
      if ('answer' in outcome) resolve(outcome.answer);
      else reject(explainFailure(outcome.refusal, path));
    }
    onCommit();
  }

  /** Runs a body, of which a refusal undoes nothing. @throws what ends the whole group. */
  #attempt(body: () => unknown): Outcome {
    try {
      return { answer: body() };
    } catch (refusal) {
      this.#throwIfEnding(refusal);
      return { refusal };
    }
  }

  /** Runs a body within a savepoint. @throws what ends the whole group. */
  #attemptWithin(body: () => unknown): Outcome {
    const { driver, statements } = this.#options;
    statements.of('SAVEPOINT write').run();
    try {
      const answer = body();
      statements.of('RELEASE write').run();
      return { answer };
    } catch (refusal) {
      this.#throwIfEnding(refusal);
      driver.exec('ROLLBACK TO write; RELEASE write');
      return { refusal };
    }
  }

  #throwIfEnding(error: unknown): void {
    if (!this.#options.driver.isInTransaction() || (!isHandoffError(error) && endsGroup(error))) throw error;
  }

  #waitForLock(error: unknown): void {
    const { path, write_wait_ms, passed } = this.#options;
    const now_ms = passed();
    const hasTime = ({ begun_ms }: Write) => now_ms - begun_ms < write_wait_ms;
    for (const write of this.#waiting.filter((each) => !hasTime(each))) {
      write.reject(busyStore(path, Math.round(now_ms - write.begun_ms), error));
    }
    this.#waiting = this.#waiting.filter(hasTime);
    if (this.#waiting.length === 0) return;
    this.#isScheduled = true;
    // Jittered, so that two waiters do not meet again and again.
    setTimeout(() => {
      this.#isScheduled = false;
      this.#flush();
    }, 1 + Math.random());
  }

  #refuse(writes: readonly Write[], reason: unknown): void {
    for (const { reject } of writes) reject(reason);
  }
}
