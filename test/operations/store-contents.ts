import { DatabaseSync } from 'node:sqlite';
import type { Store, StoredHandoff } from '../../packages/batonpass/src/core/store.ts';
import { type Baton, completeContent, openStore } from '../../packages/batonpass/src/index.ts';
import { openDriver } from '../../packages/batonpass/src/stores/sqlite/driver.ts';
import { migrate } from '../../packages/batonpass/src/stores/sqlite/migrations/migrate.ts';
import { migrations } from '../../packages/batonpass/src/stores/sqlite/migrations/migrations.ts';
import { digestStored } from '../../packages/batonpass/src/stores/stored-digest.ts';

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

/** Places that are kept in bytes now were kept in characters, which are as many in these contents. */
const formerValues: Record<string, string> = {
  payload_at: 'coalesce(payload_at, payload_start)',
  payload_length: 'coalesce(payload_length, payload_bytes)',
};

/** Makes a store's file as an earlier Baton would have left it, with the contents of a present one. */
export async function makeFormer(file: string, schema: number, present: string): Promise<void> {
  const driver = await openDriver(file);
  migrate(driver, file, migrations.slice(0, schema));
  driver.close();
  withDatabase(file, (database) => {
    database.exec('PRAGMA journal_mode = WAL');
    database.prepare('ATTACH DATABASE :present AS present').run({ present });
    for (const table of ['handoffs', 'events', 'answers', 'payloads']) {
      const columnsIn = (name: string) =>
        database
          .prepare('SELECT name FROM pragma_table_xinfo(:table, :name) WHERE hidden = 0')
          .all({ table, name })
          .map((row) => String(row.name));
      const known = columnsIn('present');
      const columns = columnsIn('main').filter((column) => known.includes(column));
      if (columns.length === 0) continue;
      const values = columns.map((column) => formerValues[column] ?? column).join();
      database.exec(`INSERT INTO main.${table} (${columns.join()}) SELECT ${values} FROM present.${table}`);
    }
  });
}
