import { readFileSync, rmSync, statSync } from 'node:fs';
import { createOnce } from '../../disk/create-once.ts';
import { findOwnProcess, isRunning, type MachineProcess } from '../../disk/machine-process.ts';

/** How long a lock counts whose holder cannot be checked: one of another machine, or of this one before its restart. */
const unasked_ms = 10 * 60_000;

/** Dead holders, and holders that release at the same moment, in a row: more of them are at work, and this one is not needed. */
const tries_max = 20;

/**
 * Takes a lock that keeps two workers from doing the same work twice. It protects nothing that could be lost: where
 * two take over a dead holder's lock at the same moment, both work, and the store decides.
 *
 * @returns the function that releases it, or null while another running process holds it.
 */
export function takeLock(path: string): (() => void) | null {
  // Its own name, because one process may want a lock twice.
  const own = JSON.stringify({ ...findOwnProcess(), name: crypto.randomUUID() });
  for (let tries = 0; tries < tries_max; tries += 1) {
    const held = unlessGone(() => createOnce(path, own, 0o600));
    if (held === own) return () => giveBack(path, own);
    if (held === undefined) continue;
    if (isHeld(path, held)) return null;
    giveBack(path, held);
  }
  return null;
}

/** What an action reads of the lock; undefined where its holder released it at that moment. */
function unlessGone(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Only where it is still the same: a holder that was paused for long, or is dead, may have been replaced. */
function giveBack(path: string, own: string): void {
  if (unlessGone(() => readFileSync(path, 'utf8')) === own) rmSync(path, { force: true });
}

function isHeld(path: string, held: string): boolean {
  try {
    const runs = isRunning(JSON.parse(held) as MachineProcess);
    return runs ?? Date.now() - statSync(path).mtimeMs < unasked_ms;
  } catch {
    // Gone, or torn by a crash: nobody holds it.
    return false;
  }
}
