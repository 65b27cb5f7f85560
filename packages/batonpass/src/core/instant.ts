/** ISO 8601 of milliseconds since 1970. */
export function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}
