import type { Attempt } from './use-planning.ts';

/** When a step ran, in milliseconds from the start of its attempt. */
interface Span {
  from_ms: number;
  to_ms: number;
}

/** The time of an attempt, from its start to the end of its last step, and of each step within it. */
export interface StepTimes {
  spans: ReadonlyMap<number, Span>;
  /** At least one, so that it can be a divisor. */
  whole_ms: number;
}

/** Places each step at its real time: concurrent steps overlap, and pauses between steps are visible. */
export function layOutSteps({ started_at, steps }: Pick<Attempt, 'started_at' | 'steps'>): StepTimes {
  const begun_ms = Date.parse(started_at);
  const spans = new Map(
    steps.map(({ number, started_at: at, duration_ms }): [number, Span] => {
      const from_ms = Math.max(0, Date.parse(at) - begun_ms);
      return [number, { from_ms, to_ms: from_ms + duration_ms }];
    }),
  );
  return { spans, whole_ms: Math.max(1, ...[...spans.values()].map(({ to_ms }) => to_ms)) };
}

/** Distances between marks of an axis that are easy to read, in milliseconds. */
const distances_ms = [1, 2, 5, 10, 20, 50, 100, 200, 500].concat(
  [1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  [1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  [1, 2, 3, 6, 12].map((hours) => hours * 3_600_000),
);

const DAY_MS = 86_400_000;

/** The marks of an axis of this length, from 0: as many as there is room for, and two at least. */
export function marksOf(whole_ms: number, marks_max = 5): number[] {
  const fits = (distance_ms: number) => whole_ms / distance_ms < marks_max;
  const distance_ms = distances_ms.find(fits) ?? Math.ceil(whole_ms / DAY_MS / (marks_max - 1)) * DAY_MS;
  return Array.from({ length: Math.floor(whole_ms / distance_ms) + 1 }, (_, place) => place * distance_ms);
}

const units = [
  ['d', DAY_MS],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

/** A moment of an attempt as a label of the axis: `0 s`, `50 ms`, `0.5 s`, `1 m 30 s`, `2 h`. */
export function describeMoment(ms: number): string {
  if (ms > 0 && ms < 100) return `${ms} ms`;
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(ms < 10_000 ? 2 : 1))} s`;
  let rest = ms;
  const told = units.flatMap(([unit, unit_ms]) => {
    const count = Math.floor(rest / unit_ms);
    rest -= count * unit_ms;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  const seconds = Math.round(rest / 1_000);
  return [...told, ...(seconds === 0 ? [] : [`${seconds} s`])].slice(0, 2).join(' ');
}
