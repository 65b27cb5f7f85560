import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import { HandoffStore } from '../../handoff-store/handoff-store.ts';
import type { recordSchema } from '../../handoff-store/record.ts';
import type { OperationContext } from '../context.ts';
import { findRecordFolder } from './record-folder.ts';

export const fileStoreShow = defineOperation({
  name: 'file.store-show',
  summary: 'Shows one handoff of a folder of JSON records.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({
    /** The folder that contains `handoffs`. */
    folder: z.string().min(1),
    id: z.string().min(1),
  }),
  output: async () => {
    const { recordSchema } = await import('../../handoff-store/record.ts');
    return z.strictObject({ folder: z.string(), record: recordSchema });
  },
  errors: ['invalid_input', 'file_not_found', 'not_found', 'parse_error', 'invalid_structure', 'unavailable'],
  run: async ({ folder: given, id }, { now }: OperationContext) => {
    const folder = findRecordFolder(given);
    const record = await new HandoffStore(folder, { now }).get(id);
    if (record !== null) return { folder, record: record as z.infer<typeof recordSchema> };
    throw new HandoffError('not_found', `No handoff ${id} in ${folder}.`, {
      details: { id },
      alternatives: [`List what there is: baton file store list ${folder}`],
    });
  },
});
