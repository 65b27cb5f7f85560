import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { type State, stateSchema } from '../../core/state.ts';
import type { StoredHandoff } from '../../core/store.ts';
import { withoutCredentials } from '../../stores/open.ts';
import { listFaults } from '../../stores/stored-faults.ts';
import type { OperationContext } from '../context.ts';
import { exportPages } from './export-pages.ts';
import { databasePath, presentStoreFile } from './store-file.ts';

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
