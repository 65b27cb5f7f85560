import { resolve } from 'node:path';
import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { parseDocument } from '../../formats/markdown/document.ts';
import { parseHandoffFile, readDocumentText } from '../../handoff-files/read-handoff-file.ts';
import type { OperationContext } from '../context.ts';

export const fileRead = defineOperation({
  name: 'file.read',
  summary: 'Reads a handoff file: its fields, its body, and what had to be mended.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({
    path: z.string().min(1),
    /** Whether any Markdown document is accepted, its front matter as it is. */
    any: z.boolean().default(false),
  }),
  output: async () =>
    z.strictObject({
      /** Absolute. */
      path: z.string(),
      /** null for a document that has none. */
      frontmatter: z.record(z.string(), z.unknown()).nullable(),
      body: z.string(),
      repairs: z.array(z.string()).optional(),
    }),
  errors: ['parse_error', 'invalid_input', 'too_large', 'file_not_found', 'unavailable'],
  run: async ({ path: given, any }, _context: OperationContext) => {
    const path = resolve(given);
    if (!any) return { path, ...(await parseHandoffFile<Record<string, unknown>>(path)) };
    const { fields, body } = parseDocument(readDocumentText(path), path);
    return { path, frontmatter: fields, body: body.toWellFormed() };
  },
});
