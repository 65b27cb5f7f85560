import { spawnSync } from 'node:child_process';

/** The long forms of tests that `npm test` runs short: the same code with larger numbers. */
const soaks: Record<string, { what: string; file: string; environment: Record<string, string> }> = {
  model: {
    what: '20,000 random operation sequences, memory against sqlite',
    file: 'test/stores/model.test.ts',
    environment: { BATON_MODEL_RUNS: '20000' },
  },
  scale: {
    what: '8 processes create and claim 10,000 handoffs each on one file',
    file: 'test/stores/race.test.ts',
    environment: { BATON_SCALE_SHARE: '10000' },
  },
  kill: {
    what: '1,000 processes killed on one file',
    file: 'test/stores/kill.test.ts',
    environment: { BATON_KILLS: '1000' },
  },
  fence: {
    what: '200 holders stopped past their lease, 20 of them by the real clock',
    file: 'test/stores/fencing.test.ts',
    environment: { BATON_FENCE_ROUNDS: '180', BATON_FENCE_REAL_ROUNDS: '20' },
  },
  clock: {
    what: '2,000 jumps of the clock, up to ten years, under three working processes',
    file: 'test/stores/clock.test.ts',
    environment: { BATON_CLOCK_MOVES: '2000' },
  },
  consume: {
    what: '5,000 courses of random handlers and stops of the worker loop, on memory and on sqlite',
    file: 'test/stores/consume-model.test.ts',
    environment: { BATON_CONSUME_RUNS: '5000' },
  },
  power: {
    what: '20,000 power cuts, at every step that a store asks of its disk',
    file: 'test/stores/faults/power-cut.test.ts',
    environment: { BATON_POWER_CUTS: '20000' },
  },
  disk: {
    what: 'a disk that is full or fails, at each step of every writing call, in every way',
    file: 'test/stores/faults/disk-faults.test.ts',
    environment: { BATON_DISK_FAULTS: 'all' },
  },
  damage: {
    what: 'a write-ahead log cut at each of its bytes, and 2,000 flipped bits of log and database',
    file: 'test/stores/faults/damaged-',
    environment: { BATON_LOG_CUTS: 'all', BATON_BIT_FLIPS: '2000' },
  },
  backup: {
    what: '100 copies of a store that another process writes to, each sound and a prefix',
    file: 'test/operations/store-backup.test.ts',
    environment: { BATON_BACKUP_COPIES: '100' },
  },
  'store-kill': {
    what: 'kills in the middle of copy, prune, restore and migration; at every moment of the last two',
    file: 'test/operations/store-kill.test.ts',
    environment: { BATON_STORE_KILLS: '250' },
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
