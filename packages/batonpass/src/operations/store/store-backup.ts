import { resolve } from 'node:path';
import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import type { OperationContext } from '../context.ts';
import { backUpBeside, backUpTo } from './back-up.ts';
import { presentStoreFile } from './store-file.ts';

export const storeBackup = defineOperation({
  name: 'store.backup',
  summary: 'Copies the store, as it is at one instant, to one file that is checked and synced to the disk.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    /** Default: `backups/baton-YYYYMMDD-HHMMSS.db` next to the store. */
    file: z.string().min(1).optional(),
    /** Whether a file of that name is replaced. */
    replace: z.boolean().default(false),
  }),
  output: async () =>
    z.strictObject({
      /** The store's file. */
      store: z.string(),
      /** The copy's. */
      file: z.string(),
      bytes: z.int(),
      schema: z.int(),
      handoffs: z.int(),
      /** Lines of history. */
      lines: z.int(),
      /** Over everything that both contain; equal for equal contents, however a file stores them. */
      sha256: z.string(),
    }),
  errors: ['file_not_found', 'invalid_input', 'conflict', 'unavailable', 'unsupported_version'],
  run: async ({ file, replace }, context: OperationContext) => {
    const store = presentStoreFile(context, 'copy');
    const backup =
      file === undefined
        ? await backUpBeside(store, context)
        : await backUpTo(resolve(file), { store, replace, context });
    return { store, ...backup };
  },
});
