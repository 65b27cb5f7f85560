import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { withoutCredentials } from '../../stores/open.ts';
import type { OperationContext } from '../context.ts';
import { databasePath } from '../doctor/diagnose-place.ts';
import { type CheckReport, checkReportSchema, findings_max } from './check-report.ts';
import { checkThroughPort } from './check-through-port.ts';
import { presentStoreFile } from './store-file.ts';

export const storeCheck = defineOperation({
  name: 'store.check',
  summary: 'Looks the store through: file, contents, history and payloads, and changes nothing.',
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
