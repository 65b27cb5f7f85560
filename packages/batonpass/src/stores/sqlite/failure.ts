import { HandoffError, type HandoffErrorCode } from '../../core/errors.ts';

/** SQLite's primary result codes, as far as the store answers them. */
const BUSY = 5;
const LOCKED = 6;
const CONSTRAINT = 19;

interface Explanation {
  code: HandoffErrorCode;
  /** What happened, the file apart. */
  says: string;
  alternatives: readonly string[];
}

const elsewhere = 'Keep the store elsewhere: BATON_STORE=sqlite:/a/writable/folder/baton.db';

/** Ways out of a place that cannot be written, the most likely first. */
export const unwritableAlternatives: readonly string[] = [
  elsewhere,
  'Where a sandbox forbids writing here, use the MCP tools, which run outside of it, or the command outside of it.',
];

const explanations: Record<number, Explanation> = {
  3: { code: 'unavailable', says: 'may not be accessed', alternatives: unwritableAlternatives },
  7: {
    code: 'unavailable',
    says: 'needs more memory than there is',
    alternatives: ['Close other programs and retry.'],
  },
  8: { code: 'unavailable', says: 'is read-only', alternatives: unwritableAlternatives },
  10: {
    code: 'unavailable',
    says: 'could not be read or written: the disk reports an error',
    alternatives: ['Look at the disk; nothing of this call was kept.', elsewhere],
  },
  11: {
    code: 'unavailable',
    says: 'is damaged',
    alternatives: ['Keep a copy of the file and its -wal, then restore a backup or recover it with sqlite3 .recover.'],
  },
  13: {
    code: 'unavailable',
    says: 'cannot grow: the disk is full',
    alternatives: ['Make room on the disk and retry; nothing of this call was kept.', elsewhere],
  },
  14: { code: 'unavailable', says: 'cannot be opened', alternatives: unwritableAlternatives },
  15: { code: 'unavailable', says: 'could not be locked', alternatives: [elsewhere] },
  26: {
    code: 'invalid_input',
    says: 'is not a SQLite database',
    alternatives: ['Name another file: BATON_STORE=sqlite:/path/to/baton.db'],
  },
};

/** Whether another process holds the lock just now. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === BUSY || code === LOCKED;
}

/** Whether an error of one write leaves nothing of the transaction that it shares: the disk, not the write, is at fault. */
export function endsGroup(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== undefined && code !== CONSTRAINT;
}

/**
 * An error of SQLite or of the file system as an expected failure that names the file; anything else stays as it is:
 * a defect.
 */
export function explainFailure(error: unknown, path: string): unknown {
  if (error instanceof HandoffError) return error;
  const explanation = explanations[primaryCode(error) ?? -1];
  if (explanation === undefined) return error;
  const { code, says, alternatives } = explanation;
  return new HandoffError(code, `The store ${path} ${says}.`, {
    details: { path, sqlite: error instanceof Error ? error.message : String(error) },
    alternatives,
    cause: error,
  });
}

/** The error of a write that waited too long for other processes. */
export function busyStore(path: string, waited_ms: number, cause: unknown): HandoffError {
  return new HandoffError('unavailable', `The store ${path} was locked by another process for ${waited_ms} ms.`, {
    details: { path, waited_ms },
    alternatives: ['Try again; nothing of this call was kept.', `See which process holds it: lsof ${path}`],
    cause,
  });
}

/** Of `node:sqlite`: `errcode` holds the extended code, its low byte the kind. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}
