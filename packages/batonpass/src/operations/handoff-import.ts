import { basename } from 'node:path';
import { z } from 'zod';
import { HandoffError, isHandoffError } from '../core/errors.ts';
import { defineOperation } from '../core/operation.ts';
import { parseFileName } from '../handoff-files/file-name.ts';
import { readDocumentText } from '../handoff-files/read-handoff-file.ts';
import { readRoleHeading } from '../transcripts/role-headings.ts';
import type { OperationContext } from './context.ts';
import { extractionReportSchema } from './extract-transcript.ts';
import { importDocument, importHandoffFile, importHandoffRecord } from './files/import-file.ts';
import { conversationImportSchema, importConversation } from './import-conversation.ts';
import { handoffOutput } from './output-schemas.ts';
import { readingSchema } from './transcript-input.ts';

/** Imports a file; the kind of the file follows from its contents. */
export const handoffImport = defineOperation({
  name: 'handoff.import',
  summary:
    'Creates a handoff from a conversation, a handoff file, a JSON record or a document with front matter: a draft to review, or as configured.',
  mutates: true,
  streams: true,
  doors: { http: { role: 'admin', folder: true } },
  input: conversationImportSchema,
  output: async () =>
    z.strictObject({
      form: z.enum(['conversation', 'file', 'record', 'document']),
      handoff: await handoffOutput(),
      /** Whether the handoff existed already, in whatever state. */
      existing: z.boolean(),
      /** Secrets that were masked in a file that is no conversation; absent where there were none. */
      masked: z.int().optional(),
      /** For a conversation: what was read of it, and by which extractor. */
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

/** A file that is a handoff has all its fields itself. */
function assertUnchanged(changes: Record<string, unknown>): void {
  const [name] = Object.keys(changes).filter((each) => changes[each] !== undefined);
  if (name === undefined) return;
  throw new HandoffError('invalid_input', `The file is a handoff already: ${name} cannot be given with it.`, {
    details: { field: name },
    alternatives: ['Leave it out, and change the draft afterwards: baton edit ID'],
  });
}

/** A file that is a handoff already, and not a conversation to be read. */
interface HandoffText {
  /** `document`: Markdown with front matter of another kind than a handoff file's. */
  form: 'file' | 'record' | 'document';
  text: string;
}

/** Front matter of one of the three kinds, and with a version, as far as its first lines show. */
const frontMatterOfKind = /^\ufeff?\s*---(?:[^\n]*\n){1,40}?\s*type:\s*['"]?(?:findings|plan|problem)\b/i;
const frontMatterWithVersion = /^\ufeff?\s*---(?:[^\n]*\n){1,40}?\s*version:/i;

/**
 * A handoff file of Markdown by its name or its front matter, a record of JSON by its fields, any other document by its
 * front matter; null for anything else, which is read as a conversation. Reads no more than such a file may have.
 *
 * @throws ParseError, HandoffError for a file that has the name of a handoff file and cannot be read.
 */
function readAsHandoff({ path, text }: { path?: string; text?: string }): HandoffText | null {
  const isNamed = path !== undefined && parseFileName(basename(path)) !== null;
  if (isNamed) return { form: 'file', text: readDocumentText(path) };
  const given = text ?? (path === undefined ? null : readSmall(path));
  if (given === null) return null;
  if (frontMatterOfKind.test(given) && frontMatterWithVersion.test(given)) return { form: 'file', text: given };
  if (isRecord(given)) return { form: 'record', text: given };
  return isDocument(given) ? { form: 'document', text: given } : null;
}

/** Front matter, and no dialogue of two sides below it: an exported conversation may have front matter too. */
function isDocument(text: string): boolean {
  if (!/^\ufeff?---[ \t]*(?:ya?ml[ \t]*)?\r?\n/i.test(text)) return false;
  const speakers = new Set(text.split('\n').map((line) => readRoleHeading(line)?.role));
  return !(speakers.has('user') && speakers.has('assistant'));
}

/** null for an absent file, one larger than any handoff, or no text: the reader of conversations reports it, with advice. */
function readSmall(path: string): string | null {
  try {
    return readDocumentText(path);
  } catch (error) {
    if (isHandoffError(error)) return null;
    throw error;
  }
}

/** Fields that every record has, and that no transcript has together. */
const fieldsOfRecord = ['id', 'created_at', 'source_agent', 'summary'];

function isRecord(text: string): boolean {
  if (!fieldsOfRecord.every((field) => text.includes(`"${field}"`))) return false;
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return value !== null && typeof value === 'object' && fieldsOfRecord.every((field) => field in value);
  } catch {
    // Lines of JSON, or no JSON.
    return false;
  }
}
