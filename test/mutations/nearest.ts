import { listImports } from '../tidy/imports.ts';
import { readSources, type SourceTexts } from '../tidy/source-files.ts';

/** More would notice more, and take a soak of hours. */
const TESTS_MAX = 10;
/** Of the tests that are known to run a break so many of the most alike, and others until all take so long together. */
const ALIKE_MIN = 3;
const SECONDS_MAX = 30;
/** A word of a path says more about what a file is for than a word of its text. */
const PATH_WEIGHT = 4;
/** What runs none of the package's sources, or reads what was built of them. */
const unfit =
  /^test\/(?:mutations|tidy|requirements|contributing|bench|readme|scripts|studio)|-document|\/(?:bench|start)\./;
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
  seconds: ReadonlyMap<string, number>;
}

/** Reads all sources and tests once. */
export function indexTests(): TestIndex {
  const texts = readSources(['packages/batonpass/src', 'test']);
  const paths = Object.keys(texts).filter((path) => /\.(?:test|spec)\.tsx?$/.test(path) && !unfit.test(path));
  const tests = new Map(paths.map((path) => [path, weighWords(path, texts[path] ?? '')]));
  const counts = new Map<string, number>();
  for (const words of tests.values()) for (const word of words.keys()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rarity = (word: string) => Math.log(tests.size / (counts.get(word) ?? tests.size));
  return { texts, tests, rarity, importers: readImporters(texts) };
}

/**
 * The tests of a break, the quick ones first: of those that run it the most alike, and as many others as there is time
 * for. Where none is known to, half are those that import the source and half those with like words: imports alone find
 * nothing where a test runs the command, and words alone miss a test that has its own names.
 */
export function findNearestTests(path: string, index: TestIndex, reaching?: ReachingTests): string[] {
  const alike = sortByLikeness(path, index);
  if (reaching === undefined || reaching.tests.size === 0) return guessTests(path, index, alike);
  const secondsOf = (test: string) => reaching.seconds.get(test) ?? 0;
  const running = alike.filter((test) => reaching.tests.has(test));
  const nearest = new Set(running.slice(0, ALIKE_MIN));
  let left_seconds = SECONDS_MAX - [...nearest].reduce((sum, test) => sum + secondsOf(test), 0);
  return running
    .sort((a, b) => secondsOf(a) - secondsOf(b))
    .filter((test) => {
      if (nearest.has(test)) return true;
      left_seconds -= secondsOf(test);
      return left_seconds >= 0;
    });
}

function guessTests(path: string, { texts, importers }: TestIndex, alike: readonly string[]): string[] {
  const imported = importingTests(path, importers, (test) => alike.indexOf(test)).slice(0, TESTS_MAX / 2);
  const chosen = [...new Set([...imported, ...alike])].slice(0, TESTS_MAX);
  // Those that start programs take seconds each: most breaks are noticed before them.
  const cost = (test: string) => (/stage\.ts'|\bspawn|execFile/.test(texts[test] ?? '') ? alike.length : 0);
  return chosen.sort((a, b) => cost(a) - cost(b) || alike.indexOf(a) - alike.indexOf(b));
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

/** The tests that reach a source by the fewest imports, and of those as near the most alike first. */
function importingTests(path: string, importers: TestIndex['importers'], rank: (test: string) => number): string[] {
  const found: string[] = [];
  const seen = new Set([path]);
  let layer = [path];
  while (layer.length > 0 && found.length < TESTS_MAX / 2) {
    const next = new Set(layer.flatMap((each) => [...(importers.get(each) ?? [])]));
    layer = [...next].filter((each) => !seen.has(each));
    for (const each of layer) seen.add(each);
    found.push(...layer.filter((each) => rank(each) !== -1).sort((a, b) => rank(a) - rank(b)));
  }
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
