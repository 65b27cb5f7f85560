import type { ClientBase } from 'pg';
import { HandoffError } from '../../core/errors.ts';
import { otherSchema } from '../sql/failure.ts';
import { unhurried } from './driver.ts';
import { explainFailure, sqliteInstead } from './failure.ts';
import { SCHEMA_VERSION, schema as tables } from './schema.ts';

/**
 * Makes the schema where it is absent, in one transaction and under a lock: of two processes that open at once the second
 * finds the work done, and a crash leaves nothing. @returns whether it was made.
 * @throws HandoffError `unsupported_version` for a schema of another version, `invalid_input` for another program's,
 * `unavailable` for a user who may not make one.
 */
export async function migrate(client: ClientBase, schema: string, name: string): Promise<boolean> {
  return !(await isThere(client, schema, name)) && unhurried(client, () => make(client, schema, name));
}

async function make(client: ClientBase, schema: string, name: string): Promise<boolean> {
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('${schema}:migration', 0))`);
  try {
    // Another process may have made it before the lock was taken.
    const isMade = await isThere(client, schema, name);
    if (!isMade) {
      // A role that was given an empty schema may create tables in it without the right to create schemas.
      const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
      if (rowCount === 0) await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
      await client.query(`SET LOCAL search_path = "${schema}", pg_temp; ${tables}`);
    }
    await client.query('COMMIT');
    return !isMade;
  } catch (error) {
    await client.query('ROLLBACK');
    throw explainFailure(error, name, true);
  }
}

/** Whether the schema is there. Tables of another program are not touched. */
async function isThere(client: ClientBase, schema: string, name: string): Promise<boolean> {
  const present = 'SELECT tablename FROM pg_tables WHERE schemaname = $1';
  const found = (await client.query<{ tablename: string }>(present, [schema])).rows;
  if (found.length === 0) return false;
  if (!found.some(({ tablename }) => tablename === 'baton_schema')) {
    throw new HandoffError('invalid_input', `The schema ${schema} of ${name} has tables of another program.`, {
      details: { store: name, schema },
      alternatives: ['Use a schema of its own: ?schema=baton_handoffs'],
    });
  }
  const { rows } = await client.query<{ version: number }>(`SELECT version FROM "${schema}".baton_schema`);
  const version = rows[0]?.version ?? 0;
  const known = { store: name, schema_version: version, known: SCHEMA_VERSION };
  if (version !== SCHEMA_VERSION) throw otherSchema(name, known, 'Use another schema: ?schema=other_name');
  return true;
}

/** The oldest server that is asked: older ones get no corrections any more. */
const OLDEST_VERSION = 14;

const selectFacts = `
SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_encoding') AS encoding,
  pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_read_only,
  current_setting('synchronous_commit') AS synchronous_commit`;

/**
 * Asks a server whether a store can be on it. @returns its `synchronous_commit`.
 *
 * @throws HandoffError `unsupported_version` for an old one, `invalid_input` for a database that cannot keep every text;
 * and as the server itself refuses what writes, where it only reads.
 */
export async function assertServer(client: ClientBase, name: string): Promise<string> {
  const { version, encoding, is_read_only, synchronous_commit } = (await client.query(selectFacts)).rows[0];
  if (version < OLDEST_VERSION) {
    const text = `The server of the store ${name} is Postgres ${version}; Baton needs ${OLDEST_VERSION} or newer.`;
    throw new HandoffError('unsupported_version', text, {
      details: { store: name, version, oldest: OLDEST_VERSION },
      alternatives: ['Upgrade the server, or name another one.', sqliteInstead],
    });
  }
  if (encoding !== 'UTF8') {
    const text = `The database of the store ${name} stores texts as ${encoding}, not as UTF8.`;
    throw new HandoffError('invalid_input', text, {
      details: { store: name, encoding },
      alternatives: ['Create another database: createdb --encoding=UTF8 --template=template0 NAME'],
    });
  }
  if (is_read_only) throw Object.assign(new Error('it is in recovery or read-only'), { code: '25006' });
  return synchronous_commit;
}
