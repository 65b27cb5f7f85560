import { useEffect, useState } from 'react';
import type { HandoffEvent } from '../../../batonpass/src/core/delivery.ts';

const steps = [
  { ms: 86_400_000, unit: 'd' },
  { ms: 3_600_000, unit: 'h' },
  { ms: 60_000, unit: 'm' },
  { ms: 1_000, unit: 's' },
] as const;

/** A duration in its largest unit, as `3 h`. Less than a second is `now`. */
export function describeStretch(ms: number): string {
  const step = steps.find((each) => ms >= each.ms);
  return step === undefined ? 'now' : `${Math.floor(ms / step.ms)} ${step.unit}`;
}

/** How long ago an instant was. */
export function describeAge(instant: string, now_ms: number): string {
  return describeStretch(now_ms - Date.parse(instant));
}

/** How long ago an instant was, with the word that follows: `3 h ago`, `3 h old`; of a short time always `just now`. */
export function describeSince(instant: string, now_ms: number, word: 'ago' | 'old'): string {
  const age = describeAge(instant, now_ms);
  return age === 'now' ? 'just now' : `${age} ${word}`;
}

/** How much of a lease is left. */
export function describeLease(until: string | undefined, now_ms: number): string {
  if (until === undefined) return '';
  const left_ms = Date.parse(until) - now_ms;
  return left_ms <= 0 ? 'lease over' : `${describeStretch(left_ms)} left`;
}

const signs: readonly string[] = ['handoff-claimed', 'handoff-renewed', 'handoff-reported', 'handoff-answered'];

/** Whether an event is a sign of life of its handoff's holder. */
export const isSignOfLife = ({ name }: Pick<HandoffEvent, 'name'>): boolean => signs.includes(name);

/** The share of a lease after which silence is reported: a holder renews at half of it. */
const SILENT_SHARE = 2 / 3;

/** Whether the holder of a lease should have sent a sign of life by now. */
export function isSilent(heard_at: string, lease_until: string | undefined, now_ms: number): boolean {
  if (lease_until === undefined) return false;
  return now_ms - Date.parse(heard_at) > SILENT_SHARE * (Date.parse(lease_until) - Date.parse(heard_at));
}

/** An instant in the local format. */
export function describeInstant(instant: string): string {
  return new Date(instant).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

const NOW_MS = 20_000;

/** The current time, as precise as ages need it. */
export function useNow(): number {
  const [now_ms, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), NOW_MS);
    return () => clearInterval(timer);
  }, []);
  return now_ms;
}

/** How long ago an instant was, with the instant itself as a hint. */
export function Ago({ instant, className }: { instant: string; className?: string }) {
  const now_ms = useNow();
  return (
    <time className={className} dateTime={instant} title={describeInstant(instant)}>
      {describeSince(instant, now_ms, 'ago')}
    </time>
  );
}
