import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { done, milestones } from './requirements/requirement.ts';
import { listExports } from './tidy/exports.ts';
import { root } from './tidy/source-files.ts';

interface Row {
  named: string;
  here: string;
  when: string;
}

/** The rows of the document's tables. */
function readRows(text: string): Row[] {
  return [...text.matchAll(/^\| (?!in the source|---)(.+?) \|(.*)\| ([a-z -]+) \|$/gm)].map(
    ([, named = '', here = '', when = '']) => ({ named, here: here.trim(), when }),
  );
}

/** Code spans of a cell that name nothing which exists: neither a file, an export, nor a script. */
function listAbsent(here: string, exported: ReadonlySet<string>, scripts: Readonly<Record<string, string>>): string[] {
  return [...here.matchAll(/`([^`]+)`/g)]
    .map(([, span = '']) => span)
    .filter((span) => !isThere(span, exported, scripts));
}

function isThere(span: string, exported: ReadonlySet<string>, scripts: Readonly<Record<string, string>>): boolean {
  const script = /^npm (?:run )?([a-z:]+)$/.exec(span)?.[1];
  if (script !== undefined) return script in scripts || script === 'ci';
  if (span.includes('/') || /\.(?:json|md|ts)$/.test(span)) return existsSync(join(root, span));
  return exported.has(span) || unchecked.has(span);
}

/** Words in code that are no names of this package: members of an export, libraries. */
const unchecked: ReadonlySet<string> = new Set(['alternatives', 'claim', 'yaml']);

describe('docs/sources.md', () => {
  const rows = readRows(readFileSync(join(root, 'docs/sources.md'), 'utf8'));
  const entries = ['index', 'files', 'records', 'queue', 'plan', 'draft', 'react', 'ai'].map(
    (name) => `packages/batonpass/src/${name}.ts`,
  );
  const exported = new Set(
    entries.flatMap((path) => listExports(path, readFileSync(join(root, path), 'utf8')).map(({ name }) => name)),
  );
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };

  it('has rows for each of the five sources', () => {
    const text = readFileSync(join(root, 'docs/sources.md'), 'utf8');
    expect(
      text
        .split(/^## Source \d: /m)
        .slice(1)
        .map((part) => readRows(part).length > 5),
    ).toEqual(Array(5).fill(true));
    expect(text.match(/^\| (?!in the source|---)/gm)?.length).toBe(rows.length);
  });

  it.each(rows.filter(({ when }) => when === 'here'))('$named is here: $here', ({ here }) => {
    expect(here).toMatch(/`/);
    expect(listAbsent(here, exported, scripts)).toEqual([]);
  });

  it('promises nothing for a milestone that is unknown or done', () => {
    const open: string[] = milestones.filter((milestone) => !done.includes(milestone));
    const promised = rows.filter(({ when }) => when !== 'here' && when !== 'not ours');
    expect(promised.filter(({ when }) => !open.includes(when))).toEqual([]);
  });

  it('is checked by a test that sees an absent name, file and script', () => {
    const here = '`renderContent`, `src/gone.ts`, `gone`, `npm run gone`, `npm test`';
    expect(listAbsent(here, exported, scripts)).toEqual(['src/gone.ts', 'gone', 'npm run gone']);
    expect(
      readRows('| `a` | `b` | here |\n| in the source | x | when |\n|---|---|---|\n| c | | not ours |'),
    ).toHaveLength(2);
  });
});
