import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { createTemplate, runHistory } from './drift-history.ts';
import { createDriftStages } from './drift-stage.ts';

/** `npm run soak -- drift` sets more. */
const histories = Number(process.env.BATON_DRIFT_HISTORIES ?? 25);
const seed = Number(process.env.BATON_DRIFT_SEED ?? Date.now() % 2 ** 31);
/** Histories with the verdicts that chance seldom brings: a test that never meets a verdict says nothing of it. */
const rare = [27, 37, 66, 86, 148, 191, 197];
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
    const seeds = [...rare, ...Array.from({ length: histories }, (_, index) => seed + index)];
    for (const [index, each] of seeds.entries()) {
      const place = join(folder, `history-${index}`);
      const { verdicts, failures } = runHistory({ seed: each, template, folder: place });
      expect(failures).toEqual([]);
      for (const verdict of verdicts) counts[verdict] = (counts[verdict] ?? 0) + 1;
      for (const end of ['', '-second']) rmSync(`${place}${end}`, { recursive: true, force: true });
    }
    const met = ['deleted', 'edited', 'not-on-this-branch', 'renamed', 'unchanged', 'uncommitted-and-missing'];
    expect(Object.keys(counts)).toEqual(expect.arrayContaining(met));
  },
  60_000 + histories * 2_000,
);
