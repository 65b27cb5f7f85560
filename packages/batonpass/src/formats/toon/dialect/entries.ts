import { parseHeader } from './header.ts';
import type { SourceLine } from './source-lines.ts';
import { splitUnquoted } from './unquoted.ts';

/** One entry of a list, as its hyphen's line shows it. */
export interface Entry {
  line: SourceLine;
  /** What follows the hyphen. */
  content: string;
  /** The column at which it begins. */
  indent: number;
  /** Whether lines further right belong to it. */
  hasMore: boolean;
}

/** Whether a line begins an entry. */
export function isEntry({ content }: SourceLine): boolean {
  return content === '-' || content.startsWith('- ');
}

/** The entries of one list among lines that are all at its indent or deeper. */
export function findEntries(lines: readonly SourceLine[], indent: number): Entry[] {
  const starts = lines.flatMap((line, index) => (line.indent === indent ? [index] : []));
  return starts.map((start) => {
    const line = lines[start] as SourceLine;
    const content = line.content.slice(1).trimStart();
    const next = lines[start + 1];
    const hasMore = next !== undefined && next.indent > indent;
    return { line, content, indent: indent + Math.max(line.content.length - content.length, 2), hasMore };
  });
}

/**
 * Whether a list's entries of one line are texts even where they look like members. One entry that can only be a text,
 * as `- Critical Issues: 2`, shows that its neighbours, as `- Coverage: 72%`, are texts too.
 */
export function areTexts(entries: readonly Entry[]): boolean {
  return entries.some((entry) => !entry.hasMore && isPlain(entry.content));
}

/** Whether an entry is a text or a single value, and no member, list or empty object. */
function isPlain(content: string): boolean {
  return content !== '' && content !== '[]' && !content.startsWith('[') && !isMember(content);
}

/** A member's name is one word, or quoted, and a space or nothing follows its colon. */
function isMember(content: string): boolean {
  return /^(?:[A-Za-z_][\w.-]*|"(?:[^"\\]|\\.)*"):(?: |$)/.test(content) || parseHeader(content) !== undefined;
}

/**
 * The members of entries that are on one line each, as `- rule: S1135, severity: MAJOR`. Only where all of several
 * entries have the same names in the same order: a text can hold a comma and a colon too.
 */
export function findFlatMembers(entries: readonly Entry[]): string[][] | undefined {
  if (entries.length < 2 || entries.some(({ hasMore }) => hasMore)) return undefined;
  const members = entries.map(({ content }) => splitUnquoted(content, ','));
  const names = members.map((parts) => parts.map((part) => /^([A-Za-z_]\w*): /.exec(part)?.[1]).join(','));
  const [first = []] = members;
  const isFlat = first.length > 1 && !names[0]?.split(',').includes('') && names.every((each) => each === names[0]);
  return isFlat ? members : undefined;
}
