import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { Store } from '../../packages/batonpass/src/core/store.ts';
import { callBy, newHandoff, writer } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { type Driver, openDriver } from '../../packages/batonpass/src/stores/sqlite/driver.ts';
import { type LogFile, openLog } from '../../packages/batonpass/src/stores/sqlite/log-file.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { verifies } from '../verifies.ts';
import { createFolders } from './folders.ts';

const newFolder = createFolders();
const newFile = () => join(newFolder(), 'baton.db');

const KIB = 1024;
const ROOM_BYTES = 1024 * KIB;
const EXT_FILE_SYSTEM = 0xef53;

/** A store that makes room whatever the file system is, and what it wrote ahead: where, and how much. */
async function openWithRoom(file: string, options: SqliteStoreOptions = {}) {
  const rooms: { offset: number; bytes: number }[] = [];
  const openLogFile = (path: string): LogFile => {
    const log = openLog(`${path}-wal`);
    const write = (offset: number, bytes: Uint8Array) => {
      log.write(offset, bytes);
      rooms.push({ offset, bytes: bytes.length });
    };
    return { ...log, write };
  };
  return { store: await openSqliteStore(file, { openLogFile, ...options }), rooms };
}

const create = (store: Store, about: { title: string; body?: string }) =>
  store.create([newHandoff(about)], callBy(writer, 'handoff.create'));

/** Transactions of some hundred kilobytes each. */
async function write(store: Store, titles: readonly string[]): Promise<void> {
  for (const title of titles) await create(store, { title, body: 'x'.repeat(200 * KIB) });
}

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`);
const logBytes = (file: string) => statSync(`${file}-wal`).size;

async function listTitles(store: Store): Promise<string[]> {
  const { handoffs } = await store.list({ filter: {}, limit: 1_000 });
  return handoffs.map(({ content }) => content.title).sort();
}

/** A copy of what a crash of all processes would leave now. */
function copyAsLeft(file: string): string {
  const copy = join(newFolder(), 'left.db');
  for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${copy}${end}`);
  return copy;
}

verifies(['LOG.room'], 'room comes in large pieces, not before the log has some length, and has an end', async () => {
  const file = newFile();
  const { store, rooms } = await openWithRoom(file);
  await create(store, { title: 'small' });
  await create(store, { title: 'as small' });
  await write(store, ['first', 'second', 'third']);
  expect(rooms).toHaveLength(1);
  expect(rooms[0]?.offset).toBeGreaterThanOrEqual(256 * KIB);
  // A log that somebody reads cannot be begun anew, and grows on.
  const reader = new DatabaseSync(file);
  reader.exec('BEGIN; SELECT count(*) FROM handoffs');
  await write(store, numbered('of many', 100));
  expect(logBytes(file)).toBeGreaterThan(20 * ROOM_BYTES);
  // A piece of room serves several commits, and each begins where the log has come to.
  expect(rooms.length).toBeGreaterThan(4);
  expect(rooms.length).toBeLessThan(17);
  for (const [index, { offset, bytes }] of rooms.entries()) {
    expect(bytes).toBe(ROOM_BYTES);
    expect(offset).toBeGreaterThanOrEqual(index * ROOM_BYTES);
    expect(offset).toBeLessThan(16 * ROOM_BYTES);
  }
  reader.close();
  await store.close();
});

verifies(['LOG.room'], 'who finds a long log and writes once, or asks for less durability, makes no room', async () => {
  const file = newFile();
  const less = await openWithRoom(file, { durability: 'normal' });
  await write(less.store, numbered('of a server', 6));
  expect(less.rooms).toEqual([]);
  const command = await openWithRoom(file);
  await write(command.store, ['of a command']);
  expect(command.rooms).toEqual([]);
  for (const { store } of [less, command]) await store.close();
});

verifies(
  ['LOG.room'],
  'it is made where the file system is one that it was measured on, and left off elsewhere',
  async () => {
    const file = newFile();
    const store = await openSqliteStore(file);
    await write(store, ['first', 'second']);
    const isMeasured = process.platform === 'linux' && statfsSync(file).type === EXT_FILE_SYSTEM;
    expect(logBytes(file) > ROOM_BYTES).toBe(isMeasured);
    await store.close();
  },
);

verifies(['LOG.room-lock'], 'while another process holds the write lock, nothing is written to its log', async () => {
  const file = newFile();
  const refused = Promise.withResolvers<void>();
  const openCounted = async (path: string): Promise<Driver> => {
    const driver = await openDriver(path);
    const exec = (sql: string) => {
      try {
        driver.exec(sql);
      } catch (error) {
        refused.resolve();
        throw error;
      }
    };
    return { ...driver, exec };
  };
  const { store, rooms } = await openWithRoom(file, { openDriver: openCounted });
  await write(store, ['first']);
  const before = { rooms: 0, bytes: logBytes(file) };
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  // The log is long enough, and has grown since the last look: the next transaction makes room.
  const second = write(store, ['second']);
  await refused.promise;
  expect({ rooms: rooms.length, bytes: logBytes(file) }).toEqual(before);
  other.exec('ROLLBACK');
  other.close();
  await second;
  expect(rooms).toEqual([{ offset: before.bytes, bytes: ROOM_BYTES }]);
  await store.close();
});

verifies(['LOG.room-kept'], 'several writers share the room, and a crash keeps all that was acknowledged', async () => {
  const file = newFile();
  const opened = [await openWithRoom(file), await openWithRoom(file), await openWithRoom(file)];
  await Promise.all(opened.map(({ store }, index) => write(store, numbered(`of ${index}`, 12))));
  const left = copyAsLeft(file);
  const rooms = opened.flatMap((each) => each.rooms);
  // Each makes room where the log has outgrown it, not where another one has just made some.
  expect(rooms.length).toBeGreaterThan(3);
  expect(rooms.length).toBeLessThan(14);
  const found = await openSqliteStore(left);
  expect(await listTitles(found)).toEqual([0, 1, 2].flatMap((index) => numbered(`of ${index}`, 12)).sort());
  await write(found, ['after the crash']);
  expect(await listTitles(found)).toHaveLength(37);
  await found.close();
  for (const { store } of opened) await store.close();
});

verifies(['LOG.room-full'], 'a disk that takes a part of the room has it back, and all calls go on', async () => {
  const file = newFile();
  let tries = 0;
  const openLogFile = (path: string): LogFile => {
    const log = openLog(`${path}-wal`);
    const writePart = (offset: number, bytes: Uint8Array) => {
      tries += 1;
      log.write(offset, bytes.subarray(0, bytes.length / 2));
      expect(logBytes(file)).toBeGreaterThan(offset);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    return { ...log, write: writePart };
  };
  const store = await openSqliteStore(file, { openLogFile });
  await write(store, numbered('of the full', 2));
  // What was written ahead is gone again, and the frames of the second call are the end of the log.
  expect(logBytes(file)).toBeLessThan(700 * KIB);
  await write(store, numbered('of the full', 6).slice(2));
  expect(tries).toBe(1);
  const left = await openSqliteStore(copyAsLeft(file));
  expect(await listTitles(left)).toEqual(numbered('of the full', 6));
  await left.close();
  await store.close();
});

verifies(['LOG.room-handle'], 'the handle drops no lock, and nobody makes a log anew that was deleted', async () => {
  const file = newFile();
  const { store, rooms } = await openWithRoom(file);
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  // Opened and closed within the process that holds the lock: of the database or its -shm that would end the lock.
  openLog(`${file}-wal`).close();
  const isBusy = (path: string) =>
    `try { new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)}, { timeout: 0 }).exec('BEGIN IMMEDIATE'); }
     catch (error) { process.stdout.write(error.message); }`;
  expect(`${execFileSync(process.execPath, ['-e', isBusy(file)])}`).toBe('database is locked');
  other.exec('ROLLBACK');
  other.close();
  await write(store, numbered('of the store', 3));
  expect(rooms).toHaveLength(1);
  await store.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(() => openLog(`${file}-wal`)).toThrow('ENOENT');
  expect(existsSync(`${file}-wal`)).toBe(false);
});
