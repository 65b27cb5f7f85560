import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeFrontMatter } from '../packages/batonpass/src/formats/markdown/change-front-matter.ts';
import {
  type MarkdownDocument,
  parseDocument,
  placeOfMatter,
} from '../packages/batonpass/src/formats/markdown/document.ts';
import { decodeDocument, encodeDocument } from '../packages/batonpass/src/formats/markdown/document-bytes.ts';
import { joinDocument } from '../packages/batonpass/src/formats/markdown/split-document.ts';
import { readWholeYaml } from '../packages/batonpass/src/formats/markdown/whole-yaml.ts';

/**
 * Checks on documents of others what Baton promises of any document: it is read, put together again it has the same
 * bytes, both readers of its front matter agree, and a change that changes nothing changes no byte.
 */
function main(shared: string): void {
  const folder = join(shared, 'samples/frontmatter');
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const faults = names.flatMap((name) => faultsOf(join(folder, name)).map((fault) => `${name}: ${fault}`));
  faults.push(...faultsOfScript(shared));
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.stdout.write(`${names.length} documents, ${faults.length} faults\n`);
  if (faults.length > 0 || names.length === 0) process.exitCode = 1;
}

function faultsOf(path: string): string[] {
  const bytes = readFileSync(path);
  try {
    const document = parseDocument(decodeDocument(bytes, path), path);
    const isSame = bytes.equals(encodeDocument(joinDocument(document)));
    return [...(isSame ? [] : ['comes back with other bytes']), ...faultsOfFields(document, path)];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function faultsOfFields(document: MarkdownDocument, path: string): string[] {
  const { fields, matter } = document;
  if (fields === null || matter === null) return [];
  const place = placeOfMatter(document, path);
  const isAgreed = JSON.stringify(readWholeYaml(matter, place)) === JSON.stringify(fields);
  return [
    ...(isAgreed ? [] : ['is read in two ways']),
    ...(changeFrontMatter(matter, fields, place) === matter ? [] : ['changes where nothing is changed']),
  ];
}

/** The round-trip script that a test runs is the source's own, but for its indentation in the document. */
function faultsOfScript(shared: string): string[] {
  const source = readFileSync(join(shared, 'sources/1-handoff-files.md'), 'utf8').replace(/^ {3}/gm, '');
  const script = readFileSync(join(import.meta.dirname, '../test/handoff-files/source-1-round-trip.txt'), 'utf8');
  return source.includes(script.trim()) ? [] : ['the round-trip script is not as it stands in source 1'];
}

main(process.argv[2] ?? '');
