import pg from 'pg';

/** Drops a schema, so that a round finds nothing of another on the server: neither rows nor pages to be written. */
export async function dropSchema(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`).finally(() => client.end());
}
