/** A label at the beginning of a line, as `**Goal**: text`. */
export interface Label {
  name: string;
  /** The text after the colon, without spaces around it. */
  value: string;
  /** The place of the value in the line. */
  start: number;
  stop: number;
}

/** The label that a line begins with: `**Name**: value`, `**Name:** value`, or the same with `__`; null without one. */
export function readLabel(line: string): Label | null {
  const mark = line.slice(0, 2);
  if (mark !== '**' && mark !== '__') return null;
  const close = line.indexOf(mark, 2);
  if (close === -1) return null;
  const inner = line.slice(2, close).trim();
  const hasColon = inner.endsWith(':');
  const after = line.slice(close + 2);
  const colon = hasColon ? 0 : (/^ {0,3}:/.exec(after)?.[0].length ?? 0);
  if (!hasColon && colon === 0) return null;
  const rest = after.slice(colon);
  const value = rest.trim();
  const start = line.length - rest.trimStart().length;
  return { name: hasColon ? inner.slice(0, -1).trimEnd() : inner, value, start, stop: start + value.length };
}

/** The words of a line that is bold as a whole, as `**Notes**`; null for another line. */
export function readBoldLine(line: string): string | null {
  return /^(\*\*|__)([^*_]{1,200})\1[ \t]*$/.exec(line)?.[2]?.trim() ?? null;
}

/** A line with another value after its label: the text before and after the value stays. */
export function replaceValue(line: string, { start, stop }: Pick<Label, 'start' | 'stop'>, value: string): string {
  const before = line.slice(0, start);
  const gap = before === '' || /\s$/.test(before) ? '' : ' ';
  return `${before}${gap}${value}${line.slice(stop)}`;
}

/** A value without the code marks or quotes around it. */
export function unwrapValue(value: string): string {
  const [mark = ''] = value;
  const isWrapped = value.length > 1 && '`"\''.includes(mark) && value.endsWith(mark);
  return isWrapped ? value.slice(1, -1).trim() : value;
}

/** Whether a line only parts what is above from what is below: blank, or a rule. */
export function isParting(text: string): boolean {
  return text.trim() === '' || /^-{3,}\s*$/.test(text);
}

/** A heading of a line, as `## Phase: init`. */
export interface Heading {
  level: number;
  text: string;
}

/** The heading that a line is, indented by three spaces at the most; null for another line. */
export function readHeading(line: string): Heading | null {
  const [, marks = '', text = ''] = /^ {0,3}(#{1,6})(?:[ \t]([^\n]*))?$/.exec(line) ?? [];
  return marks === '' ? null : { level: marks.length, text: text.trim() };
}

/** Whether a line is a heading by the line of `===` or `---` below it. */
export function isUnderlined(line: string, below: string): boolean {
  if (!/^ {0,3}(?:=+|-+)[ \t]*$/.test(below)) return false;
  const isOther = /^(?: {4}|[ \t]*(?:$|[>|#<]|\t))/.test(line) || readListItem(line) !== null;
  return !isOther && readLabel(line) === null && readBoldLine(line) === null;
}

/** Columns before the first visible character; a tab reaches to the next multiple of four. */
export function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === '\t') columns += 4 - (columns % 4);
    else if (character === ' ') columns += 1;
    else break;
  }
  return columns;
}

/** An entry of a list: `- text`, `* text`, `1. text`. */
export interface ListItem {
  text: string;
  /** The place of the text in the line. */
  start: number;
}

/** The list item that a line begins; null for another line. */
export function readListItem(line: string): ListItem | null {
  const match = /^[ \t]{0,40}(?:[-*+]|\d{1,9}[.)])[ \t]+/.exec(line);
  return match === null ? null : { text: line.slice(match[0].length).trimEnd(), start: match[0].length };
}

/** An item of a checklist: `- [ ] text`. */
export interface ChecklistItem {
  text: string;
  is_done: boolean;
  /** The place of the mark between the brackets. */
  mark: number;
}

/** The checklist item that a line is; null for another line. */
export function readChecklistItem(line: string): ChecklistItem | null {
  const item = readListItem(line);
  if (item === null) return null;
  const mark = item.text[1] ?? '';
  const isBox = item.text[0] === '[' && item.text[2] === ']' && ' xX'.includes(mark) && /\s/.test(item.text[3] ?? '');
  return isBox ? { text: item.text.slice(4).trim(), is_done: mark !== ' ', mark: item.start + 1 } : null;
}
