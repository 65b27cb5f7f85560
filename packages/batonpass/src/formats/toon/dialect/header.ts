import { findUnquoted, splitUnquoted } from './unquoted.ts';

/** The first line of a list or table, as `alternatives[2]:` or `phases[5]{name,status}:`. */
export interface Header {
  /** The name as it is written, quotes included; empty where the list is the whole message. */
  name: string;
  /** The text in place of the count: digits, or a word of a template. */
  count: string;
  /** The entries are members of an object. */
  keyed: boolean;
  delimiter: ',' | '\t' | '|';
  /** The list of fields as it is written, braces included. */
  fields?: string;
  /** How many values a row has. */
  cells: number;
  /** What follows the colon. */
  rest: string;
}

/** Counts of templates: `N`, `n`, `{count}`, `#3` of older versions, or none at all. */
const pattern =
  /^("(?:[^"\\]|\\.)*"|[^\s"'[\]{}:,|-][^"[\]{}:,|]*)?\[(#?\d+|[A-Za-z_]\w*|\{[^{}"]*\}|)(:?)([|\t]?)\](.*)$/;

/** Reads a header; `undefined` where the line is none. */
export function parseHeader(content: string): Header | undefined {
  const [, name = '', count = '', keyed, mark, after = ''] = pattern.exec(content) ?? [];
  const matched = mark !== undefined;
  const colon = matched ? colonAfterFields(after) : -1;
  if (!matched || colon === -1) return undefined;
  const delimiter = mark === '' ? ',' : (mark as '\t' | '|');
  const fields = after.slice(0, colon).trim();
  const header = {
    name: name.trimEnd(),
    count,
    keyed: keyed === ':',
    delimiter,
    rest: after.slice(colon + 1).trim(),
  } as const;
  if (fields === '') return { ...header, cells: 1 };
  return { ...header, fields, cells: splitUnquoted(fields, delimiter).length };
}

/** The colon right after the bracket or the list of fields; -1 where something else is there. */
function colonAfterFields(after: string): number {
  const colon = findUnquoted(after, ':');
  if (colon === -1) return -1;
  const between = after.slice(0, colon).trim();
  return between === '' || (between.startsWith('{') && between.endsWith('}')) ? colon : -1;
}

/** The header as the strict form has it, with the true count. */
export function formatHeader({ name, keyed, delimiter, fields }: Header, count: number): string {
  return `${name}[${count}${keyed ? ':' : ''}${delimiter === ',' ? '' : delimiter}]${fields ?? ''}:`;
}

/** A word in braces, as `{paths}`: a place in a template and no value. */
export function isPlaceholder(text: string): boolean {
  return /^\{[^{}"]*\}$/.test(text);
}
