import { ParseError } from '../../core/errors.ts';

/** A document in its parts; put together again they are the document, character by character. */
export interface DocumentParts {
  /** The line that opens the front matter, a byte order mark before it included. */
  opening: string;
  /** The lines between, each with its end; null where there is no front matter. */
  matter: string | null;
  /** The line that closes the front matter, with its end where it has one. */
  closing: string;
  /** Everything below: never trimmed, never normalised. */
  body: string;
}

/** The first line: dashes, and what may be the name of a language. */
const openingLine = /^\ufeff?---(?!-)[ \t]*([^\r\n]*?)[ \t]*(?:\r?\n|$)/;

/** The same, with blank lines before it. */
const openingLines = /^\ufeff?(?:[ \t]*\r?\n)*---(?!-)[ \t]*([^\r\n]*?)[ \t]*(?:\r?\n|$)/;

/** How a document is split. */
export interface SplitOptions {
  /** Whether blank lines are allowed before the front matter, as agents leave them. Default: no, the document has none then. */
  skipsBlankLines?: boolean;
}

/** The one line that closes front matter. */
const closingLine = /^---[ \t]*(?:\r?\n|$(?![\s\S]))/gm;

/**
 * Splits a document at its front matter. A document that does not begin with `---` has none: then all of it is body.
 *
 * @param source - the file or stream, as messages name it.
 * @throws ParseError for front matter that is not closed, and for any front matter in another language than YAML:
 * none is ever executed.
 */
export function splitDocument(
  text: string,
  source: string,
  { skipsBlankLines = false }: SplitOptions = {},
): DocumentParts {
  const [opening = '', language = ''] = (skipsBlankLines ? openingLines : openingLine).exec(text) ?? [];
  if (opening === '') return { opening: '', matter: null, closing: '', body: text };
  const line = lineAfter(opening.trimEnd());
  if (language !== '' && !/^ya?ml$/i.test(language)) throw otherLanguage(language, source, line);
  closingLine.lastIndex = opening.length;
  const closing = closingLine.exec(text);
  if (closing === null) throw unterminated(text, source, line);
  const end = closing.index + closing[0].length;
  return { opening, matter: text.slice(opening.length, closing.index), closing: closing[0], body: text.slice(end) };
}

/** The document that was split. */
export function joinDocument({ opening, matter, closing, body }: DocumentParts): string {
  return `${opening}${matter ?? ''}${closing}${body}`;
}

function otherLanguage(language: string, source: string, line: number): ParseError {
  const shown = language.slice(0, 40);
  return new ParseError(`${source}:${line}:4: Front matter must be YAML; it is not read: ${shown}.`, {
    source,
    line,
    column: 4,
    details: { language: shown },
    alternatives: ['Begin the document with a line of three dashes alone, and write YAML below it.'],
  });
}

function unterminated(text: string, source: string, begun: number): ParseError {
  const { line, column } = placeAfter(text);
  return new ParseError(`${source}:${line}:${column}: The front matter that begins in line ${begun} is not closed.`, {
    source,
    line,
    column,
    alternatives: ['End it with a line of three dashes.'],
  });
}

function placeAfter(text: string): { line: number; column: number } {
  return { line: lineAfter(text), column: text.length - text.lastIndexOf('\n') };
}

function lineAfter(text: string): number {
  return text.split('\n').length;
}
