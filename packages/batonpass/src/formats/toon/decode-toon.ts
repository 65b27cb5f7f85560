import { decode, ToonDecodeError } from '@toon-format/toon';
import { ParseError } from '../../core/errors.ts';
import { assertWithinBounds } from './bounds.ts';
import { Cursor } from './dialect/cursor.ts';
import { Repairs } from './dialect/repairs.ts';
import { rewriteMessage } from './dialect/rewrite.ts';
import { readSourceLines } from './dialect/source-lines.ts';
import { StrictText } from './dialect/strict-text.ts';

/** A text that was read, and what had to be read otherwise than it was written. */
export interface DecodedToon {
  /** What JSON can carry. Names as `__proto__` and `constructor` are own members like any other. */
  value: unknown;
  /** One sentence per repair, as `line 13: the entries are at the indent of their header`; empty for a text in the strict form. */
  repairs: string[];
  /** What the text announces and does not hold, as sentences of the same form; absent where nothing is missing. */
  losses?: string[];
}

/**
 * Reads TOON in two steps: as the official decoder reads it in strict mode, and, where that refuses, as the dialect that
 * agents write, with a list of what was repaired. A text whose meaning is not clear is refused, as is one with two messages.
 *
 * @throws HandoffError `too_large` beyond `limits.toon_bytes_max`, `toon_lines_max` or `toon_depth_max`, before anything
 * is decoded; ParseError with line and column.
 */
export function decodeToon(text: string): DecodedToon {
  assertWithinBounds(text);
  if (hyphenAtIndent.test(text)) return decodeDialect(text);
  try {
    return { value: decode(text), repairs: [] };
  } catch (error) {
    if (!(error instanceof ToonDecodeError)) throw error;
    return decodeDialect(text, error);
  }
}

/**
 * A hyphen at the indent of the line before it. The official decoder takes `- Fix: now` there for a member named
 * `- Fix`, which nobody means.
 */
const hyphenAtIndent = /^( *)(?![ \-#])[^\n]*:\r?\n\1- /m;

/** The dialect, written in the strict form first: so that the official decoder has the last word on every value. */
function decodeDialect(text: string, refusal?: ToonDecodeError): DecodedToon {
  const repairs = new Repairs();
  const strict = new StrictText();
  rewriteMessage({ cursor: new Cursor(readSourceLines(text, repairs)), strict, repairs });
  try {
    const value = decode(strict.toString());
    const told = repairs.list();
    const losses = repairs.listLosses();
    return {
      value,
      repairs: told.length > 0 || refusal === undefined ? told : [tellRefusal(refusal)],
      ...(losses.length > 0 && { losses }),
    };
  } catch (error) {
    if (!(error instanceof ToonDecodeError)) throw error;
    throw asParseError(error, strict, text);
  }
}

/** What the official decoder had against a text whose repair needs no words of its own, as an indent by three columns. */
function tellRefusal({ line = 1, message }: ToonDecodeError): string {
  return `line ${line}: read all the same: ${reasonOf(message)}`;
}

function reasonOf(message: string): string {
  return message.replace(/^Line \d+: /, '');
}

function asParseError(error: ToonDecodeError, strict: StrictText, text: string): ParseError {
  const line = strict.originOf(error.line ?? 1);
  const source = text.split('\n')[line - 1] ?? '';
  const column = source.length - source.trimStart().length + 1;
  const told = reasonOf(error.message);
  const reason = told.replace(/^Duplicate sibling key/, 'a second');
  return new ParseError(`Line ${line}: ${reason}.`, {
    line,
    column,
    cause: error,
    alternatives:
      reason === told
        ? ['Write the line in the strict form of TOON, with texts in double quotes.']
        : ['Send each message by itself, and name each member of an object once.'],
  });
}
