/** What could not be read of a transcript: counted by reason, so that nothing is dropped silently. */
export interface Unread {
  lines: number;
  reasons: Record<string, number>;
}

/** Number of separate reasons; a hostile file must not fill the report with names of its own. */
const reasonsMax = 30;

/** Counts one line, message or part that was not read. */
export function countUnread(unread: Unread, reason: string): void {
  const known = Object.hasOwn(unread.reasons, reason) || Object.keys(unread.reasons).length < reasonsMax;
  const key = known ? reason : 'other';
  unread.lines += 1;
  unread.reasons[key] = (unread.reasons[key] ?? 0) + 1;
}
