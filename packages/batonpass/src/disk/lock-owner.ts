import { hostname } from 'node:os';
import { limits } from '../core/limits.ts';
import { findOwnProcess, type MachineProcess } from './machine-process.ts';
import { readWholeFile } from './regular-file.ts';

/** Who holds a lock, as it stands on the disk. */
export interface LockOwner extends MachineProcess {
  host: string;
  /** ISO 8601. */
  since: string;
  /** It beats several times in so many milliseconds while it lives. */
  stale_ms: number;
}

/** What this process says of itself when it takes a lock now. */
export function describeOwner(stale_ms: number): string {
  const owner: LockOwner = { ...ownProcess(), host: hostname(), since: new Date().toISOString(), stale_ms };
  return JSON.stringify(owner);
}

let own: MachineProcess | undefined;

/** Asked once: a process does not change. */
function ownProcess(): MachineProcess {
  own ??= findOwnProcess();
  return own;
}

/** The file of an owner's words about itself: it bears the owner's token. */
export function nameOfWords(token: string): string {
  return `owner-${token}.json`;
}

/** Who an owner says it is; nothing where the file is gone, or torn by a power cut. */
export function readOwner(path: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(
      readWholeFile(path, limits.once_file_bytes_max).toString('utf8'),
    ) as Partial<LockOwner> | null;
    const isWhole = typeof owner?.pid === 'number' && typeof owner.machine === 'string';
    return isWhole && typeof owner.started === 'string' ? (owner as LockOwner) : undefined;
  } catch {
    // Gone, or torn by a power cut: then its silence alone is judged.
    return undefined;
  }
}
