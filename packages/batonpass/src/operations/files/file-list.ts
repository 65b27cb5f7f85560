import { resolve } from 'node:path';
import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { handoffTypes } from '../../handoff-files/frontmatter.ts';
import { listHandoffFiles } from '../../handoff-files/list-handoff-files.ts';
import type { OperationContext } from '../context.ts';

export const fileList = defineOperation({
  name: 'file.list',
  summary: 'Lists the handoff files of a folder, by kind, the newest version first.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({
    folder: z.string().min(1),
    type: z.enum(handoffTypes).optional(),
  }),
  output: async () =>
    z.strictObject({
      /** Absolute. */
      folder: z.string(),
      files: z.array(
        z.strictObject({
          path: z.string(),
          type: z.enum(handoffTypes),
          version: z.string(),
          status: z.string().optional(),
          created: z.string().optional(),
          phase: z.string().optional(),
          agent: z.string().optional(),
          /** The first heading of the body. */
          title: z.string().optional(),
          /** Why the file cannot be read. */
          problem: z.string().optional(),
        }),
      ),
    }),
  errors: ['invalid_input', 'file_not_found', 'unavailable'],
  run: async ({ folder: given, type }, _context: OperationContext) => {
    const folder = resolve(given);
    const types = type === undefined ? handoffTypes : [type];
    return { folder, files: types.flatMap((each) => listHandoffFiles(folder, each)) };
  },
});
