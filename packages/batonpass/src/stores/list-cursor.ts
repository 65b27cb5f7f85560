import { HandoffError } from '../core/errors.ts';

/** The position after a handoff in a list: opaque to callers, so that a store may change what it means. */
export function encodeListCursor(seq: number): string {
  return Buffer.from(`before:${seq}`).toString('base64url');
}

/** @throws HandoffError `invalid_input` for a text that no list has given. */
export function decodeListCursor(cursor: string): number {
  const seq = Number(/^before:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1]);
  if (Number.isSafeInteger(seq) && encodeListCursor(seq) === cursor) return seq;
  throw new HandoffError('invalid_input', 'The cursor is not one that a list of this store has given.', {
    details: { cursor: cursor.slice(0, 100) },
    alternatives: ['Pass the cursor of the last page unchanged, or none for the first page.'],
  });
}
