import { resolve } from 'node:path';
import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { checkHandoffFiles } from '../../handoff-files/check-handoff-files.ts';
import type { OperationContext } from '../context.ts';

export const fileCheck = defineOperation({
  name: 'file.check',
  summary:
    'Looks at every Markdown file of some paths: front matter that cannot be read, handoff files that are wrong.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({
    /** Files, and folders with all files in them. */
    paths: z.array(z.string().min(1)).min(1),
  }),
  output: async () =>
    z.strictObject({
      documents: z.int(),
      /** How many of them are handoff files. */
      handoff_files: z.int(),
      findings: z.array(
        z.strictObject({
          path: z.string(),
          line: z.int().optional(),
          column: z.int().optional(),
          field: z.string().optional(),
          what: z.string(),
        }),
      ),
      /** What reading corrects by itself: no fault. */
      repairs: z.array(z.strictObject({ path: z.string(), what: z.string() })),
    }),
  errors: ['invalid_input', 'file_not_found', 'unavailable'],
  run: async ({ paths }, { signal }: OperationContext) =>
    checkHandoffFiles(
      paths.map((path) => resolve(path)),
      signal,
    ),
});
