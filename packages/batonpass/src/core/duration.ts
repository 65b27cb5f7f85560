/** The units of a duration as people write it, in milliseconds. */
export const durationUnits = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Milliseconds of a text as `90s`, `15m`, `2h` or `1d`; undefined for anything else, a bare number too: its unit would
 * be a guess.
 */
export function readDuration(text: string): number | undefined {
  const match = text.trim().match(/^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/);
  if (match === null) return undefined;
  return Math.round(Number(match[1]) * durationUnits[match[2] as keyof typeof durationUnits]);
}
