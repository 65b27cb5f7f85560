import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseGuide, runGuide, withoutChance } from '../scripts/readme-guide.ts';
import { verifies } from './verifies.ts';

const root = join(import.meta.dirname, '..');
const document = readFileSync(join(root, 'README.md'), 'utf8');

verifies(['CLI.readme'], 'the guide’s commands run and print what the README shows', () => {
  const steps = parseGuide(document);
  expect(steps.length).toBeGreaterThan(5);
  for (const [index, { line, output }] of runGuide(steps).entries()) {
    expect(`$ ${line}\n${withoutChance(output)}`).toBe(`$ ${line}\n${withoutChance(steps[index]?.output ?? '')}`);
  }
});

verifies(['CLI.readme'], 'the scripts that the README names exist, and so do the files that it links', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const words = document.replace(/^```console\n\$ baton [\s\S]*?^```$/gm, '');
  const named = [...words.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name = '']) => name);
  for (const name of named) if (name !== 'ci' && name !== 'install') expect(Object.keys(scripts)).toContain(name);
  for (const [, link = ''] of document.matchAll(/\]\((?!https?:)([^)#]+)/g))
    expect(existsSync(join(root, link))).toBe(true);
});
