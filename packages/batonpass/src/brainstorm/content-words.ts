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

/** The words of a text that say what it is about, lower case and without endings. */
export function contentWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return new Set(words.filter((word) => word.length > 1 && !stopWords.has(word)).map(stem));
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
