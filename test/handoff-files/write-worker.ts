import { writeSync } from 'node:fs';
import { nextHandoffFile } from '../../packages/batonpass/src/handoff-files/write-handoff-file.ts';
import { findings, unversioned } from './samples.ts';

/** One process that writes handoff files into a folder: `node write-worker.ts ORDER`, the order as JSON. */
export interface WriteOrder {
  folder: string;
  /** How many files; without end where it is absent. */
  files?: number;
  /** Characters of each body. */
  characters: number;
}

/** What it reports of each file, once it is written. */
export interface Written {
  path: string;
  body: string;
}

const { folder, files = Number.POSITIVE_INFINITY, characters } = JSON.parse(process.argv[2] ?? '{}') as WriteOrder;

for (let count = 0; count < files; count += 1) {
  const body = `${process.pid} ${count}`;
  const path = await nextHandoffFile(folder, unversioned(findings), `${body}\n${'x'.repeat(characters)}\nend`);
  writeSync(1, `${JSON.stringify({ path, body } satisfies Written)}\n`);
}
