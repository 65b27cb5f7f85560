import { listImports } from '../tidy/imports.ts';
import { readSources, type SourceTexts } from '../tidy/source-files.ts';

/** More would notice more, and take a soak of hours. */
const TESTS_MAX = 5;

/** What imports each file, directly. */
export function readImporters(): ReadonlyMap<string, readonly string[]> {
  const texts: SourceTexts = readSources(['packages/batonpass/src', 'test']);
  const importers = new Map<string, string[]>();
  for (const [path, text] of Object.entries(texts)) {
    for (const { target } of listImports(path, text)) {
      if (texts[target] !== undefined) importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  }
  return importers;
}

/** The tests that reach a file by the fewest imports; of those as near, the ones whose place is most like its own first. */
export function findNearestTests(path: string, importers: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const seen = new Set([path]);
  let layer = [path];
  while (layer.length > 0 && found.length < TESTS_MAX) {
    const next = layer.flatMap((each) => importers.get(each) ?? []).filter((each) => !seen.has(each));
    layer = [...new Set(next)];
    for (const each of layer) seen.add(each);
    const likeness = (test: string) => test.split(/[/.-]/).filter((word) => path.split(/[/.-]/).includes(word)).length;
    const tests = layer.filter((each) => /\.test\.tsx?$/.test(each) && !each.startsWith('test/mutations/'));
    found.push(...tests.sort((a, b) => likeness(b) - likeness(a)));
  }
  return found.slice(0, TESTS_MAX);
}
