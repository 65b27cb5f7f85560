import { basename } from 'node:path';
import { isHandoffError } from '../../core/errors.ts';
import { parseFileName } from '../../handoff-files/file-name.ts';
import { readDocumentText } from '../../handoff-files/read-handoff-file.ts';
import { readRoleHeading } from '../../transcripts/role-headings.ts';

/** A file that is a handoff already, and not a conversation to be read. */
export interface HandoffText {
  /** `document`: Markdown with front matter of another kind than a handoff file's. */
  form: 'file' | 'record' | 'document';
  text: string;
}

/** Front matter of one of the three kinds, and with a version, as far as its first lines tell. */
const frontMatterOfKind = /^\ufeff?\s*---(?:[^\n]*\n){1,40}?\s*type:\s*['"]?(?:findings|plan|problem)\b/i;
const frontMatterWithVersion = /^\ufeff?\s*---(?:[^\n]*\n){1,40}?\s*version:/i;

/**
 * A handoff file of Markdown by its name or its front matter, a record of JSON by its fields, any other document by its
 * front matter; null for anything else, as a conversation. Reads no more than such a file may have.
 *
 * @throws ParseError, HandoffError for a file that has the name of a handoff file and cannot be read.
 */
export function readAsHandoff({ path, text }: { path?: string; text?: string }): HandoffText | null {
  const isNamed = path !== undefined && parseFileName(basename(path)) !== null;
  if (isNamed) return { form: 'file', text: readDocumentText(path) };
  const given = text ?? (path === undefined ? null : readSmall(path));
  if (given === null) return null;
  if (frontMatterOfKind.test(given) && frontMatterWithVersion.test(given)) return { form: 'file', text: given };
  if (isRecord(given)) return { form: 'record', text: given };
  return isDocument(given) ? { form: 'document', text: given } : null;
}

/** Front matter, and no two sides that speak below it: an exported conversation may have front matter too. */
function isDocument(text: string): boolean {
  if (!/^\ufeff?---[ \t]*(?:ya?ml[ \t]*)?\r?\n/i.test(text)) return false;
  const speakers = new Set(text.split('\n').map((line) => readRoleHeading(line)?.role));
  return !(speakers.has('user') && speakers.has('assistant'));
}

/** null for what is absent, larger than any handoff, or no text: the reader of conversations says so, and where else to look. */
function readSmall(path: string): string | null {
  try {
    return readDocumentText(path);
  } catch (error) {
    if (isHandoffError(error)) return null;
    throw error;
  }
}

/** Fields that every record has, and no transcript has together. */
const fieldsOfRecord = ['id', 'created_at', 'source_agent', 'summary'];

function isRecord(text: string): boolean {
  if (!fieldsOfRecord.every((field) => text.includes(`"${field}"`))) return false;
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return value !== null && typeof value === 'object' && fieldsOfRecord.every((field) => field in value);
  } catch {
    // Lines of JSON, or none.
    return false;
  }
}
