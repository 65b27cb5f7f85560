import { HandoffError } from '../../core/errors.ts';
import { placeOf } from './json-text.ts';

const begin = '<!-- baton:begin -->';
const end = '<!-- baton:end -->';

/** The range of a block in a text, its markers included. */
interface Block {
  from: number;
  to: number;
}

/**
 * Puts lines between Baton's markers into a document: in place of its block, else at its end, after an
 * empty line. Everything outside of the block stays byte for byte; a document without a last line break keeps none.
 *
 * @throws HandoffError `invalid_structure` with line and column for a marker without its partner, or several blocks.
 */
export function writeBlock(text: string, path: string, lines: readonly string[]): string {
  const eol = text.match(/\r\n|\n/)?.[0] ?? '\n';
  const block = [begin, ...lines, end].join(eol);
  const found = findBlock(text, path);
  if (found !== undefined) return `${text.slice(0, found.from)}${block}${text.slice(found.to)}`;
  if (text === '') return `${block}${eol}`;
  if (!/[\r\n]$/.test(text)) return `${text}${eol}${eol}${block}`;
  return `${text}${/(?:^|\n)\r?\n$/.test(text) ? '' : eol}${block}${eol}`;
}

/**
 * Removes Baton's block from a document, with the empty line before it.
 *
 * @throws as `writeBlock`.
 */
export function removeBlock(text: string, path: string): string {
  const found = findBlock(text, path);
  if (found === undefined) return text;
  const before = text.slice(0, found.from);
  const after = text.slice(found.to);
  if (after === '') return before.replace(/(?:\r?\n){1,2}$/, '');
  const rest = after.replace(/^\r?\n/, '');
  const isParted = /^(?:\r?\n|$)/.test(rest);
  return `${isParted ? before.replace(/(\r?\n)\r?\n$/, '$1') : before}${rest}`;
}

/** Whether a document of Claude Code includes AGENTS.md: by `@AGENTS.md`, outside of code. */
export function importsAgentsFile(text: string): boolean {
  const prose = text
    .replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gm, '')
    .replace(/`[^`\n]*`/g, '');
  return /(?:^|\s)@(?:\.\/)?AGENTS\.md(?![\w/-])/m.test(prose);
}

function findBlock(text: string, path: string): Block | undefined {
  const begins = findLines(text, begin);
  const ends = findLines(text, end);
  const [from] = begins;
  const [last] = ends;
  if (from === undefined && last === undefined) return undefined;
  if (from !== undefined && last !== undefined && begins.length === 1 && ends.length === 1 && from < last) {
    return { from, to: last + end.length };
  }
  const { line, column } = placeOf(text, from ?? last ?? 0);
  throw new HandoffError(
    'invalid_structure',
    `${path}:${line}:${column} does not have exactly one ${begin} with one ${end} after it. Nothing was written.`,
    {
      details: { path, line, column },
      alternatives: [
        `Leave one pair of markers, each on a line of its own; the text between them is rewritten.`,
        'Or leave the documents out: baton init --only mcp,hooks',
      ],
    },
  );
}

/** The offsets of a marker that is alone on its line: a marker within a sentence is only mentioned. */
function findLines(text: string, marker: string): number[] {
  return [...text.matchAll(new RegExp(`^[ \\t]*(${marker})[ \\t]*\\r?$`, 'dgm'))].map(
    (match) => match.indices?.[1]?.[0] ?? match.index,
  );
}
