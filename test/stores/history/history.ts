/**
 * What processes that work on one store write down of their calls: one JSON line when an operation begins and one when
 * its answer has come. An operation whose answer never came is unknown: it may have happened.
 */

/** What a worker may ask of a store here. */
export type Verb = 'create' | 'claim' | 'renew' | 'acknowledge' | 'release' | 'fail';

/** A lease that a claim gave. */
export interface GivenLease {
  id: string;
  fence: number;
  /** By the store's clock, in milliseconds since 1970. */
  expires_ms: number;
}

/** What an operation is, known before it begins. */
export interface Request {
  /** Unique among all operations of the run. */
  call: string;
  /** Who calls, as the store knows it. Processes that follow each other may share it. */
  actor: string;
  verb: Verb;
  /** Repeated where the same request is retried. Of a create it is also the handoff's title, by which it is found again. */
  key?: string;
  /** Of a claim: how many at the most. Default: 1. */
  max?: number;
  /** Of a holder's step. */
  id?: string;
  /** Of a holder's step: of the lease whose token it shows. */
  fence?: number;
}

/** The outcome of an operation. */
export interface Answer {
  call: string;
  /** `unknown`: the caller gave up waiting. Of a caller that died there is no answer at all. */
  came: 'ok' | 'refused' | 'unknown';
  /** Of a create: what it made. */
  id?: string;
  /** Of a claim; none where there was nothing to claim. */
  leases?: readonly GivenLease[];
  /** Of a renewal: by the store's clock. */
  expires_ms?: number;
  /** Why it was refused. */
  code?: string;
}

/**
 * One line of a history. `…_us` is the machine's monotonic clock, the same for all of its processes; `…_clock_ms` is the
 * clock that the caller's store was given, which a test may move.
 */
export type Line =
  | (Request & { begun_us: number; begun_clock_ms: number })
  | (Answer & { ended_us: number; ended_clock_ms: number });

/** A request and its outcome; one without an answer is unknown and never ended. */
export interface Operation extends Request, Answer {
  begun_us: number;
  begun_clock_ms: number;
  ended_us: number;
  ended_clock_ms: number;
}

/** Microseconds of the machine's monotonic clock: no setting of the time moves it. */
export function readMachineClock(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** Puts the lines of all processes together; operations are in the order of their starts. */
export function readHistory(lines: Iterable<Line>): Operation[] {
  const operations = new Map<string, Operation>();
  for (const line of lines) {
    const known = operations.get(line.call);
    if ('begun_us' in line) {
      if (known !== undefined) throw new Error(`The history has two operations ${line.call}.`);
      const ended = { ended_us: Number.POSITIVE_INFINITY, ended_clock_ms: Number.NEGATIVE_INFINITY };
      operations.set(line.call, { ...line, ...ended, came: 'unknown' });
    } else {
      if (known === undefined) throw new Error(`The history has an answer to no operation: ${line.call}.`);
      Object.assign(known, line);
    }
  }
  return [...operations.values()].sort((left, right) => left.begun_us - right.begun_us);
}
