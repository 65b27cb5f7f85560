import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requirements } from './requirements.ts';
import { root } from './tidy/source-files.ts';

it('every claim of docs/security.md is backed by requirements that tests prove', () => {
  const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const protections = text.slice(text.indexOf('## What it protects against'), text.indexOf('## What it does not'));
  const claims = protections.split('\n').filter((line) => /^\| (?!Threat)/.test(line));
  expect(claims.length).toBeGreaterThan(20);
  for (const claim of claims) {
    const cited = [...(claim.split('|')[3] ?? '').matchAll(/`([^`]+)`/g)].map(([, id]) => id ?? '');
    expect([claim, cited.length > 0, cited.filter((id) => !Object.hasOwn(requirements, id))]).toEqual([
      claim,
      true,
      [],
    ]);
  }
});
