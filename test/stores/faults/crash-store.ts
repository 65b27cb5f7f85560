import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Store } from '../../../packages/batonpass/src/core/store.ts';
import type { Driver } from '../../../packages/batonpass/src/stores/sqlite/driver.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../../../packages/batonpass/src/stores/sqlite/store.ts';
import type { CrashDisk } from './crash-disk.ts';
import { type CrashDriverOptions, openCrashDriver } from './crash-driver.ts';

/** A store whose database is on a crash disk, and the connection under it. */
export interface CrashStore {
  store: Store;
  driver: Driver;
}

/** How a store is opened on a crash disk. */
export interface CrashStoreOptions extends CrashDriverOptions, Omit<SqliteStoreOptions, 'openDriver'> {
  /** After each transaction, before any caller gets its result. */
  onCommit?: (driver: Driver) => void;
}

/** @param path - a place of the real disk, where nothing is kept. */
export async function openCrashStore(
  path: string,
  disk: CrashDisk,
  options: CrashStoreOptions = {},
): Promise<CrashStore> {
  const { synchronous, checkpoint_pages, onCommit, ...rest } = options;
  const opened: Driver[] = [];
  const openDriver = async () => {
    // The store has made a file of the real disk, and would search there for what is on this one.
    rmSync(path, { force: true });
    const driver = await openCrashDriver(disk, { synchronous, checkpoint_pages });
    opened.push(driver);
    return onCommit === undefined ? driver : noting(driver, onCommit);
  };
  const store = await openSqliteStore(path, { ...rest, openDriver });
  return { store, driver: opened[0] as Driver };
}

function noting(driver: Driver, onCommit: (driver: Driver) => void): Driver {
  const exec = (sql: string) => {
    const isOpen = driver.isInTransaction();
    driver.exec(sql);
    if (isOpen && !driver.isInTransaction()) onCommit(driver);
  };
  return { ...driver, exec };
}

/**
 * Makes a store write its log back and cut it off at its first commit and every few later, as it does when the log is too
 * long: it asks the real disk how long it is.
 */
export function lengthenLog(path: string): void {
  writeFileSync(`${path}-wal`, '');
  // All of it a hole.
  truncateSync(`${path}-wal`, 2 ** 30);
}

/** Every row of every table of a database: its whole state, as one text. */
export function readTables(driver: Driver): string {
  const tables = driver.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  return tables.map(({ name }) => `${name}: ${readTable(driver, String(name))}`).join('\n');
}

/** Written by SQLite itself: reading each column of each row by its own takes ten times as long. */
function readTable(driver: Driver, table: string): string {
  const columns = driver.prepare(`SELECT name FROM pragma_table_xinfo('${table}')`).all();
  const row = `json_array(${columns.map(({ name }) => name).join(', ')})`;
  const [all] = driver
    .prepare(`SELECT json_group_array(${row}) AS rows FROM (SELECT * FROM ${table} ORDER BY 1)`)
    .all();
  return String(all?.rows);
}

/** That a state is one of those that it may be; shows where it leaves the last of them. */
export function expectOneOf(allowed: readonly string[], tables: string): void {
  if (allowed.includes(tables)) return;
  const nearest = allowed.at(-1) ?? '';
  let at = 0;
  while (at < nearest.length && nearest[at] === tables[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 200), at + 100);
  expect(around(tables)).toBe(around(nearest));
}

/** What SQLite finds in a database that it should not, or why it cannot check; `ok` where it is sound. */
export function checkIntegrity(driver: Driver): string {
  try {
    const answers = driver.prepare('PRAGMA integrity_check').all();
    return answers.map((row) => String(Object.values(row)[0])).join('\n');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
