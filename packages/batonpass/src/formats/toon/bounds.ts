import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';

/** Columns of one level of nesting; a tab counts as one level. */
export const INDENT_COLUMNS = 2;

/**
 * Refuses, before anything is decoded, what would keep the decoder busy for seconds or overflow its stack.
 * One pass over the characters; a text that is far too long is refused unread.
 *
 * @throws HandoffError `too_large` that names the bound of `core/limits.ts`, and the line where there is one.
 */
export function assertWithinBounds(text: string): void {
  assertBytes(text);
  assertLines(text);
  for (let at = text.indexOf(FIELDS); at !== -1; at = text.indexOf(FIELDS, at + FIELDS.length)) assertGroups(text, at);
}

/** A character has at most three bytes of UTF-8 for each unit of the text. */
function assertBytes(text: string): void {
  const { toon_bytes_max } = limits;
  if (text.length * 3 <= toon_bytes_max) return;
  if (text.length > toon_bytes_max || new TextEncoder().encode(text).byteLength > toon_bytes_max) {
    throw tooLarge('bytes', toon_bytes_max);
  }
}

/** Nesting is written by indentation: a line indented deeper than the deepest level is refused. */
function assertLines(text: string): void {
  let line = 1;
  let columns = 0;
  let isIndent = true;
  // Character by character: searching for each line's end, once optimised, takes the engine as long as decoding does.
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === NEWLINE) {
      line += 1;
      columns = 0;
      isIndent = true;
      if (line > limits.toon_lines_max) throw tooLarge('lines', limits.toon_lines_max);
    } else if (isIndent && (unit === SPACE || unit === TAB)) {
      columns += unit === TAB ? INDENT_COLUMNS : 1;
    } else if (isIndent) {
      isIndent = false;
      if (columns > COLUMNS_MAX) throw tooLarge('levels of nesting', limits.toon_depth_max, line);
    }
  }
}

const COLUMNS_MAX = limits.toon_depth_max * INDENT_COLUMNS;
const NEWLINE = 10;
const SPACE = 32;
const TAB = 9;

/** What a header's list of fields begins with; groups of fields nest inside of one line. */
const FIELDS = ']{';

function assertGroups(text: string, start: number): void {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === NEWLINE) return;
    if (unit === OPEN) depth += 1;
    else if (unit === CLOSE) depth -= 1;
    if (unit === CLOSE && depth === 0) return;
    if (depth > limits.toon_depth_max) {
      throw tooLarge('levels of fields', limits.toon_depth_max, text.slice(0, index).split('\n').length);
    }
  }
}

const OPEN = 123;
const CLOSE = 125;

function tooLarge(unit: string, bound: number, line?: number): HandoffError {
  const at = line === undefined ? '' : ` at line ${line}`;
  return new HandoffError('too_large', `The text has more than ${bound.toLocaleString('en-US')} ${unit}${at}.`, {
    details: { unit, bound, line },
    alternatives: ['Send it in parts, or put the bulk into a file and name the file.'],
  });
}
