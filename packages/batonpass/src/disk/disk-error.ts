import { HandoffError, type HandoffErrorCode } from '../core/errors.ts';

interface Explanation {
  code: HandoffErrorCode;
  reason: string;
  alternatives: readonly string[];
}

const notAllowed = [
  'Change the permissions, or choose another place.',
  'Where a sandbox forbids it, run the command outside of the sandbox.',
];

const unavailable = (reason: string, ...alternatives: readonly string[]): Explanation => ({
  code: 'unavailable',
  reason,
  alternatives,
});

const explanations: Readonly<Record<string, Explanation>> = {
  ENOSPC: unavailable('the disk is full', 'Free disk space and retry.', 'Choose a place on another disk.'),
  EDQUOT: unavailable(
    'the disk quota of this user is exhausted',
    'Free space and retry.',
    'Choose a place on another disk.',
  ),
  EFBIG: unavailable('the file exceeds the size limit', 'Choose another place.'),
  EROFS: unavailable('the file system is read-only', 'Choose a place that can be written.'),
  EACCES: unavailable('permission denied', ...notAllowed),
  EPERM: unavailable('operation not permitted', ...notAllowed),
  EIO: unavailable('the disk reports an error', 'Look at the disk, and at its latest backup, before you retry.'),
  EBUSY: unavailable('it is in use by another program', 'Retry when that program is done.'),
  EMFILE: unavailable('this process has too many files open', 'Close some, or raise the limit (ulimit -n), and retry.'),
  ENFILE: unavailable('this machine has too many files open', 'Close some programs and retry.'),
  ESTALE: unavailable('stale handle of a network file system', 'Remount it and retry.'),
  ENOENT: { code: 'file_not_found', reason: 'it does not exist', alternatives: ['Check the path.'] },
  ENOTDIR: { code: 'file_not_found', reason: 'a part of the path is not a folder', alternatives: ['Check the path.'] },
  EISDIR: { code: 'invalid_input', reason: 'it is a folder', alternatives: ['Name a file in it.'] },
  ELOOP: { code: 'invalid_input', reason: 'it is a symbolic link', alternatives: ['Name the file that it leads to.'] },
  EEXIST: { code: 'conflict', reason: 'something else is there', alternatives: ['Choose another place.'] },
  ERR_INVALID_ARG_VALUE: {
    code: 'invalid_input',
    reason: 'the path contains a NUL',
    alternatives: ['Check the path.'],
  },
  ENAMETOOLONG: { code: 'invalid_input', reason: 'the name is too long', alternatives: ['Choose a shorter one.'] },
};

/**
 * The error to throw for an error of the file system: `unavailable` for a full, read-only or failing disk (`ENOSPC`,
 * `EDQUOT`, `EROFS`, `EACCES`, `EPERM`, `EIO` …), `file_not_found` or `invalid_input` for a wrong path, `conflict`
 * where something blocks the path; it names the
 * place, the reason, and what to do. Anything else, a HandoffError included, is returned as it is.
 *
 * @param doing - what was attempted, as the message words it.
 */
export function explainDiskError(
  error: unknown,
  path: string,
  doing: 'read' | 'written' | 'locked' | 'removed',
): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const explanation = code === undefined || error instanceof HandoffError ? undefined : explanations[code];
  if (explanation === undefined) return error;
  return new HandoffError(explanation.code, `${path} could not be ${doing}: ${explanation.reason} (${code}).`, {
    details: { path, reason: code },
    alternatives: explanation.alternatives,
    cause: error,
  });
}
