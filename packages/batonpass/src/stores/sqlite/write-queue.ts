import { isHandoffError } from '../../core/errors.ts';
import { closedStore } from '../closed.ts';
import type { Driver } from './driver.ts';
import { busyStore, endsGroup, explainFailure, isBusy } from './failure.ts';

/** What the writes of one connection have in common. */
export interface WriteQueueOptions {
  driver: Driver;
  path: string;
  /** How long a write waits for other processes, in milliseconds. */
  write_wait_ms: number;
  /** Elapsed milliseconds, unaffected by changes of the machine's clock. */
  passed: () => number;
  /** Compared once for each commit group, right before its commit. */
  file: { isInPlace: () => boolean; lost: () => Error };
  /** After each commit. */
  onCommit: () => void;
}

interface Write {
  prelude: (isFirst: boolean) => void;
  decide: () => () => unknown;
  resolve: (answer: unknown) => void;
  reject: (reason: unknown) => void;
  begun_ms: number;
}

/** The result of a call; its caller gets it after the commit. */
type Outcome = { answer: unknown } | { refusal: unknown };

/** How long one transaction takes up calls: other processes wait for its end. */
const GROUP_MS_MAX = 10;

/**
 * Group commit: all writes of one turn of the event loop share one transaction, so that one sync to the disk serves them
 * all. A call that is alone waits only until the code that calls has made all its calls, for nothing that the event loop
 * may bring.
 *
 * A promise resolves after the commit. A call decides before it writes: one that is refused has written nothing. One that
 * fails while it writes (a constraint, a damaged row) is refused alone: the transaction is undone and begins again without
 * it. A full disk, an I/O error or a commit that fails undoes the whole group, and all of it is `unavailable`.
 *
 * SQLite itself never waits for another process's lock, for its waits grow and starve the one who waited longest: the
 * whole queue tries again every one or two milliseconds, and calls that come meanwhile join it.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #waiting: Write[] = [];
  #isScheduled = false;
  /** How many wrote in the last turn that anybody did. */
  #lastGroup = 0;
  #hasWrittenThisTurn = false;
  #isClosed = false;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  /** Runs a call that is synchronous from its beginning to its end, in a transaction. */
  run<T>(decide: () => () => T, prelude: Write['prelude']): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const begun_ms = this.#options.passed();
      this.#waiting.push({ prelude, decide, resolve: resolve as Write['resolve'], reject, begun_ms });
      if (this.#isScheduled) return;
      if (this.#lastGroup <= 1 && !this.#hasWrittenThisTurn) this.#writeAlone();
      else this.#schedule();
    });
  }

  /** Writes what waits, if no other process holds the lock, and refuses the rest and all later calls. */
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
      this.#lastGroup = this.#waiting.length;
      this.#flush();
    });
  }

  #schedule(): void {
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#lastGroup = this.#waiting.length + (this.#hasWrittenThisTurn ? 1 : 0);
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
    const isUndone = this.#commit(this.#waiting);
    if (this.#waiting.length === 0) return;
    if (isUndone) this.#flush();
    else if (!this.#isScheduled) this.#schedule();
  }

  /**
   * One transaction of as many as come within its time, the first to come first.
   *
   * @returns whether it was undone for one call that is refused now, and the others are to be written again.
   */
  #commit(queue: Write[]): boolean {
    const { driver, path, passed, file, onCommit } = this.#options;
    const outcomes: Outcome[] = [];
    const begun_ms = passed();
    let begun = 0;
    try {
      for (const write of queue) {
        begun += 1;
        write.prelude(begun === 1);
        outcomes.push(this.#attempt(write));
        if (passed() - begun_ms >= GROUP_MS_MAX) break;
      }
      const isInPlace = file.isInPlace();
      driver.exec(isInPlace ? 'COMMIT' : 'ROLLBACK');
      if (!isInPlace) {
        this.#refuse(queue.splice(0), file.lost());
        return false;
      }
    } catch (error) {
      // A full disk or an I/O error ends the transaction by itself.
      if (driver.isInTransaction()) driver.exec('ROLLBACK');
      const isUnwritten = error instanceof Unwritten;
      if (isUnwritten) this.#refuse(queue.splice(begun - 1, 1), explainFailure(error.cause, path));
      else this.#refuse(queue.splice(0, begun), explainFailure(error, path));
      return isUnwritten;
    }
    for (const [index, { resolve, reject }] of queue.splice(0, outcomes.length).entries()) {
      const outcome = outcomes[index] as Outcome;
      if ('answer' in outcome) resolve(outcome.answer);
      else reject(explainFailure(outcome.refusal, path));
    }
    onCommit();
    return false;
  }

  /** @throws Unwritten where the call alone fails while it writes, and what ends the whole group. */
  #attempt({ decide }: Write): Outcome {
    let write: () => unknown;
    try {
      write = decide();
    } catch (refusal) {
      this.#throwIfEnding(refusal);
      return { refusal };
    }
    try {
      return { answer: write() };
    } catch (cause) {
      this.#throwIfEnding(cause);
      throw new Unwritten('A call failed while it wrote.', { cause });
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

/** A call that may have written a part of what it was to write. */
class Unwritten extends Error {}
