import { z } from 'zod';
import { HandoffError } from '../core/errors.ts';
import { defineOperation } from '../core/operation.ts';
import type { OperationContext } from './context.ts';
import { extractionReportSchema } from './extract-transcript.ts';
import { importDocument, importHandoffFile, importHandoffRecord } from './files/import-file.ts';
import { readAsHandoff } from './files/read-as-handoff.ts';
import { conversationImportSchema, importConversation } from './import-conversation.ts';
import { handoffOutput } from './output-schemas.ts';
import { readingSchema } from './transcript-input.ts';

/** Takes in what lies in a file: what it is, is told by what it holds. */
export const handoffImport = defineOperation({
  name: 'handoff.import',
  summary:
    'Makes a handoff of a conversation, a handoff file, a JSON record or a document with front matter: a draft to review, as the project has it.',
  mutates: true,
  streams: true,
  doors: { http: { role: 'admin', folder: true } },
  input: conversationImportSchema,
  output: async () =>
    z.strictObject({
      form: z.enum(['conversation', 'file', 'record', 'document']),
      handoff: await handoffOutput(),
      /** Whether it was there already, in whatever state. */
      existing: z.boolean(),
      /** Secrets that were masked in a file that is no conversation; absent where there were none. */
      masked: z.int().optional(),
      /** Of a conversation: what was read of it, and by which extractor. */
      reading: readingSchema.optional(),
      extraction: extractionReportSchema.optional(),
    }),
  errors: [
    'file_not_found',
    'parse_error',
    'invalid_input',
    'invalid_structure',
    'too_large',
    'conflict',
    'unavailable',
  ],
  run: async (input, context: OperationContext) => {
    const { path, text, last, repository, ...changes } = input;
    const isConversation = last === true || repository !== undefined;
    const found = isConversation ? null : readAsHandoff({ path, text });
    if (found === null) return { form: 'conversation' as const, ...(await importConversation(input, context)) };
    assertUnchanged(changes);
    const source = path ?? 'the given text';
    return { form: found.form, ...(await readers[found.form](found.text, source, context)) };
  },
});

const readers = { file: importHandoffFile, record: importHandoffRecord, document: importDocument };

/** A file that is a handoff says all of itself. */
function assertUnchanged(changes: Record<string, unknown>): void {
  const [name] = Object.keys(changes).filter((each) => changes[each] !== undefined);
  if (name === undefined) return;
  throw new HandoffError('invalid_input', `The file is a handoff already: ${name} cannot be given with it.`, {
    details: { field: name },
    alternatives: ['Leave it out, and change the draft afterwards: baton edit ID'],
  });
}
