import pg from 'pg';

/** Takes a schema away, so that a heat finds nothing on the server that another left: neither rows nor pages to be written. */
export async function dropSchema(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`).finally(() => client.end());
}
