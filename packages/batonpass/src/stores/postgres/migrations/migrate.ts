import type { ClientBase } from 'pg';
import { HandoffError } from '../../../core/errors.ts';
import { unhurried } from '../driver.ts';
import { mayNotMigrate } from '../failure.ts';
import { migrations } from './migrations.ts';

/** The schema that is brought up to date. */
export interface MigratedSchema {
  schema: string;
  /** The lock of whoever migrates it. */
  lock: string;
  /** The store, as messages name it. */
  name: string;
}

/**
 * Makes the schema, or brings an older one up to date, in one transaction and under a lock: of two processes that open at
 * once the second finds the work done, and a crash leaves the old schema whole.
 *
 * @param known - the migrations there are; a test passes others.
 * @returns the version before, 0 where there was no schema, and the one that it has now.
 * @throws HandoffError `unsupported_version` for a newer schema, `invalid_input` for another program's, `unavailable` for
 * a user who may not change it.
 */
export async function migrate(
  client: ClientBase,
  { schema, lock, name }: MigratedSchema,
  known: readonly string[] = migrations,
): Promise<{ from: number; to: number }> {
  const to = known.length;
  if ((await versionOf(client, { schema, name }, known)) === to) return { from: to, to };
  return unhurried(client, () => bringUpToDate(client, { schema, lock, name }, known));
}

async function bringUpToDate(
  client: ClientBase,
  { schema, lock, name }: MigratedSchema,
  known: readonly string[],
): Promise<{ from: number; to: number }> {
  // A schema's name was checked; a lock's number is of our own making.
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${BigInt(lock)})`);
  try {
    const version = await versionOf(client, { schema, name }, known);
    if (version === undefined) {
      await makeSchema(client, schema);
      await client.query(`CREATE TABLE "${schema}".baton_schema (version integer NOT NULL)`);
      await client.query(`INSERT INTO "${schema}".baton_schema VALUES (0)`);
    }
    await client.query(`SET LOCAL search_path = "${schema}", pg_temp`);
    for (const sql of known.slice(version ?? 0)) await client.query(sql);
    await client.query('UPDATE baton_schema SET version = $1', [known.length]);
    await client.query('COMMIT');
    return { from: version ?? 0, to: known.length };
  } catch (error) {
    await client.query('ROLLBACK');
    throw mayNotMigrate(error, name) ?? error;
  }
}

/** Whoever was given an empty schema may make tables in it, and need not be one who may make schemas. */
async function makeSchema(client: ClientBase, schema: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rowCount === 0) await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
}

/** The schema's version; undefined where there is none. Tables of another program are not touched. */
async function versionOf(
  client: ClientBase,
  { schema, name }: Omit<MigratedSchema, 'lock'>,
  known: readonly string[],
): Promise<number | undefined> {
  const marked = await client.query<{ is_marked: boolean; tables: number }>(
    `SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'baton_schema') AS is_marked,
      (SELECT count(*)::int FROM pg_tables WHERE schemaname = $1) AS tables`,
    [schema],
  );
  const { is_marked = false, tables = 0 } = marked.rows[0] ?? {};
  if (!is_marked) {
    if (tables > 0) throw foreignSchema(schema, name);
    return undefined;
  }
  const { rows } = await client.query<{ version: number }>(`SELECT version FROM "${schema}".baton_schema`);
  const version = rows[0]?.version ?? 0;
  if (version > known.length) throw newerSchema(name, version, known.length);
  return version;
}

function foreignSchema(schema: string, name: string): HandoffError {
  return new HandoffError('invalid_input', `The schema ${schema} of ${name} has tables of another program.`, {
    details: { store: name, schema },
    alternatives: ['Use a schema of its own: ?schema=baton_handoffs'],
  });
}

function newerSchema(name: string, schema_version: number, known: number): HandoffError {
  return new HandoffError(
    'unsupported_version',
    `The store ${name} was written by a newer Baton: its schema is ${schema_version}, this one knows ${known}.`,
    {
      details: { store: name, schema_version, known },
      alternatives: [
        'Update this Baton: npm install --global batonpass@latest',
        'Use another schema: ?schema=other_name',
      ],
    },
  );
}
