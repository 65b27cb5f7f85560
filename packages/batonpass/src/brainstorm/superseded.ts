/** A sentence as it is compared with later ones. */
export interface Said {
  message: number;
  /** Its different words, lower case. */
  terms: readonly string[];
}

/** Two sentences are about the same where they share so much of the words of each. */
const sharedOfOlder = 0.6;
const sharedOfNewer = 0.4;
const wordsMin = 3;
/** A word that is in more sentences says little about what one is about, and would make this slow. */
const placesMax = 60;

/**
 * The sentences that a later one says again with other facts: the same words, but another number, path or name. Of
 * "40 commits ahead" and "44 commits ahead" the newer holds. It needs no language.
 */
export function findSuperseded<T extends Said>(said: readonly T[]): Set<T> {
  const places = new Map<string, T[]>();
  const parts = new Map<T, Parts>();
  for (const each of said) {
    const own = toParts(each.terms);
    parts.set(each, own);
    for (const word of own.words) {
      const list = places.get(word);
      if (list === undefined) places.set(word, [each]);
      else list.push(each);
    }
  }
  return new Set(said.filter((each) => isSuperseded(each, places, parts)));
}

interface Parts {
  words: readonly string[];
  /** Paths, identifiers and numbers. */
  names: ReadonlySet<string>;
}

function toParts(terms: readonly string[]): Parts {
  const isName = (term: string) => /[\d./_:@-]/.test(term);
  return { words: terms.filter((term) => !isName(term)), names: new Set(terms.filter(isName)) };
}

function isSuperseded<T extends Said>(
  older: T,
  places: ReadonlyMap<string, T[]>,
  parts: ReadonlyMap<T, Parts>,
): boolean {
  const { words, names } = parts.get(older) as Parts;
  if (words.length < wordsMin || names.size === 0) return false;
  const shared = new Map<T, number>();
  for (const word of words) {
    const list = places.get(word) ?? [];
    if (list.length > placesMax) continue;
    for (const newer of list) {
      if (newer.message > older.message) shared.set(newer, (shared.get(newer) ?? 0) + 1);
    }
  }
  for (const [newer, count] of shared) {
    const other = parts.get(newer) as Parts;
    if (count < sharedOfOlder * words.length || count < sharedOfNewer * other.words.length) continue;
    const replaces = [...other.names].some((name) => !names.has(name));
    if (replaces && [...names].some((name) => !other.names.has(name))) return true;
  }
  return false;
}
