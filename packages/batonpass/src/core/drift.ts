import { z } from 'zod';

/**
 * How a referenced file compares with its state when the handoff was made.
 *
 * - `unchanged`: its bytes, as they are or as git would store them, are proven to be the same.
 * - `edited`: it is there, with other bytes, as a link in place of a file, or with another mode.
 * - `renamed`: it is not there any more; `renamed_to` has it.
 * - `deleted`: it was committed then, and is gone.
 * - `not-on-this-branch`: it was committed then, in a line of history that is not this work tree's.
 * - `uncommitted-and-missing`: its content then was not committed, and it is not here.
 * - `no-git`: nothing was recorded then, or nothing here can show what changed.
 * - `unknown`: no certain answer is possible; `reason` gives the cause.
 */
const verdicts = [
  'unchanged',
  'edited',
  'renamed',
  'deleted',
  'not-on-this-branch',
  'uncommitted-and-missing',
  'no-git',
  'unknown',
] as const;

/** Why no certain answer is possible, as the end of a sentence. */
const reasons = {
  'path-refused': 'its path leads out of the work tree',
  unreadable: 'it cannot be read',
  'too-large': 'it is too large to compare',
  filtered: 'its bytes differ, perhaps by no more than the filters or line ends that git converts',
  'not-checked-out': 'it is left out of this sparse checkout',
  'commit-absent': 'the recorded commit is not here',
  'git-silent': 'git does not answer',
  'out-of-time': 'the comparison timed out',
  'no-record': 'nothing usable was recorded',
} as const;

type Reason = keyof typeof reasons;

/** One referenced file: what became of it. */
export const fileDriftSchema = z.strictObject({
  /** The reference's id in its content. */
  id: z.string(),
  path: z.string(),
  verdict: z.enum(verdicts),
  /** Of `renamed`: where it is now. */
  renamed_to: z.string().optional(),
  /** Of `renamed`: whether its bytes changed too; absent where that cannot be known. */
  is_edited: z.boolean().optional(),
  /** Of `edited`: absent for binary files, and where the earlier bytes were not kept. */
  lines_added: z.int().optional(),
  lines_removed: z.int().optional(),
  /** The lines that the reference names, as they were counted then. */
  lines: z.string().optional(),
  /** Whether the change touches those lines; absent where that cannot be known. */
  touches_lines: z.boolean().optional(),
  /** Of `edited`: it became executable, or stopped being so. */
  mode_changed: z.boolean().optional(),
  /** What is at the path now, where it differs from what was there. */
  became: z.enum(['file', 'link', 'folder', 'special']).optional(),
  reason: z.enum(Object.keys(reasons) as [Reason, ...Reason[]]).optional(),
  /** For a file of which nothing was recorded: whether anything is at the path now, or the path leads out of the work tree. */
  stands: z.enum(['here', 'missing', 'outside']).optional(),
});

export type FileDrift = z.infer<typeof fileDriftSchema>;

/** Whether a verdict means that something changed; `unknown` does not. */
export function hasDrifted({ verdict }: FileDrift): boolean {
  return !['unchanged', 'no-git', 'unknown'].includes(verdict);
}

/**
 * One file's drift in words, as `src/a.ts edited (12 lines: +9 -3)`.
 *
 * @param show - makes a path fit for the place where the words go.
 */
export function describeDrift(drift: FileDrift, show: (path: string) => string): string {
  const name = (path: string) => quoteName(show(path));
  const path = name(drift.path);
  switch (drift.verdict) {
    case 'edited':
      return `${path} edited${inBrackets(describeEdit(drift))}`;
    case 'renamed':
      return `${path} renamed to ${name(drift.renamed_to ?? '')}${drift.is_edited === true ? ' and edited' : ''}`;
    case 'deleted':
      return `${path} deleted${drift.became === 'folder' ? ' (a folder is there now)' : ''}`;
    case 'not-on-this-branch':
      return `${path} not on this branch`;
    case 'uncommitted-and-missing':
      return `${path} was not committed then, and its changes are missing here`;
    case 'no-git':
      return `${path} has nothing to compare with`;
    case 'unknown':
      return `${path} unknown: ${reasons[drift.reason ?? 'git-silent']}`;
    default:
      return `${path} unchanged`;
  }
}

function describeEdit({ lines_added, lines_removed, lines, touches_lines, mode_changed, became }: FileDrift): string[] {
  const [added, removed] = [lines_added ?? 0, lines_removed ?? 0];
  const count = `${added + removed} ${added + removed === 1 ? 'line' : 'lines'}: +${added} -${removed}`;
  return [
    ...(became === undefined ? [] : [`a ${became} now`]),
    ...(mode_changed === true ? ['another mode'] : []),
    ...(added + removed > 0 ? [count] : []),
    ...(touches_lines === undefined ? [] : [`lines ${lines} ${touches_lines ? 'touched' : 'not touched'}`]),
  ];
}

/** A name that could be read as a part of our sentence is quoted. */
function quoteName(path: string): string {
  return /[^\p{L}\p{N}\p{M}_./@+~#$%&=[\]{}!-]/u.test(path) ? `"${path.replace(/["“”]/g, "'")}"` : path;
}

function inBrackets(parts: readonly string[]): string {
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
