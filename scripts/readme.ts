import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseGuide, replaceOutputs, runGuide } from './readme-guide.ts';

/** Runs the commands of the README and of the guide to planning, and writes what they print into them. */
for (const name of ['README.md', 'docs/planning.md']) {
  const path = join(import.meta.dirname, '..', name);
  const document = readFileSync(path, 'utf8');
  writeFileSync(path, replaceOutputs(document, runGuide(parseGuide(document))));
}
