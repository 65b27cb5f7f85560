import { type View, visible, wrapped } from './view.ts';

/** Remarks below an answer: wrapped, except those that show a command, which is copied in one piece. */
export function presentRemarks(lines: readonly string[], view: View): string {
  return lines.map((line) => (line.startsWith('→') ? visible(line) : wrapped(line, view.width, '  '))).join('\n');
}
