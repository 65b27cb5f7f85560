import { type HandoffError, ParseError } from '../core/errors.ts';

/** Something in a document that is not as it must be. */
export interface DocumentFinding {
  path: string;
  /** Absent where it is about the file as a whole. */
  line?: number;
  column?: number;
  field?: string;
  what: string;
}

/** The finding for an error of reading a document. */
export function findingOf(path: string, error: HandoffError): DocumentFinding {
  if (!(error instanceof ParseError)) return { path, what: error.message };
  const { line, column, details } = error;
  const field = typeof details.field === 'string' ? details.field : undefined;
  // The place has fields of its own here.
  const what = error.message.replace(`${path}:${line}:${column}: `, '');
  return { path, line, column, ...(field !== undefined && { field }), what };
}
