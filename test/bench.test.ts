import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import { benchmarks } from '../bench/benchmarks.ts';
import type { Contender } from '../bench/contest.ts';
import { fillWithHistory } from '../bench/fill.ts';
import { matchesOverBare, matchesOverPlainjob } from '../bench/matches.ts';
import { createInput } from '../bench/sample-work.ts';
import { growthTargets, httpTargets, queueTargets, wakeTargets } from '../bench/targets.ts';
import { readFigures } from '../scripts/performance-figures.ts';
import { createFolders } from './stores/folders.ts';
import { root } from './tidy/source-files.ts';
import { verifies } from './verifies.ts';

const createFolder = createFolders();
const sizes = { normal: 40, full: 30, batched: 200 };

/** Does a contender's work once. @returns the path of the database that it leaves. */
async function run({ prepare }: Contender): Promise<{ path: string; operations: number }> {
  const path = join(createFolder(), 'queue.db');
  const { operations, work, close } = await prepare(path);
  await work();
  await close();
  return { path, operations };
}

function read(path: string, sql: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(sql).all();
  database.close();
  return rows.map((row) => ({ ...row }));
}

const readStates = (path: string) => read(path, 'SELECT state, count(*) AS count FROM handoffs GROUP BY state');

/** All that a step leaves in a row, but what chance and the clock decide. */
const readRows = (path: string) =>
  read(
    path,
    `SELECT seq, project, state, version, content_revision, attempts, max_attempts, fence, lease_holder, lease_token,
       acknowledged_by, acknowledged_at IS NULL AS is_waiting, kind, task_id, source_agent, content_sha256, content
     FROM handoffs ORDER BY seq`,
  );

/** The history, each handoff by its position: lines of different handoffs may be in another order. */
const readHistory = (path: string) =>
  read(
    path,
    `SELECT h.seq AS handoff, e.project, name, actor_name, actor_type, from_state, to_state, reason, details
     FROM events e JOIN handoffs h ON h.id = e.handoff_id ORDER BY h.seq, e.seq`,
  );

/** plainjob's own words for what is open and what is done. */
const readJobs = (path: string) =>
  read(
    path,
    `SELECT CASE status WHEN 0 THEN 'open' WHEN 2 THEN 'acknowledged' ELSE 'other' END AS state, count(*) AS count
     FROM plainjob_jobs GROUP BY status`,
  );

describe('benchmarks compare what is alike', () => {
  for (const { target, ours, theirs } of matchesOverBare(sizes)) {
    verifies(['BENCH.same-work', 'BENCH.same-rows'], target.name, async () => {
      const [mine, bare] = [await run(ours), await run(theirs)];
      expect(mine.operations).toBe(bare.operations);
      expect(readRows(mine.path)).toHaveLength(mine.operations);
      expect(readRows(mine.path)).toEqual(readRows(bare.path));
      expect(readHistory(mine.path)).toEqual(readHistory(bare.path));
    });
  }

  for (const { target, ours, theirs } of matchesOverPlainjob(sizes)) {
    verifies(['BENCH.same-work'], target.name, async () => {
      const [mine, other] = [await run(ours), await run(theirs)];
      expect(mine.operations).toBe(other.operations);
      expect(readStates(mine.path)).toEqual(readJobs(other.path));
      expect(readStates(mine.path)).toEqual([{ state: expect.any(String), count: mine.operations }]);
    });
  }

  verifies(['BENCH.same-work'], 'every handoff is about 1 KB of JSON', () => {
    expect(Math.round(JSON.stringify(createInput(1)).length / 100)).toBe(10);
  });

  verifies(['BENCH.history'], 'a filled store is nine tenths history', async () => {
    const path = join(createFolder(), 'queue.db');
    await fillWithHistory(path, 200);
    expect(readStates(path)).toEqual([
      { state: 'acknowledged', count: 180 },
      { state: 'open', count: 20 },
    ]);
    expect(readHistory(path)).toHaveLength(3 * 180 + 20);
  });
});

describe('the document on performance', () => {
  const text = readFileSync(join(root, 'docs/performance.md'), 'utf8');

  verifies(['BENCH.documented'], 'names every benchmark, and no other', () => {
    const named = [...text.matchAll(/npm run bench -- ([a-z]+)/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(benchmarks.map(({ name }) => name)));
  });

  const kept = { queue: queueTargets, growth: growthTargets, wake: wakeTargets, http: httpTargets };
  for (const [name, targets] of Object.entries(kept)) {
    verifies(['BENCH.documented'], `has the figures of ${name} as they are measured`, () => {
      const measured = readFigures(name).metrics.map(({ value: _value, ...target }) => target);
      expect(measured).toEqual(Object.values(targets));
      for (const { name: metric } of measured) expect(text).toContain(`| ${metric} |`);
    });
  }
});
