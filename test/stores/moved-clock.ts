import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** A clock that processes share by a file and that a test moves: so many milliseconds from the machine's. */
export function moveClock(file: string, offset_ms: number): void {
  writeFileSync(`${file}.new`, String(offset_ms));
  // Atomically: no reader ever reads half of it.
  renameSync(`${file}.new`, file);
}

/** What such a clock says now, in milliseconds since 1970. */
export function readClock(file: string): number {
  return Date.now() + Number(readFileSync(file, 'utf8'));
}
