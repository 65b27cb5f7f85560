import { listImports } from '../tidy/imports.ts';
import { readSources, type SourceTexts } from '../tidy/source-files.ts';

/** Of the tests that are known to run a break, so many of the most alike that take no more of the time of all tests. */
const NEAREST_MAX = 3;
const NEAREST_SHARE_MAX = 1 / 30;
/** And as many others as take so much of it together, the quickest first. A busy machine changes no share. */
const OTHERS_SHARE_MAX = 1 / 20;
/** A word of a path says more about what a file is for than a word of its text. */
const PATH_WEIGHT = 4;
/** What runs none of the package's sources, or reads what was built of them. */
const unfit =
  /^test\/(?:mutations|tidy|requirements|contributing|bench|readme|scripts|studio|[a-z]+-documents?\.)|\/(?:bench|start)\./;
/** The tests by what they are about, and the tests that import each source. */
export interface TestIndex {
  texts: SourceTexts;
  /** The weighted words of each test. */
  tests: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** How much a word that few tests have says. */
  rarity: (word: string) => number;
  importers: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The tests that are known to run a break, and how long each test takes. */
export interface ReachingTests {
  tests: ReadonlySet<string>;
  /** Tests that run no part here, as in a browser: they may run whatever they import. */
  elsewhere: ReadonlySet<string>;
  seconds: ReadonlyMap<string, number>;
}

/** Reads all sources and tests once. */
export function indexTests(): TestIndex {
  const texts = readSources(['packages/batonpass/src', 'test']);
  const paths = Object.keys(texts).filter((path) => /\.(?:test|spec)\.tsx?$/.test(path) && !unfit.test(path));
  const suite = Object.keys(texts).filter((path) => path.startsWith('packages/batonpass/src/stores/contract/'));
  // A test that runs the suite for stores is about what the suite is about.
  const partsOf = (path: string) => (/\bexercise\(\{/.test(texts[path] ?? '') ? [path, ...suite] : [path]);
  const wordsOf = (path: string) =>
    weighWords(
      path,
      partsOf(path)
        .map((part) => texts[part] ?? '')
        .join('\n'),
    );
  const tests = new Map(paths.map((path) => [path, wordsOf(path)]));
  const counts = new Map<string, number>();
  for (const words of tests.values()) for (const word of words.keys()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rarity = (word: string) => Math.log(tests.size / (counts.get(word) ?? tests.size));
  return { texts, tests, rarity, importers: readImporters(texts) };
}

/**
 * The tests of a break, the quick ones first: of those that run it, and of those that import its source where none is known
 * to or where they run it elsewhere, the most alike and the quickest.
 */
export function findNearestTests(path: string, index: TestIndex, reaching: ReachingTests): string[] {
  const { tests, elsewhere, seconds } = reaching;
  const all_seconds = [...seconds.values()].reduce((sum, each) => sum + each, 0);
  const shareOf = (test: string) => (seconds.get(test) ?? 0) / (all_seconds || 1);
  const importing = listImporting(path, index);
  const mayRun = (test: string) =>
    tests.has(test) || (importing.has(test) && (tests.size === 0 || elsewhere.has(test)));
  const alike = sortByLikeness(path, index);
  // A test that starts a command names none of its sources.
  const running = alike.some(mayRun) ? alike.filter(mayRun) : alike;
  const nearest = running.filter((test) => shareOf(test) <= NEAREST_SHARE_MAX).slice(0, NEAREST_MAX);
  let left = OTHERS_SHARE_MAX;
  const quickest = running.sort((a, b) => shareOf(a) - shareOf(b));
  return quickest.filter((test, place) => {
    if (place === 0 || nearest.includes(test)) return true;
    left -= shareOf(test);
    return left >= 0;
  });
}

function sortByLikeness(path: string, { texts, tests, rarity }: TestIndex): string[] {
  const source = weighWords(path, texts[path] ?? '');
  const likeness = new Map(
    [...tests].map(([test, words]) => {
      const shared = [...source].map(([word, weight]) => weight * (words.get(word) ?? 0) * rarity(word) ** 2);
      const length = Math.hypot(...[...words].map(([word, weight]) => weight * rarity(word)));
      return [test, shared.reduce((sum, each) => sum + each, 0) / length];
    }),
  );
  return [...tests.keys()].sort((a, b) => (likeness.get(b) ?? 0) - (likeness.get(a) ?? 0));
}

/** What imports a source, through any number of files. */
function listImporting(path: string, { importers }: TestIndex): ReadonlySet<string> {
  const found = new Set([path]);
  for (const each of found) for (const importer of importers.get(each) ?? []) found.add(importer);
  return found;
}

/** What imports each file, or names its path. */
function readImporters(texts: SourceTexts): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const [path, text] of Object.entries(texts)) {
    const named = [...text.matchAll(/'((?:packages|test)\/[^']+)'/g)].map(([, target = '']) => target);
    for (const target of [...listImports(path, text).map((each) => each.target), ...named]) {
      if (texts[target] !== undefined) importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return importers;
}

function weighWords(path: string, text: string): Map<string, number> {
  const words = new Map(splitWords(text).map((word) => [word, 1]));
  for (const word of splitWords(path)) words.set(word, PATH_WEIGHT);
  return words;
}

/** The words of names and texts in lower case: `storeCopy` and `store-copy` have the same. */
function splitWords(text: string): string[] {
  return [...text.matchAll(/[A-Z]?[a-z]{2,}|[A-Z]{2,}/g)].map(([word]) => word.toLowerCase().replace(/s$/, ''));
}
