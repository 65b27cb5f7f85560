import { styleText } from 'node:util';
import truncateToWidth from 'fast-string-truncated-width';
import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { showHidden } from '../../../core/hidden-characters.ts';

type Format = Parameters<typeof styleText>[0];

/** How a command's answer is shown to a person: width, colours where the stream is a terminal, and the time. */
export interface View {
  /** Columns. */
  width: number;
  now_ms: number;
  /** Colours a text, on a terminal and without `NO_COLOR` only. */
  style: (format: Format, text: string) => string;
  /** The words on the command line, for answers that depend on them. */
  options: Readonly<Record<string, unknown>>;
}

/** The view for an output stream. */
export function createView(
  stream: NodeJS.WriteStream,
  surroundings: { now_ms: number; options: Readonly<Record<string, unknown>> },
): View {
  return {
    ...surroundings,
    width: Math.max(40, Math.min(stream.columns ?? 100, 120)),
    style: (format, text) => styleText(format, text, { stream }),
  };
}

/**
 * A text from outside as a terminal may show it: hidden characters are shown, and every kind of line break is a plain
 * one. A lone carriage return would let a text overwrite what stands before it.
 */
export function visible(text: string): string {
  return showHidden(text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n'));
}

/** A text from outside on one line, controls and invisible characters shown, cut to a width. */
export function oneLine(text: string, width: number): string {
  const line = visible(text).replace(/\s+/g, ' ').trim();
  const { index, truncated } = truncateToWidth(line, { limit: width, ellipsis: '…' });
  return truncated ? `${line.slice(0, index).trimEnd()}…` : line;
}

/** A text from outside wrapped to a width, every line after the first indented by `indent`. */
export function wrapped(text: string, width: number, indent: string): string {
  return wrapAnsi(visible(text).trim(), Math.max(20, width - indent.length), { hard: true })
    .split('\n')
    .join(`\n${indent}`);
}

/** Rows in columns: each as wide as its widest cell, the last one as wide as is left. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))));
  return rows
    .map((row) => row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell))).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}
