import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { HandoffStore } from '../../handoff-store/handoff-store.ts';
import type { OperationContext } from '../context.ts';
import { findRecordFolder } from './record-folder.ts';

export const fileStoreList = defineOperation({
  name: 'file.store-list',
  summary: 'Lists the handoffs of a folder of JSON records, newest first.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({
    /** The folder that contains `handoffs`. */
    folder: z.string().min(1),
    source_agent: z.string().optional(),
    target_agent: z.string().optional(),
    /** By whole segments, in both directions; a handoff without a scope is included. */
    scope: z.string().optional(),
    since: z.string().optional(),
    limit: z.int().min(0).optional(),
  }),
  output: async () => {
    const { entrySchema } = await import('./entry-schema.ts');
    return z.strictObject({
      /** Absolute. */
      folder: z.string(),
      handoffs: z.array(entrySchema),
      /** The errors of the files, with their names. */
      warnings: z.array(z.string()),
    });
  },
  errors: ['invalid_input', 'file_not_found', 'unavailable'],
  run: async ({ folder: given, ...filters }, { now }: OperationContext) => {
    const folder = findRecordFolder(given);
    const warnings: string[] = [];
    const store = new HandoffStore(folder, { now, onWarning: (text) => warnings.push(text) });
    return { folder, handoffs: (await store.list(filters)).map((entry) => ({ ...entry })), warnings };
  },
});
