import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIdSource } from '../packages/batonpass/src/core/id-source.ts';
import { createSurroundings } from '../packages/batonpass/src/core/surroundings.ts';
import { HandoffStore } from '../packages/batonpass/src/handoff-store/handoff-store.ts';
import { type HandoffRecord, toIndexEntry } from '../packages/batonpass/src/handoff-store/record.ts';
import { encodeRecord } from '../packages/batonpass/src/handoff-store/record-text.ts';
import { inFreshFolder } from './contest.ts';
import { type Metric, summarize } from './frame.ts';
import { filesTargets } from './targets.ts';

const SMALL = 100;
const LARGE = 10_000;
const LISTED = 20_000;
const ROUNDS = 61;
const LIST_ROUNDS = 15;

/** A folder of JSON records, and the ids of the unacknowledged ones. */
interface Filled {
  store: HandoffStore;
  open: string[];
}

/** What the store of JSON records costs as it grows, and what a list of it costs. */
export async function measureFileStore(): Promise<Metric[]> {
  return inFreshFolder(async (root) => {
    const small = fill(join(root, 'small'), SMALL);
    const large = fill(join(root, 'large'), LARGE);
    const creates: [number[], number[]] = [[], []];
    const acknowledges: [number[], number[]] = [[], []];
    // Alternately, so that a slow moment of the disk affects all of them alike; the first round does not count.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [index, { store, open }] of [large, small].entries()) {
        // From anywhere in the index, not only its end.
        const [id = ''] = open.splice(Math.floor((open.length * ((round * 37) % 100)) / 100), 1);
        const acknowledge_ms = await timed(() => store.acknowledge(id, 'bench'));
        const create_ms = await timed(() => store.create(inputOf(round)));
        if (round > 0) acknowledges[index]?.push(acknowledge_ms);
        if (round > 0) creates[index]?.push(create_ms);
      }
    }
    return [
      over(`create p50 at ${LARGE} records over ${SMALL}`, creates),
      over(`acknowledge p50 at ${LARGE} records over ${SMALL}`, acknowledges),
      await measureList(large),
      ...(await measureBareList(join(root, 'listed'))),
    ];
  });
}

/** The cost of a list compared with only reading the lines of the index, as source 2 defines it; measured alternately. */
async function measureBareList(dir: string): Promise<Metric[]> {
  const { store } = fill(dir, LISTED);
  const index_path = join(dir, 'handoffs', 'index.jsonl');
  const bare = () =>
    timedNow(() =>
      readFileSync(index_path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  const samples = { bare: [] as number[], cold: [] as number[], changed: [] as number[] };
  await store.list({ limit: 10 });
  for (let round = 0; round <= LIST_ROUNDS; round += 1) {
    await store.create(inputOf(round));
    const changed_ms = await timed(() => store.list({ limit: 10 }));
    const cold_ms = await timed(() => new HandoffStore(dir).list({ limit: 10 }));
    const bare_ms = bare();
    // The first round does not count.
    if (round === 0) continue;
    samples.changed.push(changed_ms);
    samples.cold.push(cold_ms);
    samples.bare.push(bare_ms);
  }
  const [base, changed, cold] = [samples.bare, samples.changed, samples.cold].map(
    (sample) => summarize(sample).median,
  ) as [number, number, number];
  const noteOf = (median: number) => `n = ${LIST_ROUNDS}; ${median.toFixed(1)} ms against ${base.toFixed(1)} ms`;
  return [
    { ...filesTargets.listAfterWrite, value: changed / base, note: noteOf(changed) },
    { ...filesTargets.listCold, value: cold / base, note: noteOf(cold) },
  ];
}

function timedNow(body: () => unknown): number {
  const start_ms = performance.now();
  body();
  return performance.now() - start_ms;
}

/** The folder is old enough for a list to trust its times, as it is between two prompts. */
async function measureList({ store }: Filled): Promise<Metric> {
  const first_ms = await timed(() => store.list({ limit: 10 }));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const sample: number[] = [];
  const changed: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const filters = { source_agent: 'planner', scope: `src/part-${round % 10}`, limit: 10 };
    const took_ms = await timed(() => store.list(filters));
    if (round > 0) sample.push(took_ms);
  }
  for (let round = 0; round < 11; round += 1) {
    await store.create(inputOf(round));
    changed.push(await timed(() => store.list({ limit: 10 })));
  }
  const { median, maximum } = summarize(sample);
  const note = `n = ${sample.length}; max ${maximum.toFixed(1)}; the first ${first_ms.toFixed(0)} ms; after each change ${summarize(changed).median.toFixed(1)} ms`;
  const name = `list with filters and limit 10 at ${LARGE} records, p50`;
  return { name, value: median, unit: 'ms', floor: 10, aim: 5, better: 'lower', note };
}

async function timed(body: () => Promise<unknown>): Promise<number> {
  const start_ms = performance.now();
  await body();
  return performance.now() - start_ms;
}

function over(name: string, [large, small]: [number[], number[]]): Metric {
  const [grown, base] = [summarize(large), summarize(small)];
  const note = `n = ${large.length}; ${grown.median.toFixed(2)} ms against ${base.median.toFixed(2)} ms`;
  return { name, value: grown.median / base.median, unit: '×', floor: 1.5, aim: 1.1, better: 'lower', note };
}

/** Written without waiting for the disk: what is measured comes later. */
function fill(dir: string, count: number): Filled {
  const folder = join(dir, 'handoffs');
  mkdirSync(folder, { recursive: true });
  const nextId = createIdSource(createSurroundings());
  const now_ms = Date.now() - count * 1_000;
  const lines: string[] = [];
  const open: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const at_ms = now_ms + made * 1_000;
    const record: HandoffRecord = { ...inputOf(made), id: nextId(at_ms), created_at: new Date(at_ms).toISOString() };
    writeFileSync(join(folder, `${record.id}.json`), encodeRecord(record));
    lines.push(`${JSON.stringify(toIndexEntry(record))}\n`);
    open.push(record.id);
  }
  writeFileSync(join(folder, 'index.jsonl'), lines.join(''));
  return { store: new HandoffStore(dir), open };
}

function inputOf(made: number): Omit<HandoffRecord, 'id' | 'created_at'> {
  return {
    source_agent: 'planner',
    target_agent: 'coder',
    scope: `src/part-${made % 10}/file-${made}.ts`,
    summary: `Part ${made}: the tokens are rotated, the tests of the old ones still fail`,
    results: [
      { description: `Part ${made}`, status: 'partial', artifacts: [`src/part-${made}.ts`], notes: 'See the tests' },
    ],
    context_snapshot: { decision_ids: [`d${made}`], warning_ids: [], finding_ids: [], summaries: ['Use JWT'] },
  };
}
