import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEachTest } from '../after-each-test.ts';

/** What changes a disk, or makes a change last; other calls are made of these. */
const watched = [
  'openSync',
  'writeSync',
  'fsyncSync',
  'fdatasyncSync',
  'linkSync',
  'renameSync',
  'rmSync',
  'mkdirSync',
  'rmdirSync',
] as const;

/** One call of the disk. */
export interface DiskCall {
  name: (typeof watched)[number];
  /** The file or folder: that of an open file where the call names none. */
  path: string;
  /** The new name of a link or a renaming. */
  to?: string;
}

/** What every call throws after the end of the process that a test plays. */
export class Crash extends Error {}

/** The functions of the disk, watched by a test until its end. */
export interface WatchedDisk {
  calls: DiskCall[];
  /** Lets so many calls happen; all after them throw. */
  crashAfter: (calls: number) => void;
  /** Back to the disk as it is. */
  restore: () => void;
}

let restore = () => {};

afterEachTest(() => restore());

function isWriting(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0;
  return flags !== 'r' && flags !== undefined;
}

/** Watches what this process does to files from now on. */
export function watchDisk(): WatchedDisk {
  const table = fs as unknown as Record<string, (...values: unknown[]) => unknown>;
  const originals = Object.fromEntries(watched.map((name) => [name, table[name]]));
  const calls: DiskCall[] = [];
  const open = new Map<number, string>();
  let calls_max = Number.POSITIVE_INFINITY;
  for (const name of watched) {
    table[name] = (...values: unknown[]) => {
      if (calls.length >= calls_max) throw new Crash();
      const [first, second] = values;
      const path = typeof first === 'number' ? (open.get(first) ?? '') : String(first);
      const to = name === 'linkSync' || name === 'renameSync' ? String(second) : undefined;
      if (name !== 'openSync' || isWriting(second)) calls.push({ name, path, ...(to && { to }) });
      const answer = originals[name]?.(...values);
      if (name === 'openSync') open.set(answer as number, path);
      return answer;
    };
  }
  syncBuiltinESMExports();
  restore = () => {
    Object.assign(table, originals);
    syncBuiltinESMExports();
  };
  return {
    calls,
    crashAfter: (count) => {
      calls_max = count;
    },
    restore: () => restore(),
  };
}
