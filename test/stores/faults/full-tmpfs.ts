import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { TokenRecord } from '../../../packages/batonpass/src/core/access-token.ts';
import { isHandoffError } from '../../../packages/batonpass/src/core/errors.ts';
import type { Store } from '../../../packages/batonpass/src/core/store.ts';
import { callBy, newHandoff, writer } from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { openSqliteStore } from '../../../packages/batonpass/src/stores/sqlite/store.ts';

/** What one store did on a file system that became full, and what there was in the end. */
export interface FullDiskReport {
  left_kib: number;
  /** Titles whose creation was acknowledged, in their order: before it was full, and once there was room. */
  acknowledged: string[];
  refusals: { code: string; message: string; alternatives: readonly string[] }[];
  /** Titles read while it was full. */
  read: string[];
  /** Titles in the open store, and in the one that was opened after it. */
  kept: string[];
  reopened: string[];
}

/**
 * Started in its own mount namespace, with a folder and how many KiB to leave free: fills a real file system next to
 * an open store, writes until it is refused and once again, frees space, and continues. Prints one report.
 */
async function main(folder: string, left_kib: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=700', 'tmpfs', folder]);
  const file = join(folder, 'baton.db');
  const filler = join(folder, 'filler');
  const store = await openSqliteStore(file);
  const report: FullDiskReport = { left_kib, acknowledged: [], refusals: [], read: [], kept: [], reopened: [] };
  await createMany(store, report, 3);
  leave(folder, filler, left_kib);
  while (report.refusals.length === 0) await createMany(store, report, 1);
  await createMany(store, report, 2);
  await refused(report, () => store.tokens.add(token));
  report.read = await listTitles(store);
  rmSync(filler);
  await createMany(store, report, 3);
  report.kept = await listTitles(store);
  await store.close();
  const next = await openSqliteStore(file);
  report.reopened = await listTitles(next);
  await next.close();
  process.stdout.write(JSON.stringify(report));
}

let calls = 0;

/** All in one turn, so that all but the first share a transaction. */
async function createMany(store: Store, report: FullDiskReport, count: number): Promise<void> {
  const create = async (title: string) => {
    await refused(report, async () => {
      await store.create([newHandoff({ title, body: 'x'.repeat(3_000) })], callBy(writer, 'handoff.create'));
      report.acknowledged.push(title);
    });
  };
  const titles = Array.from({ length: count }, (_, index) => `${calls + index}`);
  calls += count;
  await Promise.all(titles.map(create));
}

const token: TokenRecord = {
  ...{ id: 'phone', name: 'sam', project: 'tidepool', role: 'agent', created_at: '2026-01-01T00:00:00.000Z' },
  ...{ created_by: 'sam', expires_at: '2027-01-01T00:00:00.000Z', secret_sha256: 'x'.repeat(64) },
};

/** Notes an expected refusal; any other error ends the run. */
async function refused({ refusals }: FullDiskReport, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    const { code, message, alternatives } = error;
    refusals.push({ code, message, alternatives });
  }
}

async function listTitles(store: Store): Promise<string[]> {
  const { handoffs } = await store.list({ filter: {}, limit: 1_000 });
  return handoffs.map(({ content }) => content.title).reverse();
}

function leave(folder: string, filler: string, left_kib: number): void {
  const { bavail, bsize } = statfsSync(folder);
  appendFileSync(filler, Buffer.alloc(bavail * bsize - left_kib * 1_024));
}

await main(process.argv[2] ?? '', Number(process.argv[3]));
