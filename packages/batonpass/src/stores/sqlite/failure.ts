import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { type Explanation, storeError } from '../sql/failure.ts';

/** SQLite's primary result codes, as far as the store looks at them; any other error has none. */
const codes = { error: 1, busy: 5, locked: 6, corrupt: 11, full: 13, constraint: 19, no_database: 26 };
const NO_CODE = -1;
/** Extended codes of an I/O error: a file that could not be made longer, on a full disk the first that fails; a failed sync. */
const extended = { shared_memory_size: 4874, sync: 1034 };

const elsewhere = 'Keep the store elsewhere: BATON_STORE=sqlite:/a/writable/folder/baton.db';

/** What to do when a location cannot be written, the most likely remedy first. */
export const unwritableAlternatives: readonly string[] = [
  elsewhere,
  'Where a sandbox forbids writing here, use the MCP tools, which run outside of it, or the command outside of it.',
];

const explanations: Record<number, Explanation> = {
  3: ['may not be accessed', ...unwritableAlternatives],
  7: ['needs more memory than there is', 'Close other programs and retry.'],
  8: ['is read-only', ...unwritableAlternatives],
  10: [
    'could not be read or written: the disk reports an error',
    'Look at the disk; nothing of this call was kept.',
    elsewhere,
  ],
  11: [
    'is damaged',
    'See what is damaged: baton store check',
    'Restore a backup, which keeps a copy of what is left: baton store restore FILE',
    'Without a backup, keep a copy of the file and its -wal, and recover it with sqlite3 .recover.',
  ],
  13: ['cannot grow: the disk is full', 'Make room on the disk and retry; nothing of this call was kept.', elsewhere],
  14: ['cannot be opened', ...unwritableAlternatives],
  15: ['could not be locked', elsewhere],
  26: ['is not a SQLite database', 'Name another file: BATON_STORE=sqlite:/path/to/baton.db'],
};

/** Everything is in the log by then, and is read from it after a crash. */
const unsynced: Explanation = [
  'could not be synced: the disk reports an error',
  'Look at the disk. Nothing of this call is kept, unless this process dies before its next write: then it may be there.',
  'Repeat the call with the idempotency key that it had; one that was kept is not done twice.',
  elsewhere,
];

/**
 * Messages of errors that would be a defect of ours, if tables, columns or texts were still what they were made. No
 * statement writes NULL where there must be a value, unless it computes it from one that is gone.
 */
const notAsMade: Record<number, RegExp> = {
  [codes.error]:
    /no such |unknown |unsupported file format|has no column named|malformed|syntax error|wrong number of arguments/,
  [codes.constraint]: /^(NOT NULL constraint failed|cannot store)/,
};

const changed: Explanation = [
  'is damaged or was changed by another program',
  'See what is damaged: baton store check',
  'Restore a backup: baton store restore',
];

/** Whether another process holds the lock just now. */
export const isBusy = (error: unknown): boolean => [codes.busy, codes.locked].includes(primaryCode(error));

/** Whether an error of one write leaves nothing of the transaction that it shares: the disk, not the write, is at fault. */
export const endsGroup = (error: unknown): boolean => ![NO_CODE, codes.constraint].includes(primaryCode(error));

/** Whether the file itself is at fault: it is damaged, or no database any more. */
export const isDamage = (error: unknown): boolean =>
  error instanceof HandoffError
    ? isDamage(error.cause)
    : [codes.corrupt, codes.no_database].includes(primaryCode(error)) || namesFormat(error);

/** A damaged header, which SQLite reports by its message alone. */
const namesFormat = (error: unknown): boolean => error instanceof Error && error.message === 'unsupported file format';

/** An error of SQLite as an expected failure that names the file; anything else stays as it is: a defect. */
export function explainFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof HandoffError) return error;
  const { message } = error;
  if ('code' in error && error.code === 'ERR_INVALID_STATE') return closedDatabase();
  if (message.startsWith('cannot start a transaction within')) return ownersTransaction();
  const code = primaryCode(error);
  const isUnsynced = 'errcode' in error && error.errcode === extended.sync;
  const explanation = isUnsynced ? unsynced : notAsMade[code]?.test(message) ? changed : explanations[code];
  if (explanation === undefined) return error;
  const meaning = code === codes.no_database ? 'invalid_input' : 'unavailable';
  return storeError(path, explanation, { code: meaning, details: { path, sqlite: message }, cause: error });
}

/** The error of a database that its owner closed, who had lent it. */
export function closedDatabase(): HandoffError {
  const alternatives = ['Close it after the last call.', 'Give its path: the file is then opened and closed for you.'];
  return new HandoffError('unavailable', 'The database that was given is closed.', { alternatives });
}

/** A commit of ours would end the owner's transaction, and a rollback of theirs would undo what we promised. */
export function ownersTransaction(): HandoffError {
  const first = 'Commit or roll back first, and call again; nothing of this call was kept.';
  const alternatives = [first, 'Give its path: the file then has a connection of its own.'];
  return new HandoffError('unavailable', 'The database that was given is in the middle of a transaction.', {
    alternatives,
  });
}

/** The error of a write that waited too long for other processes. */
export function busyStore(path: string, waited_ms: number, cause: unknown): HandoffError {
  const says = `was locked by another process for ${waited_ms} ms`;
  const ways = ['Try again; nothing of this call was kept.', `See which process holds it: lsof ${path}`];
  return storeError(path, [says, ...ways], { details: { path, waited_ms }, cause });
}

/** The error of a copy whose folder takes no file, or no more of it. */
export function notWritten(folder: string, cause: unknown): unknown {
  if (cause instanceof HandoffError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new HandoffError('unavailable', `No copy could be written to ${folder}: ${reason}.`, {
    details: { folder },
    cause,
    alternatives: [`Make room in ${folder}, or make it writable; the store is as it was.`, 'Name another place.'],
  });
}

/** Of `node:sqlite`: `errcode` holds the extended code, its low byte the kind. */
function primaryCode(error: unknown): number {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return NO_CODE;
  return error.errcode === extended.shared_memory_size ? codes.full : error.errcode & 0xff;
}

/**
 * Tries again every one or two milliseconds while another process holds the lock. @param isHeld - recognises the error of a held lock. Default: SQLite's own.
 * @throws HandoffError `unavailable` after the wait, by default `limits.write_wait_ms`; every other error at once.
 */
export async function untilFree<T>(
  path: string,
  attempt: () => T | Promise<T>,
  { isHeld = isBusy, wait_ms = limits.write_wait_ms as number } = {},
): Promise<T> {
  const begun_ms = performance.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isHeld(error)) throw error;
      const waited_ms = performance.now() - begun_ms;
      if (waited_ms >= wait_ms) throw busyStore(path, Math.round(waited_ms), error);
    }
    await pause();
  }
}

/** SQLite's own wait for a lock grows with each try, so that the one who waits longest starves. Jittered: two do not meet again. */
export const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 1 + Math.random()));
