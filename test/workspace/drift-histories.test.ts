import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { createTemplate, runHistory } from './drift-history.ts';
import { createDriftStages } from './drift-stage.ts';

/** `npm run soak -- drift` sets more. */
const histories = Number(process.env.BATON_DRIFT_HISTORIES ?? 200);
const seed = Number(process.env.BATON_DRIFT_SEED ?? Date.now() % 2 ** 31);
const { newFolder } = createDriftStages();

verifies(
  ['DRIFT.never-false', 'DRIFT.unchanged', 'DRIFT.renamed'],
  `no verdict contradicts the bytes that a test keeps itself, in ${histories} random histories (seed ${seed})`,
  () => {
    const folder = newFolder();
    const template = join(folder, 'template');
    mkdirSync(template);
    createTemplate(template);
    const counts: Record<string, number> = {};
    for (let index = 0; index < histories; index += 1) {
      const place = join(folder, `history-${index}`);
      const { verdicts, failures } = runHistory({ seed: seed + index, template, folder: place });
      expect(failures).toEqual([]);
      for (const verdict of verdicts) counts[verdict] = (counts[verdict] ?? 0) + 1;
      for (const end of ['', '-second']) rmSync(`${place}${end}`, { recursive: true, force: true });
    }
    // A test that never meets a verdict says nothing of it.
    if (histories >= 200) {
      const met = ['deleted', 'edited', 'not-on-this-branch', 'renamed', 'unchanged', 'uncommitted-and-missing'];
      expect(Object.keys(counts)).toEqual(expect.arrayContaining(met));
    }
  },
  60_000 + histories * 2_000,
);
