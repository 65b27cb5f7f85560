import type { ClientBase } from 'pg';

/** Copies of one handoff of a Postgres store, written by the server itself. */
export interface Copies {
  /** Of the handoff that is there. */
  id: string;
  /** The copies have this, a dash and a number from 1. */
  as: string;
  count: number;
  state: 'open' | 'acknowledged';
}

/** Adds copies in their order, without their history. */
export async function copyHandoff(client: ClientBase, schema: string, { id, as, count, state }: Copies): Promise<void> {
  const namesOf = async (table: string, own: readonly string[]) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT quote_ident(attname) AS name FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL($2)`,
      [`${schema}.${table}`, own],
    );
    return rows.map(({ name }) => name);
  };
  const handoffs = (await namesOf('handoffs', ['id', 'seq'])).join(', ');
  const deliveries = await namesOf('deliveries', ['id', 'seq', 'state']);
  await client.query(
    `WITH added AS (
       INSERT INTO ${schema}.handoffs (id, ${handoffs}) SELECT $2 || '-' || n, ${handoffs}
       FROM ${schema}.handoffs, generate_series(1, $3::int) AS n WHERE id = $1 RETURNING id, seq
     ) INSERT INTO ${schema}.deliveries (id, seq, state, ${deliveries.join(', ')})
     SELECT added.id, added.seq, $4, ${deliveries.map((name) => `former.${name}`).join(', ')}
     FROM added, ${schema}.deliveries AS former WHERE former.id = $1`,
    [id, as, count, state],
  );
}
