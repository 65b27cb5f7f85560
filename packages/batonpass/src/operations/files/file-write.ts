import { resolve } from 'node:path';
import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { writeHandoffFile } from '../../handoff-files/write-handoff-file.ts';
import type { OperationContext } from '../context.ts';
import { frontmatterSchema, withDefaults, writtenFileSchema } from './file-input.ts';

export const fileWrite = defineOperation({
  name: 'file.write',
  summary: 'Writes a handoff file under the version that its front matter names; a file of that version stays.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    /** Made where it is absent. */
    folder: z.string().min(1),
    frontmatter: frontmatterSchema,
    /** Markdown, kept byte for byte. */
    body: z.string(),
  }),
  output: async () => writtenFileSchema,
  errors: ['invalid_input', 'conflict', 'too_large', 'file_not_found', 'unavailable'],
  run: async ({ folder, frontmatter, body }, context: OperationContext) => {
    const fields = withDefaults(frontmatter, context);
    const path = await writeHandoffFile(resolve(folder), fields, body);
    return { path, type: String(fields.type), version: String(fields.version) };
  },
});
