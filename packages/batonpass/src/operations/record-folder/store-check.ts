import { join } from 'node:path';
import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { checkRecords, repairRecords } from '../../handoff-store/check-records.ts';
import type { OperationContext } from '../context.ts';
import { findRecordFolder } from './record-folder.ts';

export const fileStoreCheck = defineOperation({
  name: 'file.store-check',
  summary: 'Reads every record of a folder and every line of its index, and rebuilds the index where it is asked to.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    /** The folder that contains `handoffs`. */
    folder: z.string().min(1),
    /** Whether to rebuild the index from the records first. Default: nothing is changed. */
    repair: z.boolean().optional(),
  }),
  output: async () =>
    z.strictObject({
      /** Absolute. */
      folder: z.string(),
      repaired: z.boolean(),
      records: z.int(),
      acknowledged: z.int(),
      /** Whole lines of the index. */
      lines: z.int(),
      findings: z.array(z.strictObject({ path: z.string(), line: z.int().optional(), what: z.string() })),
    }),
  errors: ['invalid_input', 'file_not_found', 'unavailable'],
  run: async ({ folder: given, repair = false }, { now, signal }: OperationContext) => {
    const folder = findRecordFolder(given);
    const records = join(folder, 'handoffs');
    if (repair) await repairRecords(records, now);
    return { folder, repaired: repair, ...checkRecords(records, signal) };
  },
});
