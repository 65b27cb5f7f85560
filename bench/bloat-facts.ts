import type { Client } from 'pg';

/** The size of a table of the store, and the kinds of its updates. */
export interface TableFacts {
  table: string;
  live_rows: number;
  dead_rows: number;
  updates: number;
  hot_updates: number;
  table_bytes: number;
  index_bytes: number;
}

/** What a server has done since it was started. */
export interface ServerFacts {
  wal_bytes: number;
  /** Syncs of its log; undefined where the server does not report them. */
  wal_syncs: number | undefined;
  commits: number;
}

/** Of the tables of one schema, as the server's statistics have them: counts of rows are its estimates. */
export async function readTableFacts(client: Client, schema = 'baton'): Promise<TableFacts[]> {
  await client.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await client.query<Record<keyof TableFacts, string>>(
    `SELECT relname AS table, n_live_tup AS live_rows, n_dead_tup AS dead_rows, n_tup_upd AS updates,
       n_tup_hot_upd AS hot_updates, pg_table_size(relid) AS table_bytes, pg_indexes_size(relid) AS index_bytes
     FROM pg_stat_user_tables WHERE schemaname = $1 ORDER BY relname`,
    [schema],
  );
  return rows.map(({ table, ...counts }) => ({ table, ...asNumbers(counts) }));
}

/** Of the whole server: nothing else may run on it. */
export async function readServerFacts(client: Client): Promise<ServerFacts> {
  await client.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ wal_bytes: string; commits: string; version: number }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS wal_bytes,
       (SELECT sum(xact_commit) FROM pg_stat_database) AS commits,
       current_setting('server_version_num')::int AS version`,
  );
  const { wal_bytes, commits, version } = rows[0] ?? { wal_bytes: '0', commits: '0', version: 0 };
  const syncs = await client.query<{ wal_syncs: string | null }>(
    version >= 180_000
      ? "SELECT sum(fsyncs) AS wal_syncs FROM pg_stat_io WHERE object = 'wal'"
      : 'SELECT wal_sync AS wal_syncs FROM pg_stat_wal',
  );
  const wal_syncs = syncs.rows[0]?.wal_syncs ?? undefined;
  return {
    wal_bytes: Number(wal_bytes),
    commits: Number(commits),
    wal_syncs: wal_syncs === undefined ? undefined : Number(wal_syncs),
  };
}

function asNumbers<T extends string>(texts: Record<T, string>): Record<T, number> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)])) as Record<T, number>;
}
