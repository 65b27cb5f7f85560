import type { LogFile } from '../../../packages/batonpass/src/stores/sqlite/log-file.ts';
import type { CrashDisk } from './crash-disk.ts';

/** A short run's log is taken for so much longer, and what is written ahead of it is so much shorter. */
const SCALE = 64;

/** The log of a crash disk's database, in which room is made while it is a few kilobytes long. */
export function openCrashLog(disk: CrashDisk): LogFile {
  const name = 'baton.db-wal';
  const take = (step: Parameters<CrashDisk['take']>[0]) => {
    const failure = disk.take(step);
    if (failure !== undefined) throw new Error(failure);
  };
  return {
    bytes: () => (disk.has(name) ? disk.bytesOf(name).length : 0) * SCALE,
    read: (offset, length) => {
      const end = (offset + length) / SCALE;
      return disk.bytesOf(name).slice(end - length / SCALE, end);
    },
    write: (offset, bytes) =>
      take({ verb: 'write', name, offset: offset / SCALE, bytes: bytes.slice(0, bytes.length / SCALE) }),
    truncate: (bytes) => take({ verb: 'truncate', name, size: bytes / SCALE }),
    close: () => undefined,
  };
}
