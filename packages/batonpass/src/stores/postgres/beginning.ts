import type { Place } from './place.ts';
import { isDueAt } from './statements.ts';

/** How a transaction begins: by a message that opens it, and by a statement that sets it up and looks at the clock. */
export interface Beginning {
  begin: string;
  setUp: string;
}

/** What a store's transactions have in common. */
export interface BeginningOptions extends Pick<Place, 'schema' | 'wait_ms'> {
  /** Where the server's own setting is not to hold. */
  synchronous_commit: string | undefined;
}

/**
 * The beginnings of one store's transactions. A pooler may give each transaction another process of the server, so all that
 * it needs is set with it and goes with it, in one statement that is prepared once: settings first, then the lock of a
 * write, then the time and whether the clock has anything to do. The schema is named, for the search path is set here.
 * Plans of a write are made once, for any values, and go by indexes however small a table was then.
 */
export function beginningsOf(options: BeginningOptions): { read: Beginning; write: Beginning } {
  const { schema, wait_ms, synchronous_commit } = options;
  const settings = {
    search_path: `"${schema}", pg_temp`,
    statement_timeout: Math.ceil(1.5 * wait_ms),
    // A client that fell silent within a transaction is given up before those who wait for its locks give up.
    idle_in_transaction_session_timeout: Math.ceil(wait_ms / 2),
    ...(synchronous_commit !== undefined && { synchronous_commit }),
  };
  const generic = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };
  // From a transaction's first statement on: that one waits already where a whole table is held.
  const begin = (mode: string) => `${mode}; SET LOCAL lock_timeout = ${wait_ms}`;
  const setUp = (first: readonly string[]) => `
SELECT now_ms, ${isDueAt('now_ms', `"${schema}".deliveries`)} AS is_due
FROM (
  SELECT coalesce(:now::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS now_ms
  FROM (SELECT ${first.join(', ')} OFFSET 0) AS settings OFFSET 0
) AS moment`;
  return {
    read: { begin: begin('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'), setUp: setUp(locally(settings)) },
    write: {
      begin: begin('BEGIN ISOLATION LEVEL READ COMMITTED'),
      setUp: setUp([...locally({ ...settings, ...generic }), 'pg_advisory_xact_lock(:lock::bigint)']),
    },
  };
}

/** Until the transaction's end. Names and numbers of our own making, and a schema's name, which was checked. */
function locally(settings: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
}

/** So often all leases are looked at, and not only those that have ended since the last look. */
const WHOLE_LOOK_MS = 60_000;

/** What a look at the leases told. */
export interface LapseLook {
  /** The time of the transaction that looked. */
  now_ms: number;
  is_due: boolean;
}

/**
 * From which end of a lease on each transaction looks for lapses: what ended before has been seen to be settled. Without
 * it every look would pass all leases that ever ended, for as long as an old transaction of the server keeps their rows.
 *
 * A lease begins after the transaction that gives it, and lasts a second at least; one that is older came from another store,
 * which `forget` is for, or from a transaction slower than its lease: that one is seen with the next whole look.
 */
export class LapseWatermark {
  readonly #now: () => number;
  #settled_ms = 0;
  #whole_ms = Number.NEGATIVE_INFINITY;

  /** @param now - milliseconds of a clock that never goes back; the machine's by default. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Leases that ended at this instant or before are passed over. */
  from(): number {
    return this.#now() - this.#whole_ms < WHOLE_LOOK_MS ? this.#settled_ms : 0;
  }

  /** @param from - where that look began. */
  saw({ now_ms, is_due }: LapseLook, from: number): void {
    if (is_due) return;
    this.#settled_ms = now_ms;
    if (from === 0) this.#whole_ms = this.#now();
  }

  /** The next look is a whole one. */
  forget(): void {
    this.#whole_ms = Number.NEGATIVE_INFINITY;
  }
}
