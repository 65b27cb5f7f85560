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
    const { measureDatabase } = await import('../../stores/sqlite/check-database.ts');
    const { Connection } = await import('../../stores/sqlite/connection.ts');
    const { SCHEMA_VERSION: to } = await import('../../stores/sqlite/schema.ts');
    const before = await measureDatabase(store);
    const connection = await Connection.open(store);
    connection.close();
    const { migration } = connection;
    if (migration === undefined) return { store, from: before.schema_version, to, migrated: false };
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

export const storeRoles = defineOperation({
  name: 'store.roles',
  summary: 'The SQL that divides the rights to a store on Postgres among an owner, agents and a monitor; runs nothing.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({
    /** Default: that of the present store's URL, else `baton`. */
    schema: z.string().optional(),
  }),
  output: async () =>
    z.strictObject({
      schema: z.string(),
      roles: z.strictObject({ owner: z.string(), agent: z.string(), monitor: z.string() }),
      /** One script, which can be run as often as one likes. */
      sql: z.string(),
    }),
  errors: ['invalid_input'],
  run: async ({ schema: given }, { store_url }: OperationContext) => {
    const { readPlace } = await import('../../stores/postgres/place.ts');
    const { rolesOf, writeRoles } = await import('../../stores/postgres/roles.ts');
    const schema = given ?? readPlace(isServerUrl(store_url) ? store_url : '').schema;
    return { schema, roles: rolesOf(schema), sql: writeRoles(schema) };
  },
});
