import { DatabaseSync } from 'node:sqlite';
import type { Store, StoredHandoff } from '../../packages/batonpass/src/core/store.ts';
import { type Baton, completeContent, openStore } from '../../packages/batonpass/src/index.ts';
import { digestStored } from '../../packages/batonpass/src/stores/stored-digest.ts';
import { literalStatements, literalTable } from '../agents/source-3-database.ts';

/** Some of everything: done, withdrawn, claimed, open and draft, and unless it is left out payloads that are kept apart. */
export async function fill(baton: Baton, count = 12, apart = true): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const payload = apart && index % 5 === 3 ? { text: `${index} `.repeat(40_000) } : { index };
    const content = { summary: `Work ${index}`, task_id: `task-${index % 3}`, scope: 'src/a', payload };
    const { id } = await baton.run('handoff.create', { content, draft: index % 6 === 5 });
    ids.push(id);
    if (index % 6 === 0) await baton.run('handoff.acknowledge', { id });
    if (index % 6 === 1) await baton.run('handoff.withdraw', { id, reason: 'not needed' });
    if (index % 6 === 2) await baton.run('handoff.claim', { id, lease_ms: 3_600_000 });
  }
  return ids;
}

/** Many small open handoffs at once: more than one page of a copying. */
export async function fillMany(baton: Baton, count: number): Promise<void> {
  const store = await baton.context.openStore();
  const { actor, project } = baton.context;
  const handoffs = Array.from({ length: count }, (_, index) => ({
    ...completeContent({ summary: `Small ${index}`, task_id: 'many' }, { source_agent: 'writer' }),
    project,
    state: 'open' as const,
  }));
  await store.create(handoffs, { actor, project, operation: 'handoff.create' });
}

/** All that a store's file holds. */
export async function readAll(file: string): Promise<StoredHandoff[]> {
  const store = await openStore(`sqlite:${file}`);
  try {
    return await exportAll(store);
  } finally {
    await store.close();
  }
}

/** All that a store holds. */
export async function exportAll(store: Store): Promise<StoredHandoff[]> {
  const found: StoredHandoff[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.export({ cursor, limit: 500 });
    found.push(...page.handoffs);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

/** What a store's file holds, by id, as hashes; equal for equal handoffs with equal histories and payloads. */
export async function digestsOf(file: string): Promise<Map<string, string>> {
  const all = await readAll(file);
  return new Map(all.map((stored) => [stored.handoff.id, `${digestStored(stored)} ${stored.payload_json?.length}`]));
}

/** Runs a body on the file's own database, past the store. */
export function withDatabase<T>(file: string, body: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return body(database);
  } finally {
    database.close();
  }
}

/** Makes a database as a program of source 3 leaves it: its table with rows, two of three of them not consumed. */
export function makeSource3(file: string, count: number): void {
  withDatabase(file, (database) => {
    database.exec(`PRAGMA journal_mode = WAL; ${literalTable}`);
    const insert = database.prepare(literalStatements.insert);
    const consume = database.prepare(literalStatements.consume);
    for (let index = 0; index < count; index += 1) {
      insert.run(
        `id-${index}`,
        `task-${index % 3}`,
        JSON.stringify({ text: `${index} `.repeat(200) }),
        'ada',
        1_000 + index,
      );
      if (index % 3 === 0) consume.run(`id-${index}`);
    }
  });
}

/** What a database of source 3, or the store that it became, holds: ids in their order, and whether each is consumed. */
export function rowsOfSource3(file: string): unknown[] {
  const sql = 'SELECT id, task_id, payload, origin, created_at, consumed FROM handoffs ORDER BY created_at';
  return withDatabase(file, (database) =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row })),
  );
}
