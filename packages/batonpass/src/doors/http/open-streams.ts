import type { Principal } from './principal.ts';
import { Refusal } from './problem.ts';

/** How many streams of one kind may be open, and what they are called. */
export interface StreamBounds {
  all_max: number;
  /** Of one caller. */
  each_max: number;
  /** The words after "Too many". */
  what: string;
  /** What the caller can do next. */
  advice: string;
}

/** The streams of one kind that are open in one server, by caller. */
export class OpenStreams {
  readonly #bounds: StreamBounds;
  readonly #open = new Map<string, number>();

  constructor(bounds: StreamBounds) {
    this.#bounds = bounds;
  }

  /**
   * Counts one more.
   *
   * @returns the function to call once, when it is closed.
   * @throws Refusal where too many are open, of all or of this caller.
   */
  enter({ key }: Principal): () => void {
    const { all_max, each_max, what, advice } = this.#bounds;
    const all = [...this.#open.values()].reduce((sum, each) => sum + each, 0);
    const own = this.#open.get(key) ?? 0;
    if (all >= all_max || own >= each_max) {
      throw new Refusal('too_many_requests', `Too many ${what} are open.`, {
        headers: { 'retry-after': '5' },
        alternatives: [advice],
      });
    }
    this.#open.set(key, own + 1);
    return () => {
      const left = (this.#open.get(key) ?? 1) - 1;
      if (left === 0) this.#open.delete(key);
      else this.#open.set(key, left);
    };
  }
}
