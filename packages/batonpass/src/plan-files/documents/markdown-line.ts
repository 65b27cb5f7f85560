/** A label at the beginning of a line, as `**Goal**: text`. */
export interface Label {
  name: string;
  /** Behind the colon, without spaces around it. */
  value: string;
  /** Where the value stands in the line. */
  start: number;
  stop: number;
}

/** The label that a line begins with, in the forms `**Name**: value` and `**Name:** value`; null without one. */
export function readLabel(line: string): Label | null {
  if (!line.startsWith('**')) return null;
  const close = line.indexOf('**', 2);
  if (close === -1) return null;
  const inner = line.slice(2, close).trim();
  const hasColon = inner.endsWith(':');
  let start = close + 2;
  if (!hasColon) {
    if (line[start] !== ':') return null;
    start += 1;
  }
  const rest = line.slice(start);
  const value = rest.trim();
  start += rest.length - rest.trimStart().length;
  return { name: hasColon ? inner.slice(0, -1).trimEnd() : inner, value, start, stop: start + value.length };
}

/** A line with another value behind its label: what stands before and after the value stays. */
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

/** The heading that a line is; null for another line. Only such at the margin are structure of a plan. */
export function readHeading(line: string): Heading | null {
  let level = 0;
  while (line[level] === '#') level += 1;
  if (level === 0 || level > 6) return null;
  const rest = line.slice(level);
  if (rest !== '' && rest[0] !== ' ' && rest[0] !== '\t') return null;
  return { level, text: rest.trim() };
}

/** An entry of a list: `- text`, `* text`, `1. text`. */
export interface ListItem {
  text: string;
  /** Where the text stands in the line. */
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
  /** Where the mark between the brackets stands. */
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
