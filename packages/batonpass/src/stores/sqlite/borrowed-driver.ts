import { DatabaseSync } from 'node:sqlite';
import { HandoffError } from '../../core/errors.ts';
import { adapt, assertSqliteVersion, type Driver } from './driver.ts';

/** A database that its caller opened. */
export interface BorrowedDatabase {
  /** Absolute, or `:memory:` where there is no file. */
  path: string;
  driver: Driver;
}

/**
 * Works on a database that the caller opened and goes on using, whatever its settings for integers and rows; `close`
 * leaves it open. Its journal mode, `synchronous` and cache become those that every store has.
 *
 * @throws HandoffError `invalid_input` for what is no database of `node:sqlite`, `unavailable` for one that is closed or
 * in the middle of a transaction, `unsupported_version` for an unsafe SQLite library.
 */
export function borrowDatabase(given: unknown): BorrowedDatabase {
  if (!(given instanceof DatabaseSync)) throw noDatabase();
  assertOpen(given);
  assertFree(given);
  const driver = adapt(given);
  assertSqliteVersion(String(driver.prepare('SELECT sqlite_version() AS version').get()?.version));
  /** Its owner may close a database at any time. */
  const whileOpen =
    <A extends unknown[], R>(body: (...parameters: A) => R) =>
    (...parameters: A): R => {
      assertOpen(given);
      return body(...parameters);
    };
  return {
    path: given.location() || ':memory:',
    driver: {
      exec: whileOpen((sql) => {
        if (sql.startsWith('BEGIN')) assertFree(given);
        driver.exec(sql);
      }),
      prepare: whileOpen((sql) => {
        const { run, get, all } = driver.prepare(sql);
        return { run: whileOpen(run), get: whileOpen(get), all: whileOpen(all) };
      }),
      identify: driver.identify,
      isInTransaction: () => given.isOpen && driver.isInTransaction(),
      close: () => {},
    },
  };
}

function noDatabase(): HandoffError {
  return new HandoffError('invalid_input', 'What was given is neither a path nor a database of node:sqlite.', {
    alternatives: ["Give a path: './handoffs.db'", "Give a database that is open: new DatabaseSync('handoffs.db')"],
  });
}

function assertOpen({ isOpen }: DatabaseSync): void {
  if (isOpen) return;
  throw new HandoffError('unavailable', 'The database that was given is closed.', {
    alternatives: [
      'Close it after the last call.',
      'Give its path instead: the file is then opened and closed for you.',
    ],
  });
}

/** A commit of ours would end the caller's transaction, and a rollback of theirs would undo what we promised. */
function assertFree({ isTransaction }: DatabaseSync): void {
  if (!isTransaction) return;
  throw new HandoffError('unavailable', 'The database that was given is in the middle of a transaction.', {
    alternatives: [
      'Commit or roll back first, and call again; nothing of this call was kept.',
      'Give its path instead: the file then has a connection of its own.',
    ],
  });
}
