import { expect } from 'vitest';
import { HandoffError } from '../../packages/batonpass/src/index.ts';
import type { MadeLine } from './hand-edited-plan.ts';

/** Lines of a text, each without what ends it, and what ends them. */
export function splitText(text: string): { lines: string[]; ends: string[] } {
  const parts = text.replace(/^\uFEFF/, '').split(/(\r?\n)/);
  const lines = parts.filter((_, index) => index % 2 === 0);
  const ends = parts.filter((_, index) => index % 2 === 1);
  // What follows the last end is a line only where it holds something.
  return lines.at(-1) === '' ? { lines: lines.slice(0, -1), ends } : { lines, ends };
}

/** What a request may do to a document, in the words of the one who made it. */
export interface Allowed {
  /** Whether the request names this line, so that it can go or change. */
  mayGo: (line: MadeLine) => boolean;
  /** Whether a line that was not there may be there now. */
  mayCome: (line: string) => boolean;
}

/**
 * What is wrong with a document after a request; undefined where every line that the request does not name is there, in its
 * order, with its end, and what belongs to an entry still follows it. It knows nothing of how plans are read.
 */
export function findHarm(
  { lines: made, text }: { lines: readonly MadeLine[]; text: string },
  after: string,
  { mayGo, mayCome }: Allowed,
): string | undefined {
  if (text.startsWith('\uFEFF') !== after.startsWith('\uFEFF')) return 'the byte order mark';
  const before = splitText(text);
  const now = splitText(after);
  const kept = made.flatMap((line, index) => (mayGo(line) ? [] : [{ ...line, index }]));
  let next = 0;
  let last = -1;
  for (const [at, line] of now.lines.entries()) {
    const wanted = kept[next];
    if (wanted === undefined || line !== wanted.text) {
      if (mayCome(line)) continue;
      return `came: ${JSON.stringify(line)}, while ${JSON.stringify(wanted?.text)} was to come`;
    }
    // Of two entries that say the same, either may have been the one that a request named: the text above decides.
    const isTorn = wanted.role === 'nested' && wanted.index === last + 1 && now.lines[at - 1] !== made[last]?.text;
    if (isTorn) return `torn from its entry: ${JSON.stringify(line)}`;
    const isLast = wanted.index === before.ends.length || at === now.ends.length;
    if (!isLast && now.ends[at] !== before.ends[wanted.index]) return `line end of ${JSON.stringify(line)}`;
    last = wanted.index;
    next += 1;
  }
  if (next < kept.length) return `lost or moved: ${JSON.stringify(kept[next]?.text)}`;
  const isLastKept = kept.at(-1)?.index === before.lines.length - 1;
  const isEnded = ({ lines, ends }: ReturnType<typeof splitText>) => lines.length === ends.length;
  return isLastKept && isEnded(before) !== isEnded(now) ? 'the last line end' : undefined;
}

/** Runs a change that may be refused; a refusal says what to do, and a defect is thrown. */
export function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof HandoffError)) throw error;
    expect(error.alternatives.length).toBeGreaterThan(0);
    return undefined;
  }
}
