import { readDuration, durationUnits as units } from '../../core/duration.ts';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';

/** A longer duration is surely a slip, and an instant that far away may have no date. */
const DURATION_MS_MAX = 3_650 * units.d;

/** The bounds of an option's number or duration, both included. */
export interface Bounds {
  /** As on the command line, `--lease`. */
  option: string;
  /** The unit of a number, as `tokens`. */
  unit?: string;
  min?: number;
  max?: number;
}

/**
 * Milliseconds of a duration as people write it: `90s`, `15m`, `2h`, `1d`, `500ms`; at most ten years.
 *
 * @throws HandoffError `invalid_input` for anything else, also for a bare number: its unit would be a guess.
 */
export function parseDuration(text: string, bounds?: Bounds): number {
  const duration_ms = readDuration(text);
  if (duration_ms === undefined) {
    throw new HandoffError('invalid_input', `"${text}" is not a duration.`, {
      alternatives: ['Write it as 90s, 15m, 2h or 1d.'],
    });
  }
  const { option = 'A duration', min = 0, max = DURATION_MS_MAX } = bounds ?? {};
  if (duration_ms >= min && duration_ms <= max) return duration_ms;
  const least = min > 0 ? `, at least ${formatDuration(min)}` : '';
  throw new HandoffError('invalid_input', `${option} is at most ${formatDuration(max)}${least}; "${text}" is not.`, {
    alternatives: ['Write it as 90s, 15m, 2h or 1d.'],
  });
}

/** The parser of an option that is a duration within bounds. */
export function durationWithin(bounds: Bounds): (text: string) => number {
  return (text) => parseDuration(text, bounds);
}

/** The bounds of a lease that is asked for. */
export const parseLease = durationWithin({ option: '--lease', min: limits.lease_ms_min, max: limits.lease_ms_max });

/** A duration as `parseDuration` reads it, in the largest unit that gives a whole number. */
export function formatDuration(duration_ms: number): string {
  const unit =
    (['d', 'h', 'm', 's'] as const).find((name) => duration_ms > 0 && duration_ms % units[name] === 0) ?? 'ms';
  return `${duration_ms / units[unit]}${unit}`;
}

/**
 * The parser of an option that is a whole number within bounds.
 *
 * @throws HandoffError `invalid_input` for a text that is no whole number, or a number out of bounds.
 */
export function numberWithin({
  option,
  unit,
  min = 0,
  max = Number.MAX_SAFE_INTEGER,
}: Bounds): (text: string) => number {
  return (text) => {
    if (!/^\d{1,15}$/.test(text)) {
      throw new HandoffError('invalid_input', `"${text}" is not a whole number.`, {
        alternatives: [`Write digits only, as ${option} ${Math.max(min, 1)}.`],
      });
    }
    const number = Number(text);
    if (number >= min && number <= max) return number;
    const most = max === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${max}`;
    throw new HandoffError(
      'invalid_input',
      `${option} is at least ${min}${most}${unit === undefined ? '' : ` ${unit}`}, not ${number}.`,
    );
  };
}

/** The bounds of a rendered text. */
export const parseBudget = numberWithin({ option: '--budget', unit: 'tokens', min: limits.render_tokens_min });

/** How long ago an instant was, in the largest whole unit: `12 s`, `3 min`, `5 h`, `2 d`. */
export function formatAge(instant: string, now_ms: number): string {
  const age_ms = Math.max(0, now_ms - Date.parse(instant));
  if (age_ms < 60_000) return `${Math.floor(age_ms / 1_000)} s`;
  if (age_ms < 3_600_000) return `${Math.floor(age_ms / 60_000)} min`;
  if (age_ms < 2 * 86_400_000) return `${Math.floor(age_ms / 3_600_000)} h`;
  return `${Math.floor(age_ms / 86_400_000)} d`;
}
