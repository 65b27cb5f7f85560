import { spawnSync } from 'node:child_process';

/** The long forms of tests that `npm test` runs short: the same code with larger numbers. */
const soaks: Record<string, { what: string; file: string; environment: Record<string, string> }> = {
  model: {
    what: '20,000 random operation sequences, memory against sqlite',
    file: 'test/stores/model.test.ts',
    environment: { BATON_MODEL_RUNS: '20000' },
  },
  race: {
    what: '1,000 kills of writers and claimers on one file',
    file: 'test/stores/race.test.ts',
    environment: { BATON_RACE_KILLS: '1000' },
  },
  drift: {
    what: '5,000 random git histories, no verdict against the bytes',
    file: 'test/workspace/drift-histories.test.ts',
    environment: { BATON_DRIFT_HISTORIES: '5000' },
  },
};

const [name = ''] = process.argv.slice(2);
const soak = soaks[name];
if (soak === undefined) {
  const known = Object.entries(soaks).map(([known, { what }]) => `  npm run soak -- ${known}   ${what}`);
  process.stderr.write(`Name a soak:\n${known.join('\n')}\n`);
  process.exitCode = 2;
} else {
  const words = ['vitest', 'run', soak.file, '--testTimeout', '7200000'];
  const { status } = spawnSync('npx', words, { stdio: 'inherit', env: { ...process.env, ...soak.environment } });
  process.exitCode = status ?? 1;
}
