import type { Statement } from '../sql/work.ts';
import type { Place } from './place.ts';
import { isDueAt } from './statements.ts';

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

/** The beginnings of one store's transactions, on one kind of connection. */
export interface Beginnings {
  read: Beginning;
  /** Its plans are made once, for any values, and go by indexes however small a table was then. */
  write: Beginning;
}

const READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const WRITE = 'BEGIN ISOLATION LEVEL READ COMMITTED';

/** Where each transaction may meet another process of the server: all that it needs is set with it, and goes with it. */
export function beginningsOfAny(options: BeginningOptions): Beginnings {
  const { schema, wait_ms } = options;
  const bounded = (begin: string) => `${begin}; SET LOCAL lock_timeout = ${wait_ms}`;
  const settings = settingsOf(options).filter(([name]) => name !== 'lock_timeout');
  const writes = [...settings, ...writeSettings].map(locally);
  return {
    read: { begin: bounded(READ), setUp: setUp(schema, settings.map(locally)) },
    write: { begin: bounded(WRITE), setUp: setUp(schema, [...writes, lockFunction]) },
  };
}

/** Where a connection is one process of the server for as long as it lasts: it is set up once. */
export function beginningsOfOwn({ schema }: BeginningOptions): Beginnings {
  return {
    read: { begin: READ, setUp: setUp(schema, readSettings.map(locally)) },
    write: { begin: WRITE, setUp: setUp(schema, [lockFunction]) },
  };
}

/** What sets such a connection up. */
export function settleOwn(options: BeginningOptions): string {
  const isolation = ['default_transaction_isolation', "'read committed'"] as const;
  const settings = [...settingsOf(options), ...writeSettings, isolation];
  return settings.map(([name, value]) => `SET ${name} = ${value}`).join('; ');
}

/** The statement with its parameters. */
export function statementOf({ setUp: sql }: Beginning, { lock, now, from }: BeginningParameters): Statement {
  return { sql, parameters: { lock, now, from } };
}

type Setting = readonly [name: string, value: string];

/** Names and numbers of our own making, and a schema's name, which was checked. */
function settingsOf({ schema, wait_ms, synchronous_commit }: BeginningOptions): Setting[] {
  return [
    ['search_path', `"${schema}", pg_temp`],
    // From a transaction's first statement on: that one waits already where a whole table is held.
    ['lock_timeout', String(wait_ms)],
    ['statement_timeout', String(Math.ceil(1.5 * wait_ms))],
    // A client that fell silent within a transaction is given up before those who wait for its locks give up.
    ['idle_in_transaction_session_timeout', String(Math.ceil(wait_ms / 2))],
    ...(synchronous_commit === undefined ? [] : [['synchronous_commit', synchronous_commit] as const]),
  ];
}

const writeSettings: readonly Setting[] = [
  ['plan_cache_mode', 'force_generic_plan'],
  ['enable_seqscan', 'off'],
];

const readSettings: readonly Setting[] = [
  ['plan_cache_mode', 'auto'],
  ['enable_seqscan', 'on'],
];

const lockFunction = 'pg_advisory_xact_lock(:lock::bigint)';

/** Until the transaction's end. */
const locally = ([name, value]: Setting) => `set_config('${name}', '${value}', true)`;

/**
 * One statement for all, prepared once: settings first, then the lock, then the time and whether the clock has anything to
 * do. The schema is named, for the search path may be set here alone.
 */
function setUp(schema: string, settings: readonly string[]): string {
  return `
SELECT now_ms, ${isDueAt('now_ms', `"${schema}".deliveries`)} AS is_due
FROM (
  SELECT coalesce(:now::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS now_ms
  FROM (SELECT ${settings.join(', ')} OFFSET 0) AS settings OFFSET 0
) AS moment`;
}
