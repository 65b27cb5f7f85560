import { countShared } from './content-words.ts';

/** Something that is found by the words that it says. */
interface Worded {
  words: ReadonlySet<string>;
}

/** A word that more texts hold than this is common. */
const commonMin = 100;

/** No more texts than this are compared with one. */
const candidatesMax = 400;

/**
 * Texts by their words, so that the like-worded ones are found without comparing each with each: only those are
 * compared that share one of a text's rarer words, which all that are alike enough must.
 */
export class SimilarTexts<Entry extends Worded> {
  readonly #byWord = new Map<string, Set<Entry>>();
  readonly #entries = new Set<Entry>();

  get size(): number {
    return this.#entries.size;
  }

  /** In the order in which they were added. */
  values(): IterableIterator<Entry> {
    return this.#entries.values();
  }

  add(entry: Entry): void {
    this.#entries.add(entry);
    for (const word of entry.words) {
      const others = this.#byWord.get(word);
      if (others === undefined) this.#byWord.set(word, new Set([entry]));
      else others.add(entry);
    }
  }

  delete(entry: Entry): void {
    if (!this.#entries.delete(entry)) return;
    for (const word of entry.words) {
      const others = this.#byWord.get(word);
      others?.delete(entry);
      if (others?.size === 0) this.#byWord.delete(word);
    }
  }

  /** The entries whose likeness to the words is at least this, above 0 and up to 1. */
  findAlike(words: ReadonlySet<string>, likeness_min: number): Entry[] {
    const shared_min = Math.max(1, Math.ceil((likeness_min * words.size) / (2 - likeness_min) - 1e-9));
    return this.#candidates(words, words.size - shared_min + 1).filter(
      (entry) => (2 * countShared(words, entry.words)) / Math.max(1, words.size + entry.words.size) >= likeness_min,
    );
  }

  /** The entries that hold all of the words. */
  findHolding(words: ReadonlySet<string>): Entry[] {
    return this.#candidates(words, 1, Number.POSITIVE_INFINITY).filter(
      (entry) => countShared(words, entry.words) === words.size,
    );
  }

  /** The entries that share at least one word. */
  findSharing(words: ReadonlySet<string>): Entry[] {
    return this.#candidates(words, words.size);
  }

  /**
   * The entries that hold one of the `count` rarest of the words. Words that very many contain distinguish little: they are passed
   * over as soon as there are candidates, so that the work for one text has a bound however many there are.
   */
  #candidates(words: ReadonlySet<string>, count: number, most = candidatesMax): Entry[] {
    const sets = [...words].map((word) => this.#byWord.get(word));
    const rarest = sets.sort((a, b) => (a?.size ?? 0) - (b?.size ?? 0)).slice(0, count);
    const found = new Set<Entry>();
    for (const set of rarest) {
      if (set === undefined || (set.size > commonMin && found.size > 0)) continue;
      for (const entry of set) {
        found.add(entry);
        if (found.size >= most) return [...found];
      }
    }
    return [...found];
  }
}
