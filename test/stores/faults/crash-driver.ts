import type { Database, PreparedStatement, Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import type { Parameters } from '../../../packages/batonpass/src/stores/sql/work.ts';
import type { Driver, Row, Statement } from '../../../packages/batonpass/src/stores/sqlite/driver.ts';
import type { CrashDisk } from './crash-disk.ts';
import { library, mount, VFS_NAME } from './crash-vfs.ts';

/** What a test changes of what the store asks for. */
export interface CrashDriverOptions {
  synchronous?: 'OFF';
  /** Pages in the log after which SQLite writes it back and restarts it in place; so that short runs do it too. */
  checkpoint_pages?: number;
}

/** A driver whose database is `baton.db` of a disk: the same SQL engine as `node:sqlite`, on nothing real. */
export async function openCrashDriver(disk: CrashDisk, options: CrashDriverOptions = {}): Promise<Driver> {
  const sqlite3 = await library;
  const { folder, unmount } = mount(disk);
  const database = translated(sqlite3, () => openDatabase(sqlite3, folder));
  const statements: PreparedStatement[] = [];
  return {
    exec: (sql) => {
      translated(sqlite3, () => database.exec(sql));
      override(database, sql, options);
    },
    prepare: (sql) => {
      const statement = translated(sqlite3, () => database.prepare(sql));
      statements.push(statement);
      return adapt(sqlite3, database, statement);
    },
    identify: () => undefined,
    isInTransaction: () => sqlite3.capi.sqlite3_get_autocommit(database) === 0,
    close: () => {
      // A database with open statements would stay open.
      for (const statement of statements.splice(0)) statement.finalize();
      database.close();
      unmount();
    },
  };
}

function openDatabase({ oo1 }: Sqlite3Static, folder: string): Database {
  const database = new oo1.DB(`${folder}/baton.db`, 'c', VFS_NAME);
  try {
    // A default in which the builds differ.
    return database.exec('PRAGMA page_size = 4096');
  } catch (error) {
    database.close();
    throw error;
  }
}

function override(database: Database, sql: string, { synchronous, checkpoint_pages }: CrashDriverOptions): void {
  if (synchronous !== undefined && sql.includes('synchronous')) database.exec(`PRAGMA synchronous = ${synchronous}`);
  if (checkpoint_pages !== undefined && /wal_autocheckpoint = [1-9]/.test(sql)) {
    database.exec(`PRAGMA wal_autocheckpoint = ${checkpoint_pages}`);
  }
}

function adapt(sqlite3: Sqlite3Static, database: Database, statement: PreparedStatement): Statement {
  const { capi } = sqlite3;
  const all = (parameters: Parameters = {}): Row[] => {
    const rows: Row[] = [];
    try {
      bind(sqlite3, statement, parameters);
      translated(sqlite3, () => {
        while (statement.step()) rows.push(statement.get({}) as Row);
      });
    } finally {
      // Not the wrapper's own, which throws the step's error again.
      capi.sqlite3_reset(statement);
      statement.clearBindings();
    }
    return rows;
  };
  return {
    run: (parameters) => {
      all(parameters);
      return Number(database.changes());
    },
    get: (parameters) => all(parameters)[0],
    all,
  };
}

/** As the store's own driver: what a statement does not name is left alone. */
function bind({ capi }: Sqlite3Static, statement: PreparedStatement, parameters: Parameters): void {
  for (const [name, value] of Object.entries(parameters)) {
    const index = capi.sqlite3_bind_parameter_index(statement, `:${name}`);
    const bound = typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
    if (index > 0) statement.bind(index, bound);
  }
}

/** An error of the library in the form of `node:sqlite`. */
function translated<T>(sqlite3: Sqlite3Static, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof sqlite3.SQLite3Error)) throw error;
    throw Object.assign(new Error(error.message), { code: 'ERR_SQLITE_ERROR', errcode: error.resultCode });
  }
}
