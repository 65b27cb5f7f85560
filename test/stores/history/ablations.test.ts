import { join } from 'node:path';
import { expect } from 'vitest';
import { openSqliteStore } from '../../../packages/batonpass/src/stores/sqlite/store.ts';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { ablations } from './ablations.ts';
import { checkHistory } from './check-history.ts';
import { runShortly } from './short-run.ts';
import { describeFaults } from './verdict.ts';

const SEED = 20_260_301;

const newFolder = createFolders();
const newFile = () => join(newFolder(), 'baton.db');

verifies(
  ['HISTORY.sound'],
  'a short run on the whole store is sound, and its guards have something to do',
  async () => {
    const file = newFile();
    const { operations, ...contents } = await runShortly((now) => openSqliteStore(file, { now }), SEED);
    const verdict = checkHistory({ operations, ...contents });
    expect(describeFaults(verdict)).toEqual([]);
    const refusals = operations.flatMap(({ code }) => code ?? []);
    expect(new Set(refusals)).toEqual(new Set(['lease_lost']));
    expect(refusals.length).toBeGreaterThan(10);
    expect(contents.events.filter(({ name }) => name === 'handoff-lapsed').length).toBeGreaterThan(10);
    const uncertain = operations.filter(({ verb, came }) => verb === 'create' && came === 'unknown');
    expect(uncertain.length).toBeGreaterThan(10);
    expect(verdict.recovered.length).toBeGreaterThan(0);
  },
);

for (const { name, shows, open } of ablations) {
  verifies(['HISTORY.ablations'], `the same run fails without ${name}`, async () => {
    const file = newFile();
    const verdict = checkHistory(await runShortly((now) => open(file, now), SEED));
    expect(verdict[shows]).not.toEqual([]);
  });
}
