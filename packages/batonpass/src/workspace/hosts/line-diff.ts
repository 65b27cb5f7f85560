import { structuredPatch } from 'diff';

/** Lines that changed, with a few around them. */
export interface Hunk {
  /** The first of its lines in the new text, or in the old one where the new one is empty; 1 is the first. */
  line: number;
  /** Each begins with `+` (added), `-` (removed) or a space (as it was). */
  lines: string[];
}

/** Lines shown before and after a change. */
const context_lines = 2;

/** The changes from one text to another, line by line. Line ends are not shown. */
export function diffLines(before: string, after: string): Hunk[] {
  const { hunks } = structuredPatch('', '', plainEnds(before), plainEnds(after), '', '', { context: context_lines });
  return hunks.map(({ newStart, lines }) => ({
    line: Math.max(1, newStart),
    // git's remark about a missing last line end is no line.
    lines: lines.filter((line) => !line.startsWith('\\')),
  }));
}

/** With a line end after the last line too: whether it has one is no change of a line. */
function plainEnds(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n');
  return plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`;
}
