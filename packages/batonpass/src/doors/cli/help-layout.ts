import { Help } from 'commander';
import type { Command } from './command.ts';

/** The columns of help pages: the terminal's, else those of `COLUMNS`, else 80; at least 40. */
export function helpWidth(): number {
  const columns = process.stdout.columns ?? Number(process.env.COLUMNS);
  return columns > 0 ? Math.max(40, columns) : 80;
}

/** A narrower column next to a term would be one word a line: a description is then below its term. */
const BESIDE_MIN = 24;

/** How Commander lays out help pages: nothing is wider than `helpWidth`. */
export const helpLayout = {
  minWidthToWrap: BESIDE_MIN,
  styleUsage: (usage: string) => fold(usage, { first: 'Usage: '.length, others: '       ' }),
  formatItem(term: string, termWidth: number, description: string, helper: Help): string {
    const isBeside = helpWidth() - termWidth - 4 >= BESIDE_MIN;
    if (isBeside) return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
    return [`  ${fold(term, { first: 2, others: '    ' })}`, ...below(description)].join('\n');
  },
};

/** A text in lines of the page's width. @param first - columns that its first line has before it. */
export function fold(text: string, { first = 0, others = '' } = {}): string {
  return foldWords(text.split(' '), { first, others, end: '' });
}

function below(text: string): string[] {
  return text === '' ? [] : [`      ${fold(text, { first: 6, others: '      ' })}`];
}

interface Folding {
  first: number;
  others: string;
  /** What ends a line that goes on. */
  end: string;
}

function foldWords(words: readonly string[], { first, others, end }: Folding): string {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    const before = lines.length > 1 ? others.length : first;
    if (line !== undefined && before + line.length + 1 + word.length + end.length <= helpWidth()) {
      lines.splice(-1, 1, `${line} ${word}`);
    } else lines.push(word);
  }
  return lines.join(`${end}\n${others}`);
}

/**
 * The examples of a command: each line with its description next to it; where that is too wide for the page, below it. A line
 * that is too wide itself goes on in the next, as a shell reads it.
 */
export function formatExamples({ examples }: Pick<Command, 'examples'>): string {
  const width = Math.max(...examples.map(({ line }) => line.length));
  const isWide = examples.some(({ what }) => width + what.length + 4 > helpWidth());
  const lines = examples.flatMap(({ line, what }) => {
    if (!isWide) return [`  ${what === '' ? line : `${line.padEnd(width)}  ${what}`}`];
    return [`  ${foldCommand(line)}`, ...below(what)];
  });
  return `\nExamples:\n${lines.join('\n')}`;
}

/** Broken between words where it can be; in a quoted text a line break would be part of it. */
function foldCommand(line: string): string {
  if (line.length + 2 <= helpWidth()) return line;
  const words = line.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];
  return foldWords(words, { first: 2, others: '    ', end: ' \\' });
}
