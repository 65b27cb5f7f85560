import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { checkHandoffFiles } from '../../packages/batonpass/src/handoff-files/check-handoff-files.ts';
import { writeHandoffFile } from '../../packages/batonpass/src/handoff-files/write-handoff-file.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';

const createFolder = createFolders();

verifies(['FILE.leftovers'], 'what a killed writer left is reported, and removed by the next write', async () => {
  const folder = createFolder();
  const [old, fresh] = [0, 1].map(() => join(folder, `.handoff.${crypto.randomUUID()}.new`)) as [string, string];
  const strange = join(folder, '.handoff.notes.new');
  for (const path of [old, fresh, strange]) writeFileSync(path, '---\ntype: find');
  const before = new Date(Date.now() - 120_000);
  for (const path of [old, strange]) utimesSync(path, before, before);
  const { documents, findings } = checkHandoffFiles([folder]);
  expect(documents).toBe(0);
  expect(findings.map(({ path }) => path).sort()).toEqual([old, fresh].sort());
  const frontmatter = {
    version: '001',
    type: 'findings',
    status: 'complete',
    created: '2026-01-24T10:00:00Z',
  } as const;
  await writeHandoffFile(folder, { ...frontmatter, phase: 'a', agent: 'b', confidence: 'high' } as const, 'x');
  expect([old, fresh, strange].map(existsSync)).toEqual([false, true, true]);
});
