import { ownText } from '../core/own-text.ts';

/** Words that carry no subject of their own. */
const stopWords = new Set(
  (
    'a an the of to in on at for and or but is are be been was were it its this that these those with as by from we i you ' +
    'our your their they he she so if then than into not no do does did will would should can could have has had just also ' +
    'only there here what which who when how why all any every each some more most very about over per up out off let lets make want ' +
    'need use like get go ok okay yes please now one us me my them'
  ).split(' '),
);

const suffixes = ['ations', 'ation', 'ings', 'ing', 'edly', 'ed', 'ies', 'es', 's', 'ly', 'e'];

/** Words repeat: so many of them are stemmed once. Beyond it the table is emptied, so that it stays small. */
const knownMax = 20_000;

/** Longer runs of letters are hashes and data, which no two texts share by meaning. */
const wordCharactersMax = 60;

const known = new Map<string, string>();

/** The words of a text that say what it is about, lower case and without endings. */
export function contentWords(text: string): Set<string> {
  const lower = text.toLowerCase();
  const words = new Set<string>();
  let from = -1;
  for (let at = 0; at <= lower.length; at += 1) {
    if (at < lower.length && isWordCode(lower.charCodeAt(at))) {
      if (from < 0) from = at;
    } else if (from >= 0) {
      if (at - from > 1 && at - from <= wordCharactersMax) addWord(words, lower.slice(from, at));
      from = -1;
    }
  }
  return words;
}

function addWord(words: Set<string>, word: string): void {
  let stemmed = known.get(word);
  if (stemmed === undefined) {
    if (known.size >= knownMax) known.clear();
    stemmed = stopWords.has(word) ? '' : ownText(stem(word));
    known.set(ownText(word), stemmed);
  }
  if (stemmed !== '') words.add(stemmed);
}

/** Letters, digits and `_` of ASCII; beyond it all but punctuation and white space. */
function isWordCode(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  return code !== 0xd7 && code !== 0xf7 && !(code >= 0x2000 && code <= 0x2bff) && !(code >= 0x3000 && code <= 0x303f);
}

function stem(word: string): string {
  const suffix = suffixes.find((ending) => word.endsWith(ending) && word.length - ending.length >= 3);
  return suffix === undefined ? word : word.slice(0, -suffix.length);
}

/** How many words of the smaller set are in the other, 0 to 1. */
export function containment(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return countShared(a, b) / Math.max(1, Math.min(a.size, b.size));
}

/** How alike two sets of words are, 0 to 1: the harmonic mean of what each shares. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return (2 * countShared(a, b)) / Math.max(1, a.size + b.size);
}

/** How many words two sets share. */
export function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const word of small) if (large.has(word)) shared += 1;
  return shared;
}
