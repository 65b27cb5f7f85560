import { styleText } from 'node:util';
import truncateToWidth from 'fast-string-truncated-width';
import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import type { Handoff } from '../../../core/handoff.ts';
import { showHidden } from '../../../core/hidden-characters.ts';

type Format = Parameters<typeof styleText>[0];

/** How a command's answer is shown to a person: width, colours where the stream is a terminal, and the time. */
export interface View {
  /** Columns. */
  width: number;
  /** Whether `width` is the reader's: errors are wrapped then, and else one line each, for programs. */
  isWidthKnown?: boolean;
  now_ms: number;
  /** Colours a text, on a terminal and without `NO_COLOR` only. */
  style: (format: Format, text: string) => string;
  /** The words on the command line, for answers that depend on them. */
  options: Readonly<Record<string, unknown>>;
  /** The agent that acts, so that commands shown to it name it too; absent where a person acts. */
  agent?: string;
  /** Whether the claim's token is kept for this terminal, so that nobody has to type it. */
  isTokenKept?: boolean;
  /** A handoff next to the answer, where the command asked for one. */
  about?: Handoff;
}

/** The columns that a line may have: those of the terminal or of `COLUMNS`, and a fixed width for a file. */
export function viewWidth(stream: NodeJS.WriteStream): number {
  return Math.max(40, Math.min(widthOfReader(stream) ?? 100, 120));
}

/** The width that the reader has; undefined where it is not known, as for a file. */
function widthOfReader({ columns = Number(process.env.COLUMNS) }: NodeJS.WriteStream): number | undefined {
  return columns > 0 ? columns : undefined;
}

/** The view for an output stream. */
export function createView(
  stream: NodeJS.WriteStream,
  surroundings: Omit<View, 'width' | 'isWidthKnown' | 'style'>,
): View {
  return {
    ...surroundings,
    width: viewWidth(stream),
    isWidthKnown: widthOfReader(stream) !== undefined,
    // Asked once: asking the stream for every cell of a table would cost more than drawing it.
    style: hasColours(stream)
      ? (format, text) => styleText(format, text, { validateStream: false })
      : (_, text) => text,
  };
}

/** Whether a stream shows colours: a terminal does, unless `NO_COLOR` or its kind say otherwise. */
function hasColours(stream: NodeJS.WriteStream): boolean {
  return styleText('bold', 'x', { stream }) !== 'x';
}

/**
 * A text from outside in the form that a terminal may show: hidden characters are made visible, and every kind of line
 * break is a plain one. A lone carriage return would let a text overwrite the text before it.
 */
export function visible(text: string): string {
  return showHidden(text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n'));
}

/** A text from outside on one line, controls and invisible characters shown, cut to a width. */
export function oneLine(text: string, width: number): string {
  const line = visible(text).replace(/\s+/g, ' ').trim();
  if (isPlain(line)) return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1)).trimEnd()}…`;
  const { index, truncated } = truncateToWidth(line, { limit: width, ellipsis: '…' });
  return truncated ? `${line.slice(0, index).trimEnd()}…` : line;
}

/** Characters of one column each, which most cells consist of: they need no measuring. */
function isPlain(text: string): boolean {
  return /^[ -~\u00a1-\u00ac\u00ae-\u02ff…–—“”‘’→]*$/.test(text);
}

/** A text from outside wrapped to a width, every line after the first indented by `indent`. */
export function wrapped(text: string, width: number, indent: string): string {
  return wrapAnsi(visible(text).trim(), Math.max(20, width - indent.length), { hard: true })
    .split('\n')
    .join(`\n${indent}`);
}

/** Parts joined by " · ", with line breaks between parts; a part that is longer than a line is wrapped by itself. */
export function wrappedParts(parts: readonly string[], width: number): string {
  const lines: string[] = [];
  for (const part of parts.map((text) => oneLine(text, Number.MAX_SAFE_INTEGER))) {
    const last = lines.at(-1);
    const joined = last === undefined ? part : `${last} · ${part}`;
    if (last === undefined || widthOf(joined) <= width) lines.splice(-1, 1, joined);
    else lines.push(part);
  }
  return lines.map((line) => wrapped(line, width, '')).join('\n');
}

/** A document from outside, indented; its own lines and their indents are kept. */
export function indented(text: string, width: number, indent: string): string {
  return visible(text)
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapAnsi(line, Math.max(20, width - indent.length), { hard: true, trim: false }).split('\n'))
    .map((line) => `${indent}${line}`.trimEnd())
    .join('\n');
}

/** The columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

/** Rows in columns: each as wide as its widest cell, the last one as wide as is left. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  return rows
    .map((row) => row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell))).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}
