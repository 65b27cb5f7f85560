import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseGuide, replaceOutputs, runGuide } from './readme-guide.ts';

/** Runs the README's commands and writes what they print into it. */
const path = join(import.meta.dirname, '../README.md');
const document = readFileSync(path, 'utf8');
writeFileSync(path, replaceOutputs(document, runGuide(parseGuide(document))));
