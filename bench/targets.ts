import type { Metric } from './frame.ts';

/** A metric before it is measured: its meaning, and its expected value. */
export type Target = Omit<Metric, 'value' | 'note'>;

const times = (name: string, floor: number, aim: number): Target => ({ name, unit: '×', floor, aim, better: 'higher' });
const atMost = (name: string, unit: string, [floor, aim]: readonly [number, number]): Target => ({
  name,
  unit,
  floor,
  aim,
  better: 'lower',
});

/** `queue`: speed over the bare statements and over plainjob, with what survives a power cut in each name. */
export const queueTargets = {
  createFull: times('create, one a transaction, over the bare loop, both FULL', 0.75, 0.9),
  createNormal: times('create, one a transaction, over the bare loop, both NORMAL', 0.75, 0.9),
  claimFull: times('claim and acknowledge over the bare two-transaction loop, both FULL', 0.75, 0.95),
  claimNormal: times('claim and acknowledge over the bare two-transaction loop, both NORMAL', 0.75, 0.95),
  nextFull: times('acknowledge-and-next over the bare one-transaction loop, both FULL', 0.75, 0.95),
  nextNormal: times('acknowledge-and-next over the bare one-transaction loop, both NORMAL', 0.75, 0.95),
  createBatchFull: times('create in batches of 100 over bare batches, both FULL', 0.65, 0.9),
  createBatchNormal: times('create in batches of 100 over bare batches, both NORMAL', 0.65, 0.9),
  claimBatchFull: times('claim and acknowledge in batches of 100 over bare batches, both FULL', 0.65, 0.9),
  claimBatchNormal: times('claim and acknowledge in batches of 100 over bare batches, both NORMAL', 0.65, 0.9),
  createOverPlainjob: times('create by 16 callers at FULL over plainjob at NORMAL', 0, 1),
  bareCreateOverPlainjob: times('(the limit of that here: the bare statements, 16 a transaction)', 0, 1),
  claimOverPlainjob: times('claim and acknowledge by 16 callers at FULL over plainjob at NORMAL', 0, 1),
  bareClaimOverPlainjob: times('(the limit of that here: the bare statements, 16 claims a transaction)', 0, 1),
  consumeOverPlainjob: times('consume with 16 handlers over the worker of plainjob, both NORMAL', 1, 5),
  bareBatchOverPlainjob: times('(the limit of that here: the bare statements, 100 claims a transaction)', 0, 1.7),
  worstWait: atMost('worst wait of 4 processes that saturate one store at FULL', 'ms', [300, 100]),
  fairness: times('operations of the slowest of these 4 processes over the fastest', 0.4, 0.7),
} as const satisfies Record<string, Target>;

/** `growth`: what a claim costs in a large store. */
export const growthTargets = {
  rows: atMost('claim p50 at 1,000,000 rows over 1,000 rows, NORMAL', '×', [2, 1.4]),
  behindOthers: atMost('claim p50 behind 200,000 handoffs for others over an empty store, NORMAL', '×', [3, 1.5]),
  withoutTask: atMost('the same claim without a task over an empty store, NORMAL', '×', [3, 1.5]),
} as const satisfies Record<string, Target>;

/** `bloat`: what dead rows on a Postgres server cost. */
export const bloatTargets = {
  p99: atMost('claim p99 with an idle open transaction, end over start', '×', [3, 1.5]),
  p50: atMost('the same claim, p50, end over start', '×', [3, 1.5]),
  rate: times('the rate that was held, over the one that was asked for', 0.95, 1),
  dead: atMost('dead rows of handoffs for each handoff, nothing vacuumed', '', [2, 2]),
} as const satisfies Record<string, Target>;

/** `scale`: what a handoff costs a Postgres server, and what many would ask of many. */
export const scaleTargets = {
  cpu: atMost('processor time of the server for one handoff', 'µs', [8_000, 2_000]),
  wal: atMost('log of the server for one handoff', 'bytes', [8_192, 4_096]),
  servers: atMost('servers of 16 cores for 1,000,000,000 handoffs a day, by the model', '', [40, 10]),
} as const satisfies Record<string, Target>;

/** `postgres`: speed on a real server, each side durable. */
export const postgresTargets = {
  claimByOne: times('claim and acknowledge on Postgres by 1 worker over the bare pg loop', 0.65, 0.9),
  claimBySixteen: times('claim and acknowledge on Postgres by 16 workers over the bare pg loop', 2.5, 3),
  consume: times("consume on Postgres over graphile-worker's local queue", 0.5, 1),
  createOverBoss: times('create on Postgres, one a transaction, over pg-boss', 0.8, 1),
  claimOverBoss: times('claim and acknowledge on Postgres by 1 worker over pg-boss', 0.8, 1),
  rows: atMost('claim p50 on Postgres at 1,000,000 rows over 1,000 rows', '×', [2, 1.3]),
  wake: atMost('create on Postgres to woken in another process, after the commit, p50', 'ms', [5, 1]),
} as const satisfies Record<string, Target>;

/** `files`: handoffs in files. */
export const filesTargets = {
  frontMatter: times('reading 10,000 documents with front matter over gray-matter', 0.1, 0.2),
  listAfterWrite: atMost('list of 20,000 JSON records after one write over the bare reading of the index', '×', [3, 2]),
  listCold: atMost('first list of 20,000 JSON records over the bare reading of the index', '×', [4, 3]),
} as const satisfies Record<string, Target>;

/** `extract`: what a conversation's length costs. */
export const extractTargets = {
  short: atMost('extraction of 50 messages, p50', 'ms', [40, 20]),
  long: atMost('reading and extraction of a transcript of 100 MB', 's', [20, 10]),
  growth: atMost('extraction at 100 MB over 1 MB, over the ratio of their sizes', '×', [1.5, 1.2]),
  memory: atMost('peak memory of the process that reads and extracts 100 MB', 'MiB', [400, 300]),
} as const satisfies Record<string, Target>;

/** `wake`: a receiver that waits in another process. */
export const wakeTargets = {
  median: atMost('create to woken in another process, FULL, p50', 'ms', [2, 0.6]),
  p99: atMost('create to woken in another process, FULL, p99', 'ms', [20, 5]),
  idle: atMost('processor time of a receiver that waits', '% of a core', [0.5, 0.1]),
} as const satisfies Record<string, Target>;

/** `http`: the door over the bare store behind a bare route. */
export const httpTargets = {
  list: times('list over HTTP by 50 clients, over the bare store behind a bare route', 0.7, 0.9),
  listP99: atMost('list over HTTP by 50 clients, p99', 'ms', [250, 100]),
  claim: times('claim over HTTP by 50 clients, FULL, over the bare store behind a bare route', 0.7, 0.9),
  claimP99: atMost('claim over HTTP by 50 clients, FULL, p99', 'ms', [250, 100]),
  rendered: times('claim with the rendered text, FULL, over its own operation behind a bare route', 0.7, 0.9),
  renderedP99: atMost('claim with the rendered text by 50 clients, FULL, p99', 'ms', [250, 100]),
} as const satisfies Record<string, Target>;

/** `studio`: the studio in a real browser on this machine. */
export const studioTargets = {
  javascript: atMost('JavaScript of the first view, compressed', 'KB', [110, 105]),
  styles: atMost('styles of the first view, compressed', 'KB', [12, 9]),
  interactive: atMost('load to the first row with a quarter of the processor, 100,000 rows', 'ms', [1_000, 700]),
  inbox: atMost('key to the first row of an inbox of 100,000', 'ms', [300, 150]),
  end: atMost('key to the last row of 100,000', 'ms', [200, 100]),
  nodes: atMost('rows in the page at once', '', [60, 40]),
  key: atMost('key to its visible change in the inbox, p95', 'ms', [50, 34]),
  review: atMost('key to the last of 500 decisions of a review', 'ms', [1_000, 200]),
  start: atMost('start of baton studio to the first row', 'ms', [1_000, 700]),
} as const satisfies Record<string, Target>;
