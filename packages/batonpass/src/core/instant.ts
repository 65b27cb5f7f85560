/** The instants of one batch are few, and each is written often: a tenth of the program's part of a consumed handoff. */
const written = new Map<number, string>();
const WRITTEN_MAX = 1_000;

/** ISO 8601 of milliseconds since 1970. */
export function toInstant(ms: number): string {
  const known = written.get(ms);
  if (known !== undefined) return known;
  if (written.size === WRITTEN_MAX) written.clear();
  const instant = new Date(ms).toISOString();
  written.set(ms, instant);
  return instant;
}
