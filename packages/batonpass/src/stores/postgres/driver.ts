import type { ClientConfig, default as Pg, Pool, PoolConfig } from 'pg';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Place } from './place.ts';

/** The `pg` package, as it is imported. */
export type Driver = typeof Pg;

/** Connections of one process: a worker with sixteen handlers shares them, and a server of a hundred connections has room for ten such. */
const CONNECTIONS_MAX = 8;

/** What an idle connection is kept for. */
const IDLE_MS = 30_000;

/** The number of the type `bigint`. */
const BIGINT = 20;

/**
 * Loads `pg`, which only this store needs.
 *
 * @throws HandoffError `unavailable` where it is not installed.
 */
export async function loadDriver(load: () => Promise<{ default: Driver }> = () => import('pg')): Promise<Driver> {
  try {
    return (await load()).default;
  } catch (error) {
    throw new HandoffError('unavailable', 'The package pg, which a Postgres store needs, is not installed.', {
      details: { package: 'pg' },
      alternatives: [
        'Install it beside batonpass: npm install pg',
        'Keep handoffs in a file: BATON_STORE=sqlite:/path/to/baton.db',
      ],
      cause: error,
    });
  }
}

/** How this process connects. Time-outs of statements are set by each transaction: a pooler refuses them at the start. */
export function configOf({ connectionString }: Place, { types }: Driver): ClientConfig & PoolConfig {
  return {
    connectionString,
    application_name: 'baton',
    max: CONNECTIONS_MAX,
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: limits.write_wait_ms,
    // The net under a server that no longer answers: the server ends its statements itself before.
    query_timeout: 2 * limits.write_wait_ms,
    keepAlive: true,
    // Places, versions and instants are whole numbers far below 2^53.
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === BIGINT ? Number : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
    },
  };
}

/** A pool that outlives the loss of its connections. */
export function openPool(driver: Driver, place: Place): Pool {
  const pool = new driver.Pool(configOf(place, driver));
  // An idle connection that is lost is taken out of the pool by itself; the next call opens another.
  pool.on('error', () => {});
  // One in use tells its loss twice: to the statement that runs or comes next, which is answered, and here to nobody.
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  return pool;
}

/** Where a store is, as messages name it: without user and password. @throws HandoffError `invalid_input`. */
export function describePlace(driver: Driver, { connectionString, schema }: Place): string {
  try {
    const { host, port, database } = new driver.Client({ connectionString });
    return `postgres://${host}:${port}/${database ?? ''}${schema === 'baton' ? '' : `?schema=${schema}`}`;
  } catch (error) {
    throw new HandoffError('invalid_input', "The store's URL is not one that Postgres's driver can read.", {
      alternatives: ['Write it so: postgres://user@host:5432/database'],
      cause: error instanceof Error && 'input' in error ? undefined : error,
    });
  }
}
