/** The present instant for the field `created`, as `2026-01-24T15:30:00.000Z`. @param now_ms - default: the machine's clock. */
export function formatTimestamp(now_ms: number = Date.now()): string {
  return new Date(now_ms).toISOString();
}
