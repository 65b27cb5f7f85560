import type { Timing } from '../core/timing.ts';
import type { SeenLock } from './lock-folder.ts';
import { isRunning } from './machine-process.ts';

/** To ask for a process costs a process of its own on some systems. */
const ASK_MS = 100;

/** Watches the holder of a lock for one contender, and decides when it is gone. */
export class LockWatch {
  readonly #now: () => number;
  #watched: { token: string; beat_ms: number; since_ms: number } | undefined;
  #asked: { token: string; at_ms: number; gone: boolean } | undefined;

  constructor({ now }: Timing) {
    this.#now = now;
  }

  /**
   * Whether a holder is gone: its process ended, or it was silent for `stale_ms`. Neither clock is trusted alone, for
   * one jumps and the other may be new: a holder that was silent before this contender came is watched half the time,
   * and one whose last sign of life seems to be in the future the whole time.
   *
   * @param file_now_ms - now, by the clock of the file system.
   */
  isGone({ token, owner, beat_ms }: SeenLock, file_now_ms: number, stale_ms: number): boolean {
    const now_ms = this.#now();
    if (this.#asked?.token !== token || now_ms - this.#asked.at_ms >= ASK_MS) {
      this.#asked = { token, at_ms: now_ms, gone: owner !== undefined && isRunning(owner) === false };
    }
    if (this.#asked.gone) return true;
    if (this.#watched?.token !== token || this.#watched.beat_ms !== beat_ms) {
      this.#watched = { token, beat_ms, since_ms: now_ms };
    }
    const watched_ms = now_ms - this.#watched.since_ms;
    const silence_ms = owner?.stale_ms ?? stale_ms;
    return watched_ms >= silence_ms || (watched_ms >= silence_ms / 2 && file_now_ms - beat_ms >= silence_ms);
  }
}
