import type { Socket } from 'node:net';
import type { Client, ClientBase, ClientConfig, default as Pg, Pool, PoolConfig } from 'pg';
import { HandoffError } from '../../core/errors.ts';
import { SILENT, sqliteInstead } from './failure.ts';
import type { Place } from './place.ts';
import { decodeText } from './session.ts';

/** The `pg` package, as it is imported. */
export type Driver = typeof Pg;

/** Loads `pg`, which only this store needs. @throws HandoffError `unavailable` where it is not installed. */
export async function loadDriver(): Promise<Driver> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    throw new HandoffError('unavailable', 'The package pg, which a Postgres store needs, is not installed.', {
      details: { package: 'pg' },
      alternatives: ['Install it next to batonpass: npm install pg', sqliteInstead],
      cause: error,
    });
  }
}

/** How this process connects. Time-outs of statements are set by each transaction: a pooler refuses them at the start. */
export function configOf({ connectionString, connections_max, wait_ms }: Place, driver: Driver) {
  const types = new driver.TypeOverrides();
  // Sequence numbers, versions and instants are whole numbers far below 2^53.
  types.setTypeParser(driver.types.builtins.INT8, Number);
  types.setTypeParser(driver.types.builtins.TEXT, decodeText);
  return {
    types,
    connectionString,
    application_name: 'baton',
    max: connections_max,
    connectionTimeoutMillis: wait_ms,
    // A statement is sent before the answer to the last one has come.
    pipeline: true,
    // A machine that is gone without a word is asked for a sign of life after so long, and given up some seconds later.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 30_000,
    // What is idle keeps no process from ending; a silent connection may never end by itself.
    allowExitOnIdle: true,
  } satisfies ClientConfig & PoolConfig;
}

/** Runs a body whose statements may take an hour each: a schema is not made in a moment everywhere. */
export async function unhurried<T>(client: ClientBase, body: () => Promise<T>): Promise<T> {
  const socket = socketOf(client);
  const { timeout = 0 } = socket;
  socket.setTimeout(3_600_000);
  return body().finally(() => socket.setTimeout(timeout));
}

function socketOf(client: ClientBase): Socket {
  return (client as Client).connection.stream as Socket;
}

/** A pool that outlives the loss of its connections: the next call opens another. */
export function openPool(driver: Driver, place: Place): Pool {
  const pool = new driver.Pool(configOf(place, driver));
  pool.on('error', () => {});
  pool.on('connect', (client: ClientBase & { readyForQuery?: boolean }) => {
    // A client in use reports its loss twice: to the running or next statement, which handles it, and here.
    client.on('error', () => {});
    // One that waits for an answer is cut when nothing comes for so long: the server ends its statements sooner. Not by pg's
    // `query_timeout`, by which statements that were sent together fail with different errors.
    const socket = socketOf(client);
    socket.setTimeout(2 * place.wait_ms);
    socket.on('timeout', () => client.readyForQuery !== true && socket.destroy(new Error(SILENT)));
  });
  return pool;
}

/** Where a store is, as messages name it: without user and password. @throws HandoffError `invalid_input`, `file_not_found`. */
export function describePlace(driver: Driver, { connectionString, schema }: Place): string {
  try {
    const { host, port, database } = new driver.Client({ connectionString });
    return `postgres://${host}:${port}/${database ?? ''}${schema === 'baton' ? '' : `?schema=${schema}`}`;
  } catch (error) {
    if (error instanceof Error && 'path' in error) {
      const text = `A file that the store's URL names cannot be read: ${error.path}.`;
      throw new HandoffError('file_not_found', text, {
        details: { path: error.path },
        alternatives: ['Look at sslrootcert, sslcert and sslkey of the URL: each is the path of a PEM file.'],
        cause: error,
      });
    }
    throw new HandoffError('invalid_input', "The store's URL cannot be read by the Postgres driver.", {
      alternatives: ['Write it as: postgres://user@host:5432/database'],
      // An error with the URL in it may carry the password.
      cause: error instanceof Error && 'input' in error ? undefined : error,
    });
  }
}
