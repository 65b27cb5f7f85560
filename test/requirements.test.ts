import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judgeCitations, listCitedIds } from './requirements/gate.ts';
import { done, type Requirement } from './requirements/requirement.ts';
import { requirements } from './requirements.ts';
import { listSources, root } from './tidy/source-files.ts';

describe('the gate of requirements', () => {
  const folders = ['test', 'packages/batonpass/src/stores/contract'];
  const paths = folders.flatMap((folder) => listSources(folder));
  const sources = Object.fromEntries(paths.map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]));
  const answer = judgeCitations({ requirements, sources, done });

  it('finds no cited id that is not declared', () => {
    expect(answer.unknown).toEqual([]);
  });

  it('finds no id that is declared twice', () => {
    const declarations = paths.filter((path) => path.startsWith('test/requirements/'));
    const ids = declarations.flatMap((path) =>
      [...(sources[path] ?? '').matchAll(/^ +'([\w.-]+)':/gm)].map(([, id]) => id),
    );
    expect(ids.filter((id, place) => ids.indexOf(id) < place)).toEqual([]);
    expect(new Set(ids)).toEqual(new Set(Object.keys(requirements)));
  });

  it('finds a test for every requirement of a finished milestone', () => {
    expect(answer.uncited).toEqual([]);
  });
});

describe('the gate itself', () => {
  const asked = (milestone: Requirement['milestone']): Requirement => ({ source: 's', behaviour: 'b', milestone });
  const made = { 'A.one': asked('foundation'), 'A.two': asked('foundation'), 'B.one': asked('queue') };

  it('reports an id that nobody declared, with its file', () => {
    const sources = { 'a.test.ts': "verifies(['A.one', 'A.none'], 'x', () => {});" };
    expect(judgeCitations({ requirements: made, sources, done: [] }).unknown).toEqual(['a.test.ts: A.none']);
  });

  it('reports an uncited id once its milestone is done, and not before', () => {
    const sources = { 'a.test.ts': "verifies(['A.one'], 'x', () => {});" };
    expect(judgeCitations({ requirements: made, sources, done: ['foundation'] }).uncited).toEqual(['A.two']);
    expect(judgeCitations({ requirements: made, sources, done: ['queue'] }).uncited).toEqual(['B.one']);
    expect(judgeCitations({ requirements: made, sources, done: [] }).uncited).toEqual([]);
  });

  it('reads calls over several lines and tables of cases, but neither comments nor other lists', () => {
    const text = `
      // verifies(['NO.comment'], …)
      verifies(
        [
          'A.one', // first
          'A.two',
        ],
        'x', () => {});
      const cases = [{ ids: ['B.one'], name: 'x' }, { other: ['NO.other'] }];
      const sample = "verifies(['NO.text'])";
    `;
    expect(listCitedIds('a.ts', text)).toEqual(['A.one', 'A.two', 'B.one']);
  });
});
