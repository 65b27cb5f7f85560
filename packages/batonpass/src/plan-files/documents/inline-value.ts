import { showHidden } from '../../core/hidden-characters.ts';

/**
 * A value from outside as one line of a document: line breaks become `<br>`, which Markdown shows as one, and characters
 * that nobody sees become `\u{…}`. After a prefix of ours (`**Goal**: `, `- [ ] `) nothing else in it can be structure.
 */
export function inlineValue(value: string): string {
  const lines = value.toWellFormed().split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  return showHidden(
    lines
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('<br>')
      .replaceAll('\t', ' '),
  );
}

/** A value as a whole list item: what would begin a heading, fence, list or comment inside of it is escaped. */
export function listItemValue(value: string): string {
  return inlineValue(value)
    .replace(/^(?=#{1,6}(?:\s|$)|>|`{3}|~{3}|<[!/?a-z]|[-+*](?:[-+*\s]|$)|\[[ xX]\]\s)/i, '\\')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/** A value in a cell of a table: pipes, and the backslashes before them, are escaped. */
export function cellValue(value: string): string {
  return inlineValue(value).replace(/(?<!\\)\\*\|/g, (run) => `${'\\'.repeat(2 * (run.length - 1) + 1)}|`);
}

/** A path or name as code: longer marks around it where it holds such marks. */
export function codeValue(value: string): string {
  const text = inlineValue(value);
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const marks = '`'.repeat(longest + 1);
  const isEdged = text.startsWith('`') || text.endsWith('`');
  return isEdged ? `${marks} ${text} ${marks}` : `${marks}${text}${marks}`;
}
