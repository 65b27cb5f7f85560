import type { Store, StoreCapabilities, StoreSurroundings } from '../../core/store.ts';
import { createSurroundings } from '../../core/surroundings.ts';
import { SqlStore } from '../sql/store.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { PostgresEngine } from './engine.ts';

/** How a store on a server is opened. */
export interface PostgresStoreOptions extends Omit<ConnectionOptions, 'now'>, Partial<StoreSurroundings> {
  /**
   * Whose clock leases, expiries and back-offs follow. `server`, the default: the database's, one for all machines.
   * `own`: that of `now`, for the contract suite alone, which holds time in its hand.
   */
  clock?: 'server' | 'own';
}

/** What a store on a Postgres server can do. */
export const postgresCapabilities: StoreCapabilities = {
  durable: true,
  concurrent_processes: true,
  notifications: 'network',
};

/**
 * Opens the store of `postgres://user@host:5432/database?schema=baton`; the schema is made where it is absent. Many
 * machines may have one store open at once.
 *
 * Against the port: a claim, a renewal and the acknowledgement of a claim by another process are seen by subscriptions
 * within `limits.subscription_look_ms`, everything else at once; a `remove` whose commit was in doubt may count too few; a
 * handoff whose content the database has damaged is acknowledged all the same, and the answer to that is `unavailable`.
 * A call that ran into the loss of its connection and is neither known as done nor as undone is `unavailable` with
 * `is_ambiguous`.
 *
 * @throws HandoffError `unavailable` where `pg` is not installed, or the server cannot be reached or only reads,
 * `invalid_input` for a wrong URL, user, password or database, `unsupported_version` for an old server or newer schema.
 */
export async function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Promise<Store> {
  const surroundings = createSurroundings(options);
  const { clock = 'server', durability } = options;
  const now = clock === 'own' ? surroundings.now : undefined;
  const connection = await Connection.open(url, { durability, now });
  return new SqlStore(new PostgresEngine(connection, surroundings), surroundings);
}
