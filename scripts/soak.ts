import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

/** A PgBouncer must be there for it: `apt-get install pgbouncer`. */
const pooled = {
  BATON_PGBOUNCER: '/usr/sbin/pgbouncer',
  BATON_POSTGRES_POOLED_SHARE: '1250',
  BATON_POSTGRES_POOLED_RESTARTS: '20',
  BATON_POSTGRES_FAILOVER_SHARE: '625',
  BATON_POSTGRES_FAILOVERS: '10',
};

/** The long forms of tests that `npm test` runs short: the same code with larger numbers. Several files are separated by spaces. */
const soaks: Record<string, { what: string; file: string; environment: Record<string, string> }> = {
  model: {
    what: '20,000 random operation sequences, memory against sqlite',
    file: 'test/stores/model.test.ts',
    environment: { BATON_MODEL_RUNS: '20000' },
  },
  postgres: {
    what: 'a Postgres server restarted 20 times under 16 processes and 100,000 handoffs, as many behind a way that drops and stalls, 20,000 behind a PgBouncer, and 10 promoted standbys',
    file: ['restart', 'unruly', 'pgbouncer', 'failover']
      .map((name) => `test/stores/postgres/${name}.test.ts`)
      .join(' '),
    environment: {
      ...pooled,
      BATON_POSTGRES_WORKERS: '16',
      BATON_POSTGRES_SHARE: '6250',
      BATON_POSTGRES_RESTARTS: '20',
      BATON_POSTGRES_WAY_SHARE: '6250',
    },
  },
  'postgres-pooled': {
    what: 'a PgBouncer and its Postgres server restarted 20 times in turn under 16 processes and 20,000 handoffs, and 10 promoted standbys',
    file: 'test/stores/postgres/pgbouncer.test.ts test/stores/postgres/failover.test.ts',
    environment: { BATON_POSTGRES_WORKERS: '16', ...pooled },
  },
  'postgres-restart': {
    what: 'a Postgres server restarted 5 times under 16 processes and 20,000 handoffs',
    file: 'test/stores/postgres/restart.test.ts',
    environment: { BATON_POSTGRES_WORKERS: '16', BATON_POSTGRES_SHARE: '1250', BATON_POSTGRES_RESTARTS: '5' },
  },
  'postgres-copy': {
    what: 'a store in use copied from SQLite to Postgres and back, killed 20 times each way',
    file: 'test/stores/postgres/copy.test.ts',
    environment: { BATON_POSTGRES_COPY_KILLS: '20' },
  },
  'postgres-model': {
    what: '5,000 random operation sequences, memory against postgres',
    file: 'test/stores/postgres/model.test.ts',
    environment: { BATON_POSTGRES_MODEL_RUNS: '5000' },
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
  lock: {
    what: '200 stopped holders of a folder taken over, and 8 processes that count 1,000 times each under the lock',
    file: 'test/disk/lock.test.ts',
    environment: { BATON_LOCK_ROUNDS: '200', BATON_LOCK_COUNTS: '1000' },
  },
  plan: {
    what: '20,000 plans, settings and references edited by hand and each line followed, messages cut at every byte, 100,000 mutated messages and documents',
    file: 'test/plan-files/hand-edited test/plan-files/cut-messages test/plan-files/mutated-',
    environment: { BATON_PLAN_DOCUMENTS: '20000', BATON_PLAN_MUTATIONS: '100000' },
  },
  'plan-race': {
    what: '8 processes that update one plan 100 times each, and 100 killed writers of one',
    file: 'test/plan-files/plan-race.test.ts',
    environment: { BATON_PLAN_UPDATES: '100', BATON_PLAN_KILLS: '100' },
  },
  planning: {
    what: 'a planning killed at each of its moments, with a plan that is new and with one that is there',
    file: 'test/operations/planning-kill.test.ts',
    environment: { BATON_PLANNING_KILLS: '1000' },
  },
  'file-store': {
    what: '200 killed writers of JSON records, 8 processes with 250 creates each, 500 races and 200 stops of acknowledgers',
    file: 'test/handoff-store/processes.test.ts',
    environment: {
      BATON_RECORD_CREATES: '250',
      BATON_RECORD_ROUNDS: '500',
      BATON_RECORD_STOPS: '200',
      BATON_RECORD_KILLS: '200',
    },
  },
  files: {
    what: '20 processes write 50 handoff files each into one folder, and 200 writers are killed',
    file: 'test/handoff-files/processes.test.ts',
    environment: { BATON_FILE_PROCESSES: '20', BATON_FILES_EACH: '50', BATON_FILE_KILLS: '200' },
  },
  'front-matter': {
    what: '200,000 documents with front matter, written, read and changed',
    file: 'test/formats/front-matter.test.ts',
    environment: { BATON_FRONT_MATTER_RUNS: '200000' },
  },
  transcripts: {
    what: 'transcripts of 200 MB of each kind within 300 MB of memory',
    file: 'test/transcripts/large-transcripts.test.ts',
    environment: { BATON_TRANSCRIPT_MB: '200' },
  },
  'large-file': {
    what: 'a file of 100 MB on one line, chosen in the browser and read, without a long task of its page',
    file: 'test/studio/large-file.test.ts',
    environment: { BATON_CHOSEN_FILE_MB: '100' },
  },
  tenants: {
    what: '100,000 calls over HTTP of five agents in two projects, with guessed ids and bad tokens',
    file: 'test/doors/http/tenants.test.ts',
    environment: { BATON_TENANT_CALLS: '100000' },
  },
  'lock-out': {
    what: '10,000 bad requests a minute next to valid ones at the same address',
    file: 'test/doors/http/lock-out.test.ts',
    environment: { BATON_LOCK_OUT_REQUESTS: '10000' },
  },
  'http-cuts': {
    what: '200 requests that are cut off before, at and after their commit, and sent again',
    file: 'test/doors/http/cut.test.ts',
    environment: { BATON_HTTP_CUTS: '200' },
  },
  'slow-browser': {
    what: 'every test of the studio in a browser with an eighth of the processor, behind a slow network',
    file: 'test/studio test/react',
    environment: { BATON_BROWSER_SLOWNESS: '8' },
  },
  'hostile-repository': {
    what: '1,000 repositories of a stranger against a server that counts: no connection, no byte, no foreign handoff',
    file: 'test/trust/hostile-repository.test.ts',
    environment: { BATON_HOSTILE_REPOSITORIES: '1000' },
  },
  'killed-hooks': {
    what: 'a start, an end and a worker of a session killed at each of its milliseconds',
    file: 'test/hosts/sessions.test.ts',
    environment: { BATON_HOOK_KILLS_BETWEEN_MS: '1' },
  },
  recorded: {
    what: 'a recorded session of each host handed over to one of each',
    file: 'test/hosts/recorded.test.ts',
    environment: { BATON_RECORDED_PAIRS: 'all' },
  },
  mutate: {
    what: '300 deliberate breaks in all rooms, each against the tests that are nearest to it',
    file: 'test/mutations/mutations.test.ts',
    environment: { BATON_MUTANTS: '300' },
  },
  contributing: {
    what: 'each page for contributors done in a copy of its own, with all its commands',
    file: 'test/contributing.test.ts',
    environment: { BATON_CONTRIBUTING: 'all' },
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
  const words = ['vitest', 'run', ...soak.file.split(' '), '--testTimeout', '7200000'];
  // The short forms run in memory.
  const env = { ...process.env, TMPDIR: tmpdir(), ...soak.environment };
  const { status } = spawnSync('npx', words, { stdio: 'inherit', env });
  process.exitCode = status ?? 1;
}
