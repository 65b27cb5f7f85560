import { z } from 'zod';

/**
 * How a referenced file stands against the time when its handoff was made.
 *
 * - `unchanged`: its bytes, as they are or as git would store them, are proven to be the same.
 * - `edited`: it is there, with other bytes, as a link in place of a file, or with another mode.
 * - `renamed`: it is not there any more; `renamed_to` has it.
 * - `deleted`: it was committed then, and is gone.
 * - `not-on-this-branch`: it was committed then, on a line of history that this work tree does not stand on.
 * - `uncommitted-and-missing`: what it held then was not committed, and is not here.
 * - `no-git`: nothing was recorded then, or nothing here can tell what became of it.
 * - `unknown`: nothing certain can be said; `reason` says why.
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

/** Why nothing certain can be said, in words that end a sentence. */
const reasons = {
  'path-refused': 'its path leads out of the work tree',
  unreadable: 'it cannot be read',
  'too-large': 'it is too large to compare',
  filtered: 'its bytes differ, perhaps by no more than the filters or line ends that git converts',
  'not-checked-out': 'it is left out of this sparse checkout',
  'commit-absent': 'the commit of then is not here',
  'git-silent': 'git does not answer',
  'out-of-time': 'the time for comparing ran out',
  'no-record': 'no usable record was made then',
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
  /** Of `edited`: absent for binary files, and where the bytes of then were not kept. */
  lines_added: z.int().optional(),
  lines_removed: z.int().optional(),
  /** The lines that the reference names, as they were counted then. */
  lines: z.string().optional(),
  /** Whether the change touches those lines; absent where that cannot be known. */
  touches_lines: z.boolean().optional(),
  /** Of `edited`: it became executable, or stopped being so. */
  mode_changed: z.boolean().optional(),
  /** What stands at the path now, where it is not what stood there. */
  became: z.enum(['file', 'link', 'folder', 'special']).optional(),
  reason: z.enum(Object.keys(reasons) as [Reason, ...Reason[]]).optional(),
  /** Of what nothing was recorded of: whether anything stands at the path now, or the path leads out of the work tree. */
  stands: z.enum(['here', 'missing', 'outside']).optional(),
});

export type FileDrift = z.infer<typeof fileDriftSchema>;

/** Whether a verdict says that something changed: what is unknown has not been shown to. */
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
      return `${path} deleted${drift.became === 'folder' ? ' (a folder stands there now)' : ''}`;
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

/** A name that could be read as words of ours stands in quotes. */
function quoteName(path: string): string {
  return /[^\p{L}\p{N}\p{M}_./@+~#$%&=[\]{}!-]/u.test(path) ? `"${path.replace(/["“”]/g, "'")}"` : path;
}

function inBrackets(parts: readonly string[]): string {
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
