import { ParseError } from '../../core/errors.ts';

/** Where front matter comes from. */
export interface TextPlace {
  /** The file or stream, as messages name it. */
  source: string;
  /** The line of the source that its first line is; the first of all is 1. */
  first_line: number;
}

/** What is wrong at a place of front matter. */
export interface Fault {
  /** Without a full stop. */
  problem: string;
  /** Characters from its beginning. */
  offset: number;
  /** The field that it is about, where there is one. */
  field?: string;
  alternatives?: readonly string[];
}

/** The error of a fault in front matter, with line and column of the source. */
export function faultIn(
  matter: string,
  { source, first_line }: TextPlace,
  { problem, offset, field, alternatives }: Fault,
): ParseError {
  const before = matter.slice(0, offset);
  const line = first_line + (before.match(/\n/g)?.length ?? 0);
  const column = offset - before.lastIndexOf('\n');
  return new ParseError(`${source}:${line}:${column}: ${problem}.`, {
    source,
    line,
    column,
    details: { field, problem },
    alternatives: alternatives ?? [`Correct line ${line}, or put a value with special characters in quotes.`],
  });
}
