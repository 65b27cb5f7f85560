import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { HandoffError } from '../../core/errors.ts';
import { damagedRow } from '../damaged-row.ts';
import type { Parameters, Value, Statement as WorkStatement } from '../sql/work.ts';
import { closedDatabase, ownersTransaction } from './failure.ts';

type ColumnValue = string | number | null;

/** One row of an answer, by column. */
export type Row = Record<string, ColumnValue>;

/** A statement prepared once and run often. */
export interface Statement {
  /** @returns how many rows changed. */
  run: (parameters?: Parameters) => number;
  get: (parameters?: Parameters) => Row | undefined;
  all: (parameters?: Parameters) => Row[];
}

/** The few verbs of a SQLite library that the store needs; they fail with the library's own errors. */
export interface Driver {
  exec: (sql: string) => void;
  prepare: (sql: string) => Statement;
  /** Whether a transaction is open: some failures end it by themselves. */
  isInTransaction: () => boolean;
  /** Device and inode of what is at the database's path now; undefined where nothing is, or it has no path. */
  identify: () => string | undefined;
  close: () => void;
}

/** Opens a database with `node:sqlite`, without SQLite's own wait for locks. @throws as `loadSqlite` does. */
export async function openDriver(path: string): Promise<Driver> {
  const { DatabaseSync } = await loadSqlite();
  return adapt(new DatabaseSync(path, { timeout: 0 }));
}

/** Loads `node:sqlite`, late. @throws HandoffError `unsupported_version` where the library can corrupt a WAL. */
export async function loadSqlite() {
  const sqlite = await import('node:sqlite');
  // Asked of an empty database: an unsafe library never touches the file.
  const library = new sqlite.DatabaseSync(':memory:');
  assertSqliteVersion(String(library.prepare('SELECT sqlite_version() AS version').get()?.version));
  library.close();
  return sqlite;
}

/**
 * SQLite 3.7.0 to 3.51.2 can lose commits or corrupt a database in WAL mode with two connections (fixed in 3.51.3 and
 * the backports 3.44.6 and 3.50.7). @throws HandoffError `unsupported_version`.
 */
export function assertSqliteVersion(version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const isBackport = (minor === 44 && patch >= 6) || (minor === 50 && patch >= 7);
  if (major > 3 || minor > 51 || (minor === 51 && patch >= 3) || isBackport) return;
  const text = `SQLite ${version} can lose data when two processes write. Baton does not open a database with it.`;
  throw new HandoffError('unsupported_version', text, {
    details: { sqlite_version: version, node_version: process.versions.node },
    alternatives: [
      'Use Node 22.22.3, 24.15 or newer; their SQLite is 3.51.3 or newer: node -p process.versions.sqlite',
      'Keep handoffs for this process only: BATON_STORE=memory:',
    ],
  });
}

/** A database of `node:sqlite` by the driver's verbs. */
export function adapt(database: DatabaseSync): Driver {
  const path = database.location();
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => prepare(database, sql),
    isInTransaction: () => database.isOpen && database.isTransaction,
    identify: () => {
      const file = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
      return file && `${file.dev} ${file.ino}`;
    },
    close: () => database.close(),
  };
}

/** By position, and rows as lists: by names and objects a batch of creates takes twice the processor time, `consume` 1.7 times. */
function prepare(database: DatabaseSync, text: string): Statement {
  const names: string[] = [];
  const sql = text.replace(/:([a-z_0-9]+)/g, (_parameter, name: string) => {
    names.push(name);
    return '?';
  });
  const statement = database.prepare(sql);
  // A database that somebody else opened may be set to answer otherwise.
  statement.setReadBigInts(false);
  statement.setReturnArrays(true);
  const columns = statement.columns().map(({ name }) => name);
  const bind = (parameters: Parameters = {}) => names.map((name) => encodeValue(parameters[name]));
  const toRow = (values: readonly ColumnValue[]) => {
    const row: Row = {};
    for (let place = 0; place < columns.length; place += 1)
      row[columns[place] as string] = values[place] as ColumnValue;
    return row;
  };
  const all = (parameters?: Parameters) =>
    (statement.all(...bind(parameters)) as unknown as ColumnValue[][]).map(toRow);
  return {
    run: (parameters) => Number(statement.run(...bind(parameters)).changes),
    get: (parameters) => all(parameters)[0],
    all,
  };
}

/** A list is a JSON text. `undefined` is refused by the library on some Node versions, and taken as NULL on others. */
function encodeValue(given: Value): ColumnValue {
  return typeof given === 'object' && given !== null ? JSON.stringify(given) : (given ?? null);
}

/** Runs work's statements, each prepared when it is first asked for. */
export function createRunner(driver: Driver): (statement: WorkStatement) => readonly Row[] {
  const prepared = new Map<string, Statement>();
  return ({ sql, parameters, rows, isGuarded }) => {
    const statement = prepared.get(sql) ?? driver.prepare(sql);
    prepared.set(sql, statement);
    if (rows === undefined) return statement.all(parameters);
    if (isGuarded !== true) return rows.flatMap((row) => statement.all(row));
    for (const row of rows) {
      if (statement.run(row) !== 1) throw damagedRow(`Handoff ${row.id}`, 'an index does not lead to its row');
    }
    return [];
  };
}

/**
 * Works on a database that the caller opened and continues to use, with any settings for integers and rows; `close`
 * leaves it open. Its journal mode, `synchronous` and cache become those that every store has.
 *
 * @returns with its path, which is absolute, or `:memory:`.
 * @throws HandoffError `invalid_input` for what is no database of `node:sqlite`, `unavailable` for one that is closed or
 * in the middle of a transaction, `unsupported_version`.
 */
export async function borrowDatabase(given: unknown): Promise<{ path: string; driver: Driver }> {
  const { DatabaseSync } = await loadSqlite();
  if (!(given instanceof DatabaseSync)) {
    throw new HandoffError('invalid_input', 'What was given is neither a path nor a database of node:sqlite.', {
      alternatives: ["Give a path: './handoffs.db'", "Give a database that is open: new DatabaseSync('handoffs.db')"],
    });
  }
  if (!given.isOpen) throw closedDatabase();
  if (given.isTransaction) throw ownersTransaction();
  return { path: given.location() || ':memory:', driver: { ...adapt(given), close: () => {} } };
}
