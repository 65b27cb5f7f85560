import { statfsSync } from 'node:fs';
import { type LogFile, openLog } from './log-file.ts';

/** ext2, ext3 and ext4: where it was measured that a sync is shorter whose blocks are there already. */
const EXT_FILE_SYSTEM = 0xef53;

/** How much of a log there must be: who writes but a few times pays for nothing. */
const BEGIN_BYTES = 256 * 1024;

/** How much is written ahead at once: the commits of about 16 groups, at the price of one that takes a millisecond more. */
const ROOM_BYTES = 1024 * 1024;

/** A log that grows above this is one that SQLite begins anew in place, and then grows no more. */
const END_BYTES = 16 * 1024 * 1024;

/** Where the log ends in so many zeros there is room, or a page that is empty at its end: then the next look makes it. */
const END_READ_BYTES = 512;

/**
 * Writes zeros at the end of the write-ahead log before SQLite needs the room. A commit is synced; where the log grows by
 * it, the file system syncs its own books as well, which takes as long again. In a log that is begun anew in place, and in
 * room that is there, a commit overwrites what the disk has.
 *
 * To SQLite zeros are no frames: they have the salt of no log, and name no page. Another process's frames would be lost
 * under them: so they are written within a write transaction alone, while nobody else can write to the log or cut it off,
 * and before this process has written anything in it. A crash leaves zeros behind the last frame, and no reader of a log
 * goes beyond that.
 */
export class LogRoom {
  readonly #log: LogFile;
  /** How long the log was at the last look; who finds a long one and writes once makes no room. */
  #bytes: number;
  #isGivenUp = false;

  constructor(log: LogFile) {
    this.#log = log;
    this.#bytes = log.bytes();
  }

  /** Called at the beginning of each write transaction. Where the disk has no room, it is left as it was, for good. */
  make(): void {
    if (this.#isGivenUp) return;
    try {
      const bytes = this.#log.bytes();
      const hasGrown = bytes > this.#bytes;
      this.#bytes = bytes;
      if (hasGrown && bytes >= BEGIN_BYTES && bytes < END_BYTES && !this.#endsInZeros(bytes)) this.#writeAhead(bytes);
    } catch {
      // Nothing was asked for that is not done now; what a failing disk means for a commit, the commit says.
      this.#isGivenUp = true;
    }
  }

  close(): void {
    this.#isGivenUp = true;
    this.#log.close();
  }

  /** Whether another process has made room meanwhile. */
  #endsInZeros(bytes: number): boolean {
    return this.#log.read(bytes - END_READ_BYTES, END_READ_BYTES).every((byte) => byte === 0);
  }

  #writeAhead(bytes: number): void {
    try {
      this.#log.write(bytes, new Uint8Array(ROOM_BYTES));
      this.#bytes = bytes + ROOM_BYTES;
    } catch (error) {
      // A part of it may be there, and somebody else need the room. Nobody has written behind it: the lock is held.
      this.#log.truncate(bytes);
      throw error;
    }
  }
}

/** Opens the log where it is known that to write ahead of SQLite is safe and worth it; undefined elsewhere. */
export function openLogFile(path: string): LogFile | undefined {
  const log = `${path}-wal`;
  try {
    if (process.platform !== 'linux' || statfsSync(log).type !== EXT_FILE_SYSTEM) return undefined;
    return openLog(log);
  } catch {
    // What SQLite has open under another name, or cannot open either: it says so itself.
    return undefined;
  }
}
