import type { ClientBase } from 'pg';
import { HandoffError } from '../../core/errors.ts';
import { readOnlyServer } from './failure.ts';

/** What a server says of itself. */
export interface ServerFacts {
  /** As 150013 for 15.13. */
  version: number;
  encoding: string;
  is_read_only: boolean;
  synchronous_commit: string;
}

/** The oldest server that is asked: older ones get no corrections any more. */
const OLDEST_VERSION = 14;

const selectFacts = `
SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
  pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_read_only,
  current_setting('synchronous_commit') AS synchronous_commit`;

/**
 * Asks a server whether a store can be on it.
 *
 * @throws HandoffError `unsupported_version` for an old one, `unavailable` for one that only reads, `invalid_input` for a
 * database that cannot keep every text.
 */
export async function assertServer(client: ClientBase, name: string): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(selectFacts);
  const facts = rows[0] as ServerFacts;
  assertFacts(facts, name);
  return facts;
}

/** The judgement alone. @throws HandoffError as `assertServer`. */
function assertFacts({ version, encoding, is_read_only }: Omit<ServerFacts, 'synchronous_commit'>, name: string): void {
  const major = Math.floor(version / 10_000);
  if (major < OLDEST_VERSION) {
    throw new HandoffError(
      'unsupported_version',
      `The server of the store ${name} is Postgres ${major}; Baton needs ${OLDEST_VERSION} or newer.`,
      {
        details: { store: name, version: major, oldest: OLDEST_VERSION },
        alternatives: [
          'Upgrade the server, or name another one.',
          'Keep handoffs in a file: BATON_STORE=sqlite:/path/to/baton.db',
        ],
      },
    );
  }
  if (encoding !== 'UTF8') {
    throw new HandoffError(
      'invalid_input',
      `The database of the store ${name} keeps texts as ${encoding}, not as UTF8.`,
      {
        details: { store: name, encoding },
        alternatives: ['Make another database: createdb --encoding=UTF8 --template=template0 NAME'],
      },
    );
  }
  if (is_read_only) throw readOnlyServer(name);
}
