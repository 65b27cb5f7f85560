import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { isServerUrl, withoutCredentials } from '../../stores/open.ts';
import type { OperationContext } from '../context.ts';
import { presentStoreFile } from './store-file.ts';

export const storeMigrate = defineOperation({
  name: 'store.migrate',
  summary:
    'Brings the store’s schema up to date, as opening it does, and reports what was done and where the backup is.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({}),
  output: async () =>
    z.strictObject({
      store: z.string(),
      /** The schema before. */
      from: z.int(),
      /** This program's schema, which the store has now. */
      to: z.int(),
      /** Whether this call did it; another process may have been first. */
      migrated: z.boolean(),
      /** The copy of the former store; absent where nothing was migrated, or nothing existed. */
      backup: z.string().optional(),
    }),
  errors: ['file_not_found', 'invalid_input', 'unavailable', 'unsupported_version'],
  run: async (_input, context: OperationContext) => {
    if (isServerUrl(context.store_url)) return migrateOnServer(context.store_url);
    const store = presentStoreFile(context, 'bring up to date');
    const { examineDatabase } = await import('../../stores/sqlite/check-database.ts');
    const { Connection } = await import('../../stores/sqlite/connection.ts');
    const { SCHEMA_VERSION: to } = await import('../../stores/sqlite/schema.ts');
    const before = await examineDatabase(store);
    const connection = await Connection.open(store);
    connection.close();
    const { migration } = connection;
    if (migration === undefined) return { store, from: before?.schema_version ?? to, to, migrated: false };
    return { store, migrated: true, ...migration };
  },
});

/** On a server its owner makes the backup before it. */
async function migrateOnServer(url: string) {
  const { Connection } = await import('../../stores/postgres/connection.ts');
  const connection = await Connection.open(url);
  await connection.close();
  const { from, to } = connection.migration;
  return { store: withoutCredentials(url), from, to, migrated: from !== to };
}
