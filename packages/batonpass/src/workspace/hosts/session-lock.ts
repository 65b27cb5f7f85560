import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createOnce } from '../../disk/create-once.ts';
import { findOwnProcess, isRunning, type MachineProcess } from '../../disk/machine-process.ts';

/** How long a lock counts whose holder cannot be asked: one of another machine, or of this one before it was started anew. */
const unasked_ms = 10 * 60_000;

/**
 * Takes a lock that keeps two workers from doing the same twice. It is no guard of anything that would be lost: where
 * two take over a dead holder's lock at the same moment, both work, and the store decides.
 *
 * @returns what gives it back, or null while another process that runs holds it.
 */
export function takeLock(path: string): (() => void) | null {
  // Its own name, because one process may want a lock twice.
  const own = JSON.stringify({ ...findOwnProcess(), name: crypto.randomUUID() });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (createOnce(path, own, 0o600) === own) return () => giveBack(path, own);
    if (isHeld(path)) return null;
    rmSync(path, { force: true });
  }
  return null;
}

/** Only where it is still the same: who was paused for long may have been taken for dead. */
function giveBack(path: string, own: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === own) rmSync(path, { force: true });
}

function isHeld(path: string): boolean {
  try {
    const runs = isRunning(JSON.parse(readFileSync(path, 'utf8')) as MachineProcess);
    return runs ?? Date.now() - statSync(path).mtimeMs < unasked_ms;
  } catch {
    // Gone, or torn by a crash: nobody holds it.
    return false;
  }
}
