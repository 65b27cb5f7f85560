import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { assertSqliteVersion } from './library-version.ts';

/** A value that a column holds here: no booleans, no blobs, no integer beyond 2^53. */
export type ColumnValue = string | number | null;

/** Values by the names of a statement's parameters. `undefined` is NULL. */
export type Parameters = Record<string, ColumnValue | undefined>;

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
  /** Rises with whatever `run` or `exec` changes: where it is the same before and after, they changed nothing. */
  changes: () => number;
  /** Whether a transaction is open: some failures end it by themselves. */
  isInTransaction: () => boolean;
  /** Device and inode of what is at the database's path now; undefined where nothing is, or it has no path. */
  identify: () => string | undefined;
  close: () => void;
}

/**
 * Opens a database with `node:sqlite`. Waiting for another process's lock is the store's business: SQLite's own wait
 * grows with each try, so that one of several processes starves.
 *
 * @throws HandoffError `unsupported_version` where the SQLite library can corrupt a WAL.
 */
export async function openDriver(path: string): Promise<Driver> {
  // Loaded late: memory stores and the browser never need it.
  const { DatabaseSync } = await import('node:sqlite');
  // Asked of an empty database: an unsafe library never touches the file.
  const library = new DatabaseSync(':memory:');
  const version = library.prepare('SELECT sqlite_version() AS version').get()?.version;
  library.close();
  assertSqliteVersion(String(version));
  return adapt(new DatabaseSync(path, { timeout: 0 }));
}

/** The words around each transaction are said so often that to have them read anew each time would count. */
const framing = ['BEGIN IMMEDIATE', 'COMMIT'] as const;

/** A database of `node:sqlite` by the driver's verbs. */
export function adapt(database: DatabaseSync): Driver {
  const path = database.location();
  const framed = new Map<string, StatementSync>(framing.map((sql) => [sql, database.prepare(sql)]));
  let changed = 0;
  const count = (changes: number) => {
    changed += changes;
  };
  return {
    exec: (sql) => {
      const statement = framed.get(sql);
      if (statement !== undefined) {
        statement.run();
        return;
      }
      database.exec(sql);
      // It does not tell what it changed.
      count(1);
    },
    prepare: (sql) => prepare(database, sql, count),
    changes: () => changed,
    isInTransaction: () => database.isTransaction,
    identify: () => {
      const file = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
      return file && `${file.dev} ${file.ino}`;
    },
    close: () => database.close(),
  };
}

/** Binds by place and not by name: looking up thirty names costs the library as much as the statement itself. */
function prepare(database: DatabaseSync, text: string, count: (changes: number) => void): Statement {
  const names: string[] = [];
  const sql = text.replace(/:([a-z_0-9]+)/g, (_parameter, name: string) => {
    names.push(name);
    return '?';
  });
  const statement = database.prepare(sql);
  // A database that somebody else opened may be set to answer otherwise.
  statement.setReadBigInts(false);
  // The library's own objects are slow to make and slow to read: it knows no shape of theirs.
  statement.setReturnArrays(true);
  const columns = statement.columns().map(({ name }) => name);
  // `undefined` is refused by the library on some Node versions, and taken as NULL on others.
  const bind = (parameters: Parameters = {}) => {
    const values: ColumnValue[] = [];
    for (const name of names) values.push(parameters[name] ?? null);
    return values;
  };
  return {
    run: (parameters) => {
      const changes = Number(statement.run(...bind(parameters)).changes);
      count(changes);
      return changes;
    },
    get: (parameters) => {
      const values = statement.get(...bind(parameters)) as unknown as ColumnValue[] | undefined;
      return values && rowOf(columns, values);
    },
    all: (parameters) =>
      (statement.all(...bind(parameters)) as unknown as ColumnValue[][]).map((values) => rowOf(columns, values)),
  };
}

function rowOf(columns: readonly string[], values: readonly ColumnValue[]): Row {
  const row: Row = {};
  for (let place = 0; place < columns.length; place += 1) row[columns[place] as string] = values[place] as ColumnValue;
  return row;
}
