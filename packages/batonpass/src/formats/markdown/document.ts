import { HandoffError, ParseError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { parseFrontMatter } from './front-matter.ts';
import type { FrontMatter } from './front-matter-value.ts';
import type { TextPlace } from './place.ts';
import { type DocumentParts, type SplitOptions, splitDocument } from './split-document.ts';

/** A Markdown document: the values of its front matter, and all of its text. */
export interface MarkdownDocument extends DocumentParts {
  /** null where the document has no front matter. */
  fields: FrontMatter | null;
}

/**
 * Reads a document of any kind; nothing in it is executed, and its parts put together are its text.
 *
 * @param source - the file or stream, as messages name it.
 * @throws ParseError with line and column; HandoffError `too_large`.
 */
export function parseDocument(text: string, source: string, options: SplitOptions = {}): MarkdownDocument {
  if (text.length > limits.document_bytes_max) throw tooLarge(source);
  const parts = splitDocument(text, source, options);
  return {
    ...parts,
    fields: parts.matter === null ? null : parseFrontMatter(parts.matter, placeOfMatter(parts, source)),
  };
}

/** Where the front matter of a document begins: below the lines that open it. */
export function placeOfMatter({ opening }: DocumentParts, source: string): TextPlace {
  return { source, first_line: opening.split('\n').length };
}

/** The error for a document that should have front matter. */
export function noFrontMatter(source: string): ParseError {
  return new ParseError(`${source}:1:1: There is no front matter.`, {
    source,
    line: 1,
    column: 1,
    alternatives: ['Begin the document with a line of three dashes, the fields, and three dashes again.'],
  });
}

function tooLarge(source: string): HandoffError {
  return new HandoffError('too_large', `${source} has more than ${limits.document_bytes_max} bytes.`, {
    details: { source, bytes_max: limits.document_bytes_max },
    alternatives: ['Split it, or move the large part to its own file and refer to that.'],
  });
}
