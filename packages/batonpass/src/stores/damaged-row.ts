import { HandoffError } from '../core/errors.ts';

/**
 * The error of a row that does not say what was written: the disk or another program has changed it. Thrown where the row
 * is read, so that it meets the one call that needs it, and not all that share its transaction.
 *
 * @param what - begins the sentence: "Handoff 01J…".
 * @param says - ends it: "its content is not the one that its hash names".
 */
export function damagedRow(what: string, says: string, cause?: unknown): HandoffError {
  const [, id] = /^Handoff (\S+)$/.exec(what) ?? [];
  return new HandoffError('unavailable', `${what} is damaged in the store: ${says}.`, {
    details: { damaged: what },
    alternatives: [
      ...(id === undefined ? [] : [`Set it aside: baton withdraw ${id}`]),
      'See what else is damaged: baton store check',
      'Restore a backup: baton store restore',
    ],
    cause,
  });
}

/** Whether an error is that of a damaged row, which its neighbours need not share. */
export function isDamagedRow(error: unknown): boolean {
  return error instanceof HandoffError && error.details.damaged !== undefined;
}
