import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { type State, stateSchema } from '../../core/state.ts';
import type { StoredHandoff } from '../../core/store.ts';
import { isServerUrl, withoutCredentials } from '../../stores/open.ts';
import { listFaults } from '../../stores/stored-faults.ts';
import type { OperationContext } from '../context.ts';
import { exportPages } from './export-pages.ts';
import { databasePath, presentStoreFile } from './store-file.ts';

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
  const { SCHEMA_VERSION: to } = await import('../../stores/postgres/schema.ts');
  const connection = await Connection.open(url);
  await connection.close();
  const { isNew } = connection;
  return { store: withoutCredentials(url), from: isNew ? 0 : to, to, migrated: isNew };
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

export const storeCheck = defineOperation({
  name: 'store.check',
  summary: 'Checks the store: file, contents, history and payloads, and changes nothing.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({}),
  output: async () => checkReportSchema,
  errors: ['file_not_found', 'invalid_input', 'unavailable', 'unsupported_version'],
  run: async (_input, context: OperationContext): Promise<CheckReport> => {
    if (databasePath(context) === undefined) return checkThroughPort(context);
    return checkFile(presentStoreFile(context, 'check'), context);
  },
});

async function checkFile(path: string, { signal, onProgress, store_url }: OperationContext): Promise<CheckReport> {
  const { checkDatabase } = await import('../../stores/sqlite/check-database.ts');
  const { faults, contents, schema_version, known_schema, bytes, log_bytes, free_bytes } = await checkDatabase(path, {
    signal,
    onProgress: ({ done, total }) => onProgress?.({ what: 'handoffs checked', done, total }),
  });
  const states = contents?.states ?? {};
  return {
    store: withoutCredentials(store_url),
    schema: { version: schema_version, known: known_schema },
    size: { bytes, log_bytes, free_bytes },
    complete: contents !== undefined && !signal.aborted,
    handoffs: Object.values(states).reduce((sum, count) => sum + count, 0),
    states,
    ...(contents?.oldest_open && { oldest_open: contents.oldest_open }),
    dropped: contents?.dropped ?? { handoffs: 0, lines: 0 },
    problems: faults.length,
    findings: faults.slice(0, findings_max).map(({ rule, id, says }) => ({ rule, ...(id && { id }), what: says })),
  };
}

/** Checks a store that is no file by what it returns: its internal form is not checked. */
async function checkThroughPort(context: OperationContext): Promise<CheckReport> {
  const { store_url, signal, onProgress } = context;
  const states: Partial<Record<State, number>> = {};
  const findings: CheckReport['findings'] = [];
  let oldest_open: CheckReport['oldest_open'];
  let handoffs = 0;
  const look = (stored: StoredHandoff) => {
    const { id, created_at, delivery } = stored.handoff;
    states[delivery.state] = (states[delivery.state] ?? 0) + 1;
    if (delivery.state === 'open') oldest_open ??= { id, created_at };
    findings.push(...listFaults(stored).map(({ rule, says }) => ({ rule, id, what: says })));
  };
  for await (const page of exportPages(await context.openStore(), signal)) {
    for (const stored of page.handoffs) look(stored);
    handoffs += page.handoffs.length;
    onProgress?.({ what: 'handoffs checked', done: handoffs });
  }
  return {
    store: withoutCredentials(store_url),
    complete: !signal.aborted,
    handoffs,
    states,
    ...(oldest_open && { oldest_open }),
    dropped: { handoffs: 0, lines: 0 },
    problems: findings.length,
    findings: findings.slice(0, findings_max),
  };
}

/** At most so many findings are listed; all of them are counted. */
const findings_max = 100;

const findingSchema = z.strictObject({
  /** The error. */
  rule: z.enum(['file', 'content', 'payload', 'history', 'delivery', 'columns', 'unreadable']),
  /** The handoff; absent where the finding is about the file. */
  id: z.string().optional(),
  what: z.string(),
});

/** The kind and contents of a store, and its errors. */
const checkReportSchema = z.strictObject({
  /** The store's URL, without a password. */
  store: z.string(),
  /** Its schema and this program's; absent where it is no file. */
  schema: z.strictObject({ version: z.int(), known: z.int() }).optional(),
  /** Absent where it is no file. */
  size: z.strictObject({ bytes: z.int(), log_bytes: z.int(), free_bytes: z.int() }).optional(),
  /** Whether the handoffs were checked: not those of an older schema, or of a file that cannot be read. */
  complete: z.boolean(),
  handoffs: z.int(),
  states: z.partialRecord(stateSchema, z.int()),
  oldest_open: z.strictObject({ id: z.string(), created_at: z.string() }).optional(),
  /** History whose handoffs are gone, which is no fault: moved to an archive, or deleted by foreign SQL. */
  dropped: z.strictObject({ handoffs: z.int(), lines: z.int() }),
  problems: z.int(),
  /** At most a hundred of them. */
  findings: z.array(findingSchema),
});

type CheckReport = z.infer<typeof checkReportSchema>;
