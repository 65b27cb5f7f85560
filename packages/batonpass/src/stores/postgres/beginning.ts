import type { Place } from './place.ts';
import type { Statement } from './session.ts';
import { onOffer } from './statements.ts';

/** How a transaction begins: by a message that opens it, and by a statement that sets it up and looks at the clock. */
export interface Beginning {
  begin: string;
  setUp: string;
}

/** What a connection's transactions have in common. */
export interface BeginningOptions extends Pick<Place, 'schema' | 'wait_ms'> {
  /** Where the server's own setting is not to hold. */
  synchronous_commit: string | undefined;
}

/** What a transaction is begun with. */
export interface BeginningParameters {
  /** Held until the end of a write. */
  lock?: string;
  /** Milliseconds since 1970, where the server's clock is not to be asked. */
  now: number | undefined;
  /** Leases that ended at this instant or before are passed over. */
  from: number;
}

/** A transaction that writes. Its plans are made once, for any values, and go by indexes however small a table was then. */
export function beginWrite({ synchronous_commit, ...options }: BeginningOptions): Beginning {
  const settings = [
    ...settingsOf(options),
    ...(synchronous_commit === undefined ? [] : [setting('synchronous_commit', synchronous_commit)]),
    setting('plan_cache_mode', 'force_generic_plan'),
    setting('enable_seqscan', 'off'),
    'pg_advisory_xact_lock(:lock::bigint)',
  ];
  return { begin: bounded('BEGIN ISOLATION LEVEL READ COMMITTED', options), setUp: setUp(options.schema, settings) };
}

/** A transaction that reads, all as of one instant. */
export function beginRead(options: BeginningOptions): Beginning {
  const begin = bounded('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', options);
  return { begin, setUp: setUp(options.schema, settingsOf(options)) };
}

/** The statement with its parameters. */
export function statementOf({ setUp: sql }: Beginning, { lock, now, from }: BeginningParameters): Statement {
  return { sql, parameters: { lock, now, from } };
}

/** Bounds the waiting of a transaction from its first statement on: that one waits already where a whole table is held. */
function bounded(begin: string, { wait_ms }: Pick<BeginningOptions, 'wait_ms'>): string {
  return `${begin}; SET LOCAL lock_timeout = ${wait_ms}`;
}

/** A client that fell silent within a transaction is given up before those who wait for its locks give up. */
function settingsOf({ schema, wait_ms }: Pick<BeginningOptions, 'schema' | 'wait_ms'>): string[] {
  return [
    setting('search_path', `"${schema}", pg_temp`),
    setting('statement_timeout', Math.ceil(1.5 * wait_ms)),
    setting('idle_in_transaction_session_timeout', Math.ceil(wait_ms / 2)),
  ];
}

/** Until the transaction's end. Names and numbers of our own making, and a schema's name, which was checked. */
function setting(name: string, value: string | number): string {
  return `set_config('${name}', '${value}', true)`;
}

/**
 * One statement for all, prepared once: settings first, then the lock, then the time and whether the clock has anything to
 * do, by two looks into small indexes: in their order and in their words, for else the planner may go through all that is
 * open, and all that was. The schema is named, for the search path is only set here.
 */
function setUp(schema: string, settings: readonly string[]): string {
  return `
SELECT now_ms, (
    SELECT true FROM "${schema}".handoffs
    WHERE state = 'claimed' AND lease_expires_at > :from::bigint AND lease_expires_at <= now_ms
    ORDER BY lease_expires_at LIMIT 1) IS NOT NULL
  OR (
    SELECT true FROM "${schema}".handoffs WHERE ${onOffer} AND expires_at <= now_ms
    ORDER BY expires_at LIMIT 1) IS NOT NULL AS is_due
FROM (
  SELECT coalesce(:now::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS now_ms
  FROM (SELECT ${settings.join(', ')} OFFSET 0) AS settings OFFSET 0
) AS moment`;
}
