import { HandoffError } from '../../core/errors.ts';

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Milliseconds of a duration as people write it: `90s`, `15m`, `2h`, `1d`, `500ms`.
 *
 * @throws HandoffError `invalid_input` for anything else, a bare number too: its unit would be a guess.
 */
export function parseDuration(text: string): number {
  const match = text.trim().match(/^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/);
  if (match === null) {
    throw new HandoffError('invalid_input', `"${text}" is not a duration.`, {
      alternatives: ['Write it as 90s, 15m, 2h or 1d.'],
    });
  }
  return Math.round(Number(match[1]) * units[match[2] as keyof typeof units]);
}

/** @throws HandoffError `invalid_input` for a text that is no whole number. */
export function parseWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw new HandoffError('invalid_input', `"${text}" is not a whole number.`, {
      alternatives: ['Write digits only.'],
    });
  }
  return Number(text);
}

/** How long ago an instant was, in the largest whole unit: `12 s`, `3 min`, `5 h`, `2 d`. */
export function formatAge(instant: string, now_ms: number): string {
  const age_ms = Math.max(0, now_ms - Date.parse(instant));
  if (age_ms < 60_000) return `${Math.floor(age_ms / 1_000)} s`;
  if (age_ms < 3_600_000) return `${Math.floor(age_ms / 60_000)} min`;
  if (age_ms < 2 * 86_400_000) return `${Math.floor(age_ms / 3_600_000)} h`;
  return `${Math.floor(age_ms / 86_400_000)} d`;
}
