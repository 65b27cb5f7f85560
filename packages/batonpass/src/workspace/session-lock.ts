import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createOnce } from '../disk/create-once.ts';
import { findOwnProcess, type HostProcess, isRunning } from './host-process.ts';

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

/** A holder that cannot be asked, as on another machine, is taken for alive. */
function isHeld(path: string): boolean {
  try {
    return isRunning(JSON.parse(readFileSync(path, 'utf8')) as HostProcess) !== false;
  } catch {
    // Gone, or torn by a crash: nobody holds it.
    return false;
  }
}
