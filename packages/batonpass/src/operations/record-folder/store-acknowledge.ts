import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import { HandoffStore } from '../../handoff-store/handoff-store.ts';
import type { recordSchema } from '../../handoff-store/record.ts';
import type { OperationContext } from '../context.ts';
import { assertOwnName } from '../own-name.ts';
import { findRecordFolder } from './record-folder.ts';

export const fileStoreAcknowledge = defineOperation({
  name: 'file.store-acknowledge',
  summary: 'Marks a handoff of a folder of JSON records as received, once and for all.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    /** The folder that contains `handoffs`. */
    folder: z.string().min(1),
    id: z.string().min(1),
    /** The receiver. Default: the actor. */
    acknowledged_by: z.string().trim().min(1).max(limits.name_characters_max).optional(),
  }),
  output: async () => {
    const { recordSchema } = await import('../../handoff-store/record.ts');
    return z.strictObject({ folder: z.string(), record: recordSchema });
  },
  errors: [
    'invalid_input',
    'file_not_found',
    'not_found',
    'conflict',
    'parse_error',
    'invalid_structure',
    'unavailable',
  ],
  run: async ({ folder: given, id, acknowledged_by }, context: OperationContext) => {
    const { actor, now } = context;
    assertOwnName(acknowledged_by, 'acknowledged_by', context);
    const folder = findRecordFolder(given);
    const record = await new HandoffStore(folder, { now }).acknowledge(id, acknowledged_by ?? actor.name);
    return { folder, record: record as z.infer<typeof recordSchema> };
  },
});
