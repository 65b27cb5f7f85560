import { ParseError } from '../../../core/errors.ts';
import { INDENT_COLUMNS } from '../bounds.ts';
import type { Repairs } from './repairs.ts';
import { trimEndSpaces } from './unquoted.ts';

/** One line of a text, as it was sent. */
export interface SourceLine {
  /** First line is 1. */
  number: number;
  /** Columns before the content; a tab counts as one level. */
  indent: number;
  /** The first character of the content; first column is 1. */
  column: number;
  /** Without indentation and the spaces at the end; empty for a blank line. */
  content: string;
}

/**
 * The lines of a message, without what was put around it: a code fence with prose before and after it, rules of `---`.
 *
 * @throws ParseError where the text holds several fenced blocks, or members outside of the fence.
 */
export function readSourceLines(text: string, repairs: Repairs): SourceLine[] {
  const raw = text.replace(/^\uFEFF/, '').split('\n');
  const tab = raw.findIndex((line) => /^ *\t[ \t]*\S/.test(line));
  if (tab !== -1) repairs.add(tab + 1, 'indented by tabs');
  const lines = raw.map(toSourceLine);
  return withoutRules(withoutFence(lines, repairs), repairs);
}

function toSourceLine(raw: string, index: number): SourceLine {
  const white = /^[ \t]*/.exec(raw)?.[0] ?? '';
  const tabs = white.split('\t').length - 1;
  const content = trimEndSpaces(raw.slice(white.length).replace(/\r$/, ''));
  const indent = white.length - tabs + tabs * INDENT_COLUMNS;
  return { number: index + 1, indent, column: white.length + 1, content };
}

/** Whether a line has no content: it is blank, or a comment. */
export function isSilent({ content }: SourceLine): boolean {
  return content === '' || content.startsWith('#');
}

function withoutFence(lines: SourceLine[], repairs: Repairs): SourceLine[] {
  const first = lines.find((line) => !isSilent(line));
  const outer = first?.indent ?? 0;
  const fences = lines.filter(({ content, indent }) => /^(?:```|~~~)/.test(content) && indent <= outer);
  const [open, close, another] = fences;
  if (open === undefined) return lines;
  if (close === undefined)
    throw new ParseError('A code fence is opened and not closed.', {
      ...placeOf(open),
      alternatives: ['Send the whole message, with the line that closes the fence.'],
    });
  if (another !== undefined) {
    throw new ParseError('The text holds more than one fenced block; which of them is the message is unclear.', {
      ...placeOf(another),
      alternatives: ['Send each message by itself.'],
    });
  }
  const outside = lines.filter(({ number }) => number < open.number || number > close.number);
  const member = outside.find(({ content }) => /^[\w-]+(?:\[[^\]]*\])?(?:\{[^}]*\})?:(?: |$)/.test(content));
  if (member !== undefined) {
    throw new ParseError('The text has members outside of its fenced block; where the message ends is unclear.', {
      ...placeOf(member),
      alternatives: ['Send the message without the fence, and nothing else.'],
    });
  }
  const prose = outside.find(({ content }) => content !== '');
  repairs.add(open.number, 'left out the code fence around the message');
  if (prose !== undefined) repairs.add(prose.number, 'left out text outside of the code fence');
  return lines.slice(open.number, close.number - 1);
}

/** Rules of `---` before and after a message; one between members is a member without a name, which is refused later. */
function withoutRules(lines: SourceLine[], repairs: Repairs): SourceLine[] {
  const speaking = lines.filter((line) => !isSilent(line));
  const rules = [speaking[0], speaking.at(-1)].filter((line) => line?.content === '---');
  for (const rule of rules) repairs.add(rule?.number ?? 0, 'left out "---"');
  return lines.map((line) => (rules.includes(line) ? { ...line, content: '' } : line));
}

/** The place of a line's first character, for an error. */
export function placeOf({ number, column }: SourceLine): { line: number; column: number } {
  return { line: number, column };
}
