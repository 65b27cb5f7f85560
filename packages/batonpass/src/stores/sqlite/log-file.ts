import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statfsSync, writeSync } from 'node:fs';

/** The write-ahead log beside a database, as a plain file. Its length is what the file system says, not what is used of it. */
export interface LogFile {
  bytes: () => number;
  /** Reads so many bytes from a place on; fewer where the file ends. */
  read: (offset: number, length: number) => Uint8Array;
  /** @throws where the disk has no room to spare for that. */
  write: (offset: number, bytes: Uint8Array) => void;
  truncate: (bytes: number) => void;
  close: () => void;
}

/** What a disk must have free before anything is written that nobody asked for. */
const FREE_BYTES_MIN = 64 * 1024 * 1024;

/**
 * Opens a log that SQLite has open, which keeps it the same file whatever is renamed. One that is not there is not made.
 * SQLite locks the database and its `-shm`, never its log: to close this handle drops no lock.
 *
 * @throws the system's error.
 */
export function openLog(path: string): LogFile {
  const file = openSync(path, 'r+');
  return {
    bytes: () => fstatSync(file).size,
    read: (offset, length) => {
      const target = new Uint8Array(length);
      return target.subarray(0, readSync(file, target, 0, length, offset));
    },
    write: (offset, bytes) => {
      const { bavail, bsize } = statfsSync(path);
      if (bavail * bsize < FREE_BYTES_MIN) throw new Error('The disk is nearly full.');
      const written = writeSync(file, bytes, 0, bytes.length, offset);
      if (written < bytes.length) throw new Error('The disk took a part of it.');
    },
    truncate: (bytes) => ftruncateSync(file, bytes),
    close: () => closeSync(file),
  };
}
