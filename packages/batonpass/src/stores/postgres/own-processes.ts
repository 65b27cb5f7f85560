import type { PoolClient } from 'pg';

/**
 * Which connections are one process of the server for as long as they last. A pooler gives each transaction another one,
 * where a setting would stay behind for a stranger: it tells its clients a number of its own in place of the process's.
 */
export class OwnProcesses {
  readonly #known = new WeakMap<PoolClient, boolean>();

  /** Undefined where it was not asked yet. */
  known(client: PoolClient): boolean | undefined {
    return this.#known.get(client);
  }

  /**
   * Asks, and sets the connection up where it is one.
   *
   * @param settings - statements that last as long as the connection.
   */
  async settle(client: PoolClient, settings: string): Promise<void> {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const { processID } = client as PoolClient & { processID?: number };
    const isOwn = processID === rows[0]?.pid;
    if (isOwn) await client.query(settings);
    this.#known.set(client, isOwn);
  }
}
